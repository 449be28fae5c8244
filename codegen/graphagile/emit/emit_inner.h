/* The pieces of a destination shard in a Vector-Inner layer. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_INNER_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_INNER_H

#include "codegen/graphagile/emit/emit_piece.h"

/* A head: the parts in which its columns are multiplied. */
typedef struct graphagile_emit_head {
  int64_t number;
  graphagile_emit_part *parts;
  int count;
} graphagile_emit_head;

/* A block, or the heads and pieces of it that are at hand. */
typedef struct graphagile_emit_inner {
  graphagile_emit_region dst; /* the shard, or the first of two: all fibers */
  bool is_resident;           /* all fibers of both sides fit: F2 is loaded once */
  bool by_vadd;               /* values meet the inner product in a VADD */
  bool alternates;            /* buffers alternate in loops */
  bool is_outer;              /* chunks of fibers are outermost */
  bool is_pair;               /* two shards, in F1 and F2 */
  bool is_last;               /* pieces of the shard */
  int parity;                 /* of the buffers of a LOOP of one iteration */
  int64_t first_head, end_head;
  int share; /* PEs that go over the same source tiles at the same time */
} graphagile_emit_inner;

/* Room for the parts of a head of the layer, and the parts of one. */
graphagile_emit_head graphagile_emit_new_head(graphagile_emit *e);
void graphagile_emit_split_head(const graphagile_emit *e, int64_t h, graphagile_emit_head *out);

/* One pass over pieces first .. of the shard, with all of the block's heads. */
void graphagile_emit_inner_pieces(graphagile_emit *e, const graphagile_emit_inner *b, int64_t first, int64_t count);

/* A pass over pieces first .. end for each chunk of each head; the last gives F2 back. */
void graphagile_emit_inner_chunks(graphagile_emit *e, graphagile_emit_inner *b, int64_t first, int64_t end);

#endif
