"""The tiny graph of operators.py, and what its formulas need: rows, linear layers, edges, softmax, in plain Python.

A value of all nodes is a list of rows; the weights of an operator are nested lists by name, in the shapes of PyTorch.
"""
import math


class Graph:
    """A directed graph with isolated nodes, self loops and duplicates, and random fields, which f32 holds exactly."""

    count, width, depth, types = 9, 4, 3, 3

    def __init__(self, rng):
        def rows(n, size):
            return [[rng.randint(-64, 64) / 64 for _ in range(size)] for _ in range(n)]
        ends = [(rng.randrange(7), rng.randrange(7)) for _ in range(14)]
        # node 7 has no edges, node 8 only a loop; a duplicate, two loops at a node
        self.edges = [*ends, ends[0], (2, 2), (5, 5), (2, 2), (8, 8), (6, 1)]
        self.x, self.x0, self.im = (rows(self.count, self.width) for _ in range(3))
        self.pos, self.normal = rows(self.count, self.depth), rows(self.count, self.depth)
        self.attr = rows(len(self.edges), self.depth)
        self.wide = rows(len(self.edges), self.width)
        self.weight = [rng.randint(8, 64) / 32 for _ in self.edges]
        self.type = [rng.randrange(self.types) for _ in self.edges]
        self.type[:self.types] = range(self.types)

    def tensors(self, make):
        """The fields of the graph file; make(dtype, shape, flat numbers)."""
        def table(rows):
            return make("F32", [len(rows), len(rows[0])], [v for row in rows for v in row])
        count = len(self.edges)
        return {"edge_index": make("I64", [2, count], [s for s, _ in self.edges] + [d for _, d in self.edges]),
                "edge_type": make("I64", [count], self.type), "edge_weight": make("F32", [count], self.weight),
                "x": table(self.x), "x0": table(self.x0), "im": table(self.im), "pos": table(self.pos), "normal": table(self.normal), "edge_attr": table(self.attr),
                "wide": table(self.wide)}


# rows

def plus(*rows):
    return [sum(values) for values in zip(*rows, strict=True)]


def minus(a, b):
    return [p - q for p, q in zip(a, b, strict=True)]


def times(c, row):
    return [c * v for v in row]


def product(a, b):
    return [p * q for p, q in zip(a, b, strict=True)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b, strict=True))


def norm(row):
    return math.sqrt(dot(row, row))


def apply(matrix, row, bias=None):
    """matrix [out][in] times row, + bias."""
    y = [dot(line, row) for line in matrix]
    return plus(y, bias) if bias else y


def transposed(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def linear(w, name, row):
    return apply(w[f"{name}.weight"], row, w.get(f"{name}.bias"))


def mlp(w, name, row):
    """PyTorch's Sequential(Linear, ReLU, Linear)."""
    return linear(w, f"{name}.2", [max(v, 0) for v in linear(w, f"{name}.0", row)])


def cut(row, parts):
    """A row as rows of equal length."""
    size = len(row) // parts
    return [row[i * size:(i + 1) * size] for i in range(parts)]


def joined(rows):
    return [v for row in rows for v in row]


def mean(rows):
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def sigmoid(v):
    return 1 / (1 + math.exp(-v))


def leaky(v, slope=0.2):
    return v if v > 0 else slope * v


# graphs

def one_loop(g, weights):
    """Edges and weights with one loop at each node: its last one, or one with weight 1."""
    loops = {n: 1.0 for n in range(g.count)} | {s: w for (s, d), w in zip(g.edges, weights) if s == d}
    edges = [(s, d, w) for (s, d), w in zip(g.edges, weights) if s != d]
    return edges + [(n, n, w) for n, w in loops.items()]


def new_loops(g):
    """Edges (source, destination, number or None) with a new loop at each node in place of the stored ones."""
    return [(s, d, k) for k, (s, d) in enumerate(g.edges) if s != d] + [(n, n, None) for n in range(g.count)]


def stored(g):
    return [(s, d, k) for k, (s, d) in enumerate(g.edges)]


def normalized(g, edges):
    """Kipf and Welling 2017: w / sqrt(d_src d_dst), d the sum of the weights into a node; 0 where d is 0."""
    degree = [0.0] * g.count
    for _, d, w in edges:
        degree[d] += w
    root = [1 / math.sqrt(v) if v else 0.0 for v in degree]
    return [(s, d, root[s] * w * root[d]) for s, d, w in edges]


def gcn_edges(g, weights=None, loops=True):
    weights = weights or [1.0] * len(g.edges)
    return normalized(g, one_loop(g, weights) if loops else [(s, d, w) for (s, d), w in zip(g.edges, weights)])


def spread(g, edges, x):
    """The sum of c x[src] over the edges into each node."""
    y = [[0.0] * len(x[0]) for _ in range(g.count)]
    for s, d, c in edges:
        y[d] = plus(y[d], times(c, x[s]))
    return y


def gathered(g, messages):
    """The messages (destination, row) of each node."""
    into = [[] for _ in range(g.count)]
    for d, row in messages:
        into[d].append(row)
    return into


def reduced(g, messages, how, size):
    """sum, mean, max or min of the messages of each node; 0 where there are none."""
    ways = {"sum": sum, "mean": lambda c: sum(c) / len(c), "max": max, "min": min}
    return [[ways[how](column) for column in zip(*rows, strict=True)] if rows else [0.0] * size for rows in gathered(g, messages)]


def softmax(edges, scores, key=lambda edge: edge[1]):
    """The softmax of the edges' numbers over those with the same key."""
    groups = {}
    for edge, score in zip(edges, scores, strict=True):
        groups.setdefault(key(edge), []).append(score)
    sums = {k: sum(math.exp(v - max(vs)) for v in vs) for k, vs in groups.items()}
    return [math.exp(v - max(groups[key(e)])) / sums[key(e)] for e, v in zip(edges, scores, strict=True)]


def attend(g, edges, scores, values):
    """Per head, the sum of softmax(scores) values over the edges into each node: scores [edge][head], values [edge][head]."""
    heads = [softmax(edges, column) for column in zip(*scores, strict=True)]
    y = [[[0.0] * len(values[0][0]) for _ in heads] for _ in range(g.count)]
    for k, (_, d, _) in enumerate(edges):
        for h, weights in enumerate(heads):
            y[d][h] = plus(y[d][h], times(weights[k], values[k][h]))
    return y
