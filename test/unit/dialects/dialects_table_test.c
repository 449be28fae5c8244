/* The tables of operations are complete: every row is documented, loaded, and part of a round-
 * trip test. */
#include "dialects/ir.h"
#include "support/file.h"
#include "unit.h"

TEST(every_operation_has_words_and_fits_the_limits) {
  for (size_t i = 0; i < IR_OP_COUNT; i++) {
    const ir_op_info *info = ir_op_info_get((ir_op)i);
    if (!*info->summary) unit_fail(__FILE__, __LINE__, "%s has no summary", info->name);
    if (info->operand_count > IR_MAX_OPERANDS) unit_fail(__FILE__, __LINE__, "%s has too many operands", info->name);
    CHECK(!info->is_pure || !info->is_read);
  }
}

TEST(every_operation_is_in_the_round_trip_test_of_its_dialect) {
  arena *a = arena_create();
  for (size_t i = 0; i < IR_OP_COUNT; i++) {
    const char *name = ir_op_info_get((ir_op)i)->name;
    const char *path =
        arena_printf(a, "%s/test/lit/dialects/%.*s/basic.mlir", GNNC_SOURCE_DIR, (int)strcspn(name, "."), name);
    char *content;
    size_t size;
    CHECK_OK(file_read(a, path, &content, &size));
    if (!strstr(content, arena_printf(a, "\"%s\"(", name)))
      unit_fail(__FILE__, __LINE__, "%s is not in %s", name, path);
  }
  arena_destroy(a);
}

TEST(operations_are_recognised_by_name) {
  MlirContext c = ir_context_create();
  const char source[] = "%0 = \"gnn.constant\"() {value = 1.0 : f64} : () -> f32 func.func private @f()";
  MlirModule module = ir_parse(c, source, strlen(source));
  CHECK(!mlirModuleIsNull(module));
  MlirOperation first = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  CHECK(ir_op_kind(first) == IR_OP(gnn, constant));
  CHECK_STR(ir_op_name(first), "gnn.constant");
  CHECK(ir_op_kind(mlirOperationGetNextInBlock(first)) == IR_OTHER);
  CHECK(ir_op_kind(mlirModuleGetOperation(module)) == IR_OTHER);
  mlirModuleDestroy(module);
  ir_context_destroy(c);
}

TEST(positions_of_operands_follow_the_rows) {
  CHECK_INT(IR_IN(gnn, linear, x), 0);
  CHECK_INT(IR_IN(gnn, linear, addend), 3);
  CHECK_INT(IR_IN_gnn_linear_COUNT, 4);
  CHECK_INT(IR_IN_gnn_constant_COUNT, 0);
  CHECK_STR(ir_op_info_get(IR_OP(gnn, linear))->operands[IR_IN(gnn, linear, bias)].name, "bias");
}

TEST(the_irdl_text_of_an_unknown_dialect_is_null) {
  CHECK(!ir_irdl_text("arith"));
  CHECK_HAS(ir_irdl_text("gnn"), "irdl.operation @linear");
  CHECK_HAS(ir_irdl_text(NULL), "irdl.dialect @intra");
}

TEST(weights_do_not_flood_a_dump) {
  MlirContext c = ir_context_create();
  text source = {0}, printed = {0};
  text_append(&source, "module attributes {gnn.big = dense<[");
  for (int i = 0; i < 1000; i++) text_printf(&source, "%s%d.0", i ? ", " : "", i);
  text_append(&source, "]> : tensor<1000xf32>} {}");
  MlirModule module = ir_parse(c, source.data, source.size);
  CHECK(!mlirModuleIsNull(module));
  ir_print(mlirModuleGetOperation(module), false, &printed);
  CHECK_HAS(text_str(&printed), "__elided__");
  mlirModuleDestroy(module);
  text_free(&source);
  text_free(&printed);
  ir_context_destroy(c);
}
