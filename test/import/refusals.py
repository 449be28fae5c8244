"""What cannot be exported is reported at once, with the path of the module or the line of the forward, the reason and what would do, and
never with a traceback; warnings; the command line.

    python3 test/import/refusals.py --bin build/bin"""
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings as python_warnings

import harness

options = harness.start("import.refusals", 58)
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402
from torch_geometric import nn as pyg  # noqa: E402
from torch_geometric.data import Data, HeteroData  # noqa: E402
from torch_geometric.utils import add_remaining_self_loops, add_self_loops, scatter, softmax, to_dense_batch  # noqa: E402

import gnnc_export  # noqa: E402
import gnnc_files  # noqa: E402
import gnnc_layers  # noqa: E402

HERE = os.path.basename(__file__)


def data(**more):
    torch.manual_seed(1)
    return Data(x=torch.randn(10, 4), edge_index=torch.randint(0, 10, (2, 30)), **more)


def model(forward, **modules):
    """A module whose forward is this function."""
    made = type("Net", (nn.Module,), {"forward": forward})()
    for name, m in modules.items():
        setattr(made, name, m)
    return made


def loop(self, x, edge_index):
    h = x.relu()
    if h.mean(dim=1):
        h = -h
    return h


def several(self, x, edge_index):
    y = self.pool(self.conv(x, edge_index), edge_index)[0]
    return y + torch.fft.fft(x) + self.other(x, x) + x.cumsum(dim=1)


def twice(self, x, edge_index):
    y, edges, _, batch, _, _ = self.pool(x, edge_index)
    return x[self.pool(y, edges, None, batch)[4]].sum(dim=0)


def assigned(self, x, edge_index):
    y = x * 2
    y[edge_index[0]] = 1
    return y


def through_a_view(self, x, edge_index):
    y = x * 2
    z = y.view(-1, 2, 2)
    z += 1
    return y


def view_of_changed(self, x, edge_index):
    y = x * 2
    z = y[:, 0]
    y[y > 1] = 0
    return z * 2


class Own(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.cumsum(dim=1)


def lazy():
    with python_warnings.catch_warnings():
        python_warnings.simplefilter("ignore")               # that lazy modules are new
        return nn.LazyLinear(3)


class Pairs(nn.Module):
    """Scores pairs of nodes, as link prediction does."""

    def __init__(self):
        super().__init__()
        self.conv = pyg.GCNConv(4, 3)

    def encode(self, x, edge_index):
        return self.conv(x, edge_index)

    def forward(self, x, edge_index, edge_label_index):
        z = self.encode(x, edge_index)
        return (z[edge_label_index[0]] * z[edge_label_index[1]]).sum(dim=-1)


def restored(self, x, edge_index):
    y, edges, _, batch, _, _ = self.pool(x, edge_index)
    perm = self.pool(y, edges, None, batch)[4]
    up = torch.zeros_like(x)
    up[perm] = x
    return up


def clusters(self, x, edge_index):
    x, edge_index, _, batch, _ = self.pool(x, edge_index)
    return pyg.global_add_pool(self.conv(x, edge_index), batch)


LOOP = loop.__code__.co_firstlineno + 2
hooked = pyg.GCNConv(4, 3)
hooked.register_forward_hook(lambda *args: None)

# what is exported, with what data, and the lines of the message
CASES = {
    "a condition on values": (model(loop), None, [f"forward at {HERE}:{LOOP}: a condition depends on computed values"]),
    "several causes": (model(several, conv=pyg.GCNConv(4, 4), pool=pyg.EdgePooling(4), other=nn.Bilinear(4, 4, 2)), None,
                       ["pool (EdgePooling): clusters of nodes are made when the model runs; TopKPooling and SAGPooling would do", "fft_fft() has no counterpart",
                        "other (Bilinear): the function bilinear() has no counterpart", "the function cumsum() has no counterpart"]),
    "rows by a mask": (model(lambda self, x, edge_index: x[x[:, 0] > 0]), None, ["rows are selected; select them from the result"]),
    "a base whose view was changed": (model(through_a_view), None, ["output 'out': a value is read that shares memory with one that was changed in place at "]),
    "a view whose base was changed": (model(view_of_changed), None, ["a value is read that shares memory with one that was changed in place", "clone() instead"]),
    "the first rows": (model(lambda self, x, edge_index: x[:5]), None, ["rows are selected; select them from the result"]),
    "the number of rows": (model(lambda self, x, edge_index: x / len(x)), None, ["the number of rows is asked for as a Python number"]),
    "a branch on the number of rows": (model(lambda self, x, edge_index: x if x.size(0) > 5 else -x), None,
                                       ["a condition depends on the number of rows"]),
    "a loop over rows": (model(lambda self, x, edge_index: sum(row for row in x)), None, ["a loop runs over the rows of a tensor"]),
    "item": (model(lambda self, x, edge_index: x * x.max().item()), None, ["max over all rows and columns"]),
    "a sum of all": (model(lambda self, x, edge_index: x.sum()), None, ["sum over all rows and columns"]),
    "the mean of a batch's nodes": (model(lambda self, x, edge_index: x - x.mean(dim=0)), {"batch": torch.arange(10) // 5},
                                    ["global_mean_pool(x, batch) is that of each graph"]),
    "softmax over rows": (model(lambda self, x, edge_index: x.softmax(dim=0)), None, ["softmax over the rows"]),
    "rows in a view": (model(lambda self, x, edge_index: x.view(-1, 2)), None, ["rows and columns change places"]),
    "rows below rows": (model(lambda self, x, edge_index: torch.cat([x, x])), None, ["rows are put below each other"]),
    "nodes and edges": (model(lambda self, x, edge_index: x + x[edge_index[0]]), None,
                        ["values with one row per node and with one row per edge of g are combined"]),
    "gelu by tanh": (model(lambda self, x, edge_index: F.gelu(x, approximate="tanh")), None, ["the language has the exact one"]),
    "an unknown function": (model(lambda self, x, edge_index: torch.special.bessel_j0(x)), None, ["has no counterpart"]),
    "a reduction without a counterpart": (model(lambda self, x, edge_index: scatter(x[edge_index[0]], edge_index[1], 0, x.size(0), "any")), None,
                                          ["the reduction 'any'; sum, mean, max, min, prod, median would do"]),
    "nodes that a pooling keeps": (model(lambda self, x, edge_index: self.pool(x, edge_index)[0].relu(), pool=pyg.TopKPooling(4)), None,
                                   ["the result 'out' has a row for each node that a pooling keeps", "results of global pools over them would do"]),
    "a norm behind a pooling": (model(lambda self, x, edge_index: self.norm(self.pool(x, edge_index)[0]), pool=pyg.TopKPooling(4), norm=pyg.GraphNorm(4)), None,
                                ["norm (GraphNorm): graph_norm of the nodes that a pooling keeps: it would read those that the pooling leaves out"]),
    "matrices of near nodes behind a pooling": (model(lambda self, x, edge_index: self.conv(None, self.pool(x, edge_index)[0]), pool=pyg.TopKPooling(4),
                                                      conv=pyg.XConv(0, 2, dim=4, kernel_size=2, hidden_channels=2)), None,
                                                ["conv (XConv): near nodes among those that a pooling keeps, for XConv; DynamicEdgeConv would do"]),
    "near nodes of another batch": (model(lambda self, x, edge_index, batch: pyg.knn_graph(self.pool(x, edge_index, None, batch)[0], 3, batch), pool=pyg.TopKPooling(4)),
                                    {"batch": torch.arange(10) // 5}, ["places and a batch of different nodes: those that a pooling keeps, and others"]),
    "values of nodes at other places": (model(lambda self, x, edge_index: pyg.knn_interpolate(self.pool(x, edge_index)[0], x, x), pool=pyg.TopKPooling(4)), None,
                                        ["knn_interpolate: places other than pos[perm] of the nodes that a pooling keeps, and pos of the nodes before it"]),
    "rows of other nodes are restored": (model(restored, pool=pyg.TopKPooling(4)), None, ["rows of other nodes are assigned than those that the pooling of this perm"]),
    "bits of numbers": (model(lambda self, x, edge_index: x & (x > 0)), None, ["bits of numbers are joined; masks, (x > 0) & (x < 1), may be"]),
    "edges of all types but one": (model(lambda self, x, edge_index, edge_type: self.conv(x, edge_index[:, ~(edge_type == 1)]), conv=pyg.SAGEConv(4, 2)),
                                   {"edge_type": torch.arange(30) % 2}, ["a part of edge_index is selected"]),
    "clusters of directed edges": (model(clusters, pool=pyg.ASAPooling(4), conv=pyg.SAGEConv(4, 2)), None,
                                   ["conv (SAGEConv): ASAPooling joins clusters by edges in both directions, and the data has some in one direction alone"]),
    "weighted clusters": (model(lambda self, x, edge_index, edge_weight: self.pool(x, edge_index, edge_weight)[0].sum(dim=0), pool=pyg.ASAPooling(4)),
                          {"edge_weight": torch.ones(30)}, ["pool (ASAPooling): ASAPooling with weights of edges: those of the pooled graph are sums over paths"]),
    "a dense batch behind a pooling": (model(lambda self, x, edge_index: to_dense_batch(self.pool(x, edge_index)[0])[0], pool=pyg.TopKPooling(4)), None,
                                       ["to_dense_batch: a dense batch of the nodes that a pooling keeps"]),
    "nodes of both sides of a pooling": (model(lambda self, x, edge_index: (x + self.pool(x, edge_index)[0]).sum(dim=0), pool=pyg.TopKPooling(4)), None,
                                         ["values of the nodes that a pooling keeps and of other nodes are combined"]),
    "all edges behind a pooling": (model(lambda self, x, edge_index: self.conv(self.pool(x, edge_index)[0], edge_index).sum(dim=0), pool=pyg.TopKPooling(4),
                                         conv=pyg.GCNConv(4, 2)), None, ["values of the nodes that a pooling keeps and of other nodes are combined"]),
    "rows that a pooling keeps": (model(twice, pool=pyg.TopKPooling(4)), None,
                                  ["rows of all nodes are selected by numbers of those that an earlier pooling keeps"]),
    "edges of one type of others": (model(lambda self, x, edge_index, edge_type: self.conv(x, add_remaining_self_loops(edge_index)[0][:, edge_type == 1]),
                                          conv=pyg.SAGEConv(4, 2)), {"edge_type": torch.arange(30) % 2},
                                    ["edges of one type are selected of something that is no edge_index of the data"]),
    "rows by a type of edges": (model(lambda self, x, edge_index, edge_type: x[edge_type == 1]), {"edge_type": torch.arange(30) % 2},
                                ["rows are selected by the types of edges; values of the edges of the data would do"]),
    "rows that are assigned": (model(assigned), None, ["forward at refusals.py:", "under a mask, x[x > 1] = 0, they may be"]),
    "a divergence as one number": (model(lambda self, x, edge_index: F.kl_div(x, x)), None, ["kl_div with reduction = 'mean', over all rows and columns; 'none' would do"]),
    "a function that takes no symbols": (model(lambda self, x, edge_index: torch.remainder(x, 2)), None, ["the function remainder() has no counterpart"]),
    "a tensor of a value": (model(lambda self, x, edge_index: torch.full((3,), x[0, 0])), None, ["rows are selected"]),
    "an autograd function": (model(lambda self, x, edge_index: Own.apply(x)), None, ["the function cumsum() has no counterpart"]),
    "quantiles at nodes": (model(lambda self, x, edge_index: self.aggr(x[edge_index[0]], edge_index[1], dim_size=10), aggr=pyg.QuantileAggregation(0.5)), None,
                           ["aggr (QuantileAggregation): QuantileAggregation over the edges at a node; those over the batch are there (called at refusals.py:"]),
    "another quantile": (model(lambda self, x, edge_index, batch: self.aggr(x, batch), aggr=pyg.QuantileAggregation(0.5, interpolation="nearest")),
                         {"batch": torch.arange(10) // 5}, ["interpolation = 'nearest', fill_value = 0.0; 'linear' and 0.0 would do"]),
    "kinds that are no types": (model(lambda self, x, edge_index, kind: self.lin(x, kind), lin=pyg.HeteroLinear(4, 2, 3)), {"kind": torch.arange(10) % 3},
                                ["lin (HeteroLinear): types of rows that are no node_type of the data"]),
    "the batch of all nodes behind a pooling": (model(lambda self, x, edge_index, batch: pyg.global_add_pool(self.pool(x, edge_index, None, batch)[0], batch),
                                                      pool=pyg.TopKPooling(4)), {"batch": torch.arange(10) // 5},
                                                ["values are reduced over the batch of all nodes, and have rows of those that a pooling keeps"]),
    "no share of nodes": (model(lambda self, x, edge_index: self.pool(x, edge_index)[0].sum(dim=0), pool=pyg.TopKPooling(4, ratio=0.0)), None,
                          ["pool (TopKPooling): ratio = 0.0; expected a share between 0 and 1, a number of nodes, or min_score"]),
    "a pooling of all graphs": (model(lambda self, x, edge_index, batch: pyg.global_add_pool(*self.pool(x, edge_index)[::3]), pool=pyg.TopKPooling(4)),
                                {"batch": torch.arange(10) // 5}, ["batch is not given, and the data has a batch: it would see all graphs as one"]),
    "a pool of all graphs": (model(lambda self, x, edge_index, batch: pyg.global_add_pool(x, None)), {"batch": torch.arange(10) // 5},
                             ["global_add_pool: batch is not given, and the data has a batch"]),
    "near nodes of all graphs": (model(lambda self, x, edge_index, batch: self.conv(x), conv=pyg.DynamicEdgeConv(nn.Linear(8, 2), 3)),
                                 {"batch": torch.arange(10) // 5}, ["conv (DynamicEdgeConv): batch is not given, and the data has a batch"]),
    "two layers of an aggregation": (model(lambda self, x, edge_index: self.aggr(x[edge_index[0]], edge_index[1]), aggr=pyg.LSTMAggregation(4, 3, num_layers=2)),
                                     None, ["num_layers = 2, bidirectional = False; one layer in one direction would do"]),
    "softmax out of nodes": (model(lambda self, x, edge_index: softmax(x[edge_index[0]], edge_index[0], num_nodes=x.size(0))), None,
                             ["softmax over the edges out of a node"]),
    "loops beside stored ones": (model(lambda self, x, edge_index: self.conv(x, add_self_loops(edge_index)[0]), conv=pyg.SAGEConv(4, 2)), None,
                                 ["add_remaining_self_loops would do"]),
    "some edges": (model(lambda self, x, edge_index: self.conv(x, edge_index[:, 3:]), conv=pyg.SAGEConv(4, 2)), None,
                   ["a part of edge_index is selected"]),
    "a missing field": (model(lambda self, x, edge_index, pos: x + pos), None,
                        ["forward takes 'pos', which the data does not have; it has x, edge_index"]),
    "no edges": (model(lambda self, x, edge_index: x), "none", ["the data has no edge_index; it has x"]),
    "a pair of features": (model(lambda self, x, edge_index: self.conv((x, x + 1), edge_index), conv=pyg.SAGEConv(4, 2)), None,
                           ["bipartite graphs"]),
    "a norm of all graphs": (model(lambda self, x, edge_index, batch: self.norm(x), norm=pyg.GraphNorm(4)), {"batch": torch.arange(10) // 5},
                             ["norm (GraphNorm): batch is not given, and the data has a batch"]),
    "hooks": (model(lambda self, x, edge_index: self.conv(x, edge_index), conv=hooked), None, ["conv (GCNConv): forward hooks are not run"]),
    "a lazy layer": (model(lambda self, x, edge_index: self.lin(x), lin=lazy()), None,
                     ["lin.weight has no shape yet: run the model on its data once"]),
    "an error of its own": (model(lambda self, x, edge_index: x + self.nothing), None, ["forward at refusals.py:", "has no attribute 'nothing'"]),
    "no result": (model(lambda self, x, edge_index: None), None, ["forward returns nothing that depends on the inputs"]),
    "pairs of nodes": (Pairs(), {"edge_label_index": torch.tensor([[0, 1, 2], [3, 4, 5]])},
                       ["rows are selected by edge_label_index: export the method that computes the rows, such as method = \"encode\""]),
    "an infinite number": (model(lambda self, x, edge_index: x * float("inf")), None, ["the number inf cannot be written"]),
    "relations over node numbers": (model(lambda self, edge_index, edge_type: self.conv(None, edge_index, edge_type), conv=pyg.RGCNConv(10, 3, 2)),
                                    {"edge_type": torch.zeros(30, dtype=torch.long)}, ["num_bases would do"]),
}


def refusals(counts):
    for name, (net, more, expected) in CASES.items():
        given = {"x": torch.randn(10, 4)} if more == "none" else data(**(more or {}))
        try:
            gnnc_export.translate(net, given, "net")
            counts.check(f"{name}: is exported", False)
        except gnnc_export.Unsupported as e:
            missing = [words for words in expected if not any(w in str(e) for w in words.split("|"))]
            counts.check(f"{name}: {missing} is not in\n{e}", not missing and str(e).startswith(f"{type(net).__name__} cannot be exported:\n"))
    try:
        gnnc_export.translate(CASES["several causes"][0], data(), "net")
    except gnnc_export.Unsupported as e:
        counts.check(f"all causes at once: {e.problems}", len(e.problems) == 4)
    try:
        gnnc_export.translate(pyg.GCNConv(4, 3), data(), "no-name")
    except gnnc_export.Unsupported as e:
        counts.check("the name of the model", "'no-name' is no name of a model" in str(e))
    for word, method, given, message in (("model", "forward", data(), "'model' is a word of the language, and no name of a model"),
                                         ("net", "nosuch", data(), "it has no method 'nosuch'"),
                                         ("net", "forward", [data()], "the data is a list of 1 Data; expected a Data, a HeteroData or a dictionary")):
        try:
            gnnc_export.translate(pyg.GCNConv(4, 3), given, word, method)
            counts.check(f"{message}: is exported", False)
        except gnnc_export.Unsupported as e:
            counts.check(f"{message} is not in\n{e}", message in str(e))


def without_edges(counts, folder):
    """A model that takes no edges needs none in the data; the file has none."""
    net = model(lambda self, x, batch: self.conv(x, batch), conv=pyg.DynamicEdgeConv(nn.Linear(8, 2), 3))
    gnnc_export.export(net, {"x": torch.randn(10, 4), "batch": torch.arange(10) // 5}, f"{folder}/points")
    found = subprocess.run([options["gnnc"], "--target=c", f"{folder}/points.gnn", "--weights", f"{folder}/points.weights.safetensors", "--graph",
                            f"{folder}/points.graph.safetensors", "-o", f"{folder}/points.c"], capture_output=True, text=True)
    counts.check(f"a model without edges: {found.stderr}", found.returncode == 0)


def names(counts):
    """The exporter knows the names of all layers of the library."""
    listed = subprocess.run([options["gnnc"], "--print-library=zzzzzzzzzzzzzzzzzz"], capture_output=True, text=True).stderr
    missing = set(listed.partition("it has ")[2].replace(",", "").split()) - gnnc_layers.RESERVED
    counts.check(f"names of layers that the exporter does not know: {missing}", listed and not missing)


def warnings(counts):
    twice = data()
    twice.edge_index[:, :2] = 3
    _, _, t = gnnc_export.translate(pyg.GCNConv(4, 3), twice, "net")
    counts.check(f"two stored loops: {t.fields.warnings}", "node 3 has" in t.fields.warnings[0] and "stored self loops" in t.fields.warnings[0])
    net = model(lambda self, x, edge_index: (F.dropout(x, p=0.3), edge_index, torch.ones(3)))
    text, _, t = gnnc_export.translate(net, data(), "net")
    counts.check(f"active dropout, results that are no outputs: {t.warnings}", len(t.warnings) == 3 and "active in evaluation" in t.warnings[0])
    before = {k: v.clone() for k, v in net.state_dict().items()}
    net.train()
    gnnc_export.translate(net, data(), "net")
    counts.check("the model stays in training", net.training and before.keys() == net.state_dict().keys())


def heterogeneous(counts, folder):
    """The file of a HeteroData: global numbers of nodes, types, features per type."""
    given = HeteroData()
    given["paper"].x, given["author"].x = torch.rand(3, 4), torch.rand(2, 5)
    given["author", "writes", "paper"].edge_index = torch.tensor([[0, 1, 1], [2, 0, 1]])
    given["paper", "cites", "paper"].edge_index = torch.tensor([[0], [2]])
    gnnc_export.export_data(given, f"{folder}/hetero")
    with open(f"{folder}/m.gnn", "w") as f:
        f.write("model m {\n  graph g { nodes paper, author; edges writes, cites; }\n  input x.paper : node f32[4];\n  input x.author : node f32[5];\n"
                "  for n in g.nodes.paper { n.h = sum(n.x); }\n  for n in g.nodes.author { n.h = mean(n.x); }\n"
                "  for n in g.nodes { n.y = n.h + sum(e in n.incoming: e.src.h); }\n  output y = n.y;\n}\n")
    with open(f"{folder}/hetero.graph.safetensors", "rb") as f:
        whole = f.read()
    size = int.from_bytes(whole[:8], "little")
    head = json.loads(whole[8:8 + size])

    def tensor(name):
        kind = {"F32": torch.float32, "I64": torch.int64}[head[name]["dtype"]]
        begin, end = head[name]["data_offsets"]
        return torch.frombuffer(bytearray(whole[8 + size + begin:8 + size + end]), dtype=kind).reshape(head[name]["shape"])
    counts.check("edges of all relations", tensor("edge_index").tolist() == [[3, 4, 4, 0], [2, 0, 1, 2]])
    counts.check("types", tensor("edge_type").tolist() == [0, 0, 0, 1] and tensor("node_type").tolist() == [0, 0, 0, 1, 1])
    counts.check("features per type", torch.equal(tensor("x.author"), given["author"].x) and
                 head["__metadata__"] == {"num_nodes": "5", "num_node_types": "2", "num_relations": "2", "node_types": "paper|author",
                                          "relations": "writes|cites"})
    run = subprocess.run([options["gnnc"], "--target=c", "m.gnn", "--graph", "hetero.graph.safetensors", "-o", "m.c"], cwd=folder,
                         capture_output=True, text=True)
    counts.check(f"a model of the file: {run.stderr}", run.returncode == 0)
    for forward, reason in ((lambda self, z_dict: z_dict["paper"], "forward takes 'z_dict', which no type of the data has"),
                            (lambda self, x_dict: x_dict["paper"] + x_dict["author"], "values of the nodes 'paper' and 'author' are combined"),
                            (lambda self, x_dict, edge_index_dict: self.conv((x_dict["author"], x_dict["paper"]), edge_index_dict["author", "writes", "paper"]),
                             "a pair of features for sources and destinations: bipartite graphs")):
        try:
            gnnc_export.translate(model(forward, conv=pyg.SGConv(4, 3)), given, "net")
        except gnnc_export.Unsupported as e:
            counts.check(f"a heterogeneous model: {e}", reason in str(e))
        else:
            counts.check(f"a heterogeneous model is exported: {reason}", False)


def read_head(path):
    with open(path, "rb") as f:
        return json.loads(f.read(int.from_bytes(f.read(8), "little")))


def export_data(given, path):
    """What export_data writes (the names of fields and the metadata), its warnings, and its message where it refuses."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            gnnc_export.export_data(given, path)
    except gnnc_export.Unsupported as e:
        return None, None, str(e)
    head = read_head(f"{path}.graph.safetensors")
    return head, head.pop("__metadata__"), said.getvalue()


def papers():
    given = HeteroData()
    given["author"].x, given["paper"].x = torch.rand(2, 5), torch.rand(3, 4)
    given["author", "writes", "paper"].edge_index = torch.tensor([[0, 1, 1], [2, 0, 1]])
    given["paper", "cites", "paper"].edge_index = torch.zeros(2, 0, dtype=torch.long)
    return given


def typed_data(counts, folder):
    """Edges of a HeteroData are checked against the nodes of their own types; nothing is lost without a word."""
    writes, path = ("author", "writes", "paper"), f"{folder}/typed"
    for name, edges, message in (("a source of another type", [[0, 2], [0, 1]],
                                  "the relation ('author', 'writes', 'paper'): edge 1 has the source 2, but there are 2 nodes of the type 'author'"),
                                 ("a target out of range", [[0], [3]], "edge 0 has the target 3, but there are 3 nodes of the type 'paper'"),
                                 ("a negative end", [[0], [-1]], "edge 0 has the target -1, but there are 3 nodes of the type 'paper'"),
                                 ("a float edge_index", [[0.0], [1.0]], "edge_index is float32 [2, 1]; expected whole numbers [2, edges]")):
        given = papers()
        given[writes].edge_index = torch.tensor(edges)
        said = export_data(given, path)[2]
        counts.check(f"{name}: {said}", message in said and not os.path.exists(f"{path}.graph.safetensors"))
    given = papers()
    given["paper", "about", "topic"].edge_index = torch.tensor([[0], [0]])
    said = export_data(given, path)[2]
    counts.check(f"a type that is not there: {said}",
                 "('paper', 'about', 'topic') joins nodes of the type 'topic', which the data does not have" in said)
    given = papers()
    given["topic"].x = torch.rand(0, 2)
    head, metadata, said = export_data(given, path)
    counts.check(f"a type without nodes, a relation without edges: {metadata} {said}", metadata["num_node_types"] == "3" and not said
                 and metadata["num_relations"] == "2" and metadata["node_types"] == "author|paper|topic")
    given[writes].edge_attr, given["paper"].words = torch.rand(3, 2), torch.rand(7)
    head, _, said = export_data(given, path)
    counts.check(f"fields that are left out: {said}", "edge_attr" not in head and "words.paper" not in head
                 and "'edge_attr' is left out: ('paper', 'cites', 'paper') has none" in said
                 and "'words' of the type 'paper' is left out: it is [7], and there are 3 nodes of the type" in said)
    given["paper", "cites", "paper"].edge_attr = torch.rand(0, 5)
    head, _, said = export_data(given, path)
    counts.check(f"widths that differ: {said}",
                 "that of ('author', 'writes', 'paper') is [3, 2], that of ('paper', 'cites', 'paper') is [0, 5]" in said)
    given = papers()
    given["paper"].y, given["paper"].train_mask = torch.tensor([0, 2, 1]), torch.tensor([True, False, True])
    fields = gnnc_files.Fields(given)
    counts.check(f"labels and masks: {list(fields.tensors)}", fields.tensors["y"].tolist() == [-1, -1, 0, 2, 1] and "y.paper" not in fields.tensors
                 and fields.tensors["train_mask"].tolist() == [False, False, True, False, True])


def checked_data(counts, folder):
    """The data of one type: ends of edges. After an error none of the files is there."""
    path = f"{folder}/plain"
    given = data()
    given.edge_index[1, 4] = 10
    said = export_data(given, path)[2]
    counts.check(f"a node that is not there: {said}", "edge_index: edge 4 has the target 10, but there are 10 nodes" in said)
    try:
        gnnc_export.export(pyg.GCNConv(4, 3), given, path)
        counts.check("edges out of range are exported", False)
    except gnnc_export.Unsupported as e:
        counts.check(f"a node that is not there: {e}",
                     str(e) == "GCNConv cannot be exported:\n  edge_index: edge 4 has the target 10, but there are 10 nodes")
    for net, words in ((pyg.GCNConv(5, 3), "the model (GCNConv): 'x' has 4 columns; expected 5"),
                       (model(lambda self, x, edge_index: self.lin(self.conv(x, edge_index)), conv=pyg.SAGEConv(4, 3), lin=nn.Linear(6, 2)),
                        "lin (Linear): its input has 3 columns; expected 6")):
        try:
            gnnc_export.export(net, data(), path)
            counts.check(f"{words}: is exported", False)
        except gnnc_export.Unsupported as e:
            counts.check(f"{words} is not in\n{e}", words in str(e))
    given.edge_index = given.edge_index.float()
    said = export_data(given, path)[2]
    counts.check(f"edges of floats: {said}", "edge_index is float32 [2, 30]; expected whole numbers [2, edges]" in said)
    os.mkdir(f"{path}.graph.safetensors")
    try:
        gnnc_export.export(pyg.GCNConv(4, 3), data(), path)
        counts.check("a folder is no file", False)
    except OSError as e:
        counts.check(f"a folder in the way: {e}", e.filename == f"{path}.graph.safetensors")
    counts.check(f"no part of the files: {os.listdir(folder)}",
                 [n for n in os.listdir(folder) if n.startswith("plain")] == ["plain.graph.safetensors"])


def command_line(counts, folder):
    with open(f"{folder}/my_module.py", "w") as f:
        f.write("import torch\nfrom torch_geometric.nn import GCNConv, TopKPooling\n\n\ndef make_model():\n    return GCNConv(4, 3)\n\n\n"
                "class Bad(torch.nn.Module):\n    def forward(self, x, edge_index):\n        return x.sum()\n\n\nbad = Bad()\n"
                "number = 3\n\n\ndef nothing_made():\n    pass\n\n\ndef of_width(width):\n    return GCNConv(width, 3)\n\n\n"
                "def fails():\n    raise KeyError('width')\n")
    with open(f"{folder}/broken.py", "w") as f:
        f.write("def f(:\n")
    conv = pyg.GCNConv(4, 3)
    torch.save(conv.state_dict(), f"{folder}/model.pt")
    torch.save(data().to_dict(), f"{folder}/cora.pt")
    torch.save([data().to_dict(), data().to_dict()], f"{folder}/list.pt")
    torch.save(nn.Linear(4, 3), f"{folder}/whole.pt")
    paths = [p for p in sys.path if "stub" in p or p.endswith("python")]

    def run(*words):
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([sys.executable, "-m", "gnnc_export", *words], cwd=folder, env=env, capture_output=True, text=True)
    good = run("my_module:make_model", "--state", "model.pt", "--data", "cora.pt", "-o", "cora_gcn")
    written = ["cora_gcn.gnn", "cora_gcn.weights.safetensors", "cora_gcn.graph.safetensors"]
    counts.check(f"the command: {good.stdout}{good.stderr}", good.returncode == 0 and good.stdout.split() == written)
    gnnc = subprocess.run([options["gnnc"], "--target=c", written[0], "--weights", written[1], "--graph", written[2], "-o", "cora_gcn.c"], cwd=folder,
                          capture_output=True, text=True)
    counts.check(f"gnnc takes the files: {gnnc.stderr}", gnnc.returncode == 0)
    for words, message in ((("my_module:bad", "--data", "cora.pt", "-o", "bad"), "Bad cannot be exported:\n  forward at my_module.py:11: sum over"),
                           (("my_module:nothing", "--data", "cora.pt", "-o", "bad"), "has no attribute 'nothing'"),
                           (("no_such_module:f", "--data", "cora.pt", "-o", "bad"), "No module named 'no_such_module'"),
                           (("my_module", "--data", "cora.pt", "-o", "bad"), "is not of the form module:function"),
                           (("my_module:make_model", "--data", "missing.pt", "-o", "bad"), "missing.pt"),
                           (("my_module:make_model", "--state", "cora.pt", "--data", "cora.pt", "-o", "bad"), "Error(s) in loading state_dict"),
                           (("my_module:make_model", "--data", "cora.pt", "--method", "nosuch", "-o", "bad"), "it has no method 'nosuch'"),
                           (("my_module:make_model", "--data", "list.pt", "-o", "bad"), "the data is a list of 2 dict; expected a Data"),
                           (("my_module:make_model", "--state", "whole.pt", "--data", "cora.pt", "-o", "bad"),
                            "whole.pt: it holds a Linear; expected a state_dict"),
                           (("my_module:make_model", "--data", "my_module.py", "-o", "bad"), "my_module.py: torch.load cannot read it ("),
                           (("my_module:make_model", "--data", "cora_gcn.graph.safetensors", "-o", "bad"),
                            "cora_gcn.graph.safetensors: it is a safetensors file; expected a file that torch.save wrote"),
                           (("my_module:number", "--data", "cora.pt", "-o", "bad"), "my_module:number is an int; expected a torch.nn.Module, or"),
                           (("my_module:nothing_made", "--data", "cora.pt", "-o", "bad"), "returned None; expected a torch.nn.Module"),
                           (("my_module:of_width", "--data", "cora.pt", "-o", "bad"), "my_module:of_width takes 'width'; expected a function"),
                           (("my_module:fails", "--data", "cora.pt", "-o", "bad"), "my_module:fails failed: KeyError: 'width'"),
                           (("broken:f", "--data", "cora.pt", "-o", "bad"), "broken cannot be imported: SyntaxError"),
                           (("my_module:make_model", "--data", "cora.pt", "-o", "no/such/folder/bad"), "No such file or directory")):
        found = run(*words)
        counts.check(f"{' '.join(words)}: {found.stderr}", found.returncode == 1 and message in found.stderr and "Traceback" not in found.stderr
                     and found.stderr.startswith("gnnc_export: error: "))
    counts.check("no files of what failed", not [n for n in os.listdir(folder) if re.match(r"bad|.*\.tmp", n)])


def main():
    counts = harness.Counts("import.refusals")
    refusals(counts)
    warnings(counts)
    names(counts)
    with tempfile.TemporaryDirectory() as folder:
        without_edges(counts, folder)
        heterogeneous(counts, folder)
        typed_data(counts, folder)
        checked_data(counts, folder)
        command_line(counts, folder)
    counts.finish()


main()
