/* Schedules the lists of all PEs and windows and packs them into the channels of A. Lists of a
 * window are padded with bubbles to the longest one. Channels are independent of one another, so
 * threads share them. */
#include "codegen/sextans/lists_private.h"

#include "support/number.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct packer {
  const list_entries *e;
  const sextans_matrix *matrix;
  list_item *items; /* list after list; the lists of a window follow one another, PE after PE */
  int64_t *ptr;     /* [windows * 64 + 1] first item of each list */
  int32_t *local;   /* [non-zeros] row of the PE */
  sextans_schedule *schedule;
  int64_t distance;
  int32_t *length; /* [windows * 64] slots of each list */
  int32_t *entry;  /* [elements of A] 1 + entry of the matrix, 0 for bubbles; NULL: not needed */
  sextans_lists *out;
  bool has_no_memory[SEXTANS_A_CHANNELS];
} packer;

static status no_memory(const list_entries *e) {
  return status_error(STATUS_CODE_memory, "no memory for the lists of %" PRId64 " non-zeros", e->count);
}

/* Groups the runs of all virtual rows by list. */
static status make_lists(arena *a, packer *s, const list_cut *c, const list_places *p) {
  int64_t lists = s->e->windows * SEXTANS_PES, runs = c->runs.ptr[c->count];
  s->items = arena_try_alloc_array(a, (size_t)runs + 1, sizeof *s->items);
  s->ptr = arena_try_alloc_array(a, (size_t)lists + 2, sizeof *s->ptr);
  s->local = arena_try_alloc_array(a, (size_t)s->e->count + 1, sizeof *s->local);
  s->length = arena_try_alloc_array(a, (size_t)lists + 1, sizeof *s->length);
  if (!s->items || !s->ptr || !s->local || !s->length) return no_memory(s->e);
  int64_t *at = s->ptr + 1; /* ptr[l + 1] moves from the begin of list l to its end */
  for (int64_t v = 0; v < c->count; v++)
    for (int64_t i = c->runs.ptr[v]; i < c->runs.ptr[v + 1]; i++)
      at[(int64_t)c->runs.window[i] * SEXTANS_PES + p->pe[v] + 1]++;
  for (int64_t l = 0; l < lists; l++) at[l + 1] += at[l];
  for (int64_t v = 0; v < c->count; v++)
    for (int64_t i = c->runs.ptr[v]; i < c->runs.ptr[v + 1]; i++) {
      int64_t list = (int64_t)c->runs.window[i] * SEXTANS_PES + p->pe[v], begin = c->runs.begin[i];
      s->items[at[list]++] = (list_item){p->local[v], c->runs.count[i], begin};
      for (int64_t k = 0; k < c->runs.count[i]; k++) s->local[begin + k] = p->local[v];
    }
  return STATUS_OK;
}

/* ---- channels ---- */

static void place_list(const packer *s, int64_t list, const int64_t *slots, int64_t length) {
  int64_t window = list / SEXTANS_PES, first = s->out->q[window];
  int pe = (int)(list % SEXTANS_PES);
  int64_t channel = pe % SEXTANS_A_CHANNELS * s->out->slots * SEXTANS_LANES;
  for (int64_t t = 0; t < length; t++) {
    int64_t i = slots[t];
    if (i < 0) continue;
    int64_t at = channel + sextans_a_index(first + t, pe);
    int32_t entry = s->e->entry[i];
    uint32_t column = (uint32_t)(s->e->col[i] - window * s->e->window);
    s->out->a[at] = sextans_element((uint32_t)s->local[i], column, s->matrix->value ? s->matrix->value[entry] : 0);
    if (s->entry) s->entry[at] = entry + 1;
  }
}

/* Memory for the longest schedule of a channel. */
static bool alloc_channel(const packer *s, int64_t channel, void **scratch, int64_t **slots) {
  size_t bytes = 1, room = 1;
  for (int64_t l = channel; l < s->e->windows * SEXTANS_PES; l += SEXTANS_A_CHANNELS) {
    const list_item *items = s->items + s->ptr[l];
    int64_t count = s->ptr[l + 1] - s->ptr[l];
    size_t more = sextans_schedule_bytes(items, count, s->distance);
    size_t slots_of_list = (size_t)sextans_schedule_room(items, count, s->distance);
    bytes = more > bytes ? more : bytes;
    room = slots_of_list > room ? slots_of_list : room;
  }
  *scratch = malloc(bytes);
  *slots = malloc(room * sizeof **slots);
  return *scratch && *slots;
}

/* Schedules the lists of a channel, those of 8 PEs; places them where A is there. */
static void pack_channel(void *data, int64_t channel) {
  packer *s = data;
  void *scratch;
  int64_t *slots;
  s->has_no_memory[channel] = !alloc_channel(s, channel, &scratch, &slots);
  int64_t elements = s->out->slots * SEXTANS_LANES;
  if (s->out->a)
    for (int64_t i = 0; i < elements; i++) s->out->a[channel * elements + i] = SEXTANS_BUBBLE;
  for (int64_t l = channel; !s->has_no_memory[channel] && l < s->e->windows * SEXTANS_PES; l += SEXTANS_A_CHANNELS) {
    int64_t length = s->schedule(s->e, s->items + s->ptr[l], s->ptr[l + 1] - s->ptr[l], s->distance, scratch, slots);
    s->length[l] = (int32_t)length;
    if (s->out->a) place_list(s, l, slots, length);
  }
  free(scratch);
  free(slots);
}

static status pack_channels(packer *s, thread_pool *pool) {
  if (pool)
    thread_pool_for_parts(pool, SEXTANS_A_CHANNELS, pack_channel, s);
  else
    for (int64_t c = 0; c < SEXTANS_A_CHANNELS; c++) pack_channel(s, c);
  for (int c = 0; c < SEXTANS_A_CHANNELS; c++)
    if (s->has_no_memory[c]) return no_memory(s->e);
  return STATUS_OK;
}

/* ---- the whole matrix ---- */

/* The first slot of each window, from the lengths of its lists. */
static void sum_lengths(const packer *s, int32_t *q) {
  for (int64_t w = 0; w < s->e->windows; w++) {
    int32_t most = 0;
    for (int i = 0; i < SEXTANS_PES; i++)
      most = s->length[w * SEXTANS_PES + i] > most ? s->length[w * SEXTANS_PES + i] : most;
    q[w + 1] = q[w] + most;
  }
}

/* The entries of the elements that are no bubbles, in the order of memory. */
static status list_entries_of(arena *a, const packer *s, sextans_lists *out) {
  int32_t *entry_of = arena_try_alloc_array(a, (size_t)out->count + 1, sizeof *entry_of);
  int64_t at = 0, elements = out->slots * SEXTANS_LANES * SEXTANS_A_CHANNELS;
  if (!entry_of) return no_memory(s->e);
  for (int64_t i = 0; i < elements; i++)
    if (s->entry[i]) entry_of[at++] = s->entry[i] - 1;
  out->entry_of = entry_of;
  return STATUS_OK;
}

static status pack(arena *a, arena *scratch, packer *s, int32_t *q, thread_pool *pool, sextans_lists *out) {
  if (s->schedule == sextans_schedule_published) {
    RETURN_IF_ERROR(pack_channels(s, pool));
    sum_lengths(s, q);
  }
  out->slots = q[out->windows];
  size_t elements = (size_t)(out->slots * SEXTANS_LANES * SEXTANS_A_CHANNELS);
  uint64_t *memory = arena_try_alloc_array(a, elements + 1, sizeof *memory);
  s->entry = s->matrix->value ? NULL : arena_try_alloc_array(scratch, elements + 1, sizeof *s->entry);
  if (!memory || (!s->entry && !s->matrix->value)) return no_memory(s->e);
  out->a = memory;
  RETURN_IF_ERROR(pack_channels(s, pool));
  return s->entry ? list_entries_of(a, s, out) : STATUS_OK;
}

status sextans_pack(arena *a, const list_entries *e, const list_cut *c, const list_places *p, const sextans_matrix *m,
                    sextans_schedule *schedule, int64_t distance, int32_t *q, thread_pool *pool, sextans_lists *out) {
  arena *scratch = arena_create();
  packer s = {.e = e, .matrix = m, .schedule = schedule, .distance = distance, .out = out};
  out->a = NULL;
  out->q = q;
  status failed = make_lists(scratch, &s, c, p);
  if (!failed) failed = pack(a, scratch, &s, q, pool, out);
  arena_destroy(scratch);
  return failed;
}
