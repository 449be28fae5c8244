/* Parses text to a syntax tree. Every error of a file is reported in one run. A tree with errors is
 * partial: statements that could not be read are left out, and all others are complete. */
#ifndef GNNC_FRONTEND_SYNTAX_PARSE_H
#define GNNC_FRONTEND_SYNTAX_PARSE_H

#include "frontend/syntax/ast.h"
#include "support/diag.h"

/* Parses one file; imports are recorded, not followed. Returns the tree, owned by the arena,
 * partial when errors were reported through `d`; NULL only when the source is too large for spans
 * (4 GiB). */
ast_file *parse_source(arena *a, const source *s, diag *d);

/* Parses the main file, every file it imports (looked up beside the importing file, then in
 * `include_dirs` in order; importing twice reads a file once, in a circle is an error) and the
 * files of the layer library that define layers used by name. Returns false when errors were
 * reported; `*out` then holds what could be read. */
bool parse_program(arena *a, const source *main, const char *const *include_dirs, size_t include_dir_count, diag *d,
                   ast_program *out);

#endif
