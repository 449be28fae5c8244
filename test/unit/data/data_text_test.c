/* Tensors as text, and number types: they read back unchanged, every value of a half included. */
#include "data/convert.h"
#include "data/formats/text_tensors.h"
#include "unit.h"

#include <stdint.h>

static status parse(const char *input, tensor_set **set) {
  return text_tensors_parse("t", input, strlen(input), set);
}

static void check_refused(const char *input, const char *message) {
  tensor_set *set = NULL;
  CHECK_FAILS(parse(input, &set), message);
  CHECK(set == NULL);
}

TEST(text_is_printed_as_it_is_read) {
  const char *input = "metadata empty\n"
                      "metadata name karate club # not a comment\n"
                      "tensor b bool 2\n1 0\n"
                      "tensor e f32 0 3\n"
                      "tensor f f32 2 2\n0.1 -0\nnan -inf\n"
                      "tensor s i64\n-9223372036854775808\n"
                      "tensor u u64 1\n18446744073709551615\n";
  tensor_set *set = NULL;
  CHECK_OK(parse(input, &set));
  text out = {0};
  text_tensors_print(set, &out);
  CHECK_STR(text_str(&out), input);
  text_free(&out);
  tensor_set_destroy(set);
}

TEST(comments_blanks_and_line_ends_are_free) {
  tensor_set *set = NULL;
  CHECK_OK(parse("# a\n\n  tensor a i32 3 # sizes\r\n 1 # one\r\n\t2\n3 #4", &set));
  CHECK_INT(convert_element_i64(tensor_set_find(set, "a"), 2), 3);
  tensor_set_destroy(set);
}

TEST(names_and_values_with_blanks_are_escaped) {
  tensor_set *set = tensor_set_create("s"), *again = NULL;
  CHECK_OK(tensor_set_add(set, "a b\\#", DTYPE_U8, 0, NULL, NULL));
  tensor_set_put_metadata(set, "#key of", " two\nlines\t\\ ");
  CHECK_OK(tensor_set_add(set, "", DTYPE_U8, 0, NULL, NULL));
  CHECK_OK(tensor_set_add(set, "\"\"", DTYPE_U8, 0, NULL, NULL));
  text out = {0};
  text_tensors_print(set, &out);
  CHECK_OK(parse(text_str(&out), &again));
  CHECK(tensor_set_find(again, "") && tensor_set_find(again, "\"\""));
  CHECK(tensor_set_find(again, "a b\\#") != NULL);
  CHECK_STR(tensor_set_get_metadata(again, "#key of"), " two\nlines\t\\ ");
  text_free(&out);
  tensor_set_destroy(set);
  tensor_set_destroy(again);
}

TEST(what_is_wrong_is_told_with_its_line) {
  check_refused("1 2\n", "t: line 1: '1', expected 'tensor' or 'metadata'");
  check_refused("tensor a\n", "line 1: expected tensor NAME TYPE DIM...");
  check_refused("tensor a f33 1\n1", "line 1: unknown type 'f33'");
  check_refused("tensor a f32 x\n1", "line 1: 'x' is no further size");
  check_refused("tensor a f32 1 1 1 1 1 1 1 1 1\n1", "line 1: '1' is no further size");
  check_refused("tensor a f32 -1\n1", "line 1: tensor 'a': dimension 0 is negative");
  check_refused("\ntensor a f32 2\n1\n", "line 2: tensor 'a' has 2 elements, 1 are given");
  check_refused("tensor a f32 2\n1 2 3\n", "line 2: tensor 'a' has 2 elements, more are given");
  check_refused("tensor a f32 1\nx\n", "line 2: 'x' is no F32");
  check_refused("tensor a f32 1\n1e99\n", "line 2: '1e99' is no F32");
  check_refused("tensor a i8 1\n128\n", "line 2: '128' is no I8");
  check_refused("tensor a u8 1\n-1\n", "line 2: '-1' is no U8");
  check_refused("tensor a bool 1\n2\n", "line 2: '2' is no BOOL");
  check_refused("tensor a i32 1\n1\ntensor a i32 1\n1\n", "line 3: tensor 'a' appears twice");
  CHECK_FAILS(text_tensors_parse("t", "tensor \0 u8\n1\n", 14, &(tensor_set *){NULL}),
              "line 1: a backslash without xHH, or a zero");
  check_refused("metadata\n", "line 1: expected metadata KEY VALUE");
  check_refused("metadata a 1\nmetadata a 2\n", "line 2: metadata 'a' appears twice");
  check_refused("metadata a \\q\n", "line 1: a backslash without xHH");
  check_refused("tensor a f32 1000000000000\n1\n", "1000000000000 elements do not fit into the rest of the text");
}

TEST(every_half_and_bfloat_survives_the_round_trip) {
  static const dtype types[] = {DTYPE_F16, DTYPE_BF16};
  for (int k = 0; k < 2; k++) {
    tensor_set *set = tensor_set_create("s"), *again = NULL;
    void *data;
    CHECK_OK(tensor_set_add(set, "h", types[k], 1, (int64_t[]){65536}, &data));
    for (int i = 0; i < 65536; i++) ((uint16_t *)data)[i] = (uint16_t)i;
    text out = {0};
    text_tensors_print(set, &out);
    CHECK_OK(parse(text_str(&out), &again));
    CHECK(again && memcmp(tensor_set_find(again, "h")->data, data, 2 * 65536) == 0);
    text_free(&out);
    tensor_set_destroy(set);
    tensor_set_destroy(again);
  }
}

TEST(floats_of_any_bits_survive_the_round_trip) {
  enum { COUNT = 20000 };
  tensor_set *set = tensor_set_create("s"), *again = NULL;
  void *narrow, *wide;
  CHECK_OK(tensor_set_add(set, "f", DTYPE_F32, 1, (int64_t[]){COUNT}, &narrow));
  CHECK_OK(tensor_set_add(set, "d", DTYPE_F64, 1, (int64_t[]){COUNT}, &wide));
  uint64_t state = 1;
  for (int i = 0; i < COUNT; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    ((uint32_t *)narrow)[i] = (uint32_t)(state >> 32);
    ((uint64_t *)wide)[i] = state ^ state >> 29;
  }
  text out = {0};
  text_tensors_print(set, &out);
  CHECK_OK(parse(text_str(&out), &again));
  CHECK(again && memcmp(tensor_set_find(again, "f")->data, narrow, 4 * COUNT) == 0);
  CHECK(again && memcmp(tensor_set_find(again, "d")->data, wide, 8 * COUNT) == 0);
  text_free(&out);
  tensor_set_destroy(set);
  tensor_set_destroy(again);
}

TEST(numbers_between_two_halves_round_to_even) {
  static const struct {
    const char *digits;
    uint16_t half, bfloat;
  } cases[] = {
      {"1", 0x3C00, 0x3F80},        {"1.00048828125", 0x3C00, 0x3F80}, {"1.00146484375", 0x3C02, 0x3F80},
      {"65504", 0x7BFF, 0x4780},    {"65519.996", 0x7BFF, 0x4780},     {"65520", 0x7C00, 0x4780},
      {"1e6", 0x7C00, 0x4974},      {"-inf", 0xFC00, 0xFF80},          {"5.9604645e-08", 0x0001, 0x3380},
      {"2.9802322e-08", 0, 0x3300}, {"2.9802326e-08", 1, 0x3300},      {"-0", 0x8000, 0x8000},
      {"6.1e-05", 0x03FF, 0x3880},  {"1.00390625", 0x3C04, 0x3F80},    {"1.01171875", 0x3C0C, 0x3F82},
      {"3.4e38", 0x7C00, 0x7F80},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    tensor_set *set = NULL;
    char input[100];
    snprintf(input, sizeof input, "tensor h f16\n%s\ntensor b bf16\n%s\n", cases[i].digits, cases[i].digits);
    CHECK_OK(parse(input, &set));
    uint16_t half, bfloat;
    memcpy(&half, tensor_set_find(set, "h")->data, 2);
    memcpy(&bfloat, tensor_set_find(set, "b")->data, 2);
    CHECK_INT(half, cases[i].half);
    CHECK_INT(bfloat, cases[i].bfloat);
    tensor_set_destroy(set);
  }
}

TEST(halves_become_the_floats_they_stand_for) {
  CHECK_NEAR(convert_f16(0x3C00), 1, 0);
  CHECK_NEAR(convert_f16(0xC000), -2, 0);
  CHECK_NEAR(convert_f16(0x7BFF), 65504, 0);
  CHECK_NEAR(convert_f16(0x0001), 0x1p-24, 0);
  CHECK_NEAR(convert_f16(0x03FF), 1023 * 0x1p-24, 0);
  CHECK_NEAR(convert_f16(0x0400), 0x1p-14, 0);
  CHECK(isinf(convert_f16(0x7C00)) && isnan(convert_f16(0x7C01)) && signbit(convert_f16(0x8000)));
  CHECK_NEAR(convert_bf16(0x3F80), 1, 0);
  CHECK_NEAR(convert_bf16(0xC049), -3.140625, 0);
}

TEST(tensors_are_read_as_f32_i32_and_i64) {
  tensor_set *set = NULL;
  arena *a = arena_create();
  CHECK_OK(parse("tensor f f64 2\n1.5 -2\ntensor i i64 2\n-5 2147483648\ntensor u u8 2\n0 255\ntensor n f32 1\n1\n"
                 "tensor q f8_e4m3 1\n7\ntensor w u64 1\n18446744073709551615\n",
                 &set));
  const float *f;
  const int32_t *i;
  const int64_t *l;
  CHECK_OK(convert_to_f32(a, tensor_set_find(set, "f"), &f));
  CHECK_NEAR(f[0], 1.5, 0);
  CHECK_OK(convert_to_f32(a, tensor_set_find(set, "u"), &f));
  CHECK_NEAR(f[1], 255, 0);
  CHECK_OK(convert_to_f32(a, tensor_set_find(set, "n"), &f));
  CHECK((const void *)f == (const void *)tensor_set_find(set, "n")->data);
  CHECK_FAILS(convert_to_f32(a, tensor_set_find(set, "q"), &f), "'q' is F8_E4M3, which cannot be read as F32");
  CHECK_OK(convert_to_i32(a, tensor_set_find(set, "u"), &i));
  CHECK_INT(i[1], 255);
  CHECK_FAILS(convert_to_i32(a, tensor_set_find(set, "i"), &i), "'i' holds 2147483648 at 1");
  CHECK_FAILS(convert_to_i32(a, tensor_set_find(set, "f"), &i), "'f' is F64, expected whole numbers");
  CHECK_OK(convert_to_i64(a, tensor_set_find(set, "i"), &l));
  CHECK_INT(l[0], -5);
  CHECK_INT(convert_element_i64(tensor_set_find(set, "w"), 0), INT64_MAX);
  tensor_set_destroy(set);
  arena_destroy(a);
}

TEST(unaligned_tensors_are_copied) {
  arena *a = arena_create();
  unsigned char *bytes = arena_alloc(a, 16);
  const float value = 3.25f;
  memcpy(bytes + 1, &value, 4);
  tensor t = {.name = "t", .dtype = DTYPE_F32, .rank = 1, .dims = {1}, .count = 1, .bytes = 4, .data = bytes + 1};
  const float *f;
  CHECK_OK(convert_to_f32(a, &t, &f));
  CHECK_NEAR(f[0], 3.25, 0);
  CHECK_INT((uintptr_t)f % 4, 0);
  arena_destroy(a);
}

TEST(the_first_word_tells_text_from_an_edge_list) {
  CHECK(text_tensors_is_likely("# c\n\n tensor a f32\n", 19));
  CHECK(text_tensors_is_likely("metadata a b", 12));
  CHECK(!text_tensors_is_likely("# c\n0 1\n", 8));
  CHECK(!text_tensors_is_likely("", 0));
}
