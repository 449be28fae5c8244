"""Exports every class Net, GCN, GAT, SAGE or GNN of the examples of PyTorch Geometric, and writes the table of docs/import.md.

    python3 test/import/examples.py --pyg DIR [--bin build/bin] [--write]

DIR is a checkout of PyTorch Geometric (tag 2.6.1) with its examples. A class is taken from its file as it is, with the file's imports; data
sets are replaced by small random graphs with their fields. Packages that are not installed are replaced by empty ones. Each exported model
is compiled and compared with its own forward, where that runs here."""
import argparse
import ast
import contextlib
import importlib.abc
import importlib.machinery
import io
import os
import re
import sys
import types
import warnings

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
PAGE = os.path.join(ROOT, "docs/import.md")
CLASSES = re.compile(r"(Net|GCN|GAT|SAGE|GNN)")
NODES, EDGES, FEATURES, CLASSES_OUT = 40, 160, 12, 5

# How an example makes its model, where it is not `Class()`; and the fields of its data beside x and edge_index. ATTR is a vector of
# numbers in 0 .. 1 per edge; "method" is what the example calls.
HOW = {
    "arma": ("Net(12, 16, 5)",),
    "autoencoder": ("GCNEncoder(12, 8)",),
    "cluster_gcn_ppi": ("Net(12, 16, 5, num_layers=6)",),
    "cluster_gcn_reddit": ("Net(12, 5)",),
    "colors_topk_pool": ("Net(12)", "batch attn"),
    "cora": ("Net()", "attr1"),
    "dgcnn_classification": ("Net(5, k=20)", "pos batch"),
    "dgcnn_segmentation": ("Net(5, k=20)", "pos batch colors"),
    "dna": ("Net(12, 32, 5, num_layers=5, heads=8, groups=16)",),
    "egc": ("Net(hidden_channels=24, num_layers=4, num_heads=4, num_bases=4)", "atoms adj_t batch"),
    "faust": ("Net()", "attr3 one"),
    "film": ("Net(12, 16, 5, num_layers=4, dropout=0.1)",),
    "gat": ("GAT(12, 8, 5, heads=8)",),
    "gcn": ("GCN(12, 16, 5)",),
    "gcn2_cora": ("Net(hidden_channels=16, num_layers=8, alpha=0.1, theta=0.5)", "adj_t weight"),
    "gcn2_ppi": ("Net(hidden_channels=16, num_layers=9, alpha=0.5, theta=1.0, shared_weights=False)", "adj_t weight"),
    "graph_saint": ("Net(hidden_channels=16)", "weight"),
    "link_pred": ("Net(12, 16, 8)", "", "encode"),
    "mem_pool": ("Net(12, 16, 5, dropout=0.1)", "batch"),
    "mnist_graclus": ("Net()", "attr2 pos batch"),
    "mnist_nn_conv": ("Net()", "attr2 pos batch"),
    "mnist_voxel_grid": ("Net()", "attr2 pos batch"),
    "ogbn_papers_100m": ("SAGE(12, 5)",),
    "ogbn_papers_100m_cugraph": ("SAGE(12, 5)",),
    "ogbn_products_gat": ("GAT(12, 8, 5, num_layers=3, heads=4)",),
    "ogbn_products_sage": ("SAGE(12, 16, 5, num_layers=3)",),
    "pna": ("Net()", "molecule batch"),
    "point_transformer_classification": ("Net(12, 5, dim_model=[8, 16], k=4)", "pos batch"),
    "point_transformer_segmentation": ("Net(12, 5, dim_model=[8, 16], k=4)", "pos batch"),
    "pointnet2_classification": ("Net()", "pos batch"),
    "pointnet2_segmentation": ("Net(5)", "pos batch"),
    "proteins_diff_pool.GNN": ("GNN(12, 16, 8)", "dense"),
    "proteins_diff_pool.Net": ("Net()", "dense"),
    "proteins_dmon_pool": ("Net(12, 5)", "batch"),
    "proteins_gmt": ("Net()", "batch"),
    "proteins_mincut_pool": ("Net(12, 5)", "batch"),
    "proteins_topk_pool": ("Net()", "batch small"),
    "qm9_nn_conv": ("Net()", "attr5 batch"),
    "randlanet_classification": ("Net(3, 5)", "pos batch ptr"),
    "randlanet_segmentation": ("Net(3, 5)", "pos batch ptr"),
    "reddit": ("SAGE(12, 16, 5)",),
    "rev_gnn": ("GNNBlock(12, 12)",),
    "rgcn": ("Net()", "types"),
    "shadow": ("GNN(12, 16, 5)", "batch root"),
    "sign": ("Net()", "xs"),
    "triangles_sag_pool": ("Net(12)", "batch attn"),
    "upfd": ("Net('GCN', 12, 16, 5, concat=True)", "batch"),
}


class Anything(types.ModuleType):
    """A package that is not installed: any name in it can be imported, called and inherited from."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *args, **kwargs: None, "__getattr__": lambda self, n: None})


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds Anything for packages that examples import and that are not here."""
    NAMES = ("ogb", "pytorch_lightning", "matplotlib", "networkx", "rdkit", "sklearn", "tqdm", "torchvision", "tensorboard", "cugraph",
             "cupy", "rmm", "torchmetrics", "captum", "pandas", "datasets", "nltk", "IPython", "psutil", "torch.utils.tensorboard", "pylibcugraph", "cudf")

    def find_spec(self, name, path, target=None):
        if name.startswith(self.NAMES):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Anything(spec.name)

    def exec_module(self, module):
        module.__path__ = []


def classes_of(folder):
    """(key, file, source) of every class that counts."""
    for file in sorted(os.listdir(folder)):
        if file.endswith(".py"):
            with open(os.path.join(folder, file), encoding="utf-8") as f:
                tree = ast.parse(f.read())
            found = [c.name for c in tree.body if isinstance(c, ast.ClassDef) and CLASSES.match(c.name)
                     and any(ast.unparse(b).endswith("Module") for b in c.bases)]
            for name in found:
                yield file[:-3] + (f".{name}" if len(found) > 1 else ""), file, name, tree


def is_literal(node):
    """Whether the statement gives a constant a name."""
    if not isinstance(node, ast.Assign) or ast.unparse(node.targets[0]) in ("dataset", "device", "dim"):
        return False
    with contextlib.suppress(ValueError):
        ast.literal_eval(node.value)
        return True
    return False


def namespace_of(folder, file, tree, torch, data):
    """The names that a class of the file sees: its imports, its functions and classes, and stand-ins for its data set and options."""
    module = types.ModuleType(file[:-3])
    space = vars(module)
    sys.modules[f"example_{file[:-3]}"] = module
    module.__name__ = f"example_{file[:-3]}"
    dataset = types.SimpleNamespace(num_features=FEATURES, num_node_features=FEATURES, num_classes=CLASSES_OUT, num_relations=4, num_edge_features=2,
                                    num_nodes=NODES)
    args = types.SimpleNamespace(channels=16, num_layers=3, dropout=0.5, use_gdc=False, use_multi_aggregators=False, hidden_channels=16)
    space.update(dataset=dataset, train_dataset=dataset, data=data, args=args, d=dataset, device="cpu", dim=16, K=2, deg=torch.tensor([0, 4, 8, 3, 1]),
                 avg_num_nodes=12, max_nodes=20, transform=None)
    for node in tree.body:
        if not isinstance(node, (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef)) and not is_literal(node):
            continue
        if isinstance(node, ast.ImportFrom) and os.path.exists(os.path.join(folder, f"{node.module}.py")):       # another example
            with open(os.path.join(folder, f"{node.module}.py"), encoding="utf-8") as f:
                other = namespace_of(folder, f"{node.module}.py", ast.parse(f.read()), torch, data)
            space.update({a.name: other[a.name] for a in node.names})
            continue
        with contextlib.suppress(ImportError, NameError, AttributeError):
            exec(compile(ast.Module([node], []), os.path.join(folder, file), "exec"), space)
    if file == "rgcn.py":
        space["Conv"] = space["FastRGCNConv"]
    return space


def data_of(torch, words):
    """The data of an example: a random graph with the fields that `words` names."""
    from torch_geometric.data import Data
    torch.manual_seed(3)
    ends = torch.randint(0, NODES, (2, EDGES))
    fields = {"x": torch.randn(NODES, FEATURES), "edge_index": ends}
    for k in "1235":
        if f"attr{k}" in words:
            fields["edge_attr"] = torch.rand(EDGES, int(k))
    if "one" in words:
        fields["x"] = torch.ones(NODES, 1)
    if "attn" in words:
        fields["attn"] = torch.rand(NODES)
    if "colors" in words:
        fields["x"] = torch.rand(NODES, 3)
    if "small" in words:
        fields["x"] *= 0.01                              # scores below 1: equal ones would stay in another order
    if "weight" in words:
        fields["edge_weight"] = torch.rand(EDGES)
    if "batch" in words:
        fields["batch"] = torch.arange(NODES) // 10
        ends[1] = ends[0] // 10 * 10 + ends[1] % 10
    if "pos" in words:
        fields["pos"] = torch.rand(NODES, 3)
    if "ptr" in words:
        fields["ptr"] = torch.arange(0, NODES + 1, 10)
    if "types" in words:
        del fields["x"]
        fields["edge_type"] = torch.randint(0, 4, (EDGES,))
    if "root" in words:
        fields["root_n_id"] = torch.arange(0, NODES, 10)
    if "molecule" in words:
        fields["x"], fields["edge_attr"] = torch.randint(0, 21, (NODES, 1)), torch.randint(0, 4, (EDGES,))
    if "atoms" in words:
        fields["x"] = torch.randint(0, 2, (NODES, 9))
    if "xs" in words:
        return {"xs": [torch.randn(NODES, FEATURES) for _ in range(3)], "edge_index": ends}
    if "dense" in words:
        return {"x": torch.randn(2, 20, FEATURES), "adj": torch.rand(2, 20, 20), "edge_index": ends}
    if "adj_t" in words:
        value = fields.pop("edge_weight", None)
        fields.pop("edge_index")
        ends = torch.unique(ends, dim=1)
        value = torch.ones(ends.shape[1]) if value is None else value[:ends.shape[1]]
        adjacency = torch.sparse_coo_tensor(ends.flip(0), value, (NODES, NODES)).coalesce().to_sparse_csr()
        adjacency.set_value = lambda value: ends         # a SparseTensor has it; PyTorch Geometric's EGConv wants edge_index here
        return {**fields, "adj_t": adjacency}
    return Data(num_nodes=NODES, **fields)


def spline_functions(torch):
    """What torch_spline_conv computes, for splines of degree 1: the weights of the corners of the cell that holds a point."""
    def basis(pseudo, kernel_size, is_open_spline, degree):
        at = pseudo * (kernel_size - is_open_spline.long() * degree).to(pseudo.dtype)
        low = at.floor()
        part, weights, numbers, step = at - low, [], [], 1
        for corner in range(2 ** pseudo.shape[1]):
            weight, number, step = 1.0, 0, 1
            for d in range(pseudo.shape[1]):
                bit = corner >> d & 1
                weight = weight * (part[:, d] if bit else 1 - part[:, d])
                number = number + (low[:, d].long() + bit) % kernel_size[d] * step
                step *= int(kernel_size[d])
            weights.append(weight)
            numbers.append(number)
        return torch.stack(weights, 1), torch.stack(numbers, 1)

    def weighting(x, weight, basis, index):
        return sum(basis[:, k:k + 1] * torch.einsum("ef,efo->eo", x, weight[index[:, k]]) for k in range(basis.shape[1]))

    return basis, weighting


def atom_encoder(torch):
    """What OGB's AtomEncoder computes: the sum of an embedding per column of features."""
    class AtomEncoder(torch.nn.Module):
        def __init__(self, emb_dim):
            super().__init__()
            self.atom_embedding_list = torch.nn.ModuleList(torch.nn.Embedding(n, emb_dim) for n in (119, 5, 12, 12, 10, 6, 6, 2, 2))

        def forward(self, x):
            y = 0
            for k in range(x.shape[1]):
                y += self.atom_embedding_list[k](x[:, k])
            return y

    return AtomEncoder


def outcome(torch, key, file, name, tree, folder):
    """(exports, text): what happens with one class."""
    import gnnc_export
    import gnnc_torch
    how = HOW.get(key, (f"{name}()",))
    words = how[1].split() if len(how) > 1 else []
    method = how[2] if len(how) > 2 else "forward"
    data = data_of(torch, words)
    space = namespace_of(folder, file, tree, torch, data)
    if "AtomEncoder" in space:
        space["AtomEncoder"] = atom_encoder(torch)
    torch.manual_seed(1)
    try:
        model = eval(how[0], space).eval()
    except Exception as e:
        return False, f"the model cannot be made: {type(e).__name__}: {e}"
    for t in model.parameters():
        t.data += 0.1 * torch.randn_like(t)
    for t in (b for b in model.buffers() if b.is_floating_point()):
        t.data += 0.1 * torch.rand_like(t)               # variances stay positive
    try:
        text, tensors, t = gnnc_export.translate(model, data, "net", method)
    except gnnc_export.Unsupported as e:
        return False, e.problems[0]
    shapes = {k: tuple(v.shape) for k, v in tensors.items()}
    try:
        library = gnnc_torch.compile_text(text, shapes, lambda to: gnnc_torch.write_safetensors(to, tensors))
    except gnnc_torch.CompileError as e:
        found = re.findall(r"error: (.*?)(?:   \[|\n)", str(e)) or [str(e)[-200:]]
        return False, "gnnc: " + found[0]
    net = gnnc_torch.Model(gnnc_torch.Program(library), tensors)
    got = net.outputs(t.fields.tensors, num_nodes=t.fields.num_nodes)
    import torch.nn.functional as functional
    drop = functional.dropout
    functional.dropout = lambda x, p=0.5, training=True, inplace=False: x        # some examples drop in evaluation too
    try:
        with torch.no_grad():
            import inspect
            parameters = list(inspect.signature(getattr(model, method)).parameters)
            source = data if isinstance(data, dict) else data.to_dict()
            whole = parameters == ["data"]
            given = {k: source[k] for k in parameters if k in source}
            if parameters and parameters[0] not in source and not whole:
                given[parameters[0]] = source["x"]
            expected = getattr(model, method)(data) if whole else getattr(model, method)(**given)
    except Exception as e:
        return True, f"not compared: PyTorch's own forward needs what is not installed ({type(e).__name__}: {e})"[:150]
    finally:
        functional.dropout = drop
    expected = [v for v in (expected if isinstance(expected, tuple) else (expected,)) if isinstance(v, torch.Tensor)]
    differences = [float((a - b.reshape(a.shape)).abs().max()) for a, b in zip(got, expected)]
    difference, largest = max(differences), max(float(b.abs().max()) for b in expected)
    if not all(d <= 1e-5 * max(1, largest) for d in differences):  # a NaN is never less
        return False, f"the difference is {difference:.2g} at values up to {largest:.2g}"
    return True, f"{method + ': ' if method != 'forward' else ''}{text.count(chr(10))} lines, largest difference {difference:.1e} at values up to {largest:.2g}"


def layer_rows():
    """The rows of the exporter's table for the page."""
    import gnnc_layers
    lines = ["| class | layer | options |\n|---|---|---|\n"]
    for row in sorted((r for r in gnnc_layers.HANDLERS.values() if isinstance(r, gnnc_layers.Row)), key=lambda r: r.kind):
        options = sorted({text for _, text, _, _ in row.named if text.isidentifier()} | set(row.known) | {f"{k} = {v}" for k, v in row.needs})
        lines.append(f"| {row.kind} | `{row.layer}` | {', '.join(f'`{o}`' for o in options)} |\n")
    lines.append("| Linear, LayerNorm, Set2Set | `linear`, `layer_norm`, `layer_norm_graph`, `set2set` | |\n"
                 "| RGCNConv, FastRGCNConv | `rgcn_conv`, `rgcn_basis_conv`, `rgcn_block_conv` | `num_bases`, `num_blocks`, `aggr = mean` |\n"
                 "| DynamicEdgeConv | `knn_graph`, then its forward is followed | `k`, `aggr` |\n"
                 "| TopKPooling, SAGPooling | `top_k` and `induced_subgraph` | `ratio`, `min_score`, `multiplier`, `nonlinearity`, `GNN` |\n"
                 "| ASAPooling | `asa_pooling`, and `power` for the edges of its graph | `ratio`, `GNN` without options, `negative_slope`, `add_self_loops` |\n"
                 "| MemPooling | `mem_pooling`, `mem_pooling_of_rows` | `heads`, `num_clusters`, `tau`; its second result is left out |\n"
                 "| SetTransformerAggregation | `set_transformer_aggregation` | over the batch; all but `dropout` |\n"
                 "| MLPAggregation | `dense_batch`, then `MLP` | over the batch |\n"
                 "| XConv | `x_conv` | `dim`, `kernel_size`, `hidden_channels`, `dilation` |\n"
                 "| FiLMConv | a relation for each type of edges, then its forward is followed | `num_relations`, `nn`, `act`, `aggr` |\n"
                 "| HeteroLinear | `hetero_linear` | with the data's `node_type` |\n"
                 "| AttentiveFP | `attentive_fp` | |\n"
                 "| SimpleConv | `simple_conv` | `combine_root = self_loop`; its forward is followed otherwise |\n"
                 "| SortAggregation, QuantileAggregation | `sort_aggregation`, `quantile_aggregation` | over the batch; `interpolation = linear` |\n"
                 "| MultiAggregation, DegreeScalerAggregation | their parts | other `mode` than `attn` |\n"
                 "| LSTMAggregation, GRUAggregation | `incoming_lstm`, `incoming_gru`, `lstm_aggregation`, `gru_aggregation` | one layer |\n"
                 "| MedianAggregation, MulAggregation | `median`, `prod`, `median_aggregation`, `mul_aggregation` | |\n"
                 "| GRU, LSTM, GRUCell, LSTMCell | operations of the language | sequences whose length is known |\n"
                 "| GraphMultisetTransformer | operations of the language | with `batch` |\n"
                 "| any other | its forward is followed | |\n")
    return "".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pyg", required=True)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"))
    parser.add_argument("--only")
    parser.add_argument("--write", action="store_true", help="write the table into docs/import.md")
    options = parser.parse_args()
    sys.path[:0] = [os.path.join(ROOT, "python"), options.pyg]
    os.environ["GNNC"] = os.path.join(options.bin, "gnnc")
    os.environ.setdefault("GNNC_CACHE", os.path.join(options.bin, "../import-cache"))
    sys.meta_path.append(Finder())
    warnings.simplefilter("ignore")
    import torch
    import torch_geometric.nn.conv.spline_conv as spline
    if spline.spline_basis is None:
        spline.spline_basis, spline.spline_weighting = spline_functions(torch)
    import nearest
    nearest.provide()
    folder = os.path.join(options.pyg, "examples")
    rows = []
    for key, file, name, tree in classes_of(folder):
        if options.only and options.only not in key:
            continue
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            good, text = outcome(torch, key, file, name, tree, folder)
        rows.append((key, name, good, text))
        print(f"{'ok ' if good else '-- '} {key}: {text}", flush=True)
    good = sum(r[2] for r in rows)
    print(f"{good} of {len(rows)} export ({100 * good / max(1, len(rows)):.0f} %)")
    if options.write:
        with open(PAGE, encoding="utf-8") as f:
            page = f.read()
        table = "\n".join(["| example | class | exports | |", "|---|---|---|---|"] +
                          [f"| {key.split('.')[0]} | {name} | {'yes' if good else 'no'} | {text} |" for key, name, good, text in rows])
        count = f"{good} of {len(rows)} classes export, {100 * good / len(rows):.0f} %."
        page = re.sub(r"(<!-- layers -->\n).*?(<!-- end layers -->)", lambda m: m[1] + layer_rows() + m[2], page, flags=re.S)
        page = re.sub(r"(<!-- examples -->\n).*?(<!-- end -->)", lambda m: m[1] + count + "\n\n" + table + "\n" + m[2], page, flags=re.S)
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
