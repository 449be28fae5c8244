/* What the files of the assembler share. Reading collects everything with places and unresolved names; then sections are laid out, names
 * resolved, CSIs made and instructions encoded. */
#ifndef GNNC_ISA_ASSEMBLE_PARTS_H
#define GNNC_ISA_ASSEMBLE_PARTS_H

#include "isa/assemble.h"
#include "isa/image_parts.h"
#include "isa/table.h"
#include "support/map.h"
#include "support/vec.h"

typedef enum assemble_token_kind {
  TOKEN_END, /* of the line */
  TOKEN_WORD,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_SIGN, /* one other character */
} assemble_token_kind;

typedef struct assemble_token {
  assemble_token_kind kind;
  span where;
  const char *text; /* of a string without its quotes */
} assemble_token;

/* A field and the word that was given for it; field NULL: none. */
typedef struct assemble_operand {
  const isa_field_info *field;
  assemble_token word;
} assemble_operand;

/* A number, or a symbol and a number: NULL for none. */
typedef struct assemble_value {
  const char *symbol;
  int64_t number;
  span where;
} assemble_value;

/* A field whose address is known after layout. */
typedef struct assemble_fixup {
  size_t insn;
  const isa_field_info *field;
  assemble_value value;
} assemble_fixup;

typedef struct assemble_insn {
  isa_insn insn;
  span where;
} assemble_insn;

typedef struct assemble_layer {
  span where;
  uint64_t type;
  size_t csi;               /* its place among the instructions */
  size_t blocks;            /* number of tiling blocks */
  size_t first_desc, descs; /* its own table */
  bool has_table;           /* desc=VALUE says where */
  assemble_value table;
} assemble_layer;

typedef struct assemble_section {
  span where;
  bool is_fixed; /* "at" says where */
  bool has_data; /* other than zeros */
  uint64_t address, size;
  VEC(unsigned char) bytes; /* all of the section once it has data */
} assemble_section;

typedef struct assemble_symbol {
  const char *name;
  span where;
  int section;            /* -1: found by the address */
  bool is_listed;         /* by .symbol */
  uint64_t address, size; /* within the section, or of .symbol */
} assemble_symbol;

typedef struct assembler {
  arena *arena;
  diag *diag;
  const source *source;
  bool is_unchecked;
  size_t at; /* of the next token */
  assemble_token token;
  size_t errors;

  device device;
  VEC(float) constants;
  assemble_section sections[IMAGE_SECTIONS];
  int section; /* data goes here; IMAGE_TEXT within layers; -1 before any */
  VEC(assemble_symbol) symbols;
  size_t open_label[IMAGE_SECTIONS]; /* number + 1 of the label that the next one or the end of the section closes */
  map symbol_of;                     /* name -> index + 1; negative where several .symbol lines have the name */
  VEC(assemble_insn) insns;
  assemble_operand
      operands[2]; /* of the VADD that is read: the first that names a Feature Buffer, and an Edge Buffer */
  VEC(assemble_fixup) fixups;
  VEC(assemble_layer) layers;
  VEC(isa_descriptor) descs;
  bool has_layer, has_block; /* that are open */
  span block;
  size_t block_first; /* its first instruction */
} assembler;

/* Tokens (assemble_lex.c). Next within the line; TOKEN_END stays. */
void assemble_next(assembler *as);
/* From wherever to the first token of the next line; false at the end of the text. */
bool assemble_next_line(assembler *as);
bool assemble_is_sign(const assembler *as, char sign);
/* Takes the sign if it is there. */
bool assemble_take_sign(assembler *as, char sign);
/* How a token looks in messages: 'word', "the end of the line". */
const char *assemble_found(const assembler *as);
void assemble_error(assembler *as, span where, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports what stands where `expected` should. */
void assemble_expected(assembler *as, const char *expected);
/* "; did you mean 'x'?" or "". */
const char *assemble_nearest(assembler *as, const char *name, const char *const *names, size_t count);
/* A whole number up to `largest`; reports and is false where there is none. */
bool assemble_read_number(assembler *as, const char *what, uint64_t least, uint64_t largest, uint64_t *out);
bool assemble_read_float(assembler *as, float *out);
/* NUMBER or SYMBOL [+ NUMBER]. */
bool assemble_read_value(assembler *as, const char *what, assemble_value *out);

/* One instruction from its name on (assemble_insn.c); addresses of symbols become fixups of instruction number `index`. False when something was wrong. */
bool assemble_read_insn(assembler *as, size_t index, isa_insn *out);

/* Directives of data (assemble_data.c); the token is behind the directive. False: no directive of that name. */
bool assemble_read_data(assembler *as, const char *directive, span where);
/* LABEL: at the current place. */
void assemble_add_label(assembler *as, const char *name, span where);
/* The size of a section's last label is known at the section's end. */
void assemble_close_label(assembler *as, int section);

/* Layers and blocks (assemble.c): the end of what is open. */
void assemble_close_layer(assembler *as);

/* Places, names, CSIs and words (assemble_layout.c). */
void assemble_lay_out(assembler *as, image *out);

#endif
