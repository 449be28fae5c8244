/* Images survive a round trip through a file, other tools read them, and image_check and the loader
 * refuse wrong files and wrong programs. */
#include "isa_image_fixture.h"

#include "unit.h"

#include "support/file.h"

#include <elf.h>
#include <inttypes.h>
#include <stdint.h>
#include <unistd.h>

/* ---- helpers ---- */

typedef struct file_bytes {
  unsigned char *data;
  size_t size;
} file_bytes;

static file_bytes to_bytes(const image *im) {
  file_bytes b = {0};
  CHECK_OK(image_write_memory(im, &b.data, &b.size));
  return b;
}

/* Expects a message from reading the bytes, or success where the message is "". */
static void expect_read(const unsigned char *data, size_t size, const char *part) {
  arena *a = arena_create();
  image im;
  if (*part)
    CHECK_FAILS(image_read(a, "test.bin", data, size, &im), part);
  else
    CHECK_OK(image_read(a, "test.bin", data, size, &im));
  arena_destroy(a);
}

typedef void change(image_fixture *f);

/* Changes the fixture, then expects a message from image_check and from reading the image as a
 * file. */
static void expect(change *change_it, const char *part) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  change_it(&f);
  image_fixture_pack(&f);
  CHECK_FAILS(image_check(&f.image), part);
  file_bytes b = to_bytes(&f.image);
  expect_read(b.data, b.size, part);
  free(b.data);
  arena_destroy(a);
}

/* The same for a section that is changed after packing. */
static void expect_section(image_section_kind kind, image_section section, const char *part) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  f.image.sections[kind] = section;
  CHECK_FAILS(image_check(&f.image), part);
  arena_destroy(a);
}

static Elf64_Shdr *find_header(file_bytes b, const char *name) {
  Elf64_Ehdr *h = (void *)b.data;
  Elf64_Shdr *all = (void *)(b.data + h->e_shoff);
  const char *names = (const char *)b.data + all[h->e_shstrndx].sh_offset;
  for (int i = 0; i < h->e_shnum; i++)
    if (!strcmp(names + all[i].sh_name, name)) return &all[i];
  return NULL;
}

#define EXPECT(name, part, statement)                                                                                  \
  static void change_##name(image_fixture *f) {                                                                        \
    statement;                                                                                                         \
  }                                                                                                                    \
  TEST(name) {                                                                                                         \
    expect(change_##name, part);                                                                                       \
  }

/* ---- round trips ---- */

TEST(an_image_that_was_written_reads_back_the_same) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  CHECK_OK(image_check(&f.image));
  CHECK_OK(image_write(&f.image, "isa_image_test.bin"));
  image im;
  CHECK_OK(image_open(a, "isa_image_test.bin", &im));
  for (int i = 0; i < IMAGE_SECTIONS; i++) {
    CHECK_INT(im.sections[i].address, f.image.sections[i].address);
    CHECK_INT(im.sections[i].size, f.image.sections[i].size);
    CHECK_INT(im.sections[i].data != NULL, f.image.sections[i].data != NULL);
    if (im.sections[i].data) CHECK(!memcmp(im.sections[i].data, f.image.sections[i].data, im.sections[i].size));
  }
  CHECK_INT(im.isa_major, GRAPHAGILE_MAJOR);
  CHECK_INT(im.graph_fingerprint, 0x0123456789abcdef);
  CHECK_STR(im.compiler, "gnnc test");
  CHECK_STR(im.device.graphagile.name, "small");
  CHECK_INT(im.device.graphagile.feature_rows, 64);
  CHECK_OK(device_check_same(&im.device, &f.image.device));
  CHECK_INT(im.num_symbols, 4);
  for (int i = 0; i < 4 && i < im.num_symbols; i++) {
    CHECK_STR(im.symbols[i].name, f.symbols[i].name);
    CHECK_INT(im.symbols[i].section, f.symbols[i].section);
    CHECK_INT(im.symbols[i].address, f.symbols[i].address);
    CHECK_INT(im.symbols[i].size, f.symbols[i].size);
  }
  image_close(&im);
  arena_destroy(a);
}

TEST(the_same_image_gives_the_same_bytes_in_a_file_and_in_memory) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  file_bytes once = to_bytes(&f.image), twice = to_bytes(&f.image);
  CHECK_OK(image_write(&f.image, "isa_image_test.bin"));
  char *written = NULL;
  size_t size = 0;
  CHECK_OK(file_read(a, "isa_image_test.bin", &written, &size));
  CHECK_INT(once.size, twice.size);
  CHECK_INT(once.size, size);
  CHECK(!memcmp(once.data, twice.data, once.size));
  CHECK(!memcmp(once.data, written, once.size));
  free(once.data);
  free(twice.data);
  arena_destroy(a);
}

TEST(edges_and_weights_may_be_left_out) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  f.image.sections[IMAGE_EDGES].data = NULL;
  f.image.sections[IMAGE_WEIGHTS].data = NULL;
  f.records[0] = 1000;
  file_bytes b = to_bytes(&f.image);
  image im;
  CHECK_OK(image_read(a, "small.bin", b.data, b.size, &im));
  CHECK(!im.sections[IMAGE_EDGES].data);
  CHECK_INT(im.sections[IMAGE_EDGES].size, sizeof f.records);
  free(b.data);
  arena_destroy(a);
}

TEST(bytes_at_any_address_can_be_read) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  file_bytes b = to_bytes(&f.image);
  unsigned char *moved = malloc(b.size + 1);
  memcpy(moved + 1, b.data, b.size);
  expect_read(moved + 1, b.size, "");
  free(moved);
  free(b.data);
  arena_destroy(a);
}

TEST(a_failed_write_names_the_file) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  CHECK_FAILS(image_write(&f.image, "none/image.bin"), "none/image.bin");
  image im;
  CHECK_FAILS(image_open(a, "none.bin", &im), "none.bin");
  arena_destroy(a);
}

/* ---- other tools ---- */

static bool has_program(const char *name) {
  char command[256];
  snprintf(command, sizeof command, "command -v %s > isa_image_test.txt 2>&1", name);
  return system(command) == 0;
}

TEST(readelf_and_objcopy_take_an_image) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  CHECK_OK(image_write(&f.image, "isa_image_test.bin"));
  static const char *const readers[] = {"readelf", "llvm-readelf-22"};
  for (int i = 0; i < 2; i++) {
    if (!has_program(readers[i])) continue;
    char command[256], *said = NULL;
    size_t size = 0;
    snprintf(command, sizeof command, "%s -a -W isa_image_test.bin > isa_image_test.txt 2>&1", readers[i]);
    CHECK_INT(system(command), 0);
    CHECK_OK(file_read(a, "isa_image_test.txt", &said, &size));
    CHECK_HAS(said, ".gnnc.program");
    CHECK_HAS(said, "conv1.weight");
    CHECK(!strstr(said, "arning"));
    CHECK(!strstr(said, "rror"));
  }
  if (has_program("llvm-objcopy-22")) {
    CHECK_INT(system("llvm-objcopy-22 isa_image_test.bin isa_image_test_copy.bin"), 0);
    image im;
    CHECK_OK(image_open(a, "isa_image_test_copy.bin", &im));
    CHECK_INT(im.num_symbols, 4);
    image_close(&im);
    CHECK_INT(system("llvm-objcopy-22 --discard-all --add-section=.comment=isa_image_test.txt isa_image_test.bin "
                     "isa_image_test_copy.bin"),
              0);
    CHECK_OK(image_open(a, "isa_image_test_copy.bin", &im));
    CHECK_INT(im.num_symbols, 0);
    image_close(&im);
  }
  arena_destroy(a);
}

/* ---- files that are wrong ---- */

TEST(what_is_no_image_is_refused) {
  expect_read((const unsigned char *)"", 0, "test.bin: not an ELF file");
  expect_read((const unsigned char *)"#!/bin/sh\n", 10, "test.bin: not an ELF file");
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  file_bytes b = to_bytes(&f.image);
  Elf64_Ehdr *h = (void *)b.data;
  h->e_machine = EM_X86_64;
  expect_read(b.data, b.size, "ELF file for machine 62; program images have machine 0");
  h->e_machine = EM_NONE;
  h->e_ident[EI_CLASS] = ELFCLASS32;
  expect_read(b.data, b.size, "ELF class 1");
  h->e_ident[EI_CLASS] = ELFCLASS64;
  h->e_type = ET_REL;
  expect_read(b.data, b.size, "ELF type 1");
  h->e_type = ET_EXEC;
  expect_read(b.data, b.size, "");
  free(b.data);
  arena_destroy(a);
}

TEST(no_part_of_an_image_can_be_cut_off) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  file_bytes b = to_bytes(&f.image);
  for (size_t size = 0; size < b.size; size += 1 + size / 16) {
    unsigned char *part = malloc(size + 1);
    memcpy(part, b.data, size);
    expect_read(part, size, "test.bin: ");
    free(part);
  }
  free(b.data);
  arena_destroy(a);
}

TEST(sections_are_checked_before_they_are_used) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  file_bytes b = to_bytes(&f.image);
  Elf64_Shdr *h = find_header(b, ".text"), kept = *h;
  h->sh_size = UINT64_MAX - 15;
  expect_read(b.data, b.size, "section '.text': 18446744073709551600 bytes at offset");
  *h = kept;
  h->sh_offset += 8;
  expect_read(b.data, b.size, "section '.text': offset");
  *h = kept;
  h->sh_flags |= SHF_COMPRESSED;
  expect_read(b.data, b.size, "section '.text': flags 0x806, expected a section that is allocated and not compressed");
  *h = kept;
  h->sh_type = SHT_NOBITS;
  expect_read(b.data, b.size, "section '.text': type 8, expected progbits (1)");
  *h = kept;
  h->sh_addr = 0x1000;
  expect_read(b.data, b.size, "sections '.text' (208 bytes at 0x1000) and '.desc' (32 bytes at 0x1000) overlap");
  *h = kept;
  h = find_header(b, ".features");
  kept = *h;
  h->sh_addr = UINT64_MAX - 63;
  expect_read(b.data, b.size,
              "section '.features': 384 bytes at 0xffffffffffffffc0, the device has 1048576 bytes of memory");
  *h = kept;
  h = find_header(b, ".gnnc.rows");
  kept = *h;
  h->sh_size -= 1;
  expect_read(b.data, b.size, "section '.gnnc.rows': 31 bytes, expected a multiple of 4");
  *h = kept;
  h->sh_name = find_header(b, ".text")->sh_name;
  expect_read(b.data, b.size, "section '.text': there are two (1 and 8)");
  *h = kept;
  h->sh_name = 100000;
  expect_read(b.data, b.size, "section 8: its name is at byte 100000, beyond the names");
  free(b.data);
  arena_destroy(a);
}

TEST(sections_lie_apart_and_aligned_within_memory) {
  static const unsigned char zeros[64];
  expect_section(IMAGE_TEXT, (image_section){0}, "section '.text': it is missing or empty");
  expect_section(IMAGE_TEXT, (image_section){0, 24, zeros}, "section '.text': 24 bytes, expected a multiple of 16");
  expect_section(IMAGE_TEXT, (image_section){0, 16, NULL}, "section '.text': 16 bytes that are not there");
  expect_section(IMAGE_WEIGHTS, (image_section){0x4020, 64, zeros},
                 "section '.weights': address 0x4020, expected a multiple of 64");
  expect_section(IMAGE_WEIGHTS, (image_section){0x3000, 64, zeros},
                 "sections '.edges' (60 bytes at 0x3000) and '.weights' (64 bytes at 0x3000) overlap");
  expect_section(IMAGE_FEATURES, (image_section){1 << 20, 64, NULL},
                 "section '.features': 64 bytes at 0x100000, the device has 1048576 bytes of memory");
  expect_section(IMAGE_CONSTANTS, (image_section){0x2000, 4, zeros}, "section '.constants': entry 0 is 0, expected 1");
  expect_section(IMAGE_CONSTANTS, (image_section){0}, "section '.constants': 0 bytes, expected 4 to 4096");
}

static void expect_note(const char *from, const char *to, const char *part) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  file_bytes b = to_bytes(&f.image);
  Elf64_Shdr *h = find_header(b, ".note.gnnc");
  char *note = arena_strndup(a, (const char *)b.data + h->sh_offset + 20, h->sh_size - 20), *found = strstr(note, from);
  CHECK(found && strlen(from) == strlen(to));
  if (found) memcpy(b.data + h->sh_offset + 20 + (found - note), to, strlen(to));
  expect_read(b.data, b.size, part);
  free(b.data);
  arena_destroy(a);
}

TEST(the_note_says_for_what_the_program_is) {
  expect_note("\"isa\":[1,", "\"isa\":[2,",
              "section '.note.gnnc': the program is for version 2.0 of the instruction set, this is version 1.0");
  expect_note("\"isa\":[1,0", "\"isa\":[1,9",
              "section '.note.gnnc': the program is for version 1.9 of the instruction set, this is version 1.0");
  expect_note("\"isa\":[1,", "\"isa\":[x,", "the note is not JSON");
  expect_note("\"isa\":[1,", "\"xsa\":[1,", "'isa' is not [major, minor]");
  expect_note("\"graph\":\"01", "\"graph\":\"0G", "'graph' is not 16 hexadecimal digits");
  expect_note("\"compiler\"", "\"graph\"   ", "the note is not JSON");
  expect_note("\"compiler\"", "\"Compiler\"", "'compiler' is not a text");
  expect_note("\"num_pes\"", "\"num_pEs\"", "num_pEs");
  expect_note("graphagile", "graphagill",
              "section '.note.gnnc': the program is for machine 'graphagill', which this version does not know");
  expect_note("\"graphagile\"", "1           ", "section '.note.gnnc': 'machine' is not a text");
}

/* ---- programs that are wrong ---- */

EXPECT(a_program_ends_with_halt, "layer 2, instruction at 0xb0: the program goes on beyond the end of '.text'",
       f->num_insns--)
EXPECT(a_program_begins_with_a_layer_block,
       "layer 0, instruction at 0x0: init where a layer begins, expected csi or halt", f->insns[0] = f->insns[1])
EXPECT(halt_needs_a_last_layer, "layer 2, instruction at 0xc0: halt behind a layer without 'last_layer'",
       f->insns[FIXTURE_SECOND_CSI].csi.last_layer = 0)
EXPECT(nothing_follows_the_last_layer, "csi behind the layer with 'last_layer', expected halt",
       f->insns[0].csi.last_layer = 1)
EXPECT(layers_are_numbered, "csi: 'layer_id' is 3, expected 1", f->insns[FIXTURE_SECOND_CSI].csi.layer_id = 3)
EXPECT(blocks_follow_their_csi, "csi: 'tb_base' is 0x0, expected an address in '.text' behind the csi and before 0xd0",
       f->insns[0].csi.tb_base = 0)
EXPECT(blocks_are_in_the_text, "csi: 'tb_base' is 0xd0, expected", f->insns[0].csi.tb_base = 0xd)
EXPECT(a_block_ends_before_the_next_layer,
       "layer 0, tiling block 0, instruction at 0x70: csi in a tiling block that has no end yet",
       f->insns[FIXTURE_STORE].memwr.eot = 0)
EXPECT(a_block_ends_in_the_text, "layer 1, tiling block 1, instruction at 0xc0: halt in a tiling block",
       f->insns[FIXTURE_SECOND_CSI].csi.num_blocks = 2)
EXPECT(a_loop_lies_in_its_block,
       "layer 0, tiling block 0, instruction at 0x60: memwr: 'eot' is set in the body of a loop",
       f->insns[FIXTURE_LOOP].loop.body_len = 4)
EXPECT(a_loop_ends_in_the_text, "the body of a loop goes on beyond the end of '.text'",
       f->insns[FIXTURE_LOOP].loop.body_len = 200)
EXPECT(loops_are_not_nested, "loop in the body of a loop", f->insns[FIXTURE_SPDMM] = f->insns[FIXTURE_LOOP])
EXPECT(a_loop_has_descriptors, "'ind' in a loop over descriptors 0 to 2, the layer's table has 2",
       f->insns[FIXTURE_LOOP].loop.count = 3)
EXPECT(a_loop_begins_in_its_table, "'ind' in a loop over descriptors 1 to 2, the layer's table has 2",
       f->insns[FIXTURE_LOOP].loop.desc_start = 1)
EXPECT(a_layer_with_descriptors_has_a_table, "the layer's table has 0", f->insns[0].csi.desc_base = 7)
EXPECT(descriptors_belong_to_loops, "layer 1, tiling block 0, instruction at 0x80: memrd: 'ind' outside of a loop",
       f->insns[FIXTURE_SECOND_CSI + 1].memrd.ind = 1)
EXPECT(instructions_fit_the_device,
       "layer 1, tiling block 0, instruction at 0xa0: gemm: ", f->insns[FIXTURE_SECOND_CSI + 3].gemm.out_base = 60)
EXPECT(constants_are_in_the_table, "memwr: 'param' is constant 2, there are 2", f->insns[FIXTURE_STORE].memwr.param = 2)

/* ---- memory ---- */

EXPECT(rows_are_loaded_from_sections,
       "memrd: bytes 0x5170 to 0x51f0 do not lie in one of '.edges', '.weights', '.features'",
       f->insns[FIXTURE_SECOND_CSI + 1].memrd.addr = 0x5170 / 4)
EXPECT(weights_are_loaded_from_sections, "memrd: bytes 0x4010 to 0x4050 do not lie in one of",
       f->insns[FIXTURE_SECOND_CSI + 2].memrd.addr = 0x4010 / 4)
EXPECT(stores_go_to_features, "memwr: bytes 0x4000 to 0x4080 do not lie in '.features'",
       f->insns[FIXTURE_STORE].memwr.addr = 0x4000 / 4)
EXPECT(records_are_loaded_from_edges, "memrd: bytes 0x5000 to 0x503c do not lie in '.edges'",
       f->insns[FIXTURE_LOAD_EDGES].memrd.addr = 0x5000 / 4)
EXPECT(descriptors_end_with_the_edges, "memrd: bytes 0x3000 to 0x3048 do not lie in '.edges'",
       f->descriptors[1].num_edges = 3)

/* Such a descriptor may begin anywhere, because nothing is read there. */
TEST(descriptors_may_have_no_edges) {
  for (int both = 0; both < 2; both++) {
    arena *a = arena_create();
    image_fixture f;
    image_fixture_init(&f, a);
    f.descriptors[1] = (graphagile_descriptor){.first_edge = UINT32_MAX, .src_row = 4, .src_rows = 4};
    if (both) f.descriptors[0] = f.descriptors[1];
    image_fixture_pack(&f);
    CHECK_OK(image_check(&f.image));
    arena_destroy(a);
  }
}

EXPECT(descriptors_end_with_the_rows, "memrd: bytes 0x5000 to 0x51a0 do not lie in one of",
       f->descriptors[1].src_row = 22)
EXPECT(descriptors_fit_an_edge_buffer, "descriptor at 0x1010: 65 edges, an Edge Buffer has room for 64",
       f->descriptors[1].num_edges = 65)
EXPECT(descriptors_fit_a_feature_buffer, "descriptor at 0x1000: 65 source rows, a Feature Buffer has room for 64",
       f->descriptors[0].src_rows = 65)
EXPECT(reused_rows_are_those_of_the_piece_before, "descriptor at 0x1010: 'reuse' of rows",
       (f->descriptors[1].reuse = true, f->descriptors[1].src_row = f->descriptors[0].src_row + 1))
EXPECT(loads_of_descriptors_fit_the_rest_of_the_buffer,
       "memrd: a descriptor of the loop asks for 3 edges, which end at 65 of a buffer of 64",
       f->insns[FIXTURE_LOAD_EDGES].memrd.base = 62)
EXPECT(fibers_of_descriptors_lie_apart,
       "memrd: a descriptor of the loop asks for 4 rows, fibers are 'count' = 3 rows apart",
       (f->insns[FIXTURE_LOAD_ROWS].memrd.nfib = 2, f->insns[FIXTURE_LOAD_ROWS].memrd.count = 3))
EXPECT(each_iteration_lies_in_a_section, "memrd: bytes 0x5000 to 0x5190 do not lie in one of",
       (f->insns[FIXTURE_LOAD_ROWS].memrd.ind = 0, f->insns[FIXTURE_LOAD_ROWS].memrd.inc = 1,
        f->insns[FIXTURE_LOAD_ROWS].memrd.step = 1, f->insns[FIXTURE_LOAD_ROWS].memrd.stride = 21))
EXPECT(each_described_iteration_lies_in_a_section, "memrd: bytes 0x5150 to 0x5190 do not lie in one of",
       (f->insns[FIXTURE_LOAD_ROWS].memrd.inc = 1, f->insns[FIXTURE_LOAD_ROWS].memrd.step = 1,
        f->insns[FIXTURE_LOAD_ROWS].memrd.stride = 17))
EXPECT(sources_are_rows_of_their_piece, "edge 1 of the piece at 0x3000 has source row 4, there are 4 rows",
       f->records[3] = 4)
EXPECT(sources_of_the_second_piece_count_too, "edge 1 of the piece at 0x3024 has source row 7, there are 4 rows",
       f->records[12] = 7)
EXPECT(destinations_are_rows_of_a_buffer, "edge 2 of the piece at 0x3000 has destination row 64, there are 64 rows",
       f->records[7] = 64)

TEST(pieces_do_not_overlap_again_and_again) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  enum { EDGES = 65536, ITERATIONS = 64 };
  graphagile_memrd *load = &f.insns[FIXTURE_LOAD_EDGES].memrd;
  f.image.device.graphagile.edges = EDGES;
  f.image.device.graphagile.ddr_bytes = 1 << 26;
  f.insns[FIXTURE_LOOP].loop.count = ITERATIONS;
  load->ind = f.insns[FIXTURE_LOAD_ROWS].memrd.ind = f.insns[FIXTURE_SPDMM].spdmm.ind = 0;
  load->inc = load->step = load->stride = 1;
  load->count = EDGES;
  load->addr = 0x100000 / 4;
  image_fixture_pack(&f);
  uint64_t size = EDGES * 12 + 16 * (ITERATIONS - 1);
  f.image.sections[IMAGE_EDGES] = (image_section){0x100000, size, arena_alloc(a, size)};
  CHECK_OK(image_check(&f.image));
  f.insns[FIXTURE_LOAD_ROWS] = f.insns[FIXTURE_LOAD_EDGES];
  f.insns[FIXTURE_LOAD_ROWS].memrd.count = EDGES - 1;
  image_fixture_pack(&f);
  f.image.sections[IMAGE_EDGES] = (image_section){0x100000, size, arena_alloc(a, size)};
  CHECK_FAILS(image_check(&f.image), "the pieces that are loaded have more than 4198336 records, which overlap in the");
  arena_destroy(a);
}

EXPECT(sums_of_the_second_tile_leave_the_sources, "spdmm: a descriptor of the loop says second, but 'out2' is F0",
       f->descriptors[1].second = true)

TEST(reserved_bits_of_descriptors_are_zero) {
  static const unsigned char bad[32] = {[15] = 1};
  expect_section(IMAGE_DESC, (image_section){FIXTURE_DESC, 32, bad}, "descriptor at 0x1000: a reserved bit is set");
}

TEST(unknown_opcodes_and_reserved_bits_are_refused) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  unsigned char *code = (unsigned char *)f.image.sections[IMAGE_TEXT].data;
  code[16] = 0x3e;
  CHECK_FAILS(image_check(&f.image),
              "layer 0, tiling block 0, instruction at 0x10: no instruction has the opcode 0x3e");
  image_fixture_pack(&f);
  code = (unsigned char *)f.image.sections[IMAGE_TEXT].data;
  code[31] = 0x80;
  CHECK_FAILS(image_check(&f.image), "layer 0, tiling block 0, instruction at 0x10: init: ");
  arena_destroy(a);
}

TEST(a_program_without_layers_is_one) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  f.insns[0] = f.insns[FIXTURE_HALT];
  f.num_insns = 1;
  image_fixture_pack(&f);
  CHECK_OK(image_check(&f.image));
  arena_destroy(a);
}

TEST(a_layer_may_have_no_blocks) {
  arena *a = arena_create();
  image_fixture f;
  image_fixture_init(&f, a);
  f.insns[0].csi.num_blocks = 0;
  f.insns[0].csi.last_layer = 1;
  f.insns[1] = f.insns[FIXTURE_HALT];
  f.num_insns = 2;
  image_fixture_pack(&f);
  CHECK_OK(image_check(&f.image));
  arena_destroy(a);
}
