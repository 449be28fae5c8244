/* Makes the edge list of a device.edges operation once, in rows of its sets, with weights. */
#include "codegen/device/host/host_edge_list.h"

#include "support/number.h"

#include <string.h>

/* ---- maps -------------------------------------------------------------------------------------------------------- */

typedef struct mapping {
  int64_t count;
  const int32_t *index, *through;
  int32_t *out;
} mapping;

static void map_share(void *user, int share, int shares) {
  const mapping *m = user;
  int64_t begin, end;
  thread_pool_cut(m->count, share, shares, &begin, &end);
  if (m->index && m->through)
    for (int64_t i = begin; i < end; i++) m->out[i] = m->through[m->index[i]];
  else
    for (int64_t i = begin; i < end; i++) m->out[i] = (int32_t)i;
}

status host_edge_list_map(program_host *h, int64_t count, const int32_t *index, const int32_t *through,
                          const int32_t **out) {
  *out = index ? index : through;
  if (!index == !through) {
    mapping m = {count, index, through, NULL};
    RETURN_IF_ERROR(HOST_ARRAY(h, count, &m.out));
    thread_pool_run(h->pool, count, map_share, &m);
    *out = m.out;
  }
  return STATUS_OK;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

static status list_entries(host_edge_list_parts *r) {
  const char *kind = ir_get_string(r->op, "kind", "in");
  if (!strcmp(kind, "nonzeros")) return host_edge_list_of_nonzeros(r);
  static const char *const of_nodes[] = {"pool",   "unpool",    "part",      "unite",
                                         "others", "type_node", "broadcast", "total"};
  for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
    if (!strcmp(of_nodes[i], kind)) return host_edge_list_of_nodes(r, kind);
  return host_edge_list_of_edges(r, kind);
}

/* Whether all users are sums, which begin at 0 and do not depend on which destinations have edges. */
static bool is_only_summed(MlirOperation edge_list) {
  IR_FOR_EACH_USE(use, ir_result(edge_list)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (ir_op_kind(user) != IR_OP(device, spdmm) || !ir_string_is(user, "reduce", "sum")) return false;
  }
  return ir_value_has_uses(ir_result(edge_list));
}

static status finish(host_edge_list_parts *r, program_edge_list *out) {
  RETURN_IF_ERROR(program_host_set_rows(r->host, r->to, &out->to_rows));
  RETURN_IF_ERROR(host_edge_list_weigh(r, out->to_rows));
  out->every_destination = r->reaches_all;
  if (!r->reaches_all && !is_only_summed(r->op))
    RETURN_IF_ERROR(host_covers(r->host, r->dst, r->count, out->to_rows, &out->every_destination));
  out->edges = r->count;
  out->src = r->src;
  out->dst = r->dst;
  out->edge = r->edge;
  out->loops = r->loops;
  out->loop = r->loop;
  out->weight = r->weight;
  out->weights = r->weights;
  out->has_weight = out->weight || out->weights.user;
  out->pool = r->host->pool;
  return STATUS_OK;
}

static status make(program_host *h, MlirOperation op, program_edge_list *out) {
  ir_type type = ir_type_of(ir_result(op));
  host_edge_list_parts r = {.host = h, .op = op, .from = type.set, .to = type.detail};
  ir_type of = ir_type_of(ir_operand(op, IR_IN(device, edges, of)));
  RETURN_IF_ERROR(list_entries(&r));
  if (of.kind == IR_KIND_sparse)
    out->from_rows = of.dims[0];
  else
    RETURN_IF_ERROR(program_host_set_rows(h, r.from, &out->from_rows));
  return finish(&r, out);
}

status program_host_edge_list(program_host *h, MlirOperation edge_list, const program_edge_list **out) {
  program_edge_list *made = map_get_pointer(&h->edge_lists, edge_list.ptr);
  if (!made) {
    made = arena_alloc(h->memory, sizeof *made);
    RETURN_IF_ERROR(status_context(make(h, edge_list, made), "edge list '%s'", ir_get_string(edge_list, "kind", "in")));
    map_set_pointer(&h->edge_lists, edge_list.ptr, made);
  }
  *out = made;
  return STATUS_OK;
}

status program_host_weights(program_host *h, const program_edge_list *r, const float **out) {
  *out = r->weight;
  if (*out || !r->weights.user) return STATUS_OK;
  float *made;
  RETURN_IF_ERROR(HOST_ARRAY(h, r->edges, &made));
  for (int64_t i = 0; i < r->edges; i += PROGRAM_WEIGH_MOST)
    r->weights.weigh(r->weights.user, i, number_min(r->edges - i, PROGRAM_WEIGH_MOST), made + i);
  *out = made;
  return STATUS_OK;
}
