/* The table of simulators, from isa/machines.def. */
#include "sim/sim_class.h"

const sim_class *const sim_class_table[] = {
#define MACHINE(name, summary) &name##_sim,
#include "isa/machines.def"
#undef MACHINE
    NULL,
};
