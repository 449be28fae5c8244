/* Symbolic sizes: arithmetic, solving for one unknown, waiting for more, and refusing
 * contradictions. */
#include "frontend/sema/dims.h"
#include "unit.h"

typedef struct fixture {
  arena *memory;
  dim_system *dims;
  dim f, h, c;
} fixture;

static fixture open_fixture(void) {
  arena *memory = arena_create();
  dim_system *s = dim_system_create(memory);
  span none = {0};
  dim f = dim_new_symbol(s, "F", none);
  dim h = dim_new_symbol(s, "H", none);
  return (fixture){memory, s, f, h, dim_new_symbol(s, "C", none)};
}

static dim number(fixture *x, int64_t value) {
  return dim_constant(x->dims, value);
}

static dim_outcome unify(fixture *x, dim a, dim b) {
  return dim_unify(x->dims, a, b, (dim_origin){.text = "because"});
}

#define CHECK_DIM(d, expected)                                                                                         \
  do {                                                                                                                 \
    text printed_ = {0};                                                                                               \
    dim_print(x.dims, d, &printed_);                                                                                   \
    CHECK_STR(text_str(&printed_), expected);                                                                          \
    text_free(&printed_);                                                                                              \
  } while (0)

TEST(sums_and_products_have_one_form) {
  fixture x = open_fixture();
  dim one = number(&x, 1);
  dim left = dim_multiply(x.dims, dim_add(x.dims, x.f, one), dim_subtract(x.dims, x.f, one));
  CHECK_DIM(left, "F*F - 1");
  CHECK_DIM(dim_subtract(x.dims, dim_multiply(x.dims, x.f, x.f), left), "1");
  CHECK_DIM(dim_multiply(x.dims, x.c, x.h), "H*C");
  CHECK_DIM(dim_add(x.dims, dim_multiply(x.dims, number(&x, 2), x.f), number(&x, -3)), "2*F - 3");
  CHECK_DIM(dim_subtract(x.dims, number(&x, 0), x.f), "-F");
  CHECK_DIM(dim_subtract(x.dims, x.f, x.f), "0");
  arena_destroy(x.memory);
}

TEST(a_symbol_is_bound_by_an_equation) {
  fixture x = open_fixture();
  int64_t value = 0;
  CHECK_INT(unify(&x, x.f, number(&x, 1433)), DIM_bound);
  CHECK(dim_value(x.dims, x.f, &value));
  CHECK_INT(value, 1433);
  CHECK_INT(unify(&x, x.f, number(&x, 1433)), DIM_equal);
  CHECK_INT(unify(&x, x.f, number(&x, 16)), DIM_conflict);
  arena_destroy(x.memory);
}

TEST(the_newer_symbol_is_bound_to_the_older_one) {
  fixture x = open_fixture();
  CHECK_INT(unify(&x, x.f, x.c), DIM_bound);
  CHECK_DIM(x.c, "F");
  CHECK_DIM(x.f, "F");
  arena_destroy(x.memory);
}

TEST(a_product_waits_until_a_factor_is_known) {
  fixture x = open_fixture();
  int64_t value = 0;
  dim product = dim_multiply(x.dims, x.h, x.c);
  CHECK_INT(unify(&x, product, number(&x, 64)), DIM_deferred);
  CHECK(!dim_value(x.dims, x.c, &value));
  CHECK_INT(unify(&x, x.h, number(&x, 8)), DIM_bound);
  CHECK(dim_value(x.dims, x.c, &value));
  CHECK_INT(value, 8);
  CHECK_INT(x.dims->failures.count, 0);
  arena_destroy(x.memory);
}

TEST(an_equation_that_turns_out_false_is_a_failure) {
  fixture x = open_fixture();
  CHECK_INT(unify(&x, dim_multiply(x.dims, x.h, x.c), number(&x, 64)), DIM_deferred);
  CHECK_INT(unify(&x, x.h, number(&x, 7)), DIM_bound);
  CHECK_INT(x.dims->failures.count, 1);
  CHECK_STR(x.dims->constraints.items[x.dims->failures.items[0]].origin.text, "because");
  arena_destroy(x.memory);
}

TEST(bindings_wake_equations_one_after_the_other) {
  fixture x = open_fixture();
  int64_t value = 0;
  CHECK_INT(unify(&x, dim_multiply(x.dims, x.h, x.c), number(&x, 12)), DIM_deferred);
  CHECK_INT(unify(&x, dim_multiply(x.dims, x.f, x.h), number(&x, 6)), DIM_deferred);
  CHECK_INT(unify(&x, x.f, number(&x, 2)), DIM_bound);
  CHECK(dim_value(x.dims, x.c, &value));
  CHECK_INT(value, 4);
  arena_destroy(x.memory);
}

TEST(common_factors_are_divided_out) {
  fixture x = open_fixture();
  dim left = dim_multiply(x.dims, number(&x, 2), dim_multiply(x.dims, x.h, x.f));
  dim right = dim_multiply(x.dims, number(&x, 2), dim_multiply(x.dims, x.h, x.c));
  CHECK_INT(unify(&x, left, right), DIM_bound);
  CHECK_DIM(x.c, "F");
  CHECK_INT(unify(&x, dim_multiply(x.dims, number(&x, 3), x.h), dim_multiply(x.dims, number(&x, 5), x.h)),
            DIM_conflict);
  arena_destroy(x.memory);
}

TEST(sizes_are_positive_whole_numbers) {
  fixture x = open_fixture();
  CHECK_INT(unify(&x, dim_multiply(x.dims, number(&x, 2), x.f), number(&x, 33)), DIM_conflict);
  CHECK_INT(unify(&x, x.f, number(&x, 0)), DIM_conflict);
  CHECK_INT(unify(&x, x.f, number(&x, -2)), DIM_conflict);
  CHECK_INT(unify(&x, dim_add(x.dims, x.f, x.h), number(&x, 0)), DIM_conflict);
  CHECK_INT(unify(&x, x.f, dim_add(x.dims, x.f, number(&x, 1))), DIM_conflict);
  arena_destroy(x.memory);
}

TEST(a_quotient_is_exact_or_waits) {
  fixture x = open_fixture();
  int64_t value = 0;
  dim_origin why = {.text = "because"};
  CHECK_DIM(dim_divide(x.dims, dim_multiply(x.dims, x.h, x.c), x.h, why), "C");
  CHECK_DIM(dim_divide(x.dims, number(&x, 64), number(&x, 8), why), "8");
  CHECK(!dim_divide(x.dims, number(&x, 64), number(&x, 7), why));
  CHECK(!dim_divide(x.dims, x.f, number(&x, 0), why));
  dim quotient = dim_divide(x.dims, x.f, x.h, why);
  CHECK_INT(unify(&x, x.f, number(&x, 30)), DIM_bound);
  CHECK_INT(unify(&x, x.h, number(&x, 5)), DIM_bound);
  CHECK(dim_value(x.dims, quotient, &value));
  CHECK_INT(value, 6);
  arena_destroy(x.memory);
}

TEST(an_unknown_size_agrees_with_everything) {
  fixture x = open_fixture();
  CHECK_INT(unify(&x, NULL, number(&x, 3)), DIM_equal);
  CHECK(!dim_add(x.dims, NULL, x.f));
  CHECK(!dim_multiply(x.dims, x.f, NULL));
  CHECK_DIM(NULL, "?");
  arena_destroy(x.memory);
}

TEST(sizes_that_overflow_are_unknown_not_wrong) {
  fixture x = open_fixture();
  dim large = number(&x, INT64_MAX);
  CHECK(!dim_add(x.dims, large, number(&x, 1)));
  CHECK(!dim_multiply(x.dims, large, number(&x, 2)));
  CHECK(!dim_subtract(x.dims, number(&x, INT64_MIN), number(&x, 1)));
  dim power = x.f;
  for (int i = 0; i < 5 && power; i++) power = dim_multiply(x.dims, power, power);
  CHECK(!power);
  dim sum = dim_add(x.dims, dim_add(x.dims, x.f, x.h), dim_add(x.dims, x.c, number(&x, 1)));
  for (int i = 0; i < 4 && sum; i++) sum = dim_multiply(x.dims, sum, sum);
  CHECK(!sum);
  CHECK_INT(unify(&x, number(&x, INT64_MIN), x.f), DIM_conflict);
  CHECK_INT(unify(&x, number(&x, INT64_MIN), large), DIM_conflict);
  arena_destroy(x.memory);
}
