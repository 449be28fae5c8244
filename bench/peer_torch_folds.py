"""A peer for the accuracy of training: GIN for graphs in plain operations of PyTorch, on the folds of gnn-train.

    python3 peer_torch_folds.py GRAPH HIDDEN EPOCHS RATE SEED     Prints for each of ten folds the validation accuracy of each epoch.

The model is that of bench/models/train/gin_graph.gnn: two layers of a sum over incoming edges and a perceptron of two linear layers, a sum over
the nodes of each graph, dropout of 0.5, a linear layer; PyTorch's first values, Adam, one step over all graphs per epoch.
"""
import sys

import torch
from peer_torch import load

FOLDS, MASK = 10, 2 ** 64 - 1


def numbers(seed):
    """SplitMix64, as gnn-train has it."""
    state = seed
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield z ^ z >> 31


def folds(labels, seed):
    """The fold of each graph, from 0: the graphs of a class in a random order are dealt in turn."""
    draw, found = numbers(seed), [0] * len(labels)
    items = sorted((label, next(draw), graph) for graph, label in enumerate(labels))
    for i, (_, _, graph) in enumerate(items):
        found[graph] = i % FOLDS
    return torch.tensor(found)


class Layer(torch.nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.nn = torch.nn.Sequential(torch.nn.Linear(width, hidden), torch.nn.ReLU(), torch.nn.Linear(hidden, hidden))

    def forward(self, x, source, target):
        return torch.relu(self.nn(x + torch.zeros_like(x).index_add(0, target, x[source])))


class Net(torch.nn.Module):
    def __init__(self, width, hidden, classes):
        super().__init__()
        self.conv1, self.conv2, self.lin = Layer(width, hidden), Layer(hidden, hidden), torch.nn.Linear(hidden, classes)

    def forward(self, x, source, target, batch, graphs):
        h = self.conv2(self.conv1(x, source, target), source, target)
        sums = torch.zeros(graphs, h.shape[1]).index_add(0, batch, h)
        return self.lin(torch.nn.functional.dropout(sums, 0.5, self.training))


def main():
    path, (hidden, epochs), rate, seed = sys.argv[1], map(int, sys.argv[2:4]), float(sys.argv[4]), int(sys.argv[5])
    torch.set_num_threads(1)
    data = load(path, ["edge_index", "x", "y", "batch"])
    (source, target), y, batch = data["edge_index"].long(), data["y"].long(), data["batch"].long()
    fold = folds(y.tolist(), seed)
    for k in range(FOLDS):
        torch.manual_seed(seed)
        net = Net(data["x"].shape[1], hidden, int(y.max()) + 1)
        rule, train, accuracies = torch.optim.Adam(net.parameters(), lr=rate), fold != k, []
        for _ in range(epochs):
            net.train()
            rule.zero_grad()
            torch.nn.functional.cross_entropy(net(data["x"], source, target, batch, len(y))[train], y[train]).backward()
            rule.step()
            net.eval()
            with torch.no_grad():
                best = net(data["x"], source, target, batch, len(y)).argmax(1)
            accuracies.append(float((best == y)[~train].float().mean()))
        print(" ".join(f"{a:.6f}" for a in accuracies), flush=True)


if __name__ == "__main__":
    main()
