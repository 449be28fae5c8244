/* A target of gnnc: a machine, for which programs are images made for one graph and one device; or
 * C, which is source code for any graph. */
#ifndef GNNC_CODEGEN_BACKEND_H
#define GNNC_CODEGEN_BACKEND_H

#include "codegen/device/host/host.h"
#include "codegen/device/program_manifest.h"
#include "codegen/feature.h"
#include "codegen/model_source.h"
#include "codegen/pipeline.h"
#include "isa/image/image.h"
#include "support/diag.h"

typedef struct backend backend;

enum { BACKEND_KINDS = 8 }; /* kinds of traffic of a machine, in the order of its simulator */

/* A --preset: a parameter of the device, and switches that are off unless the command line says
 * otherwise. */
typedef struct backend_preset {
  const char *name, *summary;
  const char *device_edit; /* "key=value"; NULL: none */
  const feature *off;
  size_t num_off;
} backend_preset;

/* The precisions of a program for a machine that has several. Fixed-point numbers need the largest
 * magnitudes of what a layer reads, which a trial run finds: a program in the machine's own precision,
 * whose statistics have a layer for each layer of the device. */
typedef struct backend_precision {
  const char *all;            /* of all nodes, one of the target's; NULL: the last of these, its own */
  const char *const *of_node; /* of each node of the graph; NULL: `all` */
  int64_t num_nodes;
  bool is_trial;
  const double (*largest)[BACKEND_KINDS]; /* by layer of the trial and kind of traffic; NULL: unknown */
  int64_t num_layers;
} backend_precision;

/* The options of a target. */
typedef struct backend_options {
  const backend *target;
  device device; /* of machines */
  feature_set features;
  int opt_level;
  const backend_preset *preset; /* one of the target's; NULL: none */
  const char *host; /* families of operations that the host executes (place.h); NULL: only those that the machine
                     * cannot execute */
  backend_precision precision;
  bool is_training; /* of C: gradients of the model's loss, weights as arguments */
  const char
      *backward;    /* of C, with is_training: gradients from the outputs' adjoints, of weights and of "all" inputs, of
                         * inputs by name, or of "weights" alone; or NULL */
  bool has_ranks;   /* of C: the program exchanges rows with those of other ranks */
  bool has_columns; /* of C, with has_ranks: and it can compute columns of all nodes */
  bool no_data;     /* edges and weights are not in the image; the program can only be counted */
  bool no_weights;  /* weights are not in the image */
  bool remarks;     /* -Rpass=place: report what the device executes, how, and what the host does and why */
  /* of the compiler */
  int threads;
} backend_options;

/* The options of generated C. */
typedef struct backend_source_options {
  const char *header_name; /* FILE.h for #include; NULL: the source contains the header's text */
  bool is_f64;
  int opt_level;
  const source *const *sources; /* the model's source files */
  size_t source_count;
  const model_source *model;      /* for the manifest; NULL: it says nothing about the source */
  const char *compiler, *options; /* quoted in the outputs as what made them: "gnnc 0.1.0", "-O2 --float=f64"; may be
                                   * NULL */
} backend_source_options;

/* Generated C: source, header and manifest. The caller frees it with backend_source_free. */
typedef struct backend_source {
  text source, header, manifest;
} backend_source;
void backend_source_free(backend_source *s);

struct backend {
  const char *name;       /* --target */
  const char *summary;    /* for --help */
  const machine *machine; /* NULL: the target is C */
  bool has_typed_rows;    /* it multiplies sparse rows by a matrix per edge type */
  const backend_preset *presets;
  size_t num_presets;
  const char *const *precisions; /* of nodes, the narrowest first, the machine's own last, ended by NULL; NULL: it has
                                  * one */

  /* Adds the passes behind the gnn level, up to level `end`. */
  void (*add_passes)(pipeline_draft *p, const backend_options *o, pipeline_end end);

  /* Options of gnn-merge-relations, in the arena, by which it counts as the target's costs are: "cost=rows". NULL: the
   * FLOPs of products decide. */
  const char *(*relation_cost)(const backend_options *o, arena *a);

  /* The next three members are those of machines. check: an error for switches that the device does
   * not support; NULL: it supports all. */
  status (*check)(const backend_options *o);
  /* For --emit=device: writes what the compiler chose for each operation into the module, as
   * attributes ('tile', 'unit'). */
  status (*plan)(MlirModule module, program_host *host, const backend_options *o, diag *d);
  /* Compiles a module to an image in the arena, with weights unless no_data or no_weights. The
   * caller completes the manifest and writes it. Returns false with a message at a line of the
   * model, and *error ok, where the program does not fit the device; false with *error set where
   * memory runs out or a file is wrong. `seconds` (may be NULL) receives T_LoC, the latency of
   * compilation of GraphAGILE's Table VII: all but the packing of weights. */
  bool (*compile)(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                  arena *a, image *out, program_manifest *manifest, double *seconds, status *error);

  /* For C. Returns false after a message. The caller frees *out in any case. */
  bool (*generate)(MlirOperation module, const backend_source_options *o, diag *d, backend_source *out);
};

/* All targets, ended by NULL; the first is the default. The table has a file of its own,
 * backends.c, so that programs can replace it. */
extern const backend *const backend_table[];

/* The first target of the table. */
const backend *backend_default(void);
/* The target of a name; NULL for an unknown one. */
const backend *backend_find(const char *name);
/* The preset of a name; NULL for an unknown one. */
const backend_preset *backend_find_preset(const backend *b, const char *name);

/* Names of targets for messages, as "toy, host or c": of all, of machines, of those that know a
 * switch. The texts are in the arena. */
const char *backend_names(arena *a);
const char *backend_machine_names(arena *a);
const char *backend_names_of_feature(arena *a, feature f);
/* The same of targets with several precisions. */
const char *backend_names_with_precisions(arena *a);

#endif
