"""A model without weights gives the interpreter's numbers on every target, with an empty weights file and with none.

    python3 no_weights.py [--bin build/bin]
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from interpreter import evaluate_model
from safetensors import Tensor, read, write

MODEL = """model m {
  graph g;
  input x : node f32[4];
  let s = keep_one_self_loop(g);
  for n in s.nodes { n.y = relu(mean(e in n.incoming: e.src.x) - n.x / 2); }
  output y = n.y;
}
"""
TARGETS = ["c", "graphagile", "host"]


def outputs(tools, folder, model, target, options):
    program, graph, out = (os.path.join(folder, n) for n in ("m.c" if target == "c" else "m.bin", "graph.safetensors", "out.safetensors"))
    tools.call([tools.gnnc, f"--target={target}", model, f"--graph={graph}", "-o", program, *options])
    tools.call([tools.gnn_run, program, f"--graph={graph}", "-o", out, *(options if target == "c" else [])])
    return read(out)[0]["y"].data


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    tools, passed, failed = Tools(parser.parse_args().bin), 0, 0
    with tempfile.TemporaryDirectory(prefix="gnnc-no-weights-") as folder:
        model, graph, weights = (os.path.join(folder, n) for n in ("m.gnn", "graph.safetensors", "weights.safetensors"))
        with open(model, "w", encoding="utf-8") as f:
            f.write(MODEL)
        write(graph, {"edge_index": Tensor("I64", [2, 4], [0, 1, 2, 2, 1, 2, 0, 2]),
                      "x": Tensor("F32", [4, 4], [float(i % 5) - 2 for i in range(16)])}, {"num_nodes": 4})
        write(weights, {})
        expected = [v for row in evaluate_model(tools.tree(model), graph, None)["y"].rows for v in row]
        for target in TARGETS:
            for options in ([], [f"--weights={weights}"]):
                try:
                    got = outputs(tools, folder, model, target, options)
                    wrong = max(abs(a - b) for a, b in zip(got, expected, strict=True)) > 1e-6 and f"{got}, expected {expected}"
                except Failed as error:
                    wrong = str(error)
                passed, failed = passed + (not wrong), failed + bool(wrong)
                if wrong:
                    print(f"FAILED {target} {' '.join(options)}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
