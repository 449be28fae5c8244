"""Layers over edges and nodes of several types, which their numbers say."""
import copy

import torch
from torch.nn import Linear, Module, ModuleList, Parameter, ReLU

from .conv import MessagePassing, weights


class FiLMConv(MessagePassing):
    def __init__(self, in_channels, out_channels, num_relations=1, nn=None, act=ReLU(), aggr="mean"):
        super().__init__(aggr)
        self.in_channels, self.out_channels, self.num_relations, self.act = in_channels, out_channels, max(num_relations, 1), act
        self.lins = ModuleList(Linear(in_channels, out_channels, bias=False) for _ in range(num_relations))
        self.films = ModuleList(copy.deepcopy(nn) if nn else Linear(in_channels, 2 * out_channels) for _ in range(num_relations))
        self.lin_skip = Linear(in_channels, out_channels, bias=False)
        self.film_skip = copy.deepcopy(nn) if nn else Linear(in_channels, 2 * out_channels, bias=False)

    def forward(self, x, edge_index, edge_type=None):
        beta, gamma = self.film_skip(x).split(self.out_channels, dim=-1)
        out = self.active(gamma * self.lin_skip(x) + beta)
        for k, (lin, film) in enumerate(zip(self.lins, self.films)):
            beta, gamma = film(x).split(self.out_channels, dim=-1)
            edges = edge_index[:, edge_type == k] if self.num_relations > 1 else edge_index
            out = out + self.propagate(edges, x=lin(x), beta=beta, gamma=gamma)
        return out

    def active(self, x):
        return x if self.act is None else self.act(x)

    def message(self, x_j, beta_i, gamma_i):
        return self.active(gamma_i * x_j + beta_i)


class HeteroLinear(Module):
    def __init__(self, in_channels, out_channels, num_types, bias=True):
        super().__init__()
        self.in_channels, self.out_channels = in_channels, out_channels
        self.weight, self.bias = weights(num_types, in_channels, out_channels), Parameter(torch.rand(num_types, out_channels)) if bias else None

    def forward(self, x, type_vec):
        y = torch.einsum("nf,nfo->no", x, self.weight[type_vec])
        return y if self.bias is None else y + self.bias[type_vec]
