/* A target of gnnc: a machine, whose programs are images made for one graph and one device, or C,
 * which is source for any graph. */
#ifndef GNNC_CODEGEN_BACKEND_H
#define GNNC_CODEGEN_BACKEND_H

#include "codegen/device/host/host.h"
#include "codegen/device/program_manifest.h"
#include "codegen/feature.h"
#include "codegen/pipeline.h"
#include "isa/image/image.h"
#include "support/diag.h"

typedef struct backend backend;

/* --preset: a parameter of the device and switches that are off unless the command line says
 * otherwise. */
typedef struct backend_preset {
  const char *name, *summary;
  const char *device_edit; /* "key=value"; NULL: none */
  const feature *off;
  size_t num_off;
} backend_preset;

/* What the caller of a target chooses. */
typedef struct backend_options {
  const backend *target;
  device device; /* of a machine */
  feature_set features;
  int opt_level;
  const backend_preset *preset; /* of the target; NULL: none */
  const char *host; /* families of operations that the host executes (place.h); NULL: those that the machine cannot */
  bool no_data;     /* edges and weights are not in the image; counted only */
  bool no_weights;  /* weights are not in the image */
  int threads;
} backend_options;

/* What C is made with. */
typedef struct backend_source_options {
  const char *header_name; /* FILE.h in #include; NULL: the source has what it would say */
  bool is_f64;
  int opt_level;
  const source *const *sources; /* of the model */
  size_t source_count;
  const char *compiler, *options; /* what the outputs say made them: "gnnc 0.1.0", "-O2 --float=f64"; may be NULL */
} backend_source_options;

/* C with its header and manifest; the caller frees the texts. */
typedef struct backend_source {
  text source, header, manifest;
} backend_source;
void backend_source_free(backend_source *s);

struct backend {
  const char *name;       /* --target */
  const char *summary;    /* for --help */
  const machine *machine; /* NULL: C */
  const backend_preset *presets;
  size_t num_presets;

  /* Adds the passes behind the gnn level, up to a level. */
  void (*add_passes)(pipeline_draft *p, const backend_options *o, pipeline_end end);

  /* Machines. check: switches that the device cannot do. NULL: there are none. */
  status (*check)(const backend_options *o);
  /* For --emit=device: what the compiler chose for each operation of a module of that level, as
   * attributes ('tile', 'unit'). */
  status (*plan)(MlirModule module, program_host *host, const backend_options *o, diag *d);
  /* The whole program as an image in the arena; weights too unless no_data or no_weights. The
   * caller completes and writes the manifest. What does not fit the device is a diagnostic at the
   * line of the model and a false return with *error ok; the world failing is *error. `seconds`
   * (may be NULL): T_LoC of GraphAGILE section VII, up to and without packing weights. */
  bool (*compile)(MlirModule module, program_host *host, const backend_options *o, const char *source_text, diag *d,
                  arena *a, image *out, program_manifest *manifest, double *seconds, status *error);

  /* C. False after a diagnostic; what is in `out` is the caller's to free in any case. */
  bool (*generate)(MlirOperation module, const backend_source_options *o, diag *d, backend_source *out);
};

/* All targets, ended by NULL; the first is the default. A table of its own: backends.c. */
extern const backend *const backend_table[];

const backend *backend_default(void);
/* NULL for an unknown name. */
const backend *backend_find(const char *name);
/* NULL for an unknown name. */
const backend_preset *backend_find_preset(const backend *b, const char *name);

/* "toy, host or c": names of targets for messages, those of machines alone, or of those that know a
 * switch. */
const char *backend_names(arena *a);
const char *backend_machine_names(arena *a);
const char *backend_names_of_feature(arena *a, feature f);

#endif
