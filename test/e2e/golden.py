"""Models trained on Cora against their golden logits: every -O level, 1 and 2 threads, dense and compressed features.

    python3 golden.py [--bin build/bin] [--models gcn,gat] [--levels O0,O1,O2,O3] [--shared ../shared]

Optimised C may differ by 1e-4 * max(1, max |logit|), the program in doubles (-O0 --float=f64) by 1e-6 of it; test
accuracies are equal; thread counts agree bit for bit. The data is looked for in --shared, $GNNC_SHARED, or the folder shared
beside the checkout; without it every case is skipped. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from safetensors import copy, read

MODELS = ["gcn", "gat", "sage", "gin", "sgc"]
FORMS = {"dense": ["x_indptr", "x_indices", "x_data"], "compressed": ["x"], "both": []}


class Golden:
    """The files of one trained model."""

    def __init__(self, shared, graph, model, scratch):
        data = os.path.join(shared, "data")
        self.weights = os.path.join(data, "weights", f"{graph}_{model}.safetensors")
        self.logits = read(os.path.join(data, "golden", f"{graph}_{model}.safetensors"), ["logits"])[0]["logits"]
        self.graphs = {}
        source = os.path.join(data, "graphs", f"{graph}.safetensors")
        for form, without in FORMS.items():
            self.graphs[form] = os.path.join(scratch, f"{graph}.{form}.safetensors")
            if not os.path.exists(self.graphs[form]):
                copy(source, self.graphs[form], without)
        labels = read(source, ["y", "test_mask"])[0]
        self.y, self.mask = labels["y"].data, labels["test_mask"].data

    def accuracy(self, logits):
        """How many of the test nodes have their label on top."""
        classes = logits.shape[1]
        right = 0
        for node, tested in enumerate(self.mask):
            row = logits.data[node * classes:(node + 1) * classes]
            right += tested and max(range(classes), key=row.__getitem__) == self.y[node]
        return right


def check(golden, logits, tolerance):
    """Returns what is wrong with the logits, or None."""
    if logits.shape != golden.logits.shape:
        return f"shape {logits.shape}, expected {golden.logits.shape}"
    scale = max(1.0, max(map(abs, golden.logits.data)))
    worst = max(abs(a - b) if a == a else float("inf") for a, b in zip(logits.data, golden.logits.data))
    if worst > tolerance * scale:
        return f"logits differ by {worst:.3g}, allowed {tolerance * scale:.3g}"
    ours, theirs = golden.accuracy(logits), golden.accuracy(golden.logits)
    if ours != theirs:
        return f"{ours} test nodes right, expected {theirs}"
    return None


def run_case(tools, golden, model, form, level, float_type, scratch):
    """Returns what is wrong, or None."""
    program = os.path.join(scratch, f"{model}.c")
    graph = golden.graphs[form]
    tools.compile(os.path.join(ROOT, "examples", f"{model}.gnn"), program, graph, golden.weights,
                  [f"-{level}", f"--float={float_type}"])
    first = None
    out = os.path.join(scratch, "out.safetensors")
    for _, got in tools.run_with_threads(program, graph, golden.weights, out, (1, 2)):
        if "logits" not in got:
            return f"no output named logits among {sorted(got)}"
        wrong = check(golden, got["logits"], 1e-6 if float_type == "f64" else 1e-4)
        if wrong:
            return wrong
        if first is not None and got["logits"].data != first:
            return "1 and 2 threads disagree"
        first = got["logits"].data
    return None


def cases(levels):
    """(features, level, float): every level on dense and compressed features, the default also where a file has both."""
    for level in levels:
        yield "dense", level, "f32"
        yield "compressed", level, "f32"
    yield "both", "O2", "f32"
    yield "dense", "O0", "f64"
    yield "compressed", "O0", "f64"


def names(text):
    return [t for t in text.split(",") if t]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-run are")
    parser.add_argument("--models", type=names, default=MODELS)
    parser.add_argument("--levels", type=names, default=["O0", "O1", "O2", "O3"])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, count = Tools(options.bin), {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="gnnc-golden-") as scratch:
        for model in options.models:
            if not os.path.exists(os.path.join(options.shared, "data", "graphs", "cora.safetensors")):
                count["skipped"] += len(list(cases(options.levels)))
                continue
            golden = Golden(options.shared, "cora", model, scratch)
            for form, level, float_type in cases(options.levels):
                try:
                    wrong = run_case(tools, golden, model, form, level, float_type, scratch)
                except Failed as error:
                    wrong = str(error)
                count["failed" if wrong else "passed"] += 1
                print(f"{'FAILED' if wrong else 'ok':6} cora {model} {form} -{level} --float={float_type}"
                      + (f": {wrong}" if wrong else ""), flush=True)
    if count["skipped"]:
        print(f"no {options.shared}/data: nothing was compared")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    sys.exit(1 if count["failed"] else 0)


if __name__ == "__main__":
    main()
