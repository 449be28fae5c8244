/* Directives for the elements of A, in the order of memory: slot after slot of a channel, with 8
 * PEs each. */
#include "isa/sextans/assemble.h"

#include "isa/sextans/format.h"

#include <string.h>

static void add_elements(assembler *as, assemble_section *s, uint64_t element, uint64_t count) {
  uint64_t more = count * sizeof element;
  while (s->bytes.capacity - s->bytes.count < more)
    s->bytes.items = vec_grow(as->arena, s->bytes.items, &s->bytes.capacity, 1);
  for (uint64_t i = 0; i < count; i++)
    memcpy(s->bytes.items + s->bytes.count + i * sizeof element, &element, sizeof element);
  s->bytes.count += more;
  s->size += more;
}

/* The section of elements, with room for `more` of them; NULL after a message. */
static assemble_section *element_section(assembler *as, span where, uint64_t more) {
  if (as->section == IMAGE_WEIGHTS) return assemble_data_section(as, where, more * sizeof(uint64_t));
  assemble_error(as, where, DIAG_assembly_structure, "an element of A outside of .section weights");
  return NULL;
}

/* Reads .element ROW, COLUMN, VALUE */
static void read_element(assembler *as, span where) {
  uint64_t row, column;
  float value;
  if (!assemble_read_number(as, "the row of the PE", 0, (1u << SEXTANS_ROW_BITS) - 1, &row)) return;
  assemble_take_sign(as, ',');
  if (!assemble_read_number(as, "the column in the window", 0, (1u << SEXTANS_COLUMN_BITS) - 1, &column)) return;
  assemble_take_sign(as, ',');
  if (!assemble_read_float(as, &value)) return;
  assemble_section *s = element_section(as, where, 1);
  if (s) add_elements(as, s, sextans_element((uint32_t)row, (uint32_t)column, value), 1);
}

/* Reads .bubble [COUNT] */
static void read_bubble(assembler *as, span where) {
  uint64_t count = 1;
  if (as->token.kind != TOKEN_END &&
      !assemble_read_number(as, "the number of bubbles", 1, SEXTANS_MOST_BUBBLES, &count))
    return;
  assemble_section *s = element_section(as, where, count);
  if (s) add_elements(as, s, SEXTANS_BUBBLE, count);
}

static const assemble_directive directives[] = {{".element", read_element}, {".bubble", read_bubble}};

const assemble_class sextans_assembler = {
    .directives = directives, .num_directives = sizeof directives / sizeof *directives, .placeholder = 0xff};
