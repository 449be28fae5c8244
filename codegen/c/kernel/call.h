/* Calls of routines of the prelude that add up rows: parameters, and members of the struct that a
 * routine takes. */
#ifndef GNNC_CODEGEN_C_KERNEL_CALL_H
#define GNNC_CODEGEN_C_KERNEL_CALL_H

#include "codegen/c/body/body.h"

typedef VEC(c_parameter) c_call_parameters;

/* The state while a call is written. */
typedef struct c_call {
  c_model *m;
  c_writer *w;
  const c_kernel *kernel;
  const char *const *names; /* of the kernel's parameters */
} c_call;

/* Two operands that are read at the same rows, each at the row itself or where an edge leads. */
typedef struct c_call_rows {
  const c_buffer *buffers[2]; /* may be NULL */
  const char *gathers[2];     /* none, src, dst, group_src, group_dst */
  c_rows rows;                /* that are walked */
  int set;
} c_call_rows;

/* The number of a set that intra.graph has named. */
int c_call_find_set(const c_model *m, const char *name);

/* The rows that are walked: edges of the kernel's graph where an operand is gathered, else those of the second operand. */
c_call_rows c_call_find_rows(const c_model *m, MlirOperation op, const c_buffer *first, const c_buffer *second,
                             const char *const gathers[2]);

/* ---- parameters ---- */

/* Adds a buffer (NULL: none), or a set that is not there yet. */
void c_call_add_buffer(const c_model *m, c_call_parameters *list, const c_buffer *buffer, bool is_written);
void c_call_add_set(const c_model *m, c_call_parameters *list, int set);
/* Adds the sets that lead from rows to operands; with `needs_rows` also the one that has the rows. */
void c_call_add_sets(const c_model *m, c_call_parameters *list, const c_call_rows *rows, bool needs_rows);

/* ---- members ---- */

const char *c_call_name(const c_call *at, const c_buffer *buffer);
/* "g.src": an array of a set, whose parameter is "&g". */
const char *c_call_array(const c_call *at, int set, const char *array);
void c_call_member(const c_call *at, const char *name, const char *value);
void c_call_number(const c_call *at, const char *name, int64_t value);
/* The members of a contract_side: how rows lead to those of operand `i`. `array` is the member of its numbers, NULL for
 * those of a real or a float operand. */
void c_call_side(const c_call *at, const char *side, const c_call_rows *rows, int i, const char *array);

#endif
