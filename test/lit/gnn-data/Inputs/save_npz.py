"""Writes a matrix as scipy.sparse.save_npz does, without scipy: save_npz.py FILE csr|csc|coo ROWS COLUMNS ROW,COLUMN,VALUE..."""
import struct
import sys
import zipfile

path, form, rows, columns = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
entries = [(int(r), int(c), float(v)) for r, c, v in (e.split(",") for e in sys.argv[5:])]
outer = 1 if form == "csc" else 0
if form != "coo":
    entries.sort(key=lambda e: e[outer])


def npy(kind, letter, shape, numbers):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n" % (kind, shape)
    data = numbers if isinstance(numbers, bytes) else struct.pack("<%d%s" % (len(numbers), letter), *numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
    n = "(%d,)" % len(entries)
    if form == "coo":
        z.writestr("row.npy", npy("<i4", "i", n, [e[0] for e in entries]))
        z.writestr("col.npy", npy("<i4", "i", n, [e[1] for e in entries]))
    else:
        size = (rows, columns)[outer]
        z.writestr("indices.npy", npy("<i4", "i", n, [e[1 - outer] for e in entries]))
        z.writestr("indptr.npy", npy("<i4", "i", "(%d,)" % (size + 1), [sum(e[outer] < k for e in entries) for k in range(size + 1)]))
    z.writestr("format.npy", npy("|S3", "", "()", form.encode()))
    z.writestr("shape.npy", npy("<i8", "q", "(2,)", [rows, columns]))
    z.writestr("data.npy", npy("<f8", "d", n, [e[2] for e in entries]))
