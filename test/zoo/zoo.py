"""Models of the folder test/zoo reproduce outputs of PyTorch Geometric, with the unmodified state_dict of its modules.

    python3 zoo.py [--bin build/bin] [--machine c|graphagile|sextans|...] [--only GAT,GEN] [--jobs 2] [--table] [--write] [--shared ../shared]

data/zoo of --shared ($GNNC_SHARED, or the folder shared beside the checkout) has a folder per operator: graph.safetensors,
weights.safetensors and reference.safetensors, outputs of PyTorch Geometric 2.6.1 or of its paper's formula. NAME.gnn calls the operator of the
library; it is compiled, run, and compared: the largest difference is at most 1e-5 * max(1, largest) in C and 1e-4 * max(1, largest) on machines.
Folders without a model are named and counted; without --shared all models are skipped, and counted. --table prints for each model the lines of its text and
of the layer that it shows, the largest difference divided by max(1, largest), and the device's share of the multiply-adds. --write makes the table of
docs/models.md from runs in C, on GraphAGILE and on Sextans.
The last line is "N passed, N failed, N missing, N skipped".
"""
import argparse
import json
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "e2e"))
from programs import ROOT, Failed, Tools, read  # noqa: E402  (after the change of sys.path)

TOLERANCE = {"c": 1e-5}
MACHINE_TOLERANCE = 1e-4
HEAD = """\
| module | layer | lines | difference | GraphAGILE | Sextans |
|---|---|---|---|---|---|
"""


def model_of(name):
    """The path of the model for a folder of the zoo."""
    return os.path.join(HERE, f"{name}.gnn")


def text_lines(text):
    """The number of lines that are neither empty nor comments."""
    return sum(1 for line in text.split("\n") if line.split("#")[0].strip())


def scaled_difference(got, expected):
    """The largest difference divided by max(1, largest)."""
    largest = max([1.0, *(abs(v) for v in expected.data)])
    return max((abs(a - b) if a == a else float("inf") for a, b in zip(got.data, expected.data, strict=True)), default=0.0) / largest


class Zoo:
    """Compiles and runs models for one target."""

    def __init__(self, tools, machine, folder, scratch):
        self.tools, self.machine, self.folder, self.scratch = tools, machine, folder, scratch

    def outputs(self, name):
        """Returns (name -> Tensor, the device's share of the multiply-adds or None)."""
        graph, weights = (os.path.join(self.folder, name, f"{n}.safetensors") for n in ("graph", "weights"))
        out = os.path.join(self.scratch, f"{name}.out.safetensors")
        if self.machine == "c":
            program = os.path.join(self.scratch, f"{name}.c")
            self.tools.compile(model_of(name), program, graph, weights)
            return self.tools.run(program, graph, weights, out), None
        program = os.path.join(self.scratch, f"{name}.bin")
        self.tools.compile_for([f"--target={self.machine}"], model_of(name), program, graph, weights)
        stats = json.loads(self.tools.call([self.tools.gnn_run, program, f"--graph={graph}", "-o", out, "--stats=json"]))
        # a program without host steps has no entry
        return read(out)[0], stats.get("host", {}).get("device_share", 100.0)

    def difference(self, name):
        """Returns (the largest scaled difference of all outputs, the device's share); raises Failed."""
        expected = read(os.path.join(self.folder, name, "reference.safetensors"))[0]
        got, share = self.outputs(name)
        if set(got) != set(expected):
            raise Failed(f"outputs {sorted(got)}, expected {sorted(expected)}")
        for output, tensor in expected.items():
            if got[output].shape != tensor.shape:
                raise Failed(f"'{output}' has shape {got[output].shape}, expected {tensor.shape}")
        return max(scaled_difference(got[n], expected[n]) for n in expected), share

    def check(self, name):
        """Returns (None or what is wrong, (largest difference, the device's share, the text of the model))."""
        try:
            worst, share = self.difference(name)
        except Failed as error:
            return str(error), None
        with open(model_of(name), encoding="utf-8") as f:
            text = f.read()
        allowed = TOLERANCE.get(self.machine, MACHINE_TOLERANCE)
        return (None if worst <= allowed else f"differs by {worst:.3g} * max(1, largest), allowed {allowed:g}"), (worst, share, text)


def layer_of(text):
    """The layer of the library that the outputs of a model show, and the lines of its text; (None, lines of the model) where there is none."""
    folder = os.path.join(ROOT, "frontend", "library")
    for layer in re.findall(r"^ *output .*?\b([a-z][a-z0-9_]*)\((?:g[,.]|x, )", text, re.MULTILINE):
        for file in sorted(os.listdir(folder)):
            with open(os.path.join(folder, file), encoding="utf-8") as f:
                found = re.search(rf"^layer {layer}\(.*?^}}", f.read(), re.MULTILINE | re.DOTALL)
            if found:
                return layer, text_lines(found[0])
    return None, text_lines(text)


def percent(share):
    return "-" if share is None else f"{share:.0f} %"


def write_table(names, runs):
    """Makes the table of docs/models.md; `runs`: the results of C, GraphAGILE and Sextans, in the order of the names."""
    rows = []
    for name, (_, c), (_, graphagile), (_, sextans) in zip(names, *runs):
        comment = " ".join(line[2:] for line in c[2].split("\n") if line.startswith("# "))
        what = re.split(" of PyTorch Geometric|: |;", comment)[0].removesuffix(".")
        layer, lines = layer_of(c[2])
        shown = f"`{layer}`" if layer else f"`test/zoo/{name}.gnn`"
        rows.append(f"| {what} | {shown} | {lines} | {c[0]:.0e} | {percent(graphagile[1])} | {percent(sextans[1])} |\n")
    path = os.path.join(ROOT, "docs", "models.md")
    with open(path, encoding="utf-8") as f:
        page = f.read()
    begin = page.index(HEAD)
    with open(path, "w", encoding="utf-8") as f:
        f.write(page[:begin] + HEAD + "".join(rows) + page[page.index("\n\n", begin) + 1:])


def report(names, results, with_table):
    """Prints the failures, and the table; returns the number of failures."""
    for name, (wrong, row) in zip(names, results):
        if with_table and row:
            layer, lines = layer_of(row[2])
            print(f"{name:28} {layer or '-':32} {lines:3} lines  difference {row[0]:.1e}  device {percent(row[1])}")
        if wrong:
            print(f"FAILED {name}: {wrong}")
    return sum(1 for wrong, _ in results if wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--machine", default="c")
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of the zoo")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--write", action="store_true", help="make the table of docs/models.md")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    folder = os.path.join(options.shared, "data", "zoo")
    if not os.path.isdir(folder):
        count = sum(1 for name in os.listdir(HERE) if name.endswith(".gnn"))
        print(f"no {folder}\n0 passed, 0 failed, 0 missing, {count} skipped")
        return
    names = options.only or sorted(n for n in os.listdir(folder) if os.path.isdir(os.path.join(folder, n)))
    failed, missing = 0, [n for n in names if not os.path.exists(model_of(n))]
    names = [n for n in names if n not in missing]
    # programs in C run once: the C compiler's time is longer than theirs
    os.environ.setdefault("CFLAGS", "-O1")
    runs = []
    for machine in ("c", "graphagile", "sextans") if options.write else (options.machine,):
        with tempfile.TemporaryDirectory(prefix="gnnc-zoo-") as scratch, ThreadPoolExecutor(options.jobs) as pool:
            zoo = Zoo(Tools(options.bin), machine, folder, scratch)
            runs.append(list(pool.map(zoo.check, names)))
        failed += report(names, runs[-1], options.table)
    if missing:
        print(f"missing: {', '.join(missing)}")
    if options.write and not failed:
        write_table(names, runs)
    print(f"{len(names) * len(runs) - failed} passed, {failed} failed, {len(missing)} missing, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
