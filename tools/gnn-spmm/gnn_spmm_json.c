/* The results of gnn-spmm as one JSON object; "simulation" has the statistics of the simulator. */
#include "tools/gnn-spmm/gnn_spmm.h"

#include "sim/common/report.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static void put_integer(json_t *to, const char *key, int64_t number) {
  json_object_set_new(to, key, json_integer(number));
}

/* JSON has no infinity and no NaN: they become null. */
static void put_real(json_t *to, const char *key, double number) {
  json_object_set_new(to, key, isfinite(number) ? json_real(number) : json_null());
}

/* Cycles are whole numbers; the mean of runs whose cycles differ is not. */
static void put_cycles(json_t *to, const char *key, double cycles) {
  if (cycles == floor(cycles) && cycles < 0x1p62)
    put_integer(to, key, (int64_t)cycles);
  else
    put_real(to, key, cycles);
}

static json_t *problem_json(const spmm_problem *p) {
  json_t *made = json_object();
  put_integer(made, "rows", p->a.rows);
  put_integer(made, "columns", p->a.columns);
  put_integer(made, "nnz", p->a.count);
  put_integer(made, "zeros", p->a.num_zeros);
  return made;
}

static json_t *launches_json(const spmm_program *p) {
  json_t *made = json_array();
  for (int64_t i = 0; i < p->num_launches; i++) {
    const sextans_lists *l = p->launches[i].lists;
    json_t *one = json_object();
    put_integer(one, "rows", l->rows);
    put_integer(one, "columns", l->cols);
    put_integer(one, "windows", l->windows);
    put_integer(one, "nnz", l->count);
    put_integer(one, "slots", l->slots);
    put_integer(one, "ideal", l->ideal);
    put_integer(one, "virtual_rows", l->extra_rows);
    put_integer(one, "tau", l->piece);
    json_array_append_new(made, one);
  }
  return made;
}

static json_t *fold_json(const spmm_fold *f) {
  json_t *made = json_object();
  put_integer(made, "rows", f->rows);
  put_integer(made, "pieces", f->pieces);
  put_integer(made, "additions", f->additions);
  put_integer(made, "bytes", f->bytes);
  put_real(made, "nominal_ms", f->nominal_ms);
  put_real(made, "ms", f->ms);
  return made;
}

static json_t *cpu_json(const spmm_result *r, const spmm_totals *t) {
  json_t *made = json_object();
  if (r->cpu.skipped) {
    json_object_set_new(made, "skipped", json_string(r->cpu.skipped));
    return made;
  }
  put_real(made, "ms", r->cpu.ms);
  put_integer(made, "runs", r->cpu.runs);
  put_integer(made, "threads", r->cpu.threads);
  put_real(made, "gflops", t->cpu_gflops);
  return made;
}

static json_t *check_json(const spmm_check *c) {
  if (!c->is_done) return json_null();
  json_t *made = json_object();
  put_real(made, "largest_error", c->largest);
  put_real(made, "largest_error_of_results", c->of_results);
  put_real(made, "allowed", SPMM_CHECK_ALLOWED);
  json_object_set_new(made, "equal", json_boolean(c->is_equal));
  return made;
}

/* The version and the options that decide about the results; the parameters of the device are in
 * the statistics of the simulator. */
static void describe(const spmm_options *o, text *out) {
  text_printf(out, "%s --level=%d --dense=%s --alpha=%.9g --beta=%.9g", o->made_by, (int)o->level,
              o->is_mixed ? "mixed" : "published", (double)o->alpha, (double)o->beta);
  if (o->repeat > 1) text_printf(out, " --repeat=%lld", (long long)o->repeat);
  if (o->is_timing_only) text_append(out, " --timing-only");
}

static json_t *result_json(const spmm_result *r, const spmm_totals *t, json_t *simulation) {
  const spmm_options *o = r->options;
  json_t *made = json_object();
  json_object_set_new(made, "matrix", problem_json(r->problem));
  put_integer(made, "n", r->problem->n);
  put_integer(made, "n_given", r->problem->n_given);
  put_real(made, "alpha", (double)o->alpha);
  put_real(made, "beta", (double)o->beta);
  put_integer(made, "repeat", o->repeat);
  json_object_set_new(made, "schedule", json_string(o->rule == SEXTANS_RULE_published ? "published" : "best"));
  put_integer(made, "level", o->level);
  put_real(made, "prepare_ms", r->program->seconds * 1e3);
  put_cycles(made, "cycles", r->cycles);
  put_real(made, "ms", r->ms);
  put_real(made, "gflops", t->gflops);
  put_real(made, "bandwidth", t->bandwidth);
  put_real(made, "launch_ms", t->launch_ms);
  if (r->has_whole) put_cycles(made, "whole_cycles", r->whole_cycles);
  put_integer(made, "slots", t->slots);
  put_integer(made, "ideal", t->ideal);
  put_integer(made, "virtual_rows", t->extra_rows);
  put_integer(made, "tau", t->piece);
  json_object_set_new(made, "launches", launches_json(r->program));
  json_object_set_new(made, "fold", fold_json(&r->fold));
  json_object_set_new(made, "cpu", cpu_json(r, t));
  json_object_set_new(made, "check", check_json(&r->check));
  json_object_set_new(made, "simulation", simulation);
  return made;
}

status spmm_report_json(const spmm_result *r, text *out) {
  const spmm_totals t = spmm_count_totals(r);
  text made_by = {0};
  describe(r->options, &made_by);
  const sim_origin origin = {.made_by = text_str(&made_by), .program = r->program->image.compiler};
  char *printed = NULL;
  status s = report_json(sim_statistics(r->sim), NULL, &r->program->image, sim_device(r->sim), &origin, &printed);
  if (!s) {
    json_t *made = result_json(r, &t, json_loads(printed, 0, NULL));
    json_object_set_new(made, "made_by", json_string(origin.made_by));
    char *dump = json_dumps(made, JSON_INDENT(2) | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
    json_decref(made);
    if (dump) text_printf(out, "%s\n", dump);
    if (!dump) s = status_error(STATUS_CODE_memory, "no memory for the statistics");
    free(dump);
  }
  free(printed);
  text_free(&made_by);
  return s;
}
