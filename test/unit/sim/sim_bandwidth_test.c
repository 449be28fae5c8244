/* Transfers share a channel fairly, in proportion to their weights. */
#include "sim/common/bandwidth.h"
#include "unit.h"

/* Runs until the channel is idle; stores the cycle at which each tag was complete. */
static void drain(bandwidth *b, uint64_t *ends, uint32_t tags) {
  uint32_t tag;
  for (uint32_t i = 0; i < tags; i++) ends[i] = 0;
  for (uint64_t next; (next = bandwidth_next(b)) != BANDWIDTH_NEVER;)
    while (bandwidth_take(b, next, &tag)) ends[tag] = next;
}

TEST(a_transfer_alone_has_all_of_the_channel) {
  bandwidth *b = bandwidth_create(64);
  uint64_t end;
  CHECK(bandwidth_next(b) == BANDWIDTH_NEVER);
  bandwidth_request(b, 65, 640, 1, 0);
  CHECK_INT(bandwidth_next(b), 65); /* the transfer begins */
  drain(b, &end, 1);
  CHECK_INT(end, 65 + 10);
  bandwidth_destroy(b);
}

TEST(ends_are_rounded_up_to_cycles) {
  bandwidth *b = bandwidth_create(100);
  uint64_t end;
  bandwidth_request(b, 0, 64, 1, 0);
  drain(b, &end, 1);
  CHECK_INT(end, 1);
  bandwidth_reset(b);
  bandwidth_request(b, 0, 101, 1, 0);
  drain(b, &end, 1);
  CHECK_INT(end, 2);
  bandwidth_destroy(b);
}

TEST(transfers_that_meet_share_equally) {
  bandwidth *b = bandwidth_create(64);
  uint64_t ends[3];
  bandwidth_request(b, 0, 6400, 1, 0);  /* alone until cycle 50, when 3200 bytes are left */
  bandwidth_request(b, 50, 1600, 1, 1); /* 32 bytes per cycle each until 100; then the first has 1600 left */
  drain(b, ends, 2);
  CHECK_INT(ends[1], 100);
  CHECK_INT(ends[0], 125);
  bandwidth_reset(b);
  for (uint32_t i = 0; i < 3; i++) bandwidth_request(b, 0, 640 * (i + 1), 1, i);
  drain(b, ends, 3);
  CHECK_INT(ends[0], 30);
  CHECK_INT(ends[1], 50);
  CHECK_INT(ends[2], 60);
  bandwidth_destroy(b);
}

TEST(what_ends_together_comes_in_the_order_it_began) {
  bandwidth *b = bandwidth_create(64);
  uint32_t tag = 9;
  for (uint32_t i = 0; i < 4; i++) bandwidth_request(b, 3, 64, 1, 3 - i);
  CHECK_INT(bandwidth_next(b), 3);
  CHECK(!bandwidth_take(b, 3, &tag));
  CHECK_INT(bandwidth_next(b), 7);
  for (uint32_t i = 0; i < 4; i++) {
    CHECK(bandwidth_take(b, 7, &tag));
    CHECK_INT(tag, 3 - i);
  }
  CHECK(!bandwidth_take(b, 7, &tag));
  bandwidth_destroy(b);
}

TEST(a_transfer_of_weight_three_counts_as_three) {
  bandwidth *b = bandwidth_create(64);
  uint64_t ends[2];
  bandwidth_request(b, 0, 4800, 3, 0); /* 48 bytes per cycle until 100; then the other has 1600 left */
  bandwidth_request(b, 0, 3200, 1, 1);
  drain(b, ends, 2);
  CHECK_INT(ends[0], 100);
  CHECK_INT(ends[1], 125);
  bandwidth_destroy(b);
}

static uint32_t weight_of(uint32_t transfer) {
  return 1 + transfer % 5 / 2;
}

/* Compares many transfers with a simulation in doubles that steps to the next start or end. */
TEST(many_transfers_end_when_a_plain_simulation_says) {
  enum { MANY = 400 };
  static uint64_t starts[MANY], ends[MANY];
  static double left[MANY], expected[MANY];
  bandwidth *b = bandwidth_create(770.0 / 3);
  uint64_t seed = 7, time = 0, worst = 0;
  for (uint32_t i = 0; i < MANY; i++) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    uint64_t bytes = 64 * (1 + (seed >> 33) % 500);
    time += (seed >> 50) % 100;
    starts[i] = time + 60;
    left[i] = (double)bytes;
    bandwidth_request(b, starts[i], bytes, weight_of(i), i);
  }
  drain(b, ends, MANY);
  double now = 0;
  for (uint32_t begun = 0, active = 0, done = 0; done < MANY;) {
    double rate = 770.0 / 3 / (active ? active : 1), dt = begun < MANY ? (double)starts[begun] - now : 1e30;
    for (uint32_t i = 0; i < begun; i++)
      if (left[i] > 0 && left[i] / (rate * weight_of(i)) < dt) dt = left[i] / (rate * weight_of(i));
    now += dt;
    for (uint32_t i = 0; i < begun; i++) {
      if (left[i] <= 0) continue;
      left[i] -= rate * weight_of(i) * dt;
      if (left[i] > 1e-6) continue;
      left[i] = 0;
      expected[i] = now;
      active -= weight_of(i);
      done++;
    }
    while (begun < MANY && (double)starts[begun] <= now) active += weight_of(begun++);
  }
  for (uint32_t i = 0; i < MANY; i++) {
    double late = (double)ends[i] - expected[i];
    if (late < -0.01 || late > 1.01) worst++;
  }
  CHECK_INT(worst, 0);
  bandwidth_destroy(b);
}

TEST(every_transfer_ends_whatever_the_rate) {
  enum { MANY = 64 };
  uint64_t ends[MANY], lost = 0, seed = 1;
  for (int rate = 1; rate < 40; rate++) {
    bandwidth *b = bandwidth_create(rate * 0.77);
    for (uint32_t i = 0; i < MANY; i++) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
      bandwidth_request(b, i * 7, 64 * (1 + (seed >> 40) % 9), 1, i); /* many ends lie within one step of time */
    }
    drain(b, ends, MANY);
    for (int i = 0; i < MANY; i++) lost += !ends[i];
    bandwidth_destroy(b);
  }
  CHECK_INT(lost, 0);
}
