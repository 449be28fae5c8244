/* Sampled neighbourhoods: see sample.h.
 *
 * A node's edges are drawn without replacement by Floyd's method (Bentley and Floyd, A sample of brilliance, 1987): k
 * random numbers choose k of d edges, whatever d is. */
#include "runtime/sample.h"

#include "support/philox.h"

#include <stdlib.h>
#include <string.h>

/* Random words that are drawn for different ends have different keys. */
static const uint64_t edge_key = 0x73616D706C653031u, order_key = 0x73616D706C653032u;

struct sample_memory {
  int32_t *local;     /* [nodes of the whole] the number in the part; -1: none */
  bool *is_taken;     /* [most_degrees] during the choice of a node's edges */
  int64_t nodes;      /* numbers that there is room for */
  int64_t edges;      /* the same */
  int64_t spares;     /* the same */
  int32_t *spare;     /* to sort */
  int32_t *arrays[4]; /* src, dst, types of edges, types of nodes */
};

/* ---- the whole graph ---- */

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "no memory for samples of the graph");
}

static void index_edges(sample_source *s) {
  const graph *g = s->graph;
  for (int64_t e = 0; e < g->num_edges; e++) s->first[g->dst[e] + 1]++;
  for (int64_t n = 0; n < g->num_nodes; n++) {
    if (s->first[n + 1] > s->most_degrees) s->most_degrees = s->first[n + 1];
    s->first[n + 1] += s->first[n];
  }
  for (int64_t e = 0; e < g->num_edges; e++) s->edges[s->first[g->dst[e]]++] = (int32_t)e;
  memmove(s->first + 1, s->first, (size_t)g->num_nodes * sizeof *s->first);
  s->first[0] = 0;
}

status sample_source_create(const graph *g, sample_source **out) {
  *out = NULL;
  if (g->num_edges > INT32_MAX)
    return status_error(STATUS_CODE_unsupported, "%s has %lld edges, samples count up to 2^31 - 1", g->name,
                        (long long)g->num_edges);
  sample_source *s = calloc(1, sizeof *s);
  if (!s) return no_memory();
  s->graph = g;
  s->first = calloc((size_t)g->num_nodes + 1, sizeof *s->first);
  s->edges = malloc(((size_t)g->num_edges + 1) * sizeof *s->edges);
  if (!s->first || !s->edges) {
    sample_source_destroy(s);
    return no_memory();
  }
  index_edges(s);
  *out = s;
  return STATUS_OK;
}

void sample_source_destroy(sample_source *s) {
  if (!s) return;
  free(s->first);
  free(s->edges);
  free(s);
}

/* ---- memory of a sample ---- */

status sample_create(const sample_source *from, sample **out) {
  *out = NULL;
  sample *s = calloc(1, sizeof *s);
  struct sample_memory *m = calloc(1, sizeof *m);
  if (!s || !m) {
    free(s);
    free(m);
    return no_memory();
  }
  const size_t nodes = (size_t)from->graph->num_nodes;
  s->from = from;
  s->memory = m;
  m->local = malloc((nodes + 1) * sizeof *m->local);
  m->is_taken = calloc((size_t)from->most_degrees + 1, sizeof *m->is_taken);
  if (!m->local || !m->is_taken) {
    sample_destroy(s);
    return no_memory();
  }
  memset(m->local, 0xFF, nodes * sizeof *m->local);
  *out = s;
  return STATUS_OK;
}

void sample_destroy(sample *s) {
  if (!s) return;
  struct sample_memory *m = s->memory;
  for (size_t i = 0; i < sizeof m->arrays / sizeof m->arrays[0]; i++) free(m->arrays[i]);
  free(m->local);
  free(m->is_taken);
  free(m->spare);
  free(s->nodes);
  free(s->edges);
  free(m);
  free(s);
}

/* Makes room for `count` numbers; false when memory is out. */
static bool reserve(int32_t **numbers, int64_t *room, int64_t count) {
  if (*numbers && count <= *room) return true;
  const int64_t larger = count + count / 2 + 64;
  int32_t *made = realloc(*numbers, (size_t)larger * sizeof *made);
  if (!made) return false;
  *numbers = made;
  *room = larger;
  return true;
}

/* ---- order ---- */

static int compare(const void *left, const void *right) {
  const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
  return (a > b) - (a < b);
}

/* Sorts numbers from 0 on, by eleven bits at a time from the lowest; `spare` has room for as many. */
static void sort_numbers(int32_t *numbers, int32_t *spare, int64_t count) {
  enum { BITS = 11, VALUES = 1 << BITS };
  if (count < VALUES) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    return;
  }
  int32_t *from = numbers, *to = spare;
  for (int shift = 0; shift < 3 * BITS; shift += BITS) {
    int64_t places[VALUES + 1] = {0};
    for (int64_t i = 0; i < count; i++) places[((from[i] >> shift) & (VALUES - 1)) + 1]++;
    for (int v = 0; v < VALUES; v++) places[v + 1] += places[v];
    for (int64_t i = 0; i < count; i++) to[places[(from[i] >> shift) & (VALUES - 1)]++] = from[i];
    int32_t *last = from;
    from = to;
    to = last;
  }
  memcpy(numbers, from, (size_t)count * sizeof *numbers); /* three passes end in `spare` */
}

void sample_permute(uint64_t seed, int64_t epoch, int32_t *numbers, int64_t count) {
  philox_words drawn = {{0}};
  for (int64_t i = 0; i < count - 1; i++) {
    if (i % 4 == 0) drawn = philox_draw(seed ^ order_key, (philox_words){{(uint32_t)(i / 4), (uint32_t)epoch, 0, 0}});
    const int64_t other = i + philox_below(drawn.word[i % 4], count - i);
    const int32_t kept = numbers[i];
    numbers[i] = numbers[other];
    numbers[other] = kept;
  }
}

/* ---- a draw ---- */

/* Chooses k of d positions, in no order. */
static void choose_positions(sample *s, const sample_rule *rule, int32_t node, int32_t hop, int64_t d, int32_t *to) {
  const int64_t k = rule->fanout[hop];
  bool *is_taken = s->memory->is_taken;
  philox_words drawn = {{0}};
  for (int64_t i = 0; i < k; i++) {
    if (i % 4 == 0)
      drawn = philox_draw(rule->seed ^ edge_key,
                          (philox_words){{(uint32_t)node, (uint32_t)rule->epoch, (uint32_t)hop, (uint32_t)(i / 4)}});
    const int64_t last = d - k + i, at = philox_below(drawn.word[i % 4], last + 1);
    to[i] = (int32_t)(is_taken[at] ? last : at);
    is_taken[to[i]] = true;
  }
  for (int64_t i = 0; i < k; i++) is_taken[to[i]] = false;
}

/* Adds the edges that a node keeps, and their sources. */
static bool add_edges(sample *s, const sample_rule *rule, int32_t node, int32_t hop) {
  struct sample_memory *m = s->memory;
  const int64_t first = s->from->first[node], d = s->from->first[node + 1] - first;
  const bool has_all = rule->fanout[hop] <= 0 || rule->fanout[hop] >= d;
  const int64_t count = has_all ? d : rule->fanout[hop];
  if (!reserve(&s->edges, &m->edges, s->part.num_edges + count) ||
      !reserve(&s->nodes, &m->nodes, s->part.num_nodes + count))
    return false;
  int32_t *to = s->edges + s->part.num_edges;
  if (!has_all) choose_positions(s, rule, node, hop, d, to);
  for (int64_t i = 0; i < count; i++) {
    to[i] = s->from->edges[first + (has_all ? i : to[i])];
    const int32_t source = s->from->graph->src[to[i]];
    if (m->local[source] >= 0) continue;
    m->local[source] = (int32_t)s->part.num_nodes;
    s->nodes[s->part.num_nodes++] = source;
  }
  s->part.num_edges += count;
  return true;
}

static bool add_hops(sample *s, const sample_rule *rule) {
  int64_t begin = 0;
  for (int32_t hop = 0; hop < rule->hops; hop++) {
    const int64_t end = s->part.num_nodes;
    for (int64_t i = begin; i < end; i++)
      if (!add_edges(s, rule, s->nodes[i], hop)) return false;
    begin = end;
  }
  return true;
}

/* Sorts nodes and edges, which makes their order independent of that in which they were found. */
static bool sort_part(sample *s) {
  struct sample_memory *m = s->memory;
  graph *p = &s->part;
  if (!reserve(&m->spare, &m->spares, p->num_nodes > p->num_edges ? p->num_nodes : p->num_edges)) return false;
  sort_numbers(s->nodes, m->spare, s->num_seeds);
  sort_numbers(s->nodes + s->num_seeds, m->spare, p->num_nodes - s->num_seeds);
  sort_numbers(s->edges, m->spare, p->num_edges);
  for (int64_t i = 0; i < p->num_nodes; i++) m->local[s->nodes[i]] = (int32_t)i;
  return true;
}

/* Writes the arrays of the part, which have as much room as the numbers. */
static bool write_part(sample *s) {
  struct sample_memory *m = s->memory;
  const graph *g = s->from->graph;
  graph *p = &s->part;
  const size_t edge_bytes = ((size_t)p->num_edges + 1) * sizeof(int32_t);
  const size_t node_bytes = ((size_t)p->num_nodes + 1) * sizeof(int32_t);
  for (int i = 0; i < 4; i++) {
    int32_t *made = realloc(m->arrays[i], i < 3 ? edge_bytes : node_bytes);
    if (!made) return false;
    m->arrays[i] = made;
  }
  for (int64_t i = 0; i < p->num_edges; i++) {
    m->arrays[0][i] = m->local[g->src[s->edges[i]]];
    m->arrays[1][i] = m->local[g->dst[s->edges[i]]];
    if (g->edge_type) m->arrays[2][i] = g->edge_type[s->edges[i]];
  }
  for (int64_t i = 0; i < p->num_nodes && g->node_type; i++) m->arrays[3][i] = g->node_type[s->nodes[i]];
  p->src = m->arrays[0];
  p->dst = m->arrays[1];
  p->edge_type = g->edge_type ? m->arrays[2] : NULL;
  p->node_type = g->node_type ? m->arrays[3] : NULL;
  return true;
}

status sample_draw(sample *s, const sample_rule *rule, const int32_t *seeds, int64_t count) {
  struct sample_memory *m = s->memory;
  const graph *g = s->from->graph;
  for (int64_t i = 0; i < s->part.num_nodes; i++) m->local[s->nodes[i]] = -1;
  s->part = (graph){.name = g->name, .num_edge_types = g->num_edge_types, .num_node_types = g->num_node_types};
  if (!reserve(&s->nodes, &m->nodes, count) || !reserve(&s->edges, &m->edges, 1)) return no_memory();
  s->num_seeds = count;
  for (int64_t i = 0; i < count; i++) {
    m->local[seeds[i]] = (int32_t)i;
    s->nodes[s->part.num_nodes++] = seeds[i];
  }
  return add_hops(s, rule) && sort_part(s) && write_part(s) ? STATUS_OK : no_memory();
}
