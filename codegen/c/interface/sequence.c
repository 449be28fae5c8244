/* The calls of a phase's kernels in their order, with the pointers that they take.
 *
 *   real *const z1 = (real *)(void *)(work + k.slot_0);
 *   {
 *     nodes_h1_call call = {make_parts(g.in_ptr, header->num_nodes, 1638, 104857), &g, z1, h1};
 *     GNNC_TIMED(2, for_parts(context, call.row_parts.parts, nodes_h1_part, &call));
 *   } */
#include "codegen/c/interface/sequence.h"

#include "codegen/c/interface/layout.h"
#include "codegen/c/interface/routines.h"
#include "codegen/c/interface/signature.h"
#include "codegen/c/kernel/contract.h"
#include "codegen/c/kernel/exchange.h"
#include "codegen/c/kernel/partition.h"
#include "codegen/c/kernel/restrict.h"
#include "codegen/c/kernel/sum_by.h"
#include "codegen/c/model/count.h"

/* The state while the calls of one phase are written. */
typedef struct c_sequence {
  c_model *m;
  c_writer *w;
  const c_phase *phase;
  c_names names;
  map locals;         /* buffer, packed form or set -> its pointer variable, which is made on first use */
  map packed;         /* packed form -> 1 once a kernel has multiplied by it */
  int64_t first_cost; /* place of the phase's first kernel among the costs */
} c_sequence;

static const void *local_key(const c_sequence *c, const c_parameter *p) {
  if (p->buffer) return p->buffer;
  if (p->packed) return p->packed;
  static const char step = 0;
  if (p->is_step) return &step;
  return &c->m->sets.items[p->set];
}

static const char *find_local(const c_sequence *c, const c_parameter *p) {
  return map_get_pointer(&c->locals, local_key(c, p));
}

/* The member of a user's struct that points to a buffer: "inputs->x". */
static const char *user_field(const c_sequence *c, const c_buffer *b) {
  return arena_printf(c->m->arena, "%s->%s", c_space_struct(b->space), b->id);
}

/* Writes a pointer into the bound block or the workspace. Only the phases that fill the bound block
 * may write it. */
static void emit_pointer(const c_sequence *c, const char *name, const char *element, c_space space, const char *place) {
  const char *is_const = space == C_SPACE_bound && !c->phase->row->fills_bound ? "const " : "";
  c_writer_line(c->w, "%s%s *const %s = (%s%s *)(%svoid *)(%s);", is_const, element, name, is_const, element, is_const,
                place);
}

static const char *make_local(c_sequence *c, const c_parameter *p) {
  const char *name = find_local(c, p);
  if (name) return name;
  if (p->packed) {
    name = c_names_add(&c->names, p->name);
    emit_pointer(c, name, "real", p->packed->space, c_layout_packed(c->m, p->packed));
  } else if (p->is_step) {
    name = arena_printf(c->m->arena, "&%s", c_names_add(&c->names, "step"));
    c_writer_line(c->w, "const random_step %s = context_step(context);", name + 1);
  } else if (!p->buffer) {
    const c_set *set = &c->m->sets.items[p->set];
    name = arena_printf(c->m->arena, "&%s", c_names_add(&c->names, set->id));
    const char *more = set->is_run ? arena_printf(c->m->arena, ", work, &k, %s", c_count_edges(c->m, set)) : "";
    c_writer_line(c->w, "const edge_set %s = open_%s(block, &l%s);", name + 1, set->id, more);
  } else if (c_buffer_is_user(p->buffer)) {
    name = user_field(c, p->buffer);
  } else {
    name = c_names_add(&c->names, p->buffer->name);
    emit_pointer(c, name, c_buffer_type(p->buffer), p->buffer->space,
                 c_layout_slot(c->m, c->phase, p->buffer->space, p->buffer->slot));
  }
  map_set_pointer(&c->locals, local_key(c, p), name);
  return name;
}

/* The array of row pointers by which a kernel's parts are balanced, or NULL. */
static const char *balancing_pointer(const c_sequence *c, const c_kernel *kernel, const c_partition *p) {
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

/* A pointer as an argument: of strips, that of the kernel's group. */
static const char *argument_of(const c_sequence *c, const c_parameter *p) {
  const char *local = find_local(c, p);
  if (!p->buffer || !p->buffer->strips) return local;
  const char *strip = p->buffer->space == C_SPACE_bound ? "(strips.first + strip)" : "strip * header->num_nodes";
  return arena_printf(c->m->arena, "%s + %s * %lld", local, strip, (long long)(p->buffer->elements / p->buffer->group));
}

/* The arguments of a kernel, after `first`, which may be NULL. The text is in the arena. */
static const char *arguments_of(const c_sequence *c, const c_kernel *kernel, const char *first) {
  text call = {0};
  if (first) text_append(&call, first);
  for (size_t i = 0; i < kernel->parameter_count; i++)
    text_printf(&call, "%s%s", call.size ? ", " : "", argument_of(c, &kernel->parameters[i]));
  const char *kept = arena_strdup(c->m->arena, text_str(&call));
  text_free(&call);
  return kept;
}

/* Of how many strips of columns a kernel computes some; 0: it has all columns. */
static int64_t strips_of(const c_kernel *kernel) {
  return ir_get_integer(kernel->op, "strips", 0);
}

static const char *kernel_rows(const c_sequence *c, const c_kernel *kernel) {
  if (strips_of(kernel)) return "header->num_nodes";
  if (kernel->rows == C_ROWS_node) return c_count_own_nodes(c->m, &c->m->sets.items[kernel->set < 0 ? 0 : kernel->set]);
  return c_count_rows(c->m, kernel->rows, kernel->set, kernel->count);
}

/* Writes a call with its number for profilers. */
static void emit_timed(c_sequence *c, const c_kernel *kernel, int64_t number, const char *call) {
  const char *value = NULL;
  for (size_t i = kernel->parameter_count; i-- > 0;)
    if (kernel->parameters[i].is_written) value = kernel->parameters[i].buffer->name;
  c_timed timed = {c->phase->row->call.name, kernel->name, value, kernel->op, c->first_cost + number};
  c_writer_line(c->w, "%s", c_model_time(c->m, timed, call));
}

/* Writes the call of a kernel for all its rows; or for those from `first` on, or before `end`, texts that may be NULL. */
static void emit_call(c_sequence *c, const c_kernel *kernel, int64_t number, const char *first, const char *end) {
  arena *a = c->m->arena;
  const char *rows = end ? end : kernel_rows(c, kernel);
  if (!rows || !c->phase->row->is_threaded) {
    const char *arguments = arguments_of(c, kernel, rows ? arena_printf(a, "%s, %s", first ? first : "0", rows) : NULL);
    emit_timed(c, kernel, number, arena_printf(a, "%s(%s)", kernel->name, arguments));
    return;
  }
  c_partition p = c_partition_find(kernel);
  const char *pointer = balancing_pointer(c, kernel, &p);
  const char *from = first ? arena_printf(a, "_behind(%s, %s", pointer, first) : arena_printf(a, "(%s", pointer);
  const char *parts =
      arena_printf(a, "make_parts%s, %s, %lld, %lld)", from, rows, (long long)p.units, (long long)p.least);
  c_writer_line(c->w, "{");
  c->w->depth++;
  c_writer_line(c->w, "%s call = {%s};", kernel->call_type, arguments_of(c, kernel, parts));
  emit_timed(c, kernel, number,
             arena_printf(a, "for_parts(context, call.row_parts.parts, %s, &call)", kernel->call_part));
  c->w->depth--;
  c_writer_line(c->w, "}");
}

/* Writes the call of a routine with the names of its buffers and its set. */
static void emit_routine(c_sequence *c, const c_kernel *kernel, int64_t number) {
  const char *names[IR_MAX_OPERANDS + 1] = {NULL}, *value = ir_get_string(kernel->op, "set", NULL);
  for (size_t i = 0; i < kernel->parameter_count; i++) {
    names[i] = find_local(c, &kernel->parameters[i]);
    if (kernel->parameters[i].is_written) value = kernel->parameters[i].buffer->name;
  }
  c_timed timed = {c->phase->row->call.name, kernel->name, value, kernel->op, c->first_cost + number};
  if (ir_op_kind(kernel->op) == IR_OP(intra, contract))
    c_contract_emit(c->m, c->phase, c->w, kernel, names, timed);
  else if (ir_op_kind(kernel->op) == IR_OP(intra, sum_by))
    c_sum_by_emit(c->m, c->phase, c->w, kernel, names, timed);
  else if (ir_op_kind(kernel->op) == IR_OP(intra, share))
    c_exchange_emit_share(c->m, c->w, kernel, names[0], timed);
  else if (ir_op_kind(kernel->op) == IR_OP(intra, transpose))
    c_exchange_emit_transpose(c->m, c->w, kernel, names, timed);
  else if (ir_op_kind(kernel->op) == IR_OP(intra, exchange_edges))
    c_exchange_emit_edges(c->m, c->w, kernel, names, timed);
  else if (ir_op_kind(kernel->op) == IR_OP(intra, restrict_edges))
    c_restrict_emit(c->m, c->phase, c->w, kernel, names, timed);
  else
    c_routines_emit(c->m, c->w, kernel, names, timed);
}

static void emit_pack(c_sequence *c, const c_packed *p, const char *value, const char *from, const char *to) {
  long long depth = (long long)p->depth, width = (long long)p->width;
  if (p->matrices > 1) {
    c_writer_line(c->w, "for (int64_t i = 0; i < %lld; i++)", (long long)p->matrices);
    from = arena_printf(c->m->arena, "%s + i * %lld", from, depth * width);
    to = arena_printf(c->m->arena, "%s + i * %lld", to, depth * (long long)p->padded);
    c->w->depth++;
  }
  c_timed timed = {.phase = c->phase->row->call.name, .function = "pack_matrix", .value = value, .cost = -1};
  c_writer_line(c->w, "%s",
                c_model_time(c->m, timed,
                             arena_printf(c->m->arena, "pack_matrix(%lld, %lld, %s, %d, %s)", depth, width, from,
                                          p->transposed, to)));
  if (p->matrices > 1) c->w->depth--;
}

/* ---- matrices ---- */

/* Packs the matrix by which a kernel multiplies, unless that was done. A bound matrix is packed
 * once, in the phase that fills the bound block. A slot of the workspace holds other matrices
 * later, so its packed form serves one kernel. */
static void emit_own_pack(c_sequence *c, const c_kernel *kernel) {
  const c_packed *packs = kernel->packs;
  bool is_first = !map_get(&c->packed, packs, 0);
  map_set(&c->packed, packs, 1);
  if (packs->space == C_SPACE_bound && !(is_first && c->phase->row->fills_bound)) return;
  const c_buffer *matrix = packs->weight ? packs->weight : kernel->packs_from;
  c_parameter from = {.buffer = matrix, .set = -1}, to = {.packed = packs, .set = -1};
  const char *from_text = make_local(c, &from);
  emit_pack(c, packs, matrix->name, from_text, find_local(c, &to));
}

/* Packs, at the end, the bound matrices by which only other phases multiply. */
static void emit_other_packs(c_sequence *c) {
  for (size_t i = 0; i < c->m->packed.count; i++) {
    const c_packed *p = c->m->packed.items[i];
    if (p->phase == c->phase || p->space != C_SPACE_bound) continue;
    const char *slot = c_layout_slot(c->m, c->phase, p->space, p->slot);
    emit_pack(c, p, p->weight ? p->weight->name : NULL,
              p->weight ? user_field(c, p->weight)
                        : arena_printf(c->m->arena, "(const real *)(const void *)(%s)", slot),
              arena_printf(c->m->arena, "(real *)(void *)(%s)", c_layout_packed(c->m, p)));
  }
}

/* ---- the sequence ---- */

/* Reserves the names that the functions of phases use besides buffers. */
static void reserve_names(c_sequence *c, const c_kernels *kernels) {
  static const char *const taken[] = {"l", "k", "i", "call", "values", "strip", "strips"};
  arena *a = c->m->arena;
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) c_names_add(&c->names, taken[i]);
  for (size_t p = 0; p < c->m->phases.count; p++)
    for (const char *const *local = c->m->phases.items[p].row->locals; *local; local++)
      c_names_add(&c->names, c_signature_named(c->m, *local));
  for (size_t i = 0; i < kernels->count; i++) c_names_add(&c->names, kernels->items[i].name);
  for (size_t i = 0; i < c->m->sets.count; i++)
    c_names_add(&c->names, arena_printf(a, "open_%s", c->m->sets.items[i].id));
  for (size_t i = 0; i < c->m->sets.count; i++)
    if (c->m->sets.items[i].is_run) c_names_add(&c->names, c_count_edges(c->m, &c->m->sets.items[i]));
  for (size_t i = 0; i < c->m->fields[C_SPACE_input].count; i++)
    c_names_add(&c->names, arena_printf(a, "checked_%zu", i));
}

/* Makes the pointers of a kernel, outside of the blocks below. */
static void make_pointers(c_sequence *c, const c_kernel *kernel) {
  for (size_t j = 0; j < kernel->parameter_count; j++) make_local(c, &kernel->parameters[j]);
  if (!kernel->packs) return;
  c_parameter from = {.buffer = kernel->packs->weight ? kernel->packs->weight : kernel->packs_from, .set = -1};
  if (kernel->packs->space != C_SPACE_bound) make_local(c, &from);
}

static void make_locals(c_sequence *c, const c_kernel *kernel) {
  make_pointers(c, kernel);
  if (kernel->packs) emit_own_pack(c, kernel);
}

/* What ranks have where an operation runs; NULL: it always runs. */
static const char *mode_of(MlirOperation op) {
  const ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(intra, transpose)) return "columns";
  const bool may_have = kind == IR_OP(intra, traverse) || kind == IR_OP(intra, gemm) || kind == IR_OP(intra, exchange);
  return may_have ? ir_get_string(op, "mode", NULL) : NULL; /* others have modes of another kind */
}

/* Opens and closes a block for what runs only where ranks have rows, or only where they have columns. */
static bool open_mode(const c_sequence *c, MlirOperation op) {
  const char *mode = mode_of(op);
  if (mode) c_writer_open(c->w, "if (%sheader->column_ranks)", *mode == 'r' ? "!" : "");
  return mode != NULL;
}

static void close_mode(const c_sequence *c, bool is_open) {
  if (is_open) c_writer_close(c->w);
}

/* Writes the call of a kernel for a group of the rank's strips: the largest groups come first, so this one stands behind what the higher
 * binary digits of the number of strips count. */
static void emit_strips(c_sequence *c, const c_kernel *kernel, int64_t number) {
  const long long group = (long long)ir_get_integer(kernel->op, "group", 1);
  c_writer_line(c->w, "const strip_range strips = find_strips(%lld, header->column_rank, header->column_ranks);",
                (long long)strips_of(kernel));
  c_writer_open(c->w, "if (strips.count & %lld)", group);
  c_writer_line(c->w, "const int64_t strip = strips.count & -%lld;", 2 * group);
  emit_call(c, kernel, number, NULL, NULL);
  c_writer_close(c->w);
}

/* Writes an exchange of the rows of ghosts. Where `behind`, the kernel after it, may begin before they are there, it
 * stands between the beginning and the end for interior nodes, and after the end for the others. */
static void emit_exchange(c_sequence *c, const c_kernel *kernel, const c_kernel *behind, int64_t number) {
  const char *rows[IR_MAX_OPERANDS];
  for (size_t i = 0; i < kernel->parameter_count; i++) rows[i] = find_local(c, &kernel->parameters[i]);
  c_timed timed = {c->phase->row->call.name, kernel->name, kernel->parameters[0].buffer->name, kernel->op,
                   c->first_cost + number};
  if (behind) make_locals(c, behind);
  c_exchange_emit_begin(c->m, c->w, kernel, rows);
  if (behind) emit_call(c, behind, number + 1, NULL, "header->num_interior");
  c_exchange_emit_end(c->m, c->w, timed);
  if (behind) emit_call(c, behind, number + 1, "header->num_interior", NULL);
}

void c_sequence_emit(c_model *m, c_writer *w, const c_kernels *kernels) {
  c_sequence c = {.m = m, .w = w, .phase = kernels->phase, .first_cost = kernels->first_cost};
  c.names.arena = c.locals.arena = c.packed.arena = m->arena;
  reserve_names(&c, kernels);
  for (size_t i = 0; i < kernels->count; i++) {
    const c_kernel *kernel = &kernels->items[i];
    if (kernel->is_left_out) continue;
    make_pointers(&c, kernel);
    const bool overlaps = ir_op_kind(kernel->op) == IR_OP(intra, exchange) && ir_get_bool(kernel->op, "overlaps");
    if (overlaps) make_pointers(&c, kernel + 1);
    const bool has_mode = open_mode(&c, kernel->op);
    if (kernel->packs) emit_own_pack(&c, kernel);
    if (ir_op_kind(kernel->op) == IR_OP(intra, exchange)) {
      emit_exchange(&c, kernel, overlaps ? kernel + 1 : NULL, (int64_t)i);
      i += overlaps;
    } else if (kernel->is_routine)
      emit_routine(&c, kernel, (int64_t)i);
    else if (strips_of(kernel))
      emit_strips(&c, kernel, (int64_t)i);
    else
      emit_call(&c, kernel, (int64_t)i, NULL, NULL);
    close_mode(&c, has_mode);
  }
  if (kernels->phase->row->fills_bound) emit_other_packs(&c);
}
