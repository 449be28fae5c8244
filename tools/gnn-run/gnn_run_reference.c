/* Compiles the model of a program anew for C, in a private folder.
 *
 *   gnnc --target=c --model=gcn --dim=F=16 --graph g.safetensors --weights w.safetensors model.gnn -o model.c */
#include "tools/gnn-run/gnn_run.h"

#include "runtime/compile.h"
#include "support/file.h"
#include "support/temporary.h"
#include "support/vec.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

typedef VEC(char *) words;

static void add(arena *a, words *command, const char *format, const char *value) {
  VEC_PUSH(a, command, value ? arena_printf(a, "%s%s", format, value) : arena_strdup(a, format));
}

/* Returns the path of a source: the main file is model.gnn, imported files have numbers. */
static const char *source_path(arena *a, const char *folder, size_t number) {
  return number ? arena_printf(a, "%s/import%zu.gnn", folder, number) : arena_printf(a, "%s/model.gnn", folder);
}

/* Lists the files in the folder apart from those that compile_library makes. */
static void list_files(arena *a, const char *folder, const run_model *model, words *files) {
  static const char *const made[] = {"model.c", "model.h", "model.json"};
  for (size_t i = 0; i < model->source.num_texts; i++) add(a, files, source_path(a, folder, i), NULL);
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
    VEC_PUSH(a, files, arena_printf(a, "%s/%s", folder, made[i]));
}

static status compile(arena *a, const char *folder, const run_model *model, const char *const *flags,
                      const run_options *options) {
  const char *messages = arena_printf(a, "%s/messages.txt", folder);
  const model_source *source = &model->source;
  words command = {0};
  int result = 0;
  add(a, &command, compile_find_gnnc(a), NULL);
  add(a, &command, "--target=c", NULL);
  for (; *flags; flags++) add(a, &command, *flags, NULL);
  add(a, &command, "--model=", model->name);
  for (size_t i = 0; i < source->num_dims; i++)
    VEC_PUSH(a, &command, arena_printf(a, "--dim=%s=%" PRId64, source->dims[i].name, source->dims[i].value));
  add(a, &command, "--graph=", options->graph);
  if (options->weights) add(a, &command, "--weights=", options->weights);
  add(a, &command, folder, "/model.gnn");
  add(a, &command, "-o", NULL);
  add(a, &command, folder, "/model.c");
  VEC_PUSH(a, &command, NULL);
  RETURN_IF_ERROR(compile_run_command(command.items, messages, &result));
  if (!result) return STATUS_OK;
  const char *hint = options->weights ? "" : "; its weights are in the file that --weights=FILE names";
  return status_error(STATUS_CODE_unsupported, "'%s' does not compile the model for C (exit status %d)%s:\n%s",
                      command.items[0], result, hint, compile_read_messages(a, messages));
}

status run_reference_open(arena *a, const run_model *model, const char *const *flags, const run_options *options,
                          run_reference *out) {
  *out = (run_reference){.folder = NULL};
  RETURN_IF_ERROR(compile_make_folder(a, &out->folder));
  words files = {0};
  list_files(a, out->folder, model, &files);
  for (size_t i = 0; i < files.count; i++) temporary_add_file(files.items[i]);
  for (size_t i = 0; i < model->source.num_texts; i++) {
    const char *said = model->source.texts[i];
    RETURN_IF_ERROR(file_write(source_path(a, out->folder, i), said, strlen(said)));
  }
  RETURN_IF_ERROR(compile(a, out->folder, model, flags, options));
  const char *made = arena_printf(a, "%s/model.c", out->folder);
  run_model compiled;
  RETURN_IF_ERROR(run_model_of_c(a, made, &compiled));
  out->reach = compiled.source.reach;
  const gnnc_program_options how = {.is_portable = options->is_portable};
  return gnnc_program_open(made, &how, &out->program);
}

void run_reference_close(arena *a, const run_model *model, run_reference *r) {
  gnnc_program_close(r->program);
  if (!r->folder) return;
  words files = {0};
  list_files(a, r->folder, model, &files);
  for (size_t i = 0; i < files.count; i++) {
    unlink(files.items[i]);
    temporary_forget(files.items[i]);
  }
  compile_remove_folder(r->folder);
  *r = (run_reference){.folder = NULL};
}
