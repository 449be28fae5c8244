/* Reads tables of edges, .csv and .tsv, as other programs write them. The columns decide how a
 * table is read:
 *
 *   source,target              two columns: edges
 *   source,target,weight       a header that names a weight, or numbers with a point: edges with weights
 *   subject,relation,object    a header that names a relation, or names: triples
 *   source,target,relation     such a header: triples in this order
 *   0,1,2                      whole numbers without a header: ambiguous, so --from has to decide
 *
 * A first line of names above whole numbers is a header, whatever the names are. One of names above
 * names is a triple if one of its names occurs again:
 *
 *   person,likes,friend        a header, but alice,likes,bob is a triple where alice occurs again
 *   alice,likes,bob
 *
 * Ambiguous tables are refused, and options->header decides. */
#include "data/import/field.h"
#include "data/import/header.h"
#include "data/import/table.h"
#include "support/status.h"

#include <inttypes.h>
#include <string.h>

enum { LOOKED_AT = 1000, MOST_COLUMNS = 4 };

typedef enum reading { READING_edges, READING_triples, READING_unclear, READING_unclear_name } reading;

/* The lines of a table, and their separator. */
typedef struct table {
  arena *memory;
  token_reader lines;
  char separator; /* 0 before the first line */
} table;

/* Reads the next line that is not a comment and splits it into at most four fields. An empty fourth
 * field, and the point at the end of an N-Triples line, do not count. */
static bool next_row(table *t, token *line, token fields[MOST_COLUMNS], int *count) {
  while (token_next_line(&t->lines, line)) {
    token rest = *line, word;
    if (!token_next_word(&rest, &word) || *word.begin == '#') continue;
    if (!t->separator) t->separator = *word.begin == '<' ? ' ' : field_separator(*line);
    rest = *line;
    *count = 0;
    while (*count < MOST_COLUMNS && field_next(t->memory, t->separator, &rest, &fields[*count])) ++*count;
    if (*count == 4 && (!fields[3].length || token_is(fields[3], "."))) *count = 3;
    return true;
  }
  return false;
}

static bool is_whole(token t) {
  int64_t number;
  return token_parse_i64(t, &number);
}

/* Classifies three fields of data: a name at an end makes a triple, a decimal point makes a
 * weight. */
static reading read_row(const token fields[3]) {
  double number;
  if (!is_whole(fields[0]) || !is_whole(fields[1])) return READING_triples;
  if (is_whole(fields[2])) return READING_unclear;
  return token_parse_f64(fields[2], &number) ? READING_edges : READING_unclear_name;
}

/* Whether the line after a line of names has whole numbers at both ends of an edge, so that the
 * names are a header. */
static bool is_above_numbers(table t) {
  token line, fields[MOST_COLUMNS];
  int count;
  return next_row(&t, &line, fields, &count) && count == 3 && is_whole(fields[0]) &&
         (is_whole(fields[1]) || is_whole(fields[2]));
}

static status refuse_header(int64_t number, token line, const char *what) {
  return status_error(
      STATUS_CODE_format,
      "line %" PRId64 ": '%.*s' %s, expected 'src,dst', 'src,dst,weight', 'src,dst,relation' or "
      "'subject,relation,object' as header; --from=snap or --from=triples says that there is none of these",
      number, token_shown_length(line), line.begin, what);
}

/* Whether two rows of names have an end or the relation in common. */
static bool is_akin(const token a[3], const token b[3]) {
  for (int i = 0; i < 3; i++)
    for (int k = i % 2; k < 3; k += 2)
      if (a[i].length == b[k].length && !memcmp(a[i].begin, b[k].begin, a[i].length)) return true;
  return false;
}

/* Fails for a first row whose names occur nowhere else, because they may be those of columns. */
static status check_first_triple(table t, token line, const token first[3]) {
  const int64_t number = t.lines.line;
  token other, fields[MOST_COLUMNS];
  int count, rows = 0;
  if (*first[0].begin == '<' || !header_has_names_only(3, first)) return STATUS_OK;
  for (; next_row(&t, &other, fields, &count); rows++)
    if (count == 3 && is_akin(first, fields)) return STATUS_OK;
  if (!rows) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "line %" PRId64 ": no name of '%.*s' occurs again: are they names of columns (--header=yes) or a "
                      "triple (--header=no)?",
                      number, token_shown_length(line), line.begin);
}

static status refuse_rows(reading unclear, int64_t number) {
  if (unclear == READING_unclear)
    return status_error(
        STATUS_CODE_format,
        "line %" PRId64 ": three columns of whole numbers: are they source, target and weight, or subject, "
        "relation and object? A header 'src,dst,weight' or 'subject,relation,object' says it, and so does "
        "--from=snap or --from=triples",
        number);
  return status_error(STATUS_CODE_format,
                      "line %" PRId64
                      ": two whole numbers and a name: are they source, target and relation, or subject, "
                      "relation and object? A header 'src,dst,relation' or 'subject,relation,object' says it",
                      number);
}

/* Decides on three columns without a clear header by the rows; `fields` is the first row. */
static status decide_by_rows(table t, token fields[MOST_COLUMNS], int count, reading *result) {
  reading unclear = READING_edges;
  int64_t unclear_line = 0;
  int seen = 0;
  for (token line; seen < LOOKED_AT; seen++) {
    *result = count < 3 ? READING_triples : read_row(fields); /* the reader refuses lines that are too short */
    if (*result == READING_edges || *result == READING_triples) return STATUS_OK;
    if (!unclear_line) {
      unclear = *result;
      unclear_line = t.lines.line;
    }
    if (!next_row(&t, &line, fields, &count)) break;
  }
  return refuse_rows(unclear, unclear_line);
}

/* Decides on three columns whose header, if there is one, is not clear. */
static status decide_by_data(table t, token line, token fields[MOST_COLUMNS], header names, import_header has_header,
                             table_form *form, reading *result) {
  form->has_header = has_header == IMPORT_HEADER_yes ||
                     (has_header == IMPORT_HEADER_auto && header_has_names_only(3, fields) && is_above_numbers(t));
  if (!form->has_header && names == HEADER_doubtful)
    return refuse_header(t.lines.line, line, "may be names of columns or a triple");
  token first[3] = {fields[0], fields[1], fields[2]};
  *result = READING_triples;
  if (form->has_header && header_is_relation(fields[1])) return STATUS_OK;
  form->is_relation_last = form->has_header && header_is_relation(fields[2]);
  if (form->is_relation_last) return STATUS_OK;
  int count = 3;
  if (form->has_header) next_row(&t, &line, fields, &count);
  RETURN_IF_ERROR(decide_by_rows(t, fields, count, result));
  bool is_open = has_header == IMPORT_HEADER_auto && !form->has_header && *result == READING_triples;
  return is_open ? check_first_triple(t, line, first) : STATUS_OK;
}

static status decide(table t, import_header has_header, table_form *form, reading *result) {
  token line, fields[MOST_COLUMNS];
  int count;
  *result = READING_edges;
  *form = (table_form){.separator = ','};
  if (!next_row(&t, &line, fields, &count)) return STATUS_OK;
  form->separator = t.separator;
  if (count > 1 && !fields[0].length && header_has_names_only(1, fields + 1))
    return status_error(STATUS_CODE_format,
                        "line %" PRId64
                        ": the first column has no name: where it is an index, write the table without it "
                        "(index=False in pandas, row.names=FALSE in R)",
                        t.lines.line);
  header names = has_header == IMPORT_HEADER_no ? HEADER_none : header_read(count, fields);
  form->has_header = names == HEADER_edges || names == HEADER_triples || names == HEADER_labelled;
  form->is_relation_last = names == HEADER_labelled;
  if (names == HEADER_disordered) return refuse_header(t.lines.line, line, "names the columns in another order");
  bool is_numbered = count > 1 && is_whole(fields[0]) && is_whole(fields[1]);
  *result = names == HEADER_edges || count == 2 || (count > 3 && is_numbered) ? READING_edges : READING_triples;
  bool is_decided = form->has_header || count != 3;
  if (has_header == IMPORT_HEADER_yes) form->has_header = true;
  return is_decided ? STATUS_OK : decide_by_data(t, line, fields, names, has_header, form, result);
}

status import_csv(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out) {
  *out = NULL;
  table t = {.memory = arena_create(), .lines = token_reader_create(text, size)};
  table_form form;
  reading result;
  status s = decide(t, options->header, &form, &result);
  arena_destroy(t.memory);
  if (s) return status_context(s, "%s", name);
  return result == READING_edges ? table_read_edges(name, text, size, &form, options, out)
                                 : table_read_triples(name, text, size, &form, options, out);
}
