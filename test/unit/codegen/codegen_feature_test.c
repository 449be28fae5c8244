/* Switches: -fNAME and -fno-NAME are read, -O levels set defaults, and each target knows its
 * switches. */
#include "codegen/backend.h"
#include "codegen/feature.h"
#include "unit.h"

TEST(switches_are_taken_and_the_last_one_holds) {
  feature_set s = {{FEATURE_WHEN_default}};
  CHECK(feature_take(&s, "compact", NULL));
  CHECK_INT(s.given[FEATURE_compact], FEATURE_WHEN_always);
  CHECK(feature_take(&s, "no-compact", NULL));
  CHECK_INT(s.given[FEATURE_compact], FEATURE_WHEN_never);
  CHECK(!feature_is_allowed(&s, FEATURE_compact));
  CHECK(feature_is_allowed(&s, FEATURE_order));
  CHECK_INT(s.given[FEATURE_order], FEATURE_WHEN_default);
}

TEST(unknown_switches_change_nothing_and_the_nearest_is_named) {
  feature_set s = {{FEATURE_WHEN_default}};
  const char *nearest = NULL;
  CHECK(!feature_take(&s, "no-compat", &nearest));
  CHECK_STR(nearest, "compact");
  CHECK(!feature_take(&s, "no-", &nearest));
  CHECK(!feature_take(&s, "qqqqqqqqqqq", &nearest));
  CHECK(!nearest);
  CHECK_INT(feature_find("no-order", NULL), FEATURE_count); /* the name of a switch has no "no-" */
  for (int i = 0; i < FEATURE_count; i++) CHECK_INT(s.given[i], FEATURE_WHEN_default);
}

TEST(every_switch_is_found_by_its_name) {
  for (int i = 0; i < FEATURE_count; i++) CHECK_INT(feature_find(feature_get((feature)i)->name, NULL), i);
}

TEST(what_is_not_given_is_automatic_from_its_level_on) {
  feature_set s = {{FEATURE_WHEN_default}};
  CHECK_INT(feature_when_of(&s, FEATURE_order, 1), FEATURE_WHEN_never);
  CHECK_INT(feature_when_of(&s, FEATURE_order, 2), FEATURE_WHEN_automatic);
  CHECK_INT(feature_when_of(&s, FEATURE_hoist, 0), FEATURE_WHEN_automatic);
  CHECK(feature_take(&s, "order", NULL) && feature_take(&s, "no-hoist", NULL));
  CHECK_INT(feature_when_of(&s, FEATURE_order, 0), FEATURE_WHEN_always);
  CHECK_INT(feature_when_of(&s, FEATURE_hoist, 3), FEATURE_WHEN_never);
}

TEST(targets_of_a_switch_are_whole_words) {
  CHECK(feature_has_target(FEATURE_overlap, "graphagile"));
  CHECK(!feature_has_target(FEATURE_overlap, "graph"));
  CHECK(!feature_has_target(FEATURE_overlap, "c"));
  CHECK(!feature_has_target(FEATURE_hoist, "host"));
  CHECK(feature_has_target(FEATURE_order, "any target"));
}

/* A row of feature.def with a misspelt target would apply to no target. */
TEST(every_switch_is_known_to_a_target) {
  arena *a = arena_create();
  for (int i = 0; i < FEATURE_count; i++)
    if (!*backend_names_of_feature(a, (feature)i))
      unit_fail(__FILE__, __LINE__, "-f%s applies to no target", feature_get((feature)i)->name);
  CHECK_HAS(feature_help(a, FEATURE_fuse_loops), "(from -O2 on) [c]");
  CHECK_STR(feature_help(a, FEATURE_skip_empty), "leave out subshards without edges [graphagile]");
  arena_destroy(a);
}
