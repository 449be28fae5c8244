/* Building IR from C: operands by position, inferred types, messages with locations, and reading
 * the IR back. */
#include "dialects/ir.h"
#include "unit.h"

typedef struct fixture {
  MlirContext context;
  MlirModule module;
  MlirBlock body;
  ir_builder b;
  text messages; /* "file:line:col: words\n" */
} fixture;

static void append_piece(MlirStringRef piece, void *words) {
  text_append_bytes(words, piece.data, piece.length);
}

static MlirLogicalResult keep_message(MlirDiagnostic message, void *user) {
  fixture *f = user;
  const char *file;
  unsigned line, column;
  ir_location_position(mlirDiagnosticGetLocation(message), &file, &line, &column);
  text_printf(&f->messages, "%s:%u:%u: ", file ? file : "?", line, column);
  mlirDiagnosticPrint(message, append_piece, &f->messages);
  text_append(&f->messages, "\n");
  return mlirLogicalResultSuccess();
}

/* A module with @m(%g: graph, %x: node f32[8], %e: edge f32) and an empty body. */
static fixture *open_fixture(void) {
  fixture *f = calloc(1, sizeof *f);
  if (!f) abort();
  f->context = ir_context_create();
  mlirContextAttachDiagnosticHandler(f->context, keep_message, f, NULL);
  MlirLocation location = ir_location_make(f->context, NULL, "m.gnn", 1, 1);
  f->module = mlirModuleCreateEmpty(location);
  ir_builder top = ir_builder_at_end(mlirModuleGetBody(f->module), location);
  ir_type x = {.kind = IR_KIND_node, .set = "g", .rank = 1, .dims = {8}}, e = {.kind = IR_KIND_edge, .set = "g"};
  MlirType arguments[] = {ir_type_make(f->context, ir_type_graph("g")), ir_type_make(f->context, x),
                          ir_type_make(f->context, e)};
  ir_build_func(&top, "m", arguments, 3, NULL, 0, &f->body);
  mlirBlockArgumentSetLocation(mlirBlockGetArgument(f->body, 1), ir_location_make(f->context, "x", "m.gnn", 2, 9));
  f->b = ir_builder_at_end(f->body, ir_location_make(f->context, "h", "m.gnn", 7, 5));
  return f;
}

static MlirValue argument(const fixture *f, intptr_t i) {
  return mlirBlockGetArgument(f->body, i);
}

static MlirValue weight(const fixture *f, const char *symbol, int64_t rows, int64_t columns) {
  const int64_t dims[] = {rows, columns};
  MlirType type = ir_type_make(f->context, ir_type_plain(2, dims));
  ir_builder top = ir_builder_at_end(mlirModuleGetBody(f->module), f->b.location);
  ir_attr attributes[] = {{"gnn.from", ir_attr_string(f->context, symbol)}, {NULL, {NULL}}};
  ir_build_weight(&top, symbol, type, attributes);
  return ir_build_weight_load(&f->b, symbol, type);
}

static void close_fixture(fixture *f) {
  mlirModuleDestroy(f->module);
  ir_context_destroy(f->context);
  text_free(&f->messages);
  free(f);
}

TEST(an_operation_is_built_with_its_type_inferred) {
  fixture *f = open_fixture();
  MlirValue operands[] = {argument(f, 1), weight(f, "w", 8, 4), {NULL}, {NULL}};
  MlirValue y = ir_build_value(&f->b, IR_OP(gnn, linear), operands, NULL);
  CHECK(!ir_value_is_null(y));
  ir_type type = ir_type_of(y);
  CHECK(type.kind == IR_KIND_node);
  CHECK_INT(type.rank, 1);
  CHECK_INT(type.dims[0], 4);
  ir_build_return(&f->b, NULL, 0);
  CHECK(ir_verify(mlirModuleGetOperation(f->module)));
  CHECK_STR(text_str(&f->messages), "");
  close_fixture(f);
}

TEST(operands_are_found_by_their_declared_position) {
  fixture *f = open_fixture();
  MlirValue w = weight(f, "w", 8, 8);
  MlirValue operands[] = {argument(f, 1), w, {NULL}, argument(f, 1)};
  MlirOperation linear = ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, linear), operands, NULL));
  CHECK(mlirValueEqual(ir_operand(linear, IR_IN(gnn, linear, w)), w));
  CHECK(ir_value_is_null(ir_operand(linear, IR_IN(gnn, linear, bias))));
  CHECK(mlirValueEqual(ir_operand(linear, IR_IN(gnn, linear, addend)), argument(f, 1)));
  ir_set_operand(linear, IR_IN(gnn, linear, addend), ir_result(linear));
  CHECK(mlirValueEqual(ir_operand(linear, IR_IN(gnn, linear, addend)), ir_result(linear)));

  ir_attr attributes[] = {{"reduce", ir_attr_string(f->context, "sum")},
                          {"direction", ir_attr_string(f->context, "in")},
                          {"slope", {NULL}}, /* an attribute that is left out */
                          {NULL, {NULL}}};
  MlirValue weighted[] = {argument(f, 0), argument(f, 1), argument(f, 2)},
            bare[] = {argument(f, 0), argument(f, 1), {NULL}};
  MlirOperation with = ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, aggregate), weighted, attributes));
  MlirOperation without = ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, aggregate), bare, attributes));
  CHECK(mlirValueEqual(ir_operand(with, IR_IN(gnn, aggregate, weight)), argument(f, 2)));
  CHECK(ir_value_is_null(ir_operand(without, IR_IN(gnn, aggregate, weight))));
  CHECK_STR(ir_get_string(with, "reduce", ""), "sum");
  CHECK_STR(ir_get_string(with, "activation", "none"), "none");
  CHECK_NEAR(ir_get_float(with, "slope", 0.5), 0.5, 0);
  close_fixture(f);
}

TEST(a_function_travels_with_all_its_numbers) {
  fixture *f = open_fixture();
  MlirValue x = argument(f, 1), operands[] = {x, x};
  ir_attr clamped[] = {
      {"activation", ir_attr_string(f->context, "clamp")}, {"low", ir_attr_float(f->context, -2)}, {NULL, {NULL}}};
  MlirOperation sum = ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, vector_add), operands, clamped));
  CHECK_INT(ir_unary_of(sum), UNARY_clamp);
  CHECK_INT(ir_binary_of(sum), BINARY_add);
  CHECK_NEAR(ir_unary_number(sum, 0), -2, 0);
  CHECK_NEAR(ir_unary_number(sum, 1), 1, 0); /* the default of the row */
  ir_attr moved[IR_UNARY_ATTRIBUTES];
  ir_unary_attributes(sum, "function", moved);
  MlirOperation activation = ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, activation), &x, moved));
  CHECK_INT(ir_unary_of(activation), UNARY_clamp);
  CHECK_INT(ir_binary_of(activation), BINARY_none);
  CHECK_NEAR(ir_unary_number(activation, 0), -2, 0);
  CHECK(mlirAttributeIsNull(ir_get_attr(activation, "high")));
  ir_unary_attributes((MlirOperation){NULL}, "activation", moved);
  for (const ir_attr *a = moved; a->name; a++) CHECK(mlirAttributeIsNull(a->value));
  CHECK_INT(ir_unary_of(ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, vector_add), operands, moved))), UNARY_none);
  close_fixture(f);
}

TEST(a_function_that_is_no_row_is_reported_by_whoever_reads_it) {
  fixture *f = open_fixture();
  MlirValue x = argument(f, 1), operands[] = {x, x};
  ir_attr function[] = {{"function", ir_attr_string(f->context, "sine")}, {NULL, {NULL}}};
  CHECK_INT(ir_unary_of(ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, activation), &x, function))), UNARY_none);
  CHECK_STR(text_str(&f->messages), "m.gnn:7:5: there is no function 'sine'\n");
  text_free(&f->messages);
  CHECK_INT(ir_binary_of(ir_defining_op(ir_build_value(&f->b, IR_OP(gnn, binary), operands, function))), BINARY_none);
  CHECK_STR(text_str(&f->messages), "m.gnn:7:5: there is no function 'sine'\n");
  text_free(&f->messages);
  close_fixture(f);
}

TEST(what_does_not_fit_is_reported_at_the_line_of_the_model_in_its_names) {
  fixture *f = open_fixture();
  MlirValue operands[] = {argument(f, 1), weight(f, "conv1.lin.weight", 32, 4), {NULL}, {NULL}};
  CHECK(ir_value_is_null(ir_build_value(&f->b, IR_OP(gnn, linear), operands, NULL)));
  CHECK_STR(text_str(&f->messages),
            "m.gnn:7:5: 'x' has 8 columns here, but 'h' takes 32\n"); /* the weight is called h here */
  text_free(&f->messages);
  MlirValue mixed[] = {argument(f, 1), argument(f, 2)};
  CHECK(ir_value_is_null(ir_build_value(&f->b, IR_OP(gnn, multiply), mixed, NULL)));
  CHECK_HAS(text_str(&f->messages), "'x' is per node of 'g', but 'b' is per edge of 'g'");
  text_free(&f->messages);
  MlirValue kinds[] = {argument(f, 1), argument(f, 1), {NULL}};
  CHECK(ir_value_is_null(ir_build_value(&f->b, IR_OP(gnn, aggregate), kinds, NULL)));
  CHECK_STR(text_str(&f->messages), "m.gnn:7:5: 'x' is node f32[8], but gnn.aggregate takes a graph\n");
  close_fixture(f);
}

TEST(a_loop_is_built_around_its_body) {
  fixture *f = open_fixture();
  MlirType cursor = ir_type_make(f->context, ir_type_cursor("node", "g"));
  MlirBlock body;
  MlirRegion region = ir_region_create(f->context, &cursor, 1, f->b.location, &body);
  ir_builder inside = ir_builder_at_end(body, f->b.location);
  MlirValue at[] = {argument(f, 1), mlirBlockGetArgument(body, 0)};
  MlirValue payload = ir_build_value(&inside, IR_OP(inter, at), at, NULL);
  ir_build_yield(&inside, &payload, 1);
  MlirValue graph = argument(f, 0);
  MlirOperation loop = ir_build(&f->b, IR_OP(inter, for_nodes), &graph, NULL, region, (MlirType){NULL});
  MlirValue result = ir_build_result(&f->b, loop, 0);
  CHECK(ir_type_equal(ir_type_of(result), ir_type_of(argument(f, 1))));
  CHECK(ir_op_is_pure(loop));
  CHECK(mlirOperationEqual(ir_defining_op(result), ir_defining_op(result)));
  CHECK(ir_op_kind(ir_block_terminator(ir_region_block(loop))) == IR_OTHER);
  CHECK(ir_value_is_null(ir_build_result(&f->b, loop, 1)));
  CHECK_HAS(text_str(&f->messages), "there is no result 1: the loop yields 1 value");
  ir_build_return(&f->b, NULL, 0);
  CHECK(ir_verify(mlirModuleGetOperation(f->module)));
  close_fixture(f);
}

TEST(a_region_is_taken_over_when_building_fails) {
  fixture *f = open_fixture(); /* the leak checker would report the region */
  MlirBlock body;
  MlirRegion region = ir_region_create(f->context, NULL, 0, f->b.location, &body);
  ir_builder inside = ir_builder_at_end(body, f->b.location);
  ir_build_yield(&inside, NULL, 0);
  MlirValue no_graph = argument(f, 1);
  MlirOperation loop = ir_build(&f->b, IR_OP(inter, for_nodes), &no_graph, NULL, region, (MlirType){NULL});
  CHECK(mlirOperationIsNull(loop));
  CHECK_HAS(text_str(&f->messages), "'x' is node f32[8], but inter.for_nodes takes a graph");
  close_fixture(f);
}

TEST(purity_follows_the_bodies) {
  fixture *f = open_fixture();
  ir_type one = {.kind = IR_KIND_buffer, .set = "one"};
  ir_attr named[] = {
      {"space", ir_attr_string(f->context, "bound")}, {"name", ir_attr_string(f->context, "b")}, {NULL, {NULL}}};
  MlirOperation buffer =
      ir_build(&f->b, IR_OP(intra, buffer), NULL, named, (MlirRegion){NULL}, ir_type_make(f->context, one));
  CHECK(!ir_op_is_pure(buffer));
  CHECK(!ir_op_is_removable(buffer));
  MlirValue load[] = {ir_result(buffer), {NULL}};
  MlirBlock body;
  MlirRegion region = ir_region_create(f->context, NULL, 0, f->b.location, &body);
  ir_builder inside = ir_builder_at_end(body, f->b.location);
  MlirValue loaded = ir_build_value(&inside, IR_OP(intra, load), load, NULL);
  ir_build_yield(&inside, &loaded, 1);
  MlirOperation once = ir_build(&f->b, IR_OP(inter, once), NULL, NULL, region, (MlirType){NULL});
  CHECK(!ir_op_is_pure(once));
  CHECK(ir_op_is_removable(once));
  close_fixture(f);
}

TEST(functions_carry_attributes_by_position) {
  fixture *f = open_fixture();
  MlirOperation func = mlirBlockGetParentOperation(f->body);
  CHECK_STR(ir_func_name(func), "m");
  CHECK(mlirBlockEqual(ir_func_body(func), f->body));
  CHECK(mlirAttributeIsNull(ir_func_arg_attr(func, 1, "gnn.name")));
  ir_func_set_arg_attr(func, 1, "gnn.name", ir_attr_string(f->context, "x"));
  CHECK(mlirAttributeEqual(ir_func_arg_attr(func, 1, "gnn.name"), ir_attr_string(f->context, "x")));
  CHECK(mlirAttributeIsNull(ir_func_arg_attr(func, 2, "gnn.name")));
  CHECK(mlirAttributeIsNull(ir_func_arg_attr(func, 9, "gnn.name")));
  CHECK(mlirAttributeIsNull(ir_func_result_attr(func, 0, "gnn.name")));
  close_fixture(f);
}

TEST(weights_are_found_by_name) {
  fixture *f = open_fixture();
  MlirValue w = weight(f, "conv1.weight", 2, 3);
  CHECK_STR(ir_weight_symbol(ir_defining_op(w)), "conv1.weight");
  MlirOperation global = ir_weight_find(mlirModuleGetOperation(f->module), "conv1.weight");
  CHECK(!mlirOperationIsNull(global));
  CHECK_STR(ir_get_string(global, "gnn.from", ""), "conv1.weight");
  CHECK(mlirOperationIsNull(ir_weight_find(mlirModuleGetOperation(f->module), "conv2.weight")));
  CHECK(!ir_weight_symbol(global));
  close_fixture(f);
}

TEST(locations_keep_name_and_place) {
  MlirContext c = ir_context_create();
  const char *file;
  unsigned line, column;
  MlirLocation named = ir_location_make(c, "conv1.h", "gat.gnn", 12, 3);
  CHECK_STR(ir_location_name(named), "conv1.h");
  CHECK(ir_location_position(named, &file, &line, &column));
  CHECK_STR(file, "gat.gnn");
  CHECK_INT(line, 12);
  CHECK_INT(column, 3);
  MlirLocation parts[] = {named, ir_location_make(c, NULL, "other.gnn", 1, 1)};
  MlirLocation fused = mlirLocationFusedGet(c, 2, parts, (MlirAttribute){NULL});
  CHECK(ir_location_position(fused, &file, &line, &column));
  CHECK_INT(line, 12);
  CHECK(!ir_location_position(mlirLocationUnknownGet(c), &file, &line, &column));
  CHECK(!ir_location_name(mlirLocationUnknownGet(c)));
  ir_context_destroy(c);
}
