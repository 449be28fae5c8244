"""Writes one random well-typed model with its weights and a graph, the same for the same seed.

    python3 generate.py --seed 7 [--size 40] [--statements 6] [--without typed,pool] -o FOLDER

FOLDER gets model.gnn, graph.safetensors, weights.safetensors. The parts of a model come from random_programs.py (statements),
random_expressions.py (expressions), random_attention.py (values of edges), random_library.py (layers of the library), random_typed.py and random_relations.py (types of nodes and edges),
random_run_graphs.py (graphs that are made while the model runs),
random_graphs.py (graphs).
"""
import argparse
import os
import random
from dataclasses import dataclass

import random_attention  # noqa: F401  (registers its productions)
import random_library  # noqa: F401  (registers its productions)
import random_orders  # noqa: F401  (registers its productions)
import random_relations  # noqa: F401  (registers its productions)
import random_run_graphs  # noqa: F401  (registers its productions)
import random_typed  # noqa: F401  (registers its productions)
from random_expressions import expression, random_shape
from random_integers import add_integers
from random_loss import add_loss
from random_graphs import compress, dense, make_graph, store_as
from random_programs import fill
from random_scope import SIZES, Case, Leaf, Scope, choose_sizes
from safetensors import write

STYLES = ["real", "real", "real", "positive", "integers", "sparse"]


@dataclass
class Generated:
    text: str
    graph: dict
    metadata: dict
    weights: dict
    tags: list


def add_inputs(scope, tensors, metadata):
    """Adds node features, dense or compressed, and sometimes scalars per node and values per edge."""
    rng, facts = scope.rng, scope.facts
    width = rng.choice(SIZES + [7, 16, 33])
    x = dense(rng, [facts.num_nodes, width], rng.choice(STYLES))
    form = rng.choice(["dense", "dense", "both", "compressed"]) if scope.case.allows("sparse") else "dense"
    scope.case.tag(f"x_{form}")
    if form != "dense":
        tensors.update(compress("x", x))
    if form != "compressed":
        tensors["x"] = x
    metadata["num_features"] = width
    # compressed features do not contain their width, so the type in the model has a number
    symbol = rng.random() < 0.5 and form != "compressed"
    scope.declarations.append(f"input x : node f32[{'F' if symbol else width}];")
    if symbol:
        scope.symbols[width] = "F"
    scope.values["node"].append(Leaf("x", (width,)))
    if rng.random() < 0.3:
        shape = random_shape(rng)
        tensors["pos"] = dense(rng, [facts.num_nodes, *shape], rng.choice(STYLES))
        scope.declarations.append(f"input pos : {scope.type_text(shape, 'node')};")
        scope.values["node"].append(Leaf("pos", shape))
    if rng.random() < 0.5 and scope.case.allows("edge_input"):
        scope.case.tag("edge_input")
        shape = rng.choice([(), (), (rng.choice(SIZES),)])
        source = rng.choice(["edge_weight" if not shape else "edge_attr", "w"])
        tensors[source] = dense(rng, [facts.num_edges, *shape], rng.choice(["real", "positive"]))
        declared = f'input w : {scope.type_text(shape, "edge")}'
        scope.declarations.append(declared + (";" if source == "w" else f' from "{source}";'))
        scope.edge_values["g"] = [Leaf("w", shape)]
    if rng.random() < 0.1 and scope.case.allows("plain_input"):
        scope.case.tag("plain_input")
        shape = (rng.choice(SIZES),)
        tensors["scale"] = dense(rng, shape, "real")
        scope.declarations.append(f"input scale : {scope.type_text(shape)};")
        scope.values["plain"].append(Leaf("scale", shape))
        scope.emit(f"let scaled = {expression(scope, 'node', shape, 1)} * scale;")
        scope.values["node"].append(Leaf("scaled", shape))
    if rng.random() < 0.15 and scope.case.allows("pool"):
        scope.case.tag("graph_input")
        scope.case.tag("pool")
        shape = random_shape(rng)
        tensors["globals"] = dense(rng, [facts.num_graphs, *shape], rng.choice(STYLES))
        scope.declarations.append(f"input globals : {scope.type_text(shape, 'graph')};")
        scope.values["pergraph"].append(Leaf("globals", shape))
    if rng.random() < 0.15:
        scope.case.tag("embedding")
        shape = (rng.choice(SIZES),)
        scope.case.weights["node_emb.weight"] = dense(rng, [facts.num_nodes, *shape], "real")
        scope.declarations.append(f'input emb : {scope.type_text(shape, "node")} from "node_emb.weight";')
        scope.values["node"].append(Leaf("emb", shape))


def add_typed_inputs(scope, tensors):
    """Adds features of each node type, each with a width of its own, and maps them to one width."""
    rng, facts = scope.rng, scope.facts
    if not facts.type_names or rng.random() < 0.3 or not scope.case.allows("typed") or not scope.case.allows("parts"):
        return
    for tag in ("typed", "parts", "typed_input"):
        scope.case.tag(tag)
    width, types = rng.choice(SIZES), tensors["node_type"].data
    for number, name in enumerate(facts.type_names):
        own = rng.choice(SIZES)
        tensors[f"f.{name}"] = dense(rng, [types.count(number), own], rng.choice(STYLES))
        scope.declarations.append(f"input f.{name} : node f32[{own}];")
        if own == width and rng.random() < 0.5:
            scope.emit(f"for n in g.nodes.{name} {{ n.f0 = n.f; }}")
        elif rng.random() < 0.3:
            scope.emit(f"let f{name} = relu(f.{name} @ {scope.weight((own, width))});")
            scope.emit(f"for n in g.nodes.{name} {{ n.f0 = n.f{name}; }}")
        else:
            scope.emit(f"for n in g.nodes.{name} {{ n.f0 = n.f @ {scope.weight((own, width))}; }}")
    scope.emit("let united = n.f0;")
    scope.values["node"].append(Leaf("united", (width,)))


def add_output(scope, name, domain, shape, text):
    scope.case.outputs.append((domain, shape, text))
    scope.emit(f"output {name} = {text};")


def add_outputs(scope):
    """Chooses the outputs: node values mostly from the end of the program, and sometimes one of every other domain."""
    rng = scope.rng
    for k in range(rng.choice([1, 1, 1, 2, 3])):
        shape = random_shape(rng)
        add_output(scope, f"out{k}", "node", shape, expression(scope, "node", shape, 1))
    if rng.random() < 0.2:
        scope.case.tag("argmax")
        scope.emit(f"output label = argmax({expression(scope, 'node', (rng.choice([2, 3, 5]),), 1)});")
    if scope.edge_values.get("g") and rng.random() < 0.4:
        scope.case.tag("edge_output")
        shape = random_shape(rng)
        add_output(scope, "score", "g", shape, expression(scope, "g", shape, 1))
    if scope.values["plain"] and rng.random() < 0.3:
        scope.case.tag("plain_output")
        leaf = scope.rng.choice(scope.values["plain"])
        add_output(scope, "constant", "plain", leaf.shape, leaf.text)
    if scope.values["pergraph"]:
        shape = scope.values["pergraph"][-1].shape
        add_output(scope, "pooled", "pergraph", shape, expression(scope, "pergraph", shape, 1))


def generate(seed, size=40, statements=6, without=(), only=(), has_loss=False):
    """Returns one random test, with a loss where asked for. `without`: tags and names of productions to leave out; `only`: the only productions to draw from, or
        none for all of them."""
    rng = random.Random(seed)
    case = Case(rng, set(without) | ({"typed"} if rng.random() < 0.5 else set()))
    if choose_sizes(rng):
        case.tag("wide")
        size = min(size, 12)
    tensors, metadata, facts = make_graph(rng, size)
    case.tag(f"graph_{facts.kind}")
    scope = Scope(case, "", facts)
    scope.graphs = ["g"]
    add_inputs(scope, tensors, metadata)
    add_typed_inputs(scope, tensors)
    add_integers(scope, tensors)
    fill(scope, rng.randint(1, statements), {"graph", "model"}, only)
    add_outputs(scope)
    if has_loss:
        add_loss(scope)
    if rng.random() < 0.1 and case.allows("dtypes"):
        case.tag("dtypes")
        case.weights = {name: store_as(rng, t) if rng.random() < 0.5 and name not in case.stacked else t for name, t in case.weights.items()}
    if "typed" not in case.tags:
        del tensors["edge_type"], tensors["node_type"]
    if "pool" not in case.tags or (seed % 5 == 0 and "graph_input" not in case.tags):  # without a batch all nodes belong to one graph
        del tensors["batch"], tensors["ptr"]
    has_names = "typed" in case.tags and facts.type_names
    types = [f"{name} : {src} -> {dst}" if src else name for name, src, dst in facts.relations]
    relations = f" edges {', '.join(types)};" if types else ""
    names = f" {{ nodes {', '.join(facts.type_names)};{relations} }}" if has_names else ""
    lines = [f"# A random model: seed {seed}, graph {facts.kind}.", *case.layers, "model random {", f"  graph g{names or ';'}",
             *("  " + d for d in scope.declarations), "", *scope.lines, "}", ""]
    return Generated("\n".join(lines), tensors, metadata, case.weights, sorted(case.tags))


def write_case(folder, generated):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.gnn"), "w") as f:
        f.write(generated.text)
    write(os.path.join(folder, "graph.safetensors"), generated.graph, generated.metadata)
    write(os.path.join(folder, "weights.safetensors"), generated.weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--size", type=int, default=40, help="most nodes")
    parser.add_argument("--statements", type=int, default=6, help="most statements of the model's body")
    parser.add_argument("--without", default="", help="tags to leave out, e.g. typed,pool")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER")
    options = parser.parse_args()
    case = generate(options.seed, options.size, options.statements, options.without.split(","))
    write_case(options.output, case)
    print(" ".join(case.tags))


if __name__ == "__main__":
    main()
