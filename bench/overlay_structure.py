"""T_LoH on graphs with structure over that on a uniform graph of the same size: real graphs of --shared, R-MAT and power law of the paper's sizes."""
import json
import os
import struct
import sys

import overlay_cells as cells
from overlay_bench import Failed, Overlay, run, run_jobs
from overlay_cells import geometric_mean

MODELS = ["b1", "b2", "b6", "b8"]
REAL = {"cora": "cora", "citeseer": "citeseer", "pubmed": "pubmed_structure", "photo": "amazon_photo", "enron": "email_enron", "epinions": "soc_epinions1",
        "twitter": "ego_twitter", "notredame": "web_notredame"}
REAL_FEATURES, REAL_CLASSES = 64, 16  # of real graphs, whose own features differ or are missing
SHAPES = [*REAL, *(f"{g}-{kind}" for g in ("CI", "PU", "FL") for kind in ("rmat", "power-law")), "RE-rmat"]
MEAN_GATE, WORST_GATE = 1.25, 1.6  # of the ratios
COLUMNS = {"sparse": ["--features=auto"], "broadcast": ["--features=auto", "--device-set=has_broadcast=true"]}


def shape_of(path):
    """(nodes, edges) of a graph's file."""
    with open(path, "rb") as f:
        about = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
    return int(about["__metadata__"]["num_nodes"]), about["edge_index"]["shape"][1]


class Structured(Overlay):
    """Graphs by name: "enron" and "CI-rmat", and "enron/uniform", "CI-rmat/uniform" of the same sizes."""

    def __init__(self, options):
        super().__init__(options.bin, options.out)
        self.shared = options.shared

    def sizes(self, name):
        """(nodes, edges, options of gnn-data for the features, columns, classes)"""
        if name in REAL:
            return *shape_of(f"{self.shared}/data/graphs/{REAL[name]}.safetensors"), [f"--features={REAL_FEATURES}"], REAL_FEATURES, REAL_CLASSES
        nodes, edges, features, classes, stored = cells.SIZES[name.partition("-")[0]]
        return nodes, edges, [f"--features={features}", f"--density={stored / (nodes * features) if stored else 1:.9f}"], features, classes

    def graph(self, name):
        base, _, is_uniform = name.partition("/")
        kind = "uniform" if is_uniform else base.partition("-")[2]
        nodes, edges, x, *_ = self.sizes(base)
        if not kind:
            path = f"{self.out}/{base}.real.safetensors"
            if not os.path.exists(path):
                copy_edges(f"{self.shared}/data/graphs/{REAL[base]}.safetensors", path, nodes, REAL_FEATURES)
            return path
        path = f"{self.out}/{base}.{kind}.safetensors"
        if not os.path.exists(path):
            run([f"{self.bin}/gnn-data", "generate", f"--kind={kind}", "--seed=1", f"--nodes={nodes}", f"--edges={edges}", "--no-self-loops", *x, "-o", path])
        return path

    def dims(self, graph):
        *_, features, classes = self.sizes(graph.partition("/")[0])
        return [f"--dim=F={features}", f"--dim=C={classes}"]

    def weights(self, model, graph):
        return super().weights(model, graph.partition("/")[0])


def copy_edges(source, target, nodes, features):
    """A graph's file with its edges, and input features that are all 1."""
    with open(source, "rb") as f:
        size = struct.unpack("<Q", f.read(8))[0]
        about = json.loads(f.read(size))
        begin, end = about["edge_index"]["data_offsets"]
        f.seek(8 + size + begin)
        data = f.read(end - begin)
    head = json.dumps({"__metadata__": {"format": "lab-graph-1", "num_nodes": str(nodes)},
                       "edge_index": {**about["edge_index"], "data_offsets": [0, len(data)]},
                       "x": {"dtype": "F32", "shape": [nodes, features], "data_offsets": [len(data), len(data) + 4 * nodes * features]}})
    head += " " * (-len(head) % 8)
    with open(target, "wb") as f:
        f.write(struct.pack("<Q", len(head)) + head.encode() + data)
        row = struct.pack("<f", 1) * features
        f.writelines(row for _ in range(nodes))


def times(bench, model, graph, flags, levels):
    """{level: ms}"""
    bench.compile(model, graph, flags, has_data=True)
    return {level: bench.simulate(level)["ms"] for level in levels}


def print_structure(report, options):
    """A table: each graph a row, each model and column a cell with a ratio per level."""
    bench = Structured(options)
    models = [m for m in MODELS if m in options.models]
    report.say("## Graphs with structure")
    report.say()
    report.say(f"T_LoH over that of the same program on a uniform graph with as many nodes and edges, at {' / '.join(options.levels)}. Real graphs have {REAL_FEATURES} dense features "
               f"and {REAL_CLASSES} classes here; CI, PU, FL and RE their own. Hubs, hot banks and uneven PEs cost time; locality saves loads.")
    report.say()
    for name in options.structured:  # files first: they are made one at a time
        for graph in (name, f"{name}/uniform"):
            bench.graph(graph)
        for model in models:
            bench.weights(model, name)
    programs = [(name, column, model) for name in options.structured for column in COLUMNS for model in models]

    def measure(program):
        name, column, model = program
        try:
            ours, uniform = (times(bench, model, g, COLUMNS[column], options.levels) for g in (name, f"{name}/uniform"))
            found = [ours[level] / uniform[level] for level in options.levels]
        except Failed as error:
            found = None
            print(f"FAILED {model}/{name}: {str(error)[:600]}", file=sys.stderr, flush=True)
        print(f"  {name} {model} {column}: {found}", file=sys.stderr, flush=True)
        return found
    ratios = dict(zip(programs, run_jobs(options.jobs, measure, programs)))
    report.failed += [f"structure {model}/{name}" for (name, _, model), found in ratios.items() if not found]
    rows = [[name, *(" / ".join(f"{r:.2f}" for r in ratios[name, column, model]) if ratios[name, column, model] else "failed" for column in COLUMNS for model in models)]
            for name in options.structured]
    report.table(["", *(f"{m} {column}" for column in COLUMNS for m in models)], rows)
    for column in COLUMNS:
        found = [r for (_, c, _), r in ratios.items() if c == column and r]
        mean, worst = geometric_mean(r[0] for r in found), max(r[0] for r in found)
        report.gate(f"structure, {column}", mean <= MEAN_GATE and worst <= WORST_GATE,
                    f"geometric mean {mean:.3f}, at most {MEAN_GATE}; worst {worst:.2f}, at most {WORST_GATE} ({options.levels[0]})")
        report.say(f"* {column}: geometric mean " + " / ".join(f"{geometric_mean(r[i] for r in found):.3f}" for i in range(len(options.levels)))
                   + ", worst " + " / ".join(f"{max(r[i] for r in found):.2f}" for i in range(len(options.levels))))
    report.say()
