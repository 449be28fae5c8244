"""gnn-train --cells: a training has the same bits on any number of ranks, threads or processes, and an interrupted one goes on with another number.

    python3 train_ranks.py [--bin build/bin] [--graphs karate,typed,aifb_typed,mutag_tu,cora] [--models gcn,...] [--ranks 1,2,3,5,8] [--processes 2,3] [--epochs 20] [--shared ../shared]

Each model is trained, those of karate and cora with dropout, on cells by METIS (without it by one pass over the nodes) and on random cells, the worst cut. Compared are the bytes of the weights
and, line by line, losses and metrics of --curve; processes have the random cells alone; the loss of the first epoch is near that of a training without --cells, whose sums are cut otherwise. The karate club of
examples/karate is always trained, and a generated graph with types: there gradients are sums over edges (gatv2), by type of edges (rgcn, rgat), with means whose divisors ranks exchange (rgcn, rgcn_basis), and by type of nodes (hgt); its models have
input features, and a loss, where the example has not; hgt_trained, rgat_trained and rgcn_trained train a row for each node, as the examples of hgt and rgcn do, and start again from weights of other ranks; gin_graph pools the graphs of a batch,
whose random cells have whole graphs. Cora, AIFB and MUTAG lie in --shared, $GNNC_SHARED, or the folder shared beside the checkout. Without mpirun, or the module for it, its runs are
skipped. The last line is "N passed, N failed, N skipped".
"""
import argparse
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from programs import ROOT, Failed, Tools
from ranks import MPI, POOLING, call_mpirun, make_cells, scatter

from safetensors import read

INPUTS = (os.path.join(ROOT, "examples", "karate", "karate.txt"), os.path.join(ROOT, "test", "lit", "gnn-train", "Inputs", "val.txt"))
DIMS = {"karate": {"gcn": "H=16,C=2", "gat": "H=2,D=8,C=2", "sage": "H=16,C=2"},
        "typed": {"gatv2": "H=2,D=4,C=3", "rgcn": "H=8,C=3", "rgcn_basis": "H=8,C=3", "rgat": "H=2,D=4,C=3", "hgt": "H=2,D=4,C=3", "first": "H=4,C=3", "edge_degrees": "C=3",
                  "hgt_trained": "F=8,H=2,D=4,C=3", "rgat_trained": "F=5,H=2,D=4,C=3", "rgcn_trained": "F=6,H=8,C=3"},
        "aifb_typed": {"hgt_trained": "F=16,H=2,D=8,C=4"},
        "mutag_tu": {"gin_graph": "H=8,C=2"},
        "cora": {"gcn": "H=16,C=7", "gat": "H=8,D=8,C=7", "sage": "H=16,C=7"}}
CELLS = {"karate": 16, "typed": 16, "aifb_typed": 64, "mutag_tu": 64, "cora": 64}
TYPED = "--kind=uniform --nodes=200 --edges=1200 --features=8 --classes=3 --edge-types=4 --node-types=3 --seed=2".split()
# Models that are no examples: gradients of the values of a node's edges that come first, or in the middle, flow to the sources; edges that are weighted by numbers of edges into nodes
MODELS = {"first": """  weight W : f32[F, H] init glorot;
  weight U : f32[3 * H, C] init glorot;
  let h = x @ W;
  for n in g.nodes { n.k = relu(sum(e in n.incoming: e.src.h)); }
  for n in g.nodes { n.last = first(3, e in n.incoming by -e.src.k[0]: e.src.k); }
  for n in g.nodes { n.middle = median(e in n.incoming: e.src.k * n.h); }
  output logits = reshape(n.last, [3 * H]) @ U + n.middle[0];
""", "edge_degrees": """  weight W : f32[F, C] init glorot;
  let h = x @ W;
  for e in g.edges { e.c = 1 / (e.dst.in_degree + e.dst.in_degree[e.type]); e.m = e.c * relu(e.src.h); }
  for n in g.nodes { n.a = sum(e in n.incoming: e.m); n.b = sum(e in n.outgoing: e.c * e.dst.h); }
  output logits = n.a + n.b;
"""}
PROBE = "  loss probe = sum_all(logits * logits) / num_rows(logits);\n}\n"
FLAGS = "-std=c17 -ffp-contract=fast -fno-math-errno -O2 -march=native -fopenmp-simd -DGNNC_OPENMP_SIMD -shared -fPIC".split()  # as gnn-train, but for -O3
NEAR = 1e-5  # of the losses of the first epoch with and without cells


def model_text(model):
    """An example with input features in the place of trained ones, but for NAME_trained, a number of bases, and a loss."""
    if model in MODELS:
        dims = "C" if model == "edge_degrees" else "H, C"
        text = f"model {model} {{\n  graph g;\n  dim {dims};\n  input x : node f32[F];\n{MODELS[model]}}}\n"
        return text.removesuffix("}\n") + PROBE
    name = model.removesuffix("_trained")
    with open(os.path.join(ROOT, "examples", f"{name}.gnn"), encoding="utf-8") as file:
        text = re.sub(r' from "node_emb.weight"( trained init normal\(1\))?', ' from "node_emb.weight" trained init normal(1)' if name != model else "", file.read())
    if model == "hgt_trained":
        text = text.replace("(g, x,", "(g, dropout(x, 0.3),")
    text = re.sub(r"(rgcn_basis_conv\([^)]*)\)", r"\1, bases = 2)", text)
    return text if "loss " in text else text.rstrip().removesuffix("}") + PROBE


class Difference(Exception):
    """Ranks learn something else."""


class Trainer:
    """Trains one program on one graph; the file of each result is new."""

    def __init__(self, tools, programs, folder, graph, model, dims):
        self.gnn_train, self.folder, self.graph, self.call = os.path.join(os.path.abspath(programs), "gnn-train"), folder, graph, tools.call
        name = f"{os.path.basename(graph)}.{model}"
        text, source, self.program = (os.path.join(folder, f"{name}.{ending}") for ending in ("gnn", "c", "so"))
        with open(text, "w", encoding="utf-8") as file:
            file.write(model_text(model))
        self.call([tools.gnnc, "--target=c", "--train", "--ranks", text, f"--graph={graph}", *(f"--dim={dim}" for dim in dims.split(",")), "-o", source])
        self.call([os.environ.get("CC") or "cc", *FLAGS, source, "-o", self.program, "-lm"])

    def path(self, name):
        return os.path.join(self.folder, name)

    def train(self, epochs, cells=None, ranks=1, has_mpi=False, options=()):
        """Returns the bytes of the weights and the lines of the curve, without times."""
        weights, curve = self.path("weights.safetensors"), self.path("curve.csv")
        for path in (weights, curve):
            if os.path.exists(path):
                os.unlink(path)
        command = [self.gnn_train, self.program, f"--graph={self.graph}", f"--epochs={epochs}", "--seed=3", "-o", weights, f"--curve={curve}", *options]
        if cells:
            command += [f"--cells={cells}"]
        if cells and not has_mpi:
            command += [f"--local-ranks={ranks}"]
        if has_mpi:
            call_mpirun(self.call, ranks, command)
        else:
            self.call(command)
        with open(weights, "rb") as found, open(curve, encoding="utf-8") as lines:
            return found.read(), [line.rsplit(",", 1)[0] for line in lines.read().splitlines()]


def check_same(found, expected, what):
    for line, other in zip(found[1], expected[1]):
        if line != other:
            raise Difference(f"{what}: the curve has '{line}', expected '{other}'")
    if len(found[1]) != len(expected[1]):
        raise Difference(f"{what}: the curve has {len(found[1])} lines, expected {len(expected[1])}")
    if found[0] != expected[0]:
        raise Difference(f"{what}: the weights differ")


def first_loss(result):
    return float(result[1][1].split(",")[1])


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, what, function, *arguments):
        try:
            runs = function(*arguments)
            self.passed += runs
            print(f"ok     {what}: {runs} runs", flush=True)
        except (Failed, Difference) as error:
            self.failed += 1
            print(f"FAILED {what}: {error}", flush=True)


def check_ranks(t, options, cells, whole, processes):
    """Compares all numbers of ranks, in turns with one thread each and two."""
    expected = t.train(options.epochs, cells)
    near = abs(first_loss(expected) - first_loss(whole)) / abs(first_loss(whole))
    if not near <= NEAR:
        raise Difference(f"the first loss is {first_loss(expected)}, without cells {first_loss(whole)}")
    losses = [float(line.split(",")[1]) for line in expected[1][1:]]
    if len(losses) != options.epochs or not all(math.isfinite(loss) for loss in losses) or len(set(losses)) < len(losses) // 2:
        raise Difference(f"the losses are {losses}")
    for i, ranks in enumerate(options.ranks):
        check_same(t.train(options.epochs, cells, ranks, options=[f"--threads={2 - i % 2}"]), expected, f"{ranks} ranks")
    for ranks in processes:
        check_same(t.train(options.epochs, cells, ranks, True), expected, f"{ranks} processes")
    disk = options.ranks[-1]
    check_same(t.train(options.epochs, cells, disk, options=[f"--from-disk={t.folder}"]), expected, f"{disk} ranks from disk")
    return len(options.ranks) + len(processes) + 2


def check_resume(t, options, cells):
    """Interrupts at several epochs; the number of ranks changes each time, and threads become processes where there are any."""
    checkpoint, done, runs = t.path("checkpoint.safetensors"), options.epochs // 4, 0
    expected = t.train(options.epochs, cells)
    for ranks, others in ((3, 1), (5, 2), (2, 8)):
        t.train(done, cells, ranks, options=[f"--checkpoint={checkpoint}", "--every=2"])
        runs += 1
        for has_mpi in (False, True) if options.processes and others <= max(options.processes) else (False,):
            found = t.train(options.epochs, cells, others, has_mpi, [f"--resume={checkpoint}"])
            check_same(found, expected, f"{ranks} ranks, from epoch {done} on {others}{' processes' if has_mpi else ''}")
            runs += 1
        done += 3
    return runs


def check_weights(t, options, cells):
    """Starts from the weights of 3 ranks; each rank takes the rows of its part."""
    start = t.path("start.safetensors")
    t.train(2, cells, 3)
    shutil.copyfile(t.path("weights.safetensors"), start)
    runs = [t.train(options.epochs // 4, cells, ranks, options=[f"--weights={start}"]) for ranks in (1, 2, 5)]
    for ranks, found in zip((2, 5), runs[1:]):
        check_same(found, runs[0], f"{ranks} ranks from the weights of 3")
    return len(runs) + 1


def train_graph(tools, options, folder, counts, name, graph):
    near, far = make_cells(tools, graph, folder, CELLS[name])
    if POOLING & set(DIMS[name]):
        scatter(tools, graph, far, random.Random(CELLS[name]), CELLS[name], read(graph)[0]["batch"].data)
    for model in (m for m in DIMS[name] if m in options.models):
        try:
            t = Trainer(tools, options.bin, folder, graph, model, DIMS[name][model])
            whole = t.train(1)
        except Failed as error:
            counts.failed += 1
            print(f"FAILED {name} {model}: {error}", flush=True)
            continue
        for cut, cells, processes in (("near", near, []), ("random", far, options.processes)):
            counts.check(f"{name} {model}, {cut} cells", check_ranks, t, options, cells, whole, processes)
        if name == "karate" or model.endswith("_trained"):
            counts.check(f"{name} {model}, interrupted", check_resume, t, options, far)
        if model.endswith("_trained"):
            counts.check(f"{name} {model}, from weights", check_weights, t, options, far)


def has_mpirun(programs):
    """Whether two processes can be started that are two ranks."""
    if not shutil.which("mpirun"):
        return False
    with tempfile.TemporaryDirectory(prefix="gnnc-train-ranks-") as folder:
        done = subprocess.run(["mpirun", "--mca", "orte_tmpdir_base", folder, "-n", "2", "true"], capture_output=True, cwd=folder, check=False)
    module = os.environ.get("GNNC_MPI_MODULE") or os.path.join(programs, "..", "lib", "gnnc_mpi.so")
    return done.returncode == 0 and os.path.exists(module)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-train are")
    parser.add_argument("--graphs", type=lambda t: t.split(","), default=list(CELLS))
    parser.add_argument("--models", type=lambda t: t.split(","), default=sorted({model for models in DIMS.values() for model in models}))
    parser.add_argument("--ranks", type=lambda t: [int(n) for n in t.split(",")], default=[1, 2, 3, 5, 8])
    parser.add_argument("--processes", type=lambda t: [int(n) for n in t.split(",")], default=[2, 3])
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, counts = Tools(options.bin), Counts()
    os.environ.update({name: os.environ.get(name, value) for name, value in MPI.items()})
    if options.processes and not has_mpirun(options.bin):
        counts.skipped += sum(m in options.models for name in options.graphs for m in DIMS[name]) * len(options.processes)
        options.processes = []
        print("no mpirun, or no module for it: its runs were left out")
    with tempfile.TemporaryDirectory(prefix="gnnc-train-ranks-") as folder:
        for name in options.graphs:
            graph = os.path.join(options.shared, "data", "graphs", f"{name}.safetensors")
            if name == "karate":
                text, graph = (os.path.join(folder, f"karate.{ending}") for ending in ("txt", "safetensors"))
                with open(text, "w", encoding="utf-8") as file:
                    file.write("".join(open(part, encoding="utf-8").read() for part in INPUTS))
                tools.call([tools.gnn_data, "convert", text, "-o", graph])
            if name == "typed":
                graph = os.path.join(folder, "typed.safetensors")
                tools.call([tools.gnn_data, "generate", *TYPED, "-o", graph])
            if not os.path.exists(graph):
                counts.skipped += 2 * len(DIMS[name])
                print(f"no {graph}: its models were left out")
                continue
            train_graph(tools, options, folder, counts, name, graph)
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    sys.exit(1 if counts.failed else 0)


if __name__ == "__main__":
    main()
