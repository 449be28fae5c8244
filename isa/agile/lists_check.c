/* Looks at descriptors and adjacency lists. */
#include "isa/agile/lists_check.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CONSTANT_OR_ROWS = 1 << IMAGE_WEIGHTS | 1 << IMAGE_FEATURES };

status agile_span_check(const image *im, const char *what, uint64_t address, uint64_t bytes, uint32_t sections) {
  text names = {0};
  for (int kind = 0; kind < IMAGE_LOADED; kind++) {
    const image_section *s = &im->sections[kind];
    if (!(sections >> kind & 1)) continue;
    if (address >= s->address && address - s->address <= s->size && bytes <= s->size - (address - s->address)) {
      text_free(&names);
      return STATUS_OK;
    }
    text_printf(&names, "%s'%s'", names.size ? " or " : "", image_section_name((image_section_kind)kind));
  }
  status s = status_error(STATUS_CODE_format, "%s: %" PRIu64 " bytes from 0x%" PRIx64 " on do not lie in %s", what,
                          bytes, address, text_str(&names));
  text_free(&names);
  return s;
}

agile_results agile_results_of(const agile_state *s, const unsigned char *descs) {
  uint64_t least = UINT64_MAX, most = 0, stride = agile_row_bytes(s->reg[AGILE_REGISTER_out_features]);
  uint64_t base = s->reg[AGILE_REGISTER_out_features_address];
  for (uint64_t i = 0; i < s->reg[AGILE_REGISTER_node_count]; i++) {
    agile_desc d = agile_desc_at(descs, i);
    if (!agile_desc_runs(d)) continue;
    if (d.node < least) least = d.node;
    if (d.node + UINT64_C(1) > most) most = d.node + UINT64_C(1);
  }
  return (agile_results){base + (most ? least * stride : 0), base + most * stride};
}

/* Results may not lie where the start reads, because the order of nodes would matter. */
static status check_apart(agile_results out, const char *what, uint64_t address, uint64_t bytes) {
  if (!bytes || address >= out.end || address + bytes <= out.begin) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "%s: 0x%" PRIx64 " to 0x%" PRIx64 " overlap the results at 0x%" PRIx64 " to 0x%" PRIx64, what,
                      address, address + bytes, out.begin, out.end);
}

static status check_row(const image *im, const agile_state *s, agile_results out, uint64_t offset) {
  uint64_t address = s->reg[AGILE_REGISTER_in_messages] + offset;
  uint64_t bytes = s->reg[AGILE_REGISTER_in_features] * sizeof(float);
  if (offset % AGILE_BEAT_BYTES)
    return status_error(STATUS_CODE_format, "offset 0x%" PRIx64 ", expected a multiple of %d", offset,
                        AGILE_BEAT_BYTES);
  RETURN_IF_ERROR(agile_span_check(im, "message", address, bytes, CONSTANT_OR_ROWS));
  return check_apart(out, "message", address, bytes);
}

/* Most rows lie in .features; these need no more than the first test. */
status agile_list_check(const image *im, const agile_state *s, agile_results out, agile_desc d,
                        const unsigned char *words) {
  const image_section *f = &im->sections[IMAGE_FEATURES];
  uint64_t base = s->reg[AGILE_REGISTER_in_messages], bytes = s->reg[AGILE_REGISTER_in_features] * sizeof(float);
  for (uint32_t k = 0; k < d.count; k++) {
    uint32_t offset;
    memcpy(&offset, words + (uint64_t)k * sizeof offset, sizeof offset);
    uint64_t address = base + offset;
    bool is_inside = address >= f->address && bytes <= f->size && address - f->address <= f->size - bytes;
    if (is_inside && offset % AGILE_BEAT_BYTES == 0 && (address >= out.end || address + bytes <= out.begin)) continue;
    status failed = check_row(im, s, out, offset);
    if (failed) return status_context(failed, "node %" PRIu32 ", neighbour %" PRIu32, d.node, k);
  }
  return STATUS_OK;
}

/* The sums of a node are exact in 64 bits as long as count * F products of a scale factor, a message
 * and a weight fit. */
static status check_sums(const agile_state *s, agile_desc d) {
  uint64_t bits = (uint64_t)agile_precision_bits(d.precision), f = s->reg[AGILE_REGISTER_in_features];
  if (d.precision == AGILE_PRECISION_float_32) return STATUS_OK;
  uint64_t limit = UINT64_C(1) << (63 - (AGILE_SCALE_BITS - 1) - 2 * (bits - 1));
  if (d.count * f < limit) return STATUS_OK;
  return status_error(STATUS_CODE_format,
                      "%" PRIu32 " neighbours of %" PRIu64 " features, expected less than %" PRIu64
                      " together in this precision; expected float_32 beyond that",
                      d.count, f, limit);
}

static status check_desc(const image *im, const agile_state *s, agile_results out, agile_desc d) {
  uint64_t bytes = d.count * (uint64_t)sizeof(float), scales = agile_scales_address(s, d);
  if (!(s->reg[AGILE_REGISTER_precisions] >> d.precision & 1))
    return status_error(STATUS_CODE_format, "precision '%s', but 'precisions' is 0x%" PRIx64,
                        isa_name_value(&agile_isa, AGILE_VALUES_PRECISION, (uint64_t)d.precision),
                        s->reg[AGILE_REGISTER_precisions]);
  RETURN_IF_ERROR(check_sums(s, d));
  RETURN_IF_ERROR(agile_span_check(im, "adjacency list", agile_list_address(s, d), bytes, 1 << IMAGE_EDGES));
  RETURN_IF_ERROR(agile_span_check(im, "scale factors", scales, bytes, 1 << IMAGE_EDGES | CONSTANT_OR_ROWS));
  return check_apart(out, "scale factors", scales, bytes);
}

/* Each node once, with its result in .features. */
static status check_nodes(const image *im, const agile_state *s, const unsigned char *descs, agile_results out,
                          uint64_t *looks) {
  enum { WORD = 64 };
  uint64_t count = s->reg[AGILE_REGISTER_node_count], row = agile_row_bytes(s->reg[AGILE_REGISTER_out_features]);
  uint64_t least = (out.begin - s->reg[AGILE_REGISTER_out_features_address]) / row;
  uint64_t words = agile_ceil((out.end - out.begin) / row, WORD);
  status failed = agile_span_check(im, "results", out.begin, out.end - out.begin, 1 << IMAGE_FEATURES);
  uint64_t *seen = failed ? NULL : calloc(words, sizeof *seen);
  if (!failed && !seen) return status_error(STATUS_CODE_memory, "no memory to check descriptors");
  *looks += words;
  for (uint64_t i = 0; !failed && i < count; i++) {
    agile_desc d = agile_desc_at(descs, i);
    if (!agile_desc_runs(d)) continue;
    uint64_t at = d.node - least;
    if (seen[at / WORD] >> at % WORD & 1)
      failed = status_error(STATUS_CODE_format, "descriptor %" PRIu64 " is the second one of node %" PRIu32, i, d.node);
    seen[at / WORD] |= UINT64_C(1) << at % WORD;
  }
  free(seen);
  return failed;
}

static status check_apart_all(const agile_state *s, agile_results out) {
  uint64_t o = s->reg[AGILE_REGISTER_out_features], bias = s->reg[AGILE_REGISTER_bias_address];
  uint64_t row = agile_row_bytes(s->reg[AGILE_REGISTER_in_features]);
  RETURN_IF_ERROR(check_apart(out, "weights", s->reg[AGILE_REGISTER_weights], o * row));
  return check_apart(out, "bias", bias, bias ? o * sizeof(float) : 0);
}

/* Lists may share memory, so that a small file could ask for looks at far more numbers than it has.
 * Programs of the compiler need a look at each number for each layer that uses it. */
static status count_looks(const image *im, uint64_t more, uint64_t *looks) {
  enum { MOST_LOOKS = 64, FREE_LOOKS = 1 << 24 };
  uint64_t all = im->sections[IMAGE_EDGES].size / sizeof(uint32_t) + im->sections[IMAGE_DESC].size / AGILE_DESC_BYTES;
  *looks += more;
  if (*looks <= MOST_LOOKS * all + FREE_LOOKS) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported,
                      "lists overlap so much that their numbers would be looked at more than %d times", MOST_LOOKS);
}

status agile_descs_check(const image *im, const agile_state *s, uint64_t *looks) {
  const image_section *table = &im->sections[IMAGE_DESC], *edges = &im->sections[IMAGE_EDGES];
  uint64_t count = s->reg[AGILE_REGISTER_node_count], at = s->reg[AGILE_REGISTER_nodeslots];
  RETURN_IF_ERROR(agile_span_check(im, "descriptors", at, count * AGILE_DESC_BYTES, 1 << IMAGE_DESC));
  if (!count) return STATUS_OK;
  const unsigned char *descs = table->data + (at - table->address);
  RETURN_IF_ERROR(count_looks(im, count, looks));
  agile_results out = agile_results_of(s, descs);
  if (out.begin == out.end) return STATUS_OK;
  RETURN_IF_ERROR(check_nodes(im, s, descs, out, looks));
  RETURN_IF_ERROR(check_apart_all(s, out));
  for (uint64_t i = 0; i < count; i++) {
    agile_desc d = agile_desc_at(descs, i);
    if (!agile_desc_runs(d)) continue;
    status failed = check_desc(im, s, out, d);
    if (failed) return status_context(failed, "descriptor %" PRIu64 " (node %" PRIu32 ")", i, d.node);
    if (!edges->data) continue;
    RETURN_IF_ERROR(count_looks(im, d.count, looks));
    RETURN_IF_ERROR(agile_list_check(im, s, out, d, edges->data + (agile_list_address(s, d) - edges->address)));
  }
  return STATUS_OK;
}
