/* The parser: precedence, every statement, recovery, and messages for the usual mistakes. */
#include "frontend_parse_fixture.h"

TEST(operators_bind_as_documented) {
  CHECK_STATEMENT("let h = a+b*c@d-e/f;", "let h = a + b * c @ d - e / f;");
  CHECK_STATEMENT("let h = (a+b)*(c-(d-e));", "let h = (a + b) * (c - (d - e));");
  CHECK_STATEMENT("let h = ((a-b)-c)-d;", "let h = a - b - c - d;");
  CHECK_STATEMENT("let h = -(a*b)+ -c.x[e.type];", "let h = -(a * b) + -c.x[e.type];");
  CHECK_STATEMENT("let h = (-a)*b;", "let h = -a * b;");
  CHECK_STATEMENT("let h = (a<b)*(c!=d)==e;", "let h = (a < b) * (c != d) == e;");
  CHECK_STATEMENT("let h = (a+b).x;", "let h = (a + b).x;");
}

TEST(every_statement_has_its_canonical_form) {
  CHECK_STATEMENT("graph g ;", "graph g;");
  CHECK_STATEMENT("graph g{edges cites,writes;nodes paper;nodes author;}",
                  "graph g { nodes paper, author; edges cites, writes; }");
  CHECK_STATEMENT("dim H,C;dim D;", "dim H, C, D;");
  CHECK_STATEMENT("dim L=2*H;", "dim L = 2 * H;");
  CHECK_STATEMENT("input x:node f32[F];", "input x : node f32[F];");
  CHECK_STATEMENT("input x.paper:node f32[F]from\"x.paper\";", "input x.paper : node f32[F] from \"x.paper\";");
  CHECK_STATEMENT("weight W:etype f32[H*C,F]from\"lin.weight\"transposed;",
                  "weight W : etype f32[H * C, F] from \"lin.weight\" transposed;");
  CHECK_STATEMENT("weight b:f32 transposed;", "weight b : f32 transposed;");
  CHECK_STATEMENT("let a,b=f(g,x,k=3,inout e.a)from\"p{k}\";", "let a, b = f(g, x, k = 3, inout e.a) from \"p{k}\";");
  CHECK_STATEMENT("h=[];h+=[a,b];h-=a;h*=a;h/=a;", "h = [];\n  h += [a, b];\n  h -= a;\n  h *= a;\n  h /= a;");
  CHECK_STATEMENT("edge_softmax(g,inout e.a);", "edge_softmax(g, inout e.a);");
  CHECK_STATEMENT("for n in g.nodes{}", "for n in g.nodes {}");
  CHECK_STATEMENT("for n in g.nodes{n.m=max(e in n.incoming:e.a);}",
                  "for n in g.nodes { n.m = max(e in n.incoming: e.a); }");
  CHECK_STATEMENT("output y=x;", "output y = x;");
  CHECK_STATEMENT("return a,b+c;", "return a, b + c;");
}

TEST(parameters_have_types_defaults_and_inout) {
  parsed *p = parse_string("layer l(g:graph,x:node f32[F],p:graph f32[2],act:function=relu,r:reduction=mean,d:dim=2,y,"
                           "inout h,inout e.a:edge f32[H]) { return x; }");
  CHECK_STR(text_str(&p->messages), "");
  CHECK_STR(text_str(&p->printed),
            "layer l(g: graph, x: node f32[F], p: graph f32[2], act: function = relu, r: reduction = mean,\n"
            "    d: dim = 2, y, inout h, inout e.a: edge f32[H]) {\n  return x;\n}\n");
  close_parsed(p);
}

TEST(spans_are_those_of_the_text) {
  parsed *p = parse_string("model m {\n  let h = f(x) @ W;\n}\n");
  const ast_statement *st = p->file->models.items[0]->body.items[0];
  CHECK_INT(st->span.begin, 12);
  CHECK_INT(st->span.end, 29);
  CHECK_INT(st->let.value->span.begin, 20);
  CHECK_INT(st->let.value->span.end, 28);
  CHECK_INT(st->let.value->binary.left->span.end, 24);
  close_parsed(p);
}

TEST(a_missing_semicolon_is_marked_where_it_belongs) {
  CHECK_MESSAGES("model m {\n  graph g\n  input x : node f32[F]\n  let h = relu(x) # c\n  output y = h\n}\n",
                 "2:10: error: expected ';' after 'graph g', found 'input'\n"
                 "3:24: error: expected ';' after 'input x : node f32[F]', found 'let'\n"
                 "4:18: error: expected ';' after 'let h = relu(x)', found 'output'\n"
                 "5:15: error: expected ';' after 'output y = h', found '}'\n");
  CHECK_MESSAGES("model m {\n  let a_long_name = concat(one, two, three, four)\n  weight W : f32;\n}\n",
                 "2:50: error: expected ';' after 'let a_long_name = ...', found 'weight'\n");
}

TEST(all_errors_of_a_file_are_found_in_one_run) {
  CHECK_MESSAGES("layer a(x) { return x + ; }\nlayer b(x) { retrun x; }\nmodel m { let h = f(a b); let k = [1, 2; }\n",
                 "1:25: error: expected an expression after '+', found ';'\n"
                 "2:21: error: expected '=', ';' or an operator after 'retrun', found 'x'\n"
                 "3:23: error: expected ',' or ')' after 'a', found 'b'\n"
                 "3:40: error: expected ',' or ']' after '2', found ';'\n"
                 "3:35: note: this '[' is still open\n");
}

TEST(a_missing_brace_is_looked_for_by_indentation) {
  CHECK_MESSAGES("model m {\n  for n in g.nodes {\n    n.x = 1;\n  output y = n.x;\n}\nlayer l(x) { return x; }\n",
                 "6:1: error: expected '}' before 'layer'\n"
                 "2:20: note: the '{' of 'for n in g.nodes' has no '}' that stands under it\n");
  CHECK_MESSAGES("model m {\n  let h = x;\n", "3:1: error: expected '}' before the end of the file\n"
                                              "1:9: note: the '{' of 'model m' is still open\n");
  CHECK_MESSAGES("model m {\n}\n}\n", "3:1: error: this '}' closes nothing\n");
}

TEST(code_of_other_languages_is_recognised) {
  CHECK_MESSAGES("def f(g, x):\n  return x\n", "1:1: error: expected 'import', 'layer' or 'model', found 'def'\n"
                                               "1:1: note: a layer is written 'layer NAME(g, x) { ... }'\n");
  CHECK_MESSAGES("layer f(g) { for e in g.edges(): { e.a = 1; } return e.a; }",
                 "1:23: error: 'g.edges' is not a function: write it without '()'\n"
                 "1:32: error: expected '{' after ')', found ':'\n"
                 "1:32: note: a loop is written 'for e in g.edges { ... }', without '()' and ':'\n");
  CHECK_MESSAGES("layer f(g) { for e in g.edges { e[\"x\"] = 1; } return e.x; }",
                 "1:33: error: a field is written 'e.x', not with '[\"...\"]'\n");
  CHECK_MESSAGES("layer f(x) { let a = x; elif x > 3 { a = 4; } return a; }",
                 "1:30: error: expected '=', ';' or an operator after 'elif', found 'x'\n"
                 "1:30: note: a further condition is written 'else if'\n");
  CHECK_MESSAGES("layer f(x) { let a = x if (x > 3) { a = 4; } return a; }",
                 "1:35: error: expected 'else' after ')', found '{'\n"
                 "1:35: note: a value is chosen with 'a if condition else b'; is a ';' missing before 'if'?\n");
  CHECK_MESSAGES("layer f(x) { let h = sum(e.a for e in x); return h; }",
                 "1:30: error: expected ',' or ')' after 'a', found 'for'\n"
                 "1:30: note: a reduction is written 'sum(e in n.incoming: e.a)'\n");
  CHECK_MESSAGES("layer f(x) { let h = a and b; return h; }",
                 "1:24: error: expected ';' or an operator after 'a', found 'and'\n"
                 "1:24: note: conditions are numbers, 1 or 0: 'a * b' is and, 'max(a, b)' is or, '1 - a' is not\n");
  CHECK_MESSAGES("layer f(x) -> node f32 { return x; }",
                 "1:12: error: the type of a result is not written: what a layer returns says it\n");
}

TEST(slips_of_this_language_are_explained) {
  CHECK_MESSAGES("model m { let h == x; }", "1:17: error: expected '=' or ',' after 'h', found '=='\n"
                                            "1:17: note: '==' compares, '=' assigns\n");
  CHECK_MESSAGES("model m { let h = a = b; }", "1:21: error: expected ';' or an operator after 'a', found '='\n"
                                               "1:21: note: '=' assigns, '==' compares\n");
  CHECK_MESSAGES("model m { let input = x; }", "1:15: error: expected a name after 'let', found 'input'\n"
                                               "1:15: note: 'input' is a word of the language, it cannot be a name\n");
  CHECK_MESSAGES("model m { let h = a < b < c; }",
                 "1:25: error: expected an operator after 'b', found '<'\n"
                 "1:25: note: comparisons are not chained: write '(a < b) * (b < c)'\n");
  CHECK_MESSAGES(
      "model m { weight W : float[3]; }",
      "1:22: error: expected a type after ':', found 'float'\n"
      "1:22: note: types are 'f32', 'f32[F, H]', 'node f32[F]', 'edge f32', 'etype f32[F, H]', 'node i32'\n");
  CHECK_MESSAGES("model m { weight W : f32[3, 4] transposed from \"x\"; }",
                 "1:43: error: expected ';' or '=' after 'transposed', found 'from'\n"
                 "1:43: note: 'transposed' stands behind 'from \"...\"'\n");
  CHECK_MESSAGES("model m { let h = f(x) from conv1; }",
                 "1:29: error: expected a string in double quotes after 'from', found 'conv1'\n"
                 "1:29: note: names of files and tensors stand in double quotes\n");
  CHECK_MESSAGES("model m { h; }",
                 "1:11: error: 'h' alone does nothing: expected an assignment or the call of a layer\n");
  CHECK_MESSAGES("model m { 3 = x; }", "1:11: error: cannot assign to '3': expected a name or a field such as 'n.h'\n");
  CHECK_MESSAGES("model m(g, x) { }",
                 "1:8: error: expected '{' after 'm', found '('\n"
                 "1:8: note: a model is written 'model NAME { ... }': its graph and inputs are declared inside\n");
  CHECK_MESSAGES("import gcn;", "1:8: error: expected a string in double quotes after 'import', found 'gcn'\n"
                                "1:8: note: names of files and tensors stand in double quotes\n");
  CHECK_MESSAGES("model m { repeat 3 { x = y; } }", "1:18: error: expected a name after 'repeat', found '3'\n"
                                                    "1:18: note: repetition is written 'repeat k in 0..3 { ... }'\n");
  CHECK_MESSAGES("model m { let h = f(a, b,); }", "1:26: error: expected an argument after ',', found ')'\n"
                                                  "1:26: note: remove the ',' before it\n");
  CHECK_MESSAGES("model m { graph g { relations a; } }",
                 "1:21: error: expected 'nodes' or 'edges' with the names of the types, found 'relations'\n");
  CHECK_MESSAGES("model m { { let h = x; } output y = x; }",
                 "1:11: error: this '{' follows nothing that has a block: 'for', 'repeat', 'if', 'layer' or 'model'\n");
}

TEST(more_slips_are_explained) {
  CHECK_MESSAGES("model m { for n in g.nodes { n.x = 1; }; }",
                 "1:40: error: expected a statement or '}', found ';'\n"
                 "1:40: note: a block ends with '}' alone; a ';' ends a statement\n");
  CHECK_MESSAGES("model m { a, b = f(x); }", "1:12: error: expected '=', ';' or an operator after 'a', found ','\n"
                                             "1:12: note: several values are named as in 'let a, b = layer(x);'\n");
  CHECK_MESSAGES("model m { let (a, b) = f(x); }",
                 "1:15: error: expected a name after 'let', found '('\n"
                 "1:15: note: several values are named as in 'let a, b = layer(x);'\n");
  CHECK_MESSAGES("model m { graph g, h; }", "1:18: error: expected ';' or '{' after 'g', found ','\n"
                                            "1:18: note: a model has one graph\n");
  CHECK_MESSAGES("model m { n.y =+ 3; }", "1:16: error: expected an expression after '=', found '+'\n"
                                          "1:16: note: numbers have no sign '+'\n");
  CHECK_MESSAGES("model m { let z = 3 \xE2\x88\x92 4; }",
                 "1:21: error: unexpected '\xE2\x88\x92': outside of strings and comments the text is ASCII\n");
  CHECK_MESSAGES("model m { let h = f(x, from \"p\"); }",
                 "1:24: error: expected an argument after ',', found 'from'\n"
                 "1:24: note: the prefix of the weights follows the call: 'layer(...) from \"conv1\"'\n");
  CHECK_MESSAGES("model m { let h = f(x).from(\"p\"); }",
                 "1:24: error: the prefix of the weights follows the call: 'layer(...) from \"conv1\"'\n");
}

TEST(an_empty_text_and_one_of_comments_are_files) {
  CHECK_MESSAGES("", "");
  CHECK_MESSAGES("# nothing", "");
  CHECK_MESSAGES(";", "1:1: error: expected 'import', 'layer' or 'model', found ';'\n");
}

static char *repeat_text(const char *before, const char *piece, size_t count, const char *after) {
  text t = {0};
  text_append(&t, before);
  for (size_t i = 0; i < count; i++) text_append(&t, piece);
  text_append(&t, after);
  return t.data;
}

static void check_long(const char *before, const char *piece, const char *after, const char *message) {
  char *long_text = repeat_text(before, piece, 300000, after);
  parsed *p = parse_string(long_text);
  if (*message)
    CHECK_HAS(text_str(&p->messages), message);
  else
    CHECK_STR(text_str(&p->messages), "");
  CHECK(diag_error_count(p->diag) <= 101);
  close_parsed(p);
  free(long_text);
}

TEST(long_and_deep_texts_do_not_overflow_the_stack) {
  check_long("model m { let h = ", "(", "", "nested more than 100 deep");
  check_long("model m { let h = ", "-", "x; }", "nested more than 100 deep");
  check_long("model m { let h = ", "f(", "", "nested more than 100 deep");
  check_long("model m { ", "for n in g.nodes { ", "", "nested more than 100 deep");
  check_long("", "{", "", "follows nothing");
  check_long("", "}", "", "closes nothing");
  check_long("model m { let h = x", " + x", "; }", "more than 199 operations deep");
  check_long("model m { let h = x", ".a", "; }", "more than 199 operations deep");
  check_long("model m { let h = f(x", ", x", "); }", "");
  check_long("model m { ", "let h = x; ", "}", "");
  check_long("model m { let h = \"", "a", "\"; }", "");
  check_long("model m { let h = ", "9", "; }", "larger than");
  check_long("# ", "c", "", "");
}
