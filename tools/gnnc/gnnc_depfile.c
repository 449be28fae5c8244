/* Writes a rule of make with the files from which an output was made:
 *
 *   gcn.c: models/gcn.gnn models/blocks.gnn karate.safetensors
 *
 * The rule does not name the layers of the library, which are embedded in the compiler. */
#include "tools/gnnc/gnnc_depfile.h"

#include "support/file.h"

#include <string.h>
#include <sys/stat.h>

/* ---- files that the rule must not replace ---- */

/* Whether both paths, whose files need not exist, have the same folder and the same name. */
static bool is_same_place(arena *a, const char *left, const char *right) {
  const char *paths[] = {left, right}, *bases[2];
  struct stat folders[2];
  for (int i = 0; i < 2; i++) {
    const char *slash = strrchr(paths[i], '/');
    bases[i] = slash ? slash + 1 : paths[i];
    const char *folder = slash ? arena_printf(a, "%.*s/", (int)(slash - paths[i]), paths[i]) : ".";
    if (stat(folder, &folders[i])) return false;
  }
  return !strcmp(bases[0], bases[1]) && folders[0].st_dev == folders[1].st_dev &&
         folders[0].st_ino == folders[1].st_ino;
}

/* Whether both paths name the same regular file, so that writing one replaces the other. */
static bool is_same_file(arena *a, const char *left, const char *right) {
  struct stat infos[2];
  bool has_left = stat(left, &infos[0]) == 0, has_right = stat(right, &infos[1]) == 0;
  if (has_left != has_right) return false;
  if (!has_left) return is_same_place(a, left, right);
  return S_ISREG(infos[0].st_mode) && infos[0].st_dev == infos[1].st_dev && infos[0].st_ino == infos[1].st_ino;
}

static const char *check_file(const gnnc_options *o, arena *a, const char *what, const char *name) {
  if (!name || !strcmp(name, "-") || !is_same_file(a, o->depfile, name)) return NULL;
  return arena_printf(a, "--depfile or -MD: the rule would replace %s, '%s'", what, name);
}

const char *gnnc_depfile_check(const gnnc_options *o, arena *a) {
  bool is_c = o->emit == GNNC_EMIT_target;
  int stem = (int)strlen(o->output) - 2;
  const struct {
    const char *what, *name;
  } files[] = {
      {"the output", o->output},
      {"the header", is_c ? arena_printf(a, "%.*s.h", stem, o->output) : NULL},
      {"the manifest", is_c ? arena_printf(a, "%.*s.json", stem, o->output) : NULL},
      {"the model", o->input},
      {"the graph", o->graph},
      {"the weights", o->weights},
      {"the tuning", o->tuning},
      {"the tuning", o->tune},
  };
  const char *wrong = NULL;
  for (size_t i = 0; i < sizeof files / sizeof *files && !wrong; i++)
    wrong = check_file(o, a, files[i].what, files[i].name);
  for (size_t i = 0; i < o->device.files.count && !wrong; i++)
    wrong = check_file(o, a, "the device", o->device.files.items[i]);
  return wrong;
}

/* ---- the rule ---- */

/* Appends a name in the syntax of make. A backslash is literal unless a character that it can
 * escape follows, so the backslashes at the end of a name are doubled. `special` holds the escaped
 * characters: the colon for the target alone, because CMake accepts no other escaped colons. */
static void append_name(const char *name, const char *special, text *out) {
  for (size_t slashes = 0;; name++) {
    bool is_escaped = *name && strchr(special, *name);
    for (; slashes && (is_escaped || !*name); slashes--) text_append(out, "\\");
    if (!*name) break;
    slashes = *name == '\\' ? slashes + 1 : 0;
    if (is_escaped) text_append(out, "\\");
    if (*name == '$') text_append(out, "$");
    text_append_bytes(out, name, 1);
  }
}

static status append_file(gnnc_driver *r, const char *name, bool is_import, text *out) {
  if (!name || !strcmp(name, "-")) return STATUS_OK;
  if (strchr(name, '\n'))
    return status_error(STATUS_CODE_unsupported, "--depfile or -MD: no rule of make can hold a name with a line break");
  const char *wrong = is_import ? check_file(&r->options, r->arena, "an import", name) : NULL;
  if (wrong) return status_error(STATUS_CODE_mismatch, "%s", wrong);
  if (out->size) text_append(out, " \\\n  ");
  bool is_target = name == r->options.output;
  append_name(name, is_target ? " \t#:" : " \t#", out);
  if (is_target) text_append(out, ":");
  return STATUS_OK;
}

static bool is_of_library(const ast_file *file) {
  return file->layers.count && file->layers.items[0]->is_library;
}

static status append_files(gnnc_driver *r, text *out) {
  const gnnc_options *o = &r->options;
  RETURN_IF_ERROR(append_file(r, o->output, false, out));
  RETURN_IF_ERROR(append_file(r, o->input, false, out));
  for (size_t i = 1; i < r->program.files.count; i++)
    if (!is_of_library(r->program.files.items[i]))
      RETURN_IF_ERROR(append_file(r, r->program.files.items[i]->source->name, true, out));
  const char *const files[] = {o->graph, o->weights, o->tuning};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) RETURN_IF_ERROR(append_file(r, files[i], false, out));
  for (size_t i = 0; i < o->device.files.count; i++)
    RETURN_IF_ERROR(append_file(r, o->device.files.items[i], false, out));
  text_append(out, "\n");
  return STATUS_OK;
}

bool gnnc_depfile_write(gnnc_driver *r) {
  if (!r->options.depfile) return true;
  text out = {0};
  status s = append_files(r, &out);
  if (!s) s = file_write(r->options.depfile, text_str(&out), out.size);
  text_free(&out);
  return !gnnc_driver_failed(s);
}
