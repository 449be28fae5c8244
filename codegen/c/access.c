/* Buffers and cursors in bodies: parameters of a kernel, rows, loads and stores. */
#include "codegen/c/body.h"

#include <string.h>

/* ---- parameters ---- */

void c_access_declare_buffer(c_body *b, MlirValue value, bool is_written) {
  const c_buffer *buffer = c_model_buffer(b->phase, value);
  if (!buffer) {
    c_body_fail(b, b->kernel, DIAG_internal, "a buffer is declared after the kernels");
    return;
  }
  for (size_t i = 0; i < b->parameters.count; i++) {
    if (b->parameters.items[i].buffer != buffer) continue;
    b->parameters.items[i].is_written |= is_written;
    return;
  }
  c_parameter p = {.buffer = buffer, .set = -1, .name = c_names_add(&b->names, buffer->name), .is_written = is_written};
  VEC_PUSH(b->model->arena, &b->parameters, p);
  if (buffer->rows == C_ROWS_edge) c_access_declare_set(b, buffer->set);
}

void c_access_declare_set(c_body *b, int set) {
  for (size_t i = 0; i < b->parameters.count; i++)
    if (b->parameters.items[i].set == set) return;
  c_parameter p = {.set = set, .name = c_names_add(&b->names, b->model->sets.items[set].id)};
  VEC_PUSH(b->model->arena, &b->parameters, p);
}

void c_access_declare_packed(c_body *b, const c_packed *packed, const char *name) {
  c_parameter p = {.packed = packed, .set = -1, .name = c_names_add(&b->names, name)};
  VEC_PUSH(b->model->arena, &b->parameters, p);
}

c_parameter *c_access_buffer(c_body *b, MlirValue value) {
  const c_buffer *buffer = c_model_buffer(b->phase, value);
  for (size_t i = 0; i < b->parameters.count; i++) {
    c_parameter *p = &b->parameters.items[i];
    if (!buffer || p->buffer != buffer) continue;
    p->is_used = true;
    return p;
  }
  c_body_fail(b, b->kernel, DIAG_internal, "a buffer of this kernel was not declared");
  return &b->parameters.items[0];
}

const char *c_access_set(c_body *b, int set) {
  for (size_t i = 0; i < b->parameters.count; i++) {
    c_parameter *p = &b->parameters.items[i];
    if (p->buffer || p->packed || (set >= 0 && p->set != set)) continue;
    p->is_used = true;
    return p->name;
  }
  c_body_fail(b, b->kernel, DIAG_internal, "an edge set of this kernel was not declared");
  return "unknown";
}

const char *c_access_packed(c_body *b, const c_packed *packed) {
  for (size_t i = 0; i < b->parameters.count; i++) {
    if (b->parameters.items[i].packed != packed) continue;
    b->parameters.items[i].is_used = true;
    return b->parameters.items[i].name;
  }
  return "unknown";
}

bool c_access_is_shared(c_body *b, const c_buffer *buffer) {
  bool is_written = false, is_other_written = false, shares = false;
  for (size_t i = 0; i < b->parameters.count; i++) {
    const c_parameter *p = &b->parameters.items[i];
    if (p->buffer == buffer) is_written = p->is_written;
    if (!p->buffer || !c_buffer_shares(p->buffer, buffer)) continue;
    shares = true;
    is_other_written |= p->is_written;
  }
  return shares && (is_written || is_other_written);
}

/* ---- rows ---- */

/* The number of a buffer's row at a cursor. */
static const char *row_number(c_body *b, const c_buffer *buffer, MlirValue cursor) {
  arena *a = b->model->arena;
  if (buffer->rows == C_ROWS_one || ir_value_is_null(cursor)) return NULL;
  c_value *at = c_body_find(b, cursor);
  switch (buffer->rows) {
  case C_ROWS_etype:
  case C_ROWS_ntype:
  case C_ROWS_etype_src:
  case C_ROWS_etype_dst:
  case C_ROWS_graph: return c_typed_row(b, buffer->rows, cursor);
  case C_ROWS_edge:
    if (c_buffer_is_user(buffer) && b->model->sets.items[buffer->set].has_csc)
      return arena_printf(a, "%s->number[%s]", c_access_set(b, buffer->set), at->text);
    return at->text;
  default: return at->text;
  }
}

const char *c_access_row(c_body *b, const c_parameter *p, MlirValue cursor) {
  arena *a = b->model->arena;
  const char *number = row_number(b, p->buffer, cursor);
  if (!p->buffer->type.rank) return arena_printf(a, "%s[%s]", p->name, number ? number : "0");
  if (!number) return p->name;
  const char *cast = strchr(number, '>') ? "(int64_t)" : "";
  if (p->buffer->elements == 1) return arena_printf(a, "%s + %s", p->name, number);
  return arena_printf(a, "%s + %s%s * %lld", p->name, cast, number, (long long)p->buffer->elements);
}

/* ---- cursors ---- */

void c_access_end(c_body *b, MlirOperation op) {
  bool is_src = ir_op_kind(op) == IR_OP(inter, src);
  c_value *edge = c_body_find(b, ir_operand(op, 0));
  const char **known = is_src ? &edge->src : &edge->dst, *node = *known;
  if (!node) {
    node = c_names_add(&b->names, is_src ? "s" : "d");
    c_writer_line(b->w, "const int64_t %s = %s->%s[%s];", node, c_access_set(b, edge->set), is_src ? "src" : "dst",
                  edge->text);
    if (edge->depth == b->w->depth) *known = node; /* else it is gone where this block ends */
  }
  c_body_define(b, ir_result(op), C_FORM_cursor, node)->set = c_model_set(b->model, ir_type_of(ir_result(op)).set);
}

void c_access_degree(c_body *b, MlirOperation op) {
  int set = c_model_set(b->model, ir_type_of(ir_operand(op, IR_IN(inter, degree, graph))).set);
  const char *node = c_body_find(b, ir_operand(op, IR_IN(inter, degree, node)))->text;
  const char *pointers = strcmp(ir_get_string(op, "direction", "in"), "in") ? "out_ptr" : "in_ptr";
  const char *graph = c_access_set(b, set);
  const char *name = c_body_name(b, ir_result(op), "degree");
  c_writer_line(b->w, "const real %s = (real)(%s->%s[%s + 1] - %s->%s[%s]);", name, graph, pointers, node, graph,
                pointers, node);
  c_body_define(b, ir_result(op), C_FORM_scalar, name);
}

/* ---- loads and stores ---- */

void c_access_define_scalar(c_body *b, MlirOperation op, const char *expression, bool keep_place) {
  MlirValue value = ir_result(op);
  bool one_use = ir_value_has_one_use(value) &&
                 mlirBlockEqual(mlirOperationGetBlock(mlirOpOperandGetOwner(mlirValueGetFirstUse(value))),
                                mlirOperationGetBlock(op));
  if (!one_use || keep_place) {
    const char *name = c_body_name(b, value, "t");
    c_writer_line(b->w, "const real %s = %s;", name, expression);
    expression = name;
  }
  c_body_define(b, value, C_FORM_scalar, expression);
}

void c_access_load(c_body *b, MlirOperation op) {
  c_parameter *p = c_access_buffer(b, ir_operand(op, IR_IN(intra, load, buffer)));
  MlirValue cursor = ir_operand(op, IR_IN(intra, load, cursor)), value = ir_result(op);
  arena *a = b->model->arena;
  bool shared = p->is_written || c_access_is_shared(b, p->buffer);
  if (p->buffer->rows == C_ROWS_nonzero) {
    c_access_define_scalar(
        b, op, arena_printf(a, "%s%s->data[%s]", c_body_widen(b, true), p->name, c_body_find(b, cursor)->text), false);
    return;
  }
  const char *row = c_access_row(b, p, cursor);
  if (!p->buffer->type.rank) {
    c_access_define_scalar(b, op, arena_printf(a, "%s%s", c_body_widen(b, c_buffer_is_user(p->buffer)), row), shared);
    return;
  }
  if (p->buffer->rows == C_ROWS_one && !shared) {
    c_body_define(b, value, C_FORM_memory, p->name)->is_float = c_buffer_is_user(p->buffer);
    return;
  }
  const char *name = c_body_name(b, value, arena_printf(a, "%s_row", p->buffer->name));
  c_writer_line(b->w, "const %s *%s = %s;", c_buffer_type(p->buffer), name, row);
  c_body_define(b, value, C_FORM_memory, name)->is_float = c_buffer_is_user(p->buffer);
  if (!shared) return;
  c_target copy = {.base = c_names_add(&b->names, arena_printf(a, "%s_kept", p->buffer->name))};
  c_body_declare_array(b, copy.base, p->buffer->elements, false); /* the row is written below */
  c_nest_store(b, value, copy);
  c_body_define(b, value, C_FORM_memory, copy.base);
}

void c_access_load_row(c_body *b, MlirOperation op) {
  c_parameter *p = c_access_buffer(b, ir_operand(op, IR_IN(intra, load_row, buffer)));
  const c_value *entry = c_body_find(b, ir_operand(op, IR_IN(intra, load_row, cursor)));
  ir_type row = ir_type_of(ir_result(op));
  arena *a = b->model->arena;
  if (!row.rank) {
    const char *widen = c_body_widen(b, c_buffer_is_user(p->buffer));
    c_access_define_scalar(b, op, arena_printf(a, "%s%s[%s]", widen, p->name, entry->src), false);
    return;
  }
  const char *name = c_body_name(b, ir_result(op), arena_printf(a, "%s_row", p->buffer->name));
  c_writer_line(b->w, "const %s *%s = %s + (int64_t)%s * %lld;", c_buffer_type(p->buffer), name, p->name, entry->src,
                (long long)ir_type_elements(row));
  c_body_define(b, ir_result(op), C_FORM_memory, name)->is_float = c_buffer_is_user(p->buffer);
}

void c_access_dense_row(c_body *b, MlirOperation op) {
  c_parameter *p = c_access_buffer(b, ir_operand(op, IR_IN(intra, dense_row, buffer)));
  const char *node = c_body_find(b, ir_operand(op, IR_IN(intra, dense_row, node)))->text;
  c_target row = c_body_place(b, ir_result(op), "dense", C_USE_summed);
  size_t mark = b->names.count;
  const char *k = c_names_add(&b->names, "entry");
  c_writer_open(b->w, "for (int64_t %s = %s->indptr[%s]; %s < %s->indptr[%s + 1]; %s++)", k, p->name, node, k, p->name,
                node, k);
  c_writer_line(b->w, "%s[%s->indices[%s]] += %s->data[%s];", row.base, p->name, k, p->name, k);
  c_writer_close(b->w);
  c_names_leave(&b->names, mark);
  c_body_define_target(b, ir_result(op), row);
}

void c_access_store(c_body *b, MlirOperation op) {
  MlirValue value = ir_operand(op, IR_IN(intra, store, value));
  c_parameter *p = c_access_buffer(b, ir_operand(op, IR_IN(intra, store, buffer)));
  if (c_body_find(b, value)->home == p->buffer) return;
  const char *row = c_access_row(b, p, ir_operand(op, IR_IN(intra, store, cursor)));
  c_target target = {.base = row, .is_float = c_buffer_is_user(p->buffer)};
  if (p->buffer->type.rank && strcmp(row, p->name) != 0) {
    target.base = c_names_add(&b->names, arena_printf(b->model->arena, "%s_row", p->buffer->name));
    c_writer_line(b->w, "%s *%s = %s;", c_buffer_type(p->buffer), target.base, row);
  }
  c_nest_store(b, value, target);
}
