"""The library's GCN treats several stored self loops of a node as PyTorch Geometric's gcn_norm does, on every target.

    python3 self_loops.py [--bin build/bin]

gcn_norm (with add_remaining_self_loops) is written out here: edges that are no loops stay; each node gets one loop, whose weight is that
of its last stored loop, or 1 where it has none. The interpreter reads the same models.
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from interpreter import evaluate_model
from safetensors import Tensor, write

NODES, WIDTH = 5, 3
EDGES = [(0, 1), (2, 2), (1, 1), (3, 0), (1, 1), (0, 2), (3, 4), (1, 1), (2, 2)]  # three loops at node 1, two at node 2
WEIGHTS = [0.5, 3.0, 2.0, 1.5, 0.25, 0.75, 1.25, 4.0, 0.125]
X = [[((3 * n + 5 * k) % 7 - 3) / 4 for k in range(WIDTH)] for n in range(NODES)]
W = [[((2 * i + 3 * k) % 5 - 2) / 2 for k in range(WIDTH)] for i in range(2)]  # the [out, in] layout of PyTorch
B = [0.5, -0.25]
MODELS = {
    "gcn": 'gcn_conv(g, x, 2) from "c"',
    "weighted": 'gcn_conv_weighted(g, x, w, 2) from "c"',
}
TARGETS = ["c -O0", "c -O2", "graphagile", "host"]


def gcn(weights):
    loops = {n: 1.0 for n in range(NODES)} | {s: w for (s, d), w in zip(EDGES, weights) if s == d}
    edges = [(s, d, w) for (s, d), w in zip(EDGES, weights) if s != d] + [(n, n, w) for n, w in loops.items()]
    degree = [sum(w for _, d, w in edges if d == n) for n in range(NODES)]
    z = [[sum(a * b for a, b in zip(row, column)) for column in W] for row in X]
    y = [list(B) for _ in range(NODES)]
    for s, d, w in edges:
        for k in range(2):
            y[d][k] += (degree[s] * degree[d]) ** -0.5 * w * z[s][k]
    return [v for row in y for v in row]


def outputs(tools, folder, model, target):
    graph, weights = (os.path.join(folder, n) for n in ("graph.safetensors", "weights.safetensors"))
    out, kind = os.path.join(folder, "out.safetensors"), target.split()[0]
    if kind == "c":
        program = os.path.join(folder, "m.c")
        tools.compile(model, program, graph, weights, target.split()[1:])
        return tools.run(program, graph, weights, out)["y"].data
    program = os.path.join(folder, "m.bin")
    tools.compile_for([f"--target={kind}"], model, program, graph, weights)
    return tools.run_image(program, graph, out)["y"].data


def far(a, b):
    return any(abs(p - q) > 1e-5 for p, q in zip(a, b, strict=True))


def check(tools, folder, name):
    """Returns the targets that give wrong results for a model, with their errors."""
    expected = gcn(WEIGHTS if name == "weighted" else [1.0] * len(EDGES))
    model = os.path.join(folder, f"{name}.gnn")
    with open(model, "w", encoding="utf-8") as f:
        f.write(f"model m {{ graph g; input x : node f32[3]; input w : edge f32; output y = {MODELS[name]}; }}\n")
    read = evaluate_model(tools.tree(model), os.path.join(folder, "graph.safetensors"), os.path.join(folder, "weights.safetensors"))["y"]
    wrong = ["interpreter"] if far([v for row in read.rows for v in row], expected) else []
    for target in TARGETS:
        try:
            if far(outputs(tools, folder, model, target), expected):
                wrong.append(target)
        except Failed as error:
            wrong.append(f"{target}: {error}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    tools, failed = Tools(parser.parse_args().bin), 0
    with tempfile.TemporaryDirectory(prefix="gnnc-self-loops-") as folder:
        ends = [s for s, _ in EDGES] + [d for _, d in EDGES]
        write(os.path.join(folder, "graph.safetensors"),
              {"edge_index": Tensor("I64", [2, len(EDGES)], ends), "x": Tensor("F32", [NODES, WIDTH], [v for row in X for v in row]),
               "w": Tensor("F32", [len(EDGES)], WEIGHTS)}, {"num_nodes": NODES})
        write(os.path.join(folder, "weights.safetensors"),
              {"c.lin.weight": Tensor("F32", [2, WIDTH], [v for row in W for v in row]), "c.bias": Tensor("F32", [2], B)})
        for name in MODELS:
            for wrong in check(tools, folder, name):
                failed += 1
                print(f"FAILED {name}: {wrong}")
    print(f"{len(MODELS) * (len(TARGETS) + 1) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
