/* Edge sets of a model, and the arrays of the bound block that describe them. */
#ifndef GNNC_CODEGEN_C_MODEL_SET_H
#define GNNC_CODEGEN_C_MODEL_SET_H

#include <stdbool.h>
#include <stdint.h>

/* The arrays that the bound block may hold for an edge set; array.c has a row for each. */
typedef enum c_array {
  C_ARRAY_in_ptr,
  C_ARRAY_src,
  C_ARRAY_dst,
  C_ARRAY_number,
  C_ARRAY_position,
  C_ARRAY_base,
  C_ARRAY_type,
  C_ARRAY_out_ptr,
  C_ARRAY_out_dst,
  C_ARRAY_out_position,
  C_ARRAY_opposite,
  C_ARRAY_in_position,
  C_ARRAY_row,
  C_ARRAY_member_ptr,
  C_ARRAY_member,
  C_ARRAY_kind_src,
  C_ARRAY_kind_dst,
  C_ARRAY_etype_ptr,
  C_ARRAY_etype_order,
  C_ARRAY_kind_src_ptr,
  C_ARRAY_kind_src_order,
  C_ARRAY_kind_dst_ptr,
  C_ARRAY_kind_dst_order,
  C_ARRAY_count
} c_array;

/* How run makes an edge set, as intra.make_edges says. */
typedef struct c_run_set {
  const char *mode; /* of self loops */
  int64_t most;     /* near: edges into a node at most; power: edges of a path at most */
  bool is_near, is_power, has_radius, has_loops;
  double radius;
} c_run_set;

/* An edge set. Its edges are stored by destination where some kernel loops over incoming edges; an
 * edge's position then differs from its number. Otherwise they are in the caller's order. The edges
 * of a unique set (one edge per pair of edge type and end node) are sorted by type. A set "g:2",
 * the nodes of one type, has no edges. */
typedef struct c_set {
  const char *name; /* "g.add_remaining" */
  const char *id;   /* g_add_remaining */
  int base;         /* the set from which it was made; -1: the caller's graph */
  const char *mode; /* of a set that bind makes: replace, relation2, ... (support/edge_mode.h); else NULL */
  const char *end;  /* of a unique set: src, dst; else NULL */
  int64_t part;     /* of the nodes of one type: that type; else -1 */
  uint32_t wants;   /* arrays that calls ask for, as a bit mask */
  uint32_t kept;    /* arrays that stay in the bound block */
  uint32_t made;    /* these, and arrays in scratch memory */
  bool has_csc, has_csr, has_coo, has_types;
  bool is_run; /* run makes it: its arrays are in the workspace, and its edges are stored by destination */
  c_run_set run;
  bool has_number;   /* has the map from position to number, for the caller's edge values, types and extend_edges */
  bool has_base;     /* has the map from position to number in the base set, -1 for new loops, for extend_edges */
  bool is_opened;    /* some kernel takes the set as a parameter */
  bool has_position; /* has the map from number to position, for extend_edges of a stored value, outgoing edges in
                      * the order of numbers, and exchanges of rows of edges */
} c_set;

#endif
