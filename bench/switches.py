#!/usr/bin/env python3
"""Whether any optimisation of the overlay makes a cell slower: python3 bench/switches.py [--graphs CI,CO,PU,FL] [--columns sparse,broadcast]

For each cell of GraphAGILE's Table VII and each column of bench/table7.py: T_LoH without one switch of gnnc over T_LoH with all of them, at --level. Prints, per
switch, the geometric mean, the least ratio, and each cell that is more than 2 % faster without it; the exit status is 1 if there is one.
"""
import sys

import overlay_cells as cells
import table7
from overlay_bench import Failed, Overlay, parser_of, run_jobs, with_switch

SWITCHES = ["order", "fuse-activation", "overlap", "skip-empty", "balance", "order-records", "permute-nodes", "fuse-product", "fuse-attention", "sparse-features"]
NEEDS = {"broadcast": "has_broadcast", "packed-edges": "has_packed_edges", "compact-columns": "has_compact_columns", "half-rows": "has_half_rows"}  # of a device that says so
ALLOWED = 0.98


def switches_of(flags, of=None):
    known = SWITCHES + [s for s, need in NEEDS.items() if f"--device-set={need}=true" in flags]
    return [s for s in known if not of or s in of]


def off(flags, switch):
    """--features=auto says that features may be sparse, so that switch goes there."""
    return [f for f in flags if f != "--features=auto"] + ["--features=dense"] if switch == "sparse-features" else with_switch(flags, switch)


def ratios(bench, options, cell):
    """{switch: T_LoH without it / with it}"""
    model, graph, column = cell
    flags = table7.COLUMNS[column]
    try:
        on = bench.time(model, graph, flags, options.level, has_data=True)
        return {s: bench.time(model, graph, off(flags, s), options.level, has_data=True) / on for s in switches_of(flags, options.switches)}
    except Failed as error:
        print(f"FAILED {model}/{graph} {column}: {str(error)[:600]}", file=sys.stderr, flush=True)
        return None


def main():
    parser = parser_of(__doc__, cells.SMALL)
    parser.add_argument("--columns", default=["sparse", "broadcast"], type=lambda t: t.split(","), help=f"some of {','.join(table7.COLUMNS)} (default sparse,broadcast)")
    parser.add_argument("--switches", default=[], type=lambda t: t.split(","), help="some of the switches, without -fno- (default: all that the column's device knows)")
    parser.add_argument("--level", default="L1", choices=["L0", "L1", "L2"], help="fidelity (default L1)")
    options = parser.parse_args()
    bench = Overlay(options.bin, options.out)
    for graph in options.graphs:
        bench.graph(graph)
        for model in options.models:
            bench.weights(model, graph)
    every = [(m, g, c) for c in options.columns for g in options.graphs for m in options.models]
    found = dict(zip(every, run_jobs(options.jobs, lambda cell: ratios(bench, options, cell), every)))
    is_bad = not all(found.values())
    for column in options.columns:
        print(f"{column}: {' '.join(table7.COLUMNS[column])}, {options.level}")
        for switch in switches_of(table7.COLUMNS[column], options.switches):
            of = {f"{m}/{g}": r[switch] for (m, g, c), r in found.items() if c == column and r}
            slower = [f"{name} {r:.3f}" for name, r in of.items() if r < ALLOWED]
            is_bad |= bool(slower)
            print(f"  -fno-{switch}: geometric mean {cells.geometric_mean(of.values()):.3f}, least {min(of.values()):.3f}" + (f"; FASTER without: {', '.join(slower)}" if slower else ""))
    sys.exit(is_bad)


if __name__ == "__main__":
    main()
