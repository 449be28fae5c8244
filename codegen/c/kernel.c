/* Kernels as C functions: see kernel.h.
 *
 *   static void nodes_h1(int64_t begin, int64_t end, const edge_set *restrict g, const real *restrict z1, real *restrict h1) {
 *     for (int64_t n = begin; n < end; n++) { ... }
 *   } */
#include "codegen/c/kernel.h"

#include "codegen/c/layout.h"
#include "codegen/c/quote.h"

#include <string.h>

/* ---- what a kernel touches ---- */

/* Cursors read arrays of the set they run over: of edges, of nodes of one type, or those that all sets share. */
static void declare_cursor(c_body *b, MlirValue value) {
  ir_type type = ir_type_of(value);
  if (type.kind == IR_KIND_cursor && strcmp(type.detail, "nonzero") != 0)
    c_access_declare_set(b, c_model_set(b->model, type.set));
}

static void declare_operands(c_body *b, MlirOperation op) {
  ir_op kind = ir_op_kind(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    ir_type type = ir_type_of(operand);
    bool is_written = (kind == IR_OP(intra, store) && i == 1) ||
                      ((kind == IR_OP(intra, copy) || kind == IR_OP(intra, extend_edges)) && i == 1);
    if (type.kind == IR_KIND_buffer) c_access_declare_buffer(b, operand, is_written);
    if (type.kind == IR_KIND_graph) c_access_declare_set(b, c_model_set(b->model, type.set));
    declare_cursor(b, operand);
  }
  if (mlirOperationGetNumResults(op)) declare_cursor(b, ir_result(op));
  MlirBlock block = ir_region_block(op);
  if (mlirBlockIsNull(block)) return;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) declare_cursor(b, mlirBlockGetArgument(block, i));
  for (MlirOperation inner = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(inner);
       inner = mlirOperationGetNextInBlock(inner))
    declare_operands(b, inner);
}

/* The name a kernel gets: what it stores first, "nodes_h1". */
static const char *kernel_name(c_body *b, const char *prefix, c_names *names) {
  const char *stored = "nothing";
  for (size_t i = b->parameters.count; i-- > 0;)
    if (b->parameters.items[i].is_written) stored = b->parameters.items[i].buffer->name;
  return c_names_add(names, arena_printf(b->model->arena, "%s_%s", prefix, stored));
}

/* ---- comments and signatures ---- */

static const char *find_source_line(const c_model *m, const char *file, unsigned line, int *length) {
  for (size_t i = 0; i < m->options->source_count; i++) {
    const source *s = m->options->sources[i];
    const char *slash = strrchr(s->name, '/');
    if (strcmp(slash ? slash + 1 : s->name, file) != 0 && strcmp(s->name, file) != 0) continue;
    const char *at = s->text, *end = s->text + s->size;
    for (unsigned n = 1; n < line && at; n++) {
      at = memchr(at, '\n', (size_t)(end - at));
      if (at) at++;
    }
    if (!at) return NULL;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    *length = 0;
    while (at + *length < end && at[*length] != '\n' && *length < 90) (*length)++;
    return at;
  }
  return NULL;
}

static void emit_comment(c_body *b, const char *what) {
  const char *file = NULL;
  unsigned line = 0, column = 0;
  text comment = {0};
  text_printf(&comment, "/* %s", what);
  for (size_t i = 0, written = 0; i < b->parameters.count; i++) {
    const c_parameter *p = &b->parameters.items[i];
    if (!p->is_written) continue;
    text_printf(&comment, written++ ? ", %s " : ": %s ", p->name);
    ir_type_print(&comment, p->buffer->type);
  }
  if (ir_location_position(mlirOperationGetLocation(b->kernel), &file, &line, &column) && file && line) {
    const char *slash = strrchr(file, '/');
    file = slash ? slash + 1 : file;
    int length = 0;
    const char *quoted = find_source_line(b->model, file, line, &length);
    arena *a = b->model->arena;
    text_printf(&comment, "\n * %s:%u", c_quote_comment(a, file), line);
    if (quoted) text_printf(&comment, ": %s", c_quote_comment(a, arena_strndup(a, quoted, (size_t)length)));
  }
  c_writer_raw(b->w, "%s */", text_str(&comment));
  text_free(&comment);
}

static const char *parameter_text(const c_body *b, const c_parameter *p) {
  arena *a = b->model->arena;
  if (p->packed) return arena_printf(a, "const real *restrict %s", p->name);
  if (!p->buffer) return arena_printf(a, "const edge_set *restrict %s", p->name);
  if (p->buffer->rows == C_ROWS_nonzero) return arena_printf(a, "const gnnc_csr *restrict %s", p->name);
  bool shared = false;
  for (size_t i = 0; i < b->parameters.count; i++) {
    const c_parameter *other = &b->parameters.items[i];
    shared |= other->buffer && c_buffer_shares(other->buffer, p->buffer) && (other->is_written || p->is_written);
  }
  return arena_printf(a, "%s%s *%s%s", p->is_written ? "" : "const ", c_buffer_type(p->buffer),
                      shared ? "" : "restrict ", p->name);
}

static void emit_function(c_body *b, c_kernel *kernel, const char *what, const text *body) {
  emit_comment(b, what);
  text signature = {0};
  size_t line = strlen(kernel->name) + 13;
  if (kernel->rows != C_ROWS_one) text_append(&signature, "int64_t begin, int64_t end");
  for (size_t i = 0; i < b->parameters.count; i++) {
    if (!b->parameters.items[i].is_used) continue;
    const char *parameter = parameter_text(b, &b->parameters.items[i]);
    line += strlen(parameter) + 2;
    bool wraps = line + (kernel->rows == C_ROWS_one ? 4 : 28) > 120;
    if (signature.size)
      text_printf(&signature, "%s%*s", wraps ? ",\n" : ", ", wraps ? (int)strlen(kernel->name) + 13 : 0, "");
    if (wraps) line = strlen(kernel->name) + 13 + strlen(parameter) + 2;
    text_append(&signature, parameter);
  }
  c_writer_raw(b->w, "static void %s(%s) {", kernel->name, signature.size ? text_str(&signature) : "void");
  text_append(b->w->out, text_str(body));
  c_writer_raw(b->w, "}\n");
  text_free(&signature);
}

/* ---- traversals ---- */

static void emit_traverse(c_body *b, c_kernel *kernel) {
  MlirBlock block = ir_region_block(kernel->op);
  if (kernel->rows == C_ROWS_one) {
    c_body_emit_block(b, block);
    return;
  }
  const char *cursor = c_names_add(&b->names, kernel->rows == C_ROWS_node   ? "n"
                                              : kernel->rows == C_ROWS_edge ? "p"
                                                                            : "t");
  c_body_define(b, mlirBlockGetArgument(block, 0), C_FORM_cursor, cursor)->set = kernel->set;
  c_writer_open(b->w, "for (int64_t %s = begin; %s < end; %s++)", cursor, cursor, cursor);
  c_prefetch_emit_kernel(b, block);
  c_body_emit_block(b, block);
  c_writer_close(b->w);
}

typedef struct c_template {
  ir_op op;
  const char *prefix, *what;
  void (*emit)(c_body *b, c_kernel *kernel);
} c_template;

static const c_template templates[] = {
    {IR_OP(intra, traverse), NULL, NULL, emit_traverse},
    {IR_OP(intra, gemm), "gemm", "Matrix product", c_gemm_emit},
    {IR_OP(intra, copy), "copy", "Copy", c_copy_emit},
    {IR_OP(intra, extend_edges), "extend", "Edge values on more edges", c_copy_emit_extend},
};

/* Domains of traversals. */
static const struct {
  const char *domain;
  c_rows rows;
  const char *prefix, *what;
} domains[] = {
    {"one", C_ROWS_one, "once", "Once"},
    {"node", C_ROWS_node, "nodes", "For each node"},
    {"edge", C_ROWS_edge, "edges", "For each edge"},
    {"etype", C_ROWS_etype, "etypes", "For each edge type"},
    {"ntype", C_ROWS_ntype, "ntypes", "For each node type"},
    {"graph", C_ROWS_graph, "graphs", "For each graph"},
    {"etype_src", C_ROWS_etype_src, "kinds", "For each pair of edge type and type of the source"},
    {"etype_dst", C_ROWS_etype_dst, "kinds", "For each pair of edge type and type of the destination"},
};

/* The set of the kernel's own cursor, which may be that of nodes of one type; else of its graph. */
static int cursor_set(c_body *b, MlirOperation op) {
  MlirBlock block = ir_region_block(op);
  if (mlirBlockIsNull(block) || !mlirBlockGetNumArguments(block)) return 0;
  return c_model_set(b->model, ir_type_of(mlirBlockGetArgument(block, 0)).set);
}

static void describe_traverse(c_body *b, c_kernel *kernel, const char **prefix, const char **what) {
  const char *domain = ir_get_string(kernel->op, "domain", "one");
  for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++) {
    if (strcmp(domain, domains[i].domain) != 0) continue;
    kernel->rows = domains[i].rows;
    *prefix = domains[i].prefix;
    *what = domains[i].what;
  }
  kernel->set = cursor_set(b, kernel->op);
  kernel->count = ir_get_integer(kernel->op, "count", 0);
}

/* Rows and set a kernel runs over, and what it is called. */
static void describe(c_body *b, c_kernel *kernel, const char **prefix, const char **what) {
  if (ir_op_kind(kernel->op) == IR_OP(intra, traverse)) {
    describe_traverse(b, kernel, prefix, what);
    return;
  }
  if (ir_op_kind(kernel->op) == IR_OP(intra, gemm)) {
    MlirValue cursor = mlirBlockGetArgument(ir_region_block(kernel->op), 0);
    const char *kind = ir_type_of(cursor).detail;
    kernel->rows = !strcmp(kind, "edge") ? C_ROWS_edge : !strcmp(kind, "graph") ? C_ROWS_graph : C_ROWS_node;
    kernel->set = cursor_set(b, kernel->op);
    return;
  }
  intptr_t rows_of = ir_op_kind(kernel->op) == IR_OP(intra, extend_edges) ? 1 : 0;
  const c_buffer *buffer = c_model_buffer(b->phase, mlirOperationGetOperand(kernel->op, rows_of));
  if (!buffer) return;
  kernel->rows = buffer->rows == C_ROWS_nonzero ? C_ROWS_one : buffer->rows;
  kernel->set = buffer->set;
  kernel->count = buffer->count;
}

const char *c_kernel_rows(const c_model *m, const c_kernel *kernel) {
  return c_rows_text(m, kernel->rows, kernel->set, kernel->count);
}

static void make_kernel(c_model *m, const c_phase *phase, c_names *names, const c_template *t, c_kernel *kernel) {
  text body_text = {0}, code = {0};
  c_writer outer = {.out = &code};
  c_writer inner = {.out = &body_text, .depth = 1};
  c_body body = {.model = m, .phase = phase, .w = &inner, .names = {.arena = m->arena}, .kernel = kernel->op};
  c_names_add(&body.names, "begin");
  c_names_add(&body.names, "end");
  const char *prefix = t->prefix, *what = t->what;
  declare_operands(&body, kernel->op);
  describe(&body, kernel, &prefix, &what);
  kernel->name = kernel_name(&body, prefix, names);
  if (!body.failed) t->emit(&body, kernel);
  body.w = &outer;
  if (!body.failed) emit_function(&body, kernel, what, &body_text);
  kernel->code = arena_strdup(m->arena, text_str(&code));
  VEC(c_parameter) kept = {0};
  for (size_t i = 0; i < body.parameters.count; i++)
    if (body.parameters.items[i].is_used) VEC_PUSH(m->arena, &kept, body.parameters.items[i]);
  kernel->parameters = kept.items;
  kernel->parameter_count = kept.count;
  text_free(&body_text);
  text_free(&code);
}

void c_kernel_emit_all(const c_kernels *kernels, c_writer *w) {
  for (size_t i = 0; i < kernels->count; i++)
    if (!kernels->items[i].is_left_out) text_append(w->out, kernels->items[i].code);
}

void c_kernel_make_all(c_model *m, const c_phase *phase, c_names *names, c_kernels *out) {
  if (mlirOperationIsNull(phase->function)) return;
  for (MlirOperation op = mlirBlockGetFirstOperation(ir_func_body(phase->function)); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    ir_op kind = ir_op_kind(op);
    const c_template *found = NULL;
    for (size_t i = 0; i < sizeof templates / sizeof templates[0]; i++)
      if (templates[i].op == kind) found = &templates[i];
    if (found) {
      c_kernel kernel = {.op = op, .rows = C_ROWS_one};
      make_kernel(m, phase, names, found, &kernel);
      VEC_PUSH(m->arena, out, kernel);
    } else if (kind != IR_OP(intra, graph) && kind != IR_OP(intra, buffer) && kind != IR_OP(intra, call) &&
               strcmp(ir_op_name(op), "func.return") != 0) {
      c_model_fail(m, op, DIAG_internal, "the C target has no code for '%s' here", ir_op_name(op));
    }
  }
}
