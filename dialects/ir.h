/* The interface to MLIR: all other files use IR through this header.
 *
 * It includes mlir-c and adds what dynamic (IRDL) dialects lack in C: decoded types, builders with
 * named operands, inference of result types, purity, and a verifier with messages in the words of
 * the model. All of this, and the IRDL text, is made from the tables <dialect>_ops.def. */
#ifndef GNNC_DIALECTS_IR_H
#define GNNC_DIALECTS_IR_H

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/IRDL.h>
#include <mlir-c/Dialect/MLProgram.h>
#include <mlir-c/Dialect/SMT.h>
#include <mlir-c/IR.h>
#include <mlir-c/Pass.h>
#include <mlir-c/Support.h>
#include <mlir-c/Transforms.h>

#include "support/elementwise.h"
#include "support/text.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- context ---------------------------------------------------------------------------------------------------- */

/* Creates a single-threaded context with func, ml_program, smt and our dialects loaded. The caller
 * destroys it with ir_context_destroy. */
MlirContext ir_context_create(void);
void ir_context_destroy(MlirContext context);

/* ---- operations ------------------------------------------------------------------------------------------------- */

/* GNN_linear, INTER_for_nodes, INTRA_gemm, ...; IR_OTHER for operations of other dialects. */
typedef enum ir_op { // NOLINT(cert-int09-c): the rows are numbered in their order
#define OP(dialect, name, traits, summary, doc) IR_OP_##dialect##_##name,
#include "dialects/ops.def"
  IR_OP_COUNT,
  IR_OTHER = IR_OP_COUNT
} ir_op;
/* Positions of operands: IR_IN_gnn_linear_bias is 2, the declared position, which counts absent
 * optional operands too. */
enum { // NOLINT(cert-int09-c): each operation begins again at 0
#define OP(dialect, name, traits, summary, doc) IR_IN_##dialect##_##name##_START_ = -1,
#define IN(dialect, op, name, kind, presence) IR_IN_##dialect##_##op##_##name,
#define END(dialect, op) IR_IN_##dialect##_##op##_COUNT,
#include "dialects/ops.def"
};
/* Short spellings, used everywhere: IR_OP(gnn, linear), IR_IN(gnn, linear, bias). */
#define IR_OP(dialect, name) IR_OP_##dialect##_##name
#define IR_IN(dialect, op, name) IR_IN_##dialect##_##op##_##name

enum { IR_MAX_OPERANDS = 16, IR_MAX_RANK = 6 };

typedef struct ir_operand_info {
  const char *name;
  const char *kind;
  bool is_optional;
} ir_operand_info;

typedef struct ir_attribute_info {
  const char *name;
  const char *type;
  bool is_optional;
  const char *choices; /* "sum|mean|max|min", or "unary" or "binary" */
} ir_attribute_info;

typedef struct ir_op_info {
  const char *name; /* "gnn.linear" */
  const char *summary;
  const char *doc;
  const ir_operand_info *operands;
  const ir_attribute_info *attributes;
  const char *result_kind; /* NULL: no result */
  const char *region_name; /* NULL: no region */
  unsigned operand_count;
  unsigned attribute_count;
  bool is_pure;
  bool is_read; /* it reads memory: it may be erased when unused, but not merged with an equal one */
} ir_op_info;

/* The row of an operation, which must be one of ours. */
const ir_op_info *ir_op_info_get(ir_op op);
/* Which operation of ours it is, or IR_OTHER; in constant time. */
ir_op ir_op_kind(MlirOperation op);
/* Whether an operation has no effects: a pure one of ours (without region, or with pure operations
 * in it), or a load of a weight. */
bool ir_op_is_pure(MlirOperation op);
/* Whether an operation without uses may be erased: pure ones, reads of memory, and loops of such
 * operations. */
bool ir_op_is_removable(MlirOperation op);
/* Whether an operation of the gnn level computes each row from the same row of its operands, from
 * payloads alone: f(gather(x)) = gather(f(x)), and the same for slices and expands. */
bool ir_op_is_row_wise(ir_op op);
/* Whether an operation is an element-wise one of the gnn level with two operands: a function of two
 * numbers in support/elementwise.def. */
bool ir_op_is_binary(ir_op op);
/* The full name, "func.func" or "gnn.linear"; valid while the context lives. */
const char *ir_op_name(MlirOperation op);

/* ---- types ------------------------------------------------------------------------------------------------------ */

typedef enum ir_kind {
  IR_KIND_plain,     /* f32, tensor<64x32xf32>, i32, tensor<9xi32>      the payload itself        */
  IR_KIND_node,      /* !gnn.node<"g", tensor<64xf32>>                                            */
  IR_KIND_edge,      /* !gnn.edge<"g.replace", f32>                                               */
  IR_KIND_per,       /* !gnn.per<"etype", tensor<64x64xf32>>: IR_PER_KINDS, set = etype ...       */
  IR_KIND_sparse,    /* !gnn.sparse<"g", tensor<1433xf32>>              node rows stored as CSR   */
  IR_KIND_graph,     /* !gnn.graph<"g">                                                           */
  IR_KIND_cursor,    /* !inter.cursor<"node", "g">: IR_CURSOR_KINDS     detail = node|edge|...    */
  IR_KIND_results,   /* !inter.results                                                            */
  IR_KIND_buffer,    /* !intra.memory<"node:g", tensor<64xf32>>         set = node:g              */
  IR_KIND_rows,      /* !device.rows<"g", 64>                       rank 1: {64}              */
  IR_KIND_edge_list, /* !device.edge_list<"g", "g.edges">          set = from, detail = to   */
  IR_KIND_values,    /* !device.values<"g", "g", 8>                 the same; rank 1: {8}     */
  IR_KIND_other,
} ir_kind;

/* The kinds of things that a value can have one payload per, and that a cursor can be at, as
 * choices of the tables. */
#define IR_PER_KINDS "etype|ntype|graph|etype_src|etype_dst|piece"
/* Rows per "piece": sums over all nodes are cut into this many pieces of consecutive nodes, whatever
 * the number of threads. */
enum { IR_PIECES = 64 };
#define IR_CURSOR_KINDS "node|edge|nonzero|" IR_PER_KINDS
/* The kinds of device.edges with at most one edge per destination. collapse_src and collapse_dst are
 * none of them: a pair has several edges. */
#define IR_COPY_KINDS                                                                                                  \
  "gather_src|gather_dst|expand|type_edge|type_node|unpool|part|unite|others|extend|opposite|broadcast"
/* The index of `word` in the choices "a|b|c"; -1 for another word. The choice "unary" stands for
 * the functions of one number in support/elementwise.def, "binary" for those of two numbers that
 * have no operation of their own. */
int ir_choice_find(const char *choices, const char *word);
bool ir_choice_has(const char *choices, const char *word);
/* Appends the choices for a message: "sum, mean, max or min". */
void ir_choices_print(text *out, const char *choices);

/* A decoded type. `set` and `detail` are interned for the life of the context. An element of dims
 * may be MLIR's dynamic size. */
typedef struct ir_type {
  ir_kind kind;
  const char *set;
  const char *detail;
  unsigned rank;   /* of the payload; 0: f32 or i32 */
  bool is_integer; /* the elements of the payload are i32 instead of f32 */
  int64_t dims[IR_MAX_RANK];
} ir_type;

ir_type ir_type_get(MlirType type);
ir_type ir_type_of(MlirValue value);
MlirType ir_type_make(MlirContext context, ir_type type);
/* The payload alone, as a plain type. */
ir_type ir_type_payload(ir_type type);
/* The type with the payload of `payload` in the place of its own. */
ir_type ir_type_with_payload(ir_type type, ir_type payload);
bool ir_type_equal(ir_type a, ir_type b);
bool ir_payload_equal(ir_type a, ir_type b);
/* The number of elements of the payload: 1 for f32, 64 for tensor<64xf32>. */
int64_t ir_type_elements(ir_type type);
/* The node set of an edge set: "g" for "g.replace". Interned. */
const char *ir_node_set(MlirContext context, const char *set);
/* The set from which an operation made an edge set: "g" for "g.replace"; NULL
 * for a set of the user. Interned. */
const char *ir_base_set(MlirContext context, const char *set);
/* Whether an edge set is made while the model runs: one of gnn.near_edges or gnn.induced_edges, or made from such a
 * set, as "g.knn_0.replace". */
bool ir_is_run_set(const char *set);
/* The end that the edges of a unique set have: "src" for "g.unique_src", "dst" for "g.unique_dst";
 * NULL for other sets. */
const char *ir_unique_end(const char *set);
/* The unique set of an end: "g.unique_src" for "g". Interned. */
const char *ir_unique_set(MlirContext context, const char *set, const char *end);
/* Nodes of one type: the set of all nodes, "g" for "g:2", NULL if the set has all nodes; the type,
 * or -1; and the set of a type, "g:2" for "g". Interned. */
const char *ir_whole_set(MlirContext context, const char *set);
int64_t ir_part_type(const char *set);
const char *ir_part_set(MlirContext context, const char *set, int64_t type);
/* The rows of device memory with one element per edge of a set: "g.edges" for "g". Interned. */
const char *ir_edge_rows(MlirContext context, const char *set);
/* Appends a type for messages, as the language writes it: "f32[64]", "node f32[64]". */
void ir_type_print(text *out, ir_type type);

/* Common types. */
ir_type ir_type_plain(unsigned rank, const int64_t *dims);
ir_type ir_type_graph(const char *set);
ir_type ir_type_cursor(const char *kind, const char *set);
ir_type ir_type_rows(const char *set, int64_t width);
ir_type ir_type_edge_list(const char *from, const char *to);
ir_type ir_type_values(const char *from, const char *to, int64_t heads);

/* ---- building --------------------------------------------------------------------------------------------------- */

/* The place of new operations: before `before`, or at the end of `block` if that is null. */
typedef struct ir_builder {
  MlirContext context;
  MlirBlock block;
  MlirOperation before;
  MlirLocation location;
} ir_builder;

ir_builder ir_builder_at_end(MlirBlock block, MlirLocation location);
ir_builder ir_builder_before(MlirOperation op); /* location of op */

/* One attribute; it is left out if its value is null. Lists end with {NULL, {NULL}}. */
typedef struct ir_attr {
  const char *name;
  MlirAttribute value;
} ir_attr;
MlirAttribute ir_attr_string(MlirContext context, const char *value);
MlirAttribute ir_attr_float(MlirContext context, double value);    /* f64 */
MlirAttribute ir_attr_integer(MlirContext context, int64_t value); /* i64 */
/* true: unit attribute; false: null, which leaves the attribute out */
MlirAttribute ir_attr_bool(MlirContext context, bool value);
MlirAttribute ir_attr_integers(MlirContext context, const int64_t *values, size_t count);
MlirAttribute ir_attr_strings(MlirContext context, const char *const *values, size_t count);

/* Builds an operation of ours. `operands` has one entry for each declared operand; null: absent.
 * The result type is inferred; on a shape or domain error the reason is reported as an MLIR error
 * at the location, and the result is a null operation. `result` gives the type where inference
 * cannot know it (inter.result can; intra.buffer and intra.load of dynamic rows cannot); null:
 * infer it. `region` may be null for operations without one; it is taken over, also on error. */
MlirOperation ir_build(const ir_builder *b, ir_op op, const MlirValue *operands, const ir_attr *attributes,
                       MlirRegion region, MlirType result);
/* The same for operations with one result and no region; returns the value, null on error. */
MlirValue ir_build_value(const ir_builder *b, ir_op op, const MlirValue *operands, const ir_attr *attributes);

/* Creates a region for a loop body, with one block that has arguments of these types. The caller
 * ends the block with smt.yield. */
MlirRegion ir_region_create(MlirContext context, const MlirType *arguments, size_t count, MlirLocation location,
                            MlirBlock *block);
/* Appends smt.yield of the values. */
void ir_build_yield(const ir_builder *b, const MlirValue *values, size_t count);
/* Builds inter.result number `index` of a loop. */
MlirValue ir_build_result(const ir_builder *b, MlirOperation loop, unsigned index);

/* Builds func.func @name with an empty entry block, which is *body. */
MlirOperation ir_build_func(const ir_builder *b, const char *name, const MlirType *arguments, size_t argument_count,
                            const MlirType *results, size_t result_count, MlirBlock *body);
void ir_build_return(const ir_builder *b, const MlirValue *values, size_t count);
/* Functions, by position of the argument or result: dictionary attributes such as {gnn.name =
 * "x"}. */
void ir_func_set_arg_attr(MlirOperation func, size_t index, const char *name, MlirAttribute value);
void ir_func_set_result_attr(MlirOperation func, size_t index, const char *name, MlirAttribute value);
MlirAttribute ir_func_arg_attr(MlirOperation func, size_t index, const char *name);    /* null = absent */
MlirAttribute ir_func_result_attr(MlirOperation func, size_t index, const char *name); /* null = absent */
MlirBlock ir_func_body(MlirOperation func);
const char *ir_func_name(MlirOperation func);
/* The first func.func with a body in a module, and the next one after `func`; null at the end. */
MlirOperation ir_func_first(MlirOperation module);
MlirOperation ir_func_next(MlirOperation func);
/* Loops over the functions that have a body; declares `func`. */
#define IR_FOR_EACH_FUNC(func, module)                                                                                 \
  for (MlirOperation func = ir_func_first(module); !mlirOperationIsNull(func); func = ir_func_next(func))

/* Weights: ml_program.global private @conv1.weight(#ml_program.extern) : T {gnn.from =
 * "conv1.lin.weight"} with further attributes (gnn.transposed, gnn.count = rows of a per-type
 * weight), and loads of it. */
MlirOperation ir_build_weight(const ir_builder *b, const char *symbol, MlirType type, const ir_attr *attributes);
MlirValue ir_build_weight_load(const ir_builder *b, const char *symbol, MlirType type);
/* Whether an operation is an ml_program.global. */
bool ir_is_weight(MlirOperation op);
/* The symbol that a load names; NULL for other operations. And the global of that name in the
 * module; null if none. */
const char *ir_weight_symbol(MlirOperation load);
MlirOperation ir_weight_find(MlirOperation module, const char *symbol);

/* ---- reading ---------------------------------------------------------------------------------------------------- */

/* The operand at a declared position; null where an optional one is absent. */
MlirValue ir_operand(MlirOperation op, int declared_position);
/* All operands by declared position; absent ones are null. */
void ir_operands(MlirOperation op, MlirValue operands[IR_MAX_OPERANDS]);
void ir_set_operand(MlirOperation op, int declared_position, MlirValue value); /* the operand must be present */
/* Any attribute; null: absent. And sets one, replacing an old value. */
MlirAttribute ir_get_attr(MlirOperation op, const char *name);
void ir_set_attr(MlirOperation op, const char *name, MlirAttribute value);
/* The value of a string attribute, interned for the life of the context; NULL for null and for
 * other attributes. */
const char *ir_string_of(MlirAttribute attribute);
/* The values of attributes; the fallback where absent. Strings are interned for the life of the
 * context. */
const char *ir_get_string(MlirOperation op, const char *name, const char *fallback);
/* Whether the attribute is present and equals `value`. */
bool ir_string_is(MlirOperation op, const char *name, const char *value);
double ir_get_float(MlirOperation op, const char *name, double fallback);
int64_t ir_get_integer(MlirOperation op, const char *name, int64_t fallback);
bool ir_get_bool(MlirOperation op, const char *name);
size_t ir_get_array_size(MlirOperation op, const char *name);
const char *ir_get_string_at(MlirOperation op, const char *name, size_t index);
int64_t ir_get_integer_at(MlirOperation op, const char *name, size_t index);

/* The function of support/elementwise.def that an operation applies to each element of its result:
 * 'function' of gnn.activation and gnn.derivative, 'activation' of a layer. UNARY_none where it applies none, and
 * after reporting an unknown name. */
elementwise_unary ir_unary_of(MlirOperation op);
/* Number `which` (0 or 1) of this function; the default of its row where the attribute is absent, 0
 * where the function does not take it. */
double ir_unary_number(MlirOperation op, int which);
/* The function of an operation with two operands: BINARY_add for gnn.vector_add, the predicate of
 * gnn.compare, the function of gnn.binary. BINARY_none for other operations, and after reporting an
 * unknown name. */
elementwise_binary ir_binary_of(MlirOperation op);
/* The function that `from` applies, as attribute `as` ("function" or "activation") with its
 * numbers. All other numbers are in the list with a null value, which removes them; all of it has
 * null values where `from` is null or applies no function. The list ends with {NULL, {NULL}}. */
enum { IR_UNARY_ATTRIBUTES = 8 };
void ir_unary_attributes(MlirOperation from, const char *as, ir_attr out[IR_UNARY_ATTRIBUTES]);

MlirValue ir_result(MlirOperation op);         /* its only result */
MlirOperation ir_defining_op(MlirValue value); /* null for block arguments */
bool ir_value_is_null(MlirValue value);
bool ir_value_has_uses(MlirValue value);
bool ir_value_has_one_use(MlirValue value);
size_t ir_value_use_count(MlirValue value);
/* Of a buffer of the intra level: whether its numbers are bf16 in memory; and whether all operations that use it can
 * read and write such numbers. */
bool ir_buffer_is_bf16(MlirValue buffer);
bool ir_buffer_may_be_bf16(MlirValue buffer);
MlirBlock ir_region_block(MlirOperation op); /* null if it has none */
MlirOperation ir_block_terminator(MlirBlock block);
MlirOperation ir_op_next(MlirOperation op); /* null for the last one of a block, and for null */

/* Loops over the operations of a block; they declare `op`. An operation that the body inserts after
 * `op` is visited too. In the body of the safe form `op` may be erased or moved, because the next
 * operation is read first. The last form stops before `end`. */
#define IR_FOR_EACH_OP(op, block)                                                                                      \
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op); op = ir_op_next(op))
#define IR_FOR_EACH_OP_SAFE(op, block)                                                                                 \
  for (MlirOperation op = mlirBlockGetFirstOperation(block), op##_next = ir_op_next(op); !mlirOperationIsNull(op);     \
       op = op##_next, op##_next = ir_op_next(op))
#define IR_FOR_EACH_OP_BEFORE(op, block, end)                                                                          \
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, end); op = ir_op_next(op))
/* Loops over the uses of a value; declares `use`. */
#define IR_FOR_EACH_USE(use, value)                                                                                    \
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
/* Interns a string for the life of the context. */
const char *ir_intern(MlirContext context, const char *s);

/* The name of a value or operation (NameLoc), NULL if none; and its place in the model: file, line,
 * column (0: unknown). */
const char *ir_location_name(MlirLocation location);
bool ir_location_position(MlirLocation location, const char **file, unsigned *line, unsigned *column);
/* The file as outputs name it, independent of folders: "gcn.gnn", or "library/gcn_conv.gnn" for the
 * layer library. */
const char *ir_location_shown_file(const char *file);
MlirLocation ir_location_make(MlirContext context, const char *name, const char *file, unsigned line, unsigned column);

/* ---- printing and verifying ------------------------------------------------------------------------------------- */

/* Prints an operation with value names from locations; constants with more than 32 elements are
 * elided. `with_locations` adds loc(...). */
void ir_print(MlirOperation op, bool with_locations, text *out);
/* Prints a module for a fingerprint: its operations, attributes and types, without names and places of values and without the name of
 * the source file. */
void ir_print_meaning(MlirOperation module, text *out);
/* Prints a module as a graph in Graphviz's language: a node per operation, clusters for calls of
 * layers and for loops, edges with types. */
void ir_print_dot(MlirOperation module, text *out);
/* Parses `size` bytes, which a NUL must follow, and verifies; the caller destroys the module. Null
 * after errors, which name the text "-". Brackets may nest at most 200 deep. */
MlirModule ir_parse(MlirContext context, const char *ir, size_t size);
/* MLIR's verifier, then ours (types by inference, attributes, yields). Errors go to the diagnostic
 * handler. */
bool ir_verify(MlirOperation root);
/* The IRDL text of one dialect ("gnn" "inter" "intra" "device"), or of all together (NULL), for
 * mlir-opt --irdl-file. A dialect may name types of the dialects before it. NULL for an unknown
 * dialect. */
const char *ir_irdl_text(const char *dialect);
/* Infers the result type of an existing operation from its operands and attributes. False after
 * reporting an error. */
bool ir_infer(MlirOperation op, ir_type *result);

#endif
