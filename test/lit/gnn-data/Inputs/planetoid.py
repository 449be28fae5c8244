"""Writes a data set of Planetoid with seven nodes, one of which has no features, without numpy or scipy:
planetoid.py FOLDER PROTOCOL [PART=evil|PART=list]

Modules with the names of numpy and scipy stand in for them, so that pickles name their functions. The graph, a
ring of nodes 0 to 6, has a self loop and a duplicate edge; node 5 lies between the nodes for testing 6 and 4.
"""
import collections
import pickle
import struct
import sys
import types


def make_module(name, **members):
    module = types.ModuleType(name)
    for key, value in members.items():
        value.__module__ = name
        value.__qualname__ = key
        setattr(module, key, value)
    sys.modules[name] = module
    return module


class ndarray:
    """Pickles as numpy does: a call with a state."""

    def __init__(self, kind, shape, numbers):
        self.kind, self.shape = kind, shape
        self.bytes = struct.pack("<%d%s" % (len(numbers), {"f4": "f", "i4": "i", "i8": "q"}[kind]), *numbers)

    def __reduce__(self):
        return _reconstruct, (ndarray, (0,), b"b"), (1, self.shape, dtype(self.kind), False, self.bytes)


class dtype:
    def __init__(self, name):
        self.name = name

    def __reduce__(self):
        return dtype, (self.name, False, True), (3, "<", None, None, None, -1, -1, 0)


def _reconstruct(*arguments):
    return arguments


class csr_matrix:
    def __init__(self, rows, columns):
        indptr, indices, data = [0], [], []
        for row in rows:
            indices += sorted(row)
            data += [row[c] for c in sorted(row)]
            indptr.append(len(indices))
        self._shape = (len(rows), columns)
        self.maxprint = 50
        self.format = "csr"
        self.indices = ndarray("i4", (len(indices),), indices)
        self.indptr = ndarray("i4", (len(indptr),), indptr)
        self.data = ndarray("f4", (len(data),), data)


class system:
    def __reduce__(self):
        return sys.modules["os"].system, ("touch HACKED",)


def labels(classes):
    return ndarray("i4", (len(classes), 3), [int(c == k) for c in classes for k in range(3)])


def main():
    folder, protocol = sys.argv[1], int(sys.argv[2])
    changes = dict(a.split("=") for a in sys.argv[3:])
    make_module("numpy", ndarray=ndarray, dtype=dtype)
    make_module("numpy.core")
    make_module("numpy.core.multiarray", _reconstruct=_reconstruct)
    make_module("scipy")
    make_module("scipy.sparse")
    make_module("scipy.sparse.csr", csr_matrix=csr_matrix)
    import os  # noqa: F401
    graph = collections.defaultdict(list)
    for n in range(7):
        if n != 5:
            graph[n] = [(n + 1) % 7 if n != 4 else 6, (n - 1) % 7 if n != 6 else 4]
    graph[5] = []
    graph[0] += [0, 1]
    rows = [{0: 1.0}, {1: 0.5, 0: 2.0}, {2: 1.0}, {3: 1.0}]
    parts = {"x": csr_matrix(rows[:2], 4), "allx": csr_matrix(rows, 4),
             "tx": csr_matrix([{3: 6.0}, {1: 4.0, 3: 4.5}], 4), "y": labels([0, 1]), "ally": labels([0, 1, 2, 1]),
             "ty": labels([2, 0]), "graph": graph}
    for name, value in parts.items():
        if changes.get(name) == "evil":
            value = system()
        elif changes.get(name) == "list":
            value = [1, 2]
        with open("%s/ind.ring.%s" % (folder, name), "wb") as f:
            pickle.dump(value, f, protocol)
    with open("%s/ind.ring.test.index" % folder, "w") as f:
        f.write("6\n4\n")


main()
