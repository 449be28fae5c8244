/* gnn-run's command line. */
#include "tools/gnn_run.h"

#include "support/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind { OPTION_text, OPTION_flag, OPTION_count, OPTION_threads, OPTION_number } option_kind;

typedef struct option_row {
  const char *name, *argument, *help;
  option_kind kind;
  size_t field;
} option_row;

#define FIELD(name) offsetof(run_options, name)

static const option_row options_table[] = {
    {"--graph", "FILE", "the graph (safetensors)", OPTION_text, FIELD(graph)},
    {"--weights", "FILE", "the weights (safetensors)", OPTION_text, FIELD(weights)},
    {"-o", "FILE", "where the outputs go (safetensors)", OPTION_text, FIELD(output)},
    {"--threads", "N", "threads to use, 1 to 1024 (default 1)", OPTION_threads, FIELD(threads)},
    {"--repeat", "N", "run N times and print the median time (default 1)", OPTION_count, FIELD(repeat)},
    {"--stats", NULL, "print sizes and times in detail", OPTION_flag, FIELD(has_stats)},
    {"--compare", "FILE", "compare the outputs with the tensors of the same names in FILE", OPTION_text,
     FIELD(compare)},
    {"--tolerance", "T", "largest difference relative to max(1, largest value) (default 1e-4)", OPTION_number,
     FIELD(tolerance)},
    {"--nodes", "FILE", "write and predict only the nodes whose numbers FILE lists", OPTION_text, FIELD(nodes)},
    {"--predictions", NULL, "print the predicted label of each node", OPTION_flag, FIELD(has_predictions)},
    {"--portable", NULL, "compile without -march=native", OPTION_flag, FIELD(is_portable)},
    {"--keep-temps", NULL, "keep the compiled library and name its folder", OPTION_flag, FIELD(keeps_files)},
    {"--save-library", "FILE", "write the compiled library, which gnn-run and dlopen take", OPTION_text,
     FIELD(library)},
    {"--help", NULL, "print this", OPTION_flag, FIELD(wants_help)},
    {"--version", NULL, "print the version", OPTION_flag, FIELD(wants_version)},
};
enum { OPTION_COUNT = sizeof options_table / sizeof options_table[0] };

void run_options_help(void) {
  printf("usage: gnn-run PROGRAM --graph FILE [--weights FILE] [-o FILE] [options]\n\n"
         "Runs a compiled model: C made by 'gnnc --target=c' (compiled with $CC, else cc, and $CFLAGS) or a shared "
         "library of it.\n\n");
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option_row *o = &options_table[i];
    char left[40];
    const char *between = !o->argument ? "" : o->name[1] == '-' ? "=" : " ";
    snprintf(left, sizeof left, "%s%s%s", o->name, between, o->argument ? o->argument : "");
    printf("  %-22s %s\n", left, o->help);
  }
  printf("\nExit status: 0 success, 1 a failure or a difference found by --compare, 2 wrong usage.\n");
}

static bool usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool usage_error(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "gnn-run: error: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
  return false;
}

static bool set_option(const option_row *o, const char *value, run_options *options) {
  void *field = (char *)options + o->field;
  char *end = NULL;
  errno = 0;
  switch (o->kind) {
  case OPTION_flag: *(bool *)field = true; return true;
  case OPTION_text: *(const char **)field = value; return true;
  case OPTION_count:
  case OPTION_threads: {
    long most = o->kind == OPTION_threads ? 1024 : 1000000; /* more threads may not start */
    long n = strtol(value, &end, 10);
    if (end == value || *end || errno || n < 1 || n > most)
      return usage_error("%s takes a whole number from 1 to %ld, not '%s'", o->name, most, value);
    *(long *)field = n;
    return true;
  }
  case OPTION_number: {
    double n = strtod(value, &end);
    if (end == value || *end || errno || !(n >= 0))
      return usage_error("%s takes a number from 0, not '%s'", o->name, value);
    *(double *)field = n;
    return true;
  }
  }
  return false;
}

static bool unknown_option(const char *given, size_t length) {
  const char *names[OPTION_COUNT];
  for (int i = 0; i < OPTION_COUNT; i++) names[i] = options_table[i].name;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)length, given);
  const char *near = diag_nearest(name, names, OPTION_COUNT);
  return near ? usage_error("unknown option '%s', did you mean '%s'", name, near)
              : usage_error("unknown option '%s'", name);
}

/* One option, with its value behind '=' or in the next argument. */
static bool parse_option(int count, char **arguments, int *at, run_options *options) {
  const char *given = arguments[*at];
  size_t length = strcspn(given, "=");
  const option_row *found = NULL;
  for (int i = 0; i < OPTION_COUNT; i++)
    if (strlen(options_table[i].name) == length && !strncmp(options_table[i].name, given, length))
      found = &options_table[i];
  if (!found) return unknown_option(given, length);
  const char *value = given[length] ? given + length + 1 : NULL;
  if (found->kind == OPTION_flag && value) return usage_error("%s takes no value, not '%s'", found->name, value);
  if (found->kind != OPTION_flag && !value) {
    if (*at + 1 >= count) return usage_error("%s needs a value (%s)", found->name, found->argument);
    value = arguments[++*at];
  }
  return set_option(found, value, options);
}

bool run_options_parse(int count, char **arguments, run_options *options) {
  *options = (run_options){.tolerance = 1e-4, .threads = 1, .repeat = 1};
  for (int i = 1; i < count; i++) {
    if (arguments[i][0] == '-' && arguments[i][1]) {
      if (!parse_option(count, arguments, &i, options)) return false;
    } else if (options->program) {
      return usage_error("two programs given, '%s' and '%s'", options->program, arguments[i]);
    } else {
      options->program = arguments[i];
    }
  }
  if (options->wants_help || options->wants_version) return true;
  if (!options->program) return usage_error("no program given (see gnn-run --help)");
  if (!options->graph) return usage_error("no graph given: --graph FILE");
  return true;
}
