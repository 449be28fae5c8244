/* How rows lie in device memory. A layer takes messages of a limited number of columns, so wider rows
 * are in parts; and the results of each head of a sum with values are a part. */
#include "codegen/agile/program.h"

#include "support/number.h"

#include <inttypes.h>
#include <string.h>

static int64_t heads_of(MlirOperation op) {
  MlirValue values = ir_operand(op, IR_IN(device, spdmm, values));
  return ir_value_is_null(values) ? 1 : ir_type_of(values).dims[0];
}

/* The columns of a head of a sum with several heads that reads a value; 0: there is none. */
static int64_t head_of_users(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (ir_op_kind(user) != IR_OP(device, spdmm) || !ir_string_is(user, "reduce", "sum")) continue;
    MlirValue in = ir_operand(user, IR_IN(device, spdmm, in));
    if (ir_value_is_null(in) || !mlirValueEqual(in, value) || heads_of(user) == 1) continue;
    return operand_width(value) / heads_of(user);
  }
  return 0;
}

int64_t agile_rows_part(MlirValue value, const agile_device *d) {
  MlirOperation op = ir_defining_op(value);
  int64_t most = agile_most_columns(d), head = head_of_users(value);
  bool is_sum = !mlirOperationIsNull(op) && ir_op_kind(op) == IR_OP(device, spdmm);
  MlirValue in = is_sum ? ir_operand(op, IR_IN(device, spdmm, in)) : (MlirValue){NULL};
  if (is_sum && !ir_value_is_null(in)) {
    int64_t heads = heads_of(op), own = operand_width(value) / number_max(heads, 1);
    if (heads > 1) return number_min(own, most);
    if (ir_string_is(op, "reduce", "sum")) return agile_rows_part(in, d);
  }
  return head && head <= most ? most / head * head : most;
}

bool agile_rows_have_heads(MlirValue in, int64_t heads, const agile_device *d) {
  int64_t width = operand_width(in), head = width / heads, part = agile_rows_part(in, d);
  if (width % heads || head > agile_most_columns(d)) return false;
  for (int64_t h = 0; h < heads; h++)
    if (h * head / part != ((h + 1) * head - 1) / part) return false;
  return true;
}

int64_t agile_rows_columns(const agile_rows *r, int64_t i) {
  return number_min(r->part, r->width - i * r->part);
}

int64_t agile_rows_pitch(const agile_rows *r, int64_t i) {
  return (int64_t)agile_row_bytes((uint64_t)number_max(agile_rows_columns(r, i) + r->is_wide, 1));
}

agile_rows agile_rows_make(int64_t rows, int64_t width, int64_t part) {
  agile_rows r = {.rows = rows, .width = width, .part = part};
  r.parts = number_max(number_ceil_div(width, part), 1);
  r.part_bytes = rows * agile_rows_pitch(&r, 0);
  return r;
}

static int64_t count_rows(agile_program *p, MlirValue value) {
  int64_t rows = 0;
  step_check(&p->steps->steps, program_host_set_rows(p->host, ir_type_of(value).set, &rows));
  return rows;
}

agile_rows agile_rows_of(agile_program *p, MlirValue value) {
  int64_t width = operand_width(value), part = agile_rows_part(value, agile_device_of(p));
  agile_rows r = agile_rows_make(count_rows(p, value), width, part);
  if (r.parts > 1 || !map_get(&p->wide_of, value.ptr, 0)) return r;
  r.is_wide = true;
  r.part_bytes = r.rows * agile_rows_pitch(&r, 0);
  return r;
}

/* ---- places ---- */

static uint64_t bytes_of(void *user, MlirValue value) {
  agile_rows r = agile_rows_of(user, value);
  return (uint64_t)(r.parts * r.part_bytes);
}

static void describe_rows(const agile_rows *r, program_manifest_place *out) {
  out->layout = "agile_rows";
  out->stride = r->parts > 1 ? r->part : number_max(r->width + r->is_wide, 1);
  out->memory_rows = r->rows;
  out->heads = r->parts > 1 ? r->parts : 0;
  out->array_bytes = (uint64_t)r->part_bytes;
}

static void describe(void *user, MlirValue value, program_manifest_place *out) {
  agile_rows r = agile_rows_of(user, value);
  describe_rows(&r, out);
}

static uint64_t count_records(const void *user) {
  return ((const agile_program *)user)->code.count;
}

const chain_class agile_rows_class = {bytes_of, describe, count_records};

/* Copies rows of a user to parts of so many words. */
static void fill_parts(const agile_rows *r, const float *from, int64_t words, float *to) {
  for (int64_t i = 0; i < r->parts; i++) {
    int64_t pitch = agile_rows_pitch(r, i) / (int64_t)sizeof *to;
    for (int64_t row = 0; row < r->rows; row++)
      memcpy(to + i * words + row * pitch, from + row * r->width + i * r->part,
             (size_t)agile_rows_columns(r, i) * sizeof *to);
  }
}

/* Finds or keeps constant rows in .weights, part after part; NULL for other rows. */
static status find_constant(agile_program *p, MlirValue in, const agile_rows *r, agile_constant **out) {
  const char *key = arena_printf(p->arena, "rows %p", in.ptr);
  const float *numbers;
  float *made = NULL;
  bool is_found;
  *out = agile_store_find(p, key);
  if (*out) return STATUS_OK;
  RETURN_IF_ERROR(matrix_read_rows(p->host, in, !p->no_data, &numbers, &is_found));
  if (!is_found) return STATUS_OK;
  int64_t words = r->part_bytes / (int64_t)sizeof *made;
  if (numbers) {
    made = arena_try_alloc_array(p->arena, (size_t)(r->parts * words) + 1, sizeof *made);
    if (!made) return status_error(STATUS_CODE_memory, "no memory for %" PRId64 " constant rows", r->rows);
    fill_parts(r, numbers, words, made);
  }
  return agile_store_constant(p, key, r->parts, words, r->part_bytes, made, out);
}

status agile_rows_read(agile_program *p, MlirValue value, agile_place *out) {
  agile_constant *c;
  out->r = agile_rows_of(p, value);
  RETURN_IF_ERROR(find_constant(p, value, &out->r, &c));
  out->address = c ? sections_tagged(IMAGE_WEIGHTS, c->offset) : chain_read(&p->chain, value);
  return STATUS_OK;
}

agile_place agile_rows_write(agile_program *p, MlirValue value) {
  return (agile_place){agile_rows_of(p, value), chain_write(&p->chain, value)};
}

agile_place agile_rows_alloc(agile_program *p, agile_rows r, chain_region *region) {
  *region = chain_alloc(&p->chain, (uint64_t)(r.parts * r.part_bytes));
  return (agile_place){r, CHAIN_BASE + region->offset};
}

status agile_rows_read_like(agile_program *p, MlirValue value, const agile_rows *like, agile_place *out,
                            chain_region *region) {
  agile_rows own = agile_rows_of(p, value), wanted = agile_rows_make(own.rows, own.width, like->part);
  program_manifest_place place = {.stride = -1, .memory_rows = -1, .order = PROGRAM_MANIFEST_NO_ORDER};
  *region = (chain_region){0};
  if (own.parts == wanted.parts && (own.parts == 1 || own.part == wanted.part)) return agile_rows_read(p, value, out);
  *out = agile_rows_alloc(p, wanted, region);
  describe_rows(&wanted, &place);
  place.address = out->address;
  chain_read_as(&p->chain, value, place);
  return STATUS_OK;
}
