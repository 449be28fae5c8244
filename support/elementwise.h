/* Element-wise functions: elementwise.def as constants and as data. */
#ifndef GNNC_SUPPORT_ELEMENTWISE_H
#define GNNC_SUPPORT_ELEMENTWISE_H

#include <stdbool.h>
#include <stddef.h>

/* UNARY_relu, ...; UNARY_none is no function. */
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
  const char *name; /* NULL: none */
  double fallback;
} elementwise_parameter;

typedef struct elementwise_unary_info {
  const char *name;
  bool is_function; /* else an operator */
  elementwise_parameter parameters[ELEMENTWISE_MAX_PARAMETERS];
  double flops;
  const char *formula, *derivative; /* as written in the table */
  const char *doc;
} elementwise_unary_info;

typedef struct elementwise_binary_info {
  const char *name;
  const char *operation; /* of the gnn level */
  double flops;
  const char *formula, *derivative_a, *derivative_b;
  const char *doc;
} elementwise_binary_info;

extern const elementwise_unary_info elementwise_unaries[UNARY_COUNT];
extern const elementwise_binary_info elementwise_binaries[BINARY_COUNT];

/* How many numbers a function takes beside x. */
static inline int elementwise_count_parameters(elementwise_unary f) {
  int count = 0;
  while (count < ELEMENTWISE_MAX_PARAMETERS && elementwise_unaries[f].parameters[count].name) count++;
  return count;
}

/* The function of a name; UNARY_none, BINARY_none for NULL and other names. */
elementwise_unary elementwise_unary_find(const char *name);
elementwise_binary elementwise_binary_find(const char *name);

/* f(x, p, q) and f(a, b) in double; f is a row. */
double elementwise_unary_f64(elementwise_unary f, double x, double p, double q);
double elementwise_binary_f64(elementwise_binary f, double a, double b);

/* A function with its numbers: "leaky_relu 0.2", "clamp -1 1", as the device level and manifests of
 * programs write it. */
typedef struct elementwise_call {
  elementwise_unary function;
  float p, q;
} elementwise_call;

/* False where the text is no function with as many numbers as it takes. */
bool elementwise_call_parse(const char *text, elementwise_call *out);

#endif
