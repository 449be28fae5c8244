"""Layers over the nodes of each graph as rows, and clusters of nodes, with dense matrices."""
import torch
import torch.nn.functional as F
from torch.nn import LayerNorm, Linear, Module, ModuleList, MultiheadAttention, Parameter

from ..utils import add_remaining_self_loops, scatter, softmax, to_dense_batch
from .aggr import Aggregation
from .models import MLP
from .pool import SelectTopK


class MemPooling(Module):
    """Khasahmadi et al. 2020."""

    def __init__(self, in_channels, out_channels, heads, num_clusters, tau=1.0):
        super().__init__()
        self.in_channels, self.out_channels, self.heads, self.num_clusters, self.tau = in_channels, out_channels, heads, num_clusters, tau
        self.k = Parameter(torch.rand(heads, num_clusters, in_channels) * 2 - 1)
        self.conv, self.lin = torch.nn.Conv2d(heads, 1, kernel_size=1, bias=False), Linear(in_channels, out_channels, bias=False)

    def forward(self, x, batch=None, mask=None, max_num_nodes=None, batch_size=None):
        x, mask = to_dense_batch(x, batch) if x.dim() <= 2 else (x, torch.ones(x.shape[:2], dtype=torch.bool) if mask is None else mask)
        d = (x[:, None, :, None] - self.k[None, :, None]).square().sum(-1)                     # [graphs, heads, rows, clusters]
        d = (1 + d / self.tau).pow(-(self.tau + 1) / 2)
        s = self.conv(d / d.sum(-1, keepdim=True)).squeeze(1).softmax(-1) * mask.unsqueeze(-1)
        return self.lin(s.transpose(1, 2) @ x), s


class MLPAggregation(Aggregation):
    def __init__(self, in_channels, out_channels, max_num_elements, hidden_channels, num_layers):
        super().__init__()
        self.in_channels, self.out_channels, self.max_num_elements = in_channels, out_channels, max_num_elements
        self.mlp = MLP([in_channels * max_num_elements] + [hidden_channels] * (num_layers - 1) + [out_channels])

    def forward(self, x, index=None, ptr=None, dim_size=None, dim=-2):
        return self.mlp(to_dense_batch(x, index, max_num_nodes=self.max_num_elements)[0].flatten(1))


class Block(Module):
    """Lee et al. 2019: attention of x to those rows of y that are there."""

    def __init__(self, channels, heads, layer_norm):
        super().__init__()
        self.attn, self.lin = MultiheadAttention(channels, heads, batch_first=True), Linear(channels, channels)
        self.layer_norm1, self.layer_norm2 = (LayerNorm(channels) if layer_norm else None for _ in range(2))

    def forward(self, x, y, mask=None):
        h = self.attn(x, y, y, None if mask is None else ~mask, need_weights=False)[0] + x
        h = self.layer_norm1(h) if self.layer_norm1 is not None else h
        h = h + self.lin(h).relu()
        return self.layer_norm2(h) if self.layer_norm2 is not None else h


class SetAttentionBlock(Module):
    def __init__(self, channels, heads, layer_norm):
        super().__init__()
        self.mab = Block(channels, heads, layer_norm)

    def forward(self, x, mask=None):
        return self.mab(x, x, mask)


class SeedPooling(Module):
    def __init__(self, channels, seeds, heads, layer_norm):
        super().__init__()
        self.lin, self.seed, self.mab = Linear(channels, channels), Parameter(torch.rand(1, seeds, channels)), Block(channels, heads, layer_norm)

    def forward(self, x, mask):
        return self.mab(self.seed.expand(len(x), -1, -1), self.lin(x).relu(), mask)


class SetTransformerAggregation(Aggregation):
    def __init__(self, channels, num_seed_points=1, num_encoder_blocks=1, num_decoder_blocks=1, heads=1, concat=True, layer_norm=False, dropout=0.0):
        super().__init__()
        self.num_seed_points, self.heads, self.concat, self.layer_norm = num_seed_points, heads, concat, layer_norm
        self.encoders = ModuleList(SetAttentionBlock(channels, heads, layer_norm) for _ in range(num_encoder_blocks))
        self.pma = SeedPooling(channels, num_seed_points, heads, layer_norm)
        self.decoders = ModuleList(SetAttentionBlock(channels, heads, layer_norm) for _ in range(num_decoder_blocks))

    def forward(self, x, index=None, ptr=None, dim_size=None, dim=-2, max_num_elements=None):
        x, mask = to_dense_batch(x, index, max_num_nodes=max_num_elements)
        for block in self.encoders:
            x = block(x, mask)
        x = self.pma(x, mask)
        for block in self.decoders:
            x = block(x)
        return x.flatten(1, 2) if self.concat else x.mean(dim=1)


class LEConv(Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.lin1, self.lin2, self.lin3 = Linear(in_channels, out_channels), Linear(in_channels, out_channels, bias=False), Linear(in_channels, out_channels)

    def forward(self, x, edge_index):
        row, col = edge_index
        return scatter(self.lin1(x)[row] - self.lin2(x)[col], col, 0, len(x)) + self.lin3(x)


class ASAPooling(Module):
    """Ranjan et al. 2020."""

    def __init__(self, in_channels, ratio=0.5, GNN=None, dropout=0.0, negative_slope=0.2, add_self_loops=False, **options):
        super().__init__()
        self.in_channels, self.ratio, self.negative_slope, self.add_self_loops = in_channels, ratio, negative_slope, add_self_loops
        self.lin, self.att, self.gnn_score = Linear(in_channels, in_channels), Linear(2 * in_channels, 1), LEConv(in_channels, 1)
        self.gnn_intra_cluster = GNN(in_channels, in_channels, **options) if GNN is not None else None
        self.select = SelectTopK(1, "tanh")

    def forward(self, x, edge_index, edge_weight=None, batch=None):
        size, batch = len(x), torch.zeros(len(x), dtype=torch.long) if batch is None else batch
        edge_index, _ = add_remaining_self_loops(edge_index, None, 1.0, size)
        row, col = edge_index
        h = self.gnn_intra_cluster(x, edge_index) if self.gnn_intra_cluster is not None else x
        q = self.lin(scatter(h[row], col, 0, size, "max"))
        a = softmax(F.leaky_relu(self.att(torch.cat([q[col], h[row]], dim=-1)).view(-1), self.negative_slope), col, num_nodes=size)
        x = scatter(a.view(-1, 1) * x[row], col, 0, size)
        fitness = self.gnn_score(x, edge_index).sigmoid().view(-1)
        s, kept = (fitness * self.select.weight.sign().view(())).tanh(), []
        for k in range(int(batch.max()) + 1):
            rows = (batch == k).nonzero().view(-1)
            count = int(self.ratio) if self.ratio >= 1 else int((self.ratio * torch.tensor(float(len(rows)))).ceil())
            kept.append(rows[torch.sort(s[rows], descending=True, stable=True)[1][:count]])
        perm = torch.cat(kept)
        adjacency, shares = (torch.zeros(size, size).index_put((row, col), v, accumulate=True) for v in (torch.ones(len(row)), a))
        joined = (shares[:, perm].t() @ adjacency @ shares[:, perm]).fill_diagonal_(float(self.add_self_loops))
        return x[perm] * fitness[perm].view(-1, 1), joined.nonzero().t(), None, batch[perm], perm
