/* Prints the source line of a message with a caret under the place.
 *
 *   12 |   let y = relu(h @ W1);
 *      |                ^~~~~~
 *
 * Tabs become spaces up to the next multiple of 8, and bytes that are not printable text become
 * '?'. Of a long line only a window around the caret is shown, because a message must not flood or
 * confuse a terminal, whatever the file contains. */
#include "support/diag_excerpt.h"
#include "support/utf8.h"

#include <stdbool.h>
#include <string.h>

enum { TAB_COLUMNS = 8, WINDOW_COLUMNS = 100, LEAD_COLUMNS = 40, LONGEST_LINE = 1 << 16 };

/* Returns the start of line `line`, and its length in bytes without the line end; NULL when the
 * source has fewer lines. */
static const char *find_line(const source *s, uint32_t line, size_t *length) {
  const char *at = s->text;
  const char *end = s->text + s->size;
  while (--line) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    if (!newline) return NULL;
    at = newline + 1;
  }
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  *length = (size_t)((newline ? newline : end) - at);
  if (*length && at[*length - 1] == '\r') --*length;
  return at;
}

/* Iterates over the characters of a line. The caller sets bytes and length; all other members start
 * at zero. */
typedef struct line_walk {
  const char *bytes;
  size_t length;
  size_t offset; /* in bytes, of the character that was read last */
  size_t next;
  size_t column; /* display column of that character */
  size_t width;
} line_walk;

static bool walk_next(line_walk *w) {
  w->column += w->width;
  w->offset = w->next;
  if (w->offset >= w->length) return false;
  size_t size = utf8_length(w->bytes + w->offset, w->length - w->offset);
  w->width = w->bytes[w->offset] == '\t' ? TAB_COLUMNS - w->column % TAB_COLUMNS : 1;
  w->next = w->offset + (size ? size : 1);
  return true;
}

/* Whether the character is invalid UTF-8 or a control character from U+0080 to U+009F. */
static bool is_not_text(const line_walk *w) {
  const char *at = w->bytes + w->offset;
  return utf8_length(at, w->length - w->offset) == 0 || (at[0] == '\xC2' && (unsigned char)at[1] < 0xA0);
}

static void append_character(text *t, const line_walk *w) {
  unsigned char first = (unsigned char)w->bytes[w->offset];
  if (first == '\t')
    text_printf(t, "%*s", (int)w->width, "");
  else if (first < 0x20 || first == 0x7F || is_not_text(w))
    text_append(t, "?");
  else
    text_append_bytes(t, w->bytes + w->offset, w->next - w->offset);
}

/* Computes the display columns of the bytes [begin, end) and the display width of the line. */
static void measure(line_walk w, size_t begin, size_t end, size_t *first, size_t *last, size_t *total) {
  *first = *last = SIZE_MAX;
  while (walk_next(&w)) {
    if (*first == SIZE_MAX && w.next > begin) *first = w.column;
    if (w.offset < end) *last = w.column + w.width;
  }
  *total = w.column;
  if (*first == SIZE_MAX) *first = w.column;
  if (*last == SIZE_MAX || *last <= *first) *last = *first + 1;
}

void diag_append_excerpt(text *t, const source *s, uint32_t line, uint32_t column, uint32_t length) {
  size_t size;
  const char *at = line ? find_line(s, line, &size) : NULL;
  if (!at) return;
  if (size > LONGEST_LINE) size = LONGEST_LINE;
  size_t begin = column ? column - 1 : 0;
  size_t first, last, total;
  line_walk w = {.bytes = at, .length = size};
  measure(w, begin, begin + length, &first, &last, &total);

  size_t from = total > WINDOW_COLUMNS && first > LEAD_COLUMNS ? first - LEAD_COLUMNS : 0;
  size_t to = from + WINDOW_COLUMNS;
  text_printf(t, "%5u | %s", line, from ? "..." : "");
  while (walk_next(&w))
    if (w.column >= from && w.column < to) append_character(t, &w);
  text_printf(t, "%s\n      | %s%*s^", total > to ? "..." : "", from ? "   " : "", (int)(first - from), "");
  if (last > to) last = to;
  for (size_t i = first + 1; i < last; i++) text_append(t, "~");
  text_append(t, "\n");
}
