/* Reads the command line of gnnc: one loop over gnnc_options.def with getopt_long.
 *
 *   gnnc --target=c gcn.gnn --weights w.safetensors -o gcn.c
 * gives {input = "gcn.gnn", weights = "w.safetensors", output = "gcn.c", ...}. */
#include "tools/gnnc/gnnc_options.h"

#include "tools/gnnc/gnnc_options_target.h"

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
  const char *group; /* a title row when not NULL */
  const char *name;
  const char *argument;
  const char *help;
  int id;
  char letter;
} option_row;

static const option_row rows[] = {
#define GROUP(title) {title, NULL, NULL, NULL, -1, 0},
#define OPTION(id, name, letter, argument, help) {NULL, name, argument, help, OPTION_##id, letter},
#include "tools/gnnc/gnnc_options.def"
#undef GROUP
#undef OPTION
};
enum { ROW_COUNT = sizeof rows / sizeof *rows, LONG_BASE = 256, HELP_COLUMN = 30, HELP_WIDTH = 100 };

/* One option's explanation, broken at blanks into the right-hand column. */
static void print_wrapped(const char *help, int column) {
  while (*help) {
    size_t room = HELP_WIDTH - HELP_COLUMN;
    size_t size = strlen(help);
    if (size > room) {
      size = room;
      while (size > 1 && help[size] != ' ') size--;
    }
    printf("%*s%.*s\n", HELP_COLUMN - column, "", (int)size, help);
    help += size;
    while (*help == ' ') help++;
    column = 0;
  }
}

static void print_features(void) {
  arena *a = arena_create();
  printf("\nSwitches\n");
  for (int i = 0; i < GNNC_FEATURE_count; i++) {
    int used = printf("  -f[no-]%s", gnnc_feature_get((gnnc_feature)i)->name);
    print_wrapped(gnnc_features_help(a, (gnnc_feature)i), used);
  }
  arena_destroy(a);
}

static void print_help(void) {
  printf("usage: gnnc [OPTION...] MODEL.gnn\n\n"
         "Compiles a graph neural network to a program for the GraphAGILE overlay, or to portable C.\n\n"
         "  gnnc gcn.gnn --graph cora.safetensors --weights gcn.safetensors -o gcn.bin\n"
         "  gnnc --target=c gcn.gnn --graph cora.safetensors --weights gcn.safetensors -o gcn.c\n"
         "  gnnc --emit=gnn gcn.gnn --weights gcn.safetensors\n");
  for (int i = 0; i < ROW_COUNT; i++) {
    if (rows[i].group) {
      printf("\n%s\n", rows[i].group);
      continue;
    }
    char left[64];
    char letter[8] = "    ";
    if (rows[i].letter) snprintf(letter, sizeof letter, "-%c, ", rows[i].letter);
    int used = snprintf(left, sizeof left, "  %s--%s%s%s", letter, rows[i].name, rows[i].argument ? "=" : "",
                        rows[i].argument ? rows[i].argument : "");
    fputs(left, stdout);
    if (used >= HELP_COLUMN) {
      putchar('\n');
      used = 0;
    }
    print_wrapped(rows[i].help, used);
  }
  print_features();
  printf("\nExit status: 0 done, 1 the model, a file or the machine is at fault, 2 wrong usage.\n");
}

static void usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void usage(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("gnnc: error: ", stderr);
  vfprintf(stderr, format, args);
  fputs("; see gnnc --help\n", stderr);
  va_end(args);
}

static bool choose(const char *option, const char *value, const char *const *choices, size_t count, int *out) {
  for (size_t i = 0; i < count; i++)
    if (!strcmp(value, choices[i])) {
      *out = (int)i;
      return true;
    }
  text list = {0};
  for (size_t i = 0; i < count; i++)
    text_printf(&list, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", choices[i]);
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
  if (gnnc_features_take(&o->features, value, &nearest)) return true;
  bool is_off = !strncmp(value, "no-", 3);
  if (nearest)
    usage("unknown switch -f%s; did you mean -f%s%s", value, is_off ? "no-" : "", nearest);
  else
    usage("unknown switch -f%s", value);
  return false;
}

static bool parse_remark(const char *value, arena *a, gnnc_options *o) {
  const char *unknown = NULL, *nearest = NULL;
  if (strncmp(value, "pass=", 5) != 0) {
    usage("-R%s: expected -Rpass=NAMES or -Rpass=all", value);
    return false;
  }
  const char *passes = gnnc_features_passes(a, value + 5, &unknown, &nearest);
  if (!passes && nearest)
    usage("-Rpass: there is no pass '%s'; did you mean '%s'", unknown, nearest);
  else if (!passes)
    usage("-Rpass: there is no pass '%s'", unknown);
  if (passes) o->remarks = o->remarks ? arena_printf(a, "%s,%s", o->remarks, passes) : passes;
  if (passes && !strcmp(passes, "*")) o->remarks = passes;
  return passes;
}

/* Options with a value from a short list. */
static bool parse_choice(int id, const char *value, gnnc_options *o) {
  static const char *const emits[] = {"ast",    "ast=json",    "gnn",    "inter", "intra", "c",
                                      "counts", "counts=json", "device", "asm",   "obj"};
  static const char *const targets[] = {"graphagile", "c"};
  static const char *const presets[] = {"paper"};
  static const char *const levels[] = {"0", "1", "2", "3"};
  static const char *const floats[] = {"f32", "f64"};
  static const char *const forms[] = {"auto", "dense", "sparse"};
  static const char *const switches[] = {"off", "on"};
  int chosen = 0;
  switch (id) {
  case OPTION_emit:
    if (!strcmp(value, "graphagile")) value = "device"; /* as the level was called when there was one machine */
    if (!choose("emit", value, emits, sizeof emits / sizeof *emits, &chosen)) return false;
    o->emit = (gnnc_emit)(GNNC_EMIT_ast + chosen);
    return true;
  case OPTION_target:
    if (!choose("target", value, targets, 2, &chosen)) return false;
    o->target = (gnnc_target)chosen;
    return true;
  case OPTION_preset: return o->image.is_paper = choose("preset", value, presets, 1, &chosen);
  case OPTION_level: return choose("optimize", value, levels, 4, &o->opt_level);
  case OPTION_float_type:
    if (!choose("float", value, floats, 2, &chosen)) return false;
    o->is_f64 = chosen == 1;
    return true;
  case OPTION_features:
    if (!choose("features", value, forms, 3, &chosen)) return false;
    o->features.given[GNNC_FEATURE_sparse_features] = chosen == 0   ? GNNC_WHEN_default
                                                      : chosen == 1 ? GNNC_WHEN_never
                                                                    : GNNC_WHEN_always;
    return true;
  default:
    if (!choose("verify-each", value, switches, 2, &chosen)) return false;
    o->is_verify_each = chosen == 1;
    return true;
  }
}

/* One option that was given; false after explaining what is wrong with it. */
static bool take(int id, const char *value, arena *a, diag *d, gnnc_options *o, bool *has_target) {
  switch ((option_id)id) {
  case OPTION_graph: o->graph = value; return true;
  case OPTION_weights: o->weights = value; return true;
  case OPTION_model: o->model = value; return true;
  case OPTION_output: o->output = value; return true;
  case OPTION_pass_pipeline: o->pass_pipeline = value; return true;
  case OPTION_print_ir_tree: o->print_ir_tree = value; return true;
  case OPTION_reproducer: o->reproducer = value; return true;
  case OPTION_dim: return parse_dim(value, a, o);
  case OPTION_tune: o->tune = value; return true;
  case OPTION_tuning: o->tuning = value; return true;
  case OPTION_threads: return parse_count("threads", value, 1024, &o->threads);
  case OPTION_repeat: return parse_count("repeat", value, 1000000, &o->repeat);
  case OPTION_device: o->image.file = value; return true;
  case OPTION_device_set: VEC_PUSH(a, &o->image.edits, value); return true;
  case OPTION_memory: VEC_PUSH(a, &o->image.edits, arena_printf(a, "memory=%s", value)); return true;
  case OPTION_no_data: o->image.is_without_data = true; return true;
  case OPTION_stats: o->has_stats = true; return true;
  case OPTION_feature: return parse_feature(value, o);
  case OPTION_remark: return parse_remark(value, a, o);
  case OPTION_include: VEC_PUSH(a, &o->include_dirs, value); return true;
  case OPTION_print_ir_after: VEC_PUSH(a, &o->print_ir_after, value); return true;
  case OPTION_target: *has_target = true; return parse_choice(id, value, o);
  case OPTION_print_pipeline: o->is_print_pipeline = true; return true;
  case OPTION_print_ir_after_all: o->is_print_ir_after_all = true; return true;
  case OPTION_print_ir_after_change: o->is_print_ir_after_change = true; return true;
  case OPTION_locations: o->has_locations = true; return true;
  case OPTION_timing: o->is_timing = true; return true;
  case OPTION_verbose: o->is_verbose = true; return true;
  case OPTION_warning:
    if (diag_set_option(d, value)) return true;
    usage("-W%s: no message has that id", value);
    return false;
  default: return parse_choice(id, value, o);
  }
}

/* Tuning measures the C target on a graph. */
static bool check_tune(const gnnc_options *o) {
  const char *wrong = !o->graph          ? "--tune needs the graph to measure on, --graph=FILE"
                      : o->tuning        ? "--tune makes a new tuning, --tuning takes an old one: one of them"
                      : o->pass_pipeline ? "--tune tries pipelines, --pass-pipeline fixes one: one of them"
                      : o->emit != GNNC_EMIT_target ? "--tune measures the C target: no --emit"
                                                    : NULL;
  if (wrong) usage("%s", wrong);
  return !wrong;
}

/* What the C target writes to. */
static bool check_output(const gnnc_options *o) {
  size_t length = o->output ? strlen(o->output) : 0;
  if (!o->output && !o->tune) {
    usage("--target=c needs -o FILE.c");
    return false;
  }
  if (o->output && (length < 3 || strcmp(o->output + length - 2, ".c") != 0)) {
    usage("-o %s: the C target writes FILE.c, FILE.h and FILE.json, so the name must end in .c", o->output);
    return false;
  }
  return true;
}

/* What only shows when all options are known. */
static bool check(gnnc_options *o, bool has_target, arena *a) {
  if (!has_target && o->tune) o->target = GNNC_TARGET_c;
  if (o->tune && !o->threads) o->threads = 1;
  if (o->emit == GNNC_EMIT_target && o->target == GNNC_TARGET_graphagile) o->emit = GNNC_EMIT_obj;
  if (o->image.is_paper) gnnc_options_take_paper(o);
  if (o->is_print_pipeline) return true;
  if (!o->input) {
    usage("no input file");
    return false;
  }
  if (o->tune && !check_tune(o)) return false;
  const char *wrong = gnnc_options_check_target(o, has_target, a);
  if (wrong) usage("%s", wrong);
  if (wrong) return false;
  return o->emit != GNNC_EMIT_target || check_output(o);
}

static void build_tables(struct option *longs, char *shorts) {
  *shorts++ = ':'; /* a missing argument is ours to explain */
  for (int i = 0, n = 0; i < ROW_COUNT; i++) {
    if (rows[i].group) continue;
    longs[n++] =
        (struct option){rows[i].name, rows[i].argument ? required_argument : no_argument, NULL, LONG_BASE + rows[i].id};
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

static void explain_unknown(int argc, char **argv, int code) {
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
    for (int i = 0; i < ROW_COUNT; i++)
      if (rows[i].name) names[count++] = rows[i].name;
    const char *bare = given + strspn(given, "-");
    const char *near = diag_nearest(bare, names, count);
    if (near)
      usage("unknown option %s; did you mean --%s", given, near);
    else
      usage("unknown or ambiguous option %s", given);
  }
}

gnnc_options_result gnnc_options_parse(int argc, char **argv, arena *a, diag *d, gnnc_options *out) {
  struct option longs[OPTION_count + 1] = {{0}};
  char shorts[2 * OPTION_count + 2] = {0};
  build_tables(longs, shorts);
  *out = (gnnc_options){.opt_level = 2, .is_verify_each = true, .reproducer = "gnnc-reproducer.mlir"};
  bool has_target = false;
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, shorts, longs, NULL)) != -1;) {
    int id = code == '?' || code == ':' ? -1 : id_of(code);
    if (id < 0) {
      explain_unknown(argc, argv, code);
      return GNNC_OPTIONS_exit_usage;
    }
    if (id == OPTION_help || id == OPTION_version || id == OPTION_print_errors_md) {
      if (id == OPTION_help) print_help();
      if (id == OPTION_version) printf("gnnc %s (LLVM/MLIR 22.1, targets graphagile and c)\n", GNNC_VERSION);
      if (id == OPTION_print_errors_md) gnnc_print_errors(stdout);
      return GNNC_OPTIONS_exit_success;
    }
    if (!take(id, optarg, a, d, out, &has_target)) return GNNC_OPTIONS_exit_usage;
  }
  if (optind + 1 < argc) {
    usage("one input file at a time: '%s' and '%s'", argv[optind], argv[optind + 1]);
    return GNNC_OPTIONS_exit_usage;
  }
  if (optind < argc) out->input = argv[optind];
  return check(out, has_target, a) ? GNNC_OPTIONS_run : GNNC_OPTIONS_exit_usage;
}
