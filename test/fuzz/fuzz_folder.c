/* room: data. A reader of a data set takes any bytes as its files, which "\n===\n" separates; the
 * first byte chooses the data set, or one pickle alone. It refuses them with a message, or makes
 * tensors, of which edge_index is that of a graph. */
#include "data/formats/pickle_numpy.h"
#include "data/graph.h"
#include "data/import/import.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FILES = 9 };
static const char separator[] = "\n===\n";

static const char *const names[3][MOST_FILES] = {
    {"ind.a.allx", "ind.a.tx", "ind.a.ally", "ind.a.ty", "ind.a.y", "ind.a.test.index", "ind.a.graph", NULL},
    {"raw/edge.csv", "raw/num-node-list.csv", "raw/num-edge-list.csv", "raw/node-feat.csv", "raw/edge-feat.csv",
     "split/s/train.csv", "raw/edge_reltype.csv", "raw/node-label.csv", NULL},
    {"raw/num-node-dict.csv", "raw/triplet-type-list.csv", "raw/relations/a___b___c/edge.csv",
     "raw/node-feat/a/node-feat.csv", "raw/node-label/a/node-label.csv", "split/s/a/train.csv",
     "raw/relations/a___b___a/edge.csv", "raw/node-label/c/node-label.csv", NULL}};

/* Cuts the bytes into files; the rest of the names gets no file. */
static data_folder cut(const uint8_t *data, size_t size, const char *const *wanted, folder_file *files) {
  size_t count = 0;
  for (size_t begin = 0, at = 0; wanted[count]; at++) {
    bool is_end = at == size;
    bool is_cut = size - at >= sizeof separator - 1 && !memcmp(data + at, separator, sizeof separator - 1);
    if (!is_end && !is_cut) continue;
    files[count] = (folder_file){wanted[count], data + begin, at - begin};
    count++;
    if (is_end) break;
    begin = at + sizeof separator - 1;
    at = begin - 1;
  }
  return (data_folder){.path = "f", .files = files, .count = count};
}

static void read_pickle(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  const pickle_value *v;
  tensor t;
  pickle_csr m;
  int64_t number;
  status s = pickle_parse(a, data, size, &v);
  if (s && !*status_message(s)) abort();
  if (!s) {
    status_free(pickle_read_array(a, v, &t));
    status_free(pickle_read_csr(a, v, &m));
    pickle_read_number(v, &number);
  }
  status_free(s);
  arena_destroy(a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1) return 0;
  int choice = data[0] & 3;
  if (choice == 3) {
    read_pickle(data + 1, size - 1);
    return 0;
  }
  folder_file files[MOST_FILES];
  data_folder f = cut(data + 1, size - 1, names[choice], files);
  const import_options o = {.is_undirected = data[0] & 4, .drops_loops = data[0] & 8, .drops_duplicates = data[0] & 16};
  tensor_set *set = NULL;
  graph *g = NULL;
  status s = choice == 0 ? import_planetoid(&f, NULL, &o, &set) : import_ogb(&f, &o, &set);
  if (s && (set || !*status_message(s))) abort();
  if (!s && graph_create(set, &g)) abort();
  graph_close(g);
  tensor_set_destroy(set);
  status_free(s);
  return 0;
}
