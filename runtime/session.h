/* Sessions on a graph in memory or on a part of it; runtime.h has those on files. */
#ifndef GNNC_RUNTIME_SESSION_H
#define GNNC_RUNTIME_SESSION_H

#include "data/receptive_field.h"
#include "runtime/gnnc/runtime.h"
#include "support/spill.h"
#include "support/status.h"

typedef struct session_request {
  const graph *graph;           /* lives as long as the session */
  const char *weights;          /* the file; NULL: none */
  const receptive_field *field; /* of the graph: run on this part; NULL: on all of it */
  const gnnc_context *context;  /* of bind; may be NULL */
  spill *spill;                 /* where inputs, blocks and outputs are, which lives longer; NULL: in memory */
} session_request;

/* Reads inputs and weights and binds the program to them. With a field, inputs and outputs have the
 * rows of the part, in its order. Fails as gnnc_session_create does; the caller owns *session. */
status session_create(const gnnc_program *program, const session_request *request, gnnc_session **session);

/* The same in two steps, for ranks that bind together: reading, which may fail at one of them alone, and binding. */
status session_read(const gnnc_program *program, const session_request *request, gnnc_session **session);
status session_bind(gnnc_session *session, const gnnc_context *context);

/* What a result of bind or of run says about the graph; STATUS_OK for GNNC_OK. */
status session_explain_bind(const graph *g, gnnc_result result, int64_t index);
/* The same of a part, with the numbers that edges and nodes have in the whole. */
status session_explain_bind_part(const receptive_field *part, gnnc_result result, int64_t index);
status session_explain_run(const graph *g, gnnc_result result);

#endif
