/* Reads the command line of gnn-run. */
#include "tools/gnn-run/gnn_run.h"

#include "isa/machine.h"
#include "runtime/score.h"
#include "support/completion.h"
#include "support/diag.h"
#include "support/program.h"
#include "support/progress.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
  OPTION_text,
  OPTION_flag,
  OPTION_count,
  OPTION_threads,
  OPTION_number,
  OPTION_level,
  OPTION_stats,  /* a flag with an optional value, =json */
  OPTION_table,  /* the same */
  OPTION_metric, /* names of metrics */
  OPTION_verify, /* a flag with an optional number, or all */
  OPTION_target, /* c */
  OPTION_color,
  OPTION_edit,
  OPTION_memory, /* an edit of "memory" */
  OPTION_progress
} option_kind;

typedef struct option_row {
  const char *name, *argument, *help;
  option_kind kind;
  int programs; /* bits of RUN_* */
  size_t field;
} option_row;

#define FIELD(name) offsetof(run_options, name)

static const option_row options_table[] = {
    {"--graph", "FILE", "the graph (safetensors)", OPTION_text, RUN_BOTH | RUN_TABLE, FIELD(graph)},
    {"--weights", "FILE", "the weights (safetensors); images: for --compare-with and --verify", OPTION_text,
     RUN_BOTH | RUN_TABLE, FIELD(weights)},
    {"-o", "FILE", "the outputs (safetensors)", OPTION_text, RUN_BOTH, FIELD(output)},
    {"--threads", "N", "threads to use, 1 to 1024 (default 1)", OPTION_threads, RUN_C | RUN_TABLE, FIELD(threads)},
    {"--repeat", "N", "run N times and print the median time (default 1, with --table 5)", OPTION_count,
     RUN_C | RUN_TABLE, FIELD(repeat)},
    {"--stats", "[=json]", "print sizes and times in detail; =json: as JSON, the summary on stderr", OPTION_stats,
     RUN_BOTH, FIELD(has_stats)},
    {"--table", "[=json]", "run several programs and compare what they take; =json: as JSON", OPTION_table,
     RUN_BOTH | RUN_TABLE, FIELD(has_table)},
    {"--compare", "FILE", "compare the outputs with the tensors of the same names in FILE", OPTION_text, RUN_BOTH,
     FIELD(compare)},
    {"--compare-with", "c", "compile the source in the program for C, run it, and compare", OPTION_target, RUN_IMAGE,
     FIELD(compare_with)},
    {"--verify", "[=N]", "compute N nodes (default 64; all) again in double precision and compare", OPTION_verify,
     RUN_BOTH, 0},
    {"--tolerance", "T",
     "largest difference relative to max(1, largest value) (default that of the program's numbers: 1e-4 in fp32)",
     OPTION_number, RUN_BOTH | RUN_TABLE, FIELD(tolerance)},
    {"--nodes", "LIST", "only these nodes: numbers as 0,5,10-12, or a file that lists them", OPTION_text, RUN_BOTH,
     FIELD(nodes)},
    {"--metric", "NAMES", "accuracy, f1, auc, mrr, mae of an output against the labels of the graph", OPTION_metric,
     RUN_BOTH, 0},
    {"--predictions", NULL, "print the predicted label of each node", OPTION_flag, RUN_BOTH, FIELD(has_predictions)},
    {"--trace", "FILE", "write a timeline (Chrome trace JSON); C: of --profile or --cells", OPTION_text, RUN_BOTH,
     FIELD(trace)},
    {"--profile", NULL, "print the time of each kernel and of each line of the model", OPTION_flag, RUN_C,
     FIELD(has_profile)},
    {"--cells", "FILE", "run as ranks, each on the part that some cells of this file make (gnn-data partition)",
     OPTION_text, RUN_C, FIELD(cells)},
    {"--local-ranks", "N", "with --cells: N ranks, threads of this process, instead of those of mpirun", OPTION_threads,
     RUN_C, FIELD(local_ranks)},
    {"--mode", "MODE",
     "with --cells: what a rank has: rows of its nodes and of ghosts, columns of all nodes, or auto (default): the one "
     "that "
     "sends fewer bytes",
     OPTION_text, RUN_C, FIELD(mode)},
    {"--from-disk", "DIR",
     "with --cells: one part after another, all others in a file in DIR, for graphs larger than memory", OPTION_text,
     RUN_C, FIELD(from_disk)},
    {"--exchange-delay", "US",
     "with --cells: rows of other ranks come so many microseconds later, as in a slower network", OPTION_count, RUN_C,
     FIELD(exchange_delay)},
    {"--portable", NULL, "compile without -march=native", OPTION_flag, RUN_C | RUN_TABLE, FIELD(is_portable)},
    {"--keep-temps", NULL, "keep the compiled library and name its folder", OPTION_flag, RUN_C, FIELD(keeps_files)},
    {"--save-library", "FILE", "write the compiled library, which gnn-run and dlopen take", OPTION_text, RUN_C,
     FIELD(library)},
    {"--timing-only", NULL, "simulate time alone: no inputs, no outputs", OPTION_flag, RUN_IMAGE | RUN_TABLE,
     FIELD(is_timing_only)},
    {"--level", "L", "fidelity of times: 0 as in the paper, 1 with conflicts (default), 2 cycle by cycle (slow)",
     OPTION_level, RUN_IMAGE | RUN_TABLE, FIELD(level)},
    {"--device", "FILE", "the device (JSON) instead of the program's", OPTION_text, RUN_IMAGE, FIELD(device)},
    {"--device-set", "K=V", "change one parameter of the device; may be repeated", OPTION_edit, RUN_IMAGE | RUN_TABLE,
     0},
    {"--memory", "M", "shared:GB_PER_S, or another model of the machine", OPTION_memory, RUN_IMAGE | RUN_TABLE, 0},
    {"--color", "WHEN", "messages in colour: auto (on a terminal, unless NO_COLOR is set), always or never",
     OPTION_color, RUN_BOTH | RUN_TABLE, 0},
    {"--progress", "WHEN", "show how far it is on standard error: auto (default), always or never", OPTION_progress,
     RUN_BOTH | RUN_TABLE, FIELD(progress)},
    {"--completion", "SHELL", "print the script that completes options in this shell: bash", OPTION_text,
     RUN_BOTH | RUN_TABLE, FIELD(completion)},
    {"--help", NULL, "print this", OPTION_flag, RUN_BOTH | RUN_TABLE, FIELD(wants_help)},
    {"--version", NULL, "print the version", OPTION_flag, RUN_BOTH | RUN_TABLE, FIELD(wants_version)},
};
enum { OPTION_COUNT = sizeof options_table / sizeof options_table[0] };

static bool has_optional_value(const option_row *o) {
  return o->kind == OPTION_stats || o->kind == OPTION_table || o->kind == OPTION_verify;
}

static void print_options(int programs) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option_row *o = &options_table[i];
    char left[40];
    if ((o->programs & RUN_BOTH) != programs) continue;
    const char *between = !o->argument || has_optional_value(o) ? "" : o->name[1] == '-' ? "=" : " ";
    snprintf(left, sizeof left, "%s%s%s", o->name, between, o->argument ? o->argument : "");
    printf("  %-22s %s\n", left, o->help);
  }
}

void run_options_help(void) {
  printf("usage: gnn-run PROGRAM --graph FILE [--weights FILE] [-o FILE] [options]\n"
         "       gnn-run --table PROGRAM PROGRAM ... --graph FILE [--weights FILE] [options]\n\n"
         "Runs a compiled model: C made by 'gnnc --target=c' (compiled with $CC, else cc, and $CFLAGS), a shared "
         "library of it, or an image of a machine, which is simulated.\n\n");
  print_options(RUN_BOTH);
  printf("\nPrograms in C:\n");
  print_options(RUN_C);
  printf("\nImages of machines:\n");
  print_options(RUN_IMAGE);
  printf("\nExit status: 0 success, 1 a failure, or a difference that --compare, --compare-with, "
         "--verify or --table found, 2 wrong usage.\n");
}

bool run_options_complete(const char *shell) {
  static const char *const values[] = {[OPTION_stats] = "json",
                                       [OPTION_table] = "json",
                                       [OPTION_level] = "0 1 2",
                                       [OPTION_target] = "c",
                                       [OPTION_progress] = NULL};
  arena *a = arena_create();
  completion_rows rows = {0};
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option_row *o = &options_table[i];
    if (strncmp(o->name, "--", 2) != 0) continue; /* -o: files */
    int has_arg = !o->argument ? no_argument : has_optional_value(o) ? optional_argument : required_argument;
    VEC_PUSH(a, &rows, (completion_row){NULL, o->name + 2, has_arg, values[o->kind]});
  }
  bool is_good = completion_print("gnn-run", shell, &rows, "-o");
  arena_destroy(a);
  return is_good;
}

static bool usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool usage_error(const char *format, ...) {
  va_list args;
  va_start(args, format);
  program_begin_message(NULL, TERMINAL_error);
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
  return false;
}

static bool add_edit(const char *edit, run_options *options) {
  if (options->num_edits == RUN_MOST_EDITS) return usage_error("more than %d changes of the device", RUN_MOST_EDITS);
  options->edits[options->num_edits++] = edit;
  return true;
}

/* Adds --memory=X as --device-set=memory=X. The text is part of the command line, or is allocated
 * for the life of the program. */
static bool add_memory(const char *value, run_options *options) {
  static char made[RUN_MOST_EDITS][64];
  char *edit = made[options->num_edits % RUN_MOST_EDITS];
  if (snprintf(edit, sizeof made[0], "memory=%s", value) >= (int)sizeof made[0])
    return usage_error("--memory takes paper or shared:GB_PER_S, not '%s'", value);
  return add_edit(edit, options);
}

static bool set_metrics(const char *value, run_options *options) {
  const char *const *names = score_metric_names();
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    int found = -1;
    for (int i = 0; i < SCORE_METRIC_count; i++)
      if (strlen(names[i]) == length && !strncmp(names[i], at, length)) found = i;
    if (found < 0) {
      char name[32];
      snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
      const char *near = diag_nearest(name, names, SCORE_METRIC_count);
      return near ? usage_error("--metric: unknown metric '%s', did you mean '%s'", name, near)
                  : usage_error("--metric: unknown metric '%s'; there are accuracy, f1, auc, mrr, mae", name);
    }
    options->metrics |= 1u << found;
    at += length;
    if (!*at) return true;
  }
}

static bool set_verify(const char *value, run_options *options) {
  char *end = NULL;
  options->has_verify = true;
  options->verified = RUN_VERIFIED;
  if (!value) return true;
  options->verified = INT64_MAX;
  if (!strcmp(value, "all")) return true;
  errno = 0;
  options->verified = strtoll(value, &end, 10);
  if (end != value && !*end && !errno && options->verified > 0) return true;
  return usage_error("--verify takes a number of nodes or all, not '%s'; --nodes chooses nodes", value);
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
    long most = o->kind == OPTION_threads ? 1024 : 1000000; /* a host may refuse more threads */
    long n = strtol(value, &end, 10);
    if (end == value || *end || errno || n < 1 || n > most)
      return usage_error("%s takes a whole number from 1 to %ld, not '%s'", o->name, most, value);
    *(long *)field = n;
    return true;
  }
  case OPTION_level:
    if (strlen(value) != 1 || *value < '0' || *value > '2')
      return usage_error("--level takes 0, 1 or 2, not '%s'", value);
    *(long *)field = *value - '0';
    return true;
  case OPTION_target:
    if (strcmp(value, "c") != 0) return usage_error("%s takes c, not '%s'", o->name, value);
    *(const char **)field = value;
    return true;
  case OPTION_metric: return set_metrics(value, options);
  case OPTION_verify: return set_verify(value, options);
  case OPTION_stats:
    if (value && strcmp(value, "json") != 0) return usage_error("--stats takes =json or nothing, not '%s'", value);
    *(bool *)field = true;
    options->has_json = value != NULL;
    return true;
  case OPTION_table:
    if (value && strcmp(value, "json") != 0) return usage_error("--table takes =json or nothing, not '%s'", value);
    *(bool *)field = true;
    options->has_table_json = value != NULL;
    return true;
  case OPTION_color:
    return terminal_set_colour(value) || usage_error("--color takes auto, always or never, not '%s'", value);
  case OPTION_progress:
    if (progress_parse_mode(value, field)) return true;
    return usage_error("--progress takes auto, always or never, not '%s'", value);
  case OPTION_edit: return add_edit(value, options);
  case OPTION_memory: return add_memory(value, options);
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

/* Reads one option, with its value after '=' or in the next argument. */
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
  if (found->kind != OPTION_flag && !has_optional_value(found) && !value) {
    if (*at + 1 >= count) return usage_error("%s needs a value (%s)", found->name, found->argument);
    value = arguments[++*at];
  }
  options->given |= UINT64_C(1) << (found - options_table);
  return set_option(found, value, options);
}

bool run_options_parse(int count, char **arguments, run_options *options) {
  *options = (run_options){.tolerance = -1, .threads = 1, .level = 1, .report = stdout};
  bool has_ended = false;
  for (int i = 1; i < count; i++) {
    if (!has_ended && !strcmp(arguments[i], "--")) {
      has_ended = true;
    } else if (!has_ended && arguments[i][0] == '-' && arguments[i][1]) {
      if (!parse_option(count, arguments, &i, options)) return false;
    } else if (options->num_programs == RUN_MOST_PROGRAMS) {
      return usage_error("more than %d programs", RUN_MOST_PROGRAMS);
    } else {
      options->programs[options->num_programs++] = arguments[i];
    }
  }
  if (options->wants_help || options->wants_version || options->completion) return true;
  options->program = options->programs[0];
  if (!options->program) return usage_error("no program given (see gnn-run --help)");
  if (options->num_programs > 1 && !options->has_table)
    return usage_error("two programs given, '%s' and '%s'; --table compares several", options->program,
                       options->programs[1]);
  if (options->has_json) options->report = stderr;
  return true;
}

bool run_options_check_table(run_options *options) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (options->given >> i & 1 && !(options_table[i].programs & RUN_TABLE))
      return usage_error("%s is for one program: not with --table", options_table[i].name);
  if (!options->repeat) options->repeat = RUN_TABLE_REPEATS;
  if (!options->graph && !options->is_timing_only) return usage_error("no graph given: --graph FILE");
  return true;
}

bool run_options_check(run_options *options, bool is_image) {
  int kind = is_image ? RUN_IMAGE : RUN_C;
  for (int i = 0; i < OPTION_COUNT; i++)
    if (options->given >> i & 1 && !(options_table[i].programs & kind))
      return usage_error("%s is for %s, '%s' is %s", options_table[i].name, is_image ? "programs in C" : "images",
                         options->program, is_image ? "an image of a machine" : "a program in C");
  if (options->trace && !is_image && !options->has_profile && !options->cells)
    return usage_error("--trace of a program in C needs --profile, or --cells");
  const char *whole = options->nodes ? "--nodes" : options->has_profile ? "--profile" : NULL;
  if (options->cells && whole) return usage_error("%s is of one process: not with --cells", whole);
  if (options->from_disk && !options->cells) return usage_error("--from-disk needs --cells");
  if (options->exchange_delay && (!options->cells || options->from_disk))
    return usage_error("--exchange-delay needs --cells%s", options->from_disk ? " without --from-disk" : "");
  if (options->mode && !options->cells) return usage_error("--mode needs --cells");
  if (options->mode && strcmp(options->mode, "auto") != 0 && strcmp(options->mode, "rows") != 0 &&
      strcmp(options->mode, "columns") != 0)
    return usage_error("--mode=%s: expected auto, rows or columns", options->mode);
  if (options->local_ranks && !options->cells) return usage_error("--local-ranks needs --cells");
  bool wants_outputs = options->output || options->compare || options->compare_with || options->nodes ||
                       options->has_predictions || options->has_verify || options->metrics;
  if (options->is_timing_only && wants_outputs)
    return usage_error("--timing-only gives no outputs to write, compare or predict from");
  bool needs_graph = !is_image || options->compare_with || options->nodes || options->has_predictions ||
                     options->has_verify || options->metrics;
  if (needs_graph && !options->graph) return usage_error("no graph given: --graph FILE");
  if (!options->repeat) options->repeat = RUN_REPEATS;
  return true;
}
