/* The description of a product: see product.h. */
#include "codegen/c/gemm/product.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/body/place.h"
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
  if (p.a->buffer->is_bf16) p.wide = c_names_add(&b->names, "widened");
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

int64_t c_product_fit(const c_product *p) {
  return C_STACK_ELEMENTS / (p->wide && p->depth > p->reach ? p->depth : p->reach);
}

static const char *element_of_a(const c_product *p) {
  return p->wide ? "real" : c_buffer_type(p->a->buffer);
}

void c_product_declare_rows(c_body *b, const c_product *p, const char *rows, int64_t size) {
  c_writer_line(b->w, "const %s *%s[%lld];", element_of_a(p), rows, (long long)size);
  if (p->wide) c_place_declare_array(b, p->wide, size * p->depth, false);
}

void c_product_emit_rows(c_body *b, const c_product *p, const char *rows, const char *r, const char *first,
                         const char *last, const char *row) {
  long long depth = (long long)p->depth;
  if (p->wide)
    row = arena_printf(b->model->arena, "bf16_row(%lld, %s, %s + (%s - %s) * %lld)", depth, row, p->wide, r, first,
                       depth);
  c_writer_line(b->w, "%s %s[%s - %s] = %s;", c_body_each_of(b, r, first, last), rows, r, first, row);
}

void c_product_declare_row(c_body *b, const c_product *p, const char *x, const char *row, int64_t elements) {
  if (p->wide) {
    c_place_declare_array(b, p->wide, elements, false);
    row = arena_printf(b->model->arena, "bf16_row(%lld, %s, %s)", (long long)elements, row, p->wide);
  }
  c_writer_line(b->w, "const %s *%s = %s;", element_of_a(p), x, row);
}
