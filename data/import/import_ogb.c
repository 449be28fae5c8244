/* Reads folders of the Open Graph Benchmark, as they are downloaded.
 *
 *   raw/edge.csv.gz num-node-list.csv.gz num-edge-list.csv.gz    a graph, or a batch of graphs
 *   raw/data.npz                                                 the same in one archive
 *   raw/triplet-type-list.csv.gz relations/ node-feat/ ...       a graph with types of nodes and relations
 *   split/NAME/train.csv.gz valid.csv.gz test.csv.gz             masks
 *
 * This file recognises the layout; ogb_graph.c, ogb_typed.c and ogb_split.c read the parts. */
#include "data/convert.h"
#include "data/import/import.h"
#include "data/import/ogb.h"

#include <inttypes.h>
#include <string.h>

/* A file that only this layout has. */
static const struct {
  const char *file;
  status (*read)(ogb *o);
} layouts[] = {{"triplet-type-list.csv", ogb_read_typed}, {"data.npz", ogb_read_graph}, {"edge.csv", ogb_read_graph}};
enum { NUM_LAYOUTS = sizeof layouts / sizeof *layouts };

const char *ogb_path(const ogb *o, const char *name) {
  return *o->raw ? arena_printf(o->memory, "%s/%s", o->raw, name) : name;
}

void ogb_leave_out(ogb *o, const char *name, const char *reason) {
  text_printf(&o->left_out, "%s%s (%s)", o->left_out.size ? ", " : "", name, reason);
}

status ogb_check_nodes(const ogb *o, int64_t nodes, int64_t numbers) {
  enum { ALWAYS_ALLOWED = 1 << 20, NODES_PER_NUMBER = 16 };
  if (nodes <= ALWAYS_ALLOWED || nodes / NODES_PER_NUMBER <= numbers) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s: has %" PRId64 " nodes, but its tables have only %" PRId64 " numbers",
                      o->folder->path, nodes, numbers);
}

status ogb_add_field(ogb *o, const char *field, const tensor *table, bool keeps_column) {
  tensor t = *table;
  t.name = field;
  if (t.rank == 2 && t.dims[1] == 1 && !keeps_column) t.rank = 1;
  return tensor_set_add_view(o->set, &t);
}

status ogb_check_edges(const ogb *o, const tensor *t, bool is_by_column, int64_t edges) {
  dtype_class class = dtype_get_class(t->dtype);
  if (class != DTYPE_CLASS_signed && class != DTYPE_CLASS_unsigned)
    return status_error(STATUS_CODE_mismatch, "%s: holds %s, expected the numbers of nodes", t->name,
                        dtype_name(t->dtype));
  if (t->rank == 2 && t->dims[is_by_column] == edges && (t->dims[!is_by_column] == 2 || !edges)) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "%s: has shape %s, expected %s of %" PRId64 " edges", t->name,
                      tensor_shape_text(o->memory, t), is_by_column ? "two rows" : "two columns", edges);
}

status ogb_read_edge(const tensor *t, bool is_by_column, int64_t edge, const ogb_range limits[2], edge_record *out) {
  int64_t ends[2];
  for (int end = 0; end < 2; end++) {
    ends[end] = convert_element_i64(t, is_by_column ? end * t->dims[1] + edge : 2 * edge + end);
    if (ends[end] < 0 || ends[end] >= limits[end].count)
      return status_error(STATUS_CODE_mismatch,
                          "%s: edge %" PRId64 " has the %s %" PRId64 ", expected 0 to %" PRId64 ", the nodes", t->name,
                          edge, end ? "target" : "source", ends[end], limits[end].count - 1);
    ends[end] += limits[end].begin;
  }
  *out = (edge_record){.src = ends[0], .dst = ends[1], .row = (int32_t)edge};
  return STATUS_OK;
}

/* Finds the layout and the folder of the tables; NUM_LAYOUTS when there is none. */
static int find_layout(const data_folder *f, const char **raw) {
  static const char *const folders[] = {"raw", ""};
  arena *a = arena_create();
  int found = NUM_LAYOUTS;
  for (int i = 0; i < 2 && found == NUM_LAYOUTS; i++)
    for (int l = 0; l < NUM_LAYOUTS && found == NUM_LAYOUTS; l++) {
      *raw = folders[i];
      if (folder_has(f, *folders[i] ? arena_printf(a, "%s/%s", folders[i], layouts[l].file) : layouts[l].file))
        found = l;
    }
  arena_destroy(a);
  return found;
}

bool import_ogb_is_likely(const data_folder *f) {
  const char *raw;
  return find_layout(f, &raw) != NUM_LAYOUTS;
}

status import_ogb(const data_folder *f, const import_options *options, tensor_set **out) {
  ogb o = {.folder = f, .options = options, .memory = arena_create(), .set = tensor_set_create(f->path)};
  int layout = find_layout(f, &o.raw);
  status s = layout < NUM_LAYOUTS
                 ? layouts[layout].read(&o)
                 : status_error(STATUS_CODE_format,
                                "%s: is no folder of the Open Graph Benchmark: it has none of raw/edge.csv.gz, "
                                "raw/data.npz and raw/triplet-type-list.csv.gz",
                                f->path);
  if (!s && o.left_out.size) tensor_set_put_metadata(o.set, "left_out", text_str(&o.left_out));
  text_free(&o.left_out);
  arena_destroy(o.memory);
  *out = s ? NULL : o.set;
  if (s) tensor_set_destroy(o.set);
  return s;
}
