"""Images of programs, for the references of machines: ELF sections, the device of the note, the manifest, and the tensors that it names."""
import json
import struct


class Fault(Exception):
    """The program breaks a rule of its machine; the message says where."""


class Section:
    def __init__(self, address, data):
        self.address, self.data = address, data


class Image:
    """Sections, device and manifest of an ELF file."""

    def __init__(self, data, fill):
        if data[:6] != b"\x7fELF\x02\x01":
            raise Fault("not a little-endian 64-bit ELF file")
        table, = struct.unpack_from("<Q", data, 40)
        size, count, names = struct.unpack_from("<HHH", data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * size) for i in range(count)]
        strings = headers[names][4]
        self.sections = {}
        for name, kind, _, address, offset, length, *_ in headers:
            at = strings + name
            word = struct.pack("<f", fill)
            content = bytearray(word * (length // 4)) if kind == 8 else bytearray(data[offset:offset + length])
            self.sections[data[at:data.index(b"\0", at)].decode()] = Section(address, content)
        note = self.sections[".note.gnnc"].data
        owner, length = struct.unpack_from("<II", note, 0)
        begin = 12 + (owner + 3) // 4 * 4
        self.device = json.loads(note[begin:begin + length])["device"]
        program = self.sections.get(".gnnc.program")
        self.manifest = json.loads(program.data) if program and program.data else {}
        self.loaded = [s for n, s in self.sections.items() if n in (".edges", ".weights", ".features")]

    def find(self, address, size):
        for s in self.loaded:
            if s.address <= address and address + size <= s.address + len(s.data):
                return s.data, address - s.address
        raise Fault(f"{size} bytes at {address:#x} are in no section")

    def floats(self, address, count):
        data, at = self.find(address, 4 * count)
        return list(struct.unpack_from(f"<{count}f", data, at))

    def put_floats(self, address, numbers):
        data, at = self.find(address, 4 * len(numbers))
        struct.pack_into(f"<{len(numbers)}f", data, at, *numbers)


def orders(image, tensor):
    """The index in the user's order for each device row."""
    if tensor.get("order") is None:
        return list(range(tensor["rows"]))
    return list(struct.unpack_from(f"<{tensor['rows']}i", image.sections[".gnnc.rows"].data, tensor["order"]))


def order_of(image, place, count):
    """The index of each row of a memory that folds."""
    if place.get("order") is None:
        if place["rows"] != count:
            raise Fault(f"{place['rows']} rows of memory for {count} of the array")
        return list(range(count))
    order = list(struct.unpack_from(f"<{place['rows']}i", image.sections[".gnnc.rows"].data, place["order"]))
    if any(i < -1 or i >= count for i in order):
        raise Fault(f"an order of {count} rows has another row")
    return order


def read_field(graph, name, width):
    """A field of the graph file as one flat list, also where the file stores it as CSR only."""
    if name in graph:
        return graph[name].data
    indptr, indices, values = (graph[f"{name}_{part}"].data for part in ("indptr", "indices", "data"))
    rows = [0.0] * ((len(indptr) - 1) * width)
    for r in range(len(indptr) - 1):
        for at in range(indptr[r], indptr[r + 1]):
            rows[r * width + indices[at]] = values[at]
    return rows
