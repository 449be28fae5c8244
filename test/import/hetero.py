"""Models of heterogeneous graphs export; the file is canonical, its weights load back, and compiled it computes what PyTorch computes: by gnn-run,
and in calls of Python with the dictionaries of the model's own forward.

    python3 test/import/hetero.py --bin build/bin [--pyg DIR]

--pyg takes the real torch_geometric, of DIR or, if DIR is empty, the installed one, and tries to_hetero and GMMConv too."""
import os
import subprocess
import sys
import tempfile
import warnings

import harness

options = harness.start("import.hetero", 60)
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


class Stacked(nn.Module):
    """The results of the relations into a type beside each other."""

    def __init__(self, metadata):
        super().__init__()
        self.conv = pyg.HeteroConv(by_relation(lambda n: pyg.GCNConv(n, 6), lambda n: pyg.SAGEConv(n, 6)), aggr=None)
        self.lin = nn.Linear(6, 3)

    def forward(self, x_dict, edge_index_dict):
        h = self.conv(x_dict, edge_index_dict)
        return {"paper": self.lin(h["paper"]).mean(dim=1), "author": h["author"].tanh()}


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


def check_calls(counts, name, model, given):
    """A compiled model takes the dictionaries of the forward, of graphs in turn, and returns what the forward returns."""
    model.eval()
    fast, worst = gnnc_torch.compile(model), 0.0
    for args in given + given:
        with torch.no_grad():
            expected = model(*args)
        got = fast(*args)
        if not isinstance(expected, dict):
            got, expected = {"paper": got}, {"paper": expected}
        counts.check(f"{name}: types {list(got)}", list(got) == list(expected) and all((got[k] is None) == (expected[k] is None) for k in got))
        worst = max([worst, *(harness.difference(got[kind], v) for kind, v in expected.items() if v is not None)])
    counts.check(f"{name}: calls differ by {worst:.1e}", worst <= 1e-5)
    counts.check(f"{name}: {len(fast.programs)} programs", len(fast.programs) == 1)


class Whole(nn.Module):
    """A forward of the whole HeteroData, with a number, that returns a dictionary in a tuple."""

    def __init__(self):
        super().__init__()
        self.conv = pyg.HeteroConv(by_relation(lambda n: pyg.GraphConv(n, 4), lambda n: pyg.SAGEConv(n, 4)))

    def forward(self, data):
        h = self.conv(data.x_dict, data.edge_index_dict)
        return h["paper"] * 2, {kind: x.relu() for kind, x in h.items()}


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = pyg.HeteroConv(by_relation(lambda n: pyg.GraphConv(n, 4), lambda n: pyg.SAGEConv(n, 4)))

    def forward(self, x_dict, edge_index_dict, scale=1.0):
        return self.conv({k: x * scale for k, x in x_dict.items()}, edge_index_dict)


def forms(counts):
    """A whole HeteroData, a number beside dictionaries, dictionaries in another order, edges that change in place, fewer relations."""
    given = data(3)
    with torch.no_grad():
        model = Whole().eval()
        given["paper"].y, given[RELATIONS[0]].weight = torch.zeros(12, dtype=torch.float64), torch.ones(15)      # what it does not read
        (a, b), (c, d) = gnnc_torch.compile(model)(given), model(given)
        counts.check("a HeteroData", torch.allclose(a, c, atol=1e-5) and list(b) == list(d) and all(torch.allclose(b[k], d[k], atol=1e-5) for k in d))
        model = Scaled().eval()
        fast = gnnc_torch.compile(model)

        def check(what, *args):
            got, expected = fast(*args), model(*args)
            counts.check(what, list(got) == list(expected) and all(torch.allclose(got[k], expected[k], atol=1e-5) for k in expected))
        x, edges = given.x_dict, given.edge_index_dict
        check("a number", x, edges, 2.0)
        check("another number", x, edges, 0.5)
        check("no number", x, edges)
        made = len(fast.programs)
        check("another order", dict(reversed(x.items())), dict(reversed(edges.items())))
        counts.check("another order is no other program", len(fast.programs) == made)
        edges[RELATIONS[0]][0, 3] += 1
        check("edges that change in place", x, edges)
        check("more nodes of a type", {**x, "author": torch.cat([x["author"], x["author"]])}, edges)
        check("fewer relations", x, {kind: e for kind, e in edges.items() if kind != RELATIONS[0]})
        check("a type without nodes", {**x, "venue": x["venue"][:0]}, {**edges, RELATIONS[3]: edges[RELATIONS[3]][:, :0]})


def messages(counts):
    """What does not fit together is refused in the words of the call, by the first call and by later ones."""
    given = data(1)
    x, edges, model = given.x_dict, given.edge_index_dict, Attention(given.metadata()).eval()
    later, attributes = gnnc_torch.compile(model), gnnc_torch.compile(Attributes(None).eval())
    later(x, edges)
    writes, attr = RELATIONS[1], given.edge_attr_dict

    def without(found, kind):
        return {k: v for k, v in found.items() if k != kind}
    wrong_end = edges[writes].clone()
    wrong_end[0, 4] = 9
    at = "edge_index_dict['author', 'writes', 'paper']"
    for kind, words, call in (
            (TypeError, "edge_index_dict must be a dictionary of tensors by type, as the other arguments are, not Tensor", lambda f: f(x, edges[writes])),
            (TypeError, "x_dict['paper'] must be a tensor, not list", lambda f: f({**x, "paper": [1.0]}, edges)),
            (TypeError, "edge_index_dict has the key 'writes'; expected (source, relation, destination)", lambda f: f(x, {"writes": edges[writes]})),
            (TypeError, "x_dict has the key 3; expected the name of a type, or (source, relation, destination)", lambda f: f({**x, 3: x["paper"]}, edges)),
            (RuntimeError, "expected scalar type Float but found Double (x_dict['paper'])", lambda f: f({**x, "paper": x["paper"].double()}, edges)),
            (RuntimeError, f"expected scalar type Long but found Float ({at})", lambda f: f(x, {**edges, writes: edges[writes].float()})),
            (RuntimeError, f"{at} has the wrong shape: expected [2, edges], got [15]", lambda f: f(x, {**edges, writes: edges[writes][0]})),
            (IndexError, f"index 9 is out of bounds for dimension 0 with size 7 ({at}, edge 4, source)", lambda f: f(x, {**edges, writes: wrong_end})),
            (IndexError, f"index -1 is out of bounds for dimension 0 with size 12 ({at}, edge 0, target)",
             lambda f: f(x, {**edges, writes: torch.tensor([[0], [-1]])})),
            (ValueError, "edge_index_dict['venue', 'holds', 'paper'] joins nodes of the type 'venue', of which no tensor is given; there are paper, author",
             lambda f: f(without(x, "venue"), edges)),
            (gnnc_export.Unsupported, "han_conv (HANConv): the data lacks its relation ('author', 'writes', 'paper')", lambda f: f(x, without(edges, writes))),
            (gnnc_export.Unsupported, "it does not know the relation ('paper', 'by', 'author') of the data; it knows ('paper', 'cites', 'paper'), ",
             lambda f: f(x, {**edges, ("paper", "by", "author"): edges[RELATIONS[2]]})),
            (gnnc_export.Unsupported, "han_conv (HANConv): 'x.author' has 4 columns; expected 5", lambda f: f({**x, "author": x["author"][:, 1:]}, edges))):
        for name, f in (("the first call", gnnc_torch.compile(model)), ("a later call", later)):
            counts.check(f"{words}, in {name}", harness.raises(kind, words, lambda: call(f)))
    counts.check("after wrong calls", later(x, edges).shape == (12, 3))
    counts.check("no dictionary of edges", harness.raises(TypeError, "missing a required argument: 'edge_index_dict'", lambda: later(x)))
    for kind, words, call in (
            (ValueError, "there is edge_attr_dict['paper', 'cites', 'paper'], and none of the relation ('author', 'writes', 'paper'); expected it of all",
             lambda: attributes(x, edges, without(attr, writes))),
            (RuntimeError, "edge_attr_dict['author', 'writes', 'paper'] has the wrong shape: expected 15 rows, as the relation has edges, got [14, 3]",
             lambda: attributes(x, edges, {**attr, writes: attr[writes][1:]})),
            (RuntimeError, "edge_attr_dict['author', 'writes', 'paper'] has the wrong shape: expected [edges, 3], as edge_attr_dict['paper', 'cites', 'paper'] "
             "has, got [15, 2]", lambda: attributes(x, edges, {**attr, writes: attr[writes][:, 1:]})),
            (ValueError, "there is edge_attr_dict['author', 'writes', 'paper'], and no edge_index of this relation", lambda: attributes(x, without(edges, writes), attr)),
            (gnnc_export.Unsupported, "(GATConv): 'x.paper' has 7 columns; expected 8", lambda: attributes({**x, "paper": x["paper"][:, 1:]}, edges, attr))):
        counts.check(words, harness.raises(kind, words, call))


def main():
    counts = harness.Counts("import.hetero")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        os.environ["GNNC_CACHE"] = os.path.join(folder, "cache")
        warnings.simplefilter("ignore")                      # that a type is no destination
        made = {"sum": TwoLayers, "mean": lambda m: TwoLayers(m, "mean"), "cat": lambda m: TwoLayers(m, "cat"), "none": Stacked, "attributes": Attributes,
                "han": Attention, "hgt": Transformer}
        for seed, (name, make) in enumerate(made.items()):
            given = data(seed)
            model = make(given.metadata())
            check(counts, name, model, os.path.join(folder, name), given)
            check_calls(counts, name, model, [arguments(model, g) for g in (given, data(seed + 50))])
        forms(counts)
        messages(counts)
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
            check_calls(counts, "to_hetero", model, [arguments(model, g) for g in (given, data(8, ("paper", "author"), RELATIONS[:3]))])
            given = data(8)
            check(counts, "kernels", Kernels(given.metadata()), os.path.join(folder, "kernels"), given)
    counts.finish()


main()
