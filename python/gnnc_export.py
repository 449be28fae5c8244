"""Writes a PyTorch Geometric model as a file of gnnc's language, with its weights and its graph.

    from gnnc_export import export
    export(model, data, "cora_gcn")    # cora_gcn.gnn, cora_gcn.weights.safetensors, cora_gcn.graph.safetensors

    python3 -m gnnc_export my_module:make_model --state model.pt --data cora.pt -o cora_gcn

The model's forward runs once on symbolic values (gnnc_trace). Layers that the library of gnnc has become calls of them, by the table in
gnnc_layers; other modules are walked into, down to functions of PyTorch (gnnc_ops). What has no counterpart is collected and reported at once,
each with the path of its module. docs/import.md describes it.
"""
import argparse
import importlib
import inspect
import os
import sys
import threading

import torch

import gnnc_activations
import gnnc_aggregations
import gnnc_clusters
import gnnc_files
import gnnc_hetero
import gnnc_layers
import gnnc_marks
import gnnc_memory
import gnnc_models
import gnnc_native
import gnnc_near
import gnnc_ops
import gnnc_pooling
import gnnc_relations
import gnnc_rows
import gnnc_sequences
import gnnc_shapes
import gnnc_trace
import gnnc_training
from gnnc_ops import Count, Refused, full_shape
from gnnc_rows import Rows
from gnnc_trace import BREAK, Program, Stop, Value, broken, is_value, type_text

SUPPORTED_ABI = 2
KEYWORDS = frozenset("import layer model graph dim input weight output loss let for in repeat return if else from transposed inout node edge etype "
                     "ntype f32 function reduction".split())


class Unsupported(Exception):
    """What could not be exported: one line per cause in `problems`."""

    def __init__(self, problems, where="the model"):
        self.problems = problems
        super().__init__(f"{where} cannot be exported:\n" + "\n".join("  " + p for p in problems))


OUR_FILES = {os.path.realpath(m.__file__) for m in (gnnc_activations, gnnc_aggregations, gnnc_clusters, gnnc_files, gnnc_hetero, gnnc_layers, gnnc_marks, gnnc_models, gnnc_native, gnnc_near, gnnc_ops, gnnc_pooling,
                                                    gnnc_memory, gnnc_relations, gnnc_rows, gnnc_sequences, gnnc_shapes, gnnc_trace, gnnc_training, sys.modules[__name__])}


def is_users(frame):
    """Whether this is a line of the user's code."""
    name = frame.f_globals.get("__name__") or ""
    return name.split(".")[0] not in ("torch", "torch_geometric", "importlib") and os.path.realpath(frame.f_code.co_filename) not in OUR_FILES


class Tracer(Rows, Program):
    """Runs a forward on values, and knows the model, its data and what went wrong."""

    def __init__(self, model, fields):
        super().__init__(self)
        self.model, self.fields = model, fields
        self.problems, self.warnings, self.stack, self.extra = [], [], [], {}
        self.wrong_widths = []                           # layers that get rows of another width
        self.paths = {id(m): path for path, m in model.named_modules()}
        self.tensors = {id(t): name for name, t in list(model.named_parameters()) + list(model.named_buffers())}
        self.node_tables = gnnc_models.node_tables(model)
        self.weights, self.inputs, self.relations, self.is_baked = {}, {}, {}, False
        self.unions = {}                                 # of types of edges: see gnnc_relations
        self.both_ways = []                              # graphs that are right where each edge has one in the opposite direction
        self.reserved |= gnnc_layers.RESERVED
        self.graph = Value(self, "graph", [], "edges", name="g")
        self.has_batch = "batch" in fields.tensors
        self.schema = gnnc_hetero.Schema(self, fields) if fields.is_heterogeneous else None

    # ---- messages
    def problem(self, reason):
        path, kind = self.stack[-1] if self.stack else ("", "")
        line = self.line()
        text = f"{path} ({kind}): {reason}{f' (called at {line})' if line else ''}" if path else f"forward{' at ' + line if line else ''}: {reason}"
        if text not in self.problems:
            self.problems.append(text)
        return self.unknown()

    def warn(self, text):
        if text not in self.warnings:
            self.warnings.append(text)

    def line(self):
        """file:line of the user's code that runs."""
        frame = sys._getframe(1)
        while frame:
            if is_users(frame):
                return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"
            if frame.f_code is Tracer.run.__code__:
                return None
            frame = frame.f_back
        return None

    # ---- functions and attributes of values
    def function(self, name, args, kwargs):
        plain = name.strip("_")
        try:
            args, kwargs = self.converted(args), self.converted(kwargs)
            if self.has_unknown([args, kwargs]):
                return self.unknown()
            if self.is_training:
                gnnc_training.check(plain, args, kwargs)
            result = self.apply(plain, list(args), kwargs)
        except Refused as e:
            return self.problem(str(e))
        except (TypeError, ValueError, IndexError, AttributeError) as e:
            return self.problem(f"{plain}() in a form that is not known: {e}")
        return gnnc_memory.after(self, name, args, result)

    def apply(self, name, args, kwargs):
        if is_value(args[0]) and args[0].domain in ("edges", "index"):
            if name in ("to", "contiguous", "clone", "cpu", "detach", "long", "coalesce"):
                return args[0]
            if args[0].domain == "index":
                return self.on_indices(name, args, kwargs)
        values = [a for a in [*args, *kwargs.values()] if is_value(a)]
        is_lookup = name in ("embedding", "one_hot") or name == "getitem" and not (is_value(args[0]) and args[0].op == "integers")
        if not is_lookup and any(v.op == "integers" for v in values):
            if all(v.op == "integers" for v in values) and len(values) == 1 and name not in ("cat", "stack"):
                return self.on_integers(name, args, kwargs)
            args = [self.as_numbers(a) if is_value(a) and a.op == "integers" else a for a in args]
        if is_value(args[0]) and args[0].domain == "edges" and name != "getitem":
            if name == "flip" and list(args[1:]) in ([0], [[0]], [(0,)]) and args[0].weight is None:
                return Value(self, "edges", ["reverse", args[0]], "edges")
            if name == "set_value":
                made = Value(self, "same", [args[0]], "edges")
                made.weight = args[1] if len(args) > 1 else kwargs.get("value")
                return made
            raise Refused(f"{name}() of edge_index")
        if name in gnnc_ops.ELEMENTWISE:
            return gnnc_ops.elementwise(self, name, args[0], args[1:], kwargs)
        if name not in gnnc_ops.FUNCTIONS:
            raise Refused(f"the function {name}() has no counterpart")
        return gnnc_ops.FUNCTIONS[name](self, *args, **kwargs)

    def attribute(self, v, name):
        known = {"shape": lambda: full_shape(v), "device": lambda: torch.device("cpu"), "is_cuda": lambda: False, "is_sparse": lambda: False,
                 "dtype": lambda: torch.float32 if v.kind == "f32" else torch.long, "requires_grad": lambda: False, "data": lambda: v,
                 "ndim": lambda: len(full_shape(v)), "layout": lambda: torch.strided, "T": lambda: self.function("t", (v,), {}),
                 "is_quantized": lambda: False, "is_nested": lambda: False, "weight": lambda: None, "grad_fn": lambda: None}
        if name in known:
            return known[name]()
        methods = {"size": lambda dim=None: full_shape(v) if dim is None else full_shape(v)[dim], "dim": lambda: len(full_shape(v)),
                   "numel": lambda: Count("some"), "is_floating_point": lambda: v.kind == "f32", "get_device": lambda: -1,
                   "sparse_size": lambda dim: Count("node"), "sparse_sizes": lambda: (Count("node"), Count("node"))}
        if name in methods:
            return methods[name]
        if name.startswith("new_") and v.domain == "index":
            return getattr(self.fields.index(v.args[0]), name)
        if name == "new_zeros":
            return lambda *sizes: gnnc_ops.zeros(self, sizes[0] if isinstance(sizes[0], (tuple, list)) else sizes)
        if name in ("item", "tolist", "numpy", "nonzero", "unique"):
            if v.domain not in ("unknown", "index"):
                raise Stop(f"{name}() asks for computed numbers")
        return lambda *args, **kwargs: self.function(name, (v,) + args, kwargs)

    def unpack(self, v, frame):
        if v.domain == "edges":
            return [self.index(v, 0), self.index(v, 1)]
        if v.domain == "plain" and v.dims and v.dims[0] <= 64:
            return [self.function("getitem", (v, k), {}) for k in range(v.dims[0])]
        if v.domain == "unknown":
            import dis
            for at in dis.get_instructions(frame.f_code):
                if at.offset == frame.f_lasti and at.opname in ("UNPACK_SEQUENCE", "UNPACK_EX"):
                    return [self.unknown() for _ in range(at.argval)]
        raise Stop("a loop runs over the rows of a tensor")

    def has_unknown(self, structure):
        if is_value(structure):
            return structure.domain == "unknown"
        if isinstance(structure, dict):
            structure = list(structure.values())
        return isinstance(structure, (list, tuple)) and any(self.has_unknown(s) for s in structure)

    # ---- tensors that are there: weights, fields of the data, constants
    def converted(self, structure):
        if is_value(structure) and structure.stale:
            raise Refused(structure.stale)
        if isinstance(structure, torch.Tensor) and not is_value(structure):
            return self.constant(structure)
        if isinstance(structure, dict):
            return {k: self.converted(v) for k, v in structure.items()}
        if type(structure) in (list, tuple):
            return type(structure)(self.converted(v) for v in structure)
        return structure

    def constant(self, tensor):
        name = self.tensors.get(id(tensor))
        if name is not None:
            weight = self.weight(name, tensor.shape)
            return self.table(name, weight, 0) if id(tensor) in self.node_tables else weight
        if self.is_training:
            gnnc_training.check_constant(tensor)
        field = self.fields.find(tensor)
        if field is not None:
            return self.field(field)
        if not tensor.is_floating_point():
            return tensor                                # numbers of rows, on this graph
        if tensor.numel() == 1:
            return float(tensor)
        if tensor.dim() and tensor.shape[0] in (self.fields.num_nodes, self.fields.num_edges) and tensor.numel() > 4096:
            raise Refused(f"a tensor {list(tensor.shape)} that is no weight and no field of the data")
        name = f"constant{len(self.extra)}"
        self.extra[name] = tensor.detach()
        return self.weight(name, tensor.shape)

    def weight(self, name, shape, domain="plain", is_transposed=False):
        """A tensor of the weights file; one value per name and reading."""
        key = (name, domain, is_transposed)
        if key not in self.weights:
            dims = tuple(shape)[1:] if domain in ("etype", "ntype") else tuple(shape)
            dims = dims[:-2] + (dims[-1], dims[-2]) if is_transposed else dims
            v = Value(self, "weight", [], domain, dims)
            v.file_name, v.is_transposed = name, is_transposed
            self.weights[key] = v
        return self.weights[key]

    def transposed(self, v):
        """The matrix of a weight, read transposed."""
        if v.op == "weight" and v.domain == "plain":
            return self.weight(v.file_name, v.dims, is_transposed=True)
        return gnnc_shapes.transpose(self, v, -1, -2)

    def field(self, name):
        if name not in self.inputs:
            self.inputs[name] = self.fields.value(self, name)
        return self.inputs[name]

    # ---- modules
    def module(self, m, args, kwargs):
        path, kind = self.paths.get(id(m)), type(m).__name__
        if path is None:
            return m.forward(*args, **kwargs)
        is_library = type(m).__module__.startswith(("torch.", "torch_geometric."))
        if is_library and self.has_unknown([args, kwargs]):
            return self.unknown()
        self.stack.append((path, kind))
        before = len(self.problems)
        try:
            if m._forward_hooks or m._forward_pre_hooks:
                self.problem("forward hooks are not run")
            if is_library and kind in gnnc_layers.REFUSED:
                return self.problem(gnnc_layers.REFUSED[kind])
            handler = gnnc_layers.HANDLERS.get(kind) if is_library and getattr(m, "flow", "source_to_target") == "source_to_target" else None
            if handler and not (self.is_training and gnnc_training.is_followed(m, kind, handler if isinstance(handler, gnnc_layers.Row) else None)):
                self.check_width(m, path, args[0] if args else kwargs.get("x"))
                result = handler(self, m, path, self.converted(args), self.converted(kwargs))
                if result is not None:
                    return result
            if hasattr(m, "reduce") and "dim_size" in inspect.signature(m.forward).parameters:          # an aggregation
                given = inspect.signature(m.forward).bind_partial(*args, **kwargs)
                index = given.arguments.get("index")
                if is_value(index) and given.arguments.get("dim_size") is None:
                    given.arguments["dim_size"] = Count("graph" if index.args[0] == "batch" else "node")
                args, kwargs = given.args, given.kwargs
            if hasattr(m, "propagate") and hasattr(m, "message"):
                gnnc_layers.walk_messages(self, m)
            return m.forward(*args, **kwargs)
        except Refused as e:
            return self.problem(str(e))
        except Stop as e:
            if not is_library:
                raise
            return self.problem(str(e))
        except Exception as e:
            if not is_library:
                raise
            if len(self.problems) > before:              # what follows from a cause that is reported
                return self.unknown()
            return self.problem(f"the layer library has no {kind}, and its forward cannot be followed: {gnnc_layers.described(e)}")
        finally:
            self.stack.pop()

    def check_width(self, m, path, x):
        """Notes where x has not as many columns as the layer says that it takes."""
        widths = getattr(m, "in_channels", getattr(m, "in_features", None))
        if isinstance(x, dict):
            given = [(v, widths.get(kind) if isinstance(widths, dict) else widths) for kind, v in x.items()]
        elif isinstance(x, (tuple, list)):
            given = list(zip(x, widths if isinstance(widths, (tuple, list)) else [widths] * len(x)))
        else:
            given = [(x, widths)]
        for v, width in given:
            if type(width) is int and width > 0 and is_value(v) and v.kind == "f32" and v.lead == 0 and v.domain in ("node", "edge", "graph") and \
                    v.dims and v.dims[-1] != width:
                what = f"'{v.name}' has" if v.op == "input" else "its input has"
                text = f"{path or 'the model'} ({type(m).__name__}): {what} {v.dims[-1]} columns; expected {width}"
                self.wrong_widths += [text] if text not in self.wrong_widths else []

    def replace(self, old, new):
        for known in (self.inputs, self.weights):
            known.update({k: new for k, v in known.items() if v is old})

    def per_graph(self, reduce, x, batch=None):
        return gnnc_marks.per_graph(self, reduce, x, batch)

    def restored(self, x, perm, value):
        return gnnc_marks.restored(self, x, perm, value)

    def data_value(self):
        return gnnc_files.DataValue(self)

    def file_text(self, name, outputs):
        """The file: declarations, statements, outputs."""
        if self.schema:
            self.schema.separate()
        declared, body, last = self.lines([(self.unused(n), v) for n, v in outputs])
        head = (self.schema.declaration() if self.schema else gnnc_relations.declaration(self)) + declarations("input", declared) + declarations("weight", declared)
        return "\n".join([f"model {name} {{", *head, ""] + body + last + ["}", ""])

    def run(self, method):
        """Runs the forward; returns what it returns, in values."""
        forward = getattr(self.model, method)
        args = self.fields.arguments(self, gnnc_files.signature_of(forward))
        with patched(self):
            try:
                return self.module(self.model, (), args) if method == "forward" else forward(**args)
            except Stop as e:
                if not self.problems:
                    self.problems.append(f"forward{self.at_error(e)}: {e}")
            except Exception as e:
                at = self.at_error(e)
                if not self.problems:
                    self.problems.append(f"forward{at}: {type(e).__name__}: {e}")
        return None

    def at_error(self, error):
        found, trace = "", error.__traceback__
        while trace:
            if is_users(trace.tb_frame):
                found = f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
            trace = trace.tb_next
        return found


lock = threading.Lock()


class patched:
    """While it lasts, modules called are given to the tracer, weights that a module reads are values, and functions of PyTorch Geometric
    understand values."""

    def __init__(self, tracer):
        self.tracer = tracer

    def __enter__(self):
        lock.acquire()
        t, self.undo = self.tracer, []
        for m in t.model.modules():                      # forwards may keep values in their modules
            for place in (m.__dict__, m._parameters, m._buffers):
                self.undo.append((lambda name, old, place=place: (place.clear(), place.update(old)), None, dict(place)))

        def call(m, *args, **kwargs):
            return t.module(m, args, kwargs)

        original = torch.nn.Module.__getattr__

        def read(m, name):
            found = original(m, name)
            return t.constant(found) if isinstance(found, torch.Tensor) and id(found) in t.tensors and found.is_floating_point() else found

        own = {c for m in t.model.modules() for c in type(m).__mro__ if "__call__" in c.__dict__ and issubclass(c, torch.nn.Module)}
        for place in own | {torch.nn.Module}:
            self.put(place, "__call__", call)
        self.put(torch.nn.Module, "__getattr__", read)
        for namespace, name, replacement in [*gnnc_layers.replaced_functions(t), *gnnc_native.replaced(t)]:
            self.put(namespace, name, replacement)
        return self

    def put(self, place, name, new):
        if isinstance(place, dict):
            self.undo.append((place.__setitem__, name, place[name]))
            place[name] = new
        else:
            known = name in place.__dict__
            self.undo.append((lambda n, old, p=place, known=known: setattr(p, n, old) if known else delattr(p, n), name, place.__dict__.get(name)))
            setattr(place, name, new)

    def __exit__(self, *_):
        for restore, name, old in reversed(self.undo):
            restore(name, old)
        lock.release()


def declarations(word, values):
    """Declarations with their colons below each other."""
    values = [v for v in values if v.op == word]
    width = max((len(v.name) for v in values), default=0)
    lines = []
    for v in values:
        origin = f'{BREAK}from "{v.file_name}"' if v.file_name != v.name else ""
        lines += broken(f"{word} {v.name:{width}} : {type_text(v)}{origin}{BREAK + 'transposed' if v.is_transposed else ''};")
    return lines


def outputs_of(result, t):
    """Named outputs of what forward returned; `t.layout` makes the same structure of a list of their arrays."""
    named = []

    def place(v, name, is_inner=False):
        """A function of the list that makes v; a value that is an output is put into `named`."""
        if isinstance(v, dict):
            parts = {k: place(item, name if is_value(item) and item.nodes == k else f"{name}_{k}" if is_inner else str(k), True) for k, item in v.items()}
            return lambda arrays: {k: part(arrays) for k, part in parts.items()}
        if isinstance(v, (tuple, list)):
            parts = [place(item, name if k == 0 else f"{name}{k}", True) for k, item in enumerate(v)]
            return lambda arrays: tuple(part(arrays) for part in parts)
        if is_value(v) and v.domain in ("node", "edge") and not gnnc_marks.marks(v) <= {gnnc_marks.EVERY}:
            t.problem(f"the result '{name}' has a row for each {v.domain} that a pooling keeps, and their number is only known when the model runs; "
                      "results of global pools over them would do")
        elif is_value(v) and v.domain in ("node", "edge", "graph", "plain"):
            at = len(named)
            named.append((gnnc_layers.word(name) + (f".{t.schema.nodes[v.nodes]}" if v.nodes else ""), v))
            return lambda arrays: arrays[at]
        elif is_value(v) and v.domain != "unknown":
            t.warn(f"the result '{name}' is {v.domain}, which is no output of a model")
        elif not is_value(v) and v is not None:
            t.warn(f"the result '{name}' does not depend on the inputs, and is no output of the exported model")
        return lambda arrays: v

    t.layout = place(result, "out")
    return named


def described(found):
    """What an object is, for a message."""
    kind = type(found).__name__
    if found is None:
        return "None"
    if isinstance(found, (list, tuple)) and found:
        return f"a {kind} of {len(found)} {type(found[0]).__name__}"
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def translate(model, data, name="net", method="forward", is_training=False):
    """The text of the model, its weights and a report: (text, tensors, tracer). Raises Unsupported. In training it is that of the model as it is now."""
    if not name.isidentifier() or not name.isascii():
        raise Unsupported([f"'{name}' is no name of a model: letters, digits and _"], f"{type(model).__name__}")
    if name in KEYWORDS:
        raise Unsupported([f"'{name}' is a word of the language, and no name of a model"], f"{type(model).__name__}")
    if not callable(getattr(model, method, None)):
        raise Unsupported([f"it has no method '{method}'"], type(model).__name__)
    if not gnnc_files.is_data(data):
        raise Unsupported([f"the data is {described(data)}; expected a Data, a HeteroData or a dictionary of tensors"], type(model).__name__)
    lazy = [n for n, p in list(model.named_parameters()) if isinstance(p, torch.nn.parameter.UninitializedParameter)]
    if lazy:
        raise Unsupported([f"{lazy[0]} has no shape yet: run the model on its data once"], type(model).__name__)
    fields = gnnc_files.Fields(data)
    with gnnc_training.mode(model, is_training):
        t = Tracer(model, fields)
        t.is_training = is_training
        result = t.run(method)
        outputs = outputs_of(result, t) if not t.problems else []
        t.problems += [f"output '{name}': {v.stale}" for name, v in outputs if v.stale]
    is_lacking = gnnc_files.takes_edges(gnnc_files.signature_of(getattr(model, method)))
    problems = (fields.lacking if is_lacking else []) + fields.problems + t.problems
    if not problems and not outputs:
        problems.append("forward returns nothing that depends on the inputs")
    if problems:
        raise Unsupported(problems, type(model).__name__)
    try:
        text = t.file_text(name, outputs)
    except (Stop, Refused) as e:
        raise Unsupported([str(e)], type(model).__name__) from None
    tensors = dict(model.state_dict())
    tensors.update(t.extra)
    return text, tensors, t


def export(model, data, name, method="forward"):
    """Writes NAME.gnn, NAME.weights.safetensors and NAME.graph.safetensors; returns their paths. `data` is a Data, a HeteroData, or a
    dictionary of tensors by the names of forward's parameters. Raises Unsupported with all reasons."""
    text, tensors, t = translate(model, data, os.path.basename(name), method)
    paths = [name + ".gnn", name + ".weights.safetensors", name + ".graph.safetensors"]
    wrong = ([f"edge_index: {t.fields.wrong_end}"] if t.fields.wrong_end else []) + t.wrong_widths
    if wrong:
        raise Unsupported(wrong, type(model).__name__)
    contents = [text.encode(), gnnc_files.packed(tensors), gnnc_files.packed(t.fields.stored(), t.fields.metadata())]
    gnnc_files.write_files(dict(zip(paths, contents)))
    for warning in t.warnings + t.fields.warnings:
        print(f"gnnc_export: warning: {warning}", file=sys.stderr)
    return paths


def export_data(data, name):
    """Writes NAME.graph.safetensors alone, of a Data, a HeteroData or a dictionary of tensors; returns its path."""
    if not gnnc_files.is_data(data):
        raise Unsupported([f"it is {described(data)}; expected a Data, a HeteroData or a dictionary of tensors"], "the data")
    fields = gnnc_files.Fields(data)
    problems = fields.lacking + fields.problems + ([f"edge_index: {fields.wrong_end}"] if fields.wrong_end else [])
    if problems:
        raise Unsupported(problems, "the data")
    path = name + ".graph.safetensors"
    gnnc_files.write_files({path: gnnc_files.packed(fields.stored(), fields.metadata())})
    for warning in fields.warnings:
        print(f"gnnc_export: warning: {warning}", file=sys.stderr)
    return path


class Mistake(Exception):
    """What is wrong with an argument of the command line."""


def load_object(spec):
    """The model that `module:name` says: a module, or a function that makes one."""
    module, _, name = spec.partition(":")
    if not name:
        raise Mistake(f"'{spec}' is not of the form module:function")
    sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as e:
        raise Mistake(f"{spec}: {e}") from None
    except Exception as e:
        raise Mistake(f"{spec}: {module} cannot be imported: {type(e).__name__}: {e}") from None
    if isinstance(found, torch.nn.Module):
        return found
    if not callable(found):
        raise Mistake(f"{spec} is {described(found)}; expected a torch.nn.Module, or a function that returns one")
    try:
        required = [n for n, p in inspect.signature(found).parameters.items()
                    if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    except (TypeError, ValueError):
        required = []                                    # a function of C, which does not say
    if required:
        raise Mistake(f"{spec} takes {', '.join(repr(n) for n in required)}; expected a function without required arguments")
    try:
        made = found()
    except Exception as e:
        raise Mistake(f"{spec} failed: {type(e).__name__}: {e}") from None
    if not isinstance(made, torch.nn.Module):
        raise Mistake(f"{spec} returned {described(made)}; expected a torch.nn.Module")
    return made


def load_file(path):
    """What torch.save wrote into a file."""
    try:
        return gnnc_files.load(path)
    except OSError:
        raise
    except (ImportError, AttributeError) as e:
        raise Mistake(f"{path}: the class of what it holds cannot be found: {e}") from None
    except Exception as e:
        found = "it is a safetensors file" if path.endswith(".safetensors") else f"torch.load cannot read it ({type(e).__name__})"
        raise Mistake(f"{path}: {found}; expected a file that torch.save wrote") from None


def load_state(model, path):
    """Gives the model the weights of a file."""
    state = load_file(path)
    if not isinstance(state, dict):
        raise Mistake(f"{path}: it holds {described(state)}; expected a state_dict, as torch.save(model.state_dict(), ...) writes it")
    try:
        model.load_state_dict(state)
    except Exception as e:
        raise Mistake(f"{path}: {e}") from None


def main(argv=None):
    parser = argparse.ArgumentParser(prog="gnnc_export", description="Writes a PyTorch Geometric model as a file of gnnc's language.")
    parser.add_argument("model", help="module:function, which returns the model; or module:variable")
    parser.add_argument("--state", metavar="FILE", help="load_state_dict(torch.load(FILE))")
    parser.add_argument("--data", metavar="FILE", required=True, help="a Data, HeteroData or dictionary of tensors, saved by torch.save")
    parser.add_argument("--method", default="forward", help="the method that computes the outputs (default: forward)")
    parser.add_argument("-o", "--output", metavar="NAME", required=True, help="NAME.gnn, NAME.weights.safetensors, NAME.graph.safetensors")
    options = parser.parse_args(argv)
    try:
        model = load_object(options.model)
        if options.state:
            load_state(model, options.state)
        data = load_file(options.data)
        for path in export(model, data, options.output, options.method):
            print(path)
    except (Unsupported, Mistake, OSError, RuntimeError) as e:
        print(f"gnnc_export: error: {e}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
