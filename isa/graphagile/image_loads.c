/* Loads of edges by descriptor are collected while the program is read, and checked at the end:
 * they are sorted by the edge list that they load from, then one sweep over the descriptors of each
 * list checks them, so that each descriptor is checked once per list, however many loops use it. */
#include "isa/graphagile/image_check.h"

#include <stdlib.h>

void graphagile_image_loads_add(graphagile_image_checker *c, uint64_t address, uint64_t form, uint64_t first,
                                uint64_t count) {
  graphagile_image_load *last = c->loads.count ? &c->loads.items[c->loads.count - 1] : NULL;
  bool is_next = last && last->address == address && last->form == form && last->end == first;
  if (is_next) { /* consecutive loops become one load */
    last->end = first + count;
    return;
  }
  graphagile_image_load l = {.address = address, .form = form, .first = first, .end = first + count};
  l.layer = c->layer;
  l.block = c->block;
  l.at = c->at;
  VEC_PUSH(c->memory, &c->loads, l);
}

static int by_place(const void *a, const void *b) {
  const graphagile_image_load *x = a, *y = b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  if (x->form != y->form) return x->form < y->form ? -1 : 1;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

static status check_piece(const graphagile_image_checker *c, const graphagile_image_load *l,
                          const graphagile_descriptor *d) {
  if (!d->num_edges) return STATUS_OK;
  return graphagile_image_records_check(c->records, l->address + graphagile_edge_bytes(l->form) * d->first_edge,
                                        d->num_edges, d->src_rows, l->form);
}

status graphagile_image_loads_check(graphagile_image_checker *c) {
  const graphagile_image_load *before = NULL;
  uint64_t done = 0; /* descriptors below it were checked for this list */
  if (!c->loads.count || !c->im->sections[IMAGE_EDGES].data) return STATUS_OK;
  qsort(c->loads.items, c->loads.count, sizeof *c->loads.items, by_place);
  for (size_t i = 0; i < c->loads.count; i++) {
    const graphagile_image_load *l = &c->loads.items[i];
    bool is_same = before && before->address == l->address && before->form == l->form;
    uint64_t first = is_same && done > l->first ? done : l->first;
    c->layer = l->layer;
    c->block = l->block;
    c->at = l->at;
    for (uint64_t k = first; k < l->end; k++) RETURN_IF_ERROR(check_piece(c, l, &c->descriptors[k]));
    if (!is_same || l->end > done) done = l->end;
    before = l;
  }
  return STATUS_OK;
}
