/* Loops over features: values are computed element by element, in as few loops as their operands
 * allow. */
#ifndef GNNC_CODEGEN_C_BODY_NEST_H
#define GNNC_CODEGEN_C_BODY_NEST_H

#include "codegen/c/body/body.h"
#include "codegen/c/body/target.h"

/* One loop of a nest: `rank` dimensions of the payload are covered once it is entered. */
typedef struct c_loop {
  const char *variable;
  int64_t extent;
  unsigned rank;
} c_loop;

/* The loops an element is addressed by, outermost first. */
typedef struct c_index {
  c_loop loops[IR_MAX_RANK + 1];
  unsigned count;
} c_index;

/* The state that leaving a nest goes back to. */
typedef struct c_mark {
  size_t names, hoisted;
  unsigned depth;
} c_mark;

/* Computes a value into a target. */
void c_nest_store(c_body *b, MlirValue value, c_target target);
/* The expression of one element, at loops that reach the value's rank. */
const char *c_nest_element(c_body *b, MlirValue value, const c_index *index);
/* The ranks at which loops over the value's dimensions must be cut, as bits. */
unsigned c_nest_cuts(c_body *b, MlirValue value);
/* Opens loops over the dimensions that `index` does not cover yet, up to `rank`, and computes
 * operands of lower rank of the trees into scalars on the way. */
void c_nest_open(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                 unsigned cuts, c_index *index);
/* The same; the innermost loop's iterations are independent and said to be. */
void c_nest_open_features(c_body *b, const MlirValue *trees, unsigned tree_count, const int64_t *dims, unsigned rank,
                          unsigned cuts, c_index *index);
/* Computes what the tree needs at the loops entered so far (all operands of that rank) into
 * scalars. */
void c_nest_hoist(c_body *b, MlirValue tree, const c_index *index);
c_mark c_nest_mark(const c_body *b);
/* Closes the loops opened since. */
void c_nest_leave(c_body *b, c_mark mark);
/* The flat position of the first `rank` dimensions: "h * 8 + c". */
const char *c_nest_flat(c_body *b, const c_index *index, unsigned rank);
/* The first loops of an index, those over `rank` dimensions. */
c_index c_nest_prefix(const c_index *index, unsigned rank);

#endif
