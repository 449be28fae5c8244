/* Builds the product with a weight per edge type of gnn-merge-relations, as the front end emits it for
 * `weight W : etype f32[F, H] from "w.{type}"` and W[e.type].
 *
 *   @w.a, @w.b   =>   @"{w.a|w.b}" : !gnn.per<"etype", ...> {gnn.count = 2, gnn.from = "{w.a|w.b}", gnn.name = "w.type"}
 *
 * Who reads the weights file puts the tensors of such a name together. A mean over each relation becomes the factor
 * 1 / in_degree[type] of edges. */
#include "passes/gnn/gnn_merge_relations.h"

#include "passes/gnn/rules/gnn_rewrite.h"

#include <string.h>

static const MlirValue none = {NULL};

/* ---- the weight -------------------------------------------------------------------------------------------------- */

static MlirOperation load_of(const relation_product *r) {
  return ir_defining_op(ir_operand(r->linear, IR_IN(gnn, linear, w)));
}

/* The weight of a product in its module. */
static MlirOperation weight_of(const relation_product *r) {
  MlirOperation func = mlirOperationGetParentOperation(r->linear);
  return ir_weight_find(mlirOperationGetParentOperation(func), ir_weight_symbol(load_of(r)));
}

static const char *file_name(const relation_product *r) {
  return ir_get_string(weight_of(r), "gnn.from", ir_weight_symbol(load_of(r)));
}

/* "{w.a|w.b}", in the arena. */
static const char *list_names(pass_context *p, const relation_products *products) {
  text list = {0};
  for (size_t i = 0; i < products->count; i++)
    text_printf(&list, "%s%s", i ? "|" : "{", file_name(&products->items[i]));
  text_append(&list, "}");
  return text_keep(&list, p->arena);
}

/* The weight that has these names already; null if there is none. */
static MlirOperation find_list(pass_context *p, const relation_products *products) {
  MlirOperation first = weight_of(&products->items[0]);
  return ir_weight_find(mlirOperationGetParentOperation(first), list_names(p, products));
}

/* The type of the weight per edge type. */
static MlirType stacked_type(pass_context *p, const relation_products *products) {
  ir_type per = ir_type_of(ir_operand(products->items[0].linear, IR_IN(gnn, linear, w)));
  per.kind = IR_KIND_per;
  per.set = ir_intern(p->context, "etype");
  return ir_type_make(p->context, per);
}

bool gnn_merge_can_stack(pass_context *p, const relation_products *products) {
  for (size_t i = 0; i < products->count; i++)
    if (strpbrk(file_name(&products->items[i]), "{|}")) return false;
  MlirOperation same = find_list(p, products);
  if (mlirOperationIsNull(same)) return true;
  return mlirTypeEqual(mlirTypeAttrGetValue(ir_get_attr(same, "type")), stacked_type(p, products)) &&
         ir_get_integer(same, "gnn.count", 0) == (int64_t)products->count;
}

static size_t shared_begin(const char *a, const char *b, size_t most) {
  size_t n = 0;
  while (n < most && a[n] && a[n] == b[n]) n++;
  return n;
}

static size_t shared_end(const char *a, const char *b, size_t most) {
  size_t n = 0, length_a = strlen(a), length_b = strlen(b);
  while (n < most && n < length_a && n < length_b && a[length_a - 1 - n] == b[length_b - 1 - n]) n++;
  return n;
}

static bool is_named(MlirOperation module, const char *name) {
  IR_FOR_EACH_OP(op, ir_region_block(module))
    if (ir_is_weight(op) && ir_string_is(op, "gnn.name", name)) return true;
  return false;
}

/* The name of the weight in the interface of programs: what the names share, as whole words, with "type" in the place
 * where they differ. "w.type" for w.a and w.b. */
static const char *shared_name(pass_context *p, MlirOperation module, const relation_products *products) {
  const char *first = file_name(&products->items[0]);
  size_t length = strlen(first), begin = length, end = length;
  for (size_t i = 1; i < products->count; i++) {
    begin = shared_begin(first, file_name(&products->items[i]), begin);
    end = shared_end(first, file_name(&products->items[i]), end);
  }
  while (begin && !strchr("._", first[begin - 1])) begin--;
  while (end && !strchr("._", first[length - end])) end--;
  if (begin + end > length) end = length - begin;
  const char *name = arena_printf(p->arena, "%.*stype%s", (int)begin, first, first + length - end), *free_name = name;
  for (int i = 2; is_named(module, free_name); i++) free_name = arena_printf(p->arena, "%s_%d", name, i);
  return free_name;
}

/* Adds the weight per type to the module, if no other product has it, and loads it. */
static MlirValue build_weight(pass_context *p, const ir_builder *b, const relation_products *products) {
  MlirOperation first = weight_of(&products->items[0]), same = find_list(p, products);
  const char *symbol = list_names(p, products), *name, *file = "";
  MlirType type = stacked_type(p, products);
  if (!mlirOperationIsNull(same)) {
    name = ir_get_string(same, "gnn.name", symbol);
  } else {
    name = shared_name(p, mlirOperationGetParentOperation(first), products);
    ir_attr attributes[] = {{"gnn.from", ir_attr_string(p->context, symbol)},
                            {"gnn.name", ir_attr_string(p->context, name)},
                            {"gnn.count", ir_attr_integer(p->context, (int64_t)products->count)},
                            {NULL, {NULL}}};
    ir_builder in_module = ir_builder_before(first);
    ir_build_weight(&in_module, symbol, type, attributes);
  }
  unsigned line = 0, column = 0;
  ir_builder here = *b;
  ir_location_position(mlirOperationGetLocation(load_of(&products->items[0])), &file, &line, &column);
  here.location = ir_location_make(p->context, name, file, line, column);
  return ir_build_weight_load(&here, symbol, type);
}

/* ---- the product ------------------------------------------------------------------------------------------------- */

/* An operation on a graph and perhaps a value, with at most one attribute. The operands fit, so that none fails. */
static MlirValue build_on(const ir_builder *b, ir_op op, MlirValue graph, MlirValue value, const char *name,
                          const char *word) {
  MlirValue operands[IR_MAX_OPERANDS] = {graph, value};
  ir_attr attributes[] = {{name, word ? ir_attr_string(b->context, word) : (MlirAttribute){NULL}}, {NULL, {NULL}}};
  return ir_build_value(b, op, operands, attributes);
}

/* 1 / the number of edges of e's type at the end where they are summed up. */
static MlirValue build_mean_factor(const ir_builder *b, MlirValue graph, const char *end) {
  MlirValue unique = build_on(b, IR_OP(gnn, unique_edges), graph, none, "end", end);
  MlirValue size = gnn_build_unary(b, IR_OP(gnn, group_size), unique);
  MlirValue count = build_on(b, IR_OP(gnn, expand), graph, size, NULL, NULL);
  return gnn_build_binary(b, IR_OP(gnn, divide), gnn_build_constant(b, 1), count);
}

static MlirValue build_part(const ir_builder *b, ir_op op, MlirValue graph, MlirValue rows, MlirValue rest,
                            int64_t type) {
  MlirValue operands[IR_MAX_OPERANDS] = {graph, rows, rest};
  ir_attr attributes[] = {{"type", ir_attr_integer(b->context, type)}, {NULL, {NULL}}};
  return ir_build_value(b, op, operands, attributes);
}

/* One value with the x of each product at the nodes where its edges begin. */
static MlirValue build_x(const ir_builder *b, const relation_products *products) {
  const relation_product *first = &products->items[0];
  if (gnn_merge_has_one_x(products)) return first->x;
  MlirValue x = none;
  for (size_t i = 0; i < products->count; i++) {
    const relation_product *r = &products->items[i];
    bool is_new = true;
    for (size_t k = 0; k < i; k++) is_new &= products->items[k].from != r->from;
    if (!is_new) continue;
    MlirValue rows = gnn_merge_source(r);
    if (ir_part_type(ir_type_of(rows).set) < 0) rows = build_part(b, IR_OP(gnn, part), r->graph, rows, none, r->from);
    x = build_part(b, IR_OP(gnn, unite), r->graph, rows, x, r->from);
  }
  return x;
}

MlirValue gnn_merge_rows_at(MlirOperation at, const relation_product *r, MlirValue merged) {
  if (r->part < 0) return merged;
  ir_builder b = ir_builder_before(at);
  b.location = mlirOperationGetLocation(r->sum);
  return build_part(&b, IR_OP(gnn, part), r->graph, merged, none, r->part);
}

MlirValue gnn_merge_build(pass_context *p, MlirOperation at, const relation_products *products) {
  const relation_product *r = &products->items[0];
  bool is_in = ir_string_is(r->sum, "direction", "in"), is_mean = ir_string_is(r->sum, "reduce", "mean");
  ir_builder b = ir_builder_before(at);
  MlirValue table = build_weight(p, &b, products);
  b.location = mlirOperationGetLocation(r->sum);
  MlirValue factor = is_mean ? build_mean_factor(&b, r->graph, is_in ? "dst" : "src") : none;
  b.location = mlirOperationGetLocation(r->linear);
  MlirValue rows[IR_MAX_OPERANDS] = {gnn_build_gather(&b, r->graph, build_x(&b, products), is_in ? "src" : "dst")};
  rows[IR_IN(gnn, linear, w)] = build_on(&b, IR_OP(gnn, slice), r->graph, table, "by", "edge");
  MlirValue message = gnn_build_like(&b, r->linear, rows, NULL);
  b.location = mlirOperationGetLocation(r->sum);
  if (is_mean) message = gnn_build_binary(&b, IR_OP(gnn, multiply), factor, message);
  MlirValue operands[IR_MAX_OPERANDS] = {r->graph, message};
  ir_attr sum[] = {{"reduce", ir_attr_string(b.context, "sum")}, {NULL, {NULL}}};
  return gnn_build_like(&b, r->sum, operands, sum);
}
