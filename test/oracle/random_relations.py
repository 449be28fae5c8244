"""Productions about relations: the edges of one type as an edge set, loops over the nodes at its ends, layers that are called
for every relation, reductions over the nodes of one type."""
from random_expressions import expression, random_shape
from random_programs import production, take_field, take_part
from random_graphs import dense
from random_scope import SIZES, Inside, Leaf
from random_typed import can_type, new_node_value


def can_relate(scope):
    """Whether the graph of this body has relations; marks the case."""
    return bool(scope.facts.relations) and not scope.graph_is_derived and can_type(scope, "parts") and can_type(scope, "relations")


def reduction(scope):
    return scope.rng.choice(["sum", "sum", "mean", "max", "min"])


@production(3)
def relation_at_nodes(scope):
    """A reduction over the edges of one type, at all nodes, at those of a type, or at those where the edges end."""
    if not can_relate(scope):
        return
    rng, shape, name = scope.rng, random_shape(scope.rng), scope.case.fresh("y")
    relation = rng.choice(scope.facts.relations)[0]
    way, end = ("incoming", "dst") if rng.random() < 0.7 or not scope.case.allows("outgoing") else ("outgoing", "src")
    body = expression(scope, None, shape, 1, Inside(f"g.{relation}", "e", "edge"))
    form = rng.random()
    if form < 0.4:
        scope.emit(f"for n in g.{relation}.{end}_nodes {{ n.{name} = {reduction(scope)}(e in n.{way}: {body}); }}")
    elif form < 0.6:
        scope.emit(f"for n in g.nodes {{ n.{name} = {reduction(scope)}(e in n.{way}.{relation}: {body}); }}")
    elif form < 0.8:
        kind = rng.choice(scope.facts.type_names)
        scope.emit(f"for n in g.nodes.{kind} {{ n.{name} = {reduction(scope)}(e in n.{way}.{relation}: {body}); }}")
    else:
        scope.emit(f"for e in g.edges.{relation} {{ e.{end}.{name} += {body}; }}")
    take_part(scope, name, shape)


@production(2)
def relation_edges(scope):
    """Values of the edges of a relation, which a softmax or a product reads."""
    if not can_relate(scope):
        return
    rng, a, y = scope.rng, scope.case.fresh("a"), scope.case.fresh("y")
    chosen = rng.choice(scope.facts.relations)
    graph, shape = f"g.{chosen[0]}", random_shape(rng)
    if rng.random() < 0.3:
        loops = ["replace_self_loops", "remove_self_loops"] if chosen[1] == chosen[2] else []
        graph = f"{rng.choice(['reverse', *loops])}({graph})"
    scope.emit(f"let {a}g = {graph};")
    scope.emit(f"for e in {a}g.edges {{ e.{a} = {expression(scope, None, (), 1, Inside(graph, 'e', 'edge'))}; }}")
    if rng.random() < 0.5 and scope.case.allows("library"):
        scope.emit(f"edge_softmax({a}g, inout e.{a});")
    message = expression(scope, None, shape, 1, Inside(graph, "e", "edge", "n", "dst", banned={y}))
    scope.emit(f"for n in {a}g.dst_nodes {{ for e in n.incoming {{ n.{y} += e.{a} * {message}; }} }}")
    take_part(scope, y, shape)


@production(2)
def relation_union(scope):
    """The edges of several relations between the same nodes, also reversed, with values of the graph's edges."""
    if not can_relate(scope) or not scope.case.allows("union"):
        return
    rng, y, name = scope.rng, scope.case.fresh("y"), scope.case.fresh("u")
    first = rng.choice(scope.facts.relations)
    same = [f"g.{r}" for r, *ends in scope.facts.relations if ends == list(first[1:])]
    same += [f"reverse(g.{r})" for r, *ends in scope.facts.relations if ends[::-1] == list(first[1:])]
    scope.case.tag("union")
    text = f"union(g.{first[0]}, {rng.choice(same)})"
    if rng.random() < 0.3:
        text = f"union({text}, {rng.choice(same)})"
    scope.emit(f"let {name} = {text};")
    shape = random_shape(rng)
    body = expression(scope, None, shape, 1, Inside(name, "e", "edge", "n", "dst", banned={y}))
    scope.emit(f"for n in {name}.dst_nodes {{ n.{y} = {reduction(scope)}(e in n.incoming: {body}); }}")
    take_part(scope, y, shape)


@production(3)
def relation_types(scope):
    """Weights per type of the edges of a relation or a union: a matrix, factors, or both."""
    if not can_relate(scope):
        return
    rng, y, name, inner, out = scope.rng, scope.case.fresh("y"), scope.case.fresh("u"), scope.rng.choice(SIZES), scope.rng.choice(SIZES)
    h = new_node_value(scope, (inner,))
    first = rng.choice(scope.facts.relations)
    text = f"g.{first[0]}"
    if rng.random() < 0.5 and scope.case.allows("union"):
        scope.case.tag("union")
        same = [f"g.{r}" for r, *ends in scope.facts.relations if ends == list(first[1:])]
        same += [f"reverse(g.{r})" for r, *ends in scope.facts.relations if ends[::-1] == list(first[1:])]
        text = f"union({text}, {rng.choice(same)})"
    scope.emit(f"let {name} = {text};")
    way, end, other = ("incoming", "dst", "src") if rng.random() < 0.7 or not scope.case.allows("outgoing") else ("outgoing", "src", "dst")
    form = rng.randrange(3)
    message = f"(e.{other}.{h} @ {scope.weight((inner, out), domain='etype')}[e.type])" if form else f"e.{other}.{h}"
    if form != 1:
        message = f"{scope.weight((), domain='etype')}[e.type] * {message}"
    scope.emit(f"for n in {name}.{end}_nodes {{ n.{y} = {reduction(scope)}(e in n.{way}: {message}); }}")
    take_part(scope, y, (out if form else inner,))


@production(3)
def relation_products(scope):
    """Sums over relations of one value times a weight of each relation; mostly of all relations, which gnn-merge-relations merges."""
    if not can_relate(scope):
        return
    rng, y, sizes = scope.rng, scope.case.fresh("y"), (scope.rng.choice(SIZES), scope.rng.choice(SIZES))
    x, transposed, reduce = new_node_value(scope, sizes[:1]), scope.rng.random() < 0.5, scope.rng.choice(["sum", "mean"])
    way, end, other = ("incoming", "dst", "src") if rng.random() < 0.7 or not scope.case.allows("outgoing") else ("outgoing", "src", "dst")
    relations = [name for name, _, _ in scope.facts.relations]
    rng.shuffle(relations)
    if rng.random() < 0.15:
        relations.pop()
    forms = [rng.randrange(4)] * len(relations) if rng.random() < 0.8 else [rng.randrange(4) for _ in relations]
    scope.emit(f"for n in g.nodes {{ n.{y} = {expression(scope, None, sizes[1:], 1, Inside('g', 'n', 'node', banned={y}))}; }}")
    for relation, form in zip(relations, forms):
        matrix = scope.weight(sizes, transposed=transposed)
        edges = f"n.{way}" if form > 1 else f"n.{way}.{relation}"
        sum_first, nodes = form % 2, f"g.{relation}.{end}_nodes" if form > 1 else "g.nodes"
        inner = f"{reduce}(e in {edges}: e.{other}.{x}) @ {matrix}" if sum_first else f"{reduce}(e in {edges}: e.{other}.{x} @ {matrix})"
        scope.emit(f"for n in {nodes} {{ n.{y} = n.{y} + {inner}; }}")
    scope.fields["node"][y] = sizes[1:]
    take_field(scope, "n", y, sizes[1:])


def bipartite_layer(scope):
    """Writes a layer of two matrices, whose input has a width of its own at each end; returns its name."""
    name = scope.case.fresh("bipartite")
    scope.case.layers += [
        f"layer {name}(g: graph, x, out: dim) {{", "  weight L : f32[F, out];", "  weight R : f32[G, out];", "",
        f"  for n in g.dst_nodes {{ n.y = {reduction(scope)}(e in n.incoming: e.src.x @ L) + n.x @ R; }}", "  return n.y;", "}", ""]
    return name


@production(2)
def relation_layer(scope):
    """The sum over all relations whose ends have types of a layer with weights of their own; often gnn-merge-relations merges them."""
    if not can_relate(scope) or not any(src for _, src, _ in scope.facts.relations):
        return
    rng, case, x, h, y = scope.rng, scope.case, *(scope.case.fresh(s) for s in "xhy")
    layer, out, prefix = bipartite_layer(scope), rng.choice(SIZES), case.fresh("rel")
    same = rng.choice(SIZES) if rng.random() < 0.6 else None
    widths = {name: same or rng.choice(SIZES) for name in scope.facts.type_names}
    for name, width in widths.items():
        value = expression(scope, None, (width,), 1, Inside("g", "n", "node", banned={x, h}))
        scope.emit(f"for n in g.nodes.{name} {{ n.{x} = {value}; }}")
    for relation, src, dst in scope.facts.relations:
        for weight, end in (("L", src), ("R", dst)) if src else ():
            for own in [scope.prefix, *scope.repeated]:
                path = [own, prefix, relation, src, dst, weight]
                case.weights[".".join(p for p in path if p)] = dense(rng, [widths[end], out], "real")
    scope.emit(f"repeat t in g.node_types {{ for n in t.nodes {{ n.{h} = zeros([{out}]); }} }}")
    if all(src for _, src, _ in scope.facts.relations):
        scope.emit("repeat r in g.relations {")
        scope.emit(f'  let {y} = {layer}(r, n.{x}, {out}) from "{prefix}.{{r}}.{{r.src}}.{{r.dst}}";')
        scope.emit(f"  for n in r.dst_nodes {{ n.{h} = n.{h} + n.{y}; }}")
        scope.emit("}")
    else:
        for relation, src, dst in (r for r in scope.facts.relations if r[1]):
            scope.emit(f'let {y}{relation} = {layer}(g.{relation}, n.{x}, {out}) from "{prefix}.{relation}.{src}.{dst}";')
            scope.emit(f"for n in g.nodes.{dst} {{ n.{h} = n.{h} + n.{y}{relation}; }}")
    take_part(scope, h, (out,))


@production(2)
def nodes_of_a_type(scope):
    """A reduction over the nodes of one type, as a plain value."""
    if not scope.facts.type_names or scope.graph_is_derived or not scope.case.allows("totals") or not can_type(scope, "parts"):
        return
    rng, shape, name = scope.rng, random_shape(scope.rng), scope.case.fresh("m")
    kind = rng.choice(scope.facts.type_names)
    body = expression(scope, None, shape, 1, Inside("g", "n", "node"))
    scope.emit(f"let {name} = {reduction(scope)}(n in g.nodes.{kind}: {body});")
    take = scope.case.fresh("v")
    scope.emit(f"let {take} = {expression(scope, 'node', shape, 1)} - {name};")
    scope.values["node"].append(Leaf(take, shape))
