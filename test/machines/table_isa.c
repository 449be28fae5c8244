/* isa/machines.c with the machines of the tests. A program that links this file does not take
 * the table of the library. */
#include "isa/machine.h"

#define MACHINE(name) extern const machine name##_machine;
#include "machines.def"

const machine *const machine_table[] = {
#define MACHINE(name, summary) &name##_machine,
#include "isa/machines.def"
#undef MACHINE
#define MACHINE(name) &name##_machine,
#include "machines.def"
    NULL,
};
