/* Edge sets of a model, and the arrays that describe one in the bound block. */
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

/* An edge set. Its edges are stored by destination where incoming edges are looped over (position
 * != the edge's number then), else in the caller's order; those of a unique set (one edge per pair
 * of edge type and end node) by type. A set "g:2", the nodes of one type, has no edges. */
typedef struct c_set {
  const char *name; /* "g.add_remaining" */
  const char *id;   /* g_add_remaining */
  int base;         /* the set it was made from, -1 for the caller's graph */
  const char *mode; /* of sets with self loops: add_remaining, replace; else NULL */
  const char *end;  /* of unique sets: src, dst; else NULL */
  int64_t part;     /* of nodes of one type: the type; else -1 */
  uint32_t wants;   /* arrays that calls ask for, as bits */
  uint32_t kept;    /* arrays in the bound block */
  uint32_t made;    /* these, and arrays in scratch */
  bool has_csc, has_csr, has_coo, has_types;
  bool has_number;   /* position -> number: the caller's edge values, types, extend_edges */
  bool has_base;     /* position -> number in the base set, -1 for new loops: extend_edges */
  bool is_opened;    /* some kernel takes it */
  bool has_position; /* number -> position: extend_edges of a stored value, outgoing edges in order of numbers */
} c_set;

#endif
