#!/usr/bin/env python3
"""Compile time of gnnc against the depth of the model: python3 bench/compile_scaling.py

Compiles GCN models of 100 to 4000 layers to C, prints a table and writes compile_scaling.csv into --out (default build/bench).
`ratio` is the growth of processor time divided by the growth of the depth since the row above: 1 is linear, 4 would be quadratic where
the depth grows fourfold. Each row is the fastest of --runs whole processes; on a busy machine `seconds` exceeds `cpu`.
"""
import argparse
import csv
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

MODEL = """model deep {{
  graph g;
  dim H;
  input x : node f32[H];
  let h = x;
  repeat k in 0..{layers} {{ h = relu(gcn_conv(g, h, H) from "layers.{{k}}"); }}
  output y = h;
}}
"""


def compile_seconds(gnnc, out, layers, level, runs):
    """Seconds and processor seconds of the fastest run; a failure ends the benchmark."""
    source = f"{out}/deep_{layers}.gnn"
    with open(source, "w", encoding="utf-8") as file:
        file.write(MODEL.format(layers=layers))
    command = [gnnc, "--target=c", f"-O{level}", source, "--dim", "H=16", "-o", f"{out}/deep_{layers}.c"]
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        with subprocess.Popen(command) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"compile_scaling: failed: {' '.join(command)}")
        taken.append((time.perf_counter() - start, usage.ru_utime + usage.ru_stime))
    return min(seconds for seconds, _ in taken), min(cpu for _, cpu in taken)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of gnnc")
    parser.add_argument("--out", default=f"{ROOT}/build/bench", help="folder for the models, what they become, and the table")
    parser.add_argument("--layers", type=int, nargs="+", default=[100, 200, 400, 1000, 2000, 4000], help="depths, rising")
    parser.add_argument("--level", choices="0123", default="2", help="optimisation level")
    parser.add_argument("--runs", type=int, default=3, help="runs per depth")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    rows = []
    print(f"{'layers':>8} {'seconds':>9} {'cpu':>9} {'ratio':>6}")
    for layers in options.layers:
        seconds, cpu = compile_seconds(f"{options.bin}/gnnc", options.out, layers, options.level, options.runs)
        ratio = f"{cpu / rows[-1]['cpu'] / (layers / rows[-1]['layers']):.2f}" if rows else ""
        rows.append({"layers": layers, "seconds": round(seconds, 4), "cpu": round(cpu, 4), "ratio": ratio})
        print(f"{layers:>8} {seconds:>9.3f} {cpu:>9.3f} {ratio:>6}", flush=True)
    path = f"{options.out}/compile_scaling.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    print(f"written: {path}")


if __name__ == "__main__":
    main()
