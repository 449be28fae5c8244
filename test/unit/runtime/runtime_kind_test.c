/* The kind of a program file follows from its name or its first bytes, whatever follows them. */
#include "runtime/kind.h"
#include "support/file.h"
#include "unit.h"

static void expect_kind(const char *path, const unsigned char *bytes, size_t size, program_kind expected) {
  program_kind found = PROGRAM_KIND_other;
  CHECK_OK(file_write(path, bytes, size));
  CHECK_OK(program_kind_of(path, &found));
  if (found != expected) unit_fail(__FILE__, __LINE__, "%s is of kind %d, expected %d", path, found, expected);
  remove(path);
}

TEST(elf_files_are_libraries_of_a_processor_or_images_of_none) {
  unsigned char elf[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  expect_kind("runtime_kind_test.bin", elf, sizeof elf, PROGRAM_KIND_image);
  expect_kind("runtime_kind_test.bin", elf, 20, PROGRAM_KIND_image);
  elf[18] = 62;
  expect_kind("runtime_kind_test.bin", elf, sizeof elf, PROGRAM_KIND_library);
  elf[18] = 0;
  elf[19] = 1;
  expect_kind("runtime_kind_test.so", elf, sizeof elf, PROGRAM_KIND_library);
}

TEST(files_too_short_to_say_their_machine_are_no_programs) {
  const unsigned char elf[19] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  expect_kind("runtime_kind_test.bin", elf, sizeof elf, PROGRAM_KIND_other);
  expect_kind("runtime_kind_test.bin", elf, 0, PROGRAM_KIND_other);
  expect_kind("runtime_kind_test.bin", (const unsigned char *)"{\"model\": \"a manifest\"}", 23, PROGRAM_KIND_other);
}

TEST(c_is_known_by_its_name_alone) {
  program_kind found = PROGRAM_KIND_other;
  CHECK_OK(program_kind_of("there/is/no/such/file.c", &found));
  CHECK_INT(found, PROGRAM_KIND_source);
  expect_kind(".c", (const unsigned char *)"int x;", 6, PROGRAM_KIND_other); /* a hidden file without a name */
}

TEST(a_file_that_cannot_be_read_is_named) {
  program_kind found;
  CHECK_FAILS(program_kind_of("there/is/no/such/file.bin", &found), "there/is/no/such/file.bin");
}
