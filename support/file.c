/* Reads and writes whole files.
 *
 * The data of "<path>" go to "<path>.tmp" and a number, which commit renames, so that a reader sees
 * the old file or the new one, never a part of it. This protects against a crash of the program,
 * not against a loss of power: fsync is not called, because it would take longer than the
 * compilation of a model. */
#include "support/file.h"

#include "support/progress.h"
#include "support/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file_writer {
  char *path;      /* as given by the caller, for messages */
  char *target;    /* the new name of the temporary; NULL: written in place */
  char *temporary; /* NULL: written in place */
  int fd;
  size_t used;
  unsigned char buffer[64 * 1024];
};

static status io_error(const char *verb, const char *path) {
  return status_error(STATUS_CODE_io, "cannot %s '%s': %s", verb, path, strerror(errno));
}

/* Opens a file for reading. Refuses a directory here, because open accepts it and only read would
 * fail. */
static status open_to_read(const char *path, int *fd, struct stat *info) {
  *fd = open(path, O_RDONLY | O_CLOEXEC);
  if (*fd < 0) return io_error("open", path);
  status s = STATUS_OK;
  if (fstat(*fd, info))
    s = io_error("read", path);
  else if (S_ISDIR(info->st_mode))
    s = status_error(STATUS_CODE_io, "cannot read '%s': it is a directory", path);
  if (s) close(*fd);
  return s;
}

/* Reads to the end of the file into a heap block that grows by doubling. */
static status read_all(int fd, const char *path, size_t expected, char **data, size_t *size) {
  size_t capacity = expected < 4096 ? 4096 : expected + 1;
  size_t used = 0;
  char *bytes = malloc(capacity);
  while (bytes) {
    ssize_t n = read(fd, bytes + used, capacity - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      status s = io_error("read", path);
      free(bytes);
      return s;
    }
    used += (size_t)n;
    if (n == 0) break;
    if (used < capacity) continue;
    char *grown = capacity < SIZE_MAX / 2 ? realloc(bytes, capacity * 2) : NULL;
    if (!grown) free(bytes);
    bytes = grown;
    capacity *= 2;
  }
  if (!bytes) return status_error(STATUS_CODE_memory, "'%s' does not fit into memory", path);
  *data = bytes;
  *size = used;
  return STATUS_OK;
}

status file_read(arena *a, const char *path, char **data, size_t *size) {
  int fd = STDIN_FILENO;
  struct stat info = {0};
  bool is_stdin = strcmp(path, "-") == 0;
  if (!is_stdin) RETURN_IF_ERROR(open_to_read(path, &fd, &info));
  size_t expected = !is_stdin && S_ISREG(info.st_mode) ? (size_t)info.st_size : 0;
  char *bytes = NULL;
  status s = read_all(fd, is_stdin ? "<stdin>" : path, expected, &bytes, size);
  if (!is_stdin) close(fd);
  if (s) return s;
  char *copy = arena_try_alloc(a, *size + 1);
  if (copy) memcpy(copy, bytes, *size);
  free(bytes);
  if (!copy) return status_error(STATUS_CODE_memory, "'%s' does not fit into memory", path);
  *data = copy;
  return STATUS_OK;
}

status file_map(const char *path, file_mapping *mapping) {
  *mapping = (file_mapping){0};
  int fd;
  struct stat info;
  RETURN_IF_ERROR(open_to_read(path, &fd, &info));
  status s = STATUS_OK;
  if (!S_ISREG(info.st_mode)) {
    s = status_error(STATUS_CODE_io, "cannot map '%s': it is not a regular file", path);
  } else if (info.st_size > 0) {
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
      s = io_error("map", path);
    else
      *mapping = (file_mapping){.data = data, .size = (size_t)info.st_size};
  }
  close(fd);
  return s;
}

void file_unmap(file_mapping *mapping) {
  if (mapping->data) munmap((void *)mapping->data, mapping->size);
  *mapping = (file_mapping){0};
}

/* Creates a file beside `target` under an unused name, which it writes to `name`. The umask applies
 * to its permissions, as to those of any new file. */
static int create_beside(const char *target, mode_t rights, char *name, size_t room) {
  enum { ATTEMPTS = 100 };
  static atomic_uint number;
  int fd = -1;
  for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
    unsigned unique = ((unsigned)getpid() << 12 ^ atomic_fetch_add(&number, 1)) + (unsigned)i * 0x9E3779B9u;
    snprintf(name, room, "%s.tmp%08x", target, unique);
    fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, rights);
    if (fd < 0 && errno != EEXIST) break;
  }
  return fd;
}

/* Blocks signals until the file is registered as a temporary, so that no signal finds a file that
 * exists but is not registered. */
static int create_noted(const char *target, mode_t rights, char *name, size_t room) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int fd = create_beside(target, rights, name, room), error = errno;
  if (fd >= 0) temporary_add_file(name);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return fd;
}

/* Opens the temporary beside `target` with the permissions of the final file. Its permissions never
 * exceed those of an old file, not even for a moment. */
static status open_temporary(file_writer *w, const struct stat *old) {
  size_t room = strlen(w->target) + sizeof ".tmp00000000";
  w->temporary = malloc(room);
  if (!w->temporary) return status_error(STATUS_CODE_memory, "out of memory");
  mode_t rights = old ? old->st_mode & 0777 : 0666;
  w->fd = create_noted(w->target, rights, w->temporary, room);
  if (w->fd < 0) {
    status s = io_error("write", w->path);
    free(w->temporary);
    w->temporary = NULL;
    return s;
  }
  if (old) fchmod(w->fd, rights); /* restores the permissions that the umask removed */
  return STATUS_OK;
}

static void free_writer(file_writer *w) {
  free(w->path);
  free(w->target);
  free(w->temporary);
  free(w);
}

static status open_output(file_writer *w) {
  struct stat info;
  if (strcmp(w->path, "-") == 0) {
    w->fd = STDOUT_FILENO;
    return STATUS_OK;
  }
  bool exists = stat(w->path, &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return status_error(STATUS_CODE_io, "cannot write '%s': it is a directory", w->path);
  if (exists && !S_ISREG(info.st_mode)) {
    w->fd = open(w->path, O_WRONLY | O_CLOEXEC);
    return w->fd < 0 ? io_error("write", w->path) : STATUS_OK;
  }
  if (exists && access(w->path, W_OK)) return io_error("write", w->path);
  w->target = exists ? realpath(w->path, NULL) : strdup(w->path); /* a symbolic link stays and points to the new file */
  if (!w->target) return io_error("write", w->path);
  return open_temporary(w, exists ? &info : NULL);
}

status file_writer_open(const char *path, file_writer **writer) {
  *writer = NULL;
  file_writer *w = malloc(sizeof *w);
  if (!w) return status_error(STATUS_CODE_memory, "out of memory");
  w->path = strdup(path);
  w->target = NULL;
  w->temporary = NULL;
  w->fd = -1;
  w->used = 0;
  status s = w->path ? open_output(w) : status_error(STATUS_CODE_memory, "out of memory");
  if (s)
    free_writer(w);
  else
    *writer = w;
  return s;
}

enum { MOST_WRITTEN = 16 << 20 }; /* bytes per call of write, so that progress is visible */

static status write_out(file_writer *w, const unsigned char *data, size_t size) {
  while (size) {
    ssize_t n = write(w->fd, data, size < MOST_WRITTEN ? size : MOST_WRITTEN);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error("write", w->path);
    progress_add(n);
    data += n;
    size -= (size_t)n;
  }
  return STATUS_OK;
}

static status flush_buffer(file_writer *w) {
  size_t used = w->used;
  w->used = 0;
  return write_out(w, w->buffer, used);
}

status file_writer_write(file_writer *w, const void *data, size_t size) {
  if (size > sizeof w->buffer - w->used) RETURN_IF_ERROR(flush_buffer(w));
  if (size > sizeof w->buffer) return write_out(w, data, size);
  if (size) memcpy(w->buffer + w->used, data, size);
  w->used += size;
  return STATUS_OK;
}

int file_writer_descriptor(const file_writer *w) {
  return w->temporary ? w->fd : -1;
}

status file_writer_commit(file_writer *w) {
  status s = flush_buffer(w);
  if (s) {
    file_writer_abandon(w);
    return s;
  }
  if (w->fd != STDOUT_FILENO && close(w->fd)) s = io_error("write", w->path);
  if (w->temporary) {
    if (!s && rename(w->temporary, w->target)) s = io_error("write", w->path);
    if (s) unlink(w->temporary);
    temporary_forget(w->temporary);
  }
  free_writer(w);
  return s;
}

void file_writer_abandon(file_writer *w) {
  if (!w) return;
  if (w->fd != STDOUT_FILENO) close(w->fd);
  if (w->temporary) {
    unlink(w->temporary);
    temporary_forget(w->temporary);
  }
  free_writer(w);
}

status file_write(const char *path, const void *data, size_t size) {
  file_writer *w;
  RETURN_IF_ERROR(file_writer_open(path, &w));
  status s = file_writer_write(w, data, size);
  if (s) {
    file_writer_abandon(w);
    return s;
  }
  return file_writer_commit(w);
}
