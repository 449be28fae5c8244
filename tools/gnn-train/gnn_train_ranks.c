/* gnn-train --cells: several ranks train one model, each on its part of the graph. All ranks make the same steps and take the same
 * decisions, because losses, weights and outputs are equal on all; rank 0 prints and writes.
 *
 *   gnn-train gcn.c --graph cora.safetensors --cells cora.cells.safetensors --local-ranks=4 ...       threads
 *   mpirun -n 4 gnn-train gcn.c --graph cora.safetensors --cells cora.cells.safetensors ...           processes
 *   gnn-train gcn.c --graph cora.safetensors --cells cora.cells.safetensors --from-disk=DIR ...       one after another */
#include "data/cells/cells_file.h"
#include "runtime/comm/comm_module.h"
#include "runtime/comm/comm_threads.h"
#include "runtime/comm/comm_turns.h"
#include "runtime/native.h"
#include "support/program.h"
#include "tools/gnn-train/gnn_train.h"

#include <stdio.h>
#include <stdlib.h>

/* What the ranks of this process share. */
typedef struct fit_ranks {
  const fit_options *options;
  gnnc_program *program;
  cells cells;
  graph *graph;   /* NULL: each rank opens it */
  spill **spills; /* of the ranks; NULL: they are in memory */
  int32_t ranks;
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

/* Opens the program, and the cells of the graph for so many ranks; 0: one for each cell. */
static status open_files(const fit_options *options, int32_t ranks, fit_ranks *out) {
  status s = fit_open_program(options, &out->program);
  if (!s) s = graph_open(options->graph, &out->graph);
  if (!s) s = cells_open(options->cells, out->graph, &out->cells);
  out->ranks = ranks ? ranks : out->cells.count;
  if (!s) s = rank_part_check(out->program, out->graph, &out->cells, out->ranks);
  return s ? s : check_outputs(out->program->train);
}

static void close_graph(fit_ranks *r) {
  graph_close(r->graph);
  r->graph = NULL;
}

/* The result of a rank that failed alone has its number. */
static status run_rank(comm *c, void *user) {
  const fit_ranks *r = user;
  const fit_place place = {c, &r->cells, r->graph, r->spills ? r->spills[c->rank] : NULL};
  bool is_alone = false;
  status s = fit_run(r->options, r->program, &place, &is_alone);
  return is_alone ? status_context(s, "rank %d", c->rank) : s;
}

static status run_threads(const fit_options *options, fit_ranks *r) {
  const int32_t ranks = (int32_t)options->local_ranks;
  RETURN_IF_ERROR(fit_check_files(options));
  RETURN_IF_ERROR(open_files(options, ranks, r));
  close_graph(r);
  return comm_threads_run(ranks, NULL, run_rank, r);
}

/* ---- parts from disk ---- */

static status run_from_disk(const fit_options *options, fit_ranks *r) {
  RETURN_IF_ERROR(fit_check_files(options));
  RETURN_IF_ERROR(open_files(options, (int32_t)options->local_ranks, r));
  r->spills = calloc((size_t)r->ranks, sizeof *r->spills);
  if (!r->spills) return status_error(STATUS_CODE_memory, "no memory for %d ranks", r->ranks);
  status s = comm_turns_run(r->ranks, options->from_disk, r->spills, run_rank, r);
  comm_turns_close(r->spills, r->ranks);
  free(r->spills);
  return s;
}

/* ---- processes ---- */

/* A rank that fails alone says so, and ends the others, which wait for it. */
static status run_process(comm *c, fit_ranks *r) {
  const fit_place place = {.comm = c, .cells = &r->cells};
  bool is_alone = false;
  status s = fit_run(r->options, r->program, &place, &is_alone);
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
  close_graph(r);
  if (!s) s = run_process(c, r);
  program_mute(c->rank > 0);
  if (s) program_error("%s", status_message(s)); /* before the others end: then mpirun may end this one */
  program_mute(s != STATUS_OK);
  c->engine->close(c);
  return s;
}

status fit_run_ranks(const fit_options *options) {
  fit_ranks r = {.options = options};
  status s = options->from_disk     ? run_from_disk(options, &r)
             : options->local_ranks ? run_threads(options, &r)
                                    : run_processes(options, &r);
  close_graph(&r);
  cells_free(&r.cells);
  gnnc_program_close(r.program);
  return s;
}
