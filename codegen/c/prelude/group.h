/* Members of groups in an order: the edges at a node, the nodes of a graph of a batch. See real.h for how parts are used. */
#include "codegen/c/prelude/real.h"

//@ order_get
/* Orders are arrays of `real`, whose places hold the bits of an int32_t: a float has too few digits for the number of an edge. */
static inline int32_t order_get(const real *order, int64_t place) {
  int32_t member;
  memcpy(&member, &order[place], sizeof member);
  return member;
}

//@ order_set
static inline void order_set(real *order, int64_t place, int32_t member) {
  memcpy(&order[place], &member, sizeof member);
}

//@ key_bits f32
typedef uint32_t key_bits;

//@ key_bits f64
typedef uint64_t key_bits;

//@ key_infinity f32
static const key_bits key_infinity = UINT32_C(0x7F800000);

//@ key_infinity f64
static const key_bits key_infinity = UINT64_C(0x7FF0000000000000);

//@ key_of
/* Whole numbers in the order of the numbers x; NaN is the largest of all. */
static inline key_bits key_of(real x) {
  const key_bits sign = (key_bits)1 << (sizeof(key_bits) * 8 - 1);
  key_bits bits;
  memcpy(&bits, &x, sizeof bits);
  if ((bits & ~sign) > key_infinity) return ~(key_bits)0;
  return bits & sign ? ~bits : bits | sign;
}

//@ key_number
/* The number of a key. */
static inline real key_number(key_bits key) {
  const key_bits sign = (key_bits)1 << (sizeof(key_bits) * 8 - 1);
  const key_bits bits = key & sign ? key & ~sign : ~key;
  real x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

//@ order_keys
/* The keys of members by place: of row rows[place], or of the place itself without rows. One of the arrays of numbers is NULL. */
typedef struct order_keys {
  const real *made;
  const float *given;
  const int32_t *rows;
  const int32_t *numbers; /* row -> its number in the array; NULL: itself */
} order_keys;

//@ order_key
static inline key_bits order_key(const order_keys *k, int64_t place) {
  int64_t row = k->rows ? k->rows[place] : place;
  row = k->numbers ? k->numbers[row] : row;
  return key_of((k->made ? k->made[row] : (real)k->given[row]) + 0); /* -0 equals 0, so both get the bits of 0 */
}

//@ order_before
/* Whether one place comes before another: by key, then by place. */
static inline int order_before(const order_keys *k, int32_t a, int32_t b) {
  const key_bits x = order_key(k, a), y = order_key(k, b);
  return x < y || (x == y && a < b);
}

//@ order_sink
/* Moves the member at `at` of a heap of `count` members down to its level; the last one of all is at the top. */
static void order_sink(const order_keys *k, real *order, int64_t at, int64_t count) {
  const int32_t moved = order_get(order, at);
  for (int64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && order_before(k, order_get(order, child), order_get(order, child + 1))) child++;
    if (!order_before(k, moved, order_get(order, child))) break;
    order_set(order, at, order_get(order, child));
    at = child;
  }
  order_set(order, at, moved);
}

//@ order_sort
/* Writes the places first to last - 1 in the order of their keys: a few by insertion, many as a heap. */
static void order_sort(const order_keys *k, int64_t first, int64_t last, real *order) {
  real *group = order + first;
  const int64_t count = last - first;
  if (count <= 16) {
    for (int64_t i = 0; i < count; i++) {
      int64_t at = i;
      const int32_t moved = (int32_t)(first + i);
      for (; at > 0 && order_before(k, moved, order_get(group, at - 1)); at--)
        order_set(group, at, order_get(group, at - 1));
      order_set(group, at, moved);
    }
    return;
  }
  for (int64_t i = 0; i < count; i++) order_set(group, i, (int32_t)(first + i));
  for (int64_t i = count / 2; i-- > 0;) order_sink(k, group, i, count);
  for (int64_t end = count; end-- > 1;) {
    const int32_t greatest = order_get(group, 0);
    order_set(group, 0, order_get(group, end));
    order_set(group, end, greatest);
    order_sink(k, group, 0, end);
  }
}

//@ selection
/* The search for the number of a given rank in each of some columns, bit by bit from the highest: below[j] counts the keys that are less
 * than the one that has the bits found so far and the current one. No row is kept. */
typedef struct selection {
  int64_t rank; /* how many numbers come before the one wanted */
  key_bits bit; /* the current one; 0: all are found */
  key_bits found[32];
  int32_t below[32];
  key_bits above[32]; /* the least key that is greater than the one found, or equal and behind it */
} selection;

//@ selection_columns
enum { selection_columns = 32 };

//@ selection_begin
static inline void selection_begin(selection *s, int64_t rank) {
  memset(s, 0, sizeof *s);
  s->rank = rank;
  s->bit = (key_bits)1 << (sizeof(key_bits) * 8 - 1);
}

//@ selection_count
/* Counts one row of numbers. */
static inline void selection_count(selection *s, int64_t columns, const real *row) {
  for (int64_t j = 0; j < columns; j++) s->below[j] += key_of(row[j]) < (s->found[j] | s->bit);
}

//@ selection_narrow
/* Decides the current bit, after all rows, and begins with the next one. */
static inline void selection_narrow(selection *s, int64_t columns) {
  for (int64_t j = 0; j < columns; j++) {
    if (s->below[j] <= s->rank) s->found[j] |= s->bit;
    s->below[j] = 0;
    s->above[j] = ~(key_bits)0;
  }
  s->bit >>= 1;
}

//@ selection_next
/* Looks for the number behind the one found, in one more round over the rows. */
static inline void selection_next(selection *s, int64_t columns, const real *row) {
  for (int64_t j = 0; j < columns; j++) {
    const key_bits key = key_of(row[j]);
    s->below[j] += key <= s->found[j];
    if (key > s->found[j] && key < s->above[j]) s->above[j] = key;
  }
}

//@ selection_between
/* The number at `part` of the way from the one found to the one behind it. */
static inline real selection_between(const selection *s, int64_t column, real part) {
  const real low = key_number(s->found[column]);
  if (s->below[column] > s->rank + 1 || part == 0) return low;
  return low + (key_number(s->above[column]) - low) * part;
}
