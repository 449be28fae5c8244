"""Models with rows of thousands of numbers, too long for several of them on the stack, agree with the interpreter.

    python3 wide_rows.py [--bin build/bin] [--widths 2033,3072,5000,20000] [--only NAME]

The widths are: the first one at which products run over blocks of columns, two usual ones of transformers, and one that no
local array holds. Depths are small, because the interpreter multiplies number by number. Bounds are those of random_models.py.
"""
import argparse
import math
import os
import random
import re
import sys
import tempfile

from programs import ROOT, Failed, Tools

from random_models import UNITS, Difference, compare, expected_outputs
from safetensors import Tensor, round_f32, write

NODES, EDGES, TYPES, DEPTH = 5, 11, 2, 40
VARIANTS = [("f32", "O0"), ("f32", "O3"), ("f64", "O0")]

# W stands for the width. The shapes of weights are written as numbers, from which the test makes the tensors.
MODELS = {
    "store": "weight A : f32[40, W]; output y = x @ A;",
    "relu": "weight A : f32[40, W]; weight b : f32[W]; output y = relu(x @ A + b);",
    "transposed": "weight A : f32[W, 40]; output y = relu(x @ transpose(A)) * 2;",
    "two_layers": "weight A : f32[40, W]; weight b : f32[W]; weight B : f32[W, 3]; output y = relu(x @ A + b) @ B;",
    "softmax": "weight A : f32[40, W]; output y = softmax(x @ A); output z = sum(relu(x @ A));",
    "sums": """weight A : f32[40, W];
  let h = relu(x @ A);
  for n in g.nodes {
    n.s = relu(sum(e in n.incoming: e.src.h));
    n.m = relu(max(e in n.incoming: e.src.h));
    n.a = relu(mean(e in n.incoming: e.src.h) + n.h);
  }
  output y = n.s; output m = n.m; output a = n.a;""",
    "side_by_side": """weight A : f32[40, W]; weight B : f32[40, W];
  output y = concat(relu(x @ A), x @ B); output z = sum((x @ A) * (x @ B));""",
    "gat": """weight A : f32[40, W]; weight u : f32[1, W];
  let z = reshape(x @ A, [1, W]);
  for n in g.nodes { n.p = dot(n.z, u); }
  for e in g.edges { e.a = leaky_relu(e.src.p + e.dst.p, 0.2); }
  edge_softmax(g, inout e.a);
  for n in g.nodes { for e in n.incoming { n.y += e.a * e.src.z; } n.r = relu(n.y); }
  output y = n.r;""",
    "gatv2": """weight A : f32[40, W]; weight t : f32[W];
  let z = x @ A;
  for e in g.edges { e.a = dot(leaky_relu(e.src.z + e.dst.z, 0.2), t); }
  edge_softmax(g, inout e.a);
  for n in g.nodes { for e in n.incoming { n.y += e.a * e.src.z; } }
  output y = relu(n.y);""",
    "softmax_per_channel": """weight A : f32[40, W];
  let z = x @ A;
  for e in g.edges { e.a = e.src.z + e.dst.z; }
  edge_softmax(g, inout e.a);
  for n in g.nodes { for e in n.incoming { n.y += e.a * e.src.z; } }
  output y = relu(n.y);""",
    "heads": """weight A : f32[10, W]; let z = reshape(x, [4, 10]) @ A; output y = relu(z);""",
    "batch": """weight A : etype f32[4, 10, W];
  for e in g.edges { e.m = reshape(e.src.x, [4, 10]) @ A[e.type]; }
  for n in g.nodes { n.y = relu(sum(e in n.incoming: e.m)); }
  output y = n.y;""",
    "edges": """weight A : etype f32[40, W]; weight b : etype f32[W];
  for e in g.edges { e.m = relu(e.src.x @ A[e.type] + b[e.type]); }
  for n in g.nodes { n.y = relu(sum(e in n.incoming: e.m)); }
  output y = n.y; output m = e.m;""",
    "relations": """weight A : etype f32[40, W]; weight R : f32[40, W]; weight b : f32[W];
  for n in g.nodes { for e in n.incoming { n.y += e.src.x @ A[e.type]; } }
  output y = relu(x @ R + b + n.y);""",
    "node_types": """weight A : ntype f32[40, W]; weight b : ntype f32[W];
  for n in g.nodes { n.y = gelu(n.x @ A[n.type] + b[n.type]); }
  output y = n.y;""",
}


def make_case(folder, name, width, rng):
    """The files of one model."""
    def number(scale=1.0):
        return round_f32(rng.uniform(-scale, scale))

    os.makedirs(folder, exist_ok=True)
    body = re.sub(r"\bW\b", str(width), MODELS[name])
    with open(os.path.join(folder, "model.gnn"), "w") as f:
        f.write(f"model wide {{\n  graph g;\n  input x : node f32[{DEPTH}];\n  {body}\n}}\n")
    pairs = [(rng.randrange(NODES), rng.randrange(NODES - 1)) for _ in range(EDGES)]
    write(os.path.join(folder, "graph.safetensors"), {
        "edge_index": Tensor("I64", [2, EDGES], [p[end] for end in (0, 1) for p in pairs]),
        "edge_type": Tensor("I32", [EDGES], [rng.randrange(TYPES) for _ in pairs]),
        "node_type": Tensor("I32", [NODES], [rng.randrange(TYPES) for _ in range(NODES)]),
        "x": Tensor("F32", [NODES, DEPTH], [number() for _ in range(NODES * DEPTH)]),
    }, {})
    weights = {}
    for weight, per, dims in re.findall(r"weight (\w+) +: (etype |ntype |)f32\[([\d, ]+)\]", body):
        shape = ([TYPES] if per else []) + [int(d) for d in dims.split(",")]
        weights[weight] = Tensor("F32", shape, [number(0.1) for _ in range(math.prod(shape))])
    write(os.path.join(folder, "weights.safetensors"), weights)


def check_model(tools, name, width):
    """Returns the error, or None."""
    with tempfile.TemporaryDirectory(prefix="gnnc-wide-") as folder:
        make_case(folder, name, width, random.Random(f"{name} {width}"))
        graph, weights = (os.path.join(folder, f"{n}.safetensors") for n in ("graph", "weights"))
        expected = expected_outputs(tools, folder)
        for float_type, level in VARIANTS:
            program = os.path.join(folder, f"wide_{level}_{float_type}.c")
            try:
                tools.compile(os.path.join(folder, "model.gnn"), program, graph, weights,
                              [f"-{level}", f"--float={float_type}"])
                for _, got in tools.run_with_threads(program, graph, weights, os.path.join(folder, "out"), [1, 2]):
                    for output, value in expected.items():
                        compare(output, value, got[output], UNITS[float_type])
            except (Failed, Difference) as error:
                return f"-{level} --float={float_type}: {error}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--widths", default="2033,3072,5000,20000")
    parser.add_argument("--only", help="a model's name")
    options = parser.parse_args()
    tools, passed, failed = Tools(options.bin), 0, 0
    os.environ["CFLAGS"] = "-O1"
    for name in [options.only] if options.only else MODELS:
        for width in map(int, options.widths.split(",")):
            wrong = check_model(tools, name, width)
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAILED {name} of {width}: {wrong}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
