/* What the two ways to write Aggregate layers share. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_SPDMM_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_SPDMM_H

#include "codegen/graphagile/emit/emit.h"

/* How many PEs load the same edges, and the same sources; which of several that go over the same rows. */
typedef struct emit_share {
  int edges, rows;
  int wave;
} emit_share;

/* A piece of a subshard in the buffers; in a LOOP the descriptor of the iteration says which. */
typedef struct emit_piece {
  const graphagile_descriptor *descriptor; /* NULL: in a LOOP */
  int e, f;                                /* Edge and Feature Buffer */
  int64_t rows;                            /* from fiber to fiber of the sources in the buffer */
  bool frees_rows;                         /* no piece behind it needs them */
  bool is_pair; /* in a LOOP: descriptors say which of two tiles takes the sums; sources are in F0 alone */
  emit_share share;
} emit_piece;

/* Columns of a head in the block's fibers: fibers `first` .. and lanes of each. */
typedef struct emit_part {
  int64_t first, fibers;
  uint64_t lanes;
} emit_part;

/* Records of a piece. */
void emit_load_piece(emit *e, const emit_piece *p);
/* Rows of sources: those that are summed up, then those that links need. */
void emit_load_sources(emit *e, const emit_piece *p, const emit_region *r);
/* Values of a head over the weights of a piece. */
void emit_load_values(emit *e, const emit_piece *p, int64_t head);
/* Values and SPDMMs of a piece. */
void emit_aggregate(emit *e, const emit_piece *p, const emit_region *r);
/* The same where values are made on the piece or summed up beside the columns (emit_attention.c). */
void emit_attention(emit *e, const emit_piece *p, const emit_region *r);
bool emit_has_attention(const plan_layer *l);
/* The Feature Buffer with the rows of sources that links read. */
int emit_link_rows(const plan_layer *l, const emit_piece *p);
/* An SPDMM on columns of a head. */
void emit_sum(emit *e, const emit_piece *p, const emit_region *r, const emit_part *part, bool frees_edges,
              bool frees_rows);
/* Columns begin .. end of the block's fibers as parts: a partial fiber, whole fibers, a partial fiber. Returns how many. */
int emit_split_columns(const emit *e, int64_t begin, int64_t end, emit_part out[3]);
/* What follows the sums of a shard. */
void emit_finish(emit *e, const emit_region *r);
/* Rows of a shard, fibers of a group. */
emit_region emit_shard(const emit *e, int64_t group, int64_t shard);

/* The block of a band of one or two shards for a group of fibers, with a LOOP over its pieces; all its loads are shared alike. */
void emit_band(emit *e, int64_t group, int64_t band, int64_t number, emit_share share);

/* All blocks, in waves that share loads. */
int64_t emit_waves(emit *e);

#endif
