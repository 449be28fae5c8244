"""A sequential interpreter of AGILE programs in plain Python: it decodes records and descriptors by their bits, and executes one node after another.

    image = run_image("gcn.bin", graph); read_outputs(image)      a compiled program
    image = load("gcn.bin"); run_records(image, 0, count_records(image))      one without a manifest

It shares nothing with the project but the tables isa/agile/agile.def (the places of bits, the numbers of registers) and device.def (default parameters).
Every product and every sum of float nodes is rounded to fp32, in the order of the lists; fixed-point nodes add whole numbers of any size. So results are
those of the simulator to the bit. Unwritten memory is NaN. A Fault is a program that breaks a rule of the machine."""
import math
import os
import re
import struct
from array import array

from host_reference import read_array, write_arrays
from image import Fault, Image, order_of
from steps_reference import Steps, fold, spread

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "..", "isa", "agile")
RECORD, DESC, BEAT, NAN = 16, 8, 64, float("nan")
BITS = {"float_32": 32, "fixed_8": 8, "fixed_16": 16, "fixed_4": 4}


# ---- tables and records ----

def read_device():
    """The default parameters of the machine's own; choices by their names."""
    with open(os.path.join(TABLES, "device.def"), encoding="utf-8") as f:
        text = f.read()
    rows = re.findall(r"^PARAM\((\w+), \w+, \w+, [^,]+, [^,]+, (\w+),", text, re.M)
    device = {name: value == "true" if value in ("true", "false") else int(value) for name, value in rows}
    device.update((name, value) for name, value in re.findall(r"^CHOICE\((\w+), \w+, AGILE_[A-Z]+_(\w+),", text, re.M))
    return device


def read_table():
    """Names of opcodes; fields of each: name -> (lowest bit, bits); registers: number -> (name, form); precisions: number -> name."""
    with open(os.path.join(TABLES, "agile.def"), encoding="utf-8") as f:
        text = f.read()
    names = {int(op, 16): name for name, op in re.findall(r"^INSN\((\w+), (0x\w+)", text, re.M)}
    fields = {name: {} for name in names.values()}
    for insn, name, low, width in re.findall(r"^FIELD\((\w+), (\w+), (\d+), (\d+),", text, re.M):
        fields[insn][name] = int(low), int(width)
    registers = {int(n): (name, form) for name, n, form in re.findall(r"^REGISTER\((\w+), (\d+), (\w+), \d+,", text, re.M)}
    values = {kind: {int(n): name for k, name, n in re.findall(r"^ENUM\((\w+), (\w+), (\d+)\)", text, re.M) if k == kind}
              for kind in ("PRECISION", "ACTIVATION", "AGGREGATION")}
    return names, fields, registers, values


NAMES, FIELDS, REGISTERS, VALUES = read_table()


def decode(record):
    """A record as a dictionary with "op"."""
    number = int.from_bytes(record, "little")
    if number & 63 not in NAMES:
        raise Fault(f"opcode {number & 63:#x} is unknown")
    insn = {"op": NAMES[number & 63]}
    for name, (low, width) in FIELDS[insn["op"]].items():
        insn[name] = number >> low & (1 << width) - 1
    return insn


def load(path, fill=NAN):
    with open(path, "rb") as f:
        image = Image(f.read(), fill)
    image.device = {**read_device(), **image.device}
    return image


def count_records(image):
    return len(image.sections[".text"].data) // RECORD if ".text" in image.sections else 0


# ---- numbers ----

def real(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def f32(x):
    return array("f", [x])[0]


def quantise(x, step, bits):
    """The number of steps that is nearest, halves upwards."""
    most = (1 << bits - 1) - 1
    if x != x:
        return 0
    if math.isinf(x):
        return most if x > 0 else -most - 1
    return max(-most - 1, min(most, math.floor(x / step + 0.5)))


def divide(x, count):
    return f32(x / count)


def row_bytes(features):
    return -(-features // 16) * BEAT


# ---- layers ----

class Layer:
    """The registers by name, and the weights that were fetched."""

    def __init__(self, image):
        self.image, self.reg, self.weights = image, dict.fromkeys((name for name, _ in REGISTERS.values()), 0), None

    def real(self, name):
        return real(self.reg[name])

    def fetch(self):
        f, o = self.reg["in_features"], self.reg["out_features"]
        self.weights = [self.image.floats(self.reg["weights"] + i * row_bytes(f), f) for i in range(o)]

    def lists(self, node):
        data, at = self.image.find(self.reg["adjacency_list"] + BEAT * node["list"], 4 * node["count"])
        offsets = struct.unpack_from(f"<{node['count']}I", data, at)
        scales = self.image.floats(self.reg["scale_factors"] + BEAT * node["list"], node["count"])
        if any(offset % BEAT for offset in offsets):
            raise Fault(f"node {node['node']}: an offset is no multiple of {BEAT}")
        return [self.image.floats(self.reg["in_messages"] + offset, self.reg["in_features"]) for offset in offsets], scales

    def in_float(self, node):
        messages, scales = self.lists(node)
        sums = None
        for message, scale in zip(messages, scales):
            products = array("f", [scale * x for x in message])
            sums = products if sums is None else array("f", [a + b for a, b in zip(sums, products)])
        if VALUES["AGGREGATION"][self.reg["aggregation"]] == "mean":
            sums = [divide(x, node["count"]) for x in sums]
        out = []
        for row in self.weights:
            y = 0.0
            for x, w in zip(sums, row):
                y = f32(y + f32(x * w))
            out.append(y)
        return out

    def in_fixed(self, node, precision):
        bits, messages, scales = BITS[precision], *self.lists(node)
        x_step, w_step, s_step = self.real(f"x_scale_{precision}"), self.real(f"w_scale_{precision}"), self.real("s_scale")
        sums = [0] * self.reg["in_features"]
        for message, scale in zip(messages, scales):
            s = quantise(scale, s_step, 16)
            sums = [a + s * quantise(x, x_step, bits) for a, x in zip(sums, message)]
        out = [f32(float(sum(a * quantise(w, w_step, bits) for a, w in zip(sums, row))) * (x_step * s_step * w_step)) for row in self.weights]
        return [divide(y, node["count"]) for y in out] if VALUES["AGGREGATION"][self.reg["aggregation"]] == "mean" else out

    def finish(self, y, i):
        if self.reg["bias_address"]:
            y = f32(y + self.image.floats(self.reg["bias_address"] + 4 * i, 1)[0])
        elif self.reg["bias"]:
            y = f32(y + self.real("bias"))
        activation = VALUES["ACTIVATION"][self.reg["activation"]]
        if y < 0 and activation == "relu":
            return 0.0
        return f32(y * self.real("alpha")) if y < 0 and activation == "leaky_relu" else y

    def start(self):
        if self.weights is None:
            raise Fault("a start without weights")
        table, at = self.image.sections[".desc"], self.reg["nodeslots"]
        o, seen = self.reg["out_features"], set()
        for i in range(self.reg["node_count"]):
            bits, = struct.unpack_from("<Q", table.data, at - table.address + DESC * i)
            node = {"node": bits & 0xfffff, "count": bits >> 20 & 0xfffff, "list": bits >> 42 & 0x1fffff}
            if not bits >> 63 or not node["count"]:
                continue
            if node["node"] in seen:
                raise Fault(f"node {node['node']} has two descriptors")
            seen.add(node["node"])
            number = bits >> 40 & 3
            if not self.reg["precisions"] >> number & 1:
                raise Fault(f"node {node['node']}: its precision is not fetched")
            precision = VALUES["PRECISION"][number]
            out = self.in_float(node) if precision == "float_32" else self.in_fixed(node, precision)
            out = [self.finish(y, k) for k, y in enumerate(out)]
            self.image.put_floats(self.reg["out_features_address"] + node["node"] * row_bytes(o), out + [0.0] * (row_bytes(o) // 4 - o))


def run_records(image, first, end):
    """Executes records; they begin with a layer."""
    layer, code = None, image.sections[".text"].data if ".text" in image.sections else b""
    for number in range(first, end):
        insn = decode(code[RECORD * number:RECORD * number + RECORD])
        if insn["op"] == "halt":
            return
        if insn["op"] == "layer":
            layer = Layer(image)
        if insn["op"] != "write":
            continue
        if layer is None or insn["reg"] not in REGISTERS:
            raise Fault(f"record {number}: a write outside of a layer, or of no register")
        name, form = REGISTERS[insn["reg"]]
        layer.reg[name] = insn["value"]
        if name == "fetch_layer_weights":
            layer.fetch()
        elif name == "start_nodeslot_fetch":
            layer.start()


# ---- relayouts ----

def parts_of(place, a):
    """Address, first column, columns and bytes from row to row of each part of the rows."""
    stride, addresses = place["stride"], place.get("addresses") or [place["address"]]
    for i, address in enumerate(addresses):
        columns = min(stride, a.width - i * stride)
        # the first part may have more columns than the rows
        yield address, i * stride, columns, row_bytes(columns if i else stride)


def peek(image, place, a):
    """Reads an array of the host from its place, as a flat list."""
    if place["layout"] == "agile_scales":
        return [row[0] for row in fold([[x] for x in image.floats(place["address"], place["rows"])], order_of(image, place, len(a.data)), len(a.data), 1)]
    rows = [[] for _ in range(place["rows"])]
    for address, _, columns, pitch in parts_of(place, a):
        for r, row in enumerate(rows):
            row.extend(image.floats(address + r * pitch, columns))
    return [x for row in fold(rows, order_of(image, place, a.rows), a.rows, a.width) for x in row]


def poke(image, place, a):
    """Writes an array of the host to its place; what pads it becomes 0."""
    if place["layout"] == "agile_scales":
        numbers = spread([[x] for x in a.data], order_of(image, place, len(a.data)), 1)
        image.put_floats(place["address"], [row[0] for row in numbers])
        return
    rows = spread([a.row(r) for r in range(a.rows)], order_of(image, place, a.rows), a.width)
    for address, first, columns, pitch in parts_of(place, a):
        for r, row in enumerate(rows):
            image.put_floats(address + r * pitch, row[first:first + columns] + [0.0] * (pitch // 4 - columns))


# ---- programs ----

def run_image(path, graph):
    image = load(path)
    lists = image.sections[".gnnc.lists"].data if ".gnnc.lists" in image.sections else b""
    image.manifest.setdefault("steps", [{"run": [0, count_records(image)]}])
    image.steps = Steps(image.manifest, lists, lambda first, end: run_records(image, first, end), lambda place, a: peek(image, place, a),
                        lambda place, a: poke(image, place, a))
    write_arrays(image, image.steps, graph)
    image.steps.execute()
    return image


def read_outputs(image):
    """The outputs: name -> flat list in the user's order of rows."""
    return {t["name"]: read_array(image, image.steps, t) for t in image.manifest["outputs"]}
