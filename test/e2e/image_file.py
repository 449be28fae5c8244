"""Writes images of programs without the project: the ELF file, its note and its records.

    text = encode("halt", {}, names, fields)          names, fields: the tables of the machine's reference in test/oracle
    write_image(path, "toy", device, {".text": (4096, text), ".features": (8192, 256)}, manifest)
"""
import json
import struct

ALIGN, RECORD = 64, 128


def pad(data):
    return data + bytes(-len(data) % ALIGN)


def write_image(path, machine, device, sections, manifest=None):
    """sections: name -> (address, bytes, or the size of a section without data)."""
    note = json.dumps({"machine": machine, "isa": [1, 0], "device": {"machine": machine, **device}, "graph": "0" * 16, "compiler": ""}).encode()
    note = struct.pack("<III", 5, len(note), 1) + b"gnnc\0\0\0\0" + note + bytes(-len(note) % 4)
    kinds = {".note.gnnc": 7, ".shstrtab": 3}
    program = [(".gnnc.program", 0, json.dumps(manifest).encode())] if manifest else []
    rows = [("", 0, b""), *((n, a, d) for n, (a, d) in sections.items()), *program, (".note.gnnc", 0, note)]
    names = b"".join(n.encode() + b"\0" for n, _, _ in rows) + b".shstrtab\0"
    rows.append((".shstrtab", 0, names))
    headers, body = [], bytearray(64)
    for name, address, data in rows:
        is_empty = isinstance(data, int)
        at, size = len(body), data if is_empty else len(data)
        kind = 0 if not name else 8 if is_empty else kinds.get(name, 1)
        headers.append(struct.pack("<IIQQQQIIQQ", names.index(name.encode() + b"\0") if name else 0, kind, 2 if address else 0, address, at, size, 0, 0, 1, 0))
        body += b"" if is_empty else pad(data)
    body[:64] = struct.pack("<4sBBB9xHHIQQQIHHHHHH", b"\x7fELF", 2, 1, 1, 2, 0, 1, 0, 0, len(body), 0, 64, 0, 0, 64, len(headers), len(headers) - 1)
    with open(path, "wb") as f:
        f.write(body + b"".join(headers))


def encode(op, values, names, fields):
    code = {n: c for c, n in names.items()}[op]
    for name, value in values.items():
        low, _, is_real = fields[op][name]
        code |= (struct.unpack("<I", struct.pack("<f", value))[0] if is_real else value) << low
    return code.to_bytes(RECORD, "little")
