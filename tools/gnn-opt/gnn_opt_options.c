/* Reads the command line of gnn-opt. Every pass is an option, too: --gnn-order,
 * --gnn-order=max-iterations=3. */
#include "tools/gnn-opt/gnn_opt.h"

#include "support/command_line.h"
#include "support/completion.h"
#include "support/diag_explain.h"
#include "support/program.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* One row per option; help and getopt's table are made from it. */
typedef enum option_id {
  OPT_pass_pipeline = 1000,
  OPT_split,
  OPT_verify_diagnostics,
  OPT_verify_roundtrip,
  OPT_verify_each,
  OPT_before,
  OPT_before_all,
  OPT_after,
  OPT_after_all,
  OPT_after_change,
  OPT_remarks,
  OPT_tree,
  OPT_locations,
  OPT_timing,
  OPT_reproducer,
  OPT_run_reproducer,
  OPT_opt_level,
#define STATISTIC(field, name, doc) OPT_##field,
#include "passes/manager/statistics.def"
  OPT_density,
  OPT_color,
  OPT_dialects,
  OPT_ops_md,
  OPT_passes_md,
  OPT_irdl,
  OPT_explain,
  OPT_completion,
  OPT_help,
  OPT_version,
  OPT_last,
} option_id;

static const struct {
  option_id id;
  const char *name;
  const char *argument; /* NULL = none, "[...]" = optional */
  const char *doc;
} rows[] = {
    {OPT_pass_pipeline, "pass-pipeline", "TEXT", "run these passes: gnn-cse,gnn-order{max-iterations=3}"},
    {OPT_split, "split-input-file", NULL, "parts between lines '// -----' are separate inputs"},
    {OPT_verify_diagnostics, "verify-diagnostics", NULL, "compare messages with expected-error@+1 {{...}} comments"},
    {OPT_verify_roundtrip, "verify-roundtrip", NULL, "print, parse and print again; both texts must be equal"},
    {OPT_verify_each, "verify-each", "[=BOOL]", "verify after each pass (default), or only after the last"},
    {OPT_before, "print-ir-before", "PASSES", "dump to stderr before these passes (a,b,c)"},
    {OPT_before_all, "print-ir-before-all", NULL, "dump before every pass"},
    {OPT_after, "print-ir-after", "PASSES", "dump to stderr after these passes"},
    {OPT_after_all, "print-ir-after-all", NULL, "dump after every pass"},
    {OPT_after_change, "print-ir-after-change", NULL, "dump after passes that changed something"},
    {OPT_remarks, "remarks", "PASSES",
     "what these passes changed, would have gained, or why they do not apply (a,b,c or *)"},
    {OPT_tree, "print-ir-tree", "DIR", "one numbered file per pass that changed something"},
    {OPT_locations, "mlir-print-debuginfo", NULL, "print locations"},
    {OPT_timing, "timing", NULL, "print the time of each pass to stderr"},
    {OPT_reproducer, "reproducer", "FILE", "file for the input of a pass that fails, with the rest of the pipeline"},
    {OPT_run_reproducer, "run-reproducer", NULL, "take the options from the input's first line"},
    {OPT_opt_level, "opt-level", "N", "optimisation level for passes: 0 to 3 (default 2)"},
#define STATISTIC(field, name, doc) {OPT_##field, name, "N", doc},
#include "passes/manager/statistics.def"
    {OPT_density, "density", "X", "the share of stored entries in the input features, 0 to 1"},
    {OPT_color, "color", "WHEN", "messages in colour: auto (on a terminal, unless NO_COLOR is set), always or never"},
    {OPT_dialects, "show-dialects", NULL, "list dialects, operations and types"},
    {OPT_ops_md, "print-ops-md", NULL, "print the operations of every level as Markdown"},
    {OPT_passes_md, "print-passes-md", NULL, "print the passes and their options as Markdown"},
    {OPT_irdl, "print-irdl", NULL, "print the dialects as IRDL, for mlir-opt --irdl-file"},
    {OPT_explain, "explain", "ID", "print the meaning and the remedy of a message; the id is in brackets behind it"},
    {OPT_completion, "completion", "SHELL", "print the script that completes options in this shell: bash"},
    {OPT_help, "help", NULL, "print this"},
    {OPT_version, "version", NULL, "print the version"},
};
enum { ROWS = sizeof rows / sizeof *rows, PASSES_FROM = 2000 };
_Static_assert(ROWS == OPT_last - OPT_pass_pipeline, "one row per option");

static const char *const upstream[] = {"canonicalize", "cse", "symbol-dce"};
enum { UPSTREAM = sizeof upstream / sizeof *upstream };

static bool complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool complain(const char *format, ...) {
  va_list args;
  program_begin_message(NULL, TERMINAL_error);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputs("\n", stderr);
  return false;
}

/* ---- values ---- */

static bool read_integer(const char *name, const char *value, int64_t least, int64_t most, int64_t *out) {
  char *end;
  errno = 0;
  *out = strtoll(value, &end, 10);
  if (*value && !*end && !errno && *out >= least && *out <= most) return true;
  return complain("--%s: '%s' is no number in range", name, value);
}

static bool read_density(const char *value, double *out) {
  char *end;
  *out = strtod(value, &end);
  if (*value && !*end && *out >= 0 && *out <= 1) return true;
  return complain("--density: '%s' is no number from 0 to 1", value);
}

static bool read_bool(const char *name, const char *value, bool *out) {
  *out = !value || !strcmp(value, "true");
  return *out || !strcmp(value, "false") || complain("--%s: '%s' is neither true nor false", name, value);
}

static void add_pass(opt_options *o, const char *name, const char *options) {
  if (o->pipeline.size) text_append(&o->pipeline, ",");
  text_append(&o->pipeline, name);
  if (options) text_printf(&o->pipeline, "{%s}", options);
}

/* ---- one option ---- */

static bool take(opt_options *o, option_id id, const char *value) {
  int64_t level = 0;
  pass_run *run = &o->run;
  switch (id) {
  case OPT_pass_pipeline: add_pass(o, value, NULL); return true;
  case OPT_split: return o->split = true;
  case OPT_verify_diagnostics: return o->verify_diagnostics = true;
  case OPT_verify_roundtrip: return o->verify_roundtrip = true;
  case OPT_verify_each: return read_bool("verify-each", value, &run->verify_each);
  case OPT_before: run->print_before = value; return true;
  case OPT_before_all: run->print_before = "*"; return true;
  case OPT_after: run->print_after = value; return true;
  case OPT_after_all: run->print_after = "*"; return true;
  case OPT_after_change: return run->print_after_change = true;
  case OPT_remarks: run->remarks = value; return true;
  case OPT_tree: run->tree = value; return true;
  case OPT_locations: return run->print_locations = true;
  case OPT_timing: return run->timing = true;
  case OPT_reproducer: run->reproducer = value; return true;
  case OPT_run_reproducer: return o->run_reproducer = true;
  case OPT_opt_level:
    if (!read_integer("opt-level", value, 0, 3, &level)) return false;
    run->opt_level = (int)level;
    return true;
#define STATISTIC(field, name, doc)                                                                                    \
  case OPT_##field: return read_integer(name, value, 0, INT64_MAX, &run->statistics.field);
#include "passes/manager/statistics.def"
  case OPT_density: return read_density(value, &run->statistics.feature_density);
  case OPT_color: return command_line_set_colour(NULL, value);
  case OPT_dialects: o->show = SHOW_dialects; return true;
  case OPT_ops_md: o->show = SHOW_ops_md; return true;
  case OPT_passes_md: o->show = SHOW_passes_md; return true;
  case OPT_irdl: o->show = SHOW_irdl; return true;
  case OPT_explain:
    o->show = SHOW_explanation;
    o->shown = value;
    return true;
  case OPT_completion:
    o->show = SHOW_completion;
    o->shown = value;
    return true;
  case OPT_help: o->show = SHOW_help; return true;
  case OPT_version: o->show = SHOW_version; return true;
  default: return false;
  }
}

/* Makes getopt's table: the rows above, the passes, and a few passes of MLIR. */
static struct option *make_table(arena *a) {
  size_t passes;
  const pass_info *table = pass_table(&passes);
  struct option *options = arena_alloc_array(a, ROWS + passes + UPSTREAM + 1, sizeof *options), *at = options;
  for (int i = 0; i < ROWS; i++) {
    int has_argument = !rows[i].argument          ? no_argument
                       : *rows[i].argument == '[' ? optional_argument
                                                  : required_argument;
    *at++ = (struct option){rows[i].name, has_argument, NULL, (int)rows[i].id};
  }
  for (size_t i = 0; i < passes; i++)
    *at++ = (struct option){table[i].name, optional_argument, NULL, PASSES_FROM + (int)i};
  for (size_t i = 0; i < UPSTREAM; i++)
    *at++ = (struct option){upstream[i], optional_argument, NULL, PASSES_FROM + (int)(passes + i)};
  return options;
}

static bool unknown(const opt_options *o, const struct option *table, const char *word) {
  size_t count = 0;
  while (table[count].name) count++;
  const char **names = arena_alloc_array(o->arena, count, sizeof *names);
  for (size_t i = 0; i < count; i++) names[i] = table[i].name;
  const char *name = word + strspn(word, "-");
  const char *nearest = diag_nearest(arena_strndup(o->arena, name, strcspn(name, "=")), names, count);
  if (nearest) return complain("there is no option '%s'; did you mean '--%s'?", word, nearest);
  return complain("there is no option '%s'; see --help", word);
}

bool opt_options_parse(opt_options *o, int argc, char **argv) {
  struct option *table = make_table(o->arena);
  opterr = 0;
  optind = 0; /* restarts getopt; this may be the second command line */
  for (int id; (id = getopt_long(argc, argv, ":o:O:h", table, NULL)) != -1;) {
    const char *word = argv[optind - 1];
    if (id == '?') return unknown(o, table, word);
    if (id == ':') return complain("option '%s' needs a value", word);
    bool ok = true;
    if (id == 'o')
      o->output = optarg;
    else if (id == 'O')
      ok = take(o, OPT_opt_level, optarg);
    else if (id == 'h')
      ok = take(o, OPT_help, NULL);
    else if (id >= PASSES_FROM)
      add_pass(o, table[ROWS + id - PASSES_FROM].name, optarg);
    else
      ok = take(o, (option_id)id, optarg);
    if (!ok) return false;
  }
  if (optind < argc) o->input = argv[optind++];
  return optind >= argc || complain("one input at a time: '%s' is too much", argv[optind]);
}

bool opt_options_parse_line(opt_options *o, const char *line) {
  VEC(char *) words = {0};
  VEC_PUSH(o->arena, &words, arena_strdup(o->arena, "gnn-opt"));
  for (const char *at = line; *at;) {
    at += strspn(at, " \t\r");
    if (!*at) break;
    char *word = arena_alloc(o->arena, strlen(at) + 1), *out = word, quote = 0;
    for (; *at && (quote || !isspace((unsigned char)*at)); at++) {
      if (*at == quote)
        quote = 0;
      else if (!quote && (*at == '\'' || *at == '"'))
        quote = *at;
      else
        *out++ = *at;
    }
    VEC_PUSH(o->arena, &words, word);
  }
  size_t count = words.count;
  VEC_PUSH(o->arena, &words, NULL);
  return opt_options_parse(o, (int)count, words.items);
}

/* Returns the names of all passes, or the options of one, "max-iterations= features=". */
static const char *list_passes(const opt_options *o) {
  size_t count;
  const pass_info *table = pass_table(&count);
  text t = {0};
  for (size_t i = 0; i < count; i++) text_printf(&t, "%s%s", i ? " " : "", table[i].name);
  return text_keep(&t, o->arena);
}

static const char *list_options(const opt_options *o, const pass_info *pass) {
  text t = {0};
  for (unsigned i = 0; pass && i < pass->option_count; i++)
    text_printf(&t, "%s%s=", i ? " " : "", pass->options[i].name);
  return t.size ? text_keep(&t, o->arena) : NULL;
}

bool opt_options_print_completion(const opt_options *o) {
  const char *passes = list_passes(o);
  char *ids = diag_explain_ids();
  const completion_values values[] = {{"print-ir-before", passes}, {"print-ir-after", passes},
                                      {"remarks", passes},         {"explain", ids},
                                      {"opt-level", "0 1 2 3"},    {NULL, NULL}};
  completion_rows all = {0};
  completion_add_table(o->arena, &all, make_table(o->arena), values);
  for (size_t i = 0; i < all.count; i++)
    if (!all.items[i].values) all.items[i].values = list_options(o, pass_find(all.items[i].name));
  bool is_good = completion_print("gnn-opt", o->shown, &all, NULL);
  free(ids);
  return is_good;
}

void opt_options_print_help(FILE *out) {
  fputs("usage: gnn-opt [options] [FILE.mlir]\n"
        "Parses IR of the levels gnn, inter, intra and device, runs passes, prints it. '-' is standard "
        "input.\n\noptions:\n",
        out);
  fprintf(out, "  %-34s %s\n", "-o FILE", "write to FILE instead of standard output");
  fprintf(out, "  %-34s %s\n", "-O N", "as --opt-level");
  for (int i = 0; i < ROWS; i++) {
    const char *argument = rows[i].argument;
    int size = (int)strlen(rows[i].name);
    fprintf(out, "  --%s%s%-*s %s\n", rows[i].name, argument && *argument != '[' ? "=" : "",
            32 - size - (argument && *argument != '[' ? 1 : 0), argument ? argument : "", rows[i].doc);
  }
  fputs("\npasses, each also an option (--gnn-order, --gnn-order=max-iterations=3):\n", out);
  size_t count;
  const pass_info *table = pass_table(&count);
  for (size_t i = 0; i < count; i++) {
    fprintf(out, "  %-34s %s\n", table[i].name, table[i].summary);
    for (unsigned k = 0; k < table[i].option_count; k++) {
      const pass_option_info *option = &table[i].options[k];
      fprintf(out, "    %s=%-*s %s (default %s)\n", option->name, 31 - (int)strlen(option->name), option->type,
              option->doc, option->fallback);
    }
  }
  fputs("  and those of MLIR by name: canonicalize, cse, symbol-dce, ...\n", out);
}
