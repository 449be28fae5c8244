/* The passes of each -O level and of switches, as the text of a pipeline. This file adds those of
 * the gnn level; the target adds those behind it. */
#ifndef GNNC_CODEGEN_PIPELINE_H
#define GNNC_CODEGEN_PIPELINE_H

#include "codegen/feature.h"
#include "support/text.h"

struct backend_options;

/* The level at which a pipeline ends. */
typedef enum pipeline_end { PIPELINE_gnn, PIPELINE_inter, PIPELINE_all } pipeline_end;

typedef struct pipeline_draft pipeline_draft;

/* The pipeline of a target, an -O level, a device and switches, in the arena. */
const char *pipeline_text(arena *a, const struct backend_options *o, pipeline_end end);

/* For a target's own passes. pipeline_add appends passes "a,b"; pipeline_set sets options of the
 * last one, formatted as by printf; pipeline_is_on says whether a switch is on at the -O level. */
void pipeline_add(pipeline_draft *p, const char *passes);
void pipeline_set(pipeline_draft *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool pipeline_is_on(const pipeline_draft *p, feature f);

/* Appends the passes that all machines share, which make the device level, for a machine whose
 * windows of columns begin at multiples of `width`. Without has_merging each product stays a layer
 * of its own. */
void pipeline_add_device(pipeline_draft *p, int width, bool has_merging);

#endif
