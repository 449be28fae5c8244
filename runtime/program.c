/* Programs for the overlay and runs of them: see overlay.h. */
#include "runtime/program.h"

#include "runtime/inputs.h"
#include "runtime/program_manifest.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- programs ---- */

bool program_is_image(const char *path) {
  file_mapping mapping;
  status s = file_map(path, &mapping);
  bool is_elf = !s && mapping.size >= 20 && !memcmp(mapping.data, ELFMAG, SELFMAG);
  bool is_image = is_elf && !mapping.data[18] && !mapping.data[19]; /* e_machine */
  if (!s) file_unmap(&mapping);
  status_free(s);
  return is_image;
}

static bool has_bytes(const image *im, image_section_kind kind) {
  return im->sections[kind].data || !im->sections[kind].size;
}

static status open_program(program_binary *p) {
  RETURN_IF_ERROR(image_open(p->memory, p->path, &p->image));
  p->has_data = has_bytes(&p->image, IMAGE_EDGES) && has_bytes(&p->image, IMAGE_WEIGHTS);
  return status_context(program_manifest_read(p), "%s", p->path);
}

status program_open(const char *path, program_binary **out) {
  *out = NULL;
  program_binary *p = calloc(1, sizeof *p);
  if (!p) return status_error(STATUS_CODE_memory, "out of memory");
  p->memory = arena_create();
  p->path = arena_strdup(p->memory, path);
  status s = open_program(p);
  if (s) {
    program_close(p);
    return s;
  }
  *out = p;
  return STATUS_OK;
}

void program_close(program_binary *p) {
  if (!p) return;
  image_close(&p->image);
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
};

static status check_graph(const program_binary *p, const graph *g) {
  uint64_t expected = p->image.graph_fingerprint, found = g ? graph_fingerprint(g) : 0;
  if (!g || !expected || found == expected) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch,
                      "%s: compiled for a graph with fingerprint %016" PRIx64 ", but %s has %016" PRIx64
                      "; compile it for this graph (gnnc --graph %s)",
                      p->path, expected, g->name, found, g->name);
}

/* Outputs per node have a row for each node of the graph; the fingerprint says so of programs that have one. */
static status check_rows(const program_binary *p, const graph *g) {
  for (int32_t i = 0; i < p->num_outputs; i++) {
    const program_tensor *t = &p->outputs[i];
    if (!strcmp(t->domain, "node") && t->rows != g->num_nodes)
      return status_error(STATUS_CODE_mismatch, "%s: output '%s' has %" PRId64 " rows, but %s has %" PRId64 " nodes",
                          p->path, t->name, t->rows, g->name, g->num_nodes);
  }
  return STATUS_OK;
}

/* Fields that are part of the program are those of the graph. */
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
  if (failed) {
    program_session_destroy(s);
    return status_context(failed, "%s", p->path);
  }
  *out = s;
  return STATUS_OK;
}

void program_session_destroy(program_session *s) {
  if (!s) return;
  sim_destroy(s->sim);
  free(s);
}

const sim_stats *program_session_statistics(const program_session *s) {
  return sim_statistics(s->sim);
}

const device *program_session_machine(const program_session *s) {
  return &s->machine;
}

/* ---- device memory ---- */

/* All of a tensor's memory, from its first fiber (or the array of a head) on. */
static status find_memory(const program_session *s, const program_tensor *t, int64_t head, float **out) {
  int64_t p = s->program->image.device.graphagile.width, fibers = (t->width + p - 1) / p;
  *out = NULL;
  if (!t->rows) return STATUS_OK;
  uint64_t words = t->is_values ? (uint64_t)t->rows : (uint64_t)((fibers - 1) * t->stride + t->rows) * (uint64_t)p;
  *out = sim_memory(s->sim, t->addresses[head], 4 * words);
  if (*out) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s': %" PRIu64 " bytes at 0x%" PRIx64 " are not in the device's memory",
                      t->name, 4 * words, t->addresses[head]);
}

/* Copies rows between the user's tensor and fibers. */
static void move_rows(const program_tensor *t, int64_t p, float *memory, float *user, bool to_device) {
  for (int64_t r = 0; r < t->rows; r++) {
    float *row = user + (t->order ? t->order[r] : r) * t->width;
    for (int64_t begin = 0, q = 0; begin < t->width; begin += p, q++) {
      size_t bytes = (size_t)(t->width - begin < p ? t->width - begin : p) * sizeof(float);
      float *fiber = memory + (q * t->stride + r) * p;
      memcpy(to_device ? fiber : row + begin, to_device ? row + begin : fiber, bytes);
    }
  }
}

/* One head of values per edge. */
static void read_values(const program_tensor *t, int64_t head, const float *memory, float *user) {
  for (int64_t e = 0; e < t->rows; e++) user[(t->order ? t->order[e] : e) * t->width + head] = memory[e];
}

static int32_t shape_of(const program_tensor *t, int64_t *dims) {
  int32_t rank = 0;
  if (t->has_rows) dims[rank++] = t->rows;
  for (int32_t i = 0; i < t->rank; i++) dims[rank++] = t->dims[i];
  return rank;
}

/* ---- inputs and outputs ---- */

static status write_input(const program_session *s, const program_tensor *t) {
  gnnc_tensor_info info = {.name = t->name, .from = t->from, .file = "graph", .rows = GNNC_ROWS_ONE};
  info.rank = shape_of(t, info.dims);
  inputs_source from = {.graph = s->graph};
  arena *a = arena_create();
  const void *user = NULL;
  float *memory = NULL;
  status failed = inputs_read(a, &from, &info, &user);
  if (!failed) failed = find_memory(s, t, 0, &memory);
  if (!failed) move_rows(t, s->program->image.device.graphagile.width, memory, (float *)user, true);
  arena_destroy(a);
  return failed;
}

status program_session_run(program_session *s) {
  const program_binary *p = s->program;
  for (int32_t i = 0; i < p->num_inputs && !s->is_timing_only; i++)
    if (!p->inputs[i].is_weight) RETURN_IF_ERROR(write_input(s, &p->inputs[i]));
  return status_context(sim_run(s->sim), "%s", p->path);
}

static status read_output(const program_session *s, const program_tensor *t, tensor_set *outputs) {
  int64_t dims[PROGRAM_MAX_RANK + 1];
  int32_t rank = shape_of(t, dims);
  void *data = NULL;
  float *memory = NULL;
  RETURN_IF_ERROR(tensor_set_add(outputs, t->name, DTYPE_F32, rank, dims, &data));
  for (int64_t h = 0; h < (t->is_values ? t->width : 1); h++) {
    RETURN_IF_ERROR(find_memory(s, t, h, &memory));
    if (t->is_values)
      read_values(t, h, memory, data);
    else
      move_rows(t, s->program->image.device.graphagile.width, memory, data, false);
  }
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
