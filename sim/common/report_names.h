/* Names of layers from the manifest of an image: {"layers": [{"id": 0, "op": "spdmm", "name":
 * "conv1.y", "file": "library/gcn_conv.gnn", "line": 12}]}. The manifest may be wrong or
 * incomplete; names are then unknown. */
#ifndef GNNC_SIM_COMMON_REPORT_NAMES_H
#define GNNC_SIM_COMMON_REPORT_NAMES_H

#include "sim/sim.h"

typedef struct report_names report_names;

typedef struct report_name {
  const char *name; /* "" where unknown; lives as long as the manifest */
  const char *file; /* of the model or the library, "" where unknown */
  int64_t line;     /* of the model, 0 where unknown */
} report_name;

/* Reads the manifest of an image; NULL where the image is NULL or has no readable manifest. The
 * caller closes it. */
report_names *report_names_open(const image *im);
void report_names_close(report_names *names);

/* The name of a layer by its id; all members are "" or 0 where it is unknown. */
report_name report_names_find(const report_names *names, int64_t id);

/* The multiply-adds that the model needs of the device: the sum over all layers of the manifest, 0
 * where it is unknown. */
uint64_t report_names_multiply_adds(const report_names *names);

/* The name of a kind of traffic (an index of sim_layer.bytes_read): "input", ...,
 * "instructions". */
const char *report_kind_name(const device *d, int kind);

#endif
