/* What the files execute*.c share: faults, checks of regions, vectors. Each
 * graphagile_execute_<instruction> does what isa/graphagile/graphagile.def says about it. */
#ifndef GNNC_SIM_GRAPHAGILE_EXECUTE_PARTS_H
#define GNNC_SIM_GRAPHAGILE_EXECUTE_PARTS_H

#include "sim/graphagile/execute.h"
#include "support/elementwise_f32.h"

#include <math.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Vectors of four columns; rows have 4, 8 or 16 columns. */
typedef float float4 __attribute__((vector_size(16)));
typedef int32_t int4 __attribute__((vector_size(16)));

ALWAYS_INLINE float4 load4(const float *from) {
  float4 v;
  memcpy(&v, from, sizeof v);
  return v;
}

ALWAYS_INLINE int4 load_mask(const int32_t *from) {
  int4 v;
  memcpy(&v, from, sizeof v);
  return v;
}

ALWAYS_INLINE void store4(float *to, float4 v) {
  memcpy(to, &v, sizeof v);
}

ALWAYS_INLINE bool is_unset(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits == GRAPHAGILE_UNSET;
}

/* Formats a fault into the buffers and returns it. */
const char *graphagile_execute_fault(graphagile_sim_buffers *b, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* NULL if nfib fibers of `rows` rows, `stride` rows apart, lie in a Feature Buffer and do not
 * overlap; else the fault. `operand` is the name of the field, for the fault. */
const char *graphagile_execute_check_rows(graphagile_sim_buffers *b, const char *operand, uint64_t base, uint64_t nfib,
                                          uint64_t stride, uint64_t rows);
/* The same for rows of a Weight Buffer, edges of an Edge Buffer, and an index of the constant
 * table. */
const char *graphagile_execute_check_weights(graphagile_sim_buffers *b, uint64_t base, uint64_t rows);
const char *graphagile_execute_check_edges(graphagile_sim_buffers *b, uint64_t base, uint64_t edges);
const char *graphagile_execute_check_constant(graphagile_sim_buffers *b, uint64_t index);
/* NULL if each end of the first n edges is a row of its fiber: below the stride if there are
 * several fibers, and within the buffer. */
const char *graphagile_execute_check_ends(graphagile_sim_buffers *b, const char *operand, const uint32_t *ends,
                                          uint64_t n, uint64_t base, uint64_t nfib, uint64_t stride);

const char *graphagile_execute_gemm(graphagile_sim_buffers *b, const graphagile_gemm *in);
const char *graphagile_execute_spdmm(graphagile_sim_buffers *b, const graphagile_spdmm *in);
const char *graphagile_execute_sddmm(graphagile_sim_buffers *b, const graphagile_sddmm *in);
const char *graphagile_execute_vadd(graphagile_sim_buffers *b, const graphagile_vadd *in);
const char *graphagile_execute_post(graphagile_sim_buffers *b, const graphagile_post *in);
const char *graphagile_execute_init(graphagile_sim_buffers *b, const graphagile_init *in);

#endif
