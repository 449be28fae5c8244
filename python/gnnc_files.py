"""Data for an exported model: which fields there are, what they are, and the files that hold them."""
import errno
import inspect
import json
import os
import struct

import torch

from gnnc_ops import Count, Refused
from gnnc_trace import Stop, Value

KINDS = {torch.float32: "F32", torch.float64: "F64", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64", torch.int32: "I32",
         torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}
GRAPHS = ("edge_index", "adj_t", "adj", "edge_index_dict")
INDICES = ("batch", "edge_type", "node_type")
MASKS = ("train_mask", "val_mask", "test_mask")


def write_files(files):
    """Writes beside the files, {path: bytes}, and renames at the end, so that neither half of a file nor some of them are ever seen."""
    beside = {path: f"{path}.{os.getpid()}.tmp" for path in files}
    path = None
    try:
        for path in files:
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            with open(beside[path], "wb") as f:
                f.write(files[path])
        for path in files:
            os.replace(beside[path], path)
    except OSError as e:
        raise OSError(e.errno, e.strerror, path) from None
    finally:
        for left in beside.values():
            if os.path.exists(left):
                os.remove(left)


def packed(tensors, metadata=None):
    """The bytes of a safetensors file."""
    head, blobs, at = ({"__metadata__": metadata} if metadata else {}), [], 0
    for name, v in sorted(tensors.items(), key=lambda item: -item[1].element_size()):
        v = v.detach().cpu().contiguous()
        data = bytes(v.view(-1).view(torch.uint8).numpy()) if v.dtype != torch.bool else bytes(v.view(-1).to(torch.uint8).numpy())
        head[name] = {"dtype": KINDS[v.dtype], "shape": list(v.shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        blobs.append(data)
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(blobs)


def load(path):
    """What torch.save has written: newer versions must be told that it may be more than tensors."""
    options = {"weights_only": False} if "weights_only" in inspect.signature(torch.load).parameters else {}
    return torch.load(path, map_location="cpu", **options)


def is_data(data):
    """Whether this has fields: a Data, a HeteroData or a dictionary."""
    return isinstance(data, dict) or hasattr(data, "to_dict") or has_types(data)


def has_types(data):
    """Whether this has fields by type: a HeteroData, or arguments by type (gnnc_typed)."""
    return type(data).__name__.startswith("HeteroData") or getattr(type(data), "has_types", False)


def is_sparse(v):
    """A SparseTensor of torch_sparse or PyTorch Geometric, or a sparse tensor of PyTorch."""
    return type(v).__name__ == "SparseTensor" or isinstance(v, torch.Tensor) and v.layout != torch.strided


def edges_of(adjacency):
    """edge_index and weights of an adjacency matrix that is stored transposed, as PyTorch Geometric stores it."""
    if isinstance(adjacency, torch.Tensor):
        adjacency = adjacency.to_sparse_coo().coalesce() if hasattr(adjacency, "to_sparse_coo") else adjacency.to_sparse().coalesce()
        (row, col), value = adjacency.indices(), adjacency.values()
        return torch.stack([col, row]), value, adjacency.shape[0]
    row, col, value = adjacency.coo()
    return torch.stack([col, row]), value, adjacency.size(0)


def wrong_edges(edges):
    """What is wrong with the type or shape of an edge_index, or None."""
    kind = str(edges.dtype).split(".")[-1]
    if edges.dim() != 2 or edges.shape[0] != 2 or "int" not in kind:
        return f"is {kind} {list(edges.shape)}; expected whole numbers [2, edges]"
    return None


def wrong_end(edges, ends):
    """The first edge whose source or target is not among the nodes, or None. `ends` are what the nodes of both rows are called, and how
    many there are."""
    for row, word in enumerate(("source", "target")):
        nodes, count = ends[row]
        wrong = ((edges[row] < 0) | (edges[row] >= count)).nonzero()
        if len(wrong):
            at = int(wrong[0])
            return f"edge {at} has the {word} {int(edges[row][at])}, but there are {count} {nodes}"
    return None


def count_of(data, kind):
    """The number of nodes of a type, or None where nothing says it."""
    found = data[kind].num_nodes
    return None if found is None else int(found)


def relation_edges(store):
    """edge_index of a relation, or None."""
    if "edge_index" in store:
        return store["edge_index"]
    return edges_of(store["adj_t"])[0] if "adj_t" in store and is_sparse(store["adj_t"]) else None


def heterogeneous(data, problems, warnings):
    """The fields of a HeteroData as those of one graph: types by number, the nodes of all types one after the other."""
    node_types, edge_types = list(data.node_types), list(data.edge_types)
    counts = {kind: count_of(data, kind) for kind in node_types}
    problems += [f"the type '{kind}' has no field of its nodes and no num_nodes" for kind, n in counts.items() if n is None]
    counts = {kind: n or 0 for kind, n in counts.items()}
    first = dict(zip(node_types, [sum(list(counts.values())[:k]) for k in range(len(counts))]))
    total, ends, types, fields = sum(counts.values()), [], [], {}
    sizes = {}
    for number, kind in enumerate(edge_types):
        edges, name = relation_edges(data[kind]), f"the relation {kind}"
        unknown = [k for k in (kind[0], kind[-1]) if k not in counts]
        wrong = "has no edge_index" if edges is None else f"joins nodes of the type '{unknown[0]}', which the data does not have" if unknown else None
        found = wrong or (wrong_edges(edges) and f"edge_index {wrong_edges(edges)}") or \
            wrong_end(edges, [(f"nodes of the type '{k}'", counts[k]) for k in (kind[0], kind[-1])])
        if found:
            problems.append(f"{name}{' ' if wrong else ': '}{found}")
            continue
        ends.append(edges + torch.tensor([[first[kind[0]]], [first[kind[-1]]]]))
        types.append(torch.full((edges.shape[1],), number))
        sizes[kind] = edges.shape[1]
    fields["edge_index"] = torch.cat(ends, dim=1) if ends else torch.zeros(2, 0, dtype=torch.long)
    fields["edge_type"] = torch.cat(types) if types else torch.zeros(0, dtype=torch.long)
    fields["node_type"] = torch.cat([torch.full((n,), number) for number, n in enumerate(counts.values())] or [torch.zeros(0, dtype=torch.long)])
    for kind, count in counts.items():
        for name, v in data[kind].items():
            if not isinstance(v, torch.Tensor):
                continue
            if v.shape[:1] != (count,):
                warnings.append(f"'{name}' of the type '{kind}' is left out: it is {list(v.shape)}, and there are {count} nodes of the type")
            elif name == "y" and v.dim() == 1 and not v.is_floating_point() and v.dtype != torch.bool:
                fields.setdefault("y", torch.full((total,), -1))[first[kind]:first[kind] + count] = v
            elif name in MASKS and v.dim() == 1 and v.dtype == torch.bool:
                fields.setdefault(name, torch.zeros(total, dtype=torch.bool))[first[kind]:first[kind] + count] = v
            else:
                fields[f"{name}.{kind}"] = v
    for name in sorted({name for kind in sizes for name, v in data[kind].items() if isinstance(v, torch.Tensor) and name not in GRAPHS}):
        found = {kind: data[kind][name] for kind in sizes if name in data[kind]}
        other = [kind for kind, v in found.items() if v.shape[:1] != (sizes[kind],)]
        if other:
            shape, count = list(found[other[0]].shape), sizes[other[0]]
            warnings.append(f"'{name}' is left out: that of {other[0]} is {shape}, and the relation has {count} edges")
        elif len(found) < len(sizes):
            warnings.append(f"'{name}' is left out: {next(kind for kind in sizes if kind not in found)} has none")
        elif len({v.shape[1:] for v in found.values()}) > 1:
            warnings.append(f"'{name}' is left out: " + ", ".join(f"that of {kind} is {list(v.shape)}" for kind, v in found.items()))
        else:
            fields[name] = torch.cat(list(found.values()))       # what all relations have is a field of the edges
    return {**fields, "num_nodes": total}


def type_names(data):
    """The metadata of a HeteroData: types need not have nodes, nor relations edges."""
    names = [kind[1] for kind in data.edge_types]
    names = names if len(set(names)) == len(names) else ["__".join(kind) for kind in data.edge_types]
    return {"num_node_types": str(len(data.node_types)), "num_relations": str(len(names)), "node_types": "|".join(data.node_types),
            "relations": "|".join(names)}


def signature_of(forward):
    """The parameters of a forward; those of PyTorch Geometric's Sequential have names where it is made."""
    found = inspect.signature(forward)
    named = getattr(getattr(getattr(forward, "__self__", None), "signature", None), "param_dict", None)
    if named and any(p.kind is p.VAR_POSITIONAL for p in found.parameters.values()):
        return inspect.Signature([inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in named])
    return found


def takes_edges(signature):
    """Whether a forward takes the edges of the data; others only have those that they make."""
    return any(name in GRAPHS + ("data",) for name in signature.parameters)


class Fields:
    """The tensors of the data by name, with the domain of each."""

    def __init__(self, data):
        self.problems, self.warnings, self.lists, self.sparse = [], [], {}, None
        self.lacking = []                            # that there is no edge_index: what is wrong where a model takes one
        self.extra, self.extra_rows = {}, {}         # fields that the trace has added
        self.derived = {}                            # those that follow from other fields: name -> function of the fields
        self.is_heterogeneous = has_types(data)
        self.names = type_names(data) if self.is_heterogeneous else {}
        self.node_types, self.edge_types = (list(data.node_types), list(data.edge_types)) if self.is_heterogeneous else ([], [])
        self.relation_names = self.names["relations"].split("|") if self.edge_types else []
        items = data if isinstance(data, dict) else heterogeneous(data, self.problems, self.warnings) if self.is_heterogeneous else data.to_dict()
        self.tensors, given = {}, {}
        for name, v in items.items():
            if isinstance(v, (list, tuple)) and v and all(isinstance(t, torch.Tensor) for t in v):
                self.lists[name] = [f"{name}_{k}" for k in range(len(v))]
                self.tensors.update(zip(self.lists[name], v))
            elif is_sparse(v):
                self.tensors["edge_index"], value, given["num_nodes"] = edges_of(v)
                if value is not None and (value != 1).any():
                    self.tensors["edge_weight"] = value
                self.sparse = name
            elif isinstance(v, torch.Tensor):
                self.tensors[name] = v
            else:
                given[name] = v
        constants = getattr(data, "constants", {}) if self.is_heterogeneous else given if isinstance(data, dict) else {}
        self.constants = {k: v for k, v in constants.items() if k != "num_nodes"}      # numbers and words
        if "edge_index" not in self.tensors:
            self.lacking = ["the data has no edge_index" + (f"; it has {', '.join(items)}" if items else "")]
            self.tensors["edge_index"] = torch.zeros(2, 0, dtype=torch.long)
        wrong = wrong_edges(self.tensors["edge_index"])
        if wrong:
            self.problems.append(f"edge_index {wrong}")
            self.tensors["edge_index"] = torch.zeros(2, 0, dtype=torch.long)
        edges = self.tensors["edge_index"]
        self.num_edges = edges.shape[1]
        declared = given.get("num_nodes") or (None if isinstance(data, dict) else getattr(data, "num_nodes", None))
        named = [self.tensors[n].shape[0] for n in ("x", "pos", "node_type", "batch") if n in self.tensors]
        self.is_declared = bool(declared or named)
        self.num_nodes = int(declared or (named[0] if named else int(edges.max()) + 1 if edges.numel() else 0))
        self.num_graphs = int(self.tensors["batch"].max()) + 1 if "batch" in self.tensors and len(self.tensors["batch"]) else 1
        self.wrong_end = wrong_end(edges, [("nodes", self.num_nodes)] * 2)
        if not self.wrong_end:
            self.check_loops(edges)

    def check_loops(self, edges):
        loops = edges[0][edges[0] == edges[1]]
        if len(loops):
            count = torch.bincount(loops)
            if int(count.max()) > 1:
                node = int(count.argmax())
                self.warnings.append(f"node {node} has {int(count[node])} stored self loops: layers with one loop per node keep the last of "
                                     "them, as PyTorch Geometric does")

    def domain(self, name):
        v = self.tensors[name]
        count = v.shape[0] if v.dim() else -1
        by_name = ["edge"] if "edge" in name or name.startswith("adj") else ["graph"] if name == "y" else []
        sizes = {"node": self.num_nodes, "edge": self.num_edges, "graph": self.num_graphs if "batch" in self.tensors else -1}
        return next((d for d in by_name + ["node", "edge", "graph"] if sizes[d] == count), "plain")

    def find(self, tensor):
        """The name of a field that is this tensor."""
        for name, v in self.tensors.items():
            if v is tensor or (v.data_ptr() == tensor.data_ptr() and v.shape == tensor.shape and v.numel()):
                return name
        return None

    def value(self, t, name):
        """The field as a value of the trace."""
        if name in GRAPHS or name == self.sparse:
            if name == self.sparse and "edge_weight" in self.tensors:
                made = Value(t, "same", [t.graph], "edges")
                made.weight = t.field("edge_weight")
                return made
            return t.graph
        if name in INDICES:
            return Value(t, "index", [name], "index", edges=t.graph if name == "edge_type" else None, kind="i32")
        if name in self.lists:
            return [t.field(n) for n in self.lists[name]]
        if name not in self.tensors:
            raise Refused(f"the data has no '{name}'")
        if any(name.endswith("." + kind) for kind in self.node_types):
            return t.schema.input(name, self.tensors[name])
        v, domain = self.tensors[name], self.domain(name)
        if domain == "plain" and not v.is_floating_point():
            return v                                     # numbers of rows, as `ptr`: what follows from them is computed at once
        if domain == "plain":
            raise Refused(f"'{name}' has {list(v.shape)[:1]} rows: there are {self.num_nodes} nodes and {self.num_edges} edges")
        if not v.is_floating_point() and domain == "graph":
            return v                                     # numbers of nodes
        if not v.is_floating_point():
            return t.integers(v, lambda fields: fields[name], name, domain)
        made = Value(t, "input", [], domain, v.shape[1:], t.graph if domain == "edge" else None, name=name)
        made.file_name = name
        return made

    def arguments(self, t, signature):
        """Values for the parameters of forward."""
        args = {}
        for k, (name, parameter) in enumerate(signature.parameters.items()):
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            has_default = parameter.default is not parameter.empty
            found = self.typed(t, name) if self.is_heterogeneous else None
            if found is not None:
                args[name] = found
                continue
            if name in self.constants:
                args[name] = self.constants[name]        # a number, a word: Python's own
                continue
            if name in self.tensors or name in self.lists or name == self.sparse:
                try:
                    args[name] = t.field(name)
                except Refused as e:
                    t.problem(str(e))
                    args[name] = t.unknown()
            elif name in ("adj_t", "adj") and not has_default:
                args[name] = t.graph
            elif name == "data" and not has_default:
                args[name] = DataValue(t)
            elif k == 0 and not has_default and "x" in self.tensors and not self.is_heterogeneous:
                args[name] = t.field("x")                # its name may be another one
            elif not has_default and self.is_heterogeneous:
                self.problems.append(f"forward takes '{name}', which no type of the data has; it has {', '.join(self.tensors)}")
                args[name] = t.unknown()
            elif not has_default:
                self.problems.append(f"forward takes '{name}', which the data does not have; it has {', '.join(self.tensors)}")
                args[name] = t.unknown()
        return args

    def typed(self, t, name):
        """The dictionary x_dict or edge_index_dict; None where the data has no such field of its types."""
        try:
            return t.schema.dictionary(name)
        except Refused as e:
            t.problem(str(e))
            return t.unknown()

    def has_at_least(self, count):
        """Where nothing but edge_index says how many nodes there are, there may be more."""
        if not self.is_declared:
            self.num_nodes = max(self.num_nodes, count)

    def add(self, name, tensor, rows=None):
        """A field of nodes that the model reads and the data did not have."""
        self.tensors[name] = self.extra[name] = tensor
        self.extra_rows[name] = rows

    def index(self, role):
        if role in ("src", "dst"):
            return self.tensors["edge_index"][role == "dst"]
        return self.tensors[role]

    def stored(self):
        """What the graph file holds: all fields that its format has."""
        return {k: v for k, v in self.tensors.items() if v.dtype in KINDS}

    def metadata(self):
        return {"num_nodes": str(self.num_nodes), **self.names}

    def spread(self, fields):
        """Arrays by their names in the graph file, of arguments like those that these fields were made from."""
        fields = Fields(fields).tensors if self.lists or self.sparse else fields
        return {**fields, **{name: derive(fields) for name, derive in self.derived.items()}}


class DataValue:
    """The data as a forward sees it that takes it whole: data.x, data["x"], data.num_nodes."""

    def __init__(self, t):
        self.__dict__.update(_trace=t, _own={})

    def __getattr__(self, name):
        t, own = self._trace, self._own
        if name in own:
            return own[name]
        if name in t.fields.tensors or name in t.fields.lists or name == t.fields.sparse:
            return t.field(name)
        if t.schema and name.endswith("_dict"):
            return t.fields.typed(t, name)
        if name == "num_nodes":
            return Count("node")
        if name in ("num_graphs", "batch_size"):
            return Count("graph")
        if name in ("to", "clone", "contiguous"):
            return lambda *args, **kwargs: self
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __setattr__(self, name, value):
        self._own[name] = value

    __setitem__ = __setattr__
    __getitem__ = __getattr__

    def __contains__(self, name):
        return getattr(self, name) is not None

    def __bool__(self):
        raise Stop("a condition depends on the data")
