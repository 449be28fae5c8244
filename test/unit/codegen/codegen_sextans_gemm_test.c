/* Products of rows and weights on Sextans give the numbers of the host: with the rows as A, also read
 * through a copy or with weights per type, and with the weights as A. */
#include "codegen_sextans_fixture.h"

#define GEMM(result, in, more, attributes, segments, from, types, to)                                                  \
  MODULE_OP(result, "gemm", "%" in more, attributes MODULE_SEGMENTS(segments), "(" from types ") -> " to)
#define COPY(result, kind, in)                                                                                         \
  MODULE_EDGES(result "_list", kind, "!gather")                                                                        \
  MODULE_OP(result, "spdmm", "%" result "_list, %" in, "reduce = \"sum\", " MODULE_SEGMENTS("1, 1, 0, 0, 0"),          \
            "(!gather, !rows16) -> !edges16")
#define ADD(result, a, b, type)                                                                                        \
  MODULE_OP(result, "vadd", "%" a ", %" b, "function = \"add\"", "(" type ", " type ") -> " type)

static void run(const char *body, const char *out, int products, int launches) {
  sextans_run_everywhere(&(module_case){.body = body, .out = out, .products = products, .launches = launches});
}

static void run_with_infinity(const char *body, const char *out, int products, int launches) {
  sextans_run_everywhere(
      &(module_case){.body = body, .out = out, .products = products, .launches = launches, .has_infinity = true});
}

/* ---- rows as A: there are many edges ---- */

TEST(rows_are_multiplied) {
  run(MODULE_U GEMM("y", "u0", ", %w", "", "1, 1, 0, 0", "!edges16", ", tensor<16x24xf32>", "!edges24"), "!edges24", 1,
      1);
}

TEST(weights_are_stored_transposed) {
  run(MODULE_U GEMM("y", "u0", ", %v", "transposed, ", "1, 1, 0, 0", "!edges16", ", tensor<24x16xf32>", "!edges24"),
      "!edges24", 1, 1);
}

TEST(rows_begin_with_a_bias) {
  run(MODULE_U GEMM("y", "u0", ", %w, %b", "", "1, 1, 1, 0", "!edges16", ", tensor<16x24xf32>, tensor<24xf32>",
                    "!edges24"),
      "!edges24", 1, 1);
}

TEST(rows_begin_with_an_addend_and_a_bias) {
  run(MODULE_U GEMM("h", "u0", ", %w", "", "1, 1, 0, 0", "!edges16", ", tensor<16x24xf32>", "!edges24")
          GEMM("i", "u0", ", %w, %h", "", "1, 1, 0, 1", "!edges16", ", tensor<16x24xf32>, !edges24", "!edges24")
              GEMM("y", "u0", ", %w, %b, %i", "", "1, 1, 1, 1", "!edges16",
                   ", tensor<16x24xf32>, tensor<24xf32>, !edges24", "!edges24"),
      "!edges24", 3, 3);
}

/* ---- weights per type ---- */

TEST(rows_of_a_type_read_the_weights_of_that_type) {
  run(MODULE_U GEMM("y", "u0", ", %t", "", "1, 1, 0, 0", "!edges16", ", !per24", "!edges24"), "!edges24", 1, 1);
}

TEST(rows_of_a_type_begin_with_the_bias_of_that_type) {
  run(MODULE_U GEMM("y", "u0", ", %t, %c", "", "1, 1, 1, 0", "!edges16", ", !per24, !row_per24", "!edges24"),
      "!edges24", 1, 1);
  run(MODULE_U GEMM("h", "u0", ", %t", "", "1, 1, 0, 0", "!edges16", ", !per24", "!edges24")
          GEMM("y", "u0", ", %t, %c, %h", "", "1, 1, 1, 1", "!edges16", ", !per24, !row_per24, !edges24", "!edges24"),
      "!edges24", 2, 2);
}

TEST(plain_weights_and_weights_per_type_have_lists_of_their_own) {
  run(MODULE_U GEMM("h", "u0", ", %t", "", "1, 1, 0, 0", "!edges16", ", !per24", "!edges24")
          GEMM("i", "u0", ", %w", "", "1, 1, 0, 0", "!edges16", ", tensor<16x24xf32>", "!edges24")
              ADD("y", "h", "i", "!edges24"),
      "!edges24", 2, 2);
}

/* ---- copies ---- */

TEST(rows_are_read_through_a_copy) {
  run(MODULE_X COPY("e", "gather_src", "x0")
          GEMM("y", "e", ", %t", "", "1, 1, 0, 0", "!edges16", ", !per24", "!edges24"),
      "!edges24", 1, 1);
}

/* Both products have one list and read x, but not the same rows of it. */
TEST(two_copies_of_an_array_are_two_sets_of_numbers) {
  run(MODULE_X COPY("e", "gather_src", "x0") COPY("f", "gather_dst", "x0")
          GEMM("h", "e", ", %t", "", "1, 1, 0, 0", "!edges16", ", !per24", "!edges24")
              GEMM("i", "f", ", %t", "", "1, 1, 0, 0", "!edges16", ", !per24", "!edges24")
                  GEMM("j", "e", ", %t", "", "1, 1, 0, 0", "!edges16", ", !per24", "!edges24")
                      ADD("k1", "h", "i", "!edges24") ADD("y", "k1", "j", "!edges24"),
      "!edges24", 3, 3);
}

TEST(a_copy_with_other_readers_is_made) {
  run(MODULE_X COPY("e", "gather_src", "x0")
          GEMM("h", "e", ", %v", "transposed, ", "1, 1, 0, 0", "!edges16", ", tensor<24x16xf32>", "!edges24") MODULE_OP(
              "e8", "columns", "%e", "begin = 8 : i64, width = 8 : i64", "(!edges16) -> !device.rows<\"g.edges\", 8>")
              MODULE_OP("e24", "concat", "%e, %e8", "", "(!edges16, !device.rows<\"g.edges\", 8>) -> !edges24")
                  ADD("y", "h", "e24", "!edges24"),
      "!edges24", 1, 1);
}

/* The copy is the addend and the factor of one product. */
TEST(a_copy_may_also_be_added) {
  run(MODULE_X COPY("e", "gather_src", "x0") MODULE_OP("e8", "columns", "%e", "begin = 0 : i64, width = 8 : i64",
                                                       "(!edges16) -> !device.rows<\"g.edges\", 8>")
          MODULE_OP("e24", "concat", "%e, %e8", "", "(!edges16, !device.rows<\"g.edges\", 8>) -> !edges24")
              GEMM("y", "e", ", %t, %e24", "", "1, 1, 0, 1", "!edges16", ", !per24, !edges24", "!edges24"),
      "!edges24", 1, 1);
}

/* ---- blocks on the diagonal ---- */

#define SELECTION(result, rows, shape, strides, type)                                                                  \
  "%" result " = \"gnn.selection\"() {rows = " rows " : i64, shape = array<i64: " shape                                \
  ">, strides = array<i64: " strides ">} : () -> " type "\n"
/* A mask of two blocks of 8 rows and 16 columns, and of four blocks of 4 rows and 8 columns. */
#define BLOCKS(heads, k, n)                                                                                            \
  SELECTION("sk", heads, heads ", " k, "1, 0", "tensor<" heads "x16xf32>")                                             \
  SELECTION("sn", heads, heads ", " n, "1, 0", "tensor<" heads "x32xf32>")                                             \
  "%st = \"gnn.transpose\"(%sk) : (tensor<" heads "x16xf32>) -> tensor<16x" heads "xf32>\n"                            \
  "%mask = \"gnn.linear\"(%st, %sn) {operandSegmentSizes = array<i32: 1, 1, 0, 0>} : (tensor<16x" heads                \
  "xf32>, tensor<" heads "x32xf32>) -> tensor<16x32xf32>\n"                                                            \
  "%diagonal = \"gnn.multiply\"(%s, %mask) : (!per32, tensor<16x32xf32>) -> !per32\n"

TEST(blocks_per_type_run_block_by_block) {
  run_with_infinity(MODULE_X COPY("e", "gather_src", "x0") BLOCKS("2", "8", "16")
                        GEMM("y", "e", ", %diagonal", "", "1, 1, 0, 0", "!edges16", ", !per32", "!edges32"),
                    "!edges32", 1, 2);
  run_with_infinity(MODULE_X COPY("e", "gather_dst", "x0") BLOCKS("4", "4", "8")
                        GEMM("y", "e", ", %diagonal", "", "1, 1, 0, 0", "!edges16", ", !per32", "!edges32"),
                    "!edges32", 1, 4);
}

TEST(blocks_begin_with_an_addend) {
  run(MODULE_U BLOCKS("2", "8", "16") GEMM("h", "u0", ", %s", "", "1, 1, 0, 0", "!edges16", ", !per32", "!edges32")
          GEMM("y", "u0", ", %diagonal, %h", "", "1, 1, 0, 1", "!edges16", ", !per32, !edges32", "!edges32"),
      "!edges32", 2, 3);
}

/* ---- weights as A: there are few nodes ---- */

TEST(weights_are_the_matrix_where_rows_are_few) {
  run(MODULE_X GEMM("y", "x0", ", %w", "", "1, 1, 0, 0", "!rows16", ", tensor<16x24xf32>", "!rows24"), "!rows24", 1, 1);
  run(MODULE_X GEMM("y", "x0", ", %v", "transposed, ", "1, 1, 0, 0", "!rows16", ", tensor<24x16xf32>", "!rows24"),
      "!rows24", 1, 1);
}

TEST(weights_as_a_matrix_have_a_bias_and_an_addend) {
  run(MODULE_X GEMM("h", "x0", ", %w", "", "1, 1, 0, 0", "!rows16", ", tensor<16x24xf32>", "!rows24")
          GEMM("i", "x0", ", %w, %b", "", "1, 1, 1, 0", "!rows16", ", tensor<16x24xf32>, tensor<24xf32>", "!rows24")
              GEMM("j", "x0", ", %w, %h", "", "1, 1, 0, 1", "!rows16", ", tensor<16x24xf32>, !rows24", "!rows24")
                  GEMM("k1", "x0", ", %w, %b, %i", "", "1, 1, 1, 1", "!rows16",
                       ", tensor<16x24xf32>, tensor<24xf32>, !rows24", "!rows24") ADD("y", "j", "k1", "!rows24"),
      "!rows24", 4, 4);
}

/* Zeros of a selection do not take part: the infinite column reaches only its own result. Where a PE
 * holds one row, 96 columns of the result are two blocks. */
TEST(a_selection_leaves_infinity_where_it_is) {
  run_with_infinity(MODULE_X SELECTION("pick", "16", "3, 8", "4, 1", "tensor<16x24xf32>")
                        GEMM("y", "x0", ", %pick", "", "1, 1, 0, 0", "!rows16", ", tensor<16x24xf32>", "!rows24"),
                    "!rows24", 1, 1);
  run_with_infinity(MODULE_X SELECTION("pick", "16", "12, 8", "1, 2", "tensor<16x96xf32>")
                        GEMM("y", "x0", ", %pick", "", "1, 1, 0, 0", "!rows16", ", tensor<16x96xf32>", "!rows96"),
                    "!rows96", 1, 1);
}

TEST(other_zeros_of_weights_take_part) {
  run_with_infinity(MODULE_X GEMM("y", "x0", ", %w", "", "1, 1, 0, 0", "!rows16", ", tensor<16x24xf32>", "!rows24"),
                    "!rows24", 1, 1);
}

TEST(a_product_without_rows_is_empty) {
  sextans_run_everywhere(&(module_case){
      .body = MODULE_X GEMM("y", "x0", ", %w", "", "1, 1, 0, 0", "!rows16", ", tensor<16x24xf32>", "!rows24"),
      .out = "!rows24",
      .products = 1,
      .no_nodes = true});
}
