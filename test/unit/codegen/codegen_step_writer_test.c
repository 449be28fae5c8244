/* The manifest of host steps has the expected members, and section .gnnc.lists has the words
 * that it points at. The graph is the fixture's, with six nodes and eight edges. */
#include "codegen_host_fixture.h"

#include "codegen/device/steps/place.h"
#include "codegen/device/steps/step_private.h"
#include "codegen/device/steps/step_writer.h"

#define ROWS(n) "!device.rows<\"g\", " #n ">"
#define LIST "!device.edge_list<\"g\", \"g\">"
#define VALUES "!device.values<\"g\", \"g\", 2>"
#define GLOBAL(name, type, more)                                                                                       \
  "ml_program.global private @" name "(#extern) : " type " {gnn.from = \"" name "\", gnn.name = \"" name "\"" more "}" \
  "\n"
#define LOAD(name, type) "%" name " = ml_program.global_load_const @" name " : " type "\n"
#define A GLOBAL("a", "tensor<3xf32>", "")
#define B GLOBAL("b", "tensor<2x3xf32>", "")
#define C GLOBAL("c", "!gnn.per<\"etype\", tensor<2x2xf32>>", ", gnn.count = 3 : i64")
#define LOAD_A LOAD("a", "tensor<3xf32>")
#define LOAD_B LOAD("b", "tensor<2x3xf32>")
#define ARGUMENTS ", %x: !gnn.node<\"g\", tensor<2xf32>> {gnn.from = \"x\", gnn.name = \"x\"}"
#define WEIGHT ", %w: !gnn.edge<\"g\", f32> {gnn.from = \"edge_weight\", gnn.name = \"w\"}"
#define INPUT "%0 = \"device.input\"(%x) : (!gnn.node<\"g\", tensor<2xf32>>) -> " ROWS(2) "\n"
#define EDGES                                                                                                          \
  "%r = \"device.edges\"(%g) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 0>} : (!gnn.graph<\"g\">) "        \
  "-> " LIST "\n"

typedef struct written {
  fixture fixture;
  arena *memory;
  text json;
  image image;
} written;

/* Writes the steps of all operations of a body. */
static void write_steps(written *w, const char *globals, const char *arguments, const char *body, bool no_data) {
  *w = (written){.memory = arena_create()};
  fixture_begin(&w->fixture, globals, arguments, body, 1);
  step_writer s = step_writer_begin(w->memory, w->fixture.host, no_data);
  IR_FOR_EACH_OP(op, ir_func_body(ir_func_first(mlirModuleGetOperation(w->fixture.module))))
    if (place_is_step(op)) step_writer_add(&s, op);
  CHECK_OK(step_writer_end(&s, &w->json, &w->image));
}

/* `expected` has ' in the place of ". */
static void check_json(const char *file, int line, const text *json, const char *expected) {
  text found = {0};
  text_append(&found, text_str(json));
  for (size_t i = 0; i < found.size; i++)
    if (found.data[i] == '"') found.data[i] = '\'';
  if (strcmp(text_str(&found), expected) != 0) unit_fail(file, line, "%s\n  expected %s", text_str(&found), expected);
  text_free(&found);
}

static void end_steps(written *w) {
  text_free(&w->json);
  fixture_end(&w->fixture);
  arena_destroy(w->memory);
}

static void expect_steps(const char *globals, const char *arguments, const char *body, const char *expected) {
  written w;
  write_steps(&w, globals, arguments, body, false);
  check_json(__FILE__, __LINE__, &w.json, expected);
  end_steps(&w);
}

TEST(no_operations_are_three_empty_lists) {
  written w;
  write_steps(&w, "", "", "", false);
  check_json(__FILE__, __LINE__, &w.json, ",'arrays':[],'edge_lists':[],'steps':[]");
  CHECK_INT(w.image.sections[IMAGE_LISTS].size, 0);
  end_steps(&w);
}

TEST(a_product_has_its_matrix_and_bias_as_constants) {
  written w;
  write_steps(&w, A B, ARGUMENTS,
              LOAD_A LOAD_B INPUT "%1 = \"device.gemm\"(%0, %b, %a) {functions = [\"relu\", \"clamp -1 1\"], "
                                  "operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (" ROWS(
                                      2) ", tensor<2x3xf32>, tensor<3xf32>) -> " ROWS(3) "\n",
              false);
  check_json(__FILE__, __LINE__, &w.json,
             ",'arrays':[{'name':'value 0','rows':6,'width':2},{'name':'weights','rows':2,'width':3,'data':0},"
             "{'name':'bias','rows':1,'width':3,'data':24},{'name':'value 3','rows':6,'width':3}],"
             "'edge_lists':[],'steps':[{'op':'gemm','name':'gemm','file':'-','line':10,'in':0,'weights':1,'bias':2,"
             "'out':3,'functions':['relu','clamp -1 1']}]");
  const float *numbers = (const void *)w.image.sections[IMAGE_LISTS].data;
  CHECK_INT(w.image.sections[IMAGE_LISTS].size, 9 * 4);
  for (int i = 0; numbers && i < 9; i++) CHECK_NEAR(numbers[i], i < 6 ? i + 1 : i - 5, 0);
  end_steps(&w);
}

TEST(a_transposed_product_says_so_and_has_an_addend) {
  expect_steps(B, ARGUMENTS,
               LOAD_B INPUT "%1 = \"device.gemm\"(%0, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" ROWS(
                   2) ", tensor<2x3xf32>) -> " ROWS(3) "\n"
                                                       "%2 = \"device.gemm\"(%1, %b, %0) {transposed, "
                                                       "operandSegmentSizes = array<i32: 1, 1, 0, 1>} : (" ROWS(
                                                           3) ", tensor<2x3xf32>, " ROWS(2) ") -> " ROWS(2) "\n",
               ",'arrays':[{'name':'value 0','rows':6,'width':2},{'name':'weights','rows':2,'width':3,'data':0},"
               "{'name':'value 2','rows':6,'width':3},{'name':'weights','rows':2,'width':3,'data':24},"
               "{'name':'value 4','rows':6,'width':2}],'edge_lists':[],'steps':[{'op':'gemm','name':'gemm',"
               "'file':'-','line':8,'in':0,'weights':1,'out':2},{'op':'gemm','name':'gemm','file':'-','line':9,'in':2,'"
               "weights':3,"
               "'addend':0,'transposed':true,'out':4}]");
}

TEST(a_sum_over_edges_has_its_list_once) {
  written w;
  write_steps(
      &w, "", ARGUMENTS WEIGHT,
      INPUT
      "%r = \"device.edges\"(%g, %w) {kind = \"in\", operandSegmentSizes = array<i32: 1, 0, 1>} : "
      "(!gnn.graph<\"g\">, !gnn.edge<\"g\", f32>) -> " LIST "\n"
      "%1 = \"device.spdmm\"(%r, %0) {reduce = \"max\", operandSegmentSizes = array<i32: 1, 1, 0, 0, "
      "0>} : (" LIST ", " ROWS(2) ") -> " ROWS(
          2) "\n"
             "%2 = \"device.sddmm\"(%r, %1, %0) {heads = 2 : i64, inner = \"dot\", combine = \"replace\", "
             "operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (" LIST ", " ROWS(2) ", " ROWS(
                 2) ") -> " VALUES "\n"
                    "%3 = \"device.values_vadd\"(%2, %2) {function = \"mul\"} : (" VALUES ", " VALUES ") -> " VALUES
                    "\n"
                    "%4 = \"device.spdmm\"(%r, %0, %3) {reduce = \"sum\", operandSegmentSizes = array<i32: 1, 1, 1, "
                    "0, 0>} : (" LIST ", " ROWS(2) ", " VALUES ") -> " ROWS(2) "\n",
      false);
  check_json(
      __FILE__, __LINE__, &w.json,
      ",'arrays':[{'name':'value 0','rows':6,'width':2},{'name':'value 1','rows':6,'width':2},"
      "{'name':'value 2','rows':8,'width':2},{'name':'value 3','rows':8,'width':2},{'name':'value 4',"
      "'rows':6,'width':2}],'edge_lists':[{'name':'in','from_rows':6,'to_rows':6,'edges':8,'src':0,"
      "'dst':32,'weight':64}],'steps':[{'op':'spmm','name':'spmm','file':'-','line':7,'list':0,'in':0,"
      "'reduce':'max','out':1},{'op':'sddmm','name':'sddmm','file':'-','line':8,'list':0,'src':1,'dst':0,"
      "'heads':2,'inner':'dot','combine':'replace','out':2},{'op':'vadd','name':'vadd','file':'-','line':9,'a':2,"
      "'b':2,'function':'mul','out':3},{'op':'spmm','name':'spmm','file':'-','line':10,'list':0,'in':0,'values':3,"
      "'reduce':'sum','out':4}]");
  const int32_t *words = (const void *)w.image.sections[IMAGE_LISTS].data;
  CHECK_INT(w.image.sections[IMAGE_LISTS].size, 3 * FIXTURE_EDGES * 4);
  CHECK(words && !memcmp(words + 2 * FIXTURE_EDGES, fixture_edge_weight, sizeof fixture_edge_weight));
  end_steps(&w);
}

TEST(element_wise_steps_have_rows_or_a_row_and_a_scale) {
  expect_steps(
      GLOBAL("h", "tensor<2xf32>", ""), ARGUMENTS,
      INPUT "%1 = \"device.vadd\"(%0, %0) {function = \"sub\", scale = 0.1 : f64} : (" ROWS(2) ", " ROWS(
          2) ") -> " ROWS(2) "\n"
                             "%k = \"gnn.constant\"() {value = 0.5 : f64} : () -> f32\n"
                             "%2 = \"device.scaled_add\"(%0, %1, %k) {functions = [\"relu\"]} : (" ROWS(2) ", " ROWS(
                                 2) ", f32) -> " ROWS(2) "\n"
                                                         "%3 = \"device.map\"(%2) {functions = [\"erf\"]} : (" ROWS(
                                                             2) ") -> " ROWS(2) "\n",
      ",'arrays':[{'name':'value 0','rows':6,'width':2},{'name':'value 1','rows':6,'width':2},"
      "{'name':'value 2','rows':6,'width':2},{'name':'value 3','rows':6,'width':2}],'edge_lists':[],"
      "'steps':[{'op':'vadd','name':'vadd','file':'-','line':7,'a':0,'b':0,'function':'sub',"
      "'scale':0.10000000000000001,'out':1},{'op':'vadd','name':'vadd','file':'-','line':9,'a':0,'b':1,"
      "'function':'add','scale':0.5,'out':2,'functions':['relu']},{'op':'map','name':'map','file':'-','line':10,"
      "'in':2,'out':3,'functions':['erf']}]");
}

TEST(a_constant_row_is_an_array_of_one_row_and_a_condition_has_its_own_key) {
  written w;
  write_steps(
      &w, A B, ARGUMENTS,
      LOAD_A LOAD_B INPUT "%1 = \"device.gemm\"(%0, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" ROWS(
          2) ", tensor<2x3xf32>) -> " ROWS(3) "\n"
                                              "%2 = \"device.vadd\"(%1, %a, %1) {function = \"select\"} : (" ROWS(
                                                  3) ", tensor<3xf32>, " ROWS(3) ") -> " ROWS(3) "\n",
      false);
  CHECK_HAS(text_str(&w.json), "{\"name\":\"bias\",\"rows\":1,\"width\":3,\"data\":24}");
  CHECK_HAS(text_str(&w.json), "\"a\":2,\"b\":3,\"condition\":2,\"function\":\"select\",\"out\":4}");
  end_steps(&w);
}

TEST(columns_and_concat_name_their_parts) {
  expect_steps(
      "", ARGUMENTS,
      INPUT "%1 = \"device.concat\"(%0, %0) : (" ROWS(2) ", " ROWS(2) ") -> " ROWS(
          4) "\n"
             "%2 = \"device.columns\"(%1) {begin = 3 : i64, width = 1 : i64} : (" ROWS(4) ") -> " ROWS(1) "\n",
      ",'arrays':[{'name':'value 0','rows':6,'width':2},{'name':'value 1','rows':6,'width':4},"
      "{'name':'value 2','rows':6,'width':1}],'edge_lists':[],'steps':[{'op':'concat','name':'concat',"
      "'file':'-','line':6,'a':0,'b':0,'out':1},{'op':'columns','name':'columns','file':'-','line':7,'in':1,'begin':3,"
      "'out':2}]");
}

/* The sum of a layer is an array of its own. */
TEST(a_layer_is_a_sum_and_a_product) {
  written w;
  write_steps(&w, A B, ARGUMENTS,
              LOAD_A LOAD_B INPUT EDGES "%1 = \"device.layer\"(%r, %0, %b, %a) {functions = [\"relu\"], "
                                        "operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>} : (" LIST
                                        ", " ROWS(2) ", tensor<2x3xf32>, tensor<3xf32>) -> " ROWS(
                                            3) "\n"
                                               "%2 = \"device.layer\"(%r, %1, %b, %0) {"
                                               "transposed, operandSegmentSizes = array<i32: 1, "
                                               "1, 1, 0, 1>} : (" LIST
                                               ", " ROWS(3) ", tensor<2x3xf32>, " ROWS(2) ") -> " ROWS(2) "\n",
              false);
  check_json(
      __FILE__, __LINE__, &w.json,
      ",'arrays':[{'name':'sum','rows':6,'width':2},{'name':'value 1','rows':6,'width':2},"
      "{'name':'weights','rows':2,'width':3,'data':64},{'name':'bias','rows':1,'width':3,'data':88},"
      "{'name':'value 4','rows':6,'width':3},{'name':'sum','rows':6,'width':3},"
      "{'name':'weights','rows':2,'width':3,'data':100},{'name':'value 7','rows':6,'width':2}],"
      "'edge_lists':[{'name':'in','from_rows':6,'to_rows':6,'edges':8,'src':0,'dst':32}],"
      "'steps':[{'op':'spmm','name':'spmm','file':'-','line':11,'list':0,'in':1,'reduce':'sum','out':0},"
      "{'op':'gemm','name':'gemm','file':'-','line':11,'in':0,'weights':2,'bias':3,'out':4,'functions':['relu']},"
      "{'op':'spmm','name':'spmm','file':'-','line':12,'list':0,'in':4,'reduce':'sum','out':5},"
      "{'op':'gemm','name':'gemm','file':'-','line':12,'in':5,'weights':6,'addend':1,'transposed':true,'out':7}]");
  end_steps(&w);
}

/* Weights and biases per type are those of the rows of the result. */
TEST(a_layer_may_have_weights_per_type) {
  written w;
  write_steps(&w, C, ARGUMENTS,
              LOAD("c", "!gnn.per<\"etype\", tensor<2x2xf32>>") INPUT
              "%e = \"device.edges\"(%g) {kind = \"gather_src\", operandSegmentSizes = array<i32: 1, 0, 0>} : "
              "(!gnn.graph<\"g\">) -> !device.edge_list<\"g\", \"g.edges\">\n"
              "%1 = \"device.layer\"(%e, %0, %c) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : "
              "(!device.edge_list<\"g\", \"g.edges\">, " ROWS(2) ", !gnn.per<\"etype\", tensor<2x2xf32>>) -> "
                                                                 "!device.rows<\"g.edges\", 2>\n",
              false);
  check_json(__FILE__, __LINE__, &w.json,
             ",'arrays':[{'name':'sum','rows':8,'width':2},{'name':'value 1','rows':6,'width':2},"
             "{'name':'weights','rows':6,'width':2,'data':64},{'name':'value 3','rows':8,'width':2}],"
             "'edge_lists':[{'name':'gather_src','from_rows':6,'to_rows':8,'edges':8,'src':0,'dst':32}],"
             "'steps':[{'op':'spmm','name':'spmm','file':'-','line':9,'list':0,'in':1,'reduce':'sum','out':0},"
             "{'op':'gemm','name':'gemm','file':'-','line':9,'in':0,'weights':2,'segments':[0,4,6,8],'out':3}]");
  end_steps(&w);
}

/* With --no-data the writer counts offsets, but the section has no bytes. */
TEST(without_data_the_section_has_a_size_alone) {
  written w;
  write_steps(&w, B, ARGUMENTS,
              LOAD_B INPUT "%1 = \"device.gemm\"(%0, %b) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (" ROWS(
                  2) ", tensor<2x3xf32>) -> " ROWS(3) "\n",
              true);
  CHECK_INT(w.image.sections[IMAGE_LISTS].size, 6 * 4);
  CHECK(!w.image.sections[IMAGE_LISTS].data);
  end_steps(&w);
}

TEST(runs_and_moves_stand_between_steps) {
  fixture f;
  arena *a = arena_create();
  text json = {0};
  image im = {0};
  fixture_begin(&f, "", ARGUMENTS,
                INPUT "%1 = \"device.map\"(%0) {functions = [\"relu\"]} : (" ROWS(2) ") -> " ROWS(2) "\n", 1);
  step_writer w = step_writer_begin(a, f.host, false);
  MlirValue x = ir_result(fixture_last(&f, 1)), y = ir_result(fixture_last(&f, 0));
  step_writer_run(&w, 0, 12);
  CHECK_INT(step_writer_find(&w, x), -1);
  step_writer_move(&w, x, "\"layout\":\"fibers\",\"address\":4096", false);
  CHECK_INT(step_writer_find(&w, x), 0);
  step_writer_add(&w, fixture_last(&f, 0));
  step_writer_move(&w, y, "\"layout\":\"fibers\",\"address\":8192", true);
  CHECK_INT(step_writer_output(&w, y), 1);
  CHECK_OK(step_writer_end(&w, &json, &im));
  check_json(__FILE__, __LINE__, &json,
             ",'arrays':[{'name':'value 0','rows':6,'width':2},{'name':'value 1','rows':6,'width':2}],"
             "'edge_lists':[],'steps':[{'run':[0,12]},{'op':'relayout','name':'relayout','file':'-','line':5,'out':0,"
             "'place':{'layout':'fibers','address':4096}},{'op':'map','name':'map','file':'-','line':6,'in':0,'out':1,"
             "'functions':['relu']},{'op':'relayout','name':'relayout','file':'-','line':6,'in':1,"
             "'place':{'layout':'fibers','address':8192}}]");
  text_free(&json);
  fixture_end(&f);
  arena_destroy(a);
}

TEST(arrays_that_are_no_values_move_too) {
  fixture f;
  arena *a = arena_create();
  text json = {0};
  image im = {0};
  static const float numbers[2] = {1, 2};
  fixture_begin(&f, "", ARGUMENTS, INPUT, 1);
  step_writer w = step_writer_begin(a, f.host, false);
  int32_t constant = step_add_constant(&w, "bias \"1\"", 1, 2, numbers), room = step_add_array(&w, "room", 3, 1, -1);
  step_writer_move_array(&w, constant, "bias \"1\"", "\"layout\":\"sextans_c\"", true);
  step_writer_move_array(&w, room, "room", "\"layout\":\"sextans_b\"", false);
  CHECK_OK(step_writer_end(&w, &json, &im));
  CHECK_INT(im.sections[IMAGE_LISTS].size, sizeof numbers);
  check_json(__FILE__, __LINE__, &json,
             ",'arrays':[{'name':'bias \\'1\\'','rows':1,'width':2,'data':0},{'name':'room','rows':3,'width':1}],"
             "'edge_lists':[],'steps':[{'op':'relayout','name':'bias \\'1\\'','in':0,'place':{'layout':'sextans_c'}},"
             "{'op':'relayout','name':'room','out':1,'place':{'layout':'sextans_b'}}]");
  text_free(&json);
  fixture_end(&f);
  arena_destroy(a);
}

TEST(what_is_no_step_is_refused_and_later_calls_do_nothing) {
  fixture f;
  arena *a = arena_create();
  text json = {0};
  image im = {0};
  fixture_begin(&f, "", ARGUMENTS, INPUT, 1);
  step_writer w = step_writer_begin(a, f.host, false);
  step_writer_add(&w, fixture_last(&f, 0));
  step_writer_add(&w, fixture_last(&f, 0));
  CHECK_FAILS(step_writer_end(&w, &json, &im), "device.input is no step of the host");
  CHECK_INT(json.size, 0);
  fixture_end(&f);
  arena_destroy(a);
}
