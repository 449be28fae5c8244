/* Sums over rows are counted by the rows that are added up: products, what is read for each row, and
 * what is written once. */
#include "dialects/ir.h"
#include "passes/intra/intra_counts.h"
#include "unit.h"

#include <string.h>

static const char code[] =
    "func.func @m.run() attributes {gnn.phase = \"run\"} {\n"
    "  %g = \"intra.graph\"() {set = \"g\"} : () -> !gnn.graph<\"g\">\n"
    "  %x = \"intra.buffer\"() {space = \"input\", name = \"x\"} : () -> !intra.memory<\"node:g\", tensor<8xf32>>\n"
    "  %e = \"intra.buffer\"() {space = \"input\", name = \"e\"} : () -> !intra.memory<\"edge:g\", tensor<3xf32>>\n"
    "  %s = \"intra.buffer\"() {space = \"input\", name = \"s\", from = \"s\"} : () -> !intra.memory<\"nonzero:g\", "
    "tensor<40xf32>>\n"
    "  %w = \"intra.buffer\"() {space = \"output\", name = \"w\"} : () -> !intra.memory<\"one\", tensor<8x3xf32>>\n"
    "  %t = \"intra.buffer\"() {space = \"output\", name = \"t\"} : () -> !intra.memory<\"one\", tensor<40x8xf32>>\n"
    "  %b = \"intra.buffer\"() {space = \"output\", name = \"b\"} : () -> !intra.memory<\"one\", tensor<3xf32>>\n"
    "  \"intra.contract\"(%g, %x, %e, %w) {gather_a = \"src\"} : (!gnn.graph<\"g\">, !intra.memory<\"node:g\", "
    "tensor<8xf32>>, !intra.memory<\"edge:g\", tensor<3xf32>>, !intra.memory<\"one\", tensor<8x3xf32>>) -> ()\n"
    "  \"intra.contract\"(%g, %s, %x, %t) : (!gnn.graph<\"g\">, !intra.memory<\"nonzero:g\", tensor<40xf32>>, "
    "!intra.memory<\"node:g\", tensor<8xf32>>, !intra.memory<\"one\", tensor<40x8xf32>>) -> ()\n"
    "  \"intra.contract\"(%g, %e, %b) : (!gnn.graph<\"g\">, !intra.memory<\"edge:g\", tensor<3xf32>>, "
    "!intra.memory<\"one\", tensor<3xf32>>) -> ()\n"
    "  return\n"
    "}\n";

/* The factor of some rows in a sum; 0 where they do not occur. */
static int64_t factor_of(const intra_sum *sum, const char *rows) {
  for (size_t i = 0; i < sum->count; i++)
    if (!strcmp(sum->items[i].rows, rows)) return sum->items[i].factor;
  return 0;
}

TEST(a_sum_of_products_counts_its_rows) {
  arena *a = arena_create();
  MlirContext context = ir_context_create();
  MlirModule module = ir_parse(context, code, strlen(code));
  CHECK(!mlirModuleIsNull(module));
  intra_counts counts = {0};
  if (!mlirModuleIsNull(module)) intra_counts_collect(mlirModuleGetOperation(module), a, false, &counts);
  CHECK_INT(counts.kernels.count, 3);
  if (counts.kernels.count == 3) {
    const intra_kernel *gathered = &counts.kernels.items[0], *sparse = gathered + 1, *bias = gathered + 2;
    CHECK_STR(gathered->kind, "contract");
    CHECK_STR(gathered->name, "w");
    CHECK_STR(gathered->rows, "edge:g");
    CHECK_INT(factor_of(&gathered->products, "edge:g"), 2 * 8 * 3);
    CHECK_INT(factor_of(&gathered->read, "edge:g"), 4 * 8 + 4 * 3 + 4);
    CHECK_INT(factor_of(&gathered->written, "one"), 4 * 8 * 3);
    CHECK_INT(factor_of(&sparse->products, "nonzero:s"), 2 * 8);
    CHECK_INT(factor_of(&sparse->read, "nonzero:s"), 4 + 4);
    CHECK_INT(factor_of(&sparse->read, "node:g"), 4 * 8);
    CHECK_INT(factor_of(&bias->others, "edge:g"), 3);
    CHECK_INT((int64_t)bias->products.count, 0);
  }
  mlirModuleDestroy(module);
  ir_context_destroy(context);
  arena_destroy(a);
}
