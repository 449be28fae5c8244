/* What the rules of inference share: the description of an operation, messages, joins of domains,
 * broadcasting of leading dimensions. */
#include "dialects/verify/infer.h"

#include <inttypes.h>
#include <string.h>

infer infer_of(MlirOperation op) {
  infer in = {.context = mlirOperationGetContext(op), .location = mlirOperationGetLocation(op), .op = ir_op_kind(op)};
  in.info = ir_op_info_get(in.op);
  in.existing = op;
  if (mlirOperationGetNumRegions(op) == 1) in.region = mlirOperationGetRegion(op, 0);
  ir_operands(op, in.values);
  for (unsigned i = 0; i < in.info->operand_count; i++) {
    if (!mlirValueIsNull(in.values[i])) in.types[i] = ir_type_of(in.values[i]);
  }
  return in;
}

bool ir_infer(MlirOperation op, ir_type *result) {
  infer in = infer_of(op);
  return infer_result(&in, result);
}

/* Whether a type belongs to a kind of the tables. */
static bool is_of_kind(ir_type type, const char *kind) {
  static const struct {
    const char *kind;
    unsigned types; /* bit mask with a bit for each ir_kind */
  } kinds[] = {
      {"value", 1u << IR_KIND_plain | 1u << IR_KIND_node | 1u << IR_KIND_edge | 1u << IR_KIND_per},
      {"feature",
       1u << IR_KIND_plain | 1u << IR_KIND_node | 1u << IR_KIND_edge | 1u << IR_KIND_per | 1u << IR_KIND_sparse},
      {"any", (1u << IR_KIND_other) - 1},
      {"plain", 1u << IR_KIND_plain},
      {"node", 1u << IR_KIND_node},
      {"edge", 1u << IR_KIND_edge},
      {"per", 1u << IR_KIND_per},
      {"sparse", 1u << IR_KIND_sparse},
      {"graph", 1u << IR_KIND_graph},
      {"cursor", 1u << IR_KIND_cursor},
      {"results", 1u << IR_KIND_results},
      {"buffer", 1u << IR_KIND_buffer},
      {"rows", 1u << IR_KIND_rows},
      {"edge_list", 1u << IR_KIND_edge_list},
      {"values", 1u << IR_KIND_values},
  };
  size_t i = 0;
  while (strcmp(kinds[i].kind, kind) != 0) i++;
  return kinds[i].types >> type.kind & 1;
}

static const char *kind_in_words(const char *kind) {
  static const char *const words[][2] = {
      {"value", "a plain, node, edge or per-type value"},
      {"feature", "a plain, node, edge, per-type or sparse value"},
      {"plain", "a plain tensor"},
      {"node", "a node value"},
      {"edge", "an edge value"},
      {"per", "a per-type value"},
      {"sparse", "a sparse input"},
      {"graph", "a graph"},
      {"cursor", "a cursor"},
      {"results", "loop results"},
      {"buffer", "a buffer"},
      {"rows", "rows of device memory"},
      {"edge_list", "an edge list"},
      {"values", "values of the edges of an edge list"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i][0], kind)) return words[i][1];
  return "a value";
}

static bool check_kinds(const infer *in) {
  for (unsigned i = 0; i < in->info->operand_count; i++) {
    if (mlirValueIsNull(in->values[i]) || is_of_kind(in->types[i], in->info->operands[i].kind)) continue;
    text found = {0};
    ir_type_print(&found, in->types[i]);
    infer_error(in, "'%s' is %s, but %s takes %s", infer_name(in, i), text_str(&found), in->info->name,
                kind_in_words(in->info->operands[i].kind));
    text_free(&found);
    return false;
  }
  return true;
}

/* Whether an operand may be integers: operations that move elements take them, some use them. */
static bool takes_integers(const infer *in, unsigned operand) {
  switch (in->op) {
  case IR_OP(gnn, gather): return operand == IR_IN(gnn, gather, value);
  case IR_OP(gnn, slice): return operand == IR_IN(gnn, slice, value);
  case IR_OP(gnn, part): return operand == IR_IN(gnn, part, value);
  case IR_OP(gnn, lookup): return operand == IR_IN(gnn, lookup, index);
  case IR_OP(gnn, sum_by): return operand == IR_IN(gnn, sum_by, index);
  case IR_OP(intra, sum_by): return operand == IR_IN(intra, sum_by, index);
  case IR_OP(intra, store): return operand != IR_IN(intra, store, cursor);
  case IR_OP(gnn, columns):
  case IR_OP(gnn, reshape):
  case IR_OP(gnn, transpose):
  case IR_OP(gnn, view):
  case IR_OP(gnn, convert):
  case IR_OP(inter, at):
  case IR_OP(intra, load):
  case IR_OP(intra, copy):
  case IR_OP(device, input): return true;
  default: return false;
  }
}

static bool check_integers(const infer *in) {
  for (unsigned i = 0; i < in->info->operand_count; i++) {
    if (!in->types[i].is_integer || takes_integers(in, i)) continue;
    text found = {0};
    ir_type_print(&found, in->types[i]);
    infer_error(in, "'%s' is %s, but %s takes f32; gnn.convert makes f32 of integers", infer_name(in, i),
                text_str(&found), in->info->name);
    text_free(&found);
    return false;
  }
  return true;
}

bool infer_result(const infer *in, ir_type *result) {
  *result = (ir_type){0};
  if (!check_kinds(in) || !check_integers(in)) return false;
  if (!strncmp(in->info->name, "gnn.", 4)) return infer_gnn(in, result);
  if (!strncmp(in->info->name, "inter.", 6)) return infer_inter(in, result);
  return !strncmp(in->info->name, "intra.", 6) ? infer_intra(in, result) : infer_device(in, result);
}

/* ---- attributes and messages ---- */

MlirAttribute infer_attribute(const infer *in, const char *name) {
  if (!mlirOperationIsNull(in->existing)) return ir_get_attr(in->existing, name);
  for (const ir_attr *a = in->attributes; a && a->name; a++)
    if (!strcmp(a->name, name)) return a->value;
  return (MlirAttribute){NULL};
}

const char *infer_string(const infer *in, const char *name) {
  const char *said = ir_string_of(infer_attribute(in, name));
  return said ? said : "";
}

const char *infer_name(const infer *in, unsigned operand) {
  const char *name = ir_location_name(mlirValueGetLocation(in->values[operand]));
  return name ? name : in->info->operands[operand].name;
}

const char *infer_with_article(const char *detail) {
  static const char *const words[][2] = {
      {"edge", "an edge"},      {"node", "a node"},   {"nonzero", "a nonzero"}, {"etype", "an edge type"},
      {"ntype", "a node type"}, {"graph", "a graph"}, {"piece", "a piece"},
  };
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (!strcmp(words[i][0], detail)) return words[i][1];
  return "a pair of types";
}

bool infer_error(const infer *in, const char *format, ...) {
  text message = {0};
  va_list args;
  va_start(args, format);
  text_vprintf(&message, format, args);
  va_end(args);
  mlirEmitError(in->location, text_str(&message));
  text_free(&message);
  return false;
}

bool infer_no_rule(const infer *in) {
  return infer_error(in, "%s has no rule for its result type", in->info->name);
}

/* ---- sizes ---- */

bool infer_same_dim(int64_t a, int64_t b) {
  return a == b || mlirShapedTypeIsDynamicSize(a) || mlirShapedTypeIsDynamicSize(b);
}

int64_t infer_known_dim(int64_t a, int64_t b) {
  return mlirShapedTypeIsDynamicSize(a) ? b : a;
}

bool infer_same_payload(ir_type a, ir_type b) {
  if (a.rank != b.rank || a.is_integer != b.is_integer) return false;
  for (unsigned i = 0; i < a.rank; i++)
    if (!infer_same_dim(a.dims[i], b.dims[i])) return false;
  return true;
}

bool infer_check_rank(const infer *in, unsigned operand, unsigned least) {
  if (in->types[operand].rank >= least) return true;
  text shape = {0};
  ir_type_print(&shape, ir_type_payload(in->types[operand]));
  infer_error(in, "'%s' is %s, but this takes %s", infer_name(in, operand), text_str(&shape),
              least == 1 ? "at least one dimension" : "at least two dimensions");
  text_free(&shape);
  return false;
}

bool infer_broadcast(const infer *in, unsigned a, unsigned b, ir_type *result) {
  ir_type x = in->types[a], y = in->types[b];
  unsigned shorter = x.rank < y.rank ? x.rank : y.rank;
  ir_type longer = x.rank < y.rank ? y : x;
  for (unsigned i = 0; i < shorter; i++) {
    if (!infer_same_dim(x.dims[i], y.dims[i])) {
      text left = {0}, right = {0};
      ir_type_print(&left, ir_type_payload(x));
      ir_type_print(&right, ir_type_payload(y));
      infer_error(in, "'%s' is %s, but '%s' is %s; leading dimensions must agree", infer_name(in, a), text_str(&left),
                  infer_name(in, b), text_str(&right));
      text_free(&left);
      text_free(&right);
      return false;
    }
    longer.dims[i] = infer_known_dim(x.dims[i], y.dims[i]);
  }
  result->rank = longer.rank;
  memcpy(result->dims, longer.dims, sizeof result->dims);
  return true;
}

/* ---- domains ---- */

static void print_domain(text *out, ir_type type) {
  switch (type.kind) {
  case IR_KIND_plain: text_append(out, "a plain tensor"); break;
  case IR_KIND_node: text_printf(out, "per node of '%s'", type.set); break;
  case IR_KIND_edge: text_printf(out, "per edge of '%s'", type.set); break;
  case IR_KIND_sparse: text_printf(out, "per node of '%s' (sparse)", type.set); break;
  case IR_KIND_per:
    text_printf(out, "per %s",
                !strcmp(type.set, "etype")   ? "edge type"
                : !strcmp(type.set, "ntype") ? "node type"
                : !strcmp(type.set, "graph") ? "graph"
                : !strcmp(type.set, "piece") ? "piece"
                                             : "pair of types");
    break;
  case IR_KIND_graph: text_append(out, "a graph"); break;
  default: ir_type_print(out, type); break;
  }
}

static bool mixed_domains(const infer *in, unsigned a, unsigned b) {
  text left = {0}, right = {0};
  print_domain(&left, in->types[a]);
  print_domain(&right, in->types[b]);
  ir_kind x = in->types[a].kind, y = in->types[b].kind;
  bool mixed = (x == IR_KIND_node && y == IR_KIND_edge) || (x == IR_KIND_edge && y == IR_KIND_node);
  infer_error(in, "'%s' is %s, but '%s' is %s%s", infer_name(in, a), text_str(&left), infer_name(in, b),
              text_str(&right), mixed ? "; gather the node values to the edges first" : "");
  text_free(&left);
  text_free(&right);
  return false;
}

bool infer_join_domain(const infer *in, unsigned a, unsigned b, ir_type *result) {
  ir_type x = in->types[a], y = in->types[b];
  ir_type wider = x.kind == IR_KIND_plain ? y : x;
  bool same = x.kind == y.kind && (x.kind == IR_KIND_plain || !strcmp(x.set, y.set));
  if (!same && x.kind != IR_KIND_plain && y.kind != IR_KIND_plain) return mixed_domains(in, a, b);
  result->kind = wider.kind;
  result->set = wider.set;
  return true;
}

bool infer_check_on_graph(const infer *in, unsigned operand, unsigned graph) {
  ir_type type = in->types[operand];
  const char *set = in->types[graph].set;
  bool edges = type.kind == IR_KIND_edge;
  if (type.kind != IR_KIND_edge && type.kind != IR_KIND_node && type.kind != IR_KIND_sparse) {
    text found = {0};
    ir_type_print(&found, type);
    infer_error(in, "'%s' is %s, but %s takes a value per node or per edge", infer_name(in, operand), text_str(&found),
                in->info->name);
    text_free(&found);
    return false;
  }
  const char *wanted = edges ? set : ir_node_set(in->context, set);
  if (!strcmp(type.set, wanted)) return true;
  return infer_error(in, "'%s' is per %s of '%s', but graph '%s' has the %s of '%s'", infer_name(in, operand),
                     edges ? "edge" : "node", type.set, infer_name(in, graph), edges ? "edges" : "nodes", wanted);
}
