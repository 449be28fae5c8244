"""Operators of graph neural networks written out in plain Python from their papers: the expected numbers of operators.py."""
import math

from tiny_graph import (apply, attend, cut, dot, gathered, gcn_edges, joined, leaky, linear, mean, minus, mlp, new_loops, norm, normalized, one_loop,
                        plus, product, reduced, sigmoid, softmax, spread, stored, times, transposed)


def gcn(g, w, weights=None, loops=True, normalize=True):
    edges = gcn_edges(g, weights, loops) if normalize else [(s, d, c) for (s, d), c in zip(g.edges, weights or [1.0] * len(g.edges))]
    z = [linear(w, "lin", row) for row in g.x]
    return [plus(row, w["bias"]) if "bias" in w else row for row in spread(g, edges, z)]


def gcn_improved(g, w):
    """New loops have weight 2."""
    loops = {s for s, d in g.edges if s == d}
    edges = [(s, d, 2.0 if s == d and s not in loops else c) for s, d, c in one_loop(g, g.weight)]
    z = [linear(w, "lin", row) for row in g.x]
    return [plus(row, w["bias"]) for row in spread(g, normalized(g, edges), z)]


def sg(g, w):
    h = g.x
    for _ in range(2):
        h = spread(g, gcn_edges(g, g.weight), h)
    return [linear(w, "lin", row) for row in h]


def tag(g, w):
    h, y = g.x, [linear(w, "lins.0", row) for row in g.x]
    for k in (1, 2):
        h = spread(g, gcn_edges(g, g.weight, loops=False), h)
        y = [plus(a, linear(w, f"lins.{k}", b)) for a, b in zip(y, h)]
    return [plus(row, w["bias"]) for row in y]


def directed_messages(g, w):
    """Yang et al. 2019: an edge hears from all edges into its source, but not from the one that leads back."""
    def back(e):
        s, d = g.edges[e]
        same = [i for i, pair in enumerate(g.edges) if pair == (s, d)]
        other = [i for i, pair in enumerate(g.edges) if pair == (d, s)]
        return other[same.index(e)] if same.index(e) < len(other) else None

    def positive(row):
        return [max(v, 0) for v in row]
    first = [linear(w, "W_i", g.x[s] + g.wide[e]) for e, (s, _) in enumerate(g.edges)]
    h = [positive(row) for row in first]
    for _ in range(2):
        heard = [plus([0.0] * 3, *(h[i] for i, (_, end) in enumerate(g.edges) if end == s and i != back(e)))
                 for e, (s, _) in enumerate(g.edges)]
        h = [positive(plus(a, linear(w, "W_h", m))) for a, m in zip(first, heard)]
    return [plus([0.0] * 3, *(h[e] for e, (_, d) in enumerate(g.edges) if d == n)) for n in range(g.count)]


def pan(g, w):
    """Ma et al. 2020: the matrix of all paths of at most two edges, written out; its rows are counted by their entries."""
    scale, many = w["weight"], range(g.count)
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
    sums = [plus(*(times(v * norms[s] * norms[d], g.x[s]) for s, v in met[d].items())) for d in many]
    return [linear(w, "lin", row) for row in sums]


def mix_hop(g, w):
    h, y = g.x, [linear(w, "lins.0", row) for row in g.x]
    for k in (1, 2):
        h = spread(g, gcn_edges(g), h)
        y = [a + linear(w, f"lins.{k}", b) for a, b in zip(y, h)]
    return [plus(row, w["bias"]) for row in y]


def gcn2(g, w):
    alpha, beta = 0.25, 0.5
    p = [plus(times(1 - alpha, a), times(alpha, b)) for a, b in zip(spread(g, gcn_edges(g), g.x), g.x0)]
    return [plus(times(1 - beta, row), times(beta, apply(transposed(w["weight1"]), row))) for row in p]


def largest_degree(g):
    return 2 * max(sum(1 for s, d in g.edges if s == n != d) for n in range(g.count))


def cheb(g, w, kind="sym", largest=2.0, weights=None):
    """Defferrard et al. 2016, with the matrix of the Laplacian written out."""
    weights = weights or [1.0] * len(g.edges)
    edges = [(s, d, c) for (s, d), c in zip(g.edges, weights) if s != d]
    degree = [sum(c for s, _, c in edges if s == n) for n in range(g.count)]
    laplacian = [[(degree[i] if kind is None else 1.0) if i == j else 0.0 for j in range(g.count)] for i in range(g.count)]
    for s, d, c in edges:
        if kind == "sym":
            c *= 1 / math.sqrt(degree[s] * degree[d]) if degree[d] else 0.0
        laplacian[d][s] -= c / degree[s] if kind == "rw" else c
    matrix = [[2 / largest * v - (1 if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(laplacian)]

    def step(h):
        return transposed([apply(matrix, column) for column in transposed(h)])
    t = [g.x, step(g.x)]
    t.append([minus(times(2, a), b) for a, b in zip(step(t[1]), t[0])])
    return [plus(*(linear(w, f"lins.{k}", rows[n]) for k, rows in enumerate(t)), w["bias"]) for n in range(g.count)]


def fa(g, w):
    score = {n: [linear(w, f"att_{k}", g.x[n])[0] for k in "lr"] for n in range(g.count)}
    edges = [(s, d, math.tanh(score[s][0] + score[d][1]) * c) for s, d, c in gcn_edges(g)]
    return [plus(a, times(0.1, b)) for a, b in zip(spread(g, edges, g.x), g.x0)]


def eg(g, w, heads=2, bases=3, more=False):
    """Tailor et al. 2022; with `more` the reductions are the maximum and the symmetric sum."""
    z = [linear(w, "bases_lin", row) for row in g.x]
    v, y = spread(g, gcn_edges(g), z), []
    if more:
        largest = reduced(g, [(d, z[s]) for s, d, _ in gcn_edges(g)], "max", len(z[0]))
        v = [a + b for a, b in zip(largest, v)]
    for row, x in zip(v, g.x):
        basis, weights = cut(row, 2 * bases if more else bases), cut(linear(w, "comb_lin", x), heads)
        y.append(plus(joined(apply(transposed(basis), line) for line in weights), w["bias"]))
    return y


def anti_symmetric(g, w):
    size, x = g.width, g.x
    matrix = [[w["W"][i][j] - w["W"][j][i] - (0.1 if i == j else 0.0) for j in range(size)] for i in range(size)]
    for _ in range(2):
        p = spread(g, gcn_edges(g), [linear(w, "phi.lin", row) for row in x])
        x = [plus(a, times(0.1, [math.tanh(v) for v in plus(apply(matrix, a), b, w["bias"])])) for a, b in zip(x, p)]
    return x


def wl_continuous(g, _):
    m = reduced(g, [(d, g.x[s]) for s, d in g.edges], "mean", g.width)
    return [times(0.5, plus(a, b)) for a, b in zip(g.x, m)]


def dir_gcn(g, w):
    """Rossi et al. 2023 with graph convolutions."""
    def conv(edges, name):
        return spread(g, normalized(g, edges), [linear(w, f"{name}.lin", row) for row in g.x])
    there, back = ([(s, d, 1.0) for s, d in g.edges], "conv_in"), ([(d, s, 1.0) for s, d in g.edges], "conv_out")
    return [plus(times(0.75, a), times(0.25, b), linear(w, "lin", x), times(0.75, w["conv_in.bias"]), times(0.25, w["conv_out.bias"]))
            for a, b, x in zip(conv(*there), conv(*back), g.x)]


def simple_with_loops(g, _):
    messages = [(d, times(c, g.x[s])) for (s, d), c in zip(g.edges, g.weight)]
    return reduced(g, messages + [(n, x) for n, x in enumerate(g.x)], "mean", g.width)


def ppf(g, w):
    def angle(a, b):
        cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        return math.atan2(norm(cross), dot(a, b))
    messages = []
    for s, d, _ in new_loops(g):
        v, i, j = minus(g.pos[s], g.pos[d]), g.normal[d], g.normal[s]
        messages.append((d, mlp(w, "local_nn", [*g.x[s], norm(v), angle(i, v), angle(j, v), angle(i, j)])))
    return [mlp(w, "global_nn", row) for row in reduced(g, messages, "max", 3)]


def arma_shared(g, w):
    """Two stacks of two layers that share their weights."""
    y = []
    for k in range(2):
        h = [apply(transposed(w["init_weight"][k]), row) for row in g.x]
        for t in range(2):
            z = [apply(transposed(w["weight"][0][k]), row) for row in h] if t else h
            root = [apply(transposed(w["root_weight"][0][k]), row) for row in g.x]
            h = [[max(v, 0) for v in plus(a, b, w["bias"][0][k][0])] for a, b in zip(spread(g, gcn_edges(g, loops=False), z), root)]
        y.append(h)
    return [mean(rows) for rows in zip(*y)]


def spline_closed(g, w, kernels=3):
    """Fey et al. 2018 with linear splines in three dimensions whose ends meet."""
    messages = []
    for s, d, k in stored(g):
        row, places = [0.0] * 2, [abs(v) * kernels for v in g.attr[k]]
        for corner in range(8):
            weight, index = 1.0, 0
            for i, place in enumerate(places):
                up = corner >> i & 1
                weight *= place - math.floor(place) if up else 1 - (place - math.floor(place))
                index += (math.floor(place) + up) % kernels * kernels ** i
            row = plus(row, times(weight, apply(transposed(w["weight"][index]), g.x[s])))
        messages.append((d, row))
    return [plus(m, linear(w, "lin", x), w["bias"]) for m, x in zip(reduced(g, messages, "mean", 2), g.x)]


def dna_groups(g, w, heads=2, groups=2):
    """Fey 2019 with two groups of columns; the rows of the layers are x0, im and x."""
    def by_group(name, row):
        parts = [apply(transposed(m), part) for m, part in zip(w[f"multi_head.lin_{name}.weight"], cut(row, groups))]
        return cut(plus(joined(parts), w[f"multi_head.lin_{name}.bias"]), heads)
    layers, y = [g.x0, g.im, g.x], [[0.0] * g.width for _ in range(g.count)]
    for s, d, c in gcn_edges(g):
        q, row = by_group("q", g.x[d]), []
        keys, values = ([by_group(name, h[s]) for h in layers] for name in "kv")
        for h in range(heads):
            scores = [dot(q[h], k[h]) / math.sqrt(g.width / heads) for k in keys]
            total = 1 + sum(math.exp(v) for v in scores)
            row += plus(*(times(math.exp(v) / total, value[h]) for v, value in zip(scores, values)))
        y[d] = plus(y[d], times(c, row))
    return y


def gated_padded(g, w):
    """Li et al. 2016 with more columns than x has, and weights of edges."""
    h = [row + [0.0] for row in g.x]
    for k in range(2):
        m = spread(g, [(s, d, c) for (s, d), c in zip(g.edges, g.weight)], [apply(transposed(w["weight"][k]), row) for row in h])
        h = [gru(w, "rnn.", a, b) for a, b in zip(m, h)]
    return h


def gru(w, name, x, h):
    a, b = (cut(apply(w[f"{name}weight_{k}"], row, w[f"{name}bias_{k}"]), 3) for k, row in (("ih", x), ("hh", h)))
    r, z = ([sigmoid(v) for v in plus(a[k], b[k])] for k in (0, 1))
    n = [math.tanh(v) for v in plus(a[2], product(r, b[2]))]
    return [(1 - p) * q + p * v for p, q, v in zip(z, n, h)]


def simple(g, _):
    m = reduced(g, [(d, times(c, g.x[s])) for (s, d), c in zip(g.edges, g.weight)], "max", g.width)
    return [x + y for x, y in zip(g.x, m)]


def graph_conv(g, w):
    m = reduced(g, [(d, g.x[s]) for s, d in g.edges], "mean", g.width)
    return [plus(linear(w, "lin_rel", a), linear(w, "lin_root", b)) for a, b in zip(m, g.x)]


def gat(g, w, heads=2, fill=True):
    """Velickovic et al. 2018 with attributes of edges, means over the heads and a residual; a new loop has the mean of the other edges."""
    edges = new_loops(g) if fill else stored(g)
    z = [cut(linear(w, "lin", row), heads) for row in g.x]
    t = [[dot(a, b) for a, b in zip(cut(linear(w, "lin_edge", row), heads), w["att_edge"][0])] for row in g.attr]
    m = reduced(g, [(d, t[k]) for s, d, k in edges if s != d], "mean", heads)
    scores = [[leaky(dot(z[s][h], w["att_src"][0][h]) + dot(z[d][h], w["att_dst"][0][h]) + (t[k] if k is not None else m[d])[h])
               for h in range(heads)] for s, d, k in edges]
    y = attend(g, edges, scores, [z[s] for s, _, _ in edges])
    return [plus(mean(row), linear(w, "res", x), w["bias"]) for row, x in zip(y, g.x)]


def gatv2(g, w, heads=2):
    edges = new_loops(g)
    left, right = ([cut(linear(w, name, row), heads) for row in g.x] for name in ("lin_l", "lin_r"))
    t = [linear(w, "lin_edge", row) for row in g.attr]
    m = reduced(g, [(d, t[k]) for s, d, k in edges if s != d], "mean", len(t[0]))
    scores = [[dot([leaky(v) for v in plus(left[s][h], right[d][h], cut(t[k] if k is not None else m[d], heads)[h])], w["att"][0][h])
               for h in range(heads)] for s, d, k in edges]
    return [plus(joined(row), w["bias"]) for row in attend(g, edges, scores, [left[s] for s, _, _ in edges])]


def transformer(g, w, heads=2):
    q, k, v = ([cut(linear(w, f"lin_{name}", row), heads) for row in g.x] for name in ("query", "key", "value"))
    size = len(q[0][0])
    scores = [[dot(q[d][h], k[s][h]) / math.sqrt(size) for h in range(heads)] for s, d in g.edges]
    y = attend(g, stored(g), scores, [v[s] for s, _ in g.edges])
    return [plus(mean(row), linear(w, "lin_skip", x)) for row, x in zip(y, g.x)]


def super_gat_sd(g, w, heads=2):
    edges = new_loops(g)
    z = [cut(linear(w, "lin", row), heads) for row in g.x]
    scores = [[leaky(dot(z[s][h], z[d][h]) / math.sqrt(len(z[0][0]))) for h in range(heads)] for s, d, _ in edges]
    return [plus(mean(row), w["bias"]) for row in attend(g, edges, scores, [z[s] for s, _, _ in edges])]


def general(g, w, heads=2):
    """You et al. 2020 with messages of both ends and attention by dot products."""
    def message(s, d, k):
        return cut(plus(linear(w, "lin_msg", g.x[s]), linear(w, "lin_msg_i", g.x[d]), linear(w, "lin_edge", g.attr[k])), heads)
    edges = stored(g)
    there, back = [message(s, d, k) for s, d, k in edges], [message(d, s, k) for s, d, k in edges]
    scores = [[leaky(dot(a[h], b[h]) / math.sqrt(len(a[0]))) for h in range(heads)] for a, b in zip(there, back)]
    return [plus(mean(row), x) for row, x in zip(attend(g, edges, scores, there), g.x)]


def rgat(g, w, heads=2, multiply=False, mod=None):
    """Busbridge et al. 2019 with PyTorch Geometric's weights; mod changes the attention."""
    size = len(w["weight"][0][0]) // heads
    edges, scores, values = stored(g), [], []
    degree = [sum(1 for _, d in g.edges if d == n) for n in range(g.count)]
    for s, d, k in edges:
        matrix = transposed(w["weight"][g.type[k]])
        q, z = apply(transposed(w["q"]), apply(matrix, g.x[d])), apply(matrix, g.x[s])
        key = apply(transposed(w["k"]), z)
        scores.append(product(q, key) if multiply else [leaky(v) for v in plus(q, key)])
        values.append(cut(z, heads))
    if mod is None:
        y = attend(g, edges, scores, values)
        return [plus(joined(row), w["bias"]) for row in y]
    y = [[0.0] * (heads * size) for _ in range(g.count)]
    a = list(zip(*(softmax(edges, column) for column in zip(*scores, strict=True)), strict=True))
    for (_, d, _), weights, z in zip(edges, a, values):
        if mod == "additive":
            m = [plus(times(v, row), product(w["w"], row)) for v, row in zip(weights, z)]
        elif mod == "scaled":
            hidden = [max(degree[d] * p + q, 0) for p, q in zip(w["l1"][0], w["b1"][0])]
            scale = plus(apply(transposed(w["l2"]), hidden), w["b2"][0])
            m = [product(scale, times(v, row)) for v, row in zip(weights, z)]
        else:
            m = [times(v * degree[d] if mod == "f-scaled" else v + 1, row) for v, row in zip(weights, z)]
        y[d] = plus(y[d], joined(m))
    return [plus(row, w["bias"]) for row in y]


def mf(g, w):
    m, y = reduced(g, [(d, g.x[s]) for s, d in g.edges], "sum", g.width), []
    for n, x in enumerate(g.x):
        k = min(sum(1 for _, d in g.edges if d == n), 2)
        y.append(plus(linear(w, f"lins_l.{k}", m[n]), linear(w, f"lins_r.{k}", x)))
    return y


def hypergraph(g, w, heads=2, by_node=True):
    """Bai et al. 2021, where every node is a hyperedge, too: edges lead from members to hyperedges; the weights are the first x0."""
    z = [cut(linear(w, "lin", row), heads) for row in g.x]
    scores = [[leaky(dot(z[s][h] + z[d][h], w["att"][0][h])) for h in range(heads)] for s, d in g.edges]
    key = (lambda e: e[1]) if by_node else (lambda e: e[0])
    a = list(zip(*(softmax(stored(g), column, key) for column in zip(*scores)), strict=True))
    rows = [joined(times(v, part) for v, part in zip(a[k], z[s])) for s, _, k in stored(g)]
    middle = [cut(row, heads) for row in reduced(g, [(d, row) for (_, d), row in zip(g.edges, rows)], "mean", len(rows[0]))]
    y = []
    for n in range(g.count):
        out = [(d, k) for s, d, k in stored(g) if s == n]
        total, row = sum(abs(g.x0[d][0]) for d, _ in out), [0.0] * len(rows[0])
        for d, k in out:
            row = plus(row, joined(times(v, part) for v, part in zip(a[k], middle[d])))
        y.append(plus(times(1 / total if total else 0.0, row), w["bias"]))
    return y


def nn_conv(g, w):
    out = len(w["bias"])
    messages = [(d, apply(transposed(cut(mlp(w, "nn", g.attr[k]), len(g.x[s]))), g.x[s])) for s, d, k in stored(g)]
    return [plus(m, linear(w, "lin", x), w["bias"]) for m, x in zip(reduced(g, messages, "mean", out), g.x)]


def cg(g, w):
    def softplus(v):
        return math.log1p(math.exp(v))
    messages = []
    for s, d in g.edges:
        z = g.x[d] + g.x[s]
        messages.append((d, [sigmoid(a) * softplus(b) for a, b in zip(linear(w, "lin_f", z), linear(w, "lin_s", z))]))
    return [plus(x, m) for x, m in zip(g.x, reduced(g, messages, "sum", g.width))]


def gine(g, w):
    m = reduced(g, [(d, [max(v, 0) for v in plus(g.x[s], g.wide[k])]) for s, d, k in stored(g)], "sum", g.width)
    return [mlp(w, "nn", plus(times(1 + w["eps"][0], x), a)) for x, a in zip(g.x, m)]


def point_transformer(g, w):
    edges, out, scores, values = new_loops(g), len(w["lin.weight"]), [], []
    for s, d, _ in edges:
        delta = linear(w, "pos_nn", minus(g.pos[d], g.pos[s]))
        scores.append(plus(minus(linear(w, "lin_dst", g.x[d]), linear(w, "lin_src", g.x[s])), delta))
        values.append([[v] for v in plus(linear(w, "lin", g.x[s]), delta)])
    return [joined(row)[:out] for row in attend(g, edges, scores, values)]


def deviation(rows, size):
    """The standard deviation of each column, 0 where the variance is at most 1e-5."""
    if not rows:
        return [0.0] * size
    variances = [sum(v * v for v in c) / len(c) - (sum(c) / len(c)) ** 2 for c in zip(*rows, strict=True)]
    return [math.sqrt(v) if v > 1e-5 else 0.0 for v in variances]


def pna(g, w, towers=2, edges=False):
    """Corso et al. 2020; with `edges` each tower has a part of the columns, and the attributes of edges take part."""
    y, size = [[] for _ in range(g.count)], g.width // towers if edges else g.width
    for t in range(towers):
        h = [cut(row, towers)[t] for row in g.x] if edges else g.x
        messages = [(d, linear(w, f"pre_nns.{t}.0", h[d] + h[s] + (linear(w, "edge_encoder", g.attr[k]) if edges else []))) for s, d, k in stored(g)]
        parts = [reduced(g, messages, how, size) for how in ("mean", "min", "max")]
        parts.append([deviation(rows, size) for rows in gathered(g, messages)])
        log = w["aggr_module.avg_deg_log"][0]
        for n, x in enumerate(h):
            v, degree = joined(part[n] for part in parts), sum(1 for _, d in g.edges if d == n)
            scaled = v + times(math.log(degree + 1) / log, v) + times(log / math.log(max(degree, 1) + 1), v)
            y[n] += linear(w, f"post_nns.{t}.0", x + scaled)
    return [linear(w, "lin", row) for row in y]


def gen_power(g, w):
    """Li et al. 2020 with power mean aggregation and layer normalisation."""
    p, y = w["aggr_module.p"][0], []
    into = gathered(g, [(d, [max(v, 0) + 1e-7 for v in g.x[s]]) for s, d in g.edges])
    for rows, x in zip(into, g.x):
        m = [(sum(v ** p for v in c) / len(c)) ** (1 / p) for c in zip(*rows, strict=True)] if rows else [0.0] * g.width
        h = linear(w, "mlp.0", plus(m, x))
        h = plus(product(layer_normalized(h), w["mlp.1.weight"]), w["mlp.1.bias"])
        y.append(linear(w, "mlp.4", [max(v, 0) for v in h]))
    return y


def gen_norm(g, w):
    """Li et al. 2020 with maxima, message normalisation and batch normalisation."""
    messages = [(d, [max(v, 0) + 1e-7 for v in plus(linear(w, "lin_src", g.x[s]), linear(w, "lin_edge", g.attr[k]))]) for s, d, k in stored(g)]
    y = []
    for m, x in zip(reduced(g, messages, "max", 2), g.x):
        u = times(w["msg_norm.scale"][0] * norm(x) / max(norm(m), 1e-12), m)
        h = minus(linear(w, "mlp.0", plus(u, linear(w, "lin_dst", x))), w["mlp.1.running_mean"])
        h = [v / math.sqrt(q + 1e-5) for v, q in zip(h, w["mlp.1.running_var"])]
        h = plus(product(h, w["mlp.1.weight"]), w["mlp.1.bias"])
        y.append(linear(w, "mlp.4", [max(v, 0) for v in h]))
    return y


def losses(g, _):
    """Two cross entropies, a binary one, a squared error with weights, and the loss of links, in every row."""
    def binary(x, y):
        return -y * math.log(1 / (1 + math.exp(-x))) - (1 - y) * math.log(1 - 1 / (1 + math.exp(-x)))

    def average(rows, weights):
        return sum(w * sum(row) / len(row) for w, row in zip(weights, rows)) / sum(weights)
    picked = [[math.log(sum(math.exp(v) for v in row)) - row[other.index(max(other))]] for row, other in zip(g.x, g.x0)]
    pairs = [list(zip(row, other)) for row, other in zip(g.x, g.x0)]
    all_rows = [1] * g.count
    first = average(picked, all_rows) + average(picked, [row[0] > 0 for row in g.x0])
    second = average([[binary(a, b) for a, b in row] for row in pairs], all_rows)
    third = average([[(a - b)**2 for a, b in row] for row in pairs], [abs(row[1]) for row in g.x0])
    links = [[binary(dot(g.x[s], g.x[d]), w)] for (s, d), w in zip(g.edges, g.weight)]
    return [[first, second, third, average(links, [1] * len(links))]] * g.count


def pools(g, _):
    return [*(sum(c) for c in zip(*g.x)), *mean(g.x), *(max(c) for c in zip(*g.x))]


def reductions(g, _):
    messages = [(d, g.x[s]) for s, d in g.edges]
    parts = [reduced(g, messages, how, g.width) for how in ("sum", "mean", "max", "min")]
    squares = reduced(g, [(d, product(row, row)) for d, row in messages], "mean", g.width)
    parts.append([minus(a, product(b, b)) for a, b in zip(squares, parts[1])])
    return [joined(rows) for rows in zip(*parts)]


def lstm_cell(g, w):
    return [joined(lstm(w, "cell.", *rows)) for rows in zip(g.x, g.x0, g.im)]


def layer_normalized(row):
    middle = sum(row) / len(row)
    d = [v - middle for v in row]
    return times(1 / math.sqrt(dot(d, d) / len(d) + 1e-5), d)


def edge_cnn(g, w):
    def nn(row):
        return linear(w, "nn.lins.1", [max(v, 0) for v in linear(w, "nn.lins.0", row)])
    return reduced(g, [(d, nn(g.x[d] + minus(g.x[s], g.x[d]))) for s, d in g.edges], "max", len(w["nn.lins.1.bias"]))


def jumping_max(g, w):
    """Two layers of GraphSAGE, the maximum of both, a linear layer."""
    h, layers = g.x, []
    for k in range(2):
        m = reduced(g, [(d, h[s]) for s, d in g.edges], "mean", len(h[0]))
        h = [[max(v, 0) for v in plus(linear(w, f"convs.{k}.lin_l", a), linear(w, f"convs.{k}.lin_r", b))] for a, b in zip(m, h)]
        layers.append(h)
    return [linear(w, "lin", [max(pair) for pair in zip(a, b)]) for a, b in zip(*layers)]


def attention(g, w, heads=2, edges=None, name=""):
    """Vaswani et al. 2017 over the edges into each node."""
    edges, size = edges or stored(g), g.width // heads
    q, k, v = zip(*(cut(plus(apply(w[f"{name}in_proj_weight"], row), w[f"{name}in_proj_bias"]), 3) for row in g.x), strict=True)
    scores = [[dot(cut(q[d], heads)[h], cut(k[s], heads)[h]) / math.sqrt(size) for h in range(heads)] for s, d, _ in edges]
    y = attend(g, edges, scores, [cut(v[s], heads) for s, _, _ in edges])
    return [linear(w, f"{name}out_proj", joined(row)) for row in y]


def gps(g, w):
    """Rampasek et al. 2022 around GraphConv; the pairs are the edges with a new loop at each node."""
    def normed(name, row):
        shifted = minus(row, w[f"{name}.module.running_mean"])
        scaled = [v / math.sqrt(q + 1e-5) for v, q in zip(shifted, w[f"{name}.module.running_var"])]
        return plus(product(scaled, w[f"{name}.module.weight"]), w[f"{name}.module.bias"])
    sums, y = reduced(g, [(d, g.x[s]) for s, d in g.edges], "sum", g.width), []
    for m, a, x in zip(sums, attention(g, w, 2, new_loops(g), "attn."), g.x):
        c = plus(linear(w, "conv.lin_rel", m), linear(w, "conv.lin_root", x), x)
        h = plus(normed("norm1", c), normed("norm2", plus(a, x)))
        y.append(normed("norm3", plus(h, linear(w, "mlp.3", [max(v, 0) for v in linear(w, "mlp.0", h)]))))
    return y


def signed(g, w, first=True):
    """Derr et al. 2018; the negative graph is the reverse of the positive one."""
    def means(rows, edges):
        return reduced(g, [(d, rows[s]) for s, d in edges], "mean", len(rows[0]))
    a, b = (g.x, g.x) if first else ([row[:2] for row in g.x], [row[2:] for row in g.x])
    back = [(d, s) for s, d in g.edges]
    u, v = means(a, g.edges), means(b, back)
    if not first:
        u, v = ([p + q for p, q in zip(*pair)] for pair in ((u, v), (means(b, g.edges), means(a, back))))
    return [plus(linear(w, "lin_pos_l", p), linear(w, "lin_pos_r", x)) + plus(linear(w, "lin_neg_l", n), linear(w, "lin_neg_r", z))
            for p, n, x, z in zip(u, v, a, b)]


def lstm(w, name, x, h, c, end=""):
    a, b = (apply(w[f"{name}weight_{k}{end}"], row, w[f"{name}bias_{k}{end}"]) for k, row in (("ih", x), ("hh", h)))
    i, f, n, o = cut(plus(a, b), 4)
    c = [sigmoid(p) * q + sigmoid(r) * math.tanh(s) for p, q, r, s in zip(f, c, i, n)]
    return [sigmoid(p) * math.tanh(q) for p, q in zip(o, c)], c


def jumping_lstm(g, w):
    """Three layers of GraphSAGE, and attention by an LSTM in both directions."""
    h, layers, y = g.x, [], []
    for k in range(3):
        m = reduced(g, [(d, h[s]) for s, d in g.edges], "mean", len(h[0]))
        h = [[max(v, 0) for v in plus(linear(w, f"convs.{k}.lin_l", a), linear(w, f"convs.{k}.lin_r", b))] for a, b in zip(m, h)]
        layers.append(h)
    for rows in zip(*layers):
        size = len(w["jk.att.weight"][0]) // 2
        outputs = []
        for end, order in (("_l0", range(3)), ("_l0_reverse", range(2, -1, -1))):
            state, cell, seen = [0.0] * size, [0.0] * size, {}
            for k in order:
                state, cell = lstm(w, "jk.lstm.", rows[k], state, cell, end)
                seen[k] = state
            outputs.append(seen)
        scores = [linear(w, "jk.att", outputs[0][k] + outputs[1][k])[0] for k in range(3)]
        total = sum(math.exp(v) for v in scores)
        y.append(plus(*(times(math.exp(v) / total, row) for v, row in zip(scores, rows))))
    return y


# norms and decoders

def pair_norm(g, _):
    middle = mean(g.x)
    centered = [minus(row, middle) for row in g.x]
    return [times(0.5 / (1e-5 + norm(row)), row) for row in centered]


def rotate(g, w):
    y = []
    for s, d, k in stored(g):
        angles = w["rel_emb.weight"][g.type[k]]
        p = [math.cos(t) * a - math.sin(t) * b - c for t, a, b, c in zip(angles, g.x[s], g.im[s], g.x[d])]
        q = [math.cos(t) * b + math.sin(t) * a - c for t, a, b, c in zip(angles, g.x[s], g.im[s], g.im[d])]
        y.append(1 - math.sqrt(dot(p, p) + dot(q, q)))
    return y
