/* A lower bound of cycles that no program can beat, from the arithmetic units and the memory
 * alone: a bound for each layer, and their sum. */
#include "codegen/graphagile/cost/cost_floor.h"

#include "codegen/graphagile/cost/cost_blocks.h"
#include "codegen/graphagile/cost/cost_machine.h"
#include "codegen/graphagile/plan/plan_links.h"
#include "isa/graphagile/timing.h"

#include <math.h>

typedef struct floor_state {
  graphagile_cost_machine machine;
  double on_chip; /* bytes of all Feature Buffers */
} floor_state;

/* The least work and the least traffic of a layer, of all PEs together. */
typedef struct floor_work {
  double cycles, bytes;
} floor_work;

/* size_of: bytes of all rows of a tensor. bytes_of: the bytes that must cross DDR, which is 0
 * for a hidden tensor that fits on chip. */
static double size_of(const graphagile_plan_tensor *t) {
  return graphagile_cost_bytes(t, (double)t->rows, 1, (double)t->width);
}

static double bytes_of(const floor_state *f, const graphagile_plan_tensor *t) {
  if (!t) return 0;
  bool is_hidden = t->place == GRAPHAGILE_PLAN_HIDDEN && !t->is_output;
  return is_hidden && (double)t->rows * (double)t->width * 4 <= f->on_chip ? 0 : size_of(t);
}

/* How often the source rows of an edge list must be read, if no transfer serves two PEs. */
static double passes_of(const floor_state *f, const program_edge_list *list) {
  double shards = ceil((double)list->to_rows / f->machine.device->feature_rows);
  double degree = list->from_rows ? (double)list->edges / (double)list->from_rows : 0;
  return f->machine.shares ? 1 : graphagile_cost_max(1, graphagile_cost_min(shards, degree));
}

/* Bytes of sources, edges and values that a layer over an edge list loads. */
static double bytes_over(const floor_state *f, const graphagile_plan_edge_list *edges, const graphagile_plan_tensor *in,
                         const graphagile_plan_tensor *values) {
  double passes = passes_of(f, edges->list), heads = values ? (double)values->width : 0;
  double reads = in ? size_of(in) * passes : 0;
  if (passes <= 1) reads = bytes_of(f, in);
  return reads + (double)edges->list->edges * ((double)edges->record_bytes + 4 * heads);
}

/* Cycles of a product with a full systolic array except for the last rows; the inner dimension needs
 * no padding. The bytes are those of the matrix, the addend and the result. */
static floor_work floor_product(const floor_state *f, const graphagile_plan_layer *l) {
  const graphagile_plan_gemm *g = &l->gemm;
  floor_work w = {.cycles = ceil((double)g->in->rows / f->machine.width) * (double)g->matrix.depth *
                            (double)l->result->fibers};
  w.bytes = bytes_of(f, g->start.addend) + bytes_of(f, l->result) +
            (double)(g->matrix.depth * g->matrix.width * g->matrix.types) * 4;
  return w;
}

static floor_work floor_gemm(const floor_state *f, const graphagile_plan_layer *l) {
  floor_work w = floor_product(f, l);
  w.bytes += bytes_of(f, l->gemm.in);
  return w;
}

static floor_work floor_spdmm(const floor_state *f, const graphagile_plan_layer *l) {
  const graphagile_plan_spdmm *s = &l->spdmm;
  const graphagile_plan_tensor *rows = s->in ? s->in : l->result;
  floor_work w = {.bytes = bytes_over(f, s->edges, s->in, s->values)};
  w.bytes += (s->product ? 0 : bytes_of(f, l->result)) + bytes_of(f, s->start.addend);
  double edges = (double)s->edges->list->edges;
  if (s->before) {
    const graphagile_plan_edge_list *first = s->before->spdmm.edges;
    w.bytes += bytes_of(f, s->before->spdmm.in) + (double)first->list->edges * (double)first->record_bytes;
    edges += (double)first->list->edges;
  }
  w.cycles = graphagile_timing_edges_mean(f->machine.width, edges * (double)rows->fibers);
  if (s->product) {
    floor_work product = floor_product(f, s->product);
    w.cycles += product.cycles;
    w.bytes += product.bytes;
  }
  return w;
}

static floor_work floor_sddmm(const floor_state *f, const graphagile_plan_layer *l) {
  const graphagile_plan_sddmm *s = &l->sddmm;
  double edges = (double)s->edges->list->edges, fibers = (double)graphagile_plan_rows_of(s)->fibers;
  floor_work w = {.bytes = bytes_over(f, s->edges, s->src, s->values)};
  w.bytes += bytes_of(f, s->dst) + edges * 4 * (double)l->result->width;
  w.cycles = graphagile_timing_edges_mean(f->machine.width, edges * fibers);
  return w;
}

static floor_work floor_vadd(const floor_state *f, const graphagile_plan_layer *l) {
  const graphagile_plan_vadd *v = &l->vadd;
  floor_work w = {.cycles = (double)(l->result->rows * l->result->fibers) / (f->machine.width / 2)};
  w.bytes = bytes_of(f, v->a) + bytes_of(f, v->b) + bytes_of(f, v->condition) + bytes_of(f, l->result);
  return w;
}

static floor_work floor_map(const floor_state *f, const graphagile_plan_layer *l) {
  return (floor_work){.bytes = bytes_of(f, l->map.in) + bytes_of(f, l->result)};
}

/* Values are never kept on chip: each operand is read once and the result written once. */
static floor_work floor_values(const floor_state *f, const graphagile_plan_layer *l) {
  (void)f;
  int arrays = l->values.b ? 3 : 2;
  return (floor_work){.bytes = (double)(l->result->rows * l->result->width) * (arrays * GRAPHAGILE_VALUE_BYTES)};
}

/* A host step takes no time on the device. */
static floor_work floor_host(const floor_state *f, const graphagile_plan_layer *l) {
  (void)f;
  (void)l;
  return (floor_work){0};
}

/* Cycles of the traffic in the paper's accounting: all PEs reload large hidden rows that an
 * Aggregate sums up. */
static double reload_cycles(const floor_state *f, const graphagile_plan_layer *l) {
  const graphagile_cost_machine *m = &f->machine;
  const graphagile_plan_tensor *in = l->kind == GRAPHAGILE_PLAN_spdmm ? l->spdmm.in : NULL;
  if (!in || in->place != GRAPHAGILE_PLAN_HIDDEN || size_of(in) <= m->reload_free) return 0;
  return size_of(in) * passes_of(f, l->spdmm.edges->list) / (m->reload * m->pes);
}

static double layer_floor(const floor_state *f, const graphagile_plan_layer *l) {
  static floor_work (*const floors[])(const floor_state *f, const graphagile_plan_layer *l) = {
#define KIND(name, type) floor_##name,
#include "codegen/graphagile/plan/plan_kinds.def"
  };
  const graphagile_cost_machine *m = &f->machine;
  floor_work w = floors[l->kind](f, l);
  return graphagile_cost_max(w.cycles / m->pes, m->reload > 0 ? reload_cycles(f, l) : w.bytes / m->rate);
}

double graphagile_cost_floor(const graphagile_plan *p) {
  floor_state f = {.machine = graphagile_cost_machine_of(p->options)};
  const graphagile_device *d = p->device;
  enum { FEATURE_BUFFERS = GRAPHAGILE_F2 - GRAPHAGILE_F0 + 1 };
  double sum = 0;
  f.on_chip = (double)FEATURE_BUFFERS * d->num_pes * d->feature_rows * d->width * 4;
  for (size_t i = 0; i < p->layers.count; i++) {
    graphagile_plan_layer *l = &p->layers.items[i];
    l->floor = layer_floor(&f, l);
    sum += l->floor;
  }
  return sum;
}
