"""Numbers that remember how they were computed, so that the interpreter of models gives exact gradients, with bounds of what f32 does to them.

    a, b = leaf(2.0), leaf(3.0)
    y = a * b + a
    backward(y)           # a.adjoint is 4, b.adjoint is 2

A Number has a value in double precision and a bound of its error, in units of the roundoff as in test/oracle/values.py. A number that
depends on a leaf also has an edge for each operand that does: the operand, the partial derivative, and the bound of the error of
this derivative, which comes from the errors of the operands. backward walks the edges from the end to the start and gives each
number its adjoint a = sum of a[result] * partial, with a bound

    bound(a) = sum of (bound(a[result]) |partial| + |a[result]| error(partial) + |term|) + (terms - 1) * sum of |term|

which is that of the magnitudes of the terms, for any order of summation. Where f32 may decide otherwise (a kink, a maximum whose members are nearly
equal), the partial derivative has an error as large as its jump.
"""
import math

import values
from values import INFINITE, LARGEST, is_exact, unit

_tape = []


class Number(float):
    """A number with the bound of its error. `edges`: (operand, partial derivative, error of it), none where no leaf is behind it."""
    __slots__ = ("error", "edges", "is_leaf", "adjoint", "size", "uses", "bound")

    def __add__(self, other):
        r = float(self) + float(other)
        return record(r, rounded(r, error_of(self) + error_of(other)), [(self, 1.0, 0.0), (other, 1.0, 0.0)])

    def __sub__(self, other):
        r = float(self) - float(other)
        return record(r, rounded(r, error_of(self) + error_of(other)), [(self, 1.0, 0.0), (other, -1.0, 0.0)])

    def __rsub__(self, other):
        return leaf(other, False) - self

    def __mul__(self, other):
        a, b, ea, eb = float(self), float(other), error_of(self), error_of(other)
        return record(a * b, rounded(a * b, ea * abs(b) + eb * abs(a)), [(self, b, eb), (other, a, ea)])

    def __truediv__(self, other):
        a, b, ea, eb = float(self), float(other), error_of(self), error_of(other)
        r = a / b
        if eb * unit() * 128 > abs(b):
            return record(r, INFINITE, [(self, 1 / b, INFINITE), (other, -r / b, INFINITE)])
        error = (ea + abs(r) * eb) / abs(b) + 2 * abs(r)
        return record(r, error, [(self, 1 / b, (eb / abs(b) + 1) / abs(b)), (other, -r / b, (error + abs(r) * (eb / abs(b) + 2)) / abs(b))])

    def __rtruediv__(self, other):
        return leaf(other, False) / self

    def __pow__(self, other):
        assert other == 2
        return self * self

    def __neg__(self):
        return record(-float(self), self.error, [(self, -1.0, 0.0)])

    __radd__, __rmul__ = __add__, __mul__


def error_of(x):
    if type(x) is Number:
        return x.error
    return 0.0 if is_exact(x) else abs(x)


def rounded(result, error):
    """The error with one rounding more; an exact result that f32 holds, such as an integer, has none."""
    return 0.0 if error == 0.0 and is_exact(result) else error + abs(result)


def record(value, error, edges):
    """A result with its operands; those without a leaf behind them are left out."""
    n = Number(value)
    n.error = error if error == error and abs(value) <= LARGEST else INFINITE
    n.edges = [e for e in edges if type(e[0]) is Number and (e[0].edges or e[0].is_leaf)]
    n.is_leaf = False
    if n.edges:
        _tape.append(n)
    return n


def leaf(value, is_trained=True):
    """A number that is given, exactly; `is_trained`: one whose adjoint is wanted."""
    n = record(float(value), error_of(value), [])
    n.is_leaf = is_trained
    return n


def forget():
    """Starts a new tape."""
    _tape.clear()


def total(numbers):
    """The sum, as one result."""
    r = math.fsum(numbers)
    spent = sum(map(error_of, numbers))
    is_whole = spent == 0.0 and is_exact(r) and all(n == int(n) for n in numbers if abs(n) < 1 / unit())
    error = 0.0 if is_whole else spent + (len(numbers) - 1) * sum(abs(float(n)) for n in numbers)
    return record(r, error, [(n, 1.0, 0.0) for n in numbers])


def inner(xs, ws):
    """The inner product of two lists, as one result."""
    pairs = [(x, w) for x, w in zip(xs, ws) if x != 0.0 or type(x) is Number]
    error, edges = 0.0, []
    for x, w in pairs:
        a, b, ea, eb = float(x), float(w), error_of(x), error_of(w)
        error += ea * abs(b) + abs(a) * eb + (len(pairs) + 1) * abs(a * b)
        edges += [(x, b, eb), (w, a, ea)]
    return record(math.fsum(float(x) * float(w) for x, w in pairs), error, edges)


def extreme(kind, numbers):
    """The largest or smallest number. Members that are equal to it share its adjoint; where f32 may find others, all that are near may get it."""
    best = float(max(numbers) if kind == "max" else min(numbers))
    widest = max(error_of(n) for n in numbers)
    won = [n for n in numbers if n == best]
    near = [n for n in numbers if abs(n - best) <= 8 * unit() * (error_of(n) + widest)]
    is_sure = len({id(n) for n in near}) == 1 or all(error_of(n) == 0.0 for n in near) or len(near) == len(won) == 1
    jump = 0.0 if is_sure else 1 / unit()
    return record(best, widest, [(n, float(n == best) / len(won), jump) for n in near])


def backward(result):
    """Computes the adjoint and the bound of every number behind the result."""
    for n in _tape:
        for operand, _, _ in (*n.edges, (n, 0, 0)):
            operand.adjoint = operand.size = operand.bound = 0.0
            operand.uses = 0
    result.adjoint, result.uses = 1.0, 1
    for n in reversed(_tape):
        a = n.adjoint
        bound = n.bound + max(n.uses - 1, 0) * n.size
        if a == 0.0 and bound == 0.0:
            continue
        for operand, partial, error in n.edges:
            term = a * partial if a else 0.0
            operand.adjoint += term
            operand.size += abs(term)
            operand.uses += 1
            operand.bound += (bound * abs(partial) if bound else 0.0) + (abs(a) * error if a else 0.0) + abs(term)


def gradient(n):
    """The adjoint of a leaf and its bound; both are 0 where the result does not depend on it."""
    if not hasattr(n, "adjoint"):
        return 0.0, 0.0
    bound = n.bound + max(n.uses - 1, 0) * n.size
    return n.adjoint, bound if bound == bound and n.adjoint == n.adjoint else INFINITE


assert not values.tracking, "errors are tracked here, not by the interpreter"
