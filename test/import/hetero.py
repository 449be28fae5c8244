"""Models of heterogeneous graphs export; the file is canonical, its weights load back, and compiled it computes what PyTorch computes.

    python3 test/import/hetero.py --bin build/bin [--pyg DIR]

--pyg takes the real torch_geometric, of DIR or, if DIR is empty, the installed one, and tries to_hetero and GMMConv too."""
import os
import subprocess
import sys
import tempfile
import warnings

import harness

options = harness.start("import.hetero", 20)
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch_geometric import nn as pyg  # noqa: E402
from torch_geometric.data import HeteroData  # noqa: E402

import gnnc_export  # noqa: E402
import gnnc_torch  # noqa: E402

WIDTHS = {"paper": 8, "author": 5, "venue": 6}
RELATIONS = (("paper", "cites", "paper"), ("author", "writes", "paper"), ("paper", "rev_writes", "author"), ("venue", "holds", "paper"))


def data(seed, kinds=tuple(WIDTHS), relations=RELATIONS):
    torch.manual_seed(seed)
    counts = {"paper": 12, "author": 7, "venue": 4}
    made = HeteroData()
    for kind in kinds:
        made[kind].x = torch.randn(counts[kind], WIDTHS[kind])
    for s, name, d in relations:
        made[s, name, d].edge_index = torch.stack([torch.randint(0, counts[s], (15,)), torch.randint(0, counts[d] - 1, (15,))])
        made[s, name, d].edge_attr = torch.randn(15, 3)
    return made


def by_relation(one, two):
    """A layer for the relation between papers, another one for those between two types."""
    return {k: one(WIDTHS[k[0]]) if k[0] == k[2] else two((WIDTHS[k[0]], WIDTHS[k[2]])) for k in RELATIONS}


class TwoLayers(nn.Module):
    """Layers of different kinds, widths that differ, results that a second layer reads, one type as the result."""

    def __init__(self, metadata, aggr="sum"):
        super().__init__()
        self.conv1 = pyg.HeteroConv({**by_relation(lambda n: pyg.GCNConv(n, 6), lambda n: pyg.SAGEConv(n, 6)),
                                     RELATIONS[2]: pyg.GATConv((8, 5), 3, heads=3, add_self_loops=False)}, aggr=aggr)
        self.conv2 = pyg.HeteroConv({RELATIONS[0]: pyg.GCNConv(18 if aggr == "cat" else 6, 4),
                                     RELATIONS[1]: pyg.SAGEConv((9, 18 if aggr == "cat" else 6), 4)}, aggr=aggr)
        self.lin = nn.Linear(8 if aggr == "cat" else 4, 3)

    def forward(self, x_dict, edge_index_dict):
        x_dict = {kind: x.relu() for kind, x in self.conv1(x_dict, edge_index_dict).items()}
        return self.lin(self.conv2(x_dict, edge_index_dict)["paper"])


class Attributes(nn.Module):
    """Attributes of edges."""

    def __init__(self, metadata):
        super().__init__()
        self.conv = pyg.HeteroConv(by_relation(lambda n: pyg.GATConv(n, 4, edge_dim=3), lambda n: pyg.GATConv(n, 4, edge_dim=3, add_self_loops=False)))

    def forward(self, x_dict, edge_index_dict, edge_attr_dict):
        return self.conv(x_dict, edge_index_dict, edge_attr_dict=edge_attr_dict)


class Kernels(Attributes):
    """Attributes that weigh matrices."""

    def __init__(self, metadata):
        nn.Module.__init__(self)
        self.conv = pyg.HeteroConv(by_relation(lambda n: pyg.GMMConv(n, 4, dim=3, kernel_size=2), lambda n: pyg.GMMConv(n, 4, dim=3, kernel_size=2)))


class Attention(nn.Module):
    def __init__(self, metadata):
        super().__init__()
        self.han_conv, self.lin = pyg.HANConv(WIDTHS, 6, metadata, heads=2, dropout=0.6), nn.Linear(6, 3)

    def forward(self, x_dict, edge_index_dict):
        return self.lin(self.han_conv(x_dict, edge_index_dict)["paper"])


class Transformer(nn.Module):
    def __init__(self, metadata):
        super().__init__()
        self.lin_dict = nn.ModuleDict({kind: nn.Linear(n, 6) for kind, n in WIDTHS.items()})
        self.conv, self.lin = pyg.HGTConv(6, 6, metadata, heads=2), nn.Linear(6, 3)

    def forward(self, x_dict, edge_index_dict):
        x_dict = {kind: self.lin_dict[kind](x).relu_() for kind, x in x_dict.items()}
        return {kind: self.lin(x) for kind, x in self.conv(x_dict, edge_index_dict).items()}


class OneGraph(nn.Module):
    """What to_hetero makes a model of all relations."""

    def __init__(self):
        super().__init__()
        self.conv1, self.conv2, self.lin = pyg.SAGEConv((-1, -1), 6), pyg.SAGEConv((-1, -1), 4), pyg.Linear(-1, 4)

    def forward(self, x, edge_index):
        x = self.conv1(x, edge_index).relu()
        return self.conv2(x, edge_index) + self.lin(x)


def arguments(model, given):
    import inspect
    names = inspect.signature(model.forward).parameters
    return [getattr(given, name if name.endswith("_dict") else name + "_dict") for name in names]


def run(stem):
    """The outputs of the exported file, by name."""
    tensors = {}
    for command in (["gnnc", "--target=c", f"{stem}.gnn", "-o", f"{stem}.c"], ["gnn-run", f"{stem}.c", "-o", f"{stem}.out.safetensors"]):
        command[0] = os.path.join(os.path.dirname(options["gnnc"]), command[0])
        done = subprocess.run([*command, "--graph", f"{stem}.graph.safetensors", "--weights", f"{stem}.weights.safetensors"],
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
    for name, raw in gnnc_torch.read_safetensors(f"{stem}.out.safetensors").items():
        begin, end = raw.bytes
        tensors[name] = torch.frombuffer(bytearray(raw.memory[begin:end]), dtype=torch.float32).view(raw.shape)
    return tensors


def check(counts, name, model, stem, given):
    model.eval()
    text = harness.exported(counts, name, model, given, stem, options)
    if text is None:
        return
    with torch.no_grad():
        expected = model(*arguments(model, given))
    expected = expected if isinstance(expected, dict) else {"paper": expected}
    try:
        got = run(stem)
    except RuntimeError as e:
        counts.check(f"{name}: {e}\n{text}", False)
        return
    worst = max(harness.difference(got[f"out.{kind}"], v) for kind, v in expected.items() if v is not None)
    counts.check(f"{name}: differs by {worst:.1e}\n{text}", worst <= 1e-5)


def main():
    counts = harness.Counts("import.hetero")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")                      # that a type is no destination
        made = {"sum": TwoLayers, "mean": lambda m: TwoLayers(m, "mean"), "cat": lambda m: TwoLayers(m, "cat"), "attributes": Attributes,
                "han": Attention, "hgt": Transformer}
        for seed, (name, make) in enumerate(made.items()):
            given = data(seed)
            check(counts, name, make(given.metadata()), os.path.join(folder, name), given)
        given = data(1)
        try:
            gnnc_torch.compile(Attention(given.metadata()))(given.x_dict, given.edge_index_dict)
        except gnnc_export.Unsupported as e:
            counts.check(f"a call with dictionaries: {e}", "x_dict holds tensors by type" in str(e))
        else:
            counts.check("a call with dictionaries is refused", False)
        given = data(1, relations=RELATIONS[::-1])
        try:
            gnnc_export.export(Transformer(data(1).metadata()), given, os.path.join(folder, "order"))
        except gnnc_export.Unsupported as e:
            counts.check(f"relations in another order: {e}", "its relations are not those of the data, in this order: venue__holds__paper" in str(e))
        else:
            counts.check("relations in another order are refused", False)
        if "--pyg" in options:
            given = data(7, ("paper", "author"), RELATIONS[:3])
            model = pyg.to_hetero(OneGraph(), given.metadata(), aggr="sum")
            with torch.no_grad():
                model(given.x_dict, given.edge_index_dict)
            check(counts, "to_hetero", model, os.path.join(folder, "to_hetero"), given)
            given = data(8)
            check(counts, "kernels", Kernels(given.metadata()), os.path.join(folder, "kernels"), given)
    counts.finish()


main()
