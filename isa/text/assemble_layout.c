/* The second half of assembling: assigns addresses to sections and values to symbols, and encodes
 * everything to bytes. */
#include "isa/text/assemble_parts.h"

#include <string.h>

static uint64_t aligned(uint64_t n) {
  return (n + IMAGE_ALIGNMENT - 1) / IMAGE_ALIGNMENT * IMAGE_ALIGNMENT;
}

static bool overlaps(const assemble_section *a, const assemble_section *b) {
  return a->size && b->size && a->address < b->address + b->size && b->address < a->address + a->size;
}

/* Finds the lowest address at which a section overlaps none of those that have an address. */
static void place(assembler *as, int section, const bool *is_placed) {
  assemble_section *s = &as->sections[section];
  s->address = 0;
  for (bool is_moved = true; is_moved;) {
    is_moved = false;
    for (int i = 0; i < IMAGE_PROGRAM; i++) {
      if (!is_placed[i] || !overlaps(s, &as->sections[i])) continue;
      s->address = aligned(as->sections[i].address + as->sections[i].size);
      is_moved = true;
    }
  }
}

static void check_place(assembler *as, int section) {
  const assemble_section *s = &as->sections[section];
  span where =
      s->where.source ? s->where : (span){as->source, 0, 0}; /* the text does not place it, so it follows the others */
  const char *name = image_section_name((image_section_kind)section);
  if (s->address % IMAGE_ALIGNMENT)
    assemble_error(as, where, DIAG_assembly_value, "%s is at 0x%llx, expected a multiple of %d", name,
                   (unsigned long long)s->address, IMAGE_ALIGNMENT);
  uint64_t end = s->address + s->size;
  if (end > (uint64_t)as->device.common.ddr_bytes)
    assemble_error(as, where, DIAG_assembly_value, "%s ends at 0x%llx, beyond the device's memory: ddr_bytes = %lld",
                   name, (unsigned long long)end, (long long)as->device.common.ddr_bytes);
  for (int i = 0; i < section; i++)
    if (overlaps(s, &as->sections[i]))
      assemble_error(as, where, DIAG_assembly_value, "%s and %s overlap at 0x%llx", name,
                     image_section_name((image_section_kind)i),
                     (unsigned long long)(s->address > as->sections[i].address ? s->address : as->sections[i].address));
}

static void place_sections(assembler *as) {
  bool is_placed[IMAGE_PROGRAM];
  as->sections[IMAGE_TEXT].size = as->places.count * assemble_isa(as)->insn_bytes;
  for (int i = 0; i < IMAGE_PROGRAM; i++) {
    is_placed[i] = as->sections[i].is_fixed;
    assemble_close_label(as, i);
  }
  for (int i = 0; i < IMAGE_PROGRAM; i++) {
    if (!is_placed[i]) place(as, i, is_placed);
    is_placed[i] = true;
  }
  for (int i = 0; i < IMAGE_PROGRAM; i++) check_place(as, i);
}

static bool is_inside(const assemble_section *in, const assemble_symbol *s) {
  return s->address >= in->address && s->address + s->size <= in->address + in->size;
}

/* The section that contains a symbol; -1 for none. */
static int find_section(const assembler *as, const assemble_symbol *s) {
  if (s->section >= 0) return is_inside(&as->sections[s->section], s) ? s->section : -1;
  for (int i = 0; i < IMAGE_PROGRAM; i++)
    if (as->sections[i].size && is_inside(&as->sections[i], s)) return i;
  return -1;
}

static void resolve_symbols(assembler *as) {
  for (size_t i = 0; i < as->symbols.count; i++) {
    assemble_symbol *s = &as->symbols.items[i];
    if (!s->is_listed) {
      s->address += as->sections[s->section].address;
      continue;
    }
    uint64_t end = s->address + s->size;
    s->section = find_section(as, s);
    if (s->section < 0)
      assemble_error(as, s->where, DIAG_assembly_value, "'%s' is 0x%llx to 0x%llx, expected inside one section",
                     s->name, (unsigned long long)s->address, (unsigned long long)end);
  }
}

static void unknown_symbol(assembler *as, const assemble_value *v) {
  const char **names = arena_alloc_array(as->arena, as->symbols.count + 1, sizeof *names);
  for (size_t i = 0; i < as->symbols.count; i++) names[i] = as->symbols.items[i].name;
  assemble_error(as, v->where, DIAG_assembly_name, "no label or symbol is called '%s'%s", v->symbol,
                 assemble_nearest(as, v->symbol, names, as->symbols.count));
}

bool assemble_resolve(assembler *as, const assemble_value *v, const char *what, uint64_t unit, uint64_t largest,
                      uint64_t *out) {
  uint64_t address = (uint64_t)v->number;
  if (v->symbol) {
    int64_t number = map_get(&as->symbol_of, v->symbol, 0);
    if (!number) {
      unknown_symbol(as, v);
      return false;
    }
    if (number < 0) {
      assemble_error(as, v->where, DIAG_assembly_name, "several symbols are called '%s', expected an address",
                     v->symbol);
      return false;
    }
    address += as->symbols.items[number - 1].address;
  }
  *out = address / unit;
  if (address % unit == 0 && *out <= largest) return true;
  uint64_t limit = largest * unit;
  assemble_error(as, v->where, DIAG_assembly_value,
                 "'%s' is 0x%llx, expected an address up to 0x%llx that is a multiple of %d", what,
                 (unsigned long long)address, (unsigned long long)limit, (int)unit);
  return false;
}

static void resolve_fixup(assembler *as, const assemble_fixup *fix) {
  const isa_table *isa = assemble_isa(as);
  uint64_t value, unit = isa_values_of(isa, fix->field)->unit;
  if (assemble_resolve(as, &fix->value, fix->field->name, unit, isa_field_largest(isa, fix->field), &value))
    isa_field_set(assemble_insn_at(as, fix->insn), fix->field, value);
}

static unsigned char *encode_text(assembler *as) {
  size_t size = assemble_isa(as)->insn_bytes;
  unsigned char *bytes = arena_alloc_array(as->arena, as->places.count + 1, size);
  for (size_t i = 0; i < as->places.count; i++) {
    const void *insn = assemble_insn_at(as, i);
    status s = isa_encode(assemble_isa(as), insn, bytes + i * size);
    if (!s && !as->is_unchecked && as->class->check) s = as->class->check(insn, &as->device);
    if (s) assemble_error(as, as->places.items[i], DIAG_assembly_value, "%s", status_message(s));
    status_free(s);
  }
  return bytes;
}

void assemble_lay_out(assembler *as, image *out) {
  if (as->class->measure) as->class->measure(as);
  place_sections(as);
  resolve_symbols(as);
  for (size_t i = 0; i < as->fixups.count; i++) resolve_fixup(as, &as->fixups.items[i]);
  for (int i = 0; i < IMAGE_PROGRAM; i++) {
    const assemble_section *s = &as->sections[i];
    out->sections[i] = (image_section){s->address, s->size, s->has_data ? s->bytes.items : NULL};
  }
  if (as->class->fill) as->class->fill(as, out);
  out->sections[IMAGE_TEXT].data = encode_text(as);
  for (size_t i = 0; i < as->symbols.count; i++) {
    const assemble_symbol *s = &as->symbols.items[i];
    if (s->section >= 0)
      VEC_PUSH(as->arena, &as->machine_symbols,
               (image_symbol){s->name, (image_section_kind)s->section, s->address, s->size});
  }
  out->symbols = as->machine_symbols.items;
  out->num_symbols = (int64_t)as->machine_symbols.count;
  out->device = as->device;
}
