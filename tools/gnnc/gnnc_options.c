/* Reads the command line of gnnc: one loop over gnnc_options.def with getopt_long.
 *
 *   gnnc --target=c gcn.gnn --weights w.safetensors -o gcn.c
 * gives {input = "gcn.gnn", weights = "w.safetensors", output = "gcn.c", ...}. */
#include "tools/gnnc/gnnc_options.h"

#include "codegen/device/steps/place.h"
#include "passes/manager/pass_run.h"
#include "support/command_line.h"
#include "support/diag_explain.h"
#include "support/program.h"
#include "tools/gnnc/gnnc_choices.h"
#include "tools/gnnc/gnnc_depfile.h"
#include "tools/gnnc/gnnc_help.h"
#include "tools/gnnc/gnnc_options_target.h"
#include "tools/gnnc/gnnc_remarks.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_id {
#define GROUP(title)
#define OPTION(id, name, letter, argument, help) OPTION_##id,
#include "tools/gnnc/gnnc_options.def"
#undef GROUP
#undef OPTION
  OPTION_count
} option_id;

typedef struct option_row {
  const char *name;
  const char *argument; /* NULL: none; "[=NAME]": one that may be left out */
  int id;
  char letter;
} option_row;

static const option_row rows[] = {
#define GROUP(title)
#define OPTION(id, name, letter, argument, help) {name, argument, OPTION_##id, letter},
#include "tools/gnnc/gnnc_options.def"
#undef GROUP
#undef OPTION
};
enum { ROW_COUNT = sizeof rows / sizeof *rows, LONG_BASE = 256 };

static void usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void usage(const char *format, ...) {
  va_list args;
  va_start(args, format);
  program_usage_v(NULL, format, args);
  va_end(args);
}

/* Finds the value of an option among its words (gnnc_choices.h). */
static bool choose(const char *option, const char *value, int *out) {
  const char *const *choices = gnnc_choices_find(option);
  for (int i = 0; choices[i]; i++)
    if (!strcmp(value, choices[i])) {
      *out = i;
      return true;
    }
  text list = {0};
  for (int i = 0; choices[i]; i++) text_printf(&list, "%s%s", i == 0 ? "" : choices[i + 1] ? ", " : " or ", choices[i]);
  usage("--%s=%s: expected %s", option, value, text_str(&list));
  text_free(&list);
  return false;
}

static bool parse_dim(const char *value, arena *a, gnnc_options *o) {
  const char *equals = strchr(value, '=');
  char *end = NULL;
  errno = 0;
  long long number = equals ? strtoll(equals + 1, &end, 10) : 0;
  if (!equals || equals == value || end == equals + 1 || *end || errno || number < 1 || number > INT32_MAX) {
    usage("--dim %s: expected NAME=N with N from 1 to %d", value, INT32_MAX);
    return false;
  }
  const char *name = arena_strndup(a, value, (size_t)(equals - value));
  for (size_t i = 0; i < o->dims.count; i++)
    if (!strcmp(o->dims.items[i].name, name) && o->dims.items[i].value != number) {
      usage("--dim %s: '%s' was bound to %lld before", value, name, (long long)o->dims.items[i].value);
      return false;
    }
  VEC_PUSH(a, &o->dims, (sema_dim_option){name, number});
  return true;
}

static bool parse_count(const char *option, const char *value, long most, int32_t *out) {
  char *end = NULL;
  long number = strtol(value, &end, 10);
  *out = (int32_t)number;
  if (*value && !*end && number >= 1 && number <= most) return true;
  usage("--%s=%s: expected a number from 1 to %ld", option, value, most);
  return false;
}

static bool parse_feature(const char *value, gnnc_options *o) {
  const char *nearest = NULL;
  if (feature_take(&o->code.features, value, &nearest)) return true;
  bool is_off = !strncmp(value, "no-", 3);
  if (nearest)
    usage("unknown switch -f%s; did you mean -f%s%s", value, is_off ? "no-" : "", nearest);
  else
    usage("unknown switch -f%s", value);
  return false;
}

static bool parse_ranks(const char *value, gnnc_options *o) {
  o->code.has_ranks = true;
  o->code.has_columns = value && !strcmp(value, "columns");
  if (!value || o->code.has_columns || !strcmp(value, "rows")) return true;
  usage("--ranks=%s: expected rows or columns", value);
  return false;
}

static bool parse_remark(const char *value, arena *a, gnnc_options *o) {
  const char *unknown = NULL, *nearest = NULL;
  if (strncmp(value, "pass=", 5) != 0) {
    usage("-R%s: expected -Rpass=NAMES or -Rpass=all", value);
    return false;
  }
  const char *passes = gnnc_remarks_passes(a, value + 5, &unknown, &nearest);
  if (!passes && nearest)
    usage("-Rpass: there is no pass '%s'; did you mean '%s'", unknown, nearest);
  else if (!passes)
    usage("-Rpass: there is no pass '%s'", unknown);
  if (passes) o->remarks = o->remarks ? arena_printf(a, "%s,%s", o->remarks, passes) : passes;
  if (passes && !strcmp(passes, "*")) o->remarks = passes;
  o->code.remarks = pass_names_have(o->remarks, "place");
  return passes;
}

/* Reads the value of --host; a value that no target takes is wrong usage. */
static bool parse_host(const char *value, gnnc_options *o) {
  const char *unknown;
  int length;
  o->code.host = value;
  if (place_check_families(value, &unknown, &length)) return true;
  usage("--host=%s: there are no operations '%.*s', expected %s", value, length, unknown, place_family_names);
  return false;
}

/* Reads --emit: a row of gnnc_emits.def, or dot for one of three levels. */
static bool parse_emit(const char *value, gnnc_options *o) {
  static const char *const names[][2] = {
#define EMIT(id, name, other) {name, other},
#include "tools/gnnc/gnnc_emits.def"
      {"dot", "dot=gnn"}};
  static const gnnc_emit levels_of_dot[] = {GNNC_EMIT_gnn, GNNC_EMIT_inter, GNNC_EMIT_device};
  enum { NAMES = sizeof names / sizeof *names };
  int chosen = 0;
  for (int i = 0; i < NAMES; i++)
    if (names[i][1] && !strcmp(value, names[i][1])) value = names[i][0];
  if (!choose("emit", value, &chosen)) return false;
  o->is_dot = chosen >= NAMES - 1;
  o->emit = o->is_dot ? levels_of_dot[chosen - (NAMES - 1)] : (gnnc_emit)(GNNC_EMIT_ast + chosen);
  return true;
}

/* Reads an option with a value from a short list. */
static bool parse_choice(int id, const char *value, gnnc_options *o) {
  static const feature_when forms[] = {FEATURE_WHEN_default, FEATURE_WHEN_never, FEATURE_WHEN_always};
  int chosen = 0;
  switch (id) {
  case OPTION_emit: return parse_emit(value, o);
  case OPTION_level: return choose("optimize", value, &o->code.opt_level);
  case OPTION_float_type:
    if (!choose("float", value, &chosen)) return false;
    o->is_f64 = chosen == 1;
    return true;
  case OPTION_features:
    if (!choose("features", value, &chosen)) return false;
    o->code.features.given[FEATURE_sparse_features] = forms[chosen];
    return true;
  default:
    if (!choose("verify-each", value, &chosen)) return false;
    o->is_verify_each = chosen == 1;
    return true;
  }
}

/* Reads -MD as C compilers do. */
static bool take_make_depfile(const char *value, gnnc_options *o) {
  if (!o->depfile) o->depfile = "";
  if (!strcmp(value, "D")) return true;
  usage("-M%s: expected -MD or --depfile=FILE", value);
  return false;
}

/* Stores one option of the command line; false after explaining the error. */
static bool take(int id, const char *value, arena *a, diag *d, gnnc_options *o) {
  switch ((option_id)id) {
  case OPTION_graph: o->graph = value; return true;
  case OPTION_weights: o->weights = value; return true;
  case OPTION_model: o->model = value; return true;
  case OPTION_output: o->output = value; return true;
  case OPTION_depfile: o->depfile = value; return true;
  case OPTION_make_depfile: return take_make_depfile(value, o);
  case OPTION_pass_pipeline: o->pass_pipeline = value; return true;
  case OPTION_print_ir_tree: o->print_ir_tree = value; return true;
  case OPTION_reproducer: o->reproducer = value; return true;
  case OPTION_dim: return parse_dim(value, a, o);
  case OPTION_tune: o->tune = value; return true;
  case OPTION_tuning: o->tuning = value; return true;
  case OPTION_progress:
    if (progress_parse_mode(value, &o->progress)) return true;
    usage("--progress=%s: expected auto, always or never", value);
    return false;
  case OPTION_threads: return parse_count("threads", value, 1024, &o->threads);
  case OPTION_repeat: return parse_count("repeat", value, 1000000, &o->repeat);
  case OPTION_device: VEC_PUSH(a, &o->device.files, value); return true;
  case OPTION_device_set: VEC_PUSH(a, &o->device.edits, value); return true;
  case OPTION_memory: VEC_PUSH(a, &o->device.edits, arena_printf(a, "memory=%s", value)); return true;
  case OPTION_host: return parse_host(value, o);
  case OPTION_precision: o->precision = value; return true;
  case OPTION_precision_of: o->precision_of = value; return true;
  case OPTION_no_data: o->code.no_data = true; return true;
  case OPTION_train: o->has_train = o->code.is_training = true; return true;
  case OPTION_emit_grad:
    o->code.is_training = true;
    o->code.backward = value;
    return true;
  case OPTION_ranks: return parse_ranks(value, o);
  case OPTION_stats: o->has_stats = true; return true;
  case OPTION_feature: return parse_feature(value, o);
  case OPTION_remark: return parse_remark(value, a, o);
  case OPTION_include: VEC_PUSH(a, &o->include_dirs, value); return true;
  case OPTION_print_ir_after: VEC_PUSH(a, &o->print_ir_after, value); return true;
  case OPTION_target: o->target = value; return true;
  case OPTION_preset: o->preset = value; return true;
  case OPTION_print_pipeline: o->is_print_pipeline = true; return true;
  case OPTION_print_ir_after_all: o->is_print_ir_after_all = true; return true;
  case OPTION_print_ir_after_change: o->is_print_ir_after_change = true; return true;
  case OPTION_locations: o->has_locations = true; return true;
  case OPTION_timing: o->is_timing = true; return true;
  case OPTION_verbose: o->is_verbose = true; return true;
  case OPTION_color: return command_line_set_colour(NULL, value);
  case OPTION_warning:
    if (diag_set_option(d, value)) return true;
    usage("-W%s: no message has that id", value);
    return false;
  default: return parse_choice(id, value, o);
  }
}

/* Checks --tune, which measures the C target on a graph. Returns the error, or NULL. */
static const char *check_tune(const gnnc_options *o) {
  return !o->graph                      ? "--tune needs the graph to measure on, --graph=FILE"
         : o->tuning                    ? "--tune makes a new tuning, --tuning takes an old one: one of them"
         : o->pass_pipeline             ? "--tune tries pipelines, --pass-pipeline fixes one: one of them"
         : o->emit == GNNC_EMIT_target  ? NULL
         : gnnc_options_make_program(o) ? NULL /* gnnc_options_check_target reports it */
                                        : "--tune measures the C target: no --emit";
}

/* Checks the output of the C target. Returns the error, or NULL. */
static const char *check_output(const gnnc_options *o, arena *a) {
  size_t length = o->output ? strlen(o->output) : 0;
  if (!o->output && !o->tune) return "--target=c needs -o FILE.c";
  if (!o->output || (length >= 3 && !strcmp(o->output + length - 2, ".c"))) return NULL;
  return arena_printf(a, "-o %s: the C target writes FILE.c, FILE.h and FILE.json, so the name must end in .c",
                      o->output);
}

/* Checks --depfile, whose rule needs an output file. Returns the error, or NULL. */
static const char *check_depfile(gnnc_options *o, arena *a) {
  if (!o->depfile) return NULL;
  if (!o->output || !strcmp(o->output, "-")) return "--depfile and -MD need -o FILE, which their rule is about";
  if (gnnc_options_is_for_all(o)) return "--depfile and -MD write the rule of one output, --target=all makes several";
  if (!*o->depfile) o->depfile = arena_printf(a, "%s.d", o->output);
  return gnnc_depfile_check(o, a);
}

/* Makes the checks that need all options; false after explaining the error. */
static bool check(gnnc_options *o, arena *a) {
  if (o->tune && !o->threads) o->threads = 1;
  const char *wrong = gnnc_options_choose_target(o, a);
  if (!wrong && o->is_print_pipeline) wrong = gnnc_options_check_pipeline(o, a);
  if (!wrong && o->is_print_pipeline) return true;
  if (!wrong && !o->input) wrong = "no input file";
  if (!wrong && o->tune) wrong = check_tune(o);
  if (!wrong) wrong = gnnc_options_check_target(o, a);
  if (!wrong && o->emit == GNNC_EMIT_target) wrong = check_output(o, a);
  if (!wrong) wrong = check_depfile(o, a);
  if (wrong) usage("%s", wrong);
  return !wrong;
}

static int argument_of(const option_row *row) {
  return !row->argument                                     ? no_argument
         : *row->argument == '[' && row->argument[1] == '=' ? optional_argument
                                                            : required_argument;
}

static void build_tables(struct option *longs, char *shorts) {
  *shorts++ = ':'; /* getopt does not report a missing argument; we do */
  for (int i = 0, n = 0; i < ROW_COUNT; i++) {
    longs[n++] = (struct option){rows[i].name, argument_of(&rows[i]), NULL, LONG_BASE + rows[i].id};
    if (!rows[i].letter) continue;
    *shorts++ = rows[i].letter;
    if (rows[i].argument) *shorts++ = ':';
  }
}

static int id_of(int code) {
  for (int i = 0; i < ROW_COUNT; i++)
    if (code >= LONG_BASE ? rows[i].id == code - LONG_BASE : rows[i].letter == code && code) return rows[i].id;
  return -1;
}

static void explain_unknown(arena *a, int argc, char **argv, int code) {
  const char *given = optind > 0 && optind <= argc ? argv[optind - 1] : "";
  if (code == ':') {
    usage("%s needs a value", given);
  } else if (optopt >= LONG_BASE) {
    usage("%s takes no value", given);
  } else if (optopt) {
    usage("unknown option -%c", optopt);
  } else {
    const char *names[OPTION_count];
    size_t count = 0;
    for (int i = 0; i < ROW_COUNT; i++) names[count++] = rows[i].name;
    const char *bare = given + strspn(given, "-");
    int length = (int)strcspn(given, "=");
    const char *near = diag_nearest(arena_strndup(a, bare, strcspn(bare, "=")), names, count);
    if (near)
      usage("unknown option %.*s; did you mean --%s", length, given, near);
    else
      usage("unknown or ambiguous option %.*s", length, given);
  }
}

/* Whether an option prints something in place of compiling. */
static bool is_shown(int id) {
  return id == OPTION_help || id == OPTION_version || id == OPTION_explain || id == OPTION_print_errors_md ||
         id == OPTION_print_library || id == OPTION_print_python || id == OPTION_completion;
}

/* Prints what such an option asks for; false after a message. */
static bool show(int id, const char *value, arena *a) {
  switch (id) {
  case OPTION_help: gnnc_help_print(); return true;
  case OPTION_version: gnnc_help_print_version(); return true;
  case OPTION_print_errors_md: diag_explain_all(stdout); return true;
  case OPTION_explain: return diag_explain(value, stdout);
  case OPTION_completion: return gnnc_print_completion(a, value);
  case OPTION_print_python: return gnnc_print_python(a, stdout);
  default: return gnnc_print_library(a, value, stdout);
  }
}

gnnc_options_result gnnc_options_parse(int argc, char **argv, arena *a, diag *d, gnnc_options *out) {
  struct option longs[OPTION_count + 1] = {{0}};
  char shorts[2 * OPTION_count + 2] = {0};
  build_tables(longs, shorts);
  *out = (gnnc_options){.code.opt_level = 2, .is_verify_each = true, .reproducer = "gnnc-reproducer.mlir"};
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    int id = code == '?' || code == ':' ? -1 : id_of(code);
    if (id < 0) {
      explain_unknown(a, argc, argv, code);
      return GNNC_OPTIONS_exit_usage;
    }
    if (is_shown(id)) return show(id, optarg, a) ? GNNC_OPTIONS_exit_success : GNNC_OPTIONS_exit_usage;
    if (!take(id, optarg, a, d, out)) return GNNC_OPTIONS_exit_usage;
  }
  if (optind + 1 < argc) {
    usage("one input file at a time: '%s' and '%s'", argv[optind], argv[optind + 1]);
    return GNNC_OPTIONS_exit_usage;
  }
  if (optind < argc) out->input = argv[optind];
  return check(out, a) ? GNNC_OPTIONS_run : GNNC_OPTIONS_exit_usage;
}
