/* gnn-run --cells: several ranks run a program, each on its part of the graph. Rank 0 prints, writes and compares what all
 * have computed.
 *
 *   gnn-run gcn.c --graph cora.safetensors --cells cora.cells.safetensors --local-ranks=4 ...       threads
 *   mpirun -n 4 gnn-run gcn.c --graph cora.safetensors --cells cora.cells.safetensors ...           processes */
#include "data/cells/cells_file.h"
#include "data/cells/cells_statistics.h"
#include "runtime/comm/comm_module.h"
#include "runtime/comm/comm_threads.h"
#include "runtime/comm/comm_turns.h"
#include "runtime/inputs.h"
#include "support/clock.h"
#include "support/huge_pages.h"
#include "support/program.h"
#include "tools/gnn-run/gnn_run_ranks_events.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* What the ranks of this process share. */
typedef struct run_ranks_job {
  arena *arena; /* of rank 0 */
  const ranks_request *request;
  run_options *options;
  float **outputs; /* of the whole graph */
  ranks_sizes *sizes;
  double *seconds;    /* of each run, at rank 0 */
  run_events *events; /* NULL: nobody asks */
} run_ranks_job;

/* ---- each rank ---- */

static status open_and_run(comm *c, const run_ranks_job *job, rank_session *r) {
  bool is_first = c->rank == 0;
  RETURN_IF_ERROR(ranks_open(c, job->request, r));
  if (is_first) progress_step("run", NULL, 0);
  for (long i = 0; i < job->options->repeat; i++) {
    RETURN_IF_ERROR(ranks_run(r));
    if (is_first) job->seconds[i] = r->run_seconds;
  }
  return STATUS_OK;
}

static status compute(comm *c, const run_ranks_job *job, rank_session *r) {
  bool is_first = c->rank == 0;
  profile events = {.arena = NULL};
  if (job->events) run_events_begin(job->events, c->rank, &events);
  status s = open_and_run(c, job, r);
  if (!s && job->events) s = run_events_gather(job->events, r, &events);
  run_events_end(&events);
  RETURN_IF_ERROR(s);
  RETURN_IF_ERROR(ranks_gather_sizes(r, is_first ? job->sizes : NULL));
  return ranks_gather(r, is_first ? job->outputs : NULL);
}

static status run_rank(comm *c, void *user) {
  rank_session r = {0};
  status s = compute(c, user, &r);
  ranks_close(&r);
  return s;
}

/* ---- rank 0 ---- */

/* How often a run exchanges rows of ghosts, rows of edges, or transposes rows, and the bytes of all these rows. */
typedef enum exchange_kind { EXCHANGE_ghosts, EXCHANGE_edges, EXCHANGE_transpose } exchange_kind;

static exchange_kind kind_of(const gnnc_exchange_info *e) {
  return e->strips ? EXCHANGE_transpose : e->of_edges ? EXCHANGE_edges : EXCHANGE_ghosts;
}

static void count_exchanges(const ranks_request *request, exchange_kind kind, int32_t *count, size_t *row_bytes) {
  const gnnc_model_info *info = gnnc_program_info(request->program);
  *count = 0;
  *row_bytes = 0;
  for (int32_t i = 0; i < info->num_exchanges; i++) {
    const gnnc_exchange_info *e = &info->exchanges[i];
    if (e->in_bind || kind_of(e) != kind || !ranks_exchange_is_in(e, request->has_columns)) continue;
    ++*count;
    *row_bytes += e->row_bytes;
  }
}

/* "2 in each run, 64 bytes per ghost"; those of edges and transpositions, where there are any, behind them. */
static void print_exchanges(const ranks_request *request, FILE *to) {
  int32_t count;
  size_t row_bytes;
  count_exchanges(request, EXCHANGE_ghosts, &count, &row_bytes);
  fprintf(to, "exchanges: %d in each run, %zu bytes per ghost", count, row_bytes);
  count_exchanges(request, EXCHANGE_edges, &count, &row_bytes);
  if (count) fprintf(to, ", %d of %zu bytes per edge into a ghost", count, row_bytes);
  count_exchanges(request, EXCHANGE_transpose, &count, &row_bytes);
  if (count) fprintf(to, ", %d transpositions of %zu bytes per node", count, row_bytes);
}

static const char *mode_name(const ranks_request *request) {
  return request->has_columns ? "columns" : "rows";
}

static ranks_sizes add_up(const ranks_sizes *all, int32_t ranks) {
  ranks_sizes sum = {0};
  for (int32_t i = 0; i < ranks; i++) {
    sum.own += all[i].own;
    sum.ghosts += all[i].ghosts;
    sum.interior += all[i].interior;
    sum.edges += all[i].edges;
    sum.bind_bytes += all[i].bind_bytes;
    sum.run_bytes += all[i].run_bytes;
    if (all[i].memory_bytes > sum.memory_bytes) sum.memory_bytes = all[i].memory_bytes;
  }
  return sum;
}

static void print_summary(const run_ranks_job *job, int32_t ranks, const char *engine) {
  const run_options *o = job->options;
  const gnnc_model_info *info = gnnc_program_info(job->request->program);
  const graph *g = job->request->graph;
  ranks_sizes sum = add_up(job->sizes, ranks);
  FILE *to = o->report;
  fprintf(to, "model: %s\n", info->name);
  fprintf(to, "graph: %" PRId64 " nodes, %" PRId64 " edges\n", g->num_nodes, g->num_edges);
  fprintf(to, "ranks: %d (%s), %d cells%s\n", ranks, engine, job->request->cells->count,
          job->request->has_columns ? ", columns" : "");
  fprintf(to, "ghosts: %" PRId64 ", %.3f per node; interior: %" PRId64 " nodes\n", sum.ghosts,
          (double)sum.ghosts / (double)(g->num_nodes ? g->num_nodes : 1), sum.interior);
  print_exchanges(job->request, to);
  fprintf(to, "; received: %" PRId64 " bytes\n", sum.run_bytes / o->repeat);
  fprintf(to, "run: %.3f ms%s, %ld thread%s for each rank\n", job->seconds[o->repeat / 2] * 1e3,
          o->repeat > 1 ? " (median)" : "", o->threads, o->threads == 1 ? "" : "s");
  if (!o->has_stats || o->has_json) return;
  fprintf(to, "rank       own    ghosts  interior      edges   bytes received      memory\n");
  for (int32_t i = 0; i < ranks; i++) {
    const ranks_sizes *s = &job->sizes[i];
    fprintf(to, "%4d %9" PRId64 " %9" PRId64 " %9" PRId64 " %10" PRId64 " %16" PRId64 " %11zu\n", i, s->own, s->ghosts,
            s->interior, s->edges, s->run_bytes / o->repeat, s->memory_bytes);
  }
}

static status describe(run_ranks_job *job, int32_t ranks, const char *engine) {
  run_options *o = job->options;
  const gnnc_model_info *info = gnnc_program_info(job->request->program);
  RETURN_IF_ERROR(run_results_begin(o, NULL));
  json_t *list = json_array(), *exchanges = json_array();
  for (int32_t i = 0; i < ranks; i++) {
    const ranks_sizes *s = &job->sizes[i];
    json_array_append_new(
        list, json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "own", (json_int_t)s->own, "ghosts", (json_int_t)s->ghosts,
                        "interior", (json_int_t)s->interior, "edges", (json_int_t)s->edges, "out_edges",
                        (json_int_t)s->out_edges, "bind_bytes", (json_int_t)s->bind_bytes, "run_bytes",
                        (json_int_t)(s->run_bytes / o->repeat), "memory_bytes", (json_int_t)s->memory_bytes));
  }
  for (int32_t i = 0; i < info->num_exchanges; i++)
    if (ranks_exchange_is_in(&info->exchanges[i], job->request->has_columns))
      json_array_append_new(exchanges,
                            json_pack("{s:s,s:b,s:b,s:I,s:i,s:b}", "values", info->exchanges[i].names, "in_bind",
                                      info->exchanges[i].in_bind, "of_edges", info->exchanges[i].of_edges, "row_bytes",
                                      (json_int_t)info->exchanges[i].row_bytes, "strips", info->exchanges[i].strips,
                                      "to_rows", info->exchanges[i].to_rows));
  run_results_put(o, "made_by", json_string(run_describe_origin(job->arena, o, NULL).made_by));
  run_results_put(o, "model", json_string(info->name));
  run_results_put(o, "engine", json_string(engine));
  run_results_put(o, "cells", json_integer(job->request->cells->count));
  run_results_put(o, "mode", json_string(mode_name(job->request)));
  run_results_put(o, "ranks", list);
  run_results_put(o, "exchanges", exchanges);
  run_results_put(o, "threads", json_integer(o->threads));
  run_results_put(o, "runs", json_integer(o->repeat));
  run_results_put(o, "ms", json_real(1e3 * job->seconds[o->repeat / 2]));
  return STATUS_OK;
}

/* Room for the outputs of the whole graph. */
static status make_outputs(run_ranks_job *job) {
  const gnnc_model_info *info = gnnc_program_info(job->request->program);
  job->outputs = arena_alloc_array(job->arena, (size_t)info->num_outputs + 1, sizeof *job->outputs);
  for (int32_t i = 0; i < info->num_outputs; i++) {
    size_t bytes =
        (size_t)(inputs_rows(&info->outputs[i], job->request->graph) * inputs_row_elements(&info->outputs[i])) *
        sizeof(float);
    job->outputs[i] = huge_pages_allocate(bytes);
    if (!job->outputs[i]) return status_error(STATUS_CODE_memory, "no memory for output '%s'", info->outputs[i].name);
  }
  return STATUS_OK;
}

static void free_outputs(const run_ranks_job *job) {
  for (int32_t i = 0; job->outputs && i < gnnc_program_info(job->request->program)->num_outputs; i++)
    free(job->outputs[i]);
}

static int compare_seconds(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* Reports what all ranks have computed. */
static status finish(run_ranks_job *job, int32_t ranks, const char *engine, bool *differs) {
  const gnnc_model_info *info = gnnc_program_info(job->request->program);
  qsort(job->seconds, (size_t)job->options->repeat, sizeof *job->seconds, compare_seconds);
  progress_step("", NULL, 0);
  print_summary(job, ranks, engine);
  RETURN_IF_ERROR(describe(job, ranks, engine));
  if (job->events) RETURN_IF_ERROR(run_events_write(job->events, ranks, job->options));
  run_outputs outputs = run_outputs_of_ranks(job->arena, info, job->request->graph, job->outputs);
  return run_use_outputs(job->arena, &outputs, job->request->graph, job->options, differs);
}

/* ---- engines ---- */

/* What the ranks of a process run. */
typedef struct run_files {
  gnnc_program *program;
  graph *graph;
  cells cells;
  ranks_request request;
  run_ranks_job job;
} run_files;

/* Ranks of this process: one for each cell where parts come from disk and their number is not given. */
static int32_t count_local(const run_options *o, const cells *c) {
  return o->local_ranks ? (int32_t)o->local_ranks : o->from_disk ? c->count : 0;
}

/* The bytes that a run receives per node, all ranks together: rows of ghosts, or strips of all columns but the rank's own. */
static double bytes_per_node(const gnnc_model_info *info, double ghosts, int32_t ranks, bool has_columns) {
  double bytes = 0;
  for (int32_t i = 0; i < info->num_exchanges; i++) {
    const gnnc_exchange_info *e = &info->exchanges[i];
    const double others = ranks - 1;
    if (e->in_bind || !ranks_exchange_is_in(e, has_columns)) continue;
    bytes += (double)e->row_bytes * (e->strips ? others / ranks : has_columns ? others : ghosts);
  }
  return bytes;
}

/* Columns where they are asked for, or where fewer bytes cross the network so. */
static status choose_mode(const run_options *o, const gnnc_program *program, const graph *g, const cells *c,
                          int32_t ranks, bool *has_columns) {
  const gnnc_model_info *info = gnnc_program_info(program);
  const bool can = rank_part_needs(program) & GNNC_RANKS_COLUMNS;
  const bool is_asked = o->mode && !strcmp(o->mode, "columns"), is_auto = !o->mode || !strcmp(o->mode, "auto");
  double ghosts = 0;
  *has_columns = is_asked;
  if (is_asked && !can)
    return status_error(
        STATUS_CODE_mismatch,
        "%s: the program is for ranks that have rows; gnnc --ranks=columns makes one for columns, too, where "
        "it can slice a sum over edges",
        o->program);
  *has_columns &= ranks > 1;
  if (!is_auto || !can) return STATUS_OK;
  RETURN_IF_ERROR(cells_measure_ghosts(g, c, ranks, &ghosts));
  *has_columns = ranks > 1 && bytes_per_node(info, ghosts, ranks, true) < bytes_per_node(info, ghosts, ranks, false);
  return STATUS_OK;
}

/* ranks: 0 where this process has them all. */
static status open_files(run_options *options, int32_t ranks, run_files *out) {
  *out = (run_files){.program = NULL};
  RETURN_IF_ERROR(run_open_program(options, &out->program));
  RETURN_IF_ERROR(graph_open(options->graph, &out->graph));
  RETURN_IF_ERROR(cells_open(options->cells, out->graph, &out->cells));
  if (!ranks) ranks = count_local(options, &out->cells);
  RETURN_IF_ERROR(ranks_check(out->program, out->graph, &out->cells, ranks));
  bool has_columns = false;
  RETURN_IF_ERROR(choose_mode(options, out->program, out->graph, &out->cells, ranks, &has_columns));
  out->request = (ranks_request){.program = out->program,
                                 .graph = out->graph,
                                 .cells = &out->cells,
                                 .weights = options->weights,
                                 .threads = (int32_t)options->threads,
                                 .has_columns = has_columns,
                                 .watch.delay_seconds = 1e-6 * (double)options->exchange_delay,
                                 .watch.begun = options->trace ? profile_note_begin : NULL};
  run_ranks_job *job = &out->job;
  *job = (run_ranks_job){.arena = arena_create(), .request = &out->request, .options = options};
  job->seconds = arena_alloc_array(job->arena, (size_t)options->repeat, sizeof *job->seconds);
  job->sizes = arena_alloc_array(job->arena, (size_t)ranks, sizeof *job->sizes);
  if (!options->trace) return STATUS_OK;
  job->events = arena_alloc(job->arena, sizeof *job->events);
  return run_events_open(job->arena, out->program, options, job->events);
}

static void close_files(run_files *f) {
  if (f->job.arena) free_outputs(&f->job);
  if (f->job.arena) arena_destroy(f->job.arena);
  cells_free(&f->cells);
  graph_close(f->graph);
  gnnc_program_close(f->program);
}

static status run_threads(run_options *options, run_files *f, bool *differs) {
  RETURN_IF_ERROR(open_files(options, 0, f));
  const int32_t ranks = count_local(options, &f->cells);
  RETURN_IF_ERROR(make_outputs(&f->job));
  RETURN_IF_ERROR(comm_threads_run(ranks, NULL, run_rank, &f->job));
  return finish(&f->job, ranks, "threads", differs);
}

/* ---- parts from disk ---- */

static status run_from_disk(run_options *options, run_files *f, bool *differs) {
  RETURN_IF_ERROR(open_files(options, 0, f));
  const int32_t ranks = count_local(options, &f->cells);
  spill **spills = arena_alloc_array(f->job.arena, (size_t)ranks, sizeof *spills);
  f->request.spills = spills;
  status s = make_outputs(&f->job);
  if (!s) s = comm_turns_run(ranks, options->from_disk, spills, run_rank, &f->job);
  if (!s) s = finish(&f->job, ranks, "from disk", differs);
  comm_turns_close(spills, ranks);
  return s;
}

/* Ends all processes after a failure that the others do not know of. */
static void end_all(comm *c, status s) {
  program_error("rank %d: %s", c->rank, status_message(s));
  fflush(NULL);
  c->engine->fail(c);
}

static status compute_in_process(comm *c, run_files *f) {
  rank_session r = {0};
  RETURN_IF_ERROR(c->engine->agree(c, c->rank ? STATUS_OK : make_outputs(&f->job)));
  status s = compute(c, &f->job, &r);
  if (s && r.part.is_alone) end_all(c, s);
  ranks_close(&r);
  return s;
}

/* Rank 0 reports what all ranks have computed, or the failure on which they agree; the others are silent. */
static status run_processes(run_options *options, run_files *f, bool *differs) {
  comm *c = NULL;
  RETURN_IF_ERROR(comm_open_mpi(NULL, NULL, &c));
  const bool is_first = c->rank == 0;
  if (!is_first) progress_begin("gnn-run", PROGRESS_never);
  status s = c->engine->agree(c, open_files(options, c->size, f));
  if (!s && f->job.events) f->job.events->zero = clock_seconds();
  if (!s) s = compute_in_process(c, f);
  if (!s && is_first) s = finish(&f->job, c->size, "mpi", differs);
  if (s && is_first) program_error("%s", status_message(s)); /* before others end: then mpirun may end this one */
  *differs |= s != STATUS_OK;
  status_free(s);
  c->engine->close(c);
  return STATUS_OK;
}

status run_ranks(run_options *options, bool *differs) {
  run_files f = {.program = NULL};
  status s = options->from_disk     ? run_from_disk(options, &f, differs)
             : options->local_ranks ? run_threads(options, &f, differs)
                                    : run_processes(options, &f, differs);
  close_files(&f);
  return s;
}
