/* Loops with more products than one become loops with one each; before inter-to-intra makes kernels
 * of them. */
#ifndef GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_SPLIT_H
#define GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_SPLIT_H

#include "passes/manager/pass.h"

/* Splits the loops of a function; works on the inter level. */
void to_intra_split_products(MlirOperation func, pass_context *p);

/* `row`, in the body of `loop`, is a row in another shape: it is stored in that shape before, and
 * read; false where it is something else. */
bool to_intra_reshape_row(pass_context *p, MlirOperation loop, MlirOperation row);

#endif
