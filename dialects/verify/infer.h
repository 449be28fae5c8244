/* Infers result types from operands and attributes, by the same rules for existing operations and
 * for those that are about to be built. */
#ifndef GNNC_DIALECTS_VERIFY_INFER_H
#define GNNC_DIALECTS_VERIFY_INFER_H

#include "dialects/ir/ir_private.h"

/* The description of an operation for inference. */
typedef struct infer {
  MlirContext context;
  MlirLocation location;
  ir_op op;
  const ir_op_info *info;
  MlirValue values[IR_MAX_OPERANDS]; /* by declared position; null: absent */
  ir_type types[IR_MAX_OPERANDS];
  MlirOperation existing;    /* the operation with the attributes; null: it is not built yet, and they are in */
  const ir_attr *attributes; /* the list given to ir_build */
  MlirRegion region;
} infer;

/* Describes an existing operation of ours; the number of its operands must have been checked. */
infer infer_of(MlirOperation op);
/* Infers the result type; false after reporting why there is none. True for operations without a
 * result. */
bool infer_result(const infer *in, ir_type *result);

/* ---- for the rules ---- */

MlirAttribute infer_attribute(const infer *in, const char *name); /* null: absent */
const char *infer_string(const infer *in, const char *name);      /* "": absent or not a string */
/* The name of an operand for messages: that in the model, else that in the table. */
const char *infer_name(const infer *in, unsigned operand);
/* "an edge", "a node": what a cursor is at, for messages. */
const char *infer_with_article(const char *detail);
/* Reports an error at the operation; returns false. */
bool infer_error(const infer *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports that an operation of the table has no rule, which is a defect of the compiler. */
bool infer_no_rule(const infer *in);
/* Whether two sizes are equal or one of them is unknown. */
bool infer_same_dim(int64_t a, int64_t b);
/* The one of two sizes that is known. */
int64_t infer_known_dim(int64_t a, int64_t b);
bool infer_same_payload(ir_type a, ir_type b);

/* Sets kind and set of the result to the join of two operands (plain < node, edge, per); does not
 * change the payload. */
bool infer_join_domain(const infer *in, unsigned a, unsigned b, ir_type *result);
/* Aligns leading dimensions: the result has the longer payload; sizes must agree as far as the
 * shorter one goes. */
bool infer_broadcast(const infer *in, unsigned a, unsigned b, ir_type *result);
/* Checks that an operand, per node or per edge, belongs to the graph at position `graph`. */
bool infer_check_on_graph(const infer *in, unsigned operand, unsigned graph);
/* The type of x, with checks of p and site. */
bool infer_dropout(const infer *in, ir_type *result);
/* The payload T of a value T per piece. */
bool infer_combined(const infer *in, ir_type *result);
/* Checks rank(operand) >= least. */
bool infer_check_rank(const infer *in, unsigned operand, unsigned least);

typedef bool (*infer_rule)(const infer *in, ir_type *result);
bool infer_gnn(const infer *in, ir_type *result);   /* operations on graphs; calls the next for the others */
bool infer_layer(const infer *in, ir_type *result); /* operations on payloads */
bool infer_inter(const infer *in, ir_type *result);
bool infer_intra(const infer *in, ir_type *result);
bool infer_device(const infer *in, ir_type *result);

#endif
