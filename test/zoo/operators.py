"""Operators of the library give the numbers of their formulas, written out here in plain Python from the papers.

    python3 operators.py [--bin build/bin] [--machine c|interpreter|graphagile|...] [--only fa,pna]

One model calls all operators, on a graph with isolated nodes, self loops and duplicates. The module `formulas` has the expected numbers. In C the largest
difference is at most 1e-5 * max(1, largest), on machines 1e-4; they take no graphs that are made while a model runs. The last line is "N passed, N failed".
"""
import argparse
import os
import random
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from programs import ROOT, Failed, Tools, read  # noqa: E402  (after the change of sys.path)
from interpreter import evaluate_model  # noqa: E402
from safetensors import Tensor, write  # noqa: E402

import cases  # noqa: E402
from tiny_graph import Graph  # noqa: E402

TOLERANCE = {"c": 1e-5}
MACHINE_TOLERANCE = 1e-4


def flat(value):
    """The numbers of nested lists, row by row."""
    return [x for v in value for x in flat(v)] if isinstance(value, list) else [value]


def nested(numbers, shape):
    """A flat list as nested lists."""
    if not shape:
        return numbers[0]
    step = len(numbers) // shape[0]
    return [nested(numbers[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]


def model_text(names):
    """One model that calls the operators, each with the prefix of its name."""
    lines = [cases.LAYERS, "model operators {", "  graph g;", *(f"  input {name} : {kind};" for name, kind in cases.INPUTS.items())]
    for name in names:
        call = cases.CASES[name].call
        lines.append(f"  output {name} = {call}" + (f' from "{name}";' if cases.CASES[name].weights else ";"))
    return "\n".join([*lines, "}", ""])


def make_weights(rng, case):
    """name -> (shape, flat numbers), multiples of 1/64, so that f32 holds them exactly."""
    made = {}
    for name, shape in case.weights.items():
        count = 1
        for size in shape:
            count *= size
        low = 16 if name in case.positive else -64
        made[name] = shape, [rng.randint(low, 64) / 64 for _ in range(count)]
    return made


def write_files(names, graph, scratch):
    """Writes model, graph and weights; returns (their paths, operator -> name -> nested lists)."""
    rng = random.Random(5)
    weights, tensors = {}, {}
    for name in names:
        made = make_weights(rng, cases.CASES[name])
        weights[name] = {n: nested(numbers, shape) for n, (shape, numbers) in made.items()}
        tensors.update({f"{name}.{n}": Tensor("F32", list(shape), numbers) for n, (shape, numbers) in made.items()})
    paths = [os.path.join(scratch, n) for n in ("operators.gnn", "graph.safetensors", "weights.safetensors")]
    with open(paths[0], "w", encoding="utf-8") as f:
        f.write(model_text(names))
    write(paths[1], graph.tensors(Tensor), {"num_nodes": graph.count})
    write(paths[2], tensors)
    return paths, weights


def outputs(tools, machine, paths, scratch):
    """Returns name -> Tensor; the interpreter of test/oracle reads the same text as the compiler."""
    model, graph, weights = paths
    if machine == "interpreter":
        values = evaluate_model(tools.tree(model), graph, weights)
        return {name: Tensor("F64", [], flat(value.rows)) for name, value in values.items()}
    program, out = os.path.join(scratch, "operators.c" if machine == "c" else "operators.bin"), os.path.join(scratch, "out.safetensors")
    tools.call([tools.gnnc, f"--target={machine}", model, f"--graph={graph}", f"--weights={weights}", "-o", program])
    tools.call([tools.gnn_run, program, f"--graph={graph}", "-o", out, *([f"--weights={weights}"] if machine == "c" else [])])
    return read(out)[0]


def find_accepted(tools, machine, names, others, graph, folder):
    """The names of cases that depend on an order and that a machine does not refuse with a message that names the C target."""
    accepted = []
    for name in names:
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            paths, _ = write_files([*others, name], graph, scratch)
            try:
                outputs(tools, machine, paths, scratch)
            except Failed as error:
                if "[unsupported]" in str(error) and "--target=c" in str(error):
                    continue
                print(error)
            accepted.append(name)
    return accepted


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--machine", default="c")
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of cases")
    parser.add_argument("--keep", help="a folder for the files, which then stay")
    options = parser.parse_args()
    names, failed = options.only or list(cases.CASES), 0
    is_machine = options.machine not in ("c", "interpreter")
    ordered = [name for name in names if is_machine and cases.CASES[name].is_ordered]
    names = [name for name in names if name not in ordered]
    os.environ.setdefault("CFLAGS", "-O1")
    with tempfile.TemporaryDirectory(prefix="gnnc-operators-") as folder:
        scratch = options.keep or folder
        graph = Graph(random.Random(3))
        paths, weights = write_files(names, graph, scratch)
        try:
            got = outputs(Tools(options.bin), options.machine, paths, scratch)
        except Failed as error:
            sys.exit(f"FAILED: {error}\n0 passed, {len(names)} failed")
        for name in names:
            expected = flat(cases.CASES[name].formula(graph, weights[name]))
            allowed = TOLERANCE.get(options.machine, MACHINE_TOLERANCE) * max(1.0, *map(abs, expected))
            if len(expected) != len(got[name].data):
                failed += 1
                print(f"FAILED {name}: {len(got[name].data)} numbers, expected {len(expected)}")
                continue
            worst = max(abs(a - b) if a == a else float("inf") for a, b in zip(got[name].data, expected, strict=True))
            if worst > allowed:
                failed += 1
                print(f"FAILED {name}: differs by {worst:.3g}, allowed {allowed:.3g}")
        for name in find_accepted(Tools(options.bin), options.machine, ordered, names, graph, scratch):
            failed += 1
            print(f"FAILED {name}: the machine does not refuse it as it should")
    names += ordered
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
