/* The element-wise functions of elementwise.def, as constants and as tables. */
#ifndef GNNC_SUPPORT_ELEMENTWISE_H
#define GNNC_SUPPORT_ELEMENTWISE_H

#include <stdbool.h>
#include <stddef.h>

/* The constants are UNARY_relu and so on, one per row; UNARY_none stands for no function. */
typedef enum elementwise_unary {
  UNARY_none = -1,
#define UNARY(name, kind, p, p_default, q, q_default, flops, formula, derivative, reference, doc) UNARY_##name,
#include "support/elementwise.def"
  UNARY_COUNT
} elementwise_unary;

typedef enum elementwise_binary {
  BINARY_none = -1,
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc) BINARY_##name,
#include "support/elementwise.def"
  BINARY_COUNT
} elementwise_binary;

enum { ELEMENTWISE_MAX_PARAMETERS = 2 };

typedef struct elementwise_parameter {
  const char *name; /* NULL: the function has no such parameter */
  double fallback;
} elementwise_parameter;

typedef struct elementwise_unary_info {
  const char *name;
  bool is_function; /* false: an operator */
  elementwise_parameter parameters[ELEMENTWISE_MAX_PARAMETERS];
  double flops;
  const char *formula, *derivative; /* in C, as written in the table */
  const char *doc;
} elementwise_unary_info;

typedef struct elementwise_binary_info {
  const char *name;
  const char *operation; /* the operation of the gnn level */
  double flops;
  const char *formula, *derivative_a, *derivative_b;
  const char *doc;
} elementwise_binary_info;

extern const elementwise_unary_info elementwise_unaries[UNARY_COUNT];
extern const elementwise_binary_info elementwise_binaries[BINARY_COUNT];

/* Returns the number of parameters of a function, not counting x; f is a row. */
static inline int elementwise_count_parameters(elementwise_unary f) {
  int count = 0;
  while (count < ELEMENTWISE_MAX_PARAMETERS && elementwise_unaries[f].parameters[count].name) count++;
  return count;
}

/* Return the function of that name; UNARY_none or BINARY_none for NULL and unknown names. */
elementwise_unary elementwise_unary_find(const char *name);
elementwise_binary elementwise_binary_find(const char *name);

/* Compute f(x, p, q) and f(a, b) in double; f is a row. */
double elementwise_unary_f64(elementwise_unary f, double x, double p, double q);
double elementwise_binary_f64(elementwise_binary f, double a, double b);

/* A function with the values of its parameters: "leaky_relu 0.2", "clamp -1 1". The device level
 * and the manifests of programs write functions in this form. */
typedef struct elementwise_call {
  elementwise_unary function;
  float p, q;
} elementwise_call;

/* Reads such a text. Returns false when it is not a function followed by exactly its parameters;
 * *out is then a call of UNARY_none. */
bool elementwise_call_parse(const char *text, elementwise_call *out);

#endif
