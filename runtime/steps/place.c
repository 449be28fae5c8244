/* Reads the places of tensors in the memory of a device from a manifest: layouts, addresses within
 * sections, orders that are permutations or, where a layout folds, indices. */
#include "runtime/steps/json.h"
#include "runtime/steps/steps.h"
#include "support/map.h"
#include "support/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A checked order of a layout that folds. */
typedef struct fold_order {
  int64_t rows, limit; /* of memory; indices are below limit */
  const bool *is_repeat;
  int64_t repeats;
} fold_order;

struct steps_reader {
  arena *a;
  const image *image;
  map orders;           /* address of each checked order -> its rows */
  map folds;            /* address of each checked order of a layout that folds -> fold_order */
  int64_t checked_rows; /* of all checked orders */
};

steps_reader *steps_reader_create(arena *a, const image *im) {
  steps_reader *r = arena_alloc(a, sizeof *r);
  *r = (steps_reader){.a = a, .image = im, .orders = {.arena = a}, .folds = {.arena = a}};
  return r;
}

/* Checks that an order has every index once. */
static status check_order(const int32_t *order, int64_t rows) {
  unsigned char *seen = calloc((size_t)rows / 8 + 1, 1);
  status s = seen ? STATUS_OK : status_error(STATUS_CODE_memory, "out of memory");
  for (int64_t i = 0; i < rows && !s; i++) {
    int64_t at = order[i];
    if (at < 0 || at >= rows)
      s = status_error(STATUS_CODE_format, "row %" PRId64 " of 'order' is %" PRId64 ", expected 0 to %" PRId64, i, at,
                       rows - 1);
    else if (seen[at / 8] >> at % 8 & 1)
      s = status_error(STATUS_CODE_format, "'order' has row %" PRId64 " twice", at);
    else
      seen[at / 8] |= (unsigned char)(1u << at % 8);
  }
  free(seen);
  return s;
}

/* Counts rows of orders that are checked. Refuses a file with so many overlapping orders that the
 * checks would take very long. */
static status count_checked(steps_reader *r, int64_t rows) {
  enum { MOST_OVERLAP = 16, MOST_FREE = 1 << 20 };
  int64_t most = MOST_FREE + MOST_OVERLAP * (int64_t)(r->image->sections[IMAGE_ROWS].size / 4);
  r->checked_rows += rows;
  if (r->checked_rows <= most) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "orders of rows overlap in '.gnnc.rows': they have more than %" PRId64 " rows", most);
}

/* Checks each order once, because tensors share orders. */
static status check_order_once(steps_reader *r, const int32_t *order, int64_t rows) {
  if (map_get(&r->orders, order, -1) == rows) return STATUS_OK;
  map_set(&r->orders, order, rows);
  RETURN_IF_ERROR(count_checked(r, rows));
  return check_order(order, rows);
}

/* Finds the numbers of "order" in .gnnc.rows; NULL if it is missing, null, or without rows. */
static status find_order(const steps_reader *r, const json_t *from, int64_t rows, const int32_t **out) {
  const json_t *order = json_object_get(from, "order");
  const image_section *s = &r->image->sections[IMAGE_ROWS];
  int64_t offset = 0, bytes = 4 * rows;
  *out = NULL;
  if (!order || json_is_null(order)) return STATUS_OK;
  RETURN_IF_ERROR(steps_check_integer(order, "order", 0, INT64_MAX / 2, &offset));
  if (offset % 4 || (uint64_t)(offset + bytes) > s->size)
    return status_error(STATUS_CODE_format,
                        "'order' is %" PRId64 " bytes at %" PRId64 " of '.gnnc.rows', which has %" PRIu64, bytes,
                        offset, s->size);
  if (!rows) return STATUS_OK;
  const void *begin = s->data + offset;
  *out = begin;
  return STATUS_OK;
}

status steps_read_order(steps_reader *r, const json_t *from, int64_t rows, const int32_t **out) {
  RETURN_IF_ERROR(find_order(r, from, rows, out));
  return *out ? check_order_once(r, *out, rows) : STATUS_OK;
}

/* Checks that indices are -1 or below the limit, and marks those that an earlier row has, too. */
static status check_fold(steps_reader *r, const int32_t *order, fold_order *f) {
  int64_t limit = f->limit < INT32_MAX ? f->limit : INT32_MAX; /* the most that an order can name */
  unsigned char *seen = calloc((size_t)limit / 8 + 1, 1);
  bool *is_repeat = arena_alloc_array(r->a, (size_t)f->rows, sizeof *is_repeat);
  status s = seen ? STATUS_OK : status_error(STATUS_CODE_memory, "out of memory");
  for (int64_t i = 0; i < f->rows && !s; i++) {
    int64_t at = order[i];
    if (at == -1) continue;
    if (at < 0 || at >= limit) {
      s = status_error(STATUS_CODE_format, "row %" PRId64 " of 'order' is %" PRId64 ", expected -1 to %" PRId64, i, at,
                       limit - 1);
    } else {
      is_repeat[i] = seen[at / 8] >> at % 8 & 1;
      f->repeats += is_repeat[i];
      seen[at / 8] |= (unsigned char)(1u << at % 8);
    }
  }
  free(seen);
  f->is_repeat = f->repeats ? is_repeat : NULL;
  return s;
}

/* Reads "order" of a layout that folds: an index for each row of memory. */
static status read_fold(steps_reader *r, const json_t *from, const layout *l, layout_tensor *t) {
  int64_t rows = t->memory_rows, limit = layout_axis_count(l, t);
  const json_t *order = json_object_get(from, "order");
  bool has_order = order && !json_is_null(order);
  RETURN_IF_ERROR(find_order(r, from, rows, &t->order));
  if (!has_order && rows != limit)
    return status_error(STATUS_CODE_format, "'rows' is %" PRId64 ", expected %" PRId64 " without an 'order'", rows,
                        limit);
  if (!t->order) return STATUS_OK;
  fold_order *known = map_get_pointer(&r->folds, t->order);
  if (!known || known->rows != rows || known->limit != limit) {
    known = arena_alloc(r->a, sizeof *known);
    *known = (fold_order){.rows = rows, .limit = limit};
    RETURN_IF_ERROR(count_checked(r, rows));
    RETURN_IF_ERROR(check_fold(r, t->order, known));
    map_set_pointer(&r->folds, t->order, known);
  }
  t->is_repeat = known->is_repeat;
  t->repeats = known->repeats;
  return STATUS_OK;
}

/* Checks that a span lies in a section that runs change or, if it is only read, in one that they
 * only read. */
static status check_span(const steps_reader *r, uint64_t address, uint64_t bytes, bool is_written) {
  static const image_section_kind kinds[] = {IMAGE_FEATURES, IMAGE_WEIGHTS};
  image_section_kind kind = IMAGE_SECTIONS;
  for (int i = 0; i < 2; i++) {
    const image_section *s = &r->image->sections[kinds[i]];
    if (address >= s->address && address - s->address <= s->size && bytes <= s->size - (address - s->address))
      kind = kinds[i];
  }
  if (kind == IMAGE_FEATURES || (kind == IMAGE_WEIGHTS && !is_written)) return STATUS_OK;
  return status_error(STATUS_CODE_format, "%" PRIu64 " bytes at 0x%" PRIx64 " do not lie in '.features'%s", bytes,
                      address, is_written ? "" : " or '.weights'");
}

static status read_addresses(const steps_reader *r, const json_t *from, bool is_written, step_place *p) {
  const json_t *list = json_object_get(from, "addresses");
  int64_t parts = p->layout->count_parts(&p->tensor), most = r->image->device.common.ddr_bytes;
  bool is_list = list || parts != 1;
  int64_t alignment = p->layout->alignment ? p->layout->alignment : 4;
  if (is_list && json_array_size(list) != (size_t)parts)
    return status_error(STATUS_CODE_format, "'addresses' has %zu entries, expected one per head: %" PRId64,
                        json_array_size(list), parts);
  RETURN_IF_ERROR(p->layout->part_bytes(&p->tensor, &p->part_bytes));
  uint64_t *made = arena_alloc_array(r->a, (size_t)parts, sizeof *made);
  p->addresses = made;
  for (int64_t i = 0; i < parts; i++) {
    const json_t *value = is_list ? json_array_get(list, (size_t)i) : json_object_get(from, "address");
    int64_t address = 0;
    RETURN_IF_ERROR(steps_check_integer(value, is_list ? "addresses" : "address", 0, most, &address));
    if (address % alignment)
      return status_error(STATUS_CODE_format, "address 0x%" PRIx64 " is no multiple of %" PRId64, (uint64_t)address,
                          alignment);
    made[i] = (uint64_t)address;
    if (p->part_bytes) /* an empty part may be anywhere */
      RETURN_IF_ERROR(check_span(r, made[i], p->part_bytes, is_written && !p->layout->fills_weights));
  }
  return STATUS_OK;
}

/* Returns the failure "'layout' is 'rows', expected fibers, values of machine 'toy'". */
static status no_layout(const machine *m, const char *said) {
  text known = {0};
  for (const layout *const *l = layout_table; *l; l++)
    if ((*l)->machine == m) text_printf(&known, "%s%s", known.size ? ", " : "", (*l)->name);
  status s = known.size
                 ? status_error(STATUS_CODE_format, "'layout' is '%s', expected %s of machine '%s'", said,
                                text_str(&known), m->name)
                 : status_error(STATUS_CODE_format, "'layout' is '%s', but machine '%s' has no memory", said, m->name);
  text_free(&known);
  return s;
}

status steps_read_place(steps_reader *r, const json_t *from, const char *fallback, bool is_written, step_place *out) {
  const json_t *said = json_object_get(from, "layout");
  const machine *m = r->image->device.machine;
  const char *name = said ? json_string_value(said) : fallback;
  if (!name) return steps_mismatch("layout", "text");
  out->layout = layout_find(name);
  if (!out->layout || out->layout->machine != m) return no_layout(m, name);
  layout_tensor *t = &out->tensor;
  bool folds = out->layout->folds;
  t->device = &r->image->device;
  if (folds) RETURN_IF_ERROR(steps_integer(from, "rows", 0, INT32_MAX, &t->memory_rows));
  if (out->layout->has_stride)
    RETURN_IF_ERROR(steps_integer(from, "stride", folds ? 0 : t->rows, INT32_MAX, &t->stride));
  if (folds) RETURN_IF_ERROR(read_fold(r, from, out->layout, t));
  return read_addresses(r, from, is_written, out);
}

status steps_move(const step_place *place, const char *name, sim *on, float *rows, bool to_device) {
  const layout *l = place->layout;
  const layout_tensor *t = &place->tensor;
  uint64_t bytes = place->part_bytes;
  if (l->folds && !to_device) memset(rows, 0, (size_t)t->rows * (size_t)t->width * sizeof *rows);
  for (int64_t part = 0; bytes && part < l->count_parts(t); part++) {
    void *memory = sim_memory(on, place->addresses[part], bytes);
    if (!memory)
      return status_error(STATUS_CODE_mismatch,
                          "'%s': %" PRIu64 " bytes at 0x%" PRIx64 " are not in the device's memory", name, bytes,
                          place->addresses[part]);
    if (l->check_memory) RETURN_IF_ERROR(status_context(l->check_memory(t, memory), "'%s'", name));
    l->move(t, part, memory, rows, to_device);
  }
  return STATUS_OK;
}
