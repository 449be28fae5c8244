"""A sequential interpreter of FusedGCN programs in plain Python: it decodes records by their bits, and executes one after another.

    state = run_image("gcn.bin", graph); read_outputs(state)

It shares nothing with the project but the tables isa/fusedgcn/fusedgcn.def (the places of bits) and device.def (default parameters). Every product and every
sum is rounded to bf16, in the order of the array, so results are those of the simulator to the bit. A Fault is a program that breaks a rule of the machine: an
array outside of the sections, a column that is no row of H, weights that were never loaded."""
import math
import os
import re
import struct

from host_reference import read_array, write_arrays
from image import Fault, Image, order_of
from steps_reference import Steps, fold, spread

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "..", "isa", "fusedgcn")
RECORD = 128


# ---- tables and records ----

def read_device():
    """The default parameters of the machine's own."""
    with open(os.path.join(TABLES, "device.def"), encoding="utf-8") as f:
        text = f.read()
    numbers = {name: int(value) for name, value in re.findall(r"^PARAM\((\w+), \w+, \w+, [^,]+, [^,]+, (\d+),", text, re.M)}
    choices = {name: value for name, value in re.findall(r"^CHOICE\((\w+), \w+, FUSEDGCN_[A-Z]+_(\w+),", text, re.M)}
    return {**numbers, **choices}


def read_table():
    """Names of the opcodes, and the fields of each: name -> (lowest bit, bits, False)."""
    with open(os.path.join(TABLES, "fusedgcn.def"), encoding="utf-8") as f:
        text = f.read()
    names = {int(op, 16): name for name, op in re.findall(r"^INSN\((\w+), (0x\w+)", text, re.M)}
    fields = {name: {} for name in names.values()}
    for insn, name, low, width in re.findall(r"^FIELD\((\w+), (\w+), (\d+), (\d+), \w+", text, re.M):
        fields[insn][name] = int(low), int(width), False
    return names, fields


def decode(record, names, fields):
    """A record as a dictionary with "op"."""
    number = int.from_bytes(record, "little")
    if number & 63 not in names:
        raise Fault(f"opcode {number & 63:#x} is unknown")
    op = names[number & 63]
    return {"op": op, **{name: number >> low & (1 << width) - 1 for name, (low, width, _) in fields[op].items()}}


# ---- bf16 ----

LEAST, LARGEST = 2.0 ** -126, (2 - 2.0 ** -7) * 2.0 ** 127


def rounded(x):
    """A Python number rounded to 8 bits, to even in the middle. Sums and products of two bf16 numbers are exact in double, but for sums of numbers whose
    exponents are far apart; there the double is on the right side of every middle."""
    if x != x or math.isinf(x):
        return x
    mantissa, exponent = math.frexp(x)
    try:
        y = math.ldexp(round(mantissa * 256), exponent - 8)
    except OverflowError:
        y = math.inf
    if abs(y) > LARGEST:
        return math.copysign(math.inf, x)
    return y if abs(y) >= LEAST else 0.0


def number_of(bits):
    """The number that 16 bits of memory are; what is not normal is 0."""
    x, = struct.unpack("<f", struct.pack("<I", bits << 16))
    return x if x != x or abs(x) >= LEAST else 0.0


def bits_of(x):
    """The bits of a rounded number."""
    return struct.unpack("<I", struct.pack("<f", x))[0] >> 16 if x == x else 0x7fc0


def truncate(x):
    """The bits of a number rounded to fp32, then without its lower half."""
    return bits_of(number_of(struct.unpack("<I", struct.pack("<f", x))[0] >> 16)) if x == x else 0x7fc0


def nearest(x):
    """The bits of a number rounded to fp32, then to bf16."""
    return bits_of(rounded(struct.unpack("<f", struct.pack("<f", x))[0]))


def add(a, b):
    return rounded(a + b)


def multiply(a, b):
    return rounded(a * b)


# ---- the device ----

class Device:
    """The weights in the PEs, and the matrices of the last LAYER."""

    def __init__(self, image):
        self.image, self.layer, self.tiles, self.biases = image, None, {}, {}
        self.k, self.m, self.mem = (image.device[name] for name in ("rows", "columns", "mem"))

    def read(self, address, count):
        data, at = self.image.find(address, 2 * count) if count else (b"", 0)
        return [number_of(bits) for bits in struct.unpack_from(f"<{count}H", data, at)]

    def integers(self, address, count):
        data, at = self.image.find(address, 4 * count) if count else (b"", 0)
        return list(struct.unpack_from(f"<{count}i", data, at))

    def load(self, insn):
        words = self.read(insn["w"], (insn["tiles"] * self.k + insn["biases"]) * self.m)
        rows = [words[at:at + self.m] for at in range(0, len(words), self.m)]
        if max(insn["tiles"], insn["biases"]) + insn["first"] > self.mem:
            raise Fault(f"{insn['tiles']} tiles from {insn['first']} on, the PEs hold {self.mem}")
        for n in range(insn["tiles"]):
            self.tiles[insn["first"] + n] = rows[n * self.k:(n + 1) * self.k]
        for n in range(insn["biases"]):
            self.biases[insn["first"] + n] = rows[insn["tiles"] * self.k + n]

    def set_layer(self, insn):
        if insn["kt"] != -(-insn["i"] // self.k) or insn["rt"] != -(-insn["o"] // self.m) or not insn["kt"] * insn["rt"]:
            raise Fault(f"{insn['kt']} x {insn['rt']} tiles for {insn['i']} x {insn['o']} weights")
        pos, col = self.integers(insn["s_pos"], insn["n"] + 1), self.integers(insn["s_col"], insn["nnz"])
        if pos[0] != 0 or pos[-1] != insn["nnz"] or pos != sorted(pos):
            raise Fault("S_pos does not rise from 0 to nnz")
        if any(c < 0 or c >= insn["h_rows"] for c in col):
            raise Fault(f"a column of S is no row of H, which has {insn['h_rows']}")
        self.layer, self.pos, self.col = insn, pos, col

    def column_sums(self, tile, x):
        """The sums of a tile's columns, one PE row after the other."""
        sums = [0.0] * self.m
        for weights, factor in zip(tile, x):
            sums = [add(s, multiply(factor, w)) for s, w in zip(sums, weights)]
        return sums

    def row(self, number, first):
        """The sums of a row, before biases and activation."""
        l = self.layer
        out = self.read(l["out"] + 2 * number * l["out_stride"], l["o"]) if l["acc_in"] else []
        sums = out + [0.0] * (l["rt"] * self.m - len(out))
        nonzeros = range(self.pos[number], self.pos[number + 1])
        if l["order"] == 0:
            issues = [(j, k, r) for j in nonzeros for k in range(l["kt"]) for r in range(l["rt"])]
        else:
            issues = [(j, k, r) for k in range(l["kt"]) for r in range(l["rt"]) for j in nonzeros]
        for j, k, r in issues:
            s, = self.read(l["s_val"] + 2 * j, 1)
            count = min(self.k, l["i"] - k * self.k)
            h = self.read(l["h"] + 2 * (self.col[j] * l["h_stride"] + k * self.k), count) + [0.0] * (self.k - count)
            column = self.column_sums(self.tiles[first + k * l["rt"] + r], [multiply(s, x) for x in h])
            for q in range(self.m):
                sums[r * self.m + q] = add(sums[r * self.m + q], column[q])
        return sums

    def activate(self, y):
        if self.layer["act"] == 1:
            return [0.0 if x < 0 else x for x in y]
        if self.layer["act"] == 2:
            most = -65280.0
            for x in y:
                most = x if x > most else most
            return [float(x == most) for x in y]
        return y

    def run(self, insn):
        l, first = self.layer, insn["first"]
        if l is None or insn["layer"] != l["layer"] or not insn["lo"] <= insn["hi"] <= l["n"]:
            raise Fault(f"rows {insn['lo']} to {insn['hi']} of layer {insn['layer']}")
        if any(first + n not in self.tiles for n in range(l["kt"] * l["rt"])) or (l["bias"] and any(first + n not in self.biases for n in range(l["rt"]))):
            raise Fault(f"weights from {first} on were not loaded")
        for number in range(insn["lo"], insn["hi"]):
            y = self.row(number, first)
            if l["bias"]:
                y = [add(x, b) for x, b in zip(y, [b for r in range(l["rt"]) for b in self.biases[first + r]])]
            data, at = self.image.find(l["out"] + 2 * number * l["out_stride"], 2 * l["o"])
            struct.pack_into(f"<{l['o']}H", data, at, *(bits_of(x) for x in self.activate(y[:l["o"]])))

    def execute(self, insn):
        {"layer": self.set_layer, "loadw": self.load, "run": self.run, "sync": lambda _: None}[insn["op"]](insn)


# ---- relayouts ----

def shape_of(place, a):
    """Rows of the array as the layout sees them, their numbers, and words from row to row of memory."""
    return (a.rows * a.width, 1, 1) if place["layout"] == "fusedgcn_values" else (a.rows, a.width, place["stride"])


def peek(image, place, a):
    """Reads an array of the host from its place, as a flat list."""
    count, width, stride = shape_of(place, a)
    data, at = image.find(place["address"], 2 * stride * place["rows"])
    rows = [[number_of(bits) for bits in struct.unpack_from(f"<{width}H", data, at + 2 * stride * r)] for r in range(place["rows"])]
    return [x for row in fold(rows, order_of(image, place, count), count, width) for x in row]


def poke(image, place, a):
    """Writes an array of the host to its place; what pads it becomes 0."""
    count, width, stride = shape_of(place, a)
    rows = [a.data[r * width:(r + 1) * width] for r in range(count)]
    convert = truncate if image.device["conversion"] == "truncate" else nearest
    data, at = image.find(place["address"], 2 * stride * place["rows"])
    for r, row in enumerate(spread(rows, order_of(image, place, count), width)):
        struct.pack_into(f"<{stride}H", data, at + 2 * stride * r, *(convert(x) for x in row), *[0] * (stride - width))


# ---- programs ----

def open_image(data, fill=0.0):
    image = Image(data, fill)
    image.device = {**read_device(), **image.device}
    return image


def run_records(image, device, first, end):
    """Executes records first .. end - 1."""
    names, fields = read_table()
    code = image.sections[".text"].data
    for number in range(first, end):
        insn = decode(code[RECORD * number:RECORD * number + RECORD], names, fields)
        if insn["op"] == "halt":
            return
        try:
            device.execute(insn)
        except Fault as e:
            raise Fault(f"record {number}: {e}") from e


def run_image(path, graph):
    with open(path, "rb") as f:
        image = open_image(f.read())
    if ".features" in image.sections:  # unwritten memory is NaN
        features = image.sections[".features"]
        features.data[:] = b"\xc0\x7f" * (len(features.data) // 2)
    code = image.sections[".text"].data if ".text" in image.sections else b""
    lists = image.sections[".gnnc.lists"].data if ".gnnc.lists" in image.sections else b""
    device = Device(image)
    image.manifest.setdefault("steps", [{"run": [0, len(code) // RECORD]}])
    image.steps = Steps(image.manifest, lists, lambda first, end: run_records(image, device, first, end), lambda place, a: peek(image, place, a),
                        lambda place, a: poke(image, place, a))
    write_arrays(image, image.steps, graph)
    image.steps.execute()
    return image


def read_outputs(image):
    """The outputs: name -> flat list in the user's order of rows."""
    return {t["name"]: read_array(image, image.steps, t) for t in image.manifest["outputs"]}
