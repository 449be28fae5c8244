/* The overlay's half of the driver: the host evaluates what depends on graph and weights, the code generator makes an image of the rest, and the
 * image goes to a file. With --repeat the whole way is timed again from the analysed model on (T_LoC, decision 26): a warm context, no verification,
 * no packing of weights, no file, nothing printed. */
#include "tools/gnnc/gnnc_image.h"

#include "codegen/graphagile/compile.h"
#include "frontend/emit_gnn.h"
#include "isa/graphagile/graphagile.h"
#include "isa/listing.h"
#include "passes/manager/pass_manager.h"
#include "tools/gnnc/gnnc_pipeline.h"

#include <inttypes.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_on(const gnnc_driver *r, gnnc_feature f) {
  return r->options.features.given[f] != GNNC_WHEN_never;
}

static backend_options options_of(const gnnc_driver *r) {
  const gnnc_image_options *o = &r->options.image;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return (backend_options){.device = o->device,
                           .overlap = is_on(r, GNNC_FEATURE_overlap),
                           .skip_empty = is_on(r, GNNC_FEATURE_skip_empty),
                           .balance = is_on(r, GNNC_FEATURE_balance),
                           .broadcast = is_on(r, GNNC_FEATURE_broadcast) && o->device.graphagile.has_broadcast,
                           .packed = is_on(r, GNNC_FEATURE_packed_edges) && o->device.graphagile.has_packed_edges,
                           .fuse = is_on(r, GNNC_FEATURE_fuse_activation),
                           .attention = is_on(r, GNNC_FEATURE_fuse_attention),
                           .paper = o->is_paper,
                           .no_data = o->is_without_data,
                           .threads = r->options.threads ? r->options.threads
                                      : processors > 0   ? (int)processors
                                                         : 1};
}

static double milliseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* An image and what it points into. */
typedef struct program {
  arena *arena;
  program_host *host;
  image image;
  program_manifest manifest;
  double ms; /* what it took to make but for packing weights */
} program;

static void free_program(program *p) {
  program_host_destroy(p->host);
  arena_destroy(p->arena);
}

/* One module to one image; freed by the caller in any case. One that is kept has weights and says what it was compiled
 * from; the time for neither counts. The fingerprint of the graph is the caller's: it says nothing about the program. */
static bool compile_module(gnnc_driver *r, MlirModule module, thread_pool *pool, bool is_kept, program *p) {
  backend_options options = options_of(r);
  options.no_weights = !is_kept;
  *p = (program){.arena = arena_create()};
  double begin = milliseconds(), seconds = 0;
  if (gnnc_driver_failed(program_host_create(module, r->files.graph, r->files.weights, pool, &p->host))) return false;
  double created = milliseconds();
  status error = STATUS_OK;
  ir_diagnostics_attach(r->context, &r->diagnostics);
  bool good = graphagile_compile(module, p->host, &options, r->program.main->source->text, r->diag, p->arena, &p->image,
                                 &p->manifest, &seconds, &error);
  ir_diagnostics_detach(r->context, &r->diagnostics);
  if (gnnc_driver_failed(error) || !good) return false;
  if (is_kept && gnnc_driver_failed(gnnc_image_describe(r, p->host, p->arena, &p->manifest))) return false;
  double described = milliseconds();
  gnnc_image_add_manifest(&p->manifest, p->arena, &p->image);
  p->ms = created - begin + 1e3 * seconds + milliseconds() - described;
  return true;
}

/* --emit=graphagile: with a graph also the tiles that the plan chose. */
static bool emit_blocks(gnnc_driver *r, MlirModule module) {
  bool good = true;
  if (r->files.graph) {
    backend_options options = options_of(r);
    program_host *host = NULL;
    if (gnnc_driver_failed(program_host_create(module, r->files.graph, r->files.weights, NULL, &host))) return false;
    good = !gnnc_driver_failed(graphagile_compile_plan(module, host, &options));
    program_host_destroy(host);
  }
  text out = {0};
  ir_print(mlirModuleGetOperation(module), r->options.has_locations, &out);
  good = good && gnnc_driver_write(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static bool write_listing(const gnnc_driver *r, const image *im) {
  text out = {0};
  bool good = !gnnc_driver_failed(listing_print(im, &out)) && gnnc_driver_write(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static bool write_program(gnnc_driver *r, const image *im) {
  if (!r->options.output) return true;
  bool good = !gnnc_driver_failed(image_write(im, r->options.output));
  if (good && r->options.is_verbose) fprintf(stderr, "gnnc: wrote %s\n", r->options.output);
  return good;
}

/* ---- --repeat ---------------------------------------------------------------------------------------------------- */

static bool compile_again(gnnc_driver *r, thread_pool *pool, const pass_pipeline *pipeline, const pass_run *settings,
                          double *ms) {
  program p = {0};
  double begin = milliseconds();
  MlirModule module = emit_gnn_module(r->context, r->flat);
  bool good = !mlirModuleIsNull(module) && pass_pipeline_run(mlirModuleGetOperation(module), pipeline, settings);
  double lowered = milliseconds();
  good = good && compile_module(r, module, pool, false, &p);
  *ms = lowered - begin + p.ms;
  free_program(&p);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  return good;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Memory that one compilation frees stays mapped for the next: a warm process, not the kernel's first touch of pages, is what is timed. */
static void keep_memory_warm(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, INT32_MAX);
  mallopt(M_TRIM_THRESHOLD, INT32_MAX);
  mallopt(M_TOP_PAD, 64 << 20);
#endif
}

static bool repeat(gnnc_driver *r, thread_pool *pool) {
  const gnnc_options *o = &r->options;
  keep_memory_warm();
  pass_pipeline pipeline = {0};
  const char *passes = o->pass_pipeline ? o->pass_pipeline : gnnc_pipeline_text(r->arena, o, &o->features, o->emit);
  if (!pass_pipeline_parse(r->arena, r->context, passes, r->diag, &pipeline)) return false;
  pass_run settings = {
      .diag = r->diag, .statistics = r->files.statistics, .opt_level = o->opt_level, .is_unverified = true};
  double *ms = arena_alloc_array(r->arena, (size_t)o->repeat, sizeof *ms);
  for (int32_t i = 0; i < o->repeat; i++)
    if (!compile_again(r, pool, &pipeline, &settings, &ms[i])) return false;
  qsort(ms, (size_t)o->repeat, sizeof *ms, compare_doubles);
  printf("T_LoC: shortest %.4f ms, median %.4f ms of %d\n", ms[0], ms[o->repeat / 2], (int)o->repeat);
  return true;
}

/* ---- --stats ----------------------------------------------------------------------------------------------------- */

static void print_statistics(const gnnc_driver *r, const image *im, double ms) {
  printf("model: %s\n", r->flat->model);
  for (int k = 0; k < IMAGE_SECTIONS; k++) {
    const image_section *s = &im->sections[k];
    if (s->size)
      printf("%-14s %14" PRIu64 " bytes%s\n", image_section_name((image_section_kind)k), s->size,
             s->data ? "" : ", not in the file");
  }
  int64_t layers = 0, tensors = 0;
  for (int64_t i = 0; i < im->num_symbols; i++) {
    layers += im->symbols[i].section == IMAGE_TEXT;
    tensors += im->symbols[i].section == IMAGE_FEATURES;
  }
  printf("layers: %" PRId64 "\ninstructions: %" PRIu64 "\ntensors: %" PRId64 "\n", layers,
         im->sections[IMAGE_TEXT].size / GRAPHAGILE_INSN_BYTES, tensors);
  printf("compilation: %.3f ms\n", ms);
}

static bool graphagile_emit_program(gnnc_driver *r, MlirModule module, thread_pool *pool, double passes_ms) {
  program p = {0};
  bool good = compile_module(r, module, pool, true, &p);
  if (good) p.image.graph_fingerprint = graph_fingerprint(r->files.graph);
  gnnc_driver_time(r, "generate program");
  if (good && diag_has_errors(r->diag)) good = false; /* -Werror */
  if (good) good = r->options.emit == GNNC_EMIT_asm ? write_listing(r, &p.image) : write_program(r, &p.image);
  gnnc_driver_time(r, "write");
  if (good && r->options.has_stats) print_statistics(r, &p.image, passes_ms + p.ms);
  free_program(&p);
  if (good && r->options.repeat) good = repeat(r, pool);
  gnnc_driver_time(r, "compile again");
  return good;
}

bool gnnc_image_emit(gnnc_driver *r, MlirModule module, double passes_ms) {
  if (r->options.emit == GNNC_EMIT_device) return emit_blocks(r, module);
  int threads = options_of(r).threads;
  thread_pool *pool = thread_pool_create(threads);
  if (!pool) return !gnnc_driver_failed(status_error(STATUS_CODE_memory, "no memory for %d threads", threads));
  bool good = graphagile_emit_program(r, module, pool, passes_ms);
  thread_pool_destroy(pool);
  return good;
}
