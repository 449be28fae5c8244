/* Creates simulated devices of any machine and runs programs on them: see sim.h. */
#include "sim/sim_class.h"

#include <stdlib.h>
#include <string.h>

struct sim {
  const sim_class *class;
  device device;
  sim_options options;
  sim_host host;
  sim_stats stats;
  void *state;
};

const sim_class *sim_class_of(const machine *m) {
  const sim_class *const *c = sim_class_table;
  while ((*c)->machine != m) c++;
  return *c;
}

status sim_create(const image *im, const device *runs_on, const sim_options *options, sim **out) {
  RETURN_IF_ERROR(device_check_same(&im->device, runs_on));
  sim *s = calloc(1, sizeof *s);
  if (!s) return status_error(STATUS_CODE_memory, "no memory for a simulated device");
  s->class = sim_class_of(im->device.machine);
  s->device = *runs_on;
  s->options = *options;
  s->host = (sim_host){
      .image = im, .device = &s->device, .options = &s->options, .arena = arena_create(), .stats = &s->stats};
  status problem = memory_create(im, options->is_timing_only, &s->host.memory);
  if (!problem) problem = s->class->create(&s->host, &s->state);
  if (problem) {
    sim_destroy(s);
    return problem;
  }
  *out = s;
  return STATUS_OK;
}

void sim_destroy(sim *s) {
  if (!s) return;
  status_free(trace_end(s->host.trace));
  s->class->destroy(s->state);
  memory_destroy(s->host.memory);
  arena_destroy(s->host.arena);
  free(s);
}

void *sim_memory(sim *s, uint64_t address, uint64_t size) {
  return s->options.is_timing_only ? NULL : memory_write(s->host.memory, address, size, false);
}

void sim_begin(sim *s) {
  sim_stats *t = &s->stats;
  t->cycles = t->runs = 0;
  t->ms = 0;
  if (t->num_layers) memset(t->layers, 0, (size_t)t->num_layers * sizeof *t->layers);
  if (t->num_units) memset(t->units, 0, (size_t)t->num_units * sizeof *t->units);
  for (int32_t i = 0; i < t->num_counters; i++) t->counters[i].value = 0;
  if (s->options.trace)
    s->host.trace = trace_begin(s->options.trace, &s->device, s->options.origin, s->class->unit, t->num_units,
                                s->class->unit_tracks, s->class->device_tracks);
}

status sim_run_records(sim *s, uint64_t first, uint64_t end) {
  trace_shift(s->host.trace, s->stats.cycles);
  status problem = s->class->run(s->state, first, end);
  s->stats.runs++;
  s->stats.ms = (double)s->stats.cycles * s->device.common.cycle_ns * 1e-6;
  return problem;
}

status sim_end(sim *s) {
  status problem = trace_end(s->host.trace);
  s->host.trace = NULL;
  return problem;
}

status sim_run(sim *s) {
  const image *im = s->host.image;
  sim_begin(s);
  status fault = sim_run_records(s, 0, im->sections[IMAGE_TEXT].size / im->device.machine->isa->insn_bytes);
  status traced = sim_end(s);
  if (!fault) return traced;
  status_free(traced);
  return fault;
}

const sim_stats *sim_statistics(const sim *s) {
  return &s->stats;
}

const device *sim_device(const sim *s) {
  return &s->device;
}

const char *sim_unit_name(const machine *m) {
  return sim_class_of(m)->unit;
}
