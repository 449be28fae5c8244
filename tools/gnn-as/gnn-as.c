/* gnn-as: assembles programs of machines from text. It reports all errors of the text, and writes
 * nothing when there is one. */
#include "isa/text/assemble.h"
#include "support/command_line.h"
#include "support/completion.h"
#include "support/diag_explain.h"
#include "support/file.h"
#include "support/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_done, EXIT_failed, EXIT_usage };

static const char help[] =
    "usage: gnn-as [OPTION...] INPUT -o OUTPUT\n\n"
    "Assembles a program of a machine: text to a program image that gnn-objdump reads\n"
    "and the simulator runs. - as INPUT is standard input.\n\n"
    "Options:\n"
    "  -o, --output=FILE      the image; - is standard output\n"
    "      --device=FILE      parameters of the device (JSON); .device lines change them further\n"
    "      --device-set=KEY=VALUE\n"
    "                         one parameter, for instance num_pes=2\n"
    "      --color=WHEN       messages in colour: auto (on a terminal, unless NO_COLOR is set),\n"
    "                         always or never\n"
    "      --no-check         write programs that the loader refuses, for tests of the loader\n"
    "      --explain=ID       print the meaning and the remedy of a message, and exit; the id is\n"
    "                         in brackets behind it\n"
    "      --completion=SHELL print the script that completes options in this shell: bash\n"
    "  -h, --help             print this and exit\n"
    "      --version          print the version and exit\n\n"
    "Exit status: 0 success, 1 an error of the text, a file or the system, 2 wrong usage.\n";

typedef struct options {
  const char *input, *output;
  device device;
  bool has_device, is_unchecked;
} options;

static int fail(status s, int exit_code) {
  program_error("%s", status_message(s));
  status_free(s);
  return exit_code;
}

/* Prints the script of --completion. */
static int complete(const char *shell, const struct option *longs) {
  arena *a = arena_create();
  char *ids = diag_explain_ids();
  completion_rows rows = {0};
  completion_add_table(a, &rows, longs, (completion_values[]){{"explain", ids}, {NULL, NULL}});
  bool is_good = completion_print("gnn-as", shell, &rows, NULL);
  free(ids);
  arena_destroy(a);
  return is_good ? EXIT_done : EXIT_usage;
}

/* Reads the command line. Returns -1 to continue, else the exit status. */
static int read_options(int argc, char **argv, options *o) {
  enum { LONG_device = 1000, LONG_set, LONG_unchecked, LONG_color, LONG_explain, LONG_completion, LONG_version };
  static const struct option longs[] = {
      {"output", required_argument, NULL, 'o'},           {"device", required_argument, NULL, LONG_device},
      {"device-set", required_argument, NULL, LONG_set},  {"no-check", no_argument, NULL, LONG_unchecked},
      {"color", required_argument, NULL, LONG_color},     {"help", no_argument, NULL, 'h'},
      {"explain", required_argument, NULL, LONG_explain}, {"completion", required_argument, NULL, LONG_completion},
      {"version", no_argument, NULL, LONG_version},       {NULL, 0, NULL, 0}};
  device_default(&o->device, machine_default());
  opterr = 0;
  for (int found; (found = getopt_long(argc, argv, ":o:h", longs, NULL)) != -1;) {
    status s = STATUS_OK;
    switch (found) {
    case 'o': o->output = optarg; break;
    case LONG_device: s = device_read(optarg, NULL, &o->device); break;
    case LONG_set: s = device_edit(&o->device, optarg); break;
    case LONG_unchecked: o->is_unchecked = true; break;
    case 'h': fputs(help, stdout); return EXIT_done;
    case LONG_version: printf("gnn-as %s\n", GNNC_VERSION); return EXIT_done;
    case LONG_explain: return diag_explain(optarg, stdout) ? EXIT_done : EXIT_usage;
    case LONG_completion: return complete(optarg, longs);
    case LONG_color:
      if (!command_line_set_colour(NULL, optarg)) return EXIT_usage;
      break;
    default: command_line_explain(NULL, argv, longs, found); return EXIT_usage;
    }
    o->has_device |= found == LONG_device || found == LONG_set;
    if (s) return fail(s, found == LONG_set ? EXIT_usage : EXIT_failed);
  }
  if (optind + 1 != argc || !o->output) {
    program_error("%s; see gnn-as --help", optind == argc      ? "no input"
                                           : optind + 1 < argc ? "more than one input"
                                                               : "no output: -o FILE is missing");
    return EXIT_usage;
  }
  o->input = argv[optind];
  return -1;
}

static int run(arena *a, diag *d, const options *o) {
  assemble_options how = {o->has_device ? &o->device : NULL, o->is_unchecked, "gnn-as " GNNC_VERSION};
  image im = {0};
  char *data;
  size_t size;
  status s = file_read(a, o->input, &data, &size);
  if (s) return fail(s, EXIT_failed);
  const source *program = source_create(a, strcmp(o->input, "-") == 0 ? "<stdin>" : o->input, data, size);
  if (!assemble_program(a, program, &how, d, &im)) return EXIT_failed;
  if (!o->is_unchecked) s = status_context(image_check(&im), "%s", program->name);
  if (!s) s = image_write(&im, o->output);
  return s ? fail(s, EXIT_failed) : EXIT_done;
}

int main(int argc, char **argv) {
  options o = {0};
  program_begin("gnn-as");
  int exit_code = read_options(argc, argv, &o);
  if (exit_code >= 0) return program_end(exit_code);
  arena *a = arena_create();
  diag *d = diag_create(stderr);
  exit_code = run(a, d, &o);
  diag_destroy(d);
  arena_destroy(a);
  return program_end(exit_code);
}
