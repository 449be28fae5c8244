"""Layers over the nodes of each graph as rows, and soft clusters of them: MemPooling, ASAPooling, MLPAggregation, SetTransformerAggregation.

A layer with several results is one statement. The value of the call is the first result; the others are values with op "result":

    let pool, _pool2, pool_stays = asa_pooling(g, x, coarsen = false) from "pool";
"""
import torch

import gnnc_layers
import gnnc_marks
from gnnc_aggregations import of_batch
from gnnc_layers import bound, handler
from gnnc_ops import Refused
from gnnc_trace import Value, is_value, resolved


def is_one_way(ends):
    """Whether edges lack one in the opposite direction."""
    size = int(ends.max()) + 1 if ends.numel() else 1
    there, back = ((ends[k].long() * size + ends[1 - k].long()).unique() for k in (0, 1))
    return not torch.equal(there, back)


def check_both_ways(graph):
    if is_one_way(graph["edge_index"]):
        raise ValueError("edge_index has edges in one direction alone, and ASAPooling joins clusters by edges in both directions")


def results(t, made, *others):
    """Adds further results to the call of a layer: (domain, dims) of each."""
    made.more = tuple(Value(t, "result", [made], domain, dims, made.edges) for domain, dims in others)
    return made.more


def largest_graph(t):
    """How many nodes the largest graph of the data has. The program belongs to graphs that are no larger."""
    t.is_baked = True
    batch = t.fields.tensors.get("batch")
    return max(1, t.fields.num_nodes if batch is None else int(batch.bincount().max()) if len(batch) else 1)


def dense(t, x, most):
    """The rows of the first nodes of each graph."""
    return t.layer("dense_batch", [t.graph, x, most], None, "graph", (most,) + x.dims)


def to_dense_batch(t, x, batch=None, fill_value=0.0, max_num_nodes=None, batch_size=None):
    """The rows of each graph, and a mask of those that are there."""
    if not is_value(x) or x.domain != "node" or x.lead or x.kind != "f32" or fill_value != 0.0:
        raise Refused("a dense batch of something that is no row of numbers per node, or with another fill_value than 0")
    gnnc_layers.check_batch(t, batch)
    gnnc_marks.check_every(x, "a dense batch")
    most = largest_graph(t) if max_num_nodes is None else max_num_nodes
    ones = dense(t, Value(t, "loop", ["1"], "node"), most)
    return dense(t, x, most), t.binary(">", ones, 0, ones, (most,))


gnnc_layers.REPLACED["torch_geometric.utils"]["to_dense_batch"] = to_dense_batch


@handler("MemPooling")
def mem_pooling(t, m, path, args, kwargs):
    """Its second result, the shares of all nodes, is a dense batch that only losses read."""
    given = bound(m, args, kwargs)
    x = given["x"]
    if given["mask"] is not None or not is_value(x) or x.lead or (x.domain, len(x.dims)) not in (("node", 1), ("graph", 2)):
        raise Refused("MemPooling of something that is neither a row per node nor the result of a MemPooling")
    tau = [("tau", m.tau)] if m.tau != 1 else []
    operands = [x, m.out_channels, m.heads, m.num_clusters, *tau]
    if x.domain == "node":
        gnnc_layers.check_batch(t, given["batch"])
        gnnc_marks.check_every(x, "MemPooling")
        operands = [t.graph, *operands]
    made = t.layer("mem_pooling" if x.domain == "node" else "mem_pooling_of_rows", operands, path, "graph", (m.num_clusters, m.out_channels))
    results(t, made, (x.domain, (m.num_clusters,) if x.domain == "node" else (x.dims[0], m.num_clusters)))
    t.warn("the shares of nodes in clusters, MemPooling's second result, and what follows from them are left out: they are a dense batch")
    return made, t.unknown()


@handler("ASAPooling")
def asa_pooling(t, m, path, args, kwargs):
    """x, edge_index, edge_weight, batch, perm of the clusters that stay."""
    given = bound(m, args, kwargs)
    x, edges = given["x"], given["edge_index"]
    if given["edge_weight"] is not None or is_value(edges) and edges.weight is not None:
        raise Refused("ASAPooling with weights of edges: those of the pooled graph are sums over paths, which have no counterpart")
    if not is_value(edges) or edges.domain != "edges" or not is_value(x) or x.domain != "node" or x.nodes is not None or len(x.dims) != 1:
        raise Refused("ASAPooling of something that is no row of numbers per node, or no edge_index")
    gnn = type(m.gnn_intra_cluster).__name__ if m.gnn_intra_cluster is not None else None
    layer = {"GCNConv": "gcn_conv", "GraphConv": "graph_conv", "SAGEConv": "sage_conv", "LEConv": "le_conv"}.get(gnn)
    call = gnnc_layers.HANDLERS[gnn](t, m.gnn_intra_cluster, path, (), {"x": x, "edge_index": edges}) if layer else None
    if gnn is not None and (call is None or len(call.args) > 4):                 # more than the layer, the graph, x and out_channels
        raise Refused(f"GNN = {gnn} with options; GCNConv, GraphConv, SAGEConv and LEConv without options would do")
    gnnc_layers.check_batch(t, given["batch"])
    earlier = gnnc_marks.among(x)
    operands = [edges, x]
    operands += [("ratio", m.ratio if m.ratio < 1 else int(m.ratio))] if m.ratio != 0.5 else []
    operands += [("among", earlier)] if earlier is not None else []
    operands += [("gnn", layer)] if layer else []
    operands += [("slope", m.negative_slope)] if m.negative_slope != 0.2 else []
    made = t.layer("asa_pooling", operands + [("coarsen", False)], path, "node", x.dims)
    _, mark = results(t, made, ("unused", ()), ("node", ()))
    mark.file_name = f"{path}.stays".strip(".")
    batch, perm = (Value(t, "index", role, "index", kind="i32") for role in (["batch"], ["perm", earlier]))
    part = joined_clusters(t, edges, mark, m.add_self_loops)
    for v in (made, part, batch, perm):
        v.among = mark
    return made, part, None, batch, perm


def joined_clusters(t, edges, mark, add_self_loops):
    """The graph between the clusters that stay: nodes at most three edges apart."""
    part = Value(t, "edges", ["induced_subgraph", Value(t, "edges", ["power", edges, 3], "edges"), mark], "edges")
    if add_self_loops:
        part = Value(t, "edges", ["replace_self_loops", part], "edges")
    ends = t.fields.tensors.get("edge_index")
    if resolved(edges) is not t.graph:
        part.stale = "the clusters of a second ASAPooling are joined by paths of a graph that the model makes, which has no counterpart"
    elif ends is not None and is_one_way(ends):
        part.stale = "ASAPooling joins clusters by edges in both directions, and the data has some in one direction alone"
    t.both_ways.append(part)
    return part


@handler("MLPAggregation")
def mlp_aggregation(t, m, path, args, kwargs):
    """The first rows of each graph side by side, then models.MLP, which is followed."""
    given = bound(m, args, kwargs)
    x = given["x"]
    of_batch(t, x, given["index"], "MLPAggregation")
    if any(type(n).__name__ in ("GraphNorm", "InstanceNorm", "PairNorm", "LayerNorm") and getattr(n, "mode", "graph") == "graph" for n in m.mlp.norms):
        raise Refused("a perceptron with a norm of each graph; batch_norm would do")
    rows = dense(t, x, m.max_num_elements)
    return m.mlp(t.reshape(rows, (m.max_num_elements * x.dims[-1],)))


@handler("SetTransformerAggregation")
def set_transformer(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    x = given["x"]
    of_batch(t, x, given["index"], "SetTransformerAggregation")
    most = given["max_num_elements"]
    most = largest_graph(t) if most is None else most
    sizes = [("num_seed_points", m.num_seed_points, 1), ("num_encoder_blocks", len(m.encoders), 1), ("num_decoder_blocks", len(m.decoders), 1),
             ("heads", m.heads, 1), ("concat_seeds", m.concat, True), ("layer_norm", m.layer_norm, False)]
    options = [(name, value) for name, value, default in sizes if value != default]
    width = (m.num_seed_points if m.concat else 1) * x.dims[-1]
    return t.layer("set_transformer_aggregation", [t.graph, x, most, *options], path, "graph", (width,))
