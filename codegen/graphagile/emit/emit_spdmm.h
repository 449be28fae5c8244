/* What the two ways to write Aggregate layers share. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_SPDMM_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_SPDMM_H

#include "codegen/graphagile/emit/emit.h"

/* How many PEs load the same edges, and the same sources; which of several that go over the same rows. */
typedef struct graphagile_emit_share {
  int edges, rows;
  int wave;
} graphagile_emit_share;

/* A piece of a subshard in the buffers; in a LOOP the descriptor of the iteration says which. */
typedef struct graphagile_emit_piece {
  const graphagile_descriptor *descriptor; /* NULL: in a LOOP */
  int e, f;                                /* Edge and Feature Buffer */
  int64_t rows;                            /* from fiber to fiber of the sources in the buffer */
  bool frees_rows;                         /* no piece behind it needs them */
  bool is_pair; /* in a LOOP: descriptors say which of two tiles takes the sums; sources are in F0 alone */
  graphagile_emit_share share;
} graphagile_emit_piece;

/* Columns of a head in the block's fibers: fibers `first` .. and lanes of each. */
typedef struct graphagile_emit_part {
  int64_t first, fibers;
  uint64_t lanes;
} graphagile_emit_part;

/* Records of a piece. */
void graphagile_emit_load_piece(graphagile_emit *e, const graphagile_emit_piece *p);
/* Rows of sources: those that are summed up, then those that links need. */
void graphagile_emit_load_sources(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
/* Values of a head over the weights of a piece. */
void graphagile_emit_load_values(graphagile_emit *e, const graphagile_emit_piece *p, int64_t head);
/* Values and SPDMMs of a piece. */
void graphagile_emit_aggregate(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
/* The same where values are made on the piece or summed up beside the columns (emit_attention.c). */
void graphagile_emit_attention(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
bool graphagile_emit_has_attention(const graphagile_plan_layer *l);
/* The Feature Buffer with the rows of sources that links read. */
int graphagile_emit_link_rows(const graphagile_plan_layer *l, const graphagile_emit_piece *p);
/* An SPDMM on columns of a head. */
void graphagile_emit_sum(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                         const graphagile_emit_part *part, bool frees_edges, bool frees_rows);
/* Columns begin .. end of the block's fibers as parts: a partial fiber, whole fibers, a partial fiber. Returns how many. */
int graphagile_emit_split_columns(const graphagile_emit *e, int64_t begin, int64_t end, graphagile_emit_part out[3]);
/* What follows the sums of a shard. */
void graphagile_emit_finish(graphagile_emit *e, const graphagile_emit_region *r);
/* Rows of a shard, fibers of a group. */
graphagile_emit_region graphagile_emit_shard(const graphagile_emit *e, int64_t group, int64_t shard);

/* The block of a band of one or two shards for a group of fibers, with a LOOP over its pieces; all its loads are shared alike. */
void graphagile_emit_band(graphagile_emit *e, int64_t group, int64_t band, int64_t number, graphagile_emit_share share);

/* All blocks, in waves that share loads. */
int64_t graphagile_emit_waves(graphagile_emit *e);

#endif
