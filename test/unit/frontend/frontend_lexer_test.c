/* The lexer reads numbers, names, strings and comments, and reports every way to write one
 * wrongly. */
#include "frontend_parse_fixture.h"

static const ast_expr *value_of(const parsed *p) {
  return p->file->models.count && p->file->models.items[0]->body.count
             ? p->file->models.items[0]->body.items[0]->let.value
             : NULL;
}

static void check_number(const char *spelling, double value, bool is_integer) {
  text t = {0};
  text_printf(&t, "model m { let h = %s; }", spelling);
  parsed *p = parse_string(text_str(&t));
  CHECK_STR(text_str(&p->messages), "");
  const ast_expr *e = value_of(p);
  CHECK(e && e->kind == AST_EXPR_number);
  if (e) {
    CHECK(e->number.value == value);
    CHECK(e->number.is_integer == is_integer);
    CHECK_STR(e->number.text, spelling);
  }
  close_parsed(p);
  text_free(&t);
}

TEST(numbers_keep_their_spelling_and_value) {
  check_number("0", 0, true);
  check_number("16", 16, true);
  check_number("007", 7, true);
  check_number("0.2", 0.2, false);
  check_number("1e-5", 1e-5, false);
  check_number("2.5E+3", 2500, false);
  check_number("3.4028234663852886e38", 3.4028234663852886e38, false);
  check_number("9007199254740992", 9007199254740992.0, true);
}

TEST(a_number_that_is_none_is_one_message) {
  CHECK_MESSAGES("model m { let h = 1e39; }",
                 "1:19: error: this number is larger than 3.402823e+38, the largest f32\n");
  CHECK_MESSAGES("model m { let h = 0x10; }", "1:19: error: '0x10' is neither a number nor a name\n");
  CHECK_MESSAGES("model m { let h = 2e; }", "1:19: error: '2e' is neither a number nor a name\n");
  CHECK_MESSAGES("model m { let h = .5; }", "1:19: error: a number begins with a digit: write '0.5'\n");
  CHECK_MESSAGES("model m { let h = 1.; }", "1:21: error: expected the name of a field after '.', found ';'\n"
                                            "1:21: note: a number ends with a digit: write '1.0'\n");
}

TEST(a_range_is_not_a_number) {
  CHECK_STATEMENT("repeat k in 0..3{x=y;}", "repeat k in 0..3 { x = y; }");
}

TEST(strings_escape_quotes_and_backslashes_only) {
  parsed *p = parse_string("model m { let h = \"a\\\"b\\\\c\"; }");
  CHECK_STR(text_str(&p->messages), "");
  CHECK_STR(value_of(p)->string.text, "a\"b\\c");
  close_parsed(p);
  CHECK_MESSAGES("model m { let h = \"a\\n\"; }",
                 "1:21: error: a backslash in a string stands before '\"' or another backslash only\n");
}

TEST(a_string_ends_on_its_line) {
  CHECK_MESSAGES("model m {\n  let h = f(\"abc);\n  let k = x;\n}",
                 "2:13: error: this string is not closed: expected '\"' before the end of the line\n");
  CHECK_MESSAGES("model m { let h = 'mean'; }", "1:19: error: strings are written in double quotes: \"mean\"\n");
}

TEST(text_in_strings_and_comments_is_utf8) {
  CHECK_MESSAGES("# gr\xC3\xBC\xC3\x9F\nmodel m { let h = \"\xE2\x82\xAC\"; }", "");
  CHECK_MESSAGES("# a\xFF\nmodel m { }", "1:4: error: byte 0xff in this comment is not UTF-8\n");
  CHECK_MESSAGES("model m { let h = \"\xC0\x80\"; }", "1:20: error: byte 0xc0 in this string is not UTF-8\n");
  CHECK_MESSAGES("model m { let h = \"\xED\xA0\x80\"; }", "1:20: error: byte 0xed in this string is not UTF-8\n");
  CHECK_MESSAGES("model m { let h = \"a\tb\x01\"; }", "1:23: error: control character, byte 0x01, in this string\n");
}

TEST(text_elsewhere_is_ascii) {
  CHECK_MESSAGES("model m { let \xC3\xA9"
                 "a = x; }",
                 "1:15: error: unexpected '\xC3\xA9"
                 "a': outside of strings and comments the text is ASCII\n");
  CHECK_MESSAGES("model m { \xFF }", "1:11: error: unexpected byte 0xff: the text is not UTF-8\n");
  CHECK_MESSAGES("model m { \x01\x02 }", "1:11: error: unexpected control character, byte 0x01\n");
}

TEST(a_byte_order_mark_and_carriage_returns_are_read_over) {
  CHECK_MESSAGES("\xEF\xBB\xBFmodel m {\r\n  let h = x; # c\r\n}\r\n", "");
}

TEST(zero_bytes_are_errors_and_text_behind_them_is_read) {
  static const char bytes[] = "model m { \0\0 let h = ; }";
  parsed *p = parse_bytes(bytes, sizeof bytes - 1);
  CHECK_STR(text_str(&p->messages), "1:11: error: unexpected zero bytes: is this a text?\n"
                                    "1:22: error: expected an expression after '=', found ';'\n");
  close_parsed(p);
}

TEST(foreign_operators_are_explained) {
  CHECK_MESSAGES("model m { let h = x; // c\n}", "1:22: error: comments begin with '#', not with '//'\n");
  CHECK_MESSAGES("model m { let h = x ** 2; }",
                 "1:21: error: there is no operator '**': write 'x * x', or 'exp(p * log(x))'\n");
  CHECK_MESSAGES("model m { x++; }", "1:12: error: there is no operator '++': write 'x += 1'\n");
  CHECK_MESSAGES("model m { let h = a % b; }", "1:21: error: there is no operator '%'\n");
  CHECK_MESSAGES("model m { let h = a ? b : c; }", "1:21: error: there is no operator '?': write 'select(condition, a, "
                                                   "b)', or 'a if condition else b' for what is known when compiled\n");
  CHECK_MESSAGES("model m { let h = $x; }", "1:19: error: unexpected character '$'\n");
}

TEST(two_minus_signs_are_a_double_negation) {
  CHECK_STATEMENT("let h = --x;", "let h = --x;");
}

TEST(keywords_are_names_behind_a_dot) {
  CHECK_STATEMENT("n.graph = e.in + e.weight.node;", "n.graph = e.in + e.weight.node;");
}

TEST(errors_beyond_a_hundred_are_not_counted_out) {
  text t = {0};
  for (int i = 0; i < 1000; i++) text_append(&t, "\xFF\n");
  parsed *p = parse_string(text_str(&t));
  CHECK_INT(diag_error_count(p->diag), 101);
  CHECK_HAS(text_str(&p->messages), "too many errors: the rest of the file is not read");
  close_parsed(p);
  text_free(&t);
}
