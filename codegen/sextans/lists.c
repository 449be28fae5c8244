/* Makes the lists of a matrix: divides its rows into blocks that fit the PEs, and chooses for each
 * block the cut and the assignment with the fewest cycles. */
#include "codegen/sextans/lists.h"

#include "codegen/sextans/lists_private.h"
#include "isa/sextans/timing.h"
#include "support/number.h"

#include <inttypes.h>

/* The lengths of pieces that are tried, falling; 0: rows are whole. Two more follow from the matrix.
 * With pieces of one non-zero the host would do all additions. */
static const int64_t pieces[] = {0, 64, 48, 32, 24, 20, 16, 12, 10, 8, 6, 5, 4, 3, 2};

/* Rows that a PE may take beyond an even share, where the windows are better balanced so. More rows
 * take longer to initialise and to write. The first one is used for the choice of the pieces. */
static const int64_t slacks[] = {8, 0, 2, 32};

enum { PIECES = sizeof pieces / sizeof *pieces, SLACKS = sizeof slacks / sizeof *slacks, AT_ONCE = 4 };

/* A way to cut and assign the rows of a block. */
typedef struct candidate {
  bool is_in_turn; /* row r to PE r mod 64 */
  int64_t piece, slack;
  arena *arena; /* of all that follows; NULL: it was not evaluated */
  list_cut cut;
  list_places places;
  int32_t *q;
  uint64_t cycles;
  status failed;
} candidate;

typedef struct block {
  const sextans_device *device;
  const sextans_matrix *matrix;
  const list_entries *e;
  const sextans_lists_options *options;
  int64_t first, rows, ideal;
  int32_t *ideal_q;
  candidate best, *tried; /* tried: those that are evaluated at once */
  uint64_t without_room;  /* least cycles of cuts that make more rows than the PEs hold; 0: none */
} block;

static status no_memory(int64_t windows) {
  return status_error(STATUS_CODE_memory, "no memory for the lists of %" PRId64 " windows", windows);
}

static uint64_t cycles_of(const block *b, int64_t rows, const int32_t *q) {
  return sextans_launch_cycles(b->device, rows, b->e->cols, number_max(b->options->n, 1), b->e->windows, q);
}

/* Counts the slots of each window if all PEs had the same number of non-zeros. */
static void find_ideal(block *b) {
  const list_runs *r = &b->e->runs;
  int32_t *q = b->ideal_q;
  for (int64_t i = r->ptr[b->first]; i < r->ptr[b->first + b->rows]; i++) q[r->window[i] + 1] += r->count[i];
  for (int64_t w = 0; w < b->e->windows; w++) q[w + 1] = q[w] + (int32_t)number_ceil_div(q[w + 1], SEXTANS_PES);
  b->ideal = q[b->e->windows];
}

/* ---- candidates ---- */

/* Whether a part of the best rule is used. */
static bool has_part(const sextans_lists_options *o, sextans_part part) {
  return o->rule == SEXTANS_RULE_best && !(o->without & part);
}

static bool keeps_rows(const block *b) {
  return b->options->keeps_rows || b->options->rule == SEXTANS_RULE_published;
}

static status evaluate(const block *b, candidate *c) {
  const list_entries *e = b->e;
  c->q = arena_try_alloc_array(c->arena, (size_t)e->windows + 2, sizeof *c->q);
  if (!c->q) return no_memory(e->windows);
  RETURN_IF_ERROR(sextans_cut_rows(c->arena, e, b->first, b->rows, c->piece, keeps_rows(b), &c->cut));
  int64_t even_share = number_ceil_div(c->cut.count, SEXTANS_PES);
  if (c->is_in_turn)
    RETURN_IF_ERROR(sextans_assign_in_turn(c->arena, &c->cut, &c->places));
  else
    RETURN_IF_ERROR(
        sextans_assign(c->arena, e, &c->cut, number_min(even_share + c->slack, b->device->depth), &c->places));
  RETURN_IF_ERROR(sextans_measure(c->arena, e, &c->cut, &c->places, b->device->distance, c->q));
  c->cycles = cycles_of(b, c->places.rows, c->q);
  return STATUS_OK;
}

static void evaluate_part(void *data, int64_t part) {
  block *b = data;
  candidate *c = &b->tried[part];
  c->arena = arena_create();
  c->failed = evaluate(b, c);
}

static void drop(candidate *c) {
  arena_destroy(c->arena);
  c->arena = NULL;
}

static bool is_better(const candidate *c, const candidate *other, int64_t windows) {
  if (!other->arena) return true;
  return c->cycles < other->cycles || (c->cycles == other->cycles && c->q[windows] < other->q[windows]);
}

/* Evaluates candidates and keeps the best one: of those with equal cycles the one with fewest slots,
 * of these the first. */
static status try_candidates(block *b, candidate *tried, int64_t count) {
  status failed = STATUS_OK;
  b->tried = tried;
  if (b->options->pool)
    thread_pool_for_parts(b->options->pool, count, evaluate_part, b);
  else
    for (int64_t i = 0; i < count; i++) evaluate_part(b, i);
  for (int64_t i = 0; i < count; i++) {
    if (failed)
      status_free(tried[i].failed);
    else
      failed = tried[i].failed;
    bool wins = !failed && is_better(&tried[i], &b->best, b->e->windows);
    candidate other = wins ? b->best : tried[i];
    if (wins) b->best = tried[i];
    drop(&other);
  }
  b->tried = NULL;
  return failed;
}

/* Whether cutting into pieces may be better than the best candidate: with the rows it makes, and all
 * PEs equally loaded. */
static bool is_promising(block *b, int64_t piece) {
  int64_t rows = sextans_count_pieces(b->e, b->first, b->rows, piece, keeps_rows(b));
  uint64_t least = cycles_of(b, rows, b->ideal_q);
  bool has_room = rows <= SEXTANS_PES * (int64_t)b->device->depth;
  if (!has_room && (!b->without_room || least < b->without_room)) b->without_room = least;
  return has_room && (!b->best.arena || least < b->best.cycles);
}

/* The shortest piece for which the PEs have room, where that is longer than those that are tried
 * anyway; 0: it is not, or no cut has room. */
static int64_t find_piece_with_room(const block *b) {
  int64_t room = SEXTANS_PES * (int64_t)b->device->depth, least = pieces[1], most = b->e->window;
  if (sextans_count_pieces(b->e, b->first, b->rows, least, keeps_rows(b)) <= room) return 0;
  while (most - least > 1) {
    int64_t middle = least + (most - least) / 2;
    bool has_room = sextans_count_pieces(b->e, b->first, b->rows, middle, keeps_rows(b)) <= room;
    if (has_room)
      most = middle;
    else
      least = middle;
  }
  return most < b->e->window ? most : 0;
}

static status choose_piece(block *b) {
  const int64_t own[] = {b->ideal_q[b->e->windows] / number_max(b->e->windows, 1) / b->device->distance,
                         find_piece_with_room(b)};
  enum { OWN = sizeof own / sizeof *own };
  for (int i = 0; i < PIECES + OWN;) {
    candidate tried[AT_ONCE] = {{.arena = NULL}};
    int64_t count = 0;
    for (; i < PIECES + OWN && count < AT_ONCE; i++) {
      int64_t piece = i < PIECES ? pieces[i] : own[i - PIECES];
      bool is_known = i >= PIECES && piece < 2, is_cut = has_part(b->options, SEXTANS_PART_cut);
      if (is_known || (piece && !is_cut) || !is_promising(b, piece)) continue;
      tried[count++] =
          (candidate){.is_in_turn = !has_part(b->options, SEXTANS_PART_assign), .piece = piece, .slack = slacks[0]};
    }
    RETURN_IF_ERROR(try_candidates(b, tried, count));
  }
  return STATUS_OK;
}

static status choose(block *b) {
  RETURN_IF_ERROR(choose_piece(b));
  bool is_least = !is_promising(b, b->best.piece);
  if (is_least || !has_part(b->options, SEXTANS_PART_assign)) return STATUS_OK;
  candidate tried[SLACKS] = {{.arena = NULL}};
  for (int i = 1; i < SLACKS; i++) tried[i - 1] = (candidate){.piece = b->best.piece, .slack = slacks[i]};
  tried[SLACKS - 1] = (candidate){.is_in_turn = true};
  return try_candidates(b, tried, SLACKS);
}

/* ---- blocks ---- */

static status describe_rows(arena *a, const candidate *c, sextans_lists *out) {
  int32_t *row_of = arena_try_alloc_array(a, (size_t)out->rows + 1, sizeof *row_of);
  if (!row_of) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " rows", out->rows);
  for (int64_t r = 0; r < out->rows; r++) row_of[r] = -1;
  for (int64_t v = 0; v < c->cut.count; v++) {
    row_of[(int64_t)c->places.local[v] * SEXTANS_PES + c->places.pe[v]] = c->cut.row[v];
    out->extra_rows += v > 0 && c->cut.row[v] == c->cut.row[v - 1];
  }
  out->row_of = row_of;
  return STATUS_OK;
}

static status make_block(arena *a, const block *b, sextans_lists *out) {
  const list_entries *e = b->e;
  int32_t *q = arena_try_alloc_array(a, (size_t)e->windows + 2, sizeof *q);
  if (!q) return no_memory(e->windows);
  const candidate *c = &b->best;
  *out = (sextans_lists){
      .rows = c->places.rows, .cols = e->cols, .windows = e->windows, .column_of = e->column_of, .ideal = b->ideal};
  for (int64_t i = 0; i < c->cut.runs.ptr[c->cut.count]; i++) out->count += c->cut.runs.count[i];
  for (int64_t w = 0; w <= e->windows; w++) q[w] = c->q[w];
  RETURN_IF_ERROR(describe_rows(a, c, out));
  out->piece = out->extra_rows ? c->piece : 0;
  RETURN_IF_ERROR(
      sextans_pack(a, e, &c->cut, &c->places, b->matrix,
                   has_part(b->options, SEXTANS_PART_schedule) ? sextans_schedule_best : sextans_schedule_published,
                   b->device->distance, q, b->options->pool, out));
  out->cycles = cycles_of(b, out->rows, q);
  return STATUS_OK;
}

/* A division of the rows into blocks of about the same size. */
typedef struct division {
  block *blocks; /* [count] */
  int64_t count;
  uint64_t cycles, wish; /* wish: cycles that the blocks might save if their PEs had room for more pieces */
} division;

static void drop_division(division *d) {
  for (int64_t i = 0; i < d->count; i++) drop(&d->blocks[i].best);
  d->count = 0;
}

static status divide(arena *scratch, const block *whole, int64_t count, division *out) {
  *out = (division){.blocks = arena_alloc_array(scratch, (size_t)count, sizeof *out->blocks)};
  for (int64_t i = 0; i < count; i++) {
    block *b = &out->blocks[out->count++];
    int64_t end;
    *b = *whole;
    thread_pool_cut(whole->rows, (int)i, (int)count, &b->first, &end);
    b->rows = end - b->first;
    b->ideal_q = arena_try_alloc_array(scratch, (size_t)b->e->windows + 2, sizeof *b->ideal_q);
    if (!b->ideal_q) return no_memory(b->e->windows);
    find_ideal(b);
    RETURN_IF_ERROR(choose(b));
    out->cycles += b->best.cycles;
    if (b->without_room && b->without_room < b->best.cycles) out->wish += b->best.cycles - b->without_room;
  }
  return STATUS_OK;
}

/* The least cycles of one more launch: its B. */
static uint64_t cost_of_launch(const block *whole) {
  return (uint64_t)(sextans_ceil(number_max(whole->options->n, 1), SEXTANS_TILE) *
                    sextans_ceil(whole->e->cols, SEXTANS_STREAM_ROWS));
}

/* Chooses the number of blocks: the least one that the PEs hold, or more where long rows cannot be
 * cut for want of rows, as long as that takes fewer cycles. */
static status choose_division(arena *scratch, const block *whole, division *out) {
  int64_t count = number_max(1, number_ceil_div(whole->rows, SEXTANS_PES * (int64_t)whole->device->depth));
  RETURN_IF_ERROR(divide(scratch, whole, count, out));
  while (out->wish > cost_of_launch(whole) && out->count < whole->rows) {
    division next;
    status failed = divide(scratch, whole, out->count + 1, &next);
    bool is_better = !failed && next.cycles < out->cycles;
    division other = is_better ? *out : next;
    if (is_better) *out = next;
    drop_division(&other);
    if (!is_better) return failed;
  }
  return STATUS_OK;
}

static status make_blocks(arena *a, const division *d, sextans_lists *out) {
  for (int64_t i = 0; i < d->count; i++) RETURN_IF_ERROR(make_block(a, &d->blocks[i], &out[i]));
  return STATUS_OK;
}

status sextans_lists_build(arena *a, const sextans_device *d, const sextans_matrix *m, const sextans_lists_options *o,
                           sextans_lists **out, int64_t *num_blocks) {
  arena *scratch = arena_create();
  list_entries e;
  block whole = {.device = d, .matrix = m, .e = &e, .options = o, .rows = m->rows};
  division chosen = {.count = 0};
  status failed = sextans_sort_entries(a, scratch, d, m, o->keeps_zeros, !has_part(o, SEXTANS_PART_columns), &e);
  if (!failed) failed = choose_division(scratch, &whole, &chosen);
  *num_blocks = chosen.count;
  *out = arena_alloc_array(a, (size_t)chosen.count + 1, sizeof **out);
  if (!failed) failed = make_blocks(a, &chosen, *out);
  drop_division(&chosen);
  arena_destroy(scratch);
  return failed;
}
