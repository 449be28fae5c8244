/* Partitions the edge lists of a plan; their records are written directly into the memory of the
 * .edges section. */
#include "codegen/graphagile/plan/plan_partition.h"

#include "codegen/device/host/host_memory.h"
#include "codegen/graphagile/partition/partition.h"
#include "codegen/graphagile/partition/partition_order.h"
#include "codegen/graphagile/plan/plan_order.h"
#include "support/number.h"

#include <string.h>

static uint64_t record_bytes(const graphagile_plan_edge_list *e) {
  return (uint64_t)e->list->edges * e->record_bytes;
}

/* Allocates the .edges section, filled with zeros. Each list begins at a multiple of 64 bytes,
 * as graphagile_layout_assign expects. */
static bool reserve_records(graphagile_plan *p) {
  uint64_t size = 0;
  for (size_t i = 0; i < p->edges.count; i++)
    size += (uint64_t)number_round_up((int64_t)record_bytes(p->edges.items[i]), GRAPHAGILE_PLAN_ALIGN);
  p->records = host_memory_alloc((int64_t)size, 1);
  if (!p->records)
    return graphagile_plan_check(
        p, status_error(STATUS_CODE_memory, "no memory for %llu bytes of edges", (unsigned long long)size));
  program_host_keep(p->host, p->records);
  return true;
}

/* The edge list with the places of its rows. */
static program_edge_list placed_list(const graphagile_plan *p, const graphagile_plan_edge_list *e) {
  ir_type type = ir_type_of(ir_result(e->op));
  const graphagile_plan_permutation *from = graphagile_plan_permutation_of(p, type.set),
                                    *to = graphagile_plan_permutation_of(p, type.detail);
  program_edge_list list = *e->list;
  list.src_place = from ? from->place : NULL;
  list.dst_place = to ? to->place : NULL;
  return list;
}

/* Records are written to their final place; graphagile_pack_edges packs those of lists
 * with shorter edges later. */
bool graphagile_plan_partition(graphagile_plan *p) {
  uint64_t at = 0;
  if (!p->options->no_data && !reserve_records(p)) return false;
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    uint64_t bytes = record_bytes(e), end = (uint64_t)number_round_up((int64_t)(at + bytes), GRAPHAGILE_PLAN_ALIGN);
    int what = p->options->no_data
                   ? 0
                   : GRAPHAGILE_PARTITION_RECORDS | (e->wants_positions ? GRAPHAGILE_PARTITION_POSITIONS : 0);
    if (what && e->record_bytes == GRAPHAGILE_RECORD_BYTES) what |= GRAPHAGILE_PARTITION_INTO;
    if (!p->options->skip_empty) what |= GRAPHAGILE_PARTITION_EMPTY;
    if (p->records) memset(p->records + at + bytes, 0, end - at - bytes);
    if (p->records) e->partition.records = p->records + at;
    program_edge_list list = placed_list(p, e);
    if (!graphagile_plan_check(
            p, graphagile_partition_build(&list, e->shape->shape, what, p->options->threads, &e->partition)))
      return false;
    thread_pool *pool = p->options->threads > 1 ? e->list->pool : NULL;
    if (p->options->order_records &&
        !graphagile_plan_check(p, graphagile_partition_order(&e->partition, p->device->width, pool)))
      return false;
    at = end;
  }
  return graphagile_plan_order_pieces(p);
}

void graphagile_plan_free_partitions(graphagile_plan *p) {
  for (size_t i = 0; i < p->edges.count; i++) {
    graphagile_plan_edge_list *e = p->edges.items[i];
    graphagile_plan_free_pieces(e);
    if (e->record_bytes == GRAPHAGILE_RECORD_BYTES) e->partition.records = NULL;
    graphagile_partition_free(&e->partition);
  }
}
