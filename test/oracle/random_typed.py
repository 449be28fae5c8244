"""Productions about types of nodes and edges: handwritten layers like R-GCN, R-GAT and HGT, weights made from
weights per type, degrees and softmax within an edge type, loops over the nodes of one type."""
from random_expressions import expression, random_shape
from random_programs import let_node, production, take_field, take_part
from random_scope import SIZES, Inside, Leaf


def can_type(scope, tag):
    """Returns whether the case allows types, and marks it as typed if so."""
    if not scope.case.allows("typed") or not scope.case.allows(tag):
        return False
    scope.case.tag("typed")
    scope.case.tag(tag)
    return True


def has_edge_types(scope):
    """Whether the edges of a graph have types; those of a graph with new self loops have none."""
    return not scope.graph_is_derived


def sizes(scope, *shape):
    """The text of a shape."""
    return "[" + ", ".join(scope.dim(s) for s in shape) + "]"


def new_node_value(scope, shape):
    let_node(scope, expression(scope, "node", shape, 1), shape)
    return scope.values["node"][-1].text


@production(2)
def typed_value(scope):
    """Computes a value from weights per type, which is used like a weight."""
    if not can_type(scope, "typed_value"):
        return
    rng, domain, shape = scope.rng, scope.rng.choice(["etype", "etype", "ntype"]), random_shape(scope.rng)
    scope.values[domain].append(Leaf(scope.weight(shape, domain=domain), shape))
    shape = rng.choice([random_shape(rng), (rng.choice(SIZES), rng.choice(SIZES))])
    name = scope.case.fresh("p")
    scope.emit(f"let {name} = {expression(scope, domain, shape, rng.randint(1, 2))};")
    scope.values[domain].append(Leaf(name, shape))


@production(2)
def typed_basis(scope):
    """A matrix per type that is a linear combination of a few matrices."""
    if not can_type(scope, "typed_basis"):
        return
    rng, domain = scope.rng, scope.rng.choice(["etype", "etype", "ntype"])
    bases, shape, name = rng.choice([1, 2, 3, 8]), (rng.choice(SIZES), rng.choice(SIZES)), scope.case.fresh("p")
    mix, matrices = scope.weight((bases,), domain=domain), scope.weight((bases, *shape))
    flat = f"reshape({matrices}, [{bases}, {shape[0] * shape[1]}])"
    scope.emit(f"let {name} = reshape({mix} @ {flat}, {sizes(scope, *shape)});")
    scope.values[domain].append(Leaf(name, shape))


@production(3)
def typed_mean(scope):
    """Means within each edge type, summed over the types."""
    if not has_edge_types(scope) or not can_type(scope, "typed_mean"):
        return
    rng, shape, name, c = scope.rng, random_shape(scope.rng), scope.case.fresh("y"), scope.case.fresh("c")
    edges, end, way, other = "incoming", "dst", "in", "src"
    if rng.random() < 0.3 and scope.case.allows("outgoing"):
        edges, end, way, other = "outgoing", "src", "out", "dst"
    scope.emit(f"for e in g.edges {{ e.{c} = 1 / e.{end}.{way}_degree[e.type]; }}")
    scope.fields.setdefault("g", {})[c] = ()
    if shape:
        inner = (*shape[:-1], rng.choice(SIZES))
        h = new_node_value(scope, inner)
        matrix = scope.weight((inner[-1], shape[-1]), domain="etype")
        message = f"(e.{other}.{h} @ {matrix}[e.type])"
    else:
        message = expression(scope, None, shape, 1, Inside("g", "e", "edge"))
    scope.emit(f"for n in g.nodes {{ for e in n.{edges} {{ n.{name} += e.{c} * {message}; }} }}")
    scope.fields["node"][name] = shape
    take_field(scope, "n", name, shape)


@production(2)
def typed_group(scope):
    """A reduction over the edges of one type at one node."""
    if not has_edge_types(scope) or not can_type(scope, "typed_group"):
        return
    rng, shape, name = scope.rng, random_shape(scope.rng), scope.case.fresh("a")
    kind, own = rng.choice(["sum", "sum", "mean", "max", "min"]), Inside("g", "e", "edge")
    edges = "dst.incoming" if rng.random() < 0.7 or not scope.case.allows("outgoing") else "src.outgoing"
    text = f"{kind}(d in e.{edges}[e.type]: {expression(scope, None, shape, 1, Inside('g', 'd', 'edge'))})"
    if rng.random() < 0.5:
        text = f"{expression(scope, None, shape, 1, own)} {rng.choice('+-*')} {text}"
    scope.emit(f"for e in g.edges {{ e.{name} = {text}; }}")
    scope.fields.setdefault("g", {})[name] = shape
    take_field(scope, "e", name, shape, "g")


def normalise(scope, a):
    """Softmax of e.a over all edges into a node, or over those of one type."""
    if scope.rng.random() < 0.4 and scope.case.allows("library"):
        scope.emit(f"edge_softmax(g, inout e.{a});")
        return
    m, total = scope.case.fresh("m"), scope.case.fresh("s")
    if scope.rng.random() < 0.5:
        scope.case.tag("softmax_per_type")
        scope.emit(f"for e in g.edges {{ e.{m} = max(d in e.dst.incoming[e.type]: d.{a}); }}")
        scope.emit(f"for e in g.edges {{ e.{a} = exp(e.{a} - e.{m}); }}")
        scope.emit(f"for e in g.edges {{ e.{total} = sum(d in e.dst.incoming[e.type]: d.{a}); }}")
        scope.emit(f"for e in g.edges {{ e.{a} = e.{a} / e.{total}; }}")
        return
    scope.emit(f"for n in g.nodes {{ n.{m} = max(e in n.incoming: e.{a}); }}")
    scope.emit(f"for e in g.edges {{ e.{a} = exp(e.{a} - e.dst.{m}); }}")
    scope.emit(f"for n in g.nodes {{ for e in n.incoming {{ n.{total} += e.{a}; }} }}")
    scope.emit(f"for e in g.edges {{ e.{a} /= e.dst.{total}; }}")


@production(3)
def typed_attention(scope):
    """Scores and messages with weights per type, as in R-GAT or in HGT."""
    if not has_edge_types(scope) or not can_type(scope, "typed_attention"):
        return
    rng, case = scope.rng, scope.case
    heads, width, inner = rng.choice([1, 2, 4]), rng.choice(SIZES), rng.choice(SIZES)
    z, q, a, y = (case.fresh(s) for s in ("z", "q", "a", "y"))
    if rng.random() < 0.5:
        case.tag("typed_rgat")
        h, w = new_node_value(scope, (inner,)), scope.weight((inner, heads * width), domain="etype")
        u, v = (scope.weight((heads, width), domain="etype") for _ in range(2))
        scope.emit("for e in g.edges {")
        for name, end in ((z, "src"), (q, "dst")):
            scope.emit(f"  e.{name} = reshape(e.{end}.{h} @ {w}[e.type], {sizes(scope, heads, width)});")
        scope.emit(f"  e.{a} = leaky_relu(dot(e.{z}, {u}[e.type]) + dot(e.{q}, {v}[e.type]), 0.2);")
        scope.emit("}")
        message = f"e.{z}"
    else:
        case.tag("typed_hgt")
        h = new_node_value(scope, (heads, inner))
        keys, queries = (scope.weight((inner, width), domain="ntype") for _ in range(2))
        matrix = scope.weight(rng.choice([(heads, width, width), (width, width)]), domain="etype")
        scope.emit("for n in g.nodes {")
        for name, weight in ((z, keys), (q, queries)):
            bias = f" + {scope.weight((heads, width), domain='ntype')}[n.type]" if rng.random() < 0.5 else ""
            scope.emit(f"  n.{name} = n.{h} @ {weight}[n.type]{bias};")
        scope.emit("}")
        scale = f" * {scope.weight((heads,), domain='etype')}[e.type]" if rng.random() < 0.7 else ""
        scope.emit(f"for e in g.edges {{ e.{a} = dot(e.dst.{q}, e.src.{z} @ {matrix}[e.type]){scale} / sqrt({width}); }}")
        message = rng.choice([f"e.src.{z}", f"(e.src.{z} @ {matrix}[e.type])"])
    normalise(scope, a)
    scope.emit(f"for n in g.nodes {{ for e in n.incoming {{ n.{y} += e.{a} * {message}; }} }}")
    scope.fields["node"][y] = (heads, width)
    take_field(scope, "n", y, (heads, width))


@production(3)
def part_loops(scope):
    """One loop over the nodes of each type, then a read of the field for all nodes."""
    if not scope.facts.type_names or not can_type(scope, "parts"):
        return
    rng, shape, name = scope.rng, random_shape(scope.rng), scope.case.fresh("p")
    types = rng.sample(scope.facts.type_names, rng.randint(1, len(scope.facts.type_names)))
    if rng.random() < 0.3:
        scope.emit(f"for n in g.nodes {{ n.{name} = {expression(scope, None, shape, 1, Inside('g', 'n', 'node'))}; }}")
    for type_name in types:
        node = Inside("g", "n", "node", banned={name})
        form = rng.random()
        if form < 0.6:
            line = f"n.{name} = {expression(scope, None, shape, 2, node)};"
        elif form < 0.8:
            inner = expression(scope, None, shape, 1, Inside("g", "e", "edge", banned={name}))
            line = f"n.{name} = {rng.choice(['sum', 'mean', 'max'])}(e in n.incoming: {inner});"
        else:
            inner = expression(scope, None, shape, 1, Inside("g", "e", "edge", "n", "dst", banned={name}))
            line = f"for e in n.incoming {{ n.{name} += {inner}; }}"
        scope.emit(f"for n in g.nodes.{type_name} {{ {line} }}")
    take_part(scope, name, shape)
