/* Finds names for listings: symbols by address, layers by number. */
#include "isa/text/listing_parts.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b) {
  const image_symbol *x = *(const image_symbol *const *)a, *y = *(const image_symbol *const *)b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  if (x->size != y->size) return x->size > y->size ? -1 : 1; /* a part is nearer than its whole */
  return strcmp(x->name, y->name);
}

/* Collects the symbols of descriptor tables, or those of data. */
static listing_symbols collect(const image *im, bool of_tables) {
  listing_symbols s = {.at = malloc((size_t)(im->num_symbols + 1) * sizeof *s.at)};
  for (int64_t i = 0; s.at && i < im->num_symbols; i++) {
    const image_symbol *symbol = &im->symbols[i];
    bool is_table = symbol->section == IMAGE_DESC;
    if (symbol->section != IMAGE_TEXT && is_table == of_tables) s.at[s.count++] = symbol;
  }
  if (s.count) qsort(s.at, s.count, sizeof *s.at, by_address);
  return s;
}

void listing_open(listing_walk *w) {
  const image_section *program = &w->im->sections[IMAGE_PROGRAM];
  w->data = collect(w->im, false);
  w->tables = collect(w->im, true);
  if (program->data && program->size) w->manifest = json_loadb((const char *)program->data, program->size, 0, NULL);
}

void listing_close(listing_walk *w) {
  free(w->data.at);
  free(w->tables.at);
  json_decref(w->manifest);
}

/* The number of symbols that begin at or before an address. */
static size_t count_until(const listing_symbols *s, uint64_t address) {
  size_t low = 0, high = s->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->at[middle]->address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The number + 1 of the last symbol that begins at or before the address and extends to it; 0 for
 * none. */
static size_t find_symbol(const listing_walk *w, uint64_t address) {
  size_t low = count_until(&w->data, address);
  for (size_t i = low; i > 0 && i + 8 > low; i--)
    if (address - w->data.at[i - 1]->address < w->data.at[i - 1]->size) return i;
  return 0;
}

void listing_print_place(const listing_walk *w, uint64_t address, text *out) {
  const image_symbol *const *at = w->data.at;
  size_t last = find_symbol(w, address), first = last;
  if (!last) return;
  const image_symbol *s = at[last - 1];
  while (first > 1 && last - first < 3 && at[first - 2]->address == s->address && at[first - 2]->size == s->size)
    first--;
  for (size_t i = first; i <= last; i++) text_printf(out, "%s%s", i > first ? " or " : "", at[i - 1]->name);
  if (address != s->address) text_printf(out, "+0x%llx", (unsigned long long)(address - s->address));
}

void listing_print_name(const listing_walk *w, uint64_t layer, text *out) {
  json_t *said = json_array_get(json_object_get(w->manifest, "layers"), (size_t)layer);
  const char *name = json_string_value(json_object_get(said, "name"));
  json_int_t line = json_integer_value(json_object_get(said, "line"));
  if (name) text_printf(out, " '%s'", name);
  const char *file = json_string_value(json_object_get(said, "file"));
  if (line > 0) text_printf(out, file ? " (%s:%lld)" : " (%sline %lld)", file ? file : "", (long long)line);
}

const char *listing_table_name(const listing_walk *w, uint64_t address) {
  size_t i = count_until(&w->tables, address);
  if (!i || w->tables.at[i - 1]->address != address) return NULL;
  while (i > 1 && w->tables.at[i - 2]->address == address) i--;
  return w->tables.at[i - 1]->name;
}
