"""Dropout in generated C agrees, number by number, with test/oracle/philox.py, at nodes, edges, new self loops, nodes of one type
and plain values, and has the same bits for any number of threads.

    python3 dropout.py --ir-to-c build/test/e2e/ir_to_c [--bin build/bin] [--only NAME]

The programs are run without a step, which stands for seed 0 and step 0; test/unit/codegen has tests of other steps. Numbers are
whole ones and p is 1/2 or 3/4, so that results and their sums are exact.
"""
import argparse
import os
import random
import sys
import tempfile

from contract import EDGE_INPUTS, NODE_INPUTS, PART_INPUTS, THREADS, Program, Value, make_graph, product, whole_rows, write_graph
from programs import ROOT, Failed, Tools

from philox import kept
from safetensors import read


class Dropouts(Program):
    """The program with dropouts: each has the number of those before it as its site."""

    def __init__(self, graph):
        super().__init__(graph)
        self.sites = 0

    def dropout(self, value, p, numbers):
        """`numbers`: the caller's number of each row."""
        made = Value("", value.kind, value.group, value.shape, [])
        of = payload_type(value)
        made.name = self.op("dropout", [value.name], [of], of, f"p = {p} : f64, site = {self.sites} : i64")
        size = product(value.shape)
        for row, number in zip(value.rows, numbers):
            keeps = kept(0, 0, self.sites, number, size, p)
            made.rows.append([x / (1 - p) if k else 0 for x, k in zip(row, keeps)])
        self.sites += 1
        return made

    def result(self, name, value):
        self.results.append((name, value.name, payload_type(value)))
        self.expected[name] = value.rows

    def caller_numbers(self, mode):
        """The caller's number of each edge of a set: of a new self loop the number of edges plus its node."""
        g = self.graph
        numbers = list(range(g["edges"]))
        for part in mode.split("."):
            if part.startswith("relation"):
                numbers = [e for e in numbers if g["edge_type"][e] == int(part[len("relation"):])]
            if part == "replace":
                numbers = [e for e in numbers if g["src"][e] != g["dst"][e]] + [g["edges"] + n for n in range(g["nodes"])]
            if part == "add_remaining":
                loops = {g["src"][e] for e in numbers if g["src"][e] == g["dst"][e]}
                numbers = numbers + [g["edges"] + n for n in range(g["nodes"]) if n not in loops]
        return numbers

    def ends(self, number):
        g = self.graph
        return (g["src"][number], g["dst"][number]) if number < g["edges"] else (number - g["edges"],) * 2

    def chain(self, mode):
        """The graph with the edges of a mode, or of several one after the other: relation1.replace."""
        group = "g"
        for part in [] if mode == "g" else mode.split("."):
            made = f"{group}.{part}"
            if made not in self.graphs:
                self.graphs[made] = self.op("edge_set", [self.graphs[group]], [f'!gnn.graph<"{group}">'], f'!gnn.graph<"{made}">',
                                            f'mode = "{part}"')
            group = made
        return group

    def summed(self, name, value, mode, direction, p):
        """The sum over edges of dropped values of the nodes at their other ends."""
        group, numbers = self.chain(mode), self.caller_numbers(mode)
        graph = f'!gnn.graph<"{group}">'
        end = "src" if direction == "in" else "dst"
        gathered = Value("", "edge", group, value.shape, [value.rows[self.ends(e)[end == "dst"]] for e in numbers])
        gathered.name = self.op("gather", [self.graphs[group], value.name], [graph, value.type()], gathered.type(), f'end = "{end}"')
        dropped = self.dropout(gathered, p, numbers)
        made = Value("", "node", "g", value.shape, [[0] * product(value.shape) for _ in range(self.graph["nodes"])])
        for number, row in zip(numbers, dropped.rows):
            at = made.rows[self.ends(number)[end == "src"]]
            at[:] = [x + y for x, y in zip(at, row)]
        made.name = self.op("aggregate", [self.graphs[group], dropped.name], [graph, dropped.type()], made.type(),
                            f'reduce = "sum", direction = "{direction}"')
        self.result(name, made)


def payload_type(value):
    return value.type() if value.kind != "plain" else value.group


MODES = ["g", "replace", "add_remaining", "relation1", "relation1.replace", "relation1.add_remaining"]


def make_program(rng, graph, only=None):
    p = Dropouts(graph)
    n = {name: p.input(name, "node", "g", shape, whole_rows(rng, graph["nodes"], shape)) for name, shape in NODE_INPUTS.items()}
    for name, shape in EDGE_INPUTS.items():
        n[name] = p.input(name, "edge", "g", shape, whole_rows(rng, graph["edges"], shape))
    for name, shape in PART_INPUTS.items():
        n[name] = p.input(name, "node", "g:1", shape, whole_rows(rng, graph["node_type"].count(1), shape))
    n["xs"] = p.input("xs", "node", "g", [40], whole_rows(rng, graph["nodes"], [40]))
    nodes, edges = range(graph["nodes"]), range(graph["edges"])
    for name in ("x", "m", "s", "v", "d3"):
        p.result(f"of_{name}", p.dropout(n[name], 0.5, nodes))
    p.result("fused", p.relu(p.dropout(p.relu(n["x"]), 0.75, nodes)))
    p.result("twice", p.dropout(p.dropout(n["y"], 0.5, nodes), 0.5, nodes))
    p.result("part", p.dropout(n["p"], 0.5, [i for i in nodes if graph["node_type"][i] == 1]))
    for name in ("ex", "es", "ef"):
        p.result(f"of_{name}", p.dropout(n[name], 0.5, edges))
    for mode in MODES:
        for direction in ("in", "out"):
            where = f"{mode.replace('.', '_')}_{direction}"
            p.summed(f"sum_{where}", n["k"], mode, direction, 0.5)
            p.summed(f"one_{where}", n["s"], mode, direction, 0.75)
    if only:
        p.results = [r for r in p.results if r[0] == only]
        p.expected = {only: p.expected[only]}
    return p, n


def check(where, expected, outputs):
    failures = []
    for name, rows in expected.items():
        flat, found = [x for row in rows for x in row], outputs[name].data
        if len(flat) != len(found) or any(x != y for x, y in zip(flat, found)):
            at = next((i for i, (x, y) in enumerate(zip(flat, found)) if x != y), -1)
            failures.append(f"{where}: '{name}'[{at}] is {found[at]}, expected {flat[at]}")
    return failures


def run_variant(tools, options, folder, graphs, variant):
    failures, program = [], os.path.join(folder, f"m_{variant}.c")
    for number, graph in enumerate(graphs):
        p, inputs = make_program(random.Random(number), graph, options.only)
        if not number:
            with open(f"{program[:-2]}.mlir", "w") as f:
                f.write(p.text())
            tools.call([os.path.abspath(options.ir_to_c), variant[0], variant[1:], f"{program[:-2]}.mlir", program])
        path, output = os.path.join(folder, "graph.safetensors"), os.path.join(folder, "out.safetensors")
        write_graph(path, graph, inputs)
        for threads in THREADS:
            where = f"{graph['nodes']} nodes, {graph['edges']} edges, -O{variant[0]} {variant[1:]}, {threads} threads"
            is_new = not os.path.exists(f"{program}.so")
            command = [tools.gnn_run, program if is_new else f"{program}.so", f"--graph={path}", "-o", output, f"--threads={threads}"]
            tools.call(command + [f"--save-library={program}.so"] * is_new)
            failures += check(where, p.expected, read(output)[0])
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--ir-to-c", default=os.path.join(ROOT, "build", "test", "e2e", "ir_to_c"))
    parser.add_argument("--sizes", default="0x0,40x90,400x1300", help="NODESxEDGES, ...")
    parser.add_argument("--variants", default="0f64,2f32,3f32", help="level and type, ...")
    parser.add_argument("--only", help="the result of this name alone")
    options = parser.parse_args()
    tools, rng, failures = Tools(options.bin), random.Random(1), []
    graphs = [make_graph(rng, *map(int, size.split("x"))) for size in options.sizes.split(",")]
    with tempfile.TemporaryDirectory(prefix="gnnc-dropout-") as folder:
        for variant in options.variants.split(","):
            try:
                failures += run_variant(tools, options, folder, graphs, variant)
            except Failed as e:
                failures.append(str(e))
    for failure in failures[:20]:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
