"""A peer for the bench: the steps of a model composed from PyTorch's own operations, median milliseconds of at least 5 runs.

    python3 peer_torch.py GRAPH MODEL STEPS THREADS        STEPS: L500x16,A16,... (linear, sum, T = attention) or "typed"
"""
import json
import statistics
import struct
import sys
import time

import torch

DTYPES = {"I64": torch.int64, "I32": torch.int32, "F32": torch.float32, "U8": torch.uint8, "BOOL": torch.bool}


def load(path, names):
    with open(path, "rb") as f:
        header = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        start, found = f.tell(), {}
        for name in names:
            if name in header:
                t = header[name]
                f.seek(start + t["data_offsets"][0])
                raw = bytearray(f.read(t["data_offsets"][1] - t["data_offsets"][0]))
                found[name] = torch.frombuffer(raw, dtype=DTYPES[t["dtype"]]).reshape(t["shape"])
    return found


def softmax_sum(scores, values, target, nodes):
    """Softmax over incoming edges, then the weighted sum."""
    top = torch.full((nodes,), -float("inf")).scatter_reduce(0, target, scores, "amax")
    e = torch.exp(scores - top[target])
    total = torch.zeros(nodes).index_add_(0, target, e)
    return torch.zeros(nodes, values.shape[1]).index_add_(0, target, (e / total[target])[:, None] * values)


def homogeneous(data, steps, nodes):
    source, target = data["edge_index"].long()
    adjacency = torch.sparse_coo_tensor(torch.stack([target, source]), torch.full((source.numel(),), 0.1), (nodes, nodes)).to_sparse_csr()
    program = []
    for step in steps.split(","):
        if step[0] == "L":
            depth, width = map(int, step[1:].split("x"))
            program.append(("L", torch.rand(depth, width)))
        else:
            program.append((step[0], torch.rand(int(step[1:]), 2)))
    width = program[0][1].shape[0]
    x = data.get("x", torch.rand(nodes, width)).float()

    def run():
        h = x
        for kind, w in program:
            if kind == "L":
                h = torch.relu(h[:, :w.shape[0]] @ w)
            elif kind == "A":
                h = adjacency @ h[:, :w.shape[0]].contiguous()
            else:
                p = h @ w
                h = softmax_sum(torch.nn.functional.leaky_relu(p[source, 0] + p[target, 1], 0.2), h[source], target, nodes)
        return h
    return run


def typed(data, model, nodes):
    source, target = data["edge_index"].long()
    kind, x = data["edge_type"].long(), data["x"]
    order = torch.argsort(kind)
    source, target, kind = source[order], target[order], kind[order]
    types, d = int(kind.max()) + 1, x.shape[1]
    ends = torch.cumsum(torch.bincount(kind, minlength=types), 0).tolist()
    w, v, a = torch.rand(types, d, d), torch.rand(types, d, d), torch.rand(types, 2, d)

    def per_type(rows, weights):
        """rows[e] @ weights[type of e], one product per type."""
        out, start = torch.empty(rows.shape[0], d), 0
        for t, end in enumerate(ends):
            torch.mm(rows[start:end], weights[t], out=out[start:end])
            start = end
        return out

    def rgcn():
        return torch.relu(x @ w[0] + torch.zeros(nodes, d).index_add_(0, target, 0.1 * per_type(x[source], w)))

    def rgat():
        z, q = per_type(x[source], w), per_type(x[target], w)
        scores = torch.nn.functional.leaky_relu((z * a[kind, 0]).sum(1) + (q * a[kind, 1]).sum(1), 0.2)
        return softmax_sum(scores, z, target, nodes)

    def hgt():
        k, q, m = x @ w[0], x @ w[1], x @ w[2]
        scores = (per_type(k[source], w) * q[target]).sum(1) * 0.125
        return softmax_sum(scores, per_type(m[source], v), target, nodes)
    return {"rgcn": rgcn, "rgat": rgat, "hgt": hgt}[model]


def main():
    graph, model, steps, threads = sys.argv[1:5]
    torch.set_num_threads(int(threads))
    data = load(graph, ["edge_index", "edge_type", "x", "y"])
    nodes = data["y"].shape[0] if "y" in data else data["x"].shape[0]
    with torch.no_grad():
        run = typed(data, model, nodes) if steps == "typed" else homogeneous(data, steps, nodes)
        run()
        times = []
        while len(times) < 5 or (sum(times) < 0.5 and len(times) < 50):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
    print(statistics.median(times) * 1e3)


if __name__ == "__main__":
    main()
