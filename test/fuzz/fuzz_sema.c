/* room: frontend. Semantic analysis of any bytes, as a model without weights and graph, ends and
 * explains a failure. A program that it accepts has numbers as sizes, and prints. */
#include "frontend/sema/sema.h"
#include "frontend/syntax/parse.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void ignore(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                   const char *message) {
  (void)user, (void)severity, (void)id, (void)file, (void)line, (void)column;
  if (!message[0]) abort();
}

/* Operands precede the values that use them; every size is a number. */
static void check(const flat_program *flat) {
  for (size_t i = 0; i < flat->values.count; i++) {
    const flat_value *v = flat->values.items[i];
    int64_t size = 0;
    for (unsigned j = 0; j < FLAT_MAX_OPERANDS; j++)
      if (v->operands[j] != FLAT_NONE && v->operands[j] >= i) abort();
    for (unsigned j = 0; j < v->type.rank; j++)
      if (!dim_value(flat->dims, v->type.dims[j], &size) || size < 1) abort();
  }
  for (size_t i = 0; i < flat->outputs.count; i++)
    if (flat->outputs.items[i].value >= flat->values.count) abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  arena *a = arena_create();
  diag *d = diag_create(stderr);
  diag_set_sink(d, ignore, NULL);
  const source *s = source_create(a, "fuzz.gnn", arena_strndup(a, (const char *)data, size), size);
  ast_program program = {0};
  const ast_file *file = parse_source(a, s, d); /* the analysis of imports would read files */
  bool is_alone = file && !diag_has_errors(d) && file->imports.count == 0;
  if (is_alone && parse_program(a, s, NULL, 0, d, &program)) {
    const sema_environment empty = sema_environment_empty();
    const flat_program *flat = sema_analyze(a, &program, NULL, &empty, d);
    if (!flat != diag_has_errors(d)) abort();
    text printed = {0};
    if (flat) {
      check(flat);
      flat_print(flat, &printed);
    }
    text_free(&printed);
  }
  diag_destroy(d);
  arena_destroy(a);
  return 0;
}
