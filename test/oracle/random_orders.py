"""Reductions in an order, and folds: over the edges at a node, and over the nodes of each graph of a batch."""
from random_expressions import expression, random_shape
from random_programs import edge_factor, production, take_field
from random_scope import SIZES, Inside, Leaf

PRODUCTIONS_FOR_C = ["in_order", "graphs_in_order", "run_graph"]  # machines refuse what depends on an order, and graphs made at run


def step(rng, state, value):
    """A next state that stays small."""
    return rng.choice([f"0.5 * {state} + tanh({value})", f"tanh({state} - {value})", f"max({state} * 0.5, sin({value}))",
                       f"sigmoid({value}) * {state} + cos({state})"])


def order(scope, inside):
    """The order of the members: that of the file, or by a key; some keys are equal."""
    if scope.rng.random() < 0.4:
        return ""
    key = expression(scope, None, (), 1, inside)
    return scope.rng.choice([f" by {key}", f" by -({key})", f" by round({key})"])


def reduction(scope, n, e, way, inside, shape):
    """A reduction of a random kind, and the shape of its result."""
    rng, members = scope.rng, f"{e} in {n}.{way}"
    kind = rng.choice(["first", "first", "median", "quantile", "prod", "fold", "fold"])
    scope.case.tag(f"order_{kind}")
    value = edge_factor(scope, inside, shape)
    if kind == "first":
        count = rng.choice([1, 2, 3, 7])
        return f"first({count}, {members}{order(scope, inside)}: {value})", (count, *shape)
    if kind == "quantile":
        return f"quantile({rng.choice([0, 0.25, 0.3, 0.9, 1])}, {members}: {value})", shape
    if kind != "fold":
        return f"{kind}({members}: {f'tanh({value}) + 1' if kind == 'prod' else value})", shape
    s = scope.case.fresh("s")
    first = "0" if not shape else f"zeros([{', '.join(map(str, shape))}])"
    body = step(rng, s, value)
    if len(shape) == 1 and rng.random() < 0.5:
        scope.case.tag("order_product")
        body = step(rng, f"({s} @ {scope.weight((shape[0], shape[0]))})", value)
    return f"fold({members}{order(scope, inside)}, {s} = {first}: {body})", shape


@production(3)
def in_order(scope):
    """A node loop with a reduction that depends on an order, or on all values together."""
    rng, graph, shape = scope.rng, scope.rng.choice(scope.graphs), random_shape(scope.rng)
    scope.case.tag("in_order")
    shape = shape[:1]
    way = "outgoing" if rng.random() < 0.3 and scope.case.allows("outgoing") else "incoming"
    scope.case.tag(way)
    name, n, e = scope.case.fresh("o"), rng.choice("nuv"), rng.choice(["e", "edge1", "k"])
    inside = Inside(graph, e, "edge", n, "dst" if way == "incoming" else "src", banned={name})
    text, result = reduction(scope, n, e, way, inside, shape)
    scope.emit(f"for {n} in {graph}.nodes {{")
    scope.indent += 1
    scope.emit(f"{n}.{name} = {text};")
    if rng.random() < 0.3 and result == shape:
        scope.case.tag("order_steps")
        s, t = scope.case.fresh("s"), scope.case.fresh("t")
        limit = rng.choice([f"{n}.in_degree", "3", f"max(3 - {n}.out_degree, 0)"])
        scope.emit(f"{n}.{name} = fold({t} in 0..{limit}, {s} = {n}.{name}: 0.5 * {s} + {t});")
    scope.indent -= 1
    scope.emit("}")
    scope.fields["node"][name] = result
    take_field(scope, n, name, result)


@production(1, "model")
def graphs_in_order(scope):
    """A reduction over the nodes of each graph."""
    if not scope.case.allows("pool"):
        return
    rng, shape, graph = scope.rng, (scope.rng.choice(SIZES),), scope.graphs[0]
    scope.case.tag("pool")
    scope.case.tag("in_order")
    x, k, name = (scope.case.fresh(stem) for stem in "xkq")
    scope.emit(f"let {x} = {expression(scope, 'node', shape, 1)};")
    scope.emit(f"let {k} = {expression(scope, 'node', (), 1)};")
    kind = rng.choice(["sum", "median", "prod", "first", "fold"])
    scope.case.tag(f"order_graph_{kind}")
    members, result = f"n in {graph}.graphs.nodes", shape
    if kind == "first":
        text, result = f"first(3, {members} by -n.{k}: n.{x})", (3, *shape)
    elif kind == "fold":
        text = f"fold({members} by n.{k}, s = zeros([{shape[0]}]): {step(rng, 's', f'n.{x}')})"
    else:
        text = f"{kind}({members}: {f'tanh(n.{x}) + 1' if kind == 'prod' else f'n.{x}'})"
    scope.emit(f"let {name} = {text};")
    scope.values["pergraph"].append(Leaf(name, result))
