/* Types keep their meaning between MLIR and C, in both directions. */
#include "dialects/ir.h"
#include "unit.h"

static const int64_t unknown = INT64_MIN; /* the value that MLIR uses for a dynamic size */

static void check_round_trip(MlirContext c, const char *written, const char *in_words) {
  MlirType type = mlirTypeParseGet(c, mlirStringRefCreateFromCString(written));
  CHECK(!mlirTypeIsNull(type));
  ir_type decoded = ir_type_get(type);
  CHECK(mlirTypeEqual(ir_type_make(c, decoded), type));
  CHECK(ir_type_equal(ir_type_get(type), decoded));
  text words = {0};
  ir_type_print(&words, decoded);
  CHECK_STR(text_str(&words), in_words);
  text_free(&words);
}

TEST(every_type_is_decoded_and_made_again) {
  MlirContext c = ir_context_create();
  check_round_trip(c, "f32", "f32");
  check_round_trip(c, "tensor<64x32xf32>", "f32[64, 32]");
  check_round_trip(c, "tensor<?x32xf32>", "f32[?, 32]");
  check_round_trip(c, "!gnn.graph<\"g\">", "graph");
  check_round_trip(c, "!gnn.node<\"g\", tensor<64xf32>>", "node f32[64]");
  check_round_trip(c, "!gnn.edge<\"g.replace\", f32>", "edge f32");
  check_round_trip(c, "!gnn.per<\"etype\", tensor<8x4xf32>>", "etype f32[8, 4]");
  check_round_trip(c, "!gnn.sparse<\"g\", tensor<1433xf32>>", "sparse node f32[1433]");
  check_round_trip(c, "!inter.cursor<\"nonzero\", \"g\">", "nonzero cursor");
  check_round_trip(c, "!inter.results", "loop results");
  check_round_trip(c, "!intra.memory<\"node:g\", tensor<1x2x3x4x5x6xf32>>", "buffer 'node:g' f32[1, 2, 3, 4, 5, 6]");
  ir_context_destroy(c);
}

TEST(names_of_sets_may_hold_any_character) {
  MlirContext c = ir_context_create();
  const char *names[] = {"a\"b", "a\\b", "<>", "a, b", "", "\xC3\xA4\n\t", "tensor<4xf32>"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ir_type type = {.kind = IR_KIND_node, .set = names[i], .rank = 1, .dims = {4}};
    ir_type again = ir_type_get(ir_type_make(c, type));
    CHECK(again.kind == IR_KIND_node);
    CHECK_STR(again.set, names[i]);
    CHECK(ir_type_equal(again, type));
  }
  ir_context_destroy(c);
}

TEST(what_is_no_payload_is_another_type) {
  MlirContext c = ir_context_create();
  const char *others[] = {"f64",
                          "tensor<f32>",
                          "tensor<4xf64>",
                          "tensor<*xf32>",
                          "tensor<4xf32, \"encoding\">",
                          "index",
                          "tensor<1x1x1x1x1x1x1xf32>",
                          "si32",
                          "!gnn.node<\"g\", tensor<4xi64>>"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    MlirType type = mlirTypeParseGet(c, mlirStringRefCreateFromCString(others[i]));
    CHECK(!mlirTypeIsNull(type));
    CHECK(ir_type_get(type).kind == IR_KIND_other);
  }
  CHECK(mlirTypeIsNull(ir_type_make(c, (ir_type){.kind = IR_KIND_other})));
  ir_context_destroy(c);
}

TEST(elements_are_the_product_of_sizes) {
  const int64_t dims[] = {3, 4, 5}, partly[] = {3, unknown}, huge[] = {INT64_MAX, 2}, none[] = {0, 7};
  CHECK_INT(ir_type_elements(ir_type_plain(0, NULL)), 1);
  CHECK_INT(ir_type_elements(ir_type_plain(3, dims)), 60);
  CHECK_INT(ir_type_elements(ir_type_plain(2, none)), 0);
  CHECK_INT(ir_type_elements(ir_type_plain(2, huge)), INT64_MAX);
  CHECK(mlirShapedTypeIsDynamicSize(ir_type_elements(ir_type_plain(2, partly))));
}

TEST(edge_sets_know_their_nodes_and_what_they_were_made_from) {
  MlirContext c = ir_context_create();
  CHECK_STR(ir_node_set(c, "g"), "g");
  CHECK_STR(ir_node_set(c, "g.replace"), "g");
  CHECK_STR(ir_node_set(c, "g.add_remaining.replace"), "g");
  CHECK(!ir_base_set(c, "g"));
  CHECK_STR(ir_base_set(c, "g.add_remaining.replace"), "g.add_remaining");
  CHECK(ir_node_set(c, "g.replace") == ir_intern(c, "g"));
  CHECK_STR(ir_unique_end("g.unique_src"), "src");
  CHECK_STR(ir_unique_end("g.unique_dst"), "dst");
  CHECK(!ir_unique_end("g") && !ir_unique_end("g.replace"));
  CHECK_STR(ir_unique_set(c, "g", "dst"), "g.unique_dst");
  CHECK_STR(ir_base_set(c, "g.unique_src"), "g");
  CHECK_STR(ir_part_set(c, "g", 12), "g:12");
  CHECK_STR(ir_whole_set(c, "g:12"), "g");
  CHECK(!ir_whole_set(c, "g.replace"));
  CHECK_INT(ir_part_type("g:12"), 12);
  CHECK_INT(ir_part_type("g"), -1);
  ir_context_destroy(c);
}

TEST(contexts_of_one_thread_do_not_mix) {
  MlirContext a = ir_context_create(), b = ir_context_create();
  check_round_trip(a, "!gnn.graph<\"g\">", "graph");
  ir_context_destroy(a);
  check_round_trip(b, "!gnn.graph<\"g\">", "graph");
  ir_context_destroy(b);
}

TEST(a_payload_is_exchanged_without_its_domain) {
  const int64_t dims[] = {4}, more[] = {4, 2};
  ir_type node = {.kind = IR_KIND_node, .set = "g", .rank = 1, .dims = {4}};
  CHECK(ir_type_equal(ir_type_payload(node), ir_type_plain(1, dims)));
  ir_type wider = ir_type_with_payload(node, ir_type_plain(2, more));
  CHECK(wider.kind == IR_KIND_node);
  CHECK_STR(wider.set, "g");
  CHECK(ir_payload_equal(wider, ir_type_plain(2, more)));
  CHECK(!ir_payload_equal(wider, node));
}
