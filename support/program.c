/* The start and the end of every program: see program.h.
 *
 * If the caller has closed standard output, the first file that a program opens would get its
 * descriptor, and the program would print its summary into that file. The descriptor is therefore
 * opened here, in a mode in which writes fail as they would on the closed descriptor, and
 * program_end reports that. */
#include "support/program.h"

#include "support/progress.h"
#include "support/temporary.h"
#include "support/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *program_name = "";

void program_begin(const char *name) {
  static const int wrong_ways[] = {O_WRONLY, O_RDONLY, O_RDWR}; /* standard error accepts the writes */
  program_name = name;
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong_ways[fd]) != fd) exit(EXIT_FAILURE);
  temporary_watch_signals();
}

void program_begin_message(const char *command, terminal_style severity) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  progress_clear();
  bool has_colour = terminal_has_colour(stderr);
  const char *plain = terminal_begin(has_colour, TERMINAL_plain);
  fprintf(stderr, "%s%s%s%s:%s %s%s:%s ", terminal_begin(has_colour, TERMINAL_place), program_name, command ? " " : "",
          command ? command : "", plain, terminal_begin(has_colour, severity), names[severity], plain);
}

static void print(const char *command, terminal_style severity, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
static void print(const char *command, terminal_style severity, const char *format, va_list args) {
  text message = {0}, line = {0};
  text_vprintf(&message, format, args);
  text_append_printable_lines(&line, text_str(&message));
  program_begin_message(command, severity);
  fputs(text_str(&line), stderr);
  text_free(&message);
  text_free(&line);
}

static _Thread_local bool is_muted;

void program_mute(bool is_mute) {
  is_muted = is_mute;
}

void program_error(const char *format, ...) {
  va_list args;
  if (is_muted) return;
  va_start(args, format);
  print(NULL, TERMINAL_error, format, args);
  va_end(args);
  fputc('\n', stderr);
}

void program_warning(const char *format, ...) {
  va_list args;
  if (is_muted) return;
  va_start(args, format);
  print(NULL, TERMINAL_warning, format, args);
  va_end(args);
  fputc('\n', stderr);
}

void program_usage_v(const char *command, const char *format, va_list args) {
  print(command, TERMINAL_error, format, args);
  fprintf(stderr, "; see %s%s%s --help\n", program_name, command ? " " : "", command ? command : "");
}

void program_usage(const char *command, const char *format, ...) {
  va_list args;
  va_start(args, format);
  program_usage_v(command, format, args);
  va_end(args);
}

int program_end(int exit_code) {
  progress_end();
  if (!fflush(stdout) && !ferror(stdout)) return exit_code;
  program_error("cannot write to standard output");
  return exit_code ? exit_code : EXIT_FAILURE;
}
