/* The target fusedgcn: products and sums over edges run on the array, all else on the host. */
#include "codegen/backend.h"

#include "codegen/device/steps/place.h"
#include "codegen/fusedgcn/program.h"
#include "support/clock.h"

/* Layers are made where the host takes neither products nor sums. */
static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)end;
  pipeline_add_device(p, 1, true);
  if (!o->host || !place_takes(o->host, "gemm", "spmm")) pipeline_add(p, "device-fuse-layers");
}

static bool runs(MlirOperation op, const void *user) {
  return !fusedgcn_refuse(op, (program_host *)user);
}

static bool has_function(elementwise_unary function, const void *user) {
  (void)user;
  return function == UNARY_relu;
}

static void place(arena *a, MlirModule module, program_host *host, const backend_options *o) {
  place_rules rules = {.runs = runs, .has_function = has_function, .user = host, .host = o->host};
  place_operations(a, ir_func_first(mlirModuleGetOperation(module)), &rules);
}

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  (void)d;
  arena *a = arena_create();
  place(a, module, host, o);
  arena_destroy(a);
  return STATUS_OK;
}

static status compile_program(fusedgcn_program *p, const backend_options *o, const char *source_text, diag *d,
                              image *out) {
  step_program *s = p->steps;
  p->chain = chain_begin(s, &fusedgcn_rows, p);
  chain_attach(&p->chain);
  RETURN_IF_ERROR(fusedgcn_form_choose(p));
  if (o->remarks) fusedgcn_remark(p, d);
  RETURN_IF_ERROR(step_program_walk(s, fusedgcn_emit_operation, p));
  chain_run(&p->chain);
  for (size_t i = 0; i < p->operations.count; i++) {
    const fusedgcn_operation *x = &p->operations.items[i];
    step_program_describe(s, x->op, "layer", x->heads, x->multiply_adds);
  }
  RETURN_IF_ERROR(fusedgcn_store_write(p, out));
  return step_program_finish(s, source_text, out);
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  double begin = clock_seconds();
  bool no_data = o->no_data || o->no_weights;
  if (no_data) program_host_assume_weights(host);
  place(a, module, host, o);
  step_program steps = step_program_begin(a, host, module, manifest, no_data);
  fusedgcn_program p = {.arena = a,
                        .host = host,
                        .device = &o->device,
                        .no_data = no_data,
                        .is_fused_only = !feature_is_allowed(&o->features, FEATURE_reassociate),
                        .has_overlap = feature_is_allowed(&o->features, FEATURE_overlap),
                        .steps = &steps,
                        .operation_of = {.arena = a},
                        .sparse_of = {.arena = a, .of_strings = true},
                        .constant_of = {.arena = a},
                        .stream_of = {.arena = a, .of_strings = true}};
  *out = (image){.isa_major = FUSEDGCN_MAJOR, .isa_minor = FUSEDGCN_MINOR, .device = o->device, .compiler = "gnnc"};
  *error = compile_program(&p, o, source_text, d, out);
  if (seconds) *seconds = clock_seconds() - begin;
  return !*error && step_program_fits(&steps, out, d);
}

/* The PEs take a tile of weights for each row that they multiply, also where the weights are the identity. */
static const char *relation_cost(const backend_options *o, arena *a) {
  const fusedgcn_device *d = &o->device.fusedgcn;
  return arena_printf(a, "cost=tiles tile=%d", (int)fusedgcn_slice(d));
}

const backend fusedgcn_backend = {
    .name = "fusedgcn",
    .summary = "the FusedGCN systolic array, in bf16",
    .machine = &fusedgcn_machine,
    .add_passes = add_passes,
    .relation_cost = relation_cost,
    .plan = plan,
    .compile = compile,
};
