/* Helpers for syntax trees: spellings of operators, layers by name. */
#include "frontend/syntax/ast.h"

#include <assert.h>
#include <string.h>

const char *ast_binary_text(ast_binary op) {
  static const char *const texts[] = {
      [AST_BINARY_add] = "+",         [AST_BINARY_subtract] = "-",   [AST_BINARY_multiply] = "*",
      [AST_BINARY_divide] = "/",      [AST_BINARY_matmul] = "@",     [AST_BINARY_less] = "<",
      [AST_BINARY_less_equal] = "<=", [AST_BINARY_greater] = ">",    [AST_BINARY_greater_equal] = ">=",
      [AST_BINARY_equal] = "==",      [AST_BINARY_not_equal] = "!=",
  };
  return texts[op];
}

const char *ast_assign_text(ast_assign_op op) {
  static const char *const texts[] = {[AST_ASSIGN_set] = "=",
                                      [AST_ASSIGN_add] = "+=",
                                      [AST_ASSIGN_subtract] = "-=",
                                      [AST_ASSIGN_multiply] = "*=",
                                      [AST_ASSIGN_divide] = "/="};
  return texts[op];
}

ast_layer *ast_program_find_layer(const ast_program *p, const char *name) {
  for (size_t i = 0; i < p->files.count; i++)
    for (size_t k = 0; k < p->files.items[i]->layers.count; k++)
      if (strcmp(p->files.items[i]->layers.items[k]->name.text, name) == 0) return p->files.items[i]->layers.items[k];
  return NULL;
}

const ast_expr *ast_only_subscript(const ast_expr *e) {
  const ast_expr *only = e->index.subscripts.items[0];
  return e->index.subscripts.count == 1 && only->kind != AST_EXPR_range ? only : NULL;
}
