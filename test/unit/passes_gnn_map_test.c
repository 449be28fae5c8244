/* The map from values of the IR to what passes know of them. */
#include "passes/gnn_map.h"
#include "unit.h"

enum { MANY = 10000 };

TEST(an_empty_map_has_nothing) {
  gnn_map map = {0};
  CHECK(gnn_map_get(&map, &map) == NULL);
}

TEST(many_keys_keep_their_values) {
  static char keys[MANY];
  gnn_map map = {.arena = arena_create()};
  for (int i = 0; i < MANY; i++) gnn_map_set(&map, &keys[i], &keys[MANY - 1 - i]);
  int wrong = 0;
  for (int i = 0; i < MANY; i++) wrong += gnn_map_get(&map, &keys[i]) != &keys[MANY - 1 - i];
  CHECK_INT(wrong, 0);
  CHECK_INT(map.count, MANY);
  CHECK(gnn_map_get(&map, &map) == NULL);
  arena_destroy(map.arena);
}

TEST(a_later_value_replaces_the_earlier) {
  int key, first, second;
  gnn_map map = {.arena = arena_create()};
  gnn_map_set(&map, &key, &first);
  gnn_map_set(&map, &key, &second);
  CHECK(gnn_map_get(&map, &key) == &second);
  CHECK_INT(map.count, 1);
  arena_destroy(map.arena);
}
