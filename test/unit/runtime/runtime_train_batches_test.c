/* Batches of a training: with `accumulate` the weights have the same bits in whatever order, and by however many threads, the
 * batches of a step are computed. The program is test/train/logistic.c. */
#include "runtime/native.h"
#include "runtime/train_batches.h"
#include "unit.h"

#include <string.h>

enum { NODES = 23, COLUMNS = 2, CLASSES = 2, EDGES = 40, NUMBERS = COLUMNS * CLASSES + CLASSES + COLUMNS };

static void *add(tensor_set *set, const char *name, dtype d, int32_t rank, int64_t rows, int64_t columns) {
  void *data = NULL;
  CHECK_OK(tensor_set_add(set, name, d, rank, (int64_t[]){rows, columns}, &data));
  return data;
}

static tensor_set *make_tensors(void) {
  tensor_set *set = tensor_set_create("graph");
  int64_t *ends = add(set, "edge_index", DTYPE_I64, 2, 2, EDGES);
  float *x = add(set, "x", DTYPE_F32, 2, NODES, COLUMNS);
  int32_t *y = add(set, "y", DTYPE_I32, 1, NODES, 0);
  unsigned char *mask = add(set, "train_mask", DTYPE_U8, 1, NODES, 0);
  for (int e = 0; e < EDGES; e++) {
    ends[e] = (5 * e + e / 7) % NODES;
    ends[EDGES + e] = (3 * e + 1) % NODES;
  }
  for (int i = 0; i < NODES * COLUMNS; i++) x[i] = (float)(i * 37 % 41) / 41.0f - 0.5f;
  for (int n = 0; n < NODES; n++) {
    y[n] = n % 3 == 0;
    mask[n] = n % 5 != 0;
  }
  return set;
}

typedef struct trained {
  float numbers[NUMBERS];
  double loss;
} trained;

/* Trains for some epochs; each batch has two of the 18 seeds. */
static trained train(int64_t accumulate, int32_t threads, bool is_backwards) {
  static const gnnc_optimizer adam = {
      .size = sizeof adam, .kind = GNNC_ADAM, .rate = 0.1f, .beta1 = 0.9f, .beta2 = 0.999f, .epsilon = 1e-8f};
  const gnnc_program_options how = {.flags = "-O1 -DCOLUMNS=2 -I" GNNC_SOURCE_DIR "/runtime"};
  const sample_rule rule = {.hops = 1, .fanout = {2}};
  const graph_reach reach = {.extent = REACH_hops, .hops = 1, .follows_in = true};
  gnnc_program *program = NULL;
  train_session *session = NULL;
  train_batches *batches = NULL;
  graph *g = NULL;
  trained out = {0};
  tensor_set *set = make_tensors();
  CHECK_OK(graph_create(set, &g));
  CHECK_OK(native_open_train(GNNC_SOURCE_DIR "/test/train/logistic.c", &how, &program));
  const train_request request = {.graph = g, .seed = 5};
  CHECK_OK(train_create(program, &request, &session));
  const train_batches_request asked = {2, &rule, &reach, threads, accumulate, is_backwards};
  CHECK_OK(train_batches_create(session, &asked, &batches));
  CHECK_INT(batches->count, 9);
  for (int64_t epoch = 1; epoch <= 4; epoch++) CHECK_OK(train_batches_epoch(batches, epoch, &adam, &out.loss));
  const int64_t per_epoch = accumulate ? (9 + accumulate - 1) / accumulate : 9;
  CHECK_INT(*session->info->state_steps(session->state), 4 * per_epoch);
  for (int32_t i = 0, at = 0; i < session->info->num_weights; at += (int)session->counts[i++])
    memcpy(out.numbers + at, session->weights[i], (size_t)session->counts[i] * sizeof(float));
  train_batches_destroy(batches);
  train_destroy(session);
  gnnc_program_close(program);
  graph_close(g);
  tensor_set_destroy(set);
  return out;
}

static void check_equal(trained a, trained b) {
  CHECK(!memcmp(a.numbers, b.numbers, sizeof a.numbers));
  CHECK(a.loss == b.loss);
}

TEST(batches_of_a_step_in_another_order_give_equal_bits) {
  static const int64_t sizes[] = {2, 4, 5, 9, 1000000000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const trained forwards = train(sizes[i], 1, false);
    check_equal(forwards, train(sizes[i], 1, true));
    check_equal(forwards, train(sizes[i], 3, false));
    check_equal(forwards, train(sizes[i], 8, true));
  }
}

TEST(a_step_of_one_batch_is_that_without_accumulation) {
  const trained plain = train(0, 1, false);
  check_equal(plain, train(1, 1, false));
  CHECK(memcmp(plain.numbers, train(2, 1, false).numbers, sizeof plain.numbers) != 0);
}
