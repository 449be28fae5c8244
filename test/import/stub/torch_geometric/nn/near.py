"""Convolutions over the nearest nodes. `knn` and `knn_graph` are those of torch_cluster; the tests put some of their own here."""
import math

import torch
from torch.nn import ELU, BatchNorm1d, Conv1d, Linear, Module, Sequential

from ..utils import scatter
from .conv import MessagePassing

knn = knn_graph = None


class DynamicEdgeConv(MessagePassing):
    def __init__(self, nn, k, aggr="max", num_workers=1):
        super().__init__(aggr)
        self.nn, self.k, self.num_workers = nn, k, num_workers

    def forward(self, x, batch=None):
        return self.propagate(knn(x, x, self.k, batch, batch).flip([0]), x=x)

    def message(self, x_i, x_j):
        return self.nn(torch.cat([x_i, x_j - x_i], dim=-1))


class GravNetConv(MessagePassing):
    def __init__(self, in_channels, out_channels, space_dimensions, propagate_dimensions, k, num_workers=None):
        super().__init__(["mean", "max"])
        self.in_channels, self.out_channels, self.k = in_channels, out_channels, k
        self.lin_s, self.lin_h = Linear(in_channels, space_dimensions), Linear(in_channels, propagate_dimensions)
        self.lin_out1, self.lin_out2 = Linear(in_channels, out_channels, bias=False), Linear(2 * propagate_dimensions, out_channels)

    def forward(self, x, batch=None):
        from ..utils import scatter
        s, h = self.lin_s(x), self.lin_h(x)
        target, source = knn(s, s, self.k, batch, batch)
        m = (-10 * (s[source] - s[target]).square().sum(-1, keepdim=True)).exp() * h[source]
        return self.lin_out1(x) + self.lin_out2(torch.cat([scatter(m, target, 0, len(x), aggr) for aggr in ("mean", "max")], dim=-1))


class Reshape(Module):
    def __init__(self, *shape):
        super().__init__()
        self.shape = shape

    def forward(self, x):
        return x.view(self.shape)


class XConv(Module):
    def __init__(self, in_channels, out_channels, dim, kernel_size, hidden_channels=None, dilation=1, bias=True, num_workers=1):
        super().__init__()
        self.in_channels, self.out_channels, self.dim, self.kernel_size, self.dilation = in_channels, out_channels, dim, kernel_size, dilation
        self.hidden_channels = h = hidden_channels or in_channels // 4
        k, c = kernel_size, in_channels + h
        self.mlp1 = Sequential(Linear(dim, h), ELU(), BatchNorm1d(h), Linear(h, h), ELU(), BatchNorm1d(h), Reshape(-1, k, h))
        self.mlp2 = Sequential(Linear(dim * k, k * k), ELU(), BatchNorm1d(k * k), Reshape(-1, k, k), Conv1d(k, k * k, k, groups=k), ELU(),
                               BatchNorm1d(k * k), Reshape(-1, k, k), Conv1d(k, k * k, k, groups=k), BatchNorm1d(k * k), Reshape(-1, k, k))
        wide = c * math.ceil(out_channels / c)
        self.conv = Sequential(Conv1d(c, wide, k, groups=c), Reshape(-1, wide), Linear(wide, out_channels, bias=bias))

    def forward(self, x, pos, batch=None):
        row, col = knn_graph(pos, self.kernel_size * self.dilation, batch, loop=True, flow="target_to_source")[:, ::self.dilation]
        p, k = pos[col] - pos[row], self.kernel_size
        z = self.mlp1(p)
        z = z if x is None else torch.cat([z, x[col].view(-1, k, self.in_channels)], dim=-1)
        return self.conv(torch.matmul(z.transpose(1, 2), self.mlp2(p.view(-1, k * self.dim))))


def knn_interpolate(x, pos_x, pos_y, batch_x=None, batch_y=None, k=3, num_workers=1):
    """Qi et al. 2017."""
    to, near = knn(pos_x, pos_y, k, batch_x, batch_y)
    w = 1 / (pos_x[near] - pos_y[to]).square().sum(-1, keepdim=True).clamp(min=1e-16)
    return scatter(w * x[near], to, 0, len(pos_y)) / scatter(w, to, 0, len(pos_y))
