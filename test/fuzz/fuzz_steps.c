/* room: runtime. Bytes choose the numbers in a manifest of host steps, whose form is right and
 * whose sizes often fit. The runtime refuses the manifest with a message, or the steps run, and
 * a second run gives the same result. */
#include "runtime/steps/steps.h"
#include "support/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ARRAYS = 6, MOST_STEPS = 6 };

static const struct {
  int32_t src[4], dst[4];
  float weight[4], numbers[16];
} lists = {{0, 1, 2, 0}, {0, 0, 1, 1}, {1, 2, 3, 4}, {1, -2, 3, -4, 5, -6, 7, -8, 9, 0, 1, 2, 3, 4, 5, 6}};

typedef struct input {
  const uint8_t *data;
  size_t size;
} input;

/* A number below `count`. */
static unsigned take(input *in, unsigned count) {
  if (!in->size) return 0;
  in->size--;
  return *in->data++ % count;
}

/* The rows of one end, the rows of the other end, the number of edges, or 1; seldom 0 or too
 * many. */
static int rows_of(input *in) {
  static const int rows[] = {3, 2, 4, 1, 3, 2, 4, 1, 3, 2, 4, 1, 0, 6, 1 << 16, -1};
  return rows[take(in, 16)];
}

static int width_of(input *in) {
  static const int widths[] = {2, 2, 2, 1, 1, 4, 3, 0};
  return widths[take(in, 8)];
}

static void add_arrays(input *in, text *t) {
  for (int i = 0; i < ARRAYS; i++) {
    bool is_fixed = i < 3 && take(in, 8); /* arrays of the rows of each end and of the values of edges */
    int rows = is_fixed ? 3 - i + 3 * (i == 2) : rows_of(in), width = is_fixed ? 2 : width_of(in);
    unsigned offset = is_fixed ? 0 : take(in, 32);
    text_printf(t, "%s{\"name\":\"a%d\",\"rows\":%d,\"width\":%d", i ? "," : "", i, rows, width);
    if (offset < 16) text_printf(t, ",\"data\":%u", 48 + offset * 4);
    text_append(t, "}");
  }
}

static void add_number(text *t, const char *key, int value) {
  text_printf(t, ",\"%s\":%d", key, value);
}

static void add_word(text *t, const char *key, const char *value) {
  text_printf(t, ",\"%s\":\"%s\"", key, value);
}

/* The edge list of the data, or one with any numbers. */
static void add_list(input *in, text *t) {
  static const int offsets[] = {0, 0, 0, 16, 16, 16, 4, 140};
  bool is_fixed = take(in, 8);
  text_append(t, "{\"name\":\"l\"");
  add_number(t, "from_rows", is_fixed ? 3 : rows_of(in));
  add_number(t, "to_rows", is_fixed ? 2 : rows_of(in));
  add_number(t, "edges", is_fixed ? 4 : rows_of(in));
  add_number(t, "src", is_fixed ? 0 : offsets[take(in, 8)]);
  add_number(t, "dst", is_fixed ? 16 : offsets[take(in, 8)]);
  if (take(in, 2)) add_number(t, "weight", 32);
  text_append(t, "}");
}

static const char *const ops[] = {"gemm", "spmm", "sddmm", "vadd", "map", "columns", "concat", "relayout"};
static const char *const operands[] = {"in",  "a",       "b",      "condition", "src",
                                       "dst", "weights", "values", "bias",      "addend"};
static const char *const functions[] = {"relu", "exp",   "clamp -1 1", "leaky_relu 0.5",
                                        "log",  "round", "nothing",    "relu 1"};
static const char *const reductions[] = {"sum", "mean", "max", "min"};
static const char *const inners[] = {"dot", "add", "src", "dst"};
static const char *const binaries[] = {"add", "mul", "pow", "lt", "select", "replace", "max", "atan2"};

static void add_functions(input *in, text *t) {
  unsigned count = take(in, 4);
  text_append(t, ",\"functions\":[");
  for (unsigned i = 0; i < count; i++) text_printf(t, "%s\"%s\"", i ? "," : "", functions[take(in, 8)]);
  text_append(t, "]");
}

/* A step has the members of all operations; an operation ignores those that it does not read. */
static void add_step(input *in, text *t) {
  text_printf(t, "{\"op\":\"%s\"", ops[take(in, 8)]);
  for (size_t i = 0; i < sizeof operands / sizeof *operands; i++) {
    int array = (int)take(in, 2 * ARRAYS);
    if (array < ARRAYS) add_number(t, operands[i], array);
  }
  add_number(t, "out", (int)take(in, ARRAYS));
  add_number(t, "list", take(in, 8) == 7);
  add_number(t, "heads", (int)take(in, 5));
  add_number(t, "begin", (int)take(in, 4));
  add_word(t, "reduce", reductions[take(in, 4)]);
  add_word(t, "inner", inners[take(in, 4)]);
  add_word(t, "combine", binaries[take(in, 8)]);
  add_word(t, "function", binaries[take(in, 8)]);
  text_printf(t, ",\"transposed\":%s", take(in, 2) ? "true" : "false");
  text_printf(t, ",\"skips_zeros\":%s", take(in, 2) ? "true" : "false");
  if (take(in, 2)) {
    unsigned middle = take(in, 5);
    text_printf(t, ",\"segments\":[0,%u,%u]", middle, take(in, 5));
  }
  if (take(in, 2)) add_number(t, "scale", (int)take(in, 5) - 2);
  add_functions(in, t);
  text_append(t, "}");
}

static void make_manifest(input *in, text *t) {
  text_append(t, "{\"arrays\":[");
  add_arrays(in, t);
  text_append(t, "],\"edge_lists\":[");
  add_list(in, t);
  text_append(t, "],\"steps\":[");
  unsigned count = 1 + take(in, MOST_STEPS);
  for (unsigned i = 0; i < count; i++) {
    if (i) text_append(t, ",");
    add_step(in, t);
  }
  text_append(t, "]}");
}

static void must(status s) {
  if (!s) return;
  fprintf(stderr, "%s\n", status_message(s));
  abort();
}

static void run(const program_steps *p, const image *im) {
  sim *on = NULL;
  steps_state *state = NULL;
  sim_host_stats first, second;
  int32_t out = p->steps[p->num_steps - 1].out;
  size_t bytes = (size_t)(p->arrays[out].rows * p->arrays[out].width) * sizeof(float);
  p->arrays[out].is_kept = true;
  float *numbers = malloc(bytes + 1);
  must(sim_create(im, &im->device, &(sim_options){.level = SIM_L1}, &on));
  must(steps_create(p, &state));
  must(steps_run(state, on, false, &first));
  memcpy(numbers, steps_array(state, out), bytes);
  must(steps_run(state, on, false, &second));
  if (memcmp(numbers, steps_array(state, out), bytes) != 0 || first.flops != second.flops) abort();
  free(numbers);
  steps_destroy(state);
  sim_destroy(on);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  input in = {data, size};
  text json = {0};
  image im = {.isa_major = 1};
  program_steps steps;
  device_default(&im.device, &host_machine);
  im.sections[IMAGE_LISTS] = (image_section){0, sizeof lists, (const unsigned char *)&lists};
  make_manifest(&in, &json);
  json_t *root = json_loads(text_str(&json), JSON_REJECT_DUPLICATES, NULL);
  if (!root) abort();
  status s = steps_read(a, &im, root, &steps);
  if (!s) s = steps_check_made(a, &steps);
  if (s && !*status_message(s)) abort();
  if (!s) run(&steps, &im);
  status_free(s);
  json_decref(root);
  text_free(&json);
  arena_destroy(a);
  return 0;
}
