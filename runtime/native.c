/* Opens programs: compiles generated C, loads libraries, and finds the model in a library by the
 * names of its functions. */
#include "runtime/native.h"

#include "runtime/compile.h"
#include "runtime/kind.h"
#include "support/file.h"

#include <ctype.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

const char *gnnc_status_message(gnnc_status s) {
  return status_message(s);
}
void gnnc_status_free(gnnc_status s) {
  status_free(s);
}

const gnnc_model_info *gnnc_program_info(const gnnc_program *program) {
  return program->info;
}
const char *gnnc_program_folder(const gnnc_program *program) {
  return program->folder ? program->folder : "";
}

void gnnc_program_close(gnnc_program *program) {
  if (!program) return;
  if (program->handle) dlclose(program->handle);
  arena_destroy(program->memory);
  free(program);
}

/* ---- the model in a library ---- */

/* A kind of program, and the functions beside NAME_info that tell it from the other. */
typedef enum native_kind { NATIVE_run, NATIVE_train } native_kind;
enum { MOST_FUNCTIONS = 4 };
static const char *const functions[][MOST_FUNCTIONS] = {
    [NATIVE_run] = {"bind", "run", "bound_bytes", "workspace_bytes"},
    [NATIVE_train] = {"bind", "step", "evaluate", "state_bytes"},
};

static bool has_symbol(void *handle, arena *a, const char *prefix, const char *suffix) {
  return dlsym(handle, arena_printf(a, "%s_%s", prefix, suffix)) != NULL;
}

/* Returns NAME_info of the model NAME, which is `prefix`; NULL if the library has no such model of
 * this kind. POSIX allows the conversion of a symbol to a function. */
static void *try_name(gnnc_program *program, native_kind kind, const char *prefix) {
  for (int i = 0; i < MOST_FUNCTIONS; i++)
    if (!has_symbol(program->handle, program->memory, prefix, functions[kind][i])) return NULL;
  return dlsym(program->handle, arena_printf(program->memory, "%s_info", prefix));
}

/* Refuses a model of another ABI version, of which only abi_version can be read. `name` is its name
 * as found in the file, or NULL. */
static status refuse_version(int32_t version, const char *name) {
  const char *quote = name ? "'" : "";
  return status_error(STATUS_CODE_version, "%s%s%s%s speaks version %d of the ABI, this program version %d",
                      name ? "model " : "the model", quote, name ? name : "", quote, version, GNNC_ABI_VERSION);
}

/* Searches the strings of the library for NAME_info with the other functions of its kind. Without
 * one *found stays NULL. */
static void search(gnnc_program *program, native_kind kind, const char *data, size_t size, void **found) {
  for (const char *at = data, *end = data + size; at + 6 <= end && !*found; at++) {
    if (memcmp(at, "_info", 6) != 0) continue;
    const char *begin = at;
    while (begin > data && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
    if (begin == at) continue;
    program->prefix = arena_strndup(program->memory, begin, (size_t)(at - begin));
    *found = try_name(program, kind, program->prefix);
  }
}

static status set_model(gnnc_program *program, void *found) {
  const gnnc_model_info *(*function)(void);
  memcpy(&function, &found, sizeof function);
  program->info = function();
  if (program->info->abi_version == GNNC_ABI_VERSION) return STATUS_OK;
  return refuse_version(program->info->abi_version, program->prefix);
}

static status set_train(gnnc_program *program, void *found) {
  const gnnc_train_info *(*function)(void);
  memcpy(&function, &found, sizeof function);
  program->train = function();
  if (program->train->abi_version == GNNC_ABI_VERSION) return STATUS_OK;
  return refuse_version(program->train->abi_version, program->prefix);
}

static status find_model(gnnc_program *program, native_kind kind, const char *library) {
  char *data = NULL;
  size_t size = 0;
  void *found = NULL, *other = NULL;
  RETURN_IF_ERROR(file_read(program->memory, library, &data, &size));
  search(program, kind, data, size, &found);
  if (found) return kind == NATIVE_run ? set_model(program, found) : set_train(program, found);
  search(program, kind == NATIVE_run ? NATIVE_train : NATIVE_run, data, size, &other);
  if (other && kind == NATIVE_run)
    return status_error(STATUS_CODE_format, "a program for training, which gnn-train takes; gnnc without --train makes "
                                            "programs that run");
  if (other)
    return status_error(STATUS_CODE_format, "a program that runs, without training: 'gnnc --target=c --train' makes "
                                            "programs for training");
  return status_error(STATUS_CODE_format, kind == NATIVE_run
                                              ? "no gnnc model in it: no NAME_info beside NAME_bind and NAME_run"
                                              : "no gnnc model in it: no NAME_info beside NAME_bind and NAME_step");
}

void *native_find_symbol(const gnnc_program *program, const char *suffix) {
  if (!program->prefix) return NULL;
  return dlsym(program->handle, arena_printf(program->memory, "%s_%s", program->prefix, suffix));
}

/* ---- kinds of files ---- */

static status load_library(gnnc_program *program, native_kind kind, const char *library) {
  const char *path = strchr(library, '/') ? library : arena_printf(program->memory, "./%s", library);
  program->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!program->handle) return status_error(STATUS_CODE_format, "cannot load it: %s", dlerror());
  return find_model(program, kind, library);
}

static status copy_library(gnnc_program *program, const char *from, const char *to) {
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(program->memory, from, &data, &size));
  return file_write(to, data, size);
}

static status open_source(gnnc_program *program, native_kind kind, const char *path,
                          const gnnc_program_options *options) {
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(program->memory, path, &data, &size));
  if (strncmp(data, "/* gnnc model ", 14) != 0)
    return status_error(STATUS_CODE_format, "not C made by gnnc: it does not begin with '/* gnnc model '");
  const char *library = NULL;
  RETURN_IF_ERROR(compile_make_folder(program->memory, &program->folder));
  RETURN_IF_ERROR(compile_library(program->memory, path, program->folder, options, &library));
  if (options && options->library) RETURN_IF_ERROR(copy_library(program, library, options->library));
  return load_library(program, kind, library);
}

/* Opens generated C and leaves no files behind, whatever ends the process, unless the options keep
 * them: signals are blocked while the folder exists, and a loaded library needs no file. */
static status open_compiled(gnnc_program *program, native_kind kind, const char *path,
                            const gnnc_program_options *options) {
  sigset_t signals, before;
  compile_list_signals(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  status s = open_source(program, kind, path, options);
  if (program->folder && !program->keeps_files) {
    compile_remove_folder(program->folder);
    program->folder = NULL;
  } else if (program->folder) {
    compile_keep_folder(program->folder);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return s;
}

static status open_file(gnnc_program *program, native_kind kind, const char *path,
                        const gnnc_program_options *options) {
  program_kind file;
  RETURN_IF_ERROR(program_kind_of(path, &file));
  switch (file) {
  case PROGRAM_KIND_source: return open_compiled(program, kind, path, options);
  case PROGRAM_KIND_library: return load_library(program, kind, path);
  case PROGRAM_KIND_image:
    return status_error(STATUS_CODE_unsupported,
                        "a program for a simulated machine, which has no functions to call; gnn-run runs it");
  default: return status_error(STATUS_CODE_format, "neither C made by gnnc (.c) nor a shared library of it");
  }
}

static status open_program(const char *path, native_kind kind, const gnnc_program_options *options,
                           gnnc_program **out) {
  *out = NULL;
  gnnc_program *program = calloc(1, sizeof *program);
  if (!program) return status_error(STATUS_CODE_memory, "out of memory");
  program->memory = arena_create();
  program->path = arena_strdup(program->memory, path);
  program->keeps_files = options && options->keeps_files;
  status s = open_file(program, kind, path, options);
  if (s) {
    gnnc_program_close(program);
    return status_context(s, "%s", path);
  }
  *out = program;
  return STATUS_OK;
}

gnnc_status gnnc_program_open(const char *path, const gnnc_program_options *options, gnnc_program **out) {
  return open_program(path, NATIVE_run, options, out);
}

status native_open_train(const char *path, const gnnc_program_options *options, gnnc_program **out) {
  return open_program(path, NATIVE_train, options, out);
}

const char *gnnc_version(void) {
  return GNNC_VERSION;
}

gnnc_status gnnc_program_of_model(const gnnc_model_info *info, gnnc_program **out) {
  *out = NULL;
  if (info->abi_version != GNNC_ABI_VERSION) return refuse_version(info->abi_version, NULL);
  gnnc_program *program = calloc(1, sizeof *program);
  if (!program) return status_error(STATUS_CODE_memory, "out of memory");
  program->memory = arena_create();
  program->path = info->name;
  program->info = info;
  *out = program;
  return STATUS_OK;
}
