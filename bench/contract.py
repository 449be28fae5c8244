#!/usr/bin/env python3
"""The speed of sums over rows (gnn.contract, the gradient of a product by its weights) beside that of the product itself.

    python3 bench/contract.py [--rows 100000] [--depths 16,64,128,256] [--widths 16,64,128,256] [--threads 1] [--repeat 40]

For each depth K and width N it prints GFLOP/s of x @ W for nodes and of x^T d for the rows, in f32 and in one run, and their ratio; --gate R
fails where a ratio is less than R. The times are those of the calls that `gnn-run --profile` measures: the best of two means over
--repeat runs, of which the first one is cold.
--kind says which rows: node (default), gather (x at the sources of edges), sparse (x has 10 % of its entries), etype (a sum for each of
four types of edges), bias (no x: the sum of d, in GB/s), index (gnn.sum_by, the gradient of a table of K rows, beside gnn.lookup in it: GB/s
of the rows that are picked and added up).
"""
import argparse
import array
import os
import random
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "oracle"))
from safetensors import Tensor, write  # noqa: E402  (after the change of sys.path)

TYPES = 4


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def program_of(x, d, w, y, result, lines):
    body = "\n    ".join([f"%W = ml_program.global_load_const @W : {w}", *lines])
    return f"""module attributes {{gnn.model = "m", gnn.source = "m.gnn"}} {{
  ml_program.global private @W(#ml_program.extern) : {w} {{gnn.from = "W", gnn.name = "W"}}
  func.func @m(%g: !gnn.graph<"g"> {{gnn.name = "g"}}, %x: {x} {{gnn.from = "x", gnn.name = "x"}}, %d: {d} {{gnn.from = "d", gnn.name = "d"}}) -> ({y} {{gnn.name = "y"}}, {result} {{gnn.name = "w"}}) {{
    {body}
    return %y, %w : {y}, {result}
  }}
}}
"""


def index_module(depth, width):
    """A program with rows of a table and the sum of the rows with each index."""
    x, d, w = '!gnn.node<"g", i32>', f'!gnn.node<"g", tensor<{width}xf32>>', f"tensor<{depth}x{width}xf32>"
    return program_of(x, d, w, d, w, [f'%y = "gnn.lookup"(%W, %x) : ({w}, {x}) -> {d}',
                                      f'%w = "gnn.sum_by"(%g, %d, %x) {{rows = {depth} : i64}} : (!gnn.graph<"g">, {d}, {x}) -> {w}'])


def module(kind, depth, width):
    """A program with the product and the sum."""
    if kind == "index":
        return index_module(depth, width)
    set_of = "edge" if kind in ("gather", "etype") else "node"
    d = f'!gnn.{set_of}<"g", tensor<{width}xf32>>'
    x = f'!gnn.{"sparse" if kind == "sparse" else "node"}<"g", tensor<{depth}xf32>>'
    y, at = f'!gnn.node<"g", tensor<{width}xf32>>', "%x"
    sums = f"tensor<{depth}x{width}xf32>" if kind != "bias" else f"tensor<{width}xf32>"
    w, lines, x_type = f"tensor<{depth}x{width}xf32>", [], x
    if set_of == "edge":
        at, x_type = "%s", f'!gnn.edge<"g", tensor<{depth}xf32>>'
        lines.append(f'%s = "gnn.gather"(%g, %x) {{end = "src"}} : (!gnn.graph<"g">, {x}) -> {x_type}')
    lines.append(f'%y = "gnn.linear"(%x, %W) {{operandSegmentSizes = array<i32: 1, 1, 0, 0>}} : ({x}, {w}) -> {y}')
    attributes = f'{{per = "etype", count = {TYPES} : i64}}' if kind == "etype" else ""
    result = f'!gnn.per<"etype", {sums}>' if kind == "etype" else sums
    operands = ("%g", "%d") if kind == "bias" else ("%g", at, "%d")
    types = ('!gnn.graph<"g">', d) if kind == "bias" else ('!gnn.graph<"g">', x_type, d)
    lines.append(f'%w = "gnn.contract"({", ".join(operands)}) {attributes} : ({", ".join(types)}) -> {result}')
    return program_of(x, d, w, y, result, lines)


def numbers(rng, count, zeros=0.0):
    """`count` numbers, whose beginning repeats."""
    few = [0.0 if rng.random() < zeros else rng.random() - 0.5 for _ in range(10007)]
    return (array.array("f", few) * (count // len(few) + 1))[:count]


def picked_rows(rng, nodes, depth):
    return Tensor("I32", [nodes], [rng.randrange(depth) for _ in range(nodes)])


def count_nodes(options):
    return options.rows // 8 if options.kind in ("gather", "etype") else options.rows


def write_inputs(options, depth, width):
    rng, rows, nodes = random.Random(1), options.rows, count_nodes(options)
    edges = rows if nodes < rows else 1
    ends = [rng.randrange(nodes) for _ in range(2 * edges)]
    write(f"{options.stem}.safetensors", {
        "edge_index": Tensor("I64", [2, edges], ends),
        "edge_type": Tensor("I64", [edges], [rng.randrange(TYPES) for _ in range(edges)]),
        "x": picked_rows(rng, nodes, depth) if options.kind == "index" else
             Tensor("F32", [nodes, depth], numbers(rng, nodes * depth, 0.9 * (options.kind == "sparse"))),
        "d": Tensor("F32", [rows, width], numbers(rng, rows * width)),
    })
    write(f"{options.stem}_w.safetensors", {"W": Tensor("F32", [depth, width], numbers(rng, depth * width))})


def measure(options, depth, width):
    """Milliseconds of the product and of the sum."""
    program = f"{options.stem}.c"
    with open(f"{options.stem}.mlir", "w", encoding="utf-8") as f:
        f.write(module(options.kind, depth, width))
    write_inputs(options, depth, width)
    run([options.ir_to_c, "2", "f32", f"{options.stem}.mlir", program])
    command = [f"{options.bin}/gnn-run", program, f"--graph={options.stem}.safetensors", f"--weights={options.stem}_w.safetensors",
               "--profile", f"--threads={options.threads}", f"--repeat={options.repeat}"]
    times = {"product": [], "sum": []}
    for _ in range(2):
        said = run(command)
        for ms, name in re.findall(r"^ *([0-9.]+) .* (gemm_y|nodes_y|contract_rows|sum_rows_by) ", said, re.M):
            times["product" if name.endswith("_y") else "sum"].append(float(ms))
    return min(times["product"]), min(times["sum"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--ir-to-c", default=os.path.join(ROOT, "build", "test", "e2e", "ir_to_c"))
    parser.add_argument("--out", default="/tmp")
    parser.add_argument("--rows", type=int, default=100000)
    parser.add_argument("--depths", default="16,64,128,256")
    parser.add_argument("--widths", default="16,64,128,256")
    parser.add_argument("--kind", default="node", choices=["node", "gather", "sparse", "etype", "bias", "index"])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=40)
    parser.add_argument("--gate", type=float, default=0)
    options = parser.parse_args()
    options.stem, least = os.path.join(options.out, "bench_contract"), float("inf")
    print("    K    N   product      sum   ratio")
    for depth in map(int, options.depths.split(",")):
        for width in map(int, options.widths.split(",")):
            product, total = measure(options, depth, width)
            flops = 2e-6 * depth * width * (0.1 if options.kind == "sparse" else 1)
            if options.kind == "bias":
                print(f"{depth:5}{width:5}{count_nodes(options) * flops / product:10.1f}{4e-6 * options.rows * width / total:9.1f} GB/s")
                continue
            if options.kind == "index":
                least = min(least, product / total)
                rates = [4e-6 * options.rows * width / ms for ms in (product, total)]
                print(f"{depth:8}{width:5}{rates[0]:10.1f}{rates[1]:9.1f}{product / total:8.2f}   lookup {product:.3f} ms, sum {total:.3f} ms")
                continue
            product, total = count_nodes(options) * flops / product, options.rows * flops / total
            least = min(least, total / product)
            print(f"{depth:5}{width:5}{product:10.1f}{total:9.1f}{total / product:8.2f}")
    print("GB/s" if options.kind in ("bias", "index") else "GFLOP/s")
    return int(least < options.gate)


if __name__ == "__main__":
    sys.exit(main())
