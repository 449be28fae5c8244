"""Functions of PyTorch that change shapes, on symbolic values: entries of gnnc_ops.FUNCTIONS."""
import math

import gnnc_ops
from gnnc_ops import Count, FUNCTIONS, Refused, axis_of, describe, entry, full_shape, list_of, rows, same_rows, shown
from gnnc_trace import is_value


@entry("view", "reshape")
def view(p, x, *sizes):
    sizes = tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    if rows(x) and x.lead and math.prod(x.dims[:x.lead]) == 1:
        x = p.reshape(x, x.dims[x.lead:], 0)
    if rows(x) and x.lead:
        raise Refused(f"view of {shown(x)}, whose rows are not first")
    if rows(x):
        known = math.prod(s for s in sizes[1:] if isinstance(s, int) and s > 0)
        own = math.prod(x.dims)
        if not sizes or not (sizes[0] == -1 and -1 not in sizes[1:] and known == own or isinstance(sizes[0], Count)):
            raise Refused(f"view({', '.join('rows' if isinstance(s, Count) else str(s) for s in sizes)}) of {describe(x)}: rows and columns "
                          "change places")
        sizes = sizes[1:]
    if any(isinstance(s, Count) for s in sizes):
        raise Refused("view with a number of rows among the columns")
    known = math.prod(s for s in sizes if s != -1)
    return p.reshape(x, tuple(math.prod(x.dims) // known if s == -1 else s for s in sizes))


@entry("flatten")
def flatten(p, x, start_dim=0, end_dim=-1):
    if (axis_of(x, start_dim) or 0) != 0 or (rows(x) and start_dim == 0) or axis_of(x, end_dim) != len(x.dims) - 1:
        raise Refused("flatten of rows, or of some dimensions")
    return p.reshape(x, (math.prod(x.dims),))


@entry("unsqueeze")
def unsqueeze(p, x, dim):
    dim = dim + len(full_shape(x)) + 1 if dim < 0 else dim
    before = rows(x) and dim <= x.lead
    axis = dim if before or not rows(x) else dim - 1
    return p.reshape(x, x.dims[:axis] + (1,) + x.dims[axis:], x.lead + 1 if before else x.lead)


@entry("squeeze")
def squeeze(p, x, dim=None):
    axes = [k for k, s in enumerate(x.dims) if s == 1] if dim is None else [axis_of(x, dim)]
    for axis in reversed(axes):
        if axis is not None and x.dims[axis] == 1:
            x = p.reshape(x, x.dims[:axis] + x.dims[axis + 1:], x.lead - 1 if axis < x.lead else x.lead)
    return x


@entry("transpose", "swapaxes")
def transpose(p, x, a, b):
    rank = len(full_shape(x))
    order = list(range(rank))
    order[a % rank], order[b % rank] = order[b % rank], order[a % rank]
    return permute(p, x, order)


@entry("t")
def t(p, x):
    return transpose(p, x, 0, 1)


@entry("permute")
def permute(p, x, *dims):
    dims = dims[0] if isinstance(dims[0], (tuple, list)) else dims
    axes = [axis_of(x, d) for d in dims]
    lead = axes.index(None) if rows(x) else 0
    x = permute_row(p, x, [a for a in axes if a is not None])
    return p.reshape(x, x.dims, lead)


def permute_row(p, x, order):
    """The dimensions of a row in another order."""
    order = list(order)
    if order != list(range(len(order))):
        shape = [x.dims[k] for k in order]
        last = len(order) - 1
        if order[:-2] == list(range(last - 1)) and order[-2:] == [last, last - 1]:
            x = p.call("transpose", [x], x, shape)
        else:
            x = p.call("permute", [x, list_of(p, order, x)], x, shape)
    return x


@entry("expand")
def expand(p, x, *sizes):
    sizes = list(sizes[0] if isinstance(sizes[0], (tuple, list)) else sizes)
    own = full_shape(x)
    sizes = [o if s == -1 else s for s, o in zip(sizes, (1,) * (len(sizes) - len(own)) + own)]
    if rows(x):
        del sizes[next(k for k, s in enumerate(sizes) if isinstance(s, Count))]
    elif any(isinstance(s, Count) for s in sizes):
        raise Refused("a tensor is repeated for all rows")
    shape = tuple(sizes)
    return x if shape == x.dims else p.call("expand", [x, list_of(p, shape, x)], x, shape)


@entry("repeat")
def repeat(p, x, *times):
    times = list(times[0] if isinstance(times[0], (tuple, list)) else times)
    own = full_shape(x)
    if len(times) != len(own) or any(n != 1 and isinstance(s, Count) for n, s in zip(times, own)):
        raise Refused("rows are repeated")
    for axis, n in enumerate(n for n, s in zip(times, own) if not isinstance(s, Count)):
        x = repeated(p, x, axis, n)
    return x


def repeated(p, x, axis, n):
    shape = x.dims[:axis] + (n * x.dims[axis],) + x.dims[axis + 1:]
    if n == 1:
        return x
    return p.call("expand", [x, list_of(p, shape, x)], x, shape) if x.dims[axis] == 1 else p.call("concat", [x] * n, x, shape, axis=axis)


FUNCTIONS["expand_as"] = lambda p, x, other: expand(p, x, *full_shape(other))
FUNCTIONS["view_as"] = FUNCTIONS["reshape_as"] = lambda p, x, other: p.reshape(x, other.dims)


@entry("cat", "concat", "concatenate")
def cat(p, tensors, dim=0, **kwargs):
    tensors = [v if is_value(v) else p.constant(v) for v in tensors]
    like = tensors[0]
    for other in tensors[1:]:
        like = same_rows(like, other)
    axis = axis_of(like, kwargs.get("axis", dim))
    if axis is None:
        raise Refused("rows are put below each other")
    shape = list(like.dims)
    shape[axis] = sum(v.dims[axis] for v in tensors)
    options = {} if axis == len(shape) - 1 else {"axis": axis}
    return tensors[0] if len(tensors) == 1 else p.call("concat", tensors, like, shape, **options)


@entry("stack")
def stack(p, tensors, dim=0):
    return cat(p, [unsqueeze(p, v, dim) for v in tensors], dim)


@entry("chunk")
def chunk(p, x, chunks, dim=0):
    axis = axis_of(x, dim)
    if axis is None:
        raise Refused("rows are split")
    size = -(-x.dims[axis] // chunks)
    return split(p, x, size, dim)


@entry("split")
def split(p, x, size, dim=0):
    axis = axis_of(x, dim)
    if axis is None:
        raise Refused("rows are split")
    total, out, at = x.dims[axis], [], 0
    for s in ([size] * -(-total // size) if isinstance(size, int) else size):
        out.append(piece(p, x, axis, at, min(at + s, total)))
        at += s
    return tuple(out)


def piece(p, x, axis, begin, end):
    """Columns begin .. end of one dimension."""
    if (begin, end) == (0, x.dims[axis]):
        return x
    return p.make("slice", [x, ", ".join([".."] * axis + [f"{begin}..{end}"])], x, x.dims[:axis] + (end - begin,) + x.dims[axis + 1:])


@entry("embedding")
def embedding(p, z, weight, *args, **kwargs):
    if not z.dims and weight.domain == "plain":
        return p.looked_up(z, weight)
    hot = p.one_hot(z, weight.dims[0])                   # several integers per row
    return p.binary("@", hot, weight, hot, hot.dims[:-1] + weight.dims[1:])


@entry("one_hot")
def one_hot(p, z, num_classes=-1):
    if num_classes < 0:
        raise Refused("one_hot without the number of classes")
    return p.one_hot(z, num_classes)


@entry("cross")
def cross(p, a, b, dim=None):
    """The product of two vectors in space."""
    if a.dims != (3,) or b.dims != (3,) or axis_of(a, -1 if dim is None else dim) != 0:
        raise Refused(f"the cross product of {describe(a)} and {describe(b)}; rows of three numbers would do")

    def at(v, k):
        return p.make("slice", [v, str(k)], v, ())
    parts = [gnnc_ops.subtract(p, gnnc_ops.multiply(p, at(a, i), at(b, j)), gnnc_ops.multiply(p, at(a, j), at(b, i))) for i, j in ((1, 2), (2, 0), (0, 1))]
    return cat(p, [p.reshape(v, (1,)) for v in parts], -1)


@entry("index_select")
def index_select(p, x, dim, index):
    if axis_of(x, dim) not in (None, 0):
        raise Refused("columns are selected by a tensor")
    return p.index(x, index)


@entry("getitem")
def getitem(p, x, key):
    return p.index(x, key)


FUNCTIONS["select"] = lambda p, x, dim, index: p.index(x, (slice(None),) * (dim % (len(x.dims) + rows(x))) + (index,))
