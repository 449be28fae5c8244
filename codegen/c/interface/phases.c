/* The phases that a generated program may have: see phases.h, and model/phase.h for what the
 * columns mean. */
#include "codegen/c/interface/phases.h"

#include "codegen/c/interface/bind.h"
#include "codegen/c/interface/run.h"

/* A plain parameter, and parameters that are structs of the interface. */
#define PLAIN(type_, name_) {.type = type_, .name = name_}
#define WEIGHTS {"const M_weights *", "weights", "const void *const *", C_SPACE_weight}
#define INPUTS {"const M_inputs *", "inputs", "const void *const *", C_SPACE_input}
#define OUTPUTS {"const M_outputs *", "outputs", "void *const *", C_SPACE_output}

/* The comments of M.h, broken into lines as they appear there. */

static const char about_bind_bytes[] =
    "Bytes that bind needs for this graph: an upper bound from the numbers of nodes and edges (and graphs of a batch); "
    "0 where\n"
    " * they are negative or too large.";

static const char about_bind[] =
    "Checks the graph, keeps what run needs of graph and weights, and computes what depends on them alone, once. "
    "The threads of\n"
    " * graph->context take part, if there is one; the result is the same for any number of them. `bound` is a block "
    "of\n"
    " * the caller of at least bound_bytes; 64-byte alignment is best, any works; it must not move afterwards. It is "
    "read-only for run and\n"
    " * may be shared by threads. Graph and weights may be freed afterwards. On failure *index (may be NULL) says "
    "where:\n"
    " * GNNC_ERROR_NULL (position in gnnc_graph or M_weights), GNNC_ERROR_SIZE (bytes needed), GNNC_ERROR_EDGE_RANGE "
    "(the edge),\n"
    " * GNNC_ERROR_TYPE_RANGE (the edge or node), GNNC_ERROR_EDGE_ENDS (the edge), GNNC_ERROR_COUNT, "
    "GNNC_ERROR_VERSION (size of the\n"
    " * graph or of its context).";

static const char about_run_bytes[] = "Bytes of workspace that run needs; 0 when `bound` was not filled by bind.";

static const char about_run[] =
    "Computes the outputs from the inputs. The threads of context->executor take part, if there is one; the result is "
    "the same for any\n"
    " * number of them. `workspace` is the caller's, at least workspace_bytes, for one run at a time. Fails with "
    "GNNC_ERROR_NULL,\n"
    " * GNNC_ERROR_NOT_BOUND, GNNC_ERROR_CSR, GNNC_ERROR_INDEX_RANGE or GNNC_ERROR_VERSION (of the context); outputs "
    "are then untouched.";

const c_phase_row c_phases[] = {
    {.call = {.comment = about_bind,
              .result = "gnnc_result",
              .name = "bind",
              .parameters = {PLAIN("const gnnc_graph *", "graph"), WEIGHTS, PLAIN("void *", "bound"),
                             PLAIN("size_t ", "bound_size"), PLAIN("int64_t *", "index")}},
     .bytes = {.comment = about_bind_bytes,
               .result = "size_t",
               .name = "bound_bytes",
               .parameters = {PLAIN("const gnnc_graph *", "graph")}},
     .presence = C_PRESENCE_always,
     .memory = C_MEMORY_bound,
     .slot = "scratch",
     .fills_bound = true,
     .is_threaded = true,
     .takes_version = true,
     .locals = {"result", "needed", "ignored", "given", "magic", "ntype_ptr", "M_bound_bytes", "context", "sort",
                "made"},
     .emit_bytes = c_bind_emit_bytes,
     .emit_begin = c_bind_emit_begin,
     .emit_end = c_bind_emit_end},
    {.call = {.comment = about_run,
              .result = "gnnc_result",
              .name = "run",
              .parameters = {PLAIN("const void *", "bound"), INPUTS, OUTPUTS, PLAIN("void *", "workspace"),
                             PLAIN("const gnnc_context *", "context")}},
     .bytes = {.comment = about_run_bytes,
               .result = "size_t",
               .name = "workspace_bytes",
               .parameters = {PLAIN("const void *", "bound"), PLAIN("const gnnc_context *", "context")}},
     .presence = C_PRESENCE_required,
     .memory = C_MEMORY_work,
     .slot = "slot",
     .has_interface = true,
     .results = C_SPACE_output,
     .is_threaded = true,
     .locals = {"made"},
     .emit_helpers = c_run_emit_helpers,
     .emit_bytes = c_run_emit_bytes,
     .emit_begin = c_run_emit_begin},
    {.call = {.name = NULL}},
};

const c_phase_function *c_phases_functions(const c_model *m) {
  static const c_phase_function none[] = {{.name = NULL}};
  return m->is_backward ? c_backward_functions : m->is_training ? c_train_functions : none;
}
