"""Trained models give the same logits with every combination of the optimisation switches.

    python3 switches.py [--bin build/bin] [--models gcn,rgat] [--switches compact,fuse-linear] [--level O2] [--shared ../shared]

-fNAME applies an optimisation wherever it is legal, -fno-NAME nowhere, so with N switches a model has up to 2^N forms; equal C
programs run once. Tolerance, accuracy and threads are those of golden.py. This test compiles the C with -O1; golden.py uses the
flags of users. The last line is "N passed, N failed, N skipped".
"""
import argparse
import hashlib
import itertools
import multiprocessing
import os
import sys
import tempfile

from golden import GRAPHS, TOLERANCES, Golden, compile_case, has_data, names, run_case
from programs import ROOT, Failed, Tools

SWITCHES = ["compact", "fuse-linear", "aggregate-first", "exchange-loops", "fuse-softmax", "fuse-sums"]


def combinations(switches):
    """Yields lists of options: every combination of switches, the one with all switches on first."""
    for choice in itertools.product(["", "no-"], repeat=len(switches)):
        yield [f"-f{no}{name}" for no, name in zip(choice, switches)]


def fingerprint(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def check_model(task):
    """Returns (model, number of combinations, number of different programs, [(options, error)])."""
    options, model = task
    os.environ["CFLAGS"] = "-O1"
    tools, seen, wrongs, count = Tools(options.bin), {}, [], 0
    with tempfile.TemporaryDirectory(prefix="gnnc-switches-") as scratch:
        golden = Golden(options.shared, model, scratch)
        form = "compressed" if GRAPHS[model] == "cora" else "both"
        for how in combinations(options.switches):
            count, key = count + 1, " ".join(how)
            try:
                program = compile_case(tools, golden, model, form, [f"-{options.level}", *how], scratch)
                key = fingerprint(program)
                if key not in seen:
                    seen[key] = run_case(tools, golden, program, form, TOLERANCES["f32"])
            except Failed as error:
                seen[key] = str(error)
            if seen[key]:
                wrongs.append((" ".join(how), seen[key]))
    return model, count, len(seen), wrongs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-run are")
    parser.add_argument("--models", type=names, default=list(GRAPHS))
    parser.add_argument("--switches", type=names, default=SWITCHES)
    parser.add_argument("--level", default="O2")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    models = [m for m in options.models if has_data(options.shared, m)]
    skipped = (len(options.models) - len(models)) * 2 ** len(options.switches)
    passed = failed = 0
    with multiprocessing.Pool(options.jobs) as pool:
        for model, count, programs, wrongs in pool.imap_unordered(check_model, [(options, m) for m in models]):
            print(f"{model}: {count} combinations make {programs} programs, {len(wrongs)} combinations fail", flush=True)
            for how, wrong in wrongs:
                print(f"FAILED {model} {how}: {wrong}", flush=True)
            passed, failed = passed + count - len(wrongs), failed + len(wrongs)
    if skipped:
        print(f"no {options.shared}/data: not everything was compared")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
