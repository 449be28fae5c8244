/* The source files of a model as manifests hold them, so that it can be compiled again elsewhere. */
#ifndef GNNC_TOOLS_GNNC_GNNC_SOURCE_H
#define GNNC_TOOLS_GNNC_GNNC_SOURCE_H

#include "codegen/model_source.h"
#include "tools/gnnc/gnnc_driver.h"

/* Returns the number of source files without the layer library: the main file and its imports. */
size_t gnnc_source_count(const gnnc_driver *r);

/* Returns the text of a source file for a manifest, in the arena. In place of imports, whose paths
 * are valid only on this machine, there are blanks; the main file, number 0, ends with imports of
 * all others as "import1.gnn", "import2.gnn" and so on. */
const char *gnnc_source_text(const gnnc_driver *r, size_t number, arena *a);

/* Returns all of it for generated C, in the arena of the run, with the reach as found before and the
 * costs of the kernels of a module after all passes. */
const model_source *gnnc_source_describe(gnnc_driver *r, MlirModule module);

#endif
