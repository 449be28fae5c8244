/* Declarations of the public functions of a model. */
#ifndef GNNC_CODEGEN_C_INTERFACE_SIGNATURE_H
#define GNNC_CODEGEN_C_INTERFACE_SIGNATURE_H

#include "codegen/c/model/model.h"

/* Text of the table of phases with the model's name: "M_weights" becomes "gcn_weights". */
const char *c_signature_named(const c_model *m, const char *said);
/* "size_t gcn_bound_bytes(const gnnc_graph *graph)", in one line. */
const char *c_signature_declaration(const c_model *m, const c_phase_function *function);
/* Writes the same in several lines, and opens the body. */
void c_signature_open(const c_model *m, c_writer *w, const c_phase_function *function);
/* The same for the function in M_info, which takes arrays of pointers: gcn_info_bind. With `takes_version` its first
 * parameter is the caller's version of the ABI. */
void c_signature_open_untyped(const c_model *m, c_writer *w, const c_phase_function *function, bool takes_version);

#endif
