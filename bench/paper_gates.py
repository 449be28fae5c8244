#!/usr/bin/env python3
"""T_LoH under the paper's accounting alone, with its gates: python3 bench/paper_gates.py [--graphs CI,CO,PU] [--gate]

A short part of bench/table7.py: each cell beside the paper's and beside the rule behind the accounting.
"""
import sys

import overlay_cells as cells
from overlay_bench import Overlay, parser_of


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--gate", action="store_true", help="exit with 1 where a gate fails")
    options = parser.parse_args()
    bench, paper, failed = Overlay(options.bin, options.out), cells.paper(), 0
    print("cell         ours    paper   off by  allowed  ours/rule  size/paper")
    for graph in options.graphs:
        for model in options.models:
            size = bench.compile(f"{model}_paper", graph, ["--preset=paper"])[".text"]
            ours = bench.simulate("L0")["ms"]
            away, allowed, is_off = cells.paper_error(model, graph, ours)
            is_bad = is_off or cells.is_too_large(model, graph, size)
            failed += is_bad
            print(f"{model}/{graph} {ours:11.4f} {paper[model, graph]['T_LoH']:8.3f} {100 * away:+7.1f}%  {'     no' if allowed is None else f'{100 * allowed:6.0f}%'} "
                  f"{ours / cells.paper_rule(model, graph):10.4f} {size / 2**20 / paper[model, graph]['size']:11.3f}{'  FAILED' if is_bad else ''}", flush=True)
    sys.exit(1 if options.gate and failed else 0)


if __name__ == "__main__":
    main()
