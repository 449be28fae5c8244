#!/usr/bin/env python3
"""All machines side by side: every model on the papers' devices and on equal devices: python3 bench/devices.py [--write] [--only MODEL,MODEL]

Each model is compiled for every machine that gnnc knows and for C, and gnn-run --table runs the programs of a model on one graph. The papers' devices are the default of each machine and
the files of data/devices; the equal devices are its files equal-*.json. --write: docs/devices/README.md and the pictures beside it, where the section between the two
marks of what is written by hand stays as it is. --quick: the karate club alone, to try the script.
"""
import argparse
import datetime
import glob
import json
import os
import re
import subprocess
import sys

import devices_cases as cases
import devices_page as page
import devices_picture as picture

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = f"{ROOT}/docs/devices"
REPEAT = 21


class Tools:
    """The programs."""

    def __init__(self, folder):
        self.folder = folder

    def call(self, name, *arguments):
        return subprocess.run([f"{self.folder}/{name}", *arguments], capture_output=True, text=True)

    def run(self, name, *arguments):
        """Standard output; a failure ends the benchmark."""
        done = self.call(name, *arguments)
        if done.returncode:
            sys.exit(f"bench: {name} {' '.join(arguments)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def targets(self):
        """{name: summary} of the targets that gnnc --help lists."""
        lines = self.run("gnnc", "--help").split("\nTargets\n")[1].split("\n\n")[0].split("\n")
        return {name: summary for name, summary in (line.split(None, 1) for line in lines if re.match(r"  \S", line))}


def read_json(path):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


def device_sets(tools):
    """{"paper": [(machine, file or None)], "equal": [...]}: the default device of each machine, and files that describe other devices."""
    machines = [t for t in tools.targets() if t != "c"]
    files = {path: read_json(path) for path in sorted(glob.glob(f"{ROOT}/data/devices/*.json"))}
    sets = {"paper": [(m, None) for m in machines], "equal": []}
    for path, device in files.items():
        is_equal = os.path.basename(path).startswith("equal-")
        sets["equal" if is_equal else "paper"].append((device["machine"], path))
    return sets


class Bench:
    """Compiles and runs; keeps what was found."""

    def __init__(self, options):
        self.options = options
        self.tools = Tools(options.bin)
        os.makedirs(options.out, exist_ok=True)
        self.sets = device_sets(self.tools)
        self.refused = []  # (set, case, machine, message)

    def compile(self, case, target, path, file):
        """None, or the message of gnnc."""
        done = self.tools.call("gnnc", f"--target={target}", *case.options, *([f"--device={file}"] if file else []), "-o", path)
        return None if done.returncode == 0 else done.stderr.strip().split("\n")[0]

    def programs(self, kind, case):
        """The programs of a case; a device that has the name of one before it is the same device."""
        made = []
        stem = f"{self.options.out}/{case.graph_name}_{case.model}"
        for number, (machine, file) in enumerate(self.sets[kind]):
            path = f"{stem}.{kind}{number}.bin"
            message = self.compile(case, machine, path, file)
            if message:
                self.refused.append((kind, case, machine, message))
            else:
                made.append(path)
        return made

    def describe(self, case, c):
        """Sets the sizes of a case from the manifest of its program in C: "1433-16-7, sparse features"."""
        manifest = read_json(c[:-2] + ".json")
        x = manifest["inputs"][0]
        layers = {}  # last bias of each layer, which is what a name up to its number says: "conv1" of "conv1.lin.bias"
        for w in manifest["weights"]:
            if w["name"].endswith("bias"):
                layer = re.match(r"(.*?\d)\.|[^.]*", w["name"]).group(0)
                layers[layer] = w["shape"][-1]
        widths = [x["shape"][-1], *layers.values()]
        runs = []
        for w in widths[1:]:
            if runs and runs[-1][0] == w:
                runs[-1][1] += 1
            else:
                runs.append([w, 1])
        sizes = [str(widths[0])] + [str(w) if n == 1 else "-".join([str(w)] * n) if n < 4 else f"{n} x {w}" for w, n in runs]
        case.sizes = "-".join(sizes) + (", sparse features" if x.get("form") == "csr" else "")

    def run(self, kind, case):
        """The table of a case as gnn-run's JSON. With trained weights the program in C runs, too, and outputs are compared with those of the first program."""
        paths = self.programs(kind, case)
        more = ["--timing-only"] if not case.is_trained else []
        c = f"{self.options.out}/{case.graph_name}_{case.model}.c"
        message = self.compile(case, "c", c, None)
        if message:
            sys.exit(f"bench: {case.name}: {message}")
        self.describe(case, c)
        paths = [c, *paths] if case.is_trained else paths
        done = self.tools.call("gnn-run", "--table=json", *paths, f"--graph={case.graph}", f"--weights={case.weights}", f"--repeat={self.options.repeat}", *more)
        if not done.stdout:
            sys.exit(f"bench: gnn-run --table {' '.join(paths)}\n{done.stderr}")
        table = json.loads(done.stdout)
        seen, kept = set(), []
        for p in table["programs"]:
            key = (p.get("machine"), p.get("device"), p.get("cycles"))
            if "error" in p or key not in seen:
                kept.append(p)
            seen.add(key)
        return dict(table, programs=kept)


def select(options, tools):
    if options.quick:
        return [cases.karate(tools, options.out)]
    found = cases.trained(options.shared) + cases.timed(options.shared, options.out)
    return [c for c in found if not options.only or c.model in options.only]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=f"{ROOT}/build/bin", help="folder of the programs (default build/bin)")
    parser.add_argument("--out", default=f"{ROOT}/build/bench/devices", help="folder for programs (default build/bench/devices)")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", f"{ROOT}/../shared"), help="folder with graphs and weights")
    parser.add_argument("--only", type=lambda t: t.split(","), help="some models, such as gcn,gat")
    parser.add_argument("--repeat", type=int, default=REPEAT, help=f"runs of the program in C (default {REPEAT})")
    parser.add_argument("--quick", action="store_true", help="the karate club alone, to try the script")
    parser.add_argument("--write", action="store_true", help="write docs/devices/README.md and its pictures")
    options = parser.parse_args()
    if not options.quick and not os.path.exists(f"{options.shared}/data/graphs"):
        sys.exit(f"bench: there is no {options.shared}/data/graphs; --shared names the folder, --quick needs none")
    bench = Bench(options)
    chosen = select(options, bench.tools)
    results = {kind: [(case, bench.run(kind, case)) for case in chosen] for kind in bench.sets}
    text = page.make(results, bench.refused, bench.tools.targets(), datetime.date.today())
    wrong = page.problems(results)
    print(text)
    if options.write and not options.quick and not options.only:
        page.write(f"{FOLDER}/README.md", text)
        for kind, tables in results.items():
            with open(f"{FOLDER}/{kind}.svg", "w", encoding="utf-8") as f:
                f.write(picture.picture(kind, tables))
    else:
        for kind, tables in results.items():
            picture.picture(kind, tables)
    for problem in wrong:
        print(f"bench: {problem}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
