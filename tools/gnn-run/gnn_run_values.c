/* Runs a program of a machine and shows the values that it computes: see gnn_run_values.h.
 *
 *   run [0, 12) with layers at 0, 4, 9    =>    run [0, 4), read the result of layer 0, run [4, 9), ... */
#include "tools/gnn-run/gnn_run_values.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct viewer {
  arena *arena;
  const program_binary *program;
  const run_options *options;
  json_t *manifest;
  const int32_t *order;    /* the user's index of each row of nodes; NULL: the same */
  const step_place *place; /* of some rows of nodes on the device; NULL: none */
  int64_t num_nodes;
  const values_observer *observer;
} viewer;

/* ---- the user's order ---- */

/* Takes the order of the rows of nodes, and the form of their place, from an input or output that has
 * such rows. */
static void learn_from(viewer *v, const program_tensor *t) {
  if (t->rows != v->num_nodes || !t->has_rows || t->is_values) return;
  if (!v->order) v->order = t->order;
  if (!v->place && t->is_on_device) v->place = &t->place;
}

static void learn(viewer *v) {
  const program_binary *p = v->program;
  for (int32_t i = 0; i < p->num_outputs; i++)
    if (!strcmp(p->outputs[i].domain, "node")) learn_from(v, &p->outputs[i]);
  for (int32_t i = 0; i < p->num_inputs; i++) learn_from(v, &p->inputs[i]);
}

static const float *put_in_order(const viewer *v, int64_t rows, int64_t width, const float *data) {
  if (!v->order || rows != v->num_nodes) return data;
  float *made = arena_alloc_array(v->arena, (size_t)(rows * width) + 1, sizeof *made);
  for (int64_t r = 0; r < rows; r++) memcpy(made + v->order[r] * width, data + r * width, (size_t)width * sizeof *made);
  return made;
}

/* ---- names and places ---- */

/* Finds an object of a list of the manifest by the name that it has; the last one, where the value is
 * complete. */
static const json_t *find_named(const viewer *v, const char *list, const char *name) {
  const json_t *found = NULL, *item;
  size_t i;
  json_array_foreach(json_object_get(v->manifest, list), i, item) {
    const char *has = json_string_value(json_object_get(item, "name"));
    if (has && !strcmp(has, name)) found = item;
  }
  return found;
}

static void show(const viewer *v, const char *name, int64_t rows, int64_t width, const float *data) {
  const json_t *place = find_named(v, "layers", name);
  if (!place) place = find_named(v, "steps", name);
  values_value value = {.name = name, .rows = rows, .width = width, .data = put_in_order(v, rows, width, data)};
  value.file = json_string_value(json_object_get(place, "file"));
  value.line = json_integer_value(json_object_get(place, "line"));
  v->observer->take(v->observer->user, &value);
}

static void take_array(void *user, const step_array *array, const float *rows) {
  const viewer *v = user;
  if (v->observer->width_of(v->observer->user, array->name) == array->width)
    show(v, array->name, array->rows, array->width, rows);
}

/* ---- layers ---- */

/* Reads the rows that a layer has made, where they lie in the form of the program's own rows of
 * nodes. */
static status take_layer(const viewer *v, sim *on, const char *name) {
  const json_t *found = find_named(v, "tensors", name);
  int64_t width = v->observer->width_of(v->observer->user, name);
  uint64_t address = (uint64_t)json_integer_value(json_object_get(found, "address")), bytes = 0;
  uint64_t size = (uint64_t)json_integer_value(json_object_get(found, "bytes"));
  if (!found || !v->place || width < 1) return STATUS_OK;
  step_place place = *v->place;
  const char *form = json_string_value(json_object_get(found, "layout"));
  if (form) place.layout = layout_find(form);
  if (!place.layout) return STATUS_OK;
  place.addresses = &address;
  place.tensor.width = width;
  place.tensor.order = NULL;
  RETURN_IF_ERROR(place.layout->part_bytes(&place.tensor, &bytes));
  if (place.layout->count_parts(&place.tensor) != 1 || bytes > size) return STATUS_OK;
  place.part_bytes = bytes;
  float *data = arena_alloc_array(v->arena, (size_t)(v->num_nodes * width) + 1, sizeof *data);
  RETURN_IF_ERROR(steps_move(&place, name, on, data, false));
  show(v, name, v->num_nodes, width, data);
  return STATUS_OK;
}

/* Returns the number of the layer that begins at a record; -1: none does. */
static int64_t layer_at(const image *im, uint64_t record) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  uint64_t address = code->address + record * im->device.machine->isa->insn_bytes;
  for (int64_t i = 0; i < im->num_symbols; i++) {
    const image_symbol *s = &im->symbols[i];
    int64_t number = -1;
    if (s->section == IMAGE_TEXT && s->address == address && sscanf(s->name, "layer %" SCNd64, &number) == 1)
      return number;
  }
  return -1;
}

static const char *layer_name(const viewer *v, int64_t number) {
  const json_t *layer = json_array_get(json_object_get(v->manifest, "layers"), (size_t)number);
  return json_string_value(json_object_get(layer, "name"));
}

/* Runs layer by layer, so that the result of each can be read before memory is used again. */
static status run_layers(void *user, sim *on, uint64_t first, uint64_t end) {
  const viewer *v = user;
  const image *im = &v->program->image;
  for (uint64_t begin = first; begin < end;) {
    int64_t layer = layer_at(im, begin);
    uint64_t next = begin + 1;
    while (next < end && layer_at(im, next) < 0) next++;
    RETURN_IF_ERROR(sim_run_records(on, begin, next));
    const char *name = layer >= 0 ? layer_name(v, layer) : NULL;
    if (name) RETURN_IF_ERROR(take_layer(v, on, name));
    begin = next;
  }
  return STATUS_OK;
}

/* ---- the run ---- */

static status run(viewer *v, const graph *g) {
  const program_binary *p = v->program;
  device made;
  RETURN_IF_ERROR(run_make_device(p, v->options, &made));
  bool has_places = json_array_size(json_object_get(v->manifest, "tensors")) > 0;
  const steps_observer observer = {.user = v, .take = take_array, .run = has_places ? run_layers : NULL};
  program_request request = {.graph = g, .machine = &made, .observer = &observer};
  request.simulation.level = SIM_L0;
  program_session *session = NULL;
  RETURN_IF_ERROR(program_session_create(p, &request, &session));
  status s = program_session_run(session);
  program_session_destroy(session);
  return s;
}

status values_run(arena *a, const program_binary *p, const graph *g, const run_options *options,
                  const values_observer *observer) {
  const image_section *said = &p->image.sections[IMAGE_PROGRAM];
  viewer v = {.arena = a, .program = p, .options = options, .num_nodes = g->num_nodes, .observer = observer};
  v.manifest = json_loadb((const char *)said->data, said->size, 0, NULL);
  if (!v.manifest) return status_error(STATUS_CODE_format, "section '.gnnc.program' is no JSON");
  learn(&v);
  status s = run(&v, g);
  json_decref(v.manifest);
  return s;
}
