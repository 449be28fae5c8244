/* The steps of the compiler behind the order of computation (GraphAGILE, Section VI-E and VI-F):
 * data partitioning, kernel mapping to Layer Blocks and Tiling Blocks, placement in memory,
 * instructions, image. */
#include "codegen/graphagile/compile.h"

#include "codegen/graphagile/cost/cost_floor.h"
#include "codegen/graphagile/emit/emit.h"
#include "codegen/graphagile/pack/layout.h"
#include "codegen/graphagile/pack/pack_edges.h"
#include "codegen/graphagile/pack/pack_manifest.h"
#include "codegen/graphagile/pack/pack_symbols.h"
#include "codegen/graphagile/pack/pack_weights.h"
#include "codegen/graphagile/permute/permute.h"
#include "codegen/graphagile/plan/plan_partition.h"
#include "codegen/graphagile/plan/plan_verify.h"
#include "codegen/graphagile/read/read.h"
#include "codegen/graphagile/tile/tile.h"
#include "support/clock.h"

#include <string.h>

static bool fill_image(graphagile_plan *p, const char *source_text, image *out, program_manifest *manifest) {
  *out = (image){
      .isa_major = GRAPHAGILE_MAJOR, .isa_minor = GRAPHAGILE_MINOR, .device = p->options->device, .compiler = "gnnc"};
  for (int s = 0; s < IMAGE_SECTIONS; s++) {
    out->sections[s].address = p->sections[s];
    out->sections[s].size = p->sizes[s];
  }
  out->sections[IMAGE_CONSTANTS].data = (const unsigned char *)p->constants;
  if (p->sizes[IMAGE_DESC]) out->sections[IMAGE_DESC].data = graphagile_pack_descriptors(p);
  if (p->sizes[IMAGE_EDGES] && !p->options->no_data) out->sections[IMAGE_EDGES].data = graphagile_pack_edges(p);
  if (source_text) {
    out->sections[IMAGE_SOURCE].data = (const unsigned char *)source_text;
    out->sections[IMAGE_SOURCE].size = strlen(source_text);
  }
  graphagile_pack_symbols(p, out);
  return !p->error && graphagile_pack_manifest(p, manifest, out);
}

static bool emit_text(graphagile_plan *p, image *out) {
  const graphagile_word *words;
  if (!graphagile_emit_program(p, &words) || !graphagile_layout_check(p)) return false;
  out->sections[IMAGE_TEXT].data = (const unsigned char *)words;
  return true;
}

static bool compile(graphagile_plan *p, const char *source_text, image *out, program_manifest *manifest,
                    double *seconds) {
  double begin = clock_seconds();
  image made = {0};
  if (!graphagile_read_module(p) || !graphagile_tile_layers(p) || !graphagile_permute_rows(p) ||
      !graphagile_plan_partition(p))
    return false;
  graphagile_layout_assign(p);
  if (!graphagile_plan_verify(p)) return false;
  p->floor = graphagile_cost_floor(p);
  /* must come before addresses are written into fields of instructions */
  if (!graphagile_layout_check(p)) return false;
  if (!emit_text(p, &made) || !fill_image(p, source_text, out, manifest)) return false;
  out->sections[IMAGE_TEXT].data = made.sections[IMAGE_TEXT].data;
  if (seconds) *seconds = clock_seconds() - begin;
  if (p->options->no_data || p->options->no_weights || !p->sizes[IMAGE_WEIGHTS]) return true;
  out->sections[IMAGE_WEIGHTS].data = graphagile_pack_weights(p);
  return !p->error;
}

bool graphagile_compile(MlirModule module, program_host *host, const graphagile_options *options,
                        const char *source_text, diag *d, arena *a, image *out, program_manifest *manifest,
                        double *seconds, status *error) {
  graphagile_plan p = {.arena = a,
                       .module = mlirModuleGetOperation(module),
                       .host = host,
                       .options = options,
                       .device = &options->device.graphagile,
                       .diag = d};
  bool ok = compile(&p, source_text, out, manifest, seconds);
  graphagile_plan_free_partitions(&p);
  *error = p.error;
  return ok && !p.failed && !p.error;
}

status graphagile_compile_plan(MlirModule module, program_host *host, const graphagile_options *options, diag *d) {
  arena *a = arena_create();
  graphagile_plan p = {.arena = a,
                       .module = mlirModuleGetOperation(module),
                       .host = host,
                       .options = options,
                       .device = &options->device.graphagile,
                       .diag = d};
  if (graphagile_read_module(&p) && graphagile_tile_layers(&p)) {
    MlirContext context = mlirModuleGetContext(module);
    for (size_t i = 0; i < p.layers.count; i++) {
      const graphagile_plan_layer *l = &p.layers.items[i];
      if (l->kind == GRAPHAGILE_PLAN_host) continue;
      int64_t tile[] = {l->tile.rows, l->tile.fibers, graphagile_plan_inner_rows(l)};
      mlirOperationSetAttributeByName(l->op, mlirStringRefCreateFromCString("tile"),
                                      ir_attr_integers(context, tile, 3));
    }
  }
  status s = p.error;
  if (!s && p.failed)
    s = status_error(STATUS_CODE_unsupported, "the model does not fit device '%s'", options->device.common.name);
  arena_destroy(a);
  return s;
}
