/* Unions of edge sets: union(g.cites, g.similar), union(g, reverse(g)).
 *
 * A union has chosen edges of the caller's graph, each at most once in each direction. So what stands for it is the ways in
 * which it has the edges of each type, and one set has one name, however it is written: see support/edge_mode.h. */
#include "frontend/sema/sema_builtin.h"
#include "frontend/sema/sema_kinds.h"
#include "support/edge_mode.h"
#include "support/text.h"

#include <inttypes.h>
#include <string.h>

/* What an argument has of the caller's graph. */
typedef struct part_of_graph {
  const char *mode; /* "relation2", "union_0_2r"; NULL: all edges */
  bool is_reversed;
} part_of_graph;

static unsigned char turn(unsigned char ways) {
  return (unsigned char)((ways & EDGE_WAY_forward ? EDGE_WAY_back : 0) | (ways & EDGE_WAY_back ? EDGE_WAY_forward : 0));
}

static int64_t types_of(const part_of_graph *p) {
  return p->mode ? edge_mode_types(p->mode) : 0;
}

/* Adds the ways in which a graph has the edges of types 0 .. count - 1 to a table. */
static void add_ways(sema *s, const part_of_graph *p, int64_t count, unsigned char *sum) {
  unsigned char *ways = arena_alloc_array(s->arena, (size_t)count, 1);
  memset(ways, EDGE_WAY_forward, (size_t)count);
  if (p->mode) edge_mode_list_ways(p->mode, count, ways);
  for (int64_t type = 0; type < count; type++) sum[type] |= p->is_reversed ? turn(ways[type]) : ways[type];
}

bool sema_is_union(const char *set) {
  const char *dot = strchr(set, '.');
  return dot && edge_mode_read(dot + 1).kind == EDGE_MODE_union;
}

static bool read_part(sema *s, const sema_call *c, size_t i, part_of_graph *out) {
  const char *dot = strchr(sema_type(s, c->values[i].id).set, '.');
  *out = (part_of_graph){dot ? dot + 1 : NULL, c->values[i].is_reversed};
  if (!dot || (edge_mode_is_chosen(edge_mode_read(dot + 1)) && !strchr(dot + 1, '.'))) return true;
  sema_error(s, c->exprs[i]->span, DIAG_edge_set_mismatch,
             "%s is made from another graph; 'union' takes the graph of the caller, its relations and their unions, "
             "also reversed",
             sema_quote(s, c->exprs[i]));
  return false;
}

/* Nodes of the only type are all nodes. */
static const char *name_end(sema *s, const char *part) {
  bool is_only = s->graph_statement && s->graph_statement->graph.node_types.count == 1;
  return part && !is_only ? arena_printf(s->arena, "'%s'", sema_part_name(s, part)) : "all nodes";
}

/* Whether both graphs lead from the same nodes to the same nodes; reports others. */
static bool have_same_ends(sema *s, const sema_call *c) {
  const char *src[2], *dst[2];
  for (int i = 0; i < 2; i++) {
    const char *set = sema_type(s, c->values[i].id).set;
    src[i] = name_end(s, sema_part_at(s, set, sema_stored_end(c->values[i].is_reversed, true)));
    dst[i] = name_end(s, sema_part_at(s, set, sema_stored_end(c->values[i].is_reversed, false)));
  }
  if (!strcmp(src[0], src[1]) && !strcmp(dst[0], dst[1])) return true;
  sema_error(s, c->e->span, DIAG_edge_set_mismatch,
             "%s leads from %s to %s, but %s from %s to %s: a union has edges between the same nodes",
             sema_quote(s, c->exprs[0]), src[0], dst[0], sema_quote(s, c->exprs[1]), src[1], dst[1]);
  return false;
}

/* Writes "_2" and "_2r" for the ways of a type. */
static void write_items(text *name, const char *type, unsigned ways) {
  if (ways & EDGE_WAY_forward) text_printf(name, "_%s", type);
  if (ways & EDGE_WAY_back) text_printf(name, "_%sr", type);
}

/* The mode of a table of ways, whose last one is that of all other types; NULL where it is all edges as they are. */
static const char *name_mode(sema *s, const unsigned char *ways, int64_t last) {
  unsigned all = ways[last], used = all;
  int64_t chosen = 0, only = -1;
  text name = {0};
  text_printf(&name, "union");
  write_items(&name, "all", all);
  for (int64_t type = 0; type < last; type++) {
    unsigned more = ways[type] & ~all;
    if (!more) continue;
    write_items(&name, arena_printf(s->arena, "%" PRId64, type), more);
    used |= more;
    chosen++;
    only = type;
  }
  const char *mode = arena_strdup(s->arena, text_str(&name));
  text_free(&name);
  if (used != EDGE_WAY_forward) return mode;
  if (all) return NULL;
  return chosen == 1 ? arena_printf(s->arena, "relation%" PRId64, only) : mode;
}

/* Whether no edge of the table is as it is, so that the reverse of the union has them all so. */
static bool is_turned(const unsigned char *ways, int64_t last) {
  unsigned used = 0;
  for (int64_t type = 0; type <= last; type++) used |= ways[type];
  return used == EDGE_WAY_back;
}

sema_value sema_make_union(sema *s, const sema_call *c) {
  part_of_graph a, b;
  if (!sema_is_outside_loops(s, c) || !read_part(s, c, 0, &a) || !read_part(s, c, 1, &b) || !have_same_ends(s, c))
    return sema_poisoned();
  int64_t last = types_of(&a) > types_of(&b) ? types_of(&a) : types_of(&b);
  unsigned char *ways = arena_alloc_array(s->arena, (size_t)last + 1, 1);
  memset(ways, 0, (size_t)last + 1);
  add_ways(s, &a, last + 1, ways);
  add_ways(s, &b, last + 1, ways);
  sema_value graph = {
      .kind = SEMA_graph, .id = sema_caller_graph(s, c->values[0].id), .is_reversed = is_turned(ways, last)};
  for (int64_t type = 0; graph.is_reversed && type <= last; type++) ways[type] = turn(ways[type]);
  const char *mode = name_mode(s, ways, last);
  return mode ? sema_choose_edges(s, graph, mode, c->e->span) : graph;
}
