/* Prints build/docs/errors.md, with one section per row of support/diag.def; --explain prints one
 * section. */
#include "tools/gnnc/gnnc_options.h"

#include "support/program.h"

#include <string.h>

static void print_section(const diag_info *row, FILE *out) {
  static const char *const severities[] = {"error", "warning", "remark", "note"};
  fprintf(out, "## %s\n\n*%s* - %s\n\n%s\n", row->name, severities[row->severity], row->summary, row->explanation);
}

void gnnc_print_errors(FILE *out) {
  fprintf(
      out,
      "# Messages\n\nEvery message ends with its id in brackets. This page says what each means and how to mend it.\n"
      "`-Wno-ID` silences a warning, `-Werror=ID` makes it an error, `-Werror` does so for all.\n");
  for (size_t i = 0; i < DIAG_count; i++) {
    fprintf(out, "\n");
    print_section(&diag_table[i], out);
  }
}

bool gnnc_explain(const char *id, FILE *out) {
  const char *names[DIAG_count];
  for (size_t i = 0; i < DIAG_count; i++) {
    names[i] = diag_table[i].name;
    if (strcmp(id, names[i]) != 0) continue;
    print_section(&diag_table[i], out);
    return true;
  }
  const char *nearest = diag_nearest(id, names, DIAG_count);
  program_error("--explain=%s: no message has that id%s%s%s", id, nearest ? "; did you mean '" : "",
                nearest ? nearest : "", nearest ? "'?" : "");
  return false;
}
