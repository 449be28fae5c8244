/* Dumps the module between passes, with the headers of MLIR.
 *
 *   // -----// IR Dump After GnnOrder (gnn-order{max-iterations=3}) //----- //     --print-ir-after=gnn-order, on a stream
 *   ir/00_input.mlir  ir/03_gnn-cse.mlir      --print-ir-tree=ir, a file per pass that changed something; the header is
 *                                             its first line */
#include "passes/manager/pass_dump.h"

#include "support/file.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

/* Appends the name of a pass as that of a class, "GnnOrder" for "gnn-order"; those of MLIR that
 * follow another rule are in a list. */
static void print_class(text *out, const char *name) {
  static const char *const others[][2] = {{"canonicalize", "Canonicalizer"},
                                          {"cse", "CSE"},
                                          {"inline", "Inliner"},
                                          {"sccp", "SCCP"},
                                          {"symbol-dce", "SymbolDCE"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (!strcmp(name, others[i][0])) {
      text_append(out, others[i][1]);
      return;
    }
  for (bool is_first = true; *name; is_first = *name == '-', name++)
    if (*name != '-') text_printf(out, "%c", is_first ? toupper((unsigned char)*name) : *name);
}

static void print_header(text *out, const char *when, const pass_step *step) {
  text_printf(out, "// -----// IR Dump %s ", when);
  print_class(out, step->name);
  text_printf(out, " (%s", step->name);
  if (*step->options) text_printf(out, "{%s}", step->options);
  text_append(out, ") //----- //\n");
}

static void print_dump(MlirOperation module, const char *when, const pass_step *step, const pass_run *run) {
  text t = {0};
  print_header(&t, when, step);
  ir_print(module, run->print_locations, &t);
  fprintf(run->dumps ? run->dumps : stderr, "%s\n", text_str(&t));
  text_free(&t);
}

/* Writes the module after a pass, or before all passes where `step` is NULL. */
static void write_file(pass_dump *d, const char *content, size_t number, const pass_step *step, const pass_run *run) {
  if (d->is_tree_broken) return;
  text path = {0}, whole = {0};
  text_printf(&path, "%s/%02zu_%s.mlir", run->tree, number, step ? step->name : "input");
  if (step) print_header(&whole, "After", step);
  if (run->made_by) text_printf(&whole, "// Made by %s.\n", run->made_by);
  text_append(&whole, content);
  status s = file_write(text_str(&path), text_str(&whole), whole.size);
  text_free(&whole);
  if (s) {
    diag_report(run->diag, (span){NULL, 0, 0}, DIAG_unknown_option, "--print-ir-tree: %s", status_message(s));
    d->is_tree_broken = true;
  }
  status_free(s);
  text_free(&path);
}

static bool wants_changes(const pass_run *run) {
  return run->tree || run->print_after_change;
}

void pass_dump_begin(pass_dump *d, MlirOperation module, const pass_run *run) {
  if (!wants_changes(run)) return;
  ir_print(module, run->print_locations, &d->last);
  if (!run->tree) return;
  mkdir(run->tree, 0777); /* an existing folder is fine; other errors show when the file is written */
  write_file(d, text_str(&d->last), 0, NULL, run);
}

void pass_dump_before(MlirOperation module, const pass_step *step, const pass_run *run) {
  if (pass_names_have(run->print_before, step->name)) print_dump(module, "Before", step, run);
}

void pass_dump_after(pass_dump *d, MlirOperation module, const pass_step *step, size_t number, const pass_run *run) {
  bool is_asked = pass_names_have(run->print_after, step->name);
  if (is_asked) print_dump(module, "After", step, run);
  if (!wants_changes(run)) return;
  text now = {0};
  ir_print(module, run->print_locations, &now);
  if (strcmp(text_str(&now), text_str(&d->last)) != 0) {
    if (run->tree) write_file(d, text_str(&now), number, step, run);
    if (run->print_after_change && !is_asked) print_dump(module, "After", step, run);
  }
  text_free(&d->last);
  d->last = now;
}

bool pass_dump_end(pass_dump *d) {
  text_free(&d->last);
  return !d->is_tree_broken;
}
