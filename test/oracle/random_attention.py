"""Chains of values of edges, as in attention: logits from both ends, maxima to subtract, sums to divide by, weighted
sums of rows. Several statements read some of the values, and some are outputs."""
import math
from dataclasses import dataclass, field

from random_programs import production, take_field
from random_expressions import expression
from random_scope import SIZES, Scope


@dataclass
class Chain:
    """The state that the statements of one chain share. `way` names the edges of a node, `own` and `other` the ends that these edges have."""
    scope: Scope
    graph: str
    way: str
    own: str
    other: str
    rows: str  # a field of nodes with a row per head
    nodes: list = field(default_factory=list)   # fields with a number per head
    edges: list = field(default_factory=list)

    def over_edges(self, text):
        """Emits a new value of edges."""
        name = self.scope.case.fresh("a")
        self.scope.emit(f"for e in {self.graph}.edges {{ e.{name} = {text}; }}")
        self.edges.append(name)

    def over_nodes(self, stem, text):
        """Emits a new field of nodes."""
        name = self.scope.case.fresh(stem)
        self.scope.emit(f"for n in {self.graph}.nodes {{ n.{name} = {text}; }}")
        return name

    def leaf(self):
        """A number per head, of this edge (one of its two newest values) or of one of its ends."""
        rng = self.scope.rng
        if self.edges and rng.random() < 0.6:
            return f"e.{rng.choice(self.edges[-2:])}"
        return f"e.{rng.choice(['src', 'dst'])}.{rng.choice(self.nodes)}"

    def reduced(self, kind, text):
        return f"{kind}(e in n.{self.way}: {text})"


def combine(chain):
    """A new value from two others, sometimes with a function."""
    rng, a, b = chain.scope.rng, chain.leaf(), chain.leaf()
    operator = rng.choice(["+", "+", "-", "*", "/", "max", "min"])
    text = f"{operator}({a}, {b})" if operator in ("max", "min") else f"{a} / (abs({b}) + 1)" if operator == "/" else f"{a} {operator} {b}"
    function = rng.choice(["{}", "{}", "tanh({})", "relu({})", "leaky_relu({}, 0.2)", "exp(tanh({}))"])
    chain.over_edges(function.format(text))


def reduce_value(chain):
    """A new field of nodes that later values may read."""
    kind = chain.scope.rng.choice(["max", "sum", "mean", "min"])
    chain.nodes.append(chain.over_nodes("m", chain.reduced(kind, f"e.{chain.edges[-1]}")))


def normalise(chain):
    """Emits a softmax; it divides at the edges, or leaves the division to the sum that follows."""
    logits = chain.edges[-1]
    largest = chain.over_nodes("m", chain.reduced("max", f"e.{logits}"))
    chain.over_edges(f"exp(e.{logits} - e.{chain.own}.{largest})")
    total = chain.over_nodes("t", chain.reduced("sum", f"e.{chain.edges[-1]}"))
    if chain.scope.rng.random() < 0.5:
        chain.over_edges(f"e.{chain.edges[-1]} / e.{chain.own}.{total}")
    else:
        weigh(chain, f"(e.{chain.edges[-1]} / e.{chain.own}.{total})")


def weigh(chain, weight=None):
    """Sums up weighted rows of the other end."""
    rng, scope = chain.scope.rng, chain.scope
    kind = rng.choice(["sum", "sum", "sum", "mean", "max"])
    text = chain.reduced(kind, f"{weight or 'e.' + rng.choice(chain.edges[-2:])} * e.{chain.other}.{chain.rows}")
    name = chain.over_nodes("y", text)
    shape = scope.fields["node"][chain.rows]
    if rng.random() < 0.3:  # a bias behind the sum, whose heads lie side by side
        scope.case.tag("heads_bias")
        count = math.prod(shape)
        name = chain.over_nodes("y", f"reshape(n.{name}, [{scope.dim(count)}]) + {scope.weight((count,))}")
        shape = (count,)
    scope.fields["node"][name] = shape
    take_field(scope, "n", name, shape)


@production(2)
def edge_chain(scope):
    scope.case.tag("edge_chain")
    rng, graph = scope.rng, scope.rng.choice(scope.graphs)
    heads, width = rng.choice([1, 1, 2, 3, 8]), rng.choice(SIZES)
    per_head = () if heads == 1 and rng.random() < 0.6 else (heads,)
    shape = (*per_head, width)
    is_out = rng.random() < 0.2 and scope.case.allows("outgoing")
    way, own, other = ("outgoing", "src", "dst") if is_out else ("incoming", "dst", "src")
    rows = expression(scope, "node", (heads * width,), 1)
    z = scope.case.fresh("z")
    scope.emit(f"let {z} = tanh(reshape({rows}, [{', '.join(scope.dim(s) for s in shape)}]));")
    chain = Chain(scope, graph, way, own, other, "")
    chain.rows = chain.over_nodes("r", f"n.{z}")
    scope.fields["node"][chain.rows] = shape
    chain.nodes = [chain.over_nodes("s", f"dot(n.{z}, {scope.weight(shape)})") for _ in range(rng.randint(2, 3))]
    combine(chain)
    for _ in range(rng.randint(1, 4)):
        rng.choice([combine, combine, reduce_value, normalise, weigh])(chain)
    weigh(chain)
    if rng.random() < 0.3:
        name = rng.choice(chain.edges)
        scope.fields.setdefault(graph, {})[name] = per_head
        take_field(scope, "e", name, per_head, graph)
