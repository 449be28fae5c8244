/* A checked model, expanded: a flat list of typed values in order of use, one per operation of the
 * gnn dialect.
 *
 * Semantic analysis produces it, and emit_gnn turns it into IR one to one. It needs no MLIR: its
 * operations are the rows of dialects/gnn_ops.def. Sizes are symbolic while the program is built
 * and numbers when it is complete. */
#ifndef GNNC_FRONTEND_SEMA_FLAT_H
#define GNNC_FRONTEND_SEMA_FLAT_H

#include "frontend/sema/dims.h"
#include "support/source.h"
#include "support/text.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* FLAT_linear, FLAT_gather, ...: the rows of gnn_ops.def in their order, then the sources of
 * values. */
typedef enum flat_op {
#define OP(dialect, name, traits, summary, doc) FLAT_##name,
#define OPS_OF_GNN
#include "dialects/ops.def"
  FLAT_graph,  /* the graph argument                                  */
  FLAT_input,  /* a field of the graph file, or an embedding          */
  FLAT_weight, /* a tensor of the weights file, in the file's shape   */
  FLAT_state,  /* the state or the step in the body of a fold         */
  FLAT_op_count
} flat_op;

typedef enum flat_domain {
  FLAT_DOMAIN_plain,
  FLAT_DOMAIN_node,
  FLAT_DOMAIN_edge,
  FLAT_DOMAIN_etype,
  FLAT_DOMAIN_ntype,
  FLAT_DOMAIN_pergraph,
  FLAT_DOMAIN_graph
} flat_domain;

enum { FLAT_MAX_RANK = 6, FLAT_MAX_OPERANDS = 16, FLAT_MAX_ATTRIBUTES = 4 };

/* `set` names the edge set of edge values and graphs ("g", "g.replace") and the node set of node
 * values ("g", or "g:2" for its nodes of type 2); else NULL. */
typedef struct flat_type {
  flat_domain domain;
  const char *set;
  bool is_integer; /* i32 instead of f32: an input, or elements of one */
  unsigned rank;
  dim dims[FLAT_MAX_RANK];
} flat_type;

typedef enum flat_attribute_kind {
  FLAT_ATTRIBUTE_string,
  FLAT_ATTRIBUTE_number, /* a float attribute            */
  FLAT_ATTRIBUTE_size,   /* a float whose value is a size */
  FLAT_ATTRIBUTE_integer,
  FLAT_ATTRIBUTE_shape, /* integers: the dims of the value's own type */
  FLAT_ATTRIBUTE_whole, /* an integer whose value is a size */
  FLAT_ATTRIBUTE_sizes, /* integers whose values are sizes */
  FLAT_ATTRIBUTE_flag   /* a true bool */
} flat_attribute_kind;

typedef struct flat_attribute {
  const char *name;
  flat_attribute_kind kind;
  const char *string;
  double number;
  dim size;
  int64_t integer;
  dim *sizes; /* `integer` of them */
} flat_attribute;

/* One expanded call: the layer, the place of the call, and the call that contains it. */
typedef struct flat_frame {
  const struct flat_frame *parent;
  const char *layer;
  span call;
  unsigned depth;
} flat_frame;

/* The number of a value: its index in the program; FLAT_NONE = absent. */
typedef uint32_t flat_id;
#define FLAT_NONE UINT32_MAX

typedef struct flat_value {
  flat_op op;
  flat_type type;
  flat_id operands[FLAT_MAX_OPERANDS]; /* by declared position */
  unsigned attribute_count;
  flat_attribute attributes[FLAT_MAX_ATTRIBUTES];
  const char *name;  /* "conv1.z": for IR and generated code; NULL = none */
  const char *from;  /* inputs and weights: the name in the file */
  bool from_weights; /* an input that the weights file holds */
  dim count;         /* per-type weights: how many types; else NULL */
  bool is_required;  /* a weight without a default: training keeps it, whether or not it is used */
  bool is_frozen;    /* a weight that training never changes */
  bool is_trained;   /* an input that training changes */
  /* How training begins: "uniform" with `init_fan` is +-1 / sqrt(init_fan); NULL = by the shape. */
  const char *init;
  bool has_init_value;
  double init_value;
  dim init_fan;
  bool is_inside; /* it is in the body of a fold */
  /* Of a fold: the values of its body in their order, what stands there for the state and for the
   * number of the step, and the next state. */
  const flat_id *body;
  size_t body_count;
  flat_id state, step, yield;
  span span;
  const flat_frame *frame; /* NULL = written in the model itself */
} flat_value;

typedef struct flat_output {
  const char *name;
  flat_id value;
  span span;
} flat_output;

typedef struct flat_program {
  const char *model;
  const source *source;
  span span; /* of the model's name */
  dim_system *dims;
  VEC(flat_value *) values;
  VEC(flat_output) outputs;
  flat_output loss; /* without a name where the model has none, and without training */
  bool is_training;
  const char *backward; /* of sema_environment */
} flat_program;

/* "gnn.linear" without the dialect: "linear"; "graph" "input" "weight" "state" for the last four. */
const char *flat_op_name(flat_op op);

/* Appends "node f32[F, 2*C]", as the language writes it; sizes that are known are numbers. */
void flat_print_type(dim_system *dims, flat_type type, text *out);

/* Appends the whole program, one line per value, for tests and debugging:
 *   %3 conv1.z : node f32[16] = linear(%0, %2) */
void flat_print(const flat_program *p, text *out);

#endif
