/* Aggregate layers: a block is a group of fibers and a destination shard; a loop over the shard's pieces accumulates in F2 (GraphAGILE Algorithm 6).
 *
 *   INIT F2; LOOP pieces { MEMRD E; MEMRD F0|F1; [MEMRD E form=value; ] SPDMM ... }; MEMWR F2 */
#include "codegen/graphagile/emit.h"

/* What SpDMM needs of the head whose values are in the Edge Buffer: fibers `first` .. of the block and columns of them. */
typedef struct part {
  int64_t first, fibers;
  uint64_t lanes;
} part;

static void load_edges(emit *e, bool is_complete) {
  const plan_edges *edges = e->layer->edges;
  emit_memrd(e, (isa_memrd){.buffer = (uint64_t)(ISA_E0 + e->first),
                            .lock = is_complete,
                            .wait = 1,
                            .ind = 1,
                            .alt = e->alternates,
                            .kind = ISA_KIND_edges,
                            .form = edges->is_packed ? ISA_FORM_packed : ISA_FORM_record,
                            .count = 1,
                            .addr = edges->address / 4});
}

static void load_values(emit *e, int64_t head) {
  const plan_tensor *values = e->layer->values;
  emit_memrd(e, (isa_memrd){.buffer = (uint64_t)(ISA_E0 + e->first),
                            .lock = 1,
                            .ind = 1,
                            .alt = e->alternates,
                            .kind = ISA_KIND_values,
                            .form = ISA_FORM_value,
                            .count = 1,
                            .addr = (values->address + (uint64_t)head * values->array_bytes) / 4});
}

static void load_sources(emit *e, const emit_region *r) {
  const plan_tensor *t = e->layer->in;
  emit_memrd(e, (isa_memrd){.buffer = ISA_F0,
                            .lock = 1,
                            .wait = 1,
                            .ind = 1,
                            .alt = e->alternates,
                            .bcast = e->shares,
                            .kind = (uint64_t)t->kind,
                            .count = (uint64_t)e->layer->edges->shape->shape.src_rows,
                            .nfib = (uint64_t)r->fibers,
                            .addr = (t->address + (uint64_t)(r->first_fiber * t->stride) * e->row) / 4,
                            .stride = r->fibers > 1 ? (uint64_t)t->stride : 0});
}

static void aggregate(emit *e, const emit_region *r, const part *p, bool is_last) {
  const plan_layer *l = e->layer;
  int64_t stride = l->edges->shape->shape.src_rows;
  isa_insn in;
  in.op = ISA_OP_spdmm;
  in.spdmm = (isa_spdmm){.reduce = (uint64_t)l->operation,
                         .weighted = l->values || l->edges->list->has_weight,
                         .unlock_e = is_last,
                         .unlock_f = is_last && l->in,
                         .ind = 1,
                         .alt = e->alternates,
                         .edge_only = !l->in,
                         .e = (uint64_t)e->first,
                         .out = 2,
                         .num_edges = 1,
                         .in_base = l->in ? (uint64_t)(p->first * stride) : 0,
                         .out_base = (uint64_t)(p->first * r->rows),
                         .nfib = (uint64_t)p->fibers,
                         .in_stride = (uint64_t)stride,
                         .out_stride = (uint64_t)r->rows,
                         .lanes = p->lanes};
  emit_insn(e, &in);
}

/* Columns begin .. end of the block's fibers as parts: a partial fiber, whole fibers, a partial fiber. */
static int split_columns(const emit *e, int64_t begin, int64_t end, part out[3]) {
  int count = 0;
  while (begin < end) {
    int64_t lane = begin % e->lanes, columns = plan_min(e->lanes - lane, end - begin);
    bool is_whole = columns == e->lanes;
    if (is_whole) columns = (end - begin) / e->lanes * e->lanes;
    out[count++] = (part){.first = begin / e->lanes,
                          .fibers = plan_ceil(columns, e->lanes),
                          .lanes = is_whole ? e->all : ((UINT64_C(1) << columns) - 1) << lane};
    begin += columns;
  }
  return count;
}

/* The instructions for the heads that have columns in the block's fibers. */
static void emit_heads(emit *e, const emit_region *r) {
  const plan_layer *l = e->layer;
  int64_t heads = l->values->width, columns = l->in ? l->result->width / heads : 1;
  int64_t begin = r->first_fiber * e->lanes, end = plan_min(begin + r->fibers * e->lanes, l->result->width);
  for (int64_t h = begin / columns; h * columns < end; h++) {
    part parts[3];
    int64_t from = plan_max(h * columns, begin) - begin, to = plan_min((h + 1) * columns, end) - begin;
    int count = split_columns(e, from, to, parts);
    load_values(e, h);
    for (int i = 0; i < count; i++) aggregate(e, r, &parts[i], (h + 1) * columns >= end && i + 1 == count);
  }
}

static void emit_pieces(emit *e, const emit_region *r, int64_t first, int64_t count) {
  const plan_layer *l = e->layer;
  bool has_heads = l->values && (l->values->width > 1 || !l->in);
  size_t loop = emit_loop(e, count, (uint64_t)first);
  load_edges(e, !l->values);
  if (l->in) load_sources(e, r);
  if (has_heads) {
    emit_heads(e, r);
  } else {
    part all = {0, r->fibers, e->all};
    if (l->values) load_values(e, 0);
    aggregate(e, r, &all, true);
  }
  emit_loop_end(e, loop);
}

static void settle(emit *e, const emit_region *r) {
  isa_insn in;
  in.op = ISA_OP_post;
  in.post = (isa_post){.function = ISA_FUNCTION_settle,
                       .buffer = ISA_F2,
                       .rows = (uint64_t)r->rows,
                       .nfib = (uint64_t)r->fibers,
                       .stride = (uint64_t)r->rows};
  emit_insn(e, &in);
}

static void emit_block(emit *e, const emit_region *r, int64_t shard, int64_t number) {
  enum { LARGEST = 65536 };
  const plan_layer *l = e->layer;
  const partition *p = &l->edges->partition;
  emit_turn(e, number, p->shard_begin[shard + 1] - p->shard_begin[shard]);
  emit_begin(e, r);
  for (int64_t at = p->shard_begin[shard], end = p->shard_begin[shard + 1], count; at < end; at += count) {
    count = plan_min(end - at, LARGEST);
    emit_pieces(e, r, at, count);
  }
  if (l->operation != ISA_REDUCE_sum && !l->edges->list->every_destination) settle(e, r);
  emit_add(e, r);
  emit_end(e, 2, r);
}

int64_t emit_spdmm(emit *e) {
  const plan_layer *l = e->layer;
  const partition *p = &l->edges->partition;
  int64_t rows = l->edges->shape->shape.dst_rows, blocks = 0;
  for (int64_t g = 0; g < l->result->fibers; g += l->tile.fibers)
    for (int64_t s = 0; s < p->shards; s++, blocks++) {
      emit_region r = {.first_fiber = g, .fibers = plan_min(l->tile.fibers, l->result->fibers - g)};
      r.first_row = s * rows;
      r.rows = plan_min(rows, l->result->rows - r.first_row);
      emit_block(e, &r, s, blocks);
    }
  return blocks;
}
