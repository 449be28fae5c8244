/* Compiles programs of machines, from a module of the device level to an image. */
#ifndef GNNC_TOOLS_GNNC_GNNC_IMAGE_H
#define GNNC_TOOLS_GNNC_GNNC_IMAGE_H

#include "isa/image/image.h"
#include "tools/gnnc/gnnc_driver.h"

/* An image with the memory to which it points. */
typedef struct gnnc_image {
  arena *arena;
  program_host *host;
  image image;
  program_manifest manifest;
  double ms; /* time of compilation without the packing of weights */
} gnnc_image;

/* Compiles one module, after all passes, to one image, which the caller frees in any case. With
 * is_kept the image has weights and describes its sources; p->ms includes neither. False after a
 * message. */
bool gnnc_image_compile(gnnc_driver *r, MlirModule module, thread_pool *pool, bool is_kept, gnnc_image *p);
void gnnc_image_free(gnnc_image *p);

/* Adds to the manifest the fields of the graph that the program contains and the way in which it
 * was compiled, and the useful multiply-adds; new data is in the arena. Fails where a field cannot be read. */
status gnnc_image_describe(gnnc_driver *r, const program_host *host, arena *a, program_manifest *m);

/* Writes section .gnnc.program, in the arena. */
void gnnc_image_add_manifest(const program_manifest *m, arena *a, image *im);

/* Makes the output for --emit=device, asm, obj, --stats and --repeat from a module after all
 * passes, which took passes_ms; false after a message. */
bool gnnc_image_emit(gnnc_driver *r, MlirModule module, double passes_ms);

/* --target=all: runs the passes and makes the program of each machine. A machine that refuses the
 * model does not keep the others from their programs. False after a message. */
bool gnnc_image_emit_all(gnnc_driver *r);

/* --repeat: compiles again and prints the times. */
bool gnnc_image_repeat(gnnc_driver *r, thread_pool *pool);

#endif
