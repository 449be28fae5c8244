/* A simulated FusedGCN: executes one record after the other and adds up statistics. */
#include "isa/fusedgcn/image_check.h"
#include "sim/fusedgcn/array.h"
#include "sim/fusedgcn/time.h"
#include "sim/sim_class.h"

#include <inttypes.h>

enum { KIND_S, KIND_H, KIND_W, KIND_OUT, KIND_ACC };
enum { COUNTER_SLOTS, COUNTER_TILES, COUNTER_EMPTY_ROWS, COUNTER_USEFUL, COUNTERS };
enum { TRACK_WEIGHTS, TRACK_ARRAY };

typedef struct engine {
  sim_host *host;
  const fusedgcn_device *device;
  uint64_t limit;                   /* cycles of a run */
  uint64_t issues_done, issues_all; /* of the program, for the progress */
  fusedgcn_weights weights;
  fusedgcn_clock clock;
  fusedgcn_insn layer; /* the last LAYER */
  bool has_layer;
  uint64_t loaded;        /* the layer of the last LOADW */
  fusedgcn_arrays arrays; /* of that layer */
} engine;

static uint64_t count_records(const engine *e) {
  return e->host->image->sections[IMAGE_TEXT].size / FUSEDGCN_INSN_BYTES;
}

static status read_record(const engine *e, uint64_t record, fusedgcn_insn *out) {
  return isa_decode(&fusedgcn_isa, e->host->image->sections[IMAGE_TEXT].data + record * FUSEDGCN_INSN_BYTES, out);
}

static memory *memory_of(const engine *e) {
  return e->host->options->is_timing_only ? NULL : e->host->memory;
}

/* ---- statistics ---- */

/* The statistics of a record's layer; `before` is the time of the program without the record. */
static sim_layer *count_record(const engine *e, uint64_t number, const fusedgcn_interval *at, uint64_t before) {
  sim_stats *stats = e->host->stats;
  sim_layer *layer = &stats->layers[number];
  uint64_t end = fusedgcn_clock_end(&e->clock);
  if (!layer->instructions) layer->begin = stats->cycles - before + at->begin;
  layer->type = "layer";
  layer->peak = (double)e->device->rows * e->device->columns;
  layer->instructions++;
  stats->cycles += end - before;
  return layer;
}

static void count_load(const engine *e, const fusedgcn_loadw *in, sim_layer *layer) {
  layer->bytes_read[KIND_W] += fusedgcn_load_bytes(e->device, in->tiles, in->biases);
  e->host->stats->counters[COUNTER_TILES].value += in->tiles;
}

/* A RUN's time is that from the end of the RUN before, so the times of layers add up. */
static void count_run(const engine *e, const fusedgcn_run *in, const fusedgcn_interval *at, sim_layer *layer) {
  const fusedgcn_layer *of = &e->layer.layer;
  const fusedgcn_view *s = &e->arrays.s;
  sim_stats *stats = e->host->stats;
  uint64_t rows = in->hi - in->lo, nonzeros = fusedgcn_nonzeros(s, in), issues = nonzeros * of->kt * of->rt;
  uint64_t out = rows * of->rt * (uint64_t)e->device->columns * FUSEDGCN_WORD;
  layer->blocks++;
  layer->multiply_adds += issues * fusedgcn_tile_words(e->device);
  layer->bytes_read[KIND_S] += rows * FUSEDGCN_ROW_BYTES + nonzeros * FUSEDGCN_NONZERO_BYTES;
  layer->bytes_read[KIND_H] += fusedgcn_segments(of, s, in) * (uint64_t)e->device->rows * FUSEDGCN_WORD;
  layer->bytes_read[KIND_ACC] += of->acc_in ? out : 0;
  layer->bytes_written[KIND_OUT] += out;
  for (int k = 0; k < FUSEDGCN_STATES; k++) {
    stats->units[0].in[k] += at->in[k];
    layer->in[k] += at->in[k];
    layer->cycles += at->in[k];
  }
  layer->busy_most += at->in[FUSEDGCN_STATE_compute];
  stats->counters[COUNTER_SLOTS].value += issues;
  stats->counters[COUNTER_USEFUL].value += nonzeros * of->i * of->o;
  for (int64_t row = (int64_t)in->lo; row < (int64_t)in->hi; row++)
    stats->counters[COUNTER_EMPTY_ROWS].value += fusedgcn_view_pos(s, row) == fusedgcn_view_pos(s, row + 1);
}

static void write_trace(const engine *e, int32_t track, const char *name, const fusedgcn_interval *at, const char *what,
                        uint64_t first, uint64_t end) {
  char words[80];
  if (!e->host->trace || at->begin == at->end) return;
  snprintf(words, sizeof words, "{\"first %s\": %" PRIu64 ", \"%ss\": %" PRIu64 "}", what, first, what, end - first);
  trace_interval(e->host->trace, track, 0, name, at->begin, at->end, words);
}

/* ---- records ---- */

static status too_long(const engine *e) {
  return status_error(STATUS_CODE_mismatch, "the run takes more than %" PRIu64 " cycles", e->limit);
}

static status run_loadw(engine *e, const fusedgcn_loadw *in) {
  fusedgcn_place w = fusedgcn_place_w(e->device, in);
  memory *m = memory_of(e);
  const unsigned char *stream = m && w.width ? memory_read(m, w.base, w.width) : NULL;
  if (m && w.width && !stream) return status_error(STATUS_CODE_format, "'w' does not lie in '.weights'");
  RETURN_IF_ERROR(fusedgcn_weights_load(&e->weights, in, stream));
  e->loaded = in->layer;
  uint64_t before = fusedgcn_clock_end(&e->clock);
  fusedgcn_interval at = fusedgcn_clock_load(&e->clock, in);
  write_trace(e, TRACK_WEIGHTS, "load", &at, "tile", in->first, in->first + in->tiles);
  count_load(e, in, count_record(e, in->layer, &at, before));
  return STATUS_OK;
}

static void report_progress(engine *e, uint64_t issues) {
  e->issues_done += issues;
  if (e->host->options->progress) e->host->options->progress(e->host->options->user, e->issues_done, e->issues_all);
}

/* Computes the rows; at level 2 *cycles becomes what the registers took. */
static status execute(engine *e, const fusedgcn_run *in, uint64_t *cycles) {
  enum { ROWS = 256 }; /* between two reports of the progress */
  const fusedgcn_layer *of = &e->layer.layer;
  uint64_t tiles = of->kt * of->rt;
  if (!memory_of(e)) {
    report_progress(e, fusedgcn_nonzeros(&e->arrays.s, in) * tiles);
    return STATUS_OK;
  }
  if (e->host->options->level == SIM_L2) {
    RETURN_IF_ERROR(fusedgcn_array_run(&e->arrays, in->first, (int64_t)in->lo, (int64_t)in->hi, cycles));
    report_progress(e, fusedgcn_nonzeros(&e->arrays.s, in) * tiles);
    return STATUS_OK;
  }
  for (uint64_t lo = in->lo; lo < in->hi; lo += ROWS) {
    fusedgcn_run part = {.lo = lo, .hi = in->hi - lo < ROWS ? in->hi : lo + ROWS};
    RETURN_IF_ERROR(fusedgcn_execute(&e->arrays, in->first, (int64_t)part.lo, (int64_t)part.hi));
    report_progress(e, fusedgcn_nonzeros(&e->arrays.s, &part) * tiles);
  }
  return STATUS_OK;
}

static status run_rows(engine *e, const fusedgcn_run *in) {
  const fusedgcn_layer *of = &e->layer.layer;
  uint64_t before = fusedgcn_clock_end(&e->clock);
  RETURN_IF_ERROR(fusedgcn_rows_check(e->device, e->has_layer ? of : NULL, in));
  RETURN_IF_ERROR(fusedgcn_weights_check(&e->weights, of, in->first));
  uint64_t cycles = fusedgcn_run_cycles(e->device, fusedgcn_nonzeros(&e->arrays.s, in), of->kt, of->rt);
  if (cycles > e->limit) return too_long(e);
  RETURN_IF_ERROR(execute(e, in, &cycles));
  fusedgcn_interval at = fusedgcn_clock_run(&e->clock, of, &e->arrays.s, in, cycles);
  write_trace(e, TRACK_ARRAY, "run", &at, "row", in->lo, in->hi);
  count_run(e, in, &at, count_record(e, in->layer, &at, before));
  return STATUS_OK;
}

static status run_record(engine *e, const fusedgcn_insn *in, uint64_t *layer) {
  switch (in->op) {
  case FUSEDGCN_OP_layer:
    *layer = in->layer.layer;
    e->layer = *in;
    e->has_layer = true;
    return fusedgcn_arrays_open(e->host->image, memory_of(e), &e->layer.layer, &e->weights, &e->arrays);
  case FUSEDGCN_OP_loadw: *layer = in->loadw.layer; return run_loadw(e, &in->loadw);
  case FUSEDGCN_OP_run: *layer = in->run.layer; return run_rows(e, &in->run);
  case FUSEDGCN_OP_sync: fusedgcn_clock_sync(&e->clock); return STATUS_OK;
  case FUSEDGCN_OP_halt: break;
  }
  return STATUS_OK;
}

/* ---- the device ---- */

static status run(void *state, uint64_t first, uint64_t end) {
  engine *e = state;
  const sim_stats *stats = e->host->stats;
  if (!stats->runs) {
    e->issues_done = 0;
    fusedgcn_weights_forget(&e->weights);
  }
  fusedgcn_clock_reset(&e->clock);
  e->has_layer = false;
  for (uint64_t i = first; i < end; i++) {
    fusedgcn_insn in;
    uint64_t layer = 0;
    RETURN_IF_ERROR(read_record(e, i, &in));
    status fault = run_record(e, &in, &layer);
    if (!fault && stats->cycles > e->limit) fault = too_long(e);
    if (fault)
      return status_context(fault, "layer %" PRIu64 ", record at 0x%" PRIx64 ", cycle %" PRIu64, layer,
                            e->host->image->sections[IMAGE_TEXT].address + i * FUSEDGCN_INSN_BYTES, stats->cycles);
  }
  uint64_t rest = fusedgcn_clock_end(&e->clock) - e->clock.done; /* of weights for later runs */
  if (rest) stats->layers[e->loaded].cycles += rest;
  return STATUS_OK;
}

/* Counts a record's layer and the issues of a RUN. */
static status read_sizes(engine *e, const fusedgcn_insn *in, const fusedgcn_layer **layer) {
  sim_stats *stats = e->host->stats;
  uint64_t number = in->op == FUSEDGCN_OP_layer   ? in->layer.layer
                    : in->op == FUSEDGCN_OP_loadw ? in->loadw.layer
                    : in->op == FUSEDGCN_OP_run   ? in->run.layer
                                                  : 0;
  if (in->op <= FUSEDGCN_OP_run && (int64_t)number >= stats->num_layers) stats->num_layers = (int64_t)number + 1;
  if (in->op == FUSEDGCN_OP_layer) {
    e->layer = *in;
    *layer = &e->layer.layer;
    return fusedgcn_view_open(e->host->image, *layer, &e->arrays.s);
  }
  if (in->op != FUSEDGCN_OP_run) return STATUS_OK;
  RETURN_IF_ERROR(fusedgcn_rows_check(e->device, *layer, &in->run));
  e->issues_all += fusedgcn_nonzeros(&e->arrays.s, &in->run) * (*layer)->kt * (*layer)->rt;
  return STATUS_OK;
}

/* Finds the number of layers and of issues. */
static status read_program(engine *e) {
  const fusedgcn_layer *layer = NULL;
  for (uint64_t i = 0; i < count_records(e); i++) {
    fusedgcn_insn in;
    RETURN_IF_ERROR(read_record(e, i, &in));
    RETURN_IF_ERROR(read_sizes(e, &in, &layer));
  }
  return STATUS_OK;
}

static status create(sim_host *host, void **state) {
  static const char *const names[COUNTERS] = {"slots", "tiles", "empty_rows", "useful_multiply_adds"};
  sim_stats *stats = host->stats;
  engine *e = arena_alloc(host->arena, sizeof *e);
  *state = e;
  e->host = host;
  e->device = &host->device->fusedgcn;
  e->limit = host->options->max_cycles && host->options->max_cycles < SIM_MOST_CYCLES ? host->options->max_cycles
                                                                                      : SIM_MOST_CYCLES;
  RETURN_IF_ERROR(fusedgcn_weights_create(e->device, &e->weights));
  RETURN_IF_ERROR(read_program(e));
  e->clock = fusedgcn_clock_make(host->arena, e->device, host->options->level);
  stats->bandwidth_gb_s = e->device->ddr_gb_s;
  stats->num_units = 1;
  stats->units = arena_alloc_array(host->arena, 1, sizeof *stats->units);
  stats->layers = arena_alloc_array(host->arena, (size_t)stats->num_layers + 1, sizeof *stats->layers);
  stats->num_counters = COUNTERS;
  stats->counters = arena_alloc_array(host->arena, COUNTERS, sizeof *stats->counters);
  for (int i = 0; i < COUNTERS; i++) stats->counters[i].name = names[i];
  return STATUS_OK;
}

static void destroy(void *state) {
  engine *e = state; /* it is in the arena of the caller */
  if (e) fusedgcn_weights_destroy(&e->weights);
}

static const char *const state_names[FUSEDGCN_STATES] = {"compute", "load_weights", "wait_memory", "drain"};
static const char *const kind_names[SIM_KINDS] = {
    [KIND_S] = "s", [KIND_H] = "h", [KIND_W] = "w", [KIND_OUT] = "out", [KIND_ACC] = "acc"};
static const char *const no_tracks[] = {NULL};
static const char *const device_tracks[] = {[TRACK_WEIGHTS] = "weights", [TRACK_ARRAY] = "array", NULL};

const sim_class fusedgcn_sim = {.machine = &fusedgcn_machine,
                                .unit = "array",
                                .state_names = state_names,
                                .num_states = FUSEDGCN_STATES,
                                .num_busy = 1,
                                .kind_names = kind_names,
                                .unit_tracks = no_tracks,
                                .device_tracks = device_tracks,
                                .create = create,
                                .destroy = destroy,
                                .run = run};
