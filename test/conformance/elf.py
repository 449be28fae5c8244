"""Reads the sections of an image, an ELF file of 64 bits in little endian."""
import struct

NOBITS = 8


def headers_of(data):
    """(name, type, address, offset, size) of each section."""
    table, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
    for name, kind, _, address, offset, length, *_ in rows:
        at = rows[names][4] + name
        yield data[at:data.index(b"\0", at)].decode(), kind, address, offset, length


def offsets_of(data):
    """(name, offset, bytes in the file) of each section."""
    return [(name, offset, 0 if kind == NOBITS else length) for name, kind, _, offset, length in headers_of(data) if name]


def sections_of(path):
    """The sections in device memory: name -> (address, bytes), or the size in the place of the bytes where the file holds none."""
    with open(path, "rb") as f:
        data = f.read()
    return {name: (address, length if kind == NOBITS else data[offset:offset + length]) for name, kind, address, offset, length in headers_of(data)}
