"""Known results of FusedGCN: two graph convolutions of Cora and of Citeseer as programs of this script, bit for bit.

    python3 fusedgcn_golden.py --bin build/bin --simulate build/test/e2e/simulate

The bits of the hidden rows and of the output are those of an independent model, whose sha256 is in the table below. Inputs are cut off to bf16, as the
published test bench does; S[i][j] = 1 / sqrt(d_i d_j) in double, rounded to fp32. At level 2, which moves numbers through the registers of the array, some
rows of the first layer have the same bits. Graphs that are not there are skipped.
"""
import argparse
import hashlib
import os
import struct
import subprocess
import sys
import tempfile

from image_file import encode, pad, write_image
from programs import ROOT

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from fusedgcn_reference import read_device, read_table, truncate
from safetensors import read

SHARED = os.path.join(os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")), "data")
GOLDEN = {
    "cora": ("59d662f4e067791f087a3f80c01421ef6b4ec4ee390e9536b3c1110cf55ed9d4", "16860a568c3e4c59930975bdc1546cd90ef6c13e7eb3163083a26a25b9d193b6"),
    "citeseer": ("23fed7e1f9a23d8ff053f34458519870a378f78b8d32fa5060f49ea05e0c9a5e", "a32e74d88b2710fd7029bc31d8c1c5b7241f96412d066b8d009ddba0ed912a5b"),
}
# the weights of layer 1, its run, during which those of layer 2 are loaded, and the run of layer 2
CYCLES = {"cora": 90 * 16 + 1 + 1193777 + 13281, "citeseer": 464 * 16 + 5768001 + 24879}
K = M = 16
EDGES, WEIGHTS, FEATURES = 1 << 20, 1 << 24, 1 << 28


def words(numbers):
    return struct.pack(f"<{len(numbers)}H", *(truncate(x) for x in numbers))


def adjacency(tensors, nodes):
    """S as S_pos, S_col, S_val: rows are destinations, columns ascend, each node has a loop."""
    ends = tensors["edge_index"].data
    sources, destinations = ends[:len(ends) // 2], ends[len(ends) // 2:]
    rows = [[n] for n in range(nodes)]
    for s, d in zip(sources, destinations):
        rows[d].append(s)
    pos, col = [0], []
    for row in rows:
        col += sorted(row)
        pos.append(len(col))
    degree = [b - a for a, b in zip(pos, pos[1:])]
    return pos, col, [1 / (degree[n] * degree[c]) ** 0.5 for n in range(nodes) for c in col[pos[n]:pos[n + 1]]]


def features(tensors, nodes, width, is_normalised):
    """The rows of X in bf16."""
    pos, col, val = (tensors[f"x_{part}"].data for part in ("indptr", "indices", "data"))
    rows = bytearray(2 * nodes * width)
    for n in range(nodes):
        total = sum(val[pos[n]:pos[n + 1]]) if is_normalised else 1
        for at in range(pos[n], pos[n + 1]):
            struct.pack_into("<H", rows, 2 * (n * width + col[at]), truncate(val[at] / total))
    return bytes(rows)


def stream(w, rows, columns, bias):
    """The tiles of W, and the biases; w is a function of row and column."""
    kt, rt, numbers = -(-rows // K), -(-columns // M), []
    for k in range(kt):
        for r in range(rt):
            for p in range(k * K, k * K + K):
                numbers += [w(p, q) if p < rows and q < columns else 0.0 for q in range(r * M, r * M + M)]
    return words(numbers + (bias + [0.0] * (rt * M - columns) if bias else []))


def formula(p, q):
    return ((((p * 2654435761 + q * 40503) & 0xffffffff) >> 7) % 33 - 16) / 64


class Model:
    """The sizes, S, X and the weights of a graph."""

    def __init__(self, name):
        tensors, metadata = read(os.path.join(SHARED, "graphs", f"{name}.safetensors"))
        self.nodes, width = int(metadata["num_nodes"]), int(metadata["num_features"])
        self.s = adjacency(tensors, self.nodes)
        self.x = features(tensors, self.nodes, width, name == "cora")
        if name == "cora":
            w = read(os.path.join(SHARED, "weights", "cora_gcn.safetensors"))[0]
            self.widths, self.biases = [width, 16, 7], [w[f"conv{i}.bias"].data for i in (1, 2)]
            weights = [lambda p, q, t=w[f"conv{i}.lin.weight"]: t.data[q * t.shape[1] + p] for i in (1, 2)]
        else:
            self.widths, self.biases, weights = [width, 21, 6], [None, None], [formula, formula]
        self.streams = [stream(weights[i], *self.widths[i:i + 2], self.biases[i]) for i in (0, 1)]

    def write(self, path, runs=None):
        """Writes the program; with `runs` only these rows of layer 1."""
        names, fields = read_table()
        pos, col, val = self.s
        parts = [pad(struct.pack(f"<{len(pos)}i", *pos)), pad(struct.pack(f"<{len(col)}i", *col)), pad(words(val))]
        places = [EDGES, EDGES + len(parts[0]), EDGES + len(parts[0]) + len(parts[1])]
        weights, streams = self.x + bytes(-len(self.x) % 64), []
        for s in self.streams:
            streams.append(WEIGHTS + len(weights))
            weights += pad(s)
        hidden = FEATURES + 2 * self.nodes * self.widths[1]
        loads, records, first, rows = [], [], 0, [WEIGHTS, FEATURES, hidden]
        for layer in (0,) if runs else (0, 1):
            i, o = self.widths[layer:layer + 2]
            kt, rt, bias = -(-i // K), -(-o // M), int(self.biases[layer] is not None)
            loads += [("loadw", {"layer": layer, "first": first, "tiles": kt * rt, "biases": bias * rt, "w": streams[layer]})]
            records += [("layer", {"layer": layer, "act": 1 - layer, "bias": bias, "n": self.nodes, "nnz": len(col), "i": i, "o": o, "kt": kt, "rt": rt,
                                   "h_rows": self.nodes, "h_stride": i, "out_stride": o, "s_pos": places[0], "s_col": places[1], "s_val": places[2],
                                   "h": rows[layer], "out": rows[layer + 1]})]
            records += [("run", {"layer": layer, "lo": lo, "hi": hi, "first": first}) for lo, hi in (runs or [(0, self.nodes)])]
            first += kt * rt
        text = b"".join(encode(op, values, names, fields) for op, values in loads + records + [("halt", {})])
        size = 2 * self.nodes * sum(self.widths[1:])
        sections = {".text": (4096, text), ".edges": (EDGES, b"".join(parts)), ".weights": (WEIGHTS, weights), ".features": (FEATURES, size + -size % 4)}
        write_image(path, "fusedgcn", {**read_device(), "name": "golden", "conversion": "truncate"}, sections)


class Suite:
    def __init__(self, simulate, folder):
        self.simulate, self.folder, self.passed, self.failed = simulate, folder, 0, 0

    def check(self, name, found, expected):
        self.passed += found == expected
        self.failed += found != expected
        if found != expected:
            print(f"FAILED {name}: {found}, expected {expected}")

    def run(self, level):
        program, out = os.path.join(self.folder, "program.bin"), os.path.join(self.folder, "features")
        run = subprocess.run([self.simulate, program, str(level), out], check=True, stdout=subprocess.PIPE, text=True)
        with open(out, "rb") as f:
            return int(run.stdout), f.read()

    def check_model(self, name):
        """False where the graph is not there."""
        if not os.path.exists(os.path.join(SHARED, "graphs", f"{name}.safetensors")):
            return False
        model, program = Model(name), os.path.join(self.folder, "program.bin")
        model.write(program)
        cycles, found = self.run(1)
        hidden = 2 * model.nodes * model.widths[1]
        end = hidden + 2 * model.nodes * model.widths[2]
        self.check(f"{name}: hidden", hashlib.sha256(found[:hidden]).hexdigest(), GOLDEN[name][0])
        self.check(f"{name}: output", hashlib.sha256(found[hidden:end]).hexdigest(), GOLDEN[name][1])
        self.check(f"{name}: cycles", cycles, CYCLES[name])
        degree = [b - a for a, b in zip(model.s[0], model.s[0][1:])]
        longest = max(range(model.nodes), key=degree.__getitem__)
        rows = [0, 5, model.nodes // 2, model.nodes - 1, longest] if name == "cora" else [longest]
        model.write(program, [(r, r + 1) for r in rows])
        cycles, some = self.run(2)
        tiles = -(-model.widths[0] // K) * -(-model.widths[1] // M)
        load = M * tiles + (model.biases[0] is not None)
        self.check(f"{name}: cycles of rows", cycles, load + sum(degree[r] * tiles + K + 1 for r in rows))
        width = 2 * model.widths[1]
        self.check(f"{name}: rows", [some[r * width:(r + 1) * width] for r in rows], [found[r * width:(r + 1) * width] for r in rows])
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin")
    parser.add_argument("--simulate", required=True)
    with tempfile.TemporaryDirectory(prefix="gnnc-fusedgcn-") as folder:
        suite = Suite(parser.parse_args().simulate, folder)
        skipped = sum(not suite.check_model(name) for name in GOLDEN)
    print(f"{suite.passed} passed, {suite.failed} failed, {skipped} graphs skipped (not there)")
    sys.exit(1 if suite.failed else 0)


if __name__ == "__main__":
    main()
