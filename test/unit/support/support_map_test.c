/* Maps from addresses and strings to numbers and pointers. */
#include "support/map.h"
#include "unit.h"

enum { MANY = 10000 };

TEST(an_empty_map_has_nothing) {
  map m = {0};
  CHECK(map_get_pointer(&m, &m) == NULL);
  CHECK_INT(map_get(&m, &m, -1), -1);
}

TEST(many_keys_keep_their_values) {
  static char keys[MANY];
  map m = {.arena = arena_create()};
  for (int i = 0; i < MANY; i++) map_set_pointer(&m, &keys[i], &keys[MANY - 1 - i]);
  int wrong = 0;
  for (int i = 0; i < MANY; i++) wrong += map_get_pointer(&m, &keys[i]) != &keys[MANY - 1 - i];
  CHECK_INT(wrong, 0);
  CHECK_INT(m.count, MANY);
  CHECK(map_get_pointer(&m, &m) == NULL);
  arena_destroy(m.arena);
}

TEST(a_later_value_replaces_the_earlier) {
  int key = 0;
  map m = {.arena = arena_create()};
  map_set(&m, &key, 1);
  map_set(&m, &key, 2);
  CHECK_INT(map_get(&m, &key, -1), 2);
  CHECK_INT(m.count, 1);
  arena_destroy(m.arena);
}

TEST(strings_are_equal_by_their_characters) {
  map m = {.arena = arena_create(), .of_strings = true};
  for (int i = 0; i < MANY; i++) map_set(&m, arena_printf(m.arena, "h_%d", i), i);
  int wrong = 0;
  for (int i = 0; i < MANY; i++) wrong += map_get(&m, arena_printf(m.arena, "h_%d", i), -1) != i;
  CHECK_INT(wrong, 0);
  CHECK_INT(m.count, MANY);
  CHECK_INT(map_get(&m, "h_", -1), -1);
  arena_destroy(m.arena);
}
