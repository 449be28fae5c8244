/* The table of sim/sim_classes.c with the machines of the tests. */
#include "sim/sim_class.h"

#define MACHINE(name) extern const sim_class name##_sim;
#include "machines.def"

const sim_class *const sim_class_table[] = {
#define MACHINE(name, summary) &name##_sim,
#include "isa/machines.def"
#undef MACHINE
#define MACHINE(name) &name##_sim,
#include "machines.def"
    NULL,
};
