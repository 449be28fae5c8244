"""Normalisations."""
import torch

from .pool import global_mean_pool


def batched(batch, x):
    return torch.zeros(len(x), dtype=torch.long) if batch is None else batch


class BatchNorm(torch.nn.Module):
    def __init__(self, in_channels, eps=1e-5):
        super().__init__()
        self.in_channels = in_channels
        self.module = torch.nn.BatchNorm1d(in_channels, eps)

    def forward(self, x):
        return self.module(x)


class GraphNorm(torch.nn.Module):
    def __init__(self, in_channels, eps=1e-5):
        super().__init__()
        self.in_channels, self.eps = in_channels, eps
        self.weight, self.bias = torch.nn.Parameter(torch.ones(in_channels)), torch.nn.Parameter(torch.zeros(in_channels))
        self.mean_scale = torch.nn.Parameter(torch.ones(in_channels))

    def forward(self, x, batch=None, batch_size=None):
        batch = batched(batch, x)
        d = x - self.mean_scale * global_mean_pool(x, batch)[batch]
        return self.weight * d / (global_mean_pool(d * d, batch)[batch] + self.eps).sqrt() + self.bias


class LayerNorm(torch.nn.Module):
    def __init__(self, in_channels, eps=1e-5, affine=True, mode="graph"):
        super().__init__()
        self.in_channels, self.eps, self.affine, self.mode = in_channels, eps, affine, mode
        self.weight, self.bias = torch.nn.Parameter(torch.ones(in_channels)), torch.nn.Parameter(torch.zeros(in_channels))

    def forward(self, x, batch=None, batch_size=None):
        if self.mode == "node":
            return torch.nn.functional.layer_norm(x, (self.in_channels,), self.weight, self.bias, self.eps)
        batch = batched(batch, x)
        d = x - global_mean_pool(x, batch).mean(dim=-1, keepdim=True)[batch]
        v = global_mean_pool(d * d, batch).mean(dim=-1, keepdim=True)[batch]
        return d / (v + self.eps).sqrt() * self.weight + self.bias


class PairNorm(torch.nn.Module):
    def __init__(self, scale=1.0, scale_individually=False, eps=1e-5):
        super().__init__()
        self.scale, self.scale_individually, self.eps = scale, scale_individually, eps

    def forward(self, x, batch=None, batch_size=None):
        batch = batched(batch, x)
        d = x - global_mean_pool(x, batch)[batch]
        return self.scale * d / (self.eps + global_mean_pool((d * d).sum(-1, keepdim=True), batch)[batch]).sqrt()
