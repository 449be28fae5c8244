/* The computations of a Vector-Inner layer on the pieces of a destination shard. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_INNER_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_INNER_H

#include "codegen/graphagile/emit/emit_piece.h"

/* The columns of a head, in the parts in which they are multiplied. */
typedef struct graphagile_emit_head {
  int64_t number;
  graphagile_emit_part *parts;
  int count;
} graphagile_emit_head;

/* What a block computes: a destination shard, some heads, and how buffers are used. Callers change
 * members from loop to loop. */
typedef struct graphagile_emit_inner {
  graphagile_emit_region dst; /* the rows of the shard, or of the first of two, with all fibers */
  bool is_resident;           /* all fibers of both ends fit their buffers: F2 is loaded once */
  bool by_vadd;               /* a VADD combines the values with the inner products */
  bool alternates;            /* buffers alternate in loops */
  bool is_outer;              /* chunks of fibers are the outermost loop */
  bool is_pair;               /* the block has two shards, in F1 and F2 */
  bool is_last;               /* the pieces are the last ones of the shard */
  int parity;                 /* of the Edge and Feature Buffers with which a LOOP begins */
  /* heads first_head .. end_head - 1 */
  int64_t first_head, end_head;
  int share; /* PEs that load the same source tiles at the same time */
} graphagile_emit_inner;

/* new_head allocates room for the parts of a head: a part for each fiber, and the partial fibers at
 * both ends. split_head fills in the parts of head h. */
graphagile_emit_head graphagile_emit_new_head(graphagile_emit *e);
void graphagile_emit_split_head(const graphagile_emit *e, int64_t h, graphagile_emit_head *out);

/* One pass over `count` pieces from piece `first` on, with all heads of the block. */
void graphagile_emit_inner_pieces(graphagile_emit *e, const graphagile_emit_inner *b, int64_t first, int64_t count);

/* A pass over the pieces first .. end - 1 for each chunk of each head; the last one releases F2. */
void graphagile_emit_inner_chunks(graphagile_emit *e, graphagile_emit_inner *b, int64_t first, int64_t end);

#endif
