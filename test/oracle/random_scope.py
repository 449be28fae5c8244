"""The knowledge about a random program while it is written: values, fields, graphs, weights, names of dimensions.

A Leaf is an operand that an expression may mention: its text and its shape. A Scope is the body of a model or of a layer; an
Inside is a place in a loop of it, where the same values are spelled n.x, e.src.x and so on."""
from dataclasses import dataclass, field

from random_graphs import dense
from safetensors import round_f32

NARROW, WIDE = [1, 2, 3, 4, 5, 8], [1, 3, 9, 16, 17, 36]
SIZES = list(NARROW)  # sizes of dimensions; a single list, chosen again for each model


def choose_sizes(rng):
    """Decides whether a model is wide; its rows then have several blocks of columns. Returns True when it is wide."""
    SIZES[:] = rng.choice([NARROW] * 6 + [WIDE])
    return SIZES == WIDE


@dataclass
class Leaf:
    text: str
    shape: tuple


@dataclass
class Integers:
    """An integer input, or an element of one: its values are from `low` to `high`."""
    text: str
    domain: str
    low: int
    high: int


@dataclass
class Inside:
    """A loop. `own` and `kind` are its variable and the variable's kind ("node" or "edge"), `outer` is the node variable of an enclosing
        loop and `outer_end` the end of the edge that it stands for, `locals` are the names of `let`, `banned` the fields that this loop accumulates."""
    graph: str
    own: str
    kind: str
    outer: str = ""
    outer_end: str = ""
    locals: list = field(default_factory=list)
    banned: set = field(default_factory=set)


class Case:
    """All parts of one random test: texts of layers and model, tensors of both files, tags of its constructs."""

    def __init__(self, rng, disabled):
        self.rng, self.disabled = rng, disabled
        self.layers, self.weights, self.tags = [], {}, set()
        self.counter = 0
        self.outputs = []     # (domain, shape, text) of outputs that can be part of a loss
        self.stacked = set()  # names of tensors that are parts of one weight and have one type of numbers

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def allows(self, tag):
        return tag not in self.disabled

    def tag(self, tag):
        self.tags.add(tag)


class Scope:
    """One body. `prefix` is the prefix of its weights in the file; `facts` are the properties of the graph file."""

    def __init__(self, case, prefix, facts):
        self.case, self.rng, self.prefix, self.facts = case, case.rng, prefix, facts
        self.declarations, self.lines, self.indent = [], [], 1
        self.values = {"node": [], "plain": [], "pergraph": [], "etype": [], "ntype": []}  # Leafs by domain
        self.edge_values = {}                    # graph -> [Leaf]: names of edge values
        self.integers = []                       # Integers: inputs that pick rows of tables
        self.fields = {"node": {}}               # "node" or a graph -> {field: shape}
        self.graphs = []
        self.graph_is_derived = False  # whether the layer is called with a graph to which self loops were added
        self.symbols = {}                        # size -> name, for the sizes that have one in this scope
        self.symbolic = set(self.rng.sample(SIZES, self.rng.randint(0, len(SIZES))))
        self.weight_count = 0
        self.inputs = {}                         # name -> rows
        self.repeated = []                       # prefixes of further copies of the weights

    # text

    def emit(self, line):
        self.lines.append("  " * self.indent + line)

    def dim(self, size, declares=False):
        """A dimension as text: a number, or this scope's name for that size, which a type must have introduced before."""
        if size in self.symbols:
            return self.symbols[size] if self.rng.random() < 0.8 else str(size)
        if declares and size in self.symbolic:
            self.symbols[size] = f"D{size}"
            return self.symbols[size]
        return str(size)

    def type_text(self, shape, domain=""):
        dims = ", ".join(self.dim(s, declares=True) for s in shape)
        return f"{domain} f32[{dims}]".strip() if shape else f"{domain} f32".strip()

    # weights

    def weight(self, shape, style="real", domain="", transposed=None):
        """Declares a weight and returns its name. Matrices may be stored transposed; typed ones have a row per type."""
        name = f"w{self.weight_count}"
        self.weight_count += 1
        stored = list(shape)
        if transposed is None:
            transposed = len(shape) >= 2 and self.rng.random() < 0.5
        if transposed:
            stored[-1], stored[-2] = stored[-2], stored[-1]
        count = {"etype": self.facts.edge_types, "ntype": self.facts.node_types}.get(domain)
        types = {"etype": [r[0] for r in self.facts.relations], "ntype": self.facts.type_names}.get(domain)
        is_stacked = types and self.rng.random() < 0.3 and self.case.allows("stacked")
        if count and not is_stacked:
            stored.insert(0, count)
        source = self.rng.choice([name, f"lin{self.weight_count}.weight", f"nn.{self.weight_count}.bias"])
        if is_stacked:  # the file has a tensor for each type
            self.case.tag("stacked")
            source = f"{name}.{{type}}.weight"
        for prefix, type_name in [(p, t) for p in [self.prefix, *self.repeated] for t in (types if is_stacked else [None])]:
            tensor = dense(self.rng, stored, style)
            if len(shape) >= 2 and style == "real":  # keeps the products of the matrix about as large as its operands
                scale = max(shape[-2], 1) ** 0.5
                tensor.data = dense_scaled(tensor.data, scale)
            stored_name = source.replace("{type}", type_name or "")
            full_name = f"{prefix}.{stored_name}" if prefix else stored_name
            self.case.weights[full_name] = tensor
            self.case.stacked |= {full_name} if is_stacked else set()
        text = f"weight {name} : {self.type_text(shape, domain)}"
        if source != name:
            text += f' from "{source}"'
        self.declarations.append(text + (" transposed;" if transposed else ";"))
        return name

    def typed_weight(self, shape, domain):
        """A weight per type, or a value that was computed from such weights."""
        have = [v.text for v in self.values[domain] if v.shape == tuple(shape)]
        return self.rng.choice(have) if have and self.rng.random() < 0.7 else self.weight(shape, domain=domain)

    # what an expression may mention

    def leaves(self, domain, inside):
        """Leafs of a domain ("node", "plain", "pergraph" or an edge set's graph), or of a place in a loop."""
        if inside is None:
            return self.edge_values[domain] if domain in self.edge_values else self.values[domain]
        if inside.kind == "node":
            return self._node_leaves(inside.own, inside) + inside.locals
        ends = [f"{inside.own}.src", f"{inside.own}.dst"]
        if inside.outer:
            ends[1 if inside.outer_end == "dst" else 0] = inside.outer if self.rng.random() < 0.7 else ends[
                1 if inside.outer_end == "dst" else 0]
        own = [Leaf(f"{inside.own}.{f}", s) for f, s in self.fields.setdefault(inside.graph, {}).items()
               if f not in inside.banned]
        own += [Leaf(f"{inside.own}.{v.text}", v.shape) for v in self.edge_values.get(inside.graph, [])]
        if own and inside.graph == "g" and not self.graph_is_derived and self.case.allows("opposite") and self.rng.random() < 0.2:
            self.case.tag("opposite")
            leaf = self.rng.choice(own)
            own.append(Leaf(leaf.text.replace(".", ".reverse.", 1), leaf.shape))
        if inside.graph == "g" and not self.graph_is_derived and self.case.allows("typed") and self.rng.random() < 0.1:
            self.case.tag("typed")
            end = self.rng.choice(["dst.in", "dst.in", "src.out"])
            own.append(Leaf(f"{inside.own}.{end}_degree[{inside.own}.type]", ()))
        return own * 3 + [leaf for end in ends for leaf in self._node_leaves(end, inside)] + inside.locals

    def _node_leaves(self, base, inside):
        out = [Leaf(f"{base}.{f}", s) for f, s in self.fields["node"].items() if f not in inside.banned]
        out += [Leaf(f"{base}.{v.text}", v.shape) for v in self.values["node"] if v.text not in self.fields["node"]]
        if self.rng.random() < 0.5:
            out += [Leaf(f"{v.text}[{base}.graph]", v.shape) for v in self.values["pergraph"]]
        if self.rng.random() < 0.3:
            out.append(Leaf(f"{base}.{self.rng.choice(['in_degree', 'out_degree'])}", ()))
        return out


def dense_scaled(data, scale):
    return [round_f32(v / scale * 1.5) for v in data]
