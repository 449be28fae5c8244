/* Programs of several files: the search for imports, files that are imported twice, layers that
 * the library adds. */
#include "frontend_parse_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

typedef struct program {
  arena *memory;
  diag *diag;
  text messages;
  char folder[32];
  ast_program program;
  bool is_good;
} program;

static void write_text(program *p, const char *name, const char *content) {
  char *path = arena_printf(p->memory, "%s/%s", p->folder, name);
  FILE *f = fopen(path, "w");
  CHECK(f && fputs(content, f) >= 0);
  if (f) fclose(f);
}

static void remove_file(program *p, const char *name) {
  remove(arena_printf(p->memory, "%s/%s", p->folder, name));
}

static void open_program(program *p) {
  *p = (program){.memory = arena_create(), .diag = diag_create(stderr)};
  diag_set_sink(p->diag, keep_message, &p->messages);
  strcpy(p->folder, "program_test_XXXXXX");
  CHECK(mkdtemp(p->folder));
  mkdir(arena_printf(p->memory, "%s/inc", p->folder), 0700);
}

static void close_program(program *p) {
  static const char *const names[] = {"a.gnn", "b.gnn", "c.gnn", "inc/b.gnn", "inc/c.gnn", "inc"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) remove_file(p, names[i]);
  rmdir(p->folder);
  text_free(&p->messages);
  diag_destroy(p->diag);
  arena_destroy(p->memory);
}

static void parse_main(program *p, const char *main_text) {
  const char *include = arena_printf(p->memory, "%s/inc", p->folder);
  const char *name = arena_printf(p->memory, "%s/main.gnn", p->folder);
  p->is_good = parse_program(p->memory, source_create(p->memory, name, main_text, strlen(main_text)), &include, 1,
                             p->diag, &p->program);
}

TEST(imports_are_found_beside_the_file_then_in_the_folders_given) {
  program p;
  open_program(&p);
  write_text(&p, "a.gnn", "import \"b.gnn\";\nlayer a(x) { return x; }");
  write_text(&p, "b.gnn", "layer b(x) { return x; }");
  write_text(&p, "inc/b.gnn", "layer wrong(x) { return x; }");
  write_text(&p, "inc/c.gnn", "import \"b.gnn\";\nlayer c(x) { return x; }");
  parse_main(&p, "import \"a.gnn\";\nimport \"c.gnn\";\nimport \"b.gnn\";\nmodel m { graph g; }");
  CHECK(p.is_good);
  CHECK_STR(text_str(&p.messages), "");
  CHECK_INT(p.program.files.count, 5); /* main, a, b, inc/c, inc/b */
  CHECK(p.program.main == p.program.files.items[0]);
  CHECK(ast_program_find_layer(&p.program, "a"));
  CHECK(ast_program_find_layer(&p.program, "b"));
  CHECK(ast_program_find_layer(&p.program, "wrong"));
  CHECK(!ast_program_find_layer(&p.program, "d"));
  close_program(&p);
}

TEST(a_circle_of_imports_is_an_error) {
  program p;
  open_program(&p);
  write_text(&p, "a.gnn", "import \"b.gnn\";");
  write_text(&p, "b.gnn", "import \"./a.gnn\";");
  parse_main(&p, "import \"a.gnn\";");
  CHECK(!p.is_good);
  CHECK_STR(text_str(&p.messages), "1:1: error: './a.gnn' is imported in a circle: it is still being read\n");
  close_program(&p);
}

TEST(a_missing_import_and_errors_inside_of_imports_are_reported_together) {
  program p;
  open_program(&p);
  write_text(&p, "a.gnn", "layer a(x) { return; }");
  parse_main(&p, "import \"none.gnn\";\nimport \"a.gnn\";\nimport \"\";\nimport \".\";\nmodel m { let h = ; }");
  CHECK(!p.is_good);
  CHECK_HAS(text_str(&p.messages), "5:19: error: expected an expression after '=', found ';'\n");
  CHECK_HAS(text_str(&p.messages),
            "1:1: error: cannot read 'none.gnn': no such file beside this one or in the folders");
  CHECK_HAS(text_str(&p.messages), "1:20: error: expected an expression after 'return', found ';'\n");
  CHECK_HAS(text_str(&p.messages), "3:1: error: the path of this import is empty\n");
  CHECK_INT(diag_error_count(p.diag), 5);
  close_program(&p);
}

TEST(the_library_adds_what_is_used_and_what_that_uses) {
  program p;
  open_program(&p);
  parse_main(&p, "model m { let h = gin_conv(g, x, 8, 8); }");
  CHECK(p.is_good);
  const ast_layer *gin = ast_program_find_layer(&p.program, "gin_conv");
  CHECK(gin && gin->is_library);
  CHECK(ast_program_find_layer(&p.program, "mlp"));
  CHECK(!ast_program_find_layer(&p.program, "gat_conv"));
  close_program(&p);
}

TEST(layers_handed_on_as_functions_count_as_used) {
  program p;
  open_program(&p);
  parse_main(&p, "layer twice(x, f: function = batch_norm) { return f(f(x)); }\nmodel m { let h = twice(x, linear); }");
  CHECK(p.is_good);
  CHECK(ast_program_find_layer(&p.program, "batch_norm"));
  CHECK(ast_program_find_layer(&p.program, "linear"));
  CHECK(!ast_program_find_layer(&p.program, "twice")->is_library);
  close_program(&p);
}
