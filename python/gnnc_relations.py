"""Edges of one type, which a forward selects by a mask: edge_index[:, edge_type == 1], as FiLMConv does for each relation.

    for k, lin in enumerate(self.lins):                    graph g { nodes node_0; edges type_0, type_1; }
        mask = edge_type == k                              let b = sage_conv(g.type_1, x, 8) from "convs.1";
        h = h + self.convs[k](x, edge_index[:, mask])

The types get names in the declaration of the graph; each is an edge set of its own. Edges of several types, edge_index[:, (edge_type == 0) |
(edge_type == 2)], are a union of them.
"""
import torch

from gnnc_ops import Refused
from gnnc_trace import BREAK, Value, broken, is_value

MASK = "is_type"          # the role of an index that says which edges have a type


def is_type(args):
    """Whether these are the operands of edge_type == 1."""
    return len(args) == 2 and is_value(args[0]) and args[0].domain == "index" and args[0].args[0] == "edge_type" and isinstance(args[1], int)


def mask(t, *kinds):
    return Value(t, "index", [MASK, tuple(sorted(kinds))], "index", edges=t.graph, kind="i32")


def is_mask(v):
    return is_value(v) and v.domain == "index" and v.args[0] == MASK


def joined(t, name, args):
    """The mask of the types in either one of two masks, or in both; None for other operands."""
    if len(args) != 2 or not all(map(is_mask, args)):
        return None
    a, b = (set(v.args[1]) for v in args)
    kinds = a | b if name in ("or", "bitwise_or", "logical_or", "ior") else a & b if name in ("and", "bitwise_and", "logical_and", "iand") else None
    return mask(t, *kinds) if kinds else None


def numbers(t, v):
    """The mask on this graph."""
    return torch.isin(t.fields.index("edge_type"), torch.tensor(v.args[1]))


def kinds_of(key):
    """The types whose edges edge_index[:, mask] are, or None."""
    is_columns = isinstance(key, tuple) and len(key) == 2 and key[0] in (slice(None), Ellipsis)
    return key[1].args[1] if is_columns and is_mask(key[1]) else None


def count(t):
    """How many types there are: as many as the layers know, and those of the data."""
    known = [m.num_relations for m in t.model.modules() if isinstance(getattr(m, "num_relations", None), int)]
    return max([*known, *(kind + 1 for kind in t.relations), int(t.fields.index("edge_type").max()) + 1 if t.fields.num_edges else 1])


def count_of_nodes(t):
    """How many types of nodes there are: as many as the layers know, and those of the data."""
    known = [len(m.weight) for m in t.model.modules() if type(m).__name__ == "HeteroLinear"]
    found = t.fields.tensors.get("node_type")
    return max([1, *known, *([int(found.max()) + 1] if found is not None and len(found) else [])])


def edges_of(t, edges, kinds):
    """The edges of some types as an edge set."""
    if edges is not t.graph or edges.weight is not None or t.schema is not None or min(kinds) < 0:
        raise Refused("edges of one type are selected of something that is no edge_index of the data")
    for kind in kinds:
        if kind not in t.relations:
            t.relations[kind] = Value(t, "graph", [], "edges", name=f"g.type_{kind}")
    if kinds not in t.unions:
        first = t.relations[kinds[0]]
        t.unions[kinds] = first if len(kinds) == 1 else Value(t, "edges", ["union", edges_of(t, edges, kinds[:-1]), t.relations[kinds[-1]]], "edges")
    return t.unions[kinds]


def values_at(t, x, key):
    """Values of edges at those of one type."""
    if x.domain != "edge" or x.edges is not t.graph:
        raise Refused("rows are selected by the types of edges; values of the edges of the data would do")
    relation = edges_of(t, t.graph, key.args[1])
    return Value(t, "call", ["extend_edges", relation, x], "edge", x.dims, relation)


def declaration(t):
    """graph g { nodes node_0; edges type_0, type_1; }; graph g; where the types have no names."""
    if not t.relations:
        return ["  graph g;"]
    nodes, edges = (f",{BREAK}".join(f"{word}_{k}" for k in range(n)) for word, n in (("node", count_of_nodes(t)), ("type", count(t))))
    return broken(f"graph g {{ nodes {nodes}; edges {edges}; }}")
