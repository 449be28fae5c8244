"""Models of the tests of import: one per row of the exporter's table and per way through it, and random graphs for them. They use what the
real torch_geometric and the stub both have."""
import torch
import torch.nn.functional as F
from torch.nn import BatchNorm1d, Dropout, Linear, Module, ModuleList, ReLU, Sequential
from torch_geometric import nn
from torch_geometric.data import Data
from torch_geometric.utils import degree, scatter, to_dense_batch  # noqa: F401

import nearest

nearest.provide()

FEATURES, CLASSES, ATTRIBUTES, RELATIONS = 6, 3, 4, 4
FIXED = 24   # nodes of graphs whose number of nodes a model knows
ATOMS, BONDS = (7, 3, 5), (4, 2)  # how many values the columns of integers have


class Stack(Module):
    """Layers one after the other, with relu between them; each has its own further arguments."""

    def __init__(self, *convs, names=()):
        super().__init__()
        self.convs, self.names = ModuleList(convs), names

    def forward(self, x, edge_index, edge_weight=None, edge_attr=None, edge_type=None, batch=None):
        more = {"edge_weight": edge_weight, "edge_attr": edge_attr, "edge_type": edge_type, "batch": batch}
        for k, conv in enumerate(self.convs):
            x = conv(x, edge_index, **{n: more[n] for n in self.names}) if k == 0 else conv(x, edge_index)
            x = F.relu(x) if k + 1 < len(self.convs) else x
        return x


class GCN(Module):
    def __init__(self, bias=True):
        super().__init__()
        self.conv1, self.conv2 = nn.GCNConv(FEATURES, 8), nn.GCNConv(8, CLASSES, bias=bias)

    def forward(self, x, edge_index, edge_weight=None):
        x = F.dropout(x, p=0.5, training=self.training)
        x = self.conv1(x, edge_index, edge_weight).relu()
        x = F.dropout(x, training=self.training)
        return F.log_softmax(self.conv2(x, edge_index, edge_weight), dim=1)


class Graphs(Module):
    """Batches of graphs: GIN with a norm, a residual, two pools and several results."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.GINConv(Sequential(Linear(FEATURES, 8), BatchNorm1d(8), ReLU(), Linear(8, 8), Dropout(0.1)), train_eps=True)
        self.conv2 = nn.GINConv(nn.MLP([8, 8, 8]), eps=0.3)
        self.norm = nn.GraphNorm(8)
        self.lin = Linear(16, CLASSES)

    def forward(self, data):
        x, edge_index, batch = data.x, data.edge_index, data.batch
        h = F.elu(self.conv1(x, edge_index))
        h = h + self.norm(self.conv2(h, edge_index), batch).relu_()
        p = torch.cat([nn.global_add_pool(h, batch), nn.global_max_pool(h, batch)], dim=1)
        return {"scores": self.lin(p), "nodes": h - nn.global_mean_pool(h, batch)[batch]}


class InPlace(Module):
    """Changes in place: other names of a value see them, clones and what was computed before do not."""

    def __init__(self):
        super().__init__()
        self.conv = nn.GCNConv(FEATURES, 8)

    def forward(self, x, edge_index):
        y = self.conv(x, edge_index)
        same, before, own = y, y * 3, y.clone()
        same += 1
        own[own > 0] = 0
        a, b = own.chunk(2, dim=1)
        a = a.tanh_()
        h = y.view(-1, 2, 4)
        h *= 2
        h = h.flatten(1).relu_()
        return torch.cat([h, before, a * b], dim=1)


class Relations(Module):
    def __init__(self, **options):
        super().__init__()
        self.conv1, self.conv2 = nn.RGCNConv(FEATURES, 8, RELATIONS, **options), nn.RGCNConv(8, CLASSES + 1, RELATIONS, **options)

    def forward(self, x, edge_index, edge_type):
        return self.conv2(torch.tanh(self.conv1(x, edge_index, edge_type)), edge_index, edge_type)


class Arithmetic(Module):
    """Functions and shapes of PyTorch beside the layers."""

    def __init__(self):
        super().__init__()
        self.lin = Linear(FEATURES, 12)
        self.scale = torch.nn.Parameter(torch.rand(3, 4))
        self.act = torch.nn.PReLU()
        self.norm = torch.nn.LayerNorm(12)

    def forward(self, x, edge_index):
        row, col = edge_index
        h = self.norm(self.act(self.lin(x))).view(-1, 3, 4)
        a, b = (h * self.scale).softmax(dim=-1).chunk(2, dim=1)
        message = (h[row] * h[col]).sum(dim=-1)
        y = torch.cat([a.flatten(1), b.reshape(x.size(0), 4), x[:, 1:3] ** 2, F.leaky_relu(h.mean(dim=1), 0.1)], dim=-1)
        z = torch.stack([y[:, :5], y[:, -5:]], dim=1).max(dim=1)[0]
        return z.transpose(0, 1).t() / (1 + z.abs()), message


class Messages(nn.MessagePassing):
    """A layer of the user's own."""

    def __init__(self, aggr, flow="source_to_target"):
        super().__init__(aggr=aggr, flow=flow)
        self.lin = Linear(2 * FEATURES + ATTRIBUTES, 5)

    def forward(self, x, edge_index, edge_attr):
        return self.propagate(edge_index, x=x, edge_attr=edge_attr) * 2

    def message(self, x_i, x_j, edge_attr):
        return self.lin(torch.cat([x_i, x_j - x_i, edge_attr], dim=-1)).sigmoid()


class Encoder(Module):
    """The sum of an embedding per column of integers, as OGB's AtomEncoder and BondEncoder."""

    def __init__(self, counts, width):
        super().__init__()
        self.embeddings = ModuleList(torch.nn.Embedding(n, width) for n in counts)

    def forward(self, x):
        y = 0
        for k in range(x.shape[1]):
            y += self.embeddings[k](x[:, k])
        return y


class Embeddings(Module):
    """A molecule: encoders of atoms and bonds, an embedding of an index that is computed, and a comparison."""

    def __init__(self):
        super().__init__()
        self.atoms, self.bonds = Encoder(ATOMS, 8), Encoder(BONDS, 8)
        self.conv = nn.GCNConv(8, CLASSES)

    def forward(self, x, edge_index, atoms, edge_kinds, batch):
        src, dst = edge_index
        h = self.atoms(atoms)
        h = h + scatter(self.bonds(edge_kinds) * h[src], dst, dim=0, dim_size=h.size(0))
        h = h + self.atoms.embeddings[0]((atoms[:, 0] + 1).clamp(max=ATOMS[0] - 1)) + (atoms[:, 1] == 2).float().unsqueeze(-1)
        return nn.global_mean_pool(self.conv(h, edge_index), batch)


class Steps(Module):
    """Recurrent layers over a sequence of layers' results."""

    def __init__(self):
        super().__init__()
        self.conv, self.gru = nn.GraphConv(8, 8), torch.nn.GRU(8, 8)
        self.lin = Linear(FEATURES, 8)
        self.lstm = torch.nn.LSTM(8, 5, bidirectional=True, batch_first=True)

    def forward(self, x, edge_index):
        out = self.lin(x).relu()
        h, seen = out.unsqueeze(0), []
        for _ in range(2):
            out, h = self.gru(self.conv(out, edge_index).relu().unsqueeze(0), h)
            out = out.squeeze(0)
            seen.append(out)
        return self.lstm(torch.stack(seen, dim=1))[0][:, -1]


class Points(Module):
    """A point cloud: graphs of nearest nodes in the values of layers."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.DynamicEdgeConv(Sequential(Linear(2 * FEATURES, 8), ReLU(), Linear(8, 8)), k=5)
        self.conv2, self.conv3 = nn.DynamicEdgeConv(Linear(16, 6), k=4, aggr="mean"), nn.GravNetConv(6, 5, space_dimensions=3, propagate_dimensions=4, k=6)

    def forward(self, x, edge_index, batch):
        h = self.conv3(self.conv2(self.conv1(x, batch).tanh(), batch), batch)
        return h, nn.global_max_pool(h, batch)


class Near(Module):
    """Layers over graphs that functions make of values."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.GATConv(FEATURES, 5), nn.GCNConv(5, 4)

    def forward(self, x, edge_index, batch):
        h = self.conv1(x, nn.knn_graph(x, 3, batch)).tanh()
        row, col = nn.radius_graph(h, 1.5, batch=batch, loop=True, max_num_neighbors=4)
        h = scatter(h[row] - h[col] * 2, col, dim=0, dim_size=h.size(0), reduce="max")
        return self.conv2(h, nn.knn_graph(h, k=4, batch=batch, loop=True))


class Pooled(Module):
    """Two poolings, one behind the other, with results per graph behind each. The second pooling counts the nodes that the first one keeps."""

    def __init__(self, first, second):
        super().__init__()
        self.conv1, self.pool1, self.conv2, self.pool2 = nn.GraphConv(FEATURES, 8), first, nn.GATConv(8, 8, edge_dim=ATTRIBUTES), second
        self.conv3 = nn.GINConv(Linear(8, 8))
        self.lin = Linear(24, CLASSES)

    def forward(self, x, edge_index, edge_attr, batch):
        x = self.conv1(x, edge_index).tanh()
        x, edge_index, edge_attr, batch, _, _ = self.pool1(x, edge_index, edge_attr, batch)
        a = torch.cat([nn.global_max_pool(x, batch), nn.global_mean_pool(x, batch), nn.global_add_pool(x, batch)], dim=1)
        x = self.conv2(x, edge_index, edge_attr).tanh()
        x = F.normalize(x - nn.global_mean_pool(x, batch)[batch] + self.conv3(x, edge_index), dim=-1)       # scores that are not all almost 1
        x, edge_index, edge_attr, batch, _, score = self.pool2(x, edge_index, edge_attr, batch)
        b = torch.cat([nn.global_max_pool(x, batch), nn.global_mean_pool(x, batch), nn.global_add_pool(self.conv3(x, edge_index) * score.view(-1, 1), batch)], dim=1)
        return self.lin(a + b)


class Aggregations(Module):
    """Aggregations at nodes and of graphs. PyTorch Geometric takes edges in the order of their destinations where an order counts."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.SAGEConv(FEATURES, 8, aggr="lstm", project=True), nn.SAGEConv(8, 8, aggr="median", normalize=True)
        self.conv3 = nn.GraphConv(8, 4, aggr="mul")
        self.pools = ModuleList([nn.MedianAggregation(), nn.MulAggregation(), nn.LSTMAggregation(4, 4), nn.GRUAggregation(4, 4)])

    def forward(self, x, edge_index, batch):
        h = self.conv3(self.conv2(self.conv1(x, edge_index).relu(), edge_index), edge_index).sigmoid()
        return h, torch.cat([pool(h, batch) for pool in self.pools], dim=-1)


class ByMask(Module):
    """A layer for the edges of each type, which a mask selects, with their weights."""

    def __init__(self):
        super().__init__()
        self.convs = ModuleList(nn.GraphConv(FEATURES, 5, aggr="mean" if k else "max") for k in range(RELATIONS))

    def forward(self, x, edge_index, edge_weight, edge_type):
        y = sum(conv(x, edge_index[:, edge_type == k], edge_weight[edge_type == k]) for k, conv in enumerate(self.convs))
        some = (edge_type == 0) | (edge_type == 2) | (edge_type == 3)
        return y + self.convs[1](x, edge_index[:, some], edge_weight[some])


class Film(Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.FiLMConv(FEATURES, 8, num_relations=RELATIONS)
        self.conv2 = nn.FiLMConv(8, CLASSES, num_relations=2, nn=Linear(8, 2 * CLASSES), act=None, aggr="max")
        self.lin = nn.HeteroLinear(CLASSES, CLASSES, 3)

    def forward(self, x, edge_index, edge_type, node_type):
        return self.lin(self.conv2(self.conv1(x, edge_index, edge_type), edge_index, edge_type), node_type)


class Kernels(Module):
    """Convolutions over matrices of nearest nodes; no edges of the data."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2 = nn.XConv(FEATURES, 8, dim=2, kernel_size=3, hidden_channels=4), nn.XConv(8, 5, dim=2, kernel_size=4, dilation=2)
        self.conv3 = nn.XConv(0, 5, dim=2, kernel_size=3, hidden_channels=4)

    def forward(self, x, batch):
        pos = x[:, :2]
        return self.conv2(self.conv1(x, pos, batch), pos, batch) + self.conv3(None, pos, batch)


class Inner(nn.MessagePassing):
    """A layer of the user's own, with values that are assigned under a mask."""

    def __init__(self):
        super().__init__(aggr="add")
        self.lin = Linear(FEATURES, 5)

    def forward(self, x, edge_index):
        row, col = edge_index
        scale = degree(col, x.size(0), dtype=x.dtype).pow(-0.5)
        scale[scale == float("inf")] = 0
        return self.propagate(edge_index, x=self.lin(x), norm=scale[row] * scale[col])

    def message(self, x_j, norm):
        return norm.view(-1, 1) * x_j


class Kept(Module):
    """Rows of the nodes that poolings keep, by their numbers."""

    def __init__(self):
        super().__init__()
        self.pool1, self.pool2 = nn.TopKPooling(FEATURES, ratio=0.8), nn.TopKPooling(FEATURES, ratio=0.6)

    def forward(self, x, edge_index, batch):
        h, edge_index, _, batch, perm, score = self.pool1(x, edge_index, None, batch)
        h = h + x[perm]
        k, _, _, batch2, perm2, _ = self.pool2(h, edge_index, None, batch)
        loss = F.kl_div(torch.log(score.sigmoid()), x[:, 0].exp()[perm], reduction="none")
        return nn.global_add_pool(k * h[perm2], batch2), scatter(loss, batch, reduce="mean")


class Activations(Module):
    """Functions that the language writes with others, and statistics of rows."""

    def __init__(self):
        super().__init__()
        self.parts = ModuleList([torch.nn.SELU(), torch.nn.CELU(0.7), torch.nn.Hardswish(), torch.nn.Softsign(), torch.nn.LogSigmoid(), torch.nn.Hardsigmoid(),
                                 torch.nn.Tanhshrink(), torch.nn.Softshrink(), torch.nn.Hardshrink(), torch.nn.RReLU(), torch.nn.Threshold(0.1, 0.2)])
        self.norm, self.glu = BatchNorm1d(FEATURES, affine=False), torch.nn.GLU()

    def forward(self, x, edge_index):
        y = sum(part(x * (0.5 + 0.3 * k)) for k, part in enumerate(self.parts))
        z = torch.cross(x[:, :3], x[:, 3:], dim=1)
        rows = [x.logsumexp(dim=-1), x.std(dim=1), x.var(dim=-1, unbiased=False), torch.atan2(x[:, 0], x[:, 1]), torch.pow(x[:, 2].abs() + 1, 1.5)]
        return torch.cat([self.glu(y), self.norm(x), z, torch.stack(rows, dim=1)], dim=1)


class Sets(Module):
    """The nodes of each graph as rows."""

    def __init__(self):
        super().__init__()
        self.mem1, self.mem2 = nn.MemPooling(FEATURES, 8, 3, 4), nn.MemPooling(8, 5, 2, 1, tau=2.0)
        self.sets = ModuleList([nn.SetTransformerAggregation(FEATURES, 2, 1, 1, 2, layer_norm=True), nn.SetTransformerAggregation(FEATURES, 3, 2, 0, 3, concat=False),
                                nn.MLPAggregation(FEATURES, 4, 9, hidden_channels=7, num_layers=2)])

    def forward(self, x, edge_index, batch):
        clusters, _ = self.mem2(self.mem1(x, batch)[0].tanh())
        rows, is_there = to_dense_batch(x, batch)
        means = (rows * is_there.unsqueeze(-1)).sum(dim=1) / is_there.sum(dim=1, keepdim=True)
        return torch.cat([clusters.squeeze(1), means, rows.max(dim=1)[0], *(part(x, batch) for part in self.sets)], dim=1)


class Clusters(Module):
    """Two poolings into clusters, with another one between them."""

    def __init__(self, **options):
        super().__init__()
        self.pool1, self.conv, self.pool2 = nn.ASAPooling(FEATURES, 0.6, **options), nn.GraphConv(FEATURES, 5), nn.TopKPooling(5, 0.7)
        self.pool3 = nn.ASAPooling(5, 3)

    def forward(self, x, edge_index, batch):
        x, edge_index, weight, batch, _ = self.pool1(x, edge_index, batch=batch)
        h = self.conv(x, edge_index, weight).tanh()
        y, edge_index, _, batch2, _, _ = self.pool2(h, edge_index, None, batch)
        z, _, _, batch3, _ = self.pool3(y, edge_index, None, batch2)
        return torch.cat([nn.global_max_pool(x, batch), nn.global_mean_pool(h, batch), nn.global_add_pool(z, batch3)], dim=1)


class Restored(Module):
    """Nodes that a pooling keeps: near ones of them, and their values among all nodes again."""

    def __init__(self):
        super().__init__()
        self.pool1, self.pool2, self.conv = nn.TopKPooling(FEATURES, 0.6), nn.TopKPooling(5, 0.6), nn.DynamicEdgeConv(Linear(2 * FEATURES, 5), 3)

    def forward(self, x, edge_index, batch):
        h, edges, _, batch1, perm, _ = self.pool1(x, edge_index, None, batch)
        h = self.conv(h, batch1)
        y = nn.knn_interpolate(h, x[perm], x, batch1, batch, k=2)
        up = torch.zeros_like(y)
        up[perm] = h
        k, _, _, _, perm2, _ = self.pool2(h, edges, None, batch1)
        below = torch.zeros_like(h)
        below[perm2] = k
        return y + up, nn.global_mean_pool(below + h, batch1)


class Masks(Module):
    """Masks that are joined."""

    def forward(self, x, edge_index):
        a, b = x > 0, x[:, :1] < 0.5
        y = torch.where((a & b) | ~(x > -1) ^ b, x, 2 * x) + (torch.logical_and(x, x > 0.3) | torch.logical_not(a)).float()
        y[a & ~b] = 7
        mask = a[:, 0]
        mask &= b[:, 0]
        row, col = edge_index
        return y * mask.view(-1, 1), ((x[row] > 0) & (x[col] > 0)).float()


class Ordered(Module):
    """Graphs by their sorted nodes."""

    def __init__(self):
        super().__init__()
        self.conv, self.pools = nn.GraphConv(FEATURES, 4), ModuleList([nn.SortAggregation(3), nn.QuantileAggregation([0.2, 0.75]), nn.QuantileAggregation(0.5)])

    def forward(self, x, edge_index, batch):
        h = self.conv(x, edge_index)
        return torch.cat([pool(h, batch) for pool in self.pools], dim=-1)


def edge_network():
    return Sequential(Linear(ATTRIBUTES, 7), ReLU(), Linear(7, FEATURES * CLASSES))


# name -> how the model is made, and the fields that it reads beside x and edge_index
MODELS = {
    "gcn": (GCN, ""), "gcn_without_bias": (lambda: GCN(bias=False), ""), "gcn_weighted": (GCN, "edge_weight"),
    "gcn_options": (lambda: Stack(nn.GCNConv(FEATURES, 8, improved=True), nn.GCNConv(8, 8, normalize=False),
                                  nn.GCNConv(8, CLASSES, add_self_loops=False), names=["edge_weight"]), "edge_weight"),
    "gat": (lambda: Stack(nn.GATConv(FEATURES, 4, heads=4, dropout=0.6), nn.GATConv(16, CLASSES, heads=3, concat=False)), ""),
    "gat_options": (lambda: Stack(nn.GATConv(FEATURES, 4, heads=2, edge_dim=ATTRIBUTES, residual=True, negative_slope=0.1),
                                  nn.GATConv(8, CLASSES, bias=False, add_self_loops=False), names=["edge_attr"]), "edge_attr"),
    "gatv2": (lambda: Stack(nn.GATv2Conv(FEATURES, 4, heads=2, edge_dim=ATTRIBUTES), nn.GATv2Conv(8, CLASSES, heads=2, concat=False,
                                                                                                  share_weights=True),
                            names=["edge_attr"]), "edge_attr"),
    "transformer": (lambda: Stack(nn.TransformerConv(FEATURES, 4, heads=2, beta=True, edge_dim=ATTRIBUTES),
                                  nn.TransformerConv(8, CLASSES, heads=2, concat=False, root_weight=False), names=["edge_attr"]), "edge_attr"),
    "sage": (lambda: Stack(nn.SAGEConv(FEATURES, 8, aggr="max"), nn.SAGEConv(8, 8, normalize=True, project=True),
                           nn.SAGEConv(8, CLASSES, root_weight=False, bias=False)), ""),
    "graph_conv": (lambda: Stack(nn.GraphConv(FEATURES, 8, aggr="mean"), nn.GraphConv(8, CLASSES), names=["edge_weight"]), "edge_weight"),
    "sg_tag_appnp": (lambda: Stack(nn.SGConv(FEATURES, 8, K=2), nn.TAGConv(8, CLASSES), nn.APPNP(3, 0.2), names=["edge_weight"]), "edge_weight"),
    "nn_conv": (lambda: Stack(nn.NNConv(FEATURES, CLASSES, edge_network(), aggr="mean"), names=["edge_attr"]), "edge_attr"),
    "rgcn": (Relations, "edge_type"), "rgcn_bases": (lambda: Relations(num_bases=2), "edge_type"),
    "rgcn_blocks": (lambda: Relations(num_blocks=2), "edge_type"),
    "models_gcn": (lambda: nn.GCN(FEATURES, 8, 3, CLASSES, norm="batch_norm", act="elu"), ""),
    "models_gat": (lambda: nn.GAT(FEATURES, 8, 2, CLASSES, heads=4), ""),
    "models_sage": (lambda: nn.GraphSAGE(FEATURES, 8, 3, CLASSES, jk="cat"), ""),
    "models_gin": (lambda: nn.GIN(FEATURES, 8, 2, CLASSES, act="elu", jk="max", norm="batch_norm", act_first=True), ""),
    "embeddings": (Embeddings, "atoms edge_kinds batch"),
    "graphs": (Graphs, "batch"), "arithmetic": (Arithmetic, ""), "steps": (Steps, ""),
    "messages": (lambda: Messages("mean"), "edge_attr"),
    "messages_back": (lambda: Messages("max", flow="target_to_source"), "edge_attr"),
    "norms": (lambda: Norms(), "batch"),
    "mf": (lambda: Stack(nn.MFConv(FEATURES, 8, max_degree=3), nn.MFConv(8, CLASSES, bias=False)), ""),
    "near": (Near, "batch"), "points": (Points, "batch"), "aggregations": (Aggregations, "batch sorted"),
    "top_k": (lambda: Pooled(nn.TopKPooling(8, ratio=0.8), nn.TopKPooling(8, multiplier=2.0, nonlinearity="sigmoid")), "edge_attr batch"),
    "top_k_count": (lambda: Pooled(nn.TopKPooling(8, ratio=5), nn.TopKPooling(8, ratio=2)), "edge_attr batch"),
    "sag": (lambda: Pooled(nn.SAGPooling(8, ratio=0.7), nn.SAGPooling(8, GNN=nn.GCNConv)), "edge_attr batch"),
    "min_score": (lambda: Pooled(nn.TopKPooling(8, min_score=0.06), nn.SAGPooling(8, min_score=0.1)), "edge_attr batch"),
    "by_mask": (ByMask, "edge_weight edge_type"), "film": (Film, "edge_type node_type"), "x_conv": (Kernels, "batch fixed"),
    "own_mask": (Inner, ""), "in_place": (InPlace, ""), "kept": (Kept, "batch"), "activations": (Activations, ""), "ordered": (Ordered, "batch"),
    "sets": (Sets, "batch"), "restored": (Restored, "batch"), "masks": (Masks, ""),
    "light_gcn": (lambda: nn.LightGCN(FIXED, 6, 2), "edge_weight fixed"),
    "against": (lambda: Stack(nn.SAGEConv(FEATURES, CLASSES, flow="target_to_source")), ""),
}


if not hasattr(nn, "ClusterGCNConv"):       # PyTorch Geometric's ASAPooling multiplies sparse matrices, which not every PyTorch can
    MODELS |= {"clusters": (Clusters, "batch both"), "clusters_intra": (lambda: Clusters(GNN=nn.GCNConv, negative_slope=0.1, add_self_loops=True), "batch both")}


class Norms(Module):
    def __init__(self):
        super().__init__()
        self.parts = ModuleList([nn.LayerNorm(FEATURES), nn.LayerNorm(FEATURES, mode="node"), nn.PairNorm(scale=0.7), nn.BatchNorm(FEATURES)])

    def forward(self, x, edge_index, batch):
        y = self.parts[3](x)
        for part in self.parts[:3]:
            y = y + part(x, batch) if not isinstance(part, nn.LayerNorm) or part.mode == "graph" else y + part(x)
        return y


def made(name):
    """A model in evaluation with random weights and statistics."""
    model = MODELS[name][0]()
    for t in list(model.parameters()) + list(model.buffers()):
        if t.is_floating_point():
            t.data = t.data + 0.3 * torch.rand_like(t)
    return model.eval()


def graph(name, seed):
    """A random graph for a model: loops, duplicates and isolated nodes; some graphs have no edges."""
    torch.manual_seed(seed)
    nodes, edges = int(torch.randint(1, 40, ())), int(torch.randint(0, 120, ())) if seed % 7 else 0
    words = MODELS[name][1].split()
    nodes = FIXED if "fixed" in words else nodes
    edges = max(edges, 2) if "sorted" in words else edges
    ends = torch.randint(0, max(1, nodes - seed % 3), (2, edges))
    if "sorted" in words:
        ends[1, :2] = torch.tensor([0, nodes - 1])   # PyTorch Geometric's median fails where the first or the last node has no edge
        ends = ends[:, torch.sort(ends[1], stable=True)[1]]
    if "both" in words:
        ends = torch.cat([ends, ends.flip(0)[:, ends[0] != ends[1]]], dim=1)
    fields = {"x": torch.randn(nodes, FEATURES), "edge_index": ends}
    if "edge_weight" in words:
        fields["edge_weight"] = torch.rand(edges)
    if "edge_attr" in words:
        fields["edge_attr"] = torch.rand(edges, ATTRIBUTES)
    if "edge_type" in words:
        fields["edge_type"] = torch.randint(0, RELATIONS, (edges,))
    if "node_type" in words:
        fields["node_type"] = torch.randint(0, 3, (nodes,))
    if "atoms" in words:
        fields["atoms"] = torch.stack([torch.randint(0, n, (nodes,)) for n in ATOMS], dim=1)
    if "edge_kinds" in words:
        fields["edge_kinds"] = torch.stack([torch.randint(0, n, (edges,)) for n in BONDS], dim=1)
    if "batch" in words:
        fields["batch"] = torch.arange(nodes) * (1 + seed % 3) // nodes if nodes > 3 else torch.zeros(nodes, dtype=torch.long)
    return Data(**fields)


def arguments(model, data):
    """What forward takes of the data."""
    import inspect
    names = list(inspect.signature(model.forward).parameters)
    return {"data": data} if names == ["data"] else {k: v for k, v in data.to_dict().items() if k in names}
