"""Operators over relations between nodes of several types, written out in plain Python: the expected numbers of hetero.py.

A function of one relation takes the rows of both ends, the edges, the weights, and the number of destinations; it gives the rows of the destinations.
"""
import math

from tiny_graph import (apply, attend, cut, dot, gcn_edges, joined, leaky, linear, mean, minus, mlp, new_loops, plus, product, sigmoid, softmax, spread,
                        times, transposed)


class Bipartite:
    """One relation, as the functions of tiny_graph see a graph."""

    def __init__(self, edges, count):
        self.edges, self.count = edges, count

    def numbered(self):
        return [(s, d, k) for k, (s, d) in enumerate(self.edges)]


def reduced(edges, count, messages, how, size):
    """sum, mean, max or min of the messages into each destination; 0 where there are none."""
    ways = {"sum": sum, "mean": lambda c: sum(c) / len(c), "max": max, "min": min}
    into = [[m for (_, d), m in zip(edges, messages) if d == n] for n in range(count)]
    return [[ways[how](column) for column in zip(*rows, strict=True)] if rows else [0.0] * size for rows in into]


def sage(src, dst, edges, w, how="mean"):
    m = reduced(edges, len(dst), [src[s] for s, _ in edges], how, len(src[0]))
    return [plus(linear(w, "lin_l", a), linear(w, "lin_r", x)) for a, x in zip(m, dst)]


def sage_options(src, dst, edges, w):
    y = sage([[max(v, 0) for v in linear(w, "lin", x)] for x in src], dst, edges, w, "max")
    return [times(1 / max(math.sqrt(dot(row, row)), 1e-12), row) for row in y]


def graph_conv(src, dst, edges, w):
    m = reduced(edges, len(dst), [src[s] for s, _ in edges], "max", len(src[0]))
    return [plus(linear(w, "lin_rel", a), linear(w, "lin_root", x)) for a, x in zip(m, dst)]


def gat(src, dst, edges, w, heads=2):
    g = Bipartite(edges, len(dst))
    z, t = [cut(linear(w, "lin_src", x), heads) for x in src], [cut(linear(w, "lin_dst", x), heads) for x in dst]
    scores = [[leaky(dot(z[s][h], w["att_src"][0][h]) + dot(t[d][h], w["att_dst"][0][h])) for h in range(heads)] for s, d in edges]
    y = attend(g, g.numbered(), scores, [z[s] for s, _ in edges])
    return [plus(mean(row), linear(w, "res", x), w["bias"]) for row, x in zip(y, dst)]


def gatv2(src, dst, edges, w, heads=2):
    g = Bipartite(edges, len(dst))
    left, right = [cut(linear(w, "lin_l", x), heads) for x in src], [cut(linear(w, "lin_r", x), heads) for x in dst]
    scores = [[dot([leaky(v) for v in plus(left[s][h], right[d][h])], w["att"][0][h]) for h in range(heads)] for s, d in edges]
    return [plus(joined(row), w["bias"]) for row in attend(g, g.numbered(), scores, [left[s] for s, _ in edges])]


def transformer(src, dst, edges, w, heads=2):
    g = Bipartite(edges, len(dst))
    q = [cut(linear(w, "lin_query", x), heads) for x in dst]
    k, v = ([cut(linear(w, f"lin_{name}", x), heads) for x in src] for name in ("key", "value"))
    scores = [[dot(q[d][h], k[s][h]) / math.sqrt(len(q[0][0])) for h in range(heads)] for s, d in edges]
    rows = []
    for m, x in zip(attend(g, g.numbered(), scores, [v[s] for s, _ in edges]), dst):
        m, r = joined(m), linear(w, "lin_skip", x)
        c = sigmoid(linear(w, "lin_beta", [*m, *r, *minus(m, r)])[0])
        rows.append(plus(times(c, r), times(1 - c, m)))
    return rows


def gin(src, dst, edges, w):
    m = reduced(edges, len(dst), [src[s] for s, _ in edges], "sum", len(src[0]))
    return [mlp(w, "nn", plus(times(1 + w["eps"][0], x), a)) for x, a in zip(dst, m)]


def edge_conv(src, dst, edges, w):
    return reduced(edges, len(dst), [mlp(w, "nn", [*dst[d], *minus(src[s], dst[d])]) for s, d in edges], "max", 3)


def simple(src, dst, edges, w):
    m = reduced(edges, len(dst), [src[s] for s, _ in edges], "mean", len(src[0]))
    return [[*x, *a] for x, a in zip(dst, m)]


def cg(src, dst, edges, w):
    z = [[*dst[d], *src[s]] for s, d in edges]
    gates, values = ([linear(w, name, row) for row in z] for name in ("lin_f", "lin_s"))
    m = [product([sigmoid(v) for v in a], [math.log1p(math.exp(v)) for v in b]) for a, b in zip(gates, values)]
    return [plus(x, a) for x, a in zip(dst, reduced(edges, len(dst), m, "sum", len(dst[0])))]


def gated(src, dst, edges, w):
    k = [linear(w, "lin_key", x) for x in dst]
    q, v = ([linear(w, f"lin_{name}", x) for x in src] for name in ("query", "value"))
    m = [product([sigmoid(c) for c in plus(k[d], q[s])], v[s]) for s, d in edges]
    y = reduced(edges, len(dst), m, "sum", len(v[0]))
    return [plus(a, w["bias"], linear(w, "lin_skip", x)) for a, x in zip(y, dst)]


def le(src, dst, edges, w):
    m = [minus(linear(w, "lin1", src[s]), linear(w, "lin2", dst[d])) for s, d in edges]
    return [plus(a, linear(w, "lin3", x)) for a, x in zip(reduced(edges, len(dst), m, "sum", 3), dst)]


def ends(src, dst, edges):
    """Attributes of edges that the cases make from both ends, between 0 and 1."""
    return [[abs(src[s][0]), abs(dst[d][1])] for s, d in edges]


def gine(src, dst, edges, w):
    m = [[max(v, 0) for v in plus(src[s], linear(w, "lin", a))] for (s, _), a in zip(edges, ends(src, dst, edges))]
    return [mlp(w, "nn", plus(times(1 + w["eps"][0], x), a)) for x, a in zip(dst, reduced(edges, len(dst), m, "sum", len(src[0])))]


def nn_conv(src, dst, edges, w):
    m = [apply(transposed(cut(mlp(w, "nn", a), len(src[s]))), src[s]) for (s, _), a in zip(edges, ends(src, dst, edges))]
    return rooted(reduced(edges, len(dst), m, "sum", len(w["bias"])), dst, w, "lin")


def rooted(rows, dst, w, name):
    return [plus(row, linear(w, name, x), w["bias"]) for row, x in zip(rows, dst)]


def general(src, dst, edges, w, heads=2, has_dot=False):
    """Attention by a vector; has_dot: messages of both ends, attention by dot products."""
    g, z = Bipartite(edges, len(dst)), [linear(w, "lin_msg", x) for x in src]
    if has_dot:
        there = [cut(plus(z[s], linear(w, "lin_msg_i", dst[d])), heads) for s, d in edges]
        back = [cut(plus(linear(w, "lin_msg", dst[d]), linear(w, "lin_msg_i", src[s])), heads) for s, d in edges]
        scores = [[leaky(dot(p, q) / math.sqrt(len(p))) for p, q in zip(a, b)] for a, b in zip(there, back)]
    else:
        there = [cut(z[s], heads) for s, _ in edges]
        scores = [[leaky(dot(p, q)) for p, q in zip(a, w["att_msg"][0])] for a in there]
    return [plus(mean(row), linear(w, "lin_self", x)) for row, x in zip(attend(g, g.numbered(), scores, there), dst)]


def feast(src, dst, edges, w, heads=2):
    """Verma et al. 2018, equation 3."""
    m = []
    for s, d in edges:
        scores = plus(linear(w, "u", minus(src[s], dst[d])), w["c"])
        total = sum(math.exp(v) for v in scores)
        m.append(plus(*(times(math.exp(v) / total, row) for v, row in zip(scores, cut(linear(w, "lin", src[s]), heads)))))
    return [plus(row, w["bias"]) for row in reduced(edges, len(dst), m, "mean", len(w["bias"]))]


def gmm(src, dst, edges, w):
    """Monti et al. 2017, equation 11."""
    m = []
    for (s, _), a in zip(edges, ends(src, dst, edges)):
        weights = [math.exp(-sum((v - p) ** 2 / (1e-15 + q * q) for v, p, q in zip(a, mu, sigma)) / 2) for mu, sigma in zip(w["mu"], w["sigma"])]
        m.append(plus(*(times(c, row) for c, row in zip(weights, cut(apply(transposed(w["g"]), src[s]), len(weights))))))
    return rooted(reduced(edges, len(dst), m, "mean", len(w["bias"])), dst, w, "root")


def spline(src, dst, edges, w, kernels=3):
    """Fey et al. 2018 with open linear splines in two dimensions."""
    m = []
    for (s, _), (u, v) in zip(edges, ends(src, dst, edges)):
        hats = [[max(0.0, 1 - abs(c * (kernels - 1) - k)) for k in range(kernels)] for c in (u, v)]
        m.append(plus(*(times(a * b, apply(transposed(w["weight"][i + kernels * j]), src[s])) for i, a in enumerate(hats[0]) for j, b in enumerate(hats[1]))))
    return rooted(reduced(edges, len(dst), m, "mean", len(w["bias"])), dst, w, "lin")


def mf(src, dst, edges, w):
    y = []
    for n, (m, x) in enumerate(zip(reduced(edges, len(dst), [src[s] for s, _ in edges], "sum", len(src[0])), dst)):
        k = min(sum(1 for _, d in edges if d == n), 2)
        y.append(plus(linear(w, f"lins_l.{k}", m), linear(w, f"lins_r.{k}", x)))
    return y


def film(src, dst, edges, w):
    """Brockschmidt 2020, equation 5, with relu and a connection of the node to itself."""
    def modulated(name, x, row):
        beta, gamma = cut(linear(w, name, x), 2)
        return [max(v, 0) for v in plus(product(gamma, row), beta)]
    m = [modulated("films.0", dst[d], linear(w, "lins.0", src[s])) for s, d in edges]
    own = [modulated("film_skip", x, linear(w, "lin_skip", x)) for x in dst]
    return [plus(a, b) for a, b in zip(own, reduced(edges, len(dst), m, "mean", len(own[0])))]


def gen(src, dst, edges, w):
    """Li et al. 2020 with a softmax of each feature, message normalisation and batch normalisation."""
    g, y = Bipartite(edges, len(dst)), []
    h = [linear(w, "lin_src", x) for x in src] if "lin_src.weight" in w else src
    m = [[max(v, 0) + 1e-7 for v in h[s]] for s, _ in edges]
    for row, x in zip(attend(g, g.numbered(), m, [[[v] for v in row] for row in m]), dst):
        u = times(w["msg_norm.scale"][0] * math.sqrt(dot(x, x)) / max(math.sqrt(dot(joined(row), joined(row))), 1e-12), joined(row))
        z = linear(w, "mlp.0", plus(u, linear(w, "lin_dst", x) if "lin_dst.weight" in w else x))
        z = [v / math.sqrt(q + 1e-5) for v, q in zip(minus(z, w["mlp.1.running_mean"]), w["mlp.1.running_var"])]
        z = plus(product(z, w["mlp.1.weight"]), w["mlp.1.bias"])
        y.append(linear(w, "mlp.4", [max(v, 0) for v in z]))
    return y


def wl_continuous(src, dst, edges, _):
    return [times(0.5, plus(x, m)) for x, m in zip(dst, reduced(edges, len(dst), [src[s] for s, _ in edges], "mean", len(src[0])))]


def point_net(src, dst, edges, w):
    """With places that are the features."""
    m = [mlp(w, "local_nn", [*src[s], *minus(src[s], dst[d])]) for s, d in edges]
    return [mlp(w, "global_nn", row) for row in reduced(edges, len(dst), m, "max", 3)]


def ppf(src, dst, edges, w):
    """With places and normals of columns of the features."""
    def angle(a, b):
        cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        return math.atan2(math.sqrt(dot(cross, cross)), dot(a, b))
    m = []
    for s, d in edges:
        v, i, j = minus(src[s][:3], dst[d][:3]), dst[d][1:4], src[s][1:4]
        m.append(mlp(w, "local_nn", [*src[s], math.sqrt(dot(v, v)), angle(i, v), angle(j, v), angle(i, j)]))
    return [mlp(w, "global_nn", row) for row in reduced(edges, len(dst), m, "max", 3)]


def point_transformer(src, dst, edges, w):
    """With places of columns of the features."""
    g, scores, values = Bipartite(edges, len(dst)), [], []
    for s, d in edges:
        delta = linear(w, "pos_nn", minus(dst[d][:3], src[s][:3]))
        scores.append(plus(minus(linear(w, "lin_dst", dst[d]), linear(w, "lin_src", src[s])), delta))
        values.append([[v] for v in plus(linear(w, "lin", src[s]), delta)])
    return [joined(row) for row in attend(g, g.numbered(), scores, values)]


def within(w, prefix):
    return {name.removeprefix(prefix): v for name, v in w.items() if name.startswith(prefix)}


def hetero(conv, aggr="sum", fields="x", form="convs.<{}___{}___{}>."):
    """HeteroConv of one function of a relation."""
    def formula(g, w):
        into, x = {}, getattr(g, fields)
        for (src, name, dst), edges in g.relations.items():
            into.setdefault(dst, []).append(conv(x[src], x[dst], edges, within(w, form.format(src, name, dst))))
        ways = {"sum": lambda *rows: plus(*rows), "mean": lambda *rows: mean(rows), "max": lambda *rows: [max(c) for c in zip(*rows)],
                "min": lambda *rows: [min(c) for c in zip(*rows)], "concat": lambda *rows: joined(rows)}
        return {kind: [ways[aggr](*rows) for rows in zip(*results, strict=True)] for kind, results in into.items()}
    return formula


def stacked(g, w):
    """HeteroConv of SAGEConv without aggregation: a row for each relation, here the transpose of these rows."""
    sizes = {kind: len(rows[0]) // 3 for kind, rows in hetero(sage, "concat")(g, w).items()}
    return {kind: [joined(transposed(cut(row, sizes[kind]))) for row in rows] for kind, rows in hetero(sage, "concat")(g, w).items()}


def gcn_of_papers(g, w):
    """GCNConv of the relation between papers: it adds self loops to papers."""
    b = Bipartite(g.relations["paper", "cites", "paper"], len(g.x["paper"]))
    y = spread(b, gcn_edges(b), [linear(w, "lin", row) for row in g.x["paper"]])
    return {"paper": [plus(row, w["bias"]) for row in y]}


def gat_of_papers(g, w, heads=2):
    b = Bipartite(g.relations["paper", "cites", "paper"], len(g.x["paper"]))
    edges, z = new_loops(b), [cut(linear(w, "lin", x), heads) for x in g.x["paper"]]
    scores = [[leaky(dot(z[s][h], w["att_src"][0][h]) + dot(z[d][h], w["att_dst"][0][h])) for h in range(heads)] for s, d, _ in edges]
    return {"paper": [plus(joined(row), w["bias"]) for row in attend(b, edges, scores, [z[s] for s, _, _ in edges])]}


def dict_linear(g, w):
    return {kind: [linear(w, f"lins.{kind}", row) for row in rows] for kind, rows in g.x.items()}


def stacked_linear(g, w):
    """HeteroLinear: [types, in, out]."""
    result = {}
    for number, (kind, rows) in enumerate(g.z.items()):
        result[kind] = [plus(apply([list(c) for c in zip(*w["weight"][number])], row), w["bias"][number]) for row in rows]
    return result


def han(g, w, heads=2):
    """Wang et al. 2019, equations 2 to 10."""
    z = {kind: [cut(linear(w, f"proj.{kind}", row), heads) for row in rows] for kind, rows in g.x.items()}
    into = {}
    for (src, name, dst), edges in g.relations.items():
        u, v = (w[f"lin_{end}.{src}__{name}__{dst}"][0] for end in ("src", "dst"))
        scores = [[leaky(dot(z[src][s][h], u[h]) + dot(z[dst][d][h], v[h])) for h in range(heads)] for s, d in edges]
        b = Bipartite(edges, len(z[dst]))
        rows = [[max(c, 0) for c in joined(row)] for row in attend(b, b.numbered(), scores, [z[src][s] for s, _ in edges])]
        into.setdefault(dst, []).append(rows)
    result = {}
    for kind, results in into.items():
        scores = [mean([[dot(w["q"][0], [math.tanh(c) for c in linear(w, "k_lin", row)])] for row in rows])[0] for rows in results]
        total = sum(math.exp(s) for s in scores)
        result[kind] = [plus(*(times(math.exp(s) / total, row) for s, row in zip(scores, rows))) for rows in zip(*results, strict=True)]
    return result


def hgt(g, w, heads=2, out=4):
    """Hu et al. 2020, equations 3 to 5: one softmax over the edges of all relations into a node."""
    size, count = out // heads, len(g.relations)
    parts = {kind: [cut(linear(w, f"kqv_lin.lins.{kind}", row), 3) for row in rows] for kind, rows in g.x.items()}
    heads_of = {kind: [[cut(p, heads) for p in row] for row in rows] for kind, rows in parts.items()}
    into = {}
    for i, ((src, name, dst), edges) in enumerate(g.relations.items()):
        for s, d in edges:
            (k, _, v), (_, q, _) = heads_of[src][s], heads_of[dst][d]
            for h in range(heads):
                a, m = ([list(c) for c in zip(*w[f"{part}_rel.weight"][h * count + i])] for part in "kv")
                score = dot(q[h], apply(a, k[h])) * w[f"p_rel.{src}__{name}__{dst}"][0][h] / math.sqrt(size)
                into.setdefault(dst, []).append(((d, h), score, apply(m, v[h])))
    result = {}
    for kind, messages in into.items():
        weights = softmax([key for key, _, _ in messages], [score for _, score, _ in messages], key=lambda k: k)
        o = [[[0.0] * size for _ in range(heads)] for _ in g.x[kind]]
        for a, ((d, h), _, v) in zip(weights, messages):
            o[d][h] = plus(o[d][h], times(a, v))
        rows = []
        for row, x in zip(o, g.x[kind]):
            y = linear(w, f"out_lin.lins.{kind}", [c * 0.5 * (1 + math.erf(c / math.sqrt(2))) for c in joined(row)])
            s = sigmoid(w[f"skip.{kind}"][0])
            rows.append(plus(times(s, y), times(1 - s, x)) if len(x) == out else y)
        result[kind] = rows
    return result
