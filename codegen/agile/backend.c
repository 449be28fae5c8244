/* The target agile: products and sums over edges run on the device, all else on the host. */
#include "codegen/backend.h"

#include "codegen/agile/precision.h"
#include "codegen/device/steps/place.h"
#include "support/clock.h"

/* Layers are made where the host takes neither products nor sums. */
static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)end;
  pipeline_add_device(p, 1, true);
  if (!o->host || !place_takes(o->host, "gemm", "spmm")) pipeline_add(p, "device-fuse-layers");
}

/* What the rules of a placement ask. */
typedef struct asked {
  program_host *host;
  const agile_device *device;
} asked;

static bool runs(MlirOperation op, const void *user) {
  const asked *a = user;
  return !agile_refuse(op, a->host, a->device);
}

static bool has_function(elementwise_unary function, const void *user) {
  (void)user;
  return function == UNARY_relu || function == UNARY_leaky_relu;
}

/* Whether a value is nothing but an output. */
static bool is_for_output(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (ir_op_kind(mlirOpOperandGetOwner(use)) != IR_OP(device, output)) return false;
  return true;
}

/* Has the host add the bias of an output, and apply what follows: the rows go there anyway, and the
 * device would read one more neighbour of each row.
 *
 *   %y = device.gemm %x, %w, %b     =>    %0 = device.gemm %x, %w
 *                                         %y = device.vadd %0, %b {unit = "host"} */
static void split_bias(MlirOperation op, int position) {
  MlirValue bias = ir_operand(op, position), operands[IR_MAX_OPERANDS], none = {NULL};
  if (ir_value_is_null(bias) || ir_type_of(bias).kind != IR_KIND_plain || !is_for_output(ir_result(op))) return;
  ir_builder b = ir_builder_before(op);
  ir_attr product[] = {{"transposed", ir_get_attr(op, "transposed")}, {NULL, {NULL}}};
  ir_operands(op, operands);
  operands[position] = none;
  MlirValue made = ir_build_value(&b, ir_op_kind(op), operands, product), both[] = {made, bias, none};
  ir_attr sum[] = {{"function", ir_attr_string(b.context, "add")},
                   {"functions", ir_get_attr(op, "functions")},
                   {"unit", ir_attr_string(b.context, "host")},
                   {NULL, {NULL}}};
  MlirValue result = ir_value_is_null(made) ? none : ir_build_value(&b, IR_OP(device, vadd), both, sum);
  if (ir_value_is_null(result)) return;
  mlirValueReplaceAllUsesOfWith(ir_result(op), result);
  mlirOperationDestroy(op);
}

static void split_biases(MlirOperation function) {
  IR_FOR_EACH_OP_SAFE(op, ir_func_body(function)) {
    if (place_is_on_host(op)) continue;
    if (ir_op_kind(op) == IR_OP(device, gemm)) {
      split_bias(op, IR_IN(device, gemm, bias));
    } else if (ir_op_kind(op) == IR_OP(device, layer)) {
      split_bias(op, IR_IN(device, layer, bias));
    }
  }
}

static void place(arena *a, MlirModule module, program_host *host, const backend_options *o) {
  MlirOperation function = ir_func_first(mlirModuleGetOperation(module));
  asked user = {host, &o->device.agile};
  place_rules rules = {.runs = runs, .has_function = has_function, .most_functions = 1, .user = &user, .host = o->host};
  place_operations(a, function, &rules);
  if (!o->device.agile.has_vector_bias) split_biases(function);
}

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  (void)d;
  arena *a = arena_create();
  place(a, module, host, o);
  arena_destroy(a);
  return STATUS_OK;
}

static status compile_program(agile_program *p, const backend_options *o, const char *source_text, diag *d,
                              image *out) {
  step_program *s = p->steps;
  p->chain = chain_begin(s, &agile_rows_class, p);
  chain_attach(&p->chain);
  RETURN_IF_ERROR(agile_precision_read(p));
  RETURN_IF_ERROR(agile_map_operations(p));
  if (o->remarks) agile_remark(p, d);
  RETURN_IF_ERROR(step_program_walk(s, agile_emit_operation, p));
  chain_run(&p->chain);
  RETURN_IF_ERROR(agile_precision_check(p));
  for (size_t i = 0; i < p->operations.count; i++) {
    const agile_operation *x = &p->operations.items[i];
    step_program_describe(s, x->op, "layer", x->heads, x->multiply_adds);
  }
  s->manifest->tolerance = agile_precision_tolerance(p);
  RETURN_IF_ERROR(agile_store_write(p, d, out));
  return step_program_finish(s, source_text, out);
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  double begin = clock_seconds();
  bool no_data = o->no_data || o->no_weights;
  if (no_data) program_host_assume_weights(host);
  place(a, module, host, o);
  step_program steps = step_program_begin(a, host, module, manifest, no_data);
  agile_program p = {.arena = a,
                     .host = host,
                     .device = &o->device,
                     .no_data = no_data,
                     .precision = &o->precision,
                     .steps = &steps,
                     .operation_of = {.arena = a},
                     .wide_of = {.arena = a},
                     .matrix_of = {.arena = a, .of_strings = true},
                     .list_of = {.arena = a, .of_strings = true},
                     .descs_of = {.arena = a, .of_strings = true},
                     .constant_of = {.arena = a, .of_strings = true}};
  *out = (image){.isa_major = AGILE_MAJOR, .isa_minor = AGILE_MINOR, .device = o->device, .compiler = "gnnc"};
  *error = compile_program(&p, o, source_text, d, out);
  if (seconds) *seconds = clock_seconds() - begin;
  return !*error && !p.is_too_large && step_program_fits(&steps, out, d);
}

static const char *const precisions[] = {"fixed_4", "fixed_8", "fixed_16", "float_32", NULL};

/* A layer writes a row of results and messages for each node, which the next one reads. */
static const char *relation_cost(const backend_options *o, arena *a) {
  (void)o;
  (void)a;
  return "cost=rows";
}

const backend agile_backend = {
    .name = "agile",
    .summary = "the AGILE node-event accelerator",
    .machine = &agile_machine,
    .precisions = precisions,
    .add_passes = add_passes,
    .relation_cost = relation_cost,
    .plan = plan,
    .compile = compile,
};
