/* Compiles a file of the gnn level to C, for tests of operations that no statement of the language makes by itself:
 *
 *   ir_to_c OPT_LEVEL f32|f64 IN.mlir OUT.c      writes OUT.c , OUT.h and OUT.json */
#include "codegen/backend.h"
#include "dialects/ir/ir_diagnostics.h"
#include "passes/manager/pass_manager.h"
#include "support/file.h"
#include "support/program.h"

#include <stdlib.h>
#include <string.h>

static bool write_beside(arena *a, const char *out, const char *suffix, const text *content) {
  const char *path = arena_printf(a, "%.*s%s", (int)(strlen(out) - strlen(".c")), out, suffix);
  status failure = file_write(path, text_str(content), content->size);
  if (failure) program_error("%s", status_message(failure));
  bool is_good = !failure;
  status_free(failure);
  return is_good;
}

static const char *header_name(arena *a, const char *out) {
  const char *slash = strrchr(out, '/'), *name = slash ? slash + 1 : out;
  return arena_printf(a, "%.*s.h", (int)(strlen(name) - strlen(".c")), name);
}

static bool compile(arena *a, MlirContext context, diag *d, char **args) {
  char *content;
  size_t size;
  status failure = file_read(a, args[3], &content, &size);
  if (failure) {
    program_error("%s", status_message(failure));
    return false;
  }
  backend_options options = {.target = backend_find("c"), .opt_level = atoi(args[1]), .threads = 1};
  pass_pipeline pipeline = {0};
  MlirModule module = ir_parse(context, content, size);
  if (mlirModuleIsNull(module) ||
      !pass_pipeline_parse(a, context, pipeline_text(a, &options, PIPELINE_all), d, &pipeline))
    return false;
  MlirOperation root = mlirModuleGetOperation(module);
  pass_run run = {.diag = d, .opt_level = options.opt_level, .verify_each = true};
  run.statistics = (pass_statistics){-1, -1, -1, -1, -1, -1, -1, -1, -1};
  backend_source_options how = {
      .header_name = header_name(a, args[4]), .is_f64 = !strcmp(args[2], "f64"), .opt_level = options.opt_level};
  backend_source made = {0};
  bool is_good = pass_pipeline_run(root, &pipeline, &run) && options.target->generate(root, &how, d, &made);
  is_good = is_good && write_beside(a, args[4], ".c", &made.source) && write_beside(a, args[4], ".h", &made.header);
  is_good = is_good && write_beside(a, args[4], ".json", &made.manifest);
  backend_source_free(&made);
  mlirModuleDestroy(module);
  return is_good;
}

int main(int count, char **args) {
  program_begin("ir_to_c");
  if (count != 5 || !strstr(args[4], ".c")) {
    program_error("usage: ir_to_c OPT_LEVEL f32|f64 IN.mlir OUT.c");
    return EXIT_FAILURE;
  }
  arena *a = arena_create();
  MlirContext context = ir_context_create();
  diag *d = diag_create(stderr);
  ir_diagnostics messages = {.diag = d, .id = DIAG_internal, .buffer_name = args[3]};
  ir_diagnostics_attach(context, &messages);
  bool is_good = compile(a, context, d, args);
  ir_diagnostics_detach(context, &messages);
  diag_destroy(d);
  ir_context_destroy(context);
  arena_destroy(a);
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
