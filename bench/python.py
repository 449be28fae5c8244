"""What calls from Python cost: a GAT of 64 -> 8 x 8 -> 16 on 20,000 nodes and 200,000 edges, one thread.

    python3 bench/python.py [--bin build/bin]

Prints the time of PyTorch's own forward (of the installed torch_geometric), of the compiled module, of the C function alone, and of compile()
with an empty and with a filled cache for a GCN of two layers. Needs PyTorch and torch_geometric; docs/import.md has the numbers."""
import argparse
import os
import statistics
import sys
import tempfile
import time

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


def median(call, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"))
    parser.add_argument("--count", type=int, default=21)
    options = parser.parse_args()
    os.environ["GNNC"] = os.path.join(options.bin, "gnnc")
    sys.path.insert(0, os.path.join(ROOT, "python"))
    import torch
    import torch_geometric.nn as pyg

    import gnnc_torch
    torch.set_num_threads(1)
    torch.manual_seed(1)

    class GAT(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2 = pyg.GATConv(64, 8, heads=8), pyg.GATConv(64, 16, heads=1, concat=False)

        def forward(self, x, edge_index):
            return self.conv2(torch.nn.functional.elu(self.conv1(x, edge_index)), edge_index)

    class GCN(torch.nn.Module):
        def __init__(self, hidden):
            super().__init__()
            self.conv1, self.conv2 = pyg.GCNConv(16, hidden), pyg.GCNConv(hidden, 7)

        def forward(self, x, edge_index):
            return self.conv2(self.conv1(x, edge_index).relu(), edge_index)

    x, edges = torch.randn(20000, 64), torch.randint(0, 20000, (2, 200000))
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        os.environ["GNNC_CACHE"] = folder
        small = torch.randn(100, 16), torch.randint(0, 100, (2, 400))
        colds, warms = [], []
        for hidden in (15, 16, 17):
            model = GCN(hidden).eval()
            for times in (colds, warms):
                begin = time.perf_counter()
                gnnc_torch.compile(model)(*small)
                times.append(time.perf_counter() - begin)
        print(f"compile() and the first call, GCN of two layers: {min(colds):.2f} s, with a filled cache {1e3 * min(warms):.1f} ms")
        model = GAT().eval()
        fast = gnnc_torch.compile(model)
        y = fast(x, edges)
        expected = model(x, edges)
        print(f"largest difference {float((y - expected).abs().max()):.1e} at values up to {float(expected.abs().max()):.2g}")
        net = next(iter(fast.programs.values()))[0]
        bound = next(iter(net.graphs.items.values()))[0]
        import ctypes
        inputs = (ctypes.c_void_p * 1)(x.data_ptr())
        outputs = (ctypes.c_void_p * 1)(y.data_ptr())
        work = bound.spare[0][1]
        run = net.program.info.run
        rounds = [(median(lambda: run(bound.block.at, inputs, outputs, work.at, None), options.count), median(lambda: fast(x, edges), options.count))
                  for _ in range(5)]
        alone, called = (min(r[k] for r in rounds) for k in (0, 1))
        theirs = median(lambda: model(x, edges), 5)
        print(f"GAT: PyTorch {1e3 * theirs:.1f} ms, compiled module {1e3 * called:.2f} ms, C function alone {1e3 * alone:.2f} ms "
              f"({100 * (called / alone - 1):+.1f} %)")


if __name__ == "__main__":
    main()
