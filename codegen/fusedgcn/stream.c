/* Makes W: tiles of K x M weights, then the biases, in the order in which a LOADW reads them. The
 * PEs' memory is filled from its beginning to its end, and then from the beginning again, so a
 * stream stays there as long as others leave it room, and the next one is loaded while the array
 * still computes with this one. */
#include "codegen/fusedgcn/program.h"

#include "isa/fusedgcn/timing.h"

#include <inttypes.h>

status fusedgcn_stream_get(fusedgcn_program *p, const fusedgcn_weights *w, int64_t type, const int64_t part[4],
                           bool has_bias, fusedgcn_stream **out) {
  const fusedgcn_device *d = fusedgcn_device_of(p);
  /* An identity is one tile for slices of any width; only its bias tells the types and columns apart. */
  bool is_any = !w->key && !has_bias;
  const char *key = is_any ? "identity"
                           : arena_printf(p->arena, "%p %p %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
                                          w->key, has_bias ? w->bias_key : NULL, type, w->key ? part[0] : 0,
                                          w->key ? part[1] : 0, part[2], part[3]);
  *out = map_get_pointer(&p->stream_of, key);
  if (*out) return STATUS_OK;
  fusedgcn_stream *s = arena_alloc(p->arena, sizeof *s);
  *s =
      (fusedgcn_stream){.first = -1, .of = w, .type = type, .k0 = part[0], .kn = part[1], .n0 = part[2], .nn = part[3]};
  s->tiles = (int64_t)(fusedgcn_kt(d, (uint64_t)part[1]) * fusedgcn_rt(d, (uint64_t)part[3]));
  s->biases = has_bias ? (int64_t)fusedgcn_rt(d, (uint64_t)part[3]) : 0;
  s->offset = sections_reserve(&p->sections, IMAGE_WEIGHTS,
                               (int64_t)fusedgcn_load_bytes(d, (uint64_t)s->tiles, (uint64_t)s->biases));
  VEC_PUSH(p->arena, &p->streams, s);
  map_set_pointer(&p->stream_of, key, s);
  *out = s;
  return STATUS_OK;
}

/* Takes the places of a stream from those that hold them. */
static void evict(fusedgcn_program *p, int64_t first, int64_t tiles) {
  for (size_t i = 0; i < p->streams.count; i++) {
    fusedgcn_stream *s = p->streams.items[i];
    if (s->first >= 0 && s->first < first + tiles && first < s->first + s->tiles) s->first = -1;
  }
}

void fusedgcn_stream_load(fusedgcn_program *p, fusedgcn_stream *s, int32_t layer) {
  int64_t most = fusedgcn_device_of(p)->mem;
  if (s->first >= 0) return;
  int64_t first = p->next_tile + s->tiles <= most ? p->next_tile : 0;
  evict(p, first, s->tiles);
  s->first = first;
  p->next_tile = first + s->tiles;
  if (!p->has_overlap) VEC_PUSH(p->arena, &p->code, ((fusedgcn_insn){.op = FUSEDGCN_OP_sync}));
  fusedgcn_insn in = {.op = FUSEDGCN_OP_loadw};
  in.loadw.layer = (uint64_t)layer;
  in.loadw.first = (uint64_t)first;
  in.loadw.tiles = (uint64_t)s->tiles;
  in.loadw.biases = (uint64_t)s->biases;
  in.loadw.w = sections_tagged(IMAGE_WEIGHTS, s->offset);
  VEC_PUSH(p->arena, &p->code, in);
}
