/* Weights of a program of training: see trained.h.
 *
 *   intra.buffer {space = "weight", name = "conv1.weight", init = "glorot"}       float *conv1_weight of M_weights
 *   intra.buffer {space = "output", name = "conv1.weight", role = "gradient"}     float *conv1_weight of M_gradients_out
 *   intra.buffer {space = "output", name = "x", role = "input_gradient"}          float *x of M_gradients_out */
#include "codegen/c/model/trained.h"

#include "codegen/c/text/names.h"

#include <string.h>

/* Finds the weight of a buffer by its name; NULL if there is none. */
static const c_buffer *find_weight(const c_model *m, const c_buffer *b) {
  int64_t place = map_get(&m->weight_places, b->name, -1);
  return place < 0 ? NULL : &m->fields[C_SPACE_weight].items[place];
}

static bool is_same_shape(const c_buffer *a, const c_buffer *b) {
  return a->rows == b->rows && a->set == b->set && ir_payload_equal(a->type, b->type);
}

static void read_weight(c_model *m, c_buffer *b, c_names *names) {
  const c_buffer *known = find_weight(m, b);
  if (known && !is_same_shape(known, b))
    c_model_fail(m, m->module, DIAG_internal, "weight '%s' differs from phase to phase", b->name);
  b->id = known ? known->id : c_names_add(names, b->name);
  if (known) return;
  map_set(&m->weight_places, b->name, (int64_t)m->fields[C_SPACE_weight].count);
  VEC_PUSH(m->arena, &m->fields[C_SPACE_weight], *b);
}

/* Gives a result for a weight the member name of the weight. */
static void read_result(c_model *m, c_buffer *b) {
  const c_buffer *weight = find_weight(m, b);
  if (!weight || !is_same_shape(weight, b)) {
    c_model_fail(m, m->module, DIAG_internal, "result '%s' is no gradient or value of a weight", b->name);
    return;
  }
  b->id = weight->id;
  if (!b->count) b->count = weight->count;
}

static bool is_of_weight(const c_buffer *b) {
  return (b->space == C_SPACE_gradient || b->space == C_SPACE_update) &&
         (b->role == C_ROLE_gradient || b->role == C_ROLE_update);
}

static void add_results(c_model *m, const c_phase *phase, const char *name) {
  for (size_t i = 0; i < phase->buffers.count; i++) {
    const c_buffer *b = &phase->buffers.items[i];
    if (is_of_weight(b) && !strcmp(b->name, name)) VEC_PUSH(m->arena, &m->fields[b->space], *b);
  }
}

/* Adds the gradients of inputs, in the order of the inputs, which is that of the buffers. Their members have other
 * names than those of weights. */
static void add_input_gradients(c_model *m, c_phase *phase) {
  c_names names = {.arena = m->arena};
  for (size_t i = 0; i < m->fields[C_SPACE_weight].count; i++)
    c_names_add(&names, m->fields[C_SPACE_weight].items[i].name);
  for (size_t i = 0; i < phase->buffers.count; i++) {
    c_buffer *b = &phase->buffers.items[i];
    if (b->role != C_ROLE_input_gradient) continue;
    b->id = c_names_add(&names, b->name);
    VEC_PUSH(m->arena, &m->fields[C_SPACE_gradient], *b);
  }
}

void c_trained_read(c_model *m, c_phase *phase) {
  c_names names = {.arena = m->arena};
  c_buffer *loss = NULL;
  for (size_t i = 0; i < phase->buffers.count; i++)
    if (phase->buffers.items[i].space == C_SPACE_weight) read_weight(m, &phase->buffers.items[i], &names);
  for (size_t i = 0; i < phase->buffers.count; i++) {
    c_buffer *b = &phase->buffers.items[i];
    if (b->space == C_SPACE_gradient && b->role == C_ROLE_loss) loss = b;
    if (is_of_weight(b)) read_result(m, b);
  }
  const c_buffers *weights = &m->fields[C_SPACE_weight];
  for (size_t i = 0; i < weights->count; i++) add_results(m, phase, weights->items[i].name);
  if (m->is_backward) {
    add_input_gradients(m, phase);
    return;
  }
  if (phase->row->results != C_SPACE_gradient) return;
  if (!loss || m->failed) {
    c_model_fail(m, phase->function, DIAG_internal, "the gradients have no loss");
    return;
  }
  loss->id = c_names_add(&names, loss->name);
  VEC_PUSH(m->arena, &m->fields[C_SPACE_gradient], *loss);
}

const c_buffer *c_trained_gradient(const c_model *m, const c_buffer *weight) {
  for (int space = C_SPACE_update; space <= C_SPACE_gradient; space++) {
    const c_buffers *results = &m->fields[space];
    for (size_t i = 0; i < results->count; i++)
      if (is_of_weight(&results->items[i]) && results->items[i].id == weight->id) return &results->items[i];
  }
  return NULL;
}

const c_buffer *c_trained_input_gradient(const c_model *m, const c_buffer *input) {
  const c_buffers *gradients = &m->fields[C_SPACE_gradient];
  for (size_t i = 0; i < gradients->count; i++)
    if (gradients->items[i].role == C_ROLE_input_gradient && !strcmp(gradients->items[i].name, input->name))
      return &gradients->items[i];
  return NULL;
}

const char *c_trained_init(const c_buffer *weight) {
  if (weight->init) return weight->init;
  return weight->type.rank > 1 || (weight->rows == C_ROWS_node && weight->type.rank) ? "glorot" : "zeros";
}
