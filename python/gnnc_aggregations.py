"""Aggregations that depend on an order, or are no plain reduction: MedianAggregation, LSTMAggregation, GRUAggregation. Over the edges into a node
they are reductions or layers incoming_*; over each graph of a batch, layers *_aggregation."""
import gnnc_marks
from gnnc_layers import bound, handler
from gnnc_ops import Refused
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
