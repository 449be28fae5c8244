/* Determines the kind of a program file: see kind.h. */
#include "runtime/kind.h"

#include "support/file.h"

#include <elf.h>
#include <stddef.h>
#include <string.h>

status program_kind_of(const char *path, program_kind *out) {
  size_t length = strlen(path), machine = offsetof(Elf64_Ehdr, e_machine);
  file_mapping mapping;
  *out = PROGRAM_KIND_source;
  if (length > 2 && !strcmp(path + length - 2, ".c")) return STATUS_OK;
  *out = PROGRAM_KIND_other;
  RETURN_IF_ERROR(file_map(path, &mapping));
  const unsigned char *bytes = mapping.data;
  if (mapping.size >= machine + 2 && !memcmp(bytes, ELFMAG, SELFMAG))
    *out = bytes[machine] || bytes[machine + 1] ? PROGRAM_KIND_library : PROGRAM_KIND_image;
  file_unmap(&mapping);
  return STATUS_OK;
}
