"""Rows by number while a forward is traced: x[edge_index[0]], scatter, x[:, 2:5], p[batch], and integers of the data.

Indices (edge_index, batch) are no values of the language. Reading at them becomes e.src.x, e.dst.x and p[n.graph]; arithmetic with them is done
at once, on the data."""
import torch

import gnnc_layers
import gnnc_marks
import gnnc_ops
import gnnc_relations
import gnnc_shapes
from gnnc_ops import Count, Refused, full_shape
from gnnc_trace import Value, first_value, is_value, resolved


def column_of(name, dims, key):
    """The column that x[:, 3] or x.squeeze(-1) selects of a field x with rows of one dimension; else None."""
    if name in ("squeeze", "flatten", "view", "reshape"):
        return 0 if dims == (1,) else None
    keys = list(key) if isinstance(key, tuple) else [key]
    is_whole = len(keys) == 2 and (keys[0] is Ellipsis or keys[0] == slice(None))
    return keys[1] % dims[0] if name == "getitem" and len(dims) == 1 and is_whole and isinstance(keys[1], int) else None


def function_of(name):
    """PyTorch's function of this name, also that of an operator."""
    own = {"getitem": lambda a, k: a[k], "and": torch.bitwise_and, "or": torch.bitwise_or, "xor": torch.bitwise_xor, "invert": torch.bitwise_not}
    own |= {k + n: own[n] for k in "ri" for n in ("and", "or", "xor")}
    return own.get(name) or getattr(torch.Tensor, name, None) or getattr(torch, name)


class Rows:
    """The part of a tracer that reads and reduces rows."""

    def index(self, x, key):
        if x.domain == "edges":
            if key in (0, 1):
                return Value(self, "index", ["src", "dst"][key:key + 1], "index", edges=resolved(x), kind="i32")
            kinds = gnnc_relations.kinds_of(key)
            if kinds is not None:
                return gnnc_relations.edges_of(self, x, kinds)
            raise Refused("a part of edge_index is selected")
        if is_value(key) and key.domain == "index":
            return gnnc_relations.values_at(self, x, key) if key.args[0] == gnnc_relations.MASK else self.gathered(x, key)
        if is_value(key) and key.op == "integers" and x.domain == "plain" and not key.dims:
            return self.looked_up(key, x)
        keys = list(key) if isinstance(key, tuple) else [key]
        rank = len(full_shape(x))
        if Ellipsis in [k for k in keys if not is_value(k)]:
            at = [k is Ellipsis for k in keys].index(True)
            keys[at:at + 1] = [slice(None)] * (rank - sum(k is not None for k in keys) + 1)
        if gnnc_ops.rows(x) and x.lead == 0:
            if len(keys) == 1 and isinstance(keys[0], torch.Tensor) and not is_value(keys[0]):
                return self.rows_by_number(x, keys[0])
            if not (isinstance(keys[0], slice) and keys[0].start in (None, 0) and keys[0].stop in (None, Count(x.domain))):
                raise self.selected()
            keys = keys[1:]
        elif gnnc_ops.rows(x):
            raise Refused("an index of a tensor whose rows are not first")
        axis = 0
        for k in keys:
            if k is None:
                x = self.reshape(x, x.dims[:axis] + (1,) + x.dims[axis:])
                axis += 1
            elif isinstance(k, int):
                k = k + x.dims[axis] if k < 0 else k
                x = self.make("slice", [x, ", ".join([".."] * axis + [str(k)])], x, x.dims[:axis] + x.dims[axis + 1:])
            elif isinstance(k, slice) and k.step in (None, 1) and not any(is_value(e) for e in (k.start, k.stop)):
                begin, end, _ = k.indices(x.dims[axis])
                x = x if (begin, end) == (0, x.dims[axis]) else gnnc_shapes.piece(self, x, axis, begin, end)
                axis += 1
            else:
                raise Refused("columns are selected by a tensor")
        return x

    def gathered(self, x, key):
        role = key.args[0]
        if role in ("src", "dst") and x.domain == "node":
            if key.edges.ends and x.nodes != key.edges.ends[role == "dst"]:
                raise Refused(f"nodes '{x.nodes}' are read at '{key.edges.ends[role == 'dst']}'")
            return self.placed(Value(self, role, [x], "edge", x.dims, key.edges), x)
        if role == "batch" and x.domain == "graph":
            if not self.has_rows(x):                 # the same for all graphs
                return self.placed(Value(self, "same", [x], "node", x.dims), x)
            made = self.placed(Value(self, "at", [x, "graph"], "node", x.dims), x)
            made.among = key.among
            return made
        if role == "perm" and x.domain == "node":        # the rows of the nodes that a pooling keeps
            return gnnc_marks.kept(self, x, key)
        if role in ("edge_type", "node_type") and x.op == "weight" and x.domain == "plain":
            table = self.weight(x.file_name, x.dims, "etype" if role == "edge_type" else "ntype")
            return Value(self, "at", [table, "type"], "edge" if role == "edge_type" else "node", table.dims,
                         self.graph if role == "edge_type" else None)
        raise Refused(f"{gnnc_ops.describe(x)} is read at {role}")

    def table(self, name, weight, axis):
        """A weight with a row per node along `axis`, as a field of the nodes: rows first."""
        self.fields.has_at_least(weight.dims[axis])
        if weight.dims[axis] != self.fields.num_nodes:
            raise Refused(f"{name} has {weight.dims[axis]} rows, and the graph has {self.fields.num_nodes} nodes")
        if self.is_training:
            raise Refused(f"{name}, a weight with a row per node, has no gradient; an embedding that is given as x would do")
        field = name.replace(".", "_")
        if field not in self.fields.extra:
            tensor = dict(self.model.state_dict())[name]
            self.fields.add(field, tensor.detach().movedim(axis, 0).contiguous())
        return self.field(field)

    def placed(self, made, like):
        """made with its rows where `like` has them."""
        made.lead = like.lead
        return made

    def placed_in(self, domain, v):
        """A tensor that all rows of a domain share."""
        return Value(self, "same", [v], domain, v.dims)

    def has_rows(self, v):
        """Whether v differs from row to row."""
        v = resolved(v)
        return v.op in ("input", "src", "dst", "at", "degree", "reduce", "loop") or any(self.has_rows(a) for a in self.operands(v))

    def selected(self, rows=None):
        """Why rows cannot be selected, for rows of these numbers."""
        pairs = self.fields.tensors.get("edge_label_index")
        if isinstance(rows, torch.Tensor) and isinstance(pairs, torch.Tensor) and pairs.dim() == 2 and any(torch.equal(rows, ends) for ends in pairs):
            return Refused("rows are selected by edge_label_index: export the method that computes the rows, such as method = \"encode\", "
                           "and score the pairs of its result")
        return Refused("rows are selected; select them from the result")

    def rows_by_number(self, x, rows):
        """x[rows] with the number of one node for each graph: a sum over the graph of what is 0 at other nodes."""
        f = self.fields
        batch = f.tensors.get("batch")
        if x.domain != "node" or batch is None or rows.dim() != 1 or len(rows) != f.num_graphs or \
                not torch.equal(batch[rows], torch.arange(len(rows))):
            raise self.selected(rows)
        name = next((k for k, v in f.extra.items() if torch.equal(f.extra_rows[k], rows)), None)
        if name is None:
            name = gnnc_layers.unused("is_selected", f.tensors)
            f.add(name, torch.zeros(f.num_nodes).index_fill(0, rows, 1.0), rows)
        self.is_baked = True
        return gnnc_ops.pooled(self, "global_sum", gnnc_ops.multiply(self, x, self.reshape(self.field(name), (1,) * len(x.dims))))

    def scattered(self, v, key, reduce):
        """The reduction of edge values at an end of their edges, or of node values per graph."""
        reduce = gnnc_ops.REDUCTION_WORDS.get(reduce, reduce)
        if reduce not in gnnc_ops.REDUCTIONS:
            raise Refused(f"the reduction '{reduce}'; {', '.join(gnnc_ops.REDUCTIONS)} would do")
        role = key.args[0]
        if role == "batch" and v.domain == "node":
            return gnnc_ops.pooled(self, "global_" + reduce, v, key)
        if role in ("src", "dst") and v.domain == "edge":
            if gnnc_ops.set_of(v) is not resolved(key.edges):
                raise Refused("values of one edge set are reduced over another one")
            made = Value(self, "reduce", [reduce, v, "incoming" if role == "dst" else "outgoing"], "node", v.dims, resolved(key.edges))
            made.nodes = made.edges.ends and made.edges.ends[role == "dst"]
            return self.placed(made, v)
        raise Refused(f"{gnnc_ops.describe(v)} is reduced over {role}")

    # ---- indices and integers
    def on_indices(self, name, args, kwargs):
        """Arithmetic of indices is done at once, on the data: its results belong to this graph."""
        if name == "eq" and gnnc_relations.is_type(args):
            return gnnc_relations.mask(self, args[1])
        both = gnnc_relations.joined(self, name, args)
        if both is not None:
            return both

        def real(v):
            if is_value(v):
                if v.domain != "index":
                    raise Refused(f"{name}() of an index and of computed values")
                if v.among is not None:
                    raise Refused(f"{name}() of numbers of the nodes that a pooling keeps")
                return gnnc_relations.numbers(self, v) if v.args[0] == gnnc_relations.MASK else self.fields.index(v.args[0])
            return type(v)(real(s) for s in v) if isinstance(v, (list, tuple)) else v
        args, kwargs = real(args), {k: real(v) for k, v in kwargs.items()}
        self.is_baked = True
        return function_of(name)(*args, **kwargs)

    def integers(self, tensor, derive, name, domain):
        """Integers of nodes or edges, which follow from fields of the data: they are no values of the language, but what follows from them may
        be. `derive` computes them from the fields."""
        v = Value(self, "integers", [], domain, tensor.shape[1:], self.graph if domain == "edge" else None, kind="i32")
        v.tensor, v.derive, v.file_name, v.column = tensor, derive, name, None
        return v

    def on_integers(self, name, args, kwargs):
        """A function of integers alone: done at once, on the data and again on later data."""
        v = args[0]
        if name in ("long", "int", "clone", "contiguous", "detach", "cpu"):
            return v
        function = function_of(name)
        result = function(v.tensor, *args[1:], **kwargs)
        if not isinstance(result, torch.Tensor) or result.shape[:1] != v.tensor.shape[:1] or first_value([args[1:], kwargs]) is not None:
            raise Refused(f"{name}() of integers per {v.domain}")
        made = self.integers(result, lambda fields: function(v.derive(fields), *args[1:], **kwargs), v.file_name, v.domain)
        if self.is_stored(v) and not made.dims:
            made.column = column_of(name, v.dims, args[1] if len(args) > 1 else None)
        return made

    def is_stored(self, v):
        """Whether integers are a field of the data as it is."""
        return self.fields.tensors.get(v.file_name) is v.tensor

    def index_input(self, v):
        """Integers as an input, or as a column of one: fields of the data as they are, others as fields of the graph file."""
        name = v.file_name if self.is_stored(v) or v.column is not None else None
        if name is None:
            name = next((n for n, known in self.fields.extra.items() if known.shape == v.tensor.shape and torch.equal(known, v.tensor)), None)
        if name is None:
            name = gnnc_layers.unused(f"{v.file_name}_index", self.fields.tensors)
            self.fields.add(name, v.tensor.to(torch.int32))
            self.fields.derived[name] = lambda fields: v.derive(fields).to(torch.int32)
        if (name, "i32") not in self.inputs:
            tensor = self.fields.tensors[name]
            made = Value(self, "input", [], v.domain, tensor.shape[1:], self.graph if v.domain == "edge" else None, kind="i32", name=name)
            made.file_name = name
            self.inputs[name, "i32"] = made
        whole = self.inputs[name, "i32"]
        return whole if v.column is None else self.make("slice", [whole, str(v.column)], whole, ())

    def looked_up(self, v, table):
        """The rows of a table that integers pick."""
        if v.op != "integers":
            raise Refused("a table is read at computed values")
        index = self.index_input(v)
        return self.make("lookup", [table, index], index, table.dims[1:])

    def as_numbers(self, v, make=lambda z: z, suffix="numbers"):
        """A field of the graph file that holds make(integers) as f32."""
        tensor = make(v.tensor).to(torch.float32)
        name = next((n for n, known in self.fields.extra.items() if known.shape == tensor.shape and torch.equal(known, tensor)), None)
        if name is None:
            name = gnnc_layers.unused(f"{v.file_name}_{suffix}", self.fields.tensors)
            self.fields.add(name, tensor)
            self.fields.derived[name] = lambda fields: make(v.derive(fields)).to(torch.float32)
        return self.field(name)

    def one_hot(self, v, count):
        """Rows with a 1 where the integer says, for tables of `count` rows."""
        if v.op != "integers":
            raise Refused("a table is read at computed values")
        return self.as_numbers(v, lambda z: torch.nn.functional.one_hot(z, count), "is")
