/* The line that says how far a program is, as it arrives in a file in place of standard error. */
#include "support/progress.h"

#include "support/arena.h"
#include "support/file.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "support_progress_test.txt";

/* Standard error becomes the file. */
static int begin_capture(void) {
  fflush(stderr);
  int kept = dup(STDERR_FILENO);
  FILE *file = fopen(path, "w");
  CHECK(file && kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
  if (file) fclose(file);
  return kept;
}

static char *end_capture(arena *a, int kept) {
  char *said = NULL;
  size_t size;
  fflush(stderr);
  CHECK(dup2(kept, STDERR_FILENO) >= 0);
  close(kept);
  CHECK_OK(file_read(a, path, &said, &size));
  remove(path);
  return said ? said : "";
}

TEST(every_step_is_shown_at_once_where_it_is_asked_for_and_the_line_is_cleared) {
  arena *a = arena_create();
  int kept = begin_capture();
  progress_begin("gnn-test", PROGRESS_always);
  progress_step("count", "edges", 200);
  progress_set(50);
  progress_clear();
  progress_step("read a\x1b[31m", "bytes", 1500000);
  progress_end();
  progress_step("afterwards", NULL, 0);
  const char *said = end_capture(a, kept);
  CHECK_HAS(said, "\rgnn-test: count, 0 % of 200 edges");
  CHECK_HAS(said, "\rgnn-test: read a?[31m, 0 % of 2 MB");
  CHECK(!strstr(said, "afterwards"));
  size_t length = strlen(said);
  CHECK(length > 2 && said[length - 1] == '\r' && said[length - 2] == ' ');
  arena_destroy(a);
}

TEST(work_that_goes_on_is_drawn_again_with_what_is_done) {
  arena *a = arena_create();
  int kept = begin_capture();
  progress_begin("gnn-test", PROGRESS_always);
  progress_step("count", "edges", 200);
  progress_set(40);
  progress_add(10);
  for (int i = 0; i < 300; i++) { /* until it is drawn again, at most 30 s */
    usleep(100000);
    fflush(stderr);
    if (lseek(STDERR_FILENO, 0, SEEK_CUR) > 45) break;
  }
  progress_end();
  CHECK_HAS(end_capture(a, kept), "\rgnn-test: count, 25 % of 200 edges");
  arena_destroy(a);
}

TEST(nothing_is_shown_in_a_file_or_where_it_is_not_wanted) {
  static const progress_mode modes[] = {PROGRESS_auto, PROGRESS_never};
  arena *a = arena_create();
  for (int i = 0; i < 2; i++) {
    int kept = begin_capture();
    progress_begin("gnn-test", modes[i]);
    progress_step("count", "edges", 200);
    progress_set(200);
    progress_clear();
    progress_end();
    CHECK_STR(end_capture(a, kept), "");
  }
  arena_destroy(a);
}

TEST(a_long_name_of_a_step_is_cut_to_the_width_of_a_terminal) {
  arena *a = arena_create();
  char name[200];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  int kept = begin_capture();
  progress_begin("gnn-test", PROGRESS_always);
  progress_step(name, "edges", INT64_MAX);
  progress_end();
  const char *said = end_capture(a, kept);
  CHECK(*said == '\r' && strcspn(said + 1, "\r") == 79);
  arena_destroy(a);
}

TEST(modes_have_names) {
  progress_mode mode = PROGRESS_auto;
  CHECK(progress_parse_mode("never", &mode) && mode == PROGRESS_never);
  CHECK(progress_parse_mode("always", &mode) && mode == PROGRESS_always);
  CHECK(progress_parse_mode("auto", &mode) && mode == PROGRESS_auto);
  CHECK(!progress_parse_mode("sometimes", &mode));
}
