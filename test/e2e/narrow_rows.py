"""Trained models with rows of 16 bits in memory give nearly what they give with rows of fp32.

    python3 narrow_rows.py [--format fp16|bf16] [--bin build/bin] [--models gcn,gat] [--shared ../shared]

fp16 is -fhalf-rows of GraphAGILE, bf16 is -fbf16-rows of C. The largest difference of the logits is at most a part of the largest logit that the format
states, at least 99 % of the rows have the same class, and the test accuracy differs by at most one point (or one row, where that is more). The GCN of the
karate club (examples/karate) always runs; the models with golden logits need --shared ($GNNC_SHARED, or the folder shared beside the checkout), and are
skipped without it. The last line is "N passed, N failed, N skipped".
"""
import argparse
import dataclasses
import os
import tempfile

from golden import GRAPHS, Golden, finish, has_data, names
from programs import ROOT, Failed, Tools
from safetensors import read

SAME_CLASS, ACCURACY = 0.99, 0.01


@dataclasses.dataclass(frozen=True)
class Format:
    """Rows of 16 bits: the target and its switch, and how far logits may be from those of fp32, as a part of the largest."""
    target: tuple
    switch: str
    tolerance: float
    unchanged: tuple = ()  # models without such rows, whose logits stay the same


FORMATS = {
    "fp16": Format(("--target=graphagile", "--device-set=has_broadcast=true", "--device-set=has_packed_edges=true", "--device-set=has_half_rows=true",
                    "--device-set=has_compact_columns=true"),
                   "-fhalf-rows", 2e-3),
    # a number is rounded by at most 2^-8 = 4e-3 of it where it is stored, and errors of many numbers cancel in sums
    "bf16": Format(("--target=c",), "-fbf16-rows", 1e-2, ("karate gcn", "cora sgc")),
}


class Karate:
    """The files of the trained GCN of examples/, as golden.Golden has them."""

    def __init__(self, tools, scratch):
        graph, self.weights = (os.path.join(scratch, f"{n}.safetensors") for n in ("karate", "karate_gcn"))
        for name, path in (("karate", graph), ("karate_gcn", self.weights)):
            tools.call([tools.gnn_data, "convert", os.path.join(ROOT, "examples", "karate", f"{name}.txt"), "-o", path])
        self.graphs, self.labels = {"both": graph}, read(graph, ["y"])[0]["y"].data

    def accuracy(self, logits):
        return sum(a == b for a, b in zip(classes(logits), self.labels, strict=True))

    def tested(self):
        return len(self.labels)


def classes(logits):
    width = logits.shape[1]
    return [max(range(width), key=logits.data[i:i + width].__getitem__) for i in range(0, len(logits.data), width)]


def logits_of(tools, golden, model, target, options, scratch):
    is_c = "--target=c" in target
    program, out = os.path.join(scratch, "narrow.c" if is_c else "narrow.bin"), os.path.join(scratch, "out.safetensors")
    graph = golden.graphs["both"]
    tools.compile_for([*target, *options], os.path.join(ROOT, "examples", f"{model}.gnn"), program, graph, golden.weights)
    return (tools.run(program, graph, golden.weights, out) if is_c else tools.run_image(program, graph, out))["logits"]


def check(tools, golden, name, model, form, scratch):
    """Returns (the error or None, what was found)."""
    full, half = (logits_of(tools, golden, model, form.target, options, scratch) for options in ([], [form.switch]))
    largest = max(map(abs, full.data))
    worst = max(abs(a - b) if b == b else float("inf") for a, b in zip(full.data, half.data, strict=True)) / largest
    rows = len(classes(full))
    same = sum(a == b for a, b in zip(classes(full), classes(half), strict=True))
    right = golden.accuracy(full), golden.accuracy(half)
    said = f"logits differ by {worst:.2e} of the largest, {same} of {rows} rows have the same class, {right[1]} of {golden.tested()} tested right (fp32: {right[0]})"
    is_changed = (worst > 0) == (name not in form.unchanged)
    is_good = is_changed and worst <= form.tolerance and same >= SAME_CLASS * rows and abs(right[0] - right[1]) <= max(1, ACCURACY * golden.tested())
    return None if is_good else "is not good enough", said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--format", choices=list(FORMATS), default="fp16")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--models", type=names, default=list(GRAPHS))
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, count = Tools(options.bin), {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="gnnc-half-") as scratch:
        found = {"karate gcn": ("gcn", Karate(tools, scratch))}
        for model in options.models:
            found[f"{GRAPHS[model]} {model}"] = model, Golden(options.shared, model, scratch) if has_data(options.shared, model) else None
        for name, (model, golden) in found.items():
            if golden is None:
                count["skipped"] += 1
                continue
            try:
                wrong, said = check(tools, golden, name, model, FORMATS[options.format], scratch)
            except Failed as error:
                wrong, said = "failed", str(error)
            count["failed" if wrong else "passed"] += 1
            print(f"{'FAILED' if wrong else 'ok':6} {name}: {said}", flush=True)
    finish(count, options.shared)


if __name__ == "__main__":
    main()
