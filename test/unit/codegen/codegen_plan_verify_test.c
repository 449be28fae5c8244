/* The verifier of plans finds the mistake in plans that are made by hand. */
#include "codegen/graphagile/plan/plan_verify.h"
#include "unit.h"

enum { FIBER = 64, LAYERS = 3 };

/* Layers 0 and 1 make the two halves of y; layer 2 makes z from y. */
typedef struct fixture {
  graphagile_plan plan;
  graphagile_plan_tensor y, left, right, z;
  graphagile_plan_layer layers[LAYERS];
  graphagile_plan_output output;
  char said[128]; /* the line and the text of the last message */
} fixture;

static void set_up(fixture *f) {
  *f = (fixture){0};
  f->y = (graphagile_plan_tensor){
      .name = "y", .place = GRAPHAGILE_PLAN_HIDDEN, .fibers = 2, .bytes = 2 * FIBER, .address = 4096};
  f->left = (graphagile_plan_tensor){.name = "left", .place = GRAPHAGILE_PLAN_HIDDEN, .fibers = 1, .whole = &f->y};
  f->right = (graphagile_plan_tensor){
      .name = "right", .place = GRAPHAGILE_PLAN_HIDDEN, .fibers = 1, .whole = &f->y, .window = 1};
  f->z = (graphagile_plan_tensor){
      .name = "z", .place = GRAPHAGILE_PLAN_HIDDEN, .fibers = 1, .bytes = FIBER, .address = 4096 + 2 * FIBER};
  f->layers[0] = (graphagile_plan_layer){.kind = GRAPHAGILE_PLAN_gemm, .result = &f->left, .file = "m.gnn", .line = 1};
  f->layers[1] = (graphagile_plan_layer){.kind = GRAPHAGILE_PLAN_gemm, .result = &f->right, .file = "m.gnn", .line = 2};
  f->layers[2] = (graphagile_plan_layer){
      .kind = GRAPHAGILE_PLAN_gemm, .result = &f->z, .file = "m.gnn", .line = 3, .gemm.in = &f->y};
  f->output = (graphagile_plan_output){.tensor = &f->z};
  f->plan.arena = arena_create();
  f->plan.diag = diag_create(stderr);
  f->plan.layers.items = f->layers;
  f->plan.layers.count = LAYERS;
  f->plan.outputs.items = &f->output;
  f->plan.outputs.count = 1;
}

static void keep_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                         unsigned column, const char *message) {
  fixture *f = user;
  (void)severity, (void)id, (void)file, (void)column;
  snprintf(f->said, sizeof f->said, "%u: %s", line, message);
}

static void tear_down(fixture *f) {
  diag_destroy(f->plan.diag);
  arena_destroy(f->plan.arena);
}

static void expect(fixture *f, const char *message) {
  diag_set_sink(f->plan.diag, keep_message, f);
  CHECK(!graphagile_plan_verify(&f->plan));
  CHECK_STR(f->said, message);
  tear_down(f);
}

TEST(a_plan_without_a_mistake_is_one) {
  fixture f;
  set_up(&f);
  CHECK(graphagile_plan_verify(&f.plan));
  tear_down(&f);
}

TEST(all_parts_of_what_is_read_are_made_before) {
  fixture f;
  set_up(&f);
  f.layers[1].result = &f.left;
  expect(&f, "3: 'y' is read before it is made");
}

TEST(epilogues_read_what_earlier_layers_made) {
  fixture f;
  set_up(&f);
  f.layers[0].epilogues[0].other = &f.right;
  f.layers[0].num_epilogues = 1;
  expect(&f, "1: 'right' is read before it is made");
}

TEST(windows_lie_in_their_tensors) {
  fixture f;
  set_up(&f);
  f.right.window = 2;
  expect(&f, "2: 'right' is no part of 'y'");
}

TEST(a_result_does_not_lie_where_operands_of_its_layer_are) {
  fixture f;
  set_up(&f);
  f.z.address = f.y.address + FIBER;
  expect(&f, "0: 'y' and 'z' share memory while both are needed");
}

TEST(outputs_are_made) {
  fixture f;
  set_up(&f);
  f.plan.layers.count = 2;
  expect(&f, "0: 'z' is read before it is made");
}
