"""The oracle is right: the interpreter reproduces golden logits, the generator repeats itself, and element-wise functions agree with generated C.

    python3 oracle.py [--bin build/bin] [--models gcn,gat] [--shared ../shared]

The golden logits were computed in double by programs that share nothing with this project, so agreement to the
rounding of their f32 file (1e-6) proves the reading of the language. Cases without their data are skipped.
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from golden import GRAPHS, has_data, names
from random_models import UNITS, Difference, compare, expected_outputs

import elementwise
from generate import generate
from interpreter import evaluate_model
from safetensors import Tensor, copy, read, write

GRID = [-2.3, -1.1, -0.4, 0.3, 0.9, 1.7, 2.6, 0.0, -0.5, 0.5, 1.5, 2.5, 1.0, -1.0, 3.0, -7.25, 20.0, -20.0, 1e-6, -1e-6]

def golden_case(tools, data, model):
    """Returns the error, or None. It reads the compressed features alone, which is quicker."""
    name = GRAPHS[model]
    tree = tools.tree(os.path.join(ROOT, "examples", f"{model}.gnn"))
    with tempfile.TemporaryDirectory(prefix="gnnc-oracle-") as scratch:
        graph = os.path.join(data, "graphs", f"{name}.safetensors")
        if name == "cora":
            graph = os.path.join(scratch, "cora.safetensors")
            copy(os.path.join(data, "graphs", "cora.safetensors"), graph, ["x"])
        got = evaluate_model(tree, graph, os.path.join(data, "weights", f"{name}_{model}.safetensors"))["logits"]
    golden = read(os.path.join(data, "golden", f"{name}_{model}.safetensors"), ["logits"])[0]["logits"]
    numbers = [x for row in got.rows for x in row]
    scale = max(1.0, max(map(abs, golden.data)))
    worst = max(abs(a - b) for a, b in zip(numbers, golden.data, strict=True))
    return f"logits differ by {worst:.3g}" if worst > 1e-6 * scale else None


def determinism_case(seed):
    """Two generations with the same seed give the same test."""
    a, b = generate(seed), generate(seed)
    same = a.text == b.text and a.graph == b.graph and a.weights == b.weights and a.metadata == b.metadata
    return None if same else "two generations differ"


def function_model():
    """Yields a call of every function that the language calls by name, with the default numbers and with others."""
    lines = ["model functions {", "  graph g;", "  input a : node f32;", "  input b : node f32;"]
    for row in elementwise.UNARY.values():
        numbers = "".join(f", {name} = {0.25 + i}" for i, (name, _) in enumerate(row.numbers))
        if row.kind == "function":
            lines.append(f"  output y_{row.name} = {row.name}(a);")
        if row.kind == "function" and numbers:
            lines.append(f"  output z_{row.name} = {row.name}(a{numbers});")
    lines += [f"  output y_{row.name} = {row.name}(a, b);" for row in elementwise.BINARY.values() if row.kind == "binary"]
    return "\n".join([*lines, "}", ""])


def function_case(tools, level, float_type):
    """Returns the error of a function on the pairs of the grid, or None."""
    pairs = [(a, b) for a in GRID for b in GRID]
    with tempfile.TemporaryDirectory(prefix="gnnc-oracle-") as folder:
        model, graph, weights, program = (os.path.join(folder, n) for n in ("model.gnn", "graph.safetensors", "weights.safetensors", "m.c"))
        with open(model, "w", encoding="utf-8") as f:
            f.write(function_model())
        write(graph, {"edge_index": Tensor("I64", [2, 0], []), "a": Tensor("F32", [len(pairs)], [a for a, _ in pairs]),
                      "b": Tensor("F32", [len(pairs)], [b for _, b in pairs])}, {"num_nodes": len(pairs)})
        write(weights, {"none": Tensor("F32", [1], [0.0])})
        try:
            tools.compile(model, program, graph, weights, [f"-{level}", f"--float={float_type}"])
            expected, got = expected_outputs(tools, folder), tools.run(program, graph, weights, os.path.join(folder, "out.safetensors"))
            for name, value in expected.items():
                looked_at, _ = compare(name, value, got[name], UNITS[float_type])
                if looked_at < len(pairs) / 3:
                    return f"of {name} only {looked_at} numbers have a bound"
        except (Failed, Difference) as error:
            return str(error)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--models", type=names, default=list(GRAPHS))
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, data = Tools(options.bin), os.path.join(options.shared, "data")
    passed = failed = skipped = 0
    cases = [(f"{g} {m}", lambda m=m: golden_case(tools, data, m)) for m, g in GRAPHS.items() if m in options.models]
    cases += [(f"seed {s}", lambda s=s: determinism_case(s)) for s in range(20)]
    cases += [(f"functions {f} {level}", lambda f=f, level=level: function_case(tools, level, f))
              for f in ("f32", "f64") for level in ("O0", "O1", "O2", "O3")]
    for name, case in cases:
        if not name.startswith(("seed", "functions")) and not has_data(options.shared, name.split()[1]):
            skipped += 1
            continue
        wrong = case()
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAILED {name}: {wrong}")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
