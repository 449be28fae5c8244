/* room: dialects. MLIR parses and verifies any bytes: it reports an error or succeeds. A module
 * that it accepts prints to text that parses and prints the same. */
#include "dialects/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* Types and attributes live as long as their context, so a new one now and then bounds the
 * memory. */
enum { INPUTS_PER_CONTEXT = 2000 };
static MlirContext context;
static unsigned inputs;

static MlirLogicalResult ignore(MlirDiagnostic message, void *user) {
  (void)message, (void)user;
  return mlirLogicalResultSuccess();
}

static void renew_context(void) {
  if (context.ptr) ir_context_destroy(context);
  context = ir_context_create();
  mlirContextAttachDiagnosticHandler(context, ignore, NULL, NULL);
}

static MlirModule parse_and_print(const char *ir, size_t size, text *printed) {
  MlirModule module = ir_parse(context, ir, size);
  if (!mlirModuleIsNull(module)) ir_print(mlirModuleGetOperation(module), true, printed);
  return module;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  if (inputs++ % INPUTS_PER_CONTEXT == 0) renew_context();
  char *copy = malloc(size + 1);
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  copy[size] = 0;
  text first = {0}, second = {0};
  MlirModule module = parse_and_print(copy, size, &first);
  if (!mlirModuleIsNull(module)) {
    MlirModule again = parse_and_print(first.data, first.size, &second);
    if (!mlirModuleIsNull(again)) mlirModuleDestroy(again);
    mlirModuleDestroy(module);
  }
  text_free(&first);
  text_free(&second);
  free(copy);
  return 0;
}
