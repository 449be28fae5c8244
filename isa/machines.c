/* The table of machines, from machines.def. A program that defines machine_table itself is linked
 * with its own machines instead (test/machines). */
#include "isa/machine.h"

const machine *const machine_table[] = {
#define MACHINE(name, summary) &name##_machine,
#include "isa/machines.def"
#undef MACHINE
    NULL,
};
