/* The types of our dialects, each decoded once: !gnn.node<"g", tensor<64xf32>> is {node, "g", rank
 * 1, {64}}.
 *
 * LLVM 22 has no C function for the parameters of dynamic types. They are printed as a list of
 * attributes, so "!d.t<a, b>" is parsed again as the array "[a, b]"; only this file does that.
 * Types are unique in a context, so the result is cached by pointer. */
#include "dialects/ir/ir_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets ---- */

const char *ir_node_set(MlirContext context, const char *set) {
  return ir_intern_bytes(ir_state_get(context), set, strcspn(set, "."));
}

const char *ir_base_set(MlirContext context, const char *set) {
  const char *dot = strrchr(set, '.');
  return dot ? ir_intern_bytes(ir_state_get(context), set, (size_t)(dot - set)) : NULL;
}

bool ir_is_run_set(const char *set) {
  static const char *const words[] = {".knn_", ".radius_", ".induced_", ".power"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(set, words[i])) return true;
  return false;
}

const char *ir_unique_end(const char *set) {
  const char *dot = strrchr(set, '.');
  if (!dot) return NULL;
  if (!strcmp(dot, ".unique_src")) return "src";
  return !strcmp(dot, ".unique_dst") ? "dst" : NULL;
}

const char *ir_unique_set(MlirContext context, const char *set, const char *end) {
  text name = {0};
  text_printf(&name, "%s.unique_%s", set, end);
  const char *interned = ir_intern(context, text_str(&name));
  text_free(&name);
  return interned;
}

const char *ir_whole_set(MlirContext context, const char *set) {
  const char *colon = strrchr(set, ':');
  return colon ? ir_intern_bytes(ir_state_get(context), set, (size_t)(colon - set)) : NULL;
}

int64_t ir_part_type(const char *set) {
  const char *colon = strrchr(set, ':');
  return colon ? strtoll(colon + 1, NULL, 10) : -1;
}

const char *ir_part_set(MlirContext context, const char *set, int64_t type) {
  text name = {0};
  text_printf(&name, "%s:%" PRId64, set, type);
  const char *interned = ir_intern(context, text_str(&name));
  text_free(&name);
  return interned;
}

const char *ir_edge_rows(MlirContext context, const char *set) {
  text name = {0};
  text_printf(&name, "%s.edges", set);
  const char *interned = ir_intern(context, text_str(&name));
  text_free(&name);
  return interned;
}

/* ---- reading ---- */

enum { INTEGER_BITS = 32 };

/* Reads the type of an element, f32 or i32; false for anything else. */
static bool read_element(MlirType type, ir_type *out) {
  out->is_integer =
      mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) && mlirIntegerTypeGetWidth(type) == INTEGER_BITS;
  return out->is_integer || mlirTypeIsAF32(type);
}

/* Reads an element or a ranked tensor of them; false for anything else. */
static bool read_payload(MlirType type, ir_type *out) {
  if (read_element(type, out)) return true;
  if (!mlirTypeIsARankedTensor(type) || !read_element(mlirShapedTypeGetElementType(type), out)) return false;
  if (!mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type))) return false;
  int64_t rank = mlirShapedTypeGetRank(type);
  if (rank < 1 || rank > IR_MAX_RANK) return false;
  out->rank = (unsigned)rank;
  for (int64_t i = 0; i < rank; i++) out->dims[i] = mlirShapedTypeGetDimSize(type, i);
  return true;
}

static MlirAttribute read_parameters(MlirType type) {
  text printed = {0};
  mlirTypePrint(type, ir_text_callback, &printed);
  char *open = strchr(printed.data, '<');
  MlirAttribute parameters = {NULL};
  if (open) {
    *open = '[';
    printed.data[printed.size - 1] = ']';
    parameters = mlirAttributeParseGet(mlirTypeGetContext(type), ir_ref(open));
  }
  text_free(&printed);
  return parameters;
}

static const char *parameter_string(ir_state *state, MlirAttribute parameters, intptr_t index) {
  MlirAttribute a = mlirArrayAttrGetElement(parameters, index);
  return mlirAttributeIsAString(a) ? ir_intern_ref(state, mlirStringAttrGetValue(a)) : "";
}

/* Reads the width of rows or the heads of values: a number among the parameters, as the only
 * dimension. */
static bool read_number(MlirAttribute parameters, intptr_t index, ir_type *out) {
  if (mlirArrayAttrGetNumElements(parameters) <= index) return false;
  MlirAttribute number = mlirArrayAttrGetElement(parameters, index);
  if (!mlirAttributeIsAInteger(number)) return false;
  out->rank = 1;
  out->dims[0] = mlirIntegerAttrGetValueInt(number);
  return out->dims[0] > 0;
}

static ir_type decode(ir_state *state, MlirType type) {
  ir_type out = {.kind = IR_KIND_plain}, other = {.kind = IR_KIND_other};
  if (read_payload(type, &out)) return out;
  MlirTypeID id = mlirTypeGetTypeID(type);
  unsigned kind = 0;
  while (kind < IR_KIND_other && !(state->type_ids[kind].ptr && mlirTypeIDEqual(id, state->type_ids[kind]))) kind++;
  out.kind = (ir_kind)kind;
  if (out.kind == IR_KIND_other || out.kind == IR_KIND_results) return out;
  MlirAttribute parameters = read_parameters(type);
  if (mlirAttributeIsNull(parameters) || !mlirAttributeIsAArray(parameters)) return other;
  if (out.kind == IR_KIND_cursor) {
    out.detail = parameter_string(state, parameters, 0);
    out.set = parameter_string(state, parameters, 1);
    return out;
  }
  out.set = parameter_string(state, parameters, 0);
  if (out.kind == IR_KIND_graph) return out;
  if (out.kind == IR_KIND_rows) return read_number(parameters, 1, &out) ? out : other;
  if (out.kind == IR_KIND_edge_list || out.kind == IR_KIND_values) {
    out.detail = parameter_string(state, parameters, 1);
    return out.kind == IR_KIND_edge_list || read_number(parameters, 2, &out) ? out : other;
  }
  MlirAttribute payload = mlirArrayAttrGetElement(parameters, 1);
  if (!mlirAttributeIsAType(payload) || !read_payload(mlirTypeAttrGetValue(payload), &out)) return other;
  return out;
}

static ir_type get_again(MlirType type) {
  ir_state *state = ir_state_get(mlirTypeGetContext(type));
  const ir_type *known = ir_map_get(&state->decoded, type.ptr);
  if (!known) {
    ir_type *fresh = arena_alloc(state->arena, sizeof *fresh);
    *fresh = decode(state, type);
    ir_map_put(&state->decoded, type.ptr, fresh);
    known = fresh;
  }
  size_t place = ir_recent_place(type.ptr);
  ir_recent_types.keys[place] = type.ptr;
  ir_recent_types.values[place] = known;
  return *known;
}

ir_type ir_type_get(MlirType type) {
  size_t place = ir_recent_place(type.ptr);
  const ir_type *recent = ir_recent_types.values[place];
  return ir_recent_types.keys[place] == type.ptr ? *recent : get_again(type);
}

ir_type ir_type_of(MlirValue value) {
  return ir_type_get(mlirValueGetType(value));
}

/* ---- making ---- */

static void print_quoted(text *out, const char *s) {
  text_append(out, "\"");
  for (; *s; s++) {
    if (isprint((unsigned char)*s) && *s != '"' && *s != '\\')
      text_append_bytes(out, s, 1);
    else
      text_printf(out, "\\%02X", (unsigned)(unsigned char)*s);
  }
  text_append(out, "\"");
}

static void print_payload(text *out, ir_type type) {
  const char *element = type.is_integer ? "i32" : "f32";
  if (!type.rank) {
    text_append(out, element);
    return;
  }
  text_append(out, "tensor<");
  for (unsigned i = 0; i < type.rank; i++) {
    if (mlirShapedTypeIsDynamicSize(type.dims[i]))
      text_append(out, "?x");
    else
      text_printf(out, "%" PRId64 "x", type.dims[i]);
  }
  text_printf(out, "%s>", element);
}

static void print_mlir_type(text *out, ir_type type) {
  static const char *const names[] = {
      [IR_KIND_node] = "!gnn.node<",        [IR_KIND_edge] = "!gnn.edge<",
      [IR_KIND_per] = "!gnn.per<",          [IR_KIND_graph] = "!gnn.graph<",
      [IR_KIND_sparse] = "!gnn.sparse<",    [IR_KIND_cursor] = "!inter.cursor<",
      [IR_KIND_results] = "!inter.results", [IR_KIND_buffer] = "!intra.memory<",
      [IR_KIND_rows] = "!device.rows<",     [IR_KIND_edge_list] = "!device.edge_list<",
      [IR_KIND_values] = "!device.values<",
  };
  if (type.kind == IR_KIND_plain) {
    print_payload(out, type);
    return;
  }
  text_append(out, names[type.kind]);
  if (type.kind == IR_KIND_results) return;
  if (type.kind == IR_KIND_cursor) {
    print_quoted(out, type.detail);
    text_append(out, ", ");
  }
  print_quoted(out, type.set);
  if (type.kind == IR_KIND_edge_list || type.kind == IR_KIND_values) {
    text_append(out, ", ");
    print_quoted(out, type.detail);
  }
  if (type.kind == IR_KIND_rows || type.kind == IR_KIND_values) {
    text_printf(out, ", %" PRId64, type.dims[0]);
  } else if (type.kind != IR_KIND_cursor && type.kind != IR_KIND_graph && type.kind != IR_KIND_edge_list) {
    text_append(out, ", ");
    print_payload(out, type);
  }
  text_append(out, ">");
}

/* Whether two types are equal; the strings of both are interned. */
static bool is_same(const ir_type *a, const ir_type *b) {
  if (a->kind != b->kind || a->set != b->set || a->detail != b->detail || a->rank != b->rank) return false;
  if (a->is_integer != b->is_integer) return false;
  for (unsigned i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i]) return false;
  return true;
}

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ (hash >> 29);
}

/* The entry of a type in the table of types that were made; it is free if the type was not made. */
static ir_made *find_made(const ir_state *state, const ir_type *type) {
  uint64_t hash =
      mix(mix(mix(type->kind, 2 * type->rank + type->is_integer), (uintptr_t)type->set), (uintptr_t)type->detail);
  for (unsigned i = 0; i < type->rank; i++) hash = mix(hash, (uint64_t)type->dims[i]);
  size_t at = (size_t)hash & (state->made_capacity - 1);
  while (state->made[at].made && !is_same(&state->made[at].type, type)) at = (at + 1) & (state->made_capacity - 1);
  return &state->made[at];
}

static void grow_made(ir_state *state) {
  ir_made *old = state->made;
  size_t count = state->made_capacity;
  state->made_capacity = count ? 2 * count : 64;
  state->made = calloc(state->made_capacity, sizeof *state->made);
  if (!state->made) abort();
  for (size_t i = 0; i < count; i++)
    if (old[i].made) *find_made(state, &old[i].type) = old[i];
  free(old);
}

static MlirType parse_type(MlirContext context, ir_type type) {
  text printed = {0};
  print_mlir_type(&printed, type);
  MlirType made = mlirTypeParseGet(context, ir_ref(text_str(&printed)));
  text_free(&printed);
  return made;
}

/* The type with interned strings, and without members that its text does not contain. */
static ir_type with_interned(ir_state *state, ir_type type) {
  bool has_detail = type.kind == IR_KIND_cursor || type.kind == IR_KIND_edge_list || type.kind == IR_KIND_values;
  bool has_set = type.kind != IR_KIND_plain && type.kind != IR_KIND_results;
  type.set = has_set ? ir_intern_bytes(state, type.set, strlen(type.set)) : NULL;
  type.is_integer = type.is_integer && (type.kind < IR_KIND_graph || type.kind == IR_KIND_buffer);
  type.detail = has_detail ? ir_intern_bytes(state, type.detail, strlen(type.detail)) : NULL;
  if (type.kind == IR_KIND_cursor || type.kind == IR_KIND_graph || type.kind == IR_KIND_results ||
      type.kind == IR_KIND_edge_list)
    type.rank = 0;
  return type;
}

MlirType ir_type_make(MlirContext context, ir_type type) {
  if (type.kind == IR_KIND_other) return (MlirType){NULL};
  ir_state *state = ir_state_get(context);
  type = with_interned(state, type);
  if (2 * (state->made_count + 1) > state->made_capacity) grow_made(state);
  ir_made *place = find_made(state, &type);
  if (place->made) return (MlirType){place->made};
  MlirType made = parse_type(context, type);
  if (!made.ptr) return made;
  *place = (ir_made){type, made.ptr};
  state->made_count++;
  return made;
}

ir_type ir_type_plain(unsigned rank, const int64_t *dims) {
  ir_type type = {.kind = IR_KIND_plain, .rank = rank};
  for (unsigned i = 0; i < rank; i++) type.dims[i] = dims[i];
  return type;
}

ir_type ir_type_graph(const char *set) {
  return (ir_type){.kind = IR_KIND_graph, .set = set};
}

ir_type ir_type_cursor(const char *kind, const char *set) {
  return (ir_type){.kind = IR_KIND_cursor, .detail = kind, .set = set};
}

ir_type ir_type_rows(const char *set, int64_t width) {
  return (ir_type){.kind = IR_KIND_rows, .set = set, .rank = 1, .dims = {width}};
}

ir_type ir_type_edge_list(const char *from, const char *to) {
  return (ir_type){.kind = IR_KIND_edge_list, .set = from, .detail = to};
}

ir_type ir_type_values(const char *from, const char *to, int64_t heads) {
  return (ir_type){.kind = IR_KIND_values, .set = from, .detail = to, .rank = 1, .dims = {heads}};
}

ir_type ir_type_payload(ir_type type) {
  ir_type payload = ir_type_plain(type.rank, type.dims);
  payload.is_integer = type.is_integer;
  return payload;
}

ir_type ir_type_with_payload(ir_type type, ir_type payload) {
  payload.kind = type.kind;
  payload.set = type.set;
  payload.detail = type.detail;
  return payload;
}

/* ---- questions about types ---- */

static bool equal_strings(const char *a, const char *b) {
  return a == b || (a && b && !strcmp(a, b));
}

bool ir_payload_equal(ir_type a, ir_type b) {
  if (a.rank != b.rank || a.is_integer != b.is_integer) return false;
  for (unsigned i = 0; i < a.rank; i++)
    if (a.dims[i] != b.dims[i]) return false;
  return true;
}

bool ir_type_equal(ir_type a, ir_type b) {
  return a.kind == b.kind && equal_strings(a.set, b.set) && equal_strings(a.detail, b.detail) && ir_payload_equal(a, b);
}

int64_t ir_type_elements(ir_type type) {
  int64_t elements = 1;
  for (unsigned i = 0; i < type.rank; i++) {
    if (mlirShapedTypeIsDynamicSize(type.dims[i])) return mlirShapedTypeGetDynamicSize();
    if (__builtin_mul_overflow(elements, type.dims[i], &elements)) return INT64_MAX;
  }
  return elements;
}

/* Prints a type of the device level. */
static void print_device_type(text *out, ir_type type) {
  if (type.kind == IR_KIND_rows)
    text_printf(out, "rows of '%s', %" PRId64 " wide", type.set, type.dims[0]);
  else if (type.kind == IR_KIND_edge_list)
    text_printf(out, "an edge list from '%s' to '%s'", type.set, type.detail);
  else
    text_printf(out, "values of edges from '%s' to '%s', %" PRId64 " head%s", type.set, type.detail, type.dims[0],
                type.dims[0] == 1 ? "" : "s");
}

void ir_type_print(text *out, ir_type type) {
  if (type.kind == IR_KIND_rows || type.kind == IR_KIND_edge_list || type.kind == IR_KIND_values) {
    print_device_type(out, type);
    return;
  }
  static const char *const prefixes[] = {
      [IR_KIND_plain] = "",
      [IR_KIND_node] = "node ",
      [IR_KIND_edge] = "edge ",
      [IR_KIND_per] = "",
      [IR_KIND_sparse] = "sparse node ",
      [IR_KIND_graph] = "graph",
      [IR_KIND_cursor] = "",
      [IR_KIND_results] = "loop results",
      [IR_KIND_buffer] = "buffer ",
      [IR_KIND_other] = "another type",
  };
  text_append(out, prefixes[type.kind]);
  if (type.kind == IR_KIND_per) text_printf(out, "%s ", type.set);
  if (type.kind == IR_KIND_cursor) text_printf(out, "%s cursor", type.detail);
  if (type.kind == IR_KIND_buffer) text_printf(out, "'%s' ", type.set);
  if (type.kind >= IR_KIND_graph && type.kind != IR_KIND_buffer) return;
  text_append(out, type.is_integer ? "i32" : "f32");
  for (unsigned i = 0; i < type.rank; i++) {
    text_append(out, i ? ", " : "[");
    if (mlirShapedTypeIsDynamicSize(type.dims[i]))
      text_append(out, "?");
    else
      text_printf(out, "%" PRId64, type.dims[i]);
  }
  if (type.rank) text_append(out, "]");
}
