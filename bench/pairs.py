#!/usr/bin/env python3
"""Inference time of two builds, of two numbers of threads, or with and without an option, in alternating pairs: python3 bench/pairs.py --base-threads=1

Each cell of bench.py is compiled once for either side. Then processes of the two sides alternate, each the median of its runs; a pair's ratio is ours / the
base's, and the median of the ratios counts. --base is a folder of older programs (default: the same ones). Prints a line for each cell, the median and the
geometric mean of the cells, the worst and the best.
"""
import os
import re
import statistics

import cells
import tensors
from inputs import HOMOGENEOUS, RELATIONAL, ROOT, Inputs, parser_of, run
from overlay_cells import geometric_mean


class Side:
    """One build and its number of threads."""

    def __init__(self, name, bin_folder, threads, flags, options):
        self.bin, self.threads, self.flags, self.options = bin_folder, threads, flags, options
        self.stem = f"{options.out}/pairs.{name}"

    def compile(self, model, graph, dims):
        run([f"{self.bin}/gnnc", "--target=c", f"{ROOT}/bench/models/{model}.gnn", "--graph", graph, *dims, "-O3", *self.flags, "-o", f"{self.stem}.c"])
        tensors.write_weights(f"{self.stem}.weights.safetensors", f"{self.stem}.json")
        self.files = ["--graph", graph, "--weights", f"{self.stem}.weights.safetensors", f"--threads={self.threads}"]
        run([f"{self.bin}/gnn-run", f"{self.stem}.c", *self.files, f"--save-library={self.stem}.so"])

    def median_ms(self, repeat):
        said = run([f"{self.bin}/gnn-run", f"{self.stem}.so", *self.files, f"--repeat={repeat}"])
        return float(re.search(r"run: ([0-9.]+) ms", said).group(1))


def measure(ours, base, model, graph, dims):
    """(the base's median ms, median ratio) of one cell. Processes of a short cell run it more often."""
    for side in (ours, base):
        side.compile(model, graph, dims)
    options = ours.options
    repeat = max(3, min(100, int(options.milliseconds / base.median_ms(3))))
    times, ratios = [], []
    for number in range(options.pairs):
        order = (ours, base) if number % 2 else (base, ours)
        found = {side: side.median_ms(repeat) for side in order}
        times.append(found[base])
        ratios.append(found[ours] / found[base])
    return statistics.median(times), statistics.median(ratios)


def wanted_cells(options):
    """(graph, its file, model, options of gnnc) of each cell whose data are there."""
    inputs = Inputs(options)
    for name in options.graphs:
        is_typed = name in cells.TYPED_GRAPHS
        path = inputs.typed_graph(name) if is_typed else inputs.graph(name)
        if path is None:
            print(f"{name}: skipped, no shared data")
            continue
        for model in options.models:
            if model in (RELATIONAL if is_typed else HOMOGENEOUS):
                yield name, path, model, [] if is_typed else [f"--dim=C={cells.GRAPHS[name][4]}"]


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--base", help="folder of the programs to compare with (default: those of --bin)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--base-threads", type=int, default=2)
    parser.add_argument("--flag", action="append", default=[], help="a further option of gnnc for our side alone, e.g. --flag=-fbf16-rows")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--milliseconds", type=float, default=200, help="of runs per process, about (default 200; 3 to 100 runs)")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    ours, base = (Side("ours", options.bin, options.threads, options.flag, options),
                  Side("base", options.base or options.bin, options.base_threads, [], options))
    ratios = {}
    for name, path, model, dims in wanted_cells(options):
        ms, ratio = measure(ours, base, model, path, dims)
        ratios[f"{name}/{model}"] = ratio
        print(f"{name:12} {model:5} base {ms:10.3f} ms, ours / base {ratio:.3f}", flush=True)
    if ratios:
        worst, best = max(ratios, key=ratios.get), min(ratios, key=ratios.get)
        print(f"{len(ratios)} cells, {options.pairs} pairs each: median {statistics.median(ratios.values()):.3f}, geometric mean {geometric_mean(ratios.values()):.3f}, "
              f"worst {ratios[worst]:.3f} ({worst}), best {ratios[best]:.3f} ({best}); above 1.05: {sum(r > 1.05 for r in ratios.values())}")


if __name__ == "__main__":
    main()
