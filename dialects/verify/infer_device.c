/* Result types of the device level: the sets of rows that an edge list connects, and the widths of
 * results. */
#include "dialects/verify/infer.h"

#include <inttypes.h>
#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(device, op, name))

static bool has(const infer *in, unsigned operand) {
  return !mlirValueIsNull(in->values[operand]);
}

static int64_t integer_of(const infer *in, const char *name) {
  MlirAttribute a = infer_attribute(in, name);
  return mlirAttributeIsNull(a) ? 0 : mlirIntegerAttrGetValueInt(a);
}

/* Reports "'h' is rows of 'g', 16 wide, but <what is wanted>". */
static bool wrong(const infer *in, unsigned operand, const char *wanted, ir_type type) {
  text found = {0}, expected = {0};
  ir_type_print(&found, in->types[operand]);
  if (type.set) ir_type_print(&expected, type);
  infer_error(in, "'%s' is %s, but %s%s", infer_name(in, operand), text_str(&found), wanted, text_str(&expected));
  text_free(&found);
  text_free(&expected);
  return false;
}

/* ---- edge lists ---- */

/* The sets at both ends of an edge list that are not the nodes or edges of 'of'. */
typedef struct ends {
  const char *from, *to;
} ends;

/* Edge lists between the rows of pairs and those from which the pairs were made. */
static bool infer_pairs(const infer *in, const char *kind, ends *e) {
  const char *set = in->types[0].set, *nodes = ir_node_set(in->context, set);
  unsigned pairs = ARG(edges, pairs);
  const char *end = ir_unique_end(in->types[pairs].set), *base = ir_base_set(in->context, in->types[pairs].set);
  if (!end || !base || strcmp(base, set) != 0)
    return infer_error(in, "graph '%s' has not the pairs of '%s'", infer_name(in, pairs), set);
  const char *rows = ir_edge_rows(in->context, in->types[pairs].set), *edges = ir_edge_rows(in->context, set);
  const char *wanted = ir_choice_has("in|collapse_dst", kind)    ? "src"
                       : ir_choice_has("out|collapse_src", kind) ? "dst"
                                                                 : end;
  if (strcmp(wanted, end) != 0)
    return infer_error(in, "an edge list of kind '%s' takes pairs of type and %s", kind,
                       !strcmp(wanted, "src") ? "source" : "destination");
  if (ir_choice_has("in|out", kind))
    *e = (ends){rows, nodes};
  else if (!strcmp(kind, "expand"))
    *e = (ends){rows, edges};
  else if (!strcmp(kind, "collapse"))
    *e = (ends){edges, rows};
  else if (ir_choice_has("collapse_src|collapse_dst", kind))
    *e = (ends){nodes, rows};
  else
    return infer_error(in, "an edge list of kind '%s' takes no pairs", kind);
  return true;
}

/* Edge lists from tables with one row for each element of 'per'. */
static bool infer_table(const infer *in, const char *kind, ends *e) {
  const char *per = infer_string(in, "per");
  if (!*per) return infer_error(in, "an edge list of kind '%s' needs 'per'", kind);
  bool by_edge = !strcmp(kind, "type_edge");
  if (by_edge != !strncmp(per, "etype", 5) || !strcmp(per, "graph"))
    return infer_error(in, "an edge list of kind '%s' does not start at rows per %s", kind, per);
  const char *set = in->types[0].set;
  *e = (ends){per, by_edge ? ir_edge_rows(in->context, set) : ir_node_set(in->context, set)};
  return true;
}

static bool infer_graph_relation(const infer *in, const char *kind, ends *e) {
  const char *set = in->types[0].set, *nodes = ir_node_set(in->context, set), *edges = ir_edge_rows(in->context, set);
  if (ir_choice_has("in|out|others", kind))
    *e = (ends){nodes, nodes};
  else if (ir_choice_has("gather_src|gather_dst", kind))
    *e = (ends){nodes, edges};
  else if (ir_choice_has("scatter_src|scatter_dst", kind))
    *e = (ends){edges, nodes};
  else if (ir_choice_has("pool", kind))
    *e = (ends){nodes, "graph"};
  else if (ir_choice_has("unpool", kind))
    *e = (ends){"graph", nodes};
  else if (ir_choice_has("part", kind))
    *e = (ends){nodes, ir_part_set(in->context, nodes, integer_of(in, "type"))};
  else if (ir_choice_has("unite", kind))
    *e = (ends){ir_part_set(in->context, nodes, integer_of(in, "type")), nodes};
  else if (ir_choice_has("extend", kind))
    *e = (ends){ir_base_set(in->context, set), edges};
  else if (ir_choice_has("opposite", kind))
    *e = (ends){edges, edges};
  else if (ir_choice_has("type_edge|type_node", kind))
    return infer_table(in, kind, e);
  else if (!strcmp(kind, "broadcast"))
    *e = (ends){"one", infer_string(in, "to")};
  else if (!strcmp(kind, "total"))
    *e = (ends){nodes, "one"};
  else
    return infer_error(in, "an edge list of kind '%s' needs 'pairs'", kind);
  if (!e->from || !*e->to)
    return infer_error(in,
                       !e->from ? "graph '%s' was not made by gnn.edge_set"
                                : "an edge list of kind 'broadcast' of '%s' needs 'to'",
                       infer_name(in, 0));
  if (!strcmp(kind, "extend")) e->from = ir_edge_rows(in->context, e->from);
  return true;
}

static bool check_relation_weight(const infer *in, const char *kind) {
  unsigned weight = ARG(edges, weight);
  if (!has(in, weight)) return true;
  ir_type w = in->types[weight];
  if (!ir_choice_has("in|out|gather_src|gather_dst|scatter_src|scatter_dst|collapse|collapse_src|collapse_dst", kind))
    return infer_error(in, "an edge list of kind '%s' takes no weight", kind);
  if (ir_type_elements(w) == 1 && w.kind == IR_KIND_edge && !strcmp(w.set, in->types[0].set)) return true;
  text found = {0};
  ir_type_print(&found, w);
  infer_error(in, "'%s' is %s, but the weight of an edge list is one number per edge of '%s'", infer_name(in, weight),
              text_str(&found), in->types[0].set);
  text_free(&found);
  return false;
}

static bool infer_relation(const infer *in, ir_type *result) {
  const char *kind = infer_string(in, "kind");
  ends e = {"columns", in->types[0].set};
  bool is_sparse = in->types[0].kind == IR_KIND_sparse;
  if (!is_sparse && in->types[0].kind != IR_KIND_graph) return wrong(in, 0, "an edge list is of a graph", (ir_type){0});
  if (is_sparse != !strcmp(kind, "nonzeros"))
    return infer_error(in, is_sparse ? "sparse features have no edge list but 'nonzeros'"
                                     : "'nonzeros' is an edge list of sparse features");
  bool good =
      is_sparse || (has(in, ARG(edges, pairs)) ? infer_pairs(in, kind, &e) : infer_graph_relation(in, kind, &e));
  *result = ir_type_edge_list(e.from, e.to);
  return good && check_relation_weight(in, kind);
}

/* ---- values of the gnn level ---- */

static bool infer_rows_of(const infer *in, ir_type *result) {
  ir_type x = in->types[0];
  const char *set = in->op == IR_OP(device, constant) ? infer_string(in, "set") : "";
  int64_t width = ir_type_elements(x);
  if (*set) {
    if (x.kind != IR_KIND_plain || !x.rank)
      return infer_error(in, "'set' makes rows of a plain tensor; '%s' is none", infer_name(in, 0));
    *result = ir_type_rows(set, width / x.dims[0]);
    return true;
  }
  if (x.kind == IR_KIND_edge)
    set = ir_edge_rows(in->context, x.set);
  else
    set = x.kind == IR_KIND_plain ? "one" : x.set;
  *result = ir_type_rows(set, width);
  return true;
}

static bool infer_constant_values(const infer *in, ir_type *result) {
  ir_type r = in->types[ARG(constant_values, edges)];
  *result = ir_type_values(r.set, r.detail, ir_type_elements(in->types[ARG(constant_values, x)]));
  return true;
}

/* The shape of an output is that of the model; it is an attribute and not inferred. */
static bool infer_output(const infer *in, ir_type *result) {
  ir_type x = in->types[0];
  if (x.kind != IR_KIND_rows && x.kind != IR_KIND_values)
    return wrong(in, 0, "an output is rows or values of edges", (ir_type){0});
  if (mlirOperationIsNull(in->existing)) return infer_error(in, "the type of an output is given, not inferred");
  *result = ir_type_of(ir_result(in->existing));
  if (ir_type_elements(*result) == x.dims[0]) return true;
  return infer_error(in, "'%s' has %" PRId64 " numbers per element, but the output has %" PRId64, infer_name(in, 0),
                     x.dims[0], ir_type_elements(*result));
}

/* ---- operations ---- */

/* Checks a bias: one number per column, for all rows or by type. */
static bool check_bias(const infer *in, unsigned bias, int64_t width) {
  if (!has(in, bias)) return true;
  ir_type b = in->types[bias];
  if ((b.kind == IR_KIND_plain || b.kind == IR_KIND_per) && ir_type_elements(b) == width) return true;
  text found = {0};
  ir_type_print(&found, b);
  infer_error(in, "the result is %" PRId64 " wide, but bias '%s' is %s", width, infer_name(in, bias), text_str(&found));
  text_free(&found);
  return false;
}

static bool check_addend(const infer *in, unsigned addend, ir_type result) {
  return !has(in, addend) || ir_type_equal(in->types[addend], result) || wrong(in, addend, "this is added to ", result);
}

/* Finds the columns of x @ w + bias, for a constant w, or one per type. */
static bool infer_columns_of(const infer *in, unsigned x, unsigned w, unsigned bias, int64_t *columns) {
  ir_type m = in->types[w];
  if ((m.kind != IR_KIND_plain && m.kind != IR_KIND_per) || m.rank != 2)
    return wrong(in, w, "a product takes a constant matrix, or one per type", (ir_type){0});
  bool transposed = !mlirAttributeIsNull(infer_attribute(in, "transposed"));
  int64_t rows = m.dims[transposed], width = in->types[x].dims[0];
  *columns = m.dims[!transposed];
  if (rows != width)
    return infer_error(in, "'%s' is %" PRId64 " wide, but '%s' takes %" PRId64, infer_name(in, x), width,
                       infer_name(in, w), rows);
  if (has(in, bias) && in->types[bias].kind == IR_KIND_per &&
      (m.kind != IR_KIND_per || strcmp(m.set, in->types[bias].set) != 0))
    return infer_error(in, "a bias per type needs a matrix per type");
  return check_bias(in, bias, *columns);
}

static bool infer_gemm(const infer *in, ir_type *result) {
  int64_t columns;
  if (!infer_columns_of(in, 0, ARG(gemm, w), ARG(gemm, bias), &columns)) return false;
  *result = ir_type_rows(in->types[0].set, columns);
  return check_addend(in, ARG(gemm, addend), *result);
}

static bool infer_product(const infer *in, ir_type *result) {
  unsigned w = ARG(product, w);
  int64_t k = in->types[0].dims[0], elements = in->types[w].dims[0];
  if (strcmp(in->types[w].set, "one") != 0) return wrong(in, w, "a matrix is one row", (ir_type){0});
  *result = ir_type_rows(in->types[0].set, k ? elements / k : 0);
  return (k && elements % k == 0) ||
         infer_error(in, "'%s' has %" PRId64 " numbers, which is no matrix for the %" PRId64 " columns of '%s'",
                     infer_name(in, w), elements, k, infer_name(in, 0));
}

static bool infer_outer_sum(const infer *in, ir_type *result) {
  ir_type a = in->types[0], b = in->types[1];
  *result = ir_type_rows("one", a.dims[0] * b.dims[0]);
  return !strcmp(a.set, b.set) || wrong(in, 1, "it meets ", a);
}

static bool infer_lookup(const infer *in, ir_type *result) {
  unsigned table = ARG(lookup, table), index = ARG(lookup, index);
  ir_type t = in->types[table], i = in->types[index];
  int64_t rows = mlirIntegerAttrGetValueInt(infer_attribute(in, "rows"));
  int64_t column = mlirIntegerAttrGetValueInt(infer_attribute(in, "column"));
  bool is_each = !mlirAttributeIsNull(infer_attribute(in, "each"));
  if (rows < 1 || t.dims[0] % rows)
    return infer_error(in, "'%s' has %" PRId64 " numbers, which are not %" PRId64 " rows", infer_name(in, table),
                       t.dims[0], rows);
  if (column < 0 || column >= i.dims[0])
    return infer_error(in, "'%s' is %" PRId64 " wide and has no column %" PRId64, infer_name(in, index), i.dims[0],
                       column);
  *result = ir_type_rows(i.set, t.dims[0] / rows);
  if (is_each) return !strcmp(t.set, i.set) || wrong(in, table, "each row has a table: it meets ", i);
  return !strcmp(t.set, "one") || wrong(in, table, "a table is one row", (ir_type){0});
}

static bool infer_whole_layer(const infer *in, ir_type *result) {
  unsigned rows = ARG(layer, in);
  ir_type edge_list = in->types[0];
  int64_t columns;
  if (strcmp(in->types[rows].set, edge_list.set) != 0) return wrong(in, rows, "the sources are those of ", edge_list);
  if (!infer_columns_of(in, rows, ARG(layer, w), ARG(layer, bias), &columns)) return false;
  *result = ir_type_rows(edge_list.detail, columns);
  return check_addend(in, ARG(layer, addend), *result);
}

static bool check_values(const infer *in, unsigned values, ir_type edge_list) {
  ir_type v = in->types[values];
  if (!has(in, values) || (!strcmp(v.set, edge_list.set) && !strcmp(v.detail, edge_list.detail))) return true;
  return wrong(in, values, "this takes values of the edges of ", edge_list);
}

static bool check_heads(const infer *in, unsigned rows, int64_t heads) {
  if (heads > 0 && in->types[rows].dims[0] % heads == 0) return true;
  return infer_error(in, "'%s' is %" PRId64 " wide, which %" PRId64 " heads do not divide", infer_name(in, rows),
                     in->types[rows].dims[0], heads);
}

static bool infer_spdmm(const infer *in, ir_type *result) {
  unsigned rows = ARG(spdmm, in), values = ARG(spdmm, values);
  ir_type edge_list = in->types[0];
  if (!has(in, rows) && !has(in, values))
    return infer_error(in, "there is nothing to reduce: 'in' or 'values' is needed");
  if (!check_values(in, values, edge_list)) return false;
  if (has(in, rows) && strcmp(in->types[rows].set, edge_list.set) != 0)
    return wrong(in, rows, "the sources are those of ", edge_list);
  if (has(in, rows) && has(in, values) && !check_heads(in, rows, in->types[values].dims[0])) return false;
  *result = ir_type_rows(edge_list.detail, in->types[has(in, rows) ? rows : values].dims[0]);
  return check_bias(in, ARG(spdmm, bias), result->dims[0]) && check_addend(in, ARG(spdmm, addend), *result);
}

static bool infer_sddmm(const infer *in, ir_type *result) {
  unsigned src = ARG(sddmm, src), dst = ARG(sddmm, dst), values = ARG(sddmm, values);
  ir_type edge_list = in->types[0];
  const char *inner = infer_string(in, "inner");
  bool needs_src = strcmp(inner, "dst") != 0, needs_dst = strcmp(inner, "src") != 0;
  int64_t heads = integer_of(in, "heads");
  if (has(in, src) != needs_src || has(in, dst) != needs_dst)
    return infer_error(in, "'%s' takes %s", inner, needs_src && needs_dst ? "src and dst" : needs_src ? "src" : "dst");
  if (needs_src && strcmp(in->types[src].set, edge_list.set) != 0)
    return wrong(in, src, "the sources are those of ", edge_list);
  if (needs_dst && strcmp(in->types[dst].set, edge_list.detail) != 0)
    return wrong(in, dst, "the destinations are those of ", edge_list);
  if (needs_src && needs_dst && in->types[src].dims[0] != in->types[dst].dims[0])
    return wrong(in, dst, "it meets ", in->types[src]);
  if (!check_heads(in, needs_src ? src : dst, heads) || !check_values(in, values, edge_list)) return false;
  if (has(in, values) != !!strcmp(infer_string(in, "combine"), "replace"))
    return infer_error(in, "'combine' is replace without 'values', and something else with them");
  *result = ir_type_values(edge_list.set, edge_list.detail, heads);
  return !has(in, values) || in->types[values].dims[0] == heads || wrong(in, values, "the result is ", *result);
}

static bool infer_vadd(const infer *in, ir_type *result) {
  unsigned b = ARG(vadd, b), condition = ARG(vadd, condition);
  bool is_wide = mlirAttributeIsNull(infer_attribute(in, "bcast"));
  ir_type y = in->types[b], wanted = in->types[0];
  *result = in->types[0];
  if (!is_wide) wanted.dims[0] = 1;
  bool fits = y.kind == IR_KIND_plain ? ir_type_elements(y) == wanted.dims[0] : ir_type_equal(y, wanted);
  if (!fits) return wrong(in, b, "it meets ", wanted);
  if (has(in, condition) != !strcmp(infer_string(in, "function"), "select"))
    return infer_error(in, "'condition' belongs to select");
  return !has(in, condition) || ir_type_equal(in->types[condition], *result) ||
         wrong(in, condition, "it chooses ", *result);
}

static bool infer_map(const infer *in, ir_type *result) {
  *result = in->types[0];
  return result->kind == IR_KIND_rows || result->kind == IR_KIND_values ||
         wrong(in, 0, "functions apply to rows or values of edges", (ir_type){0});
}

static bool infer_values_vadd(const infer *in, ir_type *result) {
  *result = in->types[0];
  return ir_type_equal(in->types[0], in->types[1]) || wrong(in, 1, "it meets ", in->types[0]);
}

static bool infer_scaled_add(const infer *in, ir_type *result) {
  unsigned factor = ARG(scaled_add, factor);
  *result = in->types[0];
  if (!ir_type_equal(in->types[1], *result)) return wrong(in, 1, "it meets ", *result);
  return ir_type_elements(in->types[factor]) == 1 || wrong(in, factor, "a factor is one number", (ir_type){0});
}

static bool infer_concat(const infer *in, ir_type *result) {
  ir_type a = in->types[0], b = in->types[1];
  if (strcmp(a.set, b.set) != 0) return wrong(in, 1, "it stands beside ", a);
  *result = ir_type_rows(a.set, a.dims[0] + b.dims[0]);
  return true;
}

static bool infer_columns(const infer *in, ir_type *result) {
  int64_t begin = integer_of(in, "begin"), width = integer_of(in, "width");
  *result = ir_type_rows(in->types[0].set, width);
  if (begin >= 0 && width > 0 && begin <= in->types[0].dims[0] - width) return true;
  return infer_error(in, "'%s' is %" PRId64 " wide, but %" PRId64 " from column %" PRId64 " on are taken",
                     infer_name(in, 0), in->types[0].dims[0], width, begin);
}

bool infer_device(const infer *in, ir_type *result) {
  switch (in->op) {
  case IR_OP(device, edges): return infer_relation(in, result);
  case IR_OP(device, input):
  case IR_OP(device, constant): return infer_rows_of(in, result);
  case IR_OP(device, constant_values): return infer_constant_values(in, result);
  case IR_OP(device, output): return infer_output(in, result);
  case IR_OP(device, gemm): return infer_gemm(in, result);
  case IR_OP(device, product): return infer_product(in, result);
  case IR_OP(device, outer_sum): return infer_outer_sum(in, result);
  case IR_OP(device, lookup): return infer_lookup(in, result);
  case IR_OP(device, spdmm): return infer_spdmm(in, result);
  case IR_OP(device, layer): return infer_whole_layer(in, result);
  case IR_OP(device, sddmm): return infer_sddmm(in, result);
  case IR_OP(device, vadd): return infer_vadd(in, result);
  case IR_OP(device, scaled_add): return infer_scaled_add(in, result);
  case IR_OP(device, map): return infer_map(in, result);
  case IR_OP(device, values_vadd): return infer_values_vadd(in, result);
  case IR_OP(device, concat): return infer_concat(in, result);
  case IR_OP(device, columns): return infer_columns(in, result);
  default: return infer_no_rule(in);
  }
}
