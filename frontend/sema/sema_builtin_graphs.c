/* Expands calls of functions that make graphs while the model runs, and that choose nodes.
 *
 *   knn_graph(g, x, k = 4)     near_edges(g, x) {most = 4, name = "knn_0"}: a graph with the edge set "g.knn_0"
 *   power(g, 2)                edge_set(g) {mode = "power2"}: a graph with the edge set "g.power2"
 *
 * Each call of the former makes an edge set of its own, so its name ends with a number that no other call has. */
#include "frontend/sema/sema_builtin.h"
#include "frontend/sema/sema_kinds.h"
#include "support/edge_mode.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A new name for an edge set: the word and the number of such sets so far. */
static const char *name_set(sema *s, const char *word) {
  size_t number = 0;
  for (size_t i = 0; i < s->flat->values.count; i++) {
    flat_op op = s->flat->values.items[i]->op;
    number += op == FLAT_near_edges || op == FLAT_induced_edges;
  }
  return arena_printf(s->arena, "%s%zu", word, number);
}

/* Whether an argument is a value per node; `is_number`: one number. */
static bool check_nodes(sema *s, const sema_call *c, size_t i, bool is_number) {
  flat_type type = sema_type(s, c->ids[i]);
  if (type.domain == FLAT_DOMAIN_node && !sema_is_part(type.set) && !(is_number && type.rank)) return true;
  sema_error(s, c->exprs[i]->span, DIAG_domain_mismatch, "%s is %s, but '%s' of '%s' is a %s per node",
             sema_quote(s, c->exprs[i]), sema_type_text(s, type), c->f->parameters[i].name, c->f->name,
             is_number ? "number" : "value");
  sema_note_operand(s, c->exprs[i]);
  return false;
}

flat_id sema_caller_graph(sema *s, flat_id graph) {
  while (graph != FLAT_NONE && sema_flat(s, graph)->op != FLAT_graph) graph = sema_flat(s, graph)->operands[0];
  return graph;
}

/* Checks a number of a call; false after an error, which says what it is at least. */
static bool check_number(sema *s, const sema_call *c, size_t i, bool is_good, const char *expected) {
  if (is_good) return true;
  const ast_expr *at = c->exprs[i] ? c->exprs[i] : c->e;
  sema_error(s, at->span, DIAG_number_range, "'%s' of '%s' is %g, expected %s", c->f->parameters[i].name, c->f->name,
             c->numbers[i], expected);
  return false;
}

sema_value sema_make_near(sema *s, const sema_call *c) {
  bool has_radius = !strcmp(c->f->op, "radius_");
  size_t radius = 2, loop = 3, most = has_radius ? 4 : 2, among = has_radius ? 5 : 4;
  if (!sema_is_outside_loops(s, c) || !check_nodes(s, c, 1, false)) return sema_poisoned();
  if (c->ids[among] != FLAT_NONE && !check_nodes(s, c, among, true)) return sema_poisoned();
  dim count = c->exprs[most] ? sema_eval_size(s, c->exprs[most]) : dim_constant(s->dims, (int64_t)c->numbers[most]);
  if (!count) return sema_poisoned();
  double r = c->numbers[radius];
  if (has_radius && !check_number(s, c, radius, r >= 0 && isfinite(r), "a finite number that is not negative"))
    return sema_poisoned();
  flat_id graph = sema_caller_graph(s, c->ids[0]);
  flat_type type = sema_type(s, graph);
  const char *name = name_set(s, c->f->op);
  type.set = arena_printf(s->arena, "%s.%s", type.set, name);
  flat_id id = sema_add(s, FLAT_near_edges, type, c->e->span, (flat_id[]){graph, c->ids[1], c->ids[among]}, 3);
  sema_add_string(s, id, "name", name);
  sema_add_whole(s, id, "most", count);
  if (has_radius) sema_add_number(s, id, "radius", r);
  if (c->numbers[loop] != 0) sema_add_flag(s, id, "loop");
  return sema_from_id(s, id);
}

flat_id sema_make_induced(sema *s, const sema_call *c) {
  if (!sema_is_outside_loops(s, c) || !check_nodes(s, c, 1, true)) return FLAT_NONE;
  flat_type type = sema_type(s, c->ids[0]);
  const char *name = name_set(s, "induced_");
  type.set = arena_printf(s->arena, "%s.%s", type.set, name);
  flat_id id = sema_add(s, FLAT_induced_edges, type, c->e->span, c->ids, 2);
  sema_add_string(s, id, "name", name);
  return id;
}

/* Self loops change no path to another node, and the power of a power is a longer one, so what is searched is the
 * caller's graph, a relation or a union. */
flat_id sema_make_power(sema *s, const sema_call *c) {
  static const int64_t most = 999999999; /* of the number in the name of an edge mode */
  dim size = sema_eval_size(s, c->exprs[1]);
  int64_t length = 0;
  if (!sema_is_outside_loops(s, c) || !size) return FLAT_NONE;
  bool is_known = dim_value(s->dims, size, &length);
  if (s->is_check && !is_known)
    length = 1;
  else if (!is_known || length < 1 || length > most) {
    sema_error(s, c->exprs[1]->span, DIAG_number_range,
               "'k' of 'power' is %s, expected a number of edges from 1 to %" PRId64
               " that is known when the model is compiled",
               sema_dim_text(s, size), most);
    return FLAT_NONE;
  }
  flat_id graph = c->ids[0];
  for (; sema_flat(s, graph)->op == FLAT_edge_set; graph = sema_flat(s, graph)->operands[0]) {
    edge_mode mode = edge_mode_read(strrchr(sema_type(s, graph).set, '.') + 1);
    if (edge_mode_is_chosen(mode)) break;
    if (mode.kind == EDGE_MODE_power) length = length > most / mode.number ? most : length * mode.number;
  }
  if (sema_is_run_set(sema_type(s, graph).set)) {
    sema_error(
        s, c->exprs[0]->span, DIAG_edge_set_mismatch,
        "values decide about the edges of %s; 'power' takes the graph of the caller, its relations and their unions",
        sema_quote(s, c->exprs[0]));
    return FLAT_NONE;
  }
  flat_type type = sema_type(s, graph);
  const char *mode = arena_printf(s->arena, "power%" PRId64, length);
  type.set = arena_printf(s->arena, "%s.%s", type.set, mode);
  flat_id id = sema_add(s, FLAT_edge_set, type, c->e->span, &graph, 1);
  sema_add_string(s, id, "mode", mode);
  return id;
}

flat_id sema_make_top_k(sema *s, const sema_call *c) {
  enum { SCORE = 1, RATIO = 2, AMONG = 3 };
  double ratio = c->numbers[RATIO];
  if (!sema_is_outside_loops(s, c) || !check_nodes(s, c, SCORE, true)) return FLAT_NONE;
  if (c->ids[AMONG] != FLAT_NONE && !check_nodes(s, c, AMONG, true)) return FLAT_NONE;
  bool is_count = ratio >= 1 && ratio <= 1 << 24 && ratio == floor(ratio);
  if (!check_number(s, c, RATIO, (ratio > 0 && ratio < 1) || is_count,
                    "a share of the nodes between 0 and 1, or a whole number of nodes up to 16777216"))
    return FLAT_NONE;
  flat_id operands[] = {sema_caller_graph(s, c->ids[0]), c->ids[SCORE], c->ids[AMONG]};
  flat_id id = sema_add(s, FLAT_top_nodes, sema_type(s, c->ids[SCORE]), c->e->span, operands, 3);
  sema_add_number(s, id, "ratio", ratio);
  return id;
}
