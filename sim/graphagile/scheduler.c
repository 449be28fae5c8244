/* Layers, barriers between them, and the dispatch of blocks. */
#include "sim/graphagile/scheduler.h"

#include "sim/graphagile/hazard.h"
#include "sim/graphagile/pe.h"

#include <inttypes.h>
#include <stdio.h>

/* Reads the instruction at an address of .text. */
static status fetch(const graphagile_engine *s, uint64_t address, graphagile_insn *out) {
  const image_section *code = &s->image->sections[IMAGE_TEXT];
  if (address < code->address || address - code->address > code->size ||
      code->size - (address - code->address) < GRAPHAGILE_INSN_BYTES)
    return status_error(STATUS_CODE_format, ".text: the program leaves it at 0x%" PRIx64, address);
  graphagile_word word = graphagile_word_read(code->data + (address - code->address));
  if (graphagile_decode_fast(word, out)) return STATUS_OK;
  return status_context(graphagile_decode(word, out), ".text: 0x%" PRIx64, address);
}

/* Finds the tiling blocks of a layer; `*address` becomes the address after them. */
static status read_blocks(graphagile_engine *s, const graphagile_engine_layer *layer, uint64_t *address) {
  uint64_t count = layer->csi.num_blocks, code_end = *address;
  const image_section *code = &s->image->sections[IMAGE_TEXT];
  graphagile_insn in = {0};
  *address = layer->csi.tb_base * GRAPHAGILE_INSN_BYTES;
  if (*address < code_end)
    return status_error(STATUS_CODE_format,
                        ".text: layer %" PRIu64 ": blocks at 0x%" PRIx64 " begin before their csi ends",
                        (uint64_t)layer->csi.layer_id, *address);
  if (count > code->size / GRAPHAGILE_INSN_BYTES)
    return status_error(STATUS_CODE_format, ".text: layer %" PRIu64 " has %" PRIu64 " blocks, more than instructions",
                        (uint64_t)layer->csi.layer_id, count);
  for (uint64_t i = 0; i < count; i++) {
    s->block_addresses[s->num_blocks++] = *address;
    do {
      RETURN_IF_ERROR(fetch(s, *address, &in));
      *address += GRAPHAGILE_INSN_BYTES;
    } while (!graphagile_is_eot(&in));
  }
  return STATUS_OK;
}

status graphagile_scheduler_read_program(graphagile_engine *s) {
  const image_section *code = &s->image->sections[IMAGE_TEXT];
  uint64_t address = code->address, words = code->size / GRAPHAGILE_INSN_BYTES;
  VEC(graphagile_engine_layer) layers = {0};
  graphagile_insn in = {0};
  if (!code->data) return status_error(STATUS_CODE_format, ".text: the image has no instructions");
  s->block_addresses = arena_try_alloc_array(s->arena, (size_t)words + 1, sizeof *s->block_addresses);
  if (!s->block_addresses) return status_error(STATUS_CODE_memory, "no memory for %" PRIu64 " instructions", words);
  for (;;) {
    RETURN_IF_ERROR(fetch(s, address, &in));
    address += GRAPHAGILE_INSN_BYTES;
    if (in.op == GRAPHAGILE_OP_nop) continue;
    if (in.op == GRAPHAGILE_OP_halt) break;
    if (in.op != GRAPHAGILE_OP_csi)
      return status_error(STATUS_CODE_format, ".text: 0x%" PRIx64 ": expected csi or halt, found %s",
                          address - GRAPHAGILE_INSN_BYTES, graphagile_insn_name(in.op));
    graphagile_engine_layer layer = {
        .record = (address - code->address) / GRAPHAGILE_INSN_BYTES - 1, .csi = in.csi, .first_block = s->num_blocks};
    RETURN_IF_ERROR(read_blocks(s, &layer, &address));
    VEC_PUSH(s->arena, &layers, layer);
  }
  s->layers = layers.items;
  s->num_layers = (int64_t)layers.count;
  return STATUS_OK;
}

static void begin_layer(graphagile_engine *s) {
  if (graphagile_scheduler_is_halted(s)) return;
  sim_layer *stats = graphagile_engine_layer_stats(s);
  uint64_t type = s->layers[s->layer].csi.layer_type;
  *stats = (sim_layer){.begin = s->now,
                       .type = graphagile_value_name(GRAPHAGILE_VALUES_LAYER, type),
                       .peak = graphagile_cycles_peak((int)type, &s->device) * s->device.num_pes};
  stats->bytes_read[GRAPHAGILE_ENGINE_OTHER] = GRAPHAGILE_INSN_BYTES;
  s->layer_ready = s->now + (uint64_t)s->device.dispatch;
  s->next_block = s->open_blocks = 0;
  s->is_due = true;
  graphagile_hazard_begin_layer(s->hazard);
}

void graphagile_scheduler_start(graphagile_engine *s, int64_t first, int64_t end) {
  s->layer = first;
  s->end_layer = end;
  begin_layer(s);
}

int64_t graphagile_scheduler_find_layer(const graphagile_engine *s, uint64_t record) {
  int64_t low = 0, high = s->num_layers;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (s->layers[middle].record < record)
      low = middle + 1;
    else
      high = middle;
  }
  return low == s->num_layers || s->layers[low].record == record ? low : -1;
}

void graphagile_scheduler_end_block(graphagile_engine *s) {
  s->is_due = true;
  s->open_blocks--;
  s->blocks_done++;
  graphagile_engine_layer_stats(s)->blocks++;
  if (s->options.progress) s->options.progress(s->options.user, s->blocks_done, s->num_blocks);
}

/* Writes an interval such as "layer 3: conv1.y". */
static void trace_layer(const graphagile_engine *s, const sim_layer *stats) {
  report_name named = report_names_find(s->names, s->layer);
  char name[128];
  snprintf(name, sizeof name, "layer %" PRIu64 "%s%s", (uint64_t)s->layers[s->layer].csi.layer_id,
           *named.name ? ": " : "", named.name);
  trace_interval(s->trace, GRAPHAGILE_ENGINE_TRACK_SCHEDULER, 0, name, stats->begin, s->now, NULL);
}

/* Ends the layer. False after a fault. */
static bool end_layer(graphagile_engine *s) {
  sim_layer *stats = graphagile_engine_layer_stats(s);
  stats->cycles = s->now - stats->begin;
  for (int32_t i = 0; i < s->device.num_pes; i++) graphagile_pe_end_layer(s, &s->pes[i], stats);
  if (s->trace) trace_layer(s, stats);
  if (!graphagile_hazard_end_layer(s)) return false;
  s->layer++;
  begin_layer(s);
  return true;
}

bool graphagile_scheduler_step(graphagile_engine *s) {
  while (s->is_due && !graphagile_scheduler_is_halted(s) && s->now >= s->layer_ready) {
    s->is_due = false;
    const graphagile_engine_layer *layer = &s->layers[s->layer];
    for (int32_t i = 0; i < s->device.num_pes && s->next_block < layer->csi.num_blocks; i++) {
      graphagile_engine_pe *pe = &s->pes[i];
      if (!graphagile_pe_can_take(s, pe)) continue;
      uint64_t number = s->next_block++;
      s->open_blocks++;
      if (!graphagile_pe_take(s, pe, s->block_addresses[layer->first_block + number], number)) return false;
    }
    if (s->next_block < layer->csi.num_blocks || s->open_blocks) break;
    if (!end_layer(s)) return false;
  }
  return true;
}

uint64_t graphagile_scheduler_next(const graphagile_engine *s) {
  return graphagile_scheduler_is_halted(s) || s->layer_ready <= s->now ? GRAPHAGILE_ENGINE_NEVER : s->layer_ready;
}
