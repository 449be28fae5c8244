/* room: data. A converter reads any bytes as a foreign file; the first byte chooses the format.
 * It refuses the file with a message, or the tensors that it makes are printed as text and read
 * back unchanged. A matrix of these tensors has no entry outside of it. */
#include "data/formats/gunzip.h"
#include "data/formats/safetensors.h"
#include "data/formats/text_tensors.h"
#include "data/graph.h"
#include "data/sparse_matrix.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static status import(uint8_t choice, const uint8_t *data, size_t size, tensor_set **set) {
  import_options o = {.is_matrix = choice & 8,
                      .is_undirected = choice & 16,
                      .keeps_ids = choice & 32,
                      .drops_loops = choice & 64,
                      .drops_duplicates = choice & 128,
                      .header = (import_header)(size % 3)};
  const char *input = (const char *)data;
  switch (choice & 7) {
  case 0: return import_snap("input", input, size, &o, set);
  case 1: return import_mtx("input", input, size, &o, set);
  case 2: return import_triples("input", input, size, &o, set);
  case 3: return import_npz("input", data, size, &o, set);
  case 4: return safetensors_parse("input", data, size, set);
  case 5: return import_csv("input", input, size, &o, set);
  default: return text_tensors_parse("input", input, size, set);
  }
}

static void check_round_trip(const tensor_set *set) {
  text printed = {0};
  tensor_set *again;
  text_tensors_print(set, &printed);
  status s = text_tensors_parse("printed", text_str(&printed), printed.size, &again);
  if (s || again->count != set->count || again->metadata_count != set->metadata_count) abort();
  for (size_t i = 0; i < set->count; i++) {
    const tensor *t = &set->tensors[i], *other = tensor_set_find(again, t->name);
    if (!other || other->dtype != t->dtype || other->rank != t->rank || other->bytes != t->bytes) abort();
    if (t->dtype != DTYPE_BOOL && t->bytes && memcmp(t->data, other->data, t->bytes) != 0) abort();
  }
  tensor_set_destroy(again);
  text_free(&printed);
}

static void check_matrix(arena *a, tensor_set *set) {
  sparse_matrix m;
  status s = sparse_matrix_of_tensors(a, set, &m);
  if (s && !*status_message(s)) abort();
  for (int64_t i = 0; !s && i < m.count; i++)
    if (m.row[i] < 0 || m.row[i] >= m.rows || m.column[i] < 0 || m.column[i] >= m.columns) abort();
  status_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  arena *a = arena_create();
  tensor_set *set = NULL;
  char *unpacked;
  size_t unpacked_size;
  if (gunzip_is_packed(data, size)) status_free(gunzip_unpack(a, data, size, &unpacked, &unpacked_size));
  status s = import(data[0], data + 1, size - 1, &set);
  if (s && (set || !*status_message(s))) abort();
  if (!s) check_round_trip(set);
  if (!s) check_matrix(a, set);
  tensor_set_destroy(set);
  status_free(s);
  arena_destroy(a);
  return 0;
}
