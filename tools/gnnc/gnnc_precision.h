/* --precision and --precision-of: programs whose nodes compute in fixed-point numbers. */
#ifndef GNNC_TOOLS_GNNC_GNNC_PRECISION_H
#define GNNC_TOOLS_GNNC_GNNC_PRECISION_H

#include "tools/gnnc/gnnc_image.h"

static inline bool gnnc_precision_is_asked(const gnnc_options *o) {
  return o->precision || o->precision_of;
}

/* Compiles a program in the precision that the options ask for. A trial run on the graph finds the
 * magnitudes of what each layer reads. With auto, programs in the target's precisions run, the
 * narrowest first, until one is accurate. False after a message. */
bool gnnc_precision_compile(gnnc_driver *r, MlirModule module, thread_pool *pool, gnnc_image *p);

#endif
