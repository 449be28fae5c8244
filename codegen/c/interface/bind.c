/* The generated bind function: it checks the graph once, groups its edges, packs or copies weights,
 * and computes what depends on graph and weights alone. */
#include "codegen/c/interface/bind.h"

#include "codegen/c/interface/bind_sort.h"
#include "codegen/c/interface/bind_types.h"
#include "codegen/c/interface/layout.h"
#include "codegen/c/interface/routines.h"
#include "codegen/c/model/array.h"
#include "codegen/c/model/count.h"
#include "support/edge_mode.h"

#include <string.h>

/* The array with one end of a set's edges in the order of their numbers: the caller's, or one that
 * is made in scratch memory. */
static const char *numbered(const c_model *m, const c_set *set, const char *end) {
  if (set->base < 0) return arena_printf(m->arena, "graph->%s", end);
  return c_layout_numbers(m, arena_printf(m->arena, "%s_own_%s", set->id, end));
}

static void bind_field(c_writer *w, const char *name, const char *value) {
  c_writer_line(w, ".%s = %s,", name, value);
}

/* Lists the ways of each type of a relation or a union; the last one is that of all other types. */
static void emit_ways(const c_model *m, c_writer *w, const char *mode) {
  int64_t count = edge_mode_types(mode) + 1;
  unsigned char *ways = arena_alloc_array(m->arena, (size_t)count, 1);
  edge_mode_list_ways(mode, count, ways);
  text list = {0};
  for (int64_t type = 0; type < count; type++) text_printf(&list, "%s%d", type ? ", " : "", ways[type]);
  c_writer_line(w, "static const unsigned char ways[] = {%s};", text_str(&list));
  text_free(&list);
}

static void emit_edge_set(c_model *m, c_writer *w, const c_set *set) {
  const c_set *base = &m->sets.items[set->base];
  edge_mode mode = edge_mode_read(set->mode);
  const char *to_base = c_array_is_made(set, C_ARRAY_base) ? numbered(m, set, "base") : "NULL";
  c_writer_line(w, "{");
  w->depth++;
  if (edge_mode_is_chosen(mode)) emit_ways(m, w, set->mode);
  c_writer_line(w, "made_set made = {");
  w->depth += 2;
  bind_field(w, "context", "context");
  bind_field(w, "num_nodes", c_count_made_nodes(m, base));
  bind_field(w, "num_edges", c_count_edges(m, base));
  bind_field(w, "src", numbered(m, base, "src"));
  bind_field(w, "dst", numbered(m, base, "dst"));
  if (edge_mode_is_chosen(mode)) bind_field(w, "ways", "ways");
  if (edge_mode_types(set->mode)) {
    bind_field(w, "types", "graph->edge_type");
    bind_field(w, "last_type", arena_printf(m->arena, "%lld", (long long)edge_mode_types(set->mode)));
  }
  bind_field(w, "most", arena_printf(m->arena, "%d", edge_mode_kept_loops(mode)));
  bind_field(w, "adds", edge_mode_has_loops(mode) ? "1" : "0");
  bind_field(w, "mark", c_layout_numbers(m, "mark"));
  bind_field(w, "to_src", numbered(m, set, "src"));
  bind_field(w, "to_dst", numbered(m, set, "dst"));
  bind_field(w, "to_base", to_base);
  w->depth -= 2;
  c_writer_line(w, "};");
  c_timed timed = {.phase = "bind", .function = "make_edge_set", .value = set->id, .cost = -1};
  c_writer_line(w, "%s",
                c_model_time(m, timed, arena_printf(m->arena, "header->%s_edges = make_edge_set(&made)", set->id)));
  w->depth--;
  c_writer_line(w, "}");
}

/* What stands in the order of an adjacency, where the model has that array; "NULL" are the numbers of edges. */
static void emit_move(c_model *m, c_writer *w, const c_set *set, c_array array, const char *from) {
  if (c_array_is_made(set, array)) c_writer_line(w, "move_edges(&sort, %s, %s);", from, c_layout_array(m, set, array));
}

/* Edges of a relation or a union have the types of the stored ones. */
static void emit_types_of_base(c_model *m, c_writer *w, const c_set *set) {
  if (set->base >= 0 && c_array_is_made(set, C_ARRAY_type))
    c_writer_line(w, "permute(%s, graph->edge_type, %s, %s);", c_count_edges(m, set),
                  c_layout_array(m, set, C_ARRAY_base), c_layout_array(m, set, C_ARRAY_type));
}

static void emit_by_dst(c_model *m, c_writer *w, const c_set *set) {
  c_bind_sort_open(m, w, set, numbered(m, set, "dst"), C_ARRAY_in_ptr);
  emit_move(m, w, set, C_ARRAY_src, numbered(m, set, "src"));
  if (c_array_is_made(set, C_ARRAY_dst)) c_writer_line(w, "move_keys(&sort, %s);", c_layout_array(m, set, C_ARRAY_dst));
  if (set->base < 0) emit_move(m, w, set, C_ARRAY_type, "graph->edge_type");
  if (set->base >= 0) emit_move(m, w, set, C_ARRAY_base, numbered(m, set, "base"));
  emit_move(m, w, set, C_ARRAY_number, "NULL");
  if (c_array_is_made(set, C_ARRAY_position))
    c_writer_line(w, "place_edges(&sort, %s);", c_layout_array(m, set, C_ARRAY_position));
  c_bind_sort_close(w);
}

static void emit_copy(c_model *m, c_writer *w, const c_set *set, c_array array, const char *from) {
  if (c_array_is_made(set, array))
    c_writer_line(w, "permute(%s, %s, NULL, %s);", c_count_edges(m, set), from, c_layout_array(m, set, array));
}

static void emit_in_order(c_model *m, c_writer *w, const c_set *set) {
  emit_copy(m, w, set, C_ARRAY_src, numbered(m, set, "src"));
  emit_copy(m, w, set, C_ARRAY_dst, numbered(m, set, "dst"));
  if (set->base < 0) emit_copy(m, w, set, C_ARRAY_type, "graph->edge_type");
  if (set->base >= 0) emit_copy(m, w, set, C_ARRAY_base, numbered(m, set, "base"));
}

/* The set as it is so far, and lists of edges in scratch memory: one edge per node, then one per edge. */
static void emit_opposite(c_model *m, c_writer *w, const c_set *set) {
  const char *first = c_layout_numbers(m, arena_printf(m->arena, "%s_first", set->id));
  c_writer_line(w, "{");
  w->depth++;
  c_writer_line(w, "const edge_set of = open_%s(block, &l);", set->id);
  c_timed timed = {.phase = "bind", .function = "find_opposites", .value = set->id, .cost = -1};
  c_writer_line(w, "%s",
                c_model_time(m, timed,
                             arena_printf(m->arena, "find_opposites(&of, %s, %s + header->num_nodes, %s)", first, first,
                                          c_layout_array(m, set, C_ARRAY_opposite))));
  w->depth--;
  c_writer_line(w, "}");
}

static void emit_adjacency(c_model *m, c_writer *w, const c_set *set) {
  (set->has_csc ? emit_by_dst : emit_in_order)(m, w, set);
  emit_types_of_base(m, w, set);
  if (!set->has_csr) return;
  c_bind_sort_open(m, w, set, numbered(m, set, "src"), C_ARRAY_out_ptr);
  emit_move(m, w, set, C_ARRAY_out_dst, numbered(m, set, "dst"));
  emit_move(m, w, set, C_ARRAY_out_position, set->has_position ? c_layout_array(m, set, C_ARRAY_position) : "NULL");
  c_bind_sort_close(w);
  if (c_array_is_made(set, C_ARRAY_opposite)) emit_opposite(m, w, set);
}

static void emit_weight_checks(c_model *m, c_writer *w) {
  const c_buffers *weights = &m->fields[C_SPACE_weight];
  if (!weights->count) {
    c_writer_line(w, "(void)weights;");
    return;
  }
  c_writer_line(w, "if (!weights) return GNNC_ERROR_NULL;");
  text list = {0};
  for (size_t i = 0; i < weights->count; i++) text_printf(&list, "%sweights->%s", i ? ", " : "", weights->items[i].id);
  c_writer_line(w, "const void *const given[] = {%s};", text_str(&list));
  text_free(&list);
  c_writer_open(w, "for (*index = 0; *index < %zu; ++*index)", weights->count);
  c_writer_line(w, "if (!given[*index]) return GNNC_ERROR_NULL;");
  c_writer_close(w);
  c_writer_line(w, "*index = 0;");
}

/* Checks of types that only the declaration of the graph bounds: without types all edges and nodes have the first. */
static void emit_declared_check(c_writer *w, const char *types, const char *count, int64_t declared, int position) {
  if (declared)
    c_writer_line(w, "if (!result && graph->%s) result = check_types(graph->%s, graph->%s, %lld, %d, index);", types,
                  types, count, (long long)declared, position);
}

/* Compares the ends of edges with those that the model declares; their types are in range by now. */
static void emit_ends_check(const c_model *m, c_writer *w) {
  if (!m->declared_ends) return;
  c_writer_line(w, "static const int32_t ends[] = {%s};", m->declared_ends);
  c_writer_line(w, "if (!result && graph->edge_type && graph->node_type) result = check_ends(graph, ends, index);");
}

static void emit_checks(c_model *m, c_writer *w) {
  c_writer_line(w, "int64_t ignored = 0;");
  c_writer_line(w, "if (!index) index = &ignored;");
  c_writer_line(w, "*index = 0;");
  c_writer_line(w, "if (!graph || !bound) return GNNC_ERROR_NULL;");
  c_writer_line(w, "gnnc_result result = check_graph(graph, index);");
  if (m->has_ranks)
    c_writer_line(w, "if (!result) result = check_ranks(graph, %d, %d, index);", m->has_out_edges, m->has_columns);
  if (m->has_cells) c_writer_line(w, "if (!result) result = check_cells(graph, index);");
  if (m->has_edge_rows) c_writer_line(w, "if (!result) result = check_edge_rows(graph, index);");
  if (m->has_edge_types)
    c_writer_line(w, "if (!result) result = check_types(graph->edge_type, graph->num_edges, %lld, 5, index);",
                  (long long)c_model_types(m, C_ROWS_etype));
  else
    emit_declared_check(w, "edge_type", "num_edges", m->declared_edge_types, 5);
  if (m->has_node_types)
    c_writer_line(w, "if (!result) result = check_types(graph->node_type, graph->num_nodes, %lld, 6, index);",
                  (long long)c_model_types(m, C_ROWS_ntype));
  else if (m->declared_node_types)
    emit_declared_check(w, "node_type", "num_nodes", m->declared_node_types, 6);
  else if (m->pairs[0].is_found || m->pairs[1].is_found)
    c_writer_line(w, "if (!result && graph->node_type) result = check_types(graph->node_type, graph->num_nodes, "
                     "INT32_MAX, 6, index);");
  emit_ends_check(m, w);
  if (m->has_batch)
    c_writer_line(w, "if (!result && (graph->batch || graph->num_graphs)) result = "
                     "check_types(graph->batch, graph->num_nodes, graph->num_graphs, 7, index);");
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].run.is_near) c_routines_emit_check(m, w, &m->sets.items[i]);
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].mode && edge_mode_doubles(m->sets.items[i].mode))
      c_writer_line(w,
                    "if (!result && graph->num_edges > (INT32_MAX - graph->num_nodes) / 2) result = "
                    "GNNC_ERROR_COUNT; /* edges of %s */",
                    m->sets.items[i].id);
  c_writer_line(w, "if (result) return result;");
  if (!m->is_training) emit_weight_checks(m, w);
}

static void emit_size_check(const c_model *m, c_writer *w) {
  c_writer_line(w, "const size_t needed = %s_bound_bytes(graph);", m->id);
  c_writer_line(w, "if (!needed) return GNNC_ERROR_COUNT;");
  c_writer_open(w, "if (bound_size < needed)");
  c_writer_line(w, "*index = (int64_t)needed;");
  c_writer_line(w, "return GNNC_ERROR_SIZE;");
  c_writer_close(w);
}

/* The number of sets between this one and the graph's own. */
static size_t depth_of(const c_model *m, const c_set *set) {
  size_t depth = 0;
  for (int base = set->base; base >= 0; base = m->sets.items[base].base) depth++;
  return depth;
}

/* A set is made after the one that it is made from: g.writes before its self loops. */
static void emit_edge_sets(c_model *m, c_writer *w) {
  size_t deepest = 0;
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].mode && depth_of(m, &m->sets.items[i]) > deepest) deepest = depth_of(m, &m->sets.items[i]);
  for (size_t depth = 0; depth <= deepest; depth++)
    for (size_t i = 0; i < m->sets.count; i++)
      if (m->sets.items[i].mode && depth_of(m, &m->sets.items[i]) == depth) emit_edge_set(m, w, &m->sets.items[i]);
}

static void emit_header(c_model *m, c_writer *w) {
  c_writer_line(w, "char *const block = (char *)bound + align_block(bound);");
  c_writer_line(w, "bound_header *const header = (bound_header *)(void *)block;");
  c_writer_line(w, "header->magic = 0; /* not bound until all of it is */");
  c_writer_line(w, "header->num_nodes = graph->num_nodes;");
  if (m->has_ranks) {
    c_writer_line(w, "header->num_own = graph->num_nodes - count_ghosts(graph_context(graph));");
    c_writer_line(w, "header->num_interior = count_interior(graph);");
    if (m->has_cells) c_writer_line(w, "header->num_cells = count_cells(graph_context(graph));");
    if (m->has_columns) {
      c_writer_line(w, "header->column_rank = column_rank(graph_context(graph));");
      c_writer_line(w, "header->column_ranks = count_column_ranks(graph_context(graph));");
    }
  }
  c_writer_line(w, "header->num_edges = graph->num_edges;");
  c_writer_line(w, "header->num_graphs = %s;", m->has_batch ? "count_graphs(graph)" : "0");
  c_writer_line(w, "bound_layout l;");
  c_writer_line(w, "place_bound(header->num_nodes, header->num_edges, header->num_graphs, &l);");
  c_writer_line(w, "const gnnc_context *const context = graph_context(graph);");
  c_writer_line(w, "(void)context;");
  emit_edge_sets(m, w);
  for (size_t i = 0; i < m->sets.count; i++)
    if (!m->sets.items[i].end && m->sets.items[i].part < 0 && !m->sets.items[i].is_run)
      emit_adjacency(m, w, &m->sets.items[i]);
  c_bind_types_emit(m, w);
  for (size_t i = 0; i < m->sets.count; i++)
    if (m->sets.items[i].run.is_power) c_routines_emit_count(m, w, &m->sets.items[i]);
}

void c_bind_emit_bytes(c_model *m, c_writer *w) {
  c_writer_line(w, "if (!graph || !has_possible_counts(graph)) return 0;");
  c_writer_line(w, "bound_layout l;");
  c_writer_line(w, "place_bound(graph->num_nodes, graph->num_edges, %s, &l);",
                m->has_batch ? "count_graphs(graph)" : "0");
  c_writer_line(w, "return l.end == SIZE_MAX ? 0 : l.end + 64;");
}

void c_bind_emit_begin(c_model *m, c_writer *w, const c_phase_row *row) {
  (void)row;
  emit_checks(m, w);
  emit_size_check(m, w);
  emit_header(m, w);
}

void c_bind_emit_end(c_model *m, c_writer *w) {
  (void)m;
  c_writer_line(w, "header->program = BOUND_PROGRAM;");
  c_writer_line(w, "header->magic = BOUND_MAGIC;");
}
