/* Creates a simulated overlay, runs layers of a program on it, and adds up their statistics. */
#include "sim/graphagile/engine.h"

#include "sim/graphagile/broadcast.h"
#include "sim/graphagile/fault.h"
#include "sim/graphagile/hazard.h"
#include "sim/graphagile/pe.h"
#include "sim/graphagile/scheduler.h"
#include "sim/graphagile/transfer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The least cycles between two points of the bandwidth curve in a trace. */
enum { SAMPLE_CYCLES = 256 };

static status alloc_contents(graphagile_engine *s, graphagile_engine_pe *pe) {
  const graphagile_device *d = &s->device;
  size_t rows = (size_t)d->feature_rows, weights = (size_t)d->weight_rows, edges = (size_t)d->edges;
  size_t width = (size_t)d->width;
  graphagile_sim_buffers *b = &pe->contents;
  bool is_fine = true;
  for (int i = 0; i < 3; i++) is_fine &= (b->feature[i] = calloc(rows, width * sizeof(float))) != NULL;
  for (int i = 0; i < 2; i++) {
    is_fine &= (b->weight[i] = calloc(weights, width * sizeof(float))) != NULL;
    is_fine &= (b->edge_src[i] = calloc(edges, sizeof(uint32_t))) != NULL;
    is_fine &= (b->edge_dst[i] = calloc(edges, sizeof(uint32_t))) != NULL;
    is_fine &= (b->edge_weight[i] = calloc(edges, sizeof(float))) != NULL;
  }
  const image_section *constants = &s->image->sections[IMAGE_CONSTANTS];
  b->device = d;
  b->constants = (const float *)(const void *)constants->data;
  b->num_constants = constants->data ? (int64_t)(constants->size / sizeof(float)) : 0;
  return is_fine ? STATUS_OK : status_error(STATUS_CODE_memory, "no memory for the buffers of PE %d", pe->number);
}

static status alloc_pes(graphagile_engine *s) {
  s->pes = arena_try_alloc_array(s->arena, (size_t)s->device.num_pes, sizeof *s->pes);
  s->stats->units = arena_try_alloc_array(s->arena, (size_t)s->device.num_pes, sizeof *s->stats->units);
  s->stats->layers = arena_try_alloc_array(s->arena, (size_t)s->num_layers + 1, sizeof *s->stats->layers);
  if (!s->pes || !s->stats->units || !s->stats->layers)
    return status_error(STATUS_CODE_memory, "no memory for %d PEs", s->device.num_pes);
  s->stats->num_units = s->device.num_pes;
  s->stats->num_layers = s->num_layers;
  for (int32_t i = 0; i < s->device.num_pes; i++) {
    graphagile_engine_pe *pe = &s->pes[i];
    pe->number = i;
    pe->blocks = arena_try_alloc_array(s->arena, (size_t)s->device.queue_blocks, sizeof *pe->blocks);
    if (!pe->blocks) return status_error(STATUS_CODE_memory, "no memory for %d tiling blocks", s->device.queue_blocks);
    if (!s->options.is_timing_only) RETURN_IF_ERROR(alloc_contents(s, pe));
  }
  return STATUS_OK;
}

/* Creates one channel for all PEs, or, with memory=paper, one for each PE. */
static void make_channels(graphagile_engine *s) {
  const graphagile_device *d = &s->device;
  bool is_paper = d->memory == GRAPHAGILE_MEMORY_paper;
  double rate = is_paper ? d->reload_gb_s : d->ddr_gb_s;
  s->num_channels = is_paper ? d->num_pes : 1;
  s->stats->bandwidth_gb_s = rate * s->num_channels;
  s->channels = arena_alloc_array(s->arena, (size_t)s->num_channels, sizeof(bandwidth *));
  for (int32_t i = 0; i < s->num_channels; i++) s->channels[i] = bandwidth_create(rate * 1e3 / d->clock_mhz);
}

static void free_pe(const graphagile_engine *s, graphagile_engine_pe *pe) {
  for (int32_t i = 0; pe->blocks && i < s->device.queue_blocks; i++) free(pe->blocks[i].insns);
  for (int i = 0; i < 3; i++) free(pe->contents.feature[i]);
  for (int i = 0; i < 2; i++) {
    free(pe->contents.weight[i]);
    free(pe->contents.edge_src[i]);
    free(pe->contents.edge_dst[i]);
    free(pe->contents.edge_weight[i]);
  }
}

static void destroy(void *state) {
  graphagile_engine *s = state;
  if (!s) return;
  for (int32_t i = 0; s->pes && i < s->device.num_pes; i++) free_pe(s, &s->pes[i]);
  for (int32_t i = 0; i < s->num_channels; i++) bandwidth_destroy(s->channels[i]);
  graphagile_cycles_destroy(s->cycles);
  graphagile_hazard_destroy(s->hazard);
  report_names_close(s->names);
  free(s->held);
  status_free(s->fault);
  free(s);
}

static status create(sim_host *host, void **state) {
  graphagile_engine *s = calloc(1, sizeof *s);
  if (!s) return status_error(STATUS_CODE_memory, "no memory for a simulated device");
  *state = s; /* the caller destroys it also after an error */
  s->host = host;
  s->image = host->image;
  s->device = host->device->graphagile;
  s->options = *host->options;
  s->memory = host->memory;
  s->arena = host->arena;
  s->stats = host->stats;
  RETURN_IF_ERROR(graphagile_scheduler_read_program(s));
  RETURN_IF_ERROR(alloc_pes(s));
  s->cycles = graphagile_cycles_create(&s->device, s->options.level, s->memory);
  s->hazard = graphagile_hazard_create();
  if (s->options.trace) s->names = report_names_open(s->image);
  make_channels(s);
  return STATUS_OK;
}

static void reset(graphagile_engine *s) {
  for (int32_t i = 0; i < s->device.num_pes; i++) graphagile_pe_reset(&s->pes[i]);
  for (int32_t i = 0; i < s->num_channels; i++) bandwidth_reset(s->channels[i]);
  graphagile_cycles_forget(s->cycles);
  s->num_held = 0;
  s->under_way = 0;
  s->sampled = s->sampled_busy = 0;
  s->now = 0;
  s->fault = STATUS_OK;
}

/* Writes a point of the bandwidth curve: the mean since the last point. */
static void sample_bandwidth(graphagile_engine *s) {
  uint64_t busy = 0; /* 2^-16 cycles in which one channel was busy */
  for (int32_t i = 0; i < s->num_channels; i++) busy += bandwidth_busy(s->channels[i]);
  if (s->now == s->sampled) return;
  double cycles = (double)(busy - s->sampled_busy) / 65536 / s->num_channels;
  trace_counter(s->trace, "DDR bandwidth", "GB/s", s->sampled,
                s->stats->bandwidth_gb_s * cycles / (double)(s->now - s->sampled));
  s->sampled = s->now;
  s->sampled_busy = busy;
}

/* Performs everything that happens at cycle s->now. False after a fault. */
static bool step(graphagile_engine *s) {
  if (!graphagile_transfer_complete(s)) return false;
  if (s->trace && s->now - s->sampled >= SAMPLE_CYCLES) sample_bandwidth(s);
  for (int32_t i = 0; i < s->device.num_pes; i++) {
    graphagile_engine_pe *pe = &s->pes[i];
    if ((pe->is_due || pe->wake <= s->now) && !graphagile_pe_step(s, pe)) return false;
  }
  graphagile_broadcast_step(s);
  return graphagile_scheduler_step(s);
}

static uint64_t earlier(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The next cycle at which something happens. */
static uint64_t next_event(const graphagile_engine *s) {
  uint64_t next =
      earlier(graphagile_transfer_next(s), earlier(graphagile_broadcast_next(s), graphagile_scheduler_next(s)));
  for (int32_t i = 0; i < s->device.num_pes; i++) next = earlier(next, s->pes[i].wake);
  return next;
}

/* Adds the run to the statistics of the program. */
static status finish(graphagile_engine *s, int64_t first) {
  status fault = s->fault;
  s->fault = STATUS_OK;
  for (int64_t i = first; i < s->end_layer; i++) s->stats->layers[i].begin += s->stats->cycles;
  for (int32_t i = 0; i < s->device.num_pes; i++)
    for (int k = 0; k < GRAPHAGILE_ENGINE_STATES; k++) s->stats->units[i].in[k] += s->pes[i].stats.in[k];
  s->stats->cycles += s->now;
  return fault;
}

/* Runs the layers before s->end_layer. */
static void advance(graphagile_engine *s) {
  uint64_t limit =
      s->options.max_cycles && s->options.max_cycles < SIM_MOST_CYCLES ? s->options.max_cycles : SIM_MOST_CYCLES;
  while (step(s) && !graphagile_scheduler_is_halted(s)) {
    uint64_t next = next_event(s);
    if (next == GRAPHAGILE_ENGINE_NEVER) {
      graphagile_fault_raise_deadlock(s);
      return;
    }
    if (s->stats->cycles + next > limit) {
      graphagile_fault_raise_layer(s, -1, "the run takes more than %" PRIu64 " cycles", limit);
      return;
    }
    if (next > s->now) s->now = next;
  }
}

static status run(void *state, uint64_t first, uint64_t end) {
  graphagile_engine *s = state;
  int64_t layer = graphagile_scheduler_find_layer(s, first), last = graphagile_scheduler_find_layer(s, end);
  if (layer < 0 || last < layer)
    return status_error(STATUS_CODE_format, ".text: records %" PRIu64 " to %" PRIu64 " are not whole layers", first,
                        end);
  s->trace = s->host->trace;
  if (!s->stats->runs) s->blocks_done = 0;
  reset(s);
  graphagile_scheduler_start(s, layer, last);
  advance(s);
  if (s->trace) {
    sample_bandwidth(s);
    trace_counter(s->trace, "DDR bandwidth", "GB/s", s->now, 0);
  }
  return finish(s, layer);
}

static const char *const state_names[GRAPHAGILE_ENGINE_STATES] = {
    "compute", "conflict", "hub_row", "fill", "wait_broadcast", "wait_ddr", "wait_store", "wait_block"};
static const char *const kind_names[SIM_KINDS] = {"input",  "hidden", "edges", "weights",
                                                  "values", "output", NULL,    "instructions"};
static const char *const pe_tracks[] = {"decoder", "load edges", "load weights", "load features", "compute",
                                        "store",   NULL};
static const char *const device_tracks[] = {"Scheduler", "DDR", NULL};

const sim_class graphagile_sim = {.machine = &graphagile_machine,
                                  .unit = "PE",
                                  .state_names = state_names,
                                  .num_states = GRAPHAGILE_ENGINE_STATES,
                                  .num_busy = GRAPHAGILE_ENGINE_BUSY_STATES,
                                  .kind_names = kind_names,
                                  .unit_tracks = pe_tracks,
                                  .device_tracks = device_tracks,
                                  .create = create,
                                  .destroy = destroy,
                                  .run = run};
