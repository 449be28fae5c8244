"""The FLOPs of compiled R-GCN, R-GAT and HGT (one head, 64 -> 64, one weight per canonical type) equal closed forms.

    python3 counts.py [--bin build/bin] [--shared ../shared]

Each variant (U: a row per edge; C: compact; F: linear operators fused; CF: both; A: R-GCN aggregates first) is compiled with switches, every operation in its
own loop. The sums of --emit=counts=json must equal the closed form exactly, for products with matrices and for the other operations. Without
switches the compiler chooses, and its GEMM FLOPs are those of the variant that the profit rule names. Without the shared graphs every case is
skipped. The last line is "N passed, N failed, N skipped".
"""
import argparse
import json
import os
import struct
import sys
import tempfile

from programs import ROOT, Failed, Tools

D = 64
MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counts")
LOOPS = ["-fno-fuse-loops", "-fno-fuse-softmax"]
NONE = ["-fno-compact", "-fno-fuse-linear", "-fno-aggregate-first"]
VARIANTS = {"U": [], "C": ["-fcompact"], "F": ["-ffuse-linear"], "CF": ["-fcompact", "-ffuse-linear"], "A": ["-faggregate-first"]}
# nodes, edges, canonical types, pairs of edge type and source, pairs of edge type and destination, the ratio in
# Pigeon's table
GRAPHS = {"aifb_typed": (7262, 48810, 104, 24299, 24299, "0.498"),
          "mutag_typed": (27163, 148100, 50, 76204, 76204, "0.515"),
          "fb15k_237": (14541, 620232, 474, 161922, 161922, "0.261")}
CASES = {"rgcn": ("U", "C", "A"), "rgcn_norm": ("U", "C", "A"), "rgat": ("U", "C", "F", "CF"), "hgt": ("U", "C", "F", "CF")}
# the variants that the profit rule chooses: it always fuses the destination side of R-GAT; keys and values of HGT only
# where |V| > |T| d
CHOSEN = {"rgcn": lambda graph: "C", "rgcn_norm": lambda graph: "C", "rgat": lambda graph: "CF",
          "hgt": lambda graph: "C" if graph == "fb15k_237" else "CF"}


def closed_form(model, variant, graph):
    """Returns (FLOPs of products with matrices in bind and run, other FLOPs of run)."""
    nodes, edges, types, unique_src, unique_dst, _ = GRAPHS[graph]
    s, d = (unique_src, unique_dst) if "C" in variant else (edges, edges)
    product = 2 * D * D
    if model.startswith("rgcn"):
        if variant != "A":
            return product * (nodes + s), 2 * edges * D
        return product * (nodes + unique_dst), 2 * edges * D + unique_dst * D
    if model == "rgat":
        return (product * (s + types) if "F" in variant else product * (s + d)), 2 * D * (s + d) + 5 * edges + 2 * edges * D
    if "F" in variant:
        return product * (nodes + 2 * s + 2 * types * D), 4 * edges * D + 4 * edges
    return product * (3 * nodes + 2 * s), 4 * edges * D + 4 * edges


def add_fields(source, destination, graph):
    """Writes the graph with the fields that the models read, all zero: features, a factor per edge and, where the graph has none, node types."""
    nodes, edges = GRAPHS[graph][:2]
    with open(source, "rb") as file:
        raw = file.read()
    size = struct.unpack("<Q", raw[:8])[0]
    header, data = json.loads(raw[8:8 + size]), raw[8 + size:]
    for name, dtype, shape, width in (("x", "F16", [nodes, D], 2), ("norm", "F16", [edges], 2), ("node_type", "U8", [nodes], 1)):
        if name in header:
            continue
        length = width * shape[0] * (shape[1] if len(shape) > 1 else 1)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + length]}
        data += bytes(length)
    text = json.dumps(header).encode()
    with open(destination, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def count(tools, model, graph_file, options):
    """Returns the JSON of --emit=counts=json for a model."""
    return json.loads(tools.call([tools.gnnc, "--emit=counts=json", os.path.join(MODELS, f"{model}.gnn"), f"--dim=D={D}",
                                  f"--graph={graph_file}", *options]))


def check(counts, expected):
    """Returns what differs from the closed form, or None."""
    found = counts["total"]["gemm_flops"]["value"], counts["run"]["total"]["traversal_flops"]["value"]
    for name, mine, theirs, formula in (("GEMM", found[0], expected[0], counts["total"]["gemm_flops"]["formula"]),
                                        ("traversal", found[1], expected[1], counts["run"]["total"]["traversal_flops"]["formula"])):
        if theirs is not None and mine != theirs:
            return f"{name}: {formula} = {mine}, closed form {theirs}"
    sums = sum(kernel["gemm_flops"]["value"] for phase in ("bind", "run") for kernel in counts[phase]["kernels"])
    return None if sums == found[0] else f"the kernels add up to {sums}, the total is {found[0]}"


def cases(graph):
    """Yields (name, model, options, expected FLOPs)."""
    for model, variants in CASES.items():
        for variant in variants:
            yield f"{model} {variant}", model, [*LOOPS, *NONE, *VARIANTS[variant]], closed_form(model, variant, graph)
        chosen = CHOSEN[model](graph)
        yield f"{model} as chosen", model, [], (closed_form(model, chosen, graph)[0], None)


def check_ratio(tools, graph, graph_file):
    stats = tools.call([os.path.join(os.path.dirname(tools.gnnc), "gnn-data"), "stats", "--json", graph_file])
    types = json.loads(stats)["canonical_types"]
    found = types["types"], types["unique_src"], types["unique_dst"], f"{types['ratio_src']:.3f}"
    return None if found == GRAPHS[graph][2:] else f"types, pairs and ratio are {found}, expected {GRAPHS[graph][2:]}"


def run_graph(tools, shared, graph, scratch):
    """Yields (name, error or None)."""
    plain, full = (os.path.join(scratch, f"{graph}.{form}.safetensors") for form in ("plain", "full"))
    source = os.path.join(shared, "data", "graphs", f"{graph}.safetensors")
    tools.call([os.path.join(os.path.dirname(tools.gnnc), "gnn-data"), "convert", "--canonical-types", source, "-o", plain])
    add_fields(plain, full, graph)
    yield "ratio", check_ratio(tools, graph, plain)
    for name, model, options, expected in cases(graph):
        try:
            yield name, check(count(tools, model, full, options), expected)
        except Failed as error:
            yield name, str(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"), help="where gnnc and gnn-data are")
    parser.add_argument("--shared", default=os.environ.get("GNNC_SHARED", os.path.join(ROOT, "..", "shared")))
    options = parser.parse_args()
    tools, number = Tools(options.bin), {"passed": 0, "failed": 0, "skipped": 0}
    with tempfile.TemporaryDirectory(prefix="gnnc-counts-") as scratch:
        for graph in GRAPHS:
            if not os.path.exists(os.path.join(options.shared, "data", "graphs", f"{graph}.safetensors")):
                number["skipped"] += 1 + len(list(cases(graph)))
                continue
            for name, wrong in run_graph(tools, options.shared, graph, scratch):
                number["failed" if wrong else "passed"] += 1
                print(f"{'FAILED' if wrong else 'ok':6} {graph} {name}" + (f": {wrong}" if wrong else ""), flush=True)
    print(f"{number['passed']} passed, {number['failed']} failed, {number['skipped']} skipped")
    sys.exit(1 if number["failed"] else 0)


if __name__ == "__main__":
    main()
