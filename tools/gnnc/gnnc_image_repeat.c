/* --repeat: times the compilation again from the analysed model on (T_LoC, GraphAGILE, Section
 * VII). The context is warm; nothing is verified, packed, written or printed. */
#include "tools/gnnc/gnnc_image.h"

#include "frontend/emit_gnn.h"
#include "passes/manager/pass_manager.h"
#include "support/clock.h"
#include "support/number.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

static bool compile_again(gnnc_driver *r, thread_pool *pool, const pass_pipeline *pipeline, const pass_run *settings,
                          double *ms) {
  gnnc_image p = {0};
  double begin = clock_seconds();
  MlirModule module = emit_gnn_module(r->context, r->flat);
  bool good = !mlirModuleIsNull(module) && pass_pipeline_run(mlirModuleGetOperation(module), pipeline, settings);
  double lowered = clock_seconds();
  good = good && gnnc_image_compile(r, module, pool, false, &p);
  *ms = 1e3 * (lowered - begin) + p.ms;
  gnnc_image_free(&p);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  return good;
}

/* Keeps the memory that one compilation frees mapped for the next, so that the times do not include
 * page faults. */
static void keep_memory_warm(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, INT32_MAX);
  mallopt(M_TRIM_THRESHOLD, INT32_MAX);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
}

bool gnnc_image_repeat(gnnc_driver *r, thread_pool *pool) {
  const gnnc_options *o = &r->options;
  keep_memory_warm();
  pass_pipeline pipeline = {0};
  const char *passes = gnnc_driver_pipeline(r, &o->code.features, o->emit);
  if (!pass_pipeline_parse(r->arena, r->context, passes, r->diag, &pipeline)) return false;
  pass_run settings = {
      .diag = r->diag, .statistics = r->files.statistics, .opt_level = o->code.opt_level, .is_unverified = true};
  double *ms = arena_alloc_array(r->arena, (size_t)o->repeat, sizeof *ms);
  for (int32_t i = 0; i < o->repeat; i++)
    if (!compile_again(r, pool, &pipeline, &settings, &ms[i])) return false;
  number_sort(ms, (size_t)o->repeat);
  printf("T_LoC: shortest %.4f ms, median %.4f ms of %d\n", ms[0], ms[o->repeat / 2], (int)o->repeat);
  return true;
}
