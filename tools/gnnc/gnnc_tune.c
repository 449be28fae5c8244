/* --tune: compiles candidates with the host's C compiler and runs them in turn, round after round,
 * so that a disturbance of the machine affects all of them alike. Each time is divided by that of
 * the first candidate in the same round, and the candidate with the smallest median of these ratios
 * wins. Candidates whose outputs differ from those of the first are left out. */
#include "tools/gnnc/gnnc_tune.h"

#include "data/formats/safetensors.h"
#include "data/generate/random.h"
#include "runtime/compile.h"
#include "runtime/gnnc/executor.h"
#include "runtime/gnnc/runtime.h"
#include "support/file.h"
#include "support/number.h"
#include "support/program.h"
#include "support/progress.h"
#include "support/temporary.h"
#include "tools/gnnc/gnnc_tune_candidates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEAST_ROUNDS = 9, MOST_ROUNDS = 101 };
/* Measuring ends after this time, once there are LEAST_ROUNDS rounds. */
static const double budget_seconds = 5;
/* The largest ratio to the time of the first candidate at which another one is kept. */
static const double worthwhile = 0.98;
/* The largest difference between equal outputs, relative to the largest output; sums have different
 * orders. */
static const double tolerance = 1e-3;

typedef struct contestant {
  gnnc_candidate *candidate;
  gnnc_program *program;
  gnnc_session *session; /* NULL = left out */
  double seconds[MOST_ROUNDS];
} contestant;

enum { FILE_source, FILE_header, FILE_weights, FILE_COUNT };

typedef struct contest {
  gnnc_driver *driver;
  const char *folder, *files[FILE_COUNT], *weights;
  contestant *items;
  size_t count;
  size_t rounds;
  gnnc_pool *pool;
  gnnc_context context;
} contest;

/* ---- the folder -------------------------------------------------------------------------------------------------- */

static status open_folder(contest *c) {
  static const char *const names[FILE_COUNT] = {"model.c", "model.h", "weights.safetensors"};
  arena *a = c->driver->arena;
  RETURN_IF_ERROR(compile_make_folder(a, &c->folder));
  for (int i = 0; i < FILE_COUNT; i++) {
    c->files[i] = arena_printf(a, "%s/%s", c->folder, names[i]);
    temporary_add_file(c->files[i]);
  }
  return STATUS_OK;
}

static void remove_folder(const contest *c) {
  if (!c->folder) return;
  for (int i = 0; i < FILE_COUNT; i++) {
    unlink(c->files[i]);
    temporary_forget(c->files[i]);
  }
  compile_remove_folder(c->folder);
}

/* ---- weights ----------------------------------------------------------------------------------------------------- */

static int64_t rows_of(const gnnc_driver *r, const gnnc_tensor_info *t) {
  switch (t->rows) {
  case GNNC_ROWS_ETYPE:
  case GNNC_ROWS_NTYPE: return t->count;
  case GNNC_ROWS_NODE: return r->files.graph->num_nodes;
  case GNNC_ROWS_EDGE: return r->files.graph->num_edges;
  case GNNC_ROWS_PART: {
    int64_t nodes = 0;
    const graph *g = r->files.graph;
    for (int64_t n = 0; g->node_type && n < g->num_nodes; n++) nodes += g->node_type[n] == t->count;
    return nodes;
  }
  default: return 1;
  }
}

/* Adds a weight of small positive numbers, which are valid as variances, too. */
static status add_weight(const gnnc_driver *r, const gnnc_tensor_info *t, tensor_set *set, random_state *numbers) {
  int64_t dims[TENSOR_MAX_RANK] = {rows_of(r, t)};
  int32_t rank = t->rows == GNNC_ROWS_ONE ? 0 : 1;
  for (int32_t d = 0; d < t->rank; d++) dims[rank++] = t->dims[d];
  void *data;
  if (tensor_set_find(set, t->from)) return STATUS_OK;
  RETURN_IF_ERROR(tensor_set_add(set, t->from, DTYPE_F32, rank, dims, &data));
  float *values = data;
  for (int64_t i = 0; i < tensor_set_find(set, t->from)->count; i++)
    values[i] = (float)(0.01 + 0.1 * random_unit(numbers));
  return STATUS_OK;
}

/* Makes weights for a model without a weights file; its time does not depend on their values. */
static status make_weights(contest *c, const gnnc_model_info *info) {
  tensor_set *set = tensor_set_create("synthetic weights");
  random_state numbers = random_create(1, 0);
  status s = STATUS_OK;
  for (int32_t i = 0; !s && i < info->num_weights; i++) s = add_weight(c->driver, &info->weights[i], set, &numbers);
  for (int32_t i = 0; !s && i < info->num_inputs; i++)
    if (!strcmp(info->inputs[i].file, "weights")) s = add_weight(c->driver, &info->inputs[i], set, &numbers);
  if (!s) s = safetensors_write(c->files[FILE_weights], set);
  if (!s) c->weights = c->files[FILE_weights];
  tensor_set_destroy(set);
  return s;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static status open_contestant(contest *c, contestant *x) {
  RETURN_IF_ERROR(file_write(c->files[FILE_source], x->candidate->source, strlen(x->candidate->source)));
  RETURN_IF_ERROR(file_write(c->files[FILE_header], x->candidate->header, strlen(x->candidate->header)));
  RETURN_IF_ERROR(gnnc_program_open(c->files[FILE_source], NULL, &x->program));
  if (!c->weights) RETURN_IF_ERROR(make_weights(c, gnnc_program_info(x->program)));
  RETURN_IF_ERROR(gnnc_session_create(x->program, c->driver->options.graph, c->weights, &x->session));
  return gnnc_session_run(x->session, &c->context);
}

/* Whether the outputs of two sessions are equal up to `tolerance`. */
static bool are_equal(const contestant *a, const contestant *b) {
  const gnnc_model_info *info = gnnc_program_info(a->program);
  for (int32_t i = 0; i < info->num_outputs; i++) {
    int64_t rows, same_rows, count = 1;
    const float *x = gnnc_session_output(a->session, i, &rows), *y = gnnc_session_output(b->session, i, &same_rows);
    for (int32_t d = 0; d < info->outputs[i].rank; d++) count *= info->outputs[i].dims[d];
    double largest = 0, difference = 0;
    for (int64_t k = 0; k < rows * count; k++) {
      bool is_finite = isfinite(x[k]) && isfinite(y[k]);
      if (!is_finite) continue;
      largest = fmax(largest, fabs((double)x[k]));
      difference = fmax(difference, fabs((double)x[k] - (double)y[k]));
    }
    if (rows != same_rows || difference > tolerance * fmax(largest, 1e-6)) return false;
  }
  return true;
}

/* Opens all candidates. Fails when the first one fails; others that fail are left out after a
 * message. */
static status open_all(contest *c) {
  for (size_t i = 0; i < c->count; i++) {
    contestant *x = &c->items[i];
    status s = open_contestant(c, x);
    if (s && i == 0) return s;
    const char *why = s ? status_message(s) : are_equal(&c->items[0], x) ? NULL : "its outputs differ";
    if (why) {
      program_warning("left out of the tuning: %s: %s",
                      gnnc_tuning_describe(c->driver->arena, &x->candidate->measured.choices), why);
      gnnc_session_destroy(x->session);
      x->session = NULL;
    }
    status_free(s);
  }
  return STATUS_OK;
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

static status measure(contest *c) {
  double total = 0;
  progress_step("measure choices of switches", NULL, 0);
  for (; c->rounds < MOST_ROUNDS && (c->rounds < LEAST_ROUNDS || total < budget_seconds); c->rounds++)
    for (size_t i = 0; i < c->count; i++) {
      contestant *x = &c->items[(i + c->rounds) % c->count]; /* each round begins with another candidate */
      if (!x->session) continue;
      RETURN_IF_ERROR(gnnc_session_run(x->session, &c->context));
      x->seconds[c->rounds] = gnnc_session_get_statistics(x->session).run_seconds;
      total += x->seconds[c->rounds];
    }
  return STATUS_OK;
}

static double median_of(double *numbers, size_t count) {
  number_sort(numbers, count);
  return numbers[count / 2];
}

/* Returns the median over the rounds of the ratio to the time of the first candidate in the same
 * round. */
static double median_ratio(const contest *c, const contestant *x) {
  double ratios[MOST_ROUNDS];
  for (size_t i = 0; i < c->rounds; i++) ratios[i] = x->seconds[i] / fmax(c->items[0].seconds[i], 1e-9);
  return median_of(ratios, c->rounds);
}

/* Writes the measurements of the candidates that ran to `measured`, in order, and sets the index of
 * the winner. Returns their number. */
static size_t rank_all(contest *c, gnnc_measurement *measured, size_t *winner) {
  size_t count = 0;
  double best = worthwhile;
  *winner = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (!c->items[i].session) continue;
    measured[count] = c->items[i].candidate->measured;
    measured[count].ratio = median_ratio(c, &c->items[i]);
    if (measured[count].ratio < best) {
      best = measured[count].ratio;
      *winner = count;
    }
    count++;
  }
  for (size_t i = 0, k = 0; i < c->count; i++)
    if (c->items[i].session) measured[k++].median_seconds = median_of(c->items[i].seconds, c->rounds);
  return count;
}

static void print_ranking(const contest *c, const gnnc_measurement *measured, size_t count, size_t winner) {
  fprintf(stderr, "gnnc: median of %zu runs, %d thread%s\n%12s  %12s  %12s  %12s  choices\n", c->rounds,
          (int)c->driver->options.threads, c->driver->options.threads == 1 ? "" : "s", "ms", "ratio", "MFLOP", "MB");
  for (size_t i = 0; i < count; i++)
    fprintf(stderr, "%12.3f  %12.3f  %12.3f  %12.3f  %s%s\n", measured[i].median_seconds * 1e3, measured[i].ratio,
            measured[i].flops * 1e-6, measured[i].bytes * 1e-6,
            gnnc_tuning_describe(c->driver->arena, &measured[i].choices), i == winner ? "  <- kept" : "");
}

static status open_pool(contest *c) {
  c->pool = gnnc_pool_create((int32_t)c->driver->options.threads);
  if (!c->pool) return status_error(STATUS_CODE_memory, "no memory for %d threads", (int)c->driver->options.threads);
  c->context = (gnnc_context){.size = sizeof c->context, .executor = gnnc_pool_executor(c->pool)};
  return STATUS_OK;
}

/* Checks, before measuring, that the result can be written. */
static status check_output(const char *path) {
  file_writer *writer;
  RETURN_IF_ERROR(file_writer_open(path, &writer));
  file_writer_abandon(writer);
  return STATUS_OK;
}

static status run_contest(contest *c, const gnnc_tuning_key *key) {
  gnnc_driver *r = c->driver;
  RETURN_IF_ERROR(open_pool(c));
  RETURN_IF_ERROR(open_folder(c));
  RETURN_IF_ERROR(open_all(c));
  RETURN_IF_ERROR(measure(c));
  gnnc_measurement *measured = arena_alloc_array(r->arena, c->count, sizeof *measured);
  size_t winner, count = rank_all(c, measured, &winner);
  print_ranking(c, measured, count, winner);
  r->options.code.features = measured[winner].choices;
  return gnnc_tuning_write(r->options.tune, key, (int)r->options.threads, measured, count, winner);
}

/* Collects candidates without the printing options, which apply only to the program that is kept. */
static bool collect_quietly(gnnc_driver *r, gnnc_candidates *candidates) {
  gnnc_options asked = r->options;
  r->options.remarks = r->options.print_ir_tree = NULL;
  r->options.is_timing = r->options.is_print_ir_after_all = r->options.is_print_ir_after_change = false;
  r->options.print_ir_after.count = 0;
  bool good = gnnc_tune_collect(r, candidates);
  r->options = asked;
  return good;
}

bool gnnc_tune(gnnc_driver *r) {
  gnnc_candidates candidates = {0};
  if (gnnc_driver_failed(check_output(r->options.tune))) return false;
  MlirModule module = gnnc_driver_emit(r);
  if (mlirModuleIsNull(module)) return false;
  gnnc_tuning_key key = gnnc_tuning_make_key(module, r->files.graph, r->options.code.opt_level, r->options.is_f64);
  bool good = collect_quietly(r, &candidates);
  if (good) {
    contest c = {.driver = r, .weights = r->options.weights, .count = candidates.count};
    c.items = arena_alloc_array(r->arena, c.count, sizeof *c.items);
    for (size_t i = 0; i < c.count; i++) c.items[i].candidate = &candidates.items[i];
    good = !gnnc_driver_failed(run_contest(&c, &key));
    for (size_t i = 0; i < c.count; i++) {
      gnnc_session_destroy(c.items[i].session);
      gnnc_program_close(c.items[i].program);
    }
    gnnc_pool_destroy(c.pool);
    remove_folder(&c);
  }
  mlirModuleDestroy(module);
  return good;
}
