"""Calls the functions of a program of training (gnnc --train, --emit-grad) from Python: the structs of runtime/gnnc/abi.h with ctypes.

    program = Program("gcn_train.c.so", "gcn_train")
    session = program.bind(graph_tensors, num_nodes)
    loss, gradients = session.gradients(inputs, weights)
"""
import ctypes
import math
import os
import subprocess

from ctypes import POINTER, byref, c_char_p, c_float, c_int32, c_int64, c_size_t, c_uint64, c_void_p

ABI_VERSION = 3
ROWS = ("one", "node", "edge", "etype", "ntype", "graph", "part")


class Executor(ctypes.Structure):
    BODY = ctypes.CFUNCTYPE(None, c_void_p, c_int64)
    FOR_PARTS = ctypes.CFUNCTYPE(None, c_void_p, c_int64, BODY, c_void_p)
    _fields_ = [("size", c_size_t), ("user", c_void_p), ("width", c_int32), ("for_parts", FOR_PARTS)]


class Step(ctypes.Structure):
    _fields_ = [("seed", c_uint64), ("number", c_int64)]


class Context(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("executor", POINTER(Executor)), ("step", POINTER(Step))]


class GraphStruct(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("num_nodes", c_int64), ("num_edges", c_int64), ("src", c_void_p), ("dst", c_void_p),
                ("edge_type", c_void_p), ("node_type", c_void_p), ("batch", c_void_p), ("num_graphs", c_int64),
                ("context", POINTER(Context))]


class Csr(ctypes.Structure):
    _fields_ = [("indptr", c_void_p), ("indices", c_void_p), ("data", c_void_p)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("source", c_char_p), ("file", c_char_p), ("rows", c_int32), ("count", c_int64), ("rank", c_int32),
                ("dims", c_int64 * 6), ("is_sparse", c_int32), ("is_integer", c_int32), ("ranges", POINTER(c_int32))]

    def shape(self, sizes):
        """The shape with its rows; `sizes`: the number of rows by domain."""
        rows = ROWS[self.rows]
        lead = {"one": [], "etype": [self.count], "ntype": [self.count]}.get(rows)
        if lead is None:
            lead = [sizes[f"part{self.count}" if rows == "part" else rows]]
        return lead + list(self.dims[:self.rank])


class WeightInfo(ctypes.Structure):
    _fields_ = [("is_trained", c_int32), ("is_updated", c_int32), ("init", c_char_p)]


class Optimizer(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("kind", c_int32), *((n, c_float) for n in ("rate", "decay", "momentum", "beta1", "beta2", "epsilon", "clip")),
                ("decays", POINTER(c_float))]


POINTERS = POINTER(c_void_p)


class TrainInfo(ctypes.Structure):
    _fields_ = [
        ("abi_version", c_int32), ("size", c_size_t), ("name", c_char_p), ("num_inputs", c_int32), ("num_weights", c_int32), ("num_outputs", c_int32),
        ("inputs", POINTER(TensorInfo)), ("weights", POINTER(TensorInfo)), ("outputs", POINTER(TensorInfo)), ("weight_infos", POINTER(WeightInfo)),
        ("bound_bytes", ctypes.CFUNCTYPE(c_size_t, POINTER(GraphStruct))),
        ("bind", ctypes.CFUNCTYPE(c_int32, c_int32, POINTER(GraphStruct), c_void_p, c_size_t, POINTER(c_int64))),
        ("workspace_bytes", ctypes.CFUNCTYPE(c_size_t, c_void_p, POINTER(Context))),
        ("gradients", ctypes.CFUNCTYPE(c_int32, c_void_p, POINTERS, POINTERS, POINTERS, c_void_p, POINTER(Context))),
        ("evaluate", ctypes.CFUNCTYPE(c_int32, c_void_p, POINTERS, POINTERS, POINTERS, c_void_p, POINTER(Context))),
        ("initialize", ctypes.CFUNCTYPE(c_int32, c_void_p, POINTERS, c_uint64)),
        ("state_bytes", ctypes.CFUNCTYPE(c_size_t, c_void_p)),
        ("reset", ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p)),
        ("step", ctypes.CFUNCTYPE(c_int32, c_void_p, POINTERS, POINTERS, c_void_p, POINTER(Optimizer), POINTER(c_float), c_void_p, POINTER(Context))),
        ("state_tensor", ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_int32, c_int32, POINTER(POINTER(c_float)), POINTER(c_int64))),
        ("state_steps", ctypes.CFUNCTYPE(POINTER(c_int64), c_void_p)),
        ("input_gradients", POINTER(c_int32)),
        ("forward", ctypes.CFUNCTYPE(c_int32, c_void_p, POINTERS, POINTERS, POINTERS, POINTERS, c_void_p, POINTER(Context))),
        ("backward", ctypes.CFUNCTYPE(c_int32, c_void_p, POINTERS, POINTERS, POINTERS, POINTERS, c_void_p, POINTER(Context))),
    ]


class NativeError(Exception):
    """A function of the program returned an error."""


def build(source, library, flags=("-O1", "-march=native", "-ffp-contract=fast")):
    """Compiles generated C to a shared library."""
    command = [os.environ.get("CC", "cc"), "-std=c17", *flags, "-fPIC", "-shared", source, "-o", library, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NativeError(done.stderr[-2000:])


def floats(data):
    return (c_float * max(1, len(data)))(*data)


def integers(data):
    return (c_int32 * max(1, len(data)))(*(int(x) for x in data))


class Program:
    """A compiled program of training."""

    def __init__(self, library, prefix):
        self.library = ctypes.CDLL(os.path.abspath(library))
        function = getattr(self.library, f"{prefix}_info")
        function.restype = POINTER(TrainInfo)
        self.info = function().contents

    @property
    def weights(self):
        return [self.info.weights[i] for i in range(self.info.num_weights)]

    def bind(self, graph, num_nodes, weights=None):
        return Session(self, graph, num_nodes, weights or {})


class Session:
    """A program bound to a graph: tensors as `safetensors.read` gives them."""

    def __init__(self, program, graph, num_nodes, weights):
        self.program, self.info, self.tensors = program, program.info, {**weights, **graph}
        count = graph["edge_index"].shape[1]
        ends = graph["edge_index"].data
        self.kept = [integers(ends[:count]), integers(ends[count:])]
        batch = graph.get("batch")
        num_graphs = int(max(batch.data, default=-1)) + 1 if batch else 0
        if batch and "ptr" in graph:
            num_graphs = graph["ptr"].shape[0] - 1
        arrays = {name: integers(graph[name].data) if name in graph else None for name in ("edge_type", "node_type", "batch")}
        self.kept.append(arrays)
        at = {name: ctypes.cast(a, c_void_p) if a is not None else None for name, a in arrays.items()}
        self.graph = GraphStruct(ctypes.sizeof(GraphStruct), num_nodes, count, ctypes.cast(self.kept[0], c_void_p),
                                 ctypes.cast(self.kept[1], c_void_p), at["edge_type"], at["node_type"], at["batch"], num_graphs, None)
        self.sizes = {"node": num_nodes, "edge": count, "graph": num_graphs or 1}
        if "node_type" in graph:
            types = [int(t) for t in graph["node_type"].data]
            self.sizes |= {f"part{t}": types.count(t) for t in range(max(types, default=0) + 64)}
        size = self.info.bound_bytes(byref(self.graph))
        self.bound = ctypes.create_string_buffer(max(size, 1))
        index = c_int64(0)
        self.check("bind", self.info.bind(ABI_VERSION, byref(self.graph), self.bound, size, byref(index)), index.value)

    @staticmethod
    def check(name, result, index=None):
        if result:
            raise NativeError(f"{name} failed with {result}" + ("" if index is None else f" at {index}"))

    def pointers(self, arrays):
        return (c_void_p * max(1, len(arrays)))(*(ctypes.cast(a, c_void_p) if a is not None else None for a in arrays))

    def inputs(self):
        """The inputs of the model from the graph file."""
        made = []
        for i in range(self.info.num_inputs):
            info = self.info.inputs[i]
            name = info.source.decode()
            if info.is_sparse:
                parts = [self.tensors[f"{name}_{part}"].data for part in ("indptr", "indices", "data")]
                arrays = [(c_int64 * len(parts[0]))(*(int(x) for x in parts[0])), integers(parts[1]), floats(parts[2])]
                self.kept.append(arrays)
                csr = Csr(*(ctypes.cast(a, c_void_p) for a in arrays))
                self.kept.append(csr)
                made.append(ctypes.pointer(csr))
            else:
                data = self.tensors[name].data if name in self.tensors else self.dense(info, name)
                made.append(integers(data) if info.is_integer else floats(data))
        return made

    def dense(self, info, name):
        """Rows of a compressed input as dense ones."""
        indptr, indices, data = (self.tensors[f"{name}_{part}"].data for part in ("indptr", "indices", "data"))
        width = info.dims[0]
        rows = [0.0] * (width * (len(indptr) - 1))
        for r in range(len(indptr) - 1):
            for p in range(int(indptr[r]), int(indptr[r + 1])):
                rows[r * width + int(indices[p])] += data[p]
        return rows

    def context(self, executor=None, step=None):
        made = Context(ctypes.sizeof(Context), executor, ctypes.pointer(Step(*step)) if step else None)
        return made

    def workspace(self, context):
        size = self.info.workspace_bytes(self.bound, byref(context))
        return ctypes.create_string_buffer(max(size, 1))

    def weight_arrays(self, weights):
        """`weights`: a list of numbers for each weight, in the order of the program."""
        return [floats(w) for w in weights]

    def empty(self, info):
        """Memory for a tensor, without a number in it."""
        return floats([math.nan] * math.prod(info.shape(self.sizes)))

    def forward(self, inputs, weights, step=None, executor=None):
        """Returns the outputs, and for each weight its next value, or None."""
        context = self.context(executor, step)
        outputs = [self.empty(self.info.outputs[i]) for i in range(self.info.num_outputs)]
        updates = [self.empty(info) if self.info.weight_infos[i].is_updated else None for i, info in enumerate(self.program.weights)]
        self.check("forward", self.info.forward(self.bound, self.pointers(inputs), self.pointers(self.weight_arrays(weights)),
                                                self.pointers(outputs), self.pointers(updates), self.workspace(context), byref(context)))
        return [list(o) for o in outputs], [None if u is None else list(u) for u in updates]

    def backward(self, inputs, weights, adjoints, step=None, executor=None):
        """Returns the gradients of weights and of inputs; None where there is none."""
        context = self.context(executor, step)
        trained = [self.empty(info) if self.info.weight_infos[i].is_trained else None for i, info in enumerate(self.program.weights)]
        wanted = [self.empty(self.info.inputs[i]) if self.info.input_gradients[i] else None for i in range(self.info.num_inputs)]
        self.check("backward", self.info.backward(self.bound, self.pointers(inputs), self.pointers(self.weight_arrays(weights)),
                                                  self.pointers(self.weight_arrays(adjoints)), self.pointers(trained + wanted),
                                                  self.workspace(context), byref(context)))
        return [[None if g is None else list(g) for g in some] for some in (trained, wanted)]

    def gradients(self, inputs, weights, step=None, executor=None):
        """Returns the loss, and for each weight its gradient or next value, or None."""
        context = self.context(executor, step)
        work = self.workspace(context)
        out = []
        for i, info in enumerate(self.program.weights):
            said = self.info.weight_infos[i]
            out.append(floats([math.nan] * math.prod(info.shape(self.sizes))) if said.is_trained or said.is_updated else None)
        loss = floats([math.nan])
        self.check("gradients", self.info.gradients(self.bound, self.pointers(inputs), self.pointers(self.weight_arrays(weights)),
                                                    self.pointers([*out, loss]), work, byref(context)))
        return loss[0], [None if o is None else list(o) for o in out]
