/* The domain of an edge value: what its rows depend on (used for compact materialisation; Pigeon,
 * Section 3.1.3).
 *
 *   const < etype < (etype, src), (etype, dst) < edge        src, dst between const and the pairs
 *
 * A domain is the set of things of which a row is a function; the join of two domains is their
 * union. A value whose domain is type and one end can be stored once per pair of these. A value
 * that needs both ends, or a number given per edge, must be stored per edge. */
#ifndef GNNC_PASSES_GNN_GNN_DOMAIN_H
#define GNNC_PASSES_GNN_GNN_DOMAIN_H

#include "passes/manager/pass.h"
#include "support/map.h"

enum { // NOLINT(cert-int09-c): bits
  GNN_DOMAIN_type = 1,
  GNN_DOMAIN_src = 2, /* the source, with its node type */
  GNN_DOMAIN_dst = 4,
  GNN_DOMAIN_edge = 8, /* the edge itself */
};

typedef struct gnn_domains {
  map of; /* from an edge value to its domain */
} gnn_domains;

/* Infers the domains of all edge values of a function. Values that are made later have domain edge
 * until the next inference. */
gnn_domains gnn_domains_infer(arena *a, MlirOperation func);
unsigned gnn_domain_of(const gnn_domains *d, MlirValue value);

/* The bit of an end: "src" or "dst". */
unsigned gnn_domain_end(const char *end);

#endif
