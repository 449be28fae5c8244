"""Aggregations that depend on an order, or are no plain reduction: MedianAggregation, LSTMAggregation, GRUAggregation, QuantileAggregation,
SortAggregation; and FusedAggregation, which is several in one. Over the edges into a node they are reductions or layers incoming_*; over each
graph of a batch, layers *_aggregation."""
import sys

import gnnc_layers
import gnnc_marks
import gnnc_shapes
from gnnc_layers import bound, handler
from gnnc_ops import Count, Refused
from gnnc_trace import is_value, resolved


def index_of(given):
    """Over what is aggregated: an end of the edges, or batch."""
    index = given["index"]
    if not is_value(index) or index.domain != "index":
        raise Refused("an aggregation over something that is neither an end of the edges nor batch")
    return index


@handler("MedianAggregation")
def median(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    return t.scattered(given["x"], index_of(given), "median")


@handler("LSTMAggregation", "GRUAggregation")
def recurrent(t, m, path, args, kwargs):
    """The last output of a recurrent network, behind the rows in their order."""
    given = bound(m, args, kwargs)
    x, index = given["x"], index_of(given)
    word = type(m).__name__[:-len("Aggregation")].lower()
    net = getattr(m, word)
    if net.num_layers != 1 or net.bidirectional or getattr(net, "proj_size", 0):
        raise Refused(f"num_layers = {net.num_layers}, bidirectional = {net.bidirectional}; one layer in one direction would do")
    if index.args[0] == "batch":
        gnnc_marks.check_every(x, f"{type(m).__name__}")
        if index.among is not None:
            raise Refused("the batch of the nodes that a pooling keeps")
        return t.layer(f"{word}_aggregation", [t.graph, x, net.hidden_size], path, "graph", (net.hidden_size,))
    if index.args[0] != "dst":
        raise Refused("an order of the edges out of a node")
    made = t.layer(f"incoming_{word}", [resolved(index.edges), x, net.hidden_size], path, "node", (net.hidden_size,))
    made.nodes = made.args[1].ends and made.args[1].ends[1]
    return made


def of_batch(t, x, index, what):
    """Refuses what is no aggregation of all nodes of each graph."""
    if not is_value(index) or index.domain != "index" or index.args[0] != "batch" or x.domain != "node":
        raise Refused(f"{what} over the edges at a node; those over the batch are there")
    if index.among is not None:
        raise Refused("the batch of the nodes that a pooling keeps")
    gnnc_marks.check_every(x, what)


@handler("SortAggregation")
def sort(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    return sorted_nodes(t, given["x"], given["index"], m.k)


def sorted_nodes(t, x, batch, k):
    of_batch(t, x, batch, "SortAggregation")
    return t.layer("sort_aggregation", [t.graph, x, k], None, "graph", (k * x.dims[-1],))


def global_sort_pool(t, x, batch, k):
    return sorted_nodes(t, x, batch, k)


@handler("QuantileAggregation")
def quantile(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    x = given["x"]
    of_batch(t, x, given["index"], "QuantileAggregation")
    if m.interpolation != "linear" or m.fill_value != 0.0:
        raise Refused(f"interpolation = '{m.interpolation}', fill_value = {m.fill_value}; 'linear' and 0.0 would do")
    shares = m._q if isinstance(m._q, (list, tuple)) else [m._q]
    shares = [q if abs(q - kept) < 1e-7 else kept for q, kept in zip(shares, m._buffers["q"].view(-1).tolist())]      # as the weights say
    parts = [t.layer("quantile_aggregation", [t.graph, x, float(q)], None, "graph", x.dims) for q in shares]
    return gnnc_shapes.cat(t, parts, -1)


@handler("FusedAggregation")
def fused(t, m, path, args, kwargs):
    """The results of its aggregations, one after the other."""
    given = bound(m, args, kwargs)
    size = Count("graph" if index_of(given).args[0] == "batch" else "node")
    kinds = sys.modules[type(m).__module__.rpartition(".")[0]]
    return [getattr(kinds, name)()(given["x"], given["index"], dim_size=size) for name in m.aggr_names]


gnnc_layers.REPLACED["torch_geometric.nn"]["global_sort_pool"] = global_sort_pool
