/* What an edge value depends on: the domain lattice of Pigeon section 3.2.2.
 *
 *   const < etype < (etype, src), (etype, dst) < edge        src, dst between const and the pairs
 *
 * A domain is the set of things that a row is a function of; the join of two domains is their
 * union. A value whose domain is type and one end may be materialised once per pair of them; one
 * that needs both ends, or a number given per edge, is per edge. */
#ifndef GNNC_PASSES_GNN_GNN_DOMAIN_H
#define GNNC_PASSES_GNN_GNN_DOMAIN_H

#include "passes/manager/pass.h"
#include "support/map.h"

enum { // NOLINT(cert-int09-c): bits
  GNN_DOMAIN_type = 1,
  GNN_DOMAIN_src = 2, /* the source, its node type included */
  GNN_DOMAIN_dst = 4,
  GNN_DOMAIN_edge = 8, /* the edge itself */
};

typedef struct gnn_domains {
  map of; /* edge value -> domain */
} gnn_domains;

/* The domains of all edge values of a function. Values made later are of the edge until inferred
 * again. */
gnn_domains gnn_domains_infer(arena *a, MlirOperation func);
unsigned gnn_domain_of(const gnn_domains *d, MlirValue value);

/* The bit of an end: "src" or "dst". */
unsigned gnn_domain_end(const char *end);

#endif
