/* Result types from operands and attributes, the same rules for operations that exist and for those
 * about to be built. */
#ifndef GNNC_DIALECTS_VERIFY_INFER_H
#define GNNC_DIALECTS_VERIFY_INFER_H

#include "dialects/ir/ir_private.h"

/* An operation as inference sees it. */
typedef struct infer {
  MlirContext context;
  MlirLocation location;
  ir_op op;
  const ir_op_info *info;
  MlirValue values[IR_MAX_OPERANDS]; /* by declared position; null = absent */
  ir_type types[IR_MAX_OPERANDS];
  MlirOperation existing;    /* its attributes, or where there is none yet: */
  const ir_attr *attributes; /* the list given to ir_build */
  MlirRegion region;
} infer;

/* A view of an operation of ours that exists; its operands must have been counted. */
infer infer_of(MlirOperation op);
/* The result type; false after reporting why there is none. Operations without a result give
 * true. */
bool infer_result(const infer *in, ir_type *result);

/* ---- for the rules ---- */

MlirAttribute infer_attribute(const infer *in, const char *name); /* null = absent */
const char *infer_string(const infer *in, const char *name);      /* "" = absent or not a string */
/* How a message calls an operand: its name in the model, else the one of the table. */
const char *infer_name(const infer *in, unsigned operand);
/* "an edge", "a node": what a cursor is at. */
const char *infer_with_article(const char *detail);
/* Reports at the operation; returns false. */
bool infer_error(const infer *in, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reports an operation of the table that has no rule yet: a defect of ours. */
bool infer_no_rule(const infer *in);
/* Dimensions agree where they are equal or not known. */
bool infer_same_dim(int64_t a, int64_t b);
/* The one that is known. */
int64_t infer_known_dim(int64_t a, int64_t b);
bool infer_same_payload(ir_type a, ir_type b);

/* Sets kind and set of the result to the join of two operands (plain < node, edge, per); payload is
 * left alone. */
bool infer_join_domain(const infer *in, unsigned a, unsigned b, ir_type *result);
/* Leading dimensions aligned: the longer payload, sizes agreeing as far as the shorter goes. */
bool infer_broadcast(const infer *in, unsigned a, unsigned b, ir_type *result);
/* The operand, per node or per edge, is of the nodes or edges of the graph at position `graph`. */
bool infer_check_on_graph(const infer *in, unsigned operand, unsigned graph);
/* rank(operand) >= least, or a message. */
bool infer_check_rank(const infer *in, unsigned operand, unsigned least);

typedef bool (*infer_rule)(const infer *in, ir_type *result);
bool infer_gnn(const infer *in, ir_type *result);   /* graph operations, then: */
bool infer_layer(const infer *in, ir_type *result); /* operations on payloads */
bool infer_inter(const infer *in, ir_type *result);
bool infer_intra(const infer *in, ir_type *result);
bool infer_device(const infer *in, ir_type *result);

#endif
