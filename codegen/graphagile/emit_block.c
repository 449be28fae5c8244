/* How blocks begin and end: F2 gets bias and addend before an accumulation, functions and the store come after. */
#include "codegen/graphagile/emit.h"

enum { F0, F1, F2 };

void emit_load_rows(emit *e, int buffer, const plan_tensor *t, const emit_region *r) {
  emit_memrd(e, (isa_memrd){.buffer = (uint64_t)(ISA_F0 + buffer),
                            .lock = 1,
                            .wait = 1,
                            .kind = (uint64_t)t->kind,
                            .count = (uint64_t)r->rows,
                            .nfib = (uint64_t)r->fibers,
                            .addr = (t->address + (uint64_t)(r->first_fiber * t->stride + r->first_row) * e->row) / 4,
                            .stride = r->fibers > 1 ? (uint64_t)t->stride : 0});
}

static void fill(emit *e, int buffer, int how, int w, const emit_region *r) {
  isa_insn in;
  in.op = ISA_OP_init;
  in.init = (isa_init){.fill = (uint64_t)how,
                       .unlock_w = how == ISA_FILL_row,
                       .w = (uint64_t)w,
                       .buffer = (uint64_t)buffer,
                       .rows = (uint64_t)r->rows,
                       .nfib = (uint64_t)r->fibers,
                       .stride = (uint64_t)r->rows};
  emit_insn(e, &in);
}

void emit_fill_bias(emit *e, int buffer, int w, const emit_region *r) {
  const plan_constant *c = &e->layer->bias;
  uint64_t type = c->types > 1 ? (uint64_t)r->type : 0;
  emit_memrd(e, (isa_memrd){.buffer = (uint64_t)(ISA_W0 + w),
                            .lock = 1,
                            .wait = 1,
                            .kind = ISA_KIND_weights,
                            .count = (uint64_t)r->fibers,
                            .addr = (c->address + type * c->type_bytes + (uint64_t)r->first_fiber * e->row) / 4});
  fill(e, buffer, ISA_FILL_row, w, r);
}

/* F2 <- F2 + a buffer that becomes EMPTY. */
static void add_buffer(emit *e, int buffer, const emit_region *r) {
  isa_insn in;
  in.op = ISA_OP_vadd;
  in.vadd = (isa_vadd){.function = ISA_VECTOR_add,
                       .unlock_b = 1,
                       .a = F2,
                       .b = (uint64_t)buffer,
                       .out = F2,
                       .rows = (uint64_t)r->rows,
                       .nfib = (uint64_t)r->fibers,
                       .stride = (uint64_t)r->rows};
  emit_insn(e, &in);
}

static bool has_bias(const emit *e) {
  return e->layer->bias.fibers > 0;
}

void emit_begin(emit *e, const emit_region *r) {
  const plan_layer *l = e->layer;
  if (l->kind == PLAN_SPDMM && l->operation != ISA_REDUCE_sum) {
    fill(e, F2, ISA_FILL_unset, 0, r);
    return;
  }
  if (has_bias(e))
    emit_fill_bias(e, F2, 1, r);
  else if (!l->addend)
    fill(e, F2, ISA_FILL_zero, 0, r);
  if (!l->addend) return;
  emit_load_rows(e, has_bias(e) ? F0 : F2, l->addend, r);
  if (has_bias(e)) add_buffer(e, F0, r);
}

void emit_add(emit *e, const emit_region *r) {
  if (e->layer->addend) {
    emit_load_rows(e, F0, e->layer->addend, r);
    add_buffer(e, F0, r);
  }
  if (!has_bias(e)) return;
  emit_fill_bias(e, F1, 0, r);
  add_buffer(e, F1, r);
}

/* A function that the store does on the way out, for no cycles. */
static bool is_stored(plan_function f) {
  return f.function == ISA_FUNCTION_relu || f.function == ISA_FUNCTION_leaky_relu;
}

void emit_end(emit *e, int buffer, const emit_region *r) {
  const plan_layer *l = e->layer;
  const plan_tensor *t = l->result;
  plan_function last = {ISA_FUNCTION_none, 0};
  int count = l->num_functions;
  if (count && is_stored(l->functions[count - 1])) last = l->functions[--count];
  for (int i = 0; i < count; i++) {
    isa_insn in;
    in.op = ISA_OP_post;
    in.post = (isa_post){.function = (uint64_t)l->functions[i].function,
                         .buffer = (uint64_t)(ISA_F0 + buffer),
                         .rows = (uint64_t)r->rows,
                         .nfib = (uint64_t)r->fibers,
                         .stride = (uint64_t)r->rows,
                         .param = (uint64_t)l->functions[i].param};
    emit_insn(e, &in);
  }
  emit_memwr(e, (isa_memwr){.buffer = (uint64_t)(ISA_F0 + buffer),
                            .unlock = 1,
                            .eot = 1,
                            .kind = (uint64_t)t->kind,
                            .count = (uint64_t)r->rows,
                            .nfib = (uint64_t)r->fibers,
                            .addr = (t->address + (uint64_t)(r->first_fiber * t->stride + r->first_row) * e->row) / 4,
                            .stride = r->fibers > 1 ? (uint64_t)t->stride : 0,
                            .act = (uint64_t)last.function,
                            .param = (uint64_t)last.param});
}
