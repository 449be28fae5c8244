/* Programs of machines: from a module of the device level to an image. */
#ifndef GNNC_TOOLS_GNNC_IMAGE_H
#define GNNC_TOOLS_GNNC_IMAGE_H

#include "isa/image.h"
#include "tools/gnnc/gnnc_driver.h"

/* An image and what it points into. */
typedef struct gnnc_image {
  arena *arena;
  program_host *host;
  image image;
  double ms; /* what it took to make but for packing weights */
} gnnc_image;

/* One module, after all passes, to one image, freed by the caller in any case. False after a message. */
bool gnnc_image_compile(gnnc_driver *r, MlirModule module, thread_pool *pool, bool has_weights, gnnc_image *p);
void gnnc_image_free(gnnc_image *p);

/* Adds to the manifest what only the driver knows: which graph's fields are in the image, and how it was compiled. */
status gnnc_image_complete(const gnnc_driver *r, const program_host *host, arena *a, image *im);

/* --emit=device, asm, obj, --stats and --repeat, of a module after all passes, which took so long; false after a message. */
bool gnnc_image_emit(gnnc_driver *r, MlirModule module, double passes_ms);

/* --target=all: passes and program of each machine; false after a message, and then nothing is written. */
bool gnnc_image_emit_all(gnnc_driver *r);

/* --repeat: compiles again and prints the times. */
bool gnnc_image_repeat(gnnc_driver *r, thread_pool *pool);

#endif
