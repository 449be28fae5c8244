"""Graphs as the language sees them: multisets of directed edges, self-loop operators, inputs from a graph file."""
import copy
import itertools
import math

from safetensors import round_f32
from values import OracleError, Value, aggregate, read_errors, volume


RUN_SETS = itertools.count()  # edge sets that are made while the model runs differ, whatever they are made from


class Graph:
    """An edge set over nodes. `base` is the graph from which it was made; `kept` has for each edge that of base, or None for a new loop."""

    def __init__(self, name, num_nodes, src, dst):
        self.name, self.num_nodes, self.src, self.dst = name, num_nodes, src, dst
        self.edge_type = self.node_type = self.batch = None
        self.num_graphs = 1
        self.type_names = []  # the types of nodes, where the model names them
        self.relation_names, self.relation_ends = [], []  # the types of edges, and their (source, destination) or None
        self.end_types = None  # of a relation: the names of the types at its ends
        self.base, self.kept, self.derived = None, None, {}
        self.is_reversed, self.is_made_at_run = False, False
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
        remove: stored loops are removed. The kept edges come first in their order, then the new loops by node; in a graph that is
        made at run the edges are in the order of their destinations."""
        if self.is_reversed:
            return self.reversed().with_self_loops(mode).reversed()
        if mode not in self.derived:
            pairs = list(zip(self.src, self.dst))
            last = {s: e for e, (s, d) in enumerate(pairs) if s == d}
            kept = [e for e, (s, d) in enumerate(pairs) if s != d or mode == "add_remaining" or (
                mode == "keep_one" and last[s] == e)]
            looped = set() if mode == "replace" else set(last)
            added = [n for n in self.members(self.end("dst")) if n not in looped and mode != "remove"]
            edges = [(self.src[e], self.dst[e], e) for e in kept] + [(n, n, None) for n in added]
            if self.is_made_at_run:
                edges.sort(key=lambda edge: edge[1])
            g = Graph(f"{self.name}.{mode}", self.num_nodes, [s for s, _, _ in edges], [d for _, d, _ in edges])
            self.derived[mode] = self.made(g, [e for _, _, e in edges])
            g.end_types, g.is_made_at_run = self.end_types, self.is_made_at_run
        return self.derived[mode]

    def made_at_run(self, word, pairs, kept=None):
        """A graph that values decide about: (source, destination) of its edges, by destination."""
        pairs = sorted(enumerate(pairs), key=lambda item: item[1][1])
        g = Graph(f"{self.name}.{word}{next(RUN_SETS)}", self.num_nodes, [s for _, (s, _) in pairs],
                  [d for _, (_, d) in pairs])
        g.is_made_at_run = True
        return self.made(g, [kept[i] for i, _ in pairs] if kept is not None else None)

    def neighbours(self, v, most, radius, has_loops, among=None):
        """Edges from the nearest nodes of the same graph; with a radius from the first ones that are nearer. Sources are those where `among` is not 0."""
        pairs = []
        for n, row in enumerate(v.rows):
            near = []
            for m, other in enumerate(v.rows):
                if self.graph_of(m) != self.graph_of(n) or (m == n and not has_loops) or (among and among.rows[m][0] == 0):
                    continue
                d = sum((a - b) * (a - b) for a, b in zip(row, other))
                near.append((math.isnan(d), 0.0 if math.isnan(d) else d, m))
            if radius is None:
                near.sort()
            else:
                near = [item for item in near if not item[0] and item[1] < radius * radius]
            pairs += [(m, n) for _, _, m in near[:most]]
        return self.caller().made_at_run("knn_" if radius is None else "radius_", pairs)

    def caller(self):
        """The graph of the caller, from which this one was made."""
        if "." not in self.name:
            return self
        g = copy.copy(self)
        g.name = self.name.split(".")[0]
        return g

    def graph_of(self, node):
        return self.batch[node] if self.batch is not None else 0

    def induced(self, mask):
        kept = [e for e, (s, d) in enumerate(zip(self.src, self.dst)) if mask.rows[s][0] != 0 and mask.rows[d][0] != 0]
        return self.made_at_run("induced_", [(self.src[e], self.dst[e]) for e in kept], kept)

    def top(self, score, ratio, among=None):
        """1 at the ceil(ratio * n) nodes of each graph with the largest score; the product is rounded to f32, as PyG does. A ratio of 1 or more is a number of nodes."""
        chosen = [[0.0] for _ in range(self.num_nodes)]
        for g in range(self.num_graphs):
            nodes = [n for n in range(self.num_nodes) if self.graph_of(n) == g and (
                among is None or among.rows[n][0] != 0)]
            def rank(n):
                x = score.rows[n][0]
                return (0, 0.0, n) if math.isnan(x) else (1, -x, n)
            most = math.ceil(round_f32(round_f32(ratio) * len(nodes))) if ratio < 1 else int(ratio)
            for n in sorted(nodes, key=rank)[:most]:
                chosen[n] = [1.0]
        return Value(self.nodes, (), chosen)

    def power(self, most):
        """An edge for each pair of nodes with a path of at most `most` edges: by destination, then as a breadth-first search meets sources."""
        if self.is_reversed:
            return self.reversed().power(most).reversed()
        base = self
        while base.base is not None and not hasattr(base, "relation_name") and not hasattr(base, "ways"):
            most *= getattr(base, "power_of", 1)
            base = base.base
        if (word := f"power{most}") not in base.derived:
            pairs = []
            for n in range(base.num_nodes):
                met, edge = {n: None}, [n]
                for _ in range(min(most, base.num_nodes)):
                    edge = [s for d in edge for s, at in zip(base.src, base.dst) if at == d]
                    edge = [s for s in dict.fromkeys(edge) if s not in met]
                    met.update(dict.fromkeys(edge))
                pairs += [(m, n) for m in list(met)[1:]]
            g = Graph(f"{base.name}.{word}", base.num_nodes, [s for s, _ in pairs], [d for _, d in pairs])
            g.is_made_at_run, g.power_of, g.end_types = True, most, base.end_types
            base.derived[word] = base.made(g, None)
        return base.derived[word]

    def opposites(self):
        """The edge in the opposite direction of each edge, None where there is none; parallel ones in their order."""
        waiting = {}
        for e, pair in enumerate(zip(self.dst, self.src)):
            waiting.setdefault(pair, []).append(e)
        found = []
        for pair in zip(self.src, self.dst):
            found.append(waiting[pair].pop(0) if waiting.get(pair) else None)
        return found

    def made(self, g, kept):
        """Gives a graph that was made from this one its nodes."""
        g.node_type, g.batch, g.num_graphs = self.node_type, self.batch, self.num_graphs
        g.type_names, g.base, g.kept = self.type_names, self, kept
        return g

    def relation(self, name):
        """The edges of one type."""
        if name not in self.derived:
            number = self.relation_names.index(name)
            kept = [e for e, t in enumerate(self.edge_type) if t == number]
            g = Graph(f"{self.name}.relation{number}", self.num_nodes, [self.src[e] for e in kept], [self.dst[e] for e in kept])
            g.end_types, g.relation_name, g.edge_type = self.relation_ends[number], name, [number for _ in kept]
            self.derived[name] = self.made(g, kept)
        return self.derived[name]

    def items(self):
        """The edges as those of the caller's graph: (edge, whether it is reversed)."""
        if self.base is None:
            return [(e, self.is_reversed) for e in range(len(self.src))]
        ways = getattr(self, "ways", [False] * len(self.src))
        return [(e, way != self.is_reversed) for e, way in zip(self.kept, ways)]

    def direction(self):
        """Whether the edges are those of the caller's graph as they are, reversed, or in both directions."""
        return "both" if getattr(self, "is_mixed", False) else "back" if self.is_reversed else "forward"

    def union(self, other):
        """The edges of both graphs, each once, in the order of the caller's; the reverse of an edge follows it. A loop is its own reverse."""
        if self is other:
            return self
        caller = self.base or self
        caller = caller.reversed() if caller.is_reversed else caller
        if self.direction() == other.direction() == "back":
            return self.reversed().union(other.reversed()).reversed()
        items = sorted({(e, way and caller.src[e] != caller.dst[e]) for e, way in self.items() + other.items()})
        word = f"union_{items}"
        if word not in caller.derived:
            ends = [(caller.dst[e], caller.src[e]) if way else (caller.src[e], caller.dst[e]) for e, way in items]
            g = Graph(f"{caller.name}.{word}", caller.num_nodes, [s for s, _ in ends], [d for _, d in ends])
            g.end_types, g.ways = self.end_types, [way for _, way in items]
            g.edge_type = caller.edge_type and [caller.edge_type[e] for e, _ in items]
            g.is_mixed = self.direction() != other.direction() or self.direction() == "both"
            caller.derived[word] = caller.made(g, [e for e, _ in items])
        return caller.derived[word]

    def end(self, which):
        """The domain of the nodes at an end of the edges, "src" or "dst"."""
        return self.part(self.end_types[which == "dst"]) if self.end_types else self.nodes

    def reversed(self):
        """The same edges, and the same edge values, against their direction."""
        if "reverse" not in self.derived:
            g = copy.copy(self)
            g.src, g.dst, g.derived = self.dst, self.src, {"reverse": self}
            g.end_types, g.is_reversed = self.end_types and self.end_types[::-1], not self.is_reversed
            self.derived["reverse"] = g
        return self.derived["reverse"]

    def extend(self, v, fill):
        """Edge values of the base graph on this one: kept edges keep theirs, new loops get `fill`."""
        if self.base is None or v.domain != self.base.edges:
            raise OracleError("extend_edges wants edge values of the graph that the loops were added to")
        size = volume(v.shape)
        rows = [[fill] * size if e is None else v.rows[e] for e in self.kept]
        errors = v.errors and [[0.0] * size if e is None else v.errors[e] for e in self.kept]
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

