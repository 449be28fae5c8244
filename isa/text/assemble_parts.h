/* What the files of the assembler share, with those of machines. Reading a text collects everything
 * with its places and unresolved names; then sections are laid out, names resolved and instructions
 * encoded. */
#ifndef GNNC_ISA_TEXT_ASSEMBLE_PARTS_H
#define GNNC_ISA_TEXT_ASSEMBLE_PARTS_H

#include "isa/image/image_parts.h"
#include "isa/machine.h"
#include "isa/text/assemble.h"
#include "support/map.h"
#include "support/vec.h"

typedef enum assemble_token_kind {
  TOKEN_END, /* the end of the line */
  TOKEN_WORD,
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_SIGN, /* one other character */
} assemble_token_kind;

typedef struct assemble_token {
  assemble_token_kind kind;
  span where;
  const char *text; /* without the quotes of a string */
} assemble_token;

/* A number, or a symbol plus a number; `symbol` is NULL where there is none. */
typedef struct assemble_value {
  const char *symbol;
  int64_t number;
  span where;
} assemble_value;

/* An address field of an instruction whose value is known after layout. */
typedef struct assemble_fixup {
  size_t insn;
  const isa_field_info *field;
  assemble_value value;
} assemble_fixup;

typedef struct assemble_section {
  span where;
  bool is_fixed; /* "at" gives its address */
  bool has_data; /* it has contents other than zeros */
  uint64_t address, size;
  VEC(unsigned char) bytes; /* all bytes of the section, once has_data is set */
} assemble_section;

typedef struct assemble_symbol {
  const char *name;
  span where;
  int section;            /* -1: found by the address */
  bool is_listed;         /* defined by .symbol */
  uint64_t address, size; /* address in the section, or of .symbol */
} assemble_symbol;

enum { ASSEMBLE_MOST_FIELDS = 64 };

typedef struct assembler assembler;

/* The machine's part of the language: directives, and a structure around instructions. Members may
 * be NULL. */
typedef struct assemble_directive {
  const char *name; /* ".layer" */
  void (*read)(assembler *as, span where);
} assemble_directive;

struct assemble_class {
  const assemble_directive *directives;
  size_t num_directives;
  size_t state_bytes; /* of as->state, which is zero at the beginning */
  /* Whether an instruction may be written at all, and whether one is allowed here; false after a
   * message. */
  bool (*takes_name)(assembler *as, const char *name, span where);
  bool (*takes_insn)(assembler *as, span where);
  /* Whether a place ("0x00000010:") may come before an instruction here. */
  bool (*takes_place)(const assembler *as);
  /* The opcode that replaces an instruction with errors, so that the structure after it can be
   * checked; 0xff: none. */
  uint32_t placeholder;
  /* The value of a word that has another meaning in some instructions than in the table. */
  bool (*find_value)(const isa_insn_info *info, const isa_field_info *f, const char *word, uint64_t *out);
  /* Checks operands that do not go together; as->given has their words. */
  void (*check_operands)(assembler *as, const isa_insn_info *info, const void *insn);
  /* Called at a new section and at the end of the text: closes what is open. */
  void (*close)(assembler *as);
  /* Called at the end of the text: adds last instructions, and sets the sizes of sections that the
   * machine makes. */
  void (*measure)(assembler *as);
  /* Called when sections have addresses: completes instructions that need them, and makes the
   * contents of those sections and machine_symbols. */
  void (*fill)(assembler *as, image *out);
  status (*check)(const void *insn, const device *d);
};

struct assembler {
  arena *arena;
  diag *diag;
  const source *source;
  bool is_unchecked, has_program; /* an instruction or a directive other than .machine was read, which must come
                                   * first */
  bool has_device;                /* the caller gave a device, with which .machine must agree */
  size_t at;                      /* position of the next token */
  assemble_token token;
  size_t errors;

  device device;
  const assemble_class *class; /* of the machine; never NULL */
  void *state;                 /* state of the machine's part */
  assemble_section sections[IMAGE_SECTIONS];
  int section; /* the section of data; IMAGE_TEXT within layers; -1 before the first section */
  VEC(assemble_symbol) symbols;
  size_t open_label[IMAGE_SECTIONS]; /* number + 1 of the label whose size the next label or the end of the section
                                      * decides */
  map symbol_of;                     /* from a name to its index + 1; negative where several .symbol lines have the
                                      * name */
  VEC(uint64_t) insns;               /* structs of instructions, one after the other */
  VEC(span) places;                  /* of instructions */
  assemble_token given[ASSEMBLE_MOST_FIELDS]; /* the words of the fields of the current instruction */
  VEC(assemble_fixup) fixups;
  VEC(image_symbol) machine_symbols; /* they come before those of labels */
};

static inline const isa_table *assemble_isa(const assembler *as) {
  return as->device.machine->isa;
}

/* The struct of instruction number i. */
static inline void *assemble_insn_at(const assembler *as, size_t i) {
  return &as->insns.items[i * assemble_isa(as)->struct_bytes / sizeof(uint64_t)];
}

/* Tokens (assemble_lex.c). Moves to the next token of the line; TOKEN_END stays. */
void assemble_next(assembler *as);
/* Moves from any token to the first token of the next line; false at the end of the text. */
bool assemble_next_line(assembler *as);
bool assemble_is_sign(const assembler *as, char sign);
/* If the current token is the sign, skips it and returns true. */
bool assemble_take_sign(assembler *as, char sign);
/* The current token for messages: 'word', "the end of the line". */
const char *assemble_found(const assembler *as);
void assemble_error(assembler *as, span where, diag_id id, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports that the current token is not what is expected. */
void assemble_expected(assembler *as, const char *expected);
/* "; did you mean 'x'?", or "" where no name is near. */
const char *assemble_nearest(assembler *as, const char *name, const char *const *names, size_t count);
/* Reads a whole number from `least` to `largest`; reports an error and returns false otherwise. */
bool assemble_read_number(assembler *as, const char *what, uint64_t least, uint64_t largest, uint64_t *out);
/* Reads a number, "inf", "nan", or all bits of a number: "bits:0x7fc00001". */
bool assemble_read_float(assembler *as, float *out);
/* Reads NUMBER or SYMBOL [+ NUMBER]. */
bool assemble_read_value(assembler *as, const char *what, assemble_value *out);

/* Reads one instruction from its name on (assemble_insn.c); addresses of symbols become fixups of
 * instruction number `index`. False after an error was reported. */
bool assemble_read_insn(assembler *as, size_t index, void *out);
void assemble_push_insn(assembler *as, const void *insn, span where);

/* Reads a directive of data, whose name was read (assemble_data.c). False: there is no directive of
 * that name. */
bool assemble_read_data(assembler *as, const char *directive, span where);
/* Adds a label at the current place. */
void assemble_add_label(assembler *as, const char *name, span where);
/* Sets the size of a section's last label, which the end of the section decides. */
void assemble_close_label(assembler *as, int section);

/* The section that takes `more` bytes of data here; NULL after a message that data is not allowed
 * here. */
assemble_section *assemble_data_section(assembler *as, span where, size_t more);
/* Appends a word of 32 bits, little endian, to a section with data. */
void assemble_add_word(assembler *as, assemble_section *s, uint32_t word);
void assemble_add_float(assembler *as, assemble_section *s, float value);

/* Assigns places, resolves names and encodes instructions (assemble_layout.c). */
void assemble_lay_out(assembler *as, image *out);
/* Converts a value from bytes to units of a field, for the machine's `fill`; false after an error
 * was reported. */
bool assemble_resolve(assembler *as, const assemble_value *v, const char *what, uint64_t unit, uint64_t largest,
                      uint64_t *out);

/* The class of machines without one of their own. */
extern const assemble_class assemble_plain;

#endif
