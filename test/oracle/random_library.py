"""Productions that call layers with parameters of every kind: dims, functions, reductions, defaults, inout fields, layers
inside layers. The layers are written beside the model; random_programs.py has the productions for statements."""
from random_expressions import expression
from random_graphs import dense
from random_programs import production, take_field
from random_scope import SIZES, Leaf

CONVOLUTION = """\
layer {name}(g: graph, x: node f32[F], out: dim, act: function, aggr: reduction = mean, slope = 0.2) {{
  weight W : f32[F, out] from "lin.weight" transposed;
  for n in g.nodes {{ n.y = aggr(e in n.incoming: e.src.x); }}
  return act(n.y @ W) + leaky_relu(x @ W, slope);
}}
"""

SCALE = """\
layer {name}(g, inout e.a, factor = 2) {{
  for e in g.edges {{ e.a = e.a * factor; }}
  for n in g.nodes {{ n.total = sum(e in n.incoming: abs(e.a)); }}
  for e in g.edges {{ e.a /= 1 + e.dst.total; }}
}}
"""

NESTED = """\
layer {name}_inner(x: node f32[F], out: dim) {{
  weight W : f32[F, out];
  weight b : f32[out] from "bias";
  return x @ W + b, tanh(x);
}}

layer {name}(x: node f32[F], hidden: dim, out: dim) {{
  let h, t = {name}_inner(x, hidden) from "first";
  let y, u = {name}_inner(relu(h), out) from "second";
  return y, t;
}}
"""


def add_text(case, text):
    case.layers += text.split("\n")


def put_weight(scope, name, shape):
    scope.case.weights[name] = dense(scope.rng, shape, "real")


def dim_argument(scope, size, stem):
    """A number, or a name that only the layer's weights bind."""
    if scope.rng.random() < 0.5:
        return str(size)
    name = scope.case.fresh(stem)
    scope.declarations.append(f"dim {name};")
    return name


@production(2, "model")
def call_convolution(scope):
    case, rng = scope.case, scope.rng
    case.tag("parameters")
    name, prefix, result = case.fresh("conv"), case.fresh("block"), case.fresh("r")
    width, out = rng.choice(SIZES), rng.choice(SIZES)
    add_text(case, CONVOLUTION.format(name=name))
    put_weight(scope, f"{prefix}.lin.weight", [out, width])
    extra = rng.choice(["", ", sum", ", max, 0.1", ", aggr = min", ", slope = 0.3", ", slope = 0.1, aggr = sum"])
    x = expression(scope, "node", (width,), 1)
    scope.emit(f"let {result} = {name}({rng.choice(scope.graphs)}, {x}, {dim_argument(scope, out, 'H')}, "
               f'{rng.choice(["relu", "tanh", "gelu", "sigmoid"])}{extra}) from "{prefix}";')
    scope.values["node"].append(Leaf(result, (out,)))


@production(1, "model")
def call_inout(scope):
    case, rng = scope.case, scope.rng
    case.tag("inout")
    name, field, graph = case.fresh("scale"), case.fresh("a"), rng.choice(scope.graphs)
    shape = rng.choice([(), (rng.choice(SIZES),)])
    add_text(case, SCALE.format(name=name))
    leaf = rng.choice(scope.values["node"])
    source = Leaf(f"(e.src.{leaf.text} + e.dst.{leaf.text})", leaf.shape)
    volume = 1
    for s in source.shape:
        volume *= s
    text = f"sum(reshape({source.text}, [{volume}]))" + (f" * {scope.weight(shape)}" if shape else "")
    scope.emit(f"for e in {graph}.edges {{ e.{field} = {text}; }}")
    scope.emit(f"{name}({graph}, inout e.{field}{rng.choice(['', ', 3', ', factor = 0.5'])});")
    scope.fields.setdefault(graph, {})[field] = shape
    take_field(scope, "e", field, shape, graph)


@production(1, "model")
def call_nested(scope):
    case, rng = scope.case, scope.rng
    case.tag("nested_layers")
    name, prefix = case.fresh("mlp"), case.fresh("block")
    width, hidden, out = (rng.choice(SIZES) for _ in range(3))
    add_text(case, NESTED.format(name=name))
    for part, i, o in (("first", width, hidden), ("second", hidden, out)):
        put_weight(scope, f"{prefix}.{part}.W", [i, o])
        put_weight(scope, f"{prefix}.{part}.bias", [o])
    y, t = case.fresh("r"), case.fresh("r")
    scope.emit(f"let {y}, {t} = {name}({expression(scope, 'node', (width,), 1)}, {dim_argument(scope, hidden, 'H')}, "
               f'{dim_argument(scope, out, "H")}) from "{prefix}";')
    scope.values["node"] += [Leaf(y, (out,)), Leaf(t, (width,))]
