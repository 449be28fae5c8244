/* The clock does not go backwards. */
#include "support/clock.h"
#include "unit.h"

TEST(the_clock_never_goes_backwards) {
  double last = clock_seconds();
  for (int i = 0; i < 1000; i++) {
    double now = clock_seconds();
    CHECK(now >= last);
    last = now;
  }
}
