/* A thread draws the line five times per second from the state that other threads have set. */
#include "support/progress.h"

#include "support/clock.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COLUMNS = 79, DRAW_NANOSECONDS = 200000000 };
static const double patience_seconds = 2;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t wakes;
  bool is_on, is_running, stops; /* is_running: the drawing thread exists */
  progress_mode mode;
  pthread_t thread;
  const char *program;
  char what[64];
  char text[COLUMNS + 1]; /* of progress_show; "": none */
  const char *unit;
  int64_t all;
  double begin, step_begin;
  int shown; /* columns of the line on the terminal */
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .wakes = PTHREAD_COND_INITIALIZER};

static atomic_llong done_units;

bool progress_parse_mode(const char *name, progress_mode *mode) {
  static const char *const names[] = {"auto", "always", "never"};
  for (int i = 0; i < 3; i++)
    if (strcmp(name, names[i]) == 0) return *mode = (progress_mode)i, true;
  return false;
}

/* ---- drawing; the caller has the lock ---- */

static void erase(void) {
  if (!line.shown) return;
  fprintf(stderr, "\r%*s\r", line.shown, "");
  fflush(stderr);
  line.shown = 0;
}

static int print_text(char *text, size_t size) {
  const int64_t done = atomic_load_explicit(&done_units, memory_order_relaxed);
  if (line.text[0]) return snprintf(text, size, "%s: %s", line.program, line.text);
  if (line.all <= 0) {
    const double seconds = clock_seconds() - line.step_begin;
    return snprintf(text, size, "%s: %s, %.0f s", line.program, line.what, seconds);
  }
  const double share = 100 * (double)(done < line.all ? done : line.all) / (double)line.all;
  const bool is_bytes = strcmp(line.unit, "bytes") == 0;
  return snprintf(text, size, "%s: %s, %.0f %% of %" PRId64 " %s", line.program, line.what, share,
                  is_bytes ? (line.all + 999999) / 1000000 : line.all, is_bytes ? "MB" : line.unit);
}

static void draw(void) {
  char text[COLUMNS + 1];
  if (!line.what[0]) return;
  if (line.mode == PROGRESS_auto && clock_seconds() - line.begin < patience_seconds) return;
  int length = print_text(text, sizeof text);
  length = length < COLUMNS ? length : COLUMNS;
  fprintf(stderr, "\r%s%*s", text, line.shown > length ? line.shown - length : 0, "");
  fflush(stderr);
  line.shown = length;
}

static void *draw_repeatedly(void *unused) {
  (void)unused;
  pthread_mutex_lock(&line.lock);
  while (!line.stops) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME,
                  &until); /* condition variables use this clock; if somebody sets it, one drawing is early or late */
    until.tv_nsec += DRAW_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&line.wakes, &line.lock, &until);
    if (!line.stops) draw();
  }
  pthread_mutex_unlock(&line.lock);
  return NULL;
}

/* ---- steps ---- */

/* The new thread blocks all signals, so that the other threads handle them. */
static void start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  line.is_running = !pthread_create(&line.thread, NULL, draw_repeatedly, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Copies a text, in which file names may have control characters. */
static void copy_printable(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from);
  for (char *c = to; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7F) *c = '?';
}

void progress_begin(const char *program, progress_mode mode) {
  line.program = program;
  line.mode = mode;
  line.begin = clock_seconds();
  line.is_on = mode == PROGRESS_always || (mode == PROGRESS_auto && isatty(STDERR_FILENO));
}

void progress_step(const char *what, const char *unit, int64_t all) {
  if (!line.is_on) return;
  pthread_mutex_lock(&line.lock);
  copy_printable(line.what, sizeof line.what, what);
  line.text[0] = '\0';
  line.unit = unit ? unit : "";
  line.all = all;
  line.step_begin = clock_seconds();
  atomic_store(&done_units, 0);
  if (!*what) erase();
  if (!line.is_running) start_thread();
  if (line.mode == PROGRESS_always) draw();
  pthread_mutex_unlock(&line.lock);
}

void progress_show(const char *text) {
  if (!line.is_on) return;
  pthread_mutex_lock(&line.lock);
  copy_printable(line.text, sizeof line.text, text);
  pthread_mutex_unlock(&line.lock);
}

void progress_set(int64_t done) {
  atomic_store_explicit(&done_units, done, memory_order_relaxed);
}

void progress_add(int64_t done) {
  atomic_fetch_add_explicit(&done_units, done, memory_order_relaxed);
}

void progress_clear(void) {
  if (!line.is_on) return;
  pthread_mutex_lock(&line.lock);
  erase();
  pthread_mutex_unlock(&line.lock);
}

void progress_end(void) {
  if (!line.is_on) return;
  pthread_mutex_lock(&line.lock);
  line.stops = true;
  pthread_cond_signal(&line.wakes);
  pthread_mutex_unlock(&line.lock);
  if (line.is_running) pthread_join(line.thread, NULL);
  erase();
  line.is_on = line.is_running = line.stops = false;
}
