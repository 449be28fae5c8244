/* Every payload operation, in a kernel of its own on shapes of every rank, agrees with loops in
 * double that are written here. */
#include "codegen_fixture.h"

enum { NODES = 5, LARGEST = 200 };

/* One operation: y = op(a, b). A type is its dimensions, "" for f32; b is NULL where there is one
 * operand. */
typedef struct payload_case {
  const char *op, *attributes, *a, *b, *y;
  void (*reference)(const double *a, const double *b, double *y);
  bool chained; /* element-wise operations precede the operands, so that the operands are inlined */
} payload_case;

#define FOR(i, n) for (int i = 0; i < (n); i++)
#define REFERENCE(name) static void ref_##name(const double *a, const double *b, double *y)
#define UNARY_REFERENCE(name, expression)                                                                              \
  REFERENCE(name) {                                                                                                    \
    (void)b;                                                                                                           \
    FOR(i, 24) {                                                                                                       \
      double x = a[i];                                                                                                 \
      y[i] = expression;                                                                                               \
    }                                                                                                                  \
  }

UNARY_REFERENCE(relu, x > 0 ? x : 0)
UNARY_REFERENCE(leaky_relu, x > 0 ? x : 0.2 * x)
UNARY_REFERENCE(elu, x > 0 ? x : 1.5 * (exp(x) - 1))
UNARY_REFERENCE(sigmoid, 1 / (1 + exp(-x)))
UNARY_REFERENCE(swish, x / (1 + exp(-x)))
UNARY_REFERENCE(gelu, x / 2 * (1 + erf(x / sqrt(2))))
UNARY_REFERENCE(tanh, tanh(x))
UNARY_REFERENCE(exp, exp(x))
UNARY_REFERENCE(log, log(x))
UNARY_REFERENCE(sqrt, sqrt(x))
UNARY_REFERENCE(rsqrt, 1 / sqrt(x))
UNARY_REFERENCE(negate, -x)
UNARY_REFERENCE(reciprocal, 1 / x)
UNARY_REFERENCE(abs, fabs(x))
UNARY_REFERENCE(softplus, log(1 + exp(x)))
UNARY_REFERENCE(erf, erf(x))
UNARY_REFERENCE(expm1, exp(x) - 1)
UNARY_REFERENCE(log1p, log(1 + x))
UNARY_REFERENCE(sin, sin(x))
UNARY_REFERENCE(cos, cos(x))
UNARY_REFERENCE(add_constant, x - 0.75)
UNARY_REFERENCE(mul_constant, x * -1.5)
UNARY_REFERENCE(sign, x > 0 ? 1 : x < 0 ? -1 : 0)
UNARY_REFERENCE(floor, floor(x))
UNARY_REFERENCE(round, nearbyint(x))
UNARY_REFERENCE(clamp, fmin(fmax(x, 0.5), 0.875))
#define BINARY_REFERENCE(name, expression)                                                                             \
  REFERENCE(name) {                                                                                                    \
    FOR(i, 24) y[i] = expression;                                                                                      \
  }
BINARY_REFERENCE(atan2, atan2(a[i], b[i]))
BINARY_REFERENCE(pow, pow(a[i], b[i]))
REFERENCE(add_24) {
  FOR(i, 24) y[i] = a[i] + b[i];
}
REFERENCE(subtract_scalar) {
  FOR(i, 24) y[i] = a[0] - b[i];
}
REFERENCE(multiply_heads) {
  FOR(h, 4) FOR(c, 6) y[h * 6 + c] = a[h] * b[h * 6 + c];
}
REFERENCE(multiply_three) {
  FOR(i, 2) FOR(j, 24) y[i * 24 + j] = a[i] * b[i * 24 + j];
}
REFERENCE(divide_middle) {
  FOR(i, 2) FOR(j, 3) FOR(k, 8) y[(i * 3 + j) * 8 + k] = a[(i * 3 + j) * 8 + k] / b[i * 3 + j];
}
REFERENCE(maximum) {
  FOR(i, 24) y[i] = fmax(a[i], b[i]);
}
REFERENCE(minimum) {
  FOR(i, 24) y[i] = fmin(a[i], b[i]);
}
REFERENCE(scalar_add) {
  y[0] = a[0] + b[0];
}
REFERENCE(lt) {
  FOR(i, 24) y[i] = a[i] < b[i];
}
REFERENCE(ge) {
  FOR(i, 24) y[i] = a[i] >= b[i];
}
REFERENCE(eq) {
  FOR(i, 24) y[i] = a[i] == b[i];
}
REFERENCE(ne) {
  FOR(i, 24) y[i] = a[i] != b[i];
}
REFERENCE(inner) {
  y[0] = 0;
  FOR(k, 24) y[0] += a[k] * b[k];
}
REFERENCE(inner_heads) {
  FOR(h, 4) {
    y[h] = 0;
    FOR(k, 6) y[h] += a[h * 6 + k] * b[h * 6 + k];
  }
}
REFERENCE(inner_short) {
  FOR(h, 4) {
    y[h] = 0;
    FOR(k, 6) y[h] += a[h * 6 + k] * b[k];
  }
}
REFERENCE(inner_one_head) {
  y[0] = 0;
  FOR(k, 7) y[0] += a[k] * b[k];
}
REFERENCE(linear) {
  FOR(n, 5) {
    y[n] = 0;
    FOR(k, 6) y[n] += a[k] * b[k * 5 + n];
  }
}
REFERENCE(linear_transposed) {
  FOR(n, 5) {
    y[n] = 0;
    FOR(k, 6) y[n] += a[k] * b[n * 6 + k];
  }
}
REFERENCE(linear_rows) {
  FOR(r, 4) FOR(n, 5) {
    y[r * 5 + n] = 0;
    FOR(k, 6) y[r * 5 + n] += a[r * 6 + k] * b[k * 5 + n];
  }
}
REFERENCE(linear_batched) {
  FOR(h, 4) FOR(n, 5) {
    y[h * 5 + n] = 0;
    FOR(k, 6) y[h * 5 + n] += a[h * 6 + k] * b[(h * 6 + k) * 5 + n];
  }
}
REFERENCE(linear_batched_rows) {
  FOR(h, 2) FOR(m, 2) FOR(n, 5) {
    double *sum = &y[(h * 2 + m) * 5 + n];
    *sum = 0;
    FOR(k, 6) *sum += a[(h * 2 + m) * 6 + k] * b[(h * 6 + k) * 5 + n];
  }
}
REFERENCE(sum) {
  (void)b;
  FOR(h, 4) {
    y[h] = 0;
    FOR(k, 6) y[h] += a[h * 6 + k];
  }
}
REFERENCE(mean) {
  (void)b;
  y[0] = 0;
  FOR(k, 24) y[0] += a[k] / 24;
}
REFERENCE(max) {
  (void)b;
  FOR(h, 4) {
    y[h] = -INFINITY;
    FOR(k, 6) y[h] = fmax(y[h], a[h * 6 + k]);
  }
}
REFERENCE(min) {
  (void)b;
  y[0] = INFINITY;
  FOR(k, 24) y[0] = fmin(y[0], a[k]);
}
REFERENCE(softmax) {
  (void)b;
  FOR(h, 4) {
    double sum = 0;
    FOR(k, 6) sum += exp(a[h * 6 + k]);
    FOR(k, 6) y[h * 6 + k] = exp(a[h * 6 + k]) / sum;
  }
}
REFERENCE(log_softmax) {
  (void)b;
  double sum = 0;
  FOR(k, 24) sum += exp(a[k]);
  FOR(k, 24) y[k] = a[k] - log(sum);
}
REFERENCE(argmax) {
  (void)b;
  FOR(h, 4) {
    y[h] = 0;
    FOR(k, 6) if (a[h * 6 + k] > a[h * 6 + (int)y[h]]) y[h] = k;
  }
}
REFERENCE(concat) {
  FOR(h, 4) {
    FOR(k, 6) y[h * 9 + k] = a[h * 6 + k];
    FOR(k, 3) y[h * 9 + 6 + k] = b[h * 3 + k];
  }
}
REFERENCE(concat_flat) {
  FOR(k, 6) y[k] = a[k];
  FOR(k, 3) y[6 + k] = b[k];
}
REFERENCE(columns) {
  (void)b;
  FOR(h, 4) FOR(k, 3) y[h * 3 + k] = a[h * 6 + 2 + k];
}
REFERENCE(columns_flat) {
  (void)b;
  FOR(k, 5) y[k] = a[k];
}
REFERENCE(column) {
  (void)b;
  y[0] = a[4];
}
REFERENCE(same) {
  (void)b;
  FOR(i, 24) y[i] = a[i];
}
REFERENCE(same_one) {
  (void)b;
  y[0] = a[0];
}
REFERENCE(outer) {
  FOR(i, 4) FOR(j, 6) y[i * 6 + j] = a[i] * b[j];
}
REFERENCE(transpose) {
  (void)b;
  FOR(i, 4) FOR(j, 6) y[j * 4 + i] = a[i * 6 + j];
}
REFERENCE(transpose_three) {
  (void)b;
  FOR(h, 2) FOR(i, 4) FOR(j, 3) y[(h * 3 + j) * 4 + i] = a[(h * 4 + i) * 3 + j];
}

#define SEGMENTS "operandSegmentSizes = array<i32: 1, 1, 0, 0>"
#define ACTIVATION(function, attributes)                                                                               \
  {"activation", "{function = \"" #function "\"" attributes "}", "4x6", NULL, "4x6", ref_##function, false}

static const payload_case cases[] = {
    ACTIVATION(relu, ""),
    ACTIVATION(leaky_relu, ", slope = 0.2 : f64"),
    ACTIVATION(elu, ", alpha = 1.5 : f64"),
    ACTIVATION(sigmoid, ""),
    ACTIVATION(swish, ""),
    ACTIVATION(gelu, ""),
    ACTIVATION(tanh, ""),
    ACTIVATION(exp, ""),
    ACTIVATION(log, ""),
    ACTIVATION(sqrt, ""),
    ACTIVATION(rsqrt, ""),
    ACTIVATION(negate, ""),
    ACTIVATION(reciprocal, ""),
    ACTIVATION(abs, ""),
    ACTIVATION(softplus, ""),
    ACTIVATION(erf, ""),
    ACTIVATION(expm1, ""),
    ACTIVATION(log1p, ""),
    ACTIVATION(sin, ""),
    ACTIVATION(cos, ""),
    ACTIVATION(add_constant, ", p = -0.75 : f64"),
    ACTIVATION(mul_constant, ", p = -1.5 : f64"),
    ACTIVATION(sign, ""),
    ACTIVATION(floor, ""),
    ACTIVATION(round, ""),
    ACTIVATION(clamp, ", low = 0.5 : f64, high = 0.875 : f64"),
    {"binary", "{function = \"atan2\"}", "24", "24", "24", ref_atan2, true},
    {"binary", "{function = \"pow\"}", "24", "24", "24", ref_pow, false},
    {"vector_add", "", "24", "24", "24", ref_add_24, false},
    {"vector_add", "", "2x3x4", "2x3x4", "2x3x4", ref_add_24, true},
    {"vector_add", "", "", "", "", ref_scalar_add, true},
    {"subtract", "", "", "24", "24", ref_subtract_scalar, true},
    {"multiply", "", "4", "4x6", "4x6", ref_multiply_heads, false},
    {"multiply", "", "4", "4x6", "4x6", ref_multiply_heads, true},
    {"multiply", "", "2", "2x4x6", "2x4x6", ref_multiply_three, true},
    {"divide", "", "2x3x8", "2x3", "2x3x8", ref_divide_middle, true},
    {"maximum", "", "24", "24", "24", ref_maximum, true},
    {"minimum", "", "24", "24", "24", ref_minimum, false},
    {"compare", "{predicate = \"lt\"}", "24", "24", "24", ref_lt, false},
    {"compare", "{predicate = \"ge\"}", "24", "24", "24", ref_ge, true},
    {"compare", "{predicate = \"eq\"}", "24", "24", "24", ref_eq, false},
    {"compare", "{predicate = \"ne\"}", "24", "24", "24", ref_ne, false},
    {"vector_inner", "", "24", "24", "", ref_inner, true},
    {"vector_inner", "", "4x6", "4x6", "4", ref_inner_heads, false},
    {"vector_inner", "", "4x6", "4x6", "4", ref_inner_heads, true},
    {"vector_inner", "", "4x6", "6", "4", ref_inner_short, true},
    {"vector_inner", "", "1x7", "1x7", "1", ref_inner_one_head, true},
    {"linear", "{" SEGMENTS "}", "6", "6x5", "5", ref_linear, true},
    {"linear", "{" SEGMENTS ", transposed}", "6", "5x6", "5", ref_linear_transposed, false},
    {"linear", "{" SEGMENTS "}", "4x6", "6x5", "4x5", ref_linear_rows, true},
    {"linear", "{" SEGMENTS "}", "4x6", "4x6x5", "4x5", ref_linear_batched, true},
    {"linear", "{" SEGMENTS "}", "2x2x6", "2x6x5", "2x2x5", ref_linear_batched_rows, false},
    {"reduce", "{function = \"sum\"}", "4x6", NULL, "4", ref_sum, true},
    {"reduce", "{function = \"mean\"}", "24", NULL, "", ref_mean, false},
    {"reduce", "{function = \"max\"}", "4x6", NULL, "4", ref_max, true},
    {"reduce", "{function = \"min\"}", "24", NULL, "", ref_min, true},
    {"softmax", "", "4x6", NULL, "4x6", ref_softmax, true},
    {"softmax", "{log}", "24", NULL, "24", ref_log_softmax, false},
    {"argmax", "", "4x6", NULL, "4", ref_argmax, true},
    {"concat", "", "4x6", "4x3", "4x9", ref_concat, true},
    {"concat", "", "6", "3", "9", ref_concat_flat, false},
    {"columns", "{begin = 2 : i64, width = 3 : i64}", "4x6", NULL, "4x3", ref_columns, true},
    {"columns", "{begin = 0 : i64, width = 5 : i64}", "6", NULL, "5", ref_columns_flat, true},
    {"columns", "{begin = 4 : i64, width = 1 : i64}", "6", NULL, "1", ref_column, false},
    {"reshape", "{shape = array<i64: 4, 6>}", "24", NULL, "4x6", ref_same, true},
    {"reshape", "{shape = array<i64: 24>}", "2x3x4", NULL, "24", ref_same, false},
    {"reshape", "{shape = array<i64>}", "1x1", NULL, "", ref_same_one, true},
    {"reshape", "{shape = array<i64: 1>}", "", NULL, "1", ref_same_one, true},
    {"outer", "", "4", "6", "4x6", ref_outer, true},
    {"transpose", "", "4x6", NULL, "6x4", ref_transpose, true},
    {"transpose", "", "2x4x3", NULL, "2x3x4", ref_transpose_three, false},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const char *type_text(const char *dims) {
  static char made[4][64];
  static int next;
  char *at = made[next = (next + 1) % 4];
  snprintf(at, sizeof made[0], *dims ? "tensor<%sxf32>" : "f32", dims);
  return at;
}

static int64_t elements(const char *dims) {
  int64_t count = 1;
  for (char *end; dims && *dims; dims = *end ? end + 1 : end) count *= strtoll(dims, &end, 10);
  return count;
}

static void append_buffer(text *ir, const char *space, char letter, int number, const char *dims) {
  text_printf(ir,
              "  %%%c%d = \"intra.buffer\"() {space = \"%s\", name = \"%c%d\"} : () -> !intra.memory<\"node:g\", %s>\n",
              letter, number, space, letter, number, type_text(dims));
}

/* Loads an operand; a chained one passes two more operations, which together change nothing. */
static void append_operand(text *ir, char letter, int number, const char *dims, bool chained) {
  const char *type = type_text(dims);
  text_printf(ir,
              "    %%%c_0 = \"intra.load\"(%%%c%d, %%n) : (!intra.memory<\"node:g\", %s>, !inter.cursor<\"node\", "
              "\"g\">) -> %s\n",
              letter, letter, number, type, type);
  for (int i = 0; i < 2; i++)
    text_printf(ir, "    %%%c_%d = \"gnn.activation\"(%%%c_%d) {function = \"negate\"} : (%s) -> %s\n", letter, i + 1,
                letter, chained ? i : 0, type, type);
  text_printf(ir, "    %%%c = \"gnn.activation\"(%%%c_%d) {function = \"%s\"} : (%s) -> %s\n", letter, letter,
              chained ? 2 : 1, chained ? "abs" : "negate", type, type);
}

/* Makes one model of all cases. Operands are positive after the loads: abs of the value, or its
 * double negation. */
static void build_model(text *ir) {
  text_append(ir, "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.bound_slots = []} {\n"
                  "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = []} {\n"
                  "  %g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n");
  for (int i = 0; i < CASES; i++) {
    append_buffer(ir, "input", 'a', i, cases[i].a);
    if (cases[i].b) append_buffer(ir, "input", 'b', i, cases[i].b);
  }
  for (int i = 0; i < CASES; i++) append_buffer(ir, "output", 'y', i, cases[i].y);
  for (int i = 0; i < CASES; i++) {
    const payload_case *c = &cases[i];
    text_append(ir, "  \"intra.traverse\"(%g) ({\n  ^bb0(%n: !inter.cursor<\"node\", \"g\">):\n");
    append_operand(ir, 'a', i, c->a, c->chained);
    if (c->b) append_operand(ir, 'b', i, c->b, c->chained);
    text_printf(ir, "    %%y = \"gnn.%s\"(%%a%s) %s : (%s", c->op, c->b ? ", %b" : "", c->attributes, type_text(c->a));
    if (c->b) text_printf(ir, ", %s", type_text(c->b));
    text_printf(ir, ") -> %s\n", type_text(c->y));
    text_printf(ir,
                "    \"intra.store\"(%%y, %%y%d, %%n) : (%s, !intra.memory<\"node:g\", %s>, !inter.cursor<\"node\", "
                "\"g\">) -> ()\n",
                i, type_text(c->y), type_text(c->y));
    text_append(ir, "    \"smt.yield\"() : () -> ()\n  }) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\n");
  }
  text_append(ir, "  return\n}\n}\n");
}

static float operands[2][CASES][NODES * LARGEST], results[CASES][NODES * LARGEST];

static void check_case(const payload_case *c, int number, double tolerance) {
  int64_t of_a = elements(c->a), of_b = c->b ? elements(c->b) : 0, of_y = elements(c->y);
  for (int n = 0; n < NODES; n++) {
    double a[LARGEST], b[LARGEST], y[LARGEST];
    for (int64_t i = 0; i < of_a; i++) a[i] = (double)operands[0][number][n * of_a + i];
    for (int64_t i = 0; i < of_b; i++) b[i] = (double)operands[1][number][n * of_b + i];
    c->reference(a, b, y);
    for (int64_t i = 0; i < of_y; i++) {
      double found = (double)results[number][n * of_y + i];
      if (fabs(found - y[i]) <= tolerance * fmax(1, fabs(y[i]))) continue;
      unit_fail(__FILE__, __LINE__, "case %d: gnn.%s %s of %s and %s: node %d element %d is %.9g, expected %.9g",
                number, c->op, c->attributes, c->a, c->b ? c->b : "-", n, (int)i, found, y[i]);
      return;
    }
  }
}

static void check_all(codegen_c_options options, const char *flags, double tolerance) {
  text ir = {0};
  build_model(&ir);
  fixture f;
  if (fixture_begin(&f, text_str(&ir), options, flags)) {
    const void *inputs[2 * CASES];
    void *outputs[CASES];
    int count = 0;
    for (int i = 0; i < CASES; i++) {
      for (int k = 0; k < (cases[i].b ? 2 : 1); k++) {
        fixture_fill(operands[k][i], NODES * LARGEST, (unsigned)(17 * i + k + 1));
        for (int j = 0; j < NODES * LARGEST; j++) operands[k][i][j] = fabsf(operands[k][i][j]) + 0.25f;
        inputs[count++] = operands[k][i];
      }
      outputs[i] = results[i];
    }
    CHECK_INT(f.info->num_inputs, count);
    CHECK_INT(f.info->num_outputs, CASES);
    gnnc_graph graph = {.size = sizeof graph, .num_nodes = NODES};
    CHECK_INT(fixture_run(&f, &graph, NULL, inputs, outputs, 1), GNNC_OK);
    for (int i = 0; i < CASES; i++) check_case(&cases[i], i, tolerance);
  }
  fixture_end(&f);
  text_free(&ir);
}

/* Whether a case has the operation with this attribute. */
static bool is_tested(const char *op, const char *attribute, const char *value) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "%s = \"%s\"", attribute, value);
  for (int i = 0; i < CASES; i++)
    if (!strcmp(cases[i].op, op) && strstr(cases[i].attributes, wanted)) return true;
  return false;
}

TEST(every_function_of_the_table_is_here) {
  for (int i = 0; i < UNARY_COUNT; i++)
    if (!is_tested("activation", "function", elementwise_unaries[i].name))
      unit_fail(__FILE__, __LINE__, "'%s' has no case", elementwise_unaries[i].name);
  for (int i = 0; i < BINARY_COUNT; i++)
    if (!strcmp(elementwise_binaries[i].operation, "binary") &&
        !is_tested("binary", "function", elementwise_binaries[i].name))
      unit_fail(__FILE__, __LINE__, "'%s' has no case", elementwise_binaries[i].name);
}

TEST(every_payload_operation_is_right_in_f32) {
  check_all((codegen_c_options){0}, "", 1e-5);
}
TEST(every_payload_operation_is_right_in_f64) {
  check_all((codegen_c_options){.is_f64 = true}, "", 1e-7);
}
TEST(reassociated_sums_stay_within_rounding) {
  check_all((codegen_c_options){.reassociate = true}, "-fopenmp-simd -DGNNC_OPENMP_SIMD", 1e-5);
}
