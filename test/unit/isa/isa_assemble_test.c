/* The assembler: printed programs read back, texts become the sections that they describe, and
 * every error of a text is reported at its place. */
#include "isa/graphagile/graphagile.h"
#include "isa/text/assemble.h"
#include "isa/text/listing.h"
#include "unit.h"

enum { TRIES = 100 };

static uint64_t random_state = 7;

static uint64_t next_random(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return random_state >> 16;
}

static void fill_random(const isa_insn_info *info, graphagile_insn *in) {
  *in = (graphagile_insn){.op = info->op};
  for (size_t i = 0; i < info->count; i++) {
    const isa_field_info *f = &info->fields[i];
    uint64_t least = isa_bias(&graphagile_isa, f), largest = isa_field_largest(&graphagile_isa, f);
    isa_field_set(in, f, next_random() % 2 ? least : least + next_random() % (largest - least + 1));
  }
}

TEST(what_is_printed_reads_back_as_the_same_instruction) {
  for (size_t n = 0; n < graphagile_isa.num_insns; n++) {
    for (int t = 0; t < TRIES; t++) {
      graphagile_insn in, back;
      graphagile_word word, again;
      text printed = {0};
      fill_random(&graphagile_isa.insns[n], &in);
      graphagile_insn_print(&printed, &in);
      CHECK_OK(assemble_instruction(machine_default(), text_str(&printed), &back));
      CHECK_OK(graphagile_encode(&in, &word));
      CHECK_OK(graphagile_encode(&back, &again));
      if (word.low != again.low || word.high != again.high)
        unit_fail(__FILE__, __LINE__, "reads back as something else: %s", text_str(&printed));
      text_free(&printed);
    }
  }
}

TEST(an_instruction_that_is_wrong_says_where) {
  graphagile_insn out;
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F3, count=1", &out),
              "column 7: 'F3' cannot be used on 'memrd'");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, counts=1", &out),
              "column 11: 'memrd' has no field 'counts'; did you mean 'count'?");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, kind=hiden", &out),
              "'kind' is 'hiden', expected one of: input hidden edges weights values output; did you mean 'hidden'?");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, count=65537", &out),
              "'count' is '65537', expected a whole number from 1 to");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, count=0", &out), "from 1 to 65536");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, addr=0x1002", &out), "that is a multiple of 4");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, addr=x", &out), "'x' is a symbol, expected a number");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd count=4", &out), "'memrd' names no buffer");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, lock, lock", &out), "'lock' is given twice");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0 count=4", &out), "found 'count', expected ','");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0, count 4", &out),
              "expected '=' and a value of 'count'");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrd F0,", &out), "found the end of the line");
  CHECK_FAILS(assemble_instruction(machine_default(), "memrq F0", &out),
              "no instruction is called 'memrq'; did you mean 'memrd'?");
  CHECK_FAILS(assemble_instruction(machine_default(), "vadd a=E0, b=E1, out=E0", &out),
              "'a' is E0, expected a Feature Buffer without on_edges");
  CHECK_FAILS(assemble_instruction(machine_default(), "vadd a=E0, b=F1, out=E1, on_edges", &out),
              "column 14: 'b' is F1, expected an Edge Buffer with on_edges");
  CHECK_FAILS(assemble_instruction(machine_default(), "vadd on_edges, out=F0", &out),
              "'out' is F0, expected an Edge Buffer");
  CHECK_FAILS(assemble_instruction(machine_default(), "", &out), "found the end of the line, expected an instruction");
}

/* Messages as "line:column: message\n". */
static void collect(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                    const char *message) {
  (void)file;
  (void)severity;
  text_printf(user, "%u:%u: %s [%s]\n", line, column, message, diag_table[id].name);
}

static bool assemble(arena *a, const char *words, image *out, text *messages) {
  diag *d = diag_create(stdout);
  diag_set_sink(d, collect, messages);
  bool good = assemble_program(a, source_create(a, "t.s", words, strlen(words)), NULL, d, out);
  diag_destroy(d);
  return good;
}

static const char example[] = ".device num_pes=2, width=4, feature_rows=64, weight_rows=64, edges=100\n"
                              ".constant 0.25 -1.5\n"
                              ".section weights at 0x400\n"
                              "w: .f32 1, 2, 3, 4\n"
                              "   .align 32\n"
                              "v: .u32 0x7fc0a61e\n"
                              "   .zero 12\n"
                              ".section edges\n"
                              ".edge adj 0 1 0.5\n"
                              ".edge adj 1 0\n"
                              ".section features\n"
                              "x: .zero 256\n"
                              "y: .zero 256\n"
                              ".layer spdmm\n"
                              ".desc 0, 2, 0, 16\n"
                              ".desc 0, 1, 0, 16, second, reuse\n"
                              ".block\n"
                              "  init F2, rows=16\n"
                              "  loop body_len=3\n"
                              "    memrd E0, addr=adj, ind, lock, wait\n"
                              "    memrd F0, addr=x, count=16, kind=input, lock, wait\n"
                              "    spdmm e=E0, in=F0, out=F2, lanes=0xf, weighted, ind, unlock_e, unlock_f\n"
                              "  post F2, rows=16, function=leaky_relu, param=1\n"
                              "  memwr F2, addr=y, count=16, kind=output, unlock\n"
                              ".layer vadd\n"
                              ".block\n"
                              "  nop\n"
                              ".block\n"
                              "  nop\n";

TEST(a_program_becomes_an_image_that_is_sound) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  CHECK(assemble(a, example, &im, &messages));
  CHECK_STR(text_str(&messages), "");
  CHECK_OK(image_check(&im));
  CHECK_INT(im.device.graphagile.num_pes, 2);
  CHECK_INT(im.sections[IMAGE_TEXT].size, 12 * 16);
  CHECK_INT(im.sections[IMAGE_CONSTANTS].size, 12);
  CHECK_INT(im.sections[IMAGE_WEIGHTS].address, 0x400);
  CHECK_INT(im.sections[IMAGE_WEIGHTS].size, 48);
  CHECK_INT(im.sections[IMAGE_EDGES].size, 24);
  CHECK_INT(im.sections[IMAGE_FEATURES].size, 512);
  CHECK(im.sections[IMAGE_FEATURES].data == NULL);
  static const unsigned char edge[12] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x3f};
  CHECK(memcmp(im.sections[IMAGE_EDGES].data, edge, sizeof edge) == 0);
  static const float constants[3] = {1, 0.25f, -1.5f};
  CHECK(memcmp(im.sections[IMAGE_CONSTANTS].data, constants, sizeof constants) == 0);
  text_free(&messages);
  arena_destroy(a);
}

static const image_symbol *find(const image *im, const char *name, image_section_kind section) {
  for (int64_t i = 0; i < im->num_symbols; i++)
    if (im->symbols[i].section == section && strcmp(im->symbols[i].name, name) == 0) return &im->symbols[i];
  return NULL;
}

TEST(labels_relations_and_layers_are_symbols) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  CHECK(assemble(a, example, &im, &messages));
  const image_symbol *v = find(&im, "v", IMAGE_WEIGHTS), *adj = find(&im, "adj", IMAGE_EDGES);
  const image_symbol *y = find(&im, "y", IMAGE_FEATURES), *second = find(&im, "layer 1", IMAGE_TEXT);
  CHECK(v && v->address == 0x420 && v->size == 16);
  CHECK(adj && adj->size == 24);
  CHECK(y && y->size == 256 && y->address == im.sections[IMAGE_FEATURES].address + 256);
  CHECK(second && second->size == 3 * 16);
  CHECK(find(&im, "layer 0", IMAGE_DESC) != NULL);
  CHECK(find(&im, "layer 1", IMAGE_DESC) == NULL);
  text_free(&messages);
  arena_destroy(a);
}

TEST(the_assembly_of_an_image_makes_the_same_image) {
  arena *a = arena_create();
  text messages = {0}, printed = {0};
  image im, again;
  unsigned char *bytes, *bytes_again;
  size_t size, size_again;
  CHECK(assemble(a, example, &im, &messages));
  CHECK_OK(listing_print_assembly(&im, &printed));
  CHECK(assemble(a, text_str(&printed), &again, &messages));
  CHECK_STR(text_str(&messages), "");
  CHECK_OK(image_write_memory(&im, &bytes, &size));
  CHECK_OK(image_write_memory(&again, &bytes_again, &size_again));
  CHECK(size == size_again && memcmp(bytes, bytes_again, size) == 0);
  free(bytes);
  free(bytes_again);
  text_free(&messages);
  text_free(&printed);
  arena_destroy(a);
}

TEST(a_listing_names_layers_blocks_places_and_tensors) {
  arena *a = arena_create();
  text messages = {0}, listed = {0};
  image im;
  CHECK(assemble(a, example, &im, &messages));
  CHECK_OK(listing_print(&im, &listed));
  CHECK_HAS(text_str(&listed),
            "; layer 1: 2 blocks, csi at 0x80\n.layer vadd\n.block      ; 0\n0x00000090:  nop eot\n");
  CHECK_HAS(text_str(&listed), "  ; y\n");
  CHECK_HAS(text_str(&listed), "; halt at 0xb0\n");
  text_free(&listed);
  CHECK_OK(listing_print_layer(&im, 1, &listed));
  CHECK(!strstr(text_str(&listed), "spdmm"));
  text_free(&listed);
  CHECK_FAILS(listing_print_layer(&im, 2, &listed), "there is no layer 2; the program has 2");
  text_free(&listed);
  text_free(&messages);
  arena_destroy(a);
}

TEST(all_that_is_wrong_is_reported_at_its_place) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  CHECK(!assemble(a,
                  ".devise num_pes=2\n"             /* 1 */
                  ".device num_pe=2\n"              /* 2 */
                  ".f32 1\n"                        /* 3 */
                  ".section weight\n"               /* 4 */
                  ".section weights at 0x41\n"      /* 5 */
                  "w: .f32 1, x\n"                  /* 6 */
                  "w: .zero 4\n"                    /* 7 */
                  ".section features\n"             /* 8 */
                  ".f32 1\n"                        /* 9 */
                  ".block\n"                        /* 10 */
                  "nop\n"                           /* 11 */
                  ".layer gem\n"                    /* 12 */
                  ".block\n"                        /* 13 */
                  ".block\n"                        /* 14 */
                  "nop eot\n"                       /* 15 */
                  "csi\n"                           /* 16 */
                  "memrd F0, addr=v+4, wait\n"      /* 17 */
                  "memrd F0, addr=w+2, wait\n"      /* 18 */
                  "post F0, base=9999, rows=9999\n" /* 19 */
                  "loop body_len=1\n"               /* 20 */
                  ".desc 0, 65537, 0, 1\n"          /* 21 */
                  ".edge 1 2\n"                     /* 22 */
                  "nop \x01\n"                      /* 23 */
                  "\"abc\n",                        /* 24 */
                  &im, &messages));
  static const char *const expected[] = {
      "1:1: no directive is called '.devise'; did you mean '.device'? [assembly-name]",
      "2:9: a device has no parameter 'num_pe'; did you mean 'num_pes'? [assembly-value]",
      "3:1: data outside of a section, expected .section weights, edges or features before it [assembly-structure]",
      "4:10: found 'weight', expected a section: weights, edges, features, text, desc or constants; did you mean "
      "'weights'? [assembly-name]",
      "5:10: .weights is at 0x41, expected a multiple of 64 [assembly-value]",
      "6:12: 'x' is not a number [assembly-value]",
      "7:1: 'w' is defined twice [assembly-name]",
      "6:1: the first definition",
      "9:1: features are not in the file, expected .zero here [assembly-structure]",
      "10:1: .block outside of a layer, expected .layer TYPE before it [assembly-structure]",
      "11:1: an instruction outside of a block, expected .block before it [assembly-structure]",
      "12:8: found 'gem', expected the type of the layer: gemm, spdmm, sddmm, vadd or post; did you mean 'gemm'? "
      "[assembly-name]",
      "13:1: a block without an instruction, expected at least a nop [assembly-structure]",
      "15:1: 'eot' in the middle of a block, expected on its last instruction alone [assembly-structure]",
      "16:1: 'csi' is made from .layer, expected another instruction [assembly-structure]",
      "17:16: no label or symbol is called 'v'",
      "18:16: 'addr' is 0x43, expected an address up to 0xffffffffc that is a multiple of 4 [assembly-value]",
      "19:1: post: the rows from 'base' = 9999 end at 19998",
      "21:10: num_edges is '65537', expected a whole number from 0 to 65536 [assembly-value]",
      "22:1: an edge outside of .section edges [assembly-structure]",
      "23:5: found the byte 0x01, expected a field of the instruction [assembly-syntax]",
      "24:1: a string without its end, expected '\"' on this line [assembly-syntax]"};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) CHECK_HAS(text_str(&messages), expected[i]);
  text_free(&messages);
  arena_destroy(a);
}

TEST(numbers_beyond_32_bits_are_refused_and_infinity_is_not) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  CHECK(!assemble(a, ".constant 3.4e38 1e39\n", &im, &messages));
  CHECK_STR(text_str(&messages),
            "1:18: '1e39' is beyond the numbers of 32 bits, the largest is 3.40282e+38 [assembly-value]\n");
  text_free(&messages);
  CHECK(assemble(a, ".constant inf -inf nan 1e-50\n", &im, &messages));
  CHECK_STR(text_str(&messages), "");
  text_free(&messages);
  arena_destroy(a);
}

TEST(sections_may_not_overlap_or_leave_the_memory) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  CHECK(!assemble(a, ".section weights at 0x40\n.zero 128\n.section features at 0x80\n.zero 64\n", &im, &messages));
  CHECK_STR(text_str(&messages), "3:10: .features and .weights overlap at 0x80 [assembly-value]\n");
  text_free(&messages);
  CHECK(!assemble(a, ".device ddr_bytes=4096\n.section features at 0xfc0\n.zero 65\n", &im, &messages));
  CHECK_HAS(text_str(&messages), "2:10: .features ends at 0x1001, beyond the device's memory: ddr_bytes = 4096");
  text_free(&messages);
  /* sections that no line names follow the others */
  CHECK(!assemble(a, ".device ddr_bytes=4096\n.section weights at 0\n.zero 8192\n", &im, &messages));
  CHECK_HAS(text_str(&messages), "1:1: .constants ends at");
  text_free(&messages);
  CHECK(!assemble(a, ".symbol far 0x100000 4\n", &im, &messages));
  CHECK_HAS(text_str(&messages), "1:9: 'far' is 0x100000 to 0x100004, expected inside one section");
  text_free(&messages);
  arena_destroy(a);
}

TEST(descriptors_belong_to_a_layer_or_to_a_section) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  CHECK(!assemble(a,
                  ".desc 0, 1, 0, 1\n"
                  ".section desc\n"
                  "t: .desc 0, 1, 0, 1\n"
                  ".f32 1\n"
                  ".layer spdmm desc=t\n"
                  ".desc 0, 1, 0, 1\n"
                  ".block\n"
                  "nop\n"
                  ".layer spdmm desc=u\n"
                  ".layer spdmm desc=0x28\n"
                  ".layer spdmm first\n",
                  &im, &messages));
  static const char *const expected[] = {
      "1:1: .desc outside of a layer, expected .layer TYPE before it [assembly-structure]",
      "4:1: found data, expected .desc in .section desc [assembly-structure]",
      "6:1: a descriptor in a layer that has desc=ADDRESS, expected it in .section desc [assembly-structure]",
      "9:19: no label or symbol is called 'u'",
      "10:19: 'desc' is 0x28, expected an address up to 0xffffffff0 that is a multiple of 16 [assembly-value]",
      "11:14: found 'first', expected desc=ADDRESS, or the end of the line [assembly-syntax]"};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) CHECK_HAS(text_str(&messages), expected[i]);
  text_free(&messages);
  arena_destroy(a);
}

TEST(symbols_that_share_a_name_cannot_be_used_by_it) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  static const char twice[] = ".section features at 0x1000\n.zero 64\n.symbol x 0x1000 4\n.symbol x 0x1004 4\n";
  CHECK(assemble(a, twice, &im, &messages));
  CHECK_INT(im.num_symbols, 2);
  CHECK(!assemble(a, arena_printf(a, "%s.layer post\n.block\nmemrd F0, addr=x, wait, lock\n", twice), &im, &messages));
  CHECK_HAS(text_str(&messages), "7:16: several symbols are called 'x', expected an address [assembly-name]");
  text_free(&messages);
  arena_destroy(a);
}

TEST(an_empty_text_is_a_program_that_halts) {
  arena *a = arena_create();
  text messages = {0};
  image im;
  CHECK(assemble(a, "", &im, &messages));
  CHECK_INT(im.sections[IMAGE_TEXT].size, 16);
  CHECK_OK(image_check(&im));
  arena_destroy(a);
}
