/* gnnc: the driver. A model goes through parse, analysis, emission, passes and code generation, one straight line; each phase
 * reports all it finds wrong and the first phase that fails ends the run with status 1 and no output touched. */
#include "codegen/c/codegen.h"
#include "dialects/ir_diagnostics.h"
#include "frontend/emit_gnn.h"
#include "frontend/parse.h"
#include "frontend/sema.h"
#include "passes/pass_manager.h"
#include "support/file.h"
#include "tools/gnnc_counts.h"
#include "tools/gnnc_environment.h"
#include "tools/gnnc_options.h"
#include "tools/gnnc_pipeline.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Everything that lives as long as the run. */
typedef struct run {
  gnnc_options options;
  arena *arena;
  diag *diag;
  gnnc_files files;
  MlirContext context;
  struct timespec since; /* start of the current phase, for --timing */
  bool is_misused;       /* an option's text is wrong, which only shows when passes are known */
} run;

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* --timing: the time since the last call, under the name of the phase that just ended. */
static void phase_done(run *r, const char *phase) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double ms = (double)(now.tv_sec - r->since.tv_sec) * 1e3 + (double)(now.tv_nsec - r->since.tv_nsec) * 1e-6;
  if (r->options.is_timing) fprintf(stderr, "%9.3f ms  %s\n", ms, phase);
  r->since = now;
}

/* --timing: the most memory this process held at once, which Linux counts for the program alone (getrusage would count the
 * parent's before exec, too). */
static void print_peak_memory(void) {
  FILE *f = fopen("/proc/self/status", "r");
  char line[128];
  long kilobytes = 0;
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "VmHWM:", 6)) kilobytes = strtol(line + 6, NULL, 10);
  if (kilobytes) fprintf(stderr, "%9.3f MB  peak memory\n", (double)kilobytes * 1024 / 1e6);
  if (f) fclose(f);
}

/* The world is wrong: prints the status and frees it. */
static bool failed(status s) {
  if (!s) return false;
  fprintf(stderr, "gnnc: error: %s\n", status_message(s));
  status_free(s);
  return true;
}

static bool write_text(const char *path, const char *data) {
  return !failed(file_write(path ? path : "-", data, strlen(data)));
}

/* Writes all files or none: everything is on disk under temporary names before the first is renamed. */
static bool write_all(const char *const *paths, const text *const *texts, size_t count) {
  file_writer *writers[3] = {NULL};
  size_t open = 0;
  status s = STATUS_OK;
  for (; open < count && !s; open++) {
    s = file_writer_open(paths[open], &writers[open]);
    if (s) break;
    s = file_writer_write(writers[open], text_str(texts[open]), texts[open]->size);
  }
  for (size_t i = 0; i < open; i++) {
    if (s)
      file_writer_abandon(writers[i]);
    else
      s = file_writer_commit(writers[i]);
  }
  return !failed(s);
}

static bool parse(run *r, ast_program *program) {
  char *data = NULL;
  size_t size = 0;
  if (failed(file_read(r->arena, r->options.input, &data, &size))) return false;
  const char *name = strcmp(r->options.input, "-") ? r->options.input : "<stdin>";
  const source *main = source_create(r->arena, name, data, size);
  bool good =
      parse_program(r->arena, main, r->options.include_dirs.items, r->options.include_dirs.count, r->diag, program);
  phase_done(r, "parse");
  return good;
}

/* ast and ast=json need no analysis; the formatter keeps the file as written otherwise. */
static bool emit_ast(run *r, const ast_program *program) {
  if (r->options.emit == GNNC_EMIT_ast_json) return write_text(r->options.output, ast_json(r->arena, program));
  text out = {0};
  ast_print(program->main, &out);
  bool good = write_text(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

/* Semantic analysis and the gnn level; a null module after errors. */
static MlirModule analyze(run *r, const ast_program *program) {
  MlirModule none = {NULL};
  sema_environment environment = gnnc_files_environment(&r->files, &r->options, r->arena);
  const flat_program *flat = sema_analyze(r->arena, program, r->options.model, &environment, r->diag);
  phase_done(r, "analyse");
  if (!flat || diag_has_errors(r->diag)) return none;
  r->context = ir_context_create();
  phase_done(r, "load dialects");
  for (size_t i = 0; i < program->files.count; i++) diag_add_source(r->diag, program->files.items[i]->source);
  MlirModule module = emit_gnn_module(r->context, flat);
  phase_done(r, "emit gnn");
  return module;
}

static const char *join(arena *a, const char *const *items, size_t count) {
  const char *joined = count ? items[0] : NULL;
  for (size_t i = 1; i < count; i++) joined = arena_printf(a, "%s,%s", joined, items[i]);
  return joined;
}

static bool run_passes(run *r, MlirModule module) {
  const gnnc_options *o = &r->options;
  const char *passes =
      o->pass_pipeline ? o->pass_pipeline : gnnc_pipeline_text(r->arena, o->opt_level, &o->features, o->emit);
  pass_pipeline pipeline = {0};
  r->is_misused = !pass_pipeline_parse(r->arena, r->context, passes, r->diag, &pipeline);
  if (r->is_misused) return false;
  pass_run settings = {
      .diag = r->diag,
      .statistics = r->files.statistics,
      .opt_level = o->opt_level,
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
  bool good = pass_pipeline_run(mlirModuleGetOperation(module), &pipeline, &settings);
  phase_done(r, "passes");
  return good && !diag_has_errors(r->diag);
}

static bool emit_ir(run *r, MlirModule module) {
  text out = {0};
  ir_print(mlirModuleGetOperation(module), r->options.has_locations, &out);
  bool good = write_text(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static bool emit_counts(run *r, MlirModule module) {
  MlirOperation root = mlirModuleGetOperation(module);
  gnnc_counts_graph facts = {r->files.graph, r->files.statistics};
  intra_counts counts;
  intra_counts_collect(root, r->arena, r->options.is_f64, &counts);
  text out = {0};
  bool is_json = r->options.emit == GNNC_EMIT_counts_json;
  (is_json ? gnnc_counts_print_json : gnnc_counts_print)(r->arena, ir_get_string(root, "gnn.model", ""), &counts,
                                                         &facts, &out);
  bool good = write_text(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static bool emit_c(run *r, MlirModule module, const ast_program *program) {
  const gnnc_options *o = &r->options;
  bool is_target = o->emit == GNNC_EMIT_target;
  const char *stem = is_target ? arena_strndup(r->arena, o->output, strlen(o->output) - 2) : NULL;
  const source **sources = arena_alloc_array(r->arena, program->files.count, sizeof *sources);
  for (size_t i = 0; i < program->files.count; i++) sources[i] = program->files.items[i]->source;
  codegen_c_options options = {.header_name = is_target ? arena_printf(r->arena, "%s.h", base_name(stem)) : NULL,
                               .is_f64 = o->is_f64,
                               .reassociate = o->opt_level >= 3,
                               .sources = sources,
                               .source_count = program->files.count};
  codegen_c_output output = {{0}, {0}, {0}};
  bool good = codegen_c_emit(mlirModuleGetOperation(module), &options, r->diag, &output);
  phase_done(r, "generate C");
  if (good && is_target) {
    const char *paths[] = {o->output, arena_printf(r->arena, "%s.h", stem), arena_printf(r->arena, "%s.json", stem)};
    const text *texts[] = {&output.source, &output.header, &output.manifest};
    good = write_all(paths, texts, 3);
    if (good && o->is_verbose) fprintf(stderr, "gnnc: wrote %s, %s and %s\n", paths[0], paths[1], paths[2]);
  } else if (good) {
    good = write_text(o->output, text_str(&output.source));
  }
  phase_done(r, "write");
  codegen_c_output_free(&output);
  return good;
}

/* From the module to what was asked for. */
static bool finish(run *r, MlirModule module, const ast_program *program) {
  if (mlirModuleIsNull(module) || !run_passes(r, module)) return false;
  switch (r->options.emit) {
  case GNNC_EMIT_target:
  case GNNC_EMIT_c: return emit_c(r, module, program);
  case GNNC_EMIT_counts:
  case GNNC_EMIT_counts_json: return emit_counts(r, module);
  default: return emit_ir(r, module);
  }
}

static void explain_inputs(const run *r) {
  const graph *g = r->files.graph;
  if (g) {
    const pass_statistics s = r->files.statistics;
    fprintf(stderr, "gnnc: graph %s: %lld nodes, %lld edges", r->options.graph, (long long)g->num_nodes,
            (long long)g->num_edges);
    if (s.feature_density >= 0) fprintf(stderr, ", %.3f %% of the features stored", 100 * s.feature_density);
    fputc('\n', stderr);
  }
  if (r->files.weights) fprintf(stderr, "gnnc: weights %s: %zu tensors\n", r->options.weights, r->files.weights->count);
}

static bool compile(run *r) {
  ast_program program = {0};
  if (failed(gnnc_files_open(&r->options, &r->files))) return false;
  phase_done(r, "open files");
  if (r->options.is_verbose) explain_inputs(r);
  if (!parse(r, &program)) return false;
  if (r->options.emit == GNNC_EMIT_ast || r->options.emit == GNNC_EMIT_ast_json) return emit_ast(r, &program);
  ir_diagnostics diagnostics = {.diag = r->diag, .id = DIAG_pass_failed};
  MlirModule module = analyze(r, &program);
  if (!mlirModuleIsNull(module)) ir_diagnostics_attach(r->context, &diagnostics);
  bool good = finish(r, module, &program);
  if (!mlirModuleIsNull(module)) {
    ir_diagnostics_detach(r->context, &diagnostics);
    mlirModuleDestroy(module);
  }
  if (r->context.ptr) ir_context_destroy(r->context);
  return good && !diag_has_errors(r->diag);
}

int main(int argc, char **argv) {
  run r = {.arena = arena_create(), .diag = diag_create(stderr)};
  clock_gettime(CLOCK_MONOTONIC, &r.since);
  int code = EXIT_SUCCESS;
  switch (gnnc_options_parse(argc, argv, r.arena, r.diag, &r.options)) {
  case GNNC_OPTIONS_exit_success: break;
  case GNNC_OPTIONS_exit_usage: code = 2; break;
  default:
    if (r.options.is_print_pipeline)
      puts(gnnc_pipeline_text(r.arena, r.options.opt_level, &r.options.features, r.options.emit));
    else if (!compile(&r))
      code = r.is_misused ? 2 : EXIT_FAILURE;
    if (r.options.is_timing) print_peak_memory();
  }
  gnnc_files_close(&r.files);
  diag_destroy(r.diag);
  arena_destroy(r.arena);
  if (fflush(stdout) || ferror(stdout)) {
    fprintf(stderr, "gnnc: error: standard output could not be written\n");
    code = EXIT_FAILURE;
  }
  return code;
}
