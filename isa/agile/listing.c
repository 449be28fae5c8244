/* Lists a program of AGILE. */
#include "isa/agile/listing.h"

#include "isa/agile/assemble.h"
#include "isa/agile/lists_check.h"

#include <inttypes.h>

static const char *plural(uint64_t count) {
  return count == 1 ? "" : "s";
}

void agile_print_device(const device *d, text *out) {
  const agile_device *a = &d->agile;
  text_printf(out, "%d nodeslot%s, %d read master%s, up to %" PRIu64 " input and %d output features", (int)a->nodeslots,
              plural((uint64_t)a->nodeslots), (int)a->read_masters, plural((uint64_t)a->read_masters),
              agile_most_features(a), (int)a->fte_columns);
}

static uint64_t count_records(const image *im) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  return code->data ? code->size / AGILE_INSN_BYTES : 0;
}

static status read_record(const image *im, uint64_t record, agile_insn *out) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  uint64_t at = record * AGILE_INSN_BYTES;
  return status_context(isa_decode(&agile_isa, code->data + at, out), "record at 0x%" PRIx64, code->address + at);
}

void agile_print_size(const image *im, text *out) {
  uint64_t layers = 0, descs = im->sections[IMAGE_DESC].size / AGILE_DESC_BYTES;
  agile_insn in;
  for (uint64_t i = 0; i < count_records(im); i++) {
    status s = read_record(im, i, &in);
    layers += !s && in.op == AGILE_OP_layer;
    status_free(s);
  }
  text_printf(out, "%" PRIu64 " layer%s, %" PRIu64 " record%s, %" PRIu64 " descriptor%s", layers, plural(layers),
              count_records(im), plural(count_records(im)), descs, plural(descs));
}

static void print_name(text *out, int kind, uint64_t value) {
  const char *name = isa_name_value(&agile_isa, kind, value);
  if (name) text_append(out, name);
}

/* What a value that is written means. */
static void print_meaning(const listing_walk *w, const agile_write *in, text *out) {
  const char *table = in->reg == AGILE_REGISTER_nodeslots ? listing_table_name(w, in->value) : NULL;
  const agile_register_info *r = agile_register(in->reg);
  switch (r ? r->form : AGILE_FORM_command) {
  case AGILE_FORM_number: text_printf(out, "%" PRIu64, in->value); break;
  case AGILE_FORM_address:
    if (table)
      text_append(out, table);
    else
      listing_print_place(w, in->value, out);
    break;
  case AGILE_FORM_real: isa_print_real(out, (uint32_t)in->value); break;
  case AGILE_FORM_activation: print_name(out, AGILE_VALUES_ACTIVATION, in->value); break;
  case AGILE_FORM_aggregation: print_name(out, AGILE_VALUES_AGGREGATION, in->value); break;
  case AGILE_FORM_precisions:
    for (uint64_t p = 0; p < AGILE_PRECISIONS; p++) {
      if (!(in->value >> p & 1)) continue;
      if (out->size) text_append(out, " ");
      print_name(out, AGILE_VALUES_PRECISION, p);
    }
    break;
  default: break;
  }
}

static void print_record(const listing_walk *w, uint64_t record, const agile_insn *in) {
  enum { COLUMN = 45 }; /* of comments, from the instruction on */
  text line = {0}, meaning = {0};
  uint64_t place = w->im->sections[IMAGE_TEXT].address + record * AGILE_INSN_BYTES;
  if (!w->is_plain) text_printf(w->out, "0x%08" PRIx64 ":  ", place);
  isa_print(&agile_isa, &line, in, NULL);
  if (!w->is_plain && in->op == AGILE_OP_write) print_meaning(w, &in->write, &meaning);
  if (meaning.size)
    text_printf(w->out, "%-*s ; %s\n", COLUMN, text_str(&line), text_str(&meaning));
  else
    text_printf(w->out, "%s\n", text_str(&line));
  text_free(&line);
  text_free(&meaning);
}

/* The descriptors of a start; NULL: they are not in .desc. */
static const unsigned char *descs_of(const listing_walk *w, const agile_state *s) {
  const image_section *t = &w->im->sections[IMAGE_DESC];
  uint64_t at = s->reg[AGILE_REGISTER_nodeslots], bytes = s->reg[AGILE_REGISTER_node_count] * AGILE_DESC_BYTES;
  bool is_inside = at >= t->address && at - t->address <= t->size && bytes <= t->size - (at - t->address);
  return t->data && is_inside ? t->data + (at - t->address) : NULL;
}

/* Words of a list; NULL where they are not in the file. */
static const unsigned char *words_at(const image *im, uint64_t address, uint64_t bytes) {
  image_section_kind kind = image_find_section(im, address, address + bytes);
  const image_section *s = kind < IMAGE_SECTIONS ? &im->sections[kind] : NULL;
  return s && s->data ? s->data + (address - s->address) : NULL;
}

static uint32_t word(const unsigned char *words, uint64_t i) {
  uint32_t value;
  memcpy(&value, words + i * sizeof value, sizeof value);
  return value;
}

static void print_node(const listing_walk *w, const agile_state *s, agile_desc d) {
  uint64_t bytes = d.count * (uint64_t)sizeof(uint32_t);
  const unsigned char *offsets = words_at(w->im, agile_list_address(s, d), bytes);
  const unsigned char *scales = words_at(w->im, agile_scales_address(s, d), bytes);
  text_printf(w->out, "; node %" PRIu32 ", %" PRIu32 " neighbour%s, %s", d.node, d.count, plural(d.count),
              isa_name_value(&agile_isa, AGILE_VALUES_PRECISION, (uint64_t)d.precision));
  for (uint32_t k = 0; k < d.count && offsets; k++) {
    text_append(w->out, k ? ", " : ": ");
    if (scales) isa_print_real(w->out, word(scales, k));
    text_printf(w->out, "%s0x%x", scales ? " * " : "", word(offsets, k));
  }
  text_append(w->out, "\n");
}

/* Behind a start of the layer that is asked for: its nodes. */
static void print_nodes(const listing_walk *w, const agile_state *s) {
  const unsigned char *descs = descs_of(w, s);
  for (uint64_t i = 0; descs && i < s->reg[AGILE_REGISTER_node_count]; i++) {
    agile_desc d = agile_desc_at(descs, i);
    if (agile_desc_runs(d)) print_node(w, s, d);
  }
}

/* Reads on to the end of a layer, and adds up its nodes. */
static void print_layer_head(const listing_walk *w, uint64_t record, uint64_t layer) {
  agile_state s = {0};
  agile_insn in;
  uint64_t nodes = 0, neighbours = 0;
  for (uint64_t i = record; i < count_records(w->im); i++) {
    agile_action action = AGILE_ACTION_none;
    status wrong = read_record(w->im, i, &in);
    if (!wrong && i > record && in.op == AGILE_OP_layer) break;
    if (!wrong) wrong = agile_state_step(&s, &in, &action);
    if (wrong) {
      status_free(wrong);
      break;
    }
    const unsigned char *descs = action == AGILE_ACTION_start ? descs_of(w, &s) : NULL;
    for (uint64_t k = 0; descs && k < s.reg[AGILE_REGISTER_node_count]; k++) {
      agile_desc d = agile_desc_at(descs, k);
      nodes += agile_desc_runs(d);
      neighbours += agile_desc_runs(d) ? d.count : 0;
    }
  }
  if (w->out->size) text_append(w->out, "\n");
  text_printf(w->out, "; layer %" PRIu64, layer);
  listing_print_name(w, layer, w->out);
  text_printf(w->out, ": %" PRIu64 " node%s, %" PRIu64 " neighbour%s\n", nodes, plural(nodes), neighbours,
              plural(neighbours));
}

/* Prints the records; for one layer with its nodes. A wrong order of records ends no listing. */
static status print_records(const listing_walk *w, uint64_t *layers) {
  agile_state s = {0};
  for (uint64_t i = 0; i < count_records(w->im); i++) {
    agile_insn in;
    agile_action action;
    RETURN_IF_ERROR(read_record(w->im, i, &in));
    status_free(agile_state_step(&s, &in, &action));
    if (in.op == AGILE_OP_layer && in.layer.layer >= *layers) *layers = in.layer.layer + 1;
    if (w->only >= 0 && (!s.is_in_layer || (uint64_t)w->only != s.layer || in.op == AGILE_OP_halt)) continue;
    if (in.op == AGILE_OP_layer && !w->is_plain) print_layer_head(w, i, in.layer.layer);
    print_record(w, i, &in);
    if (action == AGILE_ACTION_start && w->only >= 0 && !w->is_plain) print_nodes(w, &s);
  }
  return STATUS_OK;
}

static void print_desc(const listing_walk *w, agile_desc d) {
  text_printf(w->out, ".slot %" PRIu32 ", %" PRIu32 ", %s, %" PRIu32 "%s\n", d.node, d.count,
              isa_name_value(&agile_isa, AGILE_VALUES_PRECISION, (uint64_t)d.precision), d.list,
              d.is_valid ? "" : ", invalid");
}

/* Prints all descriptors, with the name of each table that begins there. */
static void print_descs(const listing_walk *w) {
  const image_section *t = &w->im->sections[IMAGE_DESC];
  uint64_t all = t->size / AGILE_DESC_BYTES;
  if (!t->data || !all) return;
  text_printf(w->out, "%s.section desc at 0x%" PRIx64 "\n", w->is_plain ? "" : "\n", t->address);
  for (uint64_t i = 0, count; i < all; i += count) {
    const char *name = w->is_plain ? NULL : listing_table_name(w, t->address + i * AGILE_DESC_BYTES);
    agile_desc d = agile_desc_at(t->data, i);
    if (name) text_printf(w->out, "; %s\n", name);
    for (count = 1; !agile_desc_pack(d) && i + count < all && count < AGILE_MOST_EMPTY &&
                    !agile_desc_pack(agile_desc_at(t->data, i + count));)
      count++;
    if (agile_desc_pack(d))
      print_desc(w, d);
    else
      text_printf(w->out, ".empty %" PRIu64 "\n", count);
  }
}

status agile_listing_print(const listing_walk *w, uint64_t *layers) {
  *layers = 0;
  RETURN_IF_ERROR(print_records(w, layers));
  if (w->only < 0) print_descs(w);
  return STATUS_OK;
}
