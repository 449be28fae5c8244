/* gnn-spmm: C_out = alpha A B + beta C_in for a sparse matrix A on a simulated Sextans, as the
 * published host program runs it on the card.
 *
 *   gnn-spmm nasa4704.mtx 16 --check */
#include "tools/gnn-spmm/gnn_spmm.h"

#include "data/formats/token.h"
#include "support/number.h"
#include "support/program.h"
#include "support/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Reads N, the operand, and rounds it up as the published host program does. */
static status read_columns(const char *given, spmm_problem *p) {
  if (!token_parse_i64((token){given, strlen(given)}, &p->n_given) || p->n_given < 1 || p->n_given > SPMM_MOST_COLUMNS)
    return status_error(STATUS_CODE_mismatch, "N is '%s', expected a whole number from 1 to %d", given,
                        SPMM_MOST_COLUMNS);
  p->n = number_round_up(p->n_given, SEXTANS_TILE);
  return STATUS_OK;
}

/* The rows of a matrix with several launches on a device whose PEs hold all of them. */
static status measure_whole(arena *a, const spmm_options *o, thread_pool *pool, spmm_result *r) {
  const int64_t most = INT64_C(1) << SEXTANS_ROW_BITS;
  device deep = o->device;
  if (r->program->num_launches < 2 || r->problem->a.rows > most * SEXTANS_PES) return STATUS_OK;
  deep.sextans.depth = (int32_t)most;
  spmm_options how = *o;
  how.is_timing_only = true;
  how.repeat = 1;
  spmm_program program;
  spmm_result whole = {.options = &how, .problem = r->problem, .program = &program};
  RETURN_IF_ERROR(spmm_program_make(a, r->problem, &deep, o, pool, &program));
  status s = spmm_run(&how, &whole);
  r->has_whole = !s;
  r->whole_cycles = whole.cycles;
  r->whole_depth = most;
  sim_destroy(whole.sim);
  return s;
}

/* Runs the product and uses the results; the report is printed last, so that a failure prints none
 * of it. */
static status measure(arena *a, const spmm_options *o, thread_pool *pool, spmm_result *r) {
  RETURN_IF_ERROR(spmm_run(o, r));
  spmm_fold_count(r);
  if (!o->is_timing_only) {
    const float *c;
    RETURN_IF_ERROR(spmm_fold_rows(a, r, &c));
    if (o->has_check) RETURN_IF_ERROR(spmm_check_rows(a, c, r));
  }
  RETURN_IF_ERROR(measure_whole(a, o, pool, r));
  progress_step("measure the same product in C", NULL, 0);
  if (o->has_no_cpu)
    r->cpu.skipped = "--no-cpu";
  else
    spmm_cpu_measure(a, r->problem, o->threads, &r->cpu);
  return STATUS_OK;
}

static status report(const spmm_options *o, const spmm_result *r) {
  text lines = {0}, json = {0}, shown = {0};
  status s = spmm_report_lines(r, &lines);
  if (!s && o->has_json) s = spmm_report_json(r, &json);
  progress_step("", NULL, 0);
  if (!s) {
    text_append_printable_lines(&shown, text_str(&lines));
    fputs(text_str(&shown), o->has_json ? stderr : stdout);
    fputs(text_str(&json), stdout);
  }
  text_free(&lines);
  text_free(&json);
  text_free(&shown);
  return s;
}

static status run(arena *a, const spmm_options *o, thread_pool *pool, bool *differs) {
  spmm_problem problem = {.alpha = o->alpha, .beta = o->beta, .is_mixed = o->is_mixed};
  spmm_program program;
  spmm_result result = {.options = o, .problem = &problem, .program = &program};
  RETURN_IF_ERROR(read_columns(o->columns, &problem));
  RETURN_IF_ERROR(sparse_matrix_read(a, o->matrix, o->from, pool, &problem.a));
  progress_step("cut, assign, schedule and pack", NULL, 0);
  RETURN_IF_ERROR(status_context(spmm_program_make(a, &problem, &o->device, o, pool, &program), "%s", o->matrix));
  status s = measure(a, o, pool, &result);
  if (!s && o->output) s = image_write(&program.image, o->output);
  if (!s) s = report(o, &result);
  sim_destroy(result.sim);
  *differs = result.check.is_done && !result.check.is_equal;
  return s;
}

int main(int argc, char **argv) {
  program_begin("gnn-spmm");
  spmm_options o = {0};
  int exit_code = spmm_options_parse(argc, argv, &o);
  if (exit_code >= 0) return program_end(exit_code);
  arena *a = arena_create();
  thread_pool *pool = thread_pool_create((int)o.threads);
  bool differs = false;
  status s = pool ? run(a, &o, pool, &differs)
                  : status_error(STATUS_CODE_memory, "no memory for %" PRId64 " threads", o.threads);
  progress_end();
  if (s) program_error("%s", status_message(s));
  exit_code = s || differs ? SPMM_EXIT_failed : SPMM_EXIT_done;
  status_free(s);
  thread_pool_destroy(pool);
  arena_destroy(a);
  return program_end(exit_code);
}
