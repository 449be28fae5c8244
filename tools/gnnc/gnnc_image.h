/* Programs of machines: from a module of the device level to an image. */
#ifndef GNNC_TOOLS_GNNC_GNNC_IMAGE_H
#define GNNC_TOOLS_GNNC_GNNC_IMAGE_H

#include "isa/image/image.h"
#include "tools/gnnc/gnnc_driver.h"

/* An image and what it points into. */
typedef struct gnnc_image {
  arena *arena;
  program_host *host;
  image image;
  program_manifest manifest;
  double ms; /* what it took to make but for packing weights */
} gnnc_image;

/* One module, after all passes, to one image, freed by the caller in any case. One that is kept has
 * weights and says what it was compiled from; the time for neither counts. False after a
 * message. */
bool gnnc_image_compile(gnnc_driver *r, MlirModule module, thread_pool *pool, bool is_kept, gnnc_image *p);
void gnnc_image_free(gnnc_image *p);

/* Adds to the manifest which fields of the graph the program holds and how it was compiled; new
 * data is in the arena. Fails where a field cannot be read. */
status gnnc_image_describe(const gnnc_driver *r, const program_host *host, arena *a, program_manifest *m);

/* Writes section .gnnc.program, in the arena. */
void gnnc_image_add_manifest(const program_manifest *m, arena *a, image *im);

/* --emit=device, asm, obj, --stats and --repeat, of a module after all passes, which took so long;
 * false after a message. */
bool gnnc_image_emit(gnnc_driver *r, MlirModule module, double passes_ms);

/* --target=all: passes and program of each machine; false after a message, and then nothing is
 * written. */
bool gnnc_image_emit_all(gnnc_driver *r);

/* --repeat: compiles again and prints the times. */
bool gnnc_image_repeat(gnnc_driver *r, thread_pool *pool);

#endif
