"""Trained models, compiled for a machine, reproduce the golden logits.

    python3 golden_models.py --machine graphagile [--bin build/bin] [--models gcn,rgat] [--devices default,tiny] [--graphs full,karate] [--host all] [--switches]
                             [--shared ../shared]

The largest difference is at most 1e-4 * max(1, largest |logit|); test accuracies are equal. Machines (and options) with a larger roundoff than fp32 must choose the golden
class for 99 % of the rows, with a test accuracy within one point (or one row, where that is more). The trained GCN of the karate club (examples/karate) runs on every
device of the machine's row, at every -O level; the others need --shared ($GNNC_SHARED, or the folder shared beside the checkout) and are skipped without it.
Each model also runs with sparse features, where its graph has them. --host: the families of operations that the host executes, or all. --switches: each
switch of the machine on and off, too, at -O0 and -O3. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import sys
import tempfile

import suite_path  # noqa: F401  (extends sys.path)
from golden import GRAPHS, Golden, finish, has_data, names
from interpreter import evaluate_model
from machines import MACHINES
from programs import ROOT, Failed, Tools
from safetensors import Tensor

TOLERANCE = 1e-4


def check_numbers(golden, logits):
    """Returns (the error or None, the largest difference divided by the tolerance)."""
    allowed = TOLERANCE * max(1.0, *map(abs, golden.logits.data))
    worst = max(abs(a - b) if a == a else float("inf") for a, b in zip(logits.data, golden.logits.data)) / allowed
    if worst > 1:
        return f"logits differ by {worst:.3g} times of what is allowed", worst
    ours, theirs = golden.accuracy(logits), golden.accuracy(golden.logits)
    return (None if ours == theirs else f"{ours} tested right, expected {theirs}"), worst


def classes(logits):
    """The class of each row, -1 for one with a NaN."""
    width = logits.shape[1]
    rows = [logits.data[i:i + width] for i in range(0, len(logits.data), width)]
    return [max(range(width), key=row.__getitem__) if all(x == x for x in row) else -1 for row in rows]


def check_classes(golden, logits):
    """The same for machines with a larger roundoff; the share of the tolerance is that of the classes."""
    pairs = list(zip(classes(logits), classes(golden.logits), strict=True))
    differ, most = sum(a != b for a, b in pairs), max(1, len(pairs) // 100)
    if differ > most:
        return f"{differ} of {len(pairs)} rows have another class, allowed {most}", differ / most
    ours, theirs = golden.accuracy(logits), golden.accuracy(golden.logits)
    off, tested = abs(ours - theirs), golden.tested()
    if off > max(1, tested / 100):
        return f"{ours} of {tested} tested right, expected {theirs}", differ / most
    return None, differ / most


def check(machine, golden, logits, options):
    if logits.shape != golden.logits.shape:
        return f"shape {logits.shape}, expected {golden.logits.shape}", 0.0
    is_exact = machine.unit == 2.0**-24 and not set(machine.rounds) & set(options)
    return (check_numbers if is_exact else check_classes)(golden, logits)


class Karate:
    """The trained GCN of examples/, as a Golden; the interpreter's logits take the place of golden ones."""

    def __init__(self, tools, scratch):
        self.graphs, self.weights = {}, os.path.join(scratch, "karate_gcn.safetensors")
        graph = os.path.join(scratch, "karate.safetensors")
        for name, path in (("karate", graph), ("karate_gcn", self.weights)):
            tools.call([tools.gnn_data, "convert", os.path.join(ROOT, "examples", "karate", f"{name}.txt"), "-o", path])
        self.graphs["both"] = graph
        rows = evaluate_model(tools.tree(os.path.join(ROOT, "examples", "gcn.gnn")), graph, self.weights)["logits"].rows
        self.logits = Tensor("F32", [len(rows), len(rows[0])], [x for row in rows for x in row])

    def accuracy(self, logits):
        """The number of rows with the class of the interpreter."""
        return sum(a == b for a, b in zip(classes(logits), classes(self.logits), strict=True))

    def tested(self):
        return self.logits.shape[0]


def forms_of(model):
    """The forms of the graph file: dense and sparse features, where the graph has both."""
    if GRAPHS.get(model) == "cora":
        return ["dense", "compressed"]
    return ["both"]


def run_case(machine, tools, golden, model, form, options, scratch):
    program = os.path.join(scratch, f"{model}.{'bin' if machine.is_image else 'c'}")
    source, graph, out = os.path.join(ROOT, "examples", f"{model}.gnn"), golden.graphs[form], os.path.join(scratch, "out.safetensors")
    tools.compile_for(options, source, program, graph, golden.weights)
    got = tools.run_image(program, graph, out) if machine.is_image else tools.run(program, graph, golden.weights, out)
    if "logits" not in got:
        return f"no output named logits among {sorted(got)}", 0.0
    return check(machine, golden, got["logits"], options)


def choices(machine, device, with_switches):
    """Lists of switches: the empty one, then each switch on and off, then those that round more and need nothing of the device."""
    yield []
    for name in [*machine.switches, *machine.switches_of(device)] if with_switches else []:
        yield [f"-f{name}"]
        yield [f"-fno-{name}"]
    for option in machine.rounds if with_switches else ():
        if option not in [f"-f{name}" for name in machine.needs.values()]:
            yield [option]


def cases(options, machine, tools, scratch):
    """Yields (name, golden or None where its data is missing, model, form, options)."""
    more = [f"--host={options.host}"] if options.host else []
    if "karate" in options.graphs:
        karate = Karate(tools, scratch)
        for device in machine.devices:
            for level in ("O0", "O3") if options.switches else ("O0", "O1", "O2", "O3"):
                for how in choices(machine, device, options.switches):
                    yield f"karate gcn on {device} -{level} {' '.join(how)}", karate, "gcn", "both", [*machine.options(device, scratch), *more, f"-{level}", *how]
    if "full" not in options.graphs:
        return
    for model in options.models:
        golden = Golden(options.shared, model, scratch) if has_data(options.shared, model) else None
        for device in options.devices:
            for form in forms_of(model) if device == "default" else forms_of(model)[-1:]:
                for how in choices(machine, device, options.switches):
                    yield f"{GRAPHS[model]} {model} on {device}, x {form} {' '.join(how)}", golden, model, form, [*machine.options(device, scratch), *more, *how]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc, gnn-run and gnn-data are")
    parser.add_argument("--machine", choices=list(MACHINES), default="graphagile")
    parser.add_argument("--models", type=names, default=list(GRAPHS))
    parser.add_argument("--devices", type=names, default=["default"], help="for the data of --shared")
    parser.add_argument("--host", help="what the host executes")
    parser.add_argument("--switches", action="store_true", help="each switch on and off, too")
    parser.add_argument("--graphs", type=names, default=["karate", "full"])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    machine = MACHINES[options.machine]
    if options.host and machine.has_declined("golden_host"):
        return
    tools, count = Tools(options.bin, machine.programs), {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="gnnc-golden-") as scratch:
        for name, golden, model, form, how in cases(options, machine, tools, scratch):
            if golden is None:
                count["skipped"] += 1
                continue
            try:
                wrong, worst = run_case(machine, tools, golden, model, form, how, scratch)
            except Failed as error:
                wrong, worst = str(error), 0.0
            count["failed" if wrong else "passed"] += 1
            print(f"{'FAILED' if wrong else 'ok':6} {name}: {wrong if wrong else f'{worst:.2g} of what is allowed'}", flush=True)
    finish(count, options.shared)


if __name__ == "__main__":
    main()
