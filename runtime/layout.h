/* Layouts of tensors in the memory of a device. A manifest names a layout, {"layout": "fibers"};
 * each is a row of layouts.def and a constant of type layout. */
#ifndef GNNC_RUNTIME_LAYOUT_H
#define GNNC_RUNTIME_LAYOUT_H

#include "isa/machine.h"

/* A tensor of rows x width fp32 numbers in the memory of a device. A layout divides it into one or
 * several parts with an address each.
 *
 * For layouts that fold, the memory has rows of its own: row r of the memory is row, column or
 * number order[r] of the tensor, or none where that is -1. Several rows of the memory may be the
 * same one of the tensor. */
typedef struct layout_tensor {
  const device *device;
  int64_t rows, width;
  int64_t stride;        /* for layouts with has_stride: rows of memory from one fiber to the next */
  const int32_t *order;  /* [rows] the user's index of each row; NULL: the same */
  int64_t memory_rows;   /* for layouts that fold: rows of memory, as many as `order` has numbers */
  const bool *is_repeat; /* [memory_rows] whether an earlier row of memory is the same one of the tensor; NULL: none */
  int64_t repeats;       /* how many are */
} layout_tensor;

/* The dimension of a tensor that the rows of memory are. */
typedef enum layout_axis { LAYOUT_ROWS, LAYOUT_COLUMNS, LAYOUT_NUMBERS } layout_axis;

typedef struct layout {
  const char *name;
  const machine *machine; /* the machine of the memory; its device describes the memory */
  bool has_stride;        /* manifests have a "stride", of at least `rows` unless the layout folds */
  bool folds;             /* manifests have "rows", those of memory, and "order" is no permutation */
  layout_axis axis;       /* for layouts that fold */
  bool fills_weights;     /* rows may go to section .weights, where they fill in numbers */
  int64_t alignment;      /* of addresses in bytes; 0: 4 */
  int64_t number_bytes;   /* of a number that moves over the link; 0: 4 */
  /* Returns the number of parts, at most `width`. */
  int64_t (*count_parts)(const layout_tensor *t);
  /* Computes the bytes of one part; fails if they exceed the memory of the device, or if the tensor
   * does not fit its stride. */
  status (*part_bytes)(const layout_tensor *t, uint64_t *bytes);
  /* Checks before each move that the contents of memory fit the tensor; NULL: any do. */
  status (*check_memory)(const layout_tensor *t, const void *memory);
  /* Copies between a part in `memory` and dense rows of the user, fp32 [.., width] in the user's
   * order. Layouts that fold write 0 to rows of memory that are none of the tensor; from the device
   * they find zeros in `user`, and add each row of memory that is_repeat. */
  void (*move)(const layout_tensor *t, int64_t part, void *memory, float *user, bool to_device);
} layout;

#define LAYOUT(name) extern const layout layout_##name;
#include "runtime/layouts.def"
#undef LAYOUT

/* Returns how many rows, columns or numbers of the tensor the rows of memory may be. */
static inline int64_t layout_axis_count(const layout *l, const layout_tensor *t) {
  return l->axis == LAYOUT_ROWS ? t->rows : l->axis == LAYOUT_COLUMNS ? t->width : t->rows * t->width;
}

/* Returns the numbers of a row of memory of a layout that folds. */
static inline int64_t layout_row_numbers(const layout *l, const layout_tensor *t) {
  return l->axis == LAYOUT_ROWS ? t->width : l->axis == LAYOUT_COLUMNS ? t->rows : 1;
}

/* All layouts; the last entry is NULL. */
extern const layout *const layout_table[];
/* Returns the layout of that name, or NULL. */
const layout *layout_find(const char *name);

#endif
