"""Pipelines whose passes are missing, twice or in the wrong place make a program, or are refused in the user's words: never an internal
error, never a crash."""
import argparse
import os
import random
import subprocess
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--bin", required=True)
parser.add_argument("--count", type=int, default=60)
parser.add_argument("--seed", type=int, default=1)
options = parser.parse_args()
BIN = os.path.abspath(options.bin)
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")


def run(*arguments):
    return subprocess.run([f"{BIN}/{arguments[0]}", *arguments[1:]], capture_output=True, text=True)


def passes_of(text):
    """The passes of a pipeline; commas between braces belong to options."""
    found, depth = [""], 0
    for c in text.strip():
        depth += (c == "{") - (c == "}")
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return found


def disturb(passes, everything, rng):
    passes = list(passes)
    for _ in range(rng.randint(1, 4)):
        way = rng.random()
        if way < 0.35:
            passes.insert(rng.randrange(len(passes) + 1), rng.choice(everything))
        elif way < 0.7:
            passes.insert(rng.randrange(len(passes)), passes.pop(rng.randrange(len(passes))))
        elif len(passes) > 2:
            passes.pop(rng.randrange(len(passes)))
    return passes


rng = random.Random(options.seed)
normal = {(t, o): passes_of(run("gnnc", f"--target={t}", f"-O{o}", "--print-pipeline").stdout)
          for t in ("c", "graphagile", "host") for o in (0, 3)}
everything = sorted({p for passes in normal.values() for p in passes} | {"canonicalize", "cse"})
# found by longer runs of this test
known = [("c", ["gnn-infer-shapes", "gnn-separate-bind", "gnn-to-inter", "inter-to-intra", "gnn-dce", "intra-plan-memory"], "good"),
         ("host", ["gnn-infer-shapes", "gnn-to-device{width=1}", "gnn-separate-bind"], "refused"),
         ("host", ["intra-plan-memory", "gnn-to-device{width=1}", "gnn-to-inter"], "refused"),
         ("c", ["gnn-separate-bind", "gnn-to-inter", "inter-to-intra", "inter-fuse", "intra-plan-memory"], "refused")]
cases = [(t, passes, expected, "gcn") for t, passes, expected in known]
cases += [(t, passes, "good", model) for (t, _), passes in normal.items() for model in ("gcn", "gat")]
cases += [(t, disturb(normal[t, o], everything, rng), "either", rng.choice(("gcn", "gat")))
          for t, o in rng.choices(sorted(normal), k=options.count)]

failures, refused = [], 0
with tempfile.TemporaryDirectory() as folder:
    for name in ("karate", "karate_gcn"):
        run("gnn-data", "convert", f"{SOURCE}/karate/{name}.txt", "-o", f"{folder}/{name}.safetensors")
    for target, passes, expected, model in cases:
        output = f"{folder}/out.{'c' if target == 'c' else 'bin'}"
        sizes = ["--weights", f"{folder}/karate_gcn.safetensors"] if model == "gcn" else ["--dim=H=2", "--dim=D=4", "--dim=C=2"]
        sizes += ["--no-data"] if model == "gat" and target != "c" else []
        r = run("gnnc", f"--target={target}", f"--pass-pipeline={','.join(passes)}", f"{SOURCE}/{model}.gnn",
                "--graph", f"{folder}/karate.safetensors", *sizes, "-o", output, f"--reproducer={folder}/reproducer.mlir")
        refused += r.returncode == 2
        is_good = r.returncode in (0, 1, 2) and "[internal]" not in r.stderr and "assert" not in r.stderr
        is_good = is_good and (r.returncode == 0 or "error:" in r.stderr)
        if expected != "either":
            is_good = is_good and r.returncode == (0 if expected == "good" else 2)
        if not is_good:
            failures.append(f"{target}: {','.join(passes)}: status {r.returncode}\n{r.stderr}")
print("\n".join(failures))
print(f"{len(cases)} pipelines, {refused} refused, {len(failures)} failed")
sys.exit(bool(failures) or not refused)
