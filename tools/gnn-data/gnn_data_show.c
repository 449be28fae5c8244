/* gnn-data show: prints the contents of a file, or the values of one tensor. */
#include "data/formats/text_tensors.h"
#include "support/diag.h"
#include "support/progress.h"
#include "tools/gnn-data/gnn_data.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_tensor, OPTION_rows, OPTION_from };

static const gnn_data_option options[] = {
    [OPTION_tensor] = {"tensor", 't', "NAME", "print the values of this tensor, one row per line"},
    [OPTION_rows] = {"rows", 'n', "N", "print at most that many rows"},
    [OPTION_from] = {"from", 0, "FORMAT", LOAD_FORMAT_NAMES " (default: by the name)"},
    {0}};

enum { SHOWN_METADATA = 72 };

/* Replaces control characters in names and metadata of the file, so that a terminal does not
 * execute them. */
static const char *printable(arena *a, const char *s) {
  text t = {0};
  text_append_printable(&t, s);
  return text_keep(&t, a);
}

static void print_list(const tensor_set *set) {
  int width = 8;
  for (size_t i = 0; i < set->count; i++) {
    int length = (int)snprintf(NULL, 0, "%s", set->tensors[i].name);
    width = length > width && length <= 60 ? length : width;
  }
  for (size_t i = 0; i < set->count; i++) {
    const tensor *t = &set->tensors[i];
    printf("%-*s  %-5s %-16s %12zu bytes\n", width, printable(set->memory, t->name), dtype_name(t->dtype),
           tensor_shape_text(set->memory, t), t->bytes);
  }
  if (set->metadata_count) printf("\n");
  for (size_t i = 0; i < set->metadata_count; i++) {
    const char *key = printable(set->memory, set->metadata[i].key);
    const char *value = printable(set->memory, set->metadata[i].value);
    bool is_long = strlen(value) > SHOWN_METADATA;
    printf("%s = %.*s%s\n", key, SHOWN_METADATA, value, is_long ? "..." : "");
  }
}

/* Prints rows along the last dimension, piece by piece, so that a large tensor does not fill the
 * memory. */
static void print_values(const tensor *t, int64_t rows) {
  int64_t width = t->rank > 1 && t->dims[t->rank - 1] ? t->dims[t->rank - 1] : 1;
  text line = {0};
  for (int64_t i = 0; i < t->count && i / width < rows; i++) {
    text_tensors_print_element(t, i, &line);
    text_append(&line, (i + 1) % width ? " " : "\n");
    if (line.size < 1 << 16 && i + 1 < t->count) continue;
    fwrite(line.data, 1, line.size, stdout);
    line.size = 0;
  }
  fwrite(text_str(&line), 1, line.size, stdout);
  text_free(&line);
}

static status show(const tensor_set *set, const char *name, int64_t rows) {
  if (!name) {
    print_list(set);
    return STATUS_OK;
  }
  const tensor *t = tensor_set_find(set, name);
  if (t) {
    print_values(t, rows);
    return STATUS_OK;
  }
  const char **names = arena_alloc_array(set->memory, set->count, sizeof *names);
  for (size_t i = 0; i < set->count; i++) names[i] = set->tensors[i].name;
  const char *nearest = diag_nearest(name, names, set->count);
  return status_error(STATUS_CODE_mismatch, "%s: has no tensor '%s'%s%s%s", set->name, name,
                      nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static int run(const gnn_data_command *c, int argc, char **argv) {
  const char *name = NULL;
  int64_t rows = INT64_MAX;
  load_format from = LOAD_FORMAT_unknown;
  int option, exit_code = GNN_DATA_EXIT_usage;
  while ((option = gnn_data_next_option(c, argc, argv, &exit_code)) >= 0) {
    if (option == OPTION_tensor)
      name = optarg;
    else if (option == OPTION_rows && !gnn_data_read_count(c, "rows", optarg, &rows))
      return GNN_DATA_EXIT_usage;
    else if (option == OPTION_from && (from = load_parse_format(optarg)) == LOAD_FORMAT_unknown)
      return gnn_data_usage(c, "--from is '%s', which is no format", optarg);
  }
  if (option == GNN_DATA_OPTIONS_exit) return exit_code;
  if (argc - optind != 1) return gnn_data_usage(c, "expected one file, found %d", argc - optind);
  if (from == LOAD_FORMAT_unknown && load_guess_format(argv[optind]) == LOAD_FORMAT_unknown)
    return gnn_data_usage(c, "the name of '%s' does not tell its format, --from=FORMAT does", argv[optind]);
  arena *memory = arena_create();
  tensor_set *set = NULL;
  status s = load_tensors(memory, argv[optind], from, &(import_options){0}, &set);
  progress_step("", NULL, 0);
  if (!s) s = show(set, name, rows);
  tensor_set_destroy(set);
  arena_destroy(memory);
  return s ? gnn_data_fail(s) : GNN_DATA_EXIT_done;
}

const gnn_data_command gnn_data_show = {
    .name = "show",
    .synopsis = "[OPTION...] FILE",
    .summary = "Lists the tensors and metadata of a file, or prints the values of one tensor.",
    .options = options,
    .run = run,
};
