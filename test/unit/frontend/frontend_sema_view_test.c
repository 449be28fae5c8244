/* Static subscripts, lists, and functions that rearrange elements. */
#include "frontend_sema_fixture.h"

#define MODEL(body) "model m { graph g; input x : node f32[4, 6]; input v : node f32[6];\n" body "\noutput y = x; }\n"

/* The type of `y` where it is this expression. */
static void check_type(const char *expression, const char *type) {
  text model = {0};
  text_printf(&model,
              "model m { graph g; input x : node f32[4, 6]; input v : node f32[6]; dim F = 6;\n"
              "weight W : f32[2, F, 5]; output y = %s; }",
              expression);
  analysed *p = open_analysis();
  run_analysis(p, text_str(&model), NULL);
  CHECK_STR(text_str(&p->messages), "");
  const flat_value *y = p->flat ? p->flat->values.items[p->flat->outputs.items[0].value] : NULL;
  text found = {0};
  if (y) flat_print_type(p->flat->dims, y->type, &found);
  CHECK_STR(text_str(&found), type);
  text_free(&found);
  text_free(&model);
  close_analysis(p);
}

TEST(subscripts_stand_for_leading_dimensions) {
  check_type("x[1]", "node f32[6]");
  check_type("x[1, 2]", "node f32");
  check_type("x[1..3]", "node f32[2, 6]");
  check_type("x[.., 2..]", "node f32[4, 4]");
  check_type("x[-1, ..-2]", "node f32[4]");
  check_type("v[F - 2..F]", "node f32[2]");
  check_type("x @ W[1]", "node f32[4, 5]");
  check_type("x[..]", "node f32[4, 6]");
}

TEST(lists_and_functions_make_shapes) {
  check_type("[v, 2 * v, v]", "node f32[3, 6]");
  check_type("[1, 2]", "f32[2]");
  check_type("[[1, 2], [3, 4], [5, 6]]", "f32[3, 2]");
  check_type("permute(W, [2, 0, 1])", "f32[5, 2, 6]");
  check_type("expand(v, [3, 2, F])", "node f32[3, 2, 6]");
  check_type("expand(reshape(v, [6, 1]), [6, 4])", "node f32[6, 4]");
  check_type("sum(x, axis = 0)", "node f32[6]");
  check_type("max(W, axis = -2)", "f32[2, 5]");
  check_type("softmax(x, axis = 0)", "node f32[4, 6]");
  check_type("concat(x, 2 * x, axis = 0)", "node f32[8, 6]");
  check_type("iota(F) * ones([F])", "f32[6]");
}

TEST(a_part_outside_of_its_dimension_is_an_error) {
  CHECK_FILE(MODEL("let a = x[4];"), "2:11: error: index 4 is outside of dimension 0, which has size 4\n");
  CHECK_FILE(MODEL("let a = x[1, -7];"), "2:14: error: index -1 is outside of dimension 1, which has size 6\n");
  CHECK_FILE(MODEL("let a = x[.., 4..7];"), "2:15: error: 4..7 is no part of dimension 1, which has size 6\n");
  CHECK_FILE(MODEL("let a = v[3..3];"), "2:11: error: 3..3 is no part of dimension 0, which has size 6\n");
  CHECK_FILE(MODEL("let a = v[0, 1];"),
             "2:9: error: 'v' is node f32[6], but 2 subscripts need at least as many dimensions\n"
             "1:52: note: 'v' is declared here: node f32[6]\n");
}

TEST(pieces_and_subscripts_without_a_size_are_errors) {
  CHECK_FILE(MODEL("let a, b = split(x, []);"), "2:21: error: 'split' makes at least 1 piece; the list has none\n");
  CHECK_FILE(MODEL("let a = x[9223372036*1000000000+854775807];"),
             "2:11: error: '9223372036 * 1000000000 + 854775807' is too large for a subscript\n");
  CHECK_FILE(MODEL("let a = max(x, 2, axis = 7);"), "2:26: error: 'max' of two values has no 'axis'\n");
}

TEST(a_bound_is_checked_when_all_sizes_are_known) {
  analysed *p = open_analysis();
  use_weights(p, "W F32 3 2;k F32 4");
  run_analysis(p,
               "model m { graph g; dim K; input x : node f32[3]; weight W : f32[F, 2];\n"
               "let a = W[K - 1]; weight k : f32[K]; output y = x @ W; output z = a; }",
               NULL);
  CHECK_STR(text_str(&p->messages), "2:11: error: index 3 is outside of dimension 0, which has size 3\n");
  close_analysis(p);
}

TEST(wrong_axes_and_orders_are_reported) {
  CHECK_FILE(MODEL("let a = sum(x, axis = 2);"), "2:23: error: 'axis' of 'sum' is 2, but 'x' has 2 dimensions\n");
  CHECK_FILE(MODEL("let a = permute(x, [0, 0]);"),
             "2:20: error: 'x' has 2 dimensions, so the order is a permutation of 0 to 1, not '[0, 0]'\n");
  CHECK_FILE(MODEL("let a, b = split(v, [2, 3]);"),
             "2:21: error: the pieces of 'split' have 5 elements together, but 'v' has 6\n"
             "1:52: note: 'v' is declared here: node f32[6]\n");
  CHECK_FILE(MODEL("let a, b, c, d = split(v, 4);"),
             "2:18: error: 6 cannot be cut into 4 equal pieces\n1:52: note: 'v' is declared here: node f32[6]\n");
  CHECK_FILE(MODEL("let a, b = split(v, 0);"), "2:21: error: 'split' makes 1 to 10000 pieces, not 0\n");
  CHECK_FILE(
      MODEL("let a = expand(v, [4]);"),
      "2:9: error: 'v' is node f32[6] and cannot be expanded to node f32[4]: trailing dimensions are equal, or 1 "
      "and repeated\n1:52: note: 'v' is declared here: node f32[6]\n");
  CHECK_FILE(MODEL("let a = [v, x];"),
             "2:13: error: 'x' is node f32[4, 6], but the first item of the list is node f32[6]\n");
  CHECK_FILE(MODEL("let a = [];"), "2:9: error: an empty list is no tensor\n");
}
