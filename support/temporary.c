/* The lists of temporary files and folders, which a signal handler can read at any moment.
 *
 * A lock excludes threads that change the lists from one another. The handler takes no lock: it
 * exchanges each path of the list with NULL in one atomic step. Who gets a path this way owns it,
 * so no string is freed while the handler reads it. Slots are reused and never freed; there are as
 * many as there were temporaries at the same time. */
#include "support/temporary.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct slot {
  _Atomic(char *) path; /* NULL: free */
  struct slot *next;
} slot;

static _Atomic(slot *) files, folders;
static pthread_mutex_t changes = PTHREAD_MUTEX_INITIALIZER;

static slot *find_free(_Atomic(slot *) *list) {
  for (slot *s = atomic_load(list); s; s = s->next)
    if (!atomic_load(&s->path)) return s;
  slot *made = malloc(sizeof *made);
  if (!made) return NULL;
  atomic_init(&made->path, NULL);
  made->next = atomic_load(list);
  atomic_store(list, made);
  return made;
}

static bool add(_Atomic(slot *) *list, const char *path) {
  char *copy = strdup(path);
  pthread_mutex_lock(&changes);
  slot *s = copy ? find_free(list) : NULL;
  if (s) atomic_store(&s->path, copy);
  pthread_mutex_unlock(&changes);
  if (!s) free(copy);
  return s != NULL;
}

bool temporary_add_file(const char *path) {
  return add(&files, path);
}

bool temporary_add_folder(const char *path) {
  return add(&folders, path);
}

static void forget(_Atomic(slot *) *list, const char *path) {
  for (slot *s = atomic_load(list); s; s = s->next) {
    char *found = atomic_load(&s->path);
    if (!found || strcmp(found, path) != 0) continue;
    if (atomic_compare_exchange_strong(&s->path, &found, NULL)) free(found);
    return;
  }
}

void temporary_forget(const char *path) {
  pthread_mutex_lock(&changes);
  forget(&files, path);
  forget(&folders, path);
  pthread_mutex_unlock(&changes);
}

/* Removes all files or folders of a list. Frees their paths except in a signal handler, which must
 * not call free. */
static void remove_all(_Atomic(slot *) *list, int (*take_away)(const char *), bool is_handler) {
  for (slot *s = atomic_load(list); s; s = s->next) {
    char *path = atomic_exchange(&s->path, NULL);
    if (!path) continue;
    take_away(path);
    if (!is_handler) free(path);
  }
}

void temporary_remove_all(void) {
  pthread_mutex_lock(&changes); /* `forget` may read a path that is freed here */
  remove_all(&files, unlink, false);
  remove_all(&folders, rmdir, false);
  pthread_mutex_unlock(&changes);
}

/* Removes everything and raises the signal again. SA_RESETHAND has restored the default action; the
 * signal is blocked until the handler returns. */
static void on_signal(int number) {
  remove_all(&files, unlink, true);
  remove_all(&folders, rmdir, true);
  raise(number);
}

void temporary_watch_signals(void) {
  static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, before;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaddset(&action.sa_mask, numbers[i]);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!sigaction(numbers[i], NULL, &before) && before.sa_handler == SIG_DFL) sigaction(numbers[i], &action, NULL);
}
