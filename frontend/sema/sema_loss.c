/* Training: takes out what only the loss reads where nothing is trained, and evaluates how weights begin.
 *
 *   input y : node f32; ... loss nll = cross_entropy(logits, y);       without training y is no argument
 *   weight W : f32[F, out] init kaiming_uniform(F);                    init "uniform", init_fan F */
#include "frontend/sema/sema_state.h"

#include <math.h>
#include <string.h>

/* ---- what only the loss reads ---- */

static void mark(flat_id id, bool *is_read) {
  if (id != FLAT_NONE) is_read[id] = true;
}

/* Marks what a value reads; the body of a fold comes before the fold in the list. */
static void mark_operands(const flat_value *v, bool *is_read) {
  for (unsigned i = 0; i < FLAT_MAX_OPERANDS; i++) mark(v->operands[i], is_read);
  if (v->op != FLAT_fold) return;
  for (size_t i = 0; i < v->body_count; i++) mark(v->body[i], is_read);
  mark(v->state, is_read);
  mark(v->step, is_read);
  mark(v->yield, is_read);
}

/* Marks everything that the marked values read. */
static void mark_all(const flat_program *p, bool *is_read) {
  for (size_t i = p->values.count; i-- > 0;)
    if (is_read[i]) mark_operands(p->values.items[i], is_read);
}

/* Whether each value stays: not what the loss reads and no output does, nor what reads such a value. After an error
 * values are missing, and only what the outputs read is known to stay. */
static bool *find_kept(sema *s) {
  const flat_program *p = s->flat;
  size_t count = p->values.count;
  bool is_whole = !diag_has_errors(s->diag);
  bool *of_loss = arena_alloc_array(s->arena, count + 1, sizeof *of_loss);
  bool *is_kept = arena_alloc_array(s->arena, count + 1, sizeof *is_kept);
  if (p->loss.name) mark(p->loss.value, of_loss);
  for (size_t i = 0; i < p->outputs.count; i++) mark(p->outputs.items[i].value, is_kept);
  mark_all(p, of_loss);
  mark_all(p, is_kept);
  for (size_t i = 0; i < count; i++) {
    const flat_value *v = p->values.items[i];
    bool reads_lost = false;
    for (unsigned k = 0; k < FLAT_MAX_OPERANDS; k++)
      reads_lost |= v->operands[k] != FLAT_NONE && !is_kept[v->operands[k]];
    is_kept[i] |= v->op == FLAT_graph || (is_whole && !of_loss[i] && !reads_lost && !v->is_inside);
    if (is_kept[i]) mark_operands(v, is_kept);
  }
  return is_kept;
}

static flat_id moved(const flat_id *to, flat_id id) {
  return id == FLAT_NONE ? id : to[id];
}

/* Takes the other values out of the program and numbers those that are kept. */
static void keep(sema *s, const bool *is_kept) {
  flat_program *p = s->flat;
  flat_id *to = arena_alloc_array(s->arena, p->values.count + 1, sizeof *to);
  size_t count = 0;
  for (size_t i = 0; i < p->values.count; i++) {
    to[i] = is_kept[i] ? (flat_id)count : FLAT_NONE;
    if (is_kept[i]) p->values.items[count++] = p->values.items[i];
  }
  p->values.count = count;
  for (size_t i = 0; i < count; i++) {
    flat_value *v = p->values.items[i];
    for (unsigned k = 0; k < FLAT_MAX_OPERANDS; k++) v->operands[k] = moved(to, v->operands[k]);
    if (v->op != FLAT_fold) continue;
    flat_id *body = arena_alloc_array(s->arena, v->body_count + 1, sizeof *body);
    for (size_t k = 0; k < v->body_count; k++) body[k] = moved(to, v->body[k]);
    v->body = body;
    v->state = moved(to, v->state);
    v->step = moved(to, v->step);
    v->yield = moved(to, v->yield);
  }
  for (size_t i = 0; i < p->outputs.count; i++) p->outputs.items[i].value = moved(to, p->outputs.items[i].value);
  p->loss = (flat_output){.value = FLAT_NONE};
}

bool sema_hold(sema *s) {
  if (!s->may_lack) return false;
  s->held = arena_alloc(s->arena, sizeof *s->held);
  s->held->frame = s->scope->frame;
  return true;
}

sema_held *sema_release(sema *s) {
  sema_held *held = s->held;
  s->held = NULL;
  return held;
}

void sema_keep_held(sema *s, sema_held *held, flat_id id) {
  if (!held || !held->messages.count || id == FLAT_NONE) return;
  held->id = id;
  VEC_PUSH(s->arena, &s->held_back, held);
}

void sema_finish_loss(sema *s) {
  if (!s->may_lack) return;
  const bool *is_kept = find_kept(s);
  for (size_t i = 0; i < s->held_back.count; i++) {
    const sema_held *held = s->held_back.items[i];
    for (size_t k = 0; is_kept[held->id] && k < held->messages.count; k++) {
      const sema_message *m = &held->messages.items[k];
      if (m->is_note)
        sema_note(s, m->where, "%s", m->text);
      else
        sema_error_in(s, held->frame, m->key, m->where, m->id, "%s", m->text);
    }
    sema_flush(s);
  }
  keep(s, is_kept);
}

/* ---- gradients for another program's loss ---- */

static bool is_real_input(const flat_program *p, const char *name, size_t size) {
  for (size_t i = 0; i < p->values.count; i++) {
    const flat_value *v = p->values.items[i];
    if (v->op == FLAT_input && !v->is_trained && !v->type.is_integer && strlen(v->name) == size &&
        !strncmp(v->name, name, size))
      return true;
  }
  return false;
}

void sema_check_gradients(sema *s, span where) {
  const char *at = s->env->backward;
  if (!at || !strcmp(at, "all") || !strcmp(at, "weights")) return;
  for (;; at++) {
    size_t size = strcspn(at, ",");
    if (!is_real_input(s->flat, at, size))
      sema_error(s, where, DIAG_unknown_name, "--emit-grad: the model has no input '%.*s' of real numbers", (int)size,
                 at);
    at += size;
    if (!*at) return;
  }
}

/* ---- how weights begin ---- */

typedef enum init_argument { INIT_none, INIT_number, INIT_fan } init_argument;

static const struct {
  const char *name;
  init_argument argument;
  const char *example;
} inits[] = {
    {"glorot", INIT_none, "glorot"},
    {"zeros", INIT_none, "zeros"},
    {"ones", INIT_none, "ones"},
    {"constant", INIT_number, "constant(0.25)"},
    {"uniform", INIT_number, "uniform(0.1)"},
    {"normal", INIT_number, "normal(0.1)"},
    {"kaiming_uniform", INIT_fan, "kaiming_uniform(F)"},
};
enum { INIT_COUNT = sizeof inits / sizeof *inits };

/* Returns the row of the initialiser; INIT_COUNT after an error. */
static size_t find_init(sema *s, const ast_training *training) {
  const char *names[INIT_COUNT];
  for (size_t i = 0; i < INIT_COUNT; i++) {
    names[i] = inits[i].name;
    if (!strcmp(inits[i].name, training->init.text)) return i;
  }
  sema_error(s, training->init.span, DIAG_unknown_name,
             "'%s' is no initialiser%s; expected glorot, zeros, ones, constant(V), uniform(R), normal(S) or "
             "kaiming_uniform(F)",
             training->init.text, sema_suggest(s, training->init.text, names, INIT_COUNT));
  return INIT_COUNT;
}

static void read_number(sema *s, const ast_training *training, flat_value *v) {
  const ast_expr *e = training->init_value;
  sema_value number = sema_eval(s, e);
  bool is_number = number.kind == SEMA_number, is_width = strcmp(training->init.text, "constant") != 0;
  v->init_value = number.number;
  v->has_init_value = true;
  if (number.kind == SEMA_poison || (is_number && isfinite(number.number) && (!is_width || number.number >= 0))) return;
  sema_error(s, e->span, is_number ? DIAG_number_range : DIAG_not_constant,
             "'%s' takes a number%s that is known when the model is compiled, but %s is %s", training->init.text,
             is_width ? " of at least 0" : "", sema_quote(s, e), sema_describe(s, number));
}

/* The number of values that each result adds up: given, else the rows of the matrix. */
static void read_fan(sema *s, const ast_training *training, flat_type declared, flat_value *v) {
  v->init = "uniform";
  if (training->init_value)
    v->init_fan = sema_eval_size(s, training->init_value);
  else if (declared.rank >= 2)
    v->init_fan = declared.dims[declared.rank - 2];
  else
    sema_error(s, training->init.span, DIAG_arity,
               "only a matrix has rows; a vector begins with 'kaiming_uniform(F)', F the rows of the matrix that it "
               "belongs to");
}

void sema_set_training(sema *s, flat_id id, const ast_training *training, flat_type declared) {
  flat_value *v = sema_flat(s, id);
  v->is_frozen |= training->is_frozen;
  v->is_trained |= training->is_trained;
  if (!training->init.text || v->init) return;
  size_t i = find_init(s, training);
  if (i == INIT_COUNT) return;
  v->init = inits[i].name;
  bool is_given = training->init_value != NULL;
  if ((is_given && inits[i].argument == INIT_none) || (!is_given && inits[i].argument == INIT_number)) {
    sema_error(s, training->init.span, DIAG_arity, "'%s' takes %s: init %s", v->init,
               is_given ? "no argument" : "a number", inits[i].example);
    return;
  }
  if (inits[i].argument == INIT_number) read_number(s, training, v);
  if (inits[i].argument == INIT_fan) read_fan(s, training, declared, v);
}
