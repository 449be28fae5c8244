/* Checks intra.contract and intra.sum_by: their rows, where their operands are read, and which sums they make.
 *
 * Both have their graph first, then two operands with the rows that are added up, then the sums. */
#include "dialects/verify/verify.h"

#include <string.h>

#define ARG(name) ((unsigned)IR_IN(intra, contract, name))

_Static_assert(ARG(a) == IR_IN(intra, sum_by, value) && ARG(b) == IR_IN(intra, sum_by, index) &&
                   ARG(to) == IR_IN(intra, sum_by, to),
               "operands have the same places");

static bool is_sum_by(const infer *in) {
  return in->op == IR_OP(intra, sum_by);
}

/* "edge:g": the rows of a set. */
static const char *rows_named(const infer *in, const char *kind, const char *set) {
  text rows = {0};
  text_printf(&rows, "%s%s", kind, set);
  const char *interned = ir_intern(in->context, text_str(&rows));
  text_free(&rows);
  return interned;
}

static bool has_a(const infer *in) {
  return !mlirValueIsNull(in->values[ARG(a)]);
}

static const char *gather_of(const infer *in, unsigned operand) {
  static const char *const names[2][2] = {{"gather_a", "gather_b"}, {"gather_value", "gather_index"}};
  const char *gather = infer_string(in, names[is_sum_by(in)][operand - ARG(a)]);
  return *gather ? gather : "none";
}

static bool is_gathered(const infer *in, unsigned operand) {
  return strcmp(gather_of(in, operand), "none") != 0;
}

/* The rows that are added up, as those of a buffer. */
static const char *rows_of(const infer *in) {
  bool are_edges = is_gathered(in, ARG(b)) || (has_a(in) && is_gathered(in, ARG(a)));
  if (!are_edges) return in->types[ARG(b)].set;
  return rows_named(in, "edge:", in->types[ARG(graph)].set);
}

/* Whether rows are types, pairs of types, or graphs of a batch. */
static bool is_per_type(const char *rows) {
  static const char *const kinds[] = {"graph", "etype", "ntype", "etype_src", "etype_dst"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!strcmp(rows, kinds[i])) return true;
  return false;
}

/* Checks that the graph has the rows. */
static bool verify_graph(const infer *in, const char *rows) {
  const char *set = in->types[ARG(graph)].set, *nodes = ir_node_set(in->context, set);
  bool is_edge = !strncmp(rows, "edge:", 5), is_node = !strncmp(rows, "node:", 5);
  if (is_per_type(rows)) return true;
  if (!is_edge && !is_node)
    return infer_error(in, "buffer '%s' has rows '%s', of which there are no sums", infer_name(in, ARG(b)), rows);
  const char *whole = is_node ? ir_whole_set(in->context, rows + 5) : NULL;
  if (!strcmp(whole ? whole : rows + 5, is_edge ? set : nodes)) return true;
  return infer_error(in, "buffer '%s' has rows '%s', which are not those of graph '%s'", infer_name(in, ARG(b)), rows,
                     set);
}

/* The rows that an operand must have. */
static const char *expected_rows(const infer *in, unsigned operand, const char *rows) {
  const char *gather = gather_of(in, operand), *set = in->types[ARG(graph)].set;
  if (!strncmp(gather, "group_", 6)) return rows_named(in, "edge:", ir_unique_set(in->context, set, gather + 6));
  if (is_gathered(in, operand)) return rows_named(in, "node:", ir_node_set(in->context, set));
  bool is_sparse = operand == ARG(a) && !is_sum_by(in) && !strncmp(in->types[operand].set, "nonzero:", 8);
  if (is_sparse && !strncmp(rows, "node:", 5)) return rows_named(in, "nonzero:", rows + 5);
  return rows;
}

static bool verify_operand(const infer *in, unsigned operand, const char *rows) {
  const char *end = ir_unique_end(in->types[ARG(graph)].set), *gather = gather_of(in, operand);
  bool is_end = !strcmp(gather, "src") || !strcmp(gather, "dst");
  if (end && is_end && strcmp(end, gather) != 0)
    return infer_error(in, "the edges of '%s' have no %s", in->types[ARG(graph)].set, gather);
  const char *wanted = expected_rows(in, operand, rows);
  return !strcmp(in->types[operand].set, wanted) ||
         infer_error(in, "buffer '%s' has rows '%s', but '%s' are added up", infer_name(in, operand),
                     in->types[operand].set, wanted);
}

/* Checks the second factor of sums by an index: it is read at the rows. */
static bool verify_times(const infer *in, const char *rows) {
  unsigned times = IR_IN(intra, sum_by, times);
  if (!is_sum_by(in) || mlirValueIsNull(in->values[times]) || !strcmp(in->types[times].set, rows)) return true;
  return infer_error(in, "buffer '%s' has rows '%s', but '%s' are added up", infer_name(in, times),
                     in->types[times].set, rows);
}

/* Checks that every row has one of the types for which there are sums. */
static bool verify_types(const infer *in, const char *rows) {
  const char *per = in->types[ARG(to)].set;
  if (!strcmp(per, "one")) return true;
  if (is_per_type(rows))
    return infer_error(in, "buffer '%s' has rows '%s', of which rows '%s' have none", infer_name(in, ARG(to)), per,
                       rows);
  bool is_edge = !strncmp(rows, "edge:", 5);
  const char *end = is_edge ? ir_unique_end(rows + 5) : NULL;
  bool fits = is_edge ? !strncmp(per, "etype", 5) : !strcmp(per, "ntype");
  if (fits && end && per[5] == '_') fits = !strcmp(per + 6, end);
  return fits ||
         infer_error(in, "buffer '%s' has rows '%s', of which rows '%s' have none", infer_name(in, ARG(to)), per, rows);
}

/* The payload of the sums; false where the operands do not fit together. */
static bool find_payload(const infer *in, ir_type *payload) {
  ir_type y = in->types[ARG(b)];
  *payload = ir_type_payload(y);
  if (!has_a(in)) return true;
  ir_type x = in->types[ARG(a)];
  bool is_batch = !mlirAttributeIsNull(infer_attribute(in, "batch"));
  bool fits = x.rank >= 1 && x.rank == y.rank && (!is_batch || (x.rank >= 2 && x.rank < IR_MAX_RANK));
  for (unsigned i = 0; fits && i + 1 < x.rank; i++) fits = infer_same_dim(x.dims[i], y.dims[i]);
  if (!fits) return false;
  unsigned kept = is_batch ? x.rank - 1 : 0;
  payload->rank = kept + 2;
  payload->dims[kept] = x.dims[x.rank - 1];
  payload->dims[kept + 1] = y.dims[y.rank - 1];
  return true;
}

/* Of sums by an index there is one for each row of the result, of the rows of 'value' or of their outer products. */
static bool verify_sums(const infer *in) {
  unsigned times = IR_IN(intra, sum_by, times);
  ir_type value = in->types[ARG(a)], sums = in->types[ARG(to)];
  if (!mlirValueIsNull(in->values[times])) {
    ir_type factor = in->types[times];
    if (factor.rank != 1 || value.rank != 1) return infer_error(in, "an outer product is of two vectors");
    value.dims[1] = value.dims[0];
    value.dims[0] = factor.dims[0];
    value.rank = 2;
  }
  bool fits = !strcmp(sums.set, "one") && !in->types[ARG(b)].rank && sums.rank == value.rank + 1;
  for (unsigned i = 0; fits && i < value.rank; i++) fits = infer_same_dim(value.dims[i], sums.dims[i + 1]);
  return fits || infer_error(in, "buffer '%s' has no room for sums of rows of '%s'", infer_name(in, ARG(to)),
                             infer_name(in, ARG(a)));
}

static bool verify_shapes(const infer *in) {
  if (is_sum_by(in)) return verify_sums(in);
  ir_type payload;
  if (find_payload(in, &payload) && infer_same_payload(payload, ir_type_payload(in->types[ARG(to)]))) return true;
  text x = {0}, y = {0}, z = {0};
  if (has_a(in)) ir_type_print(&x, ir_type_payload(in->types[ARG(a)]));
  ir_type_print(&y, ir_type_payload(in->types[ARG(b)]));
  ir_type_print(&z, ir_type_payload(in->types[ARG(to)]));
  infer_error(in, "rows of %s%s%s do not add up to %s", text_str(&x), has_a(in) ? " and " : "", text_str(&y),
              text_str(&z));
  text_free(&x);
  text_free(&y);
  text_free(&z);
  return false;
}

bool verify_contract(const infer *in) {
  const char *rows = rows_of(in);
  return verify_graph(in, rows) && (!has_a(in) || verify_operand(in, ARG(a), rows)) &&
         verify_operand(in, ARG(b), rows) && verify_times(in, rows) && verify_types(in, rows) && verify_shapes(in);
}
