"""The rows of support/elementwise.def: functions of one and of two numbers, as their column `reference` says in Python.

UNARY and BINARY are {name: Row}. Row.apply maps numbers to a number; where Python raises an exception the result is NaN (no
value) or infinity (too large). A bound of the error is not in the table: functions.py.
"""
import ast
import dataclasses
import math
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support", "elementwise.def")
NAN, INFINITE = float("nan"), float("inf")


def exponential(x):
    try:
        return math.exp(x)
    except OverflowError:
        return INFINITE


def logarithm(x):
    return math.log(x) if x > 0 else (-INFINITE if x == 0 else NAN)


def root(x):
    return math.sqrt(x) if x >= 0 else NAN


def divide(a, b):
    if b == 0.0:
        return NAN if a == 0.0 or a != a else math.copysign(INFINITE, a) * math.copysign(1.0, b)
    return a / b


def power(a, b):
    is_odd = math.isfinite(b) and b % 2 == 1
    try:
        return math.pow(a, b)
    except OverflowError:
        return -INFINITE if a < 0 and is_odd else INFINITE
    except ValueError:  # Python raises this for 0 to a negative power and for a root of a negative number
        return NAN if a != 0 else math.copysign(INFINITE, a) if is_odd else INFINITE


WORDS = {f.__name__: f for f in (exponential, logarithm, root, divide, power)}
WORDS.update(math=math, NAN=NAN, INFINITE=INFINITE, abs=abs, max=max, min=min, float=float, round=round)


@dataclasses.dataclass
class Row:
    name: str
    kind: str  # function or operator; for a function of two numbers the operation of the gnn level
    numbers: list  # (name, default) of the parameters of a function of one number besides x
    is_flat: bool  # the derivative is 0: the function jumps from one value to the next
    apply: object        # number(x, *numbers) or number(a, b)


def applied(reference, *names):
    function = eval(f"lambda {', '.join(names)}: {ast.literal_eval(reference)}", WORDS)

    def apply(*values):
        try:
            return function(*values)
        except ValueError:
            return NAN
        except OverflowError:
            return INFINITE
    return apply


def columns_of(line):
    """The arguments of a row, split at commas outside of strings and parentheses."""
    columns, depth, quoted, begin = [], 0, False, line.index("(") + 1
    for i in range(begin, len(line)):
        c = line[i]
        quoted ^= c == '"' and line[i - 1] != "\\"
        if quoted:
            continue
        if depth == 0 and c in ",)":
            columns.append(line[begin:i].strip())
            begin = i + 1
            if c == ")":
                break
        depth += (c == "(") - (c == ")")
    return columns


def read_rows():
    unary, binary = {}, {}
    with open(TABLE, encoding="utf-8") as f:
        for line in f:
            if re.match(r"UNARY\(", line):
                name, kind, p, p_default, q, q_default, _, _, derivative, reference, _ = columns_of(line)
                numbers = [(ast.literal_eval(n), float(d)) for n, d in ((p, p_default), (q, q_default)) if n != "NULL"]
                unary[name] = Row(name, kind, numbers, derivative == "0", applied(reference, *"xpq"[:1 + len(numbers)]))
            elif re.match(r"BINARY\(", line):
                name, operation, _, _, _, _, reference, _ = columns_of(line)
                binary[name] = Row(name, operation, [], False, applied(reference, "a", "b"))
    return unary, binary


UNARY, BINARY = read_rows()
