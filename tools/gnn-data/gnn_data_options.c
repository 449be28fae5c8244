/* Reads the command line of gnn-data with getopt_long and prints its help, both from the table of
 * each subcommand. */
#include "tools/gnn-data/gnn_data.h"

#include "data/formats/token.h"
#include "support/command_line.h"
#include "support/completion.h"
#include "support/diag.h"
#include "support/number.h"
#include "support/program.h"
#include "support/progress.h"
#include "support/text.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  MOST_OPTIONS = 32,
  HELP_COLUMN = 26,
  LONG_BASE = 1000,
  LONG_help = 1500,
  LONG_version = 1501,
  LONG_color = 1502,
  LONG_progress = 1503
};

static void print_help(const gnn_data_command *c) {
  printf("usage: gnn-data %s %s\n\n%s\n\nOptions:\n", c->name, c->synopsis, c->summary);
  for (const gnn_data_option *o = c->options; o->name; o++) {
    char left[64];
    char letter[8] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->argument ? "=" : "",
             o->argument ? o->argument : "");
    printf("%-*s%s\n", HELP_COLUMN, left, o->help);
  }
  printf("%-*s%s\n", HELP_COLUMN, "      --color=WHEN",
         "messages in colour: auto (on a terminal, unless NO_COLOR is set), always or never");
  printf("%-*s%s\n", HELP_COLUMN, "      --progress=WHEN",
         "show how far it is on standard error: auto (default), always or never");
  printf("%-*s%s\n", HELP_COLUMN, "      --help", "print this and exit");
  printf("%-*s%s\n", HELP_COLUMN, "      --version", "print the version and exit");
  if (c->details) printf("\n%s", c->details);
  printf("\nExit status: 0 success, 1 an error of a file or the system, 2 wrong usage.\n");
}

/* Makes getopt's two descriptions of the table; a long option's value is LONG_BASE + its row. */
static void describe(const gnn_data_command *c, struct option *longs, char *shorts) {
  size_t at = 0;
  shorts[at++] = ':';
  int row = 0;
  for (; row < MOST_OPTIONS && c->options[row].name; row++) {
    const gnn_data_option *o = &c->options[row];
    longs[row] = (struct option){o->name, o->argument ? required_argument : no_argument, NULL, LONG_BASE + row};
    if (!o->letter) continue;
    shorts[at++] = o->letter;
    if (o->argument) shorts[at++] = ':';
  }
  longs[row++] = (struct option){"color", required_argument, NULL, LONG_color};
  longs[row++] = (struct option){"help", no_argument, NULL, LONG_help};
  longs[row++] = (struct option){"version", no_argument, NULL, LONG_version};
  longs[row++] = (struct option){"progress", required_argument, NULL, LONG_progress};
  longs[row] = (struct option){0};
  shorts[at] = '\0';
}

/* Returns the values of an option of any command; NULL: files or anything. */
static const char *find_values(const char *name, const char *formats) {
  static const completion_values values[] = {{"to", "safetensors text"},
                                             {"kind", "rmat power-law uniform"},
                                             {"method", "metis streaming blocks"},
                                             {"header", "yes no"}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (strcmp(values[i].name, name) == 0) return values[i].values;
  return strcmp(name, "from") == 0 ? formats : NULL;
}

int gnn_data_complete(const gnn_data_command *const *commands, int count, const char *shell) {
  arena *a = arena_create();
  completion_rows rows = {0};
  text formats = {0};
  for (size_t i = 0; load_format_name(i); i++) text_printf(&formats, "%s%s", i ? " " : "", load_format_name(i));
  for (int i = 0; i < count; i++) {
    struct option longs[MOST_OPTIONS + 5];
    char shorts[2 * MOST_OPTIONS + 2];
    describe(commands[i], longs, shorts);
    for (const struct option *o = longs; o->name; o++)
      VEC_PUSH(a, &rows,
               (completion_row){commands[i]->name, o->name, o->has_arg, find_values(o->name, text_str(&formats))});
  }
  bool is_good = completion_print("gnn-data", shell, &rows, "--help --version --completion=");
  text_free(&formats);
  arena_destroy(a);
  return is_good ? GNN_DATA_EXIT_done : GNN_DATA_EXIT_usage;
}

/* Explains the error of an option: its value is missing or not allowed, or there is no such option. */
static int explain(const gnn_data_command *c, const char *given, bool lacks_value) {
  if (lacks_value) return gnn_data_usage(c, "%s wants a value", given);
  if (strncmp(given, "--", 2) != 0) return gnn_data_usage(c, "unknown option %s", given);
  size_t length = strcspn(given + 2, "=");
  char name[64] = {0};
  memcpy(name, given + 2, length < sizeof name ? length : sizeof name - 1);
  const char *names[MOST_OPTIONS + 1];
  size_t count = 0;
  for (; count < MOST_OPTIONS && c->options[count].name; count++) {
    names[count] = c->options[count].name;
    if (strcmp(names[count], name) == 0) return gnn_data_usage(c, "--%s takes no value", name);
  }
  names[count++] = "color";
  const char *nearest = diag_nearest(name, names, count);
  return gnn_data_usage(c, "unknown option %s%s%s", given, nearest ? "; did you mean --" : "", nearest ? nearest : "");
}

int gnn_data_next_option(const gnn_data_command *c, int argc, char **argv, int *exit_code) {
  struct option longs[MOST_OPTIONS + 5];
  char shorts[2 * MOST_OPTIONS + 2];
  describe(c, longs, shorts);
  opterr = 0;
  int found = getopt_long(argc, argv, shorts, longs, NULL);
  if (found == -1) return GNN_DATA_OPTIONS_end;
  *exit_code = GNN_DATA_EXIT_done;
  if (found == LONG_help) {
    print_help(c);
    return GNN_DATA_OPTIONS_exit;
  }
  if (found == LONG_version) {
    printf("gnn-data %s\n", GNNC_VERSION);
    return GNN_DATA_OPTIONS_exit;
  }
  progress_mode mode;
  if (found == LONG_progress && progress_parse_mode(optarg, &mode)) {
    progress_begin("gnn-data", mode);
    return gnn_data_next_option(c, argc, argv, exit_code);
  }
  if (found == LONG_progress) {
    *exit_code = gnn_data_usage(c, "--progress is '%s', expected auto, always or never", optarg);
    return GNN_DATA_OPTIONS_exit;
  }
  if (found == ':' || found == '?') {
    const char *last =
        argv[optind - 1]; /* a long option is the whole argument; for short ones getopt gives the letter */
    bool is_long = strncmp(last, "--", 2) == 0;
    *exit_code = explain(c, is_long ? last : (char[]){'-', (char)optopt, '\0'}, found == ':');
    return GNN_DATA_OPTIONS_exit;
  }
  if (found == LONG_color) {
    *exit_code = GNN_DATA_EXIT_usage;
    return command_line_set_colour(c->name, optarg) ? gnn_data_next_option(c, argc, argv, exit_code)
                                                    : GNN_DATA_OPTIONS_exit;
  }
  if (found >= LONG_BASE) return found - LONG_BASE;
  for (int row = 0; c->options[row].name; row++)
    if (c->options[row].letter == found) return row;
  return GNN_DATA_OPTIONS_exit;
}

int gnn_data_usage(const gnn_data_command *c, const char *format, ...) {
  va_list args;
  va_start(args, format);
  program_usage_v(c->name, format, args);
  va_end(args);
  return GNN_DATA_EXIT_usage;
}

int gnn_data_fail(status s) {
  progress_end();
  program_error("%s", status_message(s));
  status_free(s);
  return GNN_DATA_EXIT_failed;
}

bool gnn_data_read_count(const gnn_data_command *c, const char *option, const char *value, int64_t *out) {
  token t = {value, strlen(value)};
  static const char units[] = "kMG";
  int64_t factor = 1;
  const char *unit = t.length ? strchr(units, value[t.length - 1]) : NULL;
  if (unit) {
    t.length--;
    for (const char *u = units; u <= unit; u++) factor *= 1000;
  }
  if (token_parse_i64(t, out) && *out >= 0 && *out <= INT64_MAX / factor) {
    *out *= factor;
    return true;
  }
  gnn_data_usage(c, "--%s is '%s', expected a whole number from 0 on", option, value);
  return false;
}

bool gnn_data_read_number(const gnn_data_command *c, const char *option, const char *value, double *out) {
  if (token_parse_f64((token){value, strlen(value)}, out)) return true;
  gnn_data_usage(c, "--%s is '%s', expected a number", option, value);
  return false;
}

thread_pool *gnn_data_make_pool(const gnn_data_command *c, const char *value) {
  int64_t threads = sysconf(_SC_NPROCESSORS_ONLN);
  if (value &&
      (!token_parse_i64((token){value, strlen(value)}, &threads) || threads < 1 || threads > THREAD_POOL_MOST_SHARES)) {
    gnn_data_usage(c, "--threads is '%s', expected 1 to %d", value, THREAD_POOL_MOST_SHARES);
    return NULL;
  }
  thread_pool *pool = thread_pool_create((int)number_min(threads, THREAD_POOL_MOST_SHARES));
  if (!pool) gnn_data_usage(c, "no memory for %" PRId64 " threads", threads);
  return pool;
}
