/* The target toy: one instruction adds two tensors of rows. The host writes both operands to device memory before it and reads
 * the result after it, and executes all other operations. */
#include "codegen/backend.h"
#include "codegen/device/steps/place.h"
#include "codegen/device/steps/step_program.h"
#include "support/number.h"
#include "toy/isa/toy.h"

#include <string.h>

enum { FIRST_ADDRESS = 4096 };

/* The state of one compilation. */
typedef struct compiler {
  VEC(toy_insn) code;
  int64_t features; /* bytes of the operands and the result of the largest operation */
} compiler;

static void add_passes(pipeline_draft *p, const backend_options *o, pipeline_end end) {
  (void)o;
  (void)end;
  pipeline_add_device(p, 1, true);
}

/* The device executes a sum of rows with rows of the same width. */
static bool runs(MlirOperation op, const void *user) {
  (void)user;
  if (ir_op_kind(op) != IR_OP(device, vadd) || !ir_string_is(op, "function", "add")) return false;
  MlirValue b = ir_operand(op, IR_IN(device, vadd, b));
  double scale = ir_get_float(op, "scale", 1);
  bool is_plain = !(scale < 1) && !(scale > 1);
  return is_plain && ir_type_of(b).kind == IR_KIND_rows && ir_type_of(b).dims[0] == ir_type_of(ir_result(op)).dims[0];
}

static bool has_function(elementwise_unary function, const void *user) {
  (void)function;
  (void)user;
  return false;
}

static void place(arena *a, MlirModule module, const backend_options *o) {
  place_rules rules = {.runs = runs, .has_function = has_function, .host = o->host};
  place_operations(a, ir_func_first(mlirModuleGetOperation(module)), &rules);
}

static status plan(MlirModule module, program_host *host, const backend_options *o, diag *d) {
  (void)host;
  (void)d;
  arena *a = arena_create();
  place(a, module, o);
  arena_destroy(a);
  return STATUS_OK;
}

static void move(step_program *p, MlirValue value, uint64_t address, bool to_device) {
  program_manifest_place place = {
      .layout = "toy_rows", .address = address, .stride = -1, .memory_rows = -1, .order = PROGRAM_MANIFEST_NO_ORDER};
  text json = {0};
  program_manifest_write_place(&place, &json);
  step_writer_move(&p->steps, value, text_str(&json), to_device);
  text_free(&json);
}

/* The first operand, the second and the result follow one another from FIRST_ADDRESS on. */
static status execute(step_program *p, MlirOperation op, void *user) {
  compiler *c = user;
  ir_type type = ir_type_of(ir_result(op));
  int64_t rows, words;
  RETURN_IF_ERROR(program_host_set_rows(p->host, type.set, &rows));
  words = rows * type.dims[0];
  int64_t bytes = number_round_up(words * (int64_t)sizeof(float), TOY_ALIGN);
  uint64_t a = FIRST_ADDRESS, b = a + (uint64_t)bytes, out = b + (uint64_t)bytes;
  c->features = number_max(c->features, 3 * bytes);
  move(p, ir_operand(op, IR_IN(device, vadd, a)), a, true);
  move(p, ir_operand(op, IR_IN(device, vadd, b)), b, true);
  if (words) {
    toy_insn in = {.op = TOY_OP_add,
                   .add = {.count = (uint64_t)words, .a = a / TOY_ALIGN, .b = b / TOY_ALIGN, .out = out / TOY_ALIGN}};
    VEC_PUSH(p->arena, &c->code, in);
    step_writer_run(&p->steps, c->code.count - 1, c->code.count);
  }
  move(p, ir_result(op), out, false);
  return STATUS_OK;
}

static status write_code(arena *a, const compiler *c, image *out) {
  unsigned char *code = arena_alloc(a, c->code.count * TOY_INSN_BYTES + 1);
  for (size_t i = 0; i < c->code.count; i++)
    RETURN_IF_ERROR(isa_encode(&toy_isa, &c->code.items[i], code + i * TOY_INSN_BYTES));
  uint64_t end = FIRST_ADDRESS + (uint64_t)c->features;
  out->sections[IMAGE_FEATURES] = (image_section){.address = FIRST_ADDRESS, .size = (uint64_t)c->features};
  out->sections[IMAGE_TEXT] = (image_section){.address = end, .size = c->code.count * TOY_INSN_BYTES, .data = code};
  if (end + out->sections[IMAGE_TEXT].size <= (uint64_t)out->device.common.ddr_bytes) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported, "the model does not fit device '%s'", out->device.common.name);
}

static bool compile(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                    arena *a, image *out, program_manifest *manifest, double *seconds, status *error) {
  if (!strcmp(o->device.common.name, "broken")) { /* for the test of what gnnc does then */
    diag_report(d, (span){0}, DIAG_internal, "device 'broken' breaks a rule of the compiler");
    return false;
  }
  place(a, module, o);
  compiler c = {.features = 0};
  step_program p = step_program_begin(a, host, module, manifest, o->no_data || o->no_weights);
  *out = (image){.isa_major = TOY_MAJOR, .isa_minor = TOY_MINOR, .device = o->device, .compiler = "gnnc"};
  *error = step_program_walk(&p, execute, &c);
  if (!*error) *error = write_code(a, &c, out);
  if (!*error) *error = step_program_finish(&p, source_text, out);
  if (seconds) *seconds = 0;
  return !*error;
}

extern const backend toy_backend;
const backend toy_backend = {
    .name = "toy",
    .summary = "a machine that adds, for tests",
    .machine = &toy_machine,
    .add_passes = add_passes,
    .plan = plan,
    .compile = compile,
};
