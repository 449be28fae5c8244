/* Sums of lists by their numbers: all orders in which lists come give the same bits, which are those of the tree of the header. */
#include "runtime/train_sum.h"
#include "unit.h"

#include <string.h>

enum { LENGTH = 3, MOST = 7 };

/* Numbers whose sums differ in the last bits from order to order. */
static float number_of(int list, int place) {
  return 1.0f / (float)(3 + 7 * list + place) * (list % 2 ? -1.0f : 1000.0f);
}

static float factor_of(int list, int count) {
  return (float)(list + 1) / (float)count;
}

static void sum_in_order(train_sum *s, const int *order, int count, float out[LENGTH]) {
  CHECK_OK(train_sum_begin(s, count));
  for (int i = 0; i < count; i++) {
    float *list = train_sum_take(s);
    for (int k = 0; k < LENGTH; k++) list[k] = number_of(order[i], k);
    train_sum_put(s, order[i], factor_of(order[i], count), list);
  }
  memcpy(out, train_sum_result(s), LENGTH * sizeof *out);
}

/* The sum of lists [begin, end) below a node of the tree that has room for `width`. */
static float add_tree(int begin, int end, int width, int count, int place) {
  if (width == 1) return number_of(begin, place) * factor_of(begin, count);
  const int middle = begin + width / 2;
  const float left = add_tree(begin, middle < end ? middle : end, width / 2, count, place);
  return middle < end ? left + add_tree(middle, end, width / 2, count, place) : left;
}

/* Goes through the orders of the lists from `at` on. */
static void check_orders(train_sum *s, int *order, int at, int count, const float expected[LENGTH]) {
  float found[LENGTH];
  if (at == count) {
    sum_in_order(s, order, count, found);
    CHECK(!memcmp(found, expected, sizeof found));
    return;
  }
  for (int i = at; i < count; i++) {
    const int kept = order[at];
    order[at] = order[i];
    order[i] = kept;
    check_orders(s, order, at + 1, count, expected);
    order[i] = order[at];
    order[at] = kept;
  }
}

TEST(every_order_of_lists_has_the_bits_of_the_tree) {
  train_sum *s = train_sum_create(LENGTH);
  for (int count = 1; count <= MOST; count++) {
    int order[MOST];
    float expected[LENGTH];
    for (int i = 0; i < count; i++) order[i] = i;
    for (int k = 0; k < LENGTH; k++) expected[k] = add_tree(0, count, 8, count, k);
    check_orders(s, order, 0, count, expected);
  }
  train_sum_destroy(s);
}

TEST(one_list_of_factor_one_is_itself) {
  train_sum *s = train_sum_create(LENGTH);
  CHECK_OK(train_sum_begin(s, 1));
  float *list = train_sum_take(s);
  for (int k = 0; k < LENGTH; k++) list[k] = number_of(1, k);
  train_sum_put(s, 0, 1, list);
  for (int k = 0; k < LENGTH; k++) CHECK(train_sum_result(s)[k] == number_of(1, k));
  train_sum_destroy(s);
}

TEST(a_sum_that_was_not_finished_leaves_nothing_behind) {
  train_sum *s = train_sum_create(LENGTH);
  float expected[LENGTH], found[LENGTH];
  CHECK_OK(train_sum_begin(s, 5));
  float *list = train_sum_take(s);
  memset(list, 0, LENGTH * sizeof *list);
  train_sum_put(s, 3, 1, list);
  sum_in_order(s, (int[]){0, 1, 2, 3, 4}, 5, expected);
  sum_in_order(s, (int[]){4, 3, 2, 1, 0}, 5, found);
  CHECK(!memcmp(found, expected, sizeof found));
  train_sum_destroy(s);
}
