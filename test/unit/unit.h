/* A test program in one header: every TEST of the file runs, a failed CHECK prints its place and the values,
 * and the exit status is 0 when all tests passed.
 *
 *   #include "unit.h"
 *   TEST(an_empty_text_is_the_empty_string) {
 *     text t = {0};
 *     CHECK_STR(text_str(&t), "");
 *   }
 *
 * A test's name is a true sentence. Arguments on the command line select tests by a part of
 * their name. */
#ifndef GNNC_TEST_UNIT_UNIT_H
#define GNNC_TEST_UNIT_UNIT_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unit_test {
  const char *name;
  void (*run)(void);
  struct unit_test *next;
} unit_test;

static unit_test *unit_first, **unit_last = &unit_first;
static unsigned unit_failures; /* failures of the current test */

#define TEST(name)                                                                                                     \
  static void test_##name(void);                                                                                       \
  __attribute__((constructor)) static void add_##name(void) {                                                          \
    static unit_test test = {#name, test_##name, NULL};                                                                \
    *unit_last = &test;                                                                                                \
    unit_last = &test.next;                                                                                            \
  }                                                                                                                    \
  static void test_##name(void)

/* Reports a failed check and carries on with the test. */
__attribute__((format(printf, 3, 4), unused)) static void unit_fail(const char *file, int line, const char *format,
                                                                    ...) {
  va_list args;
  unit_failures++;
  printf("%s:%d: ", file, line);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n");
}

#define CHECK(condition) ((condition) ? (void)0 : unit_fail(__FILE__, __LINE__, "%s", "is false: " #condition))

#define CHECK_INT(actual, expected)                                                                                    \
  do {                                                                                                                 \
    long long actual_ = (long long)(actual), expected_ = (long long)(expected);                                        \
    if (actual_ != expected_) unit_fail(__FILE__, __LINE__, "%s is %lld, expected %lld", #actual, actual_, expected_); \
  } while (0)

#define CHECK_NEAR(actual, expected, tolerance)                                                                        \
  do {                                                                                                                 \
    double actual_ = (double)(actual), expected_ = (double)(expected);                                                 \
    if (!(fabs(actual_ - expected_) <= (double)(tolerance)))                                                           \
      unit_fail(__FILE__, __LINE__, "%s is %.17g, expected %.17g", #actual, actual_, expected_);                       \
  } while (0)

#define CHECK_STR(actual, expected)                                                                                    \
  do {                                                                                                                 \
    const char *actual_ = (actual), *expected_ = (expected);                                                           \
    if (!actual_ || strcmp(actual_, expected_) != 0)                                                                   \
      unit_fail(__FILE__, __LINE__, "%s is \"%s\", expected \"%s\"", #actual, actual_ ? actual_ : "(null)",            \
                expected_);                                                                                            \
  } while (0)

/* The text holds the part. */
#define CHECK_HAS(actual, part)                                                                                        \
  do {                                                                                                                 \
    const char *actual_ = (actual), *part_ = (part);                                                                   \
    if (!actual_ || !strstr(actual_, part_))                                                                           \
      unit_fail(__FILE__, __LINE__, "%s is \"%s\", which lacks \"%s\"", #actual, actual_ ? actual_ : "(null)", part_); \
  } while (0)

/* A call that returns a status succeeds, or fails with a message that holds the part. These need
 * support/status.h. */
#define CHECK_OK(call)                                                                                                 \
  do {                                                                                                                 \
    status status_ = (call);                                                                                           \
    if (status_) unit_fail(__FILE__, __LINE__, "%s failed: %s", #call, status_message(status_));                       \
    status_free(status_);                                                                                              \
  } while (0)
#define CHECK_FAILS(call, part)                                                                                        \
  do {                                                                                                                 \
    status status_ = (call);                                                                                           \
    if (!status_)                                                                                                      \
      unit_fail(__FILE__, __LINE__, "%s succeeded, expected \"%s\"", #call, part);                                     \
    else                                                                                                               \
      CHECK_HAS(status_message(status_), part);                                                                        \
    status_free(status_);                                                                                              \
  } while (0)

static bool unit_is_selected(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strstr(name, argv[i])) return true;
  return argc < 2;
}

int main(int argc, char **argv) {
  unsigned passed = 0, failed = 0;
  for (const unit_test *t = unit_first; t; t = t->next) {
    if (!unit_is_selected(t->name, argc, argv)) continue;
    unit_failures = 0;
    t->run();
    fflush(stdout);
    if (unit_failures) printf("FAILED: %s\n", t->name);
    *(unit_failures ? &failed : &passed) += 1;
  }
  printf("%u passed, %u failed\n", passed, failed);
  return failed || !passed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
