"""Which nodes the rows of a value belong to: all of them, or those that a pooling keeps.

What TopKPooling returns is marked with its m, which is 1 at the nodes that stay. What is computed of it has this mark, too. Reductions per
graph leave out the other nodes; what would read their rows is refused.
"""
from gnnc_ops import Refused
from gnnc_trace import DECLARED, Value, is_value, resolved

EVERY = "every"        # the mark of values that have rows of all nodes
TOP_K = "top_k"        # it chooses among the nodes of its scores, for all graphs of g
POOLS = {"sum": "global_add_pool", "mean": "global_mean_pool", "max": "global_max_pool"}   # layers that can leave out nodes
ORDERED = {"prod": "mul_aggregation", "median": "median_aggregation"}


def marks(v):
    """The marks of what v is computed from: values m of poolings, or EVERY."""
    found, seen, todo = set(), set(), [v]
    while todo:
        v = resolved(todo.pop())
        if id(v) in seen:
            continue
        seen.add(id(v))
        if v.among is not None:
            found.add(v.among)
            continue
        if v.op == "graph":
            found.add(EVERY)
        if v.domain == "edges":
            todo += [a for a in v.args if is_value(a) and a.domain == "edges"]
            continue
        if v.domain not in ("node", "edge"):
            continue
        if v.op in DECLARED:
            found |= {EVERY} if v.op == "input" else set()
            continue
        parts = [a[1] if isinstance(a, tuple) else a for a in v.args]
        todo += [a for a in parts if is_value(a) and not (a.op == "graph" and v.args[0] == TOP_K)]
        if v.edges is not None and (v.domain == "edge" or v.op in ("reduce", "degree")):
            todo.append(v.edges)
    return found


def among(v):
    """The value m of the pooling whose nodes v has; None where it has all nodes."""
    found = marks(v)
    pooled = [m for m in found if m is not EVERY]
    if len(pooled) > 1 or pooled and EVERY in found:
        raise Refused("values of the nodes that a pooling keeps and of other nodes are combined")
    return pooled[0] if pooled else None


def per_graph(t, reduce, x, key=None):
    """The reduction of node values over each graph, of those that stay."""
    stays = among(x)
    if key is not None and key.among is not stays:
        raise Refused(f"values are reduced over the batch of {'all nodes' if key.among is None else 'the nodes that a pooling keeps'}, "
                      f"and have rows of {'all' if stays is None else 'those that a pooling keeps'}")
    if stays is None and reduce in ORDERED:
        return t.layer(ORDERED[reduce], [t.graph, x], None, "graph", x.dims)
    if stays is None:
        return Value(t, "call", ["global_" + reduce, t.graph, x], "graph", x.dims)
    if reduce not in POOLS:
        raise Refused(f"the reduction '{reduce}' of the nodes that a pooling keeps; {', '.join(POOLS)} would do")
    return t.layer(POOLS[reduce], [t.graph, x, stays], None, "graph", x.dims)


def kept(t, x, perm):
    """x at the nodes that a pooling keeps, which are numbered among those that come to it."""
    stays, before = perm.among, perm.args[1]
    if among(x) is not before:
        raise Refused(f"rows of {'all nodes' if among(x) is None else 'the nodes that a pooling keeps'} are selected by numbers of "
                      f"{'all nodes' if before is None else 'those that an earlier pooling keeps'}")
    made = t.call("select", [stays, x, 0], x)
    made.among = stays
    return made


def marked(v, stays):
    """v as a value of the nodes that a pooling keeps, or of all nodes, whatever it is computed from."""
    v.among = EVERY if stays is None else stays
    return v


def restored(t, x, perm, value):
    """x[perm] = value: the values of the nodes that a pooling keeps among those that came to it."""
    stays, before = perm.among, perm.args[1]
    if marks(x) and among(x) is not before or is_value(value) and marks(value) and among(value) is not stays:
        raise Refused("rows of other nodes are assigned than those that the pooling of this perm was given")
    value, like, shape = (value, x, x.dims) if not is_value(value) else (value, value, value.dims)
    if tuple(shape) != tuple(x.dims):
        raise Refused(f"rows of shape {list(shape)} are assigned to rows of shape {list(x.dims)}")
    is_zero = resolved(x).op == "call" and resolved(x).args[0] == "zeros"
    return marked(t.call("select", [stays, value, 0 if is_zero else x], like), before)


def check_every(x, what):
    """Refuses what reads the rows of all nodes of a graph, for values of some."""
    if is_value(x) and x.domain == "node" and among(x) is not None:
        raise Refused(f"{what} of the nodes that a pooling keeps: it would read those that the pooling leaves out")
