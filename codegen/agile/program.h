/* A program for AGILE while it is compiled. An operation of the device becomes one or several layers
 * of the device, each with lists of neighbours and one matrix of weights.
 *
 *   refuse.c     what the device executes, and why not the rest
 *   rows.c       how rows lie in device memory: in parts of as many columns as a layer takes
 *   lists.c      lists of neighbours, scale factors and descriptors
 *   layer.c      records of one layer
 *   cost.c       its cycles
 *   map.c        how each operation becomes layers
 *   emit.c       the layers of an operation
 *   precision.c  precisions of nodes, and the steps of fixed-point numbers
 *   store.c      contents of the sections
 *   remark.c     -Rpass=place
 *
 * Rows stay in device memory as fp32 from operation to operation (codegen/device/steps/chain.h). */
#ifndef GNNC_CODEGEN_AGILE_PROGRAM_H
#define GNNC_CODEGEN_AGILE_PROGRAM_H

#include "codegen/backend.h"
#include "codegen/device/matrix.h"
#include "codegen/device/operand.h"
#include "codegen/device/sections.h"
#include "codegen/device/steps/chain.h"
#include "codegen/device/steps/step_constant.h"
#include "codegen/device/steps/step_private.h"
#include "isa/agile/agile.h"
#include "isa/agile/format.h"
#include "support/diag.h"

/* How an operation becomes layers. */
typedef enum agile_mapping {
  AGILE_MAPPING_sum,           /* spdmm: neighbours are the list's, W = identity */
  AGILE_MAPPING_heads,         /* spdmm with values: one layer per head, the host writes the scale factors */
  AGILE_MAPPING_product,       /* gemm: the neighbour of a row is the row itself */
  AGILE_MAPPING_fused,         /* layer: neighbours are the list's, W = the weights */
  AGILE_MAPPING_product_first, /* layer: a product, then a sum */
  AGILE_MAPPINGS
} agile_mapping;

/* How rows lie in device memory: parts of `part` columns one after the other, `part_bytes` apart. With
 * one part, there may be one column more than the rows have, which is 0. */
typedef struct agile_rows {
  int64_t rows, width, part, parts;
  int64_t part_bytes;
  bool is_wide; /* they have that column */
} agile_rows;

/* Rows at an address, which may be tagged. */
typedef struct agile_place {
  agile_rows r;
  uint64_t address;
} agile_place;

/* One more neighbour of each row, with scale factor 1: the row at address + i * stride, where i is the
 * number of the row, or with `types` that of its type. */
typedef struct agile_extra {
  uint64_t address;
  int64_t stride;
  step_segments types;
  bool is_by_type;
} agile_extra;

enum { AGILE_MOST_EXTRAS = 64 };

/* Lists of neighbours in .edges, and their descriptors in .desc. */
typedef struct agile_list {
  const matrix_csr *m;  /* NULL: extra neighbours alone */
  const char *set;      /* of the rows, for precisions */
  int64_t rows, stride; /* bytes from message to message */
  agile_extra *extras;
  int num_extras;
  bool is_fixed; /* offsets count from CHAIN_BASE and not from the first message, as rows elsewhere are neighbours */
  uint64_t messages; /* where the first message is, of fixed lists */
  bool has_values;   /* the host writes the scale factors */
  int64_t *first;    /* [rows + 1] first word of the list of each row; lists begin at beats */
  int64_t *chunk;    /* [num_chunks + 1] rows whose lists a register of 21 bits can name */
  int64_t num_chunks;
  uint64_t list_at, scale_at; /* byte offsets in .edges */
} agile_list;

/* Descriptors in .desc: of rows lo .. hi - 1 of lists, whose base is the list of row `from`. */
typedef struct agile_descs {
  const agile_list *list;
  int64_t from, lo, hi, f, o; /* f, o: features of a message and of a result */
  uint64_t at;                /* byte offset in .desc */
} agile_descs;

/* Rows of numbers in .weights. */
typedef struct agile_constant {
  uint64_t offset;
  int64_t rows, width, pitch; /* bytes from row to row */
  const float *numbers;       /* [rows][width]; NULL: the program has no data */
  float largest;              /* |number| */
} agile_constant;

/* An operation of the device. */
typedef struct agile_operation {
  MlirOperation op;
  agile_mapping mapping;
  int32_t layer;
  int64_t heads;
  matrix_csr *m;                   /* the list, or an identity */
  uint64_t cycles[AGILE_MAPPINGS]; /* estimates of those that are possible; 0: it is not */
  uint64_t multiply_adds;
} agile_operation;

typedef struct agile_program {
  arena *arena;
  program_host *host;
  const device *device;
  bool no_data;
  const backend_precision *precision;
  uint8_t *precision_of_node; /* [rows of set "g"] in the order of the device; NULL: one for all */
  int precision_of_all;
  step_program *steps;
  chain chain;
  VEC(agile_operation) operations;
  map operation_of; /* MLIR operation -> 1 + index */
  map wide_of;      /* value -> 1: its rows have one column more */
  map matrix_of;    /* text -> matrix_csr */
  map list_of;      /* text -> agile_list */
  VEC(agile_list *) lists;
  VEC(agile_descs *) descs;
  map descs_of;    /* text -> agile_descs */
  map constant_of; /* text -> agile_constant */
  VEC(agile_constant *) constants;
  sections sections;
  VEC(agile_insn) code; /* addresses are tagged until the sections have places */
  int64_t starts;       /* layers of the device so far */
  bool is_too_large;    /* a message said so */
  chain_region addend;  /* memory of the addend of the current operation, where it needs some of its own */
} agile_program;

static inline const agile_device *agile_device_of(const agile_program *p) {
  return &p->device->agile;
}

/* The most columns of a message and of a result. */
static inline int64_t agile_most_columns(const agile_device *d) {
  int64_t most = (int64_t)agile_most_features(d);
  return most < d->fte_columns ? most : d->fte_columns;
}

/* ---- refuse.c ---- */

/* The reason why the device does not execute an operation; NULL: it does. */
const char *agile_refuse(MlirOperation op, program_host *host, const agile_device *d);

/* ---- rows.c ---- */

/* The columns of a part of a value, which follows from the operations that make and read it. */
int64_t agile_rows_part(MlirValue value, const agile_device *d);
agile_rows agile_rows_make(int64_t rows, int64_t width, int64_t part);
agile_rows agile_rows_of(agile_program *p, MlirValue value);
/* The columns of part number `i`. */
int64_t agile_rows_columns(const agile_rows *r, int64_t i);
/* Bytes from row to row of that part, as the device writes them. */
int64_t agile_rows_pitch(const agile_rows *r, int64_t i);
/* Where rows that are read lie; they may be constant. */
status agile_rows_read(agile_program *p, MlirValue value, agile_place *out);
agile_place agile_rows_write(agile_program *p, MlirValue value);
/* The same rows in parts like those of `like`: where they lie, or else in memory of their own, which the
 * caller frees as *region (empty: there is none). */
status agile_rows_read_like(agile_program *p, MlirValue value, const agile_rows *like, agile_place *out,
                            chain_region *region);
/* Rows for a while: chain_free(&p->chain, *region) ends it. */
agile_place agile_rows_alloc(agile_program *p, agile_rows r, chain_region *region);
extern const chain_class agile_rows_class;
/* Whether the values of the heads of a sum can be computed one after the other. */
bool agile_rows_have_heads(MlirValue in, int64_t heads, const agile_device *d);

/* ---- lists.c ---- */

/* The matrix of a device.edges, and an identity. */
status agile_list_edges(agile_program *p, MlirOperation edges, bool has_values, matrix_csr **out);
status agile_list_identity(agile_program *p, int64_t rows, matrix_csr **out);
/* The lists of rows of a set over messages that are `stride` bytes apart from `messages` on, with
 * extra neighbours. */
typedef struct agile_list_plan {
  const matrix_csr *m;
  bool has_values;
  const char *set;
  int64_t rows, stride;
  uint64_t messages;
  agile_extra extras[AGILE_MOST_EXTRAS];
  int num_extras;
} agile_list_plan;
status agile_list_make(agile_program *p, const agile_list_plan *x, agile_list **out);
/* A row of zeros, with as many numbers as a message can have. */
status agile_list_zeros(agile_program *p, agile_constant **out);
/* The descriptors of rows lo .. hi - 1 with messages of f features and results of o. */
agile_descs *agile_list_descs(agile_program *p, const agile_list *l, int64_t from, int64_t lo, int64_t hi, int64_t f,
                              int64_t o);
/* The number of neighbours of a row. */
int64_t agile_list_count(const agile_list *l, int64_t row);

/* ---- store.c ---- */

/* Finds numbers, or keeps them under a key. */
agile_constant *agile_store_find(const agile_program *p, const char *key);
status agile_store_constant(agile_program *p, const char *key, int64_t rows, int64_t width, int64_t pitch,
                            const float *numbers, agile_constant **out);
/* Makes all sections of the machine. */
status agile_store_write(agile_program *p, diag *d, image *out);

/* ---- layer.c ---- */

/* Weights of a layer: rows k0 .. k0 + kn - 1 and columns n0 .. n0 + nn - 1 of numbers [k][n], and with
 * `bias` one more input feature with that row; without numbers and key, an identity that takes
 * columns begin .. of the message. */
typedef struct agile_weights {
  const char *key;      /* NULL: an identity */
  const float *numbers; /* NULL: unknown */
  int64_t n, k0, kn, n0, nn;
  bool has_bias;
  const float *bias; /* [n] */
  float unit;        /* that of the bias's message */
  int64_t begin;
} agile_weights;

/* A layer of the device. */
typedef struct agile_layer_plan {
  int32_t layer;
  const agile_list *list;
  uint64_t messages; /* where the first message is */
  uint64_t scales;   /* where the host writes them: an address; 0: they are the list's */
  agile_weights w;
  int64_t f, o; /* input and output features */
  uint64_t out;
  int activation; /* AGILE_ACTIVATION_* */
  float alpha;
  int64_t lo, hi;        /* rows */
  uint64_t bias_address; /* has_vector_bias; 0: none */
} agile_layer_plan;
status agile_layer_emit(agile_program *p, const agile_layer_plan *x);

/* ---- cost.c ---- */

/* Estimated cycles of a layer: those of its busiest part, and the fetch of weights. `extra`: more
 * neighbours of each row. m NULL: only those. */
uint64_t agile_cost_layer(const agile_device *d, const matrix_csr *m, int64_t rows, int64_t extra, int64_t f,
                          int64_t o);

/* ---- map.c ---- */

/* Chooses how every operation of the device becomes layers. */
status agile_map_operations(agile_program *p);
const char *agile_mapping_name(agile_mapping mapping);
/* Whether the bias of a product is one more column of its rows. */
bool agile_map_has_column(agile_program *p, MlirValue in);

/* ---- emit.c ---- */

/* Writes the records and steps of one operation: a step_program_execute. */
status agile_emit_operation(step_program *steps, MlirOperation op, void *program);

/* ---- remark.c ---- */

/* Reports where each operation of the function runs, how, and why. */
void agile_remark(const agile_program *p, diag *d);

#endif
