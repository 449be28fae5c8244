"""Compiled models in a training loop of PyTorch: programs of gnnc --emit-grad as a torch.autograd.Function. forward and backward are C; what is saved
in between are the inputs, the weights and the number by which dropout chooses."""
import ctypes as C
import re

import torch

from gnnc_arrays import converted, stacked, write_safetensors
from gnnc_torch import ABI_VERSION, ONE, CompileError, Context, Graph, Model, P, Program, TensorInfo, compile_text, described


class Step(C.Structure):
    _fields_ = [("seed", C.c_uint64), ("number", C.c_int64)]


class WeightInfo(C.Structure):
    _fields_ = [("is_trained", C.c_int32), ("is_updated", C.c_int32), ("init", C.c_char_p)]


LISTS = C.POINTER(P)


class TrainInfo(C.Structure):
    _fields_ = [("abi_version", C.c_int32), ("size", C.c_size_t), ("name", C.c_char_p), ("num_inputs", C.c_int32), ("num_weights", C.c_int32),
                ("num_outputs", C.c_int32), ("inputs", C.POINTER(TensorInfo)), ("weights", C.POINTER(TensorInfo)),
                ("outputs", C.POINTER(TensorInfo)), ("weight_infos", C.POINTER(WeightInfo)),
                ("bound_bytes", C.CFUNCTYPE(C.c_size_t, C.POINTER(Graph))),
                ("bind", C.CFUNCTYPE(C.c_int, C.c_int32, C.POINTER(Graph), P, C.c_size_t, C.POINTER(C.c_int64))),
                ("workspace_bytes", C.CFUNCTYPE(C.c_size_t, P, C.POINTER(Context))),
                *((name, P) for name in "gradients evaluate initialize state_bytes reset step state_tensor state_steps".split()),
                ("input_gradients", C.POINTER(C.c_int32)),
                ("forward", C.CFUNCTYPE(C.c_int, P, LISTS, LISTS, LISTS, LISTS, P, C.POINTER(Context))),
                ("backward", C.CFUNCTYPE(C.c_int, P, LISTS, LISTS, LISTS, LISTS, P, C.POINTER(Context)))]


class TrainProgram(Program):
    """The functions of a program with gradients."""

    def __init__(self, library):
        self.open(library, "net_train_info", TrainInfo)
        infos = [self.info.weight_infos[k] for k in range(len(self.weights))]
        self.trained, self.updated = [bool(i.is_trained) for i in infos], [bool(i.is_updated) for i in infos]
        self.wanted = [bool(self.info.input_gradients[k]) for k in range(len(self.inputs))]

    def bind_block(self, graph, weights, block, index):
        return self.info.bind(ABI_VERSION, graph, block.at, block.size, index)

    def context_of(self, threads, seed):
        base, step = self.context(threads), Step(seed, 1)
        made = Context(C.sizeof(Context), base.executor if base is not None else None, C.addressof(step))
        made.keep = step
        return made

    def shape_of(self, w):
        return tuple(w.dims) if w.rows == ONE else (w.count,) + tuple(w.dims)

    def arrays(self, state):
        """The weights, by their names in the model, as arrays of the program."""
        made = [converted(stacked(w.origin, state), "f32") for w in self.weights]
        for w, v in zip(self.weights, made):
            if tuple(v.shape) != self.shape_of(w):
                raise RuntimeError(f"the weight '{w.origin}' has the wrong shape: expected {list(self.shape_of(w))}, got {list(v.shape)}")
        return made

    def parts(self, w, names):
        """The names of the tensors of the model that make a weight."""
        return [w.origin] if w.origin in names or not w.origin.startswith("{") else w.origin[1:-1].split("|")


class Call:
    """One call of a model: what forward and backward share."""

    def __init__(self, model, bound, seed, names, fixed):
        self.model, self.bound, self.names, self.fixed = model, bound, names, fixed
        self.context, self.num_inputs = model.program.context_of(model.num_threads, seed), len(model.program.inputs)

    def given(self, tensors):
        program, n = self.model.program, self.num_inputs
        inputs = program.taken(self.bound, {i.origin: t for i, t in zip(program.inputs, tensors)})
        return inputs, program.arrays({**self.fixed, **dict(zip(self.names, tensors[n:]))})

    def call(self, function, inputs, *lists):
        self.model.program.call(function, self.bound, inputs, lists, C.byref(self.context), self.model.num_threads)

    def forward(self, tensors):
        program = self.model.program
        inputs, weights = self.given(tensors)
        outputs = [torch.empty(self.bound.shape(o)) for o in program.outputs]
        updates = [torch.empty(program.shape_of(w)) if is_updated else None for w, is_updated in zip(program.weights, program.updated)]
        self.call(program.info.forward, inputs, weights, outputs, updates)
        for w, v in zip(program.weights, updates):
            for k, part in enumerate(program.parts(w, self.fixed)) if v is not None else ():
                self.fixed[part].copy_(v if part == w.origin else v[k])
                count = self.fixed.get(part.replace("running_mean", "num_batches_tracked")) if "running_mean" in part else None
                if count is not None:
                    count.add_(1)
        return outputs

    def backward(self, tensors, adjoints, needed):
        """The gradients of inputs and of the weights in `names`; None where there is none."""
        program = self.model.program
        inputs, weights = self.given(tensors)
        adjoints = [converted(d, "f32") for d in adjoints]
        trained = [torch.empty(program.shape_of(w)) if is_trained else None for w, is_trained in zip(program.weights, program.trained)]
        wanted = [torch.empty(self.bound.shape(i)) if is_wanted else None for i, is_wanted in zip(program.inputs, program.wanted)]
        self.call(program.info.backward, inputs, weights, adjoints, trained + wanted)
        of = {}
        for w, d in zip(program.weights, trained):
            parts = program.parts(w, {**self.fixed, **dict.fromkeys(self.names)}) if d is not None else []
            for k, part in enumerate(parts):
                own = d if part == w.origin else d[k]
                of[part] = of[part] + own if part in of else own
        made = wanted + [of.get(name) for name in self.names]
        return [d if is_needed else None for d, is_needed in zip(made, needed)]


class Compute(torch.autograd.Function):
    @staticmethod
    def forward(ctx, call, *tensors):
        ctx.call = call
        ctx.save_for_backward(*tensors)
        return tuple(call.forward(tensors))

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, *adjoints):
        return (None, *ctx.call.backward(ctx.saved_tensors, adjoints, ctx.needs_input_grad[1:]))


class Trained(Model):
    """A program with gradients as a function; `state()` gives the tensors of the model by their names."""

    def __init__(self, program, tensors, state, has_dropout, num_threads, graphs):
        super().__init__(program, tensors, num_threads, graphs)
        self.state, self.has_dropout = state, has_dropout

    def run(self, bound, inputs, like):
        program, state = self.program, {**self.tensors, **self.state()}
        names, fixed = [], {}
        for w, is_trained in zip(program.weights, program.trained):
            for part in program.parts(w, state):
                if part not in state or not state[part].requires_grad:
                    fixed[part] = state.get(part)
                    continue
                if not is_trained:
                    raise CompileError(f"the layer library never trains the weight '{part}'; set requires_grad_(False) for it")
                if part not in names:
                    names.append(part)
        fixed = {k: v for k, v in fixed.items() if v is not None}
        fixed.update((k, v) for k, v in state.items() if k.endswith("num_batches_tracked"))
        missing = next((i.origin for i in program.inputs if i.origin not in inputs), None)
        if missing is not None:
            raise TypeError(f"missing the input '{missing}'")
        seed = int(torch.randint(2 ** 63 - 1, (1,))) if self.has_dropout else 0
        call = Call(self, bound, seed, names, fixed)
        return list(Compute.apply(call, *(inputs[i.origin] for i in program.inputs), *(state[name] for name in names)))


class Trainer:
    """A model in training mode: a program for each choice of inputs that need a gradient. It takes the place of a Model."""

    def __init__(self, text, tensors, state, options, num_threads, graphs):
        self.text, self.tensors, self.state, self.options = text, tensors, state, options
        self.num_threads, self.graphs, self.models = num_threads, graphs, {}
        found = re.findall(r'^ *input (\S+) *:[^;\n]*?(?: from "([^"]*)")?[^;"\n]*;', text, re.MULTILINE)
        self.names = {origin or name: name for name, origin in found}
        self.has_dropout = bool(re.search(r"\b(attention_)?dropout( =|\()", text))

    def check(self, graph):
        """Refuses a graph that the model cannot take, before it is bound."""

    def outputs(self, fields, version=None, num_nodes=None):
        needs = [name for origin, name in self.names.items()
                 if torch.is_grad_enabled() and getattr(fields.get(origin), "requires_grad", False)]
        key = ",".join(needs) or "weights"
        if key not in self.models:
            shapes = {k: tuple(v.shape) for k, v in self.tensors.items()}
            library = compile_text(self.text, shapes, lambda to: write_safetensors(to, self.tensors), more=[f"--emit-grad={key}"], **self.options)
            made = Trained(TrainProgram(library), self.tensors, self.state, self.has_dropout, self.num_threads, self.graphs)
            made.check = self.check
            self.models[key] = made
        return self.models[key].outputs(fields, None, num_nodes)
