/* Programs are opened with their manifest, run on a graph, and refuse what does not fit: manifests,
 * graphs and requests. */
#include "test/unit/isa/isa_image_fixture.h"

#include "unit.h"

#include <time.h>

#include "runtime/kind.h"
#include "runtime/program.h"

/* The image of the fixture with a manifest, and a graph for it. The rows of the device are the
 * nodes from the last to the first. */
typedef struct graphagile_fixture {
  image_fixture made;
  tensor_set *tensors;
  graph *graph;
  float x[FIXTURE_ROWS][4];
} graphagile_fixture;

static const char manifest[] = "{\"model\": \"small\", \"inputs\": [{\"name\": \"x\", \"from\": \"x\", \"space\": "
                               "\"graph\", \"set\": \"g\", \"rows\": 8, \"shape\": [2, 2], "
                               "\"width\": 4, \"address\": 20480, \"stride\": 8, \"order\": 0}],"
                               " \"outputs\": [{\"name\": \"z\", \"kind\": \"rows\", \"domain\": \"node\", \"set\": "
                               "\"g\", \"rows\": 8, \"shape\": [4], \"width\": 4, \"address\": "
                               "20736, \"stride\": 8, \"order\": 0}, {\"name\": \"first\", \"kind\": \"values\", "
                               "\"domain\": \"edge\", \"rows\": 8, \"shape\": [2], \"width\": 2, "
                               "\"heads\": 2, \"addresses\": [20736, 20768], \"order\": null}, {\"name\": \"w\", "
                               "\"kind\": \"rows\", \"domain\": \"plain\", \"rows\": 1, \"shape\": [3], "
                               "\"width\": 3, \"address\": 16384, \"stride\": 1, \"order\": null}], \"layers\": []}";

/* The index in the user's order of a device row. */
static int user(int row) {
  return FIXTURE_ROWS - 1 - row;
}

static void *add(graphagile_fixture *f, const char *name, dtype d, int32_t rank, const int64_t *dims) {
  void *data = NULL;
  CHECK_OK(tensor_set_add(f->tensors, name, d, rank, dims, &data));
  return data;
}

static void init(graphagile_fixture *f, arena *a) {
  memset(f, 0, sizeof *f);
  image_fixture_init(&f->made, a);
  f->tensors = tensor_set_create("g.safetensors");
  int64_t *ends = add(f, "edge_index", DTYPE_I64, 2, (int64_t[]){2, FIXTURE_EDGES});
  float *weights = add(f, "edge_weight", DTYPE_F32, 1, (int64_t[]){FIXTURE_EDGES});
  float *x = add(f, "x", DTYPE_F32, 3, (int64_t[]){FIXTURE_ROWS, 2, 2});
  for (int e = 0; e < FIXTURE_EDGES; e++) {
    const graphagile_descriptor *piece = &f->made.descriptors[e >= 3];
    ends[e] = user((int)(piece->src_row + f->made.records[3 * e]));
    ends[FIXTURE_EDGES + e] = user((int)f->made.records[3 * e + 1]);
    weights[e] = 1 + (float)e;
  }
  for (int n = 0; n < FIXTURE_ROWS; n++)
    for (int c = 0; c < 4; c++) x[4 * n + c] = f->x[n][c] = (float)(10 * n + c);
  tensor_set_put_metadata_int(f->tensors, "num_nodes", FIXTURE_ROWS);
  CHECK_OK(graph_create(f->tensors, &f->graph));
  f->made.image.graph_fingerprint = graph_fingerprint(f->graph);
  image_fixture_text(&f->made, IMAGE_PROGRAM, manifest);
}

static void done(graphagile_fixture *f) {
  graph_close(f->graph);
  tensor_set_destroy(f->tensors);
}

static const char path[] = "runtime_program_test.bin";

/* Expects a message from opening an image with this manifest. */
static void expect_manifest(const char *text_of_it, const char *part) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  image_fixture_text(&f, IMAGE_PROGRAM, text_of_it);
  CHECK_OK(image_write(&f.image, path));
  program_binary *p = NULL;
  CHECK_FAILS(program_open(path, &p), part);
  CHECK(!p);
  program_close(p);
  arena_destroy(a);
}

/* Expects a message when a part of the right manifest is replaced. */
static void expect_change(const char *from, const char *to, const char *part) {
  char changed[2 * sizeof manifest];
  const char *at = strstr(manifest, from);
  CHECK(at);
  if (!at) return;
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - manifest), manifest, to, at + strlen(from));
  expect_manifest(changed, part);
}

TEST(a_program_runs_on_a_graph_in_the_users_order) {
  arena *a = arena_create();
  graphagile_fixture f;
  init(&f, a);
  CHECK_OK(image_write(&f.made.image, path));
  program_kind kind;
  CHECK_OK(program_kind_of(path, &kind));
  CHECK_INT(kind, PROGRAM_KIND_image);
  program_binary *p = NULL;
  CHECK_OK(program_open(path, &p));
  CHECK_STR(p->model, "small");
  program_session *s = NULL;
  CHECK_OK(program_session_create(p, &(program_request){.graph = f.graph, .simulation = {.level = SIM_L1}}, &s));
  CHECK_OK(program_session_run(s));
  tensor_set *set = tensor_set_create("outputs");
  CHECK_OK(program_session_read(s, set));
  float expected[FIXTURE_ROWS][4] = {0};
  for (int e = 0; e < FIXTURE_EDGES; e++)
    for (int c = 0; c < 4; c++) expected[f.graph->dst[e]][c] += 2 * f.graph->edge_weight[e] * f.x[f.graph->src[e]][c];
  const tensor *z = tensor_set_find(set, "z"), *w = tensor_set_find(set, "w"), *first = tensor_set_find(set, "first");
  CHECK(z && z->rank == 2 && z->dims[0] == FIXTURE_ROWS && z->dims[1] == 4);
  for (int i = 0; z && i < 4 * FIXTURE_ROWS; i++)
    CHECK_NEAR(((const float *)(const void *)z->data)[i], (&expected[0][0])[i], 1e-6);
  CHECK(w && w->rank == 1 && w->dims[0] == 3);
  CHECK(first && first->rank == 2 && first->dims[0] == 8 && first->dims[1] == 2);
  for (int h = 0; first && h < 2; h++) /* values of heads lie in the memory of z, whose rows are in reverse order */
    for (int e = 0; e < 8; e++)
      CHECK_NEAR(((const float *)(const void *)first->data)[2 * e + h], expected[user(2 * h + e / 4)][e % 4], 1e-6);
  CHECK(program_session_statistics(s)->cycles > 0);
  tensor_set_destroy(set);
  program_session_destroy(s);
  program_close(p);
  done(&f);
  arena_destroy(a);
}

static void expect_session(const program_binary *p, program_request request, const char *part) {
  program_session *s = NULL;
  CHECK_FAILS(program_session_create(p, &request, &s), part);
}

TEST(a_program_belongs_to_a_graph_and_a_device) {
  arena *a = arena_create();
  graphagile_fixture f;
  init(&f, a);
  f.made.image.graph_fingerprint = 0x1234;
  CHECK_OK(image_write(&f.made.image, path));
  program_binary *p = NULL;
  CHECK_OK(program_open(path, &p));
  char part[96];
  snprintf(part, sizeof part, "fingerprint 0000000000001234, but g.safetensors has %016llx",
           (unsigned long long)graph_fingerprint(f.graph));
  expect_session(p, (program_request){.graph = f.graph}, part);
  expect_session(p, (program_request){0}, "runtime_program_test.bin: the program needs the graph it was compiled for");
  device runs_on = p->image.device;
  runs_on.graphagile.num_pes = 4;
  expect_session(p, (program_request){.machine = &runs_on}, "num_pes");
  program_close(p);
  done(&f);
  arena_destroy(a);
}

TEST(inputs_have_the_shape_that_the_program_takes) {
  arena *a = arena_create();
  graphagile_fixture f;
  init(&f, a);
  char *changed = arena_strdup(a, manifest);
  memcpy(strstr(changed, "[2, 2]"), "[4]   ", 6);
  image_fixture_text(&f.made, IMAGE_PROGRAM, changed);
  CHECK_OK(image_write(&f.made.image, path));
  program_binary *p = NULL;
  program_session *s = NULL;
  CHECK_OK(program_open(path, &p));
  CHECK_OK(program_session_create(p, &(program_request){.graph = f.graph}, &s));
  CHECK_FAILS(program_session_run(s), "g.safetensors: 'x' has shape [8, 2, 2], the model takes [8, 4] for 'x'");
  program_session_destroy(s);
  program_close(p);
  done(&f);
  arena_destroy(a);
}

TEST(a_program_without_data_can_be_timed_and_nothing_else) {
  arena *a = arena_create();
  graphagile_fixture f;
  init(&f, a);
  f.made.image.sections[IMAGE_EDGES].data = NULL;
  f.made.image.sections[IMAGE_WEIGHTS].data = NULL;
  CHECK_OK(image_write(&f.made.image, path));
  program_binary *p = NULL;
  program_session *s = NULL;
  CHECK_OK(program_open(path, &p));
  expect_session(p, (program_request){.graph = f.graph}, "it can only be timed (--timing-only)");
  CHECK_OK(program_session_create(p, &(program_request){.simulation = {.is_timing_only = true}}, &s));
  CHECK_OK(program_session_run(s));
  CHECK(program_session_statistics(s)->cycles > 0);
  tensor_set *set = tensor_set_create("outputs");
  CHECK_FAILS(program_session_read(s, set), "only time was asked for");
  tensor_set_destroy(set);
  program_session_destroy(s);
  program_close(p);
  done(&f);
  arena_destroy(a);
}

TEST(fields_that_a_program_holds_are_the_graphs) {
  arena *a = arena_create();
  graphagile_fixture f;
  init(&f, a);
  const char *with =
      arena_printf(a, "{\"baked\": [{\"from\": \"x\", \"fingerprint\": \"0000000000000abc\"}], %s", manifest + 1);
  image_fixture_text(&f.made, IMAGE_PROGRAM, with);
  CHECK_OK(image_write(&f.made.image, path));
  program_binary *p = NULL;
  CHECK_OK(program_open(path, &p));
  expect_session(p, (program_request){.graph = f.graph},
                 "holds 'x' with fingerprint 0000000000000abc, but that of g.safetensors has");
  program_close(p);
  done(&f);
  arena_destroy(a);
}

TEST(outputs_per_node_have_a_row_for_each_node_of_the_graph) {
  arena *a = arena_create();
  graphagile_fixture f;
  init(&f, a);
  f.made.image.graph_fingerprint = 0; /* fingerprint 0 allows any graph */
  image_fixture_text(&f.made, IMAGE_PROGRAM,
                     "{\"model\": \"short\", \"inputs\": [], \"outputs\": [{\"name\": \"z\", \"kind\": \"rows\", "
                     "\"domain\": \"node\", \"rows\": 2, \"shape\": [4], "
                     "\"width\": 4, \"address\": 20736, \"stride\": 8, \"order\": null}]}");
  CHECK_OK(image_write(&f.made.image, path));
  program_binary *p = NULL;
  CHECK_OK(program_open(path, &p));
  expect_session(p, (program_request){.graph = f.graph}, "output 'z' has 2 rows, but g.safetensors has 8 nodes");
  program_close(p);
  done(&f);
  arena_destroy(a);
}

TEST(a_manifest_is_json_with_what_is_needed) {
  expect_manifest("{", "runtime_program_test.bin: section '.gnnc.program': ");
  expect_manifest("[]", "not a JSON object");
  expect_manifest("{\"model\": \"a\", \"model\": \"b\"}", "duplicate");
  expect_manifest("{}", "'model' is missing or no text");
  expect_manifest("{\"model\": \"a\"}", "'inputs' is missing or no list");
  expect_manifest("{\"model\": \"a\", \"inputs\": [1]}", "inputs: 'name' is missing or no text");
  expect_manifest("{\"model\": \"a\", \"inputs\": [], \"outputs\": [], \"baked\": 1}", "baked: expected a list");
  expect_manifest("{\"model\": \"a\", \"inputs\": [], \"outputs\": [], \"dims\": [1]}",
                  "dims: expected names with sizes");
  expect_manifest("{\"model\": \"a\", \"inputs\": [], \"outputs\": [], \"dims\": {\"F\": 0}}",
                  "dims: 'F' is 0, expected 1 to");
  expect_manifest("{\"model\": \"a\", \"inputs\": [], \"outputs\": [], \"sources\": [\"\", 1]}",
                  "sources: source 1 is no text");
}

/* The time does not grow faster than the manifest: names are not compared in pairs, and each
 * order is checked once. */
TEST(manifests_take_as_long_as_they_are_large) {
  enum { OUTPUTS = 60000 };
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  text t = {0};
  text_append(&t, "{\"model\": \"wide\", \"inputs\": [], \"outputs\": [");
  for (int i = 0; i < OUTPUTS; i++)
    text_printf(&t,
                "%s{\"name\": \"z%d\", \"kind\": \"rows\", \"domain\": \"node\", \"rows\": 0, \"shape\": [1], "
                "\"width\": 1, \"address\": 0, \"stride\": 0, \"order\": 0}",
                i ? "," : "", i);
  text_append(&t, "]}");
  image_fixture_text(&f, IMAGE_PROGRAM, text_str(&t));
  CHECK_OK(image_write(&f.image, path));
  program_binary *p = NULL;
  clock_t begin = clock();
  CHECK_OK(program_open(path, &p));
  CHECK((double)(clock() - begin) / CLOCKS_PER_SEC < 5);
  program_close(p);
  text_free(&t);
  arena_destroy(a);
}

TEST(tensors_without_rows_lie_nowhere) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  image_fixture_text(&f, IMAGE_PROGRAM,
                     "{\"model\": \"none\", \"inputs\": [], \"outputs\": [{\"name\": \"z\", \"kind\": \"rows\", "
                     "\"domain\": \"node\", \"rows\": 0, \"shape\": [9], "
                     "\"width\": 9, \"address\": 1000000, \"stride\": 16, \"order\": null}]}");
  f.image.graph_fingerprint = 0;
  CHECK_OK(image_write(&f.image, path));
  program_binary *p = NULL;
  program_session *s = NULL;
  CHECK_OK(program_open(path, &p));
  CHECK_OK(program_session_create(p, &(program_request){0}, &s));
  CHECK_OK(program_session_run(s));
  tensor_set *set = tensor_set_create("outputs");
  CHECK_OK(program_session_read(s, set));
  const tensor *z = tensor_set_find(set, "z");
  CHECK(z && z->rank == 2 && z->dims[0] == 0 && z->dims[1] == 9);
  tensor_set_destroy(set);
  program_session_destroy(s);
  program_close(p);
  arena_destroy(a);
}

TEST(what_a_manifest_says_of_memory_is_in_the_image) {
  expect_change("\"rows\": 8", "\"rows\": -1", "inputs: 'x': 'rows' is -1, expected 0 to 2147483647");
  expect_change("\"width\": 4", "\"width\": 5", "inputs: 'x': 'width' is 5, 'shape' has 4 elements");
  expect_change("\"stride\": 8", "\"stride\": 7", "inputs: 'x': 'stride' is 7, expected 8 to 2147483647");
  expect_change("\"address\": 20480", "\"address\": 16384",
                "inputs: 'x': 128 bytes at 0x4000 do not lie in '.features'");
  expect_change("\"address\": 20480", "\"address\": 20481", "inputs: 'x': address 0x5001 is no multiple of 4");
  expect_change("[2, 2], \"width\": 4", "[65536, 16384], \"width\": 1073741824", "are more than the device's memory");
  expect_change("[2, 2], \"width\": 4", "[65536, 65536], \"width\": 4", "'shape' has more than 2147483647 elements");
  expect_change("\"order\": 0", "\"order\": 4", "inputs: 'x': 'order' is 32 bytes at 4 of '.gnnc.rows', which has 32");
  expect_change("\"space\": \"graph\"", "\"space\": \"disk\"", "'space' is 'disk', expected 'graph' or 'weights'");
  expect_change("\"kind\": \"rows\"", "\"kind\": \"row\"",
                "outputs: 'z': 'kind' is 'row', expected 'rows' or 'values'");
  expect_change("[20736, 20768]", "[20736]", "outputs: 'first': 'addresses' has 1 entries, expected one per head: 2");
  expect_change("[20736, 20768]", "[20736, 20848]",
                "outputs: 'first': 32 bytes at 0x5170 do not lie in '.features' or '.weights'");
  expect_change("\"name\": \"w\"", "\"name\": \"z\"", "outputs: 'z' is there twice");
  expect_change("\"rows\": 1", "\"rows\": 0", "outputs: 'w': 'rows' is 0, expected 1");
}

TEST(orders_are_permutations) {
  arena *a = arena_create();
  for (int bad = -1; bad < 9; bad += 9) {
    image_fixture f;
    image_fixture_init(&f, a);
    image_fixture_text(&f, IMAGE_PROGRAM, manifest);
    f.rows[3] = bad;
    CHECK_OK(image_write(&f.image, path));
    program_binary *p = NULL;
    CHECK_FAILS(program_open(path, &p), bad < 0 ? "row 3 of 'order' is -1, expected 0 to 7" : "row 3 of 'order' is 8");
    f.rows[3] = f.rows[2];
    CHECK_OK(image_write(&f.image, path));
    CHECK_FAILS(program_open(path, &p), "'order' has row 5 twice");
  }
  arena_destroy(a);
}
