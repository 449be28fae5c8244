"""The layers of PyTorch and PyTorch Geometric that gnnc's library has, and functions of PyTorch Geometric: one row each.

A row of LAYERS says how a module is called, in the terms of the module:

    SAGEConv : sage_conv(g, x, out_channels, aggr=aggr|'mean') -> out_channels ; project=False known='root_weight'

`g` is its edge set and `x` an argument of its forward. Other names are attributes of the module, or arguments of forward in `name=argument`,
which are left out where the argument is None. `name=attribute|default` is left out where the attribute has this value, which is the default
of the library's layer too. Behind `->` are the dimensions of a row of the result, and behind `;` the attributes that must have these values;
`known` lists options that need no argument, because the layer sees them by the weights that there are. The forward of a module with other
options is followed.
"""
import ast
import inspect
import os
import re
import sys

import gnnc_hetero
import gnnc_marks
import gnnc_ops
import gnnc_shapes
from gnnc_ops import Count, Refused
from gnnc_trace import Value, first_value, is_value, resolved

LAYERS = """
GCNConv : gcn_conv(g, x, out_channels, edge_weight=edge_weight, normalized=normalize|True, add_self_loops=add_self_loops|True, improved=improved|False) -> out_channels
GATConv : gat_conv(g, x, heads, out_channels, slope=negative_slope|0.2, concat_heads=concat|True, edge_attr=edge_attr, add_self_loops=add_self_loops|True, residual=residual|False, bipartite=(lin is None)|False, attention_dropout=(training and dropout)|0) -> heads * out_channels if concat else out_channels ; fill_value='mean' known='edge_dim'
GATv2Conv : gatv2_conv(g, x, heads, out_channels, slope=negative_slope|0.2, concat_heads=concat|True, edge_attr=edge_attr, add_self_loops=add_self_loops|True, residual=residual|False, attention_dropout=(training and dropout)|0) -> heads * out_channels if concat else out_channels ; fill_value='mean' known='edge_dim share_weights'
SuperGATConv : super_gat_conv(g, x, heads, out_channels, slope=negative_slope|0.2, concat_heads=concat|True, add_self_loops=add_self_loops|True) -> heads * out_channels if concat else out_channels ; attention_type='MX' known='edge_sample_ratio neg_sample_ratio is_undirected'
TransformerConv : transformer_conv(g, x, heads, out_channels, edge_attr=edge_attr, concat_heads=concat|True, beta=beta|False, root_weight=root_weight|True, attention_dropout=(training and dropout)|0) -> heads * out_channels if concat else out_channels ; known='edge_dim'
SAGEConv : sage_conv(g, x, out_channels, aggr=aggr|'mean', normalized=normalize|False, root_weight=root_weight|True, project=project|False) -> out_channels
GraphConv : graph_conv(g, x, out_channels, edge_weight=edge_weight, aggr=aggr|'sum') -> out_channels
SGConv : sg_conv(g, x, out_channels, K=K|2, edge_weight=edge_weight, add_self_loops=add_self_loops|True) -> out_channels
SSGConv : ssg_conv(g, x, out_channels, alpha, K=K|1, edge_weight=edge_weight, add_self_loops=add_self_loops|True) -> out_channels
TAGConv : tag_conv(g, x, out_channels, K=K|3, edge_weight=edge_weight, normalized=normalize|True) -> out_channels
APPNP : appnp(g, x, K, alpha, edge_weight=edge_weight, normalized=normalize|True, add_self_loops=add_self_loops|True) -> same(x)
AGNNConv : agnn_conv(g, x, add_self_loops=add_self_loops|True) -> same(x)
GCN2Conv : gcn2_conv(g, x, x_0, alpha, beta=beta|1.0, edge_weight=edge_weight, normalized=normalize|True, add_self_loops=add_self_loops|True, shared_weights=(weight2 is None)|True) -> same(x)
FAConv : fa_conv(g, x, x_0, eps=eps|0.1, edge_weight=edge_weight, normalized=normalize|True, add_self_loops=add_self_loops|True) -> same(x)
FeaStConv : feast_conv(g, x, out_channels, heads=heads|1, add_self_loops=add_self_loops|True) -> out_channels
ClusterGCNConv : cluster_gcn_conv(g, x, out_channels, diag_lambda=diag_lambda|0.0) -> out_channels
CGConv : cg_conv(g, x, edge_attr=edge_attr, aggr=aggr|'sum') -> same(x) ; known='dim'
EGConv : eg_conv(g, x, out_channels, heads=num_heads|8, bases=num_bases|4, add_self_loops=add_self_loops|True) -> out_channels ; aggregators=['symnorm'] sigmoid=False
GMMConv : gmm_conv(g, x, edge_attr, out_channels, aggr=aggr|'mean') -> out_channels ; separate_gaussians=False known='root_weight'
ChebConv : cheb_conv(g, x, out_channels, len(lins), normalization=quoted(normalization)|'"sym"', edge_weight=edge_weight) -> out_channels ; known='K'
HEATConv : heat_conv(g, x, edge_attr, out_channels, heads=heads|1, slope=negative_slope|0.2) -> heads * out_channels ; concat=True root_weight=True known='num_node_types num_edge_types edge_type_emb_dim edge_dim edge_attr_emb_dim'
LEConv : le_conv(g, x, out_channels, edge_weight=edge_weight) -> out_channels
LGConv : lg_conv(g, x, edge_weight=edge_weight, normalized=normalize|True) -> same(x)
PDNConv : pdn_conv(g, x, out_channels, edge_attr, normalized=normalize|True, add_self_loops=add_self_loops|True) -> out_channels
ARMAConv : arma_conv(g, x, out_channels, K=num_stacks|1, T=num_layers|1, act=act|'relu', edge_weight=edge_weight) -> out_channels ; known='shared_weights'
DNAConv : dna_conv(g, x, heads=multi_head.heads|1, groups=multi_head.groups|1, edge_weight=edge_weight, normalized=normalize|True, add_self_loops=add_self_loops|True) -> x.dims[-1:]
GatedGraphConv : gated_graph_conv(g, x, out_channels, num_layers, edge_weight=edge_weight, aggr=aggr|'sum') -> out_channels
RGATConv : rgat_conv(g, x, heads, out_channels, slope=negative_slope|0.2, concat_heads=concat|True, edge_attr=edge_attr, within_relation=(attention_mechanism == 'within-relation')|False, mod=quoted(mod)|None) -> heads * out_channels if concat else out_channels ; attention_mode='additive-self-attention' dim=1 num_bases=None num_blocks=None known='edge_dim num_relations'
MFConv : mf_conv(g, x, out_channels, max_degree=max_degree|10) -> out_channels ; aggr='add'
GravNetConv : gravnet_conv(g, x, out_channels, lin_s.weight.dims[0], lin_h.weight.dims[0], k=k|20) -> out_channels ; known='space_dimensions propagate_dimensions num_workers'
SplineConv : spline_conv(g, x, edge_attr, out_channels, kernel_size.tolist()[0], is_open_spline=bool(is_open_spline[0])|True, aggr=aggr|'mean') -> out_channels ; degree=1 known='dim root_weight kernel_size is_open_spline'
BatchNorm1d : batch_norm(x, eps=eps|1e-05) -> same(x) ; affine=True track_running_stats=True
GraphNorm : graph_norm(g, x, eps=eps|1e-05) -> same(x)
InstanceNorm : instance_norm(g, x, eps=eps|1e-05) -> same(x) ; affine=True track_running_stats=False
PairNorm : pair_norm(g, x, scale=scale|1.0, scale_individually=scale_individually|False, eps=eps|1e-05) -> same(x)
MeanSubtractionNorm : mean_subtraction_norm(g, x) -> same(x)
GraphSizeNorm : graph_size_norm(g, x) -> same(x)
"""

# Modules that have no counterpart, and what would do.
SELECTED = "clusters of nodes are made when the model runs; TopKPooling and SAGPooling would do"
REFUSED = {
    "ClusterPooling": SELECTED, "EdgePooling": SELECTED,
    "PANPooling": "it takes a sparse matrix of paths; the layer pan_pooling of the library takes its sums",
    "GraphUNet": "the edges of its pooled graphs have numbers of paths as weights, which have no counterpart",
    "DMoNPooling": "dense batches, a matrix per graph, have no counterpart",
    "DenseSAGEConv": "a dense adjacency matrix; SAGEConv with edge_index would do",
    "DenseGCNConv": "a dense adjacency matrix; GCNConv with edge_index would do",
    "DenseGINConv": "a dense adjacency matrix; GINConv with edge_index would do",
    "DenseGATConv": "a dense adjacency matrix; GATConv with edge_index would do",
    "DenseGraphConv": "a dense adjacency matrix; GraphConv with edge_index would do",
}

REFUSED |= dict.fromkeys(["LCMAggregation", "PatchTransformerAggregation"],
                         "dense batches, a matrix per graph, have no counterpart; SetTransformerAggregation, MLPAggregation and LSTMAggregation would do")
REFUSED |= dict.fromkeys(["DimeNet", "DimeNetPlusPlus", "GNNFF"], "values of pairs of edges that meet at a node, as angles, have no counterpart; SchNet would do")
REFUSED |= {
    "EquilibriumAggregation": "it minimises an energy by its gradients while it runs",
    "MultiheadAttention": "attention along the rows of a tensor; TransformerConv over edges, or GraphMultisetTransformer, would do",
    "GPSConv": "attention between all nodes of a graph, whose pairs are a second edge set; the layer gps_conv of the library takes it",
    "HypergraphConv": "the edges of a hypergraph are nodes of their own; the layer hypergraph_conv of the library takes them",
    "PANConv": "it returns the powers of a sparse matrix; the layer pan_conv of the library has its first result",
    "WLConv": "colours of nodes are numbered when the model runs; WLConvContinuous has values",
}

FUNCTIONS = set("""relu leaky_relu leakyrelu elu prelu sigmoid tanh swish silu gelu identity softplus erf exp log expm1 log1p sqrt rsqrt reciprocal
    pow sin cos atan2 abs sign floor round clamp max min select sum mean softmax log_softmax argmax dot inner_prod outer outer_prod linear_map
    concat reshape transpose row_normalize normalize dropout add_remaining_self_loops keep_one_self_loop replace_self_loops extend_edges
    global_sum global_mean global_max global_min split permute expand ones zeros iota reverse remove_self_loops union has g n e
    knn_graph radius_graph top_k induced_subgraph one_hot power ceil sum_all num_rows num_columns""".split())
IGNORED_ARGUMENTS = ("size", "node_type", "batch_size", "num_nodes", "return_attention_weights", "dim_size", "ptr", "batch", "edge_type")
IGNORED_OPTIONS = ("bias", "cached", "dropout", "in_channels", "momentum", "device", "dtype", "kwargs", "self")
EDGE_SETS = ("edge_index", "adj_t", "adj")


def word(name):
    """A name of the language like this one."""
    made = "".join(c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name)
    return made if made[:1].isalpha() or made[:1] == "_" else "h_" + made


def library_names():
    """The layers of the library, which lies beside this folder: values may not have their names."""
    here = os.path.dirname(os.path.realpath(__file__))
    names = set()
    for folder in (os.path.join(here, "../library"), os.path.join(here, "../frontend/library")):
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    names |= set(re.findall(r"^layer (\w+)", f.read(), re.M))
    return names


def unused(wanted, names):
    return wanted if wanted not in names else next(f"{wanted}{k}" for k in range(2, 10 ** 6) if f"{wanted}{k}" not in names)


class Row:
    """A row of LAYERS, ready to be called."""

    def __init__(self, text):
        self.text = set(re.findall(r"\w+", text))
        self.kind, _, rest = (part.strip() for part in text.partition(":"))
        rest, _, needs = (part.strip() for part in rest.partition(";"))
        call, _, self.dims = (part.strip() for part in rest.partition("->"))
        call = ast.parse(call, mode="eval").body
        self.layer = call.func.id
        self.positional = [ast.unparse(a) for a in call.args]
        self.named = []
        for k in call.keywords:
            has_default = isinstance(k.value, ast.BinOp) and isinstance(k.value.op, ast.BitOr)
            self.named.append((k.arg, ast.unparse(k.value.left if has_default else k.value),
                               ast.literal_eval(k.value.right) if has_default else None, has_default))
        needs = ast.parse("f(" + re.sub(r" (\w+=)", r", \1", needs) + ")", mode="eval").body.keywords
        self.known = next((ast.literal_eval(k.value).split() for k in needs if k.arg == "known"), [])
        self.needs = [(k.arg, ast.literal_eval(k.value)) for k in needs if k.arg != "known"]

    def __call__(self, t, m, path, args, kwargs):
        given = bound(m, args, kwargs)
        if "x" not in given:
            given["x"] = given.pop(next(iter(given)))
        if self.kind == "InstanceNorm" and m.running_mean is not None:           # in evaluation all graphs have these
            return gnnc_ops.FUNCTIONS["batch_norm"](t, given["x"], m.running_mean, m.running_var, m.weight, m.bias, eps=m.eps)
        if any(not same(getattr(m, k, v), v) for k, v in self.needs) or self.has_more(m):
            return None                              # its forward is followed instead
        edges = next((given.pop(k) for k in EDGE_SETS if k in given), None)
        if isinstance(given["x"], (tuple, list)):
            given["x"] = gnnc_hetero.pair(t, given["x"], self.layer)
        used, operands = set(), []
        for text in self.positional:
            operands.append((t.graph if edges is None else edges) if text == "g" else self.argument(t, m, given, used, text))
        for name, text, default, has_default in self.named:
            value = self.argument(t, m, given, used, text, default)
            if value is None and name == "edge_weight" and edges is not None:
                value = edges.weight
            if name == "aggr" and value not in gnnc_ops.REDUCTIONS:
                return None
            if is_value(value) and name in ("edge_weight", "edge_attr") and len(value.dims) != (name == "edge_attr"):
                value = t.reshape(value, () if name == "edge_weight" else (1,))
            if name == "act":
                value = function_word(t, value)
                if value is None:
                    return None
            if value is None or has_default and value == default or name == "edge_attr" and self.kind == "GATConv" and m.edge_dim is None:
                continue
            operands.append((name, value))
        if "batch" in given and "g" in self.positional:
            check_batch(t, given["batch"])
            gnnc_marks.check_every(given["x"], self.layer)
        left = [k for k, v in given.items() if k not in used and v is not None and k not in IGNORED_ARGUMENTS]
        if left:
            raise Refused(f"the argument {left[0]}, which {self.layer} does not take")
        if self.kind == "SplineConv" and len({*m.kernel_size.tolist()}) + len({*m.is_open_spline.tolist()}) > 2:
            raise Refused("kernel sizes that differ from dimension to dimension; the same size would do")
        dims = eval(self.dims, {}, Scope(m, given))
        like = given.get("x") if is_value(given.get("x")) else next(v for v in operands if is_value(v) and v.domain != "edges")
        dims = tuple(dims(like)) if callable(dims) else (dims,) if isinstance(dims, int) else tuple(dims)
        made = t.layer(self.layer, operands, path, like.domain, dims, like.edges)
        made.nodes = edges.ends[1] if edges is not None and edges.ends else like.nodes
        return made

    def has_more(self, m):
        """Whether the module has an option that this row does not know, with another value than its default."""
        for name, p in inspect.signature(type(m).__init__).parameters.items():
            is_known = name in self.text or name in IGNORED_OPTIONS or p.default is p.empty
            if not is_known and hasattr(m, name) and not same(getattr(m, name), p.default):
                return True
        return False

    def argument(self, t, m, given, used, text, default=None):
        if text in given:
            used.add(text)
            return one_of_pair(given[text])
        try:
            value = eval(text, {"bool": bool, "len": len, "quoted": lambda v: v and f'"{v}"'}, Scope(m, given))
        except (NameError, AttributeError):              # an option that this version of PyTorch Geometric does not have
            return default
        if isinstance(value, str):
            value = gnnc_ops.REDUCTION_WORDS.get(value, value)
        return value


def described(error):
    """Why a forward could not be followed, in a line."""
    text = f"{type(error).__name__}: {error}".split("\n")[0]
    return "it makes a tensor with as many rows as there are nodes, edges or graphs" if "Count" in text else text


def check_batch(t, batch):
    """Refuses what would see all graphs of a batch as one, or an index that is no batch."""
    if batch is None and t.has_batch:
        raise Refused("batch is not given, and the data has a batch: it would see all graphs as one")
    if batch is not None and not (is_value(batch) and batch.domain == "index" and batch.args[0] == "batch"):
        raise Refused("a batch that is not that of the data")


def same(a, b):
    return a is b or (not hasattr(a, "dims") and not callable(a) and a == b)


def function_word(t, act):
    """The function of the language that this function of Python is: F.relu, torch.nn.ReLU(), lambda x: x; None for others."""
    if act is None:
        return "identity"
    x = Value(t, "probe", [], "node", (3,))
    y = t.module(act, (x,), {}) if hasattr(act, "forward") else act(x)
    if y is x:
        return "identity"
    return y.args[0] if is_value(y) and y.op == "call" and len(y.args) == 2 and y.args[1] is x else None


class Scope(dict):
    """Names in a row: attributes of the module, and words for the dimensions of the result."""

    def __init__(self, m, given):
        self.m, self.given = m, given

    def __missing__(self, name):
        if name == "last":                              # the last dimension of x becomes this
            return lambda n: lambda x: x.dims[:-1] + (n,)
        if name == "same":
            return lambda x: x.dims
        if name in self.given:
            return self.given[name]
        try:
            return getattr(self.m, name)
        except AttributeError:
            raise KeyError(name) from None


def one_of_pair(v):
    """x of (x, x), which layers for bipartite graphs take."""
    if isinstance(v, (tuple, list)):
        if len(v) == 2 and (v[1] is None or v[0] is v[1]):
            return v[0]
        raise Refused("a pair of features for sources and destinations: bipartite graphs")
    return v


def bound(m, args, kwargs):
    """Arguments of forward by name; those that are not given have their defaults."""
    try:
        found = inspect.signature(m.forward).bind(*args, **kwargs)
    except TypeError as e:
        raise Refused(str(e)) from None
    found.apply_defaults()
    return dict(found.arguments)


HANDLERS = {row.kind: row for row in (Row(line) for line in LAYERS.strip().split("\n"))}
RESERVED = FUNCTIONS | {row.layer for row in HANDLERS.values()} | library_names()


HANDLERS.update(gnnc_hetero.HANDLERS)


def handler(*kinds):
    def keep(function):
        for kind in kinds:
            HANDLERS[kind] = function
        return function
    return keep


@handler("Identity")
def identity(t, m, path, args, kwargs):
    return args[0]


@handler("Linear")
def linear(t, m, path, args, kwargs):
    if len(m.weight.dims) == 3:
        return grouped_linear(t, m, args[0])
    x, out = args[0], m.weight.dims[0]
    made = t.placed(t.layer("linear", [x, out], path, x.domain, x.dims[:-1] + (out,), x.edges), x)
    made.nodes = x.nodes
    return made


def grouped_linear(t, m, x):
    """DNAConv's linear layer: a matrix per group of columns."""
    (groups, width, out), steps = m.weight.dims, x.dims[:-1]
    length = 1
    for s in steps:
        length *= s
    rows = gnnc_shapes.permute_row(t, t.reshape(x, (length, groups, width)), (1, 0, 2))
    y = gnnc_shapes.permute_row(t, t.binary("@", rows, m.weight, rows, (groups, length, out)), (1, 0, 2))
    y = t.reshape(y, steps + (groups * out,))
    return y if m.bias is None else gnnc_ops.add(t, y, m.bias)


@handler("LayerNorm")
def layer_norm(t, m, path, args, kwargs):
    given, x = bound(m, args, kwargs), args[0]
    if m.weight is None or getattr(m, "normalized_shape", (0,)) != (x.dims[-1],) and hasattr(m, "normalized_shape"):
        return None
    if getattr(m, "mode", "node") == "graph":
        check_batch(t, given["batch"])
        gnnc_marks.check_every(x, "layer_norm_graph")
        return t.layer("layer_norm_graph", [t.graph, x] + ([("eps", m.eps)] if m.eps != 1e-5 else []), path, x.domain, x.dims)
    return t.placed(t.layer("layer_norm", [x] + ([("eps", m.eps)] if m.eps != 1e-5 else []), path, x.domain, x.dims, x.edges), x)


@handler("RGCNConv", "FastRGCNConv")
def rgcn(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    x, out = given["x"], m.out_channels
    if resolved(given["edge_index"]) is not t.graph:
        raise Refused("an edge set that the model makes: its edges have no types")
    aggr = {"add": "sum"}.get(m.aggr, m.aggr)
    if aggr not in ("sum", "mean") or x is None and aggr != "mean":
        raise Refused(f"aggr = '{m.aggr}'; mean would do")
    if x is not None:
        layer = "rgcn_block_conv" if m.num_blocks else "rgcn_basis_conv" if m.num_bases else "rgcn_conv"
        return t.layer(layer, [t.graph, x, out] + ([("aggr", aggr)] if aggr != "mean" else []), path, "node", (out,))
    if not m.num_bases:
        raise Refused("x = None where every relation has a matrix of its own; num_bases would do")
    # Row n of each basis is the feature of node n.
    bases = t.table(f"{path}.weight", m.weight, 1)
    comp = t.weight(f"{path}.comp", m.comp.dims, "etype")
    of_edge = Value(t, "at", [comp, "type"], "edge", comp.dims, t.graph)
    message = t.binary("@", of_edge, t.gathered(bases, t.index(t.graph, 0)), of_edge, (out,))
    mean = t.binary("/", message, Value(t, "loop", ["e.dst.in_degree[e.type]"], "edge", (), t.graph), message, (out,))
    y = t.scattered(mean, t.index(t.graph, 1), "sum")
    y = gnnc_ops.add(t, y, t.table(f"{path}.root", m.root, 0)) if m.root is not None else y
    return gnnc_ops.add(t, y, m.bias) if m.bias is not None else y


@handler("Set2Set")
def set2set(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    if is_value(given["index"]) and given["index"].args[0] != "batch":
        raise Refused("Set2Set over the edges at a node; that over the batch is there")
    if m.lstm.num_layers != 1 or not is_value(given["index"]):
        return None
    x = given["x"]
    gnnc_marks.check_every(x, "set2set")
    return t.layer("set2set", [t.graph, x, m.processing_steps], path, "graph", (2 * x.dims[-1],))


@handler("Dropout")
def dropout(t, m, path, args, kwargs):
    return gnnc_ops.dropout(t, args[0], m.p, training=m.training)


# ---- message passing that is followed: propagate, message, aggregate, update

def walk_messages(t, m):
    """Replaces `propagate` of this module while it is followed: messages become values per edge."""
    def propagate(edge_index, size=None, **given):
        if t.has_unknown([edge_index, given]):
            return t.unknown()
        names = names_of(t, m, edge_index, given)
        messages = m.message(**picked(m.message, names))
        result = m.aggregate(messages, **picked(m.aggregate, names, skip=1))
        return m.update(result, **picked(m.update, names, skip=1))

    def edge_updater(edge_index, size=None, **given):
        return m.edge_update(**picked(m.edge_update, names_of(t, m, edge_index, given)))

    m.__dict__["propagate"], m.__dict__["edge_updater"] = propagate, edge_updater


def names_of(t, m, edges, given):
    """What message and its siblings may ask for: x_i and x_j of x, the index of destinations, arguments as they are."""
    if not is_value(edges) or edges.domain != "edges":
        raise Refused("propagate over something that is no edge_index of the data")
    source, target = t.index(edges, 0), t.index(edges, 1)
    if m.flow != "source_to_target":
        source, target = target, source
    names = {"index": target, "ptr": None, "dim_size": Count("node"), "size_i": Count("node"), "size_j": Count("node"), "edge_index": edges,
             "edge_index_i": target, "edge_index_j": source, "size": (Count("node"), Count("node"))}
    for name, v in given.items():
        names[name] = v
        pair = v if isinstance(v, (tuple, list)) and len(v) == 2 else (v, v)
        for suffix, index, one in (("_j", source, pair[0]), ("_i", target, pair[1])):
            names[name + suffix] = t.gathered(one, index) if is_value(one) and one.domain == "node" else one
    if edges.weight is not None:
        for name in ("edge_weight", "edge_attr"):
            names[name] = names.get(name) if names.get(name) is not None else edges.weight
    return names


def picked(function, names, skip=0):
    wanted = list(inspect.signature(function).parameters.values())[skip:]
    for p in wanted:
        if p.name not in names and p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            raise Refused(f"{function.__qualname__} takes '{p.name}', which propagate was not given")
    return {p.name: names[p.name] for p in wanted if p.name in names}


# ---- functions of PyTorch Geometric

def pool(reduce):
    def make(t, x, batch=None, size=None):
        check_batch(t, batch)
        return t.scattered(x, batch, reduce) if batch is not None else gnnc_ops.pooled(t, "global_" + reduce, x)
    return make


def scatter(t, src, index, dim=0, dim_size=None, reduce="sum"):
    return t.scattered(src, index, reduce)


def softmax(t, src, index=None, ptr=None, num_nodes=None, dim=0):
    if index.args[0] == "dst":
        return Value(t, "softmax", [src], "edge", src.dims, src.edges)
    if index.args[0] == "batch":
        e = t.call("exp", [gnnc_ops.subtract(t, src, t.gathered(gnnc_ops.pooled(t, "global_max", src), index))], src)
        return gnnc_ops.divide(t, e, t.gathered(gnnc_ops.pooled(t, "global_sum", e), index))
    raise Refused("softmax over the edges out of a node")


def degree(t, index, num_nodes=None, dtype=None):
    if index.args[0] == "batch":                         # how many nodes each graph has
        return t.scattered(Value(t, "loop", ["1"], "node"), index, "sum")
    made = Value(t, "degree", ["in_degree" if index.args[0] == "dst" else "out_degree"], "node", (), resolved(index.edges))
    made.nodes = made.edges.ends and made.edges.ends[index.args[0] == "dst"]
    return made


def edge_set(t, function, base, weight, fill):
    """The edge set that a function of the language makes of `base`, with values for its edges."""
    made = Value(t, "edges", [function, base], "edges")
    if weight is not None:
        weight = Value(t, "call", ["extend_edges", made, weight, fill], "edge", weight.dims, made)
    return made, weight


def remove_self_loops(t, edge_index, edge_attr=None):
    return edge_set(t, "remove_self_loops", edge_index, edge_attr, 0)


def add_self_loops(t, edge_index, edge_attr=None, fill_value=None, num_nodes=None):
    base = resolved(edge_index)
    if base.op != "edges" or base.args[0] != "remove_self_loops":
        raise Refused("add_self_loops where self loops have not been removed; add_remaining_self_loops would do")
    if edge_attr is not None and (isinstance(fill_value, str) or is_value(fill_value)):
        raise Refused(f"self loops whose values are the '{fill_value}' of others")
    if edge_attr is not None:
        edge_attr = resolved(edge_attr).args[2]
    return edge_set(t, "replace_self_loops", base.args[1], edge_attr, 1.0 if fill_value is None else fill_value)


def add_remaining_self_loops(t, edge_index, edge_attr=None, fill_value=1.0, num_nodes=None):
    return edge_set(t, "keep_one_self_loop", edge_index, edge_attr, 1.0 if fill_value is None else fill_value)


def gcn_norm(t, edge_index, edge_weight=None, num_nodes=None, improved=False, add_self_loops=True, flow="source_to_target", dtype=None):
    """D^-1/2 A D^-1/2 as values per edge."""
    edge_weight = edge_index.weight if edge_weight is None else edge_weight
    if flow != "source_to_target" or improved and edge_weight is None:
        raise Refused("gcn_norm with improved, or against the flow")
    edges = edge_index
    if add_self_loops:
        edges, edge_weight = edge_set(t, "keep_one_self_loop", edge_index, edge_weight, 2.0 if improved else 1.0)
    source, target = t.index(edges, 0), t.index(edges, 1)
    d = degree(t, target) if edge_weight is None else t.scattered(edge_weight, target, "sum")
    r = t.call("rsqrt", [d], d)
    if edge_weight is not None or not add_self_loops:
        r = t.call("select", [t.binary("==", d, 0, d, ()), 0, r], d)
    c = t.gathered(r, source)
    c = gnnc_ops.multiply(t, c, edge_weight) if edge_weight is not None else c
    return edges, gnnc_ops.multiply(t, c, t.gathered(r, target))


def dropout_edge(t, edge_index, p=0.5, force_undirected=False, training=True):
    if training and t.is_training:
        raise Refused("dropout_edge() in training")
    if training:
        t.warn("dropout_edge is active in evaluation too; the exported model drops nothing")
    return edge_index, None


def refused(reason):
    def make(t, *args, **kwargs):
        raise Refused(reason)
    return make


DENSE = "dense batches, a matrix per graph, have no counterpart"
SEARCHED = "a graph that is made while the model runs"
REPLACED = {
    "torch_geometric.nn": {"global_add_pool": pool("sum"), "global_mean_pool": pool("mean"), "global_max_pool": pool("max")},
    "torch_geometric.utils": {"dropout_edge": dropout_edge, "scatter": scatter, "softmax": softmax, "degree": degree, "remove_self_loops": remove_self_loops,
                              "add_self_loops": add_self_loops, "add_remaining_self_loops": add_remaining_self_loops},
    "torch_geometric.nn.conv.gcn_conv": {"gcn_norm": gcn_norm},
}
for _module, _names, _reason in (("torch_geometric.utils", "to_dense_adj", "a dense adjacency matrix has no counterpart"),
                                 ("torch_geometric.nn", "dense_diff_pool dense_mincut_pool", DENSE),
                                 ("torch_geometric.nn", "knn radius fps graclus voxel_grid max_pool max_pool_x avg_pool", SEARCHED)):
    REPLACED[_module].update({_name: refused(_reason) for _name in _names.split()})


def replaced_functions(t):
    """(namespace, name, replacement) for every name by which a function of REPLACED is known to the model's code, and for data that
    forwards read as global variables."""
    ours = {}
    for module, functions in REPLACED.items():
        place = sys.modules.get(module)
        for name, function in functions.items():
            original = getattr(place, name, None) if place else None
            if original is not None:
                ours[id(original)] = replacement(t, name, original, function)
    of_model = {type(m).__module__ for m in t.model.modules()}
    spaces = [vars(module) for name, module in list(sys.modules.items())
              if module is not None and (name in of_model or name.startswith(("torch_geometric.nn", "torch_geometric.utils")))]
    for space in spaces:
        is_library = str(space.get("__name__", "")).startswith("torch")
        for name, v in list(space.items()):
            if id(v) in ours:
                yield space, name, ours[id(v)]
            elif not is_library and type(v).__name__ in ("Data", "Batch") and type(v).__module__.startswith("torch_geometric.data"):
                yield space, name, t.data_value()


def replacement(t, name, original, function):
    def call(*args, **kwargs):
        if t.has_unknown([args, kwargs]):
            return t.unknown()
        if first_value([args, kwargs]) is None:
            return original(*args, **kwargs)
        try:
            return function(t, *t.converted(args), **t.converted(kwargs))
        except Refused as e:
            return t.problem(f"{name}: {e}")
    call.__name__ = name
    return call

