/* Kernels as C functions: the template of an intra operation writes a body, and function.c puts the
 * function around it.
 *
 *   intra.traverse(...) {domain = "node"}      static void nodes_h1(...) { ... } */
#include "codegen/c/kernel/kernels.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/gemm/gemm.h"
#include "codegen/c/kernel/contract.h"
#include "codegen/c/kernel/copy.h"
#include "codegen/c/kernel/exchange.h"
#include "codegen/c/kernel/function.h"
#include "codegen/c/kernel/groups.h"
#include "codegen/c/kernel/restrict.h"
#include "codegen/c/kernel/sum_by.h"
#include "codegen/c/operation/operation.h"
#include "codegen/c/operation/prefetch.h"

#include <string.h>

/* ---- what a kernel uses ---- */

/* Declares the set of a cursor, because the kernel may read its arrays: ends of edges, row
 * pointers, nodes of one type. Entries of sparse rows have no set. */
static void declare_cursor(c_body *b, MlirValue value) {
  ir_type type = ir_type_of(value);
  if (type.kind == IR_KIND_cursor && strcmp(type.detail, "nonzero") != 0)
    c_parameter_declare_set(b, c_model_set(b->model, type.set));
}

/* Declares the sets from which that of an edge was made: dropout numbers edges as the caller does. */
static void declare_bases(c_body *b, MlirOperation op) {
  MlirValue cursor = ir_operand(op, IR_IN(inter, dropout, cursor));
  if (mlirValueIsNull(cursor) || strcmp(ir_type_of(cursor).detail, "edge") != 0) return;
  int set = c_model_set(b->model, ir_type_of(cursor).set);
  for (int base = set; base >= 0; base = b->model->sets.items[base].base) c_parameter_declare_set(b, base);
}

/* Declares the buffers and sets that an operation may use, and those of the operations in its
 * body. */
static void declare_operands(c_body *b, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    ir_type type = ir_type_of(operand);
    bool is_groups = kind == IR_OP(intra, order) || kind == IR_OP(intra, first) || kind == IR_OP(intra, place_first) ||
                     kind == IR_OP(intra, quantile);
    bool is_copy = kind == IR_OP(intra, store) || kind == IR_OP(intra, copy) || kind == IR_OP(intra, extend_edges) ||
                   kind == IR_OP(intra, opposite_edges);
    bool is_written = is_groups ? i == 2 : is_copy && i == 1;
    if (type.kind == IR_KIND_buffer) c_parameter_declare_buffer(b, operand, is_written);
    if (type.kind == IR_KIND_graph) c_parameter_declare_set(b, c_model_set(b->model, type.set));
    declare_cursor(b, operand);
  }
  if (mlirOperationGetNumResults(op)) declare_cursor(b, ir_result(op));
  if (kind == IR_OP(inter, dropout)) declare_bases(b, op);
  MlirBlock block = ir_region_block(op);
  if (mlirBlockIsNull(block)) return;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) declare_cursor(b, mlirBlockGetArgument(block, i));
  IR_FOR_EACH_OP(inner, block) declare_operands(b, inner);
}

/* The name of a kernel, after the first buffer of its parameters that it writes: "nodes_h1". */
static const char *kernel_name(c_body *b, const char *prefix, c_names *names) {
  const char *stored = "nothing";
  for (size_t i = b->parameters.count; i-- > 0;)
    if (b->parameters.items[i].is_written) stored = b->parameters.items[i].buffer->name;
  return c_names_add(names, arena_printf(b->model->arena, "%s_%s", prefix, stored));
}

/* ---- templates ---- */

static void emit_traverse(c_body *b) {
  MlirBlock block = ir_region_block(b->kernel->op);
  if (b->kernel->rows == C_ROWS_one) {
    c_body_emit_block(b, block);
    return;
  }
  const char *cursor = c_names_add(&b->names, c_rows_describe(b->kernel->rows)->cursor);
  c_body_define(b, mlirBlockGetArgument(block, 0), C_FORM_cursor, cursor)->set = b->kernel->set;
  c_writer_open_loop(b->w, cursor, "begin", "end");
  c_prefetch_emit_kernel(b, block);
  c_body_emit_block(b, block);
  c_writer_close(b->w);
}

/* The set of the kernel's own cursor, which may be the nodes of one type. 0 for a kernel without a
 * cursor: its rows are C_ROWS_one, for which nothing reads the set. */
static int cursor_set(c_body *b) {
  MlirBlock block = ir_region_block(b->kernel->op);
  if (mlirBlockIsNull(block) || !mlirBlockGetNumArguments(block)) return 0;
  return c_model_set(b->model, ir_type_of(mlirBlockGetArgument(block, 0)).set);
}

static void describe_traverse(c_body *b) {
  c_kernel *kernel = b->kernel;
  const char *domain = ir_get_string(kernel->op, "domain", "one");
  c_rows_find(domain, strlen(domain), &kernel->rows);
  kernel->set = cursor_set(b);
  kernel->count = ir_get_integer(kernel->op, "count", 0);
}

/* The rows of a product are those of its cursor, the argument of its body. */
static void describe_gemm(c_body *b) {
  const char *kind = ir_type_of(mlirBlockGetArgument(ir_region_block(b->kernel->op), 0)).detail;
  b->kernel->rows = C_ROWS_node;
  c_rows_find(kind, strlen(kind), &b->kernel->rows);
  b->kernel->set = cursor_set(b);
}

/* Describes the rows of a copy: those that it reads; of an extension, those that it writes. Sparse
 * rows are copied all at once. */
static void describe_copy(c_body *b) {
  intptr_t rows_of = ir_op_kind(b->kernel->op) == IR_OP(intra, extend_edges) ? 1 : 0;
  const c_buffer *buffer = c_model_buffer(b->phase, mlirOperationGetOperand(b->kernel->op, rows_of));
  if (!buffer) return;
  b->kernel->rows = buffer->rows == C_ROWS_nonzero ? C_ROWS_one : buffer->rows;
  b->kernel->set = buffer->set;
  b->kernel->count = buffer->count;
}

typedef struct c_template {
  ir_op op;
  const char *prefix, *comment; /* first words of the function's name and comment; NULL: those of rows.c */
  void (*describe)(c_body *b);  /* sets the kernel's rows, set and count: what it runs over */
  void (*emit)(c_body *b);      /* writes the body of the function */
} c_template;

static const c_template templates[] = {
    {IR_OP(intra, traverse), NULL, NULL, describe_traverse, emit_traverse},
    {IR_OP(intra, gemm), "gemm", "Matrix product", describe_gemm, c_gemm_emit},
    {IR_OP(intra, copy), "copy", "Copy", describe_copy, c_copy_emit},
    {IR_OP(intra, extend_edges), "extend", "Edge values on more edges", describe_copy, c_copy_emit_extend},
    {IR_OP(intra, opposite_edges), "opposite", "Edge values of the opposite edges", describe_copy,
     c_copy_emit_opposite},
    {IR_OP(intra, order), "order", "The order of the members of each group", c_groups_describe, c_groups_emit_order},
    {IR_OP(intra, first), "first", "The first values of each group", c_groups_describe, c_groups_emit_first},
    {IR_OP(intra, place_first), "place", "The first values of each group at its members", c_groups_describe,
     c_groups_emit_place},
    {IR_OP(intra, quantile), "quantile", "A quantile of the values of each group", c_groups_describe,
     c_groups_emit_quantile},
};

/* ---- kernels ---- */

static void keep_used_parameters(const c_body *b) {
  VEC(c_parameter) kept = {0};
  for (size_t i = 0; i < b->parameters.count; i++)
    if (b->parameters.items[i].is_used) VEC_PUSH(b->model->arena, &kept, b->parameters.items[i]);
  b->kernel->parameters = kept.items;
  b->kernel->parameter_count = kept.count;
}

/* Makes one kernel. What its operation may use is declared first, so that the body can name it; the
 * function takes those parameters that the body has used. */
static void make_kernel(c_model *m, const c_phase *phase, c_names *names, const c_template *t, c_kernel *kernel) {
  text body_text = {0}, code = {0};
  c_writer outer = {.out = &code}, inner = {.out = &body_text, .depth = 1};
  c_body body = {.model = m, .phase = phase, .kernel = kernel, .w = &inner, .emit = c_operation_emit};
  body.names.arena = m->arena;
  c_names_add(&body.names, "begin");
  c_names_add(&body.names, "end");
  declare_operands(&body, kernel->op);
  t->describe(&body);
  const c_rows_facts *rows = c_rows_describe(kernel->rows);
  kernel->name = kernel_name(&body, t->prefix ? t->prefix : rows->prefix, names);
  if (phase->row->is_threaded && kernel->rows != C_ROWS_one) {
    kernel->call_type = c_names_add(names, arena_printf(m->arena, "%s_call", kernel->name));
    kernel->call_part = c_names_add(names, arena_printf(m->arena, "%s_part", kernel->name));
  }
  if (!body.failed) t->emit(&body);
  body.w = &outer;
  if (!body.failed) c_function_emit(&body, t->comment ? t->comment : rows->comment, text_str(&body_text));
  kernel->code = arena_strdup(m->arena, text_str(&code));
  keep_used_parameters(&body);
  text_free(&body_text);
  text_free(&code);
}

static const c_template *find_template(ir_op op) {
  for (size_t i = 0; i < sizeof templates / sizeof templates[0]; i++)
    if (templates[i].op == op) return &templates[i];
  return NULL;
}

/* Describes a routine of the prelude: its buffers, then the set whose edges or nodes it reads. */
static c_kernel make_routine(c_model *m, const c_phase *phase, MlirOperation op) {
  bool is_top = ir_op_kind(op) == IR_OP(intra, top_nodes);
  VEC(c_parameter) parameters = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    const c_buffer *buffer = c_model_buffer(phase, mlirOperationGetOperand(op, i));
    if (!buffer) c_model_fail(m, op, DIAG_internal, "a buffer is declared after the kernels");
    c_parameter p = {.buffer = buffer, .set = -1, .is_used = true};
    p.is_written = is_top && i == IR_IN(intra, top_nodes, to);
    if (buffer) VEC_PUSH(m->arena, &parameters, p);
  }
  const char *set =
      is_top ? ir_type_of(mlirOperationGetOperand(op, 0)).set + strlen("node:") : ir_get_string(op, "base", "g");
  c_parameter of = {.set = c_model_set(m, ir_intern(mlirOperationGetContext(op), set)), .is_used = true};
  VEC_PUSH(m->arena, &parameters, of);
  return (c_kernel){.op = op,
                    .name = is_top                            ? "choose_top"
                            : ir_string_is(op, "by", "near")  ? "near_edges"
                            : ir_string_is(op, "by", "power") ? "power_edges"
                                                              : "filter_edges",
                    .rows = C_ROWS_one,
                    .parameters = parameters.items,
                    .parameter_count = parameters.count,
                    .code = "",
                    .is_routine = true};
}

void c_kernels_make(c_model *m, c_names *names, c_kernels *out) {
  if (mlirOperationIsNull(out->phase->function)) return;
  IR_FOR_EACH_OP(op, ir_func_body(out->phase->function)) {
    ir_op kind = ir_op_kind(op);
    const c_template *found = find_template(kind);
    if (found) {
      c_kernel kernel = {.op = op, .rows = C_ROWS_one};
      make_kernel(m, out->phase, names, found, &kernel);
      VEC_PUSH(m->arena, out, kernel);
    } else if (kind == IR_OP(intra, contract)) {
      c_kernel sum = c_contract_make(m, out->phase, op);
      VEC_PUSH(m->arena, out, sum);
    } else if (kind == IR_OP(intra, sum_by)) {
      c_kernel sum = c_sum_by_make(m, out->phase, op);
      VEC_PUSH(m->arena, out, sum);
    } else if (kind == IR_OP(intra, restrict_edges)) {
      c_kernel restriction = c_restrict_make(m, out->phase, op);
      VEC_PUSH(m->arena, out, restriction);
    } else if (kind == IR_OP(intra, exchange) || kind == IR_OP(intra, exchange_edges) || kind == IR_OP(intra, share) ||
               kind == IR_OP(intra, transpose)) {
      c_kernel exchange = c_exchange_make(m, out->phase, op);
      VEC_PUSH(m->arena, out, exchange);
    } else if (kind == IR_OP(intra, make_edges) || kind == IR_OP(intra, top_nodes)) {
      c_kernel routine = make_routine(m, out->phase, op);
      VEC_PUSH(m->arena, out, routine);
    } else if (kind != IR_OP(intra, graph) && kind != IR_OP(intra, buffer) && kind != IR_OP(intra, call) &&
               strcmp(ir_op_name(op), "func.return") != 0) {
      c_model_fail(m, op, DIAG_internal, "the C target has no code for '%s' here", ir_op_name(op));
    }
  }
}

void c_kernels_emit(const c_kernels *kernels, c_writer *w) {
  for (size_t i = 0; i < kernels->count; i++)
    if (!kernels->items[i].is_left_out) text_append(w->out, kernels->items[i].code);
}
