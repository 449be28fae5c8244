/* A memory channel that transfers share fairly, as a fluid (spec: GraphAGILE E.3): n transfers
 * under way get 1/n of the bytes per cycle each; one of weight w counts as w of them.
 *
 * What each of them got since the channel was last idle is one number, the service, so a transfer
 * is over when the service reaches what it was at its start plus its bytes: a heap finds the next,
 * and a start or an end costs O(log n), not O(n). Times are multiples of 2^-16 cycles and bytes of
 * 2^-16 bytes, in integers, so that runs are alike everywhere. */
#ifndef GNNC_SIM_COMMON_BANDWIDTH_H
#define GNNC_SIM_COMMON_BANDWIDTH_H

#include <stdbool.h>
#include <stdint.h>

enum { BANDWIDTH_GRANULE = 64 }; /* bytes: what a transfer is rounded up to */
#define BANDWIDTH_NEVER UINT64_MAX

typedef struct bandwidth bandwidth;

/* A channel of so many bytes per cycle (2^-16 at least), idle at cycle 0; the caller destroys it.
 * Aborts when memory is out. */
bandwidth *bandwidth_create(double bytes_per_cycle);
void bandwidth_destroy(bandwidth *b);

/* Forgets everything: idle at cycle 0. */
void bandwidth_reset(bandwidth *b);

/* Asks for bytes (1 at least), with a weight (1 at least), that flow from cycle `start` on, which
 * no bandwidth_take has passed. `tag` comes back when the transfer is complete. */
void bandwidth_request(bandwidth *b, uint64_t start, uint64_t bytes, uint32_t weight, uint32_t tag);

/* The first cycle at which something happens: a transfer begins to flow, or is complete (rounded up
 * to a whole cycle); BANDWIDTH_NEVER when idle. */
uint64_t bandwidth_next(const bandwidth *b);

/* For how long transfers have flowed since the channel was made or reset, at the channel's whole
 * rate together: 2^-16 cycles. */
uint64_t bandwidth_busy(const bandwidth *b);

/* Lets time pass until `now` and gives the tag of one transfer that is complete by then, in the
 * order of their ends; false when there is none left. */
bool bandwidth_take(bandwidth *b, uint64_t now, uint32_t *tag);

#endif
