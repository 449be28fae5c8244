/* Directives for descriptors in .section desc, in the order of memory. */
#include "isa/agile/assemble.h"

#include "isa/agile/agile.h"
#include "isa/agile/format.h"

#include <string.h>

/* The section of descriptors; NULL after a message. */
static assemble_section *desc_section(assembler *as, span where, const char *what) {
  assemble_section *s = &as->sections[IMAGE_DESC];
  if (as->section != IMAGE_DESC) {
    assemble_error(as, where, DIAG_assembly_structure, "%s outside of .section desc", what);
    return NULL;
  }
  s->has_data = true;
  return s;
}

static void add_desc(assembler *as, assemble_section *s, uint64_t bits) {
  assemble_add_word(as, s, (uint32_t)bits);
  assemble_add_word(as, s, (uint32_t)(bits >> 32));
}

static bool read_precision(assembler *as, int *out) {
  uint64_t value;
  if (as->token.kind != TOKEN_WORD || !isa_find_value(&agile_isa, AGILE_VALUES_PRECISION, as->token.text, &value)) {
    const char *names[AGILE_PRECISIONS];
    for (uint64_t p = 0; p < AGILE_PRECISIONS; p++) names[p] = isa_name_value(&agile_isa, AGILE_VALUES_PRECISION, p);
    assemble_error(as, as->token.where, DIAG_assembly_name,
                   "found %s, expected a precision: float_32, fixed_16, fixed_8 or fixed_4%s", assemble_found(as),
                   assemble_nearest(as, as->token.text, names, AGILE_PRECISIONS));
    as->token.kind = TOKEN_END;
    return false;
  }
  *out = (int)value;
  assemble_next(as);
  return true;
}

/* Reads the words behind the number of neighbours. */
static bool read_rest(assembler *as, agile_desc *d) {
  uint64_t list = 0;
  if (!assemble_take_sign(as, ',')) return true;
  if (!read_precision(as, &d->precision)) return false;
  if (!assemble_take_sign(as, ',')) return true;
  if (!assemble_read_number(as, "the place of the lists", 0, (1u << AGILE_LIST_BITS) - 1, &list)) return false;
  d->list = (uint32_t)list;
  if (!assemble_take_sign(as, ',')) return true;
  if (as->token.kind != TOKEN_WORD || strcmp(as->token.text, "invalid") != 0) {
    assemble_expected(as, "'invalid'");
    return false;
  }
  d->is_valid = false;
  assemble_next(as);
  return true;
}

/* Reads .slot NODE, COUNT[, PRECISION[, LIST[, invalid]]] */
static void read_slot(assembler *as, span where) {
  uint64_t node, count;
  if (!assemble_read_number(as, "the node", 0, (1u << AGILE_NODE_BITS) - 1, &node)) return;
  assemble_take_sign(as, ',');
  if (!assemble_read_number(as, "the number of neighbours", 0, (1u << AGILE_COUNT_BITS) - 1, &count)) return;
  agile_desc d = {.node = (uint32_t)node, .count = (uint32_t)count, .is_valid = true};
  if (!read_rest(as, &d)) return;
  assemble_section *s = desc_section(as, where, "a descriptor");
  if (s) add_desc(as, s, agile_desc_pack(d));
}

/* Reads .empty [COUNT] */
static void read_empty(assembler *as, span where) {
  uint64_t count = 1;
  if (as->token.kind != TOKEN_END &&
      !assemble_read_number(as, "the number of descriptors", 1, AGILE_MOST_EMPTY, &count))
    return;
  assemble_section *s = desc_section(as, where, "descriptors");
  for (; s && count; count--) add_desc(as, s, 0);
}

static const assemble_directive directives[] = {{".slot", read_slot}, {".empty", read_empty}};

const assemble_class agile_assembler = {
    .directives = directives, .num_directives = sizeof directives / sizeof *directives, .placeholder = 0xff};
