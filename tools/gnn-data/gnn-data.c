/* gnn-data: makes, converts and shows the inputs of graph neural networks, with one subcommand for
 * each task. */
#include "support/diag.h"
#include "support/program.h"
#include "support/progress.h"
#include "tools/gnn-data/gnn_data.h"

#include <stdio.h>
#include <string.h>

static const gnn_data_command *const commands[] = {&gnn_data_convert, &gnn_data_generate, &gnn_data_partition,
                                                   &gnn_data_stats, &gnn_data_show};
enum { NUM_COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out) {
  fprintf(out,
          "usage: gnn-data COMMAND [OPTION...]\n\nMakes and converts graphs, features and weights.\n\nCommands:\n");
  for (int i = 0; i < NUM_COMMANDS; i++) fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fprintf(out, "\n'gnn-data COMMAND --help' explains a command, 'gnn-data --version' prints the version, and\n"
               "'gnn-data --completion=bash' the script that completes options in this shell.\n");
}

int main(int argc, char **argv) {
  program_begin("gnn-data");
  progress_begin("gnn-data", PROGRESS_auto);
  const char *name = argc > 1 ? argv[1] : "";
  const char *names[NUM_COMMANDS];
  for (int i = 0; i < NUM_COMMANDS; i++) names[i] = commands[i]->name;
  for (int i = 0; i < NUM_COMMANDS; i++)
    if (strcmp(names[i], name) == 0) return program_end(commands[i]->run(commands[i], argc - 1, argv + 1));
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    print_help(stdout);
    return program_end(GNN_DATA_EXIT_done);
  }
  if (strncmp(name, "--completion=", strlen("--completion=")) == 0)
    return program_end(gnn_data_complete(commands, NUM_COMMANDS, name + strlen("--completion=")));
  if (strcmp(name, "--version") == 0) {
    printf("gnn-data %s\n", GNNC_VERSION);
    return program_end(GNN_DATA_EXIT_done);
  }
  if (argc < 2) {
    print_help(stderr);
    return GNN_DATA_EXIT_usage;
  }
  const char *nearest = diag_nearest(name, names, NUM_COMMANDS);
  program_error("no command '%s'%s%s%s; see gnn-data --help", name, nearest ? "; did you mean '" : "",
                nearest ? nearest : "", nearest ? "'" : "");
  return GNN_DATA_EXIT_usage;
}
