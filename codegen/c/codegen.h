/* The C back end: one compiled model (intra level) becomes three texts, M.c, M.h and M.json.
 *
 * M.c is C17 on libc and libm alone: no malloc, no stdio, no mutable globals, OpenMP optional. M.h
 * embeds runtime/gnnc/abi.h, so that a model needs no other file. M.json says the same as M.h for
 * tools. Same module, same bytes. */
#ifndef GNNC_CODEGEN_C_CODEGEN_H
#define GNNC_CODEGEN_C_CODEGEN_H

#include "codegen/c/options.h"
#include "dialects/ir.h"
#include "support/diag.h"
#include "support/text.h"

/* The three texts, owned by the caller: free them with codegen_c_output_free. */
typedef struct codegen_c_output {
  text source;
  text header;
  text manifest;
} codegen_c_output;

/* Writes the model of `module` (after inter-to-intra and intra-plan-memory). Returns false after
 * reporting to `d`: a payload too wide for a stack array at its line, or an internal error that
 * names the operation; the texts are then empty. */
bool codegen_c_emit(MlirOperation module, const codegen_c_options *options, diag *d, codegen_c_output *output);

void codegen_c_output_free(codegen_c_output *output);

#endif
