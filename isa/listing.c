/* Listings of programs: a walk over the words of .text, and symbols found by address. */
#include "isa/listing.h"

#include "isa/table.h"

#include <jansson.h>
#include <string.h>

typedef struct walk {
  const image *im;
  text *out;
  json_t *manifest;        /* NULL: none */
  const image_symbol **at; /* symbols of data by address */
  size_t symbols;
  bool is_plain; /* for gnn-as alone: no addresses, no comments */
  int64_t only;  /* this layer; -1 all */
} walk;

static bool is_data(const image_symbol *s) {
  return s->section != IMAGE_TEXT && s->section != IMAGE_DESC;
}

static int by_address(const void *a, const void *b) {
  const image_symbol *x = *(const image_symbol *const *)a, *y = *(const image_symbol *const *)b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  if (x->size != y->size) return x->size > y->size ? -1 : 1; /* a part is nearer than its whole */
  return strcmp(x->name, y->name);
}

static void open_walk(walk *w) {
  const image_section *program = &w->im->sections[IMAGE_PROGRAM];
  w->at = malloc((size_t)(w->im->num_symbols + 1) * sizeof *w->at);
  for (int64_t i = 0; w->at && i < w->im->num_symbols; i++)
    if (is_data(&w->im->symbols[i])) w->at[w->symbols++] = &w->im->symbols[i];
  if (w->symbols) qsort(w->at, w->symbols, sizeof *w->at, by_address);
  if (program->data && program->size) w->manifest = json_loadb((const char *)program->data, program->size, 0, NULL);
}

static void close_walk(walk *w) {
  free(w->at);
  json_decref(w->manifest);
}

/* The number + 1 of the last symbol that begins at or before the address and reaches it, 0 for none. */
static size_t find_symbol(const walk *w, uint64_t address) {
  size_t low = 0, high = w->symbols;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (w->at[middle]->address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  for (size_t i = low; i > 0 && i + 8 > low; i--)
    if (address - w->at[i - 1]->address < w->at[i - 1]->size) return i;
  return 0;
}

/* The symbol of data that an address lies in: "x+0x40"; nothing where none reaches there, "x or y" where two have the place one after the other. */
static void print_place(const walk *w, uint64_t address, text *out) {
  size_t last = find_symbol(w, address), first = last;
  if (!last) return;
  const image_symbol *s = w->at[last - 1];
  while (first > 1 && last - first < 3 && w->at[first - 2]->address == s->address && w->at[first - 2]->size == s->size)
    first--;
  for (size_t i = first; i <= last; i++) text_printf(out, "%s%s", i > first ? " or " : "", w->at[i - 1]->name);
  if (address != s->address) text_printf(out, "+0x%llx", (unsigned long long)(address - s->address));
}

static uint64_t place_of(const image *im, size_t index) {
  return im->sections[IMAGE_TEXT].address + index * ISA_INSN_BYTES;
}

static status read_insn(const image *im, size_t index, isa_insn *out) {
  if (index >= im->sections[IMAGE_TEXT].size / ISA_INSN_BYTES || !im->sections[IMAGE_TEXT].data)
    return status_error(STATUS_CODE_format, ".text ends at 0x%llx inside the program",
                        (unsigned long long)place_of(im, index));
  isa_word word = isa_word_read(im->sections[IMAGE_TEXT].data + index * ISA_INSN_BYTES);
  return status_context(isa_decode(word, out), "instruction at 0x%llx", (unsigned long long)place_of(im, index));
}

/* What the manifest says of a layer: " 'conv1.y' (line 12)". */
static void print_name(const walk *w, uint64_t id, text *out) {
  json_t *layer = json_array_get(json_object_get(w->manifest, "layers"), (size_t)id);
  const char *name = json_string_value(json_object_get(layer, "name"));
  json_int_t line = json_integer_value(json_object_get(layer, "line"));
  if (name) text_printf(out, " '%s'", name);
  if (line > 0) text_printf(out, " (line %lld)", (long long)line);
}

/* The name of what begins at an address of the descriptor tables. */
static const char *table_name(const walk *w, uint64_t address) {
  for (int64_t i = 0; i < w->im->num_symbols; i++)
    if (w->im->symbols[i].section == IMAGE_DESC && w->im->symbols[i].address == address) return w->im->symbols[i].name;
  return NULL;
}

static void print_layer_head(const walk *w, const isa_csi *csi, uint64_t id, uint64_t place) {
  uint64_t table = csi->desc_base * ISA_DESCRIPTOR_BYTES;
  if (!w->is_plain) {
    text_printf(w->out, "; layer %llu", (unsigned long long)id);
    print_name(w, id, w->out);
    text_printf(w->out, ": %llu block%s, csi at 0x%llx\n", (unsigned long long)csi->num_blocks,
                csi->num_blocks == 1 ? "" : "s", (unsigned long long)place);
  }
  text_printf(w->out, ".layer %s", isa_value_name(ISA_VALUES_LAYER, csi->layer_type));
  if (table) text_printf(w->out, " desc=0x%llx", (unsigned long long)table);
  const char *name = table && !w->is_plain ? table_name(w, table) : NULL;
  if (name) text_printf(w->out, "    ; %s", name);
  text_append(w->out, "\n");
}

static void print_line(const walk *w, const isa_insn *insn, uint64_t place, unsigned indent) {
  if (w->is_plain)
    text_printf(w->out, "%*s", (int)indent, "");
  else
    text_printf(w->out, "0x%08llx:  %*s", (unsigned long long)place, (int)indent, "");
  isa_print(w->out, insn);
  if (!w->is_plain && (insn->op == ISA_OP_memrd || insn->op == ISA_OP_memwr)) {
    text name = {0};
    print_place(w, 4 * (insn->op == ISA_OP_memrd ? insn->memrd.addr : insn->memwr.addr), &name);
    if (name.size) text_printf(w->out, "    ; %s", text_str(&name));
    text_free(&name);
  }
  text_append(w->out, "\n");
}

/* A tiling block from its first word; `*at` is behind its last one afterwards. Bodies of loops are indented. */
static status print_block(const walk *w, size_t *at, uint64_t number, bool is_shown) {
  uint64_t body = 0;
  isa_insn insn;
  if (is_shown && w->is_plain) text_append(w->out, ".block\n");
  if (is_shown && !w->is_plain) text_printf(w->out, ".block      ; %llu\n", (unsigned long long)number);
  do {
    RETURN_IF_ERROR(read_insn(w->im, *at, &insn));
    if (is_shown) print_line(w, &insn, place_of(w->im, *at), body ? 2 : 0);
    if (body) body--;
    if (insn.op == ISA_OP_loop) body = insn.loop.body_len;
    if (insn.op == ISA_OP_csi || insn.op == ISA_OP_halt)
      return status_error(STATUS_CODE_format, "%s at 0x%llx inside a tiling block", isa_name(insn.op),
                          (unsigned long long)place_of(w->im, *at));
    (*at)++;
  } while (!isa_is_eot(&insn));
  return STATUS_OK;
}

/* Where the blocks of a layer begin, as a word of .text. */
static status find_blocks(const image *im, const isa_csi *csi, size_t *at) {
  uint64_t address = csi->tb_base * ISA_INSN_BYTES, begin = im->sections[IMAGE_TEXT].address;
  if (address < begin || address - begin >= im->sections[IMAGE_TEXT].size)
    return status_error(STATUS_CODE_format, "tb_base 0x%llx of the csi at 0x%llx is outside of .text",
                        (unsigned long long)address, (unsigned long long)place_of(im, *at));
  if ((address - begin) / ISA_INSN_BYTES <= *at)
    return status_error(STATUS_CODE_format, "tb_base 0x%llx of the csi at 0x%llx points back",
                        (unsigned long long)address, (unsigned long long)place_of(im, *at));
  *at = (size_t)((address - begin) / ISA_INSN_BYTES);
  return STATUS_OK;
}

/* All tables, named where a symbol begins. */
static void print_descriptors(const walk *w) {
  const image_section *s = &w->im->sections[IMAGE_DESC];
  const image_symbol **at = malloc((size_t)(w->im->num_symbols + 1) * sizeof *at);
  size_t count = 0, next = 0;
  if (!s->size || !s->data || !at) {
    free(at);
    return;
  }
  for (int64_t i = 0; i < w->im->num_symbols; i++)
    if (w->im->symbols[i].section == IMAGE_DESC) at[count++] = &w->im->symbols[i];
  if (count) qsort(at, count, sizeof *at, by_address);
  text_printf(w->out, "%s.section desc at 0x%llx\n", w->is_plain ? "" : "\n", (unsigned long long)s->address);
  for (uint64_t i = 0; i + ISA_DESCRIPTOR_BYTES <= s->size; i += ISA_DESCRIPTOR_BYTES) {
    isa_descriptor d;
    isa_descriptor_decode(s->data + i, &d);
    for (; next < count && at[next]->address <= s->address + i; next++)
      if (!w->is_plain) text_printf(w->out, "; %s: first_edge, num_edges, src_row, src_rows\n", at[next]->name);
    text_printf(w->out, ".desc %u, %u, %u, %u%s%s\n", d.first_edge, d.num_edges, d.src_row, d.src_rows,
                d.second ? ", second" : "", d.reuse ? ", reuse" : "");
  }
  free(at);
}

static status print_program(const walk *w, uint64_t *layers) {
  size_t at = 0;
  isa_insn insn;
  for (*layers = 0;; ++*layers) {
    RETURN_IF_ERROR(read_insn(w->im, at, &insn));
    if (insn.op != ISA_OP_csi) break;
    bool is_shown = w->only < 0 || (uint64_t)w->only == *layers;
    if (is_shown && w->out->size && !w->is_plain) text_append(w->out, "\n");
    if (is_shown) print_layer_head(w, &insn.csi, *layers, place_of(w->im, at));
    RETURN_IF_ERROR(find_blocks(w->im, &insn.csi, &at));
    for (uint64_t b = 0; b < insn.csi.num_blocks; b++) RETURN_IF_ERROR(print_block(w, &at, b, is_shown));
  }
  if (insn.op != ISA_OP_halt)
    return status_error(STATUS_CODE_format, "%s at 0x%llx, expected csi or halt", isa_name(insn.op),
                        (unsigned long long)place_of(w->im, at));
  if (w->only < 0 && !w->is_plain)
    text_printf(w->out, "%s; halt at 0x%llx\n", w->out->size ? "\n" : "", (unsigned long long)place_of(w->im, at));
  if (w->only < 0) print_descriptors(w);
  return STATUS_OK;
}

status listing_print(const image *im, text *out) {
  walk w = {.im = im, .out = out, .only = -1};
  uint64_t layers;
  open_walk(&w);
  status s = print_program(&w, &layers);
  close_walk(&w);
  return s;
}

status listing_print_layer(const image *im, uint64_t layer, text *out) {
  walk w = {.im = im, .out = out, .only = (int64_t)(layer & INT64_MAX)};
  uint64_t layers;
  open_walk(&w);
  status s = print_program(&w, &layers);
  close_walk(&w);
  if (!s && layer >= layers)
    s = status_error(STATUS_CODE_mismatch, "there is no layer %llu; the program has %llu", (unsigned long long)layer,
                     (unsigned long long)layers);
  return s;
}

/* .device with what is not as by default. */
static void print_device(const device *d, text *out) {
  device standard;
  device_default(&standard);
  char *words = device_json(d), *others = device_json(&standard);
  json_t *mine = json_loads(words, 0, NULL), *theirs = json_loads(others, 0, NULL);
  const char *key;
  json_t *value;
  json_object_foreach(mine, key, value) {
    if (json_equal(value, json_object_get(theirs, key))) continue;
    char *printed = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    text_printf(out, ".device %s=%s\n", key, printed ? printed : "0");
    free(printed);
  }
  json_decref(mine);
  json_decref(theirs);
  free(words);
  free(others);
}

static uint32_t read_u32(const unsigned char *in) {
  return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

/* Words eight to a line; runs of zeros as .zero. */
static void print_words(const unsigned char *data, uint64_t size, text *out) {
  for (uint64_t i = 0; i < size;) {
    uint64_t zeros = 0;
    while (i + zeros < size && !data[i + zeros]) zeros++;
    zeros = zeros / 4 * 4;
    if (zeros >= 16 || size - i < 4) {
      text_printf(out, ".zero %llu\n", (unsigned long long)(size - i < 4 ? size - i : zeros));
      i += size - i < 4 ? size - i : zeros;
      continue;
    }
    text_append(out, ".u32");
    for (int n = 0; n < 8 && i + 4 <= size && (n == 0 || read_u32(data + i)); n++, i += 4)
      text_printf(out, "%s0x%08x", n ? ", " : " ", read_u32(data + i));
    text_append(out, "\n");
  }
}

static void print_section(const image *im, image_section_kind kind, text *out) {
  const image_section *s = &im->sections[kind];
  if (!s->size && !s->address) return;
  text_printf(out, ".section %s at 0x%llx\n", image_loaded_name(kind), (unsigned long long)s->address);
  if (kind < IMAGE_EDGES || !s->size) return;
  if (s->data)
    print_words(s->data, s->size, out);
  else
    text_printf(out, ".zero %llu\n", (unsigned long long)s->size);
}

static void print_symbols(const image *im, text *out) {
  for (int64_t i = 0; i < im->num_symbols; i++) {
    const image_symbol *s = &im->symbols[i];
    if (s->section != IMAGE_TEXT && s->section < IMAGE_PROGRAM)
      text_printf(out, ".symbol \"%s\" 0x%llx %llu %s\n", s->name, (unsigned long long)s->address,
                  (unsigned long long)s->size, image_loaded_name(s->section));
  }
}

static void print_constants(const image_section *s, text *out) {
  for (uint64_t i = 1; s->data && i < s->size / 4; i++) {
    float value;
    memcpy(&value, s->data + 4 * i, sizeof value);
    text_printf(out, ".constant %.9g\n", (double)value);
  }
}

status listing_print_assembly(const image *im, text *out) {
  print_device(&im->device, out);
  print_constants(&im->sections[IMAGE_CONSTANTS], out);
  for (int i = 0; i < IMAGE_PROGRAM; i++) print_section(im, (image_section_kind)i, out);
  print_symbols(im, out);
  walk w = {.im = im, .out = out, .only = -1, .is_plain = true};
  uint64_t layers;
  open_walk(&w);
  status s = print_program(&w, &layers);
  close_walk(&w);
  return s;
}
