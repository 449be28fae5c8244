#!/usr/bin/env python3
"""One and two ranks measured, and more of them by a model: python3 bench/ranks.py

GCN and GAT of two layers (features -> 64 -> 32; GAT with 8 heads of 8, then one) run on a generated graph and on real ones (--shared), one thread per rank. In turn run: a
program without --ranks, the same with --ranks alone, one and two ranks as threads, one and two as processes of mpirun where it is there, and two threads without ranks. Medians
of paired ratios count. Outputs are compared byte by byte, and received bytes with ghosts * bytes of a row, where the ghosts are counted here from the edges and the cells.

The model (its columns say so) takes the rates of kernels over edges and of products from the profile of the program without ranks, in the same run:
    compute = max over ranks (edges / rate of edges + rows * FLOPs / rate of products)
    time    = max over ranks (compute + what of bytes / B + neighbours * latency the edges of interior nodes do not hide), layer by layer.
A second table gives each rank --cores cores, which share the work without loss: faster ranks wait longer for the network.
For ranks as threads an exchange is two copies at the rate of memcpy. The gates: --ranks alone costs at most 2 %, the model is within 20 % of one and two ranks.

Overlap: two ranks as threads run with --trace, with and without --exchange-delay=1000. By how much less than the delay an exchange becomes longer is what its kernel over
interior rows has hidden; it is to be 0.9 of the lesser of delay and kernel.
"""
import argparse
import json
import os
import shutil
import statistics
import sys
import time

import tensors
from inputs import ROOT, run

MODELS = {
    "gcn": ('gcn_conv(g, x, 64)', 'gcn_conv(g, h, 32)'),
    "gat": ('gat_conv(g, x, 8, 8)', 'gat_conv(g, h, 1, 32)'),
}
TEXT = """model m {{
  graph g;
  input x : node f32[F];
  let h = relu({first} from "conv1");
  output y = {second} from "conv2";
}}
"""
GENERATED = "generated"
REAL = ["soc_epinions1", "web_notredame"]
FEATURES, NODES, EDGES = 128, 50000, 500000
NETWORKS = [10, 25, 100, 400]  # Gb/s
RANKS = [2, 4, 8, 16, 32, 64]
OVERHEAD, MODEL_ERROR = 1.02, 0.20
DELAY_US, HIDDEN, LEAST_US = 1000, 0.9, 100  # shorter kernels hide nothing that can be measured
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}


class Part:
    """What one rank owns and receives."""

    def __init__(self):
        self.own = self.edges = self.interior_edges = self.ghosts = 0
        self.neighbours = set()


def divide(cell, src, dst, cells, ranks):
    """The part of each rank, counted from the edges and the cells alone."""
    owner = [((c + 1) * ranks - 1) // cells for c in cell]
    parts = [Part() for _ in range(ranks)]
    in_degree, is_boundary, crossing = [0] * len(owner), bytearray(len(owner)), set()
    for rank in owner:
        parts[rank].own += 1
    for s, d in zip(src, dst):
        in_degree[d] += 1
        if owner[s] != owner[d]:
            is_boundary[d] = 1
            crossing.add(s * ranks + owner[d])
    for node, degree in enumerate(in_degree):
        parts[owner[node]].edges += degree
        if not is_boundary[node]:
            parts[owner[node]].interior_edges += degree
    for pair in crossing:
        node, rank = divmod(pair, ranks)
        parts[rank].ghosts += 1
        parts[rank].neighbours.add(owner[node])
    return parts


class Graph:
    """A graph with features, its cells, and the parts of each number of ranks."""

    def __init__(self, options, name):
        self.name, stem = name, f"{options.out}/ranks.{name}"
        self.path, self.cells_path = f"{stem}.safetensors", f"{stem}.cells.safetensors"
        if name == GENERATED:
            run([f"{options.bin}/gnn-data", "generate", "--kind=power-law", f"--nodes={NODES}", f"--edges={EDGES}", f"--features={FEATURES}", "--seed=1", "-o", self.path])
        else:
            source = f"{options.shared}/data/graphs/{name}.safetensors"
            header, _ = tensors.read_header(source)
            tensors.add_features(source, self.path, int(header["__metadata__"]["num_nodes"]), FEATURES)
        run([f"{options.bin}/gnn-data", "partition", self.path, "-o", self.cells_path])
        ends = tensors.read_integers(self.path, "edge_index")
        self.edges = len(ends) // 2
        cell = tensors.read_integers(self.cells_path, "cell")
        self.nodes, cells = len(cell), int(tensors.read_header(self.cells_path)[0]["__metadata__"]["cells"])
        self.parts = {ranks: divide(cell, ends[:self.edges], ends[self.edges:], cells, ranks) for ranks in [1] + RANKS}


def make_programs(options, graph, stem, layers, kinds):
    """Compiles a model of two layers once for each kind, {name: options of gnnc}, to libraries STEM.NAME.so. Returns the file of its weights."""
    first, second = layers
    with open(f"{stem}.gnn", "w", encoding="ascii") as f:
        f.write(TEXT.format(first=first, second=second))
    weights = f"{stem}.w.safetensors"
    for kind, flags in kinds.items():
        run([f"{options.bin}/gnnc", "--target=c", *flags, f"{stem}.gnn", "--graph", graph.path, "-o", f"{stem}.{kind}.c"])
        tensors.write_weights(weights, f"{stem}.{kind}.json")
        run([f"{options.bin}/gnn-run", f"{stem}.{kind}.c", "--graph", graph.path, "--weights", weights, f"--save-library={stem}.{kind}.so"])
    return weights


class Case:
    """A model on a graph: its programs, and the ways of running them."""

    def __init__(self, options, graph, model):
        self.options, self.graph, self.stem = options, graph, f"{options.out}/ranks.{graph.name}.{model}"
        self.weights = make_programs(options, graph, self.stem, MODELS[model], {"base": ["-O3"], "ranks": ["-O3", "--ranks"]})
        cells = ["--cells", graph.cells_path]
        self.ways = {"base": ("base", [], []), "alone": ("ranks", [], []), "1 thread": ("ranks", [], [*cells, "--local-ranks=1"]),
                     "2 threads": ("ranks", [], [*cells, "--local-ranks=2"]), "base, --threads=2": ("base", [], ["--threads=2"])}
        if options.has_mpi:
            for ranks in (1, 2):
                self.ways[f"{ranks} mpirun"] = ("ranks", ["mpirun", "-n", str(ranks)], cells)

    def files(self):
        return ["--graph", self.graph.path, "--weights", self.weights]

    def call(self, way, *more):
        kind, before, flags = self.ways[way]
        return run([*before, f"{self.options.bin}/gnn-run", f"{self.stem}.{kind}.so", *self.files(), *flags, *more])

    def statistics(self, way):
        return json.loads(self.call(way, "--stats=json", f"--repeat={self.options.repeat}"))

    def profile(self):
        """The shares of the time in kernels over edges and in products, and the FLOPs of the products."""
        said = run([f"{self.options.bin}/gnn-run", f"{self.stem}.base.c", *self.files(), "--profile", "--stats=json", f"--repeat={self.options.repeat}"])
        calls = json.loads(said)["profile"]["run"]["calls"]
        total = sum(c["ms"] for c in calls)
        products = [c for c in calls if c["function"].startswith("gemm")]
        share = sum(c["ms"] for c in products) / total
        return 1 - share, share, sum(c["flops"] or 0 for c in products)

    def least_ms(self):
        """The least time of one process: of many runs, some of which have a busy host for themselves."""
        return min(json.loads(self.call("base", "--stats=json", f"--repeat={self.options.least}"))["shortest_ms"] for _ in range(3))

    def exchanges(self, delay):
        """{(rank, value): [(microseconds of an exchange, of the kernel over interior rows in it)]} of two ranks as threads, by their timeline."""
        path, found = f"{self.stem}.trace.json", {}
        run([f"{self.options.bin}/gnn-run", f"{self.stem}.ranks.c", *self.files(), "--cells", self.graph.cells_path, "--local-ranks=2", f"--trace={path}",
             f"--repeat={self.options.least}", *([f"--exchange-delay={delay}"] if delay else [])])
        with open(path, encoding="utf-8") as f:
            events = [e for e in json.load(f)["traceEvents"] if e["ph"] == "X" and e["cat"] == "run"]
        for rank in (0, 1):
            track = sorted((e for e in events if e["tid"] == rank), key=lambda e: e["ts"])
            kernels = iter([e for e in track if e["args"].get("rows") == "interior"])
            for exchange in (e for e in track if e["name"] == "exchange"):
                found.setdefault((rank, exchange["args"]["value"]), []).append((exchange["dur"], next(kernels)["dur"]))
        return found

    def overlaps(self):
        """[(rank, value, microseconds of the kernel over interior rows, the share that is hidden)], by the tenth of the runs that are the fastest: the host is busy in others."""
        found = {0: {}, DELAY_US: {}}
        for delay in [0, DELAY_US, DELAY_US, 0] * 2:
            for key, times in self.exchanges(delay).items():
                found[delay].setdefault(key, []).extend(times)
        made = []
        for rank, value in found[0]:
            (plain, _), (late, kernel) = ([sorted(t)[len(t) // 10] for t in zip(*found[delay][rank, value])] for delay in (0, DELAY_US))
            made.append((rank, value, kernel, (DELAY_US - (late - plain)) / max(1e-3, min(DELAY_US, kernel))))
        return made

    def check_bits(self):
        """The ways whose output differs from that of the program without --ranks."""
        found = {}
        for way in self.ways:
            path = f"{self.stem}.out.safetensors"
            self.call(way, "-o", path)
            with open(path, "rb") as f:
                found[way] = f.read()
        return [way for way, data in found.items() if data != found["base"]]

    def measure(self):
        """{way: its statistics in each round}; ways alternate, every other round backwards."""
        found = {way: [] for way in self.ways}
        for number in range(self.options.pairs):
            for way in list(self.ways)[::-1 if number % 2 else 1]:
                found[way].append(self.statistics(way))
        return found


class Model:
    """The time of a run by the rates of one process."""

    def __init__(self, graph, edge_ms, product_ms, rows):
        self.graph, self.edge_ms, self.product_ms, self.rows = graph, edge_ms, product_ms, rows

    def ms(self, ranks, byte_ms, latency_ms, overlaps=True):
        worst = 0
        for p in self.graph.parts[ranks]:
            work = self.graph.edges + self.graph.nodes  # with a self loop for each node
            own = self.edge_ms * (p.edges + p.own) / work + self.product_ms * p.own / self.graph.nodes
            interior = self.edge_ms * p.interior_edges / work if overlaps else 0
            for row in self.rows:
                exchange = p.ghosts * row * byte_ms + len(p.neighbours) * latency_ms
                own += max(0, exchange - interior * row / sum(self.rows))
            worst = max(worst, own)
        return worst


def copy_ms():
    """Milliseconds per byte of two copies, packing and unpacking."""
    block, best = bytes(1 << 24), 1.0
    for _ in range(5):
        start = time.perf_counter()
        bytearray(block)
        best = min(best, time.perf_counter() - start)
    return 2 * best * 1e3 / len(block)


def ratio(found, way, base):
    return statistics.median(a["ms"] / b["ms"] for a, b in zip(found[way], found[base]))


def check_bytes(graph, ranks, said):
    """Raises where ghosts, edges or received bytes are others than those counted here; prints the sum."""
    row = sum(e["row_bytes"] for e in said["exchanges"] if not e["in_bind"])
    expected = [(p.own, p.ghosts, p.edges, p.ghosts * row) for p in graph.parts[ranks]]
    found = [(r["own"], r["ghosts"], r["edges"], r["run_bytes"]) for r in said["ranks"]]
    print(f"  received, {ranks} ranks: {sum(r[3] for r in found)} bytes, {row} per ghost; closed form {sum(r[3] for r in expected)}: {'equal' if found == expected else 'DIFFERENT'}")
    return found == expected


def print_model(model, latency, cores):
    """Speed-up over one process by ranks and networks; in brackets without overlap. `cores` of a rank share its work without loss."""
    model = Model(model.graph, model.edge_ms / cores, model.product_ms / cores, model.rows)
    one_ms = model.edge_ms + model.product_ms
    print(f"  MODEL, {cores} {'cores' if cores > 1 else 'core'} per rank: times faster than one process of as many, latency {latency} us; in brackets where nothing overlaps")
    print("  ranks  ghosts/node " + "".join(f"{f'{net} Gb/s':>16}" for net in NETWORKS))
    worst = None
    for ranks in RANKS:
        ghosts = sum(p.ghosts for p in model.graph.parts[ranks]) / model.graph.nodes
        line = ""
        for net in NETWORKS:
            faster, plain = (one_ms / model.ms(ranks, 8e-6 / net, latency * 1e-3, overlaps) for overlaps in (True, False))
            line += f"{f'{faster:.2f} ({plain:.2f})':>16}"
            if worst is None or plain / ranks < worst[0]:
                worst = plain / ranks, ranks, net, plain
        print(f"  {ranks:5}  {ghosts:11.3f} {line}")
    print(f"  least flattering, MODEL: {worst[1]} ranks at {worst[2]} Gb/s without overlap are {worst[3]:.2f} times as fast as one, an efficiency of {100 * worst[0]:.0f} %")


def report(case, found, profile):
    """Prints a case; the gates that it misses."""
    graph, missed = case.graph, []
    edge_share, product_share, flops = profile
    base, least = statistics.median(s["ms"] for s in found["base"]), case.least_ms()
    said = found["2 threads"][0]
    rows = [e["row_bytes"] for e in said["exchanges"] if not e["in_bind"]]
    print(f"  one process {base:.2f} ms (median), {least:.2f} ms (least); in the latter kernels over edges {(graph.edges + graph.nodes) * sum(rows) / (least * edge_share) / 1e6:.2f} GB/s, "
          f"products {flops / (least * product_share) / 1e6:.1f} GFLOP/s")
    for way in case.ways:
        if way != "base":
            print(f"  {way:20} {statistics.median(s['ms'] for s in found[way]):8.2f} ms, {ratio(found, way, 'base'):.3f} of one process")
    if ratio(found, "alone", "base") > OVERHEAD:
        missed.append("overhead of --ranks alone")
    if not all(check_bytes(graph, ranks, found[f"{ranks} threads" if ranks > 1 else "1 thread"][0]) for ranks in (1, 2)):
        missed.append("received bytes")
    model, byte_ms = Model(graph, least * edge_share, least * product_share, rows), copy_ms()
    for ranks, way in ((1, "1 thread"), (2, "2 threads")):
        wall, told = ratio(found, way, "base"), model.ms(ranks, byte_ms, 0) / least
        print(f"  MODEL of {way}: {told:.3f} of one process, measured {wall:.3f}: {100 * (told / wall - 1):+.0f} %")
        if abs(told / wall - 1) > MODEL_ERROR:
            missed.append(f"model of {way}")
    for rank, value, kernel, hidden in case.overlaps():
        print(f"  overlap: rank {rank}, exchange of {value}: kernel {kernel / 1e3:.3f} ms, delay {DELAY_US / 1e3:.3f} ms, {hidden:.3f} of the lesser hidden")
        if hidden < HIDDEN and kernel >= LEAST_US:
            missed.append(f"overlap of rank {rank}, {value}")
    print(f"  least flattering: two ranks take {ratio(found, '2 threads', 'base, --threads=2'):.2f} of the time of one process with two threads")
    for cores in (1, case.options.cores):
        print_model(model, case.options.latency, cores)
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for inputs (default build/bench)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder with the real graphs")
    parser.add_argument("--graphs", default=[GENERATED] + REAL, type=lambda t: t.split(","), help=f"some of {','.join([GENERATED] + REAL)}, or other real graphs")
    parser.add_argument("--models", default=list(MODELS), type=lambda t: t.split(","), help="some of gcn,gat")
    parser.add_argument("--pairs", type=int, default=15, help="rounds (default 15)")
    parser.add_argument("--repeat", type=int, default=5, help="runs of a process, whose median counts (default 5)")
    parser.add_argument("--least", type=int, default=60, help="runs in each of three processes, whose least time gives the rates of the model (default 60)")
    parser.add_argument("--latency", type=float, default=10, help="microseconds per message, of the model (default 10)")
    parser.add_argument("--cores", type=int, default=16, help="cores of a rank in the second table of the model (default 16)")
    parser.add_argument("--gate", action="store_true", help="exit with 1 where a gate is missed")
    options = parser.parse_args()
    options.has_mpi = shutil.which("mpirun") is not None and os.path.exists(f"{options.bin}/../lib/gnnc_mpi.so")
    os.environ.update(MPI)
    os.makedirs(options.out, exist_ok=True)
    missed = []
    for name in options.graphs:
        if name != GENERATED and not os.path.exists(f"{options.shared}/data/graphs/{name}.safetensors"):
            print(f"{name}: skipped, no shared data")
            continue
        graph = Graph(options, name)
        for model in options.models:
            case = Case(options, graph, model)
            print(f"{model} on {name}: {graph.nodes} nodes, {graph.edges} edges, load {os.getloadavg()[0]:.1f}")
            different = case.check_bits()
            print(f"  outputs: {'other bits: ' + ', '.join(different) if different else 'the same bytes, ' + ', '.join(case.ways)}")
            found = report(case, case.measure(), case.profile()) + (["bits"] if different else [])
            missed += [f"{model} on {name}: {gate}" for gate in found]
            sys.stdout.flush()
    print("gates missed: " + ("; ".join(missed) if missed else "none"))
    if options.gate and missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
