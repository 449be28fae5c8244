#!/usr/bin/env python3
"""The bounds of bench/cells.py: the share of gathers that miss a cache is that of a simulated cache, and the bound with the gather probe is at least
today's. bench/probe.c prints the rates that the bound needs."""
import collections
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench"))
import cells
import machine
import tensors


def simulated_share(times, cached_rows):
    """Misses of a warm cache that keeps the rows read last, where row r is read in proportion to times[r]."""
    reads = random.Random(1).choices(range(len(times)), weights=times, k=60000)
    cache, misses = collections.OrderedDict(), 0
    for number, row in enumerate(reads):
        misses += number >= 30000 and row not in cache
        cache[row] = None
        cache.move_to_end(row)
        if len(cache) > cached_rows:
            cache.popitem(last=False)
    return misses / 30000


def check_miss_share():
    uniform, skewed = [6] * 4000, [1 + 4000 // (1 + r) for r in range(4000)]
    for times in (uniform, skewed):
        for cached in (400, 1000, 2000):
            expected, found = simulated_share(times, cached), cells.miss_share(dict(collections.Counter(times)), cached)
            assert abs(expected - found) < 0.02, (cached, expected, found)
    assert cells.miss_share({3: 100, 0: 50}, 100) == 0, "a table that fits is read without misses"


def check_bounds():
    limits = {"gflops": 100.0, "gbytes": 20.0, "gather": {64: 5.0, 256: 10.0, 1024: 40.0}}
    assert cells.row_seconds(limits["gather"], 16) == cells.row_seconds(limits["gather"], 64), "a narrow row takes a line"
    assert abs(cells.row_seconds(limits["gather"], 160) - 19.2e-9) < 1e-15, "linear between widths"
    large = cells.Work(1000000, 0, 1 << 20)
    large.gather(5000000, 1000000, 64)
    share = cells.miss_share({1: 1000000}, (1 << 20) / 256)
    assert large.missed == [(5000000 * share, 256)]
    expected = 5000000 * (256 / 20e9 + share * (256 / 10e9 - 256 / 20e9)) * 1e3
    assert abs(cells.gather_bound_ms(large, limits) - expected) < 1e-9
    fast = dict(limits, gather={64: 50.0})
    assert abs(cells.gather_bound_ms(large, fast) - cells.bound_ms(large, 100.0, 20.0)[1]) < 1e-9, "a gather is never faster than the triad"
    small = cells.Work(100, 0, 1 << 20)
    small.gather(5000, 100, 64)
    assert not small.missed and abs(cells.gather_bound_ms(small, limits) - cells.bound_ms(small, 100.0, 20.0)[1]) < 1e-12, "a table that fits has no misses"


def check_references(folder):
    import array
    path = f"{folder}/g.safetensors"
    ends = array.array("i", [0, 0, 1, 0, 1, 2, 3, 3])
    plain = ("edge_index", "I32", [2, 4], ends.tobytes())
    tensors.write(path, [plain])
    assert tensors.source_references(path) == {3: 1, 1: 1} and tensors.source_references(path, loops=True) == {4: 1, 2: 1}
    tensors.write(path, [plain, ("edge_type", "I32", [4], array.array("i", [0, 0, 0, 1]).tobytes())])
    assert tensors.source_references(path) == {2: 1, 1: 2}, "pairs of type and source"


def check_probe(folder):
    limits = machine.limits(machine.compile_probe(folder), 1)
    assert sorted(limits["gather"]) == [64, 128, 256, 512, 1024] and min(limits["gather"].values()) > 0 < limits["gflops"], limits


def main():
    check_miss_share()
    check_bounds()
    with tempfile.TemporaryDirectory() as folder:
        check_references(folder)
        check_probe(folder)


if __name__ == "__main__":
    main()
