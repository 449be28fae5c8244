/* Calls of the routine that adds up outer products of rows: see contract.h.
 *
 *   {
 *     contraction made = {.a = {.made = inputs->x, .at = g.src, .stride = 64}, .b = {.made = d, .stride = 16}, .rows = header->num_edges, ...};
 *     GNNC_TIMED(2, contract_rows(&made));
 *   } */
#include "codegen/c/kernel/contract.h"

#include "codegen/c/interface/layout.h"
#include "codegen/c/model/array.h"
#include "codegen/c/model/count.h"
#include "codegen/c/operation/dropout.h"

#include <string.h>

/* What a call needs, found again where it is written. */
typedef struct contract {
  const c_buffer *a, *b, *to; /* a is NULL where there is none */
  const char *gathers[2];     /* of a and b */
  c_rows rows;
  int set;
  int64_t copies, heads, depth, width;
  const c_segments *segments; /* of sums per type of edges; else NULL */
  bool is_per_node_type;      /* sums per type of nodes, whose order is in the set */
} contract;

/* A set that intra.graph has named. */
static int find_set(const c_model *m, const char *name) {
  for (size_t i = 0; i < m->sets.count; i++)
    if (!strcmp(m->sets.items[i].name, name)) return (int)i;
  return 0;
}

/* The set and the kind of the rows: edges where an operand is gathered, else the rows of b. */
static void find_rows(const c_model *m, MlirOperation op, contract *c) {
  c->rows = c->b->rows;
  c->set = c->b->set;
  if (!strcmp(c->gathers[0], "none") && !strcmp(c->gathers[1], "none")) return;
  c->rows = C_ROWS_edge;
  c->set = find_set(m, ir_type_of(ir_operand(op, IR_IN(intra, contract, graph))).set);
}

static void find_sizes(MlirOperation op, contract *c) {
  bool is_batch = ir_get_bool(op, "batch");
  c->copies = c->heads = c->depth = 1;
  c->width = c->b->elements;
  if (!c->a) return;
  ir_type a = c->a->type, b = c->b->type;
  c->depth = a.dims[a.rank - 1];
  c->width = b.dims[b.rank - 1];
  *(is_batch ? &c->heads : &c->copies) = c->b->elements / c->width;
}

/* The description; `to` is NULL where a buffer is not declared. */
static contract describe(const c_model *m, const c_phase *phase, MlirOperation op) {
  MlirValue a = ir_operand(op, IR_IN(intra, contract, a));
  contract c = {.gathers = {ir_get_string(op, "gather_a", "none"), ir_get_string(op, "gather_b", "none")}};
  if (!ir_value_is_null(a)) c.a = c_model_buffer(phase, a);
  c.b = c_model_buffer(phase, ir_operand(op, IR_IN(intra, contract, b)));
  c.to = c_model_buffer(phase, ir_operand(op, IR_IN(intra, contract, to)));
  if (!c.b || (!ir_value_is_null(a) && !c.a)) c.to = NULL;
  if (!c.to) return c;
  find_rows(m, op, &c);
  find_sizes(op, &c);
  for (int i = 0; i < C_SEGMENTS_COUNT; i++)
    if (c_array_segments[i].types == c.to->rows) c.segments = &c_array_segments[i];
  c.is_per_node_type = c.to->rows == C_ROWS_ntype;
  return c;
}

static int64_t elements_of(const contract *c) {
  return c->heads * c->depth * c->width;
}

/* The numbers of all sums; those of types that have no rows are there, too. */
static int64_t result_elements(const contract *c) {
  return elements_of(c) * (c->to->rows == C_ROWS_one || c->to->count < 1 ? 1 : c->to->count);
}

/* Whether sums of doubles are stored as the caller's floats: they are made in memory of their own. */
static bool is_narrowed(const c_model *m, const contract *c) {
  return m->options->is_f64 && c_buffer_is_float(c->to);
}

/* ---- parameters ---- */

static bool is_end(const char *gather) {
  return !strcmp(gather, "src") || !strcmp(gather, "dst");
}

static bool is_group(const char *gather) {
  return !strncmp(gather, "group_", strlen("group_"));
}

/* Whether rows of a buffer are the caller's edges, in their order. */
static bool has_numbers(const c_model *m, const c_buffer *b) {
  return b && b->rows == C_ROWS_edge && c_buffer_is_user(b) && m->sets.items[b->set].has_csc;
}

/* The part whose nodes are the rows, -1 for other rows. */
static int64_t part_of(const c_model *m, const contract *c) {
  return c->rows == C_ROWS_node ? m->sets.items[c->set].part : -1;
}

static bool reads_rows_set(const c_model *m, const contract *c) {
  bool is_ordered = c->segments || (c->is_per_node_type && part_of(m, c) < 0);
  return is_ordered || is_end(c->gathers[0]) || is_end(c->gathers[1]) || has_numbers(m, c->a) || has_numbers(m, c->b);
}

typedef VEC(c_parameter) parameters;

static void add_set(const c_model *m, parameters *list, int set) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].set == set) return;
  c_parameter p = {.set = set, .is_used = true};
  VEC_PUSH(m->arena, list, p);
}

static void add_buffer(const c_model *m, parameters *list, const c_buffer *buffer, bool is_written) {
  c_parameter p = {.buffer = buffer, .set = -1, .is_used = true, .is_written = is_written};
  if (buffer) VEC_PUSH(m->arena, list, p);
}

c_kernel c_contract_make(c_model *m, const c_phase *phase, MlirOperation op) {
  contract c = describe(m, phase, op);
  parameters list = {0};
  if (!c.to) {
    c_model_fail(m, op, DIAG_internal, "a buffer is declared after the kernels");
  } else {
    add_buffer(m, &list, c.a, false);
    add_buffer(m, &list, c.b, false);
    add_buffer(m, &list, c.to, true);
    if (reads_rows_set(m, &c)) add_set(m, &list, c.set);
    if (c.a && is_group(c.gathers[0])) add_set(m, &list, c.a->set);
    if (is_group(c.gathers[1])) add_set(m, &list, c.b->set);
  }
  return (c_kernel){.op = op,
                    .name = "contract_rows",
                    .rows = C_ROWS_one,
                    .parameters = list.items,
                    .parameter_count = list.count,
                    .code = "",
                    .is_routine = true};
}

/* ---- the call ---- */

/* The state while a call is written. */
typedef struct call {
  c_model *m;
  c_writer *w;
  const c_kernel *kernel;
  const char *const *names;
  contract c;
} call;

static const char *name_of(const call *at, const c_buffer *buffer) {
  for (size_t i = 0; i < at->kernel->parameter_count; i++)
    if (at->kernel->parameters[i].buffer == buffer) return at->names[i];
  return "unknown";
}

/* "g.src": an array of a set, whose parameter is "&g". */
static const char *array_of(const call *at, int set, const char *array) {
  for (size_t i = 0; i < at->kernel->parameter_count; i++) {
    const c_parameter *p = &at->kernel->parameters[i];
    if (!p->buffer && p->set == set) return arena_printf(at->m->arena, "%s.%s", at->names[i] + 1, array);
  }
  return "unknown";
}

static void member(const call *at, const char *name, const char *value) {
  c_writer_line(at->w, ".%s = %s,", name, value);
}

static void number(const call *at, const char *name, int64_t value) {
  member(at, name, arena_printf(at->m->arena, "%lld", (long long)value));
}

static void emit_side(const call *at, const char *side, const c_buffer *b, const char *gather) {
  arena *a = at->m->arena;
  bool is_given = at->m->options->is_f64 && c_buffer_is_float(b);
  member(at, arena_printf(a, "%s.%s", side, is_given ? "given" : "made"), name_of(at, b));
  if (is_end(gather)) member(at, arena_printf(a, "%s.at", side), array_of(at, at->c.set, gather));
  if (is_group(gather)) member(at, arena_printf(a, "%s.at", side), array_of(at, b->set, "row"));
  if (has_numbers(at->m, b)) member(at, arena_printf(a, "%s.number", side), array_of(at, b->set, "number"));
  number(at, arena_printf(a, "%s.stride", side), b->elements);
}

/* Sparse rows, from which dropout may take entries. */
static void emit_sparse(const call *at) {
  MlirOperation op = at->kernel->op;
  double p = ir_get_float(op, "p", 0);
  arena *a = at->m->arena;
  member(at, "sparse", name_of(at, at->c.a));
  if (p == 0) return;
  member(at, "step", "context_step(context)");
  member(at, "site", arena_printf(a, "%lluu", (unsigned long long)ir_get_integer(op, "site", 0)));
  member(at, "limit", arena_printf(a, "%uu", c_dropout_limit(p)));
  member(at, "scale", arena_printf(a, "(real)%.17g", 1 / (1 - p)));
}

static void emit_operands(const call *at) {
  const contract *c = &at->c;
  if (!c->a)
    member(at, "a.made", "contract_ones");
  else if (c->a->rows == C_ROWS_nonzero)
    emit_sparse(at);
  else
    emit_side(at, "a", c->a, c->gathers[0]);
  emit_side(at, "b", c->b, c->gathers[1]);
}

/* The order of rows by type, and where each type begins. */
static void emit_types(const call *at) {
  const contract *c = &at->c;
  const c_segments *s = c->segments;
  bool is_ordered = s || (c->is_per_node_type && part_of(at->m, c) < 0);
  int64_t types = is_ordered ? c_model_types(at->m, c->to->rows) : 1;
  if (s && c_array_is_made(&at->m->sets.items[c->set], s->order))
    member(at, "order", array_of(at, c->set, c_array_name(s->order)));
  if (s) member(at, "ptr", array_of(at, c->set, c_array_name(s->ptr)));
  if (is_ordered && !s) {
    member(at, "order", array_of(at, c->set, "ntype_order"));
    member(at, "ptr", array_of(at, c->set, "ntype_ptr"));
  }
  number(at, "types", types);
}

/* Whether some sums of the result have no rows: those of types that the graph cannot have, or that the rows do not have. */
static bool has_other_types(const call *at) {
  const contract *c = &at->c;
  if (c->to->rows == C_ROWS_one) return false;
  return part_of(at->m, c) >= 0 || c->to->count > c_model_types(at->m, c->to->rows);
}

static void emit_made(const call *at, const c_phase *phase, const char *partial, const char *to) {
  const contract *c = &at->c;
  int64_t part = c->is_per_node_type ? part_of(at->m, c) : -1;
  const char *rows = part >= c->to->count ? "0" : c_count_rows(at->m, c->rows, c->set, c->b->count);
  if (part > 0 && part < c->to->count)
    to = arena_printf(at->m->arena, "%s + %lld", to, (long long)(part * elements_of(c)));
  c_writer_line(at->w, "contraction made = {");
  at->w->depth += 2;
  member(at, "context", phase->row->is_threaded ? "context" : "NULL");
  emit_operands(at);
  member(at, "rows", rows);
  emit_types(at);
  number(at, "copies", c->copies);
  number(at, "heads", c->heads);
  number(at, "depth", c->depth);
  number(at, "width", c->width);
  member(at, "partial", partial);
  member(at, "to", to);
  at->w->depth -= 2;
  c_writer_line(at->w, "};");
}

static const char *partial_place(c_model *m, const c_phase *phase) {
  bool in_bound = phase->row->memory == C_MEMORY_bound;
  return arena_printf(m->arena, "(real *)(void *)(%s.contract_partial)", in_bound ? "block + l" : "work + k");
}

static const char *room_of(const c_model *m, const contract *c, bool before_bind) {
  const char *rows =
      before_bind ? c_count_most_rows(m, c->rows, c->set, c->b->count) : c_count_rows(m, c->rows, c->set, c->b->count);
  if (c->rows == C_ROWS_edge && m->sets.items[c->set].is_run) rows = c_count_room(m, &m->sets.items[c->set]);
  return arena_printf(m->arena, "contract_room(%s, %lld, %d)", rows, (long long)elements_of(c),
                      c->to->rows != C_ROWS_one);
}

/* Writes a loop over all numbers of the result: "to[i] = ...". */
static void emit_each(const call *at, const char *to, const char *value) {
  c_writer_line(at->w, "for (int64_t i = 0; i < %lld; i++) %s[i] = %s;", (long long)result_elements(&at->c), to, value);
}

void c_contract_emit(c_model *m, const c_phase *phase, c_writer *w, const c_kernel *kernel, const char *const *names,
                     c_timed timed) {
  call at = {.m = m, .w = w, .kernel = kernel, .names = names, .c = describe(m, phase, kernel->op)};
  const char *partial = partial_place(m, phase), *to = name_of(&at, at.c.to), *sums = to;
  bool narrows = is_narrowed(m, &at.c);
  if (narrows) sums = arena_printf(m->arena, "(%s + %s)", partial, room_of(m, &at.c, false));
  c_writer_line(w, "{");
  w->depth++;
  emit_made(&at, phase, partial, sums);
  if (has_other_types(&at)) emit_each(&at, sums, "0");
  c_writer_line(w, "%s", c_model_time(m, timed, "contract_rows(&made)"));
  if (narrows) emit_each(&at, to, arena_printf(m->arena, "(float)%s[i]", sums));
  w->depth--;
  c_writer_line(w, "}");
}

/* ---- memory ---- */

void c_contract_list_memory(const c_model *m, c_writer *w, bool is_struct, c_memory memory) {
  bool is_listed = false;
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase *phase = &m->phases.items[p];
    if (mlirOperationIsNull(phase->function) || phase->row->memory != memory) continue;
    IR_FOR_EACH_OP(op, ir_func_body(phase->function)) {
      if (ir_op_kind(op) != IR_OP(intra, contract)) continue;
      if (!is_listed) c_writer_line(w, is_struct ? "size_t contract_partial;" : "int64_t contracted = 0;");
      is_listed = true;
      if (is_struct) break;
      contract c = describe(m, phase, op);
      const char *room = room_of(m, &c, memory == C_MEMORY_bound);
      if (is_narrowed(m, &c)) room = arena_printf(m->arena, "%s + %lld", room, (long long)result_elements(&c));
      c_writer_line(w, "contracted = contract_larger(contracted, %s);", room);
    }
  }
  if (is_listed && !is_struct) c_writer_line(w, "l->contract_partial = section(&at, contracted, sizeof(real));");
}
