"""Programs of training bound to a graph file without copies through lists, for timing: the structs of test/train/native.py."""
import array
import ctypes
import math
import mmap
import os
import sys

import tensors

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../test/train")

import native  # noqa: E402 the folder above

ADAM = 1
FLAGS = ("-ffp-contract=fast", "-fno-math-errno", "-O3", "-march=native", "-fopenmp-simd", "-DGNNC_OPENMP_SIMD")  # those of gnn-train
FORMATS = {"I32": "i", "I64": "q", "F32": "f", "U8": "B", "BOOL": "B"}


def read(path):
    """The tensors of a safetensors file: (dtype, shape, memory)."""
    header, start = tensors.read_header(path)
    header.pop("__metadata__", None)
    with open(path, "rb") as f:
        memory = memoryview(mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ))
    found = {}
    for name, t in header.items():
        begin, end = t["data_offsets"]
        found[name] = (t["dtype"], t["shape"], memory[start + begin:start + end])
    return found


def build(source, flags=FLAGS):
    """The shared library of generated C."""
    native.build(source, f"{source}.so", flags)
    return f"{source}.so"


def as_array(tensor, code):
    """A tensor as an array of C numbers; conversions cost time only where the types differ."""
    dtype, _, memory = tensor
    made = array.array(FORMATS[dtype])
    made.frombytes(memory)
    return made if made.typecode == code else array.array(code, made)


def address(made):
    return ctypes.cast(made.buffer_info()[0], ctypes.c_void_p)


def zeros(count):
    return array.array("f", bytes(4 * max(1, count)))


class Timed:
    """A program of training with memory for its functions. The graph, inputs and weights stay as they are between runs."""

    def __init__(self, library, name, graph, seed=1):
        self.program = native.Program(library, name)
        self.info, self.kept = self.program.info, []
        self.tensors = read(graph)
        self.bind()
        self.inputs = self.pointers([self.make_input(self.info.inputs[i]) for i in range(self.info.num_inputs)])
        self.context = native.Context(ctypes.sizeof(native.Context), None, ctypes.pointer(native.Step(seed, 1)))
        self.workspace_bytes = self.info.workspace_bytes(self.bound, ctypes.byref(self.context))
        self.workspace = ctypes.create_string_buffer(max(self.workspace_bytes, 1))
        self.weights = self.pointers([self.keep(zeros(math.prod(w.shape(self.sizes)))) for w in self.program.weights])
        self.check(self.info.initialize(self.bound, self.weights, seed))
        outputs = [self.info.outputs[i] for i in range(self.info.num_outputs)]
        self.outputs = self.pointers([self.keep(zeros(math.prod(o.shape(self.sizes)))) for o in outputs])
        self.state = ctypes.create_string_buffer(max(self.info.state_bytes(self.bound), 1))
        self.check(self.info.reset(self.bound, self.state))
        self.optimizer = native.Optimizer(ctypes.sizeof(native.Optimizer), ADAM, 0.001, 0.0, 0.0, 0.9, 0.999, 1e-8, 0.0, None)
        self.loss = ctypes.c_float(0)

    @staticmethod
    def check(result):
        if result:
            raise native.NativeError(f"a function of the program returned {result}")

    def keep(self, made):
        self.kept.append(made)
        return address(made)

    def pointers(self, addresses):
        return (ctypes.c_void_p * max(1, len(addresses)))(*[a.value if isinstance(a, ctypes.c_void_p) else a for a in addresses])

    def bind(self):
        edges = self.tensors["edge_index"]
        ends, count = as_array(edges, "i"), edges[1][1]
        nodes = next((self.tensors[n][1][0] for n in ("y", "x", "node_type", "train_mask") if n in self.tensors), None)
        types = {n: self.keep(as_array(self.tensors[n], "i")) if n in self.tensors else None for n in ("edge_type", "node_type")}
        base = self.keep(ends).value
        self.graph = native.GraphStruct(ctypes.sizeof(native.GraphStruct), nodes, count, base, base + 4 * count,
                                        types["edge_type"], types["node_type"], None, 0, None)
        self.sizes = {"node": nodes, "edge": count, "graph": 1}
        size = self.info.bound_bytes(ctypes.byref(self.graph))
        self.bound = ctypes.create_string_buffer(max(size, 1))
        index = ctypes.c_int64(0)
        self.check(self.info.bind(native.ABI_VERSION, ctypes.byref(self.graph), self.bound, size, ctypes.byref(index)))

    def make_input(self, info):
        name = info.source.decode()
        if info.is_sparse:
            arrays = [self.keep(as_array(self.tensors[f"{name}_{part}"], code)) for part, code in (("indptr", "q"), ("indices", "i"), ("data", "f"))]
            csr = native.Csr(*arrays)
            self.kept.append(csr)
            return ctypes.cast(ctypes.pointer(csr), ctypes.c_void_p)
        return self.keep(as_array(self.tensors[name], "i" if info.is_integer else "f"))

    def step(self):
        """One step: the loss, its gradients and a change of the weights."""
        self.check(self.info.step(self.bound, self.inputs, self.weights, self.state, ctypes.byref(self.optimizer), ctypes.byref(self.loss),
                                  self.workspace, ctypes.byref(self.context)))

    def evaluate(self):
        """The outputs and the loss, without dropout."""
        self.check(self.info.evaluate(self.bound, self.inputs, self.weights, self.outputs, self.workspace, ctypes.byref(self.context)))
