/* Pseudo-random numbers that are the same on every machine: xoshiro256** by Blackman and Vigna
 * (public domain), seeded by splitmix64. */
#ifndef GNNC_DATA_GENERATE_RANDOM_H
#define GNNC_DATA_GENERATE_RANDOM_H

#include <stdint.h>

typedef struct random_state {
  uint64_t s[4];
} random_state;

/* A generator for one purpose: streams of one seed do not depend on how much the others are
 * used. */
random_state random_create(uint64_t seed, uint64_t purpose);

uint64_t random_next(random_state *r);

/* A whole number in 0 .. bound - 1, each equally likely; bound > 0. */
uint64_t random_below(random_state *r, uint64_t bound);

/* A number in [0, 1) with 53 random bits. */
double random_unit(random_state *r);

#endif
