/* Reads tables of numbers in two passes: the first counts rows and finds the type, the second
 * stores the numbers. */
#include "data/import/number_table.h"

#include "data/convert.h"
#include "data/formats/token.h"

#include <inttypes.h>
#include <math.h>

/* Removes the quotes of "", which pandas writes for a missing number that is alone in its row. */
static token drop_quotes(token t) {
  bool is_quoted = t.length >= 2 && t.begin[0] == '"' && t.begin[t.length - 1] == '"';
  return is_quoted ? (token){t.begin + 1, t.length - 2} : t;
}

static bool parse_whole(token t, int64_t *out) {
  return token_parse_i64(drop_quotes(t), out);
}

static bool parse_number(token t, float *out) {
  t = drop_quotes(t);
  *out = NAN;
  return !t.length || token_parse_f32(t, out);
}

static bool next_row(token_reader *r, token *line) {
  while (token_next_line(r, line)) {
    token rest = *line, word;
    if (token_next_word(&rest, &word)) return true;
  }
  return false;
}

/* What the first pass finds. */
typedef struct survey {
  int64_t rows, columns;
  bool has_fractions;
} survey;

static status refuse_field(status_code code, int64_t line, token field) {
  return status_error(code, "line %" PRId64 ": '%.*s' is no number", line, token_shown_length(field), field.begin);
}

static status look_at_row(token line, int64_t number, survey *s) {
  int64_t columns = 0, whole;
  float fraction;
  for (token field; token_next_field(&line, ',', &field); columns++) {
    if (parse_whole(field, &whole)) continue;
    s->has_fractions = true;
    if (!parse_number(field, &fraction))
      return refuse_field(s->rows || columns ? STATUS_CODE_format : STATUS_CODE_unsupported, number, field);
  }
  if (!s->rows) s->columns = columns;
  if (columns != s->columns)
    return status_error(STATUS_CODE_format, "line %" PRId64 ": %" PRId64 " columns, expected %" PRId64, number, columns,
                        s->columns);
  s->rows++;
  return STATUS_OK;
}

static void fill(const survey *s, token_reader r, void *numbers) {
  int64_t at = 0;
  for (token line, field; next_row(&r, &line);)
    for (; token_next_field(&line, ',', &field); at++)
      if (s->has_fractions)
        parse_number(field, (float *)numbers + at);
      else
        parse_whole(field, (int64_t *)numbers + at);
}

static status read_table(arena *a, const folder_text *file, tensor *out) {
  survey s = {0};
  token_reader r = token_reader_create(file->data, file->size);
  for (token line; next_row(&r, &line);) RETURN_IF_ERROR(look_at_row(line, r.line, &s));
  *out = (tensor){
      .name = file->shown, .dtype = s.has_fractions ? DTYPE_F32 : DTYPE_I64, .rank = 2, .dims = {s.rows, s.columns}};
  RETURN_IF_ERROR(tensor_measure(out->dtype, out->rank, out->dims, &out->count, &out->bytes));
  void *numbers = arena_try_alloc(a, out->bytes);
  if (!numbers) return status_error(STATUS_CODE_memory, "%zu bytes do not fit into memory", out->bytes);
  fill(&s, token_reader_create(file->data, file->size), numbers);
  out->data = numbers;
  return STATUS_OK;
}

status number_table_read(arena *a, const folder_text *file, tensor *out) {
  return status_context(read_table(a, file, out), "%s", file->shown);
}

status number_table_read_file(arena *a, const data_folder *f, const char *name, tensor *out) {
  arena *scratch = arena_create(); /* for the text; the numbers stay */
  folder_text file = {0};
  status s = folder_read(f, scratch, name, &file);
  if (!s) s = number_table_read(a, &file, out);
  if (!s) out->name = arena_strdup(a, file.shown);
  arena_destroy(scratch);
  return s;
}

status number_table_check_list(const tensor *t, int64_t count, int64_t limit, const char *what) {
  bool is_list = t->dtype == DTYPE_I64 && (t->count == 0 || (t->rank == 2 && t->dims[1] == 1) || t->rank == 1);
  if (!is_list)
    return status_error(STATUS_CODE_mismatch, "%s: has %" PRId64 " columns of %s, expected one of whole numbers",
                        t->name, t->rank == 2 ? t->dims[1] : t->rank, dtype_name(t->dtype));
  if (count >= 0 && t->count != count)
    return status_error(STATUS_CODE_mismatch, "%s: has %" PRId64 " rows, expected %" PRId64, t->name, t->count, count);
  for (int64_t i = 0; i < t->count; i++) {
    int64_t value = convert_element_i64(t, i);
    if (value < 0 || value >= limit)
      return status_error(STATUS_CODE_mismatch, "%s: row %" PRId64 " is %" PRId64 ", expected 0 to %" PRId64 " (%s)",
                          t->name, i + 1, value, limit - 1, what);
  }
  return STATUS_OK;
}
