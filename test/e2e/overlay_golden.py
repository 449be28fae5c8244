"""Trained models through the overlay: the simulated device against the golden logits.

    python3 overlay_golden.py [--bin build/bin] [--models gcn,rgat] [--devices default,tiny] [--graphs full,karate] [--shared ../shared]

The largest difference, in parts of the largest |logit|, is printed and at most 1e-4; test accuracies are equal. The trained GCN of the karate club, which
ships, runs on every device of overlay_devices.py, at every -O level; the others need --shared ($GNNC_SHARED, or the folder shared beside the
checkout) and are skipped without it. Each model also runs with sparse features, where its graph has them.
The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from golden import GRAPHS, Golden, has_data, names
from interpreter import evaluate_model
from overlay_devices import DEVICES, device_options
from safetensors import Tensor

TOLERANCE = 1e-4
MODELS = ["gcn", "gat", "sage", "gin", "sgc", "rgcn", "rgat", "hgt"]


def check(golden, logits):
    """(what is wrong or None, the largest difference in parts of the largest |logit|)."""
    if logits.shape != golden.logits.shape:
        return f"shape {logits.shape}, expected {golden.logits.shape}", 0.0
    scale = max(map(abs, golden.logits.data))
    worst = max(abs(a - b) if a == a else float("inf") for a, b in zip(logits.data, golden.logits.data)) / scale
    if worst > TOLERANCE:
        return f"logits differ by {worst:.3g} of the largest, allowed {TOLERANCE:g}", worst
    ours, theirs = golden.accuracy(logits), golden.accuracy(golden.logits)
    return (None if ours == theirs else f"{ours} tested right, expected {theirs}"), worst


class Karate:
    """The trained GCN that ships, as a Golden; the interpreter's logits stand for the golden ones."""

    def __init__(self, tools, scratch):
        self.graphs, self.weights = {}, os.path.join(scratch, "karate_gcn.safetensors")
        graph = os.path.join(scratch, "karate.safetensors")
        for name, path in (("karate", graph), ("karate_gcn", self.weights)):
            tools.call([tools.gnn_data, "convert", os.path.join(ROOT, "examples", "karate", f"{name}.txt"), "-o", path])
        self.graphs["both"] = graph
        rows = evaluate_model(tools.tree(os.path.join(ROOT, "examples", "gcn.gnn")), graph, self.weights)["logits"].rows
        self.logits = Tensor("F32", [len(rows), len(rows[0])], [x for row in rows for x in row])

    def accuracy(self, logits):
        rows = [logits.data[i:i + 2] for i in range(0, len(logits.data), 2)]
        return [r[1] > r[0] for r in rows]


def forms_of(model):
    """Forms of the graph file: dense and sparse features where the graph has both."""
    if GRAPHS.get(model) == "cora":
        return ["dense", "compressed"]
    return ["both"]


def run_case(tools, golden, model, form, options, scratch):
    program = os.path.join(scratch, f"{model}.bin")
    source = os.path.join(ROOT, "examples", f"{model}.gnn")
    tools.compile_overlay(source, program, golden.graphs[form], golden.weights, options)
    got = tools.run_overlay(program, golden.graphs[form], os.path.join(scratch, "out.safetensors"))
    if "logits" not in got:
        return f"no output named logits among {sorted(got)}", 0.0
    return check(golden, got["logits"])


def cases(options, tools, scratch):
    """(name, golden or None where its data is missing, model, form, options)."""
    if "karate" in options.graphs:
        karate = Karate(tools, scratch)
        for device in DEVICES:
            for level in ("O0", "O1", "O2", "O3"):
                yield f"karate gcn on {device} -{level}", karate, "gcn", "both", device_options(device, scratch) + [f"-{level}"]
    if "full" not in options.graphs:
        return
    for model in options.models:
        golden = Golden(options.shared, model, scratch) if has_data(options.shared, model) else None
        for device in options.devices:
            for form in forms_of(model) if device == "default" else forms_of(model)[-1:]:
                yield f"{GRAPHS[model]} {model} on {device}, x {form}", golden, model, form, device_options(device, scratch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc, gnn-run and gnn-data are")
    parser.add_argument("--models", type=names, default=MODELS)
    parser.add_argument("--devices", type=names, default=["default"], help=f"for the data of --shared: {', '.join(DEVICES)}")
    parser.add_argument("--graphs", type=names, default=["karate", "full"])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, count = Tools(options.bin), {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="gnnc-overlay-") as scratch:
        for name, golden, model, form, how in cases(options, tools, scratch):
            if golden is None:
                count["skipped"] += 1
                continue
            try:
                wrong, worst = run_case(tools, golden, model, form, how, scratch)
            except Failed as error:
                wrong, worst = str(error), 0.0
            count["failed" if wrong else "passed"] += 1
            print(f"{'FAILED' if wrong else 'ok':6} {name}: {wrong if wrong else f'{worst:.2g} of the largest logit'}", flush=True)
    if count["skipped"]:
        print(f"no {options.shared}/data: its models were left out")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    sys.exit(1 if count["failed"] else 0)


if __name__ == "__main__":
    main()
