/* Messages between threads: a mailbox for each pair of neighbours and direction, which the sender fills and the receiver
 * empties.
 *
 *   begin   waits until posted == taken, packs rows, posted++       end   waits until posted > taken, copies rows, taken++
 *
 * A mailbox belongs to the sender while both counts are equal, else to the receiver, so rows are copied without the lock. Rows of cells
 * are copied by all ranks from the memory of the one that gives them, which waits until they have. */
#include "runtime/comm/comm_threads.h"

#include "runtime/comm/comm_team.h"
#include "runtime/comm/comm_values.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

typedef struct mailbox {
  char *rows;
  size_t room, bytes;
  int64_t posted, taken;
} mailbox;

/* What one exchange() of a rank made; those of all ranks that belong together know one another's mailboxes. */
typedef struct route {
  struct rank_state *of;
  const cells_part *part;
  int32_t num_neighbours;
  mailbox *sent;      /* [num_neighbours] */
  mailbox **received; /* [num_neighbours] those of the neighbours */
  comm_values values; /* of the exchange under way */
  bool is_under_way;
  struct route *next;
} route;

typedef struct rank_state {
  comm *c;
  comm_member *member;
  struct shared *shared;
  route *routes;   /* the newest first */
  status proposed; /* what it gave to agree */
  int64_t agreements;
  const void *parcel; /* what it gave to gather */
  size_t parcel_bytes;
  int64_t offered, taken;
  char *rows; /* that it shares */
  int64_t rows_offered, rows_read;
  int32_t readers; /* ranks that copy them */
} rank_state;

typedef struct shared {
  comm_team *team;
  comm_threads_options options;
  comm *comms;
  int32_t ranks, open;
  int32_t proposals;
  int64_t agreements;
  status agreed[2]; /* of agreements with even and odd numbers: the ranks may still read one while the next is made */
  rank_state states[];
} shared;

static status failure(rank_state *s) {
  comm_team_lock(s->member);
  status result = comm_team_failure(s->member);
  comm_team_unlock(s->member);
  return result;
}

/* ---- rows of ghosts ---- */

/* Fails for all ranks. */
#define FAIL(s, code, ...)                                                                                             \
  (comm_team_lock((s)->member), comm_team_fail((s)->member, code, __VA_ARGS__), comm_team_unlock((s)->member),         \
   GNNC_ERROR_COMM)

static bool await(rank_state *s, const int64_t *count, int64_t value) {
  comm_team_lock(s->member);
  bool is_there = comm_team_await(s->member, count, value);
  comm_team_unlock(s->member);
  return is_there;
}

static void raise_count(rank_state *s, int64_t *count) {
  comm_team_lock(s->member);
  comm_team_raise(s->member, count);
  comm_team_unlock(s->member);
}

static bool reserve(const rank_state *s, mailbox *box, int64_t rows, size_t row_bytes) {
  const comm_threads_options *o = &s->shared->options;
  if (row_bytes && (uint64_t)rows > SIZE_MAX / row_bytes) return false;
  box->bytes = (size_t)rows * row_bytes;
  if (box->bytes <= box->room) return true;
  if (!o->allocate) free(box->rows);
  box->rows = o->allocate ? o->allocate(o->user, s->c->rank, box->bytes) : malloc(box->bytes);
  box->room = box->rows ? box->bytes : 0;
  return box->rows != NULL;
}

/* Waits until a mailbox is this rank's, and makes room in it for rows to a neighbour. */
static gnnc_result open_mailbox(rank_state *s, const cells_neighbour *n, mailbox *box, int64_t rows, size_t width) {
  if (!await(s, &box->taken, box->posted)) return GNNC_ERROR_COMM;
  if (reserve(s, box, rows, width)) return GNNC_OK;
  return FAIL(s, STATUS_CODE_memory, "rank %d: out of memory for %lld rows of %zu bytes to rank %d", s->c->rank,
              (long long)rows, width, n->rank);
}

/* Waits until there are rows from a neighbour in a mailbox. */
static gnnc_result await_mailbox(rank_state *s, const cells_neighbour *n, mailbox *box, int64_t rows, size_t width) {
  const size_t bytes = (size_t)rows * width;
  if (!await(s, &box->posted, box->taken + 1)) return GNNC_ERROR_COMM;
  if (box->bytes == bytes) return GNNC_OK;
  return FAIL(s, STATUS_CODE_mismatch,
              "rank %d: %zu bytes of rows came from rank %d, expected %zu: the ranks do not run the same program",
              s->c->rank, box->bytes, n->rank, bytes);
}

static gnnc_result send_rows(route *r, const cells_neighbour *n, mailbox *box) {
  const gnnc_result result = open_mailbox(r->of, n, box, n->num_sent, r->values.row_bytes);
  if (result) return result;
  comm_values_pack(&r->values, n, box->rows);
  raise_count(r->of, &box->posted);
  return GNNC_OK;
}

static gnnc_result receive_rows(route *r, const cells_neighbour *n, mailbox *box) {
  const gnnc_result result = await_mailbox(r->of, n, box, n->num_received, r->values.row_bytes);
  if (result) return result;
  comm_values_unpack(&r->values, n, box->rows);
  raise_count(r->of, &box->taken);
  return GNNC_OK;
}

static gnnc_result begin(void *user, const gnnc_node_rows *values, int32_t num_values) {
  route *r = user;
  const cells_part *p = r->part;
  if (r->is_under_way) return FAIL(r->of, STATUS_CODE_mismatch, "rank %d: begin without end", r->of->c->rank);
  if (!comm_values_set(&r->values, values, num_values))
    return FAIL(r->of, STATUS_CODE_unsupported, "rank %d: %d values in one exchange, expected 1 to %d", r->of->c->rank,
                num_values, COMM_MOST_VALUES);
  r->is_under_way = true;
  for (int32_t i = 0; i < p->num_neighbours; i++) {
    if (!p->neighbours[i].num_sent) continue;
    gnnc_result result = send_rows(r, &p->neighbours[i], &r->sent[i]);
    if (result) return result;
  }
  return GNNC_OK;
}

static gnnc_result end(void *user) {
  route *r = user;
  const cells_part *p = r->part;
  if (!r->is_under_way) return FAIL(r->of, STATUS_CODE_mismatch, "rank %d: end without begin", r->of->c->rank);
  for (int32_t i = 0; i < p->num_neighbours; i++) {
    if (!p->neighbours[i].num_received) continue;
    gnnc_result result = receive_rows(r, &p->neighbours[i], r->received[i]);
    if (result) return result;
  }
  r->is_under_way = false;
  r->of->c->bytes_received += cells_part_received_bytes(p, (int64_t)r->values.row_bytes);
  r->of->c->exchanges++;
  return GNNC_OK;
}

/* ---- rows of edges ---- */

static gnnc_result send_edges(route *r, int32_t neighbour, void *rows, size_t row_bytes, const int32_t *places) {
  const cells_neighbour *n = &r->part->neighbours[neighbour];
  mailbox *box = &r->sent[neighbour];
  if (!n->num_edges_sent) return GNNC_OK;
  const gnnc_result result = open_mailbox(r->of, n, box, n->num_edges_sent, row_bytes);
  if (result) return result;
  comm_values_pack_edges(n, rows, row_bytes, places, box->rows);
  raise_count(r->of, &box->posted);
  return GNNC_OK;
}

static gnnc_result receive_edges(route *r, int32_t neighbour, void *rows, size_t row_bytes, const int32_t *places) {
  const cells_neighbour *n = &r->part->neighbours[neighbour];
  mailbox *box = r->received[neighbour];
  if (!n->num_edges_received) return GNNC_OK;
  const gnnc_result result = await_mailbox(r->of, n, box, n->num_edges_received, row_bytes);
  if (result) return result;
  comm_values_unpack_edges(n, rows, row_bytes, places, box->rows);
  raise_count(r->of, &box->taken);
  return GNNC_OK;
}

static gnnc_result share_edges(void *user, void *rows, size_t row_bytes, const int32_t *places) {
  route *r = user;
  comm *c = r->of->c;
  gnnc_result result = GNNC_OK;
  if (r->is_under_way)
    return FAIL(r->of, STATUS_CODE_mismatch, "rank %d: rows of edges between begin and end", c->rank);
  for (int32_t i = 0; i < r->num_neighbours && !result; i++) result = send_edges(r, i, rows, row_bytes, places);
  for (int32_t i = 0; i < r->num_neighbours && !result; i++) result = receive_edges(r, i, rows, row_bytes, places);
  if (result) return result;
  c->bytes_received += cells_part_received_edge_bytes(r->part, (int64_t)row_bytes);
  c->exchanges++;
  return GNNC_OK;
}

/* ---- transpositions ---- */

static gnnc_result send_strips(route *r, int32_t neighbour, const comm_transposition *t) {
  const cells_neighbour *n = &r->part->neighbours[neighbour];
  mailbox *box = &r->sent[neighbour];
  const int64_t count = comm_transposition_sent(t, n);
  if (!count) return GNNC_OK;
  const gnnc_result result = open_mailbox(r->of, n, box, count, t->strip_bytes);
  if (result) return result;
  comm_transposition_pack(t, n, box->rows);
  raise_count(r->of, &box->posted);
  return GNNC_OK;
}

static gnnc_result receive_strips(route *r, int32_t neighbour, const comm_transposition *t) {
  const cells_neighbour *n = &r->part->neighbours[neighbour];
  mailbox *box = r->received[neighbour];
  const int64_t count = comm_transposition_received(t, n);
  if (!count) return GNNC_OK;
  const gnnc_result result = await_mailbox(r->of, n, box, count, t->strip_bytes);
  if (result) return result;
  comm_transposition_unpack(t, n, box->rows);
  raise_count(r->of, &box->taken);
  return GNNC_OK;
}

static gnnc_result transpose(void *user, const void *from, void *to, size_t strip_bytes, int32_t strips,
                             int32_t to_rows) {
  route *r = user;
  comm *c = r->of->c;
  const comm_transposition t = {r->part, from, to, strip_bytes, strips, to_rows};
  gnnc_result result = GNNC_OK;
  if (r->is_under_way)
    return FAIL(r->of, STATUS_CODE_mismatch, "rank %d: a transposition between begin and end", c->rank);
  for (int32_t i = 0; i < r->num_neighbours && !result; i++) result = send_strips(r, i, &t);
  if (!result) comm_transposition_keep(&t);
  for (int32_t i = 0; i < r->num_neighbours && !result; i++) result = receive_strips(r, i, &t);
  if (result) return result;
  c->bytes_received += cells_part_transposed_bytes(r->part, (int64_t)strip_bytes, strips, to_rows);
  c->exchanges++;
  return GNNC_OK;
}

/* ---- rows of cells ---- */

/* Copies the rows that a rank gives from its memory, where it stays until nobody reads there. */
static gnnc_result copy_rows(rank_state *s, rank_state *from, size_t row_bytes, const int32_t *numbers, int32_t count) {
  comm_team_lock(s->member);
  const bool is_there = comm_team_await(s->member, &from->rows_offered, s->rows_offered);
  from->readers += is_there;
  comm_team_unlock(s->member);
  if (!is_there) return GNNC_ERROR_COMM;
  for (int32_t i = 0; i < count; i++) {
    const size_t at = (size_t)numbers[i] * row_bytes;
    if (row_bytes) memcpy(s->rows + at, from->rows + at, row_bytes);
    s->c->bytes_shared += (int64_t)row_bytes;
  }
  comm_team_lock(s->member);
  from->readers--;
  comm_team_unlock(s->member);
  return GNNC_OK;
}

/* After a failure: returns when no other rank copies rows of this one, which it will free. */
static gnnc_result leave_rows(rank_state *s) {
  for (;;) {
    comm_team_lock(s->member);
    const int32_t readers = s->readers;
    comm_team_unlock(s->member);
    if (!readers) return GNNC_ERROR_COMM;
    sched_yield();
  }
}

/* Each rank copies the rows of the others, and leaves when all have read its own. */
static gnnc_result share(void *user, void *rows, size_t row_bytes, const int32_t *ptr, const int32_t *numbers) {
  rank_state *s = ((route *)user)->of, *all = s->shared->states;
  s->rows = rows;
  raise_count(s, &s->rows_offered);
  for (int32_t r = 0; r < s->c->size; r++)
    if (r != s->c->rank && copy_rows(s, &all[r], row_bytes, numbers + ptr[r], ptr[r + 1] - ptr[r]))
      return leave_rows(s);
  raise_count(s, &s->rows_read);
  for (int32_t r = 0; r < s->c->size; r++)
    if (!await(s, &all[r].rows_read, s->rows_offered)) return leave_rows(s);
  return GNNC_OK;
}

/* ---- agree ---- */

/* The status of the lowest rank that failed; the others are freed. */
static status take_lowest(shared *sh) {
  status lowest = STATUS_OK;
  for (int32_t r = 0; r < sh->ranks; r++) {
    status proposed = sh->states[r].proposed;
    sh->states[r].proposed = STATUS_OK;
    if (lowest)
      status_free(proposed);
    else
      lowest = status_context(proposed, "rank %d", r);
  }
  return lowest;
}

static void complete_agreement(rank_state *s) {
  shared *sh = s->shared;
  status *agreed = &sh->agreed[s->agreements % 2];
  status_free(*agreed);
  *agreed = take_lowest(sh);
  sh->proposals = 0;
  comm_team_raise(s->member, &sh->agreements);
}

/* What a rank gets where others have failed: its own failure says more than that of the team. */
static status agree_to_fail(rank_state *s, status mine) {
  return mine ? status_context(mine, "rank %d", s->c->rank) : comm_team_failure(s->member);
}

/* Returns whether all ranks have come, and then the result. */
static bool meet(rank_state *s, status mine, status *result) {
  shared *sh = s->shared;
  s->proposed = mine;
  s->agreements++;
  if (++sh->proposals == sh->ranks) complete_agreement(s);
  (void)comm_team_await(s->member, &sh->agreements, s->agreements);
  if (sh->agreements < s->agreements) return false;
  status agreed = sh->agreed[s->agreements % 2];
  *result = agreed ? status_error(status_get_code(agreed), "%s", status_message(agreed)) : STATUS_OK;
  return true;
}

static status threads_agree(comm *c, status mine) {
  rank_state *s = c->state;
  status result = STATUS_OK;
  comm_team_lock(s->member);
  if (comm_team_has_failed(s->member)) {
    result = agree_to_fail(s, mine);
  } else if (!meet(s, mine, &result)) {
    s->proposed = STATUS_OK;
    result = agree_to_fail(s, mine);
  }
  comm_team_unlock(s->member);
  return result;
}

/* ---- exchange ---- */

static status make_route(rank_state *s, const cells_part *part) {
  route *r = calloc(1, sizeof *r);
  const size_t count = (size_t)part->num_neighbours + 1;
  if (!r) return status_error(STATUS_CODE_memory, "out of memory");
  *r = (route){.of = s, .part = part, .num_neighbours = part->num_neighbours, .next = s->routes};
  s->routes = r;
  r->sent = calloc(count, sizeof *r->sent);
  r->received = calloc(count, sizeof *r->received);
  if (!r->sent || !r->received) return status_error(STATUS_CODE_memory, "out of memory");
  if (part->ranks == s->c->size && part->rank == s->c->rank) return STATUS_OK;
  return status_error(STATUS_CODE_mismatch, "a part of rank %d of %d, expected rank %d of %d", part->rank, part->ranks,
                      s->c->rank, s->c->size);
}

/* Finds what neighbours send to this rank. */
static status connect_route(rank_state *s) {
  route *r = s->routes;
  for (int32_t i = 0; i < r->part->num_neighbours; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    const route *other = s->shared->states[n->rank].routes;
    int64_t sent = 0, edges_sent = 0;
    for (int32_t k = 0; k < other->part->num_neighbours; k++) {
      if (other->part->neighbours[k].rank != s->c->rank) continue;
      r->received[i] = &other->sent[k];
      sent = other->part->neighbours[k].num_sent;
      edges_sent = other->part->neighbours[k].num_edges_sent;
    }
    if (sent != n->num_received)
      return status_error(STATUS_CODE_mismatch, "rank %d sends %lld rows, expected %lld: the ranks have other cells",
                          n->rank, (long long)sent, (long long)n->num_received);
    if (edges_sent != n->num_edges_received)
      return status_error(STATUS_CODE_mismatch,
                          "rank %d sends rows of %lld edges, expected %lld: the ranks have other cells", n->rank,
                          (long long)edges_sent, (long long)n->num_edges_received);
  }
  return STATUS_OK;
}

static status threads_exchange(comm *c, const cells_part *part, gnnc_comm *out) {
  rank_state *s = c->state;
  RETURN_IF_ERROR(threads_agree(c, make_route(s, part)));
  RETURN_IF_ERROR(threads_agree(c, connect_route(s)));
  *out = comm_values_describe(part);
  out->user = s->routes;
  out->begin = begin;
  out->end = end;
  out->share = share;
  out->share_edges = share_edges;
  out->transpose = transpose;
  return STATUS_OK;
}

/* ---- gather ---- */

/* Copies what a rank offers to rank 0. */
static status take_parcel(rank_state *root, rank_state *from, char *to, size_t bytes) {
  if (!await(root, &from->offered, from->taken + 1)) return failure(root);
  if (from->parcel_bytes != bytes) {
    (void)FAIL(root, STATUS_CODE_mismatch, "rank %d gathers %zu bytes, expected %zu", from->c->rank, from->parcel_bytes,
               bytes);
    return failure(root);
  }
  if (bytes) memcpy(to, from->parcel, bytes);
  raise_count(root, &from->taken);
  return STATUS_OK;
}

static status threads_gather(comm *c, const void *mine, size_t bytes, void *all, const size_t *sizes) {
  rank_state *s = c->state;
  s->parcel = mine;
  s->parcel_bytes = bytes;
  raise_count(s, &s->offered);
  if (c->rank) return await(s, &s->taken, s->offered) ? STATUS_OK : failure(s);
  char *to = all;
  for (int32_t r = 0; r < c->size; to += sizes[r++])
    RETURN_IF_ERROR(take_parcel(s, &s->shared->states[r], to, sizes[r]));
  return STATUS_OK;
}

/* ---- failing, closing ---- */

static void threads_fail(comm *c) {
  rank_state *s = c->state;
  (void)FAIL(s, STATUS_CODE_io, "rank %d has failed", c->rank);
}

static status threads_explain(comm *c) {
  return failure(c->state);
}

static void free_routes(rank_state *s) {
  while (s->routes) {
    route *r = s->routes;
    s->routes = r->next;
    const bool is_ours = !s->shared->options.allocate;
    for (int32_t i = 0; is_ours && r->sent && i < r->num_neighbours; i++) free(r->sent[i].rows);
    free(r->sent);
    free(r->received);
    free(r);
  }
}

static void free_shared(shared *sh) {
  for (int32_t r = 0; r < sh->ranks; r++) {
    free_routes(&sh->states[r]);
    status_free(sh->states[r].proposed);
  }
  for (int i = 0; i < 2; i++) status_free(sh->agreed[i]);
  comm_team_destroy(sh->team);
  free(sh->comms);
  free(sh);
}

static void threads_close(comm *c) {
  rank_state *s = c->state;
  shared *sh = s->shared;
  comm_team_leave(s->member);
  comm_team_lock(s->member);
  const bool is_last = --sh->open == 0;
  comm_team_unlock(s->member);
  if (is_last) free_shared(sh);
}

static const comm_engine engine = {"threads",       threads_exchange, threads_agree, threads_gather,
                                   threads_explain, threads_fail,     threads_close};

void comm_threads_enter(comm *c) {
  comm_team_enter(((rank_state *)c->state)->member);
}

status comm_threads_open(int32_t ranks, const comm_threads_options *options, comm **out) {
  *out = NULL;
  if (ranks < 1) return status_error(STATUS_CODE_mismatch, "%d ranks, expected 1 or more", ranks);
  shared *sh = calloc(1, sizeof *sh + (size_t)ranks * sizeof *sh->states);
  if (!sh) return status_error(STATUS_CODE_memory, "out of memory for %d ranks", ranks);
  sh->comms = calloc((size_t)ranks, sizeof *sh->comms);
  status s = sh->comms ? comm_team_create(ranks, options, &sh->team)
                       : status_error(STATUS_CODE_memory, "out of memory for %d ranks", ranks);
  if (s) {
    free_shared(sh);
    return s;
  }
  if (options) sh->options = *options;
  sh->ranks = sh->open = ranks;
  for (int32_t r = 0; r < ranks; r++) {
    rank_state *state = &sh->states[r];
    *state = (rank_state){.c = &sh->comms[r], .member = comm_team_member(sh->team, r), .shared = sh};
    sh->comms[r] = (comm){.engine = &engine, .rank = r, .size = ranks, .state = state};
  }
  *out = sh->comms;
  return STATUS_OK;
}
