"""Programs of a machine are refused on another graph or device, broken files are refused, and a failed command leaves no output.

    python3 files.py --machine graphagile [--bin build/bin]

Two compilations of the same model make the same bytes, and these the same results.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import suite_path  # noqa: F401  (extends sys.path)
from machines import MACHINES
from programs import ROOT, Tools
from safetensors import Tensor, read, write

MODEL = os.path.join(ROOT, "examples", "gcn.gnn")


class Files:
    """Makes the files: the karate club, its weights, another graph, and a program."""

    def __init__(self, machine, tools, folder):
        self.machine, self.tools, self.folder = machine, tools, folder
        self.target = machine.options("default", folder)
        self.graph, self.weights, self.other = (os.path.join(folder, f"{n}.safetensors") for n in ("karate", "karate_gcn", "other"))
        for path in (self.graph, self.weights):
            name = os.path.basename(path).replace(".safetensors", ".txt")
            tools.call([tools.gnn_data, "convert", os.path.join(ROOT, "examples", "karate", name), "-o", path])
        tools.call([tools.gnn_data, "generate", "--nodes=34", "--edges=156", "--seed=1", "--features=34", "-o", self.other])
        self.program, self.output = os.path.join(folder, "gcn.bin"), os.path.join(folder, "out.safetensors")
        tools.compile_for(self.target, MODEL, self.program, self.graph, self.weights)

    def listing(self):
        return sorted(os.listdir(self.folder))

    def refuse(self, command, pattern, code=1):
        """Returns the error where a command is not refused with this message, or leaves a file behind; None otherwise."""
        before = self.listing()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != code:
            return f"exit {done.returncode}, expected {code}: {done.stderr[-500:]}"
        if not re.search(pattern, done.stderr):
            return f"says {done.stderr!r}, expected {pattern}"
        return None if self.listing() == before else f"leaves {sorted(set(self.listing()) - set(before))}"

    def run(self, *options, program=None, graph=None):
        return [self.tools.gnn_run, program or self.program, f"--graph={graph or self.graph}", "-o", self.output, *options]

    def compile(self, *options, output=None):
        return [self.tools.gnnc, *self.target, MODEL, f"--graph={self.graph}", f"--weights={self.weights}", "-o", output or os.path.join(self.folder, "new.bin"), *options]


def another_graph(files):
    return files.refuse(files.run(graph=files.other), r"[0-9a-f]{16}.*[0-9a-f]{16}")


def other_features(files):
    """A program that contains sparse features refuses the same edges with other features, whether a number or a place differs; it accepts the same features."""
    program, one = os.path.join(files.folder, "sparse.bin"), os.path.join(files.folder, "one.safetensors")
    files.tools.call([files.tools.gnn_data, "generate", "--nodes=34", "--edges=156", "--seed=2", "--features=34", "--density=0.2", "-o", one])
    files.tools.call([files.tools.gnnc, *files.target, MODEL, f"--graph={one}", f"--weights={files.weights}", "--features=sparse", "-o", program])
    files.tools.call(files.run(program=program, graph=one))
    os.remove(files.output)
    for field in ("x_data", "x_indices"):
        tensors, metadata = read(one)
        tensors[field].data[0] = tensors[field].data[0] + 1 if field == "x_data" else 0 if tensors[field].data[0] else tensors[field].data[1] - 1
        other = os.path.join(files.folder, f"other.{field}.safetensors")
        write(other, tensors, metadata)
        if read(other)[0][field].data == read(one)[0][field].data:
            continue  # no other place is free for the first entry of the first row
        wrong = files.refuse(files.run(program=program, graph=other), "holds 'x' with fingerprint [0-9a-f]{16}.*[0-9a-f]{16}")
        if wrong:
            return f"another {field}: {wrong}"
    return None


def other_batch(files):
    """A program that pools contains the graph of each node in the batch, so it refuses another assignment."""
    model, graphs = os.path.join(files.folder, "pool.gnn"), []
    with open(model, "w", encoding="utf-8") as f:
        f.write("model pool { graph g; input x : node f32[34]; output y = global_sum(g, x); }\n")
    for cut in (10, 20):
        tensors, metadata = read(files.graph)
        tensors["batch"] = Tensor("I32", [34], [int(n >= cut) for n in range(34)])
        graphs.append(os.path.join(files.folder, f"batch{cut}.safetensors"))
        write(graphs[-1], {k: v for k, v in tensors.items() if k in ("x", "edge_index", "batch")}, metadata)
    program = os.path.join(files.folder, "pool.bin")
    files.tools.call([files.tools.gnnc, *files.target, model, f"--graph={graphs[0]}", f"--weights={files.weights}", "-Wno-unused-weight", "-o", program])
    files.tools.call(files.run(program=program, graph=graphs[0]))
    os.remove(files.output)
    return files.refuse(files.run(program=program, graph=graphs[1]), "holds 'batch' with fingerprint")


def another_device(files):
    """A program for one of the machine's devices is refused on every other one, and on a device of another machine."""
    stranger = os.path.join(files.folder, "stranger.json")
    with open(stranger, "w", encoding="utf-8") as f:
        f.write('{"machine": "%s"}' % next(m for m in MACHINES if m not in ("c", files.machine.name)))
    wrong = files.refuse(files.run(f"--device={stranger}"), "machine")
    for device, parameters in files.machine.devices.items():
        if parameters and not wrong and device != "most":
            options = [o for o in files.machine.options(device, files.folder) if o.startswith("--device")]
            wrong = files.refuse(files.run(*options), "|".join(parameters))
    return wrong


def no_program(files):
    cut = os.path.join(files.folder, "cut.bin")
    with open(files.program, "rb") as f, open(cut, "wb") as g:
        g.write(f.read()[:1000])
    return files.refuse(files.run(program=cut), "cut.bin")


def no_data(files):
    """A program without data runs with --timing-only alone."""
    program = os.path.join(files.folder, "small.bin")
    files.tools.call(files.compile("--no-data", output=program))
    wrong = files.refuse(files.run(program=program), "data")
    files.tools.call([files.tools.gnn_run, program, "--timing-only"])
    return wrong


def same_bytes(files):
    """Two compilations of the same input make the same program, which gives the same results."""
    again = os.path.join(files.folder, "again.bin")
    files.tools.call(files.compile(output=again))
    outputs = []
    for program in (files.program, again):
        files.tools.call(files.run(program=program))
        with open(files.output, "rb") as f:
            outputs.append(f.read())
    os.remove(files.output)
    with open(files.program, "rb") as f, open(again, "rb") as g:
        return None if f.read() == g.read() and outputs[0] == outputs[1] else "two compilations differ"


def broken_model(files):
    """A failed compilation leaves the existing program unchanged."""
    with open(files.program, "rb") as f:
        before = f.read()
    wrong = files.refuse(files.compile("--dim=C=3", output=files.program), "error: ")
    with open(files.program, "rb") as f:
        return wrong or (None if f.read() == before else "the old program changed")


def no_folder(files):
    return files.refuse(files.compile(output=os.path.join(files.folder, "none", "a.bin")), "none")


def bad_device(files):
    path = os.path.join(files.folder, "bad.json")
    with open(path, "w", encoding="utf-8") as f:
        f.write('{"clock_mh": 2}')
    wrong = files.refuse(files.compile(f"--device={path}"), r"bad.json.*clock_mh.*clock_mhz") or files.refuse(files.compile("--device-set=clock_mhz=0"), "clock_mhz", 2)
    for parameter, name in files.machine.needs.items():
        wrong = wrong or files.refuse(files.compile(f"-f{name}"), f"-f{name}: device '.*' has no .*{parameter}=true", 2)
    return wrong


def timing_differs(files):
    """A program runs on a device that differs in parameters of timing only."""
    files.tools.call(files.run("--device-set=clock_mhz=100"))
    os.remove(files.output)
    return None


CASES = [another_graph, other_features, other_batch, another_device, no_program, no_data, same_bytes, broken_model, no_folder, bad_device, timing_differs]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--machine", choices=list(MACHINES), default="graphagile")
    options = parser.parse_args()
    machine, failed = MACHINES[options.machine], 0
    if machine.has_declined("files"):
        return
    with tempfile.TemporaryDirectory(prefix="gnnc-files-") as folder:
        files = Files(machine, Tools(options.bin, machine.programs), folder)
        for case in CASES:
            try:
                wrong = case(files)
            except Exception as error:  # the other cases still run after an error
                wrong = str(error)
            failed += wrong is not None
            if wrong:
                print(f"FAILED {case.__name__}: {wrong}")
    print(f"{len(CASES) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
