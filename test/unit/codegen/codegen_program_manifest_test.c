/* The manifest of a program has the expected bytes. */
#include "codegen/device/program_manifest.h"
#include "unit.h"

static const char *text_of(const program_manifest *m, arena *a) {
  text json = {0};
  program_manifest_write(m, &json);
  const char *made = arena_strdup(a, text_str(&json));
  text_free(&json);
  return made;
}

TEST(an_empty_manifest_has_all_members_but_a_floor_sources_and_steps) {
  arena *a = arena_create();
  const program_manifest m = {.model = "m \"1\""};
  CHECK_STR(text_of(&m, a), "{\"model\":\"m \\\"1\\\"\",\"inputs\":[],\"outputs\":[],\"tensors\":[],\"layers\":[],"
                            "\"relations\":[],\"options\":{},\"baked\":[],"
                            "\"dims\":{}}\n");
  arena_destroy(a);
}

TEST(inputs_and_outputs_are_rows_or_values_or_arrays_of_the_host) {
  arena *a = arena_create();
  program_manifest m = {.model = "m"};
  const program_manifest_place rows = {.set = "g",
                                       .rows = 5,
                                       .width = 3,
                                       .address = 4096,
                                       .stride = 16,
                                       .memory_rows = -1,
                                       .is_on_device = true,
                                       .order = PROGRAM_MANIFEST_NO_ORDER};
  const program_manifest_place values = {.set = "g",
                                         .rows = 9,
                                         .width = 2,
                                         .address = UINT64_MAX - 63,
                                         .heads = 2,
                                         .array_bytes = 64,
                                         .memory_rows = -1,
                                         .is_values = true,
                                         .is_on_device = true,
                                         .order = 20};
  const program_manifest_place array = {.set = "g", .rows = 5, .width = 3, .array = 8, .order = 4};
  program_manifest_input in = {.name = "x", .from = "feat", .space = "graph", .place = rows};
  program_manifest_output out = {.name = "y", .domain = "edge", .place = values};
  in.shape.rank = 1;
  in.shape.dims[0] = 3;
  VEC_PUSH(a, &m.inputs, in);
  VEC_PUSH(a, &m.outputs, out);
  VEC_PUSH(a, &m.outputs, ((program_manifest_output){.name = "z", .domain = "node", .place = array}));
  const char *said = text_of(&m, a);
  CHECK_HAS(said, "\"inputs\":[{\"name\":\"x\",\"from\":\"feat\",\"space\":\"graph\",\"shape\":[3],\"set\":\"g\","
                  "\"rows\":5,\"width\":3,\"address\":4096,\"stride\":16,\"order\":null}]");
  CHECK_HAS(said, "\"outputs\":[{\"name\":\"y\",\"kind\":\"values\",\"domain\":\"edge\",\"shape\":[],\"set\":\"g\","
                  "\"rows\":9,\"width\":2,\"heads\":2,\"addresses\":[18446744073709551552,0],\"order\":20},"
                  "{\"name\":\"z\",\"kind\":\"rows\",\"domain\":\"node\",\"shape\":[],\"set\":\"g\","
                  "\"rows\":5,\"width\":3,\"array\":7,\"order\":4}]");
  arena_destroy(a);
}

TEST(places_of_layouts_that_fold_have_the_rows_of_memory) {
  text json = {0};
  const program_manifest_place elements = {
      .layout = "sextans_a", .address = 8192, .stride = 3, .memory_rows = 0, .order = 40};
  const program_manifest_place rows = {
      .layout = "sextans_b", .address = 64, .stride = -1, .memory_rows = 7, .order = PROGRAM_MANIFEST_NO_ORDER};
  program_manifest_write_place(&elements, &json);
  CHECK_STR(text_str(&json), "\"layout\":\"sextans_a\",\"address\":8192,\"stride\":3,\"rows\":0,\"order\":40");
  text_free(&json);
  program_manifest_write_place(&rows, &json);
  CHECK_STR(text_str(&json), "\"layout\":\"sextans_b\",\"address\":64,\"rows\":7,\"order\":null");
  text_free(&json);
}

TEST(what_a_program_was_compiled_from_comes_last) {
  arena *a = arena_create();
  program_manifest m = {.model = "m", .has_floor = true, .floor_cycles = -1, .floor_ms = 0.25};
  VEC_PUSH(a, &m.layers, (program_manifest_layer){.op = "gemm", .name = "h", .line = 7, .tile = {1, 2, 3}});
  VEC_PUSH(a, &m.layers, (program_manifest_layer){.op = "map", .name = "y", .cycles = INT64_MIN});
  VEC_PUSH(a, &m.options, (program_manifest_option){"fuse", true});
  VEC_PUSH(a, &m.options, (program_manifest_option){"paper", false});
  VEC_PUSH(a, &m.baked, (program_manifest_field){"x", 255});
  VEC_PUSH(a, &m.dims, (program_manifest_dim){"F", 1433});
  VEC_PUSH(a, &m.sources, "a\nb");
  m.steps = ",\"steps\":[]";
  const char *said = text_of(&m, a);
  CHECK_HAS(said, "{\"id\":0,\"op\":\"gemm\",\"name\":\"h\",\"line\":7,\"blocks\":0,\"tile\":[1,2,3],"
                  "\"multiply_adds\":0,\"cycles\":0,\"floor_cycles\":0},{\"id\":1,");
  CHECK_HAS(said, "\"cycles\":-9223372036854775808,");
  CHECK_HAS(said, "\"floor\":{\"cycles\":-1,\"ms\":0.25},\"options\":{\"fuse\":true,\"paper\":false},"
                  "\"baked\":[{\"from\":\"x\",\"fingerprint\":\"00000000000000ff\"}],\"dims\":{\"F\":1433},"
                  "\"sources\":[\"a\\u000ab\"],\"steps\":[]}\n");
  arena_destroy(a);
}
