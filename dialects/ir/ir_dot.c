/* Prints IR as a graph for Graphviz: a node per operation, an edge per operand.
 *
 *   subgraph cluster_1 { label="conv1";
 *     n3 [label="conv1.z\ngnn.linear transposed\nnode f32[8]", tooltip="library/gcn_conv.gnn:8:11"];
 *   }
 *   n1 -> n3 [label="node f32[34]"];
 *
 * Operations of a call of a layer are in a cluster with its name: the name of a value without its
 * last part. Operations without a name, inside of an expression, belong to the call that uses them,
 * if they are of the same file. A loop is a cluster with its body and its own node, which the
 * yielded values enter. */
#include "dialects/ir/ir_private.h"
#include "support/map.h"
#include "support/vec.h"

#include <string.h>

enum { LONGEST_ATTRIBUTE = 40, DEEPEST_CALL = 16 };

typedef struct edge {
  MlirValue value;
  int64_t to;
} edge;

typedef struct dot {
  arena *arena;
  text *out;
  VEC(edge) edges; /* are printed behind all nodes */
  map nodes;       /* value or operation -> its number */
  map calls;       /* operation at the top of a function -> the name of its call, "" for none */
  map known_calls; /* the names of all calls */
  map weights;     /* the names of all weights */
  int64_t next_node, next_cluster;
  int depth;
} dot;

static void indent(dot *d) {
  for (int i = 0; i < d->depth; i++) text_append(d->out, "  ");
}

/* Appends a text between quotes. */
static void quote(text *out, const char *s) {
  for (; *s; s++) {
    if (*s == '"' || *s == '\\') text_append(out, "\\");
    if (*s == '\n')
      text_append(out, "\\n");
    else
      text_append_bytes(out, s, 1);
  }
}

static void begin_cluster(dot *d, const char *label) {
  indent(d);
  text_printf(d->out, "subgraph cluster_%lld {\n", (long long)d->next_cluster++);
  d->depth++;
  indent(d);
  text_append(d->out, "label=\"");
  quote(d->out, label);
  text_append(d->out, "\";\n");
}

static void end_cluster(dot *d) {
  d->depth--;
  indent(d);
  text_append(d->out, "}\n");
}

/* ---- nodes and edges ---- */

/* Prints a node and returns its number. `style` is further attributes of Graphviz. */
static int64_t print_node(dot *d, const char *label, MlirLocation location, const char *style) {
  const char *file;
  unsigned line, column;
  indent(d);
  text_printf(d->out, "n%lld [label=\"", (long long)d->next_node);
  quote(d->out, label);
  text_append(d->out, "\"");
  if (ir_location_position(location, &file, &line, &column)) {
    text_append(d->out, ", tooltip=\"");
    quote(d->out, ir_location_shown_file(file));
    text_printf(d->out, ":%u:%u\"", line, column);
  }
  text_printf(d->out, "%s];\n", style);
  return d->next_node++;
}

static void print_type(text *out, MlirValue value) {
  ir_type_print(out, ir_type_of(value));
}

static void add_edge(dot *d, MlirValue value, int64_t to) {
  VEC_PUSH(d->arena, &d->edges, (edge){value, to});
}

/* Prints an edge. A cursor only says where a loop is. */
static void print_edge(dot *d, const edge *e) {
  int64_t from = map_get(&d->nodes, e->value.ptr, -1);
  if (from < 0) return;
  text_printf(d->out, "  n%lld -> n%lld [", (long long)from, (long long)e->to);
  if (ir_type_of(e->value).kind == IR_KIND_cursor) {
    text_append(d->out, "style=dotted];\n");
    return;
  }
  text type = {0};
  print_type(&type, e->value);
  text_append(d->out, "label=\"");
  quote(d->out, text_str(&type));
  text_append(d->out, "\"];\n");
  text_free(&type);
}

/* Appends " function=relu transposed": the attributes that say what the operation does. */
static void print_attributes(text *out, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); i++) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(named.name);
    if (!strncmp(name.data, "operandSegmentSizes", name.length)) continue;
    text_printf(out, " %.*s", (int)name.length, name.data);
    if (mlirAttributeIsAUnit(named.attribute)) continue;
    text value = {0};
    if (mlirAttributeIsAInteger(named.attribute)) {
      text_printf(&value, "%lld", (long long)mlirIntegerAttrGetValueInt(named.attribute));
    } else if (mlirAttributeIsAFloat(named.attribute)) {
      text_printf(&value, "%g", mlirFloatAttrGetValueDouble(named.attribute));
    } else if (mlirAttributeIsAString(named.attribute)) {
      MlirStringRef s = mlirStringAttrGetValue(named.attribute);
      text_append_bytes(&value, s.data, s.length);
    } else {
      mlirAttributePrint(named.attribute, ir_text_callback, &value);
    }
    bool is_long = value.size > LONGEST_ATTRIBUTE;
    text_printf(out, "=%.*s%s", is_long ? LONGEST_ATTRIBUTE : (int)value.size, text_str(&value), is_long ? "..." : "");
    text_free(&value);
  }
}

/* Returns the label of an operation, in the arena: name, operation with attributes, and types unless
 * it is a loop. */
static const char *make_label(dot *d, MlirOperation op) {
  text label = {0};
  const char *name = ir_location_name(mlirOperationGetLocation(op)), *symbol = ir_weight_symbol(op);
  if (name) text_printf(&label, "%s\n", name);
  if (symbol) {
    text_append(&label, "weight");
  } else {
    text_append(&label, ir_op_name(op));
    print_attributes(&label, op);
  }
  bool is_loop = !mlirBlockIsNull(ir_region_block(op));
  for (intptr_t i = 0; !is_loop && i < mlirOperationGetNumResults(op); i++) {
    text_append(&label, "\n");
    print_type(&label, mlirOperationGetResult(op, i));
  }
  return text_keep(&label, d->arena);
}

static void print_argument(dot *d, MlirValue argument, const char *name) {
  text label = {0};
  text_printf(&label, "%s%s", name ? name : "", name ? "\n" : "");
  print_type(&label, argument);
  int64_t number = print_node(
      d, text_str(&label), mlirLocationUnknownGet(mlirTypeGetContext(mlirValueGetType(argument))), ", shape=ellipse");
  map_set(&d->nodes, argument.ptr, number);
  text_free(&label);
}

static void print_operation(dot *d, MlirOperation op);

static void print_loop_body(dot *d, MlirOperation op, const char *label) {
  begin_cluster(d, label);
  MlirBlock body = ir_region_block(op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++) print_argument(d, mlirBlockGetArgument(body, i), NULL);
  IR_FOR_EACH_OP(inner, body) print_operation(d, inner);
}

/* Prints an operation with its body and notes the edges into it. The values that a body yields enter
 * the node of the loop, so that the end of the body needs none. */
static void print_operation(dot *d, MlirOperation op) {
  bool is_loop = !mlirBlockIsNull(ir_region_block(op));
  if (mlirOperationEqual(ir_block_terminator(mlirOperationGetBlock(op)), op)) return;
  const char *label = make_label(d, op);
  if (is_loop) print_loop_body(d, op, label);
  int64_t number = print_node(d, is_loop ? "results" : label, mlirOperationGetLocation(op),
                              ir_weight_symbol(op) ? ", style=filled, fillcolor=lightgrey" : "");
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    map_set(&d->nodes, mlirOperationGetResult(op, i).ptr, number);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) add_edge(d, mlirOperationGetOperand(op, i), number);
  if (!is_loop) return;
  MlirOperation yield = ir_block_terminator(ir_region_block(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++)
    add_edge(d, mlirOperationGetOperand(yield, i), number);
  end_cluster(d);
}

/* ---- calls of layers ---- */

static const char *find_call(const dot *d, MlirOperation op) {
  const char *call = map_get_pointer(&d->calls, op.ptr);
  return call ? call : "";
}

/* Returns a name without its last part, "conv1" for "conv1.z", in the arena. */
static const char *drop_last(dot *d, const char *name) {
  const char *last = strrchr(name, '.');
  return last ? arena_strndup(d->arena, name, (size_t)(last - name)) : "";
}

/* Returns the call of a name: it without its last part, and of at most 16 parts, as names may have
 * any number of points. */
static const char *name_call(dot *d, const char *name) {
  const char *end = name;
  for (int i = 0; i < DEEPEST_CALL && *end; i++) end += strcspn(end + 1, ".") + 1;
  return *end ? arena_strndup(d->arena, name, (size_t)(end - name)) : drop_last(d, name);
}

/* Returns the name of an operation, or that of the weight that it loads or prepares. */
static const char *find_name(const dot *d, MlirOperation op, bool *is_weight) {
  const char *name = ir_location_name(mlirOperationGetLocation(op)), *symbol = ir_weight_symbol(op);
  *is_weight = symbol || (name && map_get(&d->weights, name, 0));
  return symbol ? symbol : name;
}

/* Gives the operations with names their calls. */
static void name_calls(dot *d, MlirBlock body) {
  bool is_weight;
  IR_FOR_EACH_OP(op, body) {
    const char *name = find_name(d, op, &is_weight);
    if (!name || is_weight) continue;
    const char *call = name_call(d, name);
    map_set_pointer(&d->calls, op.ptr, call);
    for (; *call; call = drop_last(d, call)) map_set(&d->known_calls, call, 1);
  }
}

/* Gives operations of weights the longest call that their name begins with. */
static void name_calls_of_weights(dot *d, MlirBlock body) {
  bool is_weight;
  IR_FOR_EACH_OP(op, body) {
    const char *call = find_name(d, op, &is_weight);
    if (!is_weight) continue;
    call = name_call(d, call);
    while (*call && !map_get(&d->known_calls, call, 0)) call = drop_last(d, call);
    map_set_pointer(&d->calls, op.ptr, call);
  }
}

static const char *find_file(MlirOperation op) {
  const char *file;
  unsigned line, column;
  return ir_location_position(mlirOperationGetLocation(op), &file, &line, &column) ? file : "";
}

/* Gives the operands of an operation, and of its body, its call where they have no name and are of
 * the same file. */
static void share_call(dot *d, MlirOperation op, const char *call) {
  for (intptr_t k = 0; k < mlirOperationGetNumOperands(op); k++) {
    MlirOperation operand = ir_defining_op(mlirOperationGetOperand(op, k));
    if (mlirOperationIsNull(operand) || ir_location_name(mlirOperationGetLocation(operand))) continue;
    if (!strcmp(find_file(operand), find_file(op))) map_set_pointer(&d->calls, operand.ptr, call);
  }
  MlirBlock body = ir_region_block(op);
  if (mlirBlockIsNull(body)) return;
  IR_FOR_EACH_OP(inner, body) share_call(d, inner, call);
}

/* Gives operations without a name the call of their first user of the same file. */
static void inherit_calls(dot *d, MlirBlock body) {
  VEC(MlirOperation) order = {0};
  IR_FOR_EACH_OP(op, body) VEC_PUSH(d->arena, &order, op);
  for (size_t i = order.count; i-- > 0;) share_call(d, order.items[i], find_call(d, order.items[i]));
}

/* Whether a call is inside of another one: "a.b.c" in "a"; every call is in "". */
static bool is_inside(const char *call, const char *outer) {
  size_t length = strlen(outer);
  return !length ? *call != '\0' : !strncmp(call, outer, length) && call[length] == '.';
}

/* Prints the operations of a call, then the calls inside of it, in the order of their first
 * operation. */
static void print_calls(dot *d, MlirBlock body, const char *outer) {
  map printed = {.arena = d->arena, .of_strings = true};
  IR_FOR_EACH_OP(op, body) {
    if (!strcmp(find_call(d, op), outer)) print_operation(d, op);
  }
  size_t length = *outer ? strlen(outer) + 1 : 0;
  IR_FOR_EACH_OP(op, body) {
    const char *call = find_call(d, op);
    if (!is_inside(call, outer)) continue;
    const char *inner = arena_strndup(d->arena, call, length + strcspn(call + length, "."));
    if (map_get(&printed, inner, 0)) continue;
    map_set(&printed, inner, 1);
    begin_cluster(d, inner);
    print_calls(d, body, inner);
    end_cluster(d);
  }
}

/* ---- functions ---- */

static void print_outputs(dot *d, MlirOperation func) {
  MlirOperation end = ir_block_terminator(ir_func_body(func));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
    const char *name = ir_string_of(ir_func_result_attr(func, (size_t)i, "gnn.name"));
    add_edge(d, mlirOperationGetOperand(end, i),
             print_node(d, name ? name : "result", mlirOperationGetLocation(end), ", shape=ellipse"));
  }
}

static void print_function(dot *d, MlirOperation func) {
  MlirBlock body = ir_func_body(func);
  begin_cluster(d, ir_func_name(func));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    print_argument(d, mlirBlockGetArgument(body, i), ir_string_of(ir_func_arg_attr(func, (size_t)i, "gnn.name")));
  name_calls_of_weights(d, body);
  inherit_calls(d, body);
  print_calls(d, body, "");
  print_outputs(d, func);
  end_cluster(d);
}

void ir_print_dot(MlirOperation module, text *out) {
  dot d = {.arena = arena_create(), .out = out, .depth = 1};
  d.nodes = d.calls = (map){.arena = d.arena};
  d.known_calls = d.weights = (map){.arena = d.arena, .of_strings = true};
  IR_FOR_EACH_OP(op, mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0))) {
    if (ir_is_weight(op)) map_set(&d.weights, ir_get_string(op, "sym_name", ""), 1);
  }
  text_append(out, "digraph \"");
  quote(out, ir_get_string(module, "gnn.model", "model"));
  text_append(out, "\" {\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n"
                   "  edge [fontname=\"sans-serif\", fontsize=8];\n  fontname=\"sans-serif\";\n");
  IR_FOR_EACH_FUNC(func, module) name_calls(&d, ir_func_body(func));
  IR_FOR_EACH_FUNC(func, module) print_function(&d, func);
  for (size_t i = 0; i < d.edges.count; i++) print_edge(&d, &d.edges.items[i]);
  text_append(out, "}\n");
  arena_destroy(d.arena);
}
