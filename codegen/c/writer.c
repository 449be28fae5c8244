/* Lines of C with indentation: see writer.h. */
#include "codegen/c/writer.h"

#include <stdarg.h>

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
  w->depth++;
}

void c_writer_close(c_writer *w) {
  w->depth--;
  c_writer_line(w, "}");
}

void c_writer_raw(c_writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_vprintf(w->out, format, args);
  text_append(w->out, "\n");
  va_end(args);
}

void c_writer_pragma(c_writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_append(w->out, "#ifdef _OPENMP\n#pragma omp ");
  text_vprintf(w->out, format, args);
  text_append(w->out, "\n#endif\n");
  va_end(args);
}
