"""Functions and methods of PyTorch and PyTorch Geometric on symbolic values: one entry of FUNCTIONS each.

An entry takes the program and the arguments of the call. Names are those of the functions and methods without underscores at their ends, so
that F.relu, torch.relu, x.relu() and x.relu_() are one entry. `Refused` says why something has no counterpart.

PyTorch's shapes include the rows and align from the last dimension; shapes of the language are those of a row and align from the first. The
functions here translate the one into the other.
"""
from gnnc_trace import ROWED, Stop, Value, is_value, resolved


REDUCTIONS = ("sum", "mean", "max", "min", "prod", "median")
INFINITY, LARGEST = float("inf"), 3.4028234663852886e38
REDUCTION_WORDS = {"add": "sum", "mul": "prod"}      # PyTorch Geometric's words -> those of the language


class Refused(Exception):
    """What was asked for cannot be translated; the text says why, and what would do."""


class Pair(tuple):
    """The result of max(dim): values and indices."""
    values = property(lambda self: self[0])
    indices = property(lambda self: self[1])


class Count:
    """A number of rows that is only known when the model runs: x.size(0)."""

    def __init__(self, domain):
        self.domain = domain

    def __eq__(self, other):
        return isinstance(other, Count) and other.domain == self.domain

    def __hash__(self):
        return hash(self.domain)

    def __bool__(self):
        raise Stop("a condition depends on the number of rows")

    __index__ = __int__ = __float__ = __bool__

    def __le__(self, other):
        return self == other or self.__bool__()

    def __lt__(self, other):
        return self != other and self.__bool__()

    __ge__, __gt__ = __le__, __lt__

    def __add__(self, other):
        return Count("some")

    __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = __floordiv__ = __add__


def rows(v):
    return 1 if v.domain in ROWED or v.domain == "index" else 0


def full_shape(v):
    """The shape that PyTorch sees."""
    return v.dims[:v.lead] + (Count(v.domain),) + v.dims[v.lead:] if rows(v) else v.dims


def axis_of(v, dim, extra=0):
    """The axis of a row that PyTorch's `dim` is; None for the rows themselves."""
    rank = len(v.dims) + rows(v) + extra
    dim = dim + rank if dim < 0 else dim
    if not 0 <= dim < rank:
        raise Refused(f"dimension {dim} of a tensor with {rank} dimensions")
    if not rows(v) or dim < v.lead:
        return dim
    return None if dim == v.lead else dim - 1


FUNCTIONS = {}


def entry(*names):
    def keep(function):
        for name in names:
            FUNCTIONS[name] = function
        return function
    return keep


# ---- element by element

# name in PyTorch -> name in the language, and its further parameters: (PyTorch's name, the language's name, default)
ELEMENTWISE = {name: (name, []) for name in
               "relu sigmoid tanh exp log sqrt rsqrt abs sign floor round sin cos erf expm1 log1p reciprocal".split()}
ELEMENTWISE |= {
    "silu": ("swish", []),
    "elu": ("elu", [("alpha", "alpha", 1.0)]),
    "leaky_relu": ("leaky_relu", [("negative_slope", "slope", 0.01)]),
}


def elementwise(p, name, x, args, kwargs):
    own, parameters = ELEMENTWISE[name]
    options = {}
    for k, (theirs, ours, default) in enumerate(parameters):
        value = args[k] if k < len(args) else kwargs.get(theirs, default)
        if value != default:
            options[ours] = value
    return p.call(own, [x], x, **options)


@entry("gelu")
def gelu(p, x, approximate="none"):
    if approximate != "none":
        raise Refused("gelu(approximate='tanh'): the language has the exact one")
    return p.call("gelu", [x], x)


@entry("softplus")
def softplus(p, x, beta=1, threshold=20):
    if beta == 1:
        return p.call("softplus", [x], x)
    return divide(p, p.call("softplus", [multiply(p, x, beta)], x), beta)


@entry("relu6")
def relu6(p, x, inplace=False):
    return clamp(p, x, 0, 6)


@entry("hardtanh")
def hardtanh(p, x, min_val=-1.0, max_val=1.0, inplace=False):
    return clamp(p, x, min_val, max_val)


@entry("logsigmoid")
def logsigmoid(p, x):
    return negate(p, p.call("softplus", [negate(p, x)], x))


@entry("mish")
def mish(p, x, inplace=False):
    return multiply(p, x, p.call("tanh", [p.call("softplus", [x], x)], x))


@entry("prelu")
def prelu(p, x, weight):
    weight = p.reshape(weight, () if weight.dims == (1,) else weight.dims)
    return p.call("prelu", [x, weight], x)


@entry("clamp", "clip", "clamp_min", "clamp_max")
def clamp(p, x, min=None, max=None):
    if min is not None and max is not None:
        return p.call("clamp", [x, min, max], x)
    return p.call("max", [x, min], x) if min is not None else p.call("min", [x, max], x)


@entry("neg")
def negate(p, x):
    return p.make("negate", [x], x)


@entry("square")
def square(p, x):
    return multiply(p, x, x)


@entry("dropout", "feature_dropout", "alpha_dropout")
def dropout(program, x, p=0.5, training=True, inplace=False):
    if program.is_training and not training:
        return x
    if training and not program.is_training:
        program.warn("dropout is active in evaluation too (F.dropout without training=self.training); the exported model drops nothing")
    return program.call("dropout", [x], x, p=p) if p else x


# ---- two operands

@entry("zeros_like")
def zeros_like(p, x, **kwargs):
    return zeros(p, full_shape(x))


def zeros(p, sizes):
    """Zeros for all rows."""
    at = next((k for k, s in enumerate(sizes) if isinstance(s, Count)), None)
    dims = [s for s in sizes if not isinstance(s, Count)]
    made = Value(p, "call", ["zeros", list_of(p, dims, None)], "plain" if at is None else sizes[at].domain, dims)
    made.lead = at or 0
    return made


def same_rows(a, b):
    """The value of a and b that has rows, or the first; both must have the same rows."""
    both = [v for v in (a, b) if is_value(v)]
    rowed = [v for v in both if rows(v)]
    if len(rowed) == 2 and (rowed[0].domain != rowed[1].domain or set_of(rowed[0]) is not set_of(rowed[1])):
        names = [f"one row per {v.domain}" + (f" of {v.edges.name or 'another edge set'}" if v.domain == "edge" else "") for v in rowed]
        raise Refused(f"values with {names[0]} and with {names[1]} are combined")
    if len(rowed) == 2 and rowed[0].nodes != rowed[1].nodes:
        raise Refused(f"values of the nodes '{rowed[0].nodes}' and '{rowed[1].nodes}' are combined")
    return rowed[0] if rowed else both[0]


def set_of(v):
    """The edge set of edge values."""
    return resolved(v.edges) if v.domain == "edge" else None


def aligned(p, a, b):
    """Both operands in shapes that the language combines, the value whose rows the result has, and its shape."""
    if is_value(a) and is_value(b) and {a.domain, b.domain} == {"node", "graph"} and not p.has_batch:
        a, b = (Value(p, "at", [v, "graph"], "node", v.dims) if v.domain == "graph" else v for v in (a, b))
    like = same_rows(a, b)
    if not (is_value(a) and is_value(b)):
        return a, b, like, like.dims
    rank = max(len(full_shape(v)) for v in (a, b))
    padded = [(1,) * (rank - len(full_shape(v))) + full_shape(v) for v in (a, b)]
    result = []
    for s, t in zip(*padded):
        if s != t and 1 not in (s, t):
            raise Refused(f"shapes {shown(a)} and {shown(b)} are combined")
        result.append(t if s == 1 else s)
    at = next((k for k, s in enumerate(result) if isinstance(s, Count)), None)
    if at is not None:
        padded = [s[:at] + s[at + 1:] for s in padded]
        del result[at]
    result = tuple(result)
    made = [fitted(p, v, shape, result) for v, shape in zip((a, b), padded)]
    if rows(like) and like.lead != at:
        like = p.reshape(like, like.dims, at)
    return made[0], made[1], like, result


def shown(v):
    return "[" + ", ".join("rows" if isinstance(s, Count) else str(s) for s in full_shape(v)) + "]"


def fitted(p, v, shape, result):
    """v so that the language's rule, which aligns leading dimensions, makes `result` of it."""
    if shape == result:
        return p.reshape(v, result)
    kept = shape
    while kept and kept[-1] == 1:
        kept = kept[:-1]
    if kept == result[:len(kept)]:
        return p.reshape(v, kept)
    return p.call("expand", [p.reshape(v, shape), list_of(p, result, v)], v, result)



def list_of(p, items, like):
    return Value(p, "list", list(items), "plain", (len(items),))


def binary(sign):
    def make(p, a, b, alpha=1, rounding_mode=None, out=None):
        if rounding_mode is not None:
            raise Refused("division with rounding")
        if alpha != 1:
            b = multiply(p, b, alpha)
        comparison = sign
        if sign == "==" and isinstance(b, float) and abs(b) == INFINITY:      # beyond all numbers that can be written
            comparison, b = (">", LARGEST) if b > 0 else ("<", -LARGEST)
        a, b, like, shape = aligned(p, a, b)
        return p.binary(comparison, a, b, like, shape)
    return make


add, subtract, multiply, divide = binary("+"), binary("-"), binary("*"), binary("/")
FUNCTIONS |= {"add": add, "sub": subtract, "subtract": subtract, "mul": multiply, "multiply": multiply, "div": divide, "divide": divide,
              "truediv": divide, "true_divide": divide, "radd": add, "rmul": multiply, "iadd": add, "isub": subtract, "imul": multiply,
              "itruediv": divide}
FUNCTIONS |= {"rsub": lambda p, a, b, alpha=1: subtract(p, b, a), "rtruediv": lambda p, a, b: divide(p, b, a),
              "rdiv": lambda p, a, b: divide(p, b, a)}
for _name, _sign in {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}.items():
    FUNCTIONS[_name] = binary(_sign)


@entry("pow")
def power(p, x, exponent):
    if not is_value(exponent) and exponent == 2:
        return multiply(p, x, x)
    a, b, like, shape = aligned(p, x, exponent)
    return p.call("pow", [a, b], like, shape)


@entry("maximum", "minimum")
def extremum(p, a, b, name="max"):
    a, b, like, shape = aligned(p, a, b)
    return p.call(name, [a, b], like, shape)


FUNCTIONS["minimum"] = lambda p, a, b: extremum(p, a, b, "min")


@entry("where")
def where(p, condition, a, b):
    a, b, _, _ = aligned(p, a, b)
    condition, a, like, shape = aligned(p, condition, a)
    return p.call("select", [condition, a, b], like, shape)


@entry("masked_fill")
def masked_fill(p, x, mask, value):
    mask, x, like, shape = aligned(p, mask, x)
    return p.call("select", [mask, value, x], like, shape)


# ---- masks: numbers that are 0 or 1

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def is_mask(v):
    """Whether v is what comparisons are joined to."""
    if not is_value(v):
        return isinstance(v, bool)
    v = resolved(v)
    if v.op == "binary" and v.args[0] in COMPARISONS:
        return True
    if v.op == "binary" and v.args[0] == "*" or v.op == "call" and v.args[0] == "max":
        return all(is_mask(a) for a in v.args[1:])
    if v.op in ("reshape", "slice", "src", "dst", "at") or v.op == "call" and v.args[0] == "expand":
        return is_mask(v.args[v.op == "call"])
    return v.op == "binary" and v.args[0] == "-" and v.args[1] == 1 and is_mask(v.args[2])


def as_mask(p, v, is_logical):
    """v as a mask: of a function logical_*, where v is not 0."""
    if is_mask(v):
        return v
    if not is_logical:
        raise Refused("bits of numbers are joined; masks, (x > 0) & (x < 1), may be")
    return binary("!=")(p, v, 0) if is_value(v) else bool(v)


def joined(join, is_logical):
    return lambda p, a, b: join(p, as_mask(p, a, is_logical), as_mask(p, b, is_logical))


def negated(is_logical):
    return lambda p, a: subtract(p, 1, as_mask(p, a, is_logical))


for _name, _join in {"and": multiply, "or": lambda p, a, b: extremum(p, a, b), "xor": lambda p, a, b: binary("!=")(p, a, b)}.items():
    FUNCTIONS |= {_name: joined(_join, False), "r" + _name: joined(_join, False), "bitwise_" + _name: joined(_join, False),
                  "logical_" + _name: joined(_join, True), "i" + _name: joined(_join, False)}
FUNCTIONS |= {"invert": negated(False), "bitwise_not": negated(False), "logical_not": negated(True)}


@entry("setitem")
def set_item(p, x, key, value):
    """x[x == float("inf")] = 0"""
    if is_value(key) and key.domain == "index" and key.args[0] == "perm" and x.domain == "node":
        return p.restored(x, key, value)
    if not (is_value(key) and is_mask(key) and key.domain == x.domain and key.dims == x.dims) or is_value(value) and value.dims:
        raise Refused("values are assigned to rows or columns; under a mask, x[x > 1] = 0, they may be")
    return masked_fill(p, x, key, value)


@entry("kl_div")
def kl_div(p, x, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if reduction != "none":
        raise Refused(f"kl_div with reduction = '{reduction}', over all rows and columns; 'none' would do")
    if log_target:
        return multiply(p, p.call("exp", [target], target), subtract(p, target, x))
    safe = p.call("select", [binary("==")(p, target, 0), 1, target], target)     # 0 log 0 is 0
    return subtract(p, multiply(p, target, p.call("log", [safe], safe)), multiply(p, target, x))


@entry("matmul", "mm", "bmm")
def matmul(p, a, b):
    like, (left, right) = same_rows(a, b), (a.dims, b.dims)
    if rows(a) and a.lead and a.lead == len(left) - 1 and not rows(b) and len(right) == len(left) + 1 and left[-1] == right[-2]:
        batch = tuple(max(s, t) for s, t in zip(left[:-1], right[:-2]))      # [K, rows, F] @ [K, F, G]
        return p.binary("@", fitted(p, a, left, batch + left[-1:]), b, like, batch + right[-1:])
    if rows(a) and a.lead:
        raise Refused(f"the matrix product of {shown(a)} and {shown(b)}")
    if rows(a) and not rows(b) and len(right) == 2 and left and left[-1] == right[0]:
        return p.binary("@", a, b, like, left[:-1] + right[1:])
    if rows(a) == rows(b) and len(left) == len(right) >= 2 and left[-1] == right[-2]:
        return p.binary("@", a, b, like, left[:-1] + right[-1:])
    if rows(a) and not rows(b) and len(right) == 1 and left[-1] == right[0]:
        return p.call("sum", [multiply(p, a, b)], like, left[:-1])
    raise Refused(f"the matrix product of {describe(a)} and {describe(b)}")


@entry("addmm")
def addmm(p, x, a, b, beta=1, alpha=1, out=None):
    y = matmul(p, a, b)
    return add(p, multiply(p, x, beta) if beta != 1 else x, multiply(p, y, alpha) if alpha != 1 else y)


def describe(v):
    return (f"one row of shape {list(v.dims)} per {v.domain}" if rows(v) else f"a tensor of shape {list(v.dims)}") if is_value(v) else str(v)


@entry("linear")
def linear(p, x, weight, bias=None):
    if x.lead != 0 and rows(x) and x.lead == len(x.dims):
        raise Refused("a linear layer over the rows")
    weight = p.transposed(weight)
    if bias is not None:
        return p.call("linear_map", [x, weight, bias], x, x.dims[:-1] + weight.dims[-1:])
    return p.binary("@", x, weight, x, x.dims[:-1] + weight.dims[-1:])


# ---- along a dimension

def along(p, name, x, dim, keepdim=False):
    """A reduction of the language over one dimension of a row."""
    axis = axis_of(x, dim)
    if axis is None:
        return over_rows(p, name, x, keepdim)
    last = len(x.dims) - 1
    shape = x.dims[:axis] + x.dims[axis + 1:]
    if axis == last:
        y = p.call(name, [x], x, shape)
    else:
        y = p.call(name, [x], x, shape, axis=axis)
    return p.reshape(y, x.dims[:axis] + (1,) + x.dims[axis + 1:], x.lead) if keepdim else without(p, y, x, axis)


def without(p, y, x, axis):
    """y, which is x without one axis, with the rows where PyTorch has them."""
    return p.reshape(y, y.dims, x.lead - 1) if axis < x.lead else y


def over_rows(p, name, x, keepdim):
    """A reduction over all nodes: that of the one graph, where the data has no batch."""
    if x.domain != "node":
        raise Refused(f"{name} over all rows of values per {x.domain}")
    if p.has_batch:
        raise Refused(f"{name} over the nodes of all graphs of a batch; global_{name}_pool(x, batch) is that of each graph")
    return pooled(p, "global_" + name, x)


def pooled(p, name, x, batch=None):
    return p.per_graph(name[len("global_"):], x, batch)


def reduction(name):
    def make(p, x, dim=None, keepdim=False, dtype=None, **kwargs):
        dim = kwargs.get("axis", dim)
        if is_value(dim):
            return extremum(p, x, dim, name)
        if dim is None:
            raise Refused(f"{name} over all rows and columns")
        for d in sorted([dim] if isinstance(dim, int) else dim, reverse=True):
            y = along(p, name, x, d, keepdim)
            x = y
        return Pair((y, p.unknown())) if name in ("max", "min") else y
    return make


for _name in ("sum", "mean", "max", "min"):
    FUNCTIONS[_name] = reduction(_name)
FUNCTIONS["amax"], FUNCTIONS["amin"] = (lambda p, x, dim, keepdim=False, _n=n: along(p, _n, x, dim, keepdim) for n in ("max", "min"))


@entry("softmax")
def softmax(p, x, dim=None, *rest, name="softmax", **kwargs):
    axis = axis_of(x, 1 if dim is None else dim)
    if axis is None:
        raise Refused(f"{name} over the rows")
    if axis == len(x.dims) - 1:
        return p.call(name, [x], x)
    return p.call(name, [x], x, axis=axis)


FUNCTIONS["log_softmax"] = lambda p, x, dim=None, *rest, **kwargs: softmax(p, x, dim, name="log_softmax")


@entry("argmax")
def argmax(p, x, dim=None, keepdim=False, out=None):
    return along(p, "argmax", x, -1 if dim is None else dim, keepdim)


@entry("var")
def variance(p, x, dim=None, unbiased=True, keepdim=False, correction=None):
    axis = axis_of(x, dim) if type(dim) is int else None      # var(True) means unbiased, over all elements
    if axis is None:
        raise Refused("a variance over the rows, or over several dimensions")
    d = subtract(p, x, along(p, "mean", x, dim, keepdim=True))
    count = x.dims[axis] - (int(unbiased) if correction is None else correction)
    return divide(p, along(p, "sum", multiply(p, d, d), dim, keepdim), count)


@entry("std")
def deviation(p, x, dim=None, unbiased=True, keepdim=False, correction=None):
    v = variance(p, x, dim, unbiased, keepdim, correction)
    return p.call("sqrt", [v], v)


@entry("logsumexp")
def logsumexp(p, x, dim, keepdim=False):
    if not isinstance(dim, int) or axis_of(x, dim) is None:
        raise Refused("logsumexp over the rows, or over several dimensions")
    most = along(p, "max", x, dim, keepdim=True)
    e = subtract(p, x, most)
    s = along(p, "sum", p.call("exp", [e], e), dim, keepdim=True)
    y = add(p, p.call("log", [s], s), most)
    return y if keepdim else without(p, p.reshape(y, y.dims[:axis_of(x, dim)] + y.dims[axis_of(x, dim) + 1:], y.lead), x, axis_of(x, dim))


@entry("atan2", "arctan2")
def atan2(p, y, x):
    y, x, like, shape = aligned(p, y, x)
    return p.call("atan2", [y, x], like, shape)


@entry("layer_norm")
def layer_norm(p, x, normalized_shape, weight=None, bias=None, eps=1e-5):
    if tuple(normalized_shape) != x.dims[-1:]:
        raise Refused("layer_norm over more than one dimension")
    d = subtract(p, x, along(p, "mean", x, -1, keepdim=True))
    v = add(p, along(p, "mean", multiply(p, d, d), -1, keepdim=True), eps)
    y = multiply(p, d, p.call("rsqrt", [v], v))
    y = multiply(p, y, weight) if weight is not None else y
    return add(p, y, bias) if bias is not None else y


@entry("normalize")
def normalize(program, x, p=2.0, dim=1, eps=1e-12, out=None):
    if p != 2 or axis_of(x, dim) != len(x.dims) - 1:
        raise Refused("normalize other than p=2 over the last dimension")
    return program.call("l2_normalize", [x], x)


@entry("norm")
def norm(program, x, p=2, dim=None, keepdim=False, dtype=None, out=None):
    if p not in (2, 2.0, "fro") or dim is None:
        raise Refused("a norm other than p=2 over a dimension")
    y = along(program, "sum", multiply(program, x, x), dim, keepdim)
    return program.call("sqrt", [y], y)


@entry("clone")
def clone(p, x, memory_format=None):
    """A value of its own, so that a change in place leaves the original as it is."""
    if x.op in ("integers", "weight"):
        return x
    made = p.make("same", [x], x, x.dims)
    made.lead, made.nodes, made.base, made.group, made.among = x.lead, x.nodes, x.base, x.group, x.among
    return made


# what changes nothing here
for _name in "contiguous detach cpu cuda to float type_as double half requires_grad coalesce type".split():
    FUNCTIONS[_name] = lambda p, x, *args, **kwargs: x
