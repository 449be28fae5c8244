/* Conversion to and from fp16: every fp16 number is kept, all others go to the nearest. */
#include "isa/graphagile/fp16.h"
#include "unit.h"

#include <math.h>

/* The value of an fp16 number by its definition. */
static double value_of(uint16_t stored) {
  int exponent = stored >> 10 & 31, fraction = stored & 1023;
  double size = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? ldexp(1024 + fraction, exponent - 25)
                               : ldexp(fraction, -24);
  return stored >> 15 ? -size : size;
}

TEST(every_fp16_number_is_loaded_exactly_and_stored_as_itself) {
  for (uint32_t bits = 0; bits < 65536; bits++) {
    float number = graphagile_fp16_load((uint16_t)bits);
    double expected = value_of((uint16_t)bits);
    if (isnan(expected)) {
      CHECK(isnan(number));
      CHECK_INT(graphagile_fp16_store(number), 0x7e00);
      continue;
    }
    if ((double)number != expected || !signbit(number) != !(bits >> 15))
      unit_fail(__FILE__, __LINE__, "0x%04x is %g, expected %g", (unsigned)bits, (double)number, expected);
    CHECK_INT(graphagile_fp16_store(number), bits);
  }
}

/* Between each number and the next, the middle goes to the even one, and what is nearer goes to the
 * nearer one. This includes the step from subnormal to normal numbers. */
TEST(numbers_between_are_rounded_to_the_nearest_and_ties_to_even) {
  for (uint32_t bits = 0; bits < 0x7bff; bits++) {
    float middle = (graphagile_fp16_load((uint16_t)bits) + graphagile_fp16_load((uint16_t)(bits + 1))) / 2;
    uint32_t even = bits + (bits & 1);
    CHECK_INT(graphagile_fp16_store(middle), even);
    CHECK_INT(graphagile_fp16_store(-middle), 0x8000 | even);
    CHECK_INT(graphagile_fp16_store(nextafterf(middle, 0)), bits);
    CHECK_INT(graphagile_fp16_store(nextafterf(middle, INFINITY)), bits + 1);
  }
}

TEST(too_large_numbers_become_infinite_and_too_small_ones_zero) {
  CHECK_INT(graphagile_fp16_store(65504), 0x7bff);
  CHECK_INT(graphagile_fp16_store(nextafterf(65520, 0)), 0x7bff);
  CHECK_INT(graphagile_fp16_store(65520), 0x7c00);
  CHECK_INT(graphagile_fp16_store(-1e30f), 0xfc00);
  CHECK_INT(graphagile_fp16_store(INFINITY), 0x7c00);
  CHECK_INT(graphagile_fp16_store(-INFINITY), 0xfc00);
  CHECK_INT(graphagile_fp16_store(1e-30f), 0);
  CHECK_INT(graphagile_fp16_store(-1e-40f), 0x8000); /* subnormal in fp32, too */
}
