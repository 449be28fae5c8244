"""Random well-typed expressions: expression(scope, domain, shape, depth, inside) is text of that shape.

Numerically unstable operations have guarded operands: exp takes a bounded number, a divisor stays away from zero.
Discontinuities may occur; the interpreter's bounds are infinite where rounding could decide them.
"""
import math

from random_scope import SIZES

LONGEST = 1500  # most numbers of a row; the C target refuses products over much longer rows


class Writer:
    """Writes expressions for one place, at the top level of a domain or inside a loop."""

    def __init__(self, scope, domain, inside=None):
        self.scope, self.rng, self.case = scope, scope.rng, scope.case
        self.domain, self.inside = domain, inside

    def leaf(self, shape):
        """A value of the domain, brought to the shape."""
        leaves = self.scope.leaves(self.domain, self.inside)
        exact = [v for v in leaves if v.shape == shape]
        if exact and self.rng.random() < 0.9:
            return self.rng.choice(exact[-6:]).text
        return self.bring(self.rng.choice(leaves[-8:]), shape)

    def bring(self, leaf, shape):
        volume = 1
        for s in shape:
            volume *= s
        text, have = leaf.text, leaf.shape
        if have == shape:
            return text
        if not have:
            return f"{text} * {self.scope.weight(shape)}"
        if len(have) > 1:
            total = 1
            for s in have:
                total *= s
            text, have = f"reshape({text}, [{self.scope.dim(total)}])", (total,)
        if not shape:
            return f"dot({text}, {self.scope.weight(have)})" if self.rng.random() < 0.6 else f"mean({text})"
        if (volume,) != have:
            text = f"({text} @ {self.scope.weight((have[0], volume))})"
        if len(shape) == 1:
            return text
        return f"reshape({text}, [{', '.join(self.scope.dim(s) for s in shape)}])"

    def plain(self, shape):
        """A weight or a number that aligns with the leading dimensions."""
        if self.scope.symbols and self.rng.random() < 0.1:  # a dimension is a number, too
            self.case.tag("dim_as_number")
            return f"({self.rng.choice(sorted(self.scope.symbols.values()))} * 0.25)"
        if not shape or self.rng.random() < 0.4:
            return self.rng.choice(["0.5", "2", "0.25", "1.5", "-0.75", "0.3", "1e-1"])
        return self.scope.weight(self.prefix_of(shape))

    def prefix_of(self, shape):
        return shape if self.rng.random() < 0.6 else shape[:self.rng.randint(0, len(shape))]

    def other(self, shape, depth):
        """A second operand: anything that aligns."""
        return self.plain(shape) if self.rng.random() < 0.35 else self.write(self.prefix_of(shape), depth - 1)

    def write(self, shape, depth):
        """An expression of the shape, whose first leaf is of the domain."""
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(shape)
        forms = [self.arithmetic] * 5 + [self.unary] * 5 + [self.quotient, self.choice, self.extreme, self.contraction,
                                                            self.exponential, self.picked]
        if self.inside is not None:
            forms += [self.typed] * 2
        if shape:
            forms += [self.linear] * 5 + [self.joined, self.softmax, self.normal, self.retyped, self.sliced, self.stacked, self.expanded]
        if len(shape) >= 2:
            forms += [self.outer, self.transposed, self.batched, self.permuted]
        return self.rng.choice(forms)(shape, depth)

    # forms

    def arithmetic(self, shape, depth):
        left, right = self.write(shape, depth - 1), self.other(shape, depth)
        if self.rng.random() < 0.3:
            left, right = right, left
        return f"({left} {self.rng.choice('+++-**')} {right})"

    def unary(self, shape, depth):
        if self.case.allows("functions") and self.rng.random() < 0.3:
            return self.function(shape, depth)
        x = self.write(shape, depth - 1)
        form = self.rng.choice(["relu({})", "relu({})", "leaky_relu({}, 0.2)", "leaky_relu({})", "elu({})",
                                "elu({}, 0.5)", "sigmoid({})", "swish({})", "silu({})", "gelu({})", "tanh({})", "abs({})", "-{}",
                                "sqrt(abs({}) + 0.5)", "log(abs({}) + 1)", "rsqrt(abs({}) + 1)", "dropout({})", "reciprocal(abs({}) + 1)",
                                "leaky_relu({}, slope = 0.1)", "prelu"])
        if form == "prelu":
            return f"prelu({x}, {self.plain(shape)})"
        self.case.tag(form.split("(")[0])
        if form == "-{}":
            return f"(-({x}))"
        return form.format(x)

    def function(self, shape, depth):
        """Functions that not every machine has. They are few, because a value behind a jump is seldom compared."""
        form = self.rng.choice(["softplus({})"] * 3 + ["erf({})"] * 3 + ["sin({})"] * 3 + ["cos({})"] * 3 + ["clamp({}, -0.5, 0.75)"] * 2 +
                               ["clamp({})", "clamp({}, high = 2)", "expm1(tanh({}))", "expm1({} * 0.125)", "log1p(abs({}))", "log1p({} * {})",
                                "sign({})", "floor({})", "round({} * 4)", "atan2", "atan2", "pow", "pow"])
        self.case.tag("functions")
        self.case.tag(form.split("(")[0])
        if form == "atan2":
            return f"atan2({self.write(shape, depth - 1)}, {self.other(shape, depth)})"
        if form == "pow":
            base = self.rng.choice(["abs({}) + 0.5", "softplus({})", "1.5 + sin({})"]).format(self.write(shape, depth - 1))
            return f"pow({base}, {self.rng.choice(['2', '-1', '0.5', '3', f'tanh({self.other(shape, depth)})'])})"
        return form.replace("{}", self.write(shape, depth - 1))

    def exponential(self, shape, depth):
        return f"exp(tanh({self.write(shape, depth - 1)}))"

    def quotient(self, shape, depth):
        return f"({self.write(shape, depth - 1)} / (1 + abs({self.other(shape, depth)})))"

    def choice(self, shape, depth):
        self.case.tag("select")
        if self.inside is not None and self.rng.random() < 0.4:  # degrees are integers: their comparisons are exact
            node = self.inside.own if self.inside.kind == "node" else f"{self.inside.own}.{self.rng.choice(['src', 'dst'])}"
            test = f"{node}.{self.rng.choice(['in', 'out'])}_degree {self.rng.choice(['<', '<=', '>', '==', '!='])} "
            return f"select({test}{self.rng.randint(0, 3)}, {self.write(shape, depth - 1)}, {self.other(shape, depth)})"
        test = f"{self.write(self.prefix_of(shape), depth - 1)} {self.rng.choice(['<', '<=', '>', '>='])} "
        test += self.rng.choice(["0.1", "-0.2", self.plain(())])
        return f"select({test}, {self.write(shape, depth - 1)}, {self.other(shape, depth)})"

    def extreme(self, shape, depth):
        self.case.tag("maximum")
        return f"{self.rng.choice(['max', 'min'])}({self.write(shape, depth - 1)}, {self.other(shape, depth)})"

    def contraction(self, shape, depth):
        """Reduces an expression with one more dimension."""
        longer = (*shape, self.rng.choice(SIZES))
        if len(longer) > 3 or math.prod(longer) > LONGEST:
            return self.leaf(shape)
        if self.rng.random() < 0.5:
            self.case.tag("dot")
            other = self.scope.weight(longer[-1:] if self.rng.random() < 0.5 else longer)
            return f"dot({self.write(longer, depth - 1)}, {other})"
        name = self.rng.choice(["sum", "mean", "max", "min"])
        self.case.tag(f"reduce_{name}")
        return f"{name}({self.write(longer, depth - 1)})"

    def linear(self, shape, depth):
        inner = (*shape[:-1], self.rng.choice(SIZES))
        self.case.tag("linear")
        product = f"{self.write(inner, depth - 1)} @ {self.scope.weight((inner[-1], shape[-1]))}"
        if self.rng.random() < 0.4 and len(shape) == 1:
            product += f" + {self.scope.weight(shape)}"
        return f"({product})"

    def batched(self, shape, depth):
        """[H, K] @ [H, K, N]."""
        if len(shape) != 2:
            return self.leaf(shape)
        inner = (shape[0], self.rng.choice(SIZES))
        self.case.tag("batched_linear")
        return f"({self.write(inner, depth - 1)} @ {self.scope.weight((*inner, shape[1]))})"

    def joined(self, shape, depth):
        if shape[-1] < 2:
            return self.leaf(shape)
        self.case.tag("concat")
        if len(shape) > 1 and shape[0] > 1 and self.rng.random() < 0.3:
            parts = [self.write((n, *shape[1:]), depth - 1) for n in (1, shape[0] - 1)]
            return f"concat({', '.join(parts)}, axis = 0)"
        cut = self.rng.randint(1, shape[-1] - 1)
        parts = [self.write((*shape[:-1], n), depth - 1) for n in (cut, shape[-1] - cut)]
        text = ", ".join(parts)
        return f"concat([{text}])" if self.rng.random() < 0.4 else f"concat({text})"

    def softmax(self, shape, depth):
        name = self.rng.choice(["softmax", "softmax", "log_softmax"])
        self.case.tag(name)
        if len(shape) > 1 and self.rng.random() < 0.3:
            return f"{name}({self.write(shape, depth - 1)}, axis = {self.rng.randrange(len(shape))})"
        return f"{name}({self.write(shape, depth - 1)})"

    def normal(self, shape, depth):
        if len(shape) != 1:
            return self.leaf(shape)
        if self.rng.random() < 0.4:
            self.case.tag("row_normalize")
            return f"row_normalize(abs({self.write(shape, depth - 1)}) + 0.1)"
        self.case.tag("batch_norm")
        mean, variance, gamma, beta = (self.scope.weight(shape, s) for s in ("real", "positive", "positive", "real"))
        return f"normalize({self.write(shape, depth - 1)}, {mean}, {variance}, {gamma}, {beta}, 1e-5)"

    def retyped(self, shape, depth):
        """The same elements through another shape."""
        volume = 1
        for s in shape:
            volume *= s
        shapes = [s for s in [(volume,)] + [(a, volume // a) for a in SIZES if volume % a == 0] if s != shape]
        if not shapes:
            return self.leaf(shape)
        self.case.tag("reshape")
        dims = ", ".join(self.scope.dim(s) for s in shape)
        return f"reshape({self.write(self.rng.choice(shapes), depth - 1)}, [{dims}])"

    def outer(self, shape, depth):
        if len(shape) != 2:
            return self.leaf(shape)
        self.case.tag("outer")
        return f"outer({self.write(shape[:1], depth - 1)}, {self.write(shape[1:], depth - 1)})"

    def transposed(self, shape, depth):
        self.case.tag("transpose")
        swapped = (*shape[:-2], shape[-1], shape[-2])
        return f"transpose({self.write(swapped, depth - 1)})"

    def longer(self, shape):
        """The shape with one more leading dimension; None where that is too long."""
        longer = (self.rng.choice(SIZES[:4]), *shape)
        return longer if len(longer) <= 3 and math.prod(longer) <= LONGEST else None

    def picked(self, shape, depth):
        """An element of a first dimension, or the dimension reduced."""
        longer = self.longer(shape)
        if longer is None:
            return self.leaf(shape)
        if self.rng.random() < 0.5:
            self.case.tag("index")
            index = self.rng.randrange(longer[0])
            return f"({self.write(longer, depth - 1)})[{self.rng.choice([index, index - longer[0]])}]"
        self.case.tag("axis")
        name = self.rng.choice(["sum", "mean", "max", "min"])
        return f"{name}({self.write(longer, depth - 1)}, axis = {self.rng.choice([0, -len(longer)])})"

    def sliced(self, shape, depth):
        axis = self.rng.randrange(len(shape))
        begin, more = self.rng.randint(0, 2), self.rng.randint(0, 2)
        longer = (*shape[:axis], begin + shape[axis] + more, *shape[axis + 1:])
        if math.prod(longer) > LONGEST:
            return self.leaf(shape)
        self.case.tag("slice")
        first = self.rng.choice([str(begin), ""] if not begin else [str(begin)])
        last = self.rng.choice([str(begin + shape[axis])] + ([f"-{more}"] if more else [""]))
        return f"({self.write(longer, depth - 1)})[{'.., ' * axis}{first}..{last}]"

    def stacked(self, shape, depth):
        if shape[0] > 3:
            return self.leaf(shape)
        self.case.tag("stack")
        items = [self.write(shape[1:], depth - 1)] + [self.other_item(shape[1:], depth) for _ in range(shape[0] - 1)]
        return f"[{', '.join(items)}]"

    def other_item(self, shape, depth):
        if self.rng.random() < 0.5:
            return self.write(shape, depth - 1)
        return self.scope.weight(shape) if shape else self.rng.choice(["0", "1", "0.5"])

    def expanded(self, shape, depth):
        """An expression beside a value that is repeated."""
        self.case.tag("expand")
        kept = self.rng.randrange(len(shape) + 1)
        own = tuple(1 if self.rng.random() < 0.3 else n for n in shape[kept:])
        form = self.rng.choice(["expand", "expand", "ones", "iota"])
        sizes = ", ".join(self.scope.dim(n) for n in shape)
        if form == "iota" and len(shape) == 1:
            return f"({self.write(shape, depth - 1)} * iota({self.scope.dim(shape[0])}))"
        if form == "ones":
            return f"({self.write(shape, depth - 1)} - {self.rng.choice(['ones', 'zeros'])}([{sizes}]))"
        return f"({self.write(shape, depth - 1)} + expand({self.scope.weight(own)}, [{sizes}]))"

    def permuted(self, shape, depth):
        self.case.tag("permute")
        order = self.rng.sample(range(len(shape)), len(shape))
        before = [0] * len(shape)
        for at, k in enumerate(order):
            before[k] = shape[at]
        return f"permute({self.write(tuple(before), depth - 1)}, [{', '.join(map(str, order))}])"

    def typed(self, shape, depth):
        """W[e.type] and W[n.type], in loops only, and only where the case allows them."""
        if self.inside is None or not self.case.allows("typed"):
            return self.leaf(shape)
        self.case.tag("typed")
        domain, index = self.type_index()
        form = self.rng.random()
        if shape and form < 0.5:
            inner = (*shape[:-1], self.rng.choice(SIZES))
            batch = shape[:-1] if len(shape) == 2 and self.rng.random() < 0.5 else ()
            matrix = self.scope.typed_weight((*batch, inner[-1], shape[-1]), domain)
            return f"({self.write(inner, depth - 1)} @ {matrix}[{index}])"
        if len(shape) < 2 and form < 0.7:
            longer = (*shape, self.rng.choice(SIZES))
            return f"dot({self.write(longer, depth - 1)}, {self.scope.typed_weight(longer, domain)}[{index}])"
        aligned = self.scope.typed_weight(self.prefix_of(shape), domain)
        return f"({self.write(shape, depth - 1)} {self.rng.choice('*+')} {aligned}[{index}])"

    def type_index(self):
        """(domain, index) of a weight per type here: edges of a graph with new self loops have no types."""
        own, is_edge = self.inside.own, self.inside.kind == "edge"
        if not is_edge:
            return "ntype", f"{own}.type"
        if self.inside.graph != "g" or self.scope.graph_is_derived or self.rng.random() < 0.35:
            return "ntype", f"{own}.{self.rng.choice(['src', 'dst'])}.type"
        return "etype", f"{own}.type"


def expression(scope, domain, shape, depth, inside=None):
    return Writer(scope, domain, inside).write(tuple(shape), depth)


def random_shape(rng):
    return rng.choice([(), (), (rng.choice(SIZES),), (rng.choice(SIZES),), (rng.choice(SIZES),),
                       (rng.choice(SIZES[:4]), rng.choice(SIZES[:5]))])

