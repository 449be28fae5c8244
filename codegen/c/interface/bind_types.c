/* The part of the bind function that prepares types: pairs of edge type and end node, segments of
 * rows by type, places of nodes among those of their type, members of the graphs of a batch.
 *
 *   edge_pairs src_pairs = {.num_edges = graph->num_edges, .end = graph->src, ...};
 *   result = find_pairs(&src_pairs, index);
 *   header->g_unique_src_edges = src_pairs.count; */
#include "codegen/c/interface/bind_types.h"

#include "codegen/c/interface/bind_sort.h"
#include "codegen/c/interface/layout.h"
#include "codegen/c/model/array.h"
#include "codegen/c/model/count.h"

/* The set of unique pairs at one end; NULL if the model has none. */
static const c_set *find_unique(const c_model *m, int end) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (c_array_end(&m->sets.items[i]) == &c_array_ends[end]) return &m->sets.items[i];
  return NULL;
}

static void pair_field(c_writer *w, const char *name, const char *place) {
  c_writer_line(w, ".%s = %s,", name, place);
}

static const char *kind_table(const c_model *m, int end, const char *which) {
  if (!m->pairs[end].has_kinds) return "NULL";
  return c_layout_numbers(m, arena_printf(m->arena, "%s_kind_%s", c_array_ends[end].name, which));
}

static void emit_find(c_model *m, c_writer *w, int end, const c_set *unique, const char *kind) {
  const char *name = c_array_ends[end].name;
  c_writer_line(w, "edge_pairs %s_pairs = {", name);
  w->depth += 2;
  pair_field(w, "num_edges", "graph->num_edges");
  pair_field(w, "edge_type", "graph->edge_type");
  pair_field(w, "end", arena_printf(m->arena, "graph->%s", name));
  pair_field(w, "node_type", "graph->node_type");
  pair_field(w, "most_kinds", arena_printf(m->arena, "%lld", (long long)m->pairs[end].most_kinds));
  pair_field(w, "order", c_layout_numbers(m, "order"));
  pair_field(w, "row", c_layout_numbers(m, "other_order"));
  pair_field(w, "node", c_layout_array_or_null(m, unique, c_array_ends[end].node));
  pair_field(w, "type", c_layout_array_or_null(m, unique, C_ARRAY_type));
  pair_field(w, "kind", kind);
  pair_field(w, "member_ptr", c_layout_array_or_null(m, unique, C_ARRAY_member_ptr));
  pair_field(w, "kind_etype", kind_table(m, end, "etype"));
  pair_field(w, "kind_ntype", kind_table(m, end, "ntype"));
  w->depth -= 2;
  c_writer_line(w, "};");
  c_writer_line(w, "result = find_pairs(&%s_pairs, index);", name);
  c_writer_line(w, "if (result) return result;");
  c_writer_line(w, "header->%s_kinds = %s_pairs.kinds;", name, name);
  if (unique) c_writer_line(w, "header->%s_edges = %s_pairs.count;", unique->id, name);
}

/* Writes the maps from edges to pairs and back, where edge numbers become positions. */
static void emit_maps(c_model *m, c_writer *w, int end, const c_set *unique, const char *kind) {
  const c_set *base = &m->sets.items[0];
  c_array kinds = c_array_ends[end].kind;
  const char *edges = "header->num_edges", *rows = c_layout_numbers(m, "other_order");
  const char *number = base->has_csc ? c_layout_array_or_null(m, base, C_ARRAY_number) : "NULL";
  if (unique && c_array_is_made(unique, C_ARRAY_member)) {
    const char *order = c_layout_numbers(m, "order"), *member = c_layout_array(m, unique, C_ARRAY_member);
    if (base->has_csc)
      c_writer_line(w, "permute(%s, %s, %s, %s);", edges, c_layout_array(m, base, C_ARRAY_position), order, member);
    else
      c_writer_line(w, "permute(%s, %s, NULL, %s);", edges, order, member);
  }
  if (unique && c_array_is_made(unique, C_ARRAY_row))
    c_writer_line(w, "permute(%s, %s, %s, %s);", edges, rows, number, c_layout_array(m, unique, C_ARRAY_row));
  if (!c_array_is_made(base, kinds)) return;
  c_writer_line(w, "permute(%s, %s, %s, %s);", edges, rows, number, c_layout_array(m, base, kinds));
  c_writer_line(w, "permute(%s, %s, %s, %s);", edges, kind, c_layout_array(m, base, kinds),
                c_layout_array(m, base, kinds));
}

static void emit_unique_order(c_model *m, c_writer *w, int end, const c_set *unique, c_array ptr, c_array position) {
  c_bind_sort_open(m, w, unique, c_layout_array_or_null(m, unique, c_array_ends[end].node), ptr);
  c_writer_line(w, "move_edges(&sort, NULL, %s);", c_layout_array(m, unique, position));
  c_bind_sort_close(w);
}

static void emit_unique(c_model *m, c_writer *w, int end, const c_set *unique) {
  if (unique->has_csc) emit_unique_order(m, w, end, unique, C_ARRAY_in_ptr, C_ARRAY_in_position);
  if (unique->has_csr) emit_unique_order(m, w, end, unique, C_ARRAY_out_ptr, C_ARRAY_out_position);
}

static void emit_segments(c_model *m, c_writer *w, const c_set *set) {
  for (int i = 0; i < C_SEGMENTS_COUNT; i++) {
    const c_segments *of = &c_array_segments[i];
    if (c_array_is_made(set, of->ptr))
      c_writer_line(w, "group_by_type(%lld, %s, %s, %s, %s);", (long long)c_model_types(m, of->types),
                    c_count_edges(m, set), c_layout_array(m, set, of->key), c_layout_array(m, set, of->ptr),
                    c_layout_array_or_null(m, set, of->order));
  }
}

static void emit_nodes(c_model *m, c_writer *w) {
  const char *nodes = c_count_own_nodes(m, &m->sets.items[0]), *ptr = "(int64_t *)(void *)(block + l.ntype_ptr)";
  const char *order = c_layout_numbers(m, "ntype_order");
  long long types = (long long)m->node_buckets;
  if (m->has_node_types)
    c_writer_line(w, "permute(header->num_nodes, graph->node_type, NULL, %s);", c_layout_numbers(m, "node_type"));
  if (m->has_batch) c_writer_line(w, "keep_batch(graph, %s);", c_layout_numbers(m, "batch"));
  if (m->has_graph_members)
    c_writer_line(w, "group_edges(header->num_graphs, %s, %s, %s, %s);", nodes, c_layout_numbers(m, "batch"),
                  "(int64_t *)(void *)(block + l.graph_ptr)", c_layout_numbers(m, "graph_order"));
  if (m->has_cells && m->has_pieces)
    c_writer_line(w, "cut_cells(context, %s, %d, %s, %s);", nodes, IR_PIECES,
                  "(int64_t *)(void *)(block + l.piece_ptr)", c_layout_numbers(m, "piece_order"));
  else if (m->has_pieces)
    c_writer_line(w, "cut_pieces(%s, %d, (int64_t *)(void *)(block + l.piece_ptr));", nodes, IR_PIECES);
  if (!m->has_node_order) return;
  c_writer_line(w, "int64_t *const ntype_ptr = %s;", ptr);
  c_writer_line(w, "group_by_type(%lld, %s, graph->node_type, ntype_ptr, %s);", types, nodes, order);
  if (m->has_place)
    c_writer_line(w, "number_places(%lld, ntype_ptr, %s, %s);", types, order, c_layout_numbers(m, "place"));
  for (size_t i = 0; i < m->sets.count; i++) {
    const c_set *set = &m->sets.items[i];
    if (set->part < 0) continue;
    long long type = (long long)set->part;
    c_writer_line(w, "header->%s_first = ntype_ptr[%lld];", set->id, type);
    c_writer_line(w, "header->%s_nodes = ntype_ptr[%lld] - ntype_ptr[%lld];", set->id, type + 1, type);
  }
}

void c_bind_types_emit(c_model *m, c_writer *w) {
  for (int end = 0; end < C_END_COUNT; end++) {
    if (!m->pairs[end].is_found) continue;
    const c_set *unique = find_unique(m, end);
    c_array kinds = c_array_ends[end].kind;
    bool keeps_kind = unique && c_array_is_made(unique, kinds);
    const char *kind = c_array_is_made(&m->sets.items[0], kinds) ? c_layout_numbers(m, "kind_of_pair") : "NULL";
    if (keeps_kind) kind = c_layout_array(m, unique, kinds);
    emit_find(m, w, end, unique, kind);
    emit_maps(m, w, end, unique, kind);
    if (unique) emit_unique(m, w, end, unique);
  }
  for (size_t i = 0; i < m->sets.count; i++) emit_segments(m, w, &m->sets.items[i]);
  emit_nodes(m, w);
}
