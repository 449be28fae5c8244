"""gnn-spmm: the product of every matrix is that in double precision, with both schedules and N = 8 and 13 columns.

    python3 spmm.py [--bin build/bin] [--columns 8,13]

The matrices are those below, written as Matrix Market files, archives of scipy and tensors, and the files mtx_* of the data
sets where they are there. For the published schedule the slots and the cycles are computed here, too, from the description
of the published host program; the best schedule is never slower.
"""
import argparse
import glob
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import zipfile

from programs import ROOT

from safetensors import Tensor, read, write

PES, TILE, WINDOW, DISTANCE = 64, 8, 4096, 10
SHARED = os.path.join(os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")), "data", "graphs")


def ceil(a, b):
    return -(-a // b)


def published_slots(entries, columns, window=WINDOW):
    """Slots of each window: entries by column, then row, each in the earliest free slot that keeps the distance."""
    lengths = [0] * ceil(columns, window)
    lists = {}
    for column, row in sorted((c, r) for r, c, _ in entries):
        lists.setdefault((column // window, row % PES), []).append(row)
    for (j, _), rows in lists.items():
        used, last, first_free = set(), {}, 0
        for row in rows:
            slot = max(first_free, last[row] + DISTANCE if row in last else 0)
            while slot in used:
                slot += 1
            used.add(slot)
            last[row] = slot
            while first_free in used:
                first_free += 1
        lengths[j] = max(lengths[j], max(used) + 1)
    return lengths


def level_1(rows, columns, n, lengths, window=WINDOW):
    b = c = 0
    for _ in range(ceil(n, TILE)):
        c += ceil(rows, 64)
        for j, slots in enumerate(lengths):
            b = c = max(b + ceil(min(window, columns - j * window), 8), c) + slots
        c += ceil(rows, 16)
    return c


def mtx(rows, columns, entries, kind="real general"):
    lines = [f"%%MatrixMarket matrix coordinate {kind}", f"{rows} {columns} {len(entries)}"]
    return "\n".join(lines + [f"{r + 1} {c + 1} {v}" for r, c, v in entries]) + "\n"


def npy(descr, shape, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


def compress(count, pairs):
    """The compressed form of (major, minor, value): where each major index begins, the minor ones, the values."""
    pairs = sorted(pairs, key=lambda p: p[0])
    starts = [sum(1 for p in pairs if p[0] < i) for i in range(count + 1)]
    return starts, [p[1] for p in pairs], [p[2] for p in pairs]


def npz(path, form, rows, columns, entries):
    def whole(numbers):
        return npy("<i4", f"({len(numbers)},)", struct.pack(f"<{len(numbers)}i", *numbers))

    if form == "coo":
        members = {"row": whole([e[0] for e in entries]), "col": whole([e[1] for e in entries])}
        values = [e[2] for e in entries]
    else:
        starts, minor, values = (compress(rows, entries) if form == "csr"
                                 else compress(columns, [(c, r, v) for r, c, v in entries]))
        members = {"indptr": whole(starts), "indices": whole(minor)}
    members["format"] = npy("|S3", "()", form.encode())
    members["shape"] = npy("<i8", "(2,)", struct.pack("<2q", rows, columns))
    members["data"] = npy("<f8", f"({len(values)},)", struct.pack(f"<{len(values)}d", *values))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)


def matrices():
    """name -> rows, columns, entries"""
    r = random.Random(1)
    value = lambda: r.choice([-1, 1]) * r.randint(1, 64) / 16  # noqa: E731
    some = lambda rows, columns, count: [(r.randrange(rows), r.randrange(columns), value()) for _ in range(count)]  # noqa: E731
    return {
        "one": (1, 1, [(0, 0, 2.5)]),
        "none": (70, 3, []),
        "square": (130, 130, some(130, 130, 900)),
        "wide": (20, 9000, some(20, 9000, 500)),
        "tall": (3000, 17, some(3000, 17, 2500)),
        "hub": (300, 300, some(300, 300, 300) + [(7, c, value()) for c in range(300)]),
        "dense_column": (200, 64, [(i, 5, value()) for i in range(200)]),
        "duplicates": (9, 9, [(4, 4, value()) for _ in range(60)]),
        "last_window": (65, 4097, [(64, 4096, 1.5), (0, 0, -2.0), (64, 0, 3.0)]),
        "empty_window": (64, 13000, [(i, 12999 - i, value()) for i in range(64)]),
        "special": (10, 10, [(0, 0, "nan"), (1, 1, "inf"), (2, 2, "-inf"), (3, 3, "-0.0"), (4, 4, 1e-30), (5, 5, 3e38)]),
    }


class Suite:
    def __init__(self, folder, columns):
        self.spmm, self.columns, self.passed, self.failed = os.path.join(folder, "gnn-spmm"), columns, 0, 0

    def check(self, name, is_good, said=""):
        self.passed += bool(is_good)
        self.failed += not is_good
        if not is_good:
            print(f"FAILED {name} {said}")

    def run(self, path, n, *options):
        """The JSON of a run with --check; None after a failure."""
        command = [self.spmm, path, str(n), "--check", "--no-cpu", "--stats=json", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.check(" ".join(command), done.returncode == 0, done.stderr)
        return json.loads(done.stdout) if done.returncode == 0 else None

    def both(self, path, size, entries, options=()):
        """Both schedules of a matrix; `entries` may be None."""
        for n in self.columns:
            published = self.run(path, n, "--schedule=published", "--dense=mixed", *options)
            best = self.run(path, n, "--dense=mixed", *options)
            self.run(path, n, *options)
            if n == 8 and not path.endswith(".npz"):  # archives have the same matrices as the other files
                self.parts(path, n, published, best, options)
            if not published or not best:
                continue
            found = published["matrix"]
            self.check(f"{path}: size", not size or (found["rows"], found["columns"]) == size, found)
            self.check(f"{path}: the best schedule is slower", best["cycles"] <= published["cycles"], best["cycles"])
            self.check(f"{path}: fewer slots than possible", best["slots"] >= best["ideal"])
            if entries is None or options:
                continue
            lengths = published_slots(entries, size[1])
            self.check(f"{path}: slots", published["slots"] == sum(lengths), published["slots"])
            cycles = level_1(size[0], size[1], n, lengths)
            self.check(f"{path}: {published['cycles']} cycles, expected {cycles}", published["cycles"] == cycles)

    def parts(self, path, n, published, best, options):
        """The best rule without each of its parts, and without all, which is the published rule."""
        for part in ("cut", "assign", "schedule", "columns"):
            less = self.run(path, n, f"--without={part}", "--dense=mixed", *options)
            if less and best and part == "schedule":
                self.check(f"{path}: shortest lists are slower", less["cycles"] >= best["cycles"], less["cycles"])
            if less and part == "cut":
                self.check(f"{path}: rows were cut", less["virtual_rows"] == 0, less["virtual_rows"])
        none = self.run(path, n, "--without=cut,assign,schedule,columns", "--dense=mixed", *options)
        if none and published:
            same = [none[key] == published[key] for key in ("cycles", "launches")]
            self.check(f"{path}: without all parts, but not the published rule", all(same), same)


def check_small(suite, folder):
    for name, (rows, columns, entries) in matrices().items():
        path = os.path.join(folder, f"{name}.mtx")
        with open(path, "w", encoding="utf-8") as f:
            f.write(mtx(rows, columns, entries))
        suite.both(path, (rows, columns), entries)
        suite.both(path, (rows, columns), entries, ["--device-set=depth=2", "--device-set=window=16"])
        suite.both(path, (rows, columns), entries, ["--device-set=has_two_b=true"])
        numbers = [(r, c, float(v)) for r, c, v in entries]
        for form in ("csr", "csc", "coo"):
            path = os.path.join(folder, f"{name}_{form}.npz")
            npz(path, form, rows, columns, numbers)
            suite.both(path, (rows, columns), entries)
        starts, indices, values = compress(rows, numbers)
        path = os.path.join(folder, f"{name}.safetensors")
        write(path, {"adj_indptr": Tensor("I64", [rows + 1], starts), "adj_indices": Tensor("I32", [len(indices)], indices),
                     "adj_data": Tensor("F32", [len(values)], values)}, {"rows": rows, "cols": columns})
        suite.both(path, (rows, columns), entries)


def check_room(suite, folder):
    """A long row of a matrix that fills the PEs: with one more launch there is room for its pieces."""
    path = os.path.join(folder, "full.mtx")
    entries = [(r, r, 1.0) for r in range(128)] + [(5, c, 2.0) for c in range(128, 2000)]
    with open(path, "w", encoding="utf-8") as f:
        f.write(mtx(128, 2000, entries))
    found = {depth: suite.run(path, 8, "--dense=mixed", f"--device-set=depth={depth}") for depth in (2, 4)}
    if all(found.values()):
        suite.check("a full device: launches", [len(r["launches"]) for r in found.values()] == [2, 1], found[2]["launches"])
        suite.check("a full device: cycles", found[2]["cycles"] < 3 * found[4]["cycles"], found[2]["cycles"])


def check_shared(suite):
    found = sorted(glob.glob(os.path.join(SHARED, "mtx_*.safetensors")))
    for path in found:
        tensors, metadata = read(path)
        entries = None
        if "edge_index" in tensors:
            ends = tensors["edge_index"].data
            count = len(ends) // 2
            weights = tensors["edge_weight"].data if "edge_weight" in tensors else [1.0] * count
            entries = [(d, s, v) for s, d, v in zip(ends[:count], ends[count:], weights) if v != 0]
            size = int(metadata["num_nodes"]), int(metadata["num_nodes"])
        else:
            size = int(metadata["rows"]), int(metadata["cols"])
            starts, columns, values = (list(tensors[f"adj_{part}"].data) for part in ("indptr", "indices", "data"))
            entries = [(r, columns[i], values[i]) for r in range(size[0]) for i in range(starts[r], starts[r + 1]) if values[i] != 0]
        suite.both(path, size, entries)
    return 22 - len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--columns", type=lambda text: [int(n) for n in text.split(",")], default=[8, 13])
    options = parser.parse_args()
    suite = Suite(options.bin, options.columns)
    with tempfile.TemporaryDirectory(prefix="gnnc-spmm-") as folder:
        check_small(suite, folder)
        check_room(suite, folder)
    skipped = check_shared(suite)
    print(f"{suite.passed} passed, {suite.failed} failed, {skipped} matrices skipped (not there)")
    sys.exit(1 if suite.failed else 0)


if __name__ == "__main__":
    main()
