/* gnn-run: runs a compiled model on a graph, writes its outputs and prints a summary.
 *
 *   gnn-run gcn.c --graph cora.safetensors --weights gcn.safetensors -o out.safetensors
 *   gnn-run gcn.bin --graph cora.safetensors --stats */
#include "tools/gnn-run/gnn_run.h"

#include "runtime/kind.h"
#include "support/program.h"

#include <stdio.h>

static int run_programs(run_options *options) {
  bool differs = false;
  if (!run_options_check_table(options)) return 2;
  progress_begin("gnn-run", options->progress);
  status s = run_table(options, &differs);
  progress_end();
  if (s) program_error("%s", status_message(s));
  int result = s || differs ? 1 : 0;
  status_free(s);
  return result;
}

static int run(int argc, char **argv) {
  run_options options;
  if (!run_options_parse(argc, argv, &options)) return 2;
  if (options.wants_help) {
    run_options_help();
    return 0;
  }
  if (options.completion) return run_options_complete(options.completion) ? 0 : 2;
  if (options.wants_version) {
    printf("gnn-run %s\n", GNNC_VERSION);
    return 0;
  }
  bool differs = false;
  if (options.has_table) return run_programs(&options);
  program_kind kind = PROGRAM_KIND_other;
  status_free(program_kind_of(options.program, &kind)); /* run_c or run_image reports an error */
  bool is_image = kind == PROGRAM_KIND_image;
  if (!run_options_check(&options, is_image)) return 2;
  progress_begin("gnn-run", options.progress);
  status s = is_image ? run_image(&options, &differs) : run_c(&options, &differs);
  progress_end();
  if (s) program_error("%s", status_message(s));
  int result = s || differs ? 1 : 0;
  status_free(s);
  return result;
}

int main(int argc, char **argv) {
  program_begin("gnn-run");
  return program_end(run(argc, argv));
}
