"""Graphs of near nodes, which a model makes while it runs: knn_graph, radius_graph, DynamicEdgeConv, XConv.

    conv = DynamicEdgeConv(nn, k=20)      let s = knn_graph(g, x, k = 20, loop = true);
    y = conv(x, batch)                    for e in s.edges { e.m = ...; }
"""
import gnnc_layers
import gnnc_marks
from gnnc_layers import bound, handler, one_of_pair
from gnnc_ops import Refused
from gnnc_trace import Value, is_value, resolved


def check_places(t, x, batch):
    """Refuses what has no near nodes in each graph of the batch; returns the mark of the nodes that a pooling keeps."""
    if not is_value(x) or x.domain != "node" or x.nodes is not None or x.lead or len(x.dims) != 1:
        raise Refused("near nodes of something that is no row of numbers per node")
    gnnc_layers.check_batch(t, batch)
    stays = gnnc_marks.among(x)
    if batch is not None and batch.among is not stays:
        raise Refused("places and a batch of different nodes: those that a pooling keeps, and others")
    return stays


def near(t, function, x, batch, **options):
    """The edge set that `function` makes of the places x, in each graph of the batch."""
    stays = check_places(t, x, batch)
    made = Value(t, "edges", [function, t.graph, x, *options.items()] + ([("among", stays)] if stays is not None else []), "edges")
    made.among = stays
    return made


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
    if check_places(t, pos, given["batch"]) is not None:
        raise Refused("near nodes among those that a pooling keeps, for XConv; DynamicEdgeConv would do")
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


def knn_interpolate(t, x, pos_x, pos_y, batch_x=None, batch_y=None, k=3, num_workers=1):
    """The values of nodes that a pooling leaves out, of near ones that it keeps."""
    known = check_places(t, pos_x, batch_x)
    before = check_places(t, pos_y, batch_y)
    place = resolved(pos_x)
    if known is None or gnnc_marks.among(x) is not known or known is before or place.args[:2] != ["select", known] or resolved(place.args[2]) is not resolved(pos_y):
        raise Refused("places other than pos[perm] of the nodes that a pooling keeps, and pos of the nodes before it")
    made = t.layer("knn_interpolate", [t.graph, x, pos_y, known] + ([("k", k)] if k != 3 else []), None, "node", x.dims)
    return gnnc_marks.marked(made, before)


gnnc_layers.REPLACED["torch_geometric.nn"].update({"knn_interpolate": knn_interpolate, "knn_graph": knn_graph, "radius_graph": radius_graph})
