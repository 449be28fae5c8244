/* What the files of the assembler share, those of machines included. Reading collects everything
 * with places and unresolved names; then sections are laid out, names resolved and instructions
 * encoded. */
#ifndef GNNC_ISA_TEXT_ASSEMBLE_PARTS_H
#define GNNC_ISA_TEXT_ASSEMBLE_PARTS_H

#include "isa/image/image_parts.h"
#include "isa/machine.h"
#include "isa/text/assemble.h"
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

enum { ASSEMBLE_MOST_FIELDS = 64 };

typedef struct assembler assembler;

/* What a machine adds to the language: directives, and structure around instructions. Members may
 * be NULL. */
typedef struct assemble_directive {
  const char *name; /* ".layer" */
  void (*read)(assembler *as, span where);
} assemble_directive;

struct assemble_class {
  const assemble_directive *directives;
  size_t num_directives;
  size_t state_bytes; /* of as->state, zeros at the beginning */
  /* Whether an instruction may be written at all, and whether one may stand here: false after a
   * message. */
  bool (*takes_name)(assembler *as, const char *name, span where);
  bool (*takes_insn)(assembler *as, span where);
  /* Whether a place ("0x00000010:") may stand before an instruction here. */
  bool (*takes_place)(const assembler *as);
  /* What stands for an instruction with errors, so that structure is checked behind it; 0xff:
   * nothing. */
  uint32_t placeholder;
  /* A word that names no value of a field's kind, but stands for one. */
  bool (*find_value)(const isa_insn_info *info, const isa_field_info *f, const char *word, uint64_t *out);
  /* Operands that do not go together; as->given has the words. */
  void (*check_operands)(assembler *as, const isa_insn_info *info, const void *insn);
  /* At a new section and at the end: what is open is closed. */
  void (*close)(assembler *as);
  /* At the end of the text: last instructions, and sizes of sections that the machine makes. */
  void (*measure)(assembler *as);
  /* When sections have addresses: instructions that need them, contents of those sections, and
   * machine_symbols. */
  void (*fill)(assembler *as, image *out);
  status (*check)(const void *insn, const device *d);
};

struct assembler {
  arena *arena;
  diag *diag;
  const source *source;
  bool is_unchecked, has_program; /* .machine comes before anything else */
  bool has_device;                /* from the caller; .machine must agree with it */
  size_t at;                      /* of the next token */
  assemble_token token;
  size_t errors;

  device device;
  const assemble_class *class; /* the machine's; never NULL */
  void *state;                 /* the machine's */
  assemble_section sections[IMAGE_SECTIONS];
  int section; /* data goes here; IMAGE_TEXT within layers; -1 before any */
  VEC(assemble_symbol) symbols;
  size_t open_label[IMAGE_SECTIONS]; /* number + 1 of the label that the next one or the end of the section closes */
  map symbol_of;                     /* name -> index + 1; negative where several .symbol lines have the name */
  VEC(uint64_t) insns;               /* structs one after the other */
  VEC(span) places;                  /* of instructions */
  assemble_token given[ASSEMBLE_MOST_FIELDS]; /* the word given for each field of the instruction that is read */
  VEC(assemble_fixup) fixups;
  VEC(image_symbol) machine_symbols; /* come before those of labels */
};

static inline const isa_table *assemble_isa(const assembler *as) {
  return as->device.machine->isa;
}

/* The struct of instruction number i. */
static inline void *assemble_insn_at(const assembler *as, size_t i) {
  return &as->insns.items[i * assemble_isa(as)->struct_bytes / sizeof(uint64_t)];
}

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

/* One instruction from its name on (assemble_insn.c); addresses of symbols become fixups of
 * instruction number `index`. False when something was wrong. */
bool assemble_read_insn(assembler *as, size_t index, void *out);
void assemble_push_insn(assembler *as, const void *insn, span where);

/* Directives of data (assemble_data.c); the token is behind the directive. False: no directive of
 * that name. */
bool assemble_read_data(assembler *as, const char *directive, span where);
/* LABEL: at the current place. */
void assemble_add_label(assembler *as, const char *name, span where);
/* The size of a section's last label is known at the section's end. */
void assemble_close_label(assembler *as, int section);

/* Whether data may stand here, and the section that takes `more` bytes of it; NULL after a
 * message. */
assemble_section *assemble_data_section(assembler *as, span where, size_t more);
/* A word of 32 bits, little endian, at the end of a section with data. */
void assemble_add_word(assembler *as, assemble_section *s, uint32_t word);
void assemble_add_float(assembler *as, assemble_section *s, float value);

/* Places, names and words (assemble_layout.c). */
void assemble_lay_out(assembler *as, image *out);
/* A value in units of a field, from bytes; false when it was reported. For the machine's `fill`. */
bool assemble_resolve(assembler *as, const assemble_value *v, const char *what, uint64_t unit, uint64_t largest,
                      uint64_t *out);

/* What a machine without a class of its own has. */
extern const assemble_class assemble_plain;

#endif
