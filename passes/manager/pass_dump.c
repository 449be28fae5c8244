/* Dumps the module between passes.
 *
 *   // -----// IR Dump After gnn-order //----- //      on a stream (--print-ir-after=gnn-order)
 *   ir/00_input.mlir  ir/03_gnn-cse.mlir          in a folder, only passes that changed something (--print-ir-tree=ir) */
#include "passes/manager/pass_dump.h"

#include "support/file.h"

#include <string.h>
#include <sys/stat.h>

static void print_dump(MlirOperation module, const char *when, const char *pass, const pass_run *run) {
  FILE *out = run->dumps ? run->dumps : stderr;
  text t = {0};
  ir_print(module, run->print_locations, &t);
  fprintf(out, "// -----// IR Dump %s %s //----- //\n%s\n", when, pass, text_str(&t));
  text_free(&t);
}

static void write_file(pass_dump *d, const char *content, size_t number, const char *name, const pass_run *run) {
  if (d->is_tree_broken) return;
  text path = {0};
  text_printf(&path, "%s/%02zu_%s.mlir", run->tree, number, name);
  text whole = {0};
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
  write_file(d, text_str(&d->last), 0, "input", run);
}

void pass_dump_before(pass_dump *d, MlirOperation module, const char *pass, const pass_run *run) {
  (void)d;
  if (pass_names_have(run->print_before, pass)) print_dump(module, "Before", pass, run);
}

void pass_dump_after(pass_dump *d, MlirOperation module, const char *pass, size_t number, const pass_run *run) {
  bool is_asked = pass_names_have(run->print_after, pass);
  if (is_asked) print_dump(module, "After", pass, run);
  if (!wants_changes(run)) return;
  text now = {0};
  ir_print(module, run->print_locations, &now);
  if (strcmp(text_str(&now), text_str(&d->last)) != 0) {
    if (run->tree) write_file(d, text_str(&now), number, pass, run);
    if (run->print_after_change && !is_asked) print_dump(module, "After", pass, run);
  }
  text_free(&d->last);
  d->last = now;
}

bool pass_dump_end(pass_dump *d) {
  text_free(&d->last);
  return !d->is_tree_broken;
}
