/* Cuts rows with many non-zeros in a window into virtual rows. A list that holds f non-zeros of one
 * row takes at least (f - 1) D + 1 slots, so pieces of a row belong to different PEs.
 *
 *   row r: runs of 70 and 20 non-zeros, pieces of 32    =>    virtual rows (32, 20), (32), (6)
 *
 * The pieces of a row are rows of C of their own, and the host adds them up. */
#include "codegen/sextans/lists_private.h"

#include "support/number.h"

#include <inttypes.h>

static int64_t pieces_of(const list_entries *e, int64_t row, int64_t piece) {
  int64_t most = 0;
  for (int64_t i = e->runs.ptr[row]; i < e->runs.ptr[row + 1]; i++) most = number_max(most, e->runs.count[i]);
  return !most ? 0 : piece ? number_ceil_div(most, piece) : 1;
}

int64_t sextans_count_pieces(const list_entries *e, int64_t first, int64_t rows, int64_t piece, bool keeps_rows) {
  int64_t count = 0;
  for (int64_t r = first; r < first + rows; r++) {
    int64_t pieces = pieces_of(e, r, piece);
    count += keeps_rows && !pieces ? 1 : pieces;
  }
  return count;
}

static int64_t count_runs(const list_entries *e, int64_t first, int64_t rows, int64_t piece) {
  int64_t count = e->runs.ptr[first + rows] - e->runs.ptr[first];
  for (int64_t i = e->runs.ptr[first]; piece && i < e->runs.ptr[first + rows]; i++)
    count += (e->runs.count[i] - 1) / piece;
  return count;
}

/* Appends piece k of a row: its part of each run that is long enough. */
static int64_t add_piece(const list_entries *e, int64_t row, int64_t k, int64_t piece, list_runs *out, int64_t at) {
  for (int64_t i = e->runs.ptr[row]; i < e->runs.ptr[row + 1]; i++) {
    int64_t before = k * piece, count = e->runs.count[i] - before;
    if (count <= 0) continue;
    out->window[at] = e->runs.window[i];
    out->begin[at] = e->runs.begin[i] + before;
    out->count[at++] = (int32_t)(piece ? number_min(count, piece) : count);
  }
  return at;
}

status sextans_cut_rows(arena *a, const list_entries *e, int64_t first, int64_t rows, int64_t piece, bool keeps_rows,
                        list_cut *out) {
  size_t runs = (size_t)count_runs(e, first, rows, piece) + 1;
  *out = (list_cut){.piece = piece, .count = sextans_count_pieces(e, first, rows, piece, keeps_rows)};
  size_t count = (size_t)out->count + 1;
  out->row = arena_try_alloc_array(a, count, sizeof *out->row);
  out->runs.ptr = arena_try_alloc_array(a, count, sizeof *out->runs.ptr);
  out->runs.window = arena_try_alloc_array(a, runs, sizeof *out->runs.window);
  out->runs.count = arena_try_alloc_array(a, runs, sizeof *out->runs.count);
  out->runs.begin = arena_try_alloc_array(a, runs, sizeof *out->runs.begin);
  if (!out->row || !out->runs.ptr || !out->runs.window || !out->runs.count || !out->runs.begin)
    return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " virtual rows", out->count);
  int64_t v = 0, at = 0;
  for (int64_t r = first; r < first + rows; r++) {
    int64_t pieces = pieces_of(e, r, piece);
    for (int64_t k = 0; k < (keeps_rows && !pieces ? 1 : pieces); k++) {
      out->row[v] = (int32_t)r;
      out->runs.ptr[v++] = at;
      at = add_piece(e, r, k, piece, &out->runs, at);
    }
  }
  out->runs.ptr[v] = at;
  return STATUS_OK;
}
