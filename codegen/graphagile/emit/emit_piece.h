/* The pieces of subshards in the buffers: loads of their edges and rows, and SPDMMs on columns of
 * them. */
#ifndef GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_PIECE_H
#define GNNC_CODEGEN_GRAPHAGILE_EMIT_EMIT_PIECE_H

#include "codegen/graphagile/emit/emit_state.h"

/* How many PEs load the same edges, and the same sources; which of several that go over the same
 * rows. */
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
/* The Feature Buffer with the rows of sources that links read. */
int graphagile_emit_link_rows(const graphagile_plan_spdmm *s, const graphagile_emit_piece *p);
/* An SPDMM on columns of a head. */
void graphagile_emit_sum(graphagile_emit *e, const graphagile_emit_piece *p, const graphagile_emit_region *r,
                         const graphagile_emit_part *part, bool frees_edges, bool frees_rows);
/* Columns begin .. end of the block's fibers as parts: a partial fiber, whole fibers, a partial
 * fiber; whole fibers are cut at multiples of `chunk` too. Returns how many: without chunks at most
 * 3. */
enum { GRAPHAGILE_EMIT_MOST_PARTS = 3, GRAPHAGILE_EMIT_NO_CHUNKS = INT32_MAX };
int graphagile_emit_split_columns(const graphagile_emit *e, int64_t begin, int64_t end, int64_t chunk,
                                  graphagile_emit_part *out);

#endif
