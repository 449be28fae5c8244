"""Gradients of all models of examples/ agree with the tape of the interpreter (tape.py): of all weights, on a small graph with random numbers.

    python3 examples.py [--bin build/bin] [--models gcn,gat] [--levels O0,O2,O3]

A model without a loss gets the mean of the squares of its outputs. Dropout is left out: backward.py has it. At -O0 (double
precision) a gradient may differ by 1e-6 of the largest one of the model, at the other levels by 1e-5 of it and not by more than the
bound of tape.py. The last line is "N passed, N failed".
"""
import argparse
import math
import os
import random
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import exact  # noqa: E402  (after the change of sys.path)
import tape_rules  # noqa: E402
from native import Program, build  # noqa: E402
from programs import ROOT, Failed, Tools  # noqa: E402
from safetensors import Tensor, round_f32, write  # noqa: E402
from values import INFINITE  # noqa: E402

NODES, EDGES, FEATURES, TYPES, GRAPHS, CLASSES = 14, 45, 6, 3, 3, 3
DIMS = {"H": 2, "D": 3, "C": CLASSES, "F": FEATURES, "B": 2}
OF_LARGEST = {"O0": 1e-6, "O2": 1e-5, "O3": 1e-5}


def model_text(name):
    """The model without dropout, with a loss."""
    with open(os.path.join(ROOT, "examples", f"{name}.gnn"), encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r", attention_dropout = [\d.]+", "", text)
    while "dropout(" in text:
        begin = text.index("dropout(")
        end, depth = begin + len("dropout("), 1
        while depth:
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        inside = re.sub(r", 0\.\d+$", "", text[begin + len("dropout("):end - 1])
        text = text[:begin] + inside + text[end:]
    text = re.sub(r"rgcn_basis_conv\((.*?)\) from", r"rgcn_basis_conv(\1, bases = 2) from", text)  # no file says how many
    if "loss " not in text:
        text = text.rstrip().removesuffix("}") + "  loss probe = sum_all(logits * logits) / num_rows(logits);\n}\n"
    return text


def make_graph(rng, of_graphs):
    def reals(*shape):
        return Tensor("F32", list(shape), [round_f32(rng.gauss(0, 1)) for _ in range(math.prod(shape))])

    batch = sorted([0, 1, 2] + [rng.randrange(GRAPHS) for _ in range(NODES - GRAPHS)])
    pairs = [(rng.randrange(NODES), rng.randrange(NODES)) for _ in range(EDGES)]
    if of_graphs:
        pairs = [(s, d) for s, d in pairs if batch[s] == batch[d]]
    node_type = sorted([0, 1] + [rng.randrange(2) for _ in range(NODES - 2)])
    x = reals(NODES, FEATURES)
    x.data = [round_f32(abs(v) + 0.1) for v in x.data]  # row_normalize divides by their sum
    tensors = {"edge_index": Tensor("I64", [2, len(pairs)], [p[end] for end in (0, 1) for p in pairs]), "x": x,
               "y": Tensor("I32", [GRAPHS if of_graphs else NODES], [rng.randrange(CLASSES) for _ in range(GRAPHS if of_graphs else NODES)]),
               "train_mask": Tensor("U8", [NODES], [rng.randrange(2) for _ in range(NODES)]),
               "edge_type": Tensor("I64", [len(pairs)], [e % TYPES for e in range(len(pairs))]),
               "node_type": Tensor("I64", [NODES], node_type), "node_emb.weight": reals(NODES, FEATURES)}
    if of_graphs:
        tensors["batch"] = Tensor("I64", [NODES], batch)
        tensors["ptr"] = Tensor("I64", [GRAPHS + 1], [batch.index(g) for g in range(GRAPHS)] + [NODES])
    return tensors


def random_weights(rng, program, session):
    """Random numbers for each weight, in the shapes of the weights file."""
    made = {}
    for info in program.weights:
        name, shape = info.source.decode(), info.shape(session.sizes)
        numbers = [rng.uniform(0.5, 2) if "running_var" in name else rng.gauss(0, 0.4) for _ in range(math.prod(shape))]
        made[name] = Tensor("F32", list(shape), [round_f32(x) for x in numbers])
    return made


class Model:
    """A model of examples/ with its graph; the tape's gradients are computed once for all levels."""

    def __init__(self, tools, folder, name):
        self.tools, self.name, self.stem, text = tools, name, os.path.join(folder, name), model_text(name)
        with open(f"{self.stem}.gnn", "w", encoding="utf-8") as f:
            f.write(text)
        self.graph = make_graph(random.Random(1), "graph f32" in text)
        write(f"{self.stem}.safetensors", self.graph)
        self.dims = {d: n for d, n in DIMS.items() if re.search(rf"\b{d}\b", text.split("let")[0])}
        self.expected = None

    def program(self, level):
        source = f"{self.stem}_{level}.c"
        self.tools.call([self.tools.gnnc, "--target=c", "--train", f"-{level}", f"--float={'f64' if level == 'O0' else 'f32'}", f"{self.stem}.gnn",
                         "--graph", f"{self.stem}.safetensors", *(f"--dim={d}={n}" for d, n in self.dims.items()), "-o", source])
        build(source, f"{source}.so", ["-O1"])
        return Program(f"{source}.so", f"{self.name}_train")

    def check(self, level):
        """Returns how many tensors have a gradient, what is wrong, and the largest difference beside the largest gradient."""
        program = self.program(level)
        session = program.bind(self.graph, NODES)
        weights = random_weights(random.Random(2), program, session)
        session.tensors.update(weights)
        loss, found = session.gradients(session.inputs(), [t.data for t in weights.values()])
        if self.expected is None:
            self.expected = tape_rules.differentiate(self.tools.tree(f"{self.stem}.gnn"), (self.graph, {"num_nodes": NODES}), weights, self.dims)
        expected_loss, expected = self.expected
        wrong = [] if abs(loss - expected_loss) <= 1e-5 * (1 + abs(expected_loss)) else [f"the loss is {loss!r}, expected {float(expected_loss)!r}"]
        largest = max(abs(g) for right in expected.values() for g, _ in right)
        worst, tensors = 0.0, 0
        for i, (tensor, got) in enumerate(zip(weights, found, strict=True)):
            if program.info.weight_infos[i].is_trained:
                far, said = judge(level, got, expected[tensor], largest)
                worst, tensors = max(worst, far), tensors + 1
                wrong += [f"{tensor}: {said}"] if said else []
        return tensors, [f"{self.name} -{level}: {said}" for said in wrong], worst


def judge(level, got, expected, largest):
    """Returns the largest difference beside the largest gradient of the model, and what is wrong."""
    unit, worst = exact.UNITS["f64" if level == "O0" else "f32"], 0.0
    for i, (g, (right, bound)) in enumerate(zip(got, expected, strict=True)):
        worst = max(worst, abs(g - right) / largest)
        away = max(abs(g - right) - exact.half_place(right), 0.0)
        if not away <= min(OF_LARGEST[level] * largest, exact.SLACK * bound * unit + exact.TINY):
            return worst, f"number {i} is {g!r}, expected {right!r}; the largest of the model is {largest!r}, the bound {bound * unit!r}"
    return worst, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--models", type=lambda t: t.split(","), default=sorted(f[:-4] for f in os.listdir(os.path.join(ROOT, "examples")) if f.endswith(".gnn")))
    parser.add_argument("--levels", type=lambda t: t.split(","), default=["O0", "O2", "O3"])
    options = parser.parse_args()
    tools, passed, failed = Tools(options.bin), 0, []
    with tempfile.TemporaryDirectory(prefix="gnnc-examples-") as folder:
        for name in options.models:
            model, said = Model(tools, folder, name), []
            for level in options.levels:
                try:
                    right, wrong, worst = model.check(level)
                except Failed as error:
                    right, wrong, worst = 0, [f"{name} -{level}: {error}"], float("nan")
                passed += right - len(wrong)
                failed += wrong
                said.append(f"-{level} {worst:.1e}")
            print(f"{name}: {right} tensors, largest difference beside the largest gradient: {', '.join(said)}", flush=True)
    for line in failed:
        print(f"FAILED {line}")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
