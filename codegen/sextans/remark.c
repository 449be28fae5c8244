/* Remarks of -Rpass=place: where each operation runs, in which form, and why. */
#include "codegen/sextans/program.h"

#include "codegen/device/steps/place.h"

#include "isa/sextans/timing.h"

#include <inttypes.h>

static const char *form_of(const sextans_operation *o) {
  switch (o->form) {
  case SEXTANS_FORM_list: return "A is the edge list";
  case SEXTANS_FORM_values: return "A is the edge list, the host writes the values of edges";
  case SEXTANS_FORM_rows: return o->source_row ? "A is the rows, which are read through a copy" : "A is the rows";
  case SEXTANS_FORM_weights: return "A is the weights, transposed";
  }
  return "";
}

static void remark_device(const sextans_program *p, diag *d, const sextans_operation *o) {
  const sextans_lists *l = &o->lists->blocks[0];
  int64_t count = 0, slots = 0, ideal = 0, extra = 0, launches = o->heads * o->lists->num_blocks;
  uint64_t cycles = 0;
  for (int64_t i = 0; i < o->lists->num_blocks; i++) {
    count += l[i].count;
    slots += l[i].slots;
    ideal += l[i].ideal;
    extra += l[i].extra_rows;
    cycles += (uint64_t)o->heads * sextans_launch_cycles(&p->device->sextans, l[i].rows, l[i].cols,
                                                         o->columns / o->heads, l[i].windows, l[i].q);
  }
  text t = {0};
  text_printf(&t,
              "%s runs on the device: %s, %" PRId64 " non-zeros in %" PRId64 " slot%s (ideal %" PRId64 "), %" PRId64
              " columns, ",
              step_operation_name(o->op), form_of(o), count, slots, slots == 1 ? "" : "s", ideal, o->columns);
  text_printf(&t, "%" PRId64 " launch%s, %" PRIu64 " cycles", launches, launches == 1 ? "" : "es", cycles);
  if (extra)
    text_printf(&t, "; %" PRId64 " more rows, pieces of those with over %" PRId64 " non-zeros in a window", extra,
                l->piece);
  if (o->other_cycles)
    text_printf(&t, "; %s would take %s%" PRIu64 " cycles",
                o->form == SEXTANS_FORM_rows ? "the weights as A" : "the rows as A",
                o->is_other_least ? "at least " : "", o->other_cycles);
  place_remark(p->arena, d, o->op, "%s", text_str(&t));
  text_free(&t);
}

/* The reason why the host executes an operation. */
static const char *reason(MlirOperation op, program_host *host) {
  const char *refused = sextans_refuse(op, host);
  return refused ? refused : "as --host says";
}

void sextans_remark(const sextans_program *p, diag *d) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (!place_is_step(op)) continue;
    int64_t number = map_get(&p->operation_of, op.ptr, 0);
    if (number)
      remark_device(p, d, &p->operations.items[number - 1]);
    else if (place_is_on_host(op))
      place_remark(p->arena, d, op, "%s runs on the host: %s", step_operation_name(op), reason(op, p->host));
    else
      place_remark(p->arena, d, op, "%s is not made: products read the rows that it copies", step_operation_name(op));
  }
}
