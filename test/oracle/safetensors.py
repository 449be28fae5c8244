"""Reads and writes safetensors files with the standard library alone.

    tensors, metadata = read("graph.safetensors")
    tensors["x"].shape, tensors["x"].data        # [34, 8], flat list of Python numbers
    write("out.safetensors", {"y": Tensor("F64", [2], [1.0, 2.0])})

It is independent of the C reader of the project, because the tests of the compiler share no code with it.
"""
import array
import json
import struct
import sys
from dataclasses import dataclass

# array type codes of the dtypes that array can hold; BF16 and F16 are decoded in Python
_CODES = {"F64": "d", "F32": "f", "I64": "q", "I32": "i", "I16": "h", "I8": "b", "U8": "B", "BOOL": "B", "U16": "H",
          "U32": "I"}


@dataclass
class Tensor:
    """A dense tensor: dtype as in the file ("F32"), shape, and the elements as a flat row-major list."""
    dtype: str
    shape: list
    data: list


def _decode(dtype, raw):
    if dtype == "F16":
        return list(struct.unpack(f"<{len(raw) // 2}e", raw))
    if dtype == "BF16":
        words = struct.unpack(f"<{len(raw) // 2}H", raw)
        return [struct.unpack("<f", struct.pack("<I", w << 16))[0] for w in words]
    values = array.array(_CODES[dtype])
    values.frombytes(raw)
    if sys.byteorder == "big":
        values.byteswap()
    return values.tolist()


def _encode(dtype, values):
    if dtype == "F16":
        return struct.pack(f"<{len(values)}e", *values)
    if dtype == "BF16":
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    numbers = array.array(_CODES[dtype], values)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _width(dtype):
    return 2 if dtype in ("F16", "BF16") else array.array(_CODES[dtype]).itemsize


def read(path, names=None):
    """Returns (name -> Tensor, metadata); with `names` only those tensors are decoded."""
    with open(path, "rb") as f:
        size, = struct.unpack("<Q", f.read(8))
        header = json.loads(f.read(size))
        body = f.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        if names is None or name in names:
            begin, end = entry["data_offsets"]
            tensors[name] = Tensor(entry["dtype"], entry["shape"], _decode(entry["dtype"], body[begin:end]))
    return tensors, metadata


def write(path, tensors, metadata=None):
    """Writes name -> Tensor; wide elements first, so that every tensor is aligned to its element size."""
    header, parts, offset = {}, [], 0
    if metadata:
        header["__metadata__"] = {str(k): str(v) for k, v in metadata.items()}
    for name in sorted(tensors, key=lambda n: (-_width(tensors[n].dtype), n)):
        tensor = tensors[name]
        raw = _encode(tensor.dtype, tensor.data)
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [offset, offset + len(raw)]}
        offset += len(raw)
        parts.append(raw)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for raw in parts:
            f.write(raw)


def copy(path, destination, without):
    """Writes a file again without some of its tensors; does not decode the others."""
    with open(path, "rb") as f:
        size, = struct.unpack("<Q", f.read(8))
        header = json.loads(f.read(size))
        body = f.read()
    parts, offset = [], 0
    for name in [n for n in header if n != "__metadata__"]:
        begin, end = header[name]["data_offsets"]
        if name in without:
            del header[name]
            continue
        parts.append(body[begin:end])
        header[name]["data_offsets"] = [offset, offset + end - begin]
        offset += end - begin
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(destination, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(parts))


def round_to(dtype, value):
    """The number nearest to an f32 that the dtype holds, as a Python float (BF16: the next one towards 0)."""
    if dtype == "F16":
        return struct.unpack("<e", struct.pack("<e", value))[0]
    if dtype == "BF16":
        return struct.unpack("<f", b"\0\0" + struct.pack("<f", value)[2:])[0]
    return value


def round_f32(value):
    """The nearest f32, as a Python float; too large becomes infinity."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
