/* Runs semantic analysis: it collects the layers, expands the requested model, then checks
 * everything else in the file. */
#include "frontend/sema/sema.h"

#include "frontend/sema/sema_state.h"

#include <string.h>

sema_environment sema_environment_empty(void) {
  return (sema_environment){
      .num_nodes = -1, .num_edges = -1, .num_edge_types = -1, .num_node_types = -1, .num_graphs = -1};
}

/* ---- the file's definitions ---- */

static void add_layer(sema *s, const ast_layer *ast) {
  const char *name = ast->name.text;
  sema_map *layers = ast->is_library ? &s->library_layers : &s->layers;
  const sema_layer *before = sema_map_get(layers, name);
  if (!ast->is_library && sema_function_find(name)) {
    sema_error(s, ast->name.span, DIAG_shadowing, "'%s' is a builtin function; choose another name", name);
  } else if (before) {
    sema_error(s, ast->name.span, DIAG_redefinition, "layer '%s' is already defined", name);
    sema_note(s, before->ast->name.span, "it is defined here first");
    return;
  }
  sema_layer *layer = arena_alloc(s->arena, sizeof *layer);
  layer->ast = ast;
  sema_map_set(s->arena, layers, name, layer);
  VEC_PUSH(s->arena, &s->layer_list, layer);
}

static void collect_layers(sema *s) {
  for (size_t i = 0; i < s->program->files.count; i++) {
    const ast_file *file = s->program->files.items[i];
    for (size_t j = 0; j < file->layers.count; j++) add_layer(s, file->layers.items[j]);
  }
  sema_flush(s);
}

/* False when two models have the same name. */
static bool check_model_names(sema *s) {
  const ast_file *file = s->program->main;
  bool is_distinct = true;
  for (size_t i = 0; i < file->models.count; i++) {
    const ast_name name = file->models.items[i]->name;
    const sema_layer *layer = sema_map_get(&s->layers, name.text);
    if (layer) {
      sema_error(s, name.span, DIAG_redefinition, "'%s' is already a layer", name.text);
      sema_note(s, layer->ast->name.span, "it is defined here");
    }
    for (size_t j = 0; j < i; j++) {
      if (strcmp(file->models.items[j]->name.text, name.text) != 0) continue;
      sema_error(s, name.span, DIAG_redefinition, "model '%s' is already defined", name.text);
      sema_note(s, file->models.items[j]->name.span, "it is defined here first");
      is_distinct = false;
    }
    sema_flush(s);
  }
  return is_distinct;
}

static const ast_model *choose_model(sema *s, const char *wanted) {
  const ast_file *file = s->program->main;
  span start = {.source = file->source};
  VEC(const char *) names = {0};
  for (size_t i = 0; i < file->models.count; i++) {
    if (wanted && !strcmp(file->models.items[i]->name.text, wanted)) return file->models.items[i];
    VEC_PUSH(s->arena, &names, file->models.items[i]->name.text);
  }
  if (!wanted && file->models.count == 1) return file->models.items[0];
  if (wanted)
    sema_error(s, (span){0}, DIAG_unknown_model, "the file defines no model '%s'%s", wanted,
               sema_suggest(s, wanted, names.items, names.count));
  else if (!file->models.count)
    sema_error(s, start, DIAG_unknown_model, "the file defines no model");
  else
    sema_error(s, file->models.items[1]->name.span, DIAG_unknown_model,
               "the file defines %zu models; say which one with --model=%s", file->models.count, names.items[0]);
  sema_flush(s);
  return NULL;
}

/* ---- roots ---- */

/* Starts an empty program and opens the scope of its body. */
static void open_root(sema *s, const char *name, span where, const sema_environment *env,
                      const sema_environment *empty) {
  s->env = env ? env : empty;
  s->is_check = !env;
  s->bounds.count = 0;
  s->flat = arena_alloc(s->arena, sizeof *s->flat);
  s->dims = dim_system_create(s->arena);
  s->flat->model = name;
  s->flat->source = where.source;
  s->flat->span = where;
  s->flat->dims = s->dims;
  s->weights = (sema_map){0};
  s->graph_set = NULL;
  s->graph = FLAT_NONE;
  s->graph_statement = NULL;
  s->root = NULL;
  s->steps = 0;
  s->dropout_sites = 0;
  s->may_lack = false;
  s->held_back.count = 0;
  s->expansions = 0;
  s->is_stopped = false;
  s->etype_count = dim_new_symbol(s->dims, "number of edge types", where);
  s->ntype_count = dim_new_symbol(s->dims, "number of node types", where);
}

static bool has_statement(const ast_statement_list *body, ast_statement_kind kind) {
  for (size_t i = 0; i < body->count; i++) {
    if (body->items[i]->kind == kind) return true;
    if (body->items[i]->kind == AST_STATEMENT_repeat && has_statement(&body->items[i]->repeat.body, kind)) return true;
    const ast_statement *b = body->items[i]->kind == AST_STATEMENT_if ? body->items[i] : NULL;
    for (; b; b = b->branch.otherwise)
      if (has_statement(&b->branch.body, kind)) return true;
  }
  return false;
}

static void run_model(sema *s, const ast_model *model) {
  sema_scope scope = {.name = model->name.text, .body = &model->body, .prefix = ""};
  ast_name_list dims = {0};
  s->scope = &scope;
  if (!has_statement(&model->body, AST_STATEMENT_graph))
    sema_error(s, model->name.span, DIAG_missing_graph, "model '%s' has no graph; declare one with 'graph g;'",
               model->name.text);
  if (!has_statement(&model->body, AST_STATEMENT_output))
    sema_error(s, model->name.span, DIAG_no_output, "model '%s' has no output; declare one with 'output name = value;'",
               model->name.text);
  bool has_loss = has_statement(&model->body, AST_STATEMENT_loss);
  if (s->env->is_training && !s->env->backward && !has_loss)
    sema_error(s, model->name.span, DIAG_no_loss,
               "model '%s' has no loss, so it cannot be trained; declare one with 'loss NAME = EXPRESSION;'",
               model->name.text);
  s->may_lack = has_loss && !s->env->is_training;
  sema_scan_dims(s, NULL, &model->body, &dims);
  sema_declare_dims(s, &dims);
  sema_run_block(s, &model->body);
  s->scope = NULL;
}

/* Checks an uncalled layer by itself. */
static void run_layer(sema *s, sema_layer *layer) {
  s->root = layer;
  s->graph_set = "g";
  s->scope = sema_new_scope(s, layer, "", NULL);
  sema_declare_dims(s, &layer->dims);
  sema_declare_opaque(s, layer);
  sema_run_block(s, s->scope->body);
  s->scope = NULL;
}

/* Expands the requested model with the data of the files. Returns the program, also after errors. */
static const flat_program *expand(sema *s, const ast_model *model, const sema_environment *env) {
  unsigned before = diag_error_count(s->diag);
  open_root(s, model->name.text, model->name.span, env, NULL);
  s->flat->is_training = env->is_training;
  s->flat->backward = env->backward;
  run_model(s, model);
  sema_finish_loss(s);
  sema_check_gradients(s, model->name.span);
  sema_check_dim_options(s);
  bool is_good = diag_error_count(s->diag) == before;
  if (is_good) sema_finish_dims(s);
  if (is_good) sema_warn_unused_weights(s, model->name.span);
  sema_flush(s);
  return s->flat;
}

const flat_program *sema_analyze(arena *a, const ast_program *program, const char *model,
                                 const sema_environment *environment, diag *d) {
  sema_environment empty = sema_environment_empty();
  sema s = {.arena = a, .diag = d, .program = program, .env = environment};
  unsigned before = diag_error_count(d);
  collect_layers(&s);
  bool can_choose = check_model_names(&s) || model;
  const ast_model *wanted = can_choose ? choose_model(&s, model) : NULL;
  const flat_program *result = wanted ? expand(&s, wanted, environment) : NULL;
  for (size_t i = 0; i < program->main->models.count; i++) {
    const ast_model *other = program->main->models.items[i];
    if (other == wanted) continue;
    open_root(&s, other->name.text, other->name.span, NULL, &empty);
    run_model(&s, other);
  }
  for (size_t i = 0; i < s.layer_list.count; i++) {
    sema_layer *layer = s.layer_list.items[i];
    if (layer->is_expanded || layer->ast->is_library) continue;
    open_root(&s, layer->ast->name.text, layer->ast->name.span, NULL, &empty);
    run_layer(&s, layer);
  }
  if (diag_error_count(d) == before) sema_warn_unused_values(&s);
  return diag_error_count(d) == before ? result : NULL;
}
