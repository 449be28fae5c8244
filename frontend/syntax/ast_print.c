/* Prints the canonical text of a tree, which makes it the formatter, too: `let h=relu( x@W );`
 * becomes `let h = relu(x @ W);`.
 *
 * One statement per line, two spaces per block, 100 columns; longer lines break behind commas and
 * before operators. A loop around a single statement stands on one line when it fits; the colons of
 * neighbouring declarations are aligned. Layout depends on the tree alone, so printing what was
 * printed changes nothing. */
#include "frontend/syntax/ast_print.h"

#include <string.h>

enum { COLUMNS = 100, INDENT = 2, CONTINUATION = 4 };

typedef struct printer {
  text *out;
  text line; /* the current line, with BREAKs */
  unsigned indent;
  bool is_begin; /* nothing has been printed in this block: no blank line may come */
} printer;

static void print_indent(printer *p, unsigned columns) {
  text_printf(p->out, "%*s", (int)columns, "");
}

/* Returns the end of the piece of the line that begins at `begin`: the last BREAK within `room`
 * columns, else the first BREAK. */
static size_t find_break(const text *line, size_t begin, size_t room) {
  if (line->size - begin <= room) return line->size;
  size_t found = line->size;
  for (size_t i = begin; i < line->size; i++) {
    if (line->data[i] != BREAK[0]) continue;
    if (i - begin > room && found < line->size) break;
    found = i;
    if (i - begin > room) break;
  }
  return found;
}

/* Writes the current line, broken where it is too long, followed by the comment. */
static void end_line(printer *p, const ast_name *comment) {
  unsigned indent = p->indent;
  for (size_t begin = 0; begin < p->line.size;) {
    size_t room = COLUMNS > indent + 20 ? COLUMNS - indent : 20;
    size_t end = find_break(&p->line, begin, room);
    text piece = {.data = p->line.data + begin, .size = end - begin};
    print_indent(p, indent);
    ast_print_without_breaks(p->out, &piece);
    begin = end + 1;
    if (begin < p->line.size) text_append(p->out, "\n");
    indent = p->indent + CONTINUATION;
  }
  if (comment && comment->text) text_printf(p->out, "  #%s", comment->text);
  text_append(p->out, "\n");
  text_free(&p->line);
  p->is_begin = false;
}

/* Prints comments and blank lines; blank lines at the beginning of a block, and repeated ones, are
 * dropped. */
static void print_comments(printer *p, const ast_comment_list *comments, bool is_end) {
  bool is_blank_due = false;
  for (size_t i = 0; i < comments->count; i++) {
    const char *comment = comments->items[i].text;
    if (!comment) {
      is_blank_due = true;
      continue;
    }
    if (is_blank_due && !p->is_begin) text_append(p->out, "\n");
    is_blank_due = false;
    print_indent(p, p->indent);
    text_printf(p->out, "#%s\n", comment);
    p->is_begin = false;
  }
  if (is_blank_due && !p->is_begin && !is_end) text_append(p->out, "\n");
}

static bool has_comment(const ast_comment_list *list) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].text) return true;
  return false;
}

static void print_from(text *t, const char *from) {
  if (!from) return;
  text_append(t, BREAK "from ");
  ast_print_string(t, from);
}

static void print_training(text *t, const ast_training *training) {
  if (training->is_trained) text_append(t, BREAK "trained");
  if (training->init.text) text_printf(t, BREAK "init %s", training->init.text);
  if (training->init_value) {
    text_append(t, "(");
    ast_print_breakable_expr(t, training->init_value);
    text_append(t, ")");
  }
  if (training->is_frozen) text_append(t, BREAK "frozen");
}

/* Returns the width of the text before the colon of a declaration; 0 for other statements. */
static size_t declaration_width(const ast_statement *st) {
  if (st->kind == AST_STATEMENT_weight) return strlen("weight ") + strlen(st->weight.name.text);
  if (st->kind != AST_STATEMENT_input) return 0;
  size_t width = strlen("input ") + strlen(st->input.name.text);
  return st->input.node_type.text ? width + 1 + strlen(st->input.node_type.text) : width;
}

static void print_declaration(text *t, const ast_statement *st, size_t width) {
  size_t begin = t->size;
  if (st->kind == AST_STATEMENT_weight)
    text_printf(t, "weight %s", st->weight.name.text);
  else
    text_printf(t, "input %s", st->input.name.text);
  if (st->kind == AST_STATEMENT_input && st->input.node_type.text) text_printf(t, ".%s", st->input.node_type.text);
  size_t own = t->size - begin;
  text_printf(t, "%*s : ", width > own ? (int)(width - own) : 0, "");
  ast_print_breakable_type(t, st->kind == AST_STATEMENT_weight ? &st->weight.type : &st->input.type);
  print_from(t, st->kind == AST_STATEMENT_weight ? st->weight.from : st->input.from);
  for (size_t i = 0; st->kind == AST_STATEMENT_weight && i < st->weight.older.count; i++) {
    text_append(t, "," BREAK);
    ast_print_string(t, st->weight.older.items[i].text);
  }
  if (st->kind == AST_STATEMENT_weight && st->weight.is_transposed) text_append(t, BREAK "transposed");
  print_training(t, st->kind == AST_STATEMENT_weight ? &st->weight.training : &st->input.training);
  if (st->kind != AST_STATEMENT_weight || !st->weight.default_value) return;
  text_append(t, " = ");
  ast_print_breakable_expr(t, st->weight.default_value);
}

static void print_graph_types(text *t, const ast_graph_type_list *types) {
  for (size_t i = 0; i < types->count; i++) {
    const ast_graph_type *type = &types->items[i];
    text_printf(t, "%s%s", i ? "," BREAK : "", type->name.text);
    if (type->src.text) text_printf(t, " : %s -> %s", type->src.text, type->dst.text);
  }
}

static void print_graph(text *t, const ast_statement *st) {
  text_printf(t, "graph %s", st->graph.name.text);
  if (st->graph.node_types.count + st->graph.edge_types.count == 0) return;
  text_append(t, " {");
  if (st->graph.node_types.count) {
    text_append(t, " nodes ");
    print_graph_types(t, &st->graph.node_types);
    text_append(t, ";");
  }
  if (st->graph.edge_types.count) {
    text_append(t, BREAK "edges ");
    print_graph_types(t, &st->graph.edge_types);
    text_append(t, ";");
  }
  text_append(t, " }");
}

/* Prints the header of a block, without its brace. */
static void print_header(text *t, const ast_statement *st) {
  if (st->kind == AST_STATEMENT_if) {
    if (!st->branch.condition) return;
    text_append(t, "if ");
    ast_print_breakable_expr(t, st->branch.condition);
    return;
  }
  if (st->kind == AST_STATEMENT_for) {
    text_printf(t, "for %s in ", st->loop.variable.text);
    ast_print_breakable_expr(t, st->loop.domain);
    return;
  }
  text_printf(t, "repeat %s in ", st->repeat.variable.text);
  ast_print_breakable_expr(t, st->repeat.first);
  if (!st->repeat.last) return;
  text_append(t, "..");
  ast_print_breakable_expr(t, st->repeat.last);
}

/* Prints a statement that is no block, without comments. */
static void print_simple(text *t, const ast_statement *st, size_t width) {
  switch (st->kind) {
  case AST_STATEMENT_graph: print_graph(t, st); break;
  case AST_STATEMENT_dim:
    text_printf(t, "dim %s", st->dim.name.text);
    if (!st->dim.value) break;
    text_append(t, " = ");
    ast_print_breakable_expr(t, st->dim.value);
    break;
  case AST_STATEMENT_input:
  case AST_STATEMENT_weight: print_declaration(t, st, width); break;
  case AST_STATEMENT_let:
    text_append(t, "let ");
    ast_print_names(t, &st->let.names);
    text_append(t, " = ");
    ast_print_breakable_expr(t, st->let.value);
    break;
  case AST_STATEMENT_assign:
    ast_print_breakable_expr(t, st->assign.target);
    text_printf(t, " %s ", ast_assign_text(st->assign.op));
    ast_print_breakable_expr(t, st->assign.value);
    break;
  case AST_STATEMENT_call: ast_print_breakable_expr(t, st->call); break;
  case AST_STATEMENT_output:
    text_printf(t, "output %s%s%s = ", st->output.name.text, st->output.node_type.text ? "." : "",
                st->output.node_type.text ? st->output.node_type.text : "");
    ast_print_breakable_expr(t, st->output.value);
    break;
  case AST_STATEMENT_loss:
    text_printf(t, "loss %s = ", st->output.name.text);
    ast_print_breakable_expr(t, st->output.value);
    break;
  default:
    text_append(t, "return ");
    ast_print_breakable_exprs(t, &st->values);
    break;
  }
  if (st->kind != AST_STATEMENT_graph || st->graph.node_types.count + st->graph.edge_types.count == 0)
    text_append(t, ";");
}

static bool is_block(const ast_statement *st) {
  return st->kind == AST_STATEMENT_for || st->kind == AST_STATEMENT_repeat || st->kind == AST_STATEMENT_if;
}

static const ast_statement_list *body_of(const ast_statement *st) {
  switch (st->kind) {
  case AST_STATEMENT_for: return &st->loop.body;
  case AST_STATEMENT_repeat: return &st->repeat.body;
  default: return &st->branch.body;
  }
}

/* The block behind the 'else' of this one, NULL where there is none. */
static const ast_statement *else_of(const ast_statement *st) {
  return st->kind == AST_STATEMENT_if ? st->branch.otherwise : NULL;
}

/* Appends a loop as `for n in g.nodes { ... }`; false when it needs more than one line, and then
 * `t` is incomplete. */
static bool print_flat(text *t, const ast_statement *st) {
  if (!is_block(st)) {
    print_simple(t, st, 0);
    return t->size <= COLUMNS;
  }
  const ast_statement_list *body = body_of(st);
  if (has_comment(&st->comments_end) || body->count > 1 || else_of(st)) return false;
  print_header(t, st);
  text_append(t, body->count ? " { " : " {");
  if (t->size > COLUMNS) return false;
  if (body->count) {
    const ast_statement *inner = body->items[0];
    if (has_comment(&inner->comments_before) || inner->comment_after.text || !print_flat(t, inner)) return false;
    text_append(t, " ");
  }
  text_append(t, "}");
  return t->size <= COLUMNS;
}

static void print_body(printer *p, const ast_statement_list *body, const ast_comment_list *comments_end);

static void print_statement(printer *p, const ast_statement *st, size_t width) {
  if (!is_block(st)) {
    print_simple(&p->line, st, width);
    end_line(p, &st->comment_after);
    return;
  }
  if (print_flat(&p->line, st) && p->indent + p->line.size <= COLUMNS) {
    end_line(p, &st->comment_after);
    return;
  }
  text_free(&p->line);
  for (; st; st = else_of(st)) {
    print_header(&p->line, st);
    text_append(&p->line, p->line.size && p->line.data[p->line.size - 1] == ' ' ? "{" : " {");
    end_line(p, &st->comment_after);
    print_body(p, body_of(st), &st->comments_end);
    text_append(&p->line, else_of(st) ? "} else " : "}");
  }
  end_line(p, NULL);
}

/* Returns the number of statements from `i` on that are aligned: declarations of one kind on
 * consecutive lines. */
static size_t run_length(const ast_statement_list *body, size_t i, size_t *width) {
  size_t end = i;
  for (*width = 0; end < body->count && body->items[end]->kind == body->items[i]->kind; end++) {
    size_t own = declaration_width(body->items[end]);
    if (own == 0 || (end > i && body->items[end]->comments_before.count)) break;
    if (own > *width) *width = own;
  }
  return end > i ? end - i : 1;
}

/* Prints `dim H; dim C;` without comments between them on one line; returns their number. */
static size_t print_dims(printer *p, const ast_statement_list *body, size_t i) {
  size_t end = i;
  text_append(&p->line, "dim ");
  do {
    if (end > i) text_append(&p->line, "," BREAK);
    text_append(&p->line, body->items[end++]->dim.name.text);
  } while (end < body->count && body->items[end]->kind == AST_STATEMENT_dim && !body->items[end]->dim.value &&
           body->items[end]->comments_before.count == 0 && !body->items[end - 1]->comment_after.text);
  text_append(&p->line, ";");
  end_line(p, &body->items[end - 1]->comment_after);
  return end - i;
}

static void print_body(printer *p, const ast_statement_list *body, const ast_comment_list *comments_end) {
  p->indent += INDENT;
  p->is_begin = true;
  for (size_t i = 0; i < body->count;) {
    const ast_statement *st = body->items[i];
    print_comments(p, &st->comments_before, false);
    if (st->kind == AST_STATEMENT_dim && !st->dim.value) {
      i += print_dims(p, body, i);
      continue;
    }
    size_t width, end = i + run_length(body, i, &width);
    for (; i < end; i++) print_statement(p, body->items[i], width);
  }
  print_comments(p, comments_end, true);
  p->indent -= INDENT;
}

static void print_layer(printer *p, const ast_layer *layer) {
  text_printf(&p->line, "layer %s(", layer->name.text);
  for (size_t i = 0; i < layer->parameters.count; i++) {
    const ast_parameter *parameter = &layer->parameters.items[i];
    if (i) text_append(&p->line, "," BREAK);
    if (parameter->is_inout) text_append(&p->line, "inout ");
    text_append(&p->line, parameter->name.text);
    if (parameter->field.text) text_printf(&p->line, ".%s", parameter->field.text);
    if (parameter->type.kind != AST_TYPE_none) {
      text_append(&p->line, ": ");
      ast_print_breakable_type(&p->line, &parameter->type);
    }
    if (!parameter->default_value) continue;
    text_append(&p->line, " = ");
    ast_print_breakable_expr(&p->line, parameter->default_value);
  }
  text_append(&p->line, ") {");
  end_line(p, &layer->comment_after);
  print_body(p, &layer->body, &layer->comments_end);
  text_append(p->out, "}\n");
}

static void print_import(printer *p, const ast_import *import) {
  text_append(&p->line, "import ");
  ast_print_string(&p->line, import->path);
  text_append(&p->line, ";");
  end_line(p, &import->comment_after);
}

static void print_model(printer *p, const ast_model *model) {
  text_printf(&p->line, "model %s {", model->name.text);
  end_line(p, &model->comment_after);
  print_body(p, &model->body, &model->comments_end);
  text_append(p->out, "}\n");
}

/* Prints a blank line before each layer and model, and before an import where the file has one. */
static void print_space(printer *p, const ast_comment_list *comments, bool is_forced) {
  if (is_forced && !p->is_begin) text_append(p->out, "\n");
  p->is_begin |= is_forced;
  print_comments(p, comments, false);
}

void ast_print(const ast_file *f, text *out) {
  printer p = {.out = out, .is_begin = true};
  size_t i = 0, l = 0, m = 0;
  bool is_after_block = false;
  while (i < f->imports.count || l < f->layers.count || m < f->models.count) {
    uint32_t import = i < f->imports.count ? f->imports.items[i].span.begin : UINT32_MAX;
    uint32_t layer = l < f->layers.count ? f->layers.items[l]->span.begin : UINT32_MAX;
    uint32_t model = m < f->models.count ? f->models.items[m]->span.begin : UINT32_MAX;
    if (import <= layer && import <= model && i < f->imports.count) {
      print_space(&p, &f->imports.items[i].comments_before, is_after_block);
      print_import(&p, &f->imports.items[i++]);
      is_after_block = false;
    } else if (layer <= model && l < f->layers.count) {
      print_space(&p, &f->layers.items[l]->comments_before, true);
      print_layer(&p, f->layers.items[l++]);
      is_after_block = true;
    } else {
      print_space(&p, &f->models.items[m]->comments_before, true);
      print_model(&p, f->models.items[m++]);
      is_after_block = true;
    }
    p.is_begin = false;
  }
  if (is_after_block && has_comment(&f->comments_after)) text_append(out, "\n");
  p.is_begin |= is_after_block;
  print_comments(&p, &f->comments_after, true);
}
