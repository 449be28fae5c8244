/* Tables of edges, which programs for data write, .csv and .tsv. What the columns are decides how
 * they are read:
 *
 *   source,target              two columns: edges
 *   source,target,weight       a header that names a weight, or numbers with a point: edges with weights
 *   subject,relation,object    a header that names a relation, or names: triples
 *   0,1,2                      whole numbers without a header: either, so --from has to say which
 */
#include "data/formats/token.h"
#include "data/import/import.h"
#include "support/status.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { LOOKED_AT = 1000, MOST_COLUMNS = 4 };

typedef enum reading { READING_edges, READING_triples, READING_unclear } reading;

static bool is_any(token t, const char *const *words) {
  for (; *words; words++)
    if (strlen(*words) == t.length && !strncasecmp(t.begin, *words, t.length)) return true;
  return false;
}

static const char *const weight_names[] = {"w", "weight", "weights", "value", "edge_weight", NULL};
static const char *const relation_names[] = {"r", "rel", "relation", "predicate", "type", "edge_type", NULL};

static int cut(token line, char separator, token fields[MOST_COLUMNS]) {
  int count = 0;
  while (count < MOST_COLUMNS && (separator == ' ' ? token_next_word(&line, &fields[count])
                                                   : token_next_field(&line, separator, &fields[count])))
    count++;
  return count;
}

/* What three fields of data say: a name is a triple's, a point a weight's. */
static reading read_row(const token fields[3]) {
  int64_t whole;
  double number;
  if (!token_parse_i64(fields[0], &whole) || !token_parse_i64(fields[1], &whole)) return READING_triples;
  if (token_parse_i64(fields[2], &whole)) return READING_unclear;
  return token_parse_f64(fields[2], &number) ? READING_edges : READING_triples;
}

/* What the first line says by its number of columns or by their names. */
static bool read_header(int count, const token fields[MOST_COLUMNS], reading *result) {
  if (count > 2 && !is_any(fields[2], weight_names) && !is_any(fields[1], relation_names)) return false;
  *result = count == 2 || !is_any(fields[1], relation_names) ? READING_edges : READING_triples;
  return true;
}

/* Looks at the first lines. A first line of names may be a header or a triple: the next one tells. `line_number` is the
 * line that the reading stands on. */
static reading decide(const char *text, size_t size, int64_t *line_number) {
  token_reader r = token_reader_create(text, size);
  reading result = READING_edges;
  char separator = 0;
  int seen = 0;
  for (token line, fields[MOST_COLUMNS]; seen < LOOKED_AT && token_next_line(&r, &line);) {
    token rest = line, word;
    if (!token_next_word(&rest, &word) || *word.begin == '#') continue;
    if (*word.begin == '<' || *word.begin == '"') return READING_triples;
    if (!separator)
      separator = memchr(line.begin, '\t', line.length) ? '\t' : memchr(line.begin, ',', line.length) ? ',' : ' ';
    int count = cut(line, separator, fields);
    if (!seen && read_header(count, fields, &result)) return result;
    if (count < 3) return READING_triples; /* which refuses the line */
    result = read_row(fields);
    if (!seen) *line_number = r.line;
    if (result == READING_edges || (result == READING_triples && seen)) return result;
    seen++;
  }
  return result;
}

status import_csv(const char *name, const char *text, size_t size, const import_options *options, tensor_set **out) {
  *out = NULL;
  int64_t line = 0;
  switch (decide(text, size, &line)) {
  case READING_edges: return import_snap(name, text, size, options, out);
  case READING_triples: return import_triples(name, text, size, options, out);
  default:
    return status_error(
        STATUS_CODE_format,
        "%s: line %" PRId64 ": three columns of whole numbers: are they source, target and weight, or subject, "
        "relation and object? A header 'src,dst,weight' or 'subject,relation,object' says it, and so does "
        "--from=snap or --from=triples",
        name, line);
  }
}
