/* The symbol table of an image. */
#include "codegen/graphagile/pack/pack_symbols.h"

void graphagile_pack_symbols(graphagile_plan *p, image *out) {
  VEC(image_symbol) symbols = {0};
  size_t id = 0; /* counts layers of the device */
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    if (l->kind == GRAPHAGILE_PLAN_host) continue;
    image_symbol s = {arena_printf(p->arena, "layer %zu %s", id++, l->name), IMAGE_TEXT, l->text, l->text_bytes};
    VEC_PUSH(p->arena, &symbols, s);
    graphagile_plan_constant *constants[GRAPHAGILE_PLAN_MAX_OWN_CONSTANTS];
    int count = graphagile_plan_own_constants(l, constants);
    for (int c = 0; c < count; c++)
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
    if (!t->whole && !t->is_gone)
      VEC_PUSH(p->arena, &symbols,
               (image_symbol){t->name, graphagile_plan_is_weights(t) ? IMAGE_WEIGHTS : IMAGE_FEATURES, t->address,
                              t->bytes});
  }
  out->symbols = symbols.items;
  out->num_symbols = (int64_t)symbols.count;
}
