/* Inputs and outputs of programs without a device are arrays of the host, in the user's order of
 * rows. */
#include "runtime/program.h"
#include "unit.h"

enum { NODES = 3, WIDTH = 2 };

static const char path[] = "runtime_program_array_test.bin";
static const int32_t order[NODES] = {2, 0, 1};
static const float factor[WIDTH] = {10, 100};

/* x comes in as array 0, y = x * factor goes out as array 1; ' stands for ". */
static const char manifest[] =
    "{'model': 'm', 'inputs': [{'name': 'x', 'from': 'x', 'space': 'graph', 'set': 'g', 'rows': 3, 'shape': [2], "
    "'width': 2, 'array': 0, 'order': 0}], 'outputs': [{'name': 'y', 'kind': 'rows', 'domain': 'node', 'set': 'g', "
    "'rows': 3, 'shape': [2], 'width': 2, 'array': 1, 'order': 0}], 'arrays': [{'name': 'x', 'rows': 3, 'width': 2}, "
    "{'name': 'y', 'rows': 3, 'width': 2}, {'name': 'f', 'rows': 1, 'width': 2, 'data': 0}], "
    "'steps': [{'op': 'vadd', 'a': 0, 'b': 2, 'function': 'mul', 'out': 1}]}";

/* Writes the image with a manifest; without has_data the section of constants has no bytes. */
static void write_program(arena *a, const char *words, bool has_data) {
  char *json = arena_strdup(a, words);
  for (char *c = json; *c; c++)
    if (*c == '\'') *c = '"';
  image im = {.isa_major = host_machine.isa_major, .isa_minor = host_machine.isa_minor, .compiler = "gnnc test"};
  device_default(&im.device, &host_machine);
  im.sections[IMAGE_PROGRAM] = (image_section){0, strlen(json), (const unsigned char *)json};
  im.sections[IMAGE_ROWS] = (image_section){0, sizeof order, (const void *)order};
  im.sections[IMAGE_LISTS] = (image_section){0, sizeof factor, has_data ? (const void *)factor : NULL};
  CHECK_OK(image_write(&im, path));
}

/* The rows of x are 1 2, 3 4, 5 6. */
static graph *make_graph(tensor_set *set) {
  graph *g = NULL;
  void *ends = NULL, *x = NULL;
  CHECK_OK(tensor_set_add(set, "edge_index", DTYPE_I64, 2, (int64_t[]){2, 1}, &ends));
  CHECK_OK(tensor_set_add(set, "x", DTYPE_F32, 2, (int64_t[]){NODES, WIDTH}, &x));
  for (int i = 0; i < NODES * WIDTH; i++) ((float *)x)[i] = (float)(i + 1);
  tensor_set_put_metadata_int(set, "num_nodes", NODES);
  CHECK_OK(graph_create(set, &g));
  return g;
}

TEST(keys_of_later_versions_are_passed_over_and_their_operations_refused) {
  arena *a = arena_create();
  program_binary *p = NULL;
  const char *members = strstr(manifest, "'inputs'"), *step = strstr(manifest, "vadd");
  write_program(a, arena_printf(a, "{'model': 'm', 'later': [{'a': 1}], %s", members), true);
  CHECK_OK(program_open(path, &p));
  CHECK(p && p->num_outputs == 1);
  program_close(p);
  p = NULL;
  write_program(a, arena_printf(a, "%.*slater%s", (int)(step - manifest), manifest, step + strlen("vadd")), true);
  CHECK_FAILS(program_open(path, &p), "'later'");
  program_close(p);
  arena_destroy(a);
}

TEST(inputs_and_outputs_have_no_layout_that_folds) {
  program_binary *p = NULL;
  static const char json[] = "{\"model\": \"m\", \"inputs\": [], \"outputs\": [{\"name\": \"y\", \"kind\": \"rows\", "
                             "\"domain\": \"node\", \"set\": \"g\", \"rows\": 3, \"shape\": [2], \"width\": 2, "
                             "\"layout\": \"sextans_c\", \"address\": 65536, \"order\": null}], \"steps\": []}";
  static const unsigned char halt[128] = {2};
  image im = {.isa_major = sextans_machine.isa_major, .isa_minor = sextans_machine.isa_minor, .compiler = "gnnc test"};
  device_default(&im.device, &sextans_machine);
  im.sections[IMAGE_PROGRAM] = (image_section){0, strlen(json), (const unsigned char *)json};
  im.sections[IMAGE_TEXT] = (image_section){4096, sizeof halt, halt};
  im.sections[IMAGE_FEATURES] = (image_section){65536, 4096, NULL};
  CHECK_OK(image_write(&im, path));
  CHECK_FAILS(program_open(path, &p), "outputs: 'y': 'layout' is 'sextans_c', which only relayouts have");
  program_close(p);
}

TEST(inputs_go_to_arrays_and_outputs_come_from_them_in_the_users_order) {
  arena *a = arena_create();
  tensor_set *fields = tensor_set_create("g.safetensors"), *outputs = tensor_set_create("outputs");
  graph *g = make_graph(fields);
  program_binary *p = NULL;
  program_session *s = NULL;
  write_program(a, manifest, true);
  CHECK_OK(program_open(path, &p));
  CHECK_OK(program_session_create(p, &(program_request){.graph = g}, &s));
  CHECK_OK(program_session_run(s));
  CHECK_OK(program_session_run(s)); /* the second run starts from the same inputs */
  CHECK_OK(program_session_read(s, outputs));
  const tensor *y = tensor_set_find(outputs, "y");
  CHECK(y && y->rank == 2 && y->dims[0] == NODES && y->dims[1] == WIDTH);
  for (int i = 0; y && i < NODES * WIDTH; i++)
    CHECK_NEAR(((const float *)(const void *)y->data)[i], (float)(i + 1) * factor[i % WIDTH], 0);
  CHECK_INT(program_session_statistics(s)->cycles, 0);
  CHECK_INT(program_session_host_statistics(s)->steps, 1);
  CHECK_INT(program_session_host_statistics(s)->flops, NODES * WIDTH);
  program_session_destroy(s);
  program_close(p);
  graph_close(g);
  tensor_set_destroy(fields);
  tensor_set_destroy(outputs);
  arena_destroy(a);
}

TEST(a_program_whose_constants_are_not_in_the_file_can_be_timed_and_nothing_else) {
  arena *a = arena_create();
  tensor_set *fields = tensor_set_create("g.safetensors");
  graph *g = make_graph(fields);
  program_binary *p = NULL;
  program_session *s = NULL;
  write_program(a, manifest, false);
  CHECK_OK(program_open(path, &p));
  CHECK_FAILS(program_session_create(p, &(program_request){.graph = g}, &s), "it can only be timed (--timing-only)");
  CHECK_OK(program_session_create(p, &(program_request){.simulation = {.is_timing_only = true}}, &s));
  CHECK_OK(program_session_run(s));
  CHECK_INT(program_session_host_statistics(s)->flops, NODES * WIDTH);
  program_session_destroy(s);
  program_close(p);
  graph_close(g);
  tensor_set_destroy(fields);
  arena_destroy(a);
}

/* The program is refused when a part of its manifest is replaced. */
static void expect_change(const char *from, const char *to, const char *part) {
  arena *a = arena_create();
  const char *at = strstr(manifest, from);
  program_binary *p = NULL;
  CHECK(at);
  if (at) write_program(a, arena_printf(a, "%.*s%s%s", (int)(at - manifest), manifest, to, at + strlen(from)), true);
  CHECK_FAILS(program_open(path, &p), part);
  arena_destroy(a);
}

TEST(arrays_of_inputs_and_outputs_exist_and_have_their_shape) {
  expect_change("'array': 0", "'array': 3", "inputs: 'x': 'array' is 3, expected 0 to 2");
  expect_change("'array': 1", "'array': -1", "outputs: 'y': 'array' is -1, expected 0 to 2");
  expect_change("'array': 1", "'array': 2", "outputs: 'y': array 'f' is 1 x 2 constants, the tensor is 3 x 2");
  expect_change("{'name': 'y', 'rows': 3, 'width': 2}, {'name': 'f', 'rows': 1",
                "{'name': 'y', 'rows': 3, 'width': 2}, {'name': 'f', 'rows': 3",
                "array 2: 'data' is 24 bytes at 0 of '.gnnc.lists', which has 8");
  expect_change("'rows': 3, 'shape': [2], 'width': 2, 'array': 0", "'rows': 3, 'shape': [3], 'width': 3, 'array': 0",
                "inputs: 'x': array 'x' is 3 x 2, the tensor is 3 x 3");
}

TEST(what_the_runtime_does_not_write_is_made_by_a_step) {
  expect_change("'space': 'graph'", "'space': 'weights'", "step 0 reads array 'x', which nothing has made before it");
  expect_change("'array': 0", "'array': 1", "step 0 reads array 'x', which nothing has made before it");
  expect_change("'steps': [{'op': 'vadd', 'a': 0, 'b': 2, 'function': 'mul', 'out': 1}]", "'steps': []",
                "array 'y' is an output, but no step makes it");
}

TEST(a_program_of_the_host_has_nothing_in_device_memory) {
  expect_change("'array': 0", "'address': 0, 'stride': 3",
                "inputs: 'x': 'layout' is 'fibers', but machine 'host' has no memory");
  expect_change("'array': 1", "'layout': 'values', 'addresses': []",
                "outputs: 'y': 'layout' is 'values', but machine 'host' has no memory");
}
