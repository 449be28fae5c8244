/* Assigns addresses. Sections lie in DDR in the order .constants, .edges, .weights, .features,
 * .desc, .text, from an address other than 0 on.
 *
 * A hidden tensor lives from the layer that makes it to the last layer that reads it. Tensors are
 * placed in the order of these layers, each in the lowest gap between the tensors that live at that
 * time. A result never overlaps an operand of its layer, because other blocks may still read the
 * operand. In the paper's accounting tensors share no memory: the cost of a load depends on the
 * size of the tensor at its address, so there must be only one. */
#include "codegen/graphagile/pack/layout.h"

#include "support/number.h"

#include <inttypes.h>

enum { FIRST_ADDRESS = 4096 };

static uint64_t align(uint64_t address) {
  return (uint64_t)number_round_up((int64_t)address, GRAPHAGILE_PLAN_ALIGN);
}

static void place_weights(graphagile_plan *p, uint64_t *at) {
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_plan_constant *constants[GRAPHAGILE_PLAN_MAX_CONSTANTS];
    int count = graphagile_plan_constants(&p->layers.items[i], constants);
    for (int k = 0; k < count; k++) {
      constants[k]->address = *at;
      *at = align(*at + constants[k]->bytes);
    }
  }
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i];
    if (t->whole || !graphagile_plan_is_weights(t)) continue;
    t->address = *at;
    *at = align(*at + t->bytes);
  }
}

typedef VEC(graphagile_plan_tensor *) live_list;

static void place_hidden(graphagile_plan *p, live_list *live, graphagile_plan_tensor *t, uint64_t base) {
  size_t kept = 0, at = 0;
  uint64_t address = base;
  for (size_t i = 0; i < live->count; i++)
    if (live->items[i]->last >= t->first || p->device->memory == GRAPHAGILE_MEMORY_paper)
      live->items[kept++] = live->items[i];
  live->count = kept;
  while (at < kept && live->items[at]->address < address + align(t->bytes)) {
    address = align(live->items[at]->address + live->items[at]->bytes);
    at++;
  }
  t->address = address;
  VEC_PUSH(p->arena, live, t);
  for (size_t i = live->count - 1; i > at; i--) live->items[i] = live->items[i - 1];
  live->items[at] = t;
}

/* Collects hidden tensors, sorted by the layer that makes them; they are nearly sorted already. */
static void collect_hidden(graphagile_plan *p, live_list *out) {
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i];
    if (t->place != GRAPHAGILE_PLAN_HIDDEN || t->is_output || t->whole || t->is_gone) continue;
    VEC_PUSH(p->arena, out, t);
    for (size_t k = out->count - 1; k > 0 && out->items[k - 1]->first > t->first; k--) {
      out->items[k] = out->items[k - 1];
      out->items[k - 1] = t;
    }
  }
}

static void place_features(graphagile_plan *p, uint64_t *at) {
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i];
    if (t->whole || (t->place != GRAPHAGILE_PLAN_INPUT && !(t->place == GRAPHAGILE_PLAN_HIDDEN && t->is_output)))
      continue;
    t->address = *at;
    *at = align(*at + t->bytes);
  }
  live_list live = {0}, hidden = {0};
  uint64_t base = *at;
  collect_hidden(p, &hidden);
  for (size_t i = 0; i < hidden.count; i++) {
    graphagile_plan_tensor *t = hidden.items[i];
    place_hidden(p, &live, t, base);
    if (*at < align(t->address + t->bytes)) *at = align(t->address + t->bytes);
  }
}

/* Places tensors that are windows of others. */
static void place_windows(graphagile_plan *p) {
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i];
    if (!t->whole) continue;
    int64_t fibers = 0;
    for (const graphagile_plan_tensor *up = t; up->whole; up = up->whole) fibers += up->window;
    t->address = graphagile_plan_root(t)->address +
                 (uint64_t)(fibers * t->stride * graphagile_plan_row_bytes(t, p->device->width));
  }
}

static void place_edges(graphagile_plan *p, uint64_t *at) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    e->address = *at;
    *at = align(*at + (uint64_t)e->list->edges * e->record_bytes);
  }
}

static void place_descriptors(graphagile_plan *p, uint64_t *at) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    for (int o = 0; o < GRAPHAGILE_PLAN_ORDERS; o++) {
      e->orders[o].address = *at;
      if (e->orders[o].pieces)
        *at += (uint64_t)graphagile_plan_pieces_count(&e->orders[o]) * GRAPHAGILE_DESCRIPTOR_BYTES;
    }
  }
  *at = align(*at);
}

static void place_constants(graphagile_plan *p, uint64_t *at) {
  *at = align(*at + (uint64_t)p->num_constants * sizeof *p->constants);
}

void graphagile_layout_assign(graphagile_plan *p) {
  static const struct {
    image_section_kind section;
    void (*place)(graphagile_plan *p, uint64_t *at);
  } order[] = {{IMAGE_CONSTANTS, place_constants},
               {IMAGE_EDGES, place_edges},
               {IMAGE_WEIGHTS, place_weights},
               {IMAGE_FEATURES, place_features},
               {IMAGE_DESC, place_descriptors}};
  uint64_t at = FIRST_ADDRESS;
  for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
    uint64_t begin = at;
    p->sections[order[i].section] = begin;
    order[i].place(p, &at);
    p->sizes[order[i].section] = at - begin;
  }
  place_windows(p);
  p->sizes[IMAGE_CONSTANTS] = (uint64_t)p->num_constants * sizeof *p->constants;
  p->sections[IMAGE_TEXT] = at;
}

bool graphagile_layout_check(graphagile_plan *p) {
  uint64_t end = p->sections[IMAGE_TEXT] + p->sizes[IMAGE_TEXT];
  if (end <= (uint64_t)p->device->ddr_bytes) return true;
  graphagile_plan_fail(p, NULL, DIAG_unsupported,
                       "model '%s' needs %" PRIu64 " bytes of device memory for this graph, '%s' has %" PRId64
                       " (ddr_bytes)",
                       p->model, end, p->device->name, p->device->ddr_bytes);
  return false;
}
