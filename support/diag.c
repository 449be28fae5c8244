/* The engine for messages about the user's program: it decides the severity, counts and prints.
 *
 *   diag_report(d, span, DIAG_shape_mismatch, "'h' has %d columns here, but weight '%s' takes %d", 16, "W1", 32);
 *
 * prints the message of diag.h with its source line at once, so that a later crash loses no
 * message. */
#include "support/diag.h"
#include "support/diag_excerpt.h"
#include "support/progress.h"
#include "support/terminal.h"
#include "support/vec.h"

#include <string.h>

enum { LONGEST_ID = 32 };

/* The names of the rows with dashes in place of underscores, as users see and type them. The macros
 * convert one constant character after the other. */
#define CHARACTER(s, i)                                                                                                \
  (sizeof(s) <= (i) ? 0 : (s)[sizeof(s) <= (i) ? 0 : (i)] == '_' ? '-' : (s)[sizeof(s) <= (i) ? 0 : (i)])
#define FOUR(s, i) CHARACTER(s, i), CHARACTER(s, (i) + 1), CHARACTER(s, (i) + 2), CHARACTER(s, (i) + 3)
#define SIXTEEN(s, i) FOUR(s, i), FOUR(s, (i) + 4), FOUR(s, (i) + 8), FOUR(s, (i) + 12)
static const char id_names[DIAG_count][LONGEST_ID] = {
#define DIAG(name, severity, summary, explanation) {SIXTEEN(#name, 0), SIXTEEN(#name, 16)},
#include "support/diag.def"
#undef DIAG
};
#define DIAG(name, severity, summary, explanation) _Static_assert(sizeof #name <= LONGEST_ID, "the id is too long");
#include "support/diag.def"
#undef DIAG

const diag_info diag_table[DIAG_count] = {
#define DIAG(name, severity, summary, explanation)                                                                     \
  {id_names[DIAG_##name], DIAG_SEVERITY_##severity, summary, explanation},
#include "support/diag.def"
#undef DIAG
};

/* The setting of -W for one id. */
typedef enum choice { CHOICE_none, CHOICE_off, CHOICE_on, CHOICE_error } choice;

/* The place of a message: a file name and position, with the source when its text is known. The
 * line and column of a span are computed only when its message is shown. */
typedef struct place {
  const source *source;
  const char *file;
  uint32_t line, column; /* line 0: none */
  uint32_t length;
  uint32_t begin; /* offset in bytes, of a span whose line and column are not yet computed */
} place;

struct diag {
  FILE *out;
  arena *memory;
  VEC(const source *) sources;
  uint64_t *seen; /* hashes of the messages so far, open addressing; 0: free */
  size_t seen_count, seen_capacity;
  choice choices[DIAG_count];
  bool warnings_are_errors;
  bool is_muted;          /* the previous message was not shown, so its notes are not shown either */
  const source *built_in; /* the first source of a message that is not a file */
  bool is_stopped;        /* diag_is_full returned true */
  diag_id last_id;
  unsigned error_count, warning_count;
  unsigned error_counts[DIAG_count];
  diag_sink sink;
  void *sink_user;
};

diag *diag_create(FILE *out) {
  arena *memory = arena_create();
  diag *d = arena_alloc(memory, sizeof *d);
  d->memory = memory;
  d->out = out;
  return d;
}

/* Prints how many messages were not shown, and whether the search for errors stopped early. */
static void say_what_is_hidden(const diag *d) {
  static const char *const names[] = {"error", "warning"};
  bool has_colour = terminal_has_colour(d->out);
  const char *note = terminal_begin(has_colour, TERMINAL_note), *plain = terminal_begin(has_colour, TERMINAL_plain);
  const unsigned counts[] = {d->error_count, d->warning_count};
  for (int i = 0; i < 2; i++) {
    unsigned hidden = counts[i] > DIAG_MOST_SHOWN ? counts[i] - DIAG_MOST_SHOWN : 0;
    if (hidden) fprintf(d->out, "%snote:%s %u more %s%s\n", note, plain, hidden, names[i], hidden == 1 ? "" : "s");
  }
  const source *s = d->built_in;
  if (s) fprintf(d->out, "%snote:%s %s is built into the program: '%s' prints it\n", note, plain, s->name, s->command);
  if (d->is_stopped) fprintf(d->out, "%snote:%s stopped after %u errors\n", note, plain, d->error_count);
  fflush(d->out);
}

void diag_destroy(diag *d) {
  if (!d) return;
  if (!d->sink) say_what_is_hidden(d);
  arena_destroy(d->memory);
}

void diag_set_sink(diag *d, diag_sink sink, void *user) {
  d->sink = sink;
  d->sink_user = user;
}

void diag_add_source(diag *d, const source *s) {
  VEC_PUSH(d->memory, &d->sources, s);
}

unsigned diag_error_count(const diag *d) {
  return d->error_count;
}
unsigned diag_warning_count(const diag *d) {
  return d->warning_count;
}
bool diag_has_errors(const diag *d) {
  return d->error_count != 0;
}
bool diag_is_full(diag *d) {
  bool is_full = !d->sink && d->error_count >= DIAG_MOST_SHOWN;
  if (is_full) d->is_stopped = true;
  return is_full;
}

unsigned diag_error_count_of(const diag *d, diag_id id) {
  return d->error_counts[id];
}

static bool find_id(const char *name, diag_id *id) {
  for (int i = 0; i < DIAG_count; i++)
    if (strcmp(diag_table[i].name, name) == 0) return *id = (diag_id)i, true;
  return false;
}

bool diag_set_option(diag *d, const char *option) {
  choice chosen = CHOICE_on;
  bool is_no = strncmp(option, "no-", 3) == 0;
  if (is_no) option += 3;
  if (strcmp(option, "error") == 0) return d->warnings_are_errors = !is_no, true;
  if (strcmp(option, "all") == 0) {
    for (int i = 0; i < DIAG_count; i++)
      if (is_no || d->choices[i] == CHOICE_off) d->choices[i] = is_no ? CHOICE_off : CHOICE_none;
    return true;
  }
  if (strncmp(option, "error=", 6) == 0) {
    option += 6;
    chosen = CHOICE_error;
    if (is_no) return false;
  } else if (is_no) {
    chosen = CHOICE_off;
  }
  diag_id id;
  if (!find_id(option, &id)) return false;
  d->choices[id] = chosen;
  return true;
}

/* Computes the severity of a message under the options; false when the message is silenced. No
 * option changes the severity of an error. */
static bool decide_severity(const diag *d, diag_id id, diag_severity *severity) {
  *severity = diag_table[id].severity;
  if (*severity == DIAG_SEVERITY_error) return true;
  if (d->choices[id] == CHOICE_off) return false;
  if (d->choices[id] == CHOICE_error) *severity = DIAG_SEVERITY_error;
  if (*severity == DIAG_SEVERITY_warning && d->warnings_are_errors) *severity = DIAG_SEVERITY_error;
  return true;
}

static uint64_t hash_number(uint64_t hash, uint32_t number) {
  return (hash ^ number) * UINT64_C(0x100000001B3);
}

static uint64_t hash_string(uint64_t hash, const char *s) {
  for (; *s; s++) hash = hash_number(hash, (unsigned char)*s);
  return hash;
}

static void insert_hash(uint64_t *table, size_t capacity, uint64_t hash) {
  size_t i = (size_t)hash & (capacity - 1);
  while (table[i]) i = (i + 1) & (capacity - 1);
  table[i] = hash;
}

/* Records a message; false when the same message was recorded before. */
static bool is_first_time(diag *d, const place *p, diag_id id, const char *message) {
  uint64_t hash = UINT64_C(0xCBF29CE484222325);
  const uint32_t numbers[] = {p->line, p->column, p->length, p->begin, (uint32_t)id};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) hash = hash_number(hash, numbers[i]);
  if (p->file) hash = hash_string(hash, p->file);
  hash = hash_string(hash, message) | 1;
  if (d->seen_count * 2 >= d->seen_capacity) {
    size_t capacity = d->seen_capacity ? d->seen_capacity * 2 : 32;
    uint64_t *table = arena_alloc_array(d->memory, capacity, sizeof *table);
    for (size_t i = 0; i < d->seen_capacity; i++)
      if (d->seen[i]) insert_hash(table, capacity, d->seen[i]);
    d->seen = table;
    d->seen_capacity = capacity;
  }
  for (size_t i = (size_t)hash & (d->seen_capacity - 1); d->seen[i]; i = (i + 1) & (d->seen_capacity - 1))
    if (d->seen[i] == hash) return false;
  insert_hash(d->seen, d->seen_capacity, hash);
  d->seen_count++;
  return true;
}

static place place_of_span(span where) {
  if (!where.source) return (place){0};
  return (place){.source = where.source,
                 .file = where.source->name,
                 .begin = where.begin,
                 .length = where.end > where.begin ? where.end - where.begin : 1};
}

static void find_line_and_column(place *p) {
  if (!p->source || p->line) return;
  source_position at = source_find(p->source, p->begin);
  p->line = at.line;
  p->column = at.column;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Returns the place of a location in IR. Its file is the name of a source, or only the last
 * component of that name. */
static place place_of_name(const diag *d, const char *file, unsigned line, unsigned column) {
  place p = {.file = file, .line = line, .column = column, .length = 1};
  for (size_t i = 0; file && line && i < d->sources.count; i++) {
    const source *s = d->sources.items[i];
    bool is_same = strcmp(s->name, file) == 0;
    if (!is_same && (p.source || strcmp(base_name(s->name), base_name(file)) != 0)) continue;
    p.source = s;
    p.file = s->name;
    if (is_same) break;
  }
  return p;
}

/* Passes a formatted message to the sink, or prints it with its source line. */
static void show(diag *d, place *p, diag_severity severity, diag_id id, const char *message) {
  static const char *const severity_names[] = {"error", "warning", "remark", "note"};
  find_line_and_column(p);
  if (d->sink) {
    d->sink(d->sink_user, severity, id, p->file ? p->file : "", p->line, p->column, message);
    return;
  }
  if (!d->built_in && p->source && p->source->command) d->built_in = p->source;
  bool has_colour = terminal_has_colour(d->out);
  const char *plain = terminal_begin(has_colour, TERMINAL_plain);
  text t = {0};
  if (p->file) {
    text_append(&t, terminal_begin(has_colour, TERMINAL_place));
    text_append_printable(&t, p->file);
    if (p->line) text_printf(&t, ":%u:%u", p->line, p->column);
    text_printf(&t, ":%s ", plain);
  }
  text_printf(&t, "%s%s:%s %s", terminal_begin(has_colour, (terminal_style)severity), severity_names[severity], plain,
              message);
  if (severity != DIAG_SEVERITY_note) text_printf(&t, "   [%s]", diag_table[id].name);
  text_append(&t, "\n");
  if (p->source) diag_append_excerpt(&t, p->source, p->line, p->column, p->length);
  progress_clear();
  fwrite(t.data, 1, t.size, d->out);
  fflush(d->out);
  text_free(&t);
}

static text format_message(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Formats the message; control characters, which names in the user's file may contain, become
 * '?'. */
static text format_message(const char *format, va_list args) {
  text raw = {0}, t = {0};
  text_vprintf(&raw, format, args);
  text_append_printable_lines(&t, text_str(&raw));
  text_free(&raw);
  return t;
}

static void count(diag *d, diag_severity severity, diag_id id) {
  if (severity == DIAG_SEVERITY_error) d->error_count++, d->error_counts[id]++;
  if (severity == DIAG_SEVERITY_warning) d->warning_count++;
}

/* Whether a message that was just counted exceeds the limit of shown messages. */
static bool is_hidden(const diag *d, diag_severity severity) {
  if (d->sink) return false;
  return (severity == DIAG_SEVERITY_error && d->error_count > DIAG_MOST_SHOWN) ||
         (severity == DIAG_SEVERITY_warning && d->warning_count > DIAG_MOST_SHOWN);
}

static void report(diag *d, place p, diag_id id, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

static void report(diag *d, place p, diag_id id, const char *format, va_list args) {
  diag_severity severity;
  d->last_id = id;
  d->is_muted = true;
  if (!decide_severity(d, id, &severity)) return;
  text message = format_message(format, args);
  if (is_first_time(d, &p, id, text_str(&message))) {
    count(d, severity, id);
    d->is_muted = is_hidden(d, severity);
    if (!d->is_muted) show(d, &p, severity, id, text_str(&message));
  }
  text_free(&message);
}

static void note(diag *d, place p, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

static void note(diag *d, place p, const char *format, va_list args) {
  if (d->is_muted) return;
  text message = format_message(format, args);
  show(d, &p, DIAG_SEVERITY_note, d->last_id, text_str(&message));
  text_free(&message);
}

void diag_report(diag *d, span where, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(d, place_of_span(where), id, format, args);
  va_end(args);
}

void diag_note(diag *d, span where, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(d, place_of_span(where), format, args);
  va_end(args);
}

void diag_report_at(diag *d, const char *file, unsigned line, unsigned column, diag_id id, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(d, place_of_name(d, file, line, column), id, format, args);
  va_end(args);
}

void diag_note_at(diag *d, const char *file, unsigned line, unsigned column, const char *format, ...) {
  va_list args;
  va_start(args, format);
  note(d, place_of_name(d, file, line, column), format, args);
  va_end(args);
}
