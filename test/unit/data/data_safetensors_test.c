/* Safetensors files read back as written, their bytes are fixed, and broken headers are refused. */
#include "data/convert.h"
#include "data/formats/safetensors.h"
#include "unit.h"

#include <unistd.h>

/* Makes a file with this header and this many bytes of data. */
static unsigned char *make_file(arena *a, const char *header, size_t data_bytes, size_t *size) {
  uint64_t length = strlen(header);
  *size = 8 + length + data_bytes;
  unsigned char *bytes = arena_alloc(a, *size);
  memcpy(bytes, &length, 8);
  memcpy(bytes + 8, header, length);
  return bytes;
}

static status parse(arena *a, const char *header, size_t data_bytes, tensor_set **set) {
  size_t size;
  unsigned char *bytes = make_file(a, header, data_bytes, &size);
  return safetensors_parse("f", bytes, size, set);
}

static void check_refused(const char *header, size_t data_bytes, const char *message) {
  arena *a = arena_create();
  tensor_set *set = NULL;
  CHECK_FAILS(parse(a, header, data_bytes, &set), message);
  CHECK(set == NULL);
  arena_destroy(a);
}

TEST(a_file_without_tensors_is_valid) {
  arena *a = arena_create();
  tensor_set *set;
  CHECK_OK(parse(a, "{}", 0, &set));
  CHECK_INT(set->count, 0);
  tensor_set_destroy(set);
  arena_destroy(a);
}

TEST(tensors_and_metadata_are_found_by_name) {
  arena *a = arena_create();
  tensor_set *set = NULL;
  CHECK_OK(parse(
      a,
      "{\"__metadata__\":{\"name\":\"k\",\"n\":\"12\"},\"b\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[24,25]},"
      "\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
      "\"none\":{\"dtype\":\"F32\",\"shape\":[0,3],\"data_offsets\":[24,24]}}   ",
      25, &set));
  const tensor *t = tensor_set_find(set, "a");
  CHECK(t && t->rank == 2 && t->dims[0] == 2 && t->dims[1] == 3 && t->count == 6 && t->bytes == 24);
  CHECK_STR(tensor_shape_text(a, t), "[2, 3]");
  CHECK_INT(tensor_set_find(set, "b")->count, 1);
  CHECK_STR(tensor_shape_text(a, tensor_set_find(set, "b")), "[]");
  CHECK_INT(tensor_set_find(set, "none")->count, 0);
  CHECK(tensor_set_find(set, "c") == NULL);
  CHECK_STR(tensor_set_get_metadata(set, "name"), "k");
  int64_t n;
  CHECK(tensor_set_get_metadata_int(set, "n", &n) && n == 12);
  CHECK(!tensor_set_get_metadata_int(set, "name", &n));
  tensor_set_destroy(set);
  arena_destroy(a);
}

/* With a search through all entries for each of them this test would take an hour. */
TEST(a_million_metadata_entries_are_each_found_at_once) {
  enum { ENTRIES = 1000 * 1000 };
  tensor_set *set = tensor_set_create("f");
  char key[16], value[16];
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < ENTRIES; i++) {
      snprintf(key, sizeof key, "key%d", i);
      snprintf(value, sizeof value, "%d", i + twice);
      tensor_set_put_metadata(set, key, value);
    }
  CHECK_INT(set->metadata_count, ENTRIES);
  CHECK_STR(set->metadata[0].key, "key0");
  CHECK_STR(tensor_set_get_metadata(set, "key999999"), "1000000");
  CHECK(tensor_set_get_metadata(set, "key1000000") == NULL);
  tensor_set_destroy(set);
}

TEST(a_truncated_file_is_refused_at_every_length) {
  arena *a = arena_create();
  size_t size;
  unsigned char *bytes = make_file(a, "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8, &size);
  for (size_t length = 0; length < size; length++) {
    tensor_set *set = NULL;
    status s = safetensors_parse("f", bytes, length, &set);
    CHECK(s != STATUS_OK);
    status_free(s);
  }
  arena_destroy(a);
}

TEST(a_header_length_beyond_the_file_is_refused) {
  unsigned char bytes[16] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  tensor_set *set;
  CHECK_FAILS(safetensors_parse("f", bytes, 16, &set), "f: header is 18446744073709551615 bytes, file holds 8");
  CHECK_FAILS(safetensors_parse("f", bytes, 3, &set), "f: holds 3 bytes");
}

TEST(headers_that_are_not_what_they_should_be_are_refused) {
  check_refused("", 0, "header");
  check_refused("[]", 0, "not a JSON object");
  check_refused("{\"a\":", 0, "header, byte");
  check_refused("{\"a\":1}", 0, "tensor 'a': is not described by an object");
  check_refused("{\"a\":{}}", 0, "tensor 'a': has no dtype");
  check_refused("{\"a\":{\"dtype\":\"F31\"}}", 0, "unknown dtype 'F31'");
  check_refused("{\"a\":{\"dtype\":\"F32\"}}", 0, "has no shape");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1.5]}}", 0, "something else than whole numbers");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[-1]}}", 0, "dimension 0 is negative");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1,1,1,1,1,1,1,1,1]}}", 0, "has 9 dimensions, at most 8");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "has no data_offsets");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0]}}", 4, "has no data_offsets");
  check_refused("{\"__metadata__\":{\"a\":1}}", 0, "metadata 'a' is not a string");
  check_refused("{\"__metadata__\":1}", 0, "__metadata__ is not an object");
}

TEST(a_duplicate_name_is_refused) {
  check_refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},"
                "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[1,2]}}",
                2, "duplicate object key");
}

TEST(a_shape_whose_product_overflows_is_refused) {
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}", 0, "too large");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[9223372036854775807,3],\"data_offsets\":[0,4]}}", 4, "too large");
  check_refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[99999999999999999999],\"data_offsets\":[0,4]}}", 4, "header");
}

TEST(offsets_must_lie_in_the_file_and_fit_the_shape) {
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", 4,
                "lies at bytes 0 to 8, the data has 4");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[-8,0]}}", 8, "lies at bytes -8 to 0");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}", 8, "lies at bytes 8 to 0");
  check_refused("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4,
                "take 8 bytes, its offsets hold 4");
}

TEST(overlaps_holes_and_unused_bytes_are_refused) {
  check_refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
                "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}}",
                6, "tensors 'a' and 'b' overlap");
  check_refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]},"
                "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[5,9]}}",
                9, "1 unused bytes before tensor 'b'");
  check_refused("{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4]}}", 5, "take 4 bytes, the file holds 5");
}

TEST(the_bytes_of_a_set_do_not_depend_on_the_order_it_was_made_in) {
  static const char *const names[2][3] = {{"b", "a", "wide"}, {"wide", "b", "a"}};
  arena *a = arena_create();
  char *data[2];
  size_t sizes[2];
  for (int i = 0; i < 2; i++) {
    tensor_set *set = tensor_set_create("s");
    for (int k = 0; k < 3; k++) {
      bool is_wide = strcmp(names[i][k], "wide") == 0;
      void *storage;
      CHECK_OK(tensor_set_add(set, names[i][k], is_wide ? DTYPE_F64 : DTYPE_U8, 1, (int64_t[]){2}, &storage));
      memset(storage, names[i][k][0], is_wide ? 16 : 2);
    }
    tensor_set_put_metadata(set, i ? "z" : "k", i ? "1" : "\"\\\n");
    tensor_set_put_metadata(set, i ? "k" : "z", i ? "\"\\\n" : "1");
    CHECK_OK(safetensors_write("order_test.tmp", set));
    CHECK_OK(file_read(a, "order_test.tmp", &data[i], &sizes[i]));
    tensor_set_destroy(set);
  }
  CHECK(sizes[0] == sizes[1] && memcmp(data[0], data[1], sizes[0]) == 0);
  uint64_t length;
  memcpy(&length, data[0], 8);
  CHECK_INT(length % 8, 0);
  CHECK_INT(sizes[0], 8 + length + 20);
  tensor_set *read;
  CHECK_OK(safetensors_open("order_test.tmp", &read));
  CHECK_STR(tensor_set_get_metadata(read, "k"), "\"\\\n");
  CHECK_INT((uintptr_t)tensor_set_find(read, "wide")->data % 8, 0);
  tensor_set_destroy(read);
  unlink("order_test.tmp");
  arena_destroy(a);
}

TEST(a_name_that_is_not_utf8_is_not_written) {
  tensor_set *set = tensor_set_create("s");
  CHECK_OK(tensor_set_add(set, "\xff", DTYPE_U8, 0, NULL, NULL));
  CHECK_FAILS(safetensors_write("utf8_test.tmp", set), "UTF-8");
  CHECK(access("utf8_test.tmp", F_OK) != 0);
  tensor_set_destroy(set);
  set = tensor_set_create("s");
  CHECK_OK(tensor_set_add(set, "__metadata__", DTYPE_U8, 0, NULL, NULL));
  CHECK_FAILS(safetensors_write("utf8_test.tmp", set), "no tensor may be named '__metadata__'");
  tensor_set_destroy(set);
}

TEST(metadata_that_is_not_utf8_is_written_with_replacements) {
  tensor_set *set = tensor_set_create("s");
  tensor_set_put_metadata(set, "k", "a\xff\xc3\xa4z");
  CHECK_OK(safetensors_write("utf8_test.tmp", set));
  tensor_set *read;
  CHECK_OK(safetensors_open("utf8_test.tmp", &read));
  CHECK_STR(tensor_set_get_metadata(read, "k"), "a\xef\xbf\xbd\xc3\xa4z");
  tensor_set_destroy(read);
  tensor_set_destroy(set);
  unlink("utf8_test.tmp");
}

TEST(a_set_refuses_duplicates_bad_shapes_and_absurd_sizes) {
  tensor_set *set = tensor_set_create("s");
  CHECK_OK(tensor_set_add(set, "a", DTYPE_F32, 1, (int64_t[]){3}, NULL));
  CHECK_FAILS(tensor_set_add(set, "a", DTYPE_F32, 1, (int64_t[]){3}, NULL), "'a' appears twice");
  CHECK_FAILS(tensor_set_add(set, "b", DTYPE_F32, 1, (int64_t[]){-3}, NULL), "tensor 'b': dimension 0 is negative");
  CHECK_FAILS(tensor_set_add(set, "c", DTYPE_F32, 2, (int64_t[]){1 << 30, 1 << 30}, NULL), "too large");
  CHECK_FAILS(tensor_set_add(set, "c", DTYPE_F32, 1, (int64_t[]){(int64_t)1 << 43}, NULL), "does not fit into memory");
  for (int i = 0; i < 500; i++) {
    char name[16];
    snprintf(name, sizeof name, "t%d", i);
    CHECK_OK(tensor_set_add(set, name, DTYPE_U8, 0, NULL, NULL));
  }
  CHECK_INT(set->count, 501);
  CHECK_STR(tensor_set_find(set, "t321")->name, "t321");
  tensor_set_destroy(set);
}
