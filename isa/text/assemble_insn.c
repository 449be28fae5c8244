/* Reads one line with an instruction: its name, then buffers, NAME=VALUE and flags in any order, as
 * the table describes them. */
#include "isa/text/assemble_parts.h"

#include <string.h>

/* Collects the names of an instruction's fields, for "did you mean". */
static size_t field_names(const isa_insn_info *info, const char **names) {
  for (size_t i = 0; i < info->count; i++) names[i] = info->fields[i].name;
  return info->count;
}

enum { MOST_NAMES = 32 };

/* The value of a word for a field. */
static bool find_value(const assembler *as, const isa_insn_info *info, const isa_field_info *f, const char *word,
                       uint64_t *out) {
  return isa_find_value(assemble_isa(as), f->kind, word, out) ||
         (as->class->find_value && as->class->find_value(info, f, word, out));
}

static void unknown_value(assembler *as, const isa_field_info *f) {
  const char *names[MOST_NAMES];
  const isa_table *isa = assemble_isa(as);
  size_t count = 0;
  text list = {0};
  for (uint64_t v = 0; v < isa_values_of(isa, f)->count && count < MOST_NAMES; v++) {
    names[count++] = isa_name_value(isa, f->kind, v);
    text_printf(&list, "%s%s", v ? " " : "", isa_name_value(isa, f->kind, v));
  }
  assemble_error(as, as->token.where, DIAG_assembly_name, "'%s' is %s, expected one of: %s%s", f->name,
                 assemble_found(as), text_str(&list), assemble_nearest(as, as->token.text, names, count));
  text_free(&list);
}

static bool read_named_value(assembler *as, const isa_insn_info *info, const isa_field_info *f, void *out) {
  uint64_t value;
  if (as->token.kind != TOKEN_WORD || !find_value(as, info, f, as->token.text, &value)) {
    unknown_value(as, f);
    return false;
  }
  as->given[f - info->fields] = as->token;
  isa_field_set(out, f, value);
  assemble_next(as);
  return true;
}

/* Reads an address in bytes; one with a symbol becomes a fixup. */
static bool read_address(assembler *as, const isa_field_info *f, size_t index, void *out) {
  assemble_value value;
  if (!assemble_read_value(as, arena_printf(as->arena, "'%s'", f->name), &value)) return false;
  if (value.symbol) {
    VEC_PUSH(as->arena, &as->fixups, (assemble_fixup){index, f, value});
    return true;
  }
  uint64_t unit = isa_values_of(assemble_isa(as), f)->unit, number = (uint64_t)value.number;
  uint64_t largest = isa_field_largest(assemble_isa(as), f) * unit;
  if (number % unit || number > largest) {
    assemble_error(as, value.where, DIAG_assembly_value,
                   "'%s' is 0x%llx, expected an address up to 0x%llx that is a multiple of %d", f->name,
                   (unsigned long long)number, (unsigned long long)largest, (int)unit);
    return false;
  }
  isa_field_set(out, f, number / unit);
  return true;
}

static bool read_real(assembler *as, const isa_field_info *f, void *out) {
  float value;
  uint32_t bits;
  if (!assemble_read_float(as, &value)) return false;
  memcpy(&bits, &value, sizeof bits);
  isa_field_set(out, f, bits);
  return true;
}

static bool read_field(assembler *as, const isa_insn_info *info, const isa_field_info *f, size_t index, void *out) {
  const isa_table *isa = assemble_isa(as);
  uint64_t value;
  switch (isa_values_of(isa, f)->class) {
  case ISA_CLASS_address: return read_address(as, f, index, out);
  case ISA_CLASS_real: return read_real(as, f, out);
  case ISA_CLASS_name:
  case ISA_CLASS_buffer: return read_named_value(as, info, f, out);
  default: break;
  }
  if (!assemble_read_number(as, arena_printf(as->arena, "'%s'", f->name), isa_bias(isa, f), isa_field_largest(isa, f),
                            &value))
    return false;
  isa_field_set(out, f, value);
  return true;
}

/* The field that a word without '=' is for: a flag, or the buffer without a name. */
static const isa_field_info *bare_field(const assembler *as, const isa_insn_info *info, const char *word) {
  const isa_field_info *buffer = isa_find_field(info, "buffer");
  uint64_t value;
  return buffer && find_value(as, info, buffer, word, &value) ? buffer : isa_find_field(info, word);
}

/* Whether a word looks like the name of a buffer: it is as long as one of the machine's and begins
 * with the same letter. */
static bool is_buffer_name(const isa_table *isa, const char *word) {
  for (size_t i = 0; i < isa->num_names; i++) {
    const isa_value_name *n = &isa->names[i];
    if (n->name && isa->values[n->kind].class == ISA_CLASS_buffer && n->name[0] == word[0] &&
        strlen(n->name) == strlen(word))
      return true;
  }
  return false;
}

static bool read_operand(assembler *as, const isa_insn_info *info, size_t index, void *out, uint64_t *seen) {
  const char *names[MOST_NAMES];
  if (as->token.kind != TOKEN_WORD) {
    assemble_expected(as, "a field of the instruction");
    return false;
  }
  assemble_token word = as->token;
  const isa_field_info *f = bare_field(as, info, word.text);
  if (!f) {
    size_t count = field_names(info, names);
    const char *nearest = assemble_nearest(as, word.text, names, count);
    bool is_buffer = isa_find_field(info, "buffer") && is_buffer_name(assemble_isa(as), word.text);
    assemble_error(as, word.where, DIAG_assembly_name,
                   is_buffer ? "'%s' cannot be used on '%s'%s" : "'%s' has no field '%s'%s",
                   is_buffer ? word.text : info->name, is_buffer ? info->name : word.text, is_buffer ? "" : nearest);
    return false;
  }
  uint64_t bit = UINT64_C(1) << (f - info->fields);
  if (*seen & bit) assemble_error(as, word.where, DIAG_assembly_syntax, "'%s' is given twice", f->name);
  *seen |= bit;
  if (strcmp(f->name, word.text) != 0) return read_named_value(as, info, f, out); /* a buffer without a name */
  assemble_next(as);
  if (assemble_take_sign(as, '=')) return read_field(as, info, f, index, out);
  if (isa_values_of(assemble_isa(as), f)->class == ISA_CLASS_flag) {
    isa_field_set(out, f, 1);
    return true;
  }
  assemble_expected(as, arena_printf(as->arena, "'=' and a value of '%s'", f->name));
  return false;
}

/* Skips to the next comma, so that the other operands of the line are read too. */
static void skip_operand(assembler *as) {
  while (as->token.kind != TOKEN_END && !assemble_is_sign(as, ',')) assemble_next(as);
}

/* Reads operands up to the end of the line; *seen has a bit for each field that was given. */
static void read_operands(assembler *as, const isa_insn_info *info, size_t index, void *out, uint64_t *seen) {
  while (as->token.kind != TOKEN_END) {
    if (!read_operand(as, info, index, out, seen)) skip_operand(as);
    if (as->token.kind == TOKEN_END) return;
    if (!assemble_take_sign(as, ',')) {
      assemble_expected(as, "',' or the end of the line");
      skip_operand(as);
      assemble_take_sign(as, ',');
    } else if (as->token.kind == TOKEN_END) {
      assemble_expected(as, "a field of the instruction");
    }
  }
}

static const isa_insn_info *find_insn(assembler *as) {
  const isa_table *isa = assemble_isa(as);
  const isa_insn_info *info = isa_find_name(isa, as->token.text);
  if (info) return info;
  const char *names[MOST_NAMES];
  size_t count = 0;
  for (; count < isa->num_insns && count < MOST_NAMES; count++) names[count] = isa->insns[count].name;
  assemble_error(as, as->token.where, DIAG_assembly_name, "no instruction is called '%s'%s", as->token.text,
                 assemble_nearest(as, as->token.text, names, count));
  return NULL;
}

bool assemble_read_insn(assembler *as, size_t index, void *out) {
  size_t errors = as->errors;
  uint64_t seen = 0;
  assemble_token name = as->token;
  const isa_insn_info *info = find_insn(as);
  if (!info) return false;
  isa_clear(assemble_isa(as), info, out);
  memset(as->given, 0, sizeof as->given);
  assemble_next(as);
  read_operands(as, info, index, out, &seen);
  if (as->class->check_operands) as->class->check_operands(as, info, out);
  const isa_field_info *buffer = isa_find_field(info, "buffer");
  if (buffer && errors == as->errors && !(seen >> (buffer - info->fields) & 1))
    assemble_error(as, name.where, DIAG_assembly_syntax, "'%s' names no buffer, expected one: %s F0, ...", info->name,
                   info->name);
  return errors == as->errors;
}

void assemble_push_insn(assembler *as, const void *insn, span where) {
  const uint64_t *words = insn;
  for (size_t i = 0; i < assemble_isa(as)->struct_bytes / sizeof *words; i++) VEC_PUSH(as->arena, &as->insns, words[i]);
  VEC_PUSH(as->arena, &as->places, where);
}

/* Keeps the first message of assemble_instruction. */
static void keep_first(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                       const char *message) {
  (void)severity;
  (void)id;
  (void)file;
  (void)line;
  status *first = user;
  if (!*first) *first = status_error(STATUS_CODE_format, "column %u: %s", column, message);
}

status assemble_instruction(const machine *m, const char *words, void *out) {
  status failure = STATUS_OK;
  arena *a = arena_create();
  diag *d = diag_create(stderr);
  diag_set_sink(d, keep_first, &failure);
  assembler as = {.arena = a, .diag = d, .source = source_create(a, "instruction", words, strlen(words))};
  as.device.machine = m;
  as.class = m->assembler ? m->assembler : &assemble_plain;
  assemble_next(&as);
  if (as.token.kind != TOKEN_WORD)
    assemble_expected(&as, "an instruction");
  else if (assemble_read_insn(&as, 0, out) && as.fixups.count)
    assemble_error(&as, as.fixups.items[0].value.where, DIAG_assembly_name, "'%s' is a symbol, expected a number",
                   as.fixups.items[0].value.symbol);
  diag_destroy(d);
  arena_destroy(a);
  return failure;
}
