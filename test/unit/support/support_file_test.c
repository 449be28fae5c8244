/* Files are written completely or not at all; statuses and sources. Each test writes into a
 * folder of its own below the current one. */
#include "support/file.h"
#include "support/source.h"
#include "support/temporary.h"
#include "unit.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];

static const char *path_of(arena *a, const char *name) {
  if (!*folder) {
    snprintf(folder, sizeof folder, "file_test.XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
  }
  return arena_printf(a, "%s/%s", folder, name);
}

/* The number of entries of the folder, temporary files included. */
static int count_entries(void) {
  int count = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e; d && (e = readdir(d));) count += e->d_name[0] != '.';
  if (d) closedir(d);
  return count;
}

static const char *content(arena *a, const char *path) {
  char *data = NULL;
  size_t size = 0;
  CHECK_OK(file_read(a, path, &data, &size));
  return data ? data : "";
}

/* The rights that a file had when they were first changed; -1 before. Stands in for the function of libc. */
static int first_rights = -1;

int fchmod(int fd, mode_t mode) {
  struct stat info;
  if (first_rights < 0 && !fstat(fd, &info)) first_rights = (int)(info.st_mode & 0777);
  return (int)syscall(SYS_fchmod, fd, mode);
}

TEST(what_is_written_is_read_back) {
  arena *a = arena_create();
  const char *path = path_of(a, "a.txt");
  CHECK_OK(file_write(path, "hello", 5));
  CHECK_STR(content(a, path), "hello");
  CHECK_OK(file_write(path, "", 0));
  CHECK_STR(content(a, path), "");
  CHECK_INT(count_entries(), 1);
  unlink(path);
  arena_destroy(a);
}

TEST(an_abandoned_writer_leaves_the_old_file_and_no_temporary) {
  arena *a = arena_create();
  const char *path = path_of(a, "b.txt");
  CHECK_OK(file_write(path, "old", 3));
  file_writer *w;
  CHECK_OK(file_writer_open(path, &w));
  CHECK_OK(file_writer_write(w, "new", 3));
  CHECK_INT(count_entries(), 2);
  file_writer_abandon(w);
  CHECK_STR(content(a, path), "old");
  CHECK_INT(count_entries(), 1);
  unlink(path);
  arena_destroy(a);
}

/* In a child process: a file is half written and a folder exists when a signal arrives. */
static int end_by_signal(const char *path, const char *inner, bool is_ignored) {
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    file_writer *w;
    umask(027);
    signal(SIGTERM, is_ignored ? SIG_IGN : SIG_DFL);
    temporary_watch_signals();
    if (file_writer_open(path, &w) || file_writer_write(w, "new", 3) || mkdir(inner, 0700)) _exit(2);
    temporary_add_folder(inner);
    raise(SIGTERM);
    rmdir(inner);
    _exit(file_writer_commit(w) ? 3 : 0);
  }
  int result = -1;
  CHECK(waitpid(child, &result, 0) == child);
  return result;
}

TEST(a_signal_removes_temporaries_and_ends_the_process) {
  arena *a = arena_create();
  const char *path = path_of(a, "signal.txt"), *inner = path_of(a, "inner");
  struct stat info;
  int result = end_by_signal(path, inner, false);
  CHECK(WIFSIGNALED(result) && WTERMSIG(result) == SIGTERM);
  CHECK_INT(count_entries(), 0);
  CHECK_INT(end_by_signal(path, inner, true), 0);
  CHECK_STR(content(a, path), "new");
  CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0640); /* the mode follows the umask */
  CHECK_INT(count_entries(), 1);
  unlink(path);
  arena_destroy(a);
}

TEST(what_was_forgotten_stays) {
  arena *a = arena_create();
  const char *kept = path_of(a, "kept"), *removed = path_of(a, "removed");
  CHECK_OK(file_write(kept, "x", 1));
  CHECK_OK(file_write(removed, "x", 1));
  for (int i = 0; i < 3; i++) {
    CHECK(temporary_add_file(kept));
    temporary_forget(kept);
  }
  CHECK(temporary_add_file(removed));
  temporary_forget("never noted");
  temporary_remove_all();
  CHECK(!access(kept, F_OK));
  CHECK(access(removed, F_OK));
  unlink(kept);
  arena_destroy(a);
}

enum { NOTES = 2000, LONG_PATH = 50000 };
static atomic_int still_noting;

static void *note_and_forget(void *path) {
  for (int i = 0; i < NOTES; i++) {
    temporary_add_file(path);
    temporary_forget(path);
  }
  atomic_fetch_sub(&still_noting, 1);
  return NULL;
}

/* A path is never read after it was freed: sanitizers watch. Long paths take long to compare. */
TEST(threads_may_note_forget_and_remove_at_once) {
  arena *a = arena_create();
  pthread_t threads[2];
  atomic_store(&still_noting, 2);
  for (int i = 0; i < 2; i++) {
    char *path = arena_alloc(a, LONG_PATH + 2);
    memset(path, 'x', LONG_PATH);
    path[LONG_PATH] = (char)('0' + i);
    CHECK_INT(pthread_create(&threads[i], NULL, note_and_forget, path), 0);
  }
  while (atomic_load(&still_noting)) temporary_remove_all();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  arena_destroy(a);
}

TEST(pieces_of_any_size_arrive_in_order) {
  arena *a = arena_create();
  const char *path = path_of(a, "c.txt");
  size_t size = 300 * 1000;
  char *data = arena_alloc(a, size);
  for (size_t i = 0; i < size; i++) data[i] = (char)('a' + i % 23);
  file_writer *w;
  CHECK_OK(file_writer_open(path, &w));
  for (size_t at = 0, step = 1; at < size; at += step, step = step * 3 + 1) {
    if (step > size - at) step = size - at;
    CHECK_OK(file_writer_write(w, data + at, step));
  }
  CHECK_OK(file_writer_commit(w));
  file_mapping m;
  CHECK_OK(file_map(path, &m));
  CHECK_INT(m.size, size);
  CHECK(m.size == size && memcmp(m.data, data, size) == 0);
  file_unmap(&m);
  unlink(path);
  arena_destroy(a);
}

TEST(a_full_disk_is_a_failure_that_names_the_file) {
  char big[200 * 1000] = {0};
  CHECK_FAILS(file_write("/dev/full", "x", 1), "cannot write '/dev/full': No space left on device");
  CHECK_FAILS(file_write("/dev/full", big, sizeof big), "cannot write '/dev/full'");
}

TEST(a_device_is_written_in_place) {
  CHECK_OK(file_write("/dev/null", "x", 1));
  struct stat info;
  CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
}

TEST(folders_and_missing_files_are_refused) {
  arena *a = arena_create();
  char *data;
  size_t size;
  file_mapping m;
  const char *path = path_of(a, "none");
  CHECK_FAILS(file_read(a, path, &data, &size), "No such file or directory");
  CHECK_FAILS(file_map(path, &m), "cannot open");
  CHECK_FAILS(file_read(a, folder, &data, &size), "it is a directory");
  CHECK_FAILS(file_write(folder, "x", 1), "it is a directory");
  CHECK_FAILS(file_write("/nonexistent/x", "x", 1), "cannot write '/nonexistent/x'");
  CHECK_FAILS(file_map("/dev/zero", &m), "not a regular file");
  arena_destroy(a);
}

TEST(an_empty_file_maps_to_nothing) {
  arena *a = arena_create();
  const char *path = path_of(a, "empty");
  CHECK_OK(file_write(path, NULL, 0));
  file_mapping m;
  CHECK_OK(file_map(path, &m));
  CHECK(m.data == NULL && m.size == 0);
  file_unmap(&m);
  unlink(path);
  arena_destroy(a);
}

TEST(a_link_stays_a_link_and_rights_are_kept) {
  arena *a = arena_create();
  const char *path = path_of(a, "target"), *link_path = path_of(a, "link");
  CHECK_OK(file_write(path, "1", 1));
  chmod(path, 0640);
  CHECK_INT(symlink("target", link_path), 0);
  CHECK_OK(file_write(link_path, "2", 1));
  CHECK_STR(content(a, path), "2");
  struct stat info;
  CHECK(lstat(link_path, &info) == 0 && S_ISLNK(info.st_mode));
  CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0640);
  unlink(link_path);
  unlink(path);
  arena_destroy(a);
}

TEST(a_temporary_has_never_more_rights_than_the_file_it_replaces) {
  arena *a = arena_create();
  const char *path = path_of(a, "secret");
  mode_t mask = umask(022);
  CHECK_OK(file_write(path, "1", 1));
  chmod(path, 0600);
  first_rights = -1;
  CHECK_OK(file_write(path, "2", 1));
  CHECK_INT(first_rights, 0600);
  chmod(path, 0666);
  CHECK_OK(file_write(path, "3", 1));
  struct stat info;
  CHECK(stat(path, &info) == 0 && (info.st_mode & 0777) == 0666); /* the mask takes nothing from an old file */
  umask(mask);
  unlink(path);
  rmdir(folder);
  arena_destroy(a);
}

TEST(context_is_put_in_front_and_the_code_is_kept) {
  status s = status_error(STATUS_CODE_format, "header is %d bytes", 12);
  s = status_context(s, "%s", "a.safetensors");
  s = status_context(s, "weights of '%s'", "gcn");
  CHECK_STR(status_message(s), "weights of 'gcn': a.safetensors: header is 12 bytes");
  CHECK_INT(status_get_code(s), STATUS_CODE_format);
  status_free(s);
  CHECK(status_context(STATUS_OK, "x") == STATUS_OK);
  CHECK_STR(status_message(STATUS_OK), "");
  CHECK_INT(status_get_code(STATUS_OK), STATUS_CODE_ok);
  status_free(STATUS_OK);
}

TEST(offsets_become_lines_and_columns_from_one) {
  arena *a = arena_create();
  source *s = source_create(a, "a.gnn", "ab\n\nc", 5);
  const uint32_t expected[][3] = {{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {5, 3, 2}, {99, 3, 2}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    source_position p = source_find(s, expected[i][0]);
    CHECK_INT(p.line, expected[i][1]);
    CHECK_INT(p.column, expected[i][2]);
  }
  span joined = span_join((span){s, 3, 4}, (span){s, 1, 2});
  CHECK_INT(joined.begin, 1);
  CHECK_INT(joined.end, 4);
  joined = span_join((span){0}, (span){s, 1, 2});
  CHECK_INT(joined.end, 2);
  arena_destroy(a);
}
