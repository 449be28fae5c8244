"""Evaluates a .gnn model in doubles, from the syntax tree alone; the tests compare the compiler with it.

    gnnc --emit=ast=json gcn.gnn > gcn.json
    python3 interpreter.py gcn.json --graph cora.safetensors --weights gcn.safetensors -o out.safetensors [--magnitude]

Every statement is a whole-domain assignment, so a loop body is evaluated statement by statement, each
expression for all nodes or edges at once. With --magnitude the file also holds NAME.magnitude: for each number a bound,
in units of 2^-24, of what f32 arithmetic may add to it (values.py). The code is simple rather than fast; Cora takes seconds.
"""
import argparse
import json
import sys
from collections import Counter

import functions
import values
from calls import Calls
from declarations import Declarations
from dims import Dim, Sizes, known
from frames import NONE, Frame, Function, Loop
from graphs import Graph
from parts import ByType, NodeType, Parts
from reductions import Reductions
from safetensors import Tensor, read, write
from values import OracleError, Value, aggregate, gather, lift, scalar


LITERALS = {"none": NONE, "true": scalar(1), "false": scalar(0)}


class Interpreter(Declarations, Calls, Parts, Reductions):
    """Statements and expressions; files are in declarations.py, layers in calls.py, nodes of one type in parts.py, reductions in
        reductions.py."""

    def __init__(self, tree, graph_file, weights_file, dims=None, with_loss=False):
        tree = tree.get("file", tree)
        self.layers = {layer["name"]: layer for layer in tree["layers"] if not layer.get("library")}
        self.library = {layer["name"]: layer for layer in tree["layers"] if layer.get("library")}
        self.models = tree["models"]
        self.tensors, self.metadata = graph_file
        self.weights = weights_file
        self.given_dims = dims or {}
        self.outputs = {}
        self.with_loss = with_loss  # the loss is one more output; else what only it reads may be absent
        self.batch_statistics = False  # batch norms of the library have the statistics of all rows, as in training
        self.may_lack = False
        self.integers = set()  # the names of integer inputs

    def run(self, name=None):
        """Returns name -> Value of the model's outputs."""
        model = next(m for m in self.models if name in (None, m["name"]))
        self.may_lack = not self.with_loss and any(s["kind"] == "loss" for s in model["body"])
        frame = self.model_frame = Frame("")
        for dim, size in self.given_dims.items():
            frame.dim(dim).value = size
        self.declare(model["body"], frame)
        self.execute(model["body"], frame)
        return self.outputs

    # statements

    def execute(self, body, frame):
        """Runs a body; returns the list of returned values at a return, else None."""
        for s in body:
            try:
                result = getattr(self, f"do_{s['kind']}")(s, frame)
            except OracleError as error:
                if getattr(error, "line", None) is None:
                    error.line = s.get("line")
                raise
            if result is not None:
                return result
        return None

    def do_graph(self, s, frame):
        pass

    do_dim = do_input = do_graph

    def do_weight(self, s, frame):
        if s["name"] not in frame.scopes[-1]:  # weights inside of blocks are declared here
            self.declare([s], frame)
        if s["name"] not in frame.scopes[-1] and "default_value" in s:
            frame.scopes[-1][s["name"]] = self.evaluate(s["default_value"], frame)

    def do_let(self, s, frame):
        result = self.evaluate(s["value"], frame, many=len(s["names"]) > 1, by_type=True)
        for name, value in zip(s["names"], result if isinstance(result, tuple) else (result,), strict=True):
            frame.define(name, value)

    def do_assign(self, s, frame):
        value, op = self.evaluate(s["value"], frame), s["op"][:-1]
        target = s["target"]
        if target["kind"] == "name":
            if op:
                value = functions.binary(op, frame.find(target["name"]), value)
            frame.assign(target["name"], value)
            return
        domain, graph, index = self.member(target["base"], frame)
        loop = frame.loop()
        if loop is None:
            domain = graph.nodes if domain[0] == "node" else domain
            value = lift(value, domain, graph.domain_size(domain))
        elif index is None:
            value = lift(value, loop.domain, loop.size())
        else:
            value = aggregate("sum", lift(value, loop.domain, loop.size()), index, graph.num_nodes, graph.nodes)
            if op != "+":
                raise OracleError(f"'{s['op']}' from a nested loop")
            domain = loop.parts.get(target["base"].get("name"), graph.nodes)
            value = self.narrow(value, graph, domain)
            op = "+"
        before = self.read(frame, graph, domain, target["name"], self.own_loop(target["base"], frame)) if op else None
        if index is not None and not (isinstance(before, Value) and before.domain == domain):
            before = None  # the field has no value yet, so the sum is its first value
        self.write_field(frame, graph, domain, target["name"], functions.binary(op, before, value) if before else value)

    def do_call(self, s, frame):
        self.evaluate(s["call"], frame, many=True)

    def do_for(self, s, frame):
        loop = self.open_loop(s["variable"], s["domain"], frame)
        frame.last_loops[s["variable"]] = (loop.domain, loop.graph)
        frame.loops.append(loop)
        frame.scopes.append({})
        self.execute(s["body"], frame)
        frame.scopes.pop()
        frame.loops.pop()

    def open_loop(self, variable, domain, frame):
        """The loop that `for variable in domain` or a reduction opens inside the current one."""
        way = domain["name"].removesuffix("_edges") if domain["kind"] == "field" else None
        inner = domain["base"]["name"].removesuffix("_edges") if way and domain["base"]["kind"] == "field" else None
        if inner in ("incoming", "outgoing"):  # n.incoming.writes
            loop = self.open_loop(variable, domain["base"], frame)
            graph = loop.graph.relation(domain["name"])
            members = {v: (graph.edges if v == variable else kind, graph, None if index is None else graph.ends(inner))
                       for v, (kind, _, index) in loop.members.items()}
            return Loop(graph.edges, graph, members, loop.parts, variable)
        if way in ("incoming", "outgoing"):
            node_domain, graph, index = self.member(domain["base"], frame)
            members = {variable: (graph.edges, graph, None)}
            parts = {}
            if index is None and frame.loops:
                owners = [v for v, (d, _, i) in frame.loop().members.items() if i is None and d == node_domain]
                members |= {v: (graph.nodes, graph, graph.ends(way)) for v in owners}
                parts = {v: node_domain for v in owners}
            return Loop(graph.edges, graph, members, parts, variable)
        is_part = inner in ("nodes", "src_nodes", "dst_nodes", "edges")
        graph = self.evaluate(domain["base"]["base"] if is_part else domain["base"], frame)
        if isinstance(graph, NodeType):
            kind = graph.graph.part(graph.name)
            return Loop(kind, graph.graph, {variable: (kind, graph.graph, None)}, variable=variable)
        if not isinstance(graph, Graph):
            raise OracleError("a loop runs over g.nodes, g.edges, n.incoming or n.outgoing")
        if inner == "edges":
            graph, way = graph.relation(domain["name"]), "edges"
        kind = graph.edges if way == "edges" else graph.end("src" if way == "src_nodes" else "dst")
        if is_part and inner != "edges":
            kind = graph.part(domain["name"])
        return Loop(kind, graph, {variable: (kind, graph, None)}, variable=variable)

    def types_of(self, e, frame):
        """What `repeat r in g.relations` and `repeat t in g.node_types` run over."""
        graph = self.evaluate(e["base"], frame)
        if e["name"] == "relations":
            return [graph.relation(name) for name in graph.relation_names]
        return [NodeType(graph, name) for name in graph.type_names]

    def do_repeat(self, s, frame):
        if "last" not in s:
            for item in self.types_of(s["first"], frame):
                frame.scopes.append({s["variable"]: item})
                self.execute(s["body"], frame)
                frame.scopes.pop()
            return
        first, last = (self.evaluate(s[k], frame) for k in ("first", "last"))
        for k in range(int(first.rows[0][0]), int(last.rows[0][0])):
            frame.scopes.append({s["variable"]: scalar(k)})
            self.execute(s["body"], frame)
            frame.scopes.pop()

    def do_if(self, s, frame):
        while s is not None:
            if "condition" not in s or self.holds(s["condition"], frame):
                frame.scopes.append({})
                result = self.execute(s["body"], frame)
                frame.scopes.pop()
                return result
            s = s.get("otherwise")
        return None

    def holds(self, condition, frame):
        """The truth of a condition, which is a plain number."""
        return self.evaluate(condition, frame).rows[0][0] != 0

    def do_output(self, s, frame):
        if not s.get("node_type"):
            self.outputs[s["name"]] = self.evaluate(s["value"], frame)
            return
        value = self.evaluate(s["value"], frame, by_type=True)
        graph = next(g for g in frame.scopes[0].values() if isinstance(g, Graph))
        part = graph.part(s["node_type"])
        value = value.rows[s["node_type"]] if isinstance(value, ByType) else self.narrow(value, graph, part)
        self.outputs[f"{s['name']}.{s['node_type']}"] = value

    def do_loss(self, s, frame):
        if self.with_loss:
            self.outputs[s["name"]] = self.evaluate(s["value"], frame)

    def do_return(self, s, frame):
        return tuple(self.evaluate(v, frame, by_type=True) for v in s["values"])

    def output(self, name, frame):
        """An output, as statements of the model behind it read it."""
        return self.outputs.get(name) if frame is self.model_frame else None

    # nodes and edges

    def member(self, e, frame):
        """The value of n, e or e.src in a loop: (domain, graph, index per row of the loop or None for the row itself)."""
        loop = frame.loop()
        if e["kind"] == "name":
            name = e["name"]
            if loop is not None and name in loop.members:
                return loop.members[name]
            if loop is None and name in frame.last_loops:
                return (*frame.last_loops[name], None)
            raise OracleError(f"'{name}' is no node or edge here")
        if e["kind"] == "field" and e["name"] in ("src", "dst"):
            _, graph, index = self.member(e["base"], frame)
            ends = graph.src if e["name"] == "src" else graph.dst
            return graph.nodes, graph, ends if index is None else [ends[i] for i in index]
        if e["kind"] == "field" and e["name"] == "reverse":
            _, graph, index = self.member(e["base"], frame)
            opposite = graph.opposites()
            return graph.edges, graph, opposite if index is None else [opposite[i] for i in index]
        raise OracleError("a node or an edge is expected")

    @staticmethod
    def own_loop(e, frame):
        """The open loop to which a variable belongs."""
        return next((loop for loop in frame.loops if e["kind"] == "name" and loop.variable == e["name"]), None)

    def rows_of(self, e, graph, domain, frame):
        """The domain at which a node is read: its type, where the loop knows it."""
        if e["kind"] == "field" and e["name"] == "reverse":
            return graph.edges
        if e["kind"] == "field" and graph.end_types:
            return graph.end(e["name"])
        parts = frame.loop().parts if frame.loop() else {}
        return parts.get(e.get("name"), domain)

    def field(self, e, frame, is_index=False):
        """n.x: a property, a field, or a visible name with that domain. n.graph occurs in brackets only."""
        domain, graph, index = self.member(e["base"], frame)
        name = e["name"]
        is_after = frame.loop() is None and domain[0] == "node"
        if is_after:
            domain = graph.nodes
            found = self.fields_by_type(frame, graph, name)
            if found is not None:
                return found
        rows = self.rows_of(e["base"], graph, domain, frame)
        if domain[0] == "node" and name in ("in_degree", "out_degree"):
            value = self.narrow(graph.degree(graph.dst if name == "in_degree" else graph.src), graph, domain)
        elif name in ("type", "etype", "ntype"):
            types = graph.edge_type if domain == graph.edges else graph.node_type
            whole = graph.edges if domain == graph.edges else graph.nodes
            value = self.narrow(Value(whole, (), [[float(t)] for t in types]), graph, domain)
        elif name == "graph" and is_index:
            numbers = graph.batch or [0] * graph.num_nodes
            value = self.narrow(Value(graph.nodes, (), [[float(b)] for b in numbers]), graph, domain)
        else:
            value = self.read(frame, graph, rows, name, self.own_loop(e["base"], frame)) or self.output(name, frame)
            if index is not None and isinstance(value, Value) and value.domain == rows:
                value = self.widen(value, graph)
            if not isinstance(value, Value) or value.domain not in (domain, None):
                raise OracleError(f"no field '{name}' of {domain}")
        if index is None or value.domain is None:
            return value
        return gather(value, index, frame.loop().domain)

    # expressions

    def evaluate(self, e, frame, many=False, by_type=False):
        value = getattr(self, f"on_{e['kind']}")(e, frame)
        if isinstance(value, tuple) and not many:
            value, = value
        return self.unite_types(value) if isinstance(value, ByType) and not by_type else value

    def on_number(self, e, frame):
        number = float(e["value"])
        return Value(None, (), [[number]], [[0.0 if values.is_exact(number) else abs(number)]])

    def on_string(self, e, frame):
        return e["value"] if "value" in e else e["text"]

    def on_list(self, e, frame):
        return functions.stack([self.evaluate(item, frame) for item in e["list"]])

    def on_name(self, e, frame):
        name = e["name"]
        value = frame.find(name)
        if value is None and name in LITERALS:
            return LITERALS[name]
        if value is None or isinstance(value, Dim):
            if value is None and name in ("prod", "median"):
                return Function(name)
            if value is None and name not in frame.dims and (name in functions.TABLE or self.find_layer(name, frame)):
                return Function(name, self.find_layer(name, frame))
            if value is None and self.output(name, frame):
                return self.output(name, frame)
            size = frame.dim(name).value
            if size is None:
                raise OracleError(f"'{name}' is not known")
            return scalar(size)
        loop = frame.loop()
        if loop and isinstance(value, Value) and value.domain and value.domain[0] in ("node", "edge") and (
                value.domain != loop.domain):
            return self.bring_inside(value, loop)
        return value

    def bring_inside(self, value, loop):
        """A `let` of the outer loop, as an inner loop reads it."""
        for name, (kind, graph, index) in loop.members.items():
            if index is not None and value.domain in (kind, loop.parts.get(name)):
                return gather(self.widen(value, graph), index, loop.domain)
        raise OracleError(f"a value of {value.domain} stands bare in a loop over {loop.domain}")

    def on_field(self, e, frame):
        base = frame.find(e["base"]["name"]) if e["base"]["kind"] == "name" else None
        if isinstance(base, Graph) and e["name"] in ("num_nodes", "num_edges"):
            return scalar(base.num_nodes if e["name"] == "num_nodes" else len(base.src))
        if isinstance(base, ByType):
            return base.rows[e["name"]]
        if isinstance(base, Graph) and base.end_types and e["name"] in ("src", "dst"):
            return NodeType(base, base.end_types[e["name"] == "dst"])
        if isinstance(base, Graph) and e["name"] in base.relation_names:
            return base.relation(e["name"])
        if isinstance(base, Value) and base.domain and base.domain[0] == "node" and e["name"] in self.graph.type_names and frame.loop() is None:
            return self.narrow(base, self.graph, self.graph.part(e["name"]))
        return self.field(e, frame)

    @staticmethod
    def groups(graph, ends):
        """The number of each edge's group by its type at that end, and the number of groups."""
        numbers = {}
        ids = [numbers.setdefault(pair, len(numbers)) for pair in zip(graph.edge_type, ends)]
        return ids, len(numbers)

    def bounds(self, e, size, frame):
        """The numbers of a dimension that a subscript picks; None for a range that is the whole dimension."""
        def at(x, default):
            if x is None:
                return default
            number = known(x, Sizes(self, frame))
            return number + size if number < 0 else number
        if e["kind"] != "range":
            return range(at(e, 0), at(e, 0) + 1)
        return range(at(e.get("first"), 0), at(e.get("last"), size))

    @staticmethod
    def is_member_index(e):
        """W[n.type], p[n.graph]: the row of a value per type or per graph."""
        return e["kind"] == "field" and e["name"] in ("type", "etype", "ntype", "graph")

    def reads_value(self, e, frame):
        """Whether a subscript is a value, such as an integer input, and not a number that is known."""
        kind = e["kind"]
        if kind == "name":
            value = frame.find(e["name"])
            return isinstance(value, ByType) or isinstance(value, Value) and (
                value.domain is not None or e["name"] in self.integers)
        if kind == "binary":
            return self.reads_value(e["left"], frame) or self.reads_value(e["right"], frame)
        if kind == "call":
            return any(self.reads_value(a["value"], frame) for a in e["arguments"])
        inner = e.get("base" if kind == "index" else "operand")
        return kind == "field" or inner is not None and self.reads_value(inner, frame)

    def on_index(self, e, frame):
        if e["base"]["kind"] == "field" and e["base"]["name"] in ("in_degree", "out_degree"):
            graph = frame.loop().graph
            ids, _ = self.groups(graph, graph.dst if e["base"]["name"] == "in_degree" else graph.src)
            return Value(graph.edges, (), [[float(n)] for n in map(Counter(ids).get, ids)])
        only = e["subscripts"][0]
        if len(e["subscripts"]) == 1 and not self.is_member_index(only) and self.reads_value(only, frame):
            return functions.lookup(self.evaluate(e["base"], frame), self.evaluate(only, frame))
        if len(e["subscripts"]) > 1 or only["kind"] != "field":
            value = self.evaluate(e["base"], frame)
            picks = [self.bounds(s, size, frame) for s, size in zip(e["subscripts"], value.shape)]
            return functions.pick(value, picks, [s["kind"] == "range" for s in e["subscripts"]])
        value, index = self.evaluate(e["base"], frame), self.field(only, frame, True)
        return gather(value, [int(row[0]) for row in index.rows], index.domain)

    def on_unary(self, e, frame):
        return functions.TABLE["negate"](self.evaluate(e["operand"], frame))

    def on_choice(self, e, frame):
        return self.evaluate(e["yes" if self.holds(e["condition"], frame) else "no"], frame)

    def on_binary(self, e, frame):
        left, right = self.evaluate(e["left"], frame), self.evaluate(e["right"], frame)
        if not isinstance(left, Value) or not isinstance(right, Value):  # functions, texts and none are compared by name
            is_equal = getattr(left, "name", left) == getattr(right, "name", right)
            return scalar(is_equal == (e["op"] == "=="))
        return functions.binary(e["op"], left, right)

    @staticmethod
    def is_neighbours(domain):
        """Whether a domain is the edges of a node: n.incoming, n.incoming.writes, e.dst.incoming[e.type]."""
        ways = ("incoming", "outgoing", "incoming_edges", "outgoing_edges")
        edges = domain["base"] if domain["kind"] == "index" else domain
        return edges["name"] in ways or (edges["base"]["kind"] == "field" and edges["base"]["name"] in ways)


def evaluate_model(tree, graph_path, weights_path, dims=None, track=False, with_loss=False):
    """Runs the whole interpreter: returns name -> Value."""
    values.tracking = track
    weights = read(weights_path)[0] if weights_path else {}
    return Interpreter(tree, read(graph_path), weights, dims, with_loss).run()


def write_outputs(path, outputs, magnitude):
    tensors = {}
    for name, v in outputs.items():
        shape = list(v.shape) if v.domain is None else [len(v.rows), *v.shape]
        tensors[name] = Tensor("F64", shape, [x for row in v.rows for x in row])
        if magnitude:
            tensors[f"{name}.magnitude"] = Tensor("F64", shape, [x for row in v.error_rows() for x in row])
    write(path, tensors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="the output of gnnc --emit=ast=json")
    parser.add_argument("--graph", required=True)
    parser.add_argument("--weights")
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--dim", action="append", default=[], metavar="F=1433")
    parser.add_argument("--magnitude", action="store_true", help="also write NAME.magnitude")
    parser.add_argument("--loss", action="store_true", help="the loss is an output, too")
    options = parser.parse_args()
    with open(options.model) as f:
        tree = json.load(f)
    dims = {name: int(size) for name, size in (d.split("=") for d in options.dim)}
    try:
        outputs = evaluate_model(tree, options.graph, options.weights, dims, options.magnitude, options.loss)
    except OracleError as error:
        sys.exit(f"{options.model}: line {getattr(error, 'line', '?')}: {error}")
    write_outputs(options.output, outputs, options.magnitude)


if __name__ == "__main__":
    main()
