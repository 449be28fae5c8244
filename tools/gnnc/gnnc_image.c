/* Makes programs of machines. The host evaluates the operations that depend on graph and weights
 * alone, the target compiles the other operations to an image, and the driver writes the image to a
 * file. */
#include "tools/gnnc/gnnc_image.h"

#include "isa/text/listing.h"
#include "support/clock.h"
#include "support/program.h"
#include "support/progress.h"
#include "support/vec.h"
#include "tools/gnnc/gnnc_made_by.h"
#include "tools/gnnc/gnnc_options_target.h"
#include "tools/gnnc/gnnc_precision.h"

#include <inttypes.h>

void gnnc_image_free(gnnc_image *p) {
  program_host_destroy(p->host);
  if (p->arena) arena_destroy(p->arena);
  *p = (gnnc_image){0};
}

bool gnnc_image_compile(gnnc_driver *r, MlirModule module, thread_pool *pool, bool is_kept, gnnc_image *p) {
  backend_options options = r->options.code;
  options.no_weights = !is_kept;
  *p = (gnnc_image){.arena = arena_create()};
  double begin = clock_seconds(), seconds = 0;
  if (gnnc_driver_failed(program_host_create(module, r->files.graph, r->files.weights, pool, &p->host))) return false;
  double created = clock_seconds();
  status error = STATUS_OK;
  unsigned broken = diag_error_count_of(r->diag, DIAG_internal);
  ir_diagnostics_attach(r->context, &r->diagnostics);
  bool good = options.target->compile(module, p->host, &options, r->program.main->source->text, r->diag, p->arena,
                                      &p->image, &p->manifest, &seconds, &error);
  ir_diagnostics_detach(r->context, &r->diagnostics);
  gnnc_driver_keep_ir(r, module, broken);
  if (gnnc_driver_failed(error) || !good) return false;
  if (is_kept && gnnc_driver_failed(gnnc_image_describe(r, p->host, p->arena, &p->manifest))) return false;
  double described = clock_seconds();
  gnnc_image_add_manifest(&p->manifest, p->arena, &p->image);
  p->ms = 1e3 * (created - begin + seconds + clock_seconds() - described);
  return true;
}

/* Compiles a module and adds the data that the target does not have: fingerprints, sources, the
 * compiler and its options. */
static bool compile_whole(gnnc_driver *r, MlirModule module, thread_pool *pool, gnnc_image *p) {
  const unsigned errors = diag_error_count(r->diag);
  bool good = gnnc_precision_is_asked(&r->options) ? gnnc_precision_compile(r, module, pool, p)
                                                   : gnnc_image_compile(r, module, pool, true, p);
  if (good) p->image.graph_fingerprint = graph_fingerprint(r->files.graph);
  if (good) p->image.compiler = gnnc_compiler_name();
  gnnc_driver_time(r, "generate program");
  return good && diag_error_count(r->diag) == errors; /* -Werror */
}

/* Prints the device level for --emit=device, with the compiler's choices for each operation where a
 * graph is given. */
static bool emit_device(gnnc_driver *r, MlirModule module) {
  bool good = true;
  if (r->files.graph) {
    const backend_options *o = &r->options.code;
    program_host *host = NULL;
    if (gnnc_driver_failed(program_host_create(module, r->files.graph, r->files.weights, NULL, &host))) return false;
    unsigned broken = diag_error_count_of(r->diag, DIAG_internal);
    good = !gnnc_driver_failed(o->target->plan(module, host, o, r->diag));
    gnnc_driver_keep_ir(r, module, broken);
    program_host_destroy(host);
  }
  return good && gnnc_driver_write_ir(r, module);
}

static bool write_listing(const gnnc_driver *r, const image *im) {
  text out = {0};
  bool good = !gnnc_driver_failed(listing_print(im, &out)) && gnnc_driver_write(r->options.output, text_str(&out));
  text_free(&out);
  return good;
}

static bool write_program(gnnc_driver *r, const image *im) {
  const char *path = r->options.output;
  if (!path) return true;
  bool good = !gnnc_driver_failed(image_write(im, path));
  if (good && r->options.is_verbose) fprintf(stderr, "gnnc: wrote %s\n", path);
  return good;
}

static void print_statistics(const gnnc_driver *r, const gnnc_image *p, double ms) {
  const image *im = &p->image;
  progress_step("", NULL, 0);
  printf("model: %s\n", r->flat->model);
  for (int k = 0; k < IMAGE_SECTIONS; k++) {
    const image_section *s = &im->sections[k];
    if (s->size)
      printf("%-14s %14" PRIu64 " bytes%s\n", image_section_name((image_section_kind)k), s->size,
             s->data ? "" : ", not in the file");
  }
  int64_t tensors = 0;
  for (int64_t i = 0; i < im->num_symbols; i++) tensors += im->symbols[i].section == IMAGE_FEATURES;
  printf("layers: %zu\ninstructions: %" PRIu64 "\ntensors: %" PRId64 "\n", p->manifest.layers.count,
         im->sections[IMAGE_TEXT].size / im->device.machine->isa->insn_bytes, tensors);
  printf("compilation: %.3f ms\n", ms);
}

static bool write_and_explain(gnnc_driver *r, const gnnc_image *p, double passes_ms) {
  bool good = r->options.emit == GNNC_EMIT_asm ? write_listing(r, &p->image) : write_program(r, &p->image);
  gnnc_driver_time(r, "write");
  if (good && r->options.has_stats) print_statistics(r, p, passes_ms + p->ms);
  return good;
}

static thread_pool *open_pool(const gnnc_driver *r) {
  int threads = r->options.code.threads;
  thread_pool *pool = thread_pool_create(threads);
  if (!pool) gnnc_driver_failed(status_error(STATUS_CODE_memory, "no memory for %d threads", threads));
  return pool;
}

bool gnnc_image_emit(gnnc_driver *r, MlirModule module, double passes_ms) {
  if (r->options.emit == GNNC_EMIT_device) return emit_device(r, module);
  thread_pool *pool = open_pool(r);
  if (!pool) return false;
  gnnc_image p;
  bool good = compile_whole(r, module, pool, &p) && write_and_explain(r, &p, passes_ms);
  gnnc_image_free(&p);
  if (good && r->options.repeat) good = gnnc_image_repeat(r, pool);
  gnnc_driver_time(r, "compile again");
  thread_pool_destroy(pool);
  return good;
}

/* ---- --target=all ------------------------------------------------------------------------------------------------ */

typedef struct one_of_all {
  gnnc_image image;
  const char *path;
  bool is_made;      /* the machine takes the model */
  file_writer *file; /* valid until it is committed or abandoned */
  double passes_ms;
} one_of_all;

typedef VEC(one_of_all) all_programs;

static bool compile_for(gnnc_driver *r, const backend *target, thread_pool *pool, one_of_all *one) {
  double begin = clock_seconds();
  r->options.code.target = target;
  if (gnnc_driver_failed(status_context(gnnc_options_make_device(&r->options), "machine '%s'", target->name)))
    return false;
  MlirModule module = gnnc_driver_emit(r);
  bool good =
      !mlirModuleIsNull(module) && gnnc_driver_run_passes(r, module, &r->options.code.features, r->options.emit);
  one->passes_ms = 1e3 * (clock_seconds() - begin);
  one->path = arena_printf(r->arena, "%s.%s.bin", r->options.output, target->name);
  good = good && compile_whole(r, module, pool, &one->image);
  if (!mlirModuleIsNull(module)) mlirModuleDestroy(module);
  if (!good) program_error("--target=all: there is no program of machine '%s'", target->name);
  return good;
}

/* Writes all programs that were made or none: all are on disk under temporary names before the first is renamed. */
static bool write_all(gnnc_driver *r, all_programs *made) {
  status s = STATUS_OK;
  for (size_t i = 0; i < made->count && !s; i++) {
    one_of_all *one = &made->items[i];
    if (!one->is_made) continue;
    s = file_writer_open(one->path, &one->file);
    if (!s) s = status_context(image_put(&one->image.image, one->file), "%s", one->path);
  }
  for (size_t i = 0; i < made->count; i++) {
    one_of_all *one = &made->items[i];
    if (s && one->file)
      file_writer_abandon(one->file);
    else if (one->file)
      s = file_writer_commit(one->file);
    if (!s && one->is_made && r->options.is_verbose) fprintf(stderr, "gnnc: wrote %s\n", one->path);
  }
  gnnc_driver_time(r, "write");
  return !gnnc_driver_failed(s);
}

/* Reads the devices of all machines, so that a wrong file is known before the first compilation. */
static bool check_devices(gnnc_driver *r) {
  for (const backend *const *b = backend_table; *b; b++) {
    if (!(*b)->machine) continue;
    r->options.code.target = *b;
    if (gnnc_driver_failed(gnnc_options_make_device(&r->options))) return false;
  }
  return true;
}

bool gnnc_image_emit_all(gnnc_driver *r) {
  all_programs made = {0};
  if (!check_devices(r)) return false;
  thread_pool *pool = open_pool(r);
  if (!pool) return false;
  bool good = true;
  for (const backend *const *b = backend_table; *b; b++) {
    if (!(*b)->machine) continue;
    VEC_PUSH(r->arena, &made, (one_of_all){0});
    one_of_all *one = &made.items[made.count - 1];
    one->is_made = compile_for(r, *b, pool, one);
    good = good && one->is_made;
  }
  bool is_written = write_all(r, &made);
  for (size_t i = 0; i < made.count; i++) {
    one_of_all *one = &made.items[i];
    if (one->is_made && is_written && r->options.has_stats)
      print_statistics(r, &one->image, one->passes_ms + one->image.ms);
    gnnc_image_free(&one->image);
  }
  thread_pool_destroy(pool);
  return good && is_written;
}
