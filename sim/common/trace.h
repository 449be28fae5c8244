/* Timelines for a viewer in Chrome's trace event format (JSON): one process per unit of the
 * machine, and one for what all units share. Times are microseconds: cycles times cycle_ns. */
#ifndef GNNC_SIM_COMMON_TRACE_H
#define GNNC_SIM_COMMON_TRACE_H

#include "sim/sim.h"

#include <stdio.h>

typedef struct trace trace;

/* Starts a trace in a file, which the caller closes. The device must live as long as the trace.
 * `origin` says what made it; NULL: nothing is said. Each of `units` units ("PE 0", ...) has the
 * tracks `unit_tracks`; all units share `device_tracks`, which are numbered behind those. Both lists
 * end with NULL. */
trace *trace_begin(FILE *file, const device *d, const sim_origin *origin, const char *unit, int32_t units,
                   const char *const *unit_tracks, const char *const *device_tracks);

/* Adds `cycles` to the times of all later intervals, because each run of a program begins at cycle
 * 0. t may be NULL. */
void trace_shift(trace *t, uint64_t cycles);

/* Writes what a track did from cycle `begin` to cycle `end`. Track numbers below the number of unit
 * tracks belong to unit `unit`; the others are device tracks, and `unit` is ignored. `args` is a
 * JSON object as text with details for the viewer, or NULL. */
void trace_interval(trace *t, int32_t track, int32_t unit, const char *name, uint64_t begin, uint64_t end,
                    const char *args);

/* Writes a point of a curve: from the cycle on, the quantity `name` has the value, in `unit`
 * ("GB/s"). */
void trace_counter(trace *t, const char *name, const char *unit, uint64_t cycle, double value);

/* Ends the JSON, flushes the file and frees the trace. Fails if any write has failed. t may be
 * NULL. */
status trace_end(trace *t);

#endif
