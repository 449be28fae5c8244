/* The texts of the pages about instruction sets: the files isa/<machine>/isa.md.in as
 * NUL-terminated arrays, made by cmake/embed.cmake. */
#ifndef GNNC_ISA_MANUALS_H
#define GNNC_ISA_MANUALS_H

#define MACHINE(name, summary) extern const unsigned char isa_manual_##name[];
#include "isa/machines.def"
#undef MACHINE

#endif
