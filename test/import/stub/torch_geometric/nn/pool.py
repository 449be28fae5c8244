"""One row per graph from the rows of its nodes."""
import torch

from ..utils import scatter, softmax


torch_cluster = object    # the tests put functions of their own here


def global_add_pool(x, batch, size=None):
    return scatter(x, batch, 0, size, "sum") if batch is not None else x.sum(dim=-2, keepdim=True)


def global_mean_pool(x, batch, size=None):
    return scatter(x, batch, 0, size, "mean") if batch is not None else x.mean(dim=-2, keepdim=True)


def global_max_pool(x, batch, size=None):
    return scatter(x, batch, 0, size, "max") if batch is not None else x.max(dim=-2, keepdim=True)[0]


def knn_graph(x, k, batch=None, loop=False, flow="source_to_target"):
    return torch_cluster.knn_graph(x, k, batch, loop, flow)


def radius_graph(x, r, batch=None, loop=False, max_num_neighbors=32, flow="source_to_target"):
    return torch_cluster.radius_graph(x, r, batch, loop, max_num_neighbors, flow)


class EdgePooling(torch.nn.Module):
    """Only its name is there: models with it cannot be exported."""

    def __init__(self, in_channels):
        super().__init__()


class SelectTopK(torch.nn.Module):
    """The scores of nodes, and what they are made with."""

    def __init__(self, in_channels, act):
        super().__init__()
        self.weight, self.act = torch.nn.Parameter(torch.randn(1, in_channels)), {"tanh": torch.tanh, "sigmoid": torch.sigmoid}[act]


class Pooling(torch.nn.Module):
    def __init__(self, in_channels, width, ratio, min_score, multiplier, nonlinearity):
        super().__init__()
        self.in_channels, self.ratio, self.min_score, self.multiplier = in_channels, ratio, min_score, multiplier
        self.select = SelectTopK(width, nonlinearity)

    def forward(self, x, edge_index, edge_attr=None, batch=None, attn=None):
        batch, attn = torch.zeros(len(x), dtype=torch.long) if batch is None else batch, x if attn is None else attn
        p = self.select.weight[0]
        s = (self.gnn(attn, edge_index) if hasattr(self, "gnn") else attn) @ p
        s = softmax(s, batch) if self.min_score is not None else self.select.act(s / p.norm())
        kept = []
        for k in range(int(batch.max()) + 1):
            rows = (batch == k).nonzero().view(-1)
            if self.min_score is not None:
                kept.append(rows[s[rows] > min(float(s[rows].max()) - 1e-7, self.min_score)])
            elif len(rows):
                count = int(self.ratio) if self.ratio >= 1 else int((self.ratio * torch.tensor(float(len(rows)))).ceil())
                kept.append(rows[torch.sort(s[rows], descending=True, stable=True)[1][:count]])
        perm = torch.cat(kept)
        number = torch.full((len(x),), -1)
        number[perm] = torch.arange(len(perm))
        ends = number[edge_index]
        stays = (ends >= 0).all(dim=0)
        return (self.multiplier * s[perm].view(-1, 1) * x[perm], ends[:, stays], None if edge_attr is None else edge_attr[stays], batch[perm], perm,
                s[perm])


class TopKPooling(Pooling):
    def __init__(self, in_channels, ratio=0.5, min_score=None, multiplier=1.0, nonlinearity="tanh"):
        super().__init__(in_channels, in_channels, ratio, min_score, multiplier, nonlinearity)


class SAGPooling(Pooling):
    def __init__(self, in_channels, ratio=0.5, GNN=None, min_score=None, multiplier=1.0, nonlinearity="tanh", **options):
        from .conv import GraphConv
        super().__init__(in_channels, 1, ratio, min_score, multiplier, nonlinearity)
        self.gnn = (GNN or GraphConv)(in_channels, 1, **options)
