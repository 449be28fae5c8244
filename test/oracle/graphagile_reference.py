"""A sequential interpreter of the overlay's instruction set in plain Python: it runs an image instruction by instruction, one tiling block after another.

    python3 graphagile_reference.py gcn.bin --graph g.safetensors -o y.safetensors [--fill nan|zero]

It shares nothing with the project but the table isa/graphagile/graphagile.def (the places of bits): ELF, manifest, semantics and
the rules of mutexes are implemented here independently. Every number is rounded to fp32 after each operation, so results are
those of the simulator to the bit. Unwritten words are NaN, in device memory and in buffers, so that they show in the results of a
program that reads them.
"""
import argparse
import ctypes
import math
import os
import re
import struct
import sys

from image import Fault, Image, orders, read_field

HERE = os.path.dirname(os.path.abspath(__file__))
LIBM = ctypes.CDLL("libm.so.6")
NAN = float("nan")
UNSET = "unset"


def f32(x):
    return ctypes.c_float(x).value


def half_of(x):
    """The bytes of a number as fp16; all NaNs are the same."""
    if x == UNSET or x != x:
        return b"\x00\x7e"
    try:
        return struct.pack("<e", x)
    except OverflowError:
        return b"\x00\x7c" if x > 0 else b"\x00\xfc"


def libm(name):
    function = getattr(LIBM, name)
    function.argtypes, function.restype = [ctypes.c_float], ctypes.c_float
    return function


EXP, EXPM1, LOG, TANH, ERF = (libm(n) for n in ("expf", "expm1f", "logf", "tanhf", "erff"))


# ---- the table ----

EDGE_BYTES = {"record": 12, "value": 4, "packed": 4, "half": 8}
BUFFERS = ("BUF", "EBUF", "WBUF", "FBUF", "SECOND")  # fields of these kinds are decoded to numbers and not to names


class Table:
    """Opcodes, fields and enumerations of isa/graphagile/graphagile.def."""

    def __init__(self, path=os.path.join(HERE, "..", "..", "isa", "graphagile", "graphagile.def")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        self.names = {int(op, 16): name for name, op in re.findall(r"^INSN\((\w+), (0x\w+)", text, re.M)}
        self.fields = {name: [] for name in self.names.values()}
        for insn, name, low, width, kind in re.findall(r"^FIELD\((\w+), (\w+), (\d+), (\d+), (\w+)", text, re.M):
            self.fields[insn].append((name, int(low), int(width), kind))
        self.values = {}
        for kind, name, value in re.findall(r"^ENUM\((\w+), (\w+), (\d+)\)", text, re.M):
            self.values.setdefault(kind, {})[int(value)] = name

    def decode(self, word):
        number = int.from_bytes(word, "little")
        name = self.names[number & 63]
        insn = {"op": name}
        for field, low, width, kind in self.fields[name]:
            value = number >> low & (1 << width) - 1
            if kind == "MINUS1":
                value += 1
            elif kind in self.values and kind not in BUFFERS:
                value = self.values[kind][value]
            insn[field] = value
        return insn


# ---- the image ----

class OverlayImage(Image):
    """An image with its constants, and with words of memory for sums that have no term yet."""

    def __init__(self, data, fill):
        super().__init__(data, fill)
        constants = self.sections[".constants"].data
        self.constants = struct.unpack(f"<{len(constants) // 4}f", constants)

    def floats(self, address, count):
        data, at = self.find(address, 4 * count)
        words = struct.unpack_from(f"<{count}I", data, at)
        return [UNSET if w == 0x7fc0a61e else struct.unpack("<f", struct.pack("<I", w))[0] for w in words]

    def put_floats(self, address, numbers):
        data, at = self.find(address, 4 * len(numbers))
        for i, x in enumerate(numbers):
            if x == UNSET:
                struct.pack_into("<I", data, at + 4 * i, 0x7fc0a61e)
            else:
                struct.pack_into("<f", data, at + 4 * i, x)

    def halves(self, address, count):
        data, at = self.find(address, 2 * count)
        return list(struct.unpack_from(f"<{count}e", data, at))

    def put_halves(self, address, numbers):
        data, at = self.find(address, 2 * len(numbers))
        for i, x in enumerate(numbers):
            data[at + 2 * i:at + 2 * i + 2] = half_of(x)

    def rows_at(self, place):
        """For rows of a form or layout other than one number per row: bytes of a number, the functions that read and write them."""
        is_half = place.get("form") == "half" or place.get("layout") == "fibers16"
        return (2, self.halves, self.put_halves) if is_half else (4, self.floats, self.put_floats)


def is_column(place):
    """Whether rows of a form or layout have one number each."""
    return place.get("form") == "value" or place.get("layout") == "values"


# ---- functions of words ----

def larger(a, b):
    return a if a > b or a != a else b


def smaller(a, b):
    return a if a < b or a != a else b


def divide(a, b):
    if b:
        return f32(a / b)
    if a != a or b != b or a == 0:
        return NAN
    return math.copysign(math.inf, a) * math.copysign(1, b)


def add(a, b):
    return f32(a + b)


def multiply(a, b):
    return f32(a * b)


VECTOR = {
    "add": add, "sub": lambda a, b: f32(a - b), "mul": multiply, "div": divide, "max": larger, "min": smaller,
    "lt": lambda a, b: float(a < b), "le": lambda a, b: float(a <= b), "gt": lambda a, b: float(a > b),
    "ge": lambda a, b: float(a >= b), "eq": lambda a, b: float(a == b), "ne": lambda a, b: float(a != b),
}
COMBINE = dict({"replace": lambda w, r: r}, **{n: VECTOR[n] for n in ("add", "sub", "mul", "div", "max", "min")})


def square_root(x):
    return f32(math.sqrt(x)) if x >= 0 else NAN


def gelu(x):
    return multiply(f32(x / 2), add(1, ERF(multiply(x, f32(0.70710678118654752440)))))


FUNCTION = {
    "none": lambda x, c: x,
    "relu": lambda x, c: 0.0 if x < 0 else x,
    "leaky_relu": lambda x, c: x if x > 0 else multiply(c, x),
    "elu": lambda x, c: x if x > 0 else multiply(c, EXPM1(x)),
    "sigmoid": lambda x, c: divide(1, add(1, EXP(-x))),
    "swish": lambda x, c: divide(x, add(1, EXP(-x))),
    "gelu": lambda x, c: gelu(x),
    "tanh": lambda x, c: TANH(x),
    "exp": lambda x, c: EXP(x),
    "log": lambda x, c: LOG(x),
    "sqrt": lambda x, c: square_root(x),
    "rsqrt": lambda x, c: divide(1, square_root(x)),
    "negate": lambda x, c: -x,
    "reciprocal": lambda x, c: divide(1, x),
    "abs": lambda x, c: abs(x),
    "add_constant": add,
    "mul_constant": multiply,
    "settle": lambda x, c: 0.0 if x == UNSET else x,
}


def reduce(old, v, how):
    if how == "sum":
        return f32(old + v)
    if v == UNSET:
        v = NAN
    if old == UNSET:
        return v
    return larger(old, v) if how == "max" else smaller(old, v)


# ---- the machine ----

E0, E1, W0, W1, F0, F1, F2 = range(7)
NAMES = ["E0", "E1", "W0", "W1", "F0", "F1", "F2"]


class Machine:
    """Executes one PE at a time; the buffers are new, and NaN, for each tiling block."""

    def __init__(self, image, table):
        self.image, self.table, self.p = image, table, image.device["width"]
        self.where = ""
        self.swaps = self.reuses = self.keeps = False

    def run(self, first=0, end=None):
        """Runs records [first, end) of .text, which are whole layers."""
        code = self.image.sections[".text"]
        at = 16 * first
        while end is None or at < 16 * end:
            insn = self.table.decode(code.data[at:at + 16])
            if insn["op"] == "halt":
                return
            if insn["op"] != "csi":
                raise Fault(f"{insn['op']} where a layer begins")
            self.descriptors = insn["desc_base"] * 16
            at = insn["tb_base"] * 16 - code.address
            for block in range(insn["num_blocks"]):
                at = self.run_block(code.data, at, f"layer {insn['layer_id']}, block {block}")

    def run_block(self, code, at, name):
        device, p = self.image.device, self.p
        self.rows = {b: [NAN] * (device["feature_rows" if b >= F0 else "weight_rows"] * p) for b in range(W0, F2 + 1)}
        self.edges = {b: ([0] * device["edges"], [0] * device["edges"], [NAN] * device["edges"]) for b in (E0, E1)}
        self.state = ["EMPTY"] * 7
        is_end = False
        while not is_end:
            self.where = f"{name}, instruction at {at:#x} of .text"
            insn = self.table.decode(code[at:at + 16])
            at += 16
            is_end = insn.get("eot", 0)
            if insn["op"] == "loop":
                body = [self.table.decode(code[at + 16 * i:at + 16 * i + 16]) for i in range(insn["body_len"])]
                self.run_loop(insn, body)
                at += 16 * insn["body_len"]
            elif insn["op"] != "nop":
                self.step(insn, 0, None)
        if self.state != ["EMPTY"] * 7:
            raise Fault(f"{name}: at its end " + ", ".join(f"{n} is {s}" for n, s in zip(NAMES, self.state)))
        return at

    def run_loop(self, loop, body):
        has_descriptors = any(insn.get("ind") for insn in body)
        self.swaps = False
        for iteration in range(loop["count"]):
            number = loop["desc_start"] + iteration
            self.reuses = self.keeps = False
            if has_descriptors:
                self.reuses = iteration > 0 and self.read_descriptor(number)["reuse"]
                self.keeps = iteration + 1 < loop["count"] and self.read_descriptor(number + 1)["reuse"]
            self.swaps ^= iteration > 0 and not self.reuses
            for insn in body:
                self.step(insn, iteration, number)
        self.swaps = self.reuses = self.keeps = False

    def step(self, insn, iteration, descriptor):
        try:
            described = self.read_descriptor(descriptor) if insn.get("ind") else None
            getattr(self, "do_" + insn["op"])(insn, iteration, described)
        except (Fault, IndexError, TypeError) as e:
            raise Fault(f"{self.where}, iteration {iteration}, {insn['op']}: {e}") from e

    def read_descriptor(self, number):
        table = self.image.sections[".desc"]
        at = self.descriptors + 16 * number - table.address
        first, counts, row, is_empty = struct.unpack_from("<IIII", table.data, at)
        return {"first_edge": first, "num_edges": 0 if is_empty else (counts & 0xffff) + 1, "src_rows": (counts >> 16 & 0x3fff) + 1,
                "src_row": row, "second": counts >> 30 & 1, "reuse": counts >> 31}

    def other(self, insn, buffer, iteration):
        swaps = self.swaps if buffer >= F0 else iteration % 2
        if not insn["alt"] or not swaps or buffer == F2:
            return buffer
        return {E0: E1, E1: E0, W0: W1, W1: W0, F0: F1, F1: F0}[buffer]

    def need(self, *buffers):
        for b in buffers:
            if self.state[b] != "FULL":
                raise Fault(f"{NAMES[b]} is {self.state[b]}")

    def release(self, flag, buffer):
        if flag:
            self.state[buffer] = "EMPTY"

    # -- memory --

    def row_bytes(self, m):
        """Of rows in DDR; the unit of stride and inc, which for weights of edges is a row of fp32."""
        return 4 if is_column(m) and m["buffer"] >= F0 else self.image.rows_at(m)[0] * self.p

    def transfer(self, m, iteration, d, step):
        """Address, buffer, number of rows or edges."""
        row = self.row_bytes(m)
        buffer = self.other(m, m["buffer"], iteration)
        address = 4 * m["addr"] + (row * step * m["stride"] * iteration if m["inc"] else 0)
        count = m["count"]
        if d and buffer <= E1:
            address += d["first_edge"] * EDGE_BYTES[m["form"]]
            count = d["num_edges"]
        elif d:
            address += d["src_row"] * row
            count = d["src_rows"]
        return address, buffer, count

    def do_memrd(self, m, iteration, d):
        address, b, count = self.transfer(m, iteration, d, m["step"])
        if d and b >= F0 and self.reuses:
            return
        if m["wait"] and self.state[b] != "EMPTY":
            raise Fault(f"waits for {NAMES[b]}, which is {self.state[b]}")
        if not m["wait"] and self.state[b] == "EMPTY":
            raise Fault(f"adds to {NAMES[b]}, which is EMPTY")
        self.state[b] = "FULL" if m["lock"] else "PENDING"
        if b <= E1:
            self.load_edges(self.edges[b], m, address, count)
            return
        fibers = m["nfib"] if b >= F0 else 1
        load = self.image.rows_at(m)[1]
        for q in range(fibers):
            at = address + q * m["stride"] * self.row_bytes(m)
            words = [x for x in load(at, count) for _ in range(self.p)] if is_column(m) else load(at, count * self.p)
            self.put_rows(b, (m["base"] + q * m["count"]) * self.p, words)

    def load_edges(self, edges, m, address, count):
        src, dst, weight = edges
        if m["base"] + count > len(src):
            raise Fault("edges beyond the buffer")
        if m["form"] == "value":
            weight[m["base"]:m["base"] + count] = self.image.floats(address, count)
            return
        size = EDGE_BYTES[m["form"]]
        data, at = self.image.find(address, size * count)
        for i in range(count):
            if m["form"] == "record":
                s, t, w = struct.unpack_from("<IIf", data, at + 12 * i)
            else:
                ends, = struct.unpack_from("<I", data, at + size * i)
                s, t = ends & 0x3fff, ends >> 14 & 0x3fff
                w = struct.unpack_from("<f", data, at + size * i + 4)[0] if m["form"] == "half" else 1.0
            src[m["base"] + i], dst[m["base"] + i], weight[m["base"] + i] = s, t, w

    def put_rows(self, b, at, words):
        if at + len(words) > len(self.rows[b]):
            raise Fault(f"rows beyond {NAMES[b]}")
        self.rows[b][at:at + len(words)] = words

    def do_memwr(self, m, iteration, d):
        address, b, count = self.transfer(m, iteration, d, 1)
        self.need(b)
        function, c = FUNCTION[m["act"]], self.image.constants[m["param"]]
        store = self.image.rows_at(m)[2]
        for q in range(m["nfib"]):
            if b <= E1:
                words = self.edges[b][2][m["base"]:m["base"] + count]
            else:
                at = (m["base"] + q * m["count"]) * self.p
                words = self.rows[b][at:at + count * self.p:self.p if is_column(m) else 1]
            if m["act"] != "none":
                words = [function(x, c) for x in words]
            store(address + q * m["stride"] * self.row_bytes(m), words)
        self.release(m["unlock"], b)

    # -- computes --

    def do_gemm(self, g, iteration, _):
        p, source, out = self.p, self.other(g, F0 + g["in"], iteration), F0 + g["out"]
        w = self.other(g, W0 + g["w"], iteration)
        self.need(source, w, *([out] if g["acc"] else []))
        rows, weights, result = self.rows[source], self.rows[w], self.rows[out]
        for r in range(g["rows"]):
            x = [rows[(g["in_base"] + k // p * g["in_stride"] + r) * p + k % p] for k in range(g["len"])]
            for o in range(g["gfib"] * p):
                at = (g["out_base"] + o // p * g["out_stride"] + r) * p + o % p
                first = g["w_base"] * p + o
                total = result[at] if g["acc"] else 0.0
                for k, value in enumerate(x):
                    weight = weights[first + k * g["gfib"] * p]
                    total = f32(total + (0.0 if g["skip"] and weight == 0 else f32(value * weight)))
                result[at] = total
        self.release(g["unlock_f"], source)
        self.release(g["unlock_w"], w)
        self.state[out] = "FULL"

    def columns(self, lanes):
        return [c for c in range(self.p) if lanes >> c & 1]

    def do_spdmm(self, s, iteration, d):
        p, e, source = self.p, self.other(s, E0 + s["e"], iteration), F0 + s["in"]
        source = source if s["single"] else self.other(s, source, iteration)
        out, count = F0 + s["out2" if d and d["second"] else "out"], d["num_edges"] if d else s["num_edges"]
        self.need(e, out, *([] if s["edge_only"] else [source]))
        src, dst, weight = self.edges[e]
        rows, result, columns = self.rows[source], self.rows[out], self.columns(s["lanes"])
        for i in range(count):
            for q in range(s["nfib"]):
                at = (s["in_base"] + q * s["in_stride"] + src[i]) * p
                to = (s["out_base"] + q * s["out_stride"] + dst[i]) * p
                for c in columns:
                    v = 1.0 if s["edge_only"] else rows[at + c]
                    if s["weighted"]:
                        v = f32(v * weight[i])
                    result[to + c] = reduce(result[to + c], v, s["reduce"])
        self.release(s["unlock_e"], e)
        self.release(s["unlock_f"] and not (d and self.keeps), source)

    def do_sddmm(self, s, iteration, d):
        p, e, a = self.p, self.other(s, E0 + s["e"], iteration), F0 + s["src"]
        a = a if s["pair"] else self.other(s, a, iteration)
        act, c0 = FUNCTION[s["act"]], self.image.constants[s["param"]]
        b, count, inner = F0 + s["dst"] + (s["pair"] if d and d["second"] else 0), d["num_edges"] if d else s["num_edges"], s["inner"]
        self.need(e, *([a] if inner != "dst" else []), *([b] if inner != "src" else []))
        src, dst, weight = self.edges[e]
        columns = self.columns(s["lanes"])
        for i in range(count):
            total = None
            for q in range(s["nfib"]):
                terms = [0.0] * p
                at = (s["src_base"] + q * s["src_stride"] + src[i]) * p
                to = (s["dst_base"] + q * s["dst_stride"] + dst[i]) * p
                for c in columns:
                    x = self.rows[a][at + c] if inner != "dst" else 0
                    y = self.rows[b][to + c] if inner != "src" else 0
                    terms[c] = x if inner == "src" else y if inner == "dst" else VECTOR["mul" if inner == "dot" else "add"](x, y)
                while len(terms) > 1:  # the adder tree adds the second half of the words to the first, until one is left
                    half = len(terms) // 2
                    terms = [f32(terms[c] + terms[c + half]) for c in range(half)]
                total = terms[0] if total is None else f32(total + terms[0])
            weight[i] = act(COMBINE[s["combine"]](weight[i], total), c0)
        self.release(s["unlock_e"], e)
        self.release(s["unlock_src"] and not (d and self.keeps), a)
        self.release(s["unlock_dst"], b)

    def do_vadd(self, v, iteration, d):
        p, scale = (1 if v["on_edges"] else self.p), self.image.constants[v["scale"]]
        first = E0 if v["on_edges"] else F0
        a, b, out = (self.other(v, first + v[n], iteration) for n in ("a", "b", "out"))
        self.need(a, b, *([out] if v["function"] == "select" else []))
        left, right, result = ((self.edges[x][2] if v["on_edges"] else self.rows[x]) for x in (a, b, out))
        for r in range(d["num_edges"] if d else v["rows"]):
            word = right[(v["b_base"] + r) * p + v["lane"]] if v["bcast_b"] else None
            for q in range(v["nfib"]):
                for c in range(p):
                    at = (q * v["stride"] + r) * p + c
                    x, y = left[v["a_base"] * p + at], right[v["b_base"] * p + at] if word is None else word
                    y, to = f32(scale * y), v["out_base"] * p + at
                    result[to] = (x if result[to] != 0 else y) if v["function"] == "select" else VECTOR[v["function"]](x, y)
        self.release(v["unlock_a"], a)
        self.release(v["unlock_b"], b)
        self.state[out] = "FULL"

    def do_post(self, o, iteration, d):
        b, function, c = self.other(o, o["buffer"], iteration), FUNCTION[o["function"]], self.image.constants[o["param"]]
        self.need(b)
        words, p = (self.edges[b][2], 1) if b <= E1 else (self.rows[b], self.p)
        for q in range(o["nfib"]):
            begin = (o["base"] + q * o["stride"]) * p
            for at in range(begin, begin + (d["num_edges"] if d else o["rows"]) * p):
                words[at] = function(words[at], c)

    def do_init(self, f, _iteration, _):
        p, b = self.p, F0 + f["buffer"]
        if self.state[b] == "PENDING":
            raise Fault(f"{NAMES[b]} is PENDING")
        if f["fill"] == "row":
            self.need(W0 + f["w"])
        for q in range(f["nfib"]):
            if f["fill"] == "row":
                row = self.rows[W0 + f["w"]][(f["w_base"] + q) * p:(f["w_base"] + q + 1) * p]
            else:
                row = [{"zero": 0.0, "unset": UNSET}.get(f["fill"], self.image.constants[f["param"]])] * p
            self.put_rows(b, (f["base"] + q * f["stride"]) * p, row * f["rows"])
        self.release(f["unlock_w"], W0 + f["w"])
        self.state[b] = "FULL"


# ---- inputs and outputs ----

def write_inputs(image, graph):
    """Writes the inputs to device memory. graph: name -> Tensor, in the user's order."""
    p = image.device["width"]
    for t in image.manifest["inputs"]:
        if t.get("space") == "weights" or "address" not in t:
            continue
        width = t["width"]
        user, (size, _, store) = read_field(graph, t["from"], width), image.rows_at(t)
        for r, u in enumerate(orders(image, t)):
            row = user[u * width:(u + 1) * width]
            for q in range(0, width, p):
                store(t["address"] + (q // p * t["stride"] + r) * size * p, row[q:q + p])


def peek(image, place, t):
    """Reads rows, or values of edges, from device memory into a flat list in the order that the place says."""
    p, width, data = image.device["width"], t["width"], [0.0] * (t["rows"] * t["width"])
    order = orders(image, {**place, "rows": t["rows"]})
    if "addresses" in place:
        for head, address in enumerate(place["addresses"]):
            for e, x in enumerate(image.floats(address, t["rows"])):
                data[order[e] * width + head] = x
        return data
    size, load, _ = image.rows_at(place)
    if is_column(place):
        for u, x in zip(order, load(place["address"], t["rows"])):
            data[u] = x
        return data
    for r, u in enumerate(order):
        for q in range(0, width, p):
            n = min(p, width - q)
            data[u * width + q:u * width + q + n] = load(place["address"] + (q // p * place["stride"] + r) * size * p, n)
    return data


def poke(image, place, t, data):
    """Writes rows, or values of edges, to device memory from such a list."""
    p, width = image.device["width"], t["width"]
    order = orders(image, {**place, "rows": t["rows"]})
    if "addresses" in place:
        for head, address in enumerate(place["addresses"]):
            image.put_floats(address, [data[order[e] * width + head] for e in range(t["rows"])])
        return
    size, _, store = image.rows_at(place)
    if is_column(place):
        store(place["address"], [data[u] for u in order])
        return
    for r, u in enumerate(order):
        for q in range(0, width, p):
            store(place["address"] + (q // p * place["stride"] + r) * size * p, data[u * width + q:u * width + min(q + p, width)])


def read_outputs(image):
    """The outputs: name -> flat list in the user's order."""
    from host_reference import read_array
    return {t["name"]: peek(image, t, t) if "address" in t or "addresses" in t else read_array(image, image.steps, t) for t in image.manifest["outputs"]}


def run_image(path, graph, fill=NAN):
    """Runs an image on the inputs of a graph; returns the image with its memory after the run."""
    with open(path, "rb") as f:
        image = OverlayImage(f.read(), fill)
    write_inputs(image, graph)
    machine = Machine(image, Table())
    if "steps" in image.manifest:
        run_steps(image, machine, graph)
    else:
        machine.run()
    return image


def run_steps(image, machine, graph):
    from host_reference import write_arrays
    from steps_reference import Steps
    lists = image.sections[".gnnc.lists"].data if ".gnnc.lists" in image.sections else b""

    def shape(array):
        return {"rows": array.rows, "width": array.width}

    image.steps = Steps(image.manifest, lists, machine.run, lambda place, array: peek(image, place, shape(array)),
                        lambda place, array: poke(image, place, shape(array), array.data))
    write_arrays(image, image.steps, graph)
    image.steps.execute()


def main():
    from safetensors import Tensor, read, write
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image")
    parser.add_argument("--graph", required=True)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--fill", choices=("nan", "zero"), default="nan")
    options = parser.parse_args()
    image = run_image(options.image, read(options.graph)[0], 0.0 if options.fill == "zero" else NAN)
    outputs = read_outputs(image)
    write(options.output, {n: Tensor("F32", [len(d)], d) for n, d in outputs.items()})


if __name__ == "__main__":
    try:
        main()
    except Fault as e:
        sys.exit(f"graphagile_reference: {e}")
