/* Blocks in a file: they keep what they hold when their pages leave memory. */
#include "support/arena.h"
#include "support/spill.h"
#include "unit.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

/* Fills a block with numbers that depend on it, and counts those that are wrong later. */
static void fill(uint32_t *block, size_t words, uint32_t seed) {
  for (size_t i = 0; i < words; i++) block[i] = (uint32_t)i * 2654435761u + seed;
}

static int64_t count_wrong(const uint32_t *block, size_t words, uint32_t seed) {
  int64_t wrong = 0;
  for (size_t i = 0; i < words; i++) wrong += block[i] != (uint32_t)i * 2654435761u + seed;
  return wrong;
}

TEST(blocks_keep_what_they_hold) {
  enum { BLOCKS = 60 };
  static const size_t words[] = {1, 100, 5000, 70000, 600000, 3};
  spill *s = NULL;
  uint32_t *blocks[BLOCKS];
  CHECK_OK(spill_open(".", &s));
  size_t all = 0;
  for (size_t i = 0; i < BLOCKS; i++) {
    const size_t count = words[i % 6];
    blocks[i] = spill_allocate(s, count * sizeof *blocks[i]);
    CHECK(blocks[i] != NULL);
    CHECK_INT((uintptr_t)blocks[i] % 64, 0);
    CHECK_INT(blocks[i][0] | blocks[i][count - 1], 0);
    fill(blocks[i], count, (uint32_t)i);
    all += count * sizeof *blocks[i];
  }
  CHECK(spill_size(s) >= all);
  spill_release(s);
  for (size_t i = 0; i < BLOCKS; i++) CHECK_INT(count_wrong(blocks[i], words[i % 6], (uint32_t)i), 0);
  spill_close(s);
}

TEST(an_arena_may_be_in_a_spill) {
  spill *s = NULL;
  CHECK_OK(spill_open(".", &s));
  arena *a = arena_create_in(s);
  char *name = arena_printf(a, "rank %d", 7);
  uint32_t *large = arena_alloc_array(a, 1000000, sizeof *large);
  fill(large, 1000000, 3);
  spill_release(s);
  CHECK_STR(name, "rank 7");
  CHECK_INT(count_wrong(large, 1000000, 3), 0);
  arena_destroy(a);
  spill_close(s);
}

TEST(failures_have_messages) {
  spill *s = NULL;
  CHECK_FAILS(spill_open("no_such_folder", &s), "no_such_folder");
  CHECK(s == NULL);
  CHECK_OK(spill_open(".", &s));
  CHECK(spill_failure(s) == NULL);
  CHECK(spill_allocate(s, SIZE_MAX / 4) == NULL);
  CHECK_HAS(spill_failure(s), "a file in '.' has 0 bytes and needs ");
  CHECK(spill_allocate(s, SIZE_MAX) == NULL);
  CHECK(spill_allocate(s, 10) != NULL);
  spill_close(s);
  spill_close(NULL);
}

/* A limit of the size of files is as good as a disk that is full. */
TEST(a_file_that_may_not_grow_says_so) {
  struct rlimit before, limit;
  spill *s = NULL;
  CHECK_INT(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit = (struct rlimit){.rlim_cur = 2 << 20, .rlim_max = before.rlim_max};
  void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
  CHECK_INT(setrlimit(RLIMIT_FSIZE, &limit), 0);
  CHECK_OK(spill_open(".", &s));
  CHECK(spill_allocate(s, 2 << 20) != NULL);
  CHECK(spill_failure(s) == NULL);
  CHECK(spill_allocate(s, 1 << 20) == NULL);
  CHECK_STR(spill_failure(s), "a file in '.' has 2097152 bytes and needs 1048576 more: File too large");
  spill_close(s);
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
}
