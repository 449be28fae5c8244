/* A program for Sextans while it is compiled. Operations of the device become launches; the
 * operands of a launch are lists in .weights, B, and C.
 *
 *   refuse.c       what the device executes, and why not the rest
 *   plan.c         the form of each operation
 *   plan_gemm.c, plan_spdmm.c   the lists of an operation, and its constants
 *   store.c        contents of .edges and .weights; addresses
 *   emit.c         records and steps of an operation
 *
 * The arrays of a program belong to the host, which executes functions, softmax and all else
 * between launches. B and C have one region each in .features, which all launches share. */
#ifndef GNNC_CODEGEN_SEXTANS_PROGRAM_H
#define GNNC_CODEGEN_SEXTANS_PROGRAM_H

#include "codegen/device/operand.h"
#include "codegen/device/steps/step_constant.h"
#include "codegen/device/steps/step_private.h"
#include "codegen/device/steps/step_program.h"
#include "codegen/sextans/lists.h"
#include "isa/sextans/sextans.h"
#include "support/diag.h"

/* How an operation becomes launches. */
typedef enum sextans_form {
  SEXTANS_FORM_list,    /* spdmm: A is an edge list with known weights */
  SEXTANS_FORM_values,  /* spdmm: A is an edge list; the host writes values of edges, one launch per head */
  SEXTANS_FORM_rows,    /* gemm: A is the rows, which the host writes; B is the weights */
  SEXTANS_FORM_weights, /* gemm: A is the weights transposed; B is the rows transposed, and so is C */
} sextans_form;

/* Values in the slots of A: number order[r] of an array in the r-th non-zero. */
typedef struct sextans_held {
  int32_t array; /* -1: none */
  const int32_t *order;
} sextans_held;

/* Lists in device memory, with a block of rows per launch. */
typedef struct sextans_stored {
  const char *name;
  sextans_lists *blocks;
  int64_t num_blocks;
  uint64_t *q, *a;     /* [num_blocks] byte offsets in .edges and in .weights */
  sextans_held *holds; /* [num_blocks] at this point of the program */
} sextans_stored;

/* A constant B in device memory. */
typedef struct sextans_constant {
  uint64_t offset; /* in .weights */
  int64_t rows, columns;
  const float *numbers; /* 4 channels; NULL: the program has no data */
} sextans_constant;

typedef struct sextans_operation {
  MlirOperation op;
  sextans_form form;
  int32_t layer;
  sextans_stored *lists;
  sextans_constant *b; /* NULL: B is made when the program runs */
  int64_t columns;     /* of B and C, all heads together */
  int64_t heads;       /* launches of each block */
  MlirValue source;    /* form rows: the rows whose numbers go into the slots, inner columns for each head */
  int64_t inner;
  const int32_t *source_row; /* row of `source` of each row of A, -1: none; NULL: the same */
  uint64_t multiply_adds;    /* useful ones: non-zeros times columns */
  bool is_other_least;       /* other_cycles is a lower bound */
  uint64_t other_cycles;     /* gemm: those of the form that was not chosen; 0: there is none */
} sextans_operation;

typedef struct sextans_program {
  arena *arena;
  program_host *host;
  const device *device;
  thread_pool *pool;
  bool no_data;
  step_program *steps;
  VEC(sextans_operation) operations;
  map operation_of; /* MLIR operation -> 1 + index */
  VEC(sextans_stored *) stored;
  map stored_of; /* text that describes lists -> sextans_stored */
  VEC(sextans_constant *) constants;
  map constant_of; /* text that describes rows and lists -> sextans_constant */
  map order_of;    /* indices -> 1 + byte offset in .gnnc.rows */
  map made_of;     /* text that describes indices -> indices; launches with the same ones share them */
  uint64_t base[IMAGE_SECTIONS], size[IMAGE_SECTIONS];
  uint64_t b_bytes, c_bytes; /* of the regions of B and C in .features */
  VEC(sextans_insn) code;
} sextans_program;

/* The most columns of B and C (field n of a record). */
enum { SEXTANS_MOST_COLUMNS = 65535 };

/* ---- store.c ---- */

/* The lists that were stored under a key; NULL: none. */
sextans_stored *sextans_store_find(const sextans_program *p, const char *key);
/* Keeps the lists of a matrix in device memory, under a key where that is not NULL. */
status sextans_store_lists(sextans_program *p, const char *key, const char *name, const sextans_matrix *m,
                           const sextans_lists_options *o, sextans_stored **out);
/* The same for a matrix whose entries are all non-zeros. */
status sextans_store_dense(sextans_program *p, const char *key, const char *name, int64_t rows, int64_t cols,
                           const sextans_lists_options *o, sextans_stored **out);
/* Keeps numbers, row after row, as B: row r of B is row column_of[r] (NULL: r) of the numbers. */
status sextans_store_constant(sextans_program *p, const float *numbers, int64_t columns, const sextans_lists *l,
                              sextans_constant **out);
/* Makes room in the regions of B and C for an operation. */
void sextans_store_reserve(sextans_program *p, const sextans_operation *o);
/* Assigns addresses to the sections but .text. */
void sextans_store_lay_out(sextans_program *p);
/* Makes .edges, .weights, .features and .text. */
status sextans_store_write(sextans_program *p, image *out);

/* ---- refuse.c ---- */

/* The reason why the device does not execute an operation; NULL: it does. */
const char *sextans_refuse(MlirOperation op, program_host *host);
/* Whether the weights of a product were made from a selection of columns and have zeros, which take
 * no part. */
bool sextans_is_selection(MlirOperation gemm, program_host *host);
/* ---- plan.c, plan_spdmm.c, plan_gemm.c ---- */

/* Chooses the form of every operation of the device and stores its lists and constants. */
status sextans_plan_operations(sextans_program *p);
/* Choose for one operation. */
status sextans_plan_spdmm(sextans_program *p, sextans_operation *o);
status sextans_plan_gemm(sextans_program *p, sextans_operation *o);
/* The number of equal blocks on the diagonal of weights per type that were made from a selection,
 * where the columns of a block are a multiple of a tile; 0: weights have another form. */
int64_t sextans_plan_count_blocks(MlirOperation gemm, program_host *host);

/* ---- emit.c ---- */

/* Writes the records and steps of one operation: a step_program_execute. */
status sextans_emit_operation(step_program *steps, MlirOperation op, void *program);

/* ---- remark.c ---- */

/* Reports where each operation of the function runs, in which form, and why. */
void sextans_remark(const sextans_program *p, diag *d);

/* Whether the columns of each head begin at a tile of B and C, so that heads can lie side by side. */
static inline bool sextans_is_aligned(const sextans_operation *o) {
  return o->heads == 1 || o->columns / o->heads % SEXTANS_TILE == 0;
}

#endif
