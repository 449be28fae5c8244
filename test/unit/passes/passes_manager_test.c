/* The pass manager reports a pass that breaks the IR, refuses, or crashes. */
#include "passes/manager/pass_manager.h"
#include "passes/manager/pass_reproducer.h"

#include "dialects/ir/ir_diagnostics.h"
#include "support/file.h"
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char ir[] =
    "func.func @f(%g: !gnn.graph<\"g\">) -> !gnn.node<\"g\", f32> {\n"
    "  %0 = \"gnn.degree\"(%g) {direction = \"in\"} : (!gnn.graph<\"g\">) -> !gnn.node<\"g\", f32>\n"
    "  return %0 : !gnn.node<\"g\", f32>\n}\n";

/* ---- passes that misbehave ---- */

static MlirOperation degree_of(MlirOperation root) {
  MlirOperation func = mlirBlockGetFirstOperation(ir_region_block(root));
  return mlirBlockGetFirstOperation(ir_func_body(func));
}

static bool run_breaker(MlirOperation root, pass_context *p) {
  mlirOperationSetAttributeByName(degree_of(root), mlirStringRefCreateFromCString("direction"),
                                  ir_attr_string(p->context, "sideways"));
  p->changed++;
  return true;
}

static bool run_refuser(MlirOperation root, pass_context *p) {
  (void)root, (void)p;
  return false;
}

static bool run_crasher(MlirOperation root, pass_context *p) {
  (void)root, (void)p;
  raise(SIGABRT);
  return true;
}

static const pass_info breaker = {"test-breaker", run_breaker, "", "", NULL, 0};
static const pass_info refuser = {"test-refuser", run_refuser, "", "", NULL, 0};
static const pass_info crasher = {"test-crasher", run_crasher, "", "", NULL, 0};

/* ---- tests ---- */

typedef struct outcome {
  bool ok;
  text messages;
} outcome;

static void keep_message(void *user, diag_severity severity, diag_id id, const char *file, unsigned line,
                         unsigned column, const char *message) {
  (void)severity, (void)file, (void)line, (void)column;
  text_printf(user, "[%s] %s\n", diag_table[id].name, message);
}

static outcome run(const pass_info *info, pass_run options) {
  outcome o = {0};
  arena *a = arena_create();
  MlirContext c = ir_context_create();
  ir_diagnostics messages = {.diag = diag_create(stderr), .id = DIAG_invalid_ir};
  diag_set_sink(messages.diag, keep_message, &o.messages);
  ir_diagnostics_attach(c, &messages);
  MlirModule module = ir_parse(c, ir, strlen(ir));
  pass_pipeline pipeline = {0};
  pass_pipeline_add(a, &pipeline, info, "");
  pass_pipeline_add(a, &pipeline, pass_find("gnn-cse"), "");
  options.diag = messages.diag;
  options.statistics = (pass_statistics){-1, -1, -1, -1, -1, -1, -1, -1, -1};
  o.ok = pass_pipeline_run(mlirModuleGetOperation(module), &pipeline, &options);
  mlirModuleDestroy(module);
  ir_diagnostics_detach(c, &messages);
  diag_destroy(messages.diag);
  ir_context_destroy(c);
  arena_destroy(a);
  return o;
}

static void check_reproducer(const char *path, const char *pass) {
  arena *a = arena_create();
  char *content;
  size_t size;
  CHECK_OK(file_read(a, path, &content, &size));
  CHECK_STR(pass_reproducer_arguments(a, content), arena_printf(a, "--pass-pipeline='%s,gnn-cse' --opt-level=0", pass));
  CHECK_HAS(content, "direction = \"in\"");
  arena_destroy(a);
  remove(path);
}

TEST(a_pass_that_breaks_the_ir_is_named_and_its_input_kept) {
  outcome o =
      run(&breaker, (pass_run){.verify_each = true, .reproducer = "breaker.mlir", .made_by = "gnnc 1.2.3 with -O2"});
  CHECK(!o.ok);
  CHECK_HAS(text_str(&o.messages), "[internal] pass 'test-breaker' left IR that breaks the rules of its level\n");
  CHECK_HAS(text_str(&o.messages), "'direction' cannot be \"sideways\": it is in or out");
  CHECK_HAS(text_str(&o.messages), "'gnn-opt --run-reproducer breaker.mlir' runs pass 'test-breaker' again");
  text_free(&o.messages);
  arena *a = arena_create();
  char *content;
  size_t size;
  CHECK_OK(file_read(a, "breaker.mlir", &content, &size));
  CHECK_HAS(content,
            "--pass-pipeline='test-breaker,gnn-cse' --opt-level=0 --verify-each\n// Made by gnnc 1.2.3 with -O2.\n");
  arena_destroy(a);
  remove("breaker.mlir");
}

TEST(without_verify_each_the_end_of_the_pipeline_is_verified) {
  outcome o = run(&breaker, (pass_run){0});
  CHECK(!o.ok);
  CHECK_HAS(text_str(&o.messages), "[internal] pass 'gnn-cse' left IR");
  text_free(&o.messages);
}

TEST(a_pass_that_fails_silently_is_reported) {
  outcome o = run(&refuser, (pass_run){.reproducer = "refuser.mlir"});
  CHECK(!o.ok);
  CHECK_HAS(text_str(&o.messages), "[pass-failed] pass 'test-refuser' failed\n");
  text_free(&o.messages);
  check_reproducer("refuser.mlir", "test-refuser");
}

TEST(a_crash_leaves_a_reproducer) {
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    if (!freopen("crasher.err", "w", stderr)) _exit(9);
    run(&crasher, (pass_run){.reproducer = "crasher.mlir"});
    _exit(0);
  }
  int state;
  CHECK(waitpid(child, &state, 0) == child);
  CHECK(WIFSIGNALED(state) && WTERMSIG(state) == SIGABRT);
  check_reproducer("crasher.mlir", "test-crasher");
  arena *a = arena_create();
  char *content;
  size_t size;
  CHECK_OK(file_read(a, "crasher.err", &content, &size));
  CHECK_HAS(content, "internal error in pass 'test-crasher'; please report it with 'crasher.mlir'");
  arena_destroy(a);
  remove("crasher.err");
}

TEST(text_that_is_no_reproducer_is_told_from_one) {
  arena *a = arena_create();
  CHECK(!pass_reproducer_arguments(a, ""));
  CHECK(!pass_reproducer_arguments(a, "module {}\n"));
  CHECK_STR(pass_reproducer_arguments(a, "// RUN: gnn-opt %s --gnn-cse\nmodule {}\n"), "--gnn-cse");
  arena_destroy(a);
}
