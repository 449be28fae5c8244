/* gnn-choose-features: keeps input features as sparse rows (CSR) where that costs less.
 *
 *   @m(%x: !gnn.node<"g", tensor<1433xf32>>)  =>  @m(%x: !gnn.sparse<"g", tensor<1433xf32>>)
 *   %n = row_normalize(%x); %h = linear(%n, %w)   (the same, %n is sparse too)
 *
 * About one percent of the entries of bag-of-words features are stored; the first linear layer then
 * costs one percent. With `auto` the pass takes the density of the graph file, and changes the type
 * only where every use works row by row over stored entries: row_normalize, dropout, the x of a linear layer,
 * and of the sum of outer products that is the gradient of its weight. With `typed` so do rows that are gathered at
 * pairs of edge type and node for products with the weight of the type. With `sparse` it changes the type in any
 * case and inserts gnn.densify for other uses. */
#include "passes/cost/gnn_cost.h"
#include "passes/gnn/rules/gnn_rewrite.h"
#include "support/vec.h"

#include <stdlib.h>
#include <string.h>

enum { MIN_COLUMNS = 16 };

typedef struct choice {
  bool is_forced;
  bool is_sparse; /* the features are to be sparse where that is possible */
  bool is_typed;  /* the target has products of sparse rows with a matrix per edge type */
  double below;
} choice;

static bool read_options(MlirOperation root, const pass_context *p, choice *c) {
  const char *features = pass_option_string(p, "features", "auto");
  const char *below = pass_option_string(p, "density", "0.25");
  char *end = NULL;
  *c = (choice){.is_forced = strcmp(features, "sparse") == 0,
                .is_typed = pass_option_bool(p, "typed", false),
                .below = strtod(below, &end)};
  if (end == below || *end != '\0' || !(c->below >= 0 && c->below <= 1)) {
    mlirEmitError(mlirOperationGetLocation(root),
                  arena_printf(p->arena, "option 'density' is '%s', but takes a share between 0 and 1", below));
    return false;
  }
  if (!c->is_forced && strcmp(features, "auto") != 0 && strcmp(features, "dense") != 0) {
    mlirEmitError(mlirOperationGetLocation(root),
                  arena_printf(p->arena, "option 'features' is '%s', but takes auto, dense or sparse", features));
    return false;
  }
  double density = p->statistics.feature_density;
  bool is_auto = strcmp(features, "auto") == 0;
  c->is_sparse = c->is_forced || (is_auto && density >= 0 && density < c->below);
  return true;
}

/* Whether a use is the x of a linear layer with one matrix for all rows, or of the gradient of that
 * matrix. */
static bool is_row_use(MlirOpOperand use) {
  MlirOperation user = mlirOpOperandGetOwner(use);
  if (ir_op_kind(user) == IR_OP(gnn, contract))
    return mlirOpOperandGetOperandNumber(use) == IR_IN(gnn, contract, a) && ir_type_of(ir_result(user)).rank == 2 &&
           ir_type_of(ir_result(user)).kind == IR_KIND_plain;
  if (ir_op_kind(user) != IR_OP(gnn, linear) || mlirOpOperandGetOperandNumber(use) != 0) return false;
  ir_type w = ir_type_of(ir_operand(user, IR_IN(gnn, linear, w)));
  return w.kind == IR_KIND_plain && w.rank == 2;
}

/* Whether a use makes rows of other entries at the same places. */
static bool is_normalize_use(MlirOpOperand use) {
  ir_op kind = ir_op_kind(mlirOpOperandGetOwner(use));
  return kind == IR_OP(gnn, row_normalize) || kind == IR_OP(gnn, dropout);
}

/* Whether a use gathers rows at pairs for products with the weight of the pair's edge type. */
static bool is_typed_use(const choice *c, MlirOpOperand use) {
  MlirOperation gather = mlirOpOperandGetOwner(use);
  if (!c->is_typed || ir_op_kind(gather) != IR_OP(gnn, gather)) return false;
  if (!ir_unique_end(ir_type_of(ir_result(gather)).set)) return false;
  IR_FOR_EACH_USE(product, ir_result(gather)) {
    MlirOperation op = mlirOpOperandGetOwner(product);
    if (ir_op_kind(op) != IR_OP(gnn, linear) || mlirOpOperandGetOperandNumber(product) != IR_IN(gnn, linear, x))
      return false;
    MlirValue w = ir_operand(op, IR_IN(gnn, linear, w));
    if (mlirOperationIsNull(gnn_producer(w, IR_OP(gnn, slice))) || ir_type_of(w).rank != 2) return false;
    if (ir_get_bool(op, "transposed")) return false;
  }
  return true;
}

/* Whether no use needs dense rows of `value`. */
static bool has_only_row_uses(const choice *c, MlirValue value) {
  IR_FOR_EACH_USE(use, value) {
    if (is_row_use(use) || is_typed_use(c, use)) continue;
    if (!is_normalize_use(use) || !has_only_row_uses(c, ir_result(mlirOpOperandGetOwner(use)))) return false;
  }
  return true;
}

/* Makes the uses that need dense rows read gnn.densify of `value`, which must be sparse already. */
static void densify_other_uses(pass_context *p, const choice *c, MlirValue value, MlirOperation before) {
  VEC(MlirOpOperand) uses = {0};
  IR_FOR_EACH_USE(use, value)
    if (!is_row_use(use) && !is_normalize_use(use) && !is_typed_use(c, use)) VEC_PUSH(p->arena, &uses, use);
  if (uses.count == 0) return;
  ir_builder b = ir_builder_before(before);
  b.location = mlirValueGetLocation(value);
  MlirValue dense = gnn_build_unary(&b, IR_OP(gnn, densify), value);
  if (ir_value_is_null(dense)) return;
  for (size_t i = 0; i < uses.count; i++)
    mlirOperationSetOperand(mlirOpOperandGetOwner(uses.items[i]), mlirOpOperandGetOperandNumber(uses.items[i]), dense);
}

static void set_sparse(pass_context *p, MlirValue value) {
  ir_type type = ir_type_of(value);
  type.kind = IR_KIND_sparse;
  mlirValueSetType(value, ir_type_make(p->context, type));
}

/* Changes the types of `value`, of its normalised rows, and of its rows at pairs. */
static void make_sparse(pass_context *p, const choice *c, MlirValue value, MlirOperation after) {
  set_sparse(p, value);
  p->changed++;
  IR_FOR_EACH_USE(use, value) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (is_normalize_use(use)) make_sparse(p, c, ir_result(user), mlirOperationGetNextInBlock(user));
    if (is_typed_use(c, use)) set_sparse(p, ir_result(user));
  }
  densify_other_uses(p, c, value, after);
}

/* Remarks how the features of an input are kept. */
static void remark(pass_context *p, MlirOperation func, const char *how, const char *why) {
  double density = p->statistics.feature_density;
  if (density >= 0)
    pass_remark(p, func, "input features %s%s: %.3f %% are stored", how, why, 100 * density);
  else
    pass_remark(p, func, "input features %s%s; the share that is stored is not known", how, why);
}

static bool choose_for_input(pass_context *p, const choice *c, MlirOperation func, MlirValue input) {
  ir_type type = ir_type_of(input);
  if (!ir_value_has_uses(input) || !gnn_cost_is_feature_input(func, input) || type.kind != IR_KIND_node) return true;
  if (c->is_forced && type.rank != 1) {
    text found = {0};
    ir_type_print(&found, type);
    mlirEmitError(
        mlirValueGetLocation(input),
        arena_printf(p->arena, "features are %s, but sparse features are rows: node f32[F]", text_str(&found)));
    text_free(&found);
    return false;
  }
  bool is_worth_it = type.rank == 1 && type.dims[0] >= MIN_COLUMNS && has_only_row_uses(c, input);
  if (!c->is_forced && !is_worth_it) remark(p, func, "stay dense", ", a use needs whole rows");
  if (!c->is_forced && !is_worth_it) return true;
  remark(p, func, "are read as sparse rows", c->is_forced ? ", as was asked for" : "");
  make_sparse(p, c, input, mlirBlockGetFirstOperation(ir_func_body(func)));
  gnn_func_update_type(p, func);
  return true;
}

bool pass_run_choose_features(MlirOperation root, pass_context *p) {
  choice c;
  bool ok = read_options(root, p, &c);
  if (ok && !c.is_sparse) remark(p, root, "stay dense", "");
  if (!ok || !c.is_sparse) return ok;
  IR_FOR_EACH_FUNC(func, root) {
    MlirBlock body = ir_func_body(func);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
      ok = choose_for_input(p, &c, func, mlirBlockGetArgument(body, i)) && ok;
  }
  return ok;
}
