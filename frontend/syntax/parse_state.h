/* The state of one parse, shared by the lexer, the grammar and the functions that build the tree
 * and report errors. Internal. */
#ifndef GNNC_FRONTEND_SYNTAX_PARSE_STATE_H
#define GNNC_FRONTEND_SYNTAX_PARSE_STATE_H

#include "frontend/syntax/ast.h"
#include "support/diag.h"

/* A comment where it stands. `follows` is the ';', '{' or '}' before it on its line (ending at
 * `follows_end`), else 0. */
typedef struct parse_comment {
  ast_name comment;
  char follows;
  uint32_t follows_end;
} parse_comment;

/* The beginning of a statement or header, for messages: `let h = ...`. `cut` is the end of its
 * first '=', ':' or '('. */
typedef struct parse_phrase {
  uint32_t begin;
  uint32_t cut;
} parse_phrase;

typedef struct parse_bracket {
  int kind; /* '(', '[' or '{' */
  span span;
  parse_phrase phrase; /* the statement or header of the bracket */
} parse_bracket;

typedef struct parse_token {
  int kind; /* of parser.h; 0 at the end of the file and before its beginning */
  span span;
} parse_token;

typedef struct parse_state {
  arena *arena;
  const source *source;
  diag *diag;
  ast_file *file;
  void *scanner;
  uint32_t offset;    /* of the lexer */
  const char **names; /* interned: a hash table with open addressing */
  size_t name_count;
  size_t name_capacity;
  VEC(parse_comment) comments;
  VEC(parse_bracket) brackets;
  parse_token lexed;    /* the last one from the lexer */
  parse_token current;  /* the token the parser looks at */
  parse_token previous; /* the one before it */
  parse_token held;     /* read, but returned only after `closers` times '}' */
  union PARSER_STYPE *held_value;
  bool is_held;
  unsigned closers;
  parse_bracket unclosed; /* the innermost '(' or '[' that `current` leaves unclosed; kind 0 = none */
  bool is_inserted;       /* `current` is a '}' that is not in the file */
  uint32_t high_phrase;   /* 1 + begin of the last phrase reported as too deep; 0 = none */
  uint32_t junk_begin;    /* the rest of a statement after an error begins here; 0 = none */
  uint32_t mended_end;    /* end of a word that was reported and corrected: no second message about the next token */
  parse_bracket suspect;  /* a '{' whose '}' is indented otherwise, kind 0 = none */
  bool is_stopped;        /* nothing more is read: nested too deeply, or too many errors */
  bool is_phrase_begin;
  parse_phrase phrase;
  unsigned error_count;
} parse_state;

/* A string literal with its place; text NULL = absent. */
typedef ast_name parse_string;

/* parse_word.c: names, numbers and strings from their spelling; errors are reported, the value is
 * then a substitute. */
const char *parse_intern(parse_state *s, const char *bytes, size_t size);
const char *parse_unescape(parse_state *s, span where);
ast_expr *parse_make_number(parse_state *s, span where);
/* Returns the length, at most `limit`, of the longest beginning that does not cut a UTF-8
 * sequence. */
int parse_utf8_prefix(const char *bytes, size_t size, size_t limit);
void parse_keep_comment(parse_state *s, span where);

/* parse_make.c: one function per form of the grammar, with checks that the grammar cannot express. */
ast_expr *parse_make_string(parse_state *s, parse_string string);
ast_expr *parse_make_name(parse_state *s, ast_name name);
ast_expr *parse_make_field(parse_state *s, span where, ast_expr *base, ast_name name);
ast_expr *parse_make_index(parse_state *s, span where, ast_expr *base, ast_expr_list subscripts);
ast_expr *parse_make_range(parse_state *s, span where, ast_expr *first, ast_expr *last);
ast_expr *parse_make_choice(parse_state *s, span where, ast_expr *condition, ast_expr *yes, ast_expr *no);
ast_expr *parse_make_call(parse_state *s, span where, ast_expr *callee, ast_argument_list arguments,
                          parse_string prefix);
ast_expr *parse_make_negate(parse_state *s, span where, ast_expr *operand);
ast_expr *parse_make_binary(parse_state *s, span where, ast_binary op, ast_expr *left, ast_expr *right);
/* What a reduction says behind its variable: over which members, in which order (NULL: that of the
 * file), with which state, of which value. */
typedef struct parse_members {
  ast_expr *domain, *key;
  ast_argument_list states;
  ast_expr *body;
} parse_members;
ast_expr *parse_make_reduce(parse_state *s, span where, ast_expr *reduction, ast_argument_list arguments,
                            ast_name variable, parse_members of);
/* Reports a word other than `by` before the key of an order. */
void parse_check_by(parse_state *s, ast_name word);
ast_expr *parse_make_list(parse_state *s, span where, ast_expr_list items);
ast_statement *parse_make_statement(parse_state *s, span where, ast_statement_kind kind);
ast_statement *parse_make_weight(parse_state *s, span where, ast_name name, ast_type type, ast_name_list from,
                                 bool is_transposed);
/* The end of the declaration, behind its name and shape in the file. */
void parse_end_weight(parse_state *s, ast_statement *weight, span where, ast_training training, ast_expr *value);
ast_statement *parse_make_input(parse_state *s, span where, ast_name name, ast_type type, parse_string from,
                                ast_training training);
/* Adds `frozen`, `trained`, `init`, or the initialiser behind `init` with its argument. */
void parse_add_training(parse_state *s, ast_training *training, ast_name word, ast_expr *argument);
ast_statement *parse_make_branch(parse_state *s, span where, ast_expr *condition, ast_statement_list body,
                                 ast_statement *otherwise);
ast_statement *parse_make_assign(parse_state *s, span where, ast_expr *target, ast_assign_op op, ast_expr *value);
/* NULL when the expression is no call; the error is reported unless `is_recovering`. */
ast_statement *parse_make_call_statement(parse_state *s, span where, ast_expr *call, bool is_recovering);
void parse_add_layer(parse_state *s, span where, ast_name name, ast_parameter_list parameters, ast_statement_list body);
void parse_add_model(parse_state *s, span where, ast_name name, ast_statement_list body);
void parse_add_graph_types(parse_state *s, ast_statement *graph, ast_name which, ast_graph_type_list types);
void parse_push_statement(parse_state *s, ast_statement_list *list, ast_statement *statement);

/* parse_error.c: `expected` are the spellings of the symbols the grammar would take instead of
 * `s->current`. */
void parse_report_unexpected(parse_state *s, const char *const *expected, size_t count);
void parse_report_too_deep(parse_state *s, span where);
/* Returns the text of a phrase, shortened where it is long: "let h = ...". */
const char *parse_describe_phrase(parse_state *s, parse_phrase phrase, uint32_t end);
/* Counts an error and reports it; after too many, stops the parse. */
void parse_error(parse_state *s, span where, diag_id id, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports a '{' without a loop or header before it. */
void parse_report_bare_brace(parse_state *s, span where);

/* Whether `s->current` looks like the beginning of a new statement: a keyword of one, or the first
 * word on its line. */
bool parse_is_fresh_statement(const parse_state *s);
/* Call after a missing ';'. Returns whether `s->current` begins a new statement. Otherwise it is
 * the rest of this one, about which nothing more is reported. */
bool parse_mend_end(parse_state *s);

/* parse_comment.c: attaches the comments and blank lines of the file to its statements. */
void parse_attach_comments(parse_state *s);

#endif
