/* The results of gnn-spmm as lines: sizes, time and GFLOP/s as the published host program prints
 * them, then what the launches consist of. */
#include "tools/gnn-spmm/gnn_spmm.h"

#include "sim/common/report.h"

#include <inttypes.h>

spmm_totals spmm_count_totals(const spmm_result *r) {
  const sparse_matrix *a = &r->problem->a;
  const double n = (double)r->problem->n, seconds = r->ms * 1e-3;
  const device_common *d = &r->program->image.device.common;
  spmm_totals t = {0};
  for (int64_t i = 0; i < r->program->num_launches; i++) {
    const sextans_lists *l = r->program->launches[i].lists;
    t.slots += l->slots;
    t.ideal += l->ideal;
    t.extra_rows += l->extra_rows;
    if (l->piece > t.piece) t.piece = l->piece;
  }
  const double flops = 2 * n * (double)(a->count + a->rows);
  const double bytes = 4 * ((double)a->count + n * (2 * (double)a->rows + (double)a->columns));
  if (seconds > 0) t.gflops = 1e-9 * flops / seconds;
  if (seconds > 0) t.bandwidth = bytes / seconds / (1e9 * d->ddr_gb_s);
  if (!r->cpu.skipped && r->cpu.ms > 0) t.cpu_gflops = 1e-6 * flops / r->cpu.ms;
  t.launch_ms = (double)r->program->num_launches * d->launch_us * 1e-3;
  return t;
}

static void print_problem(const spmm_result *r, text *out) {
  const spmm_problem *p = r->problem;
  text_printf(out, "matrix: %s\n", r->options->matrix);
  text_printf(out, "A: sparse matrix, %" PRId64 " x %" PRId64 ", NNZ = %" PRId64, p->a.rows, p->a.columns, p->a.count);
  if (p->a.num_zeros)
    text_printf(out, " (%" PRId64 " zero%s left out)", p->a.num_zeros, p->a.num_zeros == 1 ? "" : "s");
  text_printf(out, "\nB: dense matrix, %" PRId64 " x %" PRId64 "\n", p->a.columns, p->n);
  text_printf(out, "C: dense matrix, %" PRId64 " x %" PRId64 "\n", p->a.rows, p->n);
  text_printf(out, "N = %" PRId64, p->n);
  if (p->n != p->n_given) text_printf(out, " (%" PRId64 ", rounded up to a multiple of 8)", p->n_given);
  text_printf(out, ", alpha = %g, beta = %g\n", (double)p->alpha, (double)p->beta);
}

static void print_time(const spmm_result *r, const spmm_totals *t, text *out) {
  const device_common *d = &r->program->image.device.common;
  double rate = r->program->seconds > 0 ? (double)r->problem->a.count * 1e-6 / r->program->seconds : 0;
  text_printf(out, "device: %s, level %d%s\n", d->name, (int)r->options->level,
              r->options->is_timing_only ? " (timing only)" : "");
  text_printf(out, "prepare: %.3f ms, %.3g million non-zeros per second (cut, assign, schedule, pack)\n",
              r->program->seconds * 1e3, rate);
  text_printf(out, "kernel time: %.6g ms", r->ms);
  if (r->options->repeat > 1) text_printf(out, " (mean of %" PRId64 " runs)", r->options->repeat);
  text_printf(out, "\ncycles: %.17g\n", r->cycles);
  text_printf(out, "GFLOP/s: %.6g\n", t->gflops);
  text_printf(out, "bandwidth: %.2f %% of %.6g GB/s\n", 100 * t->bandwidth, d->ddr_gb_s);
}

static void print_launches(const spmm_result *r, const spmm_totals *t, text *out) {
  const int64_t count = r->program->num_launches;
  text_printf(out, "launches: %" PRId64 ", one for each block of rows", count);
  if (t->launch_ms > 0) text_printf(out, "; %.6g ms beside the kernel time", t->launch_ms);
  text_append(out, "\n");
  if (r->has_whole)
    text_printf(out, "blocks of rows: %.17g cycles more than one launch with %" PRId64 " rows per PE (%.1f %%)\n",
                r->cycles - r->whole_cycles, r->whole_depth,
                r->whole_cycles > 0 ? 100 * (r->cycles / r->whole_cycles - 1) : 0);
  else if (count > 1)
    text_append(out, "blocks of rows: no device holds all rows, so that their cost is not known\n");
  text_printf(out, "slots: %" PRId64 ", ideal %" PRId64, t->slots, t->ideal);
  if (t->ideal) text_printf(out, " (%.3f)", (double)t->slots / (double)t->ideal);
  text_printf(out, "\nschedule: %s, %" PRId64 " virtual row%s",
              r->options->rule == SEXTANS_RULE_published ? "published" : "best", t->extra_rows,
              t->extra_rows == 1 ? "" : "s");
  if (t->piece)
    text_printf(out, ", at most %" PRId64 " non-zeros of a row in a window (tau)\n", t->piece);
  else
    text_append(out, ", rows are not cut\n");
  text_printf(out, "fold: %" PRId64 " row%s of %" PRId64 " pieces, %" PRId64 " additions, nominally %.6g ms\n",
              r->fold.rows, r->fold.rows == 1 ? "" : "s", r->fold.pieces, r->fold.additions, r->fold.nominal_ms);
}

static void print_cpu(const spmm_result *r, const spmm_totals *t, text *out) {
  const spmm_cpu *c = &r->cpu;
  if (c->skipped)
    text_printf(out, "CPU: not measured (%s)\n", c->skipped);
  else
    text_printf(out, "CPU: %.6g ms (median of %" PRId64 "), %" PRId64 " thread%s, %.6g GFLOP/s\n", c->ms, c->runs,
                c->threads, c->threads == 1 ? "" : "s", t->cpu_gflops);
}

static void print_check(const spmm_check *c, text *out) {
  if (!c->is_done) return;
  text_printf(
      out,
      "check: largest error %.3g of the largest sum of magnitudes, allowed %g: %s; %.3g of the largest number of C\n",
      c->largest, SPMM_CHECK_ALLOWED, c->is_equal ? "equal" : "differs", c->of_results);
  if (!c->is_equal)
    text_printf(out, "check: C[%" PRId64 "][%" PRId64 "] is %.9g, expected %.9g\n", c->row, c->column, c->found,
                c->expected);
}

status spmm_report_lines(const spmm_result *r, text *out) {
  const spmm_totals t = spmm_count_totals(r);
  print_problem(r, out);
  print_time(r, &t, out);
  print_launches(r, &t, out);
  print_cpu(r, &t, out);
  print_check(&r->check, out);
  if (!r->options->has_stats || r->options->has_json) return STATUS_OK;
  text_append(out, "\n");
  report_print(out, sim_statistics(r->sim), NULL, &r->program->image, sim_device(r->sim));
  return STATUS_OK;
}
