/* Remarks of -Rpass=place: where each operation runs, as which layers, and what the other way would
 * cost. */
#include "codegen/agile/program.h"

#include "codegen/device/steps/place.h"

#include <inttypes.h>

static void remark_device(const agile_program *p, diag *d, const agile_operation *o) {
  text t = {0};
  text_printf(&t, "%s runs on the device: %s, ", step_operation_name(o->op), agile_mapping_name(o->mapping));
  text_printf(&t, "%" PRId64 " neighbour%s, %" PRId64 " columns, about %" PRIu64 " cycles", o->m->count,
              o->m->count == 1 ? "" : "s", operand_width(ir_result(o->op)), o->cycles[o->mapping]);
  for (int i = 0; i < AGILE_MAPPINGS; i++)
    if (o->cycles[i] && i != (int)o->mapping)
      text_printf(&t, "; %s would take about %" PRIu64, agile_mapping_name((agile_mapping)i), o->cycles[i]);
  place_remark(p->arena, d, o->op, "%s", text_str(&t));
  text_free(&t);
}

void agile_remark(const agile_program *p, diag *d) {
  IR_FOR_EACH_OP(op, ir_func_body(p->steps->function)) {
    if (!place_is_step(op)) continue;
    int64_t number = map_get(&p->operation_of, op.ptr, 0);
    const char *refused = number ? NULL : agile_refuse(op, p->host, agile_device_of(p));
    if (number)
      remark_device(p, d, &p->operations.items[number - 1]);
    else
      place_remark(p->arena, d, op, "%s runs on the host: %s", step_operation_name(op),
                   refused ? refused : "as --host says");
  }
}
