/* Broadcast, an extension of the paper's overlay: a load with bcast is held until all busy PEs of
 * the layer that may ask for the same data have asked; then one transfer serves all equal loads.
 * For use inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_BROADCAST_H
#define GNNC_SIM_GRAPHAGILE_BROADCAST_H

#include "sim/graphagile/engine.h"

/* The most cycles for which a load is held that does not say how many PEs share it. */
enum { GRAPHAGILE_BROADCAST_PATIENCE = 4096 };

/* Holds the load that is under way into a buffer; its bytes are known. */
void graphagile_broadcast_hold(graphagile_engine *s, graphagile_engine_pe *pe, int buffer, uint64_t bytes);

/* Starts transfers whose time has come. A load that says how many PEs share it starts when so many
 * PEs ask for it. Of the other loads one starts when every PE whose decoder is inside of a LOOP
 * with bcast loads has a load held: the one for which most PEs ask, and of several the one with the
 * lowest address; this repeats as long as the condition holds. A load also starts when its deadline
 * has passed. */
void graphagile_broadcast_step(graphagile_engine *s);

/* The number of PEs that ask for the same data as the held load `i`. */
uint32_t graphagile_broadcast_askers(const graphagile_engine *s, uint32_t i);

/* The next cycle at which a deadline passes. */
uint64_t graphagile_broadcast_next(const graphagile_engine *s);

#endif
