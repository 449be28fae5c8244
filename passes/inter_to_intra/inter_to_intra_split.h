/* Splits loops with several products into loops with one product each, before inter-to-intra makes
 * kernels of them. */
#ifndef GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_SPLIT_H
#define GNNC_PASSES_INTER_TO_INTRA_INTER_TO_INTRA_SPLIT_H

#include "passes/manager/pass.h"

/* Splits the loops of a function of the inter level. */
void to_intra_split_products(MlirOperation func, pass_context *p);

/* If `row`, in the body of `loop`, is a reshape of a stored row, stores the row in that shape
 * before the loop and reads it there; else returns false. */
bool to_intra_reshape_row(pass_context *p, MlirOperation loop, MlirOperation row);

#endif
