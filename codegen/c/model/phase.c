/* Phases of one model: see phase.h. */
#include "codegen/c/model/phase.h"

const c_buffer *c_phase_buffer(const c_phase *phase, MlirValue value) {
  int64_t place = map_get(&phase->places, value.ptr, -1);
  return place < 0 ? NULL : &phase->buffers.items[place];
}
