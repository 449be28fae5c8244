/* Pseudo-random numbers that are the same on every machine: xoshiro256** by Blackman and Vigna
 * (public domain), seeded by splitmix64. */
#ifndef GNNC_DATA_GENERATE_RANDOM_H
#define GNNC_DATA_GENERATE_RANDOM_H

#include <stdint.h>

typedef struct random_state {
  uint64_t s[4];
} random_state;

/* Returns a generator for one purpose. The stream of a purpose depends on the seed alone, not on
 * how many numbers other purposes draw. */
random_state random_create(uint64_t seed, uint64_t purpose);

/* Returns 64 random bits. */
uint64_t random_next(random_state *r);

/* Returns a whole number in 0 .. bound - 1, each with the same probability; bound > 0. */
uint64_t random_below(random_state *r, uint64_t bound);

/* Returns a number in [0, 1) with 53 random bits. */
double random_unit(random_state *r);

#endif
