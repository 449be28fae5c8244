/* The broadcast coalescer, our extension: loads with bcast are held until all busy PEs of the layer
 * that may ask for the same have asked, then one transfer serves those that ask for the same.
 * Inside of sim/graphagile/ only. */
#ifndef GNNC_SIM_GRAPHAGILE_BROADCAST_H
#define GNNC_SIM_GRAPHAGILE_BROADCAST_H

#include "sim/graphagile/engine.h"

enum {
  GRAPHAGILE_BROADCAST_PATIENCE = 4096
}; /* cycles a load is held at most that does not say how many PEs share it */

/* Holds the load under way in a buffer, whose bytes are known. */
void graphagile_broadcast_hold(graphagile_engine *s, graphagile_engine_pe *pe, int buffer, uint64_t bytes);

/* Starts transfers when their time has come: for a load that says how many PEs share it when so
 * many ask for the same; for others when every PE whose decoder is inside of a LOOP with bcast
 * loads has a load held here (then the address that most PEs ask for, the lowest of several, and
 * again while that holds), or the patience of a load is over (then its address). */
void graphagile_broadcast_step(graphagile_engine *s);

/* Distinct PEs that ask for what the held load `i` asks for. */
uint32_t graphagile_broadcast_askers(const graphagile_engine *s, uint32_t i);

/* The cycle at which patience is over next. */
uint64_t graphagile_broadcast_next(const graphagile_engine *s);

#endif
