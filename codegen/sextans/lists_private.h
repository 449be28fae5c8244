/* Shared by the files that make lists of non-zeros. */
#ifndef GNNC_CODEGEN_SEXTANS_LISTS_PRIVATE_H
#define GNNC_CODEGEN_SEXTANS_LISTS_PRIVATE_H

#include "codegen/sextans/lists.h"

/* Runs of non-zeros of a row within a window, row after row. */
typedef struct list_runs {
  int64_t *ptr;    /* [rows + 1] first run of each row */
  int32_t *window; /* [runs] ascending within a row */
  int32_t *count;
  int64_t *begin; /* first non-zero */
} list_runs;

/* Entries of a matrix by row, then by column. Columns without entries may be left out. */
typedef struct list_entries {
  int64_t rows, cols, count, windows, window;
  int32_t *col;       /* [count] row of B */
  int32_t *entry;     /* [count] of the matrix */
  int32_t *column_of; /* [cols]; NULL: all columns */
  list_runs runs;
} list_entries;

/* Sorts entries and finds the runs; column_of is in `a`, the rest in `scratch`. keeps_columns:
 * columns without entries are rows of B, too. */
status sextans_sort_entries(arena *a, arena *scratch, const sextans_device *d, const sextans_matrix *m,
                            bool keeps_zeros, bool keeps_columns, list_entries *out);

/* Virtual rows of the rows first .. first + rows - 1. */
typedef struct list_cut {
  int64_t piece; /* most non-zeros of a run; 0: rows are whole */
  int64_t count; /* virtual rows */
  int32_t *row;  /* [count] row of the matrix */
  list_runs runs;
} list_cut;

/* Counts the virtual rows of a cut without making them. */
int64_t sextans_count_pieces(const list_entries *e, int64_t first, int64_t rows, int64_t piece, bool keeps_rows);
/* Cuts runs of more than `piece` non-zeros; piece k of all runs of a row makes one virtual row.
 * Fails where memory is out. */
status sextans_cut_rows(arena *a, const list_entries *e, int64_t first, int64_t rows, int64_t piece, bool keeps_rows,
                        list_cut *out);

/* The PE and the row of that PE for each virtual row. */
typedef struct list_places {
  unsigned char *pe; /* [count] */
  int32_t *local;
  int64_t rows; /* rows of C that the device writes: 1 + the largest 64 * local + pe */
} list_places;

/* Assigns virtual rows with all windows in view; a PE takes at most `most` rows. */
status sextans_assign(arena *a, const list_entries *e, const list_cut *c, int64_t most, list_places *out);
/* Row r to PE r mod 64, as the published host program does; virtual rows are rows. */
status sextans_assign_in_turn(arena *a, const list_cut *c, list_places *out);

/* The length of the optimal schedule of each window, as q[windows + 1]. */
status sextans_measure(arena *a, const list_entries *e, const list_cut *c, const list_places *p, int64_t distance,
                       int32_t *q);

/* A run of a list: non-zeros begin, begin + 1, .. of a row of the PE. */
typedef struct list_item {
  int32_t local, count;
  int64_t begin;
} list_item;

/* Schedules one list. slots[i] becomes the non-zero of slot i, or -1; its room must suffice.
 * Returns the number of slots. `scratch` has room for sextans_schedule_bytes(..). */
typedef int64_t sextans_schedule(const list_entries *e, const list_item *items, int64_t count, int64_t distance,
                                 void *scratch, int64_t *slots);
sextans_schedule sextans_schedule_best, sextans_schedule_published;
/* The most slots of any schedule of a list, and the bytes of scratch memory for it. */
int64_t sextans_schedule_room(const list_item *items, int64_t count, int64_t distance);
size_t sextans_schedule_bytes(const list_item *items, int64_t count, int64_t distance);

/* Schedules all lists and packs them: sets slots, a, entry_of and q of `out`, which has `windows`
 * and `count`. q[windows + 1] has the lengths of the optimal schedule; those of the published one
 * are written to it. */
status sextans_pack(arena *a, const list_entries *e, const list_cut *c, const list_places *p, const sextans_matrix *m,
                    sextans_schedule *schedule, int64_t distance, int32_t *q, thread_pool *pool, sextans_lists *out);

#endif
