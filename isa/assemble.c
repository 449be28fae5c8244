/* The assembler: lines of labels, directives and instructions; layers and their tiling blocks. */
#include "isa/assemble_parts.h"

#include <string.h>

static const char *const directives[] = {".device", ".constant", ".section", ".layer", ".block", ".desc",
                                         ".edge",   ".f32",      ".u32",     ".zero",  ".align", ".symbol"};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

/* What stands between '=' and the next comma or blank. */
static const char *raw_value(assembler *as) {
  if (as->token.kind == TOKEN_STRING) return as->token.text;
  size_t begin = as->token.where.begin, end = begin;
  while (end < as->source->size && !strchr(" \t\r\n,;#", as->source->text[end])) end++;
  as->at = end;
  as->token.where.end = (uint32_t)end;
  return arena_strndup(as->arena, as->source->text + begin, end - begin);
}

/* .device KEY=VALUE, KEY=VALUE ... */
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

static void read_constants(assembler *as, span where) {
  do {
    float value;
    if (!assemble_read_float(as, &value)) return;
    if (as->constants.count == IMAGE_MOST_CONSTANTS) {
      assemble_error(as, where, DIAG_assembly_value, "more than %d constants", IMAGE_MOST_CONSTANTS);
      return;
    }
    VEC_PUSH(as->arena, &as->constants, value);
    assemble_take_sign(as, ',');
  } while (as->token.kind != TOKEN_END);
}

/* The last instruction of a block gets eot; no other may have it. */
static void close_block(assembler *as) {
  if (!as->has_block) return;
  as->has_block = false;
  if (as->block_first == as->insns.count) {
    assemble_error(as, as->block, DIAG_assembly_structure, "a block without an instruction, expected at least a nop");
    return;
  }
  for (size_t i = as->block_first; i + 1 < as->insns.count; i++)
    if (isa_is_eot(&as->insns.items[i].insn))
      assemble_error(as, as->insns.items[i].where, DIAG_assembly_structure,
                     "'eot' in the middle of a block, expected on its last instruction alone");
  assemble_insn *last = &as->insns.items[as->insns.count - 1];
  const isa_field_info *eot = isa_table_field(isa_table_find(last->insn.op), "eot");
  if (eot)
    isa_field_set(&last->insn, eot, 1);
  else
    assemble_error(as, last->where, DIAG_assembly_structure, "a block ends in '%s', which cannot have eot",
                   isa_name(last->insn.op));
}

void assemble_close_layer(assembler *as) {
  close_block(as);
  as->has_layer = false;
}

/* [desc=ADDRESS] */
static bool read_table(assembler *as, assemble_value *out) {
  if (as->token.kind == TOKEN_END) return false;
  if (as->token.kind == TOKEN_WORD && strcmp(as->token.text, "desc") == 0) {
    assemble_next(as);
    if (assemble_take_sign(as, '=')) return assemble_read_value(as, "the address of the layer's descriptors", out);
  }
  assemble_expected(as, "desc=ADDRESS, or the end of the line");
  as->token.kind = TOKEN_END;
  return false;
}

/* .layer TYPE [desc=ADDRESS] */
static void read_layer(assembler *as, span where) {
  const char *names[ISA_COUNT_LAYER];
  uint64_t type = ISA_COUNT_LAYER;
  assemble_close_layer(as);
  for (uint64_t i = 0; i < ISA_COUNT_LAYER; i++) {
    names[i] = isa_value_name(ISA_VALUES_LAYER, i);
    if (as->token.kind == TOKEN_WORD && strcmp(names[i], as->token.text) == 0) type = i;
  }
  as->section = -1;
  as->has_layer = true; /* also an unknown one, so that its blocks are no errors */
  if (type == ISA_COUNT_LAYER) {
    assemble_error(as, as->token.where, DIAG_assembly_name,
                   "found %s, expected the type of the layer: gemm, spdmm, sddmm, vadd or post%s", assemble_found(as),
                   assemble_nearest(as, as->token.text, names, ISA_COUNT_LAYER));
    type = 0;
  }
  if (as->token.kind != TOKEN_END) assemble_next(as);
  assemble_layer layer = {.where = where, .type = type, .csi = as->insns.count, .first_desc = as->descs.count};
  layer.has_table = read_table(as, &layer.table);
  VEC_PUSH(as->arena, &as->layers, layer);
  VEC_PUSH(as->arena, &as->insns, (assemble_insn){.insn = {.op = ISA_OP_csi}, .where = where});
}

static bool has_layer(assembler *as, span where, const char *what) {
  if (!as->has_layer)
    assemble_error(as, where, DIAG_assembly_structure, "%s outside of a layer, expected .layer TYPE before it", what);
  return as->has_layer;
}

static void read_block(assembler *as, span where) {
  close_block(as);
  if (!has_layer(as, where, ".block")) return;
  as->has_block = true;
  as->block = where;
  as->block_first = as->insns.count;
  as->layers.items[as->layers.count - 1].blocks++;
}

/* Words behind a descriptor's numbers. */
static void read_desc_flags(assembler *as, isa_descriptor *d) {
  while (as->token.kind == TOKEN_WORD) {
    bool *flag = !strcmp(as->token.text, "second") ? &d->second : !strcmp(as->token.text, "reuse") ? &d->reuse : NULL;
    if (!flag) return;
    *flag = true;
    assemble_next(as);
    assemble_take_sign(as, ',');
  }
}

/* .desc FIRST_EDGE, NUM_EDGES, SRC_ROW, SRC_ROWS[, second][, reuse] */
static void read_desc(assembler *as, span where) {
  static const struct {
    const char *name;
    uint64_t least, largest;
  } fields[] = {
      {"first_edge", 0, UINT32_MAX}, {"num_edges", 0, 65536}, {"src_row", 0, UINT32_MAX}, {"src_rows", 1, 16384}};
  uint64_t n[4] = {0};
  for (int i = 0; i < 4; i++) {
    if (!assemble_read_number(as, fields[i].name, fields[i].least, fields[i].largest, &n[i])) return;
    assemble_take_sign(as, ',');
  }
  if (as->section != IMAGE_DESC) {
    if (!has_layer(as, where, ".desc")) return;
    assemble_layer *layer = &as->layers.items[as->layers.count - 1];
    if (layer->has_table)
      assemble_error(as, where, DIAG_assembly_structure,
                     "a descriptor in a layer that has desc=ADDRESS, expected it in .section desc");
    layer->descs++;
  }
  isa_descriptor d = {.first_edge = (uint32_t)n[0], .num_edges = (uint32_t)n[1], .src_row = (uint32_t)n[2]};
  d.src_rows = (uint32_t)n[3];
  read_desc_flags(as, &d);
  VEC_PUSH(as->arena, &as->descs, d);
  as->sections[IMAGE_DESC].size += ISA_DESCRIPTOR_BYTES;
}

static void read_instruction(assembler *as) {
  span where = as->token.where;
  isa_insn insn;
  if (strcmp(as->token.text, "csi") == 0 || strcmp(as->token.text, "halt") == 0) {
    assemble_error(as, where, DIAG_assembly_structure, "'%s' is made from %s, expected another instruction",
                   as->token.text, as->token.text[0] == 'c' ? ".layer" : "the end of the text");
    as->token.kind = TOKEN_END;
    return;
  }
  /* A wrong one holds its place, so that its block is not empty. */
  size_t fixups = as->fixups.count;
  if (!assemble_read_insn(as, as->insns.count, &insn)) {
    insn = (isa_insn){.op = ISA_OP_nop};
    as->fixups.count = fixups;
  }
  as->token.kind = TOKEN_END;
  if (!as->has_block) {
    assemble_error(as, where, DIAG_assembly_structure, "an instruction outside of a block, expected .block before it");
    as->fixups.count = fixups;
    return;
  }
  VEC_PUSH(as->arena, &as->insns, (assemble_insn){insn, where});
}

static void read_directive(assembler *as) {
  assemble_token name = as->token;
  assemble_next(as);
  if (strcmp(name.text, ".device") == 0)
    read_device(as);
  else if (strcmp(name.text, ".constant") == 0)
    read_constants(as, name.where);
  else if (strcmp(name.text, ".layer") == 0)
    read_layer(as, name.where);
  else if (strcmp(name.text, ".block") == 0)
    read_block(as, name.where);
  else if (strcmp(name.text, ".desc") == 0)
    read_desc(as, name.where);
  else if (!assemble_read_data(as, name.text, name.where)) {
    assemble_error(as, name.where, DIAG_assembly_name, "no directive is called '%s'%s", name.text,
                   assemble_nearest(as, name.text, directives, DIRECTIVES));
    as->token.kind = TOKEN_END;
  }
}

/* Listings have "0x00000010:" before each instruction; it says where the instruction was, not where it goes. */
static void skip_place(assembler *as) {
  size_t at = as->at;
  assemble_token first = as->token;
  if (first.kind != TOKEN_NUMBER) return;
  assemble_next(as);
  if (assemble_take_sign(as, ':') && as->has_block) return;
  as->at = at;
  as->token = first;
}

/* [LABEL:] [DIRECTIVE or INSTRUCTION] */
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
  if (as->token.kind == TOKEN_WORD && as->token.text[0] == '.')
    read_directive(as);
  else if (as->token.kind == TOKEN_WORD)
    read_instruction(as);
  else if (as->token.kind != TOKEN_END)
    assemble_expected(as, "a label, a directive or an instruction");
  if (as->token.kind != TOKEN_END && errors == as->errors) assemble_expected(as, "the end of the line");
}

bool assemble_program(arena *a, const source *words, const assemble_options *options, diag *d, image *out) {
  assembler as = {.arena = a,
                  .diag = d,
                  .source = words,
                  .is_unchecked = options && options->is_unchecked,
                  .section = -1,
                  .symbol_of = {.arena = a, .of_strings = true}};
  image im = {.isa_major = ISA_MAJOR,
              .isa_minor = ISA_MINOR,
              .compiler = options && options->compiler ? options->compiler : "gnn-as"};
  device_default(&as.device);
  if (options && options->device) as.device = *options->device;
  VEC_PUSH(a, &as.constants, 1.0f);
  if (words->size >= UINT32_MAX) {
    assemble_error(&as, (span){0}, DIAG_assembly_value, "the text has 4 GiB or more");
    return false;
  }
  assemble_next(&as);
  do read_line(&as);
  while (assemble_next_line(&as));
  assemble_close_layer(&as);
  assemble_lay_out(&as, &im);
  if (as.errors) return false;
  *out = im;
  return true;
}
