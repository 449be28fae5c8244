/* Lines of the model's sources, for comments and the manifest. */
#ifndef GNNC_CODEGEN_C_MODEL_SOURCE_LINE_H
#define GNNC_CODEGEN_C_MODEL_SOURCE_LINE_H

#include "codegen/c/model/model.h"

/* Returns a line of a source file without its indentation, at most 90 bytes long, and its length; NULL for
 * an unknown file or line. */
const char *c_source_line_find(const c_model *m, const char *file, unsigned line, int *length);

#endif
