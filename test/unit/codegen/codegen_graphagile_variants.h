/* Runs a case on the default device, on small ones, without overlap, with the options of the
 * paper, with extensions, without balance, without attention layers, with all products that follow
 * sums made with them, and with rows of fp16. GRAPHAGILE_VERBOSE=1 prints cycles. */
#ifndef GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_VARIANTS_H
#define GNNC_TEST_UNIT_CODEGEN_CODEGEN_GRAPHAGILE_VARIANTS_H

#include "codegen_graphagile_run.h"
#include "support/file.h"
#include "support/text.h"

static device small_device(int width) {
  device d;
  device_default(&d, machine_default());
  d.graphagile.num_pes = 2;
  d.graphagile.width = width;
  d.graphagile.feature_rows = 64;
  d.graphagile.weight_rows = 32;
  d.graphagile.edges = 64;
  return d;
}

/* A small device with room for products behind sums. */
static device wide_device(void) {
  device d = small_device(4);
  d.graphagile.num_pes = 3;
  d.graphagile.feature_rows = 512;
  d.graphagile.weight_rows = 2048;
  d.graphagile.has_broadcast = true;
  return d;
}

static graphagile_options options_of(device d) {
  return (graphagile_options){.device = d,
                              .overlap = true,
                              .skip_empty = true,
                              .order_records = true,
                              .balance = true,
                              .fuse = true,
                              .attention = true,
                              .product = true,
                              .threads = 1};
}

static void run_everywhere(const char *module, int64_t nodes, int64_t edges) {
  device normal;
  device_default(&normal, machine_default());
  /* numbers that are nearly the same may be in another order when they are rounded to fp16 */
  int variants = strstr(module, "select") ? 11 : 12;
  for (int variant = 0; variant < variants; variant++) {
    graphagile_case c = {.text = module, .nodes = nodes, .edges = edges, .sim = {.level = SIM_L1}};
    c.options = options_of(variant == 1 || variant == 2    ? small_device(4)
                           : variant == 3 || variant == 11 ? small_device(8)
                                                           : normal);
    if (variant == 2) c.options.overlap = false;
    if (variant == 4) c.options.paper = true;
    if (variant == 3 || variant == 5 || variant == 11)
      c.options.device.graphagile.has_compact_columns = c.options.compact = true;
    if (variant == 5)
      c.options.device.graphagile.has_packed_edges = c.options.packed = c.options.device.graphagile.has_broadcast =
          c.options.broadcast = true;
    if (variant == 6) c.options.balance = false, c.options.device.graphagile.queue_blocks = 1;
    if (variant == 7) c.options.attention = false;
    if (variant == 8) c.options.every_product = true;
    if (variant == 9) c.options = options_of(wide_device()), c.options.every_product = c.options.broadcast = true;
    if (variant == 10) c.options.product = c.options.order_records = false;
    if (variant == 11) c.options.device.graphagile.has_half_rows = c.options.half = true;
    unsigned before = unit_failures;
    graphagile_run(&c);
    if (unit_failures != before) printf("  in variant %d\n", variant);
    if (getenv("GRAPHAGILE_VERBOSE"))
      printf("variant %d: %llu cycles, floor %.0f, %llu bytes, compiled in %.1f us\n", variant,
             (unsigned long long)c.cycles, c.floor, (unsigned long long)c.text_bytes, c.seconds * 1e6);
  }
}

/* A module of the folder layers, with some of its words replaced. */
typedef struct replacement {
  const char *word, *by;
} replacement;

enum { MOST_REPLACEMENTS = 3 };

static void append_replaced(text *to, const char *from, const replacement *words) {
  while (*from) {
    int i = 0;
    while (i < MOST_REPLACEMENTS && (!words[i].word || strncmp(from, words[i].word, strlen(words[i].word)) != 0)) i++;
    if (i < MOST_REPLACEMENTS) {
      text_append(to, words[i].by);
      from += strlen(words[i].word);
    } else {
      text_append_bytes(to, from++, 1);
    }
  }
}

static void run_module_with(const char *name, const replacement words[MOST_REPLACEMENTS], int64_t nodes,
                            int64_t edges) {
  arena *a = arena_create();
  char *module;
  size_t size;
  text made = {0};
  CHECK_OK(file_read(a, arena_printf(a, GNNC_SOURCE_DIR "/test/unit/codegen/layers/%s.mlir", name), &module, &size));
  append_replaced(&made, module, words);
  run_everywhere(text_str(&made), nodes, edges);
  text_free(&made);
  arena_destroy(a);
}

static inline void run_module(const char *name, int64_t nodes, int64_t edges) {
  const replacement none[MOST_REPLACEMENTS] = {{NULL, NULL}};
  run_module_with(name, none, nodes, edges);
}

#endif
