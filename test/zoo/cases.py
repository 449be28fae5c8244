"""The calls of operators.py: the text in the language, the weights with their shapes, and the formula with the expected numbers.

All read the fields of tiny_graph.Graph: x, x0 and im of 4 columns per node, pos and normal of 3; edge_weight, edge_attr of 3 columns, wide of 4 per edge.
"""
import functools
from dataclasses import dataclass, field

import formulas as f
import formulas_run as fr
import ordered_formulas as o
import pool_formulas as p

INPUTS = {"x": "node f32[F]", "x0": "node f32[F]", "im": "node f32[F]", "pos": "node f32[P]", "normal": "node f32[P]", "edge_weight": "edge f32",
          "edge_attr": "edge f32[A]", "wide": "edge f32[F]"}

LAYERS = """\
layer rotation(g: graph, re: node f32[F], im: node f32[F]) {
  weight t : etype f32[F] from "rel_emb.weight";

  return rotat_e(g, re, im, t);
}

layer directed_messages(g: graph, x, w, out: dim) {
  for e in g.edges { e.first = linear_without_bias(concat(e.src.x, e.w), out) from "W_i"; e.h = relu(e.first); }
  repeat k in 0..2 {
    for n in g.nodes { n.sum = sum(e in n.incoming: e.h); }
    for e in g.edges { e.h = relu(e.first + linear_without_bias(e.src.sum - e.reverse.h, out) from "W_h"); }
  }
  for n in g.nodes { n.y = sum(e in n.incoming: e.h); }
  return n.y;
}

layer lasting(g: graph, x, out: dim) {
  return sage_conv(g, x, out);
}

layer losses(g: graph, x, x0, w) {
  let y = argmax(x0);
  let a = cross_entropy(x, y, x0[0] > 0);
  let b = binary_cross_entropy(x, x0);
  let c = squared_error(x, x0, abs(x0[1]));
  return 0 * x + [cross_entropy(x, y) + a, b, c, link_loss(g, x, w)];
}

layer pools(g: graph, x) {
  return concat(global_add_pool(g, x), global_mean_pool(g, x), global_max_pool(g, x));
}

layer reductions(g: graph, x) {
  for e in g.edges { e.m = e.src.x; }
  return concat(incoming_sum(g, e.m), incoming_mean(g, e.m), incoming_max(g, e.m), incoming_min(g, e.m), incoming_var(g, e.m));
}

layer ordered(g: graph, x) {
  for e in g.edges { e.m = e.src.x; }
  return concat(incoming_median(g, e.m), incoming_prod(g, e.m));
}

layer ordered_pools(g: graph, x) {
  return concat(mul_aggregation(g, x), median_aggregation(g, x), quantile_aggregation(g, x, 0.3));
}

layer messages_lstm(g: graph, x) {
  for e in g.edges { e.m = e.src.x; }
  return incoming_lstm(g, e.m, 3);
}

layer messages_gru(g: graph, x) {
  for e in g.edges { e.m = e.src.x; }
  return incoming_gru(g, e.m, 3);
}

layer two_reductions(g: graph, z, c) {
  for e in g.edges { e.m = e.src.z; }
  return concat(incoming_max(g, e.m), propagate(g, z, c));
}

layer weighted_hypergraph(g: graph, x: node f32[F], x0, attention) {
  return hypergraph_conv(g, x, 3, 2, attention, hyperedge_weight = abs(x0[0]));
}

layer sums(g: graph, x) {
  return graph_conv(g, x, 4);
}

layer gps(g: graph, x) {
  return gps_conv(g, replace_self_loops(g), x, sums, 2);
}

layer pooled_twice(g: graph, x) {
  let y, left, m = top_k_pooling(g, x, 0.7) from "first";
  let h = relu(graph_conv(left, y, 3) from "conv");
  let z, last, k = sag_pooling(left, h, among = m) from "second";
  return concat(global_add_pool(last, z, k), global_mean_pool(last, z, k), global_max_pool(last, z, k));
}

layer two_memories(g: graph, x) {
  let y, _s = mem_pooling(g, x, 5, 3, 2) from "first";
  let z, _t = mem_pooling_of_rows(y, 3, 2, 2, tau = 2.0) from "second";
  return reshape(z, [6]);
}

layer memory(g: graph, x) {
  let _y, s = mem_pooling(g, x, 5, 3, 2, 0.5);
  return s;
}

layer asa(g: graph, x, gnn: function = none) {
  let y, part, _m = asa_pooling(union(g, reverse(g)), x, 0.6, gnn = gnn);
  return concat(y, propagate(part, y));
}

layer asa_intra(g: graph, x) {
  return asa(g, x, gcn_conv);
}

layer asa_last(g: graph, x) {
  let y, _part, m = asa_pooling(union(g, reverse(g)), x, 0.6, coarsen = false);
  return global_add_pool(g, y, m);
}

layer pan_pooled(g: graph, x) {
  let y, d = pan_conv_and_sums(g, x, 3, 2) from "conv";
  let z, part, m = pan_pooling(g, y, d, 2, multiplier = 2) from "pool";
  return select(m, concat(z, propagate(part, z)), 0);
}

layer diff_pooled(g: graph, x, x0) {
  let y, a = dense_diff_pool(g, x0, x[0..3]);
  return concat(y, a);
}

layer mincut_pooled(g: graph, x, x0) {
  let y, a = dense_mincut_pool(g, x0, x[0..3], temp = 0.5);
  return concat(y, a);
}

layer dmon_pooled(g: graph, x) {
  let _c, y, a = dmon_pooling(g, x, 3, 5, 2);
  return concat(y, a);
}

layer cell(x, h, c) {
  let y, d = lstm_cell(x, h, c) from "cell";
  return concat(y, d);
}
"""


@dataclass
class Case:
    """One call; `positive`: weights between 1/4 and 1, the others are between -1 and 1."""
    call: str
    formula: object
    weights: dict = field(default_factory=dict)
    positive: tuple = ()
    is_ordered: bool = False  # it depends on the order of edges or nodes, or makes a graph: machines refuse it


def linear(name, out, size=4, bias=True):
    return {f"{name}.weight": [out, size]} | ({f"{name}.bias": [out]} if bias else {})


def recurrent(name, gates, size, state):
    """The weights of the first layer of PyTorch's LSTM (4 gates) or GRU (3)."""
    return {f"{name}.{n}_l0": s for n, s in (("weight_ih", [gates * state, size]), ("weight_hh", [gates * state, state]),
                                            ("bias_ih", [gates * state]), ("bias_hh", [gates * state]))}


def mlp(name, size, hidden, out):
    return linear(f"{name}.0", hidden, size) | linear(f"{name}.2", out, hidden)


def rgat(out=3, heads=2):
    return {"weight": [3, 4, heads * out], "q": [heads * out, heads], "k": [heads * out, heads], "w": [out], "l1": [1, out], "b1": [1, out],
            "l2": [out, out], "b2": [1, out], "bias": [heads * out]}


def signed(left, right):
    return linear("lin_pos_l", 3, left, False) | linear("lin_pos_r", 3, right) | linear("lin_neg_l", 3, left, False) | linear("lin_neg_r", 3, right)


def normalisation(name, size):
    """The weights of PyTorch's BatchNorm1d."""
    return {f"{name}.{n}": [size] for n in ("weight", "bias", "running_mean", "running_var")}


def x_conv(places, size, hidden, width, depth, out):
    """XConv with `size` neighbours, `width` columns of x, and `depth` filters for each column."""
    count, square = depth * (hidden + width), size * size
    made = linear("mlp1.0", hidden, places) | linear("mlp1.3", hidden, hidden) | linear("mlp2.0", square, size * places) | linear("conv.2", out, count)
    made |= {f"{name}.{n}": s for name, rows in (("mlp2.4", square), ("mlp2.8", square), ("conv.0", count)) for n, s in (("weight", [rows, 1, size]), ("bias", [rows]))}
    for name, columns in (("mlp1.2", hidden), ("mlp1.5", hidden), ("mlp2.2", square), ("mlp2.6", square), ("mlp2.9", square)):
        made |= normalisation(name, columns)
    return made


def set_block(name, norms=False, size=4):
    """The weights of PyTorch Geometric's MultiheadAttentionBlock."""
    made = {f"{name}.attn.in_proj_weight": [3 * size, size], f"{name}.attn.in_proj_bias": [3 * size]}
    made |= linear(f"{name}.attn.out_proj", size, size) | linear(f"{name}.lin", size, size)
    return made | ({f"{name}.layer_norm{k}.{n}": [size] for k in (1, 2) for n in ("weight", "bias")} if norms else {})


def set_pool(name, count, norms=False, size=4):
    return {f"{name}.seed": [1, count, size]} | linear(f"{name}.lin", size, size) | set_block(f"{name}.mab", norms, size)


def memory(name, heads, clusters, size, out):
    return {f"{name}k": [heads, clusters, size], f"{name}conv.weight": [1, heads, 1, 1]} | linear(f"{name}lin", out, size, False)


ASA = linear("lin", 4) | linear("att", 1, 8) | linear("gnn_score.lin1", 1) | linear("gnn_score.lin2", 1, bias=False) | linear("gnn_score.lin3", 1) \
    | {"select.weight": [1, 1]}
GCN = linear("lin", 3, bias=False) | {"bias": [3]}
ATT = {"att_src": [1, 2, 3], "att_dst": [1, 2, 3], "att_edge": [1, 2, 3]}
HYPER = linear("lin", 6, bias=False) | {"att": [1, 2, 6], "bias": [6]}
CHEB = linear("lins.0", 2, bias=False) | linear("lins.1", 2, bias=False) | linear("lins.2", 2, bias=False) | {"bias": [2]}
LSTM = {f"jk.lstm.{name}_l0{end}": shape for end in ("", "_reverse")
        for name, shape in (("weight_ih", [24, 4]), ("weight_hh", [24, 6]), ("bias_ih", [24]), ("bias_hh", [24]))}
for layer in range(3):
    LSTM |= linear(f"convs.{layer}.lin_l", 4) | linear(f"convs.{layer}.lin_r", 4, bias=False)
X_CONV = ("mlp1.2.running_var", "mlp1.5.running_var", "mlp2.2.running_var", "mlp2.6.running_var", "mlp2.9.running_var")
PNA = {f"{stage}_nns.{t}.0.{part}": shape for t in (0, 1)
       for stage, part, shape in (("pre", "weight", [4, 8]), ("pre", "bias", [4]), ("post", "weight", [2, 52]), ("post", "bias", [2]))}

CASES = {
    "gcn": Case("gcn_conv(g, x, 3)", f.gcn, GCN),
    "gcn_weighted": Case("gcn_conv(g, x, 3, edge_weight)", lambda g, w: f.gcn(g, w, g.weight), GCN),
    "gcn_weighted_old": Case("gcn_conv_weighted(g, x, edge_weight, 3)", lambda g, w: f.gcn(g, w, g.weight), GCN),
    "gcn_improved": Case("gcn_conv(g, x, 3, edge_weight, improved = true)", f.gcn_improved, GCN),
    "gcn_without_loops": Case("gcn_conv(g, x, 3, add_self_loops = false)", lambda g, w: f.gcn(g, w, loops=False), GCN),
    "gcn_as_it_is": Case("gcn_conv(g, x, 3, edge_weight, normalized = false)", lambda g, w: f.gcn(g, w, g.weight, normalize=False), GCN),
    "sg": Case("sg_conv(g, x, 3, edge_weight = edge_weight)", f.sg, linear("lin", 3)),
    "tag": Case("tag_conv(g, x, 3, 2, edge_weight)", f.tag,
                linear("lins.0", 3, bias=False) | linear("lins.1", 3, bias=False) | linear("lins.2", 3, bias=False) | {"bias": [3]}),
    "mix_hop": Case("mix_hop_conv(g, x, 3)", f.mix_hop,
                    linear("lins.0", 3, bias=False) | linear("lins.1", 3, bias=False) | linear("lins.2", 3, bias=False) | {"bias": [9]}),
    "cheb": Case("cheb_conv(g, x, 2, 3)", f.cheb, CHEB),
    "cheb_weighted": Case("cheb_conv(g, x, 2, 3, lambda_max = 3.0, edge_weight = edge_weight)",
                          lambda g, w: f.cheb(g, w, largest=3.0, weights=g.weight), CHEB),
    "cheb_rw": Case('cheb_conv(g, x, 2, 3, "rw")', functools.partial(f.cheb, kind="rw"), CHEB),
    "cheb_plain": Case("cheb_conv(g, x, 2, 3, none, 4.0)", functools.partial(f.cheb, kind=None, largest=4.0), CHEB),
    "cheb_largest": Case("cheb_conv(g, x, 2, 3, none)", lambda g, w: f.cheb(g, w, kind=None, largest=f.largest_degree(g)), CHEB),
    "dir_gcn": Case("dir_gnn_conv(g, x, 3, alpha = 0.25, conv = gcn_without_loops)", f.dir_gcn,
                    linear("lin", 3) | linear("conv_in.lin", 3, bias=False) | linear("conv_out.lin", 3, bias=False)
                    | {"conv_in.bias": [3], "conv_out.bias": [3]}),
    "simple_with_loops": Case('simple_conv(g, x, mean, "self_loop", edge_weight)', f.simple_with_loops),
    "ppf": Case("ppf_conv(g, x, pos, normal)", f.ppf, mlp("local_nn", 8, 5, 3) | mlp("global_nn", 3, 4, 2)),
    "arma_shared": Case("arma_conv(g, x, 3, 2, 2)", f.arma_shared,
                        {"init_weight": [2, 4, 3], "weight": [1, 2, 3, 3], "root_weight": [1, 2, 4, 3], "bias": [1, 2, 1, 3]}),
    "spline_closed": Case("spline_conv(g, x, abs(edge_attr), 2, 3, is_open_spline = false)", f.spline_closed,
                          {"weight": [27, 4, 2], "bias": [2]} | linear("lin", 2, bias=False)),
    "dna_groups": Case("dna_conv(g, [x0, im, x], heads = 2, groups = 2)", f.dna_groups,
                       {f"multi_head.lin_{k}.{n}": s for k in "qkv" for n, s in (("weight", [2, 2, 2]), ("bias", [4]))}),
    "gated_padded": Case("gated_graph_conv(g, x, 5, 2, edge_weight)", f.gated_padded,
                         {"weight": [2, 5, 5], "rnn.weight_ih": [15, 5], "rnn.weight_hh": [15, 5], "rnn.bias_ih": [15], "rnn.bias_hh": [15]}),
    "gcn2": Case("gcn2_conv(g, x, x0, alpha = 0.25, beta = 0.5)", f.gcn2, {"weight1": [4, 4]}),
    "fa": Case("fa_conv(g, x, x0)", f.fa, linear("att_l", 1, bias=False) | linear("att_r", 1, bias=False)),
    "eg": Case("eg_conv(g, x, 6, heads = 2, bases = 3)", f.eg, linear("bases_lin", 9, bias=False) | linear("comb_lin", 6) | {"bias": [6]}),
    "eg_two": Case("eg_conv(g, x, 6, 2, 3, 2, two_reductions)", functools.partial(f.eg, more=True),
                   linear("bases_lin", 9, bias=False) | linear("comb_lin", 12) | {"bias": [6]}),
    "mf": Case("mf_conv(g, x, 3, max_degree = 2)", f.mf,
               {k: v for i in range(3) for k, v in (linear(f"lins_l.{i}", 3) | linear(f"lins_r.{i}", 3, bias=False)).items()}),
    "hypergraph_node": Case('weighted_hypergraph(g, x, x0, "node")', f.hypergraph, HYPER),
    "hypergraph_edge": Case('weighted_hypergraph(g, x, x0, "edge")', functools.partial(f.hypergraph, by_node=False), HYPER),
    "anti_symmetric": Case("anti_symmetric_conv(g, x, iters = 2)", f.anti_symmetric,
                           {"W": [4, 4], "bias": [4], "phi.lin.weight": [4, 4]}),
    "wl_continuous": Case("wl_conv_continuous(g, x)", f.wl_continuous),
    "simple": Case('simple_conv(g, x, max, "cat", edge_weight)', f.simple),
    "graph_conv": Case("graph_conv(g, x, 3, aggr = mean)", f.graph_conv, linear("lin_rel", 3) | linear("lin_root", 3, bias=False)),
    "gat": Case("gat_conv(g, x, 2, 3, concat_heads = false, edge_attr = edge_attr, residual = true)", f.gat,
                ATT | linear("lin", 6, bias=False) | linear("lin_edge", 6, 3, False) | linear("res", 3, bias=False) | {"bias": [3]}),
    "gat_without_loops": Case("gat_conv(g, x, 2, 3, concat_heads = false, edge_attr = edge_attr, add_self_loops = false, residual = true)",
                              functools.partial(f.gat, fill=False),
                              ATT | linear("lin", 6, bias=False) | linear("lin_edge", 6, 3, False) | linear("res", 3, bias=False) | {"bias": [3]}),
    "gatv2": Case("gatv2_conv(g, x, 2, 3, edge_attr = edge_attr)", f.gatv2,
                  linear("lin_l", 6) | linear("lin_r", 6) | linear("lin_edge", 6, 3, False) | {"att": [1, 2, 3], "bias": [6]}),
    "transformer": Case("transformer_conv(g, x, 2, 3, concat_heads = false)", f.transformer,
                        linear("lin_query", 6) | linear("lin_key", 6) | linear("lin_value", 6) | linear("lin_skip", 3)),
    "super_gat": Case("super_gat_conv(g, x, 2, 3, concat_heads = false)", f.super_gat_sd, linear("lin", 6, bias=False) | {"bias": [3]}),
    "general": Case('general_conv(g, x, 4, edge_attr, heads = 2, attention = "dot_product", directed_msg = false)', f.general,
                    linear("lin_msg", 8) | linear("lin_msg_i", 8) | linear("lin_edge", 8, 3)),
    "rgat": Case("rgat_conv(g, x, 2, 3)", f.rgat, rgat()),
    "rgat_multiplicative": Case('rgat_conv(g, x, 2, 3, attention = "multiplicative")', functools.partial(f.rgat, multiply=True), rgat()),
    **{f"rgat_{mod.replace('-', '_')}": Case(f'rgat_conv(g, x, 2, 3, mod = "{mod}")', functools.partial(f.rgat, mod=mod), rgat())
       for mod in ("additive", "scaled", "f-additive", "f-scaled")},
    "nn_conv": Case("nn_conv(g, x, edge_attr, 2, aggr = mean)", f.nn_conv, mlp("nn", 3, 5, 8) | linear("lin", 2, bias=False) | {"bias": [2]}),
    "cg": Case("cg_conv(g, x)", f.cg, linear("lin_f", 4, 8) | linear("lin_s", 4, 8)),
    "gine": Case("gine_conv(g, x, wide)", f.gine, mlp("nn", 4, 5, 3) | {"eps": [1]}),
    "point_transformer": Case("point_transformer_conv(g, x, pos, 3)", f.point_transformer,
                              linear("lin", 3, bias=False) | linear("lin_src", 3, bias=False) | linear("lin_dst", 3, bias=False) | linear("pos_nn", 3, 3)),
    "pna": Case("pna_conv(g, x, 4, towers = 2)", f.pna, PNA | linear("lin", 4) | {"aggr_module.avg_deg_log": [1]}, ("aggr_module.avg_deg_log",)),
    "gen_power": Case("gen_conv(g, x, 4, aggr = incoming_power_mean_learned, norm = layer_norm)", f.gen_power,
                      linear("mlp.0", 8, bias=False) | {"mlp.1.weight": [8], "mlp.1.bias": [8]} | linear("mlp.4", 4, 8, False) | {"aggr_module.p": [1]},
                      ("aggr_module.p",)),
    "pna_edges": Case("pna_conv(g, x, 4, 2, edge_attr, divide_input = true)", functools.partial(f.pna, edges=True),
                      {f"{stage}_nns.{t}.0.{part}": shape for t in (0, 1)
                       for stage, part, shape in (("pre", "weight", [2, 6]), ("pre", "bias", [2]), ("post", "weight", [2, 26]), ("post", "bias", [2]))}
                      | linear("edge_encoder", 2, 3) | linear("lin", 4) | {"aggr_module.avg_deg_log": [1]}, ("aggr_module.avg_deg_log",)),
    "gen_norm": Case("gen_conv(g, x, 2, edge_attr, incoming_max, msg_norm = true, bias = true)", f.gen_norm,
                     linear("lin_src", 2) | linear("lin_edge", 2, 3) | linear("lin_dst", 2) | linear("mlp.0", 4, 2) | linear("mlp.4", 2)
                     | {f"mlp.1.{n}": [4] for n in ("weight", "bias", "running_mean", "running_var")} | {"msg_norm.scale": [1]},
                     ("mlp.1.running_var",)),
    "losses": Case("losses(g, x, x0, edge_weight)", f.losses),
    "pools": Case("pools(g, x)", f.pools),
    "ordered": Case("ordered(g, x)", o.incoming, is_ordered=True),
    "ordered_pools": Case("ordered_pools(g, x)", o.pooled, is_ordered=True),
    "sort": Case("sort_aggregation(g, x, 5)", functools.partial(o.sort, count=5), is_ordered=True),
    "sort_padded": Case("sort_aggregation(g, x, 12)", functools.partial(o.sort, count=12), is_ordered=True),
    "incoming_lstm": Case("messages_lstm(g, x)", o.incoming_lstm, recurrent("lstm", 4, 4, 3), is_ordered=True),
    "incoming_gru": Case("messages_gru(g, x)", o.incoming_gru, recurrent("gru", 3, 4, 3), is_ordered=True),
    "lstm_aggregation": Case("lstm_aggregation(g, x, 3)", lambda g, w: [o.run_lstm(w, "lstm.", g.x, 3)], recurrent("lstm", 4, 4, 3), is_ordered=True),
    "gru_aggregation": Case("gru_aggregation(g, x, 3)", lambda g, w: [o.run_gru(w, "gru.", g.x, 3)], recurrent("gru", 3, 4, 3), is_ordered=True),
    "sage_lstm": Case("sage_conv_lstm(g, x, 3, normalized = true, project = true)", o.sage_lstm,
                      linear("lin", 4) | linear("lin_l", 3) | linear("lin_r", 3, bias=False) | recurrent("aggr_module.lstm", 4, 4, 4), is_ordered=True),
    "mlp_aggregation": Case("mlp_aggregation(g, x, 2, 6, 5, 2)", functools.partial(p.mlp, most=6), linear("mlp.lins.0", 5, 24)
                            | linear("mlp.lins.1", 2, 5) | normalisation("mlp.norms.0.module", 5), ("mlp.norms.0.module.running_var",), True),
    "mlp_aggregation_padded": Case("mlp_aggregation(g, x, 2, 10, 5, 2)", functools.partial(p.mlp, most=10), linear("mlp.lins.0", 5, 40)
                                   | linear("mlp.lins.1", 2, 5) | normalisation("mlp.norms.0.module", 5), ("mlp.norms.0.module.running_var",), True),
    "mem": Case("two_memories(g, x)", p.mem, memory("first.", 3, 2, 4, 5) | memory("second.", 2, 2, 5, 3)),
    "mem_shares": Case("memory(g, x)", p.mem_shares, memory("", 3, 2, 4, 5)),
    "set_transformer": Case("set_transformer_aggregation(g, x, 12, 3, heads = 2, layer_norm = true)", p.set_transformer,
                            set_block("encoders.0.mab", True) | set_pool("pma", 3, True) | set_block("decoders.0.mab", True), is_ordered=True),
    "set_transformer_mean": Case("set_transformer_aggregation(g, x, 6, 3, heads = 2, concat_seeds = false)",
                                 functools.partial(p.set_transformer, most=6, mean_of_seeds=True),
                                 set_block("encoders.0.mab") | set_pool("pma", 3) | set_block("decoders.0.mab"), is_ordered=True),
    "multiset_transformer": Case("graph_multiset_transformer(g, x, 3, 2, 2)", p.multiset_transformer,
                                 set_pool("pma1", 3) | set_block("encoders.0.mab") | set_block("encoders.1.mab") | set_pool("pma2", 1)),
    "asa": Case("asa(g, x)", p.asa, ASA, is_ordered=True),
    "asa_intra": Case("asa_intra(g, x)", functools.partial(p.asa, intra=True), ASA | linear("gnn_intra_cluster.lin", 4, bias=False)
                      | {"gnn_intra_cluster.bias": [4]}, is_ordered=True),
    "asa_last": Case("asa_last(g, x)", lambda g, w: [[sum(c) for c in zip(*p.asa(g, w))][:4]], ASA, is_ordered=True),
    "pan_pooling": Case("pan_pooled(g, x)", p.pan, {"conv.weight": [3], "pool.p": [3], "pool.beta": [2], "pool.select.weight": [1, 1]}
                        | linear("conv.lin", 3), is_ordered=True),
    "diff_pool": Case("diff_pooled(g, x, x0)", p.diff), "mincut_pool": Case("mincut_pooled(g, x, x0)", p.mincut),
    "dmon_pool": Case("dmon_pooled(g, x)", p.dmon, linear("mlp.lins.0", 5) | linear("mlp.lins.1", 3, 5)),
    "reductions": Case("reductions(g, x)", f.reductions),
    "lstm_cell": Case("cell(x, x0, im)", f.lstm_cell, {f"cell.{n}": s for n, s in (("weight_ih", [16, 4]), ("weight_hh", [16, 4]), ("bias_ih", [16]),
                                                                              ("bias_hh", [16]))}),
    "edge_cnn": Case("edge_cnn_layer(g, x, 3)", f.edge_cnn, linear("nn.lins.0", 3, 8) | linear("nn.lins.1", 3, 3)),
    "jumping_max": Case("basic_gnn(g, x, 3, 2, 2, conv = lasting, join = max)", f.jumping_max,
                        linear("convs.0.lin_l", 3) | linear("convs.0.lin_r", 3, bias=False) | linear("convs.1.lin_l", 3, 3)
                        | linear("convs.1.lin_r", 3, 3, False) | linear("lin", 2, 3)),
    "attention": Case("multi_head_attention(g, x, 2)", f.attention, {"in_proj_weight": [12, 4], "in_proj_bias": [12]} | linear("out_proj", 4)),
    "gps": Case("gps(g, x)", f.gps, linear("conv.lin_rel", 4) | linear("conv.lin_root", 4, bias=False) | linear("attn.out_proj", 4)
                | {"attn.in_proj_weight": [12, 4], "attn.in_proj_bias": [12]} | linear("mlp.0", 8) | linear("mlp.3", 4, 8)
                | {f"norm{k}.module.{n}": [4] for k in (1, 2, 3) for n in ("weight", "bias", "running_mean", "running_var")},
                tuple(f"norm{k}.module.running_var" for k in (1, 2, 3))),
    "signed": Case("signed_conv(g, reverse(g), x, 3)", f.signed, signed(4, 4)),
    "signed_deep": Case("signed_conv(g, reverse(g), x, 3, first_aggr = false)", functools.partial(f.signed, first=False), signed(4, 2)),
    "jumping_lstm": Case("jumping_lstm(g, x, 4, 3, lasting)", f.jumping_lstm, LSTM | linear("jk.att", 1, 12)),
    "pair_norm": Case("pair_norm(g, x, scale = 0.5, scale_individually = true)", f.pair_norm),
    "directed_messages": Case("directed_messages(g, x, wide, 3)", f.directed_messages, linear("W_i", 3, 8, bias=False) | linear("W_h", 3, 3, bias=False)),
    "pan": Case("pan_conv(g, x, 3, 2)", f.pan, {"weight": [3]} | linear("lin", 3)),
    "dynamic_edge": Case("dynamic_edge_conv(g, x, k = 3)", fr.dynamic_edge, mlp("nn", 8, 5, 3), is_ordered=True),
    "gravnet": Case("gravnet_conv(g, x, 2, 2, 3, k = 4)", fr.gravnet, linear("lin_s", 2) | linear("lin_h", 3) | linear("lin_out1", 2, bias=False)
                    | linear("lin_out2", 2, 6), is_ordered=True),
    "gravnet_pair": Case("gravnet_conv(g, x, 2, 2, 3, 3, x0[0] > 0)",
                         functools.partial(fr.gravnet, k=3, among=lambda g: [n for n in range(g.count) if g.x0[n][0] > 0]),
                         linear("lin_s", 2) | linear("lin_h", 3) | linear("lin_out1", 2, bias=False) | linear("lin_out2", 2, 6), is_ordered=True),
    "knn_interpolate": Case("knn_interpolate(g, x, pos, x0[0] > 0, k = 2)", p.interpolated, is_ordered=True),
    "unpool": Case("unpool(x, x0[0] > 0)", lambda g, _: [row if at[0] > 0 else [0.0] * 4 for row, at in zip(g.x, g.x0)]),
    "x_conv": Case("x_conv(g, x, pos, 7, 3, 2, 2)", functools.partial(fr.x_conv, x=lambda g: g.x, step=2), x_conv(3, 3, 2, 4, 2, 7), X_CONV, True),
    "x_conv_of_places": Case("x_conv(g, none, pos, 2, 4, 3)", functools.partial(fr.x_conv, size=4), x_conv(3, 4, 3, 0, 1, 2), X_CONV, True),
    "pooled_twice": Case("pooled_twice(g, x)", fr.pooled_twice,
                         {"first.select.weight": [1, 4], "second.select.weight": [1, 1]} | linear("conv.lin_rel", 3) | linear("conv.lin_root", 3, bias=False)
                         | linear("second.gnn.lin_rel", 1, 3) | linear("second.gnn.lin_root", 1, 3, False), is_ordered=True),
    "rotate": Case("rotation(g, x, im)", f.rotate, {"rel_emb.weight": [3, 4]}),
}
