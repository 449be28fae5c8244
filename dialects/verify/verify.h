/* The parts of our verifier. Each returns false after reporting an error at the operation, and
 * relies on the checks of MLIR's verifier. */
#ifndef GNNC_DIALECTS_VERIFY_VERIFY_H
#define GNNC_DIALECTS_VERIFY_VERIFY_H

#include "dialects/verify/infer.h"

/* Checks that declared attributes are present, have their type and one of their choices, and that
 * all others have a dot in their name (gnn.phase). */
bool verify_attributes(MlirOperation op, const ir_op_info *info);
/* Checks bodies: arguments, smt.yield, as many yields as reductions, only payloads. */
bool verify_body(const infer *in);
/* Checks a gemm's operands; then returns the types that its body's arguments must have. */
bool verify_gemm(const infer *in);
void verify_gemm_arguments(const infer *in, ir_type *arguments);
/* Checks the operands of a contract or of sums by an index: their rows, where they are read, and what the sums are per. */
bool verify_contract(const infer *in);
/* Checks the intra level beyond types: rows, slots, what calls need, what kernels may store. */
bool verify_intra(const infer *in);
/* Checks the device level beyond types: functions, and operands that belong together. */
bool verify_device(const infer *in);

#endif
