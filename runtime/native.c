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

typedef const gnnc_model_info *(*info_function)(void);

static bool has_symbol(void *handle, arena *a, const char *prefix, const char *suffix) {
  return dlsym(handle, arena_printf(a, "%s_%s", prefix, suffix)) != NULL;
}

/* Returns NAME_info of the model NAME, the text from `begin` to `end`; NULL if the library has no
 * such model. */
static info_function try_name(gnnc_program *program, const char *begin, const char *end) {
  const char *prefix = arena_strndup(program->memory, begin, (size_t)(end - begin));
  void *handle = program->handle;
  arena *a = program->memory;
  if (!has_symbol(handle, a, prefix, "bind") || !has_symbol(handle, a, prefix, "run") ||
      !has_symbol(handle, a, prefix, "bound_bytes") || !has_symbol(handle, a, prefix, "workspace_bytes"))
    return NULL;
  void *found = dlsym(handle, arena_printf(a, "%s_info", prefix));
  info_function function;
  memcpy(&function, &found, sizeof function); /* POSIX allows the conversion of a symbol to a function */
  return found ? function : NULL;
}

/* Refuses a model of another ABI version, of which only abi_version can be read. `name` is its name
 * as found in the file, or NULL. */
static status refuse_version(const gnnc_model_info *info, const char *name) {
  const char *quote = name ? "'" : "";
  return status_error(STATUS_CODE_version, "%s%s%s%s speaks version %d of the ABI, this program version %d",
                      name ? "model " : "the model", quote, name ? name : "", quote, info->abi_version,
                      GNNC_ABI_VERSION);
}

/* Searches the strings of the library for NAME_info with the other functions of NAME. */
static status find_model(gnnc_program *program, const char *library) {
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(program->memory, library, &data, &size));
  for (const char *at = data, *end = data + size; at + 6 <= end; at++) {
    if (memcmp(at, "_info", 6) != 0) continue;
    const char *begin = at;
    while (begin > data && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
    info_function function = begin < at ? try_name(program, begin, at) : NULL;
    if (!function) continue;
    program->prefix = arena_strndup(program->memory, begin, (size_t)(at - begin));
    program->info = function();
    if (program->info->abi_version == GNNC_ABI_VERSION) return STATUS_OK;
    return refuse_version(program->info, program->prefix);
  }
  return status_error(STATUS_CODE_format, "no gnnc model in it: no NAME_info beside NAME_bind and NAME_run");
}

void *native_find_symbol(const gnnc_program *program, const char *suffix) {
  if (!program->prefix) return NULL;
  return dlsym(program->handle, arena_printf(program->memory, "%s_%s", program->prefix, suffix));
}

/* ---- kinds of files ---- */

static status load_library(gnnc_program *program, const char *library) {
  const char *path = strchr(library, '/') ? library : arena_printf(program->memory, "./%s", library);
  program->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!program->handle) return status_error(STATUS_CODE_format, "cannot load it: %s", dlerror());
  return find_model(program, library);
}

static status copy_library(gnnc_program *program, const char *from, const char *to) {
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(program->memory, from, &data, &size));
  return file_write(to, data, size);
}

static status open_source(gnnc_program *program, const char *path, const gnnc_program_options *options) {
  char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(file_read(program->memory, path, &data, &size));
  if (strncmp(data, "/* gnnc model ", 14) != 0)
    return status_error(STATUS_CODE_format, "not C made by gnnc: it does not begin with '/* gnnc model '");
  const char *library = NULL;
  RETURN_IF_ERROR(compile_make_folder(program->memory, &program->folder));
  RETURN_IF_ERROR(compile_library(program->memory, path, program->folder, options, &library));
  if (options && options->library) RETURN_IF_ERROR(copy_library(program, library, options->library));
  return load_library(program, library);
}

/* Opens generated C and leaves no files behind, whatever ends the process, unless the options keep
 * them: signals are blocked while the folder exists, and a loaded library needs no file. */
static status open_compiled(gnnc_program *program, const char *path, const gnnc_program_options *options) {
  sigset_t signals, before;
  compile_list_signals(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  status s = open_source(program, path, options);
  if (program->folder && !program->keeps_files) {
    compile_remove_folder(program->folder);
    program->folder = NULL;
  } else if (program->folder) {
    compile_keep_folder(program->folder);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return s;
}

static status open_file(gnnc_program *program, const char *path, const gnnc_program_options *options) {
  program_kind kind;
  RETURN_IF_ERROR(program_kind_of(path, &kind));
  switch (kind) {
  case PROGRAM_KIND_source: return open_compiled(program, path, options);
  case PROGRAM_KIND_library: return load_library(program, path);
  case PROGRAM_KIND_image:
    return status_error(STATUS_CODE_unsupported,
                        "a program for a simulated machine, which has no functions to call; gnn-run runs it");
  default: return status_error(STATUS_CODE_format, "neither C made by gnnc (.c) nor a shared library of it");
  }
}

gnnc_status gnnc_program_open(const char *path, const gnnc_program_options *options, gnnc_program **out) {
  *out = NULL;
  gnnc_program *program = calloc(1, sizeof *program);
  if (!program) return status_error(STATUS_CODE_memory, "out of memory");
  program->memory = arena_create();
  program->path = arena_strdup(program->memory, path);
  program->keeps_files = options && options->keeps_files;
  status s = open_file(program, path, options);
  if (s) {
    gnnc_program_close(program);
    return status_context(s, "%s", path);
  }
  *out = program;
  return STATUS_OK;
}

const char *gnnc_version(void) {
  return GNNC_VERSION;
}

gnnc_status gnnc_program_of_model(const gnnc_model_info *info, gnnc_program **out) {
  *out = NULL;
  if (info->abi_version != GNNC_ABI_VERSION) return refuse_version(info, NULL);
  gnnc_program *program = calloc(1, sizeof *program);
  if (!program) return status_error(STATUS_CODE_memory, "out of memory");
  program->memory = arena_create();
  program->path = info->name;
  program->info = info;
  *out = program;
  return STATUS_OK;
}
