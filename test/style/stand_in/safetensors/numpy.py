"""save_file of safetensors.numpy."""
import json
import struct

DTYPES = {"float32": "F32", "float64": "F64", "int32": "I32", "int64": "I64", "bool": "BOOL"}


def save_file(tensors, path, metadata=None):
    header, data = {"__metadata__": metadata or {}}, b""
    for name, array in tensors.items():
        raw = array.tobytes()
        header[name] = {"dtype": DTYPES[str(array.dtype)], "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + data)
