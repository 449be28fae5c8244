/* Chooses precisions of nodes, and finds the magnitudes that fixed-point numbers need. A trial
 * program in the machine's own precision runs on the graph first; then the program is compiled with
 * what it met (post-training quantisation).
 *
 * auto protects the nodes with the most incoming edges, as Degree-Quant does: their sums have the
 * most terms. It takes the narrowest precision of the others with which the accuracy on the
 * validation nodes is within one point of the trial's; without labels, with which 99 % of the rows
 * choose the same class. */
#include "tools/gnnc/gnnc_precision.h"

#include "data/convert.h"
#include "runtime/accuracy.h"
#include "runtime/program.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PROTECTED = 10, POINTS = 1, SAME = 99 }; /* percent: of the nodes; of accuracy; of the rows */

/* What a run gave: scores per class, and magnitudes. */
typedef struct outcome {
  int64_t rows, classes;
  const float *scores; /* NULL: no output has scores */
  int64_t num_layers;
  const double (*largest)[BACKEND_KINDS];
} outcome;

/* ---- runs ---- */

static void keep_scores(arena *a, const tensor_set *outputs, outcome *out) {
  const tensor *best = tensor_set_find(outputs, "logits");
  for (size_t i = 0; i < outputs->count && !best; i++)
    if (outputs->tensors[i].rank == 2) best = &outputs->tensors[i];
  if (!best || best->rank != 2 || best->dims[1] < 2) return;
  float *scores = arena_alloc(a, best->bytes + 1);
  memcpy(scores, best->data, best->bytes);
  out->rows = best->dims[0];
  out->classes = best->dims[1];
  out->scores = scores;
}

static void keep_largest(arena *a, const sim_stats *s, outcome *out) {
  double (*largest)[BACKEND_KINDS] = arena_alloc_array(a, (size_t)s->num_layers + 1, sizeof *largest);
  for (int64_t i = 0; i < s->num_layers; i++)
    for (int k = 0; k < BACKEND_KINDS && k < SIM_KINDS; k++) largest[i][k] = s->layers[i].largest[k];
  out->num_layers = s->num_layers;
  out->largest = (const double (*)[BACKEND_KINDS])largest;
}

static status run_image(const image *im, const graph *g, arena *a, outcome *out) {
  program_binary *p = NULL;
  program_session *s = NULL;
  program_request request = {.graph = g};
  tensor_set *outputs = tensor_set_create("outputs");
  *out = (outcome){0};
  status failed = program_open_image("trial", im, &p);
  if (!failed) failed = program_session_create(p, &request, &s);
  if (!failed) failed = program_session_run(s);
  if (!failed) failed = program_session_read(s, outputs);
  if (!failed) keep_scores(a, outputs, out);
  if (!failed) keep_largest(a, program_session_statistics(s), out);
  program_session_destroy(s);
  program_close(p);
  tensor_set_destroy(outputs);
  return failed;
}

/* Compiles with the precision in the options, and runs. The caller frees the image. */
static bool compile_and_run(gnnc_driver *r, MlirModule module, thread_pool *pool, gnnc_image *p, outcome *out) {
  if (!gnnc_image_compile(r, module, pool, true, p)) return false;
  return !gnnc_driver_failed(
      status_context(run_image(&p->image, r->files.graph, r->arena, out), "the trial run for fixed-point numbers"));
}

static bool find_largest(gnnc_driver *r, MlirModule module, thread_pool *pool, outcome *out) {
  gnnc_image p = {0};
  backend_precision *o = &r->options.code.precision;
  *o = (backend_precision){.is_trial = true};
  bool good = compile_and_run(r, module, pool, &p, out);
  gnnc_image_free(&p);
  *o = (backend_precision){.largest = out->largest, .num_layers = out->num_layers};
  return good;
}

/* ---- --precision-of ---- */

static const char *find_name(const backend *b, const char *word, size_t length) {
  for (const char *const *p = b->precisions; *p; p++)
    if (strlen(*p) == length && !strncmp(*p, word, length)) return *p;
  return NULL;
}

static status read_names(gnnc_driver *r, backend_precision *o) {
  const char *path = r->options.precision_of;
  int64_t nodes = r->files.graph->num_nodes, line = 0;
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(r->arena, path, &data, &size));
  const char **names = arena_alloc_array(r->arena, (size_t)nodes + 1, sizeof *names);
  for (const char *at = data, *end = data + size; at < end; line++) {
    size_t rest = (size_t)(end - at), length = 0;
    while (length < rest && at[length] != '\n') length++;
    const char *name = find_name(r->options.code.target, at, length);
    if (!name)
      return status_error(STATUS_CODE_format, "%s:%" PRId64 ": '%.*s' is no precision of '%s'", path, line + 1,
                          (int)(length < 40 ? length : 40), at, r->options.code.target->name);
    if (line < nodes) names[line] = name;
    at += length + (length < rest);
  }
  if (line != nodes)
    return status_error(STATUS_CODE_mismatch, "%s: %" PRId64 " lines, %s has %" PRId64 " nodes", path, line,
                        r->files.graph->name, nodes);
  o->of_node = names;
  o->num_nodes = nodes;
  return STATUS_OK;
}

/* ---- auto ---- */

typedef struct degree {
  int64_t count, node;
} degree;

static int compare_degrees(const void *a, const void *b) {
  const degree *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return x->node < y->node ? -1 : 1;
}

/* Names a precision for each node: `name`, or `own` for those with the most incoming edges. */
static const char *const *assign(gnnc_driver *r, const char *name, const char *own) {
  const graph *g = r->files.graph;
  degree *of = arena_alloc_array(r->arena, (size_t)g->num_nodes + 1, sizeof *of);
  const char **names = arena_alloc_array(r->arena, (size_t)g->num_nodes + 1, sizeof *names);
  for (int64_t i = 0; i < g->num_nodes; i++) of[i].node = i;
  for (int64_t i = 0; i < g->num_edges; i++) of[g->dst[i]].count++;
  qsort(of, (size_t)g->num_nodes, sizeof *of, compare_degrees);
  for (int64_t i = 0; i < g->num_nodes; i++) names[of[i].node] = i < g->num_nodes * PROTECTED / 100 ? own : name;
  return names;
}

/* How accurate a run is, and how accurate it must be at least, in rows. */
typedef struct verdict {
  const char *by;
  accuracy_count own, found;
  bool is_good;
} verdict;

static status read_field(gnnc_driver *r, const char *name, int64_t rows, const int32_t **out) {
  const tensor *t = tensor_set_find(r->files.graph->tensors, name);
  *out = NULL;
  return t && t->count == rows && dtype_get_class(t->dtype) != DTYPE_CLASS_float ? convert_to_i32(r->arena, t, out)
                                                                                 : STATUS_OK;
}

static status judge(gnnc_driver *r, const outcome *own, const outcome *found, verdict *out) {
  const int32_t *labels, *mask;
  int64_t most = 0;
  RETURN_IF_ERROR(read_field(r, "y", own->rows, &labels));
  RETURN_IF_ERROR(read_field(r, "val_mask", own->rows, &mask));
  *out = (verdict){.by = "right on the validation nodes"};
  if (labels && mask) out->own = accuracy_of(own->scores, own->rows, own->classes, mask, labels);
  if (out->own.counted) {
    out->found = accuracy_of(found->scores, own->rows, own->classes, mask, labels);
    most = out->own.counted * POINTS / 100;
  } else {
    int32_t *chosen = arena_alloc_array(r->arena, (size_t)own->rows + 1, sizeof *chosen);
    for (int64_t i = 0; i < own->rows; i++)
      chosen[i] = (int32_t)accuracy_find_class(own->scores + i * own->classes, own->classes);
    *out = (verdict){.by = "choose the same class", .own = {own->rows, own->rows}};
    out->found = accuracy_of(found->scores, own->rows, own->classes, NULL, chosen);
    most = own->rows - own->rows * SAME / 100;
  }
  out->is_good = out->own.right - out->found.right <= (most > 1 ? most : 1);
  return STATUS_OK;
}

static void report(gnnc_driver *r, const char *name, const verdict *v) {
  if (r->options.is_verbose)
    fprintf(stderr, "gnnc: precision %s: %" PRId64 " of %" PRId64 " %s, %" PRId64 " in %s: %s\n", name, v->found.right,
            v->found.counted, v->by, v->own.right, "the trial", v->is_good ? "taken" : "not accurate enough");
}

/* Tries one precision; *taken says whether *p is the program. */
static bool try_one(gnnc_driver *r, MlirModule module, thread_pool *pool, const outcome *own, const char *name,
                    gnnc_image *p, bool *taken) {
  outcome found;
  verdict v = {0};
  if (!compile_and_run(r, module, pool, p, &found)) return false;
  assert(found.rows == own->rows); /* the same model on the same graph */
  if (gnnc_driver_failed(judge(r, own, &found, &v))) return false;
  report(r, name, &v);
  *taken = v.is_good;
  return true;
}

static bool choose(gnnc_driver *r, MlirModule module, thread_pool *pool, const outcome *own, gnnc_image *p) {
  const char *const *names = r->options.code.target->precisions;
  backend_precision *o = &r->options.code.precision;
  size_t count = 0;
  while (names[count]) count++;
  if (!own->scores)
    return !gnnc_driver_failed(
        status_error(STATUS_CODE_mismatch, "--precision=auto: no output has scores per class to compare"));
  for (size_t i = 0; i + 1 < count; i++) {
    bool taken = false;
    o->of_node = assign(r, names[i], names[count - 1]);
    o->num_nodes = r->files.graph->num_nodes;
    if (!try_one(r, module, pool, own, names[i], p, &taken)) return false;
    if (taken) return true;
    gnnc_image_free(p);
  }
  *o = (backend_precision){0};
  return gnnc_image_compile(r, module, pool, true, p);
}

bool gnnc_precision_compile(gnnc_driver *r, MlirModule module, thread_pool *pool, gnnc_image *p) {
  const gnnc_options *o = &r->options;
  outcome own;
  *p = (gnnc_image){0};
  if (!find_largest(r, module, pool, &own)) return false;
  if (o->precision && !strcmp(o->precision, "auto")) return choose(r, module, pool, &own, p);
  r->options.code.precision.all = o->precision;
  if (o->precision_of && gnnc_driver_failed(read_names(r, &r->options.code.precision))) return false;
  return gnnc_image_compile(r, module, pool, true, p);
}
