"""Models of the tests of import whose layers the stub lacks: with the real torch_geometric alone. Names and fields as in models.py."""
import torch
from torch.nn import Linear, Module, ModuleList
from torch_geometric import nn
from torch_geometric.nn import aggr
from torch_geometric.nn import models as ready

from models import ATTRIBUTES, CLASSES, FEATURES, FIXED, RELATIONS


class Fields(Module):
    """A module that is called with these fields of the data."""

    def __init__(self, part, names):
        super().__init__()
        self.part, self.names = part, names.split()

    def of(self, **fields):
        return self.part(*(fields[name] for name in self.names))


class Nodes(Fields):
    def forward(self, x, edge_index):
        return self.of(x=x, edge_index=edge_index)


class Batches(Fields):
    def forward(self, x, edge_index, batch):
        return self.of(x=x, edge_index=edge_index, batch=batch)


class Points(Fields):
    def forward(self, x, edge_index):
        return self.of(x=x, edge_index=edge_index, pos=x[:, :3], normal=torch.nn.functional.normalize(x[:, 3:], dim=-1))


class Weighted(Fields):
    def forward(self, x, edge_index, edge_weight):
        return self.of(x=x, edge_index=edge_index, edge_weight=edge_weight)


class Molecules(Fields):
    def forward(self, x, edge_index, edge_attr, batch):
        return self.of(x=x, edge_index=edge_index, edge_attr=edge_attr, batch=batch)


class Heat(Fields):
    def forward(self, x, edge_index, node_type, edge_type, edge_attr):
        return self.of(x=x, edge_index=edge_index, node_type=node_type, edge_type=edge_type, edge_attr=edge_attr)


class Space(Module):
    """SchNet, which takes no edges."""

    def __init__(self):
        super().__init__()
        self.net = ready.SchNet(8, 8, 2, 6, cutoff=2.0)

    def forward(self, x, atoms, batch):
        return self.net(atoms[:, 0], x[:, :3], batch)


class Several(Module):
    """Aggregations over the edges at nodes and of graphs."""

    def __init__(self, *parts):
        super().__init__()
        self.parts = ModuleList(parts)

    def forward(self, x, edge_index, batch):
        m, size = x[edge_index[0]], x.size(0)
        return (torch.cat([part(m, edge_index[1], dim_size=size) for part in self.parts], dim=-1),
                torch.cat([part(x, batch) for part in self.parts], dim=-1))


class Blocks(Module):
    """GroupAddRev frees the memory of what it is given, so it is given a copy."""

    def __init__(self):
        super().__init__()
        self.lin, self.net = Linear(FEATURES, 8), ready.GroupAddRev(nn.GCNConv(4, 4), num_groups=2)

    def forward(self, x, edge_index):
        return self.net(self.lin(x), edge_index)


def multi(mode, **options):
    return aggr.MultiAggregation(["mean", "max", aggr.SoftmaxAggregation()], mode=mode, mode_kwargs=options)


def sequential():
    return nn.Sequential("x, edge_index", [(nn.GCNConv(FEATURES, 8), "x, edge_index -> x"), torch.nn.ReLU(inplace=True), (nn.GCNConv(8, CLASSES), "x, edge_index -> x")])


DEGREES = torch.tensor([1, 3, 5, 2])
MODELS = {
    "attentive_fp": (lambda: Molecules(ready.AttentiveFP(FEATURES, 8, 5, ATTRIBUTES, 2, 2), "x edge_index edge_attr batch"), "edge_attr batch"),
    "linkx": (lambda: Weighted(ready.LINKX(FIXED, FEATURES, 8, 5, 2, num_edge_layers=2), "x edge_index edge_weight"), "edge_weight fixed"),
    "schnet": (Space, "atoms batch"), "group_add_rev": (Blocks, ""), "sequential": (lambda: Nodes(sequential(), "x edge_index"), ""),
    "pmlp": (lambda: Nodes(ready.PMLP(FEATURES, 8, 5, 3), "x edge_index"), ""),
    "several": (lambda: Several(*(multi(mode) for mode in ("logsumexp", "var")), multi("proj", in_channels=FEATURES, out_channels=4)), "batch"),
    "fused": (lambda: Several(aggr.MultiAggregation(["sum", "mean", "min", "max", "var", "mul"]), aggr.VariancePreservingAggregation(),
                              aggr.PowerMeanAggregation(learn=True), aggr.DegreeScalerAggregation(["mean", "max"], ["identity", "amplification"], DEGREES)), "batch"),
    "ppf": (lambda: Points(nn.PPFConv(nn.MLP([FEATURES + 4, 5]), add_self_loops=False), "x pos normal edge_index"), ""),
    "both_directions": (lambda: Nodes(nn.DirGNNConv(nn.SAGEConv(FEATURES, 5)), "x edge_index"), ""),
    "heat": (lambda: Heat(nn.HEATConv(FEATURES, 5, 3, RELATIONS, 4, ATTRIBUTES, 6, heads=2), "x edge_index node_type edge_type edge_attr"),
             "node_type edge_type edge_attr"),
    "wl_continuous": (lambda: Weighted(nn.WLConvContinuous(), "x edge_index edge_weight"), "edge_weight"),
    "simple_loops": (lambda: Weighted(nn.SimpleConv(aggr="mean", combine_root="self_loop"), "x edge_index edge_weight"), "edge_weight"),
    "instance_norm": (lambda: Batches(nn.InstanceNorm(FEATURES, affine=True, track_running_stats=True), "x batch"), "batch"),
    "instance_norm_plain": (lambda: Batches(nn.InstanceNorm(FEATURES), "x batch"), "batch"),
}
