/* The prelude: parts of the files in codegen/c/prelude that a generated file uses. */
#ifndef GNNC_CODEGEN_C_TEXT_PRELUDE_H
#define GNNC_CODEGEN_C_TEXT_PRELUDE_H

#include "support/arena.h"
#include "support/text.h"

#include <stdbool.h>

/* Appends the parts that `code` names outside comments and strings, and the parts those name, in
 * the order of the files; and the arithmetic of `real`, f32 or f64. */
void c_prelude_select(arena *a, const char *code, bool is_f64, text *out);

#endif
