"""Every model of models.py exports; the file is canonical and short, its weights load back, and compiled it computes what PyTorch computes, on
random graphs.

    python3 test/import/export_models.py --bin build/bin [--pyg DIR] [--models gcn,gat] [--graphs 20]

--pyg takes the real torch_geometric, of DIR or, if DIR is empty, the installed one."""
import os
import sys
import tempfile

import harness

options = harness.start("import.models", 48)
import torch  # noqa: E402

import gnnc_torch  # noqa: E402
import models  # noqa: E402

if "--pyg" in options:
    import models_pyg  # noqa: E402
    models.MODELS |= models_pyg.MODELS


def flat(result):
    return list(result.values()) if isinstance(result, dict) else list(result) if isinstance(result, tuple) else [result]


def difference(got, expected):
    """The largest difference, in units of the tolerance."""
    return max(harness.difference(a, b) for a, b in zip(flat(got), flat(expected), strict=True)) / 1e-5


def check_model(counts, name, folder, graphs):
    torch.manual_seed(7)
    model = models.made(name)
    data = models.graph(name, 1)
    stem = os.path.join(folder, name)
    text = harness.exported(counts, name, model, data, stem, options)
    if text is None:
        return
    counts.check(f"{name}: {text.count(chr(10))} lines", text.count("\n") < 60)
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
