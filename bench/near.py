#!/usr/bin/env python3
"""The time of knn_graph in generated C against a plain loop (bench/near.c): python3 bench/near.py [--threads=1] [--cells=1024x3x20,...]

A cell is nodes x columns x k, or nodes x columns x k x graphs of a batch. Both sides are compiled with the flags of gnn-run and compute in f32. The time of generated
C is that of its call of near_edges as `gnn-run --profile` measures it, the median of --repeat runs; GFLOP/s count 3 per column and pair of nodes of one graph.
"""
import argparse
import os
import random
import re
import statistics
import struct
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "test", "oracle"))
from safetensors import Tensor, write  # noqa: E402  (after the change of sys.path)

CELLS = "1024x3x20,4096x3x20,4096x64x20,16384x3x20,16384x64x20,32768x64x20x32"
FLAGS = ["-std=c17", "-ffp-contract=fast", "-fno-math-errno", "-O3", "-march=native", "-fopenmp-simd"]
MODEL = """\
model near {{
  graph g;
  input x : node f32[{width}];

  let k = knn_graph(g, x, {k}, loop = true);
  for n in k.nodes {{ n.y = n.in_degree; }}
  output y = n.y;
}}
"""


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def generated_ms(options, nodes, width, k, graphs):
    """Milliseconds of near_edges."""
    stem = os.path.join(options.out, "near")
    with open(f"{stem}.gnn", "w", encoding="utf-8") as f:
        f.write(MODEL.format(width=width, k=k))
    rng, size = random.Random(1), -(-nodes // graphs)
    x = [struct.unpack("<f", struct.pack("<f", rng.random()))[0] for _ in range(nodes * width)]
    write(f"{stem}.safetensors", {"edge_index": Tensor("I64", [2, 1], [0, 0]), "x": Tensor("F32", [nodes, width], x),
                                  "batch": Tensor("I64", [nodes], [n // size for n in range(nodes)])})
    run([f"{options.bin}/gnnc", "--target=c", f"{stem}.gnn", "--graph", f"{stem}.safetensors", "-o", f"{stem}.c"])
    times = []
    for _ in range(options.repeat):
        said = run([f"{options.bin}/gnn-run", f"{stem}.c", "--graph", f"{stem}.safetensors", "--profile", f"--threads={options.threads}"])
        times.append(float(re.search(r"^ *([0-9.]+) .* near_edges ", said, re.M).group(1)))
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "bench"))
    parser.add_argument("--cells", default=CELLS)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    plain = os.path.join(options.out, "near_plain")
    run([os.environ.get("CC", "cc"), *FLAGS, os.path.join(ROOT, "bench", "near.c"), "-o", plain])
    print("   nodes  columns   k  graphs    plain ms  ours ms   ratio  GFLOP/s")
    for cell in options.cells.split(","):
        nodes, width, k, graphs = [*map(int, cell.split("x")), 1][:4]
        base = float(run([plain, str(nodes), str(width), str(k), str(graphs), str(options.repeat)]).split()[0])
        ours = generated_ms(options, nodes, width, k, graphs)
        flops = 3 * width * nodes * (nodes / graphs)
        print(f"{nodes:8} {width:8} {k:3} {graphs:7} {base:11.2f} {ours:8.2f} {base / ours:7.1f} {flops / ours / 1e6:8.1f}", flush=True)


if __name__ == "__main__":
    main()
