/* Lists a program of the overlay: the words of .text, layer by layer, then the tables of
 * descriptors. */
#include "isa/graphagile/listing.h"

#include "isa/graphagile/graphagile.h"

#include <string.h>

static uint64_t place_of(const image *im, size_t index) {
  return im->sections[IMAGE_TEXT].address + index * GRAPHAGILE_INSN_BYTES;
}

static status read_insn(const image *im, size_t index, graphagile_insn *out) {
  if (index >= im->sections[IMAGE_TEXT].size / GRAPHAGILE_INSN_BYTES || !im->sections[IMAGE_TEXT].data)
    return status_error(STATUS_CODE_format, ".text ends at 0x%llx inside the program",
                        (unsigned long long)place_of(im, index));
  graphagile_word word = graphagile_word_read(im->sections[IMAGE_TEXT].data + index * GRAPHAGILE_INSN_BYTES);
  return status_context(graphagile_decode(word, out), "instruction at 0x%llx", (unsigned long long)place_of(im, index));
}

static void print_layer_head(const listing_walk *w, const graphagile_csi *csi, uint64_t id, uint64_t place) {
  uint64_t table = csi->desc_base * GRAPHAGILE_DESCRIPTOR_BYTES;
  if (!w->is_plain) {
    text_printf(w->out, "; layer %llu", (unsigned long long)id);
    listing_print_name(w, id, w->out);
    text_printf(w->out, ": %llu block%s, csi at 0x%llx\n", (unsigned long long)csi->num_blocks,
                csi->num_blocks == 1 ? "" : "s", (unsigned long long)place);
  }
  text_printf(w->out, ".layer %s", graphagile_value_name(GRAPHAGILE_VALUES_LAYER, csi->layer_type));
  if (table) text_printf(w->out, " desc=0x%llx", (unsigned long long)table);
  const char *name = table && !w->is_plain ? listing_table_name(w, table) : NULL;
  if (name) text_printf(w->out, "    ; %s", name);
  text_append(w->out, "\n");
}

static void print_line(const listing_walk *w, const graphagile_insn *insn, uint64_t place, unsigned indent) {
  if (w->is_plain)
    text_printf(w->out, "%*s", (int)indent, "");
  else
    text_printf(w->out, "0x%08llx:  %*s", (unsigned long long)place, (int)indent, "");
  graphagile_insn_print(w->out, insn);
  if (!w->is_plain && (insn->op == GRAPHAGILE_OP_memrd || insn->op == GRAPHAGILE_OP_memwr)) {
    text name = {0};
    listing_print_place(w, 4 * (insn->op == GRAPHAGILE_OP_memrd ? insn->memrd.addr : insn->memwr.addr), &name);
    if (name.size) text_printf(w->out, "    ; %s", text_str(&name));
    text_free(&name);
  }
  text_append(w->out, "\n");
}

/* Prints a tiling block from word *at on; `*at` becomes the word after it. Bodies of loops are
 * indented. */
static status print_block(const listing_walk *w, size_t *at, uint64_t number, bool is_shown) {
  uint64_t body = 0;
  graphagile_insn insn;
  if (is_shown && w->is_plain) text_append(w->out, ".block\n");
  if (is_shown && !w->is_plain) text_printf(w->out, ".block      ; %llu\n", (unsigned long long)number);
  do {
    RETURN_IF_ERROR(read_insn(w->im, *at, &insn));
    if (is_shown) print_line(w, &insn, place_of(w->im, *at), body ? 2 : 0);
    if (body) body--;
    if (insn.op == GRAPHAGILE_OP_loop) body = insn.loop.body_len;
    if (insn.op == GRAPHAGILE_OP_csi || insn.op == GRAPHAGILE_OP_halt)
      return status_error(STATUS_CODE_format, "%s at 0x%llx inside a tiling block", graphagile_insn_name(insn.op),
                          (unsigned long long)place_of(w->im, *at));
    (*at)++;
  } while (!graphagile_is_eot(&insn));
  return STATUS_OK;
}

/* The index of the word of .text where the blocks of a layer begin. */
static status find_blocks(const image *im, const graphagile_csi *csi, size_t *at) {
  uint64_t address = csi->tb_base * GRAPHAGILE_INSN_BYTES, begin = im->sections[IMAGE_TEXT].address;
  if (address < begin || address - begin >= im->sections[IMAGE_TEXT].size)
    return status_error(STATUS_CODE_format, "tb_base 0x%llx of the csi at 0x%llx is outside of .text",
                        (unsigned long long)address, (unsigned long long)place_of(im, *at));
  if ((address - begin) / GRAPHAGILE_INSN_BYTES <= *at)
    return status_error(STATUS_CODE_format, "tb_base 0x%llx of the csi at 0x%llx points back",
                        (unsigned long long)address, (unsigned long long)place_of(im, *at));
  *at = (size_t)((address - begin) / GRAPHAGILE_INSN_BYTES);
  return STATUS_OK;
}

/* Prints all descriptors, with the name of each symbol that begins there. */
static void print_descriptors(const listing_walk *w) {
  const image_section *s = &w->im->sections[IMAGE_DESC];
  size_t next = 0;
  if (!s->size || !s->data) return;
  text_printf(w->out, "%s.section desc at 0x%llx\n", w->is_plain ? "" : "\n", (unsigned long long)s->address);
  for (uint64_t i = 0; i + GRAPHAGILE_DESCRIPTOR_BYTES <= s->size; i += GRAPHAGILE_DESCRIPTOR_BYTES) {
    graphagile_descriptor d;
    graphagile_descriptor_decode(s->data + i, &d);
    for (; next < w->tables.count && w->tables.at[next]->address <= s->address + i; next++)
      if (!w->is_plain)
        text_printf(w->out, "; %s: first_edge, num_edges, src_row, src_rows\n", w->tables.at[next]->name);
    text_printf(w->out, ".desc %u, %u, %u, %u%s%s\n", d.first_edge, d.num_edges, d.src_row, d.src_rows,
                d.second ? ", second" : "", d.reuse ? ", reuse" : "");
  }
}

status graphagile_listing_print(const listing_walk *w, uint64_t *layers) {
  size_t at = 0;
  graphagile_insn insn;
  for (*layers = 0;; ++*layers) {
    RETURN_IF_ERROR(read_insn(w->im, at, &insn));
    if (insn.op != GRAPHAGILE_OP_csi) break;
    bool is_shown = w->only < 0 || (uint64_t)w->only == *layers;
    if (is_shown && w->out->size && !w->is_plain) text_append(w->out, "\n");
    if (is_shown) print_layer_head(w, &insn.csi, *layers, place_of(w->im, at));
    RETURN_IF_ERROR(find_blocks(w->im, &insn.csi, &at));
    for (uint64_t b = 0; b < insn.csi.num_blocks; b++) RETURN_IF_ERROR(print_block(w, &at, b, is_shown));
  }
  if (insn.op != GRAPHAGILE_OP_halt)
    return status_error(STATUS_CODE_format, "%s at 0x%llx, expected csi or halt", graphagile_insn_name(insn.op),
                        (unsigned long long)place_of(w->im, at));
  if (w->only < 0 && !w->is_plain)
    text_printf(w->out, "%s; halt at 0x%llx\n", w->out->size ? "\n" : "", (unsigned long long)place_of(w->im, at));
  if (w->only < 0) print_descriptors(w);
  return STATUS_OK;
}

void graphagile_listing_print_data(const image *im, text *out) {
  const image_section *s = &im->sections[IMAGE_CONSTANTS];
  for (uint64_t i = 1; s->data && i < s->size / 4; i++) {
    uint32_t bits;
    memcpy(&bits, s->data + 4 * i, sizeof bits);
    text_append(out, ".constant ");
    isa_print_real(out, bits);
    text_append(out, "\n");
  }
}
