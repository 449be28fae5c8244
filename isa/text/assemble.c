/* The assembler: reads lines of labels, directives and instructions. */
#include "isa/text/assemble_parts.h"

#include <string.h>

static const char *const directives[] = {".machine", ".device", ".section", ".f32",
                                         ".u32",     ".zero",   ".align",   ".symbol"};
enum { DIRECTIVES = sizeof directives / sizeof *directives, MOST_DIRECTIVES = 64 };

const assemble_class assemble_plain = {.placeholder = 0xff};

/* Chooses the program's machine: its part of the assembler, with a new state. */
static void begin_machine(assembler *as) {
  const assemble_class *class = as->device.machine->assembler;
  as->class = class ? class : &assemble_plain;
  as->state = arena_alloc(as->arena, as->class->state_bytes + 1);
}

/* The text between '=' and the next comma or blank. */
static const char *raw_value(assembler *as) {
  if (as->token.kind == TOKEN_STRING) return as->token.text;
  size_t begin = as->token.where.begin, end = begin;
  while (end < as->source->size && !strchr(" \t\r\n,;#", as->source->text[end])) end++;
  as->at = end;
  as->token.where.end = (uint32_t)end;
  return arena_strndup(as->arena, as->source->text + begin, end - begin);
}

/* Reads .device KEY=VALUE, KEY=VALUE ... */
static void read_device(assembler *as) {
  do {
    assemble_token key = as->token;
    if (key.kind != TOKEN_WORD) {
      assemble_expected(as, "a parameter of devices");
      return;
    }
    assemble_next(as);
    if (!assemble_take_sign(as, '=')) {
      assemble_expected(as, "'='");
      return;
    }
    const char *value = raw_value(as);
    status s = device_set(&as->device, key.text, value);
    if (s) assemble_error(as, key.where, DIAG_assembly_value, "%s", status_message(s));
    status_free(s);
    assemble_next(as);
    if (!assemble_take_sign(as, ',') && as->token.kind != TOKEN_END) {
      assemble_expected(as, "',' or the end of the line");
      return;
    }
  } while (as->token.kind != TOKEN_END);
}

/* Reads .machine NAME */
static void read_machine(assembler *as, span where) {
  const char *nearest = NULL;
  const machine *m = as->token.kind == TOKEN_WORD ? machine_find(as->token.text, &nearest) : NULL;
  if (as->token.kind != TOKEN_WORD) {
    assemble_expected(as, "the name of a machine");
  } else if (!m) {
    assemble_error(as, as->token.where, DIAG_assembly_name, "there is no machine '%s'%s%s%s", as->token.text,
                   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
  } else if (m != as->device.machine && as->has_program) {
    assemble_error(as, where, DIAG_assembly_structure, "a program of machine '%s' so far, expected .machine before it",
                   as->device.machine->name);
  } else if (m != as->device.machine && as->has_device) {
    assemble_error(as, as->token.where, DIAG_assembly_structure,
                   "a program of machine '%s', expected one of '%s', whose device was given", m->name,
                   as->device.machine->name);
  } else if (m != as->device.machine) {
    device_default(&as->device, m);
    begin_machine(as);
  }
  assemble_next(as);
}

static void read_instruction(assembler *as) {
  assemble_token name = as->token;
  isa_any insn = {0};
  size_t fixups = as->fixups.count;
  const isa_insn_info *placeholder = isa_find(assemble_isa(as), as->class->placeholder);
  if (as->class->takes_name && !as->class->takes_name(as, name.text, name.where)) {
    as->token.kind = TOKEN_END;
    return;
  }
  bool is_read = assemble_read_insn(as, as->places.count, &insn);
  as->token.kind = TOKEN_END;
  if (!is_read) as->fixups.count = fixups;
  if (!is_read && placeholder) isa_clear(assemble_isa(as), placeholder, &insn);
  if (as->class->takes_insn && !as->class->takes_insn(as, name.where)) {
    as->fixups.count = fixups;
    return;
  }
  /* A wrong instruction is replaced by the machine's placeholder, so that its block is not
   * empty. */
  if (is_read || placeholder) assemble_push_insn(as, &insn, name.where);
}

static void unknown_directive(assembler *as, const assemble_token *name) {
  const char *names[MOST_DIRECTIVES];
  size_t count = 0;
  for (; count < DIRECTIVES; count++) names[count] = directives[count];
  for (size_t i = 0; i < as->class->num_directives && count < MOST_DIRECTIVES; i++)
    names[count++] = as->class->directives[i].name;
  assemble_error(as, name->where, DIAG_assembly_name, "no directive is called '%s'%s", name->text,
                 assemble_nearest(as, name->text, names, count));
  as->token.kind = TOKEN_END;
}

static void read_directive(assembler *as) {
  assemble_token name = as->token;
  assemble_next(as);
  if (strcmp(name.text, ".machine") == 0) {
    read_machine(as, name.where);
    return;
  }
  as->has_program = true;
  for (size_t i = 0; i < as->class->num_directives; i++) {
    if (strcmp(name.text, as->class->directives[i].name) != 0) continue;
    as->class->directives[i].read(as, name.where);
    return;
  }
  if (strcmp(name.text, ".device") == 0)
    read_device(as);
  else if (!assemble_read_data(as, name.text, name.where))
    unknown_directive(as, &name);
}

/* Skips the "0x00000010:" that listings print before each instruction. It says where the
 * instruction was, and has no influence on where it goes. */
static void skip_place(assembler *as) {
  size_t at = as->at;
  assemble_token first = as->token;
  if (first.kind != TOKEN_NUMBER) return;
  assemble_next(as);
  if (assemble_take_sign(as, ':') && (!as->class->takes_place || as->class->takes_place(as))) return;
  as->at = at;
  as->token = first;
}

/* Reads [LABEL:] [DIRECTIVE or INSTRUCTION] */
static void read_line(assembler *as) {
  size_t errors = as->errors;
  skip_place(as);
  assemble_token first = as->token;
  if ((first.kind == TOKEN_WORD && first.text[0] != '.') || first.kind == TOKEN_STRING) {
    size_t at = as->at;
    assemble_next(as);
    if (assemble_take_sign(as, ':')) {
      assemble_add_label(as, first.text, first.where);
    } else {
      as->at = at;
      as->token = first;
    }
  }
  if (as->token.kind == TOKEN_WORD && as->token.text[0] == '.') {
    read_directive(as);
  } else if (as->token.kind == TOKEN_WORD) {
    as->has_program = true;
    read_instruction(as);
  } else if (as->token.kind != TOKEN_END) {
    assemble_expected(as, "a label, a directive or an instruction");
  }
  if (as->token.kind != TOKEN_END && errors == as->errors) assemble_expected(as, "the end of the line");
}

bool assemble_program(arena *a, const source *words, const assemble_options *options, diag *d, image *out) {
  assembler as = {.arena = a,
                  .diag = d,
                  .source = words,
                  .is_unchecked = options && options->is_unchecked,
                  .has_device = options && options->device,
                  .section = -1,
                  .symbol_of = {.arena = a, .of_strings = true}};
  device_default(&as.device, machine_default());
  if (as.has_device) as.device = *options->device;
  begin_machine(&as);
  if (words->size >= UINT32_MAX) {
    assemble_error(&as, (span){0}, DIAG_assembly_value, "the text has 4 GiB or more");
    return false;
  }
  assemble_next(&as);
  do read_line(&as);
  while (assemble_next_line(&as));
  if (as.class->close) as.class->close(&as);
  image im = {.isa_major = as.device.machine->isa_major,
              .isa_minor = as.device.machine->isa_minor,
              .compiler = options && options->compiler ? options->compiler : "gnn-as"};
  assemble_lay_out(&as, &im);
  if (as.errors) return false;
  *out = im;
  return true;
}
