"""A sequential interpreter of Sextans programs in plain Python: it decodes records and non-zeros by their bits, and executes one launch after another.

    state = run_image("gcn.bin", graph); read_outputs(state)

It shares nothing with the project but the tables isa/sextans/sextans.def (the places of bits) and device.def (default parameters). Every product and
every sum is rounded to fp32, in the order of the slots, so results are those of the simulator to the bit. Unwritten memory is NaN. A Fault is a program
that breaks a rule of the machine: two non-zeros of a row that are closer than `distance`, a row or column out of range, an array outside of the
sections."""
import os
import re
import struct
from array import array

from host_reference import read_array, write_arrays
from image import Fault, Image, order_of
from steps_reference import NAN, Steps, fold, spread

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "..", "isa", "sextans")
RECORD, PES, LANES, A_CHANNELS, B_CHANNELS, C_CHANNELS = 128, 64, 8, 8, 4, 8


# ---- tables and records ----

def read_device():
    """The default parameters of the machine's own."""
    with open(os.path.join(TABLES, "device.def"), encoding="utf-8") as f:
        rows = re.findall(r"^PARAM\((\w+), \w+, \w+, [^,]+, [^,]+, (\w+),", f.read(), re.M)
    return {name: value == "true" if value in ("true", "false") else int(value) for name, value in rows}


def read_table():
    """Names of the opcodes, and the fields of each: name -> (lowest bit, bits, is a real number)."""
    with open(os.path.join(TABLES, "sextans.def"), encoding="utf-8") as f:
        text = f.read()
    names = {int(op, 16): name for name, op in re.findall(r"^INSN\((\w+), (0x\w+)", text, re.M)}
    fields = {name: {} for name in names.values()}
    for insn, name, low, width, kind in re.findall(r"^FIELD\((\w+), (\w+), (\d+), (\d+), (\w+)", text, re.M):
        fields[insn][name] = int(low), int(width), kind == "REAL"
    return names, fields


def decode(record, names, fields):
    """A record as a dictionary with "op"."""
    number = int.from_bytes(record, "little")
    if number & 63 not in names:
        raise Fault(f"opcode {number & 63:#x} is unknown")
    insn = {"op": names[number & 63]}
    for name, (low, width, is_real) in fields[insn["op"]].items():
        value = number >> low & (1 << width) - 1
        insn[name] = struct.unpack("<f", struct.pack("<I", value))[0] if is_real else value
    return insn


# ---- places of numbers ----

def ceil(a, b):
    return -(-a // b)


class Matrix:
    """A dense matrix in the channels of B, or of C."""

    def __init__(self, is_b, rows, columns):
        self.is_b, self.rows, self.columns = is_b, rows, columns
        self.tile = ceil(rows, 8) * 16 if is_b else ceil(rows, 16) * 16
        self.stride = self.tile * ceil(columns, 8) * 4
        self.channels = B_CHANNELS if is_b else C_CHANNELS

    def address(self, row, column, base, stride):
        """The address of a number in channels `stride` bytes apart."""
        if self.is_b:
            channel, at = column // 2 % 4, row // 8 * 16 + column % 2 * 8 + row % 8
        else:
            channel, at = row % 8, row // 8 * 8 + column % 8
        return base + channel * stride + 4 * (at + self.tile * (column // 8))

    def read(self, image, base, stride):
        """The rows, each an array of fp32."""
        at = [[self.address(r, c, base, stride) for c in range(self.columns)] for r in range(self.rows)]
        return [array("f", [image.floats(a, 1)[0] for a in row]) for row in at]

    def write(self, image, rows, base, stride):
        for r, row in enumerate(rows):
            for c, number in enumerate(row):
                image.put_floats(self.address(r, c, base, stride), [number])


def element_addresses(base, stride, slots):
    """The address of each element of A, channel after channel and word after word."""
    return [base + channel * stride + 8 * word for channel in range(A_CHANNELS) for word in range(LANES * slots)]


def read_element(image, address):
    """(row of the PE, column within the window, value) of an element; None for a bubble."""
    data, at = image.find(address, 8)
    word, = struct.unpack_from("<Q", data, at)
    if word >> 49 & 1:
        return None
    return word >> 32 & 0x1ffff, word >> 50, struct.unpack_from("<f", data, at)[0]


def read_list(image, launch, pe):
    """The slots of a PE."""
    group = pe // 8
    lane = (group & 1) << 2 | group & 2 | group >> 2
    base = launch["a"] + pe % A_CHANNELS * launch["a_stride"] + 8 * lane
    return [read_element(image, base + 8 * LANES * slot) for slot in range(launch["slots"])]


# ---- launches ----

def check_launch(launch, device, q):
    window = device["window"] // 2 if device["has_two_b"] else device["window"]
    if launch["no_c"] and not device["has_no_c"]:
        raise Fault("no_c, which the device does not have")
    if launch["m"] > PES * device["depth"]:
        raise Fault(f"{launch['m']} rows of C, the device holds {PES * device['depth']}")
    if launch["windows"] != ceil(launch["k"], window):
        raise Fault(f"{launch['windows']} windows for {launch['k']} rows of B")
    if q[0] != 0 or q[-1] != launch["slots"] or q != sorted(q):
        raise Fault("Q does not rise from 0 to the number of slots")
    return window


def multiply_list(slots, pe, q, launch, device, window, b, c):
    """Adds the products of a PE's list to rows of C."""
    for j in range(launch["windows"]):
        last = {}
        for slot in range(q[j], q[j + 1]):
            if slots[slot] is None:
                continue
            local, column, value = slots[slot]
            row, k = local * PES + pe, j * window + column
            if row >= launch["m"] or column >= window or k >= launch["k"]:
                raise Fault(f"PE {pe}, slot {slot}: row {row}, column {k}")
            if slot - last.get(local, -device["distance"]) < device["distance"]:
                raise Fault(f"PE {pe}, slot {slot}: row {row} is {slot - last[local]} slots after its last non-zero")
            last[local] = slot
            products = array("f", [value * x for x in b[k]])
            c[row] = array("f", [x + y for x, y in zip(c[row], products)])


def execute(image, launch):
    """C_out = alpha A B + beta C_in."""
    device, n = image.device, launch["n"]
    data, at = image.find(launch["q"], 4 * (launch["windows"] + 1))
    q = list(struct.unpack_from(f"<{launch['windows'] + 1}i", data, at))
    window = check_launch(launch, device, q)
    b = Matrix(True, launch["k"], n).read(image, launch["b"], launch["b_stride"])
    c = [array("f", [0.0] * n) for _ in range(launch["m"])]
    for pe in range(PES):
        multiply_list(read_list(image, launch, pe), pe, q, launch, device, window, b, c)
    matrix = Matrix(False, launch["m"], n)
    c = [array("f", [launch["alpha"] * x for x in row]) for row in c]
    if not launch["no_c"]:
        c_in = [array("f", [launch["beta"] * x for x in row]) for row in matrix.read(image, launch["c_in"], launch["c_stride"])]
        c = [array("f", [x + y for x, y in zip(*rows)]) for rows in zip(c, c_in)]
    matrix.write(image, c, launch["c_out"], launch["c_stride"])


# ---- relayouts ----

def non_zeros(image, place):
    """The addresses of the elements that are no bubbles."""
    found = [a for a in element_addresses(place["address"], 64 * place["stride"], place["stride"]) if read_element(image, a)]
    if len(found) != place["rows"]:
        raise Fault(f"A has {len(found)} non-zeros, its place has {place['rows']} rows")
    return found


def transpose(rows, width):
    return [[row[c] for row in rows] for c in range(width)]


def peek(image, place, a):
    """Reads an array of the host from its place, as a flat list."""
    if place["layout"] == "sextans_a":
        rows = [image.floats(at, 1) for at in non_zeros(image, place)]
        return [row[0] for row in fold(rows, order_of(image, place, a.rows * a.width), a.rows * a.width, 1)]
    is_b, is_transposed = place["layout"][8] == "b", place["layout"].endswith("t")
    count, columns = (a.width, a.rows) if is_transposed else (a.rows, a.width)
    matrix = Matrix(is_b, place["rows"], columns)
    rows = fold(matrix.read(image, place["address"], matrix.stride), order_of(image, place, count), count, columns)
    return [x for row in (transpose(rows, columns) if is_transposed else rows) for x in row]


def poke(image, place, a):
    """Writes an array of the host to its place; what pads it becomes 0."""
    if place["layout"] == "sextans_a":
        numbers = spread([[x] for x in a.data], order_of(image, place, a.rows * a.width), 1)
        for at, number in zip(non_zeros(image, place), numbers):
            image.put_floats(at, number)
        return
    is_b, is_transposed = place["layout"][8] == "b", place["layout"].endswith("t")
    rows = [a.row(r) for r in range(a.rows)]
    rows = transpose(rows, a.width) if is_transposed else rows
    count, columns = (a.width, a.rows) if is_transposed else (a.rows, a.width)
    matrix = Matrix(is_b, place["rows"], columns)
    if matrix.stride:
        image.put_floats(place["address"], [0.0] * (matrix.channels * matrix.stride // 4))
    matrix.write(image, spread(rows, order_of(image, place, count), columns), place["address"], matrix.stride)


# ---- programs ----

def run_image(path, graph, fill=NAN):
    with open(path, "rb") as f:
        image = Image(f.read(), fill)
    image.device = {**read_device(), **image.device}
    names, fields = read_table()
    code = image.sections[".text"].data if ".text" in image.sections else b""

    def run(first, end):
        for number in range(first, end):
            insn = decode(code[RECORD * number:RECORD * number + RECORD], names, fields)
            if insn["op"] == "halt":
                return
            try:
                execute(image, insn)
            except Fault as e:
                raise Fault(f"record {number}: {e}") from e

    lists = image.sections[".gnnc.lists"].data if ".gnnc.lists" in image.sections else b""
    image.manifest.setdefault("steps", [{"run": [0, len(code) // RECORD]}])
    image.steps = Steps(image.manifest, lists, run, lambda place, a: peek(image, place, a), lambda place, a: poke(image, place, a))
    write_arrays(image, image.steps, graph)
    image.steps.execute()
    return image


def read_outputs(image):
    """The outputs: name -> flat list in the user's order of rows."""
    return {t["name"]: read_array(image, image.steps, t) for t in image.manifest["outputs"]}
