"""gnnc_torch.compile(model, training=True): gradients of weights and of inputs against those of PyTorch, steps of torch.optim, dropout by PyTorch's
generator, running statistics, and models that are refused.

    python3 test/import/training.py --bin build/bin"""
import copy
import os
import tempfile

import harness
from harness import raises

options = harness.start("import.training", 64)
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch_geometric import nn  # noqa: E402

import gnnc_export  # noqa: E402
import gnnc_torch  # noqa: E402
import models  # noqa: E402

NODES, EDGES, WIDTH, CLASSES = 40, 160, models.FEATURES, models.CLASSES
TOLERANCE = 1e-5


class Two(torch.nn.Module):
    """Two layers with a function between them."""

    def __init__(self, conv, more=(), act=F.relu, p=0.0, heads=1):
        super().__init__()
        self.conv1, self.conv2 = conv(WIDTH, 8, *more), conv(8 * heads, CLASSES)
        self.act, self.p = act, p

    def forward(self, x, edge_index, edge_weight=None):
        more = () if edge_weight is None else (edge_weight,)
        h = F.dropout(self.act(self.conv1(x, edge_index, *more)), self.p, self.training)
        return F.log_softmax(self.conv2(h, edge_index, *more), dim=1)


class Normed(torch.nn.Module):
    """Two results, a norm, and a module that drops."""

    def __init__(self, p=0.0, momentum=0.1):
        super().__init__()
        self.conv, self.norm, self.drop = nn.SAGEConv(WIDTH, 8), torch.nn.BatchNorm1d(8, momentum=momentum), torch.nn.Dropout(p)
        self.lin = torch.nn.Linear(8, CLASSES)

    def forward(self, x, edge_index):
        h = self.drop(torch.tanh(self.norm(self.conv(x, edge_index))))
        return self.lin(h), h


class Relations(torch.nn.Module):
    """Two types of nodes; the dictionaries of their rows and edges are arguments."""

    def __init__(self):
        super().__init__()
        self.conv = nn.HeteroConv({("p", "cites", "q"): nn.SAGEConv((4, 5), 6), ("q", "rev", "p"): nn.SAGEConv((5, 4), 6)})
        self.lin = torch.nn.Linear(6, CLASSES)

    def forward(self, x_dict, edge_index_dict):
        return self.lin(self.conv(x_dict, edge_index_dict)["q"].relu())


class Detached(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(WIDTH, WIDTH)

    def forward(self, x, edge_index):
        return x + self.lin(x).detach()


class Kept(Detached):
    def __init__(self):
        super().__init__()
        self.kept = [self.lin.bias * 2]

    def forward(self, x, edge_index):
        return x * self.kept[0]


class Computed(Detached):
    def forward(self, x, edge_index):
        return x * torch.exp(self.lin.bias) + self.lin(x)


def graph(seed=1):
    torch.manual_seed(seed)
    edges = torch.randint(0, NODES, (2, EDGES))
    return torch.randn(NODES, WIDTH), edges[:, edges[0] != edges[1]]


def first(result):
    return result if isinstance(result, tuple) else (result,)


def differences(model, fast, given, needs):
    """The largest differences of outputs and gradients, each divided by the largest number."""
    results = []
    for net in (model, fast):
        model.zero_grad()
        args = [a.clone().requires_grad_(k in needs) if a.is_floating_point() else a for k, a in enumerate(given)]
        outputs = first(net(*args))
        torch.manual_seed(9)
        sum((o * torch.randn_like(o)).sum() for o in outputs).backward()
        results.append(([o.detach() for o in outputs], [p.grad.clone() for p in model.parameters()] + [args[k].grad for k in needs]))
    largest = max(float(g.abs().max()) for g in results[0][1])
    far = max(float((a - b).abs().max()) for a, b in zip(*(r[1] for r in results))) / largest
    return max(harness.difference(a, b) for a, b in zip(*(r[0] for r in results))), far


def gradients(counts):
    x, edges = graph()
    weight = torch.rand(edges.shape[1]) + 0.5
    cases = [("GCN", Two(nn.GCNConv), (x, edges), [0]), ("GCN with weights of edges", Two(nn.GCNConv), (x, edges, weight), [0]),
             ("GraphConv, weights of edges", Two(nn.GraphConv), (x, edges, weight), [0, 2]),
             ("SAGE", Two(nn.SAGEConv), (x, edges), [0]), ("GAT", Two(nn.GATConv, (2,), F.elu, heads=2), (x, edges), [0]),
             ("GIN", nn.GINConv(torch.nn.Sequential(torch.nn.Linear(WIDTH, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3)), train_eps=True), (x, edges), [0]),
             ("a function of a weight", Computed(), (x, edges), [0]), ("a norm and two results", Normed(), (x, edges), [0])]
    for name, model, given, needs in cases:
        fast = gnnc_torch.compile(model, training=True)
        for which in (needs, []):
            outputs, far = differences(model, fast, given, which)
            counts.check(f"{name}: outputs differ by {outputs:.1e}, gradients by {far:.1e}", outputs <= TOLERANCE and far <= TOLERANCE)
        with torch.no_grad():
            counts.check(f"{name}: without gradients", not any(o.requires_grad for o in first(fast(*given))))


def by_type(counts):
    torch.manual_seed(2)
    model, x = Relations(), {"p": torch.randn(7, 4), "q": torch.randn(9, 5)}
    edges = {("p", "cites", "q"): torch.stack([torch.randint(0, 7, (20,)), torch.randint(0, 9, (20,))]),
             ("q", "rev", "p"): torch.stack([torch.randint(0, 9, (20,)), torch.randint(0, 7, (20,))])}
    x["p"].requires_grad_(True)
    results = []
    for net in (model, gnnc_torch.compile(model, training=True)):
        model.zero_grad()
        x["p"].grad = None
        net(x, edges).square().sum().backward()
        results.append({**{k: p.grad.clone() for k, p in model.named_parameters() if p.grad is not None}, "x": x["p"].grad})
    far = max(harness.difference(results[1].get(k, torch.full((), float("nan"))), g) for k, g in results[0].items())
    counts.check(f"types of nodes: gradients differ by {far:.1e}", far <= TOLERANCE)


def steps(counts):
    """Five steps of an optimizer, and evaluation in between."""
    for name, make, optimizer in (("GCN", lambda: Two(nn.GCNConv), torch.optim.Adam), ("SAGE", lambda: Two(nn.SAGEConv), torch.optim.Adam),
                                  ("GAT", lambda: Two(nn.GATConv, (2,), heads=2), torch.optim.SGD)):
        torch.manual_seed(3)
        model, (x, edges) = make(), graph(4)
        other, y = copy.deepcopy(model), torch.randint(0, CLASSES, (NODES,))
        fast, losses, ends = gnnc_torch.compile(other, training=True), [], []
        for net, parameters in ((model, model.parameters()), (fast, fast.parameters())):
            rule, seen = optimizer(parameters, lr=0.05), []
            for _ in range(5):
                rule.zero_grad()
                loss = F.nll_loss(net(x, edges), y)
                loss.backward()
                rule.step()
                seen.append(float(loss))
            net.eval()
            losses.append(seen)
            with torch.no_grad():
                ends.append(net(x, edges))
            net.train()
        far = max(abs(a - b) for a, b in zip(*losses))
        counts.check(f"{name}: losses of five steps differ by {far:.1e}", far <= TOLERANCE and losses[0][0] > losses[0][4])
        counts.check(f"{name}: evaluation after five steps", harness.difference(*ends[::-1]) <= 1e-4)
        counts.check(f"{name}: a program for training and one for evaluation", len(fast.programs) == 2)


def dropout(counts):
    """The generator of PyTorch chooses; backward drops what forward has dropped."""
    (x, edges), model = graph(5), Normed(p=0.5)
    fast = gnnc_torch.compile(model, training=True)
    torch.manual_seed(11)
    one, other = fast(x, edges)[1], fast(x, edges)[1]
    torch.manual_seed(11)
    again = fast(x, edges)[1]
    counts.check("equal seeds drop the same", torch.equal(one, again) and not torch.equal(one, other))
    share = float((one == 0).float().mean())
    counts.check(f"a share of {share:.2f} is dropped", 0.35 < share < 0.65)
    wide = x.clone().requires_grad_(True)
    torch.manual_seed(12)
    fast(wide, edges)[1].sum().backward()
    direction, h = torch.randn(x.shape), 1e-2
    ends = []
    for sign in (1, -1):
        torch.manual_seed(12)
        with torch.no_grad():
            ends.append(float(fast(x + sign * h * direction, edges)[1].double().sum()))
    exact, found = float((wide.grad * direction).sum()), (ends[0] - ends[1]) / (2 * h)
    counts.check(f"the gradient is {exact:.4f}, differences give {found:.4f}", abs(exact - found) <= 0.02 * (1 + abs(exact)))
    fast.eval()
    counts.check("evaluation drops nothing", harness.difference(fast(x, edges)[0].detach(), model(x, edges)[0].detach()) <= TOLERANCE)


def attention(counts):
    """Dropout of attention is live in training: an edge of one head is dropped or counts 1 / (1 - p) times. It is off in evaluation."""
    (x, edges), p = graph(8), 0.6
    for name, conv in (("GATConv", nn.GATConv), ("GATv2Conv", nn.GATv2Conv), ("TransformerConv", nn.TransformerConv)):
        torch.manual_seed(13)
        model = conv(WIDTH, 4, heads=2, dropout=p)       # its bias is 0, where there is one
        fast, alone = gnnc_torch.compile(model, training=True), edges[:, :0]
        model.eval()
        expected = [model(x, e).detach() for e in (edges, alone)]
        model.train()
        with torch.no_grad():
            drawn = torch.stack([fast(x, edges) for _ in range(400)])
            loops = torch.stack([fast(x, alone) / expected[1] for _ in range(20)]).reshape(20, NODES, 2, 4)
            away = (drawn.mean(0) - expected[0]).abs() / (drawn.std(0) / 20 + 1e-6)
        counts.check(f"{name}: the mean of 400 steps is {float(away.max()):.1f} standard errors from evaluation", float(away.max()) < 6)
        if name != "TransformerConv":                    # it adds no self loops
            is_dropped, is_kept = (loops == 0).all(-1), ((loops - 1 / (1 - p)).abs() < 1e-4).all(-1)
            share = float(is_dropped.float().mean())
            counts.check(f"{name}: self loops are dropped or kept", bool((is_dropped | is_kept).all()))
            counts.check(f"{name}: a share of {share:.2f} is dropped", abs(share - p) < 0.06)
        torch.manual_seed(14)
        one, other = fast(x, edges), fast(x, edges)
        torch.manual_seed(14)
        counts.check(f"{name}: equal seeds drop the same", torch.equal(one, fast(x, edges)) and not torch.equal(one, other))
        torch.manual_seed(15)
        wide, direction, factor, h = x.clone().requires_grad_(True), torch.randn(x.shape), torch.randn(NODES, 8), 1e-3
        torch.manual_seed(16)
        (fast(wide, edges) * factor).sum().backward()
        ends = []
        for sign in (1, -1):
            torch.manual_seed(16)
            with torch.no_grad():
                ends.append(float((fast(x + sign * h * direction, edges) * factor).double().sum()))
        exact, found = float((wide.grad * direction).sum()), (ends[0] - ends[1]) / (2 * h)
        counts.check(f"{name}: the gradient is {exact:.4f}, differences give {found:.4f}", abs(exact - found) <= 0.03 * (1 + abs(exact)))
        fast.eval()
        counts.check(f"{name}: evaluation drops nothing", harness.difference(fast(x, edges).detach(), expected[0]) <= TOLERANCE)


def statistics(counts):
    (x, edges), model = graph(6), Normed()
    other = copy.deepcopy(model)
    fast = gnnc_torch.compile(other, training=True)
    for k in range(3):
        model(x * (k + 1), edges)
        fast(x * (k + 1), edges)
    for name in ("running_mean", "running_var", "num_batches_tracked"):
        a, b = getattr(model.norm, name), getattr(other.norm, name)
        counts.check(f"{name} after three calls", harness.difference(b.float(), a.float()) <= TOLERANCE)
    model.norm.eval(), other.norm.eval()
    given = copy.deepcopy(other.norm.state_dict())
    outputs, far = differences(other, fast, (x, edges), [0])
    counts.check(f"a norm in evaluation: outputs differ by {outputs:.1e}, gradients by {far:.1e}", outputs <= TOLERANCE and far <= TOLERANCE)
    counts.check("its statistics stay", all(torch.equal(v, other.norm.state_dict()[k]) for k, v in given.items()))


def refusals(counts):
    x, edges = graph(7)
    frozen = Two(nn.SAGEConv)
    frozen.conv1.requires_grad_(False)
    frozen = gnnc_torch.compile(frozen, training=True)
    frozen(x, edges).sum().backward()
    counts.check("weights without gradients", [p.grad is None for p in frozen.parameters()].count(True) == 3)
    for model, words in ((Detached(), "detach(), behind which there is no gradient"), (Normed(momentum=0.5), "norm (BatchNorm1d): momentum = 0.5 in training"),
                         (Kept(), "that has a gradient and is no parameter of the model")):
        counts.check(f"refused: {words}", raises(gnnc_export.Unsupported, words, lambda: gnnc_torch.compile(model, training=True)(x, edges)))
    fixed = Normed()
    fixed.norm.running_mean.requires_grad_(True)
    counts.check("a weight that the library never trains", raises(gnnc_torch.CompileError, "the layer library never trains the weight 'norm.running_mean'",
                                                                  lambda: gnnc_torch.compile(fixed, training=True)(x, edges)))


def main():
    counts = harness.Counts("import.training")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GNNC_CACHE"] = os.path.join(folder, "cache")
        for part in (gradients, by_type, steps, dropout, attention, statistics, refusals):
            part(counts)
    counts.finish()


if __name__ == "__main__":
    main()
