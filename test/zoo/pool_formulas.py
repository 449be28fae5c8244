"""Poolings and aggregations of graphs written out in plain Python from their papers: the expected numbers of operators.py."""
import math

from formulas_run import highest, kept, normed
from tiny_graph import apply, cut, dot, joined, leaky, linear, mean, minus, norm, plus, sigmoid, softmax, spread, times, transposed


def row_softmax(row):
    most = max(row)
    return times(1 / sum(math.exp(v - most) for v in row), [math.exp(v - most) for v in row])


# memory

def shares(w, name, rows, tau):
    """Khasahmadi et al. 2020, equation 1: the shares of each row of the clusters."""
    made = []
    for x in rows:
        mixed = None
        for keys, [[c]] in zip(w[f"{name}k"], w[f"{name}conv.weight"][0]):
            near = [(1 + dot(minus(x, k), minus(x, k)) / tau) ** (-(1 + tau) / 2) for k in keys]
            part = times(c / sum(near), near)
            mixed = plus(mixed, part) if mixed else part
        made.append(row_softmax(mixed))
    return made


def mem_pooled(w, name, rows, tau):
    s = shares(w, name, rows, tau)
    return [linear(w, f"{name}lin", plus(*(times(v, x) for v, x in zip(column, rows)))) for column in transposed(s)]


def mem(g, w):
    """Two of them, the second over the clusters of the first."""
    return [joined(mem_pooled(w, "second.", mem_pooled(w, "first.", g.x, 1.0), 2.0))]


def mem_shares(g, w):
    return shares(w, "", g.x, 0.5)


# attention

def attention(w, name, queries, rows, heads):
    """Vaswani et al. 2017, with the names of PyTorch's MultiheadAttention."""
    size = len(queries[0])
    weights, bias = cut(w[f"{name}.in_proj_weight"], 3), cut(w[f"{name}.in_proj_bias"], 3)
    q, k, v = ([cut(apply(weights[i], row, bias[i]), heads) for row in given] for i, given in enumerate((queries, rows, rows)))
    y = []
    for row in q:
        parts = []
        for h in range(heads):
            a = row_softmax([dot(row[h], key[h]) / math.sqrt(size / heads) for key in k])
            parts += plus(*(times(p, value[h]) for p, value in zip(a, v)))
        y.append(linear(w, f"{name}.out_proj", parts))
    return y


def layer_norm(w, name, row):
    if f"{name}.weight" not in w:
        return row
    d = [v - sum(row) / len(row) for v in row]
    d = times(1 / math.sqrt(dot(d, d) / len(d) + 1e-5), d)
    return [v * a + b for v, a, b in zip(d, w[f"{name}.weight"], w[f"{name}.bias"])]


def block(w, name, x, y, heads):
    """Lee et al. 2019, MAB: attention of the rows x to the rows y."""
    made = []
    for a, b in zip(attention(w, f"{name}.attn", x, y, heads), x):
        h = layer_norm(w, f"{name}.layer_norm1", plus(a, b))
        made.append(layer_norm(w, f"{name}.layer_norm2", plus(h, [max(v, 0) for v in linear(w, f"{name}.lin", h)])))
    return made


def seeds(w, name, rows, heads):
    """The same paper, PMA: attention of trained seeds."""
    return block(w, f"{name}.mab", w[f"{name}.seed"][0], [[max(v, 0) for v in linear(w, f"{name}.lin", row)] for row in rows], heads)


def set_transformer(g, w, most=12, mean_of_seeds=False):
    rows = g.x[:most]
    rows = block(w, "encoders.0.mab", rows, rows, 2)
    y = seeds(w, "pma", rows, 2)
    y = block(w, "decoders.0.mab", y, y, 2)
    return [mean(y) if mean_of_seeds else joined(y)]


def multiset_transformer(g, w):
    y = seeds(w, "pma1", g.x, 2)
    for k in range(2):
        y = block(w, f"encoders.{k}.mab", y, y, 2)
    return seeds(w, "pma2", y, 2)


def mlp(g, w, most):
    """Buterez et al. 2022: a perceptron with a normalisation of the rows in their order."""
    row = joined(g.x[:most]) + [0.0] * (g.width * (most - g.count))
    return [linear(w, "mlp.lins.1", [max(v, 0) for v in normed(w, "mlp.norms.0.module", linear(w, "mlp.lins.0", row))])]


# structure

def both_ways(g):
    return g.edges + [(d, s) for s, d in g.edges if s != d]


def gcn_of(w, name, count, edges, rows):
    degree = [sum(1 for _, d in edges if d == n) for n in range(count)]
    y = [w[f"{name}.bias"] for _ in range(count)]
    for s, d in edges:
        y[d] = plus(y[d], times(1 / math.sqrt(degree[s] * degree[d]), linear(w, f"{name}.lin", rows[s])))
    return y


def asa_pooled(g, w, edges, intra):
    """Ranjan et al. 2020: the rows of all clusters, their fitness, and the attention of each edge, over edges with one loop at each node."""
    edges = [e for e in edges if e[0] != e[1]] + [(n, n) for n in range(g.count)]
    h = gcn_of(w, "gnn_intra_cluster", g.count, edges, g.x) if intra else g.x
    queries = [linear(w, "lin", [max(c) for c in zip(*(h[s] for s, d in edges if d == n), strict=True)]) for n in range(g.count)]
    a = softmax(edges, [leaky(linear(w, "att", queries[d] + h[s])[0]) for s, d in edges])
    y = spread(g, [(s, d, v) for (s, d), v in zip(edges, a)], g.x)
    fitness = []
    for n, row in enumerate(y):
        heard = sum(linear(w, "gnn_score.lin1", y[s])[0] - linear(w, "gnn_score.lin2", row)[0] for s, d in edges if d == n)
        fitness.append(sigmoid(heard + linear(w, "gnn_score.lin3", row)[0]))
    return edges, y, fitness


def asa(g, w, intra=False):
    """The pooled rows, beside their sums over the edges of the pooled graph: from p to q where p <- a -> b -> q."""
    edges, y, fitness = asa_pooled(g, w, both_ways(g), intra)
    sign = math.copysign(1, w["select.weight"][0][0])
    nodes = highest([math.tanh(sign * f) for f in fitness], 0.6)
    rows = kept(y, fitness, nodes)
    joins = {(p, q) for a, p in edges for a2, b in edges if a2 == a for b2, q in edges if b2 == b if p != q and p in nodes and q in nodes}
    return [a + b for a, b in zip(rows, spread(g, [(p, q, 1.0) for p, q in sorted(joins)], rows))]


def pan_matrix(g, scale):
    """Ma et al. 2020: the matrix of all paths of at most two edges, normalised by the number of entries of its rows."""
    many = range(g.count)
    met, paths = [{d: scale[0]} for d in many], [{d: scale[0]} for d in many]
    for k in (1, 2):
        longer = [{} for _ in many]
        for d in many:
            for s, e in g.edges:
                if e in paths[d]:
                    longer[d][s] = longer[d].get(s, 0) + scale[k] * paths[d][e]
        paths = longer
        for row, more in zip(met, paths):
            row.update({s: row.get(s, 0) + v for s, v in more.items()})
    norms = [len(row) ** -0.5 for row in met]
    return [{s: v * norms[s] * norms[d] for s, v in met[d].items()} for d in many]


def pan(g, w):
    """A convolution, a pooling, and the sums over the edges of the pooled graph, which has the entries of the matrix."""
    matrix = pan_matrix(g, w["conv.weight"])
    y = [linear(w, "conv.lin", plus(*(times(v, g.x[s]) for s, v in row.items()))) for row in matrix]
    columns = [sum(row.get(s, 0) for row in matrix) for s in range(g.count)]
    sign = math.copysign(1, w["pool.select.weight"][0][0])
    scores = [math.tanh(sign * (w["pool.beta"][0] * dot(row, w["pool.p"]) + w["pool.beta"][1] * c)) for row, c in zip(y, columns)]
    nodes = highest(scores, 0.5)
    rows = [times(2, row) for row in kept(y, scores, nodes)]
    joins = [(s, d, 1.0) for d, row in enumerate(matrix) for s in row if s in nodes and d in nodes]
    return [a + b if n in nodes else [0.0] * 6 for n, (a, b) in enumerate(zip(rows, spread(g, joins, rows)))]


# dense matrices

def dense(g, rows, c):
    """C^T X and C^T A C."""
    size = range(len(c[0]))
    x = [plus(*(times(share[k], row) for share, row in zip(c, rows))) for k in size]
    return x, [[sum(c[s][k] * c[d][m] for s, d in g.edges) for m in size] for k in size]


def normalized(a):
    a = [[0.0 if k == m else v for m, v in enumerate(row)] for k, row in enumerate(a)]
    d = [math.sqrt(sum(row)) + 1e-15 for row in a]
    return [[v / d[k] / d[m] for m, v in enumerate(row)] for k, row in enumerate(a)]


def diff(g, _):
    """Ying et al. 2018, with three columns of x as scores."""
    x, a = dense(g, g.x0, [row_softmax(row[:3]) for row in g.x])
    return [p + q for p, q in zip(x, a)]


def mincut(g, _):
    """Bianchi et al. 2020."""
    x, a = dense(g, g.x0, [row_softmax(times(1 / 0.5, row[:3])) for row in g.x])
    return [p + q for p, q in zip(x, normalized(a))]


def dmon(g, w):
    """Tsitsulin et al. 2023."""
    c = [row_softmax(linear(w, "mlp.lins.1", linear(w, "mlp.lins.0", row))) for row in g.x]
    x, a = dense(g, g.x, c)
    x = [[1.0507009873554805 * (v if v > 0 else 1.6732632423543772 * math.expm1(v)) for v in row] for row in x]
    return [p + q for p, q in zip(x, normalized(a))]


# points

def interpolated(g, _, k=2):
    """Qi et al. 2017: the mean of the k nearest places whose x0 begins with a positive number, weighed by the inverse square of the distance."""
    known, y = [n for n in range(g.count) if g.x0[n][0] > 0], []
    for place in g.pos:
        near = sorted(known, key=lambda n: (dot(minus(place, g.pos[n]), minus(place, g.pos[n])), n))[:k]
        weights = [1 / max(norm(minus(place, g.pos[n])) ** 2, 1e-16) for n in near]
        y.append(times(1 / sum(weights), plus(*(times(c, g.x[n]) for c, n in zip(weights, near)))))
    return y
