/* Making a simulated device, running a program on it, and what the run has shown. */
#include "sim/sim.h"

#include "sim/graphagile/broadcast.h"
#include "sim/graphagile/fault.h"
#include "sim/graphagile/pe.h"
#include "sim/graphagile/scheduler.h"
#include "sim/graphagile/transfer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static status alloc_contents(sim *s, engine_pe *pe) {
  const device *d = &s->device;
  size_t rows = (size_t)d->feature_rows, weights = (size_t)d->weight_rows, edges = (size_t)d->edges;
  size_t width = (size_t)d->width;
  sim_buffers *b = &pe->contents;
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

static status alloc_pes(sim *s) {
  s->pes = arena_try_alloc_array(s->arena, (size_t)s->device.num_pes, sizeof *s->pes);
  s->stats.pes = arena_try_alloc_array(s->arena, (size_t)s->device.num_pes, sizeof *s->stats.pes);
  s->stats.layers = arena_try_alloc_array(s->arena, (size_t)s->stats.num_layers + 1, sizeof *s->stats.layers);
  if (!s->pes || !s->stats.pes || !s->stats.layers)
    return status_error(STATUS_CODE_memory, "no memory for %d PEs", s->device.num_pes);
  s->stats.num_pes = s->device.num_pes;
  for (int32_t i = 0; i < s->device.num_pes; i++) {
    engine_pe *pe = &s->pes[i];
    pe->number = i;
    pe->blocks = arena_try_alloc_array(s->arena, (size_t)s->device.queue_blocks, sizeof *pe->blocks);
    if (!pe->blocks) return status_error(STATUS_CODE_memory, "no memory for %d tiling blocks", s->device.queue_blocks);
    if (!s->options.is_timing_only) RETURN_IF_ERROR(alloc_contents(s, pe));
  }
  return STATUS_OK;
}

/* One channel for all PEs, or in memory=paper one per PE. */
static void make_channels(sim *s) {
  const device *d = &s->device;
  bool is_paper = d->memory == DEVICE_MEMORY_PAPER;
  double per_cycle = (is_paper ? d->reload_gb_s : d->ddr_gb_s) * 1e3 / d->clock_mhz;
  s->num_channels = is_paper ? d->num_pes : 1;
  s->channels = arena_alloc_array(s->arena, (size_t)s->num_channels, sizeof(bandwidth *));
  for (int32_t i = 0; i < s->num_channels; i++) s->channels[i] = bandwidth_create(per_cycle);
}

status sim_create(const image *im, const device *machine, const sim_options *options, sim **out) {
  RETURN_IF_ERROR(device_check_same(&im->device, machine));
  sim *s = calloc(1, sizeof *s);
  if (!s) return status_error(STATUS_CODE_memory, "no memory for a simulated device");
  s->image = im;
  s->device = *machine;
  s->options = *options;
  s->arena = arena_create();
  status problem = memory_create(im, options->is_timing_only, &s->memory);
  if (!problem) problem = scheduler_read_program(s);
  if (!problem) problem = alloc_pes(s);
  if (problem) {
    sim_destroy(s);
    return problem;
  }
  s->cycles = cycles_create(&s->device, options->level, s->memory);
  make_channels(s);
  *out = s;
  return STATUS_OK;
}

static void free_pe(const sim *s, engine_pe *pe) {
  for (int32_t i = 0; pe->blocks && i < s->device.queue_blocks; i++) free(pe->blocks[i].insns);
  for (int i = 0; i < 3; i++) free(pe->contents.feature[i]);
  for (int i = 0; i < 2; i++) {
    free(pe->contents.weight[i]);
    free(pe->contents.edge_src[i]);
    free(pe->contents.edge_dst[i]);
    free(pe->contents.edge_weight[i]);
  }
}

void sim_destroy(sim *s) {
  if (!s) return;
  for (int32_t i = 0; s->pes && i < s->device.num_pes; i++) free_pe(s, &s->pes[i]);
  for (int32_t i = 0; i < s->num_channels; i++) bandwidth_destroy(s->channels[i]);
  cycles_destroy(s->cycles);
  memory_destroy(s->memory);
  free(s->held);
  status_free(s->fault);
  arena_destroy(s->arena);
  free(s);
}

void *sim_memory(sim *s, uint64_t address, uint64_t size) {
  return s->options.is_timing_only ? NULL : memory_write(s->memory, address, size, false);
}

static void reset(sim *s) {
  for (int32_t i = 0; i < s->device.num_pes; i++) pe_reset(&s->pes[i]);
  for (int32_t i = 0; i < s->num_channels; i++) bandwidth_reset(s->channels[i]);
  cycles_forget(s->cycles);
  s->num_held = 0;
  s->under_way = 0;
  s->now = 0;
  s->fault = STATUS_OK;
  memset(s->stats.layers, 0, (size_t)s->stats.num_layers * sizeof *s->stats.layers);
}

/* All that happens at cycle s->now. False after a fault. */
static bool step(sim *s) {
  if (!transfer_complete(s)) return false;
  for (int32_t i = 0; i < s->device.num_pes; i++) {
    engine_pe *pe = &s->pes[i];
    if ((pe->is_due || pe->wake <= s->now) && !pe_step(s, pe)) return false;
  }
  broadcast_step(s);
  return scheduler_step(s);
}

static uint64_t earlier(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The next cycle at which anything happens. */
static uint64_t next_event(const sim *s) {
  uint64_t next = earlier(transfer_next(s), earlier(broadcast_next(s), scheduler_next(s)));
  for (int32_t i = 0; i < s->device.num_pes; i++) next = earlier(next, s->pes[i].wake);
  return next;
}

static status finish(sim *s) {
  double cycle_ns = s->device.cycle_ns > 0 ? s->device.cycle_ns : 1000 / s->device.clock_mhz;
  status fault = s->fault;
  s->fault = STATUS_OK;
  s->stats.cycles = s->now;
  s->stats.ms = (double)s->now * cycle_ns * 1e-6;
  for (int32_t i = 0; i < s->device.num_pes; i++) s->stats.pes[i] = s->pes[i].stats;
  status traced = trace_end(s->trace);
  s->trace = NULL;
  if (!fault) return traced;
  status_free(traced);
  return fault;
}

status sim_run(sim *s) {
  const uint64_t most = ENGINE_MOST_CYCLES;
  uint64_t limit = s->options.max_cycles && s->options.max_cycles < most ? s->options.max_cycles : most;
  reset(s);
  if (s->options.trace) s->trace = trace_begin(s->options.trace, &s->device);
  scheduler_start(s);
  while (step(s) && !scheduler_is_halted(s)) {
    uint64_t next = next_event(s);
    if (next == ENGINE_NEVER) {
      fault_raise_deadlock(s);
      break;
    }
    if (next > limit) {
      fault_raise_layer(s, -1, "the run takes more than %" PRIu64 " cycles", limit);
      break;
    }
    if (next > s->now) s->now = next;
  }
  return finish(s);
}

const sim_stats *sim_statistics(const sim *s) {
  return &s->stats;
}
