/* The table of element-wise functions: derivatives are the slopes of the formulas, fp32 agrees
 * with double, and texts of calls are read. */
#include "support/elementwise.h"
#include "unit.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* This header for double has the same names as the one for fp32, so the tests call fp32 through
 * the kernels. */
#include "kernels/elementwise.h"
#include "support/elementwise_f64.h"

static const double points[] = {-2.3, -1.1, -0.4, 0.3, 0.9, 1.7, 2.6};
enum { POINTS = sizeof points / sizeof *points };

static double slope(elementwise_unary f, double x, double p, double q) {
  double y = elementwise_unary_f64(f, x, p, q);
  switch (f) {
#define UNARY(name, kind, p_name, p_default, q_name, q_default, flops, formula, derivative, reference, doc)            \
  case UNARY_##name: return derivative_##name(x, y, p, q);
#include "support/elementwise.def"
  default: return NAN;
  }
}

TEST(derivatives_are_the_slopes_of_formulas) {
  const double h = 1e-6;
  for (int f = 0; f < UNARY_COUNT; f++) {
    double p = elementwise_unaries[f].parameters[0].fallback, q = elementwise_unaries[f].parameters[1].fallback;
    for (int i = 0; i < POINTS; i++) {
      double x = points[i];
      double low = elementwise_unary_f64((elementwise_unary)f, x - h, p, q),
             high = elementwise_unary_f64((elementwise_unary)f, x + h, p, q);
      if (!isfinite(low) || !isfinite(high)) continue; /* such as the logarithm of a negative number */
      double expected = (high - low) / (2 * h), found = slope((elementwise_unary)f, x, p, q);
      if (fabs(found - expected) > 1e-5 * (1 + fabs(expected)))
        unit_fail(__FILE__, __LINE__, "%s'(%g) is %g, expected %g", elementwise_unaries[f].name, x, found, expected);
    }
  }
}

#define CHECK_BINARY(name, a, b)                                                                                       \
  do {                                                                                                                 \
    const double h = 1e-6, y = binary_##name(a, b);                                                                    \
    CHECK_NEAR(derivative_a_##name(a, b, y), (binary_##name((a) + h, b) - binary_##name((a) - h, b)) / (2 * h), 1e-5); \
    CHECK_NEAR(derivative_b_##name(a, b, y), (binary_##name(a, (b) + h) - binary_##name(a, (b) - h)) / (2 * h), 1e-5); \
  } while (0)

TEST(derivatives_by_both_operands_are_slopes) {
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < POINTS; k++) {
      double a = points[i] + 0.05, b = points[k];
#define BINARY(name, operation, flops, formula, derivative_a, derivative_b, reference, doc)                            \
  if (isfinite(binary_##name(a - 1e-6, b)) && (BINARY_##name != BINARY_pow || a > 0)) CHECK_BINARY(name, a, b);
#include "support/elementwise.def"
    }
}

/* Compares fp32 with double at one point: as near as rounding allows, with the same infinities,
 * and NaN where there is no value. */
static void check_point(const char *name, double at, float found, double expected) {
  double allowed = 2e-6 * (1 + fabs(expected));
  bool is_same = isnan(expected)          ? isnan(found)
                 : isinf((float)expected) ? (double)found == (double)(float)expected
                                          : fabs((double)found - expected) <= allowed;
  if (!is_same) unit_fail(__FILE__, __LINE__, "%s(%g) is %g, expected %g", name, at, (double)found, expected);
}

static const double edges[] = {0, -0.0, 1, -1, 0.5, -0.5, 1e-6, -1e-6, 20, -20, 100, -100, INFINITY, -INFINITY, NAN};
enum { EDGES = sizeof edges / sizeof *edges, GRID = POINTS + EDGES };

static double grid(int i) {
  return (double)(float)(i < POINTS ? points[i] : edges[i - POINTS]);
}

TEST(kernels_follow_the_formulas) {
  for (int f = 0; f < UNARY_COUNT; f++) {
    double p = elementwise_unaries[f].parameters[0].fallback, q = elementwise_unaries[f].parameters[1].fallback;
    for (int i = 0; i < GRID; i++) {
      float x = (float)grid(i);
      double expected = elementwise_unary_f64((elementwise_unary)f, grid(i), (double)(float)p, (double)(float)q);
      kernel_unary((elementwise_unary)f, (float)p, (float)q, 1, &x);
      check_point(elementwise_unaries[f].name, grid(i), x, expected);
    }
  }
  for (int f = 0; f < BINARY_COUNT; f++)
    for (int i = 0; i < GRID; i++)
      for (int k = 0; k < GRID; k++) {
        float a = (float)grid(i), b = (float)grid(k), out;
        kernel_binary((elementwise_binary)f, 1, &a, &b, &out);
        check_point(elementwise_binaries[f].name, grid(i), out,
                    elementwise_binary_f64((elementwise_binary)f, grid(i), grid(k)));
      }
}

TEST(formulas_have_the_values_of_the_functions) {
  static const struct {
    elementwise_unary f;
    double x, p, q, y;
  } known[] = {
      {UNARY_relu, -2, 0, 0, 0},
      {UNARY_leaky_relu, -2, 0.25, 0, -0.5},
      {UNARY_elu, -1, 2, 0, -1.2642411176571153},
      {UNARY_sigmoid, 1, 0, 0, 0.7310585786300049},
      {UNARY_swish, 2, 0, 0, 1.7615941559557646},
      {UNARY_gelu, 1, 0, 0, 0.8413447460685429},
      {UNARY_softplus, 1, 0, 0, 1.3132616875182228},
      {UNARY_tanh, 1, 0, 0, 0.7615941559557649},
      {UNARY_erf, 1, 0, 0, 0.8427007929497149},
      {UNARY_exp, 1, 0, 0, 2.718281828459045},
      {UNARY_expm1, 1e-10, 0, 0, 1.00000000005e-10},
      {UNARY_log, 2, 0, 0, 0.6931471805599453},
      {UNARY_log1p, 1e-10, 0, 0, 9.9999999995e-11},
      {UNARY_sin, 1, 0, 0, 0.8414709848078965},
      {UNARY_cos, 1, 0, 0, 0.5403023058681398},
      {UNARY_sqrt, 2, 0, 0, 1.4142135623730951},
      {UNARY_rsqrt, 4, 0, 0, 0.5},
      {UNARY_negate, 3, 0, 0, -3},
      {UNARY_add_constant, 3, 0.5, 0, 3.5},
      {UNARY_mul_constant, 3, 0.5, 0, 1.5},
      {UNARY_reciprocal, 4, 0, 0, 0.25},
      {UNARY_abs, -4, 0, 0, 4},
      {UNARY_sign, -4, 0, 0, -1},
      {UNARY_floor, -1.5, 0, 0, -2},
      {UNARY_round, -1.5, 0, 0, -2},
      {UNARY_clamp, 4, -1, 2, 2},
  };
  _Static_assert(sizeof known / sizeof *known == UNARY_COUNT, "a value for each function");
  for (int i = 0; i < UNARY_COUNT; i++) {
    CHECK_INT(known[i].f, i);
    CHECK_NEAR(elementwise_unary_f64(known[i].f, known[i].x, known[i].p, known[i].q), known[i].y,
               1e-15 * (1 + fabs(known[i].y)));
  }
  CHECK_NEAR(elementwise_binary_f64(BINARY_atan2, 1, -1), 2.356194490192345, 1e-15);
  CHECK_NEAR(elementwise_binary_f64(BINARY_pow, 2, -0.5), 0.7071067811865476, 1e-15);
  CHECK(isnan(elementwise_binary_f64(BINARY_max, 1, NAN)) && isnan(elementwise_binary_f64(BINARY_min, NAN, 1)));
}

static void unary_of_no_row(void) {
  float x = 1;
  kernel_unary(UNARY_none, 0, 0, 1, &x);
}

static void binary_of_no_row(void) {
  float x = 1, out;
  kernel_binary(BINARY_none, 1, &x, &x, &out);
}

static void formula_of_no_row(void) {
  printf("%g\n", elementwise_unary_f64(UNARY_COUNT, 1, 0, 0));
}

static bool aborts(void (*run)(void)) {
  fflush(NULL);
  pid_t child = fork();
  if (!child) {
    if (!freopen("/dev/null", "w", stderr)) _exit(1);
    run();
    _exit(0);
  }
  int state = 0;
  waitpid(child, &state, 0);
  return WIFSIGNALED(state) && WTERMSIG(state) == SIGABRT;
}

TEST(functions_that_are_no_row_end_the_program) {
  CHECK(aborts(unary_of_no_row));
  CHECK(aborts(binary_of_no_row));
  CHECK(aborts(formula_of_no_row));
}

TEST(derivatives_have_values_where_functions_have_a_corner_or_a_pole) {
  CHECK_NEAR(derivative_a_max(1, 1, 1), 0.5, 0);
  CHECK_NEAR(derivative_b_max(1, 1, 1), 0.5, 0);
  CHECK_NEAR(derivative_a_min(-2, -2, -2), 0.5, 0);
  CHECK_NEAR(derivative_a_min(1, 2, 1), 1, 0);
  CHECK_NEAR(derivative_b_max(1, 2, 2), 1, 0);
  CHECK_NEAR(derivative_a_pow(0, 0, 1), 0, 0);
  CHECK_NEAR(derivative_b_pow(0, 2, 0), 0, 0);
  CHECK_NEAR(derivative_b_pow(0, 0, 1), 0, 0);
  CHECK_NEAR(derivative_a_atan2(0, 0, 0), 0, 0);
  CHECK_NEAR(derivative_b_atan2(0, 0, 0), 0, 0);
}

TEST(not_a_number_stays_one) {
  for (int f = 0; f < UNARY_COUNT; f++) {
    float x = NAN;
    kernel_unary((elementwise_unary)f, 0, 1, 1, &x);
    if (!isnan(x)) unit_fail(__FILE__, __LINE__, "%s of NaN is %g", elementwise_unaries[f].name, (double)x);
  }
}

TEST(values_at_which_functions_turn) {
  float x[] = {-0.5f, 0.5f, 1.5f, 2.5f};
  kernel_unary(UNARY_round, 0, 0, 4, x);
  CHECK_NEAR(x[1], 0, 0);
  CHECK_NEAR(x[2], 2, 0);
  CHECK_NEAR(x[3], 2, 0);
  float large[] = {-200, 200};
  kernel_unary(UNARY_softplus, 0, 0, 2, large);
  CHECK_NEAR(large[0], 0, 0);
  CHECK_NEAR(large[1], 200, 0);
  float clamped[] = {-3, 0.25f, 3};
  kernel_unary(UNARY_clamp, -1, 2, 3, clamped);
  CHECK_NEAR(clamped[0], -1, 0);
  CHECK_NEAR(clamped[1], 0.25f, 0);
  CHECK_NEAR(clamped[2], 2, 0);
}

TEST(functions_are_found_by_name) {
  CHECK_INT(elementwise_unary_find("softplus"), UNARY_softplus);
  CHECK_INT(elementwise_unary_find("softpluss"), UNARY_none);
  CHECK_INT(elementwise_unary_find(NULL), UNARY_none);
  CHECK_INT(elementwise_binary_find("atan2"), BINARY_atan2);
  CHECK_INT(elementwise_binary_find("plus"), BINARY_none);
}

TEST(calls_have_as_many_numbers_as_the_function_takes) {
  elementwise_call c;
  CHECK(elementwise_call_parse("relu", &c) && c.function == UNARY_relu);
  CHECK(elementwise_call_parse("leaky_relu 0.25", &c) && c.p == 0.25f);
  CHECK(elementwise_call_parse("clamp -1 2e0", &c) && c.p == -1 && c.q == 2);
  CHECK(!elementwise_call_parse("relu 1", &c));
  CHECK(!elementwise_call_parse("leaky_relu", &c));
  CHECK(!elementwise_call_parse("leaky_relu x", &c));
  CHECK(!elementwise_call_parse("clamp 1", &c));
  CHECK(!elementwise_call_parse("clamp 1 2 3", &c));
  CHECK(!elementwise_call_parse("gelu2", &c));
  CHECK(!elementwise_call_parse("", &c));
  CHECK(!elementwise_call_parse(" relu", &c));
  CHECK(!elementwise_call_parse("relu ", &c));
  CHECK(!elementwise_call_parse("leaky_relu 0.5x", &c));
  CHECK(!elementwise_call_parse("leaky_relu=0.5", &c));
  CHECK(!elementwise_call_parse("a_name_of_more_than_thirty_one_bytes", &c));
  CHECK_INT(c.function, UNARY_none);
}
