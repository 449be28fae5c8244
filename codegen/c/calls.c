/* What the calls of bind ask for: arrays of edge sets, and of nodes by type or by graph.
 *
 *   "intra.call"() {callee = "groups", form = "members", set = "g.unique_dst"}    the edges of each pair can be looped over */
#include "codegen/c/model.h"

#include <stdlib.h>
#include <string.h>

static void fail_form(c_model *m, MlirOperation op, const char *callee, const char *form) {
  c_model_fail(m, op, DIAG_internal, "unknown routine '%s' of form '%s'", callee, form);
}

static uint32_t bit(c_array array) {
  return 1u << array;
}

static void read_adjacency(c_set *set, const char *form) {
  if (!strcmp(form, "csc")) set->has_csc = true;
  if (!strcmp(form, "csr")) set->has_csr = true;
  if (!strcmp(form, "coo")) set->has_coo = true;
}

static void read_types(c_model *m, MlirOperation op, c_set *set, const char *form) {
  if (!strcmp(form, "node")) {
    m->has_node_types = true;
    return;
  }
  m->has_edge_types = true;
  if (set->mode)
    c_model_fail(m, op, DIAG_internal, "edges of '%s' have no types: new loops belong to no relation", set->name);
  if (!strcmp(form, "edge"))
    set->has_types = true;
  else if (!strcmp(form, "etype_src"))
    set->wants |= bit(C_ARRAY_kind_src);
  else if (!strcmp(form, "etype_dst"))
    set->wants |= bit(C_ARRAY_kind_dst);
  else
    fail_form(m, op, "types", form);
}

static void read_segments(c_model *m, MlirOperation op, c_set *set, const char *form) {
  m->has_edge_types |= strcmp(form, "node") != 0;
  if (!strcmp(form, "node"))
    m->has_node_order = m->has_node_types = true;
  else if (!strcmp(form, "edge"))
    set->wants |= bit(C_ARRAY_etype_ptr) | bit(C_ARRAY_etype_order);
  else if (!strcmp(form, "etype_src"))
    set->wants |= bit(C_ARRAY_kind_src_ptr) | bit(C_ARRAY_kind_src_order);
  else if (!strcmp(form, "etype_dst"))
    set->wants |= bit(C_ARRAY_kind_dst_ptr) | bit(C_ARRAY_kind_dst_order);
  else
    fail_form(m, op, "segments", form);
}

static void read_groups(c_model *m, MlirOperation op, c_set *set, const char *form) {
  if (!strcmp(form, "pair"))
    set->wants |= bit(C_ARRAY_row);
  else if (!strcmp(form, "members"))
    set->wants |= bit(C_ARRAY_member_ptr) | bit(C_ARRAY_member);
  else
    fail_form(m, op, "groups", form);
}

/* Nodes of a type are found through the order of all nodes by type. */
static void read_parts(c_model *m, MlirOperation op, const char *form) {
  int64_t type = strtoll(ir_get_string(op, "mode", "0"), NULL, 10);
  m->has_node_types = true;
  if (type >= m->part_limit) m->part_limit = type + 1;
  if (!strcmp(form, "place"))
    m->has_place = true;
  else
    m->has_node_order = true;
}

void c_calls_read(c_model *m, MlirOperation op) {
  const char *callee = ir_get_string(op, "callee", ""), *form = ir_get_string(op, "form", "");
  int index = c_model_set(m, ir_get_string(op, "set", "g"));
  const char *base = ir_get_string(op, "base", NULL);
  int base_index = base ? c_model_set(m, base) : -1;
  c_set *set = &m->sets.items[index];
  if (!strcmp(callee, "self_loops")) {
    set->base = base_index;
    set->mode = ir_get_string(op, "mode", "replace");
  } else if (!strcmp(callee, "unique")) {
    m->has_edge_types = true;
  } else if (!strcmp(callee, "adjacency")) {
    read_adjacency(set, form);
  } else if (!strcmp(callee, "types")) {
    read_types(m, op, set, form);
  } else if (!strcmp(callee, "segments")) {
    read_segments(m, op, set, form);
  } else if (!strcmp(callee, "groups")) {
    read_groups(m, op, set, form);
  } else if (!strcmp(callee, "batch")) {
    m->has_batch = true;
    m->has_graph_members |= !strcmp(form, "members");
  } else if (!strcmp(callee, "parts")) {
    read_parts(m, op, form);
  } else {
    c_model_fail(m, op, DIAG_internal, "unknown routine '%s'", callee);
  }
}
