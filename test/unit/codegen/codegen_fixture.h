/* Makes a loaded model from IR text, for tests of the C back end: parses, emits, compiles with
 * the host's compiler and every warning as an error, and loads. Undefined behaviour in generated
 * code traps; where the test is built with AddressSanitizer, out-of-bounds accesses are caught,
 * too. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_FIXTURE_H

#include "codegen/c/codegen.h"
#include "runtime/gnnc/executor.h"
#include "support/file.h"
#include "unit.h"

#include <dlfcn.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define FIXTURE_SANITIZE "-fsanitize=address,undefined -fno-sanitize-recover=all"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FIXTURE_SANITIZE "-fsanitize=address,undefined -fno-sanitize-recover=all"
#endif
#endif
#ifndef FIXTURE_SANITIZE
#define FIXTURE_SANITIZE "-fsanitize=undefined -fsanitize-undefined-trap-on-error"
#endif
#if defined(__clang__)
#define FIXTURE_CC "clang-22"
#else
#define FIXTURE_CC "gcc"
#endif
#define FIXTURE_WARNINGS                                                                                               \
  "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla -Werror"

typedef struct fixture {
  MlirContext context;
  diag *diag;
  char message[512]; /* the last error */
  codegen_c_output output;
  void *handle;
  const gnnc_model_info *info;
  char folder[64];
} fixture;

static void fixture_sink(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                         unsigned column, const char *message) {
  (void)severity;
  snprintf(((fixture *)user)->message, sizeof((fixture *)user)->message, "%s:%u:%u: %s [%s]", file ? file : "", line,
           column, message, diag_table[id].name);
}

/* Parses and emits; false when the back end refused (f->message says why). */
static bool fixture_emit(fixture *f, const char *ir, codegen_c_options options) {
  *f = (fixture){.context = ir_context_create(), .diag = diag_create(stderr)};
  diag_set_sink(f->diag, fixture_sink, f);
  MlirModule module = ir_parse(f->context, ir, strlen(ir));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module)) return false;
  bool good = codegen_c_emit(mlirModuleGetOperation(module), &options, f->diag, &f->output);
  mlirModuleDestroy(module);
  return good;
}

static void fixture_end(fixture *f) {
  if (f->handle) dlclose(f->handle);
  codegen_c_output_free(&f->output);
  diag_destroy(f->diag);
  ir_context_destroy(f->context);
  if (!*f->folder) return;
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", f->folder);
  CHECK_INT(system(command), 0);
}

static void fixture_write(const fixture *f, const char *ending, const text *t) {
  char path[128];
  snprintf(path, sizeof path, "%s/model.%s", f->folder, ending);
  CHECK_OK(file_write(path, text_str(t), t->size));
}

/* Writes M.c and M.h into a folder of their own and runs a shell command there. */
static int fixture_shell(fixture *f, const char *command) {
  char whole[1024];
  if (!*f->folder) {
    strcpy(f->folder, "/tmp/gnnc-test-XXXXXX");
    CHECK(mkdtemp(f->folder) != NULL);
    fixture_write(f, "c", &f->output.source);
    fixture_write(f, "h", &f->output.header);
  }
  snprintf(whole, sizeof whole, "cd %s && %s", f->folder, command);
  return system(whole);
}

/* Parses, emits, compiles with `flags` and loads; the library has the model "m". */
__attribute__((unused)) static bool fixture_load(fixture *f, const char *ir, codegen_c_options options,
                                                 const char *flags) {
  options.header_name = "model.h";
  if (!fixture_emit(f, ir, options)) {
    unit_fail(__FILE__, __LINE__, "not emitted: %s", f->message);
    return false;
  }
  char command[700], path[96];
  snprintf(command, sizeof command,
           FIXTURE_CC " -std=c17 -O1 " FIXTURE_WARNINGS " " FIXTURE_SANITIZE
                      " %s -shared -fPIC -o model.so model.c -lm",
           flags);
  if (fixture_shell(f, command)) {
    unit_fail(__FILE__, __LINE__, "%s", "generated C does not compile");
    puts(text_str(&f->output.source));
    return false;
  }
  snprintf(path, sizeof path, "%s/model.so", f->folder);
  f->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!f->handle) unit_fail(__FILE__, __LINE__, "%s", dlerror());
  return f->handle != NULL;
}

/* The same, and finds the functions of the model. */
__attribute__((unused)) static bool fixture_begin(fixture *f, const char *ir, codegen_c_options options,
                                                  const char *flags) {
  if (!fixture_load(f, ir, options, flags)) return false;
  void *symbol = dlsym(f->handle, "m_info");
  const gnnc_model_info *(*info)(void);
  memcpy(&info, &symbol, sizeof info);
  f->info = info();
  return true;
}

/* Binds and runs once, in blocks of exactly the sizes that the model asks for. */
__attribute__((unused)) static gnnc_result fixture_run(const fixture *f, const gnnc_graph *graph,
                                                       const void *const *weights, const void *const *inputs,
                                                       void *const *outputs, int32_t threads) {
  int64_t index = 0;
  gnnc_pool *pool = gnnc_pool_create(threads);
  const gnnc_context context = {.size = sizeof context, .executor = gnnc_pool_executor(pool)};
  gnnc_graph bound_graph = *graph;
  bound_graph.context = &context;
  size_t size = f->info->bound_bytes(graph);
  void *bound = malloc(size);
  gnnc_result result = f->info->bind(GNNC_ABI_VERSION, &bound_graph, weights, bound, size, &index);
  if (!result) {
    void *workspace = malloc(f->info->workspace_bytes(bound, &context));
    result = f->info->run(bound, inputs, outputs, workspace, &context);
    free(workspace);
  }
  gnnc_pool_destroy(pool);
  free(bound);
  return result;
}

/* Random numbers in -2 .. 2, so that a wrong index shows in the results. */
__attribute__((unused)) static void fixture_fill(float *to, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; i++) {
    seed = seed * 1664525u + 1013904223u;
    to[i] = (float)((int)(seed >> 8) % 4001) / 1000.0f - 2.0f;
  }
}

#endif
