/* Values that consist of elements of another value. */
#ifndef GNNC_FRONTEND_SEMA_SEMA_VIEW_H
#define GNNC_FRONTEND_SEMA_SEMA_VIEW_H

#include "frontend/sema/sema_state.h"

/* Fills in the row-major strides of a shape: [4, 8] has [8, 1]. */
void sema_strides(sema *s, flat_type type, dim *out);
/* The view with the shape of `type`: its element i, j, ... is element begin + i * strides[0] + j *
 * strides[1] + ... of the value. The value itself where that is the same. */
flat_id sema_view(sema *s, flat_id value, flat_type type, const dim *strides, dim begin, span where);
/* Elements first .. first + width - 1 of one dimension. */
flat_id sema_slice(sema *s, flat_id value, unsigned axis, dim first, dim width, span where);
/* Dimension i of the result is dimension order[i] of the value. */
flat_id sema_permute(sema *s, flat_id value, const unsigned *order, span where);
flat_id sema_reshape(sema *s, flat_id value, flat_type type, span where);

#endif
