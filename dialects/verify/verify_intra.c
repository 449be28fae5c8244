/* Checks the intra level beyond types: rows of buffers, what calls need, and that kernels store
 * only at their own cursor. */
#include "dialects/verify/verify.h"

#include <inttypes.h>
#include <string.h>

/* ---- buffers ---- */

static bool is_rows(const char *rows) {
  static const char *const of_set[] = {"node:", "edge:", "nonzero:"};
  if (ir_choice_has(IR_PER_KINDS "|one", rows)) return true;
  for (size_t i = 0; i < sizeof of_set / sizeof *of_set; i++)
    if (!strncmp(rows, of_set[i], strlen(of_set[i])) && rows[strlen(of_set[i])]) return true;
  return false;
}

/* Checks numbers of bf16: the workspace has them, for operations that can read and write them. */
static bool verify_format(const infer *in, const char *space) {
  MlirValue buffer = ir_result(in->existing);
  if (!ir_buffer_is_bf16(buffer)) return true;
  if (strcmp(space, "workspace") != 0)
    return infer_error(in, "a buffer of space '%s' has numbers of f32, not of bf16", space);
  if (ir_type_of(buffer).is_integer) return infer_error(in, "integers have no format");
  if (!ir_type_of(buffer).rank) return infer_error(in, "rows of one number have f32, not bf16");
  return ir_buffer_may_be_bf16(buffer) ||
         infer_error(in, "numbers of bf16 are for loads, stores, unite, exchanges, and A of products alone");
}

static bool verify_buffer(const infer *in) {
  const char *rows = ir_type_of(ir_result(in->existing)).set, *space = infer_string(in, "space");
  if (!is_rows(rows))
    return infer_error(
        in, "rows '%s' are none of node:SET, edge:SET, nonzero:SET, etype, ntype, etype_src, etype_dst, graph and one",
        rows);
  int64_t slot = ir_get_integer(in->existing, "slot", -1), count = ir_get_integer(in->existing, "count", 0);
  bool has_slot = !strcmp(space, "bound") || !strcmp(space, "workspace");
  if (slot < -1) return infer_error(in, "a slot cannot be %" PRId64, slot);
  if (slot >= 0 && !has_slot)
    return infer_error(in, "a buffer of space '%s' is the user's memory: it has no slot", space);
  if (count < 0) return infer_error(in, "'count' cannot be %" PRId64, count);
  if (!verify_format(in, space)) return false;
  if (*infer_string(in, "file") && strcmp(space, "input") != 0)
    return infer_error(in, "'file' says where an input comes from, but this is a buffer of space '%s'", space);
  return true;
}

/* The space of a buffer; "" where its declaration is not known. */
static const char *space_of(const infer *in, unsigned operand) {
  MlirOperation declaration = ir_defining_op(in->values[operand]);
  if (mlirOperationIsNull(declaration)) return "";
  return ir_get_string(declaration, "space", "");
}

static bool verify_read(const infer *in, unsigned buffer) {
  return strcmp(space_of(in, buffer), "output") != 0 ||
         infer_error(in, "buffer '%s' is an output: it is never read", infer_name(in, buffer));
}

static bool verify_written(const infer *in, unsigned buffer) {
  const char *space = space_of(in, buffer);
  if (strcmp(space, "input") != 0 && strcmp(space, "weight") != 0) return true;
  return infer_error(in, "buffer '%s' is an %s of the user: it is never written", infer_name(in, buffer),
                     !strcmp(space, "input") ? "input" : "array of weights");
}

/* ---- calls ---- */

static bool verify_call(const infer *in) {
  const char *callee = infer_string(in, "callee"), *form = infer_string(in, "form");
  if (!strcmp(callee, "edge_set")) {
    if (*infer_string(in, "base") && *infer_string(in, "mode")) return true;
    return infer_error(in, "edge_set needs 'base' and 'mode'");
  }
  if (!strcmp(callee, "unique") || !strcmp(callee, "groups")) {
    const char *set = infer_string(in, "set"), *base = ir_base_set(in->context, set);
    if (!ir_unique_end(set) || strcmp(base, infer_string(in, "base")) != 0)
      return infer_error(in, "%s needs 'set', a set of unique edges, and 'base', what that is made from", callee);
    if (!strcmp(callee, "unique")) return true;
  }
  if (!strcmp(callee, "parts") && !*infer_string(in, "mode"))
    return infer_error(in, "parts needs 'mode': the number of the type");
  static const char *const forms[][2] = {
      {"adjacency", "csc|csr|coo"},
      {"opposite", "edge"},
      {"types", "edge|node|etype_src|etype_dst"},
      {"segments", "edge|node|etype_src|etype_dst"},
      {"groups", "pair|members"},
      {"batch", "graph|members"},
      {"pieces", "members"},
      {"parts", "nodes|place"},
  };
  size_t i = 0;
  while (strcmp(forms[i][0], callee) != 0) i++;
  if (ir_choice_has(forms[i][1], form)) return true;
  text wanted = {0};
  ir_choices_print(&wanted, forms[i][1]);
  infer_error(in, "%s needs 'form': %s", callee, text_str(&wanted));
  text_free(&wanted);
  return false;
}

static bool verify_copy(const infer *in) {
  unsigned from = IR_IN(intra, copy, from), to = IR_IN(intra, copy, to);
  if (!verify_read(in, from) || !verify_written(in, to)) return false;
  if (ir_type_equal(in->types[from], in->types[to])) return true;
  return infer_error(in, "buffers '%s' and '%s' differ in rows or payload", infer_name(in, from), infer_name(in, to));
}

static bool verify_extend(const infer *in) {
  unsigned from = IR_IN(intra, extend_edges, from), to = IR_IN(intra, extend_edges, to);
  const char *base = ir_base_set(in->context, in->types[to].set);
  if (!verify_read(in, from) || !verify_written(in, to)) return false;
  bool are_edges = !strncmp(in->types[to].set, "edge:", 5) && !strncmp(in->types[from].set, "edge:", 5);
  if (!are_edges || !base || strcmp(base, in->types[from].set) != 0)
    return infer_error(in, "rows '%s' do not extend rows '%s'", in->types[to].set, in->types[from].set);
  return infer_same_payload(in->types[from], in->types[to]) ||
         infer_error(in, "buffers '%s' and '%s' differ in payload", infer_name(in, from), infer_name(in, to));
}

static bool verify_restrict(const infer *in) {
  unsigned from = IR_IN(intra, restrict_edges, from), to = IR_IN(intra, restrict_edges, to);
  const char *base = ir_base_set(in->context, in->types[from].set);
  if (!verify_read(in, from) || !verify_written(in, to)) return false;
  if (!base || strncmp(base, "edge:", 5) != 0 || strcmp(base, in->types[to].set) != 0)
    return infer_error(in, "rows '%s' do not extend rows '%s'", in->types[from].set, in->types[to].set);
  return infer_same_payload(in->types[from], in->types[to]) ||
         infer_error(in, "buffers '%s' and '%s' differ in payload", infer_name(in, from), infer_name(in, to));
}

static bool verify_opposite(const infer *in) {
  unsigned from = IR_IN(intra, opposite_edges, from), to = IR_IN(intra, opposite_edges, to);
  if (!verify_read(in, from) || !verify_written(in, to)) return false;
  bool fits = !strncmp(in->types[from].set, "edge:", 5) && ir_type_equal(in->types[from], in->types[to]);
  return fits || infer_error(in, "buffers '%s' and '%s' do not hold the same values of the same edges",
                             infer_name(in, from), infer_name(in, to));
}

static bool verify_exchange_edges(const infer *in) {
  unsigned buffer = IR_IN(intra, exchange_edges, buffer);
  const char *rows = in->types[buffer].set;
  if (!verify_read(in, buffer) || !verify_written(in, buffer)) return false;
  return (!strncmp(rows, "edge:", 5) && !ir_base_set(in->context, rows + 5)) ||
         infer_error(in, "buffer '%s' has rows '%s': ranks exchange those of edges of the caller's graph",
                     infer_name(in, buffer), rows);
}

/* Rows and one strip of their columns. */
static bool verify_transpose(const infer *in) {
  unsigned rows = IR_IN(intra, transpose, rows), columns = IR_IN(intra, transpose, columns);
  const int64_t strips = ir_get_integer(ir_defining_op(in->values[columns]), "strips", 0);
  const bool to_rows = !strcmp(infer_string(in, "to"), "rows");
  if (!verify_read(in, to_rows ? columns : rows) || !verify_written(in, to_rows ? rows : columns)) return false;
  if (strcmp(in->types[rows].set, in->types[columns].set) != 0 || strncmp(in->types[rows].set, "node:", 5) != 0)
    return infer_error(in, "rows '%s' cannot be transposed to columns of '%s'", in->types[rows].set,
                       in->types[columns].set);
  if (ir_get_integer(ir_defining_op(in->values[columns]), "group", 1) != 1)
    return infer_error(in, "strips are transposed one by one, not in groups");
  return ir_type_elements(in->types[columns]) * strips == ir_type_elements(in->types[rows]) ||
         infer_error(in, "%lld strips of %lld numbers are no row of %lld", (long long)strips,
                     (long long)ir_type_elements(in->types[columns]), (long long)ir_type_elements(in->types[rows]));
}

/* ---- edges made while the model runs ---- */

static bool verify_make_edges(const infer *in) {
  const char *by = infer_string(in, "by"), *set = infer_string(in, "set"), *base = ir_base_set(in->context, set);
  unsigned value = IR_IN(intra, make_edges, value), among = IR_IN(intra, make_edges, among);
  bool is_loops = !strcmp(by, "self_loops"), is_near = !strcmp(by, "near"), is_power = !strcmp(by, "power");
  bool takes_value = !is_loops && !is_power, has_value = !mlirValueIsNull(in->values[value]);
  if (!ir_is_run_set(set) || !base || strcmp(base, infer_string(in, "base")) != 0)
    return infer_error(in, "'%s' is no set that run makes from '%s'", set, infer_string(in, "base"));
  if (takes_value != has_value)
    return infer_error(in, has_value ? "edges made by %s depend on no value" : "edges made by %s need a value", by);
  if ((is_near || is_power) && ir_get_integer(in->existing, "most", 0) < 1)
    return infer_error(in, "%s needs 'most'", by);
  if (is_loops && !*infer_string(in, "mode")) return infer_error(in, "self_loops needs 'mode'");
  bool has_among = !mlirValueIsNull(in->values[among]);
  if (has_among && !is_near) return infer_error(in, "edges made by %s are not from some nodes", by);
  if (has_among && !verify_read(in, among)) return false;
  return !has_value || verify_read(in, value);
}

/* ---- groups ---- */

/* Whether a buffer has rows of a kind, "node:" or "edge:", of a set. */
static bool has_rows(const infer *in, unsigned buffer, const char *kind, const char *set) {
  const char *rows = in->types[buffer].set;
  return !strncmp(rows, kind, strlen(kind)) && !strcmp(rows + strlen(kind), set);
}

/* Checks that a row per group has room for the values of some members, which it loses: [count, T] becomes [T]. */
static bool take_count(const infer *in, unsigned group, ir_type *row) {
  MlirAttribute count = infer_attribute(in, "count");
  if (!row->rank || (!mlirAttributeIsNull(count) && row->dims[0] != mlirIntegerAttrGetValueInt(count)))
    return infer_error(in, "buffer '%s' has no room for 'count' values", infer_name(in, group));
  row->rank--;
  for (unsigned i = 0; i < row->rank; i++) row->dims[i] = row->dims[i + 1];
  return true;
}

/* Checks a kernel over groups. One operand has a row per member or, for edges, per node of their other ends, the other one
 * a row per group; operand 2 is written. */
static bool verify_groups(const infer *in) {
  const char *set = in->types[0].set, *nodes = ir_node_set(in->context, set);
  bool is_graph = !strcmp(infer_string(in, "over"), "graph"), is_order = in->op == IR_OP(intra, order);
  bool is_place = in->op == IR_OP(intra, place_first);
  unsigned member = is_place ? 2 : 1, group = is_place ? 1 : 2;
  bool of_edges = !is_graph && has_rows(in, member, "edge:", set), of_nodes = has_rows(in, member, "node:", nodes);
  if (!verify_read(in, 1) || !verify_written(in, 2)) return false;
  if (!(of_edges || (of_nodes && (is_graph || (!is_order && !is_place)))))
    return infer_error(in, "buffer '%s' has rows '%s', which are not the members of groups of '%s'",
                       infer_name(in, member), in->types[member].set, set);
  bool fits = is_order   ? !strcmp(in->types[1].set, in->types[2].set) && !in->types[1].rank && !in->types[2].rank
              : is_graph ? !strcmp(in->types[group].set, "graph")
                         : has_rows(in, group, "node:", nodes);
  if (!fits)
    return infer_error(in, "buffer '%s' has rows '%s', which are not the groups of '%s'", infer_name(in, group),
                       in->types[group].set, set);
  ir_type row = in->types[group];
  if ((in->op == IR_OP(intra, first) || is_place) && !take_count(in, group, &row)) return false;
  return is_order || infer_same_payload(ir_type_payload(in->types[member]), ir_type_payload(row)) ||
         infer_error(in, "buffers '%s' and '%s' differ in payload", infer_name(in, 1), infer_name(in, 2));
}

/* ---- stores ---- */

/* Checks a store. Iterations of a kernel are independent because each stores only at the cursor of
 * its kernel. */
static bool verify_store(const infer *in) {
  unsigned cursor = IR_IN(intra, store, cursor);
  if (!verify_written(in, IR_IN(intra, store, buffer))) return false;
  MlirOperation kernel = mlirOperationGetParentOperation(in->existing);
  ir_op kind = mlirOperationIsNull(kernel) ? IR_OTHER : ir_op_kind(kernel);
  if (kind != IR_OP(intra, gemm) && kind != IR_OP(intra, traverse))
    return infer_error(in, "a store stands directly in the body of intra.gemm or intra.traverse");
  MlirBlock body = ir_region_block(kernel);
  bool has_cursor = mlirBlockGetNumArguments(body) > 0, takes_cursor = !mlirValueIsNull(in->values[cursor]);
  if (has_cursor != takes_cursor) return infer_error(in, "a kernel stores only at its own cursor");
  return !has_cursor || mlirValueEqual(mlirBlockGetArgument(body, 0), in->values[cursor]) ||
         infer_error(in, "a kernel stores only at its own cursor");
}

bool verify_intra(const infer *in) {
  switch (in->op) {
  case IR_OP(intra, buffer): return verify_buffer(in);
  case IR_OP(intra, call): return verify_call(in);
  case IR_OP(intra, gemm): return verify_read(in, IR_IN(intra, gemm, a)) && verify_read(in, IR_IN(intra, gemm, b));
  case IR_OP(intra, contract):
    if (!mlirValueIsNull(in->values[IR_IN(intra, contract, a)]) && !verify_read(in, IR_IN(intra, contract, a)))
      return false;
    return verify_read(in, IR_IN(intra, contract, b)) && verify_written(in, IR_IN(intra, contract, to)) &&
           verify_contract(in);
  case IR_OP(intra, sum_by):
    if (!mlirValueIsNull(in->values[IR_IN(intra, sum_by, times)]) && !verify_read(in, IR_IN(intra, sum_by, times)))
      return false;
    return verify_read(in, IR_IN(intra, sum_by, value)) && verify_read(in, IR_IN(intra, sum_by, index)) &&
           verify_written(in, IR_IN(intra, sum_by, to)) && verify_contract(in);
  case IR_OP(intra, copy): return verify_copy(in);
  case IR_OP(intra, extend_edges): return verify_extend(in);
  case IR_OP(intra, restrict_edges): return verify_restrict(in);
  case IR_OP(intra, opposite_edges): return verify_opposite(in);
  case IR_OP(intra, exchange_edges): return verify_exchange_edges(in);
  case IR_OP(intra, transpose): return verify_transpose(in);
  case IR_OP(intra, order):
  case IR_OP(intra, first):
  case IR_OP(intra, place_first):
  case IR_OP(intra, quantile): return verify_groups(in);
  case IR_OP(intra, load): return verify_read(in, IR_IN(intra, load, buffer));
  case IR_OP(intra, load_row): return verify_read(in, IR_IN(intra, load_row, buffer));
  case IR_OP(intra, dense_row): return verify_read(in, IR_IN(intra, dense_row, buffer));
  case IR_OP(intra, unite): return verify_read(in, IR_IN(intra, unite, rows));
  case IR_OP(intra, nonzeros): return verify_read(in, IR_IN(intra, nonzeros, buffer));
  case IR_OP(intra, make_edges): return verify_make_edges(in);
  case IR_OP(intra, top_nodes):
    return verify_read(in, IR_IN(intra, top_nodes, score)) && verify_written(in, IR_IN(intra, top_nodes, to));
  case IR_OP(intra, store): return verify_store(in);
  default: return true;
  }
}
