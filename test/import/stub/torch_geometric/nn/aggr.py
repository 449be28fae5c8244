"""Aggregations of rows with the same index that are modules."""
import torch

from ..utils import scatter


class Aggregation(torch.nn.Module):
    def reduce(self, x, index, dim_size, reduce):
        return scatter(x, index, 0, dim_size, reduce)


class MulAggregation(Aggregation):
    def forward(self, x, index=None, ptr=None, dim_size=None, dim=-2):
        return self.reduce(x, index, dim_size, "mul")


class MedianAggregation(Aggregation):
    def forward(self, x, index=None, ptr=None, dim_size=None, dim=-2):
        return self.reduce(x, index, dim_size, "median")


class Sequences(Aggregation):
    """The last output of a recurrent network behind the rows of each index, all as long as the longest."""

    def forward(self, x, index=None, ptr=None, dim_size=None, dim=-2, max_num_elements=None):
        size = int(index.max()) + 1 if dim_size is None else dim_size
        rows = [x[index == k] for k in range(size)]
        longest = max(len(r) for r in rows)
        padded = torch.stack([torch.cat([r, torch.zeros(longest - len(r), x.shape[1])]) for r in rows])
        return self.net()(padded)[0][:, -1]


class LSTMAggregation(Sequences):
    def __init__(self, in_channels, out_channels, **options):
        super().__init__()
        self.lstm = torch.nn.LSTM(in_channels, out_channels, batch_first=True, **options)

    def net(self):
        return self.lstm


class GRUAggregation(Sequences):
    def __init__(self, in_channels, out_channels, **options):
        super().__init__()
        self.gru = torch.nn.GRU(in_channels, out_channels, batch_first=True, **options)

    def net(self):
        return self.gru


class SortAggregation(Aggregation):
    """The k rows with the largest last columns of each index, side by side, then zeros."""

    def __init__(self, k):
        super().__init__()
        self.k = k

    def forward(self, x, index=None, ptr=None, dim_size=None, dim=-2):
        rows = [x[index == n] for n in range(int(index.max()) + 1)]
        rows = [r[r[:, -1].sort(descending=True)[1]][:self.k] for r in rows]
        return torch.stack([torch.cat([r, torch.zeros(self.k - len(r), x.shape[1])]).flatten() for r in rows])


class QuantileAggregation(Aggregation):
    def __init__(self, q, interpolation="linear", fill_value=0.0):
        super().__init__()
        self._q, self.interpolation, self.fill_value = q, interpolation, fill_value
        self.register_buffer("q", torch.tensor(q if isinstance(q, list) else [q]).view(-1, 1))

    def forward(self, x, index=None, ptr=None, dim_size=None, dim=-2):
        return torch.stack([torch.quantile(x[index == n], self.q.view(-1), dim=0).flatten() for n in range(int(index.max()) + 1)])
