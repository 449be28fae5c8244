/* Training sessions: a program of gnnc --train bound to a graph, with its weights and the state of
 * the optimizer.
 *
 * Several ranks train one model: each has a session with its part of the graph, and all call the same functions in the same order.
 * Weights, loss and state are equal on all ranks, bit by bit; of weights with a row for each node a rank has the rows of its part
 * (train_tables.h).
 *
 *   train_create(program, &request, &session);
 *   for (...) { train_step(session, &optimizer, &loss); train_evaluate(session, NULL, &loss); }
 *   train_weights_write("trained.safetensors", session, session->weights, NULL, 0); */
#ifndef GNNC_RUNTIME_TRAIN_H
#define GNNC_RUNTIME_TRAIN_H

#include "data/graph.h"
#include "runtime/gnnc/runtime.h"
#include "runtime/rank_part.h"
#include "support/status.h"

typedef struct train_request {
  const graph *graph;            /* lives as long as the session */
  const char *weights;           /* start from this file; NULL: the initial values of the model */
  uint64_t seed;                 /* of initial values and of dropout */
  const gnnc_executor *executor; /* NULL: the calling thread alone */
  rank_part *rank;               /* the part of this rank of `graph`, which outlives the session; NULL: it has all */
  spill *spill;                  /* of a rank: where its memory is, which lives longer; NULL: in memory */
  bool has_no_workspace;         /* the session neither steps nor evaluates: others do, by parts of the graph */
} train_request;

/* Members are for reading, but for the numbers of weights and of the state. */
typedef struct train_session {
  const gnnc_train_info *info;
  arena *memory;
  const graph *graph;  /* the whole */
  rank_part *rank;     /* NULL: there are no ranks */
  spill *spill;        /* NULL: blocks are in memory */
  tensor_set *given;   /* the file of weights; NULL: none */
  const void **inputs; /* in the order of the tables of the program; of the part of a rank */
  float **weights;     /* the same; equal on all ranks but for rows of nodes, which are those of the part */
  float **outputs;     /* of the last evaluation, of the whole graph; the loss is the last one */
  float **own_outputs; /* those of the part of a rank; without ranks the same */
  int64_t *counts;     /* numbers of each weight, as many as the session has of it */
  void *bound, *workspace, *state;
  size_t bound_room, workspace_room;
  gnnc_step step; /* the seed, and the steps done */
  gnnc_context context;
} train_session;

/* Reads inputs and weights, binds, and makes the state of the optimizer. Fields of whole numbers and
 * truth values become f32. Fails naming file, tensor, what was found and what was expected; the
 * caller owns *session. */
status train_create(const gnnc_program *program, const train_request *request, train_session **session);
/* NULL is allowed. */
void train_destroy(train_session *s);

/* The numbers of a row. */
int64_t train_elements(const gnnc_tensor_info *info);
/* Makes a block at least as large as `size`, without its content; the caller frees it. *room is its size. */
status train_reserve(void **block, size_t *room, size_t size, const char *what);
/* Binds a program to a graph, in a block that is replaced where it is too small; in a spill, which keeps it (NULL: in memory). */
status train_bind(const gnnc_train_info *info, const graph *g, const gnnc_context *context, spill *kept, void **bound,
                  size_t *room);

/* Binds the session to its graph again, whose edges have other ends now. */
status train_rebind(train_session *s);

/* Refuses an optimizer whose numbers would depend on the ranks. */
status train_check_optimizer(const train_session *s, const gnnc_optimizer *optimizer);

/* Does the next step: changes the weights; *loss is that before the change. */
status train_step(train_session *s, const gnnc_optimizer *optimizer, float *loss);

/* Computes the outputs and the loss without dropout. `inputs` may replace the session's. All ranks get the outputs of all. */
status train_evaluate(train_session *s, const void *const *inputs, float *loss);

/* Returns the input that a field of the graph file fills; -1: none. */
int32_t train_find_input(const train_session *s, const char *from);
/* Makes inputs in which another field of the same shape takes the place of input `index`. */
status train_replace_input(train_session *s, int32_t index, const char *from, const void ***inputs);

/* Returns the first tensor that has a NaN or an infinity, in the session's memory: "the gradient of
 * 'W'" of the last step, "'W'", or "the output 'y'" of the last evaluation. NULL: all are finite. All ranks find the same. */
const char *train_find_not_finite(train_session *s);

/* Returns memory for the numbers of all weights, owned by the session. */
float **train_allocate_weights(train_session *s);
void train_copy_weights(const train_session *s, float *const *from, float *const *to);

/* The shape of a weight in its file, with its rows; returns the rank. */
int32_t train_weight_shape(const train_session *s, int32_t weight, int64_t dims[TENSOR_MAX_RANK]);
/* Whether this rank writes what all have; without ranks true. */
bool train_writes(const train_session *s);
/* Adds the weights to a set under their names; their numbers must live as long as the set. A weight
 * that stacks several tensors is cut into them. Called on all ranks; the set of the one that writes has all rows. */
status train_add_weights(const train_session *s, float *const *weights, tensor_set *set);
/* Writes weights as safetensors in one step, with metadata beside the name of the model. Called on all ranks; one writes. */
status train_weights_write(const char *path, const train_session *s, float *const *weights,
                           const tensor_metadata *metadata, size_t metadata_count);

#endif
