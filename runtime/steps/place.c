/* Reads the places of tensors in the memory of a device from a manifest: layouts, addresses within
 * sections, orders that are permutations. */
#include "runtime/steps/json.h"
#include "runtime/steps/steps.h"
#include "support/map.h"
#include "support/text.h"

#include <inttypes.h>
#include <stdlib.h>

struct steps_reader {
  arena *a;
  const image *image;
  map orders;           /* address of each checked order -> its rows */
  int64_t checked_rows; /* of all checked orders */
};

steps_reader *steps_reader_create(arena *a, const image *im) {
  steps_reader *r = arena_alloc(a, sizeof *r);
  *r = (steps_reader){.a = a, .image = im, .orders = {.arena = a}};
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

/* Checks each order once, because tensors share orders. Refuses a file with so many overlapping
 * orders that the checks would take very long. */
static status check_order_once(steps_reader *r, const int32_t *order, int64_t rows) {
  enum { MOST_OVERLAP = 16, MOST_FREE = 1 << 20 };
  int64_t most = MOST_FREE + MOST_OVERLAP * (int64_t)(r->image->sections[IMAGE_ROWS].size / 4);
  if (map_get(&r->orders, order, -1) == rows) return STATUS_OK;
  map_set(&r->orders, order, rows);
  r->checked_rows += rows;
  if (r->checked_rows <= most) return check_order(order, rows);
  return status_error(STATUS_CODE_format,
                      "orders of rows overlap in '.gnnc.rows': they have more than %" PRId64 " rows", most);
}

status steps_read_order(steps_reader *r, const json_t *from, int64_t rows, const int32_t **out) {
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
  return check_order_once(r, *out, rows);
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
  uint64_t bytes;
  if (is_list && json_array_size(list) != (size_t)parts)
    return status_error(STATUS_CODE_format, "'addresses' has %zu entries, expected one per head: %" PRId64,
                        json_array_size(list), parts);
  RETURN_IF_ERROR(p->layout->part_bytes(&p->tensor, &bytes));
  uint64_t *made = arena_alloc_array(r->a, (size_t)parts, sizeof *made);
  p->addresses = made;
  for (int64_t i = 0; i < parts; i++) {
    const json_t *value = is_list ? json_array_get(list, (size_t)i) : json_object_get(from, "address");
    int64_t address = 0;
    RETURN_IF_ERROR(steps_check_integer(value, is_list ? "addresses" : "address", 0, most, &address));
    if (address % 4)
      return status_error(STATUS_CODE_format, "address 0x%" PRIx64 " is no multiple of 4", (uint64_t)address);
    made[i] = (uint64_t)address;
    if (bytes) RETURN_IF_ERROR(check_span(r, made[i], bytes, is_written)); /* an empty part may be anywhere */
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
  out->tensor.device = &r->image->device;
  if (out->layout->has_stride)
    RETURN_IF_ERROR(steps_integer(from, "stride", out->tensor.rows, INT32_MAX, &out->tensor.stride));
  return read_addresses(r, from, is_written, out);
}

status steps_move(const step_place *place, const char *name, sim *on, float *rows, bool to_device) {
  const layout_tensor *t = &place->tensor;
  uint64_t bytes;
  RETURN_IF_ERROR(place->layout->part_bytes(t, &bytes));
  for (int64_t part = 0; bytes && part < place->layout->count_parts(t); part++) {
    void *memory = sim_memory(on, place->addresses[part], bytes);
    if (!memory)
      return status_error(STATUS_CODE_mismatch,
                          "'%s': %" PRIu64 " bytes at 0x%" PRIx64 " are not in the device's memory", name, bytes,
                          place->addresses[part]);
    place->layout->move(t, part, memory, rows, to_device);
  }
  return STATUS_OK;
}
