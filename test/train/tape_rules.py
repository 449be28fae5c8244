"""The interpreter of test/oracle on the numbers of tape.py: exact gradients of the loss of a model, by the interpreter's own formulas.

    loss, gradients = differentiate(tree, graph, weights)      # name -> [(gradient, bound)] of each tensor of the weights file

    python3 tape_rules.py FOLDER GNNC                          # the gradients as JSON, of the files that generate.py writes

The derivatives of the functions of one and two numbers are written here, apart from the column of support/elementwise.def that the compiler
reads. Where there is none, the value is that of docs/training.md: equal members of a maximum share, relu and abs have 0 at 0.
"""
import dataclasses
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(os.path.dirname(HERE), "oracle"), os.path.join(os.path.dirname(HERE), "e2e")]

import elementwise  # noqa: E402  (after the change of sys.path)
import functions  # noqa: E402
import graphs  # noqa: E402
import reductions  # noqa: E402
import tape  # noqa: E402
import values  # noqa: E402
from interpreter import Interpreter  # noqa: E402
from programs import Tools  # noqa: E402
from safetensors import Tensor, read, round_f32  # noqa: E402
from tape import Number, error_of, leaf, record  # noqa: E402
from values import INFINITE, by_last, unit  # noqa: E402

ROOT_PI, ROOT_TWO_PI = math.sqrt(math.pi), math.sqrt(2 * math.pi)


def sigmoid(x):
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def swish_slope(x, y):
    return sigmoid(x) * (1 + x * (1 - sigmoid(x)))


def gelu_slope(x, y):
    return (1 + math.erf(x / math.sqrt(2))) / 2 + x * math.exp(-x * x / 2) / ROOT_TWO_PI


def power_slope(a, b, y):
    return 0.0 if b == 0 else b * elementwise.power(a, b - 1)


def power_slope_of_exponent(a, b, y):
    return 0.0 if a == 0 and b >= 0 else y * math.log(a) if a > 0 else INFINITE


def square(a, b):
    return a * a + b * b


# The derivatives by each argument, functions of the arguments and of the result. Functions that are flat have none.
SLOPES = {
    "relu": [lambda x, y: float(x > 0)],
    "leaky_relu": [lambda x, p, y: 1.0 if x > 0 else p, lambda x, p, y: 0.0 if x > 0 else x],
    "elu": [lambda x, p, y: 1.0 if x > 0 else p * math.exp(x), lambda x, p, y: 0.0 if x > 0 else math.expm1(x)],
    "sigmoid": [lambda x, y: sigmoid(x) * sigmoid(-x)],
    "swish": [swish_slope],
    "gelu": [gelu_slope],
    "softplus": [lambda x, y: sigmoid(x)],
    "tanh": [lambda x, y: 1 / math.cosh(x) ** 2 if abs(x) < 300 else 0.0],
    "erf": [lambda x, y: 2 / ROOT_PI * math.exp(-x * x)],
    "exp": [lambda x, y: y],
    "expm1": [lambda x, y: elementwise.exponential(x)],
    "log": [lambda x, y: 1 / x if x else INFINITE],
    "log1p": [lambda x, y: 1 / (1 + x) if x != -1 else INFINITE],
    "sin": [lambda x, y: math.cos(x)],
    "cos": [lambda x, y: -math.sin(x)],
    "sqrt": [lambda x, y: 0.5 / math.sqrt(x) if x > 0 else INFINITE],
    "rsqrt": [lambda x, y: -0.5 * x ** -1.5 if x > 0 else INFINITE],
    "negate": [lambda x, y: -1.0],
    "reciprocal": [lambda x, y: -1 / x / x if x else INFINITE],
    "abs": [lambda x, y: float((x > 0) - (x < 0))],
    "clamp": [lambda x, p, q, y: float(not (x < p or x > q)), lambda x, p, q, y: float(x < p), lambda x, p, q, y: float(x > q)],
    "pow": [power_slope, power_slope_of_exponent],
    "atan2": [lambda a, b, y: b / square(a, b) if square(a, b) else 0.0, lambda a, b, y: -a / square(a, b) if square(a, b) else 0.0],
}
JUMPS = {"relu", "leaky_relu", "elu", "clamp", "abs"}
# the compiler computes these derivatives as differences of numbers near 1
CANCELS = {"elu", "sigmoid", "swish", "gelu", "tanh", "expm1", "sin", "cos"}


def slope_error(name, slope, plain, arguments, errors, here):
    """How far the derivative moves while the arguments move by their errors, and a few roundings."""
    if any(e == INFINITE for e in errors):
        return INFINITE
    far = [8 * e for e in errors] if name in JUMPS else errors
    try:
        ways = [abs(slope(*p, plain(*p)) - here) for p in functions._corners(arguments, far)]
    except (ValueError, OverflowError, ZeroDivisionError):
        return INFINITE
    return max(ways) / unit() * (1.0 if name in JUMPS else 1.1) + 4 * max(abs(here), float(name in CANCELS))


def traced(name, plain, bound):
    """The function of numbers that records its derivatives. `plain` computes it, `bound` is that of its error."""
    def apply(*given):
        arguments, errors = [float(x) for x in given], [error_of(x) for x in given]
        y = plain(*arguments)
        edges = []
        for x, slope in zip(given, SLOPES.get(name, [])):
            if type(x) is Number and (x.edges or x.is_leaf):
                here = slope(*arguments, y)
                edges.append((x, here, slope_error(name, slope, plain, arguments, errors, here)))
        return record(y, bound(y, *arguments, *errors), edges)
    return apply


def reduce_numbers(kind, numbers, errors):
    if not numbers:
        return (1.0 if kind == "prod" else 0.0), None
    if kind in ("max", "min"):
        return tape.extreme(kind, numbers), None
    if kind == "prod":
        return values.multiply_numbers(numbers, None)
    total = tape.total(numbers)
    return (total / float(len(numbers)) if kind == "mean" and len(numbers) > 1 else total), None


def row_times_matrix(xs, ws, base, width):
    return [tape.inner(xs, ws[base + j:base + len(xs) * width:width]) for j in range(width)]


def quantile_of(kind, q, numbers, errors):
    """Members that are equal to the one chosen share its adjoint."""
    def at(place):
        chosen = ordered[place]
        equal = [n for n in numbers if n == chosen]
        widest = max(map(error_of, numbers))
        is_sure = all(n == chosen or abs(n - chosen) > 16 * unit() * widest for n in numbers)
        return record(float(chosen), widest, [(n, 1 / len(equal), 0.0 if is_sure else 1 / unit()) for n in equal])
    if not numbers:
        return 0.0, 0.0
    ordered = sorted(numbers)
    if kind == "median":
        return at((len(ordered) - 1) // 2), 0.0
    place = q * (len(numbers) - 1)
    low, high = at(int(place)), at(min(int(place) + 1, len(numbers) - 1))
    return low + (high - low) * (place - int(place)), 0.0


def softmax_parts(numbers, errors):
    """The maximum is a guard: the result does not depend on it."""
    top = float(max(numbers))
    powers = [PROXY.exp(n - top) for n in numbers]
    whole = tape.total(powers)
    return top, whole, [p / whole for p in powers], 0.0


def select(condition, a, b):
    def choose(c, p, q):
        if error_of(c) == INFINITE:
            return record(float(p if c != 0 else q), INFINITE, [(p, 1.0, INFINITE), (q, 1.0, INFINITE)])
        return p if c != 0 else q
    return values.elementwise(choose, None, condition, a, b)


def compare(plain, bound):
    return lambda a, b: record(plain(float(a), float(b)), bound(0, float(a), float(b), error_of(a), error_of(b)), [])


def extreme_of(kind):
    def apply(x, other=None, axis=None, b=None):
        other = b if other is None else other
        if other is None:
            return functions.along(functions.reduce_last(kind))(x, axis)
        return values.elementwise(lambda a, b: tape.extreme(kind, [a, b]) if a == a and b == b else max(a, b), None, x, other)
    return apply


def argmax(x):
    def function(numbers, errors):
        best = max(range(len(numbers)), key=lambda i: numbers[i])
        close = [i for i in range(len(numbers)) if i != best and error_of(numbers[i]) + error_of(numbers[best])
                 and numbers[best] - numbers[i] <= 8 * unit() * (error_of(numbers[i]) + error_of(numbers[best]))]
        return [record(best, INFINITE if close else 0.0, [])], None
    return by_last(x, function, False)


class Proxy:
    """The module math, with functions of tape numbers."""

    def __init__(self):
        for name in ("exp", "log", "sqrt"):
            row = elementwise.UNARY[name]
            setattr(self, name, traced(name, row.apply, functions.BOUNDS[name]))

    def __getattr__(self, name):
        return getattr(math, name)

    @staticmethod
    def fsum(numbers):
        return tape.total(list(numbers))


class Traced(Interpreter):
    """The interpreter with the rules of this file."""

    @staticmethod
    def statistics(x):
        """Mean and variance of each feature over all rows and leading dimensions."""
        width = x.shape[-1]
        columns = [[row[i] for row in x.rows for i in range(j, len(row), width)] for j in range(width)]
        means = [reduce_numbers("mean", column, None)[0] for column in columns]
        variances = [reduce_numbers("mean", [(v - m) * (v - m) for v in c], None)[0] for c, m in zip(columns, means)]
        return [values.Value(None, (width,), [means]), values.Value(None, (width,), [variances])]


def install():
    """Replaces what the interpreter does with numbers; once, for the whole process."""
    for name, row in elementwise.UNARY.items():
        bound = functions.BOUNDS.get(name) or functions.bound_by_corners(dataclasses.replace(row))
        row.apply = traced(name, row.apply, bound)
    for name in ("pow", "atan2"):
        row = elementwise.BINARY[name]
        row.apply = traced(name, row.apply, functions.bound_by_corners(dataclasses.replace(row)))
    for op in ("<", "<=", ">", ">=", "==", "!="):
        plain, bound = functions.BINARY[op]
        functions.BINARY[op] = (compare(plain, bound), bound)
    functions.TABLE.update(select=select, argmax=argmax, max=extreme_of("max"), min=extreme_of("min"))
    functions._softmax_parts, functions.math = softmax_parts, PROXY
    values._row_times_matrix = row_times_matrix
    values.reduce_numbers = functions.reduce_numbers = reduce_numbers
    reductions.quantile_of = quantile_of
    functions.root = lambda x: PROXY.sqrt(x)
    graphs.numbers_of = lambda tensor: [x if type(x) is Number else leaf(round_f32(x) if tensor.dtype == "F64" else x, False) for x in tensor.data]


PROXY = Proxy()
install()


def differentiate(tree, graph, weights, dims=None):
    """Returns the loss, and for each tensor of the weights (gradient, bound) of each of its numbers."""
    tape.forget()
    leaves = {name: Tensor("F32", t.shape, [leaf(round_f32(x)) for x in t.data]) for name, t in weights.items()}
    interpreter = Traced(tree, graph, leaves, dims, with_loss=True)
    interpreter.batch_statistics = True
    outputs = interpreter.run()
    loss = outputs[next(s["name"] for s in interpreter.models[0]["body"] if s["kind"] == "loss")].rows[0][0]
    if type(loss) is Number:
        tape.backward(loss)
    found = {name: [tape.gradient(x) for x in t.data] for name, t in leaves.items()}
    return loss, found


def main():
    folder, gnnc = sys.argv[1:3]
    graph, weights = (read(os.path.join(folder, f"{name}.safetensors")) for name in ("graph", "weights"))
    tree = Tools(os.path.dirname(gnnc)).tree(os.path.join(folder, "model.gnn"))
    json.dump(differentiate(tree, graph, weights[0])[1], sys.stdout)


if __name__ == "__main__":
    main()
