/* Builds a program from its main file: follows imports, then adds the files of the layer library
 * whose layers are named.
 *
 *   import "blocks.gnn";   searched for beside the importing file, then in each -I folder
 *
 * A file is read once however often it is imported. Importing in a circle is an error that shows
 * the circle. */
#include "frontend/library.h"
#include "frontend/syntax/parse.h"
#include "support/file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum file_state { FILE_STATE_open, FILE_STATE_done } file_state;

typedef struct known_file {
  const char *path; /* canonical, with symbolic links resolved */
  file_state state;
} known_file;

typedef struct loader {
  arena *arena;
  diag *diag;
  const char *const *include_dirs;
  size_t include_dir_count;
  ast_program *program;
  VEC(known_file) known;
  unsigned char *is_library_added; /* per file of the library */
  unsigned depth;
} loader;

/* The loader recurses along imports, so their depth has a limit. */
enum { MAX_IMPORT_DEPTH = 200 };

static const char *resolve(arena *a, const char *path) {
  char *real = realpath(path, NULL);
  if (!real) return NULL;
  const char *result = arena_strdup(a, real);
  free(real);
  return result;
}

/* "models/gcn.gnn" and "blocks.gnn" give "models/blocks.gnn". */
static const char *beside(arena *a, const char *file, const char *path) {
  const char *slash = strrchr(file, '/');
  return slash ? arena_printf(a, "%.*s/%s", (int)(slash - file), file, path) : path;
}

/* Returns the path under which the import can be read, or NULL after a message. */
static const char *find_import(loader *l, const source *importer, const ast_import *import) {
  const char *first = import->path[0] == '/' ? import->path : beside(l->arena, importer->name, import->path);
  if (access(first, R_OK) == 0) return first;
  for (size_t i = 0; i < l->include_dir_count && import->path[0] != '/'; i++) {
    const char *path = arena_printf(l->arena, "%s/%s", l->include_dirs[i], import->path);
    if (access(path, R_OK) == 0) return path;
  }
  diag_report(l->diag, import->span, DIAG_import, "cannot read '%s': no such file beside this one%s", import->path,
              l->include_dir_count ? " or in the folders given with -I" : "; -I FOLDER adds a place to look");
  return NULL;
}

static known_file *find_known(loader *l, const char *path) {
  for (size_t i = 0; i < l->known.count; i++)
    if (strcmp(l->known.items[i].path, path) == 0) return &l->known.items[i];
  return NULL;
}

static void load_imports(loader *l, const ast_file *file);

static void load_import(loader *l, const ast_file *importer, const ast_import *import) {
  if (strlen(import->path) == 0) {
    diag_report(l->diag, import->span, DIAG_import, "the path of this import is empty");
    return;
  }
  const char *path = find_import(l, importer->source, import);
  if (!path) return;
  const char *real = resolve(l->arena, path);
  known_file *known = find_known(l, real ? real : path);
  if (known && known->state == FILE_STATE_open) {
    diag_report(l->diag, import->span, DIAG_import, "'%s' is imported in a circle: it is still being read",
                import->path);
    return;
  }
  if (known) return;
  char *data;
  size_t size;
  status s = file_read(l->arena, path, &data, &size);
  if (s) {
    diag_report(l->diag, import->span, DIAG_import, "%s", status_message(s));
    status_free(s);
    return;
  }
  if (++l->depth > MAX_IMPORT_DEPTH) {
    diag_report(l->diag, import->span, DIAG_import, "imports are nested more than %d deep here", MAX_IMPORT_DEPTH);
    l->depth--;
    return;
  }
  const source *imported = source_create(l->arena, arena_strdup(l->arena, path), data, size);
  size_t index = l->known.count;
  VEC_PUSH(l->arena, &l->known, (known_file){real ? real : path, FILE_STATE_open});
  diag_add_source(l->diag, imported);
  ast_file *file = parse_source(l->arena, imported, l->diag);
  if (file) {
    VEC_PUSH(l->arena, &l->program->files, file);
    load_imports(l, file);
  }
  l->known.items[index].state = FILE_STATE_done;
  l->depth--;
}

static void load_imports(loader *l, const ast_file *file) {
  for (size_t i = 0; i < file->imports.count; i++) load_import(l, file, &file->imports.items[i]);
}

static void use_name(loader *l, const char *name) {
  const library_layer *layer = library_find_layer(name);
  if (!layer || l->is_library_added[layer->file]) return;
  l->is_library_added[layer->file] = 1;
  const library_file *shipped = &library_files[layer->file];
  source *s = source_create(l->arena, shipped->name, shipped->text, shipped->size);
  s->command = arena_printf(l->arena, "gnnc --print-library=%s", name);
  diag_add_source(l->diag, s);
  ast_file *file = parse_source(l->arena, s, l->diag);
  if (!file) return;
  for (size_t i = 0; i < file->layers.count; i++) file->layers.items[i]->is_library = true;
  VEC_PUSH(l->arena, &l->program->files, file);
}

/* Adds the layers that an expression names, in calls or as functions. */
static void use_expr(loader *l, const ast_expr *e) {
  if (!e) return;
  switch (e->kind) {
  case AST_EXPR_number:
  case AST_EXPR_string: break;
  case AST_EXPR_name: use_name(l, e->name.text); break;
  case AST_EXPR_field: use_expr(l, e->field.base); break;
  case AST_EXPR_index:
    use_expr(l, e->index.base);
    for (size_t i = 0; i < e->index.subscripts.count; i++) use_expr(l, e->index.subscripts.items[i]);
    break;
  case AST_EXPR_call:
    use_name(l, e->call.callee.text);
    for (size_t i = 0; i < e->call.arguments.count; i++) use_expr(l, e->call.arguments.items[i].value);
    break;
  case AST_EXPR_unary: use_expr(l, e->unary.operand); break;
  case AST_EXPR_binary:
    use_expr(l, e->binary.left);
    use_expr(l, e->binary.right);
    break;
  case AST_EXPR_reduce:
    use_expr(l, e->reduce.argument);
    use_expr(l, e->reduce.domain);
    use_expr(l, e->reduce.key);
    for (size_t i = 0; i < e->reduce.states.count; i++) use_expr(l, e->reduce.states.items[i].value);
    use_expr(l, e->reduce.body);
    break;
  case AST_EXPR_list:
    for (size_t i = 0; i < e->list.count; i++) use_expr(l, e->list.items[i]);
    break;
  case AST_EXPR_choice:
    use_expr(l, e->choice.condition);
    use_expr(l, e->choice.yes);
    use_expr(l, e->choice.no);
    break;
  case AST_EXPR_range:
    use_expr(l, e->range.first);
    use_expr(l, e->range.last);
    break;
  }
}

static void use_body(loader *l, const ast_statement_list *body) {
  for (size_t i = 0; i < body->count; i++) {
    const ast_statement *st = body->items[i];
    switch (st->kind) {
    case AST_STATEMENT_let: use_expr(l, st->let.value); break;
    case AST_STATEMENT_assign: use_expr(l, st->assign.value); break;
    case AST_STATEMENT_call: use_expr(l, st->call); break;
    case AST_STATEMENT_for: use_body(l, &st->loop.body); break;
    case AST_STATEMENT_repeat: use_body(l, &st->repeat.body); break;
    case AST_STATEMENT_if:
      for (const ast_statement *b = st; b; b = b->branch.otherwise) {
        use_expr(l, b->branch.condition);
        use_body(l, &b->branch.body);
      }
      break;
    case AST_STATEMENT_output:
    case AST_STATEMENT_loss: use_expr(l, st->output.value); break;
    case AST_STATEMENT_return:
      for (size_t k = 0; k < st->values.count; k++) use_expr(l, st->values.items[k]);
      break;
    default: break;
    }
  }
}

static void use_file(loader *l, const ast_file *file) {
  for (size_t i = 0; i < file->layers.count; i++) {
    for (size_t k = 0; k < file->layers.items[i]->parameters.count; k++)
      use_expr(l, file->layers.items[i]->parameters.items[k].default_value);
    use_body(l, &file->layers.items[i]->body);
  }
  for (size_t i = 0; i < file->models.count; i++) use_body(l, &file->models.items[i]->body);
}

bool parse_program(arena *a, const source *main, const char *const *include_dirs, size_t include_dir_count, diag *d,
                   ast_program *out) {
  unsigned errors = diag_error_count(d);
  *out = (ast_program){0};
  loader l = {
      .arena = a, .diag = d, .include_dirs = include_dirs, .include_dir_count = include_dir_count, .program = out};
  l.is_library_added = arena_alloc(a, library_file_count + 1);
  diag_add_source(d, main);
  ast_file *file = parse_source(a, main, d);
  if (!file) return false;
  const char *real = resolve(a, main->name);
  out->main = file;
  VEC_PUSH(a, &out->files, file);
  VEC_PUSH(a, &l.known, (known_file){real ? real : main->name, FILE_STATE_open});
  load_imports(&l, file);
  /* Library files name further ones: the list grows while it is walked. */
  for (size_t i = 0; i < out->files.count; i++) use_file(&l, out->files.items[i]);
  return diag_error_count(d) == errors;
}
