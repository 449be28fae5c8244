"""Interprets host steps in plain Python: it executes the manifest's "steps" in order, rounds every number to fp32 after each operation, and adds in the
order of the entries.

    steps = Steps(manifest, lists, run, peek, poke); steps.execute()

It shares no code with the project; docs/architecture.md describes the steps. A machine provides three functions: run(first, end) executes
records of .text; peek and poke move rows between device memory and a list of numbers. spread and fold are the rule of layouts that fold."""
import ctypes
import math
import struct

from image import Fault

LIBM = ctypes.CDLL("libm.so.6")
NAN = float("nan")


def f32(x):
    return ctypes.c_float(x).value


def libm(name, arguments=1):
    function = getattr(LIBM, name)
    function.argtypes, function.restype = [ctypes.c_float] * arguments, ctypes.c_float
    return function


EXP, EXPM1, LOG, LOG1P, TANH, ERF, SIN, COS = (libm(n) for n in ("expf", "expm1f", "logf", "log1pf", "tanhf", "erff", "sinf", "cosf"))
POW, ATAN2 = libm("powf", 2), libm("atan2f", 2)


def divide(a, b):
    if b:
        return f32(a / b)
    if a != a or b != b or a == 0:
        return NAN
    return math.copysign(math.inf, a) * math.copysign(1, b)


def larger(a, b):
    return a if a > b or a != a else b


def smaller(a, b):
    return a if a < b or a != a else b


def add(a, b):
    return f32(a + b)


def multiply(a, b):
    return f32(a * b)


def root(x):
    return f32(math.sqrt(x)) if x >= 0 else NAN


BINARY = {
    "add": add, "sub": lambda a, b: f32(a - b), "mul": multiply, "div": divide, "max": larger, "min": smaller,
    "lt": lambda a, b: float(a < b), "le": lambda a, b: float(a <= b), "gt": lambda a, b: float(a > b),
    "ge": lambda a, b: float(a >= b), "eq": lambda a, b: float(a == b), "ne": lambda a, b: float(a != b), "atan2": ATAN2, "pow": POW,
}
UNARY = {
    "relu": lambda x: 0.0 if x < 0 else x,
    "leaky_relu": lambda x, slope: x if x > 0 else multiply(slope, x),
    "elu": lambda x, alpha: x if x > 0 else multiply(alpha, EXPM1(x)),
    "sigmoid": lambda x: divide(1.0, add(1, EXP(-x))),
    "swish": lambda x: divide(x, add(1, EXP(-x))),
    "gelu": lambda x: multiply(f32(x / 2), add(1, ERF(multiply(x, f32(0.70710678118654752440))))),
    "softplus": lambda x: add(x if x > 0 else 0.0, LOG1P(EXP(-abs(x)))),
    "tanh": TANH, "erf": ERF, "exp": EXP, "expm1": EXPM1, "log": LOG, "log1p": LOG1P, "sin": SIN, "cos": COS, "sqrt": root,
    "rsqrt": lambda x: divide(1.0, root(x)),
    "negate": lambda x: -x,
    "add_constant": add,
    "mul_constant": multiply,
    "reciprocal": lambda x: divide(1.0, x),
    "abs": abs,
    "sign": lambda x: 1.0 if x > 0 else -1.0 if x < 0 else x,
    "floor": lambda x: math.copysign(float(math.floor(x)), x) if math.isfinite(x) else x,
    "round": lambda x: math.copysign(float(round(x)), x) if math.isfinite(x) else x,
    "clamp": lambda x, low, high: low if x < low else high if x > high else x,
}


def function_of(text):
    """The function of one number that "leaky_relu 0.2" names."""
    name, *numbers = text.split()
    parameters = [f32(float(n)) for n in numbers]
    return lambda x: UNARY[name](x, *parameters)


def spread(rows, order, width):
    """Rows of a memory that folds: those of an array that the order names, zeros for -1."""
    return [rows[i] if i >= 0 else [0.0] * width for i in order]


def fold(rows, order, count, width):
    """Rows of an array from those of a memory that folds: sums in the order of the memory, zeros where there is none."""
    made = [None] * count
    for row, i in zip(rows, order):
        if i >= 0:
            made[i] = list(row) if made[i] is None else [add(x, y) for x, y in zip(made[i], row)]
    return [[0.0] * width if row is None else row for row in made]


class Array:
    def __init__(self, rows, width, data):
        self.rows, self.width, self.data = rows, width, data

    def row(self, r):
        return self.data[r * self.width:(r + 1) * self.width]


class Steps:
    def __init__(self, manifest, lists, run=None, peek=None, poke=None):
        self.manifest, self.lists, self.run, self.peek, self.poke = manifest, lists, run, peek, poke
        self.arrays = [self.read_array(a) for a in manifest["arrays"]]
        self.edges = [self.read_list(e) for e in manifest["edge_lists"]]

    def words(self, kind, at, count):
        return list(struct.unpack_from(f"<{count}{kind}", self.lists, at))

    def read_array(self, a):
        count = a["rows"] * a["width"]
        return Array(a["rows"], a["width"], self.words("f", a["data"], count) if "data" in a else [NAN] * count)

    def read_list(self, e):
        count = e["edges"]
        weight = self.words("f", e["weight"], count) if "weight" in e else None
        return e["to_rows"], self.words("i", e["src"], count), self.words("i", e["dst"], count), weight

    def array(self, step, key):
        return self.arrays[step[key]] if key in step else None

    def execute(self):
        for number, step in enumerate(self.manifest["steps"]):
            try:
                if "run" in step:
                    self.run(*step["run"])
                elif step["op"] == "relayout":
                    self.do_relayout(step)
                else:
                    self.do(step)
            except (IndexError, KeyError, TypeError) as e:
                raise Fault(f"step {number} ({step.get('op', 'run')}): {type(e).__name__} {e}") from e

    def do_relayout(self, step):
        if "in" in step:
            self.poke(step["place"], self.array(step, "in"))
        else:
            array = self.array(step, "out")
            array.data = self.peek(step["place"], array)

    def do(self, step):
        out = self.array(step, "out")
        data = getattr(self, "do_" + step["op"])(step, out)
        for text in step.get("functions", []):
            function = function_of(text)
            data = [function(x) for x in data]
        if len(data) != out.rows * out.width:
            raise Fault(f"{step['op']} makes {len(data)} numbers of {out.rows} x {out.width}")
        out.data = data

    def add_to(self, data, step, out, keys=("bias", "addend")):
        for key in keys:
            other = self.array(step, key)
            if other:
                data = [add(x, other.data[i % len(other.data)]) for i, x in enumerate(data)]
        return data

    def do_gemm(self, step, out):
        x, w, bias = self.array(step, "in"), self.array(step, "weights"), self.array(step, "bias")
        segments, data = step.get("segments", [0, x.rows]), []
        for t in range(len(segments) - 1):
            base = t * x.width * out.width
            for r in range(segments[t], segments[t + 1]):
                for n in range(out.width):
                    total = 0.0
                    for k in range(x.width):
                        weight = w.data[base + (n * x.width + k if step.get("transposed") else k * out.width + n)]
                        if weight or not step.get("skips_zeros"):
                            total = add(total, multiply(x.data[r * x.width + k], weight))
                    data.append(add(total, bias.data[t * out.width + n]) if bias else total)
        return self.add_to(data, step, out, ("addend",))

    def do_spmm(self, step, out):
        to_rows, src, dst, weight = self.edges[step["list"]]
        x, values = self.array(step, "in"), self.array(step, "values")
        start = {"sum": 0.0, "mean": 0.0, "max": -math.inf, "min": math.inf}[step["reduce"]]
        reduce = {"sum": add, "mean": add, "max": larger, "min": smaller}[step["reduce"]]
        data, count = [start] * (to_rows * out.width), [0] * to_rows
        for e, (s, d) in enumerate(zip(src, dst)):
            row = x.row(s) if x else values.row(e)
            count[d] += 1
            for c, number in enumerate(row):
                heads = values.width if x and values else 1
                w = multiply(values.data[e * heads + c // (out.width // heads)], 1.0) if x and values else 1.0
                if weight:
                    w = multiply(w, weight[e])
                v = multiply(w, number) if weight or (x and values) else number
                data[d * out.width + c] = reduce(data[d * out.width + c], v)
        for r in range(to_rows):
            for c in range(out.width):
                at = r * out.width + c
                data[at] = 0.0 if not count[r] else divide(data[at], float(count[r])) if step["reduce"] == "mean" else data[at]
        return self.add_to(data, step, out)

    def do_sddmm(self, step, out):
        _, src, dst, _ = self.edges[step["list"]]
        a, b, values = self.array(step, "src"), self.array(step, "dst"), self.array(step, "values")
        heads, data = step["heads"], []
        for e, (s, d) in enumerate(zip(src, dst)):
            left, right = a.row(s) if a else None, b.row(d) if b else None
            columns = len(left or right) // heads
            for h in range(heads):
                total = 0.0
                for c in range(h * columns, (h + 1) * columns):
                    x = {"dot": lambda: multiply(left[c], right[c]), "add": lambda: add(left[c], right[c]), "src": lambda: left[c], "dst": lambda: right[c]}[step["inner"]]()
                    total = add(total, x)
                old = values.data[e * heads + h] if values else 0.0
                data.append(total if step["combine"] == "replace" else BINARY[step["combine"]](old, total))
        return data

    def do_vadd(self, step, out):
        a, b, condition, scale = self.array(step, "a"), self.array(step, "b"), self.array(step, "condition"), f32(step.get("scale", 1))
        data = []
        for r in range(a.rows):
            for c in range(a.width):
                x = a.data[r * a.width + c]
                y = multiply(scale, b.data[(0 if b.rows == 1 else r) * b.width + (0 if b.width == 1 else c)])
                if step["function"] == "select":
                    data.append(x if condition.data[r * a.width + c] != 0 else y)
                else:
                    data.append(BINARY[step["function"]](x, y))
        return data

    def do_map(self, step, out):
        return list(self.array(step, "in").data)

    def do_columns(self, step, out):
        x = self.array(step, "in")
        return [n for r in range(x.rows) for n in x.row(r)[step["begin"]:step["begin"] + out.width]]

    def do_concat(self, step, out):
        a, b = self.array(step, "a"), self.array(step, "b")
        return [n for r in range(a.rows) for n in a.row(r) + b.row(r)]

    def do_lookup(self, step, out):
        table, index, data = self.array(step, "table"), self.array(step, "in"), []
        size = table.width * table.rows // (step["rows"] * (index.rows if step.get("each") else 1))
        for r in range(index.rows):
            i = min(max(index.row(r)[step["column"]], step.get("low", -math.inf)), step.get("high", math.inf))
            if not 0 <= i < step["rows"]:
                raise Fault(f"index {i} of row {r} is no row of {step['rows']}")
            base = (r * step["rows"] if step.get("each") else 0) + int(i)
            data += table.data[base * size:(base + 1) * size]
        return data

    def do_outer_sum(self, step, out):
        a, b = self.array(step, "a"), self.array(step, "b")
        data = [0.0] * (a.width * b.width)
        for r in range(a.rows):
            data = [add(total, multiply(a.data[r * a.width + i // b.width], b.data[r * b.width + i % b.width])) for i, total in enumerate(data)]
        return data
