/* Decides which arrays the bound block holds for each edge set, and knows their sizes: a row per
 * array. The calls of routines in the module decide.
 *
 *   intra.call adjacency {form = "csc", set = "g"}     ->  g_in_ptr [v + 1], g_src [e]
 *   intra.call groups {form = "pair", set = "g.unique_src"}  ->  g_unique_src_row [e]
 * An array that is needed only while a graph is bound is made in scratch memory, at the end of the
 * block. */
#include "codegen/c/model/array.h"

#include "codegen/c/model/count.h"

#include <string.h>

enum { BY_EDGE, BY_BASE_EDGE, BY_NODE, BY_EDGE_END, BY_TYPE_END, BY_SRC_KIND_END, BY_DST_KIND_END };

typedef struct array_row {
  const char *name;
  bool is_pointer; /* elements are int64_t, else int32_t */
  int rows;
} array_row;

static const array_row rows[C_ARRAY_count] = {
    [C_ARRAY_in_ptr] = {"in_ptr", true, BY_NODE},
    [C_ARRAY_src] = {"src", false, BY_EDGE},
    [C_ARRAY_dst] = {"dst", false, BY_EDGE},
    [C_ARRAY_number] = {"number", false, BY_EDGE},
    [C_ARRAY_position] = {"position", false, BY_EDGE},
    [C_ARRAY_base] = {"base", false, BY_EDGE},
    [C_ARRAY_type] = {"type", false, BY_EDGE},
    [C_ARRAY_out_ptr] = {"out_ptr", true, BY_NODE},
    [C_ARRAY_out_dst] = {"out_dst", false, BY_EDGE},
    [C_ARRAY_out_position] = {"out_position", false, BY_EDGE},
    [C_ARRAY_opposite] = {"opposite", false, BY_EDGE},
    [C_ARRAY_in_position] = {"in_position", false, BY_EDGE},
    [C_ARRAY_row] = {"row", false, BY_BASE_EDGE},
    [C_ARRAY_member_ptr] = {"member_ptr", true, BY_EDGE_END},
    [C_ARRAY_member] = {"member", false, BY_BASE_EDGE},
    [C_ARRAY_kind_src] = {"kind_src", false, BY_EDGE},
    [C_ARRAY_kind_dst] = {"kind_dst", false, BY_EDGE},
    [C_ARRAY_etype_ptr] = {"etype_ptr", true, BY_TYPE_END},
    [C_ARRAY_etype_order] = {"etype_order", false, BY_EDGE},
    [C_ARRAY_kind_src_ptr] = {"kind_src_ptr", true, BY_SRC_KIND_END},
    [C_ARRAY_kind_src_order] = {"kind_src_order", false, BY_EDGE},
    [C_ARRAY_kind_dst_ptr] = {"kind_dst_ptr", true, BY_DST_KIND_END},
    [C_ARRAY_kind_dst_order] = {"kind_dst_order", false, BY_EDGE},
};

const c_end c_array_ends[C_END_COUNT] = {
    {"src", C_ARRAY_src, C_ARRAY_kind_src, C_ROWS_etype_src},
    {"dst", C_ARRAY_dst, C_ARRAY_kind_dst, C_ROWS_etype_dst},
};

const c_end *c_array_end(const c_set *set) {
  for (int i = 0; set->end && i < C_END_COUNT; i++)
    if (!strcmp(set->end, c_array_ends[i].name)) return &c_array_ends[i];
  return NULL;
}

const c_segments c_array_segments[C_SEGMENTS_COUNT] = {
    {C_ROWS_etype, C_ARRAY_etype_ptr, C_ARRAY_etype_order, C_ARRAY_type},
    {C_ROWS_etype_src, C_ARRAY_kind_src_ptr, C_ARRAY_kind_src_order, C_ARRAY_kind_src},
    {C_ROWS_etype_dst, C_ARRAY_kind_dst_ptr, C_ARRAY_kind_dst_order, C_ARRAY_kind_dst},
};

const char *c_array_name(c_array array) {
  return rows[array].name;
}

const char *c_array_type(c_array array) {
  return rows[array].is_pointer ? "int64_t" : "int32_t";
}

bool c_array_is_kept(const c_set *set, c_array array) {
  return set->kept >> array & 1;
}

bool c_array_is_made(const c_set *set, c_array array) {
  return set->made >> array & 1;
}

const char *c_array_rows(const c_model *m, const c_set *set, c_array array) {
  if (set->is_run) return rows[array].rows == BY_NODE ? "header->num_nodes + 1" : c_count_room(m, set);
  switch (rows[array].rows) {
  case BY_BASE_EDGE: return "e";
  case BY_NODE: return "v + 1";
  case BY_EDGE_END: return "e + 1";
  case BY_TYPE_END: return arena_printf(m->arena, "%lld", (long long)c_model_types(m, C_ROWS_etype) + 1);
  case BY_SRC_KIND_END: return arena_printf(m->arena, "%lld", (long long)m->pairs[0].most_kinds + 1);
  case BY_DST_KIND_END: return arena_printf(m->arena, "%lld", (long long)m->pairs[1].most_kinds + 1);
  default: return c_count_most_edges(m, set);
  }
}

void c_array_list_shared(const c_model *m, c_shared_array *out) {
  arena *a = m->arena;
  const char *types = arena_printf(a, "%lld", (long long)m->node_buckets + 1);
  const char *kinds[C_END_COUNT];
  for (int end = 0; end < C_END_COUNT; end++)
    kinds[end] = m->pairs[end].has_kinds ? arena_printf(a, "%lld", (long long)m->pairs[end].most_kinds) : NULL;
  const c_shared_array list[C_SHARED_COUNT] = {
      {"node_type", "int32_t", m->has_node_types ? "v" : NULL},
      {"batch", "int32_t", m->has_batch ? "v" : NULL},
      {"ntype_ptr", "int64_t", m->has_node_order ? types : NULL},
      {"ntype_order", "int32_t", m->has_node_order ? "v" : NULL},
      {"place", "int32_t", m->has_place ? "v" : NULL},
      {"graph_ptr", "int64_t", m->has_graph_members ? "g + 1" : NULL},
      {"graph_order", "int32_t", m->has_graph_members ? "v" : NULL},
      {"piece_ptr", "int64_t", m->has_pieces ? arena_printf(a, "%d", IR_PIECES + 1) : NULL},
      {"piece_order", "int32_t", m->has_cells && m->has_pieces ? "v" : NULL},
      {"src_kind_etype", "int32_t", kinds[0]},
      {"src_kind_ntype", "int32_t", kinds[0]},
      {"dst_kind_etype", "int32_t", kinds[1]},
      {"dst_kind_ntype", "int32_t", kinds[1]},
  };
  for (int i = 0; i < C_SHARED_COUNT; i++) out[i] = list[i];
}

/* ---- deciding ---- */

#define BIT(name) (1u << C_ARRAY_##name)

static uint32_t when(bool condition, uint32_t bits) {
  return condition ? bits : 0;
}

static void keep_of_unique(c_set *set) {
  uint32_t node = 1u << c_array_end(set)->node;
  set->kept = set->wants | when(set->has_csc, BIT(in_ptr) | BIT(in_position)) |
              when(set->has_csr, BIT(out_ptr) | BIT(out_position)) | when(set->has_coo, node) |
              when(set->has_types, BIT(type));
  /* its rows are grouped by type already */
  set->kept &= ~(BIT(etype_order) | BIT(kind_src_order) | BIT(kind_dst_order));
  uint32_t made = when(set->has_csc || set->has_csr, node) | when(set->wants & BIT(etype_ptr), BIT(type)) |
                  when(set->wants & BIT(kind_src_ptr), BIT(kind_src)) |
                  when(set->wants & BIT(kind_dst_ptr), BIT(kind_dst));
  set->made = set->kept | made;
}

static void keep_of_edges(c_set *set) {
  if (set->is_run) {
    set->has_number = set->has_position = false; /* positions are numbers */
    set->made = set->kept = BIT(in_ptr) | BIT(src) | when(set->has_coo || set->has_csr, BIT(dst)) |
                            when(set->has_base, BIT(base)) |
                            when(set->has_csr, BIT(out_ptr) | BIT(out_dst) | BIT(out_position));
    return;
  }
  set->has_position = set->has_csc && (set->has_position || set->has_csr);
  set->has_number = set->has_csc && (set->has_number || set->has_types || set->has_base || set->has_position);
  set->kept = set->wants | when(set->has_csc, BIT(in_ptr) | BIT(src)) | when(set->has_coo, BIT(src) | BIT(dst)) |
              when(set->has_number, BIT(number)) | when(set->has_position, BIT(position)) |
              when(set->has_base, BIT(base)) | when(set->has_types, BIT(type)) |
              when(set->has_csr, BIT(out_ptr) | BIT(out_dst) | BIT(out_position));
  set->made = set->kept | when(set->wants & BIT(etype_ptr), BIT(type)) |
              when(set->wants & BIT(kind_src_ptr), BIT(kind_src)) | when(set->wants & BIT(kind_dst_ptr), BIT(kind_dst));
  set->made |= when(set->mode && (set->made & BIT(type)), BIT(base)); /* the types are those of the stored edges */
}

/* Adds the arrays that pairs need: they are found by edge numbers and read by edge positions. */
static void make_for_pairs(c_model *m, c_set *set) {
  c_set *base = set->end ? &m->sets.items[set->base] : set;
  uint32_t by_number = BIT(row) | BIT(kind_src) | BIT(kind_dst);
  if (!base->has_csc) return;
  if (set->made & by_number) base->made |= BIT(number);
  if (set->made & BIT(member)) base->made |= BIT(number) | BIT(position);
}

/* Sums by cells sort the rows of each cell by type anew. */
static void keep_for_cells(c_set *set) {
  for (int i = 0; i < C_SEGMENTS_COUNT; i++)
    if (set->kept >> c_array_segments[i].ptr & 1) set->kept |= 1u << c_array_segments[i].key;
}

/* Whether a set needs the pairs at one end of edges. */
static bool finds_pairs(const c_set *set, const c_end *end) {
  return c_array_is_made(set, end->kind) || c_array_end(set) == end;
}

/* Decides the order of nodes by type; types without a part and without a value per type are left
 * out of it. */
static void decide_nodes(c_model *m) {
  for (size_t i = 0; i < m->sets.count; i++) {
    int64_t part = m->sets.items[i].part;
    m->has_node_order |= part >= 0;
    if (part >= m->part_limit) m->part_limit = part + 1;
  }
  m->has_node_order |= m->has_place;
  m->has_node_types |= m->has_node_order;
  int64_t types = c_model_types(m, C_ROWS_ntype);
  m->node_buckets = types < INT32_MAX && types > m->part_limit ? types : m->part_limit;
}

void c_array_decide(c_model *m) {
  decide_nodes(m);
  for (size_t i = 0; i < m->sets.count; i++) {
    c_set *set = &m->sets.items[i];
    if (set->part >= 0) continue;
    if (set->end)
      keep_of_unique(set);
    else
      keep_of_edges(set);
  }
  for (size_t i = 0; i < m->sets.count && m->has_cells; i++) keep_for_cells(&m->sets.items[i]);
  for (size_t i = 0; i < m->sets.count; i++) make_for_pairs(m, &m->sets.items[i]);
  for (int end = 0; end < C_END_COUNT; end++) {
    c_pairs *pairs = &m->pairs[end];
    pairs->most_kinds = c_model_types(m, c_array_ends[end].kinds);
    pairs->has_kinds = pairs->most_kinds < INT32_MAX;
    pairs->is_found = pairs->has_kinds;
    for (size_t i = 0; i < m->sets.count; i++) pairs->is_found |= finds_pairs(&m->sets.items[i], &c_array_ends[end]);
    m->has_edge_types |= pairs->is_found;
  }
}
