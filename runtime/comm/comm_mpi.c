/* Ranks that are processes of MPI: the module gnnc_mpi.so.
 *
 *   begin   Irecv into the rows of ghosts, Isend of packed own rows: one message per neighbour       end   Waitall
 *
 * Rows of several values come in one message, which end unpacks; so do rows of edges. Rows of cells are gathered by all (Allgatherv).
 *
 * A row is one element of an MPI type, so counts are rows and no message is too long for MPI's int. */
#include "runtime/comm/comm_mpi.h"

#include "runtime/comm/comm_values.h"

#include <limits.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes that gather sends at once; tests make it small. */
#ifndef COMM_MPI_CHUNK
#define COMM_MPI_CHUNK (1 << 30)
#endif

enum { GATHER_TAG = 0, FIRST_ROUTE_TAG = 1, NUM_ROUTE_TAGS = 32000, MOST_TEXT = 1 << 15 };

/* What one exchange() made. */
typedef struct route {
  struct process *process;
  const cells_part *part;
  int tag;
  MPI_Datatype row; /* MPI_DATATYPE_NULL, or row_bytes bytes */
  size_t row_bytes;
  comm_values values; /* of the exchange under way */
  char *packed;       /* rows to send, then rows of several values that come */
  size_t room;
  MPI_Request *requests; /* [2 * num_neighbours] to receive from each, then to send to each */
  int64_t *expected;     /* [num_neighbours] rows from each */
  MPI_Status *statuses;
  bool is_under_way;
  struct route *next;
} route;

typedef struct process {
  comm c;
  const comm_mpi_host *host;
  MPI_Comm world;
  bool owns_mpi;
  int num_routes;
  route *routes;
  uint64_t *sizes;          /* [size] of what gather collects */
  int64_t *sent, *received; /* [2 * size] rows of ghosts and of edges, of exchange */
  int *counts;              /* [size] rows, of share */
  status_code code;         /* why a function of the context failed */
  char message[512];
  char text[MOST_TEXT]; /* of the status on which ranks agree */
} process;

/* A status for what a function of MPI returned. */
static status mpi_status(const process *p, int result) {
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length = 0;
  if (result == MPI_SUCCESS) return STATUS_OK;
  MPI_Error_string(result, text, &length);
  return p->host->error(STATUS_CODE_io, "MPI: %s", text);
}

#define RETURN_IF_MPI_FAILS(p, call)                                                                                   \
  do {                                                                                                                 \
    int result_ = (call);                                                                                              \
    if (result_ != MPI_SUCCESS) return mpi_status(p, result_);                                                         \
  } while (0)

/* ---- rows of ghosts ---- */

#define FAIL(p, why, ...) ((p)->code = (why), snprintf((p)->message, sizeof(p)->message, __VA_ARGS__), GNNC_ERROR_COMM)

static gnnc_result fail_with_mpi(process *p, int result) {
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length = 0;
  MPI_Error_string(result, text, &length);
  return FAIL(p, STATUS_CODE_io, "rank %d: MPI: %.400s", p->c.rank, text);
}

/* Makes an MPI type of one row. */
static gnnc_result make_row(process *p, size_t row_bytes, MPI_Datatype *row) {
  if (row_bytes > INT_MAX) return FAIL(p, STATUS_CODE_unsupported, "rank %d: rows of %zu bytes", p->c.rank, row_bytes);
  int result = MPI_Type_contiguous((int)row_bytes, MPI_BYTE, row);
  if (result == MPI_SUCCESS) result = MPI_Type_commit(row);
  return result == MPI_SUCCESS ? GNNC_OK : fail_with_mpi(p, result);
}

static gnnc_result set_row_bytes(route *r, size_t row_bytes) {
  process *p = r->process;
  if (r->row != MPI_DATATYPE_NULL && r->row_bytes == row_bytes) return GNNC_OK;
  if (r->row != MPI_DATATYPE_NULL) MPI_Type_free(&r->row);
  r->row = MPI_DATATYPE_NULL;
  r->row_bytes = row_bytes;
  return make_row(p, row_bytes, &r->row);
}

/* Makes room for so many rows. */
static gnnc_result reserve(route *r, uint64_t rows) {
  const bool is_countable = !r->row_bytes || rows <= SIZE_MAX / r->row_bytes;
  const size_t bytes = (size_t)rows * r->row_bytes;
  if (is_countable && bytes <= r->room) return GNNC_OK;
  free(r->packed);
  r->packed = is_countable ? malloc(bytes) : NULL;
  r->room = r->packed ? bytes : 0;
  if (r->packed) return GNNC_OK;
  return FAIL(r->process, STATUS_CODE_memory, "rank %d: out of memory for %llu rows of %zu bytes to other ranks",
              r->process->c.rank, (unsigned long long)rows, r->row_bytes);
}

static gnnc_result reserve_for_ghosts(route *r) {
  uint64_t rows = 0;
  for (int32_t i = 0; i < r->part->num_neighbours; i++) rows += (uint64_t)r->part->neighbours[i].num_sent;
  if (r->values.count > 1) rows += (uint64_t)r->part->num_ghosts;
  return reserve(r, rows);
}

/* Where the rows of all ghosts come, in the order of their numbers: for one value into its rows, else behind those to send. */
static char *receiving_place(const route *r) {
  char *at = r->packed;
  if (r->values.count == 1) return (char *)r->values.items[0].data + (size_t)r->part->num_own * r->row_bytes;
  for (int32_t i = 0; i < r->part->num_neighbours; i++) at += (size_t)r->part->neighbours[i].num_sent * r->row_bytes;
  return at;
}

static int receive_rows(route *r) {
  int result = MPI_SUCCESS;
  char *const ghosts = receiving_place(r);
  for (int32_t i = 0; i < r->part->num_neighbours && result == MPI_SUCCESS; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    r->expected[i] = n->num_received;
    if (!n->num_received) continue;
    result = MPI_Irecv(ghosts + (size_t)(n->first_received - r->part->num_own) * r->row_bytes, (int)n->num_received,
                       r->row, n->rank, r->tag, r->process->world, &r->requests[i]);
  }
  return result;
}

static int send_rows(route *r) {
  int result = MPI_SUCCESS;
  char *at = r->packed;
  const size_t width = r->row_bytes;
  for (int32_t i = 0; i < r->part->num_neighbours && result == MPI_SUCCESS; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    if (!n->num_sent) continue;
    comm_values_pack(&r->values, n, at);
    result = MPI_Isend(at, (int)n->num_sent, r->row, n->rank, r->tag, r->process->world,
                       &r->requests[r->part->num_neighbours + i]);
    at += (size_t)n->num_sent * width;
  }
  return result;
}

static gnnc_result begin(void *user, const gnnc_node_rows *values, int32_t num_values) {
  route *r = user;
  if (r->is_under_way) return FAIL(r->process, STATUS_CODE_mismatch, "rank %d: begin without end", r->process->c.rank);
  if (!comm_values_set(&r->values, values, num_values))
    return FAIL(r->process, STATUS_CODE_unsupported, "rank %d: %d values in one exchange, expected 1 to %d",
                r->process->c.rank, num_values, COMM_MOST_VALUES);
  gnnc_result failed = set_row_bytes(r, r->values.row_bytes);
  if (!failed) failed = reserve_for_ghosts(r);
  if (failed) return failed;
  for (int32_t i = 0; i < 2 * r->part->num_neighbours; i++) r->requests[i] = MPI_REQUEST_NULL;
  r->is_under_way = true;
  int result = receive_rows(r);
  if (result == MPI_SUCCESS) result = send_rows(r);
  return result == MPI_SUCCESS ? GNNC_OK : fail_with_mpi(r->process, result);
}

/* What came from a neighbour is as long as this rank expects. */
static gnnc_result check_received(route *r, int32_t neighbour, int64_t expected, bool has_errors) {
  process *p = r->process;
  const cells_neighbour *n = &r->part->neighbours[neighbour];
  MPI_Status *s = &r->statuses[neighbour];
  int class = MPI_SUCCESS, count = 0;
  if (has_errors) MPI_Error_class(s->MPI_ERROR, &class);
  if (class == MPI_ERR_PENDING) return GNNC_OK; /* Waitall has not waited for it, because of another one */
  if (class != MPI_SUCCESS && class != MPI_ERR_TRUNCATE) return fail_with_mpi(p, s->MPI_ERROR);
  if (class == MPI_SUCCESS) MPI_Get_count(s, r->row, &count);
  if (class == MPI_SUCCESS && (count == expected || !r->row_bytes)) return GNNC_OK;
  return FAIL(p, STATUS_CODE_mismatch,
              "rank %d: %s bytes of rows came from rank %d than expected, %lld: the ranks do not run the same program",
              p->c.rank, class == MPI_SUCCESS ? "fewer" : "more", n->rank,
              (long long)expected * (long long)r->row_bytes);
}

/* Waits for all messages. */
static gnnc_result finish(route *r) {
  process *p = r->process;
  const int result = MPI_Waitall(2 * r->part->num_neighbours, r->requests, r->statuses);
  const bool has_errors = result == MPI_ERR_IN_STATUS;
  if (result != MPI_SUCCESS && !has_errors) return fail_with_mpi(p, result);
  for (int32_t i = 0; i < r->part->num_neighbours; i++) {
    gnnc_result failed = r->expected[i] ? check_received(r, i, r->expected[i], has_errors) : GNNC_OK;
    if (failed) return failed;
  }
  return has_errors ? FAIL(p, STATUS_CODE_io, "rank %d: MPI: rows cannot be sent", p->c.rank) : GNNC_OK;
}

static gnnc_result end(void *user) {
  route *r = user;
  process *p = r->process;
  if (!r->is_under_way) return FAIL(p, STATUS_CODE_mismatch, "rank %d: end without begin", p->c.rank);
  const gnnc_result failed = finish(r);
  if (failed) return failed;
  const char *const ghosts = receiving_place(r);
  for (int32_t i = 0; r->values.count > 1 && i < r->part->num_neighbours; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    comm_values_unpack(&r->values, n, ghosts + (size_t)(n->first_received - r->part->num_own) * r->row_bytes);
  }
  r->is_under_way = false;
  p->c.bytes_received += cells_part_received_bytes(r->part, (int64_t)r->row_bytes);
  p->c.exchanges++;
  return GNNC_OK;
}

/* ---- rows of edges ---- */

/* Begins to receive rows of edges behind those to send, and to send them. */
static int post_edges(route *r, void *rows, const int32_t *places, char *received) {
  const MPI_Comm world = r->process->world;
  char *sent = r->packed;
  int result = MPI_SUCCESS;
  for (int32_t i = 0; i < r->part->num_neighbours && result == MPI_SUCCESS; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    r->expected[i] = n->num_edges_received;
    if (n->num_edges_received)
      result = MPI_Irecv(received, (int)n->num_edges_received, r->row, n->rank, r->tag, world, &r->requests[i]);
    received += (size_t)n->num_edges_received * r->row_bytes;
  }
  for (int32_t i = 0; i < r->part->num_neighbours && result == MPI_SUCCESS; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    if (!n->num_edges_sent) continue;
    comm_values_pack_edges(n, rows, r->row_bytes, places, sent);
    result = MPI_Isend(sent, (int)n->num_edges_sent, r->row, n->rank, r->tag, world,
                       &r->requests[r->part->num_neighbours + i]);
    sent += (size_t)n->num_edges_sent * r->row_bytes;
  }
  return result;
}

static gnnc_result share_edges(void *user, void *rows, size_t row_bytes, const int32_t *places) {
  route *r = user;
  process *p = r->process;
  uint64_t sent = 0;
  if (r->is_under_way) return FAIL(p, STATUS_CODE_mismatch, "rank %d: rows of edges between begin and end", p->c.rank);
  for (int32_t i = 0; i < r->part->num_neighbours; i++) sent += (uint64_t)r->part->neighbours[i].num_edges_sent;
  gnnc_result failed = set_row_bytes(r, row_bytes);
  if (!failed) failed = reserve(r, sent + (uint64_t)r->part->num_edges_received);
  if (failed) return failed;
  for (int32_t i = 0; i < 2 * r->part->num_neighbours; i++) r->requests[i] = MPI_REQUEST_NULL;
  const char *received = r->packed + (size_t)sent * row_bytes;
  const int result = post_edges(r, rows, places, r->packed + (size_t)sent * row_bytes);
  if (result != MPI_SUCCESS) return fail_with_mpi(p, result);
  failed = finish(r);
  for (int32_t i = 0; i < r->part->num_neighbours && !failed; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    comm_values_unpack_edges(n, rows, row_bytes, places, received);
    received += (size_t)n->num_edges_received * row_bytes;
  }
  if (failed) return failed;
  p->c.bytes_received += cells_part_received_edge_bytes(r->part, (int64_t)row_bytes);
  p->c.exchanges++;
  return GNNC_OK;
}

/* ---- transpositions ---- */

/* Begins to receive strips behind those to send, and to send them. */
static int post_strips(route *r, const comm_transposition *t, char *received) {
  const MPI_Comm world = r->process->world;
  const int32_t neighbours = r->part->num_neighbours;
  char *sent = r->packed;
  int result = MPI_SUCCESS;
  for (int32_t i = 0; i < neighbours && result == MPI_SUCCESS; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    r->expected[i] = comm_transposition_received(t, n);
    if (r->expected[i])
      result = MPI_Irecv(received, (int)r->expected[i], r->row, n->rank, r->tag, world, &r->requests[i]);
    received += (size_t)r->expected[i] * r->row_bytes;
  }
  for (int32_t i = 0; i < neighbours && result == MPI_SUCCESS; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    const int64_t count = comm_transposition_sent(t, n);
    if (!count) continue;
    comm_transposition_pack(t, n, sent);
    result = MPI_Isend(sent, (int)count, r->row, n->rank, r->tag, world, &r->requests[neighbours + i]);
    sent += (size_t)count * r->row_bytes;
  }
  return result;
}

/* Strips of nodes to and from all neighbours; none may have more than MPI counts. */
static gnnc_result reserve_strips(route *r, const comm_transposition *t, uint64_t *sent) {
  uint64_t received = 0;
  *sent = 0;
  for (int32_t i = 0; i < r->part->num_neighbours; i++) {
    const cells_neighbour *n = &r->part->neighbours[i];
    const int64_t out = comm_transposition_sent(t, n), in = comm_transposition_received(t, n);
    if (out > INT_MAX || in > INT_MAX)
      return FAIL(r->process, STATUS_CODE_unsupported, "rank %d: %lld strips of nodes in a message; MPI counts to %d",
                  r->process->c.rank, (long long)(out > in ? out : in), INT_MAX);
    *sent += (uint64_t)out;
    received += (uint64_t)in;
  }
  return reserve(r, *sent + received);
}

static gnnc_result transpose(void *user, const void *from, void *to, size_t strip_bytes, int32_t strips,
                             int32_t to_rows) {
  route *r = user;
  process *p = r->process;
  const comm_transposition t = {r->part, from, to, strip_bytes, strips, to_rows};
  uint64_t sent = 0;
  if (r->is_under_way)
    return FAIL(p, STATUS_CODE_mismatch, "rank %d: a transposition between begin and end", p->c.rank);
  gnnc_result failed = set_row_bytes(r, strip_bytes);
  if (!failed) failed = reserve_strips(r, &t, &sent);
  if (failed) return failed;
  for (int32_t i = 0; i < 2 * r->part->num_neighbours; i++) r->requests[i] = MPI_REQUEST_NULL;
  char *received = r->packed + (size_t)sent * strip_bytes;
  const int result = post_strips(r, &t, received);
  if (result != MPI_SUCCESS) return fail_with_mpi(p, result);
  comm_transposition_keep(&t);
  failed = finish(r);
  for (int32_t i = 0; i < r->part->num_neighbours && !failed; i++) {
    comm_transposition_unpack(&t, &r->part->neighbours[i], received);
    received += (size_t)r->expected[i] * strip_bytes;
  }
  if (failed) return failed;
  p->c.bytes_received += cells_part_transposed_bytes(r->part, (int64_t)strip_bytes, strips, to_rows);
  p->c.exchanges++;
  return GNNC_OK;
}

/* ---- rows of cells ---- */

/* Gathers the listed rows of all ranks behind one another, and puts those of the others in their places. */
static gnnc_result gather_rows(process *p, char *rows, size_t row_bytes, const int32_t *ptr, const int32_t *numbers,
                               MPI_Datatype row, char *packed) {
  const int32_t rank = p->c.rank;
  for (int32_t r = 0; r < p->c.size; r++) p->counts[r] = ptr[r + 1] - ptr[r];
  for (int32_t i = ptr[rank]; i < ptr[rank + 1]; i++)
    memcpy(packed + (size_t)i * row_bytes, rows + (size_t)numbers[i] * row_bytes, row_bytes);
  const int result = MPI_Allgatherv(MPI_IN_PLACE, 0, row, packed, p->counts, ptr, row, p->world);
  if (result != MPI_SUCCESS) return fail_with_mpi(p, result);
  for (int32_t i = 0; i < ptr[p->c.size]; i++) {
    if (i >= ptr[rank] && i < ptr[rank + 1]) continue;
    memcpy(rows + (size_t)numbers[i] * row_bytes, packed + (size_t)i * row_bytes, row_bytes);
    p->c.bytes_shared += (int64_t)row_bytes;
  }
  return GNNC_OK;
}

static gnnc_result share(void *user, void *rows, size_t row_bytes, const int32_t *ptr, const int32_t *numbers) {
  process *p = ((route *)user)->process;
  MPI_Datatype row = MPI_DATATYPE_NULL;
  if (!row_bytes || p->c.size == 1) return GNNC_OK;
  char *packed = malloc((size_t)ptr[p->c.size] * row_bytes + 1);
  if (!packed)
    return FAIL(p, STATUS_CODE_memory, "rank %d: out of memory for %d rows of all ranks", p->c.rank, ptr[p->c.size]);
  gnnc_result result = make_row(p, row_bytes, &row);
  if (!result) result = gather_rows(p, rows, row_bytes, ptr, numbers, row, packed);
  if (row != MPI_DATATYPE_NULL) MPI_Type_free(&row);
  free(packed);
  return result;
}

/* ---- agree ---- */

static status mpi_agree(comm *c, status mine) {
  process *p = c->state;
  int rank = mine ? c->rank : c->size, lowest = 0, head[2] = {0, 0};
  if (mine) {
    head[0] = (int)p->host->code(mine);
    head[1] = snprintf(p->text, sizeof p->text, "%s", p->host->message(mine));
    if (head[1] >= MOST_TEXT) head[1] = MOST_TEXT - 1;
    p->host->free(mine);
  }
  RETURN_IF_MPI_FAILS(p, MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, p->world));
  if (lowest == c->size) return STATUS_OK;
  RETURN_IF_MPI_FAILS(p, MPI_Bcast(head, 2, MPI_INT, lowest, p->world));
  RETURN_IF_MPI_FAILS(p, MPI_Bcast(p->text, head[1] + 1, MPI_CHAR, lowest, p->world));
  return p->host->error((status_code)head[0], "rank %d: %s", lowest, p->text);
}

/* ---- exchange ---- */

static status make_route(process *p, const cells_part *part) {
  const size_t count = 2 * (size_t)part->num_neighbours + 1;
  route *r = calloc(1, sizeof *r);
  if (!r) return p->host->error(STATUS_CODE_memory, "out of memory");
  *r = (route){.process = p, .part = part, .row = MPI_DATATYPE_NULL, .next = p->routes};
  r->tag = FIRST_ROUTE_TAG + p->num_routes % NUM_ROUTE_TAGS;
  p->routes = r;
  r->requests = calloc(count, sizeof *r->requests);
  r->statuses = calloc(count, sizeof *r->statuses);
  r->expected = calloc(count, sizeof *r->expected);
  if (!r->requests || !r->statuses || !r->expected) return p->host->error(STATUS_CODE_memory, "out of memory");
  if (part->ranks == p->c.size && part->rank == p->c.rank) return STATUS_OK;
  return p->host->error(STATUS_CODE_mismatch, "a part of rank %d of %d, expected rank %d of %d", part->rank,
                        part->ranks, p->c.rank, p->c.size);
}

/* Compares the rows of ghosts and of edges that neighbours will send with those that this rank expects. */
static status compare_counts(process *p, const cells_part *part) {
  const size_t bytes = 2 * (size_t)p->c.size * sizeof *p->sent;
  memset(p->sent, 0, bytes);
  memset(p->received, 0, bytes);
  for (int32_t i = 0; i < part->num_neighbours; i++) {
    const cells_neighbour *n = &part->neighbours[i];
    p->sent[2 * n->rank] = n->num_sent;
    p->sent[2 * n->rank + 1] = n->num_edges_sent;
  }
  RETURN_IF_MPI_FAILS(p, MPI_Alltoall(p->sent, 2, MPI_INT64_T, p->received, 2, MPI_INT64_T, p->world));
  for (int32_t i = 0; i < part->num_neighbours; i++) {
    const cells_neighbour *n = &part->neighbours[i];
    const int64_t rows = p->received[2 * n->rank], edges = p->received[2 * n->rank + 1];
    if (rows != n->num_received)
      return p->host->error(STATUS_CODE_mismatch, "rank %d sends %lld rows, expected %lld: the ranks have other cells",
                            n->rank, (long long)rows, (long long)n->num_received);
    if (edges != n->num_edges_received)
      return p->host->error(STATUS_CODE_mismatch,
                            "rank %d sends rows of %lld edges, expected %lld: the ranks have other cells", n->rank,
                            (long long)edges, (long long)n->num_edges_received);
  }
  return STATUS_OK;
}

static status mpi_exchange(comm *c, const cells_part *part, gnnc_comm *out) {
  process *p = c->state;
  RETURN_IF_ERROR(mpi_agree(c, make_route(p, part)));
  RETURN_IF_ERROR(mpi_agree(c, compare_counts(p, part)));
  p->num_routes++;
  *out = comm_values_describe(part);
  out->user = p->routes;
  out->begin = begin;
  out->end = end;
  out->share = share;
  out->share_edges = share_edges;
  out->transpose = transpose;
  return STATUS_OK;
}

/* ---- gather ---- */

static status check_sizes(const process *p, const size_t *sizes) {
  for (int32_t r = 0; p->c.rank == 0 && r < p->c.size; r++)
    if (p->sizes[r] != sizes[r])
      return p->host->error(STATUS_CODE_mismatch, "rank %d gathers %llu bytes, expected %zu", r,
                            (unsigned long long)p->sizes[r], sizes[r]);
  return STATUS_OK;
}

static int next_chunk(size_t rest) {
  return rest < COMM_MPI_CHUNK ? (int)rest : COMM_MPI_CHUNK;
}

static status send_bytes(process *p, const char *at, size_t rest) {
  for (int count; rest; at += count, rest -= (size_t)count) {
    count = next_chunk(rest);
    RETURN_IF_MPI_FAILS(p, MPI_Send(at, count, MPI_BYTE, 0, GATHER_TAG, p->world));
  }
  return STATUS_OK;
}

static status receive_bytes(process *p, int32_t rank, char *at, size_t rest) {
  for (int count; rest; at += count, rest -= (size_t)count) {
    count = next_chunk(rest);
    RETURN_IF_MPI_FAILS(p, MPI_Recv(at, count, MPI_BYTE, rank, GATHER_TAG, p->world, MPI_STATUS_IGNORE));
  }
  return STATUS_OK;
}

static status mpi_gather(comm *c, const void *mine, size_t bytes, void *all, const size_t *sizes) {
  process *p = c->state;
  uint64_t size = bytes;
  RETURN_IF_MPI_FAILS(p, MPI_Gather(&size, 1, MPI_UINT64_T, p->sizes, 1, MPI_UINT64_T, 0, p->world));
  RETURN_IF_ERROR(mpi_agree(c, check_sizes(p, sizes)));
  if (c->rank) return send_bytes(p, mine, bytes);
  if (bytes) memcpy(all, mine, bytes);
  char *at = all;
  for (int32_t r = 1; r < c->size; r++) {
    at += sizes[r - 1];
    RETURN_IF_ERROR(receive_bytes(p, r, at, sizes[r]));
  }
  return STATUS_OK;
}

/* ---- failing, opening, closing ---- */

static status mpi_explain(comm *c) {
  process *p = c->state;
  return p->code ? p->host->error(p->code, "%s", p->message) : STATUS_OK;
}

static void mpi_fail(comm *c) {
  (void)c;
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void free_process(process *p) {
  while (p->routes) {
    route *r = p->routes;
    p->routes = r->next;
    if (r->row != MPI_DATATYPE_NULL) MPI_Type_free(&r->row);
    free(r->packed);
    free(r->requests);
    free(r->statuses);
    free(r->expected);
    free(r);
  }
  free(p->sizes);
  free(p->sent);
  free(p->received);
  free(p->counts);
  free(p);
}

static void mpi_close(comm *c) {
  process *p = c->state;
  const bool owns_mpi = p->owns_mpi;
  if (p->code) mpi_fail(c); /* messages that are under way would come into memory that is freed */
  MPI_Comm_free(&p->world);
  free_process(p);
  if (owns_mpi) MPI_Finalize();
}

static const comm_engine engine = {"mpi", mpi_exchange, mpi_agree, mpi_gather, mpi_explain, mpi_fail, mpi_close};

static status make_process(process *p) {
  int rank = 0, size = 0;
  RETURN_IF_MPI_FAILS(p, MPI_Comm_dup(MPI_COMM_WORLD, &p->world));
  RETURN_IF_MPI_FAILS(p, MPI_Comm_set_errhandler(p->world, MPI_ERRORS_RETURN));
  RETURN_IF_MPI_FAILS(p, MPI_Comm_rank(p->world, &rank));
  RETURN_IF_MPI_FAILS(p, MPI_Comm_size(p->world, &size));
  p->c = (comm){.engine = &engine, .rank = rank, .size = size, .state = p};
  p->sizes = calloc((size_t)size, sizeof *p->sizes);
  p->sent = calloc(2 * (size_t)size, sizeof *p->sent);
  p->received = calloc(2 * (size_t)size, sizeof *p->received);
  p->counts = calloc((size_t)size, sizeof *p->counts);
  return p->sizes && p->sent && p->received && p->counts ? STATUS_OK
                                                         : p->host->error(STATUS_CODE_memory, "out of memory");
}

__attribute__((visibility("default"))) status gnnc_mpi_open(const comm_mpi_host *host, int *argc, char ***argv,
                                                            comm **out) {
  int is_initialised = 0, threads = 0;
  *out = NULL;
  if (strcmp(host->version, GNNC_VERSION) != 0)
    return host->error(STATUS_CODE_version, "the module for MPI is of gnnc %s, this program of %s", GNNC_VERSION,
                       host->version);
  process *p = calloc(1, sizeof *p);
  if (!p) return host->error(STATUS_CODE_memory, "out of memory");
  p->host = host;
  MPI_Initialized(&is_initialised);
  p->owns_mpi = !is_initialised;
  status s = mpi_status(p, is_initialised ? MPI_SUCCESS : MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &threads));
  if (!s) s = make_process(p);
  if (!s)
    *out = &p->c;
  else
    free_process(p); /* MPI stays: who cannot open it ends, and the others with it */
  return s;
}
