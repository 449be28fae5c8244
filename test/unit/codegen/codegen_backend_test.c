/* Targets and their presets are found by name, and messages list the names that exist. */
#include "codegen/backend.h"
#include "unit.h"

TEST(targets_are_found_by_name) {
  CHECK(backend_default() == backend_table[0]);
  for (const backend *const *b = backend_table; *b; b++) CHECK(backend_find((*b)->name) == *b);
  CHECK(!backend_find("cuda"));
  CHECK(!backend_find(""));
  CHECK(!backend_find("all"));
}

/* Tools find the target of a device that a file describes by the name of its machine. */
TEST(each_machine_has_a_target_of_its_name_and_c_has_none) {
  for (const machine *const *m = machine_table; *m; m++) {
    const backend *b = backend_find((*m)->name);
    CHECK(b && b->machine == *m);
  }
  const backend *c = backend_find("c");
  CHECK(c && !c->machine && c->generate && !c->compile);
  for (const backend *const *b = backend_table; *b; b++)
    if ((*b)->machine) CHECK((*b)->compile && (*b)->plan && (*b)->add_passes);
}

TEST(presets_are_of_one_target) {
  const backend_preset *paper = backend_find_preset(backend_find("graphagile"), "paper");
  CHECK(paper && paper->device_edit);
  device d;
  device_default(&d, &graphagile_machine);
  if (paper) CHECK_OK(device_edit(&d, paper->device_edit));
  CHECK(!backend_find_preset(backend_find("graphagile"), "fast"));
  CHECK(!backend_find_preset(backend_find("host"), "paper"));
  CHECK(!backend_find_preset(backend_find("c"), "paper"));
}

TEST(names_are_listed_for_messages) {
  arena *a = arena_create();
  CHECK_STR(backend_names(a), "graphagile, host, sextans, fusedgcn, agile or c");
  CHECK_STR(backend_machine_names(a), "graphagile, host, sextans, fusedgcn or agile");
  CHECK_STR(backend_names_of_feature(a, FEATURE_overlap), "graphagile or fusedgcn");
  CHECK_STR(backend_names_of_feature(a, FEATURE_reassociate), "fusedgcn");
  CHECK_STR(backend_names_of_feature(a, FEATURE_fuse_loops), "c");
  CHECK_STR(backend_names_with_precisions(a), "agile");
  CHECK_STR(backend_names_of_feature(a, FEATURE_order), "graphagile, host, sextans, fusedgcn, agile or c");
  arena_destroy(a);
}

TEST(switches_that_the_device_cannot_do_are_refused_with_what_would_help) {
  backend_options o = {.target = backend_find("graphagile")};
  device_default(&o.device, &graphagile_machine);
  CHECK_OK(o.target->check(&o));
  o.features.given[FEATURE_broadcast] = FEATURE_WHEN_always;
  CHECK_FAILS(o.target->check(&o), "-fbroadcast: device 'alveo-u250' has no broadcast; "
                                   "--device-set=has_broadcast=true says it has");
  o.device.graphagile.has_broadcast = true;
  CHECK_OK(o.target->check(&o));
  o.features.given[FEATURE_packed_edges] = FEATURE_WHEN_always;
  CHECK_FAILS(o.target->check(&o), "-fpacked-edges: device 'alveo-u250' has no packed edges");
  o.device.graphagile.has_packed_edges = true;
  CHECK_OK(o.target->check(&o));
  o.features.given[FEATURE_half_rows] = FEATURE_WHEN_always;
  CHECK_FAILS(o.target->check(&o), "-fhalf-rows: device 'alveo-u250' has no rows of fp16; "
                                   "--device-set=has_half_rows=true says it has");
  o.device.graphagile.has_half_rows = true;
  CHECK_OK(o.target->check(&o));
  o.features.given[FEATURE_compact_columns] = FEATURE_WHEN_always;
  CHECK_FAILS(o.target->check(&o), "-fcompact-columns: device 'alveo-u250' has no rows of one number; "
                                   "--device-set=has_compact_columns=true says it has");
  o.device.graphagile.has_compact_columns = true;
  CHECK_OK(o.target->check(&o));
}
