/* Buffers: see buffer.h. */
#include "codegen/c/model/buffer.h"

static const struct {
  const char *name, *fields; /* of the struct of the interface; NULL where users have none */
} spaces[C_SPACE_COUNT] = {[C_SPACE_input] = {"input", "inputs"},    [C_SPACE_weight] = {"weight", "weights"},
                           [C_SPACE_output] = {"output", "outputs"}, [C_SPACE_adjoint] = {"adjoint", "adjoints"},
                           [C_SPACE_update] = {"update", "updates"}, [C_SPACE_gradient] = {"gradient", "gradients"},
                           [C_SPACE_bound] = {"bound", NULL},        [C_SPACE_workspace] = {"workspace", NULL}};

const char *c_space_name(c_space space) {
  return spaces[space].name;
}

const char *c_space_struct(c_space space) {
  return spaces[space].fields;
}

const char *c_space_type(c_space space) {
  return space == C_SPACE_gradient ? "gradients_out" : spaces[space].fields; /* M_gradients is a function */
}

bool c_buffer_is_user(const c_buffer *b) {
  return b->space < C_SPACE_bound;
}

bool c_buffer_is_float(const c_buffer *b) {
  return (b->is_given || c_buffer_is_user(b)) && !b->type.is_integer;
}

const char *c_buffer_type(const c_buffer *b) {
  if (b->type.is_integer) return "int32_t";
  if (b->is_bf16) return "bf16";
  return b->is_given || c_buffer_is_user(b) ? "float" : "real";
}

bool c_buffer_shares(const c_buffer *a, const c_buffer *b) {
  return a != b && !c_buffer_is_user(a) && a->space == b->space && a->slot == b->slot;
}
