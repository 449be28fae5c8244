/* A memory channel that active transfers share fairly (docs/devices/graphagile.md, "Memory"): each
 * of n transfers gets 1/n of the bytes per cycle; one of weight w counts as w transfers.
 *
 * The bytes that a transfer of weight 1 has received since the channel was last idle are one number
 * for all transfers, the service. A transfer ends when the service has grown by its bytes since its
 * start. A heap finds the next end, so a start or an end costs O(log n). Times are integers in
 * units of 2^-16 cycles and bytes in units of 2^-16 bytes, so that runs give the same result on
 * every host. */
#ifndef GNNC_SIM_COMMON_BANDWIDTH_H
#define GNNC_SIM_COMMON_BANDWIDTH_H

#include <stdbool.h>
#include <stdint.h>

enum { BANDWIDTH_GRANULE = 64 }; /* bytes; the size of a transfer is rounded up to a multiple of it */
#define BANDWIDTH_NEVER UINT64_MAX

typedef struct bandwidth bandwidth;

/* Creates a channel of so many bytes per cycle (at least 2^-16), idle at cycle 0. The caller
 * destroys it. Aborts when memory is out. */
bandwidth *bandwidth_create(double bytes_per_cycle);
void bandwidth_destroy(bandwidth *b);

/* Drops all transfers; the channel is idle at cycle 0. */
void bandwidth_reset(bandwidth *b);

/* Requests a transfer of `bytes` (at least 1) with a weight (at least 1) that flows from cycle
 * `start` on. No bandwidth_take may have passed that cycle. bandwidth_take returns `tag` when the
 * transfer is complete. */
void bandwidth_request(bandwidth *b, uint64_t start, uint64_t bytes, uint32_t weight, uint32_t tag);

/* The first cycle at which a transfer begins to flow or is complete (rounded up to a whole cycle);
 * BANDWIDTH_NEVER when idle. */
uint64_t bandwidth_next(const bandwidth *b);

/* The time in which some transfer was active since the channel was created or reset, in 2^-16
 * cycles; the whole rate of the channel is used during it. */
uint64_t bandwidth_busy(const bandwidth *b);

/* Advances time to `now` and returns the tag of one transfer that is complete by then, in the order
 * of their ends; false when no other is. */
bool bandwidth_take(bandwidth *b, uint64_t now, uint32_t *tag);

#endif
