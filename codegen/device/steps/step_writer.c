/* Writes host steps of operations of the device level: see step_writer.h. */
#include "codegen/device/steps/step_writer.h"

#include "codegen/device/host/host_memory.h"
#include "codegen/device/interface.h"
#include "codegen/device/operand.h"
#include "codegen/device/steps/step_constant.h"
#include "codegen/device/steps/step_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

step_writer step_writer_begin(arena *a, program_host *host, bool no_data) {
  return (step_writer){.arena = a, .host = host, .no_data = no_data, .array_of = {.arena = a}, .list_of = {.arena = a}};
}

bool step_check(step_writer *w, status s) {
  if (!w->error)
    w->error = s;
  else
    status_free(s);
  return !w->error;
}

const char *step_name_of(MlirOperation op, const char *fallback) {
  const char *name = ir_location_name(mlirOperationGetLocation(op));
  return name ? name : fallback;
}

const char *step_operation_name(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): return step_name_of(op, "a product");
  case IR_OP(device, spdmm): return step_name_of(op, "a sum");
  case IR_OP(device, layer): return step_name_of(op, "a layer");
  default: return step_name_of(op, "a step");
  }
}

/* ---- arrays and lists ---- */

enum { ALIGNMENT = 4 };

int64_t step_add_data(step_writer *w, const void *data, int64_t bytes) {
  int64_t at = w->bytes;
  VEC_PUSH(w->arena, &w->chunks, (step_chunk){data, bytes});
  w->bytes += bytes;
  return at;
}

int32_t step_add_array(step_writer *w, const char *name, int64_t rows, int64_t width, int64_t data) {
  text *t = &w->arrays;
  text_append(t, w->num_arrays ? ",{\"name\":" : "{\"name\":");
  text_append_json(t, name);
  text_printf(t, ",\"rows\":%" PRId64 ",\"width\":%" PRId64, rows, width);
  if (data >= 0) text_printf(t, ",\"data\":%" PRId64, data);
  text_append(t, "}");
  return w->num_arrays++;
}

int32_t step_add_constant(step_writer *w, const char *name, int64_t rows, int64_t width, const float *data) {
  if (w->error) return -1;
  return step_add_array(w, name, rows, width, step_add_data(w, data, rows * width * (int64_t)sizeof *data));
}

/* Counts the rows of a set, or the edges of a list. False with w->error. */
static bool count_rows(step_writer *w, MlirValue value, int64_t *rows) {
  const program_edge_list *list;
  ir_type type = ir_type_of(value);
  if (type.kind != IR_KIND_values) return step_check(w, program_host_set_rows(w->host, type.set, rows));
  bool is_known = step_check(w, program_host_edge_list(w->host, operand_edges(value), &list));
  *rows = is_known ? list->edges : 0;
  return is_known;
}

static int32_t add_value(step_writer *w, MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  int64_t rows;
  switch (ir_op_kind(op)) {
  case IR_OP(device, constant): return step_constant_rows(w, op);
  case IR_OP(device, constant_values): return step_constant_values(w, op);
  default: break;
  }
  if (!count_rows(w, value, &rows)) return -1;
  const char *number = arena_printf(w->arena, "value %d", w->num_arrays);
  return step_add_array(w, step_name_of(op, number), rows, ir_type_of(value).dims[0], -1);
}

int32_t step_writer_find(const step_writer *w, MlirValue value) {
  return (int32_t)map_get(&w->array_of, value.ptr, 0) - 1;
}

int32_t step_writer_array(step_writer *w, MlirValue value) {
  int64_t known = map_get(&w->array_of, value.ptr, 0);
  if (w->error) return -1;
  if (known) return (int32_t)known - 1;
  MlirOperation op = ir_defining_op(value);
  bool is_weight = ir_op_kind(op) == IR_OP(device, input) && interface_is_weight(op);
  int32_t made = is_weight ? step_constant_rows(w, op) : add_value(w, value);
  map_set(&w->array_of, value.ptr, made + 1);
  return made;
}

/* Adds one end of all edges; the list's self loops follow the other edges. */
static int64_t add_ends(step_writer *w, const program_edge_list *l, const int32_t *ends) {
  int64_t others = l->edges - l->loops, bytes = l->edges * (int64_t)sizeof *ends;
  if (!l->loops || w->no_data) return step_add_data(w, w->no_data ? NULL : ends, bytes);
  int32_t *made = arena_alloc(w->arena, (size_t)bytes);
  if (others) memcpy(made, ends, (size_t)others * sizeof *made);
  for (int64_t i = 0; i < l->loops; i++) made[others + i] = l->loop ? l->loop[i] : (int32_t)i;
  return step_add_data(w, made, bytes);
}

static int32_t list_of(step_writer *w, MlirValue edges) {
  MlirOperation op = ir_defining_op(edges);
  int64_t known = map_get(&w->list_of, op.ptr, 0);
  const program_edge_list *l;
  const float *weight = NULL;
  if (known) return (int32_t)known - 1;
  if (!step_check(w, program_host_edge_list(w->host, op, &l))) return -1;
  if (l->has_weight && !w->no_data && !step_check(w, program_host_weights(w->host, l, &weight))) return -1;
  text *t = &w->lists;
  text_append(t, w->num_lists ? ",{\"name\":" : "{\"name\":");
  text_append_json(t, step_name_of(op, ir_get_string(op, "kind", "edges")));
  text_printf(t, ",\"from_rows\":%" PRId64 ",\"to_rows\":%" PRId64 ",\"edges\":%" PRId64, l->from_rows, l->to_rows,
              l->edges);
  text_printf(t, ",\"src\":%" PRId64, add_ends(w, l, l->src));
  text_printf(t, ",\"dst\":%" PRId64, add_ends(w, l, l->dst));
  if (l->has_weight)
    text_printf(t, ",\"weight\":%" PRId64, step_add_data(w, weight, l->edges * (int64_t)sizeof *weight));
  text_append(t, "}");
  map_set(&w->list_of, op.ptr, ++w->num_lists);
  return w->num_lists - 1;
}

/* ---- members of a step ---- */

static void begin_step(step_writer *w) {
  text_append(&w->steps, w->num_steps++ ? ",{" : "{");
}

static void write_place_of(step_writer *w, const char *file, unsigned line) {
  text_append(&w->steps, ",\"file\":");
  text_append_json(&w->steps, ir_location_shown_file(file));
  text_printf(&w->steps, ",\"line\":%u", line);
}

static void begin_operation(step_writer *w, MlirOperation op, const char *name) {
  const char *file;
  unsigned line = 0, column;
  begin_step(w);
  text_printf(&w->steps, "\"op\":\"%s\",\"name\":", name);
  text_append_json(&w->steps, step_name_of(op, name));
  if (ir_location_position(mlirOperationGetLocation(op), &file, &line, &column)) write_place_of(w, file, line);
}

static void array_member(step_writer *w, const char *key, int32_t array) {
  if (array >= 0) text_printf(&w->steps, ",\"%s\":%d", key, array);
}

/* Appends the array of an operand; nothing where the operand is absent. */
static void operand_member(step_writer *w, const char *key, MlirValue value) {
  if (!ir_value_is_null(value)) array_member(w, key, step_writer_array(w, value));
}

static void text_member(step_writer *w, const char *key, const char *value) {
  text_printf(&w->steps, ",\"%s\":\"%s\"", key, value);
}

/* Appends a factor with enough digits to read back the same value; 1 is omitted. Infinity and NaN,
 * which JSON lacks, are strings. */
static void scale_member(step_writer *w, double scale) {
  if (scale == 1) return;
  if (isfinite(scale))
    text_printf(&w->steps, ",\"scale\":%.17g", scale);
  else
    text_member(w, "scale", isnan(scale) ? "nan" : scale > 0 ? "inf" : "-inf");
}

static void end_operation(step_writer *w, MlirOperation op) {
  size_t count = ir_get_array_size(op, "functions"), written = 0;
  array_member(w, "out", step_writer_array(w, ir_result(op)));
  for (size_t i = 0; i < count; i++) {
    const char *said = ir_get_string_at(op, "functions", i);
    if (!*said || !strcmp(said, "none")) continue;
    text_append(&w->steps, written++ ? "," : ",\"functions\":[");
    text_append_json(&w->steps, said);
  }
  text_append(&w->steps, written ? "]}" : "}");
}

static int64_t width_of(MlirValue rows) {
  return ir_type_of(rows).dims[0];
}

/* ---- operations ---- */

/* Ends a step without functions, whose result is an array that is no value of the program. */
static void end_arrays(step_writer *w, int32_t out) {
  array_member(w, "out", out);
  text_append(&w->steps, "}");
}

/* The operands of a product; `in` is an array. */
typedef struct gemm_parts {
  int32_t in;
  int64_t k;
  MlirValue w, bias, addend;
} gemm_parts;

static void add_product(step_writer *w, MlirOperation op, const gemm_parts *p) {
  MlirValue out = ir_result(op);
  step_segments s = step_constant_segments(w, ir_type_of(out).set, p->w, p->bias);
  bool is_transposed = ir_get_bool(op, "transposed");
  int64_t n = width_of(out);
  int32_t weights = step_constant_matrices(w, p->w, s.count, is_transposed ? n : p->k, is_transposed ? p->k : n);
  int32_t row = ir_value_is_null(p->bias) ? -1 : step_constant_bias(w, p->bias, s.count, n);
  begin_operation(w, op, "gemm");
  array_member(w, "in", p->in);
  array_member(w, "weights", weights);
  array_member(w, "bias", row);
  operand_member(w, "addend", p->addend);
  if (is_transposed) text_append(&w->steps, ",\"transposed\":true");
  if (operand_has_selection(p->w)) text_append(&w->steps, ",\"skips_zeros\":true");
  if (s.offsets) {
    text_append(&w->steps, ",\"segments\":[");
    for (int64_t i = 0; i <= s.count; i++) text_printf(&w->steps, i ? ",%" PRId64 : "%" PRId64, s.offsets[i]);
    text_append(&w->steps, "]");
  }
  end_operation(w, op);
}

static void add_gemm(step_writer *w, MlirOperation op) {
  MlirValue in = ir_operand(op, IR_IN(device, gemm, in));
  gemm_parts p = {.k = width_of(in),
                  .w = ir_operand(op, IR_IN(device, gemm, w)),
                  .bias = ir_operand(op, IR_IN(device, gemm, bias)),
                  .addend = ir_operand(op, IR_IN(device, gemm, addend))};
  p.in = step_writer_array(w, in);
  add_product(w, op, &p);
}

/* Adds a product with the matrix in one row of an array. */
static void add_row_product(step_writer *w, MlirOperation op) {
  begin_operation(w, op, "gemm");
  operand_member(w, "in", ir_operand(op, IR_IN(device, product, in)));
  operand_member(w, "weights", ir_operand(op, IR_IN(device, product, w)));
  if (ir_get_bool(op, "transposed")) text_append(&w->steps, ",\"transposed\":true");
  end_operation(w, op);
}

static void add_outer_sum(step_writer *w, MlirOperation op) {
  begin_operation(w, op, "outer_sum");
  operand_member(w, "a", ir_operand(op, IR_IN(device, outer_sum, a)));
  operand_member(w, "b", ir_operand(op, IR_IN(device, outer_sum, b)));
  end_operation(w, op);
}

static void integer_member(step_writer *w, MlirOperation op, const char *key) {
  if (!mlirAttributeIsNull(ir_get_attr(op, key)))
    text_printf(&w->steps, ",\"%s\":%" PRId64, key, ir_get_integer(op, key, 0));
}

static void add_lookup(step_writer *w, MlirOperation op) {
  begin_operation(w, op, "lookup");
  operand_member(w, "table", ir_operand(op, IR_IN(device, lookup, table)));
  operand_member(w, "in", ir_operand(op, IR_IN(device, lookup, index)));
  integer_member(w, op, "rows");
  integer_member(w, op, "column");
  integer_member(w, op, "low");
  integer_member(w, op, "high");
  if (ir_get_bool(op, "each")) text_append(&w->steps, ",\"each\":true");
  end_operation(w, op);
}

/* Adds a layer as a sum over edges, and a product of its result. */
static void add_layer(step_writer *w, MlirOperation op) {
  MlirValue in = ir_operand(op, IR_IN(device, layer, in)), edges = ir_operand(op, IR_IN(device, layer, edges));
  gemm_parts p = {.k = width_of(in),
                  .w = ir_operand(op, IR_IN(device, layer, w)),
                  .bias = ir_operand(op, IR_IN(device, layer, bias)),
                  .addend = ir_operand(op, IR_IN(device, layer, addend))};
  int64_t rows;
  if (!count_rows(w, ir_result(op), &rows)) return;
  int32_t list = list_of(w, edges);
  p.in = step_add_array(w, step_name_of(op, "sum"), rows, p.k, -1);
  int32_t source = step_writer_array(w, in);
  begin_operation(w, op, "spmm");
  array_member(w, "list", list);
  array_member(w, "in", source);
  text_member(w, "reduce", "sum");
  end_arrays(w, p.in);
  add_product(w, op, &p);
}

static void add_spdmm(step_writer *w, MlirOperation op) {
  MlirValue bias = ir_operand(op, IR_IN(device, spdmm, bias));
  int32_t list = list_of(w, ir_operand(op, IR_IN(device, spdmm, edges)));
  int32_t row = ir_value_is_null(bias) ? -1 : step_constant_bias(w, bias, 1, width_of(ir_result(op)));
  begin_operation(w, op, "spmm");
  array_member(w, "list", list);
  operand_member(w, "in", ir_operand(op, IR_IN(device, spdmm, in)));
  operand_member(w, "values", ir_operand(op, IR_IN(device, spdmm, values)));
  array_member(w, "bias", row);
  operand_member(w, "addend", ir_operand(op, IR_IN(device, spdmm, addend)));
  text_member(w, "reduce", ir_get_string(op, "reduce", "sum"));
  end_operation(w, op);
}

static void add_sddmm(step_writer *w, MlirOperation op) {
  int32_t list = list_of(w, ir_operand(op, IR_IN(device, sddmm, edges)));
  begin_operation(w, op, "sddmm");
  array_member(w, "list", list);
  operand_member(w, "src", ir_operand(op, IR_IN(device, sddmm, src)));
  operand_member(w, "dst", ir_operand(op, IR_IN(device, sddmm, dst)));
  operand_member(w, "values", ir_operand(op, IR_IN(device, sddmm, values)));
  text_printf(&w->steps, ",\"heads\":%" PRId64, ir_get_integer(op, "heads", 1));
  text_member(w, "inner", ir_get_string(op, "inner", "dot"));
  text_member(w, "combine", ir_get_string(op, "combine", "replace"));
  end_operation(w, op);
}

/* Returns the array of the second operand: rows, or a constant that is one row or a row per type. */
static int32_t second_of(step_writer *w, MlirOperation op, MlirValue b) {
  ir_kind kind = ir_type_of(b).kind;
  MlirValue none = {0};
  if (kind == IR_KIND_rows || kind == IR_KIND_values) return step_writer_array(w, b);
  if (kind != IR_KIND_per) return step_constant_bias(w, b, 1, width_of(ir_result(op)));
  return step_constant_spread(w, b, step_constant_segments(w, ir_type_of(ir_result(op)).set, b, none),
                              width_of(ir_result(op)));
}

static void add_vadd(step_writer *w, MlirOperation op) {
  int32_t second = second_of(w, op, ir_operand(op, IR_IN(device, vadd, b)));
  begin_operation(w, op, "vadd");
  operand_member(w, "a", ir_operand(op, IR_IN(device, vadd, a)));
  array_member(w, "b", second);
  operand_member(w, "condition", ir_operand(op, IR_IN(device, vadd, condition)));
  text_member(w, "function", ir_get_string(op, "function", "add"));
  scale_member(w, ir_get_float(op, "scale", 1));
  end_operation(w, op);
}

/* Adds a step with a factor that is evaluated when the program is compiled. With no_data there are
 * no weights, and the factor is 1. */
static void add_scaled_add(step_writer *w, MlirOperation op) {
  program_array factor = {0};
  if (!w->no_data &&
      !step_check(w, program_host_evaluate(w->host, ir_operand(op, IR_IN(device, scaled_add, factor)), &factor)))
    return;
  begin_operation(w, op, "vadd");
  operand_member(w, "a", ir_operand(op, IR_IN(device, scaled_add, a)));
  operand_member(w, "b", ir_operand(op, IR_IN(device, scaled_add, b)));
  text_member(w, "function", "add");
  scale_member(w, factor.data ? (double)factor.data[0] : 1);
  end_operation(w, op);
}

static void add_values_vadd(step_writer *w, MlirOperation op) {
  begin_operation(w, op, "vadd");
  operand_member(w, "a", ir_operand(op, IR_IN(device, values_vadd, a)));
  operand_member(w, "b", ir_operand(op, IR_IN(device, values_vadd, b)));
  text_member(w, "function", ir_get_string(op, "function", "add"));
  end_operation(w, op);
}

static void add_map(step_writer *w, MlirOperation op) {
  begin_operation(w, op, "map");
  operand_member(w, "in", ir_operand(op, IR_IN(device, map, x)));
  end_operation(w, op);
}

static void add_columns(step_writer *w, MlirOperation op) {
  begin_operation(w, op, "columns");
  operand_member(w, "in", ir_operand(op, IR_IN(device, columns, x)));
  text_printf(&w->steps, ",\"begin\":%" PRId64, ir_get_integer(op, "begin", 0));
  end_operation(w, op);
}

static void add_concat(step_writer *w, MlirOperation op) {
  begin_operation(w, op, "concat");
  operand_member(w, "a", ir_operand(op, IR_IN(device, concat, a)));
  operand_member(w, "b", ir_operand(op, IR_IN(device, concat, b)));
  end_operation(w, op);
}

void step_writer_add(step_writer *w, MlirOperation op) {
  if (w->error) return;
  switch (ir_op_kind(op)) {
  case IR_OP(device, gemm): add_gemm(w, op); break;
  case IR_OP(device, product): add_row_product(w, op); break;
  case IR_OP(device, outer_sum): add_outer_sum(w, op); break;
  case IR_OP(device, lookup): add_lookup(w, op); break;
  case IR_OP(device, spdmm): add_spdmm(w, op); break;
  case IR_OP(device, layer): add_layer(w, op); break;
  case IR_OP(device, sddmm): add_sddmm(w, op); break;
  case IR_OP(device, vadd): add_vadd(w, op); break;
  case IR_OP(device, scaled_add): add_scaled_add(w, op); break;
  case IR_OP(device, values_vadd): add_values_vadd(w, op); break;
  case IR_OP(device, map): add_map(w, op); break;
  case IR_OP(device, columns): add_columns(w, op); break;
  case IR_OP(device, concat): add_concat(w, op); break;
  default: step_check(w, status_error(STATUS_CODE_unsupported, "%s is no step of the host", ir_op_name(op)));
  }
}

void step_writer_run(step_writer *w, uint64_t first, uint64_t end) {
  begin_step(w);
  text_printf(&w->steps, "\"run\":[%" PRIu64 ",%" PRIu64 "]}", first, end);
}

static void end_move(step_writer *w, int32_t array, const char *place, bool to_device) {
  array_member(w, to_device ? "in" : "out", array);
  text_printf(&w->steps, ",\"place\":{%s}}", place);
}

void step_writer_move(step_writer *w, MlirValue value, const char *place, bool to_device) {
  int32_t array = step_writer_array(w, value);
  begin_operation(w, ir_defining_op(value), "relayout");
  end_move(w, array, place, to_device);
}

void step_writer_move_array(step_writer *w, int32_t array, const char *name, const char *place, bool to_device) {
  begin_step(w);
  text_append(&w->steps, "\"op\":\"relayout\",\"name\":");
  text_append_json(&w->steps, name);
  end_move(w, array, place, to_device);
}

void step_writer_combine(step_writer *w, MlirOperation op, const char *function, int32_t a, int32_t b, int32_t out) {
  begin_operation(w, op, "vadd");
  array_member(w, "a", a);
  array_member(w, "b", b);
  text_member(w, "function", function);
  end_arrays(w, out);
}

void step_writer_take_columns(step_writer *w, MlirOperation op, int32_t in, int64_t begin, int32_t out) {
  begin_operation(w, op, "columns");
  array_member(w, "in", in);
  text_printf(&w->steps, ",\"begin\":%" PRId64, begin);
  end_arrays(w, out);
}

void step_writer_join(step_writer *w, MlirOperation op, int32_t a, int32_t b, int32_t out) {
  begin_operation(w, op, "concat");
  array_member(w, "a", a);
  array_member(w, "b", b);
  end_arrays(w, out);
}

/* Whether the array of a value is a constant. */
static bool is_constant(MlirOperation op) {
  switch (ir_op_kind(op)) {
  case IR_OP(device, constant):
  case IR_OP(device, constant_values): return true;
  case IR_OP(device, input): return interface_is_weight(op);
  default: return false;
  }
}

int32_t step_writer_output(step_writer *w, MlirValue value) {
  MlirOperation op = ir_defining_op(value);
  int32_t from = step_writer_array(w, value);
  if (!is_constant(op) || w->error) return from;
  int64_t rows;
  if (!count_rows(w, value, &rows)) return -1;
  int32_t copy = step_add_array(w, step_name_of(op, "output"), rows, width_of(value), -1);
  begin_operation(w, op, "map");
  array_member(w, "in", from);
  array_member(w, "out", copy);
  text_append(&w->steps, "}");
  return copy;
}

/* ---- the end ---- */

status step_writer_take_error(step_writer *w) {
  status failed = w->error;
  w->error = STATUS_OK;
  return failed;
}

static status gather_data(step_writer *w, image *out) {
  image_section *s = &out->sections[IMAGE_LISTS];
  *s = (image_section){.size = (uint64_t)w->bytes};
  if (w->no_data || !w->bytes) return STATUS_OK;
  unsigned char *data = host_memory_alloc(w->bytes, 1), *at = data;
  if (!data)
    return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " bytes of constants and edge lists", w->bytes);
  program_host_keep(w->host, data);
  for (size_t i = 0; i < w->chunks.count; i++) {
    if (w->chunks.items[i].bytes) memcpy(at, w->chunks.items[i].data, (size_t)w->chunks.items[i].bytes);
    at += w->chunks.items[i].bytes;
  }
  s->data = data;
  return STATUS_OK;
}

status step_writer_end(step_writer *w, text *json, image *out) {
  if (!w->error) {
    text_printf(json, ",\"arrays\":[%s],\"edge_lists\":[%s],\"steps\":[%s]", text_str(&w->arrays), text_str(&w->lists),
                text_str(&w->steps));
    w->error = gather_data(w, out);
  }
  text_free(&w->arrays);
  text_free(&w->lists);
  text_free(&w->steps);
  return step_writer_take_error(w);
}
