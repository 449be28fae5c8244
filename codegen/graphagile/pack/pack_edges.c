/* Edges and descriptors as bytes. The records of edges were written to their final place when the
 * edges were partitioned; here those of lists with shorter edges become shorter. */
#include "codegen/graphagile/pack/pack_edges.h"

#include <string.h>

/* Turns records of 12 bytes into 4 bytes each, without weights: these are 1 or come from elsewhere.
 * Or into 8 bytes, with the weights. */
static void pack_records(unsigned char *to, const unsigned char *from, int64_t count, bool has_weight) {
  enum { SHIFT = 14 };
  for (int64_t i = 0; i < count; i++) {
    uint32_t ends[2];
    memcpy(ends, from + i * GRAPHAGILE_RECORD_BYTES, sizeof ends);
    ends[0] |= ends[1] << SHIFT;
    if (!has_weight) {
      memcpy(to + i * GRAPHAGILE_VALUE_BYTES, ends, 4);
      continue;
    }
    memcpy(&ends[1], from + i * GRAPHAGILE_RECORD_BYTES + 8, 4);
    memcpy(to + i * GRAPHAGILE_SHORT_BYTES, ends, sizeof ends);
  }
}

const unsigned char *graphagile_pack_edges(graphagile_plan *p) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    if (e->record_bytes != GRAPHAGILE_RECORD_BYTES)
      pack_records(p->records + (e->address - p->sections[IMAGE_EDGES]), e->partition.records, e->list->edges,
                   !e->is_packed);
  }
  return p->records;
}

const unsigned char *graphagile_pack_descriptors(graphagile_plan *p) {
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
