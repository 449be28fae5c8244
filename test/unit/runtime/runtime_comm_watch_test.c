/* An exchange that is watched does what the engine does, later, and tells of its beginnings. */
#include "runtime/comm/comm_watch.h"

#include "support/clock.h"
#include "unit.h"

/* An engine that counts its calls, and fails where it is told to. */
typedef struct fake {
  int begins, ends, shares, edges;
  gnnc_result result;
} fake;

static gnnc_result begin(void *user, const gnnc_node_rows *values, int32_t num_values) {
  fake *f = user;
  CHECK_INT(num_values, 2);
  CHECK_INT(values[1].row_bytes, 8);
  f->begins++;
  return f->result;
}

static gnnc_result end(void *user) {
  fake *f = user;
  f->ends++;
  return f->result;
}

static const int32_t ptr[] = {0, 1}, numbers[] = {3};
static char rows[32];

static gnnc_result share(void *user, void *of, size_t row_bytes, const int32_t *begins, const int32_t *listed) {
  fake *f = user;
  CHECK(of == rows && begins == ptr && listed == numbers);
  CHECK_INT(row_bytes, 8);
  f->shares++;
  return f->result;
}

static gnnc_result share_edges(void *user, void *of, size_t row_bytes, const int32_t *places) {
  fake *f = user;
  CHECK(of == rows && places == numbers);
  CHECK_INT(row_bytes, 8);
  f->edges++;
  return f->result;
}

static int told;
static double last_called, last_returned;

static void tell(double called, double returned) {
  told++;
  last_called = called;
  last_returned = returned;
}

static const gnnc_node_rows values[] = {{NULL, 4}, {NULL, 8}};

static gnnc_comm make(fake *f, comm_watch *w, const comm_watch_options *options) {
  gnnc_comm x = {.size = sizeof x,
                 .user = f,
                 .num_ghosts = 5,
                 .num_interior = 3,
                 .begin = begin,
                 .end = end,
                 .share = share,
                 .share_edges = share_edges};
  comm_watch_put(w, options, &x);
  CHECK_INT(x.size, sizeof x);
  CHECK_INT(x.num_ghosts, 5);
  CHECK_INT(x.num_interior, 3);
  return x;
}

TEST(rows_come_no_sooner_than_the_delay_after_begin) {
  fake f = {.result = GNNC_OK};
  comm_watch w;
  gnnc_comm x = make(&f, &w, &(comm_watch_options){.delay_seconds = 3e-3});
  for (int i = 1; i <= 3; i++) {
    CHECK_INT(x.begin(x.user, values, 2), GNNC_OK);
    const double begun = clock_seconds();
    CHECK_INT(x.end(x.user), GNNC_OK);
    CHECK(clock_seconds() - begun >= 3e-3 - 1e-4);
    CHECK_INT(f.begins, i);
    CHECK_INT(f.ends, i);
  }
}

TEST(beginnings_are_told_with_their_times) {
  fake f = {.result = GNNC_OK};
  comm_watch w;
  gnnc_comm x = make(&f, &w, &(comm_watch_options){.begun = tell});
  told = 0;
  const double before = clock_seconds();
  CHECK_INT(x.begin(x.user, values, 2), GNNC_OK);
  CHECK_INT(told, 1);
  CHECK(before <= last_called && last_called <= last_returned && last_returned <= clock_seconds());
  CHECK_INT(x.end(x.user), GNNC_OK);
  CHECK_INT(told, 1);
}

TEST(failures_are_those_of_the_engine) {
  fake f = {.result = GNNC_ERROR_COMM};
  comm_watch w;
  gnnc_comm x = make(&f, &w, &(comm_watch_options){.delay_seconds = 1000, .begun = tell});
  told = 0;
  CHECK_INT(x.begin(x.user, values, 2), GNNC_ERROR_COMM);
  CHECK_INT(x.end(x.user), GNNC_ERROR_COMM); /* at once */
  CHECK_INT(told, 0);
}

static gnnc_result refuse(void *user) {
  ++*(int *)user;
  return GNNC_ERROR_COMM;
}

TEST(an_exchange_that_may_not_begin_does_not) {
  int asked = 0;
  fake f = {.result = GNNC_OK};
  comm_watch w;
  gnnc_comm x = make(&f, &w, &(comm_watch_options){.begun = tell, .before = refuse, .user = &asked});
  told = 0;
  CHECK_INT(x.begin(x.user, values, 2), GNNC_ERROR_COMM);
  CHECK_INT(asked, 1);
  CHECK_INT(f.begins, 0);
  CHECK_INT(told, 0);
}

TEST(rows_of_cells_are_shared_at_once_if_they_may) {
  int asked = 0;
  fake f = {.result = GNNC_OK};
  comm_watch w;
  gnnc_comm x = make(&f, &w, &(comm_watch_options){.delay_seconds = 1000, .begun = tell});
  told = 0;
  CHECK_INT(x.share(x.user, rows, 8, ptr, numbers), GNNC_OK);
  f.result = GNNC_ERROR_COMM;
  CHECK_INT(x.share(x.user, rows, 8, ptr, numbers), GNNC_ERROR_COMM);
  CHECK_INT(f.shares, 2);
  CHECK_INT(told, 0);
  x = make(&f, &w, &(comm_watch_options){.before = refuse, .user = &asked});
  CHECK_INT(x.share(x.user, rows, 8, ptr, numbers), GNNC_ERROR_COMM);
  CHECK_INT(asked, 1);
  CHECK_INT(f.shares, 2);
}

TEST(rows_of_edges_come_no_sooner_than_the_delay_if_they_may) {
  int asked = 0;
  fake f = {.result = GNNC_OK};
  comm_watch w;
  gnnc_comm x = make(&f, &w, &(comm_watch_options){.delay_seconds = 3e-3, .begun = tell});
  told = 0;
  const double called = clock_seconds();
  CHECK_INT(x.share_edges(x.user, rows, 8, numbers), GNNC_OK);
  CHECK(clock_seconds() - called >= 3e-3 - 1e-4);
  x = make(&f, &w, &(comm_watch_options){.delay_seconds = 1000});
  f.result = GNNC_ERROR_COMM;
  CHECK_INT(x.share_edges(x.user, rows, 8, numbers), GNNC_ERROR_COMM); /* at once */
  CHECK_INT(f.edges, 2);
  CHECK_INT(told, 0);
  x = make(&f, &w, &(comm_watch_options){.before = refuse, .user = &asked});
  CHECK_INT(x.share_edges(x.user, rows, 8, numbers), GNNC_ERROR_COMM);
  CHECK_INT(asked, 1);
  CHECK_INT(f.edges, 2);
}
