/* Reads calls of routines, which ask for arrays of edge sets and of nodes by type or by graph. The
 * table has a row for each form.
 *
 *   "intra.call"() {callee = "groups", form = "members", set = "g.unique_dst"}    the edges of each pair can be looped over */
#include "codegen/c/model/calls.h"
#include "support/edge_mode.h"

#include <stdlib.h>
#include <string.h>

/* What a routine makes besides arrays of its set. */
enum {
  MAKES_SET = 1 << 0, /* a set that is made from another one */
  MAKES_CSC = 1 << 1,
  MAKES_CSR = 1 << 2,
  MAKES_COO = 1 << 3,
  MAKES_EDGE_TYPES = 1 << 4,
  MAKES_TYPE_OF_EDGE = 1 << 5, /* types of this set's edges */
  MAKES_NODE_TYPES = 1 << 6,
  MAKES_NODE_ORDER = 1 << 7,
  MAKES_PLACE = 1 << 8,
  MAKES_PART = 1 << 9, /* the nodes of the type that attribute "mode" names */
  MAKES_BATCH = 1 << 10,
  MAKES_GRAPH_MEMBERS = 1 << 11,
  MAKES_PIECES = 1 << 13,
  NEEDS_RELATIONS = 1 << 12 /* every edge of the set must have a type */
};

#define BIT(name) (1u << C_ARRAY_##name)

static const struct {
  const char *callee, *form; /* `form` NULL: any other form */
  unsigned makes;
  uint32_t arrays;
} routines[] = {
    {"edge_set", NULL, MAKES_SET, 0},
    {"unique", NULL, MAKES_EDGE_TYPES, 0},
    {"adjacency", "csc", MAKES_CSC, 0},
    {"adjacency", "csr", MAKES_CSR, 0},
    {"adjacency", "coo", MAKES_COO, 0},
    {"opposite", NULL, MAKES_CSC | MAKES_CSR, BIT(opposite)},
    {"types", "node", MAKES_NODE_TYPES, 0},
    {"types", "edge", MAKES_EDGE_TYPES | MAKES_TYPE_OF_EDGE | NEEDS_RELATIONS, 0},
    {"types", "etype_src", MAKES_EDGE_TYPES | NEEDS_RELATIONS, BIT(kind_src)},
    {"types", "etype_dst", MAKES_EDGE_TYPES | NEEDS_RELATIONS, BIT(kind_dst)},
    {"segments", "node", MAKES_NODE_TYPES | MAKES_NODE_ORDER, 0},
    {"segments", "edge", MAKES_EDGE_TYPES, BIT(etype_ptr) | BIT(etype_order)},
    {"segments", "etype_src", MAKES_EDGE_TYPES, BIT(kind_src_ptr) | BIT(kind_src_order)},
    {"segments", "etype_dst", MAKES_EDGE_TYPES, BIT(kind_dst_ptr) | BIT(kind_dst_order)},
    {"groups", "pair", 0, BIT(row)},
    {"groups", "members", 0, BIT(member_ptr) | BIT(member)},
    {"batch", "members", MAKES_BATCH | MAKES_GRAPH_MEMBERS, 0},
    {"batch", NULL, MAKES_BATCH, 0},
    {"pieces", NULL, MAKES_PIECES, 0},
    {"parts", "place", MAKES_NODE_TYPES | MAKES_PART | MAKES_PLACE, 0},
    {"parts", NULL, MAKES_NODE_TYPES | MAKES_PART | MAKES_NODE_ORDER, 0},
};

static void note_of_set(c_model *m, MlirOperation op, c_set *set, unsigned makes) {
  if (makes & MAKES_SET) set->mode = ir_get_string(op, "mode", "replace");
  if (set->mode && edge_mode_types(set->mode)) m->has_edge_types = true;
  set->has_csc |= (makes & MAKES_CSC) != 0;
  set->has_csr |= (makes & MAKES_CSR) != 0;
  set->has_coo |= (makes & MAKES_COO) != 0;
  set->has_types |= (makes & MAKES_TYPE_OF_EDGE) != 0;
  bool is_chosen = set->mode && edge_mode_is_chosen(edge_mode_read(set->mode));
  if ((makes & NEEDS_RELATIONS) && set->mode && !((makes & MAKES_TYPE_OF_EDGE) && is_chosen))
    c_model_fail(m, op, DIAG_internal, "edges of '%s' have no types: new loops belong to no relation", set->name);
}

/* Notes that a routine needs nodes of a type: they are found through the order of all nodes by
 * type. */
static void note_of_nodes(c_model *m, MlirOperation op, unsigned makes) {
  m->has_edge_types |= (makes & MAKES_EDGE_TYPES) != 0;
  m->has_node_types |= (makes & MAKES_NODE_TYPES) != 0;
  m->has_node_order |= (makes & MAKES_NODE_ORDER) != 0;
  m->has_place |= (makes & MAKES_PLACE) != 0;
  m->has_batch |= (makes & MAKES_BATCH) != 0;
  m->has_graph_members |= (makes & MAKES_GRAPH_MEMBERS) != 0;
  m->has_pieces |= (makes & MAKES_PIECES) != 0;
  int64_t type = makes & MAKES_PART ? strtoll(ir_get_string(op, "mode", "0"), NULL, 10) : -1;
  if (type >= m->part_limit) m->part_limit = type + 1;
}

void c_calls_read(c_model *m, MlirOperation op) {
  const char *callee = ir_get_string(op, "callee", ""), *form = ir_get_string(op, "form", "");
  const char *base = ir_get_string(op, "base", NULL);
  int index = c_model_set(m, ir_get_string(op, "set", "g")), base_index = base ? c_model_set(m, base) : -1;
  c_set *set = &m->sets.items[index];
  for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++) {
    if (strcmp(routines[i].callee, callee) != 0 || (routines[i].form && strcmp(routines[i].form, form) != 0)) continue;
    if (routines[i].makes & MAKES_SET) set->base = base_index;
    set->wants |= routines[i].arrays;
    note_of_set(m, op, set, routines[i].makes);
    note_of_nodes(m, op, routines[i].makes);
    return;
  }
  c_model_fail(m, op, DIAG_internal, "unknown routine '%s' of form '%s'", callee, form);
}
