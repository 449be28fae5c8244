"""Ready models: stacks of layers with norms, jumping knowledge and a last linear layer."""
import copy

import torch
import torch.nn.functional as F
from torch.nn import Linear, ModuleList

from .conv import GATConv, GCNConv, GINConv, LGConv, SAGEConv
from .norm import BatchNorm

ACTIVATIONS = {"relu": torch.nn.ReLU, "elu": torch.nn.ELU, "tanh": torch.nn.Tanh}
NORMS = {"batch_norm": BatchNorm}


class MLP(torch.nn.Module):
    def __init__(self, channel_list, dropout=0.0, act="relu", norm="batch_norm", plain_last=True):
        super().__init__()
        self.act, self.plain_last, self.dropout = ACTIVATIONS[act](), plain_last, dropout
        self.lins = ModuleList(Linear(a, b) for a, b in zip(channel_list, channel_list[1:]))
        normed = channel_list[1:-1] if plain_last else channel_list[1:]
        self.norms = ModuleList(NORMS[norm](c) if norm else torch.nn.Identity() for c in normed)

    def forward(self, x, batch=None, batch_size=None):
        for lin, norm in zip(self.lins, self.norms):
            x = F.dropout(self.act(norm(lin(x))), p=self.dropout, training=self.training)
        return self.lins[-1](x) if self.plain_last else x


class JumpingKnowledge(torch.nn.Module):
    def __init__(self, mode, channels=None, num_layers=None):
        super().__init__()
        self.mode = mode

    def forward(self, xs):
        return torch.cat(xs, dim=-1) if self.mode == "cat" else torch.stack(xs, dim=-1).max(dim=-1)[0]


class BasicGNN(torch.nn.Module):
    def __init__(self, in_channels, hidden_channels, num_layers, out_channels=None, dropout=0.0, act="relu", act_first=False, norm=None, jk=None,
                 **kwargs):
        super().__init__()
        self.num_layers, self.jk_mode, self.act_first = num_layers, jk, act_first
        self.dropout, self.act = torch.nn.Dropout(dropout), ACTIVATIONS[act]()
        last = out_channels if out_channels is not None and jk is None else hidden_channels
        sizes = [in_channels] + [hidden_channels] * (num_layers - 1)
        self.convs = ModuleList(self.init_conv(c, last if k == num_layers - 1 else hidden_channels, is_last=k == num_layers - 1 and jk is None,
                                               **kwargs) for k, c in enumerate(sizes))
        made = NORMS[norm](hidden_channels) if norm else torch.nn.Identity()
        self.norms = ModuleList(copy.deepcopy(made) if k < num_layers - 1 or jk else torch.nn.Identity() for k in range(num_layers))
        if jk is not None and jk != "last":
            self.jk = JumpingKnowledge(jk, hidden_channels, num_layers)
        if jk is not None:
            self.lin = Linear(num_layers * hidden_channels if jk == "cat" else hidden_channels, out_channels or hidden_channels)

    def forward(self, x, edge_index, edge_weight=None, edge_attr=None, batch=None):
        xs = []
        for k, (conv, norm) in enumerate(zip(self.convs, self.norms)):
            x = conv(x, edge_index, edge_weight) if isinstance(conv, GCNConv) else conv(x, edge_index)
            if k < self.num_layers - 1 or self.jk_mode is not None:
                x = self.act(x) if self.act_first else x
                x = norm(x)
                x = x if self.act_first else self.act(x)
                x = self.dropout(x)
                xs.append(x)
        x = self.jk(xs) if hasattr(self, "jk") else x
        return self.lin(x) if hasattr(self, "lin") else x


class GCN(BasicGNN):
    def init_conv(self, a, b, is_last, **kwargs):
        return GCNConv(a, b, **kwargs)


class GraphSAGE(BasicGNN):
    def init_conv(self, a, b, is_last, **kwargs):
        return SAGEConv(a, b, **kwargs)


class GIN(BasicGNN):
    def init_conv(self, a, b, is_last, **kwargs):
        return GINConv(MLP([a, b, b], norm="batch_norm"), **kwargs)


class GAT(BasicGNN):
    def init_conv(self, a, b, is_last, heads=1, **kwargs):
        concat = not is_last
        return GATConv(a, b // heads if concat else b, heads=heads, concat=concat, **kwargs)


class LightGCN(torch.nn.Module):
    def __init__(self, num_nodes, embedding_dim, num_layers):
        super().__init__()
        self.num_nodes, self.num_layers = num_nodes, num_layers
        self.register_buffer("alpha", torch.full((num_layers + 1,), 1 / (num_layers + 1)))
        self.embedding, self.convs = torch.nn.Embedding(num_nodes, embedding_dim), ModuleList(LGConv() for _ in range(num_layers))

    def get_embedding(self, edge_index, edge_weight=None):
        x = self.embedding.weight
        out = x * self.alpha[0]
        for k, conv in enumerate(self.convs):
            x = conv(x, edge_index, edge_weight)
            out = out + x * self.alpha[k + 1]
        return out

    def forward(self, edge_index, edge_label_index=None, edge_weight=None):
        out = self.get_embedding(edge_index, edge_weight)
        return (out[edge_index[0]] * out[edge_index[1]]).sum(dim=-1)
