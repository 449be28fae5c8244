/* Checks intra.gemm: its rows, where they are read, and by which matrix each is multiplied. */
#include "dialects/verify/verify.h"

#include <string.h>

static ir_type type_a(const infer *in) {
  return in->types[IR_IN(intra, gemm, a)];
}

static ir_type type_b(const infer *in) {
  return in->types[IR_IN(intra, gemm, b)];
}

static const char *graph_set(const infer *in) {
  return in->types[IR_IN(intra, gemm, graph)].set;
}

static const char *gather_of(const infer *in) {
  const char *gather = infer_string(in, "gather");
  return *gather ? gather : "none";
}

static bool is_flag(const infer *in, const char *name) {
  return !mlirAttributeIsNull(infer_attribute(in, name));
}

/* The type of the body's cursor. */
static ir_type row_cursor(const infer *in) {
  const char *rows = type_a(in).set, *set = graph_set(in);
  if (strcmp(gather_of(in), "none") != 0) return ir_type_cursor("edge", set);
  if (!strcmp(rows, "graph")) return ir_type_cursor("graph", set);
  return ir_type_cursor(!strncmp(rows, "edge:", 5) ? "edge" : "node", strchr(rows, ':') + 1);
}

void verify_gemm_arguments(const infer *in, ir_type *arguments) {
  ir_type a = type_a(in), b = type_b(in);
  arguments[0] = row_cursor(in);
  arguments[1] = ir_type_payload(a);
  arguments[1].dims[a.rank - 1] = b.dims[b.rank - (is_flag(in, "transposed") ? 2 : 1)];
}

static bool wrong_rows(const infer *in, const char *whose, const char *set) {
  unsigned a = IR_IN(intra, gemm, a), graph = IR_IN(intra, gemm, graph);
  return infer_error(in, "buffer '%s' has rows '%s', but graph '%s' has the %s of '%s'", infer_name(in, a),
                     in->types[a].set, infer_name(in, graph), whose, set);
}

/* Checks rows that are read at the row itself: nodes of the graph or of one type, its edges, the
 * graphs of a batch. */
static bool verify_own_rows(const infer *in) {
  const char *rows = type_a(in).set, *set = graph_set(in), *nodes = ir_node_set(in->context, set);
  bool is_edge = !strncmp(rows, "edge:", 5);
  if (!strcmp(rows, "graph")) return true;
  if (!is_edge && strncmp(rows, "node:", 5) != 0)
    return infer_error(in, "buffer '%s' has rows '%s', but a gemm runs over nodes, edges or graphs",
                       infer_name(in, IR_IN(intra, gemm, a)), rows);
  if (is_edge) return !strcmp(rows + 5, set) || wrong_rows(in, "edges", set);
  const char *whole = ir_whole_set(in->context, rows + 5);
  return !strcmp(whole ? whole : rows + 5, nodes) || wrong_rows(in, "nodes", nodes);
}

static bool verify_rows(const infer *in) {
  const char *gather = gather_of(in), *rows = type_a(in).set, *set = graph_set(in);
  if (!strcmp(gather, "none")) return verify_own_rows(in);
  bool is_node = !strncmp(rows, "node:", 5), is_edge = !strncmp(rows, "edge:", 5);
  if (!strncmp(gather, "group_", 6)) {
    const char *pairs = ir_unique_set(in->context, set, gather + 6);
    return (is_edge && !strcmp(rows + 5, pairs)) || wrong_rows(in, "pairs", pairs);
  }
  const char *end = ir_unique_end(set), *nodes = ir_node_set(in->context, set);
  if (end && strcmp(end, gather) != 0) return infer_error(in, "the edges of '%s' have no %s", set, gather);
  return (is_node && !strcmp(rows + 5, nodes)) || wrong_rows(in, "nodes", nodes);
}

/* Checks the matrices: one, or one per type of the row. */
static bool verify_matrices(const infer *in) {
  unsigned b = IR_IN(intra, gemm, b);
  const char *rows = in->types[b].set;
  ir_type cursor = row_cursor(in);
  bool is_edge = !strcmp(cursor.detail, "edge"), is_node = !strcmp(cursor.detail, "node");
  const char *end = is_edge ? ir_unique_end(cursor.set) : NULL;
  if (!strcmp(rows, "one")) return true;
  bool by_node = !strcmp(rows, "ntype"); /* for a pair: by the node type of its one end */
  bool fits = is_edge ? !strncmp(rows, "etype", 5) || (end && by_node) : is_node && by_node;
  if (fits && end && rows[5] == '_') fits = !strcmp(rows + 6, end);
  return fits || infer_error(in, "buffer '%s' has rows '%s', which %s of '%s' does not select", infer_name(in, b), rows,
                             infer_with_article(cursor.detail), cursor.set);
}

static bool verify_shapes(const infer *in) {
  ir_type a = type_a(in), b = type_b(in);
  bool transposed = is_flag(in, "transposed"), batch = is_flag(in, "batch");
  bool fits = batch ? b.rank == 3 && a.rank == 2 && infer_same_dim(a.dims[0], b.dims[0]) : a.rank >= 1 && b.rank == 2;
  if (fits && infer_same_dim(a.dims[a.rank - 1], b.dims[b.rank - (transposed ? 1 : 2)])) return true;
  text x = {0}, w = {0};
  ir_type_print(&x, ir_type_payload(a));
  ir_type_print(&w, ir_type_payload(b));
  infer_error(in, "'%s' is %s and '%s' is %s%s; a product takes %s", infer_name(in, IR_IN(intra, gemm, a)),
              text_str(&x), infer_name(in, IR_IN(intra, gemm, b)), text_str(&w), transposed ? ", transposed" : "",
              batch ? "[H, K] @ [H, K, N]" : "[..., K] @ [K, N]");
  text_free(&x);
  text_free(&w);
  return false;
}

bool verify_gemm(const infer *in) {
  return verify_rows(in) && verify_matrices(in) && verify_shapes(in);
}
