/* The printer of syntax trees is canonical and idempotent, its text parses to the same tree, and
 * it keeps comments; JSON has all of the tree. The inputs are the .gnn files of the repository
 * and random trees. */
#include "frontend/library.h"
#include "frontend_parse_fixture.h"

#include <dirent.h>

/* Prints, parses, prints; returns whether the tree and the text are the same both times. */
static bool is_round_trip(const ast_file *f, const char *printed) {
  parsed *again = parse_string(printed);
  bool is_same =
      again->messages.size == 0 && ast_equal(f, again->file) && strcmp(text_str(&again->printed), printed) == 0;
  if (!is_same) printf("%s%s--- printed again\n%s", text_str(&again->messages), printed, text_str(&again->printed));
  close_parsed(again);
  return is_same;
}

static void check_text(const char *name, const char *bytes, size_t size, bool is_canonical) {
  parsed *p = parse_bytes(bytes, size);
  CHECK_STR(text_str(&p->messages), "");
  if (p->messages.size) printf("in %s\n", name);
  CHECK(is_round_trip(p->file, text_str(&p->printed)));
  if (is_canonical) CHECK_STR(text_str(&p->printed), p->source->text);
  close_parsed(p);
}

/* Checks all .gnn files of a folder of the repository; returns their number. */
static unsigned check_folder(const char *folder, bool is_canonical) {
  arena *a = arena_create();
  char *path = arena_printf(a, "%s/%s", GNNC_SOURCE_DIR, folder);
  DIR *d = opendir(path);
  unsigned count = 0;
  for (struct dirent *entry; d && (entry = readdir(d));) {
    const char *dot = strrchr(entry->d_name, '.');
    if (!dot || strcmp(dot, ".gnn") != 0) continue;
    char *bytes = NULL;
    size_t size = 0;
    status s = file_read(a, arena_printf(a, "%s/%s", path, entry->d_name), &bytes, &size);
    CHECK(!s);
    if (!s) check_text(entry->d_name, bytes, size, is_canonical);
    status_free(s);
    count++;
  }
  if (d) closedir(d);
  arena_destroy(a);
  return count;
}

TEST(examples_are_canonical) {
  CHECK(check_folder("examples", true) >= 5);
}

TEST(library_files_are_canonical) {
  CHECK(check_folder("frontend/library", true) >= 10);
}

TEST(the_library_is_the_files_of_its_folder) {
  for (size_t i = 0; i < library_file_count; i++) {
    check_text(library_files[i].name, library_files[i].text, library_files[i].size, true);
    CHECK_INT(strlen(library_files[i].text), library_files[i].size);
  }
  size_t layers = 0;
  for (size_t i = 0; i < library_file_count; i++) {
    parsed *p = parse_bytes(library_files[i].text, library_files[i].size);
    for (size_t k = 0; k < p->file->layers.count; k++, layers++) {
      const library_layer *found = library_find_layer(p->file->layers.items[k]->name.text);
      CHECK(found && found->file == i);
    }
    close_parsed(p);
  }
  CHECK_INT(layers, library_layer_count);
  CHECK(!library_find_layer("gcn_con"));
}

TEST(comments_and_blank_lines_stay_where_they_are) {
  static const char canonical[] = "# the file\n"
                                  "\n"
                                  "# the import\n"
                                  "import \"a.gnn\";  # behind it\n"
                                  "\n"
                                  "# about the layer\n"
                                  "layer l(x) {  # behind the brace\n"
                                  "  # above\n"
                                  "  let h = x;  # behind\n"
                                  "\n"
                                  "  # apart\n"
                                  "\n"
                                  "  for n in g.nodes { n.x = 1; }  # behind the loop\n"
                                  "  for n in g.nodes {  # behind its brace\n"
                                  "    n.x = 1;  # inside\n"
                                  "    # at its end\n"
                                  "  }\n"
                                  "  return h;\n"
                                  "  # at the end of the layer\n"
                                  "}\n"
                                  "\n"
                                  "# at the end of the file\n";
  check_text("comments", canonical, strlen(canonical), true);
}

TEST(comments_inside_of_statements_move_above_them) {
  parsed *p = parse_string("model m {\n  let h = f(a, # first\n    b); # behind\n\n\n\n\n  x = h; } # last\n#end");
  CHECK_STR(text_str(&p->printed),
            "model m {\n  # first\n  let h = f(a, b);  # behind\n\n  x = h;\n}\n\n# last\n#end\n");
  CHECK(is_round_trip(p->file, text_str(&p->printed)));
  close_parsed(p);
}

TEST(long_lines_break_behind_commas_and_before_operators) {
  CHECK_STATEMENT(
      "let h = concat(aaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccc, ddddddddddddddd, e)"
      " from \"p\";",
      "let h = concat(aaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbb, cccccccccccccccccccccc,\n"
      "      ddddddddddddddd, e) from \"p\";");
  CHECK_STATEMENT("let h = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb + "
                  "ccccccccccccccccccccc;",
                  "let h = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa * bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
                  "      + ccccccccccccccccccccc;");
}

TEST(colons_of_neighbouring_declarations_are_aligned) {
  CHECK_STATEMENT("weight W:f32[2]; weight bias:f32;\n\nweight c:f32;",
                  "weight W    : f32[2];\n  weight bias : f32;\n\n  weight c : f32;");
}

/* Makes random trees without the parser: all that the grammar can say, with small names and
 * limited depth. */
typedef struct maker {
  arena *a;
  uint64_t state;
} maker;

static unsigned pick(maker *m, unsigned below) {
  m->state = m->state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(m->state >> 33) % below;
}

static ast_name make_name(maker *m) {
  static const char *const names[] = {"x", "y", "h", "W", "n", "e", "g", "a1", "long_name", "sum", "nodes", "_"};
  return (ast_name){names[pick(m, 12)], {0}};
}

static ast_name make_field_name(maker *m) {
  static const char *const names[] = {"graph", "in", "src", "weight", "z"};
  return (ast_name){names[pick(m, 5)], {0}};
}

static ast_expr *make_expr(maker *m, unsigned depth);

static ast_expr_list make_exprs(maker *m, unsigned least, unsigned depth) {
  ast_expr_list list = {0};
  for (unsigned i = least + pick(m, 3); i > 0; i--) VEC_PUSH(m->a, &list, make_expr(m, depth));
  return list;
}

static unsigned height_of(const ast_expr_list *list) {
  unsigned height = 0;
  for (size_t i = 0; i < list->count; i++) height = list->items[i]->height > height ? list->items[i]->height : height;
  return height;
}

static void make_call(maker *m, ast_expr *e, unsigned depth) {
  static const char *const prefixes[] = {NULL, "conv1", "layers.{k}", "a\"b\\"};
  e->call.callee = make_name(m);
  e->call.prefix = prefixes[pick(m, 4)];
  unsigned height = 1;
  for (unsigned i = pick(m, 4); i > 0; i--) {
    ast_argument argument = {.value = make_expr(m, depth)};
    unsigned kind = pick(m, 4);
    if (kind == 0) argument.name = make_name(m);
    argument.is_inout = kind == 1 && argument.value->kind != AST_EXPR_unary &&
                        argument.value->kind != AST_EXPR_binary && argument.value->kind != AST_EXPR_choice;
    if (argument.value->height > height) height = argument.value->height;
    VEC_PUSH(m->a, &e->call.arguments, argument);
  }
  e->height = height + 1;
}

static unsigned higher(const ast_expr *a, const ast_expr *b) {
  return (a->height > b->height ? a->height : b->height) + 1;
}

static ast_expr *make_subscript(maker *m, unsigned depth) {
  ast_expr *first = make_expr(m, depth);
  if (pick(m, 3)) return first;
  ast_expr *range = arena_alloc(m->a, sizeof *range);
  range->kind = AST_EXPR_range;
  range->height = 1;
  if (pick(m, 2)) range->range.first = first;
  if (pick(m, 2)) range->range.last = make_expr(m, depth);
  if (range->range.first) range->height = range->range.first->height + 1;
  if (range->range.last && range->range.last->height >= range->height) range->height = range->range.last->height + 1;
  return range;
}

/* A string alone is no subscript: x["y"] is refused. */
static void make_subscripts(maker *m, ast_expr *e, unsigned depth) {
  for (unsigned i = 1 + pick(m, 2); i > 0; i--) VEC_PUSH(m->a, &e->index.subscripts, make_subscript(m, depth));
  while (e->index.subscripts.items[0]->kind == AST_EXPR_string) e->index.subscripts.items[0] = make_subscript(m, depth);
  unsigned height = height_of(&e->index.subscripts);
  e->height = (e->index.base->height > height ? e->index.base->height : height) + 1;
}

static ast_expr *make_expr(maker *m, unsigned depth) {
  static const char *const numbers[] = {"0", "16", "0.2", "1e-5", "2.50"};
  ast_expr *e = arena_alloc(m->a, sizeof *e);
  e->kind = (ast_expr_kind)pick(m, depth ? 11 : 3);
  e->height = 1;
  switch (e->kind) {
  case AST_EXPR_number:
    e->number.text = numbers[pick(m, 5)];
    e->number.is_integer = strspn(e->number.text, "0123456789") == strlen(e->number.text);
    break;
  case AST_EXPR_string: e->string.text = pick(m, 2) ? "mean" : "\\ \" \xC3\xA9"; break;
  case AST_EXPR_name: e->name = make_name(m); break;
  case AST_EXPR_field:
    e->field.base = make_expr(m, depth - 1);
    e->field.name = make_field_name(m);
    e->height = e->field.base->height + 1;
    break;
  case AST_EXPR_index:
    e->index.base = make_expr(m, depth - 1);
    make_subscripts(m, e, depth - 1);
    break;
  case AST_EXPR_call: make_call(m, e, depth - 1); break;
  case AST_EXPR_unary:
    e->unary.operand = make_expr(m, depth - 1);
    e->height = e->unary.operand->height + 1;
    break;
  case AST_EXPR_binary:
    e->binary.op = (ast_binary)pick(m, AST_BINARY_not_equal + 1);
    e->binary.left = make_expr(m, depth - 1);
    e->binary.right = make_expr(m, depth - 1);
    e->height = higher(e->binary.left, e->binary.right);
    break;
  case AST_EXPR_reduce:
    e->reduce.reduction = make_name(m);
    e->reduce.variable = make_name(m);
    e->reduce.domain = make_expr(m, depth - 1);
    e->reduce.body = make_expr(m, depth - 1);
    e->height = higher(e->reduce.domain, e->reduce.body);
    break;
  case AST_EXPR_list:
    e->list = make_exprs(m, 0, depth - 1);
    e->height = height_of(&e->list) + 1;
    break;
  case AST_EXPR_choice:
    e->choice.condition = make_expr(m, depth - 1);
    e->choice.yes = make_expr(m, depth - 1);
    e->choice.no = make_expr(m, depth - 1);
    e->height = higher(e->choice.yes, e->choice.no);
    if (e->height <= e->choice.condition->height) e->height = e->choice.condition->height + 1;
    break;
  case AST_EXPR_range: break; /* made by make_subscripts alone */
  }
  return e;
}

static ast_type make_type(maker *m) {
  ast_type type = {.kind = (ast_type_kind)(AST_TYPE_tensor + pick(m, 6))};
  if (pick(m, 3)) type.dims = make_exprs(m, 1, 2);
  return type;
}

static ast_name_list make_names(maker *m, unsigned least) {
  ast_name_list list = {0};
  for (unsigned i = least + pick(m, 3); i > 0; i--) VEC_PUSH(m->a, &list, make_name(m));
  return list;
}

static ast_comment_list make_comments(maker *m) {
  ast_comment_list list = {0};
  for (unsigned i = pick(m, 6); i < 3; i++)
    VEC_PUSH(m->a, &list, pick(m, 2) ? (ast_name){0} : (ast_name){pick(m, 2) ? " said" : "", {0}});
  return list;
}

static ast_graph_type_list make_graph_types(maker *m, bool have_ends) {
  ast_graph_type_list list = {0};
  for (unsigned i = pick(m, 3); i > 0; i--) {
    ast_graph_type type = {.name = make_name(m)};
    if (have_ends && pick(m, 2)) type.src = make_name(m), type.dst = make_name(m);
    VEC_PUSH(m->a, &list, type);
  }
  return list;
}

static ast_statement_list make_body(maker *m, unsigned depth);

static void make_init(maker *m, ast_training *training) {
  if (pick(m, 3)) return;
  training->init = make_name(m);
  if (pick(m, 2)) training->init_value = make_expr(m, 2);
}

static void make_declaration(maker *m, ast_statement *st) {
  const char *from = pick(m, 2) ? "lin.weight" : NULL;
  switch (st->kind) {
  case AST_STATEMENT_graph:
    st->graph.name = make_name(m);
    st->graph.node_types = make_graph_types(m, false);
    st->graph.edge_types = make_graph_types(m, true);
    break;
  case AST_STATEMENT_dim:
    st->dim.name = make_name(m);
    if (pick(m, 2)) st->dim.value = make_expr(m, 2);
    break;
  case AST_STATEMENT_input:
    st->input.name = make_name(m);
    if (pick(m, 2)) st->input.node_type = make_field_name(m);
    st->input.type = make_type(m);
    st->input.from = from;
    st->input.training.is_trained = pick(m, 3) == 0;
    if (st->input.training.is_trained) make_init(m, &st->input.training);
    break;
  default:
    st->weight.name = make_name(m);
    st->weight.type = make_type(m);
    st->weight.from = from;
    if (from && pick(m, 3) == 0) VEC_PUSH(m->a, &st->weight.older, (ast_name){"lin_src.weight", {0}});
    st->weight.is_transposed = pick(m, 2);
    st->weight.training.is_frozen = pick(m, 4) == 0;
    make_init(m, &st->weight.training);
    if (pick(m, 3) == 0) st->weight.default_value = make_expr(m, 2);
    break;
  }
}

static void make_branches(maker *m, ast_statement *st, unsigned depth) {
  st->branch.condition = make_expr(m, 2);
  while (true) {
    st->branch.body = make_body(m, depth);
    if (!st->branch.condition || pick(m, 2)) return;
    ast_statement *next = arena_alloc(m->a, sizeof *next);
    next->kind = AST_STATEMENT_if;
    if (pick(m, 2)) next->branch.condition = make_expr(m, 2);
    st->branch.otherwise = next;
    st = next;
  }
}

static ast_statement *make_statement(maker *m, unsigned depth) {
  ast_statement *st = arena_alloc(m->a, sizeof *st);
  do st->kind = (ast_statement_kind)pick(m, AST_STATEMENT_return + 1);
  while (!depth && (st->kind == AST_STATEMENT_for || st->kind == AST_STATEMENT_repeat || st->kind == AST_STATEMENT_if));
  st->comments_before = make_comments(m);
  if (pick(m, 5) == 0) st->comment_after.text = " behind";
  switch (st->kind) {
  case AST_STATEMENT_let:
    st->let.names = make_names(m, 1);
    st->let.value = make_expr(m, 4);
    break;
  case AST_STATEMENT_assign:
    do st->assign.target = make_expr(m, 2);
    while (st->assign.target->kind != AST_EXPR_name && st->assign.target->kind != AST_EXPR_field);
    while (st->assign.target->kind == AST_EXPR_field && st->assign.target->field.base->kind != AST_EXPR_name)
      st->assign.target->field.base = make_expr(m, 0);
    st->assign.target->height = st->assign.target->kind == AST_EXPR_field ? 2 : 1;
    st->assign.op = (ast_assign_op)pick(m, AST_ASSIGN_divide + 1);
    st->assign.value = make_expr(m, 4);
    break;
  case AST_STATEMENT_if: make_branches(m, st, depth - 1); break;
  case AST_STATEMENT_call:
    st->call = arena_alloc(m->a, sizeof *st->call);
    st->call->kind = AST_EXPR_call;
    make_call(m, st->call, 3);
    break;
  case AST_STATEMENT_for:
    st->loop.variable = make_name(m);
    st->loop.domain = make_expr(m, 3);
    st->loop.body = make_body(m, depth - 1);
    st->comments_end = make_comments(m);
    break;
  case AST_STATEMENT_repeat:
    st->repeat.variable = make_name(m);
    st->repeat.first = make_expr(m, 2);
    if (pick(m, 3)) st->repeat.last = make_expr(m, 2);
    st->repeat.body = make_body(m, depth - 1);
    st->comments_end = make_comments(m);
    break;
  case AST_STATEMENT_output:
    st->output.name = make_name(m);
    if (pick(m, 3) == 0) st->output.node_type = make_field_name(m);
    st->output.value = make_expr(m, 5);
    break;
  case AST_STATEMENT_loss:
    st->output.name = make_name(m);
    st->output.value = make_expr(m, 5);
    break;
  case AST_STATEMENT_return: st->values = make_exprs(m, 1, 4); break;
  default: make_declaration(m, st); break;
  }
  return st;
}

static ast_statement_list make_body(maker *m, unsigned depth) {
  ast_statement_list body = {0};
  for (unsigned i = pick(m, 4); i > 0; i--) VEC_PUSH(m->a, &body, make_statement(m, depth));
  return body;
}

static ast_layer *make_layer(maker *m) {
  ast_layer *layer = arena_alloc(m->a, sizeof *layer);
  layer->name = make_name(m);
  layer->comments_before = make_comments(m);
  for (unsigned i = pick(m, 4); i > 0; i--) {
    ast_parameter parameter = {.name = make_name(m), .is_inout = pick(m, 4) == 0};
    if (parameter.is_inout && pick(m, 2)) parameter.field = make_field_name(m);
    if (pick(m, 2))
      parameter.type = (ast_type){.kind = (ast_type_kind)(AST_TYPE_graph + pick(m, 4))};
    else if (pick(m, 2))
      parameter.type = make_type(m);
    if (pick(m, 4) == 0) parameter.default_value = make_expr(m, 2);
    VEC_PUSH(m->a, &layer->parameters, parameter);
  }
  layer->body = make_body(m, 3);
  layer->comments_end = make_comments(m);
  return layer;
}

static ast_file *make_file(maker *m) {
  ast_file *f = arena_alloc(m->a, sizeof *f);
  for (unsigned i = pick(m, 3); i > 0; i--)
    VEC_PUSH(m->a, &f->imports, (ast_import){.path = "a.gnn", .comments_before = make_comments(m)});
  for (unsigned i = pick(m, 3); i > 0; i--) VEC_PUSH(m->a, &f->layers, make_layer(m));
  for (unsigned i = pick(m, 3); i > 0; i--) {
    ast_model *model = arena_alloc(m->a, sizeof *model);
    *model = (ast_model){.name = make_name(m), .comments_before = make_comments(m), .body = make_body(m, 3)};
    VEC_PUSH(m->a, &f->models, model);
  }
  f->comments_after = make_comments(m);
  return f;
}

TEST(random_trees_print_and_parse_to_themselves) {
  for (unsigned seed = 0, failures = 0; seed < 5000 && failures < 3; seed++) {
    maker m = {arena_create(), seed * 7919u + 1};
    ast_file *f = make_file(&m);
    text printed = {0};
    ast_print(f, &printed);
    bool is_same = is_round_trip(f, text_str(&printed));
    CHECK(is_same);
    failures += !is_same;
    text_free(&printed);
    arena_destroy(m.a);
  }
}

TEST(different_trees_are_not_equal) {
  static const char *const texts[] = {
      "model m { let h = a + b; }",
      "model m { let h = a - b; }",
      "model m { let h = b + a; }",
      "model m { let g = a + b; }",
      "model k { let h = a + b; }",
      "layer m() { let h = a + b; }",
      "model m { let h = f(a, b); }",
      "model m { let h = f(a, k = b); }",
      "model m { let h = f(a, inout b); }",
      "model m { let h = f(a) from \"p\"; }",
      "model m { let h = a.b; }",
      "model m { h = a + b; }",
      "model m { h += a + b; }",
      "model m { weight h : f32; }",
      "model m { weight h : f32 transposed; }",
      "model m { weight h : f32[2]; }",
      "model m { weight h : node f32; }",
      "model m { weight h : f32 from \"p\"; }",
      "model m { input h : f32; }",
      "model m { input h.k : f32; }",
      "model m { dim h; }",
      "model m { dim h = 2; }",
      "model m { dim h = 2.0; }",
      "import \"m\";",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
      parsed *a = parse_string(texts[i]), *b = parse_string(texts[k]);
      CHECK(ast_equal(a->file, b->file) == (i == k));
      close_parsed(a);
      close_parsed(b);
    }
}

TEST(json_names_kinds_places_and_fields) {
  parsed *p = parse_string("model m {\n  let h = f(x, k = 0.5, inout e.a) from \"p\";\n}\n");
  ast_program program = {.main = p->file};
  VEC_PUSH(p->memory, &program.files, p->file);
  const char *json = ast_json(p->memory, &program);
  CHECK_HAS(json,
            "\"models\": [\n   {\n    \"kind\": \"model\",\n    \"line\": 1,\n    \"column\": 1,\n    \"name\": \"m\"");
  CHECK_HAS(json, "\"kind\": \"call\",\n       \"line\": 2,\n       \"column\": 11,\n       \"callee\": \"f\"");
  CHECK_HAS(json, "\"is_inout\": true");
  CHECK_HAS(json, "\"text\": \"0.5\"");
  CHECK_HAS(json, "\"prefix\": \"p\"");
  CHECK_STR(ast_json(p->memory, &program), json);
  close_parsed(p);
}
