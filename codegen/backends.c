/* The table of targets, from isa/machines.def, and C. A program that defines backend_table itself
 * links with targets of its own. */
#include "codegen/backend.h"

#define MACHINE(name, summary) extern const backend name##_backend;
#include "isa/machines.def"
#undef MACHINE
extern const backend c_backend;

const backend *const backend_table[] = {
#define MACHINE(name, summary) &name##_backend,
#include "isa/machines.def"
#undef MACHINE
    &c_backend,
    NULL,
};
