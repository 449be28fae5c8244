/* Sampled neighbourhoods: what a part consists of, that it depends on nothing but seed, node, epoch and hop, and that all
 * edges have the same chance. */
#include "data/formats/text_tensors.h"
#include "runtime/sample.h"
#include "support/philox.h"
#include "support/text.h"
#include "unit.h"

#include <stdlib.h>

TEST(philox_gives_the_known_answers_of_random123) {
  static const struct {
    uint64_t key;
    philox_words counter, words;
  } known[] = {
      {0, {{0, 0, 0, 0}}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
      {UINT64_MAX,
       {{UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX}},
       {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
      {UINT64_C(0x299f31d0a4093822),
       {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
       {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const philox_words made = philox_draw(known[i].key, known[i].counter);
    for (int k = 0; k < 4; k++) CHECK_INT(made.word[k], known[i].words.word[k]);
  }
  CHECK_INT(philox_below(0, 7), 0);
  CHECK_INT(philox_below(UINT32_MAX, 7), 6);
}

typedef struct opened {
  tensor_set *set;
  graph *graph;
  sample_source *source;
  sample *sample;
} opened;

/* A graph of `nodes` nodes whose edges, with types, come from a small generator; node 0 has many. */
static opened open_graph(int nodes, int edges) {
  opened o = {0};
  text t = {0};
  uint32_t state = 7;
  text_printf(&t, "tensor edge_index i64 2 %d\n", edges);
  for (int row = 0; row < 2; row++)
    for (int e = 0; e < edges; e++) {
      state = state * 1664525u + 1013904223u;
      text_printf(&t, "%d ", row && e % 5 == 0 ? 0 : (int)(state >> 8) % nodes);
    }
  text_printf(&t, "\ntensor edge_type i64 %d\n", edges);
  for (int e = 0; e < edges; e++) text_printf(&t, "%d ", e % 3);
  text_printf(&t, "\ntensor node_type i64 %d\n", nodes);
  for (int n = 0; n < nodes; n++) text_printf(&t, "%d ", n % 2);
  text_append(&t, "\n");
  CHECK_OK(text_tensors_parse("g", text_str(&t), t.size, &o.set));
  CHECK_OK(graph_create(o.set, &o.graph));
  CHECK_OK(sample_source_create(o.graph, &o.source));
  CHECK_OK(sample_create(o.source, &o.sample));
  text_free(&t);
  return o;
}

static void close_all(opened *o) {
  sample_destroy(o->sample);
  sample_source_destroy(o->source);
  graph_close(o->graph);
  tensor_set_destroy(o->set);
}

/* Nodes and edges have their ends and types in the whole, no edge is there twice, no degree is above the largest fanout. */
static void check_part(const opened *o, const sample_rule *rule) {
  const sample *s = o->sample;
  const graph *g = o->graph, *p = &s->part;
  int32_t *degrees = calloc((size_t)p->num_nodes + 1, sizeof *degrees), most = 0;
  for (int32_t h = 0; h < rule->hops; h++)
    if (rule->fanout[h] <= 0 || rule->fanout[h] > most) most = rule->fanout[h] <= 0 ? INT32_MAX : rule->fanout[h];
  for (int64_t i = 0; i < p->num_nodes; i++) {
    if (i != 0 && i != s->num_seeds) CHECK(s->nodes[i] > s->nodes[i - 1]);
    CHECK_INT(p->node_type[i], g->node_type[s->nodes[i]]);
  }
  for (int64_t i = 0; i < p->num_edges; i++) {
    if (i) CHECK(s->edges[i] > s->edges[i - 1]);
    CHECK_INT(s->nodes[p->src[i]], g->src[s->edges[i]]);
    CHECK_INT(s->nodes[p->dst[i]], g->dst[s->edges[i]]);
    CHECK_INT(p->edge_type[i], g->edge_type[s->edges[i]]);
    CHECK(++degrees[p->dst[i]] <= most);
  }
  free(degrees);
}

TEST(a_part_has_edges_of_the_graph_and_at_most_the_fanout_of_each_node) {
  opened o = open_graph(3000, 40000);
  const int32_t seeds[] = {2999, 0, 17, 4, 5};
  for (int64_t epoch = 1; epoch < 4; epoch++) {
    const sample_rule rule = {.seed = 3, .epoch = epoch, .hops = 3, .fanout = {4, 7, 2}};
    CHECK_OK(sample_draw(o.sample, &rule, seeds, 5));
    check_part(&o, &rule);
    CHECK_INT(o.sample->num_seeds, 5);
    CHECK_INT(o.sample->nodes[0], 0);
    CHECK_INT(o.sample->nodes[4], 2999);
    CHECK(o.sample->part.num_edges <= 5 * 4 + 20 * 7 + 140 * 2 && o.sample->part.num_edges > 100);
  }
  close_all(&o);
}

TEST(without_a_fanout_all_edges_of_all_hops_are_there) {
  opened o = open_graph(60, 400);
  int32_t seeds[60];
  const sample_rule all = {.hops = 1, .fanout = {0}}, many = {.hops = 1, .fanout = {400}};
  for (int32_t n = 0; n < 60; n++) seeds[n] = n;
  CHECK_OK(sample_draw(o.sample, &all, seeds, 60));
  check_part(&o, &all);
  CHECK_INT(o.sample->part.num_nodes, 60);
  CHECK_INT(o.sample->part.num_edges, 400);
  for (int64_t e = 0; e < 400; e++) CHECK_INT(o.sample->part.src[e], o.graph->src[e]);
  CHECK_OK(sample_draw(o.sample, &many, seeds, 60));
  CHECK_INT(o.sample->part.num_edges, 400);
  CHECK_OK(sample_draw(o.sample, &many, seeds, 0));
  CHECK_INT(o.sample->part.num_nodes, 0);
  close_all(&o);
}

/* Returns the edges of a node in the part, as a hash. */
static uint64_t edges_of(const sample *s, int32_t node) {
  uint64_t hash = 0;
  for (int64_t i = 0; i < s->part.num_edges; i++)
    if (s->nodes[s->part.dst[i]] == node) hash = hash * 1000003u + (uint64_t)s->edges[i] + 1;
  return hash;
}

TEST(the_edges_of_a_node_depend_on_seed_epoch_and_hop_alone) {
  opened o = open_graph(200, 9000), other = open_graph(200, 9000);
  const sample_rule rule = {.seed = 11, .epoch = 2, .hops = 1, .fanout = {5}};
  int32_t all[200];
  for (int32_t n = 0; n < 200; n++) all[n] = 199 - n;
  CHECK_OK(sample_draw(o.sample, &rule, all, 200));
  for (int32_t n = 199; n >= 0; n -= 7) { /* alone, in another order, by another sample */
    CHECK_OK(sample_draw(other.sample, &rule, &n, 1));
    CHECK(edges_of(o.sample, n) == edges_of(other.sample, n));
  }
  const int32_t node = 3;
  uint64_t found[4];
  const sample_rule rules[4] = {{11, 2, 1, {5}}, {12, 2, 1, {5}}, {11, 3, 1, {5}}, {11, 2, 2, {5, 5}}};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(sample_draw(o.sample, &rules[i], &node, 1));
    found[i] = edges_of(o.sample, node);
    for (int k = 0; k < i; k++) CHECK(found[i] != found[k]);
  }
  close_all(&o);
  close_all(&other);
}

TEST(a_draw_leaves_nothing_to_the_next_one) {
  opened o = open_graph(500, 6000), other = open_graph(500, 6000);
  const int32_t first[] = {1, 2, 3, 400}, second[] = {9, 400};
  const sample_rule rule = {.seed = 1, .epoch = 1, .hops = 2, .fanout = {6, 6}};
  CHECK_OK(sample_draw(o.sample, &rule, first, 4));
  CHECK_OK(sample_draw(o.sample, &rule, second, 2));
  CHECK_OK(sample_draw(other.sample, &rule, second, 2));
  const graph *a = &o.sample->part, *b = &other.sample->part;
  CHECK_INT(a->num_nodes, b->num_nodes);
  CHECK_INT(a->num_edges, b->num_edges);
  CHECK(!memcmp(o.sample->edges, other.sample->edges, (size_t)b->num_edges * sizeof(int32_t)));
  CHECK(!memcmp(a->src, b->src, (size_t)b->num_edges * sizeof(int32_t)));
  close_all(&o);
  close_all(&other);
}

/* 40,000 draws of 5 of node 0's edges. The statistic has a mean below one per edge; its limit is six deviations above. */
TEST(all_edges_of_a_node_have_the_same_chance) {
  opened o = open_graph(50, 100);
  enum { DRAWS = 40000, CHOSEN = 5 };
  const int32_t node = 0;
  const int64_t degree = o.source->first[1];
  int64_t counts[100] = {0};
  CHECK(degree >= 20);
  for (int64_t epoch = 0; epoch < DRAWS; epoch++) {
    const sample_rule rule = {.seed = 5, .epoch = epoch, .hops = 1, .fanout = {CHOSEN}};
    CHECK_OK(sample_draw(o.sample, &rule, &node, 1));
    CHECK_INT(o.sample->part.num_edges, CHOSEN);
    for (int64_t i = 0; i < CHOSEN; i++) counts[o.sample->edges[i]]++;
  }
  const double expected = (double)DRAWS * (double)CHOSEN / (double)degree;
  double statistic = 0;
  for (int64_t i = 0; i < degree; i++) {
    const double off = (double)counts[o.source->edges[i]] - expected;
    statistic += off * off / expected;
  }
  CHECK(statistic < (double)degree + 6 * 7 && statistic > 1);
  close_all(&o);
}

TEST(a_permutation_has_every_number_once_and_depends_on_seed_and_epoch) {
  enum { COUNT = 1001 };
  int32_t a[COUNT], b[COUNT], seen[COUNT] = {0}, fixed = 0;
  for (int32_t i = 0; i < COUNT; i++) a[i] = b[i] = i;
  sample_permute(3, 1, a, COUNT);
  for (int i = 0; i < COUNT; i++) {
    seen[a[i]]++;
    fixed += a[i] == i;
  }
  for (int i = 0; i < COUNT; i++) CHECK_INT(seen[i], 1);
  CHECK(fixed < 10);
  sample_permute(3, 1, b, COUNT);
  CHECK(!memcmp(a, b, sizeof a));
  for (int32_t i = 0; i < COUNT; i++) b[i] = i;
  sample_permute(3, 2, b, COUNT);
  CHECK(memcmp(a, b, sizeof a) != 0);
}
