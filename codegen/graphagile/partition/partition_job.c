/* Makes the pieces of subshards, in the order of cells. */
#include "codegen/graphagile/partition/partition_job.h"

#include "codegen/device/host/host_memory.h"
#include "support/number.h"

#include <inttypes.h>
#include <stdlib.h>

status graphagile_partition_begin_pieces(graphagile_partition_job *j, int64_t cells, int64_t count) {
  graphagile_partition *p = j->out;
  if (j->keeps_empty) count += j->cells - cells;
  p->pieces = host_memory_alloc(count, sizeof *p->pieces);
  p->shard_begin = calloc((size_t)p->shards + 1, sizeof *p->shard_begin);
  if (p->pieces && p->shard_begin) return STATUS_OK;
  return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " pieces of subshards", count);
}

/* Adds the pieces of a cell: one piece, or several of about the same number of edges, so that
 * loading one takes as long as computing another. A cell without edges gets one piece. */
static void add_pieces(graphagile_partition_job *j, int64_t cell, int64_t edges) {
  graphagile_partition *p = j->out;
  int64_t row = cell % j->src_shards * p->shape.src_rows, rest = j->edge_list->from_rows - row;
  int64_t pieces = edges ? graphagile_partition_pieces_of(j, edges) : 1;
  for (int64_t i = 0, count; i < pieces; i++, edges -= count) {
    count = number_ceil_div(edges, pieces - i);
    p->pieces[p->num_pieces++] = (graphagile_descriptor){
        .first_edge = (uint32_t)p->edges,
        .num_edges = (uint32_t)count,
        .src_row = (uint32_t)row,
        .src_rows = (uint32_t)number_min(rest, p->shape.src_rows),
    };
    p->edges += count;
  }
  p->shard_begin[cell / j->src_shards + 1] = p->num_pieces;
}

static void fill_cells(graphagile_partition_job *j, int64_t end) {
  for (; j->keeps_empty && j->next_cell < end; j->next_cell++) add_pieces(j, j->next_cell, 0);
}

void graphagile_partition_add_cell(graphagile_partition_job *j, int64_t cell, int64_t edges) {
  fill_cells(j, cell);
  add_pieces(j, cell, edges);
  j->next_cell = cell + 1;
}

void graphagile_partition_end_pieces(graphagile_partition_job *j) {
  fill_cells(j, j->cells);
}
