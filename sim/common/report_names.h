/* Names of layers, from the image's JSON: {"layers": [{"id": 0, "op": "spdmm", "name": "conv1.y",
 * "file": "library/gcn_conv.gnn", "line": 12}]}. Nothing in it is trusted, nothing need be there. */
#ifndef GNNC_SIM_COMMON_REPORT_NAMES_H
#define GNNC_SIM_COMMON_REPORT_NAMES_H

#include "sim/sim.h"

typedef struct report_names report_names;

typedef struct report_name {
  const char *name; /* "" where unknown; lives as long as the manifest */
  const char *file; /* of the model or the library, "" where unknown */
  int64_t line;     /* of the model, 0 where unknown */
} report_name;

/* NULL where the image is NULL or has no manifest that can be read. */
report_names *report_names_open(const image *im);
void report_names_close(report_names *names);

report_name report_names_find(const report_names *names, int64_t id);

/* What a kind of traffic (an index of sim_layer.bytes_read) is called: "input", ...,
 * "instructions". */
const char *report_kind_name(const device *d, int kind);

#endif
