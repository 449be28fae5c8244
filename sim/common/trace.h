/* Timelines for a viewer: Chrome's trace event format (JSON), one process per PE with a track per unit, and one process for what the PEs share. Times are microseconds
 * of the device: cycles times cycle_ns. */
#ifndef GNNC_SIM_TRACE_H
#define GNNC_SIM_TRACE_H

#include "isa/device.h"

#include <stdio.h>

typedef enum trace_track {
  TRACE_DECODER,
  TRACE_LOAD_E,
  TRACE_LOAD_W,
  TRACE_LOAD_F,
  TRACE_COMPUTE,
  TRACE_STORE,
  TRACE_PE_TRACKS,
  TRACE_SCHEDULER = TRACE_PE_TRACKS, /* of the device: pe is not read */
  TRACE_DDR,
  TRACE_TRACKS
} trace_track;

typedef struct trace trace;

/* Starts a file; it stays the caller's. The device must live as long as the trace. */
trace *trace_begin(FILE *file, const device *d);

/* What the track did from cycle `begin` to cycle `end`. `args` is a JSON object as text, for the viewer's details, or NULL. */
void trace_interval(trace *t, trace_track track, int32_t pe, const char *name, uint64_t begin, uint64_t end,
                    const char *args);

/* Ends the JSON, flushes and frees the trace. Fails if any write failed. NULL is allowed. */
status trace_end(trace *t);

#endif
