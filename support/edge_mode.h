/* How an edge set was made from another one: the last part of its name, as in "g.replace", "g.relation2", "g.power3" and
 * "g.union_0_2r". */
#ifndef GNNC_SUPPORT_EDGE_MODE_H
#define GNNC_SUPPORT_EDGE_MODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum edge_mode_kind {
  EDGE_MODE_none,          /* not the name of a mode */
  EDGE_MODE_add_remaining, /* a new self loop at each node that has none */
  EDGE_MODE_keep_one,      /* the same, and of the loops of a node only the last */
  EDGE_MODE_replace,       /* a new self loop at each node in place of the stored ones */
  EDGE_MODE_remove,        /* no self loops */
  EDGE_MODE_relation,      /* the edges of one type */
  EDGE_MODE_union,         /* the edges of some types or all, as they are or reversed or both */
  EDGE_MODE_power,         /* an edge for each pair of nodes with a path of a few edges */
} edge_mode_kind;

typedef struct edge_mode {
  edge_mode_kind kind;
  int64_t number; /* of a relation: the type; of a power: the edges of a path at most; else -1 */
} edge_mode;

/* Reads "replace", or the first part of "replace.keep_one". */
edge_mode edge_mode_read(const char *name);
/* Whether every node has an edge of the set to itself. */
bool edge_mode_has_loops(edge_mode mode);
/* Whether the set has chosen edges of the caller's graph: a relation or a union. */
bool edge_mode_is_chosen(edge_mode mode);
/* How many of a node's stored self loops stay, its last ones: 0, 1, or -1 for all. */
int edge_mode_kept_loops(edge_mode mode);

/* How a set has an edge; a self loop is its own reverse, so that no set has it twice. */
enum { EDGE_WAY_forward = 1, EDGE_WAY_back = 2, EDGE_WAY_both = 3 };

/* The ways in which a relation or a union, "relation2" or "union_0_2r", has the edges of a type. A union is a list of types
 * in rising order, `all` before them; `r` behind one is the reverse. */
unsigned edge_mode_ways(const char *name, int64_t type);
/* All types from this number on have the ways of this one: 0 where the types do not matter. */
int64_t edge_mode_types(const char *name);
/* The same for the types 0 .. count - 1. */
void edge_mode_list_ways(const char *name, int64_t count, unsigned char *ways);
/* Whether a set may have reversed edges of its base, and whether it may have one in both directions. */
bool edge_mode_reverses(const char *name);
bool edge_mode_doubles(const char *name);

#endif
