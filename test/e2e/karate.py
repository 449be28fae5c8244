"""The trained GCN of examples/karate goes from text to safetensors to C to predictions, of which 33 of 34 are right.

    python3 karate.py [--bin build/bin]

The test repeats the first command of the README at every -O level. Every member's class equals the interpreter's.
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from interpreter import evaluate_model
from safetensors import read

KARATE = os.path.join(ROOT, "examples", "karate")
WRONG = [8]  # the only member whose prediction is wrong


def classes_of(rows):
    return [max(range(len(row)), key=row.__getitem__) for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    options = parser.parse_args()
    tools, failed = Tools(options.bin), 0
    model = os.path.join(ROOT, "examples", "gcn.gnn")
    with tempfile.TemporaryDirectory(prefix="gnnc-karate-") as folder:
        graph, weights, program, out = (os.path.join(folder, n) for n in ("k.safetensors", "w.safetensors", "gcn.c", "out"))
        tools.call([os.path.join(options.bin, "gnn-data"), "convert", os.path.join(KARATE, "karate.txt"), "-o", graph])
        tools.call([os.path.join(options.bin, "gnn-data"), "convert", os.path.join(KARATE, "karate_gcn.txt"), "-o", weights])
        labels = read(graph)[0]["y"].data
        expected = evaluate_model(tools.tree(model), graph, weights)["logits"].rows
        for level in ("O0", "O1", "O2", "O3"):
            try:
                tools.compile(model, program, graph, weights, [f"-{level}"])
                data = tools.run(program, graph, weights, out)["logits"].data
            except Failed as error:
                failed += 1
                print(f"FAILED -{level}: {error}")
                continue
            rows = [data[2 * n:2 * n + 2] for n in range(len(labels))]
            worst = max(abs(a - b) for ra, rb in zip(rows, expected) for a, b in zip(ra, rb))
            wrong = [n for n, (c, y) in enumerate(zip(classes_of(rows), labels)) if c != y]
            if wrong != WRONG or worst > 1e-5:
                failed += 1
                print(f"FAILED -{level}: members {wrong} misplaced, logits differ by {worst:.3g}")
    print(f"{4 - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
