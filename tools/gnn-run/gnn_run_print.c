/* Prints lines of the summary that contain names from files. */
#include "tools/gnn-run/gnn_run.h"

#include "support/text.h"

#include <stdarg.h>

void run_print_lines(FILE *to, const char *lines) {
  text t = {0};
  text_append_printable_lines(&t, lines);
  fputs(text_str(&t), to);
  text_free(&t);
}

void run_print(FILE *to, const char *format, ...) {
  text t = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&t, format, args);
  va_end(args);
  run_print_lines(to, text_str(&t));
  text_free(&t);
}
