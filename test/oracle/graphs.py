"""Graphs as the language sees them: multisets of directed edges, self-loop operators, inputs from a graph file."""
import copy

from safetensors import round_f32
from values import OracleError, Value, aggregate, read_errors, volume


class Graph:
    """An edge set over nodes. `base` is the graph from which it was made; its first `kept` edges are edges of base."""

    def __init__(self, name, num_nodes, src, dst):
        self.name, self.num_nodes, self.src, self.dst = name, num_nodes, src, dst
        self.edge_type = self.node_type = self.batch = None
        self.num_graphs = 1
        self.type_names = []  # the types of nodes, where the model names them
        self.base, self.kept, self.derived = None, None, {}
        self.nodes = ("node", name.split(".")[0])
        self.edges = ("edge", name)

    def domain_size(self, domain):
        if ":" in domain[1]:
            return len(self.members(domain))
        return self.num_nodes if domain[0] == "node" else len(self.src)

    def part(self, type_name):
        """The domain of the nodes of one type."""
        return ("node", f"{self.nodes[1]}:{self.type_names.index(type_name)}")

    def members(self, domain):
        """The nodes of a domain, in their order."""
        if ":" not in domain[1]:
            return range(self.num_nodes)
        number = int(domain[1].split(":")[1])
        return [n for n, t in enumerate(self.node_type) if t == number]

    def ends(self, direction):
        """The node at which each edge arrives ("incoming") or from which it leaves ("outgoing")."""
        return self.dst if direction == "incoming" else self.src

    def degree(self, ends):
        count = [0.0] * self.num_nodes
        for n in ends:
            count[n] += 1
        return Value(self.nodes, (), [[c] for c in count])

    def with_self_loops(self, mode):
        """add_remaining: stored loops stay, nodes without one get one. keep_one: each node keeps its last stored loop,
        nodes without one get one. replace: stored loops are removed, every node gets a new one.
        remove: stored loops are removed. The kept edges come first in their order, then the new loops by node."""
        if mode not in self.derived:
            pairs = list(zip(self.src, self.dst))
            last = {s: e for e, (s, d) in enumerate(pairs) if s == d}
            kept = [e for e, (s, d) in enumerate(pairs) if s != d or mode == "add_remaining" or (
                mode == "keep_one" and last[s] == e)]
            looped = set() if mode == "replace" else set(last)
            added = [n for n in range(self.num_nodes) if n not in looped and mode != "remove"]
            g = Graph(f"{self.name}.{mode}", self.num_nodes, [self.src[e] for e in kept] + added,
                      [self.dst[e] for e in kept] + added)
            g.node_type, g.batch, g.num_graphs = self.node_type, self.batch, self.num_graphs
            g.type_names = self.type_names
            g.base, g.kept = self, kept
            self.derived[mode] = g
        return self.derived[mode]

    def reversed(self):
        """The same edges, and the same edge values, against their direction."""
        if "reverse" not in self.derived:
            g = copy.copy(self)
            g.src, g.dst, g.derived = self.dst, self.src, {"reverse": self}
            self.derived["reverse"] = g
        return self.derived["reverse"]

    def extend(self, v, fill):
        """Edge values of the base graph on this one: kept edges keep theirs, new loops get `fill`."""
        if self.base is None or v.domain != self.base.edges:
            raise OracleError("extend_edges wants edge values of the graph that the loops were added to")
        added = len(self.src) - len(self.kept)
        size = volume(v.shape)
        rows = [v.rows[e] for e in self.kept] + [[fill] * size] * added
        errors = v.errors and [v.errors[e] for e in self.kept] + [[0.0] * size] * added
        return Value(self.edges, v.shape, rows, errors)

    def pool(self, kind, v):
        batch = self.batch if self.batch is not None else [0] * self.num_nodes
        return aggregate(kind, v, batch, self.num_graphs, ("graph",))


def count_nodes(tensors, metadata):
    """The number of nodes, which edge_index alone does not determine."""
    if "num_nodes" in metadata:
        return int(metadata["num_nodes"])
    for name in ("x", "node_type", "batch", "y", "train_mask"):
        if name in tensors:
            return tensors[name].shape[0]
    if "x_indptr" in tensors:
        return tensors["x_indptr"].shape[0] - 1
    return max(tensors["edge_index"].data, default=-1) + 1


def read_graph(name, tensors, metadata):
    edges = tensors["edge_index"]
    count = edges.shape[1]
    g = Graph(name, count_nodes(tensors, metadata), edges.data[:count], edges.data[count:])
    g.edge_type = tensors["edge_type"].data if "edge_type" in tensors else None
    g.node_type = tensors["node_type"].data if "node_type" in tensors else None
    if "batch" in tensors:
        g.batch = tensors["batch"].data
        g.num_graphs = tensors["ptr"].shape[0] - 1 if "ptr" in tensors else max(g.batch, default=-1) + 1
    return g


def numbers_of(tensor):
    """The elements in f32, to which the compiler rounds wider ones when it reads a file."""
    return [round_f32(x) for x in tensor.data] if tensor.dtype == "F64" else [float(x) for x in tensor.data]


def read_rows(tensor, domain, count):
    """A tensor of a file as a Value: with a domain, its first dimension counts the rows."""
    shape = tensor.shape if domain is None else tensor.shape[1:]
    if domain is None:
        rows = [numbers_of(tensor)]
        return Value(None, shape, rows, read_errors(rows))
    if count is not None and tensor.shape[:1] != [count]:
        raise OracleError(f"{tensor.shape[:1]} rows where {domain} has {count}")
    size = volume(shape)
    data = numbers_of(tensor)
    rows = [data[i * size:(i + 1) * size] for i in range(tensor.shape[0])]
    return Value(domain, shape, rows, read_errors(rows))


def read_sparse(tensors, name, domain, width):
    """Compressed rows as dense ones; an entry that is stored twice counts as the sum."""
    indptr, indices, data = (tensors[f"{name}_{part}"].data for part in ("indptr", "indices", "data"))
    rows = []
    for begin, end in zip(indptr, indptr[1:]):
        row = [0.0] * width
        for k in range(begin, end):
            row[indices[k]] += data[k]
        rows.append(row)
    return Value(domain, (width,), rows, read_errors(rows))

