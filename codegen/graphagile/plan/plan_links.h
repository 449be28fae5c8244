/* The rows and values that an Aggregate needs besides its own when the layers that compute its
 * values are links (fuse_attention.h). All functions look at the links alone. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LINKS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_PLAN_LINKS_H

#include "codegen/graphagile/plan/plan_layer.h"

/* Fibers that the links of an Aggregate need besides the fibers of the result: fibers of source
 * rows; and fibers of destination rows beside the sums, with the column of a division. */
int64_t graphagile_plan_source_fibers(const graphagile_plan_spdmm *s);
int64_t graphagile_plan_destination_fibers(const graphagile_plan_spdmm *s);

/* Fibers of destination rows that are loaded from memory. */
int64_t graphagile_plan_loaded_fibers(const graphagile_plan_spdmm *s);

/* Lists the tensors of these destination rows in the order in which they lie behind the sums and
 * the column of summed values; returns how many. A link makes the first of them, or all are
 * loaded. */
int graphagile_plan_destinations(const graphagile_plan_spdmm *s,
                                 const graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_LINKS]);

/* Whether a link makes rows that another link reads: `rows`, or any rows where that is NULL. */
bool graphagile_plan_makes(const graphagile_plan_spdmm *s, const graphagile_plan_tensor *rows);
/* Whether the links hold the reduction of a guard (fuse_attention.h): then they make rows, and a
 * shard must be one piece. */
bool graphagile_plan_is_whole(const graphagile_plan_spdmm *s);

/* Whether a shard of any partition with this many source rows is at most one piece. */
bool graphagile_plan_has_one_piece(const graphagile_device *d, const graphagile_plan_spdmm *s,
                                   graphagile_partition_shape shape);

/* Heads of the values that an Aggregate reads; 0 where it reads none. */
int64_t graphagile_plan_heads(const graphagile_plan_spdmm *s);

/* Whether an Aggregate loads source rows at all. */
bool graphagile_plan_has_sources(const graphagile_plan_spdmm *s);

/* Whether a Vector-Inner layer adds its numbers to the values or subtracts them, so that a sum
 * can be made in several steps. */
bool graphagile_plan_is_added(const graphagile_plan_sddmm *s);

/* The rows that a Vector-Inner layer or link multiplies: sources, or destinations where it has
 * no sources. */
const graphagile_plan_tensor *graphagile_plan_rows_of(const graphagile_plan_sddmm *s);

#endif
