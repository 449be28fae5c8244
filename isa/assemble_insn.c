/* One line of an instruction: its name, then buffers, NAME=VALUE and flags in any order, as the table knows them. */
#include "isa/assemble_parts.h"

#include <string.h>

/* What the fields of an instruction are called, for "did you mean". */
static size_t field_names(const isa_insn_info *info, const char **names) {
  for (size_t i = 0; i < info->count; i++) names[i] = info->fields[i].name;
  return info->count;
}

enum { MOST_NAMES = 32 };

/* The value that a word names. */
static bool find_value(isa_values kind, const char *word, uint64_t *out) {
  for (uint64_t v = 0; v < isa_values_table[kind].count; v++) {
    const char *name = isa_value_name(kind, v);
    if (name && strcmp(name, word) == 0) {
      *out = v;
      return true;
    }
  }
  return false;
}

static void unknown_value(assembler *as, const isa_field_info *f) {
  const char *names[MOST_NAMES];
  size_t count = 0;
  text list = {0};
  for (uint64_t v = 0; v < isa_values_table[f->kind].count && count < MOST_NAMES; v++) {
    names[count++] = isa_value_name(f->kind, v);
    text_printf(&list, "%s%s", v ? " " : "", isa_value_name(f->kind, v));
  }
  assemble_error(as, as->token.where, DIAG_assembly_name, "'%s' is %s, expected one of: %s%s", f->name,
                 assemble_found(as), text_str(&list), assemble_nearest(as, as->token.text, names, count));
  text_free(&list);
}

/* Words of Edge Buffers stand for fields of Feature Buffers, too: VADD on edges. */
static bool read_named_value(assembler *as, const isa_insn_info *info, const isa_field_info *f, isa_insn *out) {
  uint64_t value;
  bool is_edges = info->op == ISA_OP_vadd && f->kind == ISA_VALUES_FBUF;
  if (as->token.kind != TOKEN_WORD || !(find_value(f->kind, as->token.text, &value) ||
                                        (is_edges && find_value(ISA_VALUES_EBUF, as->token.text, &value)))) {
    unknown_value(as, f);
    return false;
  }
  assemble_operand *first = &as->operands[as->token.text[0] == 'E'];
  bool could_be_either =
      is_edges && value < isa_values_table[ISA_VALUES_EBUF].count; /* not F2, which the device refuses */
  if (could_be_either && !first->field) *first = (assemble_operand){f, as->token};
  isa_field_set(out, f, value);
  assemble_next(as);
  return true;
}

/* Addresses are written in bytes; those of symbols are known later. */
static bool read_address(assembler *as, const isa_field_info *f, size_t index, isa_insn *out) {
  assemble_value value;
  if (!assemble_read_value(as, arena_printf(as->arena, "'%s'", f->name), &value)) return false;
  if (value.symbol) {
    VEC_PUSH(as->arena, &as->fixups, (assemble_fixup){index, f, value});
    return true;
  }
  uint64_t unit = f->kind == ISA_VALUES_ADDR4 ? 4 : 16, number = (uint64_t)value.number;
  uint64_t largest = isa_field_largest(f) * unit;
  if (number % unit || number > largest) {
    assemble_error(as, value.where, DIAG_assembly_value,
                   "'%s' is 0x%llx, expected an address up to 0x%llx that is a multiple of %d", f->name,
                   (unsigned long long)number, (unsigned long long)largest, (int)unit);
    return false;
  }
  isa_field_set(out, f, number / unit);
  return true;
}

static bool read_field(assembler *as, const isa_insn_info *info, const isa_field_info *f, size_t index, isa_insn *out) {
  uint64_t value;
  if (f->kind == ISA_VALUES_ADDR4 || f->kind == ISA_VALUES_ADDR16) return read_address(as, f, index, out);
  if (f->kind != ISA_VALUES_UINT && f->kind != ISA_VALUES_MINUS1 && f->kind != ISA_VALUES_FLAG)
    return read_named_value(as, info, f, out);
  if (!assemble_read_number(as, arena_printf(as->arena, "'%s'", f->name), ISA_BIAS(f->kind), isa_field_largest(f),
                            &value))
    return false;
  isa_field_set(out, f, value);
  return true;
}

/* A bare word: a flag, or the buffer of instructions that have one. */
static const isa_field_info *bare_field(const isa_insn_info *info, const char *word) {
  const isa_field_info *buffer = isa_table_field(info, "buffer");
  uint64_t value;
  return buffer && find_value(buffer->kind, word, &value) ? buffer : isa_table_field(info, word);
}

static bool read_operand(assembler *as, const isa_insn_info *info, size_t index, isa_insn *out, uint64_t *seen) {
  const char *names[MOST_NAMES];
  if (as->token.kind != TOKEN_WORD) {
    assemble_expected(as, "a field of the instruction");
    return false;
  }
  assemble_token word = as->token;
  const isa_field_info *f = bare_field(info, word.text);
  if (!f) {
    size_t count = field_names(info, names);
    const char *nearest = assemble_nearest(as, word.text, names, count);
    bool is_buffer = isa_table_field(info, "buffer") && strlen(word.text) == 2 && strchr("EWF", word.text[0]);
    assemble_error(as, word.where, DIAG_assembly_name,
                   is_buffer ? "'%s' cannot be used on '%s'%s" : "'%s' has no field '%s'%s",
                   is_buffer ? word.text : info->name, is_buffer ? info->name : word.text, is_buffer ? "" : nearest);
    return false;
  }
  uint64_t bit = UINT64_C(1) << (f - info->fields);
  if (*seen & bit) assemble_error(as, word.where, DIAG_assembly_syntax, "'%s' is given twice", f->name);
  *seen |= bit;
  if (strcmp(f->name, word.text) != 0) return read_named_value(as, info, f, out); /* a bare buffer */
  assemble_next(as);
  if (assemble_take_sign(as, '=')) return read_field(as, info, f, index, out);
  if (f->kind == ISA_VALUES_FLAG) {
    isa_field_set(out, f, 1);
    return true;
  }
  assemble_expected(as, arena_printf(as->arena, "'=' and a value of '%s'", f->name));
  return false;
}

/* To the next comma, so that the other operands of the line are read, too. */
static void skip_operand(assembler *as) {
  while (as->token.kind != TOKEN_END && !assemble_is_sign(as, ',')) assemble_next(as);
}

/* Words of one kind of buffer stand for the same numbers as those of the other: VADD must have the kind that on_edges says. */
static void check_operands(assembler *as, const isa_insn *in) {
  const assemble_operand *wrong = &as->operands[!in->vadd.on_edges];
  if (in->op != ISA_OP_vadd || !wrong->field) return;
  assemble_error(as, wrong->word.where, DIAG_assembly_syntax, "'%s' is %s, expected %s", wrong->field->name,
                 wrong->word.text,
                 in->vadd.on_edges ? "an Edge Buffer with on_edges" : "a Feature Buffer without on_edges");
}

bool assemble_read_insn(assembler *as, size_t index, isa_insn *out) {
  const char *names[ISA_INSNS];
  size_t errors = as->errors;
  uint64_t seen = 0;
  assemble_token name = as->token;
  const isa_insn_info *info = isa_table_find_name(name.text);
  if (!info) {
    for (int i = 0; i < ISA_INSNS; i++) names[i] = isa_table[i].name;
    assemble_error(as, name.where, DIAG_assembly_name, "no instruction is called '%s'%s", name.text,
                   assemble_nearest(as, name.text, names, ISA_INSNS));
    return false;
  }
  *out = (isa_insn){.op = info->op};
  as->operands[0] = as->operands[1] = (assemble_operand){0};
  for (size_t i = 0; i < info->count; i++) isa_field_set(out, &info->fields[i], ISA_BIAS(info->fields[i].kind));
  assemble_next(as);
  while (as->token.kind != TOKEN_END) {
    if (!read_operand(as, info, index, out, &seen)) skip_operand(as);
    if (as->token.kind == TOKEN_END) break;
    if (!assemble_take_sign(as, ',')) {
      assemble_expected(as, "',' or the end of the line");
      skip_operand(as);
      assemble_take_sign(as, ',');
    } else if (as->token.kind == TOKEN_END) {
      assemble_expected(as, "a field of the instruction");
    }
  }
  check_operands(as, out);
  const isa_field_info *buffer = isa_table_field(info, "buffer");
  if (buffer && errors == as->errors && !(seen >> (buffer - info->fields) & 1))
    assemble_error(as, name.where, DIAG_assembly_syntax, "'%s' names no buffer, expected one: %s F0, ...", info->name,
                   info->name);
  return errors == as->errors;
}

/* Keeps the first message. */
static void keep_first(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                       const char *message) {
  (void)severity;
  (void)id;
  (void)file;
  (void)line;
  status *first = user;
  if (!*first) *first = status_error(STATUS_CODE_format, "column %u: %s", column, message);
}

status assemble_instruction(const char *words, isa_insn *out) {
  status failure = STATUS_OK;
  arena *a = arena_create();
  diag *d = diag_create(stderr);
  diag_set_sink(d, keep_first, &failure);
  assembler as = {.arena = a, .diag = d, .source = source_create(a, "instruction", words, strlen(words))};
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
