/* room: runtime. Bytes choose the numbers in a manifest of host steps, whose form is right and
 * whose sizes often fit. The runtime refuses the manifest with a message, or the steps run, and
 * a second run gives the same result. Relayouts move rows in layouts that fold. */
#include "isa/sextans/format.h"
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

/* Indices of rows for places, and elements of A, six of which are no bubbles. */
static const int32_t orders[] = {0, 1, -1, 1, 2, 0, 3, -2, 5};
enum { FEATURES = 65536, FEATURE_BYTES = 4096, WEIGHTS = 131072, ELEMENTS = 2 * 64 };
static uint64_t elements[ELEMENTS];

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

static const char *const ops[] = {"gemm",    "spmm",   "sddmm",    "vadd",      "map",
                                  "columns", "concat", "relayout", "outer_sum", "lookup"};
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

/* The place of a relayout; most lie in memory. */
static void add_place(input *in, text *t) {
  static const char *const layouts[] = {"b", "bt", "c", "ct", "a", "a", "b", "x"};
  static const int addresses[] = {FEATURES, FEATURES, FEATURES + 64,  WEIGHTS,
                                  WEIGHTS,  WEIGHTS,  WEIGHTS + 1024, FEATURES + 4};
  static const int counts[] = {3, 2, 4, 6, 1, 5, 6, 7, 0, 1 << 16, INT32_MAX, -1};
  text_printf(t, ",\"place\":{\"layout\":\"sextans_%s\"", layouts[take(in, 8)]);
  add_number(t, "address", addresses[take(in, 8)]);
  add_number(t, "rows", counts[take(in, 12)]);
  add_number(t, "stride", (int)take(in, 4));
  unsigned order = take(in, 12);
  if (order < 10) add_number(t, "order", 4 * (int)order);
  text_append(t, "}");
}

/* A step has the members of all operations; an operation ignores those that it does not read. */
static void add_step(input *in, text *t) {
  unsigned op = take(in, 10);
  text_printf(t, "{\"op\":\"%s\"", ops[op]);
  if (op == 7) { /* it has one array, and no functions */
    add_number(t, take(in, 2) ? "in" : "out", (int)take(in, ARRAYS));
    add_place(in, t);
    text_append(t, "}");
    return;
  }
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
  if (op == 9) {
    add_number(t, "table", (int)take(in, ARRAYS));
    add_number(t, "rows", rows_of(in));
    add_number(t, "column", (int)take(in, 3));
    if (take(in, 2)) add_number(t, "low", (int)take(in, 4) - 1);
    if (take(in, 2)) add_number(t, "high", (int)take(in, 4));
    text_printf(t, ",\"each\":%s", take(in, 4) ? "false" : "true");
  }
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

/* Runs the steps on a new device, whose memory is as the image has it. Returns false where the
 * number of elements of A is not that of a place, or where an index is no row of its table. */
static bool run_once(const image *im, steps_state *state, sim_host_stats *stats) {
  sim *on = NULL;
  must(sim_create(im, &im->device, &(sim_options){.level = SIM_L1}, &on));
  status s = steps_run(state, on, false, stats);
  bool is_run = !s;
  if (s && !strstr(status_message(s), " non-zeros, its place has ") &&
      !strstr(status_message(s), ", expected a row of "))
    must(s);
  status_free(s);
  sim_destroy(on);
  return is_run;
}

static void run(const program_steps *p, const image *im) {
  steps_state *state = NULL;
  sim_host_stats first, second;
  int32_t out = p->steps[p->num_steps - 1].out;
  if (out < 0) out = p->steps[p->num_steps - 1].in[0]; /* rows that went to the device */
  bool is_made = !p->arrays[out].is_constant;
  size_t bytes = is_made ? (size_t)(p->arrays[out].rows * p->arrays[out].width) * sizeof(float) : 0;
  p->arrays[out].is_kept = true;
  float *numbers = malloc(bytes + 1);
  must(steps_create(p, &state));
  if (run_once(im, state, &first)) {
    if (bytes) memcpy(numbers, steps_array(state, out), bytes);
    if (!run_once(im, state, &second) || first.flops != second.flops) abort();
    if (bytes && memcmp(numbers, steps_array(state, out), bytes) != 0) abort();
  }
  free(numbers);
  steps_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  arena *a = arena_create();
  input in = {data, size};
  text json = {0};
  image im = {.isa_major = 1};
  program_steps steps;
  device_default(&im.device, &sextans_machine);
  for (int i = 0; i < ELEMENTS; i++) elements[i] = i % 11 || i > 55 ? SEXTANS_BUBBLE : sextans_element(1, 2, 3);
  im.sections[IMAGE_FEATURES] = (image_section){FEATURES, FEATURE_BYTES, NULL};
  im.sections[IMAGE_WEIGHTS] = (image_section){WEIGHTS, sizeof elements, (const unsigned char *)elements};
  im.sections[IMAGE_ROWS] = (image_section){0, sizeof orders, (const unsigned char *)orders};
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
