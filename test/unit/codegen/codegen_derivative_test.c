/* gnn.derivative of every function in support/elementwise.def, in generated C, against differences of
 * the function in double. */
#include "codegen_fixture.h"

#include "codegen/c/text/formula.h"
#include "support/elementwise.h"

enum { POINTS = 6 };

/* No point lies where a function has no derivative. */
static const float points[POINTS] = {-1.7f, -0.6f, 0.3f, 0.8f, 1.9f, 2.6f}, d[POINTS] = {1, -2, 3, 0.5f, -1, 2};
static float results[UNARY_COUNT][POINTS];

static const char type[] = "tensor<2x3xf32>";

static void append_buffer(text *ir, const char *space, const char *name) {
  text_printf(ir, "%%%s = \"intra.buffer\"() {space = \"%s\", name = \"%s\"} : () -> !intra.memory<\"node:g\", %s>\n",
              name, space, name, type);
}

static void append_load(text *ir, const char *to, const char *from) {
  text_printf(ir,
              "%%%s = \"intra.load\"(%%%s, %%n) : (!intra.memory<\"node:g\", %s>, !inter.cursor<\"node\", \"g\">) -> "
              "%s\n",
              to, from, type, type);
}

/* A kernel with d f'(x) of one function; it has the operands that the derivative mentions alone. */
static void append_kernel(text *ir, int function) {
  const elementwise_unary_info *row = &elementwise_unaries[function];
  bool has_x = c_formula_mentions(row->derivative, 'x'), has_y = c_formula_mentions(row->derivative, 'y');
  text_append(ir, "\"intra.traverse\"(%g) ({\n^bb0(%n: !inter.cursor<\"node\", \"g\">):\n");
  append_load(ir, "e", "d");
  if (has_x || has_y) append_load(ir, "v", "x");
  if (has_y) text_printf(ir, "%%y = \"gnn.activation\"(%%v) {function = \"%s\"} : (%s) -> %s\n", row->name, type, type);
  text_printf(ir, "%%r = \"gnn.derivative\"(%%e%s%s) {function = \"%s\", operandSegmentSizes = array<i32: 1, %d, %d>}",
              has_x ? ", %v" : "", has_y ? ", %y" : "", row->name, has_x, has_y);
  text_printf(ir, " : (%s%s%s%s%s) -> %s\n", type, has_x ? ", " : "", has_x ? type : "", has_y ? ", " : "",
              has_y ? type : "", type);
  text_printf(ir,
              "\"intra.store\"(%%r, %%r_%s, %%n) : (%s, !intra.memory<\"node:g\", %s>, !inter.cursor<\"node\", "
              "\"g\">) -> ()\n",
              row->name, type, type);
  text_append(ir, "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\n");
}

static void build_model(text *ir) {
  text_append(ir, "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.bound_slots = []} {\n"
                  "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = []} {\n"
                  "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n");
  append_buffer(ir, "input", "x");
  append_buffer(ir, "input", "d");
  for (int f = 0; f < UNARY_COUNT; f++) {
    char name[64];
    snprintf(name, sizeof name, "r_%s", elementwise_unaries[f].name);
    append_buffer(ir, "output", name);
  }
  for (int f = 0; f < UNARY_COUNT; f++) append_kernel(ir, f);
  text_append(ir, "return\n}\n}\n");
}

static void check_function(int f, double tolerance) {
  const elementwise_unary_info *row = &elementwise_unaries[f];
  double p = row->parameters[0].fallback, q = row->parameters[1].fallback, step = 1e-4;
  for (int i = 0; i < POINTS; i++) {
    double x = (double)points[i], above = elementwise_unary_f64((elementwise_unary)f, x + step, p, q);
    double below = elementwise_unary_f64((elementwise_unary)f, x - step, p, q);
    double expected = (double)d[i] * (above - below) / (2 * step), found = (double)results[f][i];
    if (isnan(expected) || fabs(found - expected) <= tolerance * fmax(1, fabs(expected))) continue;
    unit_fail(__FILE__, __LINE__, "the derivative of %s at %g is %.9g, expected %.9g", row->name, x, found, expected);
  }
}

static void check_all(codegen_c_options options, double tolerance) {
  text ir = {0};
  build_model(&ir);
  fixture f;
  if (fixture_begin(&f, text_str(&ir), options, "")) {
    const void *inputs[] = {points, d};
    void *outputs[UNARY_COUNT];
    for (int i = 0; i < UNARY_COUNT; i++) outputs[i] = results[i];
    const gnnc_graph graph = {.size = sizeof graph, .num_nodes = 1};
    CHECK_INT(fixture_run(&f, &graph, NULL, inputs, outputs, 1), GNNC_OK);
    for (int i = 0; i < UNARY_COUNT; i++) check_function(i, tolerance);
  }
  fixture_end(&f);
  text_free(&ir);
}

TEST(derivatives_are_those_of_the_functions) {
  check_all((codegen_c_options){0}, 1e-5);
  check_all((codegen_c_options){.is_f64 = true}, 1e-6);
}

TEST(a_derivative_without_an_operand_that_it_needs_is_an_internal_error) {
  fixture f;
  CHECK(!fixture_emit(
      &f,
      "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.bound_slots = []} {\n"
      "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = []} {\n"
      "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"
      "%d = \"intra.buffer\"() {space = \"input\", name = \"d\"} : () -> !intra.memory<\"node:g\", f32>\n"
      "%r = \"intra.buffer\"() {space = \"output\", name = \"r\"} : () -> !intra.memory<\"node:g\", f32>\n"
      "\"intra.traverse\"(%g) ({\n^bb0(%n: !inter.cursor<\"node\", \"g\">):\n"
      "%e = \"intra.load\"(%d, %n) : (!intra.memory<\"node:g\", f32>, !inter.cursor<\"node\", \"g\">) -> f32\n"
      "%v = \"gnn.derivative\"(%e) {function = \"relu\", operandSegmentSizes = array<i32: 1, 0, 0>} : (f32) -> f32\n"
      "\"intra.store\"(%v, %r, %n) : (f32, !intra.memory<\"node:g\", f32>, !inter.cursor<\"node\", \"g\">) -> ()\n"
      "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\nreturn\n}\n}\n",
      (codegen_c_options){0}));
  CHECK_HAS(f.message, "the derivative of 'relu' lacks an operand");
  fixture_end(&f);
}
