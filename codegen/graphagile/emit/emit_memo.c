/* Many blocks of a layer differ only in the addresses of their rows, fibers and descriptors. Such a
 * block is copied from an earlier one, and its addresses are moved, which is faster than to encode
 * it again. */
#include "codegen/graphagile/emit/emit_memo.h"

#include "codegen/graphagile/emit/emit_code.h"

#include <string.h>

_Static_assert(GRAPHAGILE_LOW_memrd_addr == GRAPHAGILE_LOW_memwr_addr &&
                   GRAPHAGILE_WIDTH_memrd_addr == GRAPHAGILE_WIDTH_memwr_addr,
               "addresses of loads and stores are the same bits");

static bool is_like(const graphagile_emit_memo *c, const graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_emit_region *known = &c->region;
  return c->count && known->rows == r->rows && known->fibers == r->fibers && known->stride == r->stride &&
         known->type == r->type && known->pieces == r->pieces && c->first == e->first && c->free_f == e->free_f;
}

/* Moves the address in a word when the region begins so many rows, fibers and pieces later; false
 * where the field is too small. */
static bool move(graphagile_word *word, const graphagile_emit_move *m, uint64_t rows, uint64_t fibers,
                 uint64_t pieces) {
  if (m->is_loop) return graphagile_add(word, pieces, GRAPHAGILE_LOW_loop_desc_start, GRAPHAGILE_WIDTH_loop_desc_start);
  return graphagile_add(word, rows * m->per_row + fibers * m->per_fiber, GRAPHAGILE_LOW_memrd_addr,
                        GRAPHAGILE_WIDTH_memrd_addr);
}

static void copy_words(graphagile_emit *e, size_t begin, size_t count) {
  while (e->words.capacity - e->words.count < count) graphagile_emit_grow(e);
  memcpy(e->words.items + e->words.count, e->words.items + begin, count * sizeof *e->words.items);
  e->words.count += count;
}

bool graphagile_emit_memo_copy(graphagile_emit *e, const graphagile_emit_region *r) {
  const graphagile_emit_memo *c = e->memos;
  size_t at = e->words.count;
  while (c < e->memos + GRAPHAGILE_EMIT_MEMOS && !is_like(c, e, r)) c++;
  if (c == e->memos + GRAPHAGILE_EMIT_MEMOS) return false;
  uint64_t rows = (uint64_t)(r->first_row - c->region.first_row);
  uint64_t fibers = (uint64_t)(r->first_fiber - c->region.first_fiber);
  uint64_t pieces = (uint64_t)(r->first_piece - c->region.first_piece);
  copy_words(e, c->begin, c->count);
  for (size_t i = c->first_move; i < c->first_move + c->moves; i++) {
    const graphagile_emit_move *m = &e->moves.items[i];
    if (!move(&e->words.items[at + m->word - c->begin], m, rows, fibers, pieces)) {
      e->words.count = at; /* the usual way gives the message */
      return false;
    }
  }
  return true;
}

void graphagile_emit_memo_begin(graphagile_emit *e, const graphagile_emit_region *r) {
  graphagile_emit_memo *c = &e->memos[e->next_memo];
  *c = (graphagile_emit_memo){
      .region = *r, .first = e->first, .free_f = e->free_f, .begin = e->words.count, .first_move = e->moves.count};
  e->keeps_moves = true;
}

/* Whether a word is a load or store whose address depends on the region: all but loads of edges,
 * whose place descriptors say. */
static bool has_address(graphagile_word word) {
  graphagile_insn in;
  if (!graphagile_decode_fast(word, &in)) return false;
  if (in.op == GRAPHAGILE_OP_memwr) return true;
  return in.op == GRAPHAGILE_OP_memrd && !(in.memrd.kind == GRAPHAGILE_KIND_edges && in.memrd.ind);
}

/* Whether the recorded moves cover, in order, all words of the block with an address. A block with
 * an address that was not recorded must not be copied. */
static bool knows_all_moves(const graphagile_emit *e, const graphagile_emit_memo *c) {
  size_t m = c->first_move, end = c->first_move + c->moves;
  for (size_t i = c->begin; i < c->begin + c->count; i++) {
    bool is_known = m < end && e->moves.items[m].word == i;
    if (has_address(e->words.items[i]) && !is_known) return false;
    m += is_known;
  }
  return m == end;
}

void graphagile_emit_memo_end(graphagile_emit *e) {
  graphagile_emit_memo *c = &e->memos[e->next_memo];
  c->count = e->words.count - c->begin;
  c->moves = e->moves.count - c->first_move;
  if (!knows_all_moves(e, c)) c->count = 0;
  e->keeps_moves = false;
  e->next_memo = (e->next_memo + 1) % GRAPHAGILE_EMIT_MEMOS;
}

void graphagile_emit_memo_reset(graphagile_emit *e) {
  memset(e->memos, 0, sizeof e->memos);
  e->moves.count = 0;
  e->next_memo = 0;
}
