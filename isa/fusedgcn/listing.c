/* Lists a program of FusedGCN. */
#include "isa/fusedgcn/listing.h"

#include "isa/fusedgcn/view.h"

#include <inttypes.h>

void fusedgcn_print_device(const device *d, text *out) {
  const fusedgcn_device *f = &d->fusedgcn;
  text_printf(out, "%d x %d PEs, %d weights each", (int)f->rows, (int)f->columns, (int)f->mem);
}

static uint64_t count_records(const image *im) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  return code->data ? code->size / FUSEDGCN_INSN_BYTES : 0;
}

static status read_record(const image *im, uint64_t record, fusedgcn_insn *out) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  uint64_t at = record * FUSEDGCN_INSN_BYTES;
  return status_context(isa_decode(&fusedgcn_isa, code->data + at, out), "record at 0x%" PRIx64, code->address + at);
}

/* The layer of a record; UINT64_MAX: it has none. */
static uint64_t layer_of(const fusedgcn_insn *in) {
  switch (in->op) {
  case FUSEDGCN_OP_layer: return in->layer.layer;
  case FUSEDGCN_OP_loadw: return in->loadw.layer;
  case FUSEDGCN_OP_run: return in->run.layer;
  case FUSEDGCN_OP_sync:
  case FUSEDGCN_OP_halt: break;
  }
  return UINT64_MAX;
}

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

void fusedgcn_print_size(const image *im, text *out) {
  uint64_t runs = 0, tiles = 0;
  fusedgcn_insn in;
  for (uint64_t i = 0; i < count_records(im); i++) {
    status wrong = read_record(im, i, &in);
    runs += !wrong && in.op == FUSEDGCN_OP_run;
    tiles += !wrong && in.op == FUSEDGCN_OP_loadw ? in.loadw.tiles : 0;
    status_free(wrong);
  }
  text_printf(out, "%" PRIu64 " run%s, %" PRIu64 " tile%s of weights", runs, plural(runs), tiles, plural(tiles));
}

/* ---- S ---- */

/* Opens S; false where it is not in the file, or the record is wrong. */
static bool open_s(const listing_walk *w, const fusedgcn_layer *layer, fusedgcn_view *out) {
  status wrong = fusedgcn_view_open(w->im, layer, out);
  bool good = !wrong;
  status_free(wrong);
  for (int64_t row = 0; good && row < out->n; row++)
    good = fusedgcn_view_pos(out, row) >= 0 && fusedgcn_view_pos(out, row) <= fusedgcn_view_pos(out, row + 1) &&
           fusedgcn_view_pos(out, row + 1) <= out->nnz;
  return good;
}

static void print_s(const listing_walk *w, const fusedgcn_layer *layer) {
  fusedgcn_view v;
  int64_t most = 0;
  if (!open_s(w, layer, &v)) return;
  for (int64_t row = 0; row < v.n; row++) {
    int64_t count = fusedgcn_view_pos(&v, row + 1) - fusedgcn_view_pos(&v, row);
    if (count > most) most = count;
  }
  text_printf(w->out, "; S: %" PRId64 " row%s with %" PRId64 " non-zero%s, at most %" PRId64 " in a row\n", v.n,
              plural((uint64_t)v.n), v.nnz, plural((uint64_t)v.nnz), most);
}

/* The values of S in the file; NULL: they are not there. */
static const unsigned char *find_values(const listing_walk *w, const fusedgcn_layer *layer) {
  fusedgcn_place p = fusedgcn_place_s_val(layer);
  status wrong = fusedgcn_place_check(w->im, &p);
  image_section_kind kind = wrong ? IMAGE_SECTIONS : image_find_section(w->im, p.base, p.base + p.width);
  status_free(wrong);
  const image_section *s = kind < IMAGE_SECTIONS ? &w->im->sections[kind] : NULL;
  return s && s->data ? s->data + (p.base - s->address) : NULL;
}

static void print_nonzeros(const listing_walk *w, const fusedgcn_layer *layer, const fusedgcn_run *in) {
  fusedgcn_view v;
  if (in->lo > in->hi || in->hi > layer->n || !open_s(w, layer, &v)) return;
  const unsigned char *values = find_values(w, layer);
  for (int64_t row = (int64_t)in->lo; row < (int64_t)in->hi; row++)
    for (int64_t j = fusedgcn_view_pos(&v, row); j < fusedgcn_view_pos(&v, row + 1); j++) {
      uint16_t bits;
      text_printf(w->out, "; row %" PRId64 ", non-zero %" PRId64 ": OUT[%" PRId64 "] += ", row, j, row);
      if (values) {
        memcpy(&bits, values + j * (int64_t)sizeof bits, sizeof bits);
        isa_print_real(w->out, (uint32_t)bits << 16);
      } else {
        text_printf(w->out, "S_val[%" PRId64 "]", j);
      }
      text_printf(w->out, " * H[%" PRId64 "] W\n", fusedgcn_view_col(&v, j));
    }
}

/* ---- records ---- */

static void print_names(const listing_walk *w, const fusedgcn_insn *in) {
  static const char *const names[] = {"s_pos", "s_val", "h", "out", "w"};
  const bool is_layer = in->op == FUSEDGCN_OP_layer;
  const fusedgcn_layer *l = &in->layer;
  const uint64_t places[] = {l->s_pos, l->s_val, l->h, l->out, in->loadw.w};
  bool has_name = false;
  for (int i = is_layer ? 0 : 4; i < (is_layer ? 4 : 5); i++) {
    text name = {0};
    listing_print_place(w, places[i], &name);
    if (name.size) text_printf(w->out, "%s%s = %s", has_name ? ", " : "    ; ", names[i], text_str(&name));
    has_name |= name.size > 0;
    text_free(&name);
  }
}

/* `layer` is that of the RUNs; NULL: there was none. */
static void print_record(const listing_walk *w, uint64_t record, const fusedgcn_insn *in, const fusedgcn_layer *layer) {
  uint64_t place = w->im->sections[IMAGE_TEXT].address + record * FUSEDGCN_INSN_BYTES;
  if (!w->is_plain) text_printf(w->out, "0x%08" PRIx64 ":  ", place);
  isa_print(&fusedgcn_isa, w->out, in, NULL);
  if (!w->is_plain && (in->op == FUSEDGCN_OP_layer || in->op == FUSEDGCN_OP_loadw)) print_names(w, in);
  text_append(w->out, "\n");
  if (!w->is_plain && in->op == FUSEDGCN_OP_layer) print_s(w, &in->layer);
  if (w->only >= 0 && in->op == FUSEDGCN_OP_run && layer) print_nonzeros(w, layer, &in->run);
}

static void print_layer_head(const listing_walk *w, uint64_t record, uint64_t layer) {
  uint64_t runs = 0;
  fusedgcn_insn in;
  for (; record < count_records(w->im); record++) {
    status wrong = read_record(w->im, record, &in);
    status_free(wrong);
    if (wrong || in.op == FUSEDGCN_OP_halt || (in.op != FUSEDGCN_OP_sync && layer_of(&in) != layer)) break;
    runs += in.op == FUSEDGCN_OP_run;
  }
  if (w->out->size) text_append(w->out, "\n");
  text_printf(w->out, "; layer %" PRIu64, layer);
  listing_print_name(w, layer, w->out);
  text_printf(w->out, ": %" PRIu64 " run%s\n", runs, plural(runs));
}

status fusedgcn_listing_print(const listing_walk *w, uint64_t *layers) {
  uint64_t layer = UINT64_MAX;
  fusedgcn_insn in, of_runs;
  bool has_layer = false;
  *layers = 0;
  for (uint64_t i = 0; i < count_records(w->im); i++) {
    RETURN_IF_ERROR(read_record(w->im, i, &in));
    uint64_t number = layer_of(&in);
    bool begins = number != UINT64_MAX && number != layer;
    if (number != UINT64_MAX) layer = number;
    if (layer < UINT64_MAX && layer >= *layers) *layers = layer + 1;
    if (in.op == FUSEDGCN_OP_layer) {
      of_runs = in;
      has_layer = true;
    }
    if (w->only >= 0 && (uint64_t)w->only != number) continue;
    if (begins && !w->is_plain) print_layer_head(w, i, layer);
    print_record(w, i, &in, has_layer ? &of_runs.layer : NULL);
  }
  return STATUS_OK;
}

/* ---- data ---- */

enum { LEAST_ZEROS = 8 }; /* of a .zero */

static uint16_t number_at(const image_section *s, uint64_t i) {
  uint16_t bits;
  memcpy(&bits, s->data + i * sizeof bits, sizeof bits);
  return bits;
}

/* Zeros from a number on, at most `most`. */
static uint64_t count_zeros(const image_section *s, uint64_t i, uint64_t most) {
  uint64_t all = s->size / sizeof(uint16_t), zeros = 0;
  while (zeros < most && i + zeros < all && !number_at(s, i + zeros)) zeros++;
  return zeros;
}

/* Prints a line of numbers from i on, up to many zeros, and returns where it ends. */
static uint64_t print_numbers(const image_section *s, uint64_t i, text *out) {
  enum { LINE = 16 };
  uint64_t all = s->size / sizeof(uint16_t);
  text_append(out, ".bf16");
  for (int n = 0; n < LINE && i < all && count_zeros(s, i, LEAST_ZEROS) < LEAST_ZEROS; n++, i++) {
    text_append(out, n ? ", " : " ");
    isa_print_real(out, (uint32_t)number_at(s, i) << 16);
  }
  text_append(out, "\n");
  return i;
}

bool fusedgcn_print_section(const image *im, int kind, text *out) {
  const image_section *s = &im->sections[kind];
  uint64_t all = s->size / sizeof(uint16_t);
  if (kind != IMAGE_WEIGHTS || s->size % sizeof(uint16_t)) return false;
  for (uint64_t i = 0; i < all;) {
    uint64_t zeros = count_zeros(s, i, all);
    if (zeros >= LEAST_ZEROS) text_printf(out, ".zero %" PRIu64 "\n", zeros * sizeof(uint16_t));
    i = zeros >= LEAST_ZEROS ? i + zeros : print_numbers(s, i, out);
  }
  return true;
}
