"""save_file of safetensors.torch, which refuses tensors that are not contiguous."""
from safetensors import numpy


def save_file(tensors, path, metadata=None):
    assert all(t.is_contiguous() for t in tensors.values())
    numpy.save_file({name: t.numpy() for name, t in tensors.items()}, path, metadata)
