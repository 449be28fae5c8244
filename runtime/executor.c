/* The thread pool of gnnc/executor.h: support/thread_pool.h with the executor interface of the
 * ABI. */
#include "runtime/gnnc/executor.h"
#include "support/thread_pool.h"

#include <stdlib.h>

struct gnnc_pool {
  gnnc_executor executor;
  thread_pool *threads;
};

static void for_parts(void *user, int64_t parts, void (*body)(void *data, int64_t part), void *data) {
  gnnc_pool *p = user;
  thread_pool_for_parts(p->threads, parts, body, data);
}

gnnc_pool *gnnc_pool_create(int32_t width) {
  gnnc_pool *p = malloc(sizeof *p);
  if (!p) return NULL;
  p->threads = thread_pool_create(width);
  if (!p->threads) {
    free(p);
    return NULL;
  }
  p->executor = (gnnc_executor){
      .size = sizeof p->executor, .user = p, .width = thread_pool_start(p->threads), .for_parts = for_parts};
  return p;
}

void gnnc_pool_destroy(gnnc_pool *p) {
  if (!p) return;
  thread_pool_destroy(p->threads);
  free(p);
}

const gnnc_executor *gnnc_pool_executor(const gnnc_pool *p) {
  return &p->executor;
}
