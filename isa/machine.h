/* A machine: a kind of device, as far as this room knows it. There is one constant for each row of
 * machines.def, such as toy_machine, in isa/<name>/machine.c; shared code asks only these
 * constants. */
#ifndef GNNC_ISA_MACHINE_H
#define GNNC_ISA_MACHINE_H

#include "isa/device.h"
#include "isa/table.h"

typedef struct image image;                   /* isa/image/image.h */
typedef struct assemble_class assemble_class; /* isa/text/assemble_parts.h */
typedef struct listing_walk listing_walk;     /* isa/text/listing_parts.h */

struct machine {
  const char *name, *summary; /* name for --target, the note of images and messages; summary for "a program for the
                               * <summary>" */
  int32_t isa_major, isa_minor;

  /* The next three members are made by isa/device_table.h. */
  const device_field *fields;
  size_t num_fields, params_bytes;
  const void *fallback; /* the default parameters */
  /* Called after each change of a parameter; `key` is the parameter that changed (NULL: all).
   * Checks what the limits of single parameters do not cover, and may set parameters that depend on
   * others. May be NULL. */
  status (*settle)(device *d, const char *key);

  const isa_table *isa; /* isa/insn_tables.h */
  /* The text of the page isa_<name>.md, from isa/<name>/isa.md.in; @TABLES@ is replaced by the
   * tables. */
  const unsigned char *manual;
  uint32_t sections;        /* bit mask, 1 << IMAGE_*, of the sections that its images may have */
  uint32_t needed_sections; /* those that they must have */
  uint32_t desc_bytes;      /* bytes of a descriptor; 0: it has no .desc */
  /* Checks the program of an image; ELF, note and sections were checked before. NULL: there is
   * nothing else to check. */
  status (*check_image)(const image *im);
  /* Whether instructions [first, end) of .text can run alone; the device is idle before and after.
   * NULL: any range can. */
  status (*check_run)(const image *im, uint64_t first, uint64_t end);
  /* Prints .text, and .desc where there is one; *layers becomes the number of layers, or 0 for a
   * machine without layers. NULL: one line per instruction. */
  status (*print_text)(const listing_walk *w, uint64_t *layers);
  /* Describe the device and the size of the program: "8 PEs of 16 columns", "2 layers, 10
   * instructions". NULL: only the number of instructions is printed. */
  void (*print_device)(const device *d, text *out);
  void (*print_size)(const image *im, text *out);
  /* For --assembly: prints data that directives of the machine define, before its sections; may be
   * NULL. */
  void (*print_data)(const image *im, text *out);
  /* For --assembly: prints the data of a section in directives of the machine, from which the
   * assembler makes the same bytes; false: it printed nothing, and words are printed instead. May be
   * NULL. `kind` is an image_section_kind. */
  bool (*print_section)(const image *im, int kind, text *out);
  /* The largest difference of an output from one computed in f32, relative to max(1, largest value);
   * 0: MACHINE_TOLERANCE_F32. */
  double tolerance;
  const assemble_class *assembler; /* NULL: a program is one instruction per line */
};

/* What the order of sums may change in f32. */
#define MACHINE_TOLERANCE_F32 1e-4
static inline double machine_tolerance(const machine *m) {
  return m->tolerance > 0 ? m->tolerance : MACHINE_TOLERANCE_F32;
}

#define MACHINE(name, summary) extern const machine name##_machine;
#include "isa/machines.def"
#undef MACHINE

/* All machines, in the order of machines.def, ended by NULL; the first is the default. */
extern const machine *const machine_table[];
/* The machine of a name; NULL for an unknown one. *nearest (may be NULL) is then the name most like
 * it, or NULL. */
const machine *machine_find(const char *name, const char **nearest);
static inline const machine *machine_default(void) {
  return machine_table[0];
}

#endif
