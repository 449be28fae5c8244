/* Timelines for a viewer: Chrome's trace event format (JSON), one process per unit of the machine,
 * and one for what the units share. Times are microseconds of the device: cycles times cycle_ns. */
#ifndef GNNC_SIM_COMMON_TRACE_H
#define GNNC_SIM_COMMON_TRACE_H

#include "sim/sim.h"

#include <stdio.h>

typedef struct trace trace;

/* Starts a file, which says what made it unless origin is NULL; it stays the caller's. The device must live as long as the trace. Each of `units`
 * units ("PE 0", ...) has the tracks `unit_tracks`; what they share has `device_tracks`, numbered
 * behind those. Both lists end with NULL. */
trace *trace_begin(FILE *file, const device *d, const sim_origin *origin, const char *unit, int32_t units,
                   const char *const *unit_tracks, const char *const *device_tracks);

/* Cycles of intervals count from this one of the trace on: runs of a program follow one another.
 * NULL is allowed. */
void trace_shift(trace *t, uint64_t cycles);

/* What a track did from cycle `begin` to cycle `end`: unit_tracks[track] of a unit, or
 * device_tracks[track - number of unit tracks], where `unit` is not read. `args` is a JSON object
 * as text, for the viewer's details, or NULL. */
void trace_interval(trace *t, int32_t track, int32_t unit, const char *name, uint64_t begin, uint64_t end,
                    const char *args);

/* A curve beside the tracks: from the cycle on the quantity (its unit, "GB/s") has the value. */
void trace_counter(trace *t, const char *name, const char *unit, uint64_t cycle, double value);

/* Ends the JSON, flushes and frees the trace. Fails if any write failed. NULL is allowed. */
status trace_end(trace *t);

#endif
