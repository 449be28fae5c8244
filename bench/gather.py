#!/usr/bin/env python3
"""What loads of the touched rows alone would save on the overlay: python3 bench/gather.py [--graphs CI,PU,FL,YE,enron] [--models b1,b2,b6]

A block of an Aggregate loads ranges of source rows. For each program this prints how many of these rows its edges touch - of a load that several PEs share, the
edges of all of them -, and an upper bound of the gain of an instruction that gathers: each layer without the other rows' bytes, but with 4 bytes for the number
of each row, at the whole bandwidth of DDR, and not faster than its computation. Graphs are the paper's (uniform edges) and real ones of --shared.
"""
import os
import re
import struct
import types

import overlay_cells as cells
import overlay_structure as structure
from overlay_bench import ROOT, parser_of, run

COLUMNS = {"sparse": ["--features=auto"],
           "broadcast": ["--features=auto", *(f"--device-set=has_{e}=true" for e in ("broadcast", "packed_edges", "compact_columns"))]}
RECORD = {"record": 12, "packed": 4, "half": 8}
BYTES_PER_CYCLE = cells.DDR / cells.CYCLES_PER_MS


def sections_of(path):
    """{name: (address, bytes)} of an image."""
    with open(path, "rb") as f:
        data = f.read()
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    strings = headers[names][4]
    return {data[strings + h[0]:data.index(b"\0", strings + h[0])].decode(): (h[3], data[h[4]:h[4] + h[5]] if h[1] != 8 else b"") for h in headers}


def fields_of(line):
    """The numbers and names that an instruction of a listing gives to its operands."""
    return {k: int(v, 0) if v[0].isdigit() else v for k, v in re.findall(r"(\w+)=(\w+)", line.partition(";")[0])}


def sources_of(sections, edges, first, count):
    """The source rows of a piece's records, in words."""
    base, data = sections[".edges"]
    size = RECORD[edges.get("form", "record")]
    at = edges["addr"] - base + size * first
    words = struct.unpack_from(f"<{count * size // 4}I", data, at)[::size // 4]
    return words if size == 12 else [w & 0x3fff for w in words]


def pieces_of(sections, table, loop):
    """(first edge, edges, first row, rows, has its rows already) of each iteration."""
    base, data = sections[".desc"]
    for i in range(loop.get("count", 1)):
        low, high = struct.unpack_from("<QQ", data, table - base + 16 * (loop.get("desc_start", 0) + i))
        edges = 0 if high >> 32 & 1 else (low >> 32 & 0xffff) + 1
        yield low & 0xffffffff, edges, high & 0xffffffff, (low >> 48 & 0x3fff) + 1, low >> 63


class Layer:
    """Loads of source rows by the PEs that may share them: rows of the range, and those that edges touch."""

    def __init__(self):
        self.loads, self.wave, self.block, self.share, self.step = {}, 0, 0, None, None

    def begin_wave(self, rows):
        """Blocks that share loads say the same `share` and `step`; others have loads of their own."""
        same = rows.get("share") and (rows["share"], rows.get("step", 0)) == (self.share, self.step) and (self.block - 1) % cells.PES
        self.share, self.step = rows.get("share"), rows.get("step", 0)
        self.wave += not same

    def add(self, sections, table, loop, edges, rows):
        key = None
        for first, count, row, height, has_rows in pieces_of(sections, table, loop):
            if not has_rows:
                key = (self.wave, rows["addr"], row, rows.get("nfib", 1))
                self.loads.setdefault(key, bytearray(height))
            touched = self.loads[key]
            for source in sources_of(sections, edges, first, count):
                touched[source] = 1

    def counts(self):
        """Rows loaded, rows touched, and the bytes that are saved where each load is a range or a list, whichever is shorter."""
        counted = [(fibers, len(flags), sum(flags)) for (*_, fibers), flags in self.loads.items()]
        saved = sum(max(0, cells.ROW * fibers * (loaded - touched) - 4 * touched) for fibers, loaded, touched in counted)
        return sum(f * loaded for f, loaded, _ in counted), sum(f * touched for f, _, touched in counted), saved


def layers_of(path, listing):
    """{number: Layer} of the layers whose loops load source rows."""
    sections, found, number, table, loop, edges, layer = sections_of(path), {}, -1, None, None, None, None
    for line in listing.splitlines():
        if line.startswith(".layer"):
            said = re.search(r"desc=(\w+)", line)
            number, table, layer = number + 1, said and int(said[1], 16), Layer()
        elif line.startswith(".block"):
            layer.block += 1
        elif " loop " in line:
            loop, edges = fields_of(line), None
        elif " memrd E" in line and ", ind" in line and "form=value" not in line:
            edges = fields_of(line)
        elif " memrd F" in line and ", ind" in line and edges and "form" not in line:
            rows = fields_of(line)
            layer.begin_wave(rows)
            layer.add(sections, table, loop, edges, rows)
            found[number] = layer
    return found


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--shared", default=os.path.join(os.path.dirname(ROOT), "shared"), help="folder of real graphs")
    parser.set_defaults(graphs=["CI", "PU", "FL", "enron"], models=["b1", "b2", "b6"])
    options = parser.parse_args()
    bench = structure.Structured(types.SimpleNamespace(bin=options.bin, out=options.out, shared=options.shared))
    print("| graph | program | rows touched / rows loaded | predicted gain, at most |\n|---|---|---|---|")
    for graph in options.graphs:
        name = graph if graph in structure.REAL else f"{graph}/uniform"
        for model in options.models:
            for column, flags in COLUMNS.items():
                bench.compile(model, name, flags, has_data=True)
                stats = bench.simulate("L0")
                listing = run([f"{options.bin}/gnn-objdump", "-d", bench.program()])[0]
                loaded, touched, cycles = 0, 0, stats["cycles"]
                for number, layer in layers_of(bench.program(), listing).items():
                    about = next(x for x in stats["layers"] if x["id"] == number)
                    every, some, saved = layer.counts()
                    cycles -= min(saved / BYTES_PER_CYCLE, about["cycles"] - about["busy_most"])
                    loaded, touched = loaded + every, touched + some
                print(f"| {graph} | {model} {column} | {touched / max(1, loaded):.3f} | {stats['cycles'] / cycles - 1:.1%} |", flush=True)


if __name__ == "__main__":
    main()
