/* Writes lines of C with indentation: see writer.h. */
#include "codegen/c/text/writer.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

static void write_indentation(c_writer *w) {
  for (unsigned i = 0; i < w->depth; i++) text_append(w->out, "  ");
}

void c_writer_line(c_writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_indentation(w);
  text_vprintf(w->out, format, args);
  text_append(w->out, "\n");
  va_end(args);
}

void c_writer_open(c_writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_indentation(w);
  text_vprintf(w->out, format, args);
  text_append(w->out, " {\n");
  va_end(args);
  if (w->depth < C_WRITER_DEPTH) w->opened[w->depth] = strncmp(format, "for", 3) ? 0 : w->out->size;
  w->depth++;
}

void c_writer_open_loop(c_writer *w, const char *variable, const char *begin, const char *end) {
  c_writer_open(w, "for (int64_t %s = %s; %s < %s; %s++)", variable, begin, variable, end, variable);
}

void c_writer_open_count(c_writer *w, const char *variable, int64_t count) {
  c_writer_open(w, "for (int64_t %s = 0; %s < %lld; %s++)", variable, variable, (long long)count, variable);
}

/* Whether a line may stand without braces: it is one statement and no declaration. */
static bool is_lone_statement(const char *line) {
  static const char *const declarations[] = {"const ", "real ", "int64_t ", "float ", "size_t "};
  for (size_t i = 0; i < sizeof declarations / sizeof declarations[0]; i++)
    if (!strncmp(line, declarations[i], strlen(declarations[i]))) return false;
  const char *end = strchr(line, '\n');
  return end && !end[1] && end > line && end[-1] == ';';
}

void c_writer_close(c_writer *w) {
  w->depth--;
  size_t opened = w->depth < C_WRITER_DEPTH ? w->opened[w->depth] : 0;
  size_t first = opened + 2 * (w->depth + 1); /* where the first line begins, behind its indentation */
  const char *inside = opened && first < w->out->size ? w->out->data + first : "";
  if (!opened || !is_lone_statement(inside)) {
    c_writer_line(w, "}");
    return;
  }
  memmove(w->out->data + opened - 3, w->out->data + opened - 1, w->out->size - opened + 2); /* removes " {" */
  w->out->size -= 2;
}

void c_writer_raw(c_writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(w->out, format, args);
  text_append(w->out, "\n");
  va_end(args);
}
