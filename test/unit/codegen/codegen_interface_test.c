/* The interface of generated models: every error result, blocks of any alignment, headers for C
 * and C++, names, refused modules, the same bytes in two compilations. */
#include "codegen_fixture.h"

#include <stddef.h>

/* y = w + sum over incoming edges of x[src] */
#define SUM_MODEL(model, weight, input)                                                                                                                      \
  "module attributes {gnn.model = \"" model "\", gnn.source = \"m.gnn\", gnn.bound_slots = [\"one x 3\"]} {\n"                                               \
  "ml_program.global private @\"" weight                                                                                                                     \
  "\"(#ml_program.extern<tensor<3xf32>>) : tensor<3xf32> {gnn.from = \"file.name\"}\n"                                                                       \
  "func.func @m.bind() attributes {gnn.phase = \"bind\", gnn.workspace_slots = []} {\n"                                                                      \
  "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"                                                                                         \
  "%w = \"intra.buffer\"() {space = \"weight\", name = \"" weight                                                                                            \
  "\"} : () -> !intra.memory<\"one\", tensor<3xf32>>\n"                                                                                                      \
  "%k = \"intra.buffer\"() {space = \"bound\", slot = 0 : i64, name = \"kept\"} : () -> !intra.memory<\"one\", "                                             \
  "tensor<3xf32>>\n"                                                                                                                                         \
  "\"intra.call\"() {callee = \"adjacency\", set = \"g\", form = \"csc\", used_by = \"run\"} : () -> ()\n"                                                   \
  "\"intra.copy\"(%w, %k) : (!intra.memory<\"one\", tensor<3xf32>>, !intra.memory<\"one\", tensor<3xf32>>) -> ()\n"                                          \
  "return\n}\n"                                                                                                                                              \
  "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = [\"node:g x 3\"]} {\n"                                                          \
  "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"                                                                                         \
  "%k = \"intra.buffer\"() {space = \"bound\", slot = 0 : i64, name = \"kept\"} : () -> !intra.memory<\"one\", "                                             \
  "tensor<3xf32>>\n"                                                                                                                                         \
  "%x = \"intra.buffer\"() {space = \"input\", name = \"" input                                                                                              \
  "\", from = \"x\"} : () -> !intra.memory<\"node:g\", tensor<3xf32>>\n"                                                                                     \
  "%y = \"intra.buffer\"() {space = \"output\", name = \"y\"} : () -> !intra.memory<\"node:g\", tensor<3xf32>>\n"                                            \
  "%t = \"intra.buffer\"() {space = \"workspace\", slot = 0 : i64, name = \"t\"} : () -> !intra.memory<\"node:g\", "                                         \
  "tensor<3xf32>>\n"                                                                                                                                         \
  "%u = \"intra.buffer\"() {space = \"workspace\", slot = 0 : i64, name = \"u\"} : () -> !intra.memory<\"node:g\", "                                         \
  "tensor<3xf32>>\n"                                                                                                                                         \
  "\"intra.traverse\"(%g) ({\n^bb0(%n: !inter.cursor<\"node\", \"g\">):\n"                                                                                   \
  "%l = \"inter.for_incoming\"(%g, %n) ({\n^bb1(%e: !inter.cursor<\"edge\", \"g\">):\n"                                                                      \
  "%s = \"inter.src\"(%e) : (!inter.cursor<\"edge\", \"g\">) -> !inter.cursor<\"node\", \"g\">\n"                                                            \
  "%v = \"intra.load\"(%x, %s) : (!intra.memory<\"node:g\", tensor<3xf32>>, !inter.cursor<\"node\", \"g\">) -> "                                             \
  "tensor<3xf32>\n"                                                                                                                                          \
  "\"smt.yield\"(%v) : (tensor<3xf32>) -> ()\n"                                                                                                              \
  "}) {reduce = [\"sum\"]} : (!gnn.graph<\"g\">, !inter.cursor<\"node\", \"g\">) -> !inter.results\n"                                                        \
  "%r = \"inter.result\"(%l) {index = 0 : i64} : (!inter.results) -> tensor<3xf32>\n"                                                                        \
  "\"intra.store\"(%r, %t, %n) : (tensor<3xf32>, !intra.memory<\"node:g\", tensor<3xf32>>, !inter.cursor<\"node\", "                                         \
  "\"g\">) -> ()\n"                                                                                                                                          \
  "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\n" /* in place: u lies where t lies; t is read again after u is written */ \
  "\"intra.traverse\"(%g) ({\n^bb0(%n: !inter.cursor<\"node\", \"g\">):\n"                                                                                   \
  "%a = \"intra.load\"(%t, %n) : (!intra.memory<\"node:g\", tensor<3xf32>>, !inter.cursor<\"node\", \"g\">) -> "                                             \
  "tensor<3xf32>\n"                                                                                                                                          \
  "%b = \"intra.load\"(%k) : (!intra.memory<\"one\", tensor<3xf32>>) -> tensor<3xf32>\n"                                                                     \
  "%z = \"gnn.constant\"() {value = 0.0 : f64} : () -> f32\n"                                                                                                \
  "%c = \"gnn.multiply\"(%z, %a) : (f32, tensor<3xf32>) -> tensor<3xf32>\n"                                                                                  \
  "\"intra.store\"(%c, %u, %n) : (tensor<3xf32>, !intra.memory<\"node:g\", tensor<3xf32>>, !inter.cursor<\"node\", "                                         \
  "\"g\">) -> ()\n"                                                                                                                                          \
  "%d = \"gnn.vector_add\"(%a, %b) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>\n"                                                                      \
  "\"intra.store\"(%d, %y, %n) : (tensor<3xf32>, !intra.memory<\"node:g\", tensor<3xf32>>, !inter.cursor<\"node\", "                                         \
  "\"g\">) -> ()\n"                                                                                                                                          \
  "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\n"                                                                         \
  "return\n}\n}\n"

static const char sum_model[] = SUM_MODEL("m", "w", "x");
static const int32_t src[] = {0, 2, 2, 1}, dst[] = {1, 1, 0, 1};
static const gnnc_graph graph = {.size = sizeof(gnnc_graph), .num_nodes = 3, .num_edges = 4, .src = src, .dst = dst};
static const float x[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, w[3] = {0.5f, 0, -1};
static const float expected[9] = {7.5f, 8, 8, 12.5f, 15, 17, 0.5f, 0, -1};

static int64_t bind_index(const fixture *f, const gnnc_graph *g, const void *const *weights, size_t size,
                          gnnc_result result) {
  char block[8192];
  int64_t index = -1;
  CHECK(size <= sizeof block);
  CHECK_INT(f->info->bind(GNNC_ABI_VERSION, g, weights, block, size, &index), result);
  return index;
}

TEST(bind_refuses_what_it_cannot_use_and_says_where) {
  fixture f;
  if (fixture_begin(&f, sum_model, (codegen_c_options){0}, "")) {
    const void *weights[] = {w}, *missing[] = {NULL};
    size_t size = f.info->bound_bytes(&graph);
    int64_t index = 0;
    gnnc_graph bad = graph;
    CHECK_INT(bind_index(&f, &graph, weights, size - 1, GNNC_ERROR_SIZE), (int64_t)size);
    CHECK_INT(bind_index(&f, &graph, missing, size, GNNC_ERROR_NULL), 0);
    CHECK_INT(bind_index(&f, NULL, weights, size, GNNC_ERROR_NULL), 0);
    bad.num_nodes = 2;
    CHECK_INT(bind_index(&f, &bad, weights, size, GNNC_ERROR_EDGE_RANGE), 1);
    bad.num_nodes = -1;
    bind_index(&f, &bad, weights, size, GNNC_ERROR_COUNT);
    CHECK_INT(f.info->bound_bytes(&bad), 0);
    bad.num_nodes = INT64_C(1) << 62;
    bind_index(&f, &bad, weights, size, GNNC_ERROR_COUNT);
    CHECK_INT(f.info->bound_bytes(&bad), 0);
    bad = graph;
    bad.dst = NULL;
    CHECK_INT(bind_index(&f, &bad, weights, size, GNNC_ERROR_NULL), 4);
    bad = graph;
    bad.size = 8;
    CHECK_INT(bind_index(&f, &bad, weights, size, GNNC_ERROR_VERSION), 8);
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION + 1, &graph, weights, NULL, size, &index), GNNC_ERROR_VERSION);
    CHECK_INT(index, GNNC_ABI_VERSION + 1);
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &graph, NULL, NULL, size, NULL), GNNC_ERROR_NULL);
  }
  fixture_end(&f);
}

/* A caller of a later version: its structs have more members behind those that the model knows, and the model leaves them alone. */
TEST(structs_that_have_grown_are_taken) {
  fixture f;
  if (fixture_begin(&f, sum_model, (codegen_c_options){0}, "")) {
    struct {
      gnnc_graph known;
      int64_t more[4];
    } later = {.known = graph, .more = {-1, -1, -1, -1}};
    struct {
      gnnc_context known;
      const void *more;
    } context = {.known = {.size = sizeof context}, .more = &context};
    const void *weights[] = {w}, *inputs[] = {x};
    float y[9] = {0};
    void *outputs[] = {y};
    size_t size = f.info->bound_bytes(&graph);
    void *bound = malloc(size), *workspace = malloc(4096);
    later.known.size = sizeof later;
    CHECK_INT(f.info->bound_bytes(&later.known), size);
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &later.known, weights, bound, size, NULL), GNNC_OK);
    CHECK_INT(f.info->run(bound, inputs, outputs, workspace, &context.known), GNNC_OK);
    CHECK(!memcmp(y, expected, sizeof y));
    free(bound);
    free(workspace);
  }
  fixture_end(&f);
}

TEST(run_refuses_blocks_that_bind_did_not_fill_and_null_pointers) {
  fixture f;
  if (fixture_begin(&f, sum_model, (codegen_c_options){0}, "")) {
    const void *weights[] = {w}, *inputs[] = {x}, *none[] = {NULL};
    float y[9] = {0};
    void *outputs[] = {y}, *no_output[] = {NULL};
    size_t size = f.info->bound_bytes(&graph);
    void *bound = calloc(1, size), *workspace = malloc(4096);
    CHECK_INT(f.info->run(bound, inputs, outputs, workspace, NULL), GNNC_ERROR_NOT_BOUND);
    CHECK_INT(f.info->workspace_bytes(bound, NULL), 0);
    CHECK_INT(f.info->workspace_bytes(NULL, NULL), 0);
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &graph, weights, bound, size, NULL), GNNC_OK);
    CHECK_INT(f.info->run(bound, none, outputs, workspace, NULL), GNNC_ERROR_NULL);
    CHECK_INT(f.info->run(bound, inputs, no_output, workspace, NULL), GNNC_ERROR_NULL);
    CHECK_INT(f.info->run(bound, inputs, outputs, NULL, NULL), GNNC_ERROR_NULL);
    CHECK_INT(f.info->run(NULL, inputs, outputs, workspace, NULL), GNNC_ERROR_NULL);
    gnnc_context old = {.size = offsetof(gnnc_context, step) - 1}, alone = {.size = sizeof alone};
    CHECK_INT(f.info->run(bound, inputs, outputs, workspace, &old), GNNC_ERROR_VERSION);
    old.size++; /* before there was a step */
    CHECK_INT(f.info->run(bound, inputs, outputs, workspace, &old), GNNC_OK);
    memset(y, 0, sizeof y);
    const gnnc_executor short_one = {.size = sizeof short_one - 1, .width = 1};
    const gnnc_context with_short_one = {.size = sizeof with_short_one, .executor = &short_one};
    CHECK_INT(f.info->run(bound, inputs, outputs, workspace, &with_short_one), GNNC_ERROR_VERSION);
    CHECK_INT(f.info->run(bound, inputs, outputs, workspace, &alone), GNNC_OK);
    CHECK(!memcmp(y, expected, sizeof y));
    /* After a bind that fails, run refuses the block. */
    gnnc_graph bad = graph;
    bad.num_nodes = 2;
    CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &bad, weights, bound, size, NULL), GNNC_ERROR_EDGE_RANGE);
    free(bound);
    free(workspace);
  }
  fixture_end(&f);
}

TEST(blocks_may_have_any_alignment_and_rows_may_be_reused_in_place) {
  fixture f;
  if (fixture_begin(&f, sum_model, (codegen_c_options){0}, "")) {
    const void *weights[] = {w}, *inputs[] = {x};
    for (size_t shift = 0; shift < 64; shift += 7) {
      float y[9] = {0};
      void *outputs[] = {y};
      size_t size = f.info->bound_bytes(&graph);
      char *bound = malloc(size + shift);
      CHECK_INT(f.info->bind(GNNC_ABI_VERSION, &graph, weights, bound + shift, size, NULL), GNNC_OK);
      char *workspace = malloc(f.info->workspace_bytes(bound + shift, NULL) + shift);
      CHECK_INT(f.info->run(bound + shift, inputs, outputs, workspace + shift, NULL), GNNC_OK);
      CHECK(!memcmp(y, expected, sizeof y));
      free(bound);
      free(workspace);
    }
  }
  fixture_end(&f);
}

TEST(a_graph_without_nodes_or_edges_is_a_graph) {
  fixture f;
  if (fixture_begin(&f, sum_model, (codegen_c_options){0}, "")) {
    const void *weights[] = {w}, *inputs[] = {NULL};
    void *outputs[] = {NULL};
    gnnc_graph empty = {.size = sizeof empty};
    CHECK_INT(fixture_run(&f, &empty, weights, inputs, outputs, 1), GNNC_OK);
  }
  fixture_end(&f);
}

TEST(the_header_stands_alone_in_c_and_cplusplus_and_two_models_fit_in_one_program) {
  fixture f;
  if (fixture_begin(&f, sum_model, (codegen_c_options){0}, "")) {
    CHECK_INT(fixture_shell(&f, "echo '#include \"model.h\"' > a.c && " FIXTURE_CC " -std=c17 " FIXTURE_WARNINGS
                                " -fsyntax-only a.c"),
              0);
    CHECK_INT(
        fixture_shell(
            &f, "sed 's/\\bm_/second_/g; s/GNNC_M_MODEL/GNNC_SECOND_MODEL/' model.h > second.h && "
                "printf '#include \"model.h\"\\n#include \"second.h\"\\nint main() { return GNNC_OK; }\\n' > b.cpp && "
                "c++ -Wall -Wextra -Wpedantic -Werror -c b.cpp -o b.o"),
        0);
    CHECK_INT(fixture_shell(&f, FIXTURE_CC " -std=c17 -O2 -c model.c -o c.o && "
                                           "test \"$(nm -g --defined-only c.o | awk '{print $3}' | tr '\\n' ' ')\" = "
                                           "'m_bind m_bound_bytes m_info m_run m_workspace_bytes '"),
              0);
    CHECK_INT(fixture_shell(&f, "! nm c.o | grep -E ' U (malloc|printf|fopen|abort)'"), 0);
    CHECK_INT(fixture_shell(&f, "size -A c.o | awk '$1 == \".data\" || $1 == \".bss\" { n += $2 } END { exit n > 0 }'"),
              0);
  }
  fixture_end(&f);
}

TEST(names_become_identifiers_and_the_manifest_tells_both) {
  fixture f;
  if (fixture_begin(&f, SUM_MODEL("m", "conv1.lin-weight", "double"), (codegen_c_options){0}, "")) {
    CHECK_HAS(text_str(&f.output.header), "const float *conv1_lin_weight; /* f32 [3], in files: file.name */");
    CHECK_HAS(text_str(&f.output.header), "const float *double_; /* f32 [num_nodes, 3], in files: x */");
    CHECK_HAS(text_str(&f.output.manifest), "\"field\": \"double_\"");
    CHECK_HAS(text_str(&f.output.manifest), "\"name\": \"double\"");
    CHECK_STR(f.info->inputs[0].name, "double");
    CHECK_STR(f.info->weights[0].from, "file.name");
    CHECK_STR(f.info->weights[0].file, "weights");
  }
  fixture_end(&f);
}

TEST(the_same_module_gives_the_same_bytes) {
  fixture f, g;
  CHECK(fixture_emit(&f, sum_model, (codegen_c_options){0}));
  CHECK(fixture_emit(&g, sum_model, (codegen_c_options){0}));
  CHECK_STR(text_str(&f.output.source), text_str(&g.output.source));
  CHECK_STR(text_str(&f.output.header), text_str(&g.output.header));
  CHECK_STR(text_str(&f.output.manifest), text_str(&g.output.manifest));
  fixture_end(&f);
  fixture_end(&g);
}

#define WIDE(type, op, result)                                                                                         \
  "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.bound_slots = []} {\n"                            \
  "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = []} {\n"                                  \
  "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"                                                   \
  "%x = \"intra.buffer\"() {space = \"input\", name = \"x\"} : () -> !intra.memory<\"node:g\", " type ">\n"            \
  "%y = \"intra.buffer\"() {space = \"output\", name = \"y\"} : () -> !intra.memory<\"node:g\", " result ">\n"         \
  "\"intra.traverse\"(%g) ({\n^bb0(%n: !inter.cursor<\"node\", \"g\">):\n"                                             \
  "%v = \"intra.load\"(%x, %n) : (!intra.memory<\"node:g\", " type ">, !inter.cursor<\"node\", \"g\">) -> " type       \
  "\n" op "\"intra.store\"(%r, %y, %n) : (" result ", !intra.memory<\"node:g\", " result                               \
  ">, !inter.cursor<\"node\", \"g\">) -> ()\n"                                                                         \
  "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\nreturn\n}\n}\n"

TEST(rows_too_wide_for_the_stack_are_kept_in_arrays_of_the_thread) {
  fixture f;
  CHECK(fixture_emit(
      &f,
      WIDE("tensor<20000xf32>",
           "%s = \"gnn.softmax\"(%v) : (tensor<20000xf32>) -> tensor<20000xf32> loc(\"h\"(\"m.gnn\":7:9))\n"
           "%r = \"gnn.reduce\"(%s) {function = \"max\"} : (tensor<20000xf32>) -> f32\n",
           "f32"),
      (codegen_c_options){0}));
  CHECK_HAS(text_str(&f.output.source), "static _Thread_local real h[20000];");
  fixture_end(&f);
  /* A value that is computed straight into the output needs no array. */
  CHECK(fixture_emit(&f,
                     WIDE("tensor<20000xf32>", "%r = \"gnn.softmax\"(%v) : (tensor<20000xf32>) -> tensor<20000xf32>\n",
                          "tensor<20000xf32>"),
                     (codegen_c_options){0}));
  fixture_end(&f);
}

TEST(select_takes_its_first_or_second_operand) {
  fixture f;
  if (fixture_begin(&f,
                    WIDE("tensor<4xf32>",
                         "%k = \"gnn.constant\"() {value = -2.5 : f64} : () -> f32\n"
                         "%z = \"gnn.constant\"() {value = 0.0 : f64} : () -> f32\n"
                         "%c = \"gnn.compare\"(%v, %z) {predicate = \"le\"} : (tensor<4xf32>, f32) -> tensor<4xf32>\n"
                         "%r = \"gnn.select\"(%c, %k, %v) : (tensor<4xf32>, f32, tensor<4xf32>) -> tensor<4xf32>\n",
                         "tensor<4xf32>"),
                    (codegen_c_options){0}, "")) {
    static const float values[4] = {1, -1, 0, 0.125f}, chosen[4] = {1, -2.5f, -2.5f, 0.125f};
    float y[4];
    const void *inputs[] = {values};
    void *outputs[] = {y};
    CHECK_INT(fixture_run(&f, &(gnnc_graph){.size = sizeof(gnnc_graph), .num_nodes = 1}, NULL, inputs, outputs, 1),
              GNNC_OK);
    CHECK(!memcmp(y, chosen, sizeof y));
  }
  fixture_end(&f);
}
