/* The table of runtime/layouts.c with the layouts of the tests. */
#include "runtime/layout.h"

#define LAYOUT(name) extern const layout layout_##name;
#include "layouts.def"

const layout *const layout_table[] = {
#define LAYOUT(name) &layout_##name,
#include "runtime/layouts.def"
#undef LAYOUT
#define LAYOUT(name) &layout_##name,
#include "layouts.def"
    NULL,
};
