/* Attaches comments and blank lines to statements, so that the printer can print them again.
 *
 *   # above              -> comments_before of the statement
 *   let h = relu(x);  # behind   -> its comment_after
 *   }                    and what stands before it: comments_end of the block
 *
 * One walk follows the order of the text, with a cursor over the comments. A comment inside of a
 * statement moves above it. */
#include "frontend/syntax/parse_state.h"

typedef struct cursor {
  parse_state *state;
  size_t next;     /* the next comment to attach */
  uint32_t offset; /* end of the last item passed: only blanks, braces and comments follow it */
} cursor;

static const parse_comment *peek(const cursor *c) {
  return c->next < c->state->comments.count ? &c->state->comments.items[c->next] : NULL;
}

static bool has_blank_line(const cursor *c, uint32_t end) {
  unsigned lines = 0;
  for (uint32_t i = c->offset; i < end; i++) lines += c->state->source->text[i] == '\n';
  return lines > 1;
}

static void push_blank(cursor *c, ast_comment_list *list, uint32_t end) {
  bool is_doubled = list->count && !list->items[list->count - 1].text;
  if (!is_doubled && has_blank_line(c, end)) VEC_PUSH(c->state->arena, list, (ast_name){0});
}

/* Takes the comments that begin before `end`, and blank lines around them. */
static void take_before(cursor *c, uint32_t end, ast_comment_list *list) {
  const parse_comment *comment;
  while ((comment = peek(c)) && comment->comment.span.begin < end) {
    push_blank(c, list, comment->comment.span.begin);
    VEC_PUSH(c->state->arena, list, comment->comment);
    c->offset = comment->comment.span.end;
    c->next++;
  }
  if (c->offset < end) push_blank(c, list, end);
}

/* Takes a comment that directly follows the ';' or '}' ending at `end`. */
static void take_after(cursor *c, uint32_t end, ast_name *after) {
  const parse_comment *comment = peek(c);
  c->offset = end;
  if (!comment || comment->follows_end != end || after->text) return;
  *after = comment->comment;
  c->offset = comment->comment.span.end;
  c->next++;
}

/* Takes a comment that follows the block's '{', if it is the next one. */
static void take_after_brace(cursor *c, uint32_t first, ast_name *after) {
  const parse_comment *comment = peek(c);
  if (!comment || comment->follows != '{' || comment->comment.span.begin >= first) return;
  *after = comment->comment;
  c->offset = comment->comment.span.end;
  c->next++;
}

static void attach_block(cursor *c, const ast_statement_list *body, span whole, ast_name *after, ast_comment_list *end);

/* A chain of blocks: what stands before the next 'else' belongs to the block in front of it. */
static void attach_branch(cursor *c, ast_statement *st) {
  span block = st->span;
  if (st->branch.otherwise) block.end = st->branch.otherwise->span.begin;
  attach_block(c, &st->branch.body, block, &st->comment_after, &st->comments_end);
  if (st->branch.otherwise) attach_branch(c, st->branch.otherwise);
}

static void attach_statement(cursor *c, ast_statement *st) {
  take_before(c, st->span.begin, &st->comments_before);
  if (st->kind == AST_STATEMENT_for)
    attach_block(c, &st->loop.body, st->span, &st->comment_after, &st->comments_end);
  else if (st->kind == AST_STATEMENT_repeat)
    attach_block(c, &st->repeat.body, st->span, &st->comment_after, &st->comments_end);
  else if (st->kind == AST_STATEMENT_if)
    attach_branch(c, st);
  else {
    c->offset = st->span.end;
    take_before(c, st->span.end, &st->comments_before);
  }
  take_after(c, st->span.end, &st->comment_after);
}

static void attach_block(cursor *c, const ast_statement_list *body, span whole, ast_name *after,
                         ast_comment_list *end) {
  uint32_t first = body->count ? body->items[0]->span.begin : whole.end;
  take_after_brace(c, first, after);
  c->offset = first; /* blank lines at the beginning of a block are not kept */
  for (size_t i = 0; i < body->count; i++) attach_statement(c, body->items[i]);
  take_before(c, whole.end, end);
  c->offset = whole.end;
}

/* Attaches the item that stands first from the given positions on; false when there is none. */
static bool attach_next_item(cursor *c, size_t at[3]) {
  ast_file *f = c->state->file;
  ast_import *import = at[0] < f->imports.count ? &f->imports.items[at[0]] : NULL;
  ast_layer *layer = at[1] < f->layers.count ? f->layers.items[at[1]] : NULL;
  ast_model *model = at[2] < f->models.count ? f->models.items[at[2]] : NULL;
  uint32_t begin = UINT32_MAX;
  if (import) begin = import->span.begin;
  if (layer && layer->span.begin < begin) begin = layer->span.begin;
  if (model && model->span.begin < begin) begin = model->span.begin;
  if (import && import->span.begin == begin) {
    take_before(c, begin, &import->comments_before);
    take_after(c, import->span.end, &import->comment_after);
    at[0]++;
  } else if (layer && layer->span.begin == begin) {
    take_before(c, begin, &layer->comments_before);
    attach_block(c, &layer->body, layer->span, &layer->comment_after, &layer->comments_end);
    at[1]++;
  } else if (model) {
    take_before(c, begin, &model->comments_before);
    attach_block(c, &model->body, model->span, &model->comment_after, &model->comments_end);
    at[2]++;
  }
  return import || layer || model;
}

void parse_attach_comments(parse_state *s) {
  cursor c = {.state = s};
  size_t at[3] = {0};
  while (attach_next_item(&c, at)) continue;
  take_before(&c, (uint32_t)s->source->size, &s->file->comments_after);
}
