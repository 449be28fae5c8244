/* Products, sums over edges and layers on FusedGCN give the numbers of the host, in every form and with
 * every cut of weights that the PEs have no room for. Inputs and weights are -1, 0 and 1, so that sums
 * are exact in bf16. */
#include "codegen_module_fixture.h"

#define LIST(name, kind, type) MODULE_EDGES(name, kind, type)
#define SUM(result, list, in, more, segments, types, type, functions)                                                  \
  MODULE_OP(result, "spdmm", "%" list ", %" in more,                                                                   \
            "reduce = \"sum\", functions = [" functions "], " MODULE_SEGMENTS(segments), "(!in, " types ") -> " type)
#define GEMM(result, in, more, attributes, segments, types, type)                                                      \
  MODULE_OP(result, "gemm", "%" in ", " more, attributes MODULE_SEGMENTS(segments), "(" types ") -> " type)
#define LAYER(result, list, in, more, attributes, segments, types, type)                                               \
  MODULE_OP(result, "layer", "%" list ", %" in ", " more, attributes MODULE_SEGMENTS(segments), "(" types ") -> " type)
#define RELU "functions = [\"relu\"], "
/* Rows of 24 columns, made by the device. Each has few entries that are not 0, so sums stay below 256. */
#define WIDE GEMM("x24", "x0", "%few", "", "1, 1, 0, 0", "!rows16, tensor<16x24xf32>", "!rows24")
#define VALUES(heads)                                                                                                  \
  MODULE_OP("z", "sddmm", "%r, %x0, %x0",                                                                              \
            "heads = " heads " : i64, inner = \"add\", combine = \"replace\", " MODULE_SEGMENTS("1, 1, 1, 0"),         \
            "(!in, !rows16, !rows16) -> !values" heads)
#define WEIGH(heads, more, segments, types)                                                                            \
  MODULE_OP("y", "spdmm", "%r, %x0, %z" more, "reduce = \"sum\", " MODULE_SEGMENTS(segments),                          \
            "(!in, !rows16, !values" heads types ") -> !rows16")

static const module_device devices[] = {
    {"default", {NULL}},
    {"tiny", {"rows=4", "columns=3", "mem=3", "memory=shared"}},
    {"room for a tile", {"rows=4", "columns=16", "mem=1"}},
    {"wide", {"rows=3", "columns=8", "mem=7", "conversion=truncate"}},
    {"one PE", {"rows=1", "columns=1", "mem=1"}},
    {"two tiles", {"mem=2"}},
    {"large", {"rows=64", "columns=32", "mem=4"}},
};

/* Chosen forms are the cheapest: "..., C cycles; F would take D; ...". */
static void check_choices(const char *said) {
  for (const char *line = said; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    const char *end = line + strcspn(line, "\n"), *at = strstr(line, " cycles");
    unsigned long long own = 0, other = 0;
    if (!at || at > end) continue;
    const char *number = at;
    while (number > line && number[-1] != ' ') number--;
    CHECK(sscanf(number, "%llu", &own) == 1);
    for (at = strstr(at, " would take "); at && at < end; at = strstr(at, " would take ")) {
      at += strlen(" would take ");
      CHECK(sscanf(at, "%llu", &other) == 1 && own <= other);
    }
  }
}

static void run_case(module_case c) {
  c.most = 1;
  c.check_remarks = c.off ? NULL : check_choices;
  module_run_everywhere(&c, "fusedgcn", devices, sizeof devices / sizeof *devices);
}

static void run(const char *body, const char *out, int products, const char *remark) {
  run_case((module_case){.body = body, .out = out, .products = products, .remark = remark});
}

static void run_fused(const char *body, const char *out, int products) {
  run_case((module_case){
      .body = body, .out = out, .products = products, .off = FEATURE_reassociate, .remark = "on the device: fused, "});
}

/* ---- sums ---- */

TEST(a_sum_is_one_slice) {
  run(MODULE_X MODULE_IN SUM("y", "r", "x0", "", "1, 1, 0, 0, 0", "!rows16", "!rows16", ""), "!rows16", 1,
      "runs on the device: sum in slices, 700 non-zeros, 16 columns, 717 cycles");
}

TEST(columns_are_summed_in_slices) {
  run(MODULE_X WIDE MODULE_IN SUM("y", "r", "x24", "", "1, 1, 0, 0, 0", "!rows24", "!rows24", "\"relu\""), "!rows24", 2,
      "runs on the device: sum in slices, 700 non-zeros, 24 columns, 1434 cycles");
}

TEST(weights_of_edges_are_in_s) {
  run(MODULE_X MODULE_WEIGHTED SUM("y", "q", "x0", "", "1, 1, 0, 0, 0", "!rows16", "!rows16", ""), "!rows16", 1, NULL);
}

TEST(sums_have_a_bias_and_begin_with_an_addend) {
  run(MODULE_X WIDE MODULE_IN SUM("y", "r", "x24", ", %b", "1, 1, 0, 1, 0", "!rows24, tensor<24xf32>", "!rows24",
                                  "\"relu\""),
      "!rows24", 2, NULL);
  run(MODULE_X MODULE_IN SUM("y", "r", "x0", ", %x0", "1, 1, 0, 0, 1", "!rows16, !rows16", "!rows16", "\"relu\""),
      "!rows16", 1, NULL);
  run(MODULE_X WIDE MODULE_IN SUM("y", "r", "x24", ", %b, %x24", "1, 1, 0, 1, 1", "!rows24, tensor<24xf32>, !rows24",
                                  "!rows24", ""),
      "!rows24", 2, NULL);
}

TEST(constant_rows_are_in_device_memory) {
  run(MODULE_X MODULE_IN "%n = \"device.constant\"(%tall) {set = \"g\"} : (tensor<150x24xf32>) -> !rows24\n" SUM(
          "y", "r", "n", "", "1, 1, 0, 0, 0", "!rows24", "!rows24", ""),
      "!rows24", 1, NULL);
}

/* ---- values of heads ---- */

TEST(heads_have_a_matrix_each) {
  run(MODULE_X MODULE_IN VALUES("1") WEIGH("1", "", "1, 1, 1, 0, 0", ""), "!rows16", 1, "16 columns, 717 cycles");
  run(MODULE_X MODULE_IN VALUES("2") WEIGH("2", "", "1, 1, 1, 0, 0", ""), "!rows16", 1, "16 columns, 1434 cycles");
}

TEST(heads_begin_with_an_addend_and_a_bias) {
  run(MODULE_X MODULE_IN VALUES("2") WEIGH("2", ", %x0", "1, 1, 1, 0, 1", ", !rows16"), "!rows16", 1, NULL);
  run(MODULE_X MODULE_IN VALUES("2") WEIGH("2", ", %bias16", "1, 1, 1, 1, 0", ", tensor<16xf32>"), "!rows16", 1, NULL);
}

TEST(columns_that_are_no_multiple_of_the_heads_are_left_to_the_host) {
  run(MODULE_X MODULE_IN MODULE_OP("y", "spdmm", "%r, %x0", "reduce = \"max\", " MODULE_SEGMENTS("1, 1, 0, 0, 0"),
                                   "(!in, !rows16) -> !rows16"),
      "!rows16", 0, "runs on the host: the device has no maximum or minimum");
}

/* ---- products of rows ---- */

TEST(rows_are_multiplied) {
  run(MODULE_X GEMM("y", "x0", "%w", "", "1, 1, 0, 0", "!rows16, tensor<16x24xf32>", "!rows24"), "!rows24", 1,
      "runs on the device: product of rows, 24 columns, 317 cycles");
  run(MODULE_X GEMM("y", "x0", "%v", "transposed, " RELU, "1, 1, 0, 0", "!rows16, tensor<24x16xf32>", "!rows24"),
      "!rows24", 1, NULL);
}

TEST(products_have_a_bias_and_begin_with_an_addend) {
  run(MODULE_X GEMM("y", "x0", "%w, %b", RELU, "1, 1, 1, 0", "!rows16, tensor<16x24xf32>, tensor<24xf32>", "!rows24"),
      "!rows24", 1, NULL);
  run(MODULE_X WIDE GEMM("y", "x0", "%w, %b, %x24", RELU, "1, 1, 1, 1",
                         "!rows16, tensor<16x24xf32>, tensor<24xf32>, !rows24", "!rows24"),
      "!rows24", 2, NULL);
}

TEST(functions_behind_relu_are_the_hosts) {
  run(MODULE_X GEMM("y", "x0", "%w", "functions = [\"relu\", \"negate\"], ", "1, 1, 0, 0", "!rows16, tensor<16x24xf32>",
                    "!rows24"),
      "!rows24", 1, "runs on the host: the device has no element-wise functions but relu");
}

/* The addend is read by another operation, too, so the sum begins with a copy of it. */
TEST(an_addend_that_others_read_is_copied) {
  run(MODULE_X WIDE GEMM("h", "x0", "%w, %x24", "", "1, 1, 0, 1", "!rows16, tensor<16x24xf32>, !rows24", "!rows24")
          MODULE_IN SUM("y", "r", "x24", ", %h", "1, 1, 0, 0, 1", "!rows24, !rows24", "!rows24", ""),
      "!rows24", 3, NULL);
}

TEST(rows_of_a_type_have_weights_and_a_bias_of_that_type) {
  run(MODULE_U GEMM("y", "u0", "%t", "", "1, 1, 0, 0", "!edges16, !per24", "!edges24"), "!edges24", 1,
      "24 columns, 1451 cycles"); /* three types have rows */
  run(MODULE_U GEMM("y", "u0", "%t, %c", RELU, "1, 1, 1, 0", "!edges16, !per24, !row_per24", "!edges24"), "!edges24", 1,
      NULL);
}

/* ---- layers ---- */

#define SQUARE(more, segments, types)                                                                                  \
  LAYER("y", "r", "x0", "%square" more, RELU, segments, "!in, !rows16, tensor<16x16xf32>" types, "!rows16")
#define NARROWER(more, segments, types)                                                                                \
  LAYER("y", "r", "x24", "%v" more, RELU, segments, "!in, !rows24, tensor<24x16xf32>" types, "!rows16")
#define WIDER(more, segments, types)                                                                                   \
  LAYER("y", "r", "x0", "%w" more, RELU, segments, "!in, !rows16, tensor<16x24xf32>" types, "!rows24")

TEST(a_layer_of_one_tile_is_fused) {
  run(MODULE_X MODULE_IN SQUARE("", "1, 1, 1, 0, 0", ""), "!rows16", 1,
      "runs on the device: fused, 700 non-zeros, 16 columns, 717 cycles; product first would take 884; sum first "
      "would take 884");
  run(MODULE_X MODULE_IN SQUARE(", %bias16", "1, 1, 1, 1, 0", ", tensor<16xf32>"), "!rows16", 1, "device: fused, ");
  run(MODULE_X MODULE_IN SQUARE(", %bias16, %x0", "1, 1, 1, 1, 1", ", tensor<16xf32>, !rows16"), "!rows16", 1,
      "device: fused, ");
}

TEST(the_product_comes_first_where_it_has_fewer_columns) {
  run(MODULE_X WIDE MODULE_IN NARROWER("", "1, 1, 1, 0, 0", ""), "!rows16", 2,
      "runs on the device: product first, 700 non-zeros, 16 columns, 1034 cycles; fused would take 1417; sum first "
      "would take 1751");
  run(MODULE_X WIDE MODULE_IN NARROWER(", %bias16, %x0", "1, 1, 1, 1, 1", ", tensor<16xf32>, !rows16"), "!rows16", 2,
      "device: product first, ");
}

TEST(the_sum_comes_first_where_it_has_fewer_columns) {
  run(MODULE_X MODULE_IN WIDER("", "1, 1, 1, 0, 0", ""), "!rows24", 1,
      "runs on the device: sum first, 700 non-zeros, 24 columns, 1034 cycles; fused would take 1417; product first "
      "would take 1751");
  run(MODULE_X WIDE MODULE_IN WIDER(", %b, %x24", "1, 1, 1, 1, 1", ", tensor<24xf32>, !rows24"), "!rows24", 2,
      "device: sum first, ");
}

TEST(without_reassociation_layers_are_fused) {
  run_fused(MODULE_X WIDE MODULE_IN NARROWER("", "1, 1, 1, 0, 0", ""), "!rows16", 2);
  run_fused(MODULE_X WIDE MODULE_IN NARROWER(", %bias16, %x0", "1, 1, 1, 1, 1", ", tensor<16xf32>, !rows16"), "!rows16",
            2);
  run_fused(MODULE_X WIDE MODULE_IN WIDER(", %b, %x24", "1, 1, 1, 1, 1", ", tensor<24xf32>, !rows24"), "!rows24", 2);
}

#define COPY LIST("e", "gather_src", "!gather")
#define TYPED(more, segments, types)                                                                                   \
  LAYER("y", "e", "x0", "%t" more, RELU, segments, "!gather, !rows16, !per24" types, "!edges24")

TEST(layers_have_weights_and_biases_per_type_of_the_result) {
  run(MODULE_X COPY TYPED("", "1, 1, 1, 0, 0", ""), "!edges24", 1, "device: fused, 700 non-zeros");
  run(MODULE_X COPY TYPED(", %c", "1, 1, 1, 1, 0", ", !row_per24"), "!edges24", 1, "device: fused, ");
  run(MODULE_X MODULE_U COPY GEMM("h", "u0", "%t", "", "1, 1, 0, 0", "!edges16, !per24", "!edges24")
          TYPED(", %c, %h", "1, 1, 1, 1, 1", ", !row_per24, !edges24"),
      "!edges24", 2, "device: fused, ");
}

TEST(layers_follow_each_other_in_device_memory) {
  run(MODULE_X MODULE_IN LAYER("h", "r", "x0", "%square", "", "1, 1, 1, 0, 0", "!in, !rows16, tensor<16x16xf32>",
                               "!rows16")
          MODULE_OP("c6", "columns", "%h", "begin = 0 : i64, width = 6 : i64", "(!rows16) -> !rows6")
              SUM("y", "r", "c6", "", "1, 1, 0, 0, 0", "!rows6", "!rows6", ""),
      "!rows6", 2, NULL);
}

TEST(a_graph_without_nodes_has_no_records_but_the_last) {
  run_case((module_case){
      .body = MODULE_X MODULE_IN SQUARE("", "1, 1, 1, 0, 0", ""), .out = "!rows16", .products = 1, .no_nodes = true});
}

/* ---- stored features ---- */

#define STORED                                                                                                         \
  "%s0 = \"device.edges\"(%features) {kind = \"nonzeros\", operandSegmentSizes = array<i32: 1, 0, 0>} : "              \
  "(!features) -> !stored\n"                                                                                           \
  "%n = \"device.constant\"(%columns) {set = \"columns\"} : (tensor<40x24xf32>) -> !device.rows<\"columns\", "         \
  "24>\n" MODULE_OP("y", "spdmm", "%s0, %n, %b",                                                                       \
                    "reduce = \"sum\", functions = [\"relu\"], " MODULE_SEGMENTS("1, 1, 0, 1, 0"),                     \
                    "(!stored, !device.rows<\"columns\", 24>, tensor<24xf32>) -> !rows24")

TEST(few_features_are_summed_up_in_slices) {
  run(STORED, "!rows24", 1, "device: sum in slices, 112 non-zeros, 24 columns, 258 cycles; dense features would take");
}

TEST(many_features_are_dense_rows) {
  run_case((module_case){.body = STORED,
                         .out = "!rows24",
                         .products = 1,
                         .has_many_features = true,
                         .remark =
                             "device: dense features, 1344 non-zeros, 24 columns, 917 cycles; sum in slices would "
                             "take 2722"});
}
