"""Formulas of the library's layers that depend on an order of edges or nodes, in plain Python; as formulas.py."""
import math

from formulas import lstm
from tiny_graph import apply, cut, joined, norm, plus, product, times


def gru_step(w, name, x, h):
    """PyTorch's GRU with the names of its first layer."""
    a, b = (cut(apply(w[f"{name}weight_{k}_l0"], row, w[f"{name}bias_{k}_l0"]), 3) for k, row in (("ih", x), ("hh", h)))
    r, z = ([1 / (1 + math.exp(-p - q)) for p, q in zip(a[i], b[i])] for i in range(2))
    n = [math.tanh(p + t * q) for p, q, t in zip(a[2], b[2], r)]
    return [(1 - t) * p + t * q for p, q, t in zip(n, h, z)]


def run_lstm(w, name, rows, size):
    h, c = [0.0] * size, [0.0] * size
    for row in rows:
        h, c = lstm(w, name, row, h, c, "_l0")
    return h


def run_gru(w, name, rows, size):
    h = [0.0] * size
    for row in rows:
        h = gru_step(w, name, row, h)
    return h


def sequences(g, rows=None):
    """The rows of the sources of the edges into each node in the order of the file, with zeros up to the longest sequence."""
    rows = rows or g.x
    lists = [[rows[s] for s, d in g.edges if d == n] for n in range(g.count)]
    longest = max(map(len, lists))
    return [rows + [[0.0] * g.width] * (longest - len(rows)) for rows in lists]


def incoming(g, w):
    """The median, the lower one of two, beside the product."""
    y = []
    for n in range(g.count):
        rows = [g.x[s] for s, d in g.edges if d == n]
        middle = [sorted(column)[(len(rows) - 1) // 2] for column in zip(*rows)] if rows else [0.0] * g.width
        every = [1.0] * g.width
        for row in rows:
            every = product(every, row)
        y.append(joined([middle, every]))
    return y


def pooled(g, _):
    """Over all nodes: the product, the median, and the quantile 0.3."""
    columns = list(zip(*g.x))
    place = 0.3 * (g.count - 1)
    k = math.floor(place)
    ordered = [sorted(column) for column in columns]
    return [joined([[math.prod(c) for c in columns], [c[(g.count - 1) // 2] for c in ordered],
                    [c[k] + (c[k + 1] - c[k]) * (place - k) for c in ordered]])]


def sort(g, _, count):
    rows = sorted(g.x, key=lambda row: -row[-1])[:count]
    return [joined(rows) + [0.0] * (g.width * (count - len(rows)))]


def incoming_lstm(g, w):
    return [run_lstm(w, "lstm.", rows, 3) for rows in sequences(g)]


def incoming_gru(g, w):
    return [run_gru(w, "gru.", rows, 3) for rows in sequences(g)]


def sage_lstm(g, w):
    """With a projection of the neighbours, and normalised."""
    rows = [[max(v, 0) for v in apply(w["lin.weight"], row, w["lin.bias"])] for row in g.x]
    means = [run_lstm(w, "aggr_module.lstm.", sequence, g.width) for sequence in sequences(g, rows)]
    y = [plus(apply(w["lin_l.weight"], m, w["lin_l.bias"]), apply(w["lin_r.weight"], x)) for m, x in zip(means, g.x)]
    return [times(1 / max(norm(row), 1e-12), row) for row in y]
