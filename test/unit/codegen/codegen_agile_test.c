/* Sums over edges, products and layers on AGILE give the numbers of the host, on devices that divide
 * rows and results into parts, with biases as neighbours, as columns and as vectors. */
#include "codegen_module_fixture.h"

#define SUM(result, list, in, more, segments, types, type, functions)                                                  \
  MODULE_OP(result, "spdmm", "%" list ", %" in more,                                                                   \
            "reduce = \"sum\", functions = [" functions "], " MODULE_SEGMENTS(segments), "(!in, " types ") -> " type)
#define GEMM(result, in, more, attributes, segments, types, type)                                                      \
  MODULE_OP(result, "gemm", "%" in ", " more, attributes MODULE_SEGMENTS(segments), "(" types ") -> " type)
#define LAYER(result, list, in, more, attributes, segments, types, type)                                               \
  MODULE_OP(result, "layer", "%" list ", %" in ", " more, attributes MODULE_SEGMENTS(segments), "(" types ") -> " type)
#define RELU "functions = [\"relu\"], "
#define LEAKY "functions = [\"leaky_relu 0.5\"], "
#define WIDE GEMM("x24", "x0", "%w", "", "1, 1, 0, 0", "!rows16, tensor<16x24xf32>", "!rows24")
#define VALUES_OF(heads, rows, type)                                                                                   \
  MODULE_OP("z", "sddmm", "%r, %" rows ", %" rows,                                                                     \
            "heads = " heads " : i64, inner = \"add\", combine = \"replace\", " MODULE_SEGMENTS("1, 1, 1, 0"),         \
            "(!in, " type ", " type ") -> !values" heads)
#define VALUES(heads) VALUES_OF(heads, "x0", "!rows16")
#define WEIGH(heads, in, type, more, segments, types)                                                                  \
  MODULE_OP("y", "spdmm", "%r, %" in ", %z" more,                                                                      \
            "reduce = \"sum\", functions = [\"relu\"], " MODULE_SEGMENTS(segments),                                    \
            "(!in, " type ", !values" heads types ") -> " type)
/* A value that has other readers on the host, so that biases stay on the device. */
#define AND_COLUMNS(from, type)                                                                                        \
  MODULE_OP("y", "columns", "%" from, "begin = 0 : i64, width = 16 : i64", "(" type ") -> !rows16")

static const module_device devices[] = {
    {"head", {NULL}},
    {"vector", {"columns=2", "fte_columns=32", "has_vector_bias=true", "outstanding=2", "write_outstanding=3"}},
    {"parts of 16",
     {"columns=1", "rows=3", "fte_columns=16", "fte_rows=2", "nodeslots=4", "buffer_slots=3", "read_masters=2",
      "admission=groups"}},
    {"vector in parts", {"columns=1", "fte_columns=16", "has_vector_bias=true"}},
    {"wiki",
     {"allocation=sequential", "rows=16", "columns=16", "fte_columns=1024", "fte_rows=16", "flit_bits=64",
      "masters=separate"}},
};

static void run(const char *body, const char *out, int products, const char *remark) {
  const module_case c = {.body = body, .out = out, .products = products, .remark = remark};
  module_run_everywhere(&c, "agile", devices, sizeof devices / sizeof *devices);
}

/* ---- sums ---- */

TEST(a_sum_is_a_layer_with_an_identity) {
  run(MODULE_X MODULE_IN SUM("y", "r", "x0", "", "1, 1, 0, 0, 0", "!rows16", "!rows16", ""), "!rows16", 1,
      "runs on the device: sum, 700 neighbours, 16 columns, about ");
}

TEST(weights_of_edges_are_scale_factors) {
  run(MODULE_X MODULE_WEIGHTED SUM("y", "q", "x0", "", "1, 1, 0, 0, 0", "!rows16", "!rows16", "\"relu\""), "!rows16", 1,
      NULL);
}

TEST(biases_and_addends_are_neighbours) {
  run(MODULE_X WIDE MODULE_IN SUM("s0", "r", "x24", ", %b", "1, 1, 0, 1, 0", "!rows24, tensor<24xf32>", "!rows24",
                                  "\"leaky_relu 0.5\"") AND_COLUMNS("s0", "!rows24"),
      "!rows16", 2, NULL);
  run(MODULE_X MODULE_IN SUM("y", "r", "x0", ", %x0", "1, 1, 0, 0, 1", "!rows16, !rows16", "!rows16", "\"relu\""),
      "!rows16", 1, NULL);
  run(MODULE_X WIDE MODULE_IN SUM("y", "r", "x24", ", %b, %x24", "1, 1, 0, 1, 1", "!rows24, tensor<24xf32>, !rows24",
                                  "!rows24", "\"relu\""),
      "!rows24", 2, NULL);
}

TEST(constant_rows_are_in_device_memory) {
  run(MODULE_X MODULE_IN "%n = \"device.constant\"(%tall) {set = \"g\"} : (tensor<150x24xf32>) -> !rows24\n" SUM(
          "y", "r", "n", "", "1, 1, 0, 0, 0", "!rows24", "!rows24", ""),
      "!rows24", 1, NULL);
}

TEST(maxima_and_other_functions_are_the_hosts) {
  run(MODULE_X MODULE_IN MODULE_OP("y", "spdmm", "%r, %x0", "reduce = \"max\", " MODULE_SEGMENTS("1, 1, 0, 0, 0"),
                                   "(!in, !rows16) -> !rows16"),
      "!rows16", 0, "runs on the host: the device has no maximum or minimum");
  run(MODULE_X MODULE_IN SUM("y", "r", "x0", "", "1, 1, 0, 0, 0", "!rows16", "!rows16", "\"relu\", \"negate\""),
      "!rows16", 1, "runs on the host: the device has no element-wise functions but relu and leaky_relu");
}

TEST(two_functions_are_one_too_many) {
  run(MODULE_X MODULE_IN SUM("y", "r", "x0", "", "1, 1, 0, 0, 0", "!rows16", "!rows16", "\"relu\", \"leaky_relu 0.5\""),
      "!rows16", 1, "runs on the host");
}

/* ---- values of heads ---- */

TEST(heads_have_scale_factors_each) {
  run(MODULE_X MODULE_IN VALUES("1") WEIGH("1", "x0", "!rows16", "", "1, 1, 1, 0, 0", ""), "!rows16", 1,
      "runs on the device: sum per head, 700 neighbours");
  run(MODULE_X MODULE_IN VALUES("2") WEIGH("2", "x0", "!rows16", "", "1, 1, 1, 0, 0", ""), "!rows16", 1, NULL);
}

/* Heads of 8 columns begin in the middle of a beat, those of 16 columns at its beginning. */
/* Heads of 32 columns have no room in a message of 16. */
TEST(heads_need_not_begin_at_a_beat) {
  run(MODULE_X MODULE_IN WIDE VALUES("2") WEIGH("2", "x24", "!rows24", "", "1, 1, 1, 0, 0", ""), "!rows24", 2, NULL);
  run(MODULE_X MODULE_IN WIDE VALUES_OF("3", "x24", "!rows24") WEIGH("3", "x24", "!rows24", "", "1, 1, 1, 0, 0", ""),
      "!rows24", 2, NULL);
  run(MODULE_X MODULE_IN GEMM("x96", "x0", "%large", "", "1, 1, 0, 0", "!rows16, tensor<16x96xf32>", "!rows96")
          VALUES_OF("3", "x96", "!rows96") WEIGH("3", "x96", "!rows96", "", "1, 1, 1, 0, 0", ""),
      "!rows96", -1, NULL);
}

TEST(heads_begin_with_an_addend_and_a_bias) {
  run(MODULE_X MODULE_IN VALUES("2") WEIGH("2", "x0", "!rows16", ", %x0", "1, 1, 1, 0, 1", ", !rows16"), "!rows16", 1,
      NULL);
  run(MODULE_X MODULE_IN VALUES("2")
          WEIGH("2", "x0", "!rows16", ", %bias16, %x0", "1, 1, 1, 1, 1", ", tensor<16xf32>, !rows16"),
      "!rows16", 1, NULL);
}

/* ---- products ---- */

TEST(rows_are_multiplied) {
  run(MODULE_X GEMM("y", "x0", "%w", "", "1, 1, 0, 0", "!rows16, tensor<16x24xf32>", "!rows24"), "!rows24", 1,
      "runs on the device: product of rows, 150 neighbours, 24 columns");
  run(MODULE_X GEMM("y", "x0", "%v", "transposed, " RELU, "1, 1, 0, 0", "!rows16, tensor<24x16xf32>", "!rows24"),
      "!rows24", 1, NULL);
}

/* 96 columns are two parts of a row on the default device, six on those with 16 columns. */
TEST(rows_and_results_have_parts) {
  run(MODULE_X GEMM("x96", "x0", "%large", RELU, "1, 1, 0, 0", "!rows16, tensor<16x96xf32>", "!rows96")
          GEMM("y", "x96", "%back", LEAKY, "1, 1, 0, 0", "!rows96, tensor<96x24xf32>", "!rows24"),
      "!rows24", 2, NULL);
  run(MODULE_X WIDE GEMM("x96", "x0", "%large", "", "1, 1, 0, 0", "!rows16, tensor<16x96xf32>", "!rows96")
          GEMM("y", "x96", "%back, %b, %x24", RELU, "1, 1, 1, 1", "!rows96, tensor<96x24xf32>, tensor<24xf32>, !rows24",
               "!rows24"),
      "!rows24", 3, NULL);
}

/* The bias of an output is added on the host, unless the device has a bias per feature. */
TEST(biases_are_a_column_or_the_hosts) {
  run(MODULE_X GEMM("y", "x0", "%w, %b", RELU, "1, 1, 1, 0", "!rows16, tensor<16x24xf32>, tensor<24xf32>", "!rows24"),
      "!rows24", 1, NULL);
  run(MODULE_X GEMM("h", "x0", "%w, %b", LEAKY, "1, 1, 1, 0", "!rows16, tensor<16x24xf32>, tensor<24xf32>", "!rows24")
          AND_COLUMNS("h", "!rows24"),
      "!rows16", 1, NULL);
  run(MODULE_X WIDE GEMM("h", "x24", "%v, %bias16", RELU, "1, 1, 1, 0", "!rows24, tensor<24x16xf32>, tensor<16xf32>",
                         "!rows16") MODULE_IN SUM("y", "r", "h", "", "1, 1, 0, 0, 0", "!rows16", "!rows16", ""),
      "!rows16", 3, NULL);
}

TEST(rows_of_a_type_have_weights_and_a_bias_of_that_type) {
  run(MODULE_U GEMM("y", "u0", "%t", "", "1, 1, 0, 0", "!edges16, !per24", "!edges24"), "!edges24", 1, NULL);
  run(MODULE_U GEMM("y", "u0", "%t, %c", RELU, "1, 1, 1, 0", "!edges16, !per24, !row_per24", "!edges24"), "!edges24", 1,
      NULL);
  run(MODULE_U GEMM("h", "u0", "%t", "", "1, 1, 0, 0", "!edges16, !per24", "!edges24")
          GEMM("y", "u0", "%t, %c, %h", RELU, "1, 1, 1, 1", "!edges16, !per24, !row_per24, !edges24", "!edges24"),
      "!edges24", 2, NULL);
}

/* ---- layers ---- */

#define SQUARE(result, in, more, segments, types)                                                                      \
  LAYER(result, "r", in, "%square" more, RELU, segments, "!in, !rows16, tensor<16x16xf32>" types, "!rows16")

TEST(layers_are_fused) {
  run(MODULE_X MODULE_IN SQUARE("y", "x0", "", "1, 1, 1, 0, 0", ""), "!rows16", 1,
      "runs on the device: fused, 700 neighbours, 16 columns, about ");
  run(MODULE_X MODULE_IN SQUARE("h", "x0", ", %bias16", "1, 1, 1, 1, 0", ", tensor<16xf32>")
          SQUARE("y", "h", "", "1, 1, 1, 0, 0", ""),
      "!rows16", 2, NULL);
  run(MODULE_X MODULE_IN SQUARE("y", "x0", ", %bias16, %x0", "1, 1, 1, 1, 1", ", tensor<16xf32>, !rows16"), "!rows16",
      1, NULL);
}

/* Rows of six parts are summed up after the product. */
TEST(the_product_may_come_first) {
  const module_case c = {
      .body = MODULE_X MODULE_IN GEMM("x96", "x0", "%large", "", "1, 1, 0, 0", "!rows16, tensor<16x96xf32>", "!rows96")
          LAYER("y", "r", "x96", "%back", RELU, "1, 1, 1, 0, 0", "!in, !rows96, tensor<96x24xf32>", "!rows24"),
      .out = "!rows24",
      .products = 2,
      .remark = "device: product first, 700 neighbours",
      .remark_on = 2};
  module_run_everywhere(&c, "agile", devices, sizeof devices / sizeof *devices);
  run(MODULE_X MODULE_IN WIDE GEMM("x96", "x0", "%large", "", "1, 1, 0, 0", "!rows16, tensor<16x96xf32>", "!rows96")
          LAYER("y", "r", "x96", "%back, %b, %x24", LEAKY, "1, 1, 1, 1, 1",
                "!in, !rows96, tensor<96x24xf32>, tensor<24xf32>, !rows24", "!rows24"),
      "!rows24", 3, NULL);
}

#define TYPED(more, segments, types)                                                                                   \
  LAYER("y", "e", "x0", "%t" more, RELU, segments, "!gather, !rows16, !per24" types, "!edges24")

TEST(layers_have_weights_and_biases_per_type_of_the_result) {
  run(MODULE_X MODULE_EDGES("e", "gather_src", "!gather") TYPED("", "1, 1, 1, 0, 0", ""), "!edges24", 1,
      "device: fused, 700 neighbours");
  run(MODULE_X MODULE_EDGES("e", "gather_src", "!gather") TYPED(", %c", "1, 1, 1, 1, 0", ", !row_per24"), "!edges24", 1,
      NULL);
}

/* The first rows are parts of 24 columns, because heads of 8 read them; the sum of both has parts of its
 * own. */
TEST(an_addend_may_have_other_parts) {
  run(MODULE_X MODULE_IN GEMM("x96", "x0", "%large", "", "1, 1, 0, 0", "!rows16, tensor<16x96xf32>", "!rows96")
          GEMM("h", "x0", "%large, %x96", RELU, "1, 1, 0, 1", "!rows16, tensor<16x96xf32>, !rows96", "!rows96")
              VALUES_OF("3", "x96", "!rows96") WEIGH("3", "x96", "!rows96", ", %h", "1, 1, 1, 0, 1", ", !rows96"),
      "!rows96", -1, NULL);
}

TEST(a_graph_without_nodes_has_layers_without_nodes) {
  const module_case c = {.body = MODULE_X MODULE_IN SQUARE("y", "x0", "", "1, 1, 1, 0, 0", ""),
                         .out = "!rows16",
                         .products = 1,
                         .no_nodes = true};
  module_run_everywhere(&c, "agile", devices, sizeof devices / sizeof *devices);
}

/* ---- stored features ---- */

TEST(stored_features_are_lists_over_rows_of_weights) {
  const module_case c = {
      .body =
          "%s0 = \"device.edges\"(%features) {kind = \"nonzeros\", operandSegmentSizes = array<i32: 1, 0, 0>} : "
          "(!features) -> !stored\n"
          "%n = \"device.constant\"(%columns) {set = \"columns\"} : (tensor<40x24xf32>) -> "
          "!device.rows<\"columns\", 24>\n" MODULE_OP(
              "y", "spdmm", "%s0, %n", "reduce = \"sum\", functions = [\"relu\"], " MODULE_SEGMENTS("1, 1, 0, 0, 0"),
              "(!stored, !device.rows<\"columns\", 24>) -> !rows24"),
      .out = "!rows24",
      .products = 1,
      .has_many_features = true,
      .remark = "device: sum, 1344 neighbours, 24 columns"};
  module_run_everywhere(&c, "agile", devices, sizeof devices / sizeof *devices);
}
