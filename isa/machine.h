/* Machines: what this room knows of each kind of device. One constant per row of machines.def,
 * toy_machine, in isa/<name>/machine.c; nothing else asks which machine it is. */
#ifndef GNNC_ISA_MACHINE_H
#define GNNC_ISA_MACHINE_H

#include "isa/device.h"
#include "isa/table.h"

typedef struct image image;                   /* isa/image/image.h */
typedef struct assemble_class assemble_class; /* isa/text/assemble_parts.h */
typedef struct listing_walk listing_walk;     /* isa/text/listing_parts.h */

struct machine {
  const char *name, *summary; /* --target, note of images, messages; "a program for the <summary>" */
  int32_t isa_major, isa_minor;

  /* isa/device_table.h makes these. */
  const device_field *fields;
  size_t num_fields, params_bytes;
  const void *fallback; /* default parameters */
  /* What limits of single parameters do not say, after each change; `key` is what changed (NULL:
   * all). May set what follows from it. May be NULL. */
  status (*settle)(device *d, const char *key);

  const isa_table *isa; /* isa/insn_tables.h */
  /* Prose of its page isa_<name>.md, from isa/<name>/isa.md.in; @TABLES@ stands for what the tables
   * say. */
  const unsigned char *manual;
  uint32_t sections;        /* bits 1 << IMAGE_*: what its images may have, in DDR and not */
  uint32_t needed_sections; /* what they must have */
  uint32_t desc_bytes;      /* unit of .desc; 0: it has none */
  /* The program: all but ELF, note and what holds for sections of any machine. NULL: nothing
   * more. */
  status (*check_image)(const image *im);
  /* Whether records [first, end) of .text can be run alone; the device is idle before and after.
   * NULL: any can. */
  status (*check_run)(const image *im, uint64_t first, uint64_t end);
  /* The listing of .text, and of .desc where there is one; *layers is how many there are (0: no
   * such thing). NULL: a line per instruction. */
  status (*print_text)(const listing_walk *w, uint64_t *layers);
  /* What the device is, and how large the program, in a few words each: "8 PEs of 16 columns", "2
   * layers, 10 instructions". NULL: the number of instructions alone. */
  void (*print_device)(const device *d, text *out);
  void (*print_size)(const image *im, text *out);
  /* Data that --assembly writes by directives of the machine, before its sections; may be NULL. */
  void (*print_data)(const image *im, text *out);
  const assemble_class *assembler; /* NULL: a line per instruction */
};

#define MACHINE(name, summary) extern const machine name##_machine;
#include "isa/machines.def"
#undef MACHINE

/* All machines, in the order of machines.def, ended by NULL; the first is the default. */
extern const machine *const machine_table[];
/* NULL for an unknown name; *nearest (may be NULL) is then one like it, or NULL. */
const machine *machine_find(const char *name, const char **nearest);
static inline const machine *machine_default(void) {
  return machine_table[0];
}

#endif
