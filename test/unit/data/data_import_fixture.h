/* Runs importers of text on short inputs. */
#ifndef GNNC_TEST_UNIT_DATA_DATA_IMPORT_FIXTURE_H
#define GNNC_TEST_UNIT_DATA_DATA_IMPORT_FIXTURE_H

#include "data/formats/text_tensors.h"
#include "data/graph.h"
#include "data/import/import.h"
#include "unit.h"

typedef status importer(const char *name, const char *input, size_t size, const import_options *o, tensor_set **out);

/* The imported set as text, which shows a test all of it; it lies in the arena. */
static inline const char *import(arena *a, importer *import_text, const char *input, import_options options) {
  tensor_set *set = NULL;
  graph *g = NULL;
  CHECK_OK(import_text("f", input, strlen(input), &options, &set));
  if (!set) return "";
  if (tensor_set_find(set, "edge_index")) CHECK_OK(graph_create(set, &g));
  graph_close(g);
  text out = {0};
  text_tensors_print(set, &out);
  const char *result = arena_strdup(a, text_str(&out));
  text_free(&out);
  tensor_set_destroy(set);
  return result;
}

static inline void check_refused(importer *import_text, const char *input, const char *message) {
  tensor_set *set = NULL;
  CHECK_FAILS(import_text("f", input, strlen(input), &(import_options){0}, &set), message);
  CHECK(set == NULL);
}

#endif
