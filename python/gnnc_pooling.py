"""TopKPooling and SAGPooling: the nodes with the largest scores stay.

PyTorch Geometric numbers the nodes that stay anew. Here all nodes keep their rows; `m` is 1 at those that stay:

    let m = top_k(g, s, ratio = 0.8);
    let part = induced_subgraph(g, m);

Values of the nodes that stay are marked with m (gnnc_marks).
"""
import gnnc_layers
import gnnc_marks
import gnnc_ops
from gnnc_layers import bound, handler
from gnnc_marks import among, per_graph
from gnnc_ops import Refused
from gnnc_trace import Value, is_value


def norm(t, p):
    """The Euclidean norm of a weight with one row."""
    return t.call("sqrt", [t.call("dot", [p, p], p, ())], p, ())


def scores(t, m, attn):
    """What SelectTopK computes: a number per node."""
    p = t.reshape(m.select.weight, m.select.weight.dims[1:])
    s = t.call("dot", [attn, p], attn, ())
    if m.min_score is not None:
        return softmax(t, s)
    return m.select.act(gnnc_ops.divide(t, s, norm(t, p)))


def softmax(t, s):
    """Over the nodes of each graph."""
    top = at_nodes(t, per_graph(t, "max", s))
    e = t.call("exp", [gnnc_ops.subtract(t, s, top)], s)
    return gnnc_ops.divide(t, e, at_nodes(t, per_graph(t, "sum", e)))


def at_nodes(t, v):
    return Value(t, "at", [v, "graph"], "node", v.dims)


def stays(t, m, s, earlier):
    """1 at the nodes that stay."""
    if m.min_score is not None:
        least = t.call("min", [gnnc_ops.subtract(t, at_nodes(t, per_graph(t, "max", s)), 1e-7), m.min_score], s)
        made = gnnc_ops.binary(">")(t, s, least)
        return made if earlier is None else t.call("select", [earlier, made, 0], made)
    if not isinstance(m.ratio, (int, float)) or not 0 < m.ratio <= 1 << 24:
        raise Refused(f"ratio = {m.ratio}; expected a share between 0 and 1, a number of nodes, or min_score")
    options = [("ratio", m.ratio if m.ratio < 1 else int(m.ratio))] if m.ratio != 0.5 else []
    return t.layer(gnnc_marks.TOP_K, [t.graph, s] + options + ([("among", earlier)] if earlier is not None else []), None, "node", ())


@handler("TopKPooling", "SAGPooling")
def pooling(t, m, path, args, kwargs):
    """x, edge_index, edge_attr, batch, perm, score of the nodes that stay."""
    given = bound(m, args, kwargs)
    x, edges, edge_attr = given["x"], given["edge_index"], given["edge_attr"]
    if not is_value(edges) or edges.domain != "edges" or edges.weight is not None:
        raise Refused("the pooling of something that is no edge_index of the data")
    if not is_value(x) or x.domain != "node" or x.nodes is not None or len(x.dims) != 1:
        raise Refused("the pooling of something that is no row of numbers per node of a graph")
    if edge_attr is not None and (not is_value(edge_attr) or edge_attr.domain != "edge" or edge_attr.kind != "f32"):
        raise Refused("edge_attr of whole numbers, or with other rows than edges")
    if not hasattr(m, "select"):
        raise Refused("its weights have the names of PyTorch Geometric 2.3; expected 2.4 or later")
    gnnc_layers.check_batch(t, given["batch"])
    earlier = among(x)
    attn = x if given["attn"] is None else given["attn"]
    attn = t.reshape(attn, (1,)) if not attn.dims else attn
    attn = m.gnn(attn, edges) if hasattr(m, "gnn") else attn
    s = scores(t, m, attn)
    mark = stays(t, m, s, earlier)
    y = gnnc_ops.multiply(t, x, t.reshape(s, (1,)))
    y = gnnc_ops.multiply(t, y, m.multiplier) if m.multiplier != 1 else y
    y, score = (t.call("select", [mark, v, 0], v) for v in (y, s))
    part = Value(t, "edges", ["induced_subgraph", edges, mark], "edges")
    if edge_attr is not None:
        edge_attr = Value(t, "call", ["extend_edges", part, edge_attr], "edge", edge_attr.dims, part)
    batch, perm = (Value(t, "index", role, "index", kind="i32") for role in (["batch"], ["perm", earlier]))
    for v, word in ((mark, "stays"), (y, ""), (part, "part")):
        v.file_name = f"{path}.{word}".strip(".")            # what it is called
    for v in (y, score, part, edge_attr, batch, perm):
        if v is not None:
            v.among = mark
    return y, part, edge_attr, batch, perm, score
