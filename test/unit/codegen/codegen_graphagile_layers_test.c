/* Programs of every kind of layer are right on every device: attention with heads of any width,
 * types, maximum, windows, values with the weights of their edges. The modules are in the folder
 * layers. */
#include "codegen_graphagile_variants.h"

static void run_heads(const char *module, const char *heads, const char *width, const char *combine, int64_t nodes,
                      int64_t edges) {
  const replacement words[MOST_REPLACEMENTS] = {{"HEADS", heads}, {"WIDTH", width}, {"COMBINE", combine}};
  run_module_with(module, words, nodes, edges);
}

TEST(attention_has_heads_of_any_width) {
  run_heads("attention", "1", "24", "", 90, 500);
  run_heads("attention", "8", "64", "", 90, 500);
  run_heads("attention", "3", "15", "", 90, 500);
  run_heads("attention", "2", "46", "", 90, 500);
}

TEST(a_softmax_is_one_layer_or_several) {
  run_heads("softmax", "1", "24", "", 90, 900);
  run_heads("softmax", "1", "3", "", 40, 60);
  run_heads("softmax", "1", "70", "", 400, 3000);
}

TEST(inner_products_may_be_of_more_columns_than_fit) {
  run_module("products", 70, 300);
}

TEST(inner_products_meet_the_values_that_were_there) {
  run_heads("inner", "2", "40", "mul", 70, 300);
  run_heads("inner", "3", "21", "mul", 70, 300);
  run_heads("inner", "3", "21", "max", 70, 300);
  run_heads("inner", "4", "100", "sub", 70, 300);
  run_heads("inner", "4", "100", "add", 70, 300);
}

TEST(reductions_begin_and_end_as_they_must) {
  run_module("reductions", 80, 300);
  run_module("reductions", 500, 300);
}

TEST(weights_per_type_meet_the_rows_of_their_type) {
  run_module("typed", 60, 200);
}

TEST(rows_are_added_selected_and_put_side_by_side) {
  run_module("vectors", 70, 10);
  run_module("vectors", 1000, 10);
}

TEST(an_epilogue_reads_only_what_is_there) {
  run_module("late", 90, 300);
}

static void run_multiplied(const char *width, const char *other, int64_t nodes, int64_t edges) {
  const replacement words[MOST_REPLACEMENTS] = {{"WIDTH", width}, {"OTHER", other}};
  run_module_with("multiplied", words, nodes, edges);
}

TEST(sums_are_multiplied_where_they_are_made) {
  run_multiplied("20", "7", 90, 400);
  run_multiplied("40", "24", 500, 1000);
  run_multiplied("6", "30", 1500, 4000);
  run_multiplied("4", "16", 64, 200);
}
