/* How rows of numbers lie in the memory of a device. Manifests name layouts: {"layout": "fibers"};
 * each is a row of layouts.def and a constant of this type. */
#ifndef GNNC_RUNTIME_LAYOUT_H
#define GNNC_RUNTIME_LAYOUT_H

#include "isa/machine.h"

/* Rows x width numbers, and where they are: `parts` stretches of memory. */
typedef struct layout_tensor {
  const device *device;
  int64_t rows, width;
  int64_t stride;       /* of the layout: rows of memory from one part of a row to the next */
  const int32_t *order; /* [rows] index of each row among the user's, NULL: the same */
} layout_tensor;

typedef struct layout {
  const char *name;
  const machine *machine; /* whose memory it is for: its device says where numbers lie */
  bool has_stride;        /* manifests say it, at least `rows` */
  /* How many stretches of memory there are, each with an address of its own; `width` at most. */
  int64_t (*count_parts)(const layout_tensor *t);
  /* Bytes of one stretch; fails where they are more than the device's memory. */
  status (*part_bytes)(const layout_tensor *t, uint64_t *bytes);
  /* Between a stretch and dense rows of the user, [.., width] in the user's order. */
  void (*move)(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device);
} layout;

#define LAYOUT(name) extern const layout layout_##name;
#include "runtime/layouts.def"
#undef LAYOUT

/* All layouts, ended by NULL. */
extern const layout *const layout_table[];
/* NULL for an unknown name. */
const layout *layout_find(const char *name);

#endif
