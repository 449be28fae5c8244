#!/usr/bin/env python3
"""T_LoH under the paper's accounting alone, with its gates: python3 bench/paper_gates.py [--graphs CI,CO,PU] [--gate]

A short run of what bench/table7.py prints among the rest: each cell beside the paper's and beside the rule that the accounting was read from.
"""
import argparse
import sys

import overlay_cells as cells
from overlay_bench import ROOT, Overlay
from overlay_cells import GRAPHS, MODELS


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench/overlay", help="folder for graphs and programs (default build/bench/overlay)")
    parser.add_argument("--graphs", default=GRAPHS, type=lambda t: t.split(","), help=f"some of {','.join(GRAPHS)}")
    parser.add_argument("--models", default=MODELS, type=lambda t: t.split(","), help="some of b1 .. b8")
    parser.add_argument("--gate", action="store_true", help="exit with 1 where a gate fails")
    options = parser.parse_args()
    bench, paper, failed = Overlay(options.bin, options.out), cells.paper(), 0
    print("cell         ours    paper   off by  allowed  ours/rule  size/paper")
    for graph in options.graphs:
        for model in options.models:
            size = bench.compile(f"{model}_paper", graph, ["--preset=paper"])[".text"] / 2**20
            ours, theirs = bench.simulate("L0")["ms"], paper[model, graph]["T_LoH"]
            allowed = cells.PAPER_GATES[graph].get(model)
            is_large = size > paper[model, graph]["size"] and (model, graph) not in cells.SIZE_EXEMPT
            is_off = allowed is not None and abs(ours / theirs - 1) > allowed
            failed += is_off or is_large
            print(f"{model}/{graph} {ours:11.4f} {theirs:8.3f} {100 * (ours / theirs - 1):+7.1f}%  {'     no' if allowed is None else f'{100 * allowed:6.0f}%'} "
                  f"{ours / cells.paper_rule(model, graph):10.4f} {size / paper[model, graph]['size']:11.3f}{'  FAILED' if is_off or is_large else ''}", flush=True)
    sys.exit(1 if options.gate and failed else 0)


if __name__ == "__main__":
    main()
