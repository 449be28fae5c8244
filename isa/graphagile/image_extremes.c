/* Finds the extremes of any range of descriptors without looking at each one: a tree with a summary
 * of every 16 descriptors, of every 16 summaries, and so on. A program may have a loop for every
 * two instructions, each over 65,536 descriptors; looking at each descriptor would take hours for a
 * file of a few megabytes.
 *
 *   descriptors  0 .. 15 | 16 .. 31 | ...      level 1: one summary each      level 2: one of 16 summaries ... */
#include "isa/graphagile/image_extremes.h"

enum { FANOUT = 16, MOST_LEVELS = 9 };

struct graphagile_image_extremes_tree {
  const graphagile_descriptor *descriptors;
  graphagile_image_extremes *levels[MOST_LEVELS]; /* [0] is unused */
};

static const graphagile_image_extremes nothing = {.first_row = UINT64_MAX, .first_edge = UINT64_MAX};

static uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}
static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static graphagile_image_extremes extremes_of(const graphagile_descriptor *d) {
  graphagile_image_extremes e = nothing;
  e.first_row = d->src_row;
  e.rows_end = (uint64_t)d->src_row + d->src_rows;
  e.most_rows = d->src_rows;
  e.has_second = d->second;
  if (!d->num_edges) return e; /* without edges there is nothing to summarise */
  e.first_edge = d->first_edge;
  e.edges_end = (uint64_t)d->first_edge + d->num_edges;
  e.most_edges = d->num_edges;
  return e;
}

static void join(graphagile_image_extremes *to, const graphagile_image_extremes *e) {
  to->first_row = smaller(to->first_row, e->first_row);
  to->rows_end = larger(to->rows_end, e->rows_end);
  to->most_rows = larger(to->most_rows, e->most_rows);
  to->first_edge = smaller(to->first_edge, e->first_edge);
  to->edges_end = larger(to->edges_end, e->edges_end);
  to->most_edges = larger(to->most_edges, e->most_edges);
  to->has_second |= e->has_second;
}

static graphagile_image_extremes extremes_at(const graphagile_image_extremes_tree *t, int level, uint64_t i) {
  return level ? t->levels[level][i] : extremes_of(&t->descriptors[i]);
}

graphagile_image_extremes_tree *graphagile_image_extremes_create(arena *a, const graphagile_descriptor *descriptors,
                                                                 uint64_t count) {
  graphagile_image_extremes_tree *t = arena_alloc(a, sizeof *t);
  t->descriptors = descriptors;
  for (int level = 1; level < MOST_LEVELS && count >= FANOUT; level++) {
    uint64_t groups = count / FANOUT; /* only whole groups are summarised */
    t->levels[level] = arena_try_alloc_array(a, groups, sizeof **t->levels);
    if (!t->levels[level]) return NULL;
    for (uint64_t i = 0; i < groups; i++) {
      graphagile_image_extremes e = nothing;
      for (uint64_t k = i * FANOUT; k < (i + 1) * FANOUT; k++) {
        graphagile_image_extremes part = extremes_at(t, level - 1, k);
        join(&e, &part);
      }
      t->levels[level][i] = e;
    }
    count = groups;
  }
  return t;
}

graphagile_image_extremes graphagile_image_extremes_find(const graphagile_image_extremes_tree *t, uint64_t first,
                                                         uint64_t count) {
  graphagile_image_extremes e = nothing, part;
  uint64_t begin = first, end = first + count;
  for (int level = 0; begin < end; level++, begin /= FANOUT, end /= FANOUT) {
    bool is_top = level + 1 == MOST_LEVELS || !t->levels[level + 1];
    for (; begin < end && (is_top || begin % FANOUT); begin++) {
      part = extremes_at(t, level, begin);
      join(&e, &part);
    }
    for (; begin < end && end % FANOUT; end--) {
      part = extremes_at(t, level, end - 1);
      join(&e, &part);
    }
  }
  return e;
}
