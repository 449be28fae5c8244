/* Rows and values that an Aggregate needs when the layers that make its values are steps on its
 * pieces (fuse_attention.h), and what such steps multiply. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LINKS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LINKS_H

#include "codegen/graphagile/plan/plan_layer.h"

/* Fibers that the links of an Aggregate and its division need besides those of the result: of
 * sources, and of destinations next to the sums. */
int64_t graphagile_plan_source_fibers(const graphagile_plan_spdmm *s);
int64_t graphagile_plan_destination_fibers(const graphagile_plan_spdmm *s);

/* Those of destinations that come from memory. */
int64_t graphagile_plan_loaded_fibers(const graphagile_plan_spdmm *s);

/* The tensors of those destinations, in their order behind the sums and the column of summed
 * values. A link makes the first, or all are loaded. Returns how many. */
int graphagile_plan_destinations(const graphagile_plan_spdmm *s,
                                 const graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_LINKS]);

/* Whether a link makes rows that another reads: these, or any. */
bool graphagile_plan_makes(const graphagile_plan_spdmm *s, const graphagile_plan_tensor *rows);
bool graphagile_plan_is_whole(const graphagile_plan_spdmm *s);

/* Whether a shard of any partition with that many source rows is at most one piece. */
bool graphagile_plan_has_one_piece(const graphagile_device *d, const graphagile_plan_spdmm *s,
                                   graphagile_partition_shape shape);

/* Heads of the values that an Aggregate reads; 0 where it reads none. */
int64_t graphagile_plan_heads(const graphagile_plan_spdmm *s);

/* Whether an Aggregate loads rows of sources at all. */
bool graphagile_plan_has_sources(const graphagile_plan_spdmm *s);

/* Whether a layer's numbers are added to or subtracted from what is there, so that a sum can be
 * made in parts. */
bool graphagile_plan_is_added(const graphagile_plan_sddmm *s);

/* The rows that a Vector-Inner layer or link multiplies: sources, else destinations. */
const graphagile_plan_tensor *graphagile_plan_rows_of(const graphagile_plan_sddmm *s);

#endif
