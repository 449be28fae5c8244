/* The parts of our verifier: each returns false after reporting at the operation, and trusts what
 * MLIR's verifier checked. */
#ifndef GNNC_DIALECTS_VERIFY_VERIFY_H
#define GNNC_DIALECTS_VERIFY_VERIFY_H

#include "dialects/verify/infer.h"

/* Declared attributes are there, of their type, one of their choices; others carry a dot
 * (gnn.phase). */
bool verify_attributes(MlirOperation op, const ir_op_info *info);
/* Bodies: arguments, smt.yield, as many yields as reductions, payloads only. */
bool verify_body(const infer *in);
/* A gemm's operands; then the types its body's arguments must have. */
bool verify_gemm(const infer *in);
void verify_gemm_arguments(const infer *in, ir_type *arguments);
/* What holds at the intra level beyond types: rows, slots, what calls need, what kernels may
 * store. */
bool verify_intra(const infer *in);
/* What holds at the device level beyond types: functions, operands that belong together. */
bool verify_device(const infer *in);

#endif
