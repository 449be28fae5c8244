"""gnnc_torch: calls in threads and on graphs in turn give the results of one call; memory does not grow; changed weights, graphs in place,
several results, NumPy arrays; messages for wrong arguments.

    python3 test/import/torch_module.py --bin build/bin"""
import gc
import os
import subprocess
import sys
import tempfile
import threading

import harness
from harness import raises

options = harness.start("import.torch", 27)
import torch  # noqa: E402

import gnnc_export  # noqa: E402
import gnnc_torch  # noqa: E402
import models  # noqa: E402


class Scaled(torch.nn.Module):
    def forward(self, x, edge_index, scale=0.5):
        return x * scale


class Total(torch.nn.Module):
    def forward(self, x, edge_index):
        return x.sum()


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096


def graph(nodes, edges, seed):
    torch.manual_seed(seed)
    return torch.randn(nodes, models.FEATURES), torch.randint(0, nodes, (2, edges))


def in_turn(counts, model, fast):
    """100 calls on two graphs in turn, then four threads with one compiled model."""
    given = [graph(2000, 8000, 1), graph(1500, 9000, 2)]
    expected = [fast(*g).clone() for g in given]
    counts.check("two graphs in turn", all(torch.equal(fast(*given[k % 2]), expected[k % 2]) for k in range(20)))
    gc.collect()
    before = resident()
    for k in range(100):
        fast(*given[k % 2])
    gc.collect()
    counts.check(f"100 calls: memory grew by {(resident() - before) >> 20} MiB", resident() - before < 16 << 20)
    wrong = []

    def work(t):
        for k in range(25):
            if not torch.equal(fast(*given[(k + t) % 2]), expected[(k + t) % 2]):
                wrong.append(t)
    threads = [threading.Thread(target=work, args=(t,)) for t in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    counts.check("four threads on one compiled model", not wrong)
    wide = gnnc_torch.compile(model, num_threads=4)
    counts.check("num_threads = 4 gives the same bits", all(torch.equal(wide(*g), e) for g, e in zip(given, expected)))
    for k in range(10):
        fast(*graph(300, 900, k))
    gc.collect()
    before = resident()
    for k in range(60):
        fast(*graph(300, 900, k))
    gc.collect()
    counts.check(f"60 new graphs: memory grew by {(resident() - before) >> 20} MiB", resident() - before < 16 << 20)


def changes(counts, model, fast):
    """What changes is seen: weights, edges written in place, the graph's size."""
    x, edges = graph(30, 90, 3)
    with torch.no_grad():
        fast(x, edges)
        model.conv1.bias += 1
        counts.check("weights that change are bound again", torch.allclose(fast(x, edges), model(x, edges), atol=1e-5))
        edges[0, 0] = (edges[0, 0] + 5) % 30
        counts.check("edges that change in place are bound again", torch.allclose(fast(x, edges), model(x, edges), atol=1e-5))
        counts.check("x that is not contiguous", torch.allclose(fast(x.t().contiguous().t(), edges), model(x, edges), atol=1e-5))
        scaled = gnnc_torch.compile(Scaled())
        counts.check("numbers", all(torch.equal(scaled(x, edges, *more), x * (more or [0.5])[0]) for more in ([], [0.5], [2.0], [3])))
        w = torch.rand(90)
        counts.check("an optional argument", torch.allclose(fast(x, edges, edge_weight=w), model(x, edges, w), atol=1e-5))
    counts.check("its parameters are the model's", set(dict(fast.named_parameters())) == {f"model.{n}" for n, _ in model.named_parameters()})
    batch = models.made("graphs")
    data = models.graph("graphs", 4)
    with torch.no_grad():
        got, expected = gnnc_torch.compile(batch)(data), batch(data)
    counts.check("several results, from a Data", list(got) == list(expected) and all(torch.allclose(got[k], expected[k], atol=1e-4) for k in got))


class Roots(torch.nn.Module):
    """Reads the first node of each graph."""

    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(2 * models.FEATURES, 3)

    def forward(self, x, edge_index, batch):
        root = (batch[1:] - batch[:-1]).nonzero().view(-1)
        root = torch.cat([root.new_zeros(1), root + 1], dim=0)
        return self.lin(torch.cat([x[root], models.nn.global_max_pool(x, batch)], dim=-1))


class Numbers(torch.nn.Module):
    """A relational layer over the numbers of the nodes."""

    def __init__(self):
        super().__init__()
        self.conv = models.nn.FastRGCNConv(30, 4, 3, num_bases=2)

    def forward(self, edge_index, edge_type):
        return self.conv(None, edge_index, edge_type)


def of_one_graph(counts):
    """Programs that hold what follows from a graph or from weights are made again for others."""
    model, given = Roots(), []
    fast = gnnc_torch.compile(model)
    for k in range(3):
        x, edges = graph(30, 90, k)
        given.append((x, edges, torch.arange(30) * (k + 2) // 30))
    with torch.no_grad():
        counts.check("the first node of each graph", all(torch.allclose(fast(*given[k % 3]), model(*given[k % 3]), atol=1e-5) for k in range(7)))
    model = Numbers()
    fast = gnnc_torch.compile(model)
    _, edges = graph(30, 90, 3)
    kind = torch.randint(0, 3, (90,))

    def formula():
        w = torch.einsum("rb,bio->rio", model.conv.comp, model.conv.weight)
        y = torch.zeros(30, 4)
        for r in range(3):
            ends = edges[:, kind == r]
            y += models.scatter(w[r][ends[0]], ends[1], 0, 30, "mean")
        return y + model.conv.root + model.conv.bias
    with torch.no_grad():
        counts.check("relations over node numbers", torch.allclose(fast(edges, kind), formula(), atol=1e-5))
        model.conv.root += 1
        counts.check("their weights change", torch.allclose(fast(edges, kind), formula(), atol=1e-5))


def types(counts):
    """Edges that a mask selects: later graphs may have more types than the first one."""
    model = models.ByMask()
    fast = gnnc_torch.compile(model)
    x, edges = graph(30, 90, 4)
    w = torch.rand(90)
    with torch.no_grad():
        for most in (1, 3, 7, 2):
            kind = torch.arange(90) % most
            counts.check(f"{most} types of edges", torch.allclose(fast(x, edges, w, kind), model(x, edges, w, kind), atol=1e-5))
    counts.check("one program", len(fast.programs) == 1)
    relations = models.made("rgcn")
    fast = gnnc_torch.compile(relations)
    with torch.no_grad():
        fast(x, edges, torch.zeros(90, dtype=torch.long))
    words = "the type of edge or node 89 is out of bounds: the model has fewer types"
    counts.check("a type without weights", raises(IndexError, words, lambda: fast(x, edges, torch.arange(90) // 89 * 9)))
    clusters = gnnc_torch.compile(models.made("clusters"))
    both, batch = torch.cat([edges, edges.flip(0)], dim=1), torch.zeros(30, dtype=torch.long)
    with torch.no_grad():
        clusters(x, both, batch)
    one_way = both.clone()
    one_way[0, 90:] = one_way[1, 90:]
    counts.check("edges in one direction", raises(ValueError, "edge_index has edges in one direction alone", lambda: clusters(x, one_way, batch)))


def integers(counts):
    """Indices may differ in each call; one that is no row is refused, in the first call and in later ones."""
    model = models.made("embeddings")
    fast, late = gnnc_torch.compile(model), gnnc_torch.compile(model)
    with torch.no_grad():
        for seed in range(1, 6):
            given = models.arguments(model, models.graph("embeddings", seed))
            counts.check(f"integers of graph {seed}", torch.allclose(fast(**given), model(**given), atol=1e-5))
        given["atoms"] = given["atoms"].index_fill(1, torch.tensor([1]), 3)
        words = "index out of range: atoms is 3 in row 0, element 1, expected 0 to 2"
        counts.check("an index that is no row", raises(IndexError, words, lambda: fast(**given)))
        counts.check("an index that is no row in the first call", raises(IndexError, words, lambda: late(**given)))
        given["atoms"] = given["atoms"].float()
        counts.check("an index of floats", raises(RuntimeError, "expected scalar type Long but found Float (atoms)", lambda: fast(**given)))


def messages(counts, model, fast):
    x, edges = graph(30, 90, 3)
    counts.check("double", raises(RuntimeError, "expected scalar type Float but found Double (x)", lambda: fast(x.double(), edges)))
    counts.check("out of range", raises(IndexError, "index 31 is out of bounds for dimension 0 with size 30 (edge_index, edge 0)",
                                        lambda: fast(x, edges.index_fill(1, torch.tensor([0]), 31))))
    counts.check("shape of edges", raises(RuntimeError, "edge_index has the wrong shape: expected [2, edges], got [3, 90]",
                                          lambda: fast(x, torch.zeros(3, 90, dtype=torch.long))))
    counts.check("edges of floats", raises(RuntimeError, "expected scalar type Long but found Float (edge_index)", lambda: fast(x, edges.float())))
    new = gnnc_torch.compile(model)
    counts.check("edges of floats in the first call",
                 raises(RuntimeError, "expected scalar type Long but found Float (edge_index)", lambda: new(x, edges.float())))
    counts.check("shape of edges in the first call", raises(RuntimeError, "expected [2, edges], got [90]", lambda: new(x, edges[0])))
    counts.check("out of range in the first call", raises(IndexError, "index 31 is out of bounds for dimension 0 with size 30 (edge_index, edge 0)",
                                                          lambda: new(x, edges.index_fill(1, torch.tensor([0]), 31))))
    counts.check("NumPy arrays for a module", raises(TypeError, "x is a NumPy array; tensors are expected", lambda: new(x.numpy(), edges.numpy())))
    for kind, words, call in (
            (ValueError, "num_threads is 0; expected 1 or more", lambda: gnnc_torch.compile(model, num_threads=0)),
            (ValueError, "graphs is 0; expected 1 or more", lambda: gnnc_torch.compile(model, graphs=0)),
            (TypeError, "num_threads must be a whole number, not str", lambda: gnnc_torch.compile(model, num_threads="2")),
            (TypeError, "the model must be a torch.nn.Module, not int", lambda: gnnc_torch.compile(3)),
            (ValueError, "has no method 'nosuch'", lambda: gnnc_torch.compile(model, method="nosuch")),
            (TypeError, "flags is '-O2'; expected a list of strings", lambda: gnnc_torch.compile(model, flags="-O2")),
            (TypeError, "cc must be a path, not list", lambda: gnnc_torch.compile(model, cc=["cc"])),
            (TypeError, "there is no option 'flag'; expected gnnc, cc, flags", lambda: gnnc_torch.compile(model, flag=[]))):
        counts.check(f"an option: {words}", raises(kind, words, call))
    counts.check("missing argument", raises(TypeError, "missing a required argument: 'edge_index'", lambda: fast(x)))
    counts.check("another width", raises(gnnc_torch.CompileError, "conv1.lin.weight", lambda: fast(x[:, :3], edges)))
    counts.check("unsupported", raises(gnnc_export.Unsupported, "sum over all rows and columns", lambda: gnnc_torch.compile(Total())(x, edges)))
    counts.check("a compiler that is not there", raises(gnnc_torch.CompileError, "no-such-cc",
                                                        lambda: gnnc_torch.compile(model, cc="no-such-cc")(x, edges)))


def from_files(counts, model, folder):
    """load() with tensors, and with NumPy arrays in a process without PyTorch."""
    x, edges = graph(30, 90, 5)
    data = models.Data(x=x, edge_index=edges)
    stem = os.path.join(folder, "net")
    gnnc_export.export(model, data, stem)
    net = gnnc_torch.load(stem + ".gnn", stem + ".weights.safetensors")
    with torch.no_grad():
        expected = model(x, edges)
    counts.check("load", torch.allclose(net(x=x, edge_index=edges), expected, atol=1e-5))
    counts.check("a missing input", raises(TypeError, "missing the input 'x'", lambda: net(edge_index=edges)))
    counts.check("inputs without names", raises(TypeError, "inputs go by name: x=..., edge_index=...", lambda: net(x, edges)))
    counts.check("an unknown input", raises(TypeError, "there is no input 'w'; the names are x, edge_index, edge_type, node_type, batch",
                                            lambda: net(x=x, edge_index=edges, w=x)))
    counts.check("edges of floats for load", raises(RuntimeError, "expected scalar type Long but found Float (edge_index)",
                                                    lambda: net(x=x, edge_index=edges.float())))
    counts.check("edges in a list", raises(TypeError, "edge_index must be a tensor, not list", lambda: net(x=x, edge_index=edges.tolist())))
    for weights in (__file__, os.devnull):
        counts.check(f"weights from {weights}", raises(ValueError, f"{weights}: it is no safetensors file",
                                                       lambda: gnnc_torch.load(stem + ".gnn", weights)))
    cut = stem + ".cut.safetensors"
    with open(stem + ".weights.safetensors", "rb") as whole, open(cut, "wb") as part:
        part.write(whole.read()[:-4])
    counts.check("weights that are cut off", raises(ValueError, f"{cut}: it ends at byte", lambda: gnnc_torch.load(stem + ".gnn", cut)))
    counts.check("files in the wrong order", raises(ValueError, "it is no text; expected a .gnn file",
                                                    lambda: gnnc_torch.load(stem + ".weights.safetensors", stem + ".gnn")))
    try:
        import numpy
    except ImportError:
        print("NumPy is not here: its cases are left out")
        return
    got = net(x=x.numpy(), edge_index=edges.numpy())
    counts.check("NumPy arrays", isinstance(got, numpy.ndarray) and numpy.allclose(got, expected.numpy(), atol=1e-5))
    numpy.savez(stem + ".npz", x=x.numpy(), edges=edges.numpy(), y=expected.numpy())
    code = f"""
import sys
sys.modules["torch"] = None
sys.path.insert(0, {os.path.dirname(gnnc_torch.__file__)!r})
import gnnc_torch, numpy
f = numpy.load({stem + ".npz"!r})
net = gnnc_torch.load({stem + ".gnn"!r}, {stem + ".weights.safetensors"!r})
assert numpy.allclose(net(x=f["x"], edge_index=f["edges"]), f["y"], atol=1e-5)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    counts.check(f"NumPy without PyTorch: {run.stderr}", run.returncode == 0)


def main():
    counts = harness.Counts("import.torch")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GNNC_CACHE"] = os.path.join(folder, "cache")
        torch.manual_seed(1)
        model = models.made("gcn")
        fast = gnnc_torch.compile(model)
        in_turn(counts, model, fast)
        changes(counts, model, fast)
        of_one_graph(counts)
        types(counts)
        integers(counts)
        messages(counts, model, fast)
        from_files(counts, model, folder)
        counts.check("the cache holds libraries alone", all(n.endswith(".so") for n in os.listdir(os.environ["GNNC_CACHE"])))
    counts.finish()


main()
