#include "codegen/device/steps/step_program.h"

#include "codegen/device/interface.h"
#include "codegen/device/steps/place.h"
#include "codegen/device/steps/step_place.h"
#include "codegen/device/steps/step_private.h"

#include <inttypes.h>
#include <string.h>

step_program step_program_begin(arena *a, program_host *host, MlirModule module, program_manifest *manifest,
                                bool no_data) {
  MlirOperation function = ir_func_first(mlirModuleGetOperation(module));
  *manifest = (program_manifest){.model = ir_func_name(function)};
  return (step_program){.arena = a,
                        .host = host,
                        .function = function,
                        .steps = step_writer_begin(a, host, no_data),
                        .rows = program_rows_begin(a, host),
                        .manifest = manifest};
}

static status add_input(step_program *p, MlirOperation op) {
  program_manifest_input input = interface_input(p->arena, op);
  const char *set = ir_type_of(ir_result(op)).set;
  if (interface_is_weight(op)) return STATUS_OK; /* a constant of the steps */
  RETURN_IF_ERROR(step_place_make(&p->steps, &p->rows, ir_result(op), set, &input.place));
  VEC_PUSH(p->arena, &p->manifest->inputs, input);
  return STATUS_OK;
}

static void need(step_program *p, MlirValue value) {
  bool is_data = ir_type_of(value).kind == IR_KIND_rows || ir_type_of(value).kind == IR_KIND_values;
  if (p->hooks && is_data) p->hooks->needs_on_host(p, value, p->hooks_user);
}

static status add_output(step_program *p, size_t index) {
  program_manifest_output output = interface_output(p->function, index);
  MlirValue value = interface_output_value(p->function, index);
  const char *set = ir_type_of(value).kind == IR_KIND_values ? output.set : ir_type_of(value).set;
  need(p, value);
  RETURN_IF_ERROR(step_place_make(&p->steps, &p->rows, value, set, &output.place));
  VEC_PUSH(p->arena, &p->manifest->outputs, output);
  return STATUS_OK;
}

static status add_operation(step_program *p, MlirOperation op, step_program_execute *execute, void *user) {
  if (ir_op_kind(op) == IR_OP(device, input)) return add_input(p, op);
  if (!place_is_step(op)) return STATUS_OK;
  if (place_is_on_host(op)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) need(p, mlirOperationGetOperand(op, i));
    step_writer_add(&p->steps, op);
  } else {
    RETURN_IF_ERROR(execute(p, op, user));
  }
  if (p->hooks) p->hooks->done(p, op, p->hooks_user);
  return step_writer_take_error(&p->steps);
}

static status with_place(status failed, MlirOperation op) {
  const char *file;
  unsigned line, column;
  bool is_placed = failed && ir_location_position(mlirOperationGetLocation(op), &file, &line, &column) && line;
  return is_placed ? status_context(failed, "%s:%u:%u", file, line, column) : failed;
}

status step_program_walk(step_program *p, step_program_execute *execute, void *user) {
  IR_FOR_EACH_OP(op, ir_func_body(p->function)) RETURN_IF_ERROR(with_place(add_operation(p, op, execute, user), op));
  for (size_t i = 0; i < interface_count_outputs(p->function); i++) RETURN_IF_ERROR(add_output(p, i));
  return STATUS_OK;
}

status step_program_finish(step_program *p, const char *source_text, image *out) {
  text steps = {0};
  status failed = step_writer_end(&p->steps, &steps, out);
  p->manifest->steps = text_keep(&steps, p->arena);
  program_rows_write(&p->rows, out);
  if (source_text)
    out->sections[IMAGE_SOURCE] =
        (image_section){.size = strlen(source_text), .data = (const unsigned char *)source_text};
  return failed;
}

void step_program_describe(step_program *p, MlirOperation op, const char *kind, int64_t blocks,
                           uint64_t multiply_adds) {
  const char *file = NULL;
  unsigned line = 0, column;
  program_manifest_layer layer = {
      .op = kind, .name = step_operation_name(op), .blocks = blocks, .multiply_adds = multiply_adds};
  if (ir_location_position(mlirOperationGetLocation(op), &file, &line, &column)) {
    layer.file = ir_location_shown_file(file);
    layer.line = line;
  }
  VEC_PUSH(p->arena, &p->manifest->layers, layer);
}

bool step_program_fits(const step_program *p, const image *im, diag *d) {
  uint64_t end = im->sections[IMAGE_TEXT].address + im->sections[IMAGE_TEXT].size;
  const device_common *device_has = &im->device.common;
  const char *file = NULL;
  unsigned line = 0, column = 0;
  if (end <= (uint64_t)device_has->ddr_bytes) return true;
  ir_location_position(mlirOperationGetLocation(p->function), &file, &line, &column);
  diag_report_at(d, file, line, column, DIAG_unsupported,
                 "model '%s' needs %" PRIu64 " bytes of device memory for this graph, '%s' has %" PRId64 " (ddr_bytes)",
                 p->manifest->model, end, device_has->name, device_has->ddr_bytes);
  return false;
}
