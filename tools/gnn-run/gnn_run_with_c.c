/* gnn-run --compare-with=c: compiles the sources in an image for the C target with the same sizes
 * and runs the result on the same graph and weights.
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
static const char *source_path(arena *a, const char *folder, int32_t number) {
  return number ? arena_printf(a, "%s/import%d.gnn", folder, (int)number) : arena_printf(a, "%s/model.gnn", folder);
}

/* Lists the files in the folder apart from those that compile_library makes. */
static void list_files(arena *a, const char *folder, const program_binary *p, words *files) {
  static const char *const made[] = {"model.c", "model.h", "model.json"};
  for (int32_t i = 0; i < p->num_sources || i < 1; i++) add(a, files, source_path(a, folder, i), NULL);
  for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
    VEC_PUSH(a, files, arena_printf(a, "%s/%s", folder, made[i]));
}

static status write_sources(arena *a, const char *folder, const program_binary *p) {
  const image_section *main = &p->image.sections[IMAGE_SOURCE];
  if (!p->num_sources) return file_write(source_path(a, folder, 0), main->data, main->size);
  for (int32_t i = 0; i < p->num_sources; i++)
    RETURN_IF_ERROR(file_write(source_path(a, folder, i), p->sources[i], strlen(p->sources[i])));
  return STATUS_OK;
}

static status compile(arena *a, const char *folder, const program_binary *p, const run_options *options) {
  const char *messages = arena_printf(a, "%s/messages.txt", folder);
  words command = {0};
  int result = 0;
  add(a, &command, compile_find_gnnc(a), NULL);
  add(a, &command, "--target=c", NULL);
  add(a, &command, "--model=", p->model);
  for (int32_t i = 0; i < p->num_dims; i++)
    VEC_PUSH(a, &command, arena_printf(a, "--dim=%s=%" PRId64, p->dims[i].name, p->dims[i].value));
  add(a, &command, "--graph=", options->graph);
  if (options->weights) add(a, &command, "--weights=", options->weights);
  add(a, &command, folder, "/model.gnn");
  add(a, &command, "-o", NULL);
  add(a, &command, folder, "/model.c");
  VEC_PUSH(a, &command, NULL);
  RETURN_IF_ERROR(compile_run_command(command.items, messages, &result));
  if (!result) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported, "'%s' does not compile the model for C (exit status %d):\n%s",
                      command.items[0], result, compile_read_messages(a, messages));
}

/* Compares outputs up to the first one that differs. */
static status compare_outputs(const run_outputs *found, const run_outputs *expected, const run_options *options,
                              bool *differs) {
  for (int32_t i = 0; i < expected->count && !*differs; i++) {
    const run_output *theirs = &expected->items[i], *ours = run_outputs_find(found, theirs->name);
    if (!ours) return status_error(STATUS_CODE_mismatch, "the program has no output '%s'", theirs->name);
    int64_t count = theirs->rows * theirs->elements;
    if (ours->rows * ours->elements != count)
      return status_error(STATUS_CODE_mismatch, "'%s' has %lld x %lld numbers there, %lld x %lld here", theirs->name,
                          (long long)theirs->rows, (long long)theirs->elements, (long long)ours->rows,
                          (long long)ours->elements);
    *differs = run_compare_values(options, theirs->name, ours->data, theirs->data, count);
    if (*differs) run_print(options->report, "compare: the first output that differs from C is %s\n", theirs->name);
  }
  return STATUS_OK;
}

static status run_and_compare(arena *a, const char *folder, const program_binary *p, const run_outputs *outputs,
                              const run_options *options, bool *differs) {
  gnnc_program *program = NULL;
  gnnc_session *session = NULL;
  status s = compile(a, folder, p, options);
  if (!s) s = gnnc_program_open(arena_printf(a, "%s/model.c", folder), NULL, &program);
  if (!s) s = gnnc_session_create(program, options->graph, options->weights, &session);
  if (!s) s = gnnc_session_run(session, NULL);
  if (!s) {
    run_outputs expected = run_outputs_of_session(a, program, session);
    s = compare_outputs(outputs, &expected, options, differs);
  }
  gnnc_session_destroy(session);
  gnnc_program_close(program);
  return s;
}

status run_compare_with_c(const run_outputs *outputs, const program_binary *p, const run_options *options,
                          bool *differs) {
  if (!p->image.sections[IMAGE_SOURCE].size)
    return status_error(STATUS_CODE_mismatch, "--compare-with=c: the program does not hold its source");
  arena *a = arena_create();
  const char *folder = NULL;
  status s = compile_make_folder(a, &folder);
  if (!s) {
    words files = {0};
    list_files(a, folder, p, &files);
    for (size_t i = 0; i < files.count; i++) temporary_add_file(files.items[i]);
    s = write_sources(a, folder, p);
    if (!s) s = run_and_compare(a, folder, p, outputs, options, differs);
    for (size_t i = 0; i < files.count; i++) {
      unlink(files.items[i]);
      temporary_forget(files.items[i]);
    }
    compile_remove_folder(folder);
  }
  arena_destroy(a);
  return status_context(s, "--compare-with=c");
}
