"""Models of the folder test/zoo reproduce outputs of PyTorch Geometric, with the unmodified state_dict of its modules.

    python3 zoo.py [--bin build/bin] [--machine c|graphagile|sextans|...] [--only GAT,GEN] [--jobs 2] [--table] [--shared ../shared]

data/zoo of --shared ($GNNC_SHARED, or the folder shared beside the checkout) has a folder per operator: graph.safetensors,
weights.safetensors and reference.safetensors, outputs of PyTorch Geometric 2.6.1 or of its paper's formula. NAME.gnn calls the operator of the
library; it is compiled, run, and compared: the largest difference is at most 1e-5 * max(1, largest) in C and 1e-4 * max(1, largest) on machines.
Folders without a model are named and counted; without --shared all models are skipped, and counted. --table prints for each model the lines of its text and
of the layer that it shows, the largest difference divided by max(1, largest), and the device's share of the multiply-adds.
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
        """Returns (None or what is wrong, a row of the table)."""
        try:
            worst, share = self.difference(name)
        except Failed as error:
            return str(error), None
        with open(model_of(name), encoding="utf-8") as f:
            text = f.read()
        shown = f"{share:5.1f} %" if share is not None else "-"
        row = f"{name:28} {text_lines(text):3} lines  {self.layer_lines(text)}  difference {worst:.1e}  device {shown}"
        allowed = TOLERANCE.get(self.machine, MACHINE_TOLERANCE)
        return (None if worst <= allowed else f"differs by {worst:.3g} * max(1, largest), allowed {allowed:g}"), row

    def layer_lines(self, text):
        """The layer that the model shows and the lines of its text: the first one that has a prefix or stands behind 'output'."""
        for layer in re.findall(r"\b([a-z][a-z0-9_]*)\(g, ", text):
            path = os.path.join(ROOT, "frontend", "library")
            for file in sorted(os.listdir(path)):
                with open(os.path.join(path, file), encoding="utf-8") as f:
                    found = re.search(rf"^layer {layer}\(.*?^}}", f.read(), re.MULTILINE | re.DOTALL)
                if found:
                    return f"{layer:24} {text_lines(found[0]):3}"
        return f"{'-':24}   -"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--machine", default="c")
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of the zoo")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    folder = os.path.join(options.shared, "data", "zoo")
    if not os.path.isdir(folder):
        count = sum(1 for name in os.listdir(HERE) if name.endswith(".gnn"))
        print(f"no {folder}\n0 passed, 0 failed, 0 missing, {count} skipped")
        return
    names = options.only or sorted(n for n in os.listdir(folder) if os.path.isdir(os.path.join(folder, n)))
    missing = [n for n in names if not os.path.exists(model_of(n))]
    names = [n for n in names if n not in missing]
    # programs in C run once: the C compiler's time is longer than theirs
    os.environ.setdefault("CFLAGS", "-O1")
    with tempfile.TemporaryDirectory(prefix="gnnc-zoo-") as scratch, ThreadPoolExecutor(options.jobs) as pool:
        zoo = Zoo(Tools(options.bin), options.machine, folder, scratch)
        results = list(pool.map(zoo.check, names))
    for name, (wrong, row) in zip(names, results):
        if options.table and row:
            print(row)
        if wrong:
            print(f"FAILED {name}: {wrong}")
    failed = sum(1 for wrong, _ in results if wrong)
    if missing:
        print(f"missing: {', '.join(missing)}")
    print(f"{len(names) - failed} passed, {failed} failed, {len(missing)} missing, 0 skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
