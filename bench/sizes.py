#!/usr/bin/env python3
"""GraphAGILE's Table VIII against our instructions, layer by layer, for programs whose layers keep the order of the model: python3 bench/sizes.py [--gate]

The printed sizes are (a ceil(F / 16) + n) tiles per shard of 6 instructions of 16 bytes: one tile per input fiber of each Aggregate and each Linear. Our tiling of an
Aggregate is the same (a block per fiber and shard: INIT, LOOP, two MEMRD, SPDMM, MEMWR), so those bytes must agree to 1 % where the numbers of shards agree. A
Linear's block is a tile of its *result* (it loops over input fibers): ceil(b / 16) tiles instead of ceil(a / 16), of 8 k row blocks instead of the Aggregate's shards.
Therefore whole programs are smaller. Where the last input fiber is not whole, a block has its loads and GEMM once more; a single input fiber needs neither INIT nor LOOP.
"""
import math
import re
import sys

import overlay_cells as cells
from overlay_bench import Overlay, parser_of, run
from overlay_cells import full

INSTRUCTIONS, SHORT, BYTES = 6, 4, 16
MODELS = {"b1": "b1_unordered", "b2": "b2_unordered", "b7": "b7_paper", "b8": "b8_paper"}
TOLERANCE = 0.01


def layers(model, graph):
    """(kind, input columns, output columns) in the order of the programs compiled here; b7's is A L A, the paper's size counts A A L."""
    f, c = cells.SIZES[graph][2], full(cells.SIZES[graph][3])
    if model in ("b1", "b2"):
        h = 16 if model == "b1" else 128
        return [("aggregate", f, f), ("linear", f, h), ("aggregate", h, h), ("linear", h, c)]
    if model == "b7":
        return [("aggregate", f, f), ("linear", f, c), ("aggregate", c, c)]
    return [("linear", f, 256)] + 3 * [("linear", 256, 256), ("aggregate", 256, 256)] + [("linear", 256, c)]


def shards(graph):
    """Of an Aggregate: 1024 to 16384 rows, 32 of them where that is possible."""
    nodes = cells.SIZES[graph][0]
    rows = min(16384, max(1024, math.ceil(nodes / 32)))
    return math.ceil(nodes / (16 * math.ceil(rows / 16)))


def row_blocks(graph, depth):
    """Of a Linear: 8 k; two input fibers fit a buffer where the last one is not whole."""
    nodes, room = cells.SIZES[graph][0], 8192 if depth % 16 else 16384
    blocks = 8 * math.ceil(nodes / (8 * room))
    return math.ceil(nodes / min(room, 16 * math.ceil(math.ceil(nodes / blocks) / 16)))


def measured(bench, model, graph):
    """Bytes of each layer's blocks, without its CSI."""
    bench.compile(MODELS[model], graph, ["--preset=paper", "-fno-order"])
    said = run([f"{bench.bin}/gnn-objdump", "-m", bench.program()])[0]
    return [int(m[1]) - BYTES for m in re.finditer(r"^ *0x[0-9a-f]+ +0x[0-9a-f]+ +(\d+) +layer \d+ ", said, re.M)]


def compare(model, graph, sizes):
    """(all bytes, those of literal tiles, what these must be); prints layers that are not as they must be."""
    literal = wanted = 0
    for (kind, depth, width), size in zip(layers(model, graph), sizes, strict=True):
        if kind == "aggregate":
            tiles = math.ceil(width / 16) * shards(graph)
        elif depth % 16:
            continue
        else:
            tiles = math.ceil(width / 16) * row_blocks(graph, depth)
        must = tiles * (SHORT if kind == "linear" and depth <= 16 else INSTRUCTIONS) * BYTES
        literal += size
        wanted += must
        if abs(size / must - 1) > TOLERANCE:
            print(f"  {model}/{graph}: {kind} {depth} -> {width}: {size} bytes, expected {must}", file=sys.stderr)
    return sum(sizes), literal, wanted


def aggregates(model, graph, sizes):
    """Our bytes of Aggregates over the printed formula's for them."""
    ours = sum(size for (kind, _, _), size in zip(layers(model, graph), sizes, strict=True) if kind == "aggregate")
    tiles = sum(math.ceil(width / 16) for kind, _, width in layers(model, graph) if kind == "aggregate")
    return ours / (tiles * cells.SHARDS[graph] * INSTRUCTIONS * BYTES)


def main():
    parser = parser_of(__doc__, has_models=False)
    parser.add_argument("--gate", action="store_true", help="exit with 1 where literal tiles are off by more than 1 %%")
    options = parser.parse_args()
    bench, wrong = Overlay(options.bin, options.out), 0
    print("cell     paper MB  formula  ours MB   ours/paper  literal tiles: ours/expected  aggregates: ours/formula")
    for graph in options.graphs:
        same_shards = shards(graph) == cells.SHARDS[graph]
        for model in MODELS:
            sizes = measured(bench, model, graph)
            total, literal, wanted = compare(model, graph, sizes)
            ratio, printed = literal / wanted, cells.paper()[model, graph]["size"]
            formula = aggregates(model, graph, sizes)
            is_good = abs(ratio - 1) <= TOLERANCE and (not same_shards or abs(formula - 1) <= TOLERANCE)
            wrong += not is_good
            print(f"{model}/{graph:4} {printed:9.3f} {cells.formula_mb(model, graph):8.3f} {total / 2**20:8.3f} {total / 2**20 / printed:12.3f} {ratio:30.4f} "
                  f"{formula:26.4f}{'' if same_shards else f'  ({shards(graph)} shards, theirs {cells.SHARDS[graph]})'}{'' if is_good else '  FAILED'}", flush=True)
    sys.exit(1 if options.gate and wrong else 0)


if __name__ == "__main__":
    main()
