/* Instructions on one piece of a subshard: loads of its edges, values and source rows, and SPDMMs
 * on some of their columns. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_PIECE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_PIECE_H

#include "codegen/graphagile/emit/emit_state.h"

/* How many PEs load the same edges and the same source rows in one transfer; the number of their
 * wave tells apart loads of the same address by other PEs. */
typedef struct graphagile_emit_share {
  int edges, rows;
  int wave;
} graphagile_emit_share;

/* A piece and the buffers that hold it. In a LOOP the descriptor of the iteration says which piece
 * it is. */
typedef struct graphagile_emit_piece {
  const graphagile_descriptor *descriptor; /* NULL: the piece is that of the LOOP's iteration */
  int e, f;                                /* numbers of the Edge Buffer and of the Feature Buffer of sources */
  int64_t rows;                            /* rows in the buffer from fiber to fiber of the sources */
  bool frees_rows;                         /* no later piece needs the source rows */
  bool is_pair; /* in a LOOP over two shards: descriptors say which buffer takes the sums; sources are in F0 alone */
  graphagile_emit_share share;
} graphagile_emit_piece;

/* Columns of a head: fibers first .. first + fibers - 1 of the block, and in each the lanes of a
 * bit mask. */
typedef struct graphagile_emit_part {
  int64_t first, fibers;
  uint64_t lanes;
} graphagile_emit_part;

/* Loads the records of a piece into its Edge Buffer. */
void graphagile_emit_load_piece(graphagile_emit *e, const graphagile_emit_piece *p);
/* Loads source rows: those that are summed up, then those that links need. */
void graphagile_emit_load_sources(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r);
/* Loads the values of a head over the weights of a piece in its Edge Buffer. */
void graphagile_emit_load_values(graphagile_emit *e, const graphagile_emit_piece *p, int64_t head);
/* The number of the Feature Buffer with the source rows that links read. */
int graphagile_emit_link_rows(const graphagile_plan_spdmm *s, const graphagile_emit_piece *p);
/* Emits an SPDMM on columns of a head; frees_edges and frees_rows release the Edge Buffer and the
 * buffer of sources. */
void graphagile_emit_sum(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                         const graphagile_emit_part *part, bool frees_edges, bool frees_rows);
/* Splits columns begin .. end - 1 of the block's fibers into parts: a partial fiber, whole fibers,
 * a partial fiber. Whole fibers are also cut at multiples of `chunk`. Returns the number of parts:
 * at most 3 without chunks. */
enum { GRAPHAGILE_EMIT_MOST_PARTS = 3, GRAPHAGILE_EMIT_NO_CHUNKS = INT32_MAX };
int graphagile_emit_split_columns(const graphagile_emit *e, int64_t begin, int64_t end, int64_t chunk,
                                  graphagile_emit_part *out);

#endif
