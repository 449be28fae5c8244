"""Splits the edges of a graph for link prediction, as PyTorch Geometric's RandomLinkSplit does.

    python3 split_links.py cora.safetensors links.safetensors --val=0.05 --test=0.1

examples/karate/links.txt is karate.txt with --val=0.1 --test=0.2, converted to text by gnn-data.

Edges in both directions are one pair. Type 0 are the edges that carry messages, those of training pairs in both directions. Type 1
are the pairs that are predicted, each once: edge_label 1 in train_mask, val_mask or test_mask, and as many pairs that do not exist,
with label 0, in the latter two. Pairs of training that do not exist are drawn by gnn-train --negatives.
"""
import argparse
import random

from safetensors import Tensor, read, write


def split(tensors, nodes, val, test, seed):
    """The fields of the graph, with the edges split anew."""
    dice, ends = random.Random(seed), tensors["edge_index"].data
    src, dst = ends[:len(ends) // 2], ends[len(ends) // 2:]
    pairs = sorted({(min(e), max(e)) for e in zip(src, dst) if e[0] != e[1]})
    known = set(pairs)
    dice.shuffle(pairs)
    counts = [round(val * len(pairs)), round(test * len(pairs))]
    parts = [sorted(pairs[sum(counts):]), sorted(pairs[:counts[0]]), sorted(pairs[counts[0]:sum(counts)])]
    edges = [(a, b, 0, -1, None) for u, v in parts[0] for a, b in ((u, v), (v, u))]
    for part, members in enumerate(parts):
        edges += [(u, v, 1, 1, part) for u, v in members]
        left = len(members) if part else 0
        while left:
            pair = tuple(sorted((dice.randrange(nodes), dice.randrange(nodes))))
            if pair[0] != pair[1] and pair not in known:
                known.add(pair)
                edges.append((*pair, 1, 0, part))
                left -= 1
    made = {name: t for name, t in tensors.items() if name == "x" or name.startswith("x_") or name in ("node_type", "y")}
    made["edge_index"] = Tensor("I64", [2, len(edges)], [e[0] for e in edges] + [e[1] for e in edges])
    made["edge_type"] = Tensor("U8", [len(edges)], [e[2] for e in edges])
    made["edge_label"] = Tensor("I32", [len(edges)], [e[3] for e in edges])
    for part, name in enumerate(("train_mask", "val_mask", "test_mask")):
        made[name] = Tensor("U8", [len(edges)], [int(e[4] == part) for e in edges])
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graph")
    parser.add_argument("output")
    parser.add_argument("--val", type=float, default=0.05)
    parser.add_argument("--test", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    tensors, metadata = read(options.graph)
    nodes = int(metadata.get("num_nodes") or len(tensors["y"].data))
    kept = {key: value for key, value in metadata.items() if key in ("name", "num_features", "num_classes")}
    made = split(tensors, nodes, options.val, options.test, options.seed)
    write(options.output, made, {**kept, "num_nodes": nodes, "num_edge_types": 2})


if __name__ == "__main__":
    main()
