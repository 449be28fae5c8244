"""Activations of PyTorch that the language writes with other functions: entries of gnnc_ops.FUNCTIONS, as gnnc_ops has the others."""
from gnnc_ops import FUNCTIONS, Refused, add, axis_of, binary, clamp, divide, elementwise, entry, multiply, over_rows, rows, subtract
from gnnc_shapes import chunk

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805


def call(p, name, x):
    return p.call(name, [x], x)


@entry("selu")
def selu(p, x, inplace=False):
    return multiply(p, elementwise(p, "elu", x, [SELU_ALPHA], {}), SELU_SCALE)


@entry("celu")
def celu(p, x, alpha=1.0, inplace=False):
    return multiply(p, call(p, "elu", divide(p, x, alpha)), alpha) if alpha != 1 else call(p, "elu", x)


@entry("hardsigmoid")
def hardsigmoid(p, x, inplace=False):
    return clamp(p, add(p, divide(p, x, 6), 0.5), 0, 1)


@entry("hardswish")
def hardswish(p, x, inplace=False):
    return multiply(p, x, hardsigmoid(p, x))


@entry("softsign")
def softsign(p, x):
    return divide(p, x, add(p, 1, call(p, "abs", x)))


@entry("tanhshrink")
def tanhshrink(p, x):
    return subtract(p, x, call(p, "tanh", x))


@entry("softshrink")
def softshrink(p, x, lambd=0.5):
    return subtract(p, x, clamp(p, x, -lambd, lambd))


@entry("hardshrink")
def hardshrink(p, x, lambd=0.5):
    return p.call("select", [binary(">")(p, call(p, "abs", x), lambd), x, 0], x)


@entry("threshold")
def threshold(p, x, threshold, value, inplace=False):
    return p.call("select", [binary(">")(p, x, threshold), x, value], x)


@entry("rrelu")
def rrelu(p, x, lower=1 / 8, upper=1 / 3, training=False, inplace=False):
    """In evaluation the slope is the mean of its bounds."""
    if training:
        raise Refused("rrelu draws slopes in evaluation too (training=True)")
    return elementwise(p, "leaky_relu", x, [(lower + upper) / 2], {})


@entry("glu")
def glu(p, x, dim=-1):
    axis = axis_of(x, dim)
    if axis is None or x.dims[axis] % 2:
        raise Refused("glu over the rows, or of an odd number of columns")
    a, b = chunk(p, x, 2, dim)
    return multiply(p, a, call(p, "sigmoid", b))


@entry("batch_norm")
def batch_norm(p, x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    """In evaluation: with the means and variances that training has left, or with those of all nodes where there are none."""
    if rows(x) == 0 or x.lead or len(x.dims) != 1:
        raise Refused("a batch norm of something else than a row of numbers per node or edge")
    if running_mean is None or training:
        running_mean = over_rows(p, "mean", x, False)
        d = subtract(p, x, running_mean)
        running_var = over_rows(p, "mean", multiply(p, d, d), False)
    v = add(p, running_var, eps)
    y = multiply(p, subtract(p, x, running_mean), p.call("rsqrt", [v], v))
    y = multiply(p, y, weight) if weight is not None else y
    return add(p, y, bias) if bias is not None else y


FUNCTIONS["log_sigmoid"] = FUNCTIONS["logsigmoid"]
