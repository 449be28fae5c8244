/* Messages have the exact text and order, and are counted or silenced by the options. */
#include "support/diag.h"
#include "unit.h"

/* A source, an engine, and the messages that the engine printed. */
typedef struct fixture {
  arena *memory;
  source *source;
  diag *diag;
  FILE *out;
} fixture;

static fixture open_fixture(const char *name, const char *text) {
  fixture f = {.memory = arena_create()};
  f.source = source_create(f.memory, name, text, strlen(text));
  f.out = tmpfile();
  f.diag = diag_create(f.out);
  diag_add_source(f.diag, f.source);
  return f;
}

static const char *printed(fixture *f) {
  long size = ftell(f->out);
  char *text = arena_alloc(f->memory, (size_t)size + 1);
  CHECK_INT(fseek(f->out, 0, SEEK_SET), 0);
  CHECK_INT(fread(text, 1, (size_t)size, f->out), size);
  return text;
}

static void close_fixture(fixture *f) {
  diag_destroy(f->diag);
  fclose(f->out);
  arena_destroy(f->memory);
}

static span at(const fixture *f, uint32_t begin, uint32_t end) {
  return (span){f->source, begin, end};
}

TEST(a_message_shows_its_line_with_a_caret_under_the_span) {
  fixture f = open_fixture("cora.gnn", "dim H;\n  let y = relu(h @ W1);\n");
  diag_report(f.diag, at(&f, 22, 28), DIAG_shape_mismatch, "'h' has %d columns here, but weight '%s' takes %d", 16,
              "W1", 32);
  diag_note(f.diag, at(&f, 4, 5), "'H' is declared here");
  CHECK_STR(printed(&f), "cora.gnn:2:16: error: 'h' has 16 columns here, but weight 'W1' takes 32   [shape-mismatch]\n"
                         "    2 |   let y = relu(h @ W1);\n"
                         "      |                ^~~~~~\n"
                         "cora.gnn:1:5: note: 'H' is declared here\n"
                         "    1 | dim H;\n"
                         "      |     ^\n");
  close_fixture(&f);
}

TEST(tabs_are_widened_and_other_control_characters_replaced) {
  fixture f = open_fixture("a.gnn", "\tx\x1b[31m = \xff;");
  diag_report(f.diag, at(&f, 1, 2), DIAG_unknown_name, "no 'x'");
  CHECK_STR(printed(&f), "a.gnn:1:2: error: no 'x'   [unknown-name]\n"
                         "    1 |         x?[31m = ?;\n"
                         "      |         ^\n");
  close_fixture(&f);
}

TEST(letters_of_several_bytes_take_one_column_under_the_caret) {
  fixture f = open_fixture("a.gnn", "# \xc3\xa4\xc3\xb6\nlet \xc3\xa4 = x;");
  diag_report(f.diag, at(&f, 11, 13), DIAG_lexical, "no letter");
  CHECK_HAS(printed(&f), "    2 | let \xc3\xa4 = x;\n"
                         "      |     ^\n");
  close_fixture(&f);
}

TEST(a_long_line_is_shown_as_a_window_around_the_caret) {
  char line[1001];
  memset(line, 'a', 1000);
  line[1000] = '\0';
  line[500] = '@';
  fixture f = open_fixture("a.gnn", line);
  diag_report(f.diag, at(&f, 500, 501), DIAG_lexical, "what");
  const char *text = printed(&f);
  CHECK(strlen(text) < 300);
  CHECK_HAS(text, "    1 | ...aaaa");
  CHECK_HAS(text, "aaaa...\n");
  const char *mark = strchr(text, '@'), *caret = strchr(text, '^');
  CHECK(mark && caret);
  const char *line_begin = strstr(text, "    1 |"), *caret_begin = strstr(text, "      |");
  CHECK_INT(mark - line_begin, caret - caret_begin);
  close_fixture(&f);
}

TEST(a_span_over_several_lines_is_underlined_to_the_end_of_the_first) {
  fixture f = open_fixture("a.gnn", "for n {\n}\n");
  diag_report(f.diag, at(&f, 0, 9), DIAG_syntax, "what");
  CHECK_HAS(printed(&f), "      | ^~~~~~~\n");
  close_fixture(&f);
}

TEST(a_message_at_the_end_of_the_text_points_behind_it) {
  fixture f = open_fixture("a.gnn", "model m {");
  diag_report(f.diag, at(&f, 9, 9), DIAG_syntax, "'}' is missing");
  CHECK_STR(printed(&f), "a.gnn:1:10: error: '}' is missing   [syntax]\n"
                         "    1 | model m {\n"
                         "      |          ^\n");
  close_fixture(&f);
}

TEST(a_message_without_a_place_is_one_line) {
  fixture f = open_fixture("a.gnn", "");
  diag_report(f.diag, (span){0}, DIAG_unknown_option, "no option '--x'");
  CHECK_STR(printed(&f), "error: no option '--x'   [unknown-option]\n");
  close_fixture(&f);
}

TEST(an_ir_location_finds_its_source_by_the_last_part_of_its_name) {
  fixture f = open_fixture("models/a.gnn", "x\ny\n");
  diag_report_at(f.diag, "a.gnn", 2, 1, DIAG_unsupported, "not here");
  diag_report_at(f.diag, "b.gnn", 2, 1, DIAG_unsupported, "not there");
  diag_report_at(f.diag, "b.gnn", 0, 0, DIAG_unsupported, "nowhere");
  CHECK_STR(printed(&f), "models/a.gnn:2:1: error: not here   [unsupported]\n"
                         "    2 | y\n"
                         "      | ^\n"
                         "b.gnn:2:1: error: not there   [unsupported]\n"
                         "b.gnn: error: nowhere   [unsupported]\n");
  close_fixture(&f);
}

TEST(of_many_errors_and_warnings_the_first_are_shown_and_the_others_counted) {
  enum { COUNT = 50000 };
  char *content = malloc(COUNT + 1);
  if (!content) abort();
  memset(content, '\n', COUNT);
  content[COUNT] = '\0';
  fixture f = open_fixture("a.gnn", content);
  CHECK(!diag_is_full(f.diag));
  for (int twice = 0; twice < 2; twice++)
    for (uint32_t i = 0; i < COUNT; i++) {
      diag_report(f.diag, at(&f, i, i + 1), DIAG_unknown_name, "no '%u'", i);
      diag_note(f.diag, at(&f, i, i + 1), "note %u", i);
      if (i <= DIAG_MOST_SHOWN) diag_report(f.diag, at(&f, i, i + 1), DIAG_unused_value, "idle %u", i);
    }
  CHECK_INT(diag_error_count(f.diag), COUNT);
  CHECK_INT(diag_warning_count(f.diag), DIAG_MOST_SHOWN + 1);
  CHECK(diag_is_full(f.diag));
  diag_destroy(f.diag);
  const char *all = printed(&f);
  CHECK_HAS(all, "a.gnn:100:1: error: no '99'");
  CHECK_HAS(all, "note 99");
  CHECK_HAS(all, "idle 99");
  CHECK(!strstr(all, "no '100'") && !strstr(all, "note 100") && !strstr(all, "idle 100"));
  CHECK_HAS(all, "note: 49900 more errors\nnote: 1 more warning\nnote: stopped after 50000 errors\n");
  f.diag = NULL;
  close_fixture(&f);
  free(content);
}

TEST(the_same_message_at_the_same_span_is_printed_once_and_its_notes_too) {
  fixture f = open_fixture("a.gnn", "x y");
  for (int i = 0; i < 2; i++) {
    diag_report(f.diag, at(&f, 0, 1), DIAG_unknown_name, "no 'x'");
    diag_note(f.diag, at(&f, 2, 3), "see");
  }
  diag_report(f.diag, at(&f, 2, 3), DIAG_unknown_name, "no 'x'");
  CHECK_INT(diag_error_count(f.diag), 2);
  const char *text = printed(&f);
  CHECK_HAS(text, "note: see");
  CHECK(!strstr(strstr(text, "note: see") + 1, "note: see"));
  close_fixture(&f);
}

TEST(a_thousand_different_messages_are_all_counted) {
  fixture f = open_fixture("a.gnn", "x");
  for (int i = 0; i < 1000; i++) diag_report(f.diag, at(&f, 0, 1), DIAG_unknown_name, "no '%d'", i);
  for (int i = 0; i < 1000; i++) diag_report(f.diag, at(&f, 0, 1), DIAG_unknown_name, "no '%d'", i);
  CHECK_INT(diag_error_count(f.diag), 1000);
  close_fixture(&f);
}

TEST(warnings_are_counted_silenced_and_made_errors_by_their_id) {
  fixture f = open_fixture("a.gnn", "x");
  diag_report(f.diag, at(&f, 0, 1), DIAG_unused_weight, "a");
  CHECK_INT(diag_warning_count(f.diag), 1);
  CHECK(!diag_has_errors(f.diag));
  CHECK(diag_set_option(f.diag, "no-unused-weight"));
  diag_report(f.diag, at(&f, 0, 1), DIAG_unused_weight, "b");
  CHECK_INT(diag_warning_count(f.diag), 1);
  CHECK(diag_set_option(f.diag, "error=unused-weight"));
  diag_report(f.diag, at(&f, 0, 1), DIAG_unused_weight, "c");
  CHECK_INT(diag_error_count(f.diag), 1);
  CHECK(diag_set_option(f.diag, "error"));
  diag_report(f.diag, at(&f, 0, 1), DIAG_unused_value, "d");
  CHECK_INT(diag_error_count(f.diag), 2);
  CHECK(!diag_set_option(f.diag, "no-such-thing"));
  CHECK(!diag_set_option(f.diag, "error=no-such-thing"));
  close_fixture(&f);
}

TEST(an_error_cannot_be_silenced) {
  fixture f = open_fixture("a.gnn", "x");
  CHECK(diag_set_option(f.diag, "no-syntax"));
  diag_report(f.diag, at(&f, 0, 1), DIAG_syntax, "a");
  CHECK_INT(diag_error_count(f.diag), 1);
  close_fixture(&f);
}

TEST(every_row_of_the_table_has_a_dashed_name_and_an_explanation) {
  for (int i = 0; i < DIAG_count; i++) {
    CHECK(!strchr(diag_table[i].name, '_'));
    CHECK(strlen(diag_table[i].name) > 2);
    CHECK(strlen(diag_table[i].summary) > 10);
    CHECK(strlen(diag_table[i].explanation) > 80);
  }
  CHECK_STR(diag_table[DIAG_shape_mismatch].name, "shape-mismatch");
}

static void remember(void *user, diag_severity severity, diag_id id, const char *file, unsigned line, unsigned column,
                     const char *message) {
  char *line_out = user;
  snprintf(line_out, 200, "%d %s %s %u:%u %s", (int)severity, diag_table[id].name, file, line, column, message);
}

TEST(a_sink_gets_the_message_instead_of_the_stream) {
  fixture f = open_fixture("a.gnn", "x\ny");
  char got[200] = "";
  diag_set_sink(f.diag, remember, got);
  diag_report(f.diag, at(&f, 2, 3), DIAG_internal, "pass '%s'", "p");
  CHECK_STR(got, "0 internal a.gnn 2:1 pass 'p'");
  CHECK_STR(printed(&f), "");
  close_fixture(&f);
}

TEST(the_nearest_name_is_suggested_only_when_it_is_near) {
  const char *names[] = {"gcn_conv", "gat_conv", "relu", "W1"};
  CHECK_STR(diag_nearest("gcn_cnov", names, 4), "gcn_conv");
  CHECK_STR(diag_nearest("rleu", names, 4), "relu");
  CHECK_STR(diag_nearest("w1", names, 4), "W1");
  CHECK(diag_nearest("softmax", names, 4) == NULL);
  CHECK(diag_nearest("", names, 4) == NULL);
  CHECK(diag_nearest("x", names, 4) == NULL);
}
