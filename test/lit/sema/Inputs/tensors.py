"""Writes a safetensors file whose tensors are zero, or filled with the integer N where "= N" follows the dims:

    tensors.py OUT "name DTYPE dims..." "name DTYPE dims... = N" ...
"""
import json
import struct
import sys

SIZES = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "F16": 2, "BF16": 2, "U8": 1}

header, end, data = {}, 0, b""
for spec in sys.argv[2:]:
    declaration, _, fill = spec.partition("=")
    name, dtype, *dims = declaration.split()
    size = SIZES[dtype]
    for dim in dims:
        size *= int(dim)
    header[name] = {"dtype": dtype, "shape": [int(d) for d in dims], "data_offsets": [end, end + size]}
    end += size
    data += int(fill or 0).to_bytes(SIZES[dtype], "little") * (size // SIZES[dtype])
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack("<Q", len(text)) + text + data)
