/* Result types of operations on graphs: those between nodes and edges, and those that make edge
 * sets. */
#include "dialects/verify/infer.h"
#include "dialects/verify/infer_order.h"
#include "support/edge_mode.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(gnn, op, name))

/* Checks that the set of a graph was made by gnn.unique_edges. */
static bool check_unique(const infer *in, unsigned graph) {
  return ir_unique_end(in->types[graph].set) ||
         infer_error(in, "graph '%s' is not one of unique edges", infer_name(in, graph));
}

/* Checks an end of edges: those of a unique set have one end, and lead to dst or from src. */
static bool check_end(const infer *in, unsigned graph, const char *end) {
  const char *unique = ir_unique_end(in->types[graph].set);
  if (!unique || !strcmp(unique, end)) return true;
  return infer_error(in, "the edges of '%s' have no %s", in->types[graph].set, end);
}

static bool check_direction(const infer *in, unsigned graph) {
  return check_end(in, graph, !strcmp(infer_string(in, "direction"), "in") ? "dst" : "src");
}

/* Types of edges at most: generated C has a table of them. */
enum { MOST_TYPES = 65536 };

static bool infer_edge_set(const infer *in, ir_type *result) {
  const char *mode = infer_string(in, "mode");
  edge_mode_kind kind = edge_mode_read(mode).kind;
  if (strchr(mode, '.') || kind == EDGE_MODE_none)
    return infer_error(in,
                       "mode '%s': expected add_remaining, keep_one, replace, remove, relation with the number of a "
                       "type, union with numbers of types, or power "
                       "with the length of a path",
                       mode);
  if (ir_unique_end(in->types[0].set)) return infer_error(in, "unique edges get no self loops");
  if (edge_mode_is_chosen(edge_mode_read(mode)) && ir_base_set(in->context, in->types[0].set))
    return infer_error(in, "graph '%s' was made by the model: its edges have no types", infer_name(in, 0));
  if (edge_mode_types(mode) > MOST_TYPES)
    return infer_error(in, "mode '%s' has a type that is not below %d", mode, MOST_TYPES);
  if (kind == EDGE_MODE_power && ir_is_run_set(in->types[0].set))
    return infer_error(in, "graph '%s' is made while the model runs: it has no power", infer_name(in, 0));
  text set = {0};
  text_printf(&set, "%s.%s", in->types[0].set, mode);
  *result = ir_type_graph(ir_intern(in->context, text_str(&set)));
  text_free(&set);
  return true;
}

/* Names the edge set that is made from a graph while the model runs. */
static bool infer_run_set(const infer *in, ir_type *result) {
  if (ir_unique_end(in->types[0].set)) return infer_error(in, "unique edges are no graph to choose edges of");
  text set = {0};
  text_printf(&set, "%s.%s", in->types[0].set, infer_string(in, "name"));
  *result = ir_type_graph(ir_intern(in->context, text_str(&set)));
  text_free(&set);
  return true;
}

/* Checks that attribute `name` begins with a word, which says how the edges were chosen, and ends with a number. */
static bool check_run_name(const infer *in, const char *word) {
  const char *name = infer_string(in, "name");
  size_t length = strlen(word);
  bool is_good =
      !strncmp(name, word, length) && name[length] && strspn(name + length, "0123456789") == strlen(name + length);
  return is_good || infer_error(in, "'name' is '%s', but such edge sets are called %sN, N a number", name, word);
}

static bool infer_near_edges(const infer *in, ir_type *result) {
  MlirAttribute most = infer_attribute(in, "most"), radius = infer_attribute(in, "radius");
  bool has_radius = !mlirAttributeIsNull(radius);
  if (mlirIntegerAttrGetValueInt(most) < 1 || mlirIntegerAttrGetValueInt(most) > INT32_MAX)
    return infer_error(in, "'most' cannot be %" PRId64, mlirIntegerAttrGetValueInt(most));
  if (has_radius && !(mlirFloatAttrGetValueDouble(radius) >= 0))
    return infer_error(in, "'radius' cannot be %g", mlirFloatAttrGetValueDouble(radius));
  unsigned among = ARG(near_edges, among);
  if (!mlirValueIsNull(in->values[among])) {
    if (!infer_check_on_graph(in, among, ARG(near_edges, graph))) return false;
    if (in->types[among].rank) return infer_error(in, "'%s' is no number per node", infer_name(in, among));
  }
  return infer_check_on_graph(in, ARG(near_edges, value), ARG(near_edges, graph)) &&
         check_run_name(in, has_radius ? "radius_" : "knn_") && infer_run_set(in, result);
}

static bool infer_induced_edges(const infer *in, ir_type *result) {
  unsigned mask = ARG(induced_edges, mask);
  if (in->types[mask].rank) return infer_error(in, "'%s' is no number per node", infer_name(in, mask));
  return infer_check_on_graph(in, mask, ARG(induced_edges, graph)) && check_run_name(in, "induced_") &&
         infer_run_set(in, result);
}

static bool infer_top_nodes(const infer *in, ir_type *result) {
  unsigned graph = ARG(top_nodes, graph), operands[] = {ARG(top_nodes, score), ARG(top_nodes, among)};
  double ratio = mlirFloatAttrGetValueDouble(infer_attribute(in, "ratio"));
  bool is_count = ratio >= 1 && ratio <= 1 << 24 && ratio == floor(ratio);
  if (!(ratio > 0 && ratio < 1) && !is_count)
    return infer_error(in, "'ratio' is %g, which is neither between 0 and 1 nor a number of nodes", ratio);
  for (unsigned i = 0; i < 2; i++) {
    if (mlirValueIsNull(in->values[operands[i]])) continue;
    if (!infer_check_on_graph(in, operands[i], graph)) return false;
    if (in->types[operands[i]].rank) return infer_error(in, "'%s' is no number per node", infer_name(in, operands[i]));
  }
  *result = in->types[operands[0]];
  return true;
}

/* The set whose edges a graph has, and others; NULL after an error. */
static const char *base_of_extended(const infer *in, unsigned graph) {
  const char *set = in->types[graph].set, *base = ir_base_set(in->context, set);
  bool is_power = base && edge_mode_read(set + strlen(base) + 1).kind == EDGE_MODE_power;
  if (base && !is_power && !ir_unique_end(set)) return base;
  infer_error(in, "graph '%s' was not made by gnn.edge_set: it has no edges to add", infer_name(in, graph));
  return NULL;
}

static bool infer_extend_edges(const infer *in, ir_type *result) {
  unsigned graph = ARG(extend_edges, graph), value = ARG(extend_edges, value);
  const char *base = base_of_extended(in, graph);
  if (!base) return false;
  if (strcmp(in->types[value].set, base) != 0)
    return infer_error(in, "'%s' is per edge of '%s', but graph '%s' was made from '%s'", infer_name(in, value),
                       in->types[value].set, infer_name(in, graph), base);
  *result = in->types[value];
  result->set = in->types[graph].set;
  return true;
}

static bool infer_restrict_edges(const infer *in, ir_type *result) {
  unsigned graph = ARG(restrict_edges, graph), value = ARG(restrict_edges, value);
  const char *base = base_of_extended(in, graph);
  if (!base) return false;
  if (strcmp(in->types[value].set, in->types[graph].set) != 0)
    return infer_error(in, "'%s' is per edge of '%s', not of '%s'", infer_name(in, value), in->types[value].set,
                       in->types[graph].set);
  *result = in->types[value];
  result->set = base;
  return true;
}

static bool infer_opposite_edges(const infer *in, ir_type *result) {
  unsigned graph = ARG(opposite_edges, graph), value = ARG(opposite_edges, value);
  const char *set = in->types[graph].set;
  if (ir_unique_end(set) || ir_is_run_set(set))
    return infer_error(in, "graph '%s' has no edges that are known before the model runs", infer_name(in, graph));
  if (strcmp(in->types[value].set, set) != 0)
    return infer_error(in, "'%s' is per edge of '%s', not of '%s'", infer_name(in, value), in->types[value].set, set);
  *result = in->types[value];
  return true;
}

static bool infer_unique_edges(const infer *in, ir_type *result) {
  const char *set = in->types[0].set;
  if (ir_base_set(in->context, set))
    return infer_error(in, "graph '%s' was made by the model: its edges have no types", infer_name(in, 0));
  *result = ir_type_graph(ir_unique_set(in->context, set, infer_string(in, "end")));
  return true;
}

static bool infer_expand(const infer *in, ir_type *result) {
  unsigned graph = ARG(expand, graph), value = ARG(expand, value);
  const char *base = ir_base_set(in->context, in->types[value].set);
  if (!ir_unique_end(in->types[value].set) || strcmp(base, in->types[graph].set) != 0)
    return infer_error(in, "'%s' is per edge of '%s', which are not the unique edges of '%s'", infer_name(in, value),
                       in->types[value].set, in->types[graph].set);
  *result = in->types[value];
  result->set = in->types[graph].set;
  return true;
}

static bool infer_degree(const infer *in, ir_type *result) {
  if (!check_direction(in, 0)) return false;
  *result = (ir_type){.kind = IR_KIND_node, .set = ir_node_set(in->context, in->types[0].set)};
  return true;
}

static bool infer_gather(const infer *in, ir_type *result) {
  unsigned graph = ARG(gather, graph), value = ARG(gather, value);
  ir_type from = in->types[value];
  const char *set = in->types[graph].set;
  if (!infer_check_on_graph(in, value, graph) || !check_end(in, graph, infer_string(in, "end"))) return false;
  if (from.kind == IR_KIND_edge)
    return infer_error(in, "'%s' is per edge, but gnn.gather takes a value per node", infer_name(in, value));
  if (from.kind == IR_KIND_sparse && !ir_unique_end(set))
    return infer_error(in, "'%s' is sparse; such rows are gathered at unique edges alone", infer_name(in, value));
  *result = from;
  if (from.kind != IR_KIND_sparse) result->kind = IR_KIND_edge;
  result->set = in->types[graph].set;
  return true;
}

static bool infer_slice(const infer *in, ir_type *result) {
  unsigned graph = ARG(slice, graph), value = ARG(slice, value);
  bool by_edge = !strcmp(infer_string(in, "by"), "edge"), pairs = false;
  const char *wanted = by_edge ? "etype" : "ntype", *found = in->types[value].set;
  if (!strncmp(found, "etype_", 6)) {
    pairs = by_edge;
    if (pairs && !check_end(in, graph, found + 6)) return false;
  }
  bool batch = !by_edge && !strcmp(found, "graph");
  if (strcmp(found, wanted) != 0 && !pairs && !batch)
    return infer_error(in, "'%s' is per %s, but slicing by %s takes a value per %s", infer_name(in, value), found,
                       by_edge ? "edge" : "node", wanted);
  *result = in->types[value];
  result->kind = by_edge ? IR_KIND_edge : IR_KIND_node;
  result->set = by_edge ? in->types[graph].set : ir_node_set(in->context, in->types[graph].set);
  return true;
}

static bool check_weight(const infer *in, unsigned value, unsigned weight, unsigned graph) {
  ir_type v = in->types[value], w = in->types[weight], shape = {0};
  if (!infer_check_on_graph(in, weight, graph)) return false;
  if (w.rank > v.rank)
    return infer_error(in, "'%s' has %u dimension%s, but '%s', which it multiplies, has only %u",
                       infer_name(in, weight), w.rank, w.rank == 1 ? "" : "s", infer_name(in, value), v.rank);
  return infer_broadcast(in, value, weight, &shape);
}

static bool infer_aggregate(const infer *in, ir_type *result) {
  unsigned graph = ARG(aggregate, graph), value = ARG(aggregate, value), weight = ARG(aggregate, weight);
  ir_type v = in->types[value];
  if (v.kind != IR_KIND_node && v.kind != IR_KIND_edge)
    return infer_error(in, "'%s' is %s, but an aggregation takes a value per node or per edge", infer_name(in, value),
                       v.kind == IR_KIND_sparse ? "sparse" : "a plain tensor");
  if (!infer_check_on_graph(in, value, graph) || !check_direction(in, graph)) return false;
  if (v.kind == IR_KIND_node && ir_unique_end(in->types[graph].set))
    return infer_error(in, "the edges of '%s' have no other end to take '%s' from", in->types[graph].set,
                       infer_name(in, value));
  if (!mlirValueIsNull(in->values[weight]) && !check_weight(in, value, weight, graph)) return false;
  *result = v;
  result->kind = IR_KIND_node;
  result->set = ir_node_set(in->context, in->types[graph].set);
  return true;
}

static bool infer_pool(const infer *in, ir_type *result) {
  unsigned graph = ARG(pool, graph), value = ARG(pool, value);
  if (!infer_check_on_graph(in, value, graph)) return false;
  *result = in->types[value];
  result->kind = IR_KIND_per;
  result->set = ir_intern(in->context, "graph");
  return true;
}

/* The payload of a reduction over nodes: that of the value, or of the outer product. */
static bool infer_reduced(const infer *in, ir_type *result) {
  unsigned graph = ARG(total, graph), value = ARG(total, value), times = ARG(total, times);
  if (!infer_check_on_graph(in, value, graph)) return false;
  *result = in->types[value];
  if (mlirValueIsNull(in->values[times])) return true;
  if (!infer_check_on_graph(in, times, graph)) return false;
  ir_type v = in->types[value], w = in->types[times];
  const char *reduce = infer_string(in, "reduce");
  if (!ir_choice_has("sum|mean", reduce)) return infer_error(in, "outer products have a sum, but no %s", reduce);
  if (v.rank != 1 || w.rank != 1) return infer_error(in, "an outer product takes two vectors");
  result->rank = 2;
  result->dims[1] = w.dims[0];
  return true;
}

static bool infer_total(const infer *in, ir_type *result) {
  if (!infer_reduced(in, result)) return false;
  result->kind = IR_KIND_plain;
  result->set = NULL;
  return true;
}

static bool infer_pieces(const infer *in, ir_type *result) {
  if (!infer_reduced(in, result)) return false;
  result->kind = IR_KIND_per;
  result->set = ir_intern(in->context, "piece");
  return true;
}

bool infer_combined(const infer *in, ir_type *result) {
  ir_type x = in->types[0];
  *result = ir_type_payload(x);
  if (!strcmp(x.set, "piece")) return true;
  return infer_error(in, "'%s' is per %s, not per piece", infer_name(in, 0), x.set);
}

static bool infer_collapse(const infer *in, ir_type *result) {
  unsigned graph = ARG(collapse, graph), value = ARG(collapse, value), weight = ARG(collapse, weight);
  if (!check_unique(in, graph)) return false;
  infer edges = *in; /* the same operation on the set whose edges are reduced */
  edges.types[graph].set = ir_base_set(in->context, in->types[graph].set);
  if (!infer_check_on_graph(&edges, value, graph)) return false;
  if (!mlirValueIsNull(in->values[weight]) && !check_weight(&edges, value, weight, graph)) return false;
  *result = in->types[value];
  result->kind = IR_KIND_edge;
  result->set = in->types[graph].set;
  return true;
}

static bool infer_group_size(const infer *in, ir_type *result) {
  *result = (ir_type){.kind = IR_KIND_edge, .set = in->types[0].set};
  return check_unique(in, 0);
}

static bool infer_pair(const infer *in, ir_type *result) {
  unsigned graph = ARG(pair, graph), value = ARG(pair, value);
  const char *found = in->types[value].set;
  if (ir_base_set(in->context, in->types[graph].set))
    return infer_error(in, "graph '%s' was made by the model: its edges have no types", infer_name(in, graph));
  if (strcmp(found, "etype") != 0 && strcmp(found, "ntype") != 0)
    return infer_error(in, "'%s' is per %s, but a pair is made of a value per etype or ntype", infer_name(in, value),
                       found);
  *result = in->types[value];
  result->set = ir_intern(in->context, !strcmp(infer_string(in, "end"), "src") ? "etype_src" : "etype_dst");
  return true;
}

/* The set of nodes of type 'type' of a graph. */
static const char *part_of(const infer *in, unsigned graph) {
  MlirAttribute type = infer_attribute(in, "type");
  return ir_part_set(in->context, ir_node_set(in->context, in->types[graph].set), mlirIntegerAttrGetValueInt(type));
}

static bool infer_part(const infer *in, ir_type *result) {
  unsigned graph = ARG(part, graph), value = ARG(part, value);
  if (!infer_check_on_graph(in, value, graph)) return false;
  *result = in->types[value];
  result->set = part_of(in, graph);
  return true;
}

static bool infer_unite(const infer *in, ir_type *result) {
  unsigned graph = ARG(unite, graph), rows = ARG(unite, rows), rest = ARG(unite, rest);
  const char *part = part_of(in, graph);
  if (strcmp(in->types[rows].set, part) != 0)
    return infer_error(in, "'%s' is per node of '%s', but the nodes of this type are '%s'", infer_name(in, rows),
                       in->types[rows].set, part);
  *result = in->types[rows];
  result->set = ir_node_set(in->context, in->types[graph].set);
  if (mlirValueIsNull(in->values[rest])) return true;
  if (!infer_check_on_graph(in, rest, graph)) return false;
  return infer_same_payload(in->types[rows], in->types[rest]) ||
         infer_error(in, "'%s' and '%s' differ in shape", infer_name(in, rows), infer_name(in, rest));
}

static bool infer_constant(const infer *in, ir_type *result) {
  (void)in;
  *result = (ir_type){.kind = IR_KIND_plain};
  return true;
}

static int64_t integer_of(const infer *in, const char *name) {
  MlirAttribute a = infer_attribute(in, name);
  return mlirAttributeIsNull(a) ? 0 : mlirIntegerAttrGetValueInt(a);
}

/* Checks a dimension of a new tensor. */
static bool check_size(const infer *in, const char *what, int64_t size) {
  enum { LARGEST = INT32_MAX };
  return (size >= 1 && size <= LARGEST) || infer_error(in, "%s cannot be %" PRId64, what, size);
}

static bool infer_selection(const infer *in, ir_type *result) {
  MlirAttribute shape = infer_attribute(in, "shape"), strides = infer_attribute(in, "strides");
  intptr_t rank = mlirDenseArrayGetNumElements(shape);
  if (mlirDenseArrayGetNumElements(strides) != rank) return infer_error(in, "'shape' and 'strides' differ in length");
  int64_t dims[2] = {integer_of(in, "rows"), 1};
  for (intptr_t i = 0; i < rank; i++) {
    int64_t size = mlirDenseI64ArrayGetElement(shape, i);
    if (!check_size(in, "a size", size)) return false;
    if (__builtin_mul_overflow(dims[1], size, &dims[1])) return infer_error(in, "the result is too large");
  }
  *result = ir_type_plain(2, dims);
  return check_size(in, "'rows'", dims[0]) && check_size(in, "the number of columns", dims[1]);
}

static bool infer_iota(const infer *in, ir_type *result) {
  int64_t size = integer_of(in, "size");
  *result = ir_type_plain(1, &size);
  return check_size(in, "'size'", size);
}

bool infer_gnn(const infer *in, ir_type *result) {
  switch (in->op) {
  case IR_OP(gnn, constant): return infer_constant(in, result);
  case IR_OP(gnn, edge_set): return infer_edge_set(in, result);
  case IR_OP(gnn, extend_edges): return infer_extend_edges(in, result);
  case IR_OP(gnn, restrict_edges): return infer_restrict_edges(in, result);
  case IR_OP(gnn, opposite_edges): return infer_opposite_edges(in, result);
  case IR_OP(gnn, near_edges): return infer_near_edges(in, result);
  case IR_OP(gnn, induced_edges): return infer_induced_edges(in, result);
  case IR_OP(gnn, top_nodes): return infer_top_nodes(in, result);
  case IR_OP(gnn, unique_edges): return infer_unique_edges(in, result);
  case IR_OP(gnn, expand): return infer_expand(in, result);
  case IR_OP(gnn, collapse): return infer_collapse(in, result);
  case IR_OP(gnn, group_size): return infer_group_size(in, result);
  case IR_OP(gnn, pair): return infer_pair(in, result);
  case IR_OP(gnn, part): return infer_part(in, result);
  case IR_OP(gnn, unite): return infer_unite(in, result);
  case IR_OP(gnn, degree): return infer_degree(in, result);
  case IR_OP(gnn, gather): return infer_gather(in, result);
  case IR_OP(gnn, slice): return infer_slice(in, result);
  case IR_OP(gnn, aggregate): return infer_aggregate(in, result);
  case IR_OP(gnn, order): return infer_order(in, result);
  case IR_OP(gnn, first): return infer_first(in, result);
  case IR_OP(gnn, place_first): return infer_place_first(in, result);
  case IR_OP(gnn, fold): return infer_fold(in, result);
  case IR_OP(gnn, quantile): return infer_quantile(in, result);
  case IR_OP(gnn, pool): return infer_pool(in, result);
  case IR_OP(gnn, total): return infer_total(in, result);
  case IR_OP(gnn, pieces): return infer_pieces(in, result);
  case IR_OP(gnn, combine): return infer_combined(in, result);
  case IR_OP(gnn, selection): return infer_selection(in, result);
  case IR_OP(gnn, iota): return infer_iota(in, result);
  default: return infer_layer(in, result);
  }
}
