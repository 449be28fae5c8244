/* Directives of data: the contents of sections, labels and symbols. */
#include "isa/text/assemble_parts.h"

#include <string.h>

enum { LARGEST_DATA = 1 << 28, LARGEST_ALIGN = 4096 };
static const uint64_t largest_section = UINT64_C(1) << 40;

static bool has_section(assembler *as, span where) {
  if (as->section >= IMAGE_EDGES) return true;
  if (as->section >= 0) {
    const char *name = image_loaded_name((image_section_kind)as->section);
    assemble_error(as, where, DIAG_assembly_structure, "found data, expected .%s in .section %s", name, name);
    return false;
  }
  assemble_error(as, where, DIAG_assembly_structure,
                 "data outside of a section, expected .section weights, edges or features before it");
  return false;
}

/* Turns the zeros that were only counted into bytes; false when there are too many. */
static bool materialize(assembler *as, assemble_section *s, size_t more, span where) {
  if (s->size > LARGEST_DATA - more) {
    assemble_error(as, where, DIAG_assembly_value, "the section grows to more than %d bytes with data in it",
                   LARGEST_DATA);
    return false;
  }
  s->has_data = true;
  while (s->bytes.capacity < s->size) s->bytes.items = vec_grow(as->arena, s->bytes.items, &s->bytes.capacity, 1);
  if (s->size > s->bytes.count) memset(s->bytes.items + s->bytes.count, 0, s->size - s->bytes.count);
  s->bytes.count = s->size;
  return true;
}

void assemble_add_word(assembler *as, assemble_section *s, uint32_t word) {
  for (int i = 0; i < 4; i++) VEC_PUSH(as->arena, &s->bytes, (unsigned char)(word >> 8 * i));
  s->size += 4;
}

void assemble_add_float(assembler *as, assemble_section *s, float value) {
  uint32_t word;
  memcpy(&word, &value, sizeof word);
  assemble_add_word(as, s, word);
}

static void add_zeros(assembler *as, assemble_section *s, uint64_t count, span where) {
  if (count > largest_section - s->size) {
    assemble_error(as, where, DIAG_assembly_value, "the section grows to more than 2^40 bytes");
    return;
  }
  s->size += count;
  if (s->has_data && count <= LARGEST_DATA)
    materialize(as, s, 0, where);
  else if (s->has_data)
    assemble_error(as, where, DIAG_assembly_value, "the section grows to more than %d bytes with data in it",
                   LARGEST_DATA);
}

assemble_section *assemble_data_section(assembler *as, span where, size_t more) {
  if (!has_section(as, where)) return NULL;
  assemble_section *s = &as->sections[as->section];
  if (as->section == IMAGE_FEATURES) {
    assemble_error(as, where, DIAG_assembly_structure, "features are not in the file, expected .zero here");
    return NULL;
  }
  return materialize(as, s, more, where) ? s : NULL;
}

/* Reads .f32 X, Y ... and .u32 N, M ...; commas may be left out. */
static void read_words(assembler *as, span where, bool is_float) {
  do {
    assemble_section *s = assemble_data_section(as, where, 4);
    float value = 0;
    uint64_t word = 0;
    bool good = is_float ? assemble_read_float(as, &value) : assemble_read_number(as, "a word", 0, UINT32_MAX, &word);
    if (!good || !s) return;
    if (is_float)
      assemble_add_float(as, s, value);
    else
      assemble_add_word(as, s, (uint32_t)word);
    assemble_take_sign(as, ',');
  } while (as->token.kind != TOKEN_END);
}

static bool read_count(assembler *as, span where, const char *what, uint64_t least, uint64_t largest, uint64_t *out) {
  return assemble_read_number(as, what, least, largest, out) && has_section(as, where);
}

static void read_zero(assembler *as, span where) {
  uint64_t count;
  if (read_count(as, where, "the number of bytes", 0, largest_section, &count))
    add_zeros(as, &as->sections[as->section], count, where);
}

static void read_align(assembler *as, span where) {
  uint64_t to;
  if (!read_count(as, where, "the alignment", 1, LARGEST_ALIGN, &to)) return;
  if (to & (to - 1))
    assemble_error(as, where, DIAG_assembly_value, "the alignment is %d, expected a power of two", (int)to);
  else
    add_zeros(as, &as->sections[as->section], -as->sections[as->section].size & (to - 1), where);
}

static bool add_symbol(assembler *as, assemble_symbol symbol) {
  int64_t other = map_get(&as->symbol_of, symbol.name, 0);
  if (other < 0) other = -other;
  if (other && symbol.is_listed &&
      as->symbols.items[other - 1].is_listed) { /* images may have a name twice; such a name cannot be used */
    VEC_PUSH(as->arena, &as->symbols, symbol);
    map_set(&as->symbol_of, symbol.name, -other);
    return true;
  }
  if (other) {
    assemble_error(as, symbol.where, DIAG_assembly_name, "'%s' is defined twice", symbol.name);
    diag_note(as->diag, as->symbols.items[other - 1].where, "the first definition");
    return false;
  }
  VEC_PUSH(as->arena, &as->symbols, symbol);
  map_set(&as->symbol_of, symbol.name, (int64_t)as->symbols.count);
  return true;
}

void assemble_close_label(assembler *as, int section) {
  size_t open = as->open_label[section];
  if (open) as->symbols.items[open - 1].size = as->sections[section].size - as->symbols.items[open - 1].address;
  as->open_label[section] = 0;
}

void assemble_add_label(assembler *as, const char *name, span where) {
  if (as->section != IMAGE_DESC && !has_section(as, where)) return;
  assemble_close_label(as, as->section);
  assemble_symbol symbol = {
      .name = name, .where = where, .section = as->section, .address = as->sections[as->section].size};
  if (add_symbol(as, symbol)) as->open_label[as->section] = as->symbols.count;
}

/* The section that a word names; -1 for none. */
static int named_section(const assembler *as) {
  for (int i = 0; i < IMAGE_LOADED; i++)
    if (as->token.kind == TOKEN_WORD && strcmp(as->token.text, image_loaded_name((image_section_kind)i)) == 0) return i;
  return -1;
}

/* Reads .symbol NAME ADDRESS SIZE [SECTION] */
static void read_symbol(assembler *as) {
  assemble_symbol symbol = {.name = as->token.text, .where = as->token.where, .section = -1, .is_listed = true};
  if (as->token.kind != TOKEN_WORD && as->token.kind != TOKEN_STRING) {
    assemble_expected(as, "the symbol's name");
    return;
  }
  assemble_next(as);
  assemble_take_sign(as, ',');
  if (!assemble_read_number(as, "the symbol's address", 0, largest_section, &symbol.address)) return;
  assemble_take_sign(as, ',');
  if (!assemble_read_number(as, "the symbol's size", 0, largest_section, &symbol.size)) return;
  symbol.section = named_section(as);
  if (symbol.section >= 0) assemble_next(as);
  add_symbol(as, symbol);
}

/* Reads .section NAME [at ADDRESS] */
static void read_section(assembler *as) {
  int section = named_section(as);
  if (section < 0) {
    const char *names[IMAGE_LOADED];
    for (int i = 0; i < IMAGE_LOADED; i++) names[i] = image_loaded_name((image_section_kind)i);
    assemble_error(as, as->token.where, DIAG_assembly_name,
                   "found %s, expected a section: weights, edges, features, text, desc or constants%s",
                   assemble_found(as), assemble_nearest(as, as->token.text, names, IMAGE_LOADED));
    as->token.kind = TOKEN_END;
    return;
  }
  assemble_section *s = &as->sections[section];
  span where = as->token.where;
  if (as->class->close) as->class->close(as);
  as->section = section >= IMAGE_EDGES || section == IMAGE_DESC ? section : -1;
  assemble_next(as);
  if (!s->where.source) s->where = where;
  if (as->token.kind == TOKEN_END) return;
  if (as->token.kind != TOKEN_WORD || strcmp(as->token.text, "at") != 0) {
    assemble_expected(as, "'at' and an address, or the end of the line");
    return;
  }
  uint64_t address;
  assemble_next(as);
  if (!assemble_read_number(as, "the section's address", 0, largest_section, &address)) return;
  if (s->is_fixed && s->address != address)
    assemble_error(as, where, DIAG_assembly_structure, "section '%s' is at 0x%llx already",
                   image_loaded_name((image_section_kind)section), (unsigned long long)s->address);
  s->where = where;
  s->address = address;
  s->is_fixed = true;
}

bool assemble_read_data(assembler *as, const char *directive, span where) {
  if (strcmp(directive, ".f32") == 0)
    read_words(as, where, true);
  else if (strcmp(directive, ".u32") == 0)
    read_words(as, where, false);
  else if (strcmp(directive, ".zero") == 0)
    read_zero(as, where);
  else if (strcmp(directive, ".align") == 0)
    read_align(as, where);
  else if (strcmp(directive, ".symbol") == 0)
    read_symbol(as);
  else if (strcmp(directive, ".section") == 0)
    read_section(as);
  else
    return false;
  return true;
}
