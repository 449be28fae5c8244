/* Layouts of tensors in the memory of a device. A manifest names a layout, {"layout": "fibers"};
 * each is a row of layouts.def and a constant of type layout. */
#ifndef GNNC_RUNTIME_LAYOUT_H
#define GNNC_RUNTIME_LAYOUT_H

#include "isa/machine.h"

/* A tensor of rows x width fp32 numbers in the memory of a device. A layout divides it into one or
 * several parts with an address each. */
typedef struct layout_tensor {
  const device *device;
  int64_t rows, width;
  int64_t stride;       /* for layouts with has_stride: rows of memory from one fiber to the next */
  const int32_t *order; /* [rows] the user's index of each row; NULL: the same */
} layout_tensor;

typedef struct layout {
  const char *name;
  const machine *machine; /* the machine of the memory; its device describes the memory */
  bool has_stride;        /* manifests have a "stride" of at least `rows` */
  /* Returns the number of parts, at most `width`. */
  int64_t (*count_parts)(const layout_tensor *t);
  /* Computes the bytes of one part; fails if they exceed the memory of the device. */
  status (*part_bytes)(const layout_tensor *t, uint64_t *bytes);
  /* Copies between a part in `memory` and dense rows of the user, fp32 [.., width] in the user's
   * order. */
  void (*move)(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device);
} layout;

#define LAYOUT(name) extern const layout layout_##name;
#include "runtime/layouts.def"
#undef LAYOUT

/* All layouts; the last entry is NULL. */
extern const layout *const layout_table[];
/* Returns the layout of that name, or NULL. */
const layout *layout_find(const char *name);

#endif
