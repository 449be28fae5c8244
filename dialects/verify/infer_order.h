/* Types of operations on groups of members in an order, for infer_gnn. */
#ifndef GNNC_DIALECTS_VERIFY_INFER_ORDER_H
#define GNNC_DIALECTS_VERIFY_INFER_ORDER_H

#include "dialects/verify/infer.h"

bool infer_order(const infer *in, ir_type *result);
bool infer_first(const infer *in, ir_type *result);
bool infer_place_first(const infer *in, ir_type *result);
bool infer_fold(const infer *in, ir_type *result);
bool infer_quantile(const infer *in, ir_type *result);
/* Checks an optional operand that is a result of gnn.order over the same groups. */
bool infer_check_order(const infer *in, unsigned order);

#endif
