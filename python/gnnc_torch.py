"""Compiled models as functions of Python: a torch.nn.Module from a model of PyTorch Geometric, or a function of NumPy arrays.

    import gnnc_torch
    fast = gnnc_torch.compile(model)              # the first call exports, compiles and binds
    y = fast(x, edge_index)                       # later calls with this edge_index only run

    net = gnnc_torch.load("cora_gcn.gnn", "cora_gcn.weights.safetensors")
    y = net(x=x, edge_index=edge_index)           # torch tensors or NumPy arrays; PyTorch need not be there

Generated C is compiled once and kept in ~/.cache/gnnc (GNNC_CACHE); its functions are called through ctypes and the tables of M_info(), as
gnnc/abi.h describes them. Inputs, outputs and weights are not copied.
"""
import collections
import ctypes as C
import hashlib
import json
import mmap
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading

from gnnc_arrays import (GRAPH_FIELDS, check_graph, checked, converted, count_of, empty, identity_of, is_numpy, is_torch, pointer, read_safetensors, stacked,
                         write_safetensors)

ABI_VERSION = 3
FLAGS = ["-std=c17", "-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-w", "-shared", "-fPIC"]
# The threads of a run are OpenMP's, so that they are those of PyTorch's own operations.
EXECUTOR = """#include "net.c"
void net_for_parts(void *user, int64_t parts, void (*body)(void *data, int64_t part), void *data) {
  const int32_t width = *(const int32_t *)user;
#pragma omp parallel for schedule(dynamic) num_threads(width)
  for (int64_t part = 0; part < parts; part++) body(data, part);
}
"""
P = C.c_void_p


class Executor(C.Structure):
    _fields_ = [("size", C.c_size_t), ("user", P), ("width", C.c_int32), ("for_parts", P)]


class Context(C.Structure):
    _fields_ = [("size", C.c_size_t), ("executor", C.POINTER(Executor)), ("step", P)]


class Graph(C.Structure):
    _fields_ = [("size", C.c_size_t), ("num_nodes", C.c_int64), ("num_edges", C.c_int64), ("src", P), ("dst", P), ("edge_type", P),
                ("node_type", P), ("batch", P), ("num_graphs", C.c_int64), ("context", C.POINTER(Context))]


class TensorInfo(C.Structure):
    _fields_ = [("name", C.c_char_p), ("origin", C.c_char_p), ("file", C.c_char_p), ("rows", C.c_int), ("count", C.c_int64),
                ("rank", C.c_int32), ("dims", C.c_int64 * 6), ("is_sparse", C.c_int32), ("is_integer", C.c_int32), ("ranges", C.POINTER(C.c_int32))]


class ModelInfo(C.Structure):
    _fields_ = [("abi_version", C.c_int32), ("size", C.c_size_t), ("name", C.c_char_p), ("num_inputs", C.c_int32), ("num_weights", C.c_int32),
                ("num_outputs", C.c_int32), ("inputs", C.POINTER(TensorInfo)), ("weights", C.POINTER(TensorInfo)),
                ("outputs", C.POINTER(TensorInfo)),
                ("bound_bytes", C.CFUNCTYPE(C.c_size_t, C.POINTER(Graph))),
                ("bind", C.CFUNCTYPE(C.c_int, C.c_int32, C.POINTER(Graph), C.POINTER(P), P, C.c_size_t, C.POINTER(C.c_int64))),
                ("workspace_bytes", C.CFUNCTYPE(C.c_size_t, P, C.POINTER(Context))),
                ("run", C.CFUNCTYPE(C.c_int, P, C.POINTER(P), C.POINTER(P), P, C.POINTER(Context)))]


ONE, NODE, EDGE, ETYPE, NTYPE, GRAPH, PART = range(7)
RESULTS = ["ok", "version", "null", "size", "edge", "type", "count", "not bound", "csr", "index", "ends", "state", "optimizer"]
OPTIONS = ("gnnc", "cc", "flags")


class CompileError(RuntimeError):
    """gnnc or the C compiler refused the model; the text is theirs."""


# ---- from text to functions

def check_options(options, **counts):
    """Refuses options that cannot work, before they are used."""
    for name, n in counts.items():
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"{name} must be a whole number, not {type(n).__name__}")
        if n < 1:
            raise ValueError(f"{name} is {n}; expected 1 or more")
    for name, v in options.items():
        if name not in OPTIONS:
            raise TypeError(f"there is no option '{name}'; expected {', '.join(OPTIONS)}")
        if v is None:
            continue
        if name == "flags":
            if not isinstance(v, (list, tuple)) or not all(isinstance(f, str) for f in v):
                raise TypeError(f"flags is {v!r}; expected a list of strings")
        elif not isinstance(v, (str, os.PathLike)):
            raise TypeError(f"{name} must be a path, not {type(v).__name__}")
    return {k: v if k == "flags" or v is None else os.fspath(v) for k, v in options.items()}


def find_gnnc():
    """The compiler: GNNC, that of this installation or build folder, or the one in PATH."""
    here = os.path.dirname(os.path.realpath(__file__))
    beside = os.path.normpath(os.path.join(here, "../../../bin/gnnc"))
    found = os.environ.get("GNNC") or (beside if os.path.exists(beside) else shutil.which("gnnc"))
    if not found:
        raise CompileError("gnnc is not found; put it into PATH, or set GNNC to its path")
    return found


def machine_name():
    """What -march=native depends on, so that a cache may be shared by machines."""
    try:
        with open("/proc/cpuinfo") as f:
            return "".join(line for line in f.read(8192).split("\n\n")[0].split("\n") if line.startswith(("model name", "flags", "Features")))
    except OSError:
        return platform.processor()


def compile_text(text, shapes, write_weights, gnnc=None, cc=None, flags=None, more=()):
    """The path of the library of a model called net. `shapes` are names and shapes of the weights; write_weights(path) writes them, where
    the compiler has to see them. `more`: further options of gnnc."""
    gnnc, cc = gnnc or find_gnnc(), cc or os.environ.get("CC", "cc")
    flags = FLAGS + ["-fopenmp"] if flags is None else list(flags)
    stamp = os.stat(gnnc)
    key = hashlib.sha256(json.dumps([text, sorted((n, list(s)) for n, s in shapes.items()), stamp.st_size, stamp.st_mtime_ns, cc, flags,
                                     machine_name(), ABI_VERSION, EXECUTOR, *more]).encode()).hexdigest()[:32]
    cache = os.environ.get("GNNC_CACHE") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gnnc")
    library = os.path.join(cache, key + ".so")
    if os.path.exists(library):
        return library
    os.makedirs(cache, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        with open(f"{folder}/net.gnn", "w") as f:
            f.write(text)
        write_weights(f"{folder}/net.safetensors")
        command([gnnc, "--target=c", "--features=dense", *more, "net.gnn", "--weights", "net.safetensors", "-o", "net.c"], folder)
        with open(f"{folder}/python.c", "w") as f:
            f.write(EXECUTOR)
        try:
            command([cc, *flags, "python.c", "-o", "net.so", "-lm"], folder)
        except CompileError:
            if "-fopenmp" not in flags:
                raise
            command([cc, *[f for f in flags if f != "-fopenmp"], "python.c", "-o", "net.so", "-lm"], folder)
        os.replace(f"{folder}/net.so", library)
    return library


def command(words, folder):
    try:
        run = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    except OSError as e:
        raise CompileError(f"{words[0]}: {e.strerror}") from None
    if run.returncode:
        raise CompileError(f"{' '.join(words[:2])} ...: exit code {run.returncode}\n{run.stderr[-4000:]}")


class TypeOutOfRange(IndexError):
    """A graph has more types of edges or nodes than a program."""


class Bound:
    """A graph and weights, ready to run: the bound block, and workspaces that nobody uses now."""

    def __init__(self, block, graph, keep, node_type):
        self.block, self.keep, self.spare = block, keep, []
        self.rows = {NODE: graph.num_nodes, EDGE: graph.num_edges, GRAPH: graph.num_graphs or 1}
        self.node_type, self.parts = node_type, {}

    def shape(self, tensor):
        """The shape of an input or an output: its rows, then its dimensions."""
        if tensor.rows == ONE:
            return tuple(tensor.dims)
        if tensor.rows == PART and tensor.count not in self.parts:
            self.parts[tensor.count] = int((self.node_type == tensor.count).sum())
        return (self.parts[tensor.count] if tensor.rows == PART else self.rows[tensor.rows],) + tuple(tensor.dims)


class Program:
    """The functions of one compiled model. Any number of threads may run it."""

    def __init__(self, library):
        self.open(library, "net_info", ModelInfo)

    def open(self, library, function, kind):
        self.library = C.CDLL(library)
        function = getattr(self.library, function)
        function.restype = C.POINTER(kind)
        info = self.info = function().contents
        if info.abi_version != ABI_VERSION or info.size < C.sizeof(kind):
            raise CompileError(f"this gnnc writes ABI {info.abi_version}; gnnc_torch.py knows {ABI_VERSION}")
        self.inputs = [described(info.inputs[k]) for k in range(info.num_inputs)]
        self.weights = [described(info.weights[k]) for k in range(info.num_weights)]
        self.outputs = [described(info.outputs[k]) for k in range(info.num_outputs)]
        self.contexts = {1: None}

    def context(self, threads):
        """The context of a run in this many threads; None for one."""
        if threads not in self.contexts:
            width = C.c_int32(threads)
            executor = Executor(C.sizeof(Executor), C.addressof(width), threads, C.cast(self.library.net_for_parts, P).value)
            made = Context(C.sizeof(Context), C.pointer(executor))
            made.keep = (width, executor)
            self.contexts[threads] = made
        return self.contexts[threads]

    def bind(self, fields, tensors, num_nodes, threads=1):
        """Binds a graph, {"edge_index": ..., "batch": ...}, and the weights, by their names in the file."""
        edges = converted(fields["edge_index"], "i32")
        if len(edges.shape) != 2 or edges.shape[0] != 2:
            raise RuntimeError(f"edge_index has the wrong shape: expected [2, edges], got {list(edges.shape)}")
        arrays = {k: converted(fields[k], "i32") for k in GRAPH_FIELDS[1:] if fields.get(k) is not None}
        for name, rows in (("edge_type", edges.shape[1]), ("node_type", num_nodes), ("batch", num_nodes)):
            if name in arrays and tuple(arrays[name].shape) != (rows,):
                raise RuntimeError(f"{name} has the wrong shape: expected {[rows]}, got {list(arrays[name].shape)}")
        batch = arrays.get("batch")
        graphs = int(batch.max()) + 1 if batch is not None and batch.shape[0] else 0
        at = [pointer(arrays[k]) if k in arrays else None for k in GRAPH_FIELDS[1:]]
        context = self.context(threads)
        graph = Graph(C.sizeof(Graph), num_nodes, edges.shape[1], pointer(edges), pointer(edges) + 4 * edges.shape[1], at[0], at[1], at[2],
                      graphs, C.pointer(context) if context is not None else None)
        size = self.info.bound_bytes(C.byref(graph))
        keep, block, index = [], aligned(size), C.c_int64()
        result = self.bind_block(C.byref(graph), self.weight_list(tensors, keep), block, C.byref(index))
        if result:
            raise self.failure(result, index.value, fields, num_nodes)
        return Bound(block, graph, keep, arrays.get("node_type"))

    def weight_list(self, tensors, keep):
        weights = (P * max(len(self.weights), 1))()
        for k, w in enumerate(self.weights):
            v = stacked(w.origin, tensors)
            shape = tuple(w.dims) if w.rows == ONE else (w.count,) + tuple(w.dims)
            v = converted(v, "f32") if hasattr(v, "dtype") else v
            if tuple(v.shape) != shape:
                raise RuntimeError(f"the weight '{w.origin}' has the wrong shape: expected {list(shape)}, got {list(v.shape)}")
            keep.append(v)
            weights[k] = pointer(v)
        return weights

    def bind_block(self, graph, weights, block, index):
        return self.info.bind(ABI_VERSION, graph, weights, block.at, block.size, index)

    def failure(self, result, index, fields, num_nodes):
        kind = RESULTS[result] if result < len(RESULTS) else str(result)
        if kind == "edge":
            ends = [int(v) for v in fields["edge_index"][:, index]]
            wrong = next(v for v in ends if not 0 <= v < num_nodes)
            return IndexError(f"index {wrong} is out of bounds for dimension 0 with size {num_nodes} (edge_index, edge {index})")
        if kind == "type":
            return TypeOutOfRange(f"the type of edge or node {index} is out of bounds: the model has fewer types")
        if kind == "ends":
            return ValueError(f"edge {index} joins nodes of other types than the model has for the type of the edge")
        return RuntimeError(f"bind failed: {kind} ({index})")

    def out_of_range(self, arrays):
        """The first index that is no row of its table."""
        for i, a in zip(self.inputs, arrays):
            for k, (low, high) in enumerate(i.ranges or []):
                column = a.reshape(-1, len(i.ranges))[:, k]
                wrong = ((column < low) | (column > high)).nonzero()
                if len(wrong) and len(wrong[0]):
                    row = int(wrong[0][0])
                    element = f", element {k}" if len(i.ranges) > 1 else ""
                    return IndexError(f"index out of range: {i.origin} is {int(column[row])} in row {row}{element}, expected {low} to {high}")
        return IndexError("index out of range")

    def run(self, bound, inputs, like, threads=1):
        """Outputs for the inputs, arrays by their names in the graph file."""
        results = [empty(bound.shape(o), like) for o in self.outputs]
        context = self.context(threads)
        self.call(self.info.run, bound, self.taken(bound, inputs), [results], C.byref(context) if context is not None else None, threads)
        return results

    def taken(self, bound, inputs):
        """The inputs as a run takes them, in their order."""
        missing = next((i.origin for i in self.inputs if i.origin not in inputs), None)
        if missing is not None:
            raise TypeError(f"missing the input '{missing}'")
        return [checked(i.origin, inputs[i.origin], bound.shape(i), i.ranges is not None) for i in self.inputs]

    def call(self, function, bound, kept, arrays, context, threads):
        """Calls a function of the program on inputs and further lists of arrays, in a workspace that nobody uses now."""
        lists = [(P * max(len(some), 1))(*[pointer(a) if a is not None else None for a in some]) for some in [kept, *arrays]]
        try:
            width, work = bound.spare.pop()
        except IndexError:
            width, work = 0, None
        if width < threads:
            work = aligned(self.info.workspace_bytes(bound.block.at, context))
        result = function(bound.block.at, *lists, work.at, context)
        bound.spare.append((max(width, threads), work))
        if result < len(RESULTS) and RESULTS[result] == "index":
            raise self.out_of_range(kept)
        if result:
            raise RuntimeError(f"run failed: {RESULTS[result] if result < len(RESULTS) else result}")


class aligned:
    """Memory at a multiple of 64 bytes."""

    def __init__(self, size):
        self.memory = C.create_string_buffer(0) if size == 0 else mmap.mmap(-1, max(size, 1))
        self.size, self.at = size, C.addressof(C.c_char.from_buffer(self.memory)) if size else 0


Described = collections.namedtuple("Described", "name origin file rows count dims ranges")


def described(info):
    """What a tensor is; `ranges` of integers: the smallest and the largest number of each element, an empty list for any; else None."""
    dims = tuple(info.dims[k] for k in range(info.rank))
    ranges = [(info.ranges[2 * k], info.ranges[2 * k + 1]) for k in range(count_of(dims))] if info.ranges else []
    return Described(info.name.decode(), info.origin.decode(), info.file.decode(), info.rows, info.count, dims, ranges if info.is_integer else None)


class Cache:
    """Bound graphs by what they were bound from; the oldest goes where there are too many."""

    def __init__(self, limit):
        self.limit, self.items, self.lock = limit, collections.OrderedDict(), threading.Lock()

    def get(self, key, make):
        with self.lock:
            if key in self.items:
                self.items.move_to_end(key)
                return self.items[key][0]
        made = make()
        with self.lock:
            self.items[key] = made
            while len(self.items) > self.limit:
                self.items.popitem(last=False)
        return made[0]


def rows_of(program, inputs, fields):
    for i in program.inputs:
        if i.rows == NODE and i.origin in inputs and hasattr(inputs[i.origin], "shape"):
            return int(inputs[i.origin].shape[0])
    for name in ("node_type", "batch"):
        if fields.get(name) is not None:
            return int(fields[name].shape[0])
    edges = fields["edge_index"]
    return int(edges.max()) + 1 if edges.shape[1] else 0


class Model:
    """A .gnn file with weights as a function: net(x=..., edge_index=...) returns its output, or a dictionary of its outputs."""

    def __init__(self, program, tensors, num_threads=1, graphs=4):
        self.program, self.tensors, self.num_threads, self.graphs = program, tensors, num_threads, Cache(graphs)

    def __call__(self, *args, **fields):
        known = list(dict.fromkeys([i.origin for i in self.program.inputs] + list(GRAPH_FIELDS)))
        if args:
            raise TypeError(f"inputs go by name: x=..., edge_index=...; the names are {', '.join(known)}")
        unknown = next((name for name in fields if name not in known), None)
        if unknown is not None:
            raise TypeError(f"there is no input '{unknown}'; the names are {', '.join(known)}")
        results = self.outputs(fields)
        return results[0] if len(results) == 1 else dict(zip([o.name for o in self.program.outputs], results))

    def check(self, graph):
        """Refuses a graph that the model cannot take, before it is bound."""

    def outputs(self, fields, version=None, num_nodes=None):
        if fields.get("edge_index") is None:
            raise TypeError("missing the input 'edge_index'")
        check_graph(fields)
        graph = {k: fields[k] for k in GRAPH_FIELDS if fields.get(k) is not None}
        for name, a in graph.items():
            if is_torch(a) and a.device.type != "cpu":
                raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {a.device} and cpu! ({name})")
        num_nodes = num_nodes or rows_of(self.program, fields, graph)
        inputs = dict(fields)
        for i in self.program.inputs:
            if i.origin not in inputs and i.origin in self.tensors:
                inputs[i.origin] = self.tensors[i.origin]
        key = (tuple(identity_of(a) for a in graph.values()), num_nodes, version)
        def bind():
            self.check(graph)
            return self.program.bind(graph, self.tensors, num_nodes, self.num_threads), list(graph.values())
        bound = self.graphs.get(key, bind)
        return self.run(bound, inputs, graph["edge_index"])

    def run(self, bound, inputs, like):
        return self.program.run(bound, inputs, like, self.num_threads)


def load(path, weights=None, num_threads=1, **options):
    """A .gnn file, whose weights are in a safetensors file or a dictionary of arrays, as a function of arrays."""
    options = check_options(options, num_threads=num_threads)
    try:
        with open(path, encoding="utf-8") as f:
            text = f.read()
    except UnicodeDecodeError:
        raise ValueError(f"{path}: it is no text; expected a .gnn file") from None
    tensors = read_safetensors(weights) if isinstance(weights, (str, os.PathLike)) else dict(weights or {})
    name = next((line.split()[1] for line in text.split("\n") if line.startswith("model ")), "net")
    text = text.replace(f"model {name} {{", "model net {", 1)
    shapes = {k: tuple(v.shape) for k, v in tensors.items()}
    library = compile_text(text, shapes, lambda to: write_safetensors(to, tensors), **options)
    return Model(Program(library), tensors, num_threads)


# ---- a model of PyTorch

def compile(model, num_threads=1, graphs=4, method="forward", training=False, **options):
    """A torch.nn.Module that computes what the model computes in evaluation, by compiled C. It keeps the last `graphs` graphs bound. With
    training = True it computes, while its own `training` is set, what the model computes in training, with gradients.
    Options: gnnc, cc, flags. The first call exports and compiles; it raises gnnc_export.Unsupported with all reasons."""
    options = check_options(options, num_threads=num_threads, graphs=graphs)
    made = compiled_class()
    import torch
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"the model must be a torch.nn.Module, not {type(model).__name__}")
    if not callable(getattr(model, method, None)):
        raise ValueError(f"{type(model).__name__} has no method '{method}'")
    return made(model, num_threads, graphs, method, bool(training), options)


made_class = []


def compiled_class():
    if made_class:
        return made_class[0]
    import torch

    import gnnc_clusters
    import gnnc_export
    import gnnc_files
    import gnnc_gradients
    import gnnc_typed

    class Compiled(torch.nn.Module):
        """A compiled model. Its parameters are those of the model; when they change, it binds again."""

        def __init__(self, model, num_threads, graphs, method, has_gradients, options):
            super().__init__()
            self.model, self.num_threads, self.graphs, self.options = model, num_threads, graphs, options
            self.method, self.has_gradients = method, has_gradients
            self.signature = gnnc_files.signature_of(getattr(model, method))
            self.programs, self.is_baked, self.lock = {}, {}, threading.Lock()
            self.order, self.joined = gnnc_typed.known_types(model), Cache(graphs)
            self.edges = {} if gnnc_files.takes_edges(self.signature) else {"edge_index": torch.zeros(2, 0, dtype=torch.long)}

        def forward(self, *args, **kwargs):
            fields = self.signature.bind(*args, **kwargs).arguments
            fields = {k: v for k, v in fields.items() if v is not None}
            version = tuple((t.data_ptr(), t._version) for t in list(self.model.parameters()) + list(self.model.buffers()))
            if gnnc_typed.is_typed(fields):
                with self.lock:
                    given = gnnc_typed.Arguments(fields, self.order)
                return self.by_type(given, version)
            if len(fields) == 1 and hasattr(next(iter(fields.values())), "to_dict"):
                data = next(iter(fields.values()))
                fields = {k: v for k, v in data.to_dict().items() if isinstance(v, torch.Tensor)}
            for k, v in fields.items():
                if is_numpy(v) and hasattr(v, "shape"):
                    raise TypeError(f"{k} is a NumPy array; tensors are expected")
            fields.update(self.edges)
            check_graph(fields)
            key = tuple((k, tuple(v.shape[1:]) if isinstance(v, torch.Tensor) else repr(v)) for k, v in fields.items())
            integers = [v for v in fields.values() if isinstance(v, torch.Tensor) and not v.is_floating_point()]
            net, layout, spread, extra = self.program(key, fields, integers, version)
            try:
                return layout(net.outputs({**spread(fields), **extra}, version))
            except TypeOutOfRange:
                if not net.selects_types:
                    raise
            net, layout, spread, extra = self.program(key, fields, integers, version, makes_anew=True)
            return layout(net.outputs({**spread(fields), **extra}, version))

        def by_type(self, given, version):
            """A call with dictionaries by type: the nodes and edges of all types are one graph, which is made once for these edges."""
            graph = self.joined.get(given.identity(), lambda: (given.graph(), given.edges()))
            net, layout, spread, extra = self.program(given.key(), given, given.integers(), version)
            fields = {**given.fields(), **graph}
            return layout(net.outputs({**spread(fields), **extra}, version, given.num_nodes))

        def program(self, key, fields, integers, version, makes_anew=False):
            """The program for arguments like these; a program that belongs to one graph, or holds weights, is made again for others, and one
            that names the types of edges for a graph with more of them."""
            is_training = self.has_gradients and self.training
            if is_training:      # weights are arguments; what the modules do in training is part of the program
                key, version = (*key, *((m.training, getattr(m, "p", None)) for m in self.model.modules())), None
            with self.lock:
                if self.is_baked.get(key):
                    key += (version, *(identity_of(v) for v in integers))
                if key not in self.programs or makes_anew:
                    text, tensors, t = gnnc_export.translate(self.model, fields, "net", self.method, is_training)
                    if t.wrong_widths and t.schema:
                        raise gnnc_export.Unsupported(t.wrong_widths, type(self.model).__name__)
                    self.is_baked.setdefault(key, bool(t.is_baked or set(t.fields.extra) - set(t.fields.derived)))
                    net = self.trainer(text, tensors) if is_training else self.compiled(text, tensors)
                    net.selects_types = bool(t.relations)
                    if any(part in t.uses for part in t.both_ways):
                        net.check = gnnc_clusters.check_both_ways
                    self.programs[key] = net, t.layout, t.fields.spread, {k: v for k, v in t.fields.extra.items() if k not in t.fields.derived}
                    while len(self.programs) > 4 * self.graphs:
                        del self.programs[next(iter(self.programs))]
                    if self.is_baked.get(key):
                        return self.programs.pop(key)    # the next call has the longer key
                return self.programs[key]

        def compiled(self, text, tensors):
            shapes = {k: tuple(v.shape) for k, v in tensors.items()}
            library = compile_text(text, shapes, lambda to: write_safetensors(to, tensors), **self.options)
            return Model(Program(library), tensors, self.num_threads, self.graphs)

        def trainer(self, text, tensors):
            return gnnc_gradients.Trainer(text, tensors, lambda: self.model.state_dict(keep_vars=True), self.options, self.num_threads, self.graphs)

        def extra_repr(self):
            return f"compiled, num_threads={self.num_threads}"

    made_class.append(Compiled)
    return Compiled


assert sys.version_info >= (3, 9)
