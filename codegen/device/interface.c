#include "codegen/device/interface.h"

static MlirValue argument_of(MlirOperation input) {
  return ir_operand(input, IR_IN(device, input, x));
}

static MlirOperation function_of(MlirValue argument) {
  return mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(argument));
}

static MlirAttribute attribute_of(MlirValue argument, const char *name) {
  return ir_func_arg_attr(function_of(argument), (size_t)mlirBlockArgumentGetArgNumber(argument), name);
}

bool interface_is_weight(MlirOperation input) {
  MlirValue x = argument_of(input);
  return mlirValueIsABlockArgument(x) && !mlirAttributeIsNull(attribute_of(x, "gnn.space"));
}

program_manifest_input interface_input(arena *a, MlirOperation input) {
  MlirValue x = argument_of(input);
  program_manifest_input in = {.space = interface_is_weight(input) ? "weights" : "graph",
                               .shape = ir_type_payload(ir_type_of(x))};
  in.range = attribute_of(x, "gnn.range");
  in.name = ir_string_of(attribute_of(x, "gnn.name"));
  if (!in.name) in.name = arena_printf(a, "input %d", (int)mlirBlockArgumentGetArgNumber(x));
  in.from = ir_string_of(attribute_of(x, "gnn.from"));
  if (!in.from) in.from = in.name;
  return in;
}

static const char *domain_of(ir_type type) {
  switch (type.kind) {
  case IR_KIND_node: return ir_part_type(type.set) >= 0 ? "part" : "node";
  case IR_KIND_edge: return "edge";
  case IR_KIND_per: return type.set;
  default: return "plain";
  }
}

static MlirValue result_of(MlirOperation function, size_t index) {
  return mlirOperationGetOperand(ir_block_terminator(ir_func_body(function)), (intptr_t)index);
}

size_t interface_count_outputs(MlirOperation function) {
  return (size_t)mlirOperationGetNumOperands(ir_block_terminator(ir_func_body(function)));
}

program_manifest_output interface_output(MlirOperation function, size_t index) {
  ir_type type = ir_type_of(result_of(function, index));
  const char *name = ir_string_of(ir_func_result_attr(function, index, "gnn.name"));
  return (program_manifest_output){
      .name = name ? name : "output", .domain = domain_of(type), .set = type.set, .shape = ir_type_payload(type)};
}

MlirValue interface_output_value(MlirOperation function, size_t index) {
  return ir_operand(ir_defining_op(result_of(function, index)), IR_IN(device, output, x));
}
