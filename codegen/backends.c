/* The table of targets: all machines of isa/machines.def, then C. A program that defines
 * backend_table itself is linked with its own targets instead. */
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
