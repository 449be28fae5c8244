/* The target host: every operation of the device level is a step of the host. */
#include "codegen/backend.h"

#include "codegen/device/interface.h"
#include "codegen/device/place.h"
#include "codegen/device/program_rows.h"
#include "codegen/device/step_place.h"
#include "support/clock.h"

#include <string.h>

/* A program under way. */
typedef struct compiler {
  arena *arena;
  program_host *host;
  MlirOperation function;
  step_writer steps;
  program_rows rows;
  program_manifest *manifest;
} compiler;

/* Columns may begin anywhere. */
static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)o;
  (void)end;
  pipeline_add_device(p, 1, true);
}

static void place_all(arena *a, MlirOperation function) {
  place_operations(a, function, &(place_rules){.host = "all"});
}

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  (void)host;
  (void)o;
  (void)d;
  arena *a = arena_create();
  IR_FOR_EACH_FUNC(function, mlirModuleGetOperation(module)) place_all(a, function);
  arena_destroy(a);
  return STATUS_OK;
}

static status add_input(compiler *c, MlirOperation op) {
  program_manifest_input input = interface_input(c->arena, op);
  const char *set = ir_type_of(ir_result(op)).set;
  if (interface_is_weight(op)) return STATUS_OK; /* a constant of the steps */
  RETURN_IF_ERROR(step_place_make(&c->steps, &c->rows, ir_result(op), set, &input.place));
  VEC_PUSH(c->arena, &c->manifest->inputs, input);
  return STATUS_OK;
}

static status add_output(compiler *c, size_t index) {
  program_manifest_output output = interface_output(c->function, index);
  MlirValue value = interface_output_value(c->function, index);
  bool is_values = ir_type_of(value).kind == IR_KIND_values;
  RETURN_IF_ERROR(
      step_place_make(&c->steps, &c->rows, value, is_values ? output.set : ir_type_of(value).set, &output.place));
  VEC_PUSH(c->arena, &c->manifest->outputs, output);
  return STATUS_OK;
}

static status add_operation(compiler *c, MlirOperation op) {
  if (ir_op_kind(op) == IR_OP(device, input)) return add_input(c, op);
  if (!place_is_on_host(op)) return STATUS_OK;
  step_writer_add(&c->steps, op);
  status failed = c->steps.error;
  c->steps.error = STATUS_OK;
  return failed;
}

/* What the host could not make is reported with the place in the model that asks for it. */
static status with_place(status failed, MlirOperation op) {
  const char *file;
  unsigned line, column;
  bool is_placed = failed && ir_location_position(mlirOperationGetLocation(op), &file, &line, &column) && line;
  return is_placed ? status_context(failed, "%s:%u:%u", file, line, column) : failed;
}

static status compile_function(compiler *c) {
  IR_FOR_EACH_OP(op, ir_func_body(c->function)) RETURN_IF_ERROR(with_place(add_operation(c, op), op));
  for (size_t i = 0; i < interface_count_outputs(c->function); i++) RETURN_IF_ERROR(add_output(c, i));
  return STATUS_OK;
}

static status compile_all(compiler *c, const backend_options *o, const char *source_text, image *out) {
  const machine *m = o->device.machine;
  *out = (image){.isa_major = m->isa_major, .isa_minor = m->isa_minor, .device = o->device, .compiler = "gnnc"};
  *c->manifest = (program_manifest){.model = ir_func_name(c->function)};
  place_all(c->arena, c->function);
  RETURN_IF_ERROR(compile_function(c));
  text steps = {0};
  status failed = step_writer_end(&c->steps, &steps, out);
  c->manifest->steps = text_keep(&steps, c->arena);
  program_rows_write(&c->rows, out);
  if (source_text)
    out->sections[IMAGE_SOURCE] =
        (image_section){.size = strlen(source_text), .data = (const unsigned char *)source_text};
  return failed;
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  (void)d;
  double begin = clock_seconds();
  compiler c = {.arena = a,
                .host = host,
                .function = ir_func_first(mlirModuleGetOperation(module)),
                .steps = step_writer_begin(a, host, o->no_data || o->no_weights),
                .rows = program_rows_begin(a, host),
                .manifest = manifest};
  *error = compile_all(&c, o, source_text, out);
  if (seconds) *seconds = clock_seconds() - begin;
  return !*error;
}

const backend host_backend = {
    .name = "host",
    .summary = "no device: the host executes every step, in fp32",
    .machine = &host_machine,
    .add_passes = add_passes,
    .plan = plan,
    .compile = compile,
};
