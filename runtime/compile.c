/* Compiles generated C to a shared library: see compile.h.
 *
 *   cc -std=c17 -ffp-contract=fast -fno-math-errno -O3 -march=native -fopenmp-simd -DGNNC_OPENMP_SIMD -shared -fPIC -o model.so gcn.c -lm
 *
 * The environment (CC, CFLAGS) and the options of the program change this command. */
#include "runtime/compile.h"

#include "support/file.h"
#include "support/temporary.h"
#include "support/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef VEC(char *) words;

/* The files that compile_library creates in its folder. */
static const char *const file_names[] = {"model.so", "messages.txt"};
enum { FILE_COUNT = sizeof file_names / sizeof file_names[0] };

status compile_make_folder(arena *a, const char **folder) {
  const char *base = getenv("TMPDIR");
  char *path = arena_printf(a, "%s/gnnc-XXXXXX", base && *base ? base : "/tmp");
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before); /* until the folder is registered */
  bool is_made = mkdtemp(path) != NULL;
  int error = errno;
  if (is_made) temporary_add_folder(path);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!is_made) return status_error(STATUS_CODE_io, "cannot make a folder '%s': %s", path, strerror(error));
  for (int i = 0; i < FILE_COUNT; i++) temporary_add_file(arena_printf(a, "%s/%s", path, file_names[i]));
  *folder = path;
  return STATUS_OK;
}

static void leave_folder(const char *folder, bool removes) {
  arena *a = arena_create();
  for (int i = 0; i < FILE_COUNT; i++) {
    const char *path = arena_printf(a, "%s/%s", folder, file_names[i]);
    if (removes) unlink(path);
    temporary_forget(path);
  }
  if (removes) rmdir(folder);
  temporary_forget(folder);
  arena_destroy(a);
}

void compile_remove_folder(const char *folder) {
  leave_folder(folder, true);
}

void compile_keep_folder(const char *folder) {
  leave_folder(folder, false);
}

/* Appends the words of a text, separated by blanks, tabs and newlines. */
static void add_words(arena *a, words *list, const char *said) {
  char *rest = NULL;
  for (char *word = strtok_r(arena_strdup(a, said), " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
    VEC_PUSH(a, list, word);
}

static const int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { ENDING_SIGNAL_COUNT = sizeof ending_signals / sizeof ending_signals[0] };

void compile_list_signals(sigset_t *signals) {
  sigemptyset(signals);
  for (int i = 0; i < ENDING_SIGNAL_COUNT; i++) sigaddset(signals, ending_signals[i]);
}

/* Sets up a child that does not block the ending signals, which this process blocks. The child
 * leads a process group, so that the programs that it starts end with it. */
static void let_signals_through(posix_spawnattr_t *attributes, sigset_t mask) {
  for (int i = 0; i < ENDING_SIGNAL_COUNT; i++) sigdelset(&mask, ending_signals[i]);
  posix_spawnattr_init(attributes);
  posix_spawnattr_setsigmask(attributes, &mask);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
}

/* Whether a signal is pending that will end this process. */
static bool is_signal_waiting(void) {
  sigset_t waiting;
  sigpending(&waiting);
  for (int i = 0; i < ENDING_SIGNAL_COUNT; i++) {
    struct sigaction action;
    if (sigismember(&waiting, ending_signals[i]) != 1 || sigaction(ending_signals[i], NULL, &action)) continue;
    if (action.sa_handler != SIG_IGN) return true;
  }
  return false;
}

/* Waits until the child ends. If a signal is pending that will end this process, the result of the
 * child is of no use, and the child is ended too. */
static int wait_for_child(pid_t child, int *raw) {
  enum { SHORTEST = 1000 * 1000, LONGEST = 16 * SHORTEST, PATIENCE = 100 };
  struct timespec pause = {.tv_nsec = SHORTEST};
  int rounds = 0; /* rounds of the loop since SIGTERM was sent */
  for (pid_t ended; (ended = waitpid(child, raw, WNOHANG)) != child;) {
    if (ended < 0 && errno != EINTR) return errno;
    if (rounds || is_signal_waiting()) rounds++;
    if (rounds == 1) kill(-child, SIGTERM);
    if (rounds == PATIENCE) kill(-child, SIGKILL);
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < LONGEST) pause.tv_nsec *= 2;
  }
  return 0;
}

static status run_command(char *const *command, const char *output, const sigset_t *before, int *result) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  let_signals_through(&attributes, *before);
  pid_t child = 0;
  int failed = posix_spawnp(&child, command[0], &actions, &attributes, command, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return status_error(STATUS_CODE_io, "cannot run the compiler '%s': %s", command[0], strerror(failed));
  int raw = 0;
  failed = wait_for_child(child, &raw);
  if (failed) return status_error(STATUS_CODE_io, "waiting for '%s': %s", command[0], strerror(failed));
  *result = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  return STATUS_OK;
}

/* Blocks the ending signals meanwhile, so that run_command can pass them on to the child. */
status compile_run_command(char *const *command, const char *output, int *result) {
  sigset_t signals, before;
  compile_list_signals(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, &before);
  status s = run_command(command, output, &before, result);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return s;
}

/* Returns a path in a form that the compiler does not take for a file of options ("@x") or an
 * option ("-x"). */
static char *plain_path(arena *a, const char *path) {
  return *path == '@' || *path == '-' ? arena_printf(a, "./%s", path) : arena_strdup(a, path);
}

static void build_command(arena *a, words *command, const char *source, const char *library, bool has_simd,
                          const gnnc_program_options *options) {
  const char *compiler = getenv("CC"), *flags = options && options->flags ? options->flags : getenv("CFLAGS");
  add_words(a, command, compiler && *compiler ? compiler : "cc");
  add_words(a, command, "-std=c17 -ffp-contract=fast -fno-math-errno -O3");
  if (!options || !options->is_portable) add_words(a, command, "-march=native");
  if (has_simd) add_words(a, command, "-fopenmp-simd -DGNNC_OPENMP_SIMD");
  if (flags) add_words(a, command, flags);
  add_words(a, command, "-shared -fPIC -o");
  VEC_PUSH(a, command, plain_path(a, library));
  VEC_PUSH(a, command, plain_path(a, source));
  add_words(a, command, "-lm");
  VEC_PUSH(a, command, NULL);
}

const char *compile_find_gnnc(arena *a) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return "gnnc";
  self[length] = '\0';
  char *slash = strrchr(self, '/');
  if (!slash) return "gnnc";
  const char *beside = arena_printf(a, "%.*s/gnnc", (int)(slash - self), self);
  return access(beside, X_OK) ? "gnnc" : beside;
}

const char *compile_read_messages(arena *a, const char *path) {
  char *data = NULL;
  size_t size = 0;
  status s = file_read(a, path, &data, &size);
  if (s || !size) {
    status_free(s);
    return "it said nothing";
  }
  char *at = data;
  for (int line = 0; line < 8 && at; line++) at = strchr(at + (line > 0), '\n');
  if (at) *at = '\0';
  return data;
}

status compile_library(arena *a, const char *source, const char *folder, const gnnc_program_options *options,
                       const char **library) {
  const char *made = arena_printf(a, "%s/model.so", folder), *messages = arena_printf(a, "%s/messages.txt", folder);
  for (int has_simd = 1; has_simd >= 0; has_simd--) {
    words command = {0};
    build_command(a, &command, source, made, has_simd, options);
    int result = 0;
    RETURN_IF_ERROR(compile_run_command(command.items, messages, &result));
    if (!result) {
      *library = made;
      return STATUS_OK;
    }
    if (result < 0) return status_error(STATUS_CODE_io, "'%s' was interrupted", command.items[0]);
    if (has_simd) continue;
    return status_error(STATUS_CODE_unsupported, "'%s' does not compile it (exit status %d):\n%s", command.items[0],
                        result, compile_read_messages(a, messages));
  }
  return STATUS_OK;
}
