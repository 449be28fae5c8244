/* Writes the program: for each layer a CSI and its Tiling Blocks, then HALT (GraphAGILE, Section
 * VI-F). */
#include "codegen/graphagile/emit/emit.h"

#include "codegen/graphagile/emit/emit_code.h"
#include "codegen/graphagile/emit/emit_gemm.h"
#include "codegen/graphagile/emit/emit_sddmm.h"
#include "codegen/graphagile/emit/emit_spdmm.h"
#include "codegen/graphagile/emit/emit_vector.h"
#include "codegen/graphagile/plan/plan_order.h"

#include <string.h>

/* A host step has no instructions: the device's run ends before it. */
static int64_t graphagile_emit_host(graphagile_emit *e) {
  (void)e;
  return 0;
}

static int64_t (*const layers[])(graphagile_emit *e) = {
#define KIND(name, type) graphagile_emit_##name,
#include "codegen/graphagile/plan/plan_kinds.def"
};

/* Writes the CSI in front of the blocks. It says how many blocks there are, so it is made after
 * them. */
static void set_csi(graphagile_emit *e, size_t at, size_t id, bool is_last) {
  const graphagile_plan_layer *l = e->layer;
  EMIT(e, csi, .layer_type = (uint64_t)graphagile_plan_layer_type(l->kind), .layer_id = id,
       .num_blocks = (uint64_t)l->blocks, .last_layer = is_last, .tb_base = (l->text + GRAPHAGILE_INSN_BYTES) / 16,
       .desc_base = graphagile_plan_has_pieces(l) ? graphagile_plan_pieces_base(l) / 16 : 0);
  e->words.items[at] = e->words.items[--e->words.count];
}

static size_t count_device_layers(const graphagile_plan *p) {
  size_t count = 0;
  for (size_t i = 0; i < p->layers.count; i++) count += p->layers.items[i].kind != GRAPHAGILE_PLAN_host;
  return count;
}

bool graphagile_emit_program(graphagile_plan *p, const graphagile_word **words) {
  size_t id = 0, count = count_device_layers(p);
  graphagile_emit e = {.plan = p, .lanes = p->device->width, .alternates = p->options->overlap};
  e.row = (uint64_t)e.lanes * 4;
  e.all = (UINT64_C(1) << e.lanes) - 1;
  e.parity = arena_alloc_array(p->arena, (size_t)p->device->num_pes, sizeof *e.parity);
  e.shares = p->options->broadcast && p->device->has_broadcast;
  for (size_t i = 0; i < p->layers.count && !p->failed; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    size_t at = e.words.count;
    e.layer = l;
    l->text = p->sections[IMAGE_TEXT] + at * GRAPHAGILE_INSN_BYTES;
    if (l->kind == GRAPHAGILE_PLAN_host) continue;
    memset(e.parity, 0, (size_t)p->device->num_pes * sizeof *e.parity);
    EMIT(&e, halt, 0); /* room for the CSI */
    l->blocks = layers[l->kind](&e);
    id++;
    set_csi(&e, at, id - 1, id == count);
    l->text_bytes = (e.words.count - at) * GRAPHAGILE_INSN_BYTES;
  }
  EMIT(&e, halt, 0);
  program_host_keep(p->host, e.words.items);
  *words = e.words.items;
  p->sizes[IMAGE_TEXT] = e.words.count * sizeof *e.words.items;
  return !p->failed;
}
