"""Operators that make graphs while they run, written out in plain Python: the expected numbers of operators.py."""
import math

from tiny_graph import cut, dot, joined, linear, mean, minus, mlp, norm, plus, product, reduced, times, transposed


def nearest(rows, k, among=None):
    """Edges (source, destination) from the k nearest rows to each, itself among them; of equal ones the first. `among`: numbers of sources."""
    edges = []
    for d, row in enumerate(rows):
        order = sorted(range(len(rows)) if among is None else among, key=lambda s: (dot(minus(row, rows[s]), minus(row, rows[s])), s))
        edges += [(s, d) for s in order[:k]]
    return edges


def dynamic_edge(g, w, k=3):
    """Wang et al. 2019: the maximum of a perceptron of [x_i, x_j - x_i] over the k nearest neighbours j of i."""
    messages = [(d, mlp(w, "nn", g.x[d] + minus(g.x[s], g.x[d]))) for s, d in nearest(g.x, k)]
    return reduced(g, messages, "max", 3)


def gravnet(g, w, k=4, among=lambda g: None):
    """Qasim et al. 2019: features of near nodes in a learned space, weighed by exp(-10 distance^2)."""
    s, h = [linear(w, "lin_s", row) for row in g.x], [linear(w, "lin_h", row) for row in g.x]
    weighed = [(d, times(math.exp(-10 * dot(minus(s[n], s[d]), minus(s[n], s[d]))), h[n])) for n, d in nearest(s, k, among(g))]
    both = [a + b for a, b in zip(reduced(g, weighed, "mean", 3), reduced(g, weighed, "max", 3))]
    return [plus(linear(w, "lin_out1", row), linear(w, "lin_out2", row2)) for row, row2 in zip(g.x, both)]


def elu(row):
    return [v if v > 0 else math.expm1(v) for v in row]


def normed(w, name, row):
    """PyTorch's BatchNorm1d at inference."""
    scaled = [v / math.sqrt(q + 1e-5) for v, q in zip(minus(row, w[f"{name}.running_mean"]), w[f"{name}.running_var"])]
    return plus(product(scaled, w[f"{name}.weight"]), w[f"{name}.bias"])


def grouped(w, name, rows):
    """PyTorch's Conv1d with a group for each row, over the whole row."""
    each = len(w[f"{name}.bias"]) // len(rows)
    return plus([dot(line[0], rows[k // each]) for k, line in enumerate(w[f"{name}.weight"])], w[f"{name}.bias"])


def x_conv(g, w, x=None, size=3, step=1):
    """Li et al. 2018, algorithm 1, with every step-th of the nearest places."""
    y = []
    for n, place in enumerate(g.pos):
        near = [s for s, d in nearest(g.pos, size * step) if d == n][::step]
        places, rows = [minus(g.pos[s], place) for s in near], []
        for s, p in zip(near, places):
            h = normed(w, "mlp1.2", elu(linear(w, "mlp1.0", p)))
            rows.append(normed(w, "mlp1.5", elu(linear(w, "mlp1.3", h))) + (x(g)[s] if x else []))
        t = normed(w, "mlp2.2", elu(linear(w, "mlp2.0", joined(places))))
        t = normed(w, "mlp2.6", elu(grouped(w, "mlp2.4", cut(t, size))))
        t = transposed(cut(normed(w, "mlp2.9", grouped(w, "mlp2.8", cut(t, size))), size))
        mixed = [[dot(row, column) for column in t] for row in transposed(rows)]
        y.append(linear(w, "conv.2", grouped(w, "conv.0", mixed)))
    return y


def highest(scores, ratio, among=None):
    """The nodes with the largest scores."""
    nodes = [n for n in range(len(scores)) if among is None or n in among]
    return sorted(nodes, key=lambda n: (-scores[n], n))[:math.ceil(ratio * len(nodes))]


def kept(rows, scores, nodes):
    return [times(scores[n], row) if n in nodes else [0.0] * len(row) for n, row in enumerate(rows)]


def convolved(edges, rows, w, name):
    """PyTorch Geometric's GraphConv over the edges."""
    sums = [[0.0] * len(rows[0]) for _ in rows]
    for s, d in edges:
        sums[d] = plus(sums[d], rows[s])
    return [plus(linear(w, f"{name}.lin_rel", a), linear(w, f"{name}.lin_root", b)) for a, b in zip(sums, rows)]


def pooled_twice(g, w):
    """A pooling by projection, a convolution of what is left, a pooling by attention, and sum, mean and maximum of what is left."""
    p = w["first.select.weight"][0]
    scores = [math.tanh(dot(row, p) / norm(p)) for row in g.x]
    nodes = highest(scores, 0.7)
    rows = kept(g.x, scores, nodes)
    edges = [(s, d) for s, d in g.edges if s in nodes and d in nodes]
    h = [[max(v, 0) for v in row] for row in convolved(edges, rows, w, "conv")]
    a = convolved(edges, h, w, "second.gnn")
    sign = math.copysign(1, w["second.select.weight"][0][0])
    scores = [math.tanh(v * sign) for [v] in a]
    nodes = highest(scores, 0.5, nodes)
    left = [row for n, row in enumerate(kept(h, scores, nodes)) if n in nodes]
    return [plus(*left) + mean(left) + [max(c) for c in zip(*left, strict=True)]]
