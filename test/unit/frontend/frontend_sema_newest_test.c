/* Where a value and a field have one name, n.NAME reads the newest, and a warning says so. */
#include "frontend_sema_fixture.h"

/* Statements after the prelude become exactly these values and messages. */
#define CHECK_BOTH(statements, expected, warnings)                                                                     \
  do {                                                                                                                 \
    analysed *analysed_ = open_analysis();                                                                             \
    run_analysis(analysed_, PRELUDE statements "\n}\n", NULL);                                                         \
    CHECK_STR(text_str(&analysed_->messages), warnings);                                                               \
    const char *start_ = strstr(text_str(&analysed_->printed), "%5 ");                                                 \
    CHECK_STR(start_ ? start_ : text_str(&analysed_->printed), expected);                                              \
    close_analysis(analysed_);                                                                                         \
  } while (0)

TEST(a_let_after_a_field_is_what_the_field_reads) {
  CHECK_BOTH("for n in g.nodes { n.h = n.x * 2; }\nlet h = relu(n.h);\nfor n in g.nodes { n.y = n.h; } output y = n.y;",
             "%5 : f32 = constant(value = 2)\n"
             "%6 h : node f32[4] = multiply(%1, %5)\n"
             "%7 h : node f32[4] = activation(%6, function = \"relu\")\n"
             "output y = %7\n",
             "8:5: warning: 'h' is a field too; from here on 'n.h' means this value\n"
             "7:20: note: the field is assigned here\n");
}

TEST(a_field_assigned_later_hides_the_value_again) {
  CHECK_BOTH("let h = relu(x);\nfor n in g.nodes { n.h = -n.h; }\nfor n in g.nodes { n.y = n.h; } output y = n.y; "
             "output z = h;",
             "%5 h : node f32[4] = activation(%1, function = \"relu\")\n"
             "%6 h : node f32[4] = activation(%5, function = \"negate\")\n"
             "output y = %6\noutput z = %5\n",
             "8:20: warning: 'h' is a value too; from here on 'n.h' means the field, and 'h' the value\n"
             "7:5: note: the value is declared here\n");
}

TEST(a_new_version_of_a_name_is_newer_than_the_field) {
  CHECK_BOTH("for n in g.nodes { n.x = -n.x; }\nx = relu(x);\nfor n in g.nodes { n.y = n.x; } output y = n.y;",
             "%5 x : node f32[4] = activation(%1, function = \"negate\")\n"
             "%6 x : node f32[4] = activation(%1, function = \"relu\")\n"
             "output y = %6\n",
             "");
}

TEST(values_of_edges_are_read_by_the_same_rule) {
  CHECK_BOTH(
      "for e in g.edges { e.a = e.w * e.w; }\nlet a = exp(e.a);\nfor e in g.edges { e.c = -e.a; } output y = e.c;",
      "%5 a : edge f32 = multiply(%2, %2)\n"
      "%6 a : edge f32 = activation(%5, function = \"exp\")\n"
      "%7 c : edge f32 = activation(%6, function = \"negate\")\n"
      "output y = %7\n",
      "8:5: warning: 'a' is a field too; from here on 'e.a' means this value\n"
      "7:20: note: the field is assigned here\n");
}

TEST(a_value_without_rows_leaves_the_field_alone) {
  CHECK_BOTH("for n in g.nodes { n.h = -n.x; }\nlet h = b * b;\nfor n in g.nodes { n.y = n.h * h; } output y = n.y;",
             "%5 h : node f32[4] = activation(%1, function = \"negate\")\n"
             "%6 h : f32[4] = multiply(%4, %4)\n"
             "%7 y : node f32[4] = multiply(%5, %6)\n"
             "output y = %7\n",
             "");
}

TEST(a_name_that_is_out_of_sight_gives_the_field_back) {
  CHECK_BOTH("for n in g.nodes { n.h = -n.x; }\nrepeat k in 0..1 { let h = relu(n.h); x = h; }\n"
             "for n in g.nodes { n.y = n.h + n.x; } output y = n.y;",
             "%5 h : node f32[4] = activation(%1, function = \"negate\")\n"
             "%6 h : node f32[4] = activation(%5, function = \"relu\")\n"
             "%7 y : node f32[4] = vector_add(%5, %6)\n"
             "output y = %7\n",
             "8:24: warning: 'h' is a field too; from here on 'n.h' means this value\n"
             "7:20: note: the field is assigned here\n");
}

TEST(a_value_of_the_loop_is_read_by_its_own_variable) {
  CHECK_BOTH("for n in g.nodes { n.z = -n.x; }\nfor n in g.nodes { let z = relu(n.z); n.y = n.z; } output y = n.y;",
             "%5 z : node f32[4] = activation(%1, function = \"negate\")\n"
             "%6 z : node f32[4] = activation(%5, function = \"relu\")\n"
             "output y = %6\n",
             "8:45: warning: 'n.z' means the value 'z' of this loop, which is newer than the field\n"
             "8:24: note: the value is declared here\n"
             "7:20: note: the field is assigned here\n");
}

TEST(a_field_that_is_made_from_a_value_of_the_loop_needs_no_warning) {
  CHECK_BOTH("for n in g.nodes { let z = n.x @ A; n.z = relu(z); n.y = n.z + z; } output y = n.y;",
             "%5 z : node f32[3] = linear(%1, %3)\n"
             "%6 z : node f32[3] = activation(%5, function = \"relu\")\n"
             "%7 y : node f32[3] = vector_add(%6, %5)\n"
             "output y = %7\n",
             "");
}

TEST(a_sum_begins_with_the_newest_value) {
  CHECK_BOTH("for n in g.nodes { for e in n.incoming { n.x += e.w; } } output y = n.x;",
             "%5 : node f32 = aggregate(%0, %2, reduce = \"sum\", direction = \"in\")\n"
             "%6 x : node f32[4] = vector_add(%1, %5)\n"
             "output y = %6\n",
             "");
}
