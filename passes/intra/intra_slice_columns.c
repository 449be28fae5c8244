/* intra-slice-columns: kernels that read rows at the sources of edges, once more for ranks that have columns of all nodes.
 *
 *   traverse nodes { for_incoming { load %z at src }; relu; store %h }     =>
 *
 *   traverse nodes { for_incoming { load %z at src }; relu; store %h }     where ranks have rows, and ghosts
 *   transpose %z to %z.strips                                              where they have columns, from here on
 *   traverse all nodes { for_incoming { load %z.strips at src }; store %y.strips }      8 strips, if the rank has so many
 *   traverse all nodes { ... }                                                          4 strips, 2, 1
 *   transpose %y.strips to %y
 *   traverse nodes { load %y; relu; store %h }
 *
 * A rank that has all edges and some columns of all nodes receives 2 (R - 1) / R rows for each own node, whatever the graph, where a rank with
 * rows receives one for each ghost. Columns are independent in a sum over edges, so each is the same sum in the same order, and results
 * have the same bits.
 *
 * The rows of each value are cut into strips of equal length, 16 where that divides them. A strip consists of consecutive numbers of a row,
 * of whole heads where a row has several. A rank has some strips, and computes them in groups of a power of two: it goes through the edges
 * once for each binary 1 in the number of its strips. A loop is sliced where all rows in it are cut alike: its operations are element-wise, or reduce
 * within a head. Other kernels get the rows of all ghosts, whatever ranks have. Where no kernel is sliced, the program is one for rows. */
#include "passes/inter/inter_loops.h"
#include "passes/intra/intra_distribute.h"
#include "support/map.h"

#include <string.h>

/* Strips of a row: 16 if that divides its columns, else the largest divisor below, else the smallest above, up to 64. */
enum { STRIPS = 16, MOST_STRIPS = 64 };

typedef struct slicing {
  pass_context *p;
  MlirBlock body;               /* of the function */
  bool has_whole_edges;         /* what bind keeps of edges is of all edges */
  MlirOperation before_kernels; /* new buffers go before this operation */
  int64_t aliases;              /* numbers that are taken */
} slicing;

/* One loop of a kernel. */
typedef struct slice {
  slicing *of;
  MlirOperation kernel, loop;
  int64_t strips;
  bool reads_sources;
  map strips_of;        /* buffer -> the one with its strips */
  MlirOperation before; /* the kernel of columns */
  /* of the kernel that is being made */
  int64_t group;
  map groups_of; /* buffer -> the one with its group */
  map values;    /* value of the kernel -> its copy */
  MlirBlock block;
} slice;

/* ---- shapes ---- */

/* The position of the dimension that is cut: the first one that is longer than 1. */
static unsigned cut_dimension(ir_type type) {
  unsigned at = 0;
  while (at < type.rank && type.dims[at] == 1) at++;
  return at;
}

/* The type of a group of strips. */
static ir_type group_type(ir_type type, int64_t strips, int64_t group) {
  const unsigned at = cut_dimension(type);
  if (ir_type_elements(type) > 1) type.dims[at] = type.dims[at] / strips * group;
  return type;
}

/* Whether strips of a row are consecutive numbers; rows of one number are not cut. */
static bool can_cut(ir_type type, int64_t strips) {
  return ir_type_elements(type) == 1 || (!type.is_integer && type.dims[cut_dimension(type)] % strips == 0);
}

/* How many strips there are of rows that are cut along dimensions whose lengths have this divisor in common; 0: none. */
static int64_t choose_strips(int64_t length) {
  for (int64_t n = STRIPS; n > 1; n--)
    if (length % n == 0) return n;
  for (int64_t n = STRIPS + 1; n <= MOST_STRIPS; n++)
    if (length % n == 0) return n;
  return 0;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* ---- what can be sliced ---- */

static bool is_rows_of(ir_type buffer, const char *rows) {
  return !strncmp(buffer.set, rows, strlen(rows)) && buffer.set[strlen(rows)] == ':';
}

static bool can_slice_load(slice *s, MlirOperation op) {
  MlirValue buffer = ir_operand(op, IR_IN(intra, load, buffer)), cursor = ir_operand(op, IR_IN(intra, load, cursor));
  MlirOperation made = ir_defining_op(buffer);
  const ir_type type = ir_type_of(buffer);
  const bool is_row = ir_type_elements(type) > 1, is_bound = ir_string_is(made, "space", "bound");
  if (is_row && (type.is_integer || ir_buffer_is_bf16(buffer))) return false;
  if (is_rows_of(type, "node")) {
    if (ir_part_type(type.set + strlen("node:")) >= 0) return false;
    MlirOperation at = mlirValueIsABlockArgument(cursor) ? (MlirOperation){NULL} : ir_defining_op(cursor);
    s->reads_sources |= is_row && !mlirOperationIsNull(at) && ir_op_kind(at) == IR_OP(inter, src);
    return true;
  }
  if (is_rows_of(type, "edge"))
    return !is_row && (ir_string_is(made, "space", "input") || (is_bound && s->of->has_whole_edges));
  return !is_row || (is_bound && !strcmp(type.set, "one"));
}

/* Whether an operand of an element-wise operation is cut as its result is: it has one number, or the leading dimensions. */
static bool is_cut_alike(ir_type operand, ir_type result) {
  if (ir_type_elements(operand) == 1) return true;
  if (operand.rank > result.rank) return false;
  for (unsigned i = 0; i < operand.rank; i++)
    if (operand.dims[i] != result.dims[i]) return false;
  return true;
}

static bool is_element_wise(MlirOperation op) {
  const ir_op kind = ir_op_kind(op);
  if (kind != IR_OP(gnn, activation) && kind != IR_OP(gnn, select) && !ir_op_is_binary(kind)) return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_cut_alike(ir_type_of(mlirOperationGetOperand(op, i)), ir_type_of(ir_result(op)))) return false;
  return true;
}

/* An inner product within heads. */
static bool is_within_heads(MlirOperation op) {
  const ir_type operand = ir_type_of(mlirOperationGetOperand(op, 0)), result = ir_type_of(ir_result(op));
  return ir_type_elements(result) > 1 && cut_dimension(operand) + 1 < operand.rank;
}

static bool can_slice_value(slice *s, MlirValue value);

static bool can_slice_op(slice *s, MlirOperation op) {
  const ir_op kind = ir_op_kind(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!can_slice_value(s, mlirOperationGetOperand(op, i))) return false;
  if (kind == IR_OP(inter, src) || kind == IR_OP(inter, dst) || kind == IR_OP(inter, degree) ||
      kind == IR_OP(gnn, constant))
    return true;
  if (kind == IR_OTHER) return true; /* the yield */
  if (!can_cut(ir_type_payload(ir_type_of(ir_result(op))), s->strips)) return false;
  if (kind == IR_OP(intra, load)) return can_slice_load(s, op);
  if (kind == IR_OP(gnn, vector_inner)) return is_within_heads(op);
  return kind == IR_OP(gnn, reshape) || is_element_wise(op);
}

/* A value that a loop uses: made in it, which is looked at on its own; by the kernel; or outside. */
static bool can_slice_value(slice *s, MlirValue value) {
  MlirBlock block = inter_value_block(value), kernel = ir_region_block(s->kernel);
  if (!mlirBlockEqual(block, kernel)) return true;
  if (mlirValueIsABlockArgument(value)) return mlirValueEqual(value, inter_cursor_of(s->kernel));
  return can_slice_op(s, ir_defining_op(value));
}

static int64_t strips_of_results(pass_context *p, MlirOperation loop) {
  int64_t divisor = 0;
  inter_ops results = inter_results_of(p, loop);
  for (size_t i = 0; i < results.count; i++) {
    const ir_type type = ir_type_of(ir_result(results.items[i]));
    if (ir_type_elements(type) == 1 || type.is_integer) return 0;
    divisor = common_divisor(type.dims[cut_dimension(type)], divisor);
  }
  return divisor ? choose_strips(divisor) : 0;
}

/* Whether a loop over edges into the kernel's node reads rows at sources, and can be computed by strips. */
static bool can_slice_loop(slice *s) {
  const ir_op kind = ir_op_kind(s->loop);
  if (kind != IR_OP(inter, for_incoming) && kind != IR_OP(inter, softmax_incoming)) return false;
  const char *set = ir_type_of(mlirOperationGetOperand(s->loop, 0)).set;
  MlirValue node = mlirOperationGetOperand(s->loop, 1);
  if (ir_is_run_set(set) || ir_unique_end(set) || !mlirValueEqual(node, inter_cursor_of(s->kernel))) return false;
  s->strips = strips_of_results(s->of->p, s->loop);
  if (!s->strips) return false;
  IR_FOR_EACH_OP(op, ir_region_block(s->loop)) {
    if (!mlirBlockIsNull(ir_region_block(op)) || !can_slice_op(s, op)) return false;
  }
  return s->reads_sources;
}

typedef VEC(slice) slice_list;

/* Loops over the entries of the kernel's own rows need no other rank. */
static bool is_over_edges(MlirOperation op) {
  return inter_is_inner_loop(op) && ir_op_kind(op) != IR_OP(intra, nonzeros);
}

/* Whether a kernel computes all nodes one by one, and has loops over edges that all can be sliced, which are listed. */
static bool find_slices(slicing *of, MlirOperation kernel, slice_list *slices) {
  const ir_op kind = ir_op_kind(kernel);
  const bool is_product = kind == IR_OP(intra, gemm) && !strcmp(ir_get_string(kernel, "gather", "none"), "none");
  if (!is_product && kind != IR_OP(intra, traverse)) return false;
  MlirValue cursor = inter_cursor_of(kernel);
  if (mlirValueIsNull(cursor)) return false;
  const ir_type type = ir_type_of(cursor);
  if (strcmp(type.detail, "node") != 0 || ir_part_type(type.set) >= 0) return false;
  IR_FOR_EACH_OP(op, ir_region_block(kernel)) {
    if (!is_over_edges(op)) continue;
    slice s = {.of = of, .kernel = kernel, .loop = op};
    s.strips_of.arena = of->p->arena;
    if (!can_slice_loop(&s)) return false;
    VEC_PUSH(of->p->arena, slices, s);
  }
  return slices->count > 0;
}

/* ---- buffers ---- */

/* A builder for buffers, with a name for what it makes. */
static ir_builder build_named(const slicing *of, const char *name) {
  ir_builder b = ir_builder_before(of->before_kernels);
  MlirLocation where = mlirLocationIsAName(b.location) ? mlirLocationNameGetChildLoc(b.location) : b.location;
  b.location = mlirLocationNameGet(of->p->context, mlirStringRefCreateFromCString(name), where);
  return b;
}

static MlirValue make_rows(const slicing *of, const char *name, ir_type type) {
  ir_builder b = build_named(of, name);
  ir_attr attributes[] = {{"space", ir_attr_string(of->p->context, "workspace")},
                          {"name", ir_attr_string(of->p->context, name)},
                          {NULL, {NULL}}};
  return ir_result(
      ir_build(&b, IR_OP(intra, buffer), NULL, attributes, (MlirRegion){NULL}, ir_type_make(of->p->context, type)));
}

static const char *strips_name(const slice *s, const char *rows) {
  return arena_printf(s->of->p->arena, "%s.strips", rows);
}

/* A buffer for strips of rows, in groups of a size; those with an alias have one memory. */
static MlirValue make_strips(const slice *s, const char *name, ir_type rows, int64_t group, int64_t alias,
                             MlirAttribute format) {
  MlirContext context = s->of->p->context;
  ir_builder b = build_named(s->of, name);
  ir_attr attributes[] = {{"space", ir_attr_string(context, "workspace")},
                          {"name", ir_attr_string(context, name)},
                          {"strips", ir_attr_integer(context, s->strips)},
                          {"group", group > 1 ? ir_attr_integer(context, group) : (MlirAttribute){NULL}},
                          {"alias", ir_attr_integer(context, alias)},
                          {"format", format},
                          {NULL, {NULL}}};
  const ir_type payload = group_type(ir_type_payload(rows), s->strips, group);
  return ir_result(ir_build(&b, IR_OP(intra, buffer), NULL, attributes, (MlirRegion){NULL},
                            ir_type_make(context, ir_type_with_payload(rows, payload))));
}

/* The buffer with the kernel's group of the same strips. */
static MlirValue group_of(slice *s, MlirValue strips, ir_type rows) {
  if (s->group == 1) return strips;
  MlirOperation made = ir_defining_op(strips);
  return make_strips(s, ir_get_string(made, "name", ""), rows, s->group, ir_get_integer(made, "alias", -1),
                     ir_get_attr(made, "format"));
}

static void transpose(const slice *s, MlirValue rows, MlirValue columns, const char *to) {
  ir_builder b = ir_builder_before(s->before);
  MlirValue operands[IR_MAX_OPERANDS] = {[IR_IN(intra, transpose, rows)] = rows,
                                         [IR_IN(intra, transpose, columns)] = columns};
  ir_build(&b, IR_OP(intra, transpose), operands,
           (ir_attr[]){{"to", ir_attr_string(s->of->p->context, to)}, {NULL, {NULL}}}, (MlirRegion){NULL},
           (MlirType){NULL});
}

/* The group of strips of a value that bind keeps: a view at the strips of the kernel. */
static MlirValue make_view(const slice *s, MlirOperation whole) {
  MlirContext context = s->of->p->context;
  ir_builder b = build_named(s->of, ir_get_string(whole, "name", "value"));
  const ir_type type = ir_type_of(ir_result(whole));
  ir_attr attributes[] = {{"space", ir_get_attr(whole, "space")},
                          {"name", ir_get_attr(whole, "name")},
                          {"strips", ir_attr_integer(context, s->strips)},
                          {"group", s->group > 1 ? ir_attr_integer(context, s->group) : (MlirAttribute){NULL}},
                          {NULL, {NULL}}};
  const ir_type payload = group_type(ir_type_payload(type), s->strips, s->group);
  return ir_result(ir_build(&b, IR_OP(intra, buffer), NULL, attributes, (MlirRegion){NULL},
                            ir_type_make(context, ir_type_with_payload(type, payload))));
}

/* The strips of a buffer of nodes, which are filled before the first kernel that reads them. */
static MlirValue strips_of(slice *s, MlirValue buffer) {
  void *found = map_get_pointer(&s->strips_of, buffer.ptr);
  if (found) return (MlirValue){found};
  MlirOperation whole = ir_defining_op(buffer);
  MlirAttribute format = {NULL};
  if (ir_string_is(whole, "space", "input")) format = ir_attr_string(s->of->p->context, "f32");
  const char *name = strips_name(s, ir_get_string(whole, "name", "value"));
  MlirValue made = make_strips(s, name, ir_type_of(buffer), 1, s->of->aliases++, format);
  transpose(s, buffer, made, "columns");
  map_set_pointer(&s->strips_of, buffer.ptr, made.ptr);
  return made;
}

/* The buffer from which the kernel reads its group of another one. */
static MlirValue read_group(slice *s, MlirValue buffer) {
  void *found = map_get_pointer(&s->groups_of, buffer.ptr);
  if (found) return (MlirValue){found};
  const ir_type type = ir_type_of(buffer);
  const bool is_of_nodes = is_rows_of(type, "node");
  MlirValue made = is_of_nodes ? group_of(s, strips_of(s, buffer), type) : make_view(s, ir_defining_op(buffer));
  map_set_pointer(&s->groups_of, buffer.ptr, made.ptr);
  return made;
}

/* ---- the kernel of strips ---- */

/* Gives a copy of an operation the buffers and types of the group. */
static void cut(slice *s, MlirOperation op) {
  MlirContext context = s->of->p->context;
  if (ir_op_kind(op) == IR_OP(intra, load)) {
    MlirValue buffer = ir_operand(op, IR_IN(intra, load, buffer));
    if (ir_type_elements(ir_type_of(buffer)) > 1) ir_set_operand(op, IR_IN(intra, load, buffer), read_group(s, buffer));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    const ir_type type = ir_type_of(result);
    if (type.kind != IR_KIND_plain || ir_type_elements(type) == 1) continue;
    const ir_type group = group_type(type, s->strips, s->group);
    mlirValueSetType(result, ir_type_make(context, group));
    if (ir_op_kind(op) == IR_OP(gnn, reshape))
      ir_set_attr(op, "shape", ir_attr_integers(context, group.dims, group.rank));
  }
}

/* The value of the kernel of strips for one of the kernel; what is made outside kernels serves both. */
static MlirValue copy_of(slice *s, MlirValue value) {
  void *found = map_get_pointer(&s->values, value.ptr);
  if (found) return (MlirValue){found};
  if (!mlirBlockEqual(inter_value_block(value), ir_region_block(s->kernel))) return value;
  MlirOperation copy = mlirOperationClone(ir_defining_op(value));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
    mlirOperationSetOperand(copy, i, copy_of(s, mlirOperationGetOperand(copy, i)));
  cut(s, copy);
  mlirBlockAppendOwnedOperation(s->block, copy);
  map_set_pointer(&s->values, value.ptr, ir_result(copy).ptr);
  return ir_result(copy);
}

/* Copies the loop to the end of the kernel of strips. */
static MlirOperation copy_loop(slice *s) {
  MlirOperation copy = mlirOperationClone(s->loop);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(copy); i++)
    mlirOperationSetOperand(copy, i, copy_of(s, mlirOperationGetOperand(copy, i)));
  IR_FOR_EACH_OP(op, ir_region_block(copy)) {
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
      mlirOperationSetOperand(op, i, copy_of(s, mlirOperationGetOperand(op, i)));
    cut(s, op);
  }
  mlirBlockAppendOwnedOperation(s->block, copy);
  return copy;
}

/* Makes the kernel of a group of strips, which puts its results into columns[i]. */
static void make_group_kernel(slice *s, int64_t group, inter_ops results, const MlirValue *rows,
                              const MlirValue *columns) {
  MlirContext context = s->of->p->context;
  MlirValue cursor = inter_cursor_of(s->kernel);
  MlirType argument = mlirValueGetType(cursor);
  MlirLocation location = mlirOperationGetLocation(s->loop);
  MlirRegion region = ir_region_create(context, &argument, 1, location, &s->block);
  MlirValue own = mlirBlockGetArgument(s->block, 0);
  s->group = group;
  s->groups_of = s->values = (map){.arena = s->of->p->arena};
  map_set_pointer(&s->values, cursor.ptr, own.ptr);
  MlirOperation loop = copy_loop(s);
  ir_builder inside = ir_builder_at_end(s->block, location);
  for (size_t i = 0; i < results.count; i++) {
    MlirValue value = ir_build_result(&inside, loop, (unsigned)ir_get_integer(results.items[i], "index", 0));
    MlirValue stored[IR_MAX_OPERANDS] = {[IR_IN(intra, store, value)] = value,
                                         [IR_IN(intra, store, buffer)] = group_of(s, columns[i], ir_type_of(rows[i])),
                                         [IR_IN(intra, store, cursor)] = own};
    ir_build(&inside, IR_OP(intra, store), stored, (ir_attr[]){{NULL, {NULL}}}, (MlirRegion){NULL}, (MlirType){NULL});
  }
  ir_build_yield(&inside, NULL, 0);
  ir_builder b = ir_builder_before(s->before);
  b.location = location;
  MlirValue graph[IR_MAX_OPERANDS] = {[IR_IN(intra, traverse, graph)] = mlirOperationGetOperand(s->kernel, 0)};
  ir_build(&b, IR_OP(intra, traverse), graph,
           (ir_attr[]){{"domain", ir_attr_string(context, "node")},
                       {"mode", ir_attr_string(context, "columns")},
                       {"strips", ir_attr_integer(context, s->strips)},
                       {"group", ir_attr_integer(context, group)},
                       {NULL, {NULL}}},
           region, (MlirType){NULL});
}

/* The largest group: two ranks have half of the strips each. */
static int64_t largest_group(int64_t strips) {
  int64_t group = 1;
  while (2 * group <= (strips + 1) / 2) group *= 2;
  return group;
}

/* Makes the kernels of strips before the kernel of columns, with transpositions around them; rows[i] gets the rows of a result. */
static void make_strip_kernels(slice *s, MlirOperation before, inter_ops results, MlirValue *rows) {
  MlirContext context = s->of->p->context;
  MlirValue *columns = arena_alloc_array(s->of->p->arena, results.count + 1, sizeof *columns);
  const char *set = arena_printf(s->of->p->arena, "node:%s", ir_type_of(inter_cursor_of(s->kernel)).set);
  s->before = before;
  for (size_t i = 0; i < results.count; i++) {
    const char *given = ir_location_name(mlirOperationGetLocation(results.items[i]));
    const char *name = given && *given ? given : "sum";
    const ir_type like = {.kind = IR_KIND_buffer, .set = ir_intern(context, set)};
    rows[i] = make_rows(s->of, name, ir_type_with_payload(like, ir_type_of(ir_result(results.items[i]))));
    columns[i] = make_strips(s, strips_name(s, name), ir_type_of(rows[i]), 1, s->of->aliases++, (MlirAttribute){NULL});
  }
  for (int64_t group = largest_group(s->strips); group > 0; group /= 2)
    make_group_kernel(s, group, results, rows, columns);
  for (size_t i = 0; i < results.count; i++) transpose(s, rows[i], columns[i], "rows");
}

/* ---- the kernel of columns ---- */

static void erase_unused(MlirBlock block) {
  bool has_erased = true;
  while (has_erased) {
    has_erased = false;
    IR_FOR_EACH_OP_SAFE(op, block) {
      if (mlirOperationGetNumResults(op) != 1 || ir_value_has_uses(ir_result(op)) || !ir_op_is_removable(op)) continue;
      mlirOperationDestroy(op);
      has_erased = true;
    }
  }
}

/* Puts loads of rows in the place of the results of a loop. */
static void replace_loop(MlirOperation loop, inter_ops results, const MlirValue *rows, MlirValue cursor) {
  ir_builder b = ir_builder_before(loop);
  for (size_t i = 0; i < results.count; i++) {
    MlirValue operands[IR_MAX_OPERANDS] = {[IR_IN(intra, load, buffer)] = rows[i],
                                           [IR_IN(intra, load, cursor)] = cursor};
    b.location = mlirOperationGetLocation(results.items[i]);
    MlirValue row = ir_build_value(&b, IR_OP(intra, load), operands, (ir_attr[]){{NULL, {NULL}}});
    mlirValueReplaceAllUsesOfWith(ir_result(results.items[i]), row);
    mlirOperationDestroy(results.items[i]);
  }
  mlirOperationDestroy(loop);
}

static void slice_kernel(slicing *of, MlirOperation kernel, slice_list *slices) {
  MlirContext context = of->p->context;
  MlirOperation columns = mlirOperationClone(kernel);
  mlirBlockInsertOwnedOperationAfter(of->body, kernel, columns);
  ir_set_attr(kernel, "mode", ir_attr_string(context, "rows"));
  ir_set_attr(columns, "mode", ir_attr_string(context, "columns"));
  inter_ops loops = {0};
  IR_FOR_EACH_OP(op, ir_region_block(columns))
    if (is_over_edges(op)) VEC_PUSH(of->p->arena, &loops, op);
  for (size_t i = 0; i < slices->count; i++) {
    slice *s = &slices->items[i];
    const inter_ops results = inter_results_of(of->p, s->loop), copies = inter_results_of(of->p, loops.items[i]);
    MlirValue *rows = arena_alloc_array(of->p->arena, results.count + 1, sizeof *rows);
    pass_remark(of->p, s->loop, "ranks that have columns compute this by %lld strips", (long long)s->strips);
    make_strip_kernels(s, columns, results, rows);
    replace_loop(loops.items[i], copies, rows, inter_cursor_of(columns));
  }
  erase_unused(ir_region_block(columns));
  of->p->changed++;
}

static void find_row_of_source(MlirOperation op, void *user) {
  bool *is_found = user;
  if (ir_op_kind(op) != IR_OP(intra, load)) return;
  MlirValue cursor = ir_operand(op, IR_IN(intra, load, cursor));
  if (mlirValueIsNull(cursor) || mlirValueIsABlockArgument(cursor)) return;
  const bool is_source = ir_op_kind(ir_defining_op(cursor)) == IR_OP(inter, src);
  *is_found |= is_source && ir_type_elements(ir_type_of(ir_operand(op, IR_IN(intra, load, buffer)))) > 1;
}

/* Says of a kernel that is not sliced that it reads whole rows of all nodes. */
static void explain(slicing *of, MlirOperation kernel) {
  bool reads_sources = false;
  MlirBlock body = ir_region_block(kernel);
  if (!mlirBlockIsNull(body)) inter_walk(body, find_row_of_source, &reads_sources);
  if (reads_sources) pass_remark(of->p, kernel, "ranks that have columns get whole rows of all nodes for this");
}

/* Whether bind stores values of edges for some edges alone. */
static void note_partial_edges(MlirOperation op, void *user) {
  bool *is_whole = user;
  const ir_op kind = ir_op_kind(op);
  if (kind == IR_OP(intra, order) || kind == IR_OP(intra, place_first)) *is_whole = false;
  if (kind != IR_OP(intra, store)) return;
  MlirValue cursor = ir_operand(op, IR_IN(intra, store, cursor));
  if (mlirValueIsNull(cursor) || strcmp(ir_type_of(cursor).detail, "edge") != 0) return;
  *is_whole &= intra_edges_of(cursor) == INTRA_EDGES_all;
}

bool pass_run_slice_columns(MlirOperation root, pass_context *p) {
  MlirOperation run = inter_find_phase(root, "run"), bind = inter_find_phase(root, "bind");
  if (mlirOperationIsNull(run) || ir_get_bool(root, "gnn.training"))
    return inter_refuse(p, root, "--ranks=columns: ranks have columns in inference alone; --ranks makes a training");
  slicing of = {.p = p, .body = ir_func_body(run), .has_whole_edges = true};
  bool has_slices = false;
  intra_rank_needs needs = {.whole_graphs = false};
  intra_find_rank_needs(of.body, &needs);
  if (!mlirOperationIsNull(bind)) {
    intra_find_rank_needs(ir_func_body(bind), &needs);
    inter_walk(ir_func_body(bind), note_partial_edges, &of.has_whole_edges);
  }
  if (needs.out_edges)
    return inter_refuse(
        p, run,
        "--ranks=columns: the model reads edges out of nodes; --ranks makes a program for ranks that have rows");
  IR_FOR_EACH_OP(op, of.body) {
    const ir_op kind = ir_op_kind(op);
    if (kind == IR_OP(intra, graph) || kind == IR_OP(intra, buffer)) continue;
    of.before_kernels = op;
    break;
  }
  IR_FOR_EACH_OP_SAFE(op, of.body) {
    slice_list slices = {0};
    const bool is_sliced = find_slices(&of, op, &slices);
    has_slices |= is_sliced;
    if (is_sliced)
      slice_kernel(&of, op, &slices);
    else
      explain(&of, op);
  }
  if (has_slices) ir_set_attr(root, "gnn.columns", ir_attr_bool(p->context, true));
  return true;
}
