/* The overlay's part of the assembler: constants, edge records, descriptors, and Layer Blocks of
 * tiling blocks. The assembler makes the CSIs and HALT itself. */
#include "isa/graphagile/assemble.h"

#include "isa/graphagile/graphagile.h"

#include <string.h>

typedef struct layer {
  span where;
  uint64_t type;
  size_t csi;               /* index of its CSI among the instructions */
  size_t blocks;            /* number of tiling blocks */
  size_t first_desc, descs; /* the descriptors of its own table */
  bool has_table;           /* attribute desc=VALUE names the table */
  assemble_value table;
} layer;

typedef struct state {
  VEC(float) constants; /* without the first one, which is 1 */
  VEC(layer) layers;
  VEC(graphagile_descriptor) descs;
  bool has_layer, has_block; /* whether a layer, or a block, is open */
  span block;
  size_t block_first; /* index of its first instruction */
} state;

static state *state_of(const assembler *as) {
  return as->state;
}

static graphagile_insn *insn_at(const assembler *as, size_t i) {
  return assemble_insn_at(as, i);
}

/* ---- data ---- */

/* Reads .constant X, Y ... */
static void read_constants(assembler *as, span where) {
  do {
    float value;
    if (!assemble_read_float(as, &value)) return;
    if (state_of(as)->constants.count + 1 == IMAGE_MOST_CONSTANTS) {
      assemble_error(as, where, DIAG_assembly_value, "more than %d constants", IMAGE_MOST_CONSTANTS);
      return;
    }
    VEC_PUSH(as->arena, &state_of(as)->constants, value);
    assemble_take_sign(as, ',');
  } while (as->token.kind != TOKEN_END);
}

/* Reads .edge [RELATION] SOURCE DESTINATION [WEIGHT], which is one record. All records of a
 * relation are one symbol. */
static void read_edge(assembler *as, span where) {
  uint64_t ends[2];
  float weight = 1;
  assemble_token relation = as->token;
  bool has_relation = relation.kind == TOKEN_WORD || relation.kind == TOKEN_STRING;
  if (has_relation) assemble_next(as);
  assemble_take_sign(as, ',');
  for (int i = 0; i < 2; i++) {
    if (!assemble_read_number(as, i ? "the destination" : "the source", 0, UINT32_MAX, &ends[i])) return;
    assemble_take_sign(as, ',');
  }
  if (as->token.kind != TOKEN_END && !assemble_read_float(as, &weight)) return;
  if (as->section != IMAGE_EDGES) {
    assemble_error(as, where, DIAG_assembly_structure, "an edge outside of .section edges");
    return;
  }
  assemble_section *s = assemble_data_section(as, where, GRAPHAGILE_RECORD_BYTES);
  if (!s) return;
  size_t open = as->open_label[IMAGE_EDGES];
  if (has_relation && !(open && strcmp(as->symbols.items[open - 1].name, relation.text) == 0))
    assemble_add_label(as, relation.text, relation.where);
  assemble_add_word(as, s, (uint32_t)ends[0]);
  assemble_add_word(as, s, (uint32_t)ends[1]);
  assemble_add_float(as, s, weight);
}

static void push(assembler *as, graphagile_insn insn, span where) {
  isa_any any = {0};
  isa_clear(&graphagile_isa, isa_find(&graphagile_isa, insn.op), &any);
  assemble_push_insn(as, &any, where);
}

/* ---- layers and blocks ---- */

/* Sets eot in the last instruction of a block; no other instruction may have it. */
static void close_block(assembler *as) {
  state *s = state_of(as);
  size_t end = as->places.count;
  if (!s->has_block) return;
  s->has_block = false;
  if (s->block_first == end) {
    assemble_error(as, s->block, DIAG_assembly_structure, "a block without an instruction, expected at least a nop");
    return;
  }
  for (size_t i = s->block_first; i + 1 < end; i++)
    if (graphagile_is_eot(insn_at(as, i)))
      assemble_error(as, as->places.items[i], DIAG_assembly_structure,
                     "'eot' in the middle of a block, expected on its last instruction alone");
  graphagile_insn *last = insn_at(as, end - 1);
  const isa_field_info *eot = isa_find_field(isa_find(&graphagile_isa, last->op), "eot");
  if (eot)
    isa_field_set(last, eot, 1);
  else
    assemble_error(as, as->places.items[end - 1], DIAG_assembly_structure,
                   "a block ends in '%s', which cannot have eot", graphagile_insn_name(last->op));
}

static void close_layer(assembler *as) {
  close_block(as);
  state_of(as)->has_layer = false;
}

/* Reads [desc=ADDRESS]. */
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

/* Reads .layer TYPE [desc=ADDRESS]. */
static void read_layer(assembler *as, span where) {
  const char *names[GRAPHAGILE_COUNT_LAYER];
  uint64_t type = GRAPHAGILE_COUNT_LAYER;
  close_layer(as);
  for (uint64_t i = 0; i < GRAPHAGILE_COUNT_LAYER; i++) {
    names[i] = graphagile_value_name(GRAPHAGILE_VALUES_LAYER, i);
    if (as->token.kind == TOKEN_WORD && strcmp(names[i], as->token.text) == 0) type = i;
  }
  as->section = -1;
  state_of(as)->has_layer = true; /* also for an unknown type, so that the layer's blocks cause no further errors */
  if (type == GRAPHAGILE_COUNT_LAYER) {
    assemble_error(as, as->token.where, DIAG_assembly_name,
                   "found %s, expected the type of the layer: gemm, spdmm, sddmm, vadd or post%s", assemble_found(as),
                   assemble_nearest(as, as->token.text, names, GRAPHAGILE_COUNT_LAYER));
    type = 0;
  }
  if (as->token.kind != TOKEN_END) assemble_next(as);
  layer made = {.where = where, .type = type, .csi = as->places.count, .first_desc = state_of(as)->descs.count};
  made.has_table = read_table(as, &made.table);
  VEC_PUSH(as->arena, &state_of(as)->layers, made);
  push(as, (graphagile_insn){.op = GRAPHAGILE_OP_csi}, where);
}

static bool has_layer(assembler *as, span where, const char *what) {
  if (!state_of(as)->has_layer)
    assemble_error(as, where, DIAG_assembly_structure, "%s outside of a layer, expected .layer TYPE before it", what);
  return state_of(as)->has_layer;
}

static void read_block(assembler *as, span where) {
  close_block(as);
  if (!has_layer(as, where, ".block")) return;
  state_of(as)->has_block = true;
  state_of(as)->block = where;
  state_of(as)->block_first = as->places.count;
  state_of(as)->layers.items[state_of(as)->layers.count - 1].blocks++;
}

/* Reads the words after a descriptor's numbers. */
static void read_desc_flags(assembler *as, graphagile_descriptor *d) {
  while (as->token.kind == TOKEN_WORD) {
    bool *flag = !strcmp(as->token.text, "second") ? &d->second : !strcmp(as->token.text, "reuse") ? &d->reuse : NULL;
    if (!flag) return;
    *flag = true;
    assemble_next(as);
    assemble_take_sign(as, ',');
  }
}

/* Reads .desc FIRST_EDGE, NUM_EDGES, SRC_ROW, SRC_ROWS[, second][, reuse]. */
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
    layer *last = &state_of(as)->layers.items[state_of(as)->layers.count - 1];
    if (last->has_table)
      assemble_error(as, where, DIAG_assembly_structure,
                     "a descriptor in a layer that has desc=ADDRESS, expected it in .section desc");
    last->descs++;
  }
  graphagile_descriptor d = {.first_edge = (uint32_t)n[0], .num_edges = (uint32_t)n[1], .src_row = (uint32_t)n[2]};
  d.src_rows = (uint32_t)n[3];
  read_desc_flags(as, &d);
  VEC_PUSH(as->arena, &state_of(as)->descs, d);
  as->sections[IMAGE_DESC].size += GRAPHAGILE_DESCRIPTOR_BYTES;
}

/* ---- instructions ---- */

/* The value of an Edge Buffer's name in a field of Feature Buffers, as VADD on edges has it. */
static bool find_value(const isa_insn_info *info, const isa_field_info *f, const char *word, uint64_t *out) {
  return info->op == GRAPHAGILE_OP_vadd && f->kind == GRAPHAGILE_VALUES_FBUF &&
         isa_find_value(&graphagile_isa, GRAPHAGILE_VALUES_EBUF, word, out);
}

/* Checks the buffers of a VADD: they must be Edge Buffers exactly if on_edges is set. The names of
 * both kinds stand for the same numbers, so the words are compared. Reports the first word of the
 * wrong kind, but not F2, which the check of the device refuses. */
static void check_operands(assembler *as, const isa_insn_info *info, const void *insn) {
  const graphagile_insn *in = insn;
  const assemble_token *wrong = NULL;
  const char *name = NULL;
  if (in->op != GRAPHAGILE_OP_vadd) return;
  for (size_t i = 0; i < info->count; i++) {
    const assemble_token *word = &as->given[i];
    if (info->fields[i].kind != GRAPHAGILE_VALUES_FBUF || !word->text || (word->text[0] == 'E') == in->vadd.on_edges)
      continue;
    if (isa_field_get(in, &info->fields[i]) >= GRAPHAGILE_COUNT_EBUF) continue;
    if (wrong && wrong->where.begin < word->where.begin) continue;
    wrong = word;
    name = info->fields[i].name;
  }
  if (wrong)
    assemble_error(as, wrong->where, DIAG_assembly_syntax, "'%s' is %s, expected %s", name, wrong->text,
                   in->vadd.on_edges ? "an Edge Buffer with on_edges" : "a Feature Buffer without on_edges");
}

static bool takes_name(assembler *as, const char *name, span where) {
  if (strcmp(name, "csi") != 0 && strcmp(name, "halt") != 0) return true;
  assemble_error(as, where, DIAG_assembly_structure, "'%s' is made from %s, expected another instruction", name,
                 name[0] == 'c' ? ".layer" : "the end of the text");
  return false;
}

static bool takes_insn(assembler *as, span where) {
  if (state_of(as)->has_block) return true;
  assemble_error(as, where, DIAG_assembly_structure, "an instruction outside of a block, expected .block before it");
  return false;
}

static bool takes_place(const assembler *as) {
  return state_of(as)->has_block;
}

/* ---- the whole program ---- */

static void measure(assembler *as) {
  const state *s = state_of(as);
  push(as, (graphagile_insn){.op = GRAPHAGILE_OP_halt}, (span){0});
  as->sections[IMAGE_DESC].size = s->descs.count * GRAPHAGILE_DESCRIPTOR_BYTES;
  as->sections[IMAGE_CONSTANTS].size = (s->constants.count + 1) * sizeof(float);
}

static uint64_t find_table(assembler *as, const layer *of) {
  uint64_t value = 0;
  if (of->has_table)
    assemble_resolve(as, &of->table, "desc", GRAPHAGILE_DESCRIPTOR_BYTES, UINT32_MAX, &value);
  else if (of->descs)
    value = as->sections[IMAGE_DESC].address / GRAPHAGILE_DESCRIPTOR_BYTES + of->first_desc;
  return value;
}

static void make_csis(assembler *as) {
  uint64_t begin = as->sections[IMAGE_TEXT].address / GRAPHAGILE_INSN_BYTES;
  for (size_t i = 0; i < state_of(as)->layers.count; i++) {
    const layer *at = &state_of(as)->layers.items[i];
    insn_at(as, at->csi)->csi = (graphagile_csi){.layer_type = at->type,
                                                 .layer_id = i,
                                                 .num_blocks = at->blocks,
                                                 .last_layer = i + 1 == state_of(as)->layers.count,
                                                 .tb_base = begin + at->csi + 1,
                                                 .desc_base = find_table(as, at)};
  }
}

static const unsigned char *encode_descs(assembler *as) {
  unsigned char *bytes = arena_alloc_array(as->arena, state_of(as)->descs.count + 1, GRAPHAGILE_DESCRIPTOR_BYTES);
  for (size_t i = 0; i < state_of(as)->descs.count; i++)
    graphagile_descriptor_encode(&state_of(as)->descs.items[i], bytes + i * GRAPHAGILE_DESCRIPTOR_BYTES);
  return bytes;
}

static const unsigned char *encode_constants(assembler *as) {
  const state *s = state_of(as);
  float *table = arena_alloc_array(as->arena, s->constants.count + 1, sizeof *table);
  table[0] = 1;
  if (s->constants.count) memcpy(table + 1, s->constants.items, s->constants.count * sizeof *table);
  return (const unsigned char *)table;
}

static void add_symbol(assembler *as, image_symbol symbol) {
  VEC_PUSH(as->arena, &as->machine_symbols, symbol);
}

/* Adds a symbol for each layer in .text and for each layer's own table in .desc. */
static void add_symbols(assembler *as) {
  const state *s = state_of(as);
  for (size_t i = 0; i < s->layers.count; i++) {
    const layer *at = &s->layers.items[i];
    size_t end = i + 1 < s->layers.count ? s->layers.items[i + 1].csi : as->places.count - 1;
    add_symbol(as, (image_symbol){arena_printf(as->arena, "layer %zu", i), IMAGE_TEXT,
                                  as->sections[IMAGE_TEXT].address + at->csi * GRAPHAGILE_INSN_BYTES,
                                  (end - at->csi) * GRAPHAGILE_INSN_BYTES});
  }
  for (size_t i = 0; i < s->layers.count; i++) {
    const layer *at = &s->layers.items[i];
    if (at->descs)
      add_symbol(as, (image_symbol){arena_printf(as->arena, "layer %zu", i), IMAGE_DESC,
                                    as->sections[IMAGE_DESC].address + at->first_desc * GRAPHAGILE_DESCRIPTOR_BYTES,
                                    at->descs * GRAPHAGILE_DESCRIPTOR_BYTES});
  }
}

static void fill(assembler *as, image *out) {
  make_csis(as);
  add_symbols(as);
  out->sections[IMAGE_DESC].data = state_of(as)->descs.count ? encode_descs(as) : NULL;
  out->sections[IMAGE_CONSTANTS].data = encode_constants(as);
}

static status check(const void *insn, const device *d) {
  return graphagile_check(insn, &d->graphagile);
}

static const assemble_directive directives[] = {{".constant", read_constants},
                                                {".edge", read_edge},
                                                {".layer", read_layer},
                                                {".block", read_block},
                                                {".desc", read_desc}};

const assemble_class graphagile_assembler = {.directives = directives,
                                             .num_directives = sizeof directives / sizeof *directives,
                                             .state_bytes = sizeof(state),
                                             .takes_name = takes_name,
                                             .takes_insn = takes_insn,
                                             .takes_place = takes_place,
                                             .placeholder = GRAPHAGILE_OP_nop,
                                             .find_value = find_value,
                                             .check_operands = check_operands,
                                             .close = close_layer,
                                             .measure = measure,
                                             .fill = fill,
                                             .check = check};
