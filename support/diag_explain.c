/* Prints the explanations of support/diag.def. */
#include "support/diag_explain.h"

#include "support/diag.h"
#include "support/program.h"
#include "support/text.h"

#include <string.h>

static void print_section(const diag_info *row, FILE *out) {
  static const char *const severities[] = {"error", "warning", "remark", "note"};
  fprintf(out, "## %s\n\n*%s* - %s\n\n%s\n", row->name, severities[row->severity], row->summary, row->explanation);
}

void diag_explain_all(FILE *out) {
  fprintf(
      out,
      "# Messages\n\nEvery message ends with its id in brackets. This page says what each means and how to mend it.\n"
      "`-Wno-ID` silences a warning, `-Werror=ID` makes it an error, `-Werror` does so for all.\n");
  for (size_t i = 0; i < DIAG_count; i++) {
    fprintf(out, "\n");
    print_section(&diag_table[i], out);
  }
}

bool diag_explain(const char *id, FILE *out) {
  const char *names[DIAG_count];
  size_t length = strlen(id);
  bool has_brackets = length > 2 && id[0] == '[' && id[length - 1] == ']';
  for (size_t i = 0; i < DIAG_count; i++) {
    names[i] = diag_table[i].name;
    bool is_same =
        has_brackets ? strlen(names[i]) == length - 2 && !strncmp(names[i], id + 1, length - 2) : !strcmp(names[i], id);
    if (!is_same) continue;
    print_section(&diag_table[i], out);
    return true;
  }
  const char *nearest = diag_nearest(id, names, DIAG_count);
  program_error("--explain=%s: no message has that id%s%s%s", id, nearest ? "; did you mean '" : "",
                nearest ? nearest : "", nearest ? "'?" : "");
  return false;
}

char *diag_explain_ids(void) {
  text ids = {0};
  for (size_t i = 0; i < DIAG_count; i++) text_printf(&ids, "%s%s", i ? " " : "", diag_table[i].name);
  return ids.data;
}
