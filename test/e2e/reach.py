"""The receptive field of a random model has all that its outputs depend on.

    python3 reach.py [--bin build/bin] [--count 8] [--seed 1]

Each model is compiled with -O0 --float=f64, and gnn-run --verify computes rows of one and of five nodes again with the same arithmetic, on
the part of the graph that the compiler says is needed. So a row that misses a node or an edge differs, and others are equal but for
the rounding of outputs.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

from programs import LIMIT_SECONDS, ROOT, Tools

from generate import generate, write_case

NODES = 300  # most nodes; in small graphs the part is the whole
STATEMENTS = 14  # most statements, for chains of several sums


def check(tools, folder, seed):
    """Returns the messages of a run that differs, or None, and how many parts are smaller than the graph."""
    model, graph, weights, source = (os.path.join(folder, n) for n in ("model.gnn", "graph.safetensors", "weights.safetensors", "m.c"))
    write_case(folder, generate(seed, NODES, STATEMENTS))
    tools.compile(model, source, graph, weights, ["-O0", "--float=f64"])
    smaller = 0
    for count in (1, 5):
        command = [tools.gnn_run, source, "--graph", graph, "--weights", weights, f"--verify={count}", "--tolerance=1e-6"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False, env={**os.environ, "CFLAGS": "-O0"})
        found = re.search(r"verify: \d+ of (\d+) nodes again in double precision, from (\d+)", done.stdout)
        smaller += bool(found) and int(found[2]) < int(found[1])
        if done.returncode:
            return f"--verify={count}\n{done.stdout}{done.stderr}", smaller
    return None, smaller


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tools, failed, smaller = Tools(options.bin), 0, 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory(prefix="gnnc-reach-") as folder:
            said, parts = check(tools, folder, seed)
        smaller += parts
        if said:
            failed += 1
            print(f"FAILED python3 {os.path.relpath(__file__, ROOT)} --count 1 --seed {seed}\n{said}")
    print(f"{smaller} of {2 * options.count} runs on a part that is smaller than the graph")
    print(f"{options.count - failed} passed, {failed} failed")
    sys.exit(1 if failed or not smaller else 0)


if __name__ == "__main__":
    main()
