/* Arithmetic on counts near the limits of the type, and sorting. */
#include "support/number.h"
#include "unit.h"

TEST(the_smaller_and_the_larger_of_two) {
  CHECK_INT(number_min(-1, 2), -1);
  CHECK_INT(number_min(2, -1), -1);
  CHECK_INT(number_max(-1, 2), 2);
  CHECK_INT(number_max(INT64_MIN, INT64_MAX), INT64_MAX);
}

TEST(a_quotient_is_rounded_up_unless_it_is_whole) {
  CHECK_INT(number_ceil_div(0, 4), 0);
  CHECK_INT(number_ceil_div(1, 4), 1);
  CHECK_INT(number_ceil_div(4, 4), 1);
  CHECK_INT(number_ceil_div(5, 4), 2);
  CHECK_INT(number_ceil_div(INT64_MAX, INT64_MAX), 1);
  CHECK_INT(number_ceil_div(INT64_MAX, 2), INT64_MAX / 2 + 1);
}

TEST(a_multiple_is_its_own_next_multiple) {
  CHECK_INT(number_round_up(0, 16), 0);
  CHECK_INT(number_round_up(15, 16), 16);
  CHECK_INT(number_round_up(16, 16), 16);
  CHECK_INT(number_round_up(17, 16), 32);
}

TEST(numbers_are_sorted_in_rising_order) {
  double numbers[] = {3, -1, 2.5, -1};
  number_sort(numbers, 4);
  for (int i = 1; i < 4; i++) CHECK(numbers[i - 1] <= numbers[i]);
  CHECK_NEAR(numbers[0], -1, 0);
  CHECK_NEAR(numbers[3], 3, 0);
}
