/* Semantic analysis: from the syntax tree to a flat, typed program (flat.h), one value per
 * operation.
 *
 * Layers are templates: each call is expanded with its own names, dimensions and weight prefix.
 * Sizes are symbols that weights, inputs, arguments and --dim bind by unification (dims.h). Every
 * error of a file is found in one run, with and without files to bind to. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_H
#define GNNC_FRONTEND_SEMA_SEMA_H

#include "frontend/sema/flat.h"
#include "frontend/syntax/ast.h"
#include "support/arena.h"
#include "support/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEMA_MAX_RANK = 7 };

/* The form in which a file stores a tensor: dense, or CSR as x_indptr / x_indices / x_data. */
typedef enum sema_storage { SEMA_STORAGE_none, SEMA_STORAGE_dense, SEMA_STORAGE_sparse } sema_storage;

/* A tensor of the weights file or a field of the graph file; sparse ones have dims {rows,
 * columns}. */
typedef struct sema_tensor {
  sema_storage storage;
  const char *dtype; /* as safetensors spells it: "F32" "F16" "BF16" "F64" "I64" ... */
  unsigned rank;
  int64_t dims[SEMA_MAX_RANK];
} sema_tensor;

/* One --dim NAME=VALUE. */
typedef struct sema_dim_option {
  const char *name;
  int64_t value;
} sema_dim_option;

/* The properties of the weights and graph files that are known when the model is compiled. All zero
 * with counts of -1 (see sema_environment_empty) means no files at all. */
typedef struct sema_environment {
  void *user; /* given to the callbacks */
  /* Weights: NULL name = no file given. find returns false when the file has no tensor of that
   * name. */
  const char *weights_file;
  bool (*find_weight)(void *user, const char *name, sema_tensor *out);
  const char *const *weight_names;
  size_t weight_count;
  /* Graph: NULL name = no file given. find returns false when the file has no field of that
   * name. */
  const char *graph_file;
  bool (*find_field)(void *user, const char *name, sema_tensor *out);
  const char *const *field_names;
  size_t field_count;
  /* Counts of the graph; -1 = unknown. */
  int64_t num_nodes;
  int64_t num_edges;
  int64_t num_edge_types;
  int64_t num_node_types;
  int64_t num_graphs;                              /* of a batch */
  int64_t (*count_nodes)(void *user, size_t type); /* number of nodes of that type; NULL = unknown */
  /* The first edge of a type that does not lead from nodes of type `src` to nodes of type `dst`, and the types of its
   * ends; -1 where there is none. NULL = unknown. */
  int64_t (*find_stray_edge)(void *user, size_t type, size_t src, size_t dst, int64_t ends[2]);
  const sema_dim_option *dims;
  size_t dim_count;
  /* The loss becomes a result, dropout is live. Else the loss, and what only the loss reads, is checked and left out. */
  bool is_training;
  /* Of training with other programs' losses: what has gradients besides weights, "all" inputs, inputs by name ("x,pos") or
   * "weights" alone; the model needs no loss then. NULL: none. */
  const char *backward;
} sema_environment;

/* No files, no counts, no --dim. */
sema_environment sema_environment_empty(void);

/* Checks the whole program and expands one model: `model` by name, or the only one of the main file
 * when NULL. The other models and the uncalled layers are checked, too, without files. Returns the
 * expanded model, owned by the arena, or NULL when errors were reported through `d`. */
const flat_program *sema_analyze(arena *a, const ast_program *program, const char *model,
                                 const sema_environment *environment, diag *d);

#endif
