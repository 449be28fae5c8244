"""Productions that call layers: those of the library, and some written beside the model with parameters of every kind
(dims, functions, reductions, defaults, inout fields, layers inside layers)."""
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

OPTIONAL = """\
layer {name}(g: graph, x: node f32[F], out: dim, w: edge f32 = none, aggr: reduction = sum, scale = 1) {{
  weight W : f32[F, out] from "lin.weight", "lin_src.weight" transposed;
  weight b : f32[out] from "bias" = 0;
  weight R : f32[F, out] from "root" = none;
  weight s : f32[out] from "gain" = {gain};
  let z = x @ W;
  for n in g.nodes {{
    if has(w) {{ n.y = aggr(e in n.incoming: e.w * e.src.z); }} else {{ n.y = aggr(e in n.incoming: e.src.z); }}
    if aggr == mean {{ n.y = n.y * 2; }} else if out > 3 {{ for e in n.incoming {{ n.y += e.src.z; }} }}
  }}
  if aggr == max {{ return relu(n.y) + b; }}
  return n.y * scale * s + b + (x @ R if has(R) else 0);
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
    """A number, or the name of a dimension that only the layer's weights bind."""
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


@production(2, "model")
def call_optional(scope):
    """A layer whose weights and arguments may be absent."""
    case, rng = scope.case, scope.rng
    case.tag("optional")
    name, prefix, result = case.fresh("conv"), case.fresh("block"), case.fresh("r")
    width, out = rng.choice(SIZES), rng.choice(SIZES)
    add_text(case, OPTIONAL.format(name=name, gain=rng.choice(["1", "none if false else 1", "b", "0.5"])))
    shapes = {rng.choice(["lin.weight", "lin_src.weight"]): [out, width]}
    for key, shape in (("bias", [out]), ("root", [width, out]), ("gain", [out])):
        if rng.random() < 0.5:
            shapes[key] = shape
    for key, shape in shapes.items():
        put_weight(scope, f"{prefix}.{key}", shape)
    extra = rng.choice(["", ", aggr = max", ", aggr = mean", ", w = none", ", scale = 0.5"])
    graph = rng.choice(scope.graphs)
    weights = [leaf.text for leaf in scope.edge_values.get(graph, []) if not leaf.shape]
    if weights and rng.random() < 0.7:
        extra = f", w = {rng.choice(weights)}{rng.choice(['', ', aggr = mean', ', aggr = max'])}"
    x = expression(scope, "node", (width,), 1)
    scope.emit(f'let {result} = {name}({graph}, {x}, {dim_argument(scope, out, "H")}{extra}) from "{prefix}";')
    scope.values["node"].append(Leaf(result, (out,)))


@production(1, "model")
def call_split(scope):
    """Pieces of one value, as the gates of a recurrent cell."""
    case, rng = scope.case, scope.rng
    case.tag("split")
    width, count = rng.choice(SIZES), rng.randint(2, 3)
    names = [case.fresh("s") for _ in range(count)]
    axis = rng.choice([None, 0, 1])
    if rng.random() < 0.5:
        sizes, pieces = [width] * count, str(count)
    else:
        sizes = [rng.choice(SIZES) for _ in range(count)]
        pieces = f"[{', '.join(scope.dim(n) for n in sizes)}]"
    rest = rng.choice(SIZES[:3])
    whole = {None: (sum(sizes),), 0: (sum(sizes), rest), 1: (rest, sum(sizes))}[axis]
    x = expression(scope, "node", whole, 1)
    more = "" if axis is None else f", axis = {axis}"
    scope.emit(f"let {', '.join(names)} = split({x}, {pieces}{more});")
    for name, n in zip(names, sizes):
        scope.values["node"].append(Leaf(name, {None: (n,), 0: (n, rest), 1: (rest, n)}[axis]))


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


def linear_shapes(prefix, out, width):
    return {f"{prefix}weight": [out, width], f"{prefix}bias": [out]}


def mlp_shapes(width, hidden, out):
    return {**linear_shapes("0.", hidden, width), **linear_shapes("2.", out, hidden)}


def library_call(rng, layer, width, out):
    """(arguments after the graph and x, weights relative to the prefix, shape of the result) of one library layer.
    A number in the arguments that starts with ? may become a dimension that only weights bind."""
    heads, hidden = rng.choice([1, 2, 3]), rng.choice(SIZES)
    slope = rng.choice(["", ", slope = 0.1"])
    aggr = rng.choice(["", ", mean", ", sum", ", max", ", aggr = max"])
    act = rng.choice(["", ", tanh", ", act = elu"])
    attention = {"bias": [heads * out]}
    return {
        "gcn_conv": (f", ?{out}", {"lin.weight": [out, width], "bias": [out]}, out),
        "sage_conv": (f", ?{out}{aggr}", {**linear_shapes("lin_l.", out, width), "lin_r.weight": [out, width]}, out),
        "gin_conv": (f", ?{hidden}, ?{out}{act}",
                     {"eps": [1], **{f"nn.{n}": s for n, s in mlp_shapes(width, hidden, out).items()}}, out),
        "sg_conv": (f", ?{out}" + rng.choice(["", ", K = 1", ", 3"]), linear_shapes("lin.", out, width), out),
        "gat_conv": (f", ?{heads}, ?{out}{slope}", {"lin.weight": [heads * out, width], "att_src": [1, heads, out],
                                                    "att_dst": [1, heads, out], **attention}, heads * out),
        "gatv2_conv": (f", ?{heads}, ?{out}{slope}", {**linear_shapes("lin_l.", heads * out, width),
                                                      **linear_shapes("lin_r.", heads * out, width),
                                                      "att": [1, heads, out], **attention}, heads * out),
        "linear": (f", ?{out}", linear_shapes("", out, width), out),
        "mlp": (f", ?{hidden}, ?{out}{act}", mlp_shapes(width, hidden, out), out),
        "batch_norm": ("", {n: [width] for n in ("weight", "bias", "running_mean", "running_var")}, width),
    }[layer]


def write_dims(scope, text):
    """Replaces each ?8 by a number or a new dimension."""
    while "?" in text:
        begin = text.index("?")
        end = begin + 1
        while end < len(text) and text[end].isdigit():
            end += 1
        text = text[:begin] + dim_argument(scope, int(text[begin + 1:end]), "H") + text[end:]
    return text


@production(8, "model")
def call_library(scope):
    case, rng = scope.case, scope.rng
    if not case.allows("library"):
        return
    layer = rng.choice(["gcn_conv", "sage_conv", "gin_conv", "sg_conv", "gat_conv", "gatv2_conv", "linear", "mlp",
                        "batch_norm"])
    if not case.allows(layer):
        return
    case.tag(layer)
    prefix, result, width, size = case.fresh("conv"), case.fresh("r"), rng.choice(SIZES), rng.choice(SIZES)
    arguments, weights, out = library_call(rng, layer, width, size)
    for name, shape in weights.items():
        put_weight(scope, f"{prefix}.{name}", shape)
    if layer == "batch_norm":
        scope.case.weights[f"{prefix}.running_var"] = dense(rng, [width], "positive")
    lead = ()
    if layer in ("linear", "mlp") and rng.random() < 0.5:
        case.tag("linear_rows")
        lead = (rng.choice([2, 3, out]),)
    x = expression(scope, "node", (*lead, width), 1)
    graph = "" if layer in ("linear", "mlp", "batch_norm") else f"{rng.choice(scope.graphs)}, "
    text = f'{layer}({graph}{x}{write_dims(scope, arguments)}) from "{prefix}"'
    if rng.random() < 0.5:
        text = f"{rng.choice(['relu', 'elu', 'tanh'])}({text})"
    scope.emit(f"let {result} = {text};")
    scope.values["node"].append(Leaf(result, (*lead, out)))


@production(1, "model")
def call_weighted(scope):
    """The library layers that take a value per edge."""
    case, rng = scope.case, scope.rng
    weights = [v for v in scope.edge_values.get("g", []) if v.shape == ()]
    if not weights or not case.allows("library"):
        return
    prefix, result, width, out = case.fresh("conv"), case.fresh("r"), rng.choice(SIZES), rng.choice(SIZES)
    layer, w = "gcn_conv_weighted", f"abs({weights[-1].text}) + 0.1"
    case.tag(layer)
    put_weight(scope, f"{prefix}.lin.weight", [out, width])
    put_weight(scope, f"{prefix}.bias", [out])
    x = expression(scope, "node", (width,), 1)
    scope.emit(f'let {result} = {layer}(g, {x}, {w}, {dim_argument(scope, out, "H")}) from "{prefix}";')
    scope.values["node"].append(Leaf(result, (out,)))


@production(2, "model")
def call_rgcn(scope):
    """Means per edge type, with a matrix per type or with bases."""
    case, rng = scope.case, scope.rng
    if not case.allows("typed") or not case.allows("library"):
        return
    prefix, result, width, out = case.fresh("conv"), case.fresh("r"), rng.choice(SIZES), rng.choice(SIZES)
    layer, rows = rng.choice([("rgcn_conv", scope.facts.edge_types), ("rgcn_basis_conv", rng.choice([1, 2, 3]))])
    case.tag("typed")
    case.tag(layer)
    if layer == "rgcn_basis_conv":
        put_weight(scope, f"{prefix}.comp", [scope.facts.edge_types, rows])
    put_weight(scope, f"{prefix}.weight", [rows, width, out])
    put_weight(scope, f"{prefix}.root", [width, out])
    put_weight(scope, f"{prefix}.bias", [out])
    x = expression(scope, "node", (width,), 1)
    scope.emit(f'let {result} = {layer}(g, {x}, {dim_argument(scope, out, "H")}) from "{prefix}";')
    scope.values["node"].append(Leaf(result, (out,)))


@production(2, "model")
def call_typed(scope):
    """The library layers with weights per edge type and node type."""
    case, rng = scope.case, scope.rng
    if not case.allows("typed") or not case.allows("library"):
        return
    case.tag("typed")
    prefix, result = case.fresh("conv"), case.fresh("r")
    heads, size, types, kinds = rng.choice([1, 2]), rng.choice(SIZES), scope.facts.edge_types, scope.facts.node_types
    wide = heads * size
    if rng.random() < 0.5:
        width, layer = rng.choice(SIZES), rng.choice(["rgat_conv", "rgat_conv_per_relation"])
        weights = {"weight": [types, width, wide], "att_src": [types, heads, size], "att_dst": [types, heads, size],
                   "bias": [wide]}
    else:
        width, layer = wide, "hgt_conv_stacked"
        weights = {f"{part}_lin.{kind}": [kinds, wide, wide][:3 if kind == "weight" else 2] for part in "kqva"
                   for kind in ("weight", "bias")}
        weights |= {"a_rel": [types, heads, size, size], "m_rel": [types, heads, size, size], "p_rel": [types, heads],
                    "skip": [kinds]}
    case.tag(layer)
    for name, shape in weights.items():
        put_weight(scope, f"{prefix}.{name}", shape)
    x = expression(scope, "node", (width,), 1)
    scope.emit(f'let {result} = {layer}(g, {x}, {heads}, {dim_argument(scope, size, "Q")}) from "{prefix}";')
    scope.values["node"].append(Leaf(result, (wide,)))


def put_batch_norm(scope, prefix, width):
    for name in ("weight", "bias", "running_mean"):
        put_weight(scope, f"{prefix}.{name}", [width])
    scope.case.weights[f"{prefix}.running_var"] = dense(scope.rng, [width], "positive")


def put_graphgym_conv(scope, prefix, width, out):
    for name in ("weight", "weight_self"):
        put_weight(scope, f"{prefix}.layer.model.{name}", [width, out])
    put_batch_norm(scope, f"{prefix}.post_layer.0", out)


@production(2, "model")
def call_graphgym(scope):
    """A linear layer and a stack of GraphGym, with either kind of skip connections."""
    case, rng = scope.case, scope.rng
    if not case.allows("library"):
        return
    layer = rng.choice(["graphgym_conv", "graphgym_skip_sum", "graphgym_skip_concat"])
    case.tag(layer)
    prefix, h, result = case.fresh("block"), case.fresh("h"), case.fresh("r")
    width, inner, out, count = rng.choice(SIZES), rng.choice(SIZES), rng.choice(SIZES), rng.choice([1, 2, 3])
    act, aggr = rng.choice(["relu", "tanh", "swish"]), rng.choice(["sum", "mean", "max"])
    put_weight(scope, f"{prefix}.pre.layer.model.weight", [inner, width])
    put_batch_norm(scope, f"{prefix}.pre.post_layer.0", inner)
    x, graph = expression(scope, "node", (width,), 1), rng.choice(scope.graphs)
    scope.emit(f'let {h} = graphgym_linear({x}, {inner}, {act}) from "{prefix}.pre";')
    if layer == "graphgym_conv":
        put_graphgym_conv(scope, f"{prefix}.mp", inner, out)
        arguments = f"{out}, {act}, {aggr}"
    elif layer == "graphgym_skip_sum":
        out = inner
        for k in range(count):
            put_graphgym_conv(scope, f"{prefix}.mp.layer{k}", inner, inner)
        arguments = f"{count}, {act}, {aggr}"
    else:
        for k in range(count):
            put_graphgym_conv(scope, f"{prefix}.mp.layer{k}", inner + k * out, out)
        arguments = f"{out}, {count}, {act}, {aggr}"
    scope.emit(f'let {result} = {layer}({graph}, {h}, {arguments}) from "{prefix}.mp";')
    scope.values["node"] += [Leaf(h, (inner,)), Leaf(result, (out,))]


@production(1, "model")
def call_jumping(scope):
    """Jumping knowledge over layers of either kind, joined in three ways."""
    case, rng = scope.case, scope.rng
    if not case.allows("library"):
        return
    case.tag("jumping")
    prefix, result = case.fresh("conv"), case.fresh("r")
    width, hidden, count = rng.choice(SIZES), rng.choice(SIZES), rng.choice([1, 2, 3])
    conv, join = rng.choice(["", "gcn_conv", "sage_conv"]), rng.choice(["", "concat", "max", "add"])
    for k in range(count):
        _, weights, _ = library_call(rng, conv or "gcn_conv", width if k == 0 else hidden, hidden)
        for name, shape in weights.items():
            put_weight(scope, f"{prefix}.convs.{k}.{name}", shape)
    more = (f", conv = {conv}" if conv else "") + (f", join = {join}" if join else "")
    x = expression(scope, "node", (width,), 1)
    scope.emit(f'let {result} = jumping({rng.choice(scope.graphs)}, {x}, {hidden}, {count}{more}) from "{prefix}";')
    scope.values["node"].append(Leaf(result, (hidden if join in ("max", "add") else count * hidden,)))
