"""Random integer inputs, and statements that pick rows of tables by them or by degrees.

    input z1 : node i32;                        for n in g.nodes { n.r3 = w2[n.z1]; }
    input z2 : node i32[3];                     for e in g.edges { e.r4 = w3[clamp(e.src.z2[1], 0, 4)]; }
"""
from random_expressions import expression, random_shape
from random_graphs import dense
from random_programs import let_node, production, take_field
from random_scope import SIZES, Inside, Integers, Leaf
from safetensors import Tensor

# types of files, with the range of their values
DTYPES = {"I64": (-3, 9), "I32": (-3, 9), "I16": (-3, 9), "U8": (0, 9), "BOOL": (0, 1)}


def add_input(scope, tensors, domain, rows):
    rng = scope.rng
    name, dtype = scope.case.fresh("t_" if domain == "edge" else "z"), rng.choice(list(DTYPES))  # t_: values of edges
    shape = rng.choice([(), (), (rng.choice(SIZES),)])
    least, most = DTYPES[dtype]
    low = least if rng.random() < 0.2 else 0
    high = rng.randint(max(low, 0), most)
    count = (rows if rows is not None else 1) * (shape[0] if shape else 1)
    tensors[name] = Tensor(dtype, [*([rows] if rows is not None else []), *shape], [rng.randint(low, high) for _ in range(count)])
    scope.declarations.append(f"input {name} : {scope.type_text(shape, domain).replace('f32', 'i32')};")
    texts = [f"{name}[{k}]" for k in range(shape[0])] if shape else [name]
    scope.integers += [Integers(text, domain, low, high) for text in texts]


def add_integers(scope, tensors):
    """Adds integer inputs of some domains."""
    rng, facts = scope.rng, scope.facts
    if rng.random() < 0.6 or not scope.case.allows("integers"):
        return
    scope.case.tag("integers")
    add_input(scope, tensors, "node", facts.num_nodes)
    if rng.random() < 0.3:
        add_input(scope, tensors, "node", facts.num_nodes)
    if rng.random() < 0.4 and scope.case.allows("edge_input"):
        add_input(scope, tensors, "edge", facts.num_edges)
    if rng.random() < 0.2:
        add_input(scope, tensors, "", None)


# indices

def spelled(number, variable):
    """The integer at a variable of a loop: n.z1, e.src.z2[0]."""
    return f"{variable}.{number.text}"


def bounded(scope, text, low, high):
    """An index with its range; sometimes with a bound, always where the range has negative numbers."""
    rng = scope.rng
    if low < 0 or rng.random() < 0.2:
        scope.case.tag("bounded_index")
        least = rng.randint(0, 2)
        if rng.random() < 0.5:
            return f"max({text}, {least})", max(high, least)
        most = rng.randint(least, least + 4)
        return f"clamp({text}, {least}, {most})", most
    if rng.random() < 0.2:
        most = rng.randint(0, 5)
        return rng.choice([f"min({text}, {most})", f"min({most}, {text})"]), most
    return text, high


def degree(scope, variable):
    """A degree with its upper bound."""
    scope.case.tag("degree_index")
    way, most = scope.rng.choice(["in", "in", "out"]), scope.rng.randint(0, 4)
    if way == "out" and not scope.case.allows("outgoing"):
        way = "in"
    return f"min({variable}.{way}_degree, {most})", most


def table(scope, high, shape):
    """A plain tensor with a row for each index up to `high`; sometimes computed."""
    name = scope.weight((high + 1 + scope.rng.choice([0, 0, 1, 3]), *shape))
    if scope.rng.random() < 0.2:
        scope.case.tag("computed_table")
        computed = scope.case.fresh("p")
        scope.emit(f"let {computed} = {scope.rng.choice(['relu', 'tanh'])}({name});")
        return computed
    return name


def picked(scope, variable, domain, shape):
    """A row at a variable of a loop, as text; the table stands before the loop."""
    numbers = [z for z in scope.integers if z.domain in (domain, "")]
    if not numbers or (domain == "node" and scope.rng.random() < 0.3):
        if domain != "node":
            return None
        index, high = degree(scope, variable)
    else:
        number = scope.rng.choice(numbers)
        index = spelled(number, variable) if number.domain else number.text
        index, high = bounded(scope, index, number.low, number.high)
    return f"{table(scope, high, shape)}[{index}]"


# statements

@production(3, "model")
def lookup_at_nodes(scope):
    if not scope.integers:
        return
    rng, shape, name = scope.rng, random_shape(scope.rng), scope.case.fresh("r")
    graph = rng.choice(scope.graphs)
    form = rng.randrange(3)
    if form == 0 and shape:  # a product with the matrix that the index picks
        scope.case.tag("picked_matrix")
        inner = rng.choice(SIZES)
        x = scope.case.fresh("h")
        let_node(scope, expression(scope, "node", (inner,), 1), (inner,), "h")
        x = scope.values["node"][-1].text
        shape = shape[-1:]
        text = f"n.{x} @ {picked(scope, 'n', 'node', (inner, *shape))}"
    else:
        text = picked(scope, "n", "node", shape)
    scope.emit(f"for n in {graph}.nodes {{ n.{name} = {text}; }}")
    scope.fields["node"][name] = shape
    take_field(scope, "n", name, shape)


@production(2, "model")
def lookup_outside(scope):
    """E[z] outside of loops, float(z), and comparisons."""
    numbers = [z for z in scope.integers if z.domain == "node"]
    if not numbers:
        return
    scope.case.tag("lookup")
    rng, number = scope.rng, scope.rng.choice(numbers)
    form, shape = rng.randrange(4), random_shape(scope.rng)
    if form == 0:
        let_node(scope, f"float({number.text}) / 4", ())
    elif form == 1:
        let_node(scope, f"{number.text} {rng.choice(['==', '<', '>=', '!='])} {rng.randint(-1, 5)}", ())
    elif form == 2 and len(numbers) > 1:
        other = rng.choice(numbers)
        let_node(scope, f"{number.text} {rng.choice(['==', '<='])} {other.text}", ())
    else:
        index, high = bounded(scope, number.text, number.low, number.high)
        let_node(scope, f"{table(scope, high, shape)}[{index}]", shape)


@production(2, "model")
def lookup_at_edges(scope):
    if not scope.integers:
        return
    scope.case.tag("edge_lookup")
    rng, shape, name = scope.rng, random_shape(scope.rng), scope.case.fresh("r")
    graph = "g" if "g" in scope.graphs else scope.graphs[0]
    own = picked(scope, "e", "edge", shape) if rng.random() < 0.6 and graph == "g" else None
    text = own or picked(scope, rng.choice(["e.src", "e.src", "e.dst"]), "node", shape)
    inside = Inside(graph, "e", "edge")
    if rng.random() < 0.5:
        text = f"{text} * {expression(scope, None, shape, 1, inside)}"
    if rng.random() < 0.5:
        scope.emit(f"for n in {graph}.nodes {{ n.{name} = {rng.choice(['sum', 'mean', 'max'])}(e in n.incoming: {text}); }}")
        scope.fields["node"][name] = shape
        take_field(scope, "n", name, shape)
        return
    scope.emit(f"for e in {graph}.edges {{ e.{name} = {text}; }}")
    scope.fields.setdefault(graph, {})[name] = shape
    take_field(scope, "e", name, shape, graph)


@production(1, "model")
def embedding_layer(scope):
    """A layer with an integer parameter."""
    numbers = [z for z in scope.integers if z.domain == "node" and z.low >= 0]
    if not numbers:
        return
    case, rng, number = scope.case, scope.rng, scope.rng.choice(numbers)
    case.tag("integer_parameter")
    name, shape = case.fresh("layer"), (rng.choice(SIZES),)
    prefix = case.fresh("emb")
    case.weights[f"{prefix}.weight"] = dense(rng, [number.high + 1, *shape], "real")
    case.layers += [f"layer {name}(z: node i32) {{", '  weight E : f32[rows, columns] from "weight";', "  return E[z];", "}", ""]
    result = case.fresh("r")
    scope.emit(f'let {result} = {name}({number.text}) from "{prefix}";')
    scope.values["node"].append(Leaf(result, shape))
