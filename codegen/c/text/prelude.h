/* The prelude: parts of the files in codegen/c/prelude that are copied into a generated file. */
#ifndef GNNC_CODEGEN_C_TEXT_PRELUDE_H
#define GNNC_CODEGEN_C_TEXT_PRELUDE_H

#include "support/arena.h"
#include "support/text.h"

#include <stdbool.h>

/* Appends the parts that `code` uses outside comments and strings, and the parts that these use, in
 * the order of the files; also the arithmetic of `real`, f32 or f64. */
void c_prelude_select(arena *a, const char *code, bool is_f64, text *out);

#endif
