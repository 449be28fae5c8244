/* Runs lexer and parser over one file.
 *
 * The function parser_lex between them keeps braces balanced. It reports and drops a superfluous
 * '}'. Where a '}' is missing before 'layer', 'model', 'import' or the end of the file, it reports
 * the '{' and inserts the '}'. So the grammar recovers block by block, and one forgotten brace
 * gives one message. */
#include "frontend/syntax/parse.h"
#include "frontend/parser.h"
#include "frontend/syntax/parse_state.h"

#define YYSTYPE PARSER_STYPE
#define YYLTYPE PARSER_LTYPE
#include "frontend/lexer.h"

#include <locale.h>
#include <string.h>

/* The largest source; it also keeps lengths within the lexer's int. */
#define MAX_SOURCE_BYTES (64u << 20)

static bool is_first_on_line(const parse_state *s, span where) {
  uint32_t i = where.begin;
  while (i > 0 && strchr(" \t\r", s->source->text[i - 1])) i--;
  return i == 0 || s->source->text[i - 1] == '\n';
}

static void open_bracket(parse_state *s, parse_token token) {
  if (s->brackets.count == AST_MAX_NESTING) {
    parse_report_too_deep(s, token.span);
    return;
  }
  VEC_PUSH(s->arena, &s->brackets, (parse_bracket){token.kind, token.span, s->phrase});
}

/* Drops all open '(' and '[', which never extend over ';', '{' or '}', and keeps the innermost in
 * `unclosed`. */
static void drop_open_parentheses(parse_state *s) {
  while (s->brackets.count && s->brackets.items[s->brackets.count - 1].kind != '{') {
    s->brackets.count--;
    if (!s->unclosed.kind) s->unclosed = s->brackets.items[s->brackets.count];
  }
}

/* Returns the number of blanks before the first word of the line. */
static uint32_t indentation(const parse_state *s, uint32_t offset) {
  while (offset > 0 && s->source->text[offset - 1] != '\n') offset--;
  uint32_t end = offset;
  while (s->source->text[end] == ' ' || s->source->text[end] == '\t') end++;
  return end - offset;
}

/* Remembers the first '{' whose '}' has another indentation: if a '}' is missing, it is probably
 * missing there. */
static void watch_indentation(parse_state *s, const parse_bracket *open, span close) {
  if (s->suspect.kind || !is_first_on_line(s, close)) return;
  if (indentation(s, open->span.begin) != indentation(s, close.begin)) s->suspect = *open;
}

static void report_unclosed(parse_state *s, parse_token at) {
  drop_open_parentheses(s);
  const parse_bracket *open = s->suspect.kind ? &s->suspect : &s->brackets.items[s->brackets.count - 1];
  if (at.kind == TOKEN_END)
    parse_error(s, at.span, DIAG_syntax, "expected '}' before the end of the file");
  else
    parse_error(s, at.span, DIAG_syntax, "expected '}' before '%.*s'", (int)(at.span.end - at.span.begin),
                s->source->text + at.span.begin);
  diag_note(s->diag, open->span,
            s->suspect.kind ? "the '{' of '%s' has no '}' that stands under it" : "the '{' of '%s' is still open",
            parse_describe_phrase(s, open->phrase, open->span.begin));
  s->suspect.kind = 0;
}

/* Whether the token is allowed only outside of all blocks, such as `layer` at the beginning of a
 * line. */
static bool ends_all_blocks(const parse_state *s, parse_token token) {
  if (token.kind == TOKEN_END) return true;
  if (token.kind != TOKEN_LAYER && token.kind != TOKEN_MODEL && token.kind != TOKEN_IMPORT) return false;
  int before = s->current.kind;
  if (before == ';' || before == '{' || before == '}') return true;
  return before != '.' && before != ',' && is_first_on_line(s, token.span);
}

static size_t open_brace_count(const parse_state *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->brackets.count; i++) count += s->brackets.items[i].kind == '{';
  return count;
}

static void follow_brackets(parse_state *s, parse_token token) {
  int kind = token.kind;
  if (kind == ';' || kind == '{' || kind == '}') drop_open_parentheses(s);
  if (kind == '(' || kind == '[' || kind == '{') open_bracket(s, token);
  if (kind == ')' || kind == ']') {
    size_t count = s->brackets.count;
    if (count && s->brackets.items[count - 1].kind == (kind == ')' ? '(' : '[')) s->brackets.count--;
  }
  if (kind == '}' && s->brackets.count) {
    s->brackets.count--;
    if (!s->is_inserted) watch_indentation(s, &s->brackets.items[s->brackets.count], token.span);
  }
}

static void follow_phrase(parse_state *s, parse_token token) {
  int kind = token.kind;
  if (s->is_phrase_begin) s->phrase = (parse_phrase){token.span.begin, 0};
  s->is_phrase_begin = kind == ';' || kind == '{' || kind == '}';
  if (!s->phrase.cut &&
      (kind == '=' || kind == ':' || kind == '(' || (kind >= TOKEN_ADD_ASSIGN && kind <= TOKEN_DIVIDE_ASSIGN)))
    s->phrase.cut = token.span.end;
}

/* Returns the lexer's next token; skips a '}' that closes nothing. */
static parse_token read_token(parse_state *s, PARSER_STYPE *value) {
  for (;;) {
    parse_token token = {0};
    token.kind = lexer_lex(value, &token.span, s->scanner);
    if (token.kind == TOKEN_END) token.span = (span){s->source, s->offset, s->offset};
    s->lexed = token;
    if (token.kind != '}' || open_brace_count(s) > 0) return token;
    parse_error(s, token.span, DIAG_syntax, "this '}' closes nothing");
    s->is_phrase_begin = true;
  }
}

int parser_lex(PARSER_STYPE *value, PARSER_LTYPE *where, parse_state *s) {
  s->previous = s->current;
  s->is_inserted = false;
  if (!s->is_stopped && !s->is_held) {
    s->held = read_token(s, s->held_value);
    s->is_held = true;
    if (ends_all_blocks(s, s->held) && (s->closers = (unsigned)open_brace_count(s)) > 0) report_unclosed(s, s->held);
  }
  parse_token token = s->held;
  if (s->closers > 0) {
    s->closers--;
    s->is_inserted = true;
    token = (parse_token){'}', {s->source, s->previous.span.end, s->previous.span.end}};
  } else {
    *value = *s->held_value;
    s->is_held = false;
  }
  s->unclosed.kind = 0;
  if (!s->is_stopped) {
    follow_phrase(s, token);
    follow_brackets(s, token);
  }
  if (s->is_stopped) token = (parse_token){TOKEN_END, {s->source, s->offset, s->offset}};
  s->current = token;
  *where = token.span;
  return token.kind;
}

bool parse_is_fresh_statement(const parse_state *s) {
  switch (s->current.kind) {
  case TOKEN_GRAPH:
  case TOKEN_DIM:
  case TOKEN_INPUT:
  case TOKEN_WEIGHT:
  case TOKEN_OUTPUT:
  case TOKEN_LOSS:
  case TOKEN_LET:
  case TOKEN_FOR:
  case TOKEN_REPEAT:
  case TOKEN_RETURN:
  case TOKEN_IF:
  case TOKEN_ELSE:
  case TOKEN_LAYER:
  case TOKEN_MODEL:
  case TOKEN_IMPORT:
  case '}':
  case TOKEN_END: return true;
  default: return is_first_on_line(s, s->current.span);
  }
}

bool parse_mend_end(parse_state *s) {
  if (!parse_is_fresh_statement(s)) {
    s->junk_begin = s->current.span.begin;
    return false;
  }
  s->phrase = (parse_phrase){s->current.span.begin, 0};
  return true;
}

/* Makes the copy that the lexer reads, followed by the two zero bytes that flex requires. Zero
 * bytes in the source are reported here and read as blanks, because flex takes quadratic time for
 * them. */
static char *copy_text(parse_state *s, size_t *size) {
  *size = s->source->size + 2;
  char *copy = arena_alloc(s->arena, *size);
  if (s->source->size) memcpy(copy, s->source->text, s->source->size);
  if (strncmp(copy, "\xEF\xBB\xBF", 3) == 0) memset(copy, ' ', 3); /* a byte order mark */
  char *end = copy + s->source->size;
  for (char *nul = copy; (nul = memchr(nul, 0, (size_t)(end - nul)));) {
    span where = {s->source, (uint32_t)(nul - copy), 0};
    while (nul < end && *nul == 0) *nul++ = ' ';
    where.end = (uint32_t)(nul - copy);
    parse_error(s, where, DIAG_lexical, "unexpected zero byte%s: is this a text?",
                where.end - where.begin > 1 ? "s" : "");
  }
  return copy;
}

static bool run_parser(parse_state *s) {
  yyscan_t scanner;
  PARSER_STYPE held_value;
  s->held_value = &held_value;
  size_t size;
  char *copy = copy_text(s, &size);
  if (lexer_lex_init_extra(s, &scanner) != 0) return false;
  s->scanner = scanner;
  bool is_read = lexer__scan_buffer(copy, size, scanner) != NULL;
  if (is_read) (void)parser_parse(s);
  lexer_lex_destroy(scanner);
  return is_read;
}

ast_file *parse_source(arena *a, const source *file, diag *d) {
  parse_state s = {.arena = a, .source = file, .diag = d, .is_phrase_begin = true};
  s.file = arena_alloc(a, sizeof *s.file);
  s.file->source = file;
  if (file->size > MAX_SOURCE_BYTES) {
    diag_report(d, (span){file, 0, 0}, DIAG_lexical, "this file has %zu bytes, a source may have %u", file->size,
                MAX_SOURCE_BYTES);
    return NULL;
  }
  /* Numbers are written with '.', whatever the locale of the calling program. */
  locale_t numbers = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
  locale_t before = numbers ? uselocale(numbers) : (locale_t)0;
  bool is_done = run_parser(&s);
  if (numbers) {
    uselocale(before);
    freelocale(numbers);
  }
  if (!is_done) return NULL;
  parse_attach_comments(&s);
  return s.file;
}
