"""Generated C compiles without a warning with the compilers of other machines.

    python3 cross_compile.py [--bin build/bin] [--count 12] [--compilers s390x-linux-gnu-gcc,i686-linux-gnu-gcc]

Both machines evaluate expressions in a type wider than float (FLT_EVAL_METHOD is 1 and 2). The models are those of random_models.py, by seed. A compiler
that is not installed is skipped, or failed where GNNC_NO_SKIPS is set; the last line is "N passed, N failed, N skipped".
"""
import argparse
import os
import shutil
import sys
import tempfile

from programs import ROOT, Failed, Tools
from random_campaign import names

from generate import generate, write_case

COMPILERS = ["s390x-linux-gnu-gcc", "i686-linux-gnu-gcc"]
# strict ISO C, and the default of the compiler
STANDARDS = ["-std=c17", "-std=gnu17"]
FLAGS = ["-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-psabi", "-c"]


def check(tools, compilers, seed, folder):
    """Yields (case, error or None) for each compiler and standard."""
    write_case(folder, generate(seed))
    program = os.path.join(folder, "random.c")
    for float_type, level in (("f32", "O2"), ("f64", "O0")):
        tools.compile(os.path.join(folder, "model.gnn"), program, os.path.join(folder, "graph.safetensors"),
                      os.path.join(folder, "weights.safetensors"), [f"-{level}", f"--float={float_type}"])
        for compiler in compilers:
            for standard in STANDARDS:
                case = f"{compiler} {standard}, seed {seed}, -{level} --float={float_type}"
                try:
                    tools.call([compiler, standard, *FLAGS, program, "-o", f"{program}.o"])
                    yield case, None
                except Failed as error:
                    yield case, error


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc is")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compilers", type=names, default=COMPILERS)
    options = parser.parse_args()
    tools, passed, failed = Tools(options.bin), 0, 0
    missing = [c for c in options.compilers if not shutil.which(c)]
    present = [c for c in options.compilers if c not in missing]
    for seed in range(options.seed, options.seed + options.count if present else options.seed):
        with tempfile.TemporaryDirectory(prefix="gnnc-cross-") as folder:
            for case, wrong in check(tools, present, seed, folder):
                passed, failed = passed + (wrong is None), failed + (wrong is not None)
                if wrong:
                    print(f"FAILED {case}: {wrong}")
    skipped = len(missing)
    if os.environ.get("GNNC_NO_SKIPS"):
        failed, skipped = failed + skipped, 0
    print(f"{passed} passed, {failed} failed, {skipped} skipped" + (f" (not installed: {', '.join(missing)})" if missing else ""))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
