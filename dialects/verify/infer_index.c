/* Result types of operations that pick rows of a table by an index, and of their adjoint.
 *
 *   gnn.lookup(%t : f32[9, 4], %i : node i32) : node f32[4]
 *   gnn.sum_by(%g, %d : node f32[4], %i : node i32) {rows = 9} : f32[9, 4] */
#include "dialects/verify/infer_index.h"

#include <inttypes.h>
#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(gnn, op, name))

/* An attribute that bounds an index; false where it is not given. */
static bool find_bound(const infer *in, const char *name, int64_t *out) {
  MlirAttribute bound = infer_attribute(in, name);
  if (mlirAttributeIsNull(bound)) return false;
  *out = mlirIntegerAttrGetValueInt(bound);
  return true;
}

/* Checks that an index is one number, and that some row of the table is between its bounds; an f32
 * index, which no input check covers, needs bounds that are rows. */
static bool check_index(const infer *in, unsigned index, int64_t rows, const char *table) {
  int64_t low = 0, high = 0;
  bool has_low = find_bound(in, "low", &low), has_high = find_bound(in, "high", &high);
  bool is_number = !in->types[index].is_integer, is_known = !mlirShapedTypeIsDynamicSize(rows);
  if (in->types[index].rank)
    return infer_error(in, "index '%s' has %u dimension%s, expected one number", infer_name(in, index),
                       in->types[index].rank, in->types[index].rank == 1 ? "" : "s");
  if (has_low && has_high && low > high)
    return infer_error(in, "'low' is %" PRId64 ", which is more than 'high', %" PRId64, low, high);
  if (has_high && high < 0) return infer_error(in, "'high' is %" PRId64 ": no row is left", high);
  if (has_low && is_known && low >= rows)
    return infer_error(in, "'low' is %" PRId64 ", but '%s' has the rows 0 to %" PRId64, low, table, rows - 1);
  if (!is_number) return true;
  if (!has_low || !has_high) return infer_error(in, "an f32 index needs both bounds, 'low' and 'high'");
  if (low >= 0 && (!is_known || high < rows)) return true;
  return infer_error(in, "an f32 index from %" PRId64 " to %" PRId64 " is not in the rows 0 to %" PRId64 " of '%s'",
                     low, high, rows - 1, table);
}

bool infer_lookup(const infer *in, ir_type *result) {
  unsigned index = ARG(lookup, index);
  ir_type table = in->types[ARG(lookup, table)];
  if (!infer_check_rank(in, ARG(lookup, table), 1)) return false;
  *result = ir_type_with_payload(in->types[index], ir_type_plain(table.rank - 1, table.dims + 1));
  return check_index(in, index, table.dims[0], infer_name(in, ARG(lookup, table)));
}

/* Checks a second factor: it has the rows of the first operand, and both are vectors. */
static bool check_times(const infer *in, unsigned value, unsigned times) {
  ir_type a = in->types[value], b = in->types[times];
  if (b.kind != a.kind || strcmp(b.set, a.set) != 0)
    return infer_error(in, "'%s' and '%s' have different rows", infer_name(in, value), infer_name(in, times));
  return (a.rank == 1 && b.rank == 1) || infer_error(in, "an outer product is of two vectors");
}

bool infer_sum_by(const infer *in, ir_type *result) {
  unsigned value = ARG(sum_by, value), index = ARG(sum_by, index);
  ir_type row = in->types[value];
  int64_t rows = 0;
  find_bound(in, "rows", &rows);
  bool is_per = row.kind == IR_KIND_per && strcmp(row.set, "piece") != 0;
  if (row.kind != IR_KIND_node && row.kind != IR_KIND_edge && !is_per)
    return infer_error(in, "'%s' has no rows to add up", infer_name(in, value));
  if (in->types[index].kind != row.kind || strcmp(in->types[index].set, row.set) != 0)
    return infer_error(in, "'%s' and '%s' have different rows", infer_name(in, value), infer_name(in, index));
  if (rows < 1) return infer_error(in, "'rows' cannot be %" PRId64, rows);
  unsigned times = ARG(sum_by, times);
  bool has_times = !mlirValueIsNull(in->values[times]);
  if (has_times && !check_times(in, value, times)) return false;
  if (row.rank == IR_MAX_RANK) return infer_error(in, "a shape has at most %d dimensions", IR_MAX_RANK);
  int64_t dims[IR_MAX_RANK] = {rows, has_times ? in->types[times].dims[0] : 0};
  memcpy(dims + 1 + has_times, row.dims, row.rank * sizeof *dims);
  *result = ir_type_plain(row.rank + 1 + has_times, dims);
  return check_index(in, index, rows, "result");
}
