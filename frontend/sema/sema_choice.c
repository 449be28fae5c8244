/* Chooses between parts of a model when it is compiled: `a if c else b`, `if c { ... } else { ... }`.
 *
 *   weight R : f32[F, out] from "lin_r.weight" transposed = none;
 *   return z + (x @ R if has(R) else 0);         without the tensor R the result is z itself
 *
 * A condition is a number that is known: made of has(...), sizes, numbers and parameters. Only the
 * chosen part is expanded. A layer or model that is checked without files has conditions that are
 * not known; then both parts are checked. */
#include "frontend/sema/sema_state.h"

#include <string.h>

bool sema_find_literal(sema *s, const char *name, sema_value *out) {
  if (!strcmp(name, "none"))
    *out = (sema_value){.kind = SEMA_none, .id = FLAT_NONE};
  else if (!strcmp(name, "true") || !strcmp(name, "false"))
    *out = sema_from_number(s, *name == 't', true);
  else
    return false;
  return true;
}

bool sema_is_optional(const ast_parameter *p) {
  return p->default_value && p->default_value->kind == AST_EXPR_name && !strcmp(p->default_value->name.text, "none");
}

/* The truth of a condition; `is_known` is false after an error, and where it is not known. */
typedef struct truth {
  bool is_known;
  bool is_true;
} truth;

static truth eval_condition(sema *s, const ast_expr *e) {
  sema_value v = sema_eval(s, e);
  if (v.kind == SEMA_number) return (truth){true, v.number != 0};
  if (v.kind == SEMA_poison || s->is_check) return (truth){0};
  bool is_size = v.kind == SEMA_size;
  sema_error(s, e->span, is_size ? DIAG_unbound_dimension : DIAG_not_constant,
             "condition %s is not known when the model is compiled: it is %s", sema_quote(s, e), sema_describe(s, v));
  if (!is_size)
    sema_note(
        s, e->span,
        "conditions are made of numbers, sizes and has(...); select(condition, a, b) chooses when the model runs");
  return (truth){0};
}

const ast_expr *sema_choose(sema *s, const ast_expr *e) {
  truth c = eval_condition(s, e->choice.condition);
  return !c.is_known ? NULL : c.is_true ? e->choice.yes : e->choice.no;
}

sema_value sema_eval_choice(sema *s, const ast_expr *e) {
  const ast_expr *chosen = sema_choose(s, e);
  if (chosen) {
    sema_mark_visible(s->scope); /* the branch that is left out may use all of them */
    return sema_eval(s, chosen);
  }
  sema_eval(s, e->choice.yes);
  sema_eval(s, e->choice.no);
  return sema_poisoned();
}

static void run_branch(sema *s, const ast_statement_list *body) {
  size_t mark = sema_open_block(s->scope);
  sema_run_block(s, body);
  sema_close_block(s->scope, mark);
}

void sema_run_if(sema *s, const ast_statement *st) {
  sema_scope *scope = s->scope;
  for (; st; st = st->branch.otherwise) {
    truth c = st->branch.condition ? eval_condition(s, st->branch.condition) : (truth){true, true};
    if (c.is_known && !c.is_true) {
      sema_mark_visible(scope); /* the block that is left out may use all of them */
      continue;
    }
    run_branch(s, &st->branch.body);
    if (c.is_known) break;
    scope->has_returned = false; /* whether it returns is not known */
    scope->is_left = false;
  }
  if (st) sema_mark_visible(scope);
  scope->is_left = scope->has_returned;
}
