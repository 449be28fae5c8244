/* Warns of weights that are NaN or infinite, so that a failed training is noticed before its
 * outputs are used.
 *
 *   gcn.gnn:4:10: warning: weight 'conv1.bias' is nan at [3] in w.safetensors   [not-finite]
 *
 * The compiler reads the values of weights only for this check; sizes come from the header. */
#include "tools/gnnc/gnnc_driver.h"

#include "data/convert.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Whether all values of an F32 tensor are finite. The exponents are tested as bits, which the C
 * compiler can vectorize. */
static bool is_finite_f32(const tensor *t) {
  uint32_t is_special = 0;
  for (int64_t i = 0; i < t->count; i++) {
    uint32_t bits;
    memcpy(&bits, t->data + (size_t)i * sizeof bits, sizeof bits);
    is_special |= (bits & 0x7F800000) == 0x7F800000;
  }
  return !is_special;
}

static int64_t count_special(const tensor *t, int64_t *first) {
  int64_t count = 0;
  for (int64_t i = 0; i < t->count; i++)
    if (!isfinite(convert_element_f64(t, i)) && !count++) *first = i;
  return count;
}

/* "[2, 7]" */
static const char *index_text(arena *a, const tensor *t, int64_t at) {
  int64_t index[TENSOR_MAX_RANK] = {0};
  for (int32_t d = t->rank - 1; d >= 0; d--) {
    index[d] = at % t->dims[d];
    at /= t->dims[d];
  }
  text out = {0};
  text_append(&out, "[");
  for (int32_t d = 0; d < t->rank; d++) text_printf(&out, "%s%" PRId64, d ? ", " : "", index[d]);
  text_append(&out, "]");
  return text_keep(&out, a);
}

static void check(gnnc_driver *r, const flat_value *v) {
  const tensor *t = tensor_set_find(r->files.weights, v->from);
  int64_t first = 0;
  if (!t || dtype_get_class(t->dtype) != DTYPE_CLASS_float || (t->dtype == DTYPE_F32 && is_finite_f32(t))) return;
  int64_t count = count_special(t, &first);
  if (!count) return;
  const char *more =
      count > 1 ? arena_printf(r->arena, " and %" PRId64 " other%s", count - 1, count > 2 ? "s" : "") : "";
  diag_report(r->diag, v->span, DIAG_not_finite, "%s '%s' is %g at %s%s in %s",
              v->op == FLAT_weight ? "weight" : "input", v->from, convert_element_f64(t, first),
              index_text(r->arena, t, first), more, r->options.weights);
}

void gnnc_check_weights(gnnc_driver *r) {
  if (!r->files.weights) return;
  for (size_t i = 0; i < r->flat->values.count; i++) {
    const flat_value *v = r->flat->values.items[i];
    if (v->op == FLAT_weight || (v->op == FLAT_input && v->from_weights)) check(r, v);
  }
}
