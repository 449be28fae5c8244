"""Random programs of Sextans: the simulator and a sequential interpreter in Python compute the same bits, and refuse the same programs.

    python3 sextans_programs.py --bin build/bin [--count 40] [--seed 1]

A program writes random rows to B, C_in and the elements of A, in every layout and with orders that fold, runs launches with random lists, and reads C_out. One in
six breaks a rule: two non-zeros of a row are too close, a row or column is out of range, or a place has more rows than A has non-zeros. The programs do not
come from the compiler: lists are scheduled here, with needless bubbles, and the file is written here.
"""
import argparse
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

from image_file import encode, pad, write_image

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from safetensors import read
from sextans_reference import Fault, Matrix, read_device, read_outputs, read_table, run_image

PES, RECORD, BUBBLE = 64, 128, 0x3FFFF << 32
DEVICES = [{"window": 16, "depth": 4, "distance": 3}, {"window": 32, "depth": 2, "distance": 10, "has_two_b": True},
           {"window": 4096, "depth": 12288, "distance": 1, "has_no_c": False}]
NUMBERS = [0.0, -0.0, 1.0, -1.5, 3e38, 1e-45, math.inf, math.nan]


def number(rng):
    return rng.choice(NUMBERS) if rng.random() < 0.03 else struct.unpack("<f", struct.pack("<f", rng.gauss(0, 1)))[0]


# ---- lists ----

def schedule(rng, entries, distance):
    """The slots of a list: entries in any order, each `distance` slots after the last one of its row; None is a bubble."""
    slots, free = [], {}
    for row, column, value in entries:
        at = max(len(slots), free.get(row, 0)) + (rng.random() < 0.1)
        slots += [None] * (at - len(slots)) + [(row, column, value)]
        free[row] = at + distance
    return slots


def random_lists(rng, device, m, k):
    """Q and the lists of all PEs."""
    window = device["window"] // 2 if device["has_two_b"] else device["window"]
    lists, q = [[] for _ in range(PES)], [0]
    for begin in range(0, k, window):
        for pe in range(min(PES, m)):
            rows = (m - pe + PES - 1) // PES
            count = rng.randrange(12) if rng.random() < 0.3 else 0
            entries = [(rng.randrange(rows), rng.randrange(min(window, k - begin)), number(rng)) for _ in range(count)]
            lists[pe] += schedule(rng, entries, device["distance"])
        q.append(max(map(len, lists)))
        for slots in lists:
            slots += [None] * (q[-1] - len(slots))
    return q, lists


def pack_lists(lists):
    """The channels of A; beat i of channel c has slot i of PEs c, c + 8, .. in the lanes 0, 4, 2, 6, 1, 5, 3, 7."""
    words = []
    for channel in range(8):
        for slot in range(len(lists[0])):
            for group in (0, 4, 2, 6, 1, 5, 3, 7):
                element = lists[8 * group + channel][slot]
                if element is None:
                    words.append(BUBBLE)
                else:
                    row, column, value = element
                    words.append(column << 50 | row << 32 | struct.unpack("<I", struct.pack("<f", value))[0])
    return struct.pack(f"<{len(words)}Q", *words)


def break_lists(rng, device, m, k, lists, q):
    """Breaks a rule of the lists. Returns whether there was a place for it."""
    full = [(pe, i) for pe, slots in enumerate(lists) for i, e in enumerate(slots) if e]
    if not full:
        return False
    pe, i = rng.choice(full)
    row, column, value = lists[pe][i]
    kind = rng.randrange(3)
    if kind == 0:
        lists[pe][i] = m // PES + 1, column, value
    elif kind == 1:
        lists[pe][i] = row, max(k, device["window"]), value
    elif i + 1 < len(lists[pe]) and i + 1 not in q and device["distance"] > 1:
        lists[pe][i + 1] = row, column, value
    else:
        return False
    return True


# ---- programs ----

class Program:
    """The parts of an image, as they grow."""

    def __init__(self, rng, device):
        self.rng, self.device = rng, device
        self.names, self.fields = read_table()
        self.text, self.edges, self.weights, self.features, self.rows, self.lists = b"", b"", b"", 0, b"", b""
        self.arrays, self.steps = [], []

    def constant(self, rows, width):
        self.arrays.append({"name": f"a{len(self.arrays)}", "rows": rows, "width": width, "data": len(self.lists)})
        self.lists += struct.pack(f"<{rows * width}f", *(number(self.rng) for _ in range(rows * width)))
        return len(self.arrays) - 1

    def room(self, rows, width):
        self.arrays.append({"name": f"a{len(self.arrays)}", "rows": rows, "width": width})
        return len(self.arrays) - 1

    def order(self, rows, count):
        """An order of `rows` rows of memory, which are `count` of an array, or null."""
        if rows == count and self.rng.random() < 0.3:
            return None
        order = [self.rng.randrange(-1, count) for _ in range(rows)]
        self.rows += struct.pack(f"<{rows}i", *order)
        return len(self.rows) - 4 * rows

    def allocate(self, is_b, rows, columns):
        address = 1 << 24 | self.features
        self.features += Matrix(is_b, rows, columns).stride * (4 if is_b else 8)
        return address

    def move(self, layout, address, rows, columns, array=None):
        """A relayout of a matrix: towards the device of a new constant or of an array, and from the device to a new array if `array` is -1."""
        is_transposed, count = self.rng.random() < 0.4, self.rng.choice([rows, rows, max(1, rows // 2), rows + 3])
        if array is not None and array >= 0:
            shape = self.arrays[array]
            is_transposed, count = shape["width"] != columns, shape["width"] if shape["width"] != columns else shape["rows"]
        size = (columns, count) if is_transposed else (count, columns)
        a = self.room(*size) if array == -1 else self.constant(*size) if array is None else array
        place = {"layout": layout + "t" * is_transposed, "address": address, "rows": rows, "order": self.order(rows, count)}
        self.steps.append({"op": "relayout", "name": layout, "out" if array == -1 else "in": a, "place": place})
        return a

    def move_values(self, address, lists, is_broken):
        rows, slots = sum(e is not None for x in lists for e in x), len(lists[0])
        rows += is_broken
        a = self.constant(self.rng.randrange(1, 5), max(1, rows))
        place = {"layout": "sextans_a", "address": address, "stride": slots, "rows": rows}
        place["order"] = self.order(rows, self.arrays[a]["rows"] * self.arrays[a]["width"])
        self.steps.append({"op": "relayout", "name": "values", "in": a, "place": place})

    def launch(self, is_broken):
        """Adds a launch and the moves around it. Returns whether it breaks a rule, and the array of the result."""
        rng, device = self.rng, self.device
        m, k, n = rng.randrange(1, min(64 * device["depth"], 200) + 1), rng.randrange(1, 60), rng.randrange(1, 20)
        q, lists = random_lists(rng, device, m, k)
        by_place = is_broken and rng.random() < 0.3
        is_bad = by_place or (is_broken and break_lists(rng, device, m, k, lists, q))
        no_c = device["has_no_c"] and rng.random() < 0.5
        b, c_out = self.allocate(True, k, n), self.allocate(False, m, n)
        c_in = 0 if no_c else c_out if rng.random() < 0.3 else self.allocate(False, m, n)
        a = 1 << 22 | len(self.weights)
        self.move("sextans_b", b, k, n)
        if not no_c:
            self.move("sextans_c", c_in, m, n)
        if by_place or (q[-1] and rng.random() < 0.5):
            self.move_values(a, lists, by_place)
        values = {"n": n, "m": m, "k": k, "windows": len(q) - 1, "slots": q[-1], "alpha": rng.choice([1.0, -0.75, 0.0]), "beta": rng.choice([1.0, 2.5]),
                  "q": 1 << 20 | len(self.edges), "a": a, "a_stride": 64 * q[-1], "b": b, "b_stride": Matrix(True, k, n).stride, "c_in": c_in, "c_out": c_out,
                  "c_stride": Matrix(False, m, n).stride, "no_c": int(no_c)}
        self.steps.append({"run": [len(self.text) // RECORD, len(self.text) // RECORD + 1]})
        self.text += encode("spmm", values, self.names, self.fields)
        self.edges += pad(struct.pack(f"<{len(q)}i", *q))
        self.weights += pack_lists(lists)
        return is_bad, self.move("sextans_c", c_out, m, n, -1)

    def write(self, path, outputs):
        sections = {".text": (4096, self.text + encode("halt", {}, self.names, self.fields)), ".edges": (1 << 20, self.edges), ".weights": (1 << 22, self.weights),
                    ".features": (1 << 24, self.features), ".gnnc.rows": (0, self.rows), ".gnnc.lists": (0, self.lists)}
        shapes = [self.arrays[a] for a in outputs]
        places = [{"name": f"y{i}", "kind": "rows", "domain": "node", "set": "g", "rows": s["rows"], "shape": [s["width"]], "width": s["width"], "array": a,
                   "order": None} for i, (a, s) in enumerate(zip(outputs, shapes))]
        manifest = {"model": "random", "inputs": [], "outputs": places, "arrays": self.arrays, "edge_lists": [], "steps": self.steps}
        write_image(path, "sextans", self.device, sections, manifest)


def make_program(seed, path):
    """Writes a program. Returns whether it breaks a rule."""
    rng = random.Random(seed)
    device = {**read_device(), "name": "small", **DEVICES[seed % len(DEVICES)]}
    program, launches = Program(rng, device), rng.randrange(1, 4)
    made = [program.launch(seed % 6 == 0 and i == launches - 1) for i in range(launches)]
    program.write(path, [array for _, array in made])
    return any(is_bad for is_bad, _ in made)


def same(a, b):
    return (a == b and math.copysign(1, a) == math.copysign(1, b)) or (math.isnan(a) and math.isnan(b))


def check(gnn_run, seed, scratch):
    """Returns the error, or None."""
    program, out = os.path.join(scratch, "program.bin"), os.path.join(scratch, "out.safetensors")
    is_bad = make_program(seed, program)
    done = subprocess.run([gnn_run, program, "-o", out], capture_output=True, text=True, check=False)
    try:
        outputs = read_outputs(run_image(program, {}))
    except Fault as e:
        return None if done.returncode == 1 and is_bad else f"the reference refuses a program ({e}), gnn-run: exit {done.returncode}"
    if done.returncode or is_bad:
        return f"gnn-run: exit {done.returncode}: {done.stderr.strip()}; the reference runs the program"
    simulated = read(out)[0]
    for name, numbers in outputs.items():
        for i, (a, b) in enumerate(zip(simulated[name].data, numbers, strict=True)):
            if not same(a, b):
                return f"'{name}', number {i}: the simulator has {a!r}, the reference {b!r}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", required=True)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gnnc-sextans-") as scratch:
        for seed in range(options.seed, options.seed + options.count):
            wrong = check(os.path.join(options.bin, "gnn-run"), seed, scratch)
            if wrong:
                failed += 1
                print(f"program {seed}: {wrong}")
    print(f"{options.count - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
