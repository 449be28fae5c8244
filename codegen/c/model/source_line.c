/* Finds lines of the model's sources: see source_line.h. */
#include "codegen/c/model/source_line.h"

#include <string.h>

const char *c_source_line_find(const c_model *m, const char *file, unsigned line, int *length) {
  for (size_t i = 0; i < m->options->source_count; i++) {
    const source *s = m->options->sources[i];
    const char *slash = strrchr(s->name, '/');
    if (strcmp(slash ? slash + 1 : s->name, file) != 0 && strcmp(s->name, file) != 0) continue;
    const char *at = s->text, *end = s->text + s->size;
    for (unsigned n = 1; n < line && at; n++) {
      at = memchr(at, '\n', (size_t)(end - at));
      if (at) at++;
    }
    if (!at) return NULL;
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    *length = 0;
    while (at + *length < end && at[*length] != '\n' && *length < 90) (*length)++;
    return at;
  }
  return NULL;
}
