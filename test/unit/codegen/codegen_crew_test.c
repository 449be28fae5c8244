/* Threads of the host: every share of every round is done once and is done when the round returns, however quickly rounds follow one another. */
#include "codegen/device/host_crew.h"
#include "unit.h"

enum { ROUNDS = 3000, MUCH = 1 << 20, ITEMS = 1000 };

typedef struct work_round {
  int number;
  int shares;                /* as told; written by each share's own thread */
  int done[HOST_CREW_MOST];  /* the round in which a share was done last */
  int times[HOST_CREW_MOST]; /* how often each was done */
} work_round;

static void do_share(void *user, int share, int shares) {
  work_round *r = user;
  r->done[share] = r->number;
  r->times[share]++;
  if (share == 0) r->shares = shares;
}

TEST(every_share_of_a_round_is_done_once) {
  for (int workers = 1; workers <= 5; workers++) {
    host_crew *crew = host_crew_create(workers);
    work_round r = {0};
    CHECK_INT(host_crew_workers(crew), workers);
    for (r.number = 1; r.number <= ROUNDS; r.number++) {
      host_crew_run(crew, MUCH, do_share, &r);
      if (workers > 1) CHECK_INT(r.shares, workers);
      for (int s = 0; s < workers; s++) {
        CHECK_INT(r.done[s], r.number);
        CHECK_INT(r.times[s], r.number);
      }
    }
    host_crew_destroy(crew);
  }
}

TEST(little_work_is_done_by_the_caller) {
  host_crew *crew = host_crew_create(4);
  work_round r = {.number = 1};
  host_crew_run(crew, 1, do_share, &r);
  CHECK_INT(r.shares, 1);
  CHECK_INT(r.times[0], 1);
  host_crew_run(NULL, MUCH, do_share, &r);
  CHECK_INT(r.times[0], 2);
  host_crew_destroy(crew);
  host_crew_destroy(NULL);
}

TEST(shares_cover_everything_once) {
  for (int shares = 1; shares < 9; shares++) {
    int64_t begin, end, last = 0;
    for (int s = 0; s < shares; s++, last = end) {
      host_crew_cut(ITEMS, s, shares, &begin, &end);
      CHECK_INT(begin, last);
    }
    CHECK_INT(last, ITEMS);
  }
}
