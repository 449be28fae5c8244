"""Sums over rows (gnn.contract, gnn.sum_by) agree with a reading of their rows in Python, and have the same bits for any number of threads.

    python3 contract.py --ir-to-c build/test/e2e/ir_to_c [--bin build/bin] [--only NAME] [--sizes 40x90,4097x9000]

A program has one sum for each combination of rows, ranks, batch, types and sparse rows. Numbers are small whole ones, so that sums
are the same in any order; they are compared exactly. The order is checked by sums of fractions: below 4,096 rows one after the
other, else 64 parts and a binary tree, in f32. Sums by an index are in the order of rows.
"""
import argparse
import os
import random
import struct
import sys
import tempfile

from programs import ROOT, Failed, Tools

from safetensors import Tensor, read, write

LEAST, PARTS, EDGE_TYPES, NODE_TYPES = 4096, 64, 3, 2
THREADS = [1, 2, 3, 8]
SIZES = "0x0,40x90,4095x4097,4096x4095,4097x9000"
NODE_INPUTS = {"x": [24], "y": [8], "m": [4, 6], "q": [4, 5], "v": [7], "k": [3], "wide": [70], "s": [], "d3": [2, 3, 5], "f": [5], "c": [2, 4], "u": [2, 1],
               "deep": [2, 3, 4]}
EDGE_INPUTS = {"ex": [12], "ey": [9], "es": [], "ef": [3]}
LARGE_INPUTS = {"tall": [300], "broad": [220]}  # mostly zeros; a result of this size is added up in few blocks
PART_INPUTS = {"p": [6], "r": [10]}
INDEX_ROWS = 9  # rows of tables, of which indices pick some


def product(shape):
    total = 1
    for size in shape:
        total *= size
    return total


def payload(shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>" if shape else "f32"


class Value:
    """A value of the program: its domain "node", "edge", "sparse" .. of a set, the shape of a row, and its rows."""

    def __init__(self, name, kind, group, shape, rows, is_integer=False):
        self.name, self.kind, self.group, self.shape, self.rows, self.is_integer = name, kind, group, shape, rows, is_integer

    def type(self):
        return f'!gnn.{self.kind}<"{self.group}", {"i32" if self.is_integer else payload(self.shape)}>'


class Program:
    """A function of the gnn level, written together with what it computes on one graph."""

    def __init__(self, graph):
        self.graph, self.arguments, self.lines, self.results, self.expected = graph, [], [], [], {}
        self.count, self.graphs = 0, {"g": "%g"}
        self.node_type = graph["node_type"]

    def input(self, name, kind, group, shape, rows, is_integer=False):
        value = Value(f"%{name}", kind, group, shape, rows, is_integer)
        self.arguments.append(f'{value.name}: {value.type()} {{gnn.from = "{name}", gnn.name = "{name}"}}')
        return value

    def op(self, operation, operands, types, result, attributes=""):
        self.count += 1
        name = f"%t{self.count}"
        self.lines.append(f'{name} = "gnn.{operation}"({", ".join(operands)}) {{{attributes}}} : ({", ".join(types)}) -> {result}')
        return name

    def edges(self, mode):
        """The ends of a set of edges, with new self loops behind where the mode adds some."""
        g = self.graph
        pairs = list(zip(g["src"], g["dst"]))
        group = "g" if mode == "g" else f"g.{mode}"
        if mode == "replace":
            pairs = [p for p in pairs if p[0] != p[1]] + [(n, n) for n in range(g["nodes"])]
        if mode.startswith("unique_"):
            ends = g[mode[len("unique_"):]]
            pairs = sorted({(t, self.node_type[n], n) for t, n in zip(g["edge_type"], ends)})
        if group not in self.graphs:
            operation, attribute = ("unique_edges", "end") if mode.startswith("unique_") else ("edge_set", "mode")
            value = mode[len("unique_"):] if mode.startswith("unique_") else mode
            self.graphs[group] = self.op(operation, ["%g"], ['!gnn.graph<"g">'], f'!gnn.graph<"{group}">', f'{attribute} = "{value}"')
        return group, pairs

    def gather(self, value, mode, end):
        group, pairs = self.edges(mode)
        rows = [value.rows[p[-1] if mode.startswith("unique_") else p[end == "dst"]] for p in pairs]
        made = Value("", "edge", group, value.shape, rows, value.is_integer)
        made.name = self.op("gather", [self.graphs[group], value.name], [f'!gnn.graph<"{group}">', value.type()], made.type(),
                            f'end = "{end}"')
        return made

    def expand(self, value, end):
        """The value of pairs at the edges of g."""
        _, pairs = self.edges(f"unique_{end}")
        place = {(p[0], p[2]): i for i, p in enumerate(pairs)}
        rows = [value.rows[place[p]] for p in zip(self.graph["edge_type"], self.graph[end])]
        made = Value("", "edge", "g", value.shape, rows)
        made.name = self.op("expand", ["%g", value.name], ['!gnn.graph<"g">', value.type()], made.type())
        return made

    def degree(self):
        """The edges out of each node: their sum depends on the graph alone."""
        rows = [[0] for _ in range(self.graph["nodes"])]
        for n in self.graph["src"]:
            rows[n][0] += 1
        made = Value("", "node", "g", [], rows)
        made.name = self.op("degree", ["%g"], ['!gnn.graph<"g">'], made.type(), 'direction = "out"')
        return made

    def relu(self, value):
        rows = [[max(e, 0) for e in row] for row in value.rows]
        made = Value("", value.kind, value.group, value.shape, rows)
        made.name = self.op("activation", [value.name], [value.type()], made.type(), 'function = "relu"')
        return made

    def type_of_rows(self, value, per):
        """The type of each row, and how many there are: of pairs of types, those that occur."""
        g = self.graph
        if per == "ntype":
            part = value.group.rpartition(":")[2]
            return [int(part)] * len(value.rows) if ":" in value.group else self.node_type
        if value.group.endswith(("unique_src", "unique_dst")):
            _, pairs = self.edges(value.group[2:])
            types = [(p[0], p[1]) for p in pairs]
        else:
            ends = g["dst" if per.endswith("dst") else "src"]
            types = [(t, self.node_type[n]) for t, n in zip(g["edge_type"], ends)]
        if per == "etype":
            return [t[0] for t in types]
        ends = g[per[len("etype_"):]]
        kinds = sorted({(t, self.node_type[n]) for t, n in zip(g["edge_type"], ends)})
        return [kinds.index(t) for t in types]

    def contract(self, name, a, b, batch=False, per=None):
        count = {None: 1, "ntype": NODE_TYPES + 1, "etype": EDGE_TYPES}.get(per, EDGE_TYPES * NODE_TYPES)
        shape = b.shape if a is None else [*(b.shape[:-1] if batch else []), a.shape[-1], b.shape[-1]]
        result = f'!gnn.per<"{per}", {payload(shape)}>' if per else payload(shape)
        whole = b.group.partition(":")[0] if b.kind == "node" else b.group
        operands = [self.graphs[whole], *([a.name] if a else []), b.name]
        types = [f'!gnn.graph<"{whole}">', *([a.type()] if a else []), b.type()]
        attributes = ["batch"] * batch + ([f'per = "{per}"', f"count = {count} : i64"] if per else [])
        made = self.op("contract", operands, types, result, ", ".join(attributes))
        of = self.type_of_rows(b, per) if per else [0] * len(b.rows)
        sums = [[0] * product(shape) for _ in range(count)]
        for r, row in enumerate(b.rows):
            add_row(sums[of[r]], a.rows[r] if a else None, row, a.shape[-1] if a else 0, b.shape[-1] if b.shape else 1, batch)
        if per and per.startswith("etype_"):  # callers have no rows per pair of types: each edge reads its own
            made, result = self.slice(made, result, shape)
            sums = [sums[t] for t in self.type_of_rows(Value("", "edge", "g", [], []), per)]
        self.results.append((name, made, result))
        self.expected[name] = sums

    def sum_by(self, name, value, index, low=None, high=None, times=None):
        """The sum of the rows, or of their products with those of times, with each index, which the bounds move to rows of the table."""
        shape = [*(times.shape if times else []), *value.shape]
        result, whole = payload([INDEX_ROWS, *shape]), value.group.partition(":")[0] if value.kind == "node" else value.group
        bounds = [f"{n} = {b} : i64" for n, b in (("low", low), ("high", high)) if b is not None]
        operands = [value, index, *([times] if times else [])]
        made = self.op("sum_by", [self.graphs[whole], *(v.name for v in operands)], [f'!gnn.graph<"{whole}">', *(v.type() for v in operands)],
                       result, ", ".join([f"rows = {INDEX_ROWS} : i64", *bounds]))
        sums = [[0] * product(shape) for _ in range(INDEX_ROWS)]
        for r, (row, (i,)) in enumerate(zip(value.rows, index.rows)):
            i = i if low is None else max(i, low)
            i = i if high is None else min(i, high)
            terms = [t * x for t in times.rows[r] for x in row] if times else row
            sums[i] = [f32(x + y) for x, y in zip(sums[i], terms)]
        self.results.append((name, made, result))
        self.expected[name] = sums

    def slice(self, value, of, shape):
        result = f'!gnn.edge<"g", {payload(shape)}>'
        return self.op("slice", ["%g", value], ['!gnn.graph<"g">', of], result, 'by = "edge"'), result

    def text(self):
        results = ", ".join(f'{t} {{gnn.name = "{n}"}}' for n, _, t in self.results)
        lines = "\n    ".join(self.lines)
        return f"""module attributes {{gnn.model = "m", gnn.source = "m.gnn"}} {{
  func.func @m(%g: !gnn.graph<"g"> {{gnn.name = "g"}}, {", ".join(self.arguments)}) -> ({results}) {{
    {lines}
    return {", ".join(v for _, v, _ in self.results)} : {", ".join(t for _, _, t in self.results)}
  }}
}}
"""


def add_row(total, a, b, depth, width, batch):
    """total += the outer product of a row, whose leading dimensions are more rows or stay."""
    if a is None:
        for i, number in enumerate(b):
            total[i] += number
        return
    for h in range(len(b) // width):
        base = h * depth * width if batch else 0
        for k in range(depth):
            factor = a[h * depth + k]
            if factor:
                at = base + k * width
                for j in range(width):
                    total[at + j] += factor * b[h * width + j]


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def sequential(rows):
    """The sums of rows in the stated order, in f32."""
    def add(total, row):
        return list(row) if total is None else [f32(x + y) for x, y in zip(total, row)]

    cuts = [0, len(rows)] if len(rows) < LEAST else [len(rows) * p // PARTS for p in range(PARTS + 1)]
    nodes = []
    for begin, end in zip(cuts, cuts[1:]):
        total = None
        for row in rows[begin:end]:
            total = add(total, row)
        nodes.append(total)
    while len(nodes) > 1:
        nodes = [add(left, right) for left, right in zip(nodes[::2], nodes[1::2])]
    return nodes[0] or [0.0] * 5


def make_graph(rng, nodes, edges):
    g = {"nodes": nodes, "edges": edges}
    g["src"] = [rng.randrange(nodes) for _ in range(edges)]
    g["dst"] = [rng.randrange(nodes) for _ in range(edges)]
    g["edge_type"] = [min(rng.randrange(EDGE_TYPES), rng.randrange(EDGE_TYPES)) for _ in range(edges)]
    g["node_type"] = [rng.randrange(NODE_TYPES) for _ in range(nodes)]
    return g


def whole_rows(rng, count, shape, zeros=0.0):
    size = product(shape)
    return [[0 if rng.random() < zeros else rng.randrange(-2, 3) for _ in range(size)] for _ in range(count)]


def index_cases(p, n):
    p.sum_by("by_node", n["y"], n["z"])
    p.sum_by("by_node_wide", p.relu(n["wide"]), n["z"], 1)
    p.sum_by("by_node_one", n["s"], n["z"], None, 6)
    p.sum_by("by_node_matrix", n["m"], n["z"], 2, 7)
    p.sum_by("by_degree", n["x"], p.degree(), 0, 4)
    p.sum_by("by_order", n["f"], n["z"], 7)
    p.sum_by("by_part", n["p"], n["pz"])
    p.sum_by("matrix_by_node", n["x"], n["z"], times=n["k"])
    p.sum_by("matrix_by_degree", p.relu(n["y"]), p.degree(), 0, 7, times=p.relu(n["v"]))
    p.sum_by("matrix_by_edge", p.gather(n["k"], "g", "dst"), n["ez"], times=n["ey"])
    p.sum_by("matrix_by_edge_src", n["ey"], n["ez"], times=p.gather(n["k"], "g", "src"))
    p.sum_by("by_edge", n["ey"], n["ez"])
    p.sum_by("by_edge_computed", p.relu(n["ex"]), n["ez"])
    p.sum_by("by_edge_dst", p.gather(n["x"], "g", "dst"), n["ez"])
    p.sum_by("by_edge_both", p.gather(n["wide"], "g", "dst"), p.gather(n["z"], "g", "src"))
    p.sum_by("by_loops", p.gather(n["y"], "replace", "src"), p.gather(n["z"], "replace", "dst"))
    for end in ("src", "dst"):
        pairs = p.relu(p.gather(n["k"], f"unique_{end}", end))
        p.sum_by(f"by_unique_{end}", pairs, p.gather(n["z"], f"unique_{end}", end))
        p.sum_by(f"by_expanded_{end}", p.expand(pairs, end), n["ez"])


def node_cases(p, n):
    p.contract("plain", n["x"], n["y"])
    p.contract("computed", p.relu(n["x"]), p.relu(n["v"]))
    p.contract("narrow", n["k"], n["v"])
    p.contract("wide", n["v"], n["wide"])
    p.contract("tall", n["wide"], n["k"])
    p.contract("rows", n["m"], n["q"])
    p.contract("more_rows", n["deep"], n["d3"])
    p.contract("heads", n["m"], n["q"], batch=True)
    p.contract("more_heads", n["deep"], n["d3"], batch=True)
    p.contract("bias", None, n["y"])
    p.contract("bias_matrix", None, n["q"])
    p.contract("bias_one", None, n["s"])
    p.contract("bind", None, p.degree())
    p.contract("bias_wide", None, n["wide"])
    for name, a, b, batch in (("", "x", "y", False), ("_rows", "m", "q", False), ("_heads", "m", "q", True)):
        p.contract(f"per_ntype{name}", n[a], n[b], batch, "ntype")
    p.contract("bias_per_ntype", None, n["v"], per="ntype")
    p.contract("part", n["p"], n["r"])
    p.contract("part_per_ntype", n["p"], n["r"], per="ntype")
    p.contract("bias_part", None, n["r"])
    p.contract("large", n["tall"], n["broad"])
    p.contract("sparse", n["xs"], n["y"])
    p.contract("sparse_wide", n["xs"], p.relu(n["wide"]))
    p.contract("sparse_per_ntype", n["xs"], n["v"], per="ntype")


def edge_cases(p, n):
    p.contract("edge_plain", n["ex"], n["ey"])
    p.contract("edge_computed", p.relu(n["ex"]), n["ey"])
    p.contract("edge_src", p.gather(n["x"], "g", "src"), n["ey"])
    p.contract("edge_both", p.gather(p.relu(n["x"]), "g", "src"), p.gather(n["y"], "g", "dst"))
    p.contract("edge_heads", p.gather(n["m"], "g", "dst"), p.gather(n["q"], "g", "src"), batch=True)
    p.contract("edge_rows", p.gather(n["m"], "g", "dst"), p.gather(n["q"], "g", "src"))
    p.contract("edge_bias", None, n["ey"])
    p.contract("edge_bias_one", None, n["es"])
    for per in ("etype", "etype_src", "etype_dst"):
        p.contract(f"per_{per}", p.gather(n["k"], "g", "src"), p.relu(n["ey"]), per=per)
        p.contract(f"bias_per_{per}", None, n["ey"], per=per)
        p.contract(f"heads_per_{per}", p.gather(n["c"], "g", "src"), p.gather(n["u"], "g", "dst"), batch=True, per=per)
    p.contract("large_per_etype", p.gather(n["tall"], "g", "dst"), p.gather(n["broad"], "g", "src"), per="etype")
    p.contract("loops", p.gather(n["x"], "replace", "src"), p.gather(n["y"], "replace", "dst"))
    p.contract("loops_bias", None, p.relu(p.gather(n["y"], "replace", "dst")))
    for end in ("src", "dst"):
        mode = f"unique_{end}"
        pairs = p.relu(p.gather(n["k"], mode, end))
        p.contract(f"{mode}_plain", p.gather(n["x"], mode, end), p.relu(p.gather(n["y"], mode, end)))
        p.contract(f"{mode}_per_etype", p.gather(n["x"], mode, end), p.relu(p.gather(n["v"], mode, end)), per="etype")
        p.contract(f"{mode}_per_kind", pairs, p.relu(p.gather(n["v"], mode, end)), per=f"etype_{end}")
        p.contract(f"{mode}_expanded", p.expand(pairs, end), n["ey"])
        p.contract(f"{mode}_expanded_per_etype", p.expand(pairs, end), n["ey"], per="etype")


def make_program(rng, graph, has_incoming):
    """With has_incoming edges are stored by destination: their rows are not in the caller's order."""
    p = Program(graph)
    n = {name: p.input(name, "node", "g", shape, whole_rows(rng, graph["nodes"], shape)) for name, shape in NODE_INPUTS.items()}
    n["f"].rows = [[f32(rng.uniform(-1, 1)) for _ in range(5)] for _ in range(graph["nodes"])]
    for name, shape in LARGE_INPUTS.items():
        n[name] = p.input(name, "node", "g", shape, whole_rows(rng, graph["nodes"], shape, 0.99 if name == "tall" else 0.8))
    n["xs"] = p.input("xs", "sparse", "g", [40], whole_rows(rng, graph["nodes"], [40], 0.8))
    for name, shape in EDGE_INPUTS.items():
        n[name] = p.input(name, "edge", "g", shape, whole_rows(rng, graph["edges"], shape))
    for name, shape in PART_INPUTS.items():
        n[name] = p.input(name, "node", "g:1", shape, whole_rows(rng, graph["node_type"].count(1), shape))
    if has_incoming:
        value = n["k"]
        made = p.op("aggregate", ["%g", value.name], ['!gnn.graph<"g">', value.type()], value.type(),
                    'reduce = "sum", direction = "in"')
        p.results.append(("incoming", made, value.type()))
    for name, kind, group, count in (("z", "node", "g", graph["nodes"]), ("ez", "edge", "g", graph["edges"]), ("pz", "node", "g:1", len(n["p"].rows))):
        n[name] = p.input(name, kind, group, [], [[rng.randrange(INDEX_ROWS)] for _ in range(count)], True)
    node_cases(p, n)
    edge_cases(p, n)
    index_cases(p, n)
    p.contract("order", None, n["f"])
    p.expected["order"] = [sequential(n["f"].rows)]
    return p, n


def write_graph(path, graph, inputs):
    tensors = {
        "edge_index": Tensor("I64", [2, graph["edges"]], graph["src"] + graph["dst"]),
        "edge_type": Tensor("I64", [graph["edges"]], graph["edge_type"]),
        "node_type": Tensor("I64", [graph["nodes"]], graph["node_type"]),
    }
    for name, value in inputs.items():
        flat = [number if value.is_integer else float(number) for row in value.rows for number in row]
        tensors[name] = Tensor("I32" if value.is_integer else "F32", [len(value.rows), *value.shape], flat)
    write(path, tensors, {"num_nodes": str(graph["nodes"])})


def check(where, expected, outputs, is_f64):
    failures = []
    for name, sums in expected.items():
        flat = [number for one in sums for number in one]
        found = outputs[name].data
        if name in ("order", "by_order") and is_f64:
            close = all(abs(x - y) < 1e-3 for x, y in zip(flat, found))
            failures += [] if close else [f"{where}: '{name}' differs"]
            continue
        if len(found) != len(flat) or any(x != y for x, y in zip(flat, found)):
            at = next((i for i, (x, y) in enumerate(zip(flat, found)) if x != y), -1)
            failures.append(f"{where}: '{name}'[{at}] is {found[at]}, expected {flat[at]}")
    return failures


def run_variant(tools, options, folder, graphs, has_incoming, level, kind):
    """Compiles the program once and runs it on all graphs; returns what failed."""
    failures, program = [], os.path.join(folder, f"m_{has_incoming:d}_{level}_{kind}.c")
    for number, graph in enumerate(graphs):
        p, inputs = make_program(random.Random(number), graph, has_incoming)
        if options.only:
            p.results = [r for r in p.results if r[0] in (options.only, "incoming")]
            p.expected = {name: e for name, e in p.expected.items() if name == options.only}
        if not number:
            with open(f"{program[:-2]}.mlir", "w") as f:
                f.write(p.text())
            tools.call([os.path.abspath(options.ir_to_c), level, kind, f"{program[:-2]}.mlir", program])
        path = os.path.join(folder, "graph.safetensors")
        write_graph(path, graph, inputs)
        first, library = None, f"{program}.so"
        for threads in THREADS:
            where = f"{graph['nodes']} nodes, {graph['edges']} edges, -O{level} {kind}, {threads} threads, incoming {has_incoming}"
            is_new = not os.path.exists(library)
            output = os.path.join(folder, "out.safetensors")
            command = [tools.gnn_run, program if is_new else library, f"--graph={path}", "-o", output, f"--threads={threads}"]
            tools.call(command + [f"--save-library={library}"] * is_new)
            outputs = read(output)[0]
            if first is None:
                first = outputs
                failures += check(where, p.expected, outputs, kind == "f64")
            failures += [f"{where}: '{n}' has other bits than with 1 thread" for n, t in outputs.items() if t.data != first[n].data]
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--ir-to-c", default=os.path.join(ROOT, "build", "test", "e2e", "ir_to_c"))
    parser.add_argument("--sizes", default=SIZES, help="NODESxEDGES, ...")
    parser.add_argument("--variants", default="0f64,2f32", help="level and type, ...")
    parser.add_argument("--only", help="the sum of this name alone")
    options = parser.parse_args()
    tools, rng, failures = Tools(options.bin), random.Random(1), []
    graphs = [make_graph(rng, *map(int, size.split("x"))) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="gnnc-contract-") as folder:
        for has_incoming in (False, True):
            for variant in options.variants.split(","):
                try:
                    failures += run_variant(tools, options, folder, graphs, has_incoming, variant[0], variant[1:])
                except Failed as e:
                    failures.append(str(e))
    for failure in failures[:20]:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
