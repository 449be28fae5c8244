"""What bench/sextans.py computes itself: cycles of a launch by the rules of isa/sextans/timing.h, with extensions of the device that the simulator does not have, and the lists
in a program of gnn-spmm."""
import array
import dataclasses
import struct

PES, TILE = 64, 8


def ceil(a, b):
    return -(-a // b)


@dataclasses.dataclass
class Hardware:
    """The device of timing.h; other values are models of extensions."""
    window: int = 4096
    tile: int = TILE  # columns of a pass
    stream: int = 8  # rows of B per cycle
    write: int = 16  # rows of C per cycle
    zero: int = 64
    has_two_b: bool = False
    writes_aside: bool = False  # C of a pass is written while the next pass computes


def launch_cycles(m, k, n, lengths, hardware=Hardware()):
    """Cycles of a launch at level 1; `lengths` are the slots of each window."""
    t = {"b": 0, "c": 0}
    free, buffer, written = [0, 0], 0, 0
    width = hardware.window // 2 if hardware.has_two_b else hardware.window
    for _ in range(ceil(n, hardware.tile)):
        t["c"] += ceil(m, hardware.zero)
        for j, slots in enumerate(lengths):
            if hardware.has_two_b:
                t["b"] = max(t["b"], free[buffer])
            ready = t["b"] + ceil(min(width, k - j * width), hardware.stream)
            t["c"] = max(ready, t["c"]) + slots
            t["b"] = ready if hardware.has_two_b else t["c"]
            free[buffer] = t["c"]
            buffer = 1 - buffer
        if hardware.writes_aside:
            written = t["c"] = max(t["c"], written)
            written += ceil(m, hardware.write)
        else:
            t["c"] += ceil(m, hardware.write)
    return max(t["c"], written)


def parts_of_pass(m, k, lengths, hardware=Hardware()):
    """Cycles of a pass in the middle of a launch: (stream B, slots, clear and write C, of these hidden), and their sum without the hidden ones."""
    stream = sum(ceil(min(hardware.window, k - j * hardware.window), hardware.stream) for j in range(len(lengths)))
    slots, c = sum(lengths), ceil(m, hardware.zero) + ceil(m, hardware.write)
    total = launch_cycles(m, k, 9 * TILE, lengths, hardware) - launch_cycles(m, k, 8 * TILE, lengths, hardware)
    return stream, slots, c, stream + slots + c - total, total


def equation_10(m, k, n, nnz):
    """Cycles by the paper's equation (10)."""
    return ceil((8 * k + nnz + 4 * m) * ceil(n, TILE), PES)


def least_pass(m, k, nnz, window=4096):
    """A bound for a pass with any order of columns, cut, assignment and schedule: all rows of B are streamed one window after the other, no more than the first of them while C is
    written and cleared, and 64 PEs have one non-zero per slot each."""
    c = ceil(m, 64) + ceil(m, 16)
    return ceil(k, 8) + ceil(nnz, PES) + c - min(c, ceil(min(window, k), 8))


def exchanged_pass_cycles(m, k, n):
    """At least the cycles of C' = B' A': A is B transposed, whose numbers all are non-zeros, and A is dense in the place of B; m columns of C'."""
    return ceil(m, TILE) * (ceil(k, 8) + ceil(n * k, PES) + ceil(n, 16))


# ---- one list: (row, column) pairs ----

def schedule_in_order(items, distance):
    """Slots of a pipeline that stalls; items in the order given."""
    last, at = {}, -1
    for row, _ in items:
        at = max(at + 1, last.get(row, -distance) + distance)
        last[row] = at
    return at + 1


# ---- programs of gnn-spmm ----

def read_sections(path):
    """{name: bytes} of the sections of an ELF file."""
    with open(path, "rb") as f:
        data = f.read()
    at, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, at + i * size) for i in range(count)]
    strings = headers[names][4]

    def name(h):
        begin = strings + h[0]
        return data[begin:data.index(b"\0", begin)].decode()
    return {name(h): data[h[4]:h[4] + h[5]] for h in headers if h[1] != 8}


def read_q(sections, windows):
    """The slots of each window of the only launch of a program."""
    q = array.array("i", sections[".edges"][:4 * (windows + 1)])
    return [b - a for a, b in zip(q, q[1:])]


def read_list(sections, slots):
    """The (row, column) of each slot of PE 0, None for a bubble, of a launch with one window."""
    words = array.array("Q", sections[".weights"][:64 * slots])[::8]
    return [None if w >> 49 & 1 else (w >> 32 & 0x1FFFF, w >> 50) for w in words]


def read_window(sections, slots, length):
    """Whether slot i of the first window of PE p is a non-zero: [p][i]."""
    words = array.array("Q", sections[".weights"][:8 * 64 * slots])
    lanes = [int(f"{group:03b}"[::-1], 2) for group in range(8)]
    return [[not words[p % 8 * 8 * slots + 8 * i + lanes[p // 8]] >> 49 & 1 for i in range(length)] for p in range(PES)]
