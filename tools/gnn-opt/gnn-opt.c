/* gnn-opt: reads IR, runs passes, and prints IR, to test passes and to show their effects.
 *
 *   gnn-opt gcn.mlir --pass-pipeline='gnn-cse,gnn-order{max-iterations=3}' --print-ir-after-change */
#include "dialects/ir/ir_diagnostics.h"
#include "passes/manager/pass_reproducer.h"
#include "support/diag_explain.h"
#include "support/file.h"
#include "support/program.h"
#include "tools/gnn-opt/gnn_opt.h"

#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2 };
static const char divider[] = "// -----";

/* One run of the program. */
typedef struct session {
  opt_options *options;
  MlirContext context;
  diag *diag;
  ir_diagnostics messages;
  const source *source;
  pass_pipeline pipeline;
  text output;
} session;

/* ---- one part of the input ---- */

/* Returns the part preceded by blank lines, so that every line has the number that it has in the
 * file. */
static char *isolate_part(arena *a, const source *s, size_t begin, size_t end, size_t *size) {
  size_t lines = 0;
  for (size_t i = 0; i < begin; i++) lines += s->text[i] == '\n';
  *size = lines + (end - begin);
  char *part = arena_alloc(a, *size + 1);
  memset(part, '\n', lines);
  memcpy(part + lines, s->text + begin, end - begin);
  return part;
}

static bool check_roundtrip(session *s, MlirModule module) {
  text once = {0}, twice = {0};
  ir_print(mlirModuleGetOperation(module), true, &once);
  MlirModule again = ir_parse(s->context, once.data, once.size);
  if (!mlirModuleIsNull(again)) {
    ir_print(mlirModuleGetOperation(again), true, &twice);
    mlirModuleDestroy(again);
  }
  bool ok = twice.data && !strcmp(once.data, twice.data);
  if (!ok) diag_report_at(s->diag, NULL, 0, 0, DIAG_internal, "printed and parsed again, the IR is not the same");
  text_free(&once);
  text_free(&twice);
  return ok;
}

static bool process_module(session *s, MlirModule module) {
  MlirOperation root = mlirModuleGetOperation(module);
  if (s->options->verify_roundtrip && !check_roundtrip(s, module)) return false;
  s->messages.id = DIAG_pass_failed;
  bool ok = pass_pipeline_run(root, &s->pipeline, &s->options->run);
  s->messages.id = DIAG_invalid_ir;
  if (ok) ir_print(root, s->options->run.print_locations, &s->output);
  return ok;
}

static bool process_part(session *s, size_t begin, size_t end) {
  arena *a = arena_create();
  opt_expectations *expected = NULL;
  if (s->options->verify_diagnostics) expected = opt_expect_begin(a, s->diag, s->source, begin, end);
  size_t size;
  const char *part = isolate_part(a, s->source, begin, end, &size);
  MlirModule module = ir_parse(s->context, part, size);
  bool ok = !mlirModuleIsNull(module) && process_module(s, module);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  if (expected) ok = opt_expect_end(expected, s->diag);
  arena_destroy(a);
  return ok;
}

/* ---- the input ---- */

/* Returns the start of the next line that is a divider, or the end of the text. */
static size_t find_divider(const source *s, size_t from) {
  for (size_t at = from; at < s->size; at++) {
    bool is_line_start = at == 0 || s->text[at - 1] == '\n';
    if (is_line_start && !strncmp(s->text + at, divider, strlen(divider))) return at;
  }
  return s->size;
}

static bool process_input(session *s) {
  bool ok = true;
  for (size_t begin = 0;;) {
    size_t end = s->options->split ? find_divider(s->source, begin) : s->source->size;
    ok = process_part(s, begin, end) && ok;
    if (end == s->source->size) return ok;
    text_printf(&s->output, "\n%s\n", divider);
    begin = end + strcspn(s->source->text + end, "\n");
  }
}

static bool read_input(session *s) {
  opt_options *o = s->options;
  char *content;
  size_t size;
  status failure = file_read(o->arena, o->input, &content, &size);
  if (failure) {
    program_error("%s", status_message(failure));
    status_free(failure);
    return false;
  }
  const char *name = strcmp(o->input, "-") ? o->input : "<stdin>";
  s->source = source_create(o->arena, name, content, size);
  s->messages.buffer_name = name;
  diag_add_source(s->diag, s->source);
  return true;
}

/* Reads the options from the first line of a reproducer. */
static bool read_reproducer(session *s) {
  const char *arguments = pass_reproducer_arguments(s->options->arena, s->source->text);
  if (!arguments) program_error("'%s' is no reproducer: its first line names no pipeline", s->source->name);
  return arguments && opt_options_parse_line(s->options, arguments);
}

static bool write_output(const session *s) {
  status failure = file_write(s->options->output, text_str(&s->output), s->output.size);
  if (failure) program_error("%s", status_message(failure));
  bool ok = !failure;
  status_free(failure);
  return ok;
}

static int run_session(session *s) {
  opt_options *o = s->options;
  if (!read_input(s)) return EXIT_FAILURE;
  if (o->run_reproducer && !read_reproducer(s)) return EXIT_USAGE;
  if (!pass_pipeline_parse(o->arena, s->context, text_str(&o->pipeline), s->diag, &s->pipeline) ||
      !pass_names_check(o->run.print_before, "--print-ir-before", &s->pipeline, s->diag) ||
      !pass_names_check(o->run.print_after, "--print-ir-after", &s->pipeline, s->diag) ||
      !pass_names_check(o->run.remarks, "--remarks", &s->pipeline, s->diag))
    return EXIT_USAGE;
  bool ok = process_input(s) && write_output(s); /* after a failure the output is unchanged */
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int transform(opt_options *o) {
  session s = {.options = o, .context = ir_context_create(), .diag = diag_create(stderr)};
  o->run.diag = s.messages.diag = s.diag;
  s.messages.id = DIAG_invalid_ir;
  ir_diagnostics_attach(s.context, &s.messages);
  int code = run_session(&s);
  ir_diagnostics_detach(s.context, &s.messages);
  diag_destroy(s.diag);
  ir_context_destroy(s.context);
  text_free(&s.output);
  return code;
}

static int show(const opt_options *o) {
  text t = {0};
  switch (o->show) {
  case SHOW_explanation: return diag_explain(o->shown, stdout) ? EXIT_SUCCESS : EXIT_USAGE;
  case SHOW_completion: return opt_options_print_completion(o) ? EXIT_SUCCESS : EXIT_USAGE;
  case SHOW_help: opt_options_print_help(stdout); return EXIT_SUCCESS;
  case SHOW_version: text_append(&t, "gnn-opt " GNNC_VERSION "\n"); break;
  case SHOW_dialects: opt_print_dialects(&t); break;
  case SHOW_ops_md: opt_print_ops_markdown(&t); break;
  case SHOW_passes_md: opt_print_passes_markdown(&t); break;
  default: text_append(&t, ir_irdl_text(NULL)); break;
  }
  status failure = file_write(o->output, text_str(&t), t.size);
  if (failure) program_error("%s", status_message(failure));
  int code = failure ? EXIT_FAILURE : EXIT_SUCCESS;
  status_free(failure);
  text_free(&t);
  return code;
}

int main(int argc, char **argv) {
  program_begin("gnn-opt");
  opt_options o = {.arena = arena_create(), .input = "-", .output = "-"};
  o.run.opt_level = 2;
  o.run.verify_each = true;
  o.run.made_by = "gnn-opt " GNNC_VERSION;
  o.run.statistics = (pass_statistics){-1, -1, -1, -1, -1, -1, -1, -1, -1};
  int code = EXIT_USAGE;
  if (opt_options_parse(&o, argc, argv)) code = o.show == SHOW_nothing ? transform(&o) : show(&o);
  text_free(&o.pipeline);
  arena_destroy(o.arena);
  return program_end(code);
}
