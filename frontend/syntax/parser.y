/* The grammar; docs/language.md has it as EBNF. It has no conflicts and no globals. parse_error.c
 * words its errors.
 *
 * The parser recovers at ';', at '}' and at a missing ';'. Braces always balance, because
 * parser_lex inserts missing ones and drops superfluous ones. */
%require "3.8"
%define api.pure full
%define api.prefix {parser_}
%define api.token.prefix {TOKEN_}
%define api.location.type {span}
%define parse.error custom
%locations
%param {parse_state *s}
%expect 0

%code requires {
#include "frontend/syntax/parse_state.h"
}

%code provides {
/* Hands the next token to the parser: the lexer's, with braces balanced. */
int parser_lex(PARSER_STYPE *value, PARSER_LTYPE *where, parse_state *s);
}

%code {
#define YYLLOC_DEFAULT(result, rhs, n)                                                                     \
  (result) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n))                                           \
                 : (span){YYRHSLOC(rhs, 0).source, YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end}
#define PUSH(list, ...) VEC_PUSH(s->arena, &(list), __VA_ARGS__)

static void parser_error(span *where, parse_state *s, const char *message);
}

%union {
  ast_name name;
  parse_string string;
  ast_name_list names;
  ast_graph_type graph_type;
  ast_graph_type_list graph_types;
  ast_expr *expr;
  ast_expr_list exprs;
  ast_argument argument;
  ast_argument_list arguments;
  ast_type type;
  ast_type_kind domain;
  ast_parameter parameter;
  ast_parameter_list parameters;
  ast_training training;
  ast_statement *statement;
  ast_statement_list statements;
  ast_assign_op assign_op;
}

%token END 0 "end of file"
%token <name> NAME "name"
%token <expr> NUMBER "number"
%token <string> STRING "string"
%token <name> IMPORT "import" LAYER "layer" MODEL "model" GRAPH "graph" DIM "dim" INPUT "input" WEIGHT "weight"
%token <name> OUTPUT "output" LOSS "loss" LET "let" FOR "for" IN "in" REPEAT "repeat" RETURN "return" FROM "from"
%token <name> IF "if" ELSE "else"
%token <name> TRANSPOSED "transposed" INOUT "inout" NODE "node" EDGE "edge" ETYPE "etype" NTYPE "ntype" F32 "f32" I32 "i32"
%token <name> FUNCTION "function" REDUCTION "reduction"
%token ADD_ASSIGN "+=" SUBTRACT_ASSIGN "-=" MULTIPLY_ASSIGN "*=" DIVIDE_ASSIGN "/="
%token LESS_EQUAL "<=" GREATER_EQUAL ">=" EQUAL "==" NOT_EQUAL "!=" DOT_DOT ".." ARROW "->"

%type <name> field_name
%type <string> origin
%type <training> training
%type <names> names strings
%type <graph_type> graph_type
%type <graph_types> types
%type <expr> expr postfix primary subscript members key
%type <exprs> exprs subscripts
%type <argument> argument
%type <arguments> arguments call_arguments states
%type <domain> domain
%type <type> value_type parameter_type type_annotation
%type <exprs> dims
%type <parameter> parameter parameter_name
%type <parameters> parameters
%type <statement> statement graph_body weight branch else_branch
%type <statements> statements block dim_list
%type <assign_op> assign_op

%right IF ELSE
%nonassoc '<' "<=" '>' ">=" "==" "!="
%left '+' '-'
%left '*' '/' '@'
%precedence NEGATE

%%

file: %empty                     { (void)yynerrs; /* counted by parse_error */ }
    | file item ;

item:
  IMPORT STRING end              { PUSH(s->file->imports, (ast_import){.path = $2.text, .span = @$}); }
| LAYER NAME '(' ')' no_result block { parse_add_layer(s, @$, $2, (ast_parameter_list){0}, $6); }
| LAYER NAME '(' parameters ')' no_result block { parse_add_layer(s, @$, $2, $4, $7); }
| MODEL NAME block               { parse_add_model(s, @$, $2, $3); }
| bare_brace statements '}'
| error ';'
| error block
;

/* After a missing ';' the parser reports it and continues. */
end: ';' | error                 { if (parse_mend_end(s)) yyerrok; } ;

/* A '{' without a header is read as a block, so that its '}' does not close another one. */
bare_brace: '{'                  { if (!YYRECOVERING()) parse_report_bare_brace(s, @1); } ;

no_result:
  %empty
| "->" parameter_type            { parse_error(s, @$, DIAG_syntax, "the type of a result is not written: what a layer returns says it"); }
;

block:
  '{' statements '}'             { $$ = $2; }
| '{' statements error '}'       { $$ = $2; }
;

statements:
  %empty                         { $$ = (ast_statement_list){0}; }
| statements statement           { $$ = $1; parse_push_statement(s, &$$, $2); }
| statements DIM dim_list end {
    $$ = $1;
    for (size_t i = 0; i < $3.count; i++) {
      if (i == 0) $3.items[i]->span = span_join(@2, $3.items[i]->span);
      if (i + 1 == $3.count) $3.items[i]->span = span_join($3.items[i]->span, @4);
      parse_push_statement(s, &$$, $3.items[i]);
    }
  }
;

dim_list:
  NAME                           { $$ = (ast_statement_list){0};
                                   PUSH($$, parse_make_statement(s, @$, AST_STATEMENT_dim));
                                   $$.items[0]->dim.name = $1; }
| NAME '=' expr                  { $$ = (ast_statement_list){0};
                                   PUSH($$, parse_make_statement(s, @$, AST_STATEMENT_dim));
                                   $$.items[0]->dim.name = $1;
                                   $$.items[0]->dim.value = $3; }
| dim_list ',' NAME              { $$ = $1;
                                   PUSH($$, parse_make_statement(s, @3, AST_STATEMENT_dim));
                                   $$.items[$$.count - 1]->dim.name = $3; }
| dim_list ',' NAME '=' expr     { $$ = $1;
                                   PUSH($$, parse_make_statement(s, span_join(@3, @5), AST_STATEMENT_dim));
                                   $$.items[$$.count - 1]->dim.name = $3;
                                   $$.items[$$.count - 1]->dim.value = $5; }
;

statement:
  GRAPH NAME end                 { $$ = parse_make_statement(s, @$, AST_STATEMENT_graph);
                                   $$->graph.name = $2; }
| GRAPH NAME '{' graph_body '}'  { $$ = $4;
                                   $$->span = @$;
                                   $$->graph.name = $2; }
| GRAPH NAME '{' graph_body error '}' { $$ = NULL; }
| INPUT NAME ':' value_type origin training end {
                                   $$ = parse_make_input(s, @$, $2, $4, $5, $6); }
| INPUT NAME '.' field_name ':' value_type origin training end {
                                   $$ = parse_make_input(s, @$, $2, $6, $7, $8);
                                   $$->input.node_type = $4; }
| weight training end            { $$ = $1; parse_end_weight(s, $$, @$, $2, NULL); }
| weight training '=' expr end   { $$ = $1; parse_end_weight(s, $$, @$, $2, $4); }
| branch
| LET names '=' expr end         { $$ = parse_make_statement(s, @$, AST_STATEMENT_let);
                                   $$->let.names = $2;
                                   $$->let.value = $4; }
| postfix assign_op expr end     { $$ = parse_make_assign(s, @$, $1, $2, $3); }
| postfix end                    { $$ = parse_make_call_statement(s, @$, $1, YYRECOVERING()); }
| FOR NAME IN expr block         { $$ = parse_make_statement(s, @$, AST_STATEMENT_for);
                                   $$->loop.variable = $2;
                                   $$->loop.domain = $4;
                                   $$->loop.body = $5; }
| REPEAT NAME IN expr ".." expr block { $$ = parse_make_statement(s, @$, AST_STATEMENT_repeat);
                                   $$->repeat.variable = $2;
                                   $$->repeat.first = $4;
                                   $$->repeat.last = $6;
                                   $$->repeat.body = $7; }
| REPEAT NAME IN expr block      { $$ = parse_make_statement(s, @$, AST_STATEMENT_repeat);
                                   $$->repeat.variable = $2;
                                   $$->repeat.first = $4;
                                   $$->repeat.body = $5; }
| OUTPUT NAME '=' expr end       { $$ = parse_make_statement(s, @$, AST_STATEMENT_output);
                                   $$->output.name = $2;
                                   $$->output.value = $4; }
| OUTPUT NAME '.' field_name '=' expr end { $$ = parse_make_statement(s, @$, AST_STATEMENT_output);
                                   $$->output.name = $2;
                                   $$->output.node_type = $4;
                                   $$->output.value = $6; }
| LOSS NAME '=' expr end         { $$ = parse_make_statement(s, @$, AST_STATEMENT_loss);
                                   $$->output.name = $2;
                                   $$->output.value = $4; }
| RETURN exprs end               { $$ = parse_make_statement(s, @$, AST_STATEMENT_return);
                                   $$->values = $2; }
| bare_brace statements '}'      { $$ = NULL; }
| error ';'                      { $$ = NULL; yyerrok; }
| error block                    { $$ = NULL; yyerrok; }
;

weight:
  WEIGHT NAME ':' value_type     { $$ = parse_make_weight(s, @$, $2, $4, (ast_name_list){0}, false); }
| WEIGHT NAME ':' value_type FROM strings { $$ = parse_make_weight(s, @$, $2, $4, $6, false); }
| WEIGHT NAME ':' value_type TRANSPOSED { $$ = parse_make_weight(s, @$, $2, $4, (ast_name_list){0}, true); }
| WEIGHT NAME ':' value_type FROM strings TRANSPOSED { $$ = parse_make_weight(s, @$, $2, $4, $6, true); }
;

/* `init`, `frozen` and `trained` are words here alone, so that values may have these names. */
training:
  %empty                         { $$ = (ast_training){0}; }
| training NAME                  { $$ = $1; parse_add_training(s, &$$, $2, NULL); }
| training NAME '(' expr ')'     { $$ = $1; parse_add_training(s, &$$, $2, $4); }
;

strings:
  STRING                         { $$ = (ast_name_list){0}; PUSH($$, $1); }
| strings ',' STRING             { $$ = $1; PUSH($$, $3); }
;

branch:
  IF expr block                  { $$ = parse_make_branch(s, @$, $2, $3, NULL); }
| IF expr block ELSE else_branch { $$ = parse_make_branch(s, @$, $2, $3, $5); }
;

else_branch:
  branch
| block                          { $$ = parse_make_branch(s, @$, NULL, $1, NULL); }
;

graph_body:
  %empty                         { $$ = parse_make_statement(s, @$, AST_STATEMENT_graph); }
| graph_body NAME types end      { $$ = $1; parse_add_graph_types(s, $$, $2, $3); }
;

types:
  graph_type                     { $$ = (ast_graph_type_list){0}; PUSH($$, $1); }
| types ',' graph_type           { $$ = $1; PUSH($$, $3); }
;

graph_type:
  NAME                           { $$ = (ast_graph_type){.name = $1}; }
| NAME ':' NAME "->" NAME        { $$ = (ast_graph_type){$1, $3, $5}; }
;

names:
  NAME                           { $$ = (ast_name_list){0}; PUSH($$, $1); }
| names ',' NAME                 { $$ = $1; PUSH($$, $3); }
;

origin:
  %empty                         { $$ = (parse_string){0}; }
| FROM STRING                    { $$ = $2; }
;

assign_op:
  '='                            { $$ = AST_ASSIGN_set; }
| "+="                           { $$ = AST_ASSIGN_add; }
| "-="                           { $$ = AST_ASSIGN_subtract; }
| "*="                           { $$ = AST_ASSIGN_multiply; }
| "/="                           { $$ = AST_ASSIGN_divide; }
;

parameters:
  parameter                      { $$ = (ast_parameter_list){0}; PUSH($$, $1); }
| parameters ',' parameter       { $$ = $1; PUSH($$, $3); }
;

parameter:
  parameter_name type_annotation          { $$ = $1; $$.type = $2; }
| parameter_name type_annotation '=' expr { $$ = $1; $$.type = $2; $$.default_value = $4; }
;

parameter_name:
  NAME                           { $$ = (ast_parameter){.name = $1}; }
| INOUT NAME                     { $$ = (ast_parameter){.name = $2, .is_inout = true}; }
| INOUT NAME '.' field_name      { $$ = (ast_parameter){.name = $2, .field = $4, .is_inout = true}; }
;

type_annotation: %empty          { $$ = (ast_type){.kind = AST_TYPE_none, .span = @$}; }
               | ':' parameter_type { $$ = $2; } ;

parameter_type:
  value_type
| GRAPH                          { $$ = (ast_type){.kind = AST_TYPE_graph, .span = @$}; }
| DIM                            { $$ = (ast_type){.kind = AST_TYPE_dim, .span = @$}; }
| FUNCTION                       { $$ = (ast_type){.kind = AST_TYPE_function, .span = @$}; }
| REDUCTION                      { $$ = (ast_type){.kind = AST_TYPE_reduction, .span = @$}; }
;

value_type:
  F32 dims                       { $$ = (ast_type){.kind = AST_TYPE_tensor, .span = @$, .dims = $2}; }
| I32 dims                       { $$ = (ast_type){.kind = AST_TYPE_tensor, .is_integer = true, .span = @$, .dims = $2}; }
| domain F32 dims                { $$ = (ast_type){.kind = $1, .span = @$, .dims = $3}; }
| domain I32 dims                { $$ = (ast_type){.kind = $1, .is_integer = true, .span = @$, .dims = $3}; }
;

domain:
  NODE                           { $$ = AST_TYPE_node; }
| EDGE                           { $$ = AST_TYPE_edge; }
| ETYPE                          { $$ = AST_TYPE_etype; }
| NTYPE                          { $$ = AST_TYPE_ntype; }
| GRAPH                          { $$ = AST_TYPE_pergraph; }
;

dims: %empty                     { $$ = (ast_expr_list){0}; }
    | '[' exprs ']'              { $$ = $2; } ;

exprs:
  expr                           { $$ = (ast_expr_list){0}; PUSH($$, $1); }
| exprs ',' expr                 { $$ = $1; PUSH($$, $3); }
;

expr:
  postfix
| '-' expr %prec NEGATE          { $$ = parse_make_negate(s, @$, $2); }
| expr '+' expr                  { $$ = parse_make_binary(s, @$, AST_BINARY_add, $1, $3); }
| expr '-' expr                  { $$ = parse_make_binary(s, @$, AST_BINARY_subtract, $1, $3); }
| expr '*' expr                  { $$ = parse_make_binary(s, @$, AST_BINARY_multiply, $1, $3); }
| expr '/' expr                  { $$ = parse_make_binary(s, @$, AST_BINARY_divide, $1, $3); }
| expr '@' expr                  { $$ = parse_make_binary(s, @$, AST_BINARY_matmul, $1, $3); }
| expr '<' expr                  { $$ = parse_make_binary(s, @$, AST_BINARY_less, $1, $3); }
| expr "<=" expr                 { $$ = parse_make_binary(s, @$, AST_BINARY_less_equal, $1, $3); }
| expr '>' expr                  { $$ = parse_make_binary(s, @$, AST_BINARY_greater, $1, $3); }
| expr ">=" expr                 { $$ = parse_make_binary(s, @$, AST_BINARY_greater_equal, $1, $3); }
| expr "==" expr                 { $$ = parse_make_binary(s, @$, AST_BINARY_equal, $1, $3); }
| expr "!=" expr                 { $$ = parse_make_binary(s, @$, AST_BINARY_not_equal, $1, $3); }
| expr IF expr ELSE expr         { $$ = parse_make_choice(s, @$, $3, $1, $5); }
;

subscripts:
  subscript                      { $$ = (ast_expr_list){0}; PUSH($$, $1); }
| subscripts ',' subscript       { $$ = $1; PUSH($$, $3); }
;

subscript:
  expr
| expr ".." expr                 { $$ = parse_make_range(s, @$, $1, $3); }
| expr ".."                      { $$ = parse_make_range(s, @$, $1, NULL); }
| ".." expr                      { $$ = parse_make_range(s, @$, NULL, $2); }
| ".."                           { $$ = parse_make_range(s, @$, NULL, NULL); }
;

postfix:
  primary
| postfix '.' field_name         { $$ = parse_make_field(s, @$, $1, $3); }
| postfix '[' subscripts ']'     { $$ = parse_make_index(s, @$, $1, $3); }
| postfix call_arguments         { $$ = parse_make_call(s, @$, $1, $2, (parse_string){0}); }
| postfix call_arguments FROM STRING { $$ = parse_make_call(s, @$, $1, $2, $4); }
| postfix '(' NAME IN members key states ':' expr ')' {
    $$ = parse_make_reduce(s, @$, $1, (ast_argument_list){0}, $3, (parse_members){$5, $6, $7, $9}); }
| postfix '(' arguments ',' NAME IN members key states ':' expr ')' {
    $$ = parse_make_reduce(s, @$, $1, $3, $5, (parse_members){$7, $8, $9, $11}); }
;

members:
  expr
| expr ".." expr                 { $$ = parse_make_range(s, @$, $1, $3); }
;

/* `by` is a word here alone, so that values may have this name. */
key: %empty                      { $$ = NULL; }
   | NAME expr                   { parse_check_by(s, $1); $$ = $2; } ;

states:
  %empty                         { $$ = (ast_argument_list){0}; }
| states ',' NAME '=' expr       { $$ = $1; PUSH($$, (ast_argument){.name = $3, .value = $5}); }
;

primary:
  NUMBER
| STRING                         { $$ = parse_make_string(s, $1); }
| NAME                           { $$ = parse_make_name(s, $1); }
| '(' expr ')'                   { $$ = $2; }
| '[' ']'                        { $$ = parse_make_list(s, @$, (ast_expr_list){0}); }
| '[' exprs ']'                  { $$ = parse_make_list(s, @$, $2); }
;

call_arguments:
  '(' ')'                        { $$ = (ast_argument_list){0}; }
| '(' arguments ')'              { $$ = $2; }
;

arguments:
  argument                       { $$ = (ast_argument_list){0}; PUSH($$, $1); }
| arguments ',' argument         { $$ = $1; PUSH($$, $3); }
;

argument:
  expr                           { $$ = (ast_argument){.value = $1}; }
| NAME '=' expr                  { $$ = (ast_argument){.name = $1, .value = $3}; }
| INOUT postfix                  { $$ = (ast_argument){.is_inout = true, .value = $2}; }
;

/* After a dot every word is a name. */
field_name:
  NAME | IMPORT | LAYER | MODEL | GRAPH | DIM | INPUT | WEIGHT | OUTPUT | LOSS | LET | FOR | IN | REPEAT | RETURN | FROM
| IF | ELSE | TRANSPOSED | INOUT | NODE | EDGE | ETYPE | NTYPE | F32 | I32 | FUNCTION | REDUCTION
;

%%

/* Bison calls this for a full stack alone: the text nests too deeply. */
static void parser_error(span *where, parse_state *s, const char *message) {
  (void)message;
  parse_report_too_deep(s, *where);
}

static int yyreport_syntax_error(const yypcontext_t *context, parse_state *s) {
  yysymbol_kind_t kinds[YYNTOKENS];
  const char *names[YYNTOKENS];
  int count = yypcontext_expected_tokens(context, kinds, YYNTOKENS);
  for (int i = 0; i < count; i++) names[i] = yysymbol_name(kinds[i]);
  parse_report_unexpected(s, names, count < 0 ? 0 : (size_t)count);
  return 0;
}
