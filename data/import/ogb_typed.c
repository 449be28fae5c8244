/* Reads a graph with types of nodes and relations of the Open Graph Benchmark.
 *
 *   num-node-dict.csv                        a line of types and one of numbers of nodes
 *   triplet-type-list.csv                    author,writes,paper
 *   relations/author___writes___paper/       edge.csv, num-edge-list.csv
 *   node-feat/paper/node-feat.csv            x.paper; other tables of the folder: node_year.paper
 *   node-label/paper/node-label.csv          y, -1 where a node has none; y.paper where it is no list of whole numbers
 *
 * Types and relations are numbered in alphabetical order, as the loaders of the benchmark do. The
 * nodes of a type follow one another. */
#include "data/convert.h"
#include "data/formats/token.h"
#include "data/import/number_table.h"
#include "data/import/ogb.h"
#include "support/vec.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct node_type {
  const char *name;
  ogb_range nodes;
} node_type;

typedef struct relation {
  const char *parts[3]; /* source type, name, target type */
  const char *joined;   /* with ___ between them */
} relation;

typedef struct ogb_typed {
  ogb *o;
  VEC(node_type) types;
  VEC(relation) relations;
  map numbers_of_types; /* name -> place in types */
  int64_t num_nodes;
  int64_t numbers; /* in the tables of nodes */
  edge_list list;
} ogb_typed;

/* Copies a name from a file, which becomes a part of paths and fields. */
static status take_name(ogb_typed *g, const folder_text *file, int64_t line, token t, const char **out) {
  bool is_good = t.length && *t.begin != '.' && !memchr(t.begin, '/', t.length) && !memchr(t.begin, '\0', t.length);
  *out = arena_strndup(g->o->memory, t.begin, t.length);
  if (is_good) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%s: line %" PRId64 ": '%.*s' is no name of a type or relation", file->shown,
                      line, token_shown_length(t), t.begin);
}

static int compare_types(const void *a, const void *b) {
  return strcmp(((const node_type *)a)->name, ((const node_type *)b)->name);
}

static int compare_relations(const void *a, const void *b) {
  const relation *x = a, *y = b;
  for (int i = 0; i < 3; i++) {
    int order = strcmp(x->parts[i], y->parts[i]);
    if (order) return order;
  }
  return 0;
}

/* Returns the number of a type, or -1. */
static int64_t find_type(const ogb_typed *g, const char *name) {
  return map_get(&g->numbers_of_types, name, -1);
}

static status read_types(ogb_typed *g) {
  folder_text file;
  RETURN_IF_ERROR(folder_read(g->o->folder, g->o->memory, ogb_path(g->o, "num-node-dict.csv"), &file));
  token_reader r = token_reader_create(file.data, file.size);
  token names = {0}, counts = {0}, extra, name, count;
  if (!token_next_line(&r, &names) || !token_next_line(&r, &counts) || (token_next_line(&r, &extra) && extra.length))
    return status_error(STATUS_CODE_unsupported,
                        "%s: has %" PRId64 " lines, expected types and the numbers of nodes of one graph", file.shown,
                        r.line);
  while (token_next_field(&names, ',', &name)) {
    node_type type = {0};
    RETURN_IF_ERROR(take_name(g, &file, 1, name, &type.name));
    bool is_count = token_next_field(&counts, ',', &count) && token_parse_i64(count, &type.nodes.count);
    if (!is_count || type.nodes.count < 0 || type.nodes.count > INT32_MAX)
      return status_error(STATUS_CODE_format, "%s: line 2: no number of nodes for type '%s'", file.shown, type.name);
    if (find_type(g, type.name) >= 0)
      return status_error(STATUS_CODE_format, "%s: line 1: type '%s' appears twice", file.shown, type.name);
    map_set(&g->numbers_of_types, type.name, 0);
    VEC_PUSH(g->o->memory, &g->types, type);
  }
  qsort(g->types.items, g->types.count, sizeof *g->types.items, compare_types);
  for (size_t i = 0; i < g->types.count; i++) {
    map_set(&g->numbers_of_types, g->types.items[i].name, (int64_t)i);
    g->types.items[i].nodes.begin = g->num_nodes;
    g->num_nodes += g->types.items[i].nodes.count;
  }
  if (g->num_nodes <= INT32_MAX) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported, "%s: has %" PRId64 " nodes, at most %d are supported", file.shown,
                      g->num_nodes, INT32_MAX);
}

static status read_relations(ogb_typed *g) {
  folder_text file;
  arena *a = g->o->memory;
  RETURN_IF_ERROR(folder_read(g->o->folder, a, ogb_path(g->o, "triplet-type-list.csv"), &file));
  token_reader r = token_reader_create(file.data, file.size);
  for (token line, field; token_next_line(&r, &line);) {
    relation rel = {0};
    int count = 0;
    if (!line.length) continue;
    for (; token_next_field(&line, ',', &field); count++)
      if (count < 3) RETURN_IF_ERROR(take_name(g, &file, r.line, field, &rel.parts[count]));
    if (count != 3)
      return status_error(STATUS_CODE_format,
                          "%s: line %" PRId64 ": %d columns, expected source type, relation and target type",
                          file.shown, r.line, count);
    for (int end = 0; end < 3; end += 2)
      if (find_type(g, rel.parts[end]) < 0)
        return status_error(STATUS_CODE_mismatch, "%s: line %" PRId64 ": '%s' is no type of num-node-dict.csv",
                            file.shown, r.line, rel.parts[end]);
    rel.joined = arena_printf(a, "%s___%s___%s", rel.parts[0], rel.parts[1], rel.parts[2]);
    VEC_PUSH(a, &g->relations, rel);
  }
  if (g->relations.count) qsort(g->relations.items, g->relations.count, sizeof *g->relations.items, compare_relations);
  return STATUS_OK;
}

/* Adds the edges of a relation to the list. */
static status read_edges(ogb_typed *g, size_t number) {
  const relation *r = &g->relations.items[number];
  const char *inside = ogb_path(g->o, arena_printf(g->o->memory, "relations/%s", r->joined));
  folder_names names = folder_list(g->o->folder, g->o->memory, inside);
  for (size_t i = 0; i < names.count; i++)
    if (strcmp(names.items[i], "edge.csv") != 0 && strcmp(names.items[i], "num-edge-list.csv") != 0)
      ogb_leave_out(g->o, arena_printf(g->o->memory, "%s/%s", inside, names.items[i]), "values of one relation");
  arena *scratch = arena_create();
  tensor t;
  status s = number_table_read_file(scratch, g->o->folder, arena_printf(g->o->memory, "%s/edge.csv", inside), &t);
  if (!s) s = ogb_check_edges(g->o, &t, false, t.dims[0]);
  const ogb_range limits[2] = {g->types.items[find_type(g, r->parts[0])].nodes,
                               g->types.items[find_type(g, r->parts[2])].nodes};
  for (int64_t e = 0; !s && e < t.dims[0]; e++) {
    edge_record edge;
    s = ogb_read_edge(&t, false, e, limits, &edge);
    edge.type = (int32_t)number;
    if (!s) s = edge_list_add(&g->list, edge);
  }
  arena_destroy(scratch);
  return s;
}

/* Adds the tables of nodes of a type; `inside` is their folder. */
static status read_node_tables(ogb_typed *g, const node_type *type, const char *inside) {
  folder_names names = folder_list(g->o->folder, g->o->memory, inside);
  for (size_t i = 0; i < names.count; i++) {
    const char *name = names.items[i], *path = arena_printf(g->o->memory, "%s/%s", inside, name);
    size_t length = strlen(name);
    bool is_features = !strcmp(name, "node-feat.csv");
    if (!text_ends_with(name, ".csv") || !folder_has(g->o->folder, path)) continue;
    tensor t;
    RETURN_IF_ERROR(number_table_read_file(g->o->set->memory, g->o->folder, path, &t));
    if (t.dims[0] != type->nodes.count)
      return status_error(STATUS_CODE_mismatch,
                          "%s: has %" PRId64 " rows, expected one per node of type '%s', %" PRId64, t.name, t.dims[0],
                          type->name, type->nodes.count);
    g->numbers += t.count;
    const char *field = is_features ? "x" : arena_strndup(g->o->memory, name, length - strlen(".csv"));
    RETURN_IF_ERROR(ogb_add_field(g->o, arena_printf(g->o->memory, "%s.%s", field, type->name), &t, is_features));
  }
  return STATUS_OK;
}

/* Copies labels of a type to y, which is -1 at all other nodes. */
static status add_labels(ogb_typed *g, const node_type *type, const tensor *labels) {
  void *y;
  const tensor *there = tensor_set_find(g->o->set, "y");
  if (there) {
    y = (void *)(uintptr_t)there->data;
  } else {
    RETURN_IF_ERROR(tensor_set_add(g->o->set, "y", DTYPE_I64, 1, &g->num_nodes, &y));
    for (int64_t n = 0; n < g->num_nodes; n++) ((int64_t *)y)[n] = -1;
  }
  for (int64_t n = 0; n < type->nodes.count; n++)
    ((int64_t *)y)[type->nodes.begin + n] = convert_element_i64(labels, n);
  return STATUS_OK;
}

static status read_labels(ogb_typed *g, const node_type *type) {
  const char *path = ogb_path(g->o, arena_printf(g->o->memory, "node-label/%s/node-label.csv", type->name));
  tensor t;
  if (!folder_has(g->o->folder, path)) return STATUS_OK;
  RETURN_IF_ERROR(number_table_read_file(g->o->set->memory, g->o->folder, path, &t));
  if (t.dims[0] != type->nodes.count)
    return status_error(STATUS_CODE_mismatch, "%s: has %" PRId64 " rows, expected one per node of type '%s', %" PRId64,
                        t.name, t.dims[0], type->name, type->nodes.count);
  if (t.dtype == DTYPE_I64 && t.dims[1] == 1) return add_labels(g, type, &t);
  return ogb_add_field(g->o, arena_printf(g->o->memory, "y.%s", type->name), &t, false);
}

/* Adds node_type, node_type_ptr and the metadata of types and relations. */
static status add_types(ogb_typed *g) {
  void *type_of, *ptr;
  text types = {0}, relations = {0};
  RETURN_IF_ERROR(tensor_set_add(g->o->set, "node_type", DTYPE_I32, 1, &g->num_nodes, &type_of));
  RETURN_IF_ERROR(
      tensor_set_add(g->o->set, "node_type_ptr", DTYPE_I64, 1, (int64_t[]){(int64_t)g->types.count + 1}, &ptr));
  for (size_t i = 0; i < g->types.count; i++) {
    const node_type *type = &g->types.items[i];
    text_printf(&types, "%s%s:%" PRId64, i ? " | " : "", type->name, type->nodes.count);
    for (int64_t n = 0; n < type->nodes.count; n++) ((int32_t *)type_of)[type->nodes.begin + n] = (int32_t)i;
    ((int64_t *)ptr)[i + 1] = type->nodes.begin + type->nodes.count;
  }
  for (size_t i = 0; i < g->relations.count; i++)
    text_printf(&relations, "%s%s", i ? " | " : "", g->relations.items[i].joined);
  tensor_set_put_metadata_int(g->o->set, "num_node_types", (int64_t)g->types.count);
  tensor_set_put_metadata(g->o->set, "node_types", text_str(&types));
  tensor_set_put_metadata(g->o->set, "relations", text_str(&relations));
  text_free(&types);
  text_free(&relations);
  return STATUS_OK;
}

static status build(ogb_typed *g) {
  RETURN_IF_ERROR(read_types(g));
  RETURN_IF_ERROR(read_relations(g));
  g->list.has_types = true;
  g->list.num_types = (int64_t)g->relations.count;
  for (size_t i = 0; i < g->relations.count; i++) RETURN_IF_ERROR(read_edges(g, i));
  import_options options = *g->o->options;
  options.is_matrix = false;
  RETURN_IF_ERROR(edge_list_finish(&g->list, g->num_nodes, &options, g->o->set));
  for (size_t i = 0; i < g->types.count; i++) {
    const node_type *type = &g->types.items[i];
    RETURN_IF_ERROR(read_node_tables(g, type, ogb_path(g->o, arena_printf(g->o->memory, "node-feat/%s", type->name))));
  }
  RETURN_IF_ERROR(ogb_check_nodes(g->o, g->num_nodes, 2 * g->list.count + g->numbers));
  RETURN_IF_ERROR(add_types(g));
  for (size_t i = 0; i < g->types.count; i++) {
    const node_type *type = &g->types.items[i];
    RETURN_IF_ERROR(read_labels(g, type));
    RETURN_IF_ERROR(ogb_read_split(g->o, type->name, g->num_nodes, type->nodes, "nodes of the type"));
  }
  return STATUS_OK;
}

status ogb_read_typed(ogb *o) {
  ogb_typed g = {.o = o, .numbers_of_types = {.arena = o->memory, .of_strings = true}};
  status s = build(&g);
  edge_list_free(&g.list);
  return s;
}
