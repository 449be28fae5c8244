/* Executors: how the threads of a program take part in runs of a model (gnnc_context in gnnc/abi.h).
 *
 *   gnnc_pool *pool = gnnc_pool_create(4);
 *   const gnnc_context context = {sizeof context, gnnc_pool_executor(pool)};
 *   gcn_run(bound, &inputs, &outputs, workspace, &context);
 *   gnnc_pool_destroy(pool);
 *
 * Parts are claimed from a counter by whoever arrives, the calling thread among them: nobody waits for a thread that has
 * not begun a part, so busy neighbours cost little. Results are the same bits for any executor. */
#ifndef GNNC_EXECUTOR_H
#define GNNC_EXECUTOR_H

#include "abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Threads of POSIX that wait for work: first awake, for some ten microseconds, then asleep. In libgnnc. */
typedef struct gnnc_pool gnnc_pool;

/* A pool of `width` threads, the calling one among them; 1 to 1024, others are taken as the nearest of these. NULL where
 * there is no memory; it has fewer threads where the system gives no more. */
gnnc_pool *gnnc_pool_create(int32_t width);
/* Nothing may run on it any more. NULL is allowed. */
void gnnc_pool_destroy(gnnc_pool *pool);
/* Its executor, which lives as long. Several threads may run models on it at once: the first has the pool's threads, the
 * others work alone meanwhile. */
const gnnc_executor *gnnc_pool_executor(const gnnc_pool *pool);

#ifdef _OPENMP
static inline void gnnc_openmp_for_parts(void *user, int64_t parts, void (*body)(void *data, int64_t part),
                                         void *data) {
  const int32_t width = *(const int32_t *)user;
#pragma omp parallel for schedule(dynamic) num_threads(width)
  for (int64_t part = 0; part < parts; part++) body(data, part);
}

/* OpenMP's threads as an executor; *width is how many, 1 or more, and lives as long as the executor. Its barriers wait for
 * all threads of the team, also for those that another program keeps from running. */
static inline gnnc_executor gnnc_openmp_executor(int32_t *width) {
  gnnc_executor made;
  made.size = sizeof made;
  made.user = width;
  made.width = *width;
  made.for_parts = gnnc_openmp_for_parts;
  return made;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
