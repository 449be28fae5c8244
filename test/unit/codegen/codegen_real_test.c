/* Functions of generated code agree with the C library's in double precision, over floats of
 * every exponent. The error is at most the number of units in the last place that prelude/real.h
 * states; infinities, zeros and NaN are exact. */
#include "codegen_fixture.h"

#include <float.h>
#include <math.h>

enum { WIDTH = 16, STEP = 40009, NODES = (int)(UINT32_MAX / STEP / WIDTH) };

static double exact_leaky_half(double x) {
  return x > 0 ? x : x / 2;
}

static double exact_leaky_twice(double x) {
  return x > 0 ? x : 2 * x;
}

static double exact_leaky_back(double x) {
  return x > 0 ? x : -x / 4;
}

typedef struct function_case {
  const char *name;
  double (*exact)(double x);
  double units; /* units in the last place of the result, or of x where it is larger and `is_scaled` */
  bool is_scaled;
  double least;      /* an absolute error that is always allowed */
  const char *slope; /* of the operation; NULL: it has none */
} function_case;

static double exact_sigmoid(double x) {
  return 1 / (1 + exp(-x));
}

static double exact_gelu(double x) {
  return x / 2 * (1 + erf(x / sqrt(2.0)));
}

static double exact_softplus(double x) {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double exact_elu(double x) {
  return x > 0 ? x : expm1(x);
}

static double exact_sign(double x) {
  return x > 0 ? 1 : x < 0 ? -1 : x;
}

static double exact_clamp(double x) {
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

static const function_case cases[] = {
    {"exp", exp, 1.1, false, 0, NULL},
    {"tanh", tanh, 1.4, false, 0, NULL},
    {"erf", erf, 1.2, false, 0, NULL},
    {"sigmoid", exact_sigmoid, 2.6, false, (double)FLT_MIN, NULL},
    {"gelu", exact_gelu, 1.5, true, 0, NULL},
    {"softplus", exact_softplus, 3, false, 0, NULL},
    {"elu", exact_elu, 1.1, false, (double)FLT_EPSILON, NULL}, /* for exp(x) - 1 near 0 */
    {"expm1", expm1, 1, false, 0, NULL},
    {"log1p", log1p, 1, false, 0, NULL},
    {"sin", sin, 1, false, 0, NULL},
    {"cos", cos, 1, false, 0, NULL},
    {"sign", exact_sign, 0, false, 0, NULL},
    {"floor", floor, 0, false, 0, NULL},
    {"round", nearbyint, 0, false, 0, NULL},
    {"clamp", exact_clamp, 0, false, 0, NULL},
    {"leaky_relu", exact_leaky_half, 0.5, false, 0, "0.5"},
    {"leaky_relu", exact_leaky_twice, 0, false, 0, "2.0"},
    {"leaky_relu", exact_leaky_back, 0.5, false, 0, "-0.25"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static float x[NODES * WIDTH], y[CASES][NODES * WIDTH];

static void append_buffer(text *ir, const char *value, const char *space, const char *name) {
  text_printf(ir,
              "%s = \"intra.buffer\"() {space = \"%s\", name = \"%s\"} : () -> "
              "!intra.memory<\"node:g\", tensor<16xf32>>\n",
              value, space, name);
}

static void build_model(text *ir) {
  text_append(ir, "module attributes {gnn.model = \"m\", gnn.source = \"m.gnn\", gnn.bound_slots = []} {\n"
                  "func.func @m.run() attributes {gnn.phase = \"run\", gnn.workspace_slots = []} {\n"
                  "%g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n");
  append_buffer(ir, "%x", "input", "x");
  for (int i = 0; i < CASES; i++) {
    char value[8];
    snprintf(value, sizeof value, "%%y%d", i);
    append_buffer(ir, value, "output", value + 1);
  }
  text_append(ir, "\"intra.traverse\"(%g) ({\n^bb0(%n: !inter.cursor<\"node\", \"g\">):\n"
                  "%v = \"intra.load\"(%x, %n) : (!intra.memory<\"node:g\", tensor<16xf32>>, !inter.cursor<\"node\", "
                  "\"g\">) -> tensor<16xf32>\n");
  for (int i = 0; i < CASES; i++) {
    text_printf(ir, "%%r%d = \"gnn.activation\"(%%v) {function = \"%s\"", i, cases[i].name);
    if (cases[i].slope) text_printf(ir, ", slope = %s : f64", cases[i].slope);
    text_printf(ir,
                "} : (tensor<16xf32>) -> tensor<16xf32>\n"
                "\"intra.store\"(%%r%d, %%y%d, %%n) : (tensor<16xf32>, !intra.memory<\"node:g\", tensor<16xf32>>, "
                "!inter.cursor<\"node\", \"g\">) -> ()\n",
                i, i);
  }
  text_append(ir, "\"smt.yield\"() : () -> ()\n}) {domain = \"node\"} : (!gnn.graph<\"g\">) -> ()\nreturn\n}\n}\n");
}

/* The distance between neighbouring floats at a value. */
static double unit_at(double value) {
  int exponent;
  frexp(fabs(value), &exponent);
  return ldexp(1, exponent - 24 < -149 ? -149 : exponent - 24);
}

static void check_function(const function_case *c, const float *found) {
  for (int i = 0; i < NODES * WIDTH; i++) {
    double want = c->exact((double)x[i]), got = (double)found[i];
    if (isnan(want) || isinf((float)want)) {
      if (isnan(want) ? isnan(got) : got == (double)(float)want) continue;
    } else {
      double unit = unit_at(c->is_scaled && fabs((double)x[i]) > fabs(want) ? (double)x[i] : want);
      if (fabs(got - want) <= c->units * unit + c->least) continue;
    }
    unit_fail(__FILE__, __LINE__, "%s(%.9g) is %.9g, expected %.9g", c->name, (double)x[i], got, want);
    return;
  }
}

static void check_functions(const char *flags) {
  text ir = {0};
  build_model(&ir);
  fixture f;
  if (fixture_begin(&f, text_str(&ir), (codegen_c_options){0}, flags)) {
    for (uint32_t i = 0; i < (uint32_t)(NODES * WIDTH); i++) {
      uint32_t bits = i * (uint32_t)STEP;
      memcpy(&x[i], &bits, sizeof bits);
    }
    x[1] = INFINITY, x[2] = -INFINITY, x[3] = NAN, x[4] = -0.0f, x[5] = 0.625f, x[6] = 88.7f, x[7] = -103.9f;
    gnnc_graph graph = {.size = sizeof graph, .num_nodes = NODES};
    const void *inputs[] = {x};
    void *outputs[CASES];
    for (int i = 0; i < CASES; i++) outputs[i] = y[i];
    CHECK_INT(fixture_run(&f, &graph, NULL, inputs, outputs, 1), GNNC_OK);
    for (int i = 0; i < CASES; i++) check_function(&cases[i], y[i]);
  }
  fixture_end(&f);
  text_free(&ir);
}

TEST(functions_are_as_exact_as_their_comments_say) {
  check_functions("");
}

TEST(functions_are_as_exact_when_they_are_vectorised) {
  check_functions("-O3 -march=native -ffp-contract=fast -fno-sanitize=all");
}
