/* Arenas, growing arrays, growing strings, UTF-8. */
#include "support/arena.h"
#include "support/text.h"
#include "support/utf8.h"
#include "support/vec.h"
#include "unit.h"

#include <stddef.h>
#include <stdint.h>

TEST(arena_memory_is_zeroed_and_aligned_whatever_the_size) {
  arena *a = arena_create();
  for (size_t size = 0; size < 5000; size += 7) {
    unsigned char *p = arena_alloc(a, size);
    CHECK_INT((uintptr_t)p % _Alignof(max_align_t), 0);
    unsigned sum = 0;
    for (size_t i = 0; i < size; i++) sum += p[i];
    CHECK_INT(sum, 0);
    memset(p, 0xAA, size);
  }
  arena_destroy(a);
}

TEST(a_large_block_does_not_end_the_chunk_that_is_being_filled) {
  arena *a = arena_create();
  char *before = arena_strdup(a, "before");
  memset(arena_alloc(a, 10 * 1000 * 1000), 1, 10 * 1000 * 1000);
  char *after = arena_strdup(a, "after");
  CHECK_STR(before, "before");
  CHECK_STR(after, "after");
  arena_destroy(a);
}

TEST(an_absurd_allocation_is_refused) {
  arena *a = arena_create();
  CHECK(arena_try_alloc(a, SIZE_MAX) == NULL);
  CHECK(arena_try_alloc(a, SIZE_MAX / 2) == NULL);
  CHECK(arena_try_alloc(a, (size_t)1 << 60) == NULL);
  CHECK(arena_try_alloc_array(a, SIZE_MAX / 4, 8) == NULL);
  CHECK(arena_try_alloc_array(a, 0, 8) != NULL);
  CHECK(arena_try_alloc_array(a, 8, 0) != NULL);
  arena_destroy(a);
}

TEST(destroying_no_arena_is_allowed) {
  arena_destroy(NULL);
}

TEST(formatted_text_is_as_printf_makes_it) {
  arena *a = arena_create();
  CHECK_STR(arena_printf(a, "%s.%d", "layers", 12), "layers.12");
  CHECK_STR(arena_strndup(a, "abcdef", 3), "abc");
  CHECK_STR(arena_printf(a, "%s", ""), "");
  arena_destroy(a);
}

TEST(a_vector_keeps_its_items_when_it_grows) {
  arena *a = arena_create();
  VEC(int) v = {0};
  for (int i = 0; i < 1000; i++) VEC_PUSH(a, &v, i);
  CHECK_INT(v.count, 1000);
  for (int i = 0; i < 1000; i++)
    if (v.items[i] != i) CHECK_INT(v.items[i], i);
  arena_destroy(a);
}

TEST(only_utf8_characters_have_a_length) {
  static const struct {
    const char *bytes;
    size_t length;
  } cases[] = {{"a", 1},
               {"\xc3\xa4", 2},
               {"\xe2\x82\xac", 3},
               {"\xf0\x9f\x98\x80", 4},
               {"\xc3", 0},
               {"\x80", 0},
               {"\xc0\x80", 0},
               {"\xe0\x80\x80", 0},
               {"\xed\xa0\x80", 0},
               {"\xff", 0},
               {"\xf0\x80\x80", 0},
               {"\xf4\x90\x80\x80", 0},
               {"\xf0\x80\x80\x80", 0},
               {"", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_INT(utf8_length(cases[i].bytes, strlen(cases[i].bytes)), cases[i].length);
}

TEST(a_text_is_empty_until_something_is_appended) {
  text t = {0};
  CHECK_STR(text_str(&t), "");
  CHECK_INT(t.size, 0);
  text_free(&t);
}

TEST(a_text_that_is_kept_lives_in_the_arena) {
  arena *a = arena_create();
  text t = {0};
  CHECK_STR(text_keep(&t, a), "");
  text_append(&t, "words");
  const char *kept = text_keep(&t, a);
  CHECK_STR(text_str(&t), "");
  CHECK_STR(kept, "words");
  arena_destroy(a);
}

TEST(a_string_ends_with_itself_and_with_nothing) {
  CHECK(text_ends_with("m.c", ".c") && text_ends_with(".c", ".c") && text_ends_with("m", ""));
  CHECK(!text_ends_with("c", ".c") && !text_ends_with("m.cc", ".c") && !text_ends_with("", "c"));
}

TEST(a_json_string_is_read_back_whatever_it_holds) {
  text t = {0};
  text_append_json(&t, "a\"b\\c\n\x1f \xc3\xa9\xff.");
  CHECK_STR(text_str(&t), "\"a\\\"b\\\\c\\u000a\\u001f \xc3\xa9\xef\xbf\xbd.\"");
  text_free(&t);
  text_append_json(&t, NULL);
  CHECK_STR(text_str(&t), "\"\"");
  text_free(&t);
}

TEST(a_text_grows_by_pieces_of_any_size) {
  text t = {0};
  for (int i = 0; i < 300; i++) text_printf(&t, "%d,", i);
  text_append_bytes(&t, "x\0y", 3);
  CHECK_INT(t.size, 10 * 2 + 90 * 3 + 200 * 4 + 3);
  CHECK_INT(t.data[t.size], 0);
  CHECK_HAS(t.data, "0,1,2,3,");
  char big[5000];
  memset(big, 'z', sizeof big - 1);
  big[sizeof big - 1] = '\0';
  text_append(&t, big);
  CHECK_HAS(t.data + 1093, "zzz");
  text_free(&t);
  CHECK_INT(t.size, 0);
}
