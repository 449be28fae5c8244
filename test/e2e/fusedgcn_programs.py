"""Random programs of FusedGCN: the simulator, at levels 1 and 2, and a sequential interpreter in Python leave the same bits in device memory, and refuse the
same programs.

    python3 fusedgcn_programs.py --bin build/bin --simulate build/test/e2e/simulate [--count 40] [--seed 1]

A program loads weights and runs several layers, some of them row by row or in ranges, with H and OUT anywhere in .features, also as columns of one matrix. One in
six breaks a rule: a column of S is no row of H, weights were not loaded, places are beyond those of the PEs, or S_pos falls.
"""
import argparse
import os
import random
import struct
import subprocess
import sys
import tempfile

from image_file import encode, pad, write_image

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from fusedgcn_reference import Device, Fault, nearest, open_image, read_device, read_table, run_records

EDGES, WEIGHTS, FEATURES, FEATURE_BYTES, RECORD = 1 << 20, 1 << 22, 1 << 24, 8192, 128
DEVICES = [{"rows": 4, "columns": 3, "mem": 24}, {"rows": 1, "columns": 1, "mem": 300}, {"rows": 16, "columns": 16, "mem": 12}, {"rows": 3, "columns": 20, "mem": 9}]
WILD = [0x7f80, 0xff80, 0x7fc1, 0x7f7f, 0xff7f, 0x0080, 0x8080, 0x0001, 0x8000, 0xffff]


def bits(rng):
    return rng.choice(WILD) if rng.random() < 0.02 else 0 if rng.random() < 0.2 else nearest(rng.gauss(0, 1))


def words(rng, count):
    return struct.pack(f"<{count}H", *(bits(rng) for _ in range(count)))


class Program:
    """The parts of an image, as they grow."""

    def __init__(self, rng, device):
        self.rng, self.device, self.names, self.fields = rng, device, *read_table()
        self.edges, self.weights, self.records, self.loaded = b"", b"", [], 0

    def add(self, op, **values):
        self.records.append((op, values))

    def put(self, data):
        """Puts a list into .edges and returns its address."""
        self.edges += pad(data)
        return EDGES + len(self.edges) - len(pad(data))

    def matrix(self, n, h_rows):
        """A random S."""
        counts = [self.rng.choice([0, 1, 1, 2, 5]) if h_rows else 0 for _ in range(n)]
        pos = [sum(counts[:r]) for r in range(n + 1)]
        col = [self.rng.randrange(h_rows) for _ in range(pos[-1])]
        return pos, col

    def load(self, number, tiles, biases):
        """Loads weights into places that fit, and returns the first."""
        first = self.rng.randrange(self.device["mem"] - max(tiles, biases) + 1)
        at = WEIGHTS + len(self.weights)
        self.weights += pad(words(self.rng, (tiles * self.device["rows"] + biases) * self.device["columns"]))
        self.add("loadw", layer=number, first=first, tiles=tiles, biases=biases, w=at)
        return first

    def place(self, n, h_rows, i, o):
        """Addresses and strides of H and OUT, apart or side by side."""
        rng = self.rng
        if rng.random() < 0.3:
            stride, rows = i + o + rng.randrange(4), max(n, h_rows)
            at = FEATURES + 2 * rng.randrange(FEATURE_BYTES // 2 - rows * stride)
            return (at, stride, at + 2 * i, stride) if rng.random() < 0.5 else (at + 2 * o, stride, at, stride)
        h_stride, out_stride, half = i + rng.randrange(3), o + rng.randrange(3), FEATURE_BYTES // 4
        low, high = (FEATURES + 2 * rng.randrange(half - max(n, h_rows, 1) * max(h_stride, out_stride)) + k * 2 * half for k in (0, 1))
        return (low, h_stride, high, out_stride) if rng.random() < 0.5 else (high, h_stride, low, out_stride)

    def layer(self, number, is_broken):
        """Adds a layer. Returns whether it breaks a rule."""
        rng, k, m, mem = self.rng, self.device["rows"], self.device["columns"], self.device["mem"]
        n, h_rows = rng.randrange(7), rng.randrange(1, 7)
        i = rng.randrange(1, 30)
        o = rng.randrange(1, min(40, mem // -(-i // k) * m) + 1) if -(-i // k) <= mem else 0
        if not o:
            i, o = rng.randrange(1, k + 1), 1
        kt, rt, bias = -(-i // k), -(-o // m), rng.randrange(2)
        pos, col = self.matrix(n, h_rows)
        first, is_bad = self.load(number, kt * rt, rt * max(bias, rng.randrange(2))), False
        kind = rng.randrange(4)
        if is_broken and kind == 0 and col:
            col[rng.randrange(len(col))], is_bad = rng.choice([h_rows, -1]), True
        elif is_broken and kind == 1 and len(self.records) == 1:
            self.records[-1][1]["tiles"] -= 1
            is_bad = True
        elif is_broken and kind == 2:
            first, is_bad = mem, True
        elif is_broken and kind == 3 and n > 1 and pos[-1]:
            pos[rng.randrange(1, n)], is_bad = pos[-1] + 1, True
        h, h_stride, out, out_stride = self.place(n, h_rows, i, o)
        self.add("layer", layer=number, act=rng.randrange(3), order=rng.randrange(2), bias=bias, acc_in=rng.randrange(2), n=n, nnz=len(col), i=i, o=o, kt=kt, rt=rt,
                 h_rows=h_rows, h_stride=h_stride, out_stride=out_stride, s_pos=self.put(struct.pack(f"<{n + 1}i", *pos)),
                 s_col=self.put(struct.pack(f"<{len(col)}i", *col)), s_val=self.put(words(rng, len(col))), h=h, out=out)
        cuts = sorted({0, n, *(rng.randrange(n + 1) for _ in range(rng.randrange(3)))})
        for lo, hi in zip(cuts, cuts[1:] or [n]):
            if rng.random() < 0.2:
                self.add("sync")
            self.add("run", layer=number, lo=lo, hi=hi, first=first)
        return is_bad

    def write(self, path):
        text = b"".join(encode(op, values, self.names, self.fields) for op, values in self.records + [("halt", {})])
        write_image(path, "fusedgcn", self.device, {".text": (4096, text), ".edges": (EDGES, self.edges), ".weights": (WEIGHTS, self.weights),
                                                    ".features": (FEATURES, FEATURE_BYTES)})


def make_program(seed, path):
    """Writes a program. Returns whether it breaks a rule."""
    rng = random.Random(seed)
    program, layers = Program(rng, {**read_device(), "name": "small", **DEVICES[seed % len(DEVICES)]}), rng.randrange(1, 4)
    return any([program.layer(number, seed % 6 == 0 and number == layers - 1) for number in range(layers)] + [program.write(path)])


def check(simulate, seed, scratch):
    """Returns the error, or None."""
    program, before, after = (os.path.join(scratch, name) for name in ("program.bin", "before", "after"))
    is_bad, features = make_program(seed, program), words(random.Random(seed + 1), FEATURE_BYTES // 2)
    with open(before, "wb") as f:
        f.write(features)
    runs = []
    for level in (1, 2):
        runs.append(subprocess.run([simulate, program, str(level), after, before], capture_output=True, text=True, check=False))
        found = b""
        if not runs[-1].returncode:
            with open(after, "rb") as f:
                found = f.read()
        runs[-1].features = found
    with open(program, "rb") as f:
        image = open_image(f.read())
    image.sections[".features"].data[:] = features
    try:
        run_records(image, Device(image), 0, len(image.sections[".text"].data) // RECORD)
    except Fault as e:
        return None if is_bad and all(r.returncode == 1 for r in runs) else f"the reference refuses a program ({e}), the simulator: {runs[0].stderr.strip()}"
    for level, r in zip((1, 2), runs):
        if r.returncode or is_bad:
            return f"level {level}: exit {r.returncode}: {r.stderr.strip()}; the reference runs the program"
        if r.features != bytes(image.sections[".features"].data):
            at = next(i for i, (a, b) in enumerate(zip(r.features, image.sections[".features"].data)) if a != b)
            return f"level {level}: byte {at} of .features differs"
    return None if runs[0].stdout == runs[1].stdout else f"{runs[0].stdout.strip()} cycles at level 1, {runs[1].stdout.strip()} at level 2"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin")
    parser.add_argument("--simulate", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gnnc-fusedgcn-") as scratch:
        for seed in range(options.seed, options.seed + options.count):
            wrong = check(options.simulate, seed, scratch)
            if wrong:
                failed += 1
                print(f"program {seed}: {wrong}")
    print(f"{options.count - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
