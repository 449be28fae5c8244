/* Functions of training: see train.h. The state has a header, and for each trained weight its gradient and two
 * moments; the prelude (optimizer.h, random.h) works on these.
 *
 *   static size_t place_state(const bound_header *header, state_weight *w, int64_t *chunks, size_t *sums) {
 *     ...
 *     w[0] = place_weight(&at, chunks, 16 * 1433, 1, 0);     conv1.weight
 *   } */
#include "codegen/c/interface/train.h"

#include "codegen/c/interface/phases.h"
#include "codegen/c/interface/signature.h"
#include "codegen/c/model/count.h"
#include "codegen/c/model/trained.h"
#include "codegen/c/text/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const c_buffers *weights_of(const c_model *m) {
  return &m->fields[C_SPACE_weight];
}

/* The length of an array with an element for each weight. */
static size_t array_length(const c_model *m) {
  return weights_of(m)->count ? weights_of(m)->count : 1;
}

/* The number of a weight's numbers as text. */
static const char *count_numbers(const c_model *m, const c_buffer *b) {
  const char *rows = c_count_rows(m, b->rows, b->set, b->count);
  if (!rows) return arena_printf(m->arena, "%lld", (long long)b->elements);
  return arena_printf(m->arena, "%s * %lld", rows, (long long)b->elements);
}

static void close_function(c_writer *w) {
  c_writer_close(w);
  c_writer_raw(w, "%s", "");
}

/* ---- the state ---- */

static void emit_place(const c_model *m, c_writer *w) {
  c_writer_raw(w,
               "/* Where the state has what belongs to each weight; returns its size, without room for alignment. */");
  c_writer_open(
      w, "static size_t place_state(const bound_header *header, state_weight *w, int64_t *chunks, size_t *sums)");
  c_writer_line(w, "size_t at = 0;");
  c_writer_line(w, "*chunks = 0;");
  c_writer_line(w, "(void)header, (void)w;");
  c_writer_line(w, "(void)section(&at, 1, sizeof(state_header));");
  for (size_t i = 0; i < weights_of(m)->count; i++) {
    const c_buffer *b = &weights_of(m)->items[i], *result = c_trained_gradient(m, b);
    c_writer_line(w, "w[%zu] = place_weight(&at, chunks, %s, %d, %d); /* %s */", i, count_numbers(m, b),
                  result && result->role == C_ROLE_gradient, result && result->role == C_ROLE_update,
                  c_quote_comment(m->arena, b->name));
  }
  c_writer_line(w, "*sums = section(&at, *chunks, sizeof(double));");
  c_writer_line(w, "return at;");
  close_function(w);
}

static void emit_find(c_writer *w) {
  c_writer_raw(w, "/* The first 64-byte boundary of a state; NULL where it is none of this model. */");
  c_writer_open(w, "static state_header *find_state(void *state)");
  c_writer_line(w, "state_header *header = (state_header *)(void *)((char *)state + align_block(state));");
  c_writer_line(w, "return header->magic == STATE_MAGIC && header->program == BOUND_PROGRAM ? header : NULL;");
  close_function(w);
}

/* Writes checks of bound block and weights, and the header of the block. */
static void emit_bound(c_writer *w, const char *failure) {
  c_writer_line(w, "const bound_header *header = find_header(bound);");
  c_writer_line(w, "if (!header) return %s;", failure);
}

/* Writes the places in the state of this graph. */
static void emit_places(const c_model *m, c_writer *w) {
  c_writer_line(w, "state_weight places[%zu];", array_length(m));
  c_writer_line(w, "int64_t chunks = 0;");
  c_writer_line(w, "size_t sums = 0;");
  c_writer_line(w, "const size_t size = place_state(header, places, &chunks, &sums);");
}

/* Writes the same with a check that the state is the one of this graph. */
static void emit_state(const c_model *m, c_writer *w) {
  emit_bound(w, "GNNC_ERROR_NOT_BOUND");
  emit_places(m, w);
  c_writer_line(w, "state_header *const kept = find_state(state);");
  c_writer_line(w, "if (!kept || kept->size != size) return GNNC_ERROR_STATE;");
  c_writer_line(w, "char *const at = (char *)kept;");
}

void c_train_emit_state_bytes(c_model *m, c_writer *w) {
  emit_bound(w, "0");
  emit_places(m, w);
  c_writer_line(w, "return size == SIZE_MAX ? SIZE_MAX : size + 64;");
}

void c_train_emit_reset(c_model *m, c_writer *w) {
  c_writer_line(w, "if (!bound || !state) return GNNC_ERROR_NULL;");
  emit_bound(w, "GNNC_ERROR_NOT_BOUND");
  emit_places(m, w);
  c_writer_line(w, "char *const at = (char *)state + align_block(state);");
  c_writer_line(w, "memset(at, 0, size);");
  c_writer_line(w, "const state_header made = {STATE_MAGIC, BOUND_PROGRAM, size, 0};");
  c_writer_line(w, "memcpy(at, &made, sizeof made);");
  c_writer_line(w, "return GNNC_OK;");
}

void c_train_emit_state_steps(c_model *m, c_writer *w) {
  (void)m;
  c_writer_line(w, "if (!state) return NULL;");
  c_writer_line(w, "state_header *const kept = find_state(state);");
  c_writer_line(w, "return kept ? &kept->steps : NULL;");
}

void c_train_emit_state_tensor(c_model *m, c_writer *w) {
  c_writer_line(w, "if (!bound || !state || !data || !count) return GNNC_ERROR_NULL;");
  emit_state(m, w);
  c_writer_line(w, "if (weight < 0 || weight >= %zu || part < 0 || part >= 3) return GNNC_ERROR_COUNT;",
                weights_of(m)->count);
  c_writer_line(w, "const int is_there = places[weight].is_trained;");
  c_writer_line(w, "*data = is_there ? (float *)(void *)(at + places[weight].part[part]) : NULL;");
  c_writer_line(w, "*count = is_there ? places[weight].count : 0;");
  c_writer_line(w, "return GNNC_OK;");
}

/* ---- a step ---- */

static void emit_gradients(const c_model *m, c_writer *w) {
  c_writer_line(w, "const %s_%s gradients = {", m->id, c_space_type(C_SPACE_gradient));
  w->depth += 2;
  const c_buffers *fields = &m->fields[C_SPACE_gradient];
  for (size_t i = 0; i < weights_of(m)->count; i++)
    if (c_trained_gradient(m, &weights_of(m)->items[i]))
      c_writer_line(w, ".%s = (float *)(void *)(at + places[%zu].part[0]),", weights_of(m)->items[i].id, i);
  c_writer_line(w, ".%s = &computed,", fields->items[fields->count - 1].id);
  w->depth -= 2;
  c_writer_line(w, "};");
}

/* Writes the change of the weights by the gradients that the state has. */
static void emit_change(c_model *m, c_writer *w) {
  text list = {0};
  for (size_t i = 0; i < weights_of(m)->count; i++)
    text_printf(&list, "%sweights->%s", i ? ", " : "", weights_of(m)->items[i].id);
  c_writer_line(w, "float *const values[] = {%s};", list.size ? text_str(&list) : "NULL");
  text_free(&list);
  c_writer_line(w, "state_change change = {.optimizer = optimizer, .places = places, .weights = values, .state = at};");
  c_writer_line(w, "change.sums = (double *)(void *)(at + sums);");
  const c_timed timed = {.phase = "step", .function = "change_weights", .cost = -1};
  const char *call =
      arena_printf(m->arena, "change_weights(context, &change, %zu, chunks, ++kept->steps)", weights_of(m)->count);
  c_writer_line(w, "%s", c_model_time(m, timed, call));
}

static bool has_cut_weight(const c_model *m) {
  for (size_t i = 0; i < weights_of(m)->count; i++) {
    const c_buffer *b = &weights_of(m)->items[i], *result = c_trained_gradient(m, b);
    if (m->has_ranks && b->rows == C_ROWS_node && result && result->role == C_ROLE_gradient) return true;
  }
  return false;
}

/* Writes the check of the optimizer. A rank has not got the gradients of all nodes, of which clipping takes the norm. */
static void emit_check_optimizer(const c_model *m, c_writer *w) {
  c_writer_line(w, "const gnnc_result refused = check_optimizer(optimizer);");
  c_writer_line(w, "if (refused) return refused;");
  if (has_cut_weight(m))
    c_writer_line(w, "if (optimizer->clip > 0 && context_comm(context)) return GNNC_ERROR_OPTIMIZER;");
}

void c_train_emit_step(c_model *m, c_writer *w) {
  c_writer_line(w, "if (!bound || !weights || !state || !optimizer) return GNNC_ERROR_NULL;");
  emit_state(m, w);
  emit_check_optimizer(m, w);
  c_writer_line(w, "float computed = 0;");
  emit_gradients(m, w);
  c_writer_line(w, "const gnnc_result result = %s_gradients(bound, inputs, weights, &gradients, workspace, context);",
                m->id);
  c_writer_line(w, "if (result) return result;");
  emit_change(m, w);
  c_writer_line(w, "if (loss) *loss = computed;");
  c_writer_line(w, "return GNNC_OK;");
}

void c_train_emit_apply(c_model *m, c_writer *w) {
  const c_buffers *weights = weights_of(m);
  c_writer_line(w, "if (!bound || !weights || !gradients || !state || !optimizer) return GNNC_ERROR_NULL;");
  emit_state(m, w);
  emit_check_optimizer(m, w);
  for (size_t i = 0; i < weights->count; i++) {
    const c_buffer *b = &weights->items[i];
    if (c_trained_gradient(m, b))
      c_writer_line(w, "if (!weights->%s || !gradients->%s) return GNNC_ERROR_NULL;", b->id, b->id);
  }
  for (size_t i = 0; i < weights->count; i++)
    if (c_trained_gradient(m, &weights->items[i]))
      c_writer_line(w, "keep_gradient(&places[%zu], gradients->%s, at);", i, weights->items[i].id);
  emit_change(m, w);
  c_writer_line(w, "return GNNC_OK;");
}

/* ---- first values ---- */

/* The sum of the numbers of rows and columns of a weight, as text; the rows of a table are those of its nodes. */
static const char *count_fans(const c_model *m, const c_buffer *b) {
  unsigned rank = b->type.rank;
  long long last = rank ? (long long)b->type.dims[rank - 1] : 1;
  if (rank > 1) return arena_printf(m->arena, "%lld", last + (long long)b->type.dims[rank - 2]);
  const char *rows = b->rows == C_ROWS_node ? c_count_rows(m, b->rows, b->set, 0) : NULL;
  return rows ? arena_printf(m->arena, "((double)%s + %lld)", rows, last) : arena_printf(m->arena, "%lld", last + 1);
}

/* The inputs of a weight: the rows of its matrix. */
static int64_t count_inputs(const c_buffer *b) {
  unsigned rank = b->type.rank;
  return !rank ? 1 : rank == 1 || b->is_transposed ? b->type.dims[rank - 1] : b->type.dims[rank - 2];
}

/* The number behind a word of an init, "0.1" of "uniform 0.1"; false where there is none. */
static bool read_number(const char *init, const char *word, double *number) {
  size_t size = strlen(word);
  char *end = NULL;
  if (strncmp(init, word, size) != 0 || init[size] != ' ') return false;
  *number = strtod(init + size, &end);
  return end != init + size && !*end && isfinite(*number);
}

static void emit_fill(c_model *m, c_writer *w, const c_buffer *b, size_t number) {
  arena *a = m->arena;
  const char *init = c_trained_init(b), *limit = NULL, *count = count_numbers(m, b);
  double value = 0;
  if (!strcmp(init, "zeros") || !strcmp(init, "ones")) {
    c_writer_line(w, "fill_constant(%s, %s, weights->%s);", count, *init == 'z' ? "0" : "1", b->id);
    return;
  }
  if (read_number(init, "constant", &value)) {
    c_writer_line(w, "fill_constant(%s, (float)%.17g, weights->%s);", count, value, b->id);
    return;
  }
  if (!strcmp(init, "glorot")) limit = arena_printf(a, "sqrt(6.0 / %s)", count_fans(m, b));
  if (!strcmp(init, "kaiming_uniform"))
    limit =
        arena_printf(a, "sqrt(1.0 / %lld)", (long long)count_inputs(b)); /* with the slope sqrt(5) of torch.nn.Linear */
  bool is_normal = read_number(init, "normal", &value);
  if (is_normal || read_number(init, "uniform", &value)) limit = arena_printf(a, "%.17g", value);
  if (!limit)
    c_model_fail(m, m->module, DIAG_internal, "weight '%s' has the unknown init '%s'", b->name, init);
  else
    c_writer_line(w, "%s(seed, %zu, %s, %s, weights->%s);", is_normal ? "fill_normal" : "fill_uniform", number, count,
                  limit, b->id);
}

void c_train_emit_initialize(c_model *m, c_writer *w) {
  const c_buffers *weights = weights_of(m);
  c_writer_line(w, "if (!bound || !weights) return GNNC_ERROR_NULL;");
  emit_bound(w, "GNNC_ERROR_NOT_BOUND");
  c_writer_line(w, "(void)header, (void)seed;");
  for (size_t i = 0; i < weights->count; i++)
    c_writer_line(w, "if (!weights->%s) return GNNC_ERROR_NULL;", weights->items[i].id);
  for (size_t i = 0; i < weights->count; i++) emit_fill(m, w, &weights->items[i], i);
  c_writer_line(w, "return GNNC_OK;");
}

/* ---- all functions ---- */

void c_train_emit(c_model *m, c_writer *w) {
  if (!m->is_training) return;
  if (!m->is_backward) {
    emit_place(m, w);
    emit_find(w);
  }
  for (const c_phase_function *f = c_phases_functions(m); f->name; f++) {
    c_signature_open(m, w, f);
    f->emit(m, w);
    close_function(w);
  }
}
