"""knn, knn_graph and radius_graph as torch_cluster has them, in plain PyTorch, for layers over nearest nodes: torch_cluster is not needed for the tests."""
import importlib
import sys

import torch


def knn(x, y, k, batch_x=None, batch_y=None, cosine=False, num_workers=1, batch_size=None):
    """[2, pairs]: for each row of y, in turn, the rows of x of its graph that are nearest to it; of equally near ones the first."""
    batch_x, batch_y = (torch.zeros(len(v), dtype=torch.long) if b is None else b for v, b in ((x, batch_x), (y, batch_y)))
    pairs = []
    for at in range(len(y)):
        rows = (batch_x == batch_y[at]).nonzero().view(-1)
        order = torch.sort((x[rows] - y[at]).square().sum(-1), stable=True)[1][:k]
        pairs.append(torch.stack([torch.full_like(order, at), rows[order]]))
    return torch.cat(pairs, dim=1)


def knn_graph(x, k, batch=None, loop=False, flow="source_to_target", cosine=False, num_workers=1):
    at, near = knn(x, x, len(x), batch, batch)
    pairs = [near[(at == n) & ((near != n) | loop)][:k] for n in range(len(x))]
    made = torch.stack([torch.cat(pairs), torch.repeat_interleave(torch.tensor([len(p) for p in pairs]))])
    return made if flow == "source_to_target" else made.flip([0])


def radius_graph(x, r, batch=None, loop=False, max_num_neighbors=32, flow="source_to_target", num_workers=1):
    at, near = knn(x, x, len(x), batch, batch)
    kept = ((x[at] - x[near]).square().sum(-1) < r * r) & ((at != near) | loop)
    pairs = [near[(at == n) & kept].sort()[0][:max_num_neighbors] for n in range(len(x))]
    return torch.stack([torch.cat(pairs), torch.repeat_interleave(torch.tensor([len(p) for p in pairs]))])


def provide():
    """Gives them to the modules of torch_geometric that look for torch_cluster's."""
    place = importlib.import_module("torch_geometric.nn.pool")
    try:
        place.torch_cluster.knn_graph
    except (AttributeError, ImportError):
        place.torch_cluster = sys.modules[__name__]
    for name in ("near", "conv.edge_conv", "conv.gravnet_conv", "conv.x_conv"):     # that of the stub, and those of the real one
        try:
            place = importlib.import_module(f"torch_geometric.nn.{name}")
        except ImportError:
            continue
        for function in (knn, knn_graph):
            if hasattr(place, function.__name__):
                setattr(place, function.__name__, getattr(place, function.__name__) or function)
