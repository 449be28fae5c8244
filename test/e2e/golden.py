"""Trained models reproduce their golden logits at every -O level, with 1 and 2 threads, and with features in every form of the file.

    python3 golden.py [--bin build/bin] [--models gcn,rgat] [--levels O0,O1,O2,O3] [--shared ../shared]

Optimised C may differ by 1e-4 * max(1, max |logit|), the program in doubles (-O0 --float=f64) by 1e-6 of it; test
accuracies are equal; thread counts agree bit for bit. C of -O0 and -O1 is compiled with CFLAGS=-O1, which is quicker. The data lies in --shared, $GNNC_SHARED, or the folder shared
beside the checkout; without it every case is skipped. The last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools

from safetensors import copy, read

GRAPHS = {"gcn": "cora", "gat": "cora", "sage": "cora", "gin": "cora", "sgc": "cora", "gatv2": "cora",
          "graphgym": "cora", "jumping_knowledge": "cora", "rgcn": "aifb", "rgcn_basis": "aifb", "rgat": "aifb",
          "hgt": "aifb_typed", "gin_graph": "mutag_tu"}
TOLERANCES = {"f32": 1e-4, "f64": 1e-6}
FORMS = {"dense": ["x_indptr", "x_indices", "x_data"], "compressed": ["x"], "both": []}


def has_data(shared, model):
    return os.path.exists(os.path.join(shared, "data", "graphs", f"{GRAPHS[model]}.safetensors"))


class Golden:
    """The files of one trained model."""

    def __init__(self, shared, model, scratch):
        graph = GRAPHS[model]
        data = os.path.join(shared, "data")
        self.weights = os.path.join(data, "weights", f"{graph}_{model}.safetensors")
        tensors = read(os.path.join(data, "golden", f"{graph}_{model}.safetensors"))[0]
        self.logits = tensors["logits"]
        self.graphs = {}
        source = os.path.join(data, "graphs", f"{graph}.safetensors")
        for form, without in FORMS.items():
            self.graphs[form] = os.path.join(scratch, f"{graph}.{form}.safetensors")
            if not os.path.exists(self.graphs[form]):
                copy(source, self.graphs[form], without)
        labels = read(source, ["y", "test_mask"])[0]
        self.y, self.mask = labels["y"].data, (labels.get("test_mask") or tensors["test_mask"]).data

    def accuracy(self, logits):
        """The number of test nodes (or graphs) for which the class with the largest logit is the label."""
        classes = logits.shape[1]
        right = 0
        for node, tested in enumerate(self.mask):
            row = logits.data[node * classes:(node + 1) * classes]
            right += tested and max(range(classes), key=row.__getitem__) == self.y[node]
        return right

    def tested(self):
        """The number of test nodes or graphs."""
        return sum(map(bool, self.mask))


def check(golden, logits, tolerance):
    """Returns the error in the logits, or None."""
    if logits.shape != golden.logits.shape:
        return f"shape {logits.shape}, expected {golden.logits.shape}"
    scale = max(1.0, max(map(abs, golden.logits.data)))
    worst = max(abs(a - b) if a == a else float("inf") for a, b in zip(logits.data, golden.logits.data))
    if worst > tolerance * scale:
        return f"logits differ by {worst:.3g}, allowed {tolerance * scale:.3g}"
    ours, theirs = golden.accuracy(logits), golden.accuracy(golden.logits)
    if ours != theirs:
        return f"{ours} tested right, expected {theirs}"
    return None


def compile_case(tools, golden, model, form, options, scratch):
    """Compiles a case; returns the path of the C file."""
    program = os.path.join(scratch, f"{model}.c")
    tools.compile(os.path.join(ROOT, "examples", f"{model}.gnn"), program, golden.graphs[form], golden.weights, options)
    return program


def run_case(tools, golden, program, form, tolerance):
    """Returns the error, or None."""
    first, out = None, f"{program}.out"
    for _, got in tools.run_with_threads(program, golden.graphs[form], golden.weights, out, (1, 2)):
        if "logits" not in got:
            return f"no output named logits among {sorted(got)}"
        wrong = check(golden, got["logits"], tolerance)
        if wrong:
            return wrong
        if first is not None and got["logits"].data != first:
            return "1 and 2 threads disagree"
        first = got["logits"].data
    return None


def cases(model, levels):
    """Yields (features, level, float): every level on each form of the features, and -O2 also on a file that has both forms."""
    forms = ["dense", "compressed"] if GRAPHS[model] == "cora" else ["both"]
    for form in forms:
        for level in levels:
            yield form, level, "f32"
        yield form, "O0", "f64"
    if len(forms) > 1:
        yield "both", "O2", "f32"


def names(text):
    return [t for t in text.split(",") if t]


def finish(count, shared):
    """Says how many models passed, failed and were left out, and ends the program."""
    if count["skipped"]:
        print(f"no {shared}/data: its models were left out")
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    sys.exit(1 if count["failed"] else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-run are")
    parser.add_argument("--models", type=names, default=list(GRAPHS))
    parser.add_argument("--levels", type=names, default=["O0", "O1", "O2", "O3"])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, count = Tools(options.bin), {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="gnnc-golden-") as scratch:
        for model in options.models:
            if not has_data(options.shared, model):
                count["skipped"] += len(list(cases(model, options.levels)))
                continue
            golden = Golden(options.shared, model, scratch)
            for form, level, float_type in cases(model, options.levels):
                try:
                    how = [f"-{level}", f"--float={float_type}"]
                    os.environ["CFLAGS"] = "" if level in ("O2", "O3") else "-O1"  # O2 as users run it; the others are quicker to compile so
                    program = compile_case(tools, golden, model, form, how, scratch)
                    wrong = run_case(tools, golden, program, form, TOLERANCES[float_type])
                except Failed as error:
                    wrong = str(error)
                count["failed" if wrong else "passed"] += 1
                print(f"{'FAILED' if wrong else 'ok':6} {GRAPHS[model]} {model} {form} -{level} --float={float_type}"
                      + (f": {wrong}" if wrong else ""), flush=True)
    finish(count, options.shared)


if __name__ == "__main__":
    main()
