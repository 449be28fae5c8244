/* Schedules of one list: the published rule gives Fig. 5 of the paper, the best one takes the fewest
 * slots that are possible, and both use each non-zero once and keep the distance. */
#include "codegen/sextans/lists_private.h"
#include "codegen_sextans_lists_fixture.h"

/* ---- Fig. 5 ---- */

enum { PUBLISHED_SLOTS = 11 };

/* The four rows are rows 0, 64, 128 and 192 of a matrix, all of PE 0. */
static lists_case *figure_5(sextans_rule rule) {
  static const char *const rows[] = {"x.xx", ".x..", "xxx.", "x.xx"};
  lists_case *c = lists_begin(256, 4);
  c->device.distance = 4;
  c->options.rule = rule;
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++)
      if (rows[r][k] == 'x') lists_add(c, r * SEXTANS_PES, k, (float)(10 * r + k + 1));
  lists_build(c);
  lists_check(c);
  return c;
}

TEST(the_published_rule_gives_figure_5) {
  static const int expected[PUBLISHED_SLOTS][2] = {{0, 0}, {2, 0},   {3, 0}, {1, 1}, {0, 2}, {2, 1},
                                                   {3, 2}, {-1, -1}, {0, 3}, {2, 2}, {3, 3}};
  lists_case *c = figure_5(SEXTANS_RULE_published);
  CHECK_INT(c->num_blocks, 1);
  CHECK_INT(c->blocks->windows, 1);
  CHECK_INT(c->blocks->slots, PUBLISHED_SLOTS);
  for (int i = 0; i < PUBLISHED_SLOTS && i < c->blocks->slots; i++) {
    uint64_t word = lists_word(c->blocks, i, 0);
    if (expected[i][0] < 0) {
      CHECK(word == SEXTANS_BUBBLE);
      continue;
    }
    CHECK_INT(sextans_element_row(word), expected[i][0]);
    CHECK_INT(sextans_element_column(word), expected[i][1]);
    CHECK_NEAR(sextans_element_value(word), 10 * expected[i][0] + expected[i][1] + 1, 0);
  }
  for (int pe = 1; pe < SEXTANS_PES; pe++)
    for (int i = 0; i < PUBLISHED_SLOTS; i++) CHECK(lists_word(c->blocks, i, pe) == SEXTANS_BUBBLE);
  lists_end(c);
}

/* Rows of three non-zeros take 2 * 4 + 3 slots on one PE; on PEs of their own they take 2 * 4 + 1,
 * and cut into single non-zeros one. */
TEST(figure_5_is_shorter_with_the_best_rule) {
  lists_case *c = figure_5(SEXTANS_RULE_best);
  CHECK(c->blocks->slots <= 9);
  lists_end(c);
}

/* ---- random lists ---- */

enum { MOST_ITEMS = 40, MOST_NONZEROS = 2000, LISTS = 400 };

typedef struct random_list {
  list_item items[MOST_ITEMS];
  int32_t col[MOST_NONZEROS];
  int64_t count, nonzeros, longest, ties, distance;
} random_list;

/* Columns of a row ascend, as those of sorted entries do. */
static random_list make_list(uint32_t *seed) {
  random_list l = {.count = lists_random(seed, MOST_ITEMS), .distance = 1 + lists_random(seed, 16)};
  int64_t most = 1 + lists_random(seed, 45);
  for (int64_t i = 0; i < l.count; i++) {
    int64_t count = 1 + lists_random(seed, (uint32_t)(i % 3 ? most : 3));
    l.items[i] = (list_item){(int32_t)i, (int32_t)count, l.nonzeros};
    for (int64_t k = 0, col = 0; k < count; k++) {
      col += lists_random(seed, 4);
      l.col[l.nonzeros++] = (int32_t)col;
    }
    l.ties = count > l.longest ? 1 : l.ties + (count == l.longest);
    l.longest = count > l.longest ? count : l.longest;
  }
  return l;
}

/* Runs a schedule, and checks that each non-zero has one slot and rows keep the distance. */
static int64_t run(sextans_schedule *schedule, const random_list *l) {
  list_entries e = {.col = (int32_t *)(uintptr_t)l->col};
  int64_t room = sextans_schedule_room(l->items, l->count, l->distance), uses[MOST_NONZEROS] = {0};
  int64_t *slots = malloc(((size_t)room + 1) * sizeof *slots);
  void *scratch = malloc(sextans_schedule_bytes(l->items, l->count, l->distance));
  if (!slots || !scratch) abort();
  int64_t length = schedule(&e, l->items, l->count, l->distance, scratch, slots);
  CHECK(length <= room);
  for (int64_t t = 0; t < length; t++)
    if (slots[t] >= 0) uses[slots[t]]++;
  for (int64_t i = 0; i < l->nonzeros; i++) CHECK_INT(uses[i], 1);
  for (int64_t i = 0; i < l->count; i++) {
    int64_t last = -l->distance;
    for (int64_t t = 0; t < length; t++) {
      if (slots[t] < l->items[i].begin || slots[t] >= l->items[i].begin + l->items[i].count) continue;
      CHECK(t - last >= l->distance);
      last = t;
    }
  }
  CHECK(!length || slots[length - 1] >= 0);
  free(scratch);
  free(slots);
  return length;
}

TEST(the_best_schedule_is_as_short_as_possible_and_the_published_one_is_never_shorter) {
  uint32_t seed = 1;
  int longer = 0;
  for (int i = 0; i < LISTS; i++) {
    random_list l = make_list(&seed);
    int64_t least = l.count ? (l.longest - 1) * l.distance + l.ties : 0;
    if (l.nonzeros > least) least = l.nonzeros;
    CHECK_INT(run(sextans_schedule_best, &l), least);
    int64_t published = run(sextans_schedule_published, &l);
    CHECK(published >= least);
    longer += published > least;
  }
  CHECK(longer > 20); /* the two rules differ */
}

/* The published rule by its words: each non-zero in the order of columns, then rows, in the earliest
 * free slot that keeps the distance. */
static int64_t published_by_words(const random_list *l, int64_t *slots, int64_t room) {
  int64_t last[MOST_ITEMS], used[MOST_ITEMS] = {0}, length = 0;
  for (int64_t i = 0; i < l->count; i++) last[i] = -l->distance;
  for (int64_t t = 0; t < room; t++) slots[t] = -1;
  for (int64_t k = 0; k < l->nonzeros; k++) {
    int64_t next = -1;
    for (int64_t i = 0; i < l->count; i++) {
      if (used[i] == l->items[i].count) continue;
      if (next < 0 || l->col[l->items[i].begin + used[i]] < l->col[l->items[next].begin + used[next]]) next = i;
    }
    int64_t t = last[next] + l->distance;
    while (slots[t] >= 0) t++;
    slots[t] = l->items[next].begin + used[next]++;
    last[next] = t;
    length = t + 1 > length ? t + 1 : length;
  }
  return length;
}

TEST(the_published_schedule_is_the_rule_slot_by_slot) {
  uint32_t seed = 77;
  for (int i = 0; i < LISTS / 4; i++) {
    random_list l = make_list(&seed);
    list_entries e = {.col = l.col};
    int64_t room = sextans_schedule_room(l.items, l.count, l.distance);
    int64_t *slots = malloc(((size_t)room + 1) * sizeof *slots), *expected = malloc(((size_t)room + 1) * sizeof *slots);
    void *scratch = malloc(sextans_schedule_bytes(l.items, l.count, l.distance));
    if (!slots || !expected || !scratch) abort();
    int64_t length = sextans_schedule_published(&e, l.items, l.count, l.distance, scratch, slots);
    CHECK_INT(length, published_by_words(&l, expected, room));
    CHECK(!memcmp(slots, expected, (size_t)length * sizeof *slots));
    free(scratch);
    free(expected);
    free(slots);
  }
}

TEST(an_empty_list_has_no_slots) {
  random_list l = {.distance = 10};
  CHECK_INT(run(sextans_schedule_best, &l), 0);
  CHECK_INT(run(sextans_schedule_published, &l), 0);
}
