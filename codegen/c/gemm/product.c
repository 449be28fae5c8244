/* The description of a product: see product.h. */
#include "codegen/c/gemm/product.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/row.h"
#include "codegen/c/model/packed.h"

#include <string.h>

static const char *declare_packed(c_body *b, const c_product *p) {
  b->kernel->packs = c_packed_find(b->model, p->b, p->is_transposed, b->phase);
  b->kernel->packs_from = p->b;
  c_parameter_declare_packed(b, b->kernel->packs, arena_printf(b->model->arena, "%s_packed", p->b->name));
  return c_parameter_packed(b, b->kernel->packs);
}

c_product c_product_describe(c_body *b) {
  MlirOperation op = b->kernel->op;
  c_product p = {.op = op, .block = ir_region_block(op), .gather = ir_get_string(op, "gather", "none")};
  p.cursor = mlirBlockGetArgument(p.block, 0);
  p.value = mlirBlockGetArgument(p.block, 1);
  p.a = c_parameter_buffer(b, ir_operand(op, IR_IN(intra, gemm, a)));
  p.b = c_model_buffer(b->phase, ir_operand(op, IR_IN(intra, gemm, b)));
  p.is_batch = ir_get_bool(op, "batch");
  p.is_transposed = ir_get_bool(op, "transposed");
  ir_type a_type = p.a->buffer->type, type = ir_type_of(p.value);
  p.depth = a_type.dims[a_type.rank - 1];
  p.width = type.dims[type.rank - 1];
  p.padded = c_packed_columns(p.width);
  p.heads = ir_type_elements(a_type) / p.depth;
  p.reach = (p.heads - 1) * p.width + p.padded;
  p.at = c_body_define(b, p.cursor, C_FORM_cursor, "n");
  p.at->set = b->kernel->set;
  bool is_weight = p.b->space == C_SPACE_weight && !b->phase->row->fills_bound; /* of training */
  p.is_plain = (b->model->options->is_f64 && (c_buffer_is_user(p.a->buffer) || is_weight)) ||
               (c_buffer_is_user(p.b) && !is_weight);
  p.matrix = p.is_plain ? c_parameter_buffer(b, p.b->value)->name : declare_packed(b, &p);
  return p;
}

const char *c_product_row(c_body *b, const c_product *p, const char *row) {
  arena *a = b->model->arena;
  if (!strcmp(p->gather, "none")) {
    p->at->text = row;
    return c_row_at(b, p->a, p->cursor);
  }
  bool is_end = !strcmp(p->gather, "src") || !strcmp(p->gather, "dst");
  const char *graph = c_parameter_set(b, is_end ? b->kernel->set : p->a->buffer->set);
  return c_row_at_number(b, p->a, arena_printf(a, "%s->%s[%s]", graph, is_end ? p->gather : "row", row));
}
