/* A simulated AGILE: executes records one after the other and adds up statistics. */
#include "isa/agile/timing.h"
#include "sim/agile/execute.h"
#include "sim/agile/time.h"
#include "sim/sim_class.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
  COUNTER_NODES,
  COUNTER_PASSES,
  COUNTER_PARTIAL,
  COUNTER_TIMEOUTS,
  COUNTER_MASTERS,
  COUNTER_MANAGERS,
  COUNTER_BUFFER,
  COUNTER_ENGINE,
  COUNTERS
};

typedef struct engine {
  sim_host *host;
  const agile_device *device;
  uint64_t limit;                 /* cycles of a run */
  uint64_t nodes_done, nodes_all; /* of the program, for the progress */
  agile_state state;
  agile_weights *weights;
  uint64_t *slots; /* [AGILE_SLOT_STATES * nodeslots]: half cycles of a start */
} engine;

static const image_section *text_of(const engine *e) {
  return &e->host->image->sections[IMAGE_TEXT];
}

static status read_record(const engine *e, uint64_t record, agile_insn *out) {
  return isa_decode(&agile_isa, text_of(e)->data + record * AGILE_INSN_BYTES, out);
}

/* The descriptors of the layer; an empty table may lie nowhere. */
static const unsigned char *descs_of(const engine *e) {
  const image_section *s = &e->host->image->sections[IMAGE_DESC];
  return e->state.reg[AGILE_REGISTER_node_count] ? s->data + (e->state.reg[AGILE_REGISTER_nodeslots] - s->address)
                                                 : NULL;
}

static sim_layer *layer_of(const engine *e) {
  return &e->host->stats->layers[e->state.layer];
}

/* Adds cycles to the run and to its layer. */
static status spend(engine *e, uint64_t cycles) {
  sim_stats *stats = e->host->stats;
  if (cycles > e->limit || stats->cycles > e->limit - cycles)
    return status_error(STATUS_CODE_mismatch, "the run takes more than %" PRIu64 " cycles", e->limit);
  stats->cycles += cycles;
  layer_of(e)->cycles += cycles;
  return STATUS_OK;
}

static uint64_t bytes_of(const sim_layer *l) {
  uint64_t bytes = 0;
  for (int k = 0; k < SIM_KINDS; k++) bytes += l->bytes_read[k] + l->bytes_written[k];
  return bytes;
}

/* Cycles of something that moves so many bytes: with a shared memory, those take their time. */
static uint64_t at_least(const engine *e, uint64_t cycles, uint64_t bytes) {
  const agile_device *d = e->device;
  double least = (double)bytes / (d->ddr_gb_s * d->cycle_ns);
  if (d->memory == AGILE_MEMORY_ideal || e->host->options->level == SIM_L0 || least <= (double)cycles) return cycles;
  return least < 0x1p62 ? (uint64_t)ceil(least) : UINT64_C(1) << 62;
}

/* ---- weights ---- */

static status fetch_weights(engine *e) {
  const uint64_t *reg = e->state.reg;
  uint64_t f = reg[AGILE_REGISTER_in_features], o = reg[AGILE_REGISTER_out_features], precisions = 0;
  for (int p = 0; p < AGILE_PRECISIONS; p++) precisions += reg[AGILE_REGISTER_precisions] >> p & 1;
  uint64_t bytes = precisions * o * agile_row_bytes(f);
  layer_of(e)->bytes_read[AGILE_KIND_weights] += bytes;
  if (!e->host->options->is_timing_only) {
    agile_weights_free(e->weights);
    e->weights = NULL;
    RETURN_IF_ERROR(agile_weights_fetch(e->host->memory, &e->state, &e->weights));
  }
  return spend(e, at_least(e, precisions * agile_weights_cycles(e->device, f, o), bytes));
}

/* ---- nodeslots ---- */

static status find_times(engine *e, uint64_t run_begin, agile_times *out) {
  uint64_t done = e->host->stats->cycles;
  size_t slots = (size_t)e->device->nodeslots;
  agile_timing t = {.device = e->device,
                    .registers = &e->state,
                    .descs = descs_of(e),
                    .limit = done < e->limit ? e->limit - done : 0,
                    .trace = e->host->trace,
                    .begin = done - run_begin};
  memset(e->slots, 0, AGILE_SLOT_STATES * slots * sizeof *e->slots);
  for (int k = 0; k < AGILE_SLOT_STATES; k++) out->in[k] = e->slots + (size_t)k * slots;
  if (e->host->options->level == SIM_L0)
    agile_time_bound(&t, out);
  else
    RETURN_IF_ERROR(agile_time_events(&t, out));
  if (!out->is_too_long) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "the run takes more than %" PRIu64 " cycles", e->limit);
}

static void count_node(const engine *e, agile_desc node, sim_layer *layer) {
  uint64_t f = e->state.reg[AGILE_REGISTER_in_features], o = e->state.reg[AGILE_REGISTER_out_features];
  uint64_t first = node.count < (uint32_t)e->device->address_queue ? node.count : (uint64_t)e->device->address_queue;
  uint64_t beats = agile_row_beats(first) + agile_row_beats(node.count - first);
  layer->blocks++;
  layer->multiply_adds += node.count * f + f * o;
  layer->bytes_read[AGILE_KIND_lists] += beats * AGILE_BEAT_BYTES;
  layer->bytes_read[AGILE_KIND_scales] += agile_row_bytes(node.count);
  layer->bytes_read[AGILE_KIND_messages] +=
      node.count * agile_message_beats(e->device, node.precision, f) * AGILE_BEAT_BYTES;
  layer->bytes_written[AGILE_KIND_results] += agile_row_bytes(o);
}

/* Adds the cycles of each nodeslot by state. */
static void count_states(const engine *e, const agile_times *t, sim_layer *layer) {
  sim_stats *stats = e->host->stats;
  uint64_t longest = 0;
  for (int32_t i = 0; i < stats->num_units; i++) {
    for (int k = 0; k < AGILE_SLOT_STATES; k++) {
      stats->units[i].in[k] += t->in[k][i] / 2;
      layer->in[k] += t->in[k][i] / 2;
    }
    uint64_t work = (t->in[AGILE_SLOT_aggregate][i] + t->in[AGILE_SLOT_transform][i]) / 2;
    if (work > longest) longest = work;
  }
  layer->busy_most += longest;
}

static void count(engine *e, const agile_times *t) {
  sim_layer *layer = layer_of(e);
  const uint64_t added[COUNTERS] = {t->nodes,         t->passes,         t->partial,       t->timeouts,
                                    t->master_cycles, t->manager_cycles, t->buffer_cycles, t->engine_cycles};
  for (int i = 0; i < COUNTERS; i++) e->host->stats->counters[i].value += added[i];
  for (uint64_t i = 0; i < e->state.reg[AGILE_REGISTER_node_count]; i++) {
    agile_desc node = agile_desc_at(descs_of(e), i);
    if (agile_desc_runs(node)) count_node(e, node, layer);
  }
  layer->bytes_read[AGILE_KIND_descriptors] +=
      agile_ceil(e->state.reg[AGILE_REGISTER_node_count], AGILE_BEAT_DESCS) * AGILE_BEAT_BYTES;
  count_states(e, t, layer);
  e->nodes_done += t->nodes;
  if (e->host->options->progress) e->host->options->progress(e->host->options->user, e->nodes_done, e->nodes_all);
}

static void note(double *most, double value) {
  if (value > *most) *most = value;
}

static status execute(engine *e) {
  agile_largest l = {0};
  if (e->host->options->is_timing_only) return STATUS_OK;
  RETURN_IF_ERROR(agile_execute(e->host->memory, e->host->image, &e->state, descs_of(e), e->weights, &l));
  note(&layer_of(e)->largest[AGILE_KIND_messages], l.message);
  note(&layer_of(e)->largest[AGILE_KIND_weights], l.weight);
  note(&layer_of(e)->largest[AGILE_KIND_scales], l.scale);
  return STATUS_OK;
}

static status start(engine *e, uint64_t run_begin) {
  agile_times t = {0};
  uint64_t before = bytes_of(layer_of(e));
  RETURN_IF_ERROR(find_times(e, run_begin, &t));
  RETURN_IF_ERROR(execute(e));
  count(e, &t);
  return spend(e, at_least(e, t.cycles, bytes_of(layer_of(e)) - before));
}

/* ---- the device ---- */

static void begin_layer(const engine *e) {
  sim_layer *layer = layer_of(e);
  if (!layer->type) layer->begin = e->host->stats->cycles;
  layer->type = "layer";
  layer->peak = (double)e->device->fte_rows * (double)e->device->fte_columns / (double)e->device->pulse;
}

static status run_record(engine *e, uint64_t record, uint64_t run_begin) {
  agile_insn in;
  agile_action action;
  RETURN_IF_ERROR(read_record(e, record, &in));
  RETURN_IF_ERROR(agile_state_step(&e->state, &in, &action));
  if (in.op == AGILE_OP_layer) begin_layer(e);
  if (e->state.is_in_layer && in.op != AGILE_OP_halt) layer_of(e)->instructions++;
  if (action == AGILE_ACTION_fetch) return fetch_weights(e);
  return action == AGILE_ACTION_start ? start(e, run_begin) : STATUS_OK;
}

static status run(void *state, uint64_t first, uint64_t end) {
  engine *e = state;
  const sim_stats *stats = e->host->stats;
  uint64_t begin = stats->cycles;
  if (!stats->runs) e->nodes_done = 0;
  e->state = (agile_state){0};
  for (uint64_t i = first; i < end; i++) {
    status fault = run_record(e, i, begin);
    if (fault)
      return status_context(fault, "layer %" PRIu64 ", record at 0x%" PRIx64 ", cycle %" PRIu64, e->state.layer,
                            text_of(e)->address + i * AGILE_INSN_BYTES, stats->cycles);
  }
  return STATUS_OK;
}

/* Finds the number of layers and of nodes. */
static status read_program(engine *e) {
  sim_stats *stats = e->host->stats;
  uint64_t nodes = 0;
  for (uint64_t i = 0; i < text_of(e)->size / AGILE_INSN_BYTES; i++) {
    agile_insn in;
    RETURN_IF_ERROR(read_record(e, i, &in));
    if (in.op == AGILE_OP_layer && (int64_t)in.layer.layer >= stats->num_layers)
      stats->num_layers = (int64_t)in.layer.layer + 1;
    if (in.op == AGILE_OP_write && in.write.reg == AGILE_REGISTER_node_count) nodes = in.write.value;
    if (in.op == AGILE_OP_write && in.write.reg == AGILE_REGISTER_start_nodeslot_fetch) e->nodes_all += nodes;
  }
  return STATUS_OK;
}

static status create(sim_host *host, void **state) {
  static const char *const names[COUNTERS] = {"nodes",         "passes",         "partial_responses", "time_outs",
                                              "master_cycles", "manager_cycles", "buffer_cycles",     "engine_cycles"};
  sim_stats *stats = host->stats;
  engine *e = arena_alloc(host->arena, sizeof *e);
  *state = e;
  e->host = host;
  e->device = &host->device->agile;
  e->limit = host->options->max_cycles && host->options->max_cycles < SIM_MOST_CYCLES ? host->options->max_cycles
                                                                                      : SIM_MOST_CYCLES;
  RETURN_IF_ERROR(read_program(e));
  stats->bandwidth_gb_s = e->device->ddr_gb_s;
  stats->num_units = e->device->nodeslots;
  stats->units = arena_alloc_array(host->arena, (size_t)stats->num_units, sizeof *stats->units);
  e->slots = arena_alloc_array(host->arena, AGILE_SLOT_STATES * (size_t)stats->num_units, sizeof *e->slots);
  stats->layers = arena_alloc_array(host->arena, (size_t)stats->num_layers + 1, sizeof *stats->layers);
  stats->num_counters = COUNTERS;
  stats->counters = arena_alloc_array(host->arena, COUNTERS, sizeof *stats->counters);
  for (int i = 0; i < COUNTERS; i++) stats->counters[i].name = names[i];
  return STATUS_OK;
}

static void destroy(void *state) {
  engine *e = state;
  if (e) agile_weights_free(e->weights);
}

static const char *const kind_names[SIM_KINDS] = {
    [AGILE_KIND_descriptors] = "descriptors", [AGILE_KIND_lists] = "lists",     [AGILE_KIND_scales] = "scales",
    [AGILE_KIND_messages] = "messages",       [AGILE_KIND_weights] = "weights", [AGILE_KIND_results] = "results"};
static const char *const unit_tracks[] = {[AGILE_TRACK_SLOT] = "node", NULL};
static const char *const device_tracks[] = {"transformation", NULL};

const sim_class agile_sim = {.machine = &agile_machine,
                             .unit = "nodeslot",
                             .state_names = node_state_names,
                             .num_states = AGILE_SLOT_STATES,
                             .num_busy = 2,
                             .kind_names = kind_names,
                             .unit_tracks = unit_tracks,
                             .device_tracks = device_tracks,
                             .create = create,
                             .destroy = destroy,
                             .run = run};
