"""Nodes of several types while a forward is traced: dictionaries of the data, relations, HeteroConv, HANConv and HGTConv.

A value of the nodes of one type is computed in loops over them: `for n in g.nodes.paper { n.h = relu(n.conv1); }`. A layer over a relation, or over
all of them, reads one name that has a value for each type: the inputs x.paper and x.author are x, and values that a layer reads together become
fields of one name."""
import re

import gnnc_ops
import gnnc_shapes
from gnnc_ops import Refused
from gnnc_trace import BREAK, KEYWORDS, Value, broken, is_value, resolved

RESERVED = KEYWORDS | {"relations", "node_types", "num_nodes", "num_edges", "src_nodes", "dst_nodes"}
# Layers whose x may be a pair of features for sources and destinations.
BIPARTITE = {"sage_conv", "graph_conv", "gat_conv", "gatv2_conv", "transformer_conv", "cg_conv", "le_conv", "feast_conv", "gmm_conv",
             "spline_conv"}


ALL_TYPES = {"han_conv", "hgt_conv"}


def word(name):
    """A name of the language like that of a type."""
    made = re.sub(r"[^A-Za-z0-9_]", "_", name)
    made = made if re.match("[A-Za-z_]", made) else "t_" + made
    return made + "_" if made in RESERVED else made


class Schema:
    """The types of a HeteroData: their names in the language, and the relations as edge sets."""

    def __init__(self, t, fields):
        self.t, self.fields = t, fields
        self.nodes = {kind: word(kind) for kind in fields.node_types}
        self.edges = {kind: word(name) for kind, name in zip(fields.edge_types, fields.relation_names)}
        self.relations, self.groups, self.known = {}, [], {}
        for kind, name in self.edges.items():
            made = self.relations[kind] = Value(t, "graph", [], "edges", name=f"g.{name}")
            made.ends = (kind[0], kind[-1])

    def declaration(self):
        """graph g { nodes paper, author; edges writes : author -> paper; }"""
        nodes = f",{BREAK}".join(self.nodes.values())
        edges = f",{BREAK}".join(f"{name} : {self.nodes[kind[0]]} -> {self.nodes[kind[-1]]}" for kind, name in self.edges.items())
        return broken(f"graph g {{ nodes {nodes};" + (f" edges {edges};" if edges else "") + " }")

    def dictionary(self, name):
        """x_dict, edge_index_dict, edge_attr_dict: by types or relations; None where the data has no such field."""
        base = name[:-5] if name.endswith("_dict") else name
        if base in ("edge_index", "adj_t"):
            return dict(self.relations)
        found = {kind: self.t.field(f"{base}.{kind}") for kind in self.nodes if f"{base}.{kind}" in self.fields.tensors}
        if not found and base in self.fields.tensors and self.fields.domain(base) == "edge":
            found = {kind: self.edge_field(base, r) for kind, r in self.relations.items()}
        return found or None

    def edge_field(self, name, relation):
        """The rows of a field of all edges that belong to a relation."""
        key = (name, relation.name)
        if key not in self.known:
            whole = self.t.field(name)
            self.known[key] = Value(self.t, "call", ["extend_edges", relation, whole], "edge", whole.dims, relation)
        return self.known[key]

    def input(self, name, tensor):
        """The field x.paper."""
        base, kind = next((name[:-len(k) - 1], k) for k in self.nodes if name.endswith("." + k))
        if not tensor.is_floating_point():
            raise Refused(f"'{name}' holds whole numbers: they are read for all nodes, not for those of one type")
        made = Value(self.t, "input", [], "node", tensor.shape[1:], name=f"{word(base)}.{self.nodes[kind]}")
        made.file_name, made.nodes, made.base = name, kind, word(base)
        return made

    # ---- one name for the values of several types
    def together(self, parts):
        """A value that has each of these at the nodes of its type."""
        parts = {kind: resolved(v) for kind, v in parts.items()}
        key = tuple(sorted((kind, id(v)) for kind, v in parts.items()))
        if key in self.known:
            return self.known[key]
        made = Value(self.t, "types", [], "node", next(reversed(parts.values())).dims)
        made.nodes = next(reversed(parts))
        inputs = {v.base if v.op == "input" else None for v in parts.values()}
        if len(inputs) == 1 and None not in inputs:
            made.args, made.base = list(parts.values()), inputs.pop()
        else:
            made.group = self.group_of(parts)
            made.args = [made.group[kind][1] for kind in parts]
        self.known[key] = made
        return made

    def separate(self):
        """Layers that take a value of all nodes get one whose name no other type has: widths of types may differ."""
        for v in [v for v in self.t.values if v.is_whole() and v.args[0] not in ALL_TYPES | BIPARTITE]:
            for i, a in enumerate(v.args):
                if is_value(a) and resolved(a).group is not None and resolved(a).op != "types":
                    v.args[i] = Value(self.t, "copy", [resolved(a)], "node", a.dims)
                    v.args[i].nodes, v.args[i].number = a.nodes, v.number - 0.5

    def group_of(self, parts):
        """type -> (value, the field that it is): a group that has some of these and nothing else at their types, or a new one."""
        def fits(group):
            same = [kind in group and group[kind][0] is v for kind, v in parts.items()]
            return any(same) and all(s or kind not in group for s, kind in zip(same, parts))
        group = next((g for g in self.groups if fits(g)), None)
        if group is None:
            group = Group()
            self.groups.append(group)
        for kind, v in parts.items():
            if kind not in group:
                group[kind] = (v, self.member(group, v, kind))
        return group

    def member(self, group, v, kind):
        is_own = v.group is None and v.op not in ("input", "item", "copy") and not v.is_whole()
        made = v if is_own else Value(self.t, "copy", [v], "node", v.dims)
        made.nodes, made.group = kind, group
        return made


class Group(dict):
    """Values of some types that are fields of one name; `name` when the text is written."""
    name = None

    def __hash__(self):
        return id(self)


def pair(t, v, layer):
    """x of (x, x), or of features for sources and destinations of a relation."""
    source, target = v
    if target is None or source is target:
        return source
    if is_value(source) and is_value(target) and layer in BIPARTITE and source.nodes and target.nodes and source.nodes != target.nodes:
        return t.schema.together({source.nodes: source, target.nodes: target})
    raise Refused("a pair of features for sources and destinations: bipartite graphs")


# ---- modules

def combined(t, results, aggr):
    """The results of the relations into a type as one; with aggr None a row of each relation."""
    if aggr is None:
        return gnnc_shapes.stack(t, results, dim=1)
    made = results[0]
    for v in results[1:]:
        if aggr in ("sum", "add", "mean"):
            made = gnnc_ops.add(t, made, v)
        elif aggr == "cat":
            made = t.call("concat", [made, v], made, made.dims[:-1] + (made.dims[-1] + v.dims[-1],))
        elif aggr in ("max", "min"):
            made = t.call(aggr, [made, v], made)
        else:
            raise Refused(f"aggr = {aggr!r}; sum, mean, max, min, cat and None would do")
    return gnnc_ops.divide(t, made, len(results)) if aggr == "mean" and len(results) > 1 else made


def hetero_conv(t, m, path, args, kwargs):
    """HeteroConv: each convolution on its relation, as its forward calls them."""
    into = {}
    for kind, conv in m.convs.items():
        source, _, target = kind
        given, named, has_edges = [], {}, False
        for name, found in [*enumerate(args), *kwargs.items()]:
            if kind in found:
                value, has_edges = found[kind], True
            elif source in found or target in found:
                value = found.get(source) if source == target else (found.get(source), found.get(target))
            else:
                continue
            if isinstance(name, int):
                given.append(value)
            else:
                named[name[:-5]] = value
        if has_edges:
            into.setdefault(target, []).append(conv(*given, **named))
    if any(v.domain == "unknown" for results in into.values() for v in results):
        return {kind: t.unknown() for kind in into}
    return {kind: combined(t, results, m.aggr) for kind, results in into.items()}


def check_types(t, m, edge_types):
    """A layer of all relations takes their names and their order from the graph."""
    if t.schema is None:
        raise Refused("it takes a HeteroData")
    for kind in edge_types:
        if kind not in t.schema.edges:
            raise Refused(f"the data lacks its relation {kind}")
    for kind in t.schema.edges:
        if kind not in edge_types:
            raise Refused(f"it does not know the relation {kind} of the data; it knows {', '.join(str(k) for k in edge_types)}")
    if list(edge_types) != list(t.schema.edges):
        raise Refused(f"its relations are not those of the data, in this order: {', '.join('__'.join(k) for k in t.schema.edges)}")
    renamed = [kind for kind, name in t.schema.edges.items() if name != kind[1]] + [k for k, name in t.schema.nodes.items() if name != k]
    if renamed:
        found = "__".join(renamed[0]) if isinstance(renamed[0], tuple) else renamed[0]
        raise Refused(f"'{found}' is no name of its own in the language, and names of weights are made of the names of types")


def whole(t, layer, m, path, args, kwargs, operands, edge_types, options):
    """A layer of the library over the whole graph, which has results for the types that relations lead to."""
    check_types(t, m, edge_types)
    x, edges = [*args, *kwargs.values()][:2]
    if edges != t.schema.relations or set(x) != set(t.schema.nodes):
        lacking = [kind for kind in t.schema.nodes if kind not in x] + [kind for kind in t.schema.relations if kind not in edges]
        raise Refused("it takes x_dict of all types and edge_index_dict of all relations of the data" + (f", and {lacking[0]} is not there" if lacking else ""))
    if any(v.domain == "unknown" for v in x.values()):
        return {kind: t.unknown() for kind in x}
    made = t.layer(layer, [t.graph, t.schema.together(x), *operands, *options], path, "node", (m.out_channels,))
    result = {}
    for kind in dict.fromkeys(k[-1] for k in t.schema.edges):
        result[kind] = Value(t, "item", [made], "node", (m.out_channels,))
        result[kind].nodes = kind
    return result


def han(t, m, path, args, kwargs):
    options = [("slope", m.negative_slope)] if m.negative_slope != 0.2 else []
    result = whole(t, "han_conv", m, path, args, kwargs, [m.out_channels, m.heads], m.metadata[1], options)
    return {kind: result.get(kind) for kind in t.schema.nodes}


def hgt(t, m, path, args, kwargs):
    return whole(t, "hgt_conv", m, path, args, kwargs, [m.out_channels, m.heads], m.edge_types, [])


HANDLERS = {"HeteroConv": hetero_conv, "HANConv": han, "HGTConv": hgt}
