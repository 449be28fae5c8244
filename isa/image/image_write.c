/* Program images as ELF files: see image.h.
 *
 * Sections follow one another in the order of image.h, each at a multiple of 64 bytes, then the
 * note, symbols and string tables. Each section that a device would load has a PT_LOAD segment. The
 * same image always gives the same bytes. */
#define _GNU_SOURCE
#include "isa/image/image_parts.h"

#include <elf.h>
#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The ELF sections after those of the image; number 0 is the null section of every file. The
 * section of lists is last, so that it can be left out. */
enum { NOTE = IMAGE_LISTS + 1, SYMBOLS, STRINGS, NAMES, LISTS, MOST_SECTIONS };

typedef struct elf_section {
  const char *name;
  Elf64_Shdr header;
  const void *data;
} elf_section;

typedef struct writer {
  const image *im;
  elf_section sections[MOST_SECTIONS];
  int count; /* number of ELF sections */
  text note, symbols, strings, names;
} writer;

static const char *const section_names[IMAGE_SECTIONS] = {".text",        ".desc",      ".constants",    ".edges",
                                                          ".weights",     ".features",  ".gnnc.program", ".gnnc.rows",
                                                          ".gnnc.source", ".gnnc.lists"};

const char *image_section_name(image_section_kind kind) {
  return kind < IMAGE_SECTIONS ? section_names[kind] : "?";
}

const char *image_loaded_name(image_section_kind kind) {
  return image_section_name(kind) + 1;
}

static status elf_error(void) {
  return status_error(STATUS_CODE_io, "libelf: %s", elf_errmsg(-1));
}

/* ---- sections ---- */

static uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

static void put(writer *w, int index, const char *name, Elf64_Shdr header, const void *data) {
  w->sections[index] = (elf_section){name, header, data};
}

static void put_image_sections(writer *w) {
  for (int kind = 0; kind < IMAGE_SECTIONS; kind++) {
    const image_section *s = &w->im->sections[kind];
    bool is_loaded = image_is_loaded((image_section_kind)kind);
    Elf64_Shdr header = {.sh_type = s->data || !s->size ? SHT_PROGBITS : SHT_NOBITS,
                         .sh_flags = is_loaded ? SHF_ALLOC : 0,
                         .sh_addr = is_loaded ? s->address : 0,
                         .sh_size = s->size,
                         .sh_addralign = IMAGE_ALIGNMENT};
    if (kind == IMAGE_TEXT) header.sh_flags |= SHF_EXECINSTR;
    if (kind == IMAGE_FEATURES) header.sh_type = SHT_NOBITS;
    if (kind == IMAGE_LISTS && !s->size) continue;
    put(w, kind == IMAGE_LISTS ? LISTS : kind + 1, section_names[kind], header, s->data);
  }
}

static void put_symbols(writer *w) {
  Elf64_Sym symbol = {0};
  text_append_bytes(&w->symbols, &symbol, sizeof symbol);
  text_append_bytes(&w->strings, "", 1);
  for (int64_t i = 0; i < w->im->num_symbols; i++) {
    const image_symbol *s = &w->im->symbols[i];
    symbol = (Elf64_Sym){.st_name = (Elf64_Word)w->strings.size,
                         .st_info = ELF64_ST_INFO(STB_LOCAL, s->section == IMAGE_TEXT ? STT_FUNC : STT_OBJECT),
                         .st_shndx = (Elf64_Half)(s->section + 1),
                         .st_value = s->address,
                         .st_size = s->size};
    text_append_bytes(&w->symbols, &symbol, sizeof symbol);
    text_append_bytes(&w->strings, s->name, strlen(s->name) + 1);
  }
  Elf64_Shdr header = {.sh_type = SHT_SYMTAB,
                       .sh_size = w->symbols.size,
                       .sh_addralign = 8,
                       .sh_entsize = sizeof symbol,
                       .sh_link = STRINGS,
                       .sh_info = (Elf64_Word)(w->im->num_symbols + 1)};
  put(w, SYMBOLS, ".symtab", header, w->symbols.data);
  header = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_size = w->strings.size, .sh_addralign = 1};
  put(w, STRINGS, ".strtab", header, w->strings.data);
}

/* Writes the names of sections; all other sections must have their sizes. */
static void put_names(writer *w) {
  put(w, NAMES, ".shstrtab", (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_addralign = 1}, NULL);
  text_append_bytes(&w->names, "", 1);
  for (int i = 1; i < w->count; i++) {
    w->sections[i].header.sh_name = (Elf64_Word)w->names.size;
    text_append_bytes(&w->names, w->sections[i].name, strlen(w->sections[i].name) + 1);
  }
  w->sections[NAMES].header.sh_size = w->names.size;
  w->sections[NAMES].data = w->names.data;
}

/* Assigns offsets in the file, from `offset` on; returns the end. */
static uint64_t place_sections(writer *w, uint64_t offset) {
  for (int i = 1; i < w->count; i++) {
    Elf64_Shdr *h = &w->sections[i].header;
    offset = align_up(offset, h->sh_addralign);
    h->sh_offset = offset;
    if (h->sh_type != SHT_NOBITS) offset += h->sh_size;
  }
  return align_up(offset, 8);
}

/* ---- segments ---- */

static int compare_segments(const void *a, const void *b) {
  const Elf64_Phdr *x = a, *y = b;
  return (x->p_vaddr > y->p_vaddr) - (x->p_vaddr < y->p_vaddr);
}

static int make_segments(const writer *w, Elf64_Phdr *out) {
  int count = 0;
  for (int kind = 0; kind < IMAGE_LOADED; kind++) {
    const Elf64_Shdr *h = &w->sections[kind + 1].header;
    if (!h->sh_size) continue;
    uint32_t flags = kind == IMAGE_TEXT ? PF_R | PF_X : kind == IMAGE_FEATURES ? PF_R | PF_W : PF_R;
    out[count++] = (Elf64_Phdr){.p_type = PT_LOAD,
                                .p_flags = flags,
                                .p_offset = h->sh_offset,
                                .p_vaddr = h->sh_addr,
                                .p_paddr = h->sh_addr,
                                .p_filesz = h->sh_type == SHT_NOBITS ? 0 : h->sh_size,
                                .p_memsz = h->sh_size,
                                .p_align = IMAGE_ALIGNMENT};
  }
  qsort(out, (size_t)count, sizeof *out, compare_segments);
  return count;
}

static int count_segments(const image *im) {
  int count = 0;
  for (int kind = 0; kind < IMAGE_LOADED; kind++) count += im->sections[kind].size != 0;
  return count;
}

/* ---- the file ---- */

static status add_headers(const writer *w, Elf *elf, uint64_t section_headers) {
  Elf64_Ehdr *header = elf64_newehdr(elf);
  int count = count_segments(w->im);
  Elf64_Phdr *segments = header && count ? elf64_newphdr(elf, (size_t)count) : NULL;
  if (!header || (count && !segments)) return elf_error();
  header->e_ident[EI_DATA] = ELFDATA2LSB;
  header->e_type = ET_EXEC;
  header->e_machine = EM_NONE;
  header->e_version = EV_CURRENT;
  header->e_entry = w->im->sections[IMAGE_TEXT].address;
  header->e_phoff = count ? sizeof *header : 0;
  header->e_shoff = section_headers;
  header->e_shstrndx = NAMES;
  if (count) make_segments(w, segments);
  return STATUS_OK;
}

static status add_section(const elf_section *s, Elf *elf) {
  Elf_Scn *scn = elf_newscn(elf);
  Elf64_Shdr *header = scn ? elf64_getshdr(scn) : NULL;
  Elf_Data *data = header ? elf_newdata(scn) : NULL;
  if (!data) return elf_error();
  *header = s->header;
  *data = (Elf_Data){.d_buf = (void *)s->data,
                     .d_type = ELF_T_BYTE,
                     .d_size = s->header.sh_size,
                     .d_align = s->header.sh_addralign,
                     .d_version = EV_CURRENT};
  return STATUS_OK;
}

static status write_elf(writer *w, int fd) {
  Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
  if (!elf) return elf_error();
  elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
  size_t front = sizeof(Elf64_Ehdr) + (size_t)count_segments(w->im) * sizeof(Elf64_Phdr);
  status s = add_headers(w, elf, place_sections(w, front));
  for (int i = 1; i < w->count && !s; i++) s = add_section(&w->sections[i], elf);
  if (!s && elf_update(elf, ELF_C_WRITE) < 0) s = elf_error();
  elf_end(elf);
  return s;
}

static status write_descriptor(const image *im, int fd) {
  writer w = {.im = im};
  elf_version(EV_CURRENT);
  w.count = im->sections[IMAGE_LISTS].size ? LISTS + 1 : LISTS;
  put_image_sections(&w);
  status s = image_note_make(im, &w.note);
  if (!s) {
    put(&w, NOTE, ".note.gnnc", (Elf64_Shdr){.sh_type = SHT_NOTE, .sh_size = w.note.size, .sh_addralign = 4},
        w.note.data);
    put_symbols(&w);
    put_names(&w);
    s = write_elf(&w, fd);
  }
  text_free(&w.note);
  text_free(&w.symbols);
  text_free(&w.strings);
  text_free(&w.names);
  return s;
}

status image_write_memory(const image *im, unsigned char **data, size_t *size) {
  *data = NULL;
  int fd = memfd_create("image", MFD_CLOEXEC);
  if (fd < 0) return status_error(STATUS_CODE_io, "cannot make a file in memory: %s", strerror(errno));
  status s = write_descriptor(im, fd);
  off_t end = s ? -1 : lseek(fd, 0, SEEK_END);
  if (!s && end < 0) s = status_error(STATUS_CODE_io, "cannot read a file in memory: %s", strerror(errno));
  unsigned char *made = s ? NULL : malloc((size_t)end);
  if (!s && !made)
    s = status_error(STATUS_CODE_memory, "an image of %lld bytes does not fit into memory", (long long)end);
  for (off_t at = 0; !s && at < end;) {
    ssize_t n = pread(fd, made + at, (size_t)(end - at), at);
    if (n > 0) at += n;
    if (n == 0 || (n < 0 && errno != EINTR))
      s = status_error(STATUS_CODE_io, "cannot read a file in memory: %s", strerror(errno));
  }
  close(fd);
  if (s) {
    free(made);
    return s;
  }
  *data = made;
  *size = (size_t)end;
  return STATUS_OK;
}

/* Writes to something that is not a regular file (a pipe, standard output) in one piece. */
static status write_in_place(const image *im, file_writer *file) {
  unsigned char *data = NULL;
  size_t size = 0;
  RETURN_IF_ERROR(image_write_memory(im, &data, &size));
  status s = file_writer_write(file, data, size);
  free(data);
  return s;
}

status image_put(const image *im, file_writer *file) {
  int fd = file_writer_descriptor(file);
  return fd < 0 ? write_in_place(im, file) : write_descriptor(im, fd);
}

status image_write(const image *im, const char *path) {
  file_writer *file = NULL;
  RETURN_IF_ERROR(file_writer_open(path, &file));
  status s = image_put(im, file);
  if (s) {
    file_writer_abandon(file);
    return status_context(s, "%s", path);
  }
  return file_writer_commit(file);
}
