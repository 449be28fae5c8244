/* The simulator of the toy executes one instruction after another, `adders` words per cycle; each instruction is a layer of the
 * statistics. */
#include "sim/sim_class.h"
#include "toy/isa/toy.h"

#include <inttypes.h>

static status create(sim_host *host, void **state) {
  uint64_t count = host->image->sections[IMAGE_TEXT].size / TOY_INSN_BYTES;
  *state = host;
  host->stats->bandwidth_gb_s = host->device->common.ddr_gb_s;
  host->stats->num_layers = (int64_t)count;
  host->stats->layers = arena_alloc_array(host->arena, count + 1, sizeof *host->stats->layers);
  host->stats->num_units = 1;
  host->stats->units = arena_alloc_array(host->arena, 1, sizeof *host->stats->units);
  return STATUS_OK;
}

static void destroy(void *state) {
  (void)state; /* the state is the sim_host, which belongs to the caller */
}

/* The image check has made sure that operands lie in .features. */
static void add(sim_host *host, const toy_add *in) {
  uint64_t bytes = in->count * sizeof(float);
  float *out = (float *)(void *)memory_write(host->memory, in->out * TOY_ALIGN, bytes, true);
  const float *a = (const float *)(const void *)memory_read(host->memory, in->a * TOY_ALIGN, bytes);
  const float *b = (const float *)(const void *)memory_read(host->memory, in->b * TOY_ALIGN, bytes);
  for (uint64_t i = 0; i < in->count && out && a && b; i++) out[i] = a[i] + b[i];
}

static void count(sim_host *host, uint64_t record, uint64_t words) {
  enum { INPUT, OUTPUT, OPERANDS = 2 };
  uint64_t adders = (uint64_t)toy_device_of(host->device)->adders, cycles = (words + adders - 1) / adders;
  sim_layer *l = &host->stats->layers[record];
  l->begin = host->stats->cycles;
  l->cycles = cycles;
  l->instructions = l->blocks = 1;
  l->bytes_read[INPUT] = OPERANDS * words * sizeof(float);
  l->bytes_written[OUTPUT] = words * sizeof(float);
  l->peak = (double)adders / 2;
  l->type = "add";
  host->stats->units[0].in[0] += cycles;
  host->stats->cycles += cycles;
}

static status run(void *state, uint64_t first, uint64_t end) {
  sim_host *host = state;
  const unsigned char *code = host->image->sections[IMAGE_TEXT].data;
  uint64_t most = host->options->max_cycles ? host->options->max_cycles : SIM_MOST_CYCLES;
  for (uint64_t i = first; i < end; i++) {
    toy_insn in;
    RETURN_IF_ERROR(isa_decode(&toy_isa, code + i * TOY_INSN_BYTES, &in));
    if (!host->options->is_timing_only) add(host, &in.add);
    count(host, i, in.add.count);
    if (host->stats->cycles > most)
      return status_error(STATUS_CODE_mismatch, "the run takes more than %" PRIu64 " cycles", most);
  }
  return STATUS_OK;
}

static const char *const state_names[] = {"compute"};
static const char *const kind_names[SIM_KINDS] = {"input", "output"};
static const char *const no_tracks[] = {NULL};

extern const sim_class toy_sim;
const sim_class toy_sim = {.machine = &toy_machine,
                           .unit = "adder",
                           .state_names = state_names,
                           .num_states = 1,
                           .num_busy = 1,
                           .kind_names = kind_names,
                           .unit_tracks = no_tracks,
                           .device_tracks = no_tracks,
                           .create = create,
                           .destroy = destroy,
                           .run = run};
