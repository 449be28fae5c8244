"""Functions of PyTorch that end the process where they are given a symbolic value: their own code takes it for a tensor, because its class says so,
before it asks for another implementation. While a forward is traced, values go to the tracer instead."""
import torch

import gnnc_ops
from gnnc_ops import Refused
from gnnc_trace import first_value

NAMES = "pow float_power where remainder full scalar_tensor as_tensor".split()
gnnc_ops.FUNCTIONS["float_power"] = gnnc_ops.FUNCTIONS["pow"]
gnnc_ops.FUNCTIONS["as_tensor"] = lambda p, x, *args, **kwargs: x


class Context:
    """What the forward of a torch.autograd.Function keeps for its backward, which there is none of."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: None


def safe(t, name, original):
    def call(*args, **kwargs):
        if first_value([args, kwargs]) is None:
            return original(*args, **kwargs)
        return t.function(name, args, kwargs)
    return call


def replaced(t):
    """(namespace, name, replacement) while a forward is traced."""
    for name in NAMES:
        yield vars(torch), name, safe(t, name, getattr(torch, name))
    kind = torch.autograd.Function
    original = kind.__dict__.get("apply")

    def apply(cls, *args, **kwargs):
        if first_value([args, kwargs]) is None:
            return (original.__get__(None, cls) if original is not None else super(kind, cls).apply)(*args, **kwargs)
        if t.is_training:
            raise Refused(f"{cls.__name__}, a torch.autograd.Function with a gradient of its own")
        is_apart = getattr(cls, "setup_context", None) is not getattr(kind, "setup_context", None)
        return cls.forward(*args, **kwargs) if is_apart else cls.forward(Context(), *args, **kwargs)
    yield kind, "apply", classmethod(apply)
