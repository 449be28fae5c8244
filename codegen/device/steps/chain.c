#include "codegen/device/steps/chain.h"

#include "codegen/device/steps/step_private.h"
#include "support/number.h"

/* Where a value is. */
typedef struct chain_value {
  chain_region region;
  bool on_device, on_host;
  int64_t uses; /* operations that still read it */
} chain_value;

chain chain_begin(step_program *p, const chain_class *class, void *user) {
  return (chain){.program = p, .class = class, .user = user, .values = {.arena = p->arena}};
}

static chain_value *value_of(chain *c, MlirValue value) {
  chain_value *v = map_get_pointer(&c->values, value.ptr);
  if (v) return v;
  v = arena_alloc(c->program->arena, sizeof *v);
  *v = (chain_value){.on_host = true, .uses = (int64_t)ir_value_use_count(value)};
  map_set_pointer(&c->values, value.ptr, v);
  return v;
}

bool chain_has(const chain *c, MlirValue value) {
  const chain_value *v = map_get_pointer(&c->values, value.ptr);
  return v && v->on_device;
}

/* ---- memory ---- */

chain_region chain_alloc(chain *c, uint64_t bytes) {
  bytes = (uint64_t)number_round_up((int64_t)bytes, CHAIN_ALIGNMENT);
  for (size_t i = 0; i < c->free.count; i++) {
    chain_region *r = &c->free.items[i], made = {r->offset, bytes};
    if (r->bytes < bytes) continue;
    r->offset += bytes;
    r->bytes -= bytes;
    return made;
  }
  chain_region made = {c->size, bytes};
  c->size += bytes;
  return made;
}

/* Joins regions that touch, and leaves out empty ones. */
static void join(chain *c) {
  size_t kept = 0;
  for (size_t i = 0; i < c->free.count; i++) {
    chain_region r = c->free.items[i], *last = kept ? &c->free.items[kept - 1] : NULL;
    if (!r.bytes) continue;
    if (last && last->offset + last->bytes == r.offset)
      last->bytes += r.bytes;
    else
      c->free.items[kept++] = r;
  }
  c->free.count = kept;
}

void chain_free(chain *c, chain_region region) {
  size_t at = 0;
  if (!region.bytes) return;
  VEC_PUSH(c->program->arena, &c->free, region);
  while (c->free.items[at].offset < region.offset) at++;
  for (size_t i = c->free.count - 1; i > at; i--) c->free.items[i] = c->free.items[i - 1];
  c->free.items[at] = region;
  join(c);
}

/* ---- moves ---- */

void chain_run(chain *c) {
  uint64_t end = c->class->count_records(c->user);
  if (end > c->runs_from) step_writer_run(&c->program->steps, c->runs_from, end);
  c->runs_from = end;
}

/* Moves a value to a place, or from there, when all records so far have run. */
static void move_place(chain *c, MlirValue value, const program_manifest_place *place, bool to_device) {
  text json = {0};
  chain_run(c);
  program_manifest_write_place(place, &json);
  step_writer_move(&c->program->steps, value, text_str(&json), to_device);
  text_free(&json);
}

/* Moves a value to its region, or that of another value of the same form, or from there. */
static void move(chain *c, MlirValue value, chain_region region, bool to_device) {
  program_manifest_place place = {.stride = -1, .memory_rows = -1, .order = PROGRAM_MANIFEST_NO_ORDER};
  c->class->describe(c->user, value, &place);
  place.address = CHAIN_BASE + region.offset;
  move_place(c, value, &place, to_device);
}

/* Has the host hold a value. */
static void bring(chain *c, MlirValue value) {
  chain_value *v = value_of(c, value);
  if (v->on_host) return;
  move(c, value, v->region, false);
  v->on_host = true;
}

void chain_read_as(chain *c, MlirValue value, program_manifest_place place) {
  bring(c, value);
  move_place(c, value, &place, true);
}

uint64_t chain_read(chain *c, MlirValue value) {
  chain_value *v = value_of(c, value);
  if (!v->on_device) {
    v->region = chain_alloc(c, c->class->bytes(c->user, value));
    v->on_device = true;
    move(c, value, v->region, true);
  }
  return CHAIN_BASE + v->region.offset;
}

uint64_t chain_write(chain *c, MlirValue value) {
  chain_value *v = value_of(c, value);
  v->region = chain_alloc(c, c->class->bytes(c->user, value));
  v->on_device = true;
  v->on_host = false;
  return CHAIN_BASE + v->region.offset;
}

uint64_t chain_write_onto(chain *c, MlirValue value, MlirValue addend, uint64_t *copy) {
  chain_value *a = value_of(c, addend), *v = value_of(c, value);
  *copy = 0;
  if (a->on_device && a->uses == 1) {
    *v = (chain_value){.region = a->region, .on_device = true, .uses = v->uses};
    a->on_device = false;
    return CHAIN_BASE + v->region.offset;
  }
  uint64_t address = chain_write(c, value);
  if (a->on_device)
    *copy = CHAIN_BASE + a->region.offset;
  else
    move(c, addend, v->region, true);
  return address;
}

static void need_on_host(step_program *p, MlirValue value, void *user) {
  (void)p;
  bring(user, value);
}

/* Frees the memory of operands that no later operation reads. */
static void done(step_program *p, MlirOperation op, void *user) {
  chain *c = user;
  (void)p;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    chain_value *v = value_of(c, mlirOperationGetOperand(op, i));
    if (--v->uses || !v->on_device) continue;
    chain_free(c, v->region);
    v->on_device = false;
  }
}

static const step_program_hooks hooks = {need_on_host, done};

void chain_attach(chain *c) {
  c->program->hooks = &hooks;
  c->program->hooks_user = c;
}
