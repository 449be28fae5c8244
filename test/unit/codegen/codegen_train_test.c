/* Programs of training: gradients and evaluation with weights as arguments, first values, the state, and 20 steps of
 * each optimizer against a reading of torch.optim in double. */
#include "codegen_train_fixture.h"

#include <stddef.h>

/* The pointers that gradients writes to; the scale has none. */
typedef struct results {
  float matrix[TRAIN_DEPTH * TRAIN_WIDTH], relation[TRAIN_TYPES * 2], embedding[TRAIN_NODES * 2], mean[2], loss;
  float *pointers[TRAIN_WEIGHTS + 1];
} results;

static gnnc_result compute(train_fixture *t, results *r) {
  float *const pointers[TRAIN_WEIGHTS + 1] = {r->matrix, r->relation, r->embedding, r->mean, NULL, &r->loss};
  memcpy(r->pointers, pointers, sizeof pointers);
  return t->info->gradients(t->bound, t->inputs, t->weights, r->pointers, t->workspace, NULL);
}

static void check_functions(codegen_c_options options) {
  train_fixture t;
  if (!train_begin(&t, options, "")) return;
  results r;
  float y[TRAIN_NODES * TRAIN_WIDTH], loss = 0;
  void *outputs[] = {y, &loss};
  CHECK_INT(compute(&t, &r), GNNC_OK);
  CHECK_INT(t.info->evaluate(t.bound, t.inputs, t.weights, outputs, t.workspace, NULL), GNNC_OK);
  double expected = 0;
  for (int i = 0; i < TRAIN_DEPTH * TRAIN_WIDTH; i++) {
    CHECK_NEAR(r.matrix[i], t.a[i] * t.matrix[i], 1e-6);
    expected += 0.5 * (double)t.a[i] * (double)t.matrix[i] * (double)t.matrix[i];
  }
  CHECK_NEAR(r.loss, expected, 1e-5);
  CHECK_NEAR(loss, expected, 1e-5);
  CHECK(!memcmp(r.relation, t.relation, sizeof r.relation));
  CHECK(!memcmp(r.embedding, t.embedding, sizeof r.embedding));
  CHECK_NEAR(r.mean[1], 0.5, 0);
  for (int n = 0; n < TRAIN_NODES; n++)
    for (int j = 0; j < TRAIN_WIDTH; j++) {
      double product = 0;
      for (int k = 0; k < TRAIN_DEPTH; k++)
        product += (double)t.x[n * TRAIN_DEPTH + k] * (double)t.matrix[k * TRAIN_WIDTH + j];
      CHECK_NEAR(y[n * TRAIN_WIDTH + j], product, 1e-5);
    }
  train_end(&t);
}

TEST(gradients_and_evaluate_take_weights_as_arguments) {
  check_functions((codegen_c_options){0});
  check_functions((codegen_c_options){.is_f64 = true});
}

TEST(the_tables_tell_what_training_does_with_each_weight) {
  train_fixture t;
  if (!train_begin(&t, (codegen_c_options){0}, "")) return;
  static const struct {
    const char *name, *init;
    int is_trained, is_updated;
  } expected[TRAIN_WEIGHTS] = {{"matrix", "glorot", 1, 0},
                               {"relation", "uniform 0.25", 1, 0},
                               {"embedding", "glorot", 1, 0},
                               {"mean", "ones", 0, 1},
                               {"scale", "normal 3", 0, 0}};
  CHECK_STR(t.info->name, "m");
  CHECK_INT(t.info->size, sizeof(gnnc_train_info));
  CHECK_INT(t.info->num_weights, TRAIN_WEIGHTS);
  for (int i = 0; i < TRAIN_WEIGHTS; i++) {
    CHECK_STR(t.info->weights[i].name, expected[i].name);
    CHECK_STR(t.info->weight_infos[i].init, expected[i].init);
    CHECK_INT(t.info->weight_infos[i].is_trained, expected[i].is_trained);
    CHECK_INT(t.info->weight_infos[i].is_updated, expected[i].is_updated);
  }
  CHECK_INT(t.info->weights[TRAIN_embedding].rows, GNNC_ROWS_NODE);
  CHECK_INT(t.info->weights[TRAIN_relation].count, TRAIN_TYPES);
  CHECK_INT(t.info->num_outputs, 2);
  CHECK_STR(t.info->outputs[1].name, "nll");
  CHECK_HAS(text_str(&t.f.output.manifest), "\"training\": true");
  CHECK_HAS(text_str(&t.f.output.manifest), "\"loss\": true");
  CHECK_HAS(text_str(&t.f.output.manifest), "\"init\": \"uniform 0.25\"");
  CHECK_HAS(text_str(&t.f.output.header), "  float *relation; /* f32 [2 edge types, 2], in files: file.relation */");
  CHECK_HAS(text_str(&t.f.output.header), "  float *nll; /* f32 [] */\n} m_train_gradients_out;");
  train_end(&t);
}

TEST(initialize_fills_weights_as_their_init_says) {
  train_fixture t;
  if (!train_begin(&t, (codegen_c_options){0}, "")) return;
  float largest = 0, before[TRAIN_DEPTH * TRAIN_WIDTH];
  for (int i = 0; i < TRAIN_TYPES * 2; i++) largest = fmaxf(largest, fabsf(t.relation[i]));
  CHECK(largest > 0 && largest <= 0.25f);
  for (int i = 0; i < TRAIN_DEPTH * TRAIN_WIDTH; i++) CHECK(fabsf(t.matrix[i]) <= 1.0955f); /* sqrt(6 / (3 + 2)) */
  CHECK(t.mean[0] == 1 && t.mean[1] == 1 && t.scale != 0);
  memcpy(before, t.matrix, sizeof before);
  CHECK_INT(t.info->initialize(t.bound, t.weights, 1), GNNC_OK);
  CHECK(!memcmp(before, t.matrix, sizeof before));
  CHECK_INT(t.info->initialize(t.bound, t.weights, 2), GNNC_OK);
  CHECK(memcmp(before, t.matrix, sizeof before) != 0);
  train_end(&t);
}

/* ---- optimizers ---- */

/* One number with its moments, changed as torch.optim does it, in double. */
typedef struct reading {
  double w, m, v;
} reading;

static void read_step(reading *r, double gradient, const gnnc_optimizer *o, double factor, int step) {
  double decay = (double)o->decay * factor, rate = (double)o->rate, beta1 = (double)o->beta1, beta2 = (double)o->beta2;
  if (o->kind == GNNC_ADAMW)
    r->w *= 1 - rate * decay;
  else
    gradient += decay * r->w;
  if (o->kind == GNNC_SGD) {
    r->m = step == 1 ? gradient : (double)o->momentum * r->m + gradient;
    r->w -= rate * r->m;
    return;
  }
  r->m = beta1 * r->m + (1 - beta1) * gradient;
  r->v = beta2 * r->v + (1 - beta2) * gradient * gradient;
  double root = sqrt(r->v) / sqrt(1 - pow(beta2, step));
  r->w -= rate / (1 - pow(beta1, step)) * r->m / (root + (double)o->epsilon);
}

enum { MATRIX = TRAIN_DEPTH * TRAIN_WIDTH, RELATION = TRAIN_TYPES * 2, EMBEDDING = TRAIN_NODES * 2 };
enum { NUMBERS = MATRIX + RELATION + EMBEDDING };

/* The number of the model with this place among all numbers of trained weights, and its gradient by the model's rule. */
static float *number_at(train_fixture *t, int i) {
  if (i < MATRIX) return &t->matrix[i];
  return i < MATRIX + RELATION ? &t->relation[i - MATRIX] : &t->embedding[i - MATRIX - RELATION];
}

static double gradient_at(const train_fixture *t, int i, double w) {
  return i < MATRIX ? (double)t->a[i] * w : w;
}

static void check_optimizer(gnnc_optimizer o) {
  static const float factors[TRAIN_WEIGHTS] = {1, 0, 0.5f, 7, 7};
  train_fixture t;
  if (!train_begin(&t, (codegen_c_options){0}, "")) return;
  reading readings[NUMBERS];
  for (int i = 0; i < NUMBERS; i++) readings[i] = (reading){.w = (double)*number_at(&t, i)};
  float scale = t.scale;
  for (int step = 1; step <= 20; step++) {
    double squares = 0, factor = 1;
    for (int i = 0; i < NUMBERS; i++) squares += pow(gradient_at(&t, i, readings[i].w), 2);
    if (o.clip > 0) factor = fmin(1, (double)o.clip / (sqrt(squares) + 1e-6));
    for (int i = 0; i < NUMBERS; i++)
      read_step(&readings[i], factor * gradient_at(&t, i, readings[i].w), &o,
                o.decays ? (double)factors[i < MATRIX              ? 0
                                           : i < MATRIX + RELATION ? 1
                                                                   : 2]
                         : 1,
                step);
    float loss = -1;
    o.decays = o.decays ? factors : NULL;
    CHECK_INT(t.info->step(t.bound, t.inputs, t.weights, t.state, &o, &loss, t.workspace, NULL), GNNC_OK);
    CHECK(loss >= 0);
  }
  for (int i = 0; i < NUMBERS; i++) CHECK_NEAR(*number_at(&t, i), readings[i].w, 2e-6);
  CHECK_INT(*t.info->state_steps(t.state), 20);
  CHECK(t.mean[0] == ldexpf(1, -20));
  CHECK(t.scale == scale);
  float *m = NULL;
  int64_t count = 0;
  CHECK_INT(t.info->state_tensor(t.bound, t.state, TRAIN_matrix, GNNC_STATE_M, &m, &count), GNNC_OK);
  CHECK_INT(count, MATRIX);
  if (o.kind != GNNC_SGD || o.momentum > 0) CHECK_NEAR(m[1], readings[1].m, 2e-6);
  train_end(&t);
}

TEST(twenty_steps_of_each_optimizer_are_those_of_torch) {
  static const float some[1] = {0};
  const gnnc_optimizer sgd = {.size = sizeof sgd, .kind = GNNC_SGD, .rate = 0.1f};
  const gnnc_optimizer adam = {.size = sizeof adam,
                               .kind = GNNC_ADAM,
                               .rate = 0.01f,
                               .decay = 0.05f,
                               .beta1 = 0.9f,
                               .beta2 = 0.999f,
                               .epsilon = 1e-8f};
  gnnc_optimizer o = sgd;
  check_optimizer(o);
  o.momentum = 0.9f;
  o.decay = 0.1f;
  o.clip = 0.5f;
  check_optimizer(o);
  o = adam;
  check_optimizer(o);
  o.decays = some;
  o.clip = 1.5f;
  check_optimizer(o);
  o.kind = GNNC_ADAMW;
  o.decay = 0.5f;
  check_optimizer(o);
}

/* ---- what is refused ---- */

TEST(step_refuses_what_it_cannot_use_and_leaves_the_weights) {
  train_fixture t;
  if (!train_begin(&t, (codegen_c_options){0}, "")) return;
  gnnc_optimizer o = {.size = sizeof o, .kind = GNNC_SGD, .rate = 1};
  const gnnc_train_info *i = t.info;
  float before[MATRIX];
  memcpy(before, t.matrix, sizeof before);
  CHECK_INT(i->step(NULL, t.inputs, t.weights, t.state, &o, NULL, t.workspace, NULL), GNNC_ERROR_NULL);
  CHECK_INT(i->step(t.bound, t.inputs, t.weights, t.state, NULL, NULL, t.workspace, NULL), GNNC_ERROR_NULL);
  CHECK_INT(i->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, NULL, NULL), GNNC_ERROR_NULL);
  CHECK_INT(i->step(t.state, t.inputs, t.weights, t.state, &o, NULL, t.workspace, NULL), GNNC_ERROR_NOT_BOUND);
  o.kind = 3;
  CHECK_INT(i->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, t.workspace, NULL), GNNC_ERROR_OPTIMIZER);
  o.kind = GNNC_ADAM;
  o.beta2 = 1;
  CHECK_INT(i->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, t.workspace, NULL), GNNC_ERROR_OPTIMIZER);
  o = (gnnc_optimizer){.size = sizeof o - 1, .kind = GNNC_SGD, .rate = 1};
  CHECK_INT(i->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, t.workspace, NULL), GNNC_ERROR_VERSION);
  o.size = sizeof o;
  float *kept = t.weights[TRAIN_mean];
  t.weights[TRAIN_mean] = NULL;
  CHECK_INT(i->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, t.workspace, NULL), GNNC_ERROR_NULL);
  t.weights[TRAIN_mean] = kept;
  float *data = NULL;
  int64_t count = 1;
  CHECK_INT(i->state_tensor(t.bound, t.state, TRAIN_scale, GNNC_STATE_M, &data, &count), GNNC_OK);
  CHECK(!data && !count);
  CHECK_INT(i->state_tensor(t.bound, t.state, TRAIN_WEIGHTS, GNNC_STATE_M, &data, &count), GNNC_ERROR_COUNT);
  CHECK_INT(i->state_tensor(t.bound, t.state, 0, 3, &data, &count), GNNC_ERROR_COUNT);
  memset(t.state, 0, 128);
  CHECK_INT(i->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, t.workspace, NULL), GNNC_ERROR_STATE);
  CHECK(!i->state_steps(t.state));
  CHECK(!memcmp(before, t.matrix, sizeof before));
  train_end(&t);
}

TEST(a_context_without_a_step_is_taken) {
  train_fixture t;
  if (!train_begin(&t, (codegen_c_options){0}, "")) return;
  const gnnc_optimizer o = {.size = sizeof o, .kind = GNNC_SGD, .rate = 1};
  gnnc_context context = {.size = offsetof(gnnc_context, step)};
  CHECK_INT(t.info->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, t.workspace, &context), GNNC_OK);
  context.size--;
  CHECK_INT(t.info->step(t.bound, t.inputs, t.weights, t.state, &o, NULL, t.workspace, &context), GNNC_ERROR_VERSION);
  train_end(&t);
}

/* ---- the files ---- */

TEST(a_training_file_and_the_header_of_another_model_fit_in_one_program) {
  fixture f;
  CHECK(fixture_emit(&f, train_model, (codegen_c_options){.header_name = "model.h"}));
  CHECK_INT(fixture_shell(&f,
                          "sed 's/m_train/n/g; s/GNNC_M_TRAIN_MODEL/GNNC_N_MODEL/' model.h > second.h && "
                          "printf '#include \"model.h\"\\n#include \"second.h\"\\nint main() { return GNNC_OK; }\\n' "
                          "> b.cpp && c++ -Wall -Wextra -Wpedantic -Werror -c b.cpp -o b.o"),
            0);
  CHECK_INT(fixture_shell(&f, FIXTURE_CC " -std=c17 -O2 -c model.c -o c.o && ! nm -g --defined-only c.o | awk '{print "
                                         "$3}' | grep -v '^m_train_'"),
            0);
  CHECK_INT(fixture_shell(&f, "! nm c.o | grep -E ' U (malloc|printf|fopen|abort)'"), 0);
  fixture_end(&f);
}

/* ---- gradients of the caller ---- */

static void check_apply(const gnnc_optimizer *o) {
  train_fixture t;
  if (!train_begin(&t, (codegen_c_options){0}, "")) return;
  float expected[NUMBERS], mean[2], before[NUMBERS], loss = 0;
  results r;
  for (int i = 0; i < NUMBERS; i++) before[i] = *number_at(&t, i);
  memcpy(mean, t.mean, sizeof mean);
  for (int step = 0; step < 3; step++)
    CHECK_INT(t.info->step(t.bound, t.inputs, t.weights, t.state, o, &loss, t.workspace, NULL), GNNC_OK);
  for (int i = 0; i < NUMBERS; i++) expected[i] = *number_at(&t, i);
  float after[2] = {t.mean[0], t.mean[1]};
  for (int i = 0; i < NUMBERS; i++) *number_at(&t, i) = before[i];
  memcpy(t.mean, mean, sizeof mean);
  CHECK_INT(t.info->reset(t.bound, t.state), GNNC_OK);
  for (int step = 0; step < 3; step++) {
    CHECK_INT(compute(&t, &r), GNNC_OK);
    CHECK_INT(t.info->apply(t.bound, r.pointers, t.weights, t.state, o, NULL), GNNC_OK);
  }
  for (int i = 0; i < NUMBERS; i++) CHECK(*number_at(&t, i) == expected[i]);
  CHECK(t.mean[0] == after[0] && t.mean[1] == after[1]);
  CHECK_INT(*t.info->state_steps(t.state), 3);
  float *const kept = r.pointers[0];
  r.pointers[0] = NULL;
  CHECK_INT(t.info->apply(t.bound, r.pointers, t.weights, t.state, o, NULL), GNNC_ERROR_NULL);
  r.pointers[0] = kept;
  CHECK_INT(t.info->apply(t.bound, r.pointers, t.weights, NULL, o, NULL), GNNC_ERROR_NULL);
  CHECK_INT(t.info->apply(t.bound, r.pointers, t.weights, t.workspace, o, NULL), GNNC_ERROR_STATE);
  CHECK_INT(*t.info->state_steps(t.state), 3);
  train_end(&t);
}

TEST(gradients_and_apply_are_a_step) {
  const gnnc_optimizer adam = {.size = sizeof adam,
                               .kind = GNNC_ADAMW,
                               .rate = 0.1f,
                               .decay = 0.01f,
                               .beta1 = 0.9f,
                               .beta2 = 0.999f,
                               .epsilon = 1e-8f,
                               .clip = 0.5f};
  const gnnc_optimizer sgd = {.size = sizeof sgd, .kind = GNNC_SGD, .rate = 0.1f, .momentum = 0.9f};
  check_apply(&adam);
  check_apply(&sgd);
}
