/* The host executes the operations that --host names, those that the machine cannot execute, and
 * the functions of an operation from the first one on that the machine lacks. */
#include "codegen_host_fixture.h"

#include "codegen/device/steps/place.h"

#define ROWS "!device.rows<\"g\", 2>"
#define LIST "!device.edge_list<\"g\", \"g\">"
#define VALUES "!device.values<\"g\", \"g\", 1>"
#define ARGUMENTS ", %x: !gnn.node<\"g\", tensor<2xf32>>, %w: tensor<2x2xf32>"
#define INPUT "%0 = \"device.input\"(%x) : (!gnn.node<\"g\", tensor<2xf32>>) -> " ROWS "\n"
#define EDGES                                                                                                          \
  "%r = \"device.edges\"(%g) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<\"g\">) "        \
  "-> " LIST "\n"
#define GEMM(to, from, functions)                                                                                      \
  "%" to " = \"device.gemm\"(%" from ", %w) {functions = [" functions                                                  \
  "], operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" ROWS ", tensor<2x2xf32>) -> " ROWS "\n"
#define MAP(to, from, functions)                                                                                       \
  "%" to " = \"device.map\"(%" from ") {functions = [" functions "]} : (" ROWS ") -> " ROWS "\n"
#define SPMM(to, from)                                                                                                 \
  "%" to " = \"device.spdmm\"(%r, %" from                                                                              \
  ") {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>} : (" LIST ", " ROWS ") -> " ROWS "\n"
#define SDDMM(to, from)                                                                                                \
  "%" to " = \"device.sddmm\"(%r, %" from                                                                              \
  ") {heads = 1 : i64, inner = \"src\", combine = \"replace\", operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" LIST \
  ", " ROWS ") -> " VALUES "\n"
#define OUTPUT(from) "%o = \"device.output\"(%" from ") : (" ROWS ") -> !gnn.node<\"g\", tensor<2xf32>>\n"
#define OUTPUT_VALUES(from) "%o = \"device.output\"(%" from ") : (" VALUES ") -> !gnn.edge<\"g\", f32>\n"

/* The machine executes all operations but SDDMM. */
static bool runs(MlirOperation op, const void *user) {
  (void)user;
  return ir_op_kind(op) != IR_OP(device, sddmm);
}

static bool has_function(elementwise_unary function, const void *user) {
  return function == UNARY_relu || function == *(const elementwise_unary *)user;
}

static const elementwise_unary own = UNARY_exp;
static const place_rules overlay = {.runs = runs, .has_function = has_function, .user = &own};

/* Prints the steps with their functions and units: "gemm relu, map erf host". */
static void describe(const fixture *f, text *out) {
  IR_FOR_EACH_OP(op, ir_func_body(ir_func_first(mlirModuleGetOperation(f->module)))) {
    if (!place_is_step(op)) continue;
    text_printf(out, "%s%s", out->size ? ", " : "", ir_op_name(op) + strlen("device."));
    for (size_t i = 0; i < ir_get_array_size(op, "functions"); i++)
      text_printf(out, " %s", ir_get_string_at(op, "functions", i));
    if (place_is_on_host(op)) text_append(out, " host");
  }
}

static void expect_place(const char *body, const place_rules *rules, const char *expected) {
  fixture f;
  arena *a = arena_create();
  text once = {0}, twice = {0};
  fixture_begin(&f, "", ARGUMENTS, body, 1);
  MlirOperation function = ir_func_first(mlirModuleGetOperation(f.module));
  place_operations(a, function, rules);
  describe(&f, &once);
  CHECK_STR(text_str(&once), expected);
  place_operations(a, function, rules);
  describe(&f, &twice);
  CHECK_STR(text_str(&twice), expected); /* a second call changes nothing */
  CHECK(place_has_host(function) == (strstr(expected, "host") != NULL));
  CHECK(mlirOperationVerify(mlirModuleGetOperation(f.module)));
  text_free(&once);
  text_free(&twice);
  fixture_end(&f);
  arena_destroy(a);
}

#define MODEL INPUT EDGES GEMM("1", "0", "\"relu\"") SPMM("2", "1") SDDMM("3", "2") MAP("4", "2", "\"exp\"")

TEST(a_machine_executes_what_it_can) {
  expect_place(INPUT GEMM("1", "0", "\"relu\"") MAP("2", "1", "\"exp\""), &overlay, "gemm relu, map exp");
  expect_place(MODEL, &overlay, "gemm relu, spdmm, sddmm host, map exp");
}

TEST(the_host_executes_the_families_that_were_asked_for) {
  place_rules rules = overlay;
  rules.host = "gemm";
  expect_place(MODEL, &rules, "gemm relu host, spdmm, sddmm host, map exp");
  rules.host = "spmm,map";
  expect_place(MODEL, &rules, "gemm relu, spdmm host, sddmm host, map exp host");
  rules.host = "map,all";
  expect_place(MODEL, &rules, "gemm relu host, spdmm host, sddmm host, map exp host");
}

TEST(without_a_machine_all_is_the_hosts_functions_too) {
  expect_place(INPUT GEMM("1", "0", "\"erf\""), &(place_rules){.host = "all"}, "gemm erf host");
  expect_place(INPUT GEMM("1", "0", "\"erf\""), &(place_rules){.host = NULL}, "gemm erf host");
}

TEST(functions_are_cut_at_the_first_that_the_machine_lacks) {
  expect_place(INPUT GEMM("1", "0", "\"relu\", \"erf\", \"relu\""), &overlay, "gemm relu, map erf relu host");
  expect_place(INPUT GEMM("1", "0", "\"erf\""), &overlay, "gemm, map erf host");
  expect_place(INPUT GEMM("1", "0", "\"exp\", \"clamp -1 1\""), &overlay, "gemm exp, map clamp -1 1 host");
  expect_place(INPUT MAP("1", "0", "\"relu\", \"tanh\""), &overlay, "map relu, map tanh host");
  expect_place(INPUT MAP("1", "0", "\"tanh\", \"relu\""), &overlay, "map tanh relu host");
}

/* Users of a cut operation read the result of the host's part. */
TEST(a_cut_operation_is_used_through_its_second_part) {
  fixture f;
  arena *a = arena_create();
  fixture_begin(&f, "", ARGUMENTS, INPUT GEMM("1", "0", "\"erf\"") MAP("2", "1", "\"relu\"") OUTPUT("2"), 1);
  place_operations(a, ir_func_first(mlirModuleGetOperation(f.module)), &overlay);
  MlirOperation user = fixture_last(&f, 1), cut = ir_defining_op(mlirOperationGetOperand(user, 0));
  CHECK(place_is_on_host(cut) && !place_is_on_host(user));
  CHECK(ir_op_kind(ir_defining_op(mlirOperationGetOperand(cut, 0))) == IR_OP(device, gemm));
  fixture_end(&f);
  arena_destroy(a);
}

/* Whether device memory holds the result of the operation `back` places before the last. */
static bool needs_result(const fixture *f, const map *needs, int back) {
  return place_needs(needs, ir_result(fixture_last(f, back)));
}

TEST(device_memory_holds_what_the_device_reads_and_makes) {
  fixture f;
  arena *a = arena_create();
  place_rules rules = overlay;
  rules.host = "map";
  fixture_begin(&f, "", ARGUMENTS,
                INPUT EDGES GEMM("1", "0", "") MAP("2", "1", "\"exp\"") MAP("3", "2", "\"exp\"") SPMM("4", "3")
                    MAP("5", "4", "\"exp\"") OUTPUT("5"),
                1);
  MlirOperation function = ir_func_first(mlirModuleGetOperation(f.module));
  place_operations(a, function, &rules);
  map needs = place_find_needs(a, function);
  CHECK(needs_result(&f, &needs, 7));  /* the input of gemm */
  CHECK(needs_result(&f, &needs, 6));  /* the edges of spdmm */
  CHECK(needs_result(&f, &needs, 5));  /* gemm */
  CHECK(!needs_result(&f, &needs, 4)); /* the value between two steps of the host */
  CHECK(needs_result(&f, &needs, 3));  /* the input that the host makes for spdmm */
  CHECK(needs_result(&f, &needs, 2));  /* spdmm */
  CHECK(!needs_result(&f, &needs, 1)); /* the output that the host makes */
  fixture_end(&f);
  arena_destroy(a);
}

static bool runs_all(MlirOperation op, const void *user) {
  (void)op;
  (void)user;
  return true;
}

TEST(edge_lists_of_values_in_device_memory_are_there_too) {
  static const place_rules rules[] = {{.host = "all"}, {.runs = runs_all}};
  arena *a = arena_create();
  for (int is_device = 0; is_device < 2; is_device++) {
    fixture f;
    fixture_begin(&f, "", ARGUMENTS, INPUT EDGES SDDMM("1", "0") OUTPUT_VALUES("1"), 1);
    MlirOperation function = ir_func_first(mlirModuleGetOperation(f.module));
    place_operations(a, function, &rules[is_device]);
    map needs = place_find_needs(a, function);
    CHECK_INT(needs_result(&f, &needs, 1), is_device); /* the values */
    CHECK_INT(needs_result(&f, &needs, 2), is_device); /* the list of their edges */
    fixture_end(&f);
  }
  arena_destroy(a);
}

static void expect_families(const char *host, const char *unknown) {
  const char *word = "";
  int length = 0;
  if (place_check_families(host, &word, &length) == (unknown != NULL))
    unit_fail(__FILE__, __LINE__, "--host=%s is %s", host, unknown ? "taken" : "refused");
  if (unknown && (strncmp(word, unknown, (size_t)length) != 0 || strlen(unknown) != (size_t)length))
    unit_fail(__FILE__, __LINE__, "the word is '%.*s', expected '%s'", length, word, unknown);
}

TEST(families_are_whole_words_of_a_list) {
  expect_families("all", NULL);
  expect_families("gemm", NULL);
  expect_families("gemm,spmm,sddmm,vadd,map,columns,concat", NULL);
  expect_families("", "");
  expect_families("gemms", "gemms");
  expect_families("gem", "gem");
  expect_families("gemm,,map", "");
  expect_families("gemm,", "");
  expect_families("map,spdmm", "spdmm");
  expect_families("gemm map", "gemm map");
  CHECK_STR(place_family_names, "gemm, spmm, sddmm, vadd, map, columns, concat, or all");
}
