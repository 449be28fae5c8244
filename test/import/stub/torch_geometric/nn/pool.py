"""One row per graph from the rows of its nodes."""
import torch

from ..utils import scatter


def global_add_pool(x, batch, size=None):
    return scatter(x, batch, 0, size, "sum") if batch is not None else x.sum(dim=-2, keepdim=True)


def global_mean_pool(x, batch, size=None):
    return scatter(x, batch, 0, size, "mean") if batch is not None else x.mean(dim=-2, keepdim=True)


def global_max_pool(x, batch, size=None):
    return scatter(x, batch, 0, size, "max") if batch is not None else x.max(dim=-2, keepdim=True)[0]


class TopKPooling(torch.nn.Module):
    """Only its name is there: models with it cannot be exported."""

    def __init__(self, in_channels, ratio=0.5):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(1, in_channels))
