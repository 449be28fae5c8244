"""Operators of the library over relations between nodes of several types give the numbers of their formulas (hetero_formulas).

    python3 hetero.py [--bin build/bin] [--machine c|interpreter|graphagile|...] [--only han,hgt]

The graph has three types of nodes, of which one is no destination, four relations, nodes without edges, and edges that are stored twice. The weights have
the names of PyTorch Geometric's HeteroConv, HANConv, HGTConv and HeteroDictLinear. In C the largest difference is at most 1e-5 * max(1, largest), on machines
1e-4. The last line is "N passed, N failed".
"""
import argparse
import functools
import os
import random
import sys
import tempfile

import operators
from cases import Case, linear, mlp, normalisation
from operators import Failed, Tensor, Tools, flat, make_weights, nested, outputs, write

import hetero_formulas as f

WIDTHS = {"paper": 4, "author": 3, "venue": 5}
COUNTS = {"paper": 6, "author": 4, "venue": 3}
RELATIONS = (("paper", "cites", "paper"), ("author", "writes", "paper"), ("paper", "rev_writes", "author"), ("venue", "holds", "paper"))
INTO = ("paper", "author")
HEAD = """\
  graph g {
    nodes paper, author, venue;
    edges cites : paper -> paper, writes : author -> paper, rev_writes : paper -> author, holds : venue -> paper;
  }
"""
LAYERS = {
    "sage": "sage_conv(g, x, out)", "sage_options": "sage_conv(g, x, out, max, true, project = true)", "rel": "graph_conv(g, x, out, aggr = max)",
    "gat": "gat_conv(g, x, 2, 3, concat_heads = false, add_self_loops = false, residual = true, bipartite = true)",
    "gatv2": "gatv2_conv(g, x, 2, 3, add_self_loops = false)", "transformer": "transformer_conv(g, x, 2, 3, beta = true)", "gin": "gin_conv(g, x, 5, out)",
    "edge": "edge_conv(g, x)", "simple": 'simple_conv(g, x, mean, "cat")', "cg": "cg_conv(g, x)", "gated": "res_gated_graph_conv(g, x, out)",
    "le": "le_conv(g, x, out)", "gine": "gine_conv(g, x, ends(g, x))", "nn": "nn_conv(g, x, ends(g, x), out)",
    "general": 'general_conv(g, x, out, heads = 2, attention = "additive")',
    "general_dot": 'general_conv(g, x, out, heads = 2, attention = "dot_product", directed_msg = false, skip_linear = true)',
    "feast": "feast_conv(g, x, out, heads = 2, add_self_loops = false)", "gmm": "gmm_conv(g, x, ends(g, x), out)",
    "spline": "spline_conv(g, x, ends(g, x), out, 3)", "mf": "mf_conv(g, x, out, max_degree = 2)", "film": "film_conv(g, x, out)",
    "gen": "gen_conv(g, x, out, msg_norm = true, bias = true)", "wl": "wl_conv_continuous(g, x)",
    "point_net": "point_net_conv(g, x, x, add_self_loops = false)",
    "ppf": "ppf_conv(g, x, columns(g, x, 0), columns(g, x, 1), add_self_loops = false)",
    "point_transformer": "point_transformer_conv(g, x, columns(g, x, 0), out, add_self_loops = false)",
}

TEXT = """\
layer ends(g: graph, x) {
  for e in g.edges { e.a = [abs(e.src.x[0]), abs(e.dst.x[1])]; }
  return e.a;
}

layer columns(g: graph, x, first: dim) {
  for n in g.src_nodes { n.y = n.x[first..first + 3]; }
  for n in g.dst_nodes { n.y = n.x[first..first + 3]; }
  return n.y;
}

layer stacked(g: graph, x) {
  let h = hetero_conv(g, x, 3, of_sage, none);
  for n in g.nodes.paper { n.y = transpose(n.h); }
  for n in g.nodes.author { n.y = transpose(n.h); }
  return n.y;
}
"""


class Graph:
    """Nodes of three types, x of different widths, z of one width."""

    def __init__(self, rng):
        def rows(n, size):
            return [[rng.randint(-64, 64) / 64 for _ in range(size)] for _ in range(n)]
        self.x = {kind: rows(n, WIDTHS[kind]) for kind, n in COUNTS.items()}
        self.z = {kind: rows(n, 4) for kind, n in COUNTS.items()}
        self.relations = {}
        for kind in RELATIONS:   # the last node of each type has no edges
            ends = [(rng.randrange(COUNTS[kind[0]] - 1), rng.randrange(COUNTS[kind[2]] - 1)) for _ in range(7)]
            self.relations[kind] = [*ends, ends[0]]
        self.relations[RELATIONS[0]] += [(2, 2), (2, 2), (3, 3)]

    def tensors(self, make):
        """The fields of the graph file: the nodes of each type one after the other, the edges of all relations in one random order."""
        first = {kind: sum(list(COUNTS.values())[:k]) for k, kind in enumerate(COUNTS)}
        edges = [(first[r[0]] + s, first[r[2]] + d, k) for k, (r, ends) in enumerate(self.relations.items()) for s, d in ends]
        order = list(range(len(edges)))
        random.Random(1).shuffle(order)
        order.sort(key=lambda e: e % 2)   # stored loops keep their order in each half
        edges = [edges[e] for e in order]
        made = {"edge_index": make("I64", [2, len(edges)], [s for s, _, _ in edges] + [d for _, d, _ in edges]),
                "edge_type": make("I64", [len(edges)], [k for _, _, k in edges]),
                "node_type": make("I64", [sum(COUNTS.values())], [k for k, n in enumerate(COUNTS.values()) for _ in range(n)])}
        for field in "xz":
            made |= {f"{field}.{kind}": make("F32", [len(rows), len(rows[0])], flat(rows)) for kind, rows in getattr(self, field).items()}
        return made


def per_relation(weights, widths=None):
    """The weights of HeteroConv: those of a layer from a width to a width, for each relation."""
    made = {}
    for src, name, dst in RELATIONS:
        of = weights(*(WIDTHS[kind] if widths is None else widths for kind in (src, dst)))
        made |= {f"convs.<{src}___{name}___{dst}>.{n}": shape for n, shape in of.items()}
    return made


def hetero(layer, weights, formula, out=3, aggr="sum", fields="x"):
    made = per_relation(weights, None if fields == "x" else 4)
    positive = tuple(name for name in made if name.endswith("running_var") or name.endswith("sigma"))
    return Case(f"hetero_conv(g, {fields}, {out}, of_{layer}, {aggr})", f.hetero(formula, aggr, fields), made, positive)


def sage(a, b):
    return linear("lin_l", 3, a) | linear("lin_r", 3, b, False)


def gen(a, b):
    """The linear layers of both ends are there where their widths are not those of the result."""
    made = linear("mlp.0", 6, 3) | normalisation("mlp.1", 6) | linear("mlp.4", 3, 6) | {"msg_norm.scale": [1]}
    return made | (linear("lin_src", 3, a) if a != 3 else {}) | (linear("lin_dst", 3, b) if b != 3 else {})


def each_relation(shape, *names):
    return {f"{name}.{'__'.join(kind)}": shape for kind in RELATIONS for name in names}


CASES = {
    **{f"sage_{aggr}": hetero("sage", sage, f.sage, aggr=aggr) for aggr in ("sum", "mean", "max", "min", "concat")},
    "sage_none": Case("stacked(g, x)", f.stacked, per_relation(sage)),
    "sage_options": hetero("sage_options", lambda a, b: sage(a, b) | linear("lin", a, a), f.sage_options),
    "graph_conv": hetero("rel", lambda a, b: linear("lin_rel", 3, a) | linear("lin_root", 3, b, False), f.graph_conv),
    "gat": hetero("gat", lambda a, b: {"att_src": [1, 2, 3], "att_dst": [1, 2, 3], "bias": [3]} | linear("lin_src", 6, a, False)
                  | linear("lin_dst", 6, b, False) | linear("res", 3, b, False), f.gat),
    "gatv2": hetero("gatv2", lambda a, b: {"att": [1, 2, 3], "bias": [6]} | linear("lin_l", 6, a) | linear("lin_r", 6, b), f.gatv2, 6),
    "transformer": hetero("transformer", lambda a, b: linear("lin_query", 6, b) | linear("lin_key", 6, a) | linear("lin_value", 6, a)
                          | linear("lin_skip", 6, b) | linear("lin_beta", 1, 18, False), f.transformer, 6),
    "gin": hetero("gin", lambda a, b: mlp("nn", a, 5, 3) | {"eps": [1]}, f.gin, fields="z"),
    "edge_conv": hetero("edge", lambda a, b: mlp("nn", 2 * a, 5, 3), f.edge_conv, fields="z"),
    "simple": hetero("simple", lambda a, b: {}, f.simple, 8, fields="z"),
    "cg": hetero("cg", lambda a, b: linear("lin_f", b, a + b) | linear("lin_s", b, a + b), f.cg, 4, fields="z"),
    "gated": hetero("gated", lambda a, b: linear("lin_key", 3, b) | linear("lin_query", 3, a) | linear("lin_value", 3, a)
                    | linear("lin_skip", 3, b, False) | {"bias": [3]}, f.gated),
    "le": hetero("le", lambda a, b: linear("lin1", 3, a) | linear("lin2", 3, b, False) | linear("lin3", 3, b), f.le),
    "gine": hetero("gine", lambda a, b: mlp("nn", a, 5, 3) | linear("lin", a, 2) | {"eps": [1]}, f.gine, fields="z"),
    "nn_conv": hetero("nn", lambda a, b: mlp("nn", 2, 5, 3 * a) | linear("lin", 3, b, False) | {"bias": [3]}, f.nn_conv),
    "general": hetero("general", lambda a, b: linear("lin_msg", 12, a) | linear("lin_self", 6, b) | {"att_msg": [1, 2, 6]}, f.general, 6),
    "general_dot": hetero("general_dot", lambda a, b: linear("lin_msg", 8, a) | linear("lin_msg_i", 8, b) | linear("lin_self", 4, b),
                          functools.partial(f.general, has_dot=True), 4, fields="z"),
    "feast": hetero("feast", lambda a, b: linear("lin", 6, a, False) | linear("u", 2, a, False) | {"c": [2], "bias": [3]}, f.feast, fields="z"),
    "gmm": hetero("gmm", lambda a, b: {"g": [a, 6], "mu": [2, 2], "sigma": [2, 2], "bias": [3]} | linear("root", 3, b, False), f.gmm),
    "spline": hetero("spline", lambda a, b: {"weight": [9, a, 3], "bias": [3]} | linear("lin", 3, b, False), f.spline),
    "mf": hetero("mf", lambda a, b: {k: v for i in range(3) for k, v in (linear(f"lins_l.{i}", 3, a) | linear(f"lins_r.{i}", 3, b, False)).items()}, f.mf),
    "film": hetero("film", lambda a, b: linear("lins.0", 3, a, False) | linear("films.0", 6, b) | linear("lin_skip", 3, b, False)
                   | linear("film_skip", 6, b, False), f.film),
    "gen": hetero("gen", gen, f.gen),
    "wl": hetero("wl", lambda a, b: {}, f.wl_continuous, 4, fields="z"),
    "point_net": hetero("point_net", lambda a, b: mlp("local_nn", 2 * a, 5, 3) | mlp("global_nn", 3, 4, 2), f.point_net, 2, fields="z"),
    "ppf": hetero("ppf", lambda a, b: mlp("local_nn", a + 4, 5, 3) | mlp("global_nn", 3, 4, 2), f.ppf, 2, fields="z"),
    "point_transformer": hetero("point_transformer", lambda a, b: linear("lin", 3, a, False) | linear("lin_src", 3, a, False)
                                | linear("lin_dst", 3, b, False) | linear("pos_nn", 3, 3), f.point_transformer),
    "gcn_of_papers": Case("gcn_conv(g.cites, x.paper, 3)", f.gcn_of_papers, linear("lin", 3, bias=False) | {"bias": [3]}),
    "gat_of_papers": Case("gat_conv(g.cites, x, 2, 3)", f.gat_of_papers, linear("lin", 6, bias=False) | {"att_src": [1, 2, 3], "att_dst": [1, 2, 3], "bias": [6]}),
    "dict_linear": Case("hetero_dict_linear(g, x, 3)", f.dict_linear, {k: v for kind, n in WIDTHS.items() for k, v in linear(f"lins.{kind}", 3, n).items()}),
    "stacked_linear": Case("hetero_linear(g, z, 2)", f.stacked_linear, {"weight": [3, 4, 2], "bias": [3, 2]}),
    "han": Case("han_conv(g, x, 4, 2)", f.han, {k: v for kind, n in WIDTHS.items() for k, v in linear(f"proj.{kind}", 4, n).items()}
                | each_relation([1, 2, 2], "lin_src", "lin_dst") | linear("k_lin", 4, 4) | {"q": [1, 4]}),
    "hgt": Case("hgt_conv(g, x, 4, 2)", f.hgt, {k: v for kind, n in WIDTHS.items() for k, v in linear(f"kqv_lin.lins.{kind}", 12, n).items()}
                | {k: v for kind in INTO for k, v in linear(f"out_lin.lins.{kind}", 4, 4).items()} | {f"skip.{kind}": [1] for kind in INTO}
                | {"k_rel.weight": [8, 2, 2], "v_rel.weight": [8, 2, 2]} | each_relation([1, 2], "p_rel")),
}


def kinds_of(name):
    """The types of nodes that have a result."""
    return tuple(COUNTS) if name.endswith("linear") else INTO[:1] if name.endswith("papers") else INTO


def model_text(names):
    lines = [f"layer of_{layer}(g: graph, x, out: dim) {{\n  return {call};\n}}\n" for layer, call in LAYERS.items()]
    lines += [TEXT, "model hetero {", HEAD, *(f"  input {field}.{kind} : node f32[{field.upper()}{kind}];" for field in "xz" for kind in COUNTS)]
    for name in names:
        lines.append(f"  let {name} = {CASES[name].call}" + (f' from "{name}";' if CASES[name].weights else ";"))
        lines += [f"  output {name}.{kind} = {name};" for kind in kinds_of(name)]
    return "\n".join([*lines, "}", ""])


def write_files(names, graph, scratch):
    """Writes model, graph and weights; returns (their paths, operator -> name -> nested lists)."""
    rng = random.Random(5)
    weights, tensors = {}, {}
    for name in names:
        made = make_weights(rng, CASES[name])
        weights[name] = {n: nested(numbers, shape) for n, (shape, numbers) in made.items()}
        tensors.update({f"{name}.{n}": Tensor("F32", list(shape), numbers) for n, (shape, numbers) in made.items()})
    paths = [os.path.join(scratch, n) for n in ("operators.gnn", "graph.safetensors", "weights.safetensors")]
    with open(paths[0], "w", encoding="utf-8") as file:
        file.write(model_text(names))
    write(paths[1], graph.tensors(Tensor), {"num_nodes": sum(COUNTS.values())})
    write(paths[2], tensors)
    return paths, weights


def wrong(name, got, expected, tolerance):
    """What is wrong with the results of a case, or None."""
    if tuple(expected) != kinds_of(name) and set(expected) != set(kinds_of(name)):
        return f"results of {sorted(expected)}, expected {kinds_of(name)}"
    for kind, rows in expected.items():
        numbers, data = flat(rows), got[f"{name}.{kind}"].data
        if len(numbers) != len(data):
            return f"{len(data)} numbers of '{kind}', expected {len(numbers)}"
        allowed = tolerance * max(1.0, *map(abs, numbers))
        worst = max(abs(a - b) if a == a else float("inf") for a, b in zip(data, numbers, strict=True))
        if worst > allowed:
            return f"'{kind}' differs by {worst:.3g}, allowed {allowed:.3g}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", default=os.path.join(operators.ROOT, "build", "bin"))
    parser.add_argument("--machine", default="c")
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of cases")
    parser.add_argument("--keep", help="a folder for the files, which then stay")
    options = parser.parse_args()
    names, failed = options.only or list(CASES), 0
    os.environ.setdefault("CFLAGS", "-O1")
    with tempfile.TemporaryDirectory(prefix="gnnc-hetero-") as folder:
        graph = Graph(random.Random(3))
        paths, weights = write_files(names, graph, options.keep or folder)
        try:
            got = outputs(Tools(options.bin), options.machine, paths, options.keep or folder)
        except Failed as error:
            sys.exit(f"FAILED: {error}\n0 passed, {len(names)} failed")
    for name in names:
        found = wrong(name, got, CASES[name].formula(graph, weights[name]), operators.TOLERANCE.get(options.machine, operators.MACHINE_TOLERANCE))
        if found:
            failed += 1
            print(f"FAILED {name}: {found}")
    print(f"{len(names) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
