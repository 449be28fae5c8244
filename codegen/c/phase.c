/* The order of kernels in bind and run, with the pointers they take.
 *
 *   real *const z1 = (real *)(void *)(work + k.slot_0);
 *   parts = count_parts(g.in_ptr, header->num_nodes, 1638, 104857);
 *   PARALLEL_PARTS
 *   for (int64_t part = 0; part < parts; part++)
 *     nodes_h1(cut_rows(g.in_ptr, header->num_nodes, part, parts), cut_rows(g.in_ptr, header->num_nodes, part + 1, parts), &g, z1, h1); */
#include "codegen/c/phase.h"
#include "codegen/c/layout.h"
#include "codegen/c/partition.h"

#include <string.h>

typedef struct c_calls {
  c_model *m;
  c_writer *w;
  const c_phase *phase;
  c_names names;
  map locals; /* buffer, packed form or set -> its pointer variable, made on first use */
} c_calls;

static const void *local_key(const c_calls *c, const c_parameter *p) {
  if (p->buffer) return p->buffer;
  if (p->packed) return p->packed;
  return &c->m->sets.items[p->set];
}

static const char *find_local(const c_calls *c, const c_parameter *p) {
  return map_get_pointer(&c->locals, local_key(c, p));
}

/* The field of a user's struct that holds a buffer: "inputs->x". */
static const char *user_field(const c_calls *c, const c_buffer *b) {
  static const char *const structs[] = {"inputs", "weights", "outputs"};
  return arena_printf(c->m->arena, "%s->%s", structs[b->space], b->id);
}

/* Where a block's section begins: "block + l.slot_3". */
static const char *place_text(const c_calls *c, const c_parameter *p) {
  arena *a = c->m->arena;
  bool is_bind = c->phase == &c->m->bind;
  if (p->packed) {
    bool in_bound = p->packed->space == C_SPACE_bound || p->packed->of_bind;
    return arena_printf(a, "%s.packed_%zu", in_bound ? "block + l" : "work + k", p->packed->number);
  }
  if (p->buffer->space == C_SPACE_bound) return arena_printf(a, "block + l.slot_%d", p->buffer->slot);
  return arena_printf(a, is_bind ? "block + l.scratch_%d" : "work + k.slot_%d", p->buffer->slot);
}

static const char *make_local(c_calls *c, const c_parameter *p) {
  const char *known = find_local(c, p);
  if (known) return known;
  const char *name;
  bool is_bind = c->phase == &c->m->bind;
  if (p->buffer && c_buffer_is_user(p->buffer)) {
    name = user_field(c, p->buffer);
  } else if (p->buffer || p->packed) {
    bool is_const = !is_bind && (p->packed ? p->packed->space == C_SPACE_bound : p->buffer->space == C_SPACE_bound);
    name = c_names_add(&c->names, p->packed ? p->name : p->buffer->name);
    c_writer_line(c->w, "%sreal *const %s = (%sreal *)(%svoid *)(%s);", is_const ? "const " : "", name,
                  is_const ? "const " : "", is_const ? "const " : "", place_text(c, p));
  } else {
    const c_set *set = &c->m->sets.items[p->set];
    name = arena_printf(c->m->arena, "&%s", c_names_add(&c->names, set->id));
    c_writer_line(c->w, "const edge_set %s = open_%s(block, &l);", name + 1, set->id);
  }
  map_set_pointer(&c->locals, local_key(c, p), name);
  return name;
}

/* The array of row pointers that a kernel's parts are balanced by, or NULL. */
static const char *balancing_pointer(const c_calls *c, const c_kernel *kernel, const c_partition *p) {
  if (mlirValueIsNull(p->entries)) return "NULL";
  const c_buffer *buffer = c_model_buffer(c->phase, p->entries);
  int set = buffer ? -1 : c_model_set(c->m, ir_type_of(p->entries).set);
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    const c_parameter *q = &kernel->parameters[i];
    if (buffer ? q->buffer != buffer : q->buffer || q->packed || q->set != set) continue;
    const char *local = find_local(c, q);
    return buffer ? arena_printf(c->m->arena, "%s->%s", local, p->pointer)
                  : arena_printf(c->m->arena, "%s.%s", local + 1, p->pointer); /* "&g" */
  }
  return "NULL";
}

static void emit_arguments(c_calls *c, const c_kernel *kernel, const char *range) {
  text call = {0};
  if (range) text_append(&call, range);
  for (size_t i = 0; i < kernel->parameter_count; i++)
    text_printf(&call, "%s%s", call.size ? ", " : "", find_local(c, &kernel->parameters[i]));
  c_writer_line(c->w, "%s(%s);", kernel->name, text_str(&call));
  text_free(&call);
}

static void emit_call(c_calls *c, const c_kernel *kernel) {
  arena *a = c->m->arena;
  const char *rows = c_kernel_rows(c->m, kernel);
  if (!rows || c->phase == &c->m->bind) {
    emit_arguments(c, kernel, rows ? arena_printf(a, "0, %s", rows) : NULL);
    return;
  }
  c_partition p = c_partition_find(kernel);
  const char *pointer = balancing_pointer(c, kernel, &p);
  c_writer_line(c->w, "parts = count_parts(%s, %s, %lld, %lld);", pointer, rows, (long long)p.units,
                (long long)p.least);
  c_writer_line(c->w, "PARALLEL_PARTS");
  c_writer_line(c->w, "for (int64_t part = 0; part < parts; part++)");
  c->w->depth++;
  emit_arguments(c, kernel,
                 arena_printf(a, "cut_rows(%s, %s, part, parts), cut_rows(%s, %s, part + 1, parts)", pointer, rows,
                              pointer, rows));
  c->w->depth--;
}

static void emit_pack(c_calls *c, const c_packed *p, const char *from, const char *to) {
  long long depth = (long long)p->depth, width = (long long)p->width;
  if (p->matrices > 1) {
    c_writer_line(c->w, "for (int64_t i = 0; i < %lld; i++)", (long long)p->matrices);
    from = arena_printf(c->m->arena, "%s + i * %lld", from, depth * width);
    to = arena_printf(c->m->arena, "%s + i * %lld", to, depth * (long long)p->padded);
    c->w->depth++;
  }
  c_writer_line(c->w, "pack_matrix(%lld, %lld, %s, %d, %s);", depth, width, from, p->transposed, to);
  if (p->matrices > 1) c->w->depth--;
}

/* What bind and run name besides buffers. */
static void reserve_names(c_calls *c, const c_kernels *kernels) {
  static const char *const taken[] = {"l",     "k",    "result", "i",     "needed",   "ignored",
                                      "given", "part", "parts",  "magic", "ntype_ptr"};
  arena *a = c->m->arena;
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) c_names_add(&c->names, taken[i]);
  for (size_t i = 0; i < kernels->count; i++) c_names_add(&c->names, kernels->items[i].name);
  for (size_t i = 0; i < c->m->sets.count; i++)
    c_names_add(&c->names, arena_printf(a, "open_%s", c->m->sets.items[i].id));
  for (size_t i = 0; i < c->m->inputs.count; i++) c_names_add(&c->names, arena_printf(a, "checked_%zu", i));
  c_names_add(&c->names, arena_printf(a, "%s_bound_bytes", c->m->id));
}

void c_phase_emit_calls(c_model *m, c_writer *w, const c_phase *phase, const c_kernels *kernels) {
  c_calls c = {.m = m, .w = w, .phase = phase, .names = {.arena = m->arena}, .locals = {.arena = m->arena}};
  map packed = {.arena = m->arena}; /* by the kernels so far */
  reserve_names(&c, kernels);
  bool has_parts = false;
  for (size_t i = 0; phase == &m->run && i < kernels->count; i++)
    has_parts |= c_kernel_rows(m, &kernels->items[i]) != NULL;
  if (has_parts) c_writer_line(w, "int64_t parts;");
  for (size_t i = 0; i < kernels->count; i++) {
    const c_kernel *kernel = &kernels->items[i];
    if (kernel->is_left_out) continue;
    for (size_t j = 0; j < kernel->parameter_count; j++) make_local(&c, &kernel->parameters[j]);
    /* A bound matrix is packed once; a slot of the workspace holds other matrices later, so its packing serves one kernel. */
    bool is_scratch = kernel->packs && kernel->packs->space == C_SPACE_workspace;
    bool is_first = kernel->packs && !map_get(&packed, kernel->packs, 0);
    if (is_scratch || (is_first && phase == &m->bind)) {
      const c_buffer *matrix = kernel->packs->weight ? kernel->packs->weight : kernel->packs_from;
      c_parameter from = {.buffer = matrix, .set = -1, .name = matrix->name};
      c_parameter to = {.packed = kernel->packs, .set = -1, .name = "packed"};
      const char *from_text = make_local(&c, &from);
      emit_pack(&c, kernel->packs, from_text, find_local(&c, &to));
    }
    if (kernel->packs) map_set(&packed, kernel->packs, 1);
    emit_call(&c, kernel);
  }
  for (size_t i = 0; phase == &m->bind && i < m->packed.count; i++) {
    const c_packed *p = m->packed.items[i];
    if (p->of_bind || p->space != C_SPACE_bound) continue;
    emit_pack(&c, p,
              p->weight ? user_field(&c, p->weight)
                        : arena_printf(m->arena, "(const real *)(const void *)(block + l.slot_%d)", p->slot),
              arena_printf(m->arena, "(real *)(void *)(block + l.packed_%zu)", i));
  }
}
