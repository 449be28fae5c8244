"""Calls of functions of the language, and of layers, which run in a frame of their own."""
import functions
from declarations import ROWS
from dims import Dim, Sizes, known, unify_shape
from frames import NONE, Frame, Function
from values import OracleError, Value, aggregate, gather, scalar, volume


class Calls:
    """The part of the interpreter that binds arguments to parameters."""

    def find_layer(self, name, frame):
        """A layer of this name: the user's own comes before the library's, which knows no other."""
        own = None if frame.is_library else self.layers.get(name)
        return own or self.library.get(name)

    def on_call(self, e, frame):
        bound = frame.find(e["callee"])
        is_bound = isinstance(bound, Function)
        name = bound.name if is_bound else e["callee"]
        layer = bound.layer if is_bound else self.find_layer(name, frame)
        if layer:
            return self.call_layer(layer, e, frame)
        if name == "has":
            return scalar(self.present(e["arguments"][0]["value"], frame) is not NONE)
        positional = [a["value"] for a in e.get("arguments", []) if not a.get("name")]
        arguments = [self.argument(a, frame, self.takes_items(name, i, positional)) for i, a in enumerate(positional)]
        named = {a["name"]: self.evaluate(a["value"], frame) for a in e.get("arguments", []) if a.get("name")}
        if name == "reverse":
            return arguments[0].reversed()
        if name in ("add_remaining_self_loops", "keep_one_self_loop", "replace_self_loops", "remove_self_loops"):
            return arguments[0].with_self_loops(name[:name.index("_self")])
        if name in ("knn_graph", "radius_graph"):
            return self.near(name, arguments, named, frame)
        if name == "top_k":
            ratio = arguments[2] if len(arguments) > 2 else named.get("ratio", scalar(0.5))
            among = arguments[3] if len(arguments) > 3 else named.get("among")
            return arguments[0].top(arguments[1], ratio.rows[0][0], None if among is NONE else among)
        if name == "induced_subgraph":
            return arguments[0].induced(arguments[1])
        if name == "union":
            return arguments[0].union(arguments[1])
        if name == "power":
            length = arguments[1]
            return arguments[0].power(int(length.value if isinstance(length, Dim) else length.rows[0][0]))
        if name == "extend_edges":
            fill = arguments[2] if len(arguments) > 2 else named.get("fill", scalar(1))
            return arguments[0].extend(arguments[1], fill.rows[0][0])
        if name in ("sum_all", "num_rows"):
            return self.sum_all(arguments[0]) if name == "sum_all" else self.num_rows(arguments[0])
        if name.startswith("global_"):
            return arguments[0].pool(name.removeprefix("global_"), arguments[1])
        if name == "normalize" and frame.is_library and self.batch_statistics:
            arguments[1:3] = self.statistics(arguments[0])
        if name not in functions.TABLE:
            raise OracleError(f"no function or layer '{name}'")
        return functions.TABLE[name](*arguments, **named)

    @staticmethod
    def statistics(x):
        """Mean and variance of each feature over all rows and leading dimensions."""
        width = x.shape[-1]
        columns = [[row[i] for row in x.rows for i in range(j, len(row), width)] for j in range(width)]
        means = [sum(column) / max(len(column), 1) for column in columns]
        variances = [sum((v - mean) ** 2 for v in column) / max(len(column), 1) for column, mean in zip(columns, means)]
        return [Value(None, (width,), [means]), Value(None, (width,), [variances])]

    def sum_all(self, x):
        """The sum of all elements of a value per node, edge or graph; each node adds its share of the value of its graph."""
        if x.domain is None or x.domain in (("etype",), ("ntype",)):
            raise OracleError("sum_all takes a value per node, edge or graph")
        x = functions.TABLE["sum"](Value(x.domain, (volume(x.shape),), x.rows, x.errors)) if x.shape else x
        if x.domain == ("graph",):
            graph = self.graph
            sizes = graph.pool("sum", Value(graph.nodes, (), [[1.0]] * graph.num_nodes))
            x = gather(functions.binary("/", x, sizes), graph.batch or [0] * graph.num_nodes, graph.nodes)
        return aggregate("sum", x, [0] * len(x.rows), 1, None)

    def num_rows(self, x):
        is_there = [1.0] * len(x.rows)
        if x.domain == ("graph",):
            filled = set(self.graph.batch or [0] * self.graph.num_nodes)
            is_there = [float(i in filled) for i in range(len(x.rows))]
        return self.sum_all(Value(x.domain, (), [[n] for n in is_there]))

    @staticmethod
    def near(name, arguments, named, frame):
        """knn_graph(g, x, k, loop, among) or radius_graph(g, x, r, loop, max_neighbours, among)."""
        names = ["k", "loop", "among"] if name == "knn_graph" else ["r", "loop", "max_neighbours", "among"]
        given = {**dict(zip(names, arguments[2:])), **named}

        def number(key, default):
            v = given.get(key, default)
            return v if not isinstance(v, (Value, Dim)) else v.rows[0][0] if isinstance(v, Value) else float(v.value)
        most = int(number("k" if name == "knn_graph" else "max_neighbours", 8 if name == "knn_graph" else 32))
        radius = None if name == "knn_graph" else number("r", None)
        among = given.get("among")
        return arguments[0].neighbours(arguments[1], most, radius, number("loop", 0) != 0, None if among is NONE else among)

    @staticmethod
    def takes_items(name, position, arguments):
        """Whether a list at this position stands for its items: sizes, an order, or all operands of concat."""
        if name == "concat":
            return len(arguments) == 1
        return name in ("ones", "zeros") if position == 0 else name in ("reshape", "permute", "expand", "split")

    def argument(self, e, frame, takes_items):
        """A list is one value, but some functions take its items."""
        if e["kind"] == "list" and takes_items:
            return [self.evaluate(item, frame) for item in e["list"]]
        return self.evaluate(e, frame)

    def present(self, argument, frame):
        """The value of a name, also where a loop has no row of it."""
        found = frame.find(argument["name"]) if argument["kind"] == "name" else None
        return self.evaluate(argument, frame) if found is None else found

    def call_layer(self, layer, e, frame):
        prefix = self.interpolate(e["prefix"], frame) if e.get("prefix") else ""
        callee = Frame(".".join(p for p in (frame.prefix, prefix) if p))
        callee.is_library = bool(layer.get("library"))
        waiting, written_back = [], []
        known_names = {p["name"] for p in layer.get("parameters", [])} | {p.get("field") for p in layer.get("parameters", [])}
        for a in e.get("arguments", []):  # the size of a dimension of the layer: bases = 30
            if a.get("name") and a["name"] not in known_names:
                callee.dim(a["name"]).value = known(a["value"], Sizes(self, frame))
        for parameter, argument in self.match(layer, e.get("arguments", [])):
            owner = frame if argument is not parameter.get("default_value") else callee
            self.bind(parameter, argument, owner, callee, waiting, written_back)
        self.settle(waiting)
        self.declare(layer["body"], callee)
        self.settle(waiting)
        result = self.execute(layer["body"], callee)
        for put_back in written_back:
            put_back()
        return result if result is not None else ()

    @staticmethod
    def match(layer, arguments):
        """Pairs (parameter, expression): positional ones in order, then by name, then defaults."""
        positional = [a["value"] for a in arguments if not a.get("name")]
        named = {a["name"]: a["value"] for a in arguments if a.get("name")}
        for i, parameter in enumerate(layer.get("parameters", [])):
            if i < len(positional):
                yield parameter, positional[i]
            else:
                yield parameter, named.get(parameter["name"], parameter.get("default_value"))

    def bind(self, parameter, argument, frame, callee, waiting, written_back):
        name, kind = parameter["name"], parameter.get("type", {}).get("kind", "none")
        if argument is None:
            raise OracleError(f"argument '{name}' is missing")
        if parameter.get("is_inout"):
            written_back.append(self.bind_inout(parameter, argument, frame, callee))
        elif self.is_none(argument, frame):
            callee.scopes[0][name] = NONE
        elif kind == "dim" or (kind == "none" and self.is_dim(argument, frame)):
            callee.scopes[0][name] = frame.dim(argument["name"]) if argument["kind"] == "name" else Dim(
                int(self.evaluate(argument, frame).rows[0][0]))
        elif kind in ("function", "reduction"):
            value = self.evaluate(argument, frame) if argument["kind"] in ("name", "choice") else None
            text = argument.get("name") or argument.get("value") or argument.get("text")
            callee.scopes[0][name] = value if isinstance(value, Function) else Function(text)
        else:
            value = self.evaluate(argument, frame, by_type=kind == "none")
            callee.scopes[0][name] = value
            if isinstance(value, Value) and kind in ROWS:
                waiting.append(lambda: unify_shape(parameter["type"].get("dims", []), value.shape, Sizes(self, callee)))

    @staticmethod
    def is_dim(argument, frame):
        """The Dim that an argument passes on when it is a name that only means a dimension."""
        return argument["kind"] == "name" and (isinstance(frame.find(argument["name"]), Dim) or (
            frame.find(argument["name"]) is None and argument["name"] in frame.dims))

    def is_none(self, argument, frame):
        """Whether an argument is `none`, or a name for it."""
        if argument["kind"] != "name":
            return False
        value = frame.find(argument["name"])
        return value is NONE or (value is None and argument["name"] == "none")

    def bind_inout(self, parameter, argument, frame, callee):
        """Binds `inout e.a`: the callee's field starts as the caller's field. Returns a function that copies it back."""
        if not parameter.get("field"):
            callee.scopes[0][parameter["name"]] = frame.find(argument["name"])

            def put_back_name():
                frame.assign(argument["name"], callee.scopes[0][parameter["name"]])
            return put_back_name
        domain, graph = frame.last_loops[argument["base"]["name"]]
        domain = graph.nodes if domain[0] == "node" else domain
        inner, outer = parameter["field"], argument["name"]
        callee.fields[domain, inner] = self.read(frame, graph, domain, outer)
        callee.assigned[domain, inner] = callee.tick()
        callee.last_loops[parameter["name"]] = (domain, graph)

        def put_back():
            self.write_field(frame, graph, domain, outer, self.read_field(callee, graph, domain, inner))
        return put_back
