"""What the tests of import share: the interpreter with PyTorch, the stub or the real torch_geometric, counts of cases."""
import os
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
