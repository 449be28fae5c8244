/* The table of the layouts of layouts.def. */
#include "runtime/layout.h"

const layout *const layout_table[] = {
#define LAYOUT(name) &layout_##name,
#include "runtime/layouts.def"
#undef LAYOUT
    NULL,
};
