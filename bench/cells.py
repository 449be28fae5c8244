"""The cells of the benchmark: graphs, models and, for each pair, the least work.

Sizes are those of the published data sets; missing graphs are generated with the same numbers of nodes, edges and types and a power law.
Work is counted per layer step in the order of least cost, as FLOPs, as bytes that cross memory once, and as rows that are gathered."""
import math

FLOAT = 4

# name: nodes, directed edges, features, share of stored features, classes
GRAPHS = {
    "cora": (2708, 10556, 1433, 0.0127, 7),
    "citeseer": (3327, 9104, 3703, 0.0085, 6),
    "pubmed": (19717, 88648, 500, 0.1002, 3),
    "flickr": (89250, 899756, 500, 1.0, 7),
    "reddit-like": (232965, 11600000, 602, 1.0, 41),
}
# name: nodes, edges, edge types, node types, the graph container under ../shared/data/graphs it is made from (None: synthetic, with random types
# of edges; one type of nodes, so that an edge's type tells those of its ends)
TYPED_GRAPHS = {
    "aifb": (7262, 48810, 104, 7, "aifb_typed"),
    "mutag": (27163, 148100, 50, 5, "mutag_typed"),
    "bgs": (94806, 672884, 122, 1, None),
    "fb15k": (14541, 620232, 474, 1, "fb15k_237"),
}
LARGE = {"flickr", "reddit-like", "bgs", "fb15k"}
WIDTH = 64  # of the relational layers


def miss_share(references, cached_rows):
    """The share of gathers that miss a cache of `cached_rows` rows. `references` says of the rows of a table how many are read how often: {times: rows}.

    Che's approximation: reads are independent, each row is read in proportion to its times, and the cache keeps the rows that were read last. A row is in
    the cache if it was read within the last t reads, where t is such that the expected number of cached rows is `cached_rows`."""
    reads = sum(times * rows for times, rows in references.items())
    if sum(rows for times, rows in references.items() if times) <= cached_rows:
        return 0.0
    low, high = 0.0, 1.0
    while kept(references, high / reads) < cached_rows:
        low, high = high, 2 * high
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if kept(references, middle / reads) < cached_rows else (low, middle)
    return sum(times * rows * math.exp(-times * high / reads) for times, rows in references.items()) / reads


def kept(references, window):
    """The expected number of rows of miss_share() that were read in a window, a share of all reads."""
    return sum(rows * -math.expm1(-times * window) for times, rows in references.items())


class Work:
    """Sums FLOPs and bytes of a sequence of steps over one graph. Of `bytes`, `missed` lists those of gathers that miss the cache, as (rows, bytes of a row);
    `references` and `pairs` are how often the nodes, and the pairs of type and source, are read (miss_share)."""

    def __init__(self, nodes, edges, cache_bytes, references=None, pairs=None):
        self.nodes, self.edges, self.cache = nodes, edges, cache_bytes
        self.flops = self.bytes = 0
        self.missed = []
        self.references, self.pairs = references, pairs

    def dense(self, rows, depth, width):
        """A matrix product; both matrices and the result cross memory once."""
        self.flops += 2 * rows * depth * width
        self.bytes += FLOAT * (rows * depth + depth * width + rows * width)

    def sparse(self, rows, nonzeros, depth, width):
        """A product of sparse rows: 8 bytes per stored entry."""
        self.flops += 2 * nonzeros * width
        self.bytes += 8 * nonzeros + FLOAT * (depth * width + rows * width)

    def gather(self, count, table_rows, width):
        """Rows read in the order of edges: once each where the table stays in the cache, else every time."""
        table = FLOAT * table_rows * width
        self.bytes += FLOAT * count * width if table > self.cache else min(FLOAT * count * width, table)
        if table > self.cache:
            references = (self.references if table_rows == self.nodes else self.pairs) or {1: table_rows}
            self.missed.append((count * miss_share(references, self.cache / (FLOAT * width)), FLOAT * width))

    def aggregate(self, width, weighted):
        """A sum over incoming edges: the source of each edge, its weight, the rows of the sources, the result."""
        self.flops += (2 if weighted else 1) * self.edges * width
        self.bytes += (8 if weighted else 4) * self.edges + FLOAT * self.nodes * width
        self.gather(self.edges, self.nodes, width)

    def attend(self, width):
        """A softmax over incoming edges and the sum it weighs: 5 FLOPs per edge beside the sum."""
        self.flops += 5 * self.edges
        self.aggregate(width, True)


def steps(model, features, classes):
    """The layer steps of b1 .. b8 in the order of least work: ("linear", depth, width), ("sum" or "weighted" or "attend", width)."""
    if model in ("b1", "b2"):
        hidden = 16 if model == "b1" else 128
        return [("linear", features, hidden), ("weighted", hidden), ("linear", hidden, classes), ("weighted", classes)]
    if model in ("b3", "b4"):
        hidden = 128 if model == "b3" else 256
        return [("linear", features, 2 * hidden), ("sum", hidden), ("linear", hidden, 2 * classes), ("sum", classes)]
    if model == "b5":
        made = []
        for layer in range(5):
            made += [("linear", 128 if layer else features, 128), ("sum", 128), ("linear", 128, 128 if layer < 4 else classes)]
        return made
    if model == "b6":
        return [("linear", features, 64), ("attend", 64), ("linear", 64, classes), ("attend", classes)]
    if model == "b7":
        return [("linear", features, classes), ("weighted", classes), ("weighted", classes)]
    return [("linear", features, 256)] + 3 * [("linear", 256, 256), ("weighted", 256)] + [("linear", 256, classes)]


def has_loops(model):
    """GCN and GAT add a loop to every node."""
    return model in ("b1", "b2", "b6", "b7", "b8")


def homogeneous(model, graph, cache_bytes, references=None):
    """The least work of b1 .. b8 on one of GRAPHS."""
    nodes, edges, features, density, classes = GRAPHS[graph]
    w = Work(nodes, edges + nodes if has_loops(model) else edges, cache_bytes, references)
    for number, step in enumerate(steps(model, features, classes)):
        if step[0] == "attend":
            w.attend(step[1])
        elif step[0] != "linear":
            w.aggregate(step[1], step[0] == "weighted")
        elif number == 0 and density < 1:
            w.sparse(nodes, int(nodes * features * density), features, step[2])
        else:
            w.dense(nodes, step[1], step[2])
    return w


def relational(model, nodes, edges, types, unique_src, unique_dst, cache_bytes, pairs=None):
    """The least work of one layer 64 -> 64, one head, over the closed forms of the Pigeon paper's operators with compact materialisation."""
    d = WIDTH
    w = Work(nodes, edges, cache_bytes, pairs=pairs)
    rows = min(unique_src, edges)
    if model == "rgcn":
        w.dense(nodes, d, d)
        w.flops += 2 * min(rows, unique_dst) * d * d
        w.flops += 2 * edges * d
    elif model == "rgat":
        w.flops += 2 * rows * d * d + 2 * types * d * d + 2 * d * rows + 2 * d * min(unique_dst, edges) + 5 * edges + 2 * edges * d
        w.bytes += FLOAT * 2 * nodes * d
    else:
        plain = 6 * nodes * d * d + 4 * rows * d * d
        fused = 2 * nodes * d * d + 4 * rows * d * d + 4 * types * d * d * d
        w.flops += min(plain, fused) + 4 * edges * d + 4 * edges
        w.bytes += FLOAT * 4 * nodes * d
        w.gather(edges, rows, d)
    w.bytes += FLOAT * types * d * d + FLOAT * rows * d  # weights and the compact rows written once
    w.bytes += 12 * edges  # source, pair and factor of each edge
    w.gather(edges, rows, d)
    return w


def bound_ms(work, gflops, gbytes):
    """The arithmetic and the bandwidth bound in milliseconds."""
    return work.flops / gflops * 1e-6, work.bytes / gbytes * 1e-6


def row_seconds(rates, row_bytes):
    """The time of a row at the rates {bytes of a row: GB/s} of the gather probe, linear between the measured widths; a row takes a cache line at least."""
    widths = sorted(rates)
    if row_bytes <= widths[0] or len(widths) == 1:
        return widths[0] / rates[widths[0]] * 1e-9
    after = next((i for i, w in enumerate(widths) if w >= row_bytes), len(widths) - 1)
    a, b = widths[after - 1], widths[after]
    start, end = a / rates[a], b / rates[b]
    return (start + (end - start) * (row_bytes - a) / (b - a)) * 1e-9


def gather_bound_ms(work, limits):
    """The bandwidth bound in milliseconds when gathered rows that miss the cache arrive at the rate of the gather probe, never faster than the triad's."""
    time = work.bytes / limits["gbytes"] * 1e-9
    for rows, row_bytes in work.missed:
        time += rows * max(0.0, row_seconds(limits["gather"], row_bytes) - row_bytes / limits["gbytes"] * 1e-9)
    return time * 1e3
