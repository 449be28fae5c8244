/* The report of --profile: tables, and members of --stats=json. */
#include "tools/gnn-run/gnn_run_profile.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The time of a line of the model in all its kernels. */
typedef struct line_time {
  const char *file, *text;
  int64_t line;
  double seconds;
} line_time;

typedef VEC(line_time) line_times;

/* How often a phase was executed. */
static double times_of(const profile *p, int phase) {
  return phase ? (double)p->runs : 1;
}

static bool is_of(const profile_call *c, int phase) {
  return !strcmp(c->phase, profile_phases[phase]);
}

static double seconds_in_calls(const profile *p, int phase) {
  double sum = 0;
  for (int32_t i = 0; i < p->count; i++)
    if (is_of(&p->calls[i], phase)) sum += p->calls[i].seconds;
  return sum;
}

static double percent_of(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/* Returns billions per second for work that each call does; -1: unknown. */
static double rate_of(const profile_call *c, double work) {
  return work < 0 || c->seconds <= 0 ? -1 : 1e-9 * work * (double)c->calls / c->seconds;
}

static int compare_lines(const void *left, const void *right) {
  const line_time *a = left, *b = right;
  if (a->seconds != b->seconds) return a->seconds < b->seconds ? 1 : -1;
  int order = strcmp(a->file, b->file);
  return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Sums up the calls of a phase by line, the longest time first. */
static line_times sum_lines(const profile *p, int phase) {
  line_times made = {0};
  for (int32_t i = 0; i < p->count; i++) {
    const profile_call *c = &p->calls[i];
    size_t k = 0;
    if (!is_of(c, phase) || !c->file) continue;
    while (k < made.count && (made.items[k].line != c->line || strcmp(made.items[k].file, c->file) != 0)) k++;
    if (k == made.count) VEC_PUSH(p->arena, &made, ((line_time){c->file, c->text, c->line, 0}));
    made.items[k].seconds += c->seconds;
  }
  if (made.count) qsort(made.items, made.count, sizeof *made.items, compare_lines);
  return made;
}

/* ---- tables ---- */

static const char *rate_text(arena *a, double rate) {
  return rate < 0 ? "-" : arena_printf(a, "%.3g", rate);
}

static const char *place_text(arena *a, const char *file, int64_t line, const char *said) {
  if (!file) return "";
  return arena_printf(a, "%s:%lld  %s", file, (long long)line, said ? said : "");
}

static void print_call(const profile *p, const run_options *options, int phase, const profile_call *c) {
  const char *place = c->file ? place_text(p->arena, c->file, c->line, c->text)
                              : arena_printf(p->arena, "of %s", c->value ? c->value : "it");
  run_print(options->report, "%10.4f %6.1f %6.0f %9s %9s  %-24s %s\n", 1e3 * c->seconds / times_of(p, phase),
            percent_of(c->seconds, p->seconds[phase]), (double)c->calls / times_of(p, phase),
            rate_text(p->arena, rate_of(c, c->flops)), rate_text(p->arena, rate_of(c, c->bytes)), c->function, place);
}

static void print_phase(const profile *p, const run_options *options, int phase) {
  FILE *to = options->report;
  double whole = p->seconds[phase];
  fprintf(to, "profile of %s: %.4f ms", profile_phases[phase], 1e3 * whole / times_of(p, phase));
  if (phase && p->runs > 1) fprintf(to, " (mean of %lld)", (long long)p->runs);
  fprintf(to, ", %.1f %% of it in these calls\n", percent_of(seconds_in_calls(p, phase), whole));
  fprintf(to, "%10s %6s %6s %9s %9s  %-24s %s\n", "ms", "%", "calls", "GFLOP/s", "GB/s", "function", "line");
  for (int32_t i = 0; i < p->count; i++)
    if (is_of(&p->calls[i], phase)) print_call(p, options, phase, &p->calls[i]);
}

static void print_lines(const profile *p, const run_options *options, const line_times *lines) {
  fprintf(options->report, "profile of run by line\n%10s %6s  %s\n", "ms", "%", "line");
  for (size_t i = 0; i < lines->count; i++) {
    const line_time *l = &lines->items[i];
    run_print(options->report, "%10.4f %6.1f  %s\n", 1e3 * l->seconds / times_of(p, 1),
              percent_of(l->seconds, p->seconds[1]), place_text(p->arena, l->file, l->line, l->text));
  }
}

/* ---- JSON ---- */

static json_t *number_json(double number) {
  return number < 0 ? json_null() : json_real(number);
}

void profile_put_place(json_t *to, const char *file, int64_t line, const char *said) {
  if (!file) return;
  json_object_set_new(to, "file", json_string(file));
  json_object_set_new(to, "line", json_integer(line));
  if (said) json_object_set_new(to, "text", json_string(said));
}

static json_t *call_json(const profile *p, int phase, const profile_call *c) {
  json_t *made = json_object();
  json_object_set_new(made, "function", json_string(c->function));
  if (c->value) json_object_set_new(made, "value", json_string(c->value));
  profile_put_place(made, c->file, c->line, c->text);
  json_object_set_new(made, "calls", json_real((double)c->calls / times_of(p, phase)));
  json_object_set_new(made, "ms", json_real(1e3 * c->seconds / times_of(p, phase)));
  json_object_set_new(made, "percent", json_real(percent_of(c->seconds, p->seconds[phase])));
  json_object_set_new(made, "flops", number_json(c->flops));
  json_object_set_new(made, "bytes", number_json(c->bytes));
  json_object_set_new(made, "gflop_s", number_json(rate_of(c, c->flops)));
  json_object_set_new(made, "gb_s", number_json(rate_of(c, c->bytes)));
  return made;
}

static json_t *phase_json(const profile *p, int phase) {
  json_t *made = json_object(), *calls = json_array(), *lines = json_array();
  line_times by_line = sum_lines(p, phase);
  json_object_set_new(made, "ms", json_real(1e3 * p->seconds[phase] / times_of(p, phase)));
  for (int32_t i = 0; i < p->count; i++)
    if (is_of(&p->calls[i], phase)) json_array_append_new(calls, call_json(p, phase, &p->calls[i]));
  for (size_t i = 0; i < by_line.count; i++) {
    const line_time *l = &by_line.items[i];
    json_t *line = json_object();
    profile_put_place(line, l->file, l->line, l->text);
    json_object_set_new(line, "ms", json_real(1e3 * l->seconds / times_of(p, phase)));
    json_object_set_new(line, "percent", json_real(percent_of(l->seconds, p->seconds[phase])));
    json_array_append_new(lines, line);
  }
  json_object_set_new(made, "calls", calls);
  json_object_set_new(made, "lines", lines);
  return made;
}

void profile_report(const profile *p, const run_options *options) {
  json_t *json = json_object();
  for (int phase = 0; phase < PROFILE_PHASES; phase++) {
    print_phase(p, options, phase);
    json_object_set_new(json, profile_phases[phase], phase_json(p, phase));
  }
  line_times lines = sum_lines(p, 1);
  print_lines(p, options, &lines);
  run_results_put(options, "profile", json);
}
