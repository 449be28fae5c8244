/* The table of element-wise functions: derivatives are slopes of the formulas, fp32 follows double, texts of calls are read. */
#include "support/elementwise.h"
#include "unit.h"

#include <math.h>

/* The two headers give the functions the same names; fp32 is looked at through the kernels. */
#include "kernels/elementwise.h"
#include "support/elementwise_f64.h"

static const double points[] = {-2.3, -1.1, -0.4, 0.3, 0.9, 1.7, 2.6};
enum { POINTS = sizeof points / sizeof *points };

static double unary(elementwise_unary f, double x, double p, double q) {
  switch (f) {
#define UNARY(name, kind, p_name, p_default, q_name, q_default, flops, formula, derivative, reference, doc)            \
  case UNARY_##name: return unary_##name(x, p, q);
#include "support/elementwise.def"
  default: return NAN;
  }
}

static double slope(elementwise_unary f, double x, double p, double q) {
  double y = unary(f, x, p, q);
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
      double low = unary((elementwise_unary)f, x - h, p, q), high = unary((elementwise_unary)f, x + h, p, q);
      if (!isfinite(low) || !isfinite(high)) continue; /* the logarithm of a negative number */
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

TEST(kernels_follow_the_formulas) {
  for (int f = 0; f < UNARY_COUNT; f++) {
    double p = elementwise_unaries[f].parameters[0].fallback, q = elementwise_unaries[f].parameters[1].fallback;
    for (int i = 0; i < POINTS; i++) {
      float x = (float)points[i];
      double expected = unary((elementwise_unary)f, (double)x, p, q);
      kernel_unary((elementwise_unary)f, (float)p, (float)q, 1, &x);
      if (isfinite(expected))
        CHECK_NEAR(x, expected, 2e-6 * (1 + fabs(expected)));
      else
        CHECK(!isfinite(x));
    }
  }
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
}
