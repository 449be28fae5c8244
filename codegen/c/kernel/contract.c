/* Calls of the routine that adds up outer products of rows: see contract.h.
 *
 *   {
 *     contraction made = {.a = {.made = inputs->x, .at = g.src, .stride = 64}, .b = {.made = d, .stride = 16}, .rows = header->num_edges, ...};
 *     GNNC_TIMED(2, contract_rows(&made));
 *   } */
#include "codegen/c/kernel/contract.h"

#include "codegen/c/interface/layout.h"
#include "codegen/c/kernel/call.h"
#include "codegen/c/model/array.h"
#include "codegen/c/model/count.h"
#include "codegen/c/operation/dropout.h"

#include <string.h>

/* What a call needs, found again where it is written. */
typedef struct contract {
  const c_buffer *a, *b, *to; /* a is NULL where there is none */
  c_call_rows walk;           /* of a and b */
  int64_t copies, heads, depth, width;
  const c_segments *segments; /* of sums per type of edges; else NULL */
  bool is_per_node_type;      /* sums per type of nodes, whose order is in the set */
  int graph;                  /* the set whose nodes have graphs, where rows are graphs of ranks; else -1 */
} contract;

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
  const char *const gathers[2] = {ir_get_string(op, "gather_a", "none"), ir_get_string(op, "gather_b", "none")};
  contract c = {0};
  if (!ir_value_is_null(a)) c.a = c_model_buffer(phase, a);
  c.b = c_model_buffer(phase, ir_operand(op, IR_IN(intra, contract, b)));
  c.to = c_model_buffer(phase, ir_operand(op, IR_IN(intra, contract, to)));
  if (!c.b || (!ir_value_is_null(a) && !c.a)) c.to = NULL;
  if (!c.to) return c;
  c.walk = c_call_find_rows(m, op, c.a, c.b, gathers);
  find_sizes(op, &c);
  for (int i = 0; i < C_SEGMENTS_COUNT; i++)
    if (c_array_segments[i].types == c.to->rows) c.segments = &c_array_segments[i];
  c.is_per_node_type = c.to->rows == C_ROWS_ntype;
  c.graph = m->has_cells && c.walk.rows == C_ROWS_graph
                ? c_call_find_set(m, ir_type_of(ir_operand(op, IR_IN(intra, contract, graph))).set)
                : -1;
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

/* The part whose nodes are the rows, -1 for other rows. */
static int64_t part_of(const c_model *m, const contract *c) {
  return c->walk.rows == C_ROWS_node ? m->sets.items[c->walk.set].part : -1;
}

/* Whether rows are walked in an order that their set has. */
static bool is_ordered(const c_model *m, const contract *c) {
  return c->segments || (c->is_per_node_type && part_of(m, c) < 0);
}

c_kernel c_contract_make(c_model *m, const c_phase *phase, MlirOperation op) {
  contract c = describe(m, phase, op);
  c_call_parameters list = {0};
  if (!c.to) {
    c_model_fail(m, op, DIAG_internal, "a buffer is declared after the kernels");
  } else {
    c_call_add_buffer(m, &list, c.a, false);
    c_call_add_buffer(m, &list, c.b, false);
    c_call_add_buffer(m, &list, c.to, true);
    c_call_add_sets(m, &list, &c.walk, is_ordered(m, &c) || (m->has_cells && c.walk.rows == C_ROWS_edge));
    if (c.graph >= 0) c_call_add_set(m, &list, c.graph);
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
  c_call of;
  contract c;
} call;

/* Sparse rows, from which dropout may take entries. */
static void emit_sparse(const call *at) {
  MlirOperation op = at->of.kernel->op;
  double p = ir_get_float(op, "p", 0);
  arena *a = at->of.m->arena;
  c_call_member(&at->of, "sparse", c_call_name(&at->of, at->c.a));
  if (p == 0) return;
  c_call_member(&at->of, "step", "context_step(context)");
  c_call_member(&at->of, "site", arena_printf(a, "%lluu", (unsigned long long)ir_get_integer(op, "site", 0)));
  c_call_member(&at->of, "limit", arena_printf(a, "%uu", c_dropout_limit(p)));
  c_call_member(&at->of, "scale", arena_printf(a, "(real)%.17g", 1 / (1 - p)));
}

static void emit_operands(const call *at) {
  const contract *c = &at->c;
  if (!c->a)
    c_call_member(&at->of, "a.made", "contract_ones");
  else if (c->a->rows == C_ROWS_nonzero)
    emit_sparse(at);
  else
    c_call_side(&at->of, "a", &c->walk, 0, NULL);
  c_call_side(&at->of, "b", &c->walk, 1, NULL);
}

/* The order of rows by type, and where each type begins. */
static void emit_types(const call *at) {
  const contract *c = &at->c;
  const c_segments *s = c->segments;
  bool is_typed = is_ordered(at->of.m, c);
  int64_t types = is_typed ? c_model_types(at->of.m, c->to->rows) : 1;
  if (s && c_array_is_made(&at->of.m->sets.items[c->walk.set], s->order))
    c_call_member(&at->of, "order", c_call_array(&at->of, c->walk.set, c_array_name(s->order)));
  if (s) c_call_member(&at->of, "ptr", c_call_array(&at->of, c->walk.set, c_array_name(s->ptr)));
  if (is_typed && !s) {
    c_call_member(&at->of, "order", c_call_array(&at->of, c->walk.set, "ntype_order"));
    c_call_member(&at->of, "ptr", c_call_array(&at->of, c->walk.set, "ntype_ptr"));
  }
  c_call_number(&at->of, "types", types);
}

/* Whether some sums of the result have no rows: those of types that the graph cannot have, or that the rows do not have. */
static bool has_other_types(const call *at) {
  const contract *c = &at->c;
  if (c->to->rows == C_ROWS_one) return false;
  return part_of(at->of.m, c) >= 0 || c->to->count > c_model_types(at->of.m, c->to->rows);
}

static void emit_made(const call *at, const c_phase *phase, const char *partial, const char *to) {
  const contract *c = &at->c;
  int64_t part = c->is_per_node_type ? part_of(at->of.m, c) : -1;
  const char *rows = part >= c->to->count ? "0" : c_count_rows(at->of.m, c->walk.rows, c->walk.set, c->b->count);
  if (part > 0 && part < c->to->count)
    to = arena_printf(at->of.m->arena, "%s + %lld", to, (long long)(part * elements_of(c)));
  c_writer_line(at->of.w, "contraction made = {");
  at->of.w->depth += 2;
  c_call_member(&at->of, "context", phase->row->is_threaded ? "context" : "NULL");
  emit_operands(at);
  c_call_member(&at->of, "rows", rows);
  emit_types(at);
  c_call_number(&at->of, "copies", c->copies);
  c_call_number(&at->of, "heads", c->heads);
  c_call_number(&at->of, "depth", c->depth);
  c_call_number(&at->of, "width", c->width);
  c_call_member(&at->of, "partial", partial);
  c_call_member(&at->of, "to", to);
  at->of.w->depth -= 2;
  c_writer_line(at->of.w, "};");
}

static const char *partial_place(c_model *m, const c_phase *phase) {
  bool in_bound = phase->row->memory == C_MEMORY_bound;
  return arena_printf(m->arena, "(real *)(void *)(%s.contract_partial)", in_bound ? "block + l" : "work + k");
}

static const char *room_of(const c_model *m, const contract *c, bool before_bind) {
  const char *rows = before_bind ? c_count_most_rows(m, c->walk.rows, c->walk.set, c->b->count)
                                 : c_count_rows(m, c->walk.rows, c->walk.set, c->b->count);
  if (c->walk.rows == C_ROWS_edge && m->sets.items[c->walk.set].is_run)
    rows = c_count_room(m, &m->sets.items[c->walk.set]);
  return arena_printf(m->arena, "contract_room(%s, %lld, %d)", rows, (long long)elements_of(c),
                      c->to->rows != C_ROWS_one);
}

/* Writes a loop over all numbers of the result: "to[i] = ...". */
static void emit_each(const call *at, const char *to, const char *value) {
  c_writer_line(at->of.w, "for (int64_t i = 0; i < %lld; i++) %s[i] = %s;", (long long)result_elements(&at->c), to,
                value);
}

/* The types of rows whose sums are apart: an array of the set; NULL where there is one sum. */
static const char *type_array(const call *at) {
  const contract *c = &at->c;
  if (c->segments) return c_call_array(&at->of, c->walk.set, c_array_name(c->segments->key));
  return is_ordered(at->of.m, c) ? c_call_array(&at->of, c->walk.set, "node_type") : "NULL";
}

/* Whether each rank has some of the rows; those per type all ranks have. */
static bool is_by_cells(const c_model *m, const contract *c) {
  return m->has_cells && c->walk.rows != C_ROWS_etype && c->walk.rows != C_ROWS_ntype;
}

/* The sum over the rows of all ranks. */
static void emit_by_cells(const call *at, c_timed timed) {
  c_model *m = at->of.m;
  const bool is_of_edges = at->c.walk.rows == C_ROWS_edge;
  c_writer_line(at->of.w,
                "const cell_walk walk = {%s, %s, %s, (int32_t *)(void *)(work + k.cell_order), (int64_t *)(void "
                "*)(work + k.cell_types)};",
                is_of_edges ? c_call_array(&at->of, at->c.walk.set, "in_ptr") : "NULL",
                at->c.graph >= 0 ? c_call_array(&at->of, at->c.graph, "batch") : "NULL", type_array(at));
  const char *sum = arena_printf(
      m->arena, "summed = contract_cells(context, &made, &walk, %lld, (real *)(void *)(work + k.contract_cells))",
      (long long)result_elements(&at->c));
  c_writer_line(at->of.w, "gnnc_result summed = GNNC_OK;");
  c_writer_line(at->of.w, "%s", c_model_time(m, timed, sum));
  c_writer_line(at->of.w, "if (summed) return summed;");
}

void c_contract_emit(c_model *m, const c_phase *phase, c_writer *w, const c_kernel *kernel, const char *const *names,
                     c_timed timed) {
  call at = {.of = {.m = m, .w = w, .kernel = kernel, .names = names}, .c = describe(m, phase, kernel->op)};
  const char *partial = partial_place(m, phase), *to = c_call_name(&at.of, at.c.to), *sums = to;
  bool narrows = is_narrowed(m, &at.c);
  if (narrows) sums = arena_printf(m->arena, "(%s + %s)", partial, room_of(m, &at.c, false));
  c_writer_line(w, "{");
  w->depth++;
  emit_made(&at, phase, partial, sums);
  if (has_other_types(&at)) emit_each(&at, sums, "0");
  if (is_by_cells(m, &at.c))
    emit_by_cells(&at, timed);
  else
    c_writer_line(w, "%s", c_model_time(m, timed, "contract_rows(&made)"));
  if (narrows) emit_each(&at, to, arena_printf(m->arena, "(float)%s[i]", sums));
  w->depth--;
  c_writer_line(w, "}");
}

/* ---- memory ---- */

/* What sums by cells need: the sums of all cells, and for a cell the list of its rows. */
static void list_cells(c_writer *w, int64_t numbers, int64_t types) {
  c_writer_line(w, "l->contract_cells = section(&at, header->num_cells * %lld, sizeof(real));", (long long)numbers);
  c_writer_line(w, "l->cell_order = section(&at, header->num_cells ? 2 * cell_rows : 0, sizeof(int32_t));");
  c_writer_line(w, "l->cell_types = section(&at, %lld, sizeof(int64_t));", (long long)types + 1);
}

void c_contract_list_memory(const c_model *m, c_writer *w, bool is_struct, c_memory memory) {
  bool is_listed = false;
  const bool by_cells = m->has_cells && memory == C_MEMORY_work;
  int64_t most = 0, types = 0; /* numbers of a result, and its types */
  for (size_t p = 0; p < m->phases.count; p++) {
    const c_phase *phase = &m->phases.items[p];
    if (mlirOperationIsNull(phase->function) || phase->row->memory != memory) continue;
    IR_FOR_EACH_OP(op, ir_func_body(phase->function)) {
      if (ir_op_kind(op) != IR_OP(intra, contract)) continue;
      if (!is_listed) c_writer_line(w, is_struct ? "size_t contract_partial;" : "int64_t contracted = 0;");
      if (!is_listed && by_cells)
        c_writer_line(w, is_struct ? "size_t contract_cells, cell_order, cell_types;" : "int64_t cell_rows = 0;");
      is_listed = true;
      if (is_struct) break;
      contract c = describe(m, phase, op);
      const char *room = room_of(m, &c, memory == C_MEMORY_bound);
      if (is_narrowed(m, &c)) room = arena_printf(m->arena, "%s + %lld", room, (long long)result_elements(&c));
      c_writer_line(w, "contracted = contract_larger(contracted, %s);", room);
      if (!by_cells) continue;
      if (result_elements(&c) > most) most = result_elements(&c);
      if (c.to->count > types) types = c.to->count;
      c_writer_line(w, "cell_rows = contract_larger(cell_rows, %s);",
                    c_count_rows(m, c.walk.rows, c.walk.set, c.b->count));
    }
  }
  if (is_listed && !is_struct) c_writer_line(w, "l->contract_partial = section(&at, contracted, sizeof(real));");
  if (is_listed && !is_struct && by_cells) list_cells(w, most, types);
}
