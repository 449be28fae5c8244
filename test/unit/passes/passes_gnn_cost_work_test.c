/* The FLOPs that the cost table counts for R-GCN, R-GAT and HGT, before and after the typed
 * passes, are Pigeon's closed forms: GEMM, products of weights and traversal together. V counts
 * nodes, E edges, T edge types, S pairs of edge type and source, D pairs of edge type and
 * destination. */
#include "passes/cost/gnn_cost_work.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "unit.h"

#include <string.h>

static const int V = 30, E = 120, T = 5, S = 70, D = 60, IN_WIDTH = 6, OUT_WIDTH = 4;

/* The numbers V, E, ... again, because initialisers must be constants. */
static const pass_statistics graph_of_test = {.num_nodes = 30,
                                              .num_edges = 120,
                                              .num_edge_types = 5,
                                              .num_node_types = 3,
                                              .unique_src = 70,
                                              .unique_dst = 60,
                                              .pairs_src = 5,
                                              .pairs_dst = 5,
                                              .feature_density = -1};

/* ---- models ------------------------------------------------------------------------------------------------------ */

/* A model under construction: its graph is argument 0, other arguments are added in order. */
typedef struct model {
  MlirContext context;
  MlirModule module;
  ir_builder b;
  MlirValue in[8];
} model;

static ir_type of_kind(ir_kind kind, const char *set, unsigned rank, int64_t rows, int64_t columns) {
  ir_type type = {.kind = kind, .set = set, .rank = rank, .dims = {rows, columns}};
  if (rank == 1) type.dims[0] = columns;
  return type;
}

static model model_begin(const ir_type *types, size_t count) {
  model m = {.context = ir_context_create()};
  m.module = mlirModuleCreateEmpty(mlirLocationUnknownGet(m.context));
  MlirType arguments[8], none = {NULL};
  for (size_t i = 0; i < count; i++) {
    ir_type type = types[i];
    if (type.set) type.set = ir_intern(m.context, type.set);
    arguments[i] = ir_type_make(m.context, type);
  }
  ir_builder top = ir_builder_at_end(mlirModuleGetBody(m.module), mlirLocationUnknownGet(m.context));
  MlirBlock body;
  ir_build_func(&top, "model", arguments, count, &none, 0, &body);
  m.b = ir_builder_at_end(body, top.location);
  for (size_t i = 0; i < count; i++) m.in[i] = mlirBlockGetArgument(body, (intptr_t)i);
  return m;
}

static MlirValue gather(model *m, MlirValue value, const char *end) {
  return gnn_build_gather(&m->b, m->in[0], value, end);
}

static MlirValue slice(model *m, MlirValue table, const char *by) {
  MlirValue operands[IR_MAX_OPERANDS] = {m->in[0], table};
  ir_attr attributes[] = {{"by", ir_attr_string(m->context, by)}, {NULL, {NULL}}};
  return ir_build_value(&m->b, IR_OP(gnn, slice), operands, attributes);
}

static MlirValue binary(model *m, ir_op op, MlirValue x, MlirValue y) {
  return gnn_build_binary(&m->b, op, x, y);
}

static MlirValue incoming(model *m, MlirValue value, const char *reduce) {
  MlirValue operands[IR_MAX_OPERANDS] = {m->in[0], value};
  ir_attr attributes[] = {
      {"reduce", ir_attr_string(m->context, reduce)}, {"direction", ir_attr_string(m->context, "in")}, {NULL, {NULL}}};
  return ir_build_value(&m->b, IR_OP(gnn, aggregate), operands, attributes);
}

static model model_end(model m, MlirValue out) {
  pass_context p = {.context = m.context, .arena = arena_create()};
  ir_build_return(&m.b, &out, 1);
  gnn_func_update_type(&p, ir_func_first(mlirModuleGetOperation(m.module)));
  arena_destroy(p.arena);
  return m;
}

/* The sum over incoming edges of softmax(logit) * message. */
static MlirValue attend(model *m, MlirValue logit, MlirValue message) {
  MlirValue most = gather(m, incoming(m, logit, "max"), "dst");
  MlirValue raw = gnn_build_activation(&m->b, binary(m, IR_OP(gnn, subtract), logit, most), "exp");
  MlirValue attention = binary(m, IR_OP(gnn, divide), raw, gather(m, incoming(m, raw, "sum"), "dst"));
  return incoming(m, binary(m, IR_OP(gnn, multiply), attention, message), "sum");
}

static const char node[] = "g", etype[] = "etype", ntype[] = "ntype";

/* arguments: x, W by type, root, c */
static model make_rgcn(void) {
  const ir_type types[] = {ir_type_graph("g"), of_kind(IR_KIND_node, node, 1, 0, IN_WIDTH),
                           of_kind(IR_KIND_per, etype, 2, IN_WIDTH, OUT_WIDTH),
                           of_kind(IR_KIND_plain, NULL, 2, IN_WIDTH, OUT_WIDTH), of_kind(IR_KIND_edge, node, 0, 0, 0)};
  model m = model_begin(types, 5);
  MlirValue z = binary(&m, IR_OP(gnn, linear), gather(&m, m.in[1], "src"), slice(&m, m.in[2], "edge"));
  MlirValue sum = incoming(&m, binary(&m, IR_OP(gnn, multiply), m.in[4], z), "sum");
  MlirValue layer[IR_MAX_OPERANDS] = {m.in[1], m.in[3], {NULL}, sum};
  MlirValue out = ir_build_value(&m.b, IR_OP(gnn, linear), layer, NULL);
  return model_end(m, gnn_build_activation(&m.b, out, "relu"));
}

/* arguments: x, W by type, u and v by type */
static model make_rgat(void) {
  const ir_type types[] = {ir_type_graph("g"), of_kind(IR_KIND_node, node, 1, 0, IN_WIDTH),
                           of_kind(IR_KIND_per, etype, 2, IN_WIDTH, OUT_WIDTH),
                           of_kind(IR_KIND_per, etype, 1, 0, OUT_WIDTH), of_kind(IR_KIND_per, etype, 1, 0, OUT_WIDTH)};
  model m = model_begin(types, 5);
  MlirValue w = slice(&m, m.in[2], "edge");
  MlirValue zi = binary(&m, IR_OP(gnn, linear), gather(&m, m.in[1], "src"), w);
  MlirValue zj = binary(&m, IR_OP(gnn, linear), gather(&m, m.in[1], "dst"), w);
  MlirValue left = binary(&m, IR_OP(gnn, vector_inner), zi, slice(&m, m.in[3], "edge"));
  MlirValue right = binary(&m, IR_OP(gnn, vector_inner), zj, slice(&m, m.in[4], "edge"));
  MlirValue logit = gnn_build_activation(&m.b, binary(&m, IR_OP(gnn, vector_add), left, right), "leaky_relu");
  return model_end(m, attend(&m, logit, zi));
}

/* arguments: x, K, Q and V by node type, A and M by edge type, mu by edge type */
static model make_hgt(void) {
  const ir_type in = of_kind(IR_KIND_per, ntype, 2, IN_WIDTH, OUT_WIDTH);
  const ir_type between = of_kind(IR_KIND_per, etype, 2, OUT_WIDTH, OUT_WIDTH);
  const ir_type types[] = {ir_type_graph("g"),
                           of_kind(IR_KIND_node, node, 1, 0, IN_WIDTH),
                           in,
                           in,
                           in,
                           between,
                           between,
                           of_kind(IR_KIND_per, etype, 0, 0, 0)};
  model m = model_begin(types, 8);
  MlirValue projected[3];
  for (int i = 0; i < 3; i++) projected[i] = binary(&m, IR_OP(gnn, linear), m.in[1], slice(&m, m.in[2 + i], "node"));
  MlirValue ka = binary(&m, IR_OP(gnn, linear), gather(&m, projected[0], "src"), slice(&m, m.in[5], "edge"));
  MlirValue vm = binary(&m, IR_OP(gnn, linear), gather(&m, projected[2], "src"), slice(&m, m.in[6], "edge"));
  MlirValue logit = binary(&m, IR_OP(gnn, vector_inner), ka, gather(&m, projected[1], "dst"));
  logit = binary(&m, IR_OP(gnn, multiply), logit, slice(&m, m.in[7], "edge"));
  return model_end(m, attend(&m, logit, vm));
}

/* ---- counting ---------------------------------------------------------------------------------------------------- */

static double count(MlirOperation root) {
  double flops = 0;
  IR_FOR_EACH_FUNC(func, root)
    IR_FOR_EACH_OP(op, ir_func_body(func)) flops += gnn_cost_flops(&graph_of_test, op);
  return flops;
}

/* The FLOPs of a model after passes (a list that "" ends), which apply wherever they are legal. */
static double count_after(model m, const char *const *passes) {
  MlirOperation root = mlirModuleGetOperation(m.module);
  for (; *passes; passes++) {
    const pass_info *info = pass_find(*passes);
    pass_context p = {.context = m.context,
                      .arena = arena_create(),
                      .options = "when=always",
                      .statistics = graph_of_test,
                      .opt_level = 2,
                      .name = info->name};
    CHECK(info->run(root, &p));
    CHECK(p.changed > 0);
    arena_destroy(p.arena);
  }
  CHECK(ir_verify(root));
  double flops = count(root);
  mlirModuleDestroy(m.module);
  ir_context_destroy(m.context);
  return flops;
}

static const char *const as_written[] = {NULL}, *const compact[] = {"gnn-compact", NULL},
                         *const fused[] = {"gnn-fuse-linear", NULL},
                         *const both[] = {"gnn-fuse-linear", "gnn-compact", NULL},
                         *const summed[] = {"gnn-aggregate-first", NULL};

TEST(rgcn_costs_what_its_closed_forms_say) {
  const double root = 2.0 * V * IN_WIDTH * OUT_WIDTH, matrix = 2.0 * IN_WIDTH * OUT_WIDTH, sums = 2.0 * E * OUT_WIDTH;
  CHECK_NEAR(count_after(make_rgcn(), as_written), root + E * matrix + sums, 0);
  CHECK_NEAR(count_after(make_rgcn(), compact), root + S * matrix + sums, 0);
  CHECK_NEAR(count_after(make_rgcn(), summed), root + D * matrix + 2.0 * E * IN_WIDTH + D * OUT_WIDTH, 0);
}

TEST(rgat_costs_what_its_closed_forms_say) {
  const double matrix = 2.0 * IN_WIDTH * OUT_WIDTH, in = 2.0 * IN_WIDTH, out = 2.0 * OUT_WIDTH,
               rest = 5.0 * E + out * E;
  CHECK_NEAR(count_after(make_rgat(), as_written), matrix * (E + E) + out * E + out * E + rest, 0);
  CHECK_NEAR(count_after(make_rgat(), compact), matrix * (S + D) + out * S + out * D + rest, 0);
  CHECK_NEAR(count_after(make_rgat(), fused), matrix * E + T * matrix + out * E + in * E + rest, 0);
  CHECK_NEAR(count_after(make_rgat(), both), matrix * S + T * matrix + out * S + in * D + rest, 0);
}

TEST(hgt_costs_what_its_closed_forms_say) {
  const double in = 2.0 * IN_WIDTH * OUT_WIDTH, between = 2.0 * OUT_WIDTH * OUT_WIDTH;
  const double rest = 2.0 * E * OUT_WIDTH + 4.0 * E + 2.0 * E * OUT_WIDTH;
  const double weights = 4.0 * T * IN_WIDTH * OUT_WIDTH * OUT_WIDTH;
  CHECK_NEAR(count_after(make_hgt(), as_written), 3 * V * in + 2 * E * between + rest, 0);
  CHECK_NEAR(count_after(make_hgt(), compact), 3 * V * in + 2 * S * between + rest, 0);
  CHECK_NEAR(count_after(make_hgt(), fused), V * in + 2 * E * in + weights + rest, 0);
  CHECK_NEAR(count_after(make_hgt(), both), V * in + 2 * S * in + weights + rest, 0);
}

TEST(rows_are_those_of_the_set) {
  CHECK_NEAR(gnn_cost_set_rows(&graph_of_test, "g"), E, 0);
  CHECK_NEAR(gnn_cost_set_rows(&graph_of_test, "g.replace"), E + V, 0);
  CHECK_NEAR(gnn_cost_set_rows(&graph_of_test, "g.unique_src"), S, 0);
  CHECK_NEAR(gnn_cost_set_rows(&graph_of_test, "g.unique_dst"), D, 0);
  CHECK_NEAR(gnn_cost_rows(&graph_of_test, of_kind(IR_KIND_per, "etype_dst", 0, 0, 0)), T, 0);
  CHECK_NEAR(gnn_cost_rows(&graph_of_test, of_kind(IR_KIND_node, "g:1", 0, 0, 0)), -1, 0);
}

TEST(every_operation_has_a_cost) {
#define OP(dialect, name, traits, summary, doc) #name,
  static const char *const operations[] = {
#define OPS_OF_GNN
#include "dialects/ops.def"
  };
#define COST(operation, rule, flops, doc) #operation,
  static const char *const counted[] = {
#include "passes/cost/gnn_cost.def"
  };
  CHECK_INT(sizeof counted / sizeof *counted, sizeof operations / sizeof *operations);
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) CHECK_STR(counted[i], operations[i]);
}

static double cost_of(MlirValue value) {
  return gnn_cost_per_row(ir_defining_op(value));
}

TEST(a_function_costs_what_its_row_says) {
  const ir_type types[] = {ir_type_graph("g"), of_kind(IR_KIND_node, "g", 1, 0, IN_WIDTH)};
  model m = model_begin(types, 2);
  MlirValue x = m.in[1], operands[IR_MAX_OPERANDS] = {x, x};
  for (int i = 0; i < UNARY_COUNT; i++) {
    const elementwise_unary_info *f = &elementwise_unaries[i];
    ir_attr carried[] = {{"activation", ir_attr_string(m.context, f->name)}, {NULL, {NULL}}};
    CHECK_NEAR(cost_of(gnn_build_activation(&m.b, x, f->name)), IN_WIDTH * f->flops, 0);
    CHECK_NEAR(cost_of(ir_build_value(&m.b, IR_OP(gnn, vector_add), operands, carried)), IN_WIDTH * (f->flops + 1), 0);
  }
  for (int i = 0; i < BINARY_COUNT; i++) {
    const elementwise_binary_info *f = &elementwise_binaries[i];
    ir_attr named[] = {{"function", ir_attr_string(m.context, f->name)}, {NULL, {NULL}}};
    if (!strcmp(f->operation, "binary"))
      CHECK_NEAR(cost_of(ir_build_value(&m.b, IR_OP(gnn, binary), operands, named)), IN_WIDTH * f->flops, 0);
  }
  CHECK_NEAR(cost_of(binary(&m, IR_OP(gnn, vector_add), x, x)), IN_WIDTH, 0);
  CHECK_NEAR(cost_of(binary(&m, IR_OP(gnn, divide), x, x)), IN_WIDTH, 0);
  CHECK_NEAR(cost_of(binary(&m, IR_OP(gnn, maximum), x, x)), 0, 0);
  mlirModuleDestroy(m.module);
  ir_context_destroy(m.context);
}

TEST(sums_over_rows_cost_two_flops_per_product) {
  const ir_type types[] = {ir_type_graph("g"), of_kind(IR_KIND_node, "g", 1, 0, IN_WIDTH),
                           of_kind(IR_KIND_edge, "g", 1, 0, OUT_WIDTH)};
  model m = model_begin(types, 3);
  MlirValue operands[IR_MAX_OPERANDS] = {m.in[0], gather(&m, m.in[1], "src"), m.in[2]};
  MlirValue w = ir_build_value(&m.b, IR_OP(gnn, contract), operands, NULL);
  CHECK_NEAR(gnn_cost_flops(&graph_of_test, ir_defining_op(w)), 2.0 * E * IN_WIDTH * OUT_WIDTH, 0);
  operands[IR_IN(gnn, contract, a)] = (MlirValue){NULL};
  MlirValue bias = ir_build_value(&m.b, IR_OP(gnn, contract), operands, NULL);
  CHECK_NEAR(gnn_cost_flops(&graph_of_test, ir_defining_op(bias)), 1.0 * E * OUT_WIDTH, 0);
  mlirModuleDestroy(m.module);
  ir_context_destroy(m.context);
}
