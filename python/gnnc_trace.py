"""Values that stand for tensors while a forward function runs, and the text of the program that they have become.

A forward like `F.relu(self.conv1(x, edge_index))` is run once on values. Each operation makes a new value that remembers the operation and
its operands; nothing is computed. `Program.lines` then writes those that an output needs:

    let conv1 = relu(gcn_conv(g, x, 16) from "conv1");

A value belongs to a domain, as in the language: it has one row per node, edge or graph ("node", "edge", "graph"), or is one tensor
("plain"). Its shape is that of a row. "edges" are edge sets (edge_index); "index" are numbers of rows (edge_index[0], batch);
"count" are numbers of rows of a domain (x.size(0)); "unknown" follows from something that could not be translated.
This module knows no layer and no function of PyTorch: gnnc_ops has these.
"""
import re
import sys

import torch

COLUMNS = 100
BREAK = "\x1f"            # a blank where a long line may be broken
KEYWORDS = set("import layer model graph dim input weight output loss let for in repeat return from transposed inout node edge etype ntype f32 "
               "i32 function reduction if else has none true false nodes edges".split())
ROWED = ("node", "edge", "graph")


class Stop(Exception):
    """The forward asks for something that only exists when it runs."""


class Value:
    """A symbolic tensor. `op` and `args` are its operation; `edges` is the edge set of edge values."""

    def __init__(self, program, op, args, domain, shape=(), edges=None, path=None, kind="f32", name=None):
        self.program, self.op, self.args, self.domain, self.dims = program, op, list(args), domain, tuple(shape)
        self.edges, self.path, self.kind, self.name = edges, path, kind, name
        self.nodes = self.base = self.group = self.ends = None   # types of nodes: see gnnc_hetero
        self.lead = 0                                # dimensions that PyTorch's shape has before the rows
        self.is_field = self.is_transposed = False
        self.more = ()                               # further results of a layer: see gnnc_clusters
        self.among = None                            # nodes that a pooling keeps: see gnnc_pooling
        self.file_name = self.weight = None          # of what is declared: its name in the file; of edge sets: values of their edges
        self.view_of = self.view_call = None         # what it shares memory with in PyTorch, and the call that made it
        self.stale = None                            # why it must not be read: its memory was changed through another value
        self.number = program.count()
        program.values.append(self)

    # What PyTorch's code asks of a tensor. isinstance(value, torch.Tensor) is true.
    @property
    def __class__(self):
        return torch.Tensor

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        found = first_value([args, kwargs])
        return found.program.function(getattr(function, "__name__", str(function)), args, kwargs)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self.program.attribute(self, name)

    def __getitem__(self, key):
        return self.program.function("getitem", (self, key), {})

    def __setitem__(self, key, value):
        self.program.function("setitem_", (self, key, value), {})

    def __iter__(self):
        return iter(self.program.unpack(self, sys._getframe(1)))

    def __bool__(self):
        raise Stop("a condition depends on computed values")

    def __len__(self):
        raise Stop("the number of rows is asked for as a Python number")

    __int__ = __float__ = __index__ = __bool__

    def __hash__(self):
        return id(self)

    def become(self, other):
        """Operations in place: this value is the other one from now on. What has read it before keeps what it was."""
        old = Value(self.program, self.op, self.args, self.domain, self.dims, self.edges, self.path, self.kind, self.name)
        old.file_name, old.is_transposed, old.weight, old.number = self.file_name, self.is_transposed, self.weight, self.number
        old.more, self.more = self.more, ()
        old.lead, old.nodes, old.base, old.group, old.among = self.lead, self.nodes, self.base, self.group, self.among
        for v in self.program.values:
            v.args = [(a[0], old) if isinstance(a, tuple) and a[1] is self else old if a is self else a for a in v.args]
        self.program.replace(self, old)
        self.op, self.args, self.domain, self.dims, self.edges, self.path = "same", [other], other.domain, other.dims, other.edges, None
        self.lead, self.nodes = other.lead, other.nodes
        self.file_name = self.name = self.base = self.group = self.among = None
        return self

    def is_whole(self):
        """Whether this is a layer over an edge set, which stands outside of loops."""
        return self.op == "layer" and any(is_value(a) and a.domain == "edges" for a in self.args[1:2])

    def __repr__(self):
        return f"<{self.domain} {list(self.dims)}>"


def operation(name):
    return lambda *args: args[0].program.function(name, args, {})


for _name in ("add sub mul truediv matmul pow neg radd rsub rmul rtruediv rmatmul rpow lt le gt ge eq ne abs floordiv mod invert and or xor rand ror "
              "rxor iand ior ixor iadd isub imul itruediv").split():
    setattr(Value, f"__{_name}__", operation(_name))


def is_value(v):
    return type(v) is Value


def first_value(structure):
    """The first symbolic value in nested lists, tuples and dictionaries, or None."""
    if is_value(structure):
        return structure
    if isinstance(structure, dict):
        structure = list(structure.values())
    if isinstance(structure, (list, tuple)):
        for item in structure:
            found = first_value(item)
            if found is not None:
                return found
    return None


def number_text(n):
    """A number as the language writes it."""
    if isinstance(n, bool):
        return "true" if n else "false"
    if isinstance(n, int):
        return str(n)
    if n != n or n in (float("inf"), float("-inf")):
        raise Stop(f"the number {n} cannot be written")
    text = re.sub(r"e([+-]?)0*(\d)", lambda m: "e" + ("-" if m[1] == "-" else "") + m[2], repr(float(n)))
    return text[:-2] if text.endswith(".0") else text


def shape_text(shape):
    return "[" + ("," + BREAK).join(str(s) for s in shape) + "]"


def type_text(v):
    """The type of an input or a weight."""
    row = {"plain": "", "node": "node ", "edge": "edge ", "graph": "graph ", "etype": "etype ", "ntype": "ntype "}[v.domain]
    return row + v.kind + (shape_text(v.dims) if v.dims else "")


# Operations that are written in loops: they read ends of edges, incoming edges, or the numbers of types and graphs.
DECLARED = ("graph", "input", "weight")
LOOP_OPS = ("src", "dst", "reduce", "degree", "at", "loop")
PRECEDENCE = {"<": 1, "<=": 1, ">": 1, ">=": 1, "==": 1, "!=": 1, "+": 2, "-": 2, "*": 3, "/": 3, "@": 3}


class Program:
    """The values of one trace, and how they are written. `handlers` is gnnc_ops or anything with its functions."""
    is_training = False                                  # the model is traced as it is in training

    def __init__(self, handlers):
        self.handlers = handlers
        self.made, self.values = 0, []
        self.reserved = set(KEYWORDS)

    def count(self):
        self.made += 1
        return self.made

    def replace(self, old, new):
        """Told when an operation in place has made `new` of what `old` was."""

    def function(self, name, args, kwargs):
        return self.handlers.function(self, name, args, kwargs)

    def attribute(self, value, name):
        return self.handlers.attribute(self, value, name)

    def unpack(self, value, frame):
        return self.handlers.unpack(self, value, frame)

    # ---- makers
    def make(self, op, args, like, shape=None, path=None):
        """A value in the domain of `like`."""
        made = Value(self, op, args, like.domain, like.dims if shape is None else shape, like.edges, path)
        made.lead, made.nodes = like.lead, like.nodes
        return made

    def call(self, name, args, like, shape=None, **options):
        """A call of a function of the language. Options are named arguments."""
        return self.make("call", [name] + list(args) + [(k, v) for k, v in options.items()], like, shape)

    def binary(self, sign, a, b, like, shape):
        return self.make("binary", [sign, a, b], like, shape)

    def layer(self, name, args, path, domain, shape, edges=None):
        """A call of a layer of the library, with its weights behind `path`."""
        return Value(self, "layer", [name] + list(args), domain, shape, edges, path)

    def reshape(self, v, shape, lead=None):
        """v with rows of this shape, of which `lead` dimensions are before the rows for PyTorch."""
        shape, source = tuple(shape), v
        lead = v.lead if lead is None else lead
        while source.op in ("reshape", "same"):
            source = source.args[0]
        if v.dims == shape and v.lead == lead:
            return v
        made = self.make("same" if source.dims == shape else "reshape", [source], source, shape)
        made.lead = lead
        return made

    def unknown(self):
        return Value(self, "unknown", [], "unknown")

    # ---- the text
    def lines(self, outputs):
        """Statements that compute the outputs, a list of (name, value); then the inputs and weights that they need."""
        self.uses, self.text = {}, []
        order = []
        for _, v in outputs:
            self.reach(v, order)
            self.uses[resolved(v)] += 1
        order.sort(key=lambda v: v.number)
        declared = [v for v in order if v.op in DECLARED]
        for v in declared:
            v.name = v.name or self.fresh(v)
        for v in order:
            if v.op in DECLARED + ("index",):
                continue
            if v.group is not None and v.op != "types":
                self.bind(v)
                continue
            if self.uses[v] > 1 or v.op in ("edges", "softmax") or v.more:
                self.bind(v)
            else:
                self.settle(v)
        done = []
        for name, v in outputs:
            v = resolved(v)
            state = self.settle(v)
            if state["loop"]:
                self.bind(v)
            done += broken(f"output {name} = {self.render(v, None)[0]};")
        return declared, self.text, done

    def reach(self, v, order):
        v = resolved(v)
        if v in self.uses:
            return
        self.uses[v] = 0
        for i, a in enumerate(v.args):
            a = a[1] if isinstance(a, tuple) else a
            if is_value(a):
                self.reach(a, order)
                self.uses[resolved(a)] += 1
        if is_value(v.edges) and v.op not in DECLARED:
            self.reach(v.edges, order)
            self.uses[resolved(v.edges)] += 1
        order.append(v)

    def operands(self, v):
        found = [resolved(a[1] if isinstance(a, tuple) else a) for a in v.args if is_value(a[1] if isinstance(a, tuple) else a)]
        return [a for a in found if a.domain != "edges"]

    def settle(self, v):
        """Decides which operands of v stand inside its expression; the others get statements before it. Returns what the expression
        contains: whether it has to stand in a loop, over which edge set, and how many layers it calls."""
        is_typed = v.nodes is not None and v.op not in DECLARED + ("types", "item") and not v.is_whole()
        state = {"loop": v.op in LOOP_OPS or is_typed, "set": v.edges if v.op in ("reduce", "degree") else None, "layers": int(v.op == "layer")}
        if v.name:
            return {"loop": False, "set": None, "layers": 0}
        for a in self.operands(v):
            if a.name:
                continue
            if self.uses[a] > 1:
                self.bind(a)
                continue
            inner = self.settle(a)
            needs_name = v.op in ("src", "dst", "at", "types", "item") or a.op in ("edges", "softmax")
            is_apart = inner["layers"] and (state["layers"] or state["loop"]) or inner["loop"] and (v.op == "layer" or state["layers"])
            other_set = state["set"] is not None and inner["set"] is not None and inner["set"] is not state["set"]
            is_long = len(self.render(a, "n" if inner["loop"] else None, dry=True)[0]) > COLUMNS - 28
            if needs_name or is_apart or other_set or is_long or (inner["loop"] and a.domain not in (v.domain, "edge")):
                self.bind(a)
                continue
            state["loop"] |= inner["loop"] and (a.domain == v.domain)
            state["set"] = inner["set"] if state["set"] is None and a.domain == v.domain else state["set"]
            state["layers"] += inner["layers"]
        return state

    def bind(self, v):
        """Gives v a name: a let, or a field that a loop assigns."""
        if v.name or v.op in DECLARED + ("unknown",):
            return
        state = self.settle(v)
        if v.op in ("types", "item"):
            v.name = resolved(v.args[0]).name if v.op == "item" else None
        elif v.op == "softmax":
            v.name, v.is_field = self.fresh(v), True
            self.say(self.loop(v, self.set_of(v), resolved(v.args[0])))
            self.say(f"edge_softmax({self.set_of(v)}, inout e.{v.name});")
        elif state["loop"]:
            expression = self.render(v, "e" if v.domain == "edge" else "n")[0]
            v.name, v.is_field = self.fresh(v), True
            self.say(self.loop(v, self.set_of(v) if v.domain == "edge" else state["set"], None, expression))
        else:
            expression = self.render(v, None)[0]
            v.name = self.fresh(v)
            for other in v.more:
                other.name = self.fresh(other) if other in self.uses else self.unused(f"_{v.name}")
            self.say(f"let {', '.join([v.name, *(other.name for other in v.more)])} = {expression};")

    def loop(self, v, domain, source, expression=None):
        cursor = "e" if v.domain == "edge" else "n"
        rows = f"{domain}.edges" if v.domain == "edge" else self.nodes_of(v, domain)
        expression = expression or self.render(source, cursor)[0]
        flat = f"for {cursor} in {rows} {{ {cursor}.{v.name} = {expression}; }}"
        return flat if len(flat) <= COLUMNS - 2 else (f"for {cursor} in {rows} {{", f"  {cursor}.{v.name} = {expression};", "}")

    def nodes_of(self, v, edges):
        """The nodes that a value belongs to: all, those of a type, or those at an end of the relation that it reduces."""
        if v.nodes is None:
            return f"{edges.name if edges is not None else 'g'}.nodes"
        if edges is not None and edges.ends:
            return f"{edges.name}.{'dst_nodes' if edges.ends[1] == v.nodes else 'src_nodes'}"
        return f"g.nodes.{self.schema.nodes[v.nodes]}"

    def say(self, text):
        for line in [text] if isinstance(text, str) else text:
            depth = len(line) - len(line.lstrip(" "))
            self.text += broken(line.lstrip(" "), depth)

    def set_of(self, v):
        return resolved(v.edges).name if v.edges is not None else "g"

    def fresh(self, v):
        """A name for v: that of the layer it comes from or of the tensor it is, else one letter by domain."""
        if v.group is not None:
            v.group.name = v.group.name or self.unused("h")
            return v.group.name
        path = v.file_name or self.path_of(v)
        return self.unused(re.sub(r"\W", "_", path) if path else {"node": "h", "edge": "m", "graph": "p", "edges": "s"}.get(v.domain, "t"))

    def unused(self, wanted):
        """A name like `wanted` that nothing has."""
        wanted = wanted if re.match(r"[A-Za-z_]", wanted) else "h_" + wanted
        name, k = wanted, 1
        while name in self.reserved:
            k += 1
            name = f"{wanted}{k}" if not wanted[-1].isdigit() else f"{wanted}_{k}"
        self.reserved.add(name)
        return name

    def path_of(self, v):
        if v.path and v.op == "layer":
            return v.path
        for a in self.operands(v):
            if not a.name and self.path_of(a):
                return self.path_of(a)
        return None

    def render(self, v, cursor, dry=False):
        """The expression of v and its precedence, at the top (cursor None) or in a loop over nodes ("n") or edges ("e")."""
        v = resolved(v)
        if v.op == "types":
            return v.base or f"n.{v.group.name}", 5
        if v.op in ("copy", "item") and not v.name:
            return self.render(v.args[0], cursor, dry)
        if v.name:
            rowed = cursor and v.domain in ROWED[:2]
            if rowed and {"n": "node", "e": "edge"}[cursor] == v.domain or v.is_field:
                return f"{cursor or {'node': 'n', 'edge': 'e'}[v.domain]}.{v.base or v.name}", 5
            return v.name, 5
        a = v.args
        if v.op == "binary":
            own = PRECEDENCE[a[0]]
            left, right = self.operand(a[1], cursor, own + (own == 1), dry), self.operand(a[2], cursor, own + 1, dry)
            return f"{left}{BREAK}{a[0]} {right}", own
        if v.op == "negate":
            return "-" + self.operand(a[0], cursor, 4, dry), 4
        if v.op in ("call", "layer", "edges"):
            text = f"{a[0]}({self.arguments(a[1:], cursor, dry)})"
            return text + (f'{BREAK}from "{v.path}"' if v.path and v.op == "layer" else ""), 5
        if v.op == "reshape":
            return f"reshape({self.render(a[0], cursor, dry)[0]},{BREAK}{shape_text(v.dims)})", 5
        if v.op in ("src", "dst"):
            return f"e.{v.op}.{resolved(a[0]).base or resolved(a[0]).name or '?'}", 5
        if v.op == "at":                                    # p[n.graph], W[e.type]
            return f"{resolved(a[0]).name or '?'}[{cursor}.{a[1]}]", 5
        if v.op == "degree":
            return f"n.{a[0]}", 5
        if v.op == "loop":                                  # an expression of its own, written for the cursor
            return a[0], 5
        if v.op == "reduce":
            return f"{a[0]}(e in n.{a[2]}:{BREAK}{self.render(a[1], 'e', dry)[0]})", 5
        if v.op == "slice":                                 # x[2], x[.., 1..3]
            return f"{self.operand(a[0], cursor, 5, dry)}[{a[1]}]", 5
        if v.op == "lookup":                                # E[n.z]
            return f"{self.operand(a[0], cursor, 5, dry)}[{self.operand(a[1], cursor, 0, dry)}]", 5
        if v.op == "list":
            return f"[{self.arguments(a, cursor, dry)}]", 5
        if v.op == "softmax" and dry:
            return "?", 5
        raise AssertionError(v.op)

    def operand(self, v, cursor, least, dry):
        if not is_value(v):
            return v if isinstance(v, str) else number_text(v)
        text, own = self.render(v, cursor, dry)
        return text if own >= least else f"({text})"

    def arguments(self, args, cursor, dry):
        return ("," + BREAK).join(f"{a[0]} = {self.operand(a[1], cursor, 0, dry)}" if isinstance(a, tuple) else
                                  self.operand(a, cursor, 0, dry) for a in args)


def resolved(v):
    """The value that v is, where operations in place have replaced it or it is another one's result."""
    while v.op == "same":
        v = v.args[0]
    return v


def broken(line, depth=0, column=2):
    """A statement as lines of at most COLUMNS, broken as `gnnc --emit=ast` does it."""
    out, indent, rest = [], column + depth, line
    while rest:
        room = max(COLUMNS - indent, 20) if COLUMNS > indent + 20 else 20
        if len(rest) <= room:
            cut = len(rest)
        else:
            cuts = [i for i, c in enumerate(rest) if c == BREAK]
            fitting = [i for i in cuts if i <= room]
            cut = fitting[-1] if fitting else cuts[0] if cuts else len(rest)
        out.append(" " * indent + rest[:cut].replace(BREAK, " "))
        rest, indent = rest[cut + 1:], column + depth + 4
    return out

