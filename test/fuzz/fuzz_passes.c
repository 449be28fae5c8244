/* room: passes. One pass, which the first byte chooses, runs on valid IR: it refuses the IR with
 * a message or leaves valid IR. */
#include "passes/manager/pass_manager.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* Types and attributes live as long as their context, so a new one now and then bounds the
 * memory. */
enum { INPUTS_PER_CONTEXT = 1000 };
static MlirContext context;
static unsigned inputs, messages;

static MlirLogicalResult count_message(MlirDiagnostic message, void *user) {
  (void)message, (void)user;
  messages++;
  return mlirLogicalResultSuccess();
}

static void ignore(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                   const char *message) {
  (void)user, (void)severity, (void)id, (void)file, (void)line, (void)column, (void)message;
}

static void renew_context(void) {
  if (context.ptr) ir_context_destroy(context);
  context = ir_context_create();
  mlirContextAttachDiagnosticHandler(context, count_message, NULL, NULL);
}

static void run(MlirOperation root, const pass_info *info) {
  diag *d = diag_create(stderr);
  diag_set_sink(d, ignore, NULL);
  arena *a = arena_create();
  pass_context p = {
      .context = context,
      .diag = d,
      .arena = a,
      .options = "",
      .statistics = {.num_nodes = 100, .num_edges = 1000, .feature_density = 0.01},
      .opt_level = 2,
  };
  messages = 0;
  bool ok = info->run(root, &p);
  bool has_said_why = messages || diag_has_errors(d);
  if (ok ? !ir_verify(root) : !has_said_why) {
    fprintf(stderr, "%s %s\n", info->name, ok ? "left IR that breaks the rules of its level" : "failed silently");
    abort();
  }
  arena_destroy(a);
  diag_destroy(d);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (!size) return 0;
  if (inputs++ % INPUTS_PER_CONTEXT == 0) renew_context();
  size_t count;
  const pass_info *table = pass_table(&count);
  char *copy = malloc(size);
  if (!copy) abort();
  memcpy(copy, data + 1, size - 1);
  copy[size - 1] = 0;
  MlirModule module = ir_parse(context, copy, size - 1);
  if (!mlirModuleIsNull(module)) {
    run(mlirModuleGetOperation(module), &table[data[0] % count]);
    mlirModuleDestroy(module);
  }
  free(copy);
  return 0;
}
