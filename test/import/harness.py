"""What the tests of import share: the interpreter with PyTorch, the stub or the real torch_geometric, counts of cases, the checks of an
exported file, and the comparison of tensors."""
import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../.."))


def start(name, cases):
    """Makes PyTorch importable, in another interpreter if this one lacks it; skips the cases where there is none. Returns the options
    --bin DIR, --pyg DIR (the real torch_geometric)."""
    options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    try:
        import torch  # noqa: F401
    except ImportError:
        for other in (os.environ.get("GNNC_TORCH_PYTHON"), "/usr/bin/python3"):
            if other and os.path.realpath(other) != os.path.realpath(sys.executable) and \
                    subprocess.run([other, "-c", "import torch"], capture_output=True).returncode == 0:
                os.execv(other, [other, *sys.argv])
        print(f"{name}: 0 passed, 0 failed, {cases} skipped (no PyTorch)")
        sys.exit(0)
    if "--pyg" in options:
        folder = options["--pyg"] or None
        if folder:
            sys.path.insert(0, folder)
        try:
            import torch_geometric  # noqa: F401
        except ImportError:
            print(f"{name}: 0 passed, 0 failed, {cases} skipped (no torch_geometric)")
            sys.exit(0)
    else:
        sys.path.insert(0, os.path.join(HERE, "stub"))
    sys.path.insert(0, os.path.join(ROOT, "python"))
    sys.dont_write_bytecode = True
    bin_folder = os.path.abspath(options.get("--bin", os.path.join(ROOT, "build/bin")))
    os.environ["GNNC"] = os.path.join(bin_folder, "gnnc")
    torch.set_num_threads(1)
    options["gnnc"] = os.environ["GNNC"]
    return options


def difference(got, expected):
    """The largest difference of two tensors, divided by max(1, largest); infinite where shapes differ or a number is NaN on one side."""
    import torch
    if got.shape != expected.shape or bool((torch.isnan(got) != torch.isnan(expected)).any()):
        return float("inf")
    if not expected.numel():
        return 0.0
    worst, largest = float((got - expected).abs().max()), float(expected.abs().max())
    return worst / max(1.0, largest) if worst == worst else float("inf")


def exported(counts, name, model, given, stem, options):
    """Exports a model; checks that the file is canonical and has the weights of the state_dict. Returns the text, None if it is refused."""
    import gnnc_export
    try:
        gnnc_export.export(model, given, stem)
    except gnnc_export.Unsupported as e:
        counts.check(f"{name}: {e}", False)
        return None
    with open(stem + ".gnn") as f:
        text = f.read()
    printed = subprocess.run([options["gnnc"], "--emit=ast", stem + ".gnn"], capture_output=True, text=True)
    counts.check(f"{name}: the file is not canonical:\n{text}\n{printed.stdout}{printed.stderr}", printed.stdout == text)
    with open(stem + ".weights.safetensors", "rb") as f:
        names = set(json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))) - {"__metadata__"}
    counts.check(f"{name}: weights of other names", names == set(model.state_dict()))
    return text


def raises(kind, words, call):
    """Whether the call raises this, with these words."""
    try:
        call()
    except kind as e:
        return words in str(e) or print(f"  {type(e).__name__}: {e}")
    except Exception as e:
        print(f"  {type(e).__name__}: {e}")
    return False


class Counts:
    def __init__(self, name):
        self.name, self.passed, self.failed = name, 0, 0

    def check(self, what, is_true):
        self.passed += bool(is_true)
        self.failed += not is_true
        if not is_true:
            print(f"FAILED: {what}", flush=True)
        return is_true

    def finish(self):
        print(f"{self.name}: {self.passed} passed, {self.failed} failed, 0 skipped")
        sys.exit(1 if self.failed or not self.passed else 0)
