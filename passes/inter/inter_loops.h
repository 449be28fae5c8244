/* What the passes between gnn and intra share: questions about loops, walks over bodies, erasing,
 * and errors at a line of the model. */
#ifndef GNNC_PASSES_INTER_INTER_LOOPS_H
#define GNNC_PASSES_INTER_INTER_LOOPS_H

#include "passes/manager/pass.h"
#include "support/vec.h"

/* Outer loops are in the body of a function: for_nodes, for_edges, for_types, once. Inner loops are
 * in the body of a loop: for_incoming, for_outgoing, softmax_incoming, for_members, for_nonzeros,
 * intra.nonzeros. */
bool inter_is_outer_loop(MlirOperation op);
bool inter_is_inner_loop(MlirOperation op);
/* Whether an inner loop is over the edges of a node: for_incoming, for_outgoing, softmax_incoming. */
bool inter_is_sum(MlirOperation op);

/* The cursor of a loop's own body; null for inter.once. */
MlirValue inter_cursor_of(MlirOperation loop);

/* Calls `visit` for every operation in a block and in the bodies of its loops, in order, a loop
 * before its body, and for terminators too. `visit` may erase an operation that has no body. */
typedef void (*inter_visitor)(MlirOperation op, void *user);
void inter_walk(MlirBlock block, inter_visitor visit, void *user);

/* The block of a value: that of its operation, or the one whose argument it is. */
MlirBlock inter_value_block(MlirValue value);
/* The operation in `block` that is `op` or contains it; null when op is elsewhere. */
MlirOperation inter_ancestor_in(MlirOperation op, MlirBlock block);

/* Moves an operation to the end of a block, before its terminator if it has one. */
void inter_move_to_end(MlirOperation op, MlirBlock block);

/* The inter.result operations of a loop, by index; in the arena of the pass. */
typedef VEC(MlirOperation) inter_ops;
inter_ops inter_results_of(pass_context *p, MlirOperation loop);

/* The value number `index` that a loop yields. */
MlirValue inter_yielded(MlirOperation loop, unsigned index);

/* Makes a loop like `like` (same kind, operands and location) over a region, before `before`. For
 * inner loops `reduce` gives the reductions. */
MlirOperation inter_build_like(MlirOperation like, MlirRegion region, MlirAttribute reduce, MlirBlock block,
                               MlirOperation before);

/* Reports "unsupported" at the place of the operation in the model. Returns false. */
bool inter_refuse(pass_context *p, MlirOperation op, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The function of the module with gnn.phase = `phase`; null if none. */
MlirOperation inter_find_phase(MlirOperation module, const char *phase);
/* For each argument of the run function, the number of the result of bind that it gets: by
 * gnn.name, else by position. -1: none, also where the argument is not gnn.bound. */
const int64_t *inter_bound_results(pass_context *p, MlirOperation bind, MlirOperation run);

#endif
