"""gnn-train: a training that is interrupted and resumed has the bits of one that is not, for any number of threads; kills, full
disks and signals leave a checkpoint that can be resumed and no other file; gnn-run reads the trained weights.

    python3 train.py [--bin build/bin] [--kills 12]

The model of most parts is test/train/logistic.c, whose steps take microseconds; the last part trains examples/gcn.gnn.
"""
import argparse
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from programs import ROOT

from safetensors import read

KARATE = os.path.join(ROOT, "examples", "karate", "karate.txt")
VAL = os.path.join(ROOT, "test", "lit", "gnn-train", "Inputs", "val.txt")
OPTIMIZERS = {"adam": ["--optimizer=adam", "--decay=1e-3"], "adamw": ["--optimizer=adamw", "--decay=1e-2", "--clip=0.1"],
              "sgd": ["--optimizer=sgd", "--momentum=0.9", "--rate=0.05"]}


class Trainer:
    def __init__(self, folder, programs):
        self.folder, self.programs, self.passed, self.failed = folder, programs, 0, 0
        self.graph, self.program = self.path("karate.safetensors"), self.path("logistic.so")
        with open(self.path("karate.txt"), "w", encoding="utf-8") as text:
            for part in (KARATE, VAL):
                text.write(open(part, encoding="utf-8").read())
        self.call("gnn-data", "convert", self.path("karate.txt"), "-o", self.graph)
        source = os.path.join(ROOT, "test", "train", "logistic.c")
        subprocess.run([os.environ.get("CC") or "cc", "-std=c17", "-O2", "-shared", "-fPIC", "-I", os.path.join(ROOT, "runtime"), source, "-o", self.program,
                        "-lm"], check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def call(self, program, *arguments, **options):
        return subprocess.run([os.path.join(self.programs, program), *arguments], capture_output=True, text=True, check=options.pop("check", True), **options)

    def train(self, *arguments, **options):
        return self.call("gnn-train", self.program, "--graph", self.graph, *arguments, **options)

    def bits(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def check(self, what, is_good):
        self.passed, self.failed = self.passed + bool(is_good), self.failed + (not is_good)
        if not is_good:
            print(f"FAILED {what}")


def resume_everywhere(t):
    """At every 10th epoch, with each optimizer, with 1, 2, 3 and 8 threads."""
    for name, options in OPTIMIZERS.items():
        t.train("-o", t.path("whole"), "--epochs=60", "--seed=7", *options)
        whole = t.bits("whole")
        for epoch, threads in ((10, 1), (20, 2), (30, 3), (40, 8), (50, 1)):
            checkpoint = f"--checkpoint={t.path('checkpoint')}"
            t.train(checkpoint, f"--epochs={epoch}", "--seed=7", f"--threads={threads}", *options)
            t.train("-o", t.path("resumed"), f"--resume={t.path('checkpoint')}", "--epochs=60", f"--threads={9 - threads}")
            t.check(f"{name}: resumed at epoch {epoch} with {threads} threads", t.bits("resumed") == whole)


def interrupt(t, kills):
    """Ended by SIGKILL and SIGTERM at any moment, while a checkpoint is written at every epoch."""
    checkpoint, dice = t.path("killed"), random.Random(1)
    t.train("-o", t.path("whole"), "--epochs=20000", "--metric=loss")
    for i in range(kills):
        number = signal.SIGKILL if i % 2 else signal.SIGTERM
        for path in os.listdir(t.folder):
            if path.startswith("killed"):
                os.unlink(t.path(path))
        run = subprocess.Popen([os.path.join(t.programs, "gnn-train"), t.program, "--graph", t.graph, "--epochs=20000", "--metric=loss", "--every=1",
                                f"--checkpoint={checkpoint}"], stdout=subprocess.DEVNULL)
        while not os.path.exists(checkpoint) and run.poll() is None:
            time.sleep(0.005)
        time.sleep(dice.random() / 4)
        run.send_signal(number)
        run.wait()
        left = [name for name in os.listdir(t.folder) if name.startswith("killed.tmp")]
        t.check(f"signal {number}: the run ended before it", run.returncode == -number)
        t.check(f"signal {number} leaves {left}", number == signal.SIGKILL or not left)
        done = t.train("-o", t.path("resumed"), f"--resume={checkpoint}", "--epochs=20000", check=False)
        t.check(f"signal {number}: resumed: {done.stderr}", not done.returncode and t.bits("resumed") == t.bits("whole"))


def fill_disk(t):
    """A limit of the size of files, in place of a full disk: the old checkpoint stays, and nothing else."""
    t.train(f"--checkpoint={t.path('small')}", "--epochs=5")
    before = t.bits("small")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    run = t.train(f"--resume={t.path('small')}", f"--checkpoint={t.path('small')}", "-o", t.path("none"), "--epochs=30", check=False, preexec_fn=limit)
    t.check(f"full disk: {run.stderr}", run.returncode == 1 and "cannot write" in run.stderr)
    t.check("full disk: the old checkpoint is gone", t.bits("small") == before)
    t.check("full disk: other files stay", not [n for n in os.listdir(t.folder) if "small." in n or n.startswith("none")])


def train_compiled(t):
    """From a model to predictions: gnn-run finds the accuracies that gnn-train has printed."""
    model, files = os.path.join(ROOT, "examples", "gcn.gnn"), ["--graph", t.graph]
    t.call("gnnc", "--target=c", "--train", model, *files, "--dim", "H=16", "--dim", "C=2", "-o", t.path("gcn_train.c"))
    t.call("gnnc", "--target=c", model, *files, "--dim", "H=16", "--dim", "C=2", "-o", t.path("gcn.c"))
    found = []
    for threads in (1, 2, 3):
        said = t.call("gnn-train", t.path("gcn_train.c"), *files, "-o", t.path("gcn.safetensors"), "--epochs=100", f"--threads={threads}").stdout
        found.append(t.bits("gcn.safetensors"))
    t.check("gcn: the weights depend on the threads", found[0] == found[1] == found[2])
    names = {"conv1.lin.weight": [16, 34], "conv1.bias": [16], "conv2.lin.weight": [2, 16], "conv2.bias": [2]}
    t.check("gcn: names and shapes", {n: list(v.shape) for n, v in read(t.path("gcn.safetensors"))[0].items()} == names)
    run = t.call("gnn-run", t.path("gcn.c"), *files, "--weights", t.path("gcn.safetensors")).stdout
    trained = [line for line in said.split("\n") if line.startswith("accuracy: ")][0][len("accuracy: "):].split(", ")
    ran = [line[len("accuracy: "):].split(" (")[0] for line in run.split("\n") if line.startswith("accuracy: ")]
    t.check(f"gcn: gnn-train says {trained}, gnn-run {ran}", trained == ran and len(ran) == 3)
    t.check(f"gcn learns nothing: {said}", float(trained[2].split()[1]) >= 0.9)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--kills", type=int, default=6)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="gnnc-train-")
    try:
        t = Trainer(folder, os.path.abspath(options.bin))
        resume_everywhere(t)
        interrupt(t, options.kills)
        fill_disk(t)
        train_compiled(t)
    finally:
        shutil.rmtree(folder)
    print(f"{t.passed} passed, {t.failed} failed")
    sys.exit(1 if t.failed else 0)


if __name__ == "__main__":
    main()
