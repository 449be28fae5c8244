/* Lists a program of Sextans. */
#include "isa/sextans/listing.h"

#include "isa/sextans/assemble.h"
#include "isa/sextans/view.h"

#include <inttypes.h>

void sextans_print_device(const device *d, text *out) {
  const sextans_device *s = &d->sextans;
  text_printf(out, "%d PEs of %d columns, %swindows of %d rows of B, %d rows of C each", SEXTANS_PES, SEXTANS_TILE,
              s->has_two_b ? "two " : "", (int)sextans_window(s), (int)s->depth);
}

static uint64_t count_records(const image *im) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  return code->data ? code->size / SEXTANS_INSN_BYTES : 0;
}

static status read_record(const image *im, uint64_t record, sextans_insn *out) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  uint64_t at = record * SEXTANS_INSN_BYTES;
  return status_context(isa_decode(&sextans_isa, code->data + at, out), "record at 0x%" PRIx64, code->address + at);
}

static bool is_launch(const image *im, uint64_t record, sextans_insn *out) {
  status s = read_record(im, record, out);
  bool good = !s && out->op == SEXTANS_OP_spmm;
  status_free(s);
  return good;
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "es";
}

void sextans_print_size(const image *im, text *out) {
  uint64_t launches = 0;
  sextans_insn in;
  for (uint64_t i = 0; i < count_records(im); i++) launches += is_launch(im, i, &in);
  text_printf(out, "%" PRIu64 " launch%s", launches, plural(launches));
}

static void print_element(const listing_walk *w, uint64_t element, uint64_t window, int64_t slot, int pe) {
  uint64_t row = sextans_row_of_c(pe, sextans_element_row(element));
  uint64_t column =
      window * (uint64_t)sextans_window(&w->im->device.sextans) + (uint64_t)sextans_element_column(element);
  text_printf(w->out, "; window %" PRIu64 ", slot %" PRId64 ", PE %d: C[%" PRIu64 "] += ", window, slot, pe, row);
  isa_print_real(w->out, (uint32_t)element);
  text_printf(w->out, " * B[%" PRIu64 "]\n", column);
}

static void print_window(const listing_walk *w, const sextans_view *v, int64_t window) {
  int64_t first = sextans_view_slot(v, window), end = sextans_view_slot(v, window + 1), count = 0;
  for (int64_t slot = first; slot < end; slot++)
    for (int pe = 0; pe < SEXTANS_PES; pe++) count += !sextans_is_bubble(sextans_view_element(v, slot, pe));
  text_printf(w->out,
              "; window %" PRId64 ": slots %" PRId64 " to %" PRId64 ", %" PRId64 " non-zero%s, %" PRId64 " bubble%s\n",
              window, first, end, count, count == 1 ? "" : "s", SEXTANS_PES * (end - first) - count,
              SEXTANS_PES * (end - first) - count == 1 ? "" : "s");
  for (int64_t slot = first; slot < end && w->only >= 0; slot++)
    for (int pe = 0; pe < SEXTANS_PES; pe++) {
      uint64_t element = sextans_view_element(v, slot, pe);
      if (!sextans_is_bubble(element)) print_element(w, element, (uint64_t)window, slot, pe);
    }
}

/* The lists of a launch; nothing where they are not in the file, or the record is wrong. */
static void print_lists(const listing_walk *w, const sextans_spmm *in) {
  sextans_view v;
  status wrong = in->slots <= INT32_MAX ? sextans_view_open(w->im, in, &v) : status_error(STATUS_CODE_format, "slots");
  for (int64_t j = 0; !wrong && v.a[0] && j < v.windows; j++) print_window(w, &v, j);
  status_free(wrong);
}

static void print_names(const listing_walk *w, const sextans_spmm *in) {
  const uint64_t places[] = {in->a, in->b, in->c_in, in->c_out};
  static const char *const names[] = {"a", "b", "c_in", "c_out"};
  bool has_name = false;
  for (int i = 0; i < 4; i++) {
    text name = {0};
    if (i != 2 || !in->no_c) listing_print_place(w, places[i], &name);
    if (name.size) text_printf(w->out, "%s%s = %s", has_name ? ", " : "    ; ", names[i], text_str(&name));
    has_name |= name.size > 0;
    text_free(&name);
  }
}

static void print_record(const listing_walk *w, uint64_t record, const sextans_insn *in) {
  uint64_t place = w->im->sections[IMAGE_TEXT].address + record * SEXTANS_INSN_BYTES;
  if (!w->is_plain) text_printf(w->out, "0x%08" PRIx64 ":  ", place);
  isa_print(&sextans_isa, w->out, in, NULL);
  if (!w->is_plain && in->op == SEXTANS_OP_spmm) print_names(w, &in->spmm);
  text_append(w->out, "\n");
  if (!w->is_plain && in->op == SEXTANS_OP_spmm) print_lists(w, &in->spmm);
}

static void print_layer_head(const listing_walk *w, uint64_t record, uint64_t layer) {
  uint64_t end = record;
  sextans_insn in;
  while (end < count_records(w->im) && is_launch(w->im, end, &in) && in.spmm.layer == layer) end++;
  if (w->out->size) text_append(w->out, "\n");
  text_printf(w->out, "; layer %" PRIu64, layer);
  listing_print_name(w, layer, w->out);
  text_printf(w->out, ": %" PRIu64 " launch%s\n", end - record, plural(end - record));
}

status sextans_listing_print(const listing_walk *w, uint64_t *layers) {
  uint64_t layer = UINT64_MAX;
  *layers = 0;
  for (uint64_t i = 0; i < count_records(w->im); i++) {
    sextans_insn in;
    RETURN_IF_ERROR(read_record(w->im, i, &in));
    bool begins = in.op == SEXTANS_OP_spmm && in.spmm.layer != layer;
    layer = in.op == SEXTANS_OP_spmm ? in.spmm.layer : UINT64_MAX;
    if (layer < UINT64_MAX && layer >= *layers) *layers = layer + 1;
    if (w->only >= 0 && (uint64_t)w->only != layer) continue;
    if (begins && !w->is_plain) print_layer_head(w, i, layer);
    print_record(w, i, &in);
  }
  return STATUS_OK;
}

static uint64_t element_at(const image_section *s, uint64_t i) {
  uint64_t element;
  memcpy(&element, s->data + i * sizeof element, sizeof element);
  return element;
}

static void print_directive(uint64_t element, uint64_t count, text *out) {
  if (element == SEXTANS_BUBBLE) {
    text_printf(out, ".bubble %" PRIu64 "\n", count);
  } else if (!element && count > 1) {
    text_printf(out, ".zero %" PRIu64 "\n", count * sizeof element);
  } else if (sextans_is_bubble(element)) {
    for (; count; count--) text_printf(out, ".u32 0x%08x, 0x%08x\n", (uint32_t)element, (uint32_t)(element >> 32));
  } else {
    for (; count; count--) {
      text_printf(out, ".element %u, %u, ", sextans_element_row(element), sextans_element_column(element));
      isa_print_real(out, (uint32_t)element);
      text_append(out, "\n");
    }
  }
}

bool sextans_print_section(const image *im, int kind, text *out) {
  const image_section *s = &im->sections[kind];
  uint64_t all = s->size / sizeof(uint64_t);
  if (kind != IMAGE_WEIGHTS || s->size % sizeof(uint64_t)) return false;
  for (uint64_t i = 0, count; i < all; i += count) {
    uint64_t element = element_at(s, i);
    for (count = 1; i + count < all && count < SEXTANS_MOST_BUBBLES && element_at(s, i + count) == element;) count++;
    print_directive(element, count, out);
  }
  return true;
}
