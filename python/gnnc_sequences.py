"""Layers over sequences and sets: recurrent networks whose number of steps is known, and attention between the nodes of a graph and seeds.
They are written with operations of the language, one gate or head product at a time."""
import gnnc_ops
import gnnc_shapes
from gnnc_layers import bound, handler
from gnnc_ops import Refused
from gnnc_trace import is_value


@handler("GRU", "LSTM")
def recurrent(t, m, path, args, kwargs):
    """Recurrent networks over sequences whose length is known: one cell per step."""
    x, state = args[0], args[1] if len(args) > 1 else kwargs.get("hx")
    axis = 0 if x.lead or m.batch_first or not gnnc_ops.rows(x) else None
    if axis is None or m.proj_size or len(x.dims) != 2:
        raise Refused(f"a sequence along the rows of {gnnc_ops.shown(x)}")
    lead, length = x.lead, x.dims[0]
    steps = [t.reshape(x if length == 1 else t.make("slice", [x, str(k)], x, x.dims[1:]), x.dims[1:], 0) for k in range(length)]
    states, is_lstm, finals = state if type(m).__name__ == "LSTM" and state is not None else (state,), type(m).__name__ == "LSTM", []
    for k in range(m.num_layers):
        sides = []
        for d, suffix in enumerate(["", "_reverse"][:1 + m.bidirectional]):
            w = [getattr(m, f"{name}_l{k}{suffix}", None) for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
            h = [None if s is None else t.reshape(piece_of(t, s, k * (1 + m.bidirectional) + d), (m.hidden_size,), 0) for s in states]
            h += [None] * (1 + is_lstm - len(h))
            made = []
            for step in steps[::-1] if d else steps:
                h = (lstm_cell if is_lstm else gru_cell)(t, step, h, *w)
                made.append(h[0])
            sides.append(made[::-1] if d else made)
            finals.append(h)
        steps = [gnnc_shapes.cat(t, list(pair), -1) for pair in zip(*sides)]
    y = gnnc_shapes.cat(t, [t.reshape(s, (1,) + s.dims) for s in steps], 1)
    last = [gnnc_shapes.cat(t, [t.reshape(f[k], (1, m.hidden_size)) for f in finals], 1) for k in range(1 + is_lstm)]
    last = [t.reshape(v, v.dims, 1) for v in last]
    return t.reshape(y, y.dims, lead), tuple(last) if is_lstm else last[0]


def piece_of(t, state, k):
    return state if state.dims[0] == 1 else t.make("slice", [state, str(k)], state, state.dims[1:])


def gates(t, x, h, w_x, w_h, b_x, b_h, count):
    """The parts of x W + b and of h U + c, one per gate."""
    parts = gnnc_shapes.chunk(t, gnnc_ops.linear(t, x, w_x, b_x), count, -1)
    if h is None:
        return parts, gnnc_shapes.chunk(t, b_h, count, -1) if b_h is not None else [None] * count
    return parts, gnnc_shapes.chunk(t, gnnc_ops.linear(t, h, w_h, b_h), count, -1)


def plus(t, a, b):
    return a if b is None else gnnc_ops.add(t, a, b)


def squash(t, name, v):
    return t.call(name, [v], v)


def gru_cell(t, x, state, *weights):
    (r, z, n), (r2, z2, n2) = gates(t, x, state[0], *weights, 3)
    z, r = squash(t, "sigmoid", plus(t, z, z2)), squash(t, "sigmoid", plus(t, r, r2))
    n = squash(t, "tanh", n if n2 is None else gnnc_ops.add(t, n, gnnc_ops.multiply(t, r, n2)))
    rest = gnnc_ops.multiply(t, gnnc_ops.subtract(t, 1, z), n)
    return [rest if state[0] is None else gnnc_ops.add(t, rest, gnnc_ops.multiply(t, z, state[0]))]


def lstm_cell(t, x, state, *weights):
    mine, theirs = gates(t, x, state[0], *weights, 4)
    i, f, g, o = (squash(t, "tanh" if k == 2 else "sigmoid", plus(t, a, b)) for k, (a, b) in enumerate(zip(mine, theirs)))
    c = gnnc_ops.multiply(t, i, g)
    c = c if state[1] is None else gnnc_ops.add(t, gnnc_ops.multiply(t, f, state[1]), c)
    return [gnnc_ops.multiply(t, o, squash(t, "tanh", c)), c]


@handler("GRUCell", "LSTMCell")
def cell(t, m, path, args, kwargs):
    state = args[1] if len(args) > 1 else kwargs.get("hx")
    is_lstm = type(m).__name__ == "LSTMCell"
    state = (list(state) if is_lstm else [state]) if state is not None else [None, None]
    made = (lstm_cell if is_lstm else gru_cell)(t, args[0], state, m.weight_ih, m.weight_hh, m.bias_ih, m.bias_hh)
    return tuple(made) if is_lstm else made[0]


# ---- attention

def projections(t, m):
    """Weights and biases of queries, keys and values, as functions of a value."""
    if m.in_proj_weight is None:
        raise Refused("keys or values of another width than the queries")
    parts = gnnc_shapes.chunk(t, t.transposed(m.in_proj_weight), 3, -1)
    biases = gnnc_shapes.chunk(t, m.in_proj_bias, 3, -1) if m.in_proj_bias is not None else [None] * 3

    def project(x, part, bias):
        y = t.binary("@", x, part, x, x.dims[:-1] + part.dims[-1:])
        return y if bias is None else gnnc_ops.add(t, y, bias)
    return [lambda x, w=w, b=b: project(x, w, b) for w, b in zip(parts, biases)]


def attention(t, m, seeds, x, index):
    """torch.nn.MultiheadAttention of the rows of `seeds` [k, C] to rows of x: the nodes of each graph, or the k rows of x [l, C] per graph."""
    of_q, of_k, of_v = projections(t, m)
    count, width, heads = seeds.dims[0], seeds.dims[1], m.num_heads
    size = width // heads
    scale = size ** -0.5
    q = gnnc_ops.multiply(t, t.reshape(of_q(seeds), (count, heads, size)), scale)
    if x.domain == "node":
        k, v = (t.reshape(f(x), (1, heads, size)) for f in (of_k, of_v))
        a = gnnc_ops.along(t, "sum", gnnc_ops.multiply(t, t.gathered(q, index), k), -1)                        # [k, H] per node
        e = t.call("exp", [gnnc_ops.subtract(t, a, t.gathered(gnnc_ops.pooled(t, "global_max", a), index))], a)
        a = gnnc_ops.divide(t, e, t.gathered(gnnc_ops.pooled(t, "global_sum", e), index))
        y = gnnc_ops.pooled(t, "global_sum", gnnc_ops.multiply(t, t.reshape(a, (count, heads, 1)), v))
    else:
        k, v = (t.reshape(f(x), (x.dims[0], heads, size)) for f in (of_k, of_v))
        q, k, v = gnnc_shapes.permute_row(t, q, (1, 0, 2)), gnnc_shapes.permute_row(t, k, (1, 2, 0)), gnnc_shapes.permute_row(t, v, (1, 0, 2))
        like = gnnc_ops.same_rows(q, k)
        a = t.binary("@", q, k, like, (heads, count, x.dims[0]))
        a = t.call("softmax", [a], a)
        y = gnnc_shapes.permute_row(t, t.binary("@", a, v, a, (heads, count, size)), (1, 0, 2))
    return m.out_proj(t.reshape(y, (count, width)))


def attention_block(t, block, seeds, x, index):
    """PyTorch Geometric's MultiheadAttentionBlock."""
    y = gnnc_ops.add(t, attention(t, block.attn, seeds, x, index), seeds)
    y = block.layer_norm1(y) if block.layer_norm1 is not None else y
    y = gnnc_ops.add(t, y, t.call("relu", [block.lin(y)], y))
    return block.layer_norm2(y) if block.layer_norm2 is not None else y


def seeds_of(t, pool, x, index):
    """PoolingByMultiheadAttention: attention of trained seeds to x."""
    x = pool.lin(x)
    seed = t.reshape(pool.seed, pool.seed.dims[1:])
    seed = t.placed_in("graph", seed)
    return attention_block(t, pool.mab, seed, t.call("relu", [x], x), index)


@handler("GraphMultisetTransformer")
def multiset_transformer(t, m, path, args, kwargs):
    given = bound(m, args, kwargs)
    if not is_value(given["index"]):
        raise Refused("without batch; global_mean_pool would do")
    y = seeds_of(t, m.pma1, given["x"], given["index"])
    for encoder in m.encoders:
        y = attention_block(t, encoder.mab, y, y, None)
    y = seeds_of(t, m.pma2, y, None)
    return t.reshape(y, (y.dims[0] * y.dims[1],))
