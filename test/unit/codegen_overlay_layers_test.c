/* Every kind of layer, whatever the device: attention with heads of any width, types, maximum, windows, values with the weights of their edges. */
#include "codegen_overlay_variants.h"

#define SEGMENTS(...) "operandSegmentSizes = array<i32: " #__VA_ARGS__ ">"
#define NODE(width) "!gnn.node<\"g\", tensor<" #width "xf32>>"
#define ROWS(width) "!graphagile.rows<\"g\", " #width ">"
#define EDGE_ROWS(width) "!graphagile.rows<\"g.edges\", " #width ">"
#define IN "!graphagile.edge_list<\"g\", \"g\">"
#define VALUES(heads) "!graphagile.values<\"g\", \"g\", " #heads ">"
#define RELATION                                                                                                       \
  "  %r = \"graphagile.relation\"(%g) {kind = \"in\", " SEGMENTS(1, 0, 0) "} : (!gnn.graph<\"g\">) -> " IN "\n"
#define INPUT(name, width) "  %" name "0 = \"graphagile.input\"(%" name ") : (" NODE(width) ") -> " ROWS(width) "\n"
#define OUTPUT(width)                                                                                                  \
  "  %o = \"graphagile.output\"(%y) : (" ROWS(width) ") -> " NODE(width) "\n  return %o : " NODE(width) "\n}\n"

/* Attention: a logit from both ends, softmax by maximum and sum, a weighted sum. `width` columns in `heads` heads. */
#define ATTENTION(heads, width)                                                                                                                              \
  "func.func @attention(%g: !gnn.graph<\"g\">, %x: " NODE(width) ", %w: tensor<" #width "x" #heads                                                           \
                                                                 "xf32>) -> (" NODE(width) ") {\n" INPUT("x", width)                                         \
                                                                     RELATION                                                                                \
      "  %s = \"graphagile.gemm\"(%x0, %w) {" SEGMENTS(1, 1, 0, 0) "} : (" ROWS(width) ", tensor<" #width "x" #heads "xf32>) -> " ROWS(                      \
          heads) "\n"                                                                                                                                        \
                 "  %a = \"graphagile.sddmm\"(%r, %s, %s) {heads = " #heads                                                                                  \
                 " : i64, inner = \"add\", combine = \"replace\", functions = [\"leaky_relu 0.2\"], " SEGMENTS(                                              \
                     1, 1, 1,                                                                                                                                \
                     0) "} : (" IN                                                                                                                           \
                        ", " ROWS(heads) ", " ROWS(heads) ") -> " VALUES(                                                                                    \
                            heads) "\n"                                                                                                                      \
                                   "  %m = \"graphagile.spdmm\"(%r, %a) {reduce = \"max\", " SEGMENTS(                                                       \
                                       1, 0, 1, 0,                                                                                                           \
                                       0) "} : (" IN                                                                                                         \
                                          ", " VALUES(heads) ") -> " ROWS(                                                                                   \
                                              heads) "\n"                                                                                                    \
                                                     "  %b = \"graphagile.sddmm\"(%r, %m, %a) {heads = " #heads                                              \
                                                     " : i64, inner = \"dst\", combine = \"sub\", functions = "                                              \
                                                     "[\"exp\"], " SEGMENTS(1, 0, 1, 1) "} : (" IN ", " ROWS(heads) ", " VALUES(heads) ") -> " VALUES(       \
                                                         heads) "\n"                                                                                         \
                                                                "  %t = \"graphagile.spdmm\"(%r, %b) {reduce = "                                             \
                                                                "\"sum\", functions = [\"add_constant "                                                      \
                                                                "1\"], " SEGMENTS(                                                                           \
                                                                    1, 0, 1, 0,                                                                              \
                                                                    0) "} : (" IN                                                                            \
                                                                       ", " VALUES(heads) ") -> " ROWS(                                                      \
                                                                           heads) "\n"                                                                       \
                                                                                  "  %c = \"graphagile.sddmm\"(%r, "                                         \
                                                                                  "%t, %b) {heads = " #heads                                                 \
                                                                                  " : i64, inner = \"dst\", combine "                                        \
                                                                                  "= \"div\", " SEGMENTS(                                                    \
                                                                                      1, 0, 1,                                                               \
                                                                                      1) "} : (" IN                                                          \
                                                                                         ", " ROWS(heads) ", " VALUES(heads) ") -> " VALUES(                 \
                                                                                             heads) "\n"                                                     \
                                                                                                    "  %y = "                                                \
                                                                                                    "\"graphagile."                                          \
                                                                                                    "spdmm\"(%r, "                                           \
                                                                                                    "%x0, %c) "                                              \
                                                                                                    "{reduce = "                                             \
                                                                                                    "\"sum\","                                               \
                                                                                                    " " SEGMENTS(                                            \
                                                                                                        1, 1, 1, 0,                                          \
                                                                                                        0) "} : (" IN                                        \
                                                                                                           ", " ROWS(width) ", " VALUES(heads) ") -> " ROWS( \
                                                                                                               width) "\n" OUTPUT(width)

TEST(attention_has_heads_of_any_width) {
  run_everywhere(ATTENTION(1, 24), 90, 500);
  run_everywhere(ATTENTION(8, 64), 90, 500);
  run_everywhere(ATTENTION(3, 15), 90, 500);
  run_everywhere(ATTENTION(2, 46), 90, 500);
}

/* Inner products of wide rows with what was there; the values are an output. */
#define INNER(heads, width, combine)                                                                                   \
  "func.func @inner(%g: !gnn.graph<\"g\">, %x: " NODE(width) ", %z: " NODE(                                            \
      width) ", %k: !gnn.edge<\"g\", tensor<" #heads "xf32>>) -> (!gnn.edge<\"g\", tensor<" #heads                     \
             "xf32>>) {\n" INPUT("x", width) INPUT("z", width) RELATION                                                \
      "  %v = \"graphagile.constant_values\"(%r, %k) : (" IN ", !gnn.edge<\"g\", tensor<" #heads "xf32>>) -> " VALUES( \
          heads) "\n"                                                                                                  \
                 "  %a = \"graphagile.sddmm\"(%r, %x0, %z0, %v) {heads = " #heads                                      \
                 " : i64, inner = \"dot\", combine = \"" combine "\", functions = [\"mul_constant 0.25\"], " SEGMENTS( \
                     1, 1, 1,                                                                                          \
                     1) "} : (" IN                                                                                     \
                        ", " ROWS(width) ", " ROWS(width) ", " VALUES(heads) ") -> " VALUES(                           \
                            heads) "\n"                                                                                \
                                   "  %b = \"graphagile.values_vadd\"(%a, %v) {function = \"sub\", functions = "       \
                                   "[\"relu\"]} : (" VALUES(heads) ", " VALUES(heads) ") -> " VALUES(                  \
                                       heads) "\n"                                                                     \
                                              "  %c = \"graphagile.map\"(%b) {functions = [\"add_constant 1\", "       \
                                              "\"sigmoid\"]} : (" VALUES(heads) ") -> " VALUES(                        \
                                                  heads) "\n"                                                          \
                                                         "  %o = \"graphagile.output\"(%c) : (" VALUES(                \
                                                             heads) ") -> !gnn.edge<\"g\", tensor<" #heads "xf32>>\n"  \
                                                                    "  return %o : !gnn.edge<\"g\", tensor<" #heads    \
                                                                    "xf32>>\n}\n"

/* Inner products alone, of two edge lists' ends. */
static const char products[] = "func.func @products(%g: !gnn.graph<\"g\">, %x: " NODE(
    100) ") -> (!gnn.edge<\"g\", tensor<4xf32>>) {\n" INPUT("x", 100) RELATION
    "  %a = \"graphagile.sddmm\"(%r, %x0, %x0) {heads = 4 : i64, inner = \"dot\", combine = \"replace\", " SEGMENTS(
        1, 1, 1,
        0) "} : (" IN
           ", " ROWS(100) ", " ROWS(100) ") -> " VALUES(
               4) "\n"
                  "  %b = \"graphagile.sddmm\"(%r, %x0) {heads = 4 : i64, inner = \"src\", combine = "
                  "\"replace\", " SEGMENTS(1, 1, 0, 0) "} : (" IN ", " ROWS(100) ") -> " VALUES(
                      4) "\n"
                         "  %c = \"graphagile.values_vadd\"(%a, %b) {function = \"max\"} : (" VALUES(4) ", " VALUES(
                             4) ") -> " VALUES(4) "\n"
                                                  "  %o = \"graphagile.output\"(%c) : (" VALUES(
                                                      4) ") -> !gnn.edge<\"g\", tensor<4xf32>>\n"
                                                         "  return %o : !gnn.edge<\"g\", tensor<4xf32>>\n}\n";

TEST(inner_products_may_be_of_more_columns_than_fit) {
  run_everywhere(products, 70, 300);
}

TEST(inner_products_meet_the_values_that_were_there) {
  run_everywhere(INNER(2, 40, "mul"), 70, 300);
  run_everywhere(INNER(3, 21, "mul"), 70, 300);
  run_everywhere(INNER(3, 21, "max"), 70, 300);
  run_everywhere(INNER(4, 100, "sub"), 70, 300);
  run_everywhere(INNER(4, 100, "add"), 70, 300);
}

/* Values times the weights of the edge list; maximum and minimum with bias and addend. */
static const char reductions[] = "func.func @reductions(%g: !gnn.graph<\"g\">, %x: " NODE(
    20) ", %k: !gnn.edge<\"g\", f32>, %v: "
        "!gnn.edge<\"g\", tensor<2xf32>>, %b: "
        "tensor<20xf32>) -> (" NODE(20) ") {\n" INPUT(
            "x",
            20) "  %r = \"graphagile.relation\"(%g, %k) {kind = "
                "\"in\", " SEGMENTS(
                    1, 0,
                    1) "} : (!gnn.graph<\"g\">, !gnn.edge<\"g\", "
                       "f32>) -> " IN "\n"
                       "  %q = \"graphagile.relation\"(%g) {kind "
                       "= \"in\", " SEGMENTS(
                           1, 0,
                           0) "} : (!gnn.graph<\"g\">) -> " IN "\n"
                              "  %a = "
                              "\"graphagile.constant_values\"(%q, "
                              "%v) : (" IN ", !gnn.edge<\"g\", tensor<2xf32>>) "
                              "-> " VALUES(
                                  2) "\n"
                                     "  %s = "
                                     "\"graphagile.spdmm\"(%r, "
                                     "%x0, %a) {reduce = "
                                     "\"sum\", " SEGMENTS(
                                         1, 1, 1, 0,
                                         0) "} : (" IN
                                            ", " ROWS(20) ", " VALUES(2) ") -> " ROWS(
                                                20) "\n"
                                                    "  %m = "
                                                    "\"graphagile."
                                                    "spdmm\"(%r, %s, "
                                                    "%b, "
                                                    "%x0) {reduce = "
                                                    "\"max\", functions "
                                                    "= "
                                                    "[\"relu\"],"
                                                    " " SEGMENTS(
                                                        1, 1, 0,
                                                        1,
                                                        1) "} : (" IN
                                                           ", " ROWS(20) ", tensor<20xf32>, " ROWS(20) ") -> " ROWS(
                                                               20) "\n"
                                                                   "  "
                                                                   "%n "
                                                                   "= "
                                                                   "\"gr"
                                                                   "a"
                                                                   "phag"
                                                                   "i"
                                                                   "le."
                                                                   "spdm"
                                                                   "m"
                                                                   "\"(%"
                                                                   "q, "
                                                                   "%m) "
                                                                   "{red"
                                                                   "u"
                                                                   "ce "
                                                                   "= "
                                                                   "\"mi"
                                                                   "n"
                                                                   "\", "
                                                                   "func"
                                                                   "t"
                                                                   "ions"
                                                                   " "
                                                                   "= "
                                                                   "[\"e"
                                                                   "l"
                                                                   "u "
                                                                   "1\"]"
                                                                   ","
                                                                   " " SEGMENTS(
                                                                       1, 1, 0,
                                                                       0,
                                                                       0) "} : (" IN
                                                                          ", " ROWS(20) ") -> " ROWS(
                                                                              20) "\n"
                                                                                  "  %y = \"graphagile.spdmm\"(%q, "
                                                                                  "%n, %b, %m) {reduce = "
                                                                                  "\"sum\", " SEGMENTS(
                                                                                      1, 1, 0, 1,
                                                                                      1) "} : (" IN
                                                                                         ", " ROWS(
                                                                                             20) ", "
                                                                                                 "tensor<"
                                                                                                 "20xf32>,"
                                                                                                 " " ROWS(
                                                                                                     20) ") "
                                                                                                         "->"
                                                                                                         " " ROWS(20) "\n" OUTPUT(
                                                                                                             20);

TEST(reductions_begin_and_end_as_they_must) {
  run_everywhere(reductions, 80, 300);
  run_everywhere(reductions, 500, 300);
}

/* Rows of edges, weights and biases per type, a wide inner dimension, transposed weights, addends. */
static const char typed[] =
    "func.func @typed(%g: !gnn.graph<\"g\">, %x: " NODE(150) ", %w: !gnn.per<\"etype\", tensor<150x20xf32>>, %b: "
                                                             "!gnn.per<\"etype\", tensor<20xf32>>, %v: "
                                                             "tensor<12x20xf32>) -> (" NODE(12) ") {\n" INPUT("x", 150) "  %s = \"graphagile.relation\"(%g) {kind = \"gather_src\", " SEGMENTS(
                                                                 1, 0,
                                                                 0) "} : (!gnn.graph<\"g\">) -> "
                                                                    "!graphagile.edge_list<\"g\", \"g.edges\">\n"
                                                                    "  %d = \"graphagile.relation\"(%g) {kind = "
                                                                    "\"scatter_dst\", " SEGMENTS(
                                                                        1, 0,
                                                                        0) "} : (!gnn.graph<\"g\">) -> "
                                                                           "!graphagile.edge_list<\"g.edges\", \"g\">\n"
                                                                           "  %e = \"graphagile.spdmm\"(%s, %x0) "
                                                                           "{reduce = \"sum\", " SEGMENTS(1, 1, 0, 0, 0) "} : (!graphagile.edge_list<\"g\", \"g.edges\">, " ROWS(150) ") -> " EDGE_ROWS(
                                                                               150) "\n"
                                                                                    "  %f = \"graphagile.gemm\"(%e, "
                                                                                    "%w, %b) {functions = "
                                                                                    "[\"relu\"], " SEGMENTS(1, 1, 1, 0) "} : (" EDGE_ROWS(150) ", !gnn.per<\"etype\", tensor<150x20xf32>>, !gnn.per<\"etype\", tensor<20xf32>>) -> " EDGE_ROWS(
                                                                                        20) "\n"
                                                                                            "  %h = "
                                                                                            "\"graphagile.spdmm\"(%d, "
                                                                                            "%f) {reduce = "
                                                                                            "\"sum\", " SEGMENTS(1, 1, 0, 0, 0) "} : (!graphagile.edge_list<\"g.edges\", \"g\">, " EDGE_ROWS(20) ") -> " ROWS(
                                                                                                20) "\n"
                                                                                                    "  %p = "
                                                                                                    "\"graphagile."
                                                                                                    "gemm\"(%h, %v) "
                                                                                                    "{transposed,"
                                                                                                    " " SEGMENTS(1, 1, 0, 0) "} : (" ROWS(20) ", tensor<12x20xf32>) -> " ROWS(
                                                                                                        12) "\n"
                                                                                                            "  %y = "
                                                                                                            "\"graphagi"
                                                                                                            "le.gemm\"("
                                                                                                            "%h, %v, "
                                                                                                            "%p) "
                                                                                                            "{transpose"
                                                                                                            "d, "
                                                                                                            "functions "
                                                                                                            "= "
                                                                                                            "[\"add_"
                                                                                                            "constant "
                                                                                                            "1\"],"
                                                                                                            " " SEGMENTS(1, 1, 0, 1) "} : (" ROWS(
                                                                                                                20) ", "
                                                                                                                    "te"
                                                                                                                    "ns"
                                                                                                                    "or"
                                                                                                                    "<1"
                                                                                                                    "2x"
                                                                                                                    "20"
                                                                                                                    "xf"
                                                                                                                    "32"
                                                                                                                    ">,"
                                                                                                                    " " ROWS(12) ") -> " ROWS(
                                                                                                                        12) "\n" OUTPUT(12);

TEST(weights_per_type_meet_the_rows_of_their_type) {
  run_everywhere(typed, 60, 200);
}

/* Element-wise layers, rows side by side, windows, a plain row, a column for all. */
static const char vectors[] = "func.func @vectors(%g: !gnn.graph<\"g\">, %x: " NODE(16) ", %z: " NODE(
    9) ", %k: tensor<16xf32>, %w: tensor<16x1xf32>) -> (" NODE(9) ", " NODE(25) ") {\n" INPUT("x", 16)
    INPUT("z", 9) "  %a = \"graphagile.vadd\"(%x0, %k) {function = \"mul\"} : (" ROWS(16) ", tensor<16xf32>) -> " ROWS(
        16) "\n"
            "  %c = \"graphagile.gemm\"(%x0, %w) {functions = [\"sigmoid\", \"add_constant 1\"], " SEGMENTS(1, 1, 0, 0) "} : (" ROWS(16) ", tensor<16x1xf32>) -> " ROWS(
                1) "\n"
                   "  %b = \"graphagile.vadd\"(%a, %c) {function = \"div\", bcast, functions = [\"leaky_relu "
                   "0.1\"]} : (" ROWS(16) ", " ROWS(1) ") -> " ROWS(
                       16) "\n"
                           "  %l = \"graphagile.vadd\"(%b, %x0) {function = \"lt\", scale = 0.5 : "
                           "f64} : (" ROWS(16) ", " ROWS(16) ") -> " ROWS(
                               16) "\n"
                                   "  %m = \"graphagile.vadd\"(%b, %x0, %l) {function = "
                                   "\"select\"} : (" ROWS(16) ", " ROWS(16) ", " ROWS(16) ") -> " ROWS(
                                       16) "\n"
                                           "  %s = \"graphagile.concat\"(%m, %z0) : (" ROWS(16) ", " ROWS(
                                               9) ") -> " ROWS(25) "\n"
                                                                   "  %t = \"graphagile.columns\"(%s) "
                                                                   "{begin "
                                                                   "= 16 : i64, width = 9 : i64} : "
                                                                   "(" ROWS(25) ") -> " ROWS(
                                                                       9) "\n"
                                                                          "  %y = \"graphagile.map\"(%t) "
                                                                          "{functions = [\"exp\", "
                                                                          "\"relu\"]} "
                                                                          ": (" ROWS(9) ") -> " ROWS(
                                                                              9) "\n"
                                                                                 "  %o = "
                                                                                 "\"graphagile.output\"(%"
                                                                                 "y) : "
                                                                                 "(" ROWS(9) ") -> " NODE(
                                                                                     9) "\n"
                                                                                        "  %q = "
                                                                                        "\"graphagile."
                                                                                        "output\"(%s) : "
                                                                                        "(" ROWS(
                                                                                            25) ") "
                                                                                                "->"
                                                                                                " " NODE(
                                                                                                    25) "\n"
                                                                                                        "  "
                                                                                                        "return"
                                                                                                        " %o, "
                                                                                                        "%q "
                                                                                                        ":"
                                                                                                        " " NODE(
                                                                                                            9) ","
                                                                                                               " " NODE(
                                                                                                                   25) "\n}\n";

TEST(rows_are_added_selected_and_put_side_by_side) {
  run_everywhere(vectors, 70, 10);
  run_everywhere(vectors, 1000, 10);
}

/* A concatenation has no layer of its own: what a tail reads of it may be made behind the layer that would take the tail. */
static const char late[] = "func.func @late(%g: !gnn.graph<\"g\">, %x: " NODE(
    32) ", %w: tensor<32x16xf32>, %v: tensor<16x16xf32>) -> (" NODE(32) ", " NODE(32) ") {\n" INPUT("x", 32) RELATION
    "  %s = \"graphagile.spdmm\"(%r, %x0) {reduce = \"sum\", " SEGMENTS(
        1, 1, 0,
        0, 0) "} : (" IN
              ", " ROWS(32) ") -> " ROWS(
                  32) "\n"
                      "  %a = \"graphagile.gemm\"(%x0, %w) {" SEGMENTS(1, 1, 0, 0) "} : (" ROWS(
                          32) ", tensor<32x16xf32>) -> " ROWS(16) "\n"
                                                                  "  %b = \"graphagile.gemm\"(%a, %v) {" SEGMENTS(1, 1, 0, 0) "} : (" ROWS(16) ", tensor<16x16xf32>) -> " ROWS(
                                                                      16) "\n"
                                                                          "  %c = \"graphagile.concat\"(%b, %a) : "
                                                                          "(" ROWS(16) ", " ROWS(16) ") -> " ROWS(
                                                                              32) "\n"
                                                                                  "  %y = \"graphagile.vadd\"(%s, %c) "
                                                                                  "{function = \"mul\"} : (" ROWS(32) ", " ROWS(32) ") -> " ROWS(
                                                                                      32) "\n"
                                                                                          "  %o = "
                                                                                          "\"graphagile.output\"(%y) : "
                                                                                          "(" ROWS(32) ") -> " NODE(
                                                                                              32) "\n"
                                                                                                  "  %p = "
                                                                                                  "\"graphagile."
                                                                                                  "output\"(%c) : "
                                                                                                  "(" ROWS(32) ") "
                                                                                                               "->"
                                                                                                               " " NODE(
                                                                                                                   32) "\n"
                                                                                                                       "  return %o, %p : " NODE(
                                                                                                                           32) ", " NODE(32) "\n}\n";

TEST(a_tail_reads_only_what_is_there) {
  run_everywhere(late, 90, 300);
}
