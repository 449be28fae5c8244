/* Numbers of rows as text of generated C: see count.h. */
#include "codegen/c/model/count.h"

#include "support/edge_mode.h"

const char *c_count_edges(const c_model *m, const c_set *set) {
  if (set->is_run) return arena_printf(m->arena, "%s_edges", set->id);
  return set->base < 0 ? "header->num_edges" : arena_printf(m->arena, "header->%s_edges", set->id);
}

const char *c_count_room(const c_model *m, const c_set *set) {
  if (!set->is_run) return c_count_edges(m, set);
  if (set->run.is_power) return arena_printf(m->arena, "header->%s_room", set->id);
  if (set->run.is_near) return arena_printf(m->arena, "header->num_nodes * %lld", (long long)set->run.most);
  const char *base = c_count_room(m, &m->sets.items[set->base]);
  return set->run.mode ? arena_printf(m->arena, "%s + header->num_nodes", base) : base;
}

const char *c_count_most_edges(const c_model *m, const c_set *set) {
  if (!set->mode) return "e";
  for (const c_set *at = set; at->base >= 0; at = &m->sets.items[at->base])
    if (at->mode && edge_mode_doubles(at->mode)) return "e + e + v";
  return "e + v";
}

const char *c_count_nodes(const c_model *m, const c_set *set) {
  return set->part < 0 ? "header->num_nodes" : arena_printf(m->arena, "header->%s_nodes", set->id);
}

const char *c_count_own_nodes(const c_model *m, const c_set *set) {
  return m->has_ranks && set->part < 0 ? "header->num_own" : c_count_nodes(m, set);
}

const char *c_count_made_nodes(const c_model *m, const c_set *set) {
  if (!m->has_columns || set->part >= 0) return c_count_own_nodes(m, set);
  return "(header->column_ranks ? header->num_nodes : header->num_own)";
}

static const char *count_types(const c_model *m, int64_t count) {
  return arena_printf(m->arena, "%lld", (long long)(count > 0 ? count : 1));
}

const char *c_count_rows(const c_model *m, c_rows rows, int set, int64_t count) {
  const c_set *of = &m->sets.items[set < 0 ? 0 : set];
  switch (rows) {
  case C_ROWS_node:
  case C_ROWS_nonzero: return c_count_nodes(m, of);
  case C_ROWS_edge: return c_count_edges(m, of);
  case C_ROWS_graph: return "header->num_graphs";
  case C_ROWS_etype_src: return "header->src_kinds";
  case C_ROWS_etype_dst: return "header->dst_kinds";
  case C_ROWS_etype:
  case C_ROWS_ntype: return count_types(m, count);
  case C_ROWS_piece: return count_types(m, IR_PIECES);
  case C_ROWS_strip:
    return arena_printf(m->arena, "header->num_nodes * most_strips(%lld, header->column_ranks)", (long long)count);
  default: return NULL;
  }
}

const char *c_count_most_rows(const c_model *m, c_rows rows, int set, int64_t count) {
  switch (rows) {
  case C_ROWS_node: return "v";
  case C_ROWS_edge: return c_count_most_edges(m, &m->sets.items[set]);
  case C_ROWS_graph: return "g";
  case C_ROWS_one: return "1";
  case C_ROWS_piece: return count_types(m, IR_PIECES);
  default: return count_types(m, count);
  }
}
