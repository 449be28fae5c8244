/* Reads values from files: weights by the names in gnn.from, and the fields of the graph that
 * arguments of the model's function name. */
#include "codegen/device/host/host_private.h"
#include "data/convert.h"
#include "data/tensor_stack.h"
#include "support/text.h"

#include <inttypes.h>
#include <string.h>

/* A value to read: its file, its name, and its required shape, with the rows first unless the value
 * is plain. */
typedef struct wanted {
  const char *from, *name;
  bool in_weights;
  ir_type type;
  int32_t rank;
  int64_t dims[IR_MAX_RANK + 1];
  int64_t rows;
} wanted;

static const char *shape_text(arena *a, int32_t rank, const int64_t *dims) {
  text made = {0};
  text_append(&made, "[");
  for (int32_t i = 0; i < rank; i++) text_printf(&made, "%s%" PRId64, i ? ", " : "", dims[i]);
  text_append(&made, "]");
  return text_keep(&made, a);
}

/* Checks that the shapes are equal; a column with one number per row also fits a number per row. */
static status check_shape(const program_host *h, const wanted *w, int32_t rank, const int64_t *dims) {
  int32_t used = rank == w->rank + 1 && dims[w->rank] == 1 ? w->rank : rank;
  bool fits = used == w->rank;
  for (int32_t i = 0; fits && i < used; i++) fits = dims[i] == w->dims[i];
  if (fits) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "'%s' has shape %s, the model takes %s for '%s'", w->from,
                      shape_text(h->memory, rank, dims), shape_text(h->memory, w->rank, w->dims), w->name);
}

/* Whole numbers become f32 where a dense field of the graph has them. */
static status check_dtype(const wanted *w, dtype found, bool takes_whole) {
  dtype_class class = dtype_get_class(found);
  bool is_whole = class == DTYPE_CLASS_signed || class == DTYPE_CLASS_unsigned;
  if (w->type.is_integer ? is_whole : class == DTYPE_CLASS_float || (is_whole && takes_whole)) return STATUS_OK;
  if (w->type.is_integer)
    return status_error(STATUS_CODE_mismatch,
                        "'%s' holds %s, the model takes whole numbers for '%s': I64, I32, I16, U8 or BOOL", w->from,
                        dtype_name(found), w->name);
  return status_error(STATUS_CODE_mismatch, "'%s' holds %s, the model takes F32, F16, BF16 or F64 for '%s'", w->from,
                      dtype_name(found), w->name);
}

/* Numbers in place of a weight that was not given. */
static status assume_weight(program_host *h, const wanted *w, const float **out) {
  int64_t count = 1;
  float *made;
  for (int32_t i = 0; i < w->rank; i++) count *= w->dims[i];
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &made));
  for (int64_t i = 0; i < count; i++) made[i] = 1;
  *out = made;
  return STATUS_OK;
}

static status read_weight(program_host *h, const wanted *w, const float **out) {
  if (!h->weights && h->assumes_weights) return assume_weight(h, w, out);
  if (!h->weights)
    return status_error(STATUS_CODE_mismatch, "the model needs '%s' from a weights file; none was given", w->from);
  tensor t;
  status s = tensor_stack_find(h->weights, w->from, h->memory, &t);
  if (!s) s = check_dtype(w, t.dtype, false);
  if (!s) s = check_shape(h, w, t.rank, t.dims);
  if (!s) s = (w->type.is_integer ? convert_integers_to_f32 : convert_to_f32)(h->memory, &t, out);
  return status_context(s, "%s", h->weights->name);
}

const char *const *program_host_fields(const program_host *h, size_t *count) {
  *count = h->fields.count;
  return h->fields.items;
}

static void remember_field(program_host *h, const char *name) {
  for (size_t i = 0; i < h->fields.count; i++)
    if (!strcmp(h->fields.items[i], name)) return;
  VEC_PUSH(h->memory, &h->fields, arena_strdup(h->memory, name));
}

static status read_field(program_host *h, const wanted *w, const float **out) {
  graph_field field;
  if (!graph_find_field(h->graph, w->from, &field)) {
    if (h->weights && tensor_set_find(h->weights, w->from)) return read_weight(h, w, out);
    return status_error(STATUS_CODE_mismatch, "%s: no field '%s' for input '%s' of the model", h->graph->name, w->from,
                        w->name);
  }
  status s = check_dtype(w, field.dtype, !field.is_sparse);
  if (!s) s = check_shape(h, w, field.rank, field.dims);
  if (s) return status_context(s, "%s", h->graph->name);
  remember_field(h, w->from);
  return graph_read_dense(h->graph, h->memory, w->from, NULL, out);
}

static void expect_shape(wanted *w) {
  if (w->type.kind != IR_KIND_plain) w->dims[w->rank++] = w->rows;
  for (unsigned i = 0; i < w->type.rank; i++) w->dims[w->rank++] = w->type.dims[i];
}

static status read_global(program_host *h, MlirOperation load, wanted *w, program_array *out) {
  const char *symbol = ir_weight_symbol(load);
  MlirOperation global = ir_weight_find(mlirModuleGetOperation(h->module), symbol);
  w->from = ir_get_string(global, "gnn.from", symbol);
  w->name = ir_get_string(global, "gnn.name", symbol);
  w->rows = ir_get_integer(global, "gnn.count", 1);
  expect_shape(w);
  RETURN_IF_ERROR(read_weight(h, w, &out->data));
  out->rows = w->rows;
  if (w->type.kind != IR_KIND_per) return STATUS_OK;
  int64_t rows; /* another weight may have more types */
  RETURN_IF_ERROR(host_per_rows(h, w->type.set, &rows));
  if (rows <= w->rows || !out->data) return STATUS_OK;
  float *padded;
  RETURN_IF_ERROR(HOST_ARRAY(h, rows * out->width, &padded));
  memcpy(padded, out->data, (size_t)(w->rows * out->width) * sizeof *padded);
  memset(padded + w->rows * out->width, 0, (size_t)((rows - w->rows) * out->width) * sizeof *padded);
  *out = (program_array){padded, rows, out->width};
  return STATUS_OK;
}

static void read_argument(MlirValue value, wanted *w) {
  MlirOperation func = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  size_t index = (size_t)mlirBlockArgumentGetArgNumber(value);
  const char *space = ir_string_of(ir_func_arg_attr(func, index, "gnn.space"));
  w->name = ir_string_of(ir_func_arg_attr(func, index, "gnn.name"));
  if (!w->name) w->name = "argument";
  w->from = ir_string_of(ir_func_arg_attr(func, index, "gnn.from"));
  if (!w->from) w->from = w->name;
  w->in_weights = space && !strcmp(space, "weights");
}

status host_read_value(program_host *h, MlirValue value, program_array *out) {
  wanted w = {.type = ir_type_of(value)};
  *out = (program_array){.width = ir_type_elements(w.type)};
  MlirOperation op = ir_defining_op(value);
  if (!mlirOperationIsNull(op)) return read_global(h, op, &w, out);
  read_argument(value, &w);
  RETURN_IF_ERROR(host_rows_of_type(h, w.type, &w.rows));
  out->rows = w.rows;
  if (w.type.kind == IR_KIND_edge && !strcmp(w.from, "edge_weight") && h->graph->edge_weight && !w.type.rank &&
      !ir_base_set(mlirModuleGetContext(h->module), w.type.set)) {
    out->data = h->graph->edge_weight;
    return STATUS_OK;
  }
  expect_shape(&w);
  return w.in_weights ? read_weight(h, &w, &out->data) : read_field(h, &w, &out->data);
}

/* ---- sparse features --------------------------------------------------------------------------------------------- */

/* Converts dense rows to CSR without the zeros. */
static status make_sparse(program_host *h, const float *dense, graph_csr *out) {
  int64_t *indptr, count = 0;
  int32_t *indices;
  float *data;
  for (int64_t i = 0; i < out->rows * out->columns; i++) count += dense[i] != 0;
  RETURN_IF_ERROR(HOST_ARRAY(h, out->rows + 1, &indptr));
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &indices));
  RETURN_IF_ERROR(HOST_ARRAY(h, count, &data));
  count = indptr[0] = 0;
  for (int64_t r = 0; r < out->rows; r++) {
    for (int64_t c = 0; c < out->columns; c++) {
      if (dense[r * out->columns + c] == 0) continue;
      indices[count] = (int32_t)c;
      data[count++] = dense[r * out->columns + c];
    }
    indptr[r + 1] = count;
  }
  out->nonzeros = count;
  out->indptr = indptr;
  out->indices = indices;
  out->data = data;
  return STATUS_OK;
}

static status read_stored(program_host *h, MlirValue value, graph_csr *out) {
  wanted w = {.type = ir_type_of(value)};
  graph_field field;
  read_argument(value, &w);
  RETURN_IF_ERROR(host_rows_of_type(h, w.type, &w.rows));
  expect_shape(&w);
  if (!w.in_weights && graph_find_field(h->graph, w.from, &field) && field.is_sparse) {
    status s = check_dtype(&w, field.dtype, false);
    if (!s) s = check_shape(h, &w, field.rank, field.dims);
    if (s) return status_context(s, "%s", h->graph->name);
    remember_field(h, w.from);
    return graph_read_csr(h->graph, h->memory, w.from, out);
  }
  const float *dense = NULL;
  RETURN_IF_ERROR(w.in_weights ? read_weight(h, &w, &dense) : read_field(h, &w, &dense));
  if (!dense) return status_error(STATUS_CODE_format, "'%s' holds no numbers", w.from);
  *out = (graph_csr){.rows = w.rows, .columns = ir_type_elements(w.type)};
  return make_sparse(h, dense, out);
}

/* Divides each row by its sum; a row whose sum is 0 stays as it is. */
static status normalize(program_host *h, graph_csr *m) {
  float *data;
  RETURN_IF_ERROR(HOST_ARRAY(h, m->nonzeros, &data));
  for (int64_t r = 0; r < m->rows; r++) {
    float sum = 0;
    for (int64_t i = m->indptr[r]; i < m->indptr[r + 1]; i++) sum += m->data[i];
    if (sum == 0) sum = 1;
    for (int64_t i = m->indptr[r]; i < m->indptr[r + 1]; i++) data[i] = m->data[i] / sum;
  }
  m->data = data;
  return STATUS_OK;
}

status host_read_sparse(program_host *h, MlirValue value, const graph_csr **out) {
  graph_csr *made = map_get_pointer(&h->sparse, value.ptr);
  if (!made) {
    made = arena_alloc(h->memory, sizeof *made);
    MlirOperation op = ir_defining_op(value);
    if (mlirOperationIsNull(op)) {
      RETURN_IF_ERROR(read_stored(h, value, made));
    } else {
      const graph_csr *x;
      if (ir_op_kind(op) != IR_OP(gnn, row_normalize))
        return status_error(STATUS_CODE_unsupported, "the host makes no sparse value of '%s'", ir_op_name(op));
      RETURN_IF_ERROR(host_read_sparse(h, ir_operand(op, IR_IN(gnn, row_normalize, x)), &x));
      *made = *x;
      RETURN_IF_ERROR(normalize(h, made));
    }
    map_set_pointer(&h->sparse, value.ptr, made);
  }
  *out = made;
  return STATUS_OK;
}
