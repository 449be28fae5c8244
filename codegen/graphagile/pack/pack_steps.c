/* Makes the steps of a program from its layers. Consecutive layers of the device become one run.
 * Rows move to the host before the first host step that reads them, and stay there; the result of a
 * host step moves to the device at once, if a layer of the device reads it. */
#include "codegen/graphagile/pack/pack_steps.h"

#include "codegen/graphagile/read/read_host.h"

/* The permutation from records to edges; NO_ORDER where the partition has no positions. */
static int64_t edge_order(const graphagile_plan *p, program_rows *rows, const graphagile_plan_edge_list *e,
                          const int32_t *edge) {
  const int32_t *position = e->partition.position;
  if (!position) return PROGRAM_MANIFEST_NO_ORDER;
  int32_t *order = arena_alloc_array(p->arena, (size_t)e->list->edges, sizeof *order);
  for (int64_t i = 0; i < e->list->edges; i++) order[position[i]] = edge ? edge[i] : (int32_t)i;
  return program_rows_add(rows, order, e->list->edges);
}

program_manifest_place graphagile_pack_place(const graphagile_plan *p, program_rows *rows,
                                             const graphagile_plan_tensor *t, const int32_t *edge) {
  program_manifest_place place = {.set = t->set,
                                  .rows = t->rows,
                                  .width = t->width,
                                  .is_on_device = true,
                                  .address = t->address,
                                  .stride = t->is_compact ? -1 : t->stride,
                                  .memory_rows = -1,
                                  .order = PROGRAM_MANIFEST_NO_ORDER};
  place.layout = graphagile_plan_layout(t);
  if (!t->edges) return place;
  place.is_values = true;
  place.heads = t->width;
  place.array_bytes = t->array_bytes;
  place.order = edge_order(p, rows, t->edges, edge);
  return place;
}

typedef struct walk {
  graphagile_plan *plan;
  program_rows *rows;
  step_writer *steps;
  uint64_t first; /* record (instruction) with which the next run begins */
} walk;

static void end_run(walk *w, uint64_t address) {
  uint64_t record = (address - w->plan->sections[IMAGE_TEXT]) / GRAPHAGILE_INSN_BYTES;
  if (record > w->first) step_writer_run(w->steps, w->first, record);
  w->first = record;
}

static void move(walk *w, MlirValue value, const graphagile_plan_tensor *t, bool to_device) {
  program_manifest_place place = graphagile_pack_place(w->plan, w->rows, t, NULL);
  const graphagile_plan_permutation *permutation = graphagile_plan_permutation_of(w->plan, t->edges ? NULL : t->set);
  if (permutation) place.order = program_rows_add_once(w->rows, permutation->row, t->rows);
  if (!place.layout) place.layout = t->edges ? "values" : "fibers";
  text json = {0};
  program_manifest_write_place(&place, &json);
  step_writer_move(w->steps, value, text_str(&json), to_device);
  text_free(&json);
}

static void add_step(walk *w, const graphagile_plan_layer *l) {
  end_run(w, l->text);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(l->op); i++) {
    MlirValue value = mlirOperationGetOperand(l->op, i);
    if (!graphagile_read_is_made(value) || step_writer_find(w->steps, value) >= 0) continue;
    move(w, value, graphagile_plan_find_tensor(w->plan, value), false);
  }
  step_writer_add(w->steps, l->op);
  if (l->result) move(w, ir_result(l->op), l->result, true);
}

void graphagile_pack_steps(graphagile_plan *p, program_rows *rows, step_writer *steps) {
  walk w = {.plan = p, .rows = rows, .steps = steps};
  for (size_t i = 0; i < p->layers.count; i++)
    if (p->layers.items[i].kind == GRAPHAGILE_PLAN_host) add_step(&w, &p->layers.items[i]);
  /* the last run ends before HALT */
  end_run(&w, p->sections[IMAGE_TEXT] + p->sizes[IMAGE_TEXT] - GRAPHAGILE_INSN_BYTES);
}
