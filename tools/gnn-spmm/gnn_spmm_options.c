/* Reads the command line of gnn-spmm. */
#include "tools/gnn-spmm/gnn_spmm.h"

#include "data/formats/token.h"
#include "support/command_line.h"
#include "support/completion.h"
#include "support/number.h"
#include "support/program.h"
#include "support/progress.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: gnn-spmm [OPTION...] MATRIX N\n\n"
    "Computes C = alpha A B + beta C on a simulated Sextans, for a sparse matrix A in the file\n"
    "MATRIX and matrices B and C of N columns, and prints the time as the published host program\n"
    "does. N is rounded up to a multiple of 8.\n\n"
    "Options:\n"
    "      --repeat=R         run R times and print the time of one (default 1)\n"
    "      --alpha=A          factor of A B (default 0.85)\n"
    "      --beta=B           factor of C (default -2.06)\n"
    "      --dense=KIND       numbers of B and C: published (B is 1, the default) or mixed, which\n"
    "                         differ from place to place\n"
    "      --from=FORMAT      " LOAD_FORMAT_NAMES "\n"
    "                         (default: by the name)\n"
    "      --schedule=RULE    best (default) or published: the rules of the published host program\n"
    "      --without=PARTS    leave out parts of the best rules, separated by commas: cut, assign,\n"
    "                         schedule, columns\n"
    "      --device=FILE      parameters of the device (JSON)\n"
    "      --device-set=K=V   change one parameter; may be repeated\n"
    "      --level=L          fidelity of times: 0 as in the paper, 1 (default) or 2\n"
    "      --timing-only      simulate time alone, without the numbers of B and C\n"
    "      --check            compare C with the product in double precision\n"
    "  -o, --output=FILE      write the program, which gnn-objdump and gnn-run read\n"
    "      --stats[=json]     print statistics of each launch; =json: everything as JSON, and the\n"
    "                         lines on standard error\n"
    "      --threads=N        threads that prepare the matrix and measure the host, 1 to 64\n"
    "                         (default: one per processor)\n"
    "      --no-cpu           do not measure the same product in C on the host\n"
    "      --color=WHEN       messages in colour: auto (on a terminal, unless NO_COLOR is set),\n"
    "                         always or never\n"
    "      --progress=WHEN    show how far it is on standard error: auto (default), always or never\n"
    "  -v, --verbose          name each step on standard error, as --progress=always does\n"
    "      --completion=SHELL print the script that completes options in this shell: bash\n"
    "      --help             print this and exit\n"
    "      --version          print the version and exit\n\n"
    "Exit status: 0 success, 1 a failure, or a difference that --check found, 2 wrong usage.\n";

enum {
  LONG_repeat = 1000,
  LONG_alpha,
  LONG_beta,
  LONG_dense,
  LONG_from,
  LONG_schedule,
  LONG_without,
  LONG_device,
  LONG_set,
  LONG_level,
  LONG_timing_only,
  LONG_check,
  LONG_stats,
  LONG_threads,
  LONG_no_cpu,
  LONG_color,
  LONG_progress,
  LONG_completion,
  LONG_help,
  LONG_version
};

static const struct option longs[] = {{"repeat", required_argument, NULL, LONG_repeat},
                                      {"alpha", required_argument, NULL, LONG_alpha},
                                      {"beta", required_argument, NULL, LONG_beta},
                                      {"dense", required_argument, NULL, LONG_dense},
                                      {"from", required_argument, NULL, LONG_from},
                                      {"schedule", required_argument, NULL, LONG_schedule},
                                      {"without", required_argument, NULL, LONG_without},
                                      {"device", required_argument, NULL, LONG_device},
                                      {"device-set", required_argument, NULL, LONG_set},
                                      {"level", required_argument, NULL, LONG_level},
                                      {"timing-only", no_argument, NULL, LONG_timing_only},
                                      {"check", no_argument, NULL, LONG_check},
                                      {"output", required_argument, NULL, 'o'},
                                      {"stats", optional_argument, NULL, LONG_stats},
                                      {"threads", required_argument, NULL, LONG_threads},
                                      {"no-cpu", no_argument, NULL, LONG_no_cpu},
                                      {"color", required_argument, NULL, LONG_color},
                                      {"progress", required_argument, NULL, LONG_progress},
                                      {"completion", required_argument, NULL, LONG_completion},
                                      {"verbose", no_argument, NULL, 'v'},
                                      {"help", no_argument, NULL, LONG_help},
                                      {"version", no_argument, NULL, LONG_version},
                                      {NULL, 0, NULL, 0}};

static bool read_whole(const char *option, const char *value, int64_t most, int64_t *out) {
  if (token_parse_i64((token){value, strlen(value)}, out) && *out >= 1 && *out <= most) return true;
  program_usage(NULL, "--%s is '%s', expected a whole number from 1 to %lld", option, value, (long long)most);
  return false;
}

/* Factors are fp32 numbers; larger ones would become infinite. */
static bool read_factor(const char *option, const char *value, float *out) {
  double number = 0;
  bool is_number = token_parse_f64((token){value, strlen(value)}, &number);
  *out = (float)number;
  if (is_number && isfinite(*out)) return true;
  program_usage(NULL, "--%s is '%s', expected a finite fp32 number", option, value);
  return false;
}

/* Sets *index to the place of the value in the list. */
static bool read_choice(const char *option, const char *value, const char *const names[2], int *index) {
  for (*index = 0; *index < 2; ++*index)
    if (!strcmp(names[*index], value)) return true;
  program_usage(NULL, "--%s is '%s', expected %s or %s", option, value, names[0], names[1]);
  return false;
}

/* Parts are in the order of their bits. */
static bool read_parts(const char *value, uint32_t *out) {
  static const char *const names[] = {"cut", "assign", "schedule", "columns"};
  for (const char *at = value;; at++) {
    size_t length = strcspn(at, ",");
    int part = 0;
    while (part < 4 && (strlen(names[part]) != length || strncmp(names[part], at, length))) part++;
    if (part == 4) {
      program_usage(NULL, "--without is '%s', expected some of cut, assign, schedule and columns", value);
      return false;
    }
    *out |= 1u << part;
    at += length;
    if (!*at) return true;
  }
}

static bool read_from(const char *value, load_format *out) {
  *out = load_parse_format(value);
  if (*out != LOAD_FORMAT_unknown) return true;
  program_usage(NULL, "--from is '%s', expected " LOAD_FORMAT_NAMES, value);
  return false;
}

static bool read_level(const char *value, sim_level *out) {
  *out = (sim_level)(*value - '0');
  if (strlen(value) == 1 && *value >= '0' && *value <= '2') return true;
  program_usage(NULL, "--level is '%s', expected 0, 1 or 2", value);
  return false;
}

static bool read_stats(const char *value, spmm_options *o) {
  o->has_stats = true;
  o->has_json = value != NULL;
  if (!value || !strcmp(value, "json")) return true;
  program_usage(NULL, "--stats takes =json or nothing, not '%s'", value);
  return false;
}

static bool read_progress(const char *value) {
  progress_mode mode;
  if (!progress_parse_mode(value, &mode)) {
    program_usage(NULL, "--progress is '%s', expected auto, always or never", value);
    return false;
  }
  progress_begin("gnn-spmm", mode);
  return true;
}

/* Applies an option of the device; returns -1 to continue, else the exit status. */
static int read_device(int found, spmm_options *o) {
  status s = found == LONG_set ? device_edit(&o->device, optarg) : device_read(optarg, &sextans_machine, &o->device);
  if (!s) return -1;
  program_error("%s", status_message(s));
  status_free(s);
  return found == LONG_set ? SPMM_EXIT_usage : SPMM_EXIT_failed;
}

static bool read_option(int found, char **argv, spmm_options *o) {
  static const char *const rules[] = {[SEXTANS_RULE_best] = "best", [SEXTANS_RULE_published] = "published"};
  static const char *const kinds[] = {"published", "mixed"};
  int choice = 0;
  switch (found) {
  case LONG_repeat: return read_whole("repeat", optarg, SPMM_MOST_REPEATS, &o->repeat);
  case LONG_threads: return read_whole("threads", optarg, THREAD_POOL_MOST_SHARES, &o->threads);
  case LONG_alpha: return read_factor("alpha", optarg, &o->alpha);
  case LONG_beta: return read_factor("beta", optarg, &o->beta);
  case LONG_without: return read_parts(optarg, &o->without);
  case LONG_from: return read_from(optarg, &o->from);
  case LONG_level: return read_level(optarg, &o->level);
  case LONG_stats: return read_stats(optarg, o);
  case LONG_timing_only: return o->is_timing_only = true;
  case LONG_check: return o->has_check = true;
  case LONG_no_cpu: return o->has_no_cpu = true;
  case LONG_color: return command_line_set_colour(NULL, optarg);
  case LONG_progress: return read_progress(optarg);
  case 'v': return read_progress("always");
  case 'o': o->output = optarg; return true;
  case LONG_dense:
    if (!read_choice("dense", optarg, kinds, &choice)) return false;
    o->is_mixed = choice == 1;
    return true;
  case LONG_schedule:
    if (!read_choice("schedule", optarg, rules, &choice)) return false;
    o->rule = (sextans_rule)choice;
    return true;
  default: command_line_explain(NULL, argv, longs, found); return false;
  }
}

static bool check(int argc, char **argv, spmm_options *o) {
  if (argc - optind != 2) {
    program_usage(NULL, "expected a matrix and N, found %d operand%s", argc - optind, argc - optind == 1 ? "" : "s");
    return false;
  }
  o->matrix = argv[optind];
  o->columns = argv[optind + 1];
  if (o->from == LOAD_FORMAT_unknown && load_guess_format(o->matrix) == LOAD_FORMAT_unknown) {
    program_usage(NULL, "the name of '%s' does not tell its format, --from=FORMAT does", o->matrix);
    return false;
  }
  if (o->is_timing_only && o->has_check) {
    program_usage(NULL, "--timing-only gives no numbers to check");
    return false;
  }
  o->made_by = o->rule == SEXTANS_RULE_published ? "gnn-spmm " GNNC_VERSION " with --schedule=published"
               : o->without                      ? "gnn-spmm " GNNC_VERSION " with --schedule=best --without"
                                                 : "gnn-spmm " GNNC_VERSION " with --schedule=best";
  return true;
}

/* Prints the script of --completion. */
static int complete(const char *shell) {
  arena *a = arena_create();
  completion_rows rows = {0};
  text formats = {0};
  for (size_t i = 0; load_format_name(i); i++) text_printf(&formats, "%s%s", i ? " " : "", load_format_name(i));
  const completion_values values[] = {{"dense", "published mixed"},
                                      {"schedule", "best published"},
                                      {"without", "cut assign schedule columns"},
                                      {"level", "0 1 2"},
                                      {"stats", "json"},
                                      {"from", text_str(&formats)},
                                      {NULL, NULL}};
  completion_add_table(a, &rows, longs, values);
  bool is_good = completion_print("gnn-spmm", shell, &rows, NULL);
  text_free(&formats);
  arena_destroy(a);
  return is_good ? SPMM_EXIT_done : SPMM_EXIT_usage;
}

int spmm_options_parse(int argc, char **argv, spmm_options *o) {
  progress_begin("gnn-spmm", PROGRESS_auto);
  *o = (spmm_options){.repeat = 1, .alpha = 0.85F, .beta = -2.06F, .level = SIM_L1};
  o->threads = number_max(1, number_min(sysconf(_SC_NPROCESSORS_ONLN), THREAD_POOL_MOST_SHARES));
  device_default(&o->device, &sextans_machine);
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, ":o:v", longs, NULL)) != -1;) {
    if (found == LONG_help) {
      fputs(help, stdout);
      return SPMM_EXIT_done;
    }
    if (found == LONG_completion) return complete(optarg);
    if (found == LONG_version) {
      printf("gnn-spmm %s\n", GNNC_VERSION);
      return SPMM_EXIT_done;
    }
    if (found == LONG_device || found == LONG_set) {
      int exit_code = read_device(found, o);
      if (exit_code >= 0) return exit_code;
    } else if (!read_option(found, argv, o)) {
      return SPMM_EXIT_usage;
    }
  }
  return check(argc, argv, o) ? -1 : SPMM_EXIT_usage;
}
