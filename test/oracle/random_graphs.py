"""Random graphs for random models, with all difficult kinds, as tensors of a graph file.

    tensors, metadata, facts = make_graph(random.Random(1), size=40)
"""
from dataclasses import dataclass

from safetensors import Tensor, round_f32, round_to


@dataclass
class GraphFacts:
    """The properties of the graph that a model may use."""
    kind: str
    num_nodes: int
    num_edges: int
    num_graphs: int
    edge_types: int
    node_types: int
    type_names: list  # the types of nodes, where the model names them
    relations: list   # the types of edges, where the model names them: (name, type of sources, type of destinations); types None: any


def _pairs(rng, kind, n):
    """Edges (source, target) of one kind of graph over n nodes."""
    def any_pair():
        return rng.randrange(n), rng.randrange(n)

    if kind == "empty" or n == 0:
        return []
    if kind == "single":
        return [(0, 0)] * rng.randrange(3)
    if kind == "loops":
        again = [(v, v) for v in range(n) if rng.random() < 0.3]
        return [(v, v) for v in range(n) if rng.random() < 0.6] + [any_pair() for _ in range(n)] + again
    if kind == "duplicates":
        distinct = [any_pair() for _ in range(n)]
        return distinct + [rng.choice(distinct) for _ in range(n)]
    if kind == "star_in":
        return [(v, 0) for v in range(1, n)]
    if kind == "star_out":
        return [(0, v) for v in range(1, n)]
    if kind == "path":
        return [(v, v + 1) for v in range(n - 1)]
    if kind == "complete":
        n = min(n, 9)
        return [(s, d) for s in range(n) for d in range(n) if s != d]
    if kind == "isolated":  # two thirds of the nodes have no edge
        k = max(n // 3, 1)
        return [(rng.randrange(k), rng.randrange(k)) for _ in range(n)]
    if kind == "power_law":  # new nodes connect more often to nodes with many edges
        ends, pairs = [0], []
        for v in range(1, n):
            for _ in range(rng.randint(1, 3)):
                other = rng.choice(ends)
                pairs.append((v, other) if rng.random() < 0.5 else (other, v))
                ends += [v, other]
        return pairs
    return [any_pair() for _ in range(rng.randint(n, 4 * n))]  # random


KINDS = ["random"] * 6 + ["power_law"] * 4 + ["nothing", "empty", "single", "loops", "loops", "duplicates", "star_in", "star_out",
                                              "path", "complete", "isolated"]


def _types(rng, count, limit):
    """A type below the limit for each of `count` things: any type, mostly one type, or only one; some types stay unused."""
    present = rng.sample(range(limit), rng.randint(1, limit)) if rng.random() < 0.4 else range(limit)
    weights = [rng.choice([1, 1, 5]) for _ in present]
    return rng.choices(list(present), weights, k=count)


def _edge_types(rng, pairs, node_types, limit):
    """Edge types and how many there are: any, or determined by the types of both ends, so that few pairs of types occur, or with
    the same ends at all edges of a type."""
    form = rng.random()
    if form < 0.4:
        return _types(rng, len(pairs), limit), limit
    if form < 0.7:
        return [(5 * node_types[s] + 3 * node_types[d]) % limit for s, d in pairs], limit
    ends = sorted({(node_types[s], node_types[d]) for s, d in pairs})
    copies = rng.choice([1, 2]) if len(ends) < 5 else 1
    types = [ends.index((node_types[s], node_types[d])) * copies + rng.randrange(copies) for s, d in pairs]
    return types, max(len(ends) * copies, 1)


def _relations(rng, pairs, edge_types, count, node_types, names):
    """Names of the edge types, and of the node types at their ends where all edges of a type have the same."""
    relations, known = [], rng.choice([0.8, 1])
    for t in range(count):
        ends = {(node_types[s], node_types[d]) for (s, d), found in zip(pairs, edge_types) if found == t}
        ends = ends or {(rng.randrange(len(names)), rng.randrange(len(names)))}
        is_known = len(ends) == 1 and rng.random() < known
        relations.append((f"r{t}", *((names[k] for k in ends.pop()) if is_known else (None, None))))
    return relations


def make_graph(rng, size):
    """Returns (tensors, metadata, facts) with up to `size` nodes, without features."""
    kind = rng.choice(KINDS)
    n = rng.choice([2, 3, 5, 7, size // 2 + 1, size, size, size, 3 * size + 5])  # the last size is more than one block of rows
    n = {"single": 1, "nothing": 0}.get(kind, n)
    pairs = _pairs(rng, kind, n)
    if rng.random() < 0.5:
        rng.shuffle(pairs)
    dtype = rng.choice(["I64", "I32"])
    edge_types, node_types = rng.choice([1, 2, 3, 4, 9]), rng.randint(1, 4)
    types = _types(rng, n, node_types)
    if rng.random() < 0.5:
        types.sort()
    types_of_edges, edge_types = _edge_types(rng, pairs, types, edge_types)
    num_graphs = rng.randint(1, max(min(n, 5), 1))
    batch = sorted(rng.randrange(num_graphs) for _ in range(n))
    tensors = {
        "edge_index": Tensor(dtype, [2, len(pairs)], [s for s, _ in pairs] + [d for _, d in pairs]),
        "edge_type": Tensor("I32", [len(pairs)], types_of_edges),
        "node_type": Tensor("I32", [n], types),
        "batch": Tensor("I32", [n], batch),
        "ptr": Tensor("I32", [num_graphs + 1], [sum(1 for b in batch if b < g) for g in range(num_graphs + 1)]),
    }
    names = [f"kind{t}" for t in range(node_types)] if rng.random() < 0.4 else []
    relations = []
    if names and rng.random() < 0.6:
        relations = _relations(rng, pairs, tensors["edge_type"].data, edge_types, types, names)
    facts = GraphFacts(kind, n, len(pairs), num_graphs, edge_types, node_types, names, relations)
    return tensors, {"name": kind, "num_nodes": n}, facts


def dense(rng, shape, style):
    """A tensor of f32: "real" in [-1, 1], "positive" in [0.25, 1.25], "integers" from -3 to 3, "sparse" mostly 0."""
    count = 1
    for s in shape:
        count *= s
    draw = {
        "real": lambda: rng.uniform(-1, 1),
        "positive": lambda: rng.uniform(0.25, 1.25),
        "integers": lambda: float(rng.randint(-3, 3)),
        "sparse": lambda: rng.uniform(-1, 1) if rng.random() < 0.2 else 0.0,
    }[style]
    return Tensor("F32", list(shape), [round_f32(draw()) for _ in range(count)])


def store_as(rng, tensor):
    """The tensor in another number type that readers convert; its numbers are rounded to that type."""
    dtype = rng.choice(["F16", "BF16", "F64"])
    return Tensor(dtype, tensor.shape, [round_to(dtype, v) for v in tensor.data])


def compress(name, tensor):
    """A matrix as NAME_indptr, NAME_indices, NAME_data."""
    rows, columns = tensor.shape
    indptr, indices, data = [0], [], []
    for r in range(rows):
        for c in range(columns):
            value = tensor.data[r * columns + c]
            if value != 0.0:
                indices.append(c)
                data.append(value)
        indptr.append(len(data))
    return {f"{name}_indptr": Tensor("I32", [rows + 1], indptr), f"{name}_indices": Tensor("I32", [len(data)], indices),
            f"{name}_data": Tensor("F32", [len(data)], data)}
