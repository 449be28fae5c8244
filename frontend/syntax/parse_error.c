/* Words syntax errors: the token found, the tokens expected, the text before them, and a hint for
 * common mistakes.
 *
 *   gcn.gnn:6:31: error: expected ';' after 'let h = ...', found 'let'   [syntax]
 *
 * The grammar gives the symbols that it accepts; twenty operators become "an operator", the
 * beginnings of an expression "an expression". A missing ';' is marked behind the last token, other
 * errors at the token found. */
#include "frontend/parser.h"
#include "frontend/syntax/parse_state.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ERRORS = 100 };

void parse_error(parse_state *s, span where, diag_id id, const char *format, ...) {
  if (s->is_stopped) return;
  va_list args;
  va_start(args, format);
  const char *message = arena_vprintf(s->arena, format, args);
  va_end(args);
  diag_report(s->diag, where, id, "%s", message);
  if (++s->error_count < MAX_ERRORS) return;
  diag_report(s->diag, where, DIAG_syntax, "too many errors: the rest of the file is not read");
  s->is_stopped = true;
}

void parse_report_too_deep(parse_state *s, span where) {
  parse_error(s, where, DIAG_syntax, "brackets, blocks or signs are nested more than %d deep here", AST_MAX_NESTING);
  s->is_stopped = true;
}

static bool is_word(const parse_state *s, span where, const char *word) {
  size_t size = strlen(word);
  return where.end - where.begin == size && memcmp(s->source->text + where.begin, word, size) == 0;
}

/* Whether the words, separated by blanks, include the text of the span. */
static bool is_one_of(const parse_state *s, span where, const char *words) {
  size_t size = where.end - where.begin;
  for (const char *w = words; *w;) {
    size_t length = strcspn(w, " ");
    if (length == size && memcmp(w, s->source->text + where.begin, size) == 0) return true;
    w += length + (w[length] == ' ');
  }
  return false;
}

/* Returns the text from `begin` to `end` with each run of blanks and line breaks as one space. */
static const char *quote(parse_state *s, uint32_t begin, uint32_t end) {
  char *result = arena_alloc(s->arena, end - begin + 1);
  size_t size = 0;
  for (uint32_t i = begin; i < end; i++) {
    bool is_blank = strchr(" \t\r\n", s->source->text[i]) != NULL;
    if (is_blank && (size == 0 || result[size - 1] == ' ')) continue;
    result[size++] = is_blank ? ' ' : s->source->text[i];
  }
  while (size > 0 && result[size - 1] == ' ') size--;
  result[size] = 0;
  return result;
}

const char *parse_describe_phrase(parse_state *s, parse_phrase phrase, uint32_t end) {
  enum { LONG = 32 };
  bool is_plain = !memchr(s->source->text + phrase.begin, '#', end > phrase.begin ? end - phrase.begin : 0);
  if (end <= phrase.begin) return "";
  if (end - phrase.begin <= LONG && is_plain) return quote(s, phrase.begin, end);
  if (phrase.cut > phrase.begin && phrase.cut < end && phrase.cut - phrase.begin <= 2 * LONG) {
    bool is_call = s->source->text[phrase.cut - 1] == '(';
    return arena_printf(s->arena, is_call ? "%s...)" : "%s ...", quote(s, phrase.begin, phrase.cut));
  }
  const char *start = quote(s, phrase.begin, end < phrase.begin + LONG ? end : phrase.begin + LONG);
  return arena_printf(s->arena, "%.*s ...", (int)strcspn(start, "#("), start);
}

static const char *describe_token(parse_state *s, parse_token token) {
  if (token.kind == TOKEN_END) return "the end of the file";
  uint32_t size = token.span.end - token.span.begin;
  if (token.kind == TOKEN_STRING && size > 40) return "a string";
  int shown = parse_utf8_prefix(s->source->text + token.span.begin, size, 40);
  return arena_printf(s->arena, "'%.*s%s'", shown, s->source->text + token.span.begin, size > 40 ? "..." : "");
}

/* The symbols that the grammar accepts, in groups. */
typedef struct wanted {
  bool expression, operator_, statement, item, type, field, assignment;
  bool semicolon;
  bool declaration_end; /* the words 'init', 'frozen', 'trained' are names of the grammar */
  const char *const *symbols;
  size_t count;
} wanted;

static bool wants(const wanted *w, const char *symbol) {
  for (size_t i = 0; i < w->count; i++)
    if (strcmp(w->symbols[i], symbol) == 0) return true;
  return false;
}

static wanted group_symbols(const char *const *symbols, size_t count) {
  wanted w = {.symbols = symbols, .count = count};
  w.field = wants(&w, "name") && wants(&w, "in") && wants(&w, "weight");
  w.statement = !w.field && wants(&w, "let") && wants(&w, "for");
  w.item = !w.field && wants(&w, "layer") && wants(&w, "model");
  w.type = !w.field && wants(&w, "f32") && wants(&w, "node");
  w.expression = !w.statement && wants(&w, "name") && wants(&w, "number");
  w.operator_ = wants(&w, "'.'") && wants(&w, "'['") && !w.expression;
  w.operator_ |= wants(&w, "'+'") && wants(&w, "'@'");
  w.assignment = wants(&w, "+=");
  w.semicolon = wants(&w, "';'") && !w.item;
  w.declaration_end = w.semicolon && !w.statement && !w.expression && wants(&w, "name");
  return w;
}

static bool is_in(const char *symbol, const char *set) {
  const char *found = strstr(set, symbol);
  size_t size = strlen(symbol);
  return found && (found == set || found[-1] == ' ') && (found[size] == ' ' || found[size] == 0);
}

/* Whether a group already stands for the symbol. */
static bool is_grouped(const wanted *w, const char *symbol) {
  if (w->field || w->statement || w->item) return strcmp(symbol, "'}'") != 0;
  if (w->expression && is_in(symbol, "name number string '(' '[' '-' inout")) return true;
  if (w->operator_ && is_in(symbol, "'+' '-' '*' '/' '@' '<' <= '>' >= == != '.' '[' '(' from if")) return true;
  if (w->type && is_in(symbol, "f32 i32 node edge etype ntype graph dim function reduction")) return true;
  return w->assignment && is_in(symbol, "'=' += -= *= /=");
}

/* Appends to an enumeration: "a", "a or b", and while more is to come "a, b". */
static const char *enumerate(parse_state *s, const char *list, const char *more) {
  if (!*list) return more;
  const char *last = strstr(list, " or ");
  if (!last) return arena_printf(s->arena, "%s or %s", list, more);
  return arena_printf(s->arena, "%.*s, %s or %s", (int)(last - list), list, last + 4, more);
}

static const char *describe_wanted(parse_state *s, const wanted *w) {
  bool is_in_parentheses = wants(w, "','") && wants(w, "')'");
  const char *list = is_in_parentheses ? "','" : "";
  if (w->field) list = "the name of a field";
  if (w->statement) list = "a statement";
  if (w->item) list = "'import', 'layer' or 'model'";
  if (w->type) list = enumerate(s, list, "a type");
  if (w->expression) list = enumerate(s, list, wants(w, "inout") ? "an argument" : "an expression");
  if (w->assignment) list = enumerate(s, list, "'='");
  for (size_t i = 0; i < w->count; i++) {
    const char *symbol = w->symbols[i];
    if (w->declaration_end && strcmp(symbol, "name") == 0) continue; /* accepted, too, but not missing */
    if (is_grouped(w, symbol) || strcmp(symbol, "end of file") == 0) continue;
    if (is_in_parentheses && is_in(symbol, "',' '=' in f32 i32")) continue; /* accepted, too, but not missing */
    if (strcmp(symbol, "name") == 0)
      list = enumerate(s, list, "a name");
    else if (strcmp(symbol, "number") == 0)
      list = enumerate(s, list, "a number");
    else if (strcmp(symbol, "string") == 0)
      list = enumerate(s, list, "a string in double quotes");
    else
      list = enumerate(s, list, symbol[0] == '\'' ? symbol : arena_printf(s->arena, "'%s'", symbol));
  }
  return *list ? list : w->operator_ ? "an operator" : "something else";
}

/* Hints by the first word of an incorrect statement. */
static const struct {
  const char *words, *hint;
} first_word_hints[] = {
    {"elif", "a further condition is written 'else if'"},
    {"else", "'else' follows the '}' of an 'if'"},
    {"if", "a choice is written 'if has(b) { ... } else { ... }'"},
    {"switch", "a choice is written 'if K == 1 { ... } else if K == 2 { ... }'"},
    {"while loop", "there is no 'while': 'repeat k in 0..3 { ... }' repeats a fixed number of times"},
    {"var val const auto float double int tensor set", "a value is introduced with 'let NAME = ...;'"},
    {"def fn func function class struct fun void", "a layer is written 'layer NAME(g, x) { ... }'"},
    {"include use using require from", "another file is imported with 'import \"file.gnn\";'"},
    {"repeat", "repetition is written 'repeat k in 0..3 { ... }'"},
    {"for", "a loop is written 'for n in g.nodes { ... }'"},
    {"model", "a model is written 'model NAME { ... }': its graph and inputs are declared inside"},
    {"import", "a file is imported with 'import \"file.gnn\";'"},
    {"layer", "a layer is written 'layer NAME(g, x) { ... }'"},
    {"print assert pass break continue", "there is no such statement in the language"},
};

/* Returns the first word of the current statement. */
static span first_word(const parse_state *s) {
  const char *begin = s->source->text + s->phrase.begin;
  uint32_t size = (uint32_t)strspn(begin, "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return (span){s->source, s->phrase.begin, s->phrase.begin + size};
}

static const char *hint_for_statement(const parse_state *s, const wanted *w) {
  span word = first_word(s);
  bool is_inside = w->expression || w->operator_ || wants(w, "']'") || wants(w, "')'");
  if (is_word(s, word, "weight") && !is_inside)
    return "a weight is declared as 'weight W : f32[F, H] from \"lin.weight\" transposed;'";
  if (is_word(s, word, "input") && !is_inside) return "an input is declared as 'input x : node f32[F];'";
  for (size_t i = 0; i < sizeof first_word_hints / sizeof *first_word_hints; i++)
    if (is_one_of(s, word, first_word_hints[i].words) && (!is_word(s, word, "layer") || !wants(w, "')'")))
      return first_word_hints[i].hint;
  return NULL;
}

static bool is_same_line(const parse_state *s) {
  uint32_t begin = s->previous.span.end, end = s->current.span.begin;
  return end >= begin && !memchr(s->source->text + begin, '\n', end - begin);
}

static bool is_keyword(int kind) {
  return kind >= TOKEN_IMPORT && kind <= TOKEN_REDUCTION;
}

static const char *hint_for_token(parse_state *s, const wanted *w) {
  span found = s->current.span, before = s->previous.span;
  int kind = s->current.kind;
  bool is_let = is_word(s, first_word(s), "let");
  if (kind == ';' && s->previous.kind == '}') return "a block ends with '}' alone; a ';' ends a statement";
  if ((kind == ',' && w->assignment) || (kind == '(' && is_let && wants(w, "name") && !w->expression))
    return "several values are named as in 'let a, b = layer(x);'";
  if (kind == ',' && is_word(s, first_word(s), "graph") && !w->expression) return "a model has one graph";
  if (kind == '+' && w->expression) return "numbers have no sign '+'";
  if (w->field && before.begin > 0 && strchr("0123456789", s->source->text[before.begin - 1]))
    return "a number ends with a digit: write '1.0'";
  bool is_in_call = s->brackets.count && s->brackets.items[s->brackets.count - 1].kind == '(';
  if (kind == TOKEN_FROM && is_in_call)
    return "the prefix of the weights follows the call: 'layer(...) from \"conv1\"'";
  if (is_keyword(kind) && wants(w, "name") && !w->declaration_end && !w->field && !w->statement && is_same_line(s))
    return arena_printf(s->arena, "'%.*s' is a word of the language, it cannot be a name",
                        (int)(found.end - found.begin), s->source->text + found.begin);
  if (kind == TOKEN_EQUAL && (w->assignment || wants(w, "'='"))) return "'==' compares, '=' assigns";
  if (kind == '=' && w->operator_) return "'=' assigns, '==' compares";
  if (kind == TOKEN_FOR || (kind == ',' && wants(w, "':'") && w->operator_))
    return is_in_call ? "a reduction is written 'sum(e in n.incoming: e.a)'" : NULL;
  if (kind == ':' && wants(w, "'{'") && s->previous.kind == ')' && is_word(s, first_word(s), "for"))
    return "a loop is written 'for e in g.edges { ... }', without '()' and ':'";
  if (is_one_of(s, found, "and or not") || is_one_of(s, before, "and or not"))
    return "conditions are numbers, 1 or 0: 'a * b' is and, 'max(a, b)' is or, '1 - a' is not";
  if (kind == '{' && wants(w, "else") && w->operator_)
    return "a value is chosen with 'a if condition else b'; is a ';' missing before 'if'?";
  if (kind == ':' && wants(w, "'{'")) return "a block stands between '{' and '}'";
  if (kind == ':' && is_let) return "the type of a 'let' is not written: it follows from the value";
  if (kind == ':' && w->assignment) return "a declaration begins with 'input' or 'weight'";
  if (wants(w, "string") && !w->expression && kind == TOKEN_NAME)
    return "names of files and tensors stand in double quotes";
  if (w->type && kind == TOKEN_NAME)
    return "types are 'f32', 'f32[F, H]', 'node f32[F]', 'edge f32', 'etype f32[F, H]', 'node i32'";
  if (wants(w, "'+'") && !wants(w, "'<'") &&
      ((kind >= TOKEN_LESS_EQUAL && kind <= TOKEN_NOT_EQUAL) || kind == '<' || kind == '>'))
    return "comparisons are not chained: write '(a < b) * (b < c)'";
  if (kind == TOKEN_FROM && s->previous.kind == TOKEN_TRANSPOSED) return "'transposed' stands behind 'from \"...\"'";
  if (s->previous.kind == ',' && (kind == ')' || kind == ']' || kind == '}')) return "remove the ',' before it";
  return NULL;
}

void parse_report_bare_brace(parse_state *s, span where) {
  parse_error(s, where, DIAG_syntax,
              "this '{' follows nothing that has a block: 'for', 'repeat', 'if', 'layer' or 'model'");
}

void parse_report_unexpected(parse_state *s, const char *const *expected, size_t count) {
  uint32_t mended = s->mended_end;
  bool is_mended = mended > 0 && (mended == s->previous.span.end || mended == s->current.span.end);
  if (s->is_stopped || s->is_inserted || is_mended) return; /* the cause has been reported */
  wanted w = group_symbols(expected, count);
  const char *found = describe_token(s, s->current), *list = describe_wanted(s, &w);
  bool is_missing_end = w.semicolon && !w.statement && parse_is_fresh_statement(s);
  if (is_missing_end) {
    span behind = {s->source, s->previous.span.end, s->previous.span.end};
    parse_error(s, behind, DIAG_syntax, "expected ';' after '%s', found %s",
                parse_describe_phrase(s, s->phrase, behind.end), found);
  } else if (w.statement || w.item || s->previous.kind == 0) {
    parse_error(s, s->current.span, DIAG_syntax, "expected %s, found %s", list, found);
  } else {
    if (w.semicolon && w.operator_) list = enumerate(s, list, "an operator");
    parse_error(s, s->current.span, DIAG_syntax, "expected %s after %s, found %s", list, describe_token(s, s->previous),
                found);
  }
  const char *hint = hint_for_token(s, &w);
  if (!hint && !is_missing_end) hint = hint_for_statement(s, &w);
  if (s->unclosed.kind && !hint) diag_note(s->diag, s->unclosed.span, "this '%c' is still open", s->unclosed.kind);
  if (hint) diag_note(s->diag, s->current.span, "%s", hint);
}
