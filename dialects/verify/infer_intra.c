/* Result types of the intra level, and checks that cursors fit buffers. */
#include "dialects/verify/infer.h"

#include <string.h>

#define ARG(op, name) ((unsigned)IR_IN(intra, op, name))

/* Whether a cursor selects a row of "node:g", "edge:g.replace", "nonzero:g", "etype", "ntype", ...;
 * as in inter.at. */
static bool cursor_fits(ir_type buffer, ir_type cursor) {
  if (ir_choice_has(IR_PER_KINDS, buffer.set)) {
    bool is_pairs = !strncmp(buffer.set, "etype_", 6), at_pairs = !strncmp(cursor.detail, "etype_", 6);
    bool of_nodes = !strcmp(buffer.set, "ntype") || !strcmp(buffer.set, "graph");
    if (!strcmp(buffer.set, "piece")) return !strcmp(cursor.detail, "piece");
    if (!strcmp(buffer.set, cursor.detail) || !strcmp(cursor.detail, of_nodes ? "node" : "edge")) return true;
    return at_pairs && !is_pairs && strcmp(buffer.set, "graph") != 0;
  }
  size_t size = strlen(cursor.detail);
  return !strncmp(buffer.set, cursor.detail, size) && buffer.set[size] == ':' &&
         !strcmp(buffer.set + size + 1, cursor.set);
}

static bool check_cursor(const infer *in, unsigned buffer, unsigned cursor) {
  const char *name = infer_name(in, buffer), *rows = in->types[buffer].set;
  bool is_one = !strcmp(rows, "one");
  if (mlirValueIsNull(in->values[cursor]))
    return is_one || infer_error(in, "buffer '%s' has rows '%s': a cursor must select one", name, rows);
  if (is_one) return infer_error(in, "buffer '%s' has one row: no cursor selects it", name);
  if (cursor_fits(in->types[buffer], in->types[cursor])) return true;
  return infer_error(in, "buffer '%s' has rows '%s', but the cursor is at %s of '%s'", name, rows,
                     infer_with_article(in->types[cursor].detail), in->types[cursor].set);
}

static bool infer_load(const infer *in, ir_type *result) {
  unsigned buffer = ARG(load, buffer), cursor = ARG(load, cursor);
  if (!check_cursor(in, buffer, cursor)) return false;
  *result = ir_type_payload(in->types[buffer]);
  if (!strncmp(in->types[buffer].set, "nonzero:", 8)) *result = (ir_type){.kind = IR_KIND_plain};
  return true;
}

static bool infer_load_row(const infer *in, ir_type *result) {
  unsigned buffer = ARG(load_row, buffer), cursor = ARG(load_row, cursor);
  ir_type b = in->types[buffer];
  if (strcmp(b.set, "one") != 0)
    return infer_error(in, "buffer '%s' has rows '%s', but a row is read from rows 'one'", infer_name(in, buffer),
                       b.set);
  if (strcmp(in->types[cursor].detail, "nonzero") != 0)
    return infer_error(in, "'%s' is a cursor at %s, but this takes a cursor at a nonzero", infer_name(in, cursor),
                       infer_with_article(in->types[cursor].detail));
  if (!infer_check_rank(in, buffer, 1)) return false;
  *result = ir_type_plain(b.rank - 1, b.dims + 1);
  return true;
}

static bool check_store(const infer *in) {
  unsigned value = ARG(store, value), buffer = ARG(store, buffer), cursor = ARG(store, cursor);
  if (!check_cursor(in, buffer, cursor)) return false;
  if (infer_same_payload(in->types[value], in->types[buffer])) return true;
  text found = {0}, wanted = {0};
  ir_type_print(&found, in->types[value]);
  ir_type_print(&wanted, ir_type_payload(in->types[buffer]));
  infer_error(in, "'%s' is %s, but buffer '%s' holds %s", infer_name(in, value), text_str(&found),
              infer_name(in, buffer), text_str(&wanted));
  text_free(&found);
  text_free(&wanted);
  return false;
}

/* Checks a node cursor and the buffer whose CSR rows it selects, the first two operands. */
static bool check_nonzeros(const infer *in) {
  ir_type cursor = in->types[1];
  const char *rows = in->types[0].set;
  if (strncmp(rows, "nonzero:", 8) != 0)
    return infer_error(in, "buffer '%s' has rows '%s', but stored entries are in rows 'nonzero:...'", infer_name(in, 0),
                       rows);
  if (!strcmp(cursor.detail, "node") && !strcmp(cursor.set, rows + 8)) return true;
  return infer_error(in, "buffer '%s' has rows '%s', but the cursor is at %s of '%s'", infer_name(in, 0), rows,
                     infer_with_article(cursor.detail), cursor.set);
}

static bool infer_unite(const infer *in, ir_type *result) {
  unsigned rows = ARG(unite, rows), node = ARG(unite, node), rest = ARG(unite, rest);
  const char *set = in->types[rows].set, *whole = ir_whole_set(in->context, set);
  *result = ir_type_payload(in->types[rows]);
  ir_type cursor = in->types[node];
  bool is_part = !strncmp(set, "node:", 5) && whole && !strcmp(cursor.detail, "node");
  if (!is_part || strcmp(whole + strlen("node:"), cursor.set) != 0)
    return infer_error(in, "buffer '%s' has rows '%s', but the cursor is at %s of '%s'", infer_name(in, rows), set,
                       infer_with_article(cursor.detail), cursor.set);
  if (mlirValueIsNull(in->values[rest]) || infer_same_payload(*result, in->types[rest])) return true;
  return infer_error(in, "'%s' and '%s' differ in shape", infer_name(in, rows), infer_name(in, rest));
}

static bool infer_buffer(const infer *in, ir_type *result) {
  if (mlirOperationIsNull(in->existing)) return infer_error(in, "the type of a buffer is given, not inferred");
  *result = ir_type_of(ir_result(in->existing));
  return true;
}

bool infer_intra(const infer *in, ir_type *result) {
  switch (in->op) {
  case IR_OP(intra, graph): *result = ir_type_graph(infer_string(in, "set")); return true;
  case IR_OP(intra, buffer): return infer_buffer(in, result);
  case IR_OP(intra, load): return infer_load(in, result);
  case IR_OP(intra, combine): return infer_combined(in, result);
  case IR_OP(intra, load_row): return infer_load_row(in, result);
  case IR_OP(intra, dense_row): *result = ir_type_payload(in->types[0]); return check_nonzeros(in);
  case IR_OP(intra, unite): return infer_unite(in, result);
  case IR_OP(intra, nonzeros): *result = (ir_type){.kind = IR_KIND_results}; return check_nonzeros(in);
  case IR_OP(intra, store): return check_store(in);
  default: return !in->info->result_kind || infer_no_rule(in); /* the verifier checks the bodies of kernels */
  }
}
