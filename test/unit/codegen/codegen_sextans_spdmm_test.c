/* Sums over edge lists on Sextans give the numbers of the host: with known weights and with values
 * of heads, with each way to begin, and for constant rows. */
#include "codegen_sextans_fixture.h"

#define SUM(result, list, in, type)                                                                                    \
  MODULE_OP(result, "spdmm", "%" list ", %" in, "reduce = \"sum\", " MODULE_SEGMENTS("1, 1, 0, 0, 0"),                 \
            "(!in, " type ") -> " type)
/* Values of edges: sums of columns of the source's and destination's rows, one per head. */
#define VALUES(list, heads)                                                                                            \
  MODULE_OP("z", "sddmm", "%" list ", %x0, %x0",                                                                       \
            "heads = " heads " : i64, inner = \"add\", combine = \"replace\", " MODULE_SEGMENTS("1, 1, 1, 0"),         \
            "(!in, !rows16, !rows16) -> !values" heads)
#define WEIGH(list, in, heads, type, more, segments, types)                                                            \
  MODULE_OP("y", "spdmm", "%" list ", %" in ", %z" more, "reduce = \"sum\", " MODULE_SEGMENTS(segments),               \
            "(!in, " type ", !values" heads types ") -> " type)
/* Columns 0 .. 5 of x, and x twice as wide. */
#define NARROW MODULE_OP("x6", "columns", "%x0", "begin = 0 : i64, width = 6 : i64", "(!rows16) -> !rows6")
#define WIDE                                                                                                           \
  MODULE_OP("x8", "columns", "%x0", "begin = 8 : i64, width = 8 : i64", "(!rows16) -> !device.rows<\"g\", 8>")         \
  MODULE_OP("x24", "concat", "%x0, %x8", "", "(!rows16, !device.rows<\"g\", 8>) -> !rows24")

static void run(const char *body, const char *out, int products, int launches) {
  sextans_run_everywhere(&(module_case){.body = body, .out = out, .products = products, .launches = launches});
}

TEST(a_sum_is_one_launch) {
  run(MODULE_X MODULE_IN SUM("y", "r", "x0", "!rows16"), "!rows16", 1, 1);
}

TEST(columns_need_not_fill_a_tile) {
  run(MODULE_X MODULE_IN NARROW SUM("y", "r", "x6", "!rows6"), "!rows6", 1, 1);
}

TEST(weights_of_a_list_are_in_its_slots) {
  run(MODULE_X MODULE_WEIGHTED SUM("y", "q", "x0", "!rows16"), "!rows16", 1, 1);
}

/* Zero times infinity is NaN. */
TEST(weights_of_zero_take_part) {
  sextans_run_everywhere(&(module_case){
      .body = MODULE_X MODULE_WEIGHTED SUM("y", "q", "x0", "!rows16"),
      .out = "!rows16",
      .products = 1,
      .has_infinity = true,
  });
}

TEST(two_sums_share_a_list) {
  run(MODULE_X MODULE_IN SUM("a", "r", "x0", "!rows16") SUM("y", "r", "a", "!rows16"), "!rows16", 2, 2);
}

TEST(a_graph_without_nodes_has_launches_without_rows) {
  sextans_run_everywhere(&(module_case){
      .body = MODULE_X MODULE_IN SUM("y", "r", "x0", "!rows16"), .out = "!rows16", .products = 1, .no_nodes = true});
}

/* ---- the beginning of C ---- */

TEST(a_sum_begins_with_a_bias) {
  run(MODULE_X MODULE_IN WIDE MODULE_OP("y", "spdmm", "%r, %x24, %b",
                                        "reduce = \"sum\", " MODULE_SEGMENTS("1, 1, 0, 1, 0"),
                                        "(!in, !rows24, tensor<24xf32>) -> !rows24"),
      "!rows24", 1, 1);
}

TEST(a_sum_begins_with_an_addend) {
  run(MODULE_X MODULE_WEIGHTED MODULE_OP("y", "spdmm", "%q, %x0, %x0",
                                         "reduce = \"sum\", " MODULE_SEGMENTS("1, 1, 0, 0, 1"),
                                         "(!in, !rows16, !rows16) -> !rows16"),
      "!rows16", 1, 1);
}

TEST(a_sum_begins_with_a_bias_and_an_addend) {
  run(MODULE_X MODULE_IN WIDE MODULE_OP("y", "spdmm", "%r, %x24, %b, %x24",
                                        "reduce = \"sum\", " MODULE_SEGMENTS("1, 1, 0, 1, 1"),
                                        "(!in, !rows24, tensor<24xf32>, !rows24) -> !rows24"),
      "!rows24", 1, 1);
}

/* ---- values of heads ---- */

TEST(heads_of_whole_tiles_lie_side_by_side) {
  run(MODULE_X MODULE_IN VALUES("r", "2") WEIGH("r", "x0", "2", "!rows16", "", "1, 1, 1, 0, 0", ""), "!rows16", 1, 2);
}

TEST(one_head_has_all_columns) {
  run(MODULE_X MODULE_IN NARROW VALUES("r", "1") WEIGH("r", "x6", "1", "!rows6", "", "1, 1, 1, 0, 0", ""), "!rows6", 1,
      1);
}

TEST(heads_of_other_widths_run_one_by_one) {
  run(MODULE_X MODULE_IN NARROW VALUES("r", "2") WEIGH("r", "x6", "2", "!rows6", "", "1, 1, 1, 0, 0", ""), "!rows6", 1,
      2);
}

TEST(values_are_multiplied_by_the_weights_of_the_list) {
  run(MODULE_X MODULE_WEIGHTED VALUES("q", "2") WEIGH("q", "x0", "2", "!rows16", "", "1, 1, 1, 0, 0", ""), "!rows16", 1,
      2);
  run(MODULE_X MODULE_WEIGHTED NARROW VALUES("q", "2") WEIGH("q", "x6", "2", "!rows6", "", "1, 1, 1, 0, 0", ""),
      "!rows6", 1, 2);
}

TEST(heads_begin_with_a_bias_and_an_addend) {
  run(MODULE_X MODULE_IN WIDE VALUES("r", "2")
          WEIGH("r", "x24", "2", "!rows24", ", %b", "1, 1, 1, 1, 0", ", tensor<24xf32>"),
      "!rows24", 1, 2); /* 12 columns each */
  run(MODULE_X MODULE_IN VALUES("r", "2") WEIGH("r", "x0", "2", "!rows16", ", %x0", "1, 1, 1, 0, 1", ", !rows16"),
      "!rows16", 1, 2);
  run(MODULE_X MODULE_IN NARROW VALUES("r", "2") WEIGH("r", "x6", "2", "!rows6", ", %x6", "1, 1, 1, 0, 1", ", !rows6"),
      "!rows6", 1, 2);
}

/* ---- constant rows ---- */

#define TALL "%n = \"device.constant\"(%tall) {set = \"g\"} : (tensor<150x24xf32>) -> !rows24\n"

TEST(constant_rows_are_in_device_memory) {
  run(MODULE_X MODULE_IN TALL SUM("y", "r", "n", "!rows24"), "!rows24", 1, 1);
  run(MODULE_X MODULE_IN MODULE_WEIGHTED TALL SUM("a", "r", "n", "!rows24") SUM("h", "q", "n", "!rows24")
          MODULE_OP("y", "vadd", "%a, %h", "function = \"add\"", "(!rows24, !rows24) -> !rows24"),
      "!rows24", 2, 2);
}

TEST(heads_of_constant_rows_run_side_by_side_or_one_by_one) {
  run(MODULE_X MODULE_IN TALL VALUES("r", "1") WEIGH("r", "n", "1", "!rows24", "", "1, 1, 1, 0, 0", ""), "!rows24", 1,
      1);
  run(MODULE_X MODULE_IN TALL VALUES("r", "2") WEIGH("r", "n", "2", "!rows24", "", "1, 1, 1, 0, 0", ""), "!rows24", 1,
      2);
}

/* ---- placement ---- */

TEST(maxima_are_left_to_the_host) {
  run(MODULE_X MODULE_IN MODULE_OP("y", "spdmm", "%r, %x0", "reduce = \"max\", " MODULE_SEGMENTS("1, 1, 0, 0, 0"),
                                   "(!in, !rows16) -> !rows16"),
      "!rows16", 0, 0);
}
