/* The hardware parameters of an overlay device: what programs are compiled for and what the simulator simulates (spec: GraphAGILE section VII, Table III). */
#ifndef GNNC_ISA_DEVICE_H
#define GNNC_ISA_DEVICE_H

#include "support/status.h"
#include "support/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum device_memory { DEVICE_MEMORY_SHARED, DEVICE_MEMORY_PAPER } device_memory;

/* Fields up to ddr_bytes decide whether a program fits; the others only time. */
typedef struct device {
  char name[64];               /* "alveo-u250" */
  int32_t num_pes;             /* 8 */
  int32_t width;               /* p_sys, words per row: 16; 4 and 8 for small devices */
  int32_t feature_rows;        /* per Feature Buffer: 16384, of 'width' words */
  int32_t weight_rows;         /* per Weight Buffer: 8192 */
  int32_t edges;               /* per Edge Buffer: 65536 */
  int64_t ddr_bytes;           /* 64 GiB */
  double clock_mhz;            /* 300 */
  device_memory memory;        /* shared, or the paper's accounting (spec E.3) */
  double ddr_gb_s;             /* shared: 77, all PEs together */
  double reload_gb_s;          /* paper: 87.3 per PE, for hidden features larger than reload_free_bytes */
  int64_t reload_free_bytes;   /* paper: 8 MiB */
  double cycle_ns;             /* paper: 3.3 for reporting; else 1000 / clock_mhz */
  int32_t ddr_latency;         /* 60 cycles */
  int32_t fill;                /* 48: ACK fill and drain after idle or a change of mode */
  int32_t dispatch;            /* 16: Scheduler, per tiling block; also per CSI */
  int32_t accumulator_latency; /* 9: RAW unit */
  int32_t
      queue_blocks; /* tiling blocks a PE holds: 1 waits for the last store, 2 (default) overlaps it with the next block; buffers rotate */
  bool has_broadcast;    /* our extension, off by default: one transfer serves several PEs */
  bool has_packed_edges; /* our extension, off by default: 4-byte edges */
} device;

/* The paper's Alveo U250 with 77 GB/s shared by all PEs. */
void device_default(device *d);

/* Starts from the default and takes what a JSON file says ({"num_pes": 2, ...}, names as above, memory: "shared" or "paper"). Fails naming the file, the key, what
 * was found and what was expected; unknown keys are refused with the nearest. */
status device_read(const char *path, device *out);

/* The same from text, as device_json writes it; messages begin with 'name'. */
status device_parse(const char *name, const char *json, size_t size, device *out);

/* Changes one field from text: "memory" and "shared:77". */
status device_set(device *d, const char *key, const char *value);

/* The same from the argument of --device-set=KEY=VALUE. */
status device_edit(device *d, const char *argument);

/* Whether programs for one run on the other; else the first field that differs, with both values, in the message. */
status device_check_same(const device *program, const device *machine);

/* All fields as JSON, for images, --help and statistics; to be freed by the caller. */
char *device_json(const device *d);

#endif
