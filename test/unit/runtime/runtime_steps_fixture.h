/* Reads and runs host steps of a program for the machine host. The manifest is text with ' in the place of ":
 *
 *   steps_fixture f;
 *   steps_fixture_begin(&f);
 *   CHECK_OK(steps_fixture_read(&f, "{'arrays': [...], 'edge_lists': [" LIST "], 'steps': [...]}"));
 *
 * Section .gnnc.lists has the ends and weights of four edges, then the numbers 1, 2, 3, ... from
 * byte NUMBERS on. */
#ifndef GNNC_TEST_UNIT_RUNTIME_RUNTIME_STEPS_FIXTURE_H
#define GNNC_TEST_UNIT_RUNTIME_RUNTIME_STEPS_FIXTURE_H

#include "runtime/steps/steps.h"
#include "unit.h"

enum { STEPS_EDGES = 4, STEPS_NUMBERS = 24, STEPS_MOST_RESULTS = 32 };

typedef struct steps_data {
  int32_t src[STEPS_EDGES], dst[STEPS_EDGES];
  float weight[STEPS_EDGES];
  float numbers[STEPS_NUMBERS];
} steps_data;

/* Edges 0 -> 0, 1 -> 0, 2 -> 1, 0 -> 1 with weights 1, 2, 3, 4, and the same edges without
 * weights. */
#define NUMBERS "48"
#define ENDS "'name': 'in', 'from_rows': 3, 'to_rows': 2, 'edges': 4, 'src': 0, 'dst': 16"
#define LIST "{" ENDS ", 'weight': 32}"
#define PLAIN_LIST "{" ENDS "}"

typedef struct steps_fixture {
  arena *memory;
  image image;
  steps_data data;
  program_steps steps;
  steps_state *state;
  sim *sim;
  sim_host_stats stats;
} steps_fixture;

__attribute__((unused)) static void steps_fixture_begin(steps_fixture *f) {
  static const steps_data data = {{0, 1, 2, 0}, {0, 0, 1, 1}, {1, 2, 3, 4}, {0}};
  *f = (steps_fixture){.memory = arena_create(), .data = data};
  for (int i = 0; i < STEPS_NUMBERS; i++) f->data.numbers[i] = (float)(i + 1);
  device_default(&f->image.device, &host_machine);
  f->image.sections[IMAGE_LISTS] = (image_section){0, sizeof f->data, (const void *)&f->data};
}

__attribute__((unused)) static void steps_fixture_end(steps_fixture *f) {
  steps_destroy(f->state);
  sim_destroy(f->sim);
  arena_destroy(f->memory);
}

static status steps_fixture_read(steps_fixture *f, const char *words) {
  char *json = arena_strdup(f->memory, words);
  for (char *c = json; *c; c++)
    if (*c == '\'') *c = '"';
  json_error_t error;
  json_t *root = json_loads(json, JSON_REJECT_DUPLICATES, &error);
  if (!root) unit_fail(__FILE__, __LINE__, "%s: %s", error.text, json);
  status s = steps_read(f->memory, &f->image, root, &f->steps);
  json_decref(root);
  return s;
}

/* Runs the steps and keeps array `out`. */
__attribute__((unused)) static void steps_fixture_run(steps_fixture *f, int32_t out) {
  f->steps.arrays[out].is_kept = true;
  CHECK_OK(steps_check_made(f->memory, &f->steps));
  CHECK_OK(sim_create(&f->image, &f->image.device, &(sim_options){.level = SIM_L1}, &f->sim));
  CHECK_OK(steps_create(&f->steps, &f->state));
  CHECK_OK(steps_run(f->state, f->sim, false, &f->stats));
}

__attribute__((unused)) static void steps_fixture_compare(const char *file, int line, steps_fixture *f, int32_t out,
                                                          const float *expected, int64_t count) {
  const step_array *a = &f->steps.arrays[out];
  if (a->rows * a->width != count)
    unit_fail(file, line, "'%s' has %lld numbers, expected %lld", a->name, (long long)(a->rows * a->width),
              (long long)count);
  for (int64_t i = 0; i < count && i < a->rows * a->width; i++)
    if (!(fabsf(steps_array(f->state, out)[i] - expected[i]) <= 1e-5f))
      unit_fail(file, line, "number %lld of '%s' is %.9g, expected %.9g", (long long)i, a->name,
                (double)steps_array(f->state, out)[i], (double)expected[i]);
}

/* The steps of a manifest make these numbers in array `out`. */
#define CHECK_STEPS(words, out, ...)                                                                                   \
  do {                                                                                                                 \
    static const float expected_[] = {__VA_ARGS__};                                                                    \
    steps_fixture fixture_;                                                                                            \
    steps_fixture_begin(&fixture_);                                                                                    \
    status read_ = steps_fixture_read(&fixture_, words);                                                               \
    if (read_) unit_fail(__FILE__, __LINE__, "%s", status_message(read_));                                             \
    if (!read_) steps_fixture_run(&fixture_, out);                                                                     \
    if (!read_)                                                                                                        \
      steps_fixture_compare(__FILE__, __LINE__, &fixture_, out, expected_, sizeof expected_ / sizeof *expected_);      \
    status_free(read_);                                                                                                \
    steps_fixture_end(&fixture_);                                                                                      \
  } while (0)

/* A manifest is refused with this message. */
#define CHECK_REFUSED(words, part)                                                                                     \
  do {                                                                                                                 \
    steps_fixture fixture_;                                                                                            \
    steps_fixture_begin(&fixture_);                                                                                    \
    CHECK_FAILS(steps_fixture_read(&fixture_, words), part);                                                           \
    steps_fixture_end(&fixture_);                                                                                      \
  } while (0)

#endif
