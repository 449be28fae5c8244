"""Every model of models.py exports; the file is canonical and short, its weights load back, and compiled it computes what PyTorch computes, on
random graphs.

    python3 test/import/export_models.py --bin build/bin [--pyg DIR] [--models gcn,gat] [--graphs 20]

--pyg takes the real torch_geometric, of DIR or, if DIR is empty, the installed one."""
import os
import subprocess
import sys
import tempfile

import harness

options = harness.start("import.models", 25)
import torch  # noqa: E402

import gnnc_export  # noqa: E402
import gnnc_torch  # noqa: E402
import models  # noqa: E402


def flat(result):
    return list(result.values()) if isinstance(result, dict) else list(result) if isinstance(result, tuple) else [result]


def difference(got, expected):
    """The largest difference, in units of the tolerance."""
    worst = 0.0
    for a, b in zip(flat(got), flat(expected)):
        if a.shape != b.shape:
            return float("inf")
        if b.numel():
            worst = max(worst, float((a - b).abs().max()) / (1e-5 * max(1.0, float(b.abs().max()))))
    return worst


def check_model(counts, name, folder, graphs):
    torch.manual_seed(7)
    model = models.made(name)
    data = models.graph(name, 1)
    stem = os.path.join(folder, name)
    try:
        gnnc_export.export(model, data, stem)
    except gnnc_export.Unsupported as e:
        counts.check(f"{name}: {e}", False)
        return
    with open(stem + ".gnn") as f:
        text = f.read()
    printed = subprocess.run([options["gnnc"], "--emit=ast", stem + ".gnn"], capture_output=True, text=True)
    counts.check(f"{name}: the file is not canonical:\n{text}\n{printed.stdout}{printed.stderr}", printed.stdout == text)
    counts.check(f"{name}: {text.count(chr(10))} lines", text.count("\n") < 60)
    import json
    import struct
    with open(stem + ".weights.safetensors", "rb") as f:
        head = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
    counts.check(f"{name}: weights of other names", set(head) - {"__metadata__"} == set(model.state_dict()))
    fast = gnnc_torch.compile(model)
    worst, at = 0.0, None
    for seed in range(1, graphs + 1):
        given = models.arguments(model, models.graph(name, seed))
        with torch.no_grad():
            expected = model(**given)
        try:
            d = difference(fast(**given), expected)
        except Exception as e:
            print(f"{type(e).__name__}: {e}\n{text}")
            d = float("inf")
        worst, at = (d, seed) if d > worst else (worst, at)
    counts.check(f"{name}: differs by {worst:.1f} tolerances on graph {at}\n{text}", worst <= 1)


def main():
    counts = harness.Counts("import.models")
    chosen = options["--models"].split(",") if "--models" in options else list(models.MODELS)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GNNC_CACHE"] = os.path.join(folder, "cache")
        for name in chosen:
            check_model(counts, name, folder, int(options.get("--graphs", 20)))
    counts.finish()


main()
sys.exit(0)
