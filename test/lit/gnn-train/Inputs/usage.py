"""Prints status and message of wrong command lines."""
import subprocess
import sys

FILES = ["a.c", "--graph=g"]
LINES = [[], ["a.c"], ["a.c", "b.c"], ["--patient=3"], ["--zzz"], ["--portable=x"], [*FILES, "--epochs"], ["--epochs=0"], ["--epochs=9x"],
         ["--rate=-1"], ["--rate=nan"], ["--beta1=1"], ["--seed=-1"], ["--optimizer=adma"], ["--optimizer=lbfgs"], ["--metric=acuracy"],
         ["--progress=x"], ["--color=x"], [*FILES, "--resume=c", "--weights=w"], [*FILES, "--folds=3"], [*FILES, "--folds=1", "--fold=1"],
         [*FILES, "--folds=3", "--fold=4"], [*FILES, "--decay-of="], [*FILES, "--decay-of=,"], [*FILES, "-o", "w", "--checkpoint=w"],
         [*FILES, "--curve=w", "--plot=w"], [*FILES, "--plot=g"], [*FILES, "--curve=a.c"], [*FILES, "-o", "w", "--weights=w"],
         [*FILES, "-o", "w", "--resume=w"]]
for line in LINES:
    run = subprocess.run([sys.argv[1], *line], capture_output=True, text=True)
    print(run.returncode, run.stderr.strip(), flush=True)
