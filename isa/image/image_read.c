/* Reads program images: ELF structure, sections by name, symbols. The file is not trusted: libelf
 * finds the headers, their contents are compared with the file's size here, and image_check looks
 * at the program. Sections stay in the file's memory. */
#include "isa/image/image_parts.h"

#include <elf.h>
#include <inttypes.h>
#include <libelf.h>
#include <string.h>

enum { MOST_SECTIONS = 1024 };

typedef struct reader {
  arena *a;
  const unsigned char *data;
  size_t size;
  Elf *elf;
  size_t section_count;
  Elf64_Shdr *headers; /* a copy: [section_count] */
  const char **names;
  size_t found[IMAGE_SECTIONS]; /* index of each section in the file; 0: it is missing */
  image *out;
} reader;

static status in_section(status s, const char *name) {
  return status_context(s, "section '%s'", name);
}

/* ---- headers ---- */

static status check_ident(const reader *r) {
  if (r->size < sizeof(Elf64_Ehdr) || memcmp(r->data, ELFMAG, SELFMAG) != 0)
    return status_error(STATUS_CODE_format, "not an ELF file");
  Elf64_Ehdr h;
  memcpy(&h, r->data, sizeof h);
  if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ELFDATA2LSB)
    return status_error(
        STATUS_CODE_format,
        "ELF class %d, byte order %d; program images have class %d (64 bit), byte order %d (little endian)",
        h.e_ident[EI_CLASS], h.e_ident[EI_DATA], ELFCLASS64, ELFDATA2LSB);
  if (h.e_machine != EM_NONE)
    return status_error(STATUS_CODE_format, "ELF file for machine %d; program images have machine %d (none)",
                        h.e_machine, EM_NONE);
  if (h.e_type != ET_EXEC && h.e_type != ET_DYN)
    return status_error(STATUS_CODE_format, "ELF type %d; program images have type %d (executable)", h.e_type, ET_EXEC);
  if (h.e_shentsize != sizeof(Elf64_Shdr))
    return status_error(STATUS_CODE_format, "section headers of %d bytes, expected %zu", h.e_shentsize,
                        sizeof(Elf64_Shdr));
  if (h.e_shoff % 8 || h.e_shoff > r->size || r->size - h.e_shoff < (uint64_t)h.e_shnum * sizeof(Elf64_Shdr))
    return status_error(STATUS_CODE_format, "%d section headers at offset %" PRIu64 " of a file of %zu bytes",
                        h.e_shnum, (uint64_t)h.e_shoff, r->size);
  if (h.e_shnum > MOST_SECTIONS)
    return status_error(STATUS_CODE_format, "%d sections, expected at most %d", h.e_shnum, MOST_SECTIONS);
  return STATUS_OK;
}

static status read_headers(reader *r) {
  size_t names = 0;
  if (elf_kind(r->elf) != ELF_K_ELF || elf_getshdrnum(r->elf, &r->section_count) || elf_getshdrstrndx(r->elf, &names))
    return status_error(STATUS_CODE_format, "not a whole ELF file: %s", elf_errmsg(-1));
  if (!r->section_count || r->section_count > MOST_SECTIONS)
    return status_error(STATUS_CODE_format, "%zu sections, expected 1 to %d", r->section_count, MOST_SECTIONS);
  r->headers = arena_alloc_array(r->a, r->section_count, sizeof *r->headers);
  r->names = arena_alloc_array(r->a, r->section_count, sizeof *r->names);
  for (size_t i = 0; i < r->section_count; i++) {
    Elf_Scn *scn = elf_getscn(r->elf, i);
    Elf64_Shdr *header = scn ? elf64_getshdr(scn) : NULL;
    if (!header) return status_error(STATUS_CODE_format, "section %zu: %s", i, elf_errmsg(-1));
    r->headers[i] = *header;
    r->names[i] = "";
  }
  if (names >= r->section_count)
    return status_error(STATUS_CODE_format, "the names of sections are said to be in section %zu of %zu", names,
                        r->section_count);
  return STATUS_OK;
}

/* The bytes of a section; an error where they are not in the file. */
static status section_bytes(const reader *r, size_t index, const unsigned char **data) {
  const Elf64_Shdr *h = &r->headers[index];
  if (h->sh_offset > r->size || h->sh_size > r->size - h->sh_offset)
    return status_error(STATUS_CODE_format, "%" PRIu64 " bytes at offset %" PRIu64 ", the file has %zu bytes",
                        (uint64_t)h->sh_size, (uint64_t)h->sh_offset, r->size);
  *data = r->data + h->sh_offset;
  return STATUS_OK;
}

/* A string table; an error where its last byte is not zero. */
static status string_table(const reader *r, size_t index, const char **strings) {
  const Elf64_Shdr *h = &r->headers[index];
  const unsigned char *data = NULL;
  if (h->sh_type != SHT_STRTAB || h->sh_flags & SHF_COMPRESSED)
    return status_error(STATUS_CODE_format, "type %u, expected a string table (%d)", h->sh_type, SHT_STRTAB);
  RETURN_IF_ERROR(section_bytes(r, index, &data));
  if (!h->sh_size || data[h->sh_size - 1])
    return status_error(STATUS_CODE_format, "a string table of %" PRIu64 " bytes that does not end in a zero",
                        (uint64_t)h->sh_size);
  *strings = (const char *)data;
  return STATUS_OK;
}

static status read_names(reader *r) {
  size_t index = 0;
  const char *strings = NULL;
  (void)elf_getshdrstrndx(r->elf, &index);
  if (index) {
    status s = string_table(r, index, &strings);
    if (s) return status_context(s, "section %zu, the names of sections", index);
  }
  for (size_t i = 1; i < r->section_count; i++) {
    uint64_t at = r->headers[i].sh_name;
    if (!strings || at >= r->headers[index].sh_size)
      return status_error(STATUS_CODE_format, "section %zu: its name is at byte %" PRIu64 ", beyond the names", i, at);
    r->names[i] = strings + at;
  }
  return STATUS_OK;
}

/* ---- sections of the image ---- */

/* Checks whether a section may have no bytes, or must have some. */
static status check_type(image_section_kind kind, const Elf64_Shdr *h) {
  bool may_be_empty = kind == IMAGE_FEATURES || kind == IMAGE_EDGES || kind == IMAGE_WEIGHTS || kind == IMAGE_LISTS;
  bool is_known = kind == IMAGE_FEATURES ? h->sh_type == SHT_NOBITS
                                         : h->sh_type == SHT_PROGBITS || (may_be_empty && h->sh_type == SHT_NOBITS);
  if (!is_known)
    return status_error(STATUS_CODE_format, "type %u, expected %s", h->sh_type,
                        kind == IMAGE_FEATURES ? "nobits (8)"
                        : may_be_empty         ? "progbits (1) or nobits (8)"
                                               : "progbits (1)");
  uint64_t known = SHF_ALLOC | SHF_WRITE | SHF_EXECINSTR;
  bool is_loaded = image_is_loaded(kind);
  if (h->sh_flags & ~known || !(h->sh_flags & SHF_ALLOC) != !is_loaded)
    return status_error(STATUS_CODE_format, "flags 0x%" PRIx64 ", expected %s", (uint64_t)h->sh_flags,
                        is_loaded ? "a section that is allocated and not compressed" : "none");
  return STATUS_OK;
}

static status read_section(reader *r, image_section_kind kind, size_t index) {
  const Elf64_Shdr *h = &r->headers[index];
  if (r->found[kind]) return status_error(STATUS_CODE_format, "there are two (%zu and %zu)", r->found[kind], index);
  r->found[kind] = index;
  RETURN_IF_ERROR(check_type(kind, h));
  image_section *s = &r->out->sections[kind];
  *s = (image_section){.address = image_is_loaded(kind) ? h->sh_addr : 0, .size = h->sh_size};
  if (h->sh_type == SHT_NOBITS) return STATUS_OK;
  RETURN_IF_ERROR(section_bytes(r, index, &s->data));
  uint64_t alignment = kind == IMAGE_SOURCE || kind == IMAGE_PROGRAM ? 1 : 16;
  if (h->sh_size && h->sh_offset % alignment)
    return status_error(STATUS_CODE_format, "offset %" PRIu64 " in the file, expected a multiple of %" PRIu64,
                        (uint64_t)h->sh_offset, alignment);
  if (!h->sh_size) s->data = NULL;
  return STATUS_OK;
}

static image_section_kind find_kind(const char *name) {
  int kind = 0;
  while (kind < IMAGE_SECTIONS && strcmp(image_section_name((image_section_kind)kind), name) != 0) kind++;
  return (image_section_kind)kind;
}

static status read_sections(reader *r) {
  for (size_t i = 1; i < r->section_count; i++) {
    image_section_kind kind = find_kind(r->names[i]);
    const Elf64_Shdr *h = &r->headers[i];
    status s = STATUS_OK;
    if (kind != IMAGE_SECTIONS)
      s = read_section(r, kind, i);
    else if (h->sh_flags & SHF_ALLOC && h->sh_size)
      s = status_error(STATUS_CODE_format, "it is to be loaded, and no part of a program image");
    if (s) return in_section(s, r->names[i]);
  }
  return STATUS_OK;
}

static status read_note(reader *r) {
  for (size_t i = 1; i < r->section_count; i++) {
    if (strcmp(r->names[i], ".note.gnnc") != 0) continue;
    const unsigned char *data = NULL;
    const Elf64_Shdr *h = &r->headers[i];
    status s = h->sh_type == SHT_NOTE && !(h->sh_flags & SHF_COMPRESSED)
                   ? section_bytes(r, i, &data)
                   : status_error(STATUS_CODE_format, "type %u, expected a note (%d)", h->sh_type, SHT_NOTE);
    if (!s) s = image_note_read(r->a, data, h->sh_size, r->out);
    return in_section(s, ".note.gnnc");
  }
  return status_error(STATUS_CODE_format, "there is no section '.note.gnnc': not a program of gnnc");
}

/* ---- symbols ---- */

static status read_symbol(reader *r, const Elf64_Sym *from, const char *strings, uint64_t strings_size,
                          image_symbol *to, bool *is_kept) {
  int type = ELF64_ST_TYPE(from->st_info);
  image_section_kind kind = IMAGE_TEXT;
  while (kind < IMAGE_SECTIONS && (!r->found[kind] || r->found[kind] != from->st_shndx)) kind++;
  *is_kept = kind != IMAGE_SECTIONS && type != STT_SECTION && type != STT_FILE;
  if (!*is_kept) return STATUS_OK;
  if (from->st_name >= strings_size)
    return status_error(STATUS_CODE_format, "its name is at byte %u of %" PRIu64, from->st_name, strings_size);
  *to = (image_symbol){strings + from->st_name, kind, from->st_value, from->st_size};
  const image_section *s = &r->out->sections[kind];
  uint64_t begin = s->address, end = begin + s->size;
  if (to->address < begin || to->address > end || to->size > end - to->address)
    return status_error(STATUS_CODE_format,
                        "'%s' is %" PRIu64 " bytes at 0x%" PRIx64 ", '%s' has %" PRIu64 " bytes at 0x%" PRIx64,
                        to->name, to->size, to->address, image_section_name(kind), s->size, begin);
  return STATUS_OK;
}

static status read_symbol_table(reader *r, size_t index) {
  const Elf64_Shdr *h = &r->headers[index];
  const unsigned char *data = NULL;
  const char *strings = NULL;
  RETURN_IF_ERROR(section_bytes(r, index, &data));
  if (h->sh_flags & SHF_COMPRESSED || h->sh_size % sizeof(Elf64_Sym) || h->sh_link >= r->section_count)
    return status_error(STATUS_CODE_format, "%" PRIu64 " bytes with names in section %u: not a table of symbols",
                        (uint64_t)h->sh_size, h->sh_link);
  RETURN_IF_ERROR(string_table(r, h->sh_link, &strings));
  size_t count = h->sh_size / sizeof(Elf64_Sym);
  image_symbol *made = arena_try_alloc_array(r->a, count + 1, sizeof *made);
  if (!made) return status_error(STATUS_CODE_memory, "%zu symbols do not fit into memory", count);
  r->out->symbols = made;
  for (size_t i = 1; i < count; i++) {
    Elf64_Sym symbol;
    bool is_kept = false;
    memcpy(&symbol, data + i * sizeof symbol, sizeof symbol);
    status s = read_symbol(r, &symbol, strings, r->headers[h->sh_link].sh_size, &made[r->out->num_symbols], &is_kept);
    if (s) return status_context(s, "symbol %zu", i);
    r->out->num_symbols += is_kept;
  }
  return STATUS_OK;
}

static status read_symbols(reader *r) {
  for (size_t i = 1; i < r->section_count; i++)
    if (r->headers[i].sh_type == SHT_SYMTAB) return in_section(read_symbol_table(r, i), r->names[i]);
  return STATUS_OK;
}

/* ---- the whole ---- */

static status read_all(reader *r) {
  RETURN_IF_ERROR(read_headers(r));
  RETURN_IF_ERROR(read_names(r));
  RETURN_IF_ERROR(read_note(r)); /* first, because another version may have other sections */
  RETURN_IF_ERROR(read_sections(r));
  RETURN_IF_ERROR(image_check_sections(r->out));
  RETURN_IF_ERROR(read_symbols(r));
  return image_check(r->out);
}

/* Copies the bytes of the file where they are not aligned well enough to read sections as words. */
static status align_data(reader *r, const unsigned char *data) {
  r->data = data;
  if ((uintptr_t)data % 16 == 0) return STATUS_OK;
  unsigned char *copy = arena_try_alloc(r->a, r->size);
  if (!copy) return status_error(STATUS_CODE_memory, "it does not fit into memory");
  memcpy(copy, data, r->size);
  r->data = copy;
  return STATUS_OK;
}

status image_read(arena *a, const char *name, const unsigned char *data, size_t size, image *out) {
  *out = (image){0};
  reader r = {.a = a, .size = size, .out = out};
  status s = size < sizeof(Elf64_Ehdr) ? status_error(STATUS_CODE_format, "not an ELF file") : align_data(&r, data);
  if (!s) s = check_ident(&r);
  if (!s) {
    elf_version(EV_CURRENT);
    r.elf = elf_memory((char *)r.data, size); /* elf_memory only reads */
    s = r.elf ? read_all(&r) : status_error(STATUS_CODE_format, "not an ELF file: %s", elf_errmsg(-1));
    elf_end(r.elf);
  }
  return status_context(s, "%s", name);
}

status image_open(arena *a, const char *path, image *out) {
  file_mapping mapping;
  *out = (image){0};
  RETURN_IF_ERROR(file_map(path, &mapping));
  status s = image_read(a, path, mapping.data, mapping.size, out);
  if (s) {
    file_unmap(&mapping);
    return s;
  }
  out->mapping = mapping;
  return STATUS_OK;
}

void image_close(image *im) {
  file_unmap(&im->mapping);
  memset(im->sections, 0, sizeof im->sections);
}
