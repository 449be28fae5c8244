/* Rows and values that an Aggregate needs when the layers that make its values are steps on its pieces (fuse_attention.h). */
#ifndef GNNC_CODEGEN_GRAPHAGILE_PLAN_LINKS_H
#define GNNC_CODEGEN_GRAPHAGILE_PLAN_LINKS_H

#include "codegen/graphagile/plan/plan_layer.h"

/* Fibers that the links of an Aggregate and its division need besides those of the result: of sources, and of destinations next to the sums. */
int64_t graphagile_plan_source_fibers(const graphagile_plan_layer *layer);
int64_t graphagile_plan_destination_fibers(const graphagile_plan_layer *layer);

/* Those of destinations that come from memory. */
int64_t graphagile_plan_loaded_fibers(const graphagile_plan_layer *layer);

/* The tensors of those destinations, in their order behind the sums and the column of summed values. A link makes the first, or all are loaded. Returns how many. */
int graphagile_plan_destinations(const graphagile_plan_layer *layer,
                                 const graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_LINKS]);

/* Whether a link makes rows that another reads: these, or any. */
bool graphagile_plan_makes(const graphagile_plan_layer *layer, const graphagile_plan_tensor *rows);
bool graphagile_plan_is_whole(const graphagile_plan_layer *layer);

/* Whether a shard of any partition with that many source rows is at most one piece. */
bool graphagile_plan_has_one_piece(const graphagile_device *d, const graphagile_plan_layer *layer,
                                   graphagile_partition_shape shape);

/* Heads of the values that an Aggregate reads; 0 where it reads none. */
int64_t graphagile_plan_heads(const graphagile_plan_layer *layer);

/* Whether an Aggregate loads rows of sources at all. */
bool graphagile_plan_has_sources(const graphagile_plan_layer *layer);

/* The rows that a Vector-Inner layer or link multiplies: sources, else destinations. */
const graphagile_plan_tensor *graphagile_plan_rows_of(const graphagile_plan_layer *l);

#endif
