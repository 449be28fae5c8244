/* Replaces weights of edges by factors of rows, where each weight is a factor of its source times a
 * factor of its destination. The edges then need no weights and take 4 bytes (packed edges).
 *
 *   y = spdmm {s d} z; + bias      ->      z' = z * s, where z is made; y = spdmm z'; * d; + bias
 *
 * The weights of GCN are 1 / sqrt(degree of the source) times 1 / sqrt(degree of the destination)
 * (GraphAGILE, Equation 3); those of a mean are 1 / degree of the destination. A factor is one
 * column of rows in DDR, by which an epilogue multiplies. */
#include "codegen/graphagile/fuse/fuse_factors.h"

#include <math.h>
#include <string.h>

typedef struct factors {
  graphagile_plan_tensor *source, *destination; /* columns; source NULL: all factors are 1 */
} factors;

/* Adds a constant tensor of one column for the rows of a set, in the order in which the device has
 * them. */
static graphagile_plan_tensor *add_column(graphagile_plan *p, const graphagile_plan_edge_list *e, const char *set,
                                          int64_t rows, const float *numbers) {
  graphagile_plan_tensor *t = arena_alloc(p->arena, sizeof *t);
  *t = (graphagile_plan_tensor){.name = arena_printf(p->arena, "%s factor %zu", e->name, p->tensors.count),
                                .set = set,
                                .place = GRAPHAGILE_PLAN_CONSTANT,
                                .rows = rows,
                                .width = 1,
                                .numbers = numbers,
                                .first = -1,
                                .last = -1,
                                .kind = GRAPHAGILE_KIND_weights};
  graphagile_plan_size_tensor(p, t);
  VEC_PUSH(p->arena, &p->tensors, t);
  return t;
}

static int32_t *count_entries(graphagile_plan *p, const program_edge_list *list) {
  int32_t *counts = arena_alloc_array(p->arena, (size_t)list->to_rows, sizeof *counts);
  for (int64_t i = 0; i < list->edges - list->loops; i++) counts[list->dst[i]]++;
  for (int64_t i = 0; i < list->loops; i++) counts[list->loop ? list->loop[i] : i]++;
  return counts;
}

/* The factors of a mean: 1 / number of edges of each destination. */
static void find_mean(graphagile_plan *p, const graphagile_plan_edge_list *e, factors *out) {
  const int64_t rows = e->list->to_rows;
  const int32_t *counts = count_entries(p, e->list);
  float *numbers = arena_alloc_array(p->arena, (size_t)rows, sizeof *numbers);
  for (int64_t r = 0; r < rows; r++) numbers[r] = 1.0f / (float)(counts[r] ? counts[r] : 1);
  out->destination = add_column(p, e, ir_type_of(ir_result(e->op)).detail, rows, numbers);
}

/* Whether a value of edges is the degree of the edges' end `end`; degrees are never negative. */
static bool is_degree(MlirOperation op, MlirValue of, const char *end) {
  if (ir_op_kind(op) != IR_OP(gnn, gather) || !ir_string_is(op, "end", end)) return false;
  MlirOperation value = ir_defining_op(ir_operand(op, IR_IN(gnn, gather, value)));
  bool is_count = !mlirOperationIsNull(value) && ir_op_kind(value) == IR_OP(gnn, degree);
  return is_count && mlirValueEqual(ir_operand(op, IR_IN(gnn, gather, graph)), of);
}

/* Adds the column 1 / sqrt(degree). `entries` may be NULL; otherwise it is the number of edges of
 * each row, and a row without edges may have any factor, because its sum is 0. */
static graphagile_plan_tensor *add_root(graphagile_plan *p, const graphagile_plan_edge_list *e, MlirOperation gather,
                                        const int32_t *entries, int64_t rows) {
  const char *set = ir_type_of(ir_result(e->op)).set;
  program_array array;
  const int32_t *order;
  if (!graphagile_plan_check(p,
                             program_host_evaluate(p->host, ir_operand(gather, IR_IN(gnn, gather, value)), &array)) ||
      !graphagile_plan_check(p, program_host_set_order(p->host, set, &order)) || array.rows != rows || array.width != 1)
    return NULL;
  float *numbers = arena_alloc_array(p->arena, (size_t)rows, sizeof *numbers);
  for (int64_t r = 0; r < rows; r++)
    numbers[r] = entries && !entries[r] ? 1.0f : 1.0f / sqrtf(array.data[order ? order[r] : r]);
  return add_column(p, e, set, rows, numbers);
}

/* Finds the factors of rsqrt(degree of the source * degree of the destination). */
static bool find_roots(graphagile_plan *p, const graphagile_plan_edge_list *e, MlirValue weight, factors *out) {
  MlirOperation root = ir_defining_op(weight);
  MlirValue of = ir_operand(e->op, IR_IN(device, edges, of));
  if (strcmp(e->kind, "in") != 0 || mlirOperationIsNull(root) || ir_op_kind(root) != IR_OP(gnn, activation))
    return false;
  MlirOperation product = ir_defining_op(mlirOperationGetOperand(root, 0));
  bool is_root = ir_string_is(root, "function", "rsqrt") && !mlirOperationIsNull(product);
  if (!is_root || ir_op_kind(product) != IR_OP(gnn, multiply)) return false;
  MlirOperation a = ir_defining_op(mlirOperationGetOperand(product, 0)),
                b = ir_defining_op(mlirOperationGetOperand(product, 1));
  if (mlirOperationIsNull(a) || mlirOperationIsNull(b)) return false;
  if (is_degree(b, of, "src")) {
    MlirOperation first = b;
    b = a;
    a = first;
  }
  if (!is_degree(a, of, "src") || !is_degree(b, of, "dst")) return false;
  out->source = add_root(p, e, a, NULL, e->list->from_rows);
  out->destination = add_root(p, e, b, count_entries(p, e->list), e->list->to_rows);
  return out->source && out->destination;
}

/* Whether a layer sums up the rows of t over an edge list. */
static bool sums(const graphagile_plan_layer *l, const graphagile_plan_edge_list *e, const graphagile_plan_tensor *t) {
  return l->kind == GRAPHAGILE_PLAN_spdmm && l->spdmm.edges == e && l->spdmm.in == t;
}

/* Whether a layer reads the rows of t in another way than by summing them up over the list. */
static bool reads_otherwise(const graphagile_plan_layer *l, const graphagile_plan_edge_list *e,
                            const graphagile_plan_tensor *t) {
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_OPERANDS];
  int count = graphagile_plan_operands(l, operands), reads = 0;
  for (int i = 0; i < count; i++) reads += operands[i] == t;
  return reads > sums(l, e, t);
}

/* The layer that makes the rows t of a sum, if these may be scaled because nothing but sums over
 * the list reads them; else NULL. */
static graphagile_plan_layer *maker_of(graphagile_plan *p, const graphagile_plan_edge_list *e,
                                       graphagile_plan_tensor *t) {
  if (t->place != GRAPHAGILE_PLAN_HIDDEN || t->whole || t->is_output || t->first < 0) return NULL;
  graphagile_plan_layer *maker = &p->layers.items[t->first];
  bool has_epilogues = maker->kind == GRAPHAGILE_PLAN_gemm || (maker->kind == GRAPHAGILE_PLAN_spdmm && maker->spdmm.in);
  if (!has_epilogues || maker->result != t || maker->num_epilogues == GRAPHAGILE_PLAN_MAX_EPILOGUES) return NULL;
  for (size_t i = 0; i < p->layers.count; i++)
    if (reads_otherwise(&p->layers.items[i], e, t)) return NULL;
  for (size_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.items[i]->whole == t) return NULL;
  return maker;
}

/* How many epilogues a sum has when its factor becomes the first one: bias and addend become
 * epilogues too, because they must not be scaled. */
static int epilogues_of(const graphagile_plan_layer *l) {
  const graphagile_plan_start *start = &l->spdmm.start;
  return 1 + (start->bias.fibers > 0) + (start->addend != NULL) + l->num_epilogues;
}

/* Whether edges get shorter by more bytes than the columns of factors have; a block loads one row
 * of a column for each of its rows. Compact columns count as rows of fibers, because an epilogue
 * takes cycles of the array, too: with their own bytes most layers over few edges get slower. */
static bool pays(const graphagile_plan *p, const graphagile_plan_edge_list *e, bool has_source) {
  const int64_t row = graphagile_plan_hidden_bytes(p), saved = (int64_t)e->record_bytes - GRAPHAGILE_VALUE_BYTES;
  return saved * e->list->edges > row * (e->list->to_rows + (has_source ? e->list->from_rows : 0));
}

static bool can_factor(graphagile_plan *p, const graphagile_plan_edge_list *e, bool has_source) {
  bool is_used = false;
  for (size_t i = 0; i < p->layers.count; i++) {
    const graphagile_plan_layer *l = &p->layers.items[i];
    if (graphagile_plan_edges_of(l) != e) continue;
    if (l->kind != GRAPHAGILE_PLAN_spdmm) return false;
    const graphagile_plan_spdmm *s = &l->spdmm;
    bool is_sum = s->reduce == GRAPHAGILE_REDUCE_sum && s->in && !s->values;
    int added = 0; /* 1 if the layer also makes the rows of another sum */
    for (size_t k = 0; has_source && k < p->layers.count; k++) added |= sums(&p->layers.items[k], e, l->result);
    if (!is_sum || epilogues_of(l) + added > GRAPHAGILE_PLAN_MAX_EPILOGUES || (has_source && !maker_of(p, e, s->in)))
      return false;
    is_used = true;
  }
  for (size_t i = 0; i < p->tensors.count; i++)
    if (p->tensors.items[i]->edges == e || p->tensors.items[i]->weight == e) return false;
  return is_used;
}

static graphagile_plan_epilogue times(graphagile_plan_tensor *column) {
  return (graphagile_plan_epilogue){.operation = GRAPHAGILE_VECTOR_mul, .other = column, .is_bcast = true};
}

/* Makes the factor of the destination the first epilogue, then adds bias and addend of the sum,
 * then its functions and epilogues. */
static void scale_sum(graphagile_plan_layer *l, graphagile_plan_tensor *column) {
  graphagile_plan_epilogue epilogues[GRAPHAGILE_PLAN_MAX_EPILOGUES] = {times(column)};
  int count = 1;
  graphagile_plan_start *start = &l->spdmm.start;
  if (start->bias.fibers)
    epilogues[count++] = (graphagile_plan_epilogue){.operation = GRAPHAGILE_VECTOR_add, .row = start->bias};
  if (start->addend)
    epilogues[count++] = (graphagile_plan_epilogue){.operation = GRAPHAGILE_VECTOR_add, .other = start->addend};
  epilogues[count - 1].functions = l->functions;
  epilogues[count - 1].num_functions = l->num_functions;
  memcpy(epilogues + count, l->epilogues, (size_t)l->num_epilogues * sizeof *epilogues);
  memcpy(l->epilogues, epilogues, sizeof epilogues);
  l->num_epilogues += count;
  *start = (graphagile_plan_start){0};
  l->functions = NULL;
  l->num_functions = 0;
}

static void drop_weights(graphagile_plan *p, graphagile_plan_edge_list *e) {
  program_edge_list *list = arena_alloc(p->arena, sizeof *list);
  *list = *e->list;
  list->has_weight = false;
  list->weight = NULL;
  list->weights = (program_weights){0};
  e->list = list;
  e->is_packed = true;
  e->record_bytes = GRAPHAGILE_VALUE_BYTES;
}

static void factor(graphagile_plan *p, graphagile_plan_edge_list *e) {
  factors f = {0};
  MlirValue weight = ir_operand(e->op, IR_IN(device, edges, weight));
  bool is_mean = ir_get_bool(e->op, "mean"), has_weight = !mlirValueIsNull(weight);
  if (!e->list->has_weight || is_mean == has_weight || !pays(p, e, has_weight) || !can_factor(p, e, has_weight)) return;
  if (is_mean) find_mean(p, e, &f);
  if (has_weight && !find_roots(p, e, weight, &f)) return;
  for (size_t i = 0; i < p->layers.count; i++)
    if (graphagile_plan_edges_of(&p->layers.items[i]) == e) scale_sum(&p->layers.items[i], f.destination);
  for (size_t i = 0; f.source && i < p->tensors.count; i++) {
    bool is_summed = false;
    for (size_t k = 0; k < p->layers.count; k++) is_summed |= sums(&p->layers.items[k], e, p->tensors.items[i]);
    if (!is_summed) continue;
    graphagile_plan_layer *maker = &p->layers.items[p->tensors.items[i]->first];
    maker->epilogues[maker->num_epilogues++] = times(f.source);
  }
  drop_weights(p, e);
}

void graphagile_fuse_factors(graphagile_plan *p) {
  const graphagile_options *o = p->options;
  if (o->paper || !o->fuse || !o->packed || !o->device.graphagile.has_packed_edges) return;
  for (size_t i = 0; i < p->edges.count; i++) factor(p, p->edges.items[i]);
}
