/* The functions of a program of training, and of one of derivatives: its phases, and those that belong to none. Weights
 * are arguments of phases that run, so bind depends on the graph alone.
 *
 *   gcn_train_bind(graph, bound, size, &index)      gcn_train_step(bound, inputs, weights, state, optimizer, &loss, ...)
 *                                                   gcn_train_backward(bound, inputs, weights, adjoints, gradients, ...) */
#include "codegen/c/interface/bind.h"
#include "codegen/c/interface/phases.h"
#include "codegen/c/interface/run.h"
#include "codegen/c/interface/train.h"

#define PLAIN(type_, name_) {.type = type_, .name = name_}
#define BOUND PLAIN("const void *", "bound")
#define STATE PLAIN("void *", "state")
#define INPUTS {"const M_inputs *", "inputs", "const void *const *", C_SPACE_input}
#define WEIGHTS {"const M_weights *", "weights", "float *const *", C_SPACE_weight}
#define OUTPUTS {"const M_outputs *", "outputs", "void *const *", C_SPACE_output}
#define GRADIENTS {"const M_gradients_out *", "gradients", "float *const *", C_SPACE_gradient}
#define UPDATES {"const M_updates *", "updates", "float *const *", C_SPACE_update}
#define ADJOINTS {"const M_adjoints *", "adjoints", "const float *const *", C_SPACE_adjoint}
#define WORKSPACE PLAIN("void *", "workspace")
#define CONTEXT PLAIN("const gnnc_context *", "context")

/* The comments of M.h, broken into lines as they appear there. */

static const char about_bind_bytes[] =
    "Bytes that bind needs for this graph: an upper bound from the numbers of nodes and edges (and graphs of a batch); "
    "0 where\n"
    " * they are negative or too large.";

static const char about_bind[] =
    "Checks the graph, and computes what depends on it alone, once. The threads of graph->context take part, if there "
    "is one; the\n"
    " * result is the same for any number of them. `bound` is a block of the caller of at least bound_bytes; 64-byte "
    "alignment is\n"
    " * best, any works; it must not move afterwards. It is read-only for the other functions and may be shared by "
    "threads. The graph\n"
    " * may be freed afterwards. On failure *index (may be NULL) says where: GNNC_ERROR_NULL (position in gnnc_graph), "
    "GNNC_ERROR_SIZE\n"
    " * (bytes needed), GNNC_ERROR_EDGE_RANGE (the edge), GNNC_ERROR_TYPE_RANGE (the edge or node), GNNC_ERROR_COUNT, "
    "GNNC_ERROR_VERSION\n"
    " * (size of the graph or of its context).";

static const char about_workspace_bytes[] =
    "Bytes of workspace that each of gradients, evaluate and step needs; 0 when `bound` was not filled by bind.";

static const char about_gradients[] =
    "Computes the loss with dropout, its gradients by the trained weights, and the next values of updated weights; "
    "weights stay as\n"
    " * they are. context->step tells the step, by which dropout chooses. The threads of context->executor take part, "
    "if there is\n"
    " * one; the result is the same for any number of them. `workspace` is the caller's, at least workspace_bytes, for "
    "one call at a\n"
    " * time. Fails with GNNC_ERROR_NULL, GNNC_ERROR_NOT_BOUND, GNNC_ERROR_CSR, GNNC_ERROR_INDEX_RANGE or "
    "GNNC_ERROR_VERSION (of the\n"
    " * context); the gradients are then untouched.";

static const char about_evaluate[] =
    "Computes the outputs of the model and the loss, without dropout and with the weights as they are. As gradients "
    "otherwise.";

static const char about_forward[] =
    "Computes the outputs with dropout and batch norms by the statistics of all rows, as a training program does, and "
    "the "
    "next values of\n"
    " * updated weights; weights stay as they are. context->step tells the step, by which dropout chooses. The threads "
    "of "
    "context->executor\n"
    " * take part, if there is one; the result is the same for any number of them. `workspace` is the caller's, at "
    "least "
    "workspace_bytes,\n"
    " * for one call at a time. Fails with GNNC_ERROR_NULL, GNNC_ERROR_NOT_BOUND, GNNC_ERROR_CSR, "
    "GNNC_ERROR_INDEX_RANGE or\n"
    " * GNNC_ERROR_VERSION (of the context); the outputs are then untouched.";

static const char about_backward_bytes[] =
    "Bytes of workspace that each of forward, evaluate and backward needs; 0 when `bound` was not filled by bind.";

static const char about_evaluate_alone[] =
    "Computes the outputs without dropout and with the weights as they are. As forward otherwise.";

static const char about_backward[] =
    "Computes the gradients of the trained weights, and of inputs where the program has them, from the adjoints of the "
    "outputs of\n"
    " * forward: what changes of an output's numbers change the caller's loss by. It computes what it needs of forward "
    "again, "
    "and drops the\n"
    " * same where context->step is the same. As forward otherwise.";

static const char about_initialize[] = "Fills all weights as their init says, from random numbers of this seed.";

static const char about_state_bytes[] =
    "Bytes of the state of training, which has the gradients and moments of trained weights; 0 when `bound` was not "
    "filled by bind.";

static const char about_reset[] =
    "Makes `state`, a block of the caller of at least state_bytes, the one before the first step: all moments are 0. "
    "It must not move\n"
    " * afterwards.";

static const char about_step[] =
    "Computes the gradients in the state, changes the trained weights by the rule of the optimizer, gives updated "
    "weights their next\n"
    " * values, and puts the loss before this change into *loss (may be NULL). Each step counts the steps of the "
    "state by one; the\n"
    " * correction of Adam's moments depends on this count. Fails as gradients does, and with GNNC_ERROR_STATE or "
    "GNNC_ERROR_OPTIMIZER;\n"
    " * weights and moments are then untouched.";

static const char about_apply[] =
    "Does the second half of a step: changes the trained weights by these gradients, which may be a sum over several "
    "calls of gradients,\n"
    " * and gives updated weights the values that are there. The loss among the gradients is not read. Counts as a "
    "step; "
    "afterwards the\n"
    " * state has the gradients. Fails as step does; weights and moments are then untouched.";

static const char about_state_tensor[] =
    "Where the state has the gradient (part 0) or a moment (1: of the gradients, 2: of their squares) of the weight "
    "with this number,\n"
    " * for checkpoints; NULL and 0 for weights that are not trained. Fails with GNNC_ERROR_STATE, or GNNC_ERROR_COUNT "
    "where there is no\n"
    " * such weight or part.";

static const char about_state_steps[] =
    "Where the state counts the steps that were done, for checkpoints; NULL where `state` is no state.";

/* The row of bind, which both kinds of programs have. */
#define BIND_ROW                                                                                                       \
  {.call = {.comment = about_bind,                                                                                     \
            .result = "gnnc_result",                                                                                   \
            .name = "bind",                                                                                            \
            .parameters = {PLAIN("const gnnc_graph *", "graph"), PLAIN("void *", "bound"),                             \
                           PLAIN("size_t ", "bound_size"), PLAIN("int64_t *", "index")}},                              \
   .bytes = {.comment = about_bind_bytes,                                                                              \
             .result = "size_t",                                                                                       \
             .name = "bound_bytes",                                                                                    \
             .parameters = {PLAIN("const gnnc_graph *", "graph")}},                                                    \
   .presence = C_PRESENCE_always,                                                                                      \
   .memory = C_MEMORY_bound,                                                                                           \
   .slot = "scratch",                                                                                                  \
   .fills_bound = true,                                                                                                \
   .is_threaded = true,                                                                                                \
   .takes_version = true,                                                                                              \
   .locals = {"result", "needed", "ignored", "given", "magic", "ntype_ptr", "M_bound_bytes", "context", "sort",        \
              "made"},                                                                                                 \
   .emit_bytes = c_bind_emit_bytes,                                                                                    \
   .emit_begin = c_bind_emit_begin,                                                                                    \
   .emit_end = c_bind_emit_end}

const c_phase_row c_train_phases[] = {
    BIND_ROW,
    {.call = {.comment = about_gradients,
              .result = "gnnc_result",
              .name = "gradients",
              .parameters = {BOUND, INPUTS, WEIGHTS, GRADIENTS, WORKSPACE, CONTEXT}},
     .bytes = {.comment = about_workspace_bytes,
               .result = "size_t",
               .name = "workspace_bytes",
               .parameters = {BOUND, CONTEXT}},
     .presence = C_PRESENCE_required,
     .memory = C_MEMORY_work,
     .slot = "slot",
     .has_interface = true,
     .results = C_SPACE_gradient,
     .is_threaded = true,
     .locals = {"made"},
     .emit_helpers = c_run_emit_helpers,
     .emit_bytes = c_run_emit_bytes,
     .emit_begin = c_run_emit_begin},
    {.call = {.comment = about_evaluate,
              .result = "gnnc_result",
              .name = "evaluate",
              .parameters = {BOUND, INPUTS, WEIGHTS, OUTPUTS, WORKSPACE, CONTEXT}},
     .presence = C_PRESENCE_required,
     .memory = C_MEMORY_work,
     .slot = "evaluate",
     .has_interface = true,
     .results = C_SPACE_output,
     .is_threaded = true,
     .locals = {"made"},
     .emit_begin = c_run_emit_begin},
    {.call = {.name = NULL}},
};

const c_phase_row c_backward_phases[] = {
    BIND_ROW,
    {.call = {.comment = about_forward,
              .result = "gnnc_result",
              .name = "forward",
              .parameters = {BOUND, INPUTS, WEIGHTS, OUTPUTS, UPDATES, WORKSPACE, CONTEXT}},
     .bytes = {.comment = about_backward_bytes,
               .result = "size_t",
               .name = "workspace_bytes",
               .parameters = {BOUND, CONTEXT}},
     .presence = C_PRESENCE_required,
     .memory = C_MEMORY_work,
     .slot = "forward",
     .has_interface = true,
     .results = C_SPACE_output,
     .is_threaded = true,
     .locals = {"made"},
     .emit_helpers = c_run_emit_helpers,
     .emit_bytes = c_run_emit_bytes,
     .emit_begin = c_run_emit_begin},
    {.call = {.comment = about_evaluate_alone,
              .result = "gnnc_result",
              .name = "evaluate",
              .parameters = {BOUND, INPUTS, WEIGHTS, OUTPUTS, WORKSPACE, CONTEXT}},
     .presence = C_PRESENCE_required,
     .memory = C_MEMORY_work,
     .slot = "evaluate",
     .has_interface = true,
     .results = C_SPACE_output,
     .is_threaded = true,
     .locals = {"made"},
     .emit_begin = c_run_emit_begin},
    {.call = {.comment = about_backward,
              .result = "gnnc_result",
              .name = "backward",
              .parameters = {BOUND, INPUTS, WEIGHTS, ADJOINTS, GRADIENTS, WORKSPACE, CONTEXT}},
     .presence = C_PRESENCE_required,
     .memory = C_MEMORY_work,
     .slot = "slot",
     .has_interface = true,
     .results = C_SPACE_gradient,
     .is_threaded = true,
     .locals = {"made"},
     .emit_begin = c_run_emit_begin},
    {.call = {.name = NULL}},
};

/* A function that both kinds have. */
#define INITIALIZE                                                                                                     \
  {.comment = about_initialize,                                                                                        \
   .result = "gnnc_result",                                                                                            \
   .name = "initialize",                                                                                               \
   .parameters = {BOUND, WEIGHTS, PLAIN("uint64_t ", "seed")},                                                         \
   .emit = c_train_emit_initialize}

const c_phase_function c_train_functions[] = {
    INITIALIZE,
    {.comment = about_state_bytes,
     .result = "size_t",
     .name = "state_bytes",
     .parameters = {BOUND},
     .emit = c_train_emit_state_bytes},
    {.comment = about_reset,
     .result = "gnnc_result",
     .name = "reset",
     .parameters = {BOUND, STATE},
     .emit = c_train_emit_reset},
    {.comment = about_step,
     .result = "gnnc_result",
     .name = "step",
     .parameters = {BOUND, INPUTS, WEIGHTS, STATE, PLAIN("const gnnc_optimizer *", "optimizer"),
                    PLAIN("float *", "loss"), WORKSPACE, CONTEXT},
     .emit = c_train_emit_step},
    {.comment = about_apply,
     .result = "gnnc_result",
     .name = "apply",
     .parameters = {BOUND, GRADIENTS, WEIGHTS, STATE, PLAIN("const gnnc_optimizer *", "optimizer"), CONTEXT},
     .emit = c_train_emit_apply},
    {.comment = about_state_tensor,
     .result = "gnnc_result",
     .name = "state_tensor",
     .parameters = {BOUND, STATE, PLAIN("int32_t ", "weight"), PLAIN("int32_t ", "part"), PLAIN("float **", "data"),
                    PLAIN("int64_t *", "count")},
     .emit = c_train_emit_state_tensor},
    {.comment = about_state_steps,
     .result = "int64_t *",
     .name = "state_steps",
     .parameters = {STATE},
     .emit = c_train_emit_state_steps},
    {.name = NULL},
};

const c_phase_function c_backward_functions[] = {
    INITIALIZE,
    {.name = NULL},
};
