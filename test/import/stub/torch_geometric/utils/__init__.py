"""Reductions over rows by index, and self loops."""
import warnings

import torch

warnings.filterwarnings("ignore", message="scatter_reduce")


def scatter(src, index, dim=0, dim_size=None, reduce="sum"):
    """Reduces rows with the same index; no rows give 0."""
    size = int(dim_size) if dim_size is not None else int(index.max()) + 1 if len(index) else 0
    if reduce in ("mul", "median"):
        rows = [src[index == k] for k in range(size)]
        none = torch.full(src.shape[1:], float(reduce == "mul"))
        return torch.stack([none if not len(r) else r.prod(0) if reduce == "mul" else r.median(0)[0] for r in rows])
    if reduce in ("max", "min"):
        at = index.reshape([-1] + [1] * (src.dim() - 1)).expand_as(src)
        out = src.new_zeros((size,) + src.shape[1:])
        return out.scatter_reduce(0, at, src, reduce="a" + reduce, include_self=False)
    out = src.new_zeros((size,) + src.shape[1:]).index_add(0, index, src)
    if reduce == "mean":
        count = degree(index, size).clamp(min=1)
        out = out / count.reshape([-1] + [1] * (src.dim() - 1))
    return out


def degree(index, num_nodes=None, dtype=None):
    return torch.zeros(num_nodes).index_add(0, index, torch.ones(len(index)))


def softmax(src, index, ptr=None, num_nodes=None, dim=0):
    top = scatter(src, index, 0, num_nodes, "max")[index]
    e = (src - top).exp()
    return e / (scatter(e, index, 0, num_nodes, "sum")[index] + 1e-16)


def to_dense_batch(x, batch=None, fill_value=0.0, max_num_nodes=None, batch_size=None):
    """The rows of each graph, as many as the largest has, and a mask of those that are there."""
    batch = torch.zeros(len(x), dtype=torch.long) if batch is None else batch
    graphs = [x[batch == k] for k in range(int(batch.max()) + 1)]
    most = max_num_nodes or max(len(rows) for rows in graphs)
    made, mask = torch.zeros(len(graphs), most, *x.shape[1:]), torch.zeros(len(graphs), most, dtype=torch.bool)
    for k, rows in enumerate(graphs):
        made[k, :len(rows[:most])], mask[k, :len(rows[:most])] = rows[:most], True
    return made, mask


def remove_self_loops(edge_index, edge_attr=None):
    keep = edge_index[0] != edge_index[1]
    return edge_index[:, keep], None if edge_attr is None else edge_attr[keep]


def add_self_loops(edge_index, edge_attr=None, fill_value=1.0, num_nodes=None):
    n = int(edge_index.max()) + 1 if num_nodes is None else num_nodes
    loops = torch.arange(n).repeat(2, 1)
    if edge_attr is not None:
        values = scatter(edge_attr, edge_index[1], 0, n, fill_value) if isinstance(fill_value, str) else \
            edge_attr.new_full((n,) + edge_attr.shape[1:], 1.0 if fill_value is None else fill_value)
        edge_attr = torch.cat([edge_attr, values])
    return torch.cat([edge_index, loops], dim=1), edge_attr


def add_remaining_self_loops(edge_index, edge_attr=None, fill_value=1.0, num_nodes=None):
    """One loop at each node: the last stored one keeps its value."""
    is_loop = edge_index[0] == edge_index[1]
    kept = edge_index[:, ~is_loop]
    if edge_attr is None:
        return add_self_loops(kept, None, None, num_nodes)
    values = torch.full((num_nodes,), float(fill_value))
    for node, value in zip(edge_index[0][is_loop].tolist(), edge_attr[is_loop].tolist()):
        values[node] = value
    return torch.cat([kept, torch.arange(num_nodes).repeat(2, 1)], dim=1), torch.cat([edge_attr[~is_loop], values])
