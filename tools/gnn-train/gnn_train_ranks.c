/* gnn-train --cells: several ranks train one model, each on its part of the graph. All ranks make the same steps and take the same
 * decisions, because losses, weights and outputs are equal on all; rank 0 prints and writes.
 *
 *   gnn-train gcn.c --graph cora.safetensors --cells cora.cells.safetensors --local-ranks=4 ...       threads
 *   mpirun -n 4 gnn-train gcn.c --graph cora.safetensors --cells cora.cells.safetensors ...           processes */
#include "data/cells/cells_file.h"
#include "runtime/comm/comm_module.h"
#include "runtime/comm/comm_threads.h"
#include "runtime/native.h"
#include "support/program.h"
#include "tools/gnn-train/gnn_train.h"

#include <stdio.h>

/* What the ranks of this process share. */
typedef struct fit_ranks {
  const fit_options *options;
  gnnc_program *program;
  cells cells;
} fit_ranks;

/* Outputs that a rank cannot give to the others. */
static status check_outputs(const gnnc_train_info *info) {
  for (int32_t i = 0; i < info->num_outputs; i++)
    if (info->outputs[i].rows == GNNC_ROWS_PART)
      return status_error(STATUS_CODE_unsupported,
                          "output '%s' has rows for the nodes of one type, which ranks that train do not share",
                          info->outputs[i].name);
  return STATUS_OK;
}

/* Opens the program, and the cells of the graph for so many ranks. */
static status open_files(const fit_options *options, int32_t ranks, fit_ranks *out) {
  graph *g = NULL;
  status s = fit_open_program(options, &out->program);
  if (!s) s = graph_open(options->graph, &g);
  if (!s) s = cells_open(options->cells, g, &out->cells);
  if (!s) s = rank_part_check(out->program, g, &out->cells, ranks);
  if (!s) s = check_outputs(out->program->train);
  graph_close(g);
  return s;
}

/* The result of a rank that failed alone has its number. */
static status run_rank(comm *c, void *user) {
  const fit_ranks *r = user;
  bool is_alone = false;
  status s = fit_run(r->options, r->program, c, &r->cells, &is_alone);
  return is_alone ? status_context(s, "rank %d", c->rank) : s;
}

static status run_threads(const fit_options *options, fit_ranks *r) {
  const int32_t ranks = (int32_t)options->local_ranks;
  RETURN_IF_ERROR(fit_check_files(options));
  RETURN_IF_ERROR(open_files(options, ranks, r));
  return comm_threads_run(ranks, NULL, run_rank, r);
}

/* A rank that fails alone says so, and ends the others, which wait for it. */
static status run_process(comm *c, fit_ranks *r) {
  bool is_alone = false;
  status s = fit_run(r->options, r->program, c, &r->cells, &is_alone);
  if (!s || !is_alone) return s;
  program_mute(false);
  program_error("rank %d: %s", c->rank, status_message(s));
  fflush(NULL);
  c->engine->fail(c);
  return s;
}

static status run_processes(const fit_options *options, fit_ranks *r) {
  comm *c = NULL;
  RETURN_IF_ERROR(comm_open_mpi(NULL, NULL, &c));
  status s = c->engine->agree(c, c->rank ? STATUS_OK : fit_check_files(options));
  if (!s) s = c->engine->agree(c, open_files(options, c->size, r));
  if (!s) s = run_process(c, r);
  program_mute(c->rank > 0);
  if (s) program_error("%s", status_message(s)); /* before the others end: then mpirun may end this one */
  program_mute(s != STATUS_OK);
  c->engine->close(c);
  return s;
}

status fit_run_ranks(const fit_options *options) {
  fit_ranks r = {.options = options};
  status s = options->local_ranks ? run_threads(options, &r) : run_processes(options, &r);
  cells_free(&r.cells);
  gnnc_program_close(r.program);
  return s;
}
