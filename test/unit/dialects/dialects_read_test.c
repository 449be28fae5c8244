/* Reading IR from C: loops over operations, uses and functions, and attributes with a list of
 * choices. */
#include "dialects/ir.h"
#include "unit.h"

static const char source[] =
    "func.func @first(%g: !gnn.graph<\"g\">, %x: !gnn.node<\"g\", f32>) -> !gnn.edge<\"g\", f32> {\n"
    "  %a = \"gnn.gather\"(%g, %x) {end = \"dst\"} : (!gnn.graph<\"g\">, !gnn.node<\"g\", f32>) -> !gnn.edge<\"g\", "
    "f32>\n"
    "  %b = \"gnn.activation\"(%a) {function = \"elu\"} : (!gnn.edge<\"g\", f32>) -> !gnn.edge<\"g\", f32>\n"
    "  %c = \"gnn.multiply\"(%b, %a) : (!gnn.edge<\"g\", f32>, !gnn.edge<\"g\", f32>) -> !gnn.edge<\"g\", f32>\n"
    "  return %c : !gnn.edge<\"g\", f32>\n"
    "}\n"
    "func.func private @declared()\n"
    "func.func @last() {\n"
    "  return\n"
    "}\n";

typedef struct fixture {
  MlirContext context;
  MlirModule module;
  MlirOperation root;
  MlirBlock body; /* of @first */
} fixture;

static fixture open_fixture(void) {
  fixture f = {.context = ir_context_create()};
  f.module = ir_parse(f.context, source, sizeof source - 1);
  CHECK(!mlirModuleIsNull(f.module));
  f.root = mlirModuleGetOperation(f.module);
  f.body = ir_func_body(ir_func_first(f.root));
  return f;
}

static void close_fixture(fixture *f) {
  mlirModuleDestroy(f->module);
  ir_context_destroy(f->context);
}

/* The names of the operations of a block, each followed by a space. */
static const char *names_of(text *words, MlirBlock block) {
  text_free(words);
  IR_FOR_EACH_OP(op, block) text_printf(words, "%s ", ir_op_name(op));
  return text_str(words);
}

static MlirOperation find(const fixture *f, const char *name) {
  IR_FOR_EACH_OP(op, f->body)
    if (!strcmp(ir_op_name(op), name)) return op;
  return (MlirOperation){NULL};
}

TEST(a_walk_visits_the_operations_of_a_block_in_order) {
  fixture f = open_fixture();
  text words = {0};
  CHECK_STR(names_of(&words, f.body), "gnn.gather gnn.activation gnn.multiply func.return ");
  text_free(&words);
  MlirOperation end = find(&f, "gnn.multiply");
  IR_FOR_EACH_OP_BEFORE(op, f.body, end) text_printf(&words, "%s ", ir_op_name(op));
  CHECK_STR(text_str(&words), "gnn.gather gnn.activation ");
  CHECK(mlirOperationIsNull(ir_op_next(ir_block_terminator(f.body))));
  CHECK(mlirOperationIsNull(ir_op_next((MlirOperation){NULL})));
  text_free(&words);
  close_fixture(&f);
}

TEST(the_safe_walk_may_erase_and_move_what_it_visits) {
  fixture f = open_fixture();
  text words = {0};
  MlirOperation end = ir_block_terminator(f.body);
  IR_FOR_EACH_OP_SAFE(op, f.body) {
    if (ir_op_kind(op) == IR_OP(gnn, gather)) mlirOperationMoveBefore(op, end);
    if (ir_op_kind(op) != IR_OP(gnn, activation)) continue;
    mlirValueReplaceAllUsesOfWith(ir_result(op), mlirOperationGetOperand(op, 0));
    mlirOperationDestroy(op);
  }
  CHECK_STR(names_of(&words, f.body), "gnn.multiply gnn.gather func.return ");
  text_free(&words);
  close_fixture(&f);
}

TEST(every_use_of_a_value_is_visited) {
  fixture f = open_fixture();
  size_t count = 0;
  MlirValue gathered = ir_result(find(&f, "gnn.gather"));
  IR_FOR_EACH_USE(use, gathered) count += ir_op_kind(mlirOpOperandGetOwner(use)) != IR_OP(gnn, gather);
  CHECK_INT(count, 2);
  CHECK_INT(ir_value_use_count(gathered), 2);
  CHECK(ir_value_has_uses(gathered) && !ir_value_has_one_use(gathered));
  CHECK(ir_value_has_one_use(ir_result(find(&f, "gnn.multiply"))));
  close_fixture(&f);
}

TEST(functions_without_a_body_are_passed_over) {
  fixture f = open_fixture();
  text words = {0};
  IR_FOR_EACH_FUNC(func, f.root) text_printf(&words, "%s ", ir_func_name(func));
  CHECK_STR(text_str(&words), "first last ");
  text_free(&words);
  close_fixture(&f);
}

TEST(an_attribute_that_is_absent_is_no_string) {
  fixture f = open_fixture();
  MlirOperation gather = find(&f, "gnn.gather");
  CHECK(ir_string_is(gather, "end", "dst"));
  CHECK(!ir_string_is(gather, "end", "src"));
  CHECK(!ir_string_is(gather, "end", "ds"));
  CHECK(!ir_string_is(gather, "direction", ""));
  ir_set_attr(gather, "end", ir_attr_string(f.context, "src"));
  CHECK(ir_string_is(gather, "end", "src"));
  ir_set_attr(gather, "gnn.count", ir_attr_integer(f.context, 3));
  CHECK(!ir_string_is(gather, "gnn.count", "3"));
  CHECK(mlirAttributeIsNull(ir_get_attr(gather, "direction")));
  close_fixture(&f);
}

TEST(only_strings_are_read_as_strings) {
  fixture f = open_fixture();
  CHECK_STR(ir_string_of(ir_attr_string(f.context, "a\"b")), "a\"b");
  CHECK(!ir_string_of(ir_attr_integer(f.context, 3)));
  CHECK(!ir_string_of((MlirAttribute){NULL}));
  close_fixture(&f);
}

TEST(every_number_of_a_function_is_an_attribute) {
  const ir_op_info *info = ir_op_info_get(IR_OP(gnn, activation));
  for (int f = 0; f < UNARY_COUNT; f++)
    for (int i = 0; i < elementwise_count_parameters((elementwise_unary)f); i++) {
      const char *name = elementwise_unaries[f].parameters[i].name;
      bool is_there = false;
      for (unsigned k = 0; k < info->attribute_count; k++)
        is_there = is_there || (!strcmp(info->attributes[k].name, name) && !strcmp(info->attributes[k].type, "float"));
      if (!is_there) unit_fail(__FILE__, __LINE__, "'%s' of '%s' is no attribute", name, elementwise_unaries[f].name);
    }
}

TEST(a_choice_is_its_place_in_the_row) {
  CHECK_INT(ir_choice_find("sum|mean|max", "max"), 2);
  CHECK_INT(ir_choice_find("sum|mean|max", "me"), -1);
  CHECK_INT(ir_choice_find("unary", "relu"), 0);
  CHECK_INT(ir_choice_find("unary", elementwise_unaries[UNARY_COUNT - 1].name), UNARY_COUNT - 1);
  CHECK_INT(ir_choice_find("add|binary|select", "atan2"), 1);
  CHECK(ir_choice_has("add|binary|select", "select") && !ir_choice_has("binary", "add"));
  CHECK(ir_choice_has(IR_PER_KINDS, "etype_dst") && !ir_choice_has(IR_PER_KINDS, "etype_"));
}
