/* Types of operations that pick rows of a table by an index, for infer_layer. */
#ifndef GNNC_DIALECTS_VERIFY_INFER_INDEX_H
#define GNNC_DIALECTS_VERIFY_INFER_INDEX_H

#include "dialects/verify/infer.h"

bool infer_lookup(const infer *in, ir_type *result);
bool infer_sum_by(const infer *in, ir_type *result);

#endif
