/* What a generated model and its caller agree on. Every generated header carries this text under the same guard, so a model
 * needs no other file, and several models fit in one program. All tensors are row-major f32, integer inputs i32; nodes and edges are in the
 * caller's order. Structs with a member `size` may grow at their end: whoever fills one sets size to its sizeof. */
#ifndef GNNC_ABI_H
#define GNNC_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Raised when a struct below changes; a model checks it in bind. */
#define GNNC_ABI_VERSION 3

typedef enum gnnc_result {
  GNNC_OK = 0,
  GNNC_ERROR_VERSION, /* index = the caller's ABI version; of a struct: its size, which is none that this version knows */
  GNNC_ERROR_NULL,    /* a required pointer is NULL; index = position in its struct */
  GNNC_ERROR_SIZE,    /* bound block too small; index = bytes needed */
  GNNC_ERROR_EDGE_RANGE, /* an endpoint outside the nodes; index = the edge */
  GNNC_ERROR_TYPE_RANGE, /* an edge or node type outside the weights; index = the edge or node */
  GNNC_ERROR_COUNT, /* negative or too large num_nodes, num_edges or num_graphs, or too many edges of a graph made of them */
  GNNC_ERROR_NOT_BOUND,   /* run was given a block that this model's bind did not fill */
  GNNC_ERROR_CSR,         /* a sparse input has unordered rows or a column out of range; index = the entry or row */
  GNNC_ERROR_INDEX_RANGE, /* run: an integer input has a value outside of its range, which gnnc_tensor_info has */
  GNNC_ERROR_EDGE_ENDS, /* an edge whose ends have other types than the model declares for its type; index = the edge */
  GNNC_ERROR_STATE,     /* training: the state is no block that this model's reset filled */
  GNNC_ERROR_OPTIMIZER, /* training: the optimizer has a kind that this version does not know, a number out of its range, or clips on ranks
                           that train a row for each node */
  GNNC_ERROR_COMM, /* an exchange between ranks failed */
} gnnc_result;

/* Runs the parts of loops, in any number of threads. gnnc/executor.h has some; any pool of threads can be one. */
typedef struct gnnc_executor {
  size_t size;   /* sizeof(gnnc_executor) */
  void *user;    /* of the executor */
  int32_t width; /* threads that may take parts at once, 1 or more */
  /* Calls body(data, part) once for each part of 0 .. parts - 1, in any order and from any threads, and returns when all these
   * calls have returned. */
  void (*for_parts)(void *user, int64_t parts, void (*body)(void *data, int64_t part), void *data);
} gnnc_executor;

/* A step of training. Random choices, as those of dropout, are functions of both numbers. */
typedef struct gnnc_step {
  uint64_t seed;
  int64_t number; /* from 1; 0: no step */
} gnnc_step;

/* The numbers that the nodes and edges of a graph have in a larger one of which it is a part: random choices for a row are made by
 * these, so that they are those of the larger graph. */
typedef struct gnnc_part {
  const int32_t *nodes; /* [num_nodes] */
  const int32_t *edges; /* [num_edges] */
  int64_t num_edges;    /* of the larger graph: new self loops are numbered after its edges, in the order of nodes */
} gnnc_part;

/* Rows of one value: node n has row_bytes bytes at data + n * row_bytes. */
typedef struct gnnc_node_rows {
  void *data;
  size_t row_bytes;
} gnnc_node_rows;

/* The place of this caller among ranks that compute one graph together: processes, or threads of one. Each rank binds a graph of its
 * own nodes, the edges into them, and its ghosts: nodes of other ranks at the other ends of these edges. Ghosts have the last numbers of
 * the graph's nodes. A program that says GNNC_RANKS_OUT_EDGES gets the edges out of own nodes, too, some of which lead into ghosts; for
 * others there are no edges into ghosts. Inputs have rows for ghosts; outputs get none. A model that was made with --ranks calls the
 * functions below in the same order on all ranks and always from the thread that called bind or run. What they return, if not GNNC_OK,
 * bind and run return. */
typedef struct gnnc_comm {
  size_t size;          /* sizeof(gnnc_comm) */
  void *user;           /* of the functions */
  int64_t num_ghosts;   /* 0 .. num_nodes: the last nodes of the graph */
  int64_t num_interior; /* nodes 0 .. num_interior - 1 share no edge with ghosts */
  /* Sends own rows of the values to the ranks that have them as ghosts, and begins to receive the rows of ghosts. Until end, the model
   * reads own rows of these values and touches no ghost's. */
  gnnc_result (*begin)(void *user, const gnnc_node_rows *values, int32_t num_values);
  /* Returns when the rows of all ghosts are there and own rows may be written again. Each begin has one end, before the next begin. */
  gnnc_result (*end)(void *user);
  /* What follows is for programs that say GNNC_RANKS_CELLS; others do not read it. The graph is cut into cells, of which each rank has
   * some that follow one another. Sums over all nodes are made cell by cell, and then added in a binary tree over the numbers of the
   * cells: their bits depend on the cells, and not on the number of ranks. */
  int32_t rank, ranks;
  const int32_t
      *cells; /* [ranks + 1] rank r has cells cells[r] .. cells[r + 1] - 1, of 64 at most; NULL: there are none */
  const int64_t *
      cell_ptr; /* [cells[ranks] + 1] own nodes of cell c are entries cell_ptr[c] .. cell_ptr[c + 1] - 1, none of other ranks' */
  const int32_t
      *cell_nodes; /* [own nodes] entry -> node, each once; in a cell in an order on which all ranks would agree */
  /* Row n has row_bytes bytes, from 0 on, at rows + n * row_bytes. Rank r has written the rows with the numbers numbers[ptr[r]] ..
   * numbers[ptr[r + 1] - 1], which may be none. Returns when this rank has the rows of all; it touches no others, and own rows stay. The
   * lists are the same on all ranks. */
  gnnc_result (*share)(void *user, void *rows, size_t row_bytes, const int32_t *ptr, const int32_t *numbers);
  /* For programs that say GNNC_RANKS_EDGES; others do not read it, and callers of a size that ends before it need not know of it. Edge e of the graph
   * has row_bytes bytes at rows + places[e] * row_bytes; places is NULL: at rows + e * row_bytes. Sends the rows of edges from ghosts into
   * own nodes to the ranks of the ghosts, and returns when this rank has those of edges out of own nodes into ghosts from the ranks of
   * these. Edges between two ranks are taken in an order on which both would agree, as that of the whole graph. Places of several edges
   * may be equal: then their rows are, too. */
  gnnc_result (*share_edges)(void *user, void *rows, size_t row_bytes, const int32_t *places);
  /* For programs that say GNNC_RANKS_COLUMNS; others do not read it, and callers of a size that ends before it need not know of it. 1: the rank has
   * all edges, its ghosts are all nodes of other ranks, and what is computed from the rows of all nodes is computed by columns. A row consists
   * of strips, of which rank r has the numbers strips * r / ranks .. strips * (r + 1) / ranks - 1. */
  int32_t has_columns;
  /* to_rows = 0: from the own rows of all ranks, strips * strip_bytes each, each rank gets its strips of all nodes, in groups of 2^k
   * strips for the binary digits of their number, the largest first: group after group, in it node after node. to_rows = 1: from these strips of all ranks each rank gets its own rows. Returns when both may be read and
   * written. */
  gnnc_result (*transpose)(void *user, const void *from, void *to, size_t strip_bytes, int32_t strips, int32_t to_rows);
} gnnc_comm;

/* How a function is run; NULL stands for all zeros. */
typedef struct gnnc_context {
  size_t size;                   /* sizeof(gnnc_context) */
  const gnnc_executor *executor; /* NULL: the calling thread does all the work */
  const gnnc_step *step;         /* of training; NULL: {0, 0}; callers whose size ends before it need not know of it */
  const gnnc_part *part;         /* of training; NULL: the bound graph is whole; the same holds for earlier callers */
  const gnnc_comm *comm;         /* NULL: there is one rank, and no ghosts; the same holds for earlier callers */
} gnnc_context;

/* A directed multigraph: edge e goes from src[e] to dst[e]. Type arrays may be NULL where the model asks for none. */
typedef struct gnnc_graph {
  size_t size; /* sizeof(gnnc_graph) */
  int64_t num_nodes;
  int64_t num_edges;
  const int32_t *src;          /* [num_edges] */
  const int32_t *dst;          /* [num_edges] */
  const int32_t *edge_type;    /* [num_edges] or NULL */
  const int32_t *node_type;    /* [num_nodes] or NULL */
  const int32_t *batch;        /* [num_nodes] graph of each node in a batch, or NULL */
  int64_t num_graphs;          /* graphs in the batch; 0 where batch is NULL: the nodes are one graph then */
  const gnnc_context *context; /* how bind is executed; callers whose size ends before it need not know of it */
} gnnc_graph;

/* Node rows with most entries zero: row n holds entries indptr[n] .. indptr[n+1]-1. */
typedef struct gnnc_csr {
  const int64_t *indptr;  /* [num_nodes + 1] */
  const int32_t *indices; /* column of each entry */
  const float *data;      /* value of each entry */
} gnnc_csr;

/* What an input, weight or output is. */
typedef enum gnnc_rows {
  GNNC_ROWS_ONE,
  GNNC_ROWS_NODE,
  GNNC_ROWS_EDGE,
  GNNC_ROWS_ETYPE,
  GNNC_ROWS_NTYPE,
  GNNC_ROWS_GRAPH,
  GNNC_ROWS_PART /* nodes of one type, in the order of the graph */
} gnnc_rows;

typedef struct gnnc_tensor_info {
  const char *name; /* field of the generated struct */
  const char *from; /* name in its file */
  const char *file; /* where tools look for it: "graph" or "weights" */
  gnnc_rows rows;   /* leading dimension: none, nodes, edges, types, graphs, nodes of one type */
  int64_t count;    /* GNNC_ROWS_ETYPE, _NTYPE: rows, which the model says; GNNC_ROWS_PART: the type; else 0 */
  int32_t rank;     /* of one row */
  int64_t dims[6];
  int32_t is_sparse;     /* 1: the field points to a gnnc_csr */
  int32_t is_integer;    /* 1: the field points to int32_t */
  const int32_t *ranges; /* of integers: smallest and largest value of each element of a row; NULL: any */
} gnnc_tensor_info;

/* Where a model exchanges something: whatever ranks have, where they have rows, or where they have columns. */
typedef enum gnnc_exchange_mode { GNNC_EXCHANGE_ALWAYS, GNNC_EXCHANGE_ROWS, GNNC_EXCHANGE_COLUMNS } gnnc_exchange_mode;

/* What a model exchanges. Rows of ghosts: num_ghosts * row_bytes bytes come in. Or rows of edges, by share_edges: those of all edges out of own
 * nodes into ghosts. Or a transposition of rows, of which a strip has row_bytes / strips bytes: to columns, the rank gets its strips of each
 * ghost; to rows, the other strips of each own node. */
typedef struct gnnc_exchange_info {
  const char *names; /* of the values, as the model calls them: "conv1.z, conv1.p" */
  int32_t in_bind;   /* 1: once, in bind; 0: in each run */
  size_t row_bytes;  /* of all these values together */
  int32_t of_edges;  /* 1: rows of edges; 0: of ghosts, or a transposition */
  int32_t mode;      /* of gnnc_exchange_mode */
  int32_t strips;    /* of a transposition; else 0 */
  int32_t to_rows;   /* of a transposition: 1: from columns to rows; 0: from rows to columns */
} gnnc_exchange_info;

/* What a model that was made with --ranks needs of the ranks, added up. */
typedef enum gnnc_rank_need {
  GNNC_RANKS = 1,              /* it was made with --ranks */
  GNNC_RANKS_WHOLE_GRAPHS = 2, /* it reads all nodes of a graph at once, so each graph of a batch must be of one rank */
  GNNC_RANKS_OUT_EDGES = 4,    /* the edges out of own nodes */
  GNNC_RANKS_CELLS = 8,    /* sums over all nodes: the context of bind and run must have cells, where it has ranks */
  GNNC_RANKS_EDGES = 16,   /* rows of edges: it must have share_edges, where it has ranks */
  GNNC_RANKS_COLUMNS = 32, /* it can also compute columns of all nodes, on ranks that have all edges */
  GNNC_RANKS_GHOST_INPUTS = 64 /* and there it reads inputs of ghosts; else it reads those of own nodes alone */
} gnnc_rank_need;

/* A model seen without its header: the same functions, with the structs as arrays of pointers in declaration order. */
typedef struct gnnc_model_info {
  int32_t abi_version;
  size_t size; /* sizeof(gnnc_model_info) of the model */
  const char *name;
  int32_t num_inputs, num_weights, num_outputs;
  const gnnc_tensor_info *inputs;
  const gnnc_tensor_info *weights;
  const gnnc_tensor_info *outputs;
  size_t (*bound_bytes)(const gnnc_graph *graph);
  gnnc_result (*bind)(int32_t abi_version, const gnnc_graph *graph, const void *const *weights, void *bound,
                      size_t bound_size, int64_t *index);
  size_t (*workspace_bytes)(const void *bound, const gnnc_context *context);
  gnnc_result (*run)(const void *bound, const void *const *inputs, void *const *outputs, void *workspace,
                     const gnnc_context *context);
  /* Of a model made with --ranks; 0 in others, which compute whole graphs only. A model whose size ends before them is such a one. */
  int32_t rank_needs; /* of gnnc_rank_need */
  int32_t num_exchanges;
  const gnnc_exchange_info *exchanges; /* [num_exchanges] in the order of the program */
  uint64_t program;                    /* equal for equal programs: ranks compare theirs */
} gnnc_model_info;

/* ---- training: files made with --train or --emit-grad */

/* The rules of torch.optim.SGD (without dampening and Nesterov), Adam (without amsgrad) and AdamW. */
typedef enum gnnc_optimizer_kind { GNNC_SGD, GNNC_ADAM, GNNC_ADAMW } gnnc_optimizer_kind;

/* How a step changes the trained weights. */
typedef struct gnnc_optimizer {
  size_t size;  /* sizeof(gnnc_optimizer) */
  int32_t kind; /* of gnnc_optimizer_kind */
  float rate;
  float decay;         /* weight decay; 0: none */
  float momentum;      /* of SGD; 0: none */
  float beta1, beta2;  /* of Adam and AdamW, from 0 to less than 1 */
  float epsilon;       /* of Adam and AdamW */
  float clip;          /* the largest norm of all gradients together; larger ones are scaled down; 0: no limit */
  const float *decays; /* a factor of `decay` for each weight, in the order of the weights; NULL: 1 for all */
} gnnc_optimizer;

/* What gnnc_tensor_info does not say of a weight. A weight that is neither trained nor updated stays as it is. */
typedef struct gnnc_weight_info {
  int32_t is_trained; /* it has a gradient */
  int32_t is_updated; /* a step gives it a new value without a gradient, as the mean and variance of a batch_norm */
  const char *init; /* how initialize fills it: "glorot", "zeros", "ones", "kaiming_uniform", "uniform R", "normal S" */
} gnnc_weight_info;

/* The tensors of gnnc_train_info's state_tensor. */
typedef enum gnnc_state_part { GNNC_STATE_GRADIENT, GNNC_STATE_M, GNNC_STATE_V } gnnc_state_part;

/* A model with functions of training, seen without its header: M_train_info() of a file for model M. Arrays of pointers are in the
 * order of the tables; `gradients` has a pointer for each weight, which is read where the weight is trained or updated, and then one
 * for the loss. */
typedef struct gnnc_train_info {
  int32_t abi_version;
  size_t size; /* sizeof(gnnc_train_info) of the model */
  const char *name;
  int32_t num_inputs, num_weights, num_outputs;
  const gnnc_tensor_info *inputs;
  const gnnc_tensor_info *weights;
  const gnnc_tensor_info *outputs;      /* of evaluate: those of the model, then the loss */
  const gnnc_weight_info *weight_infos; /* [num_weights] */
  size_t (*bound_bytes)(const gnnc_graph *graph);
  gnnc_result (*bind)(int32_t abi_version, const gnnc_graph *graph, void *bound, size_t bound_size, int64_t *index);
  size_t (*workspace_bytes)(const void *bound, const gnnc_context *context);
  gnnc_result (*gradients)(const void *bound, const void *const *inputs, float *const *weights, float *const *gradients,
                           void *workspace, const gnnc_context *context);
  gnnc_result (*evaluate)(const void *bound, const void *const *inputs, float *const *weights, void *const *outputs,
                          void *workspace, const gnnc_context *context);
  gnnc_result (*initialize)(const void *bound, float *const *weights, uint64_t seed);
  size_t (*state_bytes)(const void *bound);
  gnnc_result (*reset)(const void *bound, void *state);
  gnnc_result (*step)(const void *bound, const void *const *inputs, float *const *weights, void *state,
                      const gnnc_optimizer *optimizer, float *loss, void *workspace, const gnnc_context *context);
  gnnc_result (*state_tensor)(const void *bound, void *state, int32_t weight, int32_t part, float **data,
                              int64_t *count);
  int64_t *(*state_steps)(void *state);
  /* Of a file made with --emit-grad, in which gradients, state_bytes, reset, step, state_tensor and state_steps are NULL; NULL in
   * others. `updates` has a pointer for each weight, which is read where the weight is updated, `adjoints` one for each output: what
   * the numbers of the output change the caller's loss by. `gradients` of backward has a pointer for each weight, read where it is
   * trained, and then one for each input, read where input_gradients says 1. */
  const int32_t *input_gradients; /* [num_inputs] */
  gnnc_result (*forward)(const void *bound, const void *const *inputs, float *const *weights, void *const *outputs,
                         float *const *updates, void *workspace, const gnnc_context *context);
  gnnc_result (*backward)(const void *bound, const void *const *inputs, float *const *weights,
                          const float *const *adjoints, float *const *gradients, void *workspace,
                          const gnnc_context *context);
  /* The second half of a step, from gradients of the caller; NULL in a file made with --emit-grad. A model whose size ends before it
   * has none. */
  gnnc_result (*apply)(const void *bound, float *const *gradients, float *const *weights, void *state,
                       const gnnc_optimizer *optimizer, const gnnc_context *context);
  /* Of a model made with --ranks; 0 in others, which compute whole graphs only. A model whose size ends before them is such a one. */
  int32_t rank_needs; /* of gnnc_rank_need */
  int32_t num_exchanges;
  const gnnc_exchange_info *exchanges; /* [num_exchanges] in the order of the program */
  uint64_t program;                    /* equal for equal programs: ranks compare theirs */
} gnnc_train_info;

#ifdef __cplusplus
}
#endif

#endif
