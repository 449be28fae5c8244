/* What takes how many cycles in the ACK, apart from conflicts that depend on the edges (GraphAGILE
 * section V-D): the simulator counts by these rules, and the compiler's cost model estimates by
 * them.
 *
 * The functions in whole numbers are for an instruction. Those that end in _mean are for tiles of
 * an average size, which may be a fraction; only rounding that a whole layer repeats is left in
 * them. */
#ifndef GNNC_ISA_GRAPHAGILE_TIMING_H
#define GNNC_ISA_GRAPHAGILE_TIMING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* A change of mode (GEMM, SpDMM, SDDMM, VADD), besides the fill of the pipelines. */
enum { GRAPHAGILE_TIMING_SWITCH = 1 };

static inline uint64_t graphagile_timing_parts(uint64_t n, uint64_t size) {
  return n / size + (n % size != 0);
}

/* Edges of SpDMM and SDDMM, and rows of VADD, that pass per cycle: half as many as there are
 * columns. */
static inline uint64_t graphagile_timing_pairs(int32_t width) {
  return (uint64_t)width / 2;
}

/* GEMM: output stationary, p rows by p columns at a time. Draining overlaps, so that p cycles are
 * the least. */
static inline uint64_t graphagile_timing_gemm(int32_t width, uint64_t rows, uint64_t len, uint64_t fibers) {
  uint64_t p = (uint64_t)width;
  return graphagile_timing_parts(rows, p) * fibers * (len > p ? len : p);
}

static inline double graphagile_timing_gemm_mean(double width, double rows, double len, double fibers) {
  return ceil(rows / width) * fibers * fmax(len, width);
}

/* SpDMM and SDDMM, per fiber. */
static inline uint64_t graphagile_timing_edges(int32_t width, uint64_t edges) {
  return graphagile_timing_parts(edges, graphagile_timing_pairs(width));
}

static inline double graphagile_timing_edges_mean(double width, double edges) {
  return edges / (width / 2);
}

/* The Activation Elements of a PE, p of them (16 in the paper), compute exp, sigmoid and division;
 * the ALUs of the array do not (GraphAGILE section VII, Activation Unit). They take a row of a
 * fiber per cycle: POST on rows, and division. POST on values takes as long as VADD on values. */
static inline uint64_t graphagile_timing_post(uint64_t rows, uint64_t fibers) {
  return fibers * rows;
}

static inline double graphagile_timing_post_mean(double rows, double fibers) {
  return fibers * rows;
}

/* VADD on rows, and on values of edges, of which p pass per cycle, divided or not. A division of
 * rows passes the Activation Elements. */
static inline uint64_t graphagile_timing_vadd(int32_t width, uint64_t rows, uint64_t fibers, bool divides) {
  if (divides) return graphagile_timing_post(rows, fibers);
  return fibers * graphagile_timing_parts(rows, graphagile_timing_pairs(width));
}

static inline uint64_t graphagile_timing_values(int32_t width, uint64_t edges) {
  return graphagile_timing_parts(edges, (uint64_t)width);
}

static inline double graphagile_timing_vadd_mean(double width, double rows, double fibers, bool divides) {
  return divides ? graphagile_timing_post_mean(rows, fibers) : fibers * rows / (width / 2);
}

/* INIT: all banks of a Feature Buffer at a time. */
static inline uint64_t graphagile_timing_init(int32_t width, uint64_t rows, uint64_t fibers) {
  return fibers * graphagile_timing_parts(rows, (uint64_t)width);
}

static inline double graphagile_timing_init_mean(double width, double rows, double fibers) {
  return fibers * rows / width;
}

#endif
