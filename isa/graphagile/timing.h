/* The cycles of the ACK for each kind of instruction, without conflicts that depend on the edges
 * (GraphAGILE, Section V-D). The simulator counts by these rules, and the compiler's cost model
 * estimates by them.
 *
 * Functions of whole numbers are for one instruction. Functions that end in _mean are for tiles of
 * an average size, which may be fractional; they round only where every instruction of a layer
 * does. */
#ifndef GNNC_ISA_GRAPHAGILE_TIMING_H
#define GNNC_ISA_GRAPHAGILE_TIMING_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Cycles of a change of mode (GEMM, SpDMM, SDDMM, VADD), besides the fill of the pipelines. */
enum { GRAPHAGILE_TIMING_SWITCH = 1 };

/* ceil(n / size) */
static inline uint64_t graphagile_timing_parts(uint64_t n, uint64_t size) {
  return n / size + (n % size != 0);
}

/* Edges of SpDMM and SDDMM, and rows of VADD, per cycle: half as many as there are columns. */
static inline uint64_t graphagile_timing_pairs(int32_t width) {
  return (uint64_t)width / 2;
}

/* GEMM: the array is output stationary and computes p rows by p columns at a time. Draining one
 * tile overlaps with the next, so a tile takes at least p cycles. */
static inline uint64_t graphagile_timing_gemm(int32_t width, uint64_t rows, uint64_t len, uint64_t fibers) {
  uint64_t p = (uint64_t)width;
  return graphagile_timing_parts(rows, p) * fibers * (len > p ? len : p);
}

static inline double graphagile_timing_gemm_mean(double width, double rows, double len, double fibers) {
  return ceil(rows / width) * fibers * fmax(len, width);
}

/* SpDMM and SDDMM, for one fiber. */
static inline uint64_t graphagile_timing_edges(int32_t width, uint64_t edges) {
  return graphagile_timing_parts(edges, graphagile_timing_pairs(width));
}

static inline double graphagile_timing_edges_mean(double width, double edges) {
  return edges / (width / 2);
}

/* POST on rows. The p Activation Elements of a PE (16 in the paper) compute exp, sigmoid and
 * division; the ALUs of the array do not (GraphAGILE, Section VII, "Arithmetic Logic Unit"). They
 * process one row of a fiber per cycle. POST on values takes as long as VADD on values. */
static inline uint64_t graphagile_timing_post(uint64_t rows, uint64_t fibers) {
  return fibers * rows;
}

static inline double graphagile_timing_post_mean(double rows, double fibers) {
  return fibers * rows;
}

/* VADD on rows; with `divides` it passes through the Activation Elements. VADD on values of edges
 * processes p values per cycle, also when it divides. */
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

/* INIT writes to all banks of a Feature Buffer at the same time. */
static inline uint64_t graphagile_timing_init(int32_t width, uint64_t rows, uint64_t fibers) {
  return fibers * graphagile_timing_parts(rows, (uint64_t)width);
}

static inline double graphagile_timing_init_mean(double width, double rows, double fibers) {
  return fibers * rows / width;
}

#endif
