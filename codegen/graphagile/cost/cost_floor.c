/* The bound of cost.h: what the arithmetic units and the memory cannot do faster, whatever the program. */
#include "codegen/graphagile/cost/cost.h"

#include <math.h>

typedef struct floor_state {
  const graphagile_plan *plan;
  graphagile_cost_machine machine;
  double on_chip; /* bytes of all Feature Buffers */
} floor_state;

static double bytes_of(const floor_state *f, const graphagile_plan_tensor *t) {
  if (!t) return 0;
  double bytes = (double)t->rows * (double)t->width * 4;
  bool is_hidden = t->place == GRAPHAGILE_PLAN_HIDDEN && !t->is_output;
  return is_hidden && bytes <= f->on_chip ? 0 : bytes;
}

/* How often the sources of an Aggregate must be read where no read serves two PEs. */
static double passes_of(const floor_state *f, const graphagile_plan_layer *l) {
  const program_edge_list *list = l->edges->list;
  double shards = ceil((double)list->to_rows / f->machine.device->feature_rows);
  double degree = list->from_rows ? (double)list->edges / (double)list->from_rows : 0;
  return f->machine.shares ? 1 : fmax(1, fmin(shards, degree));
}

static double edge_layer(const floor_state *f, const graphagile_plan_layer *l, double *bytes) {
  const program_edge_list *list = l->edges->list;
  const graphagile_plan_tensor *rows = l->in ? l->in : l->other ? l->other : l->result;
  double heads = l->values ? (double)l->values->width : 0, passes = passes_of(f, l);
  double reads = l->in ? (double)l->in->rows * (double)l->in->width * 4 * passes : 0;
  if (passes <= 1) reads = bytes_of(f, l->in);
  *bytes = reads + (double)list->edges * ((double)l->edges->record_bytes + 4 * heads);
  if (l->kind == GRAPHAGILE_PLAN_SDDMM)
    *bytes += bytes_of(f, l->other) + (double)list->edges * 4 * (double)l->result->width;
  else
    *bytes += bytes_of(f, l->result) + bytes_of(f, l->addend);
  double edges = (double)list->edges;
  if (l->before) {
    const graphagile_plan_edge_list *first = l->before->edges;
    *bytes += bytes_of(f, l->before->in) + (double)first->list->edges * (double)first->record_bytes;
    edges += (double)first->list->edges;
  }
  return edges * (double)rows->fibers / (f->machine.width / 2);
}

static double layer_floor(const floor_state *f, const graphagile_plan_layer *l) {
  const graphagile_cost_machine *m = &f->machine;
  double bytes = 0, cycles = 0;
  switch (l->kind) {
  case GRAPHAGILE_PLAN_SPDMM:
  case GRAPHAGILE_PLAN_SDDMM: cycles = edge_layer(f, l, &bytes); break;
  case GRAPHAGILE_PLAN_GEMM:
    cycles = ceil((double)l->in->rows / m->width) * (double)l->matrix.depth * (double)l->result->fibers;
    bytes = bytes_of(f, l->in) + bytes_of(f, l->addend) + bytes_of(f, l->result) +
            (double)(l->matrix.depth * l->matrix.width * l->matrix.types) * 4;
    break;
  case GRAPHAGILE_PLAN_VADD:
    cycles = (double)(l->result->rows * l->result->fibers) / (m->width / 2);
    bytes = bytes_of(f, l->in) + bytes_of(f, l->other) + bytes_of(f, l->condition) + bytes_of(f, l->result);
    break;
  case GRAPHAGILE_PLAN_MAP: bytes = bytes_of(f, l->in) + bytes_of(f, l->result); break;
  case GRAPHAGILE_PLAN_VALUES: bytes = (double)(l->result->rows * l->result->width) * (l->other ? 12 : 8); break;
  }
  double traffic = bytes / m->rate;
  if (m->reload > 0) {
    bool reloads = l->kind == GRAPHAGILE_PLAN_SPDMM && l->in && l->in->place == GRAPHAGILE_PLAN_HIDDEN &&
                   (double)l->in->rows * (double)l->in->width * 4 > m->reload_free;
    traffic = reloads ? (double)l->in->rows * (double)l->in->width * 4 * passes_of(f, l) / (m->reload * m->pes) : 0;
  }
  return fmax(cycles / m->pes, traffic);
}

double graphagile_cost_floor(const graphagile_plan *p) {
  floor_state f = {.plan = p, .machine = graphagile_cost_machine_of(p->options)};
  const graphagile_device *d = p->device;
  double sum = 0;
  f.on_chip = 3.0 * d->num_pes * d->feature_rows * d->width * 4;
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    l->floor = layer_floor(&f, l);
    sum += l->floor;
  }
  return sum;
}
