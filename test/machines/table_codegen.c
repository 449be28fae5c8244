/* The table of codegen/backends.c with the machines of the tests. */
#include "codegen/backend.h"

#define MACHINE(name, summary) extern const backend name##_backend;
#include "isa/machines.def"
#undef MACHINE
#define MACHINE(name) extern const backend name##_backend;
#include "machines.def"
extern const backend c_backend;

const backend *const backend_table[] = {
#define MACHINE(name, summary) &name##_backend,
#include "isa/machines.def"
#undef MACHINE
#define MACHINE(name) &name##_backend,
#include "machines.def"
    &c_backend,
    NULL,
};
