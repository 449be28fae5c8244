/* Generated matrix products are right for many shapes: widths on both sides of every tile,
 * partial blocks of rows, transposed weights, leading dimensions, a residual in the epilogue,
 * rows of edges. Any number of threads gives the same bits. */
#include "codegen_fixture.h"

enum { NODES = 2503, LARGEST = 40 * 40, ROW = 160 };

typedef struct gemm_case {
  int rows, depth, width; /* the product per node is [rows, depth] @ [depth, width] */
  bool transposed;
} gemm_case;

static const gemm_case cases[] = {
    {1, 1, 1, false},  {1, 5, 7, false},   {1, 6, 8, false},   {1, 9, 9, true},   {1, 40, 15, false},
    {1, 3, 16, true},  {1, 17, 17, false}, {1, 8, 24, true},   {1, 16, 33, true}, {1, 31, 40, false},
    {1, 33, 48, true}, {1, 20, 55, false}, {1, 16, 100, true}, {3, 5, 7, false},  {2, 4, 16, true},
    {4, 3, 9, true},   {8, 8, 8, false},   {1, 12, 64, false}, {2, 5, 64, true},  {1, 9, 112, false},
    {1, 7, 128, true},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const char *shape(char *to, int rows, int columns) {
  if (rows > 1)
    sprintf(to, "tensor<%dx%dxf32>", rows, columns);
  else
    sprintf(to, "tensor<%dxf32>", columns);
  return to;
}

/* Each case is y = relu(x @ w + r); bind keeps the weights. */
static void build_model(text *ir) {
  char x[40], w[40], y[40];
  text_append(ir, "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.bound_slots = [");
  for (int i = 0; i < CASES; i++) text_printf(ir, "%s\"one x %d\"", i ? ", " : "", cases[i].depth * cases[i].width);
  text_append(ir, "]} {\n");
  text bind = {0}, kept = {0}, inputs = {0}, outputs = {0}, kernels = {0};
  for (int i = 0; i < CASES; i++) {
    const gemm_case *c = &cases[i];
    sprintf(w, "tensor<%dx%dxf32>", c->transposed ? c->width : c->depth, c->transposed ? c->depth : c->width);
    shape(x, c->rows, c->depth);
    shape(y, c->rows, c->width);
    text_printf(ir, "ml_program.global private @w%d(#ml_program.extern<%s>) : %s {gnn.from = \"w%d\"}\n", i, w, w, i);
    text_printf(&bind,
                "%%w%d = \"intra.buffer\"() {space = \"weight\", name = \"w%d\"} : () -> !intra.memory<\"one\", %s>\n",
                i, i, w);
    text_printf(&kept,
                "%%k%d = \"intra.buffer\"() {space = \"bound\", slot = %d : i64, name = \"k%d\"} : () -> "
                "!intra.memory<\"one\", %s>\n",
                i, i, i, w);
    text_printf(
        &inputs,
        "%%x%d = \"intra.buffer\"() {space = \"input\", name = \"x%d\"} : () -> !intra.memory<\"node:g\", %s>\n", i, i,
        x);
    text_printf(
        &inputs,
        "%%r%d = \"intra.buffer\"() {space = \"input\", name = \"r%d\"} : () -> !intra.memory<\"node:g\", %s>\n", i, i,
        y);
    text_printf(
        &outputs,
        "%%y%d = \"intra.buffer\"() {space = \"output\", name = \"y%d\"} : () -> !intra.memory<\"node:g\", %s>\n", i, i,
        y);
    text_printf(&kernels, "\"intra.gemm\"(%%g, %%x%d, %%k%d) ({\n^bb0(%%n: !inter.cursor<\"node\", \"g\">, %%p: %s):\n",
                i, i, y);
    text_printf(
        &kernels,
        "%%l = \"intra.load\"(%%r%d, %%n) : (!intra.memory<\"node:g\", %s>, !inter.cursor<\"node\", \"g\">) -> %s\n", i,
        y, y);
    text_printf(&kernels, "%%s = \"gnn.vector_add\"(%%p, %%l) : (%s, %s) -> %s\n", y, y, y);
    text_printf(&kernels, "%%a = \"gnn.activation\"(%%s) {function = \"relu\"} : (%s) -> %s\n", y, y);
    text_printf(&kernels,
                "\"intra.store\"(%%a, %%y%d, %%n) : (%s, !intra.memory<\"node:g\", %s>, !inter.cursor<\"node\", "
                "\"g\">) -> ()\n",
                i, y, y);
    text_printf(&kernels,
                "\"smt.yield\"() : () -> ()\n}) {%s} : (!gnn.graph<\"g\">, !intra.memory<\"node:g\", %s>, "
                "!intra.memory<\"one\", %s>) -> ()\n",
                c->transposed ? "transposed" : "", x, w);
  }
  text_printf(ir, "func.func @m.bind() attributes {gnn.phase = \"bind\", gnn.workspace_slots = []} {\n%s%s",
              text_str(&bind), text_str(&kept));
  for (int i = 0; i < CASES; i++) {
    sprintf(w, "tensor<%dx%dxf32>", cases[i].transposed ? cases[i].width : cases[i].depth,
            cases[i].transposed ? cases[i].depth : cases[i].width);
    text_printf(ir, "\"intra.copy\"(%%w%d, %%k%d) : (!intra.memory<\"one\", %s>, !intra.memory<\"one\", %s>) -> ()\n",
                i, i, w, w);
  }
  text_printf(ir,
              "return\n}\nfunc.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = []} {\n"
              "%%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n%s%s%s%sreturn\n}\n}\n",
              text_str(&kept), text_str(&inputs), text_str(&outputs), text_str(&kernels));
  text_free(&bind);
  text_free(&kept);
  text_free(&inputs);
  text_free(&outputs);
  text_free(&kernels);
}

static float x[CASES][NODES * ROW], r[CASES][NODES * ROW], w[CASES][LARGEST], y[3][CASES][NODES * ROW];

static double expected(const gemm_case *c, int number, int row, int column) {
  double sum = 0;
  for (int k = 0; k < c->depth; k++)
    sum += (double)x[number][row * c->depth + k] *
           (double)w[number][c->transposed ? column * c->depth + k : k * c->width + column];
  sum += (double)r[number][row * c->width + column];
  return sum > 0 ? sum : 0;
}

static void check_case(int number, const float *found, int nodes) {
  const gemm_case *c = &cases[number];
  for (int row = 0; row < nodes * c->rows; row++)
    for (int column = 0; column < c->width; column++) {
      double want = expected(c, number, row, column), got = (double)found[row * c->width + column];
      if (fabs(got - want) <= 1e-4) continue;
      unit_fail(__FILE__, __LINE__, "%d x [%d, %d] @ [%d, %d]%s: row %d column %d is %.9g, expected %.9g", nodes,
                c->rows, c->depth, c->depth, c->width, c->transposed ? " transposed" : "", row, column, got, want);
      return;
    }
}

static void check_products(codegen_c_options options, const char *flags, const int32_t *threads, int runs) {
  text ir = {0};
  build_model(&ir);
  fixture f;
  if (fixture_begin(&f, text_str(&ir), options, flags)) {
    const void *weights[CASES], *inputs[2 * CASES];
    void *outputs[CASES];
    for (int i = 0; i < CASES; i++) {
      fixture_fill(x[i], sizeof x[i] / sizeof(float), (unsigned)i);
      fixture_fill(r[i], sizeof r[i] / sizeof(float), (unsigned)i + 100);
      fixture_fill(w[i], LARGEST, (unsigned)i + 200);
      weights[i] = w[i];
      inputs[2 * i] = x[i];
      inputs[2 * i + 1] = r[i];
    }
    static const int64_t node_counts[] = {NODES, 64, 15, 7, 1, 0};
    for (int n = 0; n < 6; n++) {
      gnnc_graph graph = {.size = sizeof graph, .num_nodes = node_counts[n]};
      for (int t = 0; t < runs; t++) {
        for (int i = 0; i < CASES; i++) outputs[i] = y[t][i];
        CHECK_INT(fixture_run(&f, &graph, weights, inputs, outputs, threads[t]), GNNC_OK);
        if (t) CHECK(!memcmp(y[0], y[t], sizeof y[0]));
      }
      for (int i = 0; i < CASES; i++) check_case(i, y[0][i], (int)node_counts[n]);
    }
  }
  fixture_end(&f);
  text_free(&ir);
}

TEST(products_of_every_shape_are_right) {
  check_products((codegen_c_options){0}, "", (const int32_t[]){1}, 1);
}
TEST(products_in_f64_are_right) {
  check_products((codegen_c_options){.is_f64 = true}, "", (const int32_t[]){1}, 1);
}
#if !defined(__clang__)
TEST(any_number_of_threads_gives_the_same_bits) {
  check_products((codegen_c_options){0}, "-fopenmp-simd -DGNNC_OPENMP_SIMD", (const int32_t[]){1, 2, 5}, 3);
}
#endif
