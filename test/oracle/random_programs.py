"""Random statements: productions add them to a body, and each production adds names and values to the scope.

A production is a function (scope) -> None with a tag. A tag can be switched off; the tags of failing tests are counted."""
from random_expressions import expression, random_shape
from random_scope import SIZES, Inside, Leaf, Scope

PRODUCTIONS = []


def production(weight, needs="graph"):
    """Registers a production; `needs`: "graph" in any body, "model" only at the top of a model."""
    def register(function):
        PRODUCTIONS.extend([(function, needs)] * weight)
        return function
    return register


def let_node(scope, text, shape, stem="h"):
    name = scope.case.fresh(stem)
    scope.emit(f"let {name} = {text};")
    scope.values["node"].append(Leaf(name, tuple(shape)))


def take_part(scope, name, shape):
    """Makes a field of nodes of some types a value of all nodes, which is 0 at the others."""
    whole = scope.case.fresh("w")
    scope.emit(f"for n in g.nodes {{ n.{whole} = n.{name}; }}")
    scope.fields["node"][whole] = shape
    take_field(scope, "n", whole, shape)


def take_field(scope, variable, name, shape, domain="node"):
    """Makes a field a value of the body, so that later statements and outputs can read it."""
    result = scope.case.fresh("v")
    scope.emit(f"let {result} = {variable}.{name};")
    if domain == "node":
        scope.values["node"].append(Leaf(result, shape))
    else:
        scope.edge_values.setdefault(domain, []).append(Leaf(result, shape))


@production(4)
def elementwise(scope):
    shape = random_shape(scope.rng)
    let_node(scope, expression(scope, "node", shape, 2), shape)


@production(2)
def new_version(scope):
    """Gives an existing name a new value."""
    scope.case.tag("new_version")
    leaf = scope.rng.choice(scope.values["node"])
    if not leaf.text.startswith("h"):
        return
    if scope.rng.random() < 0.5:
        scope.emit(f"{leaf.text} = {expression(scope, 'node', leaf.shape, 2)};")
    else:
        scope.emit(f"{leaf.text} {scope.rng.choice(['+=', '-=', '*='])} {expression(scope, 'node', leaf.shape, 1)};")


@production(2)
def same_name(scope):
    """Defines a value with the name of a field, which hides the field in later reads; sometimes assigns the field again after it."""
    known = {leaf.text for leaf in scope.values["node"]}
    fields = [f for f in scope.fields["node"] if f not in known and not f.startswith("w")]  # weights are called w0, w1, ...
    if not fields:
        return
    scope.case.tag("same_name")
    name = scope.rng.choice(fields)
    shape = scope.fields["node"][name]
    scope.emit(f"let {name} = {expression(scope, 'node', shape, 1)};")
    scope.values["node"].append(Leaf(name, shape))
    inside = Inside("g" if "g" in scope.graphs else scope.graphs[0], "n", "node")
    if scope.rng.random() < 0.5:
        scope.emit(f"for n in {inside.graph}.nodes {{ n.{name} = n.{name} - {expression(scope, None, shape, 1, inside)}; }}")
    elif scope.rng.random() < 0.5:
        scope.emit(f"for n in {inside.graph}.nodes {{ for e in n.incoming {{ n.{name} += 0.5; }} }}")


@production(3)
def residual(scope):
    scope.case.tag("residual")
    leaf = scope.rng.choice(scope.values["node"])
    let_node(scope, f"{leaf.text} + {expression(scope, 'node', leaf.shape, 2)}", leaf.shape)


NEUTRAL = ["({} * 1)", "({} + 0)", "({} - 0)", "(-(-{}))", "({} / 1)", "(0 + {})", "(1 * {})", "({} * 0.5 * 2)",
           "relu(relu({}))", "abs(abs({}))", "max({0}, {0})", "({0} - {0} * 0)"]


@production(3)
def foldable(scope):
    """Patterns of the optimisers: neutral elements, batch norm after a linear layer, linear layers in a row, an aggregation
        beside a linear layer, the same expression twice."""
    scope.case.tag("foldable")
    rng, width = scope.rng, scope.rng.choice(SIZES)
    x = expression(scope, "node", (width,), 1)
    form, out = rng.randrange(5), rng.choice(SIZES)
    if form == 0:
        let_node(scope, rng.choice(NEUTRAL).format(f"({x})"), (width,))
    elif form == 1:
        mean, variance, gamma, beta = (scope.weight((out,), s) for s in ("real", "positive", "real", "real"))
        bias = f" + {scope.weight((out,))}" if rng.random() < 0.5 else ""
        linear = f"({x}) @ {scope.weight((width, out))}{bias}"
        let_node(scope, f"relu(normalize({linear}, {mean}, {variance}, {gamma}, {beta}))", (out,))
    elif form == 2:
        inner = rng.choice(SIZES)
        let_node(scope, f"({x}) @ {scope.weight((width, inner))} @ {scope.weight((inner, out))}", (out,))
    elif form == 3:
        let_node(scope, f"({x}) * ({x}) + ({x})", (width,))
    else:
        exchange(scope, x, width, out)


def exchange(scope, x, width, out):
    """A linear layer before or after a sum over neighbours; both orders give the same result."""
    rng, name, before = scope.rng, scope.case.fresh("y"), scope.rng.random() < 0.5
    h, shape = scope.case.fresh("h"), (out if before else width,)
    scope.emit(f"let {h} = ({x})" + (f" @ {scope.weight((width, out))};" if before else ";"))
    scope.values["node"].append(Leaf(h, shape))
    kind = rng.choice(["sum", "sum", "mean", "max"])
    scope.emit(f"for n in {rng.choice(scope.graphs)}.nodes {{ n.{name} = {kind}(e in n.incoming: e.src.{h}); }}")
    scope.fields["node"][name] = shape
    take_field(scope, "n", name, shape)
    if not before:
        text = f"{scope.values['node'][-1].text} @ {scope.weight((width, out))} + {scope.weight((out,))}"
        let_node(scope, rng.choice(["{}", "relu({})", "gelu({})"]).format(text), (out,))


@production(1)
def plain_value(scope):
    """Arithmetic on weights alone."""
    scope.case.tag("plain")
    shape = scope.rng.choice([(), (scope.rng.choice(SIZES),), (scope.rng.choice(SIZES), scope.rng.choice(SIZES))])
    if not scope.values["plain"]:
        scope.values["plain"].append(Leaf(scope.weight(shape), shape))
    text = expression(scope, "plain", shape, 2)
    name = scope.case.fresh("p")
    scope.emit(f"let {name} = {text};")
    scope.values["plain"].append(Leaf(name, shape))
    let_node(scope, f"{expression(scope, 'node', shape, 1)} + {name}", shape)


@production(2)
def self_loops(scope):
    scope.case.tag("self_loops")
    if len(scope.graphs) > 2:
        return
    base = "g" if "g" in scope.graphs else scope.graphs[0]
    mode = scope.rng.choice(["add_remaining_self_loops", "keep_one_self_loop", "replace_self_loops", "remove_self_loops"])
    name = scope.case.fresh("g")
    scope.emit(f"let {name} = {mode}({base});")
    scope.graphs.append(name)
    can_extend = not mode.startswith("re") or not scope.graph_is_derived  # the model cannot tell added loops from stored ones
    if scope.edge_values.get(base) and can_extend and scope.rng.random() < 0.8:
        scope.case.tag("extend_edges")
        leaf = scope.rng.choice(scope.edge_values[base])
        longer = scope.case.fresh("x")
        scope.emit(f"let {longer} = extend_edges({name}, {leaf.text}, {scope.rng.choice(['1', '0', '0.5'])});")
        scope.edge_values.setdefault(name, []).append(Leaf(longer, leaf.shape))


@production(1)
def reversed_graph(scope):
    if len(scope.graphs) > 2:
        return
    scope.case.tag("reverse")
    base, name = scope.rng.choice(scope.graphs), scope.case.fresh("g")
    scope.emit(f"let {name} = reverse({base});")
    scope.graphs.append(name)
    scope.edge_values[name] = list(scope.edge_values.get(base, []))


@production(1, "model")
def power_graph(scope):
    if len(scope.graphs) > 2 or not scope.case.allows("power"):
        return
    scope.case.tag("power")
    base = "g" if "g" in scope.graphs else scope.graphs[0]
    if scope.rng.random() < 0.3:
        base = f"reverse({base})"
    if scope.rng.random() < 0.3:
        base = f"remove_self_loops({base})"
    text = f"power({base}, {scope.rng.choice([1, 2, 2, 3, 100])})"
    if scope.rng.random() < 0.3:
        text = f"power({text}, 2)"
    if scope.rng.random() < 0.4:
        text = f"{scope.rng.choice(['add_remaining_self_loops', 'replace_self_loops'])}({text})"
    name = scope.case.fresh("g")
    scope.emit(f"let {name} = {text};")
    scope.graphs.append(name)


@production(1)
def known_members(scope):
    """A reduction over numbers or types of nodes that are known when the model is compiled."""
    rng, kind, k = scope.rng, scope.rng.choice(["sum", "mean", "max", "min", "prod"]), scope.case.fresh("k")
    shape = random_shape(rng)
    value = expression(scope, "node", shape, 1)
    by_type = scope.facts.type_names and not scope.graph_is_derived and scope.case.allows("typed") and scope.case.allows("parts") \
        and scope.case.allows("totals")
    if by_type and rng.random() < 0.5:
        scope.case.tags |= {"typed", "parts"}
        inner = expression(scope, None, shape, 1, Inside("g", "n", "node"))
        text = f"{kind}({k} in g.node_types: mean(n in {k}.nodes: {inner}))"
    else:
        text = f"{kind}({k} in {rng.choice(['0..2', '1..4', '2..3'])}: ({value}) * (0.5 + {k}))"
    let_node(scope, f"{expression(scope, 'node', shape, 1)} + {text}", shape)


@production(2, "model")
def union_graph(scope):
    """Edges in both directions, also of some types alone; a power of them; the values of the graph at its edges."""
    if len(scope.graphs) > 2 or "g" not in scope.graphs or not scope.case.allows("union"):
        return
    rng, name = scope.rng, scope.case.fresh("g")
    scope.case.tag("union")
    has_types = scope.facts.relations and not scope.graph_is_derived and scope.case.allows("typed") and scope.case.allows("relations")
    untyped = [f"g.{r}" for r, src, _ in scope.facts.relations if not src] if has_types else []
    scope.case.tags |= {"typed", "relations"} if untyped else set()
    parts = rng.choices(["g", "reverse(g)", *untyped, *(f"reverse({r})" for r in untyped)], k=2)
    text = f"union({', '.join(parts)})"
    if untyped and rng.random() < 0.4:
        text = f"union({rng.choice(untyped)}, {text})"
    if rng.random() < 0.2 and scope.case.allows("power"):
        scope.case.tag("power")
        text = f"power({text}, {rng.choice([1, 2])})"
    if rng.random() < 0.4:
        text = f"{rng.choice(['add_remaining_self_loops', 'replace_self_loops', 'keep_one_self_loop'])}({text})"
    scope.emit(f"let {name} = {text};")
    scope.graphs.append(name)
    if scope.edge_values.get("g") and sorted(parts) == ["g", "reverse(g)"] and text.startswith("union(g") and rng.random() < 0.8:
        leaf, longer = rng.choice(scope.edge_values["g"]), scope.case.fresh("x")
        scope.emit(f"let {longer} = extend_edges({name}, {leaf.text});")
        scope.edge_values.setdefault(name, []).append(Leaf(longer, leaf.shape))


def edge_factor(scope, inside, shape):
    """The value of an incoming edge: a value of the neighbour, sometimes scaled by a value of the edge or by degrees."""
    rng = scope.rng
    text = expression(scope, None, shape, 1, inside)
    kind = rng.random()
    if kind < 0.3:
        scope.case.tag("degree_norm")
        e = inside.own
        return f"{text} * rsqrt(({e}.src.{rng.choice(['in', 'out'])}_degree + 1) * ({e}.dst.in_degree + 1))"
    if kind < 0.5:
        return f"{expression(scope, None, (), 1, inside)} * ({text})"
    return text


@production(8)
def aggregate(scope):
    """A node loop with a nested loop or a reduction over edges."""
    rng, graph, shape = scope.rng, scope.rng.choice(scope.graphs), random_shape(scope.rng)
    way = "outgoing" if rng.random() < 0.2 and scope.case.allows("outgoing") else "incoming"
    scope.case.tag(way)
    name, n, e = scope.case.fresh("y"), rng.choice("nuv"), rng.choice(["e", "edge1", "k"])
    inside = Inside(graph, e, "edge", n, "dst" if way == "incoming" else "src", banned={name})
    node = Inside(graph, n, "node")
    scope.emit(f"for {n} in {graph}.nodes {{")
    scope.indent += 1
    if rng.random() < 0.2:
        scope.case.tag("accumulate_on_value")
        scope.emit(f"{n}.{name} = {expression(scope, None, shape, 1, node)};")
        loop_sum(scope, inside, n, e, way, name, shape)
    elif rng.random() < 0.5:
        loop_sum(scope, inside, n, e, way, name, shape)
    else:
        kind = rng.choice(["sum", "mean", "max", "min"])
        scope.case.tag(f"aggregate_{kind}")
        text = f"{kind}({e} in {n}.{way}: {edge_factor(scope, inside, shape)})"
        if rng.random() < 0.3:
            scope.case.tag("reduction_in_expression")
            text = f"{expression(scope, None, shape, 1, node)} {rng.choice('+-*')} {text} * {rng.choice(['0.5', '2'])}"
        scope.emit(f"{n}.{name} = {text};")
    scope.fields["node"][name] = shape
    if rng.random() < 0.5:
        scope.case.tag("epilogue")
        update_field(scope, node, name, shape)
    scope.indent -= 1
    scope.emit("}")
    take_field(scope, n, name, shape)


def loop_sum(scope, inside, n, e, way, name, shape):
    scope.case.tag("loop_sum")
    scope.emit(f"for {e} in {n}.{way} {{")
    scope.indent += 1
    if scope.rng.random() < 0.3:
        scope.case.tag("loop_let")
        t, t_shape = scope.case.fresh("t"), random_shape(scope.rng)
        scope.emit(f"let {t} = {expression(scope, None, t_shape, 1, inside)};")
        inside.locals.append(Leaf(t, t_shape))
    if scope.rng.random() < 0.2:
        scope.case.tag("edge_field_in_node_loop")
        a, a_shape = scope.case.fresh("b"), random_shape(scope.rng)
        scope.emit(f"{e}.{a} = {expression(scope, None, a_shape, 1, inside)};")
        scope.fields.setdefault(inside.graph, {})[a] = a_shape
    for _ in range(scope.rng.choice([1, 1, 1, 2])):
        scope.emit(f"{n}.{name} += {edge_factor(scope, inside, shape)};")
    scope.indent -= 1
    scope.emit("}")


def update_field(scope, inside, name, shape):
    """A new version of a field, computed from its old one."""
    own = f"{inside.own}.{name}"
    form = scope.rng.randrange(4)
    if form == 0:
        scope.emit(f"{own} = {scope.rng.choice(['relu', 'tanh', 'elu'])}({own});")
    elif form == 1 and inside.kind == "node":
        scope.emit(f"{own} = {own} / max({inside.own}.in_degree, 1);")
    elif form == 2:
        scope.emit(f"{own} {scope.rng.choice(['+=', '-=', '*='])} {expression(scope, None, shape, 1, inside)};")
    else:
        scope.emit(f"{own} /= 2 + abs({expression(scope, None, shape[:scope.rng.randint(0, len(shape))], 1, inside)});")


@production(3)
def scatter(scope):
    """An edge loop that adds to the node at one end."""
    scope.case.tag("scatter")
    graph, shape = scope.rng.choice(scope.graphs), random_shape(scope.rng)
    name, end = scope.case.fresh("y"), scope.rng.choice(["dst", "dst", "src"])
    if end == "src" and not scope.case.allows("outgoing"):
        end = "dst"
    inside = Inside(graph, "e", "edge", banned={name})
    scope.emit(f"for e in {graph}.edges {{ e.{end}.{name} += {edge_factor(scope, inside, shape)}; }}")
    scope.fields["node"][name] = shape
    scope.emit(f"for n in {graph}.nodes {{ n.{name} = n.{name} * 0.5; }}")
    take_field(scope, "n", name, shape)


@production(4)
def edge_loop(scope):
    """Values of edges from their ends."""
    scope.case.tag("edge_loop")
    rng, graph, shape = scope.rng, scope.rng.choice(scope.graphs), random_shape(scope.rng)
    name, e = scope.case.fresh("a"), rng.choice(["e", "edge1"])
    inside = Inside(graph, e, "edge")
    scope.emit(f"for {e} in {graph}.edges {{")
    scope.indent += 1
    if rng.random() < 0.3:
        t, t_shape = scope.case.fresh("t"), random_shape(rng)
        scope.emit(f"let {t} = {expression(scope, None, t_shape, 1, inside)};")
        inside.locals.append(Leaf(t, t_shape))
    scope.emit(f"{e}.{name} = {expression(scope, None, shape, 2, inside)};")
    scope.fields.setdefault(graph, {})[name] = shape
    if rng.random() < 0.5:
        update_field(scope, inside, name, shape)
    scope.indent -= 1
    scope.emit("}")
    if rng.random() < 0.7:
        take_field(scope, e, name, shape, graph)


@production(3)
def node_loop(scope):
    scope.case.tag("node_loop")
    rng, graph = scope.rng, scope.rng.choice(scope.graphs)
    inside = Inside(graph, "n", "node")
    scope.emit(f"for n in {graph}.nodes {{")
    scope.indent += 1
    fields = []
    for _ in range(rng.randint(1, 3)):
        name, shape = scope.case.fresh("z"), random_shape(rng)
        scope.emit(f"n.{name} = {expression(scope, None, shape, 2, inside)};")
        scope.fields["node"][name] = shape
        fields.append((name, shape))
    if rng.random() < 0.4:
        update_field(scope, inside, *fields[-1])
    scope.indent -= 1
    scope.emit("}")
    for name, shape in fields:
        take_field(scope, "n", name, shape)


@production(4)
def attention(scope):
    """Scores of edges, softmax over the edges into a node, and a weighted sum, written as in the Pigeon paper."""
    scope.case.tag("attention")
    rng, graph = scope.rng, scope.rng.choice(scope.graphs)
    heads, width = rng.choice([1, 2, 4]), rng.choice(SIZES)
    score_shape = () if heads == 1 and rng.random() < 0.5 else (heads,)
    shape = (*score_shape, width)
    z, a, m, total, y = (scope.case.fresh(s) for s in ("z", "a", "m", "s", "y"))
    node = expression(scope, "node", (heads * width,), 1)
    scope.emit(f"let {z} = reshape({node}, [{', '.join(scope.dim(s) for s in shape)}]);")
    scope.values["node"].append(Leaf(z, shape))
    inside = Inside(graph, "e", "edge")
    score = expression(scope, None, score_shape, 2, inside)
    if rng.random() < 0.5:
        weight = [scope.weight(shape), scope.weight(shape)]
        score = f"leaky_relu(dot(e.src.{z}, {weight[0]}) + dot(e.dst.{z}, {weight[1]}), 0.2)"
    elif rng.random() < 0.3:
        score = f"dot(e.src.{z}, e.dst.{z}) / 2"
    scope.emit(f"for e in {graph}.edges {{ e.{a} = {score}; }}")
    if rng.random() < 0.4 and scope.case.allows("library"):
        scope.case.tag("edge_softmax")
        scope.emit(f"edge_softmax({graph}, inout e.{a});")
    else:
        scope.emit(f"for n in {graph}.nodes {{ n.{m} = max(e in n.incoming: e.{a}); }}")
        scope.emit(f"for e in {graph}.edges {{ e.{a} = exp(e.{a} - e.dst.{m}); }}")
        scope.emit(f"for n in {graph}.nodes {{ for e in n.incoming {{ n.{total} += e.{a}; }} }}")
        scope.emit(f"for e in {graph}.edges {{ e.{a} /= e.dst.{total}; }}")
    scope.emit(f"for n in {graph}.nodes {{ for e in n.incoming {{ n.{y} += e.{a} * e.src.{z}; }} }}")
    scope.fields["node"][y] = shape
    scope.fields.setdefault(graph, {})[a] = score_shape
    take_field(scope, "n", y, shape)


@production(2, "model")
def pooling(scope):
    if not scope.case.allows("pool"):
        return
    scope.case.tag("pool")
    kind, shape = scope.rng.choice(["sum", "mean", "max", "min"]), (scope.rng.choice(SIZES),)
    name = scope.case.fresh("q")
    scope.emit(f"let {name} = global_{kind}({scope.graphs[0]}, {expression(scope, 'node', shape, 1)});")
    scope.values["pergraph"].append(Leaf(name, shape))
    after, shape = scope.case.fresh("q"), (scope.rng.choice(SIZES),)
    scope.emit(f"let {after} = {expression(scope, 'pergraph', shape, 1)};")
    scope.values["pergraph"].append(Leaf(after, shape))


@production(2, "model")
def totals(scope):
    """A reduction over all nodes or edges, used at nodes."""
    scope.case.tag("total")
    rng, graph = scope.rng, scope.rng.choice(scope.graphs)
    kind, name, shape = rng.choice(["sum", "mean", "max", "min"]), scope.case.fresh("t"), (rng.choice(SIZES),)
    form = rng.randrange(4)
    if form == 0 and scope.values["node"]:
        other = (rng.choice(SIZES),)
        k, v, q = (scope.case.fresh("k") for _ in range(3))
        for field, of in ((k, other), (v, shape), (q, other)):
            scope.emit(f"let {field} = {expression(scope, 'node', of, 1)};")
        scope.emit(f"let {name} = {rng.choice(['sum', 'mean'])}(n in {graph}.nodes: outer(n.{k}, n.{v}));")
        let_node(scope, f"{q} @ {name} / {graph}.num_nodes", shape)
        return
    if form == 1 and scope.edge_values.get(graph):
        field = rng.choice(scope.edge_values[graph])
        shape = field.shape
        scope.emit(f"let {name} = {kind}(e in {graph}.edges: e.{field.text}) / ({graph}.num_edges + 1);")
    else:
        h = scope.case.fresh("h")
        scope.emit(f"let {h} = {expression(scope, 'node', shape, 1)};")
        scope.emit(f"let {name} = {kind}(n in {graph}.nodes: n.{h}) / {graph}.num_nodes;")
    let_node(scope, f"{expression(scope, 'node', shape, 1)} + {name}", shape)


def fill(scope, count, needs, only=()):
    """Appends statements until `count` productions have been drawn, from the named ones or from all."""
    allowed = [f for f, need in PRODUCTIONS if need in needs and scope.case.allows(f.__name__) and (not only or f.__name__ in only)]
    for _ in range(count):
        scope.rng.choice(allowed)(scope)


def write_layer(case, name, parameter_leaves, prefixes, facts, keeps=None, edge_leaf=None, graph="g"):
    """Writes a layer with a graph, node parameters and sometimes one per edge. Returns the shapes of its results; `keeps` is the shape
        that one result must have."""
    scope = Scope(case, prefixes[0], facts)
    scope.repeated, scope.graph_is_derived = prefixes[1:], graph != "g"
    scope.graphs, scope.values["node"] = ["g"], list(parameter_leaves)
    types = [f"{leaf.text}: {scope.type_text(leaf.shape, 'node')}" if case.rng.random() < 0.7 else leaf.text
             for leaf in parameter_leaves]
    if edge_leaf is not None:
        types.append(f"{edge_leaf.text}: {scope.type_text(edge_leaf.shape, 'edge')}")
        scope.edge_values["g"] = [edge_leaf]
    fill(scope, case.rng.randint(1, 3), {"graph"})
    shapes = [keeps] if keeps is not None else [random_shape(case.rng) for _ in range(case.rng.choice([1, 1, 2]))]
    results = ", ".join(expression(scope, "node", shape, 1) for shape in shapes)
    lines = [f"layer {name}({', '.join(['g', *types])}) {{", *("  " + d for d in scope.declarations), *scope.lines,
             f"  return {results};", "}", ""]
    case.layers += lines
    return shapes


@production(4, "model")
def call_layer(scope):
    """A call of a new layer with a prefix."""
    case, rng = scope.case, scope.rng
    case.tag("layer")
    name, prefix = case.fresh("layer"), case.fresh("conv")
    arguments = rng.sample(scope.values["node"], min(rng.randint(1, 2), len(scope.values["node"])))
    leaves = [Leaf(f"x{i}", leaf.shape) for i, leaf in enumerate(arguments)]
    graph, edge_leaf = rng.choice(scope.graphs), None
    if scope.edge_values.get(graph) and rng.random() < 0.6:
        case.tag("edge_parameter")
        arguments.append(rng.choice(scope.edge_values[graph]))
        edge_leaf = Leaf("w", arguments[-1].shape)
    shapes = write_layer(case, name, leaves, [prefix], scope.facts, edge_leaf=edge_leaf, graph=graph)
    names = [case.fresh("r") for _ in shapes]
    call = f"{name}({', '.join([graph, *(a.text for a in arguments)])})"
    scope.emit(f'let {", ".join(names)} = {call} from "{prefix}";')
    scope.values["node"] += [Leaf(n, s) for n, s in zip(names, shapes)]


@production(2, "model")
def repeat(scope):
    """The same layer several times, with weights from "stack.0", "stack.1", ..."""
    case, rng = scope.case, scope.rng
    if not case.allows("repeat"):
        return
    case.tag("repeat")
    name, stem, count = case.fresh("layer"), case.fresh("stack"), rng.randint(1, 3)
    shape = (rng.choice(SIZES),)
    h, graph = case.fresh("h"), rng.choice(scope.graphs)
    scope.emit(f"let {h} = {expression(scope, 'node', shape, 1)};")
    write_layer(case, name, [Leaf("x0", shape)], [f"{stem}.{k}" for k in range(count)], scope.facts, keeps=shape, graph=graph)
    more = f" {h} = {h} / (k + 1);" if rng.random() < 0.3 else ""
    scope.emit(f'repeat k in 0..{count} {{ {h} = {name}({graph}, {h}) from "{stem}.{{k}}";{more} }}')
    scope.values["node"].append(Leaf(h, shape))
