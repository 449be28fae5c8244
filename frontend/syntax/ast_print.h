/* Helpers shared by the files of the printer: text of one line with its possible breaks. Internal. */
#ifndef GNNC_FRONTEND_SYNTAX_AST_PRINT_H
#define GNNC_FRONTEND_SYNTAX_AST_PRINT_H

#include "frontend/syntax/ast.h"

/* A place where a line may break, else a space. The lexer lets no such byte into strings. */
#define BREAK "\001"

/* Append, with BREAKs. */
void ast_print_string(text *t, const char *s);
void ast_print_names(text *t, const ast_name_list *list);
void ast_print_breakable_expr(text *t, const ast_expr *e);
void ast_print_breakable_exprs(text *t, const ast_expr_list *list);
void ast_print_breakable_type(text *t, const ast_type *type);

/* Appends the text with spaces for BREAKs. */
void ast_print_without_breaks(text *out, const text *t);

#endif
