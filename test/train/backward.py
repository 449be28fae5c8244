"""gnnc --emit-grad: gradients of weights and of inputs from adjoints of the outputs, against differences of forward with the same step, so that
dropout drops the same; the statistics of a batch norm; programs with gradients of weights alone.

    python3 test/train/backward.py --bin build/bin"""
import dataclasses
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from native import Program, build  # noqa: E402

NODES, EDGES, STEP = 12, 40, (7, 3)
MODELS = {
    "sage": """
  input x : node f32[5];
  let h = dropout(relu(sage_conv(g, x, 4) from "conv1"), 0.4);
  output y = sage_conv(g, h, 3) from "conv2";
""",
    "gat": """
  input x : node f32[5];
  output y = gat_conv(g, elu(gat_conv(g, x, 2, 4) from "conv1"), 1, 3) from "conv2";
""",
    "norm": """
  input x : node f32[5];
  input w : edge f32;
  let h = dropout(batch_norm(linear(x, 4) from "lin") from "bn", 0.3);
  output y = graph_conv(g, h, 3, w) from "conv";
  output z = h * 2;
  loss l = sum_all(y);
"""}


@dataclasses.dataclass
class Tensor:
    shape: tuple
    data: list


def made(folder, name, level, of):
    """A program of a model, bound to a graph with random numbers; its weights."""
    rng = random.Random(5)
    source = os.path.join(folder, f"{name}.{level}.{of}.c")
    text = f"model net {{\n  graph g;{MODELS[name]}}}\n"
    with open(os.path.join(folder, f"{name}.gnn"), "w") as f:
        f.write(text)
    precision = "f64" if level == "O0" else "f32"
    subprocess.run([os.path.join(BIN, "gnnc"), "--target=c", f"--emit-grad={of}", f"-{level}", f"--float={precision}", "-Wno-unreached-weight",
                    os.path.join(folder, f"{name}.gnn"), "-o", source], check=True)
    build(source, source + ".so", ["-O1"])
    program = Program(source + ".so", "net_train")
    graph = {"edge_index": Tensor((2, EDGES), [rng.randrange(NODES) for _ in range(2 * EDGES)]),
             "x": Tensor((NODES, 5), [rng.gauss(0, 1) for _ in range(5 * NODES)]), "w": Tensor((EDGES,), [rng.uniform(0.5, 2) for _ in range(EDGES)])}
    session = program.bind(graph, NODES)
    sizes = [len(session.empty(w)) for w in program.weights]
    return session, [[rng.uniform(0.5, 1) if "running" in w.name.decode() else rng.gauss(0, 0.5) for _ in range(n)]
                     for w, n in zip(program.weights, sizes)]


def moved(arrays, direction, by):
    return [None if a is None else [x + by * v for x, v in zip(a, d or [0] * len(a))] for a, d in zip(arrays, direction)]


def along(session, inputs, weights, adjoints, ways):
    """The derivative of the sum of adjoint * output along a direction of inputs and weights, by differences with two steps. None: they differ,
    because there is a kink between."""
    def at(by):
        outputs, _ = session.forward(moved(inputs, ways[0], by), moved(weights, ways[1], by))
        return sum(d * y for a, o in zip(adjoints, outputs) for d, y in zip(a, o))

    # the arrays of the program are float, so steps are not small
    first, second = ((at(h) - at(-h)) / (2 * h) for h in (2 ** -8, 2 ** -9))
    return (4 * second - first) / 3 if abs(first - second) <= 1e-3 * (1 + abs(first)) else None


def check(folder, name, level):
    rng = random.Random(name)
    session, weights = made(folder, name, level, "all")
    forward, backward = session.forward, session.backward
    session.forward = lambda i, w: forward([(type(a))(*v) for a, v in zip(arrays, i)], w, STEP)
    arrays = session.inputs()
    inputs = [list(a) for a in arrays]
    outputs, updates = session.forward(inputs, weights)
    adjoints = [[rng.gauss(0, 1) for _ in o] for o in outputs]
    trained, wanted = backward(arrays, weights, adjoints, STEP)
    failed = []
    for what, gradients, place in (("weight", trained, 1), ("input", wanted, 0)):
        for k, g in enumerate(gradients):
            if g is None:
                continue
            for _ in range(8):
                direction = [rng.gauss(0, 1) for _ in g]
                ways = [[None] * len(inputs), [None] * len(weights)]
                ways[place][k] = direction
                found = along(session, inputs, weights, adjoints, ways)
                if found is not None:
                    break
            exact = sum(a * b for a, b in zip(g, direction))
            size = sum(abs(a * b) for a, b in zip(g, direction))
            if found is None or not abs(found - exact) <= 2e-3 * size + 1e-3:
                failed.append(f"{name} -{level}: {what} {k}: the derivative is {exact:.6g}, differences give {found}")
    count = sum(g is not None for g in trained + wanted)
    alone, none = made(folder, name, level, "weights")[0].backward(arrays, weights, adjoints, STEP)
    if any(g is not None for g in none) or any(g is not None and max(map(abs, (a - b for a, b in zip(g, t))), default=0) > 1e-5
                                               for g, t in zip(alone, trained)):
        failed.append(f"{name} -{level}: gradients of weights alone differ")
    if name == "norm" and (sum(u is not None for u in updates) != 2 or [bool(session.info.input_gradients[i]) for i in range(2)] != [True, True]):
        failed.append(f"{name} -{level}: the running statistics are not updated, or an input has no gradient")
    return count + 1, failed


def main():
    passed, failed = 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name in MODELS:
            for level in ("O0", "O2"):
                count, wrong = check(folder, name, level)
                passed += count - len(wrong)
                failed += wrong
    print("\n".join(failed), end="\n" if failed else "")
    print(f"train.backward: {passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


BIN = os.path.abspath(dict(zip(sys.argv[1::2], sys.argv[2::2])).get("--bin", "build/bin"))
if __name__ == "__main__":
    main()
