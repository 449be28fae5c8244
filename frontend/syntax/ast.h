/* The syntax tree of a .gnn file, as written: no names resolved, no layers expanded, nothing
 * desugared. Everything lives in the arena of the parse. Each node has the span of its whole
 * text. */
#ifndef GNNC_FRONTEND_SYNTAX_AST_H
#define GNNC_FRONTEND_SYNTAX_AST_H

#include "support/source.h"
#include "support/text.h"
#include "support/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ast_expr ast_expr;
typedef struct ast_statement ast_statement;

typedef VEC(ast_expr *) ast_expr_list;
typedef VEC(ast_statement *) ast_statement_list;

/* A name with its place. `text` is interned per parse, NUL-terminated; NULL = absent. */
typedef struct ast_name {
  const char *text;
  span span;
} ast_name;
typedef VEC(ast_name) ast_name_list;

/* Comments on lines of their own, kept by the printer; `text` is without the '#', NULL text is a
 * blank line. */
typedef ast_name_list ast_comment_list;

/* Limits that make recursive walks safe: the height of an expression, and the nesting of blocks and
 * brackets. */
enum { AST_MAX_HEIGHT = 200, AST_MAX_NESTING = 100 };

typedef enum ast_expr_kind {
  AST_EXPR_number, /* 0.2  16                                                       */
  AST_EXPR_string, /* "mean"                                                        */
  AST_EXPR_name,   /* x                                                             */
  AST_EXPR_field,  /* e.src.z: base e.src, name z                                   */
  AST_EXPR_index,  /* W[e.type]  x[2]  x[.., 0..F]                                  */
  AST_EXPR_call,   /* f(a, k = b, inout e.a) from "prefix"                          */
  AST_EXPR_unary,  /* -a                                                            */
  AST_EXPR_binary, /* a + b                                                         */
  AST_EXPR_reduce, /* sum(e in n.incoming: e.a)                                     */
  AST_EXPR_list,   /* [a, b]                                                        */
  AST_EXPR_choice, /* a if c else b: c is known when the model is compiled          */
  AST_EXPR_range,  /* 0..F  2..  ..: between brackets alone                         */
} ast_expr_kind;

typedef enum ast_unary { AST_UNARY_negate } ast_unary;

typedef enum ast_binary {
  AST_BINARY_add,
  AST_BINARY_subtract,
  AST_BINARY_multiply,
  AST_BINARY_divide,
  AST_BINARY_matmul,
  AST_BINARY_less,
  AST_BINARY_less_equal,
  AST_BINARY_greater,
  AST_BINARY_greater_equal,
  AST_BINARY_equal,
  AST_BINARY_not_equal,
} ast_binary;

/* "+", "@", "<=" and "+=", "=" ...: the operator as written. */
const char *ast_binary_text(ast_binary op);

typedef struct ast_argument {
  ast_name name; /* of `name = value`, else absent */
  bool is_inout;
  ast_expr *value;
} ast_argument;
typedef VEC(ast_argument) ast_argument_list;

struct ast_expr {
  ast_expr_kind kind;
  unsigned height; /* 1 for a leaf, else one more than the highest part */
  span span;
  union {
    struct {
      double value;
      bool is_integer;
      const char *text; /* as written: printing keeps it */
    } number;
    struct {
      const char *text; /* unescaped */
    } string;
    ast_name name;
    struct {
      ast_expr *base;
      ast_name name;
    } field;
    struct {
      ast_expr *base;
      ast_expr_list subscripts; /* at least one */
    } index;
    struct {
      ast_name callee;
      ast_argument_list arguments;
      const char *prefix; /* of `from "prefix"`, may hold {k}; NULL = none */
      span prefix_span;
    } call;
    struct {
      ast_unary op;
      ast_expr *operand;
    } unary;
    struct {
      ast_binary op;
      ast_expr *left;
      ast_expr *right;
    } binary;
    struct {
      ast_name reduction; /* sum, first, fold, ..., or a parameter that names one */
      ast_expr *argument; /* of first(8, e in ...) and quantile(0.25, e in ...); NULL: none */
      ast_name variable;
      ast_expr *domain;         /* n.incoming, n.outgoing, g.nodes; of fold also a range 0..K */
      ast_expr *key;            /* of `by KEY`; NULL: in the order of the file */
      ast_argument_list states; /* of fold: the names of its state, with their first values */
      ast_expr *body;
    } reduce;
    ast_expr_list list;
    struct {
      ast_expr *condition;
      ast_expr *yes;
      ast_expr *no;
    } choice;
    struct {
      ast_expr *first; /* NULL: 0 */
      ast_expr *last;  /* exclusive; NULL: the size */
    } range;
  };
};

/* Returns the subscript of an index expression that has exactly one, which is no range; else
 * NULL. */
const ast_expr *ast_only_subscript(const ast_expr *e);

/* Types: `node f32[F]`, `etype f32[H*C, F]`, `f32`, `node i32`, and for parameters also graph, dim, function,
 * reduction. */
typedef enum ast_type_kind {
  AST_TYPE_none,      /* not written: any argument is accepted                     */
  AST_TYPE_tensor,    /* f32[64, 32]: the same for the whole model                 */
  AST_TYPE_node,      /* one value per node                                        */
  AST_TYPE_edge,      /* one value per edge                                        */
  AST_TYPE_etype,     /* one value per edge type                                   */
  AST_TYPE_ntype,     /* one value per node type                                   */
  AST_TYPE_pergraph,  /* one value per graph of a batch: `graph f32[C]`            */
  AST_TYPE_graph,     /* `graph`                                                   */
  AST_TYPE_dim,       /* `dim`: an integer known when the model is compiled        */
  AST_TYPE_function,  /* `function`: the name of an element-wise function or layer */
  AST_TYPE_reduction, /* `reduction`: sum, mean, max or min                        */
} ast_type_kind;

typedef struct ast_type {
  ast_type_kind kind;
  bool is_integer; /* i32 instead of f32 */
  span span;
  ast_expr_list dims; /* integer expressions over dimension names: F, H*C, 64; empty for a scalar */
} ast_type;

typedef enum ast_statement_kind {
  AST_STATEMENT_graph,  /* graph g;   graph g { nodes paper, author; edges cites, writes; }       */
  AST_STATEMENT_dim,    /* dim H = 64;                                                            */
  AST_STATEMENT_input,  /* input x : node f32[F];   input x.paper : node f32[F];                  */
  AST_STATEMENT_weight, /* weight W : f32[F, H] from "lin.weight" transposed;                     */
  AST_STATEMENT_let,    /* let h = e;  let a, b = layer(...);                                     */
  AST_STATEMENT_assign, /* h = e;  n.z = e;  n.y += e;  e.a /= e                                  */
  AST_STATEMENT_call,   /* edge_softmax(g, inout e.a);                                            */
  AST_STATEMENT_for,    /* for n in g.nodes { ... }                                               */
  AST_STATEMENT_repeat, /* repeat k in 0 .. L { ... }: expanded when the model is compiled        */
  AST_STATEMENT_if,     /* if has(b) { ... } else { ... }: chosen when the model is compiled      */
  AST_STATEMENT_output, /* output logits = e;                                                     */
  AST_STATEMENT_loss,   /* loss nll = e;                                                          */
  AST_STATEMENT_return, /* return a, b;                                                           */
} ast_statement_kind;

typedef enum ast_assign_op {
  AST_ASSIGN_set,
  AST_ASSIGN_add,
  AST_ASSIGN_subtract,
  AST_ASSIGN_multiply,
  AST_ASSIGN_divide,
} ast_assign_op;

/* "=", "+=" ...: as written. */
const char *ast_assign_text(ast_assign_op op);

/* What training does with a weight, or with an input of the weights file. */
typedef struct ast_training {
  bool is_frozen;       /* of weights: never changed */
  bool is_trained;      /* of inputs: an embedding that is trained */
  ast_name word;        /* `frozen` or `trained` as written */
  ast_name init;        /* glorot, zeros, uniform ...: how it begins; absent = by its shape */
  ast_expr *init_value; /* of uniform(0.1); NULL = none */
  ast_name pending;     /* the word `init` while the parser has not read the initialiser */
} ast_training;

/* A type of nodes, or of edges: `writes : author -> paper`, whose ends may be absent. */
typedef struct ast_graph_type {
  ast_name name, src, dst;
} ast_graph_type;
typedef VEC(ast_graph_type) ast_graph_type_list;

struct ast_statement {
  ast_statement_kind kind;
  span span;
  ast_comment_list comments_before; /* blank lines and `#` comments on the lines before it            */
  ast_name comment_after;           /* a `#` comment behind its ';' or, of a block, its '{'           */
  ast_comment_list comments_end;    /* of a block: comments between its last statement and its '}'    */
  union {
    struct {
      ast_name name;
      ast_graph_type_list node_types;
      ast_graph_type_list edge_types;
    } graph;
    struct {
      ast_name name;
      ast_expr *value; /* NULL = bound from weights, inputs or --dim */
    } dim;
    struct {
      ast_name name;
      ast_name node_type; /* of `input x.paper`, else absent */
      ast_type type;
      const char *from; /* field of the graph or weights file; NULL = the name itself */
      span from_span;
      ast_training training;
    } input;
    struct {
      ast_name name;
      ast_type type;
      const char *from; /* tensor in the weights file, relative to the layer's prefix; NULL = the name itself */
      span from_span;
      ast_name_list older; /* further names, which are tried where the file lacks the first */
      bool is_transposed;  /* the file holds the last two dimensions swapped */
      ast_training training;
      ast_expr *default_value; /* where the weights file lacks the tensor: a number or none; NULL = required */
    } weight;
    struct {
      ast_name_list names;
      ast_expr *value;
    } let;
    struct {
      ast_expr *target; /* a name or a field */
      ast_assign_op op;
      ast_expr *value;
    } assign;
    ast_expr *call;
    struct {
      ast_name variable;
      ast_expr *domain; /* g.nodes, g.edges, g.nodes.paper, n.incoming, n.outgoing */
      ast_statement_list body;
    } loop;
    struct {
      ast_name variable;
      ast_expr *first; /* or g.relations, g.node_types */
      ast_expr *last;  /* exclusive; NULL: `first` is a list */
      ast_statement_list body;
    } repeat;
    struct {
      ast_expr *condition; /* NULL: the last block, behind 'else' alone */
      ast_statement_list body;
      ast_statement *otherwise; /* the next block of the chain, itself of this kind; NULL = none */
    } branch;
    struct {
      ast_name name;
      ast_name node_type; /* of `output y.paper`, else absent */
      ast_expr *value;
    } output;             /* and loss */
    ast_expr_list values; /* of return */
  };
};

typedef struct ast_parameter {
  ast_name name;  /* of `inout e.a` this is e ... */
  ast_name field; /* ... and this is a; else absent */
  bool is_inout;
  ast_type type;
  ast_expr *default_value; /* NULL = required */
} ast_parameter;
typedef VEC(ast_parameter) ast_parameter_list;

typedef struct ast_layer {
  ast_name name;
  span span;
  ast_comment_list comments_before;
  ast_name comment_after;
  ast_comment_list comments_end;
  ast_parameter_list parameters;
  ast_statement_list body;
  bool is_library; /* comes from the layer library that ships with the compiler */
} ast_layer;

typedef struct ast_model {
  ast_name name;
  span span;
  ast_comment_list comments_before;
  ast_name comment_after;
  ast_comment_list comments_end;
  ast_statement_list body;
} ast_model;

typedef struct ast_import {
  const char *path;
  span span;
  ast_comment_list comments_before;
  ast_name comment_after;
} ast_import;

typedef struct ast_file {
  const source *source;
  VEC(ast_import) imports;
  VEC(ast_layer *) layers;
  VEC(ast_model *) models;
  ast_comment_list comments_after; /* at the end of the file */
} ast_file;

/* A model's file with everything it needs, in order: the file itself, what it imports (each file
 * once, first import first), then the files of the layer library that are used. Nothing is checked
 * beyond syntax: the same layer may be defined twice, or hide a layer of the library. */
typedef struct ast_program {
  ast_file *main; /* == files.items[0] */
  VEC(ast_file *) files;
} ast_program;

/* Returns the first layer of that name in the order of `files`, or NULL. */
ast_layer *ast_program_find_layer(const ast_program *p, const char *name);

/* Appends the file in canonical form, comments kept: printing is idempotent, and parsing what was
 * printed gives the same tree (ast_equal). */
void ast_print(const ast_file *f, text *out);

/* Append one expression or type on one line, as messages and IR comments quote it. */
void ast_print_expr(const ast_expr *e, text *out);
void ast_print_type(const ast_type *t, text *out);

/* The whole program as JSON text in the arena (--emit=ast=json): imports and models of the main
 * file, layers of all files. The same program gives the same bytes. */
char *ast_json(arena *a, const ast_program *p);

/* Whether two files are equal but for spans and comments. */
bool ast_equal(const ast_file *a, const ast_file *b);

#endif
