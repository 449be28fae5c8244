/* Events come out by time, and those of the same time in the order in which they went in. */
#include "sim/common/queue.h"
#include "unit.h"

TEST(an_empty_queue_has_no_event) {
  queue *q = queue_create();
  uint64_t time;
  uint32_t tag;
  CHECK(!queue_pop(q, &time, &tag));
  queue_push(q, 7, 3);
  CHECK(queue_pop(q, &time, &tag));
  CHECK_INT(time, 7);
  CHECK_INT(tag, 3);
  CHECK(!queue_pop(q, &time, &tag));
  queue_destroy(q);
}

TEST(events_come_out_by_time_and_then_in_order) {
  enum { COUNT = 5000, TIMES = 97 };
  queue *q = queue_create();
  uint32_t seed = 1, tag, tags[TIMES] = {0};
  uint64_t time, last = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    seed = seed * 1664525 + 1013904223;
    queue_push(q, seed >> 16 & 63, i + 1);
  }
  int wrong = 0, count = 0;
  for (; queue_pop(q, &time, &tag); count++) {
    wrong += time < last || tag <= tags[time];
    tags[time] = tag;
    last = time;
  }
  CHECK_INT(wrong, 0);
  CHECK_INT(count, COUNT);
  queue_destroy(q);
}

TEST(events_that_are_pushed_between_pops_keep_their_turn) {
  queue *q = queue_create();
  uint64_t time;
  uint32_t tag;
  queue_push(q, 5, 1);
  queue_push(q, 5, 2);
  CHECK(queue_pop(q, &time, &tag) && tag == 1);
  queue_push(q, 5, 3);
  queue_push(q, 4, 4);
  CHECK(queue_pop(q, &time, &tag) && tag == 4);
  CHECK(queue_pop(q, &time, &tag) && tag == 2);
  CHECK(queue_pop(q, &time, &tag) && tag == 3);
  queue_destroy(q);
}
