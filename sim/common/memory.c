/* The contents of DDR. Sections that the program only reads stay in the image's memory, because
 * edges may have gigabytes; the others are copied. */
#include "sim/common/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct range {
  uint64_t address, size;
  const unsigned char *read; /* NULL: there are no bytes */
  unsigned char *write;      /* memory of the simulator */
} range;

typedef struct tensor {
  uint64_t address, size;
} tensor;

struct memory {
  range ranges[IMAGE_SECTIONS]; /* by section; size 0: not loaded */
  tensor *tensors;              /* sorted by address */
  size_t num_tensors;
};

static status add_section(memory *m, image_section_kind kind, const image_section *section, bool is_timing_only) {
  range *r = &m->ranges[kind];
  r->address = section->address;
  r->size = section->size;
  if (!r->size) return STATUS_OK;
  bool is_kept = kind == IMAGE_TEXT || kind == IMAGE_DESC || kind == IMAGE_CONSTANTS || kind == IMAGE_EDGES;
  if (is_kept && section->data) {
    r->read = section->data;
    return STATUS_OK;
  }
  if (is_timing_only && (kind == IMAGE_EDGES || kind == IMAGE_WEIGHTS || kind == IMAGE_FEATURES)) return STATUS_OK;
  r->write = r->size == (size_t)r->size ? calloc(1, (size_t)r->size) : NULL;
  if (!r->write)
    return status_error(STATUS_CODE_memory, "no memory for the %llu bytes of section '%s'", (unsigned long long)r->size,
                        image_section_name(kind));
  if (section->data) memcpy(r->write, section->data, (size_t)r->size);
  r->read = r->write;
  return STATUS_OK;
}

static int compare_tensors(const void *a, const void *b) {
  const tensor *x = a, *y = b;
  return x->address != y->address ? (x->address < y->address ? -1 : 1) : (x->size > y->size) - (x->size < y->size);
}

static status add_tensors(memory *m, const image *im) {
  if (im->num_symbols <= 0) return STATUS_OK;
  m->tensors = calloc((size_t)im->num_symbols, sizeof *m->tensors);
  if (!m->tensors) return status_error(STATUS_CODE_memory, "no memory for %lld symbols", (long long)im->num_symbols);
  for (int64_t i = 0; i < im->num_symbols; i++)
    if (im->symbols[i].section == IMAGE_FEATURES && im->symbols[i].size)
      m->tensors[m->num_tensors++] = (tensor){im->symbols[i].address, im->symbols[i].size};
  qsort(m->tensors, m->num_tensors, sizeof *m->tensors, compare_tensors);
  return STATUS_OK;
}

status memory_create(const image *im, bool is_timing_only, memory **out) {
  memory *m = calloc(1, sizeof *m);
  if (!m) return status_error(STATUS_CODE_memory, "no memory for a simulated device");
  status s = add_tensors(m, im);
  for (image_section_kind kind = IMAGE_TEXT; !s && kind <= IMAGE_FEATURES; kind++)
    s = add_section(m, kind, &im->sections[kind], is_timing_only);
  if (s)
    memory_destroy(m);
  else
    *out = m;
  return s;
}

void memory_destroy(memory *m) {
  if (!m) return;
  for (int kind = 0; kind < IMAGE_SECTIONS; kind++) free(m->ranges[kind].write);
  free(m->tensors);
  free(m);
}

static const range *find(const memory *m, uint64_t address, uint64_t size) {
  for (int kind = IMAGE_FEATURES; kind >= IMAGE_TEXT; kind--) {
    const range *r = &m->ranges[kind];
    if (address >= r->address && address - r->address < r->size && size <= r->size - (address - r->address)) return r;
  }
  return NULL;
}

bool memory_covers(const memory *m, uint64_t address, uint64_t size) {
  return find(m, address, size) != NULL;
}

const unsigned char *memory_read(const memory *m, uint64_t address, uint64_t size) {
  const range *r = find(m, address, size);
  return r && r->read ? r->read + (address - r->address) : NULL;
}

unsigned char *memory_write(memory *m, uint64_t address, uint64_t size, bool is_store) {
  const range *r = find(m, address, size);
  if (is_store && r != &m->ranges[IMAGE_FEATURES]) return NULL;
  return r && r->write ? r->write + (address - r->address) : NULL;
}

uint64_t memory_tensor_bytes(const memory *m, uint64_t address) {
  size_t low = 0, high = m->num_tensors;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (m->tensors[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return 0;
  const tensor *t = &m->tensors[low - 1];
  return address - t->address < t->size ? t->size : 0;
}
