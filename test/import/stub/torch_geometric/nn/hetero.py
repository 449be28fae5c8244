"""Convolutions over all relations of a heterogeneous graph."""
import math

import torch
import torch.nn.functional as F
from torch.nn import Linear, Module, ModuleDict, Parameter, ParameterDict

from ..utils import scatter, softmax
from .conv import weights


class Relations(ModuleDict):
    """Modules by (source, relation, destination), under the names that PyTorch Geometric gives their weights."""

    def items(self):
        return [(tuple(k[1:-1].split("___")), v) for k, v in super().items()]


class HeteroConv(Module):
    def __init__(self, convs, aggr="sum"):
        super().__init__()
        self.convs, self.aggr = Relations({f"<{'___'.join(kind)}>": conv for kind, conv in convs.items()}), aggr

    def forward(self, x_dict, edge_index_dict, edge_attr_dict=None):
        into = {}
        for kind, conv in self.convs.items():
            if kind not in edge_index_dict:
                continue
            x = x_dict[kind[0]] if kind[0] == kind[2] else (x_dict[kind[0]], x_dict[kind[2]])
            more = {"edge_attr": edge_attr_dict[kind]} if edge_attr_dict else {}
            into.setdefault(kind[2], []).append(conv(x, edge_index_dict[kind], **more))
        ways = {"sum": lambda v: v.sum(0), "mean": lambda v: v.mean(0), "max": lambda v: v.max(0)[0], "min": lambda v: v.min(0)[0]}
        if self.aggr is None:
            return {kind: torch.stack(v, dim=1) for kind, v in into.items()}
        return {kind: torch.cat(v, -1) if self.aggr == "cat" else ways[self.aggr](torch.stack(v)) for kind, v in into.items()}


class HANConv(Module):
    def __init__(self, in_channels, out_channels, metadata, heads=1, negative_slope=0.2, dropout=0.0):
        super().__init__()
        self.out_channels, self.metadata, self.heads, self.negative_slope = out_channels, metadata, heads, negative_slope
        self.in_channels = in_channels
        self.k_lin, self.q = Linear(out_channels, out_channels), weights(1, out_channels)
        self.proj = ModuleDict({kind: Linear(n, out_channels) for kind, n in in_channels.items()})
        self.lin_src, self.lin_dst = (ParameterDict({"__".join(k): weights(1, heads, out_channels // heads) for k in metadata[1]}) for _ in "sd")

    def forward(self, x_dict, edge_index_dict):
        z = {kind: self.proj[kind](x).view(-1, self.heads, self.out_channels // self.heads) for kind, x in x_dict.items()}
        into = {kind: [] for kind in x_dict}
        for kind, (s, d) in edge_index_dict.items():
            a = (z[kind[0]] * self.lin_src["__".join(kind)]).sum(-1)[s] + (z[kind[2]] * self.lin_dst["__".join(kind)]).sum(-1)[d]
            n = len(z[kind[2]])
            a = softmax(F.leaky_relu(a, self.negative_slope), d, num_nodes=n)
            into[kind[2]].append(scatter(a.unsqueeze(-1) * z[kind[0]][s], d, 0, n, "sum").flatten(1).relu())
        result = {}
        for kind, rows in into.items():
            v = torch.stack(rows) if rows else None
            result[kind] = (F.softmax((self.q * torch.tanh(self.k_lin(v)).mean(1)).sum(-1), 0).view(-1, 1, 1) * v).sum(0) if rows else None
        return result


class Lins(Module):
    def __init__(self, sizes, out):
        super().__init__()
        self.lins = ModuleDict({kind: Linear(n, out) for kind, n in sizes.items()})


class Stacked(Module):
    def __init__(self, count, size):
        super().__init__()
        self.weight = weights(count, size, size)


class HGTConv(Module):
    def __init__(self, in_channels, out_channels, metadata, heads=1):
        super().__init__()
        kinds, self.edge_types = metadata
        self.out_channels, self.heads = out_channels, heads
        sizes = in_channels if isinstance(in_channels, dict) else {kind: in_channels for kind in kinds}
        self.in_channels = sizes
        self.kqv_lin, self.out_lin = Lins(sizes, 3 * out_channels), Lins({kind: out_channels for kind in kinds}, out_channels)
        self.k_rel, self.v_rel = (Stacked(heads * len(self.edge_types), out_channels // heads) for _ in "kv")
        self.skip = ParameterDict({kind: Parameter(torch.ones(1)) for kind in kinds})
        self.p_rel = ParameterDict({"__".join(kind): weights(1, heads) for kind in self.edge_types})

    def forward(self, x_dict, edge_index_dict):
        H, D, count = self.heads, self.out_channels // self.heads, len(self.edge_types)
        kqv = {kind: [p.view(-1, H, D) for p in self.kqv_lin.lins[kind](x).chunk(3, 1)] for kind, x in x_dict.items()}
        scores, values, ends = {}, {}, {}
        for i, kind in enumerate(self.edge_types):
            s, d = edge_index_dict[kind]
            k, v = (torch.einsum("nhd,hde->nhe", kqv[kind[0]][p], r.weight.view(H, count, D, D)[:, i]) for p, r in ((0, self.k_rel), (2, self.v_rel)))
            a = (kqv[kind[2]][1][d] * k[s]).sum(-1) * self.p_rel["__".join(kind)] / math.sqrt(D)
            for table, found in ((scores, a), (values, v[s]), (ends, d)):
                table.setdefault(kind[2], []).append(found)
        result = {}
        for kind, parts in scores.items():
            d, n = torch.cat(ends[kind]), len(x_dict[kind])
            a = softmax(torch.cat(parts), d, num_nodes=n)
            y = self.out_lin.lins[kind](F.gelu(scatter(a.unsqueeze(-1) * torch.cat(values[kind]), d, 0, n, "sum").flatten(1)))
            s = self.skip[kind].sigmoid()
            result[kind] = s * y + (1 - s) * x_dict[kind] if x_dict[kind].shape[1] == y.shape[1] else y
        return result
