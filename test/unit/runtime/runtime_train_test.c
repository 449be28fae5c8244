/* Checkpoints of training sessions: what is written is read back, and a file with another content is
 * refused with what was found and expected. The program is test/train/logistic.c. */
#include "data/formats/safetensors.h"
#include "runtime/native.h"
#include "runtime/train_checkpoint.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 3, COLUMNS = 2, EPOCHS = 3 };

static const char *folder(void) {
  static char made[] = "/tmp/gnnc-train-XXXXXX";
  static bool is_made;
  if (!is_made) is_made = mkdtemp(made) != NULL;
  return made;
}

__attribute__((destructor)) static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder());
  if (system(command)) perror(command);
}

static const char *path(const char *name) {
  static char made[4][64];
  static int next;
  char *at = made[next = (next + 1) % 4];
  snprintf(at, sizeof made[0], "%s/%s", folder(), name);
  return at;
}

static gnnc_program *open_program(void) {
  const gnnc_program_options how = {.flags = "-O1 -DCOLUMNS=2 -I" GNNC_SOURCE_DIR "/runtime"};
  gnnc_program *program = NULL;
  CHECK_OK(native_open_train(GNNC_SOURCE_DIR "/test/train/logistic.c", &how, &program));
  return program;
}

static void add(tensor_set *set, const char *name, dtype d, int32_t rank, int64_t rows, int64_t columns,
                const void *values, size_t size) {
  void *data = NULL;
  CHECK_OK(tensor_set_add(set, name, d, rank, (int64_t[]){rows, columns}, &data));
  memcpy(data, values, size);
}

static tensor_set *make_tensors(void) {
  static const int64_t edges[2][2] = {{0, 1}, {1, 2}};
  static const float x[NODES][COLUMNS] = {{1, 0}, {0, 1}, {1, 1}};
  static const int32_t y[NODES] = {0, 1, 1};
  static const unsigned char mask[NODES] = {1, 1, 0};
  tensor_set *set = tensor_set_create("graph");
  add(set, "edge_index", DTYPE_I64, 2, 2, 2, edges, sizeof edges);
  add(set, "x", DTYPE_F32, 2, NODES, COLUMNS, x, sizeof x);
  add(set, "y", DTYPE_I32, 1, NODES, 0, y, sizeof y);
  add(set, "train_mask", DTYPE_U8, 1, NODES, 0, mask, sizeof mask);
  return set;
}

/* A session after three steps, and its record. */
typedef struct trained {
  gnnc_program *program;
  tensor_set *tensors;
  graph *graph;
  train_session *session;
  train_record record;
  train_epoch curve[EPOCHS];
} trained;

static const gnnc_optimizer adam = {
    .size = sizeof adam, .kind = GNNC_ADAM, .rate = 0.1f, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f};

static void begin(trained *t) {
  memset(t, 0, sizeof *t);
  t->program = open_program();
  t->tensors = make_tensors();
  CHECK_OK(graph_create(t->tensors, &t->graph));
  const train_request request = {.graph = t->graph, .seed = 5};
  CHECK_OK(train_create(t->program, &request, &t->session));
  t->record.best = train_allocate_weights(t->session);
  t->record.moments = 2;
}

static void train_on(trained *t, int steps) {
  float loss = 0;
  for (int i = 0; i < steps; i++) CHECK_OK(train_step(t->session, &adam, &loss));
}

static void end(trained *t) {
  train_destroy(t->session);
  graph_close(t->graph);
  tensor_set_destroy(t->tensors);
  gnnc_program_close(t->program);
}

/* Writes the checkpoint of three steps. */
static void write_checkpoint(trained *t) {
  begin(t);
  train_on(t, EPOCHS);
  train_copy_weights(t->session, t->session->weights, t->record.best);
  for (int i = 0; i < EPOCHS; i++) t->curve[i] = (train_epoch){0.5 / (i + 1), 1, 0.25, 0, 2};
  t->record.curve = t->curve;
  t->record.epochs = EPOCHS;
  t->record.best_epoch = 2;
  t->record.best_value = 0.1;
  CHECK_OK(train_checkpoint_write(path("c.safetensors"), t->session, &t->record));
}

TEST(a_checkpoint_brings_back_the_session) {
  trained first, second;
  tensor_set *set = NULL;
  write_checkpoint(&first);
  begin(&second);
  CHECK_OK(train_checkpoint_open(path("c.safetensors"), "logistic", &set));
  CHECK_OK(train_checkpoint_read(set, second.session, &second.record));
  CHECK(second.record.epochs == EPOCHS);
  CHECK(second.record.best_epoch == 2);
  CHECK(second.record.best_value == 0.1);
  CHECK(!memcmp(second.record.curve, first.curve, sizeof first.curve));
  train_on(&first, 4);
  train_on(&second, 4);
  for (int32_t i = 0; i < first.session->info->num_weights; i++) {
    size_t bytes = (size_t)first.session->counts[i] * sizeof(float);
    CHECK(!memcmp(first.session->weights[i], second.session->weights[i], bytes));
    CHECK(!memcmp(first.record.best[i], second.record.best[i], bytes));
  }
  tensor_set_destroy(set);
  end(&first);
  end(&second);
}

/* Copies the checkpoint without a tensor, or with another value of a metadata entry, and reads it. */
static void expect_refusal(trained *t, const char *left_out, const char *key, const char *value, const char *message) {
  tensor_set *whole = NULL, *set = NULL, *copy = tensor_set_create("copy");
  CHECK_OK(safetensors_open(path("c.safetensors"), &whole));
  for (size_t i = 0; i < whole->count; i++)
    if (!left_out || strcmp(whole->tensors[i].name, left_out) != 0)
      CHECK_OK(tensor_set_add_view(copy, &whole->tensors[i]));
  for (size_t i = 0; i < whole->metadata_count; i++)
    tensor_set_put_metadata(copy, whole->metadata[i].key, whole->metadata[i].value);
  if (key) tensor_set_put_metadata(copy, key, value);
  CHECK_OK(safetensors_write(path("d.safetensors"), copy));
  CHECK_OK(train_checkpoint_open(path("d.safetensors"), "logistic", &set));
  CHECK_FAILS(train_checkpoint_read(set, t->session, &t->record), message);
  tensor_set_destroy(set);
  tensor_set_destroy(copy);
  tensor_set_destroy(whole);
}

TEST(a_checkpoint_with_parts_missing_or_wrong_is_refused) {
  trained t;
  write_checkpoint(&t);
  expect_refusal(&t, "lin.weight", NULL, NULL, "'lin.weight'");
  expect_refusal(&t, "optimizer.v.lin.bias", NULL, NULL,
                 "no tensor 'optimizer.v.lin.bias', which a checkpoint of this program has");
  expect_refusal(&t, "best.lin.bias", NULL, NULL, "no tensor 'best.lin.bias'");
  expect_refusal(&t, "checkpoint.curve", NULL, NULL, "'checkpoint.curve' is not F64[3, 5], one row per epoch");
  expect_refusal(&t, NULL, "epoch", "4", "'checkpoint.curve' is not F64[4, 5], one row per epoch");
  expect_refusal(&t, NULL, "epoch", "-1", "metadata 'epoch' is '-1', expected a number from 0 to");
  expect_refusal(&t, NULL, "best_epoch", "-1", "metadata 'best_epoch' is '-1', expected a number from 0 to 3");
  expect_refusal(&t, NULL, "best_epoch", "4", "metadata 'best_epoch' is '4', expected a number from 0 to 3");
  expect_refusal(&t, NULL, "best_value", "x", "metadata 'best_value' is 'x', expected a number");
  expect_refusal(&t, NULL, "optimizer_steps", "", "metadata 'optimizer_steps' is '', expected a number from 0 to");
  end(&t);
}

TEST(the_first_tensor_that_is_not_finite_is_named) {
  trained t;
  begin(&t);
  train_on(&t, 1);
  CHECK(!train_find_not_finite(t.session));
  t.session->weights[1][0] = INFINITY;
  CHECK_STR(train_find_not_finite(t.session), "'lin.bias'");
  train_on(&t, 1);
  CHECK_STR(train_find_not_finite(t.session), "the gradient of 'lin.weight'");
  end(&t);
}
