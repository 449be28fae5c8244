"""A rank needs the memory of its part of the graph: (own nodes + ghosts) / V of what one process has for nodes, 1 / ranks of what it has for edges, and the weights; a tenth
more is allowed.

    python3 ranks_memory.py [--bin build/bin] [--graphs cora,pubmed_structure,soc_epinions1] [--ranks 2,4,8] [--shared ../shared]

GCN and GAT of two layers run with 128 features, in one process and as ranks on cells by METIS. What one process has for edges is what it needs less on the graph without its
edges, and what it needs on one node is of the weights. The bytes are those of --stats=json: inputs, outputs, bound block and workspace; they do not depend on time. The last line
is "N passed, N failed, N skipped".
"""
import argparse
import json
import os
import sys
import tempfile

from programs import ROOT, Failed, Tools
from ranks import make_cells

sys.path.insert(0, os.path.join(ROOT, "bench"))
import tensors  # noqa: E402  (after the change of sys.path)

MODELS = {"gcn": ("gcn_conv(g, x, 64)", "gcn_conv(g, h, 32)"), "gat": ("gat_conv(g, x, 8, 8)", "gat_conv(g, h, 1, 32)")}
TEXT = """model m {{
  graph g;
  input x : node f32[F];
  let h = relu({} from "conv1");
  output y = {} from "conv2";
}}
"""
FEATURES, ALLOWED = 128, 1.1


def without_edges(source, target, nodes):
    """Copies a graph with its first nodes alone."""
    header, start = tensors.read_header(source)
    metadata = {**header.pop("__metadata__"), "num_nodes": str(nodes)}
    parts = []
    with open(source, "rb") as f:
        for name, t in header.items():
            count = 0 if name.startswith("edge_") else nodes
            shape = [2, 0] if name == "edge_index" else [count, *t["shape"][1:]]
            rows = t["shape"][0]
            f.seek(start + t["data_offsets"][0])
            data = f.read((t["data_offsets"][1] - t["data_offsets"][0]) // rows * count)
            if name in ("x", "node_type", "edge_index"):
                parts.append((name, t["dtype"], shape, data))
    tensors.write(target, parts, metadata)


def bytes_of_one(tools, program, graph, weights):
    said = json.loads(tools.call([tools.gnn_run, program, f"--graph={graph}", f"--weights={weights}", "--stats=json"]))
    return sum(said[f"{kind}_bytes"] for kind in ("input", "output", "bound", "workspace"))


def check(tools, model, graph, cells, ranks, folder):
    """Prints the memory of the largest ranks; returns how many numbers of ranks have too much."""
    at = lambda name: os.path.join(folder, name)
    nodes = int(tensors.read_header(graph)[0]["__metadata__"]["num_nodes"])
    with open(at("m.gnn"), "w", encoding="ascii") as f:
        f.write(TEXT.format(*MODELS[model]))
    for name, flags in (("whole", []), ("part", ["--ranks"])):
        tools.call([tools.gnnc, "--target=c", *flags, at("m.gnn"), f"--graph={graph}", "-o", at(f"{name}.c")])
    tensors.write_weights(at("w.safetensors"), at("whole.json"))
    tools.call([tools.gnn_run, at("part.c"), f"--graph={graph}", f"--weights={at('w.safetensors')}", f"--save-library={at('part.so')}"])
    without_edges(graph, at("nodes.safetensors"), nodes)
    without_edges(graph, at("node.safetensors"), 1)
    of_graph, of_nodes, of_node = (bytes_of_one(tools, at("whole.c"), g, at("w.safetensors")) for g in (graph, at("nodes.safetensors"), at("node.safetensors")))
    failed = 0
    for count in ranks:
        said = json.loads(tools.call([tools.gnn_run, at("part.so"), f"--graph={graph}", f"--weights={at('w.safetensors')}", f"--cells={cells}", f"--local-ranks={count}", "--stats=json"]))
        shares = [(rank["own"] + rank["ghosts"]) / nodes for rank in said["ranks"]]
        edges = (of_graph - of_nodes) / count
        expected = [of_node + share * (of_nodes - of_node) + edges for share in shares]
        strict = [share * of_nodes + edges for share in shares]
        worst, of_strict = (max(rank["memory_bytes"] / most for rank, most in zip(said["ranks"], mosts)) for mosts in (expected, strict))
        is_good = worst <= ALLOWED
        failed += not is_good
        print(f"{'ok    ' if is_good else 'FAILED'} {os.path.basename(graph)} {model}, {count} ranks: largest {max(r['memory_bytes'] for r in said['ranks'])} bytes of {of_graph}; "
              f"{worst:.3f} of the expected, {of_strict:.3f} where weights are divided, too", flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-run are")
    parser.add_argument("--graphs", type=lambda t: t.split(","), default=["cora", "pubmed_structure", "soc_epinions1"])
    parser.add_argument("--ranks", type=lambda t: [int(n) for n in t.split(",")], default=[2, 4, 8])
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    os.environ["CFLAGS"] = "-O1"
    tools, passed, failed, skipped = Tools(options.bin), 0, 0, 0
    for name in options.graphs:
        source = os.path.join(options.shared, "data", "graphs", f"{name}.safetensors")
        runs = len(MODELS) * len(options.ranks)
        if not os.path.exists(source):
            skipped += runs
            continue
        with tempfile.TemporaryDirectory(prefix="gnnc-memory-") as folder:
            graph = os.path.join(folder, f"{name}.safetensors")
            tensors.add_features(source, graph, int(tensors.read_header(source)[0]["__metadata__"]["num_nodes"]), FEATURES)
            cells, _ = make_cells(tools, graph, folder)
            for model in MODELS:
                try:
                    bad = check(tools, model, graph, cells, options.ranks, folder)
                except Failed as error:
                    bad = len(options.ranks)
                    print(f"FAILED {name} {model}: {error}")
                failed += bad
                passed += len(options.ranks) - bad
    if skipped:
        print(f"no {options.shared}/data: its graphs were left out")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
