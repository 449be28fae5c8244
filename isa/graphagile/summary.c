/* Describes the device and the size of a program in one line each, for gnn-objdump. */
#include "isa/graphagile/summary.h"

#include "isa/graphagile/graphagile.h"

#include <inttypes.h>

void graphagile_summary_print_device(const device *d, text *out) {
  const graphagile_device *g = &d->graphagile;
  text_printf(out, "%d PEs of %d columns, buffers of %d rows, %d weight rows and %d edges", g->num_pes, g->width,
              g->feature_rows, g->weight_rows, g->edges);
  if (g->has_broadcast) text_append(out, ", broadcast");
  if (g->has_packed_edges) text_append(out, ", packed edges");
  if (g->has_half_rows) text_append(out, ", rows of fp16");
  if (g->has_compact_columns) text_append(out, ", rows of one number");
}

void graphagile_summary_print_size(const image *im, text *out) {
  const image_section *code = &im->sections[IMAGE_TEXT];
  uint64_t words = code->size / GRAPHAGILE_INSN_BYTES, layers = 0, blocks = 0;
  uint64_t constants = im->sections[IMAGE_CONSTANTS].size / 4;
  for (uint64_t i = 0; code->data && i < words; i++) {
    graphagile_insn insn;
    if (!graphagile_decode_fast(graphagile_word_read(code->data + i * GRAPHAGILE_INSN_BYTES), &insn)) continue;
    if (insn.op == GRAPHAGILE_OP_csi) layers++;
    if (graphagile_is_eot(&insn)) blocks++;
  }
  text_printf(out, "%" PRIu64 " layer%s, %" PRIu64 " tiling block%s, %" PRIu64 " instruction%s, %" PRIu64 " constant%s",
              layers, layers == 1 ? "" : "s", blocks, blocks == 1 ? "" : "s", words, words == 1 ? "" : "s", constants,
              constants == 1 ? "" : "s");
}
