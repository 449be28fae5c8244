/* docs/errors.md: one section per row of support/diag.def. */
#include "tools/gnnc/gnnc_options.h"

void gnnc_print_errors(FILE *out) {
  static const char *const severities[] = {"error", "warning", "remark", "note"};
  fprintf(
      out,
      "# Messages\n\nEvery message ends with its id in brackets. This page says what each means and how to mend it.\n"
      "`-Wno-ID` silences a warning, `-Werror=ID` makes it an error, `-Werror` does so for all.\n");
  for (size_t i = 0; i < DIAG_count; i++) {
    const diag_info *row = &diag_table[i];
    fprintf(out, "\n## %s\n\n*%s* - %s\n\n%s\n", row->name, severities[row->severity], row->summary, row->explanation);
  }
}
