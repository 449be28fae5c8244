"""The oracle itself: the interpreter reproduces the golden logits of models trained elsewhere, and the generator repeats itself.

    python3 oracle.py [--bin build/bin] [--shared ../shared]

The golden logits were computed in double by programs that share nothing with this project, so agreement to the
rounding of their f32 file (1e-6) proves the reading of the language. Cases without their data are skipped.
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Tools

from golden import GRAPHS, has_data

from generate import generate
from interpreter import evaluate_model
from safetensors import copy, read



def golden_case(tools, data, model):
    """Returns what is wrong, or None. The compressed features are enough, and quicker to read."""
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
    """Two generations of one seed are the same test."""
    a, b = generate(seed), generate(seed)
    same = a.text == b.text and a.graph == b.graph and a.weights == b.weights and a.metadata == b.metadata
    return None if same else "two generations differ"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, data = Tools(options.bin), os.path.join(options.shared, "data")
    passed = failed = skipped = 0
    cases = [(f"{g} {m}", lambda m=m: golden_case(tools, data, m)) for m, g in GRAPHS.items()]
    cases += [(f"seed {s}", lambda s=s: determinism_case(s)) for s in range(20)]
    for name, case in cases:
        if not name.startswith("seed") and not has_data(options.shared, name.split()[1]):
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
