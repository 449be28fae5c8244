/* A program for FusedGCN while it is compiled. An operation of the device becomes one or several
 * products S H W, each with one LAYER record or more.
 *
 *   refuse.c    what the device executes, and why not the rest
 *   sparse.c    S: edge lists and identities in CSR form
 *   stream.c    W: streams of tiles, and which of them the PEs hold
 *   form.c      the forms of an operation and their cycles
 *   product.c   records of one product, cut where the PEs have no room for all of W
 *   emit.c      the products of an operation
 *   store.c     contents of the sections
 *   remark.c    -Rpass=place
 *
 * Rows stay in device memory as bf16 from operation to operation (codegen/device/steps/chain.h). */
#ifndef GNNC_CODEGEN_FUSEDGCN_PROGRAM_H
#define GNNC_CODEGEN_FUSEDGCN_PROGRAM_H

#include "codegen/device/matrix.h"
#include "codegen/device/operand.h"
#include "codegen/device/sections.h"
#include "codegen/device/steps/chain.h"
#include "codegen/device/steps/step_constant.h"
#include "codegen/device/steps/step_private.h"
#include "isa/fusedgcn/fusedgcn.h"
#include "support/diag.h"

/* How an operation becomes products S H W. In slices, W is an identity and the columns of H and OUT
 * are computed min(K, M) at a time. */
typedef enum fusedgcn_form {
  FUSEDGCN_FORM_slices,         /* spdmm: S = the list, W = identity */
  FUSEDGCN_FORM_rows,           /* gemm: S = identity */
  FUSEDGCN_FORM_fused,          /* layer: S = the list, H = the rows, W = the weights */
  FUSEDGCN_FORM_product_first,  /* layer: S = identity and W, then slices */
  FUSEDGCN_FORM_sum_first,      /* layer: slices, then S = identity and W */
  FUSEDGCN_FORM_dense_features, /* spdmm over stored features: S = identity, H = the features, W = the rows */
  FUSEDGCN_FORMS
} fusedgcn_form;

/* A sparse matrix in device memory. */
typedef struct fusedgcn_sparse {
  matrix_csr m;
  uint64_t pos_at, col_at, value_at; /* byte offsets in .edges; no value_at where the host writes values */
  bool has_values;                   /* the host writes them */
} fusedgcn_sparse;

/* Dense rows that are known when the program is compiled. */
typedef struct fusedgcn_constant {
  uint64_t offset; /* in .weights */
  int64_t rows, width;
  const float *numbers; /* NULL: the program has no data */
} fusedgcn_constant;

/* The weights of a product, and its bias: [types][k][n] and [types][n]. */
typedef struct fusedgcn_weights {
  const void *key; /* two products with the same key have the same weights; NULL: an identity */
  int64_t k, n;
  step_segments types;
  const float *numbers; /* NULL: unknown */
  bool has_bias;
  const void *bias_key;
  const float *bias; /* NULL: unknown */
} fusedgcn_weights;

/* A stream of tiles in .weights. */
typedef struct fusedgcn_stream {
  uint64_t offset;
  int64_t tiles, biases;
  int64_t first; /* place in the PEs; -1: it is not there */
  const fusedgcn_weights *of;
  int64_t type, k0, kn, n0, nn; /* the part of the weights that it has */
} fusedgcn_stream;

/* An operation of the device. */
typedef struct fusedgcn_operation {
  MlirOperation op;
  fusedgcn_form form;
  int32_t layer;
  int64_t heads;
  fusedgcn_sparse *sparse;         /* the list; NULL: an identity */
  uint64_t cycles[FUSEDGCN_FORMS]; /* of each form that is possible; 0: it is not */
  uint64_t multiply_adds;          /* of the order that takes the fewest */
} fusedgcn_operation;

typedef struct fusedgcn_program {
  arena *arena;
  program_host *host;
  const device *device;
  bool no_data, is_fused_only, has_overlap;
  step_program *steps;
  chain chain;
  VEC(fusedgcn_operation) operations;
  map operation_of; /* MLIR operation -> 1 + index */
  VEC(fusedgcn_sparse *) sparse;
  map sparse_of; /* text -> fusedgcn_sparse */
  VEC(fusedgcn_constant *) constants;
  map constant_of; /* MLIR value or edge list -> fusedgcn_constant */
  VEC(fusedgcn_stream *) streams;
  map stream_of;     /* text -> fusedgcn_stream */
  int64_t next_tile; /* of the PEs' memory */
  sections sections;
  VEC(fusedgcn_insn) code; /* addresses are tagged until the sections have places */
} fusedgcn_program;

enum { FUSEDGCN_MOST_COLUMNS = 65535 };

/* Words from row to row of a matrix in device memory. */
static inline int64_t fusedgcn_stride(int64_t width) {
  return (width + 15) / 16 * 16;
}

static inline const fusedgcn_device *fusedgcn_device_of(const fusedgcn_program *p) {
  return &p->device->fusedgcn;
}

/* Columns of a slice. */
static inline int64_t fusedgcn_slice(const fusedgcn_device *d) {
  return d->rows < d->columns ? d->rows : d->columns;
}

/* ---- refuse.c ---- */

/* The reason why the device does not execute an operation; NULL: it does. */
const char *fusedgcn_refuse(MlirOperation op, program_host *host);

/* ---- sparse.c ---- */

/* The matrix of a device.edges; has_values: the host writes its values. */
status fusedgcn_sparse_of_edges(fusedgcn_program *p, MlirOperation edges, bool has_values, fusedgcn_sparse **out);
status fusedgcn_sparse_identity(fusedgcn_program *p, int64_t rows, fusedgcn_sparse **out);

/* ---- stream.c ---- */

/* The stream with a part of the weights of a type: rows k0 .. k0 + kn - 1, columns n0 .. n0 + nn - 1,
 * and the bias of these columns where has_bias is set. */
status fusedgcn_stream_get(fusedgcn_program *p, const fusedgcn_weights *w, int64_t type, const int64_t part[4],
                           bool has_bias, fusedgcn_stream **out);
/* Has the PEs hold a stream; writes a LOADW where they do not. */
void fusedgcn_stream_load(fusedgcn_program *p, fusedgcn_stream *s, int32_t layer);

/* ---- product.c ---- */

/* A product S H W with all addresses. */
typedef struct fusedgcn_product {
  const fusedgcn_sparse *s;
  uint64_t s_val, h, out; /* s_val and h may be tagged */
  int64_t h_rows, h_stride, out_stride;
  const fusedgcn_weights *w; /* key NULL: an identity, k == n */
  bool has_relu, has_start;  /* has_start: OUT has numbers to begin with */
  int32_t layer;
} fusedgcn_product;

/* Writes the records of a product. */
status fusedgcn_product_emit(fusedgcn_program *p, const fusedgcn_product *x);
/* Its cycles, loads of weights left out: S with `count` non-zeros, k x n weights. */
uint64_t fusedgcn_product_cycles(const fusedgcn_device *d, int64_t count, int64_t k, int64_t n);
uint64_t fusedgcn_slices_cycles(const fusedgcn_device *d, int64_t count, int64_t n);

/* ---- form.c ---- */

/* Chooses the form of every operation of the device. */
status fusedgcn_form_choose(fusedgcn_program *p);
const char *fusedgcn_form_name(fusedgcn_form form);

/* ---- emit.c ---- */

/* Writes the records and steps of one operation: a step_program_execute. */
status fusedgcn_emit_operation(step_program *steps, MlirOperation op, void *program);
/* How rows lie in device memory. */
extern const chain_class fusedgcn_rows;

/* ---- store.c ---- */

/* Keeps dense rows in .weights. */
status fusedgcn_store_constant(fusedgcn_program *p, const void *key, int64_t rows, int64_t width, const float *numbers,
                               fusedgcn_constant **out);
/* Makes all sections of the machine. */
status fusedgcn_store_write(fusedgcn_program *p, image *out);

/* ---- remark.c ---- */

/* Reports where each operation of the function runs, in which form, and why. */
void fusedgcn_remark(const fusedgcn_program *p, diag *d);

#endif
