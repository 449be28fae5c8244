/* A simulated Sextans: executes one launch after the other and adds up statistics. */
#include "isa/sextans/timing.h"
#include "sim/sextans/execute.h"
#include "sim/sextans/time.h"
#include "sim/sim_class.h"

#include <inttypes.h>
#include <stdlib.h>

enum { KIND_A, KIND_B, KIND_C_IN, KIND_Q, KIND_C_OUT };
enum { COUNTER_PASSES, COUNTER_SLOTS, COUNTER_BUBBLES, COUNTERS };

typedef struct engine {
  sim_host *host;
  const sextans_device *device;
  uint64_t limit;                   /* cycles of a run */
  uint64_t passes_done, passes_all; /* of the program, for the progress */
} engine;

/* A launch while it is simulated. */
typedef struct launch {
  sextans_spmm in;
  sextans_view view;
  sextans_decoded lists;
  sextans_times times;
} launch;

static uint64_t count_records(const engine *e) {
  return e->host->image->sections[IMAGE_TEXT].size / SEXTANS_INSN_BYTES;
}

static status read_record(const engine *e, uint64_t record, sextans_insn *out) {
  return isa_decode(&sextans_isa, e->host->image->sections[IMAGE_TEXT].data + record * SEXTANS_INSN_BYTES, out);
}

/* ---- one launch ---- */

/* Finds Q in the image, and A in memory, where the host may have written values. Without memory A
 * is that of the image. */
static status find_lists(const engine *e, launch *l) {
  RETURN_IF_ERROR(sextans_view_open(e->host->image, &l->in, &l->view));
  sextans_place a = sextans_place_a(&l->in);
  for (int c = 0; c < a.channels && a.bytes && !e->host->options->is_timing_only; c++) {
    l->view.a[c] = memory_read(e->host->memory, a.base + (uint64_t)c * a.stride, a.bytes);
    if (!l->view.a[c]) return status_error(STATUS_CODE_format, "'a' does not lie in '.weights'");
  }
  return sextans_lists_decode(&l->view, &l->in, e->device, !e->host->options->is_timing_only, &l->lists);
}

static status find_times(const engine *e, launch *l, uint64_t run_begin) {
  uint64_t done = e->host->stats->cycles;
  sextans_timing t = {.device = e->device,
                      .level = e->host->options->level,
                      .limit = done < e->limit ? e->limit - done : 0,
                      .begin = done - run_begin};
  sextans_time_launch(&t, &l->in, &l->view, &l->lists, &l->times);
  if (l->times.is_too_long)
    return status_error(STATUS_CODE_mismatch, "the run takes more than %" PRIu64 " cycles", e->limit);
  if (!e->host->trace) return STATUS_OK;
  t.trace = e->host->trace;
  sextans_time_launch(&t, &l->in, &l->view, &l->lists, &l->times);
  return STATUS_OK;
}

static void report_progress(engine *e, uint64_t passes) {
  e->passes_done += passes;
  if (e->host->options->progress) e->host->options->progress(e->host->options->user, e->passes_done, e->passes_all);
}

static status execute(engine *e, const launch *l) {
  sextans_execution *x = NULL;
  if (e->host->options->is_timing_only) {
    report_progress(e, sextans_passes(&l->in));
    return STATUS_OK;
  }
  status s = sextans_execution_create(e->host->memory, &l->in, e->device, &l->lists, &x);
  for (uint64_t pass = 0; !s && pass < sextans_passes(&l->in); pass++) {
    sextans_execution_pass(x, (int64_t)pass);
    report_progress(e, 1);
  }
  sextans_execution_destroy(x);
  return s;
}

/* ---- statistics ---- */

static void count_bytes(const engine *e, const sextans_spmm *in, sim_layer *layer) {
  uint64_t passes = sextans_passes(in);
  uint64_t c = passes * SEXTANS_C_BEAT * ((in->m + SEXTANS_WRITE_ROWS - 1) / SEXTANS_WRITE_ROWS);
  layer->bytes_read[KIND_A] += passes * in->slots * SEXTANS_A_BEAT;
  layer->bytes_read[KIND_B] += passes * SEXTANS_B_BEAT * sextans_b_beats(e->device, in);
  layer->bytes_read[KIND_Q] += passes * (in->windows + 1) * sizeof(int32_t);
  layer->bytes_read[KIND_C_IN] += in->no_c ? 0 : c;
  layer->bytes_written[KIND_C_OUT] += c;
}

/* Adds the cycles of each PE by state; busy_most is that of the PE with most non-zeros. */
static void count_states(const engine *e, const sextans_times *t, sim_layer *layer) {
  sim_stats *stats = e->host->stats;
  uint64_t longest = 0;
  for (int pe = 0; pe < SEXTANS_PES; pe++) {
    uint64_t in[SEXTANS_STATES];
    memcpy(in, t->in_common, sizeof in);
    in[SEXTANS_STATE_compute] = t->compute[pe];
    in[SEXTANS_STATE_bubble] = t->slots - t->compute[pe];
    for (int k = 0; k < SEXTANS_STATES; k++) {
      stats->units[pe].in[k] += in[k];
      layer->in[k] += in[k];
    }
    if (t->compute[pe] > longest) longest = t->compute[pe];
  }
  layer->busy_most += longest;
}

static void count(const engine *e, const launch *l) {
  sim_stats *stats = e->host->stats;
  sim_layer *layer = &stats->layers[l->in.layer];
  uint64_t passes = sextans_passes(&l->in);
  if (!layer->instructions) layer->begin = stats->cycles;
  layer->type = "spmm";
  layer->peak = SEXTANS_PES * SEXTANS_TILE;
  layer->instructions++;
  layer->blocks += passes;
  layer->cycles += l->times.cycles;
  layer->multiply_adds += l->lists.count * SEXTANS_TILE * passes;
  stats->counters[COUNTER_PASSES].value += passes;
  stats->counters[COUNTER_SLOTS].value += passes * l->in.slots;
  stats->counters[COUNTER_BUBBLES].value += passes * (SEXTANS_PES * l->in.slots - l->lists.count);
  count_bytes(e, &l->in, layer);
  count_states(e, &l->times, layer);
  stats->cycles += l->times.cycles;
}

/* ---- the device ---- */

static status run_launch(engine *e, launch *l, uint64_t run_begin) {
  RETURN_IF_ERROR(find_lists(e, l));
  RETURN_IF_ERROR(find_times(e, l, run_begin));
  RETURN_IF_ERROR(execute(e, l));
  count(e, l);
  return STATUS_OK;
}

static status run(void *state, uint64_t first, uint64_t end) {
  engine *e = state;
  const sim_stats *stats = e->host->stats;
  uint64_t begin = stats->cycles;
  if (!stats->runs) e->passes_done = 0;
  for (uint64_t i = first; i < end; i++) {
    sextans_insn in;
    RETURN_IF_ERROR(read_record(e, i, &in));
    if (in.op != SEXTANS_OP_spmm) continue;
    launch l = {.in = in.spmm};
    status fault = run_launch(e, &l, begin);
    sextans_lists_free(&l.lists);
    if (fault)
      return status_context(fault, "layer %" PRIu64 ", record at 0x%" PRIx64 ", cycle %" PRIu64, l.in.layer,
                            e->host->image->sections[IMAGE_TEXT].address + i * SEXTANS_INSN_BYTES, stats->cycles);
  }
  return STATUS_OK;
}

/* Finds the number of layers and of passes. */
static status read_program(engine *e) {
  sim_stats *stats = e->host->stats;
  for (uint64_t i = 0; i < count_records(e); i++) {
    sextans_insn in;
    RETURN_IF_ERROR(read_record(e, i, &in));
    if (in.op != SEXTANS_OP_spmm) continue;
    if ((int64_t)in.spmm.layer >= stats->num_layers) stats->num_layers = (int64_t)in.spmm.layer + 1;
    e->passes_all += sextans_passes(&in.spmm);
  }
  return STATUS_OK;
}

static status create(sim_host *host, void **state) {
  static const char *const names[COUNTERS] = {"passes", "slots", "bubbles"};
  sim_stats *stats = host->stats;
  engine *e = arena_alloc(host->arena, sizeof *e);
  *state = e;
  e->host = host;
  e->device = &host->device->sextans;
  e->limit = host->options->max_cycles && host->options->max_cycles < SIM_MOST_CYCLES ? host->options->max_cycles
                                                                                      : SIM_MOST_CYCLES;
  RETURN_IF_ERROR(read_program(e));
  stats->bandwidth_gb_s = e->device->ddr_gb_s;
  stats->num_units = SEXTANS_PES;
  stats->units = arena_alloc_array(host->arena, SEXTANS_PES, sizeof *stats->units);
  stats->layers = arena_alloc_array(host->arena, (size_t)stats->num_layers + 1, sizeof *stats->layers);
  stats->num_counters = COUNTERS;
  stats->counters = arena_alloc_array(host->arena, COUNTERS, sizeof *stats->counters);
  for (int i = 0; i < COUNTERS; i++) stats->counters[i].name = names[i];
  return STATUS_OK;
}

static void destroy(void *state) {
  (void)state; /* it is in the arena of the caller */
}

static const char *const state_names[SEXTANS_STATES] = {"compute", "bubble",  "wait_a", "wait_b",
                                                        "clear_c", "write_c", "drain"};
static const char *const kind_names[SIM_KINDS] = {
    [KIND_A] = "a", [KIND_B] = "b", [KIND_C_IN] = "c_in", [KIND_Q] = "q", [KIND_C_OUT] = "c_out"};
static const char *const no_tracks[] = {NULL};
static const char *const device_tracks[] = {
    [SEXTANS_TRACK_B] = "B", [SEXTANS_TRACK_A] = "A", [SEXTANS_TRACK_C] = "C", NULL};

const sim_class sextans_sim = {.machine = &sextans_machine,
                               .unit = "PE",
                               .state_names = state_names,
                               .num_states = SEXTANS_STATES,
                               .num_busy = 1,
                               .kind_names = kind_names,
                               .unit_tracks = no_tracks,
                               .device_tracks = device_tracks,
                               .create = create,
                               .destroy = destroy,
                               .run = run};
