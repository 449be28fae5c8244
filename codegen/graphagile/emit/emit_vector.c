/* Element-wise layers (GraphAGILE, Algorithm 8): on rows, where a block is a row tile and a group
 * of fibers, and on values of edges, where a block is a range of one head's values. */
#include "codegen/graphagile/emit/emit_vector.h"

#include "codegen/graphagile/emit/emit_block.h"
#include "codegen/graphagile/emit/emit_code.h"
#include "support/number.h"

typedef void emit_block_function(graphagile_emit *e, const graphagile_emit_region *r);

static int64_t emit_rows(graphagile_emit *e, graphagile_emit_region r, int64_t begin, int64_t end,
                         emit_block_function *block) {
  int64_t blocks = 0;
  for (r.first_row = begin; r.first_row < end; r.first_row += r.rows, blocks++) {
    r.rows = number_min(e->layer->tile.rows, end - r.first_row);
    block(e, &r);
  }
  return blocks;
}

static int64_t emit_regions(graphagile_emit *e, const graphagile_plan_segments *segments, emit_block_function *block) {
  const graphagile_plan_layer *l = e->layer;
  int64_t blocks = 0;
  for (int64_t g = 0; g < l->result->fibers; g += l->tile.fibers) {
    graphagile_emit_region r = {.first_fiber = g, .fibers = number_min(l->tile.fibers, l->result->fibers - g)};
    if (!segments->count) blocks += emit_rows(e, r, 0, l->result->rows, block);
    for (r.type = 0; r.type < segments->count; r.type++)
      blocks += emit_rows(e, r, segments->offsets[r.type], segments->offsets[r.type + 1], block);
  }
  return blocks;
}

static void vadd_block(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_plan_vadd *v = &e->layer->vadd;
  graphagile_emit_load_rows(e, 0, v->a, r);
  graphagile_emit_region column = *r;
  if (v->is_bcast) column.first_fiber = 0, column.fibers = 1;
  if (v->b)
    graphagile_emit_load_rows(e, 1, v->b, &column);
  else
    graphagile_emit_fill_constant(e, &v->row, 1, 0, r);
  if (v->function == GRAPHAGILE_VECTOR_select) graphagile_emit_load_rows(e, 2, v->condition, r);
  EMIT(e, vadd, .function = (uint64_t)v->function, .unlock_a = 1, .unlock_b = 1, .bcast_b = v->is_bcast, .a = 0, .b = 1,
       .out = 2, .rows = (uint64_t)r->rows, .nfib = (uint64_t)r->fibers, .stride = (uint64_t)r->rows,
       .scale = (uint64_t)v->scale);
  graphagile_emit_end(e, 2, r);
}

static void map_block(graphagile_emit *e, const graphagile_emit_region *r) {
  graphagile_emit_load_rows(e, 0, e->layer->map.in, r);
  graphagile_emit_end(e, 0, r);
}

int64_t graphagile_emit_vadd(graphagile_emit *e) {
  return emit_regions(e, &e->layer->vadd.segments, vadd_block);
}

int64_t graphagile_emit_map(graphagile_emit *e) {
  return emit_regions(e, &(const graphagile_plan_segments){0}, map_block);
}

static void load_array(graphagile_emit *e, int buffer, const graphagile_plan_tensor *t, int64_t head, int64_t first,
                       int64_t count) {
  uint64_t array = t->width > 1 ? (uint64_t)head * t->array_bytes : 0;
  EMIT(e, memrd, .buffer = (uint64_t)(GRAPHAGILE_E0 + buffer), .lock = 1, .wait = 1, .kind = GRAPHAGILE_KIND_values,
       .form = GRAPHAGILE_FORM_value, .count = (uint64_t)count, .nfib = 1,
       .addr = (t->address + array + (uint64_t)first * GRAPHAGILE_VALUE_BYTES) / 4);
}

/* E0 <- function(E0 [, E1]), stored to memory. */
static void values_block(graphagile_emit *e, int64_t head, int64_t first, int64_t count) {
  const graphagile_plan_layer *l = e->layer;
  const graphagile_plan_values *v = &l->values;
  load_array(e, 0, v->a, head, first, count);
  if (v->b) {
    load_array(e, 1, v->b, head, first, count);
    EMIT(e, vadd, .function = (uint64_t)v->function, .unlock_b = 1, .on_edges = 1, .a = 0, .b = 1, .out = 0,
         .rows = (uint64_t)count, .nfib = 1, .stride = 1);
  }
  for (int i = 0; i < l->num_functions; i++)
    EMIT(e, post, .function = (uint64_t)l->functions[i].function, .buffer = GRAPHAGILE_E0, .rows = (uint64_t)count,
         .nfib = 1, .stride = 1, .param = (uint64_t)l->functions[i].param);
  EMIT(e, memwr, .buffer = GRAPHAGILE_E0, .unlock = 1, .eot = 1, .kind = GRAPHAGILE_KIND_values,
       .form = GRAPHAGILE_FORM_value, .count = (uint64_t)count, .nfib = 1,
       .addr =
           (l->result->address + (uint64_t)head * l->result->array_bytes + (uint64_t)first * GRAPHAGILE_VALUE_BYTES) /
           4);
}

int64_t graphagile_emit_values(graphagile_emit *e) {
  const graphagile_plan_layer *l = e->layer;
  int64_t blocks = 0;
  for (int64_t h = 0; h < l->result->width; h++)
    for (int64_t at = 0; at < l->result->rows; at += l->tile.rows, blocks++)
      values_block(e, h, at, number_min(l->tile.rows, l->result->rows - at));
  return blocks;
}
