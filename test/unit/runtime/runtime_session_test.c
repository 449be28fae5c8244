/* Programs and sessions of generated models: they are opened, refused with a reason, and get
 * inputs in the form that a model wants. The model here is written by hand against the ABI; end-
 * to-end tests use generated ones. */
#include "data/formats/safetensors.h"
#include "runtime/gnnc/runtime.h"
#include "support/file.h"
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* y[n] = sum of row n of x (2 dense or 3 sparse columns) * w + c of edge n, where edge n exists. */
static const char model_text[] =
    "/* gnnc model tiny: by hand. */\n"
    "#include \"gnnc/abi.h\"\n"
    "static const gnnc_tensor_info inputs[] = {{\"x\", \"x\", \"graph\", GNNC_ROWS_NODE, 0, 1, {COLUMNS}, SPARSE},\n"
    "  {\"c\", \"c\", \"graph\", GNNC_ROWS_EDGE, 0, 0, {0}, 0}};\n"
    "static const gnnc_tensor_info weights[] = {{\"w\", \"lin.w\", \"weights\", GNNC_ROWS_ONE, 0, 1, {1}, 0}};\n"
    "static const gnnc_tensor_info outputs[] = {{\"y\", \"y\", \"\", GNNC_ROWS_NODE, 0, 0, {0}, 0}};\n"
    "typedef struct block { int64_t nodes, edges; float w; } block;\n"
    "size_t tiny_bound_bytes(const gnnc_graph *g) { return g->num_nodes > 9 ? 0 : sizeof(block); }\n"
    "gnnc_result tiny_bind(int32_t v, const gnnc_graph *g, const void *const *w, void *b, size_t size, int64_t *index) "
    "{\n"
    "  (void)size;\n"
    "  if (v != GNNC_ABI_VERSION) return GNNC_ERROR_VERSION;\n"
    "  if (NEEDS_TYPES && !g->edge_type) { *index = 5; return GNNC_ERROR_NULL; }\n"
    "  *(block *)b = (block){g->num_nodes, g->num_edges, ((const float *)w[0])[0]};\n"
    "  return GNNC_OK;\n"
    "}\n"
    "size_t tiny_workspace_bytes(const void *b, const gnnc_context *t) { (void)b; (void)t; return 8; }\n"
    "gnnc_result tiny_run(const void *bound, const void *const *in, void *const *out, void *ws, const gnnc_context *t) "
    "{\n"
    "  const block *b = bound; const float *x = in[0], *c = in[1]; const gnnc_csr *s = in[0]; float *y = out[0];\n"
    "  (void)ws; (void)t; (void)x; (void)s;\n"
    "  for (int64_t n = 0; n < b->nodes; n++) {\n"
    "    float sum = 0;\n"
    "    if (SPARSE) for (int64_t k = s->indptr[n]; k < s->indptr[n + 1]; k++) sum += s->data[k] * "
    "(float)(s->indices[k] + 1);\n"
    "    else for (int64_t j = 0; j < COLUMNS; j++) sum += x[n * COLUMNS + j] * (float)(j + 1);\n"
    "    y[n] = sum * b->w + (n < b->edges ? c[n] : 0);\n"
    "  }\n"
    "  return GNNC_OK;\n"
    "}\n"
    "static const gnnc_model_info info = {VERSION, sizeof info, \"tiny\", 2, 1, 1, inputs, weights, outputs, "
    "tiny_bound_bytes, "
    "tiny_bind,\n"
    "  tiny_workspace_bytes, tiny_run};\n"
    "const gnnc_model_info *tiny_info(void) { return &info; }\n";

#define BUILD "-O1 -I" GNNC_SOURCE_DIR "/runtime -DCOLUMNS=3 -DNEEDS_TYPES=0 "
#define DENSE BUILD "-DSPARSE=0 -DVERSION=3"

static const char *folder(void) {
  static char made[] = "/tmp/gnnc-runtime-XXXXXX";
  static bool is_made;
  if (!is_made) is_made = mkdtemp(made) != NULL;
  return made;
}

__attribute__((destructor)) static void remove_folder(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", folder());
  if (system(command)) perror(command);
}

static const char *path(const char *name) {
  static char made[8][128];
  static int next;
  char *at = made[next = (next + 1) % 8];
  snprintf(at, sizeof made[0], "%s/%s", folder(), name);
  return at;
}

static const char *write_text(const char *name, const char *content) {
  CHECK_OK(file_write(path(name), content, strlen(content)));
  return path(name);
}

static void add(tensor_set *set, const char *name, dtype d, int32_t rank, int64_t rows, int64_t columns,
                const void *values, size_t size) {
  void *data = NULL;
  CHECK_OK(tensor_set_add(set, name, d, rank, (int64_t[]){rows, columns}, &data));
  memcpy(data, values, size);
}

static const float dense_x[4][3] = {{1, 0, 2}, {0, 0, 0}, {0, 3, 0}, {4, 5, 6}};

/* Writes a graph of 4 nodes and 2 edges; the flags choose fields and mistakes. */
static const int32_t whole_x[4][3] = {{1, 0, 2}, {0, 0, 0}, {0, 3, 0}, {4, 5, 6}};
enum { WITH_DENSE = 1, WITH_SPARSE = 2, WITH_C = 4, NARROW = 8, UNEQUAL = 16, WHOLE = 32 };
static const char *write_graph(int flags) {
  tensor_set *set = tensor_set_create("graph");
  static const int64_t edges[2][2] = {{0, 1}, {2, 3}};
  static const int32_t indptr[] = {0, 2, 2, 3, 6}, indices[] = {0, 2, 1, 0, 1, 2};
  static const float data[] = {1, 2, 3, 4, 5, 6}, other[] = {1, 2, 3, 4, 7, 6}, c[] = {100, 200};
  add(set, "edge_index", DTYPE_I64, 2, 2, 2, edges, sizeof edges);
  add(set, "y", DTYPE_I32, 1, 4, 0, (const int32_t[]){0, 0, 0, 0}, 16);
  if (flags & WITH_DENSE)
    add(set, "x", flags & WHOLE ? DTYPE_I32 : DTYPE_F32, 2, 4, flags & NARROW ? 2 : 3,
        flags & WHOLE ? (const void *)whole_x : dense_x, sizeof dense_x - (flags & NARROW ? 16 : 0));
  if (flags & WITH_SPARSE) {
    add(set, "x_indptr", DTYPE_I32, 1, 5, 0, indptr, sizeof indptr);
    add(set, "x_indices", DTYPE_I32, 1, 6, 0, indices, sizeof indices);
    add(set, "x_data", DTYPE_F32, 1, 6, 0, flags & UNEQUAL ? other : data, sizeof data);
  }
  if (flags & WITH_C) add(set, "c", DTYPE_F32, 1, 2, 0, c, sizeof c);
  tensor_set_put_metadata_int(set, "num_nodes", 4);
  CHECK_OK(safetensors_write(path("graph.safetensors"), set));
  tensor_set_destroy(set);
  return path("graph.safetensors");
}

/* Writes lin.w of shape [1] in any type. */
static const char *write_weight(dtype d, const void *values) {
  tensor_set *set = tensor_set_create("weights");
  add(set, "lin.w", d, 1, 1, 0, values, dtype_bytes(d));
  CHECK_OK(safetensors_write(path("weights.safetensors"), set));
  tensor_set_destroy(set);
  return path("weights.safetensors");
}

static const char *write_weights(const char *name, int64_t count) {
  tensor_set *set = tensor_set_create("weights");
  add(set, name, DTYPE_F32, 1, count, 0, (const float[]){2, 9}, (size_t)count * 4);
  CHECK_OK(safetensors_write(path("weights.safetensors"), set));
  tensor_set_destroy(set);
  return path("weights.safetensors");
}

static gnnc_program *open_model(const char *flags) {
  gnnc_program *program = NULL;
  CHECK_OK(gnnc_program_open(write_text("tiny.c", model_text), &(gnnc_program_options){.flags = flags}, &program));
  return program;
}

static void check_outputs(const char *flags, int graph_flags) {
  gnnc_program *program = open_model(flags);
  gnnc_session *session = NULL;
  if (!program) return;
  CHECK_OK(gnnc_session_create(program, write_graph(graph_flags), write_weights("lin.w", 1), &session));
  if (session) {
    CHECK_OK(gnnc_session_run(session, NULL));
    int64_t rows = 0;
    const float *y = gnnc_session_output(session, 0, &rows);
    static const float expected[] = {114, 200, 12, 64};
    CHECK_INT(rows, 4);
    for (int i = 0; i < 4; i++) CHECK_NEAR(y[i], expected[i], 0);
  }
  gnnc_session_destroy(session);
  gnnc_program_close(program);
}

TEST(dense_and_sparse_features_arrive_in_the_form_the_model_takes) {
  check_outputs(DENSE, WITH_C | WITH_DENSE);
  check_outputs(DENSE, WITH_C | WITH_SPARSE);
  check_outputs(BUILD "-DSPARSE=1 -DVERSION=3", WITH_C | WITH_DENSE);
  check_outputs(BUILD "-DSPARSE=1 -DVERSION=3", WITH_C | WITH_SPARSE);
  check_outputs(BUILD "-DSPARSE=1 -DVERSION=3", WITH_C | WITH_SPARSE | WITH_DENSE);
}

TEST(what_is_missing_or_has_another_shape_is_named_with_its_file) {
  gnnc_program *program = open_model(DENSE);
  gnnc_session *session = NULL;
  if (!program) return;
  const char *weights = write_weights("lin.w", 1);
  CHECK_FAILS(gnnc_session_create(program, write_graph(WITH_DENSE), weights, &session),
              "graph.safetensors: no field 'c' for input 'c'");
  CHECK(!session);
  CHECK_FAILS(gnnc_session_create(program, write_graph(WITH_DENSE | WITH_C | NARROW), weights, &session),
              "'x' has shape [4, 2], the model takes [4, 3] for 'x'");
  CHECK_FAILS(gnnc_session_create(program, write_graph(WITH_DENSE | WITH_C), NULL, &session),
              "the model needs 'lin.w' from a weights file; none was given");
  CHECK_FAILS(gnnc_session_create(program, path("graph.safetensors"), write_weights("other", 1), &session),
              "weights.safetensors: no tensor 'lin.w'");
  CHECK_FAILS(gnnc_session_create(program, path("graph.safetensors"), write_weights("lin.w", 2), &session),
              "weights.safetensors: 'lin.w' has shape [2], the model takes [1] for 'w'");
  CHECK_FAILS(gnnc_session_create(program, path("nothing"), weights, &session), "nothing");
  gnnc_program_close(program);
  program = open_model(BUILD "-UNEEDS_TYPES -DNEEDS_TYPES=1 -DSPARSE=0 -DVERSION=3");
  if (!program) return;
  CHECK_FAILS(gnnc_session_create(program, path("graph.safetensors"), write_weights("lin.w", 1), &session),
              "the model needs 'edge_type', which the graph does not have");
  gnnc_program_close(program);
}

TEST(dense_and_sparse_forms_of_one_input_that_differ_are_refused) {
  gnnc_session *session = NULL;
  for (int is_sparse = 0; is_sparse < 2; is_sparse++) {
    gnnc_program *program = open_model(is_sparse ? BUILD "-DSPARSE=1 -DVERSION=3" : DENSE);
    if (!program) return;
    CHECK_FAILS(gnnc_session_create(program, write_graph(WITH_DENSE | WITH_SPARSE | WITH_C | UNEQUAL),
                                    write_weights("lin.w", 1), &session),
                "graph.safetensors: 'x' at [3, 1] is 5 in its dense form and 7 in its sparse form");
    CHECK(!session);
    gnnc_program_close(program);
  }
}

TEST(floats_of_any_width_are_converted_and_whole_numbers_refused) {
  gnnc_program *program = open_model(DENSE);
  gnnc_session *session = NULL;
  if (!program) return;
  const struct {
    dtype type;
    const void *two;
  } floats[] = {
      {DTYPE_F16, &(const uint16_t){0x4000}}, {DTYPE_BF16, &(const uint16_t){0x4000}}, {DTYPE_F64, &(const double){2}}};
  for (size_t i = 0; i < sizeof floats / sizeof floats[0]; i++) {
    const char *weights = write_weight(floats[i].type, floats[i].two);
    CHECK_OK(gnnc_session_create(program, write_graph(WITH_DENSE | WITH_C), weights, &session));
    if (session) CHECK_OK(gnnc_session_run(session, NULL));
    if (session) CHECK_NEAR(gnnc_session_output(session, 0, NULL)[0], 114, 0);
    gnnc_session_destroy(session);
  }
  CHECK_FAILS(
      gnnc_session_create(program, path("graph.safetensors"), write_weight(DTYPE_I32, &(const int32_t){2}), &session),
      "weights.safetensors: 'lin.w' holds I32, the model takes F32, F16, BF16 or F64 for 'w'");
  gnnc_program_close(program);
}

TEST(whole_numbers_of_the_graph_become_f32) {
  gnnc_program *program = open_model(DENSE);
  gnnc_session *session = NULL;
  if (!program) return;
  CHECK_OK(gnnc_session_create(program, write_graph(WITH_DENSE | WITH_C | WHOLE), write_weights("lin.w", 1), &session));
  if (session) CHECK_OK(gnnc_session_run(session, NULL));
  if (session) CHECK_NEAR(gnnc_session_output(session, 0, NULL)[0], 114, 0);
  gnnc_session_destroy(session);
  gnnc_program_close(program);
}

TEST(outputs_are_written_whole_or_for_chosen_nodes) {
  gnnc_program *program = open_model(DENSE);
  gnnc_session *session = NULL;
  if (!program) return;
  CHECK_OK(gnnc_session_create(program, write_graph(WITH_DENSE | WITH_C), write_weights("lin.w", 1), &session));
  CHECK_OK(gnnc_session_run(session, NULL));
  CHECK_OK(gnnc_session_write(session, path("out.safetensors"), (const int64_t[]){3, 0, 3}, 3));
  tensor_set *set = NULL;
  CHECK_OK(safetensors_open(path("out.safetensors"), &set));
  const tensor *y = set ? tensor_set_find(set, "y") : NULL;
  CHECK(y && y->rank == 1 && y->dims[0] == 3);
  if (y) CHECK(!memcmp(y->data, (const float[]){64, 114, 64}, 12));
  const char *made_by = set ? tensor_set_get_metadata(set, "made_by") : NULL;
  CHECK(made_by && !strncmp(made_by, "libgnnc ", 8) && !strcmp(made_by + 8, gnnc_version()));
  tensor_set_destroy(set);
  CHECK_FAILS(gnnc_session_write(session, path("out.safetensors"), (const int64_t[]){4}, 1),
              "node 4 was asked for, the graph has 4 nodes");
  CHECK_OK(safetensors_open(path("out.safetensors"), &set)); /* the old file is still complete */
  tensor_set_destroy(set);
  gnnc_session_statistics s = gnnc_session_get_statistics(session);
  CHECK_INT(s.num_nodes, 4);
  CHECK_INT(s.num_edges, 2);
  CHECK(s.bound_bytes > 0 && s.workspace_bytes == 8);
  gnnc_session_destroy(session);
  gnnc_program_close(program);
}

TEST(a_library_that_was_saved_opens_without_a_compiler) {
  gnnc_program *program = NULL;
  gnnc_program_options options = {.flags = DENSE, .library = path("tiny.so"), .keeps_files = false};
  CHECK_OK(gnnc_program_open(write_text("tiny.c", model_text), &options, &program));
  gnnc_program_close(program);
  CHECK_OK(gnnc_program_open(path("tiny.so"), NULL, &program));
  if (program) CHECK_STR(gnnc_program_info(program)->name, "tiny");
  if (program) CHECK_STR(gnnc_program_folder(program), "");
  gnnc_program_close(program);
}

TEST(the_private_folder_is_gone_when_open_returns_unless_its_files_are_kept) {
  gnnc_program *program = NULL;
  gnnc_program_options options = {.flags = DENSE};
  const char *base = path("temporary");
  CHECK(!mkdir(base, 0700));
  CHECK(!setenv("TMPDIR", base, 1));
  CHECK_OK(gnnc_program_open(write_text("tiny.c", model_text), &options, &program));
  if (program) CHECK_STR(gnnc_program_folder(program), "");
  CHECK(!rmdir(base)); /* succeeds only when it is empty */
  gnnc_program_close(program);
  CHECK(!mkdir(base, 0700));
  CHECK_FAILS(gnnc_program_open(write_text("bad.c", "/* gnnc model bad: */\nint x = ;\n"), &options, &program),
              "bad.c");
  CHECK(!rmdir(base));
  CHECK(!mkdir(base, 0700));
  options.keeps_files = true;
  CHECK_OK(gnnc_program_open(path("tiny.c"), &options, &program));
  char kept[256] = "";
  if (program) snprintf(kept, sizeof kept, "%s/model.so", gnnc_program_folder(program));
  gnnc_program_close(program);
  CHECK(!access(kept, F_OK));
  CHECK(!unsetenv("TMPDIR"));
}

/* Whether a folder has an entry of gnnc. A compiler that is ended may leave temporary files of its own. */
static bool has_folder_of_gnnc(const char *base) {
  bool is_there = false;
  DIR *folder = opendir(base);
  CHECK(folder);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    is_there |= !strncmp(entry->d_name, "gnnc-", strlen("gnnc-"));
  if (folder) closedir(folder);
  return is_there;
}

/* A compiler that ends its parent, as Ctrl-C would, and goes on. */
TEST(a_signal_waits_until_the_folder_is_gone) {
  const char *base = path("interrupted"), *compiler = write_text("cc.sh", "kill -TERM $PPID\nexec cc \"$@\"\n");
  char command[256];
  snprintf(command, sizeof command, "sh %s", compiler);
  CHECK(!mkdir(base, 0700));
  write_text("tiny.c", model_text);
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    gnnc_program *program = NULL;
    if (setenv("TMPDIR", base, 1) || setenv("CC", command, 1)) _exit(2);
    gnnc_status s = gnnc_program_open(path("tiny.c"), &(gnnc_program_options){.flags = DENSE}, &program);
    _exit(s ? 3 : 0);
  }
  int result = 0;
  CHECK(waitpid(child, &result, 0) == child);
  CHECK(WIFSIGNALED(result) && WTERMSIG(result) == SIGTERM);
  CHECK(!has_folder_of_gnnc(base));
}

TEST(files_that_are_no_programs_are_refused_with_the_reason) {
  gnnc_program *program = NULL;
  unsigned char elf[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  CHECK_FAILS(gnnc_program_open(path("missing.c"), NULL, &program), "missing.c");
  CHECK_FAILS(gnnc_program_open(write_text("other.c", "int x;\n"), NULL, &program), "not C made by gnnc");
  CHECK_FAILS(gnnc_program_open(write_text("text.bin", "hello"), NULL, &program), "neither C made by gnnc");
  CHECK_OK(file_write(path("prog.bin"), elf, sizeof elf));
  CHECK_FAILS(gnnc_program_open(path("prog.bin"), NULL, &program),
              "a program for a simulated machine, which has no functions to call; gnn-run runs it");
  elf[18] = 62;
  CHECK_OK(file_write(path("broken.so"), elf, sizeof elf));
  CHECK_FAILS(gnnc_program_open(path("broken.so"), NULL, &program), "cannot load it");
  CHECK_FAILS(gnnc_program_open(write_text("bad.c", "/* gnnc model bad: */\nint x = ;\n"), NULL, &program),
              "does not compile it (exit status 1):");
  CHECK_FAILS(gnnc_program_open(write_text("none.c", "/* gnnc model none: */\nint x_info;\n"), NULL, &program),
              "no gnnc model in it");
  CHECK_FAILS(gnnc_program_open(write_text("tiny.c", model_text),
                                &(gnnc_program_options){.flags = BUILD "-DSPARSE=0 -DVERSION=7"}, &program),
              "model 'tiny' speaks version 7 of the ABI, this program version 3");
  CHECK(!program);
  CHECK(!setenv("CC", "no-such-compiler", 1));
  CHECK_FAILS(gnnc_program_open(path("tiny.c"), NULL, &program), "cannot run the compiler 'no-such-compiler'");
  CHECK(!unsetenv("CC"));
}

static const gnnc_context *context_seen;

static size_t plain_bound_bytes(const gnnc_graph *g) {
  (void)g;
  return 8;
}
static gnnc_result plain_bind(int32_t v, const gnnc_graph *g, const void *const *w, void *b, size_t n, int64_t *i) {
  (void)v, (void)g, (void)w, (void)b, (void)n, (void)i;
  return GNNC_OK;
}
static size_t plain_workspace_bytes(const void *b, const gnnc_context *context) {
  (void)b, (void)context;
  return 8;
}
static gnnc_result plain_run(const void *b, const void *const *in, void *const *out, void *w,
                             const gnnc_context *context) {
  (void)b, (void)in, (void)out, (void)w;
  context_seen = context;
  return GNNC_OK;
}

TEST(a_linked_model_gets_the_context_of_the_caller) {
  static const gnnc_model_info info = {.abi_version = GNNC_ABI_VERSION,
                                       .name = "plain",
                                       .bound_bytes = plain_bound_bytes,
                                       .bind = plain_bind,
                                       .workspace_bytes = plain_workspace_bytes,
                                       .run = plain_run};
  gnnc_program *program = NULL;
  gnnc_session *session = NULL;
  CHECK_OK(gnnc_program_of_model(&info, &program));
  CHECK_OK(gnnc_session_create(program, write_graph(WITH_DENSE), NULL, &session));
  const gnnc_context context = {.size = sizeof context};
  if (session) CHECK_OK(gnnc_session_run(session, &context));
  CHECK(context_seen == &context);
  gnnc_session_destroy(session);
  gnnc_program_close(program);
}

TEST(a_graph_too_large_to_count_is_refused) {
  gnnc_program *program = open_model(DENSE);
  gnnc_session *session = NULL;
  if (!program) return;
  tensor_set *set = tensor_set_create("graph");
  static const float x[10 * 3] = {0}, c[1] = {0};
  static const int64_t edges[2] = {0, 9};
  add(set, "edge_index", DTYPE_I64, 2, 2, 1, edges, sizeof edges);
  add(set, "x", DTYPE_F32, 2, 10, 3, x, sizeof x);
  add(set, "c", DTYPE_F32, 1, 1, 0, c, sizeof c);
  CHECK_OK(safetensors_write(path("large.safetensors"), set));
  tensor_set_destroy(set);
  CHECK_FAILS(gnnc_session_create(program, path("large.safetensors"), write_weights("lin.w", 1), &session),
              "more than the model can count");
  gnnc_program_close(program);
}

/* The graph determines the number of rows; x has a column for each feature. */
TEST(an_input_of_one_node_type_has_a_row_for_each_of_its_nodes) {
  static const gnnc_tensor_info part = {.name = "x.paper",
                                        .from = "x.paper",
                                        .file = "graph",
                                        .rows = GNNC_ROWS_PART,
                                        .count = 1,
                                        .rank = 1,
                                        .dims = {3}};
  static const gnnc_model_info info = {.abi_version = GNNC_ABI_VERSION,
                                       .name = "plain",
                                       .num_inputs = 1,
                                       .inputs = &part,
                                       .num_outputs = 1,
                                       .outputs = &part,
                                       .bound_bytes = plain_bound_bytes,
                                       .bind = plain_bind,
                                       .workspace_bytes = plain_workspace_bytes,
                                       .run = plain_run};
  static const int64_t edges[2] = {0, 3};
  for (int rows = 2; rows <= 4; rows++) {
    gnnc_program *program = NULL;
    gnnc_session *session = NULL;
    tensor_set *set = tensor_set_create("graph");
    add(set, "edge_index", DTYPE_I64, 2, 2, 1, edges, sizeof edges);
    add(set, "node_type", DTYPE_I32, 1, 4, 0, (const int32_t[]){1, 0, 1, 1}, 16);
    add(set, "x.paper", DTYPE_F32, 2, rows, 3, dense_x, (size_t)rows * 12);
    CHECK_OK(safetensors_write(path("parts.safetensors"), set));
    tensor_set_destroy(set);
    CHECK_OK(gnnc_program_of_model(&info, &program));
    if (rows == 3) {
      int64_t count = 0;
      CHECK_OK(gnnc_session_create(program, path("parts.safetensors"), NULL, &session));
      if (session) (void)gnnc_session_output(session, 0, &count);
      CHECK_INT(count, 3);
      gnnc_session_statistics s = session ? gnnc_session_get_statistics(session) : (gnnc_session_statistics){0};
      CHECK_INT(s.input_bytes, 3 * 12 + 2 * 4 + 4 * 4);
      CHECK_INT(s.output_bytes, 3 * 12);
    } else {
      CHECK_FAILS(gnnc_session_create(program, path("parts.safetensors"), NULL, &session),
                  rows == 2 ? "'x.paper' has shape [2, 3], the model takes [3, 3] for 'x.paper'"
                            : "'x.paper' has shape [4, 3], the model takes [3, 3] for 'x.paper'");
    }
    gnnc_session_destroy(session);
    gnnc_program_close(program);
  }
}
