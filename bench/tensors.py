"""The parts of safetensors that the benchmarks need: random weights from a manifest, a graph with features."""
import array
import collections
import json
import random
import struct


def read_header(path):
    """The header and where the data begins."""
    with open(path, "rb") as f:
        size = struct.unpack("<Q", f.read(8))[0]
        return json.loads(f.read(size)), 8 + size


def write(path, parts, metadata=None):
    """Writes a file from (name, dtype, shape, bytes)."""
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = metadata
    for name, dtype, shape, data in parts:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text)
        for part in parts:
            f.write(part[3])


def uniform(count, scale, rng):
    """`count` floats in -scale .. scale; large arrays repeat a random stretch, which no kernel notices."""
    stretch = array.array("f", (rng.uniform(-scale, scale) for _ in range(min(count, 1 << 16))))
    data = stretch.tobytes()
    return (data * (4 * count // max(1, len(data)) + 1))[:4 * count]


def write_weights(path, manifest, seed=1):
    """Random weights for every tensor that a compiled model's manifest names: small, variances positive."""
    rng = random.Random(seed)
    with open(manifest, encoding="utf-8") as f:
        weights = json.load(f)["weights"]
    parts = []
    for w in weights:
        shape = ([w["count"]] if "count" in w else []) + w["shape"]
        count = 1
        for d in shape:
            count *= d
        if w["from"].endswith("running_var"):
            data = array.array("f", [1.0] * count).tobytes()
        else:
            data = uniform(count, 0.1, rng)
        parts.append((w["from"], "F32", shape, data))
    write(path, parts)


def add_features(source, target, nodes, width):
    """A copy of a graph container with random features x [nodes, width]; nodes without types get one type."""
    header, start = read_header(source)
    metadata = header.pop("__metadata__", None)
    parts = []
    with open(source, "rb") as f:
        for name, t in header.items():
            if name in ("x", "x_indptr", "x_indices", "x_data"):
                continue
            f.seek(start + t["data_offsets"][0])
            parts.append((name, t["dtype"], t["shape"], f.read(t["data_offsets"][1] - t["data_offsets"][0])))
    if "node_type" not in header:
        parts.append(("node_type", "I32", [nodes], bytes(4 * nodes)))
    parts.append(("x", "F32", [nodes, width], uniform(nodes * width, 1.0, random.Random(2))))
    write(target, parts, metadata)


def write_ring(path, nodes, reach, width):
    """A graph in which node i has edges from i - reach .. i + reach, with random features: almost all subshards of its adjacency matrix are empty."""
    steps = [d for d in range(-reach, reach + 1) if d]
    src = array.array("i", ((i + d) % nodes for i in range(nodes) for d in steps))
    dst = array.array("i", (i for i in range(nodes) for _ in steps))
    x = uniform(nodes * width, 1.0, random.Random(2))
    parts = [("edge_index", "I32", [2, len(src)], (src + dst).tobytes()), ("x", "F32", [nodes, width], x)]
    write(path, parts, {"num_nodes": str(nodes), "num_edges": str(len(src))})


def replace_features(source, target, nodes, width, entries):
    """A copy of a graph container with `entries` random entries of value 1 as sparse features x, spread evenly over the rows; labels and masks are left out."""
    header, start = read_header(source)
    rng, indptr, indices = random.Random(3), array.array("i", [0]), array.array("i")
    for row in range(nodes):
        count = (row + 1) * entries // nodes - row * entries // nodes
        indices.extend(sorted(rng.sample(range(width), count)))
        indptr.append(len(indices))
    t = header["edge_index"]
    with open(source, "rb") as f:
        f.seek(start + t["data_offsets"][0])
        edges = f.read(t["data_offsets"][1] - t["data_offsets"][0])
    ones = array.array("f", [1.0] * entries).tobytes()
    parts = [("edge_index", t["dtype"], t["shape"], edges), ("x_indptr", "I32", [nodes + 1], indptr.tobytes()), ("x_indices", "I32", [entries], indices.tobytes()),
             ("x_data", "F32", [entries], ones)]
    write(target, parts, {"num_nodes": str(nodes), "num_edges": str(t["shape"][1]), "num_features": str(width)})


def read_integers(path, name):
    """A tensor of whole numbers as an array; None when the file has no such tensor."""
    header, start = read_header(path)
    t = header.get(name)
    if t is None:
        return None
    data = array.array("q" if t["dtype"] == "I64" else "i")
    with open(path, "rb") as f:
        f.seek(start + t["data_offsets"][0])
        data.frombytes(f.read(t["data_offsets"][1] - t["data_offsets"][0]))
    return data


def source_references(path, loops=False):
    """How often the edges of a graph read a node as their source, {times: nodes}; with `loops` each node once more. For a typed graph, pairs of type and source."""
    ends, types = read_integers(path, "edge_index"), read_integers(path, "edge_type")
    sources = ends[:len(ends) // 2]
    times = collections.Counter(sources if types is None else zip(types, sources))
    return dict(collections.Counter(count + loops for count in times.values()))
