"""Graphs of near nodes, which a model makes while it runs: knn_graph, radius_graph, DynamicEdgeConv, XConv.

    conv = DynamicEdgeConv(nn, k=20)      let s = knn_graph(g, x, k = 20, loop = true);
    y = conv(x, batch)                    for e in s.edges { e.m = ...; }
"""
import gnnc_layers
import gnnc_marks
from gnnc_layers import bound, handler, one_of_pair
from gnnc_ops import Refused
from gnnc_trace import Value, is_value


def check_places(t, x, batch):
    """Refuses what has no near nodes in each graph of the batch."""
    if not is_value(x) or x.domain != "node" or x.nodes is not None or x.lead or len(x.dims) != 1:
        raise Refused("near nodes of something that is no row of numbers per node")
    gnnc_layers.check_batch(t, batch)
    if gnnc_marks.among(x) is not None:
        raise Refused("near nodes among those that a pooling keeps: the nodes that it leaves out would be near, too")


def near(t, function, x, batch, **options):
    """The edge set that `function` makes of the places x, in each graph of the batch."""
    check_places(t, x, batch)
    return Value(t, "edges", [function, t.graph, x, *options.items()], "edges")


@handler("DynamicEdgeConv")
def dynamic_edge_conv(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    x, batch = one_of_pair(given["x"]), one_of_pair(given["batch"])
    edges = near(t, "knn_graph", x, batch, k=m.k, loop=True)
    gnnc_layers.walk_messages(t, m)
    return m.propagate(edges, x=(x, x))


@handler("XConv")
def x_conv(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    x, pos = (t.reshape(v, (1,)) if is_value(v) and not v.dims else v for v in (given["x"], given["pos"]))
    check_places(t, pos, given["batch"])
    operands = [t.graph, "none" if x is None else x, pos, m.out_channels, m.kernel_size, m.hidden_channels]
    return t.layer("x_conv", operands + ([("dilation", m.dilation)] if m.dilation != 1 else []), path, "node", (m.out_channels,))


def knn_graph(t, x, k, batch=None, loop=False, flow="source_to_target", cosine=False, num_workers=1, batch_size=None):
    if cosine or flow != "source_to_target":
        raise Refused("cosine, or another flow than source_to_target")
    return near(t, "knn_graph", x, batch, k=k, loop=loop)


def radius_graph(t, x, r, batch=None, loop=False, max_num_neighbors=32, flow="source_to_target", num_workers=1, batch_size=None):
    if flow != "source_to_target":
        raise Refused("another flow than source_to_target")
    return near(t, "radius_graph", x, batch, r=r, loop=loop, max_neighbours=max_num_neighbors)


gnnc_layers.REPLACED["torch_geometric.nn"].update({"knn_graph": knn_graph, "radius_graph": radius_graph})
