"""Arrays of PyTorch and of NumPy for compiled models: their memory, their checks in the words of PyTorch, and files of weights. PyTorch need not
be there."""
import ctypes as C
import hashlib
import json
import struct

GRAPH_FIELDS = ("edge_index", "edge_type", "node_type", "batch")
WORDS = {"float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "int64": "Long", "int32": "Int", "bool": "Bool"}


def is_torch(a):
    return type(a).__module__.split(".")[0] == "torch" or hasattr(a, "data_ptr")


def pointer(a):
    return a.data_ptr() if is_torch(a) else a.__array_interface__["data"][0]


def converted(a, kind):
    """a as contiguous int32 or float32, copied where it is not; of any library."""
    if is_torch(a):
        import torch
        return a.detach().to(torch.int32 if kind == "i32" else torch.float32).contiguous()
    import numpy
    return numpy.ascontiguousarray(a, dtype=numpy.int32 if kind == "i32" else numpy.float32)


def empty(shape, like):
    if is_torch(like):
        import torch
        return torch.empty(shape, dtype=torch.float32)
    import numpy
    return numpy.empty(shape, dtype=numpy.float32)


def checked(name, a, shape, is_integer=False):
    """An input as it is run on: float32 or int32 on the CPU, of this shape, contiguous."""
    if not hasattr(a, "shape"):
        raise TypeError(f"{name} must be a tensor, not {type(a).__name__}")
    kind = str(a.dtype).split(".")[-1]
    if is_integer and "int" not in kind and kind != "bool":
        raise RuntimeError(f"expected scalar type Long but found {WORDS.get(kind, kind)} ({name})")
    if kind != "float32" and not is_integer:
        raise RuntimeError(f"expected scalar type Float but found {WORDS.get(kind, kind)} ({name})")
    if is_torch(a) and a.device.type != "cpu":
        raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {a.device} and cpu! ({name})")
    if tuple(a.shape) != tuple(shape):
        raise RuntimeError(f"{name} has the wrong shape: expected {list(shape)}, got {list(a.shape)}")
    if is_integer and "64" in kind and 0 not in a.shape and not -2**31 <= int(a.min()) <= int(a.max()) < 2**31:
        raise IndexError(f"index out of range: {name} has numbers from {int(a.min())} to {int(a.max())}")
    if is_integer:
        return converted(a, "i32")
    return converted(a, "f32") if not (a.is_contiguous() if is_torch(a) else a.flags.c_contiguous) else a


def is_numpy(a):
    return type(a).__module__.split(".")[0] == "numpy"


def check_graph(fields):
    """Refuses fields of the graph that are no whole numbers, and an edge_index of another shape."""
    for name in GRAPH_FIELDS:
        a = fields.get(name)
        if a is None or "sparse" in str(getattr(a, "layout", "")) or "Sparse" in type(a).__name__:
            continue
        if not hasattr(a, "shape"):
            raise TypeError(f"{name} must be a tensor, not {type(a).__name__}")
        kind = str(a.dtype).split(".")[-1]
        if "int" not in kind:
            raise RuntimeError(f"expected scalar type Long but found {WORDS.get(kind, kind)} ({name})")
        if name == "edge_index" and (len(a.shape) != 2 or a.shape[0] != 2):
            raise RuntimeError(f"edge_index has the wrong shape: expected [2, edges], got {list(a.shape)}")


def identity_of(a):
    """What changes when an array is another one or is written to. NumPy has no version: its values count."""
    if a is None:
        return None
    if is_torch(a):
        return (a.data_ptr(), a._version, tuple(a.shape), tuple(a.stride()), a.dtype)
    return (hashlib.sha256(a.tobytes()).digest(), a.shape, str(a.dtype))


# ---- weights

class Raw:
    """A float32 tensor of a file."""

    def __init__(self, memory, at, shape):
        self.shape, self.memory = shape, memory
        self.__array_interface__ = {"data": (C.addressof(C.c_char.from_buffer(memory)) + at, False), "shape": shape, "typestr": "<f4",
                                    "version": 3}
        self.bytes = (at, at + 4 * count_of(shape))


def stacked(name, tensors):
    """The tensor of a name; "{lin.paper|lin.author}" are these tensors along a new first dimension."""
    if name in tensors or not (name.startswith("{") and name.endswith("}")):
        if name not in tensors:
            raise RuntimeError(f"the weight '{name}' is missing")
        return tensors[name]
    parts = [stacked(part, tensors) for part in name[1:-1].split("|")]
    if any(tuple(p.shape) != tuple(parts[0].shape) for p in parts):
        raise RuntimeError(f"the weights {name} have different shapes: {[list(p.shape) for p in parts]}")
    shape = (len(parts), *parts[0].shape)
    if isinstance(parts[0], Raw):
        return Raw(bytearray(b"".join(bytes(p.memory[p.bytes[0]:p.bytes[1]]) for p in parts)), 0, shape)
    if is_torch(parts[0]):
        import torch
        return torch.stack([p.detach() for p in parts])
    import numpy
    return numpy.stack(parts)


def count_of(shape):
    n = 1
    for s in shape:
        n *= s
    return n


def read_safetensors(path):
    """The float32 tensors of a file."""
    with open(path, "rb") as f:
        memory = bytearray(f.read())
    try:
        size = struct.unpack("<Q", memory[:8])[0]
        head = json.loads(memory[8:8 + size])
        found = {name: (8 + size + t["data_offsets"][0], tuple(t["shape"])) for name, t in head.items()
                 if name != "__metadata__" and t["dtype"] == "F32"}
    except (struct.error, ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise ValueError(f"{path}: it is no safetensors file; expected the weights of a model") from None
    for name, (at, shape) in found.items():
        if at + 4 * count_of(shape) > len(memory):
            raise ValueError(f"{path}: it ends at byte {len(memory)}, and '{name}' at byte {at + 4 * count_of(shape)}")
    return {name: Raw(memory, at, shape) for name, (at, shape) in found.items()}


def bytes_of(v):
    """The numbers of a tensor of any library as float32."""
    if isinstance(v, Raw):
        return bytes(v.memory[slice(*v.bytes)])
    made = converted(v, "f32")  # alive while its memory is read
    if not is_torch(v):
        return bytes(memoryview(made.reshape(-1)).cast("B"))
    return C.string_at(pointer(made), 4 * made.numel()) if made.numel() else b""


def write_safetensors(path, tensors):
    head, blobs, at = {}, [], 0
    for name, v in tensors.items():
        data = bytes_of(v)
        head[name] = {"dtype": "F32", "shape": list(v.shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        blobs.append(data)
    text = json.dumps(head).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))
