"""Graph convolutions, as messages along edges."""
import math

import torch
import torch.nn.functional as F
from torch.nn import Linear, Module, Parameter

from ..utils import add_remaining_self_loops, add_self_loops, degree, remove_self_loops, scatter, softmax
from .aggr import LSTMAggregation


def weights(*shape):
    return Parameter(torch.randn(*shape) / math.sqrt(shape[-1]))


class MessagePassing(Module):
    """Messages from sources to destinations: message(x_j, x_i, ...), then a reduction per destination, then update."""

    def __init__(self, aggr="add", flow="source_to_target", aggr_kwargs=None):
        super().__init__()
        self.aggr, self.flow = aggr, flow
        if aggr == "lstm":
            self.aggr_module = LSTMAggregation(**aggr_kwargs)

    def propagate(self, edge_index, size=None, **kwargs):
        import inspect
        i, j = (1, 0) if self.flow == "source_to_target" else (0, 1)
        n = next(v for v in kwargs.values() if isinstance(v, torch.Tensor) and len(v) != edge_index.shape[1] or v is kwargs.get("x")).shape[0]
        names = {"index": edge_index[i], "ptr": None, "size_i": n, "dim_size": n}
        for name, v in kwargs.items():
            names[name] = v
            if isinstance(v, torch.Tensor):
                names[name + "_j"], names[name + "_i"] = (v[edge_index[j]], v[edge_index[i]]) if len(v) == n else (v, v)
        wanted = inspect.signature(self.message).parameters
        return self.update(self.aggregate(self.message(**{k: names[k] for k in wanted}), edge_index[i], dim_size=n))

    def message(self, x_j):
        return x_j

    def aggregate(self, inputs, index, ptr=None, dim_size=None):
        if self.aggr == "lstm":
            return self.aggr_module(inputs, index, dim_size=dim_size)
        return scatter(inputs, index, 0, dim_size, "sum" if self.aggr == "add" else self.aggr)

    def update(self, inputs):
        return inputs


def gcn_norm(edge_index, edge_weight=None, num_nodes=None, improved=False, add_self_loops=True, flow="source_to_target", dtype=None):
    w = torch.ones(edge_index.shape[1]) if edge_weight is None else edge_weight
    if add_self_loops:
        edge_index, w = add_remaining_self_loops(edge_index, w, 2.0 if improved else 1.0, num_nodes)
    d = scatter(w, edge_index[1], 0, num_nodes, "sum")
    r = d.pow(-0.5).masked_fill(d == 0, 0)
    return edge_index, r[edge_index[0]] * w * r[edge_index[1]]


class Weighted(MessagePassing):
    def message(self, x_j, edge_weight):
        return x_j if edge_weight is None else edge_weight.view([-1] + [1] * (x_j.dim() - 1)) * x_j


class GCNConv(Weighted):
    def __init__(self, in_channels, out_channels, improved=False, cached=False, add_self_loops=None, normalize=True, bias=True):
        super().__init__()
        self.in_channels, self.out_channels, self.improved, self.cached, self.normalize = in_channels, out_channels, improved, cached, normalize
        self.add_self_loops = normalize if add_self_loops is None else add_self_loops
        self.lin = Linear(in_channels, out_channels, bias=False)
        self.bias = Parameter(torch.zeros(out_channels)) if bias else None

    def forward(self, x, edge_index, edge_weight=None):
        if self.normalize:
            edge_index, edge_weight = gcn_norm(edge_index, edge_weight, x.shape[0], self.improved, self.add_self_loops)
        y = self.propagate(edge_index, x=self.lin(x), edge_weight=edge_weight)
        return y if self.bias is None else y + self.bias


class SGConv(Weighted):
    def __init__(self, in_channels, out_channels, K=1, cached=False, add_self_loops=True, bias=True):
        super().__init__()
        self.in_channels, self.out_channels, self.K, self.cached, self.add_self_loops = in_channels, out_channels, K, cached, add_self_loops
        self.lin = Linear(in_channels, out_channels, bias=bias)

    def forward(self, x, edge_index, edge_weight=None):
        edge_index, edge_weight = gcn_norm(edge_index, edge_weight, x.shape[0], False, self.add_self_loops)
        for _ in range(self.K):
            x = self.propagate(edge_index, x=x, edge_weight=edge_weight)
        return self.lin(x)


class TAGConv(Weighted):
    def __init__(self, in_channels, out_channels, K=3, bias=True, normalize=True):
        super().__init__()
        self.in_channels, self.out_channels, self.K, self.normalize = in_channels, out_channels, K, normalize
        self.lins = torch.nn.ModuleList(Linear(in_channels, out_channels, bias=False) for _ in range(K + 1))
        self.bias = Parameter(torch.zeros(out_channels)) if bias else None

    def forward(self, x, edge_index, edge_weight=None):
        if self.normalize:
            edge_index, edge_weight = gcn_norm(edge_index, edge_weight, x.shape[0], False, False)
        y = self.lins[0](x)
        for lin in self.lins[1:]:
            x = self.propagate(edge_index, x=x, edge_weight=edge_weight)
            y = y + lin(x)
        return y if self.bias is None else y + self.bias


class APPNP(Weighted):
    def __init__(self, K, alpha, dropout=0.0, cached=False, add_self_loops=True, normalize=True):
        super().__init__()
        self.K, self.alpha, self.dropout, self.cached, self.add_self_loops, self.normalize = K, alpha, dropout, cached, add_self_loops, normalize

    def forward(self, x, edge_index, edge_weight=None):
        if self.normalize:
            edge_index, edge_weight = gcn_norm(edge_index, edge_weight, x.shape[0], False, self.add_self_loops)
        h = x
        for _ in range(self.K):
            x = (1 - self.alpha) * self.propagate(edge_index, x=x, edge_weight=edge_weight) + self.alpha * h
        return x


class LGConv(Weighted):
    def __init__(self, normalize=True):
        super().__init__()
        self.normalize = normalize

    def forward(self, x, edge_index, edge_weight=None):
        edge_index, edge_weight = gcn_norm(edge_index, edge_weight, len(x), add_self_loops=False)
        return self.propagate(edge_index, x=x, edge_weight=edge_weight)


class SAGEConv(MessagePassing):
    def __init__(self, in_channels, out_channels, aggr="mean", normalize=False, root_weight=True, project=False, bias=True, flow="source_to_target"):
        width = in_channels[0] if isinstance(in_channels, tuple) else in_channels
        super().__init__(aggr, flow, {"in_channels": width, "out_channels": width})
        self.in_channels, self.out_channels, self.normalize, self.root_weight, self.project = in_channels, out_channels, normalize, root_weight, project
        source, target = in_channels if isinstance(in_channels, tuple) else (in_channels, in_channels)
        if project:
            self.lin = Linear(source, source)
        self.lin_l = Linear(source, out_channels, bias=bias)
        if root_weight:
            self.lin_r = Linear(target, out_channels, bias=False)

    def forward(self, x, edge_index, size=None):
        source, target = x if isinstance(x, tuple) else (x, x)
        h = self.lin(source).relu() if self.project else source
        m = scatter(h[edge_index[0]], edge_index[1], 0, len(target), self.aggr) if isinstance(x, tuple) else self.propagate(edge_index, x=h)
        y = self.lin_l(m)
        y = y + self.lin_r(target) if self.root_weight else y
        return F.normalize(y, p=2.0, dim=-1) if self.normalize else y


class GraphConv(Weighted):
    def __init__(self, in_channels, out_channels, aggr="add", bias=True):
        super().__init__(aggr)
        self.in_channels, self.out_channels = in_channels, out_channels
        self.lin_rel, self.lin_root = Linear(in_channels, out_channels, bias=bias), Linear(in_channels, out_channels, bias=False)

    def forward(self, x, edge_index, edge_weight=None, size=None):
        return self.lin_rel(self.propagate(edge_index, x=x, edge_weight=edge_weight)) + self.lin_root(x)


class GINConv(MessagePassing):
    def __init__(self, nn, eps=0.0, train_eps=False):
        super().__init__("add")
        self.nn, self.initial_eps = nn, eps
        if train_eps:
            self.eps = Parameter(torch.full((1,), eps))
        else:
            self.register_buffer("eps", torch.full((1,), eps))

    def forward(self, x, edge_index, size=None):
        return self.nn(self.propagate(edge_index, x=x) + (1 + self.eps) * x)


class MFConv(MessagePassing):
    def __init__(self, in_channels, out_channels, max_degree=10, bias=True):
        super().__init__("add")
        self.in_channels, self.out_channels, self.max_degree = in_channels, out_channels, max_degree
        self.lins_l, self.lins_r = (torch.nn.ModuleList(Linear(in_channels, out_channels, bias=b) for _ in range(max_degree + 1)) for b in (bias, False))

    def forward(self, x, edge_index, size=None):
        h, at = self.propagate(edge_index, x=x), degree(edge_index[1], len(x)).long().clamp(max=self.max_degree)
        return torch.stack([self.lins_l[d](a) + self.lins_r[d](b) for d, a, b in zip(at.tolist(), h, x)])


class NNConv(MessagePassing):
    def __init__(self, in_channels, out_channels, nn, aggr="add", root_weight=True, bias=True):
        super().__init__(aggr)
        self.in_channels, self.out_channels, self.nn, self.root_weight = in_channels, out_channels, nn, root_weight
        self.lin = Linear(in_channels, out_channels, bias=False) if root_weight else None
        self.bias = Parameter(torch.zeros(out_channels)) if bias else None

    def forward(self, x, edge_index, edge_attr=None, size=None):
        y = self.propagate(edge_index, x=x, edge_attr=edge_attr)
        y = y + self.lin(x) if self.root_weight else y
        return y if self.bias is None else y + self.bias

    def message(self, x_j, edge_attr):
        return torch.matmul(x_j.unsqueeze(1), self.nn(edge_attr).view(-1, self.in_channels, self.out_channels)).squeeze(1)


class Heads(MessagePassing):
    """What attention layers share: heads that are concatenated or averaged, a residual and a bias."""

    def __init__(self, in_channels, out_channels, heads, concat, negative_slope, dropout, add_self_loops, edge_dim, fill_value, bias, residual):
        super().__init__("add")
        self.in_channels, self.out_channels, self.heads, self.concat, self.negative_slope = in_channels, out_channels, heads, concat, negative_slope
        self.dropout, self.add_self_loops, self.edge_dim, self.fill_value, self.residual = dropout, add_self_loops, edge_dim, fill_value, residual
        total = heads * out_channels if concat else out_channels
        self.lin_edge = Linear(edge_dim, heads * out_channels, bias=False) if edge_dim is not None else None
        self.res = Linear(in_channels, total, bias=False) if residual else None
        self.bias = Parameter(torch.zeros(total)) if bias else None

    def finish(self, y, x):
        y = y.flatten(1) if self.concat else y.mean(dim=1)
        y = y + self.res(x) if self.residual else y
        return y if self.bias is None else y + self.bias

    def with_loops(self, edge_index, edge_attr, n):
        if not self.add_self_loops:
            return edge_index, edge_attr
        return add_self_loops(*remove_self_loops(edge_index, edge_attr), self.fill_value, n)


class GATConv(Heads):
    def __init__(self, in_channels, out_channels, heads=1, concat=True, negative_slope=0.2, dropout=0.0, add_self_loops=True, edge_dim=None,
                 fill_value="mean", bias=True, residual=False):
        super().__init__(in_channels, out_channels, heads, concat, negative_slope, dropout, add_self_loops, edge_dim, fill_value, bias, residual)
        self.lin = self.lin_src = self.lin_dst = None
        if isinstance(in_channels, tuple):
            self.lin_src, self.lin_dst = (Linear(n, heads * out_channels, bias=False) for n in in_channels)
        else:
            self.lin = Linear(in_channels, heads * out_channels, bias=False)
        self.att_src, self.att_dst = weights(1, heads, out_channels), weights(1, heads, out_channels)
        self.att_edge = weights(1, heads, out_channels) if edge_dim is not None else None

    def forward(self, x, edge_index, edge_attr=None, size=None, return_attention_weights=None):
        source, x = x if isinstance(x, tuple) else (x, x)
        z = (self.lin_src or self.lin)(source).view(-1, self.heads, self.out_channels)
        t = (self.lin_dst or self.lin)(x).view(-1, self.heads, self.out_channels)
        edge_index, edge_attr = self.with_loops(edge_index, edge_attr, x.size(0))
        a = (z * self.att_src).sum(-1)[edge_index[0]] + (t * self.att_dst).sum(-1)[edge_index[1]]
        if edge_attr is not None:
            a = a + (self.lin_edge(edge_attr.view(len(a), -1)).view(-1, self.heads, self.out_channels) * self.att_edge).sum(-1)
        a = F.dropout(softmax(F.leaky_relu(a, self.negative_slope), edge_index[1], num_nodes=x.size(0)), self.dropout, self.training)
        return self.finish(scatter(a.unsqueeze(-1) * z[edge_index[0]], edge_index[1], 0, x.size(0), "sum"), x)


class GATv2Conv(Heads):
    def __init__(self, in_channels, out_channels, heads=1, concat=True, negative_slope=0.2, dropout=0.0, add_self_loops=True, edge_dim=None,
                 fill_value="mean", bias=True, share_weights=False, residual=False):
        super().__init__(in_channels, out_channels, heads, concat, negative_slope, dropout, add_self_loops, edge_dim, fill_value, bias, residual)
        self.share_weights = share_weights
        self.lin_l = Linear(in_channels, heads * out_channels, bias=bias)
        self.lin_r = self.lin_l if share_weights else Linear(in_channels, heads * out_channels, bias=bias)
        self.att = weights(1, heads, out_channels)

    def forward(self, x, edge_index, edge_attr=None, return_attention_weights=None):
        shape = (-1, self.heads, self.out_channels)
        left, right = self.lin_l(x).view(shape), self.lin_r(x).view(shape)
        edge_index, edge_attr = self.with_loops(edge_index, edge_attr, x.size(0))
        m = left[edge_index[0]] + right[edge_index[1]]
        m = m if edge_attr is None else m + self.lin_edge(edge_attr.view(len(m), -1)).view(shape)
        a = softmax((F.leaky_relu(m, self.negative_slope) * self.att).sum(-1), edge_index[1], num_nodes=x.size(0))
        a = F.dropout(a, self.dropout, self.training)
        return self.finish(scatter(a.unsqueeze(-1) * left[edge_index[0]], edge_index[1], 0, x.size(0), "sum"), x)


class TransformerConv(MessagePassing):
    def __init__(self, in_channels, out_channels, heads=1, concat=True, beta=False, dropout=0.0, edge_dim=None, bias=True, root_weight=True):
        super().__init__("add")
        self.in_channels, self.out_channels, self.heads, self.concat, self.beta = in_channels, out_channels, heads, concat, beta and root_weight
        self.dropout, self.edge_dim, self.root_weight = dropout, edge_dim, root_weight
        wide, total = heads * out_channels, heads * out_channels if concat else out_channels
        self.lin_key, self.lin_query, self.lin_value = (Linear(in_channels, wide) for _ in range(3))
        self.lin_edge = Linear(edge_dim, wide, bias=False) if edge_dim is not None else None
        self.lin_skip = Linear(in_channels, total, bias=bias)     # there, and unused, without root_weight too
        self.lin_beta = Linear(3 * total, 1, bias=False) if self.beta else None

    def forward(self, x, edge_index, edge_attr=None, return_attention_weights=None):
        q, k, v = (lin(x).view(-1, self.heads, self.out_channels) for lin in (self.lin_query, self.lin_key, self.lin_value))
        k, v = k[edge_index[0]], v[edge_index[0]]
        if edge_attr is not None:
            t = self.lin_edge(edge_attr).view(-1, self.heads, self.out_channels)
            k, v = k + t, v + t
        a = softmax((q[edge_index[1]] * k).sum(-1) / math.sqrt(self.out_channels), edge_index[1], num_nodes=x.size(0))
        a = F.dropout(a, self.dropout, self.training)
        y = scatter(a.unsqueeze(-1) * v, edge_index[1], 0, x.size(0), "sum")
        y = y.flatten(1) if self.concat else y.mean(dim=1)
        if not self.root_weight:
            return y
        r = self.lin_skip(x)
        if self.beta:
            b = self.lin_beta(torch.cat([y, r, y - r], dim=-1)).sigmoid()
            return b * r + (1 - b) * y
        return y + r


class RGCNConv(MessagePassing):
    def __init__(self, in_channels, out_channels, num_relations, num_bases=None, num_blocks=None, aggr="mean", root_weight=True, bias=True):
        super().__init__(aggr)
        self.in_channels, self.out_channels, self.num_relations, self.num_bases, self.num_blocks = (in_channels, out_channels, num_relations,
                                                                                                   num_bases, num_blocks)
        if num_blocks:
            self.weight = weights(num_relations, num_blocks, in_channels // num_blocks, out_channels // num_blocks)
        else:
            self.weight = weights(num_bases or num_relations, in_channels, out_channels)
        if num_bases:
            self.comp = weights(num_relations, num_bases)
        self.root = weights(in_channels, out_channels) if root_weight else None
        self.bias = Parameter(torch.zeros(out_channels)) if bias else None

    def forward(self, x, edge_index, edge_type=None):
        w = torch.einsum("rb,bio->rio", self.comp, self.weight) if self.num_bases else self.weight
        y = torch.zeros(len(x), self.out_channels)
        for r in range(self.num_relations):
            ends = edge_index[:, edge_type == r]
            h = scatter(x[ends[0]], ends[1], 0, x.size(0), self.aggr)
            if self.num_blocks:
                h = torch.einsum("nbi,bio->nbo", h.view(len(x), self.num_blocks, -1), w[r]).flatten(1)
            else:
                h = h @ w[r]
            y = y + h
        y = y + x @ self.root if self.root is not None else y
        return y if self.bias is None else y + self.bias


class FastRGCNConv(RGCNConv):
    pass


