/* Joins two sums into the same rows: each block of the second sums up the pieces of the first too,
 * so that the first sums never leave the Feature Buffer. GraphSAGE over sparse features is the case
 * it is made for.
 *
 *   t = spdmm nonzeros, [v | w]; y = spdmm in, t[v]; + t[w]
 *   ->  a = spdmm nonzeros, v; y = spdmm nonzeros, w and in, a
 *
 * Half of the first result, t[w], need not be written and read; in exchange the list `nonzeros` is
 * read twice. The list gets a second copy with the destination shards of `in`. */
#include "codegen/graphagile/fuse/fuse_joins.h"

#include "support/number.h"

#include <string.h>

enum { MOST_EDGES = 1 << 20 };

typedef struct join {
  graphagile_plan_layer *maker, *reader;
  /* what maker makes; the columns that other layers read; the columns that only reader adds */
  graphagile_plan_tensor *whole, *kept, *added;
} join;

static bool is_plain_sum(const graphagile_plan_layer *l) {
  const graphagile_plan_spdmm *s = &l->spdmm;
  bool is_sum = l->kind == GRAPHAGILE_PLAN_spdmm && s->reduce == GRAPHAGILE_REDUCE_sum && s->in;
  return is_sum && !s->values && !s->num_links && !s->is_divided && !s->before;
}

/* The rows that a sum begins with, or that are added to it before anything else; NULL: none. */
static graphagile_plan_tensor *added_of(const graphagile_plan_layer *l) {
  const graphagile_plan_epilogue *t = &l->epilogues[0];
  if (l->spdmm.start.addend) return l->spdmm.start.addend;
  bool adds = l->num_epilogues && !l->num_functions && t->operation == GRAPHAGILE_VECTOR_add;
  return adds && !t->is_bcast && !t->is_own && !t->scale ? t->other : NULL;
}

static int last_reader(const graphagile_plan *p, const graphagile_plan_tensor *t) {
  int last = -1;
  for (size_t i = 0; i < p->layers.count; i++)
    if (graphagile_plan_reads(&p->layers.items[i], t)) last = (int)i;
  return last;
}

/* The other window of the tensor that `added` is a window of; NULL where it has more windows than
 * two, or where a layer reads it as a whole. */
static graphagile_plan_tensor *other_half(const graphagile_plan *p, const graphagile_plan_tensor *added) {
  graphagile_plan_tensor *other = NULL;
  const graphagile_plan_tensor *whole = added->whole;
  for (size_t i = 0; i < p->tensors.count; i++) {
    graphagile_plan_tensor *t = p->tensors.items[i];
    if (t->whole == added || (other && t->whole == other)) return NULL;
    if (t->whole != whole || t == added) continue;
    if (other) return NULL;
    other = t;
  }
  bool fits = other && other->window != added->window && other->fibers + added->fibers == whole->fibers;
  return fits && last_reader(p, whole) < 0 ? other : NULL;
}

/* Whether the rows that need not be written and read are at least half as many bytes again as the
 * additional reads of the list. */
static bool pays(const graphagile_plan *p, const graphagile_plan_edge_list *e, const graphagile_plan_tensor *added) {
  int64_t row = graphagile_plan_hidden_bytes(p),
          room = number_max(1, p->device->feature_rows / number_max(1, added->rows));
  int64_t passes = p->options->broadcast && p->device->has_broadcast ? 1 : number_ceil_div(added->fibers, room);
  int64_t saved = 2 * added->rows * added->fibers * row, lost = passes * e->list->edges * (int64_t)e->record_bytes;
  return 2 * saved > 3 * lost;
}

static bool find_join(graphagile_plan *p, graphagile_plan_layer *reader, join *j) {
  graphagile_plan_tensor *added = is_plain_sum(reader) ? added_of(reader) : NULL;
  if (!added || added->edges || !added->whole || added->whole->whole || added->is_output) return false;
  *j = (join){.reader = reader, .added = added, .whole = added->whole, .kept = other_half(p, added)};
  if (!j->kept || j->kept->is_output || j->whole->is_output || j->whole->place != GRAPHAGILE_PLAN_HIDDEN ||
      j->whole->first < 0)
    return false;
  graphagile_plan_layer *maker = j->maker = &p->layers.items[j->whole->first];
  bool is_last = &p->layers.items[last_reader(p, added)] == reader && reader->spdmm.in != added;
  if (maker >= reader || maker->result != j->whole || !is_plain_sum(maker) || !is_last) return false;
  for (const graphagile_plan_layer *l = p->layers.items; l < reader; l++)
    if (graphagile_plan_reads(l, added)) return false;
  const graphagile_plan_spdmm *sum = &maker->spdmm;
  const graphagile_plan_tensor *in = sum->in;
  bool is_bare = !sum->start.addend && !sum->start.bias.fibers && !maker->num_epilogues && !maker->num_functions;
  bool is_constant = in->place == GRAPHAGILE_PLAN_CONSTANT && !in->whole && in->fibers == j->whole->fibers;
  return is_bare && is_constant && sum->edges->list->edges <= MOST_EDGES && pays(p, sum->edges, added);
}

/* The window of a constant with the fibers that are multiplied into a part of the result. */
static graphagile_plan_tensor *window_of(graphagile_plan *p, graphagile_plan_tensor *whole,
                                         const graphagile_plan_tensor *part) {
  graphagile_plan_tensor *t = arena_alloc(p->arena, sizeof *t);
  *t = *whole;
  t->whole = whole;
  t->window = part->window;
  t->width = part->width;
  t->fibers = part->fibers;
  VEC_PUSH(p->arena, &p->tensors, t);
  return t;
}

static graphagile_plan_edge_list *copy_of(graphagile_plan *p, const graphagile_plan_edge_list *base) {
  graphagile_plan_edge_list *made = arena_alloc(p->arena, sizeof *made);
  *made = *base;
  made->name = arena_printf(p->arena, "%s joined %zu", base->name, p->edges.count);
  made->wants_positions = false;
  made->shape = arena_alloc(p->arena, sizeof *made->shape);
  made->shape->is_chosen = true; /* it takes the shape of the other list */
  VEC_PUSH(p->arena, &p->edges, made);
  return made;
}

static void drop_addend(graphagile_plan_layer *l) {
  const graphagile_plan_epilogue epilogue = l->epilogues[0];
  if (l->spdmm.start.addend) {
    l->spdmm.start.addend = NULL;
    return;
  }
  l->functions = epilogue.functions;
  l->num_functions = epilogue.num_functions;
  l->num_epilogues--;
  memmove(l->epilogues, l->epilogues + 1, (size_t)l->num_epilogues * sizeof *l->epilogues);
}

static void apply(graphagile_plan *p, const join *j) {
  graphagile_plan_tensor *constant = j->maker->spdmm.in;
  graphagile_plan_layer *before = arena_alloc(p->arena, sizeof *before);
  *before = *j->maker;
  before->spdmm.edges = copy_of(p, j->maker->spdmm.edges);
  before->spdmm.in = window_of(p, constant, j->added);
  before->result = j->added;
  drop_addend(j->reader);
  j->reader->spdmm.before = before;
  j->maker->spdmm.in = window_of(p, constant, j->kept);
  j->maker->result = j->kept;
  const int64_t edges = before->spdmm.edges->list->edges;
  j->maker->multiply_adds = (uint64_t)(edges * j->kept->width);
  j->reader->multiply_adds += (uint64_t)(edges * j->added->width);
  j->kept->whole = j->added->whole = NULL;
  j->kept->first = (int)(j->maker - p->layers.items);
  j->kept->last = last_reader(p, j->kept);
  j->whole->is_gone = j->added->is_gone = true;
}

void graphagile_fuse_joins(graphagile_plan *p) {
  if (p->options->paper) return;
  for (size_t i = 0; i < p->layers.count; i++) {
    join j;
    if (find_join(p, &p->layers.items[i], &j)) apply(p, &j);
  }
}
