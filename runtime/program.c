/* Opens and runs programs for simulated machines: see program.h. */
#include "runtime/program.h"

#include "data/convert.h"
#include "kernels/rows.h"
#include "runtime/inputs.h"
#include "runtime/program_manifest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs ---- */

static bool has_bytes(const image *im, image_section_kind kind) {
  return im->sections[kind].data || !im->sections[kind].size;
}

static status read_manifest(program_binary *p) {
  p->has_data =
      has_bytes(&p->image, IMAGE_EDGES) && has_bytes(&p->image, IMAGE_WEIGHTS) && has_bytes(&p->image, IMAGE_LISTS);
  return status_context(program_manifest_read(p), "%s", p->path);
}

/* Opens a file, or takes the image of the caller. */
static status open_program(const char *path, const image *im, program_binary **out) {
  *out = NULL;
  program_binary *p = calloc(1, sizeof *p);
  if (!p) return status_error(STATUS_CODE_memory, "out of memory");
  p->memory = arena_create();
  p->path = arena_strdup(p->memory, path);
  p->is_borrowed = im;
  if (im) p->image = *im;
  status s = im ? STATUS_OK : image_open(p->memory, p->path, &p->image);
  if (!s) s = read_manifest(p);
  if (s) {
    program_close(p);
    return s;
  }
  *out = p;
  return STATUS_OK;
}

status program_open(const char *path, program_binary **out) {
  return open_program(path, NULL, out);
}

status program_open_image(const char *name, const image *im, program_binary **out) {
  return open_program(name, im, out);
}

void program_close(program_binary *p) {
  if (!p) return;
  if (!p->is_borrowed) image_close(&p->image);
  arena_destroy(p->memory);
  free(p);
}

/* ---- sessions ---- */

struct program_session {
  const program_binary *program;
  const graph *graph;
  device machine;
  bool is_timing_only;
  sim *sim;
  steps_state *steps;
  sim_host_stats host;
};

static status check_graph(const program_binary *p, const graph *g) {
  uint64_t expected = p->image.graph_fingerprint, found = g ? graph_fingerprint(g) : 0;
  if (!g || !expected || found == expected) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch,
                      "%s: compiled for a graph with fingerprint %016" PRIx64 ", but %s has %016" PRIx64
                      "; compile it for this graph (gnnc --graph %s)",
                      p->path, expected, g->name, found, g->name);
}

/* Checks that outputs per node have a row for each node of the graph. For programs with a
 * fingerprint of the graph, the fingerprint has shown this already. */
static status check_rows(const program_binary *p, const graph *g) {
  for (int32_t i = 0; i < p->num_outputs; i++) {
    const program_tensor *t = &p->outputs[i];
    if (!strcmp(t->domain, "node") && t->rows != g->num_nodes)
      return status_error(STATUS_CODE_mismatch, "%s: output '%s' has %" PRId64 " rows, but %s has %" PRId64 " nodes",
                          p->path, t->name, t->rows, g->name, g->num_nodes);
  }
  return STATUS_OK;
}

/* Checks that the fields that the program contains equal those of the graph. */
static status check_baked(const program_binary *p, const graph *g) {
  for (int32_t i = 0; i < p->num_baked; i++) {
    const program_baked *b = &p->baked[i];
    uint64_t found = 0;
    RETURN_IF_ERROR(graph_field_fingerprint(g, b->from, &found));
    if (found != b->fingerprint)
      return status_error(STATUS_CODE_mismatch,
                          "%s: holds '%s' with fingerprint %016" PRIx64 ", but that of %s has %016" PRIx64
                          "; compile it for this graph (gnnc --graph %s)",
                          p->path, b->from, b->fingerprint, g->name, found, g->name);
  }
  return STATUS_OK;
}

static status check_request(const program_binary *p, const program_request *q, bool is_timing_only) {
  RETURN_IF_ERROR(
      status_context(device_check_same(&p->image.device, q->machine ? q->machine : &p->image.device), "%s", p->path));
  RETURN_IF_ERROR(check_graph(p, q->graph));
  if (is_timing_only) return STATUS_OK;
  if (!p->has_data)
    return status_error(STATUS_CODE_mismatch,
                        "%s: edges and weights are not in it (gnnc --no-data); it can only be timed (--timing-only)",
                        p->path);
  if (!q->graph && (p->num_inputs || p->num_baked || p->image.graph_fingerprint))
    return status_error(STATUS_CODE_mismatch, "%s: the program needs the graph it was compiled for; none was given",
                        p->path);
  if (!q->graph) return STATUS_OK;
  RETURN_IF_ERROR(check_rows(p, q->graph));
  return check_baked(p, q->graph);
}

status program_session_create(const program_binary *p, const program_request *request, program_session **out) {
  *out = NULL;
  bool is_timing_only = request->simulation.is_timing_only;
  RETURN_IF_ERROR(check_request(p, request, is_timing_only));
  program_session *s = calloc(1, sizeof *s);
  if (!s) return status_error(STATUS_CODE_memory, "out of memory");
  s->program = p;
  s->graph = request->graph;
  s->machine = request->machine ? *request->machine : p->image.device;
  s->is_timing_only = is_timing_only;
  status failed = sim_create(&p->image, &s->machine, &request->simulation, &s->sim);
  if (!failed) failed = steps_create(&p->steps, &s->steps);
  if (failed) {
    program_session_destroy(s);
    return status_context(failed, "%s", p->path);
  }
  steps_observe(s->steps, request->observer);
  *out = s;
  return STATUS_OK;
}

void program_session_destroy(program_session *s) {
  if (!s) return;
  steps_destroy(s->steps);
  sim_destroy(s->sim);
  free(s);
}

const sim_stats *program_session_statistics(const program_session *s) {
  return sim_statistics(s->sim);
}

const sim_host_stats *program_session_host_statistics(const program_session *s) {
  return &s->host;
}

const device *program_session_machine(const program_session *s) {
  return &s->machine;
}

static int32_t shape_of(const program_tensor *t, int64_t *dims) {
  int32_t rank = 0;
  if (t->has_rows) dims[rank++] = t->rows;
  for (int32_t i = 0; i < t->rank; i++) dims[rank++] = t->dims[i];
  return rank;
}

/* ---- inputs and outputs ---- */

/* Copies between an array of the host, whose rows are in the order of the device, and dense rows of
 * the user. */
static void copy_array(const program_tensor *t, float *array, float *user, bool to_array) {
  if (to_array)
    kernel_gather(t->rows, t->width, user, t->order, 0, array);
  else if (t->order)
    kernel_scatter(t->rows, t->width, array, t->order, user);
  else
    kernel_gather(t->rows, t->width, array, NULL, 0, user);
}

/* Checks integers and makes numbers of the machine of them. */
static status take_integers(arena *a, const graph *g, const program_tensor *t, const void **user) {
  const float *numbers;
  const int64_t dims[] = {t->rows, t->width};
  status failed = inputs_check_ranges(a, t->from, *user, t->rows, t->width, t->ranges);
  const tensor integers = {.name = t->from, .dtype = DTYPE_I32, .rank = 2, .count = dims[0] * dims[1], .data = *user};
  if (!failed) failed = convert_integers_to_f32(a, &integers, &numbers);
  if (failed) return status_context(failed, "%s", g->name);
  *user = numbers;
  return STATUS_OK;
}

static status write_input(const program_session *s, const program_tensor *t) {
  gnnc_tensor_info info = {.name = t->name, .from = t->from, .file = "graph", .rows = GNNC_ROWS_ONE};
  info.rank = shape_of(t, info.dims);
  inputs_source from = {.graph = s->graph};
  arena *a = arena_create();
  const void *user = NULL;
  info.is_integer = t->is_integer;
  status failed = inputs_read(a, &from, &info, &user);
  if (!failed && t->is_integer) failed = take_integers(a, s->graph, t, &user);
  if (!failed && t->is_on_device) failed = steps_move(&t->place, t->name, s->sim, (float *)user, true);
  if (!failed && t->array >= 0) copy_array(t, steps_array(s->steps, t->array), (float *)user, true);
  arena_destroy(a);
  return failed;
}

status program_session_run(program_session *s) {
  const program_binary *p = s->program;
  for (int32_t i = 0; i < p->num_inputs && !s->is_timing_only; i++)
    if (!p->inputs[i].is_weight) RETURN_IF_ERROR(write_input(s, &p->inputs[i]));
  return status_context(steps_run(s->steps, s->sim, s->is_timing_only, &s->host), "%s", p->path);
}

static status read_output(const program_session *s, const program_tensor *t, tensor_set *outputs) {
  int64_t dims[PROGRAM_MAX_RANK + 1];
  int32_t rank = shape_of(t, dims);
  void *data = NULL;
  RETURN_IF_ERROR(tensor_set_add(outputs, t->name, DTYPE_F32, rank, dims, &data));
  if (t->is_on_device) return steps_move(&t->place, t->name, s->sim, data, false);
  copy_array(t, steps_array(s->steps, t->array), data, false);
  return STATUS_OK;
}

status program_session_read(program_session *s, tensor_set *outputs) {
  const program_binary *p = s->program;
  if (s->is_timing_only)
    return status_error(STATUS_CODE_mismatch, "%s: there are no outputs, only time was asked for", p->path);
  for (int32_t i = 0; i < p->num_outputs; i++)
    RETURN_IF_ERROR(status_context(read_output(s, &p->outputs[i], outputs), "%s", p->path));
  return STATUS_OK;
}
