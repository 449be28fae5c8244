/* Computes x^y = 2^(y log2 x). Both functions are series around points where few terms suffice. The
 * file is compiled without fused multiply-add. */
#include "data/generate/power.h"

#include <stdint.h>
#include <string.h>

#define LN2 0x1.62e42fefa39efp-1

/* Computes log2 from the exponent and, for the mantissa in [sqrt(1/2), sqrt(2)], the series of
 * artanh. */
static double log2_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7FF) - 1023;
  bits = (bits & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000);
  double m;
  memcpy(&m, &bits, sizeof m);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    exponent++;
  }
  double s = (m - 1) / (m + 1), square = s * s, sum = 0;
  for (int i = 23; i >= 1; i -= 2) sum = sum * square + 1.0 / i;
  return exponent + 2 * s * sum / LN2;
}

static double exp2_of(double y) {
  int whole = (int)(y < 0 ? y - 0.5 : y + 0.5);
  if (whole < -1022) return 0;
  double t = (y - whole) * LN2, sum = 1;
  for (int i = 18; i >= 1; i--) sum = 1 + t / i * sum;
  uint64_t bits = (uint64_t)(whole + 1023) << 52;
  double scale;
  memcpy(&scale, &bits, sizeof scale);
  return scale * sum;
}

double power_of(double x, double y) {
  return exp2_of(y * log2_of(x));
}
