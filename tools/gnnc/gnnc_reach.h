/* How far the outputs of a model reach in the graph, for gnn-run --verify and --nodes. */
#ifndef GNNC_TOOLS_GNNC_GNNC_REACH_H
#define GNNC_TOOLS_GNNC_GNNC_REACH_H

#include "data/reach.h"
#include "dialects/ir.h"

/* Finds the reach of a module of the gnn level. It is an upper bound: operations that the function
 * does not know reach the whole graph. */
graph_reach gnnc_reach_find(MlirModule module);

#endif
