/* Loops over features: values are computed element by element, in as few loops as their operands
 * allow. */
#ifndef GNNC_CODEGEN_C_BODY_NEST_H
#define GNNC_CODEGEN_C_BODY_NEST_H

#include "codegen/c/body/body.h"
#include "codegen/c/body/target.h"

/* One loop of a nest. Inside it, `rank` dimensions of the payload are covered. */
typedef struct c_loop {
  const char *variable;
  int64_t extent;
  unsigned rank;
} c_loop;

/* The loops by which an element is addressed, outermost first. */
typedef struct c_index {
  c_loop loops[IR_MAX_RANK + 1];
  unsigned count;
} c_index;

/* The state to which leaving a nest returns. */
typedef struct c_mark {
  size_t names, hoisted;
  unsigned depth;
} c_mark;

/* Writes the computation of a value into a target. */
void c_nest_store(c_body *b, MlirValue value, c_target target);
/* The expression of one element of a value, inside loops that cover the value's dimensions. */
const char *c_nest_element(c_body *b, MlirValue value, const c_index *index);
/* The ranks at which loops over the value's dimensions must be cut, as a bit mask: there an operand
 * has fewer dimensions. */
unsigned c_nest_cuts(c_body *b, MlirValue value);
/* Opens loops over the dimensions that `index` does not cover yet, up to `rank`. On the way it
 * computes operands of lower rank of the trees into scalars. */
void c_nest_open(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                 unsigned cuts, c_index *index);
/* The same; the innermost loop is marked as having independent iterations. */
void c_nest_open_features(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                          unsigned cuts, c_index *index);
/* Computes all operands of the tree that the loops entered so far cover into scalars. */
void c_nest_hoist(c_body *b, MlirValue tree, const c_index *index);
/* The current state, for c_nest_leave. */
c_mark c_nest_mark(const c_body *b);
/* Closes the loops that were opened since the mark. */
void c_nest_leave(c_body *b, c_mark mark);
/* The flat position of the first `rank` dimensions: "h * 8 + c". */
const char *c_nest_flat(c_body *b, const c_index *index, unsigned rank);
/* The first loops of an index, which cover `rank` dimensions. */
c_index c_nest_prefix(const c_index *index, unsigned rank);

#endif
