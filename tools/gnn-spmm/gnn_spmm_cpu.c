/* Measures the same product in C on the host: a model of one sum over incoming edges, which gnnc
 * compiles for its C target and the host's compiler to a library, as gnn-run does.
 *
 * Node r of the graph has row r of A, of B and of C, so that a graph of a matrix that is not square
 * has nodes without edges. */
#include "tools/gnn-spmm/gnn_spmm.h"

#include "runtime/compile.h"
#include "runtime/gnnc/executor.h"
#include "support/clock.h"
#include "support/file.h"
#include "support/huge_pages.h"
#include "support/number.h"
#include "support/temporary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RUNS = 9 };
#define ENOUGH_SECONDS 2.0

static const char model[] = "model spmm {\n"
                            "  graph g;\n"
                            "  input w : edge f32;\n"
                            "  input x : node f32[N];\n"
                            "  input c : node f32[N];\n"
                            "  for n in g.nodes { n.y = %.9g * sum(e in n.incoming: e.w * e.src.x) + %.9g * n.c; }\n"
                            "  output y = n.y;\n"
                            "}\n";

/* ---- compiling ---- */

static status compile(arena *a, const char *folder, const spmm_problem *p, const char *source, const char *made) {
  const char *messages = arena_printf(a, "%s/messages.txt", folder);
  const char *text_of_model = arena_printf(a, model, (double)p->alpha, (double)p->beta);
  RETURN_IF_ERROR(file_write(source, text_of_model, strlen(text_of_model)));
  char *const command[] = {arena_strdup(a, compile_find_gnnc(a)),
                           arena_strdup(a, "--target=c"),
                           arena_printf(a, "--dim=N=%" PRId64, p->n),
                           arena_strdup(a, source),
                           arena_strdup(a, "-o"),
                           arena_strdup(a, made),
                           NULL};
  int result = 0;
  RETURN_IF_ERROR(compile_run_command(command, messages, &result));
  if (!result) return STATUS_OK;
  return status_error(STATUS_CODE_unsupported, "'%s' does not compile the product (exit status %d): %s", command[0],
                      result, compile_read_messages(a, messages));
}

/* Compiles the model in a folder that is removed; the library stays open. */
static status open_program(arena *a, const spmm_problem *p, gnnc_program **out) {
  static const char *const names[] = {"model.gnn", "model.c", "model.h", "model.json"};
  enum { FILES = sizeof names / sizeof *names };
  const char *folder, *files[FILES];
  RETURN_IF_ERROR(compile_make_folder(a, &folder));
  for (int i = 0; i < FILES; i++) {
    files[i] = arena_printf(a, "%s/%s", folder, names[i]);
    temporary_add_file(files[i]);
  }
  status s = compile(a, folder, p, files[0], files[1]);
  if (!s) s = gnnc_program_open(files[1], NULL, out);
  for (int i = 0; i < FILES; i++) {
    unlink(files[i]);
    temporary_forget(files[i]);
  }
  compile_remove_folder(folder);
  return s;
}

/* ---- running ---- */

/* The blocks that binding and running need; all are on the heap. */
typedef struct blocks {
  float *x, *c, *y;
  void *bound, *workspace;
} blocks;

static void *allocate(size_t bytes) {
  void *block = aligned_alloc(64, (bytes / 64 + 1) * 64);
  huge_pages_advise(block, bytes);
  return block;
}

static void free_blocks(blocks *b) {
  free(b->x);
  free(b->c);
  free(b->y);
  free(b->bound);
  free(b->workspace);
}

static status no_memory(void) {
  return status_error(STATUS_CODE_memory, "no memory for the dense matrices");
}

static status make_dense(const spmm_problem *p, int64_t nodes, blocks *b) {
  size_t bytes = (size_t)(nodes * p->n) * sizeof *b->x;
  b->x = allocate(bytes);
  b->c = allocate(bytes);
  b->y = allocate(bytes);
  if (!b->x || !b->c || !b->y) return no_memory();
  for (int64_t r = 0; r < nodes; r++)
    for (int64_t n = 0; n < p->n; n++) {
      b->x[r * p->n + n] = spmm_b(p, r, n);
      b->c[r * p->n + n] = spmm_c_in(p, r, n);
    }
  return STATUS_OK;
}

static status bind(const gnnc_model_info *info, const gnnc_graph *view, blocks *b) {
  static const void *const no_weights[] = {NULL};
  int64_t index = 0;
  size_t size = info->bound_bytes(view);
  b->bound = allocate(size);
  if (!size || !b->bound) return no_memory();
  gnnc_result result = info->bind(GNNC_ABI_VERSION, view, no_weights, b->bound, size, &index);
  if (result) return status_error(STATUS_CODE_mismatch, "bind failed with result %d at %" PRId64, (int)result, index);
  size_t workspace = info->workspace_bytes(b->bound, NULL);
  b->workspace = workspace == SIZE_MAX ? NULL : allocate(workspace);
  return b->workspace ? STATUS_OK : no_memory();
}

/* The arrays in the order of the model's inputs. */
static void list_inputs(const gnnc_model_info *info, const spmm_problem *p, const blocks *b, const void *inputs[3]) {
  for (int32_t i = 0; i < info->num_inputs && i < 3; i++) {
    char name = *info->inputs[i].name;
    inputs[i] = name == 'w' ? (const void *)p->a.value : name == 'x' ? b->x : b->c;
  }
}

static status run(const gnnc_model_info *info, const spmm_problem *p, const gnnc_context *context, blocks *b,
                  spmm_cpu *out) {
  const int64_t nodes = number_max(p->a.rows, p->a.columns);
  const gnnc_graph view = {.size = sizeof view,
                           .num_nodes = nodes,
                           .num_edges = p->a.count,
                           .src = p->a.column,
                           .dst = p->a.row,
                           .context = context};
  const void *inputs[3] = {0};
  void *outputs[1];
  double seconds[MOST_RUNS], all = 0;
  RETURN_IF_ERROR(make_dense(p, nodes, b));
  RETURN_IF_ERROR(bind(info, &view, b));
  list_inputs(info, p, b, inputs);
  outputs[0] = b->y;
  out->runs = 0;
  for (int i = -1; i < MOST_RUNS && all < ENOUGH_SECONDS; i++) { /* the first run warms the caches */
    double begin = clock_seconds();
    gnnc_result result = info->run(b->bound, inputs, outputs, b->workspace, context);
    if (result) return status_error(STATUS_CODE_mismatch, "run failed with result %d", (int)result);
    double took = clock_seconds() - begin;
    all += took;
    seconds[i < 0 ? 0 : i] = took;
    out->runs = i < 1 ? 1 : i + 1;
  }
  number_sort(seconds, (size_t)out->runs);
  out->ms = seconds[out->runs / 2] * 1e3;
  return STATUS_OK;
}

static status measure(arena *a, const spmm_problem *p, int64_t threads, spmm_cpu *out) {
  gnnc_program *program = NULL;
  blocks b = {0};
  RETURN_IF_ERROR(open_program(a, p, &program));
  gnnc_pool *pool = gnnc_pool_create((int32_t)threads);
  const gnnc_context context = {.size = sizeof context, .executor = pool ? gnnc_pool_executor(pool) : NULL};
  status s = pool ? run(gnnc_program_info(program), p, &context, &b, out) : no_memory();
  free_blocks(&b);
  gnnc_pool_destroy(pool);
  gnnc_program_close(program);
  return s;
}

void spmm_cpu_measure(arena *a, const spmm_problem *p, int64_t threads, spmm_cpu *out) {
  *out = (spmm_cpu){.threads = threads};
  status s = measure(a, p, threads, out);
  if (s) {
    const char *message = status_message(s);
    out->skipped = arena_strndup(a, message, strcspn(message, "\n"));
    status_free(s);
  }
}
