/* Encodes single instructions. Tiles are chosen so that all fields fit, except where the limits of
 * the device do not allow it; then the layer gets a message. */
#include "codegen/graphagile/emit/emit_code.h"

#include <stdlib.h>

void graphagile_emit_grow(graphagile_emit *e) {
  enum { FIRST = 4096 };
  size_t capacity = e->words.capacity ? 2 * e->words.capacity : FIRST;
  graphagile_word *grown = realloc(e->words.items, capacity * sizeof *grown);
  if (!grown) abort();
  e->words.items = grown;
  e->words.capacity = capacity;
}

/* Encodes an instruction in which only that field is wrong, because the encoder's message names the
 * field. */
void graphagile_emit_misfit(graphagile_emit *e, graphagile_opcode op, int field, uint64_t value) {
  const isa_insn_info *info = isa_find(&graphagile_isa, op);
  graphagile_insn in = {.op = op};
  graphagile_word word = {0};
  if (e->plan->failed) return;
  for (size_t i = 0; info && i < info->count; i++) {
    bool is_it = (int)i == field;
    isa_field_set(&in, &info->fields[i], is_it ? value : isa_bias(&graphagile_isa, &info->fields[i]));
  }
  status s = graphagile_encode(&in, &word);
  graphagile_plan_fail(e->plan, e->layer, DIAG_unsupported, "'%s' does not fit the device: %s", e->layer->name,
                       status_message(s));
  status_free(s);
}

size_t graphagile_emit_loop(graphagile_emit *e, int64_t count, uint64_t desc_start) {
  EMIT(e, loop, .count = (uint64_t)count, .body_len = 1, .desc_start = desc_start);
  return e->words.count - 1;
}

/* Replaces the length 1 that graphagile_emit_loop wrote. */
void graphagile_emit_loop_end(graphagile_emit *e, size_t loop) {
  if (!graphagile_add(&e->words.items[loop], e->words.count - 2 - loop, GRAPHAGILE_LOW_loop_body_len,
                      GRAPHAGILE_WIDTH_loop_body_len))
    graphagile_plan_fail(e->plan, e->layer, DIAG_unsupported,
                         "'%s' needs a loop of %zu instructions, the device's are of at most %d", e->layer->name,
                         e->words.count - 1 - loop, GRAPHAGILE_PLAN_MAX_BODY);
}

void graphagile_emit_turn(graphagile_emit *e, int64_t block, int64_t iterations) {
  int *parity = &e->parity[block % e->plan->device->num_pes];
  e->first = e->alternates ? *parity : 0;
  *parity ^= (int)(iterations & 1);
  e->free_w = graphagile_plan_product_of(e->layer) ? 0 : 1 - e->first; /* W1 holds the matrix (emit_product.c) */
  e->out = 2;
  e->free_f = e->alternates ? (int)(iterations & 1) : 1;
  e->num_free = 2;
  e->goes_on = false;
}
