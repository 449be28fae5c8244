"""A graph four times larger than the memory that gnn-run or gnn-train may have is computed from disk, with the bits of the run in memory.

    python3 from_disk.py [--bin build/bin] [--side 512] [--limit group|data]

The graph is a grid of side x side nodes with 128 features. The limit is a quarter of its file: a control group (Linux, as root, memory controller of version 1 or 2), whose
limit counts every page; else RLIMIT_DATA, which counts memory that no file backs. Under the same limit the run in memory must fail, else the limit limits nothing. The same model is
then trained, one epoch in 16 parts under RLIMIT_DATA, and its weights compared with those of one rank in memory. Then disks of several sizes are full (as root, which mounts them). The last line is "N passed, N failed, N skipped".
"""
import argparse
import array
import json
import os
import random
import re
import resource
import struct
import subprocess
import tempfile

from programs import ROOT

FEATURES, HIDDEN, CLASSES, CELLS, RANKS, TRAINED = 128, 32, 4, 64, 64, 16
STACK = 256 * 1024
GROUPS_V1, GROUPS_V2 = "/sys/fs/cgroup/memory", "/sys/fs/cgroup"


def write(path, tensors):
    """Writes a safetensors file of arrays: {name: (dtype, shape, array)}."""
    head, at = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        size = len(data) * data.itemsize
        head[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        for _, _, data in tensors.values():
            data.tofile(out)


def grid(path, side):
    """Writes the grid, with edges in both directions; its rows of features repeat a long pattern of random numbers."""
    nodes = side * side
    src, dst = array.array("i"), array.array("i")
    for step, ends in ((1, range(side - 1)), (side, range(side))):
        for row in range(side if step == 1 else side - 1):
            first = [row * side + column for column in ends]
            src.extend(first)
            dst.extend(n + step for n in first)
            src.extend(n + step for n in first)
            dst.extend(first)
    pattern = array.array("f", (random.Random(1).uniform(-1, 1) for _ in range(10007)))
    x = pattern * (nodes * FEATURES // len(pattern) + 1)
    draw = random.Random(3)
    labels = array.array("i", (draw.randrange(CLASSES) for _ in range(nodes)))
    masks = {f"{name}_mask": ("I32", [nodes], array.array("i", (n % 3 == k for n in range(nodes)))) for k, name in enumerate(("train", "val", "test"))}
    write(path, {"edge_index": ("I32", [2, len(src)], src + dst), "x": ("F32", [nodes, FEATURES], x[:nodes * FEATURES]), "y": ("I32", [nodes], labels), **masks})


def weights(path):
    draw = random.Random(2)
    def tensor(*shape):
        count = 1
        for n in shape:
            count *= n
        return ("F32", list(shape), array.array("f", (draw.uniform(-0.5, 0.5) for _ in range(count))))
    write(path, {"conv1.lin.weight": tensor(HIDDEN, FEATURES), "conv1.bias": tensor(HIDDEN), "conv2.lin.weight": tensor(CLASSES, HIDDEN), "conv2.bias": tensor(CLASSES)})


class Group:
    """A control group with a limit of memory; None for its path where none can be made."""

    def __init__(self, limit):
        self.path = None
        for folder, name in ((GROUPS_V1, "memory.limit_in_bytes"), (GROUPS_V2, "memory.max")):
            path = os.path.join(folder, f"gnnc_test_{os.getpid()}")
            try:
                os.mkdir(path)
                with open(os.path.join(path, name), "w") as out:
                    out.write(str(limit))
                self.path = path
                return
            except OSError:
                if os.path.isdir(path):
                    os.rmdir(path)

    def close(self):
        if self.path:
            os.rmdir(self.path)


def run(command, group, limit):
    """Runs a command in a group, or else with a limit of the data of processes."""
    def restrict():
        if group and group.path:
            with open(os.path.join(group.path, "cgroup.procs"), "w") as out:
                out.write("0")
        elif limit:
            resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=restrict)


DISKS = ["2m", "20m", "60m"]  # the first is full when rank 0 makes its part, others when it binds or sends


def fill_disks(command, folder):
    """Runs the command, which --from-disk=DIR ends, on disks that are too small. Returns (failures, how many could not be mounted)."""
    failures, skipped, disk = [], 0, os.path.join(folder, "disk")
    os.mkdir(disk)
    for size in DISKS:
        if os.geteuid() or subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], capture_output=True).returncode:
            skipped += 1
            continue
        done = subprocess.run([*command, f"--from-disk={disk}"], capture_output=True, text=True)
        subprocess.run(["umount", disk], check=True)
        said = done.stderr.strip()
        if done.returncode != 1 or said.count("\n") or not re.search(rf"^gnn-run: error: .*'{re.escape(disk)}' has \d+ bytes and needs \d+ more: the disk is full$", said):
            failures.append(f"disk of {size}: status {done.returncode}: {said}")
    return failures, skipped


def check_training(tool, at, limit):
    """Trains under a limit of the data of the process from disk, and without it in memory as one rank. Returns the failures."""
    graph = ["--graph", at("g.safetensors")]
    subprocess.run([tool("gnnc"), os.path.join(ROOT, "examples", "gcn.gnn"), "--target=c", "--train", "--ranks", "--features=dense", *graph, f"--dim=H={HIDDEN}", f"--dim=C={CLASSES}",
                    "-o", at("t.c")], check=True)
    subprocess.run([os.environ.get("CC") or "cc", "-std=c17", "-O1", "-fPIC", "-shared", at("t.c"), "-o", at("t.so"), "-lm"], check=True)
    train = [tool("gnn-train"), at("t.so"), *graph, "--cells", at("c.safetensors"), "--epochs=1", "-o", at("trained.safetensors")]
    if run([*train, "--local-ranks=1"], None, limit).returncode == 0:
        return [f"the training in memory succeeds with {limit} bytes: the limit does not bind"]
    done = run([*train, f"--from-disk={os.path.dirname(at('x'))}", f"--local-ranks={TRAINED}"], None, limit)
    if done.returncode:
        return [f"training from disk with {limit} bytes: status {done.returncode}: {done.stderr.strip()}"]
    with open(at("trained.safetensors"), "rb") as file:
        found = file.read()
    subprocess.run([*train, "--local-ranks=1"], check=True, stdout=subprocess.DEVNULL)
    with open(at("trained.safetensors"), "rb") as file:
        return [] if file.read() == found else ["the weights of the training from disk differ from those of one rank in memory"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--side", type=int, default=512)
    parser.add_argument("--limit", choices=["group", "data"])
    options = parser.parse_args()
    tool = lambda name: os.path.join(options.bin, name)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        at = lambda name: os.path.join(folder, name)
        grid(at("g.safetensors"), options.side)
        weights(at("w.safetensors"))
        files = ["--graph", at("g.safetensors"), "--weights", at("w.safetensors")]
        subprocess.run([tool("gnnc"), os.path.join(ROOT, "examples", "gcn.gnn"), "--target=c", "--ranks", "--features=dense", *files, "-o", at("m.c")], check=True)
        subprocess.run([tool("gnn-data"), "partition", "--method=blocks", f"--cells={CELLS}", at("g.safetensors"), "-o", at("c.safetensors")], check=True, stdout=subprocess.DEVNULL)
        memory = [tool("gnn-run"), at("m.so"), *files]
        subprocess.run([tool("gnn-run"), at("m.c"), *files, "--save-library", at("m.so")], check=True, stdout=subprocess.DEVNULL)
        size = os.path.getsize(at("g.safetensors"))
        limit = size // 4
        group = Group(limit) if options.limit != "data" else None
        kind = "control group" if group and group.path else "RLIMIT_DATA"
        done = run(memory, group, limit)
        if done.returncode == 0:
            failures.append(f"the run in memory succeeds with {limit} bytes: the limit does not bind")
        done = run([*memory, "--cells", at("c.safetensors"), "--from-disk", folder, f"--local-ranks={RANKS}", "-o", at("found.safetensors")], group, limit)
        if done.returncode:
            failures.append(f"from disk with {limit} bytes: status {done.returncode}: {done.stderr.strip()}")
        trained = check_training(tool, at, limit)
        if group:
            group.close()
        if not failures:
            done = subprocess.run([*memory, "--compare", at("found.safetensors"), "--tolerance=0"], capture_output=True, text=True)
            if done.returncode:
                failures.append(f"outputs differ: {done.stdout.strip().splitlines()[-1]}")
        full, skipped = fill_disks([*memory, "--cells", at("c.safetensors"), f"--local-ranks={RANKS}"], folder)
        passed = (not failures) + (not trained) + len(DISKS) - skipped - len(full)
        failures += trained + full
        print(f"graph of {size} bytes, {kind} of {limit}")
    for text in failures:
        print(f"FAIL {text}")
    print(f"{passed} passed, {len(failures)} failed, {skipped} skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
