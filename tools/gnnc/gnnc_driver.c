/* Runs the phases of gnnc: parse, analysis, emission, passes, code generation. */
#include "tools/gnnc/gnnc_driver.h"

#include "frontend/emit_gnn.h"
#include "frontend/syntax/parse.h"
#include "passes/manager/pass_manager.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/program.h"
#include "support/progress.h"
#include "tools/gnnc/gnnc_made_by.h"

#include <string.h>

void gnnc_driver_time(gnnc_driver *r, const char *phase) {
  double now = clock_seconds();
  if (r->options.is_timing) fprintf(stderr, "%9.3f ms  %s\n", 1e3 * (now - r->since), phase);
  r->since = now;
}

bool gnnc_driver_failed(status s) {
  if (!s) return false;
  program_error("%s", status_message(s));
  status_free(s);
  return true;
}

bool gnnc_driver_write(const char *path, const char *data) {
  return !gnnc_driver_failed(file_write(path ? path : "-", data, strlen(data)));
}

bool gnnc_driver_parse(gnnc_driver *r) {
  char *data = NULL;
  size_t size = 0;
  if (gnnc_driver_failed(file_read(r->arena, r->options.input, &data, &size))) return false;
  const char *name = strcmp(r->options.input, "-") ? r->options.input : "<stdin>";
  const source *main = source_create(r->arena, name, data, size);
  bool good =
      parse_program(r->arena, main, r->options.include_dirs.items, r->options.include_dirs.count, r->diag, &r->program);
  gnnc_driver_time(r, "parse");
  return good;
}

bool gnnc_driver_analyze(gnnc_driver *r) {
  sema_environment environment = gnnc_files_environment(&r->files, &r->options, r->arena);
  r->flat = sema_analyze(r->arena, &r->program, r->options.model, &environment, r->diag);
  gnnc_driver_time(r, "analyse");
  if (!r->flat || diag_has_errors(r->diag)) return false;
  gnnc_check_weights(r);
  gnnc_driver_time(r, "check weights");
  if (diag_has_errors(r->diag)) return false; /* -Werror */
  r->context = ir_context_create();
  gnnc_driver_time(r, "load dialects");
  for (size_t i = 0; i < r->program.files.count; i++) diag_add_source(r->diag, r->program.files.items[i]->source);
  r->diagnostics = (ir_diagnostics){.diag = r->diag, .id = DIAG_pass_failed};
  return true;
}

MlirModule gnnc_driver_emit(gnnc_driver *r) {
  MlirModule module = emit_gnn_module(r->context, r->flat);
  gnnc_driver_time(r, "emit gnn");
  return module;
}

bool gnnc_driver_write_ir(const gnnc_driver *r, MlirModule module) {
  text out = {0};
  text_printf(&out, "// Made by %s.\n", gnnc_describe_compiler(r->arena, &r->options));
  if (r->options.is_dot)
    ir_print_dot(mlirModuleGetOperation(module), &out);
  else
    ir_print(mlirModuleGetOperation(module), r->options.has_locations, &out);
  bool good = gnnc_driver_write(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static const char *join(arena *a, const char *const *items, size_t count) {
  const char *joined = count ? items[0] : NULL;
  for (size_t i = 1; i < count; i++) joined = arena_printf(a, "%s,%s", joined, items[i]);
  return joined;
}

const char *gnnc_driver_pipeline(const gnnc_driver *r, const feature_set *features, gnnc_emit emit) {
  if (r->options.pass_pipeline) return r->options.pass_pipeline;
  backend_options o = r->options.code;
  o.features = *features;
  return pipeline_text(r->arena, &o,
                       emit == GNNC_EMIT_gnn     ? PIPELINE_gnn
                       : emit == GNNC_EMIT_inter ? PIPELINE_inter
                                                 : PIPELINE_all);
}

/* Whether code generation requires the pass: passes that change the level, gnn-separate-bind and
 * intra-plan-memory. */
static bool is_needed(const char *pass) {
  return strstr(pass, "-to-") || !strcmp(pass, "gnn-separate-bind") || !strcmp(pass, "intra-plan-memory");
}

/* Returns the level on which a pass works, from its name; NULL where it works on any level. */
static const char *level_of(arena *a, const char *pass) {
  static const char *const at_any_level[] = {"gnn-cse", "gnn-dce"};
  static const char *const levels[] = {"gnn", "inter", "intra", "device"};
  for (size_t i = 0; i < sizeof at_any_level / sizeof *at_any_level; i++)
    if (!strcmp(pass, at_any_level[i])) return NULL;
  const char *level = arena_strndup(a, pass, strcspn(pass, "-"));
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (!strcmp(level, levels[i])) return levels[i];
  return NULL; /* a pass of MLIR */
}

/* Checks for --pass-pipeline that the IR is of the right level at each pass. */
static bool check_order(gnnc_driver *r, const pass_pipeline *given) {
  const char *now = "gnn", *changed_by = NULL;
  for (size_t i = 0; i < given->count; i++) {
    const char *pass = given->items[i].name, *wanted = level_of(r->arena, pass), *to = strstr(pass, "-to-");
    if (wanted && strcmp(wanted, now) != 0) {
      diag_report(r->diag, (span){0}, DIAG_unknown_option,
                  "--pass-pipeline: pass '%s' works on level '%s', but the IR is of level '%s' there%s%s%s", pass,
                  wanted, now, changed_by ? ", after '" : "", changed_by ? changed_by : "", changed_by ? "'" : "");
      return false;
    }
    if (to) {
      now = to + strlen("-to-");
      changed_by = pass;
    }
  }
  return true;
}

/* Checks for --pass-pipeline that it contains the required passes of -O0, in their order, so that
 * it ends at the level of the target. */
static bool check_levels(gnnc_driver *r, const pass_pipeline *given) {
  backend_options o = r->options.code;
  o.opt_level = 0;
  pass_pipeline whole = {0};
  if (!pass_pipeline_parse(r->arena, r->context, pipeline_text(r->arena, &o, PIPELINE_all), r->diag, &whole))
    return false;
  const char *list = NULL, *missing = NULL;
  for (size_t i = 0, at = 0; i < whole.count; i++) {
    const char *pass = whole.items[i].name;
    if (!is_needed(pass)) continue;
    list = list ? arena_printf(r->arena, "%s, %s", list, pass) : pass;
    while (at < given->count && strcmp(given->items[at].name, pass) != 0) at++;
    if (at == given->count && !missing) missing = pass;
  }
  if (!missing) return check_order(r, given);
  diag_report(
      r->diag, (span){0}, DIAG_unknown_option,
      "--pass-pipeline does not lead to target '%s': it needs %s in this order, and '%s' is missing or too early",
      r->options.code.target->name, list, missing);
  diag_note(r->diag, (span){0}, "'gnnc --print-pipeline' prints the passes of an -O level in this form");
  return false;
}

bool gnnc_driver_run_passes(gnnc_driver *r, MlirModule module, const feature_set *features, gnnc_emit emit) {
  const gnnc_options *o = &r->options;
  const unsigned errors = diag_error_count(r->diag); /* --target=all: of machines before this one */
  const char *passes = gnnc_driver_pipeline(r, features, emit);
  pass_pipeline pipeline = {0};
  r->is_misused = !pass_pipeline_parse(r->arena, r->context, passes, r->diag, &pipeline);
  if (r->is_misused) return false;
  r->is_misused = o->pass_pipeline && emit != GNNC_EMIT_gnn && emit != GNNC_EMIT_inter && emit != GNNC_EMIT_intra &&
                  emit != GNNC_EMIT_device && !check_levels(r, &pipeline);
  if (r->is_misused) return false;
  pass_run settings = {
      .diag = r->diag,
      .statistics = r->files.statistics,
      .opt_level = o->code.opt_level,
      .verify_each = o->is_verify_each,
      .print_after = o->is_print_ir_after_all ? "*" : join(r->arena, o->print_ir_after.items, o->print_ir_after.count),
      .remarks = o->remarks,
      .print_after_change = o->is_print_ir_after_change,
      .print_locations = o->has_locations,
      .tree = o->print_ir_tree,
      .timing = o->is_timing,
      .reproducer = o->reproducer,
      .made_by = gnnc_describe_compiler(r->arena, o),
  };
  r->is_misused = !pass_names_check(settings.print_after, "print-ir-after", &pipeline, r->diag);
  if (r->is_misused) return false;
  ir_diagnostics_attach(r->context, &r->diagnostics);
  bool good = pass_pipeline_run(mlirModuleGetOperation(module), &pipeline, &settings);
  ir_diagnostics_detach(r->context, &r->diagnostics);
  gnnc_driver_time(r, "passes");
  return good && diag_error_count(r->diag) == errors;
}

void gnnc_driver_keep_ir(gnnc_driver *r, MlirModule module, unsigned errors_before) {
  if (diag_error_count_of(r->diag, DIAG_internal) == errors_before) return;
  text t = {0};
  text_printf(&t, "// Made by %s.\n", gnnc_describe_compiler(r->arena, &r->options));
  ir_print(mlirModuleGetOperation(module), true, &t);
  if (!gnnc_driver_failed(file_write(r->options.reproducer, text_str(&t), t.size)))
    diag_note(r->diag, (span){0}, "the IR that target '%s' was given is in %s", r->options.code.target->name,
              r->options.reproducer);
  text_free(&t);
}

bool gnnc_driver_generate(gnnc_driver *r, MlirModule module, const char *header_name, backend_source *output) {
  const gnnc_options *o = &r->options;
  const source **sources = arena_alloc_array(r->arena, r->program.files.count, sizeof *sources);
  for (size_t i = 0; i < r->program.files.count; i++) sources[i] = r->program.files.items[i]->source;
  backend_source_options options = {.header_name = header_name,
                                    .is_f64 = o->is_f64,
                                    .opt_level = o->code.opt_level,
                                    .sources = sources,
                                    .source_count = r->program.files.count,
                                    .compiler = gnnc_compiler_name(),
                                    .options = gnnc_describe_options(r->arena, o)};
  ir_diagnostics_attach(r->context, &r->diagnostics);
  unsigned broken = diag_error_count_of(r->diag, DIAG_internal);
  bool good = o->code.target->generate(mlirModuleGetOperation(module), &options, r->diag, output);
  ir_diagnostics_detach(r->context, &r->diagnostics);
  gnnc_driver_keep_ir(r, module, broken);
  gnnc_driver_time(r, "generate C");
  return good;
}

void gnnc_driver_close(gnnc_driver *r) {
  if (r->context.ptr) ir_context_destroy(r->context);
  r->context.ptr = NULL;
  gnnc_files_close(&r->files);
}
