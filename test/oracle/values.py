"""Numbers on a graph: rows of doubles, optionally with a bound of what f32 arithmetic may do to each of them.

A Value has a domain (None: one row for the whole model; ("node", set), ("edge", set), ("etype",), ("ntype",), ("graph",):
one row per member) and a shape that every row has. Operations broadcast: shapes align
at their leading dimensions, plain values join any domain, values of different domains are never combined.

When `tracking` is on, `errors` holds for every number a first-order bound, in units of the roundoff, of the difference
between it and the same number computed in f32 (or in the arithmetic of `set_unit`) in any order of summation: the network over absolute values, with the slopes of
what is not linear. None means exact. Infinity means that f32 may give any number (a comparison of equal numbers, a
division by nearly zero), so the number is not compared.
"""
import math
import struct

INFINITE = float("inf")
LARGEST = 1e30  # beyond this number f32 may overflow in an intermediate result
tracking = False
_unit = 2.0**-24


def unit():
    """The unit roundoff of the arithmetic for which errors are tracked: that of f32, 2^-24, unless set_unit was called."""
    return _unit


def set_unit(roundoff):
    """Tracks errors of an arithmetic with another roundoff, such as 2^-8 for bf16."""
    global _unit
    _unit = roundoff


class OracleError(Exception):
    """The model has no meaning; the message has the place in the source, where it is known."""


class Value:
    __slots__ = ("domain", "shape", "rows", "errors")

    def __init__(self, domain, shape, rows, errors=None):
        self.domain, self.shape, self.rows, self.errors = domain, tuple(shape), rows, errors

    def __repr__(self):
        return f"{self.domain} f32{list(self.shape)} x {len(self.rows)}"

    def error_rows(self):
        """The errors, zeros where the value is exact."""
        return self.errors or [[0.0] * len(self.rows[0]) for _ in self.rows] if self.rows else []


def scalar(number):
    return Value(None, (), [[float(number)]])


def volume(shape):
    return math.prod(shape)


def is_exact(number):
    """Whether the arithmetic holds the number exactly."""
    if _unit != 2.0**-24:
        return number == 0 or (math.isfinite(number) and (math.frexp(number)[0] / _unit).is_integer())
    try:
        return struct.unpack("<f", struct.pack("<f", number))[0] == number
    except OverflowError:
        return False


def read_errors(rows):
    """The errors of f32 numbers that were read, which an arithmetic with a larger roundoff rounds first."""
    return None if _unit == 2.0**-24 else [[0.0 if is_exact(x) else abs(x) for x in row] for row in rows]


def join_domains(values):
    """The domain to which all values are lifted, and its number of rows."""
    domain, count = None, 1
    for v in values:
        if v.domain is not None:
            if domain is not None and domain != v.domain:
                raise OracleError(f"values of {domain} and {v.domain} meet")
            domain, count = v.domain, len(v.rows)
    return domain, count


def join_shapes(values):
    """The longest shape; all other shapes are leading dimensions of it."""
    shape = max((v.shape for v in values), key=len)
    for v in values:
        if shape[:len(v.shape)] != v.shape:
            raise OracleError(f"f32{list(v.shape)} does not align with f32{list(shape)}")
    return shape


def spread(rows, count, inner):
    """The rows repeated to `count`, each element repeated `inner` times."""
    if inner != 1:
        rows = [[x for x in row for _ in range(inner)] for row in rows]
    return rows if len(rows) == count else rows * count


def lift(v, domain, count):
    """A plain value as one row per member of the domain."""
    if v.domain == domain:
        return v
    if v.domain is not None:
        raise OracleError(f"a value of {v.domain} where one of {domain} belongs")
    return Value(domain, v.shape, v.rows * count, v.errors and v.errors * count)


def sanitize(error, number):
    """Infinite bounds where numbers or bounds are too large."""
    if error != error or number != number or abs(number) > LARGEST:
        return INFINITE
    return error


def elementwise(function, bound, *values):
    """function(a, b, ...) on every element. bound(result, a, b, ..., error of a, error of b, ...) is its error."""
    domain, count = join_domains(values)
    shape = join_shapes(values)
    size = volume(shape)
    inner = [size // max(volume(v.shape), 1) if size else 1 for v in values]
    operands = [spread(v.rows, count, i) for v, i in zip(values, inner)]
    rows = [[function(*xs) for xs in zip(*lists)] for lists in zip(*operands)]
    if not tracking:
        return Value(domain, shape, rows)
    errors = [spread(v.error_rows(), count, i) for v, i in zip(values, inner)]
    out = [[sanitize(bound(r, *xs), r) for r, *xs in zip(result, *lists, *bounds)]
           for result, lists, bounds in zip(rows, zip(*operands), zip(*errors))]
    return Value(domain, shape, rows, out)


def matmul(x, w):
    """[..., K] @ [K, N], or over leading dimensions as a batch: [H, K] @ [H, K, N] and [H, M, K] @ [H, K, N]."""
    domain, count = join_domains([x, w])
    if not x.shape or len(w.shape) < 2:
        raise OracleError(f"f32{list(x.shape)} @ f32{list(w.shape)}")
    outer, inner, width = x.shape[:-1], x.shape[-1], w.shape[-1]
    is_batch = len(w.shape) > max(2, len(x.shape)) or len(w.shape) == len(x.shape) > 2
    matrices = outer[:len(w.shape) - 2] if is_batch else ()
    if w.shape != (*matrices, inner, width) or len(w.shape) > len(x.shape) + 1:
        raise OracleError(f"f32{list(x.shape)} @ f32{list(w.shape)}")
    blocks = volume(outer)
    x_rows, w_rows = spread(x.rows, count, 1), spread(w.rows, count, 1)
    x_errors = spread(x.error_rows(), count, 1) if tracking else x_rows
    w_errors = spread(w.error_rows(), count, 1) if tracking else w_rows
    rows, errors = [], []
    for xs, ws, exs, ews in zip(x_rows, w_rows, x_errors, w_errors):
        row, error_row = [], []
        for block in range(blocks):
            x_span = slice(block * inner, (block + 1) * inner)
            base = block * volume(matrices) // blocks * inner * width
            row += _row_times_matrix(xs[x_span], ws, base, width)
            if tracking:
                error_row += _bound_of_product(xs[x_span], exs[x_span], ws, ews, base, width)
        rows.append(row)
        errors.append(error_row)
    return Value(domain, (*outer, width), rows, errors if tracking else None)


def _row_times_matrix(xs, ws, base, width):
    out = [0.0] * width
    for k, x in enumerate(xs):
        if x != 0.0:
            begin = base + k * width
            out = [o + x * w for o, w in zip(out, ws[begin:begin + width])]
    return out


def _bound_of_product(xs, exs, ws, ews, base, width):
    """The bound of a product: the errors of the factors, and as many roundings as there are terms."""
    terms = sum(1 for x in xs if x != 0.0) + 1
    out = [0.0] * width
    for k, (x, ex) in enumerate(zip(xs, exs)):
        x = abs(x)
        if x != 0.0 or ex != 0.0:
            begin = base + k * width
            span = slice(begin, begin + width)
            factor = ex + terms * x
            out = [o + factor * abs(w) + x * ew for o, w, ew in zip(out, ws[span], ews[span])]
    return [e if e == e else INFINITE for e in out]


def gather(v, index, domain):
    """The rows of the members of `domain`: rows[index[i]]; None: 0."""
    zeros = [0.0] * volume(v.shape)
    return Value(domain, v.shape, [zeros if i is None else v.rows[i] for i in index],
                 v.errors and [zeros if i is None else v.errors[i] for i in index])


def multiply_numbers(numbers, errors):
    total, error = 1.0, 0.0
    for i, x in enumerate(numbers):
        if errors is not None:
            error = error * abs(x) + abs(total) * errors[i] + (abs(total * x) if i else 0.0)
        total *= x
    return total, (sanitize(error, total) if errors is not None else None)


def reduce_numbers(kind, numbers, errors):
    """Reduces many numbers to one; returns it with its error (None when not tracking). A product of nothing is 1, every other
        reduction of nothing 0."""
    if not numbers:
        return (1.0 if kind == "prod" else 0.0), 0.0
    if kind == "prod":
        return multiply_numbers(numbers, errors)
    if kind in ("max", "min"):
        pick = max if kind == "max" else min
        return pick(numbers), (max(errors) if errors is not None else None)
    total = math.fsum(numbers)
    error = None
    if errors is not None:
        spent = sum(errors)
        exact = spent == 0.0 and is_exact(total) and all(n == int(n) for n in numbers if abs(n) < 1 / _unit)
        error = 0.0 if exact else spent + (len(numbers) - 1) * sum(map(abs, numbers))
    if kind == "mean":
        total /= len(numbers)
        if error is not None:
            error = error / len(numbers) + (2 * abs(total) if len(numbers) > 1 else 0.0)
    elif kind != "sum":
        raise OracleError(f"unknown reduction '{kind}'")
    return total, (sanitize(error, total) if error is not None else None)


def aggregate(kind, v, index, count, domain):
    """result[i] reduces the rows r with index[r] = i."""
    members = [[] for _ in range(count)]
    for row, i in enumerate(index):
        members[i].append(row)
    size = volume(v.shape)
    rows, errors = [], []
    for group in members:
        columns = list(zip(*(v.rows[r] for r in group))) if group else [()] * size
        bounds = [None] * size
        if tracking:
            bounds = [()] * size
            if group:
                bounds = list(zip(*(v.errors[r] if v.errors else [0.0] * size for r in group)))
        reduced = [reduce_numbers(kind, c, b) for c, b in zip(columns, bounds)]
        rows.append([r for r, _ in reduced])
        errors.append([e for _, e in reduced])
    return Value(domain, v.shape, rows, errors if tracking else None)


def by_last(v, function, keeps_shape):
    """Applies function(numbers, errors or None) -> (numbers, errors) to every run of the last dimension. Without
        `keeps_shape` it returns one number for each run, and the last dimension disappears."""
    if not v.shape:
        raise OracleError("a scalar has no last dimension")
    length = v.shape[-1]
    shape = v.shape if keeps_shape else v.shape[:-1]
    rows, errors = [], []
    for row, bound in zip(v.rows, v.error_rows()):
        out, out_errors = [], []
        for begin in range(0, volume(v.shape), length or 1):
            span = slice(begin, begin + length)
            numbers, bounds = function(row[span], bound[span] if tracking else None)
            out += numbers
            out_errors += [sanitize(e, n) for e, n in zip(bounds, numbers)] if tracking else []
        rows.append(out)
        errors.append(out_errors)
    return Value(v.domain, shape, rows, errors if tracking else None)
