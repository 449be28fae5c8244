/* Remarks of -Rpass=place: where each operation runs, in which form, and what the other forms would
 * cost. */
#include "codegen/fusedgcn/program.h"

#include "codegen/device/steps/place.h"

#include <inttypes.h>

static void remark_device(const fusedgcn_program *p, diag *d, const fusedgcn_operation *o) {
  text t = {0};
  text_printf(&t, "%s runs on the device: %s, ", step_operation_name(o->op), fusedgcn_form_name(o->form));
  if (o->sparse) text_printf(&t, "%" PRId64 " non-zero%s, ", o->sparse->m.count, o->sparse->m.count == 1 ? "" : "s");
  text_printf(&t, "%" PRId64 " columns, %" PRIu64 " cycles", operand_width(ir_result(o->op)), o->cycles[o->form]);
  for (int f = 0; f < FUSEDGCN_FORMS; f++)
    if (o->cycles[f] && f != (int)o->form)
      text_printf(&t, "; %s would take %" PRIu64, fusedgcn_form_name((fusedgcn_form)f), o->cycles[f]);
  place_remark(p->arena, d, o->op, "%s", text_str(&t));
  text_free(&t);
}

void fusedgcn_remark(const fusedgcn_program *p, diag *d) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (!place_is_step(op)) continue;
    int64_t number = map_get(&p->operation_of, op.ptr, 0);
    const char *refused = number ? NULL : fusedgcn_refuse(op, p->host);
    if (number)
      remark_device(p, d, &p->operations.items[number - 1]);
    else
      place_remark(p->arena, d, op, "%s runs on the host: %s", step_operation_name(op),
                   refused ? refused : "as --host says");
  }
}
