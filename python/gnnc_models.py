"""Ready models of PyTorch Geometric whose forward the trace cannot follow as it is: AttentiveFP, the layer of LINKX over the numbers of nodes,
the table of LightGCN, the blocks of GroupAddRev; HeteroLinear, and
SimpleConv with self loops beside stored ones."""
import gnnc_ops
from gnnc_layers import Row, bound, check_batch, handler
from gnnc_ops import Refused
from gnnc_trace import is_value


@handler("AttentiveFP")
def attentive_fp(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    if given["edge_index"] is not t.graph or not is_value(given["batch"]):
        raise Refused("another edge_index than that of the data, or no batch")
    check_batch(t, given["batch"])
    operands = [t.graph, given["x"], given["edge_attr"], m.hidden_channels, m.out_channels, m.num_layers, m.num_timesteps]
    return t.layer("attentive_fp", operands, path, "graph", (m.out_channels,))


@handler("SparseLinear")
def sparse_linear(t, m, path, args, kwargs):
    """The sum of the rows of a weight, one for each node, over the edges into a node."""
    given = bound(m, args, kwargs)
    edges, weight = given["edge_index"], given["edge_weight"]
    message = t.gathered(t.table(f"{path}.weight", m.weight, 0), t.index(edges, 0))
    weight = edges.weight if weight is None else weight
    if weight is not None:
        message = gnnc_ops.multiply(t, t.reshape(weight, (1,)), message)
    y = t.scattered(message, t.index(edges, 1), m.aggr)
    return gnnc_ops.add(t, y, m.bias) if m.bias is not None else y


@handler("GroupAddRev")
def reversible(t, m, path, args, kwargs):
    """A block whose inputs are computed from its outputs for gradients, which there are none of."""
    return m._forward(*args, **kwargs)


@handler("HeteroLinear")
def hetero_linear(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    kinds = given["type_vec"]
    if not is_value(kinds) or kinds.domain != "index" or kinds.args[0] != "node_type":
        raise Refused("types of rows that are no node_type of the data")
    return t.layer("hetero_linear", [t.graph, given["x"], m.out_channels], path, "node", (m.out_channels,))


simple_conv = Row("SimpleConv : simple_conv(g, x, aggr=aggr|'sum', combine_root=quoted(combine_root)|None, edge_weight=edge_weight) -> same(x)")


@handler("SimpleConv")
def with_self_loops(t, m, path, args, kwargs):
    return simple_conv(t, m, path, args, kwargs) if m.combine_root == "self_loop" and m.aggr in ("add", "sum", "mean", "max", "min") else None


def node_tables(model):
    """Weights with a row per node that a forward reads as they are: id -> name."""
    owners = [(path, m) for path, m in model.named_modules() if type(m).__name__ == "LightGCN"]
    return {id(m.embedding.weight): f"{path}.embedding.weight".lstrip(".") for path, m in owners if hasattr(m, "embedding")}
