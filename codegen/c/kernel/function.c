/* The C function of a kernel: see function.h.
 *
 *   static void nodes_h1(int64_t begin, int64_t end, const edge_set *restrict g, const real *restrict z1, real *restrict h1) {
 *     ...
 *   } */
#include "codegen/c/kernel/function.h"

#include "codegen/c/body/parameter.h"
#include "codegen/c/model/source_line.h"
#include "codegen/c/text/quote.h"

#include <string.h>

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
  if (ir_location_position(mlirOperationGetLocation(b->kernel->op), &file, &line, &column) && file && line) {
    int length = 0;
    const char *quoted = c_source_line_find(b->model, file, line, &length);
    file = ir_location_shown_file(file);
    arena *a = b->model->arena;
    text_printf(&comment, "\n * %s:%u", c_quote_comment(a, file), line);
    if (quoted) text_printf(&comment, ": %s", c_quote_comment(a, arena_strndup(a, quoted, (size_t)length)));
  }
  c_writer_raw(b->w, "%s */", text_str(&comment));
  text_free(&comment);
}

/* "const real ": the type of the elements of a parameter, const where they are only read. */
static const char *pointee_text(c_body *b, const c_parameter *p) {
  if (p->packed) return "const real ";
  if (p->is_step) return "const random_step ";
  if (!p->buffer) return "const edge_set ";
  if (p->buffer->rows == C_ROWS_nonzero) return "const gnnc_csr ";
  return arena_printf(b->model->arena, "%s%s ", p->is_written ? "" : "const ", c_buffer_type(p->buffer));
}

static const char *parameter_text(c_body *b, const c_parameter *p) {
  bool is_shared = p->buffer && p->buffer->rows != C_ROWS_nonzero && c_parameter_is_shared(b, p->buffer);
  return arena_printf(b->model->arena, "%s*%s%s", pointee_text(b, p), is_shared ? "" : "restrict ", p->name);
}

/* Writes the struct of the arguments, and the function that threads call for a part of the rows. */
static void emit_part(c_body *b) {
  const c_kernel *kernel = b->kernel;
  text arguments = {0};
  c_writer_raw(b->w, "typedef struct %s {", kernel->call_type);
  c_writer_raw(b->w, "  row_parts row_parts;");
  for (size_t i = 0; i < b->parameters.count; i++) {
    const c_parameter *p = &b->parameters.items[i];
    if (!p->is_used) continue;
    c_writer_raw(b->w, "  %s*%s;", pointee_text(b, p), p->name);
    text_printf(&arguments, ", c->%s", p->name);
  }
  c_writer_raw(b->w, "} %s;\n", kernel->call_type);
  c_writer_raw(b->w, "static void %s(void *data, int64_t part) {", kernel->call_part);
  c_writer_raw(b->w, "  const %s *c = (const %s *)data;", kernel->call_type, kernel->call_type);
  c_writer_raw(b->w, "  %s(first_row(&c->row_parts, part), first_row(&c->row_parts, part + 1)%s);", kernel->name,
               text_str(&arguments));
  c_writer_raw(b->w, "}\n");
  text_free(&arguments);
}

void c_function_emit(c_body *b, const char *what, const char *body) {
  const c_kernel *kernel = b->kernel;
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
  text_append(b->w->out, body);
  c_writer_raw(b->w, "}\n");
  text_free(&signature);
  if (kernel->call_part) emit_part(b);
}
