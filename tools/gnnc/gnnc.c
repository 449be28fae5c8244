/* gnnc: the driver. A model goes through parse, analysis, emission, passes and code generation, in
 * this order. Each phase reports all errors that it finds. The first phase that fails ends the run
 * with status 1, and no output is changed. */
#include "passes/intra/intra_counts.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/program.h"
#include "support/progress.h"
#include "tools/gnnc/gnnc_counts.h"
#include "tools/gnnc/gnnc_depfile.h"
#include "tools/gnnc/gnnc_driver.h"
#include "tools/gnnc/gnnc_image.h"
#include "tools/gnnc/gnnc_made_by.h"
#include "tools/gnnc/gnnc_options_target.h"
#include "tools/gnnc/gnnc_reach.h"
#include "tools/gnnc/gnnc_tune.h"
#include "tools/gnnc/gnnc_tuning.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Prints the peak memory of the process for --timing. The field VmHWM counts this program alone;
 * getrusage would include the memory of the parent before exec. */
static void print_peak_memory(void) {
  FILE *f = fopen("/proc/self/status", "r");
  char line[128];
  long kilobytes = 0;
  while (f && fgets(line, sizeof line, f))
    if (!strncmp(line, "VmHWM:", 6)) kilobytes = strtol(line + 6, NULL, 10);
  if (kilobytes) fprintf(stderr, "%9.3f MB  peak memory\n", (double)kilobytes * 1024 / 1e6);
  if (f) fclose(f);
}

/* Writes all files or none: all are on disk under temporary names before the first is renamed. */
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
  return !gnnc_driver_failed(s);
}

/* Prints the tree (--emit=ast, ast=json), which needs no analysis. */
static bool emit_ast(gnnc_driver *r, const ast_program *program) {
  if (r->options.emit == GNNC_EMIT_ast_json) return gnnc_driver_write(r->options.output, ast_json(r->arena, program));
  text out = {0};
  ast_print(program->main, &out);
  bool good = gnnc_driver_write(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static bool emit_counts(gnnc_driver *r, MlirModule module) {
  MlirOperation root = mlirModuleGetOperation(module);
  gnnc_counts_graph facts = {r->files.graph, r->files.statistics};
  intra_counts counts;
  intra_counts_collect(root, r->arena, r->options.is_f64, &counts);
  text out = {0};
  const char *model = ir_get_string(root, "gnn.model", "");
  if (r->options.emit == GNNC_EMIT_counts_json)
    gnnc_counts_print_json(r->arena, model, gnnc_describe_options(r->arena, &r->options), &counts, &facts, &out);
  else
    gnnc_counts_print(r->arena, model, &counts, &facts, &out);
  bool good = gnnc_driver_write(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static bool emit_c(gnnc_driver *r, MlirModule module) {
  const gnnc_options *o = &r->options;
  bool is_target = o->emit == GNNC_EMIT_target;
  const char *stem = is_target ? arena_strndup(r->arena, o->output, strlen(o->output) - 2) : NULL;
  backend_source output;
  bool good =
      gnnc_driver_generate(r, module, is_target ? arena_printf(r->arena, "%s.h", base_name(stem)) : NULL, &output);
  if (good && is_target) {
    const char *paths[] = {o->output, arena_printf(r->arena, "%s.h", stem), arena_printf(r->arena, "%s.json", stem)};
    const text *texts[] = {&output.source, &output.header, &output.manifest};
    good = write_all(paths, texts, 3);
    if (good && o->is_verbose) fprintf(stderr, "gnnc: wrote %s, %s and %s\n", paths[0], paths[1], paths[2]);
  } else if (good) {
    good = gnnc_driver_write(o->output, text_str(&output.source));
  }
  gnnc_driver_time(r, "write");
  backend_source_free(&output);
  return good;
}

/* Takes the switches from the file of --tuning. */
static bool take_tuning(gnnc_driver *r, MlirModule module) {
  gnnc_options *o = &r->options;
  if (!o->tuning) return true;
  gnnc_tuning_key key = gnnc_tuning_make_key(module, r->files.graph, o->code.opt_level, o->is_f64);
  bool good = gnnc_tuning_apply(r->arena, o->tuning, &key, r->diag, &o->code.features);
  if (good && o->is_verbose)
    fprintf(stderr, "gnnc: tuning %s: %s\n", o->tuning, gnnc_tuning_describe(r->arena, &o->code.features));
  return good;
}

/* Models with the same fingerprint compute the same, whatever their values and files are called. */
static uint64_t fingerprint(MlirModule module) {
  text printed = {0};
  ir_print_meaning(mlirModuleGetOperation(module), &printed);
  const uint64_t hash = XXH3_64bits(text_str(&printed), printed.size);
  text_free(&printed);
  return hash;
}

/* Compiles the module to the requested output; `begin` is the time in seconds at which the module
 * was begun. */
static bool finish(gnnc_driver *r, MlirModule module, double begin) {
  if (!take_tuning(r, module)) return false;
  progress_step("optimise", NULL, 0);
  const gnnc_emit emit = r->options.emit;
  if (emit == GNNC_EMIT_target || emit == GNNC_EMIT_c) {
    r->reach = gnnc_reach_find(module);
    r->fingerprint = fingerprint(module);
  }
  if (!gnnc_driver_run_passes(r, module, &r->options.code.features, r->options.emit)) return false;
  const bool is_printed = !r->options.output || !strcmp(r->options.output, "-");
  progress_step(is_printed ? "" : "write the program", NULL, 0);
  switch (r->options.emit) {
  case GNNC_EMIT_target:
  case GNNC_EMIT_c: return emit_c(r, module);
  case GNNC_EMIT_counts:
  case GNNC_EMIT_counts_json: return emit_counts(r, module);
  case GNNC_EMIT_device:
  case GNNC_EMIT_asm:
  case GNNC_EMIT_obj: return gnnc_image_emit(r, module, 1e3 * (clock_seconds() - begin));
  default: return gnnc_driver_write_ir(r, module);
  }
}

static void explain_inputs(const gnnc_driver *r) {
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

/* Makes the device before anything is compiled, because programs depend on its parameters. */
static bool make_device(gnnc_driver *r) {
  bool is_wrong = gnnc_driver_failed(gnnc_options_make_device(&r->options));
  r->is_misused = is_wrong && !r->options.device.files.count;
  return !is_wrong;
}

/* Whether the program must contain weights and no file gives them; reports an error then. */
static bool lacks_weights(const gnnc_driver *r) {
  const gnnc_options *o = &r->options;
  bool holds_them = gnnc_options_make_program(o) && o->emit != GNNC_EMIT_device && !o->code.no_data;
  if (o->weights || !holds_them) return false;
  for (size_t i = 0; i < r->flat->values.count; i++) {
    if (r->flat->values.items[i]->op != FLAT_weight) continue;
    program_error("the program holds weights, and the model has '%s': --weights=FILE, or --no-data to leave "
                  "them out; see gnnc --help",
                  r->flat->values.items[i]->from);
    return true;
  }
  return false;
}

/* Starts the progress line, except where other options print on standard error. */
static void begin_progress(const gnnc_options *o) {
  const bool prints = o->is_verbose || o->is_timing || o->is_print_ir_after_all || o->is_print_ir_after_change ||
                      o->print_ir_after.count;
  progress_begin("gnnc", prints ? PROGRESS_never : o->progress);
}

static bool compile(gnnc_driver *r) {
  begin_progress(&r->options);
  progress_step("read the inputs", NULL, 0);
  if (gnnc_driver_failed(gnnc_files_open(&r->options, &r->files))) return false;
  gnnc_driver_time(r, "open files");
  if (r->options.is_verbose) explain_inputs(r);
  if (!gnnc_driver_parse(r)) return false;
  if (r->options.emit == GNNC_EMIT_ast || r->options.emit == GNNC_EMIT_ast_json) return emit_ast(r, &r->program);
  progress_step("compile", NULL, 0);
  if (!gnnc_driver_analyze(r)) return false;
  if (lacks_weights(r)) {
    r->is_misused = true;
    return false;
  }
  if (r->options.tune && !gnnc_tune(r)) return false;
  if (r->options.tune && !r->options.output) return true;
  if (gnnc_options_is_for_all(&r->options)) return gnnc_image_emit_all(r) && !diag_has_errors(r->diag);
  double begin = clock_seconds();
  MlirModule module = gnnc_driver_emit(r);
  bool good = !mlirModuleIsNull(module) && finish(r, module, begin);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  return good && !diag_has_errors(r->diag);
}

int main(int argc, char **argv) {
  program_begin("gnnc");
  gnnc_driver r = {.arena = arena_create(), .diag = diag_create(stderr)};
  r.since = clock_seconds();
  int code = EXIT_SUCCESS;
  switch (gnnc_options_parse(argc, argv, r.arena, r.diag, &r.options)) {
  case GNNC_OPTIONS_exit_success: break;
  case GNNC_OPTIONS_exit_usage: code = 2; break;
  default:
    if (!make_device(&r))
      code = r.is_misused ? 2 : EXIT_FAILURE;
    else if (r.options.is_print_pipeline)
      puts(gnnc_driver_pipeline(&r, &r.options.code.features, r.options.emit));
    else if (!compile(&r) || !gnnc_depfile_write(&r))
      code = r.is_misused ? 2 : EXIT_FAILURE;
    if (r.options.is_timing) print_peak_memory();
  }
  gnnc_driver_close(&r);
  diag_destroy(r.diag);
  arena_destroy(r.arena);
  return program_end(code);
}
