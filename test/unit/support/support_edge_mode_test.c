/* Names of edge modes: each set has one name, and a union says how it has the edges of each type. */
#include "support/edge_mode.h"
#include "unit.h"

static edge_mode_kind kind_of(const char *name) {
  return edge_mode_read(name).kind;
}

TEST(names_end_at_a_dot) {
  CHECK_INT(kind_of("replace.remove"), EDGE_MODE_replace);
  CHECK_INT(kind_of("relation12.replace"), EDGE_MODE_relation);
  CHECK_INT(edge_mode_read("relation12.replace").number, 12);
  CHECK_INT(kind_of("union_0_2r.power3"), EDGE_MODE_union);
  CHECK_INT(edge_mode_read("power3").number, 3);
}

TEST(other_names_are_no_modes) {
  static const char *const names[] = {
      "",          "relation",   "relation01", "relation1234567890", "power0",    "union",    "union_", "union_x",
      "union_1_0", "union_0r_0", "union_0_0",  "union_01",           "union_0rr", "union_0_", "union0", "union_0_all"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) CHECK_INT(kind_of(names[i]), EDGE_MODE_none);
}

TEST(a_relation_has_one_type_as_it_is) {
  CHECK_INT(edge_mode_types("relation2"), 3);
  CHECK_INT(edge_mode_ways("relation2", 2), EDGE_WAY_forward);
  CHECK_INT(edge_mode_ways("relation2", 3), 0);
  CHECK(!edge_mode_reverses("relation2") && !edge_mode_doubles("relation2"));
}

TEST(a_union_has_types_in_both_directions) {
  const char *name = "union_0_0r_2r.replace";
  CHECK_INT(edge_mode_types(name), 3);
  CHECK_INT(edge_mode_ways(name, 0), EDGE_WAY_both);
  CHECK_INT(edge_mode_ways(name, 1), 0);
  CHECK_INT(edge_mode_ways(name, 2), EDGE_WAY_back);
  CHECK_INT(edge_mode_ways(name, 3), 0);
  CHECK(edge_mode_reverses(name) && edge_mode_doubles(name));
  CHECK(edge_mode_reverses("union_0_2r") && !edge_mode_doubles("union_0_2r"));
}

TEST(all_edges_have_no_types) {
  CHECK_INT(edge_mode_types("union_all_allr"), 0);
  CHECK_INT(edge_mode_ways("union_all_allr", 7), EDGE_WAY_both);
  CHECK_INT(edge_mode_types("union_all_3r"), 4);
  CHECK_INT(edge_mode_ways("union_all_3r", 3), EDGE_WAY_both);
  CHECK_INT(edge_mode_ways("union_all_3r", 4), EDGE_WAY_forward);
  CHECK(edge_mode_doubles("union_all_3r"));
}

TEST(a_table_has_the_ways_of_each_type) {
  static const char *const names[] = {"relation2", "union_0_0r_2r.replace", "union_all_3r", "union_allr_1", "replace"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    unsigned char ways[5];
    edge_mode_list_ways(names[i], 5, ways);
    for (int64_t type = 0; type < 5; type++) CHECK_INT(ways[type], edge_mode_ways(names[i], type));
  }
}
