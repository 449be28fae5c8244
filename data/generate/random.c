/* The random number generator. It uses integer arithmetic only, so results do not depend on the
 * machine or the compiler. */
#include "data/generate/random.h"

static uint64_t splitmix(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

random_state random_create(uint64_t seed, uint64_t purpose) {
  uint64_t state = seed;
  state = splitmix(&state) ^ purpose * UINT64_C(0xD1342543DE82EF95);
  random_state r;
  for (int i = 0; i < 4; i++) r.s[i] = splitmix(&state);
  return r;
}

static uint64_t rotate_left(uint64_t x, int count) {
  return x << count | x >> (64 - count);
}

uint64_t random_next(random_state *r) {
  uint64_t result = rotate_left(r->s[1] * 5, 7) * 9;
  uint64_t t = r->s[1] << 17;
  r->s[2] ^= r->s[0];
  r->s[3] ^= r->s[1];
  r->s[1] ^= r->s[2];
  r->s[0] ^= r->s[3];
  r->s[2] ^= t;
  r->s[3] = rotate_left(r->s[3], 45);
  return result;
}

uint64_t random_below(random_state *r, uint64_t bound) {
  for (;;) {
    uint64_t x = random_next(r);
    if (x >= bound) return x % bound;
    const uint64_t threshold = (0 - bound) % bound; /* smaller numbers would favour some results; threshold < bound */
    if (x >= threshold) return x;
  }
}

double random_unit(random_state *r) {
  return (double)(random_next(r) >> 11) * 0x1p-53;
}
