"""A peer for the benchmark of training: epochs (forward, backward, Adam) of a model composed from PyTorch's own operations.

    python3 peer_torch_train.py GRAPH CELL FORM EPOCHS      CELL: b2, b6, rgat_layer; FORM: csr or index

Prints the processor seconds of each epoch after a first one that does not count, with one thread.
"""
import sys
import time

import torch
from peer_torch import load


class Product(torch.autograd.Function):
    """A sum over edges as a product with a matrix in CSR form; its transpose, which the gradient needs, is made once, too."""

    @staticmethod
    def forward(context, x, matrix, transpose):
        context.transpose = transpose
        return matrix @ x

    @staticmethod
    def backward(context, gradient):
        return context.transpose @ gradient.contiguous(), None, None


def one_dnn(a, b):
    """a times the transpose of b by oneDNN: the BLAS of a distribution's PyTorch may be the slow reference one."""
    return torch._C._nn.mkldnn_linear(a.contiguous().to_mkldnn(), b.contiguous().to_mkldnn()).to_dense()


class Dense(torch.autograd.Function):
    """a b"""

    @staticmethod
    def forward(context, a, b):
        context.save_for_backward(a, b)
        return one_dnn(a, b.t())

    @staticmethod
    def backward(context, gradient):
        a, b = context.saved_tensors
        return one_dnn(gradient, b) if context.needs_input_grad[0] else None, one_dnn(a.t(), gradient.t())


def softmax_sum(scores, values, target, nodes):
    """Softmax over incoming edges, then the weighted sum; the largest score is no part of the gradient."""
    with torch.no_grad():
        top = torch.full((nodes,), -float("inf")).scatter_reduce(0, target, scores, "amax")[target]
    e = torch.exp(scores - top)
    total = torch.zeros(nodes).index_add(0, target, e)
    return torch.zeros(nodes, values.shape[1]).index_add(0, target, (e / total[target])[:, None] * values)


def weights(*shapes):
    made = [torch.nn.Parameter(torch.empty(s)) for s in shapes]
    for w in made:
        torch.nn.init.uniform_(w, -0.1, 0.1)
    return made


def with_loops(data, nodes):
    source, target = data["edge_index"].long()
    loops = torch.arange(nodes)
    return torch.cat([source, loops]), torch.cat([target, loops])


def gcn(data, nodes, form):
    """Two layers 500, 128, classes; the normalisation is computed once."""
    x, y = data["x"].float(), data["y"].long()
    source, target = with_loops(data, nodes)
    root = torch.bincount(target, minlength=nodes).float().rsqrt()
    factor = root[source] * root[target]
    classes = int(y.max()) + 1
    made = weights((x.shape[1], 128), (128,), (128, classes), (classes,))
    if form == "csr":
        matrix = torch.sparse_coo_tensor(torch.stack([target, source]), factor, (nodes, nodes)).coalesce().to_sparse_csr()
        transpose = torch.sparse_coo_tensor(torch.stack([source, target]), factor, (nodes, nodes)).coalesce().to_sparse_csr()

    def aggregate(h):
        if form == "csr":
            return Product.apply(h, matrix, transpose)
        return torch.zeros(nodes, h.shape[1]).index_add(0, target, factor[:, None] * h[source])

    def loss():
        h = torch.relu(aggregate(Dense.apply(x, made[0])) + made[1])
        return torch.nn.functional.cross_entropy(aggregate(Dense.apply(h, made[2])) + made[3], y)
    return made, loss


def gat(data, nodes, form):
    """Two layers of one head: 500, 64, classes."""
    x, y = data["x"].float(), data["y"].long()
    source, target = with_loops(data, nodes)
    classes = int(y.max()) + 1
    made = weights((x.shape[1], 64), (64,), (64,), (64,), (64, classes), (classes,), (classes,), (classes,))
    order = torch.argsort(target, stable=True)
    if form == "csr":
        source, target = source[order], target[order]

    def layer(h, w, u, v, b):
        z = Dense.apply(h, w)
        scores = torch.nn.functional.leaky_relu((z @ u)[source] + (z @ v)[target], 0.2)
        return softmax_sum(scores, z[source], target, nodes) + b

    def loss():
        h = torch.nn.functional.elu(layer(x, *made[:4]))
        return torch.nn.functional.cross_entropy(layer(h, *made[4:]), y)
    return made, loss


def rgat(data, nodes, form):
    """One relational layer 64, 64: a product per type of edges; with the form `index` the sources and the targets in one product."""
    source, target = data["edge_index"].long()
    kind, x = data["edge_type"].long(), data["x"]
    order = torch.argsort(kind)
    source, target, kind = source[order], target[order], kind[order]
    types, d = int(kind.max()) + 1, x.shape[1]
    counts = torch.bincount(kind, minlength=types).tolist()
    w, left, right = made = weights((types, d, d), (types, d), (types, d))

    def per_type(rows):
        return torch.cat([Dense.apply(part, w[t]) for t, part in enumerate(torch.split(rows, counts)) if part.shape[0]])

    def loss():
        z = per_type(x[source])
        if form == "index":
            scores = (z * left[kind]).sum(1) + (per_type(x[target]) * right[kind]).sum(1)
        else: # (x W) v = x (W v)
            scores = (z * left[kind]).sum(1) + (x[target] * torch.bmm(w, right[:, :, None])[:, :, 0][kind]).sum(1)
        h = softmax_sum(torch.nn.functional.leaky_relu(scores, 0.2), z, target, nodes)
        return (h * h).sum() / nodes
    return made, loss


def main():
    graph, cell, form, epochs = sys.argv[1:5]
    torch.set_num_threads(1)
    data = load(graph, ["edge_index", "edge_type", "x", "y"])
    nodes = data["x"].shape[0]
    made, loss = {"b2": gcn, "b6": gat, "rgat_layer": rgat}[cell](data, nodes, form)
    optimizer = torch.optim.Adam(made, lr=0.001)
    for number in range(int(epochs) + 1):
        start = time.process_time()
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
        if number:
            print(time.process_time() - start, flush=True)


if __name__ == "__main__":
    main()
