/* Numbers of bf16 in generated C: which number is stored, and that it is read back. */
#include "runtime/gnnc/executor.h"
#include "unit.h"

#include <math.h>
#include <stdint.h>

#pragma GCC diagnostic ignored "-Wunused-function"
typedef float real;
#include "codegen/c/prelude/bf16.h"

static float through(float x) {
  return bf16_widen(bf16_round(x));
}

TEST(every_number_of_bf16_stays_as_it_is) {
  for (uint32_t x = 0; x <= UINT16_MAX; x++) {
    bf16 again = bf16_round(bf16_widen((bf16)x));
    if (isnan(bf16_widen((bf16)x)))
      CHECK(isnan(bf16_widen(again)));
    else
      CHECK_INT(again, x);
  }
}

TEST(the_nearest_number_is_stored_and_the_even_one_of_two) {
  CHECK(through(1 + 0x1p-9f) == 1);
  CHECK(through(1 + 0x1p-8f) == 1); /* in the middle of 1 and 1 + 2^-7 */
  CHECK(through(1 + 0x1p-8f + 0x1p-23f) == 1 + 0x1p-7f);
  CHECK(through(1 + 3 * 0x1p-8f) == 1 + 0x1p-6f); /* in the middle of 1 + 2^-7 and 1 + 2^-6 */
  CHECK(through(-1 - 3 * 0x1p-8f) == -1 - 0x1p-6f);
  CHECK(through(0x1.ffp0f) == 2); /* the carry reaches the exponent */
  CHECK(signbit(through(-0.0f)) && through(-0.0f) == 0);
  CHECK(through(0x1p-133f) == 0x1p-133f); /* the smallest number */
  CHECK(through(0x1p-135f) == 0);
}

TEST(numbers_beyond_the_largest_become_infinite_and_NaN_stays) {
  CHECK(through(0x1.fep127f) == 0x1.fep127f);
  CHECK(isinf(through(0x1.ffp127f)));
  CHECK(through(-INFINITY) == -INFINITY);
  const uint32_t bits[] = {0x7F800001, 0x7FFFFFFF, 0xFF800001, 0xFFFFFFFF};
  for (int i = 0; i < 4; i++) {
    float x;
    memcpy(&x, &bits[i], sizeof x);
    CHECK(isnan(through(x)));
  }
}

TEST(a_row_is_widened_number_by_number) {
  const bf16 row[] = {0x3F80, 0xC000, 0x7F80};
  real wide[3];
  CHECK(bf16_row(3, row, wide) == wide);
  CHECK(wide[0] == 1 && wide[1] == -2 && isinf(wide[2]));
}
