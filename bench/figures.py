#!/usr/bin/env python3
"""GraphAGILE's Figures 14 to 16, and the same for each further optimisation, switched off alone: python3 bench/figures.py [--write]

Figure 14: the order of Aggregate and Linear; 15: fusion of activations and batch norm; 16: overlap of loads and computation. Prints T(off) / T(on) for b1 .. b8 on the
device with 77 GB/s (--memory), beside the paper's average; then the same, in short, for each further optimisation where it applies.
The paper's percentages are means of T(off) / T(on) - 1 in Figures 14 and 15 and of T(off) / T(on) in Figure 16. --write: docs/figures.md.
"""
import dataclasses
import datetime
import os
import re

import overlay_cells as cells
import tensors
from overlay_bench import ROOT, Overlay, parser_of, run, run_jobs, with_switch, write_page
from overlay_cells import MODELS, geometric_mean

DENSE, AUTO = ["--features=dense"], ["--features=auto"]
BROADCAST, PACKED = [*AUTO, "--device-set=has_broadcast=true"], [*AUTO, "--device-set=has_packed_edges=true"]
RING, RING_NODES, REACH, RING_FEATURES = "ring", 200000, 2, 64
TYPED = {"rgcn": "aifb", "rgat": "aifb", "hgt": "aifb_typed"}


@dataclasses.dataclass
class Figure:
    """One optimisation: how it is switched off - a switch of gnnc, other options, or an option of a pass - and where."""
    title: str
    off: str = ""  # -fno-NAME
    on: list = dataclasses.field(default_factory=lambda: DENSE)
    instead: list = None  # options without it
    edit: tuple = None  # pass, option of it
    paper: list = None  # the paper's mean of T(off) / T(on) per model
    other: dict = dataclasses.field(default_factory=dict)  # models that differ
    models: list = None
    graphs: list = None


FIGURES = [
    Figure("Figure 14, order of Aggregate and Linear", "order", paper=[1.82, 1.096, 1.099, 1.063, 1.013, 2.21, 3.60, 1.0],
           other={"b1": "b1_unordered", "b2": "b2_unordered"}),
    Figure("Figure 15, fusion of activations", "fuse-activation", paper=[1.081, 1.060, 1.055, 1.052, 1.073, 1.074, 1.047, 1.082]),
    Figure("Figure 16, overlap", "overlap", paper=[1.86, 1.34, 1.53, 1.37, 1.12, 1.48, 1.58, 1.23]),
]
FURTHER = [
    Figure("empty subshards left out", "skip-empty"),
    Figure("the same on a ring", "skip-empty", graphs=[RING]),
    Figure("balance over PEs", "balance", on=AUTO),
    Figure("order to the fixpoint, against one exchange", edit=("gnn-order", "max-iterations=1"), models=["b1", "b2", "b5", "b7"],
           other={"b1": "b1_unordered", "b2": "b2_unordered"}),
    Figure("sparse features", instead=DENSE, on=AUTO, graphs=["CI", "CO", "PU"]),
    Figure("attention split into two vectors", "split-attention", models=["b6"], other={"b6": "b6_joined"}, on=AUTO),
    Figure("values and denominators of attention made where they are used", "fuse-attention", models=["b6"], on=AUTO),
    Figure("products made in the blocks of their sums", "fuse-product", on=BROADCAST),
    Figure("division after the sum", edit=("gnn-to-device", "divide-later=false"), models=["b6"], on=AUTO),
    Figure("products that share their operand as one", edit=("gnn-to-device", "merge=false"), models=["b3", "b4"], on=AUTO),
    Figure("broadcast", "broadcast", on=BROADCAST),
    Figure("packed edges", "packed-edges", on=PACKED),
    Figure("typed: rows per pair of type and node", "compact", on=[], models=list(TYPED), graphs=[""]),
    Figure("typed: weights multiplied in advance", "fuse-linear", on=[], models=list(TYPED), graphs=[""]),
    Figure("typed: sums before weights of types", "aggregate-first", on=[], models=list(TYPED), graphs=[""]),
]


class Figures(Overlay):
    """Cells of the overlay's tables, typed models on the data of --shared, and a ring; times are kept."""

    def __init__(self, options):
        super().__init__(options.bin, options.out)
        self.options, self.known = options, {}

    def graph(self, name):
        if name != RING:
            return super().graph(name)
        path = f"{self.out}/{RING}.safetensors"
        if not os.path.exists(path):
            tensors.write_ring(path, RING_NODES, REACH, RING_FEATURES)
        return path

    def dims(self, graph):
        return [f"--dim=F={RING_FEATURES}", "--dim=C=8"] if graph == RING else super().dims(graph)

    def weights(self, model, graph):
        return f"{self.options.shared}/data/weights/{TYPED[model]}_{model}.safetensors" if model in TYPED else super().weights(model, graph)

    def command(self, model, graph, flags):
        if model not in TYPED:
            return super().command(model, graph, flags)
        return [f"{self.bin}/gnnc", f"{ROOT}/examples/{model}.gnn", f"--graph={self.options.shared}/data/graphs/{TYPED[model]}.safetensors", *flags]

    def passes(self, model, graph, flags, edit):
        """The pipeline of a program, with an option of one pass changed."""
        said = run([*self.command(model, graph, flags), "--print-pipeline"])[0].strip()
        name, option = edit
        return re.sub(rf"\b{name}(?:\{{([^}}]*)\}})?", lambda m: f"{name}{{{(m[1] + ' ') if m[1] else ''}{option}}}", said)

    def known_time(self, model, graph, flags):
        """Milliseconds; each program once."""
        key = (model, graph, *flags)
        if key not in self.known:
            self.known[key] = self.time(model, graph, [*flags, f"--memory={self.options.memory}"], self.options.level, has_data=self.options.level != "L0")
        return self.known[key]

    def prepare(self, model, graph):
        """Makes the files of a cell, which programs that run side by side share."""
        if graph:
            self.graph(graph)
            self.weights(model, graph)

    def ratios(self, figure, models, graphs):
        """{(model, graph): T(off) / T(on)}, several programs at once."""
        for graph in graphs:
            for model in models:
                self.prepare(figure.other.get(model, model), graph)
        cells_of = [(m, g) for m in models for g in graphs]
        return dict(zip(cells_of, run_jobs(self.options.jobs, lambda c: self.ratio(figure, *c), cells_of)))

    def ratio(self, figure, model, graph):
        """T(off) / T(on)."""
        name = figure.other.get(model, model)
        if figure.edit:
            off = [*figure.on, f"--pass-pipeline={self.passes(name, graph, figure.on, figure.edit)}"]
        else:
            off = figure.instead if figure.instead is not None else with_switch(figure.on, figure.off)
        return self.known_time(name, graph, off) / self.known_time(name, graph, figure.on)


def how(figure):
    """The options that make the difference, as a reader would type them."""
    if figure.edit:
        off = f"`{figure.edit[0]}{{{figure.edit[1]}}}`"
    else:
        off = f"`-fno-{figure.off}`" if figure.off else f"`{' '.join(figure.instead)}`"
    return f"{off}, else `{' '.join(figure.on)}`" if figure.on else off


def table(say, head, rows):
    for row in (head, ["---"] * len(head), *rows):
        say("| " + " | ".join(row) + " |")
    say("")


def print_figure(bench, figure, graphs, models, say):
    say(f"## {figure.title}")
    say("")
    say(f"T(off) / T(on); off is {how(figure)}.")
    say("")
    rows, means, measured = [], {}, bench.ratios(figure, models, graphs)
    for model in models:
        ratios = [measured[model, g] for g in graphs]
        means[model] = sum(ratios) / len(ratios)
        rows.append([model, *(f"{r:.3f}" for r in ratios), f"**{means[model]:.3f}**", f"{figure.paper[MODELS.index(model)]:.3f}"])
    table(say, ["", *graphs, "mean", "the paper's mean"], rows)
    if len(means) > 2:
        say(f"{judge(figure, means)} Geometric mean over models: {geometric_mean(means.values()):.3f}, the paper's "
            f"{geometric_mean(figure.paper[MODELS.index(m)] for m in means):.3f}.")
        say("")


def judge(figure, means):
    """Direction and rank of our means against the paper's."""
    models = list(means)
    theirs = {m: figure.paper[MODELS.index(m)] for m in models}
    against = [m for m in models if theirs[m] > 1.005 and means[m] < 0.995]
    idle = [m for m in models if theirs[m] > 1.005 and 0.995 <= means[m] <= 1.005]

    def ranks(values):
        ordered = sorted(models, key=lambda m: values[m])
        return {m: ordered.index(m) for m in models}
    a, b, n = ranks(means), ranks(theirs), len(models)
    spearman = 1 - 6 * sum((a[m] - b[m])**2 for m in models) / (n * (n * n - 1))
    said = "Direction: " + (f"against the paper's for {', '.join(against)}" if against else "nowhere against the paper's")
    said += f"; {', '.join(idle)} change by less than 0.5 %." if idle else "."
    return f"{said} Rank correlation of the means: {spearman:.2f}."


def print_further(bench, options, say):
    say("## Each of the others")
    say("")
    say("Geometric means of T(off) / T(on) over the models, per graph and over all.")
    say("")
    graphs = options.graphs
    rows = []
    for figure in FURTHER:
        models = [m for m in figure.models or options.models if m in TYPED or m in options.models]
        wanted = [g for g in figure.graphs or graphs if g in (RING, "") or g in graphs]
        if not models or not wanted or (set(models) & set(TYPED) and not os.path.isdir(f"{options.shared}/data/graphs")):
            continue
        ratios = bench.ratios(figure, models, wanted)
        if set(models) & set(TYPED):
            each = ", ".join(f"{m} {ratios[m, '']:.3f}" for m in models)
        else:
            each = ", ".join(f"{g} {geometric_mean(ratios[m, g] for m in models):.3f}" for g in wanted)
        print(f"  {figure.title}: " + ", ".join(f"{m}/{g} {r:.3f}" for (m, g), r in ratios.items()), flush=True)
        rows.append([figure.title, how(figure), "b1 .. b8" if models == MODELS else ", ".join(models), each, f"**{geometric_mean(ratios.values()):.3f}**"])
    table(say, ["", "off", "models", "per graph, or model", "all"], rows)


def main():
    parser = parser_of(__doc__, [g for g in cells.GRAPHS if g not in ("RE", "AP")])  # as the paper's means seem to be
    parser.add_argument("--memory", default="shared:77", help="as gnnc's --memory (default shared:77)")
    parser.add_argument("--level", default="L1", choices=["L0", "L1"], help="fidelity; L1 needs edges in the programs (default L1)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder of real graphs and weights, for the typed models")
    parser.add_argument("--write", action="store_true", help="write docs/figures.md")
    options = parser.parse_args()
    bench, lines = Figures(options), []

    def say(line):
        print(line, flush=True)
        lines.append(line)
    say("# What each optimisation of the overlay is worth")
    say("")
    given = f" --graphs={','.join(options.graphs)}" + (f" --models={','.join(options.models)}" if options.models != MODELS else "")
    say(f"Made on {datetime.date.today()} by `python3 bench/figures.py{given} --memory={options.memory} --level={options.level}`, which prints it again. T_LoH of the program without "
        f"one optimisation over that of the program with all; above 1 it pays. Device: the Alveo U250 with {options.memory.replace('shared:', '')} GB/s that all PEs share; fidelity "
        f"{options.level}; graphs of the paper's sizes with uniform edges.")
    say("")
    for figure in FIGURES:
        print_figure(bench, figure, options.graphs, options.models, say)
    print_further(bench, options, say)
    if options.write:
        write_page(f"{ROOT}/docs/figures.md", lines)


if __name__ == "__main__":
    main()
