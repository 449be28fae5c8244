"""Convolutions over the nearest nodes. `knn` is that of torch_cluster; the tests put one of their own here."""
import torch
from torch.nn import Linear

from .conv import MessagePassing

knn = None


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
