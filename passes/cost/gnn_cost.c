/* Costs of layers: equations (10) and (11) of GraphAGILE, of which equations (12) and (13) are sums
 * (GraphAGILE, Section VI-C); see the header. */
#include "passes/cost/gnn_cost.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include "support/edge_mode.h"

#include <string.h>

gnn_cost gnn_cost_create(const pass_context *p) {
  gnn_cost c = {.nodes = 1, .edges = 1, .density = 1};
  if (p->statistics.num_nodes <= 0 || p->statistics.num_edges < 0) return c;
  c.nodes = (double)p->statistics.num_nodes;
  c.edges = (double)p->statistics.num_edges;
  const char *features = pass_option_string(p, "features", "auto");
  double density = p->statistics.feature_density;
  if (!(density >= 0 && density <= 1) || strcmp(features, "dense") == 0) return c;
  if (strcmp(features, "sparse") == 0 || density < GNN_COST_SPARSE_BELOW) c.density = density;
  return c;
}

double gnn_cost_edges(const gnn_cost *c, const char *set) {
  static const double near_edges = 8; /* of a set that is made while the model runs, per node: a guess */
  bool is_near = strstr(set, ".knn_") || strstr(set, ".radius_") || strstr(set, ".power");
  double edges = is_near ? near_edges * c->nodes : c->edges;
  const char *dot = strchr(set, '.');
  bool is_chosen = dot && edge_mode_is_chosen(edge_mode_read(dot + 1));
  if (is_chosen && edge_mode_doubles(dot + 1)) edges *= 2;
  if (is_chosen || is_near) dot = strchr(dot + 1, '.'); /* what follows are self loops */
  for (; dot; dot = strchr(dot + 1, '.')) edges += c->nodes;
  return edges;
}

double gnn_cost_aggregate(double width, double edges) {
  return 2 * width * edges;
}

double gnn_cost_linear(const gnn_cost *c, double f1, double f2, double density) {
  return 2 * density * f1 * f2 * c->nodes;
}

double gnn_cost_elementwise(const gnn_cost *c, double width) {
  return width * c->nodes;
}

static const char *input_field(MlirOperation func, intptr_t index) {
  MlirAttribute field = ir_func_arg_attr(func, (size_t)index, "gnn.from");
  if (mlirAttributeIsNull(field)) field = ir_func_arg_attr(func, (size_t)index, "gnn.name");
  if (mlirAttributeIsNull(field) || !mlirAttributeIsAString(field)) return NULL;
  return mlirStringAttrGetValue(field).data;
}

bool gnn_cost_is_feature_input(MlirOperation func, MlirValue value) {
  if (!mlirValueIsABlockArgument(value)) return false;
  MlirBlock body = ir_func_body(func);
  ir_kind kind = ir_type_of(value).kind;
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(value), body)) return false;
  if (kind != IR_KIND_node && kind != IR_KIND_sparse) return false;
  intptr_t index = mlirBlockArgumentGetArgNumber(value);
  if (!mlirAttributeIsNull(ir_func_arg_attr(func, (size_t)index, "gnn.space"))) return false;
  const char *field = input_field(func, index);
  if (field) return strcmp(field, "x") == 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) {
    ir_kind other = ir_type_of(mlirBlockGetArgument(body, i)).kind;
    if (i != index && (other == IR_KIND_node || other == IR_KIND_sparse)) return false;
  }
  return true;
}

double gnn_cost_density_of(const gnn_cost *c, MlirOperation func, MlirValue value) {
  MlirOperation op = gnn_producer(value, IR_OP(gnn, row_normalize));
  while (!mlirOperationIsNull(op)) {
    value = ir_operand(op, IR_IN(gnn, row_normalize, x));
    op = gnn_producer(value, IR_OP(gnn, row_normalize));
  }
  return gnn_cost_is_feature_input(func, value) ? c->density : 1;
}
