"""Trained models have the same bits on several ranks as in one process, whatever the cells; ranks receive the bytes that a formula says.

    python3 ranks.py [--bin build/bin] [--models gcn,rgat] [--ranks 1,2,3,5,8] [--shared ../shared]

Each model is compiled without and with --ranks, and the second program runs on cells by METIS and on random cells, the worst cut. Own nodes, ghosts, interior nodes
and edges of each rank are counted here again, from the cells; received are, for each exchange, ghosts times bytes of a row. A layer has one exchange. The data lies in
--shared, $GNNC_SHARED, or the folder shared beside the checkout; without it only the karate club of examples/karate is run, and without METIS only random cells and those
of one pass over the nodes. The last line is "N passed, N failed, N skipped".
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from programs import ROOT, Failed, Tools

from safetensors import read, write

GRAPHS = {"gcn": "cora", "gat": "cora", "gatv2": "cora", "sage": "cora", "gin": "cora", "sgc": "cora", "graphgym": "cora",
          "jumping_knowledge": "cora", "rgcn": "aifb", "rgcn_basis": "aifb", "rgat": "aifb", "hgt": "aifb_typed",
          "gin_graph": "mutag_tu"}
POOLING = {"gin_graph"}  # they need whole graphs: no random cells, and no ghosts
# exchanges of each run at -O2: one for each layer, and for each hop of sgc. The first layers of rgcn and rgat read the features, which are at hand, and hgt has keys and values
EXCHANGES = {"gcn": 2, "gat": 2, "gatv2": 2, "sage": 2, "gin": 2, "sgc": 2, "graphgym": 3, "jumping_knowledge": 3, "rgcn": 1, "rgcn_basis": 1, "rgat": 1, "hgt": 4}
# Models whose sums over edges can be computed by columns. Others multiply rows of edges by matrices of types, or have sums within products.
COLUMNS = {"gcn", "gat", "gatv2", "sage", "gin", "sgc", "graphgym", "jumping_knowledge"}
CELLS = 64
NEAR = 1e-4  # of the largest number of an output, for sums in another order
# What lets Open MPI start more ranks than processors, as root, without shared memory between users and without a network
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
       "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_btl": "self,vader", "OMPI_MCA_plm_rsh_agent": "false", "OMPI_MCA_hwloc_base_binding_policy": "none"}
FEW = [3, 8]  # ranks at -O0, whose programs are slow


class Difference(Exception):
    """Ranks compute, or receive, something else than one process."""


def scatter(tools, graph, path, rng, count=CELLS, group=None):
    """Writes a file with a random cell for each node, or for each group of nodes; some cells may be empty."""
    tools.call([tools.gnn_data, "partition", "--method=blocks", f"--cells={count}", graph, "-o", path])
    tensors, metadata = read(path)
    cell = tensors["cell"]
    chosen = rng.sample(range(count), rng.randint(min(2, count), count))
    cell.data = [rng.choice(chosen) for _ in cell.data]
    if group:
        cell.data = [cell.data[n] for n in group]
    write(path, tensors, metadata)


def check_same(found, expected, what):
    """Raises Difference at the first number with other bits."""
    if sorted(found) != sorted(expected):
        raise Difference(f"{what}: outputs {sorted(found)}, expected {sorted(expected)}")
    for name, tensor in expected.items():
        if list(found[name].shape) != list(tensor.shape):
            raise Difference(f"{what}: {name}: shape {found[name].shape}, expected {tensor.shape}")
        if bytes_of(found[name]) == bytes_of(tensor):
            continue
        where = next(i for i, (a, b) in enumerate(zip(found[name].data, tensor.data)) if repr(a) != repr(b))
        raise Difference(f"{what}: {name}: number {where} of {len(tensor.data)} is {found[name].data[where]!r}, expected {tensor.data[where]!r}")


def bytes_of(tensor):
    """Numbers as text, in which a zero has its sign and all NaN are one."""
    return repr(tensor.data)


def transposed_bytes(exchange, rank, number, ranks):
    """Of its strips the numbers of other nodes, or of its nodes those of other strips."""
    strips = exchange["strips"]
    if not strips:
        return 0
    mine = strips * (number + 1) // ranks - strips * number // ranks
    return exchange["row_bytes"] // strips * ((strips - mine) * rank["own"] if exchange["to_rows"] else mine * rank["ghosts"])


def check_bytes(said, what):
    """Raises Difference where a rank received other bytes than those of its ghosts, of its edges into ghosts, and of its strips of rows. Returns the ghosts of
    all ranks."""
    for when in ("bind", "run"):
        exchanges = [e for e in said["exchanges"] if e["in_bind"] == (when == "bind")]
        of_ghosts, of_edges = (sum(e["row_bytes"] for e in exchanges if e["of_edges"] == of and not e["strips"]) for of in (False, True))
        for number, rank in enumerate(said["ranks"]):
            expected = rank["ghosts"] * of_ghosts + rank["out_edges"] * of_edges + sum(transposed_bytes(e, rank, number, len(said["ranks"])) for e in exchanges)
            if rank[f"{when}_bytes"] != expected:
                raise Difference(f"{what}: rank {number} received {rank[f'{when}_bytes']} bytes in {when}, expected {expected}")
    return sum(rank["ghosts"] for rank in said["ranks"])


def has_out_edges(source):
    """Whether a program needs the edges out of own nodes, too."""
    with open(source, encoding="utf-8") as file:
        return "| GNNC_RANKS_OUT_EDGES" in file.read()


def check_column_parts(said, graph, owner, what):
    """Raises Difference where a rank has not all nodes and edges."""
    ranks, count = len(said["ranks"]), len(read(graph, ["edge_index"])[0]["edge_index"].data) // 2
    for number, rank in enumerate(said["ranks"]):
        own = owner.count(number)
        expected = {"own": own, "ghosts": len(owner) - own, "interior": own if ranks == 1 else 0, "edges": count, "out_edges": 0}
        found = {name: rank[name] for name in expected}
        if found != expected:
            raise Difference(f"{what}: rank {number} has {found}, expected {expected}")


def check_parts(said, graph, cells, what, has_out=False):
    """Raises Difference where a rank has another part of the graph than its cells make."""
    tensors, metadata = read(cells)
    count, ranks = int(metadata["cells"]), len(said["ranks"])
    owner = [((cell + 1) * ranks - 1) // count for cell in tensors["cell"].data]
    if said["mode"] == "columns":
        check_column_parts(said, graph, owner, what)
        return
    ends = read(graph, ["edge_index"])[0]["edge_index"].data
    src, dst = ends[:len(ends) // 2], ends[len(ends) // 2:]
    ghosts, touched, edges, out = [set() for _ in range(ranks)], set(), [0] * ranks, [0] * ranks
    for s, d in zip(src, dst):
        edges[owner[d]] += 1
        if owner[s] != owner[d]:
            ghosts[owner[d]].add(s)
            touched.add(d)
            if has_out:
                edges[owner[s]] += 1
                out[owner[s]] += 1
                ghosts[owner[s]].add(d)
                touched.add(s)
    for number, rank in enumerate(said["ranks"]):
        own = [n for n, o in enumerate(owner) if o == number]
        expected = {"own": len(own), "ghosts": len(ghosts[number]), "interior": sum(n not in touched for n in own), "edges": edges[number], "out_edges": out[number]}
        found = {name: rank[name] for name in expected}
        if found != expected:
            raise Difference(f"{what}: rank {number} has {found}, expected {expected}")


def call_mpirun(call, ranks, command):
    """Runs a command as processes. Of two mpirun that begin at once, one may not find the folder that the other makes: each has its own. Under the address
    sanitizer what Open MPI leaves allocated is no error."""
    with tempfile.TemporaryDirectory(prefix="mpi") as folder:
        return call(["env", "ASAN_OPTIONS=detect_leaks=0", "mpirun", "--mca", "orte_tmpdir_base", folder, "-n", str(ranks), *command])


def run_ranks(tools, program, files, cells, out, ranks, options=(), has_mpi=False):
    """Runs a program as ranks, threads or processes of mpirun. Returns its outputs and what --stats=json says."""
    command = [tools.gnn_run, program, *files, f"--cells={cells}", "--stats=json", "-o", out, *options]
    said = json.loads(call_mpirun(tools.call, ranks, command) if has_mpi else tools.call([*command, f"--local-ranks={ranks}"]))
    if (said["engine"], len(said["ranks"])) != ("mpi" if has_mpi else "threads", ranks):
        raise Difference(f"{len(said['ranks'])} ranks by {said['engine']}, expected {ranks}")
    return read(out)[0], said


def check_near(found, expected, what):
    """Raises Difference where sums in another order, or rounded otherwise, differ by more than rounding explains: numbers of f32, a few hundred terms."""
    for name, tensor in expected.items():
        scale = max([1.0, *(abs(x) for x in tensor.data if math.isfinite(x))])
        for i, (a, b) in enumerate(zip(found[name].data, tensor.data, strict=True)):
            if math.isfinite(b) and not abs(a - b) <= NEAR * scale:
                raise Difference(f"{what}: {name}: number {i} is {a!r}, without cells {b!r}")


def check_columns(tools, model, level, graph, weights, runs, folder, whole):
    """Compiles a model for ranks that have columns, which rounds products on their own, and compares its runs with that of it alone. Returns how many there were."""
    program, out = os.path.join(folder, "columns.c"), os.path.join(folder, "out.safetensors")
    tools.compile(model, program, graph, weights, [f"-{level}", "--ranks=columns"])
    library, files = f"{program}.so", [f"--graph={graph}", f"--weights={weights}"]
    expected = tools.run(program, graph, weights, out, options=[f"--save-library={library}"])
    check_near(expected, whole, "alone with --ranks=columns")
    for i, (cells, ranks) in enumerate(runs):
        mode = "rows" if i % 4 == 0 else "columns"
        what = f"{mode} on {ranks} ranks on {os.path.basename(cells)}"
        found, said = run_ranks(tools, library, files, cells, out, ranks, [f"--threads={1 + i % 2}", f"--mode={mode}"])
        check_same(found, expected, what)
        check_parts(said, graph, cells, what)
        check_bytes(said, what)
        if any(e["strips"] for e in said["exchanges"]) != (said["mode"] == "columns") or said["mode"] != (mode if ranks > 1 else "rows"):
            raise Difference(f"{what}: there are {said['exchanges']} in mode {said['mode']}")
    return len(runs) + 1


def check_program(tools, model, level, graph, weights, runs, folder):
    """Compiles a model twice and compares all runs, pairs of cells and ranks. Returns how many runs there were."""
    name = os.path.splitext(os.path.basename(model))[0]
    whole, part, out = (os.path.join(folder, n) for n in (f"{name}.{level}.c", f"{name}.{level}.ranks.c", "out.safetensors"))
    os.environ["CFLAGS"] = "-O0" if level == "O0" else ""  # -O2: -O3 for this processor, as gnn-run does for everybody
    tools.compile(model, whole, graph, weights, [f"-{level}"])
    tools.compile(model, part, graph, weights, [f"-{level}", "--ranks"])
    expected = tools.run(whole, graph, weights, out)
    library, files = f"{part}.so", [f"--graph={graph}", f"--weights={weights}"]
    check_same(tools.run(part, graph, weights, out, options=[f"--save-library={library}"]), expected, "alone")
    for i, (cells, ranks) in enumerate(runs):
        what = f"{ranks} ranks on {os.path.basename(cells)}"
        found, said = run_ranks(tools, library, files, cells, out, ranks, [f"--threads={1 + i % 2}"])
        check_same(found, expected, what)
        check_parts(said, graph, cells, what, has_out_edges(part))
        if (ranks > 1 and name not in POOLING) != (check_bytes(said, what) > 0):
            raise Difference(f"{what}: there are {check_bytes(said, what)} ghosts")
        in_run = sum(not e["in_bind"] for e in said["exchanges"])
        if level == "O2" and in_run != EXCHANGES.get(name, in_run):
            raise Difference(f"{what}: {in_run} exchanges in a run, expected {EXCHANGES[name]}")
    columns = runs[::2] if level == "O2" and name in COLUMNS else []
    return len(runs) + 1 + (check_columns(tools, model, level, graph, weights, columns, folder, expected) if columns else 0)


def make_cells(tools, graph, folder, count=CELLS):
    """The cells of a graph by METIS (without it by one pass over the nodes), and random ones."""
    near, far = (os.path.join(folder, f"{os.path.basename(graph)}.{n}.safetensors") for n in ("near", "random"))
    for method in ("metis", "streaming"):
        done = subprocess.run([tools.gnn_data, "partition", f"--method={method}", f"--cells={count}", graph, "-o", near], capture_output=True, text=True)
        if done.returncode == 0 or "built without METIS" not in done.stderr:
            break
    if done.returncode:
        raise Failed(f"gnn-data partition {graph}: {done.stderr}")
    scatter(tools, graph, far, random.Random(count), count)
    return near, far


class Counts:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def check(self, what, *arguments):
        try:
            runs = check_program(*arguments)
            self.passed += runs
            print(f"ok     {what}: {runs} runs", flush=True)
        except (Failed, Difference) as error:
            self.failed += 1
            print(f"FAILED {what}: {error}", flush=True)


def check_karate(tools, ranks, folder, counts):
    graph, weights = (os.path.join(folder, f"{n}.safetensors") for n in ("karate", "karate_gcn"))
    for path in (graph, weights):
        text = os.path.join(ROOT, "examples", "karate", os.path.basename(path).replace("safetensors", "txt"))
        tools.call([tools.gnn_data, "convert", text, "-o", path])
    for level in ("O0", "O2"):
        runs = [(cells, n) for cells in make_cells(tools, graph, folder, 16) for n in ranks]
        counts.check(f"karate gcn -{level}", tools, os.path.join(ROOT, "examples", "gcn.gnn"), level, graph, weights, runs, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-run are")
    parser.add_argument("--models", type=lambda t: t.split(","), default=list(GRAPHS))
    parser.add_argument("--ranks", type=lambda t: [int(n) for n in t.split(",")], default=[1, 2, 3, 5, 8])
    parser.add_argument("--levels", type=lambda t: t.split(","), default=["O0", "O2"])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, counts, cells = Tools(options.bin), Counts(), {}
    with tempfile.TemporaryDirectory(prefix="gnnc-ranks-") as folder:
        check_karate(tools, options.ranks, folder, counts)
        for model in options.models:
            name = GRAPHS[model]
            graph, weights = (os.path.join(options.shared, "data", f) for f in (f"graphs/{name}.safetensors", f"weights/{name}_{model}.safetensors"))
            if not os.path.exists(graph):
                counts.skipped += len(options.levels)
                continue
            if name not in cells:
                cells[name] = make_cells(tools, graph, folder)
            for level in options.levels:
                usable = cells[name][:1] if model in POOLING else cells[name]
                few = [(usable[-1], n) for n in FEW]
                runs = few if level == "O0" else [(c, n) for c in usable for n in options.ranks]
                counts.check(f"{name} {model} -{level}", tools, os.path.join(ROOT, "examples", f"{model}.gnn"), level, graph, weights, runs, folder)
    if counts.skipped:
        print(f"no {options.shared}/data: its models were left out")
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    sys.exit(1 if counts.failed else 0)


if __name__ == "__main__":
    main()
