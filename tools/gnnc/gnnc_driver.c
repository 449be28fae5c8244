/* The phases of gnnc: parse, analyse, emit, passes, code generation. */
#include "tools/gnnc/gnnc_driver.h"

#include "frontend/emit_gnn.h"
#include "frontend/syntax/parse.h"
#include "passes/manager/pass_manager.h"
#include "support/clock.h"
#include "support/file.h"

#include <string.h>

void gnnc_driver_time(gnnc_driver *r, const char *phase) {
  double now = clock_seconds();
  if (r->options.is_timing) fprintf(stderr, "%9.3f ms  %s\n", 1e3 * (now - r->since), phase);
  r->since = now;
}

bool gnnc_driver_failed(status s) {
  if (!s) return false;
  fprintf(stderr, "gnnc: error: %s\n", status_message(s));
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

bool gnnc_driver_run_passes(gnnc_driver *r, MlirModule module, const feature_set *features, gnnc_emit emit) {
  const gnnc_options *o = &r->options;
  const char *passes = gnnc_driver_pipeline(r, features, emit);
  pass_pipeline pipeline = {0};
  r->is_misused = !pass_pipeline_parse(r->arena, r->context, passes, r->diag, &pipeline);
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
  };
  r->is_misused = !pass_names_check(settings.print_after, "print-ir-after", &pipeline, r->diag);
  if (r->is_misused) return false;
  ir_diagnostics_attach(r->context, &r->diagnostics);
  bool good = pass_pipeline_run(mlirModuleGetOperation(module), &pipeline, &settings);
  ir_diagnostics_detach(r->context, &r->diagnostics);
  gnnc_driver_time(r, "passes");
  return good && !diag_has_errors(r->diag);
}

bool gnnc_driver_generate(gnnc_driver *r, MlirModule module, const char *header_name, backend_source *output) {
  const gnnc_options *o = &r->options;
  const source **sources = arena_alloc_array(r->arena, r->program.files.count, sizeof *sources);
  for (size_t i = 0; i < r->program.files.count; i++) sources[i] = r->program.files.items[i]->source;
  backend_source_options options = {.header_name = header_name,
                                    .is_f64 = o->is_f64,
                                    .opt_level = o->code.opt_level,
                                    .sources = sources,
                                    .source_count = r->program.files.count};
  ir_diagnostics_attach(r->context, &r->diagnostics);
  bool good = o->code.target->generate(mlirModuleGetOperation(module), &options, r->diag, output);
  ir_diagnostics_detach(r->context, &r->diagnostics);
  gnnc_driver_time(r, "generate C");
  return good;
}

void gnnc_driver_close(gnnc_driver *r) {
  if (r->context.ptr) ir_context_destroy(r->context);
  r->context.ptr = NULL;
  gnnc_files_close(&r->files);
}
