/* What the steps of the compiler ask of any layer, answered for each kind of layer. */
#include "codegen/graphagile/plan/plan_layer.h"

#include <assert.h>

static const struct {
  const char *name;
  int type;
} kinds[] = {
#define KIND(name, type) {#name, GRAPHAGILE_LAYER_##type},
#include "codegen/graphagile/plan/plan_kinds.def"
};

const char *graphagile_plan_kind_name(graphagile_plan_kind kind) {
  return kinds[kind].name;
}

int graphagile_plan_layer_type(graphagile_plan_kind kind) {
  return kinds[kind].type;
}

/* ---- operands ---- */

typedef struct tensor_list {
  graphagile_plan_tensor **items;
  int count;
} tensor_list;

static void add(tensor_list *list, graphagile_plan_tensor *t) {
  if (t) list->items[list->count++] = t;
}

/* Adds the operands of a layer's kind, without those of epilogues. */
static void add_kind(tensor_list *out, const graphagile_plan_layer *l) {
  switch (l->kind) {
  case GRAPHAGILE_PLAN_gemm:
    add(out, l->gemm.in);
    add(out, l->gemm.start.addend);
    break;
  case GRAPHAGILE_PLAN_spdmm:
    add(out, l->spdmm.in);
    add(out, l->spdmm.values);
    add(out, l->spdmm.start.addend);
    break;
  case GRAPHAGILE_PLAN_sddmm:
    add(out, l->sddmm.src);
    add(out, l->sddmm.dst);
    add(out, l->sddmm.values);
    break;
  case GRAPHAGILE_PLAN_vadd:
    add(out, l->vadd.a);
    add(out, l->vadd.b);
    add(out, l->vadd.condition);
    break;
  case GRAPHAGILE_PLAN_map: add(out, l->map.in); break;
  case GRAPHAGILE_PLAN_values:
    add(out, l->values.a);
    add(out, l->values.b);
    break;
  case GRAPHAGILE_PLAN_host:
    for (int i = 0; i < l->host.num_operands; i++) add(out, l->host.operands[i]);
    break;
  }
}

static void add_own(tensor_list *out, const graphagile_plan_layer *l) {
  add_kind(out, l);
  for (int i = 0; i < l->num_epilogues; i++) add(out, l->epilogues[i].other);
}

/* Whether one of the first `links` links makes a tensor on the piece or beside the sums, so that
 * it is not read from memory. */
static bool is_made_by_link(const graphagile_plan_spdmm *s, int links, const graphagile_plan_tensor *t) {
  for (int i = 0; i < links; i++)
    if (s->links[i]->result == t) return true;
  return false;
}

static void add_inner(tensor_list *out, const graphagile_plan_spdmm *s) {
  if (s->before) add_kind(out, s->before);
  for (int i = 0; i < s->num_links; i++) {
    int first = out->count, kept = first;
    add_kind(out, s->links[i]);
    for (int k = first; k < out->count; k++)
      if (!is_made_by_link(s, i, out->items[k])) out->items[kept++] = out->items[k];
    out->count = kept;
  }
}

/* Adds the operands of a product but the sums, which are never in memory. */
static void add_product(tensor_list *out, const graphagile_plan_layer *product) {
  add(out, product->gemm.start.addend);
  for (int i = 0; i < product->num_epilogues; i++) add(out, product->epilogues[i].other);
}

int graphagile_plan_own_operands(const graphagile_plan_layer *l,
                                 graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_OWN_OPERANDS]) {
  tensor_list list = {.items = out};
  add_own(&list, l);
  return list.count;
}

int graphagile_plan_operands(const graphagile_plan_layer *l,
                             graphagile_plan_tensor *out[GRAPHAGILE_PLAN_MAX_OPERANDS]) {
  tensor_list list = {.items = out};
  add_own(&list, l);
  if (l->kind == GRAPHAGILE_PLAN_spdmm) add_inner(&list, &l->spdmm);
  if (graphagile_plan_product_of(l)) add_product(&list, l->spdmm.product);
  assert(list.count <= GRAPHAGILE_PLAN_MAX_OPERANDS);
  return list.count;
}

bool graphagile_plan_reads(const graphagile_plan_layer *l, const graphagile_plan_tensor *t) {
  graphagile_plan_tensor *operands[GRAPHAGILE_PLAN_MAX_OPERANDS];
  int count = graphagile_plan_operands(l, operands);
  for (int i = 0; i < count; i++)
    if (operands[i] == t) return true;
  return false;
}

/* ---- constants ---- */

typedef struct constant_list {
  graphagile_plan_constant **items;
  int count;
} constant_list;

static void add_constant(constant_list *list, graphagile_plan_constant *c) {
  if (c->bytes && !c->is_merged) list->items[list->count++] = c;
}

static void add_own_constants(constant_list *out, graphagile_plan_layer *l) {
  switch (l->kind) {
  case GRAPHAGILE_PLAN_gemm:
    add_constant(out, &l->gemm.matrix);
    add_constant(out, &l->gemm.start.bias);
    break;
  case GRAPHAGILE_PLAN_spdmm:
    add_constant(out, &l->spdmm.start.bias);
    if (l->spdmm.product) add_own_constants(out, l->spdmm.product);
    break;
  case GRAPHAGILE_PLAN_vadd: add_constant(out, &l->vadd.row); break;
  case GRAPHAGILE_PLAN_sddmm:
  case GRAPHAGILE_PLAN_map:
  case GRAPHAGILE_PLAN_values:
  case GRAPHAGILE_PLAN_host: break;
  }
}

int graphagile_plan_own_constants(graphagile_plan_layer *l,
                                  graphagile_plan_constant *out[GRAPHAGILE_PLAN_MAX_OWN_CONSTANTS]) {
  constant_list list = {.items = out};
  add_own_constants(&list, l);
  return list.count;
}

static void add_rows(constant_list *out, graphagile_plan_layer *l) {
  for (int i = 0; i < l->num_epilogues; i++) add_constant(out, &l->epilogues[i].row);
}

int graphagile_plan_constants(graphagile_plan_layer *l, graphagile_plan_constant *out[GRAPHAGILE_PLAN_MAX_CONSTANTS]) {
  constant_list list = {.items = out};
  add_own_constants(&list, l);
  add_rows(&list, l);
  if (graphagile_plan_product_of(l)) add_rows(&list, l->spdmm.product);
  return list.count;
}

int64_t graphagile_plan_inner_rows(const graphagile_plan_layer *l) {
  const graphagile_plan_edge_list *edges = graphagile_plan_edges_of(l);
  return edges ? edges->shape->shape.src_rows : l->tile.inner;
}

int graphagile_plan_posted_functions(const graphagile_plan_layer *l) {
  const graphagile_plan_epilogue *last = l->num_epilogues ? &l->epilogues[l->num_epilogues - 1] : NULL;
  const graphagile_plan_function *functions = last ? last->functions : l->functions;
  int count = last ? last->num_functions : l->num_functions, posted = count;
  bool is_stored = !graphagile_plan_product_of(l); /* functions of sums that are multiplied are not */
  if (is_stored && count && graphagile_plan_is_stored(functions[count - 1])) posted--;
  if (last) posted += l->num_functions;
  for (int i = 0; i + 1 < l->num_epilogues; i++) posted += l->epilogues[i].num_functions;
  return posted;
}

int graphagile_plan_divisions(const graphagile_plan_layer *l) {
  int count = 0;
  for (int i = 0; i < l->num_epilogues; i++) count += l->epilogues[i].operation == GRAPHAGILE_VECTOR_div;
  return count;
}
