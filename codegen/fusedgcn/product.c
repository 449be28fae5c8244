/* Writes the records of one product S H W.
 *
 * Weights that the PEs have no room for are cut by columns, so that each part reads S and H again;
 * and by rows where one column of tiles is too much, so that each part adds to OUT what the parts
 * before it have written. Bias and activation belong to the last part. */
#include "codegen/fusedgcn/program.h"

#include "isa/fusedgcn/timing.h"
#include "support/number.h"

/* Columns and rows of weights in a part. */
typedef struct cut {
  int64_t k, n;
} cut;

static cut cut_of(const fusedgcn_device *d, int64_t k, int64_t n) {
  int64_t kt = (int64_t)fusedgcn_kt(d, (uint64_t)k);
  cut c = {k, n};
  if (kt > d->mem) {
    c.k = (int64_t)d->mem * d->rows;
    c.n = d->columns;
  } else if (kt * (int64_t)fusedgcn_rt(d, (uint64_t)n) > d->mem) {
    c.n = d->mem / kt * d->columns;
  }
  return c;
}

uint64_t fusedgcn_product_cycles(const fusedgcn_device *d, int64_t count, int64_t k, int64_t n) {
  cut c = cut_of(d, k, n);
  uint64_t cycles = 0;
  for (int64_t n0 = 0; n0 < n; n0 += c.n)
    for (int64_t k0 = 0; k0 < k; k0 += c.k)
      cycles += fusedgcn_run_cycles(d, (uint64_t)count, fusedgcn_kt(d, (uint64_t)number_min(c.k, k - k0)),
                                    fusedgcn_rt(d, (uint64_t)number_min(c.n, n - n0)));
  return cycles;
}

uint64_t fusedgcn_slices_cycles(const fusedgcn_device *d, int64_t count, int64_t n) {
  return (uint64_t)number_ceil_div(n, fusedgcn_slice(d)) * fusedgcn_run_cycles(d, (uint64_t)count, 1, 1);
}

/* A part of the weights; is_first and is_last of its columns. */
typedef struct part {
  int64_t k0, kn, n0, nn;
  bool is_first, is_last;
} part;

static void add_layer(fusedgcn_program *p, const fusedgcn_product *x, const part *t) {
  const fusedgcn_device *d = fusedgcn_device_of(p);
  fusedgcn_insn in = {.op = FUSEDGCN_OP_layer};
  in.layer = (fusedgcn_layer){.act = t->is_last && x->has_relu ? FUSEDGCN_ACT_relu : FUSEDGCN_ACT_none,
                              .order = FUSEDGCN_ORDER_jkr,
                              .bias = t->is_last && x->w->has_bias,
                              .acc_in = x->has_start || !t->is_first,
                              .layer = (uint64_t)x->layer,
                              .n = (uint64_t)x->s->m.rows,
                              .nnz = (uint64_t)x->s->m.count,
                              .i = (uint64_t)t->kn,
                              .o = (uint64_t)t->nn,
                              .kt = fusedgcn_kt(d, (uint64_t)t->kn),
                              .rt = fusedgcn_rt(d, (uint64_t)t->nn),
                              .h_rows = (uint64_t)x->h_rows,
                              .h_stride = (uint64_t)x->h_stride,
                              .out_stride = (uint64_t)x->out_stride,
                              .s_pos = sections_tagged(IMAGE_EDGES, x->s->pos_at),
                              .s_col = sections_tagged(IMAGE_EDGES, x->s->col_at),
                              .s_val = x->s_val,
                              .h = x->h + (uint64_t)t->k0 * FUSEDGCN_WORD,
                              .out = x->out + (uint64_t)t->n0 * FUSEDGCN_WORD};
  VEC_PUSH(p->arena, &p->code, in);
}

static void add_run(fusedgcn_program *p, const fusedgcn_product *x, const fusedgcn_stream *s, int64_t lo, int64_t hi) {
  fusedgcn_insn in = {.op = FUSEDGCN_OP_run};
  in.run.layer = (uint64_t)x->layer;
  in.run.lo = (uint64_t)lo;
  in.run.hi = (uint64_t)hi;
  in.run.first = (uint64_t)s->first;
  VEC_PUSH(p->arena, &p->code, in);
}

static status emit_part(fusedgcn_program *p, const fusedgcn_product *x, const part *t) {
  const fusedgcn_weights *w = x->w;
  const int64_t extent[] = {t->k0, t->kn, t->n0, t->nn};
  add_layer(p, x, t);
  for (int64_t type = 0; type < w->types.count; type++) {
    int64_t lo = w->types.offsets ? w->types.offsets[type] : 0;
    int64_t hi = w->types.offsets ? w->types.offsets[type + 1] : x->s->m.rows;
    fusedgcn_stream *s;
    if (lo == hi) continue;
    RETURN_IF_ERROR(fusedgcn_stream_get(p, w, type, extent, t->is_last && w->has_bias, &s));
    fusedgcn_stream_load(p, s, x->layer);
    add_run(p, x, s, lo, hi);
  }
  return STATUS_OK;
}

/* Slices of columns, with an identity as weights. */
static status emit_slices(fusedgcn_program *p, const fusedgcn_product *x) {
  int64_t slice = fusedgcn_slice(fusedgcn_device_of(p));
  for (int64_t n0 = 0; n0 < x->w->n; n0 += slice) {
    int64_t nn = number_min(slice, x->w->n - n0);
    part t = {n0, nn, n0, nn, true, true};
    RETURN_IF_ERROR(emit_part(p, x, &t));
  }
  return STATUS_OK;
}

status fusedgcn_product_emit(fusedgcn_program *p, const fusedgcn_product *x) {
  int64_t k = x->w->k, n = x->w->n;
  if (!x->s->m.rows) return STATUS_OK;
  if (!x->w->key) return emit_slices(p, x);
  cut c = cut_of(fusedgcn_device_of(p), k, n);
  for (int64_t n0 = 0; n0 < n; n0 += c.n)
    for (int64_t k0 = 0; k0 < k; k0 += c.k) {
      part t = {k0, number_min(c.k, k - k0), n0, number_min(c.n, n - n0), k0 == 0, k0 + c.k >= k};
      RETURN_IF_ERROR(emit_part(p, x, &t));
    }
  return STATUS_OK;
}
