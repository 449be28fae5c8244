"""Arguments by type of a compiled model: x_dict by types of nodes, edge_index_dict by relations, or one HeteroData.

The exporter reads them as it reads a HeteroData. For a run the nodes of all types follow each other in one graph, and the field x of the type
paper is x.paper. What does not fit together is refused before, in the words of the call:

    index 7 is out of bounds for dimension 0 with size 5 (edge_index_dict['author', 'writes', 'paper'], edge 0, source)
"""
import torch

import gnnc_files
from gnnc_arrays import WORDS, identity_of, is_numpy


def is_typed(fields):
    """Whether the arguments of a call are by type."""
    return any(isinstance(v, dict) or gnnc_files.has_types(v) for v in fields.values())


def known_types(model):
    """Types and relations in the order of the layers that know them all; others are put behind, in the order of the first calls."""
    known = []
    for m in model.modules():
        types, relations = getattr(m, "metadata", None) or (getattr(m, "node_types", []), getattr(m, "edge_types", []))
        if isinstance(types, (list, tuple)) and isinstance(relations, (list, tuple)):
            known += [k for k in [*types, *relations] if is_kind(k) and k not in known]
    return known


def is_relation(kind):
    return isinstance(kind, tuple) and len(kind) == 3 and all(isinstance(word, str) for word in kind)


def is_kind(kind):
    return isinstance(kind, str) or is_relation(kind)


def listed(kinds):
    return ", ".join(str(k) for k in kinds) or "none"


def key_text(kind):
    return ", ".join(repr(word) for word in kind) if isinstance(kind, tuple) else repr(kind)


class Arguments:
    """The tensors of a call by type or relation and by name. The exporter takes it as a HeteroData: node_types, edge_types, given[kind]."""
    has_types = True

    def __init__(self, fields, order):
        self.stores, self.words, self.constants, self.counts = {}, {}, {}, {}
        for name, v in fields.items():
            if isinstance(v, (bool, int, float, str)):
                self.constants[name] = v
            elif gnnc_files.has_types(v):
                self.add_data(name, v, len(fields))
            else:
                self.add_dictionary(name, v)
        order += [kind for kind in self.stores if kind not in order]
        self.node_types = [kind for kind in order if kind in self.stores and isinstance(kind, str)]
        self.edge_types = [kind for kind in order if kind in self.stores and isinstance(kind, tuple)]
        self.counts = {kind: self.check_nodes(kind) for kind in self.node_types}
        self.edge_counts = {kind: self.check_relation(kind) for kind in self.edge_types}
        self.edge_fields = [name for kind in self.edge_types[:1] for name in self.stores[kind] if name != "edge_index"]
        self.check_edge_fields()
        self.num_nodes = sum(self.counts.values())

    def __getitem__(self, kind):
        return Store(self.stores[kind], self.counts.get(kind))

    # ---- what is given
    def add_data(self, name, data, count):
        if count > 1:
            raise TypeError(f"{name} is a {type(data).__name__}, and there are {count} arguments; expected it alone, or dictionaries by type")
        for kind in [*data.node_types, *data.edge_types]:
            store, words = data[kind], f"{name}[{key_text(kind)}]"
            self.stores[kind] = {}
            if isinstance(kind, str):
                self.counts[kind] = gnnc_files.count_of(data, kind) or 0
            elif "edge_index" in store:
                self.add(kind, "edge_index", store["edge_index"], f"{words}.edge_index")
            else:
                raise TypeError(f"{words} has no edge_index")
            count = self.counts[kind] if isinstance(kind, str) else store["edge_index"].shape[1]
            for field, v in store.items():
                if isinstance(v, torch.Tensor) and field != "edge_index" and v.layout == torch.strided and v.shape[:1] == (count,):
                    self.stores[kind][field], self.words[kind, field] = v, f"{words}.{field}"
        relations = [self.stores[kind] for kind in data.edge_types]       # what some of them lack is left out
        for field in {field for store in relations for field in store}:
            if len({tuple(store[field].shape[1:]) if field in store else None for store in relations}) > 1 and field != "edge_index":
                for store in relations:
                    store.pop(field, None)

    def add_dictionary(self, name, given):
        if not isinstance(given, dict):
            raise TypeError(f"{name} must be a dictionary of tensors by type, as the other arguments are, not {type(given).__name__}")
        base = name[:-5] if name.endswith("_dict") else name
        for kind, v in given.items():
            if v is None:
                continue
            if not is_kind(kind) or base == "edge_index" and not is_relation(kind):
                raise TypeError(f"{name} has the key {kind!r}; expected " + ("" if base == "edge_index" else "the name of a type, or ") +
                                "(source, relation, destination)")
            self.stores.setdefault(kind, {})
            self.add(kind, base, v, f"{name}[{key_text(kind)}]")

    def add(self, kind, field, v, words):
        if is_numpy(v):
            raise TypeError(f"{words} is a NumPy array; tensors are expected")
        if gnnc_files.is_sparse(v):
            raise TypeError(f"{words} is a sparse matrix; expected edge_index, whole numbers [2, edges]")
        if not isinstance(v, torch.Tensor):
            raise TypeError(f"{words} must be a tensor, not {type(v).__name__}")
        if v.device.type != "cpu":
            raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {v.device} and cpu! ({words})")
        dtype = str(v.dtype).split(".")[-1]
        if field == "edge_index" and "int" not in dtype:
            raise RuntimeError(f"expected scalar type Long but found {WORDS.get(dtype, dtype)} ({words})")
        if v.is_floating_point() and v.dtype != torch.float32:
            raise RuntimeError(f"expected scalar type Float but found {WORDS.get(dtype, dtype)} ({words})")
        if v.dim() == 0 or field == "edge_index" and (v.dim() != 2 or v.shape[0] != 2):
            raise RuntimeError(f"{words} has the wrong shape: expected {'[2, edges]' if field == 'edge_index' else 'rows'}, got {list(v.shape)}")
        self.stores[kind][field], self.words[kind, field] = v, words

    # ---- whether it fits together
    def check_nodes(self, kind):
        """The number of nodes of a type."""
        if kind in self.counts:
            return self.counts[kind]                         # of a HeteroData
        (first, v), *more = self.stores[kind].items()
        for name, other in more:
            if len(other) != len(v):
                raise RuntimeError(f"{self.words[kind, name]} has the wrong shape: expected {len(v)} rows, as {self.words[kind, first]} has, "
                                   f"got {list(other.shape)}")
        return len(v)

    def check_relation(self, kind):
        """The number of edges of a relation."""
        store = self.stores[kind]
        for name in store:
            if "edge_index" not in store:
                raise ValueError(f"there is {self.words[kind, name]}, and no edge_index of this relation")
        for end in (kind[0], kind[2]):
            if end not in self.counts:
                raise ValueError(f"{self.words[kind, 'edge_index']} joins nodes of the type '{end}', of which no tensor is given; there are "
                                 f"{listed(self.node_types)}")
        count = store["edge_index"].shape[1]
        for name, v in store.items():
            if name != "edge_index" and len(v) != count:
                raise RuntimeError(f"{self.words[kind, name]} has the wrong shape: expected {count} rows, as the relation has edges, got {list(v.shape)}")
        return count

    def check_edge_fields(self):
        """Values of edges are those of all relations, with one shape."""
        for kind in self.edge_types:
            for name in self.stores[kind]:
                lacking = [other for other in self.edge_types if name not in self.stores[other]]
                if lacking:
                    raise ValueError(f"there is {self.words[kind, name]}, and none of the relation {lacking[0]}; expected it of all relations")
                first = self.edge_types[0]
                shapes = [tuple(self.stores[k][name].shape[1:]) for k in (first, kind)]
                if name != "edge_index" and shapes[0] != shapes[1]:
                    raise RuntimeError(f"{self.words[kind, name]} has the wrong shape: expected [{', '.join(map(str, ('edges',) + shapes[0]))}], as "
                                       f"{self.words[first, name]} has, got {list(self.stores[kind][name].shape)}")

    def check_ends(self, kind):
        """Both ends of each edge are nodes of their types."""
        for row, (end, word) in enumerate(zip((kind[0], kind[2]), ("source", "target"))):
            ends, count = self.stores[kind]["edge_index"][row], self.counts[end]
            wrong = ((ends < 0) | (ends >= count)).nonzero()
            if len(wrong):
                at = int(wrong[0])
                raise IndexError(f"index {int(ends[at])} is out of bounds for dimension 0 with size {count} "
                                 f"({self.words[kind, 'edge_index']}, edge {at}, {word})")

    # ---- the program and the graph of a call
    def key(self):
        """What a program depends on: types, relations, and the shapes of their rows."""
        return (repr(self.constants), *((kind, name, v.is_floating_point(), () if name == "edge_index" else tuple(v.shape[1:]))
                                        for kind in self.node_types + self.edge_types for name, v in sorted(self.stores[kind].items())))

    def identity(self):
        """What changes when a relation has other edges, or a type another number of nodes."""
        return (*self.counts.items(), *((kind, identity_of(self.stores[kind]["edge_index"])) for kind in self.edge_types))

    def edges(self):
        return [self.stores[kind]["edge_index"] for kind in self.edge_types]

    def integers(self):
        return [v for store in self.stores.values() for v in store.values() if not v.is_floating_point()]

    def graph(self):
        """The edges of all relations with numbers of all nodes, and the numbers of types and relations."""
        first, ends = dict(zip(self.counts, self.starts())), []
        for kind in self.edge_types:
            self.check_ends(kind)
            ends.append(self.stores[kind]["edge_index"].to(torch.int64) + torch.tensor([[first[kind[0]]], [first[kind[2]]]]))
        return {"edge_index": torch.cat(ends, dim=1) if ends else torch.zeros(2, 0, dtype=torch.long),
                "edge_type": numbered(self.edge_counts.values()), "node_type": numbered(self.counts.values())}

    def starts(self):
        counts = list(self.counts.values())
        return [sum(counts[:k]) for k in range(len(counts))]

    def fields(self):
        """The inputs of a run by their names in the graph file."""
        made = {f"{name}.{kind}": v for kind in self.node_types for name, v in self.stores[kind].items()}
        for name in self.edge_fields:
            made[name] = torch.cat([self.stores[kind][name] for kind in self.edge_types])
        return made


class Store(dict):
    """The fields of one type or relation."""

    def __init__(self, fields, num_nodes):
        super().__init__(fields)
        self.num_nodes = num_nodes


def numbered(counts):
    """0, 0, 0, 1, 1, ...: as many of each number as the counts say."""
    return torch.repeat_interleave(torch.tensor(list(counts), dtype=torch.long))
