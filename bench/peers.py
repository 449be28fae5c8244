"""Other systems: quoted times (peers.csv) and, where they are installed, live peers on the same graph.

Live peers compose the steps of cells.steps() from a library's own products: PyTorch (torch.sparse CSR times dense), SuiteSparse:GraphBLAS (GrB_mxm) with
OpenBLAS for dense products, and OpenBLAS with a plain CSR loop. Attention and typed layers run in PyTorch alone. Each takes the better of 1 and 2 threads."""
import csv
import os
import subprocess
import sys

import cells

HERE = os.path.dirname(os.path.abspath(__file__))
LIVE = ["torch", "graphblas", "openblas"]
missing = set()


def quoted():
    """(graph, model) -> milliseconds."""
    with open(f"{HERE}/peers.csv", newline="", encoding="utf-8") as f:
        return {(row["graph"], model): float(ms) for row in csv.DictReader(f) for model, ms in row.items() if model != "graph" and ms}


def build(out, name, *flags):
    """Compiles the C peer; None where its libraries are not installed."""
    program = f"{out}/peer_{name}"
    if name in missing:
        return None
    if not os.path.exists(program):
        command = [os.environ.get("CC", "cc"), "-std=gnu17", "-O3", "-march=native", "-ffp-contract=fast", "-fopenmp", f"{HERE}/peer.c", "-o", program, *flags]
        if subprocess.run(command, capture_output=True).returncode:
            missing.add(name)
            return None
    return program


def best(command):
    """The least of the times that a peer prints for 1 and 2 threads; None when it cannot run."""
    times = []
    for threads in ("1", "2"):
        done = subprocess.run([*command, threads], capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads})
        if done.returncode:
            return None
        times.append(float(done.stdout))
    return min(times)


def live(bench, graph_name, model, graph):
    """{"torch": ms or None, ...} of one cell."""
    found = {name: None for name in LIVE}
    typed = graph_name in cells.TYPED_GRAPHS
    if "torch" not in missing:
        if subprocess.run(["/usr/bin/python3", "-c", "import torch"], capture_output=True).returncode:
            missing.add("torch")
            print("bench: PyTorch is not installed (python3-torch); no live peer of that name", file=sys.stderr)
        else:
            steps = "typed" if typed else encode(model, graph_name)
            found["torch"] = best(["/usr/bin/python3", f"{HERE}/peer_torch.py", graph, model, steps])
    if typed or model == "b6":
        return found
    edges = f"{bench.options.out}/{graph_name}.edges"
    write_edges(bench, graph, edges)
    for name, flags in (("graphblas", ["-DWITH_GRAPHBLAS", "-lgraphblas", "-lopenblas"]), ("openblas", ["-lopenblas"])):
        program = build(bench.options.out, name, *flags)
        if program:
            found[name] = best([program, edges, encode(model, graph_name)])
    return found


def encode(model, graph_name):
    """The steps as one argument: L1433x16,A16,..."""
    features, classes = cells.GRAPHS[graph_name][2], cells.GRAPHS[graph_name][4]
    return ",".join(f"L{s[1]}x{s[2]}" if s[0] == "linear" else f"{'T' if s[0] == 'attend' else 'A'}{s[1]}" for s in cells.steps(model, features, classes))


def write_edges(bench, graph, path):
    """Nodes, edges, then sources and targets, as 64-bit numbers, for the C peer."""
    if os.path.exists(path):
        return
    import tensors
    import array
    header, start = tensors.read_header(graph)
    t = header["edge_index"]
    with open(graph, "rb") as f:
        f.seek(start + t["data_offsets"][0])
        data = array.array("q" if t["dtype"] == "I64" else "i")
        data.frombytes(f.read(t["data_offsets"][1] - t["data_offsets"][0]))
    nodes = next(n for g, (n, *_) in cells.GRAPHS.items() if os.path.basename(graph).startswith(g))
    with open(path, "wb") as f:
        array.array("q", [nodes, len(data) // 2]).tofile(f)
        array.array("q", data).tofile(f)
