/* Loads a compiled model, gives it a graph and weights from files, runs it. The one public header of the run-time library.
 *
 *   gnnc_program *program;
 *   gnnc_session *session;
 *   gnnc_status s = gnnc_program_open("gcn.c", NULL, &program);
 *   if (!s) s = gnnc_session_create(program, "cora.safetensors", "gcn.safetensors", &session);
 *   if (!s) s = gnnc_session_run(session, NULL);
 *   if (!s) s = gnnc_session_write(session, "out.safetensors");
 *   if (s) { fprintf(stderr, "%s\n", gnnc_status_message(s)); gnnc_status_free(s); }
 */
#ifndef GNNC_RUNTIME_H
#define GNNC_RUNTIME_H

#include "abi.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* NULL on success; else what went wrong, to be freed once. */
typedef struct status_detail *gnnc_status;
/* One line without a full stop; owned by the status. "" for NULL. */
const char *gnnc_status_message(gnnc_status s);
void gnnc_status_free(gnnc_status s);

/* The version of this library, "0.1.0"; that of the ABI is GNNC_ABI_VERSION. */
const char *gnnc_version(void);

/* ---- programs ---- */

typedef struct gnnc_program gnnc_program;

typedef struct gnnc_program_options {
  bool is_portable;    /* no -march=native: the library runs on other machines of the architecture */
  bool keeps_files;    /* the private folder with the library and the compiler's messages stays, for good */
  const char *flags;   /* more compiler flags, separated by blanks; NULL = $CFLAGS */
  const char *library; /* writes the compiled library here too; NULL = nowhere */
} gnnc_program_options;

/* Opens generated C (compiled with $CC, else cc, in a private temporary folder) or a shared library made of it. Fails with the
 * compiler's messages, or when the file holds no model. Options may be NULL. The caller owns *program. */
gnnc_status gnnc_program_open(const char *path, const gnnc_program_options *options, gnnc_program **program);
/* The same for a model that is linked into this program: gnnc_program_of_model(gcn_info(), &program). */
gnnc_status gnnc_program_of_model(const gnnc_model_info *info, gnnc_program **program);
/* Closes and removes what open made; NULL is allowed. No session of it may be alive. */
void gnnc_program_close(gnnc_program *program);
/* The model's tables and functions; valid while the program is open. */
const gnnc_model_info *gnnc_program_info(const gnnc_program *program);
/* The private folder with the files of a program compiled with keeps_files, "" for others: theirs is gone once open
 * returns. */
const char *gnnc_program_folder(const gnnc_program *program);

/* ---- sessions: a program bound to a graph and weights ---- */

typedef struct gnnc_session gnnc_session;

/* Opens the files, checks that they are what the model takes, and binds. weights_path may be NULL for a model without weights.
 * Fails naming the file, the tensor, what was found and what was expected. The caller owns *session. */
gnnc_status gnnc_session_create(const gnnc_program *program, const char *graph_path, const char *weights_path,
                                gnnc_session **session);
/* The same; the threads of context->executor take part in binding (gnnc/executor.h). */
gnnc_status gnnc_session_create_in(const gnnc_program *program, const char *graph_path, const char *weights_path,
                                   const gnnc_context *context, gnnc_session **session);
/* Frees everything the session owns, outputs too; NULL is allowed. */
void gnnc_session_destroy(gnnc_session *session);

/* Computes the outputs. The threads of context->executor take part (gnnc/executor.h); NULL: the calling thread works alone. May be
 * called any number of times. */
gnnc_status gnnc_session_run(gnnc_session *session, const gnnc_context *context);

/* An output: row-major f32 [rows, dims of the tensor's info]; rows is 1 for GNNC_ROWS_ONE. Valid until the next run. */
const float *gnnc_session_output(const gnnc_session *session, int32_t index, int64_t *rows);

/* Writes all outputs as safetensors in one step: a failure leaves what was there. `nodes` (may be NULL) selects rows of outputs per
 * node, in this order. */
gnnc_status gnnc_session_write(const gnnc_session *session, const char *path, const int64_t *nodes, int64_t node_count);

/* What binding and running took. */
typedef struct gnnc_session_statistics {
  int64_t num_nodes, num_edges, num_graphs;
  size_t input_bytes; /* graph, weights and inputs as the model reads them */
  size_t output_bytes;
  size_t bound_bytes, workspace_bytes; /* with the two above: all memory that binding and running needs */
  double bind_seconds;                 /* of the model's bind alone, without reading files */
  double run_seconds;                  /* of the last run */
} gnnc_session_statistics;
gnnc_session_statistics gnnc_session_get_statistics(const gnnc_session *session);

#ifdef __cplusplus
}
#endif

#endif
