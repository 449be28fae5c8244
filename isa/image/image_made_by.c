/* Which compiler made a program (see image_made_by.h). */
#include "isa/image/image_made_by.h"

#include <jansson.h>

static void append_printable(const char *s, text *out) {
  for (; *s; s++) text_printf(out, "%c", (unsigned char)*s < ' ' || *s == 127 ? '?' : *s);
}

void image_append_made_by(const image *im, text *out) {
  const image_section *program = &im->sections[IMAGE_PROGRAM];
  json_t *manifest = NULL;
  if (program->data && program->size)
    manifest = json_loadb((const char *)program->data, program->size, JSON_REJECT_DUPLICATES, NULL);
  const char *options = json_string_value(json_object_get(manifest, "made_with"));
  append_printable(im->compiler && *im->compiler ? im->compiler : "unknown", out);
  if (options) {
    text_append(out, " with ");
    append_printable(options, out);
  }
  json_decref(manifest);
}
