/* Runs modules of the device level on devices of Sextans: the default one, and small ones that cut the
 * matrices into windows, rows into blocks, and that have or lack each extension. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_SEXTANS_FIXTURE_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_SEXTANS_FIXTURE_H

#include "codegen_module_fixture.h"

static const module_device sextans_devices[] = {
    {"default", {NULL}},
    {"tiny", {"window=16", "depth=2", "distance=3"}},
    {"one row per PE", {"window=16", "depth=1", "distance=64"}},
    {"reads C", {"window=48", "depth=64", "distance=1", "has_no_c=false"}},
    {"reads C in blocks", {"window=16", "depth=1", "distance=2", "has_no_c=false"}},
    {"two buffers", {"window=32", "depth=2", "has_two_b=true"}},
};

static inline void sextans_run_everywhere(const module_case *c) {
  module_run_everywhere(c, "sextans", sextans_devices, sizeof sextans_devices / sizeof *sextans_devices);
}

#endif
