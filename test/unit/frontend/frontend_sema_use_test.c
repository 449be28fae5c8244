/* Semantic analysis warns about values, fields and weights that nothing uses. */
#include "frontend_sema_fixture.h"

/* A whole file gives exactly these warnings. */
#define CHECK_UNUSED(file_text, expected)                                                                              \
  do {                                                                                                                 \
    analysed *analysed_ = open_analysis();                                                                             \
    diag_set_option(analysed_->diag, "unused-value");                                                                  \
    run_analysis(analysed_, file_text, "m");                                                                           \
    CHECK_STR(text_str(&analysed_->messages), expected);                                                               \
    CHECK(analysed_->flat);                                                                                            \
    close_analysis(analysed_);                                                                                         \
  } while (0)

#define MODEL(body) "model m { graph g; input x : node f32[4];\n" body "\n}\n"

TEST(a_value_that_nobody_reads_is_reported) {
  CHECK_UNUSED(MODEL("let a = relu(x); let b = a; output y = x;"), "2:22: warning: value 'b' is not used\n");
  CHECK_UNUSED(MODEL("let s = add_remaining_self_loops(g); output y = x;"), "2:5: warning: value 's' is not used\n");
  CHECK_UNUSED(MODEL("for n in g.nodes { let t = relu(n.x); n.y = n.x; } output y = n.y;"),
               "2:24: warning: value 't' is not used\n");
}

TEST(a_call_whose_result_nobody_takes_is_reported) {
  CHECK_UNUSED(MODEL("relu(x); output y = x;"), "2:1: warning: the result of 'relu' is not used\n");
}

TEST(a_version_that_nobody_reads_is_reported) {
  CHECK_UNUSED(MODEL("let h = x; h = relu(h); output y = x;"), "2:12: warning: this value of 'h' is not used\n");
  CHECK_UNUSED(MODEL("for n in g.nodes { n.a = n.x; n.a = -n.x; n.b = n.x; }\noutput y = n.a;"),
               "2:20: warning: this value of 'n.a' is not used\n2:43: warning: this value of 'n.b' is not used\n");
  CHECK_UNUSED(MODEL("for e in g.edges { e.a = sum(e.src.x); }\nedge_softmax(g, inout e.a); output y = x;"),
               "3:23: warning: what 'e.a' is changed to is not used\n");
}

TEST(a_weight_that_nobody_reads_is_reported) {
  CHECK_UNUSED(MODEL("weight W : f32[4, 4]; output y = x;"), "2:8: warning: weight 'W' is not used\n");
}

TEST(a_name_that_begins_with_an_underscore_may_stay_unused) {
  CHECK_UNUSED("layer two(x) { return x, -x; }\n" MODEL("let a, _b = two(x); weight _W : f32[4]; output y = a;"), "");
}

TEST(one_use_in_any_call_or_step_is_enough) {
  CHECK_UNUSED("layer l(x, k) { let a = relu(x); repeat i in 0..k { x = a; } return x; }\n" MODEL(
                   "let a = l(x, 1); output y = l(a, 2);"),
               "");
  CHECK_UNUSED(
      MODEL("let h = x; let c = 1; repeat k in 0..3 { let t = h * c; for n in g.nodes { n.h = n.t; } h = n.h; } "
            "output y = h;"),
      "2:76: warning: 'h' is a value too; from here on 'n.h' means the field, and 'h' the value\n"
      "2:5: note: the value is declared here\n");
}

TEST(what_a_block_of_no_steps_would_read_is_used) {
  CHECK_UNUSED(MODEL("dim L = 1; let a = relu(x); repeat k in 1..L { x = x + a; } output y = x;"), "");
}

TEST(a_field_is_used_by_sums_unions_and_callers) {
  CHECK_UNUSED(MODEL("for n in g.nodes { n.y = n.x; for e in n.incoming { n.y += e.src.x; } } output y = n.y;"), "");
  CHECK_UNUSED("layer l(g: graph, inout n.a) { for n in g.nodes { n.a = relu(n.a); } }\n" MODEL(
                   "for n in g.nodes { n.b = n.x; } l(g, inout n.b); output y = n.b;"),
               "");
  CHECK_UNUSED("model m { graph g { nodes p, q; } input x : node f32[4]; for n in g.nodes { n.a = n.x; }\n"
               "for n in g.nodes.p { n.a = -n.x; } for n in g.nodes.q { n.a = n.x; } output y = n.a; }",
               "");
}

TEST(layers_of_the_library_are_not_reported) {
  CHECK_UNUSED(MODEL("output y = gat_conv(g, x, 2, 3) from \"c\";"), "");
}
