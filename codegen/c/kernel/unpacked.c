/* Weights that only products read are packed directly from the caller's memory; the bound block has
 * no copy besides the packed form.
 *
 *   once_W(weights->W, W); ... pack_matrix(1433, 16, (const real *)(block + l.slot_0), 0, packed);      W transposed
 *   becomes    pack_matrix(1433, 16, weights->W, 1, packed); */
#include "codegen/c/kernel/unpacked.h"

/* The slot of the bound block that holds a parameter; -1 for others. */
static int slot_of(const c_parameter *p) {
  return p->buffer && p->buffer->space == C_SPACE_bound ? p->buffer->slot : -1;
}

/* Counts how many parameters use each slot; a slot with one use is only copied to. */
static void count_uses(const c_kernels *kernels, int *uses) {
  for (size_t i = 0; i < kernels->count; i++)
    for (size_t j = 0; j < kernels->items[i].parameter_count; j++) {
      int slot = slot_of(&kernels->items[i].parameters[j]);
      if (slot >= 0) uses[slot]++;
    }
}

/* Whether a kernel copies whole values, each as it is or transposed. */
static bool is_copy(const c_kernel *kernel, bool *is_transposed) {
  *is_transposed = false;
  if (ir_op_kind(kernel->op) == IR_OP(intra, copy)) return true;
  if (ir_op_kind(kernel->op) != IR_OP(intra, traverse)) return false;
  int loads = 0, transposes = 0, stores = 0;
  IR_FOR_EACH_OP(op, ir_region_block(kernel->op)) {
    ir_op kind = ir_op_kind(op);
    loads += kind == IR_OP(intra, load);
    transposes += kind == IR_OP(gnn, transpose);
    stores += kind == IR_OP(intra, store);
    if (kind != IR_OP(intra, load) && kind != IR_OP(gnn, transpose) && kind != IR_OP(intra, store) &&
        !mlirOperationIsNull(mlirOperationGetNextInBlock(op)))
      return false;
  }
  *is_transposed = transposes == 1;
  return loads == 1 && stores == 1 && transposes <= 1;
}

/* The weight that a kernel copies to a slot of the bound block; NULL for other kernels. */
static const c_buffer *copied_weight(const c_kernel *kernel, int *slot, bool *is_transposed) {
  if (kernel->parameter_count != 2 || !is_copy(kernel, is_transposed)) return NULL;
  const c_buffer *weight = NULL, *copy = NULL;
  for (size_t j = 0; j < 2; j++) {
    const c_parameter *p = &kernel->parameters[j];
    if (slot_of(p) >= 0 && p->is_written) copy = p->buffer;
    if (p->buffer && p->buffer->space == C_SPACE_weight) weight = p->buffer;
  }
  if (!weight || !copy || weight->rows != copy->rows || weight->count < copy->count) return NULL;
  *slot = copy->slot;
  return weight;
}

/* Makes the products that would read the slot pack the weight itself. */
static void pack_from_weight(c_model *m, int slot, const c_buffer *weight, bool is_transposed) {
  m->bound.items[slot].is_left_out = true;
  for (size_t i = 0; i < m->packed.count; i++) {
    c_packed *p = m->packed.items[i];
    if (p->space != C_SPACE_bound || p->slot != slot) continue;
    p->weight = weight;
    p->transposed ^= is_transposed;
  }
}

void c_unpacked_leave_out(c_model *m, const c_kernels *kernels, size_t count) {
  if (m->options->is_f64) return; /* weights are float, but matrices double */
  int *uses = arena_alloc_array(m->arena, m->bound.count + 1, sizeof *uses);
  for (size_t p = 0; p < count; p++) count_uses(&kernels[p], uses);
  for (size_t p = 0; p < count; p++) {
    if (!kernels[p].phase->row->fills_bound) continue;
    for (size_t i = 0; i < kernels[p].count; i++) {
      c_kernel *kernel = &kernels[p].items[i];
      int slot = -1;
      bool is_transposed;
      const c_buffer *weight = copied_weight(kernel, &slot, &is_transposed);
      if (!weight || uses[slot] != 1) continue;
      kernel->is_left_out = true;
      pack_from_weight(m, slot, weight, is_transposed);
    }
  }
}
