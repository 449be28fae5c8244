/* The steps of GraphAGILE section VI after the order of computation: partition, map to Layer Blocks and tiling blocks, place, emit, pack. */
#include "codegen/graphagile/compile.h"

#include "codegen/device/host_memory.h"
#include "codegen/graphagile/compile_parts.h"
#include "codegen/graphagile/cost/cost.h"
#include "codegen/graphagile/emit/emit.h"
#include "codegen/graphagile/layout.h"
#include "codegen/graphagile/plan/plan_verify.h"
#include "support/number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t record_bytes(const graphagile_plan_edge_list *e) {
  return (uint64_t)e->list->edges * e->record_bytes;
}

/* The .edges section: each list begins at a multiple of 64 bytes, as graphagile_layout_assign says too. What is between is zero. */
static bool reserve_records(graphagile_plan *p) {
  uint64_t size = 0;
  for (size_t i = 0; i < p->edges.count; i++)
    size += (uint64_t)number_round_up((int64_t)record_bytes(p->edges.items[i]), GRAPHAGILE_PLAN_ALIGN);
  p->records = host_memory_alloc((int64_t)size, 1);
  if (!p->records)
    return graphagile_plan_check(
        p, status_error(STATUS_CODE_memory, "no memory for %llu bytes of edges", (unsigned long long)size));
  program_host_keep(p->host, p->records);
  return true;
}

/* Records are written where they stay; those that are packed follow in graphagile_compile_edges. */
bool graphagile_plan_partition(graphagile_plan *p) {
  uint64_t at = 0;
  if (!p->options->no_data && !reserve_records(p)) return false;
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    uint64_t bytes = record_bytes(e), end = (uint64_t)number_round_up((int64_t)(at + bytes), GRAPHAGILE_PLAN_ALIGN);
    int what = p->options->no_data
                   ? 0
                   : GRAPHAGILE_PARTITION_RECORDS | (e->wants_positions ? GRAPHAGILE_PARTITION_POSITIONS : 0);
    if (what && !e->is_packed) what |= GRAPHAGILE_PARTITION_INTO;
    if (!p->options->skip_empty) what |= GRAPHAGILE_PARTITION_EMPTY;
    if (p->records) memset(p->records + at + bytes, 0, end - at - bytes);
    if (p->records) e->partition.records = p->records + at;
    if (!graphagile_plan_check(
            p, graphagile_partition_build(e->list, e->shape->shape, what, p->options->threads, &e->partition)))
      return false;
    at = end;
  }
  return graphagile_plan_order_pieces(p);
}

static void free_partitions(graphagile_plan *p) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    graphagile_plan_free_pieces(e);
    if (!e->is_packed) e->partition.records = NULL;
    graphagile_partition_free(&e->partition);
  }
}

/* Records of 12 bytes as 4: weights are 1 or come from elsewhere. */
static void pack_records(unsigned char *to, const unsigned char *from, int64_t count) {
  enum { SHIFT = 14 };
  for (int64_t i = 0; i < count; i++) {
    uint32_t ends[2];
    memcpy(ends, from + i * GRAPHAGILE_RECORD_BYTES, sizeof ends);
    ends[0] |= ends[1] << SHIFT;
    memcpy(to + i * 4, ends, 4);
  }
}

const unsigned char *graphagile_compile_edges(graphagile_plan *p) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    if (e->is_packed)
      pack_records(p->records + (e->address - p->sections[IMAGE_EDGES]), e->partition.records, e->list->edges);
  }
  return p->records;
}

static const unsigned char *descriptors_of(graphagile_plan *p) {
  unsigned char *data = arena_alloc(p->arena, p->sizes[IMAGE_DESC] + 1), *at;
  for (size_t i = 0; i < p->edges.count; i++) {
    const graphagile_plan_edge_list *e = p->edges.items[i];
    for (int o = 0; o < GRAPHAGILE_PLAN_ORDERS; o++) {
      const graphagile_plan_pieces *order = &e->orders[o];
      at = data + (order->address - p->sections[IMAGE_DESC]);
      for (int64_t k = 0; k < graphagile_plan_pieces_count(order); k++, at += GRAPHAGILE_DESCRIPTOR_BYTES)
        graphagile_descriptor_encode(&order->pieces[k], at);
    }
  }
  return data;
}

static void add_symbols(graphagile_plan *p, image *out) {
  VEC(image_symbol) symbols = {0};
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    image_symbol s = {arena_printf(p->arena, "layer %zu %s", i, l->name), IMAGE_TEXT, l->text, l->text_bytes};
    VEC_PUSH(p->arena, &symbols, s);
    const graphagile_plan_constant *constants[] = {&l->matrix, &l->bias};
    for (int c = 0; c < 2; c++)
      if (constants[c]->bytes && !constants[c]->is_merged)
        VEC_PUSH(p->arena, &symbols,
                 (image_symbol){constants[c]->name, IMAGE_WEIGHTS, constants[c]->address, constants[c]->bytes});
  }
  for (size_t i = 0; i < p->edges.count; i++) {
    const graphagile_plan_edge_list *e = p->edges.items[i];
    image_symbol records = {e->name, IMAGE_EDGES, e->address, (uint64_t)e->list->edges * e->record_bytes};
    VEC_PUSH(p->arena, &symbols, records);
    for (int o = 0; o < GRAPHAGILE_PLAN_ORDERS; o++) {
      static const char *const names[GRAPHAGILE_PLAN_ORDERS] = {"pieces", "pieces with reuse", "pieces of pairs",
                                                                "parts of pairs"};
      image_symbol pieces = {arena_printf(p->arena, "%s %s", e->name, names[o]), IMAGE_DESC, e->orders[o].address,
                             (uint64_t)graphagile_plan_pieces_count(&e->orders[o]) * GRAPHAGILE_DESCRIPTOR_BYTES};
      if (e->orders[o].pieces) VEC_PUSH(p->arena, &symbols, pieces);
    }
  }
  for (size_t i = 0; i < p->tensors.count; i++) {
    const graphagile_plan_tensor *t = p->tensors.items[i];
    bool is_constant = t->place == GRAPHAGILE_PLAN_CONSTANT || t->place == GRAPHAGILE_PLAN_INPUT_WEIGHT;
    if (!t->whole && !t->is_gone)
      VEC_PUSH(p->arena, &symbols,
               (image_symbol){t->name, is_constant ? IMAGE_WEIGHTS : IMAGE_FEATURES, t->address, t->bytes});
  }
  out->symbols = symbols.items;
  out->num_symbols = (int64_t)symbols.count;
}

static bool fill_image(graphagile_plan *p, const char *source_text, image *out) {
  *out = (image){
      .isa_major = GRAPHAGILE_MAJOR, .isa_minor = GRAPHAGILE_MINOR, .device = p->options->device, .compiler = "gnnc"};
  for (int s = 0; s < IMAGE_SECTIONS; s++) {
    out->sections[s].address = p->sections[s];
    out->sections[s].size = p->sizes[s];
  }
  out->sections[IMAGE_CONSTANTS].data = (const unsigned char *)p->constants;
  if (p->sizes[IMAGE_DESC]) out->sections[IMAGE_DESC].data = descriptors_of(p);
  if (p->sizes[IMAGE_EDGES] && !p->options->no_data) out->sections[IMAGE_EDGES].data = graphagile_compile_edges(p);
  if (source_text) {
    out->sections[IMAGE_SOURCE].data = (const unsigned char *)source_text;
    out->sections[IMAGE_SOURCE].size = strlen(source_text);
  }
  add_symbols(p, out);
  return !p->error && graphagile_manifest_write(p, out);
}

static bool emit_text(graphagile_plan *p, image *out) {
  graphagile_emit e = {.plan = p};
  if (!graphagile_emit_program(&e)) return false;
  p->sizes[IMAGE_TEXT] = e.words.count * sizeof *e.words.items;
  if (!graphagile_layout_check(p)) return false;
  out->sections[IMAGE_TEXT].data = (const unsigned char *)e.words.items;
  return true;
}

static bool compile(graphagile_plan *p, const char *source_text, image *out, double *seconds) {
  double begin = now();
  image made = {0};
  if (!graphagile_plan_read(p) || !graphagile_plan_tiles(p) || !graphagile_plan_partition(p)) return false;
  graphagile_layout_assign(p);
  if (!graphagile_plan_verify(p)) return false;
  p->floor = graphagile_cost_floor(p);
  if (!graphagile_layout_check(p)) return false; /* before addresses meet the fields of instructions */
  if (!emit_text(p, &made) || !fill_image(p, source_text, out)) return false;
  out->sections[IMAGE_TEXT].data = made.sections[IMAGE_TEXT].data;
  if (seconds) *seconds = now() - begin;
  if (p->options->no_data || p->options->no_weights || !p->sizes[IMAGE_WEIGHTS]) return true;
  out->sections[IMAGE_WEIGHTS].data = graphagile_compile_weights(p);
  return !p->error;
}

bool graphagile_compile(MlirModule module, program_host *host, const backend_options *options, const char *source_text,
                        diag *d, arena *a, image *out, double *seconds, status *error) {
  graphagile_plan p = {.arena = a,
                       .module = mlirModuleGetOperation(module),
                       .host = host,
                       .options = options,
                       .device = &options->device.graphagile,
                       .diag = d};
  bool ok = compile(&p, source_text, out, seconds);
  free_partitions(&p);
  *error = p.error;
  return ok && !p.failed && !p.error;
}

status graphagile_compile_plan(MlirModule module, program_host *host, const backend_options *options) {
  arena *a = arena_create();
  graphagile_plan p = {.arena = a,
                       .module = mlirModuleGetOperation(module),
                       .host = host,
                       .options = options,
                       .device = &options->device.graphagile};
  p.diag = diag_create(stderr);
  if (graphagile_plan_read(&p) && graphagile_plan_tiles(&p)) {
    MlirContext context = mlirModuleGetContext(module);
    for (size_t i = 0; i < p.layers.count; i++) {
      const graphagile_plan_layer *l = &p.layers.items[i];
      int64_t tile[] = {l->tile.rows, l->tile.fibers, l->edges ? l->edges->shape->shape.src_rows : l->tile.inner};
      mlirOperationSetAttributeByName(l->op, mlirStringRefCreateFromCString("tile"),
                                      ir_attr_integers(context, tile, 3));
    }
  }
  status s = p.error;
  if (!s && p.failed)
    s = status_error(STATUS_CODE_unsupported, "the model does not fit device '%s'", options->device.common.name);
  diag_destroy(p.diag);
  arena_destroy(a);
  return s;
}
