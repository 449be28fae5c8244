/* The target agile: the host executes every operation of the device level as a step. */
#include "codegen/backend.h"

#include "codegen/device/steps/place.h"
#include "codegen/device/steps/step_program.h"
#include "support/clock.h"

/* Windows of columns may begin at any column. */
static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)o;
  (void)end;
  pipeline_add_device(p, 1, true);
}

static void place_all(arena *a, MlirModule module) {
  place_operations(a, ir_func_first(mlirModuleGetOperation(module)), &(place_rules){.host = "all"});
}

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  (void)host;
  (void)o;
  (void)d;
  arena *a = arena_create();
  place_all(a, module);
  arena_destroy(a);
  return STATUS_OK;
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  (void)d;
  double begin = clock_seconds();
  place_all(a, module);
  step_program p = step_program_begin(a, host, module, manifest, o->no_data || o->no_weights);
  *out = (image){.isa_major = agile_machine.isa_major,
                 .isa_minor = agile_machine.isa_minor,
                 .device = o->device,
                 .compiler = "gnnc"};
  *error = step_program_walk(&p, NULL, NULL);
  if (!*error) *error = step_program_finish(&p, source_text, out);
  if (seconds) *seconds = clock_seconds() - begin;
  return !*error;
}

const backend agile_backend = {
    .name = "agile",
    .summary = "the AGILE node-event accelerator",
    .machine = &agile_machine,
    .add_passes = add_passes,
    .plan = plan,
    .compile = compile,
};
