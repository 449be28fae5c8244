/* Lists programs: by the machine's function where it has one, else one instruction per line. */
#include "isa/image/image_made_by.h"
#include "isa/text/listing_parts.h"

status listing_print_program(const listing_walk *w, uint64_t *layers) {
  const machine *m = w->im->device.machine;
  const image_section *s = &w->im->sections[IMAGE_TEXT];
  isa_any insn;
  *layers = 0;
  if (m->print_text) return m->print_text(w, layers);
  for (uint64_t at = 0; at < s->size; at += m->isa->insn_bytes) {
    unsigned long long place = s->address + at;
    RETURN_IF_ERROR(status_context(isa_decode(m->isa, s->data + at, &insn), "instruction at 0x%llx", place));
    if (!w->is_plain) text_printf(w->out, "0x%08llx:  ", place);
    isa_print(m->isa, w->out, &insn, NULL);
    text_append(w->out, "\n");
  }
  return STATUS_OK;
}

status listing_print(const image *im, text *out) {
  listing_walk w = {.im = im, .out = out, .only = -1};
  uint64_t layers;
  listing_open(&w);
  text_append(out, "; made by ");
  image_append_made_by(im, out);
  text_append(out, "\n");
  if (im->device.machine != machine_default()) text_printf(out, ".machine %s\n", im->device.machine->name);
  status s = listing_print_program(&w, &layers);
  listing_close(&w);
  return s;
}

status listing_print_layer(const image *im, uint64_t layer, text *out) {
  listing_walk w = {.im = im, .out = out, .only = (int64_t)(layer & INT64_MAX)};
  uint64_t layers;
  listing_open(&w);
  status s = listing_print_program(&w, &layers);
  listing_close(&w);
  if (!s && layer >= layers)
    s = status_error(STATUS_CODE_mismatch, "there is no layer %llu; the program has %llu", (unsigned long long)layer,
                     (unsigned long long)layers);
  return s;
}
