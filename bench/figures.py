#!/usr/bin/env python3
"""GraphAGILE's Figures 14 to 16: what one optimisation is worth, each switched off alone: python3 bench/figures.py

Figure 14: the order of Aggregate and Linear; 15: fusion of activations and batch norm; 16: overlap of loads and computation. Prints T(off) / T(on) for b1 .. b8 on the
device with 77 GB/s (--memory) with dense features, beside the paper's average; and the same for what the paper does not have: empty subshards, balance, broadcast.
The paper's percentages are means of T(off) / T(on) - 1 in Figures 14 and 15 and of T(off) / T(on) in Figure 16.
"""
import argparse

import overlay_cells as cells
from overlay_bench import ROOT, Overlay, with_switch
from overlay_cells import GRAPHS, MODELS, geometric_mean

BROADCAST = "--device-set=has_broadcast=true"
# title: (switch, further options, the paper's mean of T(off) / T(on) per model, models that differ)
FIGURES = {
    "Figure 14, order": ("order", [], [1.82, 1.096, 1.099, 1.063, 1.013, 2.21, 3.60, 1.0], {"b1": "b1_unordered", "b2": "b2_unordered"}),
    "Figure 15, fusion": ("fuse-activation", [], [1.081, 1.060, 1.055, 1.052, 1.073, 1.074, 1.047, 1.082], {}),
    "Figure 16, overlap": ("overlap", [], [1.86, 1.34, 1.53, 1.37, 1.12, 1.48, 1.58, 1.23], {}),
    "empty subshards": ("skip-empty", [], None, {}),
    "balance": ("balance", [], None, {}),
    "broadcast (our extension)": ("broadcast", [BROADCAST], None, {}),
    "packed edges (our extension)": ("packed-edges", ["--device-set=has_packed_edges=true"], None, {}),
}


def print_figure(bench, options, title):
    switch, further, paper, other = FIGURES[title]
    print(f"\n{title}: T(off) / T(on)")
    print("model  " + "".join(f"{g:>8}" for g in options.graphs) + "    mean   paper")
    means = []
    for model in options.models:
        on = ["--features=dense", f"--memory={options.memory}", *further]
        name = other.get(model, model)
        ratios = [bench.time(name, g, with_switch(on, switch)) / bench.time(name, g, on) for g in options.graphs]
        means.append(sum(ratios) / len(ratios))
        said = f"{paper[MODELS.index(model)]:8.3f}" if paper else "       -"
        print(f"{model:7}" + "".join(f"{r:8.3f}" for r in ratios) + f"{means[-1]:8.3f}{said}", flush=True)
    print(f"geometric mean over models {geometric_mean(means):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench/overlay", help="folder for graphs and programs (default build/bench/overlay)")
    parser.add_argument("--graphs", default=[g for g in GRAPHS if g not in ("RE", "AP")], type=lambda t: t.split(","),
                        help=f"some of {','.join(cells.GRAPHS)} (default: without RE and AP, as the paper's means seem to be)")
    parser.add_argument("--models", default=MODELS, type=lambda t: t.split(","), help="some of b1 .. b8")
    parser.add_argument("--memory", default="shared:77", help="as gnnc's --memory")
    options = parser.parse_args()
    bench = Overlay(options.bin, options.out)
    for title in FIGURES:
        print_figure(bench, options, title)


if __name__ == "__main__":
    main()
