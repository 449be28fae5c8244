/* Compiles a case, runs it on the simulator and compares the outputs that the manifest lists. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_RUN_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_RUN_H

#include "codegen_graphagile_loops.h"
#include "isa/graphagile/fp16.h"

static bool is_half(const json_t *place) {
  const char *layout = json_string_value(json_object_get(place, "layout"));
  return layout && !strcmp(layout, "fibers16");
}

static void *cell(sim *s, const json_t *place, int64_t row, int64_t column, int64_t lanes) {
  int64_t stride = json_integer_value(json_object_get(place, "stride"));
  uint64_t address = (uint64_t)json_integer_value(json_object_get(place, "address")), bytes = is_half(place) ? 2 : 4;
  address += (uint64_t)(((column / lanes) * stride + row) * lanes + column % lanes) * bytes;
  return sim_memory(s, address, bytes);
}

static float read_cell(const void *from, bool is_half_cell) {
  return is_half_cell ? graphagile_fp16_load(*(const uint16_t *)from) : *(const float *)from;
}

static void write_cell(void *to, float number, bool is_half_cell) {
  if (is_half_cell)
    *(uint16_t *)to = graphagile_fp16_store(number);
  else
    *(float *)to = number;
}

static void write_inputs(program_host *h, sim *s, const json_t *manifest, MlirOperation function) {
  size_t index;
  json_t *input;
  json_array_foreach(json_object_get(manifest, "inputs"), index, input) {
    const char *name = json_string_value(json_object_get(input, "name"));
    int number = 0;
    program_array x;
    sscanf(name, "input %d", &number);
    program_host_evaluate(h, mlirBlockGetArgument(ir_func_body(function), number), &x);
    for (int64_t r = 0; r < x.rows; r++)
      for (int64_t c = 0; c < x.width; c++)
        write_cell(cell(s, input, r, c, h->of->options.device.graphagile.width), x.data[r * x.width + c],
                   is_half(input));
  }
}

/* The difference that numbers of an output of this size may have. Sums of fp16 numbers may cancel, so that the error is
 * one of the largest number. */
static double allowed_at(const program_host *h, const grid *output, double expected) {
  double largest = 0;
  if (!h->of->options.half) return 2e-4 * (1 + fabs(expected));
  for (int64_t i = 0; i < output->rows * output->width; i++) largest = fmax(largest, fabs((double)output->data[i]));
  return 4e-3 * (1 + largest);
}

static void compare_number(const program_host *h, const grid *output, double got, double expected, const char *what,
                           int64_t row, int64_t column, bool *is_wrong) {
  if (fabs(got - expected) <= 2e-4 * (1 + fabs(expected))) return;
  if (fabs(got - expected) <= allowed_at(h, output, expected)) return;
  if (!*is_wrong)
    unit_fail(__FILE__, __LINE__, "%s[%lld, %lld] is %g, expected %g", what, (long long)row, (long long)column, got,
              expected);
  *is_wrong = true;
}

static void compare_output(program_host *h, sim *s, const json_t *output, const image *im, const grid *expected) {
  const char *name = json_string_value(json_object_get(output, "name"));
  bool is_wrong = false;
  if (!strcmp(json_string_value(json_object_get(output, "kind")), "rows")) {
    for (int64_t r = 0; r < expected->rows; r++)
      for (int64_t c = 0; c < expected->width; c++)
        compare_number(h, expected,
                       read_cell(cell(s, output, r, c, h->of->options.device.graphagile.width), is_half(output)),
                       expected->data[r * expected->width + c], name, r, c, &is_wrong);
    return;
  }
  const int32_t *order = (const int32_t *)(const void *)(im->sections[IMAGE_ROWS].data +
                                                         json_integer_value(json_object_get(output, "order")));
  for (int64_t k = 0; k < expected->width; k++) {
    uint64_t at = (uint64_t)json_integer_value(json_array_get(json_object_get(output, "addresses"), (size_t)k));
    const float *array = sim_memory(s, at, (uint64_t)expected->rows * 4);
    for (int64_t i = 0; i < expected->rows; i++)
      compare_number(h, expected, array[i], expected->data[order[i] * expected->width + k], name, order[i], k,
                     &is_wrong);
  }
}

static void compare_outputs(program_host *h, sim *s, const json_t *manifest, const image *im, MlirOperation function) {
  size_t index;
  json_t *output;
  MlirOperation end = ir_block_terminator(ir_func_body(function));
  json_array_foreach(json_object_get(manifest, "outputs"), index, output) {
    MlirOperation op = ir_defining_op(mlirOperationGetOperand(end, (intptr_t)index));
    const grid *expected = find_grid(h, ir_operand(op, IR_IN(device, output, x)).ptr);
    compare_output(h, s, output, im, expected);
  }
}

static void simulate(graphagile_case *c, program_host *h, const image *im, const program_manifest *said,
                     MlirOperation function) {
  sim *s = NULL;
  text json = {0};
  program_manifest_write(said, &json);
  json_t *manifest = json_loadb(text_str(&json), json.size, 0, NULL);
  text_free(&json);
  status problem = image_check(im);
  if (!problem) problem = sim_create(im, &c->options.device, &c->sim, &s);
  if (!problem) {
    write_inputs(h, s, manifest, function);
    problem = sim_run(s);
  }
  CHECK_STR(status_message(problem), "");
  if (!problem) {
    c->cycles = sim_statistics(s)->cycles;
    compare_outputs(h, s, manifest, im, function);
  }
  c->floor = json_number_value(json_object_get(json_object_get(manifest, "floor"), "cycles"));
  c->text_bytes = im->sections[IMAGE_TEXT].size;
  status_free(problem);
  sim_destroy(s);
  json_decref(manifest);
}

static void take_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                         unsigned column, const char *message) {
  (void)severity;
  (void)id;
  (void)file;
  (void)line;
  (void)column;
  snprintf(user, 400, "%s", message);
}

static void graphagile_run(graphagile_case *c) {
  MlirContext context = ir_context_create();
  MlirModule module = ir_parse(context, c->text, strlen(c->text));
  CHECK(!mlirModuleIsNull(module));
  if (mlirModuleIsNull(module)) return;
  program_host h = {.of = c, .random = 7};
  arena *memory = arena_create();
  char message[400] = "";
  diag *d = diag_create(stdout);
  image im;
  program_manifest manifest;
  status error;
  diag_set_sink(d, take_message, message);
  bool ok = graphagile_compile(module, &h, &c->options, "model", d, memory, &im, &manifest, &c->seconds, &error);
  CHECK_STR(status_message(error), "");
  if (c->refused)
    CHECK_HAS(message, c->refused);
  else
    CHECK_STR(message, "");
  if (ok) {
    MlirOperation function = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
    for (MlirOperation op = mlirBlockGetFirstOperation(ir_func_body(function)); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      loops_operation(&h, op);
    simulate(c, &h, &im, &manifest, function);
  }
  status_free(error);
  diag_destroy(d);
  host_free(&h);
  arena_destroy(memory);
  mlirModuleDestroy(module);
  ir_context_destroy(context);
}

#endif
