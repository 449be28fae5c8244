/* The target sextans: products with sparse and dense matrices run on the device, all else on the
 * host. */
#include "codegen/backend.h"

#include "codegen/device/steps/place.h"
#include "codegen/sextans/program.h"
#include "support/clock.h"

/* Windows of columns may begin at any column. */
static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)o;
  (void)end;
  pipeline_add_device(p, 1, true);
}

static bool runs(MlirOperation op, const void *user) {
  return !sextans_refuse(op, (program_host *)user);
}

static bool has_function(elementwise_unary function, const void *user) {
  (void)function;
  (void)user;
  return false;
}

static void place(arena *a, MlirModule module, program_host *host, const backend_options *o) {
  place_rules rules = {.runs = runs, .has_function = has_function, .user = host, .host = o->host};
  place_operations(a, ir_func_first(mlirModuleGetOperation(module)), &rules);
}

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  (void)d;
  arena *a = arena_create();
  program_host_assume_weights(host);
  place(a, module, host, o);
  arena_destroy(a);
  return STATUS_OK;
}

static status compile_program(sextans_program *p, const backend_options *o, const char *source_text, diag *d,
                              image *out) {
  step_program *s = p->steps;
  RETURN_IF_ERROR(sextans_plan_operations(p));
  if (o->remarks) sextans_remark(p, d);
  sextans_store_lay_out(p);
  RETURN_IF_ERROR(step_program_walk(s, sextans_emit_operation, p));
  for (size_t i = 0; i < p->operations.count; i++) {
    const sextans_operation *x = &p->operations.items[i];
    step_program_describe(s, x->op, "spmm", x->heads * x->lists->num_blocks, x->multiply_adds);
  }
  RETURN_IF_ERROR(sextans_store_write(p, out));
  return step_program_finish(s, source_text, out);
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  double begin = clock_seconds();
  bool no_data = o->no_data || o->no_weights;
  if (no_data) program_host_assume_weights(host);
  place(a, module, host, o);
  step_program steps = step_program_begin(a, host, module, manifest, no_data);
  sextans_program p = {.arena = a,
                       .host = host,
                       .device = &o->device,
                       .pool = program_host_pool(host),
                       .no_data = no_data,
                       .steps = &steps,
                       .operation_of = {.arena = a},
                       .stored_of = {.arena = a, .of_strings = true},
                       .constant_of = {.arena = a, .of_strings = true},
                       .order_of = {.arena = a},
                       .made_of = {.arena = a, .of_strings = true}};
  *out = (image){.isa_major = SEXTANS_MAJOR, .isa_minor = SEXTANS_MINOR, .device = o->device, .compiler = "gnnc"};
  *error = compile_program(&p, o, source_text, d, out);
  if (seconds) *seconds = clock_seconds() - begin;
  return !*error && step_program_fits(&steps, out, d);
}

const backend sextans_backend = {
    .name = "sextans",
    .summary = "the Sextans SpMM accelerator",
    .machine = &sextans_machine,
    .add_passes = add_passes,
    .plan = plan,
    .compile = compile,
};
